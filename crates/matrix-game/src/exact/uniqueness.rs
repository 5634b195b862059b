//! The number of optimal strategies of a player: one, or infinitely many.

use std::ops::ControlFlow;

use dashu_base::Signed;
use dashu_ratio::RBig;

use super::basic_solution::BasicSolution;
use super::criss_cross::{self, Direction};
use super::fraction_matrix::{ExactPayoffs, Undecided};
use super::solver::solve_fractions;
use crate::basis::{Basis, Variable};
use crate::bounds::Bounds;
use crate::error::MatrixError;
use crate::written_as::written_as;

/// The number of optimal strategies that a player has in a matrix game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uniqueness {
    /// One, proved.
    Unique,
    /// Infinitely many, proved: with two strategies every mixture of them is optimal.
    Several,
    /// Undecided by the known payoffs.
    Unknown,
}

written_as!(
    Uniqueness {
        Unique => "unique",
        Several => "several",
        Unknown => "unknown",
    },
    |text| MatrixError::UniquenessSyntax { text } => MatrixError
);

/// More exact pivots mean numbers too large to continue.
const EXACT_PIVOTS: usize = 2_000;

/// Decides whether the row player's and the column player's optimal strategies are the only ones.
///
/// An optimal dictionary shows the variables that are 0 without a price: for the row player the
/// rows outside the basis that are as good as those inside, and the basis's columns with
/// probability 0. Another optimal strategy exists if some of them can grow while the basic
/// variables that are 0, the other player's free ones, do not become negative. Growth is a cone:
/// the sign of the value of the matrix game of the dictionary's entries between the two groups
/// decides.
///
/// # Errors
/// `Undecided` when a decisive entry is not known exactly.
pub fn decide(game: &impl ExactPayoffs, guess: &Basis) -> Result<[Uniqueness; 2], Undecided> {
    let (solution, free) = criss_cross::optimum(game, guess, EXACT_PIVOTS)?;
    let changes: Vec<Vec<[RBig; 2]>> = free
        .of_column
        .iter()
        .map(|&grows| changes(game, &solution, grows, &free.of_row))
        .collect::<Result<_, _>>()?;
    let turned = |end: usize| -> Vec<Vec<RBig>> {
        (0..free.of_row.len())
            .map(|row| changes.iter().map(|of_one| -of_one[row][end].clone()).collect())
            .collect()
    };
    let of_row = judge(game, &free.of_row, &turned(1), &turned(0));
    let pairs = |of_one: Vec<[RBig; 2]>| of_one.into_iter().map(<(RBig, RBig)>::from).unzip();
    let (lower, upper): (Vec<Vec<RBig>>, Vec<Vec<RBig>>) = changes.into_iter().map(pairs).unzip();
    Ok([of_row, judge(game, &free.of_column, &lower, &upper)])
}

/// Decides from lower and upper bounds of the table between the free variables.
fn judge(
    game: &impl ExactPayoffs,
    free: &[Variable],
    lower: &[Vec<RBig>],
    upper: &[Vec<RBig>],
) -> Uniqueness {
    if free.is_empty() || can_grow(game, upper) == Some(false) {
        Uniqueness::Unique
    } else if can_grow(game, lower) == Some(true) {
        Uniqueness::Several
    } else {
        Uniqueness::Unknown
    }
}

/// Lower and upper bounds of the changes of some basic variables when a free one grows, which agree
/// where payoffs are known exactly.
fn changes(
    game: &impl ExactPayoffs,
    solution: &BasicSolution,
    grows: Variable,
    of: &[Variable],
) -> Result<Vec<[RBig; 2]>, Undecided> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    if game.is_stopped() {
        return Err(Undecided);
    }
    if solution.basis.size() == 1 {
        // At a saddle point free rows and columns yield the value against it, so that only their
        // common entry counts, and bounds of it may do.
        let value = &solution.value().canonicalize();
        let change = |variable: &Variable| match (variable, grows) {
            (&Variable::Slack(row), Variable::Column(column)) => {
                let [lower, upper] = entry_bounds(game, row, column);
                Ok([value - upper, value - lower])
            }
            _ => Err(Undecided),
        };
        return of.iter().map(change).collect();
    }
    let direction = Direction::of(game, solution, grows)?;
    let change = |&variable: &Variable| {
        let (numerator, denominator) = direction.of_variable(variable)?;
        let change = RBig::from_parts(numerator, denominator);
        Ok([change.clone(), change])
    };
    of.iter().map(change).collect()
}

/// The lower and the upper bound of an entry; twice an exact one.
fn entry_bounds(game: &impl ExactPayoffs, row: usize, column: usize) -> [RBig; 2] {
    game.exact(row, column).map_or_else(
        || {
            let Bounds { lower, upper } = game.bounds(row, column);
            [lower, upper].map(|bound| game.units(bound))
        },
        |exact| [exact.clone(), exact.clone()],
    )
}

/// Whether some mixture of the table's rows has no negative entry: whether the value of that game
/// is at least 0. `None` if `game` is stopped.
fn can_grow(game: &impl ExactPayoffs, table: &[Vec<RBig>]) -> Option<bool> {
    // Nothing stands in the way, or one entry is always negative: most tables need no solver.
    if table.iter().any(|row| row.iter().all(|entry| *entry >= RBig::ZERO)) {
        return Some(true);
    }
    if (0..table.first()?.len()).any(|column| table.iter().all(|row| row[column] < RBig::ZERO)) {
        return Some(false);
    }
    let mut watch =
        |_| if game.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    Some(!solve_fractions(table, &mut watch)?.value.is_negative())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Uniqueness::{Several, Unique, Unknown};

    /// Payoffs of whole numbers, some of which are only known within a half.
    struct Payoffs(Vec<Vec<(RBig, bool)>>);

    impl ExactPayoffs for Payoffs {
        fn size(&self) -> [usize; 2] {
            [self.0.len(), self.0[0].len()]
        }
        fn exact(&self, row: usize, column: usize) -> Option<&RBig> {
            let (payoff, is_known) = &self.0[row][column];
            is_known.then_some(payoff)
        }
        fn bounds(&self, row: usize, column: usize) -> Bounds {
            let (payoff, is_known) = &self.0[row][column];
            let twice = i64::try_from((payoff * RBig::from(2)).floor()).unwrap();
            if *is_known { Bounds::new(twice, twice) } else { Bounds::new(twice - 1, twice + 1) }
        }
        fn exponent(&self) -> u32 {
            1
        }
    }

    /// Decides for a game with the saddle point 0 in the first row and column, from there.
    fn decided(rows: &[&[i64]], doubtful: &[[usize; 2]]) -> [Uniqueness; 2] {
        let entry = |row: usize, column: usize| {
            (rows[row][column].into(), !doubtful.contains(&[row, column]))
        };
        let payoffs = (0..rows.len())
            .map(|row| (0..rows[0].len()).map(|column| entry(row, column)).collect())
            .collect();
        decide(&Payoffs(payoffs), &Basis::single(0, 0))
            .unwrap_or_else(|Undecided| panic!("{rows:?} is decided"))
    }

    /// A second row is optimal, too, where it pays no less than the value against the second
    /// column; and the other way round.
    #[test]
    fn bounds_decide_where_they_have_one_sign() {
        let decided =
            |corner: i64, doubtful: &[[usize; 2]]| decided(&[&[0, 0], &[0, corner]], doubtful);
        for (corner, expected) in
            [(1, [Several, Unique]), (0, [Several, Several]), (-1, [Unique, Several])]
        {
            assert_eq!(decided(corner, &[]), expected, "{corner}");
        }
        for (corner, expected) in
            [(1, [Several, Unique]), (0, [Unknown, Unknown]), (-1, [Unique, Several])]
        {
            assert_eq!(decided(corner, &[[1, 1]]), expected, "{corner} within a half");
        }
    }

    /// Only an even mixture of the last two rows is as good as the first one: against one column it
    /// gains and against another one it loses nothing.
    #[test]
    fn a_mixture_that_loses_nothing_is_another_strategy() {
        assert_eq!(
            decided(&[&[0, 1, 1, 1], &[0, 0, -1, 1], &[0, 0, 1, -1]], &[]),
            [Several, Unique]
        );
        assert_eq!(
            decided(&[&[0, 0, 0, 0], &[0, 0, -1, 1], &[0, 0, 1, -1]], &[]),
            [Several, Several]
        );
        assert_eq!(decided(&[&[0, 0, 0], &[0, -1, 1], &[0, 1, -2]], &[])[0], Unique);
    }
}
