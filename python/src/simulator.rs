//! A game that can only be played: what agents of the benchmark's track "simulator" get.

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Plays turns and counts them. What it knows is out of reach: an agent in the same process can
/// write into closures and attributes of Python, and would set the count back or read the rules.
#[pyclass(module = "pencil_tennis._native", name = "PlaySession")]
pub(crate) struct PyPlaySession {
    rules: Py<PyAny>,
    /// A `random.Random`.
    drawn: Py<PyAny>,
    discount: f64,
    turns: u64,
    spent: u64,
    state: Option<Py<PyAny>>,
    /// The class of answers.
    turn: Py<PyAny>,
    /// The exception where no turn is left.
    exhausted: Py<PyAny>,
}

#[pymethods]
impl PyPlaySession {
    #[new]
    fn new(
        rules: Py<PyAny>,
        drawn: Py<PyAny>,
        discount: f64,
        turns: u64,
        turn: Py<PyAny>,
        exhausted: Py<PyAny>,
    ) -> Self {
        Self { rules, drawn, discount, turns, spent: 0, state: None, turn, exhausted }
    }

    /// The turns that were played.
    const fn spent(&self) -> u64 {
        self.spent
    }

    /// Begins a game, and returns its first state.
    fn reset<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let starts = self.rules.bind(py).call_method0(intern!(py, "starts"))?;
        let start = if starts.is_instance_of::<PyDict>() {
            self.drawn_from(&starts)?
        } else {
            let first = PyList::new(py, [starts.get_item(0)?])?;
            self.drawn.bind(py).call_method1(intern!(py, "choice"), (first,))?
        };
        self.state = Some(start.unbind());
        self.present_turn(py, 0.0)
    }

    /// Plays a turn, and returns the state that play comes to.
    fn step<'py>(&mut self, py: Python<'py>, a: i64, b: i64) -> PyResult<Bound<'py, PyAny>> {
        if self.spent >= self.turns {
            let message = format!("all {} turns are played", self.turns);
            return Err(PyErr::from_value(self.exhausted.bind(py).call1((message,))?));
        }
        let rules = self.rules.bind(py).clone();
        let over = || PyValueError::new_err("the game is over, or not begun; expected reset()");
        let state = self.state.as_ref().ok_or_else(over)?.bind(py).clone();
        let turn = rules.call_method1(intern!(py, "turn"), (&state,))?;
        let actions = turn.cast::<PyTuple>().map_err(|_| over())?;

        let actions = [actions.get_item(0)?, actions.get_item(1)?];
        let [rows, columns] = [actions[0].len()? as i64, actions[1].len()? as i64];
        if !(0..rows).contains(&a) || !(0..columns).contains(&b) {
            let expected = format!("expected 0..{} and 0..{}", rows - 1, columns - 1);
            return Err(PyValueError::new_err(format!(
                "there are no actions {a} and {b}; {expected}"
            )));
        }
        self.spent += 1;
        let chosen = (&state, actions[0].get_item(a)?, actions[1].get_item(b)?);
        let reward = match rules.getattr_opt(intern!(py, "reward"))? {
            Some(reward) => {
                reward.call1(chosen.clone())?.call_method0(intern!(py, "__float__"))?.extract()?
            }
            None => 0.0,
        };
        let after = rules.call_method1(intern!(py, "after"), chosen)?;
        self.state = Some(self.drawn_from(&after)?.unbind());
        self.present_turn(py, reward)
    }
}

impl PyPlaySession {
    /// A state that is drawn where chance picks one of several.
    fn drawn_from<'py>(&self, successors: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = successors.py();
        let Ok(shares) = successors.cast::<PyDict>() else { return Ok(successors.clone()) };
        let mut weights = Vec::with_capacity(shares.len());
        for share in shares.values() {
            weights.push(share.call_method0(intern!(py, "__float__"))?.extract::<f64>()?);
        }
        let drawn =
            self.drawn.bind(py).call_method1(intern!(py, "choices"), (shares.keys(), weights))?;
        drawn.get_item(0)
    }

    /// The state that play came to, with the numbers of actions there and the reward.
    fn present_turn<'py>(&self, py: Python<'py>, reward: f64) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state.as_ref().map(|state| state.bind(py));
        let turn = self.rules.bind(py).call_method1(intern!(py, "turn"), (state,))?;
        if let Ok(actions) = turn.cast::<PyTuple>() {
            let counts = (actions.get_item(0)?.len()?, actions.get_item(1)?.len()?);
            return self.turn.bind(py).call1((state, counts, reward));
        }
        let paid: f64 = turn.call_method0(intern!(py, "__float__"))?.extract()?;
        self.turn.bind(py).call1((state, (0, 0), reward + paid * self.discount))
    }
}
