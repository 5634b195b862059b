//! Games whose states and actions are numbers, as bytes that are read much faster than lines.

use hashbrown::HashMap;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use super::checks::{MOST, PAYOFF_BITS, check_kind, is_large};
use super::game::{PackedCell, PackedNode, StochasticGame};
use super::kind::Kind;
use super::names::Names;
use super::numbered::{DENOMINATOR_BITS, Outcome};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::sealed::{seal, u32_at, u64_at, unsealed};

const MAGIC: &[u8; 8] = b"STOGAMES";

const VERSION: u32 = 1;

/// A payoff that is a double has at most 135 bytes behind the point.
const LONGEST_INTEGER: usize = 256;

/// The error of bytes that are no game.
fn refusal(reason: &str) -> StochasticGameError {
    StochasticGameFault::Packed { reason: reason.to_owned() }.into()
}

const ENDS_EARLY: &str = "ends too early";
const NO_ACTIONS: &str = "has numbers of actions that its cells do not fit";
const NO_CELL: &str = "has a cell whose successors or weights are not as described";
const NO_NUMBER: &str = "has a number that no game has";

/// The numbers of the things of a game, which come before these.
struct Counts {
    starts: usize,
    numbers: usize,
    payments: usize,
    states: usize,
    cells: usize,
    outcomes: usize,
}

/// The bytes of a start and of a payment.
const START: usize = 4;
const PAYMENT: usize = 24;

/// A number of a column is read with as many bytes, of which the last may be those of the next one;
/// as many zeros stand after the last column.
const READ: usize = 8;

impl StochasticGame {
    /// The game as bytes, which [`unpacked`](Self::unpacked) reads and checks; `None` unless its
    /// states and actions are named by their numbers, as
    /// [`name_by_number`](super::StochasticGameBuilder::name_by_number) does, and all probabilities
    /// are known. Title, description and pictures are left out.
    ///
    /// # Format
    ///
    /// Integers are little-endian and have 4 bytes unless another number is given.
    ///
    /// | bytes | content |
    /// | --- | --- |
    /// | 8, 4 | `STOGAMES`, the version 1 |
    /// | 4, … | the length of the kind, the kind |
    /// | 8, 8 | numerator and denominator of the discount |
    /// | 6 × 8 | how many starts, numbers, payments, states, cells and outcomes there are |
    /// | each start | its state |
    /// | each number | for numerator and denominator a length and that many bytes, in two's complement |
    /// | each payment | a reward times the denominator of its cell (16), this denominator (8); the first is 0 and 1 |
    /// | columns by state | the numbers of A's and of B's actions, 0 and 0 at an end; which number is its value or its payoff of infinite plays |
    /// | columns by cell | how many outcomes it has; its payment |
    /// | columns by outcome | its weight, out of the denominator; the state that follows |
    /// | 8 | zeros |
    /// | 4 | CRC-32 of everything before |
    ///
    /// A column begins with the bytes that each of its numbers has (1), from 1 to 8.
    ///
    /// ```
    /// use stochastic_game::{CellTable, Kind, StochasticGame, StochasticSolver};
    ///
    /// let (mut game, mut cells) = (StochasticGame::builder(Kind::Acyclic, None)?, CellTable::default());
    /// game.name_by_number(2)?;
    /// cells.follow_number(1, 1);
    /// cells.push(3);
    /// cells.end_row();
    /// let number = |value: i32| num_rational::BigRational::from_integer(value.into());
    /// game.state("0", [&["0"], &["0"]], number(0), &cells)?;
    /// game.end("1", number(4))?;
    /// game.start("0")?;
    /// let mut bytes = game.finish()?.packed().expect("states and actions are numbers");
    /// let again = StochasticGame::unpacked(&bytes)?;
    /// assert_eq!(StochasticSolver::new(again).solve()?.value(&0)?, 7.0);
    /// bytes[40] ^= 1;
    /// assert!(StochasticGame::unpacked(&bytes).is_err());
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn packed(&self) -> Option<Vec<u8>> {
        let mut named_lists = self.lists.iter().flat_map(|list| list.iter().enumerate());
        if !self.names.are_numbers()
            || !named_lists.all(|(number, name)| **name == *number.to_string())
            || self.uncertainty.is_some()
        {
            return None;
        }
        let kind = self.kind.to_string();
        let cells = self.cells();
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((kind.len() as u32).to_le_bytes());
        bytes.extend(kind.as_bytes());
        for part in [self.discount.numer(), self.discount.denom()] {
            bytes.extend(part.to_u64()?.to_le_bytes());
        }
        let counts = [
            self.starts.len(),
            self.numbers.len(),
            self.payments.len(),
            self.len(),
            cells,
            self.outcomes.len(),
        ];
        for count in counts {
            bytes.extend((count as u64).to_le_bytes());
        }
        for start in &self.starts {
            bytes.extend(start.to_le_bytes());
        }
        for number in &self.numbers {
            for part in [number.numer(), number.denom()] {
                let digits = part.to_signed_bytes_le();
                if digits.len() > LONGEST_INTEGER {
                    return None;
                }
                bytes.extend((digits.len() as u32).to_le_bytes());
                bytes.extend(digits);
            }
        }
        for (reward, denominator) in &self.payments {
            bytes.extend(reward.to_le_bytes());
            bytes.extend(denominator.to_le_bytes());
        }
        let sizes = || (0..self.len()).map(|state| self.sizes(state));
        write_column(&mut bytes, sizes().map(|[a, _]| a as u64));
        write_column(&mut bytes, sizes().map(|[_, b]| b as u64));
        write_column(&mut bytes, self.nodes.iter().map(|node| node.number.into()));
        let pairs = self.cells.windows(2);
        let counts = pairs.map(|pair| u64::from(pair[1].first_outcome - pair[0].first_outcome));
        write_column(&mut bytes, counts);
        write_column(&mut bytes, self.cells[..cells].iter().map(|cell| cell.payment.into()));
        write_column(&mut bytes, self.outcomes.iter().map(|outcome| outcome.weight));
        write_column(&mut bytes, self.outcomes.iter().map(|outcome| outcome.state.into()));
        bytes.extend([0; READ]);
        Some(seal(bytes))
    }

    /// The game of such bytes, which are not trusted: it is checked as one that is built. No more
    /// memory is taken than some times their length.
    ///
    /// # Errors
    /// [`StochasticGameFault::Packed`] for bytes that are no game; the faults of
    /// [`finish`](super::StochasticGameBuilder::finish) for one that contradicts its kind.
    pub fn unpacked(bytes: &[u8]) -> Result<Self, StochasticGameError> {
        let mut input = Input::new(bytes)?;
        let length = input.u32()? as usize;
        let kind = std::str::from_utf8(input.take(length)?).map_err(|_| refusal(NO_NUMBER))?;
        let kind: Kind = kind.parse()?;
        let discount = Discount { numerator: input.u64()?, denominator: input.u64()? };
        let builder = Self::builder(kind, discount.of_kind(kind)?)?;
        let counts = Counts {
            starts: input.count()?,
            numbers: input.count()?,
            payments: input.count()?,
            states: input.count()?,
            cells: input.count()?,
            outcomes: input.count()?,
        };
        let mut game = builder.game;
        game.starts = input.starts(&counts)?;
        game.numbers = input.numbers(&counts)?;
        game.payments = input.payments(&counts)?;
        let mut lists = Lists::default();
        game.nodes = input.nodes(&counts, &mut lists)?;
        game.lists = lists.lists;
        game.cells = input.cells(&counts)?;
        game.outcomes = input.outcomes(&counts)?;
        if input.rest != [0; READ] {
            return Err(refusal("does not end as one does"));
        }
        check_weights(&game, discount)?;
        game.names = Names::of_numbers(counts.states);
        check_kind(&game)?;
        Ok(game)
    }
}

/// The factor of every successor's value, 1 unless the game is discounted.
#[derive(Clone, Copy)]
struct Discount {
    numerator: u64,
    denominator: u64,
}

impl Discount {
    /// The discount that a game of this kind is given.
    fn of_kind(self, kind: Kind) -> Result<Option<BigRational>, StochasticGameError> {
        if self.denominator == 0 {
            return Err(refusal(NO_NUMBER));
        }
        if kind != Kind::Discounted && self.numerator == 1 && self.denominator == 1 {
            return Ok(None);
        }
        let discount = BigRational::new(self.numerator.into(), self.denominator.into());
        // The weights of cells are checked by both parts.
        if discount.denom().to_u64() != Some(self.denominator) {
            return Err(refusal(NO_NUMBER));
        }
        Ok(Some(discount))
    }

    /// The sum of the weights of a cell with this denominator; `None` if no cell has it.
    fn whole(self, denominator: u64) -> Option<u128> {
        let is_multiple = denominator.is_multiple_of(self.denominator);
        is_multiple.then(|| u128::from(denominator / self.denominator) * u128::from(self.numerator))
    }
}

/// The lists of actions by their lengths.
#[derive(Default)]
struct Lists {
    lists: Vec<Vec<Box<str>>>,
    places: HashMap<u32, u32>,
}

impl Lists {
    fn place(&mut self, actions: u32) -> u32 {
        let Self { lists, places } = self;
        *places.entry(actions).or_insert_with(|| {
            lists.push((0..actions).map(|action| action.to_string().into()).collect());
            lists.len() as u32 - 1
        })
    }
}

/// Bytes that are read in turn.
struct Input<'b> {
    rest: &'b [u8],
}

impl<'b> Input<'b> {
    /// The bytes after the version, before the checksum.
    fn new(bytes: &'b [u8]) -> Result<Self, StochasticGameError> {
        let mut input = Self { rest: bytes };
        if input.take(MAGIC.len())? != MAGIC {
            return Err(refusal("does not begin as one does"));
        }
        let version = input.u32()?;
        if version != VERSION {
            return Err(refusal(&format!(
                "has another version of the format, {version}; only version {VERSION} is known"
            )));
        }
        let content = unsealed(bytes).map_err(|fault| refusal(&fault.to_string()))?;
        // A sealed file is four bytes longer than its content.
        let begin = MAGIC.len() + size_of::<u32>();
        input.rest = content.get(begin..).ok_or_else(|| refusal(ENDS_EARLY))?;
        Ok(input)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], StochasticGameError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| refusal(ENDS_EARLY))?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `count` records. Records that a header claims and the file does not have take no
    /// memory.
    fn records<const BYTES: usize>(
        &mut self,
        count: usize,
    ) -> Result<&'b [[u8; BYTES]], StochasticGameError> {
        let bytes = count.checked_mul(BYTES).ok_or_else(|| refusal(ENDS_EARLY))?;
        Ok(self.take(bytes)?.as_chunks().0)
    }

    fn column(&mut self, count: usize) -> Result<Column<'b>, StochasticGameError> {
        let width = usize::from(self.take(1)?[0]);
        if !(1..=READ).contains(&width) {
            return Err(refusal("has a column of numbers without bytes, or of too many"));
        }
        let bytes = self.rest;
        self.take(count.saturating_mul(width))?;
        if self.rest.len() < READ {
            return Err(refusal(ENDS_EARLY));
        }
        let mask = u64::MAX >> (u64::BITS as usize - width * u8::BITS as usize);
        Ok(Column { bytes, width, mask })
    }

    fn u32(&mut self) -> Result<u32, StochasticGameError> {
        Ok(u32_at(self.take(4)?, 0))
    }

    fn u64(&mut self) -> Result<u64, StochasticGameError> {
        Ok(u64_at(self.take(8)?, 0))
    }

    /// A number of things, each of which has bytes, and is numbered in 32 bits.
    fn count(&mut self) -> Result<usize, StochasticGameError> {
        let count = self.u64()?;
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= MOST)
            .ok_or_else(|| refusal(ENDS_EARLY))
    }

    fn starts(&mut self, counts: &Counts) -> Result<Vec<u32>, StochasticGameError> {
        let mut is_start = vec![false; self.rest.len().min(counts.states)];
        let mut starts = Vec::new();
        for record in self.records::<START>(counts.starts)? {
            let start = u32::from_le_bytes(*record);
            let is_start = is_start.get_mut(start as usize);
            if is_start.is_none_or(|is_start| std::mem::replace(is_start, true)) {
                return Err(refusal("has a start that is no state, or twice the same"));
            }
            starts.push(start);
        }
        if starts.is_empty() {
            return Err(StochasticGameFault::NoStart.into());
        }
        Ok(starts)
    }

    fn integer(&mut self) -> Result<BigInt, StochasticGameError> {
        let length = self.u32()? as usize;
        if length > LONGEST_INTEGER {
            return Err(refusal(NO_NUMBER));
        }
        Ok(BigInt::from_signed_bytes_le(self.take(length)?))
    }

    fn numbers(&mut self, counts: &Counts) -> Result<Vec<BigRational>, StochasticGameError> {
        let mut numbers = Vec::new();
        for _ in 0..counts.numbers {
            let [numerator, denominator] = [self.integer()?, self.integer()?];
            if !denominator.is_positive() {
                return Err(refusal(NO_NUMBER));
            }
            let number = BigRational::new(numerator, denominator);
            if is_large(&number) {
                let payoff = number.to_string();
                return Err(StochasticGameFault::Payoff { payoff }.into());
            }
            numbers.push(number);
        }
        Ok(numbers)
    }

    fn payments(&mut self, counts: &Counts) -> Result<Vec<(i128, u64)>, StochasticGameError> {
        let records = self.records::<PAYMENT>(counts.payments)?;
        let mut payments = Vec::with_capacity(records.len());
        for record in records {
            let reward = i128::from(u64_at(record, 0)) | i128::from(u64_at(record, 8) as i64) << 64;
            let denominator = u64_at(record, 16);
            let is_allowed = (1..=1 << DENOMINATOR_BITS).contains(&denominator)
                && reward.unsigned_abs() <= u128::from(denominator) << PAYOFF_BITS;
            if !is_allowed {
                return Err(refusal(NO_NUMBER));
            }
            payments.push((reward, denominator));
        }
        // The mark after the last cell has it.
        if payments.first() != Some(&(0, 1)) {
            return Err(refusal(NO_NUMBER));
        }
        Ok(payments)
    }

    fn nodes(
        &mut self,
        counts: &Counts,
        lists: &mut Lists,
    ) -> Result<Vec<PackedNode>, StochasticGameError> {
        let rows = self.column(counts.states)?;
        let columns = self.column(counts.states)?;
        let numbers = self.column(counts.states)?;
        let mut nodes = Vec::with_capacity(counts.states);
        let mut cells = 0_u64;
        let (mut last, mut places) = ([0, 0], None);
        for state in 0..counts.states {
            let [a, b, number] = [&rows, &columns, &numbers].map(|column| column.at(state));
            if number >= counts.numbers as u64 {
                return Err(refusal(NO_NUMBER));
            }
            let first_cell = cells as u32;
            cells = a
                .checked_mul(b)
                .and_then(|of_state| cells.checked_add(of_state))
                .filter(|&cells| cells <= counts.cells as u64 && (a == 0) == (b == 0))
                .ok_or_else(|| refusal(NO_ACTIONS))?;
            // Mostly the next state has as many actions.
            if last != [a, b] {
                // Every cell has bytes in the columns that follow.
                if cells > self.rest.len() as u64 {
                    return Err(refusal(ENDS_EARLY));
                }
                last = [a, b];
                places = (a > 0).then(|| last.map(|actions| lists.place(actions as u32)));
            }
            nodes.push(PackedNode { first_cell, number: number as u32, actions: places });
        }
        if cells != counts.cells as u64 {
            return Err(refusal(NO_ACTIONS));
        }
        Ok(nodes)
    }

    fn cells(&mut self, counts: &Counts) -> Result<Vec<PackedCell>, StochasticGameError> {
        let sizes = self.column(counts.cells)?;
        let payments = self.column(counts.cells)?;
        let mut cells = Vec::with_capacity(counts.cells + 1);
        let mut outcomes = 0_u64;
        for place in 0..counts.cells {
            let [size, payment] = [&sizes, &payments].map(|column| column.at(place));
            let left = counts.outcomes as u64 - outcomes;
            if !(1..=left).contains(&size) || payment >= counts.payments as u64 {
                return Err(refusal(NO_CELL));
            }
            cells.push(PackedCell { first_outcome: outcomes as u32, payment: payment as u32 });
            outcomes += size;
        }
        if outcomes != counts.outcomes as u64 {
            return Err(refusal(NO_CELL));
        }
        cells.push(PackedCell { first_outcome: outcomes as u32, payment: 0 });
        Ok(cells)
    }

    fn outcomes(&mut self, counts: &Counts) -> Result<Vec<Outcome>, StochasticGameError> {
        let weights = self.column(counts.outcomes)?;
        let states = self.column(counts.outcomes)?;
        let mut outcomes = Vec::with_capacity(counts.outcomes);
        for place in 0..counts.outcomes {
            let [weight, state] = [&weights, &states].map(|column| column.at(place));
            if weight == 0 || state >= counts.states as u64 {
                return Err(refusal(NO_CELL));
            }
            outcomes.push(Outcome { weight, state: state as u32 });
        }
        Ok(outcomes)
    }
}

/// Integers of as many bytes each.
struct Column<'b> {
    /// The integers, and the bytes after them.
    bytes: &'b [u8],
    width: usize,
    /// The bits of an integer.
    mask: u64,
}

impl Column<'_> {
    fn at(&self, place: usize) -> u64 {
        u64_at(self.bytes, place * self.width) & self.mask
    }
}

/// Writes integers, each with as many bytes as the largest needs.
fn write_column(bytes: &mut Vec<u8>, numbers: impl ExactSizeIterator<Item = u64> + Clone) {
    let largest = numbers.clone().max().unwrap_or(0).max(1);
    let width = (u64::BITS - largest.leading_zeros()).div_ceil(u8::BITS) as usize;
    bytes.push(width as u8);
    let mut place = bytes.len();
    let end = place + width * numbers.len();
    bytes.resize(end + READ, 0);
    for number in numbers {
        // The zeros behind it are written over by the next one.
        bytes[place..place + READ].copy_from_slice(&number.to_le_bytes());
        place += width;
    }
    bytes.truncate(end);
}

/// Checks that the weights of every cell sum to the discount.
fn check_weights(game: &StochasticGame, discount: Discount) -> Result<(), StochasticGameError> {
    let wholes: Vec<Option<u128>> =
        game.payments.iter().map(|&(_, denominator)| discount.whole(denominator)).collect();
    for pair in game.cells.windows(2) {
        let outcomes =
            &game.outcomes[pair[0].first_outcome as usize..pair[1].first_outcome as usize];
        let sum: u128 = outcomes.iter().map(|outcome| u128::from(outcome.weight)).sum();
        if wholes[pair[0].payment as usize] != Some(sum) {
            return Err(refusal(NO_CELL));
        }
    }
    Ok(())
}
