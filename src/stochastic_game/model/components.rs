use super::game::StochasticGame;
use super::numbered::Graph;

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
        let mut found = Self { states: Vec::with_capacity(count), starts: vec![0], of: vec![UNSEEN; count], cyclic: Vec::new() };
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
        let repeats = |&state: &u32| graph.edges(state as usize).any(|edge| graph.target(edge) == state as usize);
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
            let edges = self.states(component).iter().flat_map(|&state| graph.edges(state as usize));
            let targets = edges.map(|edge| self.of(graph.target(edge))).filter(|&target| target != component);
            let own = targets.map(|target| level[target] + 1).max().unwrap_or(0);
            level[component] = own;
            if levels.len() <= own as usize {
                levels.resize_with(own as usize + 1, Vec::new);
            }
            levels[own as usize].push(component as u32);
        }
        levels
    }
}

/// The given states among which play can be kept for ever, where `stays` says whether some choice at a state leads only to states
/// for which its argument holds.
///
/// It is the largest such set, and empty if and only if play leaves the given states with certainty.
pub(crate) fn closed_set(states: &[u32], count: usize, stays: impl Fn(usize, &dyn Fn(usize) -> bool) -> bool) -> Vec<u32> {
    let mut inside = vec![false; count];
    let mut left: Vec<u32> = states.to_vec();
    for &state in states {
        inside[state as usize] = true;
    }
    loop {
        let before = left.len();
        left.retain(|&state| {
            let kept = stays(state as usize, &|target| inside[target]);
            inside[state as usize] = kept;
            kept
        });
        if left.len() == before {
            return left;
        }
    }
}

/// The states among which both players together can keep play for ever. O(outcomes): a cell is closed once, when the first of its
/// successors is left, and a state is left with its last cell.
pub(crate) fn endless_states(game: &StochasticGame) -> Vec<u32> {
    let count = game.len();
    // The cells that lead to each state, the state of each open cell, and the number of open cells of each state.
    let (mut leading, mut owners, mut open) = (vec![Vec::new(); count], Vec::new(), vec![0_u32; count]);
    for (state, open) in open.iter_mut().enumerate() {
        for cell in game.all_cells(state) {
            cell.outcomes.iter().for_each(|outcome| leading[outcome.state as usize].push(owners.len() as u32));
            owners.push(Some(state as u32));
            *open += 1;
        }
    }
    let mut left: Vec<usize> = (0..count).filter(|&state| game.end_value(state).is_some()).collect();
    while let Some(state) = left.pop() {
        for owner in leading[state].iter().filter_map(|&cell| owners[cell as usize].take()) {
            open[owner as usize] -= 1;
            if open[owner as usize] == 0 {
                left.push(owner as usize);
            }
        }
    }
    (0..count as u32).filter(|&state| open[state as usize] > 0).collect()
}
