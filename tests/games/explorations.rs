//! Explorations of models that are interrupted, and checkpoints of them that are damaged, of other
//! models, or lie.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::time::Duration;

use pencil_tennis::WorkError;
use pencil_tennis::model_checking::language::{Instance, Model, read_value};
use pencil_tennis::model_checking::{ExplicitModel, Exploration, ExplorationCheckpoint};
use pencil_tennis::stochastic_game::Error;
use pencil_tennis::stochastic_game::StochasticGame;

use crate::random_games::numbers;
use crate::verdicts::content;

const LIMIT: u64 = StochasticGame::MEMORY_LIMIT;

/// Models of each kind, with some thousand states, deadlocks, rewards, labels, and several states
/// where play starts.
const MODELS: [&str; 4] = [
    "mdp
    const int most;
    module first x : [0..60]; [both] x<60 -> 1/3 : (x'=x+1) + 2/3 : true; [] x<60 & x!=most -> (x'=x+1); endmodule
    module second y : [0..60]; [both] y<60 -> 1/(x+2) : true + 1-1/(x+2) : (y'=y+1); [] y<60 -> (y'=y+1); endmodule
    label \"even\" = mod(x+y,2)=0;
    rewards \"r\" x=y : x; [both] x>y : 1/(x+1); [] true : y; endrewards
    rewards x>30 : 2; endrewards",
    "csg
    const int most;
    player one first endplayer player two second endplayer
    module first x : [0..50] init 7; [up] x<50 -> (x'=x+1); [stay] x!=most -> [0.1,0.3] : (x'=max(0,x-1)) + [0.7,0.9] : true; endmodule
    module second y : [0..50]; [left] y<50 -> (y'=min(50,y+1)); [right] y>0 -> (y'=y-1); [wait] true -> true; endmodule
    label \"corner\" = x=50 & y=50;
    rewards \"r\" [up,left] true : 1; x=y : 3; endrewards",
    "smg
    const int most;
    player one first endplayer player two second endplayer
    module first x : [0..30]; t : bool; [] t & x<30 -> 1/2 : (x'=x+1) & (t'=false) + 1/2 : (t'=false); [turn] !t -> (t'=true);
    endmodule
    module second y : [0..30]; [turn] y<30 & y!=most -> (y'=y+1); [go] true -> true; endmodule
    module third z : [0..3]; [turn] !t -> true; [go] !t -> (z'=mod(z+1,4)); [back] !t -> (z'=max(0,z-1)); endmodule
    player three third, [turn], [go], [back] endplayer",
    "dtmc
    const int most;
    module first x : [0..70]; [] x<70 & x!=most -> 1/(x+1) : (x'=x+1) + 1-1/(x+1) : (x'=0); endmodule
    module second y : [0..70]; [] y<70 -> 1/4 : (y'=y+1) + 1/2 : true + 1/4 : (y'=max(0,y-2)); endmodule
    init x<=2 & y<=1 endinit
    rewards [] x>3 : y; endrewards",
];

fn instance(text: &str, most: &str) -> Instance {
    let model = Model::read(text).expect("a model");
    Instance::new(&model, None, &[("most".to_owned(), read_value(most).expect("a value"))])
        .expect("an instance")
}

fn never_cancel(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The model, and all checkpoints that are written on the way.
fn explored(instance: &Instance) -> (ExplicitModel, Vec<Vec<u8>>) {
    let mut kept = Vec::new();
    let exploration = Exploration::within(LIMIT).threads(1);
    let exploration = exploration.on_checkpoint(Duration::ZERO, |checkpoint| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).expect("memory");
        kept.push(bytes);
    });
    let model = exploration.explore("m.prism", instance, &mut never_cancel).expect("states");
    (model, kept)
}

fn read(bytes: &[u8]) -> Result<ExplorationCheckpoint<'static>, String> {
    ExplorationCheckpoint::read(Cursor::new(bytes)).map_err(|error| error.to_string())
}

fn resumed(instance: &Instance, bytes: &[u8], threads: usize) -> Result<ExplicitModel, String> {
    let exploration = Exploration::within(LIMIT).threads(threads).resume(read(bytes)?);
    exploration.explore("m.prism", instance, &mut never_cancel).map_err(|error| error.to_string())
}

#[test]
fn a_resumed_exploration_finds_the_same_model() {
    for text in MODELS {
        let instance = instance(text, "40");
        let (model, kept) = explored(&instance);
        assert!(kept.len() > 1, "{} states", model.states());
        let expected = content(&model);
        for (threads, bytes) in (1..).zip(&kept) {
            let again = resumed(&instance, bytes, threads).expect("states");
            assert!(content(&again) == expected, "{text}");
        }
        // The last one has all states.
        let whole = read(kept.last().expect("checkpoints")).expect("a checkpoint");
        assert_eq!([whole.states(), whole.expanded()], [model.states() as u64; 2]);
    }
}

/// Each run is cancelled at its first report but one, until one comes to the end.
#[test]
fn an_exploration_that_is_cancelled_again_and_again_comes_to_the_same_model() {
    let instance = instance(MODELS[0], "40");
    let (model, _) = explored(&instance);
    let mut kept: Option<Vec<u8>> = None;
    let mut found_before = 0;
    for run in 1.. {
        let mut last = None;
        let mut reports = 0;
        let mut exploration = Exploration::within(LIMIT).threads(2);
        if let Some(bytes) = &kept {
            exploration = exploration.resume(read(bytes).expect("a checkpoint"));
        }
        let exploration = exploration.on_checkpoint(Duration::from_secs(3_600), |checkpoint| {
            let mut bytes = Vec::new();
            checkpoint.write(&mut bytes).expect("memory");
            last = Some((checkpoint.expanded(), bytes));
        });
        let explored = exploration.explore("m.prism", &instance, &mut |_| {
            reports += 1;
            if reports == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match explored {
            Ok(again) => {
                assert!(run > 1 && content(&again) == content(&model));
                return;
            }
            Err(error) => assert!(matches!(error, Error::Work(WorkError::Cancelled)), "{error}"),
        }
        // While stored states are found again, nothing new is kept.
        let Some((found, bytes)) = last else { break };
        assert!(found > found_before, "no progress");
        (found_before, kept) = (found, Some(bytes));
        if found == model.states() as u64 {
            break;
        }
    }
    let again = resumed(&instance, &kept.expect("a checkpoint"), 2).expect("states");
    assert!(content(&again) == content(&model));
}

#[test]
fn a_checkpoint_of_another_model_is_refused() {
    let counters = instance(MODELS[0], "40");
    let (_, kept) = explored(&counters);
    let others = [
        (MODELS[0].to_owned(), "41"),
        (MODELS[0].replace("x>30 : 2", "x>30 : 3"), "40"),
        (MODELS[0].replace("mod(x+y,2)=0", "mod(x+y,2)=1"), "40"),
        (MODELS[0].replace("2/3 : true", "2/3 : (x'=x)"), "40"),
        (MODELS[0].replace("x : [0..60]", "x : [0..61]"), "40"),
        (MODELS[1].to_owned(), "40"),
    ];
    for (text, most) in others {
        let refused = resumed(&instance(&text, most), &kept[0], 1).expect_err("of another model");
        assert_eq!(
            refused,
            "the checkpoint is of another model, or of other constants, labels or reading of probabilities",
            "{text}"
        );
    }
    let normalised = instance(MODELS[0], "40").normalised();
    let refused = resumed(&normalised, &kept[0], 1).expect_err("of another reading");
    assert!(refused.ends_with("reading of probabilities"), "{refused}");
    assert!(resumed(&instance(MODELS[0], "40"), &kept[0], 1).is_ok());
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let (_, kept) = explored(&instance(MODELS[2], "40"));
    let bytes = &kept[0];
    let mut next = numbers(5);
    for round in 0..300 {
        let mut damaged = bytes.clone();
        // The first bytes have all counts.
        let offset = if round < 120 { round } else { next(bytes.len() as u64) as usize };
        damaged[offset] ^= 1 << next(8);
        assert!(read(&damaged).is_err(), "byte {offset}");
        damaged.truncate(next(bytes.len() as u64) as usize);
        assert!(read(&damaged).is_err(), "{} bytes", damaged.len());
    }
}

/// The bytes before the first checksum.
const HEADER: usize = 8 + 4 + 32 + 7 * 8;

/// Gives both parts the checksums that fit.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let sums = [crc32fast::hash(&bytes[..HEADER]), crc32fast::hash(&bytes[HEADER + 4..end])];
    bytes[HEADER..HEADER + 4].copy_from_slice(&sums[0].to_le_bytes());
    bytes[end..].copy_from_slice(&sums[1].to_le_bytes());
    bytes
}

/// With a checksum that fits, no change of a byte comes to another model: it is refused.
#[test]
fn no_claim_of_a_checkpoint_is_trusted() {
    for text in [MODELS[0], MODELS[2], MODELS[3]] {
        let instance = instance(text, "40");
        let (_, kept) = explored(&instance);
        let bytes = &kept[0];
        let mut next = numbers(7);
        let mut found_again = 0;
        for _ in 0..150 {
            let offset = HEADER + 4 + next((bytes.len() - HEADER - 8) as u64) as usize;
            let mut forged = bytes.clone();
            forged[offset] ^= 1 << next(8);
            let refused =
                resumed(&instance, &sealed(forged), 2).expect_err(&format!("byte {offset}"));
            found_again += u32::from(refused.contains("what the model does not"));
        }
        assert!(found_again > 10, "{found_again}");
    }
}

/// Where the numbers of a checkpoint are.
struct Offsets {
    /// Of each state the first byte.
    states: Vec<usize>,
    /// Of each successor the number of its state.
    successors: Vec<usize>,
    /// The last digit of the last reward of a state, and of the last one of a choice.
    digits: [usize; 2],
}

fn number(bytes: &[u8], offset: usize) -> usize {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().expect("four bytes")) as usize
}

fn offsets(bytes: &[u8]) -> Offsets {
    let count = |index: usize| number(bytes, 44 + 8 * index);
    let [variables, structures, texts, states, expanded] =
        [count(0), count(1), count(2) + count(3), count(5), count(6)];
    let mut offset = HEADER + 4;
    for _ in 0..texts {
        offset += 4 + number(bytes, offset);
    }
    let mut found = Offsets { states: Vec::new(), successors: Vec::new(), digits: [0, 0] };
    for _ in 0..states {
        found.states.push(offset);
        offset += 4 * variables;
    }
    for _ in 0..expanded {
        // The owner, and the labels.
        offset += 4;
        offset += 4 + 4 * number(bytes, offset);
        let choices = number(bytes, offset);
        offset += 4;
        for _ in 0..choices {
            offset += 4 + 4 * number(bytes, offset);
            let successors = number(bytes, offset);
            offset += 4;
            for _ in 0..successors {
                found.successors.push(offset + 4);
                offset += 8;
            }
        }
        for reward in 0..structures * (1 + choices) {
            let length = number(bytes, offset);
            offset += 4 + length;
            let is_of_choice = reward % (1 + choices) > 0;
            if length > 0 {
                found.digits[usize::from(is_of_choice)] = offset - 1;
            }
        }
    }
    assert_eq!(offset + 4, bytes.len());
    found
}

/// Each lie is one that a single rule refuses.
#[test]
fn every_lie_of_a_checkpoint_is_refused() {
    let instance = instance(MODELS[0], "40");
    let (_, kept) = explored(&instance);
    let bytes = &kept[0];
    let at = offsets(bytes);
    let refused = |change: &dyn Fn(&mut Vec<u8>), sentence: &str| {
        let mut forged = bytes.clone();
        change(&mut forged);
        let refused = resumed(&instance, &sealed(forged), 1).expect_err(sentence);
        assert!(refused.contains(sentence), "{refused}, not {sentence}");
    };

    assert_eq!(&sealed(bytes.clone()), bytes);

    // Another reward of a state and of a choice, and another successor that is known already.
    for digit in at.digits {
        refused(&|forged| forged[digit] ^= 1, "what the model does not");
    }
    refused(
        &|forged| {
            let last = at.successors[at.successors.len() - 1];
            forged[last..last + 4].copy_from_slice(&0_u32.to_le_bytes());
        },
        "nothing leads to",
    );
    refused(
        &|forged| {
            let repeated = at
                .successors
                .iter()
                .rev()
                .find(|&&offset| number(bytes, offset) < at.states.len() / 2);
            let offset = *repeated.expect("a successor that was found before");
            forged[offset..offset + 4].copy_from_slice(&0_u32.to_le_bytes());
        },
        "what the model does not",
    );

    // The last two states exchange their numbers, wherever these stand.
    let [last, before] = [at.states.len() - 1, at.states.len() - 2];
    refused(
        &|forged| {
            let size = at.states[last] - at.states[before];
            let (one, other) = forged[at.states[before]..].split_at_mut(size);
            one.swap_with_slice(&mut other[..size]);
            for &offset in &at.successors {
                let successor = number(bytes, offset);
                let new = if successor == last {
                    before
                } else if successor == before {
                    last
                } else {
                    successor
                };
                forged[offset..offset + 4].copy_from_slice(&(new as u32).to_le_bytes());
            }
        },
        "another order",
    );

    // A state that nothing leads to, as the last one.
    refused(
        &|forged| {
            forged.splice(at.states[last]..at.states[last], [60, 0, 0, 0, 59, 0, 0, 0]);
            let states = at.states.len() as u64 + 1;
            forged[84..92].copy_from_slice(&states.to_le_bytes());
        },
        "nothing leads to",
    );

    // Another start, a state twice, and one outside of the ranges.
    refused(&|forged| forged[at.states[0]] = 1, "starts elsewhere");
    refused(&|forged| forged[76] = 2, "starts elsewhere");
    refused(
        &|forged| forged.copy_within(at.states[before]..at.states[last], at.states[last]),
        "twice",
    );
    refused(&|forged| forged[at.states[last]] = 200, "outside of the ranges");
}
