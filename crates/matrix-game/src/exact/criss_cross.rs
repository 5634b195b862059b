//! Exact pivots from the basis that floating point found.

use dashu_base::Signed;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::basic_solution::{BasicSolution, ExactEquilibrium, FreeVariables, sum_of_products};
use super::fraction_matrix::{ExactPayoffs, Undecided};
use super::linear_system::Fractions;
use crate::basis::{Basis, Variable};

/// Solves a game exactly, from the basis that floating point found, by criss-cross pivots (Terlaky
/// 1985; least index, finite, no feasible start needed). Bounds decide comparisons where they
/// suffice, exact arithmetic elsewhere.
///
/// # Errors
/// `Undecided` when a decisive entry is not known exactly, after `limit` pivots, or when the game
/// is stopped.
pub fn solve(
    game: &impl ExactPayoffs,
    guess: &Basis,
    limit: usize,
) -> Result<ExactEquilibrium, Undecided> {
    Ok(optimum(game, guess, limit)?.0.into_equilibrium())
}

/// An optimal basic solution and its degeneracies.
pub(super) fn optimum(
    game: &impl ExactPayoffs,
    guess: &Basis,
    limit: usize,
) -> Result<(BasicSolution, FreeVariables), Undecided> {
    let mut basis = guess.clone();
    for _ in 0..limit {
        if game.is_stopped() {
            break;
        }
        let single = Basis::single(basis.rows[0], basis.columns[0]);
        let Some(solution) = BasicSolution::of(game, basis)? else {
            // Only a guess can be singular: pivots keep a basis regular.
            basis = single;
            continue;
        };
        let mut free = FreeVariables::default();
        let Some(wrong) = solution.least_infeasible(game, &mut free)? else {
            return Ok((solution, free));
        };
        let partner = pivot_partner(game, &solution, wrong)?;
        basis = solution.basis;
        for variable in [wrong, partner] {
            basis.toggle(variable);
        }
    }
    Err(Undecided)
}

/// The partner of a criss-cross pivot on `wrong`.
fn pivot_partner(
    game: &impl ExactPayoffs,
    solution: &BasicSolution,
    wrong: Variable,
) -> Result<Variable, Undecided> {
    let (all, basis) = (Variable::all(game.size()), &solution.basis);
    if basis.is_basic(wrong) {
        // A negative probability or slack: the first variable whose growth raises it.
        for candidate in all.filter(|&variable| !basis.is_basic(variable)) {
            if game.is_stopped() {
                return Err(Undecided);
            }
            if Direction::of(game, solution, candidate)?.of_variable(wrong)?.0 > IBig::ZERO {
                return Ok(candidate);
            }
        }
    } else {
        // A reply that would gain: the first variable that its growth lowers.
        let direction = Direction::of(game, solution, wrong)?;
        for candidate in all.filter(|&variable| basis.is_basic(variable)) {
            if direction.of_variable(candidate)?.0.is_negative() {
                return Ok(candidate);
            }
        }
    }
    // Cannot happen: a game has an equilibrium.
    Err(Undecided)
}

/// The change of the basic variables when a nonbasic one grows.
pub(super) struct Direction<'d, G> {
    game: &'d G,
    basis: &'d Basis,
    grows: Variable,
    columns: Fractions,
    value: IBig,
}

impl<'d, G: ExactPayoffs> Direction<'d, G> {
    pub(super) fn of(
        game: &'d G,
        BasicSolution { basis, system, .. }: &'d BasicSolution,
        grows: Variable,
    ) -> Result<Self, Undecided> {
        // M · (Δy, Δv): a growing column takes its share of every tight row and of the sum; a
        // growing slack loosens its row.
        let mut right = vec![RBig::ZERO; basis.size() + 1];
        match grows {
            Variable::Column(column) => {
                for (right, &row) in right.iter_mut().zip(&basis.rows) {
                    *right = -game.exact(row, column).ok_or(Undecided)?.clone();
                }
                right[basis.size()] = -RBig::ONE;
            }
            Variable::Slack(_) => {
                if let Some(index) = basis.index_of(grows) {
                    right[index] = -RBig::ONE;
                }
            }
        }
        let mut columns = system.solve(&right);
        let value = columns.pop();
        Ok(Self { game, basis, grows, columns, value })
    }

    /// The change of one basic variable: a numerator and a positive denominator.
    pub(super) fn of_variable(&self, variable: Variable) -> Result<(IBig, UBig), Undecided> {
        let Self { game, basis, columns: Fractions { numerators, denominator }, .. } = self;
        match variable {
            Variable::Column(_) => {
                let index = basis.index_of(variable);
                Ok((
                    index.map_or(IBig::ZERO, |index| numerators[index].clone()),
                    denominator.clone(),
                ))
            }
            Variable::Slack(row) => {
                let whole = denominator.clone().into();
                let grown = if let Variable::Column(column) = self.grows {
                    Some((&whole, column))
                } else {
                    None
                };
                let steps = numerators.iter().zip(basis.columns.iter().copied()).chain(grown);
                let terms = steps.map(|(step, column)| Some((step, game.exact(row, column)?)));
                let (sum, common) =
                    sum_of_products(&terms.collect::<Option<Vec<_>>>().ok_or(Undecided)?);
                Ok((&self.value * &common - sum, denominator * common))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Bounds;
    use crate::sequence::{matrix, sequence};

    struct Integers(Vec<Vec<RBig>>);

    fn integers(rows: &[Vec<i64>]) -> Integers {
        Integers(rows.iter().map(|row| row.iter().map(|&entry| entry.into()).collect()).collect())
    }

    impl ExactPayoffs for Integers {
        fn size(&self) -> [usize; 2] {
            [self.0.len(), self.0[0].len()]
        }
        fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
            Some(&self.0[row][column])
        }
        fn bounds(&self, row: usize, column: usize) -> Bounds {
            let entry =
                i64::try_from(self.0[row][column].numerator() << self.exponent() as usize).unwrap();
            Bounds::new(entry, entry + 1)
        }
        fn exponent(&self) -> u32 {
            50
        }
    }

    fn assert_equilibrium(game: &Integers, solution: &ExactEquilibrium) {
        let [rows, columns] = [&solution.row, &solution.column]
            .map(|strategy| strategy.probabilities().collect::<Vec<_>>());
        for strategy in [&rows, &columns] {
            assert!(strategy.iter().all(|(_, probability)| *probability > RBig::ZERO));
            assert_eq!(
                strategy.iter().fold(RBig::ZERO, |sum, (_, probability)| sum + probability),
                RBig::ONE
            );
        }
        let value = solution.value.clone().canonicalize();
        for column in 0..game.0[0].len() {
            let secured =
                rows.iter().fold(RBig::ZERO, |sum, (row, p)| sum + p * &game.0[*row][column]);
            assert!(secured >= value, "column {column} pays less than the value");
        }
        for row in 0..game.0.len() {
            let conceded =
                columns.iter().fold(RBig::ZERO, |sum, (column, p)| sum + p * &game.0[row][*column]);
            assert!(conceded <= value, "row {row} earns more than the value");
        }
    }

    #[test]
    fn criss_cross_pivots_find_the_way_from_any_guess() {
        let mut draw = sequence(7);
        for _ in 0..200 {
            let (rows, columns) = (1 + draw(7) as usize, 1 + draw(7) as usize);
            let range = if draw(2) == 0 { 2 } else { 50 };
            let mut entries = matrix(&mut draw, [rows, columns], range);
            if rows > 1 && draw(3) == 0 {
                entries[0] = entries[1].clone();
            }
            let game = integers(&entries);
            // Singular where it has two equal rows, or by accident.
            let size = 1 + draw(rows.min(columns) as u64) as usize;
            let [row, column] =
                [rows, columns].map(|choices| draw((choices - size + 1) as u64) as usize);
            let guess = Basis {
                rows: (row..row + size).collect(),
                columns: (column..column + size).collect(),
            };
            let solution = solve(&game, &guess, 1_000)
                .unwrap_or_else(|_| panic!("no equilibrium of {entries:?}"));
            assert_equilibrium(&game, &solution);
        }
    }

    /// Fractions in whole units, near the least payoff.
    struct NearTheLeast(Vec<Vec<RBig>>);

    impl ExactPayoffs for NearTheLeast {
        fn size(&self) -> [usize; 2] {
            [self.0.len(), self.0[0].len()]
        }
        fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
            Some(&self.0[row][column])
        }
        fn bounds(&self, row: usize, column: usize) -> Bounds {
            let [floor, ceil] = [self.0[row][column].floor(), self.0[row][column].ceil()];
            Bounds::new(i64::try_from(floor).unwrap(), i64::try_from(ceil).unwrap())
        }
        fn exponent(&self) -> u32 {
            0
        }
    }

    /// Against (1/3, 2/3) two columns pay 9/10 more than the least payoff, and the third pays 2/3
    /// more. Bounds cannot tell which is more: weights that are rounded down raise the third by
    /// half a unit, and the value is known to a unit. Exact numbers decide.
    #[test]
    fn a_reply_that_is_better_by_part_of_a_unit_is_found() {
        let least = RBig::from((-1_i64 << 61) + 8);
        let entry = |tenths: i64, hundredths: i64| {
            &least + RBig::from_parts((10 * tenths + hundredths).into(), 100_u8.into())
        };
        let game = NearTheLeast(vec![
            vec![entry(27, 0), entry(0, 0), entry(0, 0)],
            vec![entry(0, 0), entry(13, 5), entry(10, 0)],
        ]);
        let guess = Basis { rows: vec![0, 1], columns: vec![0, 1] };
        let solution =
            solve(&game, &guess, 100).unwrap_or_else(|Undecided| panic!("all payoffs are known"));
        // Rows 0 and 1 against columns 0 and 2: (10/37, 27/37) earns 270/370.
        let value = &least + RBig::from_parts(27.into(), 37_u8.into());
        assert_eq!(solution.value.canonicalize(), value);
        let chosen: Vec<usize> =
            solution.column.probabilities().map(|(column, _)| column).collect();
        assert_eq!(chosen, [0, 2]);
    }
}
