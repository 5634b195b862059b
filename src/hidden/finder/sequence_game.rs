//! The questions of a finder to a game in sequence form.

use crate::game::Player;
use crate::work::Threads;

/// A game in sequence form (von Stengel 1996), as finders see it. Payoffs are doubles.
pub(crate) trait SequenceGame {
    /// The number of a player's sequences. Sequence 0 is the empty one; every other one ends with
    /// an action at a decision.
    fn sequences(&self, player: Player) -> usize;

    /// A player's decisions: every decision comes after those of its parent sequences.
    fn decisions(&self, player: Player) -> &[Decision];

    /// The sequences that lead to a decision: its parent alone, under perfect recall.
    fn parents(&self, player: Player, decision: usize) -> impl Iterator<Item = usize> {
        std::iter::once(self.decisions(player)[decision].parent as usize)
    }

    /// The opponent's sequences that end play together with a player's sequence, and the payoffs to
    /// A times the probability of chance, in a unit in which the largest payoff is about 1 in size.
    fn leaves(&self, player: Player, sequence: usize) -> impl Iterator<Item = (usize, f64)>;

    /// For each of a player's sequences the expected payoff to the player against an opponent's
    /// realisation plan, at the ends of this sequence alone. It does not depend on the number of
    /// threads.
    fn expected_payoffs(
        &self,
        player: Player,
        plan: &[f64],
        threads: &Threads,
        expected: &mut Vec<f64>,
    );

    /// The payoff to a player of a realisation plan against the opponent's best response.
    fn secured(
        &self,
        player: Player,
        plan: &[f64],
        threads: &Threads,
        payoffs: &mut Vec<f64>,
    ) -> f64 {
        let opponent = player.opponent();
        self.expected_payoffs(opponent, plan, threads, payoffs);
        for (number, decision) in self.decisions(opponent).iter().enumerate().rev() {
            let mut best = f64::NEG_INFINITY;
            for &payoff in &payoffs[decision.sequences()] {
                best = best.max(payoff);
            }
            for parent in self.parents(opponent, number) {
                payoffs[parent] += best;
            }
        }
        -payoffs[0]
    }

    /// The realisation plan that plays the actions of each decision in proportion to positive
    /// weights, given by sequences.
    fn realised(&self, player: Player, weights: &[f64]) -> Vec<f64> {
        let mut plan = vec![1.0; weights.len()];
        for (number, decision) in self.decisions(player).iter().enumerate() {
            let arrival: f64 = self.parents(player, number).map(|parent| plan[parent]).sum();
            let whole = weights[decision.sequences()].iter().sum::<f64>().max(f64::MIN_POSITIVE);
            for sequence in decision.sequences() {
                plan[sequence] = arrival * (weights[sequence] / whole);
            }
        }
        plan
    }
}

/// An information set in sequence form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// The player's sequence that leads here.
    pub(crate) parent: u32,
    /// The sequence that ends with the first action; those of further actions follow.
    pub(crate) first: u32,
    pub(crate) actions: u32,
}

impl Decision {
    pub(crate) const fn sequences(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.actions) as usize
    }
}
