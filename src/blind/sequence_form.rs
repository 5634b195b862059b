//! Linear programmes in sequence form, linear in the size of the tree.
//!
//! D. Koller, N. Megiddo, B. von Stengel: Efficient computation of equilibria for extensive two-person games. Games and Economic
//! Behavior 14 (1996).

use good_lp::{Expression, ProblemVariables, Solution as _, Solver, SolverModel, Variable, variable};

use super::payoff_matrix::PayoffMatrix;
use super::tree::Tree;
use crate::game::Player;

/// A maximin realisation plan of `player`, or `None` if the backend gives up.
///
/// `max v₀` over plans `x ≥ 0`, `x₀ = 1`, `Σ x_s = x_parent` at every own decision, where for every sequence `s` of the opponent
/// at a decision `d`: `v_d ≤ Σ payoff·x + Σ v_e` over the leaves of `s` and the decisions `e` that come after `s`; the objective
/// is the same sum at sequence 0. For B payoffs are negated.
pub(super) fn optimal_plan(tree: &Tree, matrix: &PayoffMatrix, player: Player, backend: impl Solver) -> Option<Vec<f64>> {
    let (own, other) = (&tree.player_trees[player], &tree.player_trees[player.opponent()]);
    let sign = f64::from(player.direction());
    let payoffs: Vec<f64> = tree.ranks.doubles().into_iter().map(|payoff| sign * payoff).collect();
    let scale = 1.0 / payoffs.iter().fold(0.0, |largest: f64, payoff| largest.max(payoff.abs())).max(f64::MIN_POSITIVE);

    let mut variables = ProblemVariables::new();
    let plan: Vec<Variable> = variables.add_vector(variable().min(0.0), own.sequences);
    let values: Vec<Variable> = variables.add_vector(variable(), other.decisions.len());
    // The payoff of each of the opponent's sequences: its leaves, and the decisions after them.
    let mut yields: Vec<Expression> = (0..other.sequences)
        .map(|sequence| {
            let mut sum = Expression::with_capacity(8);
            for (choice, rank) in matrix.leaves(player.opponent(), sequence) {
                sum.add_mul(payoffs[rank] * scale, plan[choice]);
            }
            sum
        })
        .collect();
    for (decision, &value) in other.decisions.iter().zip(&values) {
        yields[decision.parent as usize].add_mul(1.0, value);
    }
    let mut model = variables.maximise(yields[0].clone()).using(backend);
    for (decision, &value) in other.decisions.iter().zip(&values) {
        for sequence in decision.sequences() {
            let mut advantage = std::mem::take(&mut yields[sequence]);
            advantage.add_mul(-1.0, value);
            model.add_constraint(advantage.geq(0.0));
        }
    }
    model.add_constraint(Expression::from(plan[0]).eq(1.0));
    for decision in &own.decisions {
        let mut flow: Expression = plan[decision.sequences()].iter().sum();
        flow.add_mul(-1.0, plan[decision.parent as usize]);
        model.add_constraint(flow.eq(0.0));
    }
    let solution = model.solve().ok()?;
    Some(plan.iter().map(|&weight| solution.value(weight).max(0.0)).collect())
}

/// The interior-point backend at its highest accuracy, since the duality gap is the width of the proved bounds: the usual 1e-8 is
/// too wide, and the method stops where doubles are exhausted.
#[cfg(feature = "interior-point")]
pub(super) fn interior_point(problem: good_lp::variable::UnsolvedProblem) -> impl SolverModel {
    const TOLERANCE: f64 = 1e-13;
    let mut model = good_lp::clarabel(problem);
    model.settings().tol_gap_abs(TOLERANCE).tol_gap_rel(TOLERANCE).tol_feas(TOLERANCE).max_iter(200);
    model
}
