//! Going on from a checkpoint, after its strategies have proved its bounds.

use super::checkpoint::{StochasticCheckpoint, refusal};
use crate::bounds::Bounds;
use crate::error::{Quoted, StochasticGameError};
use crate::stochastic_game::cycles::{CycleFacts, CycleProgress, CyclicState, LocalGame, Side, is_kept};
use crate::stochastic_game::model::{NodeView, NumberedGame};
use crate::stochastic_game::sweep::{GameStages, Reached};

/// What a checkpoint has reached.
///
/// # Errors
/// A [`refusal`] if it is of another game, or does not prove its bounds.
pub(crate) fn resumed<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    checkpoint: StochasticCheckpoint<'static>,
) -> Result<(Reached, Option<CycleProgress>), StochasticGameError> {
    let StochasticCheckpoint { game, solved, bounds, strategies, cycle } = checkpoint;
    let order = stages.levels().concat();
    if game != stages.game.digest(stages.scale) || bounds.len() != stages.game.numbers() || solved > order.len() as u64 {
        return Err(refusal("is of another game"));
    }
    // Claims of the checkpoint about states that are not solved yet are dropped.
    let mut proved = vec![Bounds::default(); bounds.len()];
    let (solved_stages, next) = order.split_at(solved as usize);
    for &stage in solved_stages {
        let found = |&state: &u32| CyclicState {
            bounds: bounds[state as usize],
            weights: strategies.get(state as usize).map(<[_]>::to_vec),
        };
        let states: Vec<CyclicState> = stages.states(&stage).iter().map(found).collect();
        check(stages, stage, &proved, &states)?;
        for (&state, found) in stages.states(&stage).iter().zip(states) {
            proved[state as usize] = found.bounds;
        }
    }
    let cycle = cycle.map(std::borrow::Cow::into_owned);
    match (&cycle, next.first()) {
        (None, _) => {}
        (Some(cycle), Some(&stage)) if stages.is_long(stage) => check(stages, stage, &proved, &cycle.states)?,
        _ => return Err(refusal("is of another game")),
    }
    Ok((Reached { solved, bounds: proved, strategies: Some(strategies.into_owned()) }, cycle))
}

/// Checks that the states of a stage prove their bounds, by those of the stages before.
fn check<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    stage: u32,
    bounds: &[Bounds],
    found: &[CyclicState],
) -> Result<(), StochasticGameError> {
    let states = stages.states(&stage);
    let is_proved = match (stages.game.node(states[0] as usize)?, found) {
        (NodeView::Over(value), [end]) => end.bounds == stages.scale.bounds(&value) && end.weights.iter().all(Vec::is_empty),
        _ if found.len() == states.len() => {
            let (local, facts) = stages.local(stage, bounds)?;
            is_proved(&local, facts, found)
        }
        _ => false,
    };
    let name = || Quoted(&stages.game.name_of(states[0] as usize)).to_string();
    if is_proved { Ok(()) } else { Err(refusal(format!("does not prove its bounds at state {}", name()))) }
}

/// Whether strategies prove the bounds of all states, by the two conditions that are named in [`cyclic`](crate::stochastic_game::cycles).
fn is_proved(game: &LocalGame, facts: CycleFacts, states: &[CyclicState]) -> bool {
    let bounds: Vec<_> = states.iter().map(|state| state.bounds).collect();
    Side::BOTH.into_iter().all(|side| {
        let own = usize::from(side.is_upper());
        let is_secured = |(state, found): (usize, &CyclicState)| {
            let legal = |&(action, weight): &(u32, u64)| (action as usize) < game.actions(state)[own] && weight > 0;
            let weights = &found.weights[own];
            if weights.is_empty() || !weights.iter().all(legal) {
                return false;
            }
            let secured = game.secured(state, side, weights, &bounds);
            if side.is_upper() { secured <= bounds[state].upper } else { secured >= bounds[state].lower }
        };
        states.iter().enumerate().all(is_secured)
            && !is_kept(game, facts, side, |state| &states[state].weights[own], |state| bounds[state].side(side.is_upper()))
    })
}
