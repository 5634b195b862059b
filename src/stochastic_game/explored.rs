//! The states that the starts of a game's rules reach, in numbers.

use num_integer::Integer;

use super::error::{CellFault, GameFault, StochasticGameError, StochasticSolveError};
use super::kind::Kind;
use super::numbered::{CellView, DENOMINATOR_BITS, Outcome};
use super::rules::{GameRules, Outcomes, Turn};
use super::scale::size;
use super::state_table::StateTable;
use crate::game::Player;
use crate::work::{Watch, WorkError};

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

/// The digest of an end, which has no cells.
pub(super) const END_DIGEST: u32 = 0;

/// States between two questions whether to go on.
const STATES_A_REPORT: usize = 1 << 12;

/// What is kept for a state besides itself: bounds, its level and its place in it, and its digest.
const BYTES_A_STATE: u64 = 16 + 2 * 4 + 2 * 4;

/// A state whose successors are being explored.
struct Frame {
    state: u32,
    /// Those that are left.
    successors: Vec<u32>,
    level: u32,
    /// The largest size of a reward, and of what may follow.
    paid: f64,
    follows: f64,
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
    /// Explores the states, depth first, within a limit on memory; `watch` hears nothing but may cancel.
    ///
    /// # Errors
    /// What the rules get wrong, with the name of the state; [`WorkError::Memory`], [`WorkError::Cancelled`].
    pub(super) fn new(rules: R, exchanges: bool, memory_limit: u64, watch: &mut Watch<'_>) -> Result<Self, StochasticSolveError> {
        let limit = rules.index_limit();
        let memory = Memory::new::<R::State>(limit, memory_limit)?;
        let mut explored = Self {
            table: StateTable::new(limit),
            starts: Vec::new(),
            levels: Vec::new(),
            digests: Vec::new(),
            largest: 0.0,
            exchanges: exchanges && rules.kind() == Kind::Acyclic,
            rules,
        };
        let mut sizes = Vec::new();
        let mut buffer = CellBuffer::default();
        for start in explored.rules.starts() {
            let place = explored.enter(start)?;
            explored.starts.push(place);
            explored.explore(place.state() as u32, &mut sizes, &mut buffer, &memory, watch)?;
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
        memory: &Memory,
        watch: &mut Watch<'_>,
    ) -> Result<(), StochasticSolveError> {
        let is_acyclic = self.rules.kind() == Kind::Acyclic;
        let mut frames: Vec<Frame> = Vec::new();
        let mut next = Some(root).filter(|&root| self.level(root) == UNSEEN);
        let mut opened = 0_usize;
        loop {
            if let Some(state) = next.take() {
                opened += 1;
                if opened % STATES_A_REPORT == 0 && watch(0.0).is_break() {
                    return Err(WorkError::Cancelled.into());
                }
                let frame = self.open(state, sizes, buffer)?;
                let count = self.table.states().len();
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
                        return Err(self.refuse(&self.states()[successor as usize], GameFault::Cycle).into());
                    }
                    OPEN => {}
                    level => frame.follow(level, sizes[successor as usize]),
                }
                continue;
            }
            let Some(Frame { state, level, paid, follows, .. }) = frames.pop() else { return Ok(()) };
            self.levels[state as usize] = level;
            sizes[state as usize] = (paid + follows) * (1.0 + 8.0 * f64::EPSILON);
        }
    }

    fn level(&self, state: u32) -> u32 {
        self.levels.get(state as usize).copied().unwrap_or(UNSEEN)
    }

    /// Asks about a state for the first time, and enters its successors.
    fn open(&mut self, state: u32, sizes: &[f64], buffer: &mut CellBuffer<R::State>) -> Result<Frame, StochasticGameError> {
        let own = self.table.states()[state as usize].clone();
        let mut frame = Frame { state, successors: Vec::new(), level: 0, paid: 0.0, follows: 0.0 };
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
        if digest == self.digests[state] { Ok(()) } else { Err(self.refuse(&self.states()[state], GameFault::Contradiction)) }
    }

    /// The number of actions of A and of B; none at an end.
    pub(super) fn actions(&self, state: usize) -> [usize; 2] {
        match self.rules.turn(&self.table.states()[state]) {
            Turn::Over(_) => [0, 0],
            Turn::Choose { a, b } => [a, b],
        }
    }

    /// The states in their order.
    pub(super) fn states(&self) -> &[R::State] {
        self.table.states()
    }

    /// The states of an acyclic game by the longest way to an end.
    pub(super) fn by_level(&self) -> Vec<Vec<u32>> {
        let deepest = self.levels.iter().max().map_or(0, |&level| level as usize + 1);
        let mut counts = vec![0_usize; deepest];
        self.levels.iter().for_each(|&level| counts[level as usize] += 1);
        let mut by_level: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (state, &level) in self.levels.iter().enumerate() {
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

/// The cell with these outcomes, whose weights are scaled where the reward's denominator asks for it.
#[inline]
fn packed((reward, parts): (i64, u64), outcomes: &mut [Outcome]) -> Result<CellView<'_>, CellFault> {
    if let ([outcome], 1) = (&mut *outcomes, parts) {
        outcome.weight = 1;
        return Ok(CellView { outcomes, denominator: 1, reward: reward.into() });
    }
    let sum: u128 = outcomes.iter().map(|outcome| u128::from(outcome.weight)).sum();
    if sum == 0 || parts == 0 {
        return Err(if parts == 0 { CellFault::RewardDenominator } else { CellFault::NoWeight });
    }
    let too_large = |bits: u128| CellFault::Denominator { bits: 128 - u64::from(bits.leading_zeros()), most: DENOMINATOR_BITS };
    if sum > 1 << DENOMINATOR_BITS {
        return Err(too_large(sum));
    }
    if reward == 0 || parts == 1 {
        return Ok(CellView { outcomes, denominator: sum as u64, reward: i128::from(reward) * sum as i128 });
    }
    let parts = parts / parts.gcd(&reward.unsigned_abs());
    let common = sum.lcm(&u128::from(parts));
    if common > 1 << DENOMINATOR_BITS {
        return Err(too_large(common));
    }
    let factor = (common / sum) as u64;
    for outcome in outcomes.iter_mut() {
        outcome.weight *= factor;
    }
    let reward = i128::from(reward) * (common / u128::from(parts)) as i128;
    Ok(CellView { outcomes, denominator: common as u64, reward })
}

/// A digest of cells: no secret, only a sign of change.
#[derive(Clone, Copy, Debug)]
struct Digest(u64);

impl Digest {
    const fn new(rows: usize, columns: usize) -> Self {
        Self((rows as u64) << 32 ^ columns as u64)
    }

    #[inline]
    fn add(&mut self, cell: &CellView<'_>) {
        self.mix(cell.denominator);
        if cell.reward != 0 {
            self.mix(cell.reward as u64);
        }
        for outcome in cell.outcomes {
            self.mix(outcome.weight << 32 ^ u64::from(outcome.state));
        }
    }

    /// A product by an odd number with many bits, and a turn.
    #[inline]
    const fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    const fn short(self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}

/// The limit on memory.
struct Memory {
    bytes_a_state: u64,
    indices: u64,
    limit: u64,
}

impl Memory {
    fn new<S: std::hash::Hash + Eq>(index_limit: usize, limit: u64) -> Result<Self, WorkError> {
        let indices = 4 * index_limit as u64;
        WorkError::check_memory(|| format!("{index_limit} indices of states"), indices, limit)?;
        Ok(Self { bytes_a_state: StateTable::<S>::bytes_a_state(index_limit) + BYTES_A_STATE, indices, limit })
    }

    fn check(&self, states: u64) -> Result<(), WorkError> {
        let bytes = states * self.bytes_a_state + self.indices;
        let what = || format!("a game of more than {states} states");
        WorkError::check_memory(what, bytes, if states < MOST { self.limit } else { 0 })
    }
}
