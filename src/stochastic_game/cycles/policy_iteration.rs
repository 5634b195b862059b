//! What a side's stationary strategies are worth against the best replies: found by policy iteration (Howard 1960), in floating
//! point and corrected against integers; a guess, which is taken where it proves itself.

use std::ops::ControlFlow;

use super::answers::{Answers, Reply, follow};
use super::cycle::{CycleFacts, CyclicState, Weights};
use super::local_game::{LocalGame, Side};
use super::markov_chain::MarkovChain;
use crate::bounds::{BOUND_BITS, Bounds};
use crate::stochastic_game::model::{Kind, closed_set};

/// The buffers.
#[derive(Debug, Default)]
pub(crate) struct PolicyIteration {
    chain: MarkovChain,
    guess: Vec<i64>,
    replies: Vec<Option<Reply>>,
    residuals: Vec<f64>,
}

/// Improvements of the replies and corrections of the values, at most.
const STEPS: usize = 40;

/// Residuals of so many units are those of rounding: of a cell, of an average, and of the guess itself.
const ROUNDING_UNITS: f64 = 4.0;

/// What rounding adds when a guess is moved outward by whole units.
const MOVING_UNITS: f64 = 2.0;

/// A guess is moved outward by so many times what rounding leaves of it; the first factor that proves itself.
const RESERVES: [f64; 4] = [0.0, 1.0, 4.0, 64.0];

/// Play that is longer by less than this part is as long.
const LONGER: f64 = 1.0 + 1e-6;

impl PolicyIteration {
    /// Takes a side's strategies, and what they are worth, at all states where that is better than the bounds; `None` where that
    /// cannot be proved, and all is as before. Returns the units that rounding leaves, at most.
    pub(crate) fn raise(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        side: Side,
        strategies: &[Weights],
        (states, bounds): (&mut [CyclicState], &mut [Bounds]),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<i64>> {
        let (upper, own) = (side.is_upper(), usize::from(side.is_upper()));
        let answers = Answers::new(game, facts, side, strategies);
        self.start(bounds, upper);
        let answer = |state: usize, guess: &[i64]| answers.best(state, guess);
        let Some(deficit) = self.solve(game, side, strategies, upper, answer, go_on)? else {
            return ControlFlow::Continue(None);
        };
        let Some(mut turns) = self.turns() else { return ControlFlow::Continue(None) };
        let moved = |reserve: f64, turns: f64| moved(deficit, reserve, turns);
        let reserves =
            RESERVES.into_iter().map(|reserve| (reserve, false)).chain(RESERVES.into_iter().map(|reserve| (reserve, true)));
        let mut are_longest = false;
        for (reserve, by_longest) in reserves {
            if by_longest && !are_longest {
                // What is rounded adds up for as long as play lasts by any answer that is as good.
                let most = turns.iter().copied().fold(1.0, f64::max);
                let Some(longest) = self.longest(&answers, moved(RESERVES[3], most), go_on)? else { break };
                (turns, are_longest) = (longest, true);
            }
            let better: Vec<Option<i64>> = (0..game.len())
                .map(|state| {
                    // States of an end component are worth the same to the unit, or play that goes round proves none of them.
                    let place = if let Some(Reply::As(first)) = self.replies[state] { first as usize } else { state };
                    let guess = self.moved_guess(place, upper, moved(reserve, turns[place]));
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

    /// Narrows bounds of what a side's strategies are worth against the best replies; whether that can be proved.
    ///
    /// The bound of the side is proved by its strategies, that of the other side by the replies found. Where waiting for ever is a
    /// reply, it is one that the guess has to begin at the right side of, so that both are tried.
    pub(crate) fn enclose(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        side: Side,
        strategies: &[Weights],
        bounds: &mut [Bounds],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        for begin in [side.other(), side] {
            self.start(bounds, begin.is_upper());
            if self.enclose_from_guess(game, facts, side, strategies, bounds, go_on)? {
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    fn enclose_from_guess(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        side: Side,
        strategies: &[Weights],
        bounds: &mut [Bounds],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        let upper = side.is_upper();
        let own = |state: usize| strategies[state].as_slice();
        let answer = |state: usize, guess: &[i64]| {
            let (secured, reply) = game.answered(state, side, own(state), |next| guess[next]);
            (secured, Reply::Action { state, reply })
        };
        let Some(deficit) = self.solve(game, side, strategies, upper, answer, go_on)? else {
            return ControlFlow::Continue(false);
        };
        let is_proved = |bound: &[i64]| {
            let is_secured = |state: usize| {
                let (secured, _) = game.answered(state, side, own(state), |next| bound[next]);
                if upper { secured <= bound[state] } else { secured >= bound[state] }
            };
            (0..game.len()).all(is_secured) && !is_kept(game, facts, side, own, |state| bound[state])
        };
        let Some(secured) = self.prove(deficit, upper, is_proved) else { return ControlFlow::Continue(false) };
        let replies: Vec<usize> =
            (0..game.len()).map(|state| game.answered(state, side, own(state), |next| self.guess[next]).1).collect();
        let met = |state: usize| (own(state), replies[state]);
        let answer = |state: usize, guess: &[i64]| {
            let conceded = game.conceded(state, side, met(state), |next| guess[next]);
            (conceded, Reply::Action { state, reply: replies[state] })
        };
        let Some(deficit) = self.solve(game, side, strategies, !upper, answer, go_on)? else {
            return ControlFlow::Continue(false);
        };
        let is_proved = |bound: &[i64]| {
            let is_conceded = |state: usize| {
                let conceded = game.conceded(state, side, met(state), |next| bound[next]);
                if upper { conceded >= bound[state] } else { conceded <= bound[state] }
            };
            let stays = |state: usize, inside: &dyn Fn(usize) -> bool| game.stays(state, side, met(state), inside);
            (0..game.len()).all(is_conceded) && !can_last(game, facts, side.other(), |state| bound[state], stays)
        };
        let Some(conceded) = self.prove(deficit, !upper, is_proved) else { return ControlFlow::Continue(false) };
        let (lower, higher) = if upper { (conceded, secured) } else { (secured, conceded) };
        for (own, (lower, higher)) in bounds.iter_mut().zip(lower.into_iter().zip(higher)) {
            // Both are true, so that the better one of each holds.
            *own = Bounds::new(own.lower.max(lower), own.upper.min(higher));
        }
        ControlFlow::Continue(true)
    }

    /// The guess, moved outward until it proves itself.
    fn prove(&self, deficit: f64, upper: bool, is_proved: impl Fn(&[i64]) -> bool) -> Option<Vec<i64>> {
        let turns = self.turns()?;
        let outward = |reserve: f64| -> Vec<i64> {
            let bound = |(state, turns): (usize, &f64)| self.moved_guess(state, upper, moved(deficit, reserve, *turns));
            turns.iter().enumerate().map(bound).collect()
        };
        RESERVES.into_iter().map(outward).find(|bound| is_proved(bound))
    }

    /// Begins to guess at the bounds of a side.
    fn start(&mut self, bounds: &[Bounds], upper: bool) {
        self.guess.clear();
        self.guess.extend(bounds.iter().map(|bounds| bounds.side(upper)));
        self.replies.clear();
        self.replies.resize(bounds.len(), None);
    }

    fn moved_guess(&self, state: usize, upper: bool, moved: i64) -> i64 {
        let guess = self.guess[state];
        if upper { guess.saturating_add(moved) } else { guess.saturating_sub(moved) }
    }

    /// The turns until play leaves, by the replies found; `None` where it hardly does.
    fn turns(&self) -> Option<Vec<f64>> {
        // An end component is one state.
        let is_state = |reply: &Option<Reply>| f64::from(u8::from(!matches!(reply, Some(Reply::As(_)))));
        let turns = self.chain.collected(&self.replies.iter().map(is_state).collect::<Vec<_>>())?;
        turns.iter().all(|turns| *turns > 0.5).then_some(turns)
    }

    /// The same by those replies that keep play longest, of all that are within so many units of the best: found by policy iteration
    /// once more.
    fn longest(
        &mut self,
        answers: &Answers<'_>,
        near: i64,
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        let Answers { game, side, strategies, .. } = *answers;
        for _ in 0..STEPS {
            go_on()?;
            let Some(turns) = self.turns() else { break };
            let later = |reply: Reply| {
                let mut later = 0.0;
                follow(game, side, strategies, reply, |next, probability| later += probability * turns[next as usize]);
                later
            };
            let mut changed = false;
            self.chain.clear();
            for (state, known) in self.replies.iter_mut().enumerate() {
                let (best, reply) = answers.best(state, &self.guess);
                let mut longest = known.unwrap_or(reply);
                for reply in answers.all(state) {
                    let is_near = answers.worth(reply, &self.guess).abs_diff(best) <= near.unsigned_abs();
                    if is_near && later(reply) > later(longest) * LONGER {
                        (longest, changed) = (reply, true);
                    }
                }
                *known = Some(longest);
                follow(game, side, strategies, longest, |next, probability| self.chain.step(next, probability));
                self.chain.end_state();
            }
            if !changed {
                return ControlFlow::Continue(Some(turns));
            }
        }
        ControlFlow::Continue(None)
    }

    /// Solves for the values of strategies against the replies that `answer` tells with what is left then.
    fn solve(
        &mut self,
        game: &LocalGame,
        side: Side,
        strategies: &[Weights],
        upper: bool,
        answer: impl Fn(usize, &[i64]) -> (i64, Reply),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<f64>> {
        let Self { chain, guess, replies, residuals } = self;
        let mut last = f64::INFINITY;
        for step in 1..=STEPS {
            residuals.clear();
            let mut changed = false;
            chain.clear();
            for (state, known) in replies.iter_mut().enumerate() {
                let (secured, reply) = answer(state, guess);
                residuals.push(secured.saturating_sub(guess[state]) as f64);
                changed |= *known != Some(reply);
                *known = Some(reply);
                follow(game, side, strategies, reply, |to, probability| chain.step(to, probability));
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
        let missing = residuals.iter().map(|residual| if upper { *residual } else { -residual });
        ControlFlow::Continue(Some(missing.fold(0.0, f64::max)))
    }
}

/// How far a guess is moved outward that misses by so many units a turn.
fn moved(deficit: f64, reserve: f64, turns: f64) -> i64 {
    ((deficit + MOVING_UNITS) * reserve * turns * 1.05).ceil() as i64
}

/// Whether the other player can keep play for ever among states whose bound is better than what endless play pays.
pub(crate) fn is_kept<'s>(
    game: &LocalGame,
    facts: CycleFacts,
    side: Side,
    strategy: impl Fn(usize) -> &'s [(u32, u64)],
    bound: impl Fn(usize) -> i64,
) -> bool {
    can_last(game, facts, side, bound, |state, inside| game.can_stay(state, side, strategy(state), inside))
}

/// Whether play can last for ever among states whose bound is better than what endless play pays, where `stays` says how it may.
fn can_last(
    game: &LocalGame,
    facts: CycleFacts,
    side: Side,
    bound: impl Fn(usize) -> i64,
    stays: impl Fn(usize, &dyn Fn(usize) -> bool) -> bool,
) -> bool {
    // In other games no set is closed; skipping the search saves time.
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
    !closed_set(&better, game.len(), stays).is_empty()
}
