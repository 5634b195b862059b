//! The elimination of a Markov chain's states one after another, from which its expected totals
//! follow for any payments.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{AddAssign, ControlFlow, Div, Mul};

use super::cycle::CheckCancel;
use super::markov_chain::Transitions;

/// The numbers of a chain: doubles, or floating-point numbers of any length.
pub(super) trait Real:
    Clone + Default + PartialOrd + AddAssign + Mul<Output = Self> + Div<Output = Self>
{
}

impl<T: Clone + Default + PartialOrd + AddAssign + Mul<Output = T> + Div<Output = T>> Real for T {}

/// Elimination is left to those who iterate when it creates this many steps for each one of the
/// chain, and more than a small chain can have: it would take as long as hundreds of iterations.
const FILL: usize = 50;
const SMALL_FILL: usize = 1 << 18;

/// Work on chains asks whether to continue after this many steps were followed, which takes less
/// than a tenth of a second even in long numbers.
pub(super) const STEPS_A_LOOK: usize = 1 << 16;

/// Why elimination ended: somewhere the chain never ends, or too many steps were created.
#[derive(Debug)]
pub(super) enum Uncollected {
    Endless,
    Filled,
}

/// A chain whose states were eliminated one after another (Grassmann, Taksar and Heyman 1985): only
/// positive numbers are added, so that the expected visits, and what is collected if all pay alike,
/// are accurate relative to their size, however rarely the chain ends. States with few steps in and
/// out go first (Markowitz 1957).
#[derive(Debug)]
pub(super) struct Elimination<T> {
    /// In the order in which they were eliminated.
    states: Vec<Eliminated<T>>,
}

/// A state that is left out of a chain: its steps go to the states that follow.
#[derive(Debug)]
struct Eliminated<T> {
    state: u32,
    /// The probability to leave it.
    leaves: T,
    /// The remaining states from which it followed, with the probabilities.
    before: Vec<(u32, T)>,
    /// The remaining states that follow when it is left, with the probabilities.
    after: Vec<(u32, T)>,
}

impl<T: Real> Elimination<T> {
    pub(super) fn new(
        chain: &[Transitions<T>],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Result<Self, Uncollected>> {
        Self::within(SMALL_FILL.max(FILL * Transitions::count(chain)), chain, check_cancel)
    }

    /// As [`new`](Self::new), unless more than `most` steps are created.
    pub(super) fn within(
        most: usize,
        chain: &[Transitions<T>],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Result<Self, Uncollected>> {
        let mut remaining = Remaining::new(chain);
        let mut states = Vec::with_capacity(chain.len());
        while let Some(state) = remaining.cheapest() {
            let Some(eliminated) = remaining.eliminate(state, check_cancel)? else {
                return ControlFlow::Continue(Err(Uncollected::Endless));
            };
            if remaining.created > most {
                return ControlFlow::Continue(Err(Uncollected::Filled));
            }
            states.push(eliminated);
        }
        ControlFlow::Continue(Ok(Self { states }))
    }

    /// The expected total from each state if a visit pays `pays`.
    pub(super) fn totals(&self, pays: &[T]) -> Vec<T> {
        let mut totals = pays.to_vec();
        for Eliminated { state, leaves, before, .. } in &self.states {
            let paid = totals[*state as usize].clone() / leaves.clone();
            for (earlier, share) in before {
                totals[*earlier as usize] += share.clone() * paid.clone();
            }
            totals[*state as usize] = paid;
        }
        for Eliminated { state, after, .. } in self.states.iter().rev() {
            for (next, step) in after {
                let paid = step.clone() * totals[*next as usize].clone();
                totals[*state as usize] += paid;
            }
        }
        totals
    }
}

/// The states of a chain that are not eliminated yet.
struct Remaining<T> {
    /// The steps to other remaining states; empty of an eliminated state.
    rows: Vec<Vec<(u32, T)>>,
    ends: Vec<T>,
    /// The states from which each may follow; eliminated ones may still be among them.
    before: Vec<Vec<u32>>,
    is_left: Vec<bool>,
    /// States by the steps that their elimination may create, which grow while they wait.
    queue: BinaryHeap<Reverse<(usize, usize)>>,
    /// The place of each successor in the current row, plus 1; 0 between rows.
    places: Vec<usize>,
    /// The number of steps that elimination created.
    created: usize,
    /// The steps that were followed since the last check for cancelling.
    since_look: usize,
}

impl<T: Real> Remaining<T> {
    fn new(chain: &[Transitions<T>]) -> Self {
        let mut remaining = Self {
            rows: vec![Vec::new(); chain.len()],
            ends: chain.iter().map(|follows| follows.ends.clone()).collect(),
            before: vec![Vec::new(); chain.len()],
            is_left: vec![true; chain.len()],
            queue: BinaryHeap::new(),
            places: vec![0; chain.len()],
            created: 0,
            since_look: 0,
        };
        for (state, Transitions { steps, .. }) in chain.iter().enumerate() {
            let others =
                steps.iter().filter(|(next, step)| *next as usize != state && *step > T::default());
            remaining.rows[state].reserve(steps.len());
            remaining.add(state, others.cloned());
        }
        remaining.queue =
            (0..chain.len()).map(|state| Reverse((remaining.cost(state), state))).collect();
        remaining
    }

    /// The steps that elimination of a state may create.
    fn cost(&self, state: usize) -> usize {
        self.rows[state].len() * self.before[state].len()
    }

    /// The state whose elimination creates the fewest steps, as far as is known; `None` after the
    /// last one.
    fn cheapest(&mut self) -> Option<usize> {
        while let Some(Reverse((expected, state))) = self.queue.pop() {
            let Self { before, is_left, .. } = self;
            before[state].retain(|&earlier| is_left[earlier as usize]);
            let cost = self.cost(state);
            if cost <= expected {
                return Some(state);
            }
            self.queue.push(Reverse((cost, state)));
        }
        None
    }

    /// Leads the steps to a state past it; `None` if play stays there for ever.
    fn eliminate(
        &mut self,
        state: usize,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Eliminated<T>>> {
        let mut after = std::mem::take(&mut self.rows[state]);
        let mut leaves = self.ends[state].clone();
        for (_, step) in &after {
            leaves += step.clone();
        }
        if leaves == T::default() {
            return ControlFlow::Continue(None);
        }
        for (_, step) in &mut after {
            *step = step.clone() / leaves.clone();
        }
        let ends = self.ends[state].clone() / leaves.clone();
        self.is_left[state] = false;
        let mut before = Vec::with_capacity(self.before[state].len());
        for earlier in std::mem::take(&mut self.before[state]) {
            self.since_look += after.len();
            if self.since_look > STEPS_A_LOOK {
                self.since_look = 0;
                check_cancel()?;
            }
            let row = &mut self.rows[earlier as usize];
            let Some(place) = row.iter().position(|(next, _)| *next as usize == state) else {
                continue;
            };
            let (_, share) = row.swap_remove(place);
            let length = row.len();
            let through = after.iter().filter(|(next, _)| *next != earlier);
            let through = through.map(|(next, step)| (*next, share.clone() * step.clone()));
            self.add(earlier as usize, through);
            self.created += self.rows[earlier as usize].len() - length;
            self.ends[earlier as usize] += share.clone() * ends.clone();
            before.push((earlier, share));
        }
        ControlFlow::Continue(Some(Eliminated { state: state as u32, leaves, before, after }))
    }

    /// Adds steps to those of a state.
    fn add(&mut self, state: usize, steps: impl Iterator<Item = (u32, T)>) {
        let Self { rows, before, places, .. } = self;
        let row = &mut rows[state];
        for (place, (next, _)) in row.iter().enumerate() {
            places[*next as usize] = place + 1;
        }
        for (next, step) in steps {
            match places[next as usize] {
                0 => {
                    row.push((next, step));
                    places[next as usize] = row.len();
                    before[next as usize].push(state as u32);
                }
                place => row[place - 1].1 += step,
            }
        }
        for (next, _) in row.iter() {
            places[*next as usize] = 0;
        }
    }
}
