//! Strategies that are optimal when play ends at every turn with a small probability λ, for the
//! payoff of infinite plays: guesses in floating point.
//!
//! As λ vanishes, the values tend to those of the recursive game (Everett 1957; Bewley and Kohlberg
//! 1976), and every λ prefers the shorter one of two ways of equal payoff. Where the way out of a
//! cycle is long, the values on it differ by less than any unit, and values alone do not tell which
//! action leads out. Values count here from the payoff of infinite plays, so that a double keeps
//! all digits of those that a large λ makes tiny.

use std::ops::ControlFlow;

use super::cycle::{CheckCancel, Weights};
use super::double_matrix::DoubleMatrix;
use super::local_game::LocalGame;
use super::markov_chain::{MarkovChain, Transitions};
use crate::matrix_game::DyadicStrategy;

/// The first λ is 2^−this: the way out may be some thousand turns long, until doubles end.
const FIRST_BITS: i32 = 2;

/// Each λ is 2^−this of the one before it.
const STEP_BITS: i32 = 6;

/// The last λ is 2^−this: of 53 bits half are left for the difference that a turn makes.
const LAST_BITS: i32 = 26;

/// The most steps of strategy iteration for a λ.
const STEPS: usize = 50;

/// Values are found when no state's changes by more than this share of it: policy iteration is
/// exact to rounding once no strategy changes.
const SETTLED: f64 = 1e-12;

/// The games of a component in which play ends at every turn with probability λ.
pub(super) struct Vanishing<'g> {
    game: &'g LocalGame,
    matrix: DoubleMatrix,
    bits: i32,
    /// The values at the last λ, in units from the payoff of infinite plays.
    pub(super) values: Vec<f64>,
    /// The steps of both players' strategies at the last λ, and what a turn pays on leaving.
    chain: Vec<Transitions>,
    pays: Vec<f64>,
    pub(super) strategies: [Vec<Weights>; 2],
}

impl<'g> Vanishing<'g> {
    pub(super) fn new(game: &'g LocalGame) -> Self {
        let states = game.len();
        Self {
            game,
            matrix: DoubleMatrix::default(),
            bits: FIRST_BITS - STEP_BITS,
            values: vec![0.0; states],
            chain: vec![Transitions::default(); states],
            pays: vec![0.0; states],
            strategies: [(); 2].map(|()| vec![Vec::new(); states]),
        }
    }

    /// Solves for the next λ; returns whether there is one.
    pub(super) fn advance(&mut self, check_cancel: &mut CheckCancel<'_>) -> ControlFlow<(), bool> {
        self.bits += STEP_BITS;
        if self.bits > LAST_BITS {
            return ControlFlow::Continue(false);
        }
        let stays = 1.0 - f64::from(-self.bits).exp2();
        for _ in 0..STEPS {
            check_cancel()?;
            // In both directions, so that values pass along a chain of states whatever its order.
            for state in 0..self.game.len() {
                self.improve(state, stays);
            }
            let mut is_settled = true;
            for state in (0..self.game.len()).rev() {
                let before = self.values[state];
                self.improve(state, stays);
                is_settled &= (self.values[state] - before).abs() <= SETTLED * before.abs();
            }
            if is_settled {
                break;
            }
            // A Newton step: the values of this pair of strategies.
            if let Some(values) =
                MarkovChain::new(self.chain.clone()).collected(&self.pays, check_cancel)?
            {
                self.values = values;
            }
        }
        ControlFlow::Continue(true)
    }

    /// Solves a state's matrix game by the values of its successors.
    fn improve(&mut self, state: usize, stays: f64) {
        let Self { game, matrix, values, .. } = self;
        matrix.fill(
            game.cells(state)
                .map(|cell| stays * (cell.leaving(game.endless.lower) + cell.later(values))),
        );
        let [_, columns] = game.actions(state);
        self.values[state] = matrix.solve(columns);
        let Transitions { steps, ends } = &mut self.chain[state];
        steps.clear();
        (*ends, self.pays[state]) = (1.0 - stays, 0.0);
        for &(row, share) in &matrix.row {
            for &(column, other) in &matrix.column {
                let cell = game.pair(state, row, column);
                let share = stays * share * other;
                let step = share / cell.denominator as f64;
                steps.extend(
                    cell.inside.iter().map(|outcome| (outcome.state, step * outcome.weight as f64)),
                );
                *ends += step * cell.leaves() as f64;
                self.pays[state] += share * cell.leaving(game.endless.lower);
            }
        }
        for (strategies, shares) in self.strategies.iter_mut().zip([&matrix.row, &matrix.column]) {
            let mut weights = DyadicStrategy::default();
            weights.approximate(shares);
            strategies[state] = weights.support().to_vec();
        }
    }
}
