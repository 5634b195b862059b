//! How long play can stay in a cycle, and bounds that follow from that alone.

use std::ops::ControlFlow;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::cyclic::LARGEST;
use super::local_game::{LocalGame, Side};
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{Components, Kind, StochasticGame};
use crate::work::{Watch, WorkError};

/// The expected turns that play can be kept in each cyclic component, by state, where that is finite for all ways to play.
#[derive(Debug)]
pub(crate) struct Turns {
    /// By component, then in the order of its states; empty where it is of no use.
    turns: Vec<Vec<f64>>,
}

/// Turns are computed to this part of a turn.
const PRECISION: f64 = 1e-7;

/// More rounds than this, and play takes too long.
const ROUNDS: usize = 1_000_000;

/// Rounds after which it is asked whether to go on.
const ASKED: usize = 64;

/// Numbers of turns are enlarged by one of these shares, the first that proves itself.
const RESERVES: [f64; 3] = [1e-6, 1e-4, 1e-2];

impl Turns {
    /// Finds the longest expected stay in every cycle of a discounted or a stopping game; the callback may cancel.
    ///
    /// # Errors
    /// [`StochasticGameFault::TooLong`], [`WorkError::Cancelled`].
    pub(crate) fn new(game: &StochasticGame, components: &Components, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let mut turns = vec![Vec::new(); components.len()];
        for (component, turns) in turns.iter_mut().enumerate() {
            match game.kind() {
                Kind::Stopping if components.is_cyclic(component) => {
                    let ControlFlow::Continue(stay) = longest_stay(game, components, component, &mut || watch(0.0)) else {
                        return Err(WorkError::Cancelled.into());
                    };
                    *turns = stay.ok_or_else(|| {
                        let state = components.states(component)[0] as usize;
                        StochasticGameError::from(StochasticGameFault::TooLong).in_state(game.name(state))
                    })?;
                }
                Kind::Discounted => {
                    // A geometric sum; rounded up.
                    let left = (BigRational::one() - game.discount()).to_f64().unwrap_or(1.0);
                    *turns = vec![1.0 / left * (1.0 + 1e-9) + 1.0];
                }
                _ => {}
            }
        }
        Ok(Self { turns })
    }

    /// The most turns from any state of a component.
    pub(crate) fn most(&self, component: usize) -> f64 {
        let reserve = 1.0 + 2.0 * RESERVES[RESERVES.len() - 1];
        self.turns[component].iter().copied().fold(1.0, f64::max) * reserve
    }

    /// Bounds of all states of a component that prove themselves, whatever the strategies.
    pub(crate) fn start(&self, kind: Kind, component: usize, local: &LocalGame, endless: Bounds) -> Vec<Bounds> {
        match kind {
            Kind::Acyclic | Kind::Recursive => {
                let outside = local.outside().unwrap_or(endless);
                vec![Bounds::new(outside.lower.min(endless.lower), outside.upper.max(endless.upper)); local.len()]
            }
            Kind::Discounted => vec![LARGEST; local.len()],
            Kind::Stopping => {
                let (paid, follows) = local.sizes();
                let start = |reserve: f64| -> Vec<Bounds> {
                    let most = |turns: &f64| ((paid * turns * (1.0 + reserve) + follows) * (1.0 + 1e-12)).ceil() as i64 + 1;
                    self.turns[component].iter().map(|turns| Bounds::new(-most(turns), most(turns))).collect()
                };
                // The reserve only decides how soon the bounds close; that they are sound is checked.
                let sound = RESERVES.into_iter().map(start).find(|start| is_sound(local, start));
                sound.unwrap_or_else(|| vec![LARGEST; local.len()])
            }
        }
    }
}

/// Whether bounds prove themselves with the first action of either player.
fn is_sound(local: &LocalGame, bounds: &[Bounds]) -> bool {
    let first = [(0, DyadicStrategy::WHOLE)];
    (0..local.len()).all(|state| {
        local.secured(state, Side::Lower, &first, bounds) >= bounds[state].lower
            && local.secured(state, Side::Upper, &first, bounds) <= bounds[state].upper
    })
}

/// The expected turns until play leaves a component when both players keep it there as long as they can; `None` for too many.
fn longest_stay(
    game: &StochasticGame,
    components: &Components,
    component: usize,
    go_on: &mut dyn FnMut() -> ControlFlow<()>,
) -> ControlFlow<(), Option<Vec<f64>>> {
    let members = components.states(component);
    let mut turns = vec![1.0_f64; members.len()];
    for round in 0..ROUNDS {
        if round % ASKED == ASKED - 1 {
            go_on()?;
        }
        let mut gained = 0.0_f64;
        for (place, &state) in members.iter().enumerate() {
            let mut most = 0.0_f64;
            for cell in game.all_cells(state as usize) {
                let inside = cell.outcomes.iter().filter(|outcome| components.of(outcome.state as usize) == component);
                let stay: f64 = inside
                    .map(|outcome| {
                        let next = members.partition_point(|&member| member < outcome.state);
                        outcome.weight as f64 / cell.denominator as f64 * turns[next]
                    })
                    .sum();
                most = most.max(stay);
            }
            gained = gained.max(1.0 + most - turns[place]);
            turns[place] = turns[place].max(1.0 + most);
        }
        if gained <= PRECISION {
            return ControlFlow::Continue(Some(turns));
        }
        if !gained.is_finite() {
            break;
        }
    }
    ControlFlow::Continue(None)
}
