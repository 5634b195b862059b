//! Further questions about a matrix game of fractions, for Python.

use num_rational::BigRational;
use pencil_tennis::matrix_game::{
    Action, Dominance, ExactSolution, PayoffSensitivity, Undominated,
};
use pyo3::prelude::*;

use crate::errors::{Error, OrRaise};
use crate::progress::{abandonable, detached};

/// All extreme points of both players' optimal sets, at most this many of either.
#[pyfunction]
pub(crate) fn optimal_strategies(
    py: Python<'_>,
    rows: Vec<Vec<BigRational>>,
    most: usize,
) -> PyResult<(Vec<Vec<BigRational>>, Vec<Vec<BigRational>>)> {
    let solution = detached(py, None, |listener| {
        ExactSolution::new(&rows, &mut |share| listener.tell(share))
    })?;
    let computed = abandonable(py, move || solution.optimal_strategies(most))?;
    Ok(computed.map_err(pencil_tennis::Error::from).or_raise()?.into())
}

/// The most even optimal strategies of both players, mixed from at most this many extreme points of
/// either.
#[pyfunction]
pub(crate) fn maximum_entropy(
    py: Python<'_>,
    rows: Vec<Vec<BigRational>>,
    most: usize,
) -> PyResult<(Vec<BigRational>, Vec<BigRational>)> {
    let solution = detached(py, None, |listener| {
        ExactSolution::new(&rows, &mut |share| listener.tell(share))
    })?;
    let computed = abandonable(py, move || solution.maximum_entropy(most))?;
    Ok(computed.map_err(pencil_tennis::Error::from).or_raise()?.into())
}

/// How the value depends on a payoff: the derivative, and by how much the payoff may fall and rise.
type Sensitivity = (BigRational, Option<BigRational>, Option<BigRational>);

/// How the value depends on each payoff, row by row; nothing where a player has several optimal
/// strategies.
#[pyfunction]
pub(crate) fn sensitivity(
    py: Python<'_>,
    rows: Vec<Vec<BigRational>>,
) -> PyResult<Option<Vec<Vec<Sensitivity>>>> {
    let sensitivity = detached(py, None, |listener| {
        let mut watch = |share| listener.tell(share);
        Ok::<_, pencil_tennis::Error>(
            ExactSolution::new(&rows, &mut watch)?.sensitivity(&mut watch)?,
        )
    })?;
    let plain = |of_payoff: PayoffSensitivity| {
        (of_payoff.derivative, of_payoff.may_fall, of_payoff.may_rise)
    };
    Ok(sensitivity
        .map(|rows| rows.into_iter().map(|row| row.into_iter().map(plain).collect()).collect()))
}

/// An eliminated action: the round, whether it is a row, its number, and the mixture that dominates
/// it.
type Eliminated = (usize, bool, usize, Vec<(usize, BigRational)>);

/// The rows and columns that iterated elimination leaves, and the others in the order in which they
/// were eliminated.
#[pyfunction]
pub(crate) fn undominated(
    py: Python<'_>,
    rows: Vec<Vec<BigRational>>,
    dominance: &str,
) -> PyResult<(Vec<usize>, Vec<usize>, Vec<Eliminated>)> {
    let dominance = match dominance {
        "strict" => Dominance::Strict,
        "weak" => Dominance::Weak,
        other => {
            return Err(Error::new_err(format!(
                "there is no dominance {other:?}; expected 'strict' or 'weak'"
            )));
        }
    };
    let left = detached(py, None, |listener| {
        Undominated::of(&rows, dominance, &mut |share| listener.tell(share))
    })?;
    let mut eliminated = Vec::with_capacity(left.eliminations.len());
    for elimination in left.eliminations {
        let (is_row, action) = match elimination.action {
            Action::Row(row) => (true, row),
            Action::Column(column) => (false, column),
        };
        eliminated.push((elimination.round, is_row, action, elimination.by));
    }
    Ok((left.rows, left.columns, eliminated))
}
