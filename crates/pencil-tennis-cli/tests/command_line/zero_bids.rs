//! Games with a smallest bid of 0 leave the program as others do: as tables, and as certificates.

use std::path::Path;
use std::process::Command;

use pencil_tennis::num_bigint::BigInt;

use crate::program::{folder, stdout};

/// One step at a time on field 1, where any win counts one and bids of nothing are possible:
/// `5:4@0` is worth √(3/5).
const RULES: [&str; 8] =
    ["--field", "1", "--motion", "step", "--scoring", "win-loss", "--min-bid", "0"];

/// The rows of a table that begin so.
fn rows(folder: &Path, args: &[&str], begin: &str) -> Vec<Vec<String>> {
    stdout(folder, &[&["export"], args, &["5:4", "-o", "-"], &RULES[..]].concat())
        .lines()
        .filter(|line| line.starts_with(begin))
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

#[test]
fn exported_values_and_strategies_are_those_of_the_equation() {
    let folder = folder();
    let number = |text: &String| text.parse::<f64>().expect("a number");
    let root = 0.6_f64.sqrt();
    let [value] = &rows(folder.path(), &["values"], "5,4,0,")[..] else { panic!("one row") };
    let [value, lower, upper] = [3, 4, 5].map(|column| number(&value[column]));
    assert!(
        (value - root).abs() < 1e-15 && lower <= root && root <= upper,
        "{lower} <= {value} <= {upper}"
    );
    let strategies = rows(folder.path(), &["strategies"], "5,4,0,");
    for player in ["A", "B"] {
        let strategy: Vec<[f64; 2]> = strategies
            .iter()
            .filter(|row| row[3] == player)
            .map(|row| [4, 5].map(|column| number(&row[column])))
            .collect();
        let sum: f64 = strategy.iter().map(|[_, probability]| probability).sum();
        assert!((sum - 1.0).abs() < 1e-15, "{player}: {strategy:?}");
        let bids: Vec<f64> = strategy.iter().map(|[bid, _]| *bid).collect();
        assert_eq!(bids, [0.0, 1.0, 2.0], "{player}");
    }
    // A waits 1 − v, so that what follows a standstill and what is left when B bids are worth the
    // same.
    let waits = number(&strategies[0][5]);
    assert!((waits - (1.0 - root)).abs() < 1e-15, "{waits}");
}

#[test]
fn the_checker_in_python_proves_the_root() {
    let folder = folder();
    stdout(folder.path(), &[&["prove", "5:4", "-o", "zero.proof"], &RULES[..]].concat());
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_certificate.py");
    let Ok(output) =
        Command::new("python3").arg(checker).arg(folder.path().join("zero.proof")).output()
    else {
        // On the machines that check every change Python is there.
        println!("there is no python3: the checker was not tested");
        return;
    };
    let printed = String::from_utf8(output.stdout).expect("text");
    let bounds =
        printed.lines().find_map(|line| line.strip_prefix("start: ")).expect("bounds of the start");
    let (lower, upper) = bounds.split_once(" <= value <= ").expect("two bounds");
    // √(3/5) lies between p/q and r/s where 5p² ≤ 3q² and 3s² ≤ 5r².
    let times_squares = |fraction: &str| {
        let (numerator, denominator) = fraction.split_once('/').expect("a fraction");
        let [p, q] =
            [numerator, denominator].map(|text| text.parse::<BigInt>().expect("an integer"));
        [BigInt::from(5) * &p * &p, BigInt::from(3) * &q * &q]
    };
    let ([p, q], [r, s]) = (times_squares(lower), times_squares(upper));
    assert!(output.status.success() && p <= q && s <= r, "{bounds}");
}
