//! The parametric self-dual simplex from a basis that another game leaves, with what happens before and after it.

use super::self_dual::SelfDual;
use crate::matrix_game::basis::{Basis, BasisFactorisation, Entering, Leaving};
use crate::matrix_game::payoffs::{Payoffs, copy_column, copy_row};
use crate::matrix_game::saddle_point::PureSecurityLevels;
use crate::matrix_game::strategy::{StrategyPair, normalise};
use crate::matrix_game::tolerances::SADDLE_POINT;
use crate::matrix_game::tremble::{Trembling, prefer};

/// The buffers to solve one game after another, each from a basis that may be known from the game before.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarmSimplex {
    security: PureSecurityLevels,
    self_dual: SelfDual,
    pair: StrategyPair,
    basis: Basis,
    factorisation: BasisFactorisation,
    /// Whether the factorisation belongs to the basis, and the basis to the pair.
    factorised: bool,
    scratch: Vec<f64>,
}

/// The basis that pivots begin with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start<'s> {
    /// A basis, to be factorised.
    Basis(&'s Basis),
    /// A basis whose factorisation is known from another game, where it stood one row and one column before; it may have grown by its first row and
    /// column. Saves the factorisation.
    Shifted(&'s BasisFactorisation, &'s Basis),
    /// A column and a best reply to it.
    Column(usize),
}

/// A pair of strategies that may be optimal, for the caller to judge.
#[derive(Debug)]
pub(crate) struct Candidate<'s> {
    /// The pair, as good as floating point has it.
    pub(crate) pair: &'s StrategyPair,
    /// The basis behind it.
    pub(crate) basis: &'s Basis,
    /// The factorised basis, unless the pair is pure or the basis singular.
    pub(crate) factorisation: Option<&'s mut BasisFactorisation>,
    /// Whether pivots led to it, which go on until it is preferred.
    pub(crate) is_pivoted: bool,
}

/// The judgement of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement<C> {
    /// Optimal, as this certifies, and preferred among the optimal pairs.
    Preferred(C),
    /// Optimal, as this certifies; another pair may be preferred.
    Optimal(C),
    /// Not optimal.
    Rejected,
}

impl WarmSimplex {
    /// Finds a saddle point; `likely` is the row and the column where it may be.
    ///
    /// # Errors
    /// The safest column, to [start](Start::Column) from, when there is none.
    pub(crate) fn saddle_point(&mut self, payoffs: &impl Trembling, likely: (usize, usize)) -> Result<(), usize> {
        self.security.compute(payoffs, likely);
        let PureSecurityLevels { maximin, minimax, column, .. } = self.security;
        let tolerance = SADDLE_POINT * maximin.abs().max(minimax.abs());
        if minimax - maximin > tolerance {
            return Err(column);
        }
        let (row, column) = self.security.preferred(payoffs, tolerance);
        self.basis.set_single(row, column);
        self.pair.set_pure(row, column);
        self.factorised = false;
        Ok(())
    }

    /// Pivots from a basis to an optimal and preferred one.
    ///
    /// `judge` sees the pair of the starting basis, if that is regular and gives no negative probability, and, unless that is preferred, the pair that pivots lead to.
    /// What it certifies about the last pair that is optimal is returned; `None` when there is none, or numbers forbade to go on.
    ///
    /// Reads the matrix in both directions, so that both walks of `payoffs` should be fast.
    pub(crate) fn improve<C>(
        &mut self,
        payoffs: &impl Trembling,
        start: Start<'_>,
        mut judge: impl FnMut(Candidate<'_>) -> Judgement<C>,
    ) -> Option<C> {
        let mut certified = None;
        let regular = self.load(payoffs, start);
        let feasible = regular && self.self_dual.equalise(&mut self.factorisation);
        self.factorised = feasible && !matches!(start, Start::Column(_)) && self.take_equalised();
        if self.factorised {
            match judge(self.candidate()) {
                Judgement::Preferred(certificate) => return Some(certificate),
                Judgement::Optimal(certificate) => certified = Some(certificate),
                Judgement::Rejected => {}
            }
        }
        if !regular {
            return None;
        }
        // Measured counts from a neighbour's basis are a few, from a single entry below rows + columns.
        let limit = 10 * (payoffs.rows() + payoffs.columns());
        let unchanged = self.factorised;
        let pivots = self.self_dual.improve(payoffs, &mut self.factorisation, limit);
        self.factorised = pivots.is_some();
        if unchanged && pivots == Some(0) {
            return certified;
        }
        pivots?;
        self.factorisation.basis(&mut self.basis);
        self.factorised = self.take_pivoted();
        if !self.factorised {
            return None;
        }
        match judge(Candidate { is_pivoted: true, ..self.candidate() }) {
            Judgement::Preferred(certificate) | Judgement::Optimal(certificate) => Some(certificate),
            Judgement::Rejected => None,
        }
    }

    /// Finds the pair that equalises on a basis, negative numbers dropped; `false` when the basis is singular.
    pub(crate) fn equalise(&mut self, payoffs: &impl Trembling, basis: &Basis) -> bool {
        self.factorised = self.load(payoffs, Start::Basis(basis)) && {
            self.self_dual.equalise(&mut self.factorisation);
            self.take_equalised()
        };
        self.factorised
    }

    /// Takes a pair that was found without a factorisation.
    pub(crate) fn take(&mut self, basis: Basis, set: impl FnOnce(&mut StrategyPair)) {
        self.basis = basis;
        self.factorised = false;
        set(&mut self.pair);
    }

    /// The basis behind the pair found last.
    pub(crate) const fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The factorised basis behind the pair found last, for games that go on from it; unless that was pure or the basis singular.
    pub(crate) fn factorisation(&self) -> Option<&BasisFactorisation> {
        self.factorised.then_some(&self.factorisation)
    }

    /// The pair found last.
    pub(crate) fn candidate(&mut self) -> Candidate<'_> {
        let factorisation = self.factorised.then_some(&mut self.factorisation);
        Candidate { pair: &self.pair, basis: &self.basis, factorisation, is_pivoted: false }
    }

    /// Sets up basis and factorisation; whether the basis is regular.
    fn load(&mut self, payoffs: &impl Trembling, start: Start<'_>) -> bool {
        match start {
            Start::Basis(basis) => self.basis.clone_from(basis),
            Start::Column(column) => self.basis.set_single(best_reply(payoffs, column), column),
            Start::Shifted(known, basis) => {
                self.basis.clone_from(basis);
                self.factorisation.take_over(known);
                self.factorisation.shift();
                if self.factorisation.size() == basis.size() || self.grow(payoffs) {
                    return true;
                }
            }
        }
        self.factorisation.factorise(payoffs, &self.basis)
    }

    /// The factorisation takes in the first row and column of the basis; whether that leaves it regular.
    fn grow(&mut self, payoffs: &impl Payoffs) -> bool {
        let (row, column) = (self.basis.rows[0], self.basis.columns[0]);
        let mut result = Vec::new();
        copy_column(payoffs, column, &mut self.scratch);
        self.factorisation.ftran_column(&self.scratch, &mut result);
        copy_row(payoffs, row, &mut self.scratch);
        self.factorisation.btran_row(&self.scratch, &mut result);
        self.factorisation.exchange(payoffs, Entering::Column(column), Leaving::Slack(row))
    }

    /// The pair that was equalised last.
    fn take_equalised(&mut self) -> bool {
        let [column, row] = self.self_dual.probabilities();
        normalise(&mut self.pair.column, self.basis.columns.iter().copied().zip(column.iter().copied()))
            && normalise(&mut self.pair.row, self.basis.rows.iter().copied().zip(row.iter().copied()))
    }

    /// The pair of the dictionary after pivots.
    fn take_pivoted(&mut self) -> bool {
        let [columns, rows] = self.self_dual.pivoted_probabilities();
        let Basis { rows: row_basis, columns: column_basis } = &self.basis;
        normalise(&mut self.pair.column, column_basis.iter().map(|&column| (column, columns[column])))
            && normalise(&mut self.pair.row, row_basis.iter().map(|&row| (row, rows[row])))
    }
}

/// The row that does best against a column; of several, the one that does best when the column player trembles.
pub(super) fn best_reply(payoffs: &impl Trembling, column: usize) -> usize {
    let mut best = f64::NEG_INFINITY;
    payoffs.walk_column(column, |run| best = run.iter().copied().fold(best, f64::max));
    let replies = (0..payoffs.rows()).filter(|&row| payoffs.entry(row, column) >= best);
    let mut gains: Vec<_> = replies.map(|row| (row, payoffs.row_gain(row))).collect();
    prefer(&mut gains, |_| true).unwrap_or(0)
}
