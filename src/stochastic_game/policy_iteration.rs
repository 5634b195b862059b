//! What a side's stationary strategies are worth against the best replies: found by policy iteration (Howard 1960), in floating
//! point and corrected against integers; a guess, which is taken where it proves itself.

use std::ops::ControlFlow;

use super::components::closed_set;
use super::cycle::{CycleFacts, CyclicState, Weights};
use super::kind::Kind;
use super::local_game::{LocalGame, Side};
use super::markov_chain::MarkovChain;
use crate::bounds::{BOUND_BITS, Bounds};

/// The buffers.
#[derive(Debug, Default)]
pub(super) struct PolicyIteration {
    chain: MarkovChain,
    guess: Vec<i64>,
    replies: Vec<usize>,
    residuals: Vec<f64>,
}

/// Improvements of the replies and corrections of the values, at most.
const STEPS: usize = 40;

/// Residuals of so many units are those of rounding: of a cell, of an average, and of the guess itself.
const ROUNDING_UNITS: f64 = 4.0;

/// What rounding adds when a guess is moved outward by whole units.
const MOVING_UNITS: f64 = 2.0;

/// A guess is moved outward by so many times what rounding leaves of it; the first factor that proves itself.
const RESERVES: [f64; 3] = [1.0, 4.0, 64.0];

impl PolicyIteration {
    /// Takes a side's strategies, and what they are worth, at all states where that is better than the bounds; `None` where that
    /// cannot be proved, and all is as before. Returns the units that rounding leaves, at most.
    pub(super) fn raise(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        side: Side,
        strategies: &[Weights],
        (states, bounds): (&mut [CyclicState], &mut [Bounds]),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<i64>> {
        let Some(deficit) = self.solve_replies(game, side, strategies, bounds, go_on)? else {
            return ControlFlow::Continue(None);
        };
        let turns = self.chain.collected(&vec![1.0; game.len()]).filter(|turns| turns.iter().all(|turns| *turns > 0.5));
        let Some(turns) = turns else { return ControlFlow::Continue(None) };
        let (upper, own) = (side.is_upper(), usize::from(side.is_upper()));
        for reserve in RESERVES {
            let moved = |reserve: f64, turns: f64| ((deficit + MOVING_UNITS) * reserve * turns * 1.05).ceil() as i64;
            let better: Vec<Option<i64>> = (0..game.len())
                .map(|state| {
                    let (guess, moved) = (self.guess[state], moved(reserve, turns[state]));
                    let guess = if upper { guess.saturating_add(moved) } else { guess.saturating_sub(moved) };
                    let bound = bounds[state].side(upper);
                    (if upper { guess < bound } else { guess > bound }).then_some(guess)
                })
                .collect();
            let bound = |state: usize| better[state].unwrap_or_else(|| bounds[state].side(upper));
            let strategy = |state: usize| match better[state] {
                Some(_) => strategies[state].as_slice(),
                None => states[state].weights[own].as_slice(),
            };
            let is_secured = |state: usize| {
                let (secured, _) = game.answered(state, side, strategy(state), bound);
                if upper { secured <= bound(state) } else { secured >= bound(state) }
            };
            if !(0..game.len()).all(is_secured) || is_kept(game, facts, side, strategy, bound) {
                continue;
            }
            for (state, better) in better.into_iter().enumerate() {
                let Some(better) = better else { continue };
                *(if upper { &mut bounds[state].upper } else { &mut bounds[state].lower }) = better;
                states[state].weights[own].clone_from(&strategies[state]);
            }
            return ControlFlow::Continue(turns.into_iter().map(|turns| moved(1.0, turns)).max());
        }
        ControlFlow::Continue(None)
    }

    /// Finds the best replies and their values, from the bounds on; returns by how many units a state misses at most what it
    /// secures.
    fn solve_replies(
        &mut self,
        game: &LocalGame,
        side: Side,
        strategies: &[Weights],
        bounds: &[Bounds],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<f64>> {
        let Self { chain, guess, replies, residuals } = self;
        guess.clear();
        guess.extend(bounds.iter().map(|bounds| bounds.side(side.is_upper())));
        replies.clear();
        replies.resize(game.len(), usize::MAX);
        let mut last = f64::INFINITY;
        for step in 1..=STEPS {
            residuals.clear();
            let mut changed = false;
            chain.clear();
            for (state, (known, strategy)) in replies.iter_mut().zip(strategies).enumerate() {
                let (secured, reply) = game.answered(state, side, strategy, |next| guess[next]);
                residuals.push(secured.saturating_sub(guess[state]) as f64);
                changed |= *known != reply;
                *known = reply;
                game.steps(state, side, strategy, reply, |to, probability| chain.step(to, probability));
                chain.end_state();
            }
            let largest = residuals.iter().fold(0.0, |largest: f64, residual| largest.max(residual.abs()));
            let is_settled = largest <= ROUNDING_UNITS || (!changed && largest > last / 2.0);
            if is_settled || step == STEPS {
                break;
            }
            last = largest;
            go_on()?;
            let Some(corrections) = chain.collected(residuals) else { return ControlFlow::Continue(None) };
            for (guess, correction) in guess.iter_mut().zip(corrections) {
                *guess = guess.saturating_add(correction.round() as i64).clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
            }
        }
        let missing = residuals.iter().map(|residual| if side.is_upper() { *residual } else { -residual });
        ControlFlow::Continue(Some(missing.fold(0.0, f64::max)))
    }
}

/// Whether the other player can keep play for ever among states whose bound is better than what endless play pays.
fn is_kept<'s>(
    game: &LocalGame,
    facts: CycleFacts,
    side: Side,
    strategy: impl Fn(usize) -> &'s [(u32, u64)],
    bound: impl Fn(usize) -> i64,
) -> bool {
    if facts.kind != Kind::Recursive {
        return false;
    }
    // No integer lies between endless play and the one next to it.
    let endless = facts.endless.side(side.is_upper());
    let is_better = |&state: &u32| {
        let own = bound(state as usize);
        if side.is_upper() { own < endless } else { own > endless }
    };
    let better: Vec<u32> = (0..game.len() as u32).filter(is_better).collect();
    !closed_set(&better, game.len(), |state, inside| game.can_stay(state, side, strategy(state), inside)).is_empty()
}
