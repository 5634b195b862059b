//! States of explored games, packed.

use crate::model::NumberedState;

/// A state's number, and in the lowest bit whether the players are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedState(pub(crate) u32);

impl PackedState {
    #[inline]
    pub(crate) const fn new(number: u32, is_exchanged: bool) -> Self {
        Self(number << 1 | is_exchanged as u32)
    }

    #[inline]
    pub(crate) const fn number(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) const fn unpacked(self) -> NumberedState {
        NumberedState { number: self.number(), is_exchanged: self.0 & 1 == 1 }
    }
}
