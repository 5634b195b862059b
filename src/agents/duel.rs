//! Sampled games between two policies of Tennis.

use num_traits::ToPrimitive;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::sampled_mean::SampledMean;
use super::tally::Tally;
use crate::analysis::Matchup;
use crate::error::{Error, StochasticGameError};
use crate::game::{ByPlayer, Player, Rules, State};
use crate::hidden::{self, GameTree, HiddenPlay, PlayPlace};
use crate::policy::{BehaviourStrategy, Policy, play_out};
use crate::stochastic_game::{
    ActionsFault, StationaryPolicy, StochasticGame, StochasticGameFault, StochasticSolution,
};
use crate::work::Watch;

/// Plays between two given strategies, drawn at random and counted: a duel in any game.
pub trait SampledPlays {
    /// Draws this many plays more.
    ///
    /// # Errors
    /// For a strategy of another game.
    fn play(&mut self, plays: u64) -> Result<(), Error>;

    /// The plays so far.
    fn plays(&self) -> u64;

    /// A's mean payoff; 0 without plays.
    fn mean(&self) -> f64;

    /// A 95 % confidence interval of A's mean payoff; `None` for fewer than two plays.
    fn mean_interval(&self) -> Option<[f64; 2]>;

    /// The mean number of turns, or of decisions where the players move one after the other; 0
    /// without plays.
    fn mean_turns(&self) -> f64;
}

/// Games between two policies, drawn at random and counted, next to their expected outcome computed
/// exactly.
///
/// Two random numbers are drawn in every turn, A's bid first, from the generator `Pcg64Mcg` seeded
/// by `seed_from_u64`: the same seed, the same games. Where the smallest bid is 0, turns in which
/// both bid 0 are neither drawn nor counted: a third number decides which player bids something
/// else. A game in which nobody does counts as one that ends where the ball lies.
///
/// ```
/// use pencil_tennis::agents::{Duel, SampledPlays};
/// use pencil_tennis::{Outcome, Policy, Rules, unwatched};
///
/// let solution = pencil_tennis::solve(10)?;
/// let (optimal, uniform) = (Policy::optimal(&solution, &mut unwatched)?, Policy::uniform(&Rules::tennis(), [10, 10])?);
/// let mut duel = Duel::new(&Rules::tennis(), solution.start(), &optimal, &uniform, 1, &mut unwatched)?;
/// duel.play(20_000)?;
/// let exact = duel.matchup().value().middle();
/// let tally = duel.tally();
/// assert!((tally.mean() - exact).abs() < 4.0 * tally.standard_error());
/// println!("A hits out in {} of {} games", tally.count(Outcome::OutByA), tally.games());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel<'p> {
    rules: Rules,
    strategies: [&'p BehaviourStrategy; 2],
    matchup: Matchup,
    generator: Pcg64Mcg,
    tally: Tally,
}

impl<'p> Duel<'p> {
    /// A duel from `start` in which A bids as in `a` and B as in `b`; no game has been played.
    /// `watch` hears of the progress of the [`Matchup`].
    pub fn new(
        rules: &Rules,
        start: State,
        a: &'p Policy,
        b: &'p Policy,
        seed: u64,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let matchup = Matchup::new(rules, start, a, b, watch)?;
        let strategies = [a.behaviour(Player::A)?, b.behaviour(Player::B)?];
        let generator = Pcg64Mcg::seed_from_u64(seed);
        Ok(Self { rules: *rules, strategies, matchup, generator, tally: Tally::new(rules) })
    }

    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The exact expectation of the same numbers.
    pub const fn matchup(&self) -> &Matchup {
        &self.matchup
    }
}

impl SampledPlays for Duel<'_> {
    fn play(&mut self, plays: u64) -> Result<(), Error> {
        for _ in 0..plays {
            let mut turns = 0;
            let random = || self.generator.next_u64();
            let last = play_out(self.strategies, &self.rules, self.matchup.start(), random, |_| {
                turns += 1;
            });
            match self.rules.outcome(last) {
                Some(outcome) => self.tally.add(outcome, turns),
                None => self.tally.add_endless(self.rules.end_at(last.ball.position()), turns),
            }
        }
        Ok(())
    }

    fn plays(&self) -> u64 {
        self.tally.games()
    }

    fn mean(&self) -> f64 {
        self.tally.mean()
    }

    fn mean_interval(&self) -> Option<[f64; 2]> {
        self.tally.mean_interval()
    }

    fn mean_turns(&self) -> f64 {
        self.tally.mean_turns()
    }
}

/// Plays of a game of any rules between two policies, sampled.
#[derive(Debug)]
pub struct GameDuel<'g> {
    game: &'g StochasticGame,
    policies: [&'g StationaryPolicy; 2],
    start: usize,
    generator: Pcg64Mcg,
    payoffs: SampledMean,
    turns: u64,
    unfinished: u64,
}

impl<'g> GameDuel<'g> {
    /// A play stops after this many turns. It then pays what was collected so far, and so much of
    /// the state's payoff of infinite plays as a discount leaves.
    pub const MOST_TURNS: u64 = 10_000;

    /// `policies` are A's and B's; plays begin at the first start.
    pub fn new(
        solution: &'g StochasticSolution,
        policies: [&'g StationaryPolicy; 2],
        seed: u64,
    ) -> Self {
        let (game, generator) = (solution.game(), Pcg64Mcg::seed_from_u64(seed));
        let start = game.starts()[0] as usize;
        Self {
            game,
            policies,
            start,
            generator,
            payoffs: SampledMean::default(),
            turns: 0,
            unfinished: 0,
        }
    }

    /// Lets plays begin at this state.
    ///
    /// # Errors
    /// [`StochasticGameFault::UnknownState`](crate::stochastic_game::StochasticGameFault::UnknownState).
    pub fn start(mut self, state: &str) -> Result<Self, StochasticGameError> {
        self.start = self.game.place(state)?;
        Ok(self)
    }

    /// The actions that random bits draw for A and B at a state that is no end.
    fn actions(&self, state: usize, bits: [u64; 2]) -> Result<[usize; 2], StochasticGameFault> {
        let mut actions = [0; 2];
        for (index, policy) in self.policies.iter().enumerate() {
            let drawn = policy.draw(state, bits[index]);
            actions[index] = drawn.ok_or_else(|| StochasticGameFault::Policy {
                player: policy.player(),
                reason: ActionsFault::Nothing,
            })?;
        }
        Ok(actions)
    }

    /// The plays that were stopped after [`MOST_TURNS`](Self::MOST_TURNS).
    pub const fn unfinished(&self) -> u64 {
        self.unfinished
    }
}

impl SampledPlays for GameDuel<'_> {
    fn play(&mut self, plays: u64) -> Result<(), Error> {
        let discount = self.game.discount().to_f64().unwrap_or(1.0);
        for _ in 0..plays {
            let mut state = self.game.state(self.start)?;
            let (mut share, mut payoff, mut turns) = (1.0, 0.0, 0);
            let end = loop {
                // Also at an end: the same seed, the same plays.
                let bits = [self.generator.next_u64(), self.generator.next_u64()];
                if let Some(value) = state.end_value() {
                    break value;
                }
                let actions = self.actions(state.number(), bits)?;
                if turns == Self::MOST_TURNS {
                    self.unfinished += 1;
                    break state.endless();
                }
                let next = state.draw(actions, self.generator.next_u64())?;
                let [a, b] = actions;
                payoff += share * self.game.cell(state.number(), a, b).rounded_reward();
                state = next;
                share *= discount;
                turns += 1;
            };
            payoff += share * end.to_f64().unwrap_or(0.0);
            self.payoffs.add(payoff);
            self.turns += turns;
        }
        Ok(())
    }

    fn plays(&self) -> u64 {
        self.payoffs.number()
    }

    fn mean(&self) -> f64 {
        self.payoffs.mean()
    }

    fn mean_interval(&self) -> Option<[f64; 2]> {
        self.payoffs.interval()
    }

    fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.plays().max(1) as f64
    }
}

/// Plays of a game with hidden information between two strategies, sampled.
///
/// A random number is drawn at every chance node and decision, from the generator `Pcg64Mcg`: the
/// same seed, the same plays.
///
/// ```
/// use pencil_tennis::agents::{HiddenDuel, SampledPlays};
/// use pencil_tennis::hidden::{BehaviourStrategy, GameTree, games::KuhnPoker};
/// use pencil_tennis::{ByPlayer, Player};
///
/// let tree = GameTree::from_rules(&KuhnPoker)?;
/// let uniform = ByPlayer::new(|player| BehaviourStrategy::uniform(&tree, player));
/// let mut duel = HiddenDuel::new(&tree, uniform.as_ref(), 1);
/// duel.play(10_000)?;
/// // Showdowns are even. B folds to A's bet in 1/4 of the games, and A to B's in 1/8.
/// assert!((duel.mean() - 0.125).abs() < 0.1);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Debug)]
pub struct HiddenDuel<'t> {
    tree: &'t GameTree,
    strategies: ByPlayer<&'t hidden::BehaviourStrategy>,
    generator: Pcg64Mcg,
    payoffs: SampledMean,
    decisions: u64,
}

impl<'t> HiddenDuel<'t> {
    /// A duel of strategies of this tree.
    pub fn new(
        tree: &'t GameTree,
        strategies: ByPlayer<&'t hidden::BehaviourStrategy>,
        seed: u64,
    ) -> Self {
        let generator = Pcg64Mcg::seed_from_u64(seed);
        Self { tree, strategies, generator, payoffs: SampledMean::default(), decisions: 0 }
    }
}

impl SampledPlays for HiddenDuel<'_> {
    fn play(&mut self, plays: u64) -> Result<(), Error> {
        for _ in 0..plays {
            let mut play = HiddenPlay::new(self.tree);
            let payoff = loop {
                match play.place() {
                    PlayPlace::End(payoff) => break payoff,
                    PlayPlace::Chance => play.draw(self.generator.next_u64()),
                    PlayPlace::Decision(player, set) => {
                        self.decisions += 1;
                        let bits = self.generator.next_u64();
                        play.choose(self.strategies[player].draw(self.tree, set, bits)?)?;
                    }
                }
            };
            self.payoffs.add(payoff.to_f64().unwrap_or(f64::NAN));
        }
        Ok(())
    }

    fn plays(&self) -> u64 {
        self.payoffs.number()
    }

    fn mean(&self) -> f64 {
        self.payoffs.mean()
    }

    fn mean_interval(&self) -> Option<[f64; 2]> {
        self.payoffs.interval()
    }

    fn mean_turns(&self) -> f64 {
        self.decisions as f64 / self.plays().max(1) as f64
    }
}
