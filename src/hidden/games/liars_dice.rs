//! Liar's dice with one die for each player.

use super::super::rules::{HiddenRules, Move, Observations, Turn};
use crate::game::Player;

/// Liar's dice with one die for each player. The values with 3, 4 and 5 sides are 1/9, 1/16 and
/// 1/125.
///
/// Each player rolls in secret. A bids first, in turn each bids more than the last: a number of
/// dice (1 or 2) and a face; among equal numbers the higher face is more. The highest face is wild
/// and counts as every face. Instead of bidding a player may call the last bidder a liar: if fewer
/// dice show the face than were bid, the caller wins 1, otherwise the bidder.
#[derive(Clone, Copy, Debug)]
pub struct LiarsDice {
    sides: u8,
}

/// The faces of A's and B's dice, and the bids, of which `sides` and more are for two dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceState {
    dice: Option<[usize; 2]>,
    last_bid: Option<usize>,
    bids: u32,
    is_called: bool,
}

impl LiarsDice {
    /// The game with dice of so many sides. Its tree has `sides²·(3·2^(2·sides−1))` nodes and a few
    /// more; 12 sides are too many for
    /// [`GameTree::NODE_LIMIT`](crate::hidden::GameTree::NODE_LIMIT).
    pub fn new(sides: u8) -> Self {
        Self { sides: sides.max(1) }
    }

    fn sides(self) -> usize {
        self.sides.into()
    }

    /// The name of a bid, such as `2x5`.
    fn bid(self, bid: usize) -> String {
        format!("{}x{}", 1 + bid / self.sides(), 1 + bid % self.sides())
    }

    fn first_bid(state: &DiceState) -> usize {
        state.last_bid.map_or(0, |last| last + 1)
    }

    /// Whether enough dice show the face of the last bid.
    fn is_true(self, dice: [usize; 2], bid: usize) -> bool {
        let wild = self.sides() - 1;
        let shown = dice.iter().filter(|&&face| face == bid % self.sides() || face == wild).count();
        shown > bid / self.sides()
    }
}

impl HiddenRules for LiarsDice {
    type State = DiceState;

    fn start(&self) -> DiceState {
        DiceState { dice: None, last_bid: None, bids: 0, is_called: false }
    }

    fn turn(&self, state: &DiceState) -> Turn {
        let Some(dice) = state.dice else { return Turn::Chance(vec![1; self.sides().pow(2)]) };
        let mover = if state.bids.is_multiple_of(2) { Player::A } else { Player::B };
        if let (true, Some(bid)) = (state.is_called, state.last_bid) {
            // The mover called the opponent a liar.
            let winner = if self.is_true(dice, bid) { mover.opponent() } else { mover };
            return Turn::end(winner.direction().into());
        }
        let mut actions: Vec<String> =
            (Self::first_bid(state)..2 * self.sides()).map(|bid| self.bid(bid)).collect();
        if state.last_bid.is_some() {
            actions.push("liar".to_owned());
        }
        Turn::Player(mover, actions)
    }

    fn after(&self, state: &DiceState, chosen: Move, observations: &mut Observations) -> DiceState {
        let mut next = state.clone();
        match chosen {
            Move::Chance(roll) => {
                let dice = [roll / self.sides(), roll % self.sides()];
                for (player, face) in Player::BOTH.into_iter().zip(dice) {
                    observations.tell(player, (face + 1).to_string());
                }
                next.dice = Some(dice);
            }
            Move::Action(action) | Move::Both { a: action, .. } => {
                let bid = Self::first_bid(state) + action;
                if bid == 2 * self.sides() {
                    next.is_called = true;
                    return next;
                }
                let opponent = if state.bids.is_multiple_of(2) { Player::B } else { Player::A };
                observations.tell(opponent, self.bid(bid));
                next.last_bid = Some(bid);
                next.bids += 1;
            }
        }
        next
    }
}
