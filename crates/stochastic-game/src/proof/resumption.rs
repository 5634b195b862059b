//! Resumes a checkpoint after its strategies have proved its bounds.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::checkpoint::{StochasticCheckpoint, refusal};
use crate::bounds::Bounds;
use crate::cycles::{Component, CycleProgress, CyclicState, LongSide, LongState, Side, Weights};
use crate::error::{Quoted, StochasticGameError, StochasticGameFault};
use crate::gate::{Claims, Gate, Passed, Units};
use crate::matrix_game::DyadicStrategy;
use crate::model::{Node, NumberedGame};
use crate::published::Published;
use crate::sweep::{GameStages, Reached, Strategies};
use crate::work::Threads;

/// The progress of a checkpoint.
///
/// # Errors
/// A [`refusal`] if it belongs to another game, or does not prove its bounds.
pub(crate) fn resumed<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    checkpoint: StochasticCheckpoint<'static>,
    threads: &Threads,
) -> Result<(Reached, Option<CycleProgress>), StochasticGameError> {
    let StochasticCheckpoint { game, solved, bounds, strategies, long, cycle } = checkpoint;
    let (count, order) = (bounds.len(), stages.levels.concat());
    if game != stages.game.digest(stages.scale)
        || count != stages.game.numbers()
        || solved > order.len() as u64
    {
        return Err(refusal("is of another game"));
    }
    // Claims about unsolved states are dropped, and those in longer numbers about a part of a
    // cycle.
    let mut published = Published::nothing(count);
    let mut kept = strategies.map(Cow::into_owned).unwrap_or_default();
    let next = order.get(solved as usize);
    let mut left = solved as usize;
    for level in stages.levels {
        // The stages of a level rest on earlier levels alone.
        let solved_stages = &level[..left.min(level.len())];
        left -= solved_stages.len();
        let (mut alone, mut others) = (Vec::new(), Vec::new());
        for stage in solved_stages {
            match stages.states(stage) {
                [state] if !stages.is_cyclic(*stage) && !long.contains_key(state) => {
                    alone.push(*state);
                }
                _ => others.push(*stage),
            }
        }
        let claims = LevelClaims { stages, published: &published, bounds: &bounds, kept: &kept };
        let passed = claims.check(&alone, threads)?;
        for (&state, passed) in alone.iter().zip(passed) {
            published.store(state, bounds[state as usize], passed);
        }
        for stage in others {
            let numbers = stages.states(&stage);
            let claimed = |&state: &u32| {
                let weights = kept.get(state as usize).map(<[_]>::to_vec);
                CyclicState { bounds: bounds[state as usize], weights }
            };
            let states: Vec<CyclicState> = numbers.iter().map(claimed).collect();
            let longer: Option<Vec<LongState>> =
                numbers.iter().map(|state| long.get(state).cloned()).collect();
            let passed = check(stages, stage, &published, &states, longer.as_deref())?;
            if let Some(longer) = longer {
                // The short strategies of the file prove nothing.
                let [of_a, of_b] = shown(stages, stage, &published, &states, &longer)?;
                let pairs = of_a.iter().zip(&of_b);
                for ((&state, long), (a, b)) in numbers.iter().zip(longer).zip(pairs) {
                    kept.set(state as usize, [a, b]);
                    published.lengthen(state, long, passed);
                }
            }
            for (&state, found) in numbers.iter().zip(states) {
                published.store(state, found.bounds, passed);
            }
        }
    }
    let cycle = cycle.map(Cow::into_owned);
    match (&cycle, next) {
        (None, _) => {}
        (Some(cycle), Some(&stage)) if stages.is_long(stage) => {
            check_begun(stages, stage, &published, cycle)?;
        }
        _ => return Err(refusal("is of another game")),
    }
    Ok((Reached { solved, published, strategies: Some(kept) }, cycle))
}

/// Checks a cycle that is being solved: its bounds at the gate, in short and in longer numbers. Its
/// guesses have to be such as a solve of this cycle can leave; whatever they are, the bounds found
/// from them pass the gate before they are stored.
fn check_begun<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    stage: u32,
    published: &Published,
    progress: &CycleProgress,
) -> Result<(), StochasticGameError> {
    let (name, threads) =
        (|| stages.game.name_of(stages.states(&stage)[0] as usize), Threads::alone());
    let component =
        stages.cycles.map(|cycles| stages.component(cycles, &stage, published, &threads));
    let Some(component) = component.filter(|component| component.fits(progress)) else {
        return Err(refusal(format!(
            "has a progress to which no solve comes at state {}",
            Quoted(&name())
        )));
    };
    let is_proved = match progress {
        CycleProgress::Sweeps(_) | CycleProgress::Steps(_) => true,
        CycleProgress::Rounds(rounds) => component.check(&rounds.states).is_ok(),
        CycleProgress::Long(long) => {
            let short = long.short.iter().map(|short| &short.states);
            let is_proved = |states: &Vec<CyclicState>| component.check(states).is_ok();
            short.chain([&long.narrowed]).all(is_proved)
                && component.check_long(&LongState::joined(long.sides.clone())).is_ok()
        }
    };
    if is_proved { Ok(()) } else { Err(unproved(&name())) }
}

/// The strategies of A and of B that are shown with longer ones, for each state: as a solve
/// chooses them, between the longer ones rounded and those of the file, which are therefore shown
/// only where they secure at least as much.
fn shown<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    stage: u32,
    published: &Published,
    found: &[CyclicState],
    longer: &[LongState],
) -> Result<[Vec<Weights>; 2], StochasticGameError> {
    let refused = || unproved(&stages.game.name_of(stages.states(&stage)[0] as usize));
    let cycles = stages.cycles.ok_or_else(refused)?;
    let local = stages.local_game(cycles, stage, published)?;
    let [of_a, of_b] = Side::BOTH.map(|side| {
        let of_file = found.iter().map(|state| state.weights[side.index()].clone()).collect();
        let chosen = LongSide::of_long(longer, side)
            .shown(&local, side, of_file, &mut || ControlFlow::Continue(()));
        chosen.continue_value().unwrap_or_default()
    });
    Ok([of_a, of_b])
}

/// The refusal of bounds that their strategies do not prove.
fn unproved(state: &str) -> StochasticGameError {
    refusal(format!("does not prove its bounds at state {}", Quoted(state)))
}

/// Takes the states of a stage to the gate, with the bounds of earlier stages; in longer numbers if
/// they are given.
fn check<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    stage: u32,
    published: &Published,
    found: &[CyclicState],
    longer: Option<&[LongState]>,
) -> Result<Passed, StochasticGameError> {
    let (states, threads) = (stages.states(&stage), Threads::alone());
    let cycles = stages.cycles.filter(|_| stages.is_cyclic(stage) || longer.is_some());
    let component = cycles.map(|cycles| stages.component(cycles, &stage, published, &threads));
    let passed = match (component, longer) {
        (Some(component), None) => component.check(found).ok(),
        (Some(component), Some(longer)) => passed_long(&component, found, longer),
        (None, _) => None,
    };
    passed.ok_or_else(|| unproved(&stages.game.name_of(states[0] as usize)))
}

/// The states that are checked by one thread at a time.
const STATES_A_TASK: usize = 1024;

/// The claims of a checkpoint about the states of a level, with the bounds of earlier levels.
struct LevelClaims<'c, 'g, N> {
    stages: &'c GameStages<'g, N>,
    published: &'c Published,
    bounds: &'c [Bounds],
    kept: &'c Strategies,
}

impl<N: NumberedGame> LevelClaims<'_, '_, N> {
    /// The receipts of states to which play cannot return.
    fn check(&self, states: &[u32], threads: &Threads) -> Result<Vec<Passed>, StochasticGameError> {
        let tasks: Vec<&[u32]> = states.chunks(STATES_A_TASK).collect();
        let checked = threads.map(&tasks, |(): &mut (), states| self.check_alone(states));
        let mut receipts = Vec::with_capacity(states.len());
        for passed in checked {
            receipts.extend(passed?);
        }
        Ok(receipts)
    }

    /// The receipts of states to which play cannot return, by this thread.
    fn check_alone(&self, states: &[u32]) -> Result<Vec<Passed>, StochasticGameError> {
        let units = Units {
            exponent: self.stages.scale.exponent,
            weight_exponent: DyadicStrategy::WHOLE_BITS,
        };
        let mut gate = Gate::new(self.stages.game, units);
        let mut receipts = Vec::with_capacity(states.len());
        for &state in states {
            let state = state as usize;
            let claim = StateClaim {
                state,
                bounds: self.bounds[state],
                published: self.published.bounds(),
            };
            let passed = passed_alone(self.stages, &mut gate, self.kept.get(state), &claim)?;
            receipts.push(passed.ok_or_else(|| unproved(&self.stages.game.name_of(state)))?);
        }
        Ok(receipts)
    }
}

/// The claimed bounds of a state, and the published ones of the others.
struct StateClaim<'c> {
    state: usize,
    bounds: Bounds,
    published: &'c [Bounds],
}

impl Claims<i128> for StateClaim<'_> {
    fn bounds(&self, state: usize) -> [i128; 2] {
        let Bounds { lower, upper } =
            if state == self.state { self.bounds } else { self.published[state] };
        [lower.into(), upper.into()]
    }
}

/// The receipt of a state to which play cannot return, if its weights prove its bounds.
fn passed_alone<N: NumberedGame>(
    stages: &GameStages<'_, N>,
    gate: &mut Gate<'_, N, i128>,
    weights: [&[(u32, u64)]; 2],
    claim: &StateClaim<'_>,
) -> Result<Option<Passed>, StochasticGameError> {
    if let Node::Over(value) = stages.game.node(claim.state)?
        && (claim.bounds != stages.scale.bounds(&value)
            || !weights.iter().all(|strategy| strategy.is_empty()))
    {
        return Ok(None);
    }
    match gate.check_alone(claim.state, weights, claim) {
        Ok(passed) => Ok(Some(passed)),
        // A fault of the rules is no fault of the checkpoint.
        Err(error) if *error.fault() == StochasticGameFault::Contradiction => Err(error),
        Err(_) => Ok(None),
    }
}

/// The receipt of the longer numbers of a cycle, if they prove their bounds, which the short ones
/// enclose.
fn passed_long(
    component: &Component<'_>,
    found: &[CyclicState],
    longer: &[LongState],
) -> Option<Passed> {
    let is_rounding =
        |(found, long): (&CyclicState, &LongState)| long.rounded() == Some(found.bounds);
    // The short strategies prove nothing here, but they may be shown.
    let is_described = component.are_legal(found) && found.iter().zip(longer).all(is_rounding);
    if is_described { component.check_long(longer).ok() } else { None }
}
