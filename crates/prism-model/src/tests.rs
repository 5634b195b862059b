//! Models whose states and choices were worked out by hand; damaged texts.

use std::fmt::Write;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

use crate::{
    Instance, LanguageError, Model, PropertyFile, State, Value, read_property, read_value,
};

fn instance(text: &str) -> Result<Instance, LanguageError> {
    Instance::new(&Model::read(text)?, None, &[])
}

/// The choices of a state as text: actions, then probabilities and successors.
fn choices(instance: &Instance, state: &[i32]) -> Vec<String> {
    let names = instance.action_names();
    let mut lines = Vec::new();
    for choice in &instance.choices(state).expect("choices").choices {
        let mut actions = Vec::new();
        for step in &choice.steps {
            let joint: Vec<&str> = step
                .actions
                .iter()
                .map(|action| action.map_or("-", |action| &names[action]))
                .collect();
            actions.push(joint.join(","));
        }
        let to: Vec<String> = choice
            .to
            .iter()
            .map(|(next, probability)| format!("{probability} {}", instance.describe(next)))
            .collect();
        lines.push(format!("{}: {}", actions.join(";"), to.join(" + ")));
    }
    lines
}

fn start(instance: &Instance) -> State {
    instance.initial_states(1_000).expect("states").remove(0)
}

/// Two modules synchronise on `go` and move alone otherwise; the second is a renamed copy, and the
/// formula in its guard is of its own variable.
#[test]
fn modules_synchronise_and_are_renamed() {
    let text = "
        mdp
        const int top = 2;
        formula free = x < top;
        module first
            x : [0..top] init 0;
            [go] free -> 1/4 : (x'=x+1) + 3/4 : true;
            [] x = top -> (x'=0);
        endmodule
        module second = first [ x = y ] endmodule
        rewards \"moves\" x = 1 : 2; [go] true : x + 1/2; [] true : 7; endrewards
    ";
    let instance = instance(text).expect("a model");
    assert_eq!(
        choices(&instance, &start(&instance)),
        ["go: 9/16 (x=0,y=0) + 3/16 (x=0,y=1) + 3/16 (x=1,y=0) + 1/16 (x=1,y=1)"]
    );
    // The second module cannot go, and moves alone.
    assert_eq!(choices(&instance, &[1, 2]), ["-: 1 (x=1,y=0)"]);
    let reward = |state: &[i32]| {
        let choice = instance.choices(state).expect("choices").choices.remove(0);
        let of_state = instance.state_reward(0, state).expect("a reward");
        [of_state, instance.choice_reward(0, state, &choice).expect("a reward")]
            .map(|reward| reward.to_string())
    };
    assert_eq!(reward(&[1, 1]), ["2", "3/2"]);
    assert_eq!(reward(&[1, 2]), ["2", "7"]);
}

/// In a chain, chance takes each enabled command with the same probability, and its rewards are
/// means.
#[test]
fn chance_chooses_among_the_commands_of_a_chain() {
    let text = "
        dtmc
        module m
            s : [0..3];
            [a] s = 0 -> (s'=1);
            [b] s = 0 -> 1/2 : (s'=2) + 1/2 : (s'=3);
            [] s = 0 -> (s'=1);
        endmodule
        rewards [a] true : 6; [] true : 3; endrewards
    ";
    let instance = instance(text).expect("a model");
    assert_eq!(choices(&instance, &[0]), ["-;a;b: 2/3 (s=1) + 1/6 (s=2) + 1/6 (s=3)"]);
    let choice = &instance.choices(&[0]).expect("choices").choices[0];
    assert_eq!(
        instance.choice_reward(0, &[0], choice).expect("a reward"),
        BigRational::from_integer(3.into())
    );
    assert!(choices(&instance, &[1]).is_empty());
}

/// Pennies that are counted by a module of nobody: its commands see what both do, and values after
/// the step. A command that names both actions has precedence.
#[test]
fn players_of_a_concurrent_game_act_at_once() {
    let text = "
        csg
        player row one endplayer
        player column two endplayer
        module one
            a : [0..1];
            [h1] true -> (a'=0);
            [t1] true -> (a'=1);
        endmodule
        module two = one [ a = b, h1 = h2, t1 = t2 ] endmodule
        module count
            same : [0..9];
            [] same < 8 -> (same' = a' = b' ? same + 1 : same);
            [h1,h2] same < 8 -> (same' = same + 2);
        endmodule
        rewards \"both\" [t1,t2] true : 5; [] true : 1; endrewards
    ";
    let instance = instance(text).expect("a model");
    assert_eq!(
        choices(&instance, &[0, 0, 0]),
        [
            "h1,h2: 1 (a=0,b=0,same=2)",
            "h1,t2: 1 (a=0,b=1,same=0)",
            "t1,h2: 1 (a=1,b=0,same=0)",
            "t1,t2: 1 (a=1,b=1,same=1)"
        ]
    );
    let all = instance.choices(&[0, 0, 0]).expect("choices").choices;
    let paid: Vec<String> = all
        .iter()
        .map(|choice| instance.choice_reward(0, &[0, 0, 0], choice).expect("a reward").to_string())
        .collect();
    assert_eq!(paid, ["1", "1", "1", "6"]);
}

#[test]
fn turns_belong_to_players() {
    let text = "
        smg
        player p alone, [push] endplayer
        player q second endplayer
        module alone x : [0..2]; [] x = 0 -> (x'=1); [push] x = 2 -> (x'=0); endmodule
        module second y : bool; [] x = 1 -> (y'=!y); [push] y -> true; endmodule
    ";
    let instance = instance(text).expect("a model");
    assert_eq!(instance.choices(&[0, 0]).expect("choices").owner, 0);
    assert_eq!(instance.choices(&[1, 0]).expect("choices").owner, 1);
    assert_eq!(choices(&instance, &[2, 1]), ["push: 1 (x=0,y=true)"]);
    assert_eq!(instance.choices(&[2, 1]).expect("choices").owner, 0);
}

#[test]
fn numbers_are_exact() {
    for (text, value) in [
        ("0.1 + 0.2", "3/10"),
        ("1e-3 * 2.5E2", "1/4"),
        ("-2 ^ 2", "4"),
        ("2 ^ 3 ^ 2", "64"),
        ("pow(2, 10) - 1", "1023"),
        ("pow(4/9, 0.5)", "2/3"),
        ("mod(-7, 3)", "2"),
        ("round(-1.5)", "-1"),
        ("floor(-0.5) + ceil(0.5)", "0"),
        ("log(8, 2) + log(1/9, 3)", "1"),
        ("func(max, 1, 7, 3)", "7"),
        ("22 / 7", "22/7"),
        ("9223372036854775807 + 1", "9223372036854775808"),
        ("1 < 2 & !false | false => false ? 1 : 2", "2"),
        ("2 - 3 - 4", "-5"),
        ("!1=2", "true"),
        ("false => true => false", "true"),
        ("true <=> false <=> false", "true"),
    ] {
        assert_eq!(read_value(text).expect(text).to_string(), value, "{text}");
    }
    for (text, expected) in [
        ("1 / 0", "`/` does not take 1 and 0"),
        ("pow(2, 0.3)", "does not take"),
        ("pow(2, 1e9)", "does not take"),
        ("log(3, 2)", "does not take"),
        ("1e99999", "the exponent of `1e99999` is too large"),
        ("true + 1", "`+` does not take true and 1"),
        ("x", "`x` is not known here"),
        ("1 2", "stands where the end is expected"),
        ("sin(1)", "`sin` is no function; expected one of min, max"),
    ] {
        let refused = read_value(text).expect_err(text).to_string();
        assert!(refused.contains(expected), "{text}: {refused}");
    }
}

const SOUND: &str = "csg
player p one endplayer
player q two endplayer
const int k = 3;
formula near = x < k;
label \"done\" = x = k;
global g : [0..1];
module one
  x : [0..k] init 0;
  [a] near -> 0.5 : (x'=x+1) + 0.5 : true;
  [b] true -> (g'=1);
endmodule
module two
  y : bool;
  [c] true -> (y'=!y);
endmodule
rewards \"r\" [a,c] x = 0 : 2; true : 1; endrewards
";

#[test]
fn faults_are_told_with_their_place() {
    assert!(instance(SOUND).is_ok());
    for (from, to, expected) in [
        (
            "csg",
            "ctmc",
            "line 1, column 1: models of the kind ctmc are not supported; expected csg, smg, mdp or dtmc",
        ),
        ("csg", "pomdp", "models of the kind pomdp are not supported"),
        ("csg", "csg mdp", "line 1, column 5: the kind of the model stands there twice"),
        ("const int k = 3;", "const int k;", "line 9, column 11: the constant `k` has no value"),
        (
            "const int k = 3;",
            "const int k = 1/2;",
            "line 4, column 11: the constant `k` is 1/2; expected a whole number",
        ),
        ("const int k = 3;", "const int k = k;", "line 4"),
        (
            "const int k = 3;",
            "const int k = 3",
            "line 5, column 1: `formula` stands where `;` is expected",
        ),
        (
            "x < k",
            "x < near",
            "line 5, column 16: the expression is nested too deeply, or has a formula that contains itself",
        ),
        ("x < k", "z < k", "line 5, column 16: there is no variable `z`; expected one of"),
        ("x : [0..k]", "x : int", "line 9, column 7: a variable without bounds is not supported"),
        ("x : [0..k]", "x : clock", "line 9, column 7: clocks are not supported"),
        ("x : [0..k]", "x : [5..k]", "line 9, column 3: the range of `x` is empty: 5 to 3"),
        ("x : [0..k]", "x : [0..1e12]", "expected a whole number of 32 bits"),
        ("init 0;", "init 9;", "line 9, column 19: `x` begins at 9, which is outside of its range"),
        ("y : bool", "x : bool", "line 14, column 3: the name `x` is taken already"),
        (
            "0.5 : (x'=x+1)",
            "0.4 : (x'=x+1)",
            "line 10, column 3: in state (g=0,x=0,y=false): the probabilities of the command sum to 9/10",
        ),
        (
            "0.5 : (x'=x+1)",
            "[0,0.5] : (x'=x+1)",
            "a probability is [0,1/2]; expected two numbers above 0",
        ),
        (
            "0.5 : (x'=x+1)",
            "[0.5,0.4] : (x'=x+1)",
            "a probability is [1/2,2/5]; expected two numbers above 0",
        ),
        (
            "0.5 : (x'=x+1)",
            "[0.5,1.4] : (x'=x+1)",
            "a probability is [1/2,7/5]; expected two numbers above 0 and up to 1",
        ),
        (
            "0.5 : (x'=x+1)",
            "[0.2,0.4] : (x'=x+1)",
            "sum to 7/10 at least and 9/10 at most; expected 1 between them",
        ),
        ("0.5 : (x'=x+1)", "[0.2] : (x'=x+1)", "`]` stands where `,` is expected"),
        (
            "(x'=x+1)",
            "(x'=x+9)",
            "line 10, column 22: in state (g=0,x=0,y=false): `x` would be 9, which is outside of its range",
        ),
        ("(x'=x+1)", "(w'=1)", "there is no variable `w`"),
        ("(g'=1)", "(x'=x') & (g'=g')", "values after the step need each other"),
        ("(y'=!y)", "(g'=0)", "`g` gets two values in one step"),
        ("[c] true", "[a] true", "line 15, column 3: the action `a` belongs to two players"),
        (
            "[c] true",
            "[] true",
            "line 15, column 3: a command of a player's module lacks its action",
        ),
        ("[c] true", "[c] 1", "a formula is 1; expected true or false"),
        ("player q two", "player q three", "line 3, column 8: there is no module `three`"),
        ("player q two", "player p two", "the player `p` stands there twice"),
        ("endplayer", "", "`player` stands where"),
        ("module two", "module one", "two modules are called `one`"),
        ("label \"done\"", "label done", "a label in quotation marks"),
        ("global", "system one || two endsystem global", "process algebra"),
        ("rewards \"r\"", "rewards \"r", "the name lacks its closing quotation mark"),
        ("endrewards", "", "it ends where"),
        ("csg", "/* csg", "line 1, column 1: the comment lacks its `*/`"),
        ("csg", "csg §", "line 1, column 5: `§` is not part of the language"),
    ] {
        let damaged = SOUND.replacen(from, to, 1);
        assert_ne!(damaged, SOUND, "{from}");
        let refused = instance(&damaged).and_then(|instance| {
            let start = instance.initial_states(1_000)?.remove(0);
            instance.choices(&start).map(|_| ())
        });
        let refused = refused.expect_err(to).to_string();
        assert!(refused.contains(expected), "{to}: {refused}");
    }
}

/// Single variables decide most guards, but no part behind one that may be malformed: with y = 0,
/// 6 / y is refused although x = 1 is false there.
#[test]
fn guards_hold_where_every_part_of_them_does() {
    let guards = ["x<1", "x<=1", "x>1", "x>=1", "x=1", "x!=1", "b", "!b", "!b & x=0", "1>x"];
    let named = guards.iter().enumerate();
    let commands: Vec<String> =
        named.map(|(name, guard)| format!("[a{name}] {guard} -> true; ")).collect();
    let commands = commands.concat();
    let text = format!("mdp module m x : [-1..2]; b : bool; {commands} endmodule");
    let model = instance(&text).expect("a model");
    for (state, expected) in [
        ([-1, 0], "0 1 5 7 9"),
        ([0, 0], "0 1 5 7 8 9"),
        ([0, 1], "0 1 5 6 9"),
        ([1, 1], "1 3 4 6"),
        ([2, 0], "2 3 5 7"),
    ] {
        let found = model.choices(&state).expect("no number is malformed").choices;
        let mut names: Vec<String> = found
            .iter()
            .map(|choice| {
                let action = choice.steps[0].actions[0].expect("a name");
                model.action_names()[action].trim_start_matches('a').to_owned()
            })
            .collect();
        names.sort();
        assert_eq!(names.join(" "), expected, "{state:?}");
    }

    let divided = |guard: &str| {
        let text = format!("mdp module m x : [0..1]; y : [0..9]; [] {guard} -> true; endmodule");
        instance(&text).expect("a model").choices(&[0, 0]).map(|found| found.choices.len())
    };
    assert_eq!(divided("y>0 & 6/y>2 & x=1"), Ok(0));
    assert_eq!(divided("x=1 & 6/y>2"), Ok(0));
    let refused = divided("6/y>2 & x=1").expect_err("a division by 0").to_string();
    assert!(refused.contains("`/` does not take 6 and 0"), "{refused}");
}

/// A command for each combination of values of `x`, `y` and `b`, also of some of them alone, in a
/// mixed order: a state enables the eight whose values it has.
#[test]
fn many_guards_are_told_apart_by_values() {
    // 0 to 4, or 5 for any; 0, 1, or 2 for any. 109 is a prime number, and 6 * 6 * 3 = 108.
    let combinations: Vec<[i32; 3]> = (1..=108)
        .map(|index| index * 31 % 109 - 1)
        .map(|number| [number % 6, number / 6 % 6, number / 36])
        .collect();
    let mut commands = String::new();
    for (name, [x, y, b]) in combinations.iter().enumerate() {
        let mut guard = vec!["true".to_owned()];
        guard.extend((*y < 5).then(|| format!("y={y}")));
        guard.extend((*x < 5).then(|| format!("x={x}")));
        guard.extend((*b < 2).then(|| if *b == 1 { "b" } else { "!b" }.to_owned()));
        let guard = if guard.len() > 1 { guard[1..].join(" & ") } else { guard[0].clone() };
        write!(commands, "[a{name}] {guard} -> true; ").expect("text");
    }
    let text = format!("mdp module m x : [0..4]; y : [0..4]; b : bool; {commands} endmodule");
    let model = instance(&text).expect("a model");
    for state in (0..50).map(|number| [number % 5, number / 5 % 5, number / 25]) {
        let found = model.choices(&state).expect("no number is malformed").choices;
        let mut names: Vec<usize> = found
            .iter()
            .map(|choice| choice.steps[0].actions[0].expect("a name"))
            .map(|action| model.action_names()[action][1..].parse().expect("a number"))
            .collect();
        names.sort_unstable();
        let has = |asked: i32, any: i32, actual: i32| asked == any || asked == actual;
        let expected: Vec<usize> = (0..108)
            .filter(|&name| {
                let [x, y, b] = combinations[name];
                has(x, 5, state[0]) && has(y, 5, state[1]) && has(b, 2, state[2])
            })
            .collect();
        assert_eq!(expected.len(), 8);
        assert_eq!(names, expected, "{state:?}");
    }
}

/// 0.333333 and 0.666666 are 1/3 and 2/3 of their sum. A sum that is 1/50000 away from 1 is wrong,
/// and limits, whose sums need not be 1, are as they are.
#[test]
fn probabilities_that_nearly_sum_to_1_are_normalised_if_that_is_asked_for() {
    let chain = |first: &str| {
        let commands = format!("[] x=0 -> {first}:(x'=1) + 0.666666:(x'=2); [] x>0 -> true;");
        instance(&format!("dtmc module m x : [0..2]; {commands} endmodule")).expect("a model")
    };
    let refused = |instance: &Instance| {
        instance.choices(&start(instance)).expect_err("no distribution").to_string()
    };
    let written = |instance: &Instance| {
        let mut all = String::new();
        instance.write_resolved(&mut all).expect("a string");
        all
    };

    let exact = chain("0.333333");
    let message = refused(&exact);
    let hint =
        "sum to 999999/1000000; expected 1; if they are normalised, they are divided by their sum";
    assert!(message.contains(hint), "{message}");
    let written_before = written(&exact);
    let normalised = exact.normalised();
    assert_ne!(written(&normalised), written_before);
    assert_eq!(choices(&normalised, &start(&normalised)), ["-: 1/3 (x=1) + 2/3 (x=2)"]);

    // 19 decimals: 4, 1 and 3 parts of 10^19, which has 64 bits, and the rest.
    let long = chain("0.0000000000000000004:(x'=0) + 0.3333333333333333334").normalised();
    let shares = long.choices(&start(&long)).expect("a distribution").choices.remove(0).to;
    let unit = BigRational::new(1.into(), BigInt::from(1) << 61);
    let sum = BigRational::new(9_999_993_333_333_333_338_i128.into(), BigInt::from(10).pow(19));
    let asked = [4, 3_333_333_333_333_333_334, 6_666_660_000_000_000_000_i128]
        .map(|parts| BigRational::new(parts.into(), BigInt::from(10).pow(19)) / &sum);
    assert_eq!(
        shares.iter().map(|(_, share)| share.least()).sum::<BigRational>(),
        BigRational::from_integer(1.into())
    );
    for ((_, share), asked) in shares.iter().zip(&asked) {
        assert!((share.least() / &unit).is_integer(), "{share}");
        assert!((share.least() - asked).abs() <= &unit + &unit, "{share} for {asked}");
        assert!(share.least() > &BigRational::zero(), "{share}");
    }

    // From a distance of 1/100000 on to 1/50000.
    let near = chain("0.333324").normalised();
    let expected = ["-: 18518/55555 (x=1) + 37037/55555 (x=2)"];
    assert_eq!(choices(&near, &start(&near)), expected);
    let far = refused(&chain("0.333314").normalised());
    assert!(far.ends_with("sum to 49999/50000; expected 1"), "{far}");
    let limits = refused(&chain("[0.1,0.333333]").normalised());
    assert!(limits.contains("at least and 999999/1000000 at most"), "{limits}");
}

/// As PRISM's own export of this model has it: both modules move independently. A successor of
/// several updates gets the sum of their limits, at most 1.
#[test]
fn limits_of_probabilities_are_multiplied_and_added() {
    let text = "
        mdp
        module one x : [0..1]; [a] x=0 -> [0.8,0.9]:(x'=0) + [0.1,0.2]:(x'=1); endmodule
        module two = one [ x = y ] endmodule
        module three z : [0..1]; [b] true -> [0.1,0.7]:(z'=0) + [0.2,0.6]:(z'=0) + [0.1,0.3]:(z'=1) + [0,0]:(z'=1); endmodule";
    let instance = instance(text).expect("a model");
    let expected = [
        "a: [16/25,81/100] (x=0,y=0,z=0) + [2/25,9/50] (x=0,y=1,z=0) + [2/25,9/50] (x=1,y=0,z=0) + [1/100,1/25] (x=1,y=1,z=0)",
        "b: [3/10,1] (x=0,y=0,z=0) + [1/10,3/10] (x=0,y=0,z=1)",
    ];
    assert_eq!(choices(&instance, &start(&instance)), expected);
    let chain = "dtmc module m x : [0..1]; [] true -> [0.8,0.9]:(x'=0) + [0.1,0.2]:(x'=1); [] x=0 -> true; endmodule";
    let chain = self::instance(chain).expect("a model");
    let refused = chain.choices(&[0]).expect_err("two commands").to_string();
    assert!(
        refused.contains("chance takes one of several commands, and a probability is an interval"),
        "{refused}"
    );
    assert_eq!(choices(&chain, &[1]), ["-: [4/5,9/10] (x=0) + [1/10,1/5] (x=1)"]);
}

#[test]
fn operators_state_the_aim_of_nature() {
    for (text, is_read) in [
        ("Pmaxmin=? [ F x=1 ]", true),
        ("<<1>>R{\"r\"}minmax=? [ F x=1 ]", true),
        ("Rmaxmax=? [ C ]", true),
        ("Pmaxmean=? [ F x=1 ]", false),
        ("Pmaxminmax=? [ F x=1 ]", false),
        ("Pmaxmin>=0.5 [ F x=1 ]", false),
    ] {
        assert_eq!(read_property(text).is_ok(), is_read, "{text}");
    }
}

#[test]
fn files_have_many_properties() {
    let text = "
        const int n = 2; label \"far\" = x >= n;
        \"first\": P=? [ F<=n \"far\" ];
        // RESULT: 1
        P>=1 [ F x=2 ]
        S=? [ x=2 ]
        filter(max, R{\"r\"}min=? [ C<=5 ], x<2)";
    let file = PropertyFile::read(text).expect("a file");
    let read: Vec<_> = file
        .properties
        .iter()
        .map(|property| (property.name.as_deref(), property.property.is_ok()))
        .collect();
    assert_eq!(read, [(Some("first"), true), (None, true), (None, false), (None, true)]);
    assert_eq!(file.properties[1].text, "P>=1 [ F x=2 ]");
    assert_eq!(
        file.properties.iter().map(|property| property.at.line).collect::<Vec<_>>(),
        [3, 5, 6, 7]
    );
    let refused = file.properties[2].property.as_ref().expect_err("S").to_string();
    assert!(refused.starts_with("line 6, column 9: `S` is not supported"), "{refused}");
}

/// A minus or a bracket after a bound of steps belongs to the formula.
#[test]
fn a_bound_of_steps_ends_before_a_minus_or_a_bracket() {
    for (written, meant) in [
        ("P=? [ F<=2 -x=1 ]", "P=? [ F<=2 (-x=1) ]"),
        ("P=? [ F=n+1 -x=1 ]", "P=? [ F=(n+1) (-x=1) ]"),
        ("P=? [ F[n-1,n] -x=1 ]", "P=? [ F[(n-1),n] (-x=1) ]"),
        ("P=? [ y U<(n-1) -x=1 ]", "P=? [ y U<(n-1) (-x=1) ]"),
        ("P=? [ F<=n (x=1 | y) ]", "P=? [ F<=(n) (x=1 | y) ]"),
        ("P=? [ F<=2*n (x=1) ]", "P=? [ F<=(2*n) (x=1) ]"),
        ("P=? [ F<=max(n,2) (x=1) ]", "P=? [ F<=(max(n,2)) (x=1) ]"),
    ] {
        let [written, meant] =
            [written, meant].map(|text| format!("{:?}", read_property(text).expect(text)));
        // The places differ, and nothing else.
        let kinds = |text: &str| {
            text.split("at: Position")
                .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(&written)[1..], kinds(&meant)[1..]);
    }
}

/// What is nested or repeated too much is refused, and nothing overflows the stack.
#[test]
fn deep_texts_are_refused_or_read() {
    let nested = |open: &str, inside: &str, close: &str| {
        format!("{}{inside}{}", open.repeat(50_000), close.repeat(50_000))
    };
    for deep in [
        nested("(", "1", ")"),
        nested("min(1,", "1", ")"),
        nested("true ? ", "1", " : 1"),
        nested("1 ^ (", "1", ")"),
        nested("P>=1 [ F ", "x=1", " ]"),
        nested("true => ", "true", ""),
        nested("filter(max, ", "1", ")"),
        nested("1 - ", "1", ""),
    ] {
        assert!(read_property(&deep).is_err());
    }
    for long in [
        nested("1 + ", "1", ""),
        nested("!", "true", ""),
        nested("-", "1", ""),
        nested("true & ", "true", ""),
    ] {
        assert!(read_property(&long).is_ok());
    }
    // Each formula doubles the one before.
    let mut model = "mdp formula f0 = x;".to_owned();
    for number in 1..60 {
        write!(model, "formula f{number} = f{before} + f{before};", before = number - 1)
            .expect("text");
    }
    model += "module m x : [0..1]; [] f59 = 0 -> true; endmodule";
    let refused = instance(&model).err().expect("too many parts").to_string();
    assert!(refused.contains("parts once its formulas are written out"), "{refused}");
    let renamed = format!("{model} module n = m [ x = y ] endmodule");
    assert!(instance(&renamed).is_err());
}

/// Small texts that would take for ever, or all memory, if parts of them were read, copied or
/// written out again and again.
#[test]
fn small_texts_take_little_time_and_memory() {
    const DEEP: usize = 60;
    let mut brackets = "P>=0 [ true U true ]".to_owned();
    let mut release = "x=0".to_owned();
    let mut steps = "1".to_owned();
    for _ in 0..DEEP {
        brackets = format!("P>=0 [ ({brackets}) U true ]");
        release = format!("P>=0 [ true R {release} ]");
        steps = format!("P=? [ F=({steps}) true ]");
    }
    for text in [brackets, release, steps] {
        assert!(read_property(&text).is_ok(), "{text}");
    }
    let mut constants = "dtmc ".to_owned();
    for number in 0..DEEP {
        write!(constants, "const int a{number} = a{next} + a{next};", next = number + 1)
            .expect("text");
    }
    let mut formulas = "dtmc formula f0 = x=0;".to_owned();
    for number in 1..=15 {
        write!(formulas, "formula f{number} = f{before} & f{before};", before = number - 1)
            .expect("text");
    }
    let commands = "[] f15 -> true;".repeat(1_000);
    let copies = "module m0 x : [0..1]; [] f15 -> true; endmodule".to_owned();
    let copies = (1..1_000).fold(copies, |text, number| {
        format!("{text} module m{number} = m0 [ x=x{number} ] endmodule")
    });
    for (text, expected) in [
        (
            format!("{constants} const int a{DEEP} = unknown; module m x : [0..1]; endmodule"),
            "there is no variable `unknown`",
        ),
        (
            format!("{constants} const int a{DEEP}; module m x : [0..a0]; endmodule"),
            "the constant `a0` has no value",
        ),
        (
            format!("{formulas} module m x : [0..1]; {commands} endmodule"),
            "the model has more than 5000000 parts",
        ),
        (format!("{formulas} {copies}"), "the model has more than 5000000 parts"),
    ] {
        let refused = instance(&text).err().expect(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}

/// In each of five modules the action has eight commands of ten updates.
#[test]
fn combinations_in_one_state_are_limited_together() {
    let mut text = "mdp ".to_owned();
    for module in 0..5 {
        let updates: Vec<String> =
            (0..10).map(|value| format!("0.1 : (x{module}'={value})")).collect();
        let command = format!("[a] true -> {};", updates.join(" + "));
        write!(text, "module m{module} x{module} : [0..9]; {} endmodule ", command.repeat(8))
            .expect("text");
    }
    let instance = instance(&text).expect("a model");
    let refused = instance.choices(&start(&instance)).expect_err("too many").to_string();
    assert!(refused.contains("commands have more than 1000000 combinations"), "{refused}");
}

/// Two players with 400 actions each have 160,000 pairs, each of which would be held against 800
/// commands.
#[test]
fn joint_actions_are_limited_together_with_commands() {
    let mut text = "csg player one m endplayer player two n endplayer ".to_owned();
    for name in ["m", "n"] {
        let commands: Vec<String> =
            (0..400).map(|action| format!("[{name}{action}] true -> true;")).collect();
        write!(text, "module {name} {name}x : bool; {} endmodule ", commands.concat())
            .expect("text");
    }
    let instance = instance(&text).expect("a model");
    let refused = instance.choices(&start(&instance)).expect_err("too many").to_string();
    assert!(
        refused.contains("160000 joint actions beside 800 commands are more than 100000000 pairs"),
        "{refused}"
    );
}

/// The place where reading stopped is followed by a property again, so that no line is read twice.
#[test]
fn malformed_properties_end_where_reading_stopped() {
    let lines = "x +\n".repeat(20_000);
    let file =
        PropertyFile::read(&format!("{lines}]; P=? [ F x=1 ]; P=? [ F\nG x=1 ]\nP=? [ G x=2 ]"))
            .expect("a file");
    let read: Vec<bool> =
        file.properties.iter().map(|property| property.property.is_ok()).collect();
    assert_eq!(read, [false, false, true, false, true]);
}

/// Damaged models and properties are read or refused; nothing panics.
#[test]
fn damaged_texts_do_no_harm() {
    const PROPERTIES: &str = "const int n; \"a\": <<p,2>>P>=0.5 [ x<3 U<=n \"done\" ]; filter(max, R{\"r\"}max=? [ C<=(n+1) ], y) <=> 1";
    const PARTS: [&str; 24] = [
        "(",
        ")",
        "[",
        "]",
        "'",
        "=",
        "->",
        ":",
        ";",
        "-1",
        "0.5",
        "1e3",
        "x",
        "true",
        "..",
        "\"",
        "module",
        "endmodule",
        "min(",
        "&",
        "?",
        "/*",
        "//",
        "9999999999",
    ];
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut read = 0;
    for round in 0..2_000 {
        let sound = if round % 3 == 0 { PROPERTIES } else { SOUND };
        let mut text = sound.to_owned();
        for _ in 0..=next(3) {
            let at = next(text.len());
            let end = (at + next(6)).min(text.len());
            let part = PARTS[next(PARTS.len())];
            text.replace_range(at..end, if next(3) == 0 { "" } else { part });
        }
        if round % 3 == 0 {
            read += usize::from(PropertyFile::read(&text).is_ok());
            continue;
        }
        let Ok(instance) = instance(&text) else { continue };
        read += 1;
        let mut states = instance.initial_states(1_000).unwrap_or_default();
        for step in 0..20 {
            let Some(state) = states.get(step).cloned() else { break };
            let Ok(all) = instance.choices(&state) else { break };
            for choice in all.choices {
                assert_eq!(
                    choice.to.iter().map(|(_, share)| share.least()).sum::<BigRational>(),
                    BigRational::from_integer(1.into())
                );
                states.extend(choice.to.into_iter().map(|(next, _)| next));
            }
        }
    }
    assert!(read > 100, "{read}");
}

/// A value is given from outside; an unknown name is refused.
#[test]
fn constants_come_from_outside() {
    let model = Model::read(
        "dtmc const double p; const double q = 1 - p; module m x : [0..1]; [] true -> p : (x'=0) + q : (x'=1); endmodule",
    )
    .expect("a model");
    let with = |name: &str, value: &str| {
        Instance::new(&model, None, &[(name.to_owned(), read_value(value).expect("a value"))])
    };
    assert_eq!(
        choices(&with("p", "1/3").expect("an instance"), &[0]),
        ["-: 1/3 (x=0) + 2/3 (x=1)"]
    );
    assert!(
        with("p", "true")
            .err()
            .expect("no number")
            .to_string()
            .contains("is true; expected a number")
    );
    assert!(
        with("r", "1")
            .err()
            .expect("unknown")
            .to_string()
            .contains("there is no constant `r`; expected one of p, q")
    );
    assert!(
        Instance::new(&model, None, &[])
            .err()
            .expect("no value")
            .to_string()
            .contains("the constant `p` has no value")
    );
    assert_eq!(read_value("true").expect("a value"), Value::Truth(true));
}

#[test]
fn a_formula_describes_the_initial_states() {
    let text = "mdp module m x : [0..4]; y : bool; endmodule init x > 2 & y endinit";
    let instance = instance(text).expect("a model");
    let found: Vec<String> = instance
        .initial_states(100)
        .expect("states")
        .iter()
        .map(|state| instance.describe(state))
        .collect();
    assert_eq!(found, ["(x=3,y=true)", "(x=4,y=true)"]);
    assert!(
        instance
            .initial_states(9)
            .expect_err("too many")
            .to_string()
            .contains("10 states would have to be looked at")
    );
}
