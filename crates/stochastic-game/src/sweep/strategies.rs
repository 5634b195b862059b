//! The strategies of all states in one array.

use crate::matrix_game::DyadicStrategy;

/// The strategies of all states, packed: for each state a pair, as (action, weight out of 2⁶²).
#[derive(Clone, Debug, Default)]
pub(crate) struct Strategies {
    entries: Vec<(u32, u64)>,
    /// The offset of a state's entries, and the numbers of A's and B's.
    spans: Vec<(usize, [u32; 2])>,
}

impl Strategies {
    /// Makes room for this many states without strategies.
    pub(crate) fn new(states: usize) -> Self {
        Self { entries: Vec::new(), spans: vec![(0, [0; 2]); states] }
    }

    pub(crate) fn set(&mut self, state: usize, pair: [&[(u32, u64)]; 2]) {
        self.spans[state] = (self.entries.len(), pair.map(|strategy| strategy.len() as u32));
        for strategy in pair {
            self.entries.extend_from_slice(strategy);
        }
    }

    /// Adds the strategies of the next state.
    pub(crate) fn push(&mut self, pair: [&[(u32, u64)]; 2]) {
        self.spans.push(Default::default());
        self.set(self.spans.len() - 1, pair);
    }

    /// Removes all states and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.spans.clear();
    }

    /// A's and B's strategies at a state; empty if unknown.
    pub(crate) fn get(&self, state: usize) -> [&[(u32, u64)]; 2] {
        let (begin, [a, b]) = self.spans[state];
        let (first, second) = self.entries[begin..begin + (a + b) as usize].split_at(a as usize);
        [first, second]
    }
}

/// The support of a strategy, rising, with the nearest probabilities.
pub(crate) fn probabilities(strategy: &[(u32, u64)]) -> Vec<(usize, f64)> {
    let to_nearest = |&(action, weight): &(u32, u64)| {
        (action as usize, weight as f64 / DyadicStrategy::WHOLE as f64)
    };
    strategy.iter().map(to_nearest).collect()
}
