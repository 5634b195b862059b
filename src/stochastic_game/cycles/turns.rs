//! The longest expected stay in a cycle, and bounds that follow from it alone.

use std::ops::ControlFlow;

use num_rational::BigRational;
use num_traits::{One, ToPrimitive};

use super::cycle::{CyclicState, GoOn, Weights};
use super::cyclic::LARGEST;
use super::local_game::{CellParts, LocalGame, Side};
use super::markov_chain::{Transitions, collected};
use super::proof::is_proved;
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameFault};
use crate::matrix_game::DyadicStrategy;
use crate::stochastic_game::model::{Components, Kind, NumberedGame, StochasticGame};
use crate::work::{Watch, WorkError};

/// The expected turns that play can be kept in each cyclic component, by state, where that is finite for all ways to play.
#[derive(Debug)]
pub(crate) struct Turns {
    /// By component, then in the order of its states; empty where it is of no use.
    stays: Vec<Vec<f64>>,
    /// Of a game of total reward: the player who pays, and actions that, mixed evenly, keep the collected reward finite; by
    /// state.
    payer: Option<(Side, Vec<Vec<u32>>)>,
}

/// Where play need not end, what is collected is computed to this part of the largest reward, in so many rounds at most; after some
/// rounds it is asked whether to go on.
const PRECISION: f64 = 1e-7;
const ROUNDS: usize = 1_000_000;
const ASKED: usize = 64;

/// Sweeps of value iteration before play counts as long.
const SWEEPS: usize = 64;

/// Play that is longer by less than this part is as long: far more than rounding, so that no policy comes twice, and far less than
/// the least reserve.
const LONGER: f64 = 1e-10;

/// Numbers of turns are enlarged by one of these shares, the first that proves itself.
const RESERVES: [f64; 3] = [1e-6, 1e-4, 1e-2];

impl Turns {
    /// Finds the longest expected stay in every cycle of a discounted or a stopping game; the callback may cancel.
    ///
    /// # Errors
    /// [`StochasticGameFault::TooLong`], [`WorkError::Cancelled`].
    pub(crate) fn new(game: &StochasticGame, components: &Components, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let mut stays = vec![Vec::new(); components.len()];
        let payer = if game.kind().is_total() {
            let choices = game.paid_finitely().map_err(|(state, fault)| game.refuse(state, fault))?;
            Some((Side::of(game.collector()).other(), choices))
        } else {
            None
        };
        // A geometric sum; rounded up.
        let left = (BigRational::one() - game.discount()).to_f64().unwrap_or(1.0);
        let outside = vec![Bounds::default(); game.len()];
        for (component, stays) in stays.iter_mut().enumerate().filter(|(component, _)| components.is_cyclic(*component)) {
            match game.kind() {
                Kind::Discounted => *stays = vec![1.0 / left * (1.0 + 1e-9) + 1.0],
                Kind::Stopping | Kind::Total | Kind::Target => {
                    let states = components.states(component);
                    let local = LocalGame::new(game, (components, component), 0, &outside, Bounds::default())?;
                    let found = match &payer {
                        None => longest_stay(&local, &mut || watch(0.0)),
                        Some((payer, choices)) => {
                            let strategies: Vec<Weights> = states.iter().map(|&state| evenly(&choices[state as usize])).collect();
                            most_paid(&local, *payer, &strategies, &mut || watch(0.0))
                        }
                    };
                    let found = found.continue_value().ok_or(WorkError::Cancelled)?;
                    *stays = found.ok_or_else(|| game.refuse(states[0] as usize, StochasticGameFault::TooLong))?;
                }
                Kind::Acyclic | Kind::Recursive => {}
            }
        }
        Ok(Self { stays, payer })
    }

    /// The most turns from any state of a component.
    pub(crate) fn most(&self, component: usize) -> f64 {
        let reserve = 1.0 + 2.0 * RESERVES[RESERVES.len() - 1];
        self.stays[component].iter().copied().fold(1.0, f64::max) * reserve
    }

    /// The player who pays all rewards of a game of total reward.
    pub(crate) fn payer(&self) -> Option<Side> {
        self.payer.as_ref().map(|&(payer, _)| payer)
    }

    /// The payoff of infinite plays: `endless`, or infinite.
    pub(crate) fn endless(&self, kind: Kind, endless: Bounds) -> Bounds {
        match &self.payer {
            Some((payer, _)) if kind == Kind::Target => Bounds::new(payer.bound(LARGEST), payer.bound(LARGEST)),
            _ => endless,
        }
    }

    /// The first bounds of a component, which prove themselves for any strategies; in a game of total reward the payer has strategies
    /// instead whose worth is still to be proved.
    pub(crate) fn start(&self, component: usize, states: &[u32], local: &LocalGame) -> Vec<CyclicState> {
        let all = |bounds: Bounds| vec![CyclicState::anyhow(bounds); local.len()];
        match local.kind {
            Kind::Discounted => all(LARGEST),
            Kind::Stopping => {
                let (paid, follows) = local.sizes();
                let start = |reserve: f64| -> Vec<CyclicState> {
                    let most = |turns: &f64| ((paid * turns * (1.0 + reserve) + follows) * (1.0 + 1e-12)).ceil() as i64 + 1;
                    let bounds = |turns: &f64| CyclicState::anyhow(Bounds::new(-most(turns), most(turns)));
                    self.stays[component].iter().map(bounds).collect()
                };
                // The reserve only affects convergence; the bounds' validity is checked.
                let sound = RESERVES.into_iter().map(start).find(|start| is_proved(local, start));
                sound.unwrap_or_else(|| all(LARGEST))
            }
            Kind::Acyclic | Kind::Recursive | Kind::Total | Kind::Target => {
                let (outside, endless) = (local.outside().unwrap_or(local.endless), local.endless);
                let mut start = all(Bounds::new(outside.lower.min(endless.lower), outside.upper.max(endless.upper)));
                if let Some((payer, choices)) = &self.payer {
                    for (own, &state) in start.iter_mut().zip(states) {
                        *payer.bound_mut(&mut own.bounds) = payer.bound(LARGEST);
                        own.weights[payer.own()] = evenly(&choices[state as usize]);
                    }
                }
                start
            }
        }
    }
}

/// The strategy that mixes these actions evenly.
fn evenly(choices: &[u32]) -> Weights {
    let mut even = DyadicStrategy::default();
    even.assign(choices.iter().map(|&action| (action, DyadicStrategy::WHOLE as i64 / choices.len() as i64)));
    even.support().to_vec()
}

/// How often the largest reward of a component would have to be paid for what the collector gets at most from these strategies, with
/// a reserve, as a list of one; `None` for too often.
fn most_paid(local: &LocalGame, payer: Side, strategies: &[Weights], go_on: &mut GoOn<'_>) -> ControlFlow<(), Option<Vec<f64>>> {
    let largest = local.sizes().0.max(f64::MIN_POSITIVE);
    let mut paid = vec![0.0_f64; local.len()];
    for round in 0..ROUNDS {
        if round % ASKED == ASKED - 1 {
            go_on()?;
        }
        let (mut gained, mut most) = (0.0_f64, 1.0_f64);
        for (state, own) in strategies.iter().enumerate() {
            let worth = |reply: usize| {
                let cell = |&(action, weight): &(u32, u64)| {
                    let cell = local.cell(state, payer, action, reply);
                    // Nothing is paid outside.
                    let reward = cell.outside[0].unsigned_abs() as f64 / cell.denominator as f64;
                    weight as f64 / DyadicStrategy::WHOLE as f64 * (reward / largest + cell.later(&paid))
                };
                own.iter().map(cell).sum::<f64>()
            };
            let best = (0..local.replies(state, payer)).map(worth).fold(0.0, f64::max);
            gained = gained.max(best - paid[state]);
            paid[state] = paid[state].max(best);
            most = most.max(paid[state]);
        }
        if gained <= PRECISION * most {
            // The remainder is practically never larger.
            return ControlFlow::Continue(Some(vec![2.0 * most]));
        }
    }
    ControlFlow::Continue(None)
}

/// The expected turns until play leaves a component when both players keep it there as long as they can: a Markov decision process,
/// by policy iteration (Howard 1960) after some sweeps of value iteration. `None` where the number is beyond doubles.
fn longest_stay(local: &LocalGame, go_on: &mut GoOn<'_>) -> ControlFlow<(), Option<Vec<f64>>> {
    let mut turns = vec![1.0_f64; local.len()];
    for _ in 0..SWEEPS {
        let mut gained = 0.0_f64;
        for state in 0..local.len() {
            let most = 1.0 + local.cells(state).map(|cell| cell.later(&turns)).fold(0.0, f64::max);
            gained = gained.max(most / turns[state] - 1.0);
            turns[state] = turns[state].max(most);
        }
        if gained <= LONGER {
            return ControlFlow::Continue(Some(turns));
        }
    }
    let mut longest: Vec<Option<CellParts<'_>>> = vec![None; local.len()];
    loop {
        go_on()?;
        let (mut changed, mut chain) = (false, Vec::with_capacity(local.len()));
        for (state, longest) in longest.iter_mut().enumerate() {
            let mut most = longest.as_ref().map_or(-1.0, |cell| cell.later(&turns) * (1.0 + LONGER));
            for cell in local.cells(state) {
                let own = cell.later(&turns);
                if own > most {
                    (most, *longest, changed) = (own, Some(cell), true);
                }
            }
            let follows = |cell: &CellParts<'_>| {
                let share = |weight: f64| weight / cell.denominator as f64;
                let steps = cell.inside.iter().map(|outcome| (outcome.state, share(outcome.weight as f64))).collect();
                Transitions { steps, ends: share(cell.leaves() as f64) }
            };
            chain.push(longest.as_ref().map(follows).unwrap_or_default());
        }
        if !changed {
            return ControlFlow::Continue(Some(turns));
        }
        let Some(stays) = collected(&chain, &vec![1.0; local.len()]) else { return ControlFlow::Continue(None) };
        turns = stays;
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;
    use crate::stochastic_game::cycles::local_game::only_cycle;

    /// A turn that pays 1 and is the last with probability 1/2 pays 2 in all: no bound that numbers of turns are too small for.
    #[test]
    fn bounds_of_too_few_turns_are_not_taken() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s"]}
            {"id":"end","value":"0"}
            {"id":"s","a":["x"],"b":["x"],"cells":[[{"to":[["1/2","s"],["1/2","end"]],"reward":"1"}]]}"#;
        let (_, components, cyclic, local) = only_cycle(text, Bounds::default());
        let start = |turns: f64| {
            let mut stays = vec![Vec::new(); components.len()];
            stays[cyclic] = vec![turns];
            Turns { stays, payer: None }.start(cyclic, &[], &local)[0].bounds
        };
        let upper = start(2.0).upper;
        assert!((2 << 50..(2 << 50) + (1 << 40)).contains(&upper));
        assert_eq!(start(1.9), LARGEST);
    }
}
