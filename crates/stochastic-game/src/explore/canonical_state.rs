//! Canonical states.

use crate::model::GameRules;

/// Whether canonical states may have the players exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayerExchange {
    Allowed,
    Forbidden,
}

/// The canonical state of a state.
#[derive(Debug)]
pub(super) struct CanonicalState<S> {
    pub(super) state: S,
    /// Whether it has the players exchanged.
    pub(super) is_exchanged: bool,
}

impl PlayerExchange {
    /// The canonical state; where that would exchange the players and must not, the state itself.
    #[inline]
    pub(super) fn canonical<R: GameRules>(
        self,
        rules: &R,
        state: R::State,
    ) -> CanonicalState<R::State> {
        if self == Self::Allowed {
            let (state, is_exchanged) = rules.canonical(state);
            return CanonicalState { state, is_exchanged };
        }
        match rules.canonical(state.clone()) {
            (_, true) => CanonicalState { state, is_exchanged: false },
            (state, false) => CanonicalState { state, is_exchanged: false },
        }
    }
}
