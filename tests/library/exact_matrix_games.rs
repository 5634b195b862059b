//! Matrix games of fractions, solved exactly: what a strategy secures is worked out here, from the
//! definition.

use num_rational::BigRational;
use pencil_tennis::matrix_game::{
    ExactSolution, Matrix, MatrixError, Payoffs, Simplex, Uniqueness,
};
use pencil_tennis::unwatched;
use proptest::prelude::*;

fn fraction(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// The least that the row strategy and the most that the column strategy lets the row player have.
fn security_levels(game: &[Vec<BigRational>], solution: &ExactSolution) -> [BigRational; 2] {
    let (row, column): (Vec<_>, Vec<_>) =
        (solution.row_strategy().collect(), solution.column_strategy().collect());
    let against =
        |j: usize| game.iter().zip(&row).map(|(line, p)| &line[j] * *p).sum::<BigRational>();
    let gains = |line: &Vec<BigRational>| {
        line.iter().zip(&column).map(|(payoff, q)| payoff * *q).sum::<BigRational>()
    };
    [(0..column.len()).map(against).min().unwrap(), game.iter().map(gains).max().unwrap()]
}

fn check(game: &[Vec<BigRational>]) -> ExactSolution {
    let solution = ExactSolution::new(game, &mut unwatched).unwrap();
    let one = fraction(1, 1);
    assert_eq!(solution.row_strategy().sum::<BigRational>(), one);
    assert_eq!(solution.column_strategy().sum::<BigRational>(), one);
    let zero = fraction(0, 1);
    assert!(
        solution
            .row_strategy()
            .chain(solution.column_strategy())
            .all(|probability| *probability >= zero)
    );
    assert_eq!(
        security_levels(game, &solution),
        [solution.value().clone(), solution.value().clone()]
    );
    solution
}

/// [[k, −1], [−1, 1]] has the value (k − 1)/(k + 3), for payoffs of any size.
#[test]
fn payoffs_may_be_of_any_size() {
    for exponent in [0_u32, 30, 61, 62, 63, 64, 200, 1_000, 3_000] {
        let k = BigRational::from_integer(num_bigint::BigInt::from(3) << exponent);
        let game = [[k.clone(), fraction(-1, 1)], [fraction(-1, 1), fraction(1, 1)]].map(Vec::from);
        let solution = check(&game);
        assert_eq!(*solution.value(), (&k - fraction(1, 1)) / (&k + fraction(3, 1)));
        let scaled =
            game.clone().map(|line| line.into_iter().map(|payoff| payoff * &k).collect::<Vec<_>>());
        assert_eq!(*check(&scaled).value(), solution.value() * &k);
        assert_eq!(
            solution.uniqueness(&mut unwatched).expect("nobody cancels"),
            [Uniqueness::Unique; 2]
        );
    }
}

#[test]
fn uniqueness_is_decided() {
    use Uniqueness::{Several, Unique};

    let game = |rows: &[&[i64]]| {
        rows.iter()
            .map(|row| row.iter().map(|&payoff| fraction(payoff, 1)).collect())
            .collect::<Vec<_>>()
    };
    for (rows, known) in [
        (game(&[&[0, 1, -1], &[-1, 0, 1], &[1, -1, 0]]), [Unique, Unique]),
        (game(&[&[0, 0], &[0, 0]]), [Several, Several]),
        (game(&[&[1, 2]]), [Unique, Unique]),
        (game(&[&[1, 1]]), [Unique, Several]),
        (game(&[&[2, 0], &[0, 2], &[1, 1]]), [Several, Unique]),
        // The article's example: A may mix 2 and 3, or 1 and 3, or all three.
        (game(&[&[1, -2, -2], &[1, 1, -2], &[-1, 1, 1], &[-1, -1, 1]]), [Several, Unique]),
    ] {
        assert_eq!(
            check(&rows).uniqueness(&mut unwatched).expect("nobody cancels"),
            known,
            "{rows:?}"
        );
    }
}

#[test]
fn what_is_no_matrix_is_refused() {
    assert_eq!(
        ExactSolution::new::<Vec<BigRational>>(&[], &mut unwatched).unwrap_err(),
        MatrixError::Shape.into()
    );
    assert_eq!(
        ExactSolution::new(&[vec![], vec![]], &mut unwatched).unwrap_err(),
        MatrixError::Shape.into()
    );
    assert_eq!(
        ExactSolution::new(&[vec![fraction(1, 2)], vec![]], &mut unwatched).unwrap_err(),
        MatrixError::Shape.into()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Few different payoffs make many ties; large ones make none.
    #[test]
    fn strategies_secure_the_value(
        rows in 1_usize..8,
        columns in 1_usize..8,
        payoffs in prop::collection::vec((prop_oneof![-2_i64..3, i64::MIN..i64::MAX], 1_i64..5), 49),
    ) {
        let mut payoffs = payoffs.into_iter().map(|(numerator, denominator)| fraction(numerator, denominator));
        let game: Vec<Vec<BigRational>> = (0..rows).map(|_| payoffs.by_ref().take(columns).collect()).collect();
        check(&game);
    }

    /// Bounds from floating point contain the exact value, however different the payoffs' sizes,
    /// and are near to each other.
    #[test]
    fn proved_bounds_contain_the_exact_value(
        rows in 1_usize..7,
        columns in 1_usize..7,
        payoffs in prop::collection::vec(prop_oneof![-1e3_f64..1e3, -1e-9_f64..1e-9, (-3_i32..4).prop_map(f64::from)], 36),
    ) {
        let lines: Vec<Vec<f64>> = payoffs.chunks(columns).take(rows).map(<[f64]>::to_vec).collect();
        prop_assume!(lines.len() == rows && lines.iter().all(|line| line.len() == columns));
        let game = Matrix::from_rows(&lines).unwrap();
        let equilibrium = Simplex::new().solve(&game);
        let [lower, upper] = equilibrium.proved_bounds(&game).expect("its own game");
        let exact: Vec<Vec<BigRational>> =
            lines.iter().map(|line| line.iter().map(|&payoff| BigRational::from_float(payoff).unwrap()).collect()).collect();
        let value = check(&exact).value().clone();
        prop_assert!(lower <= value && value <= upper);
        // 1e-12 of the largest payoff is what the simplex promises.
        let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let largest = places.map(|(i, j)| game.entry(i, j).abs()).fold(0.0, f64::max);
        prop_assert!(upper - lower <= BigRational::from_float(2e-12 * largest).unwrap());
    }
}
