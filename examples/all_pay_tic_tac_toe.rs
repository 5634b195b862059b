//! All-pay tic-tac-toe, solved with proof: `cargo run --release --example all_pay_tic_tac_toe --
//! 20`.
//!
//! Both players have the same number of chips. Before every move both bid, at the same time, any
//! number of the chips they have, 0 included; both bids are paid to nobody. The higher bid moves:
//! puts its mark on a free square; of equal bids a coin decides. Three marks in a row win, and a
//! full board is a draw.

use std::process::ExitCode;

use pencil_tennis::stochastic_game::{GameRules, Node, Outcomes, RankedRules};

use shared::{argument, run, say, shown, solve_ranked};

mod shared;

/// The rules.
#[derive(Debug)]
pub struct AllPayTicTacToe {
    /// The chips of each player in the beginning, at most 255.
    pub chips: u8,
    /// Every board by its marks: the same, turned and mirrored to be the least, and the number of
    /// that.
    boards: Vec<(Board, u16)>,
    count: usize,
    /// By the number of marks, the least boards that exchanged players do not make less: unlike
    /// their exchanged one, and like it.
    ranked: [[Vec<Board>; 2]; 10],
    /// By the number of a board, its place there.
    places: Vec<u16>,
}

/// A's and B's squares, by their bits.
pub type Board = [u16; 2];

/// A board, what both can bid, and whose move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// The chips of A and of B.
    pub chips: [u8; 2],
    /// Who won the bidding.
    pub mover: Mover,
}

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mover {
    /// That is to be decided.
    Bidding,
    /// A.
    A,
    /// B.
    B,
}

const FULL: u16 = 0b1_1111_1111;

impl AllPayTicTacToe {
    /// The game with these chips each.
    pub fn new(chips: u8) -> Self {
        let mut boards = vec![([0, 0], u16::MAX); 1 << 18];
        let mut count = 0;
        for a in 0..=FULL {
            for b in (0..=FULL).filter(|b| a & b == 0) {
                let least = symmetries()
                    .map(|squares| [a, b].map(|marks| moved(marks, &squares)))
                    .min()
                    .unwrap_or([a, b]);
                // The least one is met first.
                if least == [a, b] {
                    boards[place([a, b])] = (least, count);
                    count += 1;
                } else {
                    boards[place([a, b])] = boards[place(least)];
                }
            }
        }
        let (mut ranked, mut places) =
            ([const { [const { Vec::new() }; 2] }; 10], vec![0; count.into()]);
        let mut least: Vec<_> =
            boards.iter().filter(|(_, number)| *number < count).copied().collect();
        least.sort_unstable_by_key(|&(_, number)| number);
        least.dedup();
        for ([a, b], number) in least {
            let other = boards[place([b, a])].1;
            let class: &mut Vec<Board> =
                &mut ranked[(a | b).count_ones() as usize][usize::from(number == other)];
            if number <= other {
                places[usize::from(number)] = class.len() as u16;
                class.push([a, b]);
            }
        }
        Self { chips, boards, count: count.into(), ranked, places }
    }

    /// The empty board.
    pub fn start(&self) -> Position {
        Position { board: [0, 0], chips: [self.chips; 2], mover: Mover::Bidding }
    }
}

fn place([a, b]: Board) -> usize {
    usize::from(a) << 9 | usize::from(b)
}

/// The squares to which those of the board go, turned and mirrored.
fn symmetries() -> impl Iterator<Item = [u16; 9]> {
    (0..8).map(|symmetry| {
        std::array::from_fn(|square| {
            let (mut row, mut column) = (square / 3, square % 3);
            if symmetry & 1 == 1 {
                row = 2 - row;
            }
            if symmetry & 2 == 2 {
                column = 2 - column;
            }
            let square = if symmetry & 4 == 4 { column * 3 + row } else { row * 3 + column };
            square as u16
        })
    })
}

fn moved(marks: u16, squares: &[u16; 9]) -> u16 {
    (0..9).filter(|square| marks >> square & 1 == 1).map(|square| 1 << squares[square]).sum()
}

/// The bit of the n-th free square.
fn free_square(board: Board, n: usize) -> u16 {
    let mut free = FULL & !(board[0] | board[1]);
    for _ in 0..n {
        free &= free - 1;
    }
    free & free.wrapping_neg()
}

fn has_won(marks: u16) -> bool {
    const ROWS: [u16; 8] = [
        0b111,
        0b111_000,
        0b111_000_000,
        0b1_001_001,
        0b10_010_010,
        0b100_100_100,
        0b100_010_001,
        0b1_010_100,
    ];
    ROWS.iter().any(|row| marks & row == *row)
}

impl GameRules for AllPayTicTacToe {
    type State = Position;

    fn starts(&self) -> Vec<Position> {
        vec![self.start()]
    }

    fn node(&self, position: &Position) -> Node {
        let Position { board: [a, b], chips, mover } = *position;
        let free = (FULL & !(a | b)).count_ones() as usize;
        match mover {
            _ if has_won(a) => Node::over(1),
            _ if has_won(b) => Node::over(-1),
            _ if free == 0 => Node::over(0),
            Mover::Bidding => {
                Node::Choose { a: usize::from(chips[0]) + 1, b: usize::from(chips[1]) + 1 }
            }
            Mover::A => Node::Choose { a: free, b: 1 },
            Mover::B => Node::Choose { a: 1, b: free },
        }
    }

    fn after(&self, position: &Position, a: usize, b: usize, outcomes: &mut Outcomes<Position>) {
        let Position { board, chips, mover } = *position;
        match mover {
            Mover::Bidding => {
                let chips = [chips[0] - a as u8, chips[1] - b as u8];
                if a >= b {
                    outcomes.to(Position { board, chips, mover: Mover::A });
                }
                if a <= b {
                    outcomes.to(Position { board, chips, mover: Mover::B });
                }
            }
            Mover::A => {
                let board = [board[0] | free_square(board, a), board[1]];
                outcomes.to(Position { board, chips, mover: Mover::Bidding });
            }
            Mover::B => {
                let board = [board[0], board[1] | free_square(board, b)];
                outcomes.to(Position { board, chips, mover: Mover::Bidding });
            }
        }
    }

    fn payoff_bound(&self) -> Option<u64> {
        Some(1)
    }

    /// The board may be turned and mirrored, and the players exchanged.
    fn canonical(&self, position: Position) -> (Position, bool) {
        let Position { board, chips, mover } = position;
        let (canonical_board, number) = self.boards[place(board)];
        let (other, other_number) = self.boards[place([board[1], board[0]])];
        let other_mover = match mover {
            Mover::Bidding => Mover::Bidding,
            Mover::A => Mover::B,
            Mover::B => Mover::A,
        };
        let exchanged = (number, chips, mover) > (other_number, [chips[1], chips[0]], other_mover);
        if exchanged {
            return (
                Position { board: other, chips: [chips[1], chips[0]], mover: other_mover },
                true,
            );
        }
        (Position { board: canonical_board, chips, mover }, false)
    }

    fn index(&self, position: &Position) -> usize {
        let chips = usize::from(self.chips) + 1;
        let (_, board) = self.boards[place(position.board)];
        let [a, b] = position.chips.map(usize::from);
        // Neighbours are kept together: what follows a bid and all the others is nearly one line.
        ((usize::from(board) * 3 + position.mover as usize) * chips + a) * chips + b
    }

    fn index_limit(&self) -> usize {
        self.count * (usize::from(self.chips) + 1).pow(2) * 3
    }
}

/// A layer has the positions with as many marks, before the bids in an even layer, after them in an
/// odd one.
impl RankedRules for AllPayTicTacToe {
    type Layer = ();

    fn layers(&self) -> u32 {
        19
    }

    fn len(&self, layer: u32) -> u64 {
        let ([unlike, like], [all, half]) = (self.boards_of(layer), self.ends(layer));
        unlike.len() as u64 * all[1] + like.len() as u64 * half[1]
    }

    fn state(&self, layer: u32, rank: u64) -> Position {
        let ([unlike, like], [all, half], row) =
            (self.boards_of(layer), self.ends(layer), u64::from(self.chips) + 1);
        let before = unlike.len() as u64 * all[1];
        let (board, (number, [a, b])) = if rank < before {
            let rest = rank % all[1];
            (unlike[(rank / all[1]) as usize], (rest / all[0], [rest % all[0] / row, rest % row]))
        } else {
            let (board, rest) =
                (like[((rank - before) / half[1]) as usize], (rank - before) % half[1]);
            let number = u64::from(rest >= half[0]);
            (board, (number, pair(rest - number * half[0], number)))
        };
        let mover = if layer.is_multiple_of(2) {
            Mover::Bidding
        } else {
            [Mover::A, Mover::B][number as usize]
        };
        Position { board, chips: [a as u8, b as u8], mover }
    }

    fn rank(&self, &Position { board, chips, mover }: &Position) -> Option<(u32, u64)> {
        let layer =
            2 * (9 - (board[0] | board[1]).count_ones()) - u32::from(mover != Mover::Bidding);
        let ([unlike, _], [all, half], number) =
            (self.boards_of(layer), self.ends(layer), u64::from(mover == Mover::B));
        let (number_of_board, number_of_mirror) =
            (self.boards[place(board)].1, self.boards[place([board[1], board[0]])].1);
        let (place, [a, b]) =
            (u64::from(self.places[usize::from(number_of_board)]), chips.map(u64::from));
        let rank = if number_of_board == number_of_mirror {
            unlike.len() as u64 * all[1] + place * half[1] + number * half[0] + b * (b + 1) / 2
                - number * b
                + a
        } else {
            place * all[1] + number * all[0] + a * (u64::from(self.chips) + 1) + b
        };
        Some((layer, rank))
    }

    fn layer(&self, _: u32) {}
}

impl AllPayTicTacToe {
    fn boards_of(&self, layer: u32) -> &[Vec<Board>; 2] {
        &self.ranked[9 - layer.div_ceil(2) as usize]
    }

    /// Where the positions with one board end, those before B's move and all: with a board that
    /// exchanged players make another, and with one that they do not, where A's chips are at most
    /// B's, and fewer where B is to move.
    fn ends(&self, layer: u32) -> [[u64; 2]; 2] {
        let row = u64::from(self.chips) + 1;
        let pairs = row * (row + 1) / 2;
        if layer.is_multiple_of(2) {
            [[row * row; 2], [pairs; 2]]
        } else {
            [[row * row, 2 * row * row], [pairs, row * row]]
        }
    }
}

/// The n-th pair of numbers of which the first is smaller than the second by at least `least`,
/// which is 0 or 1.
fn pair(n: u64, least: u64) -> [u64; 2] {
    let begin = |second: u64| second * (second + 1) / 2 - least * second;
    let second = (least..=u8::MAX.into()).find(|second| begin(second + 1) > n).unwrap_or(0);
    [n - begin(second), second]
}

fn main() -> ExitCode {
    run("all_pay_tic_tac_toe [CHIPS]", print)
}

fn print() -> Result<(), Box<dyn std::error::Error>> {
    let rules = AllPayTicTacToe::new(argument(1, "number of chips", 10, 0..=255)?);
    let Some(solution) = solve_ranked(rules)? else { return Ok(()) };
    let [a, _] = solution.strategies(&solution.game().start())?;
    say!("bid {}", shown(&a, |bid| bid.to_string()));
    Ok(())
}
