//! The report of `duel` for scripts.

use serde::Serialize;

use super::BoundsReport;
use super::document::end_name;
use crate::agents::{Duel, Tally};
use crate::analysis::Matchup;
use crate::game::{Outcome, State};

/// A duel next to its exact expectation, where that is known. Payoffs are A's.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DuelReport {
    /// The player in A's role.
    pub a: String,
    /// The player in B's role.
    pub b: String,
    /// The start of every game.
    pub start: String,
    /// The seed.
    pub seed: u64,
    /// The games played.
    pub games: u64,
    /// The outcomes, from A's best end to B's.
    pub outcomes: Vec<OutcomeReport>,
    /// A's mean payoff.
    pub mean: f64,
    /// The standard error of the mean; `null` for a single game.
    pub standard_error: Option<f64>,
    /// The interval in which what A wins on average lies, with 95 % confidence; `null` for a single game.
    pub mean_interval: Option<IntervalReport>,
    /// A's expected payoff, computed exactly; `null` where a player's policy is not known.
    pub exact: Option<f64>,
    /// Proved bounds of that.
    pub exact_bounds: Option<BoundsReport>,
    /// The mean number of turns.
    pub mean_turns: f64,
    /// The same, exactly.
    pub exact_turns: Option<f64>,
    /// The games without end; absent where the smallest bid is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endless: Option<EndlessReport>,
}

/// The games in which both bid 0 for ever in the end, where the smallest bid is 0. They count as ending where the ball lies, and
/// turns in which both bid 0 do not count as turns.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct EndlessReport {
    /// The number of them.
    pub count: u64,
    /// Their share.
    pub share: f64,
    /// The exact probability; `null` where a player's policy is not known.
    pub exact: Option<f64>,
    /// The exact mean number of turns in which both bid 0 and something else later.
    pub exact_standstills: Option<f64>,
}

/// One of the five ends.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OutcomeReport {
    /// Its name in reports, such as `out_by_a`.
    pub end: String,
    /// In words.
    pub outcome: String,
    /// The number of times it was seen.
    pub count: u64,
    /// The share of games.
    pub share: f64,
    /// The Wilson interval of the share, with 95 % confidence.
    pub interval: IntervalReport,
    /// The exact probability; `null` where a player's policy is not known.
    pub exact: Option<f64>,
}

/// Two numbers that something lies between as a rule, for all that a sample says.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct IntervalReport {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl DuelReport {
    /// The report of a duel between players of these names.
    pub fn new(duel: &Duel<'_>, names: [&str; 2], seed: u64) -> Self {
        let matchup = duel.matchup();
        Self::of(duel.tally(), matchup.start(), names, seed, Some(matchup))
    }

    /// The report of games in which a player's policy is not known, so that nothing is computed exactly.
    pub fn sampled(tally: &Tally, start: State, names: [&str; 2], seed: u64) -> Self {
        Self::of(tally, start, names, seed, None)
    }

    fn of(tally: &Tally, start: State, [a, b]: [&str; 2], seed: u64, matchup: Option<&Matchup>) -> Self {
        let outcomes = Outcome::EACH.into_iter().map(|outcome| {
            let [lower, upper] = tally.interval(outcome);
            OutcomeReport {
                end: end_name(outcome).to_owned(),
                outcome: outcome.to_string(),
                count: tally.count(outcome),
                share: tally.count(outcome) as f64 / tally.games().max(1) as f64,
                interval: IntervalReport { lower, upper },
                exact: matchup.map(|matchup| matchup.probability(outcome)),
            }
        });
        let endless = (tally.rules().min_bid() == 0).then(|| EndlessReport {
            count: tally.endless(),
            share: tally.endless() as f64 / tally.games().max(1) as f64,
            exact: matchup.map(Matchup::endless),
            exact_standstills: matchup.map(Matchup::mean_standstills),
        });
        Self {
            a: a.to_owned(),
            b: b.to_owned(),
            start: start.to_string(),
            seed,
            games: tally.games(),
            outcomes: outcomes.collect(),
            mean: tally.mean(),
            standard_error: Some(tally.standard_error()).filter(|error| error.is_finite()),
            mean_interval: tally.mean_interval().map(|[lower, upper]| IntervalReport { lower, upper }),
            exact: matchup.map(|matchup| matchup.value().middle()),
            exact_bounds: matchup.map(|matchup| matchup.value().into()),
            mean_turns: tally.mean_turns(),
            exact_turns: matchup.map(Matchup::mean_turns),
            endless,
        }
    }
}
