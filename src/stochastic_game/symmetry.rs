use std::borrow::Cow;
use std::collections::HashSet;

use num_traits::ToPrimitive;

use super::explore::{Explored, Place, ToldRow, refuse_state};
use super::model::{GameRules, Kind, Node, Outcomes, seen_from};
use super::solution::StochasticSolution;
use crate::bounds::{Bounds, Enclosure};
use crate::error::{StochasticGameError, StochasticGameFault};
use crate::matrix_game::{EnclosedMatrix, EnclosedSimplex};

/// The most random steps for each requested state, since small games have fewer states.
const STEPS: usize = 16;

impl<R: GameRules> StochasticSolution<R> {
    /// Looks for mistakes of [`canonical`](GameRules::canonical): random play visits up to `most_states` states, which are solved
    /// by the bounds of their successors and compared with their canonical states. Returns the number of states compared.
    ///
    /// A mistake at one of them is found, unless both states have the same value by accident. Where play can return, the
    /// comparison is valid for exact values only, so that wide bounds hide mistakes.
    ///
    /// # Errors
    /// [`StochasticGameFault::Symmetry`] with the name of a state whose value differs from its canonical one's;
    /// [`StochasticGameFault::Contradiction`] for a successor that no canonical state leads to.
    pub fn check_symmetry(&self, most_states: usize) -> Result<usize, StochasticGameError> {
        let (rules, Some(explored)) = (self.game(), self.proof.game.explored()) else { return Ok(0) };
        let mut met: HashSet<R::State> = HashSet::new();
        let mut solver = (ToldRow::default(), EnclosedMatrix::default(), EnclosedSimplex::default());
        let mut outcomes = Outcomes::new();
        let mut drawn = Drawn(1);
        let later = self.discounted();
        let starts = rules.starts();
        let mut state = starts[0].clone();
        for _ in 0..most_states.saturating_mul(STEPS) {
            if met.len() == most_states {
                break;
            }
            let node = explored.node_of(&state)?;
            if !met.contains(&state) {
                let own = self.solved_again(explored, &state, &node, &later, &mut solver)?;
                let canonical = seen_from(self.proof.game.find(&state)?, self.bounds());
                if own.lower > canonical.upper || canonical.lower > own.upper {
                    let text = |bounds| {
                        let decimal = Enclosure::from_integers(bounds, self.proof.exponent).decimal();
                        format!("[{}, {}]", decimal.lower, decimal.upper)
                    };
                    let fault = StochasticGameFault::Symmetry { own: text(own), canonical: text(canonical) };
                    return Err(refuse_state(rules, &state, fault));
                }
                met.insert(state.clone());
            }
            state = match node {
                Node::Over(_) => starts[drawn.below(starts.len())].clone(),
                Node::Choose { a, b } => {
                    outcomes.clear();
                    rules.after(&state, drawn.below(a), drawn.below(b), &mut outcomes);
                    let place = drawn.below(outcomes.states.len());
                    outcomes.states.swap_remove(place).1
                }
            };
        }
        Ok(met.len())
    }

    /// Bounds of the discounted values of the states.
    fn discounted(&self) -> Cow<'_, [Bounds]> {
        let rules = self.game();
        if rules.kind() != Kind::Discounted {
            return Cow::Borrowed(self.bounds());
        }
        let discount = rules.discount();
        // At most 62 bits: the game was written down with it.
        let [numerator, denominator] = [discount.numer(), discount.denom()].map(|part| part.to_i128().unwrap_or(1));
        let down = |bound: i64| (i128::from(bound) * numerator).div_euclid(denominator) as i64;
        Cow::Owned(self.bounds().iter().map(|bounds| Bounds::new(down(bounds.lower), -down(-bounds.upper))).collect())
    }

    /// The bounds of any state, by those of its successors.
    fn solved_again(
        &self,
        explored: &Explored<R>,
        state: &R::State,
        node: &Node,
        later: &[Bounds],
        (row, matrix, simplex): &mut (ToldRow<R::State>, EnclosedMatrix, EnclosedSimplex),
    ) -> Result<Bounds, StochasticGameError> {
        let [rows, columns] = match node {
            Node::Over(value) => return Ok(self.scale().bounds(value)),
            &Node::Choose { a, b } => [a, b],
        };
        matrix.resize([rows, columns]);
        let seen = |place: u32| {
            let (number, exchanged) = Place(place).parts();
            seen_from((self.proof.game.number(number), exchanged), later)
        };
        explored.cells_of(state, [rows, columns], false, row, |_, cell| {
            matrix.put(cell.bounds(self.scale().exponent, seen));
        })?;
        Ok(simplex.solve(matrix).bounds)
    }
}

/// A congruential sequence: reproducible, without further quality.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count.max(1)
    }
}
