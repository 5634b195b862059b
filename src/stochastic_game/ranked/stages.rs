//! The matrix games of a state, told by ranks.

use crate::bounds::{Bounds, Rounding};
use crate::error::StochasticGameFault;
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex, SmallSimplex};
use crate::stochastic_game::model::Scale;

/// The bounds of the layers that are in memory.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The number of the first.
    pub(super) first: u32,
    pub(super) layers: Vec<Vec<Bounds>>,
}

impl Kept {
    #[inline]
    pub(super) fn get(&self, layer: u32, rank: u64) -> Option<Bounds> {
        self.layers.get(layer.wrapping_sub(self.first) as usize)?.get(rank as usize).copied()
    }
}

/// The unit of a game's bounds, and the largest of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) scale: Scale,
    pub(super) payoff: u64,
}

impl Limits {
    /// Whether bounds are those of payoffs that were promised, but for roundings.
    #[inline]
    pub(super) const fn allow(self, Bounds { lower, upper }: Bounds) -> bool {
        let most = ((self.payoff as i64) << self.scale.exponent) + (1 << 33);
        -most <= lower && upper <= most
    }
}

/// The buffers for one state after another.
#[derive(Default)]
pub(super) struct Buffers {
    cells: Vec<Bounds>,
    small: SmallSimplex,
    matrix: EnclosedMatrix,
    simplex: EnclosedSimplex,
    /// The matrix games that were solved.
    pub(super) matrices: u64,
}

/// Is told the matrix games of a state: one, or several of which chance chooses one. Cells follow their matrix row by row.
pub struct Stages<'s> {
    kept: &'s Kept,
    limits: Limits,
    buffers: &'s mut Buffers,
    /// The open matrix.
    shape: [usize; 2],
    weight: u64,
    /// Sums of the matrices before it.
    sums: [i128; 2],
    weights: u64,
    fault: Option<StochasticGameFault>,
}

impl std::fmt::Debug for Stages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stages").field("shape", &self.shape).field("weight", &self.weight).finish_non_exhaustive()
    }
}

impl<'s> Stages<'s> {
    pub(super) fn new(kept: &'s Kept, limits: Limits, buffers: &'s mut Buffers) -> Self {
        buffers.cells.clear();
        Self { kept, limits, buffers, shape: [0; 2], weight: 0, sums: [0; 2], weights: 0, fault: None }
    }

    /// Begins a matrix game with so many actions of A and of B, which chance chooses with a probability in proportion to its weight.
    #[inline]
    pub fn matrix(&mut self, weight: u32, a: usize, b: usize) {
        self.close();
        (self.shape, self.weight) = ([a, b], weight.into());
    }

    /// The next cell: a reward, and a state of an earlier layer, in which the players are exchanged or not.
    #[inline]
    pub fn to(&mut self, reward: i64, (layer, rank): (u32, u64), exchanged: bool) {
        let Some(Bounds { lower, upper }) = self.kept.get(layer, rank) else {
            return self
                .refuse(|| format!("rank {rank} of layer {layer} follows; expected one of an earlier layer that is needed"));
        };
        let paid = self.paid(reward);
        let bounds = if exchanged { Bounds::new(paid - upper, paid - lower) } else { Bounds::new(paid + lower, paid + upper) };
        if !self.limits.allow(bounds) {
            self.fault.get_or_insert(StochasticGameFault::PayoffBound);
        }
        self.buffers.cells.push(bounds);
    }

    /// The next cell: a reward after which nothing more is won or lost on average.
    #[inline]
    pub fn pays(&mut self, reward: i64) {
        let paid = self.paid(reward);
        self.buffers.cells.push(Bounds::new(paid, paid));
    }

    #[inline]
    fn paid(&mut self, reward: i64) -> i64 {
        if reward.unsigned_abs() > self.limits.payoff {
            self.fault.get_or_insert(StochasticGameFault::PayoffBound);
            return 0;
        }
        reward << self.limits.scale.exponent
    }

    #[cold]
    fn refuse(&mut self, reason: impl FnOnce() -> String) {
        self.fault.get_or_insert_with(|| StochasticGameFault::Rank { reason: reason() });
    }

    /// Solves the open matrix.
    #[inline]
    fn close(&mut self) {
        let [rows, columns] = self.shape;
        if rows * columns != self.buffers.cells.len() {
            let found = self.buffers.cells.len();
            self.refuse(|| format!("a matrix of {rows} by {columns} actions has {found} cells"));
        }
        if self.fault.is_none() && self.weight > 0 && rows * columns > 0 {
            let bounds = self.buffers.solve(self.shape);
            self.sums[0] += i128::from(self.weight) * i128::from(bounds.lower);
            self.sums[1] += i128::from(self.weight) * i128::from(bounds.upper);
            self.weights += self.weight;
        }
        self.buffers.cells.clear();
        self.weight = 0;
    }

    /// The bounds of the state.
    ///
    /// # Errors
    /// What is wrong with what was told.
    pub(super) fn finish(mut self) -> Result<Bounds, StochasticGameFault> {
        self.close();
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.weights == 0 {
            return Err(StochasticGameFault::NoWeight);
        }
        let [lower, upper] = self.sums;
        let mean = |sum, rounding: Rounding| rounding.quotient(sum, self.weights.into()) as i64;
        let bounds = if self.weights == 1 {
            Bounds::new(lower as i64, upper as i64)
        } else {
            Bounds::new(mean(lower, Rounding::Down), mean(upper, Rounding::Up))
        };
        if self.limits.allow(bounds) { Ok(bounds) } else { Err(StochasticGameFault::PayoffBound) }
    }
}

impl Buffers {
    /// Solves the matrix of the cells.
    fn solve(&mut self, shape: [usize; 2]) -> Bounds {
        self.matrices += 1;
        let Self { cells, small, matrix, simplex, .. } = self;
        small.solve(shape, cells).unwrap_or_else(|| {
            matrix.assign(shape, cells);
            simplex.solve(matrix).bounds
        })
    }
}
