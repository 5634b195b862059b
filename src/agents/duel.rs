//! Two players meet many times.

use super::counted_rng::CountedRng;
use super::state_table::payoff;
use super::wilson::{Z, wilson_interval};
use crate::analysis::Matchup;
use crate::error::Error;
use crate::game::{Outcome, Player, Rules, State};
use crate::policy::Policy;

/// Games between two policies, drawn at random and counted, next to their expected outcome computed exactly.
///
/// Two random numbers are drawn in every turn, A's bid first, from the generator `Pcg64Mcg` seeded by `seed_from_u64`: the same
/// seed, the same games.
///
/// ```
/// use pencil_tennis::{Duel, Outcome, Policy, Rules};
///
/// let solution = pencil_tennis::solve(10)?;
/// let (optimal, uniform) = (Policy::optimal(&solution), Policy::uniform(&Rules::tennis(), [10, 10])?);
/// let mut duel = Duel::new(&Rules::tennis(), solution.start(), &optimal, &uniform, 1)?;
/// duel.play(20_000);
/// let exact = duel.matchup().value().middle();
/// assert!((duel.mean() - exact).abs() < 4.0 * duel.standard_error());
/// println!("A hits out in {} of {} games", duel.count(Outcome::OutByA), duel.games());
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Duel<'p> {
    rules: Rules,
    policies: [&'p Policy; 2],
    matchup: Matchup,
    rng: CountedRng,
    counts: [u64; 5],
    turns: u64,
}

impl<'p> Duel<'p> {
    /// A duel in which A bids as in `a` and B as in `b`, from `start` on; no game has been played.
    ///
    /// # Errors
    /// As for [`Matchup::new`].
    pub fn new(rules: &Rules, start: State, a: &'p Policy, b: &'p Policy, seed: u64) -> Result<Self, Error> {
        let matchup = Matchup::new(rules, start, a, b)?;
        Ok(Self { rules: *rules, policies: [a, b], matchup, rng: CountedRng::resumed(seed, 0), counts: [0; 5], turns: 0 })
    }

    /// Plays this many games.
    pub fn play(&mut self, games: u64) {
        for _ in 0..games {
            let mut state = self.matchup.start();
            let outcome = loop {
                if let Some(outcome) = self.rules.outcome(state) {
                    break outcome;
                }
                let [a, b] = self.policies;
                let bits = [self.rng.bits(), self.rng.bits()];
                // Both policies cover every state that can be reached.
                let bid_a = a.draw(state, Player::A, bits[0]).unwrap_or(state.a);
                let bid_b = b.draw(state, Player::B, bits[1]).unwrap_or(state.b);
                state = self.rules.next(state, bid_a, bid_b);
                self.turns += 1;
            };
            self.counts[outcome.index()] += 1;
        }
    }

    /// The same numbers computed exactly, without sampling.
    pub const fn matchup(&self) -> &Matchup {
        &self.matchup
    }

    /// The games played.
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The games that ended like this.
    pub const fn count(&self, outcome: Outcome) -> u64 {
        self.counts[outcome.index()]
    }

    /// The interval in which the probability of an end lies, with 95 % confidence, for all that the games say.
    pub fn interval(&self, outcome: Outcome) -> [f64; 2] {
        wilson_interval(self.count(outcome), self.games())
    }

    /// The number of turns a game had on average; 0 without games.
    pub fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.games().max(1) as f64
    }

    /// A's mean payoff; 0 without games.
    pub fn mean(&self) -> f64 {
        self.sum(|payoff| payoff) / self.games().max(1) as f64
    }

    /// The standard error of [`mean`](Self::mean), from what the games came to; infinite for fewer than two games.
    pub fn standard_error(&self) -> f64 {
        let games = self.games();
        if games < 2 {
            return f64::INFINITY;
        }
        let mean = self.mean();
        (self.sum(|payoff| (payoff - mean).powi(2)) / (games - 1) as f64 / games as f64).sqrt()
    }

    /// The interval in which what A wins on average lies, with 95 % confidence, for all that the games say: 1.96 standard errors
    /// to either side of the [`mean`](Self::mean). `None` for fewer than two games.
    pub fn mean_interval(&self) -> Option<[f64; 2]> {
        let half = Z * self.standard_error();
        half.is_finite().then(|| [self.mean() - half, self.mean() + half])
    }

    /// A sum over all games of something that depends on what A won.
    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        Outcome::ALL.into_iter().map(|outcome| self.count(outcome) as f64 * term(payoff(&self.rules, outcome))).sum()
    }
}
