//! Going on from a checkpoint of an explicit game, after its bounds were proved by its strategies.

use super::game_checkpoint::{StochasticCheckpoint, digest};
use super::sealed::refusal;
use crate::error::StochasticGameError;
use crate::stochastic_game::cycles::is_kept;
use crate::stochastic_game::cycles::{CycleFacts, CycleProgress, CyclicState};
use crate::stochastic_game::cycles::{LocalGame, Side};
use crate::stochastic_game::model::{NodeView, NumberedGame};
use crate::stochastic_game::solver::ByComponent;
use crate::stochastic_game::sweep::{Reached, Stages, order};

/// What a checkpoint has reached.
///
/// # Errors
/// A [`refusal`] if it is of another game, or does not prove its bounds.
pub(crate) fn resumed(
    stages: &ByComponent<'_>,
    checkpoint: StochasticCheckpoint<'static>,
) -> Result<(Reached, Option<CycleProgress>), StochasticGameError> {
    let StochasticCheckpoint { game, solved, bounds, strategies, cycle } = checkpoint;
    let order = order(stages);
    if game != digest(stages.game) || bounds.len() != stages.game.len() || solved > order.len() as u64 {
        return Err(refusal("is of another game"));
    }
    let (solved_stages, next) = order.split_at(solved as usize);
    for &component in solved_stages {
        let states = stages.components.states(component as usize);
        let found = states.iter().map(|&state| CyclicState {
            bounds: bounds[state as usize],
            weights: strategies.get(state as usize).map(<[_]>::to_vec),
        });
        check(stages, component, &bounds, &found.collect::<Vec<_>>())?;
    }
    let cycle = cycle.map(std::borrow::Cow::into_owned);
    match (&cycle, next.first()) {
        (None, _) => {}
        (Some(cycle), Some(&component)) if stages.is_long(component) => check(stages, component, &bounds, &cycle.states)?,
        _ => return Err(refusal("is of another game")),
    }
    Ok((Reached { solved, bounds: bounds.into_owned(), strategies: Some(strategies.into_owned()) }, cycle))
}

/// Checks that the states of a component prove their bounds.
fn check(
    stages: &ByComponent<'_>,
    component: u32,
    bounds: &[crate::bounds::Bounds],
    found: &[CyclicState],
) -> Result<(), StochasticGameError> {
    let states = stages.components.states(component as usize);
    let is_proved = match (stages.game.node(states[0] as usize), found) {
        (NodeView::Over(value), [end]) => end.bounds == stages.scale.bounds(value) && end.weights.iter().all(Vec::is_empty),
        _ if found.len() == states.len() => {
            let (local, facts) = stages.local(component as usize, bounds);
            is_proved(&local, facts, found)
        }
        _ => false,
    };
    let name = || crate::error::Quoted(stages.game.name(states[0] as usize)).to_string();
    if is_proved { Ok(()) } else { Err(refusal(format!("does not prove its bounds at state {}", name()))) }
}

/// Whether strategies prove the bounds of all states, by the two conditions that are named in [`cyclic`](crate::stochastic_game::cycles::).
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
