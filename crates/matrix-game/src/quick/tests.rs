//! Values and security levels against fractions, which share nothing with doubles.

use std::ops::ControlFlow;

use dashu_ratio::RBig;

use super::security::security_levels;
use super::{MOST_SMALL, Payoffs, QuickError, QuickSolver, SecurityLevels, solve_small};
use crate::exact::solve_fractions;
use crate::sequence::sequence;
use crate::work::unwatched;

fn fraction(number: f64) -> RBig {
    RBig::try_from(number).expect("a finite number")
}

/// The value in fractions, by the criss-cross method.
fn value(payoffs: &[f64], columns: usize) -> RBig {
    let rows: Vec<Vec<RBig>> =
        payoffs.chunks(columns).map(|row| row.iter().copied().map(fraction).collect()).collect();
    solve_fractions(&rows, &mut unwatched).unwrap().value.canonicalize()
}

/// Games of many kinds: few values and many ties, any numbers, payoffs that differ in their last
/// digits, that are far apart, and so small that their products are no normal numbers.
fn game(seed: u64) -> (Vec<f64>, usize, usize) {
    let mut draw = sequence(seed);
    let most = if seed.is_multiple_of(7) { 24 } else { 6 };
    let (rows, columns) = (1 + draw(most) as usize, 1 + draw(most) as usize);
    let mut entry = || match seed % 6 {
        0 => draw(3) as f64 - 1.0,
        1 => draw(1 << 30) as f64 / 7.0 - 7e7,
        2 => 1.0 + draw(1 << 20) as f64 * f64::EPSILON,
        3 => -3.0 - draw(1000) as f64 * 1e-12,
        4 => (draw(2001) as f64 - 1000.0) * [1e-9, 1.0, 1e9][draw(3) as usize],
        _ => (draw(2001) as f64 - 1000.0) * 5e-324,
    };
    let payoffs = (0..rows * columns).map(|_| entry()).collect();
    (payoffs, rows, columns)
}

#[test]
fn values_of_games_of_all_kinds_are_enclosed() {
    let mut solver = QuickSolver::new();
    let (mut small, mut narrow) = (0, 0);
    for seed in 0..900 {
        let (payoffs, rows, columns) = game(seed);
        let exact = value(&payoffs, columns);
        let (mut row, mut column) = (vec![9.0; rows], vec![9.0; columns]);
        let check = |levels: SecurityLevels, row: &[f64], column: &[f64]| {
            let SecurityLevels { value, lower, upper } = levels;
            assert!(
                fraction(lower) <= exact && exact <= fraction(upper),
                "game {seed}: {exact} is not in {levels:?}"
            );
            assert!(lower <= value && value <= upper, "game {seed}: {levels:?}");
            for strategy in [row, column] {
                let sum: f64 = strategy.iter().sum();
                assert!(
                    strategy.iter().all(|&share| share >= 0.0) && (sum - 1.0).abs() < 1e-14,
                    "game {seed}: {strategy:?}"
                );
            }
        };
        let levels = solver.solve(&payoffs, &mut row, &mut column).unwrap();
        check(levels, &row, &column);
        let game = Payoffs::new(&payoffs, rows, columns).unwrap();
        // What doubles leave of a value, and of the rounding of its proof.
        let width = 1e-11 * (game.largest - game.least)
            + 1e-14 * game.size()
            + 4.0 * f64::EPSILON * levels.value.abs()
            + 1e-320;
        assert!(levels.upper - levels.lower <= width, "game {seed}: {levels:?}");
        if rows.max(columns) <= MOST_SMALL {
            let levels = solve_small(&payoffs, &mut row, &mut column).unwrap();
            check(levels, &row, &column);
            small += 1;
            narrow += i32::from(levels.upper - levels.lower <= width);
        }
    }
    // Without the careful solver some degenerate game may stay wide.
    assert!(small > 700 && narrow >= small - 2, "{narrow} of {small}");
}

/// The careful solver would hide that the quick one gives up.
#[test]
fn larger_games_need_no_careful_solver() {
    let mut solver = QuickSolver::new();
    for (seed, [rows, columns]) in
        [[49, 49], [40, 60], [60, 48], [100, 49], [49, 100], [130, 130], [200, 90]]
            .into_iter()
            .enumerate()
    {
        for unit in [1e-9, 1.0, 1e9] {
            let mut draw = sequence(seed as u64);
            let payoffs: Vec<f64> =
                (0..rows * columns).map(|_| (draw(1 << 30) as f64 - 5e8) * unit).collect();
            let (mut row, mut column) = (vec![0.0; rows], vec![0.0; columns]);
            let game = Payoffs::new(&payoffs, rows, columns).unwrap();
            let levels = solver
                .solve_quickly(&game, &mut row, &mut column, &mut |_| true)
                .expect("nothing stops it");
            // Half for the proof in doubles, half for the strategies.
            let rounding = 4.0 * (rows + columns) as f64 * f64::EPSILON * game.size();
            assert!(
                levels.upper - levels.lower <= rounding,
                "{rows} rows, {columns} columns: {levels:?}"
            );
        }
    }
}

#[test]
fn a_long_solve_hears_that_it_is_cancelled() {
    let mut draw = sequence(1);
    let payoffs: Vec<f64> = (0..60 * 60).map(|_| draw(1 << 30) as f64).collect();
    let (mut row, mut column) = (vec![0.0; 60], vec![0.0; 60]);
    let mut solver = QuickSolver::new();
    let (mut asked, mut last) = (0, 0.0);
    let mut third = |share: f64| {
        asked += 1;
        assert!(
            (0.0..1.0).contains(&share) && (share > last || asked == 1),
            "{share} after {last}"
        );
        last = share;
        if asked < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    assert_eq!(
        solver.solve_watched(&payoffs, &mut row, &mut column, &mut third),
        Err(QuickError::Cancelled)
    );
    assert_eq!(asked, 3);
    assert!(solver.solve(&payoffs, &mut row, &mut column).is_ok());
}

/// The least sum of products over the sum of the probabilities, in fractions.
fn secured(payoffs: &[f64], columns: usize, row: &[f64]) -> RBig {
    let sum: RBig = row.iter().copied().map(fraction).fold(RBig::ZERO, |sum, share| sum + share);
    let against = |column: usize| -> RBig {
        let products = row
            .iter()
            .enumerate()
            .map(|(i, &share)| fraction(share) * fraction(payoffs[i * columns + column]));
        products.fold(RBig::ZERO, |sum, product| sum + product)
    };
    (0..columns).map(against).min().unwrap() / sum
}

/// Strategies of any sum near 1, of which none has to be good.
#[test]
fn no_strategy_secures_less_than_is_proved_of_it() {
    let mut draw = sequence(3);
    for seed in 0..3_000 {
        let (payoffs, rows, columns) = game(seed);
        let game = Payoffs::new(&payoffs, rows, columns).unwrap();
        let mut strategy = |choices: usize| -> Vec<f64> {
            let weights: Vec<f64> = (0..choices)
                .map(|_| [0.0, 1e-18, 1.0][draw(3) as usize] * (1 + draw(9)) as f64)
                .collect();
            let sum: f64 = weights.iter().sum::<f64>() * [1.0, 0.9, 1.3][draw(3) as usize];
            if sum > 0.0 {
                weights.iter().map(|weight| weight / sum).collect()
            } else {
                vec![1.0 / choices as f64; choices]
            }
        };
        let (row, column) = (strategy(rows), strategy(columns));
        let SecurityLevels { lower, upper, .. } = security_levels(&game, &row, &column).unwrap();
        let negated: Vec<f64> = (0..columns)
            .flat_map(|column| (0..rows).map(move |row| (row, column)))
            .map(|(row, column)| -payoffs[row * columns + column])
            .collect();
        let [least, largest] =
            [secured(&payoffs, columns, &row), -secured(&negated, rows, &column)];
        assert!(fraction(lower) <= least && largest <= fraction(upper), "game {seed}");
        // No more than the documented error of either level, twice, since the sums may err to the
        // other side.
        let error =
            (4.0 * rows.max(columns) as f64 + 16.0) * f64::EPSILON / 2.0 * game.size() + 1e-320;
        assert!(
            least - fraction(lower) <= fraction(error + 2.0 * lower.abs() * f64::EPSILON),
            "game {seed}"
        );
        assert!(
            fraction(upper) - largest <= fraction(error + 2.0 * upper.abs() * f64::EPSILON),
            "game {seed}"
        );
    }
}

/// Sums that round as far as they may, all to one side: a third of the numbers just above a power
/// of 2 adds up in steps of half a unit.
#[test]
fn rounding_to_one_side_is_covered() {
    for k in [2_usize, 5, 9, 16, 100, 1000] {
        let row = vec![1.0 / k as f64; k];
        for last in [f64::EPSILON, -f64::EPSILON / 2.0] {
            let payoffs: Vec<f64> =
                (0..k).map(|i| if i == 0 { -1.0 } else { 1.0 + last * (i % 3) as f64 }).collect();
            let game = Payoffs::new(&payoffs, k, 1).unwrap();
            let levels = security_levels(&game, &row, &[1.0]).unwrap();
            assert!(fraction(levels.lower) <= secured(&payoffs, 1, &row), "{k}: {levels:?}");
        }
    }
}

#[test]
fn what_is_no_strategy_secures_nothing() {
    let payoffs = [3.0, -1.0, -2.0, 1.0];
    let game = Payoffs::new(&payoffs, 2, 2).unwrap();
    for wrong in
        [[0.0, 0.0], [-0.5, 1.5], [f64::NAN, 1.0], [f64::INFINITY, 0.0], [0.2, 0.2], [2.0, 1.0]]
    {
        assert_eq!(security_levels(&game, &wrong, &[0.5, 0.5]), None, "{wrong:?}");
        assert_eq!(security_levels(&game, &[0.5, 0.5], &wrong), None, "{wrong:?}");
    }
}

#[test]
fn pure_games_are_exact() {
    let (mut row, mut column) = ([0.0; 2], [0.0; 3]);
    let levels = solve_small(&[4.0, 0.1, 7.0, 3.0, 0.0, -1e300], &mut row, &mut column).unwrap();
    assert_eq!((levels.lower, levels.value, levels.upper), (0.1, 0.1, 0.1));
    assert_eq!((row, column), ([1.0, 0.0], [0.0, 1.0, 0.0]));
    // The same payoff everywhere.
    let levels = solve_small(&[0.7; 6], &mut row, &mut column).unwrap();
    assert_eq!((levels.lower, levels.upper), (0.7, 0.7));
}

#[test]
fn wrong_games_are_refused_and_leave_the_buffers() {
    let (mut row, mut column) = ([5.0; 2], [5.0; 2]);
    let mut refused = |payoffs: &[f64]| solve_small(payoffs, &mut row, &mut column).unwrap_err();
    assert_eq!(refused(&[1.0, 2.0, 3.0]), QuickError::Length { payoffs: 3, rows: 2, columns: 2 });
    assert_eq!(
        refused(&[1.0, 2.0, f64::INFINITY, 3.0]),
        QuickError::Entry { row: 1, column: 0, entry: f64::INFINITY }
    );
    assert!(matches!(
        refused(&[1.0, f64::NAN, 2.0, 3.0]),
        QuickError::Entry { row: 0, column: 1, .. }
    ));
    assert_eq!(
        refused(&[f64::MAX, -1.0, 0.0, 0.0]),
        QuickError::Range { least: -1.0, largest: f64::MAX }
    );
    assert_eq!((row, column), ([5.0; 2], [5.0; 2]));
    assert_eq!(solve_small(&[], &mut [], &mut [0.0]), Err(QuickError::Empty));
    let wide = solve_small(&[0.0; 17], &mut [0.0], &mut [0.0; 17]);
    assert_eq!(wide, Err(QuickError::Size { rows: 1, columns: 17 }));
    assert!(QuickSolver::new().solve(&[0.0; 17], &mut [0.0], &mut [0.0; 17]).is_ok());
    let range = QuickError::Range { least: -1.0, largest: 1e308 };
    assert_eq!(
        [wide.unwrap_err().to_string(), range.to_string()],
        [
            "a small game has at most 16 rows and columns; this one has 1 and 17",
            "payoffs from -1e0 to 1e308 are too large: expected up to 4.4942328371557893e307",
        ]
    );
}
