//! The simplex tableau in exact integers.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::linear_system::Fractions;
use crate::basis::{Basis, PivotRule};

/// An optimal basis of a game of this size (rows and columns); another one if it is stopped before.
pub(crate) fn optimal_basis(
    size: [usize; 2],
    payoff: impl Fn(usize, usize) -> RBig,
    stop: &dyn Fn() -> bool,
) -> Basis {
    let [rows, columns] = size;
    let payoff = &payoff;
    let payoffs: Vec<RBig> =
        (0..rows).flat_map(|row| (0..columns).map(move |column| payoff(row, column))).collect();
    let game: Vec<Vec<IBig>> =
        Fractions::of(payoffs.iter()).numerators.chunks(columns).map(<[IBig]>::to_vec).collect();
    // From the column player's safest column.
    let worst = |column: usize| game.iter().map(|line| &line[column]).max();
    let column = (0..columns).min_by_key(|&column| worst(column)).unwrap_or(0);
    let mut tableau = ExactTableau::new(&game, column);
    tableau.run(stop);
    tableau.basis()
}

/// An exact [`Tableau`](crate::simplex): entries are integers over one denominator, and pivots
/// divide without remainder (Edmonds 1967; Bareiss 1968).
struct ExactTableau {
    columns: usize,
    /// A row for each row of the game and one for the objective, each with its right-hand side
    /// last.
    entries: Vec<Vec<IBig>>,
    denominator: IBig,
    /// The variable of each row: `j` for the probability of a column, `columns + i` for the slack
    /// of a row.
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
}

impl ExactTableau {
    /// The dictionary in which `column` is played and its first best reply is tight.
    fn new(game: &[Vec<IBig>], column: usize) -> Self {
        let (rows, columns) = (game.len(), game[0].len());
        let row = (0..rows).rev().max_by_key(|&row| &game[row][column]).unwrap_or(0);
        let corner = &game[row][column];
        let tight: Vec<IBig> = game[row].iter().map(|entry| entry - corner).collect();
        let mut entries: Vec<Vec<IBig>> = game
            .iter()
            .map(|line| {
                let mut entries: Vec<IBig> = line
                    .iter()
                    .zip(&tight)
                    .map(|(entry, tight)| entry - &line[column] - tight)
                    .collect();
                entries[column] = IBig::NEG_ONE;
                entries.push(corner - &line[column]);
                entries
            })
            .collect();
        // The row of the column's probability: 1 − Σ y_j.
        entries[row].fill(IBig::ONE);
        entries[row][column] = IBig::ZERO;
        let mut objective: Vec<IBig> = tight.into_iter().map(|entry| -entry).collect();
        objective[column] = IBig::NEG_ONE;
        objective.push(IBig::ZERO);
        entries.push(objective);
        Self {
            columns,
            entries,
            denominator: IBig::ONE,
            basic: (0..rows).map(|i| if i == row { column } else { columns + i }).collect(),
            nonbasic: (0..columns).map(|j| if j == column { columns + row } else { j }).collect(),
        }
    }

    /// Pivots by the largest gain, and by the least index after more pivots than are ever needed.
    fn run(&mut self, stop: &dyn Fn() -> bool) {
        let patience = 10 * (self.basic.len() + self.columns);
        for pivots in 0.. {
            if stop() {
                return;
            }
            let rule =
                if pivots > patience { PivotRule::LeastIndex } else { PivotRule::LargestGain };
            let Some(column) = self.entering(rule) else { return };
            // A game has a value, so that something always blocks.
            let Some(row) = self.leaving(column) else { return };
            self.pivot(row, column);
        }
    }

    fn entering(&self, rule: PivotRule) -> Option<usize> {
        let objective = &self.entries[self.basic.len()][..self.columns];
        let improving = (0..self.columns).filter(|&column| objective[column] > IBig::ZERO);
        match rule {
            PivotRule::LeastIndex => improving.min_by_key(|&column| self.nonbasic[column]),
            PivotRule::LargestGain => {
                improving.max_by(|&p, &q| objective[p].cmp(&objective[q]).then(q.cmp(&p)))
            }
        }
    }

    /// The row that blocks the column's variable; of several, that of the least variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let ratio = |row: usize| (&self.entries[row][self.columns], &self.entries[row][column]);
        let compare = |one: usize, other: usize| -> Ordering {
            let ((right, slope), (other_right, other_slope)) = (ratio(one), ratio(other));
            (right * other_slope)
                .cmp(&(other_right * slope))
                .then(self.basic[one].cmp(&self.basic[other]))
        };
        (0..self.basic.len())
            .filter(|&row| self.entries[row][column] > IBig::ZERO)
            .min_by(|&one, &other| compare(one, other))
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let mut pivot_row = std::mem::take(&mut self.entries[row]);
        let pivot = pivot_row[column].clone();
        for entries in self.entries.iter_mut().filter(|entries| !entries.is_empty()) {
            let factor = std::mem::take(&mut entries[column]);
            for (index, (entry, head)) in entries.iter_mut().zip(&pivot_row).enumerate() {
                if index != column {
                    *entry = (&*entry * &pivot - &factor * head) / &self.denominator;
                }
            }
            entries[column] = -factor;
        }
        pivot_row[column] = std::mem::replace(&mut self.denominator, pivot);
        self.entries[row] = pivot_row;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }

    fn basis(&self) -> Basis {
        Basis::of_dictionary(&self.basic, &self.nonbasic, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::equalise;

    /// [[k, −1], [−1, 1]] has the value (k − 1)/(k + 3) and is mixed with 2/(k + 3), (k + 1)/(k +
    /// 3).
    #[test]
    fn small_games_are_solved_from_any_column() {
        for k in [1.0_f64, 2.0, 5.0, 1e9] {
            let game = [[k as i64, -1], [-1, 1]].map(|line| line.map(IBig::from).to_vec());
            for column in [0, 1] {
                let mut tableau = ExactTableau::new(&game, column);
                tableau.run(&|| false);
                let basis = tableau.basis();
                assert_eq!(basis, Basis { rows: vec![0, 1], columns: vec![0, 1] });
                let strategies =
                    equalise(|row, column| game[row][column].clone().into(), &basis, 80, &|| false)
                        .unwrap();
                let [first, second] = [2.0 / (k + 3.0), (k + 1.0) / (k + 3.0)];
                for strategy in strategies {
                    for ((index, weight), (expected, known)) in
                        strategy.into_iter().zip([(0, first), (1, second)])
                    {
                        let probability = weight.to_f64().value() * (-80.0_f64).exp2();
                        assert_eq!(index, expected);
                        assert!(
                            (probability - known).abs() <= f64::EPSILON * known,
                            "{k}: {probability} {known}"
                        );
                    }
                }
            }
        }
    }
}
