//! A state of a ranked game as [`GameRules`](crate::stochastic_game::GameRules) tell it: where ranks do not tell it faster, to check
//! those that do, and for strategies.

use super::RankedRules;
use super::stages::Limits;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::{DyadicStrategy, EnclosedMatrix, EnclosedSimplex};
use crate::stochastic_game::explore::check_counts;
use crate::stochastic_game::model::{Node, Outcome, Outcomes, packed};
use crate::stochastic_game::sweep::probabilities;

/// So many states without a rank, one after the other, are taken for a cycle.
const MOST_UNRANKED: usize = 256;

/// A's and B's strategy: actions, rising, with their probabilities.
pub(super) type Chosen = [Vec<(usize, f64)>; 2];

/// Asks the rules about states.
pub(super) struct Asked<'a, R: RankedRules> {
    pub(super) rules: &'a R,
    pub(super) limits: Limits,
    /// The bounds of a rank, if they are at hand.
    pub(super) known: &'a dyn Fn(u32, u64) -> Option<Bounds>,
    pub(super) matrices: u64,
}

impl<R: RankedRules> Asked<'_, R> {
    /// Bounds of a state by the layers before `layer`, and the strategies that prove them; none at an end.
    ///
    /// # Errors
    /// What the rules get wrong, with the name of the state.
    pub(super) fn solve(&mut self, state: &R::State, layer: u32) -> Result<(Bounds, Chosen), StochasticGameError> {
        self.solve_within(state, layer, 0)
    }

    fn solve_within(&mut self, state: &R::State, layer: u32, depth: usize) -> Result<(Bounds, Chosen), StochasticGameError> {
        let (rules, limits, scale) = (self.rules, self.limits, self.limits.scale);
        let refuse = |fault: StochasticGameFault| StochasticGameError::from(fault).in_state(&rules.name(state));
        let within = |bounds| if limits.allow(bounds) { Ok(bounds) } else { Err(refuse(StochasticGameFault::PayoffBound)) };
        let [rows, columns] = match rules.node(state) {
            Node::Over(value) => return Ok((within(scale.bounds(&value))?, Chosen::default())),
            Node::Choose { a, b } => [a, b],
        };
        check_counts(rows, columns).map_err(refuse)?;
        if depth > MOST_UNRANKED {
            return Err(refuse(StochasticGameFault::Cycle));
        }
        let (mut outcomes, mut numbered, mut worth) = (Outcomes::new(), Vec::new(), Vec::new());
        let mut cells = Vec::with_capacity(rows * columns);
        for (a, b) in (0..rows).flat_map(|a| (0..columns).map(move |b| (a, b))) {
            outcomes.clear();
            numbered.clear();
            worth.clear();
            rules.after(state, a, b, &mut outcomes);
            if outcomes.reward.0.unsigned_abs() > limits.payoff.saturating_mul(outcomes.reward.1) {
                return Err(refuse(StochasticGameFault::PayoffBound));
            }
            for (weight, next) in outcomes.states.drain(..) {
                let (next, exchanged) = rules.canonical(next);
                let bounds = match rules.rank(&next) {
                    Some((other, rank)) => (other < layer).then(|| (self.known)(other, rank)).flatten().ok_or_else(|| {
                        let reason =
                            format!("rank {rank} of layer {other} follows; expected one of an earlier layer that is needed");
                        refuse(StochasticGameFault::Rank { reason })
                    })?,
                    None => self.solve_within(&next, layer, depth + 1)?.0,
                };
                numbered.push(Outcome { weight, state: worth.len() as u32 });
                worth.push(if exchanged { bounds.mirrored() } else { bounds });
            }
            let cell = packed(outcomes.reward, &mut numbered).map_err(refuse)?;
            cells.push(within(cell.bounds(scale.exponent, |next| worth[next as usize]))?);
        }
        self.matrices += 1;
        let (mut matrix, mut simplex) = (EnclosedMatrix::default(), EnclosedSimplex::default());
        matrix.assign([rows, columns], &cells);
        let proved = simplex.solve(&matrix);
        Ok((proved.bounds, proved.strategies.map(|strategy: &DyadicStrategy| probabilities(strategy.support()))))
    }

    /// Checks a rank, and bounds that it was found to have: that they overlap those of the rules.
    ///
    /// # Errors
    /// [`StochasticGameFault::Rank`] where they do not; those of [`solve`](Self::solve).
    pub(super) fn check(&mut self, layer: u32, rank: u64, found: Bounds) -> Result<(), StochasticGameError> {
        let state = self.rules.state(layer, rank);
        let refuse = |reason| StochasticGameError::from(StochasticGameFault::Rank { reason }).in_state(&self.rules.name(&state));
        let (canonical, exchanged) = self.rules.canonical(state.clone());
        if exchanged || canonical != state {
            return Err(refuse(format!("rank {rank} of layer {layer} has this state, which is not canonical")));
        }
        if self.rules.rank(&state) != Some((layer, rank)) {
            return Err(refuse(format!("rank {rank} of layer {layer} has this state, whose rank is another")));
        }
        let told = self.solve(&state, layer)?.0;
        if told.upper < found.lower || found.upper < told.lower {
            let [found, told] =
                [found, told].map(|bounds| Enclosure::from_integers(bounds, self.limits.scale.exponent).decimal());
            let reason = format!("told by ranks the value lies in {found}, by states in {told}");
            return Err(StochasticGameError::from(StochasticGameFault::Rank { reason }).in_state(&self.rules.name(&state)));
        }
        Ok(())
    }
}
