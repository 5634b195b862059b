//! Any simultaneous-move game, for Python: a game goes in, numbers come out.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use num_rational::BigRational;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pencil_tennis::model_checking::language::{Definitions, PropertyFile, Value, read_value};
use pencil_tennis::model_checking::{
    ExplicitFiles, ExplicitModel, Exploration, ExplorationCheckpoint, ModelError, Probabilities,
    Property, is_model_text,
};
use pencil_tennis::stochastic_game::{
    Certainty, GameRules, PolicyJudgement, StationaryPolicy, StochasticCheckpoint, StochasticGame,
    StochasticProof, StochasticSolution, StochasticSolver,
};
use pencil_tennis::{Player, PolicyNumbers};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::enclosures::PyEnclosure;
use crate::errors::{CertificateError, Error, OTHER_CERTIFICATE, OrRaise, PolicyError};
use crate::files::{Checkpoints, write};
use crate::memory;
use crate::progress::{abandonable, detached, released};

/// A solved game of any rules.
#[pyclass(frozen, module = "pencil_tennis._native", name = "StochasticSolution")]
pub(crate) struct PyStochasticSolution(StochasticSolution);

/// The actions of both players by their names.
type Actions = (Vec<String>, Vec<String>);

/// The actions that are chosen, by their numbers, with their probabilities.
pub(crate) type Chosen = (Vec<(usize, f64)>, Vec<(usize, f64)>);

/// A game in the library's memory.
#[pyclass(frozen, module = "pencil_tennis._native", name = "StochasticGame")]
pub(crate) struct PyStochasticGame(Mutex<Option<KeptGame>>);

/// Where a game is kept.
enum KeptGame {
    Here(Box<StochasticGame>),
    /// In a solution that was read beside it.
    Solved(Py<PyStochasticSolution>),
}

impl KeptGame {
    fn game(&self) -> &StochasticGame {
        match self {
            Self::Here(game) => game,
            Self::Solved(solution) => solution.get().game(),
        }
    }
}

impl PyStochasticGame {
    pub(crate) fn new(game: StochasticGame) -> Self {
        Self(Mutex::new(Some(KeptGame::Here(Box::new(game)))))
    }

    /// A copy of the game.
    fn copied(&self) -> PyResult<StochasticGame> {
        let kept = self.locked()?;
        Ok(kept.as_ref().ok_or_else(handed_on)?.game().clone())
    }

    /// The game, which is gone here afterwards.
    fn taken(&self) -> PyResult<StochasticGame> {
        match self.locked()?.take().ok_or_else(handed_on)? {
            KeptGame::Here(game) => Ok(*game),
            KeptGame::Solved(solution) => Ok(solution.get().game().clone()),
        }
    }

    fn locked(&self) -> PyResult<MutexGuard<'_, Option<KeptGame>>> {
        self.0.lock().map_err(|error| Error::new_err(error.to_string()))
    }
}

fn handed_on() -> PyErr {
    Error::new_err("the game was solved, and its memory handed on")
}

#[pymethods]
impl PyStochasticGame {
    /// The game as JSON Lines, which `read_game` reads.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let game = self.copied()?;
        let written = abandonable(py, move || {
            let mut lines = Vec::new();
            game.write(&mut lines).map(|()| lines)
        });
        Ok(PyBytes::new(py, &written??))
    }

    /// The game of arrays as bytes, which `unpacked_game` reads.
    fn packed<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let shared = slf.clone().unbind();
        let packed = abandonable(py, move || {
            let game = shared.get().locked()?;
            let packed = game.as_ref().ok_or_else(handed_on)?.game().packed();
            packed.ok_or_else(|| Error::new_err("the game is not one of arrays"))
        });
        Ok(PyBytes::new(py, &packed??))
    }

    /// The numbers of both players' actions by state; 0 and 0 at an end.
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let game = self.locked()?;
        Ok(sizes_of(game.as_ref().ok_or_else(handed_on)?.game()).into_pyarray(py))
    }
}

/// The game of which these are the bytes, checked.
#[pyfunction]
pub(crate) fn unpacked_game(py: Python<'_>, packed: PyBackedBytes) -> PyResult<PyStochasticGame> {
    let game = abandonable(py, move || StochasticGame::unpacked(&packed))?;
    Ok(PyStochasticGame::new(game.or_raise()?))
}

/// The numbers of both players' actions by state; 0 and 0 at an end.
fn sizes_of(game: &StochasticGame) -> Array2<i64> {
    let mut sizes = Array2::zeros([game.len(), 2]);
    for state in game.states() {
        if let Some([a, b]) = state.actions() {
            sizes[[state.number(), 0]] = a.len() as i64;
            sizes[[state.number(), 1]] = b.len() as i64;
        }
    }
    sizes
}

/// A judged policy of one player.
#[pyclass(frozen, module = "pencil_tennis._native", name = "PolicyJudgement")]
pub(crate) struct PyPolicyJudgement {
    solution: Py<PyStochasticSolution>,
    judgement: PolicyJudgement,
}

#[pymethods]
impl PyPolicyJudgement {
    /// Whether probabilities were rounded to multiples of 2^-62, or divided by their sum.
    #[getter]
    const fn rounded(&self) -> bool {
        self.judgement.is_rounded()
    }

    /// A's payoff from a state on against the best response.
    fn payoff(&self, state: usize) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.judgement.state(state).or_raise()?.secured))
    }

    /// The loss of a state's value against the best response.
    fn loss(&self, state: usize) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.judgement.state(state).or_raise()?.loss))
    }

    /// An upper bound of the loss by the choice at a state alone.
    fn regret(&self, state: usize) -> PyResult<f64> {
        Ok(self.judgement.state(state).or_raise()?.regret.upper())
    }

    /// Worths, losses and regrets of all states as doubles.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyArray1<f64>>; 3]> {
        let mut arrays = [Vec::new(), Vec::new(), Vec::new()];
        for state in 0..self.solution.get().0.len() {
            let judged = self.judgement.state(state).or_raise()?;
            arrays[0].push(judged.secured.middle());
            arrays[1].push(judged.loss.middle());
            arrays[2].push(judged.regret.upper());
        }
        Ok(arrays.map(|numbers| PyArray1::from_vec(py, numbers)))
    }

    /// The numbers of the states by regret, the largest first.
    fn worst<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.judgement.worst_states().into_iter().map(|state| state as i64))
    }
}

/// A checkpoint that was read and is not proved yet.
#[pyclass(frozen, module = "pencil_tennis._native", name = "StochasticCheckpoint")]
pub(crate) struct PyStochasticCheckpoint {
    checkpoint: StochasticCheckpoint<'static>,
    path: PathBuf,
}

#[pymethods]
impl PyStochasticCheckpoint {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = File::open(&path)?;
        Ok(Self {
            checkpoint: abandonable(py, || StochasticCheckpoint::read(file))?.or_raise()?,
            path,
        })
    }
}

/// A file of Python, read in pieces, so that Ctrl-C is heard also where it waits for bytes.
struct Pieces {
    file: Py<PyAny>,
    piece: Option<PyBackedBytes>,
    /// The bytes of the piece that were read.
    read: usize,
    /// The exception that ended reading.
    raised: Option<PyErr>,
}

/// The bytes of a piece.
const PIECE: usize = 1 << 18;

impl Pieces {
    const fn new(file: Py<PyAny>) -> Self {
        Self { file, piece: None, read: 0, raised: None }
    }

    fn next(&self) -> PyResult<PyBackedBytes> {
        Python::attach(|py| {
            py.check_signals()?;
            Ok(self.file.bind(py).call_method1("read", (PIECE,))?.extract::<PyBackedBytes>()?)
        })
    }
}

impl BufRead for Pieces {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.piece.as_ref().is_none_or(|piece| self.read == piece.len()) {
            self.read = 0;
            self.piece = Some(self.next().map_err(|raised| {
                self.raised = Some(raised);
                io::Error::other("an exception was raised")
            })?);
        }
        Ok(self.piece.as_ref().map_or(&[], |piece| &piece[self.read..]))
    }

    fn consume(&mut self, bytes: usize) {
        self.read += bytes;
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Reads a game as JSON Lines from an open file, within a limit of memory in bytes.
#[pyfunction]
pub(crate) fn read_game(
    py: Python<'_>,
    file: Py<PyAny>,
    memory_limit: u64,
) -> PyResult<PyStochasticGame> {
    let mut pieces = Pieces::new(file);
    let game = released(py, || StochasticGame::read_within(&mut pieces, memory_limit))?;
    pieces.raised.map_or(Ok(()), Err)?;
    Ok(PyStochasticGame::new(game.or_raise()?))
}

/// Values of a model's constants, from the texts that the modelling language has for them.
fn constants_of(texts: Vec<(String, String)>) -> Result<Vec<(String, Value)>, ModelError> {
    let mut values = Vec::with_capacity(texts.len());
    for (name, text) in texts {
        let value = read_value(&text).map_err(|error| ModelError::Property {
            reason: format!("the constant `{name}`: {error}"),
        })?;
        values.push((name, value));
    }
    Ok(values)
}

/// The model in the modelling language whose states are found, from a checkpoint on if there is
/// one; checkpoints are written meanwhile, and when Ctrl-C is pressed.
fn explored(
    py: Python<'_>,
    file: &Path,
    constants: &[(String, Value)],
    mut exploration: Exploration<'_>,
    checkpoints: Option<&Checkpoints>,
    resume: Option<PathBuf>,
) -> PyResult<ExplicitModel> {
    if let Some(path) = resume {
        let stored = File::open(path)?;
        let read = abandonable(py, || ExplorationCheckpoint::read(stored))?;
        exploration = exploration.resume(read.or_raise()?);
    }
    let mut unwritten = None;
    let model = detached(py, None, |listener| {
        if let Some(Checkpoints { path, every }) = checkpoints {
            let unwritten = &mut unwritten;
            exploration = exploration.on_checkpoint(*every, move |checkpoint| {
                *unwritten = write(path, |out| checkpoint.write(out)).err();
            });
        }
        // How many states there are is known only at the end.
        exploration.read(file, None, constants, &mut |_| listener.tell(0.0))
    });
    unwritten.map_or(model, Err)
}

/// The game of a property of a model checker's export or model, whose constants have these values,
/// and the assumptions made. The states of a model are kept in a file of checkpoints, with the
/// seconds between two, and found from another checkpoint on.
#[pyfunction]
pub(crate) fn read_prism_game(
    py: Python<'_>,
    transitions: PathBuf,
    property: &str,
    constants: Vec<(String, String)>,
    others: (Option<PathBuf>, Option<PathBuf>, Vec<PathBuf>),
    probabilities: &str,
    memory_limit: u64,
    checkpoint: Option<(PathBuf, f64)>,
    resume: Option<PathBuf>,
) -> PyResult<(PyStochasticGame, Vec<String>)> {
    let property: Property = property.parse().or_raise()?;
    let values = constants_of(constants).or_raise()?;
    let reading: Probabilities = probabilities.parse().or_raise()?;
    let (states, labels, rewards) = others;
    if is_model_text(&transitions) {
        if states.is_some() || labels.is_some() || !rewards.is_empty() {
            return Err(Error::new_err(
                "states, labels and rewards are for an export, model.tra; a model in PRISM's language has all of that itself",
            ));
        }
        let checkpoints = Checkpoints::asked(checkpoint, resume.clone())?;
        let exploration = Exploration::within(memory_limit).probabilities(reading);
        let model = explored(py, &transitions, &values, exploration, checkpoints.as_ref(), resume)?;
        let made = move || {
            let game = model.game(&property, memory_limit)?;
            Ok::<_, pencil_tennis::Error>((game, model.assumptions().to_vec()))
        };
        let (game, assumptions) = abandonable(py, made)?.or_raise()?;
        return Ok((PyStochasticGame::new(game), assumptions));
    }
    if checkpoint.is_some() || resume.is_some() {
        return Err(Error::new_err(
            "checkpoints keep the states of a model in PRISM's language, such as model.prism; an export has its states",
        ));
    }
    let mut files = ExplicitFiles::beside(&transitions);
    files.states = states.or(files.states);
    files.labels = labels.or(files.labels);
    if !rewards.is_empty() {
        files.rewards = rewards;
    }
    let definitions = Definitions::of_properties(&PropertyFile::default(), &values)
        .map_err(|error| ModelError::Property { reason: error.to_string() })
        .or_raise()?;
    let read = move || {
        let mut model = ExplicitModel::read(&files, reading)?;
        model.define(definitions);
        let game = model.game(&property, memory_limit)?;
        Ok::<_, pencil_tennis::Error>((game, model.assumptions().to_vec()))
    };
    let (game, assumptions) = abandonable(py, read)?.or_raise()?;
    Ok((PyStochasticGame::new(game), assumptions))
}

/// A checkpoint in bytes that has all of a solution, without the game.
pub(crate) fn kept<G: GameRules>(solution: &StochasticSolution<G>) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    solution.checkpoint().or_raise()?.write(&mut bytes)?;
    Ok(bytes)
}

/// What a solve is asked for besides the game.
pub(crate) struct SolveOptions {
    width: f64,
    threads: Option<usize>,
    checkpoints: Option<Checkpoints>,
    resumed: Option<StochasticCheckpoint<'static>>,
    memory_limit: u64,
    progress: Option<Py<PyAny>>,
}

impl SolveOptions {
    /// The options of a Python caller: the width of bounds, the file of checkpoints with the
    /// seconds between two, and the checkpoint to go on from.
    pub(crate) fn asked(
        width: f64,
        threads: Option<usize>,
        checkpoint: Option<(PathBuf, f64)>,
        resume: Option<&Bound<'_, PyStochasticCheckpoint>>,
        memory_limit: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let checkpoints =
            Checkpoints::asked(checkpoint, resume.map(|resumed| resumed.get().path.clone()))?;
        let resumed = resume.map(|checkpoint| checkpoint.get().checkpoint.clone());
        Ok(Self { width, threads, checkpoints, resumed, memory_limit, progress })
    }

    /// The options of a kept solution, which leaves nothing to solve, and need not be narrower than
    /// it was.
    pub(crate) fn kept(solution: &[u8]) -> PyResult<Self> {
        let resumed = Some(StochasticCheckpoint::read(solution).or_raise()?);
        let memory_limit = StochasticGame::MEMORY_LIMIT;
        Ok(Self {
            width: ANY_WIDTH,
            threads: None,
            checkpoints: None,
            resumed,
            memory_limit,
            progress: None,
        })
    }

    /// Solves a game, from a checkpoint on if there is one, and leaves one that has all of it.
    pub(crate) fn solve<G: GameRules + Send>(
        self,
        py: Python<'_>,
        game: G,
    ) -> PyResult<StochasticSolution<G>> {
        let mut unwritten = None;
        let solution = detached(py, self.progress, |listener| {
            let mut solver = StochasticSolver::new(game)
                .width(self.width)
                .memory_limit(self.memory_limit)
                .on_progress(|share| listener.tell(share));
            if let Some(threads) = self.threads {
                solver = solver.threads(threads);
            }
            if let Some(resumed) = self.resumed {
                solver = solver.resume(resumed);
            }
            if let Some(Checkpoints { path, every }) = &self.checkpoints {
                let unwritten = &mut unwritten;
                solver = solver.on_checkpoint(*every, move |checkpoint| {
                    *unwritten = write(path, |out| checkpoint.write(out)).err();
                });
            }
            solver.solve()
        });
        if let Some(raised) = unwritten {
            return Err(raised);
        }
        let solution = solution?;
        if let Some(Checkpoints { path, .. }) = &self.checkpoints {
            let all = solution.checkpoint().or_raise()?;
            write(path, |out| all.write(out))?;
        }
        Ok(solution)
    }
}

/// How a solver gets a game that Python holds.
#[derive(Clone, Copy)]
pub(crate) enum Passing {
    /// The solver gets a copy.
    Copied,
    /// The game moves to the solver, and is gone where it was.
    Taken,
}

impl<'py> FromPyObject<'_, 'py> for Passing {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match name.extract::<&str>()? {
            "copied" => Ok(Self::Copied),
            "taken" => Ok(Self::Taken),
            name => Err(Error::new_err(format!(
                "the game is passed as {name:?}; expected copied or taken"
            ))),
        }
    }
}

/// Solves a game, from a checkpoint on if there is one, and leaves one that has all of it.
#[pyfunction]
pub(crate) fn solve_stochastic_game(
    py: Python<'_>,
    game: &Bound<'_, PyStochasticGame>,
    passing: Passing,
    width: f64,
    threads: Option<usize>,
    checkpoint: Option<(PathBuf, f64)>,
    resume: Option<&Bound<'_, PyStochasticCheckpoint>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyStochasticSolution> {
    // A written game is in memory already.
    let options = SolveOptions::asked(
        width,
        threads,
        checkpoint,
        resume,
        StochasticGame::MEMORY_LIMIT,
        progress,
    )?;
    let game = match passing {
        Passing::Copied => game.get().copied()?,
        Passing::Taken => game.get().taken()?,
    };
    Ok(PyStochasticSolution(options.solve(py, game)?))
}

/// A kept solution need not be narrower than it was.
const ANY_WIDTH: f64 = f64::MAX;

/// The solution of which these are the bytes, proved anew.
#[pyfunction]
pub(crate) fn solution_from_bytes(
    py: Python<'_>,
    game: PyBackedBytes,
    solution: &[u8],
) -> PyResult<PyStochasticSolution> {
    let options = SolveOptions::kept(solution)?;
    let game = abandonable(py, move || StochasticGame::read(&game[..]))?.or_raise()?;
    Ok(PyStochasticSolution(options.solve(py, game)?))
}

/// The solution of a game of which these are the bytes without the game, proved anew. The game
/// moves there: a copy would take a tenth of the time. A refused solution takes it along.
#[pyfunction]
pub(crate) fn solution_of(
    py: Python<'_>,
    game: &Bound<'_, PyStochasticGame>,
    solution: &[u8],
) -> PyResult<Py<PyStochasticSolution>> {
    let options = SolveOptions::kept(solution)?;
    let taken = game.get().taken()?;
    let solved = Py::new(py, PyStochasticSolution(options.solve(py, taken)?))?;
    *game.get().locked()? = Some(KeptGame::Solved(solved.clone_ref(py)));
    Ok(solved)
}

/// The names of all states, the numbers of the starts, and bounds of all values.
type Proved = (Vec<String>, Vec<u32>, Vec<PyEnclosure>);

/// Checks a certificate that has its game in it, and that it is this game if there is one.
#[pyfunction]
pub(crate) fn verify_stochastic_game(
    py: Python<'_>,
    certificate: PyBackedBytes,
    expected: Option<&Bound<'_, PyStochasticGame>>,
) -> PyResult<Proved> {
    let expected = expected.map(|game| game.get().copied()).transpose()?;
    let verified = abandonable(py, move || {
        let proof = StochasticProof::verify(&certificate[..])
            .map_err(|error| CertificateError::new_err(error.to_string()))?;
        if let Some(expected) = expected {
            let [mut written, mut proved] = [Vec::new(), Vec::new()];
            expected.write(&mut written)?;
            proof.game().write(&mut proved)?;
            if written != proved {
                return Err(CertificateError::new_err(
                    "the certificate is of another game, or of other rules",
                ));
            }
        }
        Ok(proof)
    });
    let proof = verified??;
    let game = proof.game();
    let names = game.states().map(|state| state.name().to_owned()).collect();
    Ok((
        names,
        game.starts().to_vec(),
        proof.states().map(|(_, enclosure)| PyEnclosure(enclosure)).collect(),
    ))
}

impl PyStochasticSolution {
    pub(crate) fn game(&self) -> &StochasticGame {
        self.0.game()
    }
}

#[pymethods]
impl PyStochasticSolution {
    /// The reward of a pair of actions by their numbers, and the successors with their
    /// probabilities; the payoff at an end.
    fn turn(
        &self,
        state: usize,
        a: usize,
        b: usize,
    ) -> PyResult<(BigRational, Vec<(BigRational, usize)>)> {
        let state = self.0.game().state(state).or_raise()?;
        if state.actions().is_none() {
            return Err(Error::new_err("the game is over"));
        }
        let turn = state.turn([a, b]).or_raise()?;
        let successors = turn.successors.into_iter();
        let successors = successors.map(|next| (next.probability, next.state.number())).collect();
        Ok((turn.reward, successors))
    }

    /// The payoff of an end; none of another state.
    fn payoff(&self, state: usize) -> PyResult<Option<BigRational>> {
        Ok(self.0.game().state(state).or_raise()?.end_value().cloned())
    }

    /// The kind of the game.
    #[getter]
    fn kind(&self) -> String {
        self.0.game().kind().to_string()
    }

    /// The names of the states.
    fn names(&self) -> Vec<String> {
        self.0.game().states().map(|state| state.name().to_owned()).collect()
    }

    /// The numbers of the starts.
    fn starts(&self) -> Vec<u32> {
        self.0.game().starts().to_vec()
    }

    /// The values of all states, and the doubles next to their bounds.
    fn arrays<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f64>>; 3] {
        let all: Vec<_> = self.0.states().map(|(_, enclosure)| enclosure).collect();
        [
            PyArray1::from_iter(py, all.iter().map(pencil_tennis::Enclosure::middle)),
            PyArray1::from_iter(py, all.iter().map(pencil_tennis::Enclosure::lower)),
            PyArray1::from_iter(py, all.iter().map(pencil_tennis::Enclosure::upper)),
        ]
    }

    /// The value of a state.
    fn value(&self, state: usize) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.0.enclosure(&state).or_raise()?))
    }

    /// The bounds of a state's value that the strategies secure.
    fn secured(&self, state: usize) -> PyResult<PyEnclosure> {
        Ok(PyEnclosure(self.0.secured(&state).or_raise()?))
    }

    /// The player who gets the best payoff from a state, that payoff to A, and whether it is
    /// attained; none where nobody does.
    fn best_payoff(&self, state: usize) -> PyResult<Option<(String, BigRational, bool)>> {
        let best = self.0.best_payoff(&state).or_raise()?;
        Ok(best.map(|best| {
            (best.player.to_string(), best.payoff, best.certainty == Certainty::AlmostSure)
        }))
    }

    /// The names of both players' actions; none at an end.
    fn actions(&self, state: usize) -> PyResult<Option<Actions>> {
        let names = |actions: &[Box<str>]| actions.iter().map(ToString::to_string).collect();
        let state = self.0.game().state(state).or_raise()?;
        Ok(state.actions().map(|[a, b]| (names(a), names(b))))
    }

    /// A player's strategies at all states, as an array of probabilities by state and action, 0
    /// beyond the last action.
    fn policy<'py>(&self, py: Python<'py>, player: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let player = usize::from(player.parse::<Player>().or_raise()? == Player::B);
        let states = self.0.game().states();
        let sizes = states.map(|state| state.actions().map_or(0, |actions| actions[player].len()));
        let shape = [self.0.len(), sizes.max().unwrap_or(0)];
        let bytes = shape[0].saturating_mul(shape[1]).saturating_mul(8) as u64;
        memory::check(bytes, &format!("an array of {} states and {} actions", shape[0], shape[1]))?;
        let mut table = Array2::zeros(shape);
        for state in 0..shape[0] {
            for &(action, share) in &self.0.strategies(&state).or_raise()?[player] {
                table[[state, action]] = share;
            }
        }
        Ok(table.into_pyarray(py))
    }

    /// The numbers of both players' actions by state; 0 and 0 at an end.
    fn sizes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i64>> {
        sizes_of(self.game()).into_pyarray(py)
    }

    /// As `judge`, of such an array; its rows at ends and what is beyond the last action are
    /// ignored. With `weights` its rows are divided by their sums.
    fn judge_array<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        player: &str,
        table: PyReadonlyArray2<'py, f64>,
        weights: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyPolicyJudgement> {
        let player = player.parse::<Player>().or_raise()?;
        let (table, solution) = (table.as_array(), &slf.get().0);
        if table.nrows() != solution.len() {
            let message = format!(
                "the policy has {} rows; expected one for each of {} states",
                table.nrows(),
                solution.len()
            );
            return Err(PolicyError::new_err(message));
        }
        // Others may write into the array while the interpreter is left.
        let (width, numbers) = (table.ncols(), table.iter().copied().collect::<Vec<f64>>());
        let kind = if weights { PolicyNumbers::Weights } else { PolicyNumbers::Probabilities };
        let judgement = detached(py, progress, |listener| {
            let policy =
                StationaryPolicy::from_table(solution.game(), player, &numbers, width, kind)?;
            solution.judge(&policy, &mut |share| listener.tell(share))
        })?;
        Ok(PyPolicyJudgement { solution: slf.clone().unbind(), judgement })
    }

    /// The game as JSON Lines, and a checkpoint that has all of the solution.
    fn bytes<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let shared = slf.clone().unbind();
        let written = abandonable(py, move || {
            let mut game = Vec::new();
            shared.get().0.game().write(&mut game)?;
            PyResult::Ok((game, kept(&shared.get().0)?))
        });
        let (game, solution) = written??;
        Ok((PyBytes::new(py, &game), PyBytes::new(py, &solution)))
    }

    /// A checkpoint that has all of the solution, without the game.
    fn checkpoint<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let shared = slf.clone().unbind();
        Ok(PyBytes::new(py, &abandonable(py, move || kept(&shared.get().0))??))
    }

    /// Writes a checkpoint that has all of the solution.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let all = self.0.checkpoint().or_raise()?;
        write(&path, |out| all.write(out))
    }

    /// Both strategies.
    fn strategies(&self, state: usize) -> PyResult<Chosen> {
        Ok(self.0.strategies(&state).or_raise()?.into())
    }

    /// The known exact values, with denominators of at most `bits` bits.
    fn exact(
        &self,
        py: Python<'_>,
        bits: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Option<BigRational>>> {
        let exact = detached(py, progress, |listener| {
            self.0.exact(bits, &mut |share| listener.tell(share))
        })?;
        (0..self.0.len()).map(|state| exact.value(&state).or_raise()).collect()
    }

    /// The value of a policy of A or B at every state, the largest losses of its choices, and
    /// whether it was rounded.
    fn judge<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        player: &str,
        probabilities: Vec<Vec<(usize, BigRational)>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyPolicyJudgement> {
        let player: Player = player.parse().or_raise()?;
        let (shared, solution) = (slf.clone().unbind(), &slf.get().0);
        let policy = abandonable(py, move || {
            StationaryPolicy::new(shared.get().0.game(), player, &probabilities)
        })?
        .or_raise()?;
        let judgement = detached(py, progress, |listener| {
            solution.judge(&policy, &mut |share| listener.tell(share))
        })?;
        Ok(PyPolicyJudgement { solution: slf.clone().unbind(), judgement })
    }

    /// The certificate, which was read again and checked as `pencil-tennis verify` does.
    fn certificate<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let shared = slf.clone().unbind();
        let written = abandonable(py, move || {
            let (mut bytes, solution) = (Vec::new(), &shared.get().0);
            solution.write_certificate(&mut bytes)?;
            let proof = StochasticProof::verify(&bytes[..])
                .map_err(|error| CertificateError::new_err(error.to_string()))?;
            if !solution.agrees_with(&proof) {
                return Err(CertificateError::new_err(OTHER_CERTIFICATE));
            }
            PyResult::Ok(bytes)
        });
        Ok(PyBytes::new(py, &written??))
    }
}
