//! Stage games as views of a grid; no matrix is copied.

use std::cmp::Ordering;

use super::grid::{Grid, Plane};
use crate::game::{Player, Rules, State};
use crate::matrix_game::{Payoffs, Trembling, rate};

/// The matrix game of one state in one player's view, read from a grid of successors without
/// copying.
///
/// Rows are the own bids, columns the opponent's, both rising from the smallest bid, or the bid 0
/// alone where the account is empty. Two bids of 0 repeat the state. An entry depends on the higher
/// bidder and on the points left: row `k` consists of three runs of contiguous memory, from the
/// planes of three positions of the ball.
///
/// It is copied for every state: beyond 128 bytes that takes as long as 3 % of a small game
/// (measured).
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageGame<'a, T = f64> {
    own_points: usize,
    opponent_points: usize,
    /// The bids of row 0 and of column 0: the smallest, or 0 for an empty account.
    pub(crate) lowest_bid: usize,
    pub(crate) lowest_reply: usize,
    pub(crate) repeats: bool,
    /// The index of the opponent's full account in a row of a plane.
    start: usize,
    won: Plane<'a, T>,
    tied: Plane<'a, T>,
    lost: Plane<'a, T>,
}

impl<'a, T: Copy> StageGame<'a, T> {
    /// The game of a state in a player's view, which is that of the grid.
    pub(crate) fn new(grid: &'a Grid<T>, rules: &Rules, player: Player, state: State) -> Self {
        let [own_points, opponent_points] = player.own_first([state.a, state.b]);
        let after = |bids: Ordering| {
            let by_a = if player == Player::A { bids } else { bids.reverse() };
            grid.plane(rules.after(state.ball.position(), by_a) * player.direction())
        };
        Self {
            own_points: own_points as usize,
            opponent_points: opponent_points as usize,
            lowest_bid: rules.lowest_bid_of(player, own_points) as usize,
            lowest_reply: rules.lowest_bid_of(player.opponent(), opponent_points) as usize,
            repeats: rules.min_bid() == 0,
            start: grid.opponent_points - opponent_points as usize,
            won: after(Ordering::Greater),
            tied: after(Ordering::Equal),
            lost: after(Ordering::Less),
        }
    }

    /// The range of the replies in a row of a plane.
    const fn replies(&self) -> (usize, usize) {
        (self.start + self.lowest_reply, self.start + self.opponent_points + 1)
    }
}

impl<T: Copy> Payoffs<T> for StageGame<'_, T> {
    fn rows(&self) -> usize {
        self.own_points + 1 - self.lowest_bid
    }

    fn columns(&self) -> usize {
        self.opponent_points + 1 - self.lowest_reply
    }

    fn entry(&self, row: usize, column: usize) -> T {
        let (bid, reply) = (row + self.lowest_bid, column + self.lowest_reply);
        let plane = match bid.cmp(&reply) {
            Ordering::Greater => self.won,
            Ordering::Equal => self.tied,
            Ordering::Less => self.lost,
        };
        plane.at(self.own_points - bid, self.start + reply)
    }

    fn gather(&self, row: usize, columns: &[usize], entries: &mut Vec<T>) {
        let bid = row + self.lowest_bid;
        let left = self.own_points - bid;
        let lowest = self.lowest_reply;
        let first = self.start + lowest;
        let won = &self.won.row(left)[first..];
        let tied = &self.tied.row(left)[first..];
        let lost = &self.lost.row(left)[first..];
        let lower = columns.partition_point(|&column| column + lowest < bid);
        let tie = usize::from(columns.get(lower).is_some_and(|&column| column + lowest == bid));
        gather_from(won, &columns[..lower], entries);
        gather_from(tied, &columns[lower..lower + tie], entries);
        gather_from(lost, &columns[lower + tie..], entries);
    }

    /// A row lists the successors of lower, equal and higher bids of the opponent, in this order.
    #[inline]
    fn walk_row(&self, row: usize, mut visit: impl FnMut(&[T])) {
        let bid = row + self.lowest_bid;
        let left = self.own_points - bid;
        let (first, end) = self.replies();
        let tie = self.start + bid;
        if tie > first {
            visit(self.won.part(left, first, tie.min(end)));
        }
        if (first..end).contains(&tie) {
            visit(self.tied.part(left, tie, tie + 1));
        }
        if tie + 1 < end {
            visit(self.lost.part(left, first.max(tie + 1), end));
        }
    }

    #[inline]
    fn walk_two_rows(&self, rows: [usize; 2], mut visit: impl FnMut(&[T], &[T])) {
        let bids = rows.map(|row| row + self.lowest_bid);
        let [left, left_below] = bids.map(|bid| self.own_points - bid);
        let [tie, tie_below] = bids.map(|bid| self.start + bid);
        let (first, end) = self.replies();
        let Self { won, tied, lost, .. } = self;
        let runs = [
            (won, won, first, tie),
            (tied, won, tie, tie + 1),
            (lost, won, tie + 1, tie_below),
            (lost, tied, tie_below, tie_below + 1),
            (lost, lost, tie_below + 1, end),
        ];
        for (plane, plane_below, from, to) in runs {
            let (from, to) = (from.max(first), to.min(end));
            if from < to {
                visit(plane.part(left, from, to), plane_below.part(left_below, from, to));
            }
        }
    }
}

/// Appends the entries of a row in these columns, which rise.
#[expect(
    clippy::inline_always,
    reason = "the compiler inlines this or not from build to build, and judging a policy takes 3 % \
              more instructions where it does not"
)]
#[inline(always)]
fn gather_from<T: Copy>(row: &[T], columns: &[usize], entries: &mut Vec<T>) {
    match *columns {
        // Consecutive ends mean consecutive columns.
        [first, .., last] if last - first < columns.len() => {
            entries.extend_from_slice(&row[first..=last]);
        }
        _ => entries.extend(columns.iter().map(|&column| row[column])),
    }
}

impl StageGame<'_> {
    /// The gain of a row from the opponent's errors: the same game over
    /// [`RunningSums`](super::grid::RunningSums) times `sign`, 1 or −1.
    fn gain(&self, sums: &Self, sign: f64, row: usize) -> f64 {
        let bid = row + self.lowest_bid;
        let left = self.own_points - bid;
        // Higher replies leave fewer points: a running sum covers a reply and all above it.
        let from = |plane: &Plane<'_, f64>, reply: usize| plane.at(left, self.start + reply);
        let sum = |plane: &Plane<'_, f64>, reply: usize| sign * from(plane, reply);
        let lowest = self.lowest_reply;
        if bid > self.opponent_points {
            return sum(&sums.won, lowest);
        }
        let lost = if bid < self.opponent_points { sum(&sums.lost, bid + 1) } else { 0.0 };
        if bid < lowest {
            return lost;
        }
        let tied = rate(self.opponent_points - bid) * from(&self.tied, bid);
        let won = sum(&sums.won, lowest) - sum(&sums.won, bid);
        won + tied + lost
    }
}

/// A stage game readable by rows, from A's grid, and by columns, from B's; both hold values to A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoWayStage<'a> {
    pub(crate) rows: StageGame<'a>,
    /// In B's view: its rows are the columns.
    pub(crate) columns: StageGame<'a>,
    /// The same two views of the running sums.
    pub(crate) sums: [StageGame<'a>; 2],
    pub(crate) column_sign: f64,
}

impl Trembling for TwoWayStage<'_> {
    fn row_gain(&self, row: usize) -> f64 {
        self.rows.gain(&self.sums[0], 1.0, row)
    }

    fn column_cost(&self, column: usize) -> f64 {
        self.columns.gain(&self.sums[1], self.column_sign, column)
    }
}

impl Payoffs for TwoWayStage<'_> {
    fn rows(&self) -> usize {
        self.rows.rows()
    }

    fn columns(&self) -> usize {
        self.rows.columns()
    }

    fn entry(&self, row: usize, column: usize) -> f64 {
        self.rows.entry(row, column)
    }

    #[inline]
    fn walk_row(&self, row: usize, visit: impl FnMut(&[f64])) {
        self.rows.walk_row(row, visit);
    }

    #[inline]
    fn walk_column(&self, column: usize, visit: impl FnMut(&[f64])) {
        self.columns.walk_row(column, visit);
    }

    fn gather(&self, row: usize, columns: &[usize], entries: &mut Vec<f64>) {
        self.rows.gather(row, columns, entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Motion, Rules, Scoring};
    use crate::matrix_game::Matrix;
    use crate::solution::Solver;

    /// Gains from running sums equal those of a row or a column added up; two rows walked together
    /// are the rows.
    #[test]
    fn shortcuts_through_a_stage_game_lead_to_its_entries() {
        for (field, motion, [a, b]) in
            [(2, Motion::Step, [9, 9]), (1, Motion::Net, [7, 10]), (3, Motion::Net, [10, 6])]
        {
            let rules = Rules::new(field, motion, Scoring::two_one()).unwrap();
            let solution = Solver::new(&rules).points([a, b]).solve().unwrap();
            for state in solution.states().filter(|state| state.a + state.b > 0) {
                let game = solution.tables().two_way_stage(state);
                let plain = Matrix::unchecked(&game);
                for row in 0..game.rows() {
                    // Sums of up to 10 numbers of size 1.
                    assert!(
                        (game.row_gain(row) - plain.row_gain(row)).abs() < 1e-14,
                        "row {row} of {state}"
                    );
                    for below in row + 1..game.rows() {
                        let mut lines = [Vec::new(), Vec::new()];
                        game.rows.walk_two_rows([row, below], |upper, lower| {
                            lines[0].extend_from_slice(upper);
                            lines[1].extend_from_slice(lower);
                        });
                        for (row, line) in [row, below].into_iter().zip(lines) {
                            assert!(
                                (0..game.columns()).map(|column| game.entry(row, column)).eq(line),
                                "row {row} of {state}"
                            );
                        }
                    }
                }
                for column in 0..game.columns() {
                    assert!(
                        (game.column_cost(column) - plain.column_cost(column)).abs() < 1e-14,
                        "column {column} of {state}"
                    );
                }
            }
        }
    }
}
