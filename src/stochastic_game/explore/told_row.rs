use super::state_table::StateTable;
use crate::error::StochasticGameFault;
use crate::stochastic_game::model::{CellView, GameRules, Outcome, Outcomes, packed};

/// Buffers one row of cells. Successors are collected first and looked up in one pass, so that cache misses overlap.
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
pub(crate) struct Told<S> {
    weight: u64,
    pub(crate) key: u64,
    pub(crate) state: S,
    pub(crate) exchanged: bool,
}

impl<S> Default for ToldRow<S> {
    fn default() -> Self {
        Self { outcomes: Outcomes::new(), told: Vec::new(), cells: Vec::new(), numbered: Vec::new() }
    }
}

impl<S> ToldRow<S> {
    /// Asks for the successors of A's action and each of these of B's; returns the number of outcomes.
    #[inline]
    pub(crate) fn ask<R: GameRules<State = S>>(
        &mut self,
        (rules, table, exchanges): (&R, &StateTable<S>, bool),
        own: &S,
        a: usize,
        columns: impl Iterator<Item = usize>,
    ) -> usize
    where
        S: Clone + Eq + std::hash::Hash,
    {
        let Self { outcomes, told, cells, .. } = self;
        cells.clear();
        outcomes.states.clear();
        for b in columns {
            outcomes.reward = (0, 1);
            rules.after(own, a, b, outcomes);
            cells.push((outcomes.reward, outcomes.states.len()));
        }
        told.clear();
        told.extend(outcomes.states.drain(..).map(|(weight, next)| {
            let (state, exchanged) = canonical(rules, exchanges, next);
            Told { weight, key: table.key(&state, |state| rules.index(state)), state, exchanged }
        }));
        told.len()
    }

    /// Looks up the place of every successor.
    ///
    /// # Errors
    /// Those of `place`.
    #[inline]
    pub(crate) fn number<E>(&mut self, mut place: impl FnMut(Told<S>) -> Result<u32, E>) -> Result<(), E> {
        self.numbered.clear();
        for told in self.told.drain(..) {
            let weight = told.weight;
            self.numbered.push(Outcome { weight, state: place(told)? });
        }
        Ok(())
    }

    /// Visits the cells in order. Returns the column and the fault of the first malformed cell.
    ///
    /// # Errors
    /// Those of [`packed`].
    #[inline]
    pub(crate) fn cells(&mut self, mut visit: impl FnMut(usize, &CellView<'_>)) -> Result<(), (usize, StochasticGameFault)> {
        let mut begin = 0;
        for (place, &(reward, end)) in self.cells.iter().enumerate() {
            let cell = packed(reward, &mut self.numbered[begin..end]).map_err(|fault| (place, fault))?;
            visit(place, &cell);
            begin = end;
        }
        Ok(())
    }
}

#[inline]
pub(crate) fn canonical<R: GameRules>(rules: &R, exchanges: bool, state: R::State) -> (R::State, bool) {
    if exchanges {
        return rules.canonical(state);
    }
    match rules.canonical(state.clone()) {
        (_, true) => (state, false),
        same => same,
    }
}
