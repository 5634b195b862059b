//! A matrix game whose payoffs are rationals, or known within bounds.

use dashu_ratio::RBig;

use crate::bounds::Bounds;

/// A matrix game some of whose payoffs are known exactly, and all within bounds.
pub(crate) trait ExactPayoffs {
    fn rows(&self) -> usize;
    fn columns(&self) -> usize;
    fn exact(&self, row: usize, column: usize) -> Option<&RBig>;
    /// An entry's lower and upper bound as integers in units of 2^−[`exponent`](Self::exponent), within ±2⁶¹.
    fn bounds(&self, row: usize, column: usize) -> Bounds;
    fn exponent(&self) -> u32;
    /// Whether whoever asked for the solution wants it no more; what is in work ends as [`Undecided`] then.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// An entry that would be needed exactly is only known within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecided;
