//! The outcomes of games between optimal players.

use super::FigureError;
use super::axes::Axes;
use super::bar_chart::{draw_named, draw_shares};
use super::svg::{Anchor, NORMAL, Svg};
use crate::analysis::Matchup;
use crate::game::Outcome;
use crate::policy::Policy;
use crate::solution::Solution;

/// Turns that happen less often than this are left out at the end.
const RARE: f64 = 1e-3;

/// The outcomes of a game between two optimal players, and the number of its turns.
///
/// # Errors
/// [`FigureError::Refused`] for a game whose policies are too large to keep; [`FigureError::Drawing`].
pub fn outcome_figure(solution: &Solution) -> Result<String, FigureError> {
    let optimal = Policy::optimal(solution);
    let matchup = Matchup::new(solution.rules(), solution.start(), &optimal, &optimal)?;
    let [a, b] = solution.points();
    let title = format!("Games of {a}:{b} points between perfect players");
    let names = Outcome::EACH.map(|outcome| outcome.to_string());
    let ends: Vec<(&str, f64)> =
        names.iter().zip(Outcome::EACH).map(|(name, outcome)| (name.as_str(), matchup.probability(outcome))).collect();
    let turns = matchup.turns();
    let last = turns.iter().rposition(|&share| share >= RARE).unwrap_or(0);
    let shown = &turns[..=last];
    let most = shown.iter().copied().fold(0.01, f64::max);
    let axes = Axes {
        left: 66,
        top: 260,
        width: 560,
        height: 180,
        across: [0.0, last as f64 + 1.0],
        up: [0.0, 105.0 * most],
        logarithmic: [false; 2],
        labels: ["turns", "games, %"],
    };
    Ok(Svg::picture((660, 500), &title, |svg| {
        svg.text("how they end", (330, 46), NORMAL, Anchor::Middle);
        draw_named(svg, (240, 78), &ends);
        draw_shares(svg, "how many turns they take", &axes, 0.0, shown);
    }))
}
