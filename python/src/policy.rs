//! Policies, for Python.

use std::sync::Arc;

use numpy::ndarray::Array4;
use numpy::{IntoPyArray, PyArray1, PyArray4, PyReadonlyArray1, PyReadonlyArray4};
use pencil_tennis::agents::Level;
use pencil_tennis::{
    Motion, Player, Policy, PolicyBuilder, PolicyNumbers, Rules, Scoring, Solver, unwatched,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{OrRaise, PolicyError};
use crate::memory;
use crate::progress::detached;
use crate::rules::PyRules;
use crate::states::StateArgument;

/// For every state of a game a distribution over the legal bids, for one player or for both: a
/// policy that has been checked.
///
/// Probabilities are kept as integer multiples of 2**-62 that sum to 1 exactly, so that the value
/// of a policy can be proved. Objects are immutable, can be compared (two are equal that bid
/// alike), copied and pickled. Made by `as_policy`, `Solution.policy`, `best_response`.
///
/// Examples
/// --------
/// >>> import pencil_tennis
/// >>> policy = pencil_tennis.solve(4).policy()
/// >>> policy.strategy("4:3@-2", "B")
/// {1: 0.6, 3: 0.4}
/// >>> policy.rules == pencil_tennis.Rules.tennis()
/// True
#[pyclass(frozen, eq, module = "pencil_tennis", name = "Policy")]
pub(crate) struct PyPolicy {
    pub(crate) inner: Arc<Policy>,
    /// The rules of the game that it was made for, where they are known.
    pub(crate) rules: Option<Rules>,
}

impl PartialEq for PyPolicy {
    fn eq(&self, other: &Self) -> bool {
        self.inner == other.inner
    }
}

impl PyPolicy {
    pub(crate) fn new(inner: Policy, rules: Option<Rules>) -> Self {
        Self { inner: Arc::new(inner), rules }
    }

    /// Refuses a copy that there is no room for.
    fn check_copy(&self) -> PyResult<()> {
        memory::check_policy(self.inner.points(), self.inner.field(), 10)
    }

    /// The policy, unless it is known to be for another game.
    pub(crate) fn of_game(&self, rules: &Rules) -> PyResult<&Policy> {
        match &self.rules {
            Some(policy_rules) if policy_rules != rules => {
                let message = format!(
                    "the policy is for {policy_rules}, the game has {rules}; its bids for that game: with_rules"
                );
                Err(PolicyError::new_err(message))
            }
            _ => Ok(&self.inner),
        }
    }
}

/// The player that a caller names.
pub(crate) fn player(text: &str) -> PyResult<Player> {
    text.parse().or_raise()
}

/// Rules of a field of this size and this smallest bid; the states and bids depend on nothing else.
fn rules_of(field: i32, min_bid: u32) -> PyResult<Rules> {
    Rules::new(field, Motion::Net, Scoring::two_one())
        .and_then(|rules| rules.with_min_bid(min_bid))
        .or_raise()
}

/// The policy that arrays `[a, b, ball + field, bid]` stand for, of A, of B, or of both.
#[pyfunction]
pub(crate) fn policy_from_arrays(
    py: Python<'_>,
    points: [u32; 2],
    rules: PyRules,
    a: Option<PyReadonlyArray4<'_, f64>>,
    b: Option<PyReadonlyArray4<'_, f64>>,
    weights: bool,
) -> PyResult<PyPolicy> {
    let rules = rules.0;
    // The numbers as they are collected, twice as many as are legal, and the policy.
    memory::check_policy(points, rules.field(), 26)?;
    let mut builder = PolicyBuilder::new(&rules, points).or_raise()?;
    let [most_a, most_b] = points.map(|points| points as usize + 1);
    for (player, array) in [(Player::A, &a), (Player::B, &b)] {
        let Some(array) = array else { continue };
        let array = array.as_array();
        let bids = points[player as usize] as usize + 1;
        let shape = array.dim();
        if (shape.0, shape.1, shape.2) != (most_a, most_b, rules.positions()) || shape.3 < bids {
            let expected = format!("({most_a}, {most_b}, {}, {bids})", rules.positions());
            return Err(PolicyError::new_err(format!(
                "{player}'s policy has the shape {shape:?}; expected {expected}"
            )));
        }
        detached(py, None, |listener| {
            for ((a, b, position, bid), &number) in array.indexed_iter() {
                if position == 0 && bid == 0 && listener.tell(0.0).is_break() {
                    return Err(pencil_tennis::WorkError::Cancelled.into());
                }
                let ball = pencil_tennis::Ball::new(position as i32 - rules.field())?;
                builder.set(
                    pencil_tennis::State::new(a as u32, b as u32, ball),
                    player,
                    bid as u32,
                    number,
                )?;
            }
            Ok::<(), pencil_tennis::Error>(())
        })?;
    }
    let numbers = if weights { PolicyNumbers::Weights } else { PolicyNumbers::Probabilities };
    let finished =
        detached(py, None, |listener| builder.finish(numbers, &mut |share| listener.tell(share)))?;
    Ok(PyPolicy::new(finished, None))
}

/// The policy that `__reduce__` wrote down: for every player the number of bids of every state, the
/// bids, and their weights.
#[pyfunction]
#[pyo3(signature = (points, field, players, rules=None, min_bid=1))]
pub(crate) fn policy_from_weights(
    points: [u32; 2],
    field: i32,
    players: &Bound<'_, PyDict>,
    rules: Option<PyRules>,
    min_bid: u32,
) -> PyResult<PyPolicy> {
    type Parts<'py> =
        (PyReadonlyArray1<'py, u16>, PyReadonlyArray1<'py, u16>, PyReadonlyArray1<'py, u64>);
    let bidding_rules = rules_of(field, min_bid)?;
    let mut policies = Vec::new();
    for (name, parts) in players {
        let player = player(&name.extract::<String>()?)?;
        let (counts, bids, weights): Parts<'_> = parts.extract()?;
        let mut counts = counts.as_slice()?.iter();
        let mut choices = bids
            .as_slice()?
            .iter()
            .zip(weights.as_slice()?)
            .map(|(&bid, &weight)| (u32::from(bid), weight));
        let next =
            |_, _| choices.by_ref().take(counts.next().map_or(0, |&count| count.into())).collect();
        policies.push(
            Policy::from_integer_weights(&bidding_rules, points, &[player], next).or_raise()?,
        );
    }
    let policy = match &policies[..] {
        [a, b] => Policy::joined(a, b).or_raise()?,
        [one] => one.clone(),
        _ => return Err(PolicyError::new_err("a policy is that of one player or of both")),
    };
    Ok(PyPolicy::new(policy, rules.map(|rules| rules.0)))
}

/// Both players bid every legal bid with equal probability.
#[pyfunction]
pub(crate) fn uniform_policy(
    py: Python<'_>,
    points: [u32; 2],
    rules: PyRules,
) -> PyResult<PyPolicy> {
    let rules = rules.0;
    memory::check_policy(points, rules.field(), 10)?;
    let even = |_, _, weights: &mut [f64]| weights.fill(1.0);
    let uniform = detached(py, None, |listener| {
        Policy::from_weights(&rules, points, &Player::BOTH, &mut |share| listener.tell(share), even)
    })?;
    Ok(PyPolicy::new(uniform, None))
}

/// The policy of a player that the library knows by name, such as `lookahead:3`; the game is solved
/// first where that is needed.
#[pyfunction]
pub(crate) fn level_policy(
    py: Python<'_>,
    rules: PyRules,
    points: [u32; 2],
    name: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyPolicy> {
    let level: Level = name.parse().or_raise()?;
    // Values and strategies as they are found, and the policy.
    memory::check_policy(points, rules.0.field(), 32)?;
    let policy = detached(py, progress, |listener| {
        let unsolved =
            level.policy_unsolved(&rules.0, points, &mut |share| listener.tell(share))?;
        if let Some(policy) = unsolved {
            return Ok(policy);
        }
        let solution = Solver::new(&rules.0)
            .points(points)
            .on_progress(|share| listener.tell(share))
            .solve()?;
        level.policy(&solution, &mut unwatched)
    })?;
    Ok(PyPolicy::new(policy, Some(rules.0)))
}

#[pymethods]
impl PyPolicy {
    /// The points A and B have at most.
    #[getter]
    fn points(&self) -> (u32, u32) {
        self.inner.points().into()
    }

    /// The half-width of the field.
    #[getter]
    fn field(&self) -> i32 {
        self.inner.field()
    }

    /// The smallest bid of players with points left: 1 or 0.
    #[getter]
    fn min_bid(&self) -> u32 {
        self.inner.min_bid()
    }

    /// The rules that the policy was made for, if known; the policy is rejected for other rules.
    #[getter]
    fn rules(&self) -> Option<PyRules> {
        self.rules.map(PyRules)
    }

    /// These bids for a game with other rules on an equal field; None for any such game.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When the field has another size, or the smallest bid is another.
    #[pyo3(signature = (rules))]
    fn with_rules(&self, rules: Option<PyRules>) -> PyResult<Self> {
        let rules = rules.map(|rules| rules.0);
        if let Some(rules) = rules.filter(|rules| rules.field() != self.inner.field()) {
            let message = format!(
                "the policy is for field {}, the rules have field {}",
                self.inner.field(),
                rules.field()
            );
            return Err(PolicyError::new_err(message));
        }
        if let Some(rules) = rules.filter(|rules| rules.min_bid() != self.inner.min_bid()) {
            let (min_bid, game_min_bid) = (self.inner.min_bid(), rules.min_bid());
            return Err(PolicyError::new_err(
                pencil_tennis::PolicyError::OtherBids { min_bid, game_min_bid }.to_string(),
            ));
        }
        Ok(Self { inner: Arc::clone(&self.inner), rules })
    }

    /// Whether the policy says how ``player``, ``"A"`` or ``"B"``, bids.
    #[pyo3(signature = (player))]
    fn covers(&self, player: &str) -> PyResult<bool> {
        Ok(self.inner.covers(self::player(player)?))
    }

    /// The bids that ``player`` makes at ``state``, rising, with their probabilities.
    #[pyo3(signature = (state, player="A"))]
    fn strategy<'py>(
        &self,
        py: Python<'py>,
        state: StateArgument,
        player: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let strategy = PyDict::new(py);
        for (bid, probability) in
            self.inner.probabilities(state.0, self::player(player)?).or_raise()?
        {
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
        let points = self.inner.points();
        let [a, b] = points.map(|points| points as usize + 1);
        let field = self.inner.field();
        memory::check_policy(points, field, 16)?;
        let array = py.detach(|| {
            let mut array =
                Array4::zeros([a, b, 2 * field as usize + 1, points[player as usize] as usize + 1]);
            for state in self.inner.states() {
                let position = (state.ball.position() + field) as usize;
                for (bid, probability) in self.inner.probabilities(state, player)? {
                    array[[state.a as usize, state.b as usize, position, bid as usize]] =
                        probability;
                }
            }
            Ok::<_, pencil_tennis::Error>(array)
        });
        Ok(array.or_raise()?.into_pyarray(py))
    }

    /// The policy with the players' roles exchanged: A's bids at a state become B's at its mirror
    /// image, and vice versa.
    fn mirrored(&self) -> PyResult<Self> {
        self.check_copy()?;
        // Where the scoring is not symmetric the mirror image belongs to another game.
        Ok(Self::new(self.inner.mirrored(), self.rules.filter(Rules::is_antisymmetric)))
    }

    /// The policy of one player alone.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When it does not say how ``player`` bids.
    #[pyo3(signature = (player))]
    fn only(&self, player: &str) -> PyResult<Self> {
        self.check_copy()?;
        Ok(Self::new(self.inner.only(self::player(player)?).or_raise()?, self.rules))
    }

    /// The policy in which this one's A meets the other's B.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When one of them does not say how its player bids, or they are for different games.
    fn joined(&self, b: &Self) -> PyResult<Self> {
        self.check_copy()?;
        let policy = Policy::joined(&self.inner, &b.inner).or_raise()?;
        if let (Some(rules), Some(_)) = (&self.rules, &b.rules) {
            b.of_game(rules)?;
        }
        Ok(Self::new(policy, self.rules.or(b.rules)))
    }

    /// The policy of both players that the policy of one stands for, if the other bids alike, seen
    /// from the other side.
    ///
    /// Raises
    /// ------
    /// PolicyError
    ///     When A and B have different points.
    fn completed_by_mirror(&self) -> PyResult<Self> {
        self.check_copy()?;
        Ok(Self::new(Policy::clone(&self.inner).completed_by_mirror().or_raise()?, self.rules))
    }

    fn __repr__(&self) -> String {
        let [a, b] = self.inner.points();
        let players: Vec<String> = Player::BOTH
            .into_iter()
            .filter(|&player| self.inner.covers(player))
            .map(|player| player.to_string())
            .collect();
        let game = self
            .rules
            .map_or_else(|| format!("field {}", self.inner.field()), |rules| rules.to_string());
        format!("<Policy of {} for {a}:{b} points, {game}>", players.join(" and "))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, ((u32, u32), i32, Bound<'py, PyDict>, Option<PyRules>, u32))>
    {
        let players = PyDict::new(py);
        for player in Player::BOTH.into_iter().filter(|&player| self.inner.covers(player)) {
            let (mut counts, mut bids, mut weights) = (Vec::new(), Vec::new(), Vec::new());
            for state in self.inner.states() {
                let choices = self.inner.weights(state, player).or_raise()?;
                counts.push(choices.len() as u16);
                for (bid, weight) in choices {
                    bids.push(bid as u16);
                    weights.push(weight);
                }
            }
            let parts = (
                PyArray1::from_vec(py, counts),
                PyArray1::from_vec(py, bids),
                PyArray1::from_vec(py, weights),
            );
            players.set_item(player.to_string(), parts)?;
        }
        let read = py.import("pencil_tennis._native")?.getattr("policy_from_weights")?;
        Ok((read, (self.points(), self.field(), players, self.rules(), self.inner.min_bid())))
    }
}
