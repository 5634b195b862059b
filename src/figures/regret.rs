//! The regret of a policy at every state.

use super::FigureError;
use super::colours::Scale;
use super::heat_map::{HeatMap, Panel};
use crate::analysis::PolicyEvaluation;
use crate::game::Player;
use crate::solution::Solution;

/// The regret of a player's bids at every state: the most that they lose if both players play optimally afterwards. A map for
/// every ball position.
///
/// Empty where the policy does not say how that player bids.
///
/// # Errors
/// [`FigureError::Drawing`].
pub fn regret_figure(
    solution: &Solution,
    evaluation: &PolicyEvaluation,
    player: Player,
    policy: &str,
) -> Result<String, FigureError> {
    let [most_a, most_b] = solution.points().map(|points| points as usize);
    let field = solution.rules().field();
    let mut panels: Vec<Panel> = (-field..=field)
        .map(|position| Panel {
            title: format!("ball {}", super::axes::short(f64::from(position))),
            first: [0, 0],
            cells: vec![vec![None; most_b + 1]; most_a + 1],
            surrounded: Vec::new(),
        })
        .collect();
    for entry in evaluation.state_regrets().filter(|entry| entry.player == player) {
        let panel = &mut panels[(entry.state.ball.position() + field) as usize];
        panel.cells[entry.state.a as usize][entry.state.b as usize] = Some(entry.regret.max(0.0));
    }
    let regrets = panels.iter().flat_map(|panel| panel.cells.iter().flatten()).flatten();
    let most = regrets.copied().fold(0.0, f64::max);
    let map = HeatMap {
        title: &format!("What {player}’s bids give away: {policy}"),
        labels: ["B’s points", "A’s points"],
        key: "regret",
        scale: Scale::Sequential { most: if most > 0.0 { most } else { 1.0 } },
        saturates: false,
        panels,
        wide: None,
    };
    Ok(map.draw())
}
