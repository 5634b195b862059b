use super::FigureError;
use super::charts::{LineChart, Scale};
use crate::error::Error;
use crate::game::{Ball, Player, State};
use crate::solution::{Limit, Solution};

/// Draws the value with the ball on B's first field and equal points, and the bounds that hold for all multiples of these points.
///
/// The horizontal axis starts at a tenth of the most points, where the bounds become informative. The solution must have at least
/// as many points.
pub fn limit_figure(limit: &Limit, solution: &Solution) -> Result<String, FigureError> {
    let ball = Ball::new(1).map_err(Error::from)?;
    let most = limit.points().into_iter().min().unwrap_or(1);
    let mut lines = ["upper bound", "value", "lower bound"].map(|name| (name.to_owned(), Vec::new()));
    for points in most.div_ceil(10)..=most {
        let state = State::new(points, points, ball);
        let bounds = limit.bounds(state).map_err(Error::from)?;
        let value = solution.value(state).map_err(Error::from)?;
        for ((_, line), number) in lines.iter_mut().zip([bounds.upper(), value, bounds.lower()]) {
            line.push((f64::from(points), number));
        }
    }
    let labels = ["points of each player, n", "value at kn:kn@1"];
    let chart = LineChart::new("Bounds for all multiples of n points", labels, lines.into());
    Ok(LineChart { scales: [Scale::FromZero, Scale::Fitted], ..chart }.draw())
}

/// Draws A's bids in the limit, as a density over the share of the account, for the three middle fields: the strategies that
/// secure the lower bound at all multiples of the most points.
pub fn limit_density_figure(limit: &Limit) -> Result<String, FigureError> {
    let [a, b] = limit.points();
    let mut lines = Vec::new();
    for position in [-1, 0, 1] {
        let strategy = limit.strategy(Player::A, State::new(a, b, Ball::new(position).map_err(Error::from)?))?;
        let most = strategy.probabilities().map(|(bid, _)| bid).max().unwrap_or(0);
        let account = f64::from(a);
        let density = |bid: u32| (f64::from(bid) / account, strategy.probability(bid) * account);
        lines.push((format!("ball {position}"), (0..=(most + 1).min(a)).map(density).collect()));
    }
    let chart = LineChart::new("How A bids with large accounts", ["share of the account", "density"], lines);
    Ok(LineChart { scales: [Scale::Fitted, Scale::FromZero], ..chart }.draw())
}
