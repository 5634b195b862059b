//! Exports of a model checker, written by a generator of our own, against the semantics of
//! properties computed anew in fractions.

#![allow(clippy::format_collect, clippy::too_many_lines, reason = "tables of small texts")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use num_traits::{One, ToPrimitive, Zero};
use pencil_tennis::model_checking::{ExplicitFiles, ExplicitModel, Probabilities, Property};
use pencil_tennis::stochastic_game::{StochasticGame, StochasticSolver};

use crate::kernels::{Fraction, kernels};
use crate::random_games::{fraction, numbers};
use crate::total::{Move, paid};

/// A model of three players with two actions each; `x` and `y` are its variables, `odd` is a label.
struct Model {
    /// By state and joint action, out of eight.
    to: Vec<[Vec<(Fraction, usize)>; 8]>,
    x: Vec<u64>,
    y: Vec<bool>,
    state_rewards: Vec<i64>,
    transition_rewards: Vec<[i64; 8]>,
}

impl Model {
    fn new(seed: u64) -> Self {
        let mut next = numbers(seed);
        let states = 3 + next(3) as usize;
        let mut cell = |_| match next(3) {
            0 => vec![(fraction(1, 1), next(states as u64) as usize)],
            _ => {
                let (first, share) = (next(states as u64) as usize, 1 + next(4) as i64);
                let second = (first + 1 + next(states as u64 - 1) as usize) % states;
                vec![(fraction(share, 5), first), (fraction(5 - share, 5), second)]
            }
        };
        let to = (0..states).map(|_| std::array::from_fn(&mut cell)).collect();
        let mut next = numbers(seed + 1_000);
        Self {
            to,
            x: (0..states).map(|_| next(3)).collect(),
            y: (0..states).map(|_| next(2) == 1).collect(),
            state_rewards: (0..states).map(|_| next(5) as i64 - 1).collect(),
            transition_rewards: (0..states)
                .map(|_| std::array::from_fn(|_| next(3) as i64))
                .collect(),
        }
    }

    fn len(&self) -> usize {
        self.to.len()
    }

    /// Writes the export; play starts at state 1.
    fn write(&self, folder: &Path) -> ExplicitFiles {
        let all = || self.to.iter().flatten();
        let mut text = format!(
            "# Transitions (CSG)\n{}:3 {} {}\n",
            self.len(),
            8 * self.len(),
            all().map(Vec::len).sum::<usize>()
        );
        let mut rewards = String::new();
        for (state, cells) in self.to.iter().enumerate() {
            for (joint, cell) in cells.iter().enumerate() {
                for (probability, next) in cell {
                    // Fifths have one decimal.
                    let tenths = probability * Fraction::from_integer(10.into());
                    let printed =
                        if probability.is_one() { "1".to_owned() } else { format!("0.{tenths}") };
                    let names = format!("[a{},b{},c{}]", joint & 1, joint >> 1 & 1, joint >> 2);
                    writeln!(text, "{state} {joint} {next} {printed} {names}").expect("text");
                    writeln!(
                        rewards,
                        "{state} {joint} {next} {}",
                        self.transition_rewards[state][joint]
                    )
                    .expect("text");
                }
            }
        }
        let states: String = (0..self.len())
            .map(|state| format!("{state}:({},{})\n", self.x[state], self.y[state]))
            .collect();
        let labels: String = (0..self.len())
            .map(|state| {
                format!(
                    "{state}:{}{}\n",
                    if state == 1 { " 0" } else { "" },
                    if self.x[state] == 1 { " 1" } else { "" }
                )
            })
            .collect();
        let paid: String = self
            .state_rewards
            .iter()
            .enumerate()
            .map(|(state, reward)| format!("{state} {reward}\n"))
            .collect();
        let name = "# Reward structure \"cost\"\n";
        for (ending, text) in [
            (".tra", text.clone()),
            (".sta", format!("# States\n(x,y)\n{states}")),
            (".lab", format!("# Labels\n0=\"init\" 1=\"odd\"\n{labels}")),
            (".srew", format!("{name}# State rewards\n{} {}\n{paid}", self.len(), self.len())),
            (
                ".trew",
                format!(
                    "{name}# Transition rewards\n{} {} {}\n{rewards}",
                    self.len(),
                    8 * self.len(),
                    rewards.lines().count()
                ),
            ),
        ] {
            fs::write(folder.join(format!("model{ending}")), text).expect("room");
        }
        ExplicitFiles::beside(&folder.join("model.tra"))
    }

    /// The cells of one turn by joint action; `is_max` says which players maximise.
    fn matrix<T>(is_max: [bool; 3], cell: impl Fn(usize) -> T) -> Vec<Vec<T>> {
        let joint = |row: usize, column: usize| {
            let (mut row, mut column, mut joint) = (row, column, 0);
            for (player, is_max) in is_max.into_iter().enumerate() {
                let choices = if is_max { &mut row } else { &mut column };
                joint |= (*choices & 1) << player;
                *choices >>= 1;
            }
            joint
        };
        let count = |of: bool| 1 << is_max.into_iter().filter(|&is_max| is_max == of).count();
        (0..count(true))
            .map(|row| (0..count(false)).map(|column| cell(joint(row, column))).collect())
            .collect()
    }

    /// The value of one turn, by what every state is worth afterwards.
    fn turn(
        &self,
        state: usize,
        is_max: [bool; 3],
        paid: &dyn Fn(usize) -> Fraction,
        values: &[Fraction],
    ) -> Fraction {
        let next = |joint: usize| {
            self.to[state][joint]
                .iter()
                .map(|(share, next)| share * &values[*next])
                .sum::<Fraction>()
        };
        kernels(&Self::matrix(is_max, |joint| paid(joint) + next(joint)))
            .next()
            .expect("every game has a value")
            .0
    }

    /// The value of state 1 for `hold` U `reach`, or W where `weak`, in doubles: value iteration
    /// from below, or from above.
    fn endless(&self, is_max: [bool; 3], hold: &[bool], reach: &[bool], weak: bool) -> f64 {
        let mut values: Vec<f64> = hold
            .iter()
            .zip(reach)
            .map(|(&hold, &reach)| f64::from(u8::from(reach || hold && weak)))
            .collect();
        let to: Vec<[Vec<(f64, usize)>; 8]> =
            self.to.iter().map(|cells| cells.each_ref().map(|cell| doubles(cell))).collect();
        for _ in 0..SWEEPS {
            let next = |state: usize, joint: usize| {
                to[state][joint].iter().map(|&(share, next)| share * values[next]).sum::<f64>()
            };
            let value = |state: usize| {
                if hold[state] && !reach[state] {
                    of_two(&Self::matrix(is_max, |joint| next(state, joint)))
                } else {
                    values[state]
                }
            };
            values = (0..self.len()).map(value).collect();
        }
        values[1]
    }
}

fn doubles(cell: &[(Fraction, usize)]) -> Vec<(f64, usize)> {
    cell.iter().map(|(share, next)| (share.to_f64().expect("a share"), *next)).collect()
}

/// This many sweeps of value iteration leave less than `NEAR` in these models, 2e-8 at most; in
/// others 1 / `SWEEPS` can be left.
const SWEEPS: u32 = 1_000;
const NEAR: f64 = 1e-6;
/// Less than a rounding of doubles near 1 for each sweep.
const ROUNDING: f64 = 1e-12;

/// The value of a game with two rows or two columns: where the least of lines is highest.
fn of_two(matrix: &[Vec<f64>]) -> f64 {
    let [first, second] = matrix else {
        let exchanged: Vec<Vec<f64>> = (0..matrix[0].len())
            .map(|column| matrix.iter().map(|row| -row[column]).collect())
            .collect();
        return -of_two(&exchanged);
    };
    let least = |share: f64| {
        first
            .iter()
            .zip(second)
            .map(|(a, b)| share * a + (1.0 - share) * b)
            .fold(f64::INFINITY, f64::min)
    };
    let slope = |column: usize| first[column] - second[column];
    let crossing = |i: usize, j: usize| (second[j] - second[i]) / (slope(i) - slope(j));
    let crossings = (0..first.len()).flat_map(|i| (0..i).map(move |j| crossing(i, j)));
    crossings
        .chain([0.0, 1.0])
        .filter(|share| (0.0..=1.0).contains(share))
        .map(least)
        .fold(f64::NEG_INFINITY, f64::max)
}

/// `hold` U `reach` in so many steps, or W where `weak`.
fn until(
    model: &Model,
    is_max: [bool; 3],
    hold: &[bool],
    reach: &[bool],
    weak: bool,
    steps: usize,
) -> Vec<Fraction> {
    let number = |truth: bool| fraction(i64::from(truth), 1);
    let mut values: Vec<Fraction> =
        hold.iter().zip(reach).map(|(&hold, &reach)| number(reach || hold && weak)).collect();
    for _ in 0..steps {
        values = (0..model.len())
            .map(|state| match (reach[state], hold[state]) {
                (true, _) => Fraction::one(),
                (false, false) => Fraction::zero(),
                (false, true) => model.turn(state, is_max, &|_| Fraction::zero(), &values),
            })
            .collect();
    }
    values
}

fn attempt(files: &ExplicitFiles, property: &str) -> Result<[Fraction; 2], String> {
    let model = ExplicitModel::read(files, Probabilities::Exact).expect("an export");
    let property: Property = property.parse().expect("a property");
    let game =
        model.game(&property, StochasticGame::MEMORY_LIMIT).map_err(|error| error.to_string())?;
    let start = game.starts()[0] as usize;
    let bounds = StochasticSolver::new(game)
        .solve()
        .map_err(|error| error.to_string())?
        .enclosure(&start)
        .expect("a start");
    Ok([bounds.lower(), bounds.upper()].map(|bound| Fraction::from_float(bound).expect("a number")))
}

fn solve(files: &ExplicitFiles, property: &str) -> [Fraction; 2] {
    attempt(files, property).expect("a solution")
}

#[test]
fn properties_mean_what_the_semantics_say() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..12 {
        let model = Model::new(seed);
        let files = model.write(folder.path());
        let states = 0..model.len();
        let a: Vec<bool> = states.clone().map(|state| model.x[state] != 2).collect();
        let b: Vec<bool> =
            states.clone().map(|state| model.y[state] && model.x[state] > 0).collect();
        let [not_a, not_b] =
            [&a, &b].map(|truths| truths.iter().map(|truth| !truth).collect::<Vec<_>>());
        let yes = vec![true; model.len()];
        let (hold, reach) = ("x!=2", "(y & (\"odd\" | x=2))");
        for (coalition, players) in [
            ("1", [true, false, false]),
            ("2,3", [false, true, true]),
            ("1,3", [true, false, true]),
        ] {
            for maximises in [true, false] {
                let operator = if maximises { "max" } else { "min" };
                let is_max = players.map(|inside| inside == maximises);
                let minus = |values: Vec<Fraction>| -> Vec<Fraction> {
                    values.into_iter().map(|value| Fraction::one() - value).collect()
                };
                let other = is_max.map(|is_max| !is_max);
                let check = |text: String, expected: &[Fraction]| {
                    let [lower, upper] = solve(&files, &format!("<<{coalition}>>{text}"));
                    assert!(
                        lower <= expected[1] && expected[1] <= upper,
                        "{seed} {text}: {} in {lower} .. {upper}",
                        expected[1]
                    );
                    assert!(upper - lower < fraction(1, 1_000_000_000), "{seed} {text}: wide");
                };
                let probability = |path: String| format!("P{operator}=? [ {path} ]");
                for k in [0, 1, 3] {
                    check(
                        probability(format!("{hold} U<={k} {reach}")),
                        &until(&model, is_max, &a, &b, false, k),
                    );
                    check(
                        probability(format!("{hold} W<={k} {reach}")),
                        &until(&model, is_max, &a, &b, true, k),
                    );
                    check(
                        probability(format!("F<={k} {reach}")),
                        &until(&model, is_max, &yes, &b, false, k),
                    );
                    // The others by duality: G a is not F not a, and a R b is not (not a U not b).
                    check(
                        probability(format!("G<={k} {hold}")),
                        &minus(until(&model, other, &yes, &not_a, false, k)),
                    );
                    check(
                        probability(format!("{hold} R<{} {reach}", k + 1)),
                        &minus(until(&model, other, &not_a, &not_b, false, k)),
                    );
                    let mut collected = vec![Fraction::zero(); model.len()];
                    let mut instant: Vec<Fraction> =
                        model.state_rewards.iter().map(|&reward| fraction(reward, 1)).collect();
                    for _ in 0..k {
                        let model = &model;
                        let paid = |state: usize| {
                            move |joint: usize| {
                                fraction(
                                    model.state_rewards[state]
                                        + model.transition_rewards[state][joint],
                                    1,
                                )
                            }
                        };
                        collected = states
                            .clone()
                            .map(|state| model.turn(state, is_max, &paid(state), &collected))
                            .collect();
                        instant = states
                            .clone()
                            .map(|state| model.turn(state, is_max, &|_| Fraction::zero(), &instant))
                            .collect();
                    }
                    check(format!("R{{\"cost\"}}{operator}=? [ C<={k} ]"), &collected);
                    check(format!("R{operator}=? [ I={k} ]"), &instant);
                }
                let next: Vec<Fraction> =
                    b.iter().map(|&truth| fraction(i64::from(truth), 1)).collect();
                let after: Vec<Fraction> = states
                    .clone()
                    .map(|state| model.turn(state, is_max, &|_| Fraction::zero(), &next))
                    .collect();
                check(probability(format!("X {reach}")), &after);
                // Without a bound value iteration converges from one side, which it never leaves.
                for (path, expected, from_above) in [
                    (format!("{hold} U {reach}"), model.endless(is_max, &a, &b, false), false),
                    (format!("F {reach}"), model.endless(is_max, &yes, &b, false), false),
                    (format!("{hold} W {reach}"), model.endless(is_max, &a, &b, true), true),
                    (format!("G {hold}"), 1.0 - model.endless(other, &yes, &not_a, false), true),
                    (
                        format!("{hold} R {reach}"),
                        1.0 - model.endless(other, &not_a, &not_b, false),
                        true,
                    ),
                ] {
                    let bounds =
                        solve(&files, &format!("<<{coalition}>>{}", probability(path.clone())));
                    let [lower, upper] = bounds.map(|bound| bound.to_f64().expect("a number"));
                    let (below, above) = (lower - expected, expected - upper);
                    let (left, near) = if from_above { (below, above) } else { (above, below) };
                    assert!(
                        left < ROUNDING && near < NEAR,
                        "{seed} {path}: {expected} in {lower} .. {upper}"
                    );
                }
            }
        }
    }
}

/// Formulas by their precedence in the model checker's manual, and play without end, in a model of
/// one state.
#[test]
fn formulas_and_endless_play_mean_what_the_manual_says() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.tra"), "1:1 1 1\n0 0 0 1 [a]\n").expect("room");
    fs::write(folder.path().join("m.sta"), "(s,t,done)\n0:(5,-3,false)\n").expect("room");
    let files = ExplicitFiles::beside(&folder.path().join("m.tra"));
    let value = |path: &str| solve(&files, &format!("<<1>>Pmax=? [ {path} ]"));
    let exactly = |number: i64| [fraction(number, 1), fraction(number, 1)];
    for truth in [
        "!s=4",
        "!done & s=5",
        "s=5 & t=-3 | done",
        "true | false & false",
        "false & true => true",
        "false => true <=> false",
        "!(true => false)",
        "true => !done",
        "done <=> s=4",
        "s>=5 & s<=5 & !(s>5) & !(s<5)",
        "s+t*2=-1",
        "s-t-1=7",
        "12/3/2=2",
        "mod(t,2)=1",
        "floor(s/2)=2 & ceil(s/2)=3",
        "floor(t/2)=-2 & ceil(t/2)=-1",
        "pow(s,2)=25 & pow(2,-1)=0.5",
        "min(s,t)=-3 & max(s,t,7)=7",
        "done ? false : s=5",
        "s=5 ? true : done",
        "s!=t & done!=true",
        "-s=-5",
    ] {
        assert_eq!(value(&format!("F<=0 {truth}")), exactly(1), "{truth}");
        assert_eq!(value(&format!("F<=0 !({truth})")), exactly(0), "{truth}");
    }
    for (path, expected) in [
        ("F done", 0),
        ("!done U done", 0),
        ("G !done", 1),
        ("!done W done", 1),
        ("done R !done", 1),
    ] {
        assert_eq!(value(path), exactly(expected), "{path}");
    }
    // States 0, 1, 2 follow each other.
    fs::write(folder.path().join("m.tra"), "3:1 3 3\n0 0 1 1 [a]\n1 0 2 1 [a]\n2 0 2 1 [a]\n")
        .expect("room");
    fs::write(folder.path().join("m.sta"), "(s)\n0:(0)\n1:(1)\n2:(2)\n").expect("room");
    for (path, expected) in [
        ("s=1 R s<2", 1),
        ("s=1 R s<1", 0),
        ("s=2 R s<2", 0),
        ("s=2 R<2 s<2", 1),
        ("s=2 R<=2 s<2", 0),
        ("F<1 s=1", 0),
        ("F<=1 s=1", 1),
        ("F<2 s=1", 1),
    ] {
        assert_eq!(value(path), exactly(expected), "{path}");
    }
    fs::write(folder.path().join("m.srew"), "3 2\n0 -2\n1 0.5\n").expect("room");
    let files = ExplicitFiles::beside(&files.transitions);
    assert_eq!(solve(&files, "<<1>>Rmax=? [ F s=2 ]"), [fraction(-3, 2), fraction(-3, 2)]);
    let refused = attempt(&files, "<<1>>Rmax=? [ F s=3 ]").unwrap_err();
    assert!(refused.contains("play can miss the target for ever at state 0"), "{refused}");
    fs::write(folder.path().join("m.srew"), "3 2\n0 2\n1 0.5\n").expect("room");
    for (path, expected) in
        [("C", (5, 2)), ("Fc s=3", (5, 2)), ("F s=2", (5, 2)), ("Fc s=1", (2, 1)), ("I=1", (1, 2))]
    {
        assert_eq!(
            solve(&files, &format!("<<1>>Rmax=? [ {path} ]")),
            [expected; 2].map(|(n, d)| fraction(n, d)),
            "{path}"
        );
    }
    assert!(attempt(&files, "<<1>>Rmax=? [ F s=3 ]").unwrap_err().contains("infinite"));
}

/// Rewards until a target, of all players together: against each way to play without memory. Alone,
/// no coalition gets more.
#[test]
fn rewards_until_a_target_are_those_of_the_best_plan_or_infinite() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut finite, mut infinite) = (0, 0);
    for seed in 0..40 {
        let mut model = Model::new(seed);
        // Some choices pay nothing, so that endless play need not.
        model.state_rewards.iter_mut().for_each(|reward| *reward = (*reward).max(0) / 2);
        if model.len() > 4 {
            continue;
        }
        let files = model.write(folder.path());
        let target: Vec<bool> =
            (0..model.len()).map(|state| model.y[state] && state != 1).collect();
        let end = model.len();
        let moves: Vec<Vec<Move>> = (0..end)
            .map(|state| {
                let step = |joint: usize| {
                    let to = model.to[state][joint].iter().map(|(share, next)| {
                        (share.clone(), if target[*next] { end } else { *next })
                    });
                    (
                        fraction(
                            model.state_rewards[state] + model.transition_rewards[state][joint],
                            1,
                        ),
                        to.collect(),
                    )
                };
                if target[state] {
                    vec![(Fraction::zero(), vec![(Fraction::one(), end)])]
                } else {
                    (0..8).map(step).collect()
                }
            })
            .collect();
        for (path, misses_are_infinite) in [("F", true), ("Fc", false)] {
            let plans = moves.iter().map(Vec::len).product::<usize>();
            let of_plan = |mut plan: usize| {
                let chosen: Vec<&Move> = moves
                    .iter()
                    .map(|moves| {
                        let choice = &moves[plan % moves.len()];
                        plan /= moves.len();
                        choice
                    })
                    .collect();
                paid(&chosen, misses_are_infinite).swap_remove(1)
            };
            let all: Vec<Option<Fraction>> = (0..plans).map(of_plan).collect();
            let least = all.iter().flatten().min().cloned();
            let most = if all.iter().any(Option::is_none) {
                None
            } else {
                all.iter().flatten().max().cloned()
            };
            for (operator, expected) in [("max", most), ("min", least)] {
                let text = format!("<<1,2,3>>R{operator}=? [ {path} y & !\"init\" ]");
                match (attempt(&files, &text), expected) {
                    (Ok([lower, upper]), Some(expected)) => {
                        finite += 1;
                        assert!(
                            lower <= expected && expected <= upper,
                            "{seed} {text}: {expected} in {lower} .. {upper}"
                        );
                        assert!(upper - lower < fraction(1, 1_000_000_000), "{seed} {text}: wide");
                    }
                    (Err(refused), None) => {
                        infinite += 1;
                        assert!(
                            refused.contains("the value is infinite for A at"),
                            "{seed} {text}: {refused}"
                        );
                    }
                    (found, expected) => panic!("{seed} {text}: {found:?}, not {expected:?}"),
                }
                // Two players against the third.
                let alone = attempt(&files, &text.replace("1,2,3", "1,2"));
                if let (Ok(all), Ok(alone)) = (attempt(&files, &text), alone) {
                    assert!(
                        if operator == "max" { alone[0] <= all[1] } else { all[0] <= alone[1] },
                        "{seed} {text}"
                    );
                }
            }
        }
    }
    assert!(finite > 30 && infinite > 10, "{finite} {infinite}");
}

/// A model in a folder: transitions, and rewards by the ending of their file. States are their
/// numbers, the last one is the target.
fn written(folder: &Path, transitions: &str, rewards: &[(&str, &str)]) -> ExplicitFiles {
    let rows: Vec<Vec<&str>> = transitions.lines().map(|line| line.split(' ').collect()).collect();
    let states: usize = rows.last().expect("transitions")[0].parse::<usize>().expect("a state") + 1;
    let players = rows[0][4].split(',').count();
    let mut choices: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
    choices.dedup();
    fs::write(
        folder.join("m.tra"),
        format!("{states}:{players} {} {}\n{transitions}", choices.len(), rows.len()),
    )
    .expect("room");
    let numbered: String = (0..states).map(|state| format!("{state}:({state})\n")).collect();
    fs::write(folder.join("m.sta"), format!("(s)\n{numbered}")).expect("room");
    for (ending, rewards) in rewards {
        let count = rewards.lines().count();
        let sizes = if ending.ends_with("trew") {
            format!("{states} {} {count}", choices.len())
        } else {
            format!("{states} {count}")
        };
        fs::write(folder.join(format!("m{ending}")), format!("{sizes}\n{rewards}")).expect("room");
    }
    ExplicitFiles::beside(&folder.join("m.tra"))
}

/// Player 2 can choose x, which may lead to state 1, where play stays for ever and pays 1 every
/// time, or y, which costs 2 or 3. It does not choose x with any probability, and player 1 takes
/// the 3.
#[test]
fn who_minimises_avoids_what_is_infinite() {
    let folder = tempfile::tempdir().expect("a folder");
    let players = "0 0 1 1 [a,x]\n0 1 2 1 [a,y]\n0 2 2 1 [b,x]\n0 3 2 1 [b,y]\n1 0 1 1 [a,x]\n2 0 2 1 [a,x]\n";
    let rewards = [(".srew", "1 1\n"), (".trew", "0 1 2 2\n0 3 2 3\n")];
    let files = written(folder.path(), players, &rewards);
    assert_eq!(solve(&files, "<<1>>Rmax=? [ F s=2 ]"), [fraction(3, 1), fraction(3, 1)]);
    assert_eq!(solve(&files, "<<2>>Rmin=? [ F s=2 ]"), [fraction(3, 1), fraction(3, 1)]);
    // With the actions of both players exchanged.
    let exchanged = "0 0 1 1 [x,a]\n0 1 2 1 [y,a]\n0 2 2 1 [x,b]\n0 3 2 1 [y,b]\n1 0 1 1 [x,a]\n2 0 2 1 [x,a]\n";
    let files = written(folder.path(), exchanged, &rewards);
    assert_eq!(solve(&files, "<<2>>Rmax=? [ F s=2 ]"), [fraction(3, 1), fraction(3, 1)]);
    assert_eq!(solve(&files, "<<1>>Rmin=? [ F s=2 ]"), [fraction(3, 1), fraction(3, 1)]);
    // Where all of its actions may lead there, the value is infinite.
    let lost = players.replace("0 1 2 1 [a,y]", "0 1 1 1 [a,y]");
    let files = written(folder.path(), &lost, &[(".srew", "1 1\n"), (".trew", "0 3 2 3\n")]);
    assert!(
        attempt(&files, "<<1>>Rmax=? [ F s=2 ]")
            .expect_err("infinite")
            .contains("the value is infinite")
    );
}

/// Rewards of transitions alone may be negative: they add up where the target is certainly reached,
/// and nothing is told otherwise.
#[test]
fn negative_rewards_of_transitions_count_as_those_of_states() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = "0 0 1 1 [a]\n1 0 2 1 [a]\n2 0 2 1 [a]\n";
    let files = written(folder.path(), path, &[(".srew", "1 5\n"), (".trew", "0 0 1 -3\n")]);
    assert_eq!(solve(&files, "<<1>>Rmax=? [ F s=2 ]"), [fraction(2, 1), fraction(2, 1)]);
    // Who waits misses the target, and does not pay 3 for it.
    let waiting = "0 0 0 1 [a]\n0 1 1 1 [b]\n1 0 1 1 [a]\n";
    let files = written(folder.path(), waiting, &[(".srew", ""), (".trew", "0 1 1 -3\n")]);
    let refused =
        attempt(&files, "<<1>>Rmax=? [ F s=1 ]").expect_err("a sum of infinitely many rewards");
    assert!(
        refused
            .contains("some rewards are below 0, and play can miss the target for ever at state 0"),
        "{refused}"
    );
}

/// Two reward structures, by number and by name; without either it is not said which one is meant.
#[test]
fn one_of_several_reward_structures_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = "0 0 1 1 [a]\n1 0 1 1 [a]\n";
    written(folder.path(), path, &[("1.srew", "0 5\n"), ("2.srew", "0 7\n")]);
    for (number, name) in [(1, "time"), (2, "cost")] {
        let file = folder.path().join(format!("m{number}.srew"));
        let text = fs::read_to_string(&file).expect("rewards");
        fs::write(&file, format!("# Reward structure \"{name}\"\n{text}")).expect("room");
    }
    let files = ExplicitFiles::beside(&folder.path().join("m.tra"));
    for (structure, expected) in [("{1}", 5), ("{\"time\"}", 5), ("{2}", 7), ("{\"cost\"}", 7)] {
        assert_eq!(
            solve(&files, &format!("<<1>>R{structure}max=? [ C<=1 ]")),
            [expected, expected].map(|expected| fraction(expected, 1))
        );
    }
    for (structure, expected) in [
        ("", "the model has several reward structures"),
        ("{3}", "there is no such reward structure"),
        ("{\"fuel\"}", "expected one of time, cost"),
    ] {
        let refused =
            attempt(&files, &format!("<<1>>R{structure}max=? [ C<=1 ]")).expect_err("no structure");
        assert!(refused.contains(expected), "{structure}: {refused}");
    }
}

/// Nearest readings: thirds that are printed with six places or with sixteen are thirds, short
/// decimals what they are.
#[test]
fn printed_probabilities_are_read_as_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = |thirds: &str, rest: &str| {
        let text = format!(
            "2:1 2 4\n0 0 0 {thirds} [a]\n0 0 1 {rest} [a]\n1 0 0 0.8 [a]\n1 0 1 0.2 [a]\n"
        );
        fs::write(folder.path().join("model.tra"), text).expect("room");
        fs::write(folder.path().join("model.lab"), "0=\"init\" 1=\"end\"\n0: 0\n1: 1\n")
            .expect("room");
        ExplicitFiles::beside(&folder.path().join("model.tra"))
    };
    let read_with = |guessed: &str, first: &str, rest: &str| {
        let model =
            ExplicitModel::read(&files(first, rest), Probabilities::Nearest).expect("an export");
        assert!(model.assumptions()[0].starts_with(guessed), "{:?}", model.assumptions());
        let property: Property = "<<1>>Pmax=? [ F<=1 \"end\" ]".parse().expect("a property");
        let solution = StochasticSolver::new(model.game(&property, u64::MAX).expect("a game"))
            .solve()
            .expect("a solution");
        let exact =
            solution.exact(99, &mut |_| std::ops::ControlFlow::Continue(())).expect("fractions");
        exact.value(&0).expect("a start").expect("a fraction").clone()
    };
    let read = |first: &str, rest: &str| read_with("2 of 4 different probabilities", first, rest);
    for (thirds, rest) in [
        ("0.333333", "0.666667"),
        ("0.3333333333333333", "0.6666666666666667"),
        ("3.33333e-1", "6.66667e-1"),
    ] {
        assert_eq!(read(thirds, rest), fraction(2, 3), "{thirds}");
    }
    // Six digits are counted from the first that is not 0; among longer numbers, six digits are
    // exact.
    assert_eq!(read("0.998765", "0.00123457"), fraction(1, 810));
    assert_eq!(read_with("1 of 4", "0.8256249999999999", "0.174375"), fraction(279, 1_600));
    // The least denominator, found by trying all; what is printed is a number of ten-billionths,
    // and so is half a unit of its last place.
    for (first, rest, parts, half) in [
        ("0.12346", "0.87654", 8_765_400_000_i64, 5_000),
        ("0.1234567890", "0.8765432110", 8_765_432_110, 0),
        ("1.2345678e-1", "8.7654322e-1", 8_765_432_200, 50),
    ] {
        let near = |denominator: i64| {
            let nearest = (parts * denominator + 5_000_000_000) / 10_000_000_000;
            let error = 2 * (nearest * 10_000_000_000 - parts * denominator).abs();
            (error <= denominator * (2 * half).max(1)).then(|| fraction(nearest, denominator))
        };
        assert_eq!(Some(read(first, rest)), (1..).find_map(near), "{rest}");
    }
    // Exactly as printed, the sum is 1 all the same.
    assert!(
        ExplicitModel::read(&files("0.333333", "0.666667"), Probabilities::Exact)
            .expect("an export")
            .assumptions()
            .is_empty()
    );
    let refused = ExplicitModel::read(&files("0.333333", "0.666666"), Probabilities::Exact)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("line 2: state 0: the probabilities of the choice sum to 999999/1000000"),
        "{refused}"
    );
    assert!(
        ExplicitModel::read(&files("0.333333", "0.666666"), Probabilities::Nearest).is_err(),
        "2/3 does not round to 0.666666"
    );
}

/// Every change of a sound export or property, with what its refusal says.
#[test]
fn damaged_exports_and_properties_are_refused_in_a_sentence() {
    const SOUND: [(&str, &str); 5] = [
        (
            ".tra",
            "# Transitions (CSG)\n2:2 5 6\n0 0 0 0.5 [a,x]\n0 0 1 0.5 [a,x]\n0 1 1 1 [a,y]\n0 2 1 1 [b,x]\n0 3 0 1 [b,y]\n1 0 1 1 [-,-]\n",
        ),
        (".sta", "# States\n(s,done)\n0:(1,false)\n1:(2,true)\n"),
        (".lab", "# Labels\n0=\"init\" 1=\"goal\"\n0: 0\n1: 1\n"),
        (".srew", "# Reward structure \"time\"\n2 1\n0 1\n"),
        (".trew", "# Reward structure \"time\"\n2 5 1\n0 1 1 3\n"),
    ];
    const PROPERTY: &str = "<<1>>Pmax=? [ F s=2 ]";
    let folder = tempfile::tempdir().expect("a folder");
    let attempt = |damaged: &str, from: &str, to: &str, property: &str| {
        for (ending, text) in SOUND {
            let damaged_text = text.replacen(from, to, 1);
            assert!(ending != damaged || damaged_text != text, "{from}");
            fs::write(
                folder.path().join(format!("m{ending}")),
                if ending == damaged { &*damaged_text } else { text },
            )
            .expect("room");
        }
        let files = ExplicitFiles::beside(&folder.path().join("m.tra"));
        let property: Property = property.parse()?;
        let model = ExplicitModel::read(&files, Probabilities::Exact)?;
        Ok::<_, pencil_tennis::Error>(model.game(&property, 1 << 30)?.len())
    };
    assert_eq!(attempt("", "", "", PROPERTY).expect("a sound model"), 2);
    let mut wrong = Vec::new();
    for (ending, from, to, expected) in [
        (
            ".tra",
            "2:2 5 6",
            "2 5 6",
            "line 2: it does not begin as the export of a concurrent game",
        ),
        (".tra", "2:2 5 6", "2:2 5", "line 2: it does not begin"),
        (".tra", "2:2 5 6", "9:2 5 6", "line 2: 6 transitions follow, of 9 states"),
        (".tra", "2:2 5 6", "2:2 5 7", "6 transitions follow"),
        (".tra", "2:2 5 6", "2:2 4 6", "it has 5 choices; its first line says 4"),
        (".tra", "2:2 5 6", "2:0 5 6", "transitions follow"),
        (".tra", "2:2 5 6", "2:3 5 6", "line 3: state 0: `[a,x]` is no joint action of 3 players"),
        (".tra", "2:2 5 6", "x:2 5 6", "`x` is no count"),
        (".tra", "2:2 5 6", "2:2 5 99999999999", "is no count"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 0.5", "line 3: expected STATE CHOICE SUCCESSOR"),
        (".tra", "0 0 0 0.5 [a,x]", "0:1 0 0 0.5 [a,x]", "line 3: expected STATE CHOICE SUCCESSOR"),
        (".tra", "0 0 0 0.5 [a,x]", "7 0 0 0.5 [a,x]", "`7` is no state; expected 0 to 1"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 5 0.5 [a,x]", "`5` is no state"),
        (".tra", "0 0 0 0.5 [a,x]", "0 2 0 0.5 [a,x]", "`2` is no choice in its order"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 0,5 [a,x]", "`0,5` is no number"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 1.5 [a,x]", "`1.5` is no probability"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 0 [a,x]", "`0` is no probability"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 -0.5 [a,x]", "`-0.5` is no probability"),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 NaN [a,x]", "`NaN` is no number"),
        (
            ".tra",
            "0 0 0 0.5 [a,x]",
            "0 0 0 0.25 [a,x]",
            "state 0: the probabilities of the choice sum to 3/4; expected 1",
        ),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 0.4999999 [a,x]", "with nearest probabilities"),
        (
            ".tra",
            "0 0 0 0.5 [a,x]",
            "0 0 1 0.5 [a,x]",
            "line 4: state 0: choice 0 leads to 1 twice",
        ),
        (".tra", "0 0 0 0.5 [a,x]", "0 0 0 0.5 [a,y]", "choice 0 has another action in line 3"),
        (
            ".tra",
            "0 1 1 1 [a,y]",
            "0 1 1 1 [a,x]",
            "line 5: state 0: the joint action [a,x] is a choice already",
        ),
        (".tra", "0 1 1 1 [a,y]", "0 1 1 1 [a,z]", "every pair needs one"),
        (".tra", "0 1 1 1 [a,y]", "0 1 1 1 a,y", "is no joint action"),
        (".tra", "0 1 1 1 [a,y]", "0 1 1 1 [a,]", "is no joint action"),
        (".tra", "1 0 1 1 [-,-]", "0 4 1 1 [c,x]", "state 1 has no choice (a deadlock)"),
        (".tra", "1 0 1 1 [-,-]", "", "5 transitions follow"),
        (".sta", "(s,done)", "s,done", "line 2: expected the names of the variables"),
        (".sta", "0:(1,false)", "0:(1)", "line 3: expected a state with 2 values"),
        (".sta", "0:(1,false)", "0 (1,false)", "expected a state with 2 values"),
        (".sta", "0:(1,false)", "3:(1,false)", "`3` is no state"),
        (".sta", "0:(1,false)", "1:(1,false)", "line 4: state 1 stands there twice"),
        (".sta", "0:(1,false)\n", "", "state 0 is missing"),
        (".sta", "0:(1,false)", "0:(one,false)", "`one` is no number"),
        (".sta", "(s,done)", "(t,done)", "there is no variable `s`; expected one of done, t"),
        (".sta", "0:(1,false)", "0:(true,false)", "at state 0, `=` does not take true and 2"),
        (".lab", "0=\"init\"", "\"init\"", "line 2: expected numbered labels"),
        (".lab", "1=\"goal\"", "2=\"goal\"", "expected numbered labels"),
        (".lab", "1: 1", "1: 4", "line 4: `4` is no label; expected 0 to 1"),
        (".lab", "1: 1", "9: 1", "`9` is no state"),
        (".lab", "1: 1", "1", "line 4: expected a state and the numbers of its labels"),
        (".srew", "2 1\n", "3 1\n", "line 2: expected STATES REWARDS of this model"),
        (".srew", "2 1\n", "2 2\n", "expected STATES REWARDS"),
        (".srew", "0 1\n", "0 x\n", "`x` is no number"),
        (".srew", "0 1\n", "5 1\n", "`5` is no state"),
        (".srew", "0 1\n", "0\n", "line 3: expected STATE REWARD"),
        (".srew", "2 1\n0 1\n", "2 2\n0 1\n0 2\n", "line 4: the same reward stands there twice"),
        (".trew", "2 5 1\n", "2 1\n", "expected STATES CHOICES REWARDS"),
        (".trew", "0 1 1 3", "0 1 0 3", "choice 1 of state 0 does not lead to 0"),
        (".trew", "0 1 1 3", "0 9 1 3", "`9` is no choice of the state"),
        (".trew", "0 1 1 3", "0 1 3", "expected STATE CHOICE SUCCESSOR REWARD"),
    ] {
        let refused = attempt(ending, from, to, PROPERTY).expect_err(to).to_string();
        let about =
            if expected.contains("there is no variable") || expected.contains("does not take") {
                "the property: "
            } else {
                "m."
            };
        if !refused.contains(expected) || !refused.contains(about) {
            wrong.push(format!("{to}: {refused}"));
        }
    }
    for (property, expected) in [
        ("", "it ends where a formula is expected"),
        ("P=? [ F s=2 ]", "do not say whether to maximise"),
        ("<<1>>", "it ends where Pmax=?"),
        ("<<", "the coalition lacks its `>>`"),
        ("<<1", "it ends where `,` is expected"),
        (
            "<<robot1>>Pmax=? [ F s=2 ]",
            "there is no player robot1; this model numbers its players, 1 to 2",
        ),
        ("<<0>>Pmax=? [ F s=2 ]", "a player 0"),
        ("<<1,1>>Pmax=? [ F s=2 ]", "twice"),
        ("<<3>>Pmax=? [ F s=2 ]", "there is no player 3; the model has 2"),
        ("<<1 2>>Pmax=? [ F s=2 ]", "`2` stands where `,` is expected"),
        ("<<1:2>>max=? (P[F s=1] + P[F s=2])", "equilibria"),
        ("<<1>>max=? (P[F s=1])", "equilibria"),
        ("<<1>>P>=0.5 [ F s=2 ]", "asks whether a bound holds"),
        ("<<1>>Pmax>0.5 [ F s=2 ]", "asks whether a bound holds"),
        ("<<1>>S=? [ s=2 ]", "`S` is not supported"),
        ("<<1>>Pmax=? F s=2", "stands where `[` is expected"),
        ("<<1>>Pmax=? [ F s=2", "it ends where `]` is expected"),
        ("<<1>>Pmax=? [ s=2 ]", "a path formula needs one of"),
        ("<<1>>Pmax=? [ F G s=2 ]", "LTL"),
        ("<<1>>Pmax=? [ (F s=1) & (F s=2) ]", "LTL"),
        ("<<1>>Pmax=? [ F s=1 U s=2 ]", "LTL"),
        ("<<1>>Pmax=? [ F <<2>>Pmax=?[ F s=1 ] ]", "nested"),
        ("<<1>>Pmax=? [ F Pmax=?[ F s=1 ] ]", "nested"),
        ("<<1>>Pmax=? [ F R{\"time\"}max=?[ F s=1 ] > 1 ]", "nested"),
        ("<<1>>Pmax=? [ F (s=1 & P>0.5[ F s=1 ]) ]", "nested"),
        ("<<1>>P=? [ F s=2 ]", "whether the coalition maximises"),
        ("<<1>>Pmax=? [ F>=3 s=2 ]", "a bound of steps from below"),
        ("<<1>>Pmax=? [ F[3,1] s=2 ]", "its bound of steps is empty: 3 to 1"),
        ("<<1>>Pmax=? [ s=1 W[1,3] s=2 ]", "take no least number of steps"),
        ("<<1>>Pmax=? [ F<=k s=2 ]", "there is no variable `k`"),
        ("<<1>>Pmax=? [ F<0 s=2 ]", "no number of steps"),
        ("<<1>>Pmax=? [ F<=1.5 s=2 ]", "3/2 is no number of steps"),
        ("<<1>>Pmax=? [ F t=2 ]", "there is no variable `t`"),
        ("<<1>>Pmax=? [ F \"done\" ]", "there is no label `done`; expected one of goal, init"),
        ("<<1>>Pmax=? [ F \"goal ]", "lacks its closing quotation mark"),
        ("<<1>>Pmax=? [ F s ]", "at state 0, a formula is 1; expected true or false"),
        ("<<1>>Pmax=? [ F s & done ]", "at state 0, `&` does not take 1 and false"),
        ("<<1>>Pmax=? [ F s/(s-s) = 1 ]", "at state 0, `/` does not take 1 and 0"),
        ("<<1>>Pmax=? [ F done + 1 = 2 ]", "at state 0, `+` does not take false and 1"),
        ("<<1>>Pmax=? [ F log(s) = 1 ]", "`log` does not take 1"),
        ("<<1>>Pmax=? [ F s=2 ] extra", "`extra` stands after its end"),
        ("<<1>>Pmax=? [ F s=2 # ]", "`#` is not part of the language"),
        ("<<1>>Pmax=? [ F s= ]", "stands where a formula is expected"),
        ("<<1>>Pmax=? [ F (s=2 ]", "stands where `)` is expected"),
        ("<<1>>R{time}max=? [ C<=3 ]", "named in quotation marks"),
        (
            "<<1>>R{\"cost\"}max=? [ C<=3 ]",
            "there is no such reward structure; expected one of time",
        ),
        ("<<1>>R{2}max=? [ C<=3 ]", "no such reward structure"),
        ("<<1>>R{\"time\"}=? [ C<=3 ]", "whether the coalition maximises"),
        ("<<1>>R{\"time\"}max=? [ S ]", "long-run averages"),
        ("<<1>>R{\"time\"}max=? [ F<=3 s=2 ]", "takes no bound of steps"),
        ("<<1>>R{\"time\"}max=? [ F0 s=2 ]", "F0 is not supported"),
        ("<<1>>R{\"time\"}max=? [ I=x ]", "there is no variable `x`"),
        ("<<1>>R{\"time\"}max=? [ G s=2 ]", "`G` is not supported for rewards"),
    ] {
        let refused = attempt("", "", "", property).expect_err(property).to_string();
        if !refused.starts_with("the property: ") || !refused.contains(expected) {
            wrong.push(format!("{property}: {refused}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let deep = format!("<<1>>Pmax=? [ F {}s=2{} ]", "(".repeat(100_000), ")".repeat(100_000));
    let longer = attempt("", "", "", &deep).expect_err("too long").to_string();
    assert!(longer.contains("bytes; at most 100000 are read"), "{longer}");
    let deep = format!("<<1>>Pmax=? [ F {}s=2{} ]", "(".repeat(300), ")".repeat(300));
    assert!(
        attempt("", "", "", &deep).expect_err("too deep").to_string().contains("nested more than")
    );
    for long in [
        format!("{}1=s", "-".repeat(100_000)),
        format!("{}s=2", "s=1 | ".repeat(100_000)),
        format!("{}s=2", "!".repeat(100_000)),
    ] {
        let refused = attempt("", "", "", &format!("<<1>>Pmax=? [ F {long} ]"))
            .expect_err("too long")
            .to_string();
        assert!(refused.contains("bytes; at most 100000 are read"), "{refused}");
    }
    for long in [format!("{}s=0-s", "-".repeat(900)), format!("{}s=2", "s=1 | ".repeat(240))] {
        assert!(attempt("", "", "", &format!("<<1>>Pmax=? [ F {long} ]")).is_ok(), "{long}");
    }
    let many = "<<1>>Pmax=? [ F<=1000000000 s=3 ]";
    assert!(
        attempt("", "", "", many)
            .expect_err("too large")
            .to_string()
            .contains("above the limit of 1.0 GiB")
    );
}
