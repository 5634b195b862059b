//! Checkpoints of regret minimisation.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::finder::regret::Mismatch;
use super::learning::Learning;
use super::search_state::SearchState;
use super::sequence_form::SequenceForm;
use super::tree::{GameTree, NodeKind};
use crate::error::HiddenError;
use crate::game::Player;
use stochastic_game::internal::sealed::{Format, SealedReader, SealedWriter};

const FORMAT: Format = Format {
    magic: *b"PTHIDDEN",
    versions: [1, 1],
    name: "a checkpoint of a game with hidden information",
};

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
    state: SearchState,
}

impl HiddenCheckpoint {
    pub(super) fn of(tree: &GameTree, learning: &Learning) -> Self {
        Self { game: digest(tree), state: SearchState::of(learning) }
    }

    pub(super) fn into_learning(
        self,
        tree: &GameTree,
        form: &SequenceForm,
    ) -> Result<Learning, HiddenError> {
        if self.game != digest(tree) {
            return Err(refusal("it is of another game"));
        }
        self.state.into_learning(form).map_err(refusal)
    }

    /// The iterations of regret minimisation so far.
    pub fn iterations(&self) -> u64 {
        self.state.iterations
    }

    /// Writes the checkpoint.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = SealedWriter::new(out, &FORMAT, FORMAT.versions[1])?;
        out.put(self.game)?;
        self.state.write(&mut out)
    }

    /// Reads and checks a checkpoint.
    ///
    /// # Errors
    /// [`HiddenError::Checkpoint`] with the fault.
    pub fn read(bytes: &[u8]) -> Result<Self, HiddenError> {
        Self::checked(bytes).map_err(refusal)
    }

    fn checked(bytes: &[u8]) -> Result<Self, Mismatch> {
        let mut input = SealedReader::new(bytes, &FORMAT)?;
        let game = input.take()?;
        Ok(Self { game, state: SearchState::read(&mut input, bytes.len() as u64)? })
    }
}

fn refusal(reason: impl Into<String>) -> HiddenError {
    HiddenError::Checkpoint { reason: reason.into() }
}

/// A SHA-256 of the nodes with their payoffs, probabilities, and information sets with parents,
/// which the numbers belong to; names do not matter.
fn digest(tree: &GameTree) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        let (kind, number) = match node.kind {
            NodeKind::End { payoff } => (0_u8, payoff),
            NodeKind::Chance { distribution } => (1, distribution),
            NodeKind::Decision { player: Player::A, set } => (2, set),
            NodeKind::Decision { player: Player::B, set } => (3, set),
        };
        hasher.update([kind]);
        let successors = tree.successors(index as u32).len() as u32;
        hasher.update([number, successors].map(u32::to_le_bytes).as_flattened());
    }
    for number in tree.payoffs.iter().chain(tree.distributions.iter().flatten()) {
        hasher.update(number.to_string());
        hasher.update(" ");
    }
    for set in Player::BOTH.into_iter().flat_map(|player| tree.information_sets(player)) {
        hasher.update(
            [set.parent, set.first_sequence, set.actions.len() as u32]
                .map(u32::to_le_bytes)
                .as_flattened(),
        );
    }
    hasher.finalize().into()
}
