//! Solves the states of a cycle: bounds that are proved at every step are narrowed from both sides.
//!
//! A bound `L` with stationary weights `x` is proved if `L ≤ T_x L` at every state, against every
//! action of B, and if no set of states in which B can keep play against `x` has an `L` above the
//! payoff of infinite plays there (`docs/game-format.md` has the proof). Both hold for a start that
//! is low enough, and stay true when a state's `L` is raised, strictly, to the security level of
//! the old or new `x` there; larger steps, which policy iteration guesses, are checked as a whole.
//! Upper bounds are the same with the players exchanged.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::almost_sure::reach_best_exits;
use super::cycle::{CheckCancel, CycleControl, CycleProgress, CyclicState, RoundProgress, Weights};
use super::homotopy::{CLOSE, follow, follow_again, follow_from};
use super::local_game::{LocalGame, Side};
use super::long::{LongSide, LongState, Replies};
use super::opponent_mdp::OpponentMdp;
use super::policy_iteration::{PolicyIteration, tighten};
use super::proof::{SHORT, Sizes};
use super::value_iteration::LEAST_SHARED;
use super::vanishing::Vanishing;
use crate::bounds::{BOUND_BITS, Bounds, FixedPoint};
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};
use crate::model::Kind;
use crate::work::Threads;

#[derive(Default)]
pub(crate) struct CyclicSolver {
    pub(crate) simplex: EnclosedSimplex,
    pub(crate) matrix: EnclosedMatrix,
}

/// A component after the homotopy.
pub(crate) struct Lengthened {
    pub(crate) states: Vec<CyclicState>,
    /// The states in longer numbers, if the proof needs these.
    pub(crate) long: Option<Vec<LongState>>,
}

/// The most rounds of new strategies.
const ROUNDS: usize = 2_000;

/// Rounds end once this many of them have narrowed all widths by less than a hundredth: where play
/// hardly leaves a cycle, single rounds gain nothing before strategies have found a way out.
const PATIENCE: usize = 8;
const LITTLE: f64 = 0.99;

/// The most rounds in which the payoff of infinite plays is settled.
const SETTLING_ROUNDS: usize = 200;

/// The bits after the point of the first bounds in long numbers: play that leaves does so within
/// some 2⁶² turns, in each of which rounding takes some units.
const START_BITS: usize = 2 * 64;

/// Bounds are wide if they differ by 2^−41, or 5e-13, of the largest, or of 1 if that is larger.
pub(crate) const WIDE_BITS: u32 = 41;

impl CyclicSolver {
    /// Solves a component from proved bounds, or from an interrupted solve. Bounds are proved at
    /// any time, also where it breaks off.
    pub(crate) fn solve(
        &mut self,
        game: &LocalGame,
        states: &mut Vec<CyclicState>,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<()> {
        if let Some(CycleProgress::Long(begun)) = &control.begun {
            // The rounds are over.
            states.clone_from(&begun.narrowed);
        } else if let Some(CycleProgress::Rounds(begun)) = control.begun.take() {
            *states = begun.states;
            self.narrow(game, states, begun.rounds, begun.widths, control)?;
        } else if states.len() == 1 {
            reach_best_exits(game, states);
            self.solve_alone(game, &mut states[0]);
        } else {
            for side in Side::BOTH.into_iter().filter(|_| game.kind.may_last()) {
                self.settle(game, side, states, control.check_cancel)?;
            }
            reach_best_exits(game, states);
            if game.kind == Kind::Recursive {
                vanish(game, states, control)?;
            }
            let widths = vec![all_widths(states)];
            self.narrow(game, states, 0, widths, control)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether longer numbers are to narrow bounds in units of 2^−`exponent`, of which this many
    /// are narrow enough.
    pub(crate) fn is_wide(kind: Kind, states: &[CyclicState], exponent: u32, enough: i64) -> bool {
        let size = |state: &CyclicState| {
            state.bounds.lower.unsigned_abs().max(state.bounds.upper.unsigned_abs())
        };
        let largest = states.iter().map(size).max().unwrap_or(0).max(1 << exponent.min(BOUND_BITS));
        let close = (largest >> WIDE_BITS) as i64;
        let close = match kind {
            Kind::Recursive => CLOSE.min(close),
            Kind::Discounted | Kind::Stopping | Kind::Total | Kind::Target => close,
            Kind::Acyclic => i64::MAX,
        };
        widest(states) > close.max(enough)
    }

    /// Narrows bounds that are wide in longer numbers, or goes on with an interrupted solve.
    pub(crate) fn lengthen(
        game: &LocalGame,
        states: &[CyclicState],
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Lengthened> {
        follow(game, states, control)
    }

    /// Narrows bounds once more in longer numbers, after those outside were narrowed.
    pub(crate) fn lengthen_again(
        game: &LocalGame,
        known: &Lengthened,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Lengthened> {
        follow_again(game, known, control)
    }

    /// Solves a component in long numbers from strategies: the payer's, if one player pays all
    /// rewards, which keep what is collected finite, and bounds of the collector; else both
    /// players'. `None` where nothing is proved.
    pub(crate) fn begin_long(
        game: &LocalGame,
        payer: Option<Side>,
        start: &[CyclicState],
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<(), Option<Lengthened>> {
        let mut sides = Side::BOTH.map(|side| LongSide::of(start, side));
        for side in Side::BOTH.into_iter().filter(|&side| payer.is_none_or(|payer| side == payer)) {
            let strategies = sides[side.index()].strategies.clone();
            let check_cancel = &mut |_: &Replies| (control.check_cancel)();
            let proved = LongSide::proved(
                game,
                side,
                strategies,
                Sizes { finer: START_BITS, ..SHORT },
                &Replies::default(),
                check_cancel,
            )?;
            let Some((proved, _)) = proved else { return ControlFlow::Continue(None) };
            sides[side.index()] = proved;
        }
        follow_from(game, start, sides, control).map_continue(Some)
    }

    /// Accepts a side's strategies with their values; returns the rounding error in units if these
    /// could be proved.
    pub(crate) fn prove(
        game: &LocalGame,
        side: Side,
        states: &mut [CyclicState],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<i64>> {
        let strategies = strategies_of(states, side);
        PolicyIteration::raise(game, side, &strategies, states, check_cancel)
    }

    /// Starts from infinite plays: the part of their payoff that a player secures by staying, or by
    /// leaving for less where staying is impossible. From there on only leaving gains.
    ///
    /// The bounds fall from that payoff until every state's strategy holds its own; where rounding
    /// prevents that, states keep their bounds.
    fn settle(
        &mut self,
        game: &LocalGame,
        side: Side,
        states: &mut [CyclicState],
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<()> {
        let mut values = vec![side.bound(game.endless); game.len()];
        for _ in 0..SETTLING_ROUNDS {
            check_cancel()?;
            let (mut changed, mut found) = (false, Vec::with_capacity(game.len()));
            for state in 0..game.len() {
                let solved =
                    self.solved(game, state, |other| Bounds::new(values[other], values[other]));
                let value = side.bound(solved.bounds);
                if side.is_closer(&values[state], &value) {
                    (values[state], changed) = (value, true);
                }
                found.push(solved);
            }
            if changed {
                continue;
            }
            for ((state, value), found) in states.iter_mut().zip(values).zip(&found) {
                *side.bound_mut(&mut state.bounds) = value;
                state.weights[side.index()].clone_from(&found.weights[side.index()]);
            }
            break;
        }
        ControlFlow::Continue(())
    }

    /// Solves a state that may repeat itself, as a fixed point.
    fn solve_alone(&mut self, game: &LocalGame, state: &mut CyclicState) {
        let endless = if game.kind.may_last() { game.endless } else { Bounds::default() };
        let mut point = FixedPoint::new(state.bounds, endless, |repeated, side| {
            let solved = self.solved(game, 0, |_| Bounds::new(repeated, repeated));
            let value = side.bound(solved.bounds);
            // The strategy is kept if it proves the bound by itself: see the head of this file.
            let is_proof = side.is_closer(&value, &repeated)
                || (value == repeated && !side.is_closer(&repeated, &side.bound(endless)));
            if is_proof && tighten(&mut state.bounds, side, value) {
                state.weights[side.index()].clone_from(&solved.weights[side.index()]);
            }
            Ok::<_, std::convert::Infallible>(value)
        });
        let Ok(()) = point.narrow(0);
    }

    /// Narrows the bounds of all states, until rounding or patience ends it; goes on after some
    /// rounds, with the sum of all widths before the first one and after each.
    ///
    /// Each round is a step of strategy iteration (Hoffman and Karp 1966) for both players at once,
    /// new strategies everywhere and then their values against best replies, and a Newton step
    /// (Pollatschek and Avi-Itzhak 1969) at the middle of the bounds.
    fn narrow(
        &mut self,
        game: &LocalGame,
        states: &mut [CyclicState],
        mut rounds: usize,
        mut widths: Vec<f64>,
        control: &mut CycleControl<'_>,
    ) -> ControlFlow<()> {
        // Small components are solved faster than helpers wake.
        let alone = Threads::alone();
        let threads: &Threads = if states.len() < LEAST_SHARED { &alone } else { control.threads };
        while rounds < ROUNDS {
            control.widest.store(widest(states), Ordering::Relaxed);
            if let Some(report) = &mut control.on_progress {
                report(CycleProgress::Rounds(RoundProgress {
                    states: states.to_vec(),
                    rounds,
                    widths: widths.clone(),
                }));
            }
            for state in 0..states.len() {
                let solved = self.solved(game, state, |other| states[other].bounds);
                for side in Side::BOTH {
                    if tighten(&mut states[state].bounds, side, side.bound(solved.bounds)) {
                        states[state].weights[side.index()]
                            .clone_from(&solved.weights[side.index()]);
                    }
                }
            }
            let [lower, upper] = Side::BOTH.map(|side| strategies_of(states, side));
            PolicyIteration::raise_both(
                game,
                [&lower, &upper],
                states,
                threads,
                control.check_cancel,
            )?;
            let rounding = self.try_middle(game, states, threads, control.check_cancel)?;
            let width = all_widths(states);
            let is_stuck =
                widths.len() >= PATIENCE && width > widths[widths.len() - PATIENCE] * LITTLE;
            if is_stuck || widest(states) <= CLOSE.max(rounding.unwrap_or(0)).max(control.enough) {
                break;
            }
            widths.push(width);
            rounds += 1;
        }
        ControlFlow::Continue(())
    }

    /// Tries the strategies that are optimal for the middles of the bounds, and in a recursive game
    /// those that are optimal for the other side's bounds; returns the rounding error in units, if
    /// both values are known.
    ///
    /// Far from the solution, strategies that are optimal for the lower bounds improve them only
    /// slowly. The middle is closer to the value, mostly by half.
    ///
    /// In infinite plays a bound can support itself, because the state comes back. A player who
    /// gains by infinite plays need not make progress: strategies that are optimal for the values
    /// suffice, and the other side's bounds tend to the values.
    fn try_middle(
        &mut self,
        game: &LocalGame,
        states: &mut [CyclicState],
        threads: &Threads,
        check_cancel: &mut CheckCancel<'_>,
    ) -> ControlFlow<(), Option<i64>> {
        let [one, other] = self.optimal(game, |next| middle(states[next].bounds));
        let mut rounding =
            PolicyIteration::raise_both(game, [&one, &other], states, threads, check_cancel)?;
        for side in Side::BOTH.into_iter().filter(|_| game.kind.may_last()) {
            let optimal = &mut self.optimal(game, |next| side.other().bound(states[next].bounds));
            let strategies = &mut optimal[side.index()];
            for (strategy, state) in strategies.iter_mut().zip(&*states) {
                // A bound better than the payoff of infinite plays requires progress.
                if side.is_closer(&side.bound(state.bounds), &side.bound(game.endless)) {
                    strategy.clone_from(&state.weights[side.index()]);
                }
            }
            let left = PolicyIteration::raise(game, side, strategies, states, check_cancel)?;
            rounding[side.index()] = left.or(rounding[side.index()]);
        }
        ControlFlow::Continue(
            rounding[0].zip(rounding[1]).map(|(one, other): (i64, i64)| one.saturating_add(other)),
        )
    }

    /// Solves every state's matrix game for these values of its successors; returns both players'
    /// strategies.
    fn optimal(&mut self, game: &LocalGame, value_of: impl Fn(usize) -> i64) -> [Vec<Weights>; 2] {
        let values = |next| Bounds::new(value_of(next), value_of(next));
        let pairs = (0..game.len())
            .map(|state| <(Weights, Weights)>::from(self.solved(game, state, values).weights));
        <[_; 2]>::from(pairs.unzip())
    }

    /// Solves a state's matrix game for these bounds of its successors.
    fn solved(
        &mut self,
        game: &LocalGame,
        state: usize,
        of: impl Fn(usize) -> Bounds,
    ) -> CyclicState {
        game.fill(state, of, &mut self.matrix);
        CyclicState::of(self.simplex.solve(&self.matrix))
    }
}

/// The strategies that prove a side's bounds, by state.
fn strategies_of(states: &[CyclicState], side: Side) -> Vec<Weights> {
    states.iter().map(|state| state.weights[side.index()].clone()).collect()
}

pub(super) fn middle(bounds: Bounds) -> i64 {
    bounds.lower + (bounds.upper - bounds.lower) / 2
}

pub(super) fn widest(states: &[CyclicState]) -> i64 {
    states.iter().map(|state| state.bounds.upper - state.bounds.lower).max().unwrap_or(0)
}

/// Takes what the strategies for smaller and smaller λ prove, until bounds are narrow.
fn vanish(
    game: &LocalGame,
    states: &mut [CyclicState],
    control: &mut CycleControl<'_>,
) -> ControlFlow<()> {
    let mut path = Vanishing::new(game);
    while path.advance(control.check_cancel)? {
        for (side, strategies) in Side::BOTH.into_iter().zip(&path.strategies) {
            let mdp = OpponentMdp::new(game, side, strategies);
            let first = mdp.best_replies_by(&path.values);
            PolicyIteration::raise_from(Some(first), &mdp, states, control.check_cancel)?;
        }
        if widest(states) <= CLOSE.max(control.enough) {
            break;
        }
    }
    ControlFlow::Continue(())
}

/// The sum of all widths, each computed exactly first: the difference of two large numbers in
/// floating point may be 0.
fn all_widths(states: &[CyclicState]) -> f64 {
    states.iter().map(|state| (state.bounds.upper - state.bounds.lower) as f64).sum()
}

/// The trivial bounds of a state of a discounted game.
pub(crate) const LARGEST: Bounds = Bounds::new(-1 << BOUND_BITS, 1 << BOUND_BITS);
