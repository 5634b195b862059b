//! The frame that all JSON reports have.

use serde::{Serialize, Serializer};

use crate::game::{Outcome, Rules};
use crate::serde_object::{as_objects, end_name};

/// The version of the JSON reports, raised when a name changes its meaning or is removed; new names
/// do not raise it.
pub const FORMAT_VERSION: u32 = 1;

/// A report with the version of its format and its game, which every command prints as JSON.
///
/// A report is one of this module, or any other object with the feature `serde`, such as
/// [`StateAnalysis`](crate::analysis::StateAnalysis) or [`Series`](crate::analysis::Series).
/// `docs/json.md` lists all names.
///
/// ```
/// use pencil_tennis::report::{Document, SolveReport};
///
/// let solution = pencil_tennis::solve(4)?;
/// let document = Document::new(solution.rules(), solution.points(), SolveReport::new(&solution)?);
/// let json = serde_json::to_string(&document)?;
/// assert!(json.starts_with(r#"{"format_version":1,"rules":{"field":2,"motion":"net","scoring":"two-one","#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Document<R> {
    format_version: u32,
    rules: Option<Played>,
    #[serde(flatten)]
    report: R,
}

#[derive(Clone, Debug)]
struct Played {
    rules: Rules,
    points: [u32; 2],
}

as_objects! {
    Played, |game| {
        "field": game.rules.field(),
        "motion": game.rules.motion(),
        "scoring": game.rules.scoring(),
        "min_bid" if known: Some(game.rules.min_bid()).filter(|&min_bid| min_bid != 1),
        "favoured" if known: game.rules.favoured(),
        "payoffs": ByEnd(|outcome| game.rules.scoring().payoff(outcome).to_string()),
        "points": game.points,
    }
}

impl<R> Document<R> {
    pub fn new(rules: &Rules, points: [u32; 2], report: R) -> Self {
        Self {
            format_version: FORMAT_VERSION,
            rules: Some(Played { rules: *rules, points }),
            report,
        }
    }

    /// A report without a game of Tennis: its `rules` are `null`.
    pub const fn of_no_game(report: R) -> Self {
        Self { format_version: FORMAT_VERSION, rules: None, report }
    }
}

/// An object with a field for each end.
pub(super) struct ByEnd<F>(pub(super) F);

impl<T: Serialize, F: Fn(Outcome) -> T> Serialize for ByEnd<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Outcome::EACH.map(|end| (end_name(end), (self.0)(end))))
    }
}
