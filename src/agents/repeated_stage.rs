//! Stage games in doubles that two bids of 0 repeat.

use crate::bounds::{Bounds, FixedPoint, Side};
use crate::induction::StageGame;
use crate::matrix_game::{Equilibrium, Matrix, Payoffs, Simplex};

/// The stage game, in doubles, of a state that two bids of 0 repeat; row 0 and column 0 are these
/// bids.
///
/// The value is a fixed point `v = f(v)`, where `f(t)` is the value of the stage game in which a
/// repetition has value `t` (`docs/theory-tennis.md`). A strategy is judged by its security level
/// when it is repeated until the state is left: a strategy that only puts off the gain is worth the
/// payoff of infinite plays and no more.
pub(super) struct RepeatedStage<'g> {
    pub(super) stage: StageGame<'g>,
    /// The payoff of infinite plays.
    pub(super) endless: f64,
}

/// The best strategies found, as probabilities of rows and of columns, with their security levels.
#[derive(Clone, Debug)]
pub(super) struct StageEquilibrium {
    pub(super) row: Vec<f64>,
    pub(super) column: Vec<f64>,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl StageEquilibrium {
    pub(super) const fn value(&self) -> f64 {
        f64::midpoint(self.lower, self.upper)
    }
}

/// The fixed point is sought among multiples of the largest payoff times 2^-44: rounding of a stage
/// game in doubles is some hundred times smaller.
const UNIT_BITS: i32 = 44;

/// The security levels are close enough: the distance, in units, at which [`FixedPoint`] stops.
const CLOSE: f64 = 16.0;

/// Stops the search.
struct CloseEnough;

impl RepeatedStage<'_> {
    /// Solves the stage game, with security levels that differ by some 1e-12 of the largest payoff.
    pub(super) fn solve(&self, simplex: &mut Simplex) -> StageEquilibrium {
        let columns = self.stage.columns();
        let mut entries = Matrix::unchecked(&self.stage).into_entries();
        // The state's own entry is an earlier search's value of the state, which does not count.
        entries[0] = self.endless;
        let largest = entries.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        let unit = if largest > 0.0 { largest * 2.0_f64.powi(-UNIT_BITS) } else { 1.0 };
        let in_units = self.endless / unit;
        let endless = Bounds::new(in_units.floor() as i64, in_units.ceil() as i64);
        let range = Bounds::new(-1 << UNIT_BITS, 1 << UNIT_BITS);
        let mut best = StageEquilibrium {
            row: Vec::new(),
            column: Vec::new(),
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
        };
        let mut point = FixedPoint::new(range, endless, |repetition: i64, side| {
            entries[0] = repetition as f64 * unit;
            let equilibrium = simplex.solve(&Matrix::of_entries(entries.clone(), columns));
            self.keep_better(&mut best, &equilibrium);
            if best.upper - best.lower <= CLOSE * unit {
                return Err(CloseEnough);
            }
            let value = match side {
                Side::Lower => (equilibrium.lower() / unit).floor(),
                Side::Upper => (equilibrium.upper() / unit).ceil(),
            };
            Ok(value as i64)
        });
        // Where rounding keeps the levels apart, the best strategies found are used all the same.
        let (Ok(()) | Err(CloseEnough)) = point.narrow(0);
        best
    }

    fn keep_better(&self, best: &mut StageEquilibrium, found: &Equilibrium) {
        let lower = self.secured_by_row(found.row_strategy());
        if lower > best.lower {
            best.lower = lower;
            best.row = found.row_strategy().to_vec();
        }
        let upper = self.conceded_by_column(found.column_strategy());
        if upper < best.upper {
            best.upper = upper;
            best.column = found.column_strategy().to_vec();
        }
    }

    /// The row player's payoff against the best reply to a strategy that is repeated until the
    /// state is left.
    fn secured_by_row(&self, strategy: &[f64]) -> f64 {
        let mut least = f64::INFINITY;
        for column in 0..self.stage.columns() {
            let payoffs = (0..strategy.len()).map(|row| self.stage.entry(row, column));
            let payoff = if column == 0 {
                self.until_left(strategy, payoffs)
            } else {
                expectation(strategy, payoffs)
            };
            least = least.min(payoff);
        }
        least
    }

    /// As [`Self::secured_by_row`], for the column player, who minimises.
    fn conceded_by_column(&self, strategy: &[f64]) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for row in 0..self.stage.rows() {
            let payoffs = (0..strategy.len()).map(|column| self.stage.entry(row, column));
            let payoff = if row == 0 {
                self.until_left(strategy, payoffs)
            } else {
                expectation(strategy, payoffs)
            };
            most = most.max(payoff);
        }
        most
    }

    /// The expected payoff against an opponent who bids 0 until the strategy bids something else.
    fn until_left(&self, strategy: &[f64], payoffs: impl Iterator<Item = f64>) -> f64 {
        let leaving: f64 = strategy[1..].iter().sum();
        if leaving > 0.0 {
            expectation(&strategy[1..], payoffs.skip(1)) / leaving
        } else {
            self.endless
        }
    }
}

fn expectation(strategy: &[f64], payoffs: impl Iterator<Item = f64>) -> f64 {
    strategy.iter().zip(payoffs).map(|(share, payoff)| share * payoff).sum()
}
