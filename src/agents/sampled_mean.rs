//! The mean of payoffs that were sampled.

use super::tally::Z;

/// The mean of sampled payoffs, with the sum of squared deviations from it (Welford 1962).
#[derive(Debug, Default)]
pub(super) struct SampledMean {
    number: u64,
    mean: f64,
    deviation: f64,
}

impl SampledMean {
    pub(super) fn add(&mut self, payoff: f64) {
        self.number += 1;
        let gap = payoff - self.mean;
        self.mean += gap / self.number as f64;
        self.deviation += gap * (payoff - self.mean);
    }

    /// The number of payoffs that were added.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// 0 without payoffs.
    pub(super) const fn mean(&self) -> f64 {
        self.mean
    }

    /// A 95 % confidence interval; `None` for fewer than two payoffs.
    pub(super) fn interval(&self) -> Option<[f64; 2]> {
        let others = self.number.checked_sub(1).filter(|&others| others > 0)?;
        let half = Z * (self.deviation / others as f64 / self.number as f64).sqrt();
        Some([self.mean - half, self.mean + half])
    }
}
