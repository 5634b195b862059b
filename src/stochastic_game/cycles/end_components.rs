//! Maximal end components (de Alfaro 1997): where the opponent of a policy can keep play for ever.

use std::ops::Range;

use super::cycle::Strategy;
use super::local_game::{LocalGame, Side};
use crate::stochastic_game::model::{Components, Graph, closed_set};

/// Successors of states.
struct Steps {
    /// The offset of each state's edges, and the end.
    first: Vec<usize>,
    targets: Vec<usize>,
}

impl Graph for Steps {
    fn states(&self) -> usize {
        self.first.len() - 1
    }

    fn edges(&self, state: usize) -> Range<usize> {
        self.first[state]..self.first[state + 1]
    }

    fn target(&self, edge: usize) -> usize {
        self.targets[edge]
    }
}

/// The maximal sets of states of a cycle among which the opponent of a policy can keep play for ever and lead it from any state
/// to any other with certainty. They are disjoint.
///
/// O(states · replies of the game) for each time that sets fall apart.
pub(super) fn end_components<W>(local: &LocalGame, side: Side, strategies: &[Strategy<W>]) -> Vec<Vec<u32>> {
    let mut parts: Vec<Vec<u32>> = vec![(0..local.len() as u32).collect()];
    let mut part_of = vec![0; local.len()];
    loop {
        let before = parts.concat();
        // A state that play must leave is removed, and others with it.
        let left = closed_set(&before, local.len(), |state, inside| {
            let is_inside = |next: usize| inside(next) && part_of[next] == part_of[state];
            local.can_stay((state, side), &strategies[state], &is_inside)
        });
        let mut is_left = vec![false; local.len()];
        for &state in &left {
            is_left[state as usize] = true;
        }
        let mut steps = Steps { first: vec![0], targets: Vec::new() };
        for (state, strategy) in strategies.iter().enumerate() {
            let is_inside = |next: usize| is_left[next] && part_of[next] == part_of[state];
            for reply in (0..local.replies(state, side)).filter(|_| is_left[state]) {
                if local.stays((state, side), (strategy, reply), &is_inside) {
                    let cells = strategy.iter().map(|(own, _)| local.cell(state, side, *own, reply));
                    steps.targets.extend(cells.flat_map(|cell| cell.inside).map(|outcome| outcome.state as usize));
                }
            }
            steps.first.push(steps.targets.len());
        }
        let components = Components::new(&steps);
        let count = parts.len();
        let all = (0..components.len()).map(|part| components.states(part)).filter(|states| is_left[states[0] as usize]);
        parts = all.map(<[u32]>::to_vec).collect();
        if parts.len() == count && left.len() == before.len() {
            return parts;
        }
        for (number, states) in parts.iter().enumerate() {
            for &state in states {
                part_of[state as usize] = number;
            }
        }
    }
}
