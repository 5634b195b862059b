//! Kuhn poker.

use super::super::rules::{HiddenRules, Move, Observations, Turn};
use crate::game::Player;

/// Kuhn poker: H. W. Kuhn: A simplified two-person poker. Contributions to the Theory of Games 1
/// (1950). Its value is −1/18.
///
/// Each player antes a chip and gets one of three cards. A passes or bets a chip; after a bet, the
/// opponent passes (folds) or bets (calls); after a pass, B may bet, too. The higher card wins the
/// pot.
#[derive(Clone, Copy, Debug, Default)]
pub struct KuhnPoker;

/// The cards of A and B, as far as they are dealt, and whether each move so far was a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KuhnState {
    cards: Vec<usize>,
    bets: Vec<bool>,
}

const CARDS: [&str; 3] = ["J", "Q", "K"];

/// The deals: all pairs of different cards.
const DEALS: [[usize; 2]; 6] = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];

const ACTIONS: [&str; 2] = ["pass", "bet"];

impl HiddenRules for KuhnPoker {
    type State = KuhnState;

    fn start(&self) -> KuhnState {
        KuhnState { cards: Vec::new(), bets: Vec::new() }
    }

    fn turn(&self, state: &KuhnState) -> Turn {
        let &[a, b] = state.cards.as_slice() else { return Turn::Chance(vec![1; DEALS.len()]) };
        let sign = if a > b { 1 } else { -1 };
        match state.bets[..] {
            [] | [false, true] => Turn::of(Player::A, &ACTIONS),
            [_] => Turn::of(Player::B, &ACTIONS),
            [false, false] => Turn::end(sign),
            [true, true] | [false, true, true] => Turn::end(2 * sign),
            // The last move was a pass after a bet.
            [true, false] => Turn::end(1),
            _ => Turn::end(-1),
        }
    }

    fn after(&self, state: &KuhnState, chosen: Move, observations: &mut Observations) -> KuhnState {
        let mut next = state.clone();
        match chosen {
            Move::Chance(deal) => {
                let [a, b] = DEALS[deal];
                next.cards = vec![a, b];
                observations.tell(Player::A, CARDS[a]);
                observations.tell(Player::B, CARDS[b]);
            }
            Move::Action(action) | Move::Both { a: action, .. } => {
                let opponent = if state.bets.len() == 1 { Player::A } else { Player::B };
                observations.tell(opponent, ACTIONS[action]);
                next.bets.push(action == 1);
            }
        }
        next
    }
}
