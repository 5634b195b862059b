//! Solving the states of a cycle: bounds that are proved from the first to the last step, narrowed from both sides.
//!
//! A bound `L` with stationary weights `x` is proved if `L ≤ T_x L` at every state, against every action of B, and if no set of
//! states in which B can keep play against `x` has an `L` above what endless play pays there (`docs/games.md` has the proof). Both
//! hold for a start that is low enough, and stay true when a state's `L` is raised, strictly, to what `x`, old or new, secures
//! there; larger steps, which policy iteration guesses, are checked as a whole. Upper bounds are the same with the players exchanged.

use std::ops::ControlFlow;

use super::cycle::{Course, CycleFacts, CycleProgress, CyclicState, Weights};
use super::local_game::{LocalGame, Side};
use super::policy_iteration::PolicyIteration;
use crate::bounds::{BOUND_BITS, Bounds, FixedPoint};
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex};
use crate::stochastic_game::model::Kind;

/// The buffers for solving.
#[derive(Default)]
pub(crate) struct CyclicSolver {
    pub(crate) simplex: EnclosedSimplex,
    pub(crate) matrix: EnclosedMatrix,
    replies: PolicyIteration,
}

/// Sweeps in which bounds are raised while strategies stay as they are, at most: solving a matrix game takes as long as reading
/// its cells some hundred times.
const EVALUATIONS: usize = 1_000;

/// Sweeps after which it is worth while to solve for what strategies are worth: what leaves a cycle soon has closed by then. Where
/// it once had not, fewer.
const FIRST_EVALUATIONS: usize = 64;
const QUICK_EVALUATIONS: usize = 8;

/// Rounds of new strategies, at most.
const ROUNDS: usize = 2_000;

/// Rounds that leave more than this share of all widths gain little.
const LITTLE: f64 = 0.99;

/// So many rounds that together gain little end the work: some more where bounds only creep.
const SLOW_ROUNDS: usize = 50;
const SLOW_JUMPS: usize = 4;

/// After so many rounds bounds creep.
const MANY_ROUNDS: usize = 16;

/// Rounds in which what endless play pays is to settle, at most.
const SETTLING_ROUNDS: usize = 200;

/// Bounds this close, beyond those of what leaves the component, are as close as rounding lets them be.
const CLOSE: i64 = 64;

impl CyclicSolver {
    /// Solves a component from bounds that prove themselves with any strategies, or from where it was interrupted; `None` when it
    /// was stopped.
    pub(crate) fn solve(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        start: &[Bounds],
        course: &mut Course<'_>,
    ) -> Option<Vec<CyclicState>> {
        if let Some(begun) = course.begun.take() {
            return self.narrow(game, facts, begun, course);
        }
        let pure = || vec![(0, DyadicStrategy::WHOLE)];
        let mut states: Vec<CyclicState> =
            start.iter().map(|&bounds| CyclicState { bounds, weights: [pure(), pure()] }).collect();
        if let [state] = states.as_mut_slice() {
            self.solve_alone(game, facts, state);
            return Some(states);
        }
        if facts.kind == Kind::Recursive {
            for side in Side::BOTH {
                let endless = facts.endless.side(side.is_upper());
                if self.settle(game, side, endless, &mut states, course.go_on).is_break() {
                    return None;
                }
            }
        }
        let widths = vec![all_widths(&bounds_of(&states))];
        self.narrow(game, facts, CycleProgress { states, rounds: 0, lingers: false, widths }, course)
    }

    /// Begins with endless play: what a player secures of its payoff by staying, or by leaving for less where staying is not
    /// possible. From there on only leaving gains.
    ///
    /// The bounds fall from that payoff until every state's strategy holds its own; where rounding prevents that, states keep
    /// what they have.
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
        let endless = if facts.kind == Kind::Recursive { facts.endless } else { Bounds::default() };
        let mut point = FixedPoint::new(state.bounds, endless, |repeated, upper| {
            game.fill(0, |_| Bounds::new(repeated, repeated), matrix);
            let proved = simplex.solve(matrix);
            let value = proved.bounds.side(upper);
            let own = usize::from(upper);
            // The strategy is kept where it proves the bound by itself: see the head of this file.
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
    /// That is strategy iteration (Hoffman and Karp 1966) for both players at once: new strategies everywhere, then what they are
    /// worth against the best replies.
    fn narrow(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        CycleProgress { mut states, rounds, mut lingers, mut widths }: CycleProgress,
        Course { go_on, reached, .. }: &mut Course<'_>,
    ) -> Option<Vec<CyclicState>> {
        let mut bounds = bounds_of(&states);
        for round in rounds..ROUNDS {
            if let Some(reached) = reached {
                let with_bounds = |(state, &bounds): (&CyclicState, &Bounds)| CyclicState { bounds, ..state.clone() };
                let states = states.iter().zip(&bounds).map(with_bounds).collect();
                reached(CycleProgress { states, rounds: round, lingers, widths: widths.clone() });
            }
            let mut changed = false;
            for (state, solved) in states.iter_mut().enumerate() {
                changed |= self.improve(game, state, &mut bounds, &mut solved.weights);
            }
            // Within so many units bounds are as close as rounding lets them be.
            let mut rounding = Some(0);
            let sweeps = if lingers { QUICK_EVALUATIONS } else { FIRST_EVALUATIONS };
            for side in Side::BOTH {
                let ControlFlow::Continue(left) = self.evaluate(game, facts, side, sweeps, (&mut states, &mut bounds), *go_on)
                else {
                    return None;
                };
                rounding = rounding.zip(left).map(|(one, other): (i64, i64)| one.saturating_add(other));
            }
            lingers |= round == MANY_ROUNDS || rounding.is_some_and(|rounding| rounding > 0);
            let patience = if lingers && rounding.is_some() { SLOW_JUMPS } else { SLOW_ROUNDS };
            let before = all_widths(&bounds);
            let stuck = !changed || (widths.len() > patience && before > widths[widths.len() - patience] * LITTLE);
            // Where play may last for ever, bounds can hold themselves up.
            let meets = lingers && rounding.is_some() || stuck && facts.kind == Kind::Recursive;
            let mut last = f64::INFINITY;
            while meets && widest(&bounds) > CLOSE.max(rounding.unwrap_or(0)) && all_widths(&bounds) <= last / 2.0 {
                last = all_widths(&bounds);
                if go_on().is_break() {
                    return None;
                }
                let ControlFlow::Continue(left) = self.meet(game, facts, (&mut states, &mut bounds), *go_on) else { return None };
                rounding = left;
            }
            if go_on().is_break() {
                return None;
            }
            let width = all_widths(&bounds);
            if (stuck && width > before * LITTLE) || widest(&bounds) <= CLOSE.max(rounding.unwrap_or(0)) {
                break;
            }
            widths.push(width);
        }
        for (state, bounds) in states.iter_mut().zip(bounds) {
            state.bounds = bounds;
        }
        Some(states)
    }

    /// Raises the bounds of a side to what its strategies are worth, up to the units of rounding that are told; where that is not
    /// known, for a while.
    fn evaluate(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        side: Side,
        sweeps: usize,
        (states, bounds): (&mut [CyclicState], &mut [Bounds]),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<i64>> {
        for sweep in 0..EVALUATIONS {
            if sweep == sweeps {
                let strategies: Vec<Weights> =
                    states.iter().map(|state| state.weights[usize::from(side.is_upper())].clone()).collect();
                if let Some(rounding) = self.replies.raise(game, facts, side, &strategies, (states, bounds), go_on)? {
                    return ControlFlow::Continue(Some(rounding));
                }
            }
            if !raise(game, side, states, bounds, sweep % 2 == 1) {
                return ControlFlow::Continue(Some(0));
            }
            go_on()?;
        }
        ControlFlow::Continue(None)
    }

    /// Tries the strategies that are optimal if every state is worth the middle of its bounds, and in a recursive game those that
    /// are if it is worth the bound of the other side; returns the units of rounding, if what both are worth is known.
    ///
    /// Where play is long, bounds creep: what the worst that a state can be worth makes optimal hardly gains. The middle is nearer
    /// to the truth, mostly by half.
    ///
    /// Where play may last for ever, a state can be worth as much as its bound because it comes back, whatever the bound is. Who
    /// gains by endless play need not get on: what is optimal for the values is good enough, and the other side's bound is what
    /// tends to them.
    fn meet(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        (states, bounds): (&mut [CyclicState], &mut [Bounds]),
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<i64>> {
        let mut rounding = [None; 2];
        let middle = |bounds: Bounds| bounds.lower + (bounds.upper - bounds.lower) / 2;
        let strategies = self.optimal(game, bounds, middle);
        for (side, strategies) in Side::BOTH.into_iter().zip(&strategies) {
            let left = self.replies.raise(game, facts, side, strategies, (&mut *states, &mut *bounds), go_on)?;
            rounding[usize::from(side.is_upper())] = left;
        }
        for side in Side::BOTH.into_iter().filter(|_| facts.kind == Kind::Recursive) {
            let (upper, own) = (side.is_upper(), usize::from(side.is_upper()));
            let [a, b] = self.optimal(game, bounds, |bounds| bounds.side(!upper));
            let mut strategies = if upper { b } else { a };
            let endless = facts.endless.side(upper);
            for ((strategy, state), bounds) in strategies.iter_mut().zip(&*states).zip(&*bounds) {
                // Better than endless play: it has to get on, and does.
                if if upper { bounds.upper < endless } else { bounds.lower > endless } {
                    strategy.clone_from(&state.weights[own]);
                }
            }
            let left = self.replies.raise(game, facts, side, &strategies, (&mut *states, &mut *bounds), go_on)?;
            rounding[own] = left.or(rounding[own]);
        }
        ControlFlow::Continue(rounding[0].zip(rounding[1]).map(|(one, other): (i64, i64)| one.saturating_add(other)))
    }

    /// The optimal strategies of both players if every state is worth what its bounds say.
    fn optimal(&mut self, game: &LocalGame, bounds: &[Bounds], worth: impl Fn(Bounds) -> i64) -> [Vec<Weights>; 2] {
        let mut strategies = [Vec::new(), Vec::new()];
        for state in 0..game.len() {
            let worth = |next: usize| worth(bounds[next]);
            game.fill(state, |next| Bounds::new(worth(next), worth(next)), &mut self.matrix);
            for (own, strategies) in self.simplex.solve(&self.matrix).strategies.iter().zip(&mut strategies) {
                strategies.push(own.support().to_vec());
            }
        }
        strategies
    }

    /// Solves a state anew and takes what is strictly better; whether there was anything.
    fn improve(&mut self, game: &LocalGame, state: usize, bounds: &mut [Bounds], weights: &mut [Weights; 2]) -> bool {
        game.fill(state, |other| bounds[other], &mut self.matrix);
        let proved = self.simplex.solve(&self.matrix);
        let mut changed = false;
        let own = &mut bounds[state];
        if proved.bounds.lower > own.lower {
            own.lower = proved.bounds.lower;
            weights[0] = proved.strategies[0].support().to_vec();
            changed = true;
        }
        if proved.bounds.upper < own.upper {
            own.upper = proved.bounds.upper;
            weights[1] = proved.strategies[1].support().to_vec();
            changed = true;
        }
        changed
    }
}

/// Raises the bounds of a side to what its strategies secure, state after state; whether any was raised.
fn raise(game: &LocalGame, side: Side, states: &[CyclicState], bounds: &mut [Bounds], backward: bool) -> bool {
    let mut changed = false;
    let count = game.len();
    for place in 0..count {
        let state = if backward { count - 1 - place } else { place };
        let secured = game.secured(state, side, &states[state].weights[usize::from(side.is_upper())], bounds);
        let own = &mut bounds[state];
        match side {
            Side::Lower if secured > own.lower => own.lower = secured,
            Side::Upper if secured < own.upper => own.upper = secured,
            _ => continue,
        }
        changed = true;
    }
    changed
}

fn bounds_of(states: &[CyclicState]) -> Vec<Bounds> {
    states.iter().map(|state| state.bounds).collect()
}

fn widest(bounds: &[Bounds]) -> i64 {
    bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
}

/// The sum of all distances, each an exact difference first: that of two large numbers in floating point may be 0.
fn all_widths(bounds: &[Bounds]) -> f64 {
    bounds.iter().map(|bounds| (bounds.upper - bounds.lower) as f64).sum()
}

/// Bounds of a state of a discounted game whatever happens: the largest numbers there are.
pub(crate) const LARGEST: Bounds = Bounds::new(-1 << BOUND_BITS, 1 << BOUND_BITS);
