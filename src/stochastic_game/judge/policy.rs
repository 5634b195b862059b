use std::convert::Infallible;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::error::{Error, PolicyError, Quoted, StochasticGameError, StochasticGameFault};
use crate::game::Player;
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{NumberedGame, StochasticGame, drawn};
use crate::stochastic_game::solution::StochasticSolution;
use crate::stochastic_game::sweep::StateSolver;

/// One player's way to play a [`StochasticGame`]: probabilities of the actions at every state, in multiples of 2⁻⁶².
#[derive(Clone, Debug)]
pub struct StationaryPolicy {
    pub(super) player: Player,
    pub(super) weights: Vec<Vec<(u32, u64)>>,
    pub(super) is_rounded: bool,
}

/// The tolerance of the sum of probabilities, which are divided by their sum.
const SUM_TOLERANCE: f64 = 1e-6;

impl StationaryPolicy {
    /// A policy from the probabilities of actions by their numbers, for every state; states with a single action, and ends, may
    /// be left out.
    ///
    /// # Errors
    /// [`StochasticGameFault::Policy`] with the state, where actions are unknown or given twice, probabilities negative, or their
    /// sum misses 1 by more than 0.000001; and in a recursive game where one is above 0 but below 2⁻⁶³, since the values of
    /// leaving a cycle rarely and never may differ arbitrarily.
    pub fn new(
        game: &StochasticGame,
        player: Player,
        probabilities: &[Vec<(usize, BigRational)>],
    ) -> Result<Self, StochasticGameError> {
        let whole = BigRational::from_integer(DyadicStrategy::WHOLE.into());
        let (mut weights, mut is_rounded) = (Vec::with_capacity(game.len()), false);
        let none = Vec::new();
        for state in 0..game.len() {
            let given = probabilities.get(state).unwrap_or(&none);
            let own = strategy(game, state, player, given)
                .map_err(|reason| game.refuse(state, StochasticGameFault::Policy { player, reason }))?;
            is_rounded |= given.iter().any(|(action, probability)| {
                let kept = own.iter().find(|(own, _)| *own as usize == *action).map_or(0, |&(_, weight)| weight);
                probability * &whole != BigRational::from_integer(kept.into())
            });
            weights.push(own);
        }
        Ok(Self { player, weights, is_rounded })
    }

    /// Every action with the same probability.
    pub fn uniform(game: &StochasticGame, player: Player) -> Self {
        let Ok(policy) = Self::by_weights::<Infallible>(game, player, |_, _| Ok(()));
        policy
    }

    /// The strategies found. They have 62 bits, so they secure the proved bounds unless longer numbers prove these.
    ///
    /// # Errors
    /// None for a written game.
    pub fn optimal(solution: &StochasticSolution, player: Player) -> Result<Self, Error> {
        let (game, mut solver) = (solution.game(), StateSolver::default());
        let own = |state| Ok(solution.proof.weights(game, state, &mut solver)?[usize::from(player == Player::B)].to_vec());
        let weights = (0..game.len()).map(own).collect::<Result<_, StochasticGameError>>()?;
        Ok(Self { player, weights, is_rounded: false })
    }

    /// Actions as people might choose them: one that loses c against the opponent's optimal strategy has a probability in
    /// proportion to exp(−`precision`·c) (`McKelvey` and Palfrey 1995).
    ///
    /// # Errors
    /// [`PolicyError::Precision`] for a precision that is negative or not finite.
    pub fn quantal_response(solution: &StochasticSolution, player: Player, precision: f64) -> Result<Self, Error> {
        if !(precision.is_finite() && precision >= 0.0) {
            return Err(PolicyError::Precision { precision: precision.to_string() }.into());
        }
        Self::by_weights(solution.game(), player, |state, own| {
            let losses = &solution.losses(state)?[usize::from(player == Player::B)];
            own.iter_mut().zip(losses).for_each(|(weight, loss)| *weight = (-precision * loss).exp());
            Ok::<_, StochasticGameError>(())
        })
        .map_err(Error::from)
    }

    /// A policy with these weights of all actions at every state but the ends.
    fn by_weights<E>(
        game: &StochasticGame,
        player: Player,
        mut weigh: impl FnMut(usize, &mut Vec<f64>) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut weights = Vec::with_capacity(game.len());
        for state in 0..game.len() {
            let mut own = vec![1.0; game.actions(state).map_or(0, |actions| actions[usize::from(player == Player::B)].len())];
            let mut dyadic = DyadicStrategy::default();
            if !own.is_empty() {
                weigh(state, &mut own)?;
                let sum: f64 = own.iter().sum();
                dyadic.approximate(&own.iter().map(|weight| weight / sum).enumerate().collect::<Vec<_>>());
            }
            weights.push(dyadic.support().to_vec());
        }
        Ok(Self { player, weights, is_rounded: false })
    }

    /// The number of the action that 64 random bits draw at a state; `None` at an end.
    pub fn draw(&self, state: usize, bits: u64) -> Option<usize> {
        let own = self.weights.get(state).filter(|own| !own.is_empty())?;
        Some(drawn(own.iter().copied(), DyadicStrategy::WHOLE, bits) as usize)
    }

    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether given probabilities are no multiples of 2⁻⁶²: the nearest multiples are judged.
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }
}

/// The weights of a state.
fn strategy(
    game: &StochasticGame,
    state: usize,
    player: Player,
    given: &[(usize, BigRational)],
) -> Result<Vec<(u32, u64)>, String> {
    let Some(actions) = game.actions(state) else {
        return if given.is_empty() { Ok(Vec::new()) } else { Err("the state is an end".to_owned()) };
    };
    let names = actions[usize::from(player == Player::B)];
    if given.is_empty() && names.len() == 1 {
        return Ok(vec![(0, DyadicStrategy::WHOLE)]);
    }
    if given.is_empty() {
        return Err("nothing is said of how to play".to_owned());
    }
    if let Some((action, _)) = given.iter().find(|(action, _)| *action >= names.len()) {
        return Err(format!("there is no action {action}; expected 0..={}", names.len() - 1));
    }
    let mut sorted = given.to_vec();
    sorted.sort_by_key(|&(action, _)| action);
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(format!("the action {} is given twice", Quoted(&names[pair[0].0])));
    }
    if let Some((action, probability)) = sorted.iter().find(|(_, probability)| probability.is_negative()) {
        return Err(format!("the probability {probability} of {} is negative", Quoted(&names[*action])));
    }
    let sum: BigRational = sorted.iter().map(|(_, probability)| probability).sum();
    let misses = sum.to_f64().map_or(f64::INFINITY, |sum| (sum - 1.0).abs());
    if sum.is_zero() || misses > SUM_TOLERANCE {
        return Err(format!("the probabilities sum to {}; expected 1", sum.to_f64().unwrap_or(f64::NAN)));
    }
    let whole = BigRational::from_integer(BigInt::from(DyadicStrategy::WHOLE));
    let weigh = |probability: &BigRational| (probability / &sum * &whole).round().to_integer().to_i64().unwrap_or(0);
    let mut dyadic = DyadicStrategy::default();
    dyadic.assign(sorted.iter().map(|(action, probability)| (*action as u32, weigh(probability))));
    let is_kept = |action: usize| dyadic.support().iter().any(|&(kept, _)| kept as usize == action);
    let lost = |(action, probability): &&(usize, BigRational)| probability.is_positive() && !is_kept(*action);
    if let (true, Some((action, _))) = (game.kind().may_last(), sorted.iter().find(lost)) {
        return Err(format!(
            "the probability of {} is too small to be told from 0; expected 0, or 2^-62 at least",
            Quoted(&names[*action])
        ));
    }
    Ok(dyadic.support().to_vec())
}
