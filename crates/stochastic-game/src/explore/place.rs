//! States of explored games.

/// A state's number, and whether the players are exchanged there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) u32);

impl Place {
    #[inline]
    pub(crate) const fn new(state: u32, exchanged: bool) -> Self {
        Self(state << 1 | exchanged as u32)
    }

    #[inline]
    pub(crate) const fn state(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// The state's number, and whether the players are exchanged.
    #[inline]
    pub(crate) const fn parts(self) -> (usize, bool) {
        (self.state(), self.0 & 1 == 1)
    }
}
