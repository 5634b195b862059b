//! The linear programme of the sequence form: D. Koller, N. Megiddo, B. von Stengel: Efficient computation of equilibria for
//! extensive two-person games. Games and Economic Behavior 14 (1996).

use good_lp::{Expression, ProblemVariables, Solution as _, SolverModel, Variable, variable};

use super::super::sequence_form::SequenceForm;
use crate::game::Player;

/// A maximin realisation plan of a player, by sequences; `None` if the backend gives up.
///
/// `max v₀` over plans `x ≥ 0`, `x₀ = 1`, `Σ x_s = x_parent` at every own information set, where for every sequence `s` of the
/// opponent that ends at the set `d`: `v_d ≤ Σ payoff·x + Σ v_e` over the ends of `s` and the opponent's sets `e` that follow `s`.
/// The objective is the right side for the empty sequence. For B payoffs are negated.
pub(in super::super) fn maximin_plan(form: &SequenceForm, player: Player) -> Option<Vec<f64>> {
    let opponent = player.opponent();
    let sign = f64::from(player.direction());
    let mut variables = ProblemVariables::new();
    let plan: Vec<Variable> = variables.add_vector(variable().min(0.0), form.sequences[player]);
    let values: Vec<Variable> = variables.add_vector(variable(), form.decisions[opponent].len());
    let mut payoffs: Vec<Expression> = Vec::with_capacity(form.sequences[opponent]);
    for sequence in 0..form.sequences[opponent] {
        let mut sum = Expression::with_capacity(4);
        for (own, payoff) in form.leaves[opponent].row(sequence) {
            sum.add_mul(sign * payoff, plan[own]);
        }
        payoffs.push(sum);
    }
    for (decision, &value) in form.decisions[opponent].iter().zip(&values) {
        payoffs[decision.parent as usize].add_mul(1.0, value);
    }
    let mut model = variables.maximise(payoffs[0].clone()).using(good_lp::microlp);
    for (decision, &value) in form.decisions[opponent].iter().zip(&values) {
        for sequence in decision.sequences() {
            let mut advantage = std::mem::take(&mut payoffs[sequence]);
            advantage.add_mul(-1.0, value);
            model.add_constraint(advantage.geq(0.0));
        }
    }
    model.add_constraint(Expression::from(plan[0]).eq(1.0));
    for decision in &form.decisions[player] {
        let mut flow: Expression = plan[decision.sequences()].iter().sum();
        flow.add_mul(-1.0, plan[decision.parent as usize]);
        model.add_constraint(flow.eq(0.0));
    }
    let solution = model.solve().ok()?;
    Some(plan.iter().map(|&weight| solution.value(weight)).collect())
}
