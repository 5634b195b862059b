//! The worth of a policy against a best response.

use std::ops::ControlFlow;

use super::policy::StationaryPolicy;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, StochasticGameError};
use crate::game::Player;
use crate::stochastic_game::cycles::{CycleFacts, EndComponents, LocalGame, PolicyIteration, Side, Turns, narrow};
use crate::stochastic_game::model::{Components, Kind, Scale};
use crate::stochastic_game::solution::StochasticSolution;
use crate::work::{Watch, WorkError};

/// A policy of a solved game, judged: what it is worth at every state against an opponent who answers best, within proved bounds.
#[derive(Clone, Debug)]
pub struct PolicyJudgement {
    player: Player,
    is_rounded: bool,
    scale: Scale,
    worth: Vec<Bounds>,
    /// An upper bound, in units, of the loss by the strategy at the state alone.
    regrets: Vec<i64>,
}

/// Rounds in which bounds of a cycle are narrowed, at most.
const ROUNDS: usize = 100_000;

/// Rounds after which it is worth while to solve for what the policy is worth: what leaves a cycle soon has closed by then.
const FIRST_ROUNDS: usize = 64;

impl StochasticSolution {
    /// Judges a policy against an opponent who answers best; the callback hears of the progress and may cancel. A game by rules is
    /// judged as [written down](crate::stochastic_game::StochasticGame::from_rules).
    ///
    /// # Errors
    /// [`WorkError::Cancelled`], [`StochasticGameFault::TooLong`](crate::stochastic_game::StochasticGameFault::TooLong).
    pub fn judge(&self, policy: &StationaryPolicy, watch: &mut Watch<'_>) -> Result<PolicyJudgement, Error> {
        let (game, scale) = (self.game(), self.scale());
        let components = Components::new(game);
        let turns = Turns::new(game, &components, watch)?;
        let mut worth = vec![Bounds::default(); game.len()];
        let mut replies = PolicyIteration::default();
        let side = Side::of(policy.player);
        for component in 0..components.len() {
            if component % 256 == 0 && watch(component as f64 / components.len() as f64).is_break() {
                return Err(WorkError::Cancelled.into());
            }
            let states = components.states(component);
            let first = states[0] as usize;
            if let Some(value) = game.end_value(first) {
                worth[first] = scale.bounds(value);
                continue;
            }
            let local = LocalGame::new(game, &components, component, scale.exponent, &worth)?;
            let cyclic = components.is_cyclic(component);
            let weights: Vec<&[(u32, u64)]> = states.iter().map(|&state| &policy.weights[state as usize][..]).collect();
            let endless = scale.bounds(game.endless(first));
            let mut own = if cyclic { turns.start(game.kind(), component, &local, endless) } else { vec![Bounds::default()] };
            // Elsewhere play cannot be kept for ever, or a discount ends it.
            let is_endless = cyclic && game.kind() == Kind::Recursive;
            let ends = is_endless.then(|| EndComponents::new(&local, side, &weights));
            for round in 0..if cyclic { ROUNDS } else { 1 } {
                let mut changed = false;
                for (place, weights) in weights.iter().enumerate() {
                    let against = local.against(place, policy.player, weights, &own);
                    if cyclic {
                        changed |= narrow(&mut own[place], against);
                    } else {
                        own[place] = against;
                    }
                }
                if let Some(ends) = &ends {
                    changed |= ends.narrow(&local, (policy.player, &weights), endless, &mut own);
                }
                if !changed {
                    break;
                }
                let share = component as f64 / components.len() as f64;
                if round % FIRST_ROUNDS == FIRST_ROUNDS - 1 && watch(share).is_break() {
                    return Err(WorkError::Cancelled.into());
                }
                if round + 1 == FIRST_ROUNDS {
                    let facts = CycleFacts { kind: game.kind(), endless };
                    let strategies: Vec<_> = weights.iter().map(|weights| weights.to_vec()).collect();
                    match replies.enclose(&local, facts, side, &strategies, &mut own, &mut || watch(share)) {
                        ControlFlow::Continue(true) => break,
                        ControlFlow::Continue(false) => {}
                        ControlFlow::Break(()) => return Err(WorkError::Cancelled.into()),
                    }
                }
            }
            for (&state, bounds) in states.iter().zip(own) {
                worth[state as usize] = bounds;
            }
        }
        let regrets = (0..game.len()).map(|state| regret(self, policy, state)).collect::<Result<_, _>>()?;
        match watch(1.0) {
            ControlFlow::Continue(()) => {
                Ok(PolicyJudgement { player: policy.player, is_rounded: policy.is_rounded, scale, worth, regrets })
            }
            ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
        }
    }
}

impl PolicyJudgement {
    /// The player that was judged.
    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether it is of probabilities that were rounded; see [`StationaryPolicy::is_rounded`].
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// Bounds of what A wins from a state on when the policy meets its best response.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn worth(&self, state: usize) -> Enclosure {
        Enclosure::from_integers(self.worth[state], self.scale.exponent)
    }

    /// Bounds of what the policy loses of a state's value when it meets its best response; the solution is the one it was judged by.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn loss(&self, solution: &StochasticSolution, state: usize) -> Enclosure {
        let value = Enclosure::from_integers(solution.bounds()[state], self.scale.exponent);
        match self.player {
            Player::A => value.above(&self.worth(state)),
            Player::B => self.worth(state).above(&value),
        }
    }

    /// Half of what both best responses gain together from a state on; `None` unless A's part and B's part were judged.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn exploitability(judgements: &[Self], state: usize) -> Option<Enclosure> {
        let [a, b] = judgements else { return None };
        Some(b.worth(state).above(&a.worth(state)).half())
    }

    /// An upper bound of the loss by the policy's choice at a state alone: play is optimal from the next state on.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn regret(&self, state: usize) -> Enclosure {
        Enclosure::from_integers(Bounds::new(0, self.regrets[state]), self.scale.exponent)
    }

    /// The states in the order of what the policy's choice there gives away, the largest first.
    pub fn worst_states(&self) -> Vec<usize> {
        let mut states: Vec<usize> = (0..self.worth.len()).collect();
        states.sort_by_key(|&state| std::cmp::Reverse(self.regrets[state]));
        states
    }
}

/// An upper bound of the loss by the strategy at a state, if play goes on optimally.
fn regret(solution: &StochasticSolution, policy: &StationaryPolicy, state: usize) -> Result<i64, StochasticGameError> {
    let game = solution.game();
    if game.actions(state).is_none() {
        return Ok(0);
    }
    // As a component of its own: what follows is known within the solution's bounds, also the state itself.
    let alone = LocalGame::of_state(game, state, solution.scale().exponent, solution.bounds())?;
    let against = alone.against(0, policy.player, &policy.weights[state], &[]);
    let value = solution.bounds()[state];
    let given = match policy.player {
        Player::A => value.upper - against.lower,
        Player::B => against.upper - value.lower,
    };
    Ok(given.max(0))
}
