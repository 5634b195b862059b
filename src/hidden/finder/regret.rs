//! Predictive CFR+: G. Farina, C. Kroer, T. Sandholm: Faster game solving via predictive Blackwell approachability. AAAI 2021.
//!
//! Regrets are clipped at 0, and play is as if the last regrets came once more. Players update in turn; iteration t has weight t²
//! in the average.

use super::super::sequence_form::{Decision, SequenceForm};
use crate::game::{ByPlayer, Player};

/// Both players, who learn from each other.
#[derive(Clone, Debug)]
pub(in super::super) struct RegretMinimisers {
    pub(in super::super) iterations: u64,
    learners: ByPlayer<RegretMinimiser>,
    expected: Vec<f64>,
}

#[derive(Clone, Debug)]
struct RegretMinimiser {
    /// By sequences: the probability of the action at its information set.
    probabilities: Vec<f64>,
    regrets: Vec<f64>,
    /// By sequences: the weighted sum of the realisation plans so far.
    average: Vec<f64>,
    /// By sequences: the product of probabilities.
    plan: Vec<f64>,
}

impl RegretMinimisers {
    pub(in super::super) fn new(form: &SequenceForm) -> Self {
        let learners = ByPlayer::new(|player| RegretMinimiser::new(&form.decisions[player], form.sequences[player]));
        Self { iterations: 0, learners, expected: Vec::new() }
    }

    /// The average plan of a player, by sequences, not normalised.
    pub(in super::super) fn average(&self, player: Player) -> &[f64] {
        &self.learners[player].average
    }

    /// The last strategy of a player: by sequences, the probability of the action.
    pub(in super::super) fn last(&self, player: Player) -> &[f64] {
        &self.learners[player].probabilities
    }

    /// What the average and the last plan of a player secure, to the player in scaled payoffs, but for rounding.
    pub(in super::super) fn secured(&mut self, form: &SequenceForm, player: Player) -> Secured {
        let learner = &self.learners[player];
        let plays = learner.average[0];
        let average: Vec<f64> = learner.average.iter().map(|sum| sum / plays).collect();
        let average = secured(form, player, &average, &mut self.expected);
        let last = secured(form, player, &learner.plan, &mut self.expected);
        Secured { average, last }
    }

    pub(in super::super) fn iterate(&mut self, form: &SequenceForm) {
        self.iterations += 1;
        let weight = self.iterations as f64 * self.iterations as f64;
        for player in Player::BOTH {
            let opponent_plan = &self.learners[player.opponent()].plan;
            form.leaves[player].expected_payoffs(opponent_plan, &mut self.expected);
            if player == Player::B {
                for payoff in &mut self.expected {
                    *payoff = -*payoff;
                }
            }
            self.learners[player].learn(&form.decisions[player], &mut self.expected, weight);
        }
    }
}

/// What a player's plans secure.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Secured {
    pub(in super::super) average: f64,
    pub(in super::super) last: f64,
}

/// The payoff to a player of a realisation plan against the opponent's best response.
fn secured(form: &SequenceForm, player: Player, plan: &[f64], payoffs: &mut Vec<f64>) -> f64 {
    let opponent = player.opponent();
    let sign = f64::from(player.direction());
    form.leaves[opponent].expected_payoffs(plan, payoffs);
    for decision in form.decisions[opponent].iter().rev() {
        let mut worst = f64::INFINITY;
        for payoff in &payoffs[decision.sequences()] {
            worst = worst.min(sign * payoff);
        }
        payoffs[decision.parent as usize] += sign * worst;
    }
    sign * payoffs[0]
}

impl RegretMinimiser {
    fn new(decisions: &[Decision], sequences: usize) -> Self {
        let mut probabilities = vec![1.0; sequences];
        for decision in decisions {
            probabilities[decision.sequences()].fill(1.0 / f64::from(decision.actions));
        }
        let zeros = vec![0.0; sequences];
        let mut learner = Self { probabilities, regrets: zeros.clone(), average: zeros.clone(), plan: zeros };
        learner.realise(decisions);
        learner
    }

    /// Computes the plan from the probabilities.
    fn realise(&mut self, decisions: &[Decision]) {
        self.plan[0] = 1.0;
        for decision in decisions {
            let whole = self.plan[decision.parent as usize];
            for sequence in decision.sequences() {
                self.plan[sequence] = whole * self.probabilities[sequence];
            }
        }
    }

    /// Learns from the own payoffs of all sequences, to which it adds those of later information sets.
    fn learn(&mut self, decisions: &[Decision], payoffs: &mut [f64], weight: f64) {
        for decision in decisions.iter().rev() {
            let sequences = decision.sequences();
            let probabilities = &mut self.probabilities[sequences.clone()];
            let regrets = &mut self.regrets[sequences.clone()];
            let expected = update(probabilities, regrets, &payoffs[sequences]);
            payoffs[decision.parent as usize] += expected;
        }
        self.realise(decisions);
        for (sum, share) in self.average.iter_mut().zip(&self.plan) {
            *sum += weight * share;
        }
    }
}

/// Updates the probabilities and regrets of an information set's actions by their payoffs. Returns the expected payoff before.
fn update(probabilities: &mut [f64], regrets: &mut [f64], payoffs: &[f64]) -> f64 {
    let mut expected = 0.0;
    for (probability, payoff) in probabilities.iter().zip(payoffs) {
        expected += probability * payoff;
    }
    let mut sum = 0.0;
    for ((probability, regret), payoff) in probabilities.iter_mut().zip(regrets.iter_mut()).zip(payoffs) {
        let instant = payoff - expected;
        *regret = (*regret + instant).max(0.0);
        *probability = (*regret + instant).max(0.0);
        sum += *probability;
    }
    let uniform = 1.0 / probabilities.len() as f64;
    for probability in probabilities {
        *probability = if sum > 0.0 { *probability / sum } else { uniform };
    }
    expected
}
