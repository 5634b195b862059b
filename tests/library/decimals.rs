//! Bounds as they are printed, read back as exact fractions by a few lines that know nothing of how they were written.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Pow, Zero};
use pencil_tennis::report::{BoundsReport, ExploitReport, SeriesReport, SolveReport, Table, TableFormat};
use pencil_tennis::{Enclosure, Player, Policy, PolicyEvaluation, Rules, Scoring, SeriesSolver, Solution, Solver, rounded_up};
use proptest::prelude::*;
use serde_json::Value;

/// A decimal number as an exact fraction: `-1.25`, `3`, `7.9e-18`.
pub(crate) fn fraction(text: &str) -> BigRational {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{decimals}").parse().unwrap_or_else(|_| panic!("{text} is no decimal number"));
    let exponent: i32 = exponent.parse::<i32>().expect("an exponent") - decimals.len() as i32;
    BigRational::from_integer(digits) * BigRational::from_integer(10.into()).pow(exponent)
}

fn double(number: f64) -> BigRational {
    BigRational::from_float(number).expect("a finite number")
}

/// The text of a number in a piece of JSON: what an exact reader sees.
fn literal<'j>(json: &'j str, name: &str) -> &'j str {
    let from = json.find(&format!("\"{name}\":")).unwrap_or_else(|| panic!("no {name} in {json}")) + name.len() + 3;
    let rest = &json[from..];
    &rest[..rest.find([',', '}']).expect("an end")]
}

fn two_pow(exponent: u32) -> BigRational {
    BigRational::from_integer(BigInt::from(1) << exponent)
}

/// Both readings of the JSON of some bounds, and both strings, contain the interval; `true` parts are narrow.
fn assert_outside(json: &str, [lower, upper]: &[BigRational; 2], what: &str) {
    assert!(lower <= upper, "{what}");
    let numbers = ["lower", "upper"].map(|name| literal(json, name));
    let [low, high] = numbers.map(fraction);
    assert!(low <= *lower && *upper <= high, "{what}: the numbers of {json} read as decimals");
    let [low, high] = numbers.map(|text| double(text.parse().expect("a number")));
    assert!(low <= *lower && *upper <= high, "{what}: the numbers of {json} read as doubles");
    let strings: Value = serde_json::from_str(json).expect("JSON");
    let decimal = &strings["decimal"];
    let [low, high] = ["lower", "upper"].map(|name| fraction(decimal[name].as_str().expect("a string")));
    assert!(low <= *lower && *upper <= high, "{what}: the strings of {json}");
    assert!(
        (high - low) * BigRational::from_integer(50.into()) <= (upper - lower) * BigRational::from_integer(51.into()),
        "{what}"
    );
    assert!(is_certain(decimal["value"].as_str().expect("a string"), lower, upper), "{what}: {json}");
}

/// Whether all numbers between two bounds round to a value of so many places; of bounds that are too far apart for that, whether
/// it is near their middle.
fn is_certain(value: &str, lower: &BigRational, upper: &BigRational) -> bool {
    let (mantissa, exponent) = value.split_once('e').unwrap_or((value, "0"));
    let places =
        mantissa.split_once('.').map_or(0, |(_, places)| places.len()) as i32 - exponent.parse::<i32>().expect("an exponent");
    let half = BigRational::from_integer(10.into()).pow(-places) / BigRational::from_integer(2.into());
    let distance = |number: &BigRational| {
        let value = fraction(value);
        if *number < value { value - number } else { number - value }
    };
    let middle = (lower + upper) / BigRational::from_integer(2.into());
    (distance(lower) <= half && distance(upper) <= half) || distance(&middle) <= upper - lower
}

fn solved(scoring: &str, points: u32, bits: usize) -> Solution {
    let scoring: Scoring = scoring.parse().expect("a scoring");
    let rules = Rules::new(2, pencil_tennis::Motion::Net, scoring).expect("a field");
    Solver::new(rules).points(points, points).exact(bits).solve().expect("a game that fits")
}

fn written(solution: &Solution, format: TableFormat) -> String {
    let mut bytes = Vec::new();
    Table::Values.write(solution, format, &mut bytes).expect("memory");
    String::from_utf8(bytes).expect("text")
}

/// Every bound that a table of all states prints, as csv and as JSON, contains the integers of the proof and the exact value
/// where it is known.
fn assert_tables(scoring: &str, points: u32, bits: usize) -> usize {
    let solution = solved(scoring, points, bits);
    let (csv, json) = (written(&solution, TableFormat::Csv), written(&solution, TableFormat::Json));
    let objects = json.lines().filter(|line| line.starts_with('{')).map(|line| line.trim_end_matches(','));
    let mut known = 0;
    let mut states = 0;
    for ((row, object), state) in csv.lines().skip(1).zip(objects).zip(solution.states()) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[..3].join(","), format!("{},{},{}", state.a, state.b, state.ball));
        let enclosure = solution.enclosure(state).expect("a state");
        let unit = two_pow(enclosure.unit_exponent());
        let bounds = enclosure.integers().map(|bound| BigRational::from_integer(bound.into()) / &unit);
        let [lower, upper] = [4, 5].map(|column| fraction(cells[column]));
        assert!(lower <= bounds[0] && bounds[1] <= upper, "{row}");
        assert_outside(object, &bounds, &state.to_string());
        if let Some(value) = solution.exact_value(state).expect("a state") {
            assert!(lower <= value && value <= upper, "{row}: {value}");
            assert_eq!(cells[6], value.to_string());
            known += 1;
        }
        states += 1;
    }
    assert_eq!(states, solution.len());
    known
}

#[test]
fn every_bound_of_tennis_is_true_as_printed() {
    // All that are decided by pure play, and more.
    assert!(assert_tables("two-one", 50, 1024) > 9_000);
}

#[test]
fn every_bound_of_winning_alone_is_true_as_printed() {
    assert!(assert_tables("win-loss", 50, 256) > 1_000);
}

#[test]
fn every_bound_of_an_uneven_scoring_is_true_as_printed() {
    assert!(assert_tables("1,1/2,1/3,0,-2", 50, 256) > 100);
}

#[test]
fn bounds_of_tiny_and_huge_payoffs_are_true_as_printed() {
    for scoring in [
        "1/1000000000000000,1/3000000000000000,0,0,-1/1000000000000000",
        "1000000000000001,1/3,0,-1/3,-1000000000000001",
        "100000000000000000,99999999999999999,1,0,-7",
    ] {
        assert!(assert_tables(scoring, 9, 4096) > 0, "{scoring}");
    }
}

#[test]
fn every_bound_of_a_judgement_is_true_as_printed() {
    let solution = solved("two-one", 20, 1);
    for policy in [Policy::uniform(solution.rules(), [20, 20]).expect("a policy"), Policy::optimal(&solution)] {
        let evaluation = PolicyEvaluation::new(&solution, &policy).expect("the same game");
        let report = ExploitReport::new("it", &solution, &evaluation).expect("a start");
        let check = |bounds: Option<&BoundsReport>, enclosure: Option<Enclosure>, what: &str| {
            let json = serde_json::to_string(bounds.expect("a policy of both")).expect("JSON");
            assert_outside(&json, &enclosure.expect("a policy of both").fractions(), what);
        };
        let exploitability = evaluation.exploitability().expect("a policy of both");
        let said = &report.guaranteed;
        check(Some(&said.value), solution.enclosure(solution.start()).ok(), "value");
        check(said.exploitability.as_ref(), Some(exploitability.mean()), "exploitability");
        check(said.nash_conv.as_ref(), Some(exploitability.nash_conv()), "NashConv");
        check(said.best_response_value.a.as_ref(), evaluation.best_response_value(Player::A), "best response of A");
        check(said.best_response_value.b.as_ref(), evaluation.best_response_value(Player::B), "best response of B");
        check(said.value_against_optimum.a.as_ref(), evaluation.value_against_optimum(Player::A), "A");
        check(said.value_against_optimum.b.as_ref(), evaluation.value_against_optimum(Player::B), "B");
    }
}

#[test]
fn every_bound_of_a_match_is_true_as_printed() {
    for points in [[12, 12], [9, 8]] {
        let series = SeriesSolver::new(Rules::tennis(), 4).points(points[0], points[1]).solve().expect("a match");
        let report = SeriesReport::new(&series).expect("all scores");
        let mut widest = BigRational::zero();
        for (said, score) in report.scores.iter().zip(series.scores()) {
            let bounds = series.enclosure(score).expect("a score").fractions();
            assert_outside(&serde_json::to_string(&said.bounds).expect("JSON"), &bounds, &score.to_string());
            widest = widest.max(&bounds[1] - &bounds[0]);
        }
        assert_not_below(report.widest_enclosure, &widest);
    }
}

/// A width as a double, as its decimal, and in two digits.
fn assert_not_below(width: f64, exact: &BigRational) {
    assert!(
        double(width) >= *exact && fraction(&width.to_string()) >= *exact && fraction(&format!("{width:e}")) >= *exact,
        "{width}"
    );
    let (rounded, percent) = (fraction(&rounded_up(width)), BigRational::new(11.into(), 10.into()));
    assert!(rounded >= double(width) && rounded <= double(width) * percent, "{width} and {}", rounded_up(width));
}

#[test]
fn widths_are_rounded_up() {
    for (scoring, points) in [("two-one", 50), ("win-loss", 30), ("1,1/2,1/3,0,-2", 20)] {
        let solution = solved(scoring, points, 1);
        let widths = solution.states().map(|state| {
            let [lower, upper] = solution.enclosure(state).expect("a state").fractions();
            upper - lower
        });
        assert_not_below(SolveReport::new(&solution).expect("a start").widest_enclosure, &widths.max().expect("a state"));
    }
    for (width, text) in [(0.0, "0"), (1.0, "1"), (0.99, "0.99"), (0.995, "1"), (1e-300, "1.1e-300"), (5e-324, "5e-324")] {
        assert_eq!(rounded_up(width), text);
    }
    assert_eq!(
        (rounded_up(2.0_f64.powi(-60)), rounded_up(123.4), rounded_up(1e15 + 1.0)),
        ("8.7e-19".into(), "124".into(), "1000000000000001".into())
    );
}

/// A bound just below 2^−25 = 2.98023223876953125e-8. Of the two decimals that are nearest to this double some printers take
/// 2.9802322387695313e-8, others 2.9802322387695312e-8, which is below the bound.
#[test]
fn a_bound_is_true_whichever_shortest_decimal_is_taken() {
    let upper = Enclosure::from_integers(0, i64::MAX - 153, 88).upper();
    assert_eq!(upper, 2.0_f64.powi(-25).next_up());
}

/// The figures that documents quote are those that are printed: widths rounded up.
#[test]
fn documents_quote_the_widths_that_are_printed() {
    let widest = |points| rounded_up(pencil_tennis::solve(points).expect("a game that fits").widest_enclosure());
    let [fifty, hundred] = [50, 100].map(widest);
    for (document, quotes) in [
        (include_str!("../../README.md"), vec![format!("interval of any value: {fifty}\n"), format!("the widest is {fifty}.")]),
        (include_str!("../../docs/performance.md"), vec![format!("interval is {fifty} at 50 points, {hundred} at 100,")]),
        (include_str!("../../docs/theory.md"), vec![format!("| 50 | {fifty} |"), format!("| 100 | {hundred} |")]),
        (include_str!("../../docs/architecture.md"), vec![format!("from 2.7e-15 to {fifty}.")]),
    ] {
        for quote in quotes {
            assert!(document.contains(&quote), "no document says `{quote}`");
        }
    }
    // One wording for one time.
    let documents =
        [include_str!("../../README.md"), include_str!("../../docs/findings.md"), include_str!("../../docs/learning.md")];
    for document in documents {
        let text = document.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("a thirtieth of a second"), "the time that solving 50 points takes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Of any interval, of any size.
    #[test]
    fn any_interval_is_inside_what_is_printed(
        lower in prop_oneof![any::<i64>(), -1_000_i64..1_000, Just(1_000_000_000_000_001), Just(-1), Just(i64::MIN), Just(i64::MAX)],
        width in prop_oneof![Just(0_u64), 1_u64..200, any::<u64>()],
        exponent in prop_oneof![Just(60_u32), 0_u32..127, 880_u32..1_120, 1_700_u32..2_100],
    ) {
        let upper = (i128::from(lower) + i128::from(width)).min(i64::MAX.into()) as i64;
        let enclosure = Enclosure::from_integers(lower, upper, exponent);
        let exact = [lower, upper].map(|bound| BigRational::from_integer(bound.into()) / two_pow(exponent));
        prop_assert_eq!(&enclosure.fractions(), &exact);
        let decimal = enclosure.decimal();
        let [low, high] = [&decimal.lower, &decimal.upper].map(|text| fraction(text));
        prop_assert!(low <= exact[0] && exact[1] <= high, "{:?}", decimal);
        // Narrow: not wider by more than a fiftieth, and the bound itself where there is no width.
        let (wide, narrow) = (&high - &low, &exact[1] - &exact[0]);
        prop_assert!(wide * BigRational::from_integer(50.into()) <= &narrow * BigRational::from_integer(51.into()), "{:?}", decimal);
        for (text, bound) in [(&decimal.lower, &exact[0]), (&decimal.upper, &exact[1])] {
            let mantissa = text.split('e').next().unwrap();
            prop_assert!(!(mantissa.ends_with('0') && mantissa.contains('.')), "superfluous zeros in {}", text);
            // 18 significant digits at least.
            let (moved, size) = (fraction(text) - bound, BigRational::new(1.into(), BigInt::from(10).pow(17_u32)) * bound);
            prop_assert!(moved.pow(2) <= size.pow(2), "{} for {}", text, bound);
        }
        for (printed, bound, direction) in [(enclosure.lower(), &exact[0], 1), (enclosure.upper(), &exact[1], -1)] {
            let outside = |number: BigRational| if direction == 1 { number <= *bound } else { number >= *bound };
            let scientific = format!("{printed:e}");
            prop_assert!(outside(double(printed)) && outside(fraction(&printed.to_string())) && outside(fraction(&scientific)));
            prop_assert!(outside(fraction(&serde_json::to_string(&printed).unwrap())), "{}", printed);
            // At most a step away from the nearest double.
            let inward = if direction == 1 { printed.next_up().next_up() } else { printed.next_down().next_down() };
            prop_assert!(!outside(double(inward)), "{} is needlessly far from {}", printed, bound);
        }
        let [below, above] = enclosure.nearest_outward();
        prop_assert!(double(below) <= exact[0] && double(below.next_up()) > exact[0], "{}", below);
        prop_assert!(double(above) >= exact[1] && double(above.next_down()) < exact[1], "{}", above);
        let scientific = format!("{:e}", enclosure.width());
        prop_assert!(double(enclosure.width()) >= narrow && fraction(&scientific) >= narrow);
        prop_assert!(fraction(&rounded_up(enclosure.width())) >= narrow);
        prop_assert!(is_certain(&decimal.value, &exact[0], &exact[1]), "{:?}", decimal);
    }
}
