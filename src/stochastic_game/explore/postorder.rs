//! Solves states as the search leaves them, when all successors are solved, so that every cell is asked for once.

use num_rational::BigRational;

use super::explored::Place;
use crate::bounds::Bounds;
use crate::error::StochasticGameError;
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};
use crate::stochastic_game::model::{CellView, Outcome, Scale, seen_from, size};

/// The share by which sums of payoffs that were rounded up may exceed their bound: 2³¹ units of bounds, which have room for 2³⁴.
const ROUNDED: f64 = 1e-9;

/// The units by which the bounds of a state may exceed those of the largest payoff: a rounding or two a turn.
const ROUNDINGS: i64 = 1 << 33;

/// The bounds of a state that is not solved: none that a state could have, with the players exchanged or not.
const UNSOLVED: Bounds = Bounds { lower: -i64::MAX, upper: i64::MAX };

/// The size of payoffs that was promised, and the unit in which they are counted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayoffLimit {
    pub(crate) scale: Scale,
    /// Rounded up.
    largest: f64,
    /// `largest` in units, with a reserve for rounding.
    units: i64,
}

/// The states of an acyclic game in the order in which the search leaves them.
pub(crate) struct Postorder {
    limit: PayoffLimit,
    bounds: Vec<Bounds>,
    /// The open states on the path from a start; for each, its cells, row by row, and the cells with unsolved successors.
    open: Vec<Open>,
    cells: Vec<Bounds>,
    pending: Vec<Pending>,
    outcomes: Vec<Outcome>,
    matrix: EnclosedMatrix,
    simplex: EnclosedSimplex,
}

/// A state on the path, with the offsets of its data.
struct Open {
    actions: [u32; 2],
    cells: usize,
    pending: usize,
}

/// A cell with an unsolved successor.
struct Pending {
    cell: usize,
    outcomes: usize,
    denominator: u64,
    reward: i128,
}

impl PayoffLimit {
    /// The limit for this bound of payoffs.
    ///
    /// # Errors
    /// [`StochasticGameFault::Payoff`](crate::stochastic_game::StochasticGameFault::Payoff) if they are too large for integers.
    pub(crate) fn new(payoffs: u64) -> Result<Self, StochasticGameError> {
        let largest = size(&BigRational::from_integer(payoffs.into()));
        let scale = Scale::of(largest)?;
        let units = (i128::from(payoffs) << scale.exponent.min(64)) as i64;
        Ok(Self { scale, largest: largest * (1.0 + ROUNDED), units: units + ROUNDINGS })
    }

    /// Whether payoffs of this size are within the promise.
    #[inline]
    pub(crate) fn allows(self, size: f64) -> bool {
        size <= self.largest
    }

    /// Whether bounds are those of payoffs that were promised.
    #[inline]
    pub(crate) const fn allows_bounds(self, Bounds { lower, upper }: Bounds) -> bool {
        -self.units <= lower && upper <= self.units
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

    /// Opens an end with this payoff.
    pub(crate) fn open_end(&mut self, state: usize, payoff: &BigRational) {
        self.bounds[state] = self.limit.scale.bounds(payoff);
        self.open([0, 0]);
    }

    pub(crate) fn open(&mut self, actions: [usize; 2]) {
        self.open.push(Open { actions: actions.map(|count| count as u32), cells: self.cells.len(), pending: self.pending.len() });
    }

    #[inline]
    pub(crate) fn grow(&mut self, numbers: usize) {
        if self.bounds.len() < numbers {
            self.bounds.resize(numbers, UNSOLVED);
        }
    }

    /// Records the next cell of the state opened last.
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

    /// Solves the state opened last, whose successors are all solved; `payoffs` is their size. Returns `false` if that exceeds
    /// the promise.
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

    /// The bytes taken beside the bounds of all numbers.
    pub(crate) fn bytes(&self) -> usize {
        let Self { bounds, open, cells, pending, outcomes, .. } = self;
        (bounds.capacity() - bounds.len() + cells.capacity()) * size_of::<Bounds>()
            + open.capacity() * size_of::<Open>()
            + pending.capacity() * size_of::<Pending>()
            + outcomes.capacity() * size_of::<Outcome>()
    }

    /// The bounds by number; 0 for unused numbers.
    pub(crate) fn bounds(self) -> Vec<Bounds> {
        let mut bounds = self.bounds;
        bounds.iter_mut().filter(|bounds| **bounds == UNSOLVED).for_each(|bounds| *bounds = Bounds::default());
        bounds
    }
}
