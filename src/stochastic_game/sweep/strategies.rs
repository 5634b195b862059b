//! The strategies of all states, packed.

use crate::matrix_game::DyadicStrategy;

/// A pair of strategies for each state that has one, as (action, weight out of 2⁶²).
#[derive(Clone, Debug, Default)]
pub(crate) struct Strategies {
    entries: Vec<(u32, u64)>,
    /// Where a state's entries begin, and how many are A's and B's.
    spans: Vec<(usize, [u32; 2])>,
}

impl Strategies {
    /// Room for so many states, none of which has strategies yet.
    pub(crate) fn new(states: usize) -> Self {
        Self { entries: Vec::new(), spans: vec![(0, [0; 2]); states] }
    }

    pub(crate) fn set(&mut self, state: usize, pair: [&[(u32, u64)]; 2]) {
        self.spans[state] = (self.entries.len(), pair.map(|strategy| strategy.len() as u32));
        for strategy in pair {
            self.entries.extend_from_slice(strategy);
        }
    }

    /// A's and B's strategy at a state; empty where there is none.
    pub(crate) fn get(&self, state: usize) -> [&[(u32, u64)]; 2] {
        let (begin, [a, b]) = self.spans[state];
        let (own, other) = self.entries[begin..begin + (a + b) as usize].split_at(a as usize);
        [own, other]
    }
}

/// The actions that are chosen, rising, with their probabilities to nearest.
pub(crate) fn probabilities(strategy: &[(u32, u64)]) -> Vec<(usize, f64)> {
    let to_nearest = |&(action, weight): &(u32, u64)| (action as usize, weight as f64 / DyadicStrategy::WHOLE as f64);
    strategy.iter().map(to_nearest).collect()
}
