use super::scoring::nearest_double;
use super::{Outcome, Payoff, Player, Scoring};

/// The distinct payoffs of a scoring, rising; a payoff's rank is its index.
#[derive(Clone, Debug)]
pub(crate) struct PayoffRanks {
    payoffs: Vec<Payoff>,
    by_outcome: [u8; 5],
}

impl PayoffRanks {
    pub(crate) fn new(scoring: &Scoring) -> Self {
        let mut payoffs = scoring.payoffs().to_vec();
        payoffs.sort_unstable();
        payoffs.dedup();
        let by_outcome = Outcome::EACH.map(|outcome| payoffs.partition_point(|&other| other < scoring.payoff(outcome)) as u8);
        Self { payoffs, by_outcome }
    }

    pub(crate) fn payoffs(&self) -> &[Payoff] {
        &self.payoffs
    }

    pub(crate) fn doubles(&self) -> Vec<f64> {
        self.payoffs.iter().copied().map(nearest_double).collect()
    }

    pub(crate) fn highest(&self) -> u8 {
        self.payoffs.len() as u8 - 1
    }

    pub(crate) const fn of(&self, outcome: Outcome) -> u8 {
        self.by_outcome[outcome.index()]
    }

    /// Converts between a rank from A's side and one from the player's own, where higher is better.
    pub(crate) fn own(&self, player: Player, rank: u8) -> u8 {
        match player {
            Player::A => rank,
            Player::B => self.highest() - rank,
        }
    }
}
