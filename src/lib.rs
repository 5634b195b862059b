//! Exact solver of simultaneous-move games: two players with opposite payoffs choose at the same
//! time, and both know everything else. Every state is a zero-sum matrix game over the values of
//! its successors. This crate computes each state's value, optimal mixed strategies, and bounds of
//! the value that are *proved* in integer arithmetic.
//!
//! To solve a game of your own, implement [`GameRules`](stochastic_game::GameRules):
//!
//! ```
//! use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes, StochasticSolver};
//!
//! /// Matching pennies; two heads pay A double. A state is what A has won, `None` before the pennies are shown.
//! struct Pennies;
//!
//! impl GameRules for Pennies {
//!     type State = Option<i32>;
//!
//!     fn starts(&self) -> Vec<Option<i32>> {
//!         vec![None]
//!     }
//!
//!     fn node(&self, won: &Option<i32>) -> Node {
//!         match won {
//!             None => Node::Choose { a: 2, b: 2 },
//!             Some(won) => Node::over(*won),
//!         }
//!     }
//!
//!     fn after(&self, _: &Option<i32>, a: usize, b: usize, next: &mut Outcomes<Option<i32>>) {
//!         next.to(Some([[2, -1], [-1, 1]][a][b]));
//!     }
//! }
//!
//! let solution = StochasticSolver::new(Pennies).solve()?;
//! assert_eq!(solution.value(&None)?, 0.2);
//! assert!(solution.enclosure(&None)?.width() < 1e-17);
//! assert_eq!(solution.strategies(&None)?[0], [(0, 0.4), (1, 0.6)]);
//! # Ok::<(), pencil_tennis::Error>(())
//! ```
//!
//! The crate does most for the pencil game Tennis. Two players spend points in simultaneous bids;
//! the higher bid hits the ball over the net or one field further:
//!
//! ```
//! use pencil_tennis::State;
//!
//! let solution = pencil_tennis::solve(50)?;
//! let state: State = "50:50@-1".parse()?;
//! assert_eq!(solution.value(state)?, -0.757168758003445);
//!
//! let opening = solution.equilibrium(solution.start())?.a;
//! assert_eq!(opening.probabilities().map(|(bid, _)| bid).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
//! # Ok::<(), pencil_tennis::Error>(())
//! ```
//!
//! # Conventions
//!
//! A maximises and picks the row, B minimises and picks the column; payoffs and values are A's. A
//! ball above 0 lies on B's side. A [`State`] is written `POINTS_A:POINTS_B@BALL`. With points left
//! a bid is at least 1, with none it is 0.
//!
//! # What to use
//!
//! * [`stochastic_game`] for a game of your own: as rules in code, put together state by state, or
//!   read from a file
//! * [`hidden`] for a game with hidden information, such as poker: as rules in code or as a tree
//! * [`solve`] for Tennis, [`Solver`] for other rules, unequal points, threads, progress, exact
//!   numbers
//! * [`Solution`] for values, [`Enclosure`]s, strategies, [`Exact`] fractions, [`Digits`],
//!   certificates
//! * [`certificate::verify`] to check a certificate without trusting the solver
//! * [`matrix_game`] for a single matrix game that need not come from Tennis
//! * [`Policy`] for any way to bid: optimal, uniform, from weights, from a file
//! * [`GameRecord`] to replay a played game
//! * [`analysis`]: how well a policy bids and where it loses (`PolicyEvaluation`, `BestResponse`),
//!   two policies against each other (`Matchup`), pure play and where it suffices (`ForcedPlay`,
//!   `Endgame`), a match of several games (`Series`)
//! * [`agents`]: learners (`Training`; `Learner` for your own) and their progress
//!   (`LearningCurve`), a player who searches (`Lookahead`), many games between two players
//!   (`Duel`)
//! * [`blind`]: the game in which only the ball is announced (`BlindSolver`), strategies for it
//!   (`BlindPolicy`), the value of seeing the opponent's bids (`ValueOfInformation`)
//!
//! # Errors
//!
//! A fallible function returns an [`Error`], or a more specific error if it can fail in one way
//! only. A state, bid or number of points outside the game is a [`GameError`]. A policy for another
//! game, or without the requested player, is a [`PolicyError`]. Long work that lacks memory or
//! threads, or is cancelled, returns a [`WorkError`]. A function's section "Errors" names further
//! errors. Long work takes a [`Watch`] that hears of the progress and may cancel: `&mut unwatched`
//! ([`unwatched`]) where nobody does.
//!
//! # Feature flags
//!
//! The command line is a crate of its own, `pencil-tennis-cli`.
//!
//! * `report`: the module `report`: tables as csv and JSON, arrays for numpy, reports for scripts,
//!   files written safely
//! * `plot`: the module `figures`; `png` draws in pixels, too
//! * `page`: the module `page`: the page that solves in a browser
//! * `lp` (default): [`Method::Lp`], the linear programmes through `good_lp`
//! * `mpi`: a solve spread over many machines, `Solver::solve_on`; building it takes an MPI library
//!   and libclang
//! * `serde` (part of `report`): states, rules and other words as text, and results as objects
//! * `threads` (default): more threads than the calling one
//!
//! Without features the library depends on big numbers and a generator of random ones only, and
//! compiles for `wasm32-unknown-unknown`, where no time is measured.
//!
//! # Guarantees
//!
//! Nothing here panics on a user's input, prints, or exits. The same input gives the same bytes for
//! any number of threads.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod agents;
pub mod analysis;
pub mod blind;
pub mod bounds;
pub mod certificate;
mod coded;
mod error;
#[cfg(feature = "plot")]
pub mod figures;
mod game;
pub mod hidden;
mod induction;
pub mod matrix_game;
#[cfg(feature = "page")]
pub mod page;
mod policy;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "serde")]
mod serde_object;
#[cfg(feature = "serde")]
mod serde_text;
mod solution;
mod work;
mod written_as;

/// Games of any other rules.
pub use ::stochastic_game;
/// Models of model checkers.
#[cfg(feature = "report")]
#[doc(no_inline)]
pub use ::stochastic_game::model_checking;
pub use bounds::{Bounds, DecimalBounds, Enclosure};
pub use error::{
    BidsFault, CertificateFault, DistributedError, Error, MethodError, PolicyError, TableFault,
};
pub use game::{
    Ball, ByPlayer, GameError, GameRecord, HeaderFault, Motion, Outcome, Payoff, Player,
    RecordFault, Rules, Scoring, State, Turn,
};
#[cfg(any(test, feature = "mpi"))]
pub use induction::LayerTrace;
pub use induction::{Method, Seconds};
pub use matrix_game::{Refined, Uniqueness};
/// The message passing in the signature of [`Solver::solve_on`].
#[cfg(feature = "mpi")]
pub use mpi;
pub use policy::{Policy, PolicyBuilder, PolicyNumbers};
pub use solution::{
    BidStrategy, Checkpoint, Digits, Exact, Limit, Solution, Solver, StateEquilibrium, TableFile,
};
pub use work::{Watch, WorkError, unwatched};
/// Big integers and fractions, which appear in signatures of this crate.
pub use {num_bigint, num_rational};

/// Solves Tennis with `points` each: every state, with values, bounds and strategies.
///
/// ```
/// let solution = pencil_tennis::solve(7)?;
/// assert_eq!(solution.value("7:7@0".parse()?)?, 0.0);
/// assert_eq!(solution.value("7:6@1".parse()?)?, 46.0 / 41.0);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
pub fn solve(points: u32) -> Result<Solution, Error> {
    Solver::new(&Rules::tennis()).points([points, points]).solve()
}

/// The README's programs are tests, too, where there is all they use.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/hidden.md")]
struct Hidden;

// Its program asks for two threads.
#[cfg(all(doctest, feature = "threads"))]
#[doc = include_str!("../docs/large-games.md")]
struct LargeGames;
