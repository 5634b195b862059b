//! Our own simplex: both strategies in one solve.

use super::self_dual::SelfDual;
use super::tableau::Tableau;
use super::tie_breaking::Preference;
use crate::matrix_game::Equilibrium;
use crate::matrix_game::basis::{Basis, ChangingBasis, Entering, Leaving};
use crate::matrix_game::dense::power_of_two_scale;
use crate::matrix_game::exact::ExactTableau;
use crate::matrix_game::payoffs::{Payoffs, copy_column, copy_row};
use crate::matrix_game::saddle_point::PureSecurity;
use crate::matrix_game::strategy::{StrategyPair, normalise};
use crate::matrix_game::tremble::{Plain, Trembling, prefer};

/// A gap beyond this share of the largest payoff is not taken for an answer: the game is solved again, more carefully.
const ACCEPTED_GAP: f64 = 1e-12;

/// Pure security levels closer than this share of the larger one are a saddle point blurred by rounding.
///
/// Values that mathematics makes equal agree to a few units in the last place (2e-16 relative).
const BLUR: f64 = 4e-15;

/// Solves matrix games by a dense primal simplex with a saddle-point test before it.
///
/// The final basis is factorised afresh and both strategies are computed from the original payoffs, so that
/// rounding in the pivots costs time at worst, not accuracy. Keeps its buffers: use one solver for many games.
///
/// *Ties.* Degenerate vertices are the rule in games like ours; a second right-hand side decides ties
/// (lexicographic rule), so the method does not cycle. Should the pair it finds have a gap above 1e-12 of the
/// largest payoff all the same, the game is solved by exact pivots, in which every double is the fraction that it is; that takes some fifty
/// times as long. The gap always tells the truth.
///
/// *Several optima.* Where a player has several optimal strategies, the one found is among those that gain most
/// when the opponent errs a little and evenly; a strategy that is never better than another is not chosen.
///
/// *Complexity.* O(rows · columns) a pivot; typically about rows + columns pivots.
///
/// ```
/// use pencil_tennis::matrix_game::{Matrix, Simplex};
///
/// let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
/// let equilibrium = Simplex::new().solve(&game);
/// assert!((equilibrium.value() - 1.0 / 7.0).abs() < 1e-15);
/// assert!((equilibrium.row_strategy()[0] - 3.0 / 7.0).abs() < 1e-15);
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    security: PureSecurity,
    tableau: Tableau,
    self_dual: SelfDual,
    preference: Preference,
    basis: Basis,
    equaliser: ChangingBasis,
    scratch: Vec<f64>,
    /// Whether `equaliser` and the dictionary of `self_dual` belong to `basis`.
    regular: bool,
    /// Whether basis and equaliser belong to the pair found last.
    factorised: bool,
}

/// What pivoting came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pivoted {
    /// The pair there was is optimal and preferred.
    NotAtAll,
    /// To an optimal and preferred pair.
    On,
    /// Numbers forbade it.
    Astray,
}

impl Simplex {
    /// A solver without buffers; they grow with the first games.
    pub fn new() -> Self {
        Self::default()
    }

    /// An equilibrium of the game.
    pub fn solve(&mut self, payoffs: &impl Payoffs) -> Equilibrium {
        let payoffs = &Plain(payoffs);
        let mut pair = StrategyPair::default();
        self.find(payoffs, &mut pair);
        let first = Equilibrium::judge(payoffs, &pair);
        let largest = (0..payoffs.rows()).fold(0.0, |largest, row| {
            let mut largest: f64 = largest;
            payoffs.walk_row(row, |run| largest = run.iter().fold(largest, |l, entry| l.max(entry.abs())));
            largest
        });
        if first.gap() <= ACCEPTED_GAP * largest {
            return first;
        }
        self.find_exactly(payoffs, &mut pair);
        let second = Equilibrium::judge(payoffs, &pair);
        if second.gap() < first.gap() { second } else { first }
    }

    /// Takes the pair of a given basis, if that is regular and gives no negative probability; whether the pair is optimal is for the caller to see.
    pub(crate) fn try_basis(&mut self, payoffs: &impl Payoffs, guess: &Basis, pair: &mut StrategyPair) -> bool {
        self.basis.clone_from(guess);
        self.factorised = self.begin(payoffs) && self.take_equalised(pair);
        self.factorised
    }

    /// The same for a basis whose system is known from another game, where it stood one row and one column before; it may have grown by its
    /// first row and column. Saves the factorisation.
    pub(crate) fn try_shifted(
        &mut self,
        payoffs: &impl Payoffs,
        known: &ChangingBasis,
        guess: &Basis,
        pair: &mut StrategyPair,
    ) -> bool {
        self.basis.clone_from(guess);
        self.equaliser.take_over(known);
        self.equaliser.shift();
        self.regular = self.equaliser.size() == guess.size() || self.grow(payoffs);
        self.factorised = self.regular && self.self_dual.equalise(&mut self.equaliser) && self.take_equalised(pair);
        self.factorised
    }

    /// The system takes in the first row and column of the basis.
    fn grow(&mut self, payoffs: &impl Payoffs) -> bool {
        let (row, column) = (self.basis.rows[0], self.basis.columns[0]);
        let mut result = Vec::new();
        copy_column(payoffs, column, &mut self.scratch);
        self.equaliser.enter_column(&self.scratch, &mut result);
        copy_row(payoffs, row, &mut self.scratch);
        self.equaliser.enter_row(&self.scratch, &mut result);
        self.equaliser.exchange(payoffs, Entering::Column(column), Leaving::TightRow(row))
    }

    /// The system of the basis behind the pair found last, for games that go on from it; unless that was pure or the basis singular.
    pub(crate) fn known_system(&self) -> Option<&ChangingBasis> {
        self.factorised.then_some(&self.equaliser)
    }

    /// Factorises the basis and works out its probabilities; whether none is negative.
    fn begin(&mut self, payoffs: &impl Payoffs) -> bool {
        self.regular = self.equaliser.factorise(payoffs, &self.basis);
        self.regular && self.self_dual.equalise(&mut self.equaliser)
    }

    /// The pair that was equalised last.
    fn take_equalised(&self, pair: &mut StrategyPair) -> bool {
        let [column, row] = self.self_dual.probabilities();
        normalise(&mut pair.column, self.basis.columns.iter().copied().zip(column.iter().copied()))
            && normalise(&mut pair.row, self.basis.rows.iter().copied().zip(row.iter().copied()))
    }

    /// The pair of the dictionary after pivots.
    fn take_pivoted(&self, pair: &mut StrategyPair) -> bool {
        let [columns, rows] = self.self_dual.pivoted_probabilities();
        let Basis { rows: row_basis, columns: column_basis } = &self.basis;
        normalise(&mut pair.column, column_basis.iter().map(|&column| (column, columns[column])))
            && normalise(&mut pair.row, row_basis.iter().map(|&row| (row, rows[row])))
    }

    /// Takes a saddle point, if there is one; `likely` is the row and the column where it may be.
    pub(crate) fn try_saddle_point(&mut self, payoffs: &impl Trembling, likely: (usize, usize), pair: &mut StrategyPair) -> bool {
        (self.regular, self.factorised) = (false, false);
        self.security.work_out(payoffs, likely);
        let PureSecurity { maximin, minimax, .. } = self.security;
        let blur = BLUR * maximin.abs().max(minimax.abs());
        if minimax - maximin > blur {
            return false;
        }
        let (row, column) = self.security.preferred(payoffs, blur);
        self.basis.set_single(row, column);
        pair.set_pure(row, column);
        true
    }

    /// The basis becomes that of a safe column and a best reply to it, as the last [search for a saddle point](Self::try_saddle_point) found them.
    pub(crate) fn start_single(&mut self, payoffs: &impl Trembling) {
        self.regular = false;
        let column = self.security.column;
        self.basis.set_single(best_reply(payoffs, column), column);
    }

    /// Pivots from the basis there is to an optimal and preferred one, and takes its pair.
    ///
    /// Reads the matrix in both directions, so that both walks of `payoffs` should be fast.
    pub(crate) fn pivot_on(&mut self, payoffs: &impl Trembling, pair: &mut StrategyPair) -> Pivoted {
        // Measured counts from a neighbour's basis are a few, from a single entry below rows + columns.
        let limit = 10 * (payoffs.rows() + payoffs.columns());
        if !self.regular {
            self.begin(payoffs);
        }
        let pivots = if self.regular { self.self_dual.improve(payoffs, &mut self.equaliser, limit) } else { None };
        self.regular = pivots.is_some();
        if self.regular {
            self.equaliser.basis(&mut self.basis);
        }
        let unchanged = self.factorised && pivots == Some(0);
        self.factorised = self.regular && (unchanged || self.take_pivoted(pair));
        match self.factorised {
            true if unchanged => Pivoted::NotAtAll,
            true => Pivoted::On,
            false => Pivoted::Astray,
        }
    }

    /// Finds a pair by exact pivots, every double taken as the fraction that it is. Slow, and always right; payoffs that are not finite leave the
    /// pair as it is.
    pub(crate) fn find_exactly(&mut self, payoffs: &impl Trembling, pair: &mut StrategyPair) {
        self.security.work_out(payoffs, (0, 0));
        let column = self.security.column;
        if let Some(mut tableau) = ExactTableau::new(payoffs, best_reply(payoffs, column), column) {
            tableau.run();
            (self.regular, self.factorised) = (false, false);
            self.basis = tableau.basis();
            normalise(&mut pair.row, tableau.row_player());
            normalise(&mut pair.column, tableau.column_player());
        }
    }

    /// Whether the pair found last, which must be optimal, is the [preferred](Preference::is_preferred) one; `tied` are the columns and the rows
    /// that could be exchanged for others without a loss.
    pub(crate) fn is_preferred(&mut self, payoffs: &impl Trembling, tied: [&[usize]; 2]) -> bool {
        self.preference.is_preferred(payoffs, &mut self.equaliser, tied)
    }

    /// The basis behind the pair found last.
    pub(crate) const fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The factorised basis behind the pair found last, unless that was pure or the basis singular.
    pub(crate) fn factorised_basis(&mut self) -> Option<(&Basis, &mut ChangingBasis)> {
        self.factorised.then_some((&self.basis, &mut self.equaliser))
    }

    /// Finds a pair of strategies that is optimal up to rounding; whoever takes it judges it.
    pub(crate) fn find(&mut self, payoffs: &impl Trembling, pair: &mut StrategyPair) {
        if self.try_saddle_point(payoffs, (0, 0), pair) {
            return;
        }
        self.start_single(payoffs);
        let (row, column) = (self.basis.rows[0], self.basis.columns[0]);
        self.tableau.start(payoffs, row, column, power_of_two_scale(range(payoffs)));
        // Measured counts stay below 2 · (rows + columns); far beyond them something is wrong.
        self.tableau.run(50 * (payoffs.rows() + payoffs.columns()));
        self.tableau.basis(&mut self.basis);
        self.factorised = self.equaliser.factorise(payoffs, &self.basis) && {
            self.self_dual.equalise(&mut self.equaliser);
            self.take_equalised(pair)
        };
        if !self.factorised {
            let feasible =
                normalise(&mut pair.row, self.tableau.row_player()) && normalise(&mut pair.column, self.tableau.column_player());
            if !feasible {
                pair.set_pure(row, column);
            }
        }
    }
}

/// The row that does best against a column; of several, the one that does best when the column player trembles.
fn best_reply(payoffs: &impl Trembling, column: usize) -> usize {
    let mut best = f64::NEG_INFINITY;
    payoffs.walk_column(column, |run| best = run.iter().copied().fold(best, f64::max));
    let replies = (0..payoffs.rows()).filter(|&row| payoffs.entry(row, column) >= best);
    let mut gains: Vec<_> = replies.map(|row| (row, payoffs.row_gain(row))).collect();
    prefer(&mut gains, |_| true).unwrap_or(0)
}

/// The difference between the largest and the smallest entry.
fn range(payoffs: &impl Payoffs) -> f64 {
    let (mut smallest, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
    for row in 0..payoffs.rows() {
        payoffs.walk_row(row, |run| {
            smallest = run.iter().copied().fold(smallest, f64::min);
            largest = run.iter().copied().fold(largest, f64::max);
        });
    }
    largest - smallest
}
