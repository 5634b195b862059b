//! The probabilities of all bids along a line of states.

use super::FigureError;
use super::colours::Scale;
use super::heat_map::{HeatMap, Panel};
use crate::game::{Ball, Player, State};
use crate::solution::Solution;

/// A line of states with the ball on one position, by a player's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateLine {
    /// Both players have the same points.
    Equal,
    /// The opponent has these points.
    Against(u32),
}

/// The strategies of a player along a line of states: the player's points across, bids upward, probabilities as colours.
///
/// # Errors
/// [`FigureError::Refused`] for a ball or an opponent's points outside the solution; [`FigureError::Drawing`].
///
/// ```
/// use pencil_tennis::figures::{StateLine, strategy_figure};
/// use pencil_tennis::{Ball, Player};
///
/// let svg = strategy_figure(&pencil_tennis::solve(9)?, Player::A, Ball::new(-1)?, StateLine::Equal)?;
/// assert!(svg.contains("bids"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strategy_figure(solution: &Solution, player: Player, ball: Ball, line: StateLine) -> Result<String, FigureError> {
    let opponent = player.opponent();
    let across = match line {
        StateLine::Equal => "points of each player".to_owned(),
        StateLine::Against(points) => format!("{player}’s points, {opponent} has {points}"),
    };
    let title = format!("How {player} bids with the ball on {}", super::axes::short(f64::from(ball.position())));
    draw(solution, player, ball, line, &title, &across)
}

/// The opening with every number of points that both players may have: points across, bids upward, probabilities as colours.
///
/// # Errors
/// [`FigureError::Drawing`].
pub fn opening_figure(solution: &Solution) -> Result<String, FigureError> {
    draw(solution, Player::A, solution.start().ball, StateLine::Equal, "The opening bid", "points of each player")
}

fn draw(
    solution: &Solution,
    player: Player,
    ball: Ball,
    line: StateLine,
    title: &str,
    across: &str,
) -> Result<String, FigureError> {
    let [most_a, most_b] = solution.points();
    let (most_own, most_other) = if player == Player::A { (most_a, most_b) } else { (most_b, most_a) };
    let last = if line == StateLine::Equal { most_own.min(most_other) } else { most_own };
    let mut strategies = Vec::new();
    for own in 1..=last {
        let other = if let StateLine::Against(points) = line { points } else { own };
        let state = if player == Player::A { State::new(own, other, ball) } else { State::new(other, own, ball) };
        let equilibrium = solution.equilibrium(state)?;
        let strategy = if player == Player::A { equilibrium.a } else { equilibrium.b };
        strategies.push(strategy.probabilities().collect::<Vec<_>>());
    }
    let bids = || strategies.iter().flatten();
    let highest = bids().map(|&(bid, _)| bid).max().unwrap_or(1);
    let mut cells = vec![vec![Some(0.0); strategies.len()]; highest as usize];
    for (column, strategy) in strategies.iter().enumerate() {
        for &(bid, probability) in strategy {
            if let Some(row) = (bid as usize).checked_sub(1) {
                cells[row][column] = Some(probability);
            }
        }
    }
    let map = HeatMap {
        title,
        labels: [across, "bid"],
        key: "probability",
        // Where one bid has nearly all the others would be lost.
        scale: Scale::Sequential { most: 0.3 },
        saturates: true,
        panels: vec![Panel { title: String::new(), first: [1, 1], cells, surrounded: Vec::new() }],
        wide: Some(560),
    };
    Ok(map.draw())
}
