//! `solve`, `show`, `export`, `prove`, `verify`, `completions`, and how the program behaves in
//! general.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{
    array, assert_refused, content, folder, json, keys, number, parse, program, run, stdout, text,
};

/// The five balls of the default field.
const BALLS: usize = 5;

/// A certificate of a small game, by this name.
fn prove(folder: &Path, name: &str) {
    stdout(folder, &["prove", "6", "-o", name]);
}

/// Beside a certificate on standard output, the text goes to standard error.
#[test]
fn a_certificate_of_a_limit_is_alone_on_standard_output() {
    let folder = folder();
    let output = run(folder.path(), &["tennis", "limit", "5", "--upper", "-"]);
    fs::write(folder.path().join("u"), &output.stdout).unwrap();
    assert!(text(&output.stderr).contains("5:5"), "{}", text(&output.stderr));
    stdout(folder.path(), &["verify", "u"]);
}

mod json_contract {
    use super::*;

    const STATE: &str =
        "a b decimal deterministic exact irrational lower matrix proved state unique upper value";

    /// `show` also says what every bid is worth.
    const SHOWN: &str = "a b bids decimal deterministic exact irrational lower matrix proved state unique upper value";

    #[test]
    fn solve_reports_the_whole_game() {
        let report = json(folder().path(), &["solve", "8:5"]);
        assert_eq!(
            keys(&report),
            "method points randomised_states seconds start states widest_enclosure"
        );
        assert_eq!(report["points"], serde_json::json!([8, 5]));
        assert_eq!(report["states"], 9 * 6 * BALLS);
        assert_eq!(report["method"], "simplex");
        assert!(report["randomised_states"].is_u64());
        assert!((0.0..1e-15).contains(&number(&report["widest_enclosure"])));
        assert_eq!(keys(&report["start"]), STATE);
        assert_eq!(report["start"]["state"], "8:5@0");
    }

    #[test]
    fn seconds_add_up() {
        let report = json(folder().path(), &["solve", "20"]);
        let seconds = &report["seconds"];
        assert_eq!(keys(seconds), "certify solve total");
        let sum = number(&seconds["solve"]) + number(&seconds["certify"]);
        assert!((sum - number(&seconds["total"])).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn solve_without_points_is_the_game_of_fifty() {
        assert_eq!(json(folder().path(), &["solve"])["points"], serde_json::json!([50, 50]));
    }

    #[test]
    fn show_reports_a_state() {
        let report = json(folder().path(), &["show", "4:3@-2"]);
        assert_eq!(keys(&report), SHOWN);
        assert_eq!(report["state"], "4:3@-2");
        assert_eq!(number(&report["value"]), -0.2);
        assert!(number(&report["lower"]) <= -0.2 && -0.2 <= number(&report["upper"]), "{report}");
        assert_eq!(report["deterministic"], false);
    }

    #[test]
    fn show_has_the_stage_matrix_by_rows_of_a() {
        let report = json(folder().path(), &["show", "4:3@-2"]);
        let article = serde_json::json!([
            [1.0, -2.0, -2.0],
            [1.0, 1.0, -2.0],
            [-1.0, 1.0, 1.0],
            [-1.0, -1.0, 1.0]
        ]);
        assert_eq!(report["matrix"], article);
    }

    #[test]
    fn show_lists_the_bids_that_are_made() {
        let report = json(folder().path(), &["show", "4:3@-2"]);
        for (player, expected) in [("a", [(2, 0.4), (3, 0.6)]), ("b", [(1, 0.6), (3, 0.4)])] {
            assert_eq!(array(&report[player]).len(), expected.len(), "{report}");
            for (bid, (points, probability)) in array(&report[player]).iter().zip(expected) {
                assert_eq!(keys(bid), "bid exact probability");
                assert_eq!(bid["bid"], points);
                assert!((number(&bid["probability"]) - probability).abs() < 1e-15, "{bid}");
            }
        }
    }

    #[test]
    fn what_was_not_asked_to_be_exact_is_null() {
        let report = json(folder().path(), &["show", "4:3@-2"]);
        assert!(report["exact"].is_null());
        assert!(array(&report["a"]).iter().all(|bid| bid["exact"].is_null()));
    }

    #[test]
    fn show_exact_has_fractions() {
        let report = json(folder().path(), &["show", "4:3@-2", "--exact"]);
        assert_eq!(keys(&report), SHOWN);
        let fractions = |player: &str| {
            array(&report[player]).iter().map(|bid| bid["exact"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(report["exact"], "-1/5");
        assert_eq!(fractions("a"), ["2/5", "3/5"]);
        assert_eq!(fractions("b"), ["3/5", "2/5"]);
    }

    #[test]
    fn show_digits_adds_decimal_strings() {
        let report = json(folder().path(), &["show", "4:3@-2", "--digits", "10"]);
        assert_eq!(
            keys(&report),
            "a b bids decimal deterministic digits exact irrational lower matrix proved state unique upper value"
        );
        assert_eq!(keys(&report["digits"]), "lower upper value");
        assert!(
            report["digits"]["lower"].is_string() && report["digits"]["upper"].is_string(),
            "{report}"
        );
    }

    #[test]
    fn prove_reports_its_file() {
        let folder = folder();
        let report = json(folder.path(), &["prove", "6", "-o", "certificate"]);
        assert_eq!(keys(&report), "bytes file read_back states widest_enclosure");
        assert_eq!((&report["file"], &report["read_back"]), (&"certificate".into(), &true.into()));
        assert_eq!(
            report["bytes"],
            fs::read(folder.path().join("certificate")).expect("the certificate").len()
        );
        assert_eq!(report["states"], 7 * 7 * BALLS);
    }

    #[test]
    fn verify_reports_what_is_proved() {
        let folder = folder();
        prove(folder.path(), "certificate");
        let report = json(folder.path(), &["verify", "certificate"]);
        assert_eq!(keys(&report), "points start states unit_exponent valid widest_enclosure");
        assert_eq!(report["valid"], true);
        assert_eq!(report["states"], 7 * 7 * BALLS);
        assert_eq!(keys(&report["start"]), "decimal lower upper");
        assert!(
            number(&report["start"]["lower"]) <= 0.0 && 0.0 <= number(&report["start"]["upper"]),
            "{report}"
        );
        assert!((0.0..1e-15).contains(&number(&report["widest_enclosure"])));
    }

    #[test]
    fn verify_knows_a_file_by_its_content() {
        let folder = folder();
        let file =
            |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        file("game", crate::game::SNOWBALL);
        file("table", "state,value\ns,1\n");
        assert_refused(
            folder.path(),
            &["verify", "game"],
            1,
            &["it is a game, not a certificate; `prove FILE -o FILE.proof`"],
        );
        assert_refused(
            folder.path(),
            &["verify", "table"],
            1,
            &["table: it is no certificate; `prove GAME -o FILE` writes one"],
        );
        stdout(folder.path(), &["prove", "game", "-o", "proof"]);
        let proof = fs::read_to_string(folder.path().join("proof")).expect("a certificate");
        // As other programs write JSON, with spaces.
        let (first, rest) = proof.split_once('\n').expect("lines");
        file("spaced", &format!("{}\n{rest}", first.replace(':', ": ").replace(',', ", ")));
        assert!(stdout(folder.path(), &["verify", "spaced"]).starts_with("valid: recursive game"));
        file("other", "{\"format\": \"sheet\"}\n");
        assert_refused(folder.path(), &["verify", "other"], 1, &["other: "]);
    }

    #[test]
    fn verify_refuses_in_json_too() {
        let folder = folder();
        fs::write(folder.path().join("certificate"), "no certificate").expect("a file");
        let output = run(folder.path(), &["verify", "certificate", "--format", "json"]);
        let report = parse(&text(&output.stdout));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(keys(&report), "reason valid");
        assert_eq!(report["valid"], false);
        // A person who looks at the terminal reads the same on standard error.
        assert!(text(&output.stderr).contains(report["reason"].as_str().expect("a sentence")));
    }
}

mod text_for_people {
    use super::*;

    #[test]
    fn show_exact_prints_fractions() {
        let printed = stdout(folder().path(), &["show", "4:3@-2", "--exact"]);
        for fraction in ["exactly -1/5", "2/5", "3/5"] {
            assert!(printed.contains(fraction), "no {fraction} in {printed}");
        }
    }

    /// Whoever asks for a fraction that is too long hears that there is none, rather than nothing.
    #[test]
    fn show_exact_says_when_the_number_is_too_large() {
        let printed = stdout(folder().path(), &["show", "10:10@-1", "--exact=8"]);
        assert!(printed.contains("exact"), "{printed}");
    }

    #[test]
    fn show_digits_has_as_many_decimals_as_asked_for() {
        // No short fraction, so that the digits come from bounds; and the value of the double
        // confirms the first ones.
        let report = json(folder().path(), &["show", "24:23@-1", "--digits", "40"]);
        let digits = |bound: &str| report["digits"][bound].as_str().expect("decimals").to_owned();
        let (lower, upper) = (digits("lower"), digits("upper"));
        assert!(
            [&lower, &upper, &digits("value")].iter().all(|digits| digits
                .split_once('.')
                .expect("a point")
                .1
                .len()
                == 40)
        );
        assert_eq!(lower[..lower.len() - 2], upper[..upper.len() - 2]);
        assert!(
            (lower.parse::<f64>().expect("a number") - number(&report["value"])).abs() < 1e-15,
            "{lower}"
        );
    }

    #[test]
    fn show_digits_prints_both_bounds() {
        // 46/41
        let printed = stdout(folder().path(), &["show", "7:6@1", "--digits", "15"]);
        assert_eq!(
            printed.matches("1.121951219512195").count(),
            5,
            "value, two proved bounds, the same to 15 decimals, lower bound: {printed}"
        );
    }

    #[test]
    fn every_help_has_an_example() {
        let folder = folder();
        assert!(stdout(folder.path(), &["--help"]).contains("Examples:\n  pencil-tennis solve"));
        for command in ["solve", "show", "export", "exploit", "prove", "verify", "completions"] {
            let help = stdout(folder.path(), &[command, "--help"]);
            assert!(help.contains("Example"), "{help}");
            assert!(help.contains(&format!("\n  pencil-tennis {command} ")), "{help}");
        }
    }

    #[test]
    fn every_shell_gets_completions() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            assert!(
                stdout(folder().path(), &["completions", shell]).contains("pencil-tennis"),
                "{shell}"
            );
        }
    }
}

mod tables {
    use super::*;

    /// Accounts of different size, so that A and B cannot be mistaken for each other.
    const A: usize = 7;
    const B: usize = 5;
    const POINTS: &str = "7:5";

    /// The header of a csv table and its rows.
    fn csv(args: &[&str]) -> (String, Vec<Vec<String>>) {
        let table = stdout(folder().path(), args);
        let mut lines = table.lines().map(str::to_owned);
        let header = lines.next().expect("a header");
        (header, lines.map(|line| line.split(',').map(str::to_owned).collect()).collect())
    }

    /// The number of bids that an account allows: with none left the only bid is 0.
    fn bids(points: usize) -> usize {
        points.max(1)
    }

    fn policy_rows() -> usize {
        (0..=A).flat_map(|a| (0..=B).map(move |b| BALLS * (bids(a) + bids(b)))).sum()
    }

    #[test]
    fn values_have_a_row_for_every_state() {
        let (header, rows) = csv(&["export", "values", POINTS]);
        assert_eq!(header, "a,b,ball,value,lower,upper");
        let states: BTreeSet<_> = rows.iter().map(|row| row[..3].to_vec()).collect();
        assert_eq!((rows.len(), states.len()), ((A + 1) * (B + 1) * BALLS, rows.len()));
    }

    #[test]
    fn values_lie_within_their_bounds() {
        for row in csv(&["export", "values", POINTS]).1 {
            let [value, lower, upper] =
                [3, 4, 5].map(|column| row[column].parse::<f64>().expect("a number"));
            assert!(lower <= value && value <= upper, "{row:?}");
        }
    }

    #[test]
    fn exact_values_are_one_more_column() {
        let (header, rows) = csv(&["export", "values", POINTS, "--exact"]);
        assert_eq!(header, "a,b,ball,value,lower,upper,exact");
        assert!(rows.iter().any(|row| row[..3] == ["4", "3", "-2"] && row[6] == "-1/5"));
    }

    #[test]
    fn policy_has_every_legal_bid_of_both_players() {
        let (header, rows) = csv(&["export", "policy", POINTS]);
        assert_eq!(header, "a,b,ball,player,bid,probability");
        assert_eq!(rows.len(), policy_rows());
        let mut listed: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for row in rows {
            listed.entry(row[..4].to_vec()).or_default().push(row[4].parse().expect("a bid"));
        }
        for (key, listed) in listed {
            let points: usize = key[usize::from(key[3] == "B")].parse().expect("points");
            let legal: Vec<usize> = if points == 0 { vec![0] } else { (1..=points).collect() };
            assert_eq!(listed, legal, "{key:?}");
        }
    }

    #[test]
    fn policy_sums_to_one_for_every_state_and_player() {
        let mut sums: BTreeMap<Vec<String>, f64> = BTreeMap::new();
        for row in csv(&["export", "policy", POINTS]).1 {
            *sums.entry(row[..4].to_vec()).or_default() +=
                row[5].parse::<f64>().expect("a probability");
        }
        assert_eq!(sums.len(), 2 * (A + 1) * (B + 1) * BALLS);
        for (key, sum) in sums {
            assert!((sum - 1.0).abs() < 1e-14, "{key:?} sums to {sum}");
        }
    }

    #[test]
    fn strategies_are_the_policy_without_the_bids_never_made() {
        let (header, strategies) = csv(&["export", "strategies", POINTS]);
        assert_eq!(header, "a,b,ball,player,bid,probability");
        let mut policy = csv(&["export", "policy", POINTS]).1;
        policy.retain(|row| row[5].parse::<f64>().expect("a probability") > 0.0);
        assert!(strategies == policy);
    }

    /// Every table as JSON is an array of objects with the names, and the numbers, of the csv
    /// table; bounds are there as strings, too.
    #[test]
    fn json_has_the_rows_of_the_csv() {
        for table in ["values", "strategies", "policy"] {
            let (header, rows) = csv(&["export", table, POINTS]);
            let objects = json(folder().path(), &["export", table, POINTS]);
            assert_eq!(array(&objects).len(), rows.len(), "{table}");
            for (object, row) in array(&objects).iter().zip(rows) {
                let bounds = object.get("decimal");
                assert_eq!(
                    (object.as_object().expect("an object").len(), bounds.is_some()),
                    (row.len() + 2 * usize::from(table == "values"), table == "values")
                );
                for (name, field) in header.split(',').zip(row) {
                    let same = match object[name].as_f64() {
                        // The JSON reader of this test may be wrong in the last bit; the program's
                        // digits are not.
                        Some(number) => {
                            (number - field.parse::<f64>().expect("a number")).abs() < 1e-15
                        }
                        None => object[name] == *field,
                    };
                    assert!(same, "{table}: {name} is {} and {field}", object[name]);
                    if let Some(string) = bounds
                        .filter(|_| ["lower", "upper"].contains(&name))
                        .map(|bounds| &bounds[name])
                    {
                        assert_eq!(*string, *field, "{table}: {name}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_file_gets_what_standard_output_would_get() {
        let folder = folder();
        for format in ["csv", "json"] {
            let printed = stdout(folder.path(), &["export", "policy", "5", "--format", format]);
            assert_eq!(
                stdout(
                    folder.path(),
                    &["export", "policy", "5", "--format", format, "-o", "table"]
                ),
                ""
            );
            assert!(
                fs::read(folder.path().join("table")).expect("a table") == printed.into_bytes()
            );
        }
        // And no temporary file beside it.
        assert_eq!(content(folder.path()).len(), 1);
    }
}

/// Every one of these is refused with a sentence; status 2 if the arguments cannot be read, 1 if
/// they ask for the impossible.
mod bad_input {
    use super::*;

    #[test]
    fn no_points() {
        let folder = folder();
        for command in [&["solve"][..], &["export", "values", "-o", "out"], &["prove", "-o", "out"]]
        {
            assert_refused(
                folder.path(),
                &[command, &["0"]].concat(),
                2,
                &["A starts with 0 points", "at least 1"],
            );
            assert_refused(
                folder.path(),
                &[command, &["5:0"]].concat(),
                2,
                &["B starts with 0 points"],
            );
        }
    }

    #[test]
    fn points_that_are_no_number() {
        for points in ["", "x", "5.5", "5:", ":5", "5:5:5", "5:5@0", "99999999999999999999"] {
            assert_refused(folder().path(), &["solve", points], 2, &["number of points", "50:40"]);
        }
        assert_refused(folder().path(), &["solve", "-5"], 2, &["-5"]);
    }

    #[test]
    fn more_points_than_fit_into_memory() {
        let folder = folder();
        let words = ["60000:60000", "would take", "TiB of memory", "limit of 8.0 GiB"];
        assert_refused(folder.path(), &["solve", "60000"], 1, &words);
        assert_refused(folder.path(), &["export", "values", "60000", "-o", "out"], 1, &words);
        assert_refused(folder.path(), &["prove", "60000", "-o", "out"], 1, &words);
        assert_refused(
            folder.path(),
            &["show", "6000000:3@0"],
            1,
            &["6000000 points are too many", "at most 65535"],
        );
    }

    #[test]
    fn two_certificates_of_a_limit_in_one_file_or_of_one_game() {
        let folder = folder();
        assert_refused(
            folder.path(),
            &["tennis", "limit", "5", "--upper", "u", "--lower", "u"],
            2,
            &["u would be written twice"],
        );
        assert_refused(
            folder.path(),
            &["tennis", "limit", "5", "--upper", "u", "--lower", "l"],
            1,
            &["mirror image", "--upper alone"],
        );
    }

    #[test]
    fn a_ball_outside_the_field() {
        assert_refused(
            folder().path(),
            &["show", "4:3@3"],
            1,
            &["ball 3 is outside the field -2 to 2"],
        );
        assert_refused(
            folder().path(),
            &["show", "4:3@-2", "--field", "1"],
            1,
            &["ball -2 is outside the field -1 to 1"],
        );
    }

    #[test]
    fn unreadable_states() {
        for state in [
            "",
            "50",
            "4:3",
            "4@0",
            "4:3@",
            ":3@0",
            "4:3@x",
            "4:3@1.5",
            "4:3@0@0",
            "4:x@0",
            "4:3 @0",
            "4:3@\u{2212}2",
        ] {
            assert_refused(
                folder().path(),
                &["show", state],
                2,
                &["is not a state", "POINTS_A:POINTS_B@BALL"],
            );
        }
        assert_refused(folder().path(), &["show", "-4:3@0"], 2, &["-4"]);
    }

    #[test]
    fn payoffs_that_are_not_finite() {
        let folder = folder();
        let args = |scoring| ["export", "values", "3", "-o", "out", "--scoring", scoring];
        for scoring in ["NaN,0,0,0,0", "inf,0,0,0,-inf", "0,-infinity,0,0,0", "1,1/0,0,0,-1"] {
            assert_refused(folder.path(), &args(scoring), 2, &["is not a payoff", "finite number"]);
        }
        for scoring in ["1e999,0,0,0,0", "1e-999,0,0,0,0"] {
            assert_refused(
                folder.path(),
                &args(scoring),
                2,
                &["is out of range", "18 decimal digits"],
            );
        }
    }

    #[test]
    fn scorings_that_are_not_five_numbers() {
        for scoring in ["", "NaN", "1,2,3", "1,1,0,-1,-1,0", "three-one"] {
            assert_refused(
                folder().path(),
                &["solve", "3", "--scoring", scoring],
                2,
                &["is not a scoring", "five numbers"],
            );
        }
    }

    #[test]
    fn too_few_and_too_many_threads() {
        assert_refused(
            folder().path(),
            &["solve", "3", "--threads", "0"],
            2,
            &["'0'", "a whole number from 1 to 256"],
        );
        assert_refused(
            folder().path(),
            &["solve", "3", "--threads", "100000"],
            2,
            &["'100000'", "from 1 to 256"],
        );
    }

    #[test]
    fn unknown_words() {
        for args in [
            &["solve", "3", "--motion", "jump"][..],
            &["solve", "3", "--method", "guess"],
            &["solve", "3", "--format", "xml"],
            &["export", "everything"],
        ] {
            assert_refused(folder().path(), args, 2, &["invalid value", args[args.len() - 1]]);
        }
        assert_refused(folder().path(), &["win"], 2, &["unrecognized subcommand 'win'"]);
    }

    #[test]
    fn certificates_that_are_damaged() {
        let folder = folder();
        prove(folder.path(), "whole");
        let whole = fs::read(folder.path().join("whole")).expect("a certificate");
        let mut corrupted = whole.clone();
        corrupted[whole.len() / 2] ^= 0x10;
        let longer = [&whole[..], b"more"].concat();
        for (name, bytes) in [
            ("empty", &[][..]),
            ("truncated", &whole[..200]),
            ("corrupted", &corrupted),
            ("longer", &longer),
        ] {
            fs::write(folder.path().join(name), bytes).expect("a file");
            let words = [name, "the certificate is not valid"];
            assert_refused(folder.path(), &["verify", name], 1, &words);
            assert_refused(folder.path(), &["verify", name, "--bounds", "bounds.csv"], 1, &words);
        }
    }

    #[test]
    fn a_certificate_that_is_not_there() {
        assert_refused(
            folder().path(),
            &["verify", "missing", "--bounds", "bounds.csv"],
            1,
            &["cannot read missing"],
        );
    }
}

/// Files are whole or not there, and nothing that was there before is lost.
mod files {
    use super::*;

    #[test]
    fn an_output_file_is_replaced_as_a_whole() {
        let folder = folder();
        fs::write(folder.path().join("out"), "before".repeat(100_000)).expect("a file");
        stdout(folder.path(), &["export", "values", "2", "-o", "out"]);
        let table = text(&content(folder.path())[&OsString::from("out")]);
        assert!(table.starts_with("a,b,ball,value") && !table.contains("before"));
    }

    #[test]
    fn an_output_file_stays_when_the_command_fails() {
        let folder = folder();
        fs::write(folder.path().join("out"), "before").expect("a file");
        for command in [&["export", "values"][..], &["prove"]] {
            assert_refused(
                folder.path(),
                &[command, &["60000", "-o", "out"]].concat(),
                1,
                &["memory"],
            );
            assert_refused(
                folder.path(),
                &[command, &["3", "--field", "0", "-o", "out"]].concat(),
                2,
                &["from 1 to 99"],
            );
        }
        assert_refused(folder.path(), &["verify", "missing", "--bounds", "out"], 1, &["missing"]);
    }

    /// Said before the work begins: these games would take far longer than this test may.
    #[test]
    fn a_folder_that_does_not_exist() {
        let folder = folder();
        for command in [&["export", "values"][..], &["prove"]] {
            let args = [command, &["1000", "--memory", "1000", "-o", "missing/out"]].concat();
            assert_refused(
                folder.path(),
                &args,
                1,
                &["cannot write missing/out", "there is no folder missing"],
            );
        }
        prove(folder.path(), "certificate");
        let args = ["verify", "certificate", "--bounds", "missing/bounds.csv"];
        assert_refused(folder.path(), &args, 1, &["there is no folder missing"]);
    }

    /// A folder cannot be overwritten by a file, whoever asks for it; permissions would not stop a
    /// superuser.
    #[test]
    fn a_target_that_cannot_be_written() {
        let folder = folder();
        fs::create_dir(folder.path().join("taken")).expect("a folder");
        prove(folder.path(), "certificate");
        let words = ["cannot write taken"];
        assert_refused(folder.path(), &["export", "values", "3", "-o", "taken"], 1, &words);
        assert_refused(folder.path(), &["prove", "3", "-o", "taken"], 1, &words);
        assert_refused(folder.path(), &["verify", "certificate", "--bounds", "taken"], 1, &words);
    }

    #[test]
    fn bounds_do_not_overwrite_their_certificate() {
        let folder = folder();
        prove(folder.path(), "certificate");
        for path in ["certificate", "./certificate"] {
            let words = ["certificate would be overwritten"];
            assert_refused(folder.path(), &["verify", "certificate", "--bounds", path], 1, &words);
        }
    }

    #[test]
    fn bounds_are_a_table_of_integers() {
        let folder = folder();
        prove(folder.path(), "certificate");
        stdout(folder.path(), &["verify", "certificate", "--bounds", "bounds.csv"]);
        let table = text(&content(folder.path())[&OsString::from("bounds.csv")]);
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("a,b,ball,lower,upper,exponent"));
        assert!(lines.clone().all(|line| {
            line.split(',').filter_map(|number| number.parse::<i64>().ok()).count() == 6
        }));
        assert!(lines.clone().all(|line| line.ends_with(",60")));
        assert_eq!(lines.count(), 7 * 7 * BALLS);
    }
}

/// Pipes that close, full disks, signals.
#[cfg(unix)]
mod system {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::unix::fs::FileTypeExt;
    use std::process::Child;
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// The time that a user waits after Ctrl-C before pressing it again.
    const PATIENCE: Duration = Duration::from_secs(3);

    /// Long enough for a process to be at work, under load too.
    const WARM_UP: Duration = Duration::from_millis(1500);

    /// The names alone, of files that may be large and still growing.
    fn names_in(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect()
    }

    /// A process that does not outlive its test.
    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            // It has usually ended, and then there is nothing to kill.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    impl Running {
        fn start(folder: &Path, args: &[&str]) -> Self {
            let mut command = program(folder, args);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            Self(command.spawn().expect("the program starts"))
        }

        fn signal(&self, name: &str) {
            let pid = self.0.id().to_string();
            assert!(
                Command::new("kill")
                    .args(["-s", name, &pid])
                    .status()
                    .expect("a kill command")
                    .success()
            );
        }

        /// The exit status, 0 for success, any other number for failure; or nothing if it is still
        /// at work when patience is at its end.
        fn end(&mut self) -> Option<i32> {
            let deadline = Instant::now() + PATIENCE;
            while Instant::now() < deadline {
                if let Some(status) = self.0.try_wait().expect("a process of ours") {
                    // No code means that the signal itself ended it.
                    return Some(status.code().unwrap_or(-1));
                }
                thread::sleep(Duration::from_millis(5));
            }
            None
        }

        fn stderr(&mut self) -> String {
            let mut printed = String::new();
            self.0.stderr.take().expect("a pipe").read_to_string(&mut printed).expect("UTF-8");
            printed
        }
    }

    /// `export values 50 | head -1`
    #[test]
    fn a_reader_who_has_seen_enough_is_no_error() {
        let folder = folder();
        for format in ["csv", "json"] {
            let mut running =
                Running::start(folder.path(), &["export", "values", "50", "--format", format]);
            let mut line = String::new();
            BufReader::new(running.0.stdout.take().expect("a pipe"))
                .read_line(&mut line)
                .expect("a line");
            assert!(!line.is_empty());
            assert_eq!((running.end(), running.stderr()), (Some(0), String::new()), "{format}");
        }
    }

    /// Any command, in any format: a pipe that is closed before the first byte.
    #[test]
    fn a_reader_who_looks_at_nothing_is_no_error() {
        let folder = folder();
        prove(folder.path(), "certificate");
        for args in [
            &["solve", "3"][..],
            &["show", "4:3@-2"],
            &["prove", "3", "-o", "out"],
            &["verify", "certificate"],
            &["verify", "certificate", "--format", "json"],
            &["completions", "bash"],
            &["--help"],
        ] {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let output =
                program(folder.path(), args).stdout(writer).output().expect("the program starts");
            assert_eq!(
                (output.status.code(), text(&output.stderr)),
                (Some(0), String::new()),
                "{args:?}"
            );
        }
    }

    /// A result that could not be printed is a failure, and a sentence rather than a panic.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_reported() {
        let folder = folder();
        prove(folder.path(), "certificate");
        for args in [
            &["solve", "3"][..],
            &["show", "4:3@-2", "--format", "json"],
            &["export", "values", "3"],
            &["prove", "3", "-o", "out"],
            &["verify", "certificate"],
        ] {
            // Only ever as standard output: as the name of an output file it would put a device at
            // risk.
            let full = fs::File::options()
                .write(true)
                .open("/dev/full")
                .expect("a device that is always full");
            let output =
                program(folder.path(), args).stdout(full).output().expect("the program starts");
            assert_eq!(output.status.code(), Some(1), "{args:?}");
            assert!(
                text(&output.stderr).starts_with("pencil-tennis: "),
                "{args:?}: {}",
                text(&output.stderr)
            );
        }
    }

    /// `-o /dev/null` must not put a file where the device was. A named pipe of our own stands for
    /// all that is not an ordinary file; writing to it and refusing to are both fine.
    #[test]
    fn what_is_not_a_file_is_not_replaced_by_one() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        for args in [&["export", "values", "2", "-o", "pipe"][..], &["prove", "2", "-o", "pipe"]] {
            let _ = fs::remove_file(&pipe);
            assert!(
                Command::new("mkfifo").arg(&pipe).status().expect("a mkfifo command").success()
            );
            // Open at both ends, so that neither side waits for the other; the output fits into the
            // pipe's buffer.
            let _both_ends =
                fs::File::options().read(true).write(true).open(&pipe).expect("the pipe");
            run(folder.path(), args);
            assert!(
                fs::symlink_metadata(&pipe).expect("the pipe").file_type().is_fifo(),
                "{args:?} replaced the pipe"
            );
        }
    }

    /// Ctrl-C, or `kill`, during a solve of several minutes.
    #[test]
    fn an_interrupted_solve_ends_soon_and_leaves_no_file() {
        let folder = folder();
        fs::write(folder.path().join("existing"), "before").expect("a file");
        let before = content(folder.path());
        for (signal, file) in [("INT", "new"), ("TERM", "existing")] {
            let mut running = Running::start(
                folder.path(),
                &["export", "values", "400", "--method", "lp", "-o", file],
            );
            thread::sleep(WARM_UP);
            running.signal(signal);
            let sent = Instant::now();
            let status = running.end();
            assert!(
                status.is_some_and(|status| status != 0),
                "{signal}: {status:?} after {PATIENCE:?}"
            );
            assert!(running.stderr().contains("interrupted"), "{signal}");
            assert!(content(folder.path()) == before, "{signal} left something");
            // Shown by `cargo test -- --nocapture`.
            writeln!(std::io::stdout(), "{signal}: ended after {:?}", sent.elapsed())
                .expect("standard output");
        }
    }

    /// Ctrl-C while a long table is being written: it is finished first. A second Ctrl-C stops
    /// that, and leaves no temporary file.
    #[test]
    fn an_interrupted_table_leaves_no_temporary_file() {
        for (before, left) in
            [(None, "out is not written"), (Some("before"), "out is left as it was")]
        {
            let folder = folder();
            let names = || names_in(folder.path());
            if let Some(before) = before {
                fs::write(folder.path().join("out"), before).expect("room");
            }
            let mut running =
                Running::start(folder.path(), &["export", "policy", "100", "-o", "out"]);
            let deadline = Instant::now() + 20 * PATIENCE;
            while names().len() == usize::from(before.is_some()) && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(5));
            }
            // In the middle of writing; two signals within half a second would be one.
            running.signal("INT");
            thread::sleep(Duration::from_millis(600));
            running.signal("INT");
            assert_eq!(running.end(), Some(130));
            let printed = running.stderr();
            if printed == "pencil-tennis: interrupted; out was written before\n" {
                // The writing came to its end before the second signal.
                assert_eq!(names(), ["out"]);
                continue;
            }
            assert_eq!(printed, format!("pencil-tennis: interrupted; {left}\n"));
            let content = fs::read_to_string(folder.path().join("out")).ok();
            assert_eq!(
                (content.as_deref(), names().len()),
                (before, usize::from(before.is_some()))
            );
        }
    }

    /// The same during the long part of `--digits`, which begins when the game is solved.
    #[test]
    fn interrupted_digits_end_soon() {
        let mut running =
            Running::start(folder().path(), &["show", "50:50@-1", "--digits", "5000"]);
        thread::sleep(WARM_UP);
        running.signal("INT");
        let status = running.end();
        assert!(status.is_some_and(|status| status != 0), "{status:?} after {PATIENCE:?}");
    }
}
