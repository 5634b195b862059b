//! Zero-sum matrix games: the value, optimal mixed strategies of both players, and bounds of the
//! value that integer arithmetic proves.
//!
//! The row player maximises, the column player minimises; payoffs go to the row player.
//!
//! ```
//! use matrix_game::{Matrix, Simplex};
//!
//! let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
//! let equilibrium = Simplex::new().solve(&game);
//! assert!((equilibrium.value() - 1.0 / 7.0).abs() < 1e-15);
//! # Ok::<(), matrix_game::Error>(())
//! ```
//!
//! # How it works
//!
//! The game is `payoffs`, perhaps known only within bounds; its answer is an `equilibrium`.
//! `saddle_point` and `simplex` find one in floating point, over a factorised `basis`, which is
//! `dense` linear algebra; `proof` turns it into integers that prove bounds; `exact` solves in
//! rationals; `selection` and `tremble` choose among several optimal strategies.
//!
//! The module [`quick`] is for thousands of small games a second, and for programs without an
//! allocator.
//!
//! # Feature flags
//!
//! * `std` (default): everything but `quick::solve_small`, which needs `core` alone
//! * `lp`: `LinearProgramme`, the linear programme through `good_lp`, as a reference
//! * `serde`: bounds and what is found out about strategies
//! * `threads`: more threads than the calling one

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "std"), no_std)]
#![expect(
    missing_docs,
    reason = "plain accessors and fields are documented by their names and types"
)]

#[cfg(feature = "std")]
mod basis;
#[cfg(feature = "std")]
pub mod bounds;
#[cfg(feature = "std")]
mod dense;
#[cfg(feature = "std")]
mod enclosed_matrix;
#[cfg(feature = "std")]
mod enclosed_simplex;
#[cfg(feature = "std")]
mod equilibrium;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
mod exact;
#[cfg(feature = "std")]
mod excerpt;
#[cfg(feature = "std")]
mod ladder;
#[cfg(feature = "std")]
mod payoffs;
mod player;
#[cfg(feature = "std")]
mod proof;
pub mod quick;
#[cfg(feature = "std")]
mod saddle_point;
#[cfg(feature = "std")]
mod selection;
#[cfg(all(test, feature = "std"))]
mod sequence;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "std")]
mod simplex;
#[cfg(feature = "std")]
mod small;
#[cfg(feature = "std")]
mod tolerances;
#[cfg(feature = "std")]
mod tremble;
#[cfg(feature = "std")]
mod work;
#[cfg(feature = "std")]
mod written_as;

#[cfg(feature = "std")]
pub use bounds::{Bounds, DecimalBounds, Enclosure};
#[cfg(feature = "std")]
pub use equilibrium::Equilibrium;
#[cfg(feature = "std")]
pub use error::{Error, MatrixError};
#[cfg(feature = "std")]
pub use exact::{
    Action, ApproximateSolution, Dominance, Elimination, ExactSolution, PayoffSensitivity,
    Undominated, Uniqueness,
};
#[cfg(feature = "std")]
pub use payoffs::{Matrix, Payoffs};
#[cfg(feature = "std")]
pub use proof::DyadicStrategy;
#[cfg(feature = "std")]
pub use saddle_point::{SaddlePoint, saddle_point};
#[cfg(feature = "std")]
pub use selection::Refined;
#[cfg(feature = "lp")]
pub use simplex::LinearProgramme;
#[cfg(feature = "std")]
pub use simplex::Simplex;
#[cfg(feature = "std")]
pub use work::{Watch, WorkError, unwatched};

/// The border: what the other crates of this workspace build on, hidden because it is made for them
/// and may change with every version. Their modules `matrix_game`, `bounds` and `work` list what
/// each takes.
#[cfg(feature = "std")]
#[doc(hidden)]
pub mod internal {
    pub use crate::basis::{Basis, BasisFactorisation};
    pub use crate::bounds::{
        BOUND_BITS, FixedPoint, FixedPointScale, Integer, Rounding, Side, power_of_ten, product,
    };
    pub use crate::dense::dot;
    pub use crate::enclosed_matrix::EnclosedMatrix;
    pub use crate::enclosed_simplex::EnclosedSimplex;
    pub use crate::exact::decide_uniqueness;
    pub use crate::excerpt::{Quoted, sentence};
    pub use crate::ladder::{Ladder, Provable, ProvedPair, Prover, ROUNDING_UNITS};
    pub use crate::payoffs::{ByEntry, EnclosedPayoffs};
    pub use crate::proof::{
        BestReply, Refinement, expected_payoffs, proves_strict_complementarity,
    };
    pub use crate::selection::refine_dresher;
    pub use crate::simplex::{Candidate, Judgement, Start, TieBreaking};
    pub use crate::tremble::{Trembling, rate};
    pub use crate::work::{
        Callback, CheckpointKind, Checkpointing, Clock, Parts, Stop, Threads, memory,
    };
    pub use crate::{setters, written_as};

    /// Games in fractions.
    pub mod exact {
        pub use crate::exact::{
            ExactEquilibrium, ExactPayoffs, ExactStrategy, big_integer, big_rational, integer,
            is_equilibrium, rational, solve, solve_fractions,
        };
    }

    /// Proofs in integers of many digits.
    pub mod proof {
        pub use crate::proof::{complete, multiprecision};
    }
}

// Short names within the crate.
#[cfg(feature = "std")]
use basis::Basis;
#[cfg(feature = "std")]
use equilibrium::StrategyPair;
#[cfg(feature = "std")]
use payoffs::{ByEntry, EnclosedPayoffs};
#[cfg(feature = "std")]
use proof::Refinement;
#[cfg(feature = "std")]
use tremble::Trembling;

/// The README's program is a test, too.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
