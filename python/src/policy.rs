//! Policies, for Python.

use numpy::ndarray::Array4;
use numpy::{IntoPyArray, PyArray1, PyArray4, PyReadonlyArray1, PyReadonlyArray4};
use pencil_tennis::{Motion, Player, Policy, PolicyBuilder, PolicyNumbers, Rules, Scoring};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OrRaise, PolicyError};
use crate::states::StateArgument;

/// For every state of a game a distribution over the legal bids, for one player or for both: a policy that has been checked.
///
/// Probabilities are kept as integer multiples of 2**-62 that sum to 1 exactly, so that what a policy is worth can be proved.
/// Objects are immutable, can be compared, copied and pickled. Made by `as_policy`, `Solution.policy`, `best_response`.
#[pyclass(frozen, eq, module = "pencil_tennis", name = "Policy")]
#[derive(PartialEq, Eq)]
pub(crate) struct PyPolicy(pub(crate) Policy);

/// The player whom a caller names.
pub(crate) fn player(text: &str) -> PyResult<Player> {
    text.parse().or_raise()
}

/// Rules of a field of this size; the states and bids depend on nothing else.
fn rules_of(field: u32) -> PyResult<Rules> {
    Rules::new(field, Motion::Net, Scoring::two_one()).or_raise()
}

/// The policy that arrays `[a, b, ball + field, bid]` stand for, of A, of B, or of both.
#[pyfunction]
pub(crate) fn policy_from_arrays(
    py: Python<'_>,
    points: [u32; 2],
    field: u32,
    a: Option<PyReadonlyArray4<'_, f64>>,
    b: Option<PyReadonlyArray4<'_, f64>>,
    weights: bool,
) -> PyResult<PyPolicy> {
    let rules = rules_of(field)?;
    let mut builder = PolicyBuilder::new(&rules, points).or_raise()?;
    let [most_a, most_b] = points.map(|points| points as usize + 1);
    for (player, array) in [(Player::A, &a), (Player::B, &b)] {
        let Some(array) = array else { continue };
        let array = array.as_array();
        let own = points[player as usize] as usize + 1;
        let found = array.dim();
        if (found.0, found.1, found.2) != (most_a, most_b, rules.positions()) || found.3 < own {
            let expected = format!("({most_a}, {most_b}, {}, {own})", rules.positions());
            return Err(PolicyError::new_err(format!("{player}'s policy has the shape {found:?}; expected {expected}")));
        }
        py.detach(|| {
            for ((a, b, place, bid), &number) in array.indexed_iter() {
                let ball = pencil_tennis::Ball::new(place as i32 - rules.field())?;
                builder.set(pencil_tennis::State::new(a as u32, b as u32, ball), player, bid as u32, number)?;
            }
            Ok::<(), pencil_tennis::Error>(())
        })
        .or_raise()?;
    }
    let numbers = if weights { PolicyNumbers::Weights } else { PolicyNumbers::Probabilities };
    Ok(PyPolicy(py.detach(|| builder.finish(numbers)).or_raise()?))
}

/// The policy that `__reduce__` wrote down: for every player the number of bids of every state, the bids, and their weights.
#[pyfunction]
pub(crate) fn policy_from_weights(points: [u32; 2], field: u32, players: &Bound<'_, PyDict>) -> PyResult<PyPolicy> {
    type Parts<'py> = (PyReadonlyArray1<'py, u16>, PyReadonlyArray1<'py, u16>, PyReadonlyArray1<'py, u64>);
    let rules = rules_of(field)?;
    let mut policies = Vec::new();
    for (name, parts) in players {
        let player = player(&name.extract::<String>()?)?;
        let (counts, bids, weights): Parts<'_> = parts.extract()?;
        let mut counts = counts.as_slice()?.iter();
        let mut choices = bids.as_slice()?.iter().zip(weights.as_slice()?).map(|(&bid, &weight)| (u32::from(bid), weight));
        let next = |_, _| choices.by_ref().take(counts.next().map_or(0, |&count| count.into())).collect();
        policies.push(Policy::from_integer_weights(&rules, points, &[player], next).or_raise()?);
    }
    Ok(PyPolicy(match &policies[..] {
        [a, b] => Policy::joined(a, b).or_raise()?,
        [one] => one.clone(),
        _ => return Err(PolicyError::new_err("a policy is that of one player or of both")),
    }))
}

/// Both players bid every legal bid with the same probability.
#[pyfunction]
pub(crate) fn uniform_policy(points: [u32; 2], field: u32) -> PyResult<PyPolicy> {
    Ok(PyPolicy(Policy::uniform(&rules_of(field)?, points).or_raise()?))
}

#[pymethods]
impl PyPolicy {
    /// The points A and B have at most.
    #[getter]
    fn points(&self) -> (u32, u32) {
        self.0.points().into()
    }

    /// The half-width of the field.
    #[getter]
    fn field(&self) -> i32 {
        self.0.field()
    }

    /// Whether the policy says how ``player``, ``"A"`` or ``"B"``, bids.
    #[pyo3(signature = (player))]
    fn covers(&self, player: &str) -> PyResult<bool> {
        Ok(self.0.covers(self::player(player)?))
    }

    /// The bids that ``player`` makes at ``state``, rising, with their probabilities.
    #[pyo3(signature = (state, player="A"))]
    fn strategy<'py>(&self, py: Python<'py>, state: StateArgument, player: &str) -> PyResult<Bound<'py, PyDict>> {
        let strategy = PyDict::new(py);
        for (bid, probability) in self.0.probabilities(state.0, self::player(player)?).or_raise()? {
            strategy.set_item(bid, probability)?;
        }
        Ok(strategy)
    }

    /// The bids of ``player`` as a new array ``[a, b, ball + field, bid]`` of probabilities.
    ///
    /// It is 0 for bids that are never made or not legal. The last axis begins with bid 0.
    #[pyo3(signature = (player="A"))]
    fn array<'py>(&self, py: Python<'py>, player: &str) -> PyResult<Bound<'py, PyArray4<f64>>> {
        let player = self::player(player)?;
        let points = self.0.points();
        let [a, b] = points.map(|points| points as usize + 1);
        let field = self.0.field();
        let array = py.detach(|| {
            let mut array = Array4::zeros([a, b, 2 * field as usize + 1, points[player as usize] as usize + 1]);
            for state in self.0.states() {
                let place = (state.ball.position() + field) as usize;
                for (bid, probability) in self.0.probabilities(state, player)? {
                    array[[state.a as usize, state.b as usize, place, bid as usize]] = probability;
                }
            }
            Ok::<_, pencil_tennis::Error>(array)
        });
        Ok(array.or_raise()?.into_pyarray(py))
    }

    /// The policy with the players' roles exchanged: A's bids at a state become B's at its mirror image, and vice versa.
    fn mirrored(&self) -> Self {
        Self(self.0.mirrored())
    }

    /// The policy of one player alone.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When it does not say how ``player`` bids.
    #[pyo3(signature = (player))]
    fn only(&self, player: &str) -> PyResult<Self> {
        Ok(Self(self.0.only(self::player(player)?).or_raise()?))
    }

    /// The policy in which this one's A meets the other's B.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When one of them does not say how its player bids, or they are for different games.
    fn joined(&self, b: &Self) -> PyResult<Self> {
        Ok(Self(Policy::joined(&self.0, &b.0).or_raise()?))
    }

    /// The policy of both players that the policy of one stands for, if the other bids alike, seen from the other side.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When A and B have different points.
    fn completed_by_mirror(&self) -> PyResult<Self> {
        Ok(Self(self.0.clone().completed_by_mirror().or_raise()?))
    }

    fn __repr__(&self) -> String {
        let [a, b] = self.0.points();
        let players: Vec<String> =
            Player::BOTH.into_iter().filter(|&player| self.0.covers(player)).map(|player| player.to_string()).collect();
        format!("<Policy of {} for {a}:{b} points, field {}>", players.join(" and "), self.0.field())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ((u32, u32), i32, Bound<'py, PyDict>))> {
        let players = PyDict::new(py);
        for player in Player::BOTH.into_iter().filter(|&player| self.0.covers(player)) {
            let (mut counts, mut bids, mut weights) = (Vec::new(), Vec::new(), Vec::new());
            for state in self.0.states() {
                let choices = self.0.weights(state, player).or_raise()?;
                counts.push(choices.len() as u16);
                for (bid, weight) in choices {
                    bids.push(bid as u16);
                    weights.push(weight);
                }
            }
            let parts = (PyArray1::from_vec(py, counts), PyArray1::from_vec(py, bids), PyArray1::from_vec(py, weights));
            players.set_item(player.to_string(), parts)?;
        }
        let read = py.import("pencil_tennis._native")?.getattr("policy_from_weights")?;
        Ok((read, (self.points(), self.field(), players)))
    }
}
