//! Nested linear programmes over one dictionary: maximise the smallest gain, fix the gains that
//! cannot rise, and repeat.

use std::cmp::Ordering;

use crate::tolerances::{EQUAL_QUOTIENTS, LEVEL_ZERO};

/// Compares a number with 0 up to rounding.
pub(super) fn sign(number: f64) -> Ordering {
    if number.abs() <= LEVEL_ZERO { Ordering::Equal } else { number.total_cmp(&0.0) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    /// The smallest gain beyond that of the level before: the objective.
    Level,
    Gain(usize),
    Choice(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Vertex {
    /// The probabilities of the basic choices, rising by index; some may be 0.
    pub(super) strategy: Vec<(usize, f64)>,
    /// The settled replies by index, each with its level.
    pub(super) tight: Vec<(usize, usize)>,
}

/// Every basic variable as a constant and multiples of the free ones, which are 0. Variables are
/// the probabilities of `choices` and the gains of `replies`.
pub(super) struct Dictionary {
    basic: Vec<Variable>,
    free: Vec<Variable>,
    /// For every basic variable the multiples of the free ones, then the constant.
    rows: Vec<Vec<f64>>,
    tight: Vec<(usize, usize)>,
    pivots_left: usize,
    /// Below this many pivots left the least index decides, which terminates.
    careful_below: usize,
}

impl Dictionary {
    /// The dictionary of a game with payoffs not below 0, at its safest pure choice.
    pub(super) fn new(
        choices: usize,
        replies: usize,
        payoff: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let security = |choice: usize| {
            (0..replies).map(|reply| payoff(choice, reply)).fold(f64::INFINITY, f64::min)
        };
        // The first of those that are as safe.
        let start = (0..choices)
            .rev()
            .max_by(|&one, &other| security(one).total_cmp(&security(other)))
            .unwrap_or(0);
        let free: Vec<Variable> =
            (0..choices).filter(|&choice| choice != start).map(Variable::Choice).collect();
        let mut rows = vec![vec![-1.0; choices - 1]];
        rows[0].push(1.0);
        let mut basic = vec![Variable::Choice(start)];
        for reply in 0..replies {
            let base = payoff(start, reply);
            let others = (0..choices).filter(|&choice| choice != start);
            let mut row: Vec<f64> = others.map(|choice| payoff(choice, reply) - base).collect();
            row.push(base);
            rows.push(row);
            basic.push(Variable::Gain(reply));
        }
        let pivots_left = 40 * (choices + replies);
        Self { basic, free, rows, tight: Vec::new(), pivots_left, careful_below: pivots_left / 2 }
    }

    /// Raises one level after the other; `None` where rounding has led astray.
    pub(super) fn solve(mut self) -> Option<Vertex> {
        let mut level = 0;
        while !self.free.is_empty() && self.has_gains() {
            self.raise()?;
            self.fix_level(level)?;
            level += 1;
        }
        let probabilities =
            self.basic.iter().zip(&self.rows).filter_map(|(&variable, row)| match variable {
                Variable::Choice(choice) => Some((choice, row[row.len() - 1])),
                _ => None,
            });
        let mut strategy: Vec<(usize, f64)> = probabilities.collect();
        strategy.sort_unstable_by_key(|&(choice, _)| choice);
        self.tight.sort_unstable_by_key(|&(reply, level)| (level, reply));
        Some(Vertex { strategy, tight: self.tight })
    }

    fn has_gains(&self) -> bool {
        self.basic.iter().chain(&self.free).any(|variable| matches!(variable, Variable::Gain(_)))
    }

    /// Raises the smallest unsettled gain as far as it goes.
    fn raise(&mut self) -> Option<()> {
        // All gains are measured from the level, so that the free variables stand still while the
        // level grows.
        let gains: Vec<usize> = (0..self.free.len())
            .filter(|&column| matches!(self.free[column], Variable::Gain(_)))
            .collect();
        for (variable, row) in self.basic.iter().zip(&mut self.rows) {
            let basic_cost = if matches!(variable, Variable::Gain(_)) { 1.0 } else { 0.0 };
            let change = gains.iter().map(|&column| row[column]).sum::<f64>() - basic_cost;
            // The constant stays behind.
            row.insert(row.len() - 1, change);
        }
        self.free.push(Variable::Level);
        let mut entering = self.free.len() - 1;
        let leaving = self.blocking(entering)?;
        self.pivot(leaving, entering);
        loop {
            let level = self.basic.iter().position(|&variable| variable == Variable::Level)?;
            let Some(next) = self.improving(level) else { return Some(()) };
            entering = next;
            let leaving = self.blocking(entering)?;
            self.pivot(leaving, entering);
            self.pivots_left = self.pivots_left.checked_sub(1)?;
        }
    }

    fn improving(&self, level: usize) -> Option<usize> {
        let row = &self.rows[level];
        let improving = (0..self.free.len()).filter(|&column| sign(row[column]).is_gt());
        if self.pivots_left < self.careful_below {
            return improving.min_by_key(|&column| self.free[column]);
        }
        improving.rev().max_by(|&one, &other| row[one].total_cmp(&row[other]))
    }

    fn blocking(&self, entering: usize) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for (index, row) in
            self.rows.iter().enumerate().filter(|(_, row)| sign(row[entering]).is_lt())
        {
            let slope = -row[entering];
            let constant = row[row.len() - 1];
            // Rounding can leave a 0 slightly negative.
            let room = constant.max(0.0) / slope;
            let better = best.is_none_or(|(other, least)| match order(room, least) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal if self.pivots_left < self.careful_below => {
                    self.basic[index] < self.basic[other]
                }
                Ordering::Equal => slope > -self.rows[other][entering],
            });
            if better {
                best = Some((index, room));
            }
        }
        best.map(|(index, _)| index)
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        std::mem::swap(&mut self.basic[leaving], &mut self.free[entering]);
        let mut pivot_row = std::mem::take(&mut self.rows[leaving]);
        // leaving = … + p · entering + …, solved for entering.
        let pivot = std::mem::replace(&mut pivot_row[entering], -1.0);
        for entry in &mut pivot_row {
            *entry /= -pivot;
        }
        for (index, row) in self.rows.iter_mut().enumerate() {
            if index != leaving {
                let factor = std::mem::take(&mut row[entering]);
                if factor != 0.0 {
                    for (entry, head) in row.iter_mut().zip(&pivot_row) {
                        *entry += factor * head;
                    }
                }
            }
        }
        self.rows[leaving] = pivot_row;
    }

    /// Fixes at 0 the variables that would lower the level, and drops the level: the strategies
    /// that attain it remain.
    fn fix_level(&mut self, level: usize) -> Option<()> {
        let index = self.basic.iter().position(|&variable| variable == Variable::Level)?;
        self.basic.remove(index);
        let prices = self.rows.remove(index);
        let kept: Vec<bool> =
            (0..self.free.len()).map(|column| sign(prices[column]).is_eq()).collect();
        let before = self.tight.len();
        for (&variable, _) in self.free.iter().zip(&kept).filter(|&(_, &kept)| !kept) {
            if let Variable::Gain(reply) = variable {
                self.tight.push((reply, level));
            }
        }
        let mut keep = kept.iter();
        self.free.retain(|_| *keep.next().unwrap_or(&true));
        for row in &mut self.rows {
            // The constant stands behind the multiples.
            let mut keep = kept.iter();
            row.retain(|_| *keep.next().unwrap_or(&true));
        }
        // The prices of the gains sum to 1, so that one is settled.
        (self.tight.len() > before).then_some(())
    }
}

fn order(left: f64, right: f64) -> Ordering {
    if (left - right).abs() <= EQUAL_QUOTIENTS { Ordering::Equal } else { left.total_cmp(&right) }
}
