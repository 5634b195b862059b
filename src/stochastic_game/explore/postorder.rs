//! Solving states as the search leaves them: all that follows is solved then, and no cell is asked for a second time.

use num_rational::BigRational;

use super::explored::Place;
use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};
use crate::stochastic_game::model::{CellView, Outcome, Scale, seen_from, size};

/// The share by which sums of payoffs that were rounded up may exceed their bound: 2³¹ units of bounds, which have room for 2³⁴.
const ROUNDED: f64 = 1e-9;

/// The bounds of a state that is not solved: none that a state could have, with the players exchanged or not.
const UNSOLVED: Bounds = Bounds { lower: -i64::MAX, upper: i64::MAX };

/// The size of payoffs that was promised, and the unit in which they are counted.
#[derive(Clone, Copy)]
pub(crate) struct PayoffLimit {
    pub(crate) scale: Scale,
    /// Not rounded down.
    largest: f64,
}

/// The states of an acyclic game in the order in which the search leaves them.
pub(crate) struct Postorder {
    limit: PayoffLimit,
    bounds: Vec<Bounds>,
    /// The states between a start and the one that is being explored; of all of them the cells, row by row, and those that are
    /// not known, with what follows them.
    open: Vec<Open>,
    cells: Vec<Bounds>,
    pending: Vec<Pending>,
    outcomes: Vec<Outcome>,
    matrix: EnclosedMatrix,
    simplex: EnclosedSimplex,
}

/// A state that was not left: where what is its own begins.
struct Open {
    actions: [u32; 2],
    cells: usize,
    pending: usize,
}

/// A cell of which something that follows is not solved.
struct Pending {
    cell: usize,
    outcomes: usize,
    denominator: u64,
    reward: i128,
}

impl PayoffLimit {
    /// The limit that a bound of payoffs sets.
    ///
    /// # Errors
    /// [`StochasticGameFault::Payoff`](crate::stochastic_game::StochasticGameFault::Payoff) if they are too large to be counted.
    pub(crate) fn new(payoffs: u64) -> Result<Self, StochasticGameError> {
        let largest = size(&BigRational::from_integer(payoffs.into()));
        Ok(Self { scale: Scale::of(largest)?, largest: largest * (1.0 + ROUNDED) })
    }

    /// Whether payoffs of this size were promised.
    #[inline]
    pub(crate) fn allows(self, size: f64) -> bool {
        size <= self.largest
    }
}

impl Postorder {
    pub(crate) fn new(limit: PayoffLimit) -> Self {
        Self {
            limit,
            bounds: Vec::new(),
            open: Vec::new(),
            cells: Vec::new(),
            pending: Vec::new(),
            outcomes: Vec::new(),
            matrix: EnclosedMatrix::default(),
            simplex: EnclosedSimplex::default(),
        }
    }

    /// Takes up an end that pays this.
    pub(crate) fn open_end(&mut self, state: usize, payoff: &BigRational) {
        self.bounds[state] = self.limit.scale.bounds(payoff);
        self.open([0, 0]);
    }

    pub(crate) fn open(&mut self, actions: [usize; 2]) {
        self.open.push(Open { actions: actions.map(|count| count as u32), cells: self.cells.len(), pending: self.pending.len() });
    }

    /// Makes room for the bounds of so many numbers.
    #[inline]
    pub(crate) fn grow(&mut self, numbers: usize) {
        if self.bounds.len() < numbers {
            self.bounds.resize(numbers, UNSOLVED);
        }
    }

    /// Takes note of the next cell of the state that was opened last.
    #[inline]
    pub(crate) fn take(&mut self, cell: &CellView<'_>) {
        let Self { limit, bounds, cells, pending, outcomes, .. } = self;
        let is_solved = |outcome: &Outcome| bounds[Place(outcome.state).state()] != UNSOLVED;
        if cell.outcomes.iter().all(is_solved) && (cell.reward == 0 || limit.allows(cell.reward_size())) {
            cells.push(cell.bounds(limit.scale.exponent, |next| seen_from(Place(next).parts(), bounds)));
            return;
        }
        let CellView { denominator, reward, .. } = *cell;
        pending.push(Pending { cell: cells.len(), outcomes: outcomes.len(), denominator, reward });
        outcomes.extend_from_slice(cell.outcomes);
        cells.push(UNSOLVED);
    }

    /// Solves the state that was opened last, of which all that follows is solved: its payoffs are of this size; `false` if that
    /// is more than was said.
    pub(crate) fn leave(&mut self, state: usize, payoffs: f64) -> bool {
        let Self { limit, bounds, open, cells, pending, outcomes, matrix, simplex } = self;
        let Some(Open { actions, cells: first, pending: first_pending }) = open.pop() else { return false };
        if !limit.allows(payoffs) {
            return false;
        }
        for Pending { cell, outcomes: first, denominator, reward } in pending.drain(first_pending..).rev() {
            let view = CellView { outcomes: &outcomes[first..], denominator, reward };
            cells[cell] = view.bounds(limit.scale.exponent, |next| seen_from(Place(next).parts(), bounds));
            outcomes.truncate(first);
        }
        let [rows, columns] = actions.map(|count| count as usize);
        if rows > 0 {
            matrix.assign([rows, columns], &cells[first..]);
            bounds[state] = simplex.solve(matrix).bounds;
        }
        cells.truncate(first);
        true
    }

    /// The memory that is taken beside the bounds of all numbers, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let Self { bounds, open, cells, pending, outcomes, .. } = self;
        (bounds.capacity() - bounds.len() + cells.capacity()) * size_of::<Bounds>()
            + open.capacity() * size_of::<Open>()
            + pending.capacity() * size_of::<Pending>()
            + outcomes.capacity() * size_of::<Outcome>()
    }

    /// The bounds by number; of numbers that no state has, 0.
    pub(crate) fn bounds(self) -> Vec<Bounds> {
        let mut bounds = self.bounds;
        bounds.iter_mut().filter(|bounds| **bounds == UNSOLVED).for_each(|bounds| *bounds = Bounds::default());
        bounds
    }
}
