//! The successors of one state, as rules give them.

use std::borrow::Borrow;
use std::hash::Hash;

use super::place::Place;
use super::state_table::StateTable;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::model::{CellView, Digest, GameRules, Outcome, Outcomes, packed};
use crate::player::Player;

/// Buffers one row of cells. Successors are collected first and looked up in one pass, so that
/// cache misses overlap.
#[derive(Debug)]
pub(crate) struct ToldRow<S> {
    outcomes: Outcomes<S>,
    told: Vec<Told<S>>,
    /// The reward of each cell, and the end of its successors.
    cells: Vec<((i64, u64), usize)>,
    numbered: Vec<Outcome>,
}

/// A successor, in canonical form.
#[derive(Debug)]
struct Told<S> {
    weight: u64,
    key: u64,
    state: S,
    exchanged: bool,
}

impl<S> Default for ToldRow<S> {
    fn default() -> Self {
        Self {
            outcomes: Outcomes::new(),
            told: Vec::new(),
            cells: Vec::new(),
            numbered: Vec::new(),
        }
    }
}

impl<S> ToldRow<S> {
    /// Visits the cells of a state, row by row, and returns their digest; `number` looks up the
    /// number of a successor by its key.
    #[inline]
    pub(crate) fn cells<R: GameRules<State = S>, T: Borrow<StateTable<S>>>(
        &mut self,
        (rules, exchanges): (&R, bool),
        table: &mut T,
        (own, [rows, columns]): (&S, [usize; 2]),
        mut number: impl FnMut(&mut T, u64, S) -> Result<u32, StochasticGameError>,
        mut visit: impl FnMut([usize; 2], &CellView<'_>),
    ) -> Result<u32, StochasticGameError>
    where
        S: Clone + Eq + Hash,
    {
        let Self { outcomes, told, cells, numbered } = self;
        let mut digest = Digest::new(rows, columns);
        for a in 0..rows {
            cells.clear();
            outcomes.states.clear();
            for b in 0..columns {
                outcomes.reward = (0, 1);
                rules.after(own, a, b, outcomes);
                cells.push((outcomes.reward, outcomes.states.len()));
            }
            told.clear();
            told.extend(outcomes.states.drain(..).map(|(weight, next)| {
                let (state, exchanged) = canonical(rules, exchanges, next);
                Told {
                    weight,
                    key: (*table).borrow().key(&state, |state| rules.index(state)),
                    state,
                    exchanged,
                }
            }));
            numbered.clear();
            for Told { weight, key, state, exchanged } in told.drain(..) {
                numbered.push(Outcome {
                    weight,
                    state: Place::new(number(table, key, state)?, exchanged).0,
                });
            }
            let mut begin = 0;
            for (b, &(reward, end)) in cells.iter().enumerate() {
                let cell = packed(reward, &mut numbered[begin..end])
                    .map_err(|fault| refuse_cell(rules, own, [a, b], fault))?;
                digest.add(&cell);
                visit([a, b], &cell);
                begin = end;
            }
        }
        Ok(digest.short())
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
    rules: &R,
    state: &R::State,
    [a, b]: [usize; 2],
    fault: StochasticGameFault,
) -> StochasticGameError {
    let [a, b] = [(Player::A, a), (Player::B, b)]
        .map(|(player, action)| rules.action_name(state, player, action));
    refuse_state(rules, state, fault).in_cell(&a, &b)
}

#[inline]
pub(crate) fn canonical<R: GameRules>(
    rules: &R,
    exchanges: bool,
    state: R::State,
) -> (R::State, bool) {
    if exchanges {
        return rules.canonical(state);
    }
    match rules.canonical(state.clone()) {
        (_, true) => (state, false),
        same => same,
    }
}
