//! Solving a game.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::Duration;

use super::table_file::{TableFile, write_tables};
use super::{Solution, SolveSettings};
use crate::error::{Error, MethodError};
use crate::game::{GameError, Rules, StateSpace};
#[cfg(any(test, feature = "mpi"))]
use crate::induction::TraceCallback;
use crate::induction::{Method, Progress, Sweep, Tables, Task, run_sweep, solve_exactly};
use crate::layers::{Layered, Observer, ThreadSolver};
use crate::work::{Callback, Checkpointing, Threads, WorkError, setters};

type WriteCheckpoint<'p> = dyn FnMut(&Checkpoint<'_>) + 'p;

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
///     .on_progress(|progress| {
///         assert!(progress.states <= progress.of_states);
///         ControlFlow::Continue(())
///     })
///     .solve()?;
/// assert!(solution.value("8:5@0".parse()?)? > 0.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[must_use = "nothing is solved before `solve`"]
#[derive(Debug)]
pub struct Solver<'p> {
    pub(super) rules: Rules,
    pub(super) points: [u32; 2],
    pub(super) settings: SolveSettings,
    symmetry: bool,
    pub(super) exact_bits: Option<usize>,
    keep_strategies: bool,
    pub(super) resumed: Option<TableFile>,
    pub(super) checkpoint: Option<Checkpointing<WriteCheckpoint<'p>>>,
    #[cfg(any(test, feature = "mpi"))]
    pub(super) trace: Option<Callback<TraceCallback<'p>>>,
    progress: Callback<dyn FnMut(Progress) -> ControlFlow<()> + 'p>,
}

impl<'p> Solver<'p> {
    /// The most points of a player.
    pub const MOST_POINTS: u32 = u16::MAX as u32;

    /// The most threads: far more than any machine has work for.
    pub const MOST_THREADS: usize = Threads::MOST;

    /// The default memory limit: 8 GiB.
    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// The usual limit of [`exact`](Self::exact).
    pub const EXACT_BITS: usize = 4_096;

    /// 50 points each, the default method, as many threads as the machine has.
    pub fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            points: [50, 50],
            settings: SolveSettings::default(),
            symmetry: true,
            exact_bits: None,
            keep_strategies: true,
            resumed: None,
            checkpoint: None,
            #[cfg(any(test, feature = "mpi"))]
            trace: None,
            progress: Callback(Box::new(|_| ControlFlow::Continue(()))),
        }
    }

    setters! {
        /// Goes on from a checkpoint, with its game and method, whatever is set, to the same bytes as without the interruption.
        ///
        /// The checkpoint is proved first; without strategies it is believed, and the solution is not [proved](Solution::is_proved).
        /// Exact values of its states are worked out anew from its bounds.
        ///
        /// ```
        /// use std::ops::ControlFlow;
        /// use std::time::Duration;
        /// use pencil_tennis::{Rules, Solver, TableFile, WorkError};
        ///
        /// let path = std::env::temp_dir().join("pencil-tennis-checkpoint-example");
        /// let stopped = Solver::new(&Rules::tennis())
        ///     .points([20, 20])
        ///     .on_progress(|progress| if progress.work < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
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

        /// The points of A and B at the start.
        points(points: [u32; 2]) => points = points;

        /// The method, the threads and the memory limit.
        settings(settings: SolveSettings) => settings = settings;

        /// Sets [`SolveSettings::method`].
        method(method: Method) => settings.method = method;

        /// Sets [`SolveSettings::threads`].
        threads(threads: usize) => settings.threads = Some(threads);

        /// Whether a state may take over the solution of its mirror image where the scoring is antisymmetric (default: yes).
        /// Switching it off takes twice the time and tests that the symmetry is rightly used.
        use_symmetry(symmetry: bool) => symmetry = symmetry;

        /// Also finds exact values and strategies where the value's denominator has at most `limit_bits` bits. Denominators grow
        /// about tenfold for every two points (see `docs/theory.md`): no limit makes 50 points exact. [`Self::EXACT_BITS`] is a good
        /// one, some 1,200 digits.
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

        /// Whether the strategies of all states are kept (default: yes). Otherwise [`Solution::equilibrium`] finds a state's again
        /// from the values of later states, in microseconds to a second, instead of gigabytes of memory for all.
        ///
        /// ```
        /// use pencil_tennis::{Rules, Solver};
        ///
        /// let solution = Solver::new(&Rules::tennis()).points([12, 12]).keep_strategies(false).solve()?;
        /// assert!((solution.equilibrium("4:3@-2".parse()?)?.a.probability(3) - 0.6).abs() < 1e-15);
        /// # Ok::<(), pencil_tennis::Error>(())
        /// ```
        keep_strategies(keep: bool) => keep_strategies = keep;

        /// A callback for checkpoints, at this interval at least and every 32nd layer at most; also when the solve is cancelled.
        /// Write beside the file's place and rename, as `report::write_file` does.
        on_checkpoint(every: Duration, write: impl FnMut(&Checkpoint<'_>) + 'p) =>
            checkpoint = Some(Checkpointing::new(every, Box::new(write)));

        /// Sets [`SolveSettings::memory_limit`].
        memory_limit(bytes: u64) => settings.memory_limit = bytes;

        /// A callback that hears of the progress after every layer (and about twice a second in long ones), on the calling thread,
        /// and may cancel.
        on_progress(progress: impl FnMut(Progress) -> ControlFlow<()> + 'p) => progress = Callback(Box::new(progress));
    }

    /// Solves every state.
    ///
    /// Time grows with the fourth power of the points or a little less (from 100 to 200 points elevenfold), memory with the
    /// square (tables) and the third power (strategies).
    ///
    /// # Errors
    /// [`MethodError::Missing`], [`crate::GameError::NoPoints`], [`crate::GameError::TooManyPoints`],
    /// [`crate::WorkError::Memory`], [`crate::WorkError::ThreadCount`], [`crate::WorkError::Threads`], and
    /// [`crate::WorkError::Cancelled`] when the progress callback breaks.
    pub fn solve(mut self) -> Result<Solution, Error> {
        self.rules.check_even_handed("a solution")?;
        self.run()
    }

    /// Solves every state, whomever the rules favour.
    pub(super) fn run(&mut self) -> Result<Solution, Error> {
        self.check()?;
        let threads = Threads::start(Threads::checked(self.settings.threads)?)?;
        let tables = match self.resumed.take() {
            Some(file) => {
                // What it builds on is proved before, which is a small part of the work.
                let Task { rules, points, .. } = file.task();
                let nothing = Progress::nothing_of(StateSpace::new(&rules, points));
                let mut tables = file.into_tables(self.settings.memory_limit, &mut |_| (self.progress.0)(nothing))?;
                if let Some(bits) = self.exact_bits {
                    solve_exactly(&mut tables, bits);
                }
                tables
            }
            None => Tables::new(self.task(), self.exact_bits),
        };
        let (tables, seconds) = run_sweep(tables, &mut ThreadSolver::new(&threads), self)?;
        Ok(Solution::new(tables, seconds, self.settings.threads))
    }

    pub(super) fn task(&self) -> Task {
        if let Some(file) = &self.resumed {
            return file.task();
        }
        let mirrored = self.symmetry && self.rules.is_antisymmetric();
        let Self { rules, points, settings, keep_strategies, .. } = *self;
        Task { rules, points, method: settings.method, mirrored, keep_strategies }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let Task { points, method, .. } = self.task();
        if !method.is_available() {
            return Err(Error::Method(MethodError::Missing { method: method.to_string() }));
        }
        GameError::check_points(points, Self::MOST_POINTS)?;
        let bytes = self.memory();
        let [a, b] = points;
        WorkError::check_memory(|| format!("a game of {a}:{b} points"), bytes, self.settings.memory_limit)?;
        Ok(())
    }

    /// The approximate bytes of the solution.
    pub fn memory(&self) -> u64 {
        Self::memory_of(&self.task())
    }

    pub(super) fn memory_of(task: &Task) -> u64 {
        // Six tables of eight bytes, of which two serve both players where they see the same. Where strategies are kept, their
        // places and ten bytes a bid: some 0.08 · points of the poorer player a state, as measured.
        let [a, b] = task.points.map(|points| f64::from(points) + 1.0);
        let states = task.rules.positions() as f64 * a * b;
        let strategies = if task.keep_strategies { 8.0 + 0.08 * a.min(b) * 10.0 } else { 0.0 };
        let tables = if task.views_shared() { 32.0 } else { 48.0 };
        (states * (tables + strategies)) as u64
    }
}

/// A checkpoint to resume.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'s> {
    tables: &'s Tables,
}

impl Checkpoint<'_> {
    /// Writes a [`TableFile`] of what is solved so far.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        write_tables(self.tables, &mut out)
    }
}

impl Observer<Sweep> for Solver<'_> {
    fn progress(&mut self, sweep: &Sweep, share: f64) -> ControlFlow<()> {
        (self.progress.0)(sweep.progress(share))
    }

    fn checkpoint(&mut self, sweep: &Sweep, _: Option<&<Sweep as Layered>::Part>, cancelled: bool) {
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.note(cancelled, |write| write(&Checkpoint { tables: &sweep.tables }));
        }
    }
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
        assert_eq!(refusal(solver().threads(2)), "2 threads are not possible; expected 1 without the feature threads");
        assert_eq!(solver().threads(1).solve().unwrap().value("3:3@0".parse().unwrap()), Ok(0.0));
    }
}
