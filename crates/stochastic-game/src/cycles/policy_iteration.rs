//! The values of a side's stationary strategies against best replies, by policy iteration
//! (Howard 1960) in floating point, corrected against integers: a guess, accepted if it proves
//! itself.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cycle::{CheckCancel, CyclicState, Weights};
use super::local_game::{LocalGame, Side};
use super::markov_chain::MarkovChain;
use super::opponent_mdp::{OpponentMdp, Reply};
use super::proof::{SHORT, concedes, proves};
use crate::bounds::{BOUND_BITS, Bounds};
use crate::work::Threads;

/// A claim about a policy's values against best replies, by state; the gate decides.
#[derive(Debug)]
pub(crate) enum PolicyClaim {
    /// Bounds of the policy's side, which its strategies secure.
    Secured(Vec<i64>),
    /// Bounds of the other side, which the opponent's actions secure against the policy.
    Conceded { bounds: Vec<i64>, actions: Vec<u32> },
}

/// Policy iteration for the replies to a side's strategies.
pub(crate) struct PolicyIteration<'a> {
    mdp: &'a OpponentMdp<'a, u64>,
    guess: Vec<i64>,
    replies: Vec<Option<Reply>>,
    /// The chain of the replies that were followed last.
    followed: Option<Followed>,
}

/// Replies with the chain of play under them.
#[derive(Debug)]
struct Followed {
    replies: Vec<Option<Reply>>,
    chain: MarkovChain,
}

/// The proved values of a side's strategies, with the rounding error in units.
struct Raised {
    bounds: Vec<i64>,
    rounding: i64,
}

impl Raised {
    /// Takes the strategies where their values are better than the bounds; returns the rounding
    /// error.
    fn accept(self, side: Side, strategies: &[Weights], states: &mut [CyclicState]) -> i64 {
        for ((state, bound), strategy) in states.iter_mut().zip(self.bounds).zip(strategies) {
            if tighten(&mut state.bounds, side, bound) {
                state.weights[side.index()].clone_from(strategy);
            }
        }
        self.rounding
    }
}

/// The most improvements of the replies and corrections of the values.
const STEPS: usize = 40;

/// The rounding error of moving a guess outward by whole units.
const MOVING_UNITS: f64 = 2.0;

/// How far a guess is moved outward.
#[derive(Clone, Copy)]
pub(super) struct Reserve {
    /// Units at every state.
    units: i64,
    /// Multiples of what rounding takes in all turns until play leaves.
    roundings: f64,
}

impl Reserve {
    const fn new(units: i64, roundings: f64) -> Self {
        Self { units, roundings }
    }

    /// The move in units where a guess misses by `deficit` units a turn.
    pub(super) fn moved(self, deficit: f64, turns: f64) -> i64 {
        let rounding = (deficit + MOVING_UNITS) * self.roundings * turns * 1.05;
        self.units.saturating_add(rounding.ceil() as i64)
    }

    /// The farthest move.
    fn most_moved(self, deficit: f64, turns: &[f64]) -> i64 {
        turns.iter().map(|&turns| self.moved(deficit, turns)).max().unwrap_or(0)
    }
}

/// Reserves, tried in order until the guess proves itself. A play of `n` turns that is worth more
/// at each of them keeps its worth by the unit in which the guess was rounded, where what every
/// turn loses by rounding would be `n` units.
pub(super) const RESERVES: [Reserve; 8] = [
    Reserve::new(0, 0.0),
    Reserve::new(1, 0.0),
    Reserve::new(4, 0.0),
    Reserve::new(4, 0.0625),
    Reserve::new(4, 0.25),
    Reserve::new(4, 1.0),
    Reserve::new(4, 4.0),
    Reserve::new(4, 64.0),
];

/// The largest of them.
const LAST_RESERVE: Reserve = RESERVES[RESERVES.len() - 1];

/// Play counts as longer if it is longer by this share.
const LONGER: f64 = 1.0 + 1e-6;

impl<'a> PolicyIteration<'a> {
    /// Accepts a side's strategies and their values at all states where these are better than the
    /// bounds; `None` if that cannot be proved, with nothing changed. Returns the rounding error in
    /// units.
    pub(crate) fn raise(
        game: &LocalGame,
        side: Side,
        strategies: &[Weights],
        states: &mut [CyclicState],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<i64>> {
        let mdp = OpponentMdp::new(game, side, strategies);
        Self::raise_from(None, &mdp, states, check_cancel)
    }

    /// As [`raise`](Self::raise) for both sides, one of them by a helper: neither depends on the
    /// other's bounds.
    pub(super) fn raise_both(
        game: &LocalGame,
        strategies: [&[Weights]; 2],
        states: &mut [CyclicState],
        threads: &Threads,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), [Option<i64>; 2]> {
        if !threads.has_helpers() {
            let mut rounding = [None; 2];
            for side in Side::BOTH {
                let weights = strategies[side.index()];
                rounding[side.index()] = Self::raise(game, side, weights, states, check_cancel)?;
            }
            return ControlFlow::Continue(rounding);
        }
        let [here, beside] = Side::BOTH;
        let (check_cancel, is_over) = (RefCell::new(check_cancel), AtomicBool::new(false));
        let ask = || {
            let asked = (check_cancel.borrow_mut())();
            is_over.fetch_or(asked.is_break(), Ordering::Relaxed);
            asked
        };
        let ask_beside = || {
            if is_over.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let known: &[CyclicState] = states;
        let raised = |side: Side, check_cancel: &mut CheckCancel<'_>| {
            let mdp = OpponentMdp::new(game, side, strategies[side.index()]);
            Self::raised(None, &mdp, known, check_cancel)
        };
        let found = threads.both(
            || raised(here, &mut || ask()),
            || raised(beside, &mut || ask_beside()),
            || {
                let _ = ask();
            },
        );
        let found = [found.0?, found.1?];
        let mut rounding = [None; 2];
        for (side, found) in Side::BOTH.into_iter().zip(found) {
            rounding[side.index()] =
                found.map(|found| found.accept(side, strategies[side.index()], states));
        }
        ControlFlow::Continue(rounding)
    }

    /// As [`raise`](Self::raise), where policy iteration begins with these replies.
    pub(super) fn raise_from(
        first: Option<Vec<Reply>>,
        mdp: &OpponentMdp<'_, u64>,
        states: &mut [CyclicState],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<i64>> {
        let found = Self::raised(first, mdp, states, check_cancel)?;
        ControlFlow::Continue(found.map(|found| found.accept(mdp.side, mdp.strategies, states)))
    }

    /// The values of a side's strategies that are proved; `None` if none are.
    fn raised(
        first: Option<Vec<Reply>>,
        mdp: &OpponentMdp<'_, u64>,
        states: &[CyclicState],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Raised>> {
        let OpponentMdp { game, side, strategies, .. } = *mdp;
        let guess = states.iter().map(|state| side.bound(state.bounds)).collect();
        let mut policy = PolicyIteration::new(mdp, guess);
        let Some(deficit) = policy.solve_for_best(first, check_cancel)? else {
            return ControlFlow::Continue(None);
        };
        let Some(turns) = policy.turns(check_cancel)? else { return ControlFlow::Continue(None) };
        let is_proved = |bounds: &[i64]| {
            let known = |state: usize| side.bound(states[state].bounds);
            let is_better = |state: usize| side.is_closer(&bounds[state], &known(state));
            let bound = |state: usize| {
                i128::from(if is_better(state) { bounds[state] } else { known(state) })
            };
            let strategy = |state: usize| -> &[_] {
                if is_better(state) {
                    &strategies[state]
                } else {
                    &states[state].weights[side.index()]
                }
            };
            proves(game, side, SHORT, strategy, bound)
        };
        let mut found = policy.prove(side, deficit, &turns, is_proved);
        if found.is_none() {
            // Rounding errors add up for the length of play under any equally good reply.
            let near = LAST_RESERVE.most_moved(deficit, &turns);
            let longest = policy.longest(near, check_cancel)?;
            found = longest.and_then(|turns| policy.prove(side, deficit, &turns, is_proved));
        }
        ControlFlow::Continue(found.map(|(bounds, rounding)| Raised { bounds, rounding }))
    }

    /// Finds claims about the values of a side's strategies against best replies, starting from
    /// bounds; returns whether they are as narrow as rounding lets them be.
    ///
    /// Where value iteration does not come to rest, the bound of the side is claimed by its
    /// strategies, that of the other side by the replies found.
    pub(crate) fn enclose(
        game: &LocalGame,
        side: Side,
        strategies: &[Weights],
        mut bounds: Vec<Bounds>,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), (Vec<PolicyClaim>, bool)> {
        let (mdp, other, mut claims) =
            (OpponentMdp::new(game, side, strategies), side.other(), Vec::new());
        if !game.kind.is_total() {
            let is_settled = mdp.settle(&mut bounds);
            claims.push(PolicyClaim::Secured(
                bounds.iter().map(|&bounds| side.bound(bounds)).collect(),
            ));
            if let Some(actions) =
                mdp.least_replies(&bounds).and_then(|replies| mdp.actions(&replies))
            {
                let bounds = bounds.iter().map(|&bounds| other.bound(bounds)).collect();
                claims.push(PolicyClaim::Conceded { bounds, actions });
            }
            if is_settled {
                return ControlFlow::Continue((claims, true));
            }
        }
        // Where play may last, a guess that approaches from the side's own bounds misses less.
        let begin = if game.kind.may_last() { side } else { other };
        let guess = bounds.iter().map(|&bounds| begin.bound(bounds)).collect();
        let mut policy = PolicyIteration::new(&mdp, guess);
        let Some(deficit) = policy.solve_for_best(None, check_cancel)? else {
            return ControlFlow::Continue((claims, false));
        };
        let is_secured = |bound: &[i64]| {
            proves(
                game,
                side,
                SHORT,
                |state| &strategies[state][..],
                |state| i128::from(bound[state]),
            )
        };
        let secured = policy
            .turns(check_cancel)?
            .and_then(|turns| policy.prove(side, deficit, &turns, is_secured));
        let Some((secured, _)) = secured else { return ControlFlow::Continue((claims, false)) };
        claims.push(PolicyClaim::Secured(secured));
        let replies: Vec<Reply> = policy.replies.iter().copied().flatten().collect();
        let Some(deficit) = policy.solve(other, Some(&replies), check_cancel)? else {
            return ControlFlow::Continue((claims, false));
        };
        let is_conceded = |bound: &[i64]| {
            concedes(game, side, SHORT, strategies, &replies, |state| i128::from(bound[state]))
        };
        let conceded = policy
            .turns(check_cancel)?
            .and_then(|turns| policy.prove(other, deficit, &turns, is_conceded));
        let Some(((bounds, _), actions)) = conceded.zip(mdp.actions(&replies)) else {
            return ControlFlow::Continue((claims, false));
        };
        claims.push(PolicyClaim::Conceded { bounds, actions });
        ControlFlow::Continue((claims, true))
    }

    fn new(mdp: &'a OpponentMdp<'a, u64>, guess: Vec<i64>) -> Self {
        Self { mdp, replies: vec![None; guess.len()], guess, followed: None }
    }

    /// Solves for the values of strategies against best replies: from the first replies, if there
    /// are any, else from the guess.
    fn solve_for_best(
        &mut self,
        mut first: Option<Vec<Reply>>,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<f64>> {
        let Self { mdp, .. } = *self;
        let side = mdp.side;
        if first.is_none() && mdp.game.kind.is_total() {
            // Replies that pay for ever have no finite payoff, and improving them leads to none
            // that has one: the first replies are proper (Bertsekas and Tsitsiklis 1991).
            let Some(proper) = mdp.proper() else { return ControlFlow::Continue(None) };
            first = Some(proper);
        }
        if let Some(first) = first
            && self.solve(side, Some(&first), check_cancel)?.is_none()
        {
            return ControlFlow::Continue(None);
        }
        self.solve(side, None, check_cancel)
    }

    /// The guess, moved outward until it proves itself, with the largest move.
    fn prove(
        &self,
        side: Side,
        deficit: f64,
        turns: &[f64],
        is_proved: impl Fn(&[i64]) -> bool,
    ) -> Option<(Vec<i64>, i64)> {
        RESERVES.into_iter().find_map(|reserve| {
            let outward = |(state, reply): (usize, &Option<Reply>)| {
                // All states of an end component have the same value to the unit, or cyclic play
                // proves none of them.
                let place =
                    if let Some(Reply::As(first)) = *reply { first as usize } else { state };
                let moved = reserve.moved(deficit, turns[place]);
                self.guess[place].saturating_add(if side.is_upper() { moved } else { -moved })
            };
            let bounds: Vec<i64> = self.replies.iter().enumerate().map(outward).collect();
            is_proved(&bounds).then(|| (bounds, reserve.most_moved(deficit, turns)))
        })
    }

    /// The expected number of turns until play leaves under the replies found; `None` if it hardly
    /// leaves.
    fn turns(&mut self, check_cancel: &mut CheckCancel<'_>) -> ControlFlow<(), Option<Vec<f64>>> {
        // An end component is one state.
        let is_state =
            |reply: &Option<Reply>| f64::from(u8::from(!matches!(reply, Some(Reply::As(_)))));
        let pays: Vec<f64> = self.replies.iter().map(is_state).collect();
        let turns = self.collected(&pays, check_cancel)?;
        let leaves = |turns: &Vec<f64>| turns.iter().all(|turns| *turns > 0.5);
        ControlFlow::Continue(turns.filter(leaves))
    }

    /// Computes the expected total from each state under the replies found if a visit pays `pays`;
    /// `None` if play hardly leaves.
    fn collected(
        &mut self,
        pays: &[f64],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        let Self { mdp, replies, followed, .. } = self;
        let is_same = |followed: &mut Followed| followed.replies == *replies;
        let known = followed.take_if(is_same);
        let new = || Followed { replies: replies.clone(), chain: mdp.chain(replies) };
        followed.insert(known.unwrap_or_else(new)).chain.collected(pays, check_cancel)
    }

    /// As `turns`, for those replies within this many units of the best that keep play longest,
    /// found by policy iteration.
    fn longest(
        &mut self,
        near: i64,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<Vec<f64>>> {
        let Self { mdp, .. } = *self;
        for _ in 0..STEPS {
            check_cancel()?;
            let Some(turns) = self.turns(check_cancel)? else { break };
            let later = |reply| {
                mdp.transitions(reply)
                    .steps
                    .iter()
                    .map(|&(next, step)| step * turns[next as usize])
                    .sum::<f64>()
            };
            let mut changed = false;
            for (state, known) in self.replies.iter_mut().enumerate() {
                let (best, reply) = mdp.best_reply(state, &self.guess, *known);
                let mut longest = known.unwrap_or(reply);
                for reply in mdp.replies(state) {
                    let payoff = mdp.expected_payoff(reply, mdp.side, |next| self.guess[next]);
                    if payoff.abs_diff(best) <= near.unsigned_abs()
                        && later(reply) > later(longest) * LONGER
                    {
                        (longest, changed) = (reply, true);
                    }
                }
                *known = Some(longest);
            }
            if !changed {
                return ControlFlow::Continue(Some(turns));
            }
        }
        ControlFlow::Continue(None)
    }

    /// Solves for a side's bounds against these replies, or else the best; returns by how much they
    /// miss a turn.
    fn solve(
        &mut self,
        bound: Side,
        fixed: Option<&[Reply]>,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<f64>> {
        let (mut residuals, mut last) = (vec![0.0_f64; self.guess.len()], f64::INFINITY);
        for step in 1..=STEPS {
            let Self { mdp, guess, replies, .. } = self;
            let mut changed = false;
            for (state, known) in replies.iter_mut().enumerate() {
                let (secured, reply) = match fixed {
                    Some(fixed) => {
                        (mdp.expected_payoff(fixed[state], bound, |next| guess[next]), fixed[state])
                    }
                    None => mdp.best_reply(state, guess, *known),
                };
                residuals[state] = secured.saturating_sub(guess[state]) as f64;
                changed |= *known != Some(reply);
                *known = Some(reply);
            }
            let largest =
                residuals.iter().fold(0.0, |largest: f64, residual| largest.max(residual.abs()));
            let is_settled = largest == 0.0 || (!changed && largest > last / 2.0);
            if is_settled || step == STEPS {
                break;
            }
            last = largest;
            check_cancel()?;
            let Some(corrections) = self.collected(&residuals, check_cancel)? else {
                return ControlFlow::Continue(None);
            };
            for (guess, correction) in self.guess.iter_mut().zip(corrections) {
                *guess = guess
                    .saturating_add(correction.round() as i64)
                    .clamp(-1 << BOUND_BITS, 1 << BOUND_BITS);
            }
        }
        let missing =
            residuals.iter().map(|residual| if bound.is_upper() { *residual } else { -residual });
        ControlFlow::Continue(Some(missing.fold(0.0, f64::max)))
    }
}

/// Replaces a bound of a side by one that is closer to the value.
pub(crate) fn tighten(bounds: &mut Bounds, side: Side, bound: i64) -> bool {
    let known = side.bound_mut(bounds);
    let is_closer = side.is_closer(&bound, known);
    if is_closer {
        *known = bound;
    }
    is_closer
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use crate::cycles::local_game::only_cycle;

    /// Every turn pays 1 and is followed by another one with 1/2, which is worth 2 whoever plays,
    /// in units of 2^−50.
    #[test]
    fn both_sides_are_raised_by_any_number_of_threads_or_cancelled() {
        let text = r#"{"format":"stochastic-game","version":1,"kind":"stopping","start":["s"]}
            {"id":"end","value":"0"}
            {"id":"s","a":["x"],"b":["x"],"cells":[[{"to":[["1/2","s"],["1/2","end"]],"reward":"1"}]]}"#;
        let game = only_cycle(text, Bounds::default()).3;
        let start = vec![CyclicState::with_any_strategy(Bounds::new(-1 << 55, 1 << 55))];
        let weights: Vec<Weights> = vec![start[0].weights[0].clone()];
        for count in [1, 2, 3] {
            let threads =
                if count == 1 { Threads::alone() } else { Threads::start(count).unwrap() };
            let raise = |states: &mut [CyclicState], check_cancel: &mut CheckCancel<'_>| {
                PolicyIteration::raise_both(
                    &game,
                    [&weights, &weights],
                    states,
                    &threads,
                    check_cancel,
                )
            };
            let mut states = start.clone();
            let rounding = raise(&mut states, &mut || ControlFlow::Continue(()));
            assert!(matches!(rounding, ControlFlow::Continue([Some(_), Some(_)])));
            let Bounds { lower, upper } = states[0].bounds;
            assert!(lower <= 2 << 50 && 2 << 50 <= upper && upper - lower <= 8, "{lower} {upper}");
            let mut states = start.clone();
            assert!(raise(&mut states, &mut || ControlFlow::Break(())).is_break());
            assert_eq!(states[0].bounds, start[0].bounds);
        }
        // One thread asks in the work on either side: the last time is after the first side's.
        let ask = |last: usize| {
            let (mut states, mut asked) = (start.clone(), 0);
            let mut check_cancel = || {
                asked += 1;
                if asked == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let (both, alone) = ([&weights[..], &weights[..]], Threads::alone());
            let found =
                PolicyIteration::raise_both(&game, both, &mut states, &alone, &mut check_cancel);
            (found.is_break(), asked, states[0].bounds)
        };
        let (_, asked, whole) = ask(0);
        let (is_cancelled, _, half) = ask(asked);
        assert!(is_cancelled);
        assert_eq!((half.lower, half.upper), (whole.lower, start[0].bounds.upper));
    }
}
