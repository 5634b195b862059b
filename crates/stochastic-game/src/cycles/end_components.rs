//! Maximal end components (de Alfaro 1997): where the opponent of a policy can keep play for ever.

use std::ops::Range;

use super::cycle::Strategy;
use super::local_game::{LocalGame, MixedAction, Side};
use crate::model::{Components, Graph, closed_set};

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

/// The maximal sets of states of a cycle among which the opponent of a policy can keep play for
/// ever and lead it from any state to any other with certainty, as the cyclic ones of these
/// components.
///
/// O(states · replies of the game) for each time that sets fall apart.
pub(super) fn end_components<W>(
    local: &LocalGame,
    side: Side,
    strategies: &[Strategy<W>],
) -> Components {
    let (mut left, mut part_of, mut count) =
        ((0..local.len() as u32).collect::<Vec<u32>>(), vec![0; local.len()], 1);
    loop {
        left = closed_set(&left, local.len(), |state| {
            local.staying(MixedAction::of(side, strategies, state), &|next| {
                part_of[next] == part_of[state]
            })
        });
        // A state that play must leave is alone.
        let mut parts: Vec<usize> = (local.len()..2 * local.len()).collect();
        for &state in &left {
            parts[state as usize] = part_of[state as usize];
        }
        let mut steps = Steps { first: vec![0], targets: Vec::new() };
        for state in 0..strategies.len() {
            let mixed = MixedAction::of(side, strategies, state);
            let staying = local.staying(mixed, &|next| parts[next] == parts[state]);
            steps.targets.extend(staying.into_iter().flatten().map(|next| next as usize));
            steps.first.push(steps.targets.len());
        }
        let components = Components::new(&steps);
        if components.len() == count {
            return components;
        }
        (count, part_of) =
            (components.len(), (0..local.len()).map(|state| components.of(state)).collect());
    }
}
