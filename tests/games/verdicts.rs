//! Models in the modelling language, with values and verdicts that were worked out by hand.

use std::fmt::Write;

use pencil_tennis::model_checking::language::{Instance, Model, PropertyFile, read_value};
use pencil_tennis::model_checking::{
    Answer, ExplicitModel, Exploration, Interval, Property, Question, Verdict,
};
use pencil_tennis::stochastic_game::{StochasticGame, StochasticSolver};

use crate::kernels::Fraction;
use crate::random_games::{fraction, numbers};

const LIMIT: u64 = StochasticGame::MEMORY_LIMIT;

fn explored(text: &str, properties: &str, constants: &[(&str, &str)]) -> ExplicitModel {
    let model = Model::read(text).expect("a model");
    let file = PropertyFile::read(properties).expect("properties");
    let constants: Vec<_> = constants
        .iter()
        .map(|(name, value)| ((*name).to_owned(), read_value(value).expect("a value")))
        .collect();
    let instance = Instance::new(&model, Some(&file), &constants).expect("an instance");
    ExplicitModel::explore(
        "m.prism",
        &instance,
        LIMIT,
        &mut |_| std::ops::ControlFlow::Continue(()),
    )
    .expect("states")
}

fn answer(model: &ExplicitModel, question: &str) -> Result<Answer, String> {
    let question: Question = question.parse().map_err(|error| format!("{error}"))?;
    model
        .answer(&question, LIMIT, &mut |game| StochasticSolver::new(game).solve())
        .map_err(|error| error.to_string())
}

/// The number that a question asks for, if it is proved exactly, and how many games were solved
/// for it.
fn number_and_games(model: &ExplicitModel, question: &str) -> (Option<Fraction>, usize) {
    let asked: Question = question.parse().expect(question);
    let mut games = 0;
    let answer = model.answer(&asked, LIMIT, &mut |game| {
        games += 1;
        StochasticSolver::new(game).solve()
    });
    match answer.expect(question) {
        Answer::Number(interval) => (interval.exact().cloned(), games),
        Answer::Verdict { .. } => panic!("{question} is a verdict"),
    }
}

/// The bounds of the solved game of a question.
fn solved(model: &ExplicitModel, question: &str) -> Interval {
    let asked: Question = question.parse().expect(question);
    let mut solve = |game| StochasticSolver::new(game).solve();
    match model.answer_by_games(&asked, LIMIT, &mut solve).expect(question) {
        Answer::Number(interval) => interval,
        Answer::Verdict { .. } => panic!("{question} is a verdict"),
    }
}

fn verdict(model: &ExplicitModel, question: &str) -> Verdict {
    match answer(model, question).expect(question) {
        Answer::Verdict { verdict, .. } => verdict,
        Answer::Number(interval) => panic!("{question} is a number: {interval:?}"),
    }
}

fn assert_encloses(model: &ExplicitModel, question: &str, expected: &Fraction) {
    let Answer::Number(interval) = answer(model, question).expect(question) else {
        panic!("{question} is a verdict")
    };
    let [lower, upper] = interval
        .decimals()
        .map(|text| read_value(&text).expect("a decimal").number().expect("a number"));
    assert!(
        lower <= *expected && *expected <= upper,
        "{question}: {expected} is outside {lower} .. {upper}"
    );
    assert!(upper - lower < fraction(1, 1_000_000_000), "{question}: wide");
}

/// Knuth and Yao's die: a fair coin makes six faces of equal probability, after 11/3 tosses on
/// average.
const DIE: &str = "
    dtmc
    module die
        s : [0..7] init 0;
        d : [0..6] init 0;
        [] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=2);
        [] s=1 -> 1/2 : (s'=3) + 1/2 : (s'=4);
        [] s=2 -> 1/2 : (s'=5) + 1/2 : (s'=6);
        [] s=3 -> 1/2 : (s'=1) + 1/2 : (s'=7) & (d'=1);
        [] s=4 -> 1/2 : (s'=7) & (d'=2) + 1/2 : (s'=7) & (d'=3);
        [] s=5 -> 1/2 : (s'=7) & (d'=4) + 1/2 : (s'=7) & (d'=5);
        [] s=6 -> 1/2 : (s'=2) + 1/2 : (s'=7) & (d'=6);
        [] s=7 -> true;
    endmodule
    rewards \"tosses\" [] s<7 : 1; endrewards
";

#[test]
fn a_die_made_of_coins_is_fair() {
    let model = explored(DIE, "const int face; label \"thrown\" = s=7 & d=face;", &[("face", "4")]);
    assert_eq!(model.states(), 13);
    assert_encloses(&model, "P=? [ F \"thrown\" ]", &fraction(1, 6));
    assert_encloses(&model, "R{\"tosses\"}=? [ F s=7 ]", &fraction(11, 3));
    assert_encloses(&model, "P=? [ F<=3 s=7 ]", &fraction(3, 4));
    assert_encloses(&model, "1 - P=? [ F d=1 ] - P=? [ F d=2 ]", &fraction(2, 3));
    // After two steps play is in state 3, 4, 5 or 6 with 1/4 each; after three in 1 or 2 with 1/8
    // each, or at a face.
    assert_encloses(&model, "P=? [ F=2 s=4 ]", &fraction(1, 4));
    assert_encloses(&model, "P=? [ F[3,4] s=1 ]", &fraction(1, 8));
    assert_encloses(&model, "P=? [ F[1,3] s=1 ]", &fraction(1, 2));
    assert_encloses(&model, "P=? [ F[2,4] s=1 ]", &fraction(1, 8));
    assert_encloses(
        &model,
        "P=? [ s!=4 U[3,9] s=7 & d=1 ]",
        &(fraction(1, 8) + fraction(1, 32) + fraction(1, 128) + fraction(1, 512)),
    );
    assert_encloses(&model, "P=? [ G[2,3] s!=7 ]", &fraction(1, 4));
    assert_encloses(&model, "P=? [ G[3,3] s=7 ]", &fraction(3, 4));
    assert_encloses(&model, "filter(max, P=? [ F d=1 ], s<7)", &fraction(2, 3));
    assert_encloses(&model, "filter(sum, P=? [ X s=7 ], s=4 | s=3)", &fraction(3, 2));
    assert_encloses(&model, "filter(count, P>0.9 [ X s=7 ])", &fraction(8, 1));
    for (question, expected) in [
        ("P>0.16 [ F d=1 ]", Verdict::True),
        ("P>=0.17 [ F d=1 ]", Verdict::False),
        ("P<0.17 [ F d=1 ] & R{\"tosses\"}<=4 [ F s=7 ]", Verdict::True),
        ("!(P<0.17 [ F d=1 ]) | R{\"tosses\"}<3.6 [ F s=7 ]", Verdict::False),
        ("R{\"tosses\"}>=1000 [ F d=1 ]", Verdict::True),
        ("P>0.1 [ F d=1 ] => P<=0 [ F d=9 ]", Verdict::True),
        ("filter(forall, s=7 => P>=1 [ X s=7 ])", Verdict::True),
        ("filter(exists, P>0.4 [ X d=3 ], s<7)", Verdict::True),
        // States 3 and 6 throw with 1/2 at once, 4, 5 and 7 with 1.
        ("P>=0.75 [ F<=2 P>=0.5 [ X s=7 ] ]", Verdict::True),
        ("P>=1 [ F<=1 P>=0.5 [ X s=7 ] ]", Verdict::False),
        ("s=0 <=> true", Verdict::True),
    ] {
        assert_eq!(verdict(&model, question), expected, "{question}");
    }
}

/// Bounds of a value in which the exact number decides: 3/4 by two steps is a short fraction, and
/// play ends after two steps.
#[test]
fn a_bound_that_equals_the_value_is_decided_where_it_is_known() {
    let model = explored(DIE, "", &[]);
    for (bound, expected) in
        [(">=", Verdict::True), (">", Verdict::False), ("<=", Verdict::True), ("<", Verdict::False)]
    {
        assert_eq!(verdict(&model, &format!("P{bound}3/4 [ F<=3 s=7 ]")), expected, "{bound}");
    }
    // Two thirds have no finite binary fraction; without a cycle they are known all the same.
    let thirds = explored(
        "dtmc module m x : [0..2]; [] x=0 -> 2/3 : (x'=1) + 1/3 : (x'=2); [] x>0 -> true; endmodule",
        "",
        &[],
    );
    assert_eq!(verdict(&thirds, "P>=2/3 [ F<=1 x=1 ]"), Verdict::True);
    assert_eq!(verdict(&thirds, "P>2/3 [ F<=1 x=1 ]"), Verdict::False);
}

/// Both show a side at once; the first wins where the sides are equal. It can secure one half, and
/// no more.
const PENNIES: &str = "
    csg
    player first one endplayer
    player second two endplayer
    module one
        a : [0..2];
        [h1] a=0 -> (a'=1);
        [t1] a=0 -> (a'=2);
    endmodule
    module two = one [ a=b, h1=h2, t1=t2 ] endmodule
    label \"equal\" = a=b & a>0;
    rewards \"rounds\" true : 1; endrewards
";

#[test]
fn verdicts_of_a_concurrent_game_are_those_of_both_sides() {
    let model = explored(PENNIES, "", &[]);
    assert_encloses(&model, "<<first>>Pmax=? [ F \"equal\" ]", &fraction(1, 2));
    for (question, expected) in [
        ("<<first>>P>=0.5 [ F \"equal\" ]", Verdict::True),
        ("<<first>>P>0.5 [ F \"equal\" ]", Verdict::False),
        ("<<2>>P<=0.5 [ F \"equal\" ]", Verdict::True),
        ("<<2>>P<0.5 [ F \"equal\" ]", Verdict::False),
        ("<<first,second>>P>=1 [ F \"equal\" ]", Verdict::True),
        ("<<first>>P>=0.4 [ F \"equal\" ] & <<second>>P<=0.6 [ X \"equal\" ]", Verdict::True),
        ("<<first>>R{\"rounds\"}>=100 [ F a=3 ]", Verdict::True),
        ("<<first>>R{\"rounds\"}<=100 [ F a=3 ]", Verdict::False),
        // Without a coalition, whatever both choose.
        ("P>=0.1 [ F \"equal\" ]", Verdict::False),
        ("P<=1 [ F \"equal\" ]", Verdict::True),
        // It does not hold any more where the sides are equal, which the first avoids with one
        // half.
        ("<<first>>P>=0.5 [ G<=5 <<second>>P<=0.5 [ X \"equal\" ] ]", Verdict::True),
        ("<<first>>P>=0.51 [ G<=5 <<second>>P<=0.5 [ X \"equal\" ] ]", Verdict::False),
    ] {
        assert_eq!(verdict(&model, question), expected, "{question}");
    }
    for (question, expected) in [
        ("<<third>>P>=0.5 [ F a=1 ]", "there is no player third; expected one of first, second"),
        ("<<first>>P>=a [ F a=1 ]", "the bound of an operator is no constant number"),
        ("<<first>>P>=0.5 [ F <<2>>Pmax=? [ F a=1 ] ]", "its nested property is a number"),
        ("<<first>>Pmax=? [ F a=1 ] & true", "a number stands where a truth value is expected"),
        ("1 + <<first>>P>=0.5 [ F a=1 ]", "a truth value stands where a number is expected"),
        ("filter(state, <<first>>Pmax=? [ F a=1 ])", "states satisfy the filter; expected one"),
        ("filter(max, <<first>>Pmax=? [ F a=1 ], a>2)", "no state satisfies the filter"),
        ("1 / (<<first>>Pmax=? [ F<=1 \"equal\" ] - 0.5)", "a divisor may be 0"),
    ] {
        let refused = answer(&model, question).expect_err(question);
        assert!(refused.contains(expected), "{question}: {refused}");
    }
}

/// Hide or run: the hider wins where it hides from a throw or runs from a wait.
const SNOWBALL: &str = "
    csg
    player hider one endplayer
    player thrower two endplayer
    module one
        s : [0..2];
        [hide,wait] s=0 -> true;
        [hide,throw] s=0 -> (s'=1);
        [run,wait] s=0 -> (s'=1);
        [run,throw] s=0 -> (s'=2);
    endmodule
    module two
        [wait] s=0 -> true;
        [throw] s=0 -> true;
    endmodule
";

/// A value that only the limit of strategies attains: the hider of the snowball game wins with any
/// probability below 1.
#[test]
fn a_bound_at_an_unattained_limit_is_not_called_true() {
    let model = explored(SNOWBALL, "", &[]);
    assert_eq!(verdict(&model, "<<hider>>P>=0.99 [ F s=1 ]"), Verdict::True);
    assert_eq!(verdict(&model, "<<hider>>P>=1 [ F s=1 ]"), Verdict::False);
    assert_eq!(verdict(&model, "<<hider>>P>0 [ F s=1 ]"), Verdict::True);
    assert_eq!(verdict(&model, "<<hider>>P>=1 [ G s!=2 ]"), Verdict::True);
    assert_eq!(verdict(&model, "<<thrower>>P<=0 [ F s=1 ]"), Verdict::False);
    assert_eq!(verdict(&model, "<<hider,thrower>>P>=1 [ F s=1 ]"), Verdict::True);
    // To wait or to throw for ever does not win with certainty either.
    assert_eq!(verdict(&model, "<<thrower>>P<=0 [ F s=2 ]"), Verdict::True);
    assert_eq!(verdict(&model, "<<thrower>>P<=0.99 [ F s=1 ]"), Verdict::False);
}

/// A walk that each step ends with 1/3; then play is won, or, where the second player chooses so in
/// state 1, lost. In state 3 the first may wait for ever.
const CHOICES: &str = "
    smg
    player p m endplayer
    player q n endplayer
    const int from;
    global s : [0..5] init from;
    module m
        [] s=0 -> 1/3 : (s'=4) + 2/3 : true;
        [] s=2 -> 1/2 : (s'=0) + 1/2 : (s'=1);
        [] s=3 -> true;
        [] s=3 -> (s'=4);
        [] s=4 -> true;
        [] s=5 -> true;
    endmodule
    module n
        [] s=1 -> (s'=0);
        [] s=1 -> (s'=5);
    endmodule
";

/// Values by hand, and whether the graph proves them, so that no game is solved.
#[test]
fn numbers_that_the_graph_proves_need_no_game() {
    let one = fraction(1, 1);
    let none = fraction(0, 1);
    let half = fraction(1, 2);
    for (from, question, value, games) in [
        // Won almost surely, though a step may leave play where it is.
        ("0", "<<p>>Pmax=? [ F s=4 ]", &one, 0),
        ("0", "<<p>>Pmin=? [ F s=4 ]", &one, 0),
        ("0", "<<p>>Pmin=? [ G s!=4 ]", &none, 0),
        ("0", "<<p>>Pmax=? [ F s=5 ]", &none, 0),
        // The second player can lose it for the first, or win it.
        ("1", "<<p>>Pmax=? [ F s=4 ]", &none, 0),
        ("1", "<<p>>Pmin=? [ F s=4 ]", &one, 0),
        ("1", "<<q>>Pmax=? [ s!=5 U s=4 ]", &one, 0),
        ("1", "<<p,q>>Pmax=? [ F s=4 ]", &one, 0),
        ("1", "<<p,q>>Pmin=? [ F s=4 ]", &none, 0),
        // An unnamed coalition of a number is everybody.
        ("1", "Pmax=? [ F s=4 ]", &one, 0),
        ("1", "Pmin=? [ F s=4 ]", &none, 0),
        ("1", "<<q>>Pmin=? [ s<2 W s=4 ]", &none, 0),
        // Half of the plays come to the second player.
        ("2", "<<p>>Pmax=? [ F s=4 ]", &half, 1),
        ("2", "<<p>>Pmax=? [ G s!=4 ]", &none, 0),
        ("2", "<<q>>Pmax=? [ G s!=4 ]", &half, 1),
        ("2", "<<q>>Pmax=? [ F s=4 ]", &one, 0),
        // Waiting for ever wins what nobody breaks.
        ("3", "<<p>>Pmax=? [ G s=3 ]", &one, 0),
        ("3", "<<p>>Pmin=? [ F s=4 ]", &none, 0),
        ("3", "<<q>>Pmax=? [ G s=3 ]", &none, 0),
        ("3", "<<q>>Pmax=? [ F s=4 ]", &none, 0),
        // A bound of steps is a game of numbers: 1/3 + 2/3 · 1/3.
        ("0", "<<p>>Pmax=? [ F<=2 s=4 ]", &fraction(5, 9), 1),
    ] {
        let model = explored(CHOICES, "", &[("from", from)]);
        assert_encloses(&model, question, value);
        let (exact, solved) = number_and_games(&model, question);
        assert_eq!(solved, games, "{question} from {from}");
        assert!(games > 0 || exact.as_ref() == Some(value), "{question} from {from}: {exact:?}");
    }
}

/// A certificate is of a solved game.
#[test]
fn a_number_that_the_graph_proves_is_solved_for_a_certificate() {
    let model = explored(CHOICES, "", &[("from", "0")]);
    let question: Question = "<<p>>Pmax=? [ F s=4 ]".parse().expect("a question");
    let mut certificate = Vec::new();
    let answer = model.answer_by_games(&question, LIMIT, &mut |game| {
        let solution = StochasticSolver::new(game).solve()?;
        solution.write_certificate(&mut certificate).expect("bytes");
        Ok(solution)
    });
    let Answer::Number(interval) = answer.expect("an answer") else { panic!("a verdict") };
    assert!(!certificate.is_empty());
    assert_eq!(interval.decimals()[1], "1");
}

/// What the graph decides on the way is no longer solved: of half of the plays from state 2, all
/// are won, and all others lost.
#[test]
fn states_that_the_graph_decides_are_ends_of_the_game_that_is_solved() {
    let model = explored(CHOICES, "", &[("from", "2")]);
    let question: Question = "<<p>>Pmax=? [ F s=4 ]".parse().expect("a question");
    let mut states = Vec::new();
    let answer = model.answer(&question, LIMIT, &mut |game| {
        states.push(game.len());
        StochasticSolver::new(game).solve()
    });
    let Answer::Number(interval) = answer.expect("an answer") else { panic!("a verdict") };
    assert_eq!(interval.exact(), Some(&fraction(1, 2)));
    // State 2, state 0 as a win and state 1 as a loss.
    assert_eq!(states, [3]);
}

/// Hide or run is played with probability 1/2, else it is lost: worth 1/2, which no strategy of the
/// hider secures, as none secures 1 from hide or run. The thrower holds it to 1/2 whatever it does.
#[test]
fn a_value_that_rests_on_an_approached_one_decides_no_bound_of_the_hider() {
    let coin = SNOWBALL
        .replace("s : [0..2];", "s : [0..3] init 3; [go,off] s=3 -> 1/2 : (s'=0) + 1/2 : (s'=2);")
        .replace(
            "[wait] s=0 -> true;\n        [throw]",
            "[off] s=3 -> true; [wait] s=0 -> true; [throw]",
        );
    let model = explored(&coin, "", &[]);
    let half = fraction(1, 2);
    assert_encloses(&model, "<<hider>>Pmax=? [ F s=1 ]", &half);
    for (question, expected) in [
        ("<<hider>>P>=0.4999 [ F s=1 ]", Verdict::True),
        ("<<hider>>P>=0.5 [ F s=1 ]", Verdict::Undecided),
        ("<<hider>>P>0.5 [ F s=1 ]", Verdict::False),
        ("<<thrower>>P<=0.5 [ F s=1 ]", Verdict::True),
        ("<<thrower>>P<0.4999 [ F s=1 ]", Verdict::False),
    ] {
        assert_eq!(verdict(&model, question), expected, "{question}");
    }
}

/// A value of 1 is a number, whether attained or approached; a bound at 1 is not attained.
#[test]
fn an_approached_number_is_proved_by_the_graph_and_decides_no_bound() {
    let model = explored(SNOWBALL, "", &[]);
    let one = fraction(1, 1);
    for question in ["<<hider>>Pmax=? [ F s=1 ]", "<<thrower>>Pmin=? [ F s=1 ]"] {
        assert_eq!(number_and_games(&model, question), (Some(one.clone()), 0), "{question}");
    }
    for (bound, expected) in [("P>=1", Verdict::False), ("P>=0.9999", Verdict::True)] {
        let question = format!("<<hider>>{bound} [ F s=1 ]");
        assert_eq!(verdict(&model, &question), expected, "{question}");
    }
    // The value of a bound is what strategies secure, and none secures 1.
    let question = "<<hider>>P>=0.9999 [ F s=1 ]";
    let Answer::Verdict { value: Some(secured), .. } = answer(&model, question).expect(question)
    else {
        panic!("{question} has no value")
    };
    assert!(secured.exact().is_none(), "{secured:?}");
}

/// Pennies that are shown again until the sides are equal: no action is sure, but a fair coin wins
/// almost surely.
#[test]
fn a_mixed_strategy_that_wins_almost_surely_is_found() {
    let again = PENNIES.replace("a=0 ->", "!\"equal\" ->").replace("!\"equal\"", "a=0 | a!=b");
    let model = explored(&again, "", &[]);
    assert_eq!(verdict(&model, "<<first>>P>=1 [ F \"equal\" ]"), Verdict::True);
    let one = Some(fraction(1, 1));
    assert_eq!(number_and_games(&model, "<<first>>Pmax=? [ F \"equal\" ]"), (one, 0));
    assert_eq!(verdict(&model, "<<second>>P<=0 [ F \"equal\" ]"), Verdict::False);
    assert_eq!(verdict(&model, "<<second>>P>=1 [ G !\"equal\" ]"), Verdict::False);
    assert_eq!(verdict(&model, "<<first>>P<=0 [ G !\"equal\" ]"), Verdict::True);
    assert_eq!(verdict(&model, "<<first>>P<1 [ G !\"equal\" ]"), Verdict::True);
}

/// In a turn-based game a value is 1 or 0 exactly where it is attained: what the graph decides, the
/// solved values confirm.
#[test]
fn what_the_graph_decides_is_what_the_values_say() {
    let mut decided = [0; 2];
    for seed in 0..120 {
        let mut next = numbers(seed);
        let states = 4 + next(3);
        let mut modules = [String::new(), String::new()];
        for state in 0..states - 2 {
            let owner = next(2) as usize;
            for _ in 0..=next(2) {
                let [first, second] = [next(states), next(states)];
                let share = ["1", "1/2", "1/3"][next(3) as usize];
                let other = if share == "1" {
                    String::new()
                } else {
                    format!(" + 1-{share} : (s'={second})")
                };
                writeln!(modules[owner], "[] s={state} -> {share} : (s'={first}){other};")
                    .expect("text");
            }
        }
        let [first, second] = &modules;
        let text = format!(
            "smg player p m endplayer player q n endplayer global s : [0..{}];\nmodule m {first} endmodule\nmodule n {second} endmodule",
            states - 1
        );
        let model = explored(&text, "", &[]);
        let (won, lost) = (states - 1, states - 2);
        for path in [
            format!("F s={won}"),
            format!("s!={lost} U s={won}"),
            format!("s!=1 U s={won}"),
            format!("G s!={won}"),
            format!("s<2 W s={won}"),
        ] {
            for (operator, bound, attained) in [("max", ">=1", 1), ("min", "<=0", 0)] {
                let query = format!("<<p>>P{operator}=? [ {path} ]");
                let [lower, upper] = solved(&model, &query)
                    .decimals()
                    .map(|text| read_value(&text).expect("a decimal").number().expect("a number"));
                let goal = fraction(attained, 1);
                // Probabilities here are multiples of a fraction far larger than a billionth.
                let is_attained = lower <= goal && goal <= upper;
                assert!(
                    !is_attained || &upper - &lower < fraction(1, 1_000_000_000),
                    "{text}: {path}"
                );
                let found = verdict(&model, &format!("<<p>>P{bound} [ {path} ]"));
                assert_eq!(found == Verdict::True, is_attained, "{text}: {path} {bound}");
                // A number that is proved without a game is the solved one, 0 or 1.
                let (exact, games) = number_and_games(&model, &query);
                if games == 0 {
                    let exact = exact.expect("a number that is proved by the graph");
                    assert!(lower <= exact && exact <= upper, "{text}: {query} is {exact}");
                    assert!(exact == fraction(0, 1) || exact == fraction(1, 1), "{query}");
                } else {
                    assert!(!is_attained, "{text}: {query} is solved");
                }
                assert_ne!(found, Verdict::Undecided);
                decided[usize::from(is_attained)] += 1;
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 100), "{decided:?}");
}

#[test]
fn exploring_keeps_its_memory_limit_and_stops_when_asked() {
    let model = Model::read("mdp module m x : [0..9999999]; [] x<9999999 -> (x'=x+1); endmodule")
        .expect("a model");
    let instance = Instance::new(&model, None, &[]).expect("an instance");
    let mut never_cancel = |_| std::ops::ControlFlow::Continue(());
    let refused = ExplicitModel::explore("m.prism", &instance, 10_000_000, &mut never_cancel)
        .expect_err("too large")
        .to_string();
    assert!(refused.contains("above the limit of 9.5 MiB"), "{refused}");
    // Each report has more states than the one before, and none more than there are.
    let walk = Model::read("mdp module m x : [0..99999]; [] x<99999 -> (x'=x+1); endmodule")
        .expect("a model");
    let mut counts = Vec::new();
    let mut count = |found| {
        counts.push(found);
        std::ops::ControlFlow::Continue(())
    };
    let walk = Instance::new(&walk, None, &[]).expect("an instance");
    ExplicitModel::explore("m.prism", &walk, LIMIT, &mut count).expect("states");
    assert!(
        counts.len() > 5 && counts.is_sorted() && counts.iter().all(|&found| found <= 100_000),
        "{counts:?}"
    );
    let mut stop = |_| std::ops::ControlFlow::Break(());
    let stopped =
        ExplicitModel::explore("m.prism", &instance, LIMIT, &mut stop).expect_err("stopped");
    assert!(matches!(
        stopped,
        pencil_tennis::stochastic_game::Error::Work(pencil_tennis::WorkError::Cancelled)
    ));
}

/// A model of some 9,000 states in wide layers: two counters that move together or alone, with
/// rewards of states and choices.
const COUNTERS: &str = "
    mdp
    const int most;
    module first x : [0..94]; [both] x<94 -> 1/3 : (x'=x+1) + 2/3 : true; [] x<94 & x!=most -> (x'=x+1); endmodule
    module second y : [0..94]; [both] y<94 -> 1/(x+2) : true + 1-1/(x+2) : (y'=y+1); [] y<94 -> (y'=y+1); endmodule
    label \"even\" = mod(x+y,2)=0;
    rewards \"r\" x=y : x; [both] x>y : 1/(x+1); [] true : y; endrewards
";

/// The counters, or a variant of them, explored on some threads.
fn explored_on(text: &str, threads: usize) -> Result<ExplicitModel, String> {
    let model = Model::read(text).expect("a model");
    let constants = [("most".to_owned(), read_value("40").expect("a value"))];
    let instance = Instance::new(&model, None, &constants).expect("an instance");
    let exploration = Exploration::within(LIMIT).threads(threads);
    let explored =
        exploration.explore("m.prism", &instance, &mut |_| std::ops::ControlFlow::Continue(()));
    explored.map_err(|error| error.to_string())
}

/// All that a model holds, in an order that does not depend on its hash tables.
pub(crate) fn content(model: &ExplicitModel) -> Vec<String> {
    let debug = format!("{model:?}");
    let mut words: Vec<String> =
        debug.split(|sign: char| !sign.is_alphanumeric()).map(str::to_owned).collect();
    words.sort_unstable();
    words
}

fn written(model: &ExplicitModel, property: &str) -> Vec<u8> {
    let property: Property = property.parse().expect("a property");
    let mut bytes = Vec::new();
    model.game(&property, LIMIT).expect("a game").write(&mut bytes).expect("bytes");
    bytes
}

#[test]
fn exploring_on_several_threads_finds_the_same_model() {
    let question = "R{\"r\"}max=? [ C<=3 ]";
    let alone = explored_on(COUNTERS, 1).expect("states");
    assert_eq!(alone.states(), 95 * 95);
    for threads in [2, 3, 7] {
        let together = explored_on(COUNTERS, threads).expect("states");
        assert!(content(&together) == content(&alone), "{threads} threads");
        assert!(written(&together, question) == written(&alone, question), "{threads} threads");
    }
    assert!(explored_on(COUNTERS, 0).expect_err("no thread").contains("thread"));
}

#[test]
fn the_first_malformed_state_is_named_on_any_number_of_threads() {
    // The sum is wrong in many states; breadth first, one of them comes first.
    let text = COUNTERS.replace("1/3 : (x'=x+1)", "(x+y>=90 ? 1/2 : 1/3) : (x'=x+1)");
    let alone = explored_on(&text, 1).expect_err("malformed");
    assert!(alone.contains("sum to 7/6"), "{alone}");
    for threads in [2, 3, 7] {
        assert_eq!(explored_on(&text, threads).expect_err("malformed"), alone);
    }
}

/// A walk that succeeds with a probability between 0.7 and 0.9, is delayed with 0.05 to 0.25, and
/// lost with 0.05. Success, in the end: 14/15 with the probabilities that are worst for it, v =
/// 0.7 + 0.25 v, and 18/19 with the best ones, v = 0.9 + 0.05 v.
const WALK: &str = "
    mdp
    module m
        s : [0..2] init 0;
        [go] s=0 -> [0.7,0.9] : (s'=1) + [0.05,0.25] : true + 0.05 : (s'=2);
        [stay] s>0 -> true;
    endmodule
    rewards \"steps\" s=0 : 1; endrewards
";

#[test]
fn nature_chooses_uncertain_probabilities() {
    let model = explored(WALK, "", &[]);
    let [least, most] = [fraction(14, 15), fraction(18, 19)];
    for (query, value) in [
        ("Pmaxmin=? [ F s=1 ]", &least),
        ("Pminmin=? [ F s=1 ]", &least),
        ("Pmaxmax=? [ F s=1 ]", &most),
        ("Pminmax=? [ F s=1 ]", &most),
        // Unsaid, nature is against the coalition.
        ("Pmax=? [ F s=1 ]", &least),
        ("Pmin=? [ F s=1 ]", &most),
        ("R{\"steps\"}maxmin=? [ F s>0 ]", &fraction(20, 19)),
        ("R{\"steps\"}maxmax=? [ F s>0 ]", &fraction(4, 3)),
        ("Pmaxmin=? [ F<=2 s=1 ]", &fraction(7, 8)),
    ] {
        assert_encloses(&model, query, value);
    }
    // A bound has to hold whatever nature chooses: 14/15 is 0.9333…, and 18/19 is 0.947….
    for (bound, expected) in [
        ("P>=0.933 [ F s=1 ]", Verdict::True),
        ("P>=0.94 [ F s=1 ]", Verdict::False),
        ("P<=0.94 [ F s=1 ]", Verdict::False),
        ("P<=0.95 [ F s=1 ]", Verdict::True),
        ("P>=1 [ F s>0 ]", Verdict::True),
        ("P>=1 [ F s=1 ]", Verdict::False),
    ] {
        assert_eq!(verdict(&model, bound), expected, "{bound}");
    }
    // A chain has no other choice.
    let chain = explored(
        &WALK.replacen("mdp", "dtmc", 1).replace("[go]", "[]").replace("[stay]", "[]"),
        "",
        &[],
    );
    assert_encloses(&chain, "Pmin=? [ F s=1 ]", &least);
    assert_encloses(&chain, "Pmax=? [ F s=1 ]", &most);
    assert!(answer(&chain, "P=? [ F s=1 ]").is_err());
    let certain = answer(&explored(DIE, "", &[]), "Pmaxmin=? [ F d=1 ]").expect_err("no choice");
    assert!(certain.contains("all probabilities are known"), "{certain}");
}

/// Jamming of radio channels (He and Parker 2026): four channels change between free and busy by
/// intervals of width 0.02, a user sends on one, and a jammer blocks one. Half of six slots have to
/// arrive. Their program prints 0.798114889207.
#[test]
fn a_concurrent_game_with_uncertain_channels_is_solved() {
    let mut text = "csg player user user endplayer player jammer jammer endplayer
        const int slots = 6; const double eps = 0.01;
        formula kept = 0.25;
        module jammer [j1] true -> true; [j2] true -> true; [j3] true -> true; endmodule
        module user sent : [0..slots] init 0;"
        .to_owned();
    for channel in 0..3 {
        writeln!(
            text,
            "[u{channel}] true -> (sent' = min(slots, sent + (c{channel}' = 0 ? 1 : 0)));"
        )
        .expect("text");
        if channel > 0 {
            writeln!(text, "[u{channel},j{channel}] true -> true;").expect("text");
        }
    }
    text += "endmodule\n";
    for channel in 0..4 {
        writeln!(
            text,
            "module channel{channel} c{channel} : [0..1] init 1;
             [] c{channel}=0 -> [kept-eps,kept+eps] : true + [0.75-eps,0.75+eps] : (c{channel}'=1);
             [] c{channel}=1 -> [kept-eps,kept+eps] : true + [0.75-eps,0.75+eps] : (c{channel}'=0);
             endmodule"
        )
        .expect("text");
    }
    let model = explored(&text, "", &[]);
    let query = "<<user>>Pmax=? [ F<=6 2*sent>=slots ]";
    let Answer::Number(interval) = answer(&model, query).expect(query) else { panic!("a verdict") };
    let decimals = interval.decimals();
    // Another program, in fractions, proves 0.798114889207186 to …215, rounded to nearest.
    assert!(
        decimals.iter().all(|decimal| decimal.starts_with("0.79811488920718586")),
        "{decimals:?}"
    );
}
