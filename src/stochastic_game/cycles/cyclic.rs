//! Solves the states of a cycle: bounds that are proved at every step are narrowed from both sides.
//!
//! A bound `L` with stationary weights `x` is proved if `L ≤ T_x L` at every state, against every action of B, and if no set of
//! states in which B can keep play against `x` has an `L` above the payoff of infinite plays there (`docs/game-format.md` has the
//! proof). Both hold for a start that is low enough, and stay true when a state's `L` is raised, strictly, to the security level
//! of the old or new `x` there; larger steps, which policy iteration guesses, are checked as a whole. Upper bounds are the same
//! with the players exchanged.

use std::ops::ControlFlow;

use super::cycle::{Course, CycleFacts, CycleProgress, CyclicState, Weights};
use super::homotopy::{CLOSE, approach, follow};
use super::local_game::{LocalGame, Side};
use super::long::{LongSide, LongState};
use super::policy_iteration::PolicyIteration;
use crate::bounds::{BOUND_BITS, Bounds, FixedPoint};
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};
use crate::stochastic_game::model::Kind;

#[derive(Default)]
pub(crate) struct CyclicSolver {
    pub(crate) simplex: EnclosedSimplex,
    pub(crate) matrix: EnclosedMatrix,
    replies: PolicyIteration,
    /// The states of the last cycle, if their proof needs longer numbers.
    pub(crate) long: Option<Vec<LongState>>,
}

/// The most rounds of new strategies.
const ROUNDS: usize = 2_000;

/// Rounds end once so many of them have narrowed all widths by less than a hundredth: where play hardly leaves a cycle, single
/// rounds gain nothing before strategies have found a way out.
const PATIENCE: usize = 8;
const LITTLE: f64 = 0.99;

/// The most rounds in which the payoff of infinite plays is settled.
const SETTLING_ROUNDS: usize = 200;

/// Where play ends by itself, bounds are wide if they differ by 2^−41, or 5e-13, of the largest.
const WIDE_BITS: u32 = 41;

type Narrow =
    fn(&LocalGame, CycleFacts, [LongSide; 2], &mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<(), [[LongSide; 2]; 2]>;

impl CyclicSolver {
    /// Solves a component from proved bounds, or from an interrupted solve; `None` when it was stopped.
    pub(crate) fn solve(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        mut states: Vec<CyclicState>,
        course: &mut Course<'_>,
    ) -> Option<Vec<CyclicState>> {
        if let Some(begun) = course.begun.take() {
            return self.narrow(game, facts, begun, course);
        }
        if let [state] = states.as_mut_slice() {
            self.solve_alone(game, facts, state);
            let mut bounds = bounds_of(&states);
            return self.follow(game, facts, (states, &mut bounds), course.go_on);
        }
        if facts.kind.may_last() {
            for side in Side::BOTH {
                let endless = facts.endless.side(side.is_upper());
                if self.settle(game, side, endless, &mut states, course.go_on).is_break() {
                    return None;
                }
            }
        }
        let widths = vec![all_widths(&bounds_of(&states))];
        self.narrow(game, facts, CycleProgress { states, rounds: 0, widths }, course)
    }

    /// Accepts a side's strategies with their values; returns whether these could be proved.
    pub(crate) fn prove(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        side: Side,
        states: &mut [CyclicState],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        let strategies: Vec<Weights> = states.iter().map(|state| state.weights[usize::from(side.is_upper())].clone()).collect();
        let mut bounds = bounds_of(states);
        let is_proved = self.replies.raise(game, facts, side, &strategies, (states, &mut bounds), go_on)?.is_some();
        states.iter_mut().zip(bounds).for_each(|(state, bounds)| state.bounds = bounds);
        ControlFlow::Continue(is_proved)
    }

    /// Starts from infinite plays: the part of their payoff that a player secures by staying, or by leaving for less where
    /// staying is impossible. From there on only leaving gains.
    ///
    /// The bounds fall from that payoff until every state's strategy holds its own; where rounding prevents that, states keep
    /// their bounds.
    fn settle(
        &mut self,
        game: &LocalGame,
        side: Side,
        endless: i64,
        states: &mut [CyclicState],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = usize::from(side.is_upper());
        let mut values = vec![endless; game.len()];
        let mut weights = vec![Vec::new(); game.len()];
        for _ in 0..SETTLING_ROUNDS {
            go_on()?;
            let mut changed = false;
            for state in 0..game.len() {
                game.fill(state, |other| Bounds::new(values[other], values[other]), &mut self.matrix);
                let proved = self.simplex.solve(&self.matrix);
                let value = proved.bounds.side(side.is_upper());
                weights[state] = proved.strategies[own].support().to_vec();
                let falls = if side.is_upper() { value > values[state] } else { value < values[state] };
                if falls {
                    values[state] = value;
                    changed = true;
                }
            }
            if changed {
                continue;
            }
            for ((state, value), weights) in states.iter_mut().zip(values).zip(weights) {
                let Bounds { lower, upper } = &mut state.bounds;
                *if side.is_upper() { upper } else { lower } = value;
                state.weights[own] = weights;
            }
            break;
        }
        ControlFlow::Continue(())
    }

    /// Solves a state that may repeat itself, as a fixed point.
    fn solve_alone(&mut self, game: &LocalGame, facts: CycleFacts, state: &mut CyclicState) {
        let Self { simplex, matrix, .. } = self;
        let (mut best, mut weights) = (state.bounds, state.weights.clone());
        let endless = if facts.kind.may_last() { facts.endless } else { Bounds::default() };
        let mut point = FixedPoint::new(state.bounds, endless, |repeated, upper| {
            game.fill(0, |_| Bounds::new(repeated, repeated), matrix);
            let proved = simplex.solve(matrix);
            let value = proved.bounds.side(upper);
            let own = usize::from(upper);
            // The strategy is kept if it proves the bound by itself: see the head of this file.
            let (is_proof, is_better) = if upper {
                (value < repeated || (value == repeated && repeated >= endless.upper), value < best.upper)
            } else {
                (value > repeated || (value == repeated && repeated <= endless.lower), value > best.lower)
            };
            if is_proof && is_better {
                weights[own] = proved.strategies[own].support().to_vec();
                *if upper { &mut best.upper } else { &mut best.lower } = value;
            }
            Ok::<_, std::convert::Infallible>(value)
        });
        let Ok(()) = point.narrow(0);
        *state = CyclicState { bounds: best, weights };
    }

    /// Narrows the bounds of all states, until rounding or patience ends it; `None` when it was stopped.
    ///
    /// Each round is a step of strategy iteration (Hoffman and Karp 1966) for both players at once, new strategies everywhere and
    /// then their values against best replies, and a Newton step (Pollatschek and Avi-Itzhak 1969) at the middle of the bounds.
    fn narrow(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        CycleProgress { mut states, rounds, mut widths }: CycleProgress,
        Course { go_on, reached, .. }: &mut Course<'_>,
    ) -> Option<Vec<CyclicState>> {
        let mut bounds = bounds_of(&states);
        for round in rounds..ROUNDS {
            if let Some(reached) = reached {
                let with_bounds = |(state, &bounds): (&CyclicState, &Bounds)| CyclicState { bounds, ..state.clone() };
                let states = states.iter().zip(&bounds).map(with_bounds).collect();
                reached(CycleProgress { states, rounds: round, widths: widths.clone() });
            }
            for (state, solved) in states.iter_mut().enumerate() {
                self.improve(game, state, &mut bounds, &mut solved.weights);
            }
            for side in Side::BOTH {
                let own = usize::from(side.is_upper());
                let strategies: Vec<Weights> = states.iter().map(|state| state.weights[own].clone()).collect();
                if self.replies.raise(game, facts, side, &strategies, (&mut states, &mut bounds), *go_on).is_break() {
                    return None;
                }
            }
            let ControlFlow::Continue(rounding) = self.meet(game, facts, (&mut states, &mut bounds), *go_on) else { return None };
            let width = all_widths(&bounds);
            let is_stuck = widths.len() >= PATIENCE && width > widths[widths.len() - PATIENCE] * LITTLE;
            if is_stuck || widest(&bounds) <= CLOSE.max(rounding.unwrap_or(0)) {
                break;
            }
            widths.push(width);
        }
        self.follow(game, facts, (states, &mut bounds), *go_on)
    }

    /// Narrows bounds that are left wide, in longer numbers where that helps.
    fn follow(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        (mut states, bounds): (Vec<CyclicState>, &mut [Bounds]),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Vec<CyclicState>> {
        let size = |bounds: &Bounds| bounds.lower.unsigned_abs().max(bounds.upper.unsigned_abs());
        let noise = || CLOSE.max((bounds.iter().map(size).max().unwrap_or(0) >> WIDE_BITS) as i64);
        let narrow = match facts.kind {
            Kind::Recursive if widest(bounds) > CLOSE => Some(follow as Narrow),
            Kind::Discounted | Kind::Stopping if widest(bounds) > noise() => Some(approach as Narrow),
            _ => None,
        };
        if let Some(narrow) = narrow {
            let sides = Side::BOTH.map(|side| LongSide::of(&states, bounds, side));
            let ControlFlow::Continue(sides) = narrow(game, facts, sides, go_on) else { return None };
            for (side, found) in sides.iter().flat_map(|sides| Side::BOTH.into_iter().zip(sides)) {
                found.store(side, &mut states, bounds);
            }
            let [_, long] = sides;
            self.long = (!long.iter().all(LongSide::is_short)).then(|| LongState::of(long));
        }
        for (state, bounds) in states.iter_mut().zip(bounds) {
            state.bounds = *bounds;
        }
        Some(states)
    }

    /// Tries the strategies that are optimal for the middles of the bounds, and in a recursive game those that are optimal for
    /// the other side's bounds; returns the rounding error in units, if both values are known.
    ///
    /// Far from the solution, strategies that are optimal for the lower bounds improve them only slowly. The middle is closer to
    /// the value, mostly by half.
    ///
    /// In infinite plays a bound can support itself, because the state comes back. A player who gains by infinite plays need not
    /// make progress: strategies that are optimal for the values suffice, and the other side's bounds tend to the values.
    fn meet(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        (states, bounds): (&mut [CyclicState], &mut [Bounds]),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<i64>> {
        let mut rounding = [None; 2];
        let (_, strategies) = self.optimal(game, |next| middle(bounds[next]));
        for (side, strategies) in Side::BOTH.into_iter().zip(&strategies) {
            let left = self.replies.raise(game, facts, side, strategies, (&mut *states, &mut *bounds), go_on)?;
            rounding[usize::from(side.is_upper())] = left;
        }
        for side in Side::BOTH.into_iter().filter(|_| facts.kind.may_last()) {
            let (upper, own) = (side.is_upper(), usize::from(side.is_upper()));
            let (_, [a, b]) = self.optimal(game, |next| bounds[next].side(!upper));
            let mut strategies = if upper { b } else { a };
            let endless = facts.endless.side(upper);
            for ((strategy, state), bounds) in strategies.iter_mut().zip(&*states).zip(&*bounds) {
                // A bound better than the payoff of infinite plays requires progress.
                if if upper { bounds.upper < endless } else { bounds.lower > endless } {
                    strategy.clone_from(&state.weights[own]);
                }
            }
            let left = self.replies.raise(game, facts, side, &strategies, (&mut *states, &mut *bounds), go_on)?;
            rounding[own] = left.or(rounding[own]);
        }
        ControlFlow::Continue(rounding[0].zip(rounding[1]).map(|(one, other): (i64, i64)| one.saturating_add(other)))
    }

    /// Solves every state's matrix game for these values of its successors; returns the middles of the bounds, and both players'
    /// strategies.
    fn optimal(&mut self, game: &LocalGame, worth: impl Fn(usize) -> i64) -> (Vec<i64>, [Vec<Weights>; 2]) {
        let (mut values, mut strategies) = (Vec::with_capacity(game.len()), [Vec::new(), Vec::new()]);
        for state in 0..game.len() {
            game.fill(state, |next| Bounds::new(worth(next), worth(next)), &mut self.matrix);
            let proved = self.simplex.solve(&self.matrix);
            values.push(middle(proved.bounds));
            for (own, strategies) in proved.strategies.iter().zip(&mut strategies) {
                strategies.push(own.support().to_vec());
            }
        }
        (values, strategies)
    }

    /// Solves a state again and accepts strict improvements.
    fn improve(&mut self, game: &LocalGame, state: usize, bounds: &mut [Bounds], weights: &mut [Weights; 2]) {
        game.fill(state, |other| bounds[other], &mut self.matrix);
        let proved = self.simplex.solve(&self.matrix);
        let own = &mut bounds[state];
        if proved.bounds.lower > own.lower {
            own.lower = proved.bounds.lower;
            weights[0] = proved.strategies[0].support().to_vec();
        }
        if proved.bounds.upper < own.upper {
            own.upper = proved.bounds.upper;
            weights[1] = proved.strategies[1].support().to_vec();
        }
    }
}

fn middle(bounds: Bounds) -> i64 {
    bounds.lower + (bounds.upper - bounds.lower) / 2
}

fn bounds_of(states: &[CyclicState]) -> Vec<Bounds> {
    states.iter().map(|state| state.bounds).collect()
}

fn widest(bounds: &[Bounds]) -> i64 {
    bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
}

/// The sum of all widths, each computed exactly first: the difference of two large numbers in floating point may be 0.
fn all_widths(bounds: &[Bounds]) -> f64 {
    bounds.iter().map(|bounds| (bounds.upper - bounds.lower) as f64).sum()
}

/// The trivial bounds of a state of a discounted game.
pub(crate) const LARGEST: Bounds = Bounds::new(-1 << BOUND_BITS, 1 << BOUND_BITS);
