//! Goofspiel with hidden bids.

use super::super::rules::{HiddenRules, Move, Observations, Turn};

/// Goofspiel with hidden bids: players learn who won a prize, but not the cards that were bid. By
/// symmetry its value is 0.
///
/// Prizes 1 to n are turned up in random order. For each of them both players bid a card of their
/// own cards 1 to n at the same time; the higher one wins the prize, equal cards win nothing. The
/// payoff is the difference of the prizes won.
#[derive(Clone, Copy, Debug)]
pub struct HiddenGoofspiel {
    cards: u8,
}

/// A state of Goofspiel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BidState {
    prizes: Vec<u8>,
    a: Vec<u8>,
    b: Vec<u8>,
    /// The prize that lies open.
    open: Option<u8>,
    won: i64,
}

impl HiddenGoofspiel {
    /// The game with so many cards. Its tree has more than `cards!³` nodes; 6 cards are too many
    /// for [`GameTree::NODE_LIMIT`](crate::hidden::GameTree::NODE_LIMIT).
    pub fn new(cards: u8) -> Self {
        Self { cards }
    }
}

fn names(cards: &[u8]) -> Vec<String> {
    cards.iter().map(ToString::to_string).collect()
}

impl HiddenRules for HiddenGoofspiel {
    type State = BidState;

    fn start(&self) -> BidState {
        let cards: Vec<u8> = (1..=self.cards).collect();
        BidState { prizes: cards.clone(), a: cards.clone(), b: cards, open: None, won: 0 }
    }

    fn turn(&self, state: &BidState) -> Turn {
        match state.open {
            Some(_) => Turn::Both { a: names(&state.a), b: names(&state.b) },
            None if state.prizes.is_empty() => Turn::end(state.won),
            None => Turn::Chance(vec![1; state.prizes.len()]),
        }
    }

    fn after(&self, state: &BidState, chosen: Move, observations: &mut Observations) -> BidState {
        let mut next = state.clone();
        match chosen {
            Move::Chance(index) | Move::Action(index) => {
                let prize = next.prizes.remove(index);
                observations.tell_both(format!("prize:{prize}"));
                next.open = Some(prize);
            }
            Move::Both { a, b } => {
                let bids = [next.a.remove(a), next.b.remove(b)];
                let prize = next.open.take().map_or(0, i64::from);
                match bids[0].cmp(&bids[1]) {
                    std::cmp::Ordering::Greater => {
                        next.won += prize;
                        observations.tell_both("A:won");
                    }
                    std::cmp::Ordering::Equal => observations.tell_both("tie"),
                    std::cmp::Ordering::Less => {
                        next.won -= prize;
                        observations.tell_both("B:won");
                    }
                }
            }
        }
        next
    }
}
