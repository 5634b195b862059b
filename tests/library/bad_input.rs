//! Whatever a user gets wrong is answered with a sentence that names the wrong value and the right
//! range.

use std::ops::ControlFlow;

use num_rational::Ratio;
use pencil_tennis::agents::{LearnerKind, LearnerOptions, LearningCurve, Level, Training};
use pencil_tennis::analysis::Exploitability;
use pencil_tennis::matrix_game::Matrix;
use pencil_tennis::{
    Ball, Error, GameError, GameRecord, Method, Motion, Outcome, Payoff, Player, Policy,
    PolicyError, Rules, Scoring, Solver, State, WorkError, unwatched,
};

fn solver(a: u32, b: u32) -> Solver<'static> {
    Solver::new(&Rules::tennis()).points([a, b])
}

fn refusal<T: std::fmt::Debug, E: std::error::Error>(result: Result<T, E>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_game_needs_points_on_both_sides() {
    assert_eq!(
        refusal(solver(0, 5).solve()),
        "A starts with 0 points; both players need at least 1"
    );
    assert_eq!(
        refusal(solver(5, 0).solve()),
        "B starts with 0 points; both players need at least 1"
    );
    assert_eq!(
        solver(0, 0).solve().unwrap_err(),
        Error::Game(GameError::NoPoints { player: Player::A })
    );
    assert_eq!(
        refusal(pencil_tennis::solve(0)),
        "A starts with 0 points; both players need at least 1"
    );
}

/// The bytes that a sentence says a game would take: `… would take 1.5 GiB of memory, …`.
fn amount(sentence: &str) -> f64 {
    let (_, rest) = sentence.split_once("would take ").expect("the words before the amount");
    let (amount, _) = rest.split_once(" of memory").expect("the words behind the amount");
    let (number, unit) = amount.split_once(' ').expect("a number and its unit");
    let exponent = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        .iter()
        .position(|&known| known == unit)
        .expect("a binary unit");
    number.parse::<f64>().expect("a number") * 1024.0_f64.powi(exponent as i32 + 1)
}

#[test]
fn a_game_that_does_not_fit_into_memory_is_refused_before_it_is_begun() {
    let sentence = refusal(solver(20_000, 30_000).solve());
    assert!(sentence.starts_with("a game of 20000:30000 points would take "), "{sentence}");
    assert!(sentence.ends_with(" of memory, above the limit of 8.0 GiB"), "{sentence}");
    // A number of eight bytes for every state is the least that a solution can be.
    assert!(amount(&sentence) > 5.0 * 20_001.0 * 30_001.0 * 8.0, "{sentence}");
    let beyond = solver(u32::MAX, u32::MAX).solve().map(|_| ());
    assert!(matches!(beyond, Err(Error::Game(GameError::TooManyPoints { .. }))), "{beyond:?}");
}

#[test]
fn the_limit_of_memory_is_the_users() {
    for points in [1, 20, 100] {
        let needed = solver(points, points).memory();
        assert!(solver(points, points).memory_limit(needed).solve().is_ok());
        let error = solver(points, points).memory_limit(needed - 1).solve().unwrap_err();
        assert_eq!(
            error,
            Error::Work(WorkError::Memory {
                what: format!("a game of {points}:{points} points"),
                bytes: needed,
                limit: needed - 1
            })
        );
        // The sentence says how much it would take, whatever the size, to a decimal of a number
        // that may be below 1.
        let relative = amount(&error.to_string()) / needed as f64;
        assert!((0.9..1.1).contains(&relative), "{error} though {needed} bytes are needed");
    }
}

#[test]
fn more_points_than_tables_can_index_are_refused() {
    let unlimited = |a, b| solver(a, b).memory_limit(u64::MAX).solve();
    assert_eq!(
        refusal(unlimited(65_536, 1)),
        "65536 points are too many; at most 65535 are supported"
    );
    assert_eq!(
        refusal(unlimited(1, 70_000)),
        "70000 points are too many; at most 65535 are supported"
    );
}

#[test]
fn somebody_has_to_do_the_work() {
    assert_eq!(
        refusal(solver(5, 5).threads(0).solve()),
        "0 threads are not possible; expected 1 to 256"
    );
}

#[test]
fn a_ball_lies_inside_the_field() {
    let solution = solver(5, 4).solve().expect("a small game");
    let outside = State::new(3, 3, Ball::new(3).expect("a ball of some field"));
    let sentence = "ball 3 is outside the field -2 to 2";
    assert_eq!(refusal(solution.value(outside)), sentence);
    assert_eq!(refusal(solution.enclosure(outside)), sentence);
    assert_eq!(refusal(solution.equilibrium(outside)), sentence);
    assert_eq!(refusal(solution.stage_game(outside)), sentence);
    assert_eq!(refusal(solution.check(outside)), sentence);
    assert_eq!(refusal(GameRecord::new(&Rules::tennis(), outside)), sentence);
    let narrow = Rules::new(1, Motion::Net, Scoring::two_one()).expect("the narrowest field");
    assert_eq!(
        refusal(narrow.check("3:3@-2".parse().expect("a state"))),
        "ball -2 is outside the field -1 to 1"
    );
}

#[test]
fn no_field_is_wide_enough_for_a_far_ball() {
    for position in [101, -101, 128, 256, i32::MAX, -i32::MAX, i32::MIN] {
        assert_eq!(
            refusal(Ball::new(position)),
            format!("ball {position} is outside the field -100 to 100")
        );
        assert_eq!(
            refusal(position.to_string().parse::<Ball>()),
            format!("ball {position} is outside the field -100 to 100")
        );
        let state = format!("4:3@{position}");
        assert_eq!(
            refusal(state.parse::<State>()),
            format!("ball {position} is outside the field -100 to 100")
        );
    }
    for position in [-100, 0, 100] {
        assert_eq!(Ball::new(position).map(Ball::position), Ok(position));
    }
}

#[test]
fn a_solution_knows_its_own_states_only() {
    let solution = solver(5, 4).solve().expect("a small game");
    for text in ["6:4@0", "5:5@-2", "4294967295:0@1", "0:4294967295@1"] {
        let state: State = text.parse().expect("a state");
        let sentence =
            format!("{text} is outside the game, which has 0 to 5 points for A and 0 to 4 for B");
        assert_eq!(refusal(solution.value(state)), sentence);
        assert_eq!(refusal(solution.enclosure(state)), sentence);
        assert_eq!(refusal(solution.equilibrium(state)), sentence);
        assert_eq!(refusal(solution.stage_game(state)), sentence);
    }
}

#[test]
fn a_state_is_written_in_one_way() {
    let unreadable = [
        "",
        "4",
        "4:3",
        "4:3@",
        "@0",
        ":@",
        "4:@0",
        ":3@0",
        "4@0",
        "4-3@0",
        "4:3:2@0",
        "4:3@0@0",
        "-4:3@0",
        "4:-3@0",
        "4.0:3@0",
        "4:3@0.5",
        "a:b@c",
        "4:3@x",
        "4 :3@0",
        "4: 3@0",
        "4:3@ 0",
        "4:3 @0",
        "4,3@0",
        "(4:3@0)",
        "4:3@--1",
        "4:3@+-1",
        "4:3@-",
        "0x4:3@0",
        "4:3@1e0",
        "4294967296:3@0",
        "4:99999999999999999999@0",
        "4:3@99999999999",
        "٤:3@0",
        "4:3@−1",
    ];
    for text in unreadable {
        let sentence = format!(
            "`{text}` is not a state; expected POINTS_A:POINTS_B@BALL such as 50:50@0 or 4:3@-2"
        );
        assert_eq!(refusal(text.parse::<State>()), sentence);
    }
    for (text, canonical) in
        [("4:3@-2", "4:3@-2"), ("8:5@+1", "8:5@1"), (" 50:50@0\n", "50:50@0"), ("4:3@-0", "4:3@0")]
    {
        let state: State = text.parse().expect("a state");
        assert_eq!(state.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(state));
    }
}

#[test]
fn a_ball_is_an_integer() {
    for text in ["", "x", "1.5", " 1", "1 ", "--1", "99999999999"] {
        let sentence = format!("`{text}` is not a ball position; expected an integer such as -2");
        assert_eq!(refusal(text.parse::<Ball>()), sentence);
    }
}

#[test]
fn a_bid_fits_its_account() {
    let tennis = Rules::tennis();
    assert_eq!(
        refusal(tennis.check_bid(Player::A, 0, 9)),
        "A cannot bid 0: with 9 points left bids are 1 to 9"
    );
    assert_eq!(
        refusal(tennis.check_bid(Player::B, 10, 9)),
        "B cannot bid 10: with 9 points left bids are 1 to 9"
    );
    assert_eq!(
        refusal(tennis.check_bid(Player::A, 2, 1)),
        "A cannot bid 2: with 1 point left the only bid is 1"
    );
    assert_eq!(
        refusal(tennis.check_bid(Player::B, 1, 0)),
        "B cannot bid 1: with an empty account the only bid is 0"
    );
    let overdrawn = tennis.play("4:3@0".parse().expect("a state"), u32::MAX, 1);
    assert_eq!(refusal(overdrawn), "A cannot bid 4294967295: with 4 points left bids are 1 to 4");
}

#[test]
fn payoffs_are_finite_numbers() {
    for (number, name) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
        for place in 0..5 {
            let mut payoffs = [0.0; 5];
            payoffs[place] = number;
            let sentence = format!(
                "`{name}` is not a payoff; expected a finite number such as 2, -0.5, 1e-3 or 1/3"
            );
            assert_eq!(refusal(Scoring::from_f64(|outcome| payoffs[outcome.index()])), sentence);
        }
    }
    for term in [
        "NaN",
        "inf",
        "-infinity",
        "x",
        "",
        "1e",
        "0x2",
        "1/0",
        "1/-2",
        "-1/-2",
        "1/2/3",
        "1/",
        "/2",
        "1.5/2",
        "--1",
        "1.-5",
        ".",
    ] {
        let text = format!("2,1,{term},-1,-2");
        let sentence = format!(
            "`{term}` is not a payoff; expected a finite number such as 2, -0.5, 1e-3 or 1/3"
        );
        assert_eq!(refusal(text.parse::<Scoring>()), sentence);
    }
}

#[test]
fn payoffs_have_a_size_that_exact_arithmetic_can_bear() {
    let too_large = |payoff: &str| {
        format!(
            "payoff {payoff} is out of range: numerator and denominator may have 60 bits, 18 decimal digits"
        )
    };
    let beyond = Scoring::LARGEST_TERM + 1;
    for payoff in [
        Payoff::from(beyond),
        Payoff::from(-beyond),
        Payoff::new(1, beyond),
        Payoff::from(i64::MAX),
        Payoff::from(i64::MIN),
    ] {
        let mut payoffs = [Payoff::from(0); 5];
        payoffs[3] = payoff;
        assert_eq!(
            refusal(Scoring::new(|outcome| payoffs[outcome.index()])),
            too_large(&payoff.to_string())
        );
    }
    assert_eq!(
        refusal("1152921504606846977,0,0,0,0".parse::<Scoring>()),
        too_large("1152921504606846977")
    );
    assert_eq!(
        refusal("0.1234567890123456789,0,0,0,0".parse::<Scoring>()),
        too_large("0.1234567890123456789")
    );
    for payoff in [1e300, -1e300, f64::MAX, 2e18] {
        let scoring =
            Scoring::from_f64(|outcome| if outcome == Outcome::OutByA { payoff } else { 0.0 });
        assert!(matches!(scoring, Err(GameError::ScoringSize { .. })), "{payoff}");
    }
}

#[test]
fn payoffs_are_proper_fractions() {
    // `Ratio::new_raw` makes fractions that are none, or that are not reduced; they must not reach
    // the solver as they are.
    assert!(
        Scoring::new(|outcome| if outcome == Outcome::OutByA {
            Ratio::new_raw(1, 0)
        } else {
            0.into()
        })
        .is_err()
    );
    let sloppy = [
        Ratio::new_raw(-4, -2),
        Ratio::new_raw(3, 3),
        0.into(),
        Ratio::new_raw(1, -1),
        Ratio::new_raw(4, -2),
    ];
    if let Ok(scoring) = Scoring::new(|outcome| sloppy[outcome.index()]) {
        let solution = Solver::new(&Rules::tennis().with_scoring(scoring))
            .points([4, 4])
            .solve()
            .expect("a small game");
        assert_eq!(solution.value("4:3@-2".parse().expect("a state")), Ok(-0.2));
    }
}

#[test]
fn a_scoring_is_a_name_or_five_numbers() {
    for text in ["", "two", "two one", "2,1,0,-1", "2,1,0,-1,-2,-3", "2;1;0;-1;-2", "2 1 0 -1 -2"] {
        let sentence = format!(
            "`{text}` is not a scoring; expected two-one, win-loss or five numbers OUT_A,STAY_A,DRAW,STAY_B,OUT_B"
        );
        assert_eq!(refusal(text.parse::<Scoring>()), sentence);
    }
}

#[test]
fn a_field_has_from_one_to_ninety_nine_positions_a_side() {
    for field in [0, -1, 100, i32::MAX] {
        let sentence =
            format!("a field of {field} positions a side is not possible; expected 1 to 99");
        assert_eq!(refusal(Rules::new(field, Motion::Net, Scoring::two_one())), sentence);
        assert_eq!(refusal(Rules::oshi_zumo(field)), sentence);
    }
    let widest = Rules::new(99, Motion::Step, Scoring::two_one()).expect("the widest field");
    let solution = Solver::new(&widest).points([2, 1]).solve().expect("a small game");
    assert_eq!(solution.value("2:0@98".parse().expect("a state")), Ok(2.0));
    assert_eq!(solution.value("0:1@-99".parse().expect("a state")), Ok(-2.0));
}

#[test]
fn motions_and_methods_have_names() {
    assert_eq!(refusal("jump".parse::<Motion>()), "`jump` is not a motion; expected net or step");
    assert_eq!(refusal("Net".parse::<Motion>()), "`Net` is not a motion; expected net or step");
    assert_eq!(
        refusal("magic".parse::<Method>()),
        "`magic` is not a method; expected simplex, tableau or lp"
    );
    for motion in [Motion::Net, Motion::Step] {
        assert_eq!(motion.to_string().parse(), Ok(motion));
    }
    for method in [Method::Simplex, Method::Tableau, Method::Lp] {
        assert_eq!(method.to_string().parse(), Ok(method));
    }
}

#[test]
fn a_matrix_is_a_rectangle_of_finite_numbers() {
    let shape = "a matrix needs at least one row and one column, and rows of equal length";
    assert_eq!(refusal(Matrix::from_rows::<Vec<f64>>(&[])), shape);
    assert_eq!(refusal(Matrix::from_rows::<Vec<f64>>(&[vec![]])), shape);
    assert_eq!(refusal(Matrix::from_rows(&[vec![1.0, 2.0], vec![3.0]])), shape);
    assert_eq!(refusal(Matrix::from_rows(&[vec![1.0], vec![2.0, 3.0]])), shape);
    for (entry, name) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
        let sentence = format!("entry {name} in row 1, column 2 is not a finite number");
        assert_eq!(refusal(Matrix::from_rows(&[[1.0, 2.0, 3.0], [4.0, 5.0, entry]])), sentence);
    }
}

#[test]
fn a_solve_stops_when_the_callback_says_so() {
    for threads in [1, 2] {
        for patience in [1, 2, 7] {
            let mut calls = 0;
            let callback = |_| {
                calls += 1;
                if calls < patience { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let cancelled = Solver::new(&Rules::tennis())
                .points([8, 8])
                .threads(threads)
                .on_progress(callback)
                .solve();
            assert_eq!(refusal(cancelled), "cancelled");
            assert_eq!(calls, patience, "nothing is reported after the callback asked to stop");
        }
    }
}

/// A builder with its callbacks goes to another thread.
#[test]
fn a_solve_is_cancelled_from_another_thread() {
    let (sender, reports) = std::sync::mpsc::channel();
    let solver = Solver::new(&Rules::tennis()).points([8, 8]).on_progress(move |share| {
        // Nobody hears the second report, which cancels.
        if sender.send(share).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let solve = std::thread::spawn(move || solver.solve());
    reports.recv().expect("a first report");
    drop(reports);
    // The solve may have ended before.
    match solve.join().expect("no panic") {
        Ok(solution) => assert_eq!(solution.value(solution.start()), Ok(0.0)),
        Err(error) => assert_eq!(error.to_string(), "cancelled"),
    }
}

#[test]
fn progress_rises_to_the_end() {
    let footsteps = Rules::footsteps();
    let skewed = Rules::tennis().with_scoring("3,1,1/3,0,-2".parse().expect("a scoring"));
    for (rules, a, b) in [
        (Rules::tennis(), 12, 12),
        (Rules::tennis(), 12, 5),
        (footsteps, 5, 12),
        (skewed, 9, 9),
        (skewed, 1, 1),
    ] {
        for threads in [1, 2] {
            let mut heard: Vec<f64> = Vec::new();
            let solver = Solver::new(&rules).points([a, b]).threads(threads).on_progress(|share| {
                heard.push(share);
                ControlFlow::Continue(())
            });
            solver.solve().expect("a small game");
            assert!(heard[0] > 0.0, "{heard:?}");
            for pair in heard.windows(2) {
                assert!(pair[0] < pair[1], "{pair:?}");
            }
            let last = heard.last().expect("at least one layer");
            // A sum of some thousand terms in another order than the whole: 1e-12 is a thousand
            // times the rounding.
            assert!((last - 1.0).abs() < 1e-12, "{a}:{b} ended at {last:?}");
        }
    }
}

/// A text, its state and the value there are one expression: both return the same error.
#[test]
fn a_text_and_the_query_of_its_state_compose() {
    let solution = solver(5, 4).solve().expect("a small game");
    let value = |text: &str| text.parse().and_then(|state| solution.value(state));
    assert_eq!(value("4:3@-2"), Ok(-0.2));
    assert_eq!(value("4:3"), Err(GameError::StateSyntax { text: "4:3".to_owned() }));
    assert!(matches!(value("6:3@0"), Err(GameError::Outside { a: 5, b: 4, .. })));
}

/// An error has the kind of the fault that was found, however many rooms pass it on.
#[test]
fn an_error_has_the_kind_of_its_fault() {
    let solution = solver(5, 5).solve().expect("a small game");
    let learner: Level = "simple:1e5".parse().expect("a learner's name");
    let stopped = learner.policy(&solution, &mut |_| ControlFlow::Break(()));
    assert_eq!(stopped.err(), Some(Error::Work(WorkError::Cancelled)));
    let half = Policy::uniform(&Rules::tennis(), [5, 5])
        .expect("a small game")
        .only(Player::A)
        .expect("A's bids");
    let lacking = PolicyError::LacksPlayer { player: Player::B };
    assert_eq!(
        Exploitability::new(&Rules::tennis(), &half, &mut unwatched).err(),
        Some(Error::Policy(lacking))
    );
    let training =
        Training::new(LearnerKind::Simple, &Rules::tennis(), 6, LearnerOptions::default(), 1)
            .expect("a learner");
    let mut curve = LearningCurve::new(&solution).expect("a small game");
    let other = curve.note(&training);
    assert!(matches!(other, Err(Error::Policy(PolicyError::OtherGame { .. }))), "{other:?}");
}
