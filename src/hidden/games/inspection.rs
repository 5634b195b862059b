//! A smuggler and a guard, neither of whom sees the other.

use super::super::rules::{HiddenRules, Move, Observations, Turn};
use crate::game::Player;

/// A secret inspection: a smuggler, A, may cross a border in one of some nights; a guard, B, has
/// one patrol for all of them.
///
/// Each night both choose at the same time. Crossing while the guard rests wins 1, meeting the
/// patrol loses 1; never crossing wins nothing. A smuggler who waits does not see whether the guard
/// patrols, but half of the patrols have a dog that barks. The guard sees no smuggler who waits.
#[derive(Clone, Copy, Debug)]
pub struct SecretInspection {
    nights: u8,
}

/// A state of the inspection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectionState {
    night: u8,
    has_patrolled: bool,
    /// Whether the patrol of this night is over, and the smuggler hears a dog or does not.
    listens: bool,
    payoff: Option<i64>,
}

impl SecretInspection {
    /// The game of so many nights.
    pub fn new(nights: u8) -> Self {
        Self { nights }
    }
}

impl HiddenRules for SecretInspection {
    type State = InspectionState;

    fn start(&self) -> InspectionState {
        InspectionState { night: 0, has_patrolled: false, listens: false, payoff: None }
    }

    fn turn(&self, state: &InspectionState) -> Turn {
        if let Some(payoff) = state.payoff {
            return Turn::end(payoff);
        }
        if state.listens {
            return Turn::Chance(vec![1, 1]);
        }
        if state.night == self.nights {
            return Turn::end(0);
        }
        let named = |actions: &[&str]| actions.iter().map(|&action| action.to_owned()).collect();
        let guard: &[&str] = if state.has_patrolled { &["rest"] } else { &["rest", "patrol"] };
        Turn::Both { a: named(&["wait", "cross"]), b: named(guard) }
    }

    fn after(
        &self,
        state: &InspectionState,
        chosen: Move,
        observations: &mut Observations,
    ) -> InspectionState {
        let mut next = state.clone();
        match chosen {
            Move::Both { a, b } => {
                let [crosses, patrols] = [a == 1, b == 1];
                next.night += 1;
                next.has_patrolled |= patrols;
                if crosses {
                    next.payoff = Some(if patrols { -1 } else { 1 });
                }
                next.listens = patrols && !crosses;
                if !patrols && !crosses {
                    observations.tell(Player::A, "quiet");
                }
            }
            Move::Chance(barks) | Move::Action(barks) => {
                next.listens = false;
                observations.tell(Player::A, if barks == 1 { "dog" } else { "quiet" });
            }
        }
        next
    }
}
