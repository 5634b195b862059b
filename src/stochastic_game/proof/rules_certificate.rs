//! The proof of a game that rules in code give again: a digest in place of the game, and its check.
//!
//! The check asks the rules and knows nothing of how the game was solved.

use std::io::{self, BufRead, Write};

use num_bigint::BigInt;
use num_rational::BigRational;
use sha2::{Digest, Sha256};

use super::certificate::{
    Check, Header, StateProof, Weights, cell_worth, read_header, read_line, read_object, read_proof, secures,
};
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, GameFault, StochasticGameError};
use crate::stochastic_game::explore::ToldRow;
use crate::stochastic_game::explore::{Explored, Place};
use crate::stochastic_game::model::Kind;
use crate::stochastic_game::model::StochasticGame;
use crate::stochastic_game::model::text;
use crate::stochastic_game::model::{GameRules, Turn};
use crate::stochastic_game::rules_solution::RulesSolution;
use crate::stochastic_game::rules_solver::RulesSolver;
use crate::stochastic_game::sweep::StateSolver;

impl<R: GameRules> RulesSolution<R> {
    /// The SHA-256 of the game in hexadecimal, which the certificate names it by. `docs/games.md` says of which bytes.
    ///
    /// # Errors
    /// Those of rules that contradict themselves.
    pub fn digest(&self) -> Result<String, StochasticGameError> {
        digest(&self.explored)
    }

    /// Writes a certificate: a digest of the game, and for every state its bounds and the weights of both strategies, which prove
    /// them. [`RulesProof::verify`] checks it by the rules; `docs/games.md` describes it.
    ///
    /// Of an acyclic game every state is solved once more: its weights were not kept.
    ///
    /// # Errors
    /// Those of the system; of rules that contradict themselves.
    pub fn write_certificate(&self, out: &mut dyn Write) -> io::Result<()> {
        let digest = self.digest().map_err(io::Error::other)?;
        Header::new(self.scale.exponent, self.len(), Some(digest)).write(out)?;
        if let Some(solution) = self.explicit() {
            return solution.write_proofs(out);
        }
        let mut solver = StateSolver::default();
        for state in self.explored.by_level().into_iter().flatten() {
            let solved = solver.solve(&self.explored, state as usize, self.scale, &self.bounds).map_err(io::Error::other)?;
            StateProof::new(solved.0, solved.1).write(out)?;
        }
        Ok(())
    }
}

/// A game given by rules whose bounds a certificate proves.
#[derive(Debug)]
pub struct RulesProof<R: GameRules> {
    explored: Explored<R>,
    exponent: u32,
    bounds: Vec<Bounds>,
}

impl<R: GameRules> RulesProof<R> {
    /// Reads a certificate and checks it by the rules, without trusting the solver; up to [`RulesSolver::MEMORY_LIMIT`] of memory.
    ///
    /// ```
    /// use num_rational::BigRational;
    /// use pencil_tennis::stochastic_game::{GameRules, Outcomes, RulesProof, RulesSolver, Turn};
    ///
    /// /// Matching pennies until A has won so many points, or lost one.
    /// struct Pennies(u8);
    ///
    /// impl GameRules for Pennies {
    ///     /// The points that are missing; `None` when A has lost.
    ///     type State = Option<u8>;
    ///
    ///     fn starts(&self) -> Vec<Option<u8>> {
    ///         vec![Some(self.0)]
    ///     }
    ///
    ///     fn turn(&self, missing: &Option<u8>) -> Turn {
    ///         match missing {
    ///             None => Turn::Over(BigRational::from_integer(0.into())),
    ///             Some(0) => Turn::Over(BigRational::from_integer(1.into())),
    ///             Some(_) => Turn::Choose { a: 2, b: 2 },
    ///         }
    ///     }
    ///
    ///     fn after(&self, missing: &Option<u8>, a: usize, b: usize, outcomes: &mut Outcomes<Option<u8>>) {
    ///         outcomes.to(missing.filter(|_| a == b).map(|missing| missing - 1));
    ///     }
    /// }
    ///
    /// let mut certificate = Vec::new();
    /// RulesSolver::new(Pennies(3)).solve()?.write_certificate(&mut certificate)?;
    /// let proof = RulesProof::verify(Pennies(3), &certificate[..])?;
    /// assert_eq!(proof.enclosure(&Some(3))?.middle(), 0.125);
    /// assert!(RulesProof::verify(Pennies(4), &certificate[..]).is_err(), "another game");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A sentence, with the state; those of [`RulesSolver::solve`] for rules that are wrong.
    pub fn verify(rules: R, mut input: impl BufRead) -> Result<Self, Error> {
        let refuse = |reason: &str| StochasticGameError::new(text(reason));
        let mut line = Vec::new();
        let header = read_header(&mut input, &mut line)?;
        let expected = header.digest.ok_or_else(|| refuse("the certificate has the game in it; `StochasticProof` checks it"))?;
        let explored =
            Explored::new(rules, true, RulesSolver::<R>::MEMORY_LIMIT, &mut |_| std::ops::ControlFlow::Continue(()), None)?;
        if explored.len() != header.states || digest(&explored)? != expected {
            return Err(refuse("the certificate is of another game, or of other rules").into());
        }
        let mut proof = Self { bounds: vec![Bounds::default(); explored.numbers()], explored, exponent: header.exponent };
        if proof.explored.rules.kind() == Kind::Acyclic {
            proof.check_by_level(&mut input, &mut line)?;
        } else {
            proof.check_written(&mut input, &mut line)?;
        }
        line.clear();
        if read_line(&mut input, &mut line).is_ok() {
            return Err(refuse("the certificate goes on behind its end").into());
        }
        Ok(proof)
    }

    /// Checks the states of an acyclic game, each by those before.
    fn check_by_level(&mut self, input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<(), StochasticGameError> {
        let mut row = ToldRow::default();
        for state in self.explored.by_level().into_iter().flatten() {
            line.clear();
            read_line(input, line)?;
            let proof: StateProof = read_object(line)?;
            let refuse =
                |reason: &str| self.explored.refuse_number(state as usize, GameFault::Text { reason: reason.to_owned() });
            let own = self.explored.state(state as usize).ok_or_else(|| refuse("there is no such state"))?;
            let turn = self.explored.rules.turn(own);
            let sizes = if let Turn::Choose { a, b } = turn { Some([a, b]) } else { None };
            let (bounds, weights) = read_proof(sizes, &proof).ok_or_else(|| refuse("numbers or weights are not as described"))?;
            let reason = match turn {
                Turn::Over(value) => {
                    let unit = BigRational::from_integer(BigInt::from(1) << self.exponent);
                    let [lower, upper] = [bounds.lower, bounds.upper].map(|bound| BigRational::from_integer(bound.into()));
                    let (is_within, value) = (lower <= &value * &unit, value * &unit);
                    (!is_within || upper < value).then_some("the value of this end is not within its bounds")
                }
                Turn::Choose { a, b } => self.check_state(own, state as usize, [a, b], (bounds, &weights), &mut row)?,
            };
            if let Some(reason) = reason {
                return Err(refuse(reason));
            }
            self.bounds[state as usize] = bounds;
        }
        Ok(())
    }

    /// A reason to refuse a state that is no end, by the bounds of its successors.
    fn check_state(
        &self,
        own: &R::State,
        state: usize,
        [rows, columns]: [usize; 2],
        (bounds, weights): (Bounds, &Weights),
        row: &mut ToldRow<R::State>,
    ) -> Result<Option<&'static str>, StochasticGameError> {
        let mut worth = [vec![None; rows * columns], vec![None; rows * columns]];
        let seen = |place: u32| {
            let place = Place(place);
            let Bounds { lower, upper } = self.bounds[place.state()];
            if place.is_exchanged() { Bounds::new(-upper, -lower) } else { Bounds::new(lower, upper) }
        };
        let digest = self.explored.cells(own, [rows, columns], true, row, |a, b, cell| {
            for (player, worth) in worth.iter_mut().enumerate() {
                worth[a * columns + b] = cell_worth(cell, player, self.exponent, seen);
            }
        })?;
        self.explored.check_digest(state, digest)?;
        let is_secured = |player: usize| {
            let others = [columns, rows][player];
            let at = |own: usize, other: usize| if player == 0 { own * columns + other } else { other * columns + own };
            secures(bounds, player, &weights[player], others, |own, other| worth[player][at(own, other)])
        };
        Ok(match [is_secured(0), is_secured(1)] {
            [false, _] => Some("A's weights do not secure the lower bound"),
            [_, false] => Some("B's weights do not secure the upper bound"),
            _ => None,
        })
    }

    /// Checks a game in which play can return, written down.
    fn check_written(&mut self, input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<(), StochasticGameError> {
        let game = StochasticGame::from_explored(&self.explored)?;
        let bounds = Check::read(&game, self.exponent, input, line)?;
        // The game has the states in the order of their numbers.
        let numbers: Vec<usize> = self.explored.states().map(|(number, _)| number).collect();
        for (number, own) in numbers.into_iter().zip(bounds) {
            self.bounds[number] = own;
        }
        Ok(())
    }

    /// The number of canonical states, ends included.
    pub fn len(&self) -> usize {
        self.explored.len()
    }

    /// Never: there is always a start.
    pub fn is_empty(&self) -> bool {
        self.explored.len() == 0
    }

    /// Proved bounds of the value of a state.
    ///
    /// # Errors
    /// [`GameFault::UnknownState`] if the starts do not reach it.
    pub fn enclosure(&self, state: &R::State) -> Result<Enclosure, StochasticGameError> {
        let unknown = || StochasticGameError::new(GameFault::UnknownState { name: self.explored.rules.name(state) });
        let place = self.explored.find(state.clone()).ok_or_else(unknown)?;
        let own = self.bounds[place.state()];
        let own = if place.is_exchanged() { Bounds::new(-own.upper, -own.lower) } else { own };
        Ok(Enclosure::from_integers(own, self.exponent))
    }

    /// The largest width of the bounds of any state, rounded up.
    pub fn widest_enclosure(&self) -> f64 {
        let width = |bounds: &Bounds| Enclosure::from_integers(*bounds, self.exponent).width();
        self.bounds.iter().map(width).fold(0.0, f64::max)
    }
}

/// The SHA-256 of a game in hexadecimal.
fn digest<R: GameRules>(explored: &Explored<R>) -> Result<String, StochasticGameError> {
    let mut hasher = Sha256::new();
    let rules = &explored.rules;
    hasher.update(format!("game {} {} {}\n", rules.kind(), rules.discount(), explored.len()));
    for place in &explored.starts {
        hasher.update(place.0.to_le_bytes());
    }
    let mut row = ToldRow::default();
    for (number, state) in explored.states() {
        hasher.update((number as u64).to_le_bytes());
        match rules.turn(state) {
            Turn::Over(value) => hasher.update(format!("end {value}\n")),
            Turn::Choose { a, b } => {
                hasher.update(format!("state {a} {b} {}\n", rules.endless(state)));
                let digest = explored.cells(state, [a, b], true, &mut row, |_, _, cell| {
                    hasher.update((cell.outcomes.len() as u64).to_le_bytes());
                    hasher.update(cell.denominator.to_le_bytes());
                    hasher.update(cell.reward.to_le_bytes());
                    for outcome in cell.outcomes {
                        hasher.update(outcome.weight.to_le_bytes());
                        hasher.update(outcome.state.to_le_bytes());
                    }
                })?;
                explored.check_digest(number, digest)?;
            }
        }
    }
    let bytes = hasher.finalize();
    // Two numbers of sixteen bytes, the first one first.
    let [high, low] = [0, 16].map(|at| bytes[at..].first_chunk().copied().map_or(0, u128::from_be_bytes));
    Ok(format!("{high:032x}{low:032x}"))
}
