use super::policy::StationaryPolicy;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::game::Player;
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::cycles::{GoOn, LARGEST, LocalGame, LongSide, PolicyIteration, Side, Weights, tighten};
use crate::stochastic_game::model::{NumberedGame, Scale};
use crate::stochastic_game::solution::{StochasticSolution, WIDE_UNITS};
use crate::stochastic_game::sweep::Cycles;
use crate::work::{Watch, WorkError};

/// The values of a policy of a solved game at every state against a best response, within proved bounds.
#[derive(Clone, Debug)]
pub struct PolicyJudgement {
    player: Player,
    is_rounded: bool,
    scale: Scale,
    worth: Vec<Bounds>,
    /// An upper bound of the loss by the strategy at the state alone, in units of the solution's scale.
    regrets: Vec<i64>,
    regret_scale: Scale,
}

/// Bounds that are this close differ by rounding.
const NOISE_UNITS: i64 = 64;

impl StochasticSolution {
    /// Judges a policy against a best response; the callback hears the progress and may cancel. A game by rules is judged as
    /// [written down](crate::stochastic_game::StochasticGame::from_rules).
    ///
    /// # Errors
    /// [`WorkError::Cancelled`], [`StochasticGameFault::TooLong`](crate::stochastic_game::StochasticGameFault::TooLong).
    pub fn judge(&self, policy: &StationaryPolicy, watch: &mut Watch<'_>) -> Result<PolicyJudgement, Error> {
        let game = self.game();
        // A policy may be worth less than any value.
        let cycles = Cycles::new(game, watch)?;
        let scale = self.scale().min(cycles.scale()?);
        let Cycles { components, turns, .. } = &cycles;
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
            let endless = turns.endless(game.kind(), scale.bounds(game.endless(first)));
            let local = LocalGame::new(game, (components, component), scale.exponent, &worth, endless)?;
            if !components.is_cyclic(component) {
                worth[first] = local.against(0, side, &policy.weights[first], &[]);
                continue;
            }
            let strategies: Vec<Weights> = states.iter().map(|&state| policy.weights[state as usize].clone()).collect();
            let mut go_on = || watch(component as f64 / components.len() as f64);
            let is_total = game.kind().is_total();
            let start = turns.start(component, states, &local);
            let mut own: Vec<Bounds> = start.iter().map(|start| if is_total { LARGEST } else { start.bounds }).collect();
            let found = replies.enclose(&local, side, &strategies, &mut own, &mut go_on).continue_value();
            // The largest numbers stand for infinite ones.
            let is_finite = |own: &Bounds| own.lower > LARGEST.lower && own.upper < LARGEST.upper;
            let is_met = found.ok_or(WorkError::Cancelled)? && (!is_total || own.iter().all(is_finite));
            if !is_total {
                let limit = if is_met { WIDE_UNITS } else { NOISE_UNITS };
                enclose(&local, side, &strategies, (&mut own, limit), &mut go_on)?;
            } else if !is_met {
                let reason = "against the policy so much can be collected here that no bound was found".to_owned();
                return Err(game.refuse(first, StochasticGameFault::Text { reason }).into());
            }
            states.iter().zip(own).for_each(|(&state, bounds)| worth[state as usize] = bounds);
        }
        let regrets = (0..game.len()).map(|state| regret(self, policy, state)).collect::<Result<_, _>>()?;
        watch(1.0).continue_value().ok_or(WorkError::Cancelled)?;
        let StationaryPolicy { player, is_rounded, .. } = *policy;
        Ok(PolicyJudgement { player, is_rounded, scale, worth, regrets, regret_scale: self.scale() })
    }
}

impl PolicyJudgement {
    pub const fn player(&self) -> Player {
        self.player
    }

    /// Whether its probabilities were rounded; see [`StationaryPolicy::is_rounded`].
    pub const fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// Bounds of A's payoff from a state on when the policy meets its best response.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn worth(&self, state: usize) -> Enclosure {
        Enclosure::from_integers(self.worth[state], self.scale.exponent)
    }

    /// Bounds of the policy's loss of a state's value against its best response; `solution` is the one it was judged by.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn loss(&self, solution: &StochasticSolution, state: usize) -> Enclosure {
        let Bounds { lower, upper } = solution.bounds()[state];
        let shift = solution.scale().exponent - self.scale.exponent;
        let value = Enclosure::from_integers(Bounds::new(lower >> shift, -(-upper >> shift)), self.scale.exponent);
        match self.player {
            Player::A => value.above(&self.worth(state)),
            Player::B => self.worth(state).above(&value),
        }
    }

    /// Half the sum of both best responses' gains from a state on; `None` unless A's part and B's part were judged.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn exploitability(judgements: &[Self], state: usize) -> Option<Enclosure> {
        let [a, b] = judgements else { return None };
        Some(b.worth(state).above(&a.worth(state)).half())
    }

    /// An upper bound of the loss by the policy's choice at a state alone, with optimal play from the next state on.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn regret(&self, state: usize) -> Enclosure {
        Enclosure::from_integers(Bounds::new(0, self.regrets[state]), self.regret_scale.exponent)
    }

    /// The states by regret, the largest first.
    pub fn worst_states(&self) -> Vec<usize> {
        let mut states: Vec<usize> = (0..self.worth.len()).collect();
        states.sort_by_key(|&state| std::cmp::Reverse(self.regrets[state]));
        states
    }
}

/// Narrows bounds that are wider than a limit, in finer units: in long plays, whole units lose too much. Of n states, play that leaves at all
/// does so within some 2^62n turns.
fn enclose(
    local: &LocalGame,
    side: Side,
    strategies: &[Weights],
    (bounds, limit): (&mut [Bounds], i64),
    go_on: &mut GoOn<'_>,
) -> Result<(), Error> {
    let long = |weights: &Weights| weights.iter().map(|&(action, weight)| (action, weight.into())).collect();
    let bits = DyadicStrategy::WHOLE_BITS as usize;
    let mut finer = 2 * bits;
    while bounds.iter().any(|bounds| bounds.upper - bounds.lower > limit) && finer <= bits * (2 * local.len() + 2) {
        let strategies = strategies.iter().map(long).collect();
        let found = LongSide::enclosed(local, side, strategies, [bits, finer], go_on).continue_value();
        let Some(found) = found.ok_or(WorkError::Cancelled)? else { break };
        for (side, found) in [side, side.other()].into_iter().zip(found) {
            for (own, bound) in bounds.iter_mut().zip(found) {
                if let Ok(bound) = i64::try_from(side.rounding().shift(bound, finer)) {
                    tighten(own, side, bound);
                }
            }
        }
        finer *= 2;
    }
    Ok(())
}

/// An upper bound of the loss by the strategy at a state, with optimal play afterwards.
fn regret(solution: &StochasticSolution, policy: &StationaryPolicy, state: usize) -> Result<i64, StochasticGameError> {
    let game = solution.game();
    if game.actions(state).is_none() {
        return Ok(0);
    }
    // As a component of its own: the successors, even the state itself, have the solution's bounds.
    let alone = LocalGame::of_state(game, state, solution.scale().exponent, solution.bounds())?;
    let against = alone.against(0, Side::of(policy.player), &policy.weights[state], &[]);
    let value = solution.bounds()[state];
    let given = match policy.player {
        Player::A => value.upper - against.lower,
        Player::B => against.upper - value.lower,
    };
    Ok(given.max(0))
}
