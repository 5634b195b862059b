//! The basic solution of a basis in fractions.

use std::cmp::Ordering;

use dashu_base::Signed;
use dashu_int::{IBig, UBig};
use dashu_ratio::{RBig, Relaxed};

use super::fraction_matrix::{ExactPayoffs, Undecided};
use super::linear_system::{Elimination, Fractions};
use crate::DyadicStrategy;
use crate::basis::{Basis, Variable};
use crate::bounds::{Bounds, Rounding, Side};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactEquilibrium {
    /// Not in lowest terms: reducing can take longer than solving, and many values are never read.
    pub value: Relaxed,
    pub row: ExactStrategy,
    pub column: ExactStrategy,
    pub basis: Basis,
}

/// A mixed strategy in rationals: positive probabilities by rising index, over one denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactStrategy {
    support: Vec<usize>,
    shares: Fractions,
}

impl ExactStrategy {
    #[cfg(test)]
    pub(super) const fn new(support: Vec<usize>, shares: Fractions) -> Self {
        Self { support, shares }
    }

    pub(super) fn support(&self) -> &[usize] {
        &self.support
    }

    /// The probabilities of the support, times the denominator.
    pub(super) fn numerators(&self) -> impl Iterator<Item = &IBig> {
        self.shares.numerators.iter()
    }

    pub(super) const fn denominator(&self) -> &UBig {
        &self.shares.denominator
    }

    pub fn probabilities(&self) -> impl Iterator<Item = (usize, RBig)> {
        let Fractions { numerators, denominator } = &self.shares;
        let reduced = |numerator: &IBig| RBig::from_parts(numerator.clone(), denominator.clone());
        self.support.iter().copied().zip(numerators.iter().map(reduced))
    }
}

/// Both players' equaliser strategies on a basis: (index, weight) out of 2 to the power of `bits`,
/// rounded down, negative where the basis is not feasible; `None` when it is singular or the caller
/// stops.
pub(crate) fn equalise(
    payoff: impl Fn(usize, usize) -> RBig,
    basis: &Basis,
    bits: u32,
    stop: &dyn Fn() -> bool,
) -> Option<[Vec<(usize, IBig)>; 2]> {
    let line = |&row: &usize| basis.columns.iter().map(|&column| payoff(row, column)).collect();
    let lines: Vec<Vec<RBig>> = basis.rows.iter().map(line).collect();
    let BasicSolution { row, column, .. } =
        BasicSolution::of_block(basis.clone(), |row, column| &lines[row][column], stop)?;
    let weigh = |choices: &[usize], equaliser: &Equaliser| {
        choices.iter().copied().zip(equaliser.scaled(bits)).collect()
    };
    Some([weigh(&basis.rows, &row), weigh(&basis.columns, &column)])
}

pub(super) struct BasicSolution {
    pub(super) basis: Basis,
    /// Of the column player's probabilities and the value.
    pub(super) system: Elimination,
    row: Equaliser,
    column: Equaliser,
}

/// A player's equaliser on a basis.
struct Equaliser {
    /// Probabilities of any sign, in the order of the basis.
    shares: Fractions,
    /// The value's numerator over the same denominator.
    value: IBig,
}

impl Equaliser {
    /// From a system's solution, the value last.
    fn new(mut solution: Fractions, value: impl Fn(IBig) -> IBig) -> Self {
        let value = value(solution.pop());
        Self { shares: solution, value }
    }

    /// The probabilities as multiples of 2^−`bits`, rounded down.
    fn scaled(&self, bits: u32) -> impl Iterator<Item = IBig> {
        self.shares.numerators.iter().map(move |numerator| self.floor_scaled(numerator, bits))
    }

    fn floor_scaled(&self, numerator: &IBig, bits: u32) -> IBig {
        Rounding::Down.quotient(numerator << bits as usize, self.shares.denominator.clone().into())
    }

    /// The integers next to the value in units, below and above.
    fn value_bounds(&self, exponent: u32) -> Bounds {
        // An average of entries within ±2^61; only a basis that is no equilibrium could lie
        // outside; it is compared exactly.
        match i64::try_from(self.floor_scaled(&self.value, exponent)) {
            Ok(floor) if floor.unsigned_abs() <= 1 << 62 => Bounds::new(floor, floor + 1),
            _ => Bounds::new(i64::MIN >> 1, i64::MAX >> 1),
        }
    }

    /// The probabilities as multiples of 2⁻⁶², rounded down; `None` when one is negative.
    fn weights(&self) -> Option<Vec<i64>> {
        let possible = self.shares.numerators.iter().all(|numerator| !numerator.is_negative());
        possible.then(|| {
            self.scaled(DyadicStrategy::WHOLE_BITS)
                .map(|weight| i64::try_from(weight).ok())
                .collect()
        })?
    }

    fn into_strategy(self, choices: &[usize]) -> ExactStrategy {
        let Fractions { numerators, denominator } = self.shares;
        let chosen =
            choices.iter().copied().zip(numerators).filter(|(_, numerator)| !numerator.is_zero());
        let (support, numerators) = chosen.unzip();
        ExactStrategy { support, shares: Fractions { numerators, denominator } }
    }
}

/// The degeneracies of an optimal basic solution: the variables that are 0 and cost nothing, in
/// each player's dictionary. A variable free for one player is basic and 0 for the other.
#[derive(Debug, Default)]
pub(super) struct FreeVariables {
    pub(super) of_row: Vec<Variable>,
    pub(super) of_column: Vec<Variable>,
}

impl BasicSolution {
    pub(super) fn of(game: &impl ExactPayoffs, basis: Basis) -> Result<Option<Self>, Undecided> {
        let line =
            |&row: &usize| basis.columns.iter().map(|&column| game.exact(row, column)).collect();
        let lines: Vec<Vec<&RBig>> =
            basis.rows.iter().map(line).collect::<Option<_>>().ok_or(Undecided)?;
        Ok(Self::of_block(basis, |row, column| lines[row][column], &|| game.is_stopped()))
    }

    /// Solves both players' equaliser systems of a basis, from its entries by place; `None` when
    /// they are singular or the caller stops.
    fn of_block<'e>(
        basis: Basis,
        entry: impl Fn(usize, usize) -> &'e RBig,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let size = basis.size();
        let (zero, one, minus_one) = (RBig::ZERO, RBig::ONE, -RBig::ONE);
        let bordered = |row: usize, column: usize| match (row == size, column == size) {
            (false, false) => entry(row, column),
            (false, true) => &minus_one,
            (true, false) => &one,
            (true, true) => &zero,
        };
        let system = Elimination::unless(stop, size + 1, bordered)?;
        let mut right = vec![RBig::ZERO; size + 1];
        right[size] = RBig::ONE;
        let column = Equaliser::new(system.solve(&right), |value| value);
        // The transposed system has the value with the other sign: A_RCᵀ x + w = 0, −Σ x = −1.
        let mut right = vec![IBig::ZERO; size + 1];
        right[size] = IBig::NEG_ONE;
        let row = Equaliser::new(system.solve_transposed(&right), |value| -value);
        debug_assert_eq!(
            &row.value * IBig::from(column.shares.denominator.clone()),
            &column.value * IBig::from(row.shares.denominator.clone()),
            "both systems have the same value"
        );
        Some(Self { basis, system, row, column })
    }

    pub(super) fn value(&self) -> Relaxed {
        Relaxed::from_parts(self.column.value.clone(), self.column.shares.denominator.clone())
    }

    /// The first infeasible variable; adds the variables before it that are 0 and cost nothing to
    /// the free ones.
    pub(super) fn least_infeasible(
        &self,
        game: &impl ExactPayoffs,
        free: &mut FreeVariables,
    ) -> Result<Option<Variable>, Undecided> {
        let basis = &self.basis;
        let [of_row, of_column] =
            [&self.row, &self.column].map(|equaliser| Expected::of(equaliser, game));
        for variable in Variable::all(game.size()) {
            if game.is_stopped() {
                return Err(Undecided);
            }
            let payoff = |row, column| (game.exact(row, column), game.bounds(row, column));
            let sign = match (variable, basis.index_of(variable)) {
                (Variable::Column(_), Some(index)) => {
                    self.column.shares.numerators[index].cmp(&IBig::ZERO)
                }
                (Variable::Slack(_), Some(index)) => {
                    self.row.shares.numerators[index].cmp(&IBig::ZERO)
                }
                (Variable::Column(column), None) => {
                    of_row.compare(|| basis.rows.iter().map(move |&row| payoff(row, column)))?
                }
                (Variable::Slack(row), None) => of_column
                    .compare(|| basis.columns.iter().map(move |&column| payoff(row, column)))?
                    .reverse(),
            };
            match sign {
                Ordering::Less => return Ok(Some(variable)),
                Ordering::Equal if basis.is_basic(variable) => free.of_row.push(variable),
                Ordering::Equal => free.of_column.push(variable),
                Ordering::Greater => {}
            }
        }
        Ok(None)
    }

    pub(super) fn into_equilibrium(self) -> ExactEquilibrium {
        let (value, basis) = (self.value(), self.basis);
        let (row, column) =
            (self.row.into_strategy(&basis.rows), self.column.into_strategy(&basis.columns));
        ExactEquilibrium { value, row, column, basis }
    }
}

/// The expectations of a strategy, compared with the value by integer bounds or exactly.
struct Expected<'s> {
    equaliser: &'s Equaliser,
    value: Bounds,
    weights: Option<Vec<i64>>,
}

impl<'s> Expected<'s> {
    fn of<G: ExactPayoffs>(equaliser: &'s Equaliser, game: &G) -> Self {
        let weights = if G::BOUNDS_DECIDE { equaliser.weights() } else { None };
        Self { equaliser, value: equaliser.value_bounds(game.exponent()), weights }
    }

    /// Compares the expectation against one reply with the value: by bounds where they decide, else
    /// exactly. `entries` are the payoffs of the strategy's choices, exactly if known and within
    /// bounds.
    fn compare<'e, E: Iterator<Item = (Option<&'e RBig>, Bounds)>>(
        &self,
        entries: impl Fn() -> E,
    ) -> Result<Ordering, Undecided> {
        if let Some(weights) = &self.weights {
            // The probability lies in [weight, weight + 1] / 2^62 and an entry within ±2^61.
            let reserve = i128::from(weights.len() as u64) << 61;
            let expectation = |side: Side| -> i128 {
                let term = |(&weight, (_, bounds)): (&i64, (_, Bounds))| {
                    i128::from(weight) * i128::from(side.bound(bounds))
                };
                weights.iter().zip(entries()).map(term).sum()
            };
            let [lower, upper] = Side::BOTH
                .map(|side| i128::from(side.bound(self.value)) << DyadicStrategy::WHOLE_BITS);
            if expectation(Side::Lower) - reserve > upper {
                return Ok(Ordering::Greater);
            }
            if expectation(Side::Upper) + reserve < lower {
                return Ok(Ordering::Less);
            }
        }
        let numerators = &self.equaliser.shares.numerators;
        let entries = entries().map(|(entry, _)| entry);
        let terms = numerators.iter().zip(entries).filter(|(numerator, _)| !numerator.is_zero());
        let terms = terms
            .map(|(numerator, entry)| Some((numerator, entry?)))
            .collect::<Option<Vec<_>>>()
            .ok_or(Undecided)?;
        let (sum, common) = sum_of_products(&terms);
        Ok(sum.cmp(&(&self.equaliser.value * common)))
    }
}

pub(super) fn sum_of_products(terms: &[(&IBig, &RBig)]) -> (IBig, UBig) {
    let Fractions { numerators, denominator } =
        Fractions::of(terms.iter().map(|&(_, fraction)| fraction));
    (
        terms.iter().zip(numerators).map(|(&(integer, _), numerator)| integer * numerator).sum(),
        denominator,
    )
}
