use num_traits::ToPrimitive;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

use super::tally::Z;
use crate::stochastic_game::{StationaryPolicy, StochasticGame, StochasticSolution};

/// Plays of a game of any rules between two policies, sampled.
#[derive(Debug)]
pub struct GameDuel<'g> {
    game: &'g StochasticGame,
    policies: [&'g StationaryPolicy; 2],
    generator: Pcg64Mcg,
    plays: u64,
    turns: u64,
    unfinished: u64,
    mean: f64,
    /// The sum of squared deviations from the mean (Welford 1962).
    deviation: f64,
}

impl<'g> GameDuel<'g> {
    /// A play stops after this many turns. It then pays what was collected so far, and so much of the state's payoff of infinite
    /// plays as a discount leaves.
    pub const MOST_TURNS: u64 = 10_000;

    /// `policies` are A's and B's; plays begin at the first start.
    pub fn new(solution: &'g StochasticSolution, policies: [&'g StationaryPolicy; 2], seed: u64) -> Self {
        let generator = Pcg64Mcg::seed_from_u64(seed);
        Self { game: solution.game(), policies, generator, plays: 0, turns: 0, unfinished: 0, mean: 0.0, deviation: 0.0 }
    }

    pub fn play(&mut self, plays: u64) {
        let discount = self.game.discount().to_f64().unwrap_or(1.0);
        for _ in 0..plays {
            let (mut state, mut share, mut payoff, mut turns) = (self.game.starts()[0] as usize, 1.0, 0.0, 0);
            let end = loop {
                let mut bits = || self.generator.next_u64();
                let [a, b] = self.policies.map(|policy| policy.draw(state, bits()));
                let Some((a, b)) = a.zip(b) else { break self.game.end_value(state) };
                if turns == Self::MOST_TURNS {
                    self.unfinished += 1;
                    break Some(self.game.endless(state));
                }
                payoff += share * self.game.reward(state, a, b);
                state = self.game.draw(state, a, b, bits());
                share *= discount;
                turns += 1;
            };
            payoff += share * end.and_then(ToPrimitive::to_f64).unwrap_or(0.0);
            self.plays += 1;
            self.turns += turns;
            let gap = payoff - self.mean;
            self.mean += gap / self.plays as f64;
            self.deviation += gap * (payoff - self.mean);
        }
    }

    pub const fn plays(&self) -> u64 {
        self.plays
    }

    /// A's mean payoff; 0 without plays.
    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// A 95 % confidence interval of A's mean payoff; `None` for fewer than two plays.
    pub fn mean_interval(&self) -> Option<[f64; 2]> {
        let half = Z * (self.deviation / (self.plays.checked_sub(1).filter(|&rest| rest > 0)? as f64) / self.plays as f64).sqrt();
        Some([self.mean - half, self.mean + half])
    }

    /// The mean number of turns; 0 without plays.
    pub fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.plays.max(1) as f64
    }

    /// The plays that were stopped after [`MOST_TURNS`](Self::MOST_TURNS).
    pub const fn unfinished(&self) -> u64 {
        self.unfinished
    }
}
