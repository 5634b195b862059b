//! Solutions in fractions.

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use num_rational::BigRational;

use super::explore::Cells;
use super::model::{
    CellView, Components, GameRules, Node, NumberedGame, NumberedState, StochasticGame,
};
use super::solution::StochasticSolution;
use crate::bounds::Bounds;
use crate::error::{Error, StochasticGameError};
use crate::matrix_game::exact::{
    ExactStrategy, big_rational, is_equilibrium, rational, solve_fractions,
};
use crate::work::{Watch, WorkError};

/// Exact values and strategies of a solved game.
///
/// States to which play cannot return have rational values, each proved by its strategies in
/// fractions; their denominators grow from turn to turn; values of cycles may be irrational, and
/// are known only where both bounds agree, or where the value is approached and not attained.
#[derive(Debug)]
pub struct StochasticExact<'s, G: GameRules = StochasticGame> {
    solution: &'s StochasticSolution<G>,
    solved: Vec<Option<ExactState>>,
}

impl<G: GameRules> StochasticSolution<G> {
    /// A good limit for [`exact`](Self::exact): some 1,200 digits.
    pub const EXACT_BITS: usize = 4_096;

    /// Finds the exact values and strategies of all states for which they and all values they
    /// depend on have denominators of at most `limit_bits` bits; the callback hears the progress
    /// and may cancel.
    ///
    /// *Complexity.* An exact matrix game a state: floating point guesses the support, and
    /// fractions decide.
    ///
    /// # Errors
    /// [`WorkError::Cancelled`]; [`StochasticGameFault`](super::StochasticGameFault) for
    /// inconsistent rules.
    ///
    /// ```
    /// use stochastic_game::num_rational::BigRational;
    /// use stochastic_game::{CellTable, Kind, StochasticGame, StochasticSolver};
    ///
    /// let one = |value: i32| BigRational::from_integer(value.into());
    /// let mut game = StochasticGame::builder(Kind::Acyclic, None)?;
    /// game.end("end", one(0))?;
    /// let mut cells = CellTable::default();
    /// for row in [[3, -1], [-2, 1]] {
    ///     for reward in row {
    ///         cells.follow(1, "end");
    ///         cells.push(reward);
    ///     }
    ///     cells.end_row();
    /// }
    /// game.state("s", [&["x", "y"], &["x", "y"]], one(0), &cells)?;
    /// game.start("s")?;
    /// let solution = StochasticSolver::new(game.finish()?).solve()?;
    /// let exact = solution.exact(4096, &mut |_| std::ops::ControlFlow::Continue(()))?;
    /// let state = solution.game().place("s")?;
    /// assert_eq!(exact.value(&state)?.expect("known").to_string(), "1/7");
    /// assert_eq!(exact.strategies(&state)?.expect("known")[0][0].1.to_string(), "3/7");
    /// # Ok::<(), stochastic_game::Error>(())
    /// ```
    pub fn exact(
        &self,
        limit_bits: usize,
        watch: &mut Watch<'_>,
    ) -> Result<StochasticExact<'_, G>, Error> {
        let mut exact = StochasticExact { solution: self, solved: vec![None; self.bounds().len()] };
        match self.proof.game.cells() {
            Cells::Written(game) => {
                let components = Components::new(game);
                let all = (0..components.len()).flat_map(|component| {
                    let is_cyclic = components.is_cyclic(component);
                    components
                        .states(component)
                        .iter()
                        .map(move |&state| (state as usize, is_cyclic))
                });
                exact.solve_all(game, all, limit_bits, watch)?;
            }
            Cells::Explored(explored) => {
                let all =
                    explored.levels().into_iter().flatten().map(|state| (state as usize, false));
                exact.solve_all(explored, all, limit_bits, watch)?;
            }
        }
        watch(1.0).continue_value().ok_or(WorkError::Cancelled)?;
        Ok(exact)
    }
}

/// The solution of a state, with strategies where they are known.
#[derive(Clone, Debug)]
struct ExactState {
    value: RBig,
    strategies: Option<[ExactStrategy; 2]>,
}

impl ExactState {
    const fn without_strategies(value: RBig) -> Self {
        Self { value, strategies: None }
    }
}

/// The support of a strategy, rising, with probabilities.
type Chosen = Vec<(usize, BigRational)>;

impl<G: GameRules> StochasticExact<'_, G> {
    /// The value of a state, if it is known.
    pub fn value(&self, state: &G::State) -> Result<Option<BigRational>, StochasticGameError> {
        let state = self.solution.proof.game.find(state)?;
        Ok(self.value_of(state).map(|value| big_rational(&value)))
    }

    /// A's and B's optimal strategies: the numbers of the actions in the support, rising, with
    /// their probabilities; `None` at ends and where play can return. Actions are those of the
    /// canonical state.
    pub fn strategies(&self, state: &G::State) -> Result<Option<[Chosen; 2]>, StochasticGameError> {
        let state = self.solution.proof.game.find(state)?;
        let solved = self.solved[state.number].as_ref();
        let Some(strategies) = solved.and_then(|solved| solved.strategies.as_ref()) else {
            return Ok(None);
        };
        let chosen = |strategy: &ExactStrategy| {
            strategy.probabilities().map(|(action, share)| (action, big_rational(&share))).collect()
        };
        Ok(Some(state.pair(strategies.each_ref()).map(chosen)))
    }

    pub fn known(&self) -> usize {
        self.solved.iter().flatten().count()
    }

    fn value_of(&self, state: NumberedState) -> Option<RBig> {
        let value = &self.solved[state.number].as_ref()?.value;
        Some(if state.is_exchanged { -value } else { value.clone() })
    }

    /// Solves states, successors first, each with whether play can return to it.
    fn solve_all<N: NumberedGame>(
        &mut self,
        game: &N,
        states: impl Iterator<Item = (usize, bool)>,
        limit_bits: usize,
        watch: &mut Watch<'_>,
    ) -> Result<(), Error> {
        let (mut row, all) = (N::Row::default(), self.solution.len() as f64);
        let unit = UBig::ONE << self.solution.scale().exponent as usize;
        for (done, (state, is_cyclic)) in states.enumerate() {
            watch(done as f64 / all).continue_value().ok_or(WorkError::Cancelled)?;
            let approached = self.solution.approached_payoff(state);
            let solved = match game.node(state)? {
                Node::Over(value) => Some(ExactState::without_strategies(rational(&value))),
                // Approached and not attained: there is no strategy to show.
                Node::Choose { .. } if approached.is_some() => {
                    approached.map(|payoff| ExactState::without_strategies(rational(&payoff)))
                }
                Node::Choose { .. } if is_cyclic => {
                    let Bounds { lower, upper } = self.solution.bounds()[state];
                    (lower == upper).then(|| {
                        let value = RBig::from_parts(lower.into(), unit.clone());
                        ExactState::without_strategies(value)
                    })
                }
                Node::Choose { a, b } => self.solve(game, state, [a, b], &mut row, watch)?,
            };
            self.solved[state] =
                solved.filter(|solved| solved.value.denominator().bit_len() <= limit_bits);
        }
        Ok(())
    }

    /// Solves a state over the values of its successors; `None` if one is unknown.
    fn solve<N: NumberedGame>(
        &self,
        game: &N,
        state: usize,
        actions: [usize; 2],
        row: &mut N::Row,
        watch: &mut Watch<'_>,
    ) -> Result<Option<ExactState>, Error> {
        let mut matrix: Option<Vec<Vec<RBig>>> = Some(vec![Vec::new(); actions[0]]);
        game.cells(state, actions, row, |[a, _], cell| {
            let payoff = matrix.as_ref().and_then(|_| self.expected_payoff::<N>(cell));
            match (&mut matrix, payoff) {
                (Some(matrix), Some(payoff)) => matrix[a].push(payoff),
                _ => matrix = None,
            }
        })?;
        let Some(matrix) = matrix else { return Ok(None) };
        let found = solve_fractions(&matrix, &mut |_| watch(0.0)).ok_or(WorkError::Cancelled)?;
        if !is_equilibrium(&matrix, &found) {
            return Ok(None);
        }
        let strategies = Some([found.row, found.column]);
        Ok(Some(ExactState { value: found.value.canonicalize(), strategies }))
    }

    /// The expected payoff of a cell, by the values of its successors; `None` if one is unknown, or
    /// where nature chooses probabilities.
    fn expected_payoff<N: NumberedGame>(&self, cell: &CellView<'_>) -> Option<RBig> {
        if cell.uncertain.is_some() {
            return None;
        }
        let mut sum = RBig::from(cell.reward);
        for outcome in cell.outcomes {
            sum += self.value_of(N::successor(outcome.state))? * IBig::from(outcome.weight);
        }
        Some(sum / IBig::from(cell.denominator))
    }
}
