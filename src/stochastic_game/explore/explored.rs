//! The states that the starts of a game's rules reach, in numbers.

use super::state_table::StateTable;
use super::told_row::{Told, ToldRow, canonical};
use crate::bounds::Bounds;
use crate::error::{CellFault, GameFault, StochasticGameError};
use crate::game::Player;
use crate::stochastic_game::model::CellView;
use crate::stochastic_game::model::Digest;
use crate::stochastic_game::model::Scale;
use crate::stochastic_game::model::{GameRules, Turn};

/// One of so many states is asked about twice where all others are once: an odd number, so that it is not the same sort each time.
const STATES_A_SAMPLE: usize = 61;

/// The states of a game that the starts reach, each as its canonical one.
#[derive(Debug)]
pub(crate) struct Explored<R: GameRules> {
    pub(crate) rules: R,
    pub(crate) table: StateTable<R::State>,
    pub(crate) starts: Vec<Place>,
    /// A bound of the size of all values in an acyclic game, not rounded down.
    pub(crate) largest: f64,
    /// Whether a state may stand for another with the players exchanged.
    pub(crate) exchanges: bool,
}

/// A state's number, and whether the players are exchanged there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) u32);

impl Place {
    #[inline]
    pub(crate) const fn new(state: u32, exchanged: bool) -> Self {
        Self(state << 1 | exchanged as u32)
    }

    #[inline]
    pub(crate) const fn state(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(crate) const fn is_exchanged(self) -> bool {
        self.0 & 1 == 1
    }
}

impl<R: GameRules> Explored<R> {
    /// No states yet.
    pub(crate) fn unseen(rules: R, exchanges: bool, index_limit: usize, start: &R::State) -> Self {
        let table = StateTable::new(index_limit, start);
        Self { rules, table, starts: Vec::new(), largest: 0.0, exchanges }
    }

    /// Visits the cells of any state whose successors were met, and returns a digest of them, by which one of the table is
    /// [checked](Self::check_digest): successors of others are looked at more closely.
    pub(crate) fn cells(
        &self,
        own: &R::State,
        [rows, columns]: [usize; 2],
        is_of_table: bool,
        row: &mut ToldRow<R::State>,
        mut visit: impl FnMut(usize, usize, &CellView<'_>),
    ) -> Result<u32, StochasticGameError> {
        let mut digest = Digest::new(rows, columns);
        for a in 0..rows {
            self.ask(own, a, 0..columns, is_of_table, row)?;
            let told = row.cells(|b, cell| {
                digest.add(cell);
                visit(a, b, cell);
            });
            told.map_err(|(b, fault)| self.refuse_cell(own, [a, b], fault))?;
        }
        Ok(digest.short())
    }

    /// Asks about cells of a row, and numbers what follows.
    #[inline]
    fn ask(
        &self,
        own: &R::State,
        a: usize,
        columns: std::ops::Range<usize>,
        is_of_table: bool,
        row: &mut ToldRow<R::State>,
    ) -> Result<(), StochasticGameError> {
        let Self { rules, table, exchanges, .. } = self;
        row.ask((rules, table, *exchanges), own, a, columns);
        row.number(|Told { key, state, exchanged, .. }| {
            let number = if is_of_table { table.expect(key, &state) } else { table.find(key, &state) };
            let place = number.map(|number| Place::new(number, exchanged).0);
            place.ok_or_else(|| self.refuse(own, GameFault::Contradiction))
        })
    }

    /// Compares the digest of a state's cells with that of the first time.
    ///
    /// # Errors
    /// [`GameFault::Contradiction`] if they differ.
    pub(crate) fn check_digest(&self, state: usize, digest: u32) -> Result<(), StochasticGameError> {
        if digest == self.table.met(state).digest { Ok(()) } else { Err(self.refuse_number(state, GameFault::Contradiction)) }
    }

    /// Asks about a sample of the states once more.
    ///
    /// # Errors
    /// [`GameFault::Contradiction`] if the rules tell something else.
    pub(crate) fn check_sample(&self) -> Result<(), StochasticGameError> {
        let mut row = ToldRow::default();
        for (number, state) in self.states().step_by(STATES_A_SAMPLE) {
            let Turn::Choose { a, b } = self.rules.turn(state) else { continue };
            let digest = self.cells(state, [a, b], false, &mut row, |_, _, _| {})?;
            self.check_digest(number, digest)?;
        }
        Ok(())
    }

    /// A digest of the game: of all states' cells, and of what ends pay on a scale.
    pub(crate) fn digest(&self, scale: Scale) -> u64 {
        let mut digest = Digest::new(self.numbers(), scale.exponent as usize);
        for (number, state) in self.states() {
            digest.add_number(u64::from(self.table.met(number).digest));
            if let Turn::Over(value) = self.rules.turn(state) {
                let Bounds { lower, upper } = scale.bounds(&value);
                digest.add_number(lower as u64);
                digest.add_number(upper as u64);
            }
        }
        digest.long()
    }

    /// The number of actions of A and of B; none at an end.
    pub(crate) fn actions(&self, state: usize) -> [usize; 2] {
        match self.table.get(state).map(|state| self.rules.turn(state)) {
            Some(Turn::Choose { a, b }) => [a, b],
            _ => [0, 0],
        }
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// One more than the largest number of a state.
    pub(crate) fn numbers(&self) -> usize {
        self.table.numbers()
    }

    /// The state with a number, if there is one.
    pub(crate) fn state(&self, number: usize) -> Option<&R::State> {
        self.table.get(number)
    }

    /// The states with their numbers, which rise.
    pub(crate) fn states(&self) -> impl Iterator<Item = (usize, &R::State)> {
        (0..self.table.numbers()).filter_map(|number| Some((number, self.table.get(number)?)))
    }

    /// The states of an acyclic game by the longest way to an end.
    pub(crate) fn by_level(&self) -> Vec<Vec<u32>> {
        let explored =
            || self.table.all_met().enumerate().filter(|(_, met)| met.is_explored()).map(|(state, met)| (state, met.level));
        let deepest = explored().map(|(_, level)| level as usize + 1).max().unwrap_or(0);
        let mut counts = vec![0_usize; deepest];
        explored().for_each(|(_, level)| counts[level as usize] += 1);
        let mut by_level: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (state, level) in explored() {
            by_level[level as usize].push(state as u32);
        }
        by_level
    }

    /// The place of any state whose canonical one was met.
    #[inline]
    pub(crate) fn find(&self, state: R::State) -> Option<Place> {
        let (canonical, exchanged) = canonical(&self.rules, self.exchanges, state);
        let key = self.table.key(&canonical, |state| self.rules.index(state));
        self.table.find(key, &canonical).map(|state| Place::new(state, exchanged))
    }

    /// A fault of the state with a number.
    pub(crate) fn refuse_number(&self, state: usize, fault: GameFault) -> StochasticGameError {
        match self.table.get(state) {
            Some(state) => self.refuse(state, fault),
            None => StochasticGameError::new(fault),
        }
    }

    /// A fault of a state.
    pub(crate) fn refuse(&self, state: &R::State, fault: GameFault) -> StochasticGameError {
        StochasticGameError::of_state(&self.rules.name(state), fault)
    }

    pub(crate) fn refuse_cell(&self, state: &R::State, [a, b]: [usize; 2], fault: CellFault) -> StochasticGameError {
        let [a, b] = [(Player::A, a), (Player::B, b)].map(|(player, action)| self.rules.action_name(state, player, action));
        StochasticGameError::of_state(&self.rules.name(state), GameFault::Cell { a, b, fault: Box::new(fault) })
    }
}

pub(crate) fn check_counts(rows: usize, columns: usize) -> Result<(), GameFault> {
    match (rows, columns) {
        (0, _) => Err(GameFault::NoAction { player: 'A' }),
        (_, 0) => Err(GameFault::NoAction { player: 'B' }),
        _ => Ok(()),
    }
}
