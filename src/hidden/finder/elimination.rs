//! Orders the unknowns of a sparse symmetric matrix for elimination, by approximate minimum degree:
//! P. R. Amestoy, T. A. Davis, I. S. Duff: An approximate minimum degree ordering algorithm. SIAM
//! Journal on Matrix Analysis and Applications 17 (1996).
//!
//! Eliminating an unknown joins all of its neighbours to each other. The quotient graph stores such
//! a clique as one *element*, so that it never takes more memory than the matrix.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// The operations between two checks for cancellation: some milliseconds.
pub(super) const CHECK_INTERVAL: u64 = 1 << 22;

/// An order of elimination, and the size of the factor that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Elimination {
    /// The unknowns in the order in which they are eliminated.
    pub(super) order: Vec<u32>,
    /// The entries of the factor's strictly lower triangle.
    pub(super) entries: u64,
    /// The multiplications of a factorization: the sum of the squares of the columns' lengths.
    pub(super) operations: u64,
}

/// A pair of unknowns with an entry off the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) one: u32,
    pub(super) other: u32,
}

/// The matrix in the course of elimination.
struct QuotientGraph {
    /// For each unknown the neighbours that no element joins to it.
    neighbours: Vec<Vec<u32>>,
    /// For each unknown the elements that it belongs to. An element has the number of the unknown
    /// whose elimination made it.
    elements: Vec<Vec<u32>>,
    /// The unknowns of each element; none have been eliminated. Empty for an element that another
    /// has absorbed.
    members: Vec<Vec<u32>>,
    is_eliminated: Vec<bool>,
    degrees: Vec<u32>,
    /// For each unknown the last step in which it was found.
    visited: Vec<u32>,
    /// For each element the number of its members outside the newest one, in the step of `counted`.
    outside: Vec<u32>,
    counted: Vec<u32>,
}

impl Elimination {
    /// Orders the unknowns of a matrix with these pairs, each given once. `None` as soon as the
    /// factor has more than so many entries. Breaks if `check_cancel` does. The order depends on
    /// nothing but the pairs.
    pub(super) fn minimum_degree(
        unknowns: usize,
        pairs: &[Pair],
        most_entries: u64,
        check_cancel: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Self>> {
        let mut graph = QuotientGraph::new(unknowns, pairs);
        let mut queue = BinaryHeap::with_capacity(unknowns);
        for (unknown, &degree) in (0_u32..).zip(&graph.degrees) {
            queue.push(Reverse((degree, unknown)));
        }
        let mut elimination =
            Self { order: Vec::with_capacity(unknowns), entries: 0, operations: 0 };
        while let Some(Reverse((degree, unknown))) = queue.pop() {
            // An unknown is queued again whenever its degree changes.
            let is_current =
                degree == graph.degrees[unknown as usize] && !graph.is_eliminated[unknown as usize];
            if !is_current {
                continue;
            }
            elimination.order.push(unknown);
            graph.eliminate(unknown, elimination.order.len() as u32);
            let column = &graph.members[unknown as usize];
            elimination.entries += column.len() as u64;
            elimination.operations += (column.len() as u64).pow(2);
            if elimination.entries > most_entries {
                return ControlFlow::Continue(None);
            }
            if elimination.entries / CHECK_INTERVAL
                > (elimination.entries - column.len() as u64) / CHECK_INTERVAL
            {
                check_cancel()?;
            }
            for &member in column {
                queue.push(Reverse((graph.degrees[member as usize], member)));
            }
        }
        ControlFlow::Continue(Some(elimination))
    }
}

impl QuotientGraph {
    fn new(unknowns: usize, pairs: &[Pair]) -> Self {
        let mut neighbours = vec![Vec::new(); unknowns];
        for &Pair { one, other } in pairs {
            neighbours[one as usize].push(other);
            neighbours[other as usize].push(one);
        }
        let degrees = neighbours.iter().map(|neighbours| neighbours.len() as u32).collect();
        Self {
            neighbours,
            elements: vec![Vec::new(); unknowns],
            members: vec![Vec::new(); unknowns],
            is_eliminated: vec![false; unknowns],
            degrees,
            visited: vec![0; unknowns],
            outside: vec![0; unknowns],
            counted: vec![0; unknowns],
        }
    }

    /// Makes an element of an unknown, whose members are its neighbours. Steps are numbered from 1.
    fn eliminate(&mut self, unknown: u32, step: u32) {
        self.is_eliminated[unknown as usize] = true;
        let mut members = Vec::new();
        self.visited[unknown as usize] = step;
        for neighbour in std::mem::take(&mut self.neighbours[unknown as usize]) {
            self.find(neighbour, step, &mut members);
        }
        for element in std::mem::take(&mut self.elements[unknown as usize]) {
            for member in std::mem::take(&mut self.members[element as usize]) {
                self.find(member, step, &mut members);
            }
        }
        self.count_outside(&members, step);
        for &member in &members {
            self.join(member, unknown, step, members.len());
        }
        self.members[unknown as usize] = members;
    }

    /// Adds an unknown to the members of a new element, unless it was found before in this step.
    fn find(&mut self, unknown: u32, step: u32, members: &mut Vec<u32>) {
        if self.visited[unknown as usize] != step {
            self.visited[unknown as usize] = step;
            members.push(unknown);
        }
    }

    /// Counts, for all elements that a member belongs to, the unknowns that are no members.
    fn count_outside(&mut self, members: &[u32], step: u32) {
        for &member in members {
            for &element in &self.elements[member as usize] {
                let element = element as usize;
                if self.counted[element] != step {
                    self.counted[element] = step;
                    self.outside[element] = self.members[element].len() as u32;
                }
                // An absorbed element has no members.
                self.outside[element] = self.outside[element].saturating_sub(1);
            }
        }
    }

    /// Makes an unknown a member of a new element, and bounds its degree from above.
    fn join(&mut self, member: u32, element: u32, step: u32, size: usize) {
        let visited = &self.visited;
        let neighbours = &mut self.neighbours[member as usize];
        // The new element joins its members to each other.
        neighbours.retain(|&neighbour| visited[neighbour as usize] != step);
        let mut degree = neighbours.len() + size - 1;
        let outside = &self.outside;
        let elements = &mut self.elements[member as usize];
        // An element without unknowns outside the new one adds nothing to it.
        elements.retain(|&other| outside[other as usize] > 0);
        for &other in elements.iter() {
            degree += outside[other as usize] as usize;
        }
        elements.push(element);
        self.degrees[member as usize] = degree as u32;
    }
}
