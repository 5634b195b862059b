//! Exact values and strategies of a solved game, as far as they are fractions that fit.

use std::ops::ControlFlow;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

use super::model::Components;
use super::model::{CellView, NodeView, NumberedGame};
use super::solution::StochasticSolution;
use crate::error::Error;
use crate::matrix_game::ExactSolution;
use crate::work::{Watch, WorkError};

/// The states of a game whose values are known as fractions.
///
/// Values of states to which play cannot return are fractions, of denominators that grow from turn to turn; those of cycles may be
/// irrational, and are known only where both bounds are the same.
#[derive(Clone, Debug)]
pub struct StochasticExact {
    values: Vec<Option<BigRational>>,
    strategies: Vec<Option<[Chosen; 2]>>,
}

/// Actions that are chosen, rising, with their probabilities.
type Chosen = Vec<(usize, BigRational)>;

impl StochasticSolution {
    /// Finds the exact values and strategies of all states whose values, and those that they depend on, are fractions with
    /// denominators of at most `limit_bits` bits; the callback hears of the progress and may cancel.
    ///
    /// *Complexity.* An exact matrix game a state: floating point guesses the support, and fractions decide.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`].
    ///
    /// ```
    /// use pencil_tennis::num_rational::BigRational;
    /// use pencil_tennis::stochastic_game::{Cell, Kind, StochasticGame, StochasticSolver};
    ///
    /// let one = |value: i32| BigRational::from_integer(value.into());
    /// let mut game = StochasticGame::builder(Kind::Acyclic);
    /// game.end("end", one(0))?;
    /// let pays = |value| Cell::to("end").paying(one(value));
    /// game.state("s", [&["x", "y"], &["x", "y"]], one(0), &[vec![pays(3), pays(-1)], vec![pays(-2), pays(1)]])?;
    /// game.start("s")?;
    /// let exact = StochasticSolver::new(game.finish()?).solve()?.exact(4096, &mut |_| std::ops::ControlFlow::Continue(()))?;
    /// assert_eq!(exact.value(1).map(ToString::to_string).as_deref(), Some("1/7"));
    /// assert_eq!(exact.strategies(1).expect("known")[0][0].1.to_string(), "3/7");
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    pub fn exact(&self, limit_bits: usize, watch: &mut Watch<'_>) -> Result<StochasticExact, Error> {
        let (game, count) = (self.game(), self.game().len());
        let components = Components::new(game);
        let mut exact = StochasticExact { values: vec![None; count], strategies: vec![None; count] };
        for component in 0..components.len() {
            if watch(component as f64 / components.len() as f64).is_break() {
                return Err(WorkError::Cancelled.into());
            }
            for &state in components.states(component) {
                let state = state as usize;
                let solved = match game.node(state) {
                    NodeView::Over(value) => Some((value.clone(), None)),
                    NodeView::Play { .. } if components.is_cyclic(game, component) => {
                        self.pinned(state).map(|value| (value, None))
                    }
                    NodeView::Play { actions, .. } => exact.solve(game, state, actions, watch)?,
                };
                if let Some((value, strategies)) = solved.filter(|(value, _)| value.denom().bits() <= limit_bits as u64) {
                    (exact.values[state], exact.strategies[state]) = (Some(value), strategies);
                }
            }
        }
        match watch(1.0) {
            ControlFlow::Continue(()) => Ok(exact),
            ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
        }
    }

    /// The value of a state whose bounds are the same.
    fn pinned(&self, state: usize) -> Option<BigRational> {
        let bounds = self.bounds()[state];
        let unit = || BigInt::from(1) << self.scale().exponent;
        (bounds.lower == bounds.upper).then(|| BigRational::new(bounds.lower.into(), unit()))
    }
}

/// A value, and strategies where they are known.
type Solved = (BigRational, Option<[Chosen; 2]>);

impl StochasticExact {
    /// The value of a state by its number, where it is known.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn value(&self, state: usize) -> Option<&BigRational> {
        self.values[state].as_ref()
    }

    /// A's and B's optimal strategy: the numbers of the actions that are chosen, rising, with their probabilities. Nothing at ends
    /// and where play can return.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn strategies(&self, state: usize) -> Option<[&[(usize, BigRational)]; 2]> {
        self.strategies[state].as_ref().map(|strategies| strategies.each_ref().map(Vec::as_slice))
    }

    /// The number of states whose values are known.
    pub fn known(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// Solves a state over the values of its successors; nothing if one of them is not known.
    fn solve(
        &self,
        game: &impl NumberedGame,
        state: usize,
        [rows, columns]: [usize; 2],
        watch: &mut Watch<'_>,
    ) -> Result<Option<Solved>, Error> {
        let row = |a| (0..columns).map(|b| self.worth(&game.cell(state, a, b))).collect::<Option<Vec<BigRational>>>();
        let Some(matrix) = (0..rows).map(row).collect::<Option<Vec<_>>>() else { return Ok(None) };
        // The matrix has the right shape, so that nothing but a wish to stop prevents its solution.
        let mut go_on = |_| watch(0.0);
        let solution = ExactSolution::watched(&matrix, &mut go_on).map_err(|_| WorkError::Cancelled)?;
        let chosen = |strategy: &mut dyn Iterator<Item = &BigRational>| -> Chosen {
            strategy.cloned().enumerate().filter(|(_, probability)| !probability.is_zero()).collect()
        };
        let strategies = [chosen(&mut solution.row_strategy()), chosen(&mut solution.column_strategy())];
        Ok(Some((solution.value().clone(), Some(strategies))))
    }

    fn worth(&self, cell: &CellView<'_>) -> Option<BigRational> {
        let mut sum = BigRational::from_integer(cell.reward.into());
        for outcome in cell.outcomes {
            sum += self.value(outcome.state as usize)? * BigInt::from(outcome.weight);
        }
        Some(sum / BigInt::from(cell.denominator))
    }
}
