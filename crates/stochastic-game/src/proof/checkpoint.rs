//! Checkpoints of solves, and their bytes.

use std::borrow::Cow;
use std::io::{self, BufWriter, Read, Write};

use dashu_int::IBig;
use num_bigint::BigInt;

use crate::bounds::Bounds;
use crate::cycles::{
    CycleProgress, CyclicState, LongProgress, LongSide, LongState, LongStates, LongWeights,
    Narrowing, NewtonMethod, NewtonProgress, Replies, RoundProgress, ShortBest, Sizes,
    StepProgress, SweepProgress, Weights,
};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::matrix_game::exact::{big_integer, integer};
use crate::sealed::{Format, SealFault, SealedReader, SealedWriter, u32_at, u64_at};
use crate::sweep::{Reached, Strategies};

const FORMAT: Format =
    Format { magic: *b"STOGAMCP", versions: [SHORT, WITH_A_CYCLE], name: "a checkpoint of a game" };

/// The version of checkpoints in short numbers alone.
const SHORT: u32 = 1;

/// The version of checkpoints in which states are proved in longer numbers.
const WITH_LONG_NUMBERS: u32 = 2;

/// The version of those with a cycle in value iteration, in Newton steps or in longer numbers.
const WITH_A_CYCLE: u32 = 3;

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

/// The states of a game that are solved so far, from which a
/// [`StochasticSolver`](crate::StochasticSolver) goes on to the same solution.
///
/// A checkpoint that is read is not trusted:
/// [`resume`](crate::StochasticSolver::resume) proves the bounds anew by the
/// strategies.
///
/// # Format
///
/// Integers are little-endian.
///
/// | bytes | content |
/// | --- | --- |
/// | 8, 4 | `STOGAMCP`, the version: 1, 2 if states are proved in longer numbers, 3 if a cycle is being solved by another method than rounds |
/// | 8 | a digest of the game (names do not count) plus the bits by which a finished solution refines the unit |
/// | 8, 8 | the number of solved stages (components of a written game, states of a game by rules), the number of states |
/// | each state | lower and upper bound (8 each; 0 if unknown); the numbers of actions chosen by A and by B (4 each), and for each of these its number (4) and weight (8) |
/// | 8, 8, 8 | the cycle being solved: rounds so far, a number that is ignored, the number of widths |
/// | each width | the total width after a round, a double |
/// | 8 | the number of states of the cycle, 0 without one; then these states as above |
/// | 4 | CRC-32 of everything before |
/// | 8; each state | versions 2 and 3: the number of these states; its number, bits of weights, bits by which its unit is finer (4 each); for A and B a bound, the number of actions, their numbers (4) and weights. An integer is its length (4) and two's complement |
/// | 4 | versions 2 and 3: CRC-32 of this part |
/// | 4; … | version 3: the method, 1 for value iteration, 2 for Newton steps, 3 for longer numbers; its progress, see below |
/// | 4 | version 3: CRC-32 of this part |
///
/// A state in longer numbers also has strategies of 62 bits, which are shown: the long ones,
/// rounded, with at least one unit for every action, or others, if these secure more (as the sum
/// over the states of the cycle). A reader compares them again with the roundings.
///
/// In the progress of a method, integers have 4 bytes unless another number is given, lists have
/// their length (8) before them, and a flag is 0, or 1 before what follows it:
///
/// 1. *Value iteration*: the turns for which the last pair of strategies was followed; a list of
///    the largest change of each sweep, and one of the values of the states (doubles).
/// 2. *Newton steps*: the steps so far; a list of the guesses of both bounds (8 each).
/// 3. *Longer numbers*, which began from the states of the cycle in the first part. Integers of any
///    length are written as above.
///    * For A, then for B: bits of weights, bits by which the unit is finer, a list of bounds, and
///      for each of these the weights.
///    * The bits of the last λ, the step to the next one, the bits at which it was last decided to
///      go on, the bits by which values are finer; a list of the values at the last λ.
///    * A flag; whether steps are slow, Newton steps for the next λ so far, a list of values; a
///      flag, a list of the values after a sweep, the residual before it.
///    * A flag; whether rare actions are left out, the side whose strategies are being proved, the
///      margin and the improvements so far, a list of replies, the width before.
///    * A flag; a list of the states as strategies of 62 bits prove them (as in the first part),
///      their width.
///    * A flag; the width at which it was last decided to go on.
#[derive(Clone, Debug)]
pub struct StochasticCheckpoint<'s> {
    pub(crate) game: u64,
    /// The number of stages that are solved.
    pub(crate) solved: u64,
    /// The bounds that are claimed of all states, by number.
    pub(crate) bounds: Cow<'s, [Bounds]>,
    pub(crate) strategies: Option<Cow<'s, Strategies>>,
    pub(crate) long: Cow<'s, LongStates>,
    pub(crate) cycle: Option<Cow<'s, CycleProgress>>,
}

impl StochasticCheckpoint<'_> {
    pub fn solved(&self) -> u64 {
        self.solved
    }

    pub(crate) fn of_reached<'s>(
        game: u64,
        reached: &'s Reached,
        cycle: Option<&'s CycleProgress>,
    ) -> StochasticCheckpoint<'s> {
        let Reached { solved, published, strategies } = reached;
        StochasticCheckpoint {
            game,
            solved: *solved,
            bounds: Cow::Borrowed(published.bounds()),
            strategies: strategies.as_ref().map(Cow::Borrowed),
            long: Cow::Borrowed(published.long()),
            cycle: cycle.map(Cow::Borrowed),
        }
    }

    /// Writes the checkpoint. To survive a crash, write a new file and rename it. Fails as the
    /// writer does.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let Self { solved, bounds, strategies, long, .. } = self;
        let part = self.cycle.as_deref().and_then(CyclePart::of);
        let version = match (&part, long.is_empty()) {
            (Some(_), _) => WITH_A_CYCLE,
            (None, false) => WITH_LONG_NUMBERS,
            (None, true) => SHORT,
        };
        let mut out = SealedWriter::new(BufWriter::new(out), &FORMAT, version)?;
        out.numbers([self.game, *solved, bounds.len() as u64])?;
        for (state, &bounds) in bounds.iter().enumerate() {
            write_state(
                &mut out,
                bounds,
                strategies.as_ref().map_or([&[], &[]], |strategies| strategies.get(state)),
            )?;
        }
        let none = RoundProgress::default();
        let (rounds, states) = match self.cycle.as_deref() {
            Some(CycleProgress::Rounds(rounds)) => (rounds, &rounds.states),
            Some(CycleProgress::Long(long)) => (&none, &long.narrowed),
            Some(CycleProgress::Sweeps(_) | CycleProgress::Steps(_)) | None => {
                (&none, &none.states)
            }
        };
        // The 0 was once a flag of the method.
        out.numbers([rounds.rounds as u64, 0, rounds.widths.len() as u64])?;
        out.numbers(rounds.widths.iter().copied())?;
        write_states(&mut out, states)?;
        out.end_part()?;
        if version == SHORT {
            return Ok(());
        }
        out.numbers([long.len() as u64])?;
        for (state, LongState { weight_bits, finer, sides }) in &**long {
            out.numbers([*state, *weight_bits as u32, *finer as u32])?;
            for (bound, weights) in sides {
                write_integer(&mut out, bound)?;
                write_long_weights(&mut out, weights)?;
            }
        }
        out.end_part()?;
        match part {
            Some(part) => part.write(&mut out),
            None => Ok(()),
        }
    }
}

impl StochasticCheckpoint<'static> {
    /// Reads and checks a checkpoint.
    ///
    /// # Errors
    /// [`StochasticGameFault::Checkpoint`](crate::StochasticGameFault::Checkpoint)
    /// with the fault.
    pub fn read(mut bytes: impl Read) -> Result<Self, StochasticGameError> {
        let mut first = Vec::new();
        (&mut bytes)
            .take(FORMAT.magic.len() as u64)
            .read_to_end(&mut first)
            .map_err(|error| refusal(format!("cannot be read: {error}")))?;
        if first.starts_with(&WITHOUT_STRATEGIES) {
            return Err(refusal(
                "is of an earlier version, without strategies that prove its bounds; expected a later one",
            ));
        }
        let mut input = SealedReader::new(first.as_slice().chain(bytes), &FORMAT)?;
        let version = input.version;
        let (game, solved, count) = (input.u64()?, input.u64()?, input.u64()?);
        let (mut bounds, mut strategies) = (Vec::new(), Strategies::default());
        let mut weights = Default::default();
        for _ in 0..count {
            bounds.push(read_state(&mut input, &mut weights)?);
            strategies.push(weights.each_ref().map(Vec::as_slice));
        }
        let (rounds, _, count) = (input.u64()? as usize, input.u64()?, input.u64()?);
        let widths =
            (0..count).map(|_| input.u64().map(f64::from_bits)).collect::<Result<_, _>>()?;
        let states = read_states(&mut input)?;
        input.end_part()?;
        let mut long = LongStates::new();
        if version > SHORT {
            for _ in 0..input.u64()? {
                let (state, state_proof) = read_long(&mut input)?;
                long.insert(state, state_proof);
            }
            input.end_part()?;
        }
        let cycle = match version {
            WITH_A_CYCLE => Some(CyclePart::read(&mut input, states)?),
            _ => (!states.is_empty()).then_some(CycleProgress::Rounds(RoundProgress {
                states,
                rounds,
                widths,
            })),
        };
        input.end()?;
        let cycle = cycle.map(Cow::Owned);
        let (bounds, strategies, long) =
            (Cow::Owned(bounds), Some(Cow::Owned(strategies)), Cow::Owned(long));
        Ok(Self { game, solved, bounds, strategies, long, cycle })
    }
}

/// The bytes of a state without its strategies, and of an action that is chosen. They are written
/// and read at once: checkpoints have millions of them.
const STATE: usize = 24;
const CHOICE: usize = 12;

fn write_state<W: Write>(
    out: &mut SealedWriter<W>,
    bounds: Bounds,
    strategies: [&[(u32, u64)]; 2],
) -> io::Result<()> {
    let [a, b] = strategies.map(|strategy| strategy.len() as u32);
    let mut record = [0; STATE];
    record[..8].copy_from_slice(&bounds.lower.to_le_bytes());
    record[8..16].copy_from_slice(&bounds.upper.to_le_bytes());
    record[16..20].copy_from_slice(&a.to_le_bytes());
    record[20..].copy_from_slice(&b.to_le_bytes());
    out.put(record)?;
    for (action, weight) in strategies.into_iter().flatten() {
        let mut choice = [0; CHOICE];
        choice[..4].copy_from_slice(&action.to_le_bytes());
        choice[4..].copy_from_slice(&weight.to_le_bytes());
        out.put(choice)?;
    }
    Ok(())
}

/// No integer of a checkpoint has more bytes: bounds have 62 bits before the point, and as many as
/// weights behind it.
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
    let bytes = (0..length)
        .map(|_| input.take::<1>().map(|[byte]| byte))
        .collect::<Result<Vec<u8>, _>>()?;
    Ok(integer(&BigInt::from_signed_bytes_le(&bytes)))
}

fn read_long<R: Read>(
    input: &mut SealedReader<R>,
) -> Result<(u32, LongState), StochasticGameError> {
    let state = input.u32()?;
    let Sizes { weight_bits, finer } = read_sizes(input)?;
    let mut side =
        || Ok::<_, StochasticGameError>((read_integer(input)?, read_long_weights(input)?));
    let sides = [side()?, side()?];
    Ok((state, LongState { weight_bits, finer, sides }))
}

fn write_long_weights<W: Write>(
    out: &mut SealedWriter<W>,
    weights: &LongWeights,
) -> io::Result<()> {
    out.numbers([weights.len() as u32])?;
    for (action, weight) in weights {
        out.numbers([*action])?;
        write_integer(out, weight)?;
    }
    Ok(())
}

fn read_long_weights<R: Read>(
    input: &mut SealedReader<R>,
) -> Result<LongWeights, StochasticGameError> {
    let mut weights = LongWeights::new();
    for _ in 0..input.u32()? {
        weights.push((input.u32()?, read_integer(input)?));
    }
    Ok(weights)
}

fn write_states<W: Write>(out: &mut SealedWriter<W>, states: &[CyclicState]) -> io::Result<()> {
    out.numbers([states.len() as u64])?;
    states
        .iter()
        .try_for_each(|CyclicState { bounds, weights: [a, b] }| write_state(out, *bounds, [a, b]))
}

fn read_states<R: Read>(
    input: &mut SealedReader<R>,
) -> Result<Vec<CyclicState>, StochasticGameError> {
    let mut states = Vec::new();
    for _ in 0..input.u64()? {
        let mut weights = Default::default();
        let bounds = read_state(input, &mut weights)?;
        states.push(CyclicState { bounds, weights });
    }
    Ok(states)
}

fn write_integers<W: Write>(out: &mut SealedWriter<W>, integers: &[IBig]) -> io::Result<()> {
    out.numbers([integers.len() as u64])?;
    integers.iter().try_for_each(|integer| write_integer(out, integer))
}

fn read_integers<R: Read>(input: &mut SealedReader<R>) -> Result<Vec<IBig>, StochasticGameError> {
    let mut integers = Vec::new();
    for _ in 0..input.u64()? {
        integers.push(read_integer(input)?);
    }
    Ok(integers)
}

/// Writes whether there is something more.
fn write_flag<W: Write>(out: &mut SealedWriter<W>, is_there: bool) -> io::Result<()> {
    out.numbers([u32::from(is_there)])
}

fn read_flag<R: Read>(input: &mut SealedReader<R>) -> Result<bool, StochasticGameError> {
    match input.u32()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(refusal(NO_METHOD)),
    }
}

/// Reads the bounds of a state, and the weights of A's and of B's actions.
fn read_state<R: Read>(
    input: &mut SealedReader<R>,
    weights: &mut [Weights; 2],
) -> Result<Bounds, StochasticGameError> {
    let record = input.take::<STATE>()?;
    let [lower, upper] = [u64_at(&record, 0) as i64, u64_at(&record, 8) as i64];
    if lower > upper || lower < -LARGEST || upper > LARGEST {
        return Err(refusal("holds bounds that no game has"));
    }
    let counts = [u32_at(&record, 16), u32_at(&record, 20)];
    for (weights, count) in weights.iter_mut().zip(counts) {
        weights.clear();
        for _ in 0..count {
            let choice = input.take::<CHOICE>()?;
            weights.push((u32_at(&choice, 0), u64_at(&choice, 4)));
        }
        let rise = weights.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let sum: u128 = weights.iter().map(|&(_, weight)| u128::from(weight)).sum();
        if !rise || (count > 0 && sum != u128::from(DyadicStrategy::WHOLE)) {
            return Err(refusal("holds strategies whose weights do not sum to 1"));
        }
    }
    Ok(Bounds { lower, upper })
}

const NO_METHOD: &str = "has a cycle in a method that there is not";

/// The last part of a checkpoint: a cycle in a method that has more to keep than bounds in short
/// numbers.
#[derive(Clone, Copy)]
enum CyclePart<'p> {
    Sweeps(&'p SweepProgress),
    Steps(&'p StepProgress),
    Long(&'p LongProgress),
}

/// The methods, as they are numbered in a file.
const SWEEPS: u32 = 1;
const STEPS: u32 = 2;
const LONG: u32 = 3;

impl<'p> CyclePart<'p> {
    fn of(progress: &'p CycleProgress) -> Option<Self> {
        match progress {
            CycleProgress::Sweeps(progress) => Some(Self::Sweeps(progress)),
            CycleProgress::Steps(progress) => Some(Self::Steps(progress)),
            CycleProgress::Rounds(_) => None,
            CycleProgress::Long(progress) => Some(Self::Long(progress)),
        }
    }

    fn write<W: Write>(self, out: &mut SealedWriter<W>) -> io::Result<()> {
        match self {
            Self::Sweeps(SweepProgress { values, changes, turns }) => {
                out.numbers([SWEEPS, *turns as u32])?;
                write_doubles(out, changes)?;
                write_doubles(out, values)?;
            }
            Self::Steps(StepProgress { steps, guesses }) => {
                out.numbers([STEPS, *steps as u32])?;
                out.numbers([guesses.len() as u64])?;
                out.numbers(guesses.iter().flat_map(|guess| [guess.lower, guess.upper]))?;
            }
            Self::Long(progress) => {
                out.numbers([LONG])?;
                write_homotopy(out, progress)?;
            }
        }
        out.end_part()
    }

    /// Reads the progress; `states` are those of the first part.
    fn read<R: Read>(
        input: &mut SealedReader<R>,
        states: Vec<CyclicState>,
    ) -> Result<CycleProgress, StochasticGameError> {
        let progress = match input.u32()? {
            SWEEPS => {
                let turns = input.u32()? as usize;
                let (changes, values) = (read_doubles(input)?, read_doubles(input)?);
                CycleProgress::Sweeps(SweepProgress { values, changes, turns })
            }
            STEPS => {
                let (steps, mut guesses) = (input.u32()? as usize, Vec::new());
                for _ in 0..input.u64()? {
                    let [lower, upper] = [input.take()?, input.take()?].map(i64::from_le_bytes);
                    guesses.push(Bounds::new(lower, upper));
                }
                CycleProgress::Steps(StepProgress { steps, guesses })
            }
            LONG => CycleProgress::Long(Box::new(read_homotopy(input, states)?)),
            _ => return Err(refusal(NO_METHOD)),
        };
        input.end_part()?;
        Ok(progress)
    }
}

fn write_doubles<W: Write>(out: &mut SealedWriter<W>, numbers: &[f64]) -> io::Result<()> {
    out.numbers([numbers.len() as u64])?;
    out.numbers(numbers.iter().copied())
}

fn read_doubles<R: Read>(input: &mut SealedReader<R>) -> Result<Vec<f64>, StochasticGameError> {
    let mut numbers = Vec::new();
    for _ in 0..input.u64()? {
        numbers.push(f64::from_bits(input.u64()?));
    }
    Ok(numbers)
}

fn write_homotopy<W: Write>(out: &mut SealedWriter<W>, progress: &LongProgress) -> io::Result<()> {
    let LongProgress {
        narrowed: _,
        sides,
        bits,
        step,
        values,
        finer,
        newton,
        narrowing,
        short,
        mark,
        marked,
    } = progress;
    for LongSide { sizes, bounds, strategies } in sides {
        out.numbers([sizes.weight_bits as u32, sizes.finer as u32])?;
        write_integers(out, bounds)?;
        strategies.iter().try_for_each(|weights| write_long_weights(out, weights))?;
    }
    out.numbers([*bits as u32, *step as u32, *mark as u32, *finer as u32])?;
    write_integers(out, values)?;
    write_flag(out, newton.is_some())?;
    if let Some(NewtonProgress { method, steps, values, swept }) = newton {
        out.numbers([*method as u32, *steps as u32])?;
        write_integers(out, values)?;
        write_flag(out, swept.is_some())?;
        if let Some((values, residual)) = swept {
            write_integers(out, values)?;
            write_integer(out, residual)?;
        }
    }
    write_flag(out, narrowing.is_some())?;
    if let Some(Narrowing {
        is_limited,
        side,
        replies: Replies { margin, steps, chosen },
        before,
    }) = narrowing
    {
        write_flag(out, *is_limited)?;
        out.numbers([*side as u32, *margin as u32, *steps as u32])?;
        out.numbers([chosen.len() as u64])?;
        out.numbers(chosen.iter().copied())?;
        write_integer(out, before)?;
    }
    write_flag(out, short.is_some())?;
    if let Some(ShortBest { states, width }) = short {
        write_states(out, states)?;
        write_integer(out, width)?;
    }
    write_flag(out, marked.is_some())?;
    marked.as_ref().map_or(Ok(()), |width| write_integer(out, width))
}

fn read_homotopy<R: Read>(
    input: &mut SealedReader<R>,
    narrowed: Vec<CyclicState>,
) -> Result<LongProgress, StochasticGameError> {
    let sides = [read_long_side(input)?, read_long_side(input)?];
    let [bits, step, mark, finer] =
        [input.u32()?, input.u32()?, input.u32()?, input.u32()?].map(|number| number as usize);
    let values = read_integers(input)?;
    let newton = if read_flag(input)? { Some(read_newton(input)?) } else { None };
    let narrowing = if read_flag(input)? { Some(read_narrowing(input)?) } else { None };
    let mut short = None;
    if read_flag(input)? {
        short = Some(ShortBest { states: read_states(input)?, width: read_integer(input)? });
    }
    let marked = if read_flag(input)? { Some(read_integer(input)?) } else { None };
    Ok(LongProgress {
        narrowed,
        sides,
        bits,
        step,
        values,
        finer,
        newton,
        narrowing,
        short,
        mark,
        marked,
    })
}

fn read_long_side<R: Read>(input: &mut SealedReader<R>) -> Result<LongSide, StochasticGameError> {
    let sizes = read_sizes(input)?;
    let bounds = read_integers(input)?;
    let strategies = bounds.iter().map(|_| read_long_weights(input)).collect::<Result<_, _>>()?;
    Ok(LongSide { sizes, bounds, strategies })
}

fn read_newton<R: Read>(
    input: &mut SealedReader<R>,
) -> Result<NewtonProgress, StochasticGameError> {
    let method = if read_flag(input)? { NewtonMethod::Safeguarded } else { NewtonMethod::Pure };
    let (steps, values) = (input.u32()? as usize, read_integers(input)?);
    let swept =
        if read_flag(input)? { Some((read_integers(input)?, read_integer(input)?)) } else { None };
    Ok(NewtonProgress { method, steps, values, swept })
}

fn read_narrowing<R: Read>(input: &mut SealedReader<R>) -> Result<Narrowing, StochasticGameError> {
    let is_limited = read_flag(input)?;
    let [side, margin, steps] =
        [input.u32()?, input.u32()?, input.u32()?].map(|number| number as usize);
    let mut chosen = Vec::new();
    for _ in 0..input.u64()? {
        chosen.push(input.u32()?);
    }
    let before = read_integer(input)?;
    Ok(Narrowing { is_limited, side, replies: Replies { margin, steps, chosen }, before })
}

/// The most bits of weights, and of bounds behind the point.
const MOST_BITS: u32 = 1 << 14;

/// Reads the bits of weights, and those of bounds behind the point.
fn read_sizes<R: Read>(input: &mut SealedReader<R>) -> Result<Sizes, StochasticGameError> {
    let [weight_bits, finer] = [input.u32()?, input.u32()?];
    if weight_bits.max(finer) > MOST_BITS {
        return Err(refusal("holds a number that is too long"));
    }
    Ok(Sizes { weight_bits: weight_bits as usize, finer: finer as usize })
}
