//! One state as the page shows it.

use pencil_tennis::analysis::{BidPayoff, StateAnalysis};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::{ByPlayer, Error, Player, Solution, State};
use serde::Serialize;

/// A state: the report of the command line, and the data for a picture of the stage game.
#[derive(Debug, Serialize)]
pub(crate) struct Stage {
    #[serde(flatten)]
    report: StateAnalysis,
    /// Whether the value is 0 by symmetry.
    by_symmetry: bool,
    /// The width of the bounds, rounded up.
    width: String,
    /// The payoff and the loss of every legal bid.
    #[serde(rename = "worth")]
    payoffs: ByPlayer<Vec<BidPayoff>>,
    /// For each of B's bids the rows that are best replies of A; for each of A's bids the columns
    /// that are B's.
    best_replies: [Vec<Vec<usize>>; 2],
    /// The next position of the ball when A bids higher, as much, or less; one beyond the field is
    /// out.
    ball_after: [i32; 3],
}

impl Stage {
    pub(crate) fn new(solution: &Solution, state: State) -> Result<Self, Error> {
        let report = StateAnalysis::new(solution, state)?;
        let field = solution.rules().field();
        let hit = |player| {
            solution
                .rules()
                .motion()
                .hit(state.ball.position(), player)
                .clamp(-field - 1, field + 1)
        };
        Ok(Self {
            by_symmetry: solution.rules().is_even(state),
            payoffs: report.bids.clone(),
            width: rounded_up(solution.enclosure(state)?.width()),
            best_replies: best_replies(&report.matrix, solution.widest_enclosure()),
            ball_after: [hit(Player::A), state.ball.position(), hit(Player::B)],
            report,
        })
    }
}

/// The best replies of A to every column and of B to every row.
///
/// Entries are the middles of intervals no wider than `widest`: numbers closer than that may be
/// equal.
fn best_replies(matrix: &[Vec<f64>], widest: f64) -> [Vec<Vec<usize>>; 2] {
    let columns = (0..matrix[0].len())
        .map(|column| matrix.iter().map(|row| -row[column]).collect::<Vec<f64>>());
    let least = |entries: &[f64]| -> Vec<usize> {
        let least = entries.iter().copied().fold(f64::INFINITY, f64::min);
        // A double near the largest payoff is coarser than the intervals.
        let same = widest.max(least.abs() * f64::EPSILON);
        (0..entries.len()).filter(|&index| entries[index] - least <= same).collect()
    };
    [columns.map(|column| least(&column)).collect(), matrix.iter().map(|row| least(row)).collect()]
}
