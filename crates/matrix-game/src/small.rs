//! Small matrix games by the million: a condensed tableau of fixed size in doubles, whose last
//! basis corrects the strategies against the integers.
//!
//! Games this small spend most time around the pivots. Nothing is allocated here, lines have a
//! length that the compiler knows, and the inverse of the basis, by which weights are corrected
//! (one step of iterative refinement), is read off the last tableau instead of being factorised
//! anew.

use super::enclosed_matrix::EnclosedMatrix;
use super::player::Player;
use super::{DyadicStrategy, Payoffs};
use crate::bounds::product;

/// The most rows, and columns, of a small game.
const MOST: usize = 16;

/// Smaller positive numbers are rounding noise: payoffs are of the size of 1, pivots few.
const ZERO: f64 = 1e-11;

/// The excess of a payoff is read without this many last bits, so that it fits 64: they are below
/// those of a weight.
const EXCESS_BITS: u32 = 16;

/// A line of the tableau: the columns and the right-hand side, filled up to whole vectors of four.
type Line = [f64; MOST + 4];

/// The buffers of one small game after another.
#[derive(Clone, Debug, Default)]
pub(super) struct SmallSimplex {
    lines: [Line; MOST + 1],
    /// The variable of each row, and of each column: `j` of the column player's weights, `MOST + i`
    /// of the slack of row `i`.
    basic: [usize; MOST],
    nonbasic: [usize; MOST],
    /// The rows and columns of the basis: a payoff's line, its place in the tableau, and the weight
    /// that it has.
    support: [Vec<Chosen>; 2],
}

#[derive(Clone, Copy, Debug)]
struct Chosen {
    choice: usize,
    index: usize,
    weight: i64,
}

impl SmallSimplex {
    /// Finds optimal strategies; `false` where the game is large, or too delicate for doubles.
    pub(super) fn find(
        &mut self,
        game: &EnclosedMatrix,
        strategies: &mut [DyadicStrategy; 2],
    ) -> bool {
        let [rows, columns] = game.size();
        if rows > MOST || columns > MOST {
            return false;
        }
        let scale = self.fill(game);
        let is_found = self.pivot(rows, columns)
            && self.weigh(rows, columns)
            && self.correct(game, scale, Player::Row).is_some()
            && self.correct(game, scale, Player::Column).is_some();
        if is_found {
            for (strategy, support) in strategies.iter_mut().zip(&mut self.support) {
                support.sort_unstable_by_key(|chosen| chosen.choice);
                strategy.assign(support.iter().map(|chosen| (chosen.choice as u32, chosen.weight)));
            }
        }
        is_found
    }

    /// The tableau of: maximise Σ y′ subject to M y′ ≤ 1, where payoffs in M lie between 1 and 2
    /// (Dantzig 1951). Returns the size of a unit.
    fn fill(&mut self, game: &EnclosedMatrix) -> f64 {
        let [rows, columns] = game.size();
        let (least, largest) = game.extremes();
        let [lower, negated_upper] = [Player::Row, Player::Column].map(|player| game.lines(player));
        let scale = 1.0 / (largest - least) as f64;
        for (row, line) in self.lines[..rows].iter_mut().enumerate() {
            let bounds = lower.line(row).iter().zip(negated_upper.column(row));
            for (entry, (&lower, &negated_upper)) in line.iter_mut().zip(bounds) {
                *entry = ((lower >> 1) + (-negated_upper >> 1) - least) as f64 * scale + 1.0;
            }
            line[columns..].fill(0.0);
            line[columns] = 1.0;
            self.basic[row] = MOST + row;
        }
        let objective = &mut self.lines[rows];
        objective.fill(0.0);
        objective[..columns].fill(-1.0);
        for (column, variable) in self.nonbasic[..columns].iter_mut().enumerate() {
            *variable = column;
        }
        scale
    }

    /// Pivots until no column improves; `false` if that takes too long.
    fn pivot(&mut self, rows: usize, columns: usize) -> bool {
        match columns {
            0..8 => self.pivot_lines::<8>(rows, columns),
            8..12 => self.pivot_lines::<12>(rows, columns),
            12..16 => self.pivot_lines::<16>(rows, columns),
            _ => self.pivot_lines::<{ MOST + 4 }>(rows, columns),
        }
    }

    /// As [`Self::pivot`], in the first `WIDTH` entries of each line.
    fn pivot_lines<const WIDTH: usize>(&mut self, rows: usize, columns: usize) -> bool {
        // Measured: as many as the smaller support and a half, on average.
        for _ in 0..4 * (rows + columns) {
            let objective = &self.lines[rows][..columns];
            let (mut entering, mut gain) = (columns, -ZERO);
            for (column, &entry) in objective.iter().enumerate() {
                if entry < gain {
                    (entering, gain) = (column, entry);
                }
            }
            if entering == columns {
                return true;
            }
            let (mut leaving, mut least) = (rows, f64::INFINITY);
            for (row, line) in self.lines[..rows].iter().enumerate() {
                let ratio = line[columns] / line[entering];
                if line[entering] > ZERO && ratio < least {
                    (leaving, least) = (row, ratio);
                }
            }
            let Some(line) = self.lines[..rows].get(leaving) else { return false };
            let inverse = 1.0 / line[entering];
            let pivot_line: [f64; WIDTH] = std::array::from_fn(|column| {
                if column == entering { inverse } else { line[column] * inverse }
            });
            for line in &mut self.lines[..=rows] {
                let factor = line[entering];
                for (entry, pivot_entry) in line.iter_mut().zip(&pivot_line) {
                    *entry -= factor * pivot_entry;
                }
                // Written last: a vector that is read right after one of its entries was written
                // waits for it.
                line[entering] = 0.0 - factor * inverse;
            }
            self.lines[leaving][..WIDTH].copy_from_slice(&pivot_line);
            std::mem::swap(&mut self.basic[leaving], &mut self.nonbasic[entering]);
        }
        false
    }

    /// Rounds both strategies to integers that sum to the whole; `false` where the basis is none.
    fn weigh(&mut self, rows: usize, columns: usize) -> bool {
        let Self { lines, basic, nonbasic, support: [row, column], .. } = self;
        let whole = DyadicStrategy::WHOLE as f64 / lines[rows][columns];
        let weigh = |(choice, index, share): (usize, usize, f64)| Chosen {
            choice,
            index,
            weight: (share * whole).max(0.0) as i64,
        };
        row.clear();
        let tight =
            nonbasic[..columns].iter().enumerate().filter(|(_, variable)| **variable >= MOST);
        row.extend(
            tight.map(|(index, variable)| weigh((variable - MOST, index, lines[rows][index]))),
        );
        column.clear();
        let played = basic[..rows].iter().enumerate().filter(|(_, variable)| **variable < MOST);
        column.extend(
            played.map(|(index, &variable)| weigh((variable, index, lines[index][columns]))),
        );
        row.len() == column.len() && complete(row) && complete(column)
    }

    /// Corrects a player's weights by the inverse of the basis, so that the choices of the
    /// opponent's support are worth the same up to rounding; nothing where that takes a weight
    /// below 0.
    fn correct(&mut self, game: &EnclosedMatrix, scale: f64, player: Player) -> Option<()> {
        let ([rows, columns], view) = (game.size(), game.lines(player));
        let Self { lines, support: [row, column], .. } = self;
        let (support, replies) = match player {
            Player::Row => (row, &*column),
            Player::Column => (column, &*row),
        };
        let mut excess = [0.0; MOST];
        let mut first = 0;
        for (number, (excess, reply)) in excess.iter_mut().zip(replies).enumerate() {
            let gain: i128 = support
                .iter()
                .map(|chosen| product(chosen.weight, view.entry(chosen.choice, reply.choice)))
                .sum();
            let sum = match player {
                Player::Row => gain,
                Player::Column => -gain,
            };
            if number == 0 {
                first = sum;
            }
            *excess = ((sum - first) >> EXCESS_BITS) as i64 as f64
                * scale
                * (1_u64 << EXCESS_BITS) as f64;
        }
        let objective = &lines[rows];
        let share = |other: &Chosen| match player {
            Player::Row => lines[other.index][columns],
            Player::Column => objective[other.index],
        };
        let common =
            replies.iter().zip(excess).map(|(other, excess)| share(other) * excess).sum::<f64>()
                / objective[columns];
        for chosen in &mut *support {
            let index = chosen.index;
            let inverse = |other: &Chosen| match player {
                Player::Row => lines[other.index][index],
                Player::Column => lines[index][other.index],
            };
            let share = match player {
                Player::Row => objective[index],
                Player::Column => lines[index][columns],
            };
            let removed: f64 =
                replies.iter().zip(excess).map(|(other, excess)| inverse(other) * excess).sum();
            chosen.weight = chosen.weight.checked_add((common * share - removed) as i64)?.max(0);
        }
        complete(support).then_some(())
    }
}

/// Adds the missing rest of the whole to the largest weight; `false` if nothing is left of it.
fn complete(weights: &mut [Chosen]) -> bool {
    let missing = i128::from(DyadicStrategy::WHOLE)
        - weights.iter().map(|chosen| i128::from(chosen.weight)).sum::<i128>();
    let Some(largest) = weights.iter_mut().max_by_key(|chosen| chosen.weight) else { return false };
    // The others are not negative, so that none exceeds the whole.
    largest.weight = i64::try_from(i128::from(largest.weight) + missing).unwrap_or(-1);
    largest.weight >= 0
}
