//! Games counted by how they ended.

use super::state_table::payoff;
use super::wilson::{Z, wilson_interval};
use crate::game::{Outcome, Rules};

/// The ends and the lengths of many games between the same two players, and what they say of the expectation. Payoffs are A's.
///
/// ```
/// use pencil_tennis::agents::Tally;
/// use pencil_tennis::{GameRecord, Rules};
///
/// let mut tally = Tally::new(&Rules::tennis());
/// let game = GameRecord::replay(&Rules::tennis(), "4:3@-2".parse()?, [(2, 1), (2, 2)])?;
/// tally.add(game.outcome().expect("it is over"), game.turns().len() as u64);
/// assert_eq!((tally.games(), tally.mean(), tally.mean_turns()), (1, 1.0, 2.0));
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    rules: Rules,
    counts: [u64; 5],
    turns: u64,
    endless: u64,
}

impl Tally {
    /// A tally without games.
    pub const fn new(rules: &Rules) -> Self {
        Self { rules: *rules, counts: [0; 5], turns: 0, endless: 0 }
    }

    /// The rules of the games.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Counts a game.
    pub const fn add(&mut self, outcome: Outcome, turns: u64) {
        self.counts[outcome.index()] += 1;
        self.turns += turns;
    }

    /// Counts a game in which both bid 0 for ever in the end: it would end like this if everything were spent where it stands
    /// still.
    pub const fn add_endless(&mut self, outcome: Outcome, turns: u64) {
        self.endless += 1;
        self.add(outcome, turns);
    }

    /// The games played.
    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The games that ended like this.
    pub const fn count(&self, outcome: Outcome) -> u64 {
        self.counts[outcome.index()]
    }

    /// The games in which both bid 0 for ever in the end, which [`count`](Self::count) counts as well; 0 where the smallest bid
    /// is 1.
    pub const fn endless(&self) -> u64 {
        self.endless
    }

    /// The share of the games that this many are; 0 without games.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.games().max(1) as f64
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

    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        Outcome::EACH.into_iter().map(|outcome| self.count(outcome) as f64 * term(payoff(&self.rules, outcome))).sum()
    }
}
