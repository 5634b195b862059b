use dashu_ratio::RBig;

use super::tableau::Tableau;
use super::warm::{Candidate, WarmSimplex, best_reply};
use crate::matrix_game::basis::Basis;
use crate::matrix_game::dense::power_of_two_scale;
use crate::matrix_game::equilibrium::{StrategyPair, normalise};
use crate::matrix_game::exact::ExactTableau;
use crate::matrix_game::saddle_point::PureSecurityLevels;
use crate::matrix_game::tolerances::ACCEPTED_GAP;
use crate::matrix_game::tremble::Trembling;
use crate::matrix_game::{Equilibrium, Matrix, Payoffs};
use crate::work::{Stop, Watch, WorkError, unwatched};

/// Solves matrix games by a dense primal simplex with a saddle-point test before it.
///
/// Both strategies are computed from the original payoffs on the final basis: rounding in the pivots costs time, not accuracy.
/// Reuse a solver for many games: it keeps its buffers.
///
/// *Ties.* A second right-hand side decides ties (lexicographic rule), so that the method does not cycle. A pair with a gap above
/// 1e-12 of the largest payoff is replaced by that of exact pivots, which take some fifty times as long.
///
/// *Several optima.* The strategy found is among those that gain most when the opponent errs a little and evenly.
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
    pub(crate) warm: WarmSimplex,
    security: PureSecurityLevels,
    tableau: Tableau,
    /// Pairs found without a factorisation: saddle points, and the tableau's on a singular basis.
    pair: StrategyPair,
    basis: Basis,
}

impl Simplex {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn solve(&mut self, payoffs: &impl Payoffs) -> Equilibrium {
        let payoffs = &Matrix::unchecked(payoffs);
        let first = Equilibrium::judge(payoffs, self.find(payoffs).pair);
        improved(payoffs, first, &|| false)
    }

    /// As [`Self::solve`], with a callback that hears of the progress (a guess of the number of pivots) and may cancel.
    pub fn solve_watched(&mut self, payoffs: &impl Payoffs, watch: &mut Watch<'_>) -> Result<Equilibrium, WorkError> {
        let payoffs = &Matrix::unchecked(payoffs);
        let stop = Stop::new(watch);
        let first = Equilibrium::judge(payoffs, self.find_watched(payoffs, &mut |share| stop.tell(share)).pair);
        let found = improved(payoffs, first, &|| stop.is_asked());
        if stop.is_asked() { Err(WorkError::Cancelled) } else { Ok(found) }
    }

    pub(crate) fn find(&mut self, payoffs: &impl Trembling) -> Candidate<'_> {
        self.find_watched(payoffs, &mut unwatched)
    }

    /// As [`Self::find`]; any pair when the callback cancels.
    pub(crate) fn find_watched(&mut self, payoffs: &impl Trembling, watch: &mut Watch<'_>) -> Candidate<'_> {
        match self.saddle_point(payoffs, (0, 0)) {
            Ok((row, column)) => {
                self.pair.set_pure(row, column);
                self.basis.set_single(row, column);
                Candidate { pair: &self.pair, basis: &self.basis, factorisation: None, is_pivoted: false }
            }
            Err(column) => self.pivot(payoffs, column, watch),
        }
    }

    /// Finds a saddle point, or the safest column to start from; `likely` is a guess of the saddle point.
    pub(crate) fn saddle_point(&mut self, payoffs: &impl Trembling, likely: (usize, usize)) -> Result<(usize, usize), usize> {
        self.security.saddle_point(payoffs, likely)
    }

    fn pivot(&mut self, payoffs: &impl Trembling, column: usize, watch: &mut Watch<'_>) -> Candidate<'_> {
        let row = self.run_tableau(payoffs, column, watch);
        let Self { warm, tableau, pair, basis, .. } = self;
        warm.equalise(payoffs, basis).unwrap_or_else(|| {
            take_pair(pair, tableau, [row, column]);
            Candidate { pair, basis, factorisation: None, is_pivoted: false }
        })
    }

    /// The tableau's pair, for callers that refine it: the factorised basis does not recompute it.
    pub(crate) fn find_from(&mut self, payoffs: &impl Trembling, column: usize) -> Candidate<'_> {
        let row = self.run_tableau(payoffs, column, &mut unwatched);
        let Self { warm, tableau, pair, basis, .. } = self;
        take_pair(pair, tableau, [row, column]);
        Candidate { pair, basis, factorisation: warm.factorise(payoffs, basis), is_pivoted: false }
    }

    /// Runs the tableau from a column; returns the best reply to it.
    fn run_tableau(&mut self, payoffs: &impl Trembling, column: usize, watch: &mut Watch<'_>) -> usize {
        let Self { tableau, basis, .. } = self;
        let row = best_reply(payoffs, column);
        tableau.start(payoffs, row, column, power_of_two_scale(range(payoffs)));
        // Measured counts stay below 2 · (rows + columns); far beyond them something is wrong.
        tableau.run_watched(50 * (payoffs.rows() + payoffs.columns()), watch);
        tableau.basis(basis);
        row
    }
}

/// Takes the tableau's pair, or the pure one where it has none.
fn take_pair(pair: &mut StrategyPair, tableau: &Tableau, [row, column]: [usize; 2]) {
    if !(normalise(&mut pair.row, tableau.row_player()) && normalise(&mut pair.column, tableau.column_player())) {
        pair.set_pure(row, column);
    }
}

/// The equilibrium, or that of exact pivots where its gap is too wide.
fn improved(payoffs: &impl Trembling, first: Equilibrium, stop: &dyn Fn() -> bool) -> Equilibrium {
    let largest = (0..payoffs.rows()).fold(0.0, |largest, row| {
        let mut largest: f64 = largest;
        payoffs.walk_row(row, |run| largest = run.iter().fold(largest, |l, entry| l.max(entry.abs())));
        largest
    });
    if first.gap() <= ACCEPTED_GAP * largest || stop() {
        return first;
    }
    let exact = |row, column| RBig::try_from(payoffs.entry(row, column)).unwrap_or_default();
    let tableau = ExactTableau::solve([payoffs.rows(), payoffs.columns()], exact, stop);
    let mut pair = StrategyPair::default();
    normalise(&mut pair.row, tableau.row_player());
    normalise(&mut pair.column, tableau.column_player());
    let second = Equilibrium::judge(payoffs, &pair);
    if second.gap() < first.gap() { second } else { first }
}

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
