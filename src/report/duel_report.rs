//! The report of `duel` for scripts.

use crate::agents::Tally;
use crate::analysis::Matchup;
use crate::game::{Outcome, State};
use crate::serde_object::{as_objects, end_name};

/// A duel next to its exact expectation, where that is known. Payoffs are A's.
#[derive(Clone, Debug)]
pub struct DuelReport {
    /// The names of the players in A's and in B's role.
    pub names: [String; 2],
    /// The start of every game.
    pub start: State,
    /// The seed.
    pub seed: u64,
    /// The games played.
    pub tally: Tally,
    /// The same computed exactly; `None` where a player's policy is not known.
    pub matchup: Option<Matchup>,
}

impl DuelReport {
    /// A's expected payoff, computed exactly; `None` where a player's policy is not known.
    pub fn exact(&self) -> Option<f64> {
        self.matchup.as_ref().map(|matchup| matchup.value().middle())
    }
}

as_objects! {
    DuelReport, |duel| {
        "a": duel.names[0],
        "b": duel.names[1],
        "start": duel.start,
        "seed": duel.seed,
        "games": duel.tally.games(),
        "outcomes": Outcome::EACH.map(|outcome| OutcomeReport { duel, outcome }),
        "mean": duel.tally.mean(),
        "standard_error": Some(duel.tally.standard_error()).filter(|error| error.is_finite()),
        "mean_interval": duel.tally.mean_interval().map(Interval),
        "exact": duel.exact(),
        "exact_bounds": duel.matchup.as_ref().map(Matchup::value),
        "mean_turns": duel.tally.mean_turns(),
        "exact_turns": duel.matchup.as_ref().map(Matchup::mean_turns),
        "endless" if known: (duel.tally.rules().min_bid() == 0).then_some(Endless(duel)),
    }
    OutcomeReport<'_>, |end| {
        "end": end_name(end.outcome),
        "outcome": end.outcome,
        "count": end.duel.tally.count(end.outcome),
        "share": end.duel.tally.share(end.duel.tally.count(end.outcome)),
        "interval": Interval(end.duel.tally.interval(end.outcome)),
        "exact": end.duel.matchup.as_ref().map(|matchup| matchup.probability(end.outcome)),
    }
    Endless<'_>, |of| {
        "count": of.0.tally.endless(),
        "share": of.0.tally.share(of.0.tally.endless()),
        "exact": of.0.matchup.as_ref().map(Matchup::endless),
        "exact_standstills": of.0.matchup.as_ref().map(Matchup::mean_standstills),
    }
    Interval, |ends| {
        "lower": ends.0[0],
        "upper": ends.0[1],
    }
}

struct OutcomeReport<'d> {
    duel: &'d DuelReport,
    outcome: Outcome,
}

struct Endless<'d>(&'d DuelReport);

struct Interval([f64; 2]);
