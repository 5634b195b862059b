//! Games with hidden information, for Python.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use num_rational::BigRational;
use pencil_tennis::hidden::{
    BehaviourStrategy, GameTree, HiddenCheckpoint, HiddenMethod, HiddenProgress, HiddenProof,
    HiddenRefinement, HiddenSolution, HiddenSolver, Judgement, TestSequence,
};
use pencil_tennis::report::{
    ExtensiveForm, WriteCsv, read_file, read_hidden_strategies, write_file,
};
use pencil_tennis::{ByPlayer, Player};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::blind::narrowed;
use crate::enclosures::{PyEnclosure, enclosure};
use crate::errors::{CertificateError, Error, OTHER_CERTIFICATE, OrRaise};
use crate::files::{self, Checkpoints, write};
use crate::policy::player;
use crate::progress::{detached, released};

/// A node that Python describes: the payoff; probabilities and successors; or a player, an
/// information set, actions and successors.
enum Node<'py> {
    End(BigRational),
    Chance(Vec<BigRational>, Vec<Bound<'py, PyAny>>),
    Decision(Player, String, Vec<String>, Vec<Bound<'py, PyAny>>),
}

impl<'py> FromPyObject<'_, 'py> for Node<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let parts = given.cast::<PyTuple>()?;
        match parts.len() {
            1 => Ok(Self::End(parts.get_item(0)?.extract()?)),
            2 => Ok(Self::Chance(parts.get_item(0)?.extract()?, parts.get_item(1)?.extract()?)),
            4 => {
                let mover = player(&parts.get_item(0)?.extract::<String>()?)?;
                let [set, actions, successors] =
                    [parts.get_item(1)?, parts.get_item(2)?, parts.get_item(3)?];
                Ok(Self::Decision(mover, set.extract()?, actions.extract()?, successors.extract()?))
            }
            _ => Err(PyTypeError::new_err("a node has 1, 2 or 4 parts")),
        }
    }
}

/// The nodes between two calls of the listener.
const BETWEEN_CALLS: usize = 1 << 10;

/// Puts a tree together: `visit` describes a node by its parts and is called in prefix order, first
/// with `root`.
///
/// The listener hears how many nodes are known, and how many of them were visited.
#[pyfunction]
pub(crate) fn unfold_game(
    py: Python<'_>,
    visit: Bound<'_, PyAny>,
    root: Bound<'_, PyAny>,
    most_nodes: usize,
    listener: Option<Bound<'_, PyAny>>,
) -> PyResult<PyGameTree> {
    let mut builder = GameTree::builder().node_limit(most_nodes);
    let mut open = vec![root];
    let mut visited = 0;
    while let Some(node) = open.pop() {
        let successors = match visit.call1((node,))?.extract()? {
            Node::End(payoff) => {
                builder.end_exactly(payoff).or_raise()?;
                Vec::new()
            }
            Node::Chance(probabilities, successors) => {
                builder.chance(&probabilities).or_raise()?;
                successors
            }
            Node::Decision(player, set, actions, successors) => {
                builder.decision(player, &set, &actions).or_raise()?;
                successors
            }
        };
        // The first successor comes next.
        open.extend(successors.into_iter().rev());
        visited += 1;
        if visited % BETWEEN_CALLS == 0 {
            py.check_signals()?;
            if let Some(listener) = &listener {
                listener.call1((visited, visited + open.len()))?;
            }
        }
    }
    PyGameTree::new(builder.finish().or_raise()?)
}

/// The longest file of a tree or of strategies that is read.
const MOST_BYTES: u64 = 1 << 32;

fn file_bytes(path: &Path) -> PyResult<Vec<u8>> {
    read_file(path, MOST_BYTES).map_err(|error| files::exception(&error))
}

/// A tree of Gambit, and what was assumed in reading it.
#[pyfunction]
pub(crate) fn read_game_tree(
    py: Python<'_>,
    path: PathBuf,
    probabilities: &str,
) -> PyResult<(PyGameTree, Vec<String>)> {
    let probabilities = probabilities.parse().or_raise()?;
    let read = || {
        let bytes = file_bytes(&path)?;
        let form =
            ExtensiveForm::read(&path.display().to_string(), &bytes, probabilities).or_raise()?;
        Ok::<_, PyErr>((form.game_tree().or_raise()?, form.assumptions()))
    };
    let (tree, assumptions) = released(py, read)??;
    Ok((PyGameTree::new(tree)?, assumptions))
}

/// Checks a certificate. Returns its game and the bounds.
#[pyfunction]
pub(crate) fn verify_hidden_game(
    py: Python<'_>,
    certificate: &[u8],
) -> PyResult<(PyGameTree, PyEnclosure)> {
    let proof = released(py, || HiddenProof::verify(certificate))?;
    let proof = proof.map_err(|error| CertificateError::new_err(error.to_string()))?;
    let bounds = PyEnclosure(proof.enclosure());
    Ok((PyGameTree::new(proof.tree().clone())?, bounds))
}

/// A game tree: see the class `pencil_tennis.games.HiddenGame` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "GameTree")]
pub(crate) struct PyGameTree(Arc<GameTree>);

impl PyGameTree {
    #[expect(clippy::unnecessary_wraps, reason = "used where errors are raised")]
    fn new(tree: GameTree) -> PyResult<Self> {
        Ok(Self(Arc::new(tree)))
    }
}

#[pymethods]
impl PyGameTree {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The game's name, if its file has one.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title()
    }

    /// The number of ends.
    fn ends(&self) -> usize {
        self.0.ends()
    }

    /// The names of a player's information sets, their actions, and the number of their nodes.
    fn sets(&self, player: &str) -> PyResult<Vec<(&str, &[String], usize)>> {
        let sets = self.0.information_sets(self::player(player)?).iter();
        Ok(sets.map(|set| (set.name(), set.actions(), set.nodes())).collect())
    }

    fn is_same_game(&self, other: &Bound<'_, Self>) -> bool {
        self.0.is_same_game(&other.get().0)
    }

    /// The parts of a pickle: the nodes, and the game's name.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Option<&str>)> {
        let mut nodes = Vec::new();
        self.0.write(&mut nodes)?;
        Ok((PyBytes::new(py, &nodes), self.0.title()))
    }

    /// Judges a player's strategy: for each information set, the probabilities of its actions.
    fn judge(
        &self,
        py: Python<'_>,
        player: &str,
        probabilities: Vec<Vec<BigRational>>,
    ) -> PyResult<PyHiddenJudgement> {
        let player = self::player(player)?;
        let tree = &self.0;
        let judge = || {
            let strategy =
                BehaviourStrategy::from_rounded_probabilities(tree, player, probabilities)?;
            Ok::<_, pencil_tennis::Error>(Judgement::new(tree, strategy)?)
        };
        Ok(PyHiddenJudgement { judgement: released(py, judge)?.or_raise()?, tree: tree.clone() })
    }

    /// Judges the strategies in a csv file.
    fn judge_table(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<PyHiddenJudgement>> {
        let tree = &self.0;
        let judge = || {
            let bytes = file_bytes(&path)?;
            let strategies = read_hidden_strategies(tree, &bytes).or_raise()?;
            let mut judged = Vec::with_capacity(strategies.len());
            for strategy in strategies {
                let judgement = Judgement::new(tree, strategy).or_raise()?;
                judged.push(PyHiddenJudgement { judgement, tree: tree.clone() });
            }
            Ok::<_, PyErr>(judged)
        };
        released(py, judge)?
    }

    /// Solves the game.
    fn solve(
        &self,
        py: Python<'_>,
        method: Option<&str>,
        refinement: Option<&str>,
        gap: Option<f64>,
        time_limit: Option<f64>,
        threads: Option<usize>,
        memory_limit: u64,
        checkpoint: Option<(PathBuf, f64)>,
        resume: Option<PathBuf>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<PyHiddenSolution> {
        let method = match method {
            None => None,
            Some("lp") => Some(HiddenMethod::Programme),
            Some("ipm") => Some(HiddenMethod::InteriorPoint),
            Some("cfr") => Some(HiddenMethod::Regret),
            Some(other) => {
                return Err(Error::new_err(format!(
                    "there is no method `{other:.80}`; expected lp, ipm or cfr"
                )));
            }
        };
        let refinement = match refinement {
            None => None,
            Some("quasi-perfect") => Some(HiddenRefinement::QuasiPerfect),
            Some(other) => {
                return Err(Error::new_err(format!(
                    "there is no refinement `{other:.80}`; expected quasi-perfect"
                )));
            }
        };
        let time_limit = time_limit.map(Duration::try_from_secs_f64).transpose();
        let time_limit = time_limit.map_err(|error| Error::new_err(error.to_string()))?;
        let gap = gap.unwrap_or(HiddenSolver::GAP);
        let resumed = match &resume {
            None => None,
            Some(path) => Some(HiddenCheckpoint::read(&file_bytes(path)?).or_raise()?),
        };
        let checkpoints = Checkpoints::asked(checkpoint, resume)?;
        let mut unwritten = None;
        let solution = detached(py, callback, |listener| {
            let mut solver = HiddenSolver::new(self.0.clone()).gap(gap).memory_limit(memory_limit);
            if let Some(threads) = threads {
                solver = solver.threads(threads);
            }
            if let Some(method) = method {
                solver = solver.method(method);
            }
            if let Some(refinement) = refinement {
                solver = solver.refinement(refinement);
            }
            if let Some(limit) = time_limit {
                solver = solver.time_limit(limit);
            }
            if let Some(resumed) = resumed {
                solver = solver.resume(resumed);
            }
            if let Some(Checkpoints { path, every }) = &checkpoints {
                let unwritten = &mut unwritten;
                solver = solver.on_checkpoint(*every, move |checkpoint| {
                    *unwritten = write(path, |out| checkpoint.write(out)).err();
                });
            }
            let mut first = None;
            let tell = |progress: HiddenProgress| {
                let width = progress.enclosure.width();
                listener.tell(narrowed(width / *first.get_or_insert(width), gap))
            };
            solver.on_bounds(tell).solve()
        });
        if let Some(raised) = unwritten {
            return Err(raised);
        }
        Ok(PyHiddenSolution::new(solution?))
    }
}

/// A judged strategy: see the class `pencil_tennis.games.HiddenJudgement` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "HiddenJudgement")]
pub(crate) struct PyHiddenJudgement {
    judgement: Judgement,
    tree: Arc<GameTree>,
}

#[pymethods]
impl PyHiddenJudgement {
    /// The player whose strategy it is.
    #[getter]
    fn player(&self) -> String {
        self.judgement.player().to_string()
    }

    /// The payoff to A against a best response.
    fn payoff<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let payoff = self.judgement.secured();
        match self.judgement.exact() {
            Some(exact) => enclosure(py, payoff.middle(), exact.clone(), exact.clone()),
            None => PyEnclosure(payoff).into_pyobject(py),
        }
    }

    /// The probabilities of the policy as fractions, by the numbers of the information sets.
    fn fractions(&self) -> PyResult<Fractions> {
        fractions(&self.tree, self.judgement.strategy())
    }
}

/// The bounds of the total gain of both best responses.
#[pyfunction]
pub(crate) fn hidden_nash_conv(
    a: &Bound<'_, PyHiddenJudgement>,
    b: &Bound<'_, PyHiddenJudgement>,
) -> PyEnclosure {
    PyEnclosure(Judgement::nash_conv(&ByPlayer {
        a: a.get().judgement.clone(),
        b: b.get().judgement.clone(),
    }))
}

/// A solved game: see the class `pencil_tennis.games.HiddenSolution` above it.
#[pyclass(frozen, module = "pencil_tennis._native", name = "HiddenSolution")]
pub(crate) struct PyHiddenSolution {
    solution: HiddenSolution,
    iterations: u64,
    seconds: f64,
}

impl PyHiddenSolution {
    fn new(solution: HiddenSolution) -> Self {
        let iterations = solution.iterations();
        let seconds = solution.elapsed().as_secs_f64();
        Self { solution, iterations, seconds }
    }
}

/// The tree that a pickle has.
#[pyfunction]
pub(crate) fn restored_game_tree(
    py: Python<'_>,
    nodes: &[u8],
    title: Option<&str>,
) -> PyResult<PyGameTree> {
    let tree = released(py, || GameTree::read(nodes))?.or_raise()?;
    PyGameTree::new(tree.with_title(title.unwrap_or_default()))
}

/// Probabilities by the numbers of information sets, or coefficients by those of sequences.
type Fractions = Vec<Vec<BigRational>>;

/// The probabilities of a strategy, by the numbers of the information sets.
fn fractions(tree: &GameTree, strategy: &BehaviourStrategy) -> PyResult<Fractions> {
    let sets = 0..tree.information_sets(strategy.player()).len();
    sets.map(|set| strategy.probabilities(tree, set).or_raise()).collect()
}

/// The solution that a pickle has: A's and B's probabilities, and the coefficients of the test
/// sequence. Bounds and test sequence are proved anew.
#[pyfunction]
pub(crate) fn restored_hidden_solution(
    py: Python<'_>,
    tree: &Bound<'_, PyGameTree>,
    strategies: (Fractions, Fractions),
    coefficients: Option<(Fractions, Fractions)>,
    iterations: u64,
    seconds: f64,
) -> PyResult<PyHiddenSolution> {
    let tree = tree.get().0.clone();
    let restore = || {
        let strategy = |player, probabilities: &Fractions| {
            BehaviourStrategy::from_probabilities(&tree, player, probabilities)
        };
        let (a, b) = &strategies;
        let strategies = ByPlayer { a: strategy(Player::A, a)?, b: strategy(Player::B, b)? };
        let solution = HiddenSolution::of_strategies(tree.clone(), strategies)?;
        match coefficients {
            Some((a, b)) => solution.with_test_sequence(ByPlayer { a, b }),
            None => Ok(solution),
        }
    };
    let solution = released(py, restore)?.or_raise()?;
    Ok(PyHiddenSolution { solution, iterations, seconds })
}

#[pymethods]
impl PyHiddenSolution {
    /// The value to A.
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bounds = self.solution.enclosure();
        match self.solution.exact() {
            Some(exact) => enclosure(py, bounds.middle(), exact.clone(), exact.clone()),
            None => PyEnclosure(bounds).into_pyobject(py),
        }
    }

    /// A player's probabilities as doubles, by the numbers of the information sets.
    fn strategy(&self, player: &str) -> PyResult<Vec<Vec<f64>>> {
        let player = self::player(player)?;
        let sets = 0..self.solution.tree().information_sets(player).len();
        let mut strategy = Vec::with_capacity(sets.len());
        for set in sets {
            let shares = self.solution.shares(player, set).or_raise()?;
            strategy.push(shares.iter().map(|share| share.probability).collect());
        }
        Ok(strategy)
    }

    /// A player's probabilities as fractions, by the numbers of the information sets.
    fn fractions(&self, player: &str) -> PyResult<Fractions> {
        fractions(self.solution.tree(), self.solution.behaviour(self::player(player)?))
    }

    /// The refinement of the strategies, if it is proved.
    #[getter]
    fn refinement(&self) -> Option<&'static str> {
        self.solution.test_sequence().map(|_| "quasi-perfect")
    }

    /// A player's fully mixed strategy in the test sequence, by the numbers of the information
    /// sets.
    fn trembling(&self, player: &str, epsilon: BigRational) -> PyResult<Vec<Vec<BigRational>>> {
        let player = self::player(player)?;
        let tree = self.solution.tree();
        let Some(test_sequence) = self.solution.test_sequence() else {
            return Err(Error::new_err(
                "the strategies are not refined; expected solve(..., refinement=\"quasi-perfect\")",
            ));
        };
        let strategy = test_sequence.strategy(tree, player, &epsilon).or_raise()?;
        fractions(tree, &strategy)
    }

    /// A player's coefficients of the test sequence, by sequences, if the strategies are refined.
    fn coefficients(&self, player: &str) -> PyResult<Option<Fractions>> {
        let player = self::player(player)?;
        let coefficients = |test_sequence: &TestSequence| {
            test_sequence.coefficients(player).map(<[_]>::to_vec).collect()
        };
        Ok(self.solution.test_sequence().map(coefficients))
    }

    /// By a player's information sets: how likely chance and the opponent's strategy lead there if
    /// the player does, and the bounds of what a judged policy loses there to the best action;
    /// `None` of a set to which they do not lead.
    fn regrets(
        &self,
        py: Python<'_>,
        judged: &Bound<'_, PyHiddenJudgement>,
    ) -> PyResult<Vec<Option<(f64, BigRational, BigRational)>>> {
        let PyHiddenJudgement { judgement, tree } = judged.get();
        let (player, strategy) = (judgement.player(), judgement.strategy());
        let find = || {
            let payoffs = self.solution.action_payoffs(player);
            let mut regrets = Vec::with_capacity(tree.information_sets(player).len());
            for set in 0..tree.information_sets(player).len() {
                let regret = payoffs.regret(set, &strategy.probabilities(tree, set)?)?;
                let reach = payoffs.reach(set)?;
                regrets.push(regret.map(|[lower, upper]| (reach, lower, upper)));
            }
            Ok::<_, pencil_tennis::Error>(regrets)
        };
        released(py, find)?.or_raise()
    }

    /// The iterations of regret minimisation.
    #[getter]
    fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The seconds that it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Writes both strategies as csv.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let write = || write_file(&path, |out| self.solution.write_csv(out));
        released(py, write)?.map_err(|error| files::exception(&error))
    }

    /// A certificate, which was read back and checked.
    fn certificate(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let write = || {
            let mut bytes = Vec::new();
            self.solution.write_certificate(&mut bytes)?;
            let is_proof = HiddenProof::verify(&bytes[..])
                .is_ok_and(|proof| proof.agrees_with(&self.solution));
            Ok::<_, std::io::Error>(is_proof.then_some(bytes))
        };
        released(py, write)??.ok_or_else(|| CertificateError::new_err(OTHER_CERTIFICATE))
    }
}
