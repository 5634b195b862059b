//! The solution of a game.

#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod bid_strategy;
mod certificate_file;
mod digits;
mod limit;
mod refined;
#[cfg(any(test, feature = "mpi"))]
mod solve_on;
mod solver;
mod state_equilibrium;
mod table_file;
mod uniqueness;

pub use bid_strategy::BidStrategy;
pub use digits::Digits;
pub use limit::Limit;
pub use solver::{Checkpoint, Solver};
pub use state_equilibrium::{Exact, StateEquilibrium};
pub use table_file::TableFile;

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use self::table_file::StoredTable;
use crate::bounds::{Bounds, Enclosure};
use crate::certificate::Proof;
use crate::error::Error;
use crate::game::{Ball, GameError, Payoff, Player, Rules, State, nearest_double};
use crate::induction::{Method, Seconds, Tables, solve_again};
use crate::matrix_game::Matrix;
use crate::work::{Threads, Watch, WorkError};

/// A solved game: every state's value, guaranteed bounds and both optimal strategies.
///
/// ```
/// let solution = pencil_tennis::solve(10)?;
/// let equilibrium = solution.equilibrium("4:3@-2".parse()?)?;
/// assert_eq!(equilibrium.value, -0.2);
/// assert!((equilibrium.a.probability(2) - 0.4).abs() < 1e-15);
/// assert!(solution.value("11:3@0".parse()?).is_err(), "only states up to 10:10 are solved");
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solution {
    tables: Tables,
    seconds: Seconds,
    /// The threads for long queries; `None` for as many as the machine has.
    threads: Option<usize>,
    stored: Option<Arc<StoredTable>>,
}

fn kept_strategies(tables: &Tables, state: State) -> Option<[BidStrategy; 2]> {
    let pair = tables.strategies.as_ref()?.get(tables.order.space.index(state))?;
    Some(pair.map(|(bids, weights)| BidStrategy::new(bids, weights)))
}

impl Solution {
    pub(crate) const fn new(tables: Tables, seconds: Seconds, threads: Option<usize>) -> Self {
        Self { tables, seconds, threads, stored: None }
    }

    /// Sets the number of threads for long queries ([`digits`](Self::digits),
    /// [`prove`](Self::prove), [`refined_equilibria`](Self::refined_equilibria),
    /// [`PolicyEvaluation`](crate::analysis::PolicyEvaluation)); the default is that of the
    /// [`Solver`]. No answer depends on it.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), WorkError> {
        self.threads = Some(Threads::checked(Some(threads))?);
        Ok(())
    }

    pub(crate) fn start_threads(&self) -> Result<Threads, WorkError> {
        Threads::start(Threads::checked(self.threads)?)
    }

    pub(crate) const fn tables(&self) -> &Tables {
        &self.tables
    }

    pub const fn rules(&self) -> &Rules {
        &self.tables.rules
    }

    /// The points of A and B at the start, the most that a solved state has.
    pub const fn points(&self) -> [u32; 2] {
        self.tables.order.space.points()
    }

    /// The start: all points and the ball on the net.
    pub const fn start(&self) -> State {
        let [a, b] = self.points();
        State::new(a, b, Ball::NET)
    }

    pub const fn method(&self) -> Method {
        self.tables.method
    }

    pub const fn seconds(&self) -> Seconds {
        self.seconds
    }

    pub fn check(&self, state: State) -> Result<(), GameError> {
        self.tables.order.space.check(state)
    }

    /// The value to A, as the nearest double: the middle of its [`enclosure`](Self::enclosure), or
    /// the payoff whose bounds these are. O(1).
    pub fn value(&self, state: State) -> Result<f64, GameError> {
        self.check(state)?;
        Ok(self.value_within(self.enclosure_of(state)))
    }

    /// Guaranteed bounds of the value; for a solution from a file only if it [is
    /// proved](Self::is_proved). O(1).
    pub fn enclosure(&self, state: State) -> Result<Enclosure, GameError> {
        self.check(state)?;
        Ok(self.enclosure_of(state))
    }

    /// Both optimal mixed strategies; at an ended state both players "bid" 0. O(support), unless
    /// strategies must be [recomputed](Solver::keep_strategies) or read from a [`TableFile`].
    ///
    /// # Errors
    /// [`Error::TableFile`] if the file has become unreadable, or contradicts itself at this state.
    pub fn equilibrium(&self, state: State) -> Result<StateEquilibrium, Error> {
        self.check(state)?;
        let strategies = self.strategies(self.tables.order.representative(state))?;
        Ok(self.equilibrium_of(state, strategies))
    }

    /// The equilibrium of a state by the strategies of its representative.
    fn equilibrium_of(&self, state: State, strategies: [BidStrategy; 2]) -> StateEquilibrium {
        let [mut a, mut b] = strategies;
        if self.tables.order.representative(state) != state {
            std::mem::swap(&mut a, &mut b);
        }
        let enclosure = self.enclosure_of(state);
        StateEquilibrium::usual(state, self.value_within(enclosure), enclosure, a, b)
    }

    fn strategies(&self, state: State) -> Result<[BidStrategy; 2], Error> {
        if self.rules().outcome(state).is_some() {
            return Ok([(); 2].map(|()| BidStrategy::pure(0)));
        }
        if let Some(stored) = self.stored_strategies() {
            return table_file::named(&stored.path, || {
                let strategies = stored.read(state)?;
                if !self.is_proved() {
                    table_file::check_secured(&self.tables, state, &strategies, &mut Vec::new())?;
                }
                Ok(strategies)
            });
        }
        let strategies =
            kept_strategies(&self.tables, state).unwrap_or_else(|| self.strategies_again(state));
        if let Some(stored) = self.stored.as_deref().filter(|_| !self.is_proved()) {
            table_file::named(&stored.path, || {
                table_file::check_agrees(&self.tables, state, &strategies)
            })?;
        }
        Ok(strategies)
    }

    fn stored_strategies(&self) -> Option<&StoredTable> {
        self.stored.as_deref().filter(|stored| stored.has_strategies())
    }

    /// Recomputes the strategies of a representative that is not ended from the values of its
    /// successors.
    fn strategies_again(&self, state: State) -> [BidStrategy; 2] {
        let lowest = self.tables.lowest_bids(state).map(|bid| bid as u32);
        let [a, b] = solve_again(&self.tables, state);
        [BidStrategy::from_dyadic(&a, lowest[0]), BidStrategy::from_dyadic(&b, lowest[1])]
    }

    /// Whether the strategies of all states are kept, in memory or in a file; otherwise they are
    /// [recomputed](Solver::keep_strategies).
    pub fn keeps_strategies(&self) -> bool {
        self.stored_strategies().is_some() || self.tables.strategies.is_some()
    }

    /// Whether this program has proved all bounds from the rules.
    ///
    /// Bounds from a [`TableFile`], and those of a solve resumed from a
    /// [checkpoint](Solver::resume) without strategies, are unproved until [`Self::prove`] is
    /// called, and so are all answers that follow from them. A file's strategies are checked
    /// against the successors' bounds when they are read; recomputed ones must not contradict the
    /// file's bounds. [`Self::digits`] and a [certificate](Self::certificate) are always proved.
    pub const fn is_proved(&self) -> bool {
        self.tables.proved
    }

    /// Proves all bounds, after which the solution [is proved](Self::is_proved).
    ///
    /// A state's bounds follow from its strategies and the successors' bounds; without strategies
    /// the game is solved again, and the bounds must contain the new ones.
    ///
    /// *Complexity.* O(Σ support · bids) over all states: 0.4 of a solve at 100 points, 0.3 at 200.
    /// Or a solve.
    ///
    /// # Errors
    /// [`Error::TableFile`] with the first state whose bounds are not proved.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use pencil_tennis::TableFile;
    ///
    /// let path = std::env::temp_dir().join("pencil-tennis-proof-example");
    /// pencil_tennis::solve(12)?.write_table(std::fs::File::create(&path)?)?;
    /// let mut solution = TableFile::open(&path)?.into_solution()?;
    /// assert!(!solution.is_proved());
    /// let proof = solution.prove(&mut |_| ControlFlow::Continue(()))?;
    /// assert!(solution.is_proved());
    /// assert_eq!(proof.enclosure(proof.start())?, solution.enclosure(solution.start())?);
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prove(&mut self, watch: &mut Watch<'_>) -> Result<Proof, Error> {
        let path = self.stored.as_ref().map_or(Path::new(""), |stored| &stored.path);
        table_file::named(path, || {
            if !self.keeps_strategies() {
                return table_file::prove_by_solving(&self.tables, watch);
            }
            // A file's strategies are checked here, once.
            let stored = self.stored_strategies();
            let strategies =
                |state| stored.map_or_else(|| self.strategies(state), |stored| stored.read(state));
            table_file::prove_by_strategies(&self.tables, strategies, &self.start_threads()?, watch)
        })?;
        self.tables.proved = true;
        let bounds = self.states().map(|state| self.tables.bounds_at(state)).collect();
        Ok(Proof::new(*self.rules(), self.points(), self.tables.scale.exponent, bounds))
    }

    /// Writes a [`TableFile`], with strategies if they are [kept](Self::keeps_strategies). Fails if
    /// the writer or the file read fails.
    pub fn write_table(&self, mut out: impl Write) -> io::Result<()> {
        let strategies = |state| self.strategies(state).map_err(io::Error::other);
        table_file::write(
            &self.tables,
            if self.keeps_strategies() { Some(&strategies) } else { None },
            &mut out,
        )
    }

    /// The matrix game over the values of the successors and the payoffs of ends, as the nearest
    /// doubles: rows are A's bids, columns B's, payoffs to A. O(bids²).
    ///
    /// ```
    /// use pencil_tennis::matrix_game::Payoffs;
    ///
    /// let solution = pencil_tennis::solve(4)?;
    /// let game = solution.stage_game("4:3@-2".parse()?)?;
    /// assert_eq!((game.rows(), game.columns()), (4, 3));
    /// assert_eq!(game.entry(0, 1), -2.0, "A bids 1, B bids 2");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn stage_game(&self, state: State) -> Result<Matrix, Error> {
        self.check(state)?;
        let rules = self.rules();
        let row = |bid_a| {
            rules.legal_bids(state.b).map(|bid_b| self.payoff_after(state, bid_a, bid_b)).collect()
        };
        Ok(Matrix::from_rows(&rules.legal_bids(state.a).map(row).collect::<Vec<Vec<f64>>>())?)
    }

    pub(crate) fn payoff_after(&self, state: State, bid_a: u32, bid_b: u32) -> f64 {
        let next = self.rules().next(state, bid_a, bid_b);
        self.rules()
            .payoff(next)
            .map_or_else(|| self.value_within(self.enclosure_of(next)), nearest_double)
    }

    /// The expected loss of each legal bid, rising, against the other's optimal strategy, with
    /// optimal play afterwards: at least 0, and 0 for a best bid (up to rounding). O(bids ·
    /// support).
    pub(crate) fn bid_losses(
        &self,
        state: State,
        player: Player,
    ) -> Result<Vec<(u32, f64)>, Error> {
        /// A sum of fewer than 2¹⁰ products, each rounded by at most 2⁻⁵³ of the largest payoff.
        const ROUNDING: f64 = 1024.0 * f64::EPSILON;
        let StateEquilibrium { value, a, b, .. } = self.equilibrium(state)?;
        let opponent = if player == Player::A { b } else { a };
        let payoff = |bid: u32, reply: u32| {
            if player == Player::A {
                self.payoff_after(state, bid, reply)
            } else {
                -self.payoff_after(state, reply, bid)
            }
        };
        let best = if player == Player::A { value } else { -value };
        let largest = nearest_double(self.rules().scoring().magnitude());
        let loss = |bid| {
            let mean: f64 =
                opponent.probabilities().map(|(reply, share)| share * payoff(bid, reply)).sum();
            let loss = best - mean;
            (bid, if loss > ROUNDING * largest { loss } else { 0.0 })
        };
        Ok(self.rules().legal_bids(state.points(player)).map(loss).collect())
    }

    /// All states, by A's points, then B's, then the ball.
    pub fn states(&self) -> impl ExactSizeIterator<Item = State> + use<> {
        self.tables.order.space.states()
    }

    /// The equilibria of all states in the order of [`Self::states`]. Strategies that a
    /// [`TableFile`] no longer gives are recomputed; [`Self::equilibrium`] reports the fault.
    pub fn equilibria(&self) -> impl Iterator<Item = StateEquilibrium> {
        self.states().map(|state| self.certain_equilibrium(state))
    }

    pub(crate) fn certain_equilibrium(&self, state: State) -> StateEquilibrium {
        let representative = self.tables.order.representative(state);
        let strategies = self
            .strategies(representative)
            .unwrap_or_else(|_| self.strategies_again(representative));
        self.equilibrium_of(state, strategies)
    }

    /// The number of states in which a player randomises. O(1).
    pub const fn randomised_states(&self) -> usize {
        self.tables.checkpoint.randomised as usize
    }

    /// The largest [`width`](Enclosure::width) of any state's enclosure. O(1).
    pub fn widest_enclosure(&self) -> f64 {
        Enclosure::of_width(self.tables.widest, self.tables.scale.exponent).width()
    }

    /// The value within bounds: a payoff that is no multiple of the unit, if these are its bounds,
    /// else the middle.
    fn value_within(&self, enclosure: Enclosure) -> f64 {
        let Bounds { lower, upper } = enclosure.integers();
        let scale = self.tables.scale;
        let is_between =
            |payoff: &&Payoff| scale.floor(**payoff) == lower && scale.ceil(**payoff) == upper;
        let payoff =
            self.rules().scoring().payoffs().iter().find(is_between).filter(|_| lower < upper);
        payoff.map_or_else(|| enclosure.middle(), |&payoff| nearest_double(payoff))
    }

    pub(crate) fn enclosure_of(&self, state: State) -> Enclosure {
        Enclosure::proved(self.tables.bounds_at(state), self.tables.scale.exponent)
    }
}
