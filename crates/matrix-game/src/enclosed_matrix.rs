//! Matrices whose payoffs are bounds.

use super::ladder::{Provable, ROUNDING_UNITS};
use super::payoffs::Payoffs;
use super::player::Player;
use super::{EnclosedPayoffs, Matrix};
use crate::bounds::{Bounds, Side};

/// A matrix game whose payoffs are known within bounds, in integers within ±2⁶¹.
#[derive(Clone, Debug, Default)]
pub struct EnclosedMatrix {
    rows: usize,
    columns: usize,
    lower: Vec<i64>,
    /// The negatives of the upper bounds, column by column.
    negated_upper: Vec<i64>,
    /// The largest width of a payoff's bounds.
    pub(super) widest: i64,
    /// The places of the next payoff that is put, in the two lists.
    next: [usize; 2],
}

impl EnclosedMatrix {
    pub fn fill(&mut self, size: [usize; 2], mut cell: impl FnMut(usize, usize) -> Bounds) {
        self.resize(size);
        let [rows, columns] = size;
        for row in 0..rows {
            for column in 0..columns {
                self.put(cell(row, column));
            }
        }
    }

    /// Takes this size, in rows and columns; every payoff is then to be [put](Self::put).
    pub fn resize(&mut self, size: [usize; 2]) {
        [self.rows, self.columns] = size;
        self.widest = 0;
        self.next = [0; 2];
        self.lower.resize(self.rows * self.columns, 0);
        self.negated_upper.resize(self.rows * self.columns, 0);
    }

    /// Sets one payoff after another, row by row. Those beyond the last row are left out.
    #[inline]
    pub fn put(&mut self, bounds: Bounds) {
        let [index, turned] = &mut self.next;
        let Some(lower) = self.lower.get_mut(*index) else { return };
        let Some(negated_upper) = self.negated_upper.get_mut(*turned) else { return };
        (*lower, *negated_upper) = (bounds.lower, -bounds.upper);
        self.widest = self.widest.max(bounds.upper - bounds.lower);
        *index += 1;
        // The next column, or the first one of the next row.
        *turned += self.rows;
        if *turned >= self.lower.len() {
            *turned -= self.lower.len() - 1;
        }
    }

    pub(super) const fn size(&self) -> [usize; 2] {
        [self.rows, self.columns]
    }

    /// The least lower and the largest upper bound.
    pub(super) fn extremes(&self) -> (i64, i64) {
        let least = |entries: &[i64]| entries.iter().copied().fold(i64::MAX, i64::min);
        (least(&self.lower), -least(&self.negated_upper))
    }

    /// The lower bounds of a player's gains, the own choices as rows.
    #[inline]
    pub(super) fn lines(&self, player: Player) -> Lines<'_> {
        match player {
            Player::Row => Lines { count: self.rows, length: self.columns, entries: &self.lower },
            Player::Column => {
                Lines { count: self.columns, length: self.rows, entries: &self.negated_upper }
            }
        }
    }

    pub(super) fn middles(&self) -> Matrix {
        let game = self.enclosed();
        Matrix::of_middles(self.size(), self.lower[0], |row, column| game.bounds(row, column))
    }

    /// The game in which every payoff is its lower, or its upper, bound.
    pub(super) fn of_side(&self, side: Side) -> Self {
        let (game, mut of_side) = (self.enclosed(), Self::default());
        of_side.fill(self.size(), |row, column| {
            let bound = side.bound(game.bounds(row, column));
            Bounds::new(bound, bound)
        });
        of_side
    }
}

impl<'m> Provable for &'m EnclosedMatrix {
    type Lines = Lines<'m>;

    fn enclosed(&self) -> EnclosedPayoffs<Lines<'m>> {
        EnclosedPayoffs { row: self.lines(Player::Row), column: self.lines(Player::Column) }
    }

    fn tolerance(&self) -> i64 {
        self.widest + ROUNDING_UNITS
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Lines<'m> {
    count: usize,
    length: usize,
    entries: &'m [i64],
}

impl Lines<'_> {
    pub(super) fn line(&self, line: usize) -> &[i64] {
        &self.entries[line * self.length..][..self.length]
    }

    /// An entry of every line.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = &i64> {
        self.entries[column..].iter().step_by(self.length)
    }
}

impl Payoffs<i64> for Lines<'_> {
    fn rows(&self) -> usize {
        self.count
    }

    fn columns(&self) -> usize {
        self.length
    }

    fn entry(&self, row: usize, column: usize) -> i64 {
        self.line(row)[column]
    }

    fn walk_row(&self, row: usize, mut visit: impl FnMut(&[i64])) {
        visit(self.line(row));
    }

    fn walk_two_rows(&self, rows: [usize; 2], mut visit: impl FnMut(&[i64], &[i64])) {
        visit(self.line(rows[0]), self.line(rows[1]));
    }
}
