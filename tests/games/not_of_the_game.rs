//! Questions about what a game does not have: numbers of states, information sets and actions beyond its own, and
//! policies and strategies of other games. Each is refused with an error that names it.

use pencil_tennis::agents::{
    GameDuel, GameTraining, HiddenDuel, HiddenTraining, LearnerKind, SampledPlays,
};
use pencil_tennis::hidden::games::{KuhnPoker, LeducPoker, LiarsDice};
use pencil_tennis::hidden::{
    ActionPayoffs, BehaviourStrategy, GameTree, HiddenError, HiddenPlay, HiddenSolver, Judgement,
    PlayPlace,
};
use pencil_tennis::report::{GamePlay, JudgementReport, SetReport, StageReport};
use pencil_tennis::stochastic_game::{
    GameRules, Node, PolicyJudgement, StateView, StationaryPolicy, StochasticGame,
    StochasticGameError, StochasticSolution,
};
use pencil_tennis::{ByPlayer, Player, unwatched};

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
    let names: Vec<&str> = game.states().map(StateView::name).collect();
    assert_eq!(names, ["s", "end"]);
    let judgements = judged(&solution);
    let training = GameTraining::new(LearnerKind::CfrPlus, game).unwrap();
    // The rules of a game answer for a number that is no state's.
    assert!(matches!(GameRules::node(game, &2), Node::Choose { a: 0, b: 0 }));
    assert_eq!(GameRules::endless(game, &2).to_string(), "0");
    assert_eq!(GameRules::action_name(game, &2, Player::A, 0), "0");
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

/// The error's code and sentence.
fn hidden_refusal<T>(result: Result<T, HiddenError>) -> [String; 2] {
    let error = result.err().expect("a refusal");
    [error.code().to_owned(), error.to_string()]
}

#[test]
fn an_information_set_that_there_is_not_is_refused() {
    // Each player knows a card of three, and what was chosen: pass and bet, or nothing.
    let solution = HiddenSolver::from_rules(&KuhnPoker).unwrap().solve().unwrap();
    let tree = solution.tree();
    let training = HiddenTraining::new(LearnerKind::CfrPlus, tree).unwrap();
    for player in Player::BOTH {
        assert_eq!(tree.information_sets(player).len(), 6);
        let payoffs = solution.action_payoffs(player);
        let strategy = solution.behaviour(player);
        for set in [6, usize::MAX] {
            let sentence = format!("{player} has no information set `{set}`; expected 0 to 5");
            let expected = ["hidden.unknown_set".to_owned(), sentence];
            assert_eq!(hidden_refusal(solution.shares(player, set)), expected);
            assert_eq!(hidden_refusal(training.shares(player, set)), expected);
            assert_eq!(hidden_refusal(strategy.probabilities(tree, set)), expected);
            assert_eq!(hidden_refusal(strategy.draw(tree, set, 0)), expected);
            assert_eq!(hidden_refusal(payoffs.reach(set)), expected);
            assert_eq!(hidden_refusal(payoffs.at(set)), expected);
            assert_eq!(hidden_refusal(payoffs.regret(set, &[])), expected);
            assert_eq!(hidden_refusal(SetReport::new(&solution, player, set)), expected);
            let report = SetReport::with_payoffs(&solution, player, set, &payoffs);
            assert_eq!(hidden_refusal(report), expected);
        }
    }
    let payoffs = solution.action_payoffs(Player::A);
    let probabilities = solution.behaviour(Player::A).probabilities(tree, 0).unwrap();
    let [code, sentence] = hidden_refusal(payoffs.regret(0, &probabilities[..1]));
    assert_eq!(code, "hidden.strategy");
    assert!(sentence.ends_with("there are 1 probabilities; expected 2"), "{sentence}");
}

#[test]
fn an_action_that_an_information_set_has_not_is_refused() {
    let tree = GameTree::from_rules(&KuhnPoker).unwrap();
    let mut play = HiddenPlay::new(&tree);
    play.draw(0);
    let code = "hidden.unknown_action".to_owned();
    for action in [2, usize::MAX] {
        let sentence = format!("there is no action {action} here; expected 0 to 1");
        assert_eq!(hidden_refusal(play.choose(action)), [code.clone(), sentence]);
    }
    // Both pass.
    play.choose(0).unwrap();
    play.choose(0).unwrap();
    assert!(matches!(play.place(), PlayPlace::End(_)));
    let sentence = "there is no action 0 here; the play is over".to_owned();
    assert_eq!(hidden_refusal(play.choose(0)), [code, sentence]);
}

#[test]
fn strategies_of_other_trees_are_refused() {
    let trees = [
        GameTree::from_rules(&KuhnPoker).unwrap(),
        GameTree::from_rules(&LeducPoker).unwrap(),
        GameTree::from_rules(&LiarsDice::new(3)).unwrap(),
    ];
    for (index, tree) in trees.iter().enumerate() {
        for (other_index, other) in trees.iter().enumerate() {
            let strategies = ByPlayer::new(|player| BehaviourStrategy::uniform(other, player));
            let mut duel = HiddenDuel::new(tree, strategies.as_ref(), 1);
            for player in Player::BOTH {
                let judgement = Judgement::new(tree, strategies[player].clone());
                let payoffs = ActionPayoffs::new(tree, &strategies[player]);
                if index == other_index {
                    assert!(judgement.is_ok() && payoffs.is_ok() && duel.play(100).is_ok());
                    continue;
                }
                let sentence = format!(
                    "not a strategy of this game: expected a strategy of {player} for this tree"
                );
                let expected = ["hidden.strategy_file".to_owned(), sentence];
                assert_eq!(hidden_refusal(judgement), expected);
                assert_eq!(hidden_refusal(payoffs), expected);
                // Some sets of other trees look alike, so that some questions have an answer.
                let sets = 0..tree.information_sets(player).len();
                let answers = sets.map(|set| strategies[player].probabilities(tree, set));
                assert!(
                    answers
                        .filter_map(Result::err)
                        .all(|error| { [error.code().to_owned(), error.to_string()] == expected })
                );
            }
        }
    }
    let mut kuhn = HiddenSolver::from_rules(&KuhnPoker).unwrap();
    kuhn = kuhn.refinement(pencil_tennis::hidden::HiddenRefinement::QuasiPerfect);
    let kuhn = kuhn.solve().unwrap();
    let test_sequence = kuhn.test_sequence().expect("a test sequence");
    let small = "1/1000".parse().unwrap();
    assert!(test_sequence.strategy(kuhn.tree(), Player::A, &small).is_ok());
    for other in &trees[1..] {
        let refused = hidden_refusal(test_sequence.strategy(other, Player::A, &small));
        assert_eq!(refused[0], "hidden.test_sequence");
    }
}
