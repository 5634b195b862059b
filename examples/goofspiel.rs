//! Goofspiel, the Game of Pure Strategy, solved with proof: `cargo run --release --example
//! goofspiel -- 8 [win]`.
//!
//! Both players hold the cards 1 to n, and so does a shuffled pile. The pile's top card is the
//! prize; both bid a card for it at the same time. The higher card wins the prize's points, equal
//! cards win nothing; all three cards are gone. After n bids, A wins the difference of the points,
//! or, with `win`, 1 for more points and 0 for as many.

use std::ops::RangeInclusive;
use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes, RankedRules, Stages};

use shared::{argument, run, say, shown, solve_ranked};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Goofspiel {
    /// The number of cards of each player, at most 15, or 12 with `win`.
    cards: u32,
    /// Whether only who has more points counts.
    win: bool,
    /// By the number of cards left: the pairs of unlike hands, as they are canonical, rising; and
    /// the piles.
    hands: Vec<Vec<[u16; 2]>>,
    piles: Vec<Vec<u16>>,
    /// For each set of cards its place among the piles of its size, and the points of all other
    /// cards: nobody leads by more.
    places: Vec<u32>,
    gone: Vec<i8>,
    /// With `win`, by the number of cards left: the leads of each pair of hands with each pile, and
    /// the [`Sure`] leads of each of the pile's cards as the next prize.
    leads: Vec<Vec<Leads>>,
    by_prize: Vec<Vec<Sure>>,
}

/// The largest lead at which B wins for certain, and the least one at which A does: with such a
/// lead a player has a bid after which, whatever the other one bids and whatever comes next, the
/// lead is as sure again. Every lead beyond wins, too.
type Sure = [i8; 2];

/// The leads that occur with two hands and a pile: none beyond a sure one, nor beyond the points
/// that are gone.
#[derive(Clone, Copy, Debug)]
struct Leads {
    /// The rank of the least lead.
    begin: u32,
    sure: Sure,
}

/// The successors of one pair of hands, by bids.
#[derive(Debug)]
pub struct Bids {
    actions: [usize; 2],
    /// Where its cells begin.
    first: usize,
}

/// The shared data of all positions with the same number of cards: pairs of hands and their
/// successors, which depend on the hands alone.
#[derive(Debug)]
pub struct Shared {
    cards: usize,
    bids: Vec<Bids>,
    /// The pair of hands that follows, whether the players are exchanged, and who wins the prize.
    cells: Vec<(u32, bool, i8)>,
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
        let count = cards as usize + 1;
        let (hands, piles, places, gone) =
            (vec![Vec::new(); count], vec![Vec::new(); count], Vec::new(), Vec::new());
        let mut game = Self {
            cards,
            win,
            hands,
            piles,
            places,
            gone,
            leads: Vec::new(),
            by_prize: Vec::new(),
        };
        for set in 0..1_u32 << cards {
            let piles = &mut game.piles[set.count_ones() as usize];
            game.places.push(piles.len() as u32);
            piles.push(set as u16);
            game.gone.push((cards * (cards + 1) / 2 - left(set as u16, 0)) as i8);
        }
        for (hands, sets) in game.hands.iter_mut().zip(&game.piles) {
            let pairs = sets.iter().flat_map(|&a| sets.iter().map(move |&b| [a, b]));
            hands.extend(pairs.filter(|&[a, b]| a < b && (a | b) & (a | b).wrapping_add(1) == 0));
        }
        for cards in (0..count).filter(|_| win) {
            game.find_leads(cards);
        }
        game
    }

    /// Finds the leads of all hands with so many cards, from those with one card less.
    fn find_leads(&mut self, cards: usize) {
        let (shared, mut leads, mut by_prize, mut begin) =
            (self.layer(cards as u32), Vec::new(), Vec::new(), 0);
        for hands in 0..=self.hands[cards].len() {
            for &pile in &self.piles[cards] {
                let gone = self.gone[usize::from(pile)];
                let mut sure = if cards == 0 { [-1, 1] } else { [gone, -gone] };
                for (prize, after) in prizes(pile) {
                    let after = &self.leads[cards - 1][self.places[usize::from(after)] as usize..];
                    let [b, a] = shared.sure(hands, prize, after, self.piles[cards - 1].len());
                    by_prize.push([b, a]);
                    sure = [sure[0].min(b), sure[1].max(a)];
                }
                leads.push(Leads { begin, sure });
                begin += self.range(hands == self.hands[cards].len(), pile, sure).count() as u32;
            }
        }
        self.leads.push(leads);
        self.by_prize.push(by_prize);
    }

    /// The number of hands and a pile among those of as many cards.
    fn number(&self, cards: usize, hands: [u16; 2], pile: u16) -> Option<usize> {
        let place = *self.places.get(usize::from(pile))? as usize;
        Some(self.place(cards, hands)? * self.piles[cards].len() + place)
    }

    /// The leads that have a rank; with equal hands A does not lead.
    fn range(&self, are_equal: bool, pile: u16, sure: Sure) -> RangeInclusive<i8> {
        let gone = self.gone[usize::from(pile)];
        let most = if are_equal { 0 } else { gone.min(sure[1]) };
        sure[0].max(-gone)..=most
    }

    /// The place of canonical hands with so many cards: equal ones, of which there is one pair,
    /// come last.
    fn place(&self, cards: usize, hands: [u16; 2]) -> Option<usize> {
        let unlike = &self.hands[cards];
        if hands[0] == hands[1] { Some(unlike.len()) } else { unlike.binary_search(&hands).ok() }
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
            _ if a == 0 || (self.win && u32::from(lead.unsigned_abs()) > left(pile, prize)) => {
                Node::over(lead.signum())
            }
            0 => Node::Choose { a: 1, b: 1 },
            _ => Node::Choose { a: a.count_ones() as usize, b: a.count_ones() as usize },
        }
    }

    fn after(&self, position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let Position { hands, pile, prize, lead } = *position;
        if prize == 0 {
            for drawn in cards(pile) {
                outcomes.by_chance(
                    1,
                    Position { pile: pile & !(1 << (drawn - 1)), prize: drawn as u8, ..*position },
                );
            }
            return;
        }
        let bids = [nth(hands[0], a), nth(hands[1], b)];
        let won = (i8::from(bids[0] > bids[1]) - i8::from(bids[0] < bids[1])) * prize as i8;
        let lead = if self.win { lead + won } else { 0 };
        if !self.win {
            outcomes.reward(won.into());
        }
        outcomes.to(Position {
            hands: [hands[0] & !bids[0], hands[1] & !bids[1]],
            pile,
            prize: 0,
            lead,
        });
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(if self.win { 1 } else { u64::from(self.cards * (self.cards + 1) / 2) })
    }

    /// Of the hands only the order counts; and players may be exchanged.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let [a, b] = ordered(position.hands);
        // More than all that is left cannot be lost.
        let most = (left(position.pile, position.prize) + 1).min(127) as i8;
        let lead = if self.win { position.lead.clamp(-most, most) } else { 0 };
        let exchanged = (a, lead) > (b, -lead);
        let (hands, lead) = if exchanged { ([b, a], -lead) } else { ([a, b], lead) };
        (Position { hands, lead, ..position }, exchanged)
    }
}

/// A layer has the positions with as many cards before a prize is drawn; one with a prize has no
/// rank. Of sure leads the smallest has a rank, and stands for those beyond it.
impl RankedRules for Goofspiel {
    type Layer = Shared;

    fn layers(&self) -> u32 {
        self.cards + 1
    }

    fn len(&self, layer: u32) -> u64 {
        let (cards, all) = (layer as usize, self.hands[layer as usize].len());
        match (self.leads.get(cards).and_then(|leads| leads.last()), self.piles[cards].last()) {
            (Some(last), Some(&pile)) => {
                u64::from(last.begin) + self.range(true, pile, last.sure).count() as u64
            }
            _ => ((all + 1) * self.piles[cards].len()) as u64,
        }
    }

    fn state(&self, layer: u32, rank: u64) -> Position {
        let (hands, pile, lead) = self.find(layer as usize, rank);
        let all = ((1_u32 << layer) - 1) as u16;
        let hands = self.hands[layer as usize].get(hands).copied().unwrap_or([all; 2]);
        Position { hands, pile: self.piles[layer as usize][pile], prize: 0, lead }
    }

    fn rank(&self, position: &Position) -> Option<(u32, u64)> {
        let Position { hands, pile, prize, lead } = *position;
        if prize > 0 {
            return None;
        }
        let cards = pile.count_ones() as usize;
        let known = || {
            let number = self.number(cards, hands, pile)?;
            let Some(leads) = self.leads.get(cards).map(|leads| leads[number]) else {
                return Some(number as u64);
            };
            let range = self.range(hands[0] == hands[1], pile, leads.sure);
            let lead = lead.clamp(leads.sure[0], leads.sure[1]);
            range
                .contains(&lead)
                .then(|| u64::from(leads.begin) + u64::from(lead.abs_diff(*range.start())))
        };
        // A position of another game has a rank that no layer has.
        Some((cards as u32, known().unwrap_or(u64::MAX)))
    }

    fn layer(&self, layer: u32) -> Shared {
        let cards = layer as usize;
        let mut shared = Shared { cards, bids: Vec::new(), cells: Vec::new() };
        let all = ((1_u32 << cards) - 1) as u16;
        for hands in self.hands[cards].iter().copied().chain([[all; 2]]).filter(|_| cards > 0) {
            let cell = |a, b| {
                let bids = [nth(hands[0], a), nth(hands[1], b)];
                let [hand_a, hand_b] = ordered([hands[0] & !bids[0], hands[1] & !bids[1]]);
                let (next, exchanged) = if hand_a > hand_b {
                    ([hand_b, hand_a], true)
                } else {
                    ([hand_a, hand_b], false)
                };
                let won = i8::from(bids[0] > bids[1]) - i8::from(bids[0] < bids[1]);
                (self.place(cards - 1, next).map_or(u32::MAX, |place| place as u32), exchanged, won)
            };
            // Cards that neither player tells apart by a card between them are equal bids.
            let mut rows: Vec<Vec<_>> =
                (0..cards).map(|a| (0..cards).map(|b| cell(a, b)).collect()).collect();
            rows.dedup();
            let columns: Vec<usize> = (0..cards)
                .filter(|&b| b == 0 || rows.iter().any(|row| row[b] != row[b - 1]))
                .collect();
            shared
                .bids
                .push(Bids { actions: [rows.len(), columns.len()], first: shared.cells.len() });
            shared.cells.extend(rows.iter().flat_map(|row| columns.iter().map(|&b| row[b])));
        }
        shared
    }

    fn stages(&self, shared: &Shared, rank: u64, stages: &mut Stages<'_>) -> bool {
        let (cards, (hands, pile, lead)) = (shared.cards, self.find(shared.cards, rank));
        let place = hands * self.piles[cards].len() + pile;
        let decided = |sure: Option<&Sure>, stages: &mut Stages<'_>| {
            let sign =
                sure.map_or(0, |sure| i64::from(lead >= sure[1]) - i64::from(lead <= sure[0]));
            if sign != 0 || cards == 0 {
                stages.matrix(1, 1, 1);
                stages.pays(sign);
            }
            sign != 0 || cards == 0
        };
        if decided(self.leads.get(cards).map(|leads| &leads[place].sure), stages) {
            return true;
        }
        let ([a, b], cells) = shared.cells(hands);
        let (after, piles, equal) =
            (cards - 1, self.piles[cards - 1].len(), self.hands[cards - 1].len());
        for (number, (prize, rest)) in prizes(self.piles[cards][pile]).enumerate() {
            if decided(self.by_prize.get(cards).map(|sure| &sure[place * cards + number]), stages) {
                continue;
            }
            stages.matrix(1, a, b);
            let pile = self.places[usize::from(rest)] as usize;
            let leads =
                self.leads.get(after).map(|leads| (&leads[pile..], -self.gone[usize::from(rest)]));
            for &(hands, exchanged, won) in cells {
                let (hands, won) = (hands as usize, won * prize);
                if let Some((leads, least)) = leads {
                    let lead = lead + won;
                    let exchanged = exchanged || (hands == equal && lead > 0);
                    let (lead, sign) = if exchanged { (-lead, -1) } else { (lead, 1) };
                    let Leads { begin, sure: [b, a] } = leads[hands * piles];
                    if lead >= a {
                        stages.pays(sign);
                    } else if lead <= b {
                        stages.pays(-sign);
                    } else {
                        let rank = u64::from(begin) + u64::from(lead.abs_diff(b.max(least)));
                        stages.to(0, (after as u32, rank), exchanged);
                    }
                } else if hands == equal {
                    // Equal hands are worth nothing to either player.
                    stages.pays(won.into());
                } else {
                    stages.to(won.into(), (after as u32, (hands * piles + pile) as u64), exchanged);
                }
            }
        }
        true
    }

    fn work(&self, layer: u32) -> f64 {
        f64::from(layer + 1).powi(3)
    }
}

impl Goofspiel {
    /// The places of the hands and the pile of a rank, and its lead.
    fn find(&self, cards: usize, rank: u64) -> (usize, usize, i8) {
        let piles = self.piles[cards].len();
        let Some(leads) = self.leads.get(cards) else {
            return ((rank / piles as u64) as usize, (rank % piles as u64) as usize, 0);
        };
        let place = leads.partition_point(|leads| u64::from(leads.begin) <= rank) - 1;
        let (pile, Leads { begin, sure }) = (place % piles, leads[place]);
        (
            place / piles,
            pile,
            (rank - u64::from(begin)) as i8
                + sure[0].max(-self.gone[usize::from(self.piles[cards][pile])]),
        )
    }
}

impl Shared {
    /// The numbers of bids of both players with these hands, and what follows.
    fn cells(&self, hands: usize) -> ([usize; 2], &[(u32, bool, i8)]) {
        let Bids { actions: [a, b], first } = self.bids[hands];
        ([a, b], &self.cells[first..][..a * b])
    }

    /// The sure leads before a prize, by those of the hands that follow, which are this far apart.
    fn sure(&self, hands: usize, prize: i8, after: &[Leads], piles: usize) -> Sure {
        let ([rows, columns], cells) = self.cells(hands);
        let before = |row: usize, column: usize| {
            let (hands, exchanged, won) = cells[row * columns + column];
            let [b, a] = after[hands as usize * piles].sure;
            let [b, a] = if exchanged { [-a, -b] } else { [b, a] };
            [b - won * prize, a - won * prize]
        };
        let a = (0..rows)
            .filter_map(|row| (0..columns).map(|column| before(row, column)[1]).max())
            .min();
        let b = (0..columns)
            .filter_map(|column| (0..rows).map(|row| before(row, column)[0]).min())
            .max();
        [b.unwrap_or(-1), a.unwrap_or(1)]
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

/// The next prizes of a pile, rising, each with the rest.
fn prizes(pile: u16) -> impl Iterator<Item = (i8, u16)> {
    cards(pile).map(move |card| (card as i8, pile & !(1 << (card - 1))))
}

/// The bit of the n-th smallest card.
fn nth(mut set: u16, n: usize) -> u16 {
    for _ in 0..n {
        set &= set - 1;
    }
    set & set.wrapping_neg()
}

fn main() -> ExitCode {
    run("goofspiel [CARDS] [win] [A'S] [B'S] [PILE]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let cards = argument(1, "number of cards", 6, 1..=15)?;
    let mut rest = std::env::args().skip(2).peekable();
    let win = rest.next_if(|word| word == "win").is_some();
    let sets = rest.map(|text| set(&text, cards)).collect::<Result<Vec<_>, _>>()?;
    if win && cards > 12 {
        // A table of sure leads would take gigabytes, and their bounds far more.
        return Err("who wins is solved for at most 12 cards".into());
    }
    let Some(solution) = solve_ranked(Goofspiel::new(cards, win))? else { return Ok(()) };
    match sets[..] {
        [] => {}
        [a, b, pile] if a.count_ones() == b.count_ones() && a.count_ones() == pile.count_ones() => {
            let value =
                solution.enclosure(&Position { hands: [a, b], pile, prize: 0, lead: 0 })?.decimal();
            say!("the position is worth {value}");
            return Ok(());
        }
        _ => return Err("a position has three sets of as many cards".into()),
    }
    for prize in 1..=cards {
        let (value, [a, _]) = solution.proved(&solution.game().start(prize as u8))?;
        say!(
            "the first prize is {prize}: worth {}, bid {}",
            value.decimal(),
            shown(&a, |bid| (bid + 1).to_string())
        );
    }
    Ok(())
}

/// The set of cards in a text.
fn set(text: &str, cards: u32) -> Result<u16, String> {
    let card = |text: &str| {
        text.parse().ok().filter(|card| (1..=cards).contains(card)).map(|card| 1 << (card - 1))
    };
    let bits = text.split(',').map(card).try_fold(0, |set, bit| bit.map(|bit: u16| set | bit));
    bits.ok_or_else(|| format!("{text} is no set of cards from 1 to {cards}, as 1,2,3"))
}
