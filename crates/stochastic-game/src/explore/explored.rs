//! Games by rules whose states have been found.

use num_rational::BigRational;

use super::canonical_state::PlayerExchange;
use super::packed_state::PackedState;
use super::rule_row::{DecisionState, RuleRow, refuse_state};
use super::state_table::StateTable;
use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::model::{
    CellView, Digest, GameRules, Kind, Node, NumberedGame, NumberedState, Scale, digest_of_payoff,
};
use crate::work::memory;

/// Takes the place of an end's cells in the digest of a game.
const NO_CELLS: u64 = 0;

/// The canonical states that the starts reach, by number.
#[derive(Debug)]
pub(crate) struct Explored<R: GameRules> {
    pub(crate) rules: R,
    pub(crate) table: StateTable<R::State>,
    pub(crate) starts: Vec<PackedState>,
    pub(crate) player_exchange: PlayerExchange,
    /// In bytes; no matrix game may be larger.
    pub(crate) memory_limit: u64,
}

/// How the successors of a state are found in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// By index where there is one: the digest of the state's cells is compared later.
    Indexed,
    /// By comparing the successors.
    Compared,
}

impl<R: GameRules> Explored<R> {
    /// An end, or numbers of actions whose matrix game fits the memory.
    ///
    /// # Errors
    /// As for [`check_actions`], with the name of the state.
    pub(crate) fn node_of(&self, state: &R::State) -> Result<Node, StochasticGameError> {
        let node = self.rules.node(state);
        if let Node::Choose { a, b } = node {
            check_actions([a, b], self.memory_limit)
                .map_err(|fault| refuse_state(&self.rules, state, fault))?;
        }
        Ok(node)
    }

    /// Visits the cells of any state whose successors are known, and returns their digest.
    pub(crate) fn cells_of(
        &self,
        state: &R::State,
        actions: [usize; 2],
        lookup: Lookup,
        row: &mut RuleRow<R::State>,
        visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<u32, StochasticGameError> {
        let Self { rules, table, player_exchange, .. } = self;
        let find = |table: &mut &StateTable<R::State>, key, successor| {
            let number = match lookup {
                Lookup::Indexed => table.expect(key, &successor),
                Lookup::Compared => table.find(key, &successor),
            };
            number.ok_or_else(|| refuse_state(rules, state, StochasticGameFault::Contradiction))
        };
        let decision = DecisionState { rules, player_exchange: *player_exchange, state, actions };
        row.visit_cells(&decision, &mut &*table, find, visit)
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// A bound of the size of all values in an acyclic game, rounded up.
    pub(crate) fn largest(&self) -> f64 {
        self.table.records().map(|record| record.size).fold(0.0, f64::max)
    }

    /// The fault of a payoff, at the first of the states that it may come from: one with the
    /// largest values.
    pub(crate) fn refuse_largest(&self, fault: StochasticGameFault) -> StochasticGameError {
        let largest = self.largest();
        match self.states().find(|&(number, _)| self.table.record(number).size >= largest) {
            Some((_, state)) => refuse_state(&self.rules, state, fault),
            None => fault.into(),
        }
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (usize, &R::State)> {
        (0..self.table.numbers()).filter_map(|number| Some((number, self.table.get(number)?)))
    }

    /// The states of an acyclic game by the longest way to an end: those of one level are
    /// independent.
    pub(crate) fn levels(&self) -> Vec<Vec<u32>> {
        let explored = || {
            self.table
                .records()
                .enumerate()
                .filter(|(_, record)| record.is_explored())
                .map(|(state, record)| (state, record.level))
        };
        let deepest = explored().map(|(_, level)| level as usize + 1).max().unwrap_or(0);
        let mut counts = vec![0_usize; deepest];
        explored().for_each(|(_, level)| counts[level as usize] += 1);
        let mut levels: Vec<Vec<u32>> = counts.into_iter().map(Vec::with_capacity).collect();
        for (state, level) in explored() {
            levels[level as usize].push(state as u32);
        }
        levels
    }

    /// The number of any state whose canonical state is known.
    #[inline]
    pub(crate) fn find(&self, state: R::State) -> Option<NumberedState> {
        let canonical = self.player_exchange.canonical(&self.rules, state);
        let key = self.table.key(&canonical.state, |state| self.rules.index(state));
        let number = self.table.find(key, &canonical.state)? as usize;
        Some(NumberedState { number, is_exchanged: canonical.is_exchanged })
    }
}

impl<R: GameRules> NumberedGame for Explored<R> {
    type Row = RuleRow<R::State>;

    fn kind(&self) -> Kind {
        self.rules.kind()
    }

    fn numbers(&self) -> usize {
        self.table.numbers()
    }

    fn node(&self, state: usize) -> Result<Node, StochasticGameError> {
        let node = self.node_of(self.table.state(state))?;
        // The digest of an end is that of its payoff; the digest of other states is compared with
        // that of their cells.
        match &node {
            Node::Over(payoff) if digest_of_payoff(payoff) != self.table.record(state).digest => {
                Err(self.refuse(state, StochasticGameFault::Contradiction))
            }
            _ => Ok(node),
        }
    }

    #[inline]
    fn cells(
        &self,
        state: usize,
        actions: [usize; 2],
        row: &mut Self::Row,
        visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<(), StochasticGameError> {
        let digest =
            self.cells_of(self.table.state(state), actions, Lookup::Indexed, row, visit)?;
        // The digest of the exploration.
        let is_same = digest == self.table.record(state).digest;
        if is_same { Ok(()) } else { Err(self.refuse(state, StochasticGameFault::Contradiction)) }
    }

    #[inline]
    fn successor(outcome: u32) -> NumberedState {
        PackedState(outcome).unpacked()
    }

    fn endless(&self, state: usize) -> BigRational {
        self.rules.endless(self.table.state(state))
    }

    fn digest(&self, scale: Scale) -> u64 {
        let mut digest = Digest::new(self.numbers(), scale.exponent as usize);
        for (number, state) in self.states() {
            match self.rules.node(state) {
                Node::Over(value) => {
                    let Bounds { lower, upper } = scale.bounds(&value);
                    digest.add_number(NO_CELLS);
                    digest.add_number(lower as u64);
                    digest.add_number(upper as u64);
                }
                Node::Choose { .. } => {
                    digest.add_number(u64::from(self.table.record(number).digest));
                }
            }
        }
        digest.long()
    }

    fn name_of(&self, state: usize) -> String {
        self.rules.name(self.table.state(state))
    }
}

/// The bytes of a cell while its matrix game is solved: two bounds of 8 bytes, and two doubles of
/// the simplex method.
const BYTES_A_MATRIX_CELL: u64 = 32;

/// Checks the numbers of actions of a state before anything is made of that size: there is one, and
/// the matrix game fits the limit on memory.
///
/// # Errors
/// [`StochasticGameFault::NoAction`], [`StochasticGameFault::Size`].
pub(crate) fn check_actions(
    actions: [usize; 2],
    memory_limit: u64,
) -> Result<(), StochasticGameFault> {
    let [rows, columns] = actions;
    if rows == 0 {
        return Err(StochasticGameFault::NoAction { player: 'A' });
    }
    if columns == 0 {
        return Err(StochasticGameFault::NoAction { player: 'B' });
    }
    let bytes = (rows as u64).saturating_mul(columns as u64).saturating_mul(BYTES_A_MATRIX_CELL);
    if bytes > memory_limit {
        let [bytes, limit] = [bytes, memory_limit].map(memory);
        let reason = format!(
            "a matrix of {rows} by {columns} actions would take {bytes} of memory, above the limit of {limit}"
        );
        return Err(StochasticGameFault::Size { reason });
    }
    Ok(())
}
