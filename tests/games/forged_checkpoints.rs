//! Checkpoints that lie: the checksum is right, and one rule is broken at what was solved last, so
//! that no later proof refuses it.

use std::ops::ControlFlow;
use std::time::Duration;

use num_bigint::BigInt;
use pencil_tennis::Player;
use pencil_tennis::stochastic_game::{
    StationaryPolicy, StochasticCheckpoint, StochasticGame, StochasticSolution, StochasticSolver,
};

use crate::cycle_parts::{CyclePart, Number};
use crate::forged::named;
use crate::kernels::Fraction;
use crate::random_games::{purgatory, two_ways_around};
use crate::slow_cycles::in_longer_numbers;

/// The weight of certainty.
const WHOLE: u64 = 1 << 62;

/// A state of a checkpoint: its bounds, and the weights of A and of B by the numbers of actions.
#[derive(Clone, Debug, Default)]
struct State {
    bounds: [i64; 2],
    weights: [Vec<(u32, u64)>; 2],
}

/// A checkpoint of an explicit game, part by part.
#[derive(Clone, Debug)]
struct Checkpoint {
    magic: [u8; 8],
    version: u32,
    game: u64,
    solved: u64,
    states: Vec<State>,
    rounds: u64,
    lingers: u64,
    widths: Vec<u64>,
    cycle: Vec<State>,
    checksum: u32,
    behind: Vec<u8>,
}

/// Takes integers from bytes, little end first.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn take<const COUNT: usize>(&mut self) -> [u8; COUNT] {
        let (taken, rest) = self.0.split_first_chunk().unwrap();
        self.0 = rest;
        *taken
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn state(&mut self) -> State {
        let bounds = [self.u64() as i64, self.u64() as i64];
        let counts = [self.u32(), self.u32()];
        State {
            bounds,
            weights: counts.map(|count| (0..count).map(|_| (self.u32(), self.u64())).collect()),
        }
    }
}

impl Checkpoint {
    fn parse(bytes: &[u8]) -> Self {
        let mut input = Bytes(bytes);
        let (magic, version, game, solved) = (input.take(), input.u32(), input.u64(), input.u64());
        let states = (0..input.u64()).map(|_| input.state()).collect();
        let (rounds, lingers) = (input.u64(), input.u64());
        let widths = (0..input.u64()).map(|_| input.u64()).collect();
        let cycle = (0..input.u64()).map(|_| input.state()).collect();
        // The checksum is left, and what comes behind it.
        let behind = input.0[4..].to_vec();
        Self {
            magic,
            version,
            game,
            solved,
            states,
            rounds,
            lingers,
            widths,
            cycle,
            checksum: 0,
            behind,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = self.magic.to_vec();
        out.extend(self.version.to_le_bytes());
        put_numbers(&mut out, &[self.game, self.solved]);
        put_states(&mut out, &self.states);
        put_numbers(&mut out, &[self.rounds, self.lingers, self.widths.len() as u64]);
        put_numbers(&mut out, &self.widths);
        put_states(&mut out, &self.cycle);
        sealed(out, self.checksum, &self.behind)
    }
}

fn put_numbers(out: &mut Vec<u8>, numbers: &[u64]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn put_states(out: &mut Vec<u8>, states: &[State]) {
    put_numbers(out, &[states.len() as u64]);
    for State { bounds, weights } in states {
        put_numbers(out, &bounds.map(|bound| bound as u64));
        out.extend(
            weights.each_ref().map(|weights| (weights.len() as u32).to_le_bytes()).as_flattened(),
        );
        for (action, weight) in weights.iter().flatten() {
            out.extend(action.to_le_bytes());
            out.extend(weight.to_le_bytes());
        }
    }
}

/// The bytes with their checksum, which is wrong by so much, and what follows it.
fn sealed(mut bytes: Vec<u8>, wrong_by: u32, behind: &[u8]) -> Vec<u8> {
    bytes.extend((crc32fast::hash(&bytes) ^ wrong_by).to_le_bytes());
    bytes.extend(behind);
    bytes
}

fn solver<'p>(name: &str) -> StochasticSolver<'p> {
    StochasticSolver::new(StochasticGame::read(named(name).0.as_bytes()).unwrap()).threads(1)
}

fn certificate(solution: &StochasticSolution) -> Vec<u8> {
    let mut bytes = Vec::new();
    solution.write_certificate(&mut bytes).unwrap();
    bytes
}

/// All checkpoints of a solve, each of which is gone on from to the same solution.
fn kept(name: &str) -> Vec<Checkpoint> {
    let mut kept = Vec::new();
    let keep = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        kept.push(bytes);
    };
    let whole = certificate(&solver(name).on_checkpoint(Duration::ZERO, keep).solve().unwrap());
    let parsed = kept.iter().map(|bytes| {
        let checkpoint = Checkpoint::parse(bytes);
        assert_eq!(&checkpoint.bytes(), bytes);
        assert!(certificate(&resumed(name, bytes).unwrap()) == whole);
        checkpoint
    });
    parsed.collect()
}

fn resumed(name: &str, bytes: &[u8]) -> Result<StochasticSolution, String> {
    let checkpoint = StochasticCheckpoint::read(bytes).map_err(|error| error.to_string())?;
    solver(name).resume(checkpoint).solve().map_err(|error| error.to_string())
}

/// One change of a checkpoint after another, and the words with which it is refused.
struct Forger<'n>(&'n str, Checkpoint);

impl Forger<'_> {
    fn refuse(&self, rule: &str, words: &str, change: impl FnOnce(&mut Checkpoint)) {
        let mut forged = self.1.clone();
        change(&mut forged);
        match resumed(self.0, &forged.bytes()) {
            Ok(solution) => {
                panic!(
                    "{rule}: it is gone on from to {:?}",
                    solution.enclosure(&(forged.states.len() - 1)).unwrap().decimal()
                )
            }
            Err(sentence) => assert!(sentence.contains(words), "{rule}: {sentence}"),
        }
    }
}

const UNPROVED: &str = "the checkpoint does not prove its bounds at state";
const SUMS: &str = "the checkpoint holds strategies whose weights do not sum to 1";
const OTHER: &str = "the checkpoint is of another game";

/// `p` of the pennies: the last that is solved but for `r`, which the checkpoint knows nothing of.
const P: usize = 4;

#[test]
fn strategies_prove_the_bounds_of_single_states() {
    let checkpoints = kept("pennies");
    // All ends are solved; and all that ends alone follow.
    let forger = Forger("pennies", checkpoints[0].clone());
    let (half, won) = (1, 2);
    let unit = forger.1.states[half].bounds[1];
    assert!(forger.1.solved == 4 && forger.1.states[won].bounds == [4 * unit; 2], "{:?}", forger.1);
    for [lower, upper] in [[1, 1], [-1, -1], [0, 1], [-1, 0]] {
        forger.refuse("an end has its own bounds", UNPROVED, |forged| {
            forged.states[half].bounds = [unit + lower, unit + upper];
        });
    }
    for player in 0..2 {
        forger.refuse("an end has no weights", UNPROVED, |forged| {
            forged.states[half].weights[player] = vec![(0, WHOLE)];
        });
    }
    let forger = Forger("pennies", checkpoints[1].clone());
    assert!(forger.1.solved == 8 && forger.1.states[P].bounds == [2 * unit; 2], "{:?}", forger.1);
    let (even, first) = (vec![(0, WHOLE / 2), (1, WHOLE / 2)], vec![(0, WHOLE)]);
    assert!(forger.1.states[P].weights == [even.clone(), even.clone()]);
    for player in 0..2 {
        // Better by a unit.
        let better = [1, -1][player];
        forger.refuse("weights secure the bound", UNPROVED, |forged| {
            forged.states[P].bounds = [2 * unit + better; 2];
        });
        let weigh = |rule: &str, words: &str, bounds: [i64; 2], weights: &[(u32, u64)]| {
            forger.refuse(rule, words, |forged| {
                forged.states[P].bounds = bounds;
                forged.states[P].weights[player] = weights.to_vec();
            });
        };
        let secured = [2 * unit; 2];
        // What any weights secure.
        let wide = if player == 0 { [-4 * unit, 2 * unit] } else { [2 * unit, 4 * unit] };
        weigh("weights secure the bound against every action", UNPROVED, secured, &first);
        weigh("there are weights", UNPROVED, secured, &[]);
        weigh("there are weights where bounds are wide", UNPROVED, wide, &[]);
        weigh("no weight is 0", UNPROVED, wide, &[(0, WHOLE), (1, 0)]);
        weigh("actions are those of the state", UNPROVED, wide, &[(0, WHOLE / 2), (2, WHOLE / 2)]);
        weigh(
            "weights sum to no less than the whole",
            SUMS,
            wide,
            &[(0, WHOLE / 2), (1, WHOLE / 2 - 1)],
        );
        weigh(
            "weights sum to no more than the whole",
            SUMS,
            [secured, [4 * unit; 2]][1 - player],
            &[(0, WHOLE), (1, WHOLE)],
        );
        weigh("weights are summed beyond 64 bits", SUMS, wide, &[(0, 5 << 61), (1, 5 << 61)]);
        weigh("no action is told twice", SUMS, wide, &[(0, WHOLE / 2), (0, WHOLE / 2)]);
        weigh("actions rise", SUMS, secured, &[(1, WHOLE / 2), (0, WHOLE / 2)]);
    }
    forger.refuse("bounds do not cross", "bounds that no game has", |forged| {
        forged.states[P].bounds = [1, 0];
    });
    for (side, bound) in [(0, -(1_i64 << 62) - 1), (1, (1 << 62) + 1)] {
        forger.refuse("bounds are within 2^62", "bounds that no game has", |forged| {
            forged.states[P].bounds[side] = bound;
        });
    }
}

#[test]
fn strategies_prove_the_bounds_of_cycles() {
    let (s, t) = (3, 4);
    let forger = Forger("hide or run", kept("hide or run").pop().unwrap());
    let unit = forger.1.states[0].bounds[0];
    for (state, player) in [(s, 0), (t, 1)] {
        let stay = |forged: &mut Checkpoint, weights: &[(u32, u64)]| {
            forged.states[state].bounds[player] = [unit, -unit][player];
            forged.states[state].bounds[1 - player] = [unit, -unit][player];
            forged.states[state].weights[player] = weights.to_vec();
        };
        forger.refuse("who hides for ever wins nothing", UNPROVED, |forged| {
            stay(forged, &[(0, WHOLE)]);
        });
        forger.refuse("no weight is 0", UNPROVED, |forged| stay(forged, &[(0, WHOLE), (1, 0)]));
    }
    // By a unit, of what endless play pays as well.
    let forger = Forger("around", kept("around").pop().unwrap());
    let (u, v) = (2, 3);
    let half = forger.1.states[u].bounds[0];
    assert!(
        forger.1.states[u].bounds == [half; 2] && forger.1.states[0].bounds == [2 * half; 2],
        "{:?}",
        forger.1
    );
    for player in 0..2 {
        let better = [1, -1][player];
        for bounds in [half + better, 2 * half * better.max(0)] {
            forger.refuse("bounds do not hold each other up", UNPROVED, |forged| {
                for state in [u, v] {
                    forged.states[state].bounds = [bounds; 2];
                }
            });
        }
        forger.refuse("weights secure the bound over other states", UNPROVED, |forged| {
            forged.states[v].bounds = [half + better; 2];
        });
    }
    for name in ["stopping", "discounted"] {
        let checkpoint = kept(name).pop().unwrap();
        for (state, entry) in
            checkpoint.states.iter().enumerate().filter(|(_, entry)| !entry.weights[0].is_empty())
        {
            let [lower, upper] = entry.bounds;
            let forger = Forger(name, checkpoint.clone());
            forger.refuse("the lower bound is secured", UNPROVED, |forged| {
                forged.states[state].bounds = [upper + 64; 2];
            });
            forger.refuse("the upper bound is secured", UNPROVED, |forged| {
                forged.states[state].bounds = [lower - 64; 2];
            });
        }
    }
}

/// In longer numbers nothing is claimed that is not proved: not about a part of a cycle, nor about
/// states that are not solved.
#[test]
fn longer_numbers_are_proved_or_dropped() {
    let (u, v) = (2_u32, 3_u32);
    let done = kept("around").pop().unwrap();
    let whole = certificate(&solver("around").solve().unwrap());
    for (solved, states) in
        [(done.solved, vec![u]), (done.solved, vec![v]), (0, vec![u, v]), (0, vec![0, 1])]
    {
        let mut long = (states.len() as u64).to_le_bytes().to_vec();
        for state in states {
            long.extend([state, 62, 0].map(u32::to_le_bytes).as_flattened());
            for _ in 0..2 {
                // The bound, 1 in one byte, and no weights.
                long.extend([1, 0, 0, 0, 1, 0, 0, 0, 0]);
            }
        }
        let forged =
            Checkpoint { version: 2, solved, behind: sealed(long, 0, &[]), ..done.clone() };
        assert!(
            certificate(&resumed("around", &forged.bytes()).unwrap()) == whole,
            "{solved} solved"
        );
    }
}

/// Takes a state in longer numbers: its number, the bits of its weights, and the weights of A and
/// of B.
fn long_state(input: &mut Bytes<'_>) -> (usize, u32, [Vec<(u32, BigInt)>; 2]) {
    let (state, bits, _finer) = (input.u32(), input.u32(), input.u32());
    let integer = |input: &mut Bytes<'_>| {
        let length = input.u32();
        let bytes: Vec<u8> = (0..length).map(|_| input.take::<1>()[0]).collect();
        BigInt::from_signed_bytes_le(&bytes)
    };
    let weights = [(); 2].map(|()| {
        integer(input);
        (0..input.u32()).map(|_| (input.u32(), integer(input))).collect()
    });
    (state as usize, bits, weights)
}

/// What the strategies that a solution shows secure for each player, summed over all states: as the
/// judge says, which knows nothing of longer numbers.
fn secured(solution: &StochasticSolution) -> [[Fraction; 2]; 2] {
    [Player::A, Player::B].map(|player| {
        let shown = StationaryPolicy::optimal(solution, player).unwrap();
        let judged = solution.judge(&shown, &mut |_| ControlFlow::Continue(())).unwrap();
        let sum_of_ends = |end: usize| {
            (0..solution.game().len())
                .map(|state| judged.state(state).unwrap().secured.fractions()[end].clone())
                .sum()
        };
        [0, 1].map(sum_of_ends)
    })
}

/// The strategies of 62 bits beside longer numbers are the longer ones rounded, or others that
/// secure more; so a checkpoint that has worse ones in their place shows the rounded ones. Their
/// actions are those of the game.
#[test]
fn short_strategies_beside_longer_numbers_secure_what_their_roundings_do() {
    let solver = || {
        StochasticSolver::new(StochasticGame::read(in_longer_numbers().as_bytes()).unwrap())
            .threads(1)
    };
    let solution = solver().solve().unwrap();
    let mut bytes = Vec::new();
    solution.checkpoint().unwrap().write(&mut bytes).unwrap();
    let mut checkpoint = Checkpoint::parse(&bytes);
    let resumed = |checkpoint: &Checkpoint| {
        let solved =
            solver().resume(StochasticCheckpoint::read(&checkpoint.bytes()[..]).unwrap()).solve();
        solved.map_err(|error| error.to_string())
    };
    let written = |solution: &StochasticSolution| {
        let mut bytes = Vec::new();
        solution.checkpoint().unwrap().write(&mut bytes).unwrap();
        bytes
    };
    assert!(checkpoint.version == 2 && written(&resumed(&checkpoint).unwrap()) == bytes);
    // The roundings: a part of 2^62 at least for every action; the last one takes the rest.
    let mut long = Bytes(&checkpoint.behind);
    let mut roundings = checkpoint.clone();
    for _ in 0..long.u64() {
        let (state, bits, proving) = long_state(&mut long);
        for (player, proving) in proving.into_iter().enumerate() {
            let part = |weight: &BigInt| u64::try_from((weight << 62_u32) >> bits).unwrap().max(1);
            let mut weights: Vec<(u32, u64)> =
                proving.iter().map(|(action, weight)| (*action, part(weight))).collect();
            let sum: u64 = weights.iter().map(|(_, weight)| weight).sum();
            let largest = weights.iter_mut().max_by_key(|(_, weight)| *weight).unwrap();
            largest.1 = largest.1 + WHOLE - sum;
            roundings.states[state].weights[player] = weights;
        }
    }
    let [[least_a, _], [_, most_b]] = secured(&resumed(&roundings).unwrap());
    let mut long = Bytes(&checkpoint.behind);
    let mut replaced = 0;
    for _ in 0..long.u64() {
        let (state, ..) = long_state(&mut long);
        for player in 0..2 {
            let shown = checkpoint.states[state].weights[player].clone();
            assert_eq!(shown.iter().map(|(_, weight)| weight).sum::<u64>(), WHOLE);
            // Another action that is there, or a pure strategy in the place of a mixed one.
            for other in [vec![(0, WHOLE)], vec![(1, WHOLE)], vec![(0, WHOLE / 2), (1, WHOLE / 2)]]
            {
                checkpoint.states[state].weights[player].clone_from(&other);
                match resumed(&checkpoint) {
                    Ok(resumed) => {
                        let [[_, secured_a], [secured_b, _]] = secured(&resumed);
                        assert!(secured_a >= least_a && secured_b <= most_b, "{state}: {other:?}");
                        replaced += usize::from(written(&resumed) != checkpoint.bytes());
                    }
                    // Where there is one action.
                    Err(sentence) => assert!(sentence.contains(UNPROVED), "{sentence}"),
                }
            }
            for none in [vec![(77, WHOLE)], Vec::new(), vec![(0, WHOLE), (1, 0)]] {
                checkpoint.states[state].weights[player].clone_from(&none);
                match resumed(&checkpoint) {
                    Err(refused) => assert!(refused.contains(UNPROVED), "{none:?}: {refused}"),
                    Ok(_) => panic!("{none:?} is shown"),
                }
            }
            checkpoint.states[state].weights[player] = shown;
        }
    }
    assert!(replaced > 0);
}

/// A cycle of two states, at the beginning of a round.
#[test]
fn strategies_prove_the_bounds_of_a_cycle_that_is_being_solved() {
    let checkpoints = kept("around");
    let begun = checkpoints.iter().find(|checkpoint| !checkpoint.cycle.is_empty()).unwrap();
    let forger = Forger("around", begun.clone());
    let unit = begun.states[0].bounds[0];
    assert_eq!(begun.cycle.len(), 2);
    for player in 0..2 {
        // The next round would not know better.
        let better = [unit, 0][player];
        forger.refuse("bounds do not hold each other up", UNPROVED, |forged| {
            for state in &mut forged.cycle {
                state.bounds = [better; 2];
                state.weights[player] = vec![(0, WHOLE)];
            }
        });
        forger.refuse("weights secure the bound", UNPROVED, |forged| {
            forged.cycle[1].bounds = [better + [1, -1][player]; 2];
        });
        forger.refuse("there are weights", UNPROVED, |forged| {
            forged.cycle[1].weights[player].clear();
        });
        forger.refuse("actions are those of the state", UNPROVED, |forged| {
            forged.cycle[1].weights[player] = vec![(2, WHOLE)];
        });
        forger.refuse("no weight is 0", UNPROVED, |forged| {
            forged.cycle[1].weights[player] = vec![(0, WHOLE), (1, 0)];
        });
        forger.refuse("weights sum to the whole", SUMS, |forged| {
            forged.cycle[1].weights[player] = vec![(0, WHOLE - 1)];
        });
    }
    forger.refuse("bounds do not cross", "bounds that no game has", |forged| {
        forged.cycle[1].bounds = [1, 0];
    });
    forger.refuse("every state of the cycle is there", UNPROVED, |forged| forged.cycle.truncate(1));
    forger.refuse("no other state is there", UNPROVED, |forged| {
        forged.cycle.push(begun.cycle[0].clone());
    });
    // A cycle where there is none.
    let done = checkpoints.last().unwrap().clone();
    let cycle = begun.cycle.clone();
    let forger = Forger("around", done);
    forger.refuse("what is solved has no cycle", OTHER, |forged| forged.cycle = cycle);
    let forger = Forger("hide or run", kept("hide or run").remove(0));
    assert_eq!(forger.1.solved, 3);
    forger.refuse("a state alone is not gone on with", OTHER, |forged| {
        forged.cycle = vec![forged.states[3].clone()];
    });
}

#[test]
fn a_checkpoint_is_whole_and_of_its_game() {
    let forger = Forger("pennies", kept("pennies").pop().unwrap());
    let count = forger.1.solved;
    forger.refuse("it begins with its name", "does not begin", |forged| forged.magic[7] ^= 1);
    forger.refuse("it has a version", "another version", |forged| forged.version = 4);
    forger.refuse("it is of one game", OTHER, |forged| forged.game ^= 1);
    forger.refuse("no more is solved than there is", OTHER, |forged| forged.solved = count + 1);
    forger.refuse("no more is solved than there is", OTHER, |forged| forged.solved = u64::MAX);
    forger.refuse("it has the checksum", "has a wrong checksum", |forged| forged.checksum = 1);
    forger.refuse("nothing follows", "goes on after its end", |forged| forged.behind = vec![0]);
    for solved in [0, count] {
        forger.refuse("it has all states", OTHER, |forged| {
            forged.solved = solved;
            forged.states.pop();
        });
        forger.refuse("it has no other states", OTHER, |forged| {
            forged.solved = solved;
            forged.states.push(State::default());
        });
    }
    let bytes = forger.1.bytes();
    for length in 0..bytes.len() {
        let words =
            resumed("pennies", &bytes[..length]).map(|solution| solution.game().len()).unwrap_err();
        assert!(words.contains("ends too early"), "{length} bytes: {words}");
    }
}

/// The checkpoints of rules are those of written games: strategies prove the bounds of every state.
#[test]
fn checkpoints_of_rules_are_whole_and_of_their_game_and_prove_their_bounds() {
    let rules = || StochasticSolver::new(named("exchanged").1).threads(1);
    let resumed = |bytes: &[u8]| {
        let checkpoint = StochasticCheckpoint::read(bytes).map_err(|error| error.to_string())?;
        let solution = rules().resume(checkpoint).solve().map_err(|error| error.to_string())?;
        Ok::<_, String>(solution.states().map(|(_, enclosure)| enclosure).collect::<Vec<_>>())
    };
    let mut kept = Vec::new();
    let keep = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).unwrap();
        kept.push(bytes);
    };
    let solution = rules().on_checkpoint(Duration::ZERO, keep).solve().unwrap();
    let whole: Vec<_> = solution.states().map(|(_, enclosure)| enclosure).collect();
    assert_eq!(kept.len(), 3, "levels");
    let mut all = Vec::new();
    solution.checkpoint().unwrap().write(&mut all).unwrap();
    assert!(kept.last() == Some(&all), "the last one has all of it");
    for bytes in kept {
        assert_eq!(resumed(&bytes).as_ref(), Ok(&whole));
        let checkpoint = Checkpoint::parse(&bytes);
        assert_eq!(checkpoint.bytes(), bytes);
        assert_eq!(checkpoint.states.len(), 5);
        let refuse = |rule: &str, words: &str, change: &dyn Fn(&mut Checkpoint)| {
            let mut forged = checkpoint.clone();
            change(&mut forged);
            let sentence = resumed(&forged.bytes()).expect_err(rule);
            assert!(sentence.contains(words), "{rule}: {sentence}");
        };
        refuse("it begins with its name", "does not begin", &|forged| forged.magic[7] ^= 1);
        refuse("it has a version", "another version", &|forged| forged.version += 3);
        refuse("it is of one game", OTHER, &|forged| forged.game ^= 1);
        refuse("no more is solved than there is", OTHER, &|forged| forged.solved = 6);
        refuse("it has the checksum", "has a wrong checksum", &|forged| forged.checksum = 1);
        refuse("nothing follows", "goes on after its end", &|forged| forged.behind = vec![0]);
        refuse("it has no other states", OTHER, &|forged| forged.states.push(State::default()));
        refuse("it has all states", OTHER, &|forged| drop(forged.states.pop()));
        refuse("it has no cycle", OTHER, &|forged| forged.cycle = vec![forged.states[0].clone()]);
        let known = (0..5).filter(|&state| checkpoint.states[state].bounds != [0; 2]);
        assert_eq!(known.clone().count() as u64, checkpoint.solved, "no value is 0");
        for state in known {
            for (side, by) in [(0, 1 << 20), (1, -(1 << 20))] {
                refuse("bounds are proved", UNPROVED, &|forged| {
                    forged.states[state].bounds =
                        forged.states[state].bounds.map(|bound| bound + by);
                });
                refuse("bounds do not cross", "bounds that no game has", &|forged| {
                    forged.states[state].bounds[side] =
                        forged.states[state].bounds[1 - side] + by.signum();
                });
                refuse("bounds are within 2^62", "bounds that no game has", &|forged| {
                    forged.states[state].bounds[1 - side] = by.signum() * ((1 << 62) + 1);
                });
                refuse("actions are those of the state", UNPROVED, &|forged| {
                    forged.states[state].weights[side] = vec![(7, WHOLE)];
                });
            }
        }
        for length in 0..bytes.len() {
            let sentence = resumed(&bytes[..length]).expect_err("it ends where it should");
            assert!(sentence.contains("ends too early"), "{length} bytes: {sentence}");
        }
    }
    // The format before this one, without strategies.
    let refused = StochasticCheckpoint::read(&b"SIMGAMCP\x01\0\0\0"[..]).unwrap_err().to_string();
    assert!(refused.contains("strategies"), "{refused}");
}

/// A game, its solution, and a checkpoint of a cycle that is being solved.
struct Begun {
    game: String,
    whole: StochasticSolution,
    part: CyclePart,
}

impl Begun {
    /// The last checkpoint of this kind.
    fn last(game: &str, is_wanted: impl Fn(&CyclePart) -> bool + Sync) -> Self {
        let mut found = None;
        let keep = |checkpoint: &StochasticCheckpoint<'_>| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).unwrap();
            let part = CyclePart::of(&bytes);
            if is_wanted(&part) {
                found = Some(part);
            }
        };
        let whole = Self::solver(game).on_checkpoint(Duration::ZERO, keep).solve().unwrap();
        Self { game: game.to_owned(), whole, part: found.unwrap() }
    }

    fn solver<'p>(game: &str) -> StochasticSolver<'p> {
        StochasticSolver::new(StochasticGame::read(game.as_bytes()).unwrap()).threads(1)
    }

    fn resumed(&self, bytes: &[u8]) -> Result<StochasticSolution, String> {
        let checkpoint = StochasticCheckpoint::read(bytes).map_err(|error| error.to_string())?;
        Self::solver(&self.game).resume(checkpoint).solve().map_err(|error| error.to_string())
    }

    fn refuse(&self, rule: &str, words: &str, bytes: &[u8]) {
        let sentence = self.resumed(bytes).map(drop).expect_err(rule);
        assert!(sentence.contains(words), "{rule}: {sentence}");
    }

    /// Refuses the number at a place with another value.
    fn refuse_number(&self, words: &str, index: usize, number: Number) {
        let mut part = self.part.clone();
        let rule = format!("{} is {number:?}", part.numbers[index].0);
        assert!(part.numbers[index].1 != number, "{rule}");
        part.numbers[index].1 = number;
        self.refuse(&rule, words, &part.bytes());
    }

    /// Refuses the first number of this name with another value.
    fn refuse_first(&self, words: &str, name: &str, number: Number) {
        self.refuse_number(words, self.part.named(name)[0], number);
    }

    /// Refuses the numbers of `name` without the last one, which `count` counts.
    fn refuse_missing(&self, count: &str, name: &str) {
        let mut part = self.part.clone();
        let Number::Count(counted) = &mut part.numbers[self.part.named(count)[0]].1 else {
            panic!("{count}")
        };
        *counted -= 1;
        part.numbers.remove(*self.part.named(name).last().unwrap());
        self.refuse(&format!("a {name} is missing"), NOWHERE, &part.bytes());
    }

    /// Goes on from a forged checkpoint that claims nothing false: bounds contain the values all
    /// the same.
    fn resume(&self, part: &CyclePart) {
        let resumed = self.resumed(&part.bytes()).unwrap();
        for state in 0..resumed.game().len() {
            let [resumed, whole] = [&resumed, &self.whole]
                .map(|solution| solution.enclosure(&state).unwrap().fractions());
            assert!(resumed[0] <= whole[1] && whole[0] <= resumed[1], "{state}");
        }
    }
}

const NOWHERE: &str = "the checkpoint has a progress to which no solve comes at state";
const NO_METHOD: &str = "the checkpoint has a cycle in a method that there is not";

/// Guesses prove nothing: those that no solve leaves are refused, and from all others true bounds
/// are found.
#[test]
fn guesses_of_a_cycle_are_such_as_a_solve_leaves() {
    let sweeps = Begun::last(&two_ways_around(6, "9/10"), |part| part.method == Some(1));
    for name in ["sweep value", "change"] {
        for number in [f64::NAN, f64::INFINITY] {
            sweeps.refuse_first(NOWHERE, name, Number::Double(number));
        }
    }
    sweeps.refuse_first(NOWHERE, "turns", Number::Short(17));
    sweeps.refuse_first(NO_METHOD, "method", Number::Short(4));
    sweeps.refuse_first(NO_METHOD, "method", Number::Short(0));
    sweeps.refuse_missing("sweep values", "sweep value");
    let mut endless = sweeps.part.clone();
    let (count, first) = (endless.named("changes")[0], endless.named("change")[0]);
    let Number::Count(changes) = endless.numbers[count].1 else { panic!() };
    endless.numbers[count].1 = Number::Count(2_000);
    endless.numbers.splice(first..first, (changes..2_000).map(|_| ("change", Number::Double(1.0))));
    sweeps.refuse("there are fewer sweeps", NOWHERE, &endless.bytes());
    let bytes = sweeps.part.bytes();
    for length in sweeps.part.before.len()..bytes.len() {
        sweeps.refuse("it is whole", "ends too early", &bytes[..length]);
    }
    sweeps.refuse("nothing follows", "goes on after its end", &[&bytes[..], &[0]].concat());
    let mut flipped = bytes.clone();
    flipped[bytes.len() - 5] ^= 1;
    sweeps.refuse("it has the checksum", "has a wrong checksum", &flipped);
    for number in [0.0, -1e300, 1e18] {
        let mut part = sweeps.part.clone();
        for index in [part.named("sweep value"), part.named("change")].concat() {
            part.numbers[index].1 = Number::Double(number);
        }
        sweeps.resume(&part);
    }
    let steps = Begun::last(&two_ways_around(6, "9/10"), |part| part.method == Some(2));
    steps.refuse_first(NOWHERE, "steps", Number::Short(16));
    for guess in [(1_i64 << 61) + 1, -(1 << 61) - 1] {
        steps.refuse_first(NOWHERE, "guess", Number::Count(guess as u64));
    }
    let mut part = steps.part.clone();
    part.numbers[1].1 = Number::Short(0);
    part.numbers.drain(part.numbers.len() - 2..);
    part.numbers[2].1 = Number::Count(5);
    steps.refuse("a guess is missing", NOWHERE, &part.bytes());
    let mut part = steps.part.clone();
    for (number, index) in part.named("guess").into_iter().enumerate() {
        part.numbers[index].1 =
            Number::Count(if number % 2 == 0 { 1 << 61 } else { (-1_i64 << 61) as u64 });
    }
    steps.resume(&part);
}

/// A cycle in longer numbers: its bounds are proved before the solve goes on.
#[test]
fn strategies_prove_the_bounds_of_a_cycle_in_longer_numbers() {
    let has = |part: &CyclePart, name: &str| {
        part.named(name).first().is_some_and(|&at| part.numbers[at].1 == Number::Short(1))
    };
    let flags = ["has newton", "has swept", "has narrowing", "has short", "has marked"];
    // The values after a sweep belong to a λ that took several steps.
    let begun = Begun::last(&purgatory(2), |part| {
        part.method == Some(3) && flags.iter().all(|flag| has(part, flag))
    });
    let part = &begun.part;
    let long = |index: usize| match &part.numbers[index].1 {
        Number::Long(number) => number.clone(),
        _ => panic!("{index}"),
    };
    let one = BigInt::from(1);
    let bounds = part.named("bound");
    for (number, &index) in bounds.iter().enumerate() {
        // A's bounds, then B's; the last turn of a proof has some units to spare.
        let better =
            if number < bounds.len() / 2 { long(index) + (&one << 20) } else { long(index) - &one };
        begun.refuse_number(UNPROVED, index, Number::Long(better));
    }
    for index in part.named("weight") {
        begun.refuse_number(UNPROVED, index, Number::Long(long(index) + &one));
    }
    begun.refuse_first(UNPROVED, "action", Number::Short(2));
    for bits in [0, 1] {
        begun.refuse_first(UNPROVED, "weight bits", Number::Short(bits));
    }
    for name in ["weight bits", "side finer"] {
        begun.refuse_first("holds a number that is too long", name, Number::Short((1 << 14) + 1));
    }
    // A wins for certain, by the bounds of strategy iteration, and by those of short numbers.
    let mut narrowed = part.clone();
    let offset = narrowed.places[0];
    narrowed.before.copy_within(offset + 8..offset + 16, offset);
    let end = narrowed.before.len() - 16;
    let sum = crc32fast::hash(&narrowed.before[..end]);
    narrowed.before[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    begun.refuse("strategy iteration's bounds are proved", UNPROVED, &narrowed.bytes());
    begun.refuse_first(
        UNPROVED,
        "short lower",
        part.numbers[part.named("short upper")[0]].1.clone(),
    );
    for (name, wrong) in [
        ("bits", vec![8_128, u32::MAX]),
        ("step", vec![0, 8_128, u32::MAX]),
        ("mark", vec![8_129, u32::MAX]),
        ("finer", vec![16_400, u32::MAX]),
        ("newton steps", vec![12, 76, u32::MAX]),
        ("side", vec![2]),
        ("margin", vec![2]),
        ("proof steps", vec![100]),
    ] {
        for number in wrong {
            begun.refuse_first(NOWHERE, name, Number::Short(number));
        }
    }
    for flag in flags.into_iter().chain(["is slow", "is limited"]) {
        begun.refuse_first(NO_METHOD, flag, Number::Short(2));
    }
    for (count, name) in [
        ("values", "value"),
        ("newton values", "newton value"),
        ("swept values", "swept value"),
        ("replies", "reply"),
    ] {
        begun.refuse_missing(count, name);
    }
    // A proof without the strategies that it is of.
    let mut unsolved = part.clone();
    let (from, to) = (part.named("has newton")[0], part.named("has narrowing")[0]);
    unsolved.numbers.splice(from..to, [("has newton", Number::Short(0))]);
    begun.refuse("strategies are of a Newton step", NOWHERE, &unsolved.bytes());
    // Guesses of any kind.
    for (names, number) in [
        (vec!["value", "newton value", "swept value"], Number::Long(BigInt::from(0))),
        (vec!["residual", "width before", "short width", "marked"], Number::Long(BigInt::from(0))),
        (vec!["newton value"], Number::Long(BigInt::from(-1) << 2_000)),
        (vec!["reply"], Number::Short(u32::MAX)),
        (vec!["is limited", "side", "margin"], Number::Short(1)),
        (vec!["newton steps", "proof steps"], Number::Short(0)),
    ] {
        let mut part = part.clone();
        for index in names.into_iter().flat_map(|name| begun.part.named(name)) {
            part.numbers[index].1 = number.clone();
        }
        begun.resume(&part);
    }
}
