//! Leduc poker.

use super::super::rules::{HiddenRules, Move, Observations, Turn};
use crate::game::Player;

/// Leduc poker: F. Southey and others: Bayes' bluff: opponent modelling in poker. UAI 2005. Its
/// value is −0.0856064240780.
///
/// Two jacks, two queens, two kings. Each player antes 1 and gets a card. A round of betting with
/// raises of 2 is followed by a public card and a round with raises of 4. A acts first in both
/// rounds; a round has at most two raises. A pair with the public card wins, then the higher card;
/// equal hands split the pot.
#[derive(Clone, Copy, Debug, Default)]
pub struct LeducPoker;

/// A state of Leduc poker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeducState {
    /// The ranks of A's, B's and the public card, as far as they are dealt.
    cards: Vec<usize>,
    /// The chips that A and B have put into the pot.
    paid: [i64; 2],
    second_round: bool,
    /// Actions and raises of the current round.
    actions: u32,
    raises: u32,
    folded: Option<Player>,
}

const RANKS: [&str; 3] = ["J", "Q", "K"];

/// The cards of each rank.
const SUITS: u32 = 2;

const MOST_RAISES: u32 = 2;

impl LeducState {
    fn mover(&self) -> Player {
        if self.actions.is_multiple_of(2) { Player::A } else { Player::B }
    }

    /// Whether all have acted, and the last did not raise.
    fn is_round_over(&self) -> bool {
        self.actions >= 2 && self.paid[0] == self.paid[1]
    }

    fn actions(&self) -> Vec<&'static str> {
        let mut actions = vec!["call"];
        if self.paid[0] != self.paid[1] {
            actions.insert(0, "fold");
        }
        if self.raises < MOST_RAISES {
            actions.push("raise");
        }
        actions
    }

    /// The payoff to A of a showdown.
    fn showdown(&self) -> i64 {
        let [a, b, public] = [self.cards[0], self.cards[1], self.cards[2]];
        let strength = |card: usize| if card == public { RANKS.len() } else { card };
        match strength(a).cmp(&strength(b)) {
            std::cmp::Ordering::Greater => self.paid[1],
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => -self.paid[0],
        }
    }
}

impl HiddenRules for LeducPoker {
    type State = LeducState;

    fn start(&self) -> LeducState {
        LeducState {
            cards: Vec::new(),
            paid: [1, 1],
            second_round: false,
            actions: 0,
            raises: 0,
            folded: None,
        }
    }

    fn turn(&self, state: &LeducState) -> Turn {
        let dealt = if state.second_round { 3 } else { 2 };
        if state.cards.len() < dealt {
            let left =
                |rank| SUITS - state.cards.iter().filter(|&&card| card == rank).count() as u32;
            return Turn::Chance((0..RANKS.len()).map(left).collect());
        }
        match state.folded {
            Some(Player::A) => Turn::end(-state.paid[0]),
            Some(Player::B) => Turn::end(state.paid[1]),
            None if state.is_round_over() => Turn::end(state.showdown()),
            None => Turn::of(state.mover(), &state.actions()),
        }
    }

    fn after(
        &self,
        state: &LeducState,
        chosen: Move,
        observations: &mut Observations,
    ) -> LeducState {
        let mut next = state.clone();
        match chosen {
            Move::Chance(rank) => {
                match state.cards.len() {
                    0 => observations.tell(Player::A, RANKS[rank]),
                    1 => observations.tell(Player::B, RANKS[rank]),
                    _ => observations.tell_both(RANKS[rank]),
                }
                next.cards.push(rank);
            }
            Move::Action(action) | Move::Both { a: action, .. } => {
                let mover = state.mover();
                let name = state.actions()[action];
                observations.tell(mover.opponent(), name);
                let payer = mover as usize;
                next.actions += 1;
                match name {
                    "fold" => next.folded = Some(mover),
                    "raise" => {
                        next.raises += 1;
                        next.paid[payer] =
                            state.paid[1 - payer] + if state.second_round { 4 } else { 2 };
                    }
                    _ => next.paid[payer] = state.paid[1 - payer],
                }
                if next.folded.is_none() && next.is_round_over() && !state.second_round {
                    next.second_round = true;
                    next.actions = 0;
                    next.raises = 0;
                }
            }
        }
        next
    }
}
