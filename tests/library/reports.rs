//! What reports say where payoffs are no multiples of the unit in which bounds are counted.

use pencil_tennis::analysis::{JudgedGame, StateAnalysis};
use pencil_tennis::{GameRecord, Payoff, Rules, Scoring, Solution, Solver, State, Uniqueness};

fn solved(scoring: &str, points: u32) -> Solution {
    let scoring: Scoring = scoring.parse().expect("five payoffs");
    Solver::new(&Rules::tennis().with_scoring(scoring))
        .points([points; 2])
        .exact(4_096)
        .solve()
        .expect("a small game")
}

fn state(text: &str) -> State {
    text.parse().expect("a state")
}

/// A unit is 2^-11 here, and a thousandth no multiple of it.
#[test]
fn payoffs_are_said_as_they_are() {
    let solution = solved("1000000000000000,0.001,0,-0.001,-1000000000000000", 2);
    let report = |text| StateAnalysis::new(&solution, state(text)).expect("a state");
    assert_eq!([report("0:0@1").value, report("0:0@-2").value], [0.001, -0.001]);
    assert_eq!(report("0:0@1").exact.as_deref(), Some("1/1000"));
    // One bid each, and the ball stays where it is.
    let last = report("1:1@2");
    assert_eq!((last.value, last.matrix.as_slice()), (0.001, [vec![0.001]].as_slice()));
    let [a, b] = [last.bids.a[0], last.bids.b[0]];
    assert_eq!((a.value, b.value, a.loss), (0.001, 0.001, 0.0));
    // A bids 1 or 2 and B bids 1: the ball stays, or A has a point less and hits it out.
    assert_eq!(report("2:1@2").matrix, [[1e15], [1e15]]);
    let mixed = report("2:2@1").matrix;
    assert_eq!((mixed[1][1], mixed[0][0]), (0.001, 0.001));
    for text in ["0:0@1", "1:1@2"] {
        let bounds = solution.enclosure(state(text)).expect("a state");
        assert!(
            bounds.lower() < 0.001 && 0.001 < bounds.upper(),
            "the bounds are proved, and no narrower than the unit"
        );
    }
}

/// A unit is a half here: a third lies between 0 and 1/2.
#[test]
fn a_turn_that_changes_nothing_changes_no_value() {
    let solution = solved("1000000000000000000,1/3,0,-1/3,-1000000000000000000", 1);
    let game = GameRecord::replay(solution.rules(), state("1:1@1"), [(1, 1)]).expect("legal bids");
    let report = JudgedGame::new(&solution, &game).expect("a game of the solution");
    let turn = &report.turns[0];
    assert_eq!([turn.value, turn.value_after, report.value], [1.0 / 3.0; 3]);
    assert_eq!(
        (turn.bids.a.loss, turn.bids.b.loss, report.game.payoff()),
        (0.0, 0.0, Some(Payoff::new(1, 3)))
    );
}

/// Three times the payoffs are the same game, whose optimal strategies are counted elsewhere in
/// exact fractions.
#[test]
fn thirds_are_known_to_be_unique_where_integers_are() {
    for (thirds, integers) in
        [("1/3,0,0,0,-1/3", "1,0,0,0,-1"), ("2/3,1/3,0,-1/3,-2/3", "2,1,0,-1,-2")]
    {
        let [thirds, integers] = [thirds, integers].map(|scoring| solved(scoring, 6));
        for state in integers.states() {
            let [found, expected] =
                [&thirds, &integers].map(|solution| solution.uniqueness(state).expect("a state"));
            assert_eq!(found, expected, "{state}");
            assert!(!found.contains(&Uniqueness::Unknown), "{state}");
        }
    }
    // Without exact numbers, too, whoever has one legal bid has one strategy.
    let scoring: Scoring = "1/3,0,0,0,-1/3".parse().expect("payoffs");
    let plain = Solver::new(&Rules::tennis().with_scoring(scoring))
        .points([5; 2])
        .solve()
        .expect("a small game");
    for state in plain.states() {
        let found = plain.uniqueness(state).expect("a state");
        assert!(state.a > 1 || found[0] == Uniqueness::Unique, "{state}");
        assert!(state.b > 1 || found[1] == Uniqueness::Unique, "{state}");
    }
    assert_eq!(plain.uniqueness(state("1:0@2")), Ok([Uniqueness::Unique; 2]));
}
