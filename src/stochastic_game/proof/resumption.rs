//! Resumes a checkpoint after its strategies have proved its bounds.

use super::checkpoint::{StochasticCheckpoint, refusal};
use crate::bounds::Bounds;
use crate::error::{Quoted, StochasticGameError};
use crate::stochastic_game::cycles::{CycleProgress, CyclicState, LocalGame, LongSide, LongState, Side, are_legal, is_proved};
use crate::stochastic_game::model::{Node, NumberedGame};
use crate::stochastic_game::sweep::{GameStages, Reached};

/// The progress of a checkpoint.
///
/// # Errors
/// A [`refusal`] if it belongs to another game, or does not prove its bounds.
pub(crate) fn resumed<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    checkpoint: StochasticCheckpoint<'static>,
) -> Result<(Reached, Option<CycleProgress>), StochasticGameError> {
    let StochasticCheckpoint { game, reached, cycle } = checkpoint;
    let mut reached = reached.into_owned();
    let (count, solved, order) = (reached.bounds.len(), reached.solved, stages.levels.concat());
    if game != stages.game.digest(stages.scale) || count != stages.game.numbers() || solved > order.len() as u64 {
        return Err(refusal("is of another game"));
    }
    // Claims about unsolved states are dropped, and those in longer numbers about a part of a cycle.
    let long = std::mem::take(&mut reached.long);
    let mut proved = vec![Bounds::default(); count];
    let (solved_stages, next) = order.split_at(solved as usize);
    for &stage in solved_stages {
        let numbers = stages.states(&stage);
        let states: Vec<CyclicState> = numbers.iter().map(|&state| reached.state(state)).collect();
        let longer: Option<Vec<&LongState>> = numbers.iter().map(|state| long.get(state)).collect();
        check(stages, stage, &proved, (&states, longer.as_deref()))?;
        reached.long.extend(numbers.iter().copied().zip(longer.into_iter().flatten().cloned()));
        for (&state, found) in numbers.iter().zip(states) {
            proved[state as usize] = found.bounds;
        }
    }
    reached.bounds = proved;
    let cycle = cycle.map(std::borrow::Cow::into_owned);
    match (&cycle, next.first()) {
        (None, _) => {}
        (Some(cycle), Some(&stage)) if stages.is_long(stage) => check(stages, stage, &reached.bounds, (&cycle.states, None))?,
        _ => return Err(refusal("is of another game")),
    }
    Ok((reached, cycle))
}

/// Checks that the states of a stage prove their bounds, by those of earlier stages; in longer numbers if they are given.
fn check<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    stage: u32,
    bounds: &[Bounds],
    (found, longer): (&[CyclicState], Option<&[&LongState]>),
) -> Result<(), StochasticGameError> {
    let states = stages.states(&stage);
    let is_proved = match (longer, stages.game.node(states[0] as usize)?, found) {
        (Some(longer), ..) => stages.is_cyclic(stage) && is_proved_long(&stages.local(stage, bounds)?, found, longer),
        (None, Node::Over(value), [end]) => end.bounds == stages.scale.bounds(&value) && end.weights.iter().all(Vec::is_empty),
        _ if found.len() == states.len() => is_proved(&stages.local(stage, bounds)?, found),
        _ => false,
    };
    let name = || stages.game.name_of(states[0] as usize);
    if is_proved { Ok(()) } else { Err(refusal(format!("does not prove its bounds at state {}", Quoted(&name())))) }
}

/// Whether the longer numbers of a cycle prove their bounds, which the short ones enclose.
fn is_proved_long(local: &LocalGame, found: &[CyclicState], longer: &[&LongState]) -> bool {
    let LongState { weight_bits, finer, .. } = *longer[0];
    let is_alike = |(found, long): (&CyclicState, &&LongState)| {
        long.weight_bits == weight_bits && long.finer == finer && long.rounded() == Some(found.bounds)
    };
    let is_proved = |side: Side| {
        let (bounds, strategies) = longer.iter().map(|state| state.sides[side.own()].clone()).unzip();
        let long = LongSide { sizes: [weight_bits, finer], bounds, strategies };
        long.is_legal(local, side) && long.is_proved(local, side)
    };
    // The short strategies prove nothing here, but they are shown.
    are_legal(local, found) && found.iter().zip(longer).all(is_alike) && Side::BOTH.into_iter().all(is_proved)
}
