//! Two-player zero-sum games with simultaneous moves: stochastic games (Shapley 1953), solved with
//! proved bounds.
//!
//! A [`StochasticGame`] is put together state by state ([`StochasticGameBuilder`]), or read from
//! JSON Lines (feature `files`); a [`StochasticSolver`] makes a [`StochasticSolution`] of it.
//! Larger games are given by [`GameRules`] in code:
//!
//! ```
//! use stochastic_game::{GameRules, Node, Outcomes, StochasticSolver};
//!
//! /// Matching pennies; two heads pay A double. A state is what A has won, `None` before the
//! /// pennies are shown.
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
//! # Ok::<(), stochastic_game::Error>(())
//! ```
//!
//! Payoffs are A's, and B's are the negative; A chooses rows and maximises, B chooses columns and
//! minimises.
//!
//! # Feature flags
//!
//! * `files`: games, policies and certificates as files, and the models of model checkers
//! * `mpi`: ranked games on many machines; building it takes an MPI library and libclang
//! * `serde` (part of `files`): players as text and as fields of objects
//! * `threads` (default): more threads than the calling one

#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

mod atomic_file;
mod best_payoffs;
pub mod bounds;
mod codec;
mod cycles;
mod distributed;
mod error;
mod exact;
mod excerpt;
mod explore;
mod gate;
mod judge;
mod layers;
mod matrix_game;
mod model;
#[cfg(feature = "files")]
pub mod model_checking;
mod player;
mod proof;
mod published;
mod ranked;
mod sealed;
mod solution;
mod solver;
mod sweep;
mod symmetry;
mod values;
mod width_reason;
mod work;
mod written_as;

pub use ::matrix_game::{MatrixError, Watch, WorkError, unwatched};
pub use best_payoffs::{BestPayoff, Certainty};
pub use bounds::{Bounds, Enclosure};
pub use error::{
    ActionsFault, DiscountFault, DistributedError, Error, LineFault, PlayerError,
    StochasticGameError, StochasticGameFault, TableFault,
};
pub use exact::StochasticExact;
pub use judge::{PolicyJudgement, PolicyNumbers, StateJudgement, StationaryPolicy};
pub use model::{
    CellTable, Exact, GameRules, Kind, Node, Outcomes, StateView, StochasticGame,
    StochasticGameBuilder, Successor, Turn,
};
pub use player::{ByPlayer, Player};
pub use proof::{StochasticCheckpoint, ValueBound, ValueComparison};
pub use ranked::{LayerFolder, RankedRules, RankedSolution, Stages};
pub use solution::StochasticSolution;
pub use solver::StochasticSolver;
pub use values::StochasticProof;
/// Big integers and fractions, which appear in signatures of this crate.
pub use {num_bigint, num_rational};

/// The border: what the crate of Tennis builds on, hidden because it is made for it and may change
/// with every version. Its modules name what each takes.
#[doc(hidden)]
pub mod internal {
    #[cfg(feature = "files")]
    pub use crate::atomic_file::read_whole;
    pub use crate::atomic_file::{AtomicFile, folder_of, remove_orphans};
    pub use crate::codes;
    #[cfg(feature = "files")]
    pub use crate::error::object::{Fault, Field, Object};
    pub use crate::excerpt::{Expected, Quoted, sentence};
    #[cfg(feature = "serde")]
    pub use crate::model::exact_number;
    pub use crate::model::{CellView, Outcome};
    #[cfg(feature = "files")]
    pub use crate::model_checking::{SIGNIFICANT, digits, nearest, simplest};
    pub use crate::player::SecuredBounds;
    #[cfg(feature = "files")]
    pub use crate::tell;

    /// Numbers read from bytes.
    pub mod codec {
        pub use crate::codec::{Bytes, EndsEarly};
    }

    /// Work in layers.
    pub mod layers {
        pub use crate::layers::{LayerSolver, Layered, Observer, Piece, ThreadSolver, run};
    }

    /// Layers on several processes.
    pub mod distributed {
        #[cfg(feature = "mpi")]
        pub use crate::distributed::Communicating;
        pub use crate::distributed::{
            Exchanged, RankObserver, RankSolver, Ranks, agree, check_program, check_same,
            threads_as_ranks,
        };
    }

    /// Files with checksums.
    pub mod sealed {
        pub use crate::sealed::{
            Format, SealFault, SealedReader, SealedWriter, only, seal, unsealed,
        };
    }
}

/// The README's program is a test, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
