//! Bounds and widths in what the program prints, read back as exact fractions.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Pow;
use serde_json::Value;

use crate::program::{array, folder, json, stdout};

/// A decimal number as an exact fraction: `-1.25`, `3`, `7.9e-18`.
fn fraction(text: &str) -> BigRational {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: BigInt = format!("{whole}{decimals}")
        .parse()
        .unwrap_or_else(|_| panic!("{text} is no decimal number"));
    let exponent: i32 = exponent.parse::<i32>().expect("an exponent") - decimals.len() as i32;
    BigRational::from_integer(digits) * BigRational::from_integer(10.into()).pow(exponent)
}

/// The bounds that `verify --bounds` proves, by the first three columns.
fn proved(folder: &Path, points: &str) -> HashMap<String, [BigRational; 2]> {
    stdout(folder, &["prove", points, "-o", "proof"]);
    stdout(folder, &["verify", "proof", "--bounds", "bounds.csv"]);
    let table = fs::read_to_string(folder.join("bounds.csv")).expect("it was written");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let unit =
            BigRational::from_integer(2.into()).pow(-cells[5].parse::<i32>().expect("an exponent"));
        let bound =
            |text: &str| BigRational::from_integer(text.parse().expect("an integer")) * &unit;
        (cells[..3].join(","), [bound(cells[3]), bound(cells[4])])
    };
    table.lines().skip(1).map(row).collect()
}

/// The two numbers of a printed line `LOWER ≤ … ≤ UPPER`.
fn printed(text: &str) -> [&str; 2] {
    let line = text
        .lines()
        .find(|line| line.contains('≤'))
        .unwrap_or_else(|| panic!("no bounds in {text}"));
    let (lower, upper) = (line.split('≤').next(), line.split('≤').next_back());
    [lower, upper].map(|part| {
        part.and_then(|part| part.split_whitespace().rfind(|word| word.parse::<f64>().is_ok()))
            .expect("a number")
    })
}

fn strings(decimal: &Value) -> [&str; 2] {
    ["lower", "upper"].map(|name| decimal[name].as_str().expect("a string"))
}

#[test]
fn the_exported_table_contains_what_verify_proves() {
    let folder = folder();
    let bounds = proved(folder.path(), "50");
    let table = stdout(folder.path(), &["export", "values", "50"]);
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [lower, upper] = &bounds[&cells[..3].join(",")];
        let [value, low, high] = [3, 4, 5].map(|column| fraction(cells[column]));
        assert!(low <= *lower && *upper <= high && low <= value && value <= high, "{line}");
    }
    assert_eq!(table.lines().count(), 13_006);
    let rows = json(folder.path(), &["export", "values", "12"]);
    for row in array(&rows) {
        let [value, low, high] =
            ["value", "lower", "upper"].map(|name| fraction(&row[name].to_string()));
        assert!(low <= value && value <= high, "{row}");
    }
}

/// Worth 1/3 to A, which is no binary fraction.
#[test]
fn values_of_other_games_lie_within_their_bounds() {
    let folder = folder();
    let cell = |payoff: &str| format!(r#"{{"to":[["1","over"]],"reward":"{payoff}"}}"#);
    let cells = [["1", "0"], ["0", "1/2"]].map(|row| format!("[{}]", row.map(cell).join(",")));
    let rows = format!(
        r#"{{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}}
{{"id":"s","a":["x","y"],"b":["x","y"],"cells":[{}]}}
{{"id":"over","value":"0"}}
"#,
        cells.join(",")
    );
    fs::write(folder.path().join("g.jsonl"), rows).expect("written");
    stdout(folder.path(), &["export", "values", "g.jsonl", "-o", "v.csv"]);
    let table = fs::read_to_string(folder.path().join("v.csv")).expect("it was written");
    let cells: Vec<&str> = table.lines().nth(1).expect("a state").split(',').collect();
    let [value, low, high] = [1, 2, 3].map(|column| fraction(cells[column]));
    assert!(low <= value && value <= high && low < high, "{table}");
}

#[test]
fn show_prints_bounds_that_are_true() {
    let folder = folder();
    let bounds = proved(folder.path(), "12");
    for state in ["7:9@0", "12:12@-1", "4:3@-2", "12:11@1", "0:3@1", "9:9@0"] {
        let [a, b, ball] = state.split([':', '@']).collect::<Vec<_>>()[..] else {
            panic!("{state}")
        };
        let [lower, upper] = &bounds[&format!("{a},{b},{ball}")];
        let [low, high] = printed(&stdout(folder.path(), &["show", state])).map(fraction);
        assert!(low <= *lower && *upper <= high, "{state}");
        for args in [&["show", state, "--digits", "5"], &["show", state, "--digits", "60"]] {
            let report = json(folder.path(), &[&args[..], &["--exact"]].concat());
            let exact: BigRational =
                report["exact"].as_str().expect("a small game").parse().expect("a fraction");
            for decimal in [&report["digits"], &report["decimal"]] {
                let [low, high] = strings(decimal).map(fraction);
                assert!(low <= exact && exact <= high, "{report}");
            }
        }
    }
    let text = stdout(folder.path(), &["show", "7:9@0", "--exact"]);
    let [low, high] = printed(&text).map(fraction);
    let value = BigRational::new((-51).into(), 46.into());
    assert!(text.contains("exactly -51/46") && low <= value && value <= high, "{text}");
}

/// Text and JSON print the same strings, of which the library's tests show that they are true.
#[test]
fn text_prints_the_strings_of_the_reports() {
    let folder = folder();
    let folder = folder.path();
    stdout(folder, &["prove", "9:7", "--scoring", "3,1,1/3,-1,-2", "-o", "proof"]);
    for (args, path) in [
        (&["show", "12:11@1"][..], "/decimal"),
        (&["tennis", "series", "--to", "3", "--points", "9", "--score", "2-1"], "/decimal"),
        (&["exploit", "uniform", "--points", "9"], "/guaranteed/exploitability/decimal"),
        (&["exploit", "optimal", "--points", "9"], "/guaranteed/exploitability/decimal"),
        (&["verify", "proof"], "/start/decimal"),
    ] {
        let (text, report) = (stdout(folder, args), json(folder, args));
        let decimal = report.pointer(path).unwrap_or_else(|| panic!("no {path} in {report}"));
        assert_eq!(printed(&text), strings(decimal), "{args:?}");
    }
}

#[test]
fn printed_widths_are_not_below_the_widest() {
    let folder = folder();
    let folder = folder.path();
    let bounds = proved(folder, "30");
    let widest = bounds.values().map(|[lower, upper]| upper - lower).max().expect("states");
    let after = |text: &str, words: &str| {
        let rest = &text
            [text.find(words).unwrap_or_else(|| panic!("no {words} in {text}")) + words.len()..];
        fraction(rest.split_whitespace().next().expect("a number"))
    };
    for (args, words) in [
        (&["solve", "30"][..], "any value:"),
        (&["prove", "30", "-o", "proof"], "to within"),
        (&["verify", "proof"], "to within"),
    ] {
        let width = after(&stdout(folder, args), words);
        assert!(
            width >= widest && width <= &widest * BigRational::new(11.into(), 10.into()),
            "{args:?}: {width}"
        );
    }
    let (solved, verified) = (
        stdout(folder, &["solve", "30", "--outcomes", "--format", "json"]),
        stdout(folder, &["verify", "proof", "--format", "json"]),
    );
    let name = "\"widest_enclosure\":";
    for text in [solved, verified] {
        let number = text[text.find(name).expect("a width") + name.len()..]
            .split([',', '}'])
            .next()
            .expect("a number")
            .to_owned();
        assert!(fraction(&number) >= widest, "{number}");
    }
}

/// The printed chances of a match at every score are those of its report, and both bounds are
/// chances.
#[test]
fn a_match_prints_chances() {
    let report = json(folder().path(), &["tennis", "series", "--to", "2", "--points", "8:7"]);
    for score in array(&report["scores"]) {
        let [low, high] = strings(&score["decimal"]).map(fraction);
        assert!(low <= high && low >= fraction("0") && high <= fraction("1"), "{score}");
    }
}
