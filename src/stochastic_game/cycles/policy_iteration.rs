//! The values of a side's stationary strategies against best replies, by policy iteration (Howard 1960) in floating point,
//! corrected against integers: a guess, accepted if it proves itself.

use std::ops::ControlFlow;

use super::answers::{Answers, Reply, follow};
use super::cycle::{CycleFacts, CyclicState, Weights};
use super::local_game::{LocalGame, Side};
use super::markov_chain::MarkovChain;
use crate::bounds::{BOUND_BITS, Bounds};
use crate::stochastic_game::model::closed_set;

#[derive(Debug, Default)]
pub(crate) struct PolicyIteration {
    chain: MarkovChain,
    guess: Vec<i64>,
    replies: Vec<Option<Reply>>,
    residuals: Vec<f64>,
}

/// The most improvements of the replies and corrections of the values.
const STEPS: usize = 40;

/// The rounding error of moving a guess outward by whole units.
const MOVING_UNITS: f64 = 2.0;

/// A guess is moved outward by so many units everywhere, and by so many times what rounding takes in all turns until play leaves;
/// the first move that proves itself. A play of `n` turns that is worth more at each of them keeps its worth by the unit in which
/// the guess was rounded, where what every turn loses by rounding would be `n` units.
pub(super) const RESERVES: [(i64, f64); 8] =
    [(0, 0.0), (1, 0.0), (4, 0.0), (4, 0.0625), (4, 0.25), (4, 1.0), (4, 4.0), (4, 64.0)];

/// The largest of them.
const LAST_RESERVE: (i64, f64) = RESERVES[RESERVES.len() - 1];

/// Play counts as longer if it is longer by this share.
const LONGER: f64 = 1.0 + 1e-6;

impl PolicyIteration {
    /// Accepts a side's strategies and their values at all states where these are better than the bounds; `None` if that cannot
    /// be proved, with nothing changed. Returns the rounding error in units.
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
        if facts.kind.is_total() {
            // Answers that pay for ever have no worth, and lead to none that has: the first ones are proper (Bertsekas and Tsitsiklis 1991).
            let Some(proper) = answers.proper() else { return ControlFlow::Continue(None) };
            let answer = |state: usize, guess: &[i64], _: Option<Reply>| (answers.worth(proper[state], guess), proper[state]);
            if self.solve(game, side, strategies, upper, answer, go_on)?.is_none() {
                return ControlFlow::Continue(None);
            }
        }
        let answer = |state: usize, guess: &[i64], known: Option<Reply>| answers.best(state, guess, known);
        let Some(deficit) = self.solve(game, side, strategies, upper, answer, go_on)? else {
            return ControlFlow::Continue(None);
        };
        let Some(mut turns) = self.turns() else { return ControlFlow::Continue(None) };
        let moved = |reserve: (i64, f64), turns: f64| moved(deficit, reserve, turns);
        let reserves =
            RESERVES.into_iter().map(|reserve| (reserve, false)).chain(RESERVES.into_iter().map(|reserve| (reserve, true)));
        let mut are_longest = false;
        for (reserve, by_longest) in reserves {
            if by_longest && !are_longest {
                // Rounding errors add up for the length of play under any equally good reply.
                let most = turns.iter().copied().fold(1.0, f64::max);
                let Some(longest) = self.longest(&answers, moved(LAST_RESERVE, most), go_on)? else { break };
                (turns, are_longest) = (longest, true);
            }
            let better: Vec<Option<i64>> = (0..game.len())
                .map(|state| {
                    // All states of an end component have the same value to the unit, or cyclic play proves none of them.
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
            if !proves(game, facts, side, strategy, bound) {
                continue;
            }
            for (state, better) in better.into_iter().enumerate() {
                let Some(better) = better else { continue };
                *(if upper { &mut bounds[state].upper } else { &mut bounds[state].lower }) = better;
                states[state].weights[own].clone_from(&strategies[state]);
            }
            return ControlFlow::Continue(turns.into_iter().map(|turns| moved(reserve, turns)).max());
        }
        ControlFlow::Continue(None)
    }

    /// Narrows bounds of the values of a side's strategies against best replies; returns whether that can be proved.
    ///
    /// The bound of the side is proved by its strategies, that of the other side by the replies found. Where waiting for ever is
    /// a reply, the guess must start on the right side of it, so that both are tried.
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
        let answer = |state: usize, guess: &[i64], known: Option<Reply>| {
            let (secured, reply) = game.answered(state, side, own(state), |next| guess[next]);
            let is_as_good = |known: &Reply| match *known {
                Reply::Action { reply, .. } => game.replied(state, side, (own(state), reply), |next| guess[next]) == secured,
                _ => false,
            };
            (secured, known.filter(is_as_good).unwrap_or(Reply::Action { state, reply }))
        };
        let Some(deficit) = self.solve(game, side, strategies, upper, answer, go_on)? else {
            return ControlFlow::Continue(false);
        };
        let is_proved = |bound: &[i64]| proves(game, facts, side, own, |state| bound[state]);
        let Some(secured) = self.prove(deficit, upper, is_proved) else { return ControlFlow::Continue(false) };
        let replies: Vec<usize> =
            (0..game.len()).map(|state| game.answered(state, side, own(state), |next| self.guess[next]).1).collect();
        let met = |state: usize| (own(state), replies[state]);
        let answer = |state: usize, guess: &[i64], _: Option<Reply>| {
            let conceded = game.conceded(state, side, met(state), |next| guess[next]);
            (conceded, Reply::Action { state, reply: replies[state] })
        };
        let Some(deficit) = self.solve(game, side, strategies, !upper, answer, go_on)? else {
            return ControlFlow::Continue(false);
        };
        let is_proved = |bound: &[i64]| concedes(game, facts, side, met, |state| bound[state]);
        let Some(conceded) = self.prove(deficit, !upper, is_proved) else { return ControlFlow::Continue(false) };
        let (lower, higher) = if upper { (conceded, secured) } else { (secured, conceded) };
        for (own, (lower, higher)) in bounds.iter_mut().zip(lower.into_iter().zip(higher)) {
            // Both bounds are valid, so that the better one of each holds.
            *own = Bounds::new(own.lower.max(lower), own.upper.min(higher));
        }
        ControlFlow::Continue(true)
    }

    /// The guess, moved outward until it proves itself.
    fn prove(&self, deficit: f64, upper: bool, is_proved: impl Fn(&[i64]) -> bool) -> Option<Vec<i64>> {
        let turns = self.turns()?;
        let outward = |reserve: (i64, f64)| -> Vec<i64> {
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

    /// The expected number of turns until play leaves under the replies found; `None` if it hardly leaves.
    fn turns(&self) -> Option<Vec<f64>> {
        // An end component is one state.
        let is_state = |reply: &Option<Reply>| f64::from(u8::from(!matches!(reply, Some(Reply::As(_)))));
        let turns = self.chain.collected(&self.replies.iter().map(is_state).collect::<Vec<_>>())?;
        turns.iter().all(|turns| *turns > 0.5).then_some(turns)
    }

    /// As `turns`, for those replies within this many units of the best that keep play longest, found by policy iteration.
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
                let (best, reply) = answers.best(state, &self.guess, *known);
                let mut longest = known.unwrap_or(reply);
                for reply in answers.all(state) {
                    let is_near = answers.worth(reply, &self.guess).abs_diff(best) <= near.unsigned_abs();
                    if is_near && later(reply) > later(longest) * LONGER {
                        (longest, changed) = (reply, true);
                    }
                }
                *known = Some(longest);
                let leaves = follow(game, side, strategies, longest, |next, probability| self.chain.step(next, probability));
                self.chain.end_state(leaves);
            }
            if !changed {
                return ControlFlow::Continue(Some(turns));
            }
        }
        ControlFlow::Continue(None)
    }

    /// Solves for the values of strategies against the replies that `answer` gives.
    fn solve(
        &mut self,
        game: &LocalGame,
        side: Side,
        strategies: &[Weights],
        upper: bool,
        answer: impl Fn(usize, &[i64], Option<Reply>) -> (i64, Reply),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<f64>> {
        let Self { chain, guess, replies, residuals } = self;
        let mut last = f64::INFINITY;
        for step in 1..=STEPS {
            residuals.clear();
            let mut changed = false;
            chain.clear();
            for (state, known) in replies.iter_mut().enumerate() {
                let (secured, reply) = answer(state, guess, *known);
                residuals.push(secured.saturating_sub(guess[state]) as f64);
                changed |= *known != Some(reply);
                *known = Some(reply);
                let leaves = follow(game, side, strategies, reply, |to, probability| chain.step(to, probability));
                chain.end_state(leaves);
            }
            let largest = residuals.iter().fold(0.0, |largest: f64, residual| largest.max(residual.abs()));
            let is_settled = largest == 0.0 || (!changed && largest > last / 2.0);
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
pub(super) fn moved(deficit: f64, (units, reserve): (i64, f64), turns: f64) -> i64 {
    units.saturating_add(((deficit + MOVING_UNITS) * reserve * turns * 1.05).ceil() as i64)
}

/// Whether legal strategies prove the bounds of all states.
pub(crate) fn is_proved(game: &LocalGame, facts: CycleFacts, states: &[CyclicState]) -> bool {
    Side::BOTH.into_iter().all(|side| {
        let own = usize::from(side.is_upper());
        let is_legal = |(state, found): (usize, &CyclicState)| {
            let legal = |&(action, weight): &(u32, u64)| (action as usize) < game.actions(state)[own] && weight > 0;
            !found.weights[own].is_empty() && found.weights[own].iter().all(legal)
        };
        let bound = |state: usize| states[state].bounds.side(side.is_upper());
        states.iter().enumerate().all(is_legal) && proves(game, facts, side, |state| &states[state].weights[own], bound)
    })
}

/// Whether a side's strategies prove its bounds, by the two conditions of [`cyclic`](super::cyclic).
fn proves<'s>(
    game: &LocalGame,
    facts: CycleFacts,
    side: Side,
    strategy: impl Fn(usize) -> &'s [(u32, u64)] + Copy,
    bound: impl Fn(usize) -> i64 + Copy,
) -> bool {
    let is_secured = |state: usize| {
        let (secured, _) = game.answered(state, side, strategy(state), bound);
        if side.is_upper() { secured <= bound(state) } else { secured >= bound(state) }
    };
    let stays = |state: usize, inside: &dyn Fn(usize) -> bool| game.can_stay(state, side, strategy(state), inside);
    (0..game.len()).all(is_secured) && !can_last(game, facts, side, bound, stays)
}

/// Whether the replies that a side's strategies meet prove bounds for its opponent, by the same conditions.
fn concedes<'s>(
    game: &LocalGame,
    facts: CycleFacts,
    side: Side,
    met: impl Fn(usize) -> (&'s [(u32, u64)], usize) + Copy,
    bound: impl Fn(usize) -> i64 + Copy,
) -> bool {
    let is_conceded = |state: usize| {
        let conceded = game.conceded(state, side, met(state), bound);
        if side.is_upper() { conceded >= bound(state) } else { conceded <= bound(state) }
    };
    let stays = |state: usize, inside: &dyn Fn(usize) -> bool| game.stays(state, side, met(state), inside);
    (0..game.len()).all(is_conceded) && !can_last(game, facts, side.other(), bound, stays)
}

/// Whether play can last for ever among states whose bound is better than the payoff of infinite plays, where `stays` describes
/// the possible moves.
fn can_last(
    game: &LocalGame,
    facts: CycleFacts,
    side: Side,
    bound: impl Fn(usize) -> i64,
    stays: impl Fn(usize, &dyn Fn(usize) -> bool) -> bool,
) -> bool {
    // Other games have no closed sets; skipping the search saves time.
    if !facts.kind.may_last() {
        return false;
    }
    // No integer lies between the payoff of infinite plays and the one next to it.
    let endless = facts.endless.side(side.is_upper());
    let is_better = |&state: &u32| {
        let own = bound(state as usize);
        if side.is_upper() { own < endless } else { own > endless }
    };
    let better: Vec<u32> = (0..game.len() as u32).filter(is_better).collect();
    !closed_set(&better, game.len(), stays).is_empty()
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;
    use crate::matrix_game::DyadicStrategy;
    use crate::stochastic_game::cycles::local_game::only_cycle;

    const ONE: i64 = 1 << 50;
    const ALWAYS: &[(u32, u64)] = &[(0, DyadicStrategy::WHOLE)];

    /// The cycle of a game in which one player alone chooses: to stay for ever, which pays 0, or to go, which pays the end's value.
    fn stay_or_go(side: Side, end: &str) -> (LocalGame, CycleFacts) {
        let (a, b) = if side.is_upper() { (r#"["stay","go"]"#, r#"["x"]"#) } else { (r#"["x"]"#, r#"["stay","go"]"#) };
        let cells = [r#"{"to":[["1","s"]]}"#, r#"{"to":[["1","end"]]}"#].join(if side.is_upper() { "],[" } else { "," });
        let text = format!(
            r#"{{"format":"stochastic-game","version":1,"kind":"recursive","start":["s"]}}
            {{"id":"end","value":"{end}"}}
            {{"id":"s","a":{a},"b":{b},"cells":[[{cells}]]}}"#
        );
        let worth: i64 = end.parse::<i64>().unwrap() * ONE;
        let (game, _, _, local) = only_cycle(&text, Bounds::new(worth, worth));
        (local, CycleFacts { kind: game.kind(), endless: Bounds::default() })
    }

    /// Where the opponent can keep play for ever, no strategy secures a unit more than that pays.
    #[test]
    fn endless_play_pays_no_unit_more() {
        for (side, better) in [(Side::Lower, 1), (Side::Upper, -1)] {
            let (game, facts) = stay_or_go(side, if side.is_upper() { "-1" } else { "1" });
            assert!(proves(&game, facts, side, |_| ALWAYS, |_| 0));
            assert!(!proves(&game, facts, side, |_| ALWAYS, |_| better));
        }
    }

    /// Replies hold a strategy down to what they pay and to no unit less; those that wait for ever, to the payoff of infinite plays.
    #[test]
    fn replies_concede_what_they_pay() {
        for (side, better) in [(Side::Lower, 1), (Side::Upper, -1)] {
            let (game, facts) = stay_or_go(side, if side.is_upper() { "-1" } else { "1" });
            let is_conceded = |reply: usize, bound: i64| concedes(&game, facts, side, |_| (ALWAYS, reply), |_| bound);
            assert!(is_conceded(1, better * ONE));
            assert!(!is_conceded(1, better * (ONE - 1)));
            assert!(is_conceded(0, 0));
            assert!(!is_conceded(0, -better));
        }
    }
}
