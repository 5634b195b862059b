/// A mixed strategy for each player as (index, probability), indices rising, probabilities positive.
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

/// Drops negative rounding errors and scales the rest to sum 1; `false`, with an empty `strategy`, when nothing is positive.
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
