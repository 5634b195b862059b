//! The two players of a matrix game.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    Row,
    Column,
}

impl Player {
    #[inline]
    pub(crate) const fn opponent(self) -> Self {
        match self {
            Self::Row => Self::Column,
            Self::Column => Self::Row,
        }
    }
}
