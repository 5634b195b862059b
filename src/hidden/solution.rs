//! Solved games with hidden information.

use std::sync::Arc;
use std::time::Duration;

use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::action_payoffs::ActionPayoffs;
use super::proof::Judgement;
use super::strategy::BehaviourStrategy;
use super::test_sequence::TestSequence;
use super::tree::{GameTree, SetId};
use crate::bounds::Enclosure;
use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};
use stochastic_game::internal::Quoted;

/// A solved game with hidden information: bounds of its value, and the strategies that prove them.
#[derive(Clone, Debug)]
pub struct HiddenSolution {
    tree: Arc<GameTree>,
    judgements: ByPlayer<Judgement>,
    test_sequence: Option<Arc<TestSequence>>,
    iterations: u64,
    elapsed: Duration,
}

/// An action at an information set, with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionShare {
    pub action: String,
    pub probability: f64,
}

impl HiddenSolution {
    pub(super) fn new(
        tree: Arc<GameTree>,
        judgements: ByPlayer<Judgement>,
        iterations: u64,
        elapsed: Duration,
    ) -> Self {
        Self { tree, judgements, test_sequence: None, iterations, elapsed }
    }

    /// The solution that has these strategies, whose bounds are proved anew. It has no iterations,
    /// and took no time.
    ///
    /// # Errors
    /// [`HiddenError::StrategyFile`] for a strategy of another tree or of the other player.
    pub fn of_strategies(
        tree: impl Into<Arc<GameTree>>,
        strategies: ByPlayer<BehaviourStrategy>,
    ) -> Result<Self, HiddenError> {
        let tree = tree.into();
        for player in Player::BOTH {
            let strategy = &strategies[player];
            if strategy.player() != player || !strategy.fits(&tree) {
                let reason = format!("expected a strategy of {player} for this tree");
                return Err(HiddenError::StrategyFile { reason });
            }
        }
        let judgements = strategies.map(|strategy| Judgement::exactly(&tree, strategy));
        Ok(Self::new(tree, judgements, 0, Duration::ZERO))
    }

    /// The solution with the proof that its strategies are quasi-perfect: the coefficients of a
    /// test sequence, as [`TestSequence::coefficients`] has them, which are checked.
    ///
    /// # Errors
    /// [`HiddenError::TestSequence`] if they prove nothing, or other strategies.
    pub fn with_test_sequence(
        self,
        coefficients: ByPlayer<Vec<Vec<BigRational>>>,
    ) -> Result<Self, HiddenError> {
        let (test_sequence, limits) = TestSequence::of(&self.tree, coefficients)?;
        for player in Player::BOTH {
            for (number, set) in self.tree.information_sets(player).iter().enumerate() {
                let [behaviour, limit] = [self.behaviour(player), &limits[player]]
                    .map(|strategy| strategy.probabilities_at(&self.tree, number));
                if behaviour != limit {
                    let reason = format!(
                        "it goes to another strategy of {player} at {}",
                        Quoted(set.name())
                    );
                    return Err(HiddenError::TestSequence { reason });
                }
            }
        }
        Ok(self.refined(test_sequence))
    }

    /// The solution, whose strategies are the limits of a test sequence.
    pub(super) fn refined(self, test_sequence: TestSequence) -> Self {
        Self { test_sequence: Some(Arc::new(test_sequence)), ..self }
    }

    /// The game.
    pub fn tree(&self) -> &GameTree {
        &self.tree
    }

    /// The middle of the proved bounds of the value, to A.
    pub fn value(&self) -> f64 {
        self.enclosure().middle()
    }

    /// Proved bounds of the value, to A: what A's strategy secures at least, and B's at most.
    pub fn enclosure(&self) -> Enclosure {
        Judgement::value(&self.judgements)
    }

    /// The value as a fraction, if both strategies secure exactly the same. Small games with one
    /// optimal strategy of each player have it.
    pub fn exact(&self) -> Option<&BigRational> {
        let ByPlayer { a, b } = &self.judgements;
        a.exact().filter(|&value| b.exact() == Some(value))
    }

    /// The proof that the strategies are quasi-perfect, if
    /// [`HiddenSolver::refinement`](super::HiddenSolver::refinement) asked for it and they are: at
    /// every information set they are best replies to an opponent who makes mistakes with very
    /// small probabilities.
    pub fn test_sequence(&self) -> Option<&TestSequence> {
        self.test_sequence.as_deref()
    }

    /// A player's strategy, which proves one of the bounds.
    pub fn behaviour(&self, player: Player) -> &BehaviourStrategy {
        self.judgements[player].strategy()
    }

    /// A player's probabilities at the information set of this name.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn strategy(&self, player: Player, set: &str) -> Result<Vec<ActionShare>, HiddenError> {
        self.shares(player, self.tree.set(player, set)?)
    }

    /// A player's probabilities at an information set.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn shares(&self, player: Player, set: SetId) -> Result<Vec<ActionShare>, HiddenError> {
        let actions = self.tree.information_set(player, set)?.actions();
        let probabilities = self.behaviour(player).probabilities_at(&self.tree, set);
        let share = |(action, probability): (&String, BigRational)| ActionShare {
            action: action.clone(),
            probability: probability.to_f64().unwrap_or(f64::NAN),
        };
        Ok(actions.iter().zip(probabilities).map(share).collect())
    }

    /// The payoffs of a player's actions against the opponent's strategy. Takes a walk through the
    /// tree.
    pub fn action_payoffs(&self, player: Player) -> ActionPayoffs<'_> {
        ActionPayoffs::against(&self.tree, self.behaviour(player.opponent()))
    }

    /// Iterations of regret minimisation; 0 if another method sufficed.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The time it took to find and prove the strategies.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
