//! The settings of a solve of Tennis.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use super::table_file::{self, TableFile};
use super::{Solution, kept_strategies};
use crate::error::{Error, MethodError};
use crate::game::{GameError, Rules};

#[cfg(any(test, feature = "mpi"))]
use crate::induction::TraceCallback;
use crate::induction::{Method, Sweep, Tables, Task, run_sweep, solve_exactly};
use crate::work::{Callback, CheckpointKind, Checkpointing, Threads, Watch, WorkError, setters};
use stochastic_game::internal::layers::{Layered, Observer, ThreadSolver};

type WriteCheckpoint<'p> = dyn FnMut(&Checkpoint<'_>) + Send + 'p;

/// Solves a game: rules, points and the way to do it.
///
/// ```
/// use std::ops::ControlFlow;
/// use pencil_tennis::{Method, Rules, Solver};
///
/// let solution = Solver::new(&Rules::tennis())
///     .points([8, 5])
///     .method(Method::Tableau)
///     .threads(1)
///     .on_progress(|share| {
///         assert!((0.0..=1.0).contains(&share));
///         ControlFlow::Continue(())
///     })
///     .solve()?;
/// assert!(solution.value("8:5@0".parse()?)? > 0.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[must_use = "nothing is solved before `solve`"]
#[derive(Debug)]
pub struct Solver<'p> {
    pub(crate) rules: Rules,
    pub(crate) points: [u32; 2],
    method: Method,
    pub(super) threads: Option<usize>,
    pub(super) memory_limit: u64,
    symmetry: bool,
    pub(super) exact_bits: Option<usize>,
    keep_strategies: bool,
    pub(super) resumed: Option<TableFile>,
    pub(super) checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    #[cfg(any(test, feature = "mpi"))]
    pub(super) trace: Option<Callback<TraceCallback<'p>>>,
    progress: Callback<dyn FnMut(f64) -> ControlFlow<()> + Send + 'p>,
}

impl<'p> Solver<'p> {
    pub const MOST_POINTS: u32 = u16::MAX as u32;

    pub const MOST_THREADS: usize = Threads::MOST;

    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// The usual limit of [`exact`](Self::exact).
    pub const EXACT_BITS: usize = 4_096;

    /// A solver for 50 points each, with the default method and as many threads as the machine has.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            points: [50, 50],
            method: Method::default(),
            threads: None,
            memory_limit: Self::MEMORY_LIMIT,
            symmetry: true,
            exact_bits: None,
            keep_strategies: true,
            resumed: None,
            checkpoint: None,
            #[cfg(any(test, feature = "mpi"))]
            trace: None,
            progress: Callback::new(Box::new(|_| ControlFlow::Continue(()))),
        }
    }

    setters! {
        /// Resumes a checkpoint, whose game and method override the settings. The result has the
        /// same bytes as an uninterrupted solve.
        ///
        /// The checkpoint's bounds are proved first, if it has strategies; otherwise the solution
        /// is not [proved](Solution::is_proved). Exact values are recomputed from its bounds.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        /// use std::time::Duration;
        /// use pencil_tennis::{Rules, Solver, TableFile, WorkError};
        ///
        /// let path = std::env::temp_dir().join("pencil-tennis-checkpoint-example");
        /// let stopped = Solver::new(&Rules::tennis())
        ///     .points([20, 20])
        ///     .on_progress(|share| if share < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        ///     .on_checkpoint(Duration::ZERO, |checkpoint| {
        ///         let mut file = std::fs::File::create(&path).expect("a place for temporary files");
        ///         checkpoint.write(&mut file).expect("room for a small file");
        ///     })
        ///     .solve();
        /// assert_eq!(stopped.err(), Some(WorkError::Cancelled.into()));
        /// let solution = Solver::new(&Rules::tennis()).resume(TableFile::open(&path)?).solve()?;
        /// assert_eq!(solution.points(), [20, 20]);
        /// # std::fs::remove_file(path).expect("it is there");
        /// # Ok::<(), pencil_tennis::Error>(())
        /// ```
        resume(checkpoint: TableFile) => resumed = Some(checkpoint);

        points(points: [u32; 2]) => points = points;

        method(method: Method) => method = method;

        /// Sets the number of threads, 1 to [`Self::MOST_THREADS`] (default: as many as the machine
        /// has). The result does not depend on it.
        threads(threads: usize) => threads = Some(threads);

        /// Sets whether mirror images share a solution where the scoring is antisymmetric (default:
        /// yes). Without it a solve takes twice the time and tests the use of symmetry.
        use_symmetry(symmetry: bool) => symmetry = symmetry;

        /// Also computes exact values and strategies where the value's denominator has at most
        /// `limit_bits` bits; [`Self::EXACT_BITS`] is a good limit, some 1,200 digits. Denominators
        /// grow about tenfold for every two points (see `docs/theory-tennis.md`), so that no limit
        /// reaches 50 points.
        ///
        /// ```
        /// use pencil_tennis::{Rules, Solver};
        ///
        /// let solution = Solver::new(&Rules::tennis()).points([8, 8]).exact(Solver::EXACT_BITS).solve()?;
        /// let exact = solution.exact("7:8@1".parse()?)?.expect("small enough");
        /// assert_eq!(exact.value.to_string(), "-47/83");
        /// # Ok::<(), pencil_tennis::Error>(())
        /// ```
        exact(limit_bits: usize) => exact_bits = Some(limit_bits);

        /// Sets whether the strategies of all states are kept (default: yes). Otherwise
        /// [`Solution::equilibrium`] recomputes them from the successors' values, in microseconds
        /// to a second, and saves gigabytes of memory.
        keep_strategies(keep: bool) => keep_strategies = keep;

        /// Sets a callback for checkpoints, at this interval at least and every 32nd layer at most,
        /// and when the solve is cancelled. It should write a new file and rename it, as
        /// `report::write_file` does.
        on_checkpoint(every: Duration, write: impl FnMut(&Checkpoint<'_>) + Send + 'p) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));

        /// Sets the memory limit of a game's solution in bytes (default:
        /// [`Self::MEMORY_LIMIT`]).
        memory_limit(bytes: u64) => memory_limit = bytes;

        /// Sets a callback that hears the progress after every layer (and about twice a second in
        /// long ones), on the calling thread, and may cancel.
        on_progress(progress: impl FnMut(f64) -> ControlFlow<()> + Send + 'p) => progress = Callback::new(Box::new(progress));
    }

    /// A solver of another game with the same settings, which tells this solver's callback a fixed
    /// share of the work.
    pub(crate) fn for_game(&mut self, rules: &Rules, points: [u32; 2], share: f64) -> Solver<'_> {
        let progress = self.progress.get();
        Solver {
            rules: *rules,
            points,
            method: self.method,
            threads: self.threads,
            memory_limit: self.memory_limit,
            symmetry: self.symmetry,
            keep_strategies: self.keep_strategies,
            ..Solver::new(rules)
        }
        .on_progress(move |_| progress(share))
    }

    /// Solves every state.
    ///
    /// Time grows with the fourth power of the points or a little less (elevenfold from 100 to 200
    /// points), memory with the square (tables) and the third power (strategies).
    ///
    /// # Errors
    /// [`MethodError::Missing`] without the feature that the method needs.
    pub fn solve(mut self) -> Result<Solution, Error> {
        self.rules.check_even_handed("a solution")?;
        self.run()
    }

    /// Solves every state, also under rules that favour a player.
    pub(super) fn run(&mut self) -> Result<Solution, Error> {
        let (threads, tables) = self.prepare()?;
        let (tables, seconds) = run_sweep(tables, &mut ThreadSolver::new(&threads), self)?;
        Ok(Solution::new(tables, seconds, self.threads))
    }

    /// Solves every state for a watch, which hears the share done and may stay on this thread, as a
    /// builder's callbacks may not.
    pub(super) fn solve_within(mut self, watch: &mut Watch<'_>) -> Result<Solution, Error> {
        let (threads, tables) = self.prepare()?;
        let (tables, seconds) =
            run_sweep(tables, &mut ThreadSolver::new(&threads), &mut Watched(watch))?;
        Ok(Solution::new(tables, seconds, self.threads))
    }

    fn prepare(&mut self) -> Result<(Threads, Tables), Error> {
        self.check()?;
        let threads = Threads::start(Threads::checked(self.threads)?)?;
        Ok((threads, self.start()?))
    }

    /// The tables to begin with: those of the checkpoint, or empty ones.
    pub(super) fn start(&mut self) -> Result<Tables, Error> {
        let Some(file) = self.resumed.take() else {
            return Ok(Tables::new(self.task(), self.exact_bits));
        };
        // The checkpoint is proved first, which is a small part of the work.
        let mut tables =
            file.into_tables(self.memory_limit, &mut |_| (self.progress.get())(0.0))?;
        if let Some(bits) = self.exact_bits {
            solve_exactly(&mut tables, bits);
        }
        Ok(tables)
    }

    pub(super) fn task(&self) -> Task {
        if let Some(file) = &self.resumed {
            return file.header.task;
        }
        let mirrored = self.symmetry && self.rules.is_antisymmetric();
        let Self { rules, points, method, keep_strategies, .. } = *self;
        Task { rules, points, method, mirrored, keep_strategies }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let task = self.task();
        if !task.method.is_available() {
            return Err(Error::Method(MethodError::Missing { method: task.method.to_string() }));
        }
        GameError::check_points(task.points, Self::MOST_POINTS)?;
        Ok(Self::check_memory(&task, self.memory_limit)?)
    }

    pub(super) fn check_memory(task: &Task, limit: u64) -> Result<(), WorkError> {
        let [a, b] = task.points;
        WorkError::check_memory(
            || format!("a game of {a}:{b} points"),
            Self::memory_of(task),
            limit,
        )
    }

    pub fn memory(&self) -> u64 {
        Self::memory_of(&self.task())
    }

    fn memory_of(task: &Task) -> u64 {
        // Six tables of eight bytes, two of which serve both players where their views agree. Kept
        // strategies take, as measured, ten bytes a bid and some 0.08 · points of the poorer player
        // bids a state, and their offsets.
        let [a, b] = task.points.map(|points| f64::from(points) + 1.0);
        let states = task.rules.positions() as f64 * a * b;
        let strategies = if task.keep_strategies { 8.0 + 0.08 * a.min(b) * 10.0 } else { 0.0 };
        let tables = if task.views_shared() { 32.0 } else { 48.0 };
        (states * (tables + strategies)) as u64
    }
}

/// The state of an interrupted solve.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'s> {
    tables: &'s Tables,
}

impl Checkpoint<'_> {
    /// Writes a [`TableFile`] of the layers solved so far.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let tables = self.tables;
        let strategies = |state| {
            kept_strategies(tables, state)
                .ok_or_else(|| io::Error::other("there are no strategies"))
        };
        table_file::write(
            tables,
            if tables.strategies.is_some() { Some(&strategies) } else { None },
            &mut out,
        )
    }
}

impl Observer<Sweep> for Solver<'_> {
    fn progress(&mut self, _: &Sweep, share: f64) -> ControlFlow<()> {
        (self.progress.get())(share)
    }

    fn checkpoint(
        &mut self,
        sweep: &Sweep,
        _: Option<&<Sweep as Layered>::Part>,
        kind: CheckpointKind,
    ) {
        if let Some(checkpoint) =
            self.checkpoint.as_mut().filter(|checkpoint| checkpoint.takes(kind))
        {
            checkpoint.write(|write| write(&Checkpoint { tables: &sweep.tables }));
        }
    }
}

/// A watch of work without checkpoints.
struct Watched<'o, 'w>(&'o mut Watch<'w>);

impl Observer<Sweep> for Watched<'_, '_> {
    fn progress(&mut self, _: &Sweep, share: f64) -> ControlFlow<()> {
        (self.0)(share)
    }

    fn checkpoint(&mut self, _: &Sweep, _: Option<&<Sweep as Layered>::Part>, _: CheckpointKind) {}
}

#[cfg(all(test, not(any(feature = "lp", feature = "threads"))))]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_part_of_the_build_is_refused() {
        let solver = || Solver::new(&Rules::tennis()).points([3, 3]);
        let refusal = |solver: Solver<'_>| solver.solve().unwrap_err().to_string();
        assert_eq!(
            refusal(solver().method(Method::Lp)),
            "the method lp is not part of this build, which was made without the feature lp"
        );
        assert_eq!(
            refusal(solver().threads(2)),
            "2 threads are not possible; expected 1 without the feature threads"
        );
        assert_eq!(solver().threads(1).solve().unwrap().value("3:3@0".parse().unwrap()), Ok(0.0));
    }
}
