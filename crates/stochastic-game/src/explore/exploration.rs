//! Explores, depth first, the states that a game's rules reach from its starts.

use std::ops::ControlFlow;

use super::canonical_state::PlayerExchange;
use super::explored::{Explored, check_actions};
use super::packed_state::PackedState;
use super::rule_row::{DecisionState, RuleRow, refuse_state};
use super::state_table::{StateRecord, StateTable};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::model::{
    BYTES_A_CELL, BYTES_A_STATE, BYTES_AN_OUTCOME, GameRules, Kind, Node, NumberedGame,
    digest_of_payoff, size,
};
use crate::work::WorkError;

/// Hears the number of states found, and may cancel.
pub(crate) type OnExplored<'f> = dyn FnMut(u64) -> ControlFlow<()> + 'f;

/// The most states: a number has one bit less than its type.
const MOST: u64 = (1 << 31) - 1;

const STATES_A_REPORT: u64 = 1 << 12;

/// Bytes kept for a number besides the table's: bounds, and the index in its level.
const BYTES_A_NUMBER: u64 = 16 + 4;

/// A state whose successors are being explored.
struct Frame {
    state: u32,
    /// The offset of its remaining successors.
    first: usize,
    level: u32,
    /// The largest size of a reward, and of a successor's value.
    paid: f64,
    follows: f64,
}

impl Frame {
    #[inline]
    fn follow(&mut self, successor: &StateRecord) {
        self.level = self.level.max(successor.level + 1);
        if successor.size > self.follows {
            self.follows = successor.size;
        }
    }
}

/// The search.
struct Exploration<'e, 'f, R: GameRules> {
    explored: &'e mut Explored<R>,
    /// The path from a start to the state being explored.
    frames: Vec<Frame>,
    /// The remaining successors of all of them.
    successors: Vec<u32>,
    row: RuleRow<R::State>,
    memory: Memory,
    on_explored: &'e mut OnExplored<'f>,
}

impl<R: GameRules> Explored<R> {
    /// Explores the states, depth first, within a limit on memory; `on_explored` hears their number
    /// now and then, and may cancel.
    pub(crate) fn new(
        rules: R,
        player_exchange: PlayerExchange,
        memory_limit: u64,
        on_explored: &mut OnExplored<'_>,
    ) -> Result<Self, Error> {
        let is_acyclic = rules.kind() == Kind::Acyclic;
        // Indices belong to canonical states, which do not cover all where no players are
        // exchanged.
        let index_limit = match player_exchange {
            PlayerExchange::Forbidden if is_acyclic => 0,
            PlayerExchange::Forbidden | PlayerExchange::Allowed => rules.index_limit(),
        };
        let bytes_a_number = StateTable::<R::State>::bytes_a_number(index_limit) + BYTES_A_NUMBER;
        let memory =
            Memory { bytes_a_number, limit: memory_limit, is_acyclic, opened: 0, written: 0 };
        memory.check(index_limit as u64, 0)?;
        let starts = rules.starts();
        let start = starts.first().ok_or(StochasticGameFault::NoStart)?;
        let table = StateTable::new(index_limit, start);
        let player_exchange = if is_acyclic { player_exchange } else { PlayerExchange::Forbidden };
        let mut explored = Self { rules, table, starts: Vec::new(), player_exchange, memory_limit };
        let mut exploration = Exploration {
            explored: &mut explored,
            frames: Vec::new(),
            successors: Vec::new(),
            row: RuleRow::default(),
            memory,
            on_explored,
        };
        for start in starts {
            exploration.explore(start)?;
        }
        Ok(explored)
    }
}

impl<R: GameRules> Exploration<'_, '_, R> {
    /// Explores the new states that a start reaches.
    fn explore(&mut self, start: R::State) -> Result<(), Error> {
        let Explored { rules, table, player_exchange, starts, .. } = &mut *self.explored;
        let canonical = player_exchange.canonical(rules, start);
        let key = table.key(&canonical.state, |state| rules.index(state));
        let number = table
            .enter(key, canonical.state)
            .map_err(|state| refuse_state(rules, &state, StochasticGameFault::Index))?;
        starts.push(PackedState::new(number, canonical.is_exchanged));
        if table.record(number as usize).level == StateRecord::UNSEEN {
            self.open(number)?;
        }
        while let Some(frame) = self.frames.last_mut() {
            if let Some(&successor) = self.successors[frame.first..].last() {
                let record = self.explored.table.record(successor as usize);
                match record.level {
                    StateRecord::UNSEEN => {
                        self.open(successor)?;
                        continue;
                    }
                    StateRecord::OPEN if self.memory.is_acyclic => {
                        let expected = "recursive, total, stopping or discounted".to_owned();
                        return Err(self
                            .explored
                            .refuse(successor as usize, StochasticGameFault::Cycle { expected })
                            .into());
                    }
                    StateRecord::OPEN => {}
                    _ => frame.follow(record),
                }
                self.successors.pop();
            } else if let Some(Frame { state, level, paid, follows, .. }) = self.frames.pop() {
                let record = self.explored.table.record_mut(state as usize);
                record.level = level;
                record.size = (paid + follows) * (1.0 + 8.0 * f64::EPSILON);
            }
        }
        Ok(())
    }

    /// Opens a new state.
    fn open(&mut self, state: u32) -> Result<(), Error> {
        if self.memory.opened % STATES_A_REPORT == STATES_A_REPORT - 1
            && (self.on_explored)(self.explored.len() as u64).is_break()
        {
            return Err(WorkError::Cancelled.into());
        }
        self.memory.opened += 1;
        let frame = self.expand(state)?;
        self.frames.push(frame);
        let searched = self.frames.capacity() * size_of::<Frame>()
            + self.successors.capacity() * size_of::<u32>();
        self.memory.check(self.explored.numbers() as u64, searched as u64)
    }

    /// Expands a state: asks the rules for its cells and collects its successors.
    fn expand(&mut self, number: u32) -> Result<Frame, StochasticGameError> {
        let Self { explored, successors, row, memory, .. } = self;
        let state = explored.table.state(number as usize).clone();
        let first = successors.len();
        let mut frame = Frame { state: number, first, level: 0, paid: 0.0, follows: 0.0 };
        explored.table.record_mut(number as usize).level = StateRecord::OPEN;
        let actions = match explored.rules.node(&state) {
            Node::Over(value) => {
                frame.follows = size(&value);
                explored.table.record_mut(number as usize).digest = digest_of_payoff(&value);
                return Ok(frame);
            }
            Node::Choose { a, b } => [a, b],
        };
        check_actions(actions, memory.limit)
            .map_err(|fault| refuse_state(&explored.rules, &state, fault))?;
        let Explored { rules, table, player_exchange, .. } = &mut **explored;
        let mut paid = 0.0_f64;
        let enter = |table: &mut StateTable<_>, key, state| {
            let successor = table
                .enter(key, state)
                .map_err(|state| refuse_state(rules, &state, StochasticGameFault::Index))?;
            match table.record(successor as usize) {
                record if record.is_explored() => frame.follow(record),
                _ if successors.len() > frame.first && successors.last() == Some(&successor) => {}
                _ => successors.push(successor),
            }
            Ok(successor)
        };
        let player_exchange = *player_exchange;
        let decision = DecisionState { rules: &*rules, player_exchange, state: &state, actions };
        let digest = row.visit_cells(&decision, table, enter, |_, cell| {
            memory.written += BYTES_A_CELL + cell.outcomes.len() as u64 * BYTES_AN_OUTCOME;
            paid = paid.max(cell.reward_size());
        })?;
        frame.paid = paid;
        explored.table.record_mut(number as usize).digest = digest;
        successors[frame.first..].reverse();
        Ok(frame)
    }
}

/// The memory limit, and the memory taken besides that of the states.
struct Memory {
    bytes_a_number: u64,
    limit: u64,
    is_acyclic: bool,
    opened: u64,
    /// The bytes of the cells when the game is written down, which it is where play can return.
    written: u64,
}

impl Memory {
    fn check(&self, states: u64, searched: u64) -> Result<(), Error> {
        if states >= MOST {
            let reason = format!("more than {MOST} states, which is as far as they are counted");
            return Err(StochasticGameFault::Size { reason }.into());
        }
        let written = if self.is_acyclic { 0 } else { self.written + self.opened * BYTES_A_STATE };
        let bytes = states.saturating_mul(self.bytes_a_number).saturating_add(searched + written);
        Ok(WorkError::check_memory(
            || format!("a game of more than {states} states"),
            bytes,
            self.limit,
        )?)
    }
}
