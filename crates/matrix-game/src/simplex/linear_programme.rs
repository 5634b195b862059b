//! The reference: a linear programme for either player, by a library.

use good_lp::{
    Expression, ProblemVariables, Solution as _, SolverModel, Variable, default_solver, variable,
};

use crate::dense::power_of_two_scale;
use crate::equilibrium::{StrategyPair, normalise};
use crate::payoffs::extremes;
use crate::{Equilibrium, Payoffs};

/// Solves matrix games as two linear programmes, one for either player: the reference that our own
/// simplex is compared with.
///
/// The row player's is `max v: Σ_i x_i a_ij ≥ v for all j, Σ x = 1, x ≥ 0`. `good_lp`'s pure-Rust
/// backend gives no dual values.
#[derive(Clone, Debug, Default)]
pub struct LinearProgramme;

impl LinearProgramme {
    pub const fn new() -> Self {
        Self
    }

    /// An equilibrium of the game, or `None` when the backend gives up.
    ///
    /// ```
    /// use matrix_game::{LinearProgramme, Matrix};
    ///
    /// let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
    /// let equilibrium = LinearProgramme::new().solve(&game).expect("a solvable programme");
    /// assert!((equilibrium.value() - 1.0 / 7.0).abs() < 1e-9);
    /// # Ok::<(), matrix_game::Error>(())
    /// ```
    pub fn solve(&self, payoffs: &impl Payoffs) -> Option<Equilibrium> {
        let mut pair = StrategyPair::default();
        Self::find(payoffs, &mut pair).then(|| Equilibrium::judge(payoffs, &pair))
    }

    /// Finds a pair of strategies; `false` when the backend gives up.
    pub(crate) fn find(payoffs: &impl Payoffs, pair: &mut StrategyPair) -> bool {
        let (rows, columns) = (payoffs.rows(), payoffs.columns());
        // Shift and scale change only the value; the backend's tolerances are meant for payoffs
        // whose differences are of size 1.
        let (smallest, largest) = extremes(payoffs);
        let scale = power_of_two_scale(largest - smallest);
        let payoff = |i, j| (payoffs.entry(i, j) - smallest) * scale;
        let row = maximin(rows, columns, payoff);
        let column = maximin(columns, rows, |j, i| -payoff(i, j));
        let (Some(row), Some(column)) = (row, column) else { return false };
        normalise(&mut pair.row, row.into_iter().enumerate())
            && normalise(&mut pair.column, column.into_iter().enumerate())
    }
}

fn maximin(
    choices: usize,
    replies: usize,
    payoff: impl Fn(usize, usize) -> f64,
) -> Option<Vec<f64>> {
    let mut variables = ProblemVariables::new();
    let probabilities: Vec<Variable> = variables.add_vector(variable().min(0.0), choices);
    let value = variables.add(variable());
    let mut model = variables.maximise(value).using(default_solver);
    for reply in 0..replies {
        let mut advantage: Expression = -value;
        for (choice, &probability) in probabilities.iter().enumerate() {
            advantage.add_mul(payoff(choice, reply), probability);
        }
        model.add_constraint(advantage.geq(0.0));
    }
    model.add_constraint(probabilities.iter().sum::<Expression>().eq(1.0));
    let solution = model.solve().ok()?;
    Some(probabilities.iter().map(|&probability| solution.value(probability)).collect())
}
