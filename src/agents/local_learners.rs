//! The learners of one player, one for each place where the player chooses.

use super::local_rule::LocalRule;

/// Regrets, or summed payoffs, and the average strategy at every place.
#[derive(Clone, Debug)]
pub(super) struct LocalLearners {
    rule: LocalRule,
    /// The range of payoffs.
    span: f64,
    /// The first number of each place, and the number of all.
    firsts: Vec<usize>,
    learned: Vec<f64>,
    average: Vec<f64>,
    visits: u64,
}

impl LocalLearners {
    /// Learners that have learned nothing, at places with these numbers of actions.
    pub(super) fn new(rule: LocalRule, span: f64, actions: impl Iterator<Item = usize>) -> Self {
        let mut firsts = vec![0];
        for count in actions {
            firsts.push(firsts[firsts.len() - 1] + count);
        }
        let numbers = vec![0.0; firsts[firsts.len() - 1]];
        // A game that pays nothing has no scale of its own.
        let span = if span > 0.0 { span } else { 1.0 };
        Self { rule, span, firsts, learned: numbers.clone(), average: numbers, visits: 0 }
    }

    /// Widens the range of payoffs, on which exponential weights depend.
    pub(super) const fn widen(&mut self, span: f64) {
        self.span = self.span.max(span);
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        self.firsts[index]..self.firsts[index + 1]
    }

    /// The strategy at a place now.
    pub(super) fn strategy(&self, index: usize, strategy: &mut Vec<f64>) {
        let range = self.range(index);
        strategy.resize(range.len(), 0.0);
        self.rule.strategy(&self.learned[range], self.visits, self.span, strategy);
    }

    /// Learns from the payoff of every action at a place in a turn that paid `value`.
    pub(super) fn learn(&mut self, index: usize, payoffs: &[f64], value: f64) {
        let range = self.range(index);
        self.rule.learn(&mut self.learned[range], payoffs, value);
    }

    /// Adds a strategy to the average of a place.
    pub(super) fn add(&mut self, index: usize, strategy: &[f64], weight: f64) {
        let range = self.range(index);
        for (sum, share) in self.average[range].iter_mut().zip(strategy) {
            *sum += weight * share;
        }
    }

    /// Ends a lesson at every place.
    pub(super) const fn end_lesson(&mut self) {
        self.visits += 1;
    }

    /// The average strategy of a place; the uniform one where nothing was learned.
    pub(super) fn average(&self, index: usize) -> Vec<f64> {
        let average = &self.average[self.range(index)];
        let sum: f64 = average.iter().sum();
        if sum > 0.0 {
            average.iter().map(|weight| weight / sum).collect()
        } else {
            vec![1.0 / average.len() as f64; average.len()]
        }
    }
}
