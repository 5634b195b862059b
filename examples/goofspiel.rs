//! Goofspiel, the Game of Pure Strategy, solved with proof: `cargo run --release --example goofspiel -- 8 [win]`.
//!
//! Both players hold the cards 1 to n, and so does a shuffled pile. The pile's top card is the prize; both bid a card for it at
//! the same time. The higher card wins the prize's points, equal cards win nothing; all three cards are gone. After n bids, A
//! wins the difference of the points, or, with `win`, 1 for more points and 0 for as many.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes};

use shared::{argument, run, shown, solve};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Goofspiel {
    /// The number of cards of each player, at most 13.
    cards: u32,
    /// Whether only who has more points counts.
    win: bool,
    /// For each pair of canonical hands its number among those of as many cards.
    pairs: Vec<u32>,
    /// For each pile and prize where the numbers of its positions begin, and the largest lead that is told from others.
    piles: Vec<(usize, i8)>,
}

/// Cards that are left, by their bits, and who leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl Goofspiel {
    /// The game with so many cards, in which points count, or only who has more.
    pub fn new(cards: u32, win: bool) -> Self {
        let mut game = Self { cards, win, pairs: vec![0; 1 << (2 * cards)], piles: Vec::new() };
        let mut counts = vec![0; cards as usize + 1];
        for hands in (0..1_u16 << cards).flat_map(|a| (a..1 << cards).map(move |b| [a, b])) {
            let [size, other] = hands.map(|hand| hand.count_ones() as usize);
            if size == other && ordered(hands) == hands {
                let pair = game.pair(hands);
                game.pairs[pair] = counts[size];
                counts[size] += 1;
            }
        }
        // Neighbours are kept together: what follows a position is one pile, without a prize.
        let (mut begin, points) = (0, cards * (cards + 1) / 2);
        for (pile, prize) in (0..1_u16 << cards).flat_map(|pile| (0..=cards as u8).map(move |prize| (pile, prize))) {
            let left = left(pile, prize);
            // A lead that cannot be lost is as good as any.
            let lead = if win { (left + 1).min(points.saturating_sub(left)) } else { 0 };
            game.piles.push((begin, lead as i8));
            if prize == 0 || pile >> (prize - 1) & 1 == 0 {
                let size = pile.count_ones() as usize + usize::from(prize > 0);
                begin += counts.get(size).map_or(0, |&count| count as usize * (2 * lead as usize + 1));
            }
        }
        game.piles.push((begin, 0));
        game
    }

    fn pair(&self, [a, b]: [u16; 2]) -> usize {
        usize::from(a) << self.cards | usize::from(b)
    }

    fn pile(&self, pile: u16, prize: u8) -> (usize, i8) {
        self.piles[usize::from(pile) * (self.cards as usize + 1) + usize::from(prize)]
    }

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

    fn node(&self, position: &Position) -> Node {
        let Position { hands: [a, _], pile, prize, lead } = *position;
        match prize {
            _ if a == 0 || (self.win && u32::from(lead.unsigned_abs()) > left(pile, prize)) => Node::over(lead.signum()),
            0 => Node::Choose { a: 1, b: 1 },
            _ => Node::Choose { a: a.count_ones() as usize, b: a.count_ones() as usize },
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

    fn payoff_bound(&self) -> Option<u64> {
        Some(if self.win { 1 } else { u64::from(self.cards * (self.cards + 1) / 2) })
    }

    /// Of the hands only the order counts; and players may be exchanged.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let [a, b] = ordered(position.hands);
        let (_, largest) = self.pile(position.pile, position.prize);
        let lead = position.lead.clamp(-largest, largest);
        let exchanged = (a, lead) > (b, -lead);
        let (hands, lead) = if exchanged { ([b, a], -lead) } else { ([a, b], lead) };
        (Position { hands, lead, ..position }, exchanged)
    }

    fn index(&self, &Position { hands, pile, prize, lead }: &Position) -> usize {
        let ((begin, largest), pair) = (self.pile(pile, prize), self.pairs.get(self.pair(hands)));
        let leads = 2 * largest as usize + 1;
        // A position of another game has no number.
        pair.map_or(usize::MAX, |&pair| begin + pair as usize * leads + (lead + largest) as usize)
    }

    fn index_limit(&self) -> usize {
        self.piles[self.piles.len() - 1].0
    }
}

/// The hands with cards that neither holds left out.
fn ordered([mut a, mut b]: [u16; 2]) -> [u16; 2] {
    loop {
        let cards = a | b;
        let gap = !cards & (cards + 1);
        if gap > cards {
            return [a, b];
        }
        // The cards above the gap move down by one.
        [a, b] = [a, b].map(|hand| hand & (gap - 1) | (hand & !(gap - 1)) >> 1);
    }
}

/// The points that are still to be won.
fn left(pile: u16, prize: u8) -> u32 {
    cards(pile).sum::<u32>() + u32::from(prize)
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

fn main() -> ExitCode {
    run("goofspiel [CARDS] [win]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let cards = argument(1, "number of cards", 6, 1..=13)?;
    let win = match std::env::args().nth(2) {
        None => false,
        Some(word) if word == "win" => true,
        Some(word) => return Err(format!("{word} is no way to count; expected win, or nothing").into()),
    };
    let solution = solve(Goofspiel::new(cards, win))?;
    for prize in 1..=cards {
        let [a, _] = solution.strategies(&solution.game().start(prize as u8))?;
        println!("the first prize is {prize}: bid {}", shown(&a, |bid| (bid + 1).to_string()));
    }
    Ok(())
}
