use std::borrow::Cow;
use std::io::{self, BufWriter, Read, Write};

use dashu_int::IBig;
use num_bigint::BigInt;

use crate::bounds::Bounds;
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::{big_integer, integer};
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter};
use crate::stochastic_game::cycles::{CycleProgress, CyclicState, LongState, LongWeights, Weights};
use crate::stochastic_game::sweep::{LongStates, Reached, Strategies};

const FORMAT: Format = Format { magic: *b"STOGAMCP", version: 1, name: "a checkpoint of a game" };

/// The first bytes of an older format, for acyclic games by rules.
const WITHOUT_STRATEGIES: [u8; 8] = *b"SIMGAMCP";

/// No bound is larger, see `scale`.
const LARGEST: i64 = 1 << 62;

/// The error of a rejected checkpoint.
pub(crate) fn refusal(reason: impl Into<String>) -> StochasticGameError {
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
/// `docs/game-format.md` describes its bytes.
///
/// A checkpoint that is read is not trusted: [`resume`](crate::stochastic_game::StochasticSolver::resume) proves the bounds anew
/// by the strategies.
#[derive(Clone, Debug)]
pub struct StochasticCheckpoint<'s> {
    pub(crate) game: u64,
    /// With strategies.
    pub(crate) reached: Cow<'s, Reached>,
    pub(crate) cycle: Option<Cow<'s, CycleProgress>>,
}

impl StochasticCheckpoint<'_> {
    pub fn solved(&self) -> u64 {
        self.reached.solved
    }

    /// Writes the checkpoint. To survive a crash, write a new file and rename it. Fails as the writer does.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let Reached { solved, bounds, strategies, long } = &*self.reached;
        let format = Format { version: 1 + u32::from(!long.is_empty()), ..FORMAT };
        let mut out = SealedWriter::new(BufWriter::new(out), &format)?;
        out.numbers([self.game, *solved, bounds.len() as u64])?;
        for (state, &bounds) in bounds.iter().enumerate() {
            write_state(&mut out, bounds, strategies.as_ref().map_or([&[], &[]], |strategies| strategies.get(state)))?;
        }
        let none = CycleProgress::default();
        let cycle = self.cycle.as_deref().unwrap_or(&none);
        // The 0 was once a flag of the method.
        out.numbers([cycle.rounds as u64, 0, cycle.widths.len() as u64])?;
        out.numbers(cycle.widths.iter().copied())?;
        out.numbers([cycle.states.len() as u64])?;
        for CyclicState { bounds, weights: [a, b] } in &cycle.states {
            write_state(&mut out, *bounds, [a, b])?;
        }
        out.end_part()?;
        if long.is_empty() {
            return Ok(());
        }
        out.numbers([long.len() as u64])?;
        for (state, LongState { weight_bits, finer, sides }) in long {
            out.numbers([*state, *weight_bits as u32, *finer as u32])?;
            for (bound, weights) in sides {
                write_integer(&mut out, bound)?;
                out.numbers([weights.len() as u32])?;
                for (action, weight) in weights {
                    out.numbers([*action])?;
                    write_integer(&mut out, weight)?;
                }
            }
        }
        out.end_part()
    }
}

impl StochasticCheckpoint<'static> {
    /// Reads and checks a checkpoint.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`](crate::stochastic_game::StochasticGameFault::Checkpoint) with the fault.
    pub fn read(mut bytes: impl Read) -> Result<Self, StochasticGameError> {
        let mut first = Vec::new();
        (&mut bytes)
            .take(FORMAT.magic.len() as u64 + 4)
            .read_to_end(&mut first)
            .map_err(|error| refusal(format!("cannot be read: {error}")))?;
        if first.starts_with(&WITHOUT_STRATEGIES) {
            return Err(refusal("is of an earlier version, without strategies that prove its bounds; expected a later one"));
        }
        let is_long = first.get(FORMAT.magic.len()..) == Some(&2_u32.to_le_bytes());
        let format = Format { version: 1 + u32::from(is_long), ..FORMAT };
        let mut input = SealedReader::new(first.as_slice().chain(bytes), &format)?;
        let (game, solved, count) = (input.u64()?, input.u64()?, input.u64()?);
        let (mut bounds, mut strategies) = (Vec::new(), Strategies::default());
        for _ in 0..count {
            let (own, [a, b]) = read_state(&mut input)?;
            bounds.push(own);
            strategies.push([&a, &b]);
        }
        let (rounds, _, count) = (input.u64()? as usize, input.u64()?, input.u64()?);
        let widths = (0..count).map(|_| input.u64().map(f64::from_bits)).collect::<Result<_, _>>()?;
        let mut states = Vec::new();
        for _ in 0..input.u64()? {
            let (bounds, weights) = read_state(&mut input)?;
            states.push(CyclicState { bounds, weights });
        }
        input.end_part()?;
        let mut long = LongStates::new();
        if is_long {
            for _ in 0..input.u64()? {
                let (state, state_proof) = read_long(&mut input)?;
                long.insert(state, state_proof);
            }
            input.end_part()?;
        }
        input.end()?;
        let cycle = (!states.is_empty()).then_some(Cow::Owned(CycleProgress { states, rounds, widths }));
        let reached = Cow::Owned(Reached { solved, bounds, strategies: Some(strategies), long });
        Ok(Self { game, reached, cycle })
    }
}

fn write_state<W: Write>(out: &mut SealedWriter<W>, bounds: Bounds, strategies: [&[(u32, u64)]; 2]) -> io::Result<()> {
    out.numbers([bounds.lower, bounds.upper])?;
    out.numbers(strategies.map(|strategy| strategy.len() as u32))?;
    for &(action, weight) in strategies.into_iter().flatten() {
        out.numbers([action])?;
        out.numbers([weight])?;
    }
    Ok(())
}

/// No integer of a checkpoint has more bytes: bounds have 62 bits before the point, and as many as weights behind it.
const LONGEST_INTEGER: u32 = 1 << 12;

fn write_integer<W: Write>(out: &mut SealedWriter<W>, integer: &IBig) -> io::Result<()> {
    let bytes = big_integer(integer).to_signed_bytes_le();
    out.numbers([bytes.len() as u32])?;
    out.put(bytes)
}

fn read_integer<R: Read>(input: &mut SealedReader<R>) -> Result<IBig, StochasticGameError> {
    let length = input.u32()?;
    if length > LONGEST_INTEGER {
        return Err(refusal("holds a number that is too long"));
    }
    let bytes = (0..length).map(|_| input.take::<1>().map(|[byte]| byte)).collect::<Result<Vec<u8>, _>>()?;
    Ok(integer(&BigInt::from_signed_bytes_le(&bytes)))
}

fn read_long<R: Read>(input: &mut SealedReader<R>) -> Result<(u32, LongState), StochasticGameError> {
    let [state, weight_bits, finer] = [input.u32()?, input.u32()?, input.u32()?];
    if weight_bits.max(finer) > 1 << 14 {
        return Err(refusal("holds a number that is too long"));
    }
    let mut side = || {
        let bound = read_integer(input)?;
        let mut weights = LongWeights::new();
        for _ in 0..input.u32()? {
            weights.push((input.u32()?, read_integer(input)?));
        }
        Ok::<_, StochasticGameError>((bound, weights))
    };
    let sides = [side()?, side()?];
    Ok((state, LongState { weight_bits: weight_bits as usize, finer: finer as usize, sides }))
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
