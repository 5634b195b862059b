use super::no_regret::LocalRule;
use super::state_table::payoff;
use super::state_table::{LearningMethod, StateLearner, Turn};

/// Regret matching at every state of self-played games with bandit feedback: the payoff of a bid is estimated by importance
/// sampling, as the payoff received divided by the bid's probability.
#[derive(Clone, Debug, Default)]
pub(super) struct OutcomeSampling {
    strategy: Vec<f64>,
}

impl StateLearner<OutcomeSampling> {
    fn game(&mut self, turns: &mut Vec<Turn>) {
        let end = self.self_play(turns);
        // The payoff of a turn is the estimated value of the successor.
        let mut won = payoff(&self.table.geometry.rules, end);
        while let Some(turn) = turns.pop() {
            self.learn(turn, won);
            won = self.table.value(turn.accounts[0], turn.accounts[1], turn.place);
        }
        self.games += 1;
    }

    fn learn(&mut self, Turn { accounts: [a, b], place, bids }: Turn, won: f64) {
        let rows = self.table.geometry.rows_at(a, b, place);
        let mean = self.table.value(a, b, place);
        let visits = self.table.visits(rows[0]) + 1;
        for (side, gain) in [won - mean, mean - won].into_iter().enumerate() {
            let own = [a, b][side];
            let row = rows[side];
            // A state that is its own mirror image has one row for both players.
            if side == 1 && row == rows[0] {
                continue;
            }
            // A player without a choice has no regret, but counts as a visit: the step of the value below counts visits from
            // either side.
            if own == 0 {
                self.table.add(row, &[1.0], 1.0);
                continue;
            }
            self.look_up(row, own);
            let bid = bids[side] as usize - 1;
            let share = self.method.strategy[bid];
            let probability = self.explore / f64::from(own) + (1.0 - self.explore) * share;
            let learned = self.table.learned(row, own);
            // The estimate is 0 for all other bids; the strategy's share of it is the estimated mean payoff.
            let estimate = gain / probability;
            for regret in learned.iter_mut() {
                *regret -= share * estimate;
            }
            learned[bid] += estimate;
            self.table.add(row, &self.method.strategy, 1.0);
        }
        self.table.move_value(a, b, place, won, 1.0 / visits as f64);
    }

    fn look_up(&mut self, row: usize, own: u32) {
        self.table.strategy(LocalRule::RegretMatching, row, own, &mut self.method.strategy);
        self.entries += u64::from(own);
    }
}

impl LearningMethod for OutcomeSampling {
    fn strategy(learner: &mut StateLearner<Self>, row: usize, own: u32) -> &[f64] {
        learner.look_up(row, own);
        &learner.method.strategy
    }

    fn play(learner: &mut StateLearner<Self>, games: u64) {
        let mut turns = Vec::new();
        for _ in 0..games {
            learner.game(&mut turns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    /// Both players' rows with an empty account share one state, whose value is the mean over both.
    #[test]
    fn values_are_means_over_both_orientations() {
        let mut learner = StateLearner::new(OutcomeSampling::default(), &Rules::tennis(), 3, 0.5, 1).expect("a small game");
        let place = 3;
        let image = learner.table.geometry.places() - 1 - place;
        // The payoff of a turn to A, who has two points or none.
        let met = [(true, 1.0), (false, -2.0), (true, -1.0), (false, 0.5), (false, -1.0), (true, 2.0)];
        for (with_points, won) in met {
            let turn = if with_points {
                Turn { accounts: [2, 0], place, bids: [1, 0] }
            } else {
                Turn { accounts: [0, 2], place: image, bids: [0, 1] }
            };
            learner.learn(turn, won);
        }
        let mean = met.iter().map(|&(with_points, won)| if with_points { won } else { -won }).sum::<f64>() / met.len() as f64;
        assert!((learner.table.value(2, 0, place) - mean).abs() < 1e-15);
        assert!((learner.table.value(0, 2, image) + mean).abs() < 1e-15);
    }
}
