//! Canonical states.

use crate::bounds::Bounds;
use crate::model::GameRules;

/// Whether canonical states may have the players exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayerExchange {
    Allowed,
    Forbidden,
}

/// The canonical state of a state.
#[derive(Debug)]
pub(crate) struct CanonicalState<S> {
    pub(crate) state: S,
    /// Whether it has the players exchanged, which negates its value.
    pub(crate) is_exchanged: bool,
}

impl<S> CanonicalState<S> {
    #[inline]
    pub(crate) fn of<R: GameRules<State = S>>(rules: &R, state: S) -> Self {
        let (state, is_exchanged) = rules.canonical(state);
        Self { state, is_exchanged }
    }

    /// The bounds of the original state's value, by those of the canonical one.
    pub(crate) fn bounds_by(&self, canonical: Bounds) -> Bounds {
        if self.is_exchanged { canonical.mirrored() } else { canonical }
    }
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
            return CanonicalState::of(rules, state);
        }
        match rules.canonical(state.clone()) {
            (_, true) => CanonicalState { state, is_exchanged: false },
            (state, false) => CanonicalState { state, is_exchanged: false },
        }
    }
}
