//! Solves of explicit games that are interrupted and go on.

use std::ops::ControlFlow;
use std::time::Duration;

use num_bigint::BigInt;
use pencil_tennis::stochastic_game::{
    GameRules, StochasticCheckpoint, StochasticGame, StochasticSolution, StochasticSolver,
};

use crate::cycle_parts::CyclePart;
use crate::forged::named;
use crate::goofspiel::Goofspiel;
use crate::markov_soccer::Soccer;
use crate::random_games::{purgatory, two_ways_around};

/// The bytes before the first state.
const FIRST: usize = 8 + 4 + 3 * 8;

fn solver<'p>(rules: impl GameRules) -> StochasticSolver<'p> {
    StochasticSolver::new(StochasticGame::from_rules(rules).unwrap()).threads(1)
}

/// Bounds and strategies of all states, to the bit.
fn certificate(solution: &StochasticSolution) -> Vec<u8> {
    let mut bytes = Vec::new();
    solution.write_certificate(&mut bytes).unwrap();
    bytes
}

/// All checkpoints of a solve, as bytes.
fn kept(solver: StochasticSolver<'_>) -> Vec<Vec<u8>> {
    let mut kept = Vec::new();
    let keep = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        kept.push(bytes);
    };
    solver.on_checkpoint(Duration::ZERO, keep).solve().unwrap();
    kept
}

fn read(bytes: &[u8]) -> StochasticCheckpoint<'static> {
    StochasticCheckpoint::read(bytes).unwrap()
}

#[test]
fn from_every_checkpoint_the_same_solution_is_reached() {
    let game = || solver(Goofspiel::new(4, true));
    let whole = certificate(&game().solve().unwrap());
    let checkpoints = kept(game());
    assert!(checkpoints.len() > 6, "{} levels", checkpoints.len());
    for bytes in &checkpoints {
        assert!(certificate(&game().resume(read(bytes)).solve().unwrap()) == whole);
    }
    // A cycle is gone on with from the beginning of any of its rounds.
    let game = || solver(Soccer { turns: 1_000 });
    let solution = game().solve().unwrap();
    let whole = certificate(&solution);
    let checkpoints = kept(game());
    assert!(checkpoints.len() > 8, "{} rounds", checkpoints.len());
    for bytes in [&checkpoints[3], &checkpoints[checkpoints.len() - 3]] {
        assert!(certificate(&game().resume(read(bytes)).solve().unwrap()) == whole);
    }
    let mut all = Vec::new();
    solution.checkpoint().unwrap().write(&mut all).unwrap();
    let mut shares = Vec::new();
    let resumed = game().resume(read(&all)).on_progress(|share| {
        shares.push(share);
        ControlFlow::Continue(())
    });
    assert!(certificate(&resumed.solve().unwrap()) == whole);
    assert_eq!(shares, [1.0], "nothing is left to do");
}

#[test]
fn a_solve_that_is_stopped_in_a_cycle_leaves_its_last_round() {
    let game = || solver(Soccer { turns: 1_000 });
    // What is asked every tenth of a second stops later and later, until rounds have followed value
    // iteration, which keeps nothing.
    let stopped = |most: usize| {
        let (mut asked, mut bytes) = (0, Vec::new());
        let stopped = game()
            .on_checkpoint(Duration::from_secs(3_600), |checkpoint| {
                bytes.clear();
                checkpoint.write(&mut bytes).unwrap();
            })
            .on_progress(|_| {
                asked += 1;
                if asked < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        assert!(stopped.solve().is_err(), "solved before it was asked {most} times");
        bytes
    };
    let bytes = (1..).step_by(2).map(stopped).find(|bytes| !bytes.is_empty()).unwrap();
    let resumed = game().resume(read(&bytes)).solve().unwrap();
    assert!(certificate(&resumed) == certificate(&game().solve().unwrap()));
}

/// A checkpoint of every kind of progress leads to the same solution by the same way: a resumed
/// solve writes what the first one wrote from there on, and nothing of what came before.
#[test]
fn no_step_of_a_cycle_is_taken_twice() {
    // Sweeps and Newton steps; then rounds, and longer numbers without λ; then those with λ, short
    // strategies first.
    let [fast, slow] = ["9/10", "99999/100000"].map(|discount| two_ways_around(20, discount));
    for (game, least) in
        [(fast, [5, 2, 0, 0]), (slow, [5, 0, 5, 8]), (purgatory(2), [1, 0, 1, 100])]
    {
        let solver =
            || StochasticSolver::new(StochasticGame::read(game.as_bytes()).unwrap()).threads(1);
        let whole = certificate(&solver().solve().unwrap());
        let checkpoints = kept(solver());
        let methods: Vec<usize> = checkpoints.iter().filter_map(|bytes| method(bytes)).collect();
        let counts =
            [0, 1, 2, 3].map(|method| methods.iter().filter(|&&used| used == method).count());
        assert!(counts.iter().zip(least).all(|(&count, least)| count >= least), "{counts:?}");
        // One checkpoint of each method, and some of all.
        let begins = (0..4).filter_map(|method| methods.iter().position(|&used| used == method));
        let spread = (0..6).map(|part| (checkpoints.len() - 1) * part / 5);
        for begin in begins.chain(spread) {
            let resumed = kept(solver().resume(read(&checkpoints[begin])));
            // Before the cycle the layer itself is told again; within it, the step with which the
            // solve goes on.
            assert!(
                checkpoints.ends_with(&resumed) && resumed.len() + begin <= checkpoints.len() + 1,
                "{begin}"
            );
            assert!(resumed.len() + begin + 1 >= checkpoints.len(), "{begin}");
            let solution = solver().resume(read(&checkpoints[begin])).solve().unwrap();
            assert!(certificate(&solution) == whole, "{begin}");
        }
    }
}

/// The method of the cycle that is being solved: 0 for sweeps, 1 for Newton steps, 2 for rounds, 3
/// for longer numbers.
fn method(bytes: &[u8]) -> Option<usize> {
    let progress = CyclePart::of(bytes);
    match progress.method {
        Some(method) => Some([0, 1, 3][method as usize - 1]),
        None => (progress.states > 0).then_some(2),
    }
}

#[test]
fn checkpoints_of_other_games_and_forged_ones_are_refused() {
    let bytes = kept(solver(Soccer { turns: 10 })).pop().unwrap();
    let refused = |game: StochasticSolver<'_>, bytes: &[u8], expected: &str| {
        let checkpoint = StochasticCheckpoint::read(bytes);
        let sentence = match checkpoint {
            Err(error) => error.to_string(),
            Ok(checkpoint) => game.resume(checkpoint).solve().map(|_| ()).unwrap_err().to_string(),
        };
        assert!(sentence.contains(expected), "{sentence}");
    };
    let soccer = || solver(Soccer { turns: 10 });
    refused(solver(Soccer { turns: 11 }), &bytes, "the checkpoint is of another game");
    refused(solver(Goofspiel::new(3, false)), &bytes, "the checkpoint is of another game");
    for (offset, expected) in [
        (0, "does not begin"),
        (8, "another version"),
        (20, "checksum"),
        (bytes.len() - 1, "checksum"),
    ] {
        let mut wrong = bytes.clone();
        wrong[offset] ^= 1;
        refused(soccer(), &wrong, expected);
    }
    refused(soccer(), &bytes[..bytes.len() - 1], "ends too early");
    refused(soccer(), &[&bytes[..], &[0]].concat(), "goes on");
    // Bounds of the first state, which is no end, that are better than its strategies prove:
    // whoever changes them can also put the right checksum behind them.
    let number = |offset: usize| i64::from_le_bytes(bytes[offset..offset + 8].try_into().unwrap());
    let (lower, upper) = (number(FIRST), number(FIRST + 8));
    for (lower, upper) in
        [(lower + (1 << 20), upper + (1 << 20)), (lower - (1 << 20), upper - (1 << 20))]
    {
        let mut forged = bytes.clone();
        forged[FIRST..FIRST + 8].copy_from_slice(&lower.to_le_bytes());
        forged[FIRST + 8..FIRST + 16].copy_from_slice(&upper.to_le_bytes());
        let end = forged.len() - 4;
        let checksum = crc32fast::hash(&forged[..end]);
        forged[end..].copy_from_slice(&checksum.to_le_bytes());
        refused(soccer(), &forged, "the checkpoint does not prove its bounds at state");
    }
}

/// A finished solution in a finer unit than is known before solving: its checkpoint gives it back.
/// With another unit it proves nothing.
#[test]
fn a_finished_solution_in_a_finer_unit_is_given_back() {
    // Rewards of both signs, nearly undiscounted: values are far smaller than all rewards together.
    let cell = |reward: &str, to: &str| format!(r#"{{"reward":"{reward}","to":[["1","{to}"]]}}"#);
    let state = |id: &str, rewards: [&str; 4]| {
        let [a, b, c, d] = rewards;
        let cells = [cell(a, "t"), cell(b, "s"), cell(c, "s"), cell(d, "t")];
        let [a, b, c, d] = &cells;
        format!(
            "{{\"id\":\"{id}\",\"a\":[\"l\",\"r\"],\"b\":[\"l\",\"r\"],\"cells\":[[{a},{b}],[{c},{d}]]}}\n"
        )
    };
    let header = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"999999/1000000","start":["s"]}"#;
    let text = format!(
        "{header}\n{}{}",
        state("s", ["1", "-1", "-1", "1/2"]),
        state("t", ["-1", "1", "1", "-3/4"])
    );
    let solver =
        || StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).threads(1);
    let solution = solver().solve().unwrap();
    let mut bytes = Vec::new();
    solution.checkpoint().unwrap().write(&mut bytes).unwrap();
    let resumed = solver().resume(read(&bytes)).solve().unwrap();
    assert_eq!(certificate(&resumed), certificate(&solution));
    let mut again = Vec::new();
    resumed.checkpoint().unwrap().write(&mut again).unwrap();
    assert_eq!(again, bytes);
    let digest = u64::from_le_bytes(bytes[12..20].try_into().unwrap());
    let forged = |digest: u64| {
        let mut forged = bytes.clone();
        forged[12..20].copy_from_slice(&digest.to_le_bytes());
        // Its bounds need long numbers, which are a part of their own.
        let end = LongPart::of(&bytes).before.len() - 4;
        let sum = crc32fast::hash(&forged[..end]);
        forged[end..end + 4].copy_from_slice(&sum.to_le_bytes());
        solver().resume(read(&forged)).solve().map(drop)
    };
    forged(digest).unwrap();
    for other in [digest - 1, digest + 1, digest + 20, digest + 100] {
        forged(other).unwrap_err();
    }
}

/// In a unit that is too fine for its end, every number of this game would count as 0, and so would
/// prove itself.
#[test]
fn a_checkpoint_in_a_unit_that_is_too_fine_is_refused() {
    let text = r#"{"format":"stochastic-game","version":1,"kind":"discounted","discount":"999999/1000000","start":["s"]}
{"id":"s","a":["x"],"b":["pay","leave"],"cells":[[{"reward":"1/1024","to":[["1","s"]]},{"to":[["1","e"]]}]]}
{"id":"e","value":"1"}
"#;
    let solver =
        || StochasticSolver::new(StochasticGame::read(text.as_bytes()).unwrap()).threads(1);
    let begun = &kept(solver())[0];
    let digest = u64::from_le_bytes(begun[12..20].try_into().unwrap());
    // The first units in which the end is no number of 64 bits leave the reward one.
    for finer in [1, 10, 12, 15, 20, 60, 65, 70, 75] {
        let mut forged = begun[..12].to_vec();
        for number in [digest + finer, 2, 2] {
            forged.extend(number.to_le_bytes());
        }
        // The bounds of `s` are 0, one action each; B leaves, for an end with bounds of 0. No cycle
        // is being solved.
        forged.extend([0; 16]);
        forged.extend([1_u32, 1].map(u32::to_le_bytes).concat());
        for action in [0_u32, 1] {
            forged.extend(action.to_le_bytes());
            forged.extend((1_u64 << 62).to_le_bytes());
        }
        forged.extend([0; 24 + 32]);
        forged.extend(crc32fast::hash(&forged).to_le_bytes());
        assert!(solver().resume(read(&forged)).solve().is_err(), "{finer} bits finer");
    }
}

/// The part of a checkpoint with long numbers, as integers in its order, apart from lengths.
struct LongPart {
    before: Vec<u8>,
    /// Where the bounds of each state begin in the part before.
    bounds: Vec<usize>,
    numbers: Vec<Number>,
}

#[derive(Clone, PartialEq)]
enum Number {
    Short(u32),
    Long(BigInt),
}

impl LongPart {
    fn of(bytes: &[u8]) -> Self {
        let take = |at: &mut usize, count: usize| {
            *at += count;
            bytes[*at - count..*at].to_vec()
        };
        let short = |at: &mut usize| u32::from_le_bytes(take(at, 4).try_into().unwrap());
        let (mut at, mut bounds) = (FIRST, Vec::new());
        // The states, and the counts of a cycle that is not there.
        for _ in 0..u64::from_le_bytes(bytes[FIRST - 8..FIRST].try_into().unwrap()) {
            bounds.push(at);
            take(&mut at, 16);
            let actions = short(&mut at) + short(&mut at);
            take(&mut at, 12 * actions as usize);
        }
        let widths = u64::from_le_bytes(bytes[at + 16..at + 24].try_into().unwrap());
        take(&mut at, 24 + 8 * widths as usize + 8 + 4);
        let before = bytes[..at].to_vec();
        let states = u64::from_le_bytes(take(&mut at, 8).try_into().unwrap());
        let mut numbers = Vec::new();
        for _ in 0..states {
            numbers.extend((0..3).map(|_| Number::Short(short(&mut at))));
            for _ in 0..2 {
                let long = |at: &mut usize| {
                    let length = short(at) as usize;
                    Number::Long(BigInt::from_signed_bytes_le(&take(at, length)))
                };
                numbers.push(long(&mut at));
                let actions = short(&mut at);
                numbers.push(Number::Short(actions));
                for _ in 0..actions {
                    numbers.push(Number::Short(short(&mut at)));
                    numbers.push(long(&mut at));
                }
            }
        }
        assert_eq!(at + 4, bytes.len());
        Self { before, bounds, numbers }
    }

    fn write(&self, states: u64) -> Vec<u8> {
        let mut part = states.to_le_bytes().to_vec();
        for number in &self.numbers {
            match number {
                Number::Short(number) => part.extend(number.to_le_bytes()),
                Number::Long(number) => {
                    let bytes = number.to_signed_bytes_le();
                    part.extend((bytes.len() as u32).to_le_bytes());
                    part.extend(bytes);
                }
            }
        }
        part.extend(crc32fast::hash(&part).to_le_bytes());
        [self.before.clone(), part].concat()
    }
}

/// A part with its checksum made right.
fn sealed(mut part: Vec<u8>) -> Vec<u8> {
    let end = part.len() - 4;
    let checksum = crc32fast::hash(&part[..end]);
    part[end..].copy_from_slice(&checksum.to_le_bytes());
    part
}

/// Two floors that are proved in long numbers: their checkpoint leads to the same solution, and
/// every long number in it that is better by one is refused, a bound as well as a weight, whose sum
/// is wrong then, and a weight taken from another.
#[test]
fn long_numbers_are_kept_and_proved_again() {
    let game =
        || StochasticSolver::new(StochasticGame::read(purgatory(2).as_bytes()).unwrap()).threads(1);
    let solution = game().solve().unwrap();
    let (whole, mut bytes) = (certificate(&solution), Vec::new());
    solution.checkpoint().unwrap().write(&mut bytes).unwrap();
    assert!(certificate(&game().resume(read(&bytes)).solve().unwrap()) == whole);
    let part = LongPart::of(&bytes);
    assert!(part.write(2) == bytes);
    let refused = |numbers: Vec<Number>, name: &str| {
        let forged = LongPart { before: part.before.clone(), bounds: Vec::new(), numbers }.write(2);
        let read = StochasticCheckpoint::read(forged.as_slice());
        assert!(read.is_err() || game().resume(read.unwrap()).solve().is_err(), "{name}");
    };
    let mut tried = 0;
    for index in 0..part.numbers.len() {
        for step in [-1, 1] {
            let mut numbers = part.numbers.clone();
            match &mut numbers[index] {
                // The last turn of a bound's proof has some units to spare.
                Number::Long(number) => {
                    *number += i64::from(step) << if matches!(index % 13, 3 | 9) { 10 } else { 0 }
                }
                Number::Short(number) => *number = number.wrapping_add_signed(step),
            }
            // Bounds may be worse than they are, and any action of B proves that A wins at most 1.
            let is_true = matches!((index % 13, step), (3, -1) | (9 | 11, 1));
            if !is_true {
                refused(numbers, &format!("number {index} and {step}"));
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "{tried}");
    // Actions rise: none is there twice with half of its weight, and two do not change their
    // places.
    let (first, rest) = part.numbers.split_at(13);
    let Number::Long(whole) = &first[12] else { panic!() };
    let half = Number::Long(whole / 2);
    let twice = [
        &first[..10],
        &[Number::Short(2), first[11].clone(), half.clone(), first[11].clone(), half],
    ]
    .concat();
    let falling = [&first[..5], &first[7..9], &first[5..7], &first[9..]].concat();
    for (forged, name) in [(twice, "an action twice"), (falling, "actions that fall")] {
        refused([&forged, rest].concat(), name);
    }
    // Neither is a bound in the short unit better than in long numbers.
    for (state, &offset) in part.bounds.iter().enumerate().skip(2) {
        for (side, step) in [(0, 1), (8, -1)] {
            let mut before = part.before.clone();
            let range = offset + side..offset + side + 8;
            let better = i64::from_le_bytes(before[range.clone()].try_into().unwrap()) + step;
            before[range].copy_from_slice(&better.to_le_bytes());
            let forged = LongPart {
                before: sealed(before),
                bounds: Vec::new(),
                numbers: part.numbers.clone(),
            }
            .write(2);
            let refused = game().resume(read(&forged)).solve().unwrap_err().to_string();
            assert!(refused.contains("does not prove its bounds"), "{state}: {refused}");
        }
    }
    // A that always says 0 can be kept for ever: 1 is no lower bound, not even with an action of
    // weight 0 that leaves.
    let mut before = part.before.clone();
    let mut numbers = Vec::new();
    for state in part.numbers.chunks(13) {
        let [Number::Short(offset), Number::Short(bits), ..] = state else { panic!() };
        let offset = part.bounds[*offset as usize];
        before.copy_within(offset + 8..offset + 16, offset);
        let (action, whole) = (Number::Short(0), Number::Long(BigInt::from(1) << *bits));
        numbers.push(
            [&state[..3], &[state[9].clone(), Number::Short(1), action, whole], &state[9..]]
                .concat(),
        );
    }
    let before = sealed(before);
    let with_zero = numbers.iter().map(|state| {
        let zero = [Number::Short(1), Number::Long(BigInt::from(0))];
        [&state[..4], &[Number::Short(2)], &state[5..7], &zero, &state[7..]].concat()
    });
    for numbers in [numbers.concat(), with_zero.collect::<Vec<_>>().concat()] {
        let forged = LongPart { before: before.clone(), bounds: Vec::new(), numbers }.write(2);
        let refused = game().resume(read(&forged)).solve().unwrap_err().to_string();
        assert!(refused.contains("does not prove its bounds"), "{refused}");
    }
}

/// Whoever cancels when all is done comes too late: the result is not thrown away. Before that a
/// checkpoint is left.
#[test]
fn finished_work_is_not_cancelled() {
    use std::ops::ControlFlow;

    let late =
        |share: f64| if share < 1.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    for name in ["pennies", "hide or run", "around", "stopping", "discounted"] {
        let game = || StochasticGame::read(named(name).0.as_bytes()).unwrap();
        let whole = StochasticSolver::new(game()).threads(1).solve().unwrap();
        let solved = StochasticSolver::new(game()).threads(1).on_progress(late).solve().unwrap();
        for state in 0..whole.game().len() {
            assert_eq!(
                solved.enclosure(&state).unwrap(),
                whole.enclosure(&state).unwrap(),
                "{name}"
            );
        }
    }
    let solver = || pencil_tennis::Solver::new(&pencil_tennis::Rules::tennis()).points([9, 7]);
    assert!(solver().on_progress(late).solve().is_ok());
}
