//! Any simultaneous-move game, for Python: lines in the library's format go in, numbers come out.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use num_rational::BigRational;
use numpy::PyArray1;
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{
    StationaryPolicy, StochasticCheckpoint, StochasticGame, StochasticProof, StochasticSolution, StochasticSolver,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyIterator};

use crate::enclosures::PyEnclosure;
use crate::errors::{CertificateError, OrRaise};
use crate::files::{Checkpoints, write};
use crate::progress::detached;

/// A solved game of any rules.
#[pyclass(frozen, module = "pencil_tennis._native", name = "StochasticSolution")]
pub(crate) struct PyStochasticSolution(StochasticSolution);

/// The actions of both players by their names.
type Actions = (Vec<String>, Vec<String>);

/// The actions that are chosen, by their numbers, with their probabilities.
type Chosen = (Vec<(usize, f64)>, Vec<(usize, f64)>);

/// Lines of bytes that Python gives one after the other, as they are asked for.
struct Lines {
    following: Py<PyIterator>,
    line: Option<PyBackedBytes>,
    /// The bytes of the line that were read.
    read: usize,
    /// The exception that ended the lines.
    raised: Option<PyErr>,
}

impl Lines {
    const fn new(following: Py<PyIterator>) -> Self {
        Self { following, line: None, read: 0, raised: None }
    }

    fn next(&self) -> PyResult<Option<PyBackedBytes>> {
        Python::attach(|py| self.following.bind(py).clone().next().map(|line| Ok(line?.extract::<PyBackedBytes>()?)).transpose())
    }
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line.as_ref().is_none_or(|line| self.read == line.len()) {
            self.read = 0;
            self.line = self.next().map_err(|raised| {
                self.raised = Some(raised);
                io::Error::other("an exception was raised")
            })?;
        }
        Ok(self.line.as_ref().map_or(&[], |line| &line[self.read..]))
    }

    fn consume(&mut self, bytes: usize) {
        self.read += bytes;
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Reads a game as JSON Lines and solves it, from a checkpoint on if there is one, and leaves one that has all of it.
#[pyfunction]
pub(crate) fn solve_stochastic_game(
    py: Python<'_>,
    lines: Py<PyIterator>,
    threads: Option<usize>,
    memory_limit: Option<u64>,
    checkpoint: Option<(PathBuf, f64)>,
    resume: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyStochasticSolution> {
    let checkpoints = Checkpoints::asked(checkpoint)?;
    let resumed = resume.map(|path| StochasticCheckpoint::read(File::open(path)?).or_raise()).transpose()?;
    let mut unwritten = None;
    let mut lines = Lines::new(lines);
    let solution = detached(py, progress, |listener| {
        let game = StochasticGame::read_within(&mut lines, memory_limit.unwrap_or(StochasticGame::MEMORY_LIMIT))?;
        let mut solver = StochasticSolver::new(game).on_progress(|share| listener.tell(share));
        if let Some(threads) = threads {
            solver = solver.threads(threads);
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
        solver.solve()
    });
    if let Some(raised) = lines.raised.or(unwritten) {
        return Err(raised);
    }
    let solution = solution?;
    if let Some(Checkpoints { path, .. }) = &checkpoints {
        let all = solution.checkpoint().or_raise()?;
        write(path, |out| all.write(out))?;
    }
    Ok(PyStochasticSolution(solution))
}

/// The names of all states, the numbers of the starts, and bounds of all values.
type Proved = (Vec<String>, Vec<u32>, Vec<PyEnclosure>);

/// Checks a certificate that has its game in it, and that the game is that of the lines if there are any.
#[pyfunction]
pub(crate) fn verify_stochastic_game(py: Python<'_>, certificate: &[u8], lines: Option<Py<PyIterator>>) -> PyResult<Proved> {
    let refuse = |message: String| CertificateError::new_err(message);
    let proof = py.detach(|| StochasticProof::verify(certificate)).map_err(|error| refuse(error.to_string()))?;
    let game = proof.game();
    if let Some(lines) = lines {
        let mut lines = Lines::new(lines);
        let read = py.detach(|| StochasticGame::read(&mut lines));
        let [mut expected, mut found] = [Vec::new(), Vec::new()];
        lines.raised.map_or(Ok(()), Err)?;
        read.or_raise()?.write(&mut expected)?;
        game.write(&mut found)?;
        if expected != found {
            return Err(refuse("the certificate is of another game, or of other rules".to_owned()));
        }
    }
    let names = (0..game.len()).map(|state| game.name(state).to_owned()).collect();
    Ok((names, game.starts().to_vec(), proof.states().map(|(_, enclosure)| PyEnclosure(enclosure)).collect()))
}

#[pymethods]
impl PyStochasticSolution {
    /// The kind of the game.
    #[getter]
    fn kind(&self) -> String {
        self.0.game().kind().to_string()
    }

    /// The names of the states.
    fn names(&self) -> Vec<String> {
        (0..self.0.game().len()).map(|state| self.0.game().name(state).to_owned()).collect()
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

    /// The names of both players' actions; none at an end.
    fn actions(&self, state: usize) -> Option<Actions> {
        let names = |actions: &[Box<str>]| actions.iter().map(ToString::to_string).collect();
        self.0.game().actions(state).map(|[a, b]| (names(a), names(b)))
    }

    /// Both strategies.
    fn strategies(&self, state: usize) -> PyResult<Chosen> {
        Ok(self.0.strategies(&state).or_raise()?.into())
    }

    /// The exact values that are known, with denominators of at most so many bits.
    fn exact(&self, py: Python<'_>, bits: usize, progress: Option<Py<PyAny>>) -> PyResult<Vec<Option<BigRational>>> {
        let exact = detached(py, progress, |listener| self.0.exact(bits, &mut |share| listener.tell(share)))?;
        (0..self.0.len()).map(|state| exact.value(&state).or_raise()).collect()
    }

    /// What a policy of A or B is worth at every state, what its choices give away at most, and whether it was rounded.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        player: &str,
        probabilities: Vec<Vec<(usize, BigRational)>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Vec<PyEnclosure>, Bound<'py, PyArray1<f64>>, bool)> {
        let player: Player = player.parse().or_raise()?;
        let policy = StationaryPolicy::new(self.0.game(), player, &probabilities).or_raise()?;
        let judgement = detached(py, progress, |listener| self.0.judge(&policy, &mut |share| listener.tell(share)))?;
        let states = 0..self.0.game().len();
        let worth = states.clone().map(|state| PyEnclosure(judgement.worth(state))).collect();
        let regrets = PyArray1::from_iter(py, states.map(|state| judgement.regret(state).upper()));
        Ok((worth, regrets, judgement.is_rounded()))
    }

    /// The certificate, which `pencil-tennis verify` checks.
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        self.0.write_certificate(&mut bytes)?;
        Ok(PyBytes::new(py, &bytes))
    }
}
