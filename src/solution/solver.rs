//! How a game is to be solved.

use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::thread;

use crate::induction::{Method, Progress, Sweep};
use crate::{Error, Player, Rules, Solution};

/// Solves a game: rules, points and the way to do it.
///
/// ```
/// use std::ops::ControlFlow;
/// use pencil_tennis::{Method, Rules, Solver};
///
/// let solution = Solver::new(Rules::tennis())
///     .points(8, 5)
///     .method(Method::Lp)
///     .threads(2)
///     .on_progress(|progress| {
///         assert!(progress.states <= progress.of_states);
///         ControlFlow::Continue(())
///     })
///     .solve()?;
/// assert!(solution.value("8:5@0".parse()?)? > 0.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub struct Solver<'p> {
    rules: Rules,
    points: [u32; 2],
    method: Method,
    threads: Option<usize>,
    symmetry: bool,
    exact_bits: Option<usize>,
    memory_limit: u64,
    progress: Box<dyn FnMut(Progress) -> ControlFlow<()> + 'p>,
}

impl<'p> Solver<'p> {
    /// The most points a player can start with.
    pub const MOST_POINTS: u32 = u16::MAX as u32;

    /// The most threads: far more than any machine has work for.
    pub const MOST_THREADS: usize = 256;

    /// The memory a solve may take unless [`memory_limit`](Self::memory_limit) says otherwise: 8 GiB.
    pub const MEMORY_LIMIT: u64 = 8 << 30;

    /// The usual limit of [`exact`](Self::exact).
    pub const EXACT_BITS: usize = 4_096;

    /// A solver for these rules with 50 points each, the default method and as many threads as the machine has.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            points: [50, 50],
            method: Method::default(),
            threads: None,
            symmetry: true,
            exact_bits: None,
            memory_limit: Self::MEMORY_LIMIT,
            progress: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// The points both players start with; every state with at most these points is solved.
    #[must_use]
    pub fn points(mut self, a: u32, b: u32) -> Self {
        self.points = [a, b];
        self
    }

    /// How the matrix games are solved.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// The number of threads. The result is the same, to the byte, for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Whether a state may take over the solution of its mirror image where the scoring is antisymmetric (default: yes).
    ///
    /// Switching it off costs twice the time and proves, or refutes, that the symmetry is rightly used.
    #[must_use]
    pub fn use_symmetry(mut self, symmetry: bool) -> Self {
        self.symmetry = symmetry;
        self
    }

    /// Also finds exact values and strategies, of every state whose value has a denominator of at most `limit_bits` bits.
    ///
    /// Denominators grow about tenfold for every two points (see `docs/theory.md`), so that no limit makes 50 points exact.
    /// [`Self::EXACT_BITS`] is a good one: some 1,200 decimal digits.
    ///
    /// ```
    /// use pencil_tennis::{Rules, Solver};
    ///
    /// let solution = Solver::new(Rules::tennis()).points(8, 8).exact(Solver::EXACT_BITS).solve()?;
    /// let exact = solution.exact("7:8@1".parse()?)?.expect("small enough");
    /// assert_eq!(exact.value.to_string(), "-47/83");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    #[must_use]
    pub fn exact(mut self, limit_bits: usize) -> Self {
        self.exact_bits = Some(limit_bits);
        self
    }

    /// The memory the solution may take, in bytes.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// A callback that hears of the progress after every layer (and about twice a second in long ones), on the calling thread, and may cancel.
    #[must_use]
    pub fn on_progress(mut self, progress: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Solves every state.
    ///
    /// Time grew eightfold from 50 to 100 points and twelvefold from 100 to 200, memory with the square (tables) and the third power (strategies).
    ///
    /// # Errors
    /// [`Error::NoPoints`], [`Error::TooManyPoints`], [`Error::Memory`], [`Error::ThreadCount`], [`Error::Threads`], and
    /// [`Error::Cancelled`] when the progress callback breaks.
    pub fn solve(mut self) -> Result<Solution, Error> {
        self.check()?;
        let threads = match self.threads {
            Some(threads) if threads == 0 || threads > Self::MOST_THREADS => {
                return Err(Error::ThreadCount { threads, most: Self::MOST_THREADS });
            }
            Some(threads) => threads,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        };
        let mirrored = self.symmetry && self.rules.scoring().is_antisymmetric();
        let mut sweep = Sweep::new(self.rules, self.points, self.method, mirrored, self.exact_bits);
        sweep.run(threads, &mut self.progress)?;
        Ok(Solution::new(sweep))
    }

    fn check(&self) -> Result<(), Error> {
        for (player, points) in Player::BOTH.into_iter().zip(self.points) {
            if points == 0 {
                return Err(Error::NoPoints { player });
            }
        }
        let bytes = self.memory();
        let [a, b] = self.points;
        if bytes > self.memory_limit {
            return Err(Error::Memory { a, b, bytes, limit: self.memory_limit });
        }
        if let Some(points) = self.points.into_iter().find(|&points| points > Self::MOST_POINTS) {
            return Err(Error::TooManyPoints { points, most: Self::MOST_POINTS });
        }
        Ok(())
    }

    /// About how many bytes the solution will take.
    pub fn memory(&self) -> u64 {
        // Four tables of eight bytes, and supports of ten bytes a bid: some 0.08 · points of the poorer player a state, as measured.
        let [a, b] = self.points.map(|points| f64::from(points) + 1.0);
        let states = self.rules.positions() as f64 * a * b;
        let supports = 0.08 * a.min(b) * states;
        (states * 32.0 + supports * 10.0) as u64
    }
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver")
            .field("rules", &self.rules)
            .field("points", &self.points)
            .field("method", &self.method)
            .field("threads", &self.threads)
            .field("symmetry", &self.symmetry)
            .field("exact_bits", &self.exact_bits)
            .field("memory_limit", &self.memory_limit)
            .finish_non_exhaustive()
    }
}
