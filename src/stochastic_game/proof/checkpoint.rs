//! An interrupted solve as bytes.

use std::borrow::Cow;
use std::io::{self, BufWriter, Read, Write};

use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter};
use crate::stochastic_game::cycles::{CycleProgress, CyclicState, Weights};
use crate::stochastic_game::sweep::Strategies;

const FORMAT: Format = Format { magic: *b"STOGAMCP", version: 1, name: "a checkpoint of a game" };

/// The first bytes of checkpoints of acyclic games by rules before version 1 of this format had them, too.
const WITHOUT_STRATEGIES: [u8; 8] = *b"SIMGAMCP";

/// No bound is larger, see `scale`.
const LARGEST: i64 = 1 << 62;

/// A checkpoint that is not gone on from, with what is wrong with it.
pub(super) fn refusal(reason: impl Into<String>) -> StochasticGameError {
    StochasticGameFault::Checkpoint { reason: reason.into() }.into()
}

impl From<SealFault> for StochasticGameError {
    fn from(fault: SealFault) -> Self {
        refusal(fault.to_string())
    }
}

/// The states of a game that are solved so far, from which a [`StochasticSolver`](crate::stochastic_game::StochasticSolver) goes on
/// to the same solution.
///
/// Bytes of integers, little end first: `STOGAMCP`, the version 1 in four bytes; in eight each a digest of the game, the stages
/// that are solved (components of a written game, states of one by rules) and the number of states; then state by state its bounds, 0 where none are known, in eight bytes each, and its
/// strategies: the numbers of actions that A and B choose, in four bytes each, and of every one its number in four and its weight
/// in eight. Behind them the cycle that is being solved: its rounds so far, 1 if its states linger there, and how many widths
/// follow, in eight bytes each; the sums of all its widths after each round, as doubles; the number of its states, 0 if there is
/// no such cycle, in eight; and these as above. In the end the CRC-32 of all before, in four.
///
/// A checkpoint that is read is not trusted: [`resume`](crate::stochastic_game::StochasticSolver::resume) proves the bounds anew
/// by the strategies.
#[derive(Clone, Debug)]
pub struct StochasticCheckpoint<'s> {
    pub(crate) game: u64,
    pub(crate) solved: u64,
    pub(crate) bounds: Cow<'s, [Bounds]>,
    pub(crate) strategies: Cow<'s, Strategies>,
    pub(crate) cycle: Option<Cow<'s, CycleProgress>>,
}

impl StochasticCheckpoint<'_> {
    /// The stages that are solved.
    pub const fn solved(&self) -> u64 {
        self.solved
    }

    /// Writes the checkpoint. What is to survive a crash should be written beside its place and renamed.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = SealedWriter::new(BufWriter::new(out), &FORMAT)?;
        for number in [self.game, self.solved, self.bounds.len() as u64] {
            out.put(number.to_le_bytes())?;
        }
        for (state, &bounds) in self.bounds.iter().enumerate() {
            write_state(&mut out, bounds, self.strategies.get(state))?;
        }
        let none = CycleProgress::default();
        let cycle = self.cycle.as_deref().unwrap_or(&none);
        for number in [cycle.rounds as u64, cycle.lingers.into(), cycle.widths.len() as u64] {
            out.put(number.to_le_bytes())?;
        }
        for width in &cycle.widths {
            out.put(width.to_le_bytes())?;
        }
        out.put((cycle.states.len() as u64).to_le_bytes())?;
        for CyclicState { bounds, weights: [a, b] } in &cycle.states {
            write_state(&mut out, *bounds, [a, b])?;
        }
        out.end_part()
    }
}

impl StochasticCheckpoint<'static> {
    /// Reads a checkpoint and checks every byte of it.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`](crate::stochastic_game::StochasticGameFault::Checkpoint) with what is wrong.
    pub fn read(mut bytes: impl Read) -> Result<Self, StochasticGameError> {
        let mut first = Vec::new();
        (&mut bytes)
            .take(FORMAT.magic.len() as u64)
            .read_to_end(&mut first)
            .map_err(|error| refusal(format!("cannot be read: {error}")))?;
        if first == WITHOUT_STRATEGIES {
            return Err(refusal("is of an earlier version, without strategies that prove its bounds; expected a later one"));
        }
        let mut input = SealedReader::new(first.as_slice().chain(bytes), &FORMAT)?;
        let (game, solved, count) = (input.u64()?, input.u64()?, input.u64()?);
        let (mut bounds, mut pairs) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (own, pair) = read_state(&mut input)?;
            bounds.push(own);
            pairs.push(pair);
        }
        let mut strategies = Strategies::new(pairs.len());
        for (state, [a, b]) in pairs.iter().enumerate() {
            strategies.set(state, [a, b]);
        }
        let (rounds, lingers, count) = (input.u64()? as usize, input.u64()? != 0, input.u64()?);
        let widths = (0..count).map(|_| input.u64().map(f64::from_bits)).collect::<Result<_, _>>()?;
        let mut states = Vec::new();
        for _ in 0..input.u64()? {
            let (bounds, weights) = read_state(&mut input)?;
            states.push(CyclicState { bounds, weights });
        }
        input.end_part()?;
        input.end()?;
        let cycle = (!states.is_empty()).then_some(Cow::Owned(CycleProgress { states, rounds, lingers, widths }));
        Ok(Self { game, solved, bounds: Cow::Owned(bounds), strategies: Cow::Owned(strategies), cycle })
    }
}

fn write_state<W: Write>(out: &mut SealedWriter<W>, bounds: Bounds, strategies: [&[(u32, u64)]; 2]) -> io::Result<()> {
    out.put(bounds.lower.to_le_bytes())?;
    out.put(bounds.upper.to_le_bytes())?;
    for strategy in strategies {
        out.put((strategy.len() as u32).to_le_bytes())?;
    }
    for &(action, weight) in strategies.into_iter().flatten() {
        out.put(action.to_le_bytes())?;
        out.put(weight.to_le_bytes())?;
    }
    Ok(())
}

fn read_state<R: Read>(input: &mut SealedReader<R>) -> Result<(Bounds, [Weights; 2]), StochasticGameError> {
    let [lower, upper] = [input.take()?, input.take()?].map(i64::from_le_bytes);
    if lower > upper || lower < -LARGEST || upper > LARGEST {
        return Err(refusal("holds bounds that no game has"));
    }
    let counts = [input.u32()?, input.u32()?];
    let mut weights = [Weights::new(), Weights::new()];
    for (weights, count) in weights.iter_mut().zip(counts) {
        for _ in 0..count {
            weights.push((input.u32()?, input.u64()?));
        }
        let rise = weights.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let sum: u128 = weights.iter().map(|&(_, weight)| u128::from(weight)).sum();
        if !rise || (count > 0 && sum != u128::from(DyadicStrategy::WHOLE)) {
            return Err(refusal("holds strategies whose weights do not sum to 1"));
        }
    }
    Ok((Bounds { lower, upper }, weights))
}
