//! Values over both accounts.

use super::FigureError;
use super::colours::Scale;
use super::heat_map::{HeatMap, Panel};
use crate::analysis::ForcedPlay;
use crate::error::Error;
use crate::game::{Ball, State, nearest_double};
use crate::solution::Solution;

/// The value of every state: a map over both players' points for every position of the ball, around the states that pure play
/// decides a line.
///
/// Time O(states); the picture of 50 points has some 200 kB.
///
/// # Errors
/// [`FigureError::Drawing`].
///
/// ```
/// let svg = pencil_tennis::figures::value_figure(&pencil_tennis::solve(8)?)?;
/// assert!(svg.contains("B’s points"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn value_figure(solution: &Solution) -> Result<String, FigureError> {
    let rules = *solution.rules();
    let [most_a, most_b] = solution.points();
    let forced = ForcedPlay::new(&rules, [most_a, most_b])?;
    let mut panels = Vec::new();
    for position in -rules.field()..=rules.field() {
        let ball = Ball::new(position).map_err(Error::from)?;
        let state = |a, b| State::new(a, b, ball);
        let row = |a| (0..=most_b).map(|b| Ok(Some(solution.value(state(a, b))?))).collect::<Result<_, Error>>();
        let decided = |a| (0..=most_b).map(|b| Ok(forced.value(state(a, b))?.is_some())).collect::<Result<_, Error>>();
        panels.push(Panel {
            title: format!("ball {}", super::axes::short(f64::from(position))),
            first: [0, 0],
            cells: (0..=most_a).map(row).collect::<Result<_, _>>()?,
            surrounded: (0..=most_a).map(decided).collect::<Result<_, _>>()?,
        });
    }
    let most = nearest_double(rules.scoring().magnitude());
    let map = HeatMap {
        title: &format!("Value of every state to A, {most_a}:{most_b} points (lines: decided by pure play)"),
        labels: ["B’s points", "A’s points"],
        key: "value",
        scale: Scale::Diverging { most },
        saturates: false,
        panels,
        wide: None,
    };
    Ok(map.draw())
}
