//! What a policy is worth, against an opponent who answers best.

use std::ops::ControlFlow;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::cycles::CycleFacts;
use super::cycles::PolicyIteration;
use super::cycles::Turns;
use super::cycles::{EndComponents, narrow};
use super::cycles::{LocalGame, Side};
use super::model::Components;
use super::model::Kind;
use super::model::Scale;
use super::model::StochasticGame;
use super::solution::StochasticSolution;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, GameFault, Quoted, StochasticGameError};
use crate::game::Player;
use crate::matrix_game::DyadicStrategy;
use crate::work::{Watch, WorkError};

/// One player's way to play a [`StochasticGame`]: probabilities of the actions at every state, in multiples of 2⁻⁶².
#[derive(Clone, Debug)]
pub struct StationaryPolicy {
    player: Player,
    weights: Vec<Vec<(u32, u64)>>,
    is_rounded: bool,
}

/// Probabilities may miss the sum 1 by this much; they are divided by their sum.
const SUM_TOLERANCE: f64 = 1e-6;

impl StationaryPolicy {
    /// A policy from the probabilities of actions by their numbers, for every state; where there is a single action, and at ends,
    /// nothing need be said.
    ///
    /// # Errors
    /// [`GameFault::Policy`] with the state, where actions are unknown or given twice, probabilities negative, or their sum
    /// misses 1 by more than 0.000001; and in a recursive game where one is above 0 but below 2⁻⁶³: who leaves a cycle some day
    /// and who never does may be worth anything apart.
    pub fn new(
        game: &StochasticGame,
        player: Player,
        probabilities: &[Vec<(usize, BigRational)>],
    ) -> Result<Self, StochasticGameError> {
        let whole = BigRational::from_integer(DyadicStrategy::WHOLE.into());
        let (mut weights, mut is_rounded) = (Vec::with_capacity(game.len()), false);
        let none = Vec::new();
        for state in 0..game.len() {
            let given = probabilities.get(state).unwrap_or(&none);
            let own = strategy(game, state, player, given)
                .map_err(|reason| StochasticGameError::of_state(game.name(state), GameFault::Policy { player, reason }))?;
            is_rounded |= given.iter().any(|(action, probability)| {
                let kept = own.iter().find(|(own, _)| *own as usize == *action).map_or(0, |&(_, weight)| weight);
                probability * &whole != BigRational::from_integer(kept.into())
            });
            weights.push(own);
        }
        Ok(Self { player, weights, is_rounded })
    }

    /// The player.
    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether probabilities that were given are no multiples of 2⁻⁶²: what is judged are the multiples next to them.
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }
}

/// The weights of a state.
fn strategy(
    game: &StochasticGame,
    state: usize,
    player: Player,
    given: &[(usize, BigRational)],
) -> Result<Vec<(u32, u64)>, String> {
    let Some(actions) = game.actions(state) else {
        return if given.is_empty() { Ok(Vec::new()) } else { Err("the state is an end".to_owned()) };
    };
    let names = actions[usize::from(player == Player::B)];
    if given.is_empty() && names.len() == 1 {
        return Ok(vec![(0, DyadicStrategy::WHOLE)]);
    }
    if given.is_empty() {
        return Err("nothing is said of how to play".to_owned());
    }
    let mut sorted = given.to_vec();
    sorted.sort_by_key(|&(action, _)| action);
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(format!("the action {} is given twice", Quoted(&names[pair[0].0])));
    }
    if let Some((action, probability)) = sorted.iter().find(|(_, probability)| probability.is_negative()) {
        return Err(format!("the probability {probability} of {} is negative", Quoted(&names[*action])));
    }
    let sum: BigRational = sorted.iter().map(|(_, probability)| probability).sum();
    let misses = sum.to_f64().map_or(f64::INFINITY, |sum| (sum - 1.0).abs());
    if sum.is_zero() || misses > SUM_TOLERANCE {
        return Err(format!("the probabilities sum to {}; expected 1", sum.to_f64().unwrap_or(f64::NAN)));
    }
    let whole = BigRational::from_integer(BigInt::from(DyadicStrategy::WHOLE));
    let weigh = |probability: &BigRational| (probability / &sum * &whole).round().to_integer().to_i64().unwrap_or(0);
    let mut dyadic = DyadicStrategy::default();
    dyadic.assign(sorted.iter().map(|(action, probability)| (*action as u32, weigh(probability))));
    let is_kept = |action: usize| dyadic.support().iter().any(|&(kept, _)| kept as usize == action);
    let lost = |(action, probability): &&(usize, BigRational)| probability.is_positive() && !is_kept(*action);
    if let (Kind::Recursive, Some((action, _))) = (game.kind(), sorted.iter().find(lost)) {
        return Err(format!(
            "the probability of {} is too small to be told from 0; expected 0, or 2^-62 at least",
            Quoted(&names[*action])
        ));
    }
    Ok(dyadic.support().to_vec())
}

/// A policy of a solved game, judged: what it is worth at every state against an opponent who answers best, within proved bounds.
#[derive(Clone, Debug)]
pub struct PolicyJudgement {
    player: Player,
    is_rounded: bool,
    scale: Scale,
    worth: Vec<Bounds>,
    /// What the strategy of the state alone gives away at most, in units.
    regrets: Vec<i64>,
}

/// Rounds in which bounds of a cycle are narrowed, at most.
const ROUNDS: usize = 100_000;

/// Rounds after which it is worth while to solve for what the policy is worth: what leaves a cycle soon has closed by then.
const FIRST_ROUNDS: usize = 64;

impl PolicyJudgement {
    /// Judges a policy; the callback hears of the progress and may cancel.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`], [`GameFault::TooLong`].
    pub fn new(solution: &StochasticSolution, policy: &StationaryPolicy, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let (game, scale) = (solution.game(), solution.scale());
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
        let regrets = (0..game.len()).map(|state| regret(solution, policy, state)).collect::<Result<_, _>>()?;
        match watch(1.0) {
            ControlFlow::Continue(()) => Ok(Self { player: policy.player, is_rounded: policy.is_rounded, scale, worth, regrets }),
            ControlFlow::Break(()) => Err(WorkError::Cancelled.into()),
        }
    }

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

    /// What the policy's choice at a state alone gives away at most: with optimal play from the next state on.
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

/// What the strategy of a state gives away at most, if all goes on optimally.
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
