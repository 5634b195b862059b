//! Goofspiel, the Game of Pure Strategy, solved with proof: `cargo run --release --example goofspiel -- 8 [win]`.
//!
//! Both players hold the cards 1 to n, and so does a shuffled pile. The pile's top card is the prize; both bid a card for it at the
//! same time. The higher card wins the prize's points, equal cards win nothing; all three cards are gone. After n bids, A wins the
//! difference of the points, or, with `win`, 1 for more points and 0 for as many.

use std::hash::{Hash, Hasher};

use pencil_tennis::stochastic_game::{GameRules, Outcomes, Turn};

use shared::{argument, over, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Goofspiel {
    /// The number of cards of each player, at most 15.
    pub cards: u32,
    /// Whether only who has more points counts.
    pub win: bool,
}

/// Cards that are left, by their bits, and who leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// A's and B's cards.
    pub hands: [u16; 2],
    /// The prizes in the pile.
    pub pile: u16,
    /// The prize that is bid for; 0 before it is drawn.
    pub prize: u8,
    /// A's points less B's, if only who has more counts.
    pub lead: i8,
}

impl Hash for Position {
    /// In one word: large games spend much of their time on hashing.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [a, b, pile] = [self.hands[0], self.hands[1], self.pile].map(u64::from);
        state.write_u64(a << 48 | b << 32 | pile << 16 | u64::from(self.prize) << 8 | u64::from(self.lead as u8));
    }
}

impl Goofspiel {
    /// The position before the first prize is drawn, or after this one was.
    pub fn start(&self, prize: u8) -> Position {
        let all = ((1_u32 << self.cards) - 1) as u16;
        let pile = if prize == 0 { all } else { all & !(1 << (prize - 1)) };
        Position { hands: [all; 2], pile, prize, lead: 0 }
    }
}

impl GameRules for Goofspiel {
    type State = Position;

    fn starts(&self) -> Vec<Position> {
        vec![self.start(0)]
    }

    fn turn(&self, position: &Position) -> Turn {
        let Position { hands: [a, _], pile, prize, lead } = *position;
        let left: u32 = cards(pile).sum::<u32>() + u32::from(prize);
        match prize {
            _ if a == 0 || (self.win && u32::from(lead.unsigned_abs()) > left) => over(lead.signum().into()),
            0 => Turn::Choose { a: 1, b: 1 },
            _ => Turn::Choose { a: a.count_ones() as usize, b: a.count_ones() as usize },
        }
    }

    fn after(&self, position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let Position { hands, pile, prize, lead } = *position;
        if prize == 0 {
            for drawn in cards(pile) {
                outcomes.by_chance(1, Position { pile: pile & !(1 << (drawn - 1)), prize: drawn as u8, ..*position });
            }
            return;
        }
        let bids = [nth(hands[0], a), nth(hands[1], b)];
        let won = (i8::from(bids[0] > bids[1]) - i8::from(bids[0] < bids[1])) * prize as i8;
        let lead = if self.win { lead + won } else { 0 };
        if !self.win {
            outcomes.reward(won.into());
        }
        outcomes.to(Position { hands: [hands[0] & !bids[0], hands[1] & !bids[1]], pile, prize: 0, lead });
    }

    /// Of the hands only the order counts; and players may be exchanged.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let [mut a, mut b] = position.hands;
        loop {
            let cards = a | b;
            let gap = !cards & (cards + 1);
            if gap > cards {
                break;
            }
            // The cards above the gap move down by one.
            [a, b] = [a, b].map(|hand| hand & (gap - 1) | (hand & !(gap - 1)) >> 1);
        }
        let exchanged = (a, position.lead) > (b, -position.lead);
        let (hands, lead) = if exchanged { ([b, a], -position.lead) } else { ([a, b], position.lead) };
        (Position { hands, lead, ..position }, exchanged)
    }
}

/// The cards of a set, rising.
fn cards(set: u16) -> impl Iterator<Item = u32> {
    (0..16).filter(move |card| set >> card & 1 == 1).map(|card| card + 1)
}

/// The bit of the n-th smallest card.
fn nth(mut set: u16, n: usize) -> u16 {
    for _ in 0..n {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cards = argument(1, 6)?;
    let win = std::env::args().any(|argument| argument == "win");
    let solution = solve(Goofspiel { cards, win })?;
    for prize in 1..=cards {
        let [a, _] = solution.strategies(&solution.rules().start(prize as u8))?;
        println!("the first prize is {prize}: bid {}", shown(&a, |bid| (bid + 1).to_string()));
    }
    Ok(())
}
