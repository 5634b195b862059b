//! Explores, depth first, the states that a game's rules reach from its starts.

use std::ops::ControlFlow;

use super::explored::{Explored, check_actions};
use super::place::Place;
use super::state_table::{Met, StateTable};
use super::told_row::{ToldRow, canonical, refuse_state};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::model::{
    BYTES_A_CELL, BYTES_A_STATE, BYTES_AN_OUTCOME, GameRules, Kind, Node, NumberedGame,
    digest_of_payoff, size,
};
use crate::work::WorkError;

/// Hears the number of states found, and may cancel.
pub(crate) type Found<'f> = dyn FnMut(u64) -> ControlFlow<()> + 'f;

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
    fn follow(&mut self, met: &Met) {
        self.level = self.level.max(met.level + 1);
        if met.size > self.follows {
            self.follows = met.size;
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
    row: ToldRow<R::State>,
    memory: Memory,
    found: &'e mut Found<'f>,
}

impl<R: GameRules> Explored<R> {
    /// Explores the states, depth first, within a limit on memory; `found` hears their number now
    /// and then, and may cancel.
    pub(crate) fn new(
        rules: R,
        exchanges: bool,
        memory_limit: u64,
        found: &mut Found<'_>,
    ) -> Result<Self, Error> {
        let is_acyclic = rules.kind() == Kind::Acyclic;
        // Indices belong to canonical states, which do not cover all where no players are
        // exchanged.
        let index_limit = if is_acyclic && !exchanges { 0 } else { rules.index_limit() };
        let bytes_a_number = StateTable::<R::State>::bytes_a_number(index_limit) + BYTES_A_NUMBER;
        let memory =
            Memory { bytes_a_number, limit: memory_limit, is_acyclic, opened: 0, written: 0 };
        memory.check(index_limit as u64, 0)?;
        let starts = rules.starts();
        let start = starts.first().ok_or(StochasticGameFault::NoStart)?;
        let table = StateTable::new(index_limit, start);
        let exchanges = exchanges && is_acyclic;
        let mut explored = Self { rules, table, starts: Vec::new(), exchanges, memory_limit };
        let mut exploration = Exploration {
            explored: &mut explored,
            frames: Vec::new(),
            successors: Vec::new(),
            row: ToldRow::default(),
            memory,
            found,
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
        let Explored { rules, table, exchanges, starts, .. } = &mut *self.explored;
        let (state, exchanged) = canonical(rules, *exchanges, start);
        let key = table.key(&state, |state| rules.index(state));
        let number = table
            .enter(key, state)
            .map_err(|state| refuse_state(rules, &state, StochasticGameFault::Index))?;
        starts.push(Place::new(number, exchanged));
        if table.met(number as usize).level == Met::UNSEEN {
            self.open(number)?;
        }
        while let Some(frame) = self.frames.last_mut() {
            if let Some(&successor) = self.successors[frame.first..].last() {
                let met = self.explored.table.met(successor as usize);
                match met.level {
                    Met::UNSEEN => {
                        self.open(successor)?;
                        continue;
                    }
                    Met::OPEN if self.memory.is_acyclic => {
                        let expected = "recursive, total, stopping or discounted".to_owned();
                        return Err(self
                            .explored
                            .refuse(successor as usize, StochasticGameFault::Cycle { expected })
                            .into());
                    }
                    Met::OPEN => {}
                    _ => frame.follow(met),
                }
                self.successors.pop();
            } else if let Some(Frame { state, level, paid, follows, .. }) = self.frames.pop() {
                let met = self.explored.table.met_mut(state as usize);
                met.level = level;
                met.size = (paid + follows) * (1.0 + 8.0 * f64::EPSILON);
            }
        }
        Ok(())
    }

    /// Opens a new state.
    fn open(&mut self, state: u32) -> Result<(), Error> {
        if self.memory.opened % STATES_A_REPORT == STATES_A_REPORT - 1
            && (self.found)(self.explored.len() as u64).is_break()
        {
            return Err(WorkError::Cancelled.into());
        }
        self.memory.opened += 1;
        let frame = self.ask(state)?;
        self.frames.push(frame);
        let searched = self.frames.capacity() * size_of::<Frame>()
            + self.successors.capacity() * size_of::<u32>();
        self.memory.check(self.explored.numbers() as u64, searched as u64)
    }

    /// Asks about a state for the first time and collects its successors.
    fn ask(&mut self, state: u32) -> Result<Frame, StochasticGameError> {
        let Self { explored, successors, row, memory, .. } = self;
        let own = explored.table.state(state as usize).clone();
        let mut frame = Frame { state, first: successors.len(), level: 0, paid: 0.0, follows: 0.0 };
        explored.table.met_mut(state as usize).level = Met::OPEN;
        let (rows, columns) = match explored.rules.node(&own) {
            Node::Over(value) => {
                frame.follows = size(&value);
                explored.table.met_mut(state as usize).digest = digest_of_payoff(&value);
                return Ok(frame);
            }
            Node::Choose { a, b } => (a, b),
        };
        check_actions([rows, columns], memory.limit)
            .map_err(|fault| refuse_state(&explored.rules, &own, fault))?;
        let Explored { rules, table, exchanges, .. } = &mut **explored;
        let mut paid = 0.0_f64;
        let number = |table: &mut StateTable<_>, key, state| {
            let successor = table
                .enter(key, state)
                .map_err(|state| refuse_state(rules, &state, StochasticGameFault::Index))?;
            match table.met(successor as usize) {
                met if met.is_explored() => frame.follow(met),
                _ if successors.len() > frame.first && successors.last() == Some(&successor) => {}
                _ => successors.push(successor),
            }
            Ok(successor)
        };
        let digest =
            row.cells((&*rules, *exchanges), table, (&own, [rows, columns]), number, |_, cell| {
                memory.written += BYTES_A_CELL + cell.outcomes.len() as u64 * BYTES_AN_OUTCOME;
                paid = paid.max(cell.reward_size());
            })?;
        frame.paid = paid;
        explored.table.met_mut(state as usize).digest = digest;
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
