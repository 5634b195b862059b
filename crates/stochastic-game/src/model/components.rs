//! Strongly connected components.

use super::game::StochasticGame;
use super::numbered::{CellView, Graph};

/// The strongly connected components of a graph, successors first (Tarjan 1972).
#[derive(Debug)]
pub(crate) struct Components {
    states: Vec<u32>,
    /// The offset of each component, and the end.
    starts: Vec<u32>,
    of: Vec<u32>,
    /// Whether play can return to the states of each component.
    cyclic: Vec<bool>,
}

/// A state that Tarjan's search has not seen.
const UNSEEN: u32 = u32::MAX;

impl Components {
    /// Finds the components. O(states + edges).
    pub(crate) fn new(graph: &impl Graph) -> Self {
        let count = graph.states();
        let mut found = Self {
            states: Vec::with_capacity(count),
            starts: vec![0],
            of: vec![UNSEEN; count],
            cyclic: Vec::new(),
        };
        // The order in which states were seen, and the earliest state that each is known to reach.
        let (mut seen, mut reaches, mut next) = (vec![UNSEEN; count], vec![0_u32; count], 0_u32);
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
        for root in 0..count {
            if seen[root] != UNSEEN {
                continue;
            }
            path.push((root, graph.edges(root)));
            while let Some((state, edges)) = path.last_mut() {
                let state = *state;
                if seen[state] == UNSEEN {
                    (seen[state], reaches[state]) = (next, next);
                    next += 1;
                    open.push(state as u32);
                }
                if let Some(edge) = edges.next() {
                    let target = graph.target(edge);
                    if seen[target] == UNSEEN {
                        path.push((target, graph.edges(target)));
                    } else if found.of[target] == UNSEEN {
                        reaches[state] = reaches[state].min(seen[target]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    reaches[before] = reaches[before].min(reaches[state]);
                }
                if reaches[state] == seen[state] {
                    found.close(&mut open, state);
                }
            }
        }
        let repeats = |&state: &u32| {
            graph.edges(state as usize).any(|edge| graph.target(edge) == state as usize)
        };
        found.cyclic = (0..found.len())
            .map(|component| match found.states(component) {
                [state] => repeats(state),
                _ => true,
            })
            .collect();
        found
    }

    /// Makes a component of the states seen from `root` on.
    fn close(&mut self, open: &mut Vec<u32>, root: usize) {
        let component = self.starts.len() as u32 - 1;
        while let Some(state) = open.pop() {
            self.of[state as usize] = component;
            self.states.push(state);
            if state as usize == root {
                break;
            }
        }
        let begin = self.starts[component as usize] as usize;
        self.states[begin..].sort_unstable();
        self.starts.push(self.states.len() as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn states(&self, component: usize) -> &[u32] {
        &self.states[self.starts[component] as usize..self.starts[component + 1] as usize]
    }

    pub(crate) fn of(&self, state: usize) -> usize {
        self.of[state] as usize
    }

    /// Whether play can return to the states of a component.
    pub(crate) fn is_cyclic(&self, component: usize) -> bool {
        self.cyclic[component]
    }

    /// The components by the longest way to an end: those of one level are independent.
    pub(crate) fn levels(&self, graph: &impl Graph) -> Vec<Vec<u32>> {
        let mut level = vec![0_u32; self.len()];
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for component in 0..self.len() {
            let edges =
                self.states(component).iter().flat_map(|&state| graph.edges(state as usize));
            let targets =
                edges.map(|edge| self.of(graph.target(edge))).filter(|&target| target != component);
            let component_level = targets.map(|target| level[target] + 1).max().unwrap_or(0);
            level[component] = component_level;
            if levels.len() <= component_level as usize {
                levels.resize_with(component_level as usize + 1, Vec::new);
            }
            levels[component_level as usize].push(component as u32);
        }
        levels
    }
}

/// The given states among which play can be kept for ever, where `choices` lists each choice at a
/// state by the states to which it may lead; the choices that end play, or pay, are left out.
///
/// It is the largest such set, and empty if and only if play leaves the given states with
/// certainty. O(successors): a choice is closed once, when the first of its successors is left, and
/// a state is left with its last choice.
pub(crate) fn closed_set(
    states: &[u32],
    count: usize,
    choices: impl Fn(usize) -> Vec<Vec<u32>>,
) -> Vec<u32> {
    let mut is_given = vec![false; count];
    for &state in states {
        is_given[state as usize] = true;
    }
    // The choices that lead to each state, the state of each open choice, and the number of open
    // choices of each state.
    let (mut leading, mut owners, mut open) =
        (vec![Vec::new(); count], Vec::new(), vec![0_u32; count]);
    for &state in states {
        for successors in choices(state as usize) {
            if successors.iter().all(|&next| is_given[next as usize]) {
                for &next in &successors {
                    leading[next as usize].push(owners.len() as u32);
                }
                owners.push(Some(state));
                open[state as usize] += 1;
            }
        }
    }
    let mut left: Vec<u32> =
        states.iter().copied().filter(|&state| open[state as usize] == 0).collect();
    while let Some(state) = left.pop() {
        for owner in
            leading[state as usize].iter().filter_map(|&choice| owners[choice as usize].take())
        {
            open[owner as usize] -= 1;
            if open[owner as usize] == 0 {
                left.push(owner);
            }
        }
    }
    states.iter().copied().filter(|&state| open[state as usize] > 0).collect()
}

/// The states among which both players together can keep play for ever.
pub(crate) fn endless_states(game: &StochasticGame) -> Vec<u32> {
    let going_on: Vec<u32> =
        (0..game.len() as u32).filter(|&state| game.end_value(state as usize).is_none()).collect();
    let successors =
        |cell: CellView<'_>| cell.outcomes.iter().map(|outcome| outcome.state).collect();
    closed_set(&going_on, game.len(), |state| game.all_cells(state).map(successors).collect())
}
