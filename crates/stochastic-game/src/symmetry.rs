//! Tests that states of one symmetry class have one value.

use std::borrow::Cow;
use std::collections::HashSet;

use num_traits::ToPrimitive;

use super::explore::{Explored, Lookup, PackedState, RuleRow, refuse_state};
use super::model::{GameRules, Kind, Node, Outcomes, Scale, size};
use super::solution::StochasticSolution;
use crate::bounds::{Bounds, Enclosure, Rounding};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};

/// The most random steps for each requested state, since small games have fewer states.
const STEPS: usize = 16;

impl<R: GameRules> StochasticSolution<R> {
    /// Looks for mistakes of [`canonical`](GameRules::canonical): random play visits up to
    /// `most_states` states, which are solved by the bounds of their successors and compared with
    /// their canonical states. Returns the number of states compared.
    ///
    /// A mistake at one of them is found, unless both states have the same value by accident. Where
    /// play can return, the comparison is valid for exact values only, so that wide bounds hide
    /// mistakes.
    ///
    /// # Errors
    /// [`StochasticGameFault::Symmetry`] with the name of a state whose value differs from its
    /// canonical one's; [`StochasticGameFault::Contradiction`] for a successor that no canonical
    /// state leads to.
    pub fn check_symmetry(&self, most_states: usize) -> Result<usize, StochasticGameError> {
        let (rules, Some(explored)) = (self.game(), self.proof.game.explored()) else {
            return Ok(0);
        };
        let mut compared: HashSet<R::State> = HashSet::new();
        let mut solver = StateSolver::<R>::default();
        let mut outcomes = Outcomes::new();
        let mut drawn = Drawn(1);
        let later = self.discounted();
        let starts = rules.starts();
        let mut state = starts[0].clone();
        for _ in 0..most_states.saturating_mul(STEPS) {
            if compared.len() == most_states {
                break;
            }
            let node = explored.node_of(&state)?;
            if !compared.contains(&state) {
                let enclosure = self.solved_again(explored, &state, &node, &later, &mut solver)?;
                let canonical = self.proof.game.find(&state)?.bounds_among(self.bounds());
                let canonical = Enclosure::proved(canonical, self.proof.exponent);
                let [lower, upper] = enclosure.fractions();
                let [canonical_lower, canonical_upper] = canonical.fractions();
                if lower > canonical_upper || canonical_lower > upper {
                    let text = |enclosure: Enclosure| {
                        let decimal = enclosure.decimal();
                        format!("[{}, {}]", decimal.lower, decimal.upper)
                    };
                    let fault = StochasticGameFault::Symmetry {
                        own: text(enclosure),
                        canonical: text(canonical),
                    };
                    return Err(refuse_state(rules, &state, fault));
                }
                compared.insert(state.clone());
            }
            state = match node {
                Node::Over(_) => starts[drawn.below(starts.len())].clone(),
                Node::Choose { a, b } => {
                    outcomes.clear();
                    rules.after(&state, drawn.below(a), drawn.below(b), &mut outcomes);
                    let successor = drawn.below(outcomes.states.len());
                    outcomes.states.swap_remove(successor).1
                }
            };
        }
        Ok(compared.len())
    }

    /// Bounds of the discounted values of the states.
    fn discounted(&self) -> Cow<'_, [Bounds]> {
        let rules = self.game();
        if rules.kind() != Kind::Discounted {
            return Cow::Borrowed(self.bounds());
        }
        let discount = rules.discount();
        // At most 62 bits: the game was written down with it.
        let [numerator, denominator] =
            [discount.numer(), discount.denom()].map(|part| part.to_i128().unwrap_or(1));
        let down = |bound: i64| (i128::from(bound) * numerator).div_euclid(denominator) as i64;
        Cow::Owned(
            self.bounds()
                .iter()
                .map(|bounds| Bounds::new(down(bounds.lower), -down(-bounds.upper)))
                .collect(),
        )
    }

    /// The bounds of any state, by those of its successors.
    ///
    /// A state that is no symmetric one may have payoffs that are too large for the solution's
    /// unit. It is solved in a coarser one.
    fn solved_again(
        &self,
        explored: &Explored<R>,
        state: &R::State,
        node: &Node,
        later: &[Bounds],
        solver: &mut StateSolver<R>,
    ) -> Result<Enclosure, StochasticGameError> {
        let actions = match node {
            Node::Over(value) => {
                let scale = self.scale_for(size(value), state)?;
                return Ok(Enclosure::proved(scale.bounds(value), scale.exponent));
            }
            &Node::Choose { a, b } => [a, b],
        };
        let StateSolver { row, matrix, simplex } = solver;
        let successor_bounds = |outcome: u32| {
            self.proof.game.numbered(PackedState(outcome).unpacked()).bounds_among(later)
        };
        let finest = self.scale();
        let unit = (-f64::from(finest.exponent)).exp2();
        let mut largest = 0.0_f64;
        explored.cells_of(state, actions, Lookup::Compared, row, |_, cell| {
            let sizes = cell
                .outcomes
                .iter()
                .map(|outcome| successor_bounds(outcome.state))
                .map(|bounds| bounds.lower.abs().max(bounds.upper.abs()));
            largest = largest.max(cell.reward_size() + sizes.max().unwrap_or(0) as f64 * unit);
        })?;
        let scale = self.scale_for(largest, state)?;
        let shift = (finest.exponent - scale.exponent) as usize;
        let coarser =
            |bound: i64, rounding: Rounding| rounding.shift(i128::from(bound), shift) as i64;
        matrix.resize(actions);
        explored.cells_of(state, actions, Lookup::Compared, row, |_, cell| {
            matrix.put(cell.bounds(scale.exponent, |outcome| {
                let Bounds { lower, upper } = successor_bounds(outcome);
                Bounds::new(coarser(lower, Rounding::Down), coarser(upper, Rounding::Up))
            }));
        })?;
        Ok(Enclosure::proved(simplex.solve(matrix).bounds, scale.exponent))
    }

    /// The solution's unit, or a coarser one in which payoffs of this size are counted.
    ///
    /// # Errors
    /// [`StochasticGameFault::Payoff`] at the state when not even whole numbers fit.
    fn scale_for(&self, largest: f64, state: &R::State) -> Result<Scale, StochasticGameError> {
        let scale = Scale::of(largest).map_err(|fault| refuse_state(self.game(), state, fault))?;
        Ok(scale.min(self.scale()))
    }
}

/// The buffers with which a state is solved.
struct StateSolver<R: GameRules> {
    row: RuleRow<R::State>,
    matrix: EnclosedMatrix,
    simplex: EnclosedSimplex,
}

impl<R: GameRules> Default for StateSolver<R> {
    fn default() -> Self {
        Self {
            row: RuleRow::default(),
            matrix: EnclosedMatrix::default(),
            simplex: EnclosedSimplex::default(),
        }
    }
}

/// A congruential sequence: reproducible, without further quality.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count.max(1)
    }
}
