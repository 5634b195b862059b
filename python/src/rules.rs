//! The rules of the game, for Python.

use num_rational::BigRational;
use pencil_tennis::{Motion, Rules, Scoring};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyRange, PyTuple};

use crate::errors::OrRaise;
use crate::states::{StateArgument, to_python};

/// The rules of a game of the family that Tennis, Footsteps and Oshi-Zumo belong to.
///
/// Objects are immutable, can be compared, hashed, copied and pickled.
///
/// Parameters
/// ----------
/// field : int
///     Positions on either side of the net, 1 to 99; the ball is inside at ``-field..field``.
/// motion : {"net", "step"}
///     Whether the higher bid hits the ball over the net onto the opponent's first field (or one field further where it is on
///     that side already), or moves it by one field.
/// scoring : str or sequence of 5 numbers
///     The payoffs to A when A hits out, the ball lies on B's side, on the net, on A's side, and when B hits out: ``"two-one"``
///     for 2, 1, 0, -1, -2, ``"win-loss"`` for 1, 1, 0, -1, -1, any text such as ``"1,1/2,0,-1/2,-1"``, or five numbers (int,
///     Fraction, Decimal, float), which are taken exactly.
/// min_bid : {1, 0}
///     The smallest bid of a player with points left. Two bids of 0 change nothing; play that never ends is decided where the
///     ball lies, as if everything were spent.
///
/// Raises
/// ------
/// GameError
///     For a field, a motion, payoffs or a smallest bid that are not possible.
///
/// Examples
/// --------
/// >>> from pencil_tennis import Rules
/// >>> Rules(field=3, motion="step", scoring="win-loss")
/// Rules(field=3, motion='step', scoring='win-loss')
/// >>> Rules.tennis().play("4:3@-2", 2, 1)
/// State(a=2, b=2, ball=1)
#[pyclass(frozen, eq, hash, module = "pencil_tennis", name = "Rules", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyRules(pub(crate) Rules);

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (field=2, motion="net", scoring=ScoringArgument(Scoring::two_one()), min_bid=1))]
    #[pyo3(text_signature = "(field=2, motion='net', scoring='two-one', min_bid=1)")]
    fn new(field: i32, motion: &str, scoring: ScoringArgument, min_bid: u32) -> PyResult<Self> {
        let motion: Motion = motion.parse().or_raise()?;
        let rules = Rules::new(field, motion, scoring.0).or_raise()?;
        Ok(Self(rules.with_min_bid(min_bid).or_raise()?))
    }

    /// Tennis: field 2, over the net, two points for hitting out and one for lying on the other
    /// side.
    #[staticmethod]
    fn tennis() -> Self {
        Self(Rules::tennis())
    }

    /// Footsteps as commonly played: field 2, one step at a time, only reaching an end wins.
    #[staticmethod]
    fn footsteps() -> Self {
        Self(Rules::footsteps())
    }

    /// Oshi-Zumo: one step at a time; with empty accounts the side on which the wrestler stands
    /// loses.
    #[staticmethod]
    #[pyo3(signature = (field=3, min_bid=1))]
    fn oshi_zumo(field: i32, min_bid: u32) -> PyResult<Self> {
        Ok(Self(Rules::oshi_zumo(field).or_raise()?.with_min_bid(min_bid).or_raise()?))
    }

    /// The half-width of the field.
    #[getter]
    fn field(&self) -> i32 {
        self.0.field()
    }

    /// The motion of a ball that is hit: ``"net"`` or ``"step"``.
    #[getter]
    fn motion(&self) -> String {
        self.0.motion().to_string()
    }

    /// The smallest bid of a player with points left: 1 or 0.
    #[getter]
    fn min_bid(&self) -> u32 {
        self.0.min_bid()
    }

    /// The payoff to A of each of the five ends, as exact fractions.
    ///
    /// A hits out, the ball lies on B's side, draw, the ball lies on A's side, B hits out.
    #[getter]
    fn scoring<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let payoffs = self
            .0
            .scoring()
            .payoffs()
            .iter()
            .map(|payoff| BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into()));
        PyTuple::new(py, payoffs)
    }

    /// Whether the scoring is antisymmetric: B wins at an end as much as A at its mirror image.
    #[getter]
    fn is_symmetric(&self) -> bool {
        self.0.is_antisymmetric()
    }

    /// The bids that an account allows: from the smallest one to ``points``, or 0 alone when it is
    /// empty.
    fn legal_bids<'py>(&self, py: Python<'py>, points: u32) -> PyResult<Bound<'py, PyRange>> {
        let legal = self.0.legal_bids(points);
        PyRange::new(py, *legal.start() as isize, *legal.end() as isize + 1)
    }

    /// The state after a turn; its ball is one beyond the field when it was hit out.
    ///
    /// Raises
    /// ------
    /// GameError
    ///     When the game is over at ``state``, the ball outside the field, or a bid not legal.
    fn play<'py>(
        &self,
        py: Python<'py>,
        state: StateArgument,
        bid_a: u32,
        bid_b: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.play(state.0, bid_a, bid_b).or_raise()?)
    }

    /// The end of the game at ``state``, for example ``"A hits the ball out"``; None while it
    /// continues.
    fn outcome(&self, state: StateArgument) -> Option<String> {
        self.0.outcome(state.0).map(|outcome| outcome.to_string())
    }

    /// The payoff to A at ``state`` as a ``Fraction``; None while the game continues.
    fn payoff(&self, state: StateArgument) -> Option<BigRational> {
        self.0
            .payoff(state.0)
            .map(|payoff| BigRational::new((*payoff.numer()).into(), (*payoff.denom()).into()))
    }

    fn __repr__(&self) -> String {
        let min_bid = if self.0.min_bid() == 1 {
            String::new()
        } else {
            format!(", min_bid={}", self.0.min_bid())
        };
        format!(
            "Rules(field={}, motion='{}', scoring='{}'{min_bid})",
            self.0.field(),
            self.0.motion(),
            self.0.scoring()
        )
    }

    fn __getnewargs__(&self) -> (i32, String, String, u32) {
        (
            self.0.field(),
            self.0.motion().to_string(),
            self.0.scoring().to_string(),
            self.0.min_bid(),
        )
    }
}

/// Payoffs given as a string or as five numbers.
#[derive(Clone, Copy)]
struct ScoringArgument(Scoring);

impl<'py> FromPyObject<'_, 'py> for ScoringArgument {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = given.extract::<&str>() {
            return Ok(Self(text.parse().or_raise()?));
        }
        let fraction = given.py().import("fractions")?.getattr("Fraction")?;
        let exact =
            |number: Bound<'_, PyAny>| PyResult::Ok(fraction.call1((number,))?.str()?.to_string());
        let numbers = given.try_iter().and_then(|mut numbers| {
            numbers.try_fold(Vec::new(), |mut read, number| {
                read.push(exact(number?)?);
                Ok(read)
            })
        });
        let numbers = numbers.map_err(|error| {
            let reason = error.value(given.py());
            PyTypeError::new_err(format!(
                "a scoring is a string such as \"two-one\" or five finite numbers: {reason}"
            ))
        })?;
        Ok(Self(numbers.join(",").parse().or_raise()?))
    }
}
