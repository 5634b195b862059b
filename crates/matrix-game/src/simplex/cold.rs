//! The simplex method without a basis to begin with.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::candidate::{Candidate, best_reply};
use super::self_dual::SelfDual;
use super::tableau::Tableau;
use crate::basis::{Basis, BasisFactorisation};
use crate::dense::power_of_two_scale;
use crate::equilibrium::{StrategyPair, normalise};
use crate::exact;
use crate::payoffs::extremes;
use crate::saddle_point::PureSecurityLevels;
use crate::tolerances::ACCEPTED_GAP;
use crate::tremble::Trembling;
use crate::work::{Stop, Watch, unwatched};
use crate::{ByEntry, Equilibrium, Matrix, Payoffs};

/// Exact probabilities become doubles by way of multiples of 2 to the power of minus this, far
/// below their precision.
const PROBABILITY_BITS: u32 = 80;

/// Pivots for every row and column after which a tableau stalls: measured counts of games that do
/// not stay below 2.
const MOST_PIVOTS: usize = 6;

/// The same where nothing stalls any more; far beyond what is measured something is wrong.
const LAST_PIVOTS: usize = 50;

/// The size of a perturbation, as a share of the range of payoffs: far above the rounding of a
/// tableau (1e-14), and so small that a basis which is optimal with it is so without it, unless a
/// probability or a loss is as small.
const PERTURBATION: f64 = 1e-7;

/// The game in which every row and every column pays a little more, irregularly, so that hardly any
/// two replies tie: many ties make the simplex stall, and a basis that is optimal in this game is
/// so in that one, too (Charnes 1952; Megiddo and Chandrasekaran 1989). Of rows and columns, not of
/// single payoffs: probabilities sum to 1, so that these are changes of the right-hand side and of
/// the costs, which leave a basis as regular as it is.
fn perturbed(payoffs: &impl Payoffs, range: f64) -> Matrix {
    // The squares' multiples of an irrational number, modulo 1 (Weyl 1916), in steps of 2⁻⁶⁴; that
    // number is the golden ratio.
    let irregular = |index: u64| {
        index.wrapping_mul(index).wrapping_mul(0x9E37_79B9_7F4A_7C15) as f64 * (-64.0_f64).exp2()
    };
    let size = [payoffs.rows(), payoffs.columns()];
    let more = |line: usize| range * PERTURBATION * irregular(1 + line as u64);
    Matrix::unchecked(&ByEntry(size, |row, column| {
        payoffs.entry(row, column) + more(row) + more(size[0] + column)
    }))
}

/// A judged pair of strategies.
struct JudgedPair {
    /// Whether the pair equalises on its basis, whose factorisation is then at hand.
    is_equalised: bool,
    equilibrium: Equilibrium,
}

/// Whether a pair is optimal up to rounding.
fn is_accepted(payoffs: &impl Payoffs, equilibrium: &Equilibrium) -> bool {
    let (smallest, largest) = extremes(payoffs);
    equilibrium.gap() <= ACCEPTED_GAP * largest.max(-smallest)
}

/// Solves matrix games by a dense primal simplex with a saddle-point test before it.
///
/// Both strategies are computed from the original payoffs on the final basis: rounding in the
/// pivots costs time, not accuracy. Reuse a solver for many games: it keeps its buffers.
///
/// *Ties.* A second right-hand side decides ties (lexicographic rule), so that the method does not
/// cycle. A pair with a gap above 1e-12 of the largest payoff is replaced by that of a perturbed
/// game without ties, or else of exact pivots, which take some fifty times as long.
///
/// *Several optima.* The strategy found is among those that gain most when the opponent errs a
/// little and evenly, unless ties made the pivots stall.
///
/// *Complexity.* O(rows · columns) a pivot; typically about rows + columns pivots.
///
/// ```
/// use matrix_game::{Matrix, Simplex};
///
/// let game = Matrix::from_rows(&[[3.0, -1.0], [-2.0, 1.0]])?;
/// let equilibrium = Simplex::new().solve(&game);
/// assert!((equilibrium.value() - 1.0 / 7.0).abs() < 1e-15);
/// assert!((equilibrium.row_strategy()[0] - 3.0 / 7.0).abs() < 1e-15);
/// # Ok::<(), matrix_game::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Simplex {
    security: PureSecurityLevels,
    tableau: Tableau,
    pub(super) self_dual: SelfDual,
    pub(super) pair: StrategyPair,
    pub(super) basis: Basis,
    /// The basis's, unless the pair is a saddle point or the basis singular.
    pub(super) factorisation: BasisFactorisation,
}

impl Simplex {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn solve(&mut self, payoffs: &impl Payoffs) -> Equilibrium {
        self.solve_unless(payoffs, &Stop::new(&mut unwatched))
    }

    /// The equilibrium of the tableau, or that of exact pivots where its gap is too wide; any pair
    /// once it is to stop.
    pub(crate) fn solve_unless(
        &mut self,
        payoffs: &impl Payoffs,
        stop: &Stop<'_, '_>,
    ) -> Equilibrium {
        let payoffs = &Matrix::unchecked(payoffs);
        let JudgedPair { equilibrium: first, .. } =
            self.search(payoffs, &mut |share| stop.tell(share));
        if is_accepted(payoffs, &first) || stop.is_asked() {
            return first;
        }
        let payoff = |row, column| RBig::try_from(payoffs.entry(row, column)).unwrap_or_default();
        let stop = || stop.is_asked();
        let basis = exact::optimal_basis([payoffs.rows(), payoffs.columns()], payoff, &stop);
        let Some([row, column]) = exact::equalise(payoff, &basis, PROBABILITY_BITS, &stop) else {
            return first;
        };
        let probability = |(index, weight): (usize, IBig)| {
            (index, weight.to_f64().value() * (-f64::from(PROBABILITY_BITS)).exp2())
        };
        let mut pair = StrategyPair::default();
        normalise(&mut pair.row, row.into_iter().map(probability));
        normalise(&mut pair.column, column.into_iter().map(probability));
        let second = Equilibrium::judge(payoffs, &pair);
        if second.gap() < first.gap() { second } else { first }
    }

    /// A pair of strategies that is likely optimal; any pair when the callback cancels.
    #[doc(hidden)]
    pub fn find(&mut self, payoffs: &impl Trembling, watch: &mut Watch<'_>) -> Candidate<'_> {
        let JudgedPair { is_equalised, .. } = self.search(payoffs, watch);
        if is_equalised { self.candidate() } else { self.unfactorised_candidate() }
    }

    /// Takes a saddle point, or the pair of the tableau, or that of the perturbed game's where the
    /// former is not optimal.
    fn search(&mut self, payoffs: &impl Trembling, watch: &mut Watch<'_>) -> JudgedPair {
        let column = match self.saddle_point(payoffs, (0, 0)) {
            Ok((row, column)) => {
                self.pair = StrategyPair::pure(row, column);
                self.basis = Basis::single(row, column);
                return JudgedPair {
                    is_equalised: false,
                    equilibrium: Equilibrium::judge(payoffs, &self.pair),
                };
            }
            Err(column) => column,
        };
        let row = self.run_tableau(payoffs, column, watch);
        let pair = self.take_pair(payoffs, row, column);
        if is_accepted(payoffs, &pair.equilibrium) {
            return pair;
        }
        let row = self.run_perturbed(payoffs, column, watch);
        self.take_pair(payoffs, row, column)
    }

    /// Takes the pair that equalises on the tableau's basis, or else the tableau's, or else the
    /// pure one of `row` and `column`.
    fn take_pair(&mut self, payoffs: &impl Payoffs, row: usize, column: usize) -> JudgedPair {
        let is_equalised = self.take_equaliser(payoffs);
        if !is_equalised {
            self.take_tableau(row, column);
        }
        JudgedPair { is_equalised, equilibrium: Equilibrium::judge(payoffs, &self.pair) }
    }

    /// Finds a saddle point, or the safest column to start from; `likely` is a guess of the saddle
    /// point.
    #[doc(hidden)]
    pub fn saddle_point(
        &mut self,
        payoffs: &impl Trembling,
        likely: (usize, usize),
    ) -> Result<(usize, usize), usize> {
        self.security.saddle_point(payoffs, likely)
    }

    /// The tableau's pair, for callers that refine it: the factorised basis does not recompute it.
    #[doc(hidden)]
    pub fn find_from(&mut self, payoffs: &impl Trembling, column: usize) -> Candidate<'_> {
        let row = self.run_tableau(payoffs, column, &mut unwatched);
        self.take_tableau(row, column);
        let is_regular = self.factorisation.factorise(payoffs, &self.basis);
        if is_regular { self.candidate() } else { self.unfactorised_candidate() }
    }

    /// Runs the tableau from a column to a basis; returns the best reply to the column.
    fn run_tableau(
        &mut self,
        payoffs: &impl Trembling,
        column: usize,
        watch: &mut Watch<'_>,
    ) -> usize {
        let row = best_reply(payoffs, column);
        let (smallest, largest) = extremes(payoffs);
        self.tableau.start(payoffs, row, column, power_of_two_scale(largest - smallest));
        self.tableau.run(MOST_PIVOTS * (payoffs.rows() + payoffs.columns()), watch);
        self.basis = self.tableau.basis();
        row
    }

    /// As [`Self::run_tableau`], for the [perturbed] game.
    fn run_perturbed(
        &mut self,
        payoffs: &impl Payoffs,
        column: usize,
        watch: &mut Watch<'_>,
    ) -> usize {
        let (smallest, largest) = extremes(payoffs);
        let perturbed = perturbed(payoffs, largest - smallest);
        let row = best_reply(&perturbed, column);
        self.tableau.start(&perturbed, row, column, power_of_two_scale(largest - smallest));
        self.tableau.run(LAST_PIVOTS * (payoffs.rows() + payoffs.columns()), watch);
        self.basis = self.tableau.basis();
        row
    }

    /// Takes the tableau's pair, or the pure one where it has none.
    fn take_tableau(&mut self, row: usize, column: usize) {
        let Self { tableau, pair, .. } = self;
        if !(normalise(&mut pair.row, tableau.row_player())
            && normalise(&mut pair.column, tableau.column_player()))
        {
            *pair = StrategyPair::pure(row, column);
        }
    }
}
