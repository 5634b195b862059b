//! Solving the states of a cycle: bounds that are proved from the first to the last step, narrowed from both sides.
//!
//! A bound `L` with stationary weights `x` is proved if `L ≤ T_x L` at every state, against every action of B, and if no set of
//! states in which B can keep play against `x` has an `L` above what endless play pays there (`docs/games.md` has the proof). Both
//! hold for a start that is low enough, and stay true when a state's `L` is raised, strictly, to what `x`, old or new, secures
//! there. Upper bounds are the same with the players exchanged.

use std::ops::ControlFlow;

use super::kind::Kind;
use super::local_game::{LocalGame, Side};
use crate::bounds::{BOUND_BITS, Bounds, FixedPoint};
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex};

/// The solution of a state: its bounds, and the weights of A and of B that prove them.
#[derive(Clone, Debug)]
pub(super) struct CyclicState {
    pub(super) bounds: Bounds,
    pub(super) weights: [Vec<(u32, u64)>; 2],
}

/// The buffers for solving.
#[derive(Default)]
pub(super) struct CyclicSolver {
    pub(super) simplex: EnclosedSimplex,
    pub(super) matrix: EnclosedMatrix,
}

/// What is known of a component before it is solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct CycleFacts {
    pub(super) kind: Kind,
    /// The integers next to what endless play pays.
    pub(super) endless: Bounds,
}

/// Cells that are looked at while strategies stay as they are, for one that is solved anew, at most: solving a matrix game takes
/// as long as reading its cells some hundred times.
const EVALUATIONS: usize = 1_000;

/// Rounds of new strategies, at most.
const ROUNDS: usize = 2_000;

/// Rounds that together gain less than a part in this many end the work.
const SLOW_ROUNDS: usize = 50;

/// Rounds in which what endless play pays is to settle, at most.
const SETTLING_ROUNDS: usize = 200;

/// Bounds this close, beyond those of what leaves the component, are as close as rounding lets them be.
const CLOSE: i64 = 64;

impl CyclicSolver {
    /// Solves a component from bounds that prove themselves with any strategies; `go_on` is asked now and then.
    pub(super) fn solve(
        &mut self,
        game: &LocalGame,
        facts: CycleFacts,
        start: &[Bounds],
        go_on: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Vec<CyclicState>> {
        let pure = || vec![(0, DyadicStrategy::WHOLE)];
        let mut states: Vec<CyclicState> =
            start.iter().map(|&bounds| CyclicState { bounds, weights: [pure(), pure()] }).collect();
        if let [state] = states.as_mut_slice() {
            self.solve_alone(game, facts, state);
            return Some(states);
        }
        if facts.kind == Kind::Recursive {
            for side in Side::BOTH {
                self.settle(game, side, facts.endless.side(side.is_upper()), &mut states);
            }
        }
        self.narrow(game, &mut states, go_on)?;
        Some(states)
    }

    /// Begins with endless play: what a player secures of its payoff by staying, or by leaving for less where staying is not
    /// possible. From there on only leaving gains.
    ///
    /// The bounds fall from that payoff until every state's strategy holds its own; where rounding prevents that, states keep
    /// what they have.
    fn settle(&mut self, game: &LocalGame, side: Side, endless: i64, states: &mut [CyclicState]) {
        let own = usize::from(side.is_upper());
        let mut values = vec![endless; game.len()];
        let mut weights = vec![Vec::new(); game.len()];
        for _ in 0..SETTLING_ROUNDS {
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
            return;
        }
    }

    /// Solves a state that may repeat itself, as a fixed point.
    fn solve_alone(&mut self, game: &LocalGame, facts: CycleFacts, state: &mut CyclicState) {
        let Self { simplex, matrix } = self;
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
    fn narrow(&mut self, game: &LocalGame, states: &mut [CyclicState], go_on: &mut dyn FnMut() -> ControlFlow<()>) -> Option<()> {
        let mut bounds: Vec<Bounds> = states.iter().map(|state| state.bounds).collect();
        let mut widths = vec![widest(&bounds)];
        for round in 0..ROUNDS {
            let mut changed = false;
            for (state, solved) in states.iter_mut().enumerate() {
                changed |= self.improve(game, state, &mut bounds, &mut solved.weights);
            }
            let mut evaluations = 0;
            for side in Side::BOTH {
                while evaluations < EVALUATIONS {
                    evaluations += 1;
                    if !evaluate(game, side, states, &mut bounds, evaluations % 2 == 0) {
                        break;
                    }
                    if evaluations % 64 == 0 && go_on().is_break() {
                        return None;
                    }
                }
                evaluations = 0;
            }
            if go_on().is_break() {
                return None;
            }
            let width = widest(&bounds);
            let slow = widths.len() > SLOW_ROUNDS && width > widths[round + 1 - SLOW_ROUNDS] / 100 * 99;
            if !changed || width <= CLOSE || slow {
                break;
            }
            widths.push(width);
        }
        for (state, bounds) in states.iter_mut().zip(bounds) {
            state.bounds = bounds;
        }
        Some(())
    }

    /// Solves a state anew and takes what is strictly better; whether there was anything.
    fn improve(&mut self, game: &LocalGame, state: usize, bounds: &mut [Bounds], weights: &mut [Vec<(u32, u64)>; 2]) -> bool {
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
fn evaluate(game: &LocalGame, side: Side, states: &[CyclicState], bounds: &mut [Bounds], backward: bool) -> bool {
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

/// The largest distance of two bounds.
fn widest(bounds: &[Bounds]) -> i64 {
    bounds.iter().map(|bounds| bounds.upper - bounds.lower).max().unwrap_or(0)
}

/// Bounds of a state of a discounted game whatever happens: the largest numbers there are.
pub(super) const LARGEST: Bounds = Bounds::new(-1 << BOUND_BITS, 1 << BOUND_BITS);
