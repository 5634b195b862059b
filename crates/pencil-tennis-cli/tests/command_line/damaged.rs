//! Every kind of file that the program reads back, damaged in every way: one table of kinds,
//! changes and sentences.
//!
//! Damage here is seen by checksums and lengths. The rules that forged files with fitting checksums
//! break one by one are in `library/forged_tables.rs`, `library/certificate_rules.rs`,
//! `library/blind_checkpoints.rs`, `games/forged_checkpoints.rs`, `games/forged.json` and beside
//! the code of trainings; the second table has one such file of each kind, as the program meets it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use pencil_tennis::stochastic_game::{StochasticCheckpoint, StochasticGame, StochasticSolver};
use pencil_tennis::{Checkpoint, Rules, Solver};

use crate::forged::parts;
use crate::program::{folder, run, stdout, text};

const CHANGES: [&str; 6] = [
    "empty",
    "half of it",
    "without its last byte",
    "a byte more",
    "another first byte",
    "another bit in the middle",
];

fn changed(bytes: &[u8], change: &str) -> Vec<u8> {
    let flipped = |offset: usize| {
        let mut bytes = bytes.to_vec();
        bytes[offset] ^= 4;
        bytes
    };
    match change {
        "empty" => Vec::new(),
        "half of it" => bytes[..bytes.len() / 2].to_vec(),
        "without its last byte" => bytes[..bytes.len() - 1].to_vec(),
        "a byte more" => [bytes, &[0]].concat(),
        "another first byte" => flipped(0),
        _ => flipped(bytes.len() / 2),
    }
}

/// A text without its last line break, or another digit in one.
const ACCEPTED: &str = "";

struct Kind {
    /// The name of the file.
    name: &'static str,
    /// The command that reads it back, in the place of IT.
    command: &'static str,
    /// The end of the sentence after each change.
    sentences: [&'static str; CHANGES.len()],
}

const TOO_EARLY: &str = "it ends too early";
const GOES_ON: &str = "it goes on after its end";
const BEYOND: &str = "its index points beyond its end";
const SHORT: &str = "the certificate is not valid: it is too short";
const CERTIFICATE: &str = "the certificate is not valid: its checksum does not fit its content";
const OTHER_GAME: &str = "the checkpoint does not begin as a checkpoint of a game does";
const OTHER_TRAINING: &str =
    "not a saved training: it does not begin as one, or is of another version";
const TRAINING: &str = "not a saved training: it is damaged: length or checksum are not right";
const BLIND_SIZE: &str =
    "the file of blind Tennis cannot be used: its size does not fit its header";
const BLIND_COLUMNS: &str =
    "there is no column `player`; expected player,bids,balls,bid,probability";
const CURVE_COLUMNS: &str =
    "expected games,seconds,entries_read,exploitability,against_optimum,against_uniform";
const GAME_COLUMNS: &str = "there is no column `state`; expected state,player,action,probability";

/// The sentences of a checkpoint of a game.
const GAME_CHECKPOINT: [&str; 6] = [
    "the checkpoint ends too early",
    "the checkpoint ends too early",
    "the checkpoint ends too early",
    "the checkpoint goes on after its end",
    OTHER_GAME,
    "the checkpoint has a wrong checksum",
];

/// The middle of this one is the length of a number.
const CYCLE_CHECKPOINT: [&str; 6] = {
    let mut sentences = GAME_CHECKPOINT;
    sentences[5] = "the checkpoint holds a number that is too long";
    sentences
};

const KINDS: [Kind; 20] = [
    Kind {
        name: "table",
        command: "verify IT",
        sentences: [SHORT, BEYOND, TOO_EARLY, GOES_ON, CERTIFICATE, "a strategy is impossible"],
    },
    Kind {
        name: "table",
        command: "show 5:5@1 --table IT",
        sentences: [
            TOO_EARLY,
            BEYOND,
            TOO_EARLY,
            GOES_ON,
            "it does not begin as a table file does",
            ACCEPTED,
        ],
    },
    Kind {
        name: "bare",
        command: "verify IT",
        sentences: [
            SHORT,
            TOO_EARLY,
            TOO_EARLY,
            GOES_ON,
            CERTIFICATE,
            "at 4:1@0 the bounds are impossible",
        ],
    },
    Kind {
        name: "tennis.part",
        command: "solve --resume IT",
        sentences: [
            TOO_EARLY,
            BEYOND,
            TOO_EARLY,
            GOES_ON,
            "it does not begin as a table file does",
            "a strategy is impossible",
        ],
    },
    Kind {
        name: "bare.part",
        command: "solve --resume IT",
        sentences: [
            TOO_EARLY,
            TOO_EARLY,
            TOO_EARLY,
            GOES_ON,
            "it does not begin as a table file does",
            "at 18:1@-1 the bounds are impossible",
        ],
    },
    Kind { name: "game.part", command: "solve game.jsonl --resume IT", sentences: GAME_CHECKPOINT },
    Kind { name: "long.part", command: "solve long.jsonl --resume IT", sentences: GAME_CHECKPOINT },
    Kind {
        name: "cycle.part",
        command: "solve long.jsonl --resume IT",
        sentences: CYCLE_CHECKPOINT,
    },
    Kind {
        name: "blind.part",
        command: "tennis blind --resume IT",
        sentences: [
            TOO_EARLY,
            BLIND_SIZE,
            TOO_EARLY,
            GOES_ON,
            "it does not begin as a checkpoint of blind Tennis does",
            "it has a wrong checksum",
        ],
    },
    Kind {
        name: "training",
        command: "train --resume IT --games 60",
        sentences: [OTHER_TRAINING, TRAINING, TRAINING, TRAINING, OTHER_TRAINING, TRAINING],
    },
    Kind {
        name: "proof",
        command: "verify IT",
        sentences: [SHORT, CERTIFICATE, CERTIFICATE, CERTIFICATE, CERTIFICATE, CERTIFICATE],
    },
    Kind {
        name: "game.proof",
        command: "verify IT",
        sentences: [
            SHORT,
            "a line of the certificate ends too early; expected one JSON object in a line",
            ACCEPTED,
            "the certificate goes on behind its end",
            CERTIFICATE,
            "state `s`: B's weights do not secure the upper bound",
        ],
    },
    Kind {
        name: "policy.csv",
        command: "exploit IT.csv 4",
        sentences: [
            "the weights have 0 rows; expected 125, one for every state",
            "line 275 has 5 fields; expected 6",
            ACCEPTED,
            "line 552 has 1 fields; expected 6",
            "there is no column `a`; expected a,b,ball,player,bid,probability",
            "bid 5 has the number 1, but A cannot bid 5: with 3 points left bids are 1 to 3",
        ],
    },
    Kind {
        name: "policy.json",
        command: "exploit IT.json 4",
        sentences: [
            "not a policy: EOF while parsing a value at line 1 column 0",
            "not a policy: EOF while parsing an object at line 276 column 58",
            ACCEPTED,
            "not a policy: trailing characters at line 553 column 1",
            "not a policy: expected value at line 1 column 1",
            "not a policy: expected `,` or `}` at line 276 column 59",
        ],
    },
    Kind {
        name: "policy.npz",
        command: "exploit IT.npz 4",
        sentences: [
            "the weights have 0 rows; expected 125, one for every state",
            "not a policy: invalid Zip archive: Could not find EOCD",
            "not a policy: invalid Zip archive: Unexpected end of zip::spec::Zip32CDEBlock",
            "not a policy: it goes on after its end",
            "not a policy: line 1 is not text",
            "'fortran_order': False, 'shape': (5, 5, 5, 5), }",
        ],
    },
    Kind {
        name: "matrix.npy",
        command: "solve IT.npy",
        sentences: [
            "a matrix needs at least one row and one column, and rows of equal length",
            "it has fewer bytes than its shape says",
            "it has fewer bytes than its shape says",
            "it has more bytes than its shape says",
            "it is no text in UTF-8; expected a file saved as UTF-8",
            ACCEPTED,
        ],
    },
    Kind {
        name: "blind.csv",
        command: "tennis blind 4 --policy IT.csv",
        sentences: [
            BLIND_COLUMNS,
            "line 65 has 2 fields; expected 5",
            ACCEPTED,
            "line 130 has 1 fields; expected 5",
            BLIND_COLUMNS,
            "line 65: `4$0 0` is not a list of numbers separated by spaces",
        ],
    },
    Kind {
        name: "strategies.csv",
        command: "exploit IT.csv game.jsonl",
        sentences: [
            GAME_COLUMNS,
            "line 3 has 3 fields; expected 4",
            ACCEPTED,
            "line 5 has 1 fields; expected 4",
            GAME_COLUMNS,
            "line 3 has 3 fields; expected 4",
        ],
    },
    Kind {
        name: "game.jsonl",
        command: "solve IT",
        sentences: [
            "the file is empty; expected a line that says format and kind",
            "line 4: the line ends too early; expected one JSON object in a line",
            ACCEPTED,
            "line 5: expected a JSON object in every line, in braces",
            "line 1: expected a JSON object in every line, in braces",
            "line 4: expected `:` (column 6)",
        ],
    },
    Kind {
        name: "curve.csv",
        command: "train --resume training --games 60 --curve IT.csv",
        sentences: [
            CURVE_COLUMNS,
            "line 2 has 4 fields; expected 6",
            ACCEPTED,
            "line 6 has 1 fields; expected 6",
            CURVE_COLUMNS,
            ACCEPTED,
        ],
    },
];

/// Times differ from run to run, those of a written curve do not.
const CURVE: &str = "games,seconds,entries_read,exploitability,against_optimum,against_uniform
1,0.25,9,0.75,-0.5,0.25
2,0.5,18,0.75,-0.5,0.25
5,0.75,27,0.5,-0.25,0.5
10,1,36,0.25,-0.125,0.75
";

const GAME: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}
{"id":"win","value":"1"}
{"id":"lose","value":"0"}
{"id":"s","a":["1","2"],"b":["1","2"],"cells":[[{"to":[["1","win"]]},{"to":[["1","s"]]}],[{"to":[["1","lose"]]},{"to":[["1","win"]]}]]}
"#;

/// Purgatory with two steps: its proof needs numbers of more than 62 bits.
const LONG: &str = r#"{"format":"stochastic-game","version":1,"kind":"recursive","start":["1"]}
{"id":"win","value":"1"}
{"id":"lose","value":"0"}
{"id":"1","a":["1","2"],"b":["1","2"],"cells":[[{"to":[["1","2"]]},{"to":[["1","1"]]}],[{"to":[["1","lose"]]},{"to":[["1","2"]]}]]}
{"id":"2","a":["1","2"],"b":["1","2"],"cells":[[{"to":[["1","win"]]},{"to":[["1","1"]]}],[{"to":[["1","lose"]]},{"to":[["1","win"]]}]]}
"#;

/// A matrix of numpy, as version 1.0 of its format has it.
fn matrix() -> Vec<u8> {
    let header =
        format!("{:117}\n", "{'descr': '|i1', 'fortran_order': False, 'shape': (15, 15), }");
    let entries = (0..225_u32).map(|entry| (entry * entry % 11) as u8);
    [b"\x93NUMPY\x01\x00v\x00", header.as_bytes(), &entries.collect::<Vec<_>>()].concat()
}

/// A checkpoint of the long game while its cycle is solved in longer numbers.
fn in_longer_numbers() -> Vec<u8> {
    let game = StochasticGame::read(LONG.as_bytes()).expect("a game");
    let mut kept = Vec::new();
    let write = |checkpoint: &StochasticCheckpoint<'_>| {
        let mut bytes = Vec::new();
        checkpoint.write(&mut bytes).expect("memory");
        // Version 3 has the cycle that is being solved.
        if bytes[8] == 3 {
            kept = bytes;
        }
    };
    StochasticSolver::new(game)
        .threads(1)
        .on_checkpoint(Duration::ZERO, write)
        .solve()
        .expect("a solution");
    kept
}

/// A folder with a sound file of every kind.
fn sound_files(folder: &Path) {
    fs::write(folder.join("game.jsonl"), GAME).expect("room");
    fs::write(folder.join("long.jsonl"), LONG).expect("room");
    fs::write(folder.join("curve.csv"), CURVE).expect("room");
    for line in [
        "solve 5 --save table",
        "solve 5 --strategies again --save bare",
        "solve game.jsonl --checkpoint game.part",
        "prove game.jsonl -o game.proof",
        "export strategies game.jsonl -o strategies.csv",
        "solve long.jsonl --checkpoint long.part",
        "tennis blind 4 --checkpoint blind.part -o blind.csv",
        "train simple 4 --games 50 --save training",
        "prove 5 -o proof",
    ] {
        stdout(folder, &line.split(' ').collect::<Vec<_>>());
    }
    fs::write(folder.join("matrix.npy"), matrix()).expect("room");
    fs::write(folder.join("cycle.part"), in_longer_numbers()).expect("room");
    for policy in ["policy.csv", "policy.json", "policy.npz"] {
        stdout(folder, &["export", "policy", "4", "-o", policy]);
    }
    for (name, keep) in [("tennis.part", true), ("bare.part", false)] {
        let mut first = Vec::new();
        let write = |checkpoint: &Checkpoint<'_>| {
            if first.is_empty() {
                checkpoint.write(&mut first).expect("memory");
            }
        };
        let solver = Solver::new(&Rules::tennis()).points([20, 20]).keep_strategies(keep);
        solver.on_checkpoint(Duration::ZERO, write).solve().expect("a solution");
        fs::write(folder.join(name), first).expect("room");
    }
}

/// Runs a command that reads the file `it`; checks that it accepts it, or refuses it in one line
/// with the file's name and this end. Returns that line.
fn read(folder: &Path, case: &str, command: &str, bytes: &[u8], end: &str) -> Result<(), String> {
    let args: Vec<String> = command.split(' ').map(|word| word.replace("IT", "it")).collect();
    let it = args.iter().find(|word| word.starts_with("it")).expect("its name");
    fs::write(folder.join(it), bytes).expect("room");
    let output = run(folder, &args.iter().map(String::as_str).collect::<Vec<_>>());
    let printed = text(&output.stderr);
    let line = printed.strip_suffix('\n').unwrap_or(&printed);
    let is_as_told = if end == ACCEPTED {
        output.status.code() == Some(0) && printed.is_empty()
    } else {
        let names_it = line.starts_with("pencil-tennis: ")
            && line.contains(it.as_str())
            && !line.contains('\n');
        output.status.code() == Some(1)
            && output.stdout.is_empty()
            && names_it
            && line.ends_with(end)
    };
    if is_as_told {
        Ok(())
    } else {
        Err(format!("{case}: {:?}, {line}; expected: {end}", output.status.code()))
    }
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn damaged_files_of_every_kind_are_refused_in_words() {
    let folder = folder();
    let folder = folder.path();
    sound_files(folder);
    let mut wrong = Vec::new();
    for Kind { name, command, sentences } in KINDS {
        let sound = fs::read(folder.join(name)).expect("it was written");
        wrong.extend(read(folder, name, command, &sound, ACCEPTED).err());
        for (change, sentence) in CHANGES.into_iter().zip(sentences) {
            let case = format!("{name}, {command}, {change}");
            wrong.extend(read(folder, &case, command, &changed(&sound, change), sentence).err());
        }
    }
    assert_none(&wrong);
}

/// Bytes at a place, with the checksum of all before the last four bytes made to fit.
fn forged(sound: &[u8], offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut body = sound[..sound.len() - 4].to_vec();
    body[offset..offset + bytes.len()].copy_from_slice(bytes);
    body.extend(crc32fast::hash(&body).to_le_bytes());
    body
}

/// A file, the command that reads it, a place in it with other bytes, and the sentence.
type Forgery = (&'static str, &'static str, usize, &'static [u8], &'static str);

const FORGERIES: [Forgery; 10] = [
    (
        "game.part",
        "solve game.jsonl --resume IT",
        8,
        &[4],
        "has another version of the format, 4; only versions 1 to 3 are known",
    ),
    ("game.part", "solve game.jsonl --resume IT", 12, &[0], "the checkpoint is of another game"),
    (
        "game.part",
        "solve game.jsonl --resume IT",
        44,
        &[1],
        "the checkpoint does not prove its bounds at state `win`",
    ),
    (
        "game.part",
        "solve game.jsonl --resume IT",
        43,
        &[0x7f],
        "the checkpoint holds bounds that no game has",
    ),
    (
        "blind.part",
        "tennis blind --resume IT",
        8,
        &[9],
        "it has another version of the format, 9; only versions 1 to 4 are known",
    ),
    // The first number of the second part, which is none now.
    (
        "blind.part",
        "tennis blind --resume IT",
        191,
        &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
        "a number in it is not finite",
    ),
    (
        "training",
        "train --resume IT --games 60",
        8,
        &[99],
        "not a saved training: the learner is not possible",
    ),
    ("training", "train --resume IT --games 60", 7, &[9], OTHER_TRAINING),
    ("proof", "verify IT", 8, &[9], "its format has version 9, and only versions 1 to 3 are known"),
    ("proof", "verify IT", 18, &[4], "at 0:5@-2 A's bid 2 is not legal or not in rising order"),
];

#[test]
fn forged_files_of_every_kind_are_refused_in_words() {
    let folder = folder();
    let folder = folder.path();
    sound_files(folder);
    let mut wrong = Vec::new();
    for (name, command, offset, bytes, sentence) in FORGERIES {
        let sound = fs::read(folder.join(name)).expect("it was written");
        let case = format!("{name}, {command}, {bytes:?} at {offset}");
        wrong.extend(read(folder, &case, command, &forged(&sound, offset, bytes), sentence).err());
    }
    // Tables have a checksum for every part.
    let tables = [
        ("table", "verify IT", "at 4:3@-2 the bounds do not follow from the strategies"),
        ("table", "solve --resume IT", "at 4:3@-2 the bounds do not follow from the strategies"),
        (
            "table",
            "show 4:3@-2 --table IT",
            "at 4:3@-2 the bounds do not follow from the strategies",
        ),
        (
            "bare",
            "verify IT",
            "at 4:3@-2 the bounds are narrower than the proved ones, -230584300921369396 and -230584300921369395 units",
        ),
        (
            "bare",
            "show 4:3@-2 --table IT",
            "at 4:3@-2 the bounds contradict those of the next states",
        ),
        (
            "tennis.part",
            "solve --resume IT",
            "at 4:3@-2 the bounds do not follow from the strategies",
        ),
    ];
    for (name, command, sentence) in tables {
        let mut table = parts::Table::new(fs::read(folder.join(name)).expect("it was written"));
        let bounds = table.bounds((4, 3, -2)).map(|bound| bound + (1 << 50));
        table.set_bounds((4, 3, -2), bounds);
        wrong.extend(
            read(folder, &format!("{name}, {command}"), command, &table.sealed(), sentence).err(),
        );
    }
    // Texts: a number, a probability, a name.
    let texts = [
        (
            "game.proof",
            "verify IT",
            "\"1\",\"win\"",
            "\"1/2\",\"win\"",
            "the probabilities sum to 1/2; expected exactly 1",
        ),
        (
            "policy.csv",
            "exploit IT.csv 4",
            "\n4,4,0,A,1,",
            "\n4,4,0,A,1,1",
            "the probabilities sum to 11; expected 1 within 1e-6",
        ),
        (
            "strategies.csv",
            "exploit IT.csv game.jsonl",
            "s,A,",
            "t,A,",
            "line 2: there is no state `t`",
        ),
        (
            "blind.csv",
            "tennis blind 4 --policy IT.csv",
            "A,,0,1,",
            "A,,0,9,",
            "A cannot bid 9: with 4 points left bids are 1 to 4",
        ),
    ];
    for (name, command, before, after, sentence) in texts {
        let sound = fs::read_to_string(folder.join(name)).expect("a text");
        assert!(sound.contains(before), "{name}: {sound}");
        let case = format!("{name}, {after} for {before}");
        wrong.extend(
            read(folder, &case, command, sound.replacen(before, after, 1).as_bytes(), sentence)
                .err(),
        );
    }
    assert_none(&wrong);
}
