//! Rules by which a learner turns the regrets at one state into a strategy.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalRule {
    RegretMatching,
    RegretMatchingPlus,
    FictitiousPlay,
    ExponentialWeights,
}

impl LocalRule {
    pub(super) fn is_pure(self) -> bool {
        self == Self::FictitiousPlay
    }

    /// Writes the strategy after `visits` updates from the regrets or summed payoffs; `span` is the
    /// range of payoffs.
    pub(super) fn strategy(self, learned: &[f64], visits: u64, span: f64, strategy: &mut [f64]) {
        match self {
            Self::RegretMatching | Self::RegretMatchingPlus => {
                for (share, &regret) in strategy.iter_mut().zip(learned) {
                    *share = regret.max(0.0);
                }
            }
            Self::FictitiousPlay => {
                strategy.fill(0.0);
                if visits > 0 {
                    strategy[largest(learned)] = 1.0;
                }
            }
            Self::ExponentialWeights => {
                // The anytime learning rate for payoffs of this span (Cesa-Bianchi and Lugosi 2006,
                // theorem 2.3).
                let rate = (8.0 * (learned.len() as f64).ln() / (visits + 1) as f64).sqrt() / span;
                let most = learned[largest(learned)];
                for (share, &sum) in strategy.iter_mut().zip(learned) {
                    *share = (rate * (sum - most)).exp();
                }
            }
        }
        let sum: f64 = strategy.iter().sum();
        if sum > 0.0 {
            for share in strategy {
                *share /= sum;
            }
        } else {
            strategy.fill(1.0 / strategy.len() as f64);
        }
    }

    /// Updates regrets or sums by the payoff of every bid in a turn that paid `value`.
    pub(super) fn learn(self, learned: &mut [f64], payoffs: &[f64], value: f64) {
        for (sum, payoff) in learned.iter_mut().zip(payoffs) {
            *sum = match self {
                Self::RegretMatching => *sum + (payoff - value),
                Self::RegretMatchingPlus => (*sum + payoff - value).max(0.0),
                Self::FictitiousPlay | Self::ExponentialWeights => *sum + payoff,
            };
        }
    }
}

fn largest(numbers: &[f64]) -> usize {
    let mut best = 0;
    for (index, &number) in numbers.iter().enumerate() {
        if number > numbers[best] {
            best = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::LocalRule;

    #[test]
    fn regrets_by_hand() {
        // Two bids would have won 3 and −1 where 1 was won; then −1 and 0 where −1 was.
        for (rule, expected) in [
            (LocalRule::RegretMatching, [2.0, -1.0]),
            (LocalRule::RegretMatchingPlus, [2.0, 1.0]),
            (LocalRule::FictitiousPlay, [2.0, -1.0]),
        ] {
            let mut learned = [0.0; 2];
            rule.learn(&mut learned, &[3.0, -1.0], 1.0);
            rule.learn(&mut learned, &[-1.0, 0.0], -1.0);
            assert_eq!(learned, expected, "{rule:?}");
        }
        let mut strategy = [0.0; 2];
        LocalRule::RegretMatchingPlus.strategy(&[2.0, 1.0], 2, 4.0, &mut strategy);
        assert_eq!(strategy, [2.0 / 3.0, 1.0 / 3.0]);
        LocalRule::RegretMatching.strategy(&[-2.0, -1.0], 2, 4.0, &mut strategy);
        assert_eq!(strategy, [0.5, 0.5], "without positive regret all bids are equal");
        LocalRule::FictitiousPlay.strategy(&[2.0, 2.5], 2, 4.0, &mut strategy);
        assert_eq!(strategy, [0.0, 1.0]);
    }
}
