//! Tests of factors against fresh ones.

use dashu_ratio::RBig;

use super::*;
use crate::Matrix;
use crate::exact::solve_bordered;
use crate::sequence::{doubles, matrix, sequence};

fn game() -> Matrix {
    let entry = |i: usize, j: usize| {
        ((i * i * 37 + j * j * j * 53 + i * j * 29 + i * 13 + i * i * j * j * 7) % 97) as f64 / 40.0
    };
    let rows: Vec<Vec<f64>> = (0..6).map(|i| (0..7).map(|j| entry(i, j)).collect()).collect();
    Matrix::from_rows(&rows).unwrap()
}

fn exchanged(
    basis: &mut BasisFactorisation,
    game: &Matrix,
    enters: Variable,
    leaves: Variable,
) -> bool {
    let entering = basis.ftran(game, enters).expect("a nonbasic variable");
    let leaving = basis.btran(game, leaves).expect("a basic variable");
    basis.exchange(game, entering, leaving)
}

/// Solutions in both directions agree with those of the basis factorised afresh.
fn assert_follows(changing: &mut BasisFactorisation, rows: &[usize], columns: &[usize]) {
    let basis = changing.basis();
    assert_eq!((basis.rows.as_slice(), basis.columns.as_slice()), (rows, columns));
    let mut fresh = BasisFactorisation::default();
    assert!(fresh.factorise(&game(), &basis));
    let right: Vec<f64> = (0..=rows.len()).map(|index| index as f64 * 1.5 - 2.0).collect();
    let solved = |with: &mut BasisFactorisation| {
        let (mut forward, mut backward) = (right.clone(), right.clone());
        with.solve(&mut forward);
        with.solve_transposed(&mut backward);
        [forward, backward].concat()
    };
    for (left, right) in solved(changing).into_iter().zip(solved(&mut fresh)) {
        // The systems are small and well-conditioned: updates lose two or three digits of sixteen
        // at most.
        assert!((left - right).abs() <= 1e-12, "{left} and {right}");
    }
}

/// Basic variables cannot enter, and nonbasic ones cannot leave.
#[test]
fn only_nonbasic_variables_enter_and_only_basic_ones_leave() {
    let basis = Basis { rows: vec![0, 2, 5], columns: vec![1, 3, 4] };
    let mut factorisation = BasisFactorisation::default();
    assert!(factorisation.factorise(&game(), &basis));
    for variable in (0..7).map(Variable::Column).chain((0..6).map(Variable::Slack)) {
        assert_eq!(
            factorisation.ftran(&game(), variable).is_none(),
            basis.is_basic(variable),
            "{variable:?}"
        );
        assert_eq!(
            factorisation.btran(&game(), variable).is_some(),
            basis.is_basic(variable),
            "{variable:?}"
        );
    }
}

/// Variables may be looked at in any order before two of them are exchanged.
#[test]
fn an_exchange_is_that_of_the_variables_it_is_given() {
    let mut changing = BasisFactorisation::default();
    assert!(changing.factorise(&game(), &Basis { rows: vec![0, 2, 5], columns: vec![1, 3, 4] }));
    let leaving = changing.btran(&game(), Variable::Column(3)).unwrap();
    let entering = changing.ftran(&game(), Variable::Column(6)).unwrap();
    assert!(changing.btran(&game(), Variable::Slack(1)).is_some());
    assert!(changing.ftran(&game(), Variable::Slack(2)).is_some());
    changing.solve(&mut [1.0, 2.0, 3.0, 4.0]);
    assert!(changing.exchange(&game(), entering, leaving));
    assert_follows(&mut changing, &[0, 2, 5], &[1, 4, 6]);
}

/// Forty exchanges at random, of all four kinds, each checked against the basis factorised afresh
/// and against the same system in rationals. In between the system moves on to a game that has a
/// row and a column before it.
#[test]
fn a_random_walk_of_exchanges_keeps_the_solutions() {
    let mut numbers = sequence(3);
    let mut draw = |bound: usize| numbers(bound as u64) as usize;
    let larger = matrix(|below| draw(below as usize) as u64, [10, 9], 20);
    let mut entries: Vec<Vec<i64>> = larger[1..].iter().map(|row| row[1..].to_vec()).collect();
    let mut game = doubles(&entries);
    let mut walking = BasisFactorisation::default();
    let mut present = Basis { rows: vec![1, 4, 6], columns: vec![0, 3, 7] };
    assert!(walking.factorise(&game, &present));
    let (mut exchanges, mut kinds) = (0, [0; 4]);
    while exchanges < 40 {
        if exchanges == 20 && entries != larger {
            entries.clone_from(&larger);
            game = doubles(&entries);
            walking.shift();
            present.rows.iter_mut().chain(&mut present.columns).for_each(|choice| *choice += 1);
        }
        let (column, row) = (draw(entries[0].len()), draw(entries.len()));
        let entering = if present.columns.contains(&column) {
            Variable::Slack(present.rows[draw(present.size())])
        } else {
            Variable::Column(column)
        };
        let leaving = if present.rows.contains(&row) {
            Variable::Column(present.columns[draw(present.size())])
        } else {
            Variable::Slack(row)
        };
        let mut next = present.clone();
        next.toggle(entering);
        next.toggle(leaving);
        let size = next.size();
        if size == 0 {
            continue;
        }
        // [A_RC −1; 1ᵀ 0] z = (1, 2, 3, …), in rationals.
        let entry = |i: usize, j: usize| RBig::from(entries[next.rows[i]][next.columns[j]]);
        let Some(exact) = solve_bordered(size, entry, |index| index as i64 + 1) else { continue };
        let exact: Vec<f64> = exact.iter().map(|number| number.to_f64().value()).collect();
        let largest = exact.iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
        if largest > 1e4 {
            // So badly conditioned that no tolerance means anything.
            continue;
        }
        assert!(exchanged(&mut walking, &game, entering, leaving));
        (present, exchanges) = (next, exchanges + 1);
        let is_column = |variable| usize::from(matches!(variable, Variable::Column(_)));
        kinds[2 * is_column(entering) + is_column(leaving)] += 1;
        let mut fresh = BasisFactorisation::default();
        assert!(fresh.factorise(&game, &present));
        let right: Vec<f64> = (0..=size).map(|i| i as f64 + 1.0).collect();
        for factorisation in [&mut walking, &mut fresh] {
            let mut solution = right.clone();
            factorisation.solve(&mut solution);
            for (found, exact) in solution.iter().zip(&exact) {
                // Conditions along the way multiply into the updates' errors; they stay below some
                // 1e6 in this walk.
                assert!(
                    (found - exact).abs() <= 1e-9 * largest,
                    "{found} is not {exact} after {exchanges} exchanges"
                );
            }
        }
        let [mut backward, mut backward_fresh] = [right.clone(), right];
        walking.solve_transposed(&mut backward);
        fresh.solve_transposed(&mut backward_fresh);
        let largest =
            backward_fresh.iter().fold(1.0_f64, |largest, number| largest.max(number.abs()));
        assert!(
            backward
                .iter()
                .zip(&backward_fresh)
                .all(|(found, fresh)| (found - fresh).abs() <= 1e-9 * largest)
        );
    }
    assert!(kinds.iter().all(|&exchanges| exchanges > 3), "{kinds:?}");
}
