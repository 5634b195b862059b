//! Goofspiel, the Game of Pure Strategy, solved with proof: `cargo run --release --example goofspiel -- 8 [win]`.
//!
//! Both players hold the cards 1 to n, and so does a shuffled pile. The pile's top card is the prize; both bid a card for it at
//! the same time. The higher card wins the prize's points, equal cards win nothing; all three cards are gone. After n bids, A
//! wins the difference of the points, or, with `win`, 1 for more points and 0 for as many.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes, RankedRules, Stages};

use shared::{argument, run, say, shown, solve_ranked};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct Goofspiel {
    /// The number of cards of each player, at most 16.
    cards: u32,
    /// Whether only who has more points counts.
    win: bool,
    /// By the number of cards left: the pairs of unlike hands, as they are canonical, rising; and the piles.
    hands: Vec<Vec<[u16; 2]>>,
    piles: Vec<Vec<Pile>>,
    /// For each set of cards its place among the piles of its size.
    places: Vec<u32>,
}

/// The prizes that are left, and where their leads begin: among those of all piles with one pair of unlike hands, and with equal
/// hands, where A does not lead.
#[derive(Clone, Copy, Debug)]
struct Pile {
    prizes: u16,
    /// The largest lead that is told from others: one that cannot be lost is as good as any.
    largest: i8,
    unlike: u32,
    equal: u32,
}

/// The successors of one pair of hands, by bids.
#[derive(Debug)]
pub struct Bids {
    actions: [usize; 2],
    /// Where its cells begin.
    first: usize,
}

/// The shared data of all positions with the same number of cards: pairs of hands and their successors, which depend on the hands
/// alone.
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
        let mut game = Self { cards, win, hands: vec![Vec::new(); count], piles: vec![Vec::new(); count], places: Vec::new() };
        let (sets, points) = ((1_u32 << cards) - 1, cards * (cards + 1) / 2);
        let mut by_size = vec![Vec::new(); count];
        for set in 0..=sets as u16 {
            by_size[set.count_ones() as usize].push(set);
            let piles = &mut game.piles[set.count_ones() as usize];
            let left = left(set, 0);
            let largest = if win { (left + 1).min(points - left) } else { 0 } as i8;
            let [unlike, equal] = piles.last().map_or([0; 2], |pile: &Pile| pile.ends());
            game.places.push(piles.len() as u32);
            piles.push(Pile { prizes: set, largest, unlike, equal });
        }
        for (hands, sets) in game.hands.iter_mut().zip(&by_size) {
            let pairs = sets.iter().flat_map(|&a| sets.iter().map(move |&b| [a, b]));
            hands.extend(pairs.filter(|&[a, b]| a < b && (a | b) & (a | b).wrapping_add(1) == 0));
        }
        game
    }

    /// The leads of all piles with so many cards, with a pair of unlike hands and with equal hands.
    fn leads(&self, cards: usize) -> [u64; 2] {
        self.piles[cards].last().map_or([0; 2], |pile| pile.ends().map(u64::from))
    }

    /// The place of canonical hands with so many cards: equal ones, of which there is one pair, come last.
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
        // With a prize drawn, too, a lead that cannot be lost is as good as any.
        let left = left(position.pile, position.prize);
        let most = (left + 1).min((self.cards * (self.cards + 1) / 2).saturating_sub(left)) as i8;
        let lead = if self.win { position.lead.clamp(-most, most) } else { 0 };
        let exchanged = (a, lead) > (b, -lead);
        let (hands, lead) = if exchanged { ([b, a], -lead) } else { ([a, b], lead) };
        (Position { hands, lead, ..position }, exchanged)
    }
}

/// A layer has the positions with as many cards before a prize is drawn; one with a prize has no rank.
impl RankedRules for Goofspiel {
    type Layer = Shared;

    fn layers(&self) -> u32 {
        self.cards + 1
    }

    fn len(&self, layer: u32) -> u64 {
        let [unlike, equal] = self.leads(layer as usize);
        self.hands[layer as usize].len() as u64 * unlike + equal
    }

    fn state(&self, layer: u32, rank: u64) -> Position {
        let (hands, pile, lead) = self.find(layer as usize, rank);
        let all = ((1_u32 << layer) - 1) as u16;
        let hands = self.hands[layer as usize].get(hands).copied().unwrap_or([all; 2]);
        Position { hands, pile: pile.prizes, prize: 0, lead }
    }

    fn rank(&self, position: &Position) -> Option<(u32, u64)> {
        let Position { hands, pile, prize, lead } = *position;
        if prize > 0 {
            return None;
        }
        let cards = pile.count_ones() as usize;
        let known = || {
            let own = self.piles.get(cards)?.get(*self.places.get(usize::from(pile))? as usize)?;
            Some(self.rank_of(cards, self.place(cards, hands)?, own, lead))
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
                let [own, other] = ordered([hands[0] & !bids[0], hands[1] & !bids[1]]);
                let (next, exchanged) = if own > other { ([other, own], true) } else { ([own, other], false) };
                let won = i8::from(bids[0] > bids[1]) - i8::from(bids[0] < bids[1]);
                (self.place(cards - 1, next).map_or(u32::MAX, |place| place as u32), exchanged, won)
            };
            // Cards that neither player tells apart by a card between them are equal bids.
            let mut rows: Vec<Vec<_>> = (0..cards).map(|a| (0..cards).map(|b| cell(a, b)).collect()).collect();
            rows.dedup();
            let columns: Vec<usize> = (0..cards).filter(|&b| b == 0 || rows.iter().any(|row| row[b] != row[b - 1])).collect();
            shared.bids.push(Bids { actions: [rows.len(), columns.len()], first: shared.cells.len() });
            shared.cells.extend(rows.iter().flat_map(|row| columns.iter().map(|&b| row[b])));
        }
        shared
    }

    fn stages(&self, shared: &Shared, rank: u64, stages: &mut Stages<'_>) -> bool {
        let (hands, pile, lead) = self.find(shared.cards, rank);
        let left = left(pile.prizes, 0);
        if left == 0 || (self.win && u32::from(lead.unsigned_abs()) > left) {
            stages.matrix(1, 1, 1);
            stages.pays(lead.signum().into());
            return true;
        }
        let Bids { actions: [a, b], first } = shared.bids[hands];
        let cells = &shared.cells[first..][..a * b];
        let after = shared.cards - 1;
        let ([unlike, _], equal) = (self.leads(after), self.hands[after].len());
        for prize in cards(pile.prizes) {
            let pile = &self.piles[after][self.places[usize::from(pile.prizes & !(1 << (prize - 1)))] as usize];
            stages.matrix(1, a, b);
            for &(hands, exchanged, won) in cells {
                let won = won * prize as i8;
                if self.win {
                    let lead = (lead + won).clamp(-pile.largest, pile.largest);
                    let exchanged = exchanged || (hands as usize == equal && lead > 0);
                    let rank = self.rank_of(after, hands as usize, pile, if exchanged { -lead } else { lead });
                    stages.to(0, (after as u32, rank), exchanged);
                } else if hands as usize == equal {
                    // Equal hands are worth nothing to either player.
                    stages.pays(won.into());
                } else {
                    stages.to(won.into(), (after as u32, u64::from(hands) * unlike + u64::from(pile.unlike)), exchanged);
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
    /// The place of the hands, the pile and the lead of a rank.
    fn find(&self, cards: usize, rank: u64) -> (usize, &Pile, i8) {
        let ([unlike, _], count) = (self.leads(cards), self.hands[cards].len() as u64);
        let (hands, rest) = if rank < count * unlike { (rank / unlike, rank % unlike) } else { (count, rank - count * unlike) };
        let begin = |pile: &Pile| u64::from(if hands < count { pile.unlike } else { pile.equal });
        let piles = &self.piles[cards];
        let pile = if self.win { &piles[piles.partition_point(|pile| begin(pile) <= rest) - 1] } else { &piles[rest as usize] };
        (hands as usize, pile, (rest - begin(pile)) as i8 - pile.largest)
    }

    /// The rank of hands by their place, a pile and a lead.
    fn rank_of(&self, cards: usize, hands: usize, pile: &Pile, lead: i8) -> u64 {
        let ([unlike, _], count) = (self.leads(cards), self.hands[cards].len());
        let begin = if hands < count { pile.unlike } else { pile.equal };
        hands as u64 * unlike + u64::from(begin) + (i64::from(lead) + i64::from(pile.largest)) as u64
    }
}

impl Pile {
    /// Where the leads of the next pile begin.
    fn ends(&self) -> [u32; 2] {
        let largest = self.largest as u32;
        [self.unlike + 2 * largest + 1, self.equal + largest + 1]
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
    run("goofspiel [CARDS] [win] [A'S] [B'S] [PILE]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let cards = argument(1, "number of cards", 6, 1..=15)?;
    let mut rest = std::env::args().skip(2).peekable();
    let win = rest.next_if(|word| word == "win").is_some();
    let sets = rest.map(|text| set(&text, cards)).collect::<Result<Vec<_>, _>>()?;
    let Some(solution) = solve_ranked(Goofspiel::new(cards, win))? else { return Ok(()) };
    match sets[..] {
        [] => {}
        [a, b, pile] if a.count_ones() == b.count_ones() && a.count_ones() == pile.count_ones() => {
            let value = solution.enclosure(&Position { hands: [a, b], pile, prize: 0, lead: 0 })?.decimal();
            say!("the position is worth {value}");
            return Ok(());
        }
        _ => return Err("a position has three sets of as many cards".into()),
    }
    for prize in 1..=cards {
        let (value, [a, _]) = solution.proved(&solution.game().start(prize as u8))?;
        say!("the first prize is {prize}: worth {}, bid {}", value.decimal(), shown(&a, |bid| (bid + 1).to_string()));
    }
    Ok(())
}

/// The set of cards in a text.
fn set(text: &str, cards: u32) -> Result<u16, String> {
    let card = |text: &str| text.parse().ok().filter(|card| (1..=cards).contains(card)).map(|card| 1 << (card - 1));
    let bits = text.split(',').map(card).try_fold(0, |set, bit| bit.map(|bit: u16| set | bit));
    bits.ok_or_else(|| format!("{text} is no set of cards from 1 to {cards}, as 1,2,3"))
}
