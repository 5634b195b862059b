//! Matrix games whose payoffs are long integers.

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::bounds::Bounds;
use crate::matrix_game::{Basis, ExactEquilibrium, ExactPayoffs, ExactTableau, solve_exactly};

/// A matrix game in integers of any length, for someone who may ask to stop.
pub(super) struct Stage<'s> {
    pub(super) rows: Vec<Vec<RBig>>,
    pub(super) stop: &'s dyn Fn() -> bool,
}

/// More pivots from the basis of the last solution than this mean that it was no guess.
const PIVOTS_FROM_GUESS: usize = 8;

impl Stage<'_> {
    /// Solves the game from the optimal basis of one that is near; `None` if it was stopped.
    pub(super) fn solve(&self, guess: Option<&Basis>) -> Option<ExactEquilibrium> {
        let near = guess.and_then(|guess| solve_exactly(self, guess, PIVOTS_FROM_GUESS).ok());
        near.or_else(|| {
            let integers = |row: &Vec<RBig>| row.iter().map(|payoff| payoff.numerator().clone()).collect();
            let integers: Vec<Vec<IBig>> = self.rows.iter().map(integers).collect();
            solve_exactly(self, &ExactTableau::solve_big(&integers, self.stop).basis(), usize::MAX).ok()
        })
    }
}

impl ExactPayoffs for Stage<'_> {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn columns(&self) -> usize {
        self.rows[0].len()
    }

    fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
        Some(&self.rows[row][column])
    }

    /// Bounds so wide that they never decide.
    fn bounds(&self, _: usize, _: usize) -> Bounds {
        Bounds::new(-(1 << 61), 1 << 61)
    }

    fn exponent(&self) -> u32 {
        0
    }

    fn is_stopped(&self) -> bool {
        (self.stop)()
    }
}
