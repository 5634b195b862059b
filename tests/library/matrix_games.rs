//! Matrix games have the value that an independent linear programme or a closed formula gives, and
//! strategies that secure it.

use pencil_tennis::matrix_game::{Equilibrium, LinearProgramme, Matrix, Payoffs, Simplex};
use pencil_tennis::{Method, Rules, Solution, Solver, State};
use proptest::prelude::*;
use rayon::prelude::*;

/// The largest gap of our own simplex, as a share of the largest payoff: what its documentation
/// promises.
const OWN_GAP: f64 = 1e-12;

/// The largest gap of the linear programme, as a share of the largest payoff.
///
/// Its backend takes reduced costs and infeasibilities up to some 1e-9 for zero.
const PROGRAMME_GAP: f64 = 1e-9;

/// The number of cases, unless `PROPTEST_CASES` sets it; shrunk failures become tests of their own
/// rather than files of seeds.
fn cases(cases: u32) -> ProptestConfig {
    let asked_for = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked_for.cases } else { cases };
    ProptestConfig { cases, failure_persistence: None, ..asked_for }
}

fn matrix(rows: &[Vec<f64>]) -> Matrix {
    Matrix::from_rows(rows).expect("a matrix of finite numbers")
}

fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}

fn largest(rows: &[Vec<f64>]) -> f64 {
    rows.iter().flatten().fold(0.0, |largest, entry| largest.max(entry.abs()))
}

/// Checks that both strategies are distributions which secure what the equilibrium says they
/// secure.
fn check_truth(rows: &[Vec<f64>], equilibrium: &Equilibrium) {
    let (x, y) = (equilibrium.row_strategy(), equilibrium.column_strategy());
    assert_eq!((x.len(), y.len()), (rows.len(), rows[0].len()));
    for strategy in [x, y] {
        assert!(
            strategy.iter().all(|probability| (0.0..=1.0).contains(probability)),
            "{strategy:?}"
        );
        // Sixty roundings of 1e-16.
        assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-14, "{strategy:?}");
    }
    let dot = |payoffs: &[f64], strategy: &[f64]| {
        payoffs.iter().zip(strategy).map(|(entry, p)| entry * p).sum::<f64>()
    };
    let lower = transposed(rows).iter().map(|column| dot(column, x)).fold(f64::INFINITY, f64::min);
    let upper = rows.iter().map(|row| dot(row, y)).fold(f64::NEG_INFINITY, f64::max);
    // Sixty products and sums, each rounded to 1e-16 of the largest payoff.
    let rounding = 1e-14 * largest(rows);
    assert!(
        (equilibrium.lower() - lower).abs() <= rounding,
        "{lower} is secured, not {}",
        equilibrium.lower()
    );
    assert!(
        (equilibrium.upper() - upper).abs() <= rounding,
        "{upper} is conceded, not {}",
        equilibrium.upper()
    );
    assert!(lower <= upper + rounding);
    assert!((lower - rounding..=upper + rounding).contains(&equilibrium.value()));
}

/// Solves a game with our own simplex; the gap proves that it is right.
fn check_own(rows: &[Vec<f64>]) -> Equilibrium {
    let simplex = Simplex::new().solve(&matrix(rows));
    check_truth(rows, &simplex);
    assert!(
        simplex.gap() <= OWN_GAP * largest(rows),
        "the simplex leaves a gap of {:e} in {rows:?}",
        simplex.gap()
    );
    simplex
}

/// Solves a game in both ways, which have to agree.
fn check(rows: &[Vec<f64>]) -> Equilibrium {
    let simplex = check_own(rows);
    let programme = LinearProgramme::new().solve(&matrix(rows)).expect("a solvable programme");
    check_truth(rows, &programme);
    assert!(
        programme.gap() <= PROGRAMME_GAP * largest(rows),
        "the programme leaves a gap of {:e} in {rows:?}",
        programme.gap()
    );
    let difference = (simplex.value() - programme.value()).abs();
    assert!(
        difference <= PROGRAMME_GAP * largest(rows),
        "values differ by {difference:e} in {rows:?}"
    );
    simplex
}

/// Entries around 1 with differences of 1e-12 make a game that is worth 1 and a trifle, the value
/// of the differences alone.
fn check_near_one(differences: &[Vec<f64>]) {
    let trifle = 1e-12
        * LinearProgramme::new().solve(&matrix(differences)).expect("a solvable programme").value();
    let near: Vec<Vec<f64>> = differences
        .iter()
        .map(|row| row.iter().map(|entry| 1.0 + 1e-12 * entry).collect())
        .collect();
    let value = check(&near).value();
    // Entries are rounded to 1.1e-16, and so are the value and the few sums in which it is
    // computed.
    assert!(
        (value - (1.0 + trifle)).abs() < 3e-15,
        "{value} is not 1 and {trifle:e}: {differences:?}"
    );
}

/// A matrix of up to this many rows and columns.
fn rows_of(
    entry: impl Strategy<Value = f64> + Clone,
    most: usize,
) -> impl Strategy<Value = Vec<Vec<f64>>> {
    (1..=most, 1..=most).prop_flat_map(move |(rows, columns)| {
        prop::collection::vec(prop::collection::vec(entry.clone(), columns), rows)
    })
}

fn integers() -> impl Strategy<Value = f64> + Clone {
    (-100_i32..=100).prop_map(f64::from)
}

/// The payoffs of Tennis, in which ties are the rule.
fn ends() -> impl Strategy<Value = f64> + Clone {
    prop::sample::select(vec![-2.0, -1.0, 1.0, 2.0])
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn matrices_of_integers(rows in rows_of(integers(), 60)) {
        check(&rows);
    }

    #[test]
    fn matrices_full_of_ties(rows in rows_of(ends(), 60)) {
        check(&rows);
    }

    #[test]
    fn matrices_with_constant_rows(mut rows in rows_of(ends(), 40), constant in integers(), every in 1_usize..4) {
        for row in rows.iter_mut().step_by(every) {
            row.fill(constant / 50.0);
        }
        check(&rows);
        check(&transposed(&rows));
    }

    #[test]
    fn matrices_with_duplicated_rows_and_columns(
        rows in rows_of(integers(), 12),
        copied_rows in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        copied_columns in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
    ) {
        let pick = |index: &prop::sample::Index, row: &[f64]| row[index.index(row.len())];
        let copies: Vec<Vec<f64>> = copied_rows.iter().map(|index| index.get(&rows).clone()).collect();
        let rows: Vec<Vec<f64>> =
            copies.iter().map(|row| copied_columns.iter().map(|index| pick(index, row)).collect()).collect();
        check(&rows);
    }

    #[test]
    fn matrices_of_nearly_equal_entries(rows in rows_of(integers(), 30)) {
        check_near_one(&rows);
    }

    #[test]
    fn matrices_of_real_numbers(rows in rows_of(-1.0..1.0, 60)) {
        check(&rows);
    }

    #[test]
    fn matrices_of_entries_of_very_different_size(
        rows in rows_of((integers(), 0..12).prop_map(|(d, k)| d * 0.1_f64.powi(k)), 30)
    ) {
        // Nothing to compare with: the programme's backend is not made for these.
        check_own(&rows);
    }

    #[test]
    fn sparse_matrices(rows in rows_of(prop_oneof![4 => Just(0.0), 1 => integers()], 50)) {
        check(&rows);
    }

    #[test]
    fn staircases(steps in prop::collection::vec(ends(), 1..40), above in ends(), below in ends()) {
        // The shape of stage games with the ball on the net: one constant where A bids higher,
        // another where B does.
        let entry = |i: usize, j: usize| match i.cmp(&j) {
            std::cmp::Ordering::Less => above,
            std::cmp::Ordering::Equal => steps[i],
            std::cmp::Ordering::Greater => below,
        };
        let rows: Vec<Vec<f64>> = (0..steps.len()).map(|i| (0..steps.len()).map(|j| entry(i, j)).collect()).collect();
        check(&rows);
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_single_row_or_column_leaves_one_player_no_choice(entries in prop::collection::vec(integers(), 1..=60)) {
        let smallest = entries.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = entries.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let row = [entries];
        prop_assert_eq!(check(&row).value(), smallest);
        prop_assert_eq!(check(&transposed(&row)).value(), greatest);
    }

    #[test]
    fn equal_entries_are_the_value(entry in integers(), rows in 1_usize..=60, columns in 1_usize..=60) {
        prop_assert_eq!(check(&vec![vec![entry; columns]; rows]).value(), entry);
    }

    #[test]
    fn two_by_two_games_have_a_formula([a, b, c, d] in [integers(), integers(), integers(), integers()]) {
        let equilibrium = check(&[vec![a, b], vec![c, d]]);
        let (maximin, minimax) = (a.min(b).max(c.min(d)), a.max(c).min(b.max(d)));
        if maximin >= minimax {
            prop_assert_eq!(equilibrium.value(), maximin);
        } else {
            // Integers up to 400, then quotients rounded once or twice: 1e-13 is a hundred times
            // that.
            let whole = a + d - b - c;
            prop_assert!((equilibrium.value() - (a * d - b * c) / whole).abs() < 1e-13);
            prop_assert!((equilibrium.row_strategy()[0] - (d - c) / whole).abs() < 1e-13);
            prop_assert!((equilibrium.column_strategy()[0] - (d - b) / whole).abs() < 1e-13);
        }
    }

    #[test]
    fn a_diagonal_game_is_played_in_inverse_proportion(diagonal in prop::collection::vec(1_u32..=100, 1..=40)) {
        let size = diagonal.len();
        let entry = |i: usize, j: usize| if i == j { f64::from(diagonal[i]) } else { 0.0 };
        let rows: Vec<Vec<f64>> = (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
        let equilibrium = check(&rows);
        let value = 1.0 / diagonal.iter().map(|&d| f64::from(d).recip()).sum::<f64>();
        // Forty quotients and sums of numbers up to 100.
        prop_assert!((equilibrium.value() - value).abs() < 1e-12);
        for (i, &d) in diagonal.iter().enumerate() {
            prop_assert!((equilibrium.row_strategy()[i] - value / f64::from(d)).abs() < 1e-12);
            prop_assert!((equilibrium.column_strategy()[i] - value / f64::from(d)).abs() < 1e-12);
        }
    }

    #[test]
    fn rock_paper_scissors_with_stakes(rock in 1_u32..=100, paper in 1_u32..=100, scissors in 1_u32..=100) {
        let [r, p, s] = [rock, paper, scissors].map(f64::from);
        // Scissors lose r against rock, paper loses s against scissors, rock loses p against paper:
        // each is played in proportion to the stake of the contest it is not part of.
        let equilibrium = check(&[vec![0.0, -p, r], vec![p, 0.0, -s], vec![-r, s, 0.0]]);
        let whole = r + p + s;
        prop_assert!(equilibrium.value().abs() < 1e-13);
        for (probability, stake) in equilibrium.row_strategy().iter().zip([s, r, p]) {
            prop_assert!((probability - stake / whole).abs() < 1e-13);
        }
    }

    #[test]
    fn the_players_may_be_exchanged(rows in rows_of(integers(), 25)) {
        let turned = transposed(&rows);
        let exchanged: Vec<Vec<f64>> = turned.iter().map(|row| row.iter().map(|entry| -entry).collect()).collect();
        let [value, other] = [&rows, &exchanged].map(|rows| Simplex::new().solve(&matrix(rows)).value());
        prop_assert!((value + other).abs() <= 2.0 * OWN_GAP * largest(&rows));
    }

    #[test]
    fn a_dominated_row_changes_nothing(rows in rows_of(integers(), 25), place in any::<prop::sample::Index>(), less in 0_u32..5) {
        let mut more = rows.clone();
        more.push(place.get(&rows).iter().map(|entry| entry - f64::from(less)).collect());
        let [value, other] = [&rows, &more].map(|rows| Simplex::new().solve(&matrix(rows)).value());
        prop_assert!((value - other).abs() <= 2.0 * OWN_GAP * largest(&more));
    }

    #[test]
    fn payoffs_may_be_counted_in_any_unit(rows in rows_of(integers(), 12), exponent in -120_i32..=120) {
        // A power of two scales without rounding.
        let unit = f64::from(exponent).exp2();
        let scaled: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|entry| entry * unit).collect()).collect();
        check_own(&scaled);
    }

    #[test]
    fn a_used_solver_solves_like_a_new_one(first in rows_of(integers(), 12), second in rows_of(ends(), 12)) {
        let mut used = Simplex::new();
        used.solve(&matrix(&first));
        prop_assert_eq!(used.solve(&matrix(&second)), Simplex::new().solve(&matrix(&second)));
    }
}

#[test]
fn payoffs_of_any_size_make_the_same_game() {
    for exponent in -120..=120_i32 {
        let unit = f64::from(exponent).exp2();
        let value = check_own(&[vec![3.0 * unit, -unit], vec![-2.0 * unit, unit]]).value();
        assert!((value / unit - 1.0 / 7.0).abs() < 1e-15, "{value} is not a seventh of {unit}");
    }
}

#[test]
fn small_games_of_nearly_equal_entries() {
    check_near_one(&[vec![37.0, -3.0, -64.0], vec![16.0, -4.0, -57.0], vec![67.0, -74.0, 64.0]]);
    check_near_one(&[vec![23.0, 93.0, -20.0], vec![22.0, -6.0, -14.0], vec![5.0, 0.0, 49.0]]);
}

#[test]
fn tournaments_on_a_circle_are_played_uniformly() {
    // Everything beats the half that follows it: rock, paper, scissors for any odd number of
    // things.
    for size in (1..=59_usize).step_by(2) {
        let entry = |i: usize, j: usize| match (i + size - j) % size {
            0 => 0.0,
            distance if distance <= size / 2 => 1.0,
            _ => -1.0,
        };
        let rows: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
        let equilibrium = check(&rows);
        assert!(equilibrium.value().abs() < 1e-13);
        for probability in equilibrium.row_strategy().iter().chain(equilibrium.column_strategy()) {
            // The matrix is regular on differences, with a condition below 100.
            assert!((probability - 1.0 / size as f64).abs() < 1e-13, "{size}: {probability}");
        }
    }
}

/// The game a state is, as rows.
fn stage_game(solution: &Solution, state: State) -> Vec<Vec<f64>> {
    let game = solution.stage_game(state).expect("a solved state");
    (0..game.rows())
        .map(|row| (0..game.columns()).map(|column| game.entry(row, column)).collect())
        .collect()
}

#[test]
fn every_state_of_the_fifty_point_game_has_the_value_the_programme_finds() {
    let solution = pencil_tennis::solve(50).expect("the default game");
    // Mirror images are the same game with the players exchanged.
    let states: Vec<State> =
        solution.states().filter(|state| state.a >= state.b && state.a > 0).collect();
    states.par_iter().for_each_init(Simplex::new, |simplex, &state| {
        let rows = stage_game(&solution, state);
        let value = solution.value(state).expect("a solved state");
        let solved = simplex.solve(&matrix(&rows));
        check_truth(&rows, &solved);
        assert!(
            solved.gap() <= 2.0 * OWN_GAP,
            "{state}: the simplex leaves a gap of {:e}",
            solved.gap()
        );
        // Payoffs are at most 2.
        assert!(
            (solved.value() - value).abs() <= 2.0 * OWN_GAP,
            "{state} is worth {value}, not {}",
            solved.value()
        );
        let programme = LinearProgramme::new().solve(&matrix(&rows)).expect("a solvable programme");
        assert!(
            programme.gap() <= PROGRAMME_GAP,
            "{state}: the programme leaves a gap of {:e}",
            programme.gap()
        );
        assert!(
            (programme.value() - value).abs() <= PROGRAMME_GAP,
            "{state} is worth {value}, not {}",
            programme.value()
        );
    });
}

#[test]
fn sweeps_by_every_method_find_the_same_values() {
    let oshi_zumo = Rules::oshi_zumo(3).expect("the field of the literature");
    for rules in [Rules::tennis(), Rules::footsteps(), oshi_zumo] {
        let solve_by = |method: Method| {
            let solution =
                Solver::new(&rules).points([20, 20]).method(method).solve().expect("a small game");
            assert_eq!(solution.method(), method);
            solution
        };
        let [simplex, tableau, programme] =
            [Method::Simplex, Method::Tableau, Method::Lp].map(solve_by);
        for state in simplex.states() {
            let value = |solution: &Solution| solution.value(state).expect("a solved state");
            let found = value(&simplex);
            assert!(
                (found - value(&tableau)).abs() < OWN_GAP,
                "{state} is worth {found} or {}",
                value(&tableau)
            );
            // Gaps of the programme could add up over forty turns, but are far below 1e-9 in turns
            // this small.
            assert!(
                (found - value(&programme)).abs() < PROGRAMME_GAP,
                "{state} is worth {found} or {}",
                value(&programme)
            );
        }
    }
}
