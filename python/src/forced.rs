//! Payoffs that pure play can force, for Python.

use num_rational::BigRational;
use numpy::PyArray3;
use pencil_tennis::analysis::{Endgame, ForcedPlay};
use pencil_tennis::{Ball, Payoff, State};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::by_state;
use crate::errors::OrRaise;
use crate::memory;
use crate::policy::player;
use crate::progress::detached;
use crate::rules::PyRules;
use crate::solution::PySolution;
use crate::states::{StateArgument, to_python};

/// The payoffs that pure play can force at every state: see the class `pencil_tennis.ForcedPlay`
/// above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "ForcedPlay")]
pub(crate) struct PyForcedPlay(pub(crate) ForcedPlay);

fn fraction(payoff: Payoff) -> BigRational {
    BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into())
}

fn double(payoff: Payoff) -> f64 {
    *payoff.numer() as f64 / *payoff.denom() as f64
}

#[pymethods]
impl PyForcedPlay {
    #[new]
    fn new(py: Python<'_>, rules: PyRules, points: [u32; 2]) -> PyResult<Self> {
        // Two numbers of 32 bits, and results computed from them.
        memory::check_states(points, rules.0.field(), 16)?;
        Ok(Self(detached(py, None, |_| ForcedPlay::new(&rules.0, points))?))
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// The most points of A and of B.
    #[getter]
    fn points(&self) -> (u32, u32) {
        self.0.points().into()
    }

    /// The payoffs that A can force and that B can hold A to.
    fn bounds(&self, state: StateArgument) -> PyResult<(BigRational, BigRational)> {
        let [lower, upper] = self.0.bounds(state.0).or_raise()?;
        Ok((fraction(lower), fraction(upper)))
    }

    /// The bids with which a player forces it.
    fn forcing_bids(&self, player: &str, state: StateArgument) -> PyResult<Vec<u32>> {
        self.0.forcing_bids(self::player(player)?, state.0).or_raise()
    }

    /// Whether a player gets the value by pure play; None where the bounds do not decide.
    fn attains(
        &self,
        player: &str,
        solution: &Bound<'_, PySolution>,
        state: StateArgument,
    ) -> PyResult<Option<bool>> {
        self.0.attains(self::player(player)?, &solution.get().inner, state.0).or_raise()
    }

    /// The payoffs that A can force (0) or that B can hold A to (1), at every state.
    fn table<'py>(&self, py: Python<'py>, which: usize) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let bound = |state: State| self.0.bounds(state).map(|bounds| double(bounds[which.min(1)]));
        let numbers = self.0.states().map(bound).collect::<Result<Vec<_>, _>>();
        by_state(py, self.0.points(), self.0.rules().positions(), numbers.or_raise()?)
    }

    /// Where the endgame begins with the ball there.
    fn endgame<'py>(&self, py: Python<'py>, ball: i32) -> PyResult<Bound<'py, PyDict>> {
        let endgame = Endgame::of(&self.0, Ball::new(ball).or_raise()?).or_raise()?;
        let states = |states: &[State]| {
            states.iter().map(|&state| to_python(py, state)).collect::<PyResult<Vec<_>>>()
        };
        let items = PyDict::new(py);
        items.set_item("ball", ball)?;
        items.set_item("decided_states", endgame.decided_states)?;
        items.set_item("decided_to", endgame.decided_to)?;
        items.set_item("first_undecided", states(&endgame.first_undecided)?)?;
        items.set_item("last_between", states(&endgame.last_between)?)?;
        items.set_item("needed_a", endgame.needed.a)?;
        items.set_item("needed_b", endgame.needed.b)?;
        Ok(items)
    }
}
