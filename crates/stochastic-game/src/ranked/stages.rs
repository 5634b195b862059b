//! The matrix games of a state, by ranks or by the rules, and their solution.

use num_rational::BigRational;

use super::RankedRules;
use super::kept::Kept;
use crate::bounds::{Bounds, Rounding};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::explore::{CanonicalState, check_actions, refuse_state};
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};
use crate::model::{CellView, GameRules, Node, Outcome, Outcomes, PayoffLimit, packed, size};
use crate::sweep::probabilities;

/// This many states without a rank, one after the other, are taken for a cycle.
pub(super) const MOST_UNRANKED: usize = 256;

/// A's and B's strategy: the actions that are chosen, rising, with their probabilities.
pub(super) type ChosenActions = [Vec<(usize, f64)>; 2];

/// The buffers for one state after another.
#[derive(Default)]
pub(super) struct Buffers {
    matrix: EnclosedMatrix,
    simplex: EnclosedSimplex,
    /// The matrix games that were solved.
    pub(super) matrices: u64,
}

/// Finds the bounds of successors of the states of a layer.
#[derive(Clone, Copy)]
pub(super) struct Successors<'k> {
    pub(super) kept: &'k Kept<'k>,
    pub(super) limit: PayoffLimit,
    /// Successors lie in layers before this one.
    pub(super) layer: u32,
    /// In bytes; no matrix game may be larger.
    pub(super) memory_limit: u64,
}

impl Successors<'_> {
    /// The bounds of a canonical state by its rank; `None` if it has no rank.
    ///
    /// # Errors
    /// [`StochasticGameFault::Rank`] for a rank that no earlier layer has.
    pub(super) fn find<R: RankedRules>(
        &self,
        rules: &R,
        state: &R::State,
    ) -> Result<Option<Bounds>, StochasticGameFault> {
        rules.rank(state).map(|(layer, rank)| self.of_rank(layer, rank)).transpose()
    }

    #[inline]
    fn of_rank(&self, layer: u32, rank: u64) -> Result<Bounds, StochasticGameFault> {
        let known = if layer < self.layer { self.kept.find(layer, rank)? } else { None };
        known.ok_or_else(|| {
            let reason = format!("rank {rank} of layer {layer} follows; expected one of an earlier layer that is needed");
            StochasticGameFault::Rank { reason }
        })
    }
}

/// The outcome of a pair of actions by the rules, with canonical successors.
#[derive(Debug)]
pub(super) struct RuleCell<S> {
    pub(super) outcomes: Outcomes<S>,
    pub(super) successors: Vec<CanonicalState<S>>,
    /// Their weights, with their places among the successors.
    pub(super) numbered: Vec<Outcome>,
}

impl<S> Default for RuleCell<S> {
    fn default() -> Self {
        Self { outcomes: Outcomes::new(), successors: Vec::new(), numbered: Vec::new() }
    }
}

impl<S> RuleCell<S> {
    /// Asks the rules for the outcome of a pair of actions.
    pub(super) fn ask_rules<R: GameRules<State = S>>(
        &mut self,
        rules: &R,
        state: &S,
        a: usize,
        b: usize,
    ) {
        self.outcomes.clear();
        self.successors.clear();
        self.numbered.clear();
        rules.after(state, a, b, &mut self.outcomes);
        for (weight, next) in self.outcomes.states.drain(..) {
            self.numbered.push(Outcome { weight, state: self.successors.len() as u32 });
            self.successors.push(CanonicalState::of(rules, next));
        }
    }

    /// The cell in integers; its outcomes name places among the successors.
    ///
    /// # Errors
    /// The first fault of its weights and its reward.
    pub(super) fn packed(&mut self) -> Result<CellView<'_>, StochasticGameFault> {
        packed(self.outcomes.reward, &mut self.numbered)
    }
}

/// Takes the matrix games of a state: one, or several of which chance chooses one. The cells of a
/// matrix follow it row by row.
pub struct Stages<'s> {
    successors: Successors<'s>,
    limit: PayoffLimit,
    buffers: &'s mut Buffers,
    /// The layer that was read last, and its bounds.
    read: (u32, &'s [Bounds]),
    /// The open matrix: its size, the number of its cells so far, and its weight.
    size: [usize; 2],
    next: usize,
    weight: u64,
    /// Weighted sums of the values of the matrices before it.
    sums: [i128; 2],
    weights: u64,
    fault: Option<StochasticGameFault>,
}

impl std::fmt::Debug for Stages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stages")
            .field("size", &self.size)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl<'s> Stages<'s> {
    pub(super) fn new(successors: Successors<'s>, buffers: &'s mut Buffers) -> Self {
        let (size, read, limit) = ([0; 2], (u32::MAX, [].as_slice()), successors.limit);
        Self {
            successors,
            limit,
            buffers,
            read,
            size,
            next: 0,
            weight: 0,
            sums: [0; 2],
            weights: 0,
            fault: None,
        }
    }

    /// Begins a matrix game with these numbers of actions of A and of B. Chance chooses it in
    /// proportion to its weight.
    #[inline]
    pub fn matrix(&mut self, weight: u32, a: usize, b: usize) {
        self.close();
        (self.size, self.next, self.weight) = ([a, b], 0, weight.into());
        if let Err(fault) = check_actions(self.size, self.successors.memory_limit) {
            self.size = [0; 2];
            self.refuse(fault);
        }
        self.buffers.matrix.resize(self.size);
    }

    /// The next cell: a reward, and a successor by its layer and rank, in which the players are
    /// exchanged or not.
    #[inline]
    pub fn to(&mut self, reward: i64, successor: (u32, u64), exchanged: bool) {
        let (layer, rank) = successor;
        let known =
            if self.read.0 == layer { self.read.1.get(rank as usize).copied() } else { None };
        match known.or_else(|| self.first_read(layer, rank)) {
            Some(bounds) => self.paid(reward, if exchanged { bounds.mirrored() } else { bounds }),
            None => self.next += 1,
        }
    }

    /// The next cell: a reward after which nothing more is won or lost on average.
    #[inline]
    pub fn pays(&mut self, reward: i64) {
        self.paid(reward, Bounds::default());
    }

    #[inline]
    fn paid(&mut self, reward: i64, later: Bounds) {
        if self.limit.allows((reward as f64).abs()) {
            let paid = reward << self.limit.scale.exponent;
            self.cell(Bounds::new(paid + later.lower, paid + later.upper));
        } else {
            self.refuse(StochasticGameFault::PayoffBound);
        }
    }

    #[inline]
    fn cell(&mut self, bounds: Bounds) {
        if !self.limit.allows_bounds(bounds) {
            self.refuse(StochasticGameFault::PayoffBound);
        }
        self.buffers.matrix.put(bounds);
        self.next += 1;
    }

    /// Finds a successor in a layer that was not read last.
    #[inline(never)]
    fn first_read(&mut self, layer: u32, rank: u64) -> Option<Bounds> {
        let found = self.successors.of_rank(layer, rank).map_err(|fault| self.refuse(fault)).ok();
        if let Some(bounds) = self.successors.kept.layer(layer).filter(|_| found.is_some()) {
            self.read = (layer, bounds);
        }
        found
    }

    fn end(&self, payoff: &BigRational) -> Result<Bounds, StochasticGameFault> {
        let is_allowed = self.limit.allows(size(payoff));
        is_allowed.then(|| self.limit.scale.bounds(payoff)).ok_or(StochasticGameFault::PayoffBound)
    }

    #[cold]
    fn refuse(&mut self, fault: StochasticGameFault) {
        self.fault.get_or_insert(fault);
    }

    /// Solves the open matrix.
    #[inline]
    fn close(&mut self) {
        let [rows, columns] = self.size;
        if self.next != rows * columns {
            let reason = format!("a matrix of {rows} by {columns} actions has {} cells", self.next);
            self.refuse(StochasticGameFault::Rank { reason });
        }
        if self.fault.is_none() && self.weight > 0 && rows * columns > 0 {
            let Bounds { lower, upper } = self.buffers.simplex.solve(&self.buffers.matrix).bounds;
            self.buffers.matrices += 1;
            for (sum, bound) in self.sums.iter_mut().zip([lower, upper]) {
                *sum += i128::from(self.weight) * i128::from(bound);
            }
            self.weights += self.weight;
        }
    }

    /// The bounds of the state.
    ///
    /// # Errors
    /// The first fault of the outcomes.
    pub(super) fn finish(mut self) -> Result<Bounds, StochasticGameFault> {
        self.close();
        let ([lower, upper], weights) = (self.sums, i128::from(self.weights));
        match self.fault {
            Some(fault) => Err(fault),
            None if weights == 0 => Err(StochasticGameFault::NoWeight),
            None if weights == 1 => Ok(Bounds::new(lower as i64, upper as i64)),
            None => {
                let [lower, upper] = [(lower, Rounding::Down), (upper, Rounding::Up)]
                    .map(|(sum, to)| to.quotient(sum, weights));
                Ok(Bounds::new(lower as i64, upper as i64))
            }
        }
    }

    /// The bounds of the state whose only matrix is open, and the strategies that prove them.
    pub(super) fn strategies(self) -> (Bounds, ChosenActions) {
        let proved = self.buffers.simplex.solve(&self.buffers.matrix);
        (
            proved.bounds,
            proved.strategies.each_ref().map(|strategy| probabilities(strategy.support())),
        )
    }

    /// The bounds of a state by the matrix game of its rules.
    pub(super) fn bounds_by_rules<R: RankedRules>(
        mut self,
        rules: &R,
        state: &R::State,
        depth: usize,
    ) -> Result<Bounds, StochasticGameError> {
        self.ask_rules(rules, state, depth)?;
        self.finish().map_err(|fault| refuse_state(rules, state, fault))
    }

    /// Asks the rules for the matrix of a state. Successors without a rank are solved here, too;
    /// they are as deep as `depth` says.
    ///
    /// # Errors
    /// The first fault of the rules, with the name of the state.
    pub(super) fn ask_rules<R: RankedRules>(
        &mut self,
        rules: &R,
        state: &R::State,
        depth: usize,
    ) -> Result<(), StochasticGameError> {
        let (limit, exponent) = (self.limit, self.limit.scale.exponent);
        let refuse = |fault| refuse_state(rules, state, fault);
        let [rows, columns] = match rules.node(state) {
            Node::Over(payoff) => {
                self.matrix(1, 1, 1);
                self.cell(self.end(&payoff).map_err(refuse)?);
                return Ok(());
            }
            Node::Choose { .. } if depth > MOST_UNRANKED => {
                return Err(refuse(StochasticGameFault::Cycle {
                    expected: "acyclic rules, since they are ranked".to_owned(),
                }));
            }
            Node::Choose { a, b } => [a, b],
        };
        check_actions([rows, columns], self.successors.memory_limit).map_err(refuse)?;
        self.matrix(1, rows, columns);
        let mut cell = RuleCell::default();
        let mut successor_bounds = Vec::new();
        for (a, b) in (0..rows).flat_map(|a| (0..columns).map(move |b| (a, b))) {
            cell.ask_rules(rules, state, a, b);
            successor_bounds.clear();
            for successor in &cell.successors {
                let canonical = &successor.state;
                let bounds = match self.successors.find(rules, canonical).map_err(refuse)? {
                    Some(bounds) => bounds,
                    None => self.unranked(rules, state, canonical, depth)?,
                };
                successor_bounds.push(successor.bounds_by(bounds));
            }
            let cell = cell.packed().map_err(refuse)?;
            if !limit.allows(cell.reward_size()) {
                return Err(refuse(StochasticGameFault::PayoffBound));
            }
            self.cell(cell.bounds(exponent, |next| successor_bounds[next as usize]));
        }
        Ok(())
    }

    /// The bounds of a successor without a rank.
    fn unranked<R: RankedRules>(
        &mut self,
        rules: &R,
        state: &R::State,
        next: &R::State,
        depth: usize,
    ) -> Result<Bounds, StochasticGameError> {
        if let Node::Over(payoff) = rules.node(next) {
            return self.end(&payoff).map_err(|fault| refuse_state(rules, state, fault));
        }
        let mut buffers = Buffers::default();
        let bounds =
            Stages::new(self.successors, &mut buffers).bounds_by_rules(rules, next, depth + 1)?;
        self.buffers.matrices += buffers.matrices;
        Ok(bounds)
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::ranked::kept_layer::KeptLayer;

    #[test]
    fn successors_lie_in_earlier_layers_even_where_later_ones_are_there() {
        let mut kept = Kept::default();
        for layer in 0..3 {
            let bounds = Cow::Owned(vec![Bounds::new(layer.into(), layer.into())]);
            kept.push(layer, KeptLayer { bounds, ..KeptLayer::default() });
        }
        let limit = PayoffLimit::new(2).expect("few");
        let successors = Successors { kept: &kept, limit, layer: 1, memory_limit: u64::MAX };
        assert_eq!(successors.of_rank(0, 0), Ok(Bounds::default()));
        for (layer, rank) in [(0, 1), (1, 0), (2, 0), (u32::MAX, 0)] {
            let fault = successors.of_rank(layer, rank);
            assert!(
                matches!(fault, Err(StochasticGameFault::Rank { .. })),
                "{layer} {rank}: {fault:?}"
            );
        }
    }
}
