//! The exact solution of a matrix game whose payoffs are rationals.

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::linear_system;
use crate::bounds::{Bounds, Rounding};
use crate::matrix_game::basis::{Basis, Variable};
use crate::matrix_game::{DyadicStrategy, Payoffs};

/// A matrix game some of whose payoffs are known exactly, and all within bounds.
pub(crate) trait ExactPayoffs {
    /// The number of rows.
    fn rows(&self) -> usize;
    /// The number of columns.
    fn columns(&self) -> usize;
    /// An entry, if it is known exactly.
    fn exact(&self, row: usize, column: usize) -> Option<&RBig>;
    /// An entry's lower and upper bound as integers in units of 2^−[`exponent`](Self::exponent), within ±2⁶¹.
    fn bounds(&self, row: usize, column: usize) -> Bounds;
    /// The exponent of the unit.
    fn exponent(&self) -> u32;
    /// Whether whoever asked for the solution wants it no more; what is in work ends as [`Undecided`] then.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// An equilibrium in rationals: positive probabilities by index, rising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExactEquilibrium {
    pub(crate) value: RBig,
    pub(crate) row: Vec<(usize, RBig)>,
    pub(crate) column: Vec<(usize, RBig)>,
    /// The basis that proved it.
    pub(crate) basis: Basis,
}

/// An entry that would be needed exactly is only known within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undecided;

/// Solves a game exactly, starting from the basis that floating point found.
///
/// The equaliser strategies on the basis are computed in integers. That nothing outside does better is decided by bounds where
/// they suffice and by exact comparison where they do not. If the basis is not optimal, exact criss-cross
/// pivots (Terlaky 1985; least index, finite, no feasible start needed) lead from there to one that is.
///
/// # Errors
/// [`Undecided`] when an entry that matters is not known exactly, after `limit` pivots, or when the game is stopped.
pub(crate) fn solve(game: &impl ExactPayoffs, guess: &Basis, limit: usize) -> Result<ExactEquilibrium, Undecided> {
    let mut basis = guess.clone();
    for _ in 0..limit {
        if game.is_stopped() {
            break;
        }
        let Some(solution) = BasicSolution::of(game, &basis)? else {
            // Only a guess can be singular: pivots keep a basis regular.
            basis = Basis::single(basis.rows[0], basis.columns[0]);
            continue;
        };
        let Some(wrong) = solution.least_infeasible(game, &basis)? else { return Ok(solution.into_equilibrium(&basis)) };
        let partner = pivot_partner(game, &basis, wrong)?;
        // A game always has an equilibrium, so that a partner exists.
        let Some(partner) = partner else { return Err(Undecided) };
        for variable in [wrong, partner] {
            basis.toggle(variable);
        }
    }
    Err(Undecided)
}

/// Both players' equaliser strategies on a basis of a game in integers, computed exactly: weights out of 2⁶², rounded down, as
/// (index, weight); `None` when the basis is singular. Weights are negative where the basis is not feasible.
pub(crate) fn equalise(payoffs: &impl Payoffs<i64>, basis: &Basis) -> Option<[Vec<(u32, i64)>; 2]> {
    let places = basis.rows.iter().flat_map(|&row| basis.columns.iter().map(move |&column| (row, column)));
    let entries: Vec<RBig> = places.map(|(row, column)| RBig::from(payoffs.entry(row, column))).collect();
    let solution = BasicSolution::of_block(&Block::new(basis.size(), entries.iter().collect()), &|| false)?;
    let weight = |(&index, probability): (&usize, &RBig)| {
        let weight = i64::try_from(floor_scaled(probability, DyadicStrategy::WHOLE_BITS as usize));
        // Far beyond any probability: no strategy, which is seen from what it secures.
        (index as u32, weight.unwrap_or(0))
    };
    let row = basis.rows.iter().zip(&solution.row).map(weight).collect();
    Some([row, basis.columns.iter().zip(&solution.column).map(weight).collect()])
}

/// The solution of the equaliser systems of a basis.
pub(super) struct BasicSolution {
    pub(super) value: RBig,
    /// In the order of the basis; any sign.
    pub(super) row: Vec<RBig>,
    pub(super) column: Vec<RBig>,
}

impl BasicSolution {
    /// Solves both systems; `None` when they are singular.
    pub(super) fn of(game: &impl ExactPayoffs, basis: &Basis) -> Result<Option<Self>, Undecided> {
        Ok(Self::of_block(&Block::of(game, basis)?, &|| game.is_stopped()))
    }

    fn of_block(block: &Block<'_>, stop: &dyn Fn() -> bool) -> Option<Self> {
        let size = block.size;
        let unit = |place: usize| if place == size { &block.one } else { &block.zero };
        let right = size + 1;
        let system = |row, column| if column == right { unit(row) } else { block.bordered(row, column) };
        let mut column = linear_system::solve_unless(stop, size + 1, system)?;
        // The transposed block with the same border: A_RCᵀ x − v = 0, Σ x = 1.
        let transposed = |row, column| match (row, column) {
            (row, column) if column == right => unit(row),
            (row, column) if row < size && column < size => block.bordered(column, row),
            (row, column) => block.bordered(row, column),
        };
        let mut row = linear_system::solve_unless(stop, size + 1, transposed)?;
        let (value, row_value) = (column.pop().unwrap_or_default(), row.pop());
        debug_assert_eq!(row_value.as_ref(), Some(&value), "both systems have the same value");
        Some(Self { value, row, column })
    }

    /// The first variable that is not as it is in an equilibrium.
    fn least_infeasible(&self, game: &impl ExactPayoffs, basis: &Basis) -> Result<Option<Variable>, Undecided> {
        let value = Threshold::new(&self.value, game.exponent());
        let weights = weights(&self.row);
        for column in 0..game.columns() {
            if game.is_stopped() {
                return Err(Undecided);
            }
            let infeasible = match basis.columns.binary_search(&column) {
                Ok(place) => self.column[place] < RBig::ZERO,
                Err(_) => {
                    let entries = || basis.rows.iter().map(|&row| (game.exact(row, column), game.bounds(row, column)));
                    value.compare(&self.row, weights.as_deref(), entries)?.is_lt()
                }
            };
            if infeasible {
                return Ok(Some(Variable::Column(column)));
            }
        }
        let weights = self::weights(&self.column);
        for row in 0..game.rows() {
            if game.is_stopped() {
                return Err(Undecided);
            }
            let infeasible = match basis.rows.binary_search(&row) {
                Ok(place) => self.row[place] < RBig::ZERO,
                Err(_) => {
                    let entries = || basis.columns.iter().map(|&column| (game.exact(row, column), game.bounds(row, column)));
                    value.compare(&self.column, weights.as_deref(), entries)?.is_gt()
                }
            };
            if infeasible {
                return Ok(Some(Variable::Slack(row)));
            }
        }
        Ok(None)
    }

    fn into_equilibrium(self, basis: &Basis) -> ExactEquilibrium {
        let strategy = |choices: &[usize], probabilities: Vec<RBig>| {
            choices.iter().copied().zip(probabilities).filter(|(_, probability)| !probability.is_zero()).collect()
        };
        ExactEquilibrium {
            row: strategy(&basis.rows, self.row),
            column: strategy(&basis.columns, self.column),
            value: self.value,
            basis: basis.clone(),
        }
    }
}

/// The entries of a basis with their border.
struct Block<'g> {
    size: usize,
    entries: Vec<&'g RBig>,
    zero: RBig,
    one: RBig,
    minus_one: RBig,
}

impl<'g> Block<'g> {
    fn of(game: &'g impl ExactPayoffs, basis: &Basis) -> Result<Self, Undecided> {
        let entries = basis.rows.iter().flat_map(|&row| basis.columns.iter().map(move |&column| game.exact(row, column)));
        let entries = entries.collect::<Option<Vec<_>>>().ok_or(Undecided)?;
        Ok(Self::new(basis.size(), entries))
    }

    fn new(size: usize, entries: Vec<&'g RBig>) -> Self {
        Self { size, entries, zero: RBig::ZERO, one: RBig::ONE, minus_one: -RBig::ONE }
    }

    /// The matrix `[A_RC −1; 1ᵀ 0]`.
    fn bordered(&self, row: usize, column: usize) -> &RBig {
        match (row == self.size, column == self.size) {
            (false, false) => self.entries[row * self.size + column],
            (false, true) => &self.minus_one,
            (true, false) => &self.one,
            (true, true) => &self.zero,
        }
    }
}

/// The value that expectations are compared with, exactly and enclosed by integers.
pub(super) struct Threshold<'v> {
    exact: &'v RBig,
    bounds: Bounds,
}

impl<'v> Threshold<'v> {
    pub(super) fn new(exact: &'v RBig, exponent: u32) -> Self {
        Self { exact, bounds: fixed(exact, exponent) }
    }

    /// Compares the expectation of a strategy with the value: by bounds where they decide, else exactly.
    ///
    /// `entries` are what each choice of the strategy yields, exactly if known and within bounds. `weights` are the
    /// probabilities as multiples of 2⁻⁶², rounded down, unless some "probability" is negative.
    pub(super) fn compare<'e, E: Iterator<Item = (Option<&'e RBig>, Bounds)>>(
        &self,
        probabilities: &[RBig],
        weights: Option<&[i64]>,
        entries: impl Fn() -> E,
    ) -> Result<std::cmp::Ordering, Undecided> {
        if let Some(weights) = weights {
            // The probability lies in [weight, weight + 1] / 2^62 and an entry within ±2^61.
            let reserve = i128::from(weights.len() as u64) << 61;
            let expectation = |upper: bool| -> i128 {
                let term = |(&weight, (_, bounds)): (&i64, (_, Bounds))| i128::from(weight) * i128::from(bounds.side(upper));
                weights.iter().zip(entries()).map(term).sum()
            };
            let [lower, upper] = [false, true].map(|upper| i128::from(self.bounds.side(upper)) << DyadicStrategy::WHOLE_BITS);
            if expectation(false) - reserve > upper {
                return Ok(std::cmp::Ordering::Greater);
            }
            if expectation(true) + reserve < lower {
                return Ok(std::cmp::Ordering::Less);
            }
        }
        let mut sum = RBig::ZERO;
        for (probability, (entry, _)) in probabilities.iter().zip(entries()) {
            if !probability.is_zero() {
                sum += probability * entry.ok_or(Undecided)?;
            }
        }
        Ok(sum.cmp(self.exact))
    }
}

/// The integers next to a number of units, below and above.
fn fixed(number: &RBig, exponent: u32) -> Bounds {
    // An average of entries within ±2^61; only a basis that is no equilibrium could lie outside, and is compared exactly then.
    match i64::try_from(floor_scaled(number, exponent as usize)) {
        Ok(floor) if floor.unsigned_abs() <= 1 << 62 => Bounds::new(floor, floor + 1),
        _ => Bounds::new(i64::MIN >> 1, i64::MAX >> 1),
    }
}

/// Probabilities as multiples of 2⁻⁶², rounded down; `None` when one is negative, so that they are none.
pub(super) fn weights(probabilities: &[RBig]) -> Option<Vec<i64>> {
    let weight = |probability: &RBig| i64::try_from(floor_scaled(probability, DyadicStrategy::WHOLE_BITS as usize)).ok();
    probabilities.iter().map(|probability| if *probability < RBig::ZERO { None } else { weight(probability) }).collect()
}

fn floor_scaled(number: &RBig, bits: usize) -> IBig {
    Rounding::Down.quotient(number.numerator() << bits, number.denominator().clone().into())
}

/// The other variable of the criss-cross pivot that begins with `wrong`.
fn pivot_partner(game: &impl ExactPayoffs, basis: &Basis, wrong: Variable) -> Result<Option<Variable>, Undecided> {
    let all = (0..game.columns()).map(Variable::Column).chain((0..game.rows()).map(Variable::Slack));
    if basis.is_basic(wrong) {
        // A negative probability or slack: the first variable whose growth raises it.
        for candidate in all.filter(|&variable| !basis.is_basic(variable)) {
            if Direction::of(game, basis, candidate)?.of_variable(game, basis, wrong)? > RBig::ZERO {
                return Ok(Some(candidate));
            }
        }
    } else {
        // A reply that would gain: the first variable that its growth lowers.
        let direction = Direction::of(game, basis, wrong)?;
        for candidate in all.filter(|&variable| basis.is_basic(variable)) {
            if direction.of_variable(game, basis, candidate)? < RBig::ZERO {
                return Ok(Some(candidate));
            }
        }
    }
    Ok(None)
}

/// The change of the basic variables when one nonbasic variable grows.
pub(super) struct Direction {
    grows: Variable,
    columns: Vec<RBig>,
    value: RBig,
}

impl Direction {
    pub(super) fn of(game: &impl ExactPayoffs, basis: &Basis, grows: Variable) -> Result<Self, Undecided> {
        let block = Block::of(game, basis)?;
        let size = basis.size();
        // M · (Δy, Δv): a growing column takes its share of every tight row and of the sum; a growing slack loosens its row.
        let mut right = vec![RBig::ZERO; size + 1];
        match grows {
            Variable::Column(column) => {
                for (right, &row) in right.iter_mut().zip(&basis.rows) {
                    *right = -game.exact(row, column).ok_or(Undecided)?.clone();
                }
                right[size] = -RBig::ONE;
            }
            Variable::Slack(row) => {
                if let Some(place) = basis.rows.iter().position(|&own| own == row) {
                    right[place] = -RBig::ONE;
                }
            }
        }
        let entry = |row: usize, column: usize| if column == size + 1 { &right[row] } else { block.bordered(row, column) };
        let mut columns = linear_system::solve_unless(&|| game.is_stopped(), size + 1, entry).ok_or(Undecided)?;
        let value = columns.pop().unwrap_or_default();
        Ok(Self { grows, columns, value })
    }

    /// The change of one basic variable.
    pub(super) fn of_variable(&self, game: &impl ExactPayoffs, basis: &Basis, variable: Variable) -> Result<RBig, Undecided> {
        match variable {
            Variable::Column(column) => {
                let place = basis.columns.iter().position(|&own| own == column);
                Ok(place.map_or(RBig::ZERO, |place| self.columns[place].clone()))
            }
            Variable::Slack(row) => {
                let mut change = self.value.clone();
                for (&column, step) in basis.columns.iter().zip(&self.columns) {
                    change -= game.exact(row, column).ok_or(Undecided)? * step;
                }
                if let Variable::Column(column) = self.grows {
                    change -= game.exact(row, column).ok_or(Undecided)?;
                }
                Ok(change)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small integers, all known exactly.
    struct Integers(Vec<Vec<RBig>>);

    impl Integers {
        fn new(rows: &[Vec<i32>]) -> Self {
            Self(rows.iter().map(|row| row.iter().map(|&entry| RBig::from(entry)).collect()).collect())
        }
    }

    impl ExactPayoffs for Integers {
        fn rows(&self) -> usize {
            self.0.len()
        }
        fn columns(&self) -> usize {
            self.0[0].len()
        }
        fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
            Some(&self.0[row][column])
        }
        fn bounds(&self, row: usize, column: usize) -> Bounds {
            fixed(&self.0[row][column], self.exponent())
        }
        fn exponent(&self) -> u32 {
            50
        }
    }

    fn assert_equilibrium(game: &Integers, solution: &ExactEquilibrium) {
        for strategy in [&solution.row, &solution.column] {
            assert!(strategy.iter().all(|(_, probability)| *probability > RBig::ZERO));
            assert_eq!(strategy.iter().fold(RBig::ZERO, |sum, (_, probability)| sum + probability), RBig::ONE);
        }
        for column in 0..game.columns() {
            let secured = solution.row.iter().fold(RBig::ZERO, |sum, (row, p)| sum + p * &game.0[*row][column]);
            assert!(secured >= solution.value, "column {column} pays less than the value");
        }
        for row in 0..game.rows() {
            let conceded = solution.column.iter().fold(RBig::ZERO, |sum, (column, p)| sum + p * &game.0[row][*column]);
            assert!(conceded <= solution.value, "row {row} earns more than the value");
        }
    }

    /// Any guess, however bad, leads to an equilibrium; degenerate and duplicated rows included.
    #[test]
    fn criss_cross_pivots_find_the_way_from_any_single_entry() {
        let mut seed = 7_u64;
        let mut draw = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        for _ in 0..200 {
            let (rows, columns) = (1 + draw(7) as usize, 1 + draw(7) as usize);
            let range = if draw(2) == 0 { 5 } else { 100 };
            let mut entries: Vec<Vec<i32>> =
                (0..rows).map(|_| (0..columns).map(|_| draw(range) as i32 - range as i32 / 2).collect()).collect();
            if rows > 1 && draw(3) == 0 {
                entries[0] = entries[1].clone();
            }
            let game = Integers::new(&entries);
            let guess = Basis { rows: vec![draw(rows as u64) as usize], columns: vec![draw(columns as u64) as usize] };
            let solution = solve(&game, &guess, 1_000).unwrap_or_else(|_| panic!("no equilibrium of {entries:?}"));
            assert_equilibrium(&game, &solution);
        }
    }

    #[test]
    fn a_singular_guess_does_no_harm() {
        let game = Integers::new(&[vec![1, 1, 0], vec![1, 1, 3], vec![0, 2, 2]]);
        let solution = solve(&game, &Basis { rows: vec![0, 1], columns: vec![0, 1] }, 1_000).unwrap();
        assert_equilibrium(&game, &solution);
    }
}
