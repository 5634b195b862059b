//! The checkpoint of blind Tennis, little-endian: `TENNISBL`; the version, 4, 4 bytes; the game as
//! in table files (`docs/table-format.md`); the ball, 1 byte; then the state of the search, as any
//! game with hidden information has it (`HiddenCheckpoint`), from the iterations on.
//!
//! Versions 1 to 3 are still read. After the ball they have
//!
//! * the rule (2, predictive CFR+), 1 byte; iterations, 8 bytes; sequences of A and B, 8 bytes
//!   each;
//! * since version 2: the last width of bounds and the narrowest one (doubles, as shares of the
//!   span of payoffs) and the iteration of the narrowest, 8 bytes each;
//! * since version 3, for A, then B: the length of the best strategy so far (the number of
//!   sequences, or 0), and the payoff that it secures (a double), 8 bytes each;
//! * for A, then B: likelihoods, regrets, averages, 8 bytes a sequence each; both best strategies,
//!   8 bytes a sequence;
//! * CRC-32 of all before it.
//!
//! A run that resumes version 1 or 2 proves its bounds at once. The average weight of the empty
//! sequence is the sum of the squares of all iterations, or the file is refused.

use std::io::{self, Write};

use super::sequence_form::SequenceForm;
use crate::error::{BlindError, Error};
use crate::game::codec::GameHeader;
use crate::game::{Ball, Player, Rules, State};
use crate::hidden::finder::regret::Mismatch;
use crate::hidden::finder::schedule::Widths;
use crate::hidden::learning::Learning;
use crate::hidden::search_state::{Lengths, SearchState, double, widths};
use stochastic_game::internal::codec::Bytes;
use stochastic_game::internal::sealed::{Format, SealedReader, SealedWriter};

const FORMAT: Format =
    Format { magic: *b"TENNISBL", versions: [1, 4], name: "a checkpoint of blind Tennis" };

/// The first version whose state is that of any game with hidden information.
const WITH_COMMON_STATE: u32 = 4;

/// The first version with the best strategies so far.
const WITH_STRATEGIES: u32 = 3;

/// The first version with the widths of bounds.
const WITH_WIDTHS: u32 = 2;

/// How regrets are updated, in versions before 4: predictive CFR+. Smaller numbers stood for CFR+
/// and discounted CFR.
const PREDICTIVE: u8 = 2;

/// An interrupted regret minimisation, for [`BlindSolver::resume`](super::BlindSolver::resume). Its
/// numbers belong to this game.
#[derive(Clone, Debug, PartialEq)]
pub struct BlindCheckpoint {
    pub rules: Rules,
    pub start: State,
    pub iterations: u64,
    state: SearchState,
}

impl BlindCheckpoint {
    pub(super) fn of(form: &SequenceForm, learning: &Learning) -> Self {
        let state = SearchState::of(learning);
        Self { rules: form.tree.rules, start: form.tree.start, iterations: state.iterations, state }
    }

    pub(super) fn into_learning(self, form: &SequenceForm) -> Result<Learning, BlindError> {
        self.state.into_learning(form).map_err(refusal)
    }

    /// Writes the checkpoint: the game, 24 bytes for every sequence, the best strategies,
    /// checksums. The module has it byte by byte.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut header = Vec::new();
        GameHeader { rules: self.rules, points: [self.start.a, self.start.b], mirrored: false }
            .write(&mut header);
        header.extend((self.start.ball.position() as i8).to_le_bytes());
        let mut out = SealedWriter::new(out, &FORMAT, FORMAT.versions[1])?;
        out.put(header)?;
        self.state.write(&mut out)
    }

    /// Reads and checks a checkpoint.
    ///
    /// # Errors
    /// [`super::BlindError::File`] with the fault.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::checked(bytes).map_err(refusal)?)
    }

    fn checked(bytes: &[u8]) -> Result<Self, Mismatch> {
        let mut input = SealedReader::new(bytes, &FORMAT)?;
        let header = input.take::<{ GameHeader::BYTES }>()?;
        let GameHeader { rules, points: [a, b], .. } = GameHeader::read(&mut Bytes(&header))?;
        let [ball] = input.take()?;
        let ball = Ball::new(i32::from(ball as i8)).map_err(|error| error.to_string())?;
        let start = State::new(a, b, ball);
        rules.check(start).map_err(|error| error.to_string())?;
        let size = bytes.len() as u64;
        let state = if input.version >= WITH_COMMON_STATE {
            SearchState::read(&mut input, size)?
        } else {
            read_early_state(&mut input, size)?
        };
        Ok(Self { rules, start, iterations: state.iterations, state })
    }
}

fn refusal(reason: Mismatch) -> BlindError {
    BlindError::File { reason }
}

/// The state in versions before 4: one part, in which both players' strategies follow all other
/// numbers.
fn read_early_state(
    input: &mut SealedReader<&[u8]>,
    file_bytes: u64,
) -> Result<SearchState, Mismatch> {
    let [rule] = input.take()?;
    if rule != PREDICTIVE {
        return Err(format!("there is no rule {rule}"));
    }
    let mut state = SearchState { iterations: input.u64()?, ..SearchState::default() };
    let mut lengths = Lengths::default();
    for player in Player::BOTH {
        lengths.sequences[player] = input.u64()?;
    }
    if input.version >= WITH_WIDTHS {
        state.widths = widths(input)?;
    }
    if input.version >= WITH_STRATEGIES {
        for player in Player::BOTH {
            lengths.strategies[player] = input.u64()?;
            state.best[player].secures = double(input)?;
        }
    }
    state.check()?;
    lengths.check(file_bytes)?;
    if input.version < WITH_STRATEGIES {
        // Widths were in payoffs, and of other strategies: a proof is due at once.
        state.widths = Widths::default();
    }
    for player in Player::BOTH {
        state.read_learner(player, &lengths, input)?;
    }
    for player in Player::BOTH {
        state.read_strategy(player, &lengths, input)?;
    }
    input.end_part()?;
    input.end()?;
    Ok(state)
}
