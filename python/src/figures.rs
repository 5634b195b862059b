//! The library's figures as SVG, for Python.

use pencil_tennis::Ball;
use pencil_tennis::figures::{
    FigureError, StateLine, forced_figure, named_strategy_figure, opening_figure, outcome_figure,
    regret_figure, strategy_figure, support_figure, value_figure,
};
use pyo3::prelude::*;

use crate::errors::{Error, OrRaise};
use crate::forced::PyForcedPlay;
use crate::judging::PyJudgement;
use crate::policy::player;
use crate::solution::PySolution;

fn drawn(figure: Result<String, FigureError>) -> PyResult<String> {
    figure.map_err(|error| Error::new_err(error.to_string()))
}

/// A figure of a solution: `values`, `opening`, `supports` or `outcomes`.
#[pyfunction]
pub(crate) fn draw_solution(
    py: Python<'_>,
    solution: &Bound<'_, PySolution>,
    which: &str,
) -> PyResult<String> {
    let solution = &solution.get().inner;
    drawn(py.detach(|| match which {
        "opening" => opening_figure(solution),
        "supports" => support_figure(solution),
        "outcomes" => outcome_figure(solution),
        _ => value_figure(solution),
    }))
}

/// How a player bids along a line of states.
#[pyfunction]
pub(crate) fn draw_strategy(
    py: Python<'_>,
    solution: &Bound<'_, PySolution>,
    player: &str,
    ball: i32,
    against: Option<u32>,
) -> PyResult<String> {
    let (solution, player, ball) =
        (&solution.get().inner, self::player(player)?, Ball::new(ball).or_raise()?);
    let line = against.map_or(StateLine::Equal, StateLine::Against);
    drawn(py.detach(|| strategy_figure(solution, player, ball, line)))
}

/// The states that pure play decides.
#[pyfunction]
pub(crate) fn draw_forced(py: Python<'_>, forced: &Bound<'_, PyForcedPlay>) -> PyResult<String> {
    let forced = &forced.get().0;
    drawn(py.detach(|| forced_figure(forced)))
}

/// The losses of a player's bids at every state.
#[pyfunction]
pub(crate) fn draw_regret(
    py: Python<'_>,
    solution: &Bound<'_, PySolution>,
    judgement: &Bound<'_, PyJudgement>,
    player: &str,
    name: &str,
) -> PyResult<String> {
    let (solution, judgement, player) =
        (&solution.get().inner, judgement.get(), self::player(player)?);
    drawn(py.detach(|| regret_figure(solution, judgement.evaluation(), player, name)))
}

/// Strategies of A and of B at a state: names of actions with their probabilities.
#[pyfunction]
pub(crate) fn draw_strategies(title: &str, a: Vec<(String, f64)>, b: Vec<(String, f64)>) -> String {
    named_strategy_figure(title, [a, b])
}
