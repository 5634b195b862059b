//! Colonel Blotto: games of many ties, on which pivots stall or lose their way in rounding.

use matrix_game::quick::QuickSolver;
use matrix_game::{ExactSolution, unwatched};
use num_rational::BigRational;

/// All ways to send so many soldiers to so many fields.
fn plans(soldiers: i64, fields: usize) -> Vec<Vec<i64>> {
    if fields == 1 {
        return vec![vec![soldiers]];
    }
    let sent = (0..=soldiers).flat_map(|sent| {
        plans(soldiers - sent, fields - 1).into_iter().map(move |rest| (sent, rest))
    });
    sent.map(|(sent, mut rest)| {
        rest.push(sent);
        rest
    })
    .collect()
}

/// Who has more soldiers on a field wins it; the payoff says who wins more fields.
fn blotto(soldiers: [i64; 2], fields: usize) -> Vec<Vec<i64>> {
    let [plans_a, plans_b] = soldiers.map(|soldiers| plans(soldiers, fields));
    let payoff = |plan: &[i64], other: &[i64]| {
        plan.iter()
            .zip(other)
            .map(|(soldiers, opposing)| (soldiers - opposing).signum())
            .sum::<i64>()
            .signum()
    };
    plans_a.iter().map(|plan| plans_b.iter().map(|other| payoff(plan, other)).collect()).collect()
}

/// The value in fractions; the solver itself has it checked by a comparison with all replies.
fn exact_value(game: &[Vec<i64>]) -> BigRational {
    let rows: Vec<Vec<BigRational>> = game
        .iter()
        .map(|row| row.iter().map(|&payoff| BigRational::from_integer(payoff.into())).collect())
        .collect();
    let solution = ExactSolution::new(&rows, &mut unwatched).unwrap();
    let secured = |column: usize| -> BigRational {
        solution.row_strategy().zip(&rows).map(|(share, row)| share * &row[column]).sum()
    };
    assert!((0..rows[0].len()).all(|column| secured(column) >= *solution.value()));
    solution.value().clone()
}

/// 84 to 330 plans. Symmetric games are worth 0; the pivots of the last two stalled for half a
/// minute and for ever.
#[test]
fn games_of_many_ties_are_solved_exactly() {
    for (soldiers, fields) in [(6, 4), (10, 4), (7, 5)] {
        assert_eq!(
            exact_value(&blotto([soldiers; 2], fields)),
            BigRational::from_integer(0.into()),
            "{soldiers} on {fields}"
        );
    }
    assert_eq!(exact_value(&blotto([8, 7], 4)), BigRational::new(3.into(), 8.into()));
}

#[test]
fn games_of_many_ties_have_narrow_bounds_in_a_hurry() {
    let mut solver = QuickSolver::new();
    for (soldiers, fields) in [(6, 4), (10, 4), (7, 5)] {
        let game = blotto([soldiers; 2], fields);
        let payoffs: Vec<f64> = game.iter().flatten().map(|&payoff| payoff as f64).collect();
        let (mut row, mut column) = (vec![0.0; game.len()], vec![0.0; game.len()]);
        let levels = solver.solve(&payoffs, &mut row, &mut column).unwrap();
        assert!(
            levels.lower <= 0.0 && levels.upper >= 0.0 && levels.upper - levels.lower < 1e-12,
            "{levels:?}"
        );
    }
}
