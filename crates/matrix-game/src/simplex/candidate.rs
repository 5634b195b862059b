//! Pairs of strategies that the simplex methods try.

use crate::basis::{Basis, BasisFactorisation};
use crate::equilibrium::StrategyPair;
use crate::payoffs::Payoffs;
use crate::tremble::{Trembling, prefer};

/// A pair of strategies that may be optimal.
#[derive(Debug)]
pub struct Candidate<'s> {
    pub pair: &'s StrategyPair,
    pub basis: &'s Basis,
    /// The factorised basis, unless the pair is pure or the basis singular.
    pub factorisation: Option<&'s mut BasisFactorisation>,
}

/// The best reply to a column; of several, the best when the column player trembles.
pub(super) fn best_reply(payoffs: &impl Trembling, column: usize) -> usize {
    best_reply_by(payoffs, column, |row| payoffs.row_gain(row))
}

/// As [`best_reply`] in any numbers; `gain` is a row's from the column player's trembles.
pub(super) fn best_reply_by<T: Copy + PartialOrd>(
    payoffs: &impl Payoffs<T>,
    column: usize,
    gain: impl Fn(usize) -> f64,
) -> usize {
    let mut best = payoffs.entry(0, column);
    payoffs.walk_column(column, |run| {
        best = run.iter().fold(best, |best, &entry| if entry > best { entry } else { best });
    });
    let mut replies = (0..payoffs.rows()).filter(|&row| payoffs.entry(row, column) >= best);
    let (first, second) = (replies.next().unwrap_or(0), replies.next());
    let Some(second) = second else { return first };
    let mut gains: Vec<_> =
        [first, second].into_iter().chain(replies).map(|row| (row, gain(row))).collect();
    prefer(&mut gains, |_| true).unwrap_or(0)
}
