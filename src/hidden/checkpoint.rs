//! Checkpoints of regret minimisation.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::finder::found::Found;
use super::finder::regret::{LearnerNumbers, RegretMinimisers};
use super::finder::schedule::Widths;
use super::search::Learning;
use super::sequence_form::SequenceForm;
use super::tree::{GameTree, NodeKind};
use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter};

const FORMAT: Format = Format { magic: *b"PTHIDDEN", versions: [1, 1], name: "a checkpoint of a game with hidden information" };

/// More iterations than any run has: 13 days at a million in a second.
const MOST_ITERATIONS: u64 = 1 << 40;

/// The state of an interrupted solve, for [`HiddenSolver::resume`](super::HiddenSolver::resume).
///
/// Nothing in a checkpoint is trusted: strategies are proved when the search ends.
///
/// # Format
///
/// Integers are little-endian.
///
/// | bytes | content |
/// | --- | --- |
/// | 8, 4 | `PTHIDDEN`, the version 1 |
/// | 32 | SHA-256 of the tree without names |
/// | 8 | iterations |
/// | 8, 8, 8 | the last and the narrowest width in floating point, and the iteration of the narrowest |
/// | 8, 8, 8 | for A, then for B: the number of sequences, the length of the best strategy so far (0 before the first), and what it secures (a double, payoffs scaled to −1..1) |
/// | 4 | CRC-32 of everything before |
/// | 8 a sequence each | for A, then for B: probabilities, regrets, averages, and the best strategy |
/// | 4 | CRC-32 of this part |
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenCheckpoint {
    game: [u8; 32],
    iterations: u64,
    widths: Widths,
    numbers: ByPlayer<LearnerNumbers<Vec<f64>>>,
    found: ByPlayer<Found>,
}

fn refusal(reason: impl Into<String>) -> HiddenError {
    HiddenError::Checkpoint { reason: reason.into() }
}

impl From<SealFault> for HiddenError {
    fn from(fault: SealFault) -> Self {
        refusal(format!("it {fault}"))
    }
}

impl HiddenCheckpoint {
    pub(super) fn of(tree: &GameTree, learning: &Learning) -> Self {
        Self {
            game: digest(tree),
            iterations: learning.minimisers.iterations,
            widths: learning.widths,
            numbers: learning.minimisers.numbers().map(|numbers| numbers.map(<[f64]>::to_vec)),
            found: learning.found.clone(),
        }
    }

    pub(super) fn into_learning(self, tree: &GameTree, form: &SequenceForm) -> Result<Learning, HiddenError> {
        if self.game != digest(tree) {
            return Err(refusal("it is of another game"));
        }
        for player in Player::BOTH {
            let count = self.found[player].weights.len();
            if count != 0 && count != tree.sequence_count(player) {
                return Err(refusal(format!("a strategy of {player} has {count} numbers")));
            }
        }
        let minimisers = RegretMinimisers::resumed(form, self.iterations, self.numbers).map_err(refusal)?;
        Ok(Learning { minimisers, found: self.found, widths: self.widths })
    }

    /// The iterations of regret minimisation so far.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Writes the checkpoint.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = SealedWriter::new(out, &FORMAT, FORMAT.versions[1])?;
        out.put(self.game)?;
        let Widths { last, narrowest, iteration } = self.widths;
        out.numbers([self.iterations, last.to_bits(), narrowest.to_bits(), iteration])?;
        for player in Player::BOTH {
            let found = &self.found[player];
            let lengths = [self.numbers[player][0].len(), found.weights.len()].map(|length| length as u64);
            out.numbers(lengths)?;
            out.numbers([found.secures.to_bits()])?;
        }
        out.end_part()?;
        for player in Player::BOTH {
            for numbers in self.numbers[player].iter().chain([&self.found[player].weights]) {
                out.numbers(numbers.iter().copied())?;
            }
        }
        out.end_part()
    }

    /// Reads and checks a checkpoint.
    ///
    /// # Errors
    /// [`HiddenError::Checkpoint`] with the fault.
    pub fn read(bytes: &[u8]) -> Result<Self, HiddenError> {
        let mut input = SealedReader::new(bytes, &FORMAT)?;
        let game = input.take()?;
        let iterations = input.u64()?;
        let widths = Widths { last: double(&mut input)?, narrowest: double(&mut input)?, iteration: input.u64()? };
        let mut lengths = [[0; 2]; 2];
        let mut found = ByPlayer::new(|_| Found::default());
        for (player, lengths) in Player::BOTH.into_iter().zip(&mut lengths) {
            *lengths = [input.u64()?, input.u64()?];
            found[player].secures = double(&mut input)?;
        }
        input.end_part()?;
        if iterations > MOST_ITERATIONS {
            return Err(refusal(format!("it claims {iterations} iterations; expected at most {MOST_ITERATIONS}")));
        }
        if widths.iteration > iterations {
            return Err(refusal("its narrowest bounds come after its last iteration"));
        }
        if widths.last.is_nan() || widths.narrowest.is_nan() || found.iter().any(|found| found.secures.is_nan()) {
            return Err(refusal("a width or payoff in it is no number"));
        }
        // Eight bytes for each number: a shorter file is refused before memory is taken.
        let count = lengths.iter().try_fold(0_u64, |count, [numbers, found]| {
            let own = numbers.checked_mul(3)?.checked_add(*found)?;
            count.checked_add(own)
        });
        if count.is_none_or(|count| count > bytes.len() as u64 / 8) {
            return Err(refusal("its size does not fit its header"));
        }
        let mut numbers: ByPlayer<LearnerNumbers<Vec<f64>>> = ByPlayer::default();
        for (player, [own, strategy]) in Player::BOTH.into_iter().zip(lengths) {
            for numbers in &mut numbers[player] {
                *numbers = doubles(&mut input, own)?;
            }
            found[player].weights = doubles(&mut input, strategy)?;
        }
        input.end_part()?;
        input.end()?;
        Ok(Self { game, iterations, widths, numbers, found })
    }
}

fn double(input: &mut SealedReader<&[u8]>) -> Result<f64, HiddenError> {
    Ok(f64::from_bits(input.u64()?))
}

/// Finite numbers.
fn doubles(input: &mut SealedReader<&[u8]>, count: u64) -> Result<Vec<f64>, HiddenError> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        let number = double(input)?;
        if !number.is_finite() {
            return Err(refusal("a number in it is not finite"));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// A SHA-256 of the nodes with their payoffs, probabilities, and information sets with parents, which the numbers belong to; names
/// do not matter.
fn digest(tree: &GameTree) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for (place, node) in tree.nodes.iter().enumerate() {
        let (kind, number) = match node.kind {
            NodeKind::End { payoff } => (0_u8, payoff),
            NodeKind::Chance { distribution } => (1, distribution),
            NodeKind::Decision { player: Player::A, set } => (2, set),
            NodeKind::Decision { player: Player::B, set } => (3, set),
        };
        hasher.update([kind]);
        let successors = tree.successors(place as u32).len() as u32;
        hasher.update([number, successors].map(u32::to_le_bytes).as_flattened());
    }
    for number in tree.payoffs.iter().chain(tree.distributions.iter().flatten()) {
        hasher.update(number.to_string());
        hasher.update(" ");
    }
    for set in Player::BOTH.into_iter().flat_map(|player| tree.information_sets(player)) {
        hasher.update([set.parent, set.first_sequence, set.actions.len() as u32].map(u32::to_le_bytes).as_flattened());
    }
    hasher.finalize().into()
}
