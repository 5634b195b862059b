//! Checkpoints of blind Tennis: those of earlier versions go on, and those that no solve wrote are
//! refused.

use std::time::Duration;

use pencil_tennis::Rules;
use pencil_tennis::blind::{BlindCheckpoint, BlindSolution, BlindSolver};

/// A checkpoint after 4 iterations of 4:3 points with the scoring −3, 1, 2, −1, 1, field 1, a step
/// at a time, as version 3 wrote it.
const VERSION_3: &[u8] = include_bytes!("data/blind_version_3.part");

/// In every version the rules and the points follow the magic and the version; the ball follows
/// them.
const VERSION: usize = 8;
const POINTS: usize = 18;
const BALL: usize = 106;

/// The places in versions before 4: the rule, iterations, and the numbers of sequences follow the
/// ball.
const RULE: usize = 107;
const EARLY_ITERATIONS: usize = 108;
const EARLY_SEQUENCES: usize = 116;
const EARLY_WIDTHS: usize = 132;
const EARLY_STRATEGIES: usize = 156;
const EARLY_NUMBERS: usize = 188;

/// The places in version 4: for either player, the lengths of learner and strategy, and what the
/// strategy secures; a checksum.
const ITERATIONS: usize = 107;
const WIDTHS: usize = 115;
const LENGTHS: usize = 139;
const CHECKSUM: usize = LENGTHS + 2 * 24;

fn number(bytes: &[u8], place: usize) -> u64 {
    u64::from_le_bytes(*bytes[place..].first_chunk().expect("eight bytes"))
}

/// Solves on from a checkpoint, and returns the last one of this solve, too.
fn resumed(bytes: &[u8]) -> Result<(BlindSolution, Vec<u8>), String> {
    let checkpoint = BlindCheckpoint::read(bytes).map_err(|error| error.to_string())?;
    let mut last = Vec::new();
    let write = |checkpoint: &BlindCheckpoint| {
        last.clear();
        checkpoint.write(&mut last).expect("memory");
    };
    let solver = BlindSolver::new(&Rules::tennis()).resume(checkpoint).gap(1e-5).threads(1);
    let solution =
        solver.on_checkpoint(Duration::ZERO, write).solve().map_err(|error| error.to_string())?;
    Ok((solution, last))
}

/// The bytes with a checksum at the end.
fn sealed(body: &[u8]) -> Vec<u8> {
    [body, &crc32fast::hash(body).to_le_bytes()].concat()
}

/// Version 2 had no strategies, version 1 no widths of bounds either.
fn as_version(version: u8) -> Vec<u8> {
    let mut body = VERSION_3[..VERSION_3.len() - 4].to_vec();
    if version < 3 {
        let strategies =
            number(VERSION_3, EARLY_STRATEGIES) + number(VERSION_3, EARLY_STRATEGIES + 16);
        body.truncate(body.len() - 8 * strategies as usize);
        body.drain(EARLY_STRATEGIES..EARLY_NUMBERS);
    }
    if version < 2 {
        body.drain(EARLY_WIDTHS..EARLY_STRATEGIES);
    }
    body[VERSION] = version;
    sealed(&body)
}

/// The strategies and iterations at the end are those of a solve without the interruption, whatever
/// version wrote the checkpoint.
#[test]
fn checkpoints_of_earlier_versions_go_on() {
    let begun = BlindCheckpoint::read(VERSION_3).expect("a checkpoint");
    assert_eq!(begun.iterations, 4);
    let whole = BlindSolver::new(&begun.rules)
        .start(begun.start)
        .gap(1e-5)
        .threads(1)
        .solve()
        .expect("a small game");
    assert_eq!(as_version(3), VERSION_3);
    for version in [1, 2, 3] {
        let (solution, _) = resumed(&as_version(version)).expect("a checkpoint");
        assert_eq!(solution.enclosure(), whole.enclosure(), "version {version}");
        assert_eq!(solution.iterations(), whole.iterations(), "version {version}");
        assert_eq!(solution.policy(), whole.policy(), "version {version}");
    }
}

/// A damaged checkpoint: changes at places, and the words of its refusal.
type Forgery<'f> = (&'f [(usize, &'f [u8])], &'f str);

/// Changes a body at places.
fn forged(body: &[u8], changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut forged = body.to_vec();
    for &(place, change) in changes {
        forged[place..place + change.len()].copy_from_slice(change);
    }
    forged
}

fn assert_refused(bytes: &[u8], words: &str) {
    let refusal = resumed(bytes).map(|_| ()).expect_err(words);
    assert!(refusal.contains(words), "{refusal}; expected {words}");
}

/// Each breaks one rule; checksums are right.
#[test]
fn checkpoints_that_no_solve_wrote_are_refused() {
    let (_, sound) = resumed(VERSION_3).expect("a checkpoint");
    assert_eq!(sound[VERSION], 4);
    assert!(resumed(&sound).is_ok());
    let [sequences, strategy] = [LENGTHS, LENGTHS + 8].map(|place| number(&sound, place));
    let iterations = number(&sound, ITERATIONS);
    let longer = (sequences + 1).to_le_bytes();
    let later = (iterations + 1).to_le_bytes();
    let nan = f64::NAN.to_le_bytes();
    let first_number = CHECKSUM + 4;
    // The average of A's empty sequence follows A's probabilities and regrets.
    let average = first_number + 2 * 8 * sequences as usize;
    let cases: [Forgery<'_>; 18] = [
        (&[(0, b"X")], "does not begin as a checkpoint of blind Tennis"),
        (&[(VERSION, &[5])], "another version of the format, 5"),
        (&[(POINTS, &[0])], "0:3 points"),
        (&[(BALL, &[3])], "ball 3 is outside the field"),
        (
            &[(ITERATIONS, &u64::MAX.to_le_bytes())],
            "it claims 18446744073709551615 iterations; expected at most 1099511627776",
        ),
        (
            &[(ITERATIONS, &((1_u64 << 40) + 1).to_le_bytes())],
            "iterations; expected at most 1099511627776",
        ),
        (&[(ITERATIONS, &(1_u64 << 40).to_le_bytes())], "its averages are not those of "),
        (&[(ITERATIONS, &later)], "its averages are not those of "),
        (&[(average, &13.9_f64.to_le_bytes())], "its averages are not those of "),
        (&[(WIDTHS, &nan)], "a width or payoff in it is no number"),
        (&[(WIDTHS + 8, &nan)], "a width or payoff in it is no number"),
        (&[(WIDTHS + 16, &later)], "its narrowest bounds come after its last iteration"),
        (&[(LENGTHS + 16, &nan)], "a width or payoff in it is no number"),
        (&[(LENGTHS, &u64::MAX.to_le_bytes())], "its size does not fit its header"),
        (&[(LENGTHS, &longer)], "it ends too early"),
        (&[(first_number, &nan)], "a number in it is not finite"),
        (&[(sound.len() - 12, &f64::INFINITY.to_le_bytes())], "a number in it is not finite"),
        // A number less in A's learner leaves three for a strategy.
        (
            &[
                (LENGTHS, &(sequences - 1).to_le_bytes()),
                (LENGTHS + 8, &(strategy + 3).to_le_bytes()),
            ],
            "a strategy of A has ",
        ),
    ];
    for (changes, words) in cases {
        let mut bytes = forged(&sound, changes);
        let checksum = crc32fast::hash(&bytes[..CHECKSUM]).to_le_bytes();
        bytes[CHECKSUM..first_number].copy_from_slice(&checksum);
        let end = bytes.len() - 4;
        assert_refused(
            &[&bytes[..first_number], &sealed(&bytes[first_number..end])].concat(),
            words,
        );
    }
    assert_refused(&sound[..sound.len() - 4], "it ends too early");
    assert_refused(&[&sound[..], b"more"].concat(), "it goes on after its end");
}

/// The same for the order of numbers before version 4.
#[test]
fn early_checkpoints_that_no_solve_wrote_are_refused() {
    let cases: [Forgery<'_>; 8] = [
        (&[(VERSION, &[0])], "another version of the format, 0"),
        (&[(RULE, &[3])], "there is no rule 3"),
        (&[(EARLY_ITERATIONS, &[5])], "its averages are not those of 5 iterations"),
        (&[(EARLY_SEQUENCES, &u64::MAX.to_le_bytes())], "its size does not fit its header"),
        (&[(EARLY_SEQUENCES, &[1; 8])], "its size does not fit its header"),
        (&[(EARLY_WIDTHS + 16, &[5])], "its narrowest bounds come after its last iteration"),
        (
            &[(EARLY_STRATEGIES + 8, &f64::NAN.to_le_bytes())],
            "a width or payoff in it is no number",
        ),
        (&[(EARLY_NUMBERS, &f64::NAN.to_le_bytes())], "a number in it is not finite"),
    ];
    let body = &VERSION_3[..VERSION_3.len() - 4];
    for (changes, words) in cases {
        assert_refused(&sealed(&forged(body, changes)), words);
    }
    assert_refused(&as_version(3)[..VERSION_3.len() - 8], "it ends too early");
    assert_refused(&[VERSION_3, b"more"].concat(), "it goes on after its end");
    let mut shorter = as_version(3);
    shorter[VERSION] = 1;
    let end = shorter.len() - 4;
    assert!(
        resumed(&sealed(&shorter[..end])).is_err(),
        "numbers of version 3 are not those of version 1"
    );
}
