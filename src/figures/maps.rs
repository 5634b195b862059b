//! Maps of values, regrets and strategies of Tennis.

use super::FigureError;
use super::axes::{ball_name, short};
use super::heat_map::{HeatMap, Panel, Scale};
use super::svg::Heading;
use crate::analysis::{ForcedPlay, PolicyEvaluation};
use crate::game::{Ball, Player, State, nearest_double};
use crate::solution::Solution;

/// Draws the value of every state: a map over both players' points for every position of the ball,
/// with an outline around the states that pure play decides. Time O(states); 50 points give some
/// 200 kB.
pub fn value_figure(solution: &Solution) -> Result<String, FigureError> {
    let (rules, [most_a, most_b]) = (solution.rules(), solution.points());
    let forced = ForcedPlay::new(rules, [most_a, most_b])?;
    let mut panels = Vec::new();
    for ball in rules.balls() {
        let state = |a, b| State::new(a, b, ball);
        let row = |a| (0..=most_b).map(|b| solution.value(state(a, b)).map(Some)).collect();
        let decided = |a| {
            (0..=most_b).map(|b| forced.value(state(a, b)).map(|value| value.is_some())).collect()
        };
        panels.push(Panel {
            title: ball_name(ball),
            first: [0, 0],
            cells: (0..=most_a).map(row).collect::<Result<_, _>>()?,
            surrounded: (0..=most_a).map(decided).collect::<Result<_, _>>()?,
        });
    }
    let scale = Scale::diverging(nearest_double(rules.scoring().magnitude()));
    let title = format!("What every state is worth to A, up to {most_a}:{most_b} points");
    let reading = format!(
        "Blue is good for A, brown for B. {MAPS} Beyond the black lines pure play decides, without chance."
    );
    let heading = Heading { title: &title, reading: &reading };
    Ok(HeatMap { labels: POINTS, key: "value", scale, wide: false }.draw(heading, &panels))
}

/// Draws the regret of a player's bids at every state: the largest loss if both players play
/// optimally afterwards. A map for every ball position, empty if the policy does not cover the
/// player.
pub fn regret_figure(
    solution: &Solution,
    evaluation: &PolicyEvaluation,
    player: Player,
    policy: &str,
) -> Result<String, FigureError> {
    let [most_a, most_b] = solution.points().map(|points| points as usize);
    let field = solution.rules().field();
    let cells = vec![vec![None; most_b + 1]; most_a + 1];
    let panel = |ball| Panel {
        title: ball_name(ball),
        first: [0, 0],
        cells: cells.clone(),
        surrounded: Vec::new(),
    };
    let mut panels: Vec<Panel> = solution.rules().balls().map(panel).collect();
    for entry in evaluation.state_regrets().filter(|entry| entry.player == player) {
        let panel = &mut panels[(entry.state.ball.position() + field) as usize];
        panel.cells[entry.state.a as usize][entry.state.b as usize] = Some(entry.regret.max(0.0));
    }
    let regrets = panels.iter().flat_map(|panel| panel.cells.iter().flatten()).flatten();
    let most = regrets.copied().fold(0.0, f64::max);
    let scale = Scale::sequential(if most > 0.0 { most } else { 1.0 });
    let title = format!("What {player}’s bids give away: {policy}");
    let reading = format!(
        "The darker a state, the more its worst bid loses on average if both play perfectly afterwards. {MAPS}"
    );
    let heading = Heading { title: &title, reading: &reading };
    Ok(HeatMap { labels: POINTS, key: "regret", scale, wide: false }.draw(heading, &panels))
}

/// The maps of a picture with one for every position of the ball.
const MAPS: &str = "One map for each field on which the ball may lie: below 0 it lies on A’s side, above 0 on B’s.";

const POINTS: [&str; 2] = ["B’s points", "A’s points"];

/// A line of states with a fixed ball, by a player's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateLine {
    Equal,
    Against(u32),
}

/// Draws a player's strategies along a line of states: the player's points across, bids upward,
/// probabilities as colours.
///
/// # Errors
/// [`FigureError::Refused`] for a ball or an opponent's points outside the solution.
///
/// ```
/// use pencil_tennis::figures::{StateLine, strategy_figure};
/// use pencil_tennis::{Ball, Player};
///
/// let svg = strategy_figure(&pencil_tennis::solve(9)?, Player::A, Ball::new(-1)?, StateLine::Equal)?;
/// assert!(svg.contains("bids"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strategy_figure(
    solution: &Solution,
    player: Player,
    ball: Ball,
    line: StateLine,
) -> Result<String, FigureError> {
    draw(
        solution,
        player,
        ball,
        line,
        &format!("How {player} bids with the ball on {}", short(f64::from(ball.position()))),
    )
}

/// Draws the opening for all equal accounts: points across, bids upward, probabilities as colours.
pub fn opening_figure(solution: &Solution) -> Result<String, FigureError> {
    draw(solution, Player::A, solution.start().ball, StateLine::Equal, "The opening bid")
}

fn draw(
    solution: &Solution,
    player: Player,
    ball: Ball,
    line: StateLine,
    title: &str,
) -> Result<String, FigureError> {
    let [most_own, most_other] = player.own_first(solution.points());
    let (last, across) = match line {
        StateLine::Equal => (most_own.min(most_other), "points of each player".to_owned()),
        StateLine::Against(points) => {
            (most_own, format!("{player}’s points, {} has {points}", player.opponent()))
        }
    };
    let mut strategies = Vec::new();
    for points in 1..=last {
        let other =
            if let StateLine::Against(opponent_points) = line { opponent_points } else { points };
        let [a, b] = player.own_first([points, other]);
        let equilibrium = solution.equilibrium(State::new(a, b, ball))?;
        strategies.push(equilibrium.strategy(player).probabilities().collect::<Vec<_>>());
    }
    let highest = strategies.iter().flatten().map(|&(bid, _)| bid).max().unwrap_or(1);
    let mut cells = vec![vec![Some(0.0); strategies.len()]; highest as usize];
    for (column, strategy) in strategies.into_iter().enumerate() {
        for (bid, probability) in strategy {
            if let Some(row) = (bid as usize).checked_sub(1) {
                cells[row][column] = Some(probability);
            }
        }
    }
    let scale = Scale::probabilities();
    let panel = Panel { title: String::new(), first: [1, 1], cells, surrounded: Vec::new() };
    let reading = "Each column is a strategy: the darker a bid, the more often it is made.";
    Ok(HeatMap { labels: [&across, "bid"], key: "probability", scale, wide: true }
        .draw(Heading { title, reading }, &[panel]))
}
