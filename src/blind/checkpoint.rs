//! The checkpoint of blind Tennis, little-endian:
//!
//! * `TENNISBL`; the version, 3, 4 bytes; the game as in table files (`docs/table-format.md`); the ball, 1 byte; the
//!   rule (2, predictive CFR+), 1 byte;
//! * iterations, 8 bytes, at most 2^40; sequences of A and B, 8 bytes each;
//! * the last width of bounds and the narrowest one (doubles, as shares of the span of payoffs) and the iteration of
//!   the narrowest, 8 bytes each;
//! * for A, then B: the length of the best strategy so far (the number of sequences, or 0), and the payoff that it
//!   secures (a double), 8 bytes each;
//! * for A, then B: likelihoods, regrets, averages, 8 bytes a sequence each; both best strategies, 8 bytes a sequence;
//! * CRC-32 of all before it.
//!
//! Versions 1 and 2 are still read: version 2 has no best strategies, version 1 no widths either, and a run that
//! resumes them proves its bounds at once. The average weight of the empty sequence is the sum of the squares of all
//! iterations, or the file is refused.

use std::io::{self, Write};

use super::payoff_matrix::SequenceForm;
use super::tree::Tree;
use crate::error::{BlindError, Error};
use crate::game::codec::{Bytes, GameHeader};
use crate::game::{Ball, ByPlayer, Player, Rules, State};
use crate::hidden::finder::found::Found;
use crate::hidden::finder::regret::RegretMinimisers;
use crate::hidden::finder::schedule::Widths;
use crate::hidden::finder::sequence_game::SequenceGame;
use crate::hidden::search::Learning;
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter};

const FORMAT: Format = Format { magic: *b"TENNISBL", versions: [1, WITH_STRATEGIES], name: "a checkpoint of blind Tennis" };

/// The version with the best strategies so far.
const WITH_STRATEGIES: u32 = 3;

/// The version with the widths of proved bounds.
const WITH_WIDTHS: u32 = 2;

const HEADER: usize = 8 + 4 + GameHeader::BYTES + 1 + 1 + 8 + 2 * 8;

/// The last and the narrowest width, and the iteration of the latter.
const WIDTHS: usize = 3 * 8;

/// For A and B the length of the best strategy so far, and what it secures.
const STRATEGIES: usize = 4 * 8;

/// More iterations than any run has: 35 years at a thousand in a second, or 13 days at a million.
const MOST_ITERATIONS: u64 = 1 << 40;

/// How regrets are updated; the numbers before stood for CFR+ and discounted CFR.
const PREDICTIVE: u8 = 2;

/// The numbers kept for every sequence: the bid's probability, its regret, and its weight in the average.
const NUMBERS: usize = 3;

/// An interrupted regret minimisation, for [`BlindSolver::resume`](super::BlindSolver::resume). Its numbers belong to this game.
#[derive(Clone, Debug, PartialEq)]
pub struct BlindCheckpoint {
    pub rules: Rules,
    pub start: State,
    pub iterations: u64,
    numbers: [[Vec<f64>; NUMBERS]; 2],
    widths: Widths,
    found: ByPlayer<Found>,
}

fn refusal(reason: impl Into<String>) -> BlindError {
    BlindError::File { reason: reason.into() }
}

impl From<SealFault> for BlindError {
    fn from(fault: SealFault) -> Self {
        refusal(format!("it {fault}"))
    }
}

impl BlindCheckpoint {
    pub(super) fn of(form: &SequenceForm, learning: &Learning) -> Self {
        let Learning { minimisers, found, widths } = learning;
        let numbers = minimisers.numbers().map(|numbers| numbers.map(<[f64]>::to_vec)).into_array();
        let Tree { rules, start, .. } = form.tree;
        Self { rules, start, iterations: minimisers.iterations, numbers, widths: *widths, found: found.clone() }
    }

    pub(super) fn into_learning(self, form: &SequenceForm) -> Result<Learning, BlindError> {
        for player in Player::BOTH {
            let count = self.found[player].weights.len();
            if count != 0 && count != form.sequences(player) {
                return Err(refusal(format!("a strategy of {player} has {count} numbers")));
            }
        }
        let minimisers = RegretMinimisers::resumed(form, self.iterations, self.numbers.into()).map_err(refusal)?;
        Ok(Learning { minimisers, found: self.found, widths: self.widths })
    }

    /// Writes the checkpoint: a header, 24 bytes for every sequence, a checksum. The module has it byte by byte.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut header = Vec::new();
        GameHeader { rules: self.rules, points: [self.start.a, self.start.b], mirrored: false }.write(&mut header);
        header.extend((self.start.ball.position() as i8).to_le_bytes());
        header.push(PREDICTIVE);
        header.extend(self.iterations.to_le_bytes());
        for numbers in &self.numbers {
            header.extend((numbers[0].len() as u64).to_le_bytes());
        }
        let Widths { last, narrowest, iteration } = self.widths;
        header.extend([last.to_bits(), narrowest.to_bits(), iteration].map(u64::to_le_bytes).as_flattened());
        for found in self.found.iter() {
            header.extend([found.weights.len() as u64, found.secures.to_bits()].map(u64::to_le_bytes).as_flattened());
        }
        let mut out = SealedWriter::new(out, &FORMAT, WITH_STRATEGIES)?;
        out.put(header)?;
        for numbers in self.numbers.as_flattened() {
            out.numbers(numbers.iter().copied())?;
        }
        for found in self.found.iter() {
            out.numbers(found.weights.iter().copied())?;
        }
        out.end_part()
    }

    /// Reads and checks a checkpoint.
    ///
    /// # Errors
    /// [`super::BlindError::File`] with the fault.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::checked(bytes)?)
    }

    fn checked(bytes: &[u8]) -> Result<Self, BlindError> {
        let mut input = SealedReader::new(bytes, &FORMAT)?;
        let mut header = HEADER;
        if input.version >= WITH_WIDTHS {
            header += WIDTHS;
        }
        if input.version >= WITH_STRATEGIES {
            header += STRATEGIES;
        }
        let GameHeader { rules, points: [a, b], .. } =
            GameHeader::read(&mut Bytes(&input.take::<{ GameHeader::BYTES }>()?)).map_err(refusal)?;
        let [ball, rule] = input.take()?;
        let start = State::new(a, b, Ball::new(i32::from(ball as i8)).map_err(|error| refusal(error.to_string()))?);
        rules.check(start).map_err(|error| refusal(error.to_string()))?;
        if rule != PREDICTIVE {
            return Err(refusal(format!("there is no rule {rule}")));
        }
        let iterations = input.u64()?;
        let sequences = [input.u64()?, input.u64()?];
        let mut widths = Widths::default();
        if input.version >= WITH_WIDTHS {
            widths =
                Widths { last: f64::from_bits(input.u64()?), narrowest: f64::from_bits(input.u64()?), iteration: input.u64()? };
        }
        let mut found = ByPlayer::<Found>::default();
        let mut lengths = ByPlayer::<u64>::default();
        if input.version >= WITH_STRATEGIES {
            for player in Player::BOTH {
                lengths[player] = input.u64()?;
                found[player].secures = f64::from_bits(input.u64()?);
            }
        }
        let expected = expected_bytes(sequences, lengths);
        if expected.is_none() || expected != (bytes.len() as u64).checked_sub(header as u64 + 4) {
            return Err(refusal("its size does not fit its header"));
        }
        if iterations > MOST_ITERATIONS {
            return Err(refusal(format!("it claims {iterations} iterations; expected at most {MOST_ITERATIONS}")));
        }
        if !(widths.last >= 0.0 && widths.narrowest >= 0.0) || widths.iteration > iterations {
            return Err(refusal("its widths of bounds are impossible"));
        }
        if found.iter().any(|found| found.secures.is_nan()) {
            return Err(refusal("a payoff in it is no number"));
        }
        // Before version 3 widths were in payoffs, and of other strategies: a proof is due at once.
        if input.version < WITH_STRATEGIES {
            widths = Widths::default();
        }
        let mut numbers: [[Vec<f64>; NUMBERS]; 2] = Default::default();
        for (place, numbers) in numbers.as_flattened_mut().iter_mut().enumerate() {
            let read = (0..sequences[place / NUMBERS]).map(|_| input.u64().map(f64::from_bits));
            *numbers = read.collect::<Result<_, _>>()?;
        }
        for player in Player::BOTH {
            let read = (0..lengths[player]).map(|_| input.u64().map(f64::from_bits));
            found[player].weights = read.collect::<Result<_, _>>()?;
        }
        input.end_part()?;
        let strategies = found.iter().map(|found| &found.weights);
        if !numbers.as_flattened().iter().chain(strategies).flatten().all(|number| number.is_finite()) {
            return Err(refusal("a number in it is not finite"));
        }
        Ok(Self { rules, start, iterations, numbers, widths, found })
    }
}

/// The bytes of all numbers after the header; `None` if they are too many to count.
fn expected_bytes(sequences: [u64; 2], strategies: ByPlayer<u64>) -> Option<u64> {
    let learners = sequences[0].checked_add(sequences[1])?.checked_mul(NUMBERS as u64)?;
    let strategies = strategies.a.checked_add(strategies.b)?;
    learners.checked_add(strategies)?.checked_mul(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blind::Reductions;
    use crate::blind::build::build;
    use crate::hidden::finder::schedule::Proofs;
    use crate::work::Threads;

    /// The offsets of the version, the points of A, the ball, the rule, the iterations, and the numbers of sequences of A and of B.
    const PLACES: [usize; 7] = [8, 18, HEADER - 26, HEADER - 25, HEADER - 24, HEADER - 16, HEADER - 8];

    const ITERATIONS: u64 = 3;

    fn form() -> SequenceForm {
        build(&Rules::tennis(), State::new(5, 4, Ball::NET), Reductions::NONE)
    }

    fn body() -> Vec<u8> {
        let form = form();
        let mut minimisers = RegretMinimisers::new(&form);
        for _ in 0..ITERATIONS {
            minimisers.iterate(Player::A, &form, &Threads::alone());
        }
        let widths = Widths { last: 0.5, narrowest: 0.25, iteration: 2 };
        let found = minimisers.last().map(|weights| Found { secures: 0.5, weights: weights.to_vec() });
        let mut bytes = Vec::new();
        BlindCheckpoint::of(&form, &Learning { minimisers, found, widths }).write(&mut bytes).unwrap();
        bytes.truncate(bytes.len() - 4);
        bytes
    }

    /// The error of a solve resumed from these bytes with a valid checksum.
    fn resumed(body: &[u8]) -> Result<Learning, String> {
        let bytes = [body, &crc32fast::hash(body).to_le_bytes()].concat();
        let read = BlindCheckpoint::read(&bytes).and_then(|checkpoint| Ok(checkpoint.into_learning(&form())?));
        read.map_err(|error| error.to_string())
    }

    /// Earlier versions are read without widths and strategies, so that a proof is due at once.
    #[test]
    fn checkpoints_of_earlier_versions_are_read() {
        for (version, header) in [(1, HEADER), (2, HEADER + WIDTHS)] {
            let mut old = body();
            let strategies: usize = Player::BOTH.into_iter().map(|player| form().sequences(player)).sum();
            old.truncate(old.len() - 8 * strategies);
            old.drain(header..HEADER + WIDTHS + STRATEGIES);
            old[PLACES[0]] = version;
            let learning = resumed(&old).unwrap();
            assert_eq!((learning.minimisers.iterations, learning.widths), (ITERATIONS, Widths::default()));
            assert!(Proofs::new(ITERATIONS, learning.widths).are_due(ITERATIONS));
            assert!(!Proofs::new(ITERATIONS, Widths { last: 0.5, ..learning.widths }).are_due(ITERATIONS));
        }
    }

    /// Each breaks one rule.
    #[test]
    fn what_no_solve_wrote_is_refused() {
        let sound = body();
        assert!(resumed(&sound).is_ok());
        let [version, points, ball, rule, iterations, sequences_a, sequences_b] = PLACES;
        let sequences = [sequences_a, sequences_b].map(|place| u64::from_le_bytes(*sound[place..].first_chunk().unwrap()));
        let numbers = sequences.iter().sum::<u64>() * 8 * (NUMBERS as u64 + 1);
        assert_eq!(
            ((HEADER + WIDTHS + STRATEGIES) as u64 + numbers, sequences[0] > 1 && sequences[1] > 1),
            (sound.len() as u64, true)
        );
        let with = |changes: &[(usize, &[u8])], more: usize| {
            let mut broken = sound.clone();
            broken.resize(sound.len() + more, 0);
            for &(place, bytes) in changes {
                broken[place..place + bytes.len()].copy_from_slice(bytes);
            }
            broken
        };
        let count = |player: usize, by: i64| sequences[player].wrapping_add_signed(by).to_le_bytes();
        let (sequence, number) = (8 * NUMBERS, HEADER + WIDTHS + STRATEGIES);
        let strategy = HEADER + WIDTHS;
        // The average of A's empty sequence follows A's probabilities and regrets.
        let average = number + 2 * 8 * sequences[0] as usize;
        for (broken, words) in [
            (with(&[(0, b"X")], 0), "does not begin as a checkpoint"),
            (sound[..HEADER - 5].to_vec(), "ends too early"),
            (with(&[(version, &[4])], 0), "another version of the format, 4"),
            (with(&[(version, &[1])], 0), "its size does not fit"),
            (with(&[(iterations, &(u64::MAX - 1).to_le_bytes())], 0), "claims 18446744073709551614 iterations; expected at most"),
            (with(&[(iterations, &(MOST_ITERATIONS + 1).to_le_bytes())], 0), "iterations; expected at most 1099511627776"),
            (with(&[(iterations, &MOST_ITERATIONS.to_le_bytes())], 0), "its averages are not those of "),
            (with(&[(iterations, &[4])], 0), "its averages are not those of "),
            (with(&[(average, &13.9_f64.to_le_bytes())], 0), "its averages are not those of "),
            (with(&[(HEADER, &(-0.5_f64).to_le_bytes())], 0), "its widths of bounds are impossible"),
            (with(&[(HEADER + 8, &f64::NAN.to_le_bytes())], 0), "its widths of bounds are impossible"),
            (with(&[(HEADER + 16, &[4])], 0), "its widths of bounds are impossible"),
            (with(&[(strategy, &0_u64.to_le_bytes())], 0), "its size does not fit"),
            (with(&[(strategy, &u64::MAX.to_le_bytes())], 0), "its size does not fit"),
            (with(&[(strategy + 8, &f64::NAN.to_le_bytes())], 0), "a payoff in it is no number"),
            (with(&[(strategy, &count(0, 1)), (strategy + 16, &count(1, -1))], 0), "a strategy of A has "),
            (with(&[(points, &[0])], 0), "0:4 points"),
            (with(&[(ball, &[3])], 0), "ball 3 is outside the field"),
            (with(&[(rule, &[3])], 0), "there is no rule 3"),
            (with(&[(sequences_a, &count(0, 1))], 0), "its size does not fit"),
            (with(&[(sequences_b, &count(1, -1))], 0), "its size does not fit"),
            (with(&[(sequences_b, &u64::MAX.to_le_bytes())], 0), "its size does not fit"),
            (with(&[], 8), "its size does not fit"),
            (sound[..sound.len() - 8].to_vec(), "its size does not fit"),
            (with(&[(sequences_a, &count(0, 1)), (sequences_b, &count(1, -1))], 0), "numbers for A; expected"),
            (with(&[(sequences_b, &count(1, 1))], sequence), "numbers for B; expected"),
            (with(&[(number, &f64::NAN.to_le_bytes())], 0), "is not finite"),
            (with(&[(sound.len() - 8, &f64::INFINITY.to_le_bytes())], 0), "is not finite"),
        ] {
            let refusal = resumed(&broken).map(|_| ()).expect_err(words);
            assert!(refusal.contains(words), "{refusal}; expected {words}");
        }
    }
}
