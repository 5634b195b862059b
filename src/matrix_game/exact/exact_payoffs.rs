use dashu_ratio::RBig;

use crate::bounds::Bounds;

pub(crate) trait ExactPayoffs {
    /// Rows and columns.
    fn size(&self) -> [usize; 2];
    fn exact(&self, row: usize, column: usize) -> Option<&RBig>;
    /// Bounds of an entry in units of 2^−[`exponent`](Self::exponent), within ±2⁶¹.
    fn bounds(&self, row: usize, column: usize) -> Bounds;
    fn exponent(&self) -> u32;
    /// Whether to give up, with [`Undecided`].
    fn is_stopped(&self) -> bool {
        false
    }
}

/// A decisive entry is only known within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecided;
