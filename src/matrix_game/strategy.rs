//! Two mixed strategies by their supports.

/// A mixed strategy for each player as (index, probability) in rising order of the index, probabilities positive.
///
/// The buffers are reused from one game to the next, so that a sweep over many games allocates nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StrategyPair {
    pub(crate) row: Vec<(usize, f64)>,
    pub(crate) column: Vec<(usize, f64)>,
}

impl StrategyPair {
    pub(crate) fn set_pure(&mut self, row: usize, column: usize) {
        self.row.clear();
        self.row.push((row, 1.0));
        self.column.clear();
        self.column.push((column, 1.0));
    }
}

/// Turns numbers that ought to be probabilities into a distribution: what rounding made negative is dropped, the rest sums to 1.
///
/// Returns `false`, leaving `strategy` empty, when there is nothing positive to normalise.
pub(crate) fn normalise(strategy: &mut Vec<(usize, f64)>, raw: impl Iterator<Item = (usize, f64)>) -> bool {
    strategy.clear();
    strategy.extend(raw.filter(|&(_, probability)| probability > 0.0));
    strategy.sort_unstable_by_key(|&(index, _)| index);
    let sum: f64 = strategy.iter().map(|&(_, probability)| probability).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        strategy.clear();
        return false;
    }
    for (_, probability) in strategy.iter_mut() {
        *probability /= sum;
    }
    true
}
