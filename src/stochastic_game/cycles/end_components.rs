//! Maximal end components (de Alfaro 1997): where the opponent of a policy can keep play for ever.

use std::ops::Range;

use super::local_game::{LocalGame, Side, better_reply};
use crate::bounds::Bounds;
use crate::game::Player;
use crate::stochastic_game::model::{Components, Graph};

pub(crate) type Weights<'w> = [&'w [(u32, u64)]];

/// The maximal sets of states of a cycle among which the opponent of a policy can keep play for ever and lead it from any state
/// to any other with certainty. They are disjoint.
#[derive(Debug, Default)]
pub(crate) struct EndComponents {
    components: Vec<Vec<u32>>,
}

/// The successors of states within a set, by index in it.
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

impl EndComponents {
    /// Finds the end components. O(states · replies of the game) for each time that the remaining set falls apart.
    pub(crate) fn new(local: &LocalGame, side: Side, weights: &Weights<'_>) -> Self {
        let mut found = Self { components: Vec::new() };
        let mut inside = vec![false; local.len()];
        let mut candidates: Vec<Vec<u32>> = vec![(0..local.len() as u32).collect()];
        while let Some(mut states) = candidates.pop() {
            let before = states.len();
            for &state in &states {
                inside[state as usize] = true;
            }
            // A state that play must leave is removed, and others with it.
            loop {
                let count = states.len();
                states.retain(|&state| {
                    let stays = local.can_stay(state as usize, side, weights[state as usize], &|next| inside[next]);
                    inside[state as usize] = stays;
                    stays
                });
                if states.len() == count {
                    break;
                }
            }
            let mut steps = Steps { first: vec![0], targets: Vec::new() };
            for &state in &states {
                let (state, weights) = (state as usize, weights[state as usize]);
                for reply in 0..local.replies(state, side) {
                    if local.stays(state, side, (weights, reply), &|next| inside[next]) {
                        let place = |next: u32| states.partition_point(|&state| state < next);
                        local.steps(state, side, weights, reply, |next, _| steps.targets.push(place(next)));
                    }
                }
                steps.first.push(steps.targets.len());
            }
            for &state in &states {
                inside[state as usize] = false;
            }
            let parts = Components::new(&steps);
            if parts.len() == 1 && states.len() == before {
                found.components.push(states);
            } else {
                let part = |part: usize| parts.states(part).iter().map(|&place| states[place as usize]).collect();
                candidates.extend((0..parts.len()).map(part));
            }
        }
        found
    }

    pub(crate) fn all(&self) -> &[Vec<u32>] {
        &self.components
    }

    /// Narrows bounds by the fact that all states of an end component have the same value, the best of the payoff of infinite
    /// plays and of all ways out; returns whether any narrowed.
    pub(crate) fn narrow(
        &self,
        local: &LocalGame,
        (player, weights): (Player, &Weights<'_>),
        endless: Bounds,
        bounds: &mut [Bounds],
    ) -> bool {
        let side = Side::of(player);
        let mut changed = false;
        for states in &self.components {
            let is_inside = |state: usize| states.binary_search(&(state as u32)).is_ok();
            let mut worth = endless;
            for &state in states {
                let (state, own) = (state as usize, weights[state as usize]);
                let leaves = |&reply: &usize| !local.stays(state, side, (own, reply), &is_inside);
                let out = local.against_best_of(state, player, own, bounds, (0..local.replies(state, side)).filter(leaves));
                worth = out.map_or(worth, |out| better_reply(player, worth, out));
            }
            for &state in states {
                changed |= narrow(&mut bounds[state as usize], worth);
            }
        }
        changed
    }
}

/// Intersects bounds with others; returns whether they narrowed.
pub(crate) fn narrow(bounds: &mut Bounds, others: Bounds) -> bool {
    let before = *bounds;
    *bounds = Bounds::new(before.lower.max(others.lower), before.upper.min(others.upper));
    *bounds != before
}
