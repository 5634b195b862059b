//! The successors of one state, as rules give them.

use std::borrow::Borrow;
use std::hash::Hash;

use super::canonical_state::{CanonicalState, PlayerExchange};
use super::packed_state::PackedState;
use super::state_table::StateTable;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::model::{CellView, Digest, GameRules, Outcome, Outcomes, packed};
use crate::player::Player;

/// A state at which the players choose, with the rules that give its cells.
pub(super) struct DecisionState<'r, R: GameRules> {
    pub(super) rules: &'r R,
    pub(super) player_exchange: PlayerExchange,
    pub(super) state: &'r R::State,
    /// The numbers of A's and of B's actions.
    pub(super) actions: [usize; 2],
}

/// Buffers one row of cells. Successors are collected first and looked up in one pass, so that
/// cache misses overlap.
#[derive(Debug)]
pub(crate) struct RuleRow<S> {
    outcomes: Outcomes<S>,
    cells: Vec<RowCell>,
    successors: Vec<CanonicalSuccessor<S>>,
    numbered: Vec<Outcome>,
}

#[derive(Debug)]
struct RowCell {
    /// Numerator and denominator.
    reward: (i64, u64),
    /// The end of its successors in those of the row.
    end: usize,
}

#[derive(Debug)]
struct CanonicalSuccessor<S> {
    weight: u64,
    key: u64,
    canonical: CanonicalState<S>,
}

impl<S> Default for RuleRow<S> {
    fn default() -> Self {
        Self {
            outcomes: Outcomes::new(),
            cells: Vec::new(),
            successors: Vec::new(),
            numbered: Vec::new(),
        }
    }
}

impl<S: Clone + Eq + Hash> RuleRow<S> {
    /// Visits the cells of a state, row by row, and returns their digest; `find` looks up the
    /// number of a successor by its key.
    #[inline]
    pub(super) fn visit_cells<R: GameRules<State = S>, T: Borrow<StateTable<S>>>(
        &mut self,
        decision: &DecisionState<'_, R>,
        table: &mut T,
        mut find: impl FnMut(&mut T, u64, S) -> Result<u32, StochasticGameError>,
        mut visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<u32, StochasticGameError> {
        let [rows, columns] = decision.actions;
        let mut digest = Digest::new(rows, columns);
        for a in 0..rows {
            self.ask_rules(decision, a);
            self.collect_successors(decision, (*table).borrow());
            self.numbered.clear();
            for CanonicalSuccessor { weight, key, canonical } in self.successors.drain(..) {
                let number = find(table, key, canonical.state)?;
                let state = PackedState::new(number, canonical.is_exchanged).0;
                self.numbered.push(Outcome { weight, state });
            }
            let mut begin = 0;
            for (b, &RowCell { reward, end }) in self.cells.iter().enumerate() {
                let cell = packed(reward, &mut self.numbered[begin..end])
                    .map_err(|fault| refuse_cell(decision, [a, b], fault))?;
                digest.add(&cell);
                visit([a, b], &cell);
                begin = end;
            }
        }
        Ok(digest.short())
    }

    /// Asks the rules for the cells of a row.
    #[inline]
    fn ask_rules<R: GameRules<State = S>>(&mut self, decision: &DecisionState<'_, R>, a: usize) {
        let [_, columns] = decision.actions;
        self.cells.clear();
        self.outcomes.states.clear();
        for b in 0..columns {
            self.outcomes.reward = (0, 1);
            decision.rules.after(decision.state, a, b, &mut self.outcomes);
            let end = self.outcomes.states.len();
            self.cells.push(RowCell { reward: self.outcomes.reward, end });
        }
    }

    /// Collects the canonical successors of the row, with their keys.
    #[inline]
    fn collect_successors<R: GameRules<State = S>>(
        &mut self,
        decision: &DecisionState<'_, R>,
        table: &StateTable<S>,
    ) {
        let rules = decision.rules;
        self.successors.clear();
        self.successors.extend(self.outcomes.states.drain(..).map(|(weight, successor)| {
            let canonical = decision.player_exchange.canonical(rules, successor);
            let key = table.key(&canonical.state, |state| rules.index(state));
            CanonicalSuccessor { weight, key, canonical }
        }));
    }
}

pub(crate) fn refuse_state<R: GameRules>(
    rules: &R,
    state: &R::State,
    fault: StochasticGameFault,
) -> StochasticGameError {
    StochasticGameError::from(fault).in_state(&rules.name(state))
}

#[cold]
fn refuse_cell<R: GameRules>(
    decision: &DecisionState<'_, R>,
    cell: [usize; 2],
    fault: StochasticGameFault,
) -> StochasticGameError {
    let DecisionState { rules, state, .. } = *decision;
    let [a, b] = cell;
    let [a, b] = [(Player::A, a), (Player::B, b)]
        .map(|(player, action)| rules.action_name(state, player, action));
    refuse_state(rules, state, fault).in_cell(&a, &b)
}
