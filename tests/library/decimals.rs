//! Bounds as they are printed, read back as exact fractions by a few lines that know nothing of how
//! they were written.

use num_rational::BigRational;
use num_traits::Zero;
use pencil_tennis::analysis::PolicyEvaluation;
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::report::{ExploitReport, SolveReport, Table, TableFormat};
use pencil_tennis::{
    Bounds, Enclosure, Player, Policy, Rules, Scoring, Solution, Solver, unwatched,
};
use serde_json::Value;

pub(crate) use super::decimal_text::fraction;
use super::decimal_text::{double, is_certain, two_pow};

/// The text of a number in a piece of JSON: what an exact reader sees.
fn literal<'j>(json: &'j str, name: &str) -> &'j str {
    let from = json.find(&format!("\"{name}\":")).unwrap_or_else(|| panic!("no {name} in {json}"))
        + name.len()
        + 3;
    let rest = &json[from..];
    &rest[..rest.find([',', '}']).expect("an end")]
}

/// The text of an object in a piece of JSON, whose strings have no braces.
fn part<'j>(json: &'j str, name: &str) -> &'j str {
    let name = format!("\"{name}\":{{");
    let object =
        &json[json.find(&name).unwrap_or_else(|| panic!("no {name} in {json}")) + name.len() - 1..];
    let mut depth = 0;
    let end = object.find(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        depth == 0
    });
    &object[..=end.expect("an end")]
}

/// Both readings of the JSON of some bounds, and both strings, contain the interval; `true` parts
/// are narrow.
fn assert_outside(json: &str, [lower, upper]: &[BigRational; 2], what: &str) {
    assert!(lower <= upper, "{what}");
    let numbers = ["lower", "upper"].map(|name| literal(json, name));
    let [low, high] = numbers.map(fraction);
    assert!(low <= *lower && *upper <= high, "{what}: the numbers of {json} read as decimals");
    let [low, high] = numbers.map(|text| double(text.parse().expect("a number")));
    assert!(low <= *lower && *upper <= high, "{what}: the numbers of {json} read as doubles");
    let strings: Value = serde_json::from_str(json).expect("JSON");
    let decimal = &strings["decimal"];
    let [low, high] =
        ["lower", "upper"].map(|name| fraction(decimal[name].as_str().expect("a string")));
    assert!(low <= *lower && *upper <= high, "{what}: the strings of {json}");
    assert!(
        (high - low) * BigRational::from_integer(50.into())
            <= (upper - lower) * BigRational::from_integer(51.into()),
        "{what}"
    );
    assert!(is_certain(decimal["value"].as_str(), lower, upper), "{what}: {json}");
}

fn solved(scoring: &str, points: u32, bits: usize) -> Solution {
    let scoring: Scoring = scoring.parse().expect("a scoring");
    let rules = Rules::new(2, pencil_tennis::Motion::Net, scoring).expect("a field");
    Solver::new(&rules).points([points, points]).exact(bits).solve().expect("a game that fits")
}

fn written(solution: &Solution, format: TableFormat) -> String {
    let mut bytes = Vec::new();
    Table::Values.write(solution, format, &mut bytes).expect("memory");
    String::from_utf8(bytes).expect("text")
}

/// Every bound that a table of all states prints, as csv and as JSON, contains the integers of the
/// proof and the exact value where it is known.
fn assert_tables(scoring: &str, points: u32, bits: usize) -> usize {
    let solution = solved(scoring, points, bits);
    let (csv, json) = (written(&solution, TableFormat::Csv), written(&solution, TableFormat::Json));
    let objects =
        json.lines().filter(|line| line.starts_with('{')).map(|line| line.trim_end_matches(','));
    let mut known = 0;
    let mut states = 0;
    for ((row, object), state) in csv.lines().skip(1).zip(objects).zip(solution.states()) {
        let cells: Vec<&str> = row.split(',').collect();
        assert_eq!(cells[..3].join(","), format!("{},{},{}", state.a, state.b, state.ball));
        let enclosure = solution.enclosure(state).expect("a state");
        let unit = two_pow(enclosure.unit_exponent());
        let Bounds { lower, upper } = enclosure.integers();
        let bounds = [lower, upper].map(|bound| BigRational::from_integer(bound.into()) / &unit);
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
    assert_eq!(states, solution.states().len());
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
    for policy in [
        Policy::uniform(solution.rules(), [20, 20]).expect("a policy"),
        Policy::optimal(&solution, &mut unwatched).expect("nobody cancels"),
    ] {
        let evaluation =
            PolicyEvaluation::new(&solution, &policy, &mut unwatched).expect("the same game");
        let report = ExploitReport { policy: "it", solution: &solution, evaluation: &evaluation };
        let json = serde_json::to_string(&report).expect("JSON");
        let check = |path: &[&str], enclosure: Option<Enclosure>| {
            let bounds = path.iter().fold(part(&json, "guaranteed"), |json, name| part(json, name));
            assert_outside(
                bounds,
                &enclosure.expect("a policy of both").fractions(),
                &path.join("."),
            );
        };
        let exploitability = evaluation.exploitability().expect("a policy of both");
        check(&["value"], solution.enclosure(solution.start()).ok());
        check(&["exploitability"], Some(exploitability.mean()));
        check(&["nash_conv"], Some(exploitability.nash_conv()));
        check(&["best_response_value", "a"], evaluation.best_response_value(Player::A));
        check(&["best_response_value", "b"], evaluation.best_response_value(Player::B));
        check(&["value_against_optimum", "a"], evaluation.value_against_optimum(Player::A));
        check(&["value_against_optimum", "b"], evaluation.value_against_optimum(Player::B));
    }
}

#[test]
fn every_bound_of_a_match_is_true_as_printed() {
    for points in [[12, 12], [9, 8]] {
        let series = Solver::new(&Rules::tennis()).points(points).series(4).expect("a match");
        let mut widest = BigRational::zero();
        for solved in series.scores() {
            let bounds = solved.chance.fractions();
            assert_outside(
                &serde_json::to_string(&solved).expect("JSON"),
                &bounds,
                &solved.score.to_string(),
            );
            widest = widest.max(&bounds[1] - &bounds[0]);
        }
        let json = serde_json::to_string(&series).expect("JSON");
        assert_not_below(literal(&json, "widest_enclosure").parse().expect("a number"), &widest);
    }
}

/// A width as a double, as its decimal, and in two digits.
fn assert_not_below(width: f64, exact: &BigRational) {
    assert!(
        double(width) >= *exact
            && fraction(&width.to_string()) >= *exact
            && fraction(&format!("{width:e}")) >= *exact,
        "{width}"
    );
    let (rounded, percent) = (fraction(&rounded_up(width)), BigRational::new(11.into(), 10.into()));
    assert!(
        rounded >= double(width) && rounded <= double(width) * percent,
        "{width} and {}",
        rounded_up(width)
    );
}

#[test]
fn widths_are_rounded_up() {
    for (scoring, points) in [("two-one", 50), ("win-loss", 30), ("1,1/2,1/3,0,-2", 20)] {
        let solution = solved(scoring, points, 1);
        let widths = solution.states().map(|state| {
            let [lower, upper] = solution.enclosure(state).expect("a state").fractions();
            upper - lower
        });
        let json =
            serde_json::to_string(&SolveReport::new(&solution).expect("a start")).expect("JSON");
        assert_not_below(
            literal(&json, "widest_enclosure").parse().expect("a number"),
            &widths.max().expect("a state"),
        );
    }
    for (width, text) in [
        (0.0, "0"),
        (1.0, "1"),
        (0.99, "0.99"),
        (0.995, "1"),
        (1e-300, "1.1e-300"),
        (5e-324, "5e-324"),
    ] {
        assert_eq!(rounded_up(width), text);
    }
    assert_eq!(
        (rounded_up(2.0_f64.powi(-60)), rounded_up(123.4), rounded_up(1e15 + 1.0)),
        ("8.7e-19".into(), "124".into(), "1000000000000001".into())
    );
}

/// The figures that documents quote are those that are printed: widths rounded up.
#[test]
fn documents_quote_the_widths_that_are_printed() {
    let widest = |points| {
        rounded_up(pencil_tennis::solve(points).expect("a game that fits").widest_enclosure())
    };
    let [fifty, hundred] = [50, 100].map(widest);
    for (document, quotes) in [
        (
            include_str!("../../README.md"),
            vec![format!("interval of any value: {fifty}\n"), format!("the widest is {fifty}.")],
        ),
        (
            include_str!("../../docs/performance.md"),
            vec![format!("interval is {fifty} at 50 points, {hundred} at 100,")],
        ),
        (
            include_str!("../../docs/theory-tennis.md"),
            vec![format!("| 50 | {fifty} |"), format!("| 100 | {hundred} |")],
        ),
        (include_str!("../../docs/architecture.md"), vec![format!("at 50 points to {fifty}.")]),
    ] {
        for quote in quotes {
            assert!(document.contains(&quote), "no document says `{quote}`");
        }
    }
    // One wording for one time.
    for document in [include_str!("../../README.md"), include_str!("../../docs/findings.md")] {
        let text = document.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("a thirtieth of a second"), "the time that solving 50 points takes");
    }
}

#[test]
fn more_decimals_than_a_format_is_wide() {
    // Exactly -1/5: without exact values the proof of so many decimals would take long.
    let solution = Solver::new(&Rules::tennis()).points([4, 4]).exact(64).solve().unwrap();
    let state = "4:3@-2".parse().unwrap();
    let digits = solution.digits(state, 70_000, &mut unwatched).unwrap();
    assert_eq!(digits.value, Some(format!("-0.2{}", "0".repeat(69_999))));
    let refused = solution.digits(state, Solution::MOST_DIGITS + 1, &mut unwatched).unwrap_err();
    assert_eq!(refused.to_string(), "100001 decimals are too many; at most 100000 are computed");
}
