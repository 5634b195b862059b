//! The states that the starts of a game's rules reach, in numbers.

use std::ops::ControlFlow;

use super::error::{CellFault, GameFault, StochasticGameError, StochasticSolveError};
use super::kind::Kind;
use super::numbered::{CellView, Outcome};
use super::packed_cell::{Digest, END_DIGEST, packed};
use super::rules::{GameRules, Outcomes, Turn};
use super::scale::{Scale, size};
use super::state_table::StateTable;
use crate::bounds::Bounds;
use crate::game::Player;
use crate::work::WorkError;

/// The states of a game that the starts reach, each as its canonical one.
#[derive(Debug)]
pub(super) struct Explored<R: GameRules> {
    pub(super) rules: R,
    table: StateTable<R::State>,
    pub(super) starts: Vec<Place>,
    /// The longest way to an end, in an acyclic game.
    levels: Vec<u32>,
    /// A digest of each state's cells, so that rules that change are noticed.
    digests: Vec<u32>,
    /// A bound of the size of all values in an acyclic game, not rounded down.
    pub(super) largest: f64,
    /// Whether a state may stand for another with the players exchanged.
    exchanges: bool,
}

/// A state's number, and whether the players are exchanged there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(pub(super) u32);

impl Place {
    const fn new(state: u32, exchanged: bool) -> Self {
        Self(state << 1 | exchanged as u32)
    }

    pub(super) const fn state(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) const fn is_exchanged(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The most states: a number has a bit less than its type.
const MOST: u64 = (1 << 31) - 1;

/// Levels of states that are not, or not wholly, explored.
const UNSEEN: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;

/// Hears how many states were found, and says whether to go on.
pub(super) type Found<'f> = dyn FnMut(u64) -> ControlFlow<()> + 'f;

/// States between two reports.
const STATES_A_REPORT: u64 = 1 << 12;

/// What is kept for a number besides the state: bounds, the level and the place in it, a digest; a size while states are explored.
const BYTES_A_NUMBER: u64 = 16 + 4 + 4 + 4 + 8;

/// A state whose successors are being explored.
struct Frame {
    state: u32,
    /// Those that are left.
    successors: Vec<u32>,
    level: u32,
    /// The largest size of a reward, and of what may follow.
    paid: f64,
    follows: f64,
    /// The cells, and what may follow them all.
    cells: u64,
    outcomes: u64,
}

impl Frame {
    /// Takes note of a successor, at once if it was explored before.
    #[inline]
    fn meet(&mut self, successor: u32, levels: &[u32], sizes: &[f64]) {
        match levels.get(successor as usize) {
            Some(&level) if level < OPEN => self.follow(level, sizes[successor as usize]),
            _ if self.successors.last() == Some(&successor) => {}
            _ => self.successors.push(successor),
        }
    }

    const fn follow(&mut self, level: u32, size: f64) {
        if self.level <= level {
            self.level = level + 1;
        }
        self.follows = self.follows.max(size);
    }
}

/// The buffers for asking about cells.
#[derive(Debug)]
pub(super) struct CellBuffer<S> {
    outcomes: Outcomes<S>,
    numbered: Vec<Outcome>,
}

impl<S> Default for CellBuffer<S> {
    fn default() -> Self {
        Self { outcomes: Outcomes::new(), numbered: Vec::new() }
    }
}

impl<R: GameRules> Explored<R> {
    /// Explores the states, depth first, within a limit on memory; `found` hears now and then how many there are, and may cancel.
    ///
    /// # Errors
    /// What the rules get wrong, with the name of the state; [`WorkError::Memory`], [`WorkError::Cancelled`].
    pub(super) fn new(rules: R, exchanges: bool, memory_limit: u64, found: &mut Found<'_>) -> Result<Self, StochasticSolveError> {
        let limit = rules.index_limit();
        let mut memory = Memory::new::<R::State>(limit, memory_limit)?;
        let mut explored = Self {
            table: StateTable::new(limit),
            starts: Vec::new(),
            levels: vec![UNSEEN; limit],
            digests: vec![END_DIGEST; limit],
            largest: 0.0,
            exchanges: exchanges && rules.kind() == Kind::Acyclic,
            rules,
        };
        let mut sizes = vec![0.0; limit];
        let mut buffer = CellBuffer::default();
        for start in explored.rules.starts() {
            let place = explored.enter(start)?;
            explored.starts.push(place);
            explored.explore(place.state() as u32, &mut sizes, &mut buffer, &mut memory, found)?;
        }
        if explored.starts.is_empty() {
            return Err(StochasticGameError::new(GameFault::NoStart).into());
        }
        explored.largest = sizes.into_iter().fold(0.0, f64::max);
        Ok(explored)
    }

    /// Explores what a state reaches and was not met before.
    fn explore(
        &mut self,
        root: u32,
        sizes: &mut Vec<f64>,
        buffer: &mut CellBuffer<R::State>,
        memory: &mut Memory,
        found: &mut Found<'_>,
    ) -> Result<(), StochasticSolveError> {
        let is_acyclic = self.rules.kind() == Kind::Acyclic;
        let mut frames: Vec<Frame> = Vec::new();
        let mut next = Some(root).filter(|&root| self.level(root) == UNSEEN);
        loop {
            if let Some(state) = next.take() {
                if memory.opened % STATES_A_REPORT == STATES_A_REPORT - 1 && found(self.table.len() as u64).is_break() {
                    return Err(WorkError::Cancelled.into());
                }
                let frame = self.open(state, sizes, buffer)?;
                let count = self.table.numbers();
                memory.open(&frame, is_acyclic);
                memory.check(count as u64)?;
                self.levels.resize(count, UNSEEN);
                sizes.resize(count, 0.0);
                self.levels[state as usize] = OPEN;
                frames.push(frame);
            }
            let Some(frame) = frames.last_mut() else { return Ok(()) };
            if let Some(successor) = frame.successors.pop() {
                match self.level(successor) {
                    UNSEEN => {
                        // Asked again when it is explored.
                        frame.successors.push(successor);
                        next = Some(successor);
                    }
                    OPEN if is_acyclic => {
                        return Err(self.refuse_number(successor as usize, GameFault::Cycle).into());
                    }
                    OPEN => {}
                    level => frame.follow(level, sizes[successor as usize]),
                }
                continue;
            }
            let Some(frame) = frames.pop() else { return Ok(()) };
            memory.close(&frame);
            let Frame { state, level, paid, follows, .. } = frame;
            self.levels[state as usize] = level;
            sizes[state as usize] = (paid + follows) * (1.0 + 8.0 * f64::EPSILON);
        }
    }

    fn level(&self, state: u32) -> u32 {
        self.levels.get(state as usize).copied().unwrap_or(UNSEEN)
    }

    /// Asks about a state for the first time, and enters its successors.
    fn open(&mut self, state: u32, sizes: &[f64], buffer: &mut CellBuffer<R::State>) -> Result<Frame, StochasticGameError> {
        let unknown = || self.refuse_number(state as usize, GameFault::Index);
        let own = self.table.get(state as usize).ok_or_else(unknown)?.clone();
        let mut frame = Frame { state, successors: Vec::new(), level: 0, paid: 0.0, follows: 0.0, cells: 0, outcomes: 0 };
        let (rows, columns) = match self.rules.turn(&own) {
            Turn::Over(value) => {
                frame.follows = size(&value);
                self.set_digest(state, END_DIGEST);
                return Ok(frame);
            }
            Turn::Choose { a, b } => (a, b),
        };
        let refuse = |fault| StochasticGameError::of_state(&self.rules.name(&own), fault);
        check_counts(rows, columns).map_err(refuse)?;
        let mut digest = Digest::new(rows, columns);
        for (a, b) in pairs(rows, columns) {
            let CellBuffer { outcomes, numbered } = &mut *buffer;
            outcomes.clear();
            self.rules.after(&own, a, b, outcomes);
            frame.cells += 1;
            frame.outcomes += outcomes.states.len() as u64;
            numbered.clear();
            for (weight, next) in outcomes.states.drain(..) {
                if weight == 0 {
                    continue;
                }
                let place = enter(&self.rules, &mut self.table, self.exchanges, next)?;
                numbered.push(Outcome { weight, state: place.0 });
                frame.meet(place.state() as u32, &self.levels, sizes);
            }
            let cell = packed(outcomes.reward, numbered).map_err(|fault| self.refuse_cell(&own, [a, b], fault))?;
            digest.add(&cell);
            if cell.reward != 0 {
                frame.paid = frame.paid.max(cell.reward.unsigned_abs() as f64 / cell.denominator as f64 * (1.0 + 1e-12));
            }
        }
        self.set_digest(state, digest.short());
        Ok(frame)
    }

    fn set_digest(&mut self, state: u32, digest: u32) {
        if self.digests.len() <= state as usize {
            self.digests.resize(state as usize + 1, 0);
        }
        self.digests[state as usize] = digest;
    }

    /// Visits the cells of any state whose successors were met, and returns a digest of them.
    pub(super) fn cells(
        &self,
        own: &R::State,
        [rows, columns]: [usize; 2],
        buffer: &mut CellBuffer<R::State>,
        mut visit: impl FnMut(usize, usize, &CellView<'_>),
    ) -> Result<u32, StochasticGameError> {
        let mut digest = Digest::new(rows, columns);
        let CellBuffer { outcomes, numbered } = buffer;
        for (a, b) in pairs(rows, columns) {
            outcomes.clear();
            self.rules.after(own, a, b, outcomes);
            numbered.clear();
            for (weight, next) in outcomes.states.drain(..) {
                if weight > 0 {
                    let place = self.find(next).ok_or_else(|| self.refuse(own, GameFault::Contradiction))?;
                    numbered.push(Outcome { weight, state: place.0 });
                }
            }
            let cell = packed(outcomes.reward, numbered).map_err(|fault| self.refuse_cell(own, [a, b], fault))?;
            digest.add(&cell);
            visit(a, b, &cell);
        }
        Ok(digest.short())
    }

    /// Compares the digest of a state's cells with that of the first time.
    ///
    /// # Errors
    /// [`GameFault::Contradiction`] if they differ.
    pub(super) fn check_digest(&self, state: usize, digest: u32) -> Result<(), StochasticGameError> {
        if digest == self.digests[state] { Ok(()) } else { Err(self.refuse_number(state, GameFault::Contradiction)) }
    }

    /// A digest of the game: of all states' cells, and of what ends pay on a scale.
    pub(super) fn digest(&self, scale: Scale) -> u64 {
        let mut digest = Digest::new(self.numbers(), scale.exponent as usize);
        for (number, state) in self.states() {
            digest.add_number(u64::from(self.digests[number]));
            if let Turn::Over(value) = self.rules.turn(state) {
                let Bounds { lower, upper } = scale.bounds(&value);
                digest.add_number(lower as u64);
                digest.add_number(upper as u64);
            }
        }
        digest.long()
    }

    /// The number of actions of A and of B; none at an end.
    pub(super) fn actions(&self, state: usize) -> [usize; 2] {
        match self.table.get(state).map(|state| self.rules.turn(state)) {
            Some(Turn::Choose { a, b }) => [a, b],
            _ => [0, 0],
        }
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// One more than the largest number of a state.
    pub(super) fn numbers(&self) -> usize {
        self.table.numbers()
    }

    /// The state with a number, if there is one.
    pub(super) fn state(&self, number: usize) -> Option<&R::State> {
        self.table.get(number)
    }

    /// The states with their numbers, which rise.
    pub(super) fn states(&self) -> impl Iterator<Item = (usize, &R::State)> {
        (0..self.table.numbers()).filter_map(|number| Some((number, self.table.get(number)?)))
    }

    /// The states of an acyclic game by the longest way to an end.
    pub(super) fn by_level(&self) -> Vec<Vec<u32>> {
        let explored = || self.levels.iter().enumerate().filter(|&(_, &level)| level < OPEN);
        let deepest = explored().map(|(_, &level)| level as usize + 1).max().unwrap_or(0);
        let mut counts = vec![0_usize; deepest];
        explored().for_each(|(_, &level)| counts[level as usize] += 1);
        let mut by_level: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (state, &level) in explored() {
            by_level[level as usize].push(state as u32);
        }
        by_level
    }

    /// The place of any state whose canonical one was met.
    #[inline]
    pub(super) fn find(&self, state: R::State) -> Option<Place> {
        let (canonical, exchanged) = canonical(&self.rules, self.exchanges, state);
        self.table.find(&canonical, |state| self.rules.index(state)).map(|state| Place::new(state, exchanged))
    }

    fn enter(&mut self, state: R::State) -> Result<Place, StochasticGameError> {
        enter(&self.rules, &mut self.table, self.exchanges, state)
    }

    /// A fault of the state with a number.
    pub(super) fn refuse_number(&self, state: usize, fault: GameFault) -> StochasticGameError {
        match self.table.get(state) {
            Some(state) => self.refuse(state, fault),
            None => StochasticGameError::new(fault),
        }
    }

    /// A fault of a state.
    pub(super) fn refuse(&self, state: &R::State, fault: GameFault) -> StochasticGameError {
        StochasticGameError::of_state(&self.rules.name(state), fault)
    }

    fn refuse_cell(&self, state: &R::State, [a, b]: [usize; 2], fault: CellFault) -> StochasticGameError {
        let [a, b] = [(Player::A, a), (Player::B, b)].map(|(player, action)| self.rules.action_name(state, player, action));
        StochasticGameError::of_state(&self.rules.name(state), GameFault::Cell { a, b, fault: Box::new(fault) })
    }
}

#[inline]
fn canonical<R: GameRules>(rules: &R, exchanges: bool, state: R::State) -> (R::State, bool) {
    if exchanges {
        return rules.canonical(state);
    }
    match rules.canonical(state.clone()) {
        (_, true) => (state, false),
        same => same,
    }
}

#[inline]
fn enter<R: GameRules>(
    rules: &R,
    table: &mut StateTable<R::State>,
    exchanges: bool,
    state: R::State,
) -> Result<Place, StochasticGameError> {
    let (canonical, exchanged) = canonical(rules, exchanges, state);
    let place = table.enter(canonical, |state| rules.index(state));
    place.map(|place| Place::new(place, exchanged)).map_err(|state| {
        let name = rules.name(&state);
        StochasticGameError::of_state(&name, GameFault::Index)
    })
}

/// All pairs of actions, row by row.
fn pairs(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |a| (0..columns).map(move |b| (a, b)))
}

fn check_counts(rows: usize, columns: usize) -> Result<(), GameFault> {
    match (rows, columns) {
        (0, _) => Err(GameFault::NoAction { player: 'A' }),
        (_, 0) => Err(GameFault::NoAction { player: 'B' }),
        _ => Ok(()),
    }
}

/// The limit on memory, and what is taken besides that of the states.
struct Memory {
    bytes_a_number: u64,
    limit: u64,
    /// The states that were asked about.
    opened: u64,
    /// The bytes of states that are being explored.
    open: u64,
    /// The bytes of the game when it is written down, as it is where play can return.
    written: u64,
}

/// What a state, a cell and what follows it take when a game is written down and solved so: names, a node, bounds and strategies;
/// the cell twice, once in the numbers of the game and once in those of its component.
const BYTES_A_WRITTEN_STATE: u64 = 200;
const BYTES_A_WRITTEN_CELL: u64 = 16 + 64;
const BYTES_A_WRITTEN_OUTCOME: u64 = 16 + 16;

impl Memory {
    fn new<S: std::hash::Hash + Eq + Clone>(index_limit: usize, limit: u64) -> Result<Self, StochasticSolveError> {
        let bytes_a_number = StateTable::<S>::bytes_a_number(index_limit) + BYTES_A_NUMBER;
        let memory = Self { bytes_a_number, limit, opened: 0, open: 0, written: 0 };
        memory.check(index_limit as u64)?;
        Ok(memory)
    }

    /// A state is being explored.
    fn open(&mut self, frame: &Frame, is_acyclic: bool) {
        self.opened += 1;
        self.open += Self::bytes(frame);
        if !is_acyclic {
            let cells = frame.cells * BYTES_A_WRITTEN_CELL + frame.outcomes * BYTES_A_WRITTEN_OUTCOME;
            self.written += BYTES_A_WRITTEN_STATE + cells;
        }
    }

    fn close(&mut self, frame: &Frame) {
        self.open -= Self::bytes(frame);
    }

    /// The room of its list of successors stays the same.
    fn bytes(frame: &Frame) -> u64 {
        (size_of::<Frame>() + frame.successors.capacity() * size_of::<u32>()) as u64
    }

    fn check(&self, states: u64) -> Result<(), StochasticSolveError> {
        if states >= MOST {
            let reason = format!("more than {MOST} states, which is as far as they are counted");
            return Err(StochasticGameError::new(GameFault::Size { reason }).into());
        }
        let bytes = states.saturating_mul(self.bytes_a_number).saturating_add(self.open + self.written);
        Ok(WorkError::check_memory(|| format!("a game of more than {states} states"), bytes, self.limit)?)
    }
}
