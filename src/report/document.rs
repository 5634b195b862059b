//! The frame of every JSON report: the version of its format, and the game that it is about.

use serde::Serialize;

use crate::game::{Outcome, Rules};

/// The version of the JSON reports, raised when a name gets another meaning or goes; new names do not raise it.
pub const FORMAT_VERSION: u32 = 1;

/// A report together with the version of its format and the game that it is about: what every command prints as JSON.
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
#[non_exhaustive]
pub struct Document<R> {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The game; `null` where it is not known, as of a file that cannot be read.
    pub rules: Option<RulesReport>,
    /// The report.
    #[serde(flatten)]
    pub report: R,
}

/// A game.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RulesReport {
    /// The positions on either side of the net.
    pub field: i32,
    /// `net` or `step`.
    pub motion: String,
    /// The scoring as the option `--scoring` takes it.
    pub scoring: String,
    /// The smallest bid, where it is not 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_bid: Option<u32>,
    /// The payoff to A at each end.
    pub payoffs: EndsReport<String>,
    /// The points A and B start with.
    pub points: [u32; 2],
}

/// One thing for each of the five ends.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct EndsReport<T> {
    /// A hits the ball out.
    pub out_by_a: T,
    /// The ball lies on B's side.
    pub lies_with_b: T,
    /// The ball lies on the net.
    pub draw: T,
    /// The ball lies on A's side.
    pub lies_with_a: T,
    /// B hits the ball out.
    pub out_by_b: T,
}

impl<T> EndsReport<T> {
    pub(super) fn new(of: impl FnMut(Outcome) -> T) -> Self {
        let [out_by_a, lies_with_b, draw, lies_with_a, out_by_b] = Outcome::EACH.map(of);
        Self { out_by_a, lies_with_b, draw, lies_with_a, out_by_b }
    }

    /// The thing of an end.
    pub const fn of(&self, outcome: Outcome) -> &T {
        match outcome {
            Outcome::OutByA => &self.out_by_a,
            Outcome::LiesWithB => &self.lies_with_b,
            Outcome::Draw => &self.draw,
            Outcome::LiesWithA => &self.lies_with_a,
            Outcome::OutByB => &self.out_by_b,
        }
    }
}

impl<R> Document<R> {
    /// A report about a game with these points.
    pub fn new(rules: &Rules, points: [u32; 2], report: R) -> Self {
        let rules = RulesReport {
            field: rules.field(),
            motion: rules.motion().to_string(),
            scoring: rules.scoring().to_string(),
            min_bid: Some(rules.min_bid()).filter(|&min_bid| min_bid != 1),
            payoffs: EndsReport::new(|outcome| rules.scoring().payoff(outcome).to_string()),
            points,
        };
        Self { format_version: FORMAT_VERSION, rules: Some(rules), report }
    }

    /// A report about something that does not say which game it is.
    pub const fn of_no_game(report: R) -> Self {
        Self { format_version: FORMAT_VERSION, rules: None, report }
    }
}

/// The name of an end in reports.
pub(super) const fn end_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::OutByA => "out_by_a",
        Outcome::LiesWithB => "lies_with_b",
        Outcome::Draw => "draw",
        Outcome::LiesWithA => "lies_with_a",
        Outcome::OutByB => "out_by_b",
    }
}
