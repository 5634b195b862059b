//! Counts of sampled games and estimates from them.

use super::evaluation::payoff;
use crate::game::{Outcome, Rules};

/// Counts of the ends and lengths of many games between two players, with estimates of the
/// expectation. Payoffs are A's.
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
    pub const fn new(rules: &Rules) -> Self {
        Self { rules: *rules, counts: [0; 5], turns: 0, endless: 0 }
    }

    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub const fn add(&mut self, outcome: Outcome, turns: u64) {
        self.counts[outcome.index()] += 1;
        self.turns += turns;
    }

    /// Counts a game that ended with 0 bids for ever; `outcome` is the end if everything were spent
    /// where the ball lies.
    pub const fn add_endless(&mut self, outcome: Outcome, turns: u64) {
        self.endless += 1;
        self.add(outcome, turns);
    }

    pub fn games(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub const fn count(&self, outcome: Outcome) -> u64 {
        self.counts[outcome.index()]
    }

    /// The number of games that ended with 0 bids for ever, included in [`count`](Self::count).
    pub const fn endless(&self) -> u64 {
        self.endless
    }

    /// The relative frequency of `count` games; 0 without games.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.games().max(1) as f64
    }

    /// A 95 % confidence interval of an outcome's probability.
    pub fn interval(&self, outcome: Outcome) -> [f64; 2] {
        wilson_interval(self.count(outcome), self.games())
    }

    /// The mean number of turns; 0 without games.
    pub fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.games().max(1) as f64
    }

    /// A's mean payoff; 0 without games.
    pub fn mean(&self) -> f64 {
        self.sum(|payoff| payoff) / self.games().max(1) as f64
    }

    /// The standard error of [`mean`](Self::mean); infinite for fewer than two games.
    pub fn standard_error(&self) -> f64 {
        let games = self.games();
        if games < 2 {
            return f64::INFINITY;
        }
        let mean = self.mean();
        (self.sum(|payoff| (payoff - mean).powi(2)) / (games - 1) as f64 / games as f64).sqrt()
    }

    /// A 95 % confidence interval of A's mean payoff, [`mean`](Self::mean) ± 1.96 standard errors;
    /// `None` for fewer than two games.
    pub fn mean_interval(&self) -> Option<[f64; 2]> {
        let half = Z * self.standard_error();
        half.is_finite().then(|| [self.mean() - half, self.mean() + half])
    }

    fn sum(&self, term: impl Fn(f64) -> f64) -> f64 {
        Outcome::EACH
            .into_iter()
            .map(|outcome| self.count(outcome) as f64 * term(payoff(&self.rules, outcome)))
            .sum()
    }
}

/// The 97.5 % point of the normal distribution, for 95 % confidence.
pub(super) const Z: f64 = 1.959_963_984_540_054;

/// The Wilson interval, with 95 % confidence, of a probability with `successes` in `trials`;
/// without trials, [0, 1].
///
/// *Source.* E. B. Wilson, Probable inference, the law of succession, and statistical inference,
/// JASA 22 (1927).
fn wilson_interval(successes: u64, trials: u64) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    let trials_f = trials as f64;
    let share = successes as f64 / trials_f;
    let whole = 1.0 + Z * Z / trials_f;
    let middle = (share + Z * Z / (2.0 * trials_f)) / whole;
    let half =
        Z / whole * (share * (1.0 - share) / trials_f + Z * Z / (4.0 * trials_f * trials_f)).sqrt();
    // With no success, or with successes only, the end is exactly 0 or 1.
    [
        if successes == 0 { 0.0 } else { (middle - half).max(0.0) },
        if successes == trials { 1.0 } else { (middle + half).min(1.0) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics
    /// in Medicine 17 (1998), table I, method 3.
    #[test]
    fn intervals_are_those_of_the_literature() {
        for (successes, trials, lower, upper) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson_interval(successes, trials);
            assert!(
                (interval[0] - lower).abs() <= 5e-5 && (interval[1] - upper).abs() <= 5e-5,
                "{interval:?}"
            );
        }
        assert_eq!(wilson_interval(20, 20)[1], 1.0);
        assert_eq!(wilson_interval(0, 0), [0.0, 1.0]);
    }
}
