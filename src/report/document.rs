use serde::{Serialize, Serializer};

use crate::game::{Motion, Outcome, Player, Rules, Scoring};
use crate::serde_object::end_name;

/// The version of the JSON reports, raised when a name changes its meaning or is removed; new names do not raise it.
pub const FORMAT_VERSION: u32 = 1;

/// A report with the version of its format and its game, which every command prints as JSON.
///
/// A report is one of this module, or any other object with the feature `serde`, such as
/// [`StateAnalysis`](crate::analysis::StateAnalysis) or [`Series`](crate::analysis::Series). `docs/json.md` lists all names.
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
    rules: Option<RulesReport>,
    #[serde(flatten)]
    report: R,
}

#[derive(Clone, Debug, Serialize)]
struct RulesReport {
    field: i32,
    motion: Motion,
    scoring: Scoring,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_bid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    favoured: Option<Player>,
    payoffs: ByEnd<String>,
    points: [u32; 2],
}

impl<R> Document<R> {
    pub fn new(rules: &Rules, points: [u32; 2], report: R) -> Self {
        let rules = RulesReport {
            field: rules.field(),
            motion: rules.motion(),
            scoring: *rules.scoring(),
            min_bid: Some(rules.min_bid()).filter(|&min_bid| min_bid != 1),
            favoured: rules.favoured(),
            payoffs: ByEnd::new(|outcome| rules.scoring().payoff(outcome).to_string()),
            points,
        };
        Self { format_version: FORMAT_VERSION, rules: Some(rules), report }
    }

    /// A report without a game of Tennis: its `rules` are `null`.
    pub const fn of_no_game(report: R) -> Self {
        Self { format_version: FORMAT_VERSION, rules: None, report }
    }
}

#[derive(Clone, Debug)]
pub(super) struct ByEnd<T>([T; 5]);

impl<T> ByEnd<T> {
    pub(super) fn new(of: impl FnMut(Outcome) -> T) -> Self {
        Self(Outcome::EACH.map(of))
    }
}

impl<T: Serialize> Serialize for ByEnd<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Outcome::EACH.map(end_name).into_iter().zip(&self.0))
    }
}
