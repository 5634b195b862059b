//! A game that Python was asked about, as rules in code: for certificates that name a game by its
//! digest, and for solutions in which a state stands for the one with exchanged players.

use std::sync::Arc;

use num_rational::BigRational;
use pencil_tennis::stochastic_game::{
    GameRules, Kind, Node, Outcomes, StochasticProof, StochasticSolver,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::enclosures::PyEnclosure;
use crate::errors::{CertificateError, Error, OrRaise};
use crate::progress::{abandonable, detached};

/// The number of a canonical state, in the order in which the explorer found them, and whether the
/// players are exchanged.
pub(crate) type CanonicalState = (u32, bool);

/// The successors of a pair of actions with their weights, and the reward as a fraction.
pub(crate) type Cell = (Vec<(u64, u32, bool)>, i64, u64);

/// A state as the rules describe it.
enum TableNode {
    Over(BigRational),
    Play { a: usize, b: usize, endless: BigRational, cells: Vec<Cell> },
}

/// The rules of a game by the numbers of its states, which an explorer adds in their order.
pub(crate) struct RulesTable {
    kind: Kind,
    discount: BigRational,
    starts: Vec<CanonicalState>,
    nodes: Vec<TableNode>,
    /// The numbers that the rules have for the states; empty where they have none.
    indices: Vec<usize>,
}

/// A state for a pickle: the numbers of both players' actions, 0 and 0 at an end; the payoff of the
/// end or of infinite plays; the cells row by row.
type PickledNode = (usize, usize, BigRational, Vec<Cell>);

/// The same for Python, complete.
#[derive(Clone)]
#[pyclass(frozen, module = "pencil_tennis._native", name = "RulesTable")]
pub(crate) struct PyRulesTable(Arc<RulesTable>);

impl PyRulesTable {
    pub(crate) fn new(table: RulesTable) -> Self {
        Self(Arc::new(table))
    }
}

#[pymethods]
impl PyRulesTable {
    /// The table that a pickle has kept.
    #[new]
    fn restored(
        kind: &str,
        discount: BigRational,
        starts: Vec<CanonicalState>,
        nodes: Vec<PickledNode>,
        indices: Vec<usize>,
    ) -> PyResult<Self> {
        let mut table = RulesTable::new(kind.parse().or_raise()?, discount, starts);
        let count = nodes.len();
        let is_known = |&(state, _): &CanonicalState| (state as usize) < count;
        let mut fits =
            table.starts.iter().all(is_known) && (indices.is_empty() || indices.len() == count);
        for (a, b, paid, cells) in nodes {
            fits &= a.checked_mul(b) == Some(cells.len());
            for (successors, _, denominator) in &cells {
                fits &= *denominator > 0
                    && successors
                        .iter()
                        .all(|&(_, state, exchanged)| is_known(&(state, exchanged)));
            }
            if a == 0 {
                table.end(paid);
            } else {
                table.state([a, b], paid, cells);
            }
        }
        if !fits {
            return Err(Error::new_err("the numbers are no table of a game"));
        }
        table.indices = indices;
        Ok(Self::new(table))
    }

    /// What a pickle keeps.
    fn __getnewargs__(
        &self,
    ) -> (String, BigRational, Vec<CanonicalState>, Vec<PickledNode>, Vec<usize>) {
        let pickled = |node: &TableNode| match node {
            TableNode::Over(value) => (0, 0, value.clone(), Vec::new()),
            TableNode::Play { a, b, endless, cells } => (*a, *b, endless.clone(), cells.clone()),
        };
        let RulesTable { kind, discount, starts, nodes, indices } = &*self.0;
        (
            kind.to_string(),
            discount.clone(),
            starts.clone(),
            nodes.iter().map(pickled).collect(),
            indices.clone(),
        )
    }

    /// Solves the game, and proves it by a certificate that has its digest.
    fn certificate<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rules = self.clone();
        let solution = detached(py, progress, |listener| {
            StochasticSolver::new(rules).on_progress(|share| listener.tell(share)).solve()
        })?;
        let written = abandonable(py, move || {
            let mut bytes = Vec::new();
            solution.write_certificate(&mut bytes).map(|()| bytes)
        });
        Ok(PyBytes::new(py, &written??))
    }

    /// Checks a certificate that has the digest of the game; returns bounds of all states.
    fn verify(&self, py: Python<'_>, certificate: PyBackedBytes) -> PyResult<Vec<PyEnclosure>> {
        let rules = self.clone();
        let proof = abandonable(py, move || StochasticProof::verify_by(rules, &certificate[..]))?;
        let proof = proof.map_err(|error| CertificateError::new_err(error.to_string()))?;
        (0..self.len())
            .map(|state| Ok(PyEnclosure(proof.enclosure(&(state, false)).or_raise()?)))
            .collect()
    }
}

impl PyRulesTable {
    /// The number of states.
    pub(crate) fn len(&self) -> u32 {
        self.0.nodes.len() as u32
    }
}

impl RulesTable {
    pub(crate) fn new(kind: Kind, discount: BigRational, starts: Vec<CanonicalState>) -> Self {
        Self { kind, discount, starts, nodes: Vec::new(), indices: Vec::new() }
    }

    /// Says which number the rules have for the next state.
    pub(crate) fn index(&mut self, index: usize) {
        self.indices.push(index);
    }

    /// Adds the next state, an end.
    pub(crate) fn end(&mut self, value: BigRational) {
        self.nodes.push(TableNode::Over(value));
    }

    /// Adds the next state with its numbers of actions and its cells row by row.
    pub(crate) fn state(&mut self, actions: [usize; 2], endless: BigRational, cells: Vec<Cell>) {
        let [a, b] = actions;
        self.nodes.push(TableNode::Play { a, b, endless, cells });
    }
}

impl GameRules for PyRulesTable {
    type State = CanonicalState;

    fn starts(&self) -> Vec<CanonicalState> {
        self.0.starts.clone()
    }

    fn node(&self, &(state, _): &CanonicalState) -> Node {
        match &self.0.nodes[state as usize] {
            TableNode::Over(value) => Node::Over(value.clone()),
            &TableNode::Play { a, b, .. } => Node::Choose { a, b },
        }
    }

    fn after(
        &self,
        &(state, _): &CanonicalState,
        a: usize,
        b: usize,
        outcomes: &mut Outcomes<CanonicalState>,
    ) {
        let TableNode::Play { b: columns, cells, .. } = &self.0.nodes[state as usize] else {
            return;
        };
        let (successors, numerator, denominator) = &cells[a * columns + b];
        for &(weight, state, exchanged) in successors {
            outcomes.by_chance(weight, (state, exchanged));
        }
        outcomes.reward_fraction(*numerator, *denominator);
    }

    fn kind(&self) -> Kind {
        self.0.kind
    }

    fn discount(&self) -> BigRational {
        self.0.discount.clone()
    }

    fn endless(&self, &(state, _): &CanonicalState) -> BigRational {
        match &self.0.nodes[state as usize] {
            TableNode::Play { endless, .. } => endless.clone(),
            TableNode::Over(_) => BigRational::from_integer(0.into()),
        }
    }

    /// Canonical states alone were asked about.
    fn canonical(&self, state: CanonicalState) -> (CanonicalState, bool) {
        let (state, exchanged) = state;
        ((state, false), exchanged)
    }

    fn index(&self, &(state, _): &CanonicalState) -> usize {
        self.0.indices.get(state as usize).copied().unwrap_or_default()
    }

    fn index_limit(&self) -> usize {
        self.0.indices.iter().max().map_or(0, |&most| most.saturating_add(1))
    }

    fn name(&self, state: &CanonicalState) -> String {
        state.0.to_string()
    }
}
