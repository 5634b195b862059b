//! What a game does not have: numbers of states and actions beyond its own, and policies of other
//! games. Each is refused with an error that names it.

use pencil_tennis::agents::{GameDuel, GameTraining, LearnerKind, SampledPlays};
use pencil_tennis::report::{GamePlay, JudgementReport, StageReport};
use pencil_tennis::stochastic_game::{
    PolicyJudgement, StationaryPolicy, StochasticGame, StochasticGameError, StochasticSolution,
};
use pencil_tennis::{Player, unwatched};

use crate::random_games::solve;

/// A has two actions, B has one.
const SMALL: &str = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}
{"id":"s","a":["stay","go"],"b":["wait"],"cells":[[{"to":[["1","end"]]}],[{"reward":"1/2","to":[["1","end"]]}]]}
{"id":"end","value":"3"}
"#;

/// Like the small game, but A has three actions.
const WIDER: &str = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}
{"id":"s","a":["stay","go","fly"],"b":["wait"],"cells":[[{"to":[["1","end"]]}],[{"to":[["1","end"]]}],[{"reward":"1","to":[["1","end"]]}]]}
{"id":"end","value":"3"}
"#;

/// Two states more, at which play does not begin.
const LONGER: &str = r#"{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}
{"id":"s","a":["stay","go"],"b":["wait"],"cells":[[{"to":[["1","t"]]}],[{"to":[["1","u"]]}]]}
{"id":"t","a":["stay","go"],"b":["wait"],"cells":[[{"to":[["1","u"]]}],[{"to":[["1","end"]]}]]}
{"id":"u","a":["stay","go"],"b":["wait"],"cells":[[{"to":[["1","end"]]}],[{"to":[["1","end"]]}]]}
{"id":"end","value":"3"}
"#;

fn judged(solution: &StochasticSolution) -> [PolicyJudgement; 2] {
    Player::BOTH.map(|player| {
        let policy = StationaryPolicy::uniform(solution.game(), player);
        solution.judge(&policy, &mut unwatched).unwrap()
    })
}

/// The error's code and sentence.
fn refusal<T>(result: Result<T, StochasticGameError>) -> [String; 2] {
    let error = result.err().expect("a refusal");
    [error.code().to_owned(), error.to_string()]
}

#[test]
fn a_state_that_there_is_not_is_refused() {
    let solution = solve(SMALL);
    let game = solution.game();
    let names: Vec<&str> = game.states().map(|state| state.name()).collect();
    assert_eq!(names, ["s", "end"]);
    let judgements = judged(&solution);
    let training = GameTraining::new(LearnerKind::CfrPlus, game).unwrap();
    for number in [2, 3, usize::MAX] {
        let expected =
            ["stochastic_game.unknown_state".to_owned(), format!("there is no state `{number}`")];
        assert_eq!(refusal(game.state(number)), expected);
        assert_eq!(refusal(game.without(number)), expected);
        assert_eq!(refusal(solution.matrix(number)), expected);
        assert_eq!(refusal(solution.losses(number)), expected);
        assert_eq!(refusal(StageReport::new(&solution, number)), expected);
        assert_eq!(refusal(judgements[0].state(number)), expected);
        assert_eq!(refusal(PolicyJudgement::exploitability(&judgements, number)), expected);
        assert_eq!(refusal(JudgementReport::new(&solution, &judgements, &[number])), expected);
        assert_eq!(refusal(training.shares(number, Player::A)), expected);
    }
}

#[test]
fn actions_that_there_are_not_are_refused() {
    let game = StochasticGame::read(SMALL.as_bytes()).unwrap();
    let [start, end] = [0, 1].map(|number| game.state(number).unwrap());
    let turn = start.turn([1, 0]).unwrap();
    assert_eq!((turn.reward.to_string(), turn.successors.len()), ("1/2".to_owned(), 1));
    assert_eq!(start.draw([1, 0], u64::MAX).unwrap().name(), "end");
    let unknown = "stochastic_game.action_unknown".to_owned();
    let mut play = GamePlay::new("small".to_owned());
    for (actions, sentence) in [
        ([2, 0], "A has no action `2` at `s`; expected 0 to 1"),
        ([0, 1], "B has no action `1` at `s`; expected 0 to 0"),
    ] {
        let expected = [unknown.clone(), sentence.to_owned()];
        assert_eq!(refusal(start.turn(actions)), expected);
        assert_eq!(refusal(start.draw(actions, 0)), expected);
        assert_eq!(refusal(play.push(start, actions, end)), expected);
    }
    let expected = ["stochastic_game.end".to_owned(), "`end` is an end".to_owned()];
    assert_eq!(refusal(end.turn([0, 0])), expected);
    assert_eq!(refusal(end.draw([0, 0], 0)), expected);
    assert_eq!(refusal(play.push(end, [0, 0], end)), expected);
    play.push(start, [1, 0], end).unwrap();
    let judged = play.judge(&solve(SMALL)).unwrap();
    assert_eq!((judged.turns.len(), judged.payoff), (1, 3.5));
}

#[test]
fn policies_of_other_games_are_refused() {
    let solution = solve(SMALL);
    let own = Player::BOTH.map(|player| StationaryPolicy::uniform(solution.game(), player));
    for (text, sentence) in [
        (WIDER, "A's policy: there is no action 2; expected 0 to 1"),
        (LONGER, "A's policy: the state is an end"),
    ] {
        let other = StationaryPolicy::uniform(solve(text).game(), Player::A);
        let error = solution.judge(&other, &mut unwatched).unwrap_err();
        assert_eq!(error.code(), "stochastic_game.policy");
        assert!(error.to_string().ends_with(sentence), "{error}");
    }
    let longer = solve(LONGER);
    let error = longer.judge(&own[0], &mut unwatched).unwrap_err();
    let sentence = "state `t`: A's policy: nothing is said of how to play";
    assert_eq!((error.code(), &error.to_string()[..]), ("stochastic_game.policy", sentence));

    let wide = StationaryPolicy::optimal(&solve(WIDER), Player::A).unwrap();
    let mut duel = GameDuel::new(&solution, [&wide, &own[1]], 1);
    assert_eq!(duel.play(1).unwrap_err().code(), "stochastic_game.action_unknown");
    let mut duel = GameDuel::new(&longer, own.each_ref(), 1);
    assert_eq!(duel.play(1).unwrap_err().code(), "stochastic_game.policy");
    let mut duel = GameDuel::new(&solution, own.each_ref(), 1);
    duel.play(1_000).unwrap();
    assert!((duel.mean() - 3.25).abs() < 0.05);
}
