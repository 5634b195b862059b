//! One state of a game that is given by rules: its matrix from the bounds of its successors, solved.

use crate::bounds::Bounds;
use crate::error::{GameFault, StochasticGameError};
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex};
use crate::stochastic_game::explore::ToldRow;
use crate::stochastic_game::explore::{Explored, Place};
use crate::stochastic_game::model::END_DIGEST;
use crate::stochastic_game::model::Scale;
use crate::stochastic_game::model::{GameRules, Turn};

/// The weights of A's and of B's actions out of 2⁶².
type Weights<'s> = [&'s [(u32, u64)]; 2];

/// The buffers for solving one state after another.
pub(crate) struct StateSolver<S> {
    row: ToldRow<S>,
    matrix: EnclosedMatrix,
    simplex: EnclosedSimplex,
    /// Whether the matrix is that of an end.
    over: bool,
}

impl<S> Default for StateSolver<S> {
    fn default() -> Self {
        let (matrix, simplex) = (EnclosedMatrix::default(), EnclosedSimplex::default());
        Self { row: ToldRow::default(), matrix, simplex, over: false }
    }
}

impl<S> StateSolver<S> {
    /// The bounds and strategies of a state of the table, by the bounds of its successors; the rules are to say what they said
    /// before.
    pub(crate) fn solve<R: GameRules<State = S>>(
        &mut self,
        explored: &Explored<R>,
        state: usize,
        scale: Scale,
        bounds: &[Bounds],
    ) -> Result<(Bounds, Weights<'_>), StochasticGameError> {
        let own = explored.state(state).ok_or_else(|| explored.refuse_number(state, GameFault::Index))?;
        let digest = self.fill(explored, own, true, scale, bounds)?;
        explored.check_digest(state, digest)?;
        Ok(self.solve_filled())
    }

    /// The bounds of any state whose successors were met.
    pub(crate) fn bounds_of<R: GameRules<State = S>>(
        &mut self,
        explored: &Explored<R>,
        state: &S,
        scale: Scale,
        bounds: &[Bounds],
    ) -> Result<Bounds, StochasticGameError> {
        self.fill(explored, state, false, scale, bounds)?;
        Ok(self.solve_filled().0)
    }

    /// Fills the matrix of a state, one cell if it is an end; a digest of its cells.
    fn fill<R: GameRules<State = S>>(
        &mut self,
        explored: &Explored<R>,
        state: &S,
        is_of_table: bool,
        scale: Scale,
        bounds: &[Bounds],
    ) -> Result<u32, StochasticGameError> {
        let Self { row, matrix, .. } = self;
        match explored.rules.turn(state) {
            Turn::Over(value) => {
                self.over = true;
                matrix.resize([1, 1]);
                matrix.set(0, 0, scale.bounds(&value));
                Ok(END_DIGEST)
            }
            Turn::Choose { a: rows, b: columns } => {
                self.over = false;
                matrix.resize([rows, columns]);
                explored.cells(state, [rows, columns], is_of_table, row, |a, b, cell| {
                    matrix.set(a, b, cell.bounds(scale.exponent, |place| seen_from(Place(place), bounds)));
                })
            }
        }
    }

    /// The solution of the matrix; an end has no strategies.
    fn solve_filled(&mut self) -> (Bounds, Weights<'_>) {
        let proved = self.simplex.solve(&self.matrix);
        let strategies = if self.over { [[].as_slice(); 2] } else { proved.strategies.map(DyadicStrategy::support) };
        (proved.bounds, strategies)
    }
}

/// The bounds of a place: with the players exchanged, the negatives.
#[inline]
pub(crate) fn seen_from(place: Place, bounds: &[Bounds]) -> Bounds {
    let Bounds { lower, upper } = bounds[place.state()];
    if place.is_exchanged() { Bounds::new(-upper, -lower) } else { Bounds::new(lower, upper) }
}
