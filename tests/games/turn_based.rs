//! Exports of turn-based games, decision processes and chains: values worked out by hand, and games
//! written by a generator of our own whose values with a bound of steps are computed anew, as the
//! largest or least of fractions.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use num_traits::{One, Zero};
use pencil_tennis::model_checking::{
    ExplicitFiles, ExplicitModel, Probabilities, Property, Question,
};
use pencil_tennis::stochastic_game::{StochasticGame, StochasticSolver};

use crate::kernels::Fraction;
use crate::random_games::{fraction, numbers};

/// A ferry: player 1 loads it, player 2 steers it. In state 0 player 1 sends it off, fast or slow;
/// the fast way fails with 1/4. In state 1, under way, player 2 lands (state 2) or turns back.
/// State 3 is the wreck.
const FERRY: &str = "\
# Transitions (SMG)
4:2 6 7
0:0 0 1 0.75 fast
0:0 0 3 0.25 fast
0:0 1 1 1 slow
1:1 0 2 1
1:1 1 0 1
2:0 0 2 1
3:0 0 3 1
";

const FERRY_LABELS: &str = "# Labels\n0=\"init\" 1=\"deadlock\" 2=\"landed\"\n0: 0\n2: 2\n";

/// The fast way costs 1, the slow way 3, and a turn at sea 1 more.
const FERRY_COSTS: &str = "# Reward structure \"cost\"\n# Transition rewards\n4 6 5\n0 0 1 1\n0 0 3 1\n0 1 1 3\n1 0 2 1\n1 1 0 1\n";

fn written(folder: &Path, parts: &[(&str, &str)]) -> ExplicitFiles {
    for (ending, text) in parts {
        fs::write(folder.join(format!("m{ending}")), text).expect("room");
    }
    ExplicitFiles::beside(&folder.join("m.tra"))
}

fn bounds(model: &ExplicitModel, property: &str) -> Result<[Fraction; 2], String> {
    let property: Property = property.parse().map_err(|error| format!("{error}"))?;
    let game =
        model.game(&property, StochasticGame::MEMORY_LIMIT).map_err(|error| error.to_string())?;
    let start = game.starts()[0] as usize;
    let solution = StochasticSolver::new(game).solve().map_err(|error| error.to_string())?;
    Ok(solution.enclosure(&start).expect("a start").fractions())
}

fn assert_encloses(model: &ExplicitModel, property: &str, expected: &Fraction) {
    let [lower, upper] = bounds(model, property).expect(property);
    assert!(
        lower <= *expected && *expected <= upper,
        "{property}: {expected} is outside {lower} .. {upper}"
    );
    assert!(upper - lower < fraction(1, 1_000_000_000), "{property}: wide");
}

#[test]
fn turn_based_exports_have_the_values_worked_out_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let files =
        written(folder.path(), &[(".tra", FERRY), (".lab", FERRY_LABELS), (".trew", FERRY_COSTS)]);
    let mut model = ExplicitModel::read(&files, Probabilities::Exact).expect("an export");
    model.name_players(vec!["loader".into(), "pilot".into()]).expect("two names");
    for (property, value) in [
        // The pilot turns back for ever, or wrecks nothing without the loader's help.
        ("<<1>>Pmax=? [ F \"landed\" ]", fraction(0, 1)),
        ("<<loader>>Pmax=? [ F \"landed\" ]", fraction(0, 1)),
        ("<<2>>Pmax=? [ F \"landed\" ]", fraction(3, 4)),
        ("<<1,pilot>>Pmax=? [ F \"landed\" ]", fraction(1, 1)),
        ("<<*>>Pmax=? [ F \"landed\" ]", fraction(1, 1)),
        ("Pmax=? [ F \"landed\" ]", fraction(1, 1)),
        // The loader alone cannot prevent a landing, but for wrecking one ferry in four.
        ("<<1>>Pmin=? [ F \"landed\" ]", fraction(3, 4)),
        ("<<2>>Pmin=? [ F \"landed\" ]", fraction(0, 1)),
        ("<<2>>Pmax=? [ F<=1 \"landed\" ]", fraction(0, 1)),
        ("<<2>>Pmax=? [ F<=2 \"landed\" ]", fraction(3, 4)),
        ("<<1,2>>R{\"cost\"}min=? [ Fc \"landed\" ]", fraction(7, 4)),
        // Whoever must certainly land takes the slow way.
        ("<<1,2>>R{\"cost\"}min=? [ F \"landed\" ]", fraction(4, 1)),
        ("<<1,2>>R{\"cost\"}max=? [ C<=3 ]", fraction(7, 1)),
    ] {
        assert_encloses(&model, property, &value);
    }
    for (property, expected) in [
        (
            "<<captain>>Pmax=? [ F \"landed\" ]",
            "there is no player captain; expected one of loader, pilot",
        ),
        ("<<3>>Pmax=? [ F \"landed\" ]", "there is no player 3"),
    ] {
        let refused = bounds(&model, property).expect_err(property);
        assert!(refused.contains(expected), "{property}: {refused}");
    }
    for wrong in [vec!["loader".to_owned()], vec!["pilot".to_owned(), "pilot".to_owned()]] {
        assert!(
            model
                .name_players(wrong)
                .expect_err("wrong names")
                .to_string()
                .contains("2 different names")
        );
    }
}

/// Without a comment on top, the columns tell the kind.
#[test]
fn decision_processes_and_chains_have_the_values_worked_out_by_hand() {
    // From state 0, a wins with 1/2 and may be tried again; b wins with 2/3 at once or never.
    let process = "3 4 6\n0 0 0 0.5 a\n0 0 1 0.5 a\n0 1 1 2/3 b\n0 1 2 1/3 b\n1 0 1 1\n2 0 2 1\n";
    let states = "(s)\n0:(0)\n1:(1)\n2:(2)\n";
    let folder = tempfile::tempdir().expect("a folder");
    for comment in ["", "# Transitions (MDP)\n"] {
        let files =
            written(folder.path(), &[(".tra", &format!("{comment}{process}")), (".sta", states)]);
        let model = ExplicitModel::read(&files, Probabilities::Exact).expect("an export");
        assert_encloses(&model, "Pmax=? [ F s=1 ]", &fraction(1, 1));
        assert_encloses(&model, "Pmin=? [ F s=1 ]", &fraction(2, 3));
        assert_encloses(&model, "<<1>>Pmin=? [ F s=1 ]", &fraction(2, 3));
        assert_encloses(&model, "Pmax=? [ F<=2 s=1 ]", &fraction(5, 6));
        assert!(
            bounds(&model, "P=? [ F s=1 ]")
                .expect_err("no aim")
                .contains("do not say whether to maximise")
        );
    }
    // A walk that ends at 1 or 2 with 1/3 and 2/3, after 4/3 steps on average.
    let chain = "3 5\n0 0 0.25\n0 1 0.25\n0 2 0.5\n1 1 1\n2 2 1 stay\n";
    let steps = "# Reward structure \"steps\"\n# Transition rewards\n3 3\n0 0 1\n0 1 1\n0 2 1\n";
    for comment in ["", "# Transitions (DTMC)\n"] {
        let parts = [(".tra", &*format!("{comment}{chain}")), (".sta", states), (".trew", steps)];
        let model = ExplicitModel::read(&written(folder.path(), &parts), Probabilities::Exact)
            .expect("an export");
        assert_encloses(&model, "P=? [ F s=1 ]", &fraction(1, 3));
        assert_encloses(&model, "P=? [ G s!=1 ]", &fraction(2, 3));
        assert_encloses(&model, "R{\"steps\"}=? [ F s>0 ]", &fraction(4, 3));
        assert_encloses(&model, "R=? [ C<=2 ]", &fraction(5, 4));
    }
}

/// Choices of a state that share a name, or have none, are choices all the same.
#[test]
fn unnamed_and_repeated_actions_keep_their_choices() {
    let transitions = "# Transitions (SMG)\n3:1 5 5\n0:0 0 1 1 go\n0:0 1 2 1 go\n0:0 2 0 1\n1:0 0 1 1\n2:0 0 2 1\n";
    let folder = tempfile::tempdir().expect("a folder");
    let files =
        written(folder.path(), &[(".tra", transitions), (".sta", "(s)\n0:(0)\n1:(1)\n2:(2)\n")]);
    let model = ExplicitModel::read(&files, Probabilities::Exact).expect("an export");
    for target in ["s=1", "s=2"] {
        assert_encloses(&model, &format!("<<1>>Pmax=? [ F {target} ]"), &Fraction::one());
        assert_encloses(&model, &format!("<<1>>Pmin=? [ F {target} ]"), &Fraction::zero());
    }
    let property: Property = "<<1>>Pmax=? [ F s=2 ]".parse().expect("a property");
    let game = model.game(&property, 1 << 30).expect("a game");
    let start = game.starts()[0] as usize;
    let [actions, _] = game.state(start).unwrap().actions().expect("a state");
    assert_eq!(actions.iter().map(|name| &**name).collect::<Vec<_>>(), ["go#0", "go#1", "#2"]);
}

struct Turns {
    owners: Vec<usize>,
    /// By state and choice, successors with their probabilities.
    choices: Vec<Vec<Vec<(Fraction, usize)>>>,
}

impl Turns {
    fn new(seed: u64) -> Self {
        let mut next = numbers(seed);
        let states = 3 + next(4) as usize;
        let mut turns = Self { owners: Vec::new(), choices: Vec::new() };
        for _ in 0..states {
            turns.owners.push(next(3) as usize);
            let mut choices = Vec::new();
            for _ in 0..=next(3) {
                let first = next(states as u64) as usize;
                let second = (first + 1 + next(states as u64 - 1) as usize) % states;
                let share = 1 + next(4) as i64;
                choices.push(vec![(fraction(share, 5), first), (fraction(5 - share, 5), second)]);
            }
            turns.choices.push(choices);
        }
        turns
    }

    fn text(&self) -> String {
        let choices: usize = self.choices.iter().map(Vec::len).sum();
        let mut text =
            format!("# Transitions (SMG)\n{}:3 {choices} {}\n", self.choices.len(), 2 * choices);
        for (state, choices) in self.choices.iter().enumerate() {
            for (number, to) in choices.iter().enumerate() {
                for (probability, successor) in to {
                    let owner = self.owners[state];
                    writeln!(text, "{state}:{owner} {number} {successor} {probability} move")
                        .expect("text");
                }
            }
        }
        text
    }

    /// The probability to reach the last state within some steps, by state.
    fn reached(&self, maximises: [bool; 3], steps: usize) -> Vec<Fraction> {
        let last = self.choices.len() - 1;
        let mut values = vec![Fraction::zero(); self.choices.len()];
        values[last] = Fraction::one();
        for _ in 0..steps {
            let before = values.clone();
            for state in 0..last {
                let payoffs = self.choices[state]
                    .iter()
                    .map(|to| to.iter().map(|(share, next)| share * &before[*next]).sum());
                let best =
                    if maximises[self.owners[state]] { payoffs.max() } else { payoffs.min() };
                values[state] = best.expect("every state has a choice");
            }
        }
        values
    }
}

#[test]
fn bounded_reachability_of_random_turn_based_games_is_that_of_backward_induction() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..20 {
        let turns = Turns::new(seed);
        let last = turns.choices.len() - 1;
        let numbered: String =
            (0..=last).fold(String::new(), |text, state| text + &format!("{state}:({state})\n"));
        let parts = [(".tra", &*turns.text()), (".sta", &*format!("(s)\n{numbered}"))];
        let model = ExplicitModel::read(&written(folder.path(), &parts), Probabilities::Exact)
            .expect("an export");
        for (coalition, members) in
            [("1", [true, false, false]), ("2,3", [false, true, true]), ("*", [true; 3])]
        {
            for (operator, maximises) in [("Pmax", true), ("Pmin", false)] {
                for steps in [1, 2, 5] {
                    let is_max = members.map(|is_member| is_member == maximises);
                    let property = format!("<<{coalition}>>{operator}=? [ F<={steps} s={last} ]");
                    assert_encloses(&model, &property, &turns.reached(is_max, steps)[0]);
                }
            }
        }
    }
}

#[test]
fn damaged_turn_based_exports_are_refused_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    for (from, to, expected) in [
        (
            "(SMG)",
            "(CTMC)",
            "line 1: it is a model of the kind `CTMC`; expected CSG, SMG, MDP or DTMC",
        ),
        (
            "4:2 6 7",
            "4 6 7",
            "line 2: it does not begin as the export of a turn-based game; expected STATES:PLAYERS",
        ),
        ("4:2 6 7", "10000000:2 6 7", "7 transitions follow, of 10000000 states"),
        ("4:2 6 7", "4:2 6 7 8", "does not begin as the export"),
        ("1:1 0 2 1", "1 0 2 1", "line 6: expected STATE:OWNER CHOICE SUCCESSOR PROBABILITY"),
        ("1:1 0 2 1", "1:2 0 2 1", "`2` is no player; expected 0 to 1"),
        ("1:1 1 0 1", "1:0 1 0 1", "line 7: state 1 belongs to player 0 here, to 1 in line 6"),
        ("0:0 0 3 0.25 fast", "0:0 0 3 0.25 slow", "choice 0 has another action in line 3"),
        ("0:0 1 1 1 slow", "0:0 1 1 1 slow#1", "an action's name has a `#`"),
        ("0:0 1 1 1 slow", "0:0 1 1 1 slow boat", "line 5: expected STATE:OWNER"),
    ] {
        let damaged = FERRY.replacen(from, to, 1);
        assert_ne!(damaged, FERRY, "{from}");
        let files = written(folder.path(), &[(".tra", &damaged)]);
        let refused = ExplicitModel::read(&files, Probabilities::Exact).expect_err(to).to_string();
        assert!(refused.contains(expected), "{to}: {refused}");
    }
}

/// Damaged exports are read or refused; nothing panics, and a count in a header takes no memory.
#[test]
fn many_damaged_exports_do_no_harm() {
    const PARTS: [&str; 16] = [
        "0", "1", "9", "10000000", "-1", ":", " ", "\n", "0.5", "1/3", "1e-9", "nan", "#", "(SMG)",
        "[a,b]", "\u{feff}",
    ];
    let mut next = numbers(7);
    let folder = tempfile::tempdir().expect("a folder");
    let states = "(s)\n0:(0)\n1:(1)\n2:(2)\n3:(3)\n";
    let sound = [(".tra", FERRY), (".lab", FERRY_LABELS), (".trew", FERRY_COSTS), (".sta", states)];
    let property: Property = "<<2>>R{\"cost\"}min=? [ Fc \"landed\" ]".parse().expect("a property");
    let mut read = 0;
    for _ in 0..600 {
        let mut parts = sound.map(|(ending, text)| (ending, text.to_owned()));
        let damaged = &mut parts[next(4) as usize].1;
        for _ in 0..=next(2) {
            let places: Vec<usize> = damaged.char_indices().map(|(place, _)| place).collect();
            let at = next(places.len() as u64) as usize;
            let end = (at + next(4) as usize).min(places.len() - 1);
            damaged.replace_range(places[at]..places[end.max(at)], PARTS[next(16) as usize]);
        }
        let written_parts: Vec<(&str, &str)> =
            parts.iter().map(|(ending, text)| (*ending, text.as_str())).collect();
        let files = written(folder.path(), &written_parts);
        match ExplicitModel::read(&files, Probabilities::Nearest) {
            Ok(model) => {
                read += 1;
                let _ = model.game(&property, 1 << 24);
            }
            Err(error) => assert!(error.to_string().contains("m."), "{error}"),
        }
    }
    assert!(read > 20, "{read}");
}

/// State 0 lacks the choice of `t` against `t`, which the graph would take for one that leads
/// nowhere.
#[test]
fn a_verdict_by_the_graph_needs_every_pair_of_actions() {
    let transitions = "# Transitions (CSG)\n2:2 4 4\n0 0 1 1 [h,h]\n0 1 0 1 [h,t]\n0 2 0 1 [t,h]\n1 0 1 1 [-,-]\n";
    let folder = tempfile::tempdir().expect("a folder");
    let files = written(
        folder.path(),
        &[(".tra", transitions), (".lab", "0=\"init\" 1=\"there\"\n0: 0\n1: 1\n")],
    );
    let model = ExplicitModel::read(&files, Probabilities::Exact).expect("an export");
    let question: Question = "<<1>>P>=1 [ F \"there\" ]".parse().expect("a question");
    let answer = model.answer(&question, StochasticGame::MEMORY_LIMIT, &mut |_| {
        unreachable!("the graph decides")
    });
    let refused = answer.expect_err("a choice is missing").to_string();
    assert!(
        refused.contains("state 0 lacks a choice for a pair of actions; every pair needs one"),
        "{refused}"
    );
}

/// An export with limits of probabilities, as PRISM writes one: going east from state 0 leads to 1
/// with 0.8 to 0.9.
#[test]
fn exports_have_limits_of_probabilities() {
    let text = "# Transitions (IMDP)\n2 2 3\n0 0 0 [0.1,0.2] east\n0 0 1 [0.8,0.9] east\n1 0 1 [1,1] stuck\n";
    let folder = tempfile::tempdir().expect("room");
    let files =
        written(folder.path(), &[(".tra", text), (".lab", "0=\"init\" 1=\"there\"\n0: 0\n1: 1\n")]);
    let model = ExplicitModel::read(&files, Probabilities::Nearest).expect("a model");
    // Within two steps: 1 - p^2, where p is the probability of staying.
    assert_encloses(&model, "Pmaxmin=? [ F<=2 \"there\" ]", &fraction(24, 25));
    assert_encloses(&model, "Pmaxmax=? [ F<=2 \"there\" ]", &fraction(99, 100));
    for (text, expected) in [
        (
            text.replace("[0.1,0.2]", "[0.2,0.1]"),
            "`[0.2,0.1]` is no interval; expected its least number first",
        ),
        (text.replace("[0.1,0.2]", "[0,0.2]"), "state 0: `[0,0.2]` is no probability"),
        (
            text.replace("[0.1,0.2]", "[0.1,0.1]"),
            "state 0: the least probabilities of the choice sum to",
        ),
        (text.replace("IMDP", "IPOMDP"), "it is a model of the kind `IPOMDP`"),
    ] {
        let text =
            text.replace("[0.1,0.1] east\n0 0 1 [0.8,0.9]", "[0.1,0.1] east\n0 0 1 [0.8,0.85]");
        let files = written(folder.path(), &[(".tra", &text)]);
        let refused =
            ExplicitModel::read(&files, Probabilities::Exact).expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}
