//! The condensed simplex tableau of a matrix game in doubles (Dantzig 1951; the condensed form is
//! Tucker's), with one step of iterative refinement by the inverse of the basis, which stands in
//! the last tableau.
//!
//! It maximises Σ y′ subject to M y′ ≤ 1, where payoffs in M lie between 1 and 2. Ties of the ratio
//! test go to the first row: that may cycle, and gives up then. The entering variable of a small
//! game is the one that gains most, as Dantzig chose it; that of a larger one gains most along its
//! edge (steepest edge: Goldfarb and Reid 1977), as a look at all entries costs little beside their
//! change, and 800 rows take some 1,900 pivots instead of 15,000.

#![expect(
    clippy::inline_always,
    reason = "the compiler is to know the length of lines, and to make vectors of them"
)]

use super::Payoffs;
use crate::player::Player;

/// Smaller positive numbers are rounding noise: payoffs are of the size of 1, pivots few.
const ZERO: f64 = 1e-11;

/// A line's length is a multiple of this: two vectors of two doubles, or one of four.
const VECTOR: usize = 4;

/// The length of a line: the columns and the right-hand side, filled up to whole vectors.
pub(super) const fn width(columns: usize) -> usize {
    (columns + 1).next_multiple_of(VECTOR)
}

/// The number of doubles that a dictionary needs.
pub(super) const fn length(rows: usize, columns: usize) -> usize {
    (rows + 3) * width(columns) + rows
}

/// Memory of the caller: [`length`] doubles, and a variable and a choice for every row and every
/// column.
pub(super) struct Memory<'m> {
    pub(super) numbers: &'m mut [f64],
    pub(super) variables: &'m mut [u32],
    pub(super) chosen: &'m mut [Chosen],
}

/// A choice that is mixed, with its place in the dictionary.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    index: u32,
    choice: u32,
}

/// Hears the share of the work that is done, at most, and says whether to go on.
pub(super) type ShouldContinue<'g> = dyn FnMut(f64) -> bool + 'g;

/// How pivoting ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pivoted {
    /// No column improves.
    ToTheEnd,
    /// It takes too long, or no row is tight.
    InVain,
    /// The watch said so.
    Stopped,
}

/// The dictionary of a game.
pub(super) struct Dictionary<'m> {
    rows: usize,
    columns: usize,
    width: usize,
    /// A line for every row and one for the objective: the columns, the right-hand side, and zeros
    /// up to `width`.
    lines: &'m mut [f64],
    /// The line of the pivot; later what a correction has to remove.
    pivot_line: &'m mut [f64],
    /// For every column the squared length of the edge along which its variable enters.
    edges: &'m mut [f64],
    /// How far the entering variable goes before a row is tight.
    ratios: &'m mut [f64],
    /// The variable of every row and of every column: `j` for the weight of column `j`, `columns +
    /// i` for the slack of row `i`.
    basic: &'m mut [u32],
    nonbasic: &'m mut [u32],
    /// In the end, the rows and the columns that are mixed.
    chosen: [&'m mut [Chosen]; 2],
}

impl<'m> Dictionary<'m> {
    /// The first dictionary, in which nothing is played.
    pub(super) fn new(payoffs: &Payoffs<'_>, memory: Memory<'m>) -> Self {
        let Payoffs { rows, columns, .. } = *payoffs;
        let Memory { numbers, variables, chosen } = memory;
        let width = width(columns);
        let (lines, rest) = numbers.split_at_mut((rows + 1) * width);
        let (pivot_line, rest) = rest.split_at_mut(width);
        let (edges, rest) = rest.split_at_mut(width);
        let (basic, nonbasic) = variables.split_at_mut(rows);
        let (chosen_rows, chosen_columns) = chosen.split_at_mut(rows);
        let mut dictionary = Self {
            rows,
            columns,
            width,
            lines,
            pivot_line,
            edges,
            ratios: &mut rest[..rows],
            basic,
            nonbasic: &mut nonbasic[..columns],
            chosen: [chosen_rows, chosen_columns],
        };
        dictionary.fill(payoffs);
        dictionary
    }

    fn fill(&mut self, payoffs: &Payoffs<'_>) {
        let Self { rows, columns, width, .. } = *self;
        let range = payoffs.largest - payoffs.least;
        let scale = if range > 0.0 { 1.0 / range } else { 0.0 };
        let least = payoffs.least + payoffs.shift;
        let (dictionary, objective) = self.lines.split_at_mut(rows * width);
        for (row, line) in dictionary.chunks_exact_mut(width).enumerate() {
            for (entry, payoff) in line.iter_mut().zip(payoffs.row(row)) {
                *entry = (payoff - least) * scale + 1.0;
            }
            line[columns..].fill(0.0);
            line[columns] = 1.0;
            self.basic[row] = (columns + row) as u32;
        }
        objective.fill(0.0);
        objective[..columns].fill(-1.0);
        for (column, variable) in self.nonbasic.iter_mut().enumerate() {
            *variable = column as u32;
        }
    }

    /// Pivots until no column improves. Before each pivot of a game of long lines the watch hears
    /// the share of the most pivots, and says whether to go on.
    ///
    /// With the standard library, in the vectors of four that a processor has beyond the least of
    /// its kind: entries are the same, as nothing is summed up in another order.
    pub(super) fn pivot(&mut self, should_continue: &mut ShouldContinue<'_>) -> Pivoted {
        pivot_in_vectors(self, should_continue)
    }

    /// As [`Self::pivot`], for lines of this length, which is theirs.
    #[inline(always)]
    fn pivot_lines(&mut self, width: usize) -> Pivoted {
        let Self { rows, columns, .. } = *self;
        for _ in 0..most_pivots(rows, columns) {
            let objective = &self.lines[rows * width..][..columns];
            let Some(entering) = index_of_least(objective, -ZERO) else { return Pivoted::ToTheEnd };
            write_ratios(self.ratios, self.lines, width, entering, columns);
            let Some(leaving) = index_of_least(self.ratios, f64::INFINITY) else {
                return Pivoted::InVain;
            };
            exchange(self.lines, self.pivot_line, width, Pivot { leaving, entering });
            core::mem::swap(&mut self.basic[leaving], &mut self.nonbasic[entering]);
        }
        Pivoted::InVain
    }

    /// As [`Self::pivot`], for lines of any length.
    #[inline(always)]
    fn pivot_along_steepest_edges(&mut self, should_continue: &mut ShouldContinue<'_>) -> Pivoted {
        let Self { rows, columns, width, .. } = *self;
        let most = most_pivots(rows, columns);
        measure_edges(self.edges, &self.lines[..rows * width]);
        for pivots in 0..most {
            if !should_continue(pivots as f64 / most as f64) {
                return Pivoted::Stopped;
            }
            let objective = &self.lines[rows * width..][..columns];
            // No pivot line is needed before the pivot is known.
            let slopes = &mut self.pivot_line[..columns];
            write_slopes(slopes, objective, self.edges);
            let Some(entering) = index_of_least(slopes, 0.0) else { return Pivoted::ToTheEnd };
            write_ratios(self.ratios, self.lines, width, entering, columns);
            let Some(leaving) = index_of_least(self.ratios, f64::INFINITY) else {
                return Pivoted::InVain;
            };
            let pivot = Pivot { leaving, entering };
            exchange_and_measure(self.lines, self.pivot_line, self.edges, pivot);
            core::mem::swap(&mut self.basic[leaving], &mut self.nonbasic[entering]);
        }
        Pivoted::InVain
    }

    /// Writes both strategies, each corrected once against the payoffs; `false` where the
    /// dictionary has none.
    pub(super) fn write(
        &mut self,
        payoffs: &Payoffs<'_>,
        row: &mut [f64],
        column: &mut [f64],
    ) -> bool {
        let sum = self.sum();
        if !(sum > 0.0 && self.choose()) {
            return false;
        }
        let scales =
            Scales { of_weights: 1.0 / sum, of_payoffs: 1.0 / (payoffs.largest - payoffs.least) };
        for (player, strategy) in [(Player::Row, row), (Player::Column, column)] {
            self.write_shares(player, scales, strategy);
            self.correct(player, payoffs, scales, strategy);
            if !normalise(strategy) {
                return false;
            }
        }
        true
    }

    /// Lists the rows that are tight, and the columns that are played; `false` unless these are as
    /// many.
    fn choose(&mut self) -> bool {
        let Self { columns, .. } = *self;
        let [mut rows, mut others] = [0, 0];
        for (index, &variable) in self.nonbasic.iter().enumerate() {
            if let Some(choice) = (variable as usize).checked_sub(columns) {
                self.chosen[0][rows] = Chosen { index: index as u32, choice: choice as u32 };
                rows += 1;
            }
        }
        for (index, &choice) in self.basic.iter().enumerate() {
            if (choice as usize) < columns {
                self.chosen[1][others] = Chosen { index: index as u32, choice };
                others += 1;
            }
        }
        self.chosen = core::mem::take(&mut self.chosen).map(|chosen| &mut chosen[..rows]);
        rows == others
    }

    fn write_shares(&self, player: Player, scales: Scales, strategy: &mut [f64]) {
        strategy.fill(0.0);
        for &chosen in self.chosen(player) {
            strategy[chosen.choice as usize] = self.share(player, chosen) * scales.of_weights;
        }
    }

    /// Moves a player's strategy so that all choices of the opponent's support are worth the same
    /// up to rounding.
    fn correct(
        &mut self,
        player: Player,
        payoffs: &Payoffs<'_>,
        scales: Scales,
        strategy: &mut [f64],
    ) {
        // No pivot needs its line any more.
        let excess = core::mem::take(&mut self.pivot_line);
        let others = self.chosen(player.opponent());
        let (mut first, mut common) = (0.0, 0.0);
        for (number, (&reply, excess)) in others.iter().zip(&mut *excess).enumerate() {
            let mut against = 0.0;
            for &chosen in self.chosen(player) {
                against += strategy[chosen.choice as usize] * player.payoff(payoffs, chosen, reply);
            }
            if number == 0 {
                first = against;
            }
            *excess = (against - first) * scales.of_payoffs;
            common += self.share(player.opponent(), reply) * *excess;
        }
        common *= scales.of_weights;
        // All payoffs may be alike, and the scale infinite.
        if common.is_finite() {
            for &chosen in self.chosen(player) {
                let mut removed = 0.0;
                for (&reply, excess) in others.iter().zip(&*excess) {
                    removed += self.inverse(player, chosen, reply) * excess;
                }
                strategy[chosen.choice as usize] += common * self.share(player, chosen) - removed;
            }
        }
        self.pivot_line = excess;
    }

    /// The choices that a player mixes.
    fn chosen(&self, player: Player) -> &[Chosen] {
        match player {
            Player::Row => self.chosen[0],
            Player::Column => self.chosen[1],
        }
    }

    /// The weight of a choice, as part of [`Self::sum`].
    fn share(&self, player: Player, chosen: Chosen) -> f64 {
        match player {
            Player::Row => self.lines[self.rows * self.width + chosen.index as usize],
            Player::Column => self.lines[chosen.index as usize * self.width + self.columns],
        }
    }

    /// The entry of the basis's inverse at an own choice and one of the opponent's.
    fn inverse(&self, player: Player, chosen: Chosen, reply: Chosen) -> f64 {
        let (row, column) = match player {
            Player::Row => (chosen, reply),
            Player::Column => (reply, chosen),
        };
        self.lines[column.index as usize * self.width + row.index as usize]
    }

    /// The sum of all weights: 1 through the value of the scaled game.
    fn sum(&self) -> f64 {
        self.lines[self.rows * self.width + self.columns]
    }
}

/// Up to here Dantzig's choice of the entering variable takes less time in all: 30 columns 18 %
/// less, 50 as much, 100 a third more.
const LONGEST_OF_DANTZIG: usize = 48;

/// Three times what any of some random games took, 50 to 800 rows of them: beyond it a degenerate
/// game is likely to be in a cycle.
const fn most_pivots(rows: usize, columns: usize) -> usize {
    4 * (rows + columns)
}

/// As [`Dictionary::pivot`].
///
/// The compiler knows the length of a short line, and unrolls what is done with it.
#[cfg_attr(feature = "std", multiversion::multiversion(targets("x86_64+avx2")))]
fn pivot_in_vectors(
    dictionary: &mut Dictionary<'_>,
    should_continue: &mut ShouldContinue<'_>,
) -> Pivoted {
    match dictionary.width {
        4 => dictionary.pivot_lines(4),
        8 => dictionary.pivot_lines(8),
        12 => dictionary.pivot_lines(12),
        16 => dictionary.pivot_lines(16),
        20 => dictionary.pivot_lines(20),
        24 => dictionary.pivot_lines(24),
        width if width <= LONGEST_OF_DANTZIG => dictionary.pivot_lines(width),
        _ => dictionary.pivot_along_steepest_edges(should_continue),
    }
}

/// Where the least number stands, if it is below a limit.
///
/// The number comes first, and then its place: which of them is least cannot be foretold, and a
/// wrong guess of a branch costs more than the second look.
#[inline(always)]
fn index_of_least(numbers: &[f64], limit: f64) -> Option<usize> {
    let lesser = |one: f64, other: f64| if one < other { one } else { other };
    let (vectors, rest) = numbers.as_chunks::<VECTOR>();
    let mut lanes = [limit; VECTOR];
    for numbers in vectors {
        lanes = core::array::from_fn(|lane| lesser(numbers[lane], lanes[lane]));
    }
    let least = lanes.iter().chain(rest).fold(limit, |least, &number| lesser(number, least));
    if least < limit { numbers.iter().position(|&number| number == least) } else { None }
}

/// How far the entering variable goes before each row is tight: infinitely far where it does not
/// take from the row. Lines have this `width`; their right-hand side stands behind the `columns`.
#[inline(always)]
fn write_ratios(ratios: &mut [f64], lines: &[f64], width: usize, entering: usize, columns: usize) {
    let ratio = |left: f64, slope: f64| {
        let ratio = left / slope;
        if slope > ZERO { ratio } else { f64::INFINITY }
    };
    let (vectors, rest) = ratios.as_chunks_mut::<VECTOR>();
    let mut lines = lines.chunks_exact(width);
    for ratios in vectors {
        // All is read before anything is written: these become vectors.
        let [mut lefts, mut slopes] = [[1.0; VECTOR]; 2];
        for ((left, slope), line) in lefts.iter_mut().zip(&mut slopes).zip(&mut lines) {
            (*left, *slope) = (line[columns], line[entering]);
        }
        *ratios = core::array::from_fn(|row| ratio(lefts[row], slopes[row]));
    }
    for (entry, line) in rest.iter_mut().zip(lines) {
        *entry = ratio(line[columns], line[entering]);
    }
}

/// How much the objective gains along the edge of every column, squared and negative; 0 where it
/// gains nothing.
#[inline(always)]
fn write_slopes(slopes: &mut [f64], objective: &[f64], edges: &[f64]) {
    for ((slope, cost), edge) in slopes.iter_mut().zip(objective).zip(edges) {
        let squared = -(cost * cost) / edge;
        *slope = if *cost < -ZERO { squared } else { 0.0 };
    }
}

/// An edge takes its own variable by 1, and the variable of every row by the row's entry.
#[inline(always)]
fn measure_edges(edges: &mut [f64], lines: &[f64]) {
    edges.fill(1.0);
    for line in lines.chunks_exact(edges.len()) {
        for (edge, entry) in edges.iter_mut().zip(line) {
            *edge += entry * entry;
        }
    }
}

/// Where a pivot takes place.
#[derive(Clone, Copy)]
struct Pivot {
    /// The row whose variable leaves the basis.
    leaving: usize,
    /// The column whose variable enters it.
    entering: usize,
}

/// Exchanges the variable of a row with that of a column.
#[inline(always)]
fn exchange(lines: &mut [f64], pivot_line: &mut [f64], width: usize, pivot: Pivot) {
    let Pivot { leaving, entering } = pivot;
    let pivot_line = &mut pivot_line[..width];
    let inverse = write_pivot_line(pivot_line, &lines[leaving * width..][..width], entering);
    for line in lines.chunks_exact_mut(width) {
        let factor = line[entering];
        subtract(line, factor, pivot_line);
        // Written last: a vector that is read right after one of its entries was written waits for
        // it.
        line[entering] = 0.0 - factor * inverse;
    }
    lines[leaving * width..][..width].copy_from_slice(pivot_line);
}

/// As [`exchange`], and measures the edges of all columns on the way.
#[inline(always)]
fn exchange_and_measure(
    lines: &mut [f64],
    pivot_line: &mut [f64],
    edges: &mut [f64],
    pivot: Pivot,
) {
    let Pivot { leaving, entering } = pivot;
    let width = edges.len();
    let inverse = write_pivot_line(pivot_line, &lines[leaving * width..][..width], entering);
    measure_edges(edges, pivot_line);
    let mut entering_edge = edges[entering];
    let objective = lines.len() / width - 1;
    for (row, line) in lines.chunks_exact_mut(width).enumerate() {
        let factor = line[entering];
        let entry = 0.0 - factor * inverse;
        if row == leaving {
            line.copy_from_slice(pivot_line);
        } else if row == objective {
            subtract(line, factor, pivot_line);
            line[entering] = entry;
        } else {
            for ((entry, pivot), edge) in line.iter_mut().zip(&*pivot_line).zip(&mut *edges) {
                *entry -= factor * pivot;
                *edge += *entry * *entry;
            }
            line[entering] = entry;
            entering_edge += entry * entry;
        }
    }
    edges[entering] = entering_edge;
}

/// Divides the leaving row by its entry in the entering column; returns one through that entry.
#[inline(always)]
fn write_pivot_line(pivot_line: &mut [f64], leaving: &[f64], entering: usize) -> f64 {
    let inverse = 1.0 / leaving[entering];
    for (pivot, entry) in pivot_line.iter_mut().zip(leaving) {
        *pivot = entry * inverse;
    }
    pivot_line[entering] = inverse;
    inverse
}

/// Takes a multiple of one line from another of the same length, which is in whole vectors.
#[inline(always)]
fn subtract(line: &mut [f64], factor: f64, pivot_line: &[f64]) {
    let (line, _) = line.as_chunks_mut::<VECTOR>();
    let (pivot_line, _) = pivot_line.as_chunks::<VECTOR>();
    for (entries, pivots) in line.iter_mut().zip(pivot_line) {
        // All is read before anything is written: these become vectors.
        *entries = core::array::from_fn(|index| entries[index] - factor * pivots[index]);
    }
}

/// The factors that turn weights of the dictionary into probabilities, and payoffs into entries.
#[derive(Clone, Copy)]
struct Scales {
    of_weights: f64,
    of_payoffs: f64,
}

impl Player {
    fn payoff(self, payoffs: &Payoffs<'_>, chosen: Chosen, reply: Chosen) -> f64 {
        match self {
            Self::Row => payoffs.entry(chosen.choice as usize, reply.choice as usize),
            Self::Column => payoffs.entry(reply.choice as usize, chosen.choice as usize),
        }
    }
}

/// Drops what is negative and divides by the sum; `false` where nothing is left.
fn normalise(strategy: &mut [f64]) -> bool {
    let mut sum = 0.0;
    for probability in &mut *strategy {
        *probability = if *probability > 0.0 { *probability } else { 0.0 };
        sum += *probability;
    }
    let is_some = sum > 0.0 && sum.is_finite();
    if is_some {
        for probability in strategy {
            *probability /= sum;
        }
    }
    is_some
}
