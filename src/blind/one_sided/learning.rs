//! Both players learn to have no regret: counterfactual regret minimisation, as in the game in which both are blind.

use super::super::plan::{WHOLE, share_out};
use super::super::regret::RegretRule;
use super::proof;
use super::{Follows, OneSided};
use crate::bounds::{Bounds, Enclosure};
use crate::game::Player;

/// A player who learns: a number for every sequence.
struct Learner {
    /// The probability of a bid at its choice.
    bids: Vec<f64>,
    regrets: Vec<f64>,
    /// The probability of a bid if the opponent lets it happen.
    plan: Vec<f64>,
    /// The weighted sum of the plans so far.
    average: Vec<f64>,
    /// The worth of the bids against the opponent's plan.
    yields: Vec<f64>,
}

/// Two players who learn from each other, taking turns.
pub(super) struct Learners {
    pub(super) iterations: u64,
    blind: Learner,
    told: Learner,
    /// By accounts: how likely they are, or what they are worth.
    accounts: Vec<f64>,
    /// The payoff of a rank to A.
    payoffs: Vec<f64>,
}

impl Learner {
    fn new(sequences: usize) -> Self {
        let zeros = vec![0.0; sequences];
        Self { bids: zeros.clone(), regrets: zeros.clone(), plan: zeros.clone(), average: zeros.clone(), yields: zeros }
    }

    fn remember(&mut self, weight: f64) {
        for (sum, share) in self.average.iter_mut().zip(&self.plan) {
            *sum += weight * share;
        }
    }
}

impl Learners {
    const RULE: RegretRule = RegretRule::Predictive;

    /// Players who choose all bids alike.
    pub(super) fn new(game: &OneSided) -> Self {
        let mut learners = Self {
            iterations: 0,
            blind: Learner::new(game.sequences),
            told: Learner::new(game.replies),
            accounts: vec![0.0; game.accounts.len()],
            payoffs: game.ranks.doubles(),
        };
        for node in &game.nodes[game.node_numbers()] {
            learners.blind.bids[node.sequences()].fill(1.0 / f64::from(node.bids));
        }
        for account in &game.accounts {
            learners.told.bids[account.sequences()].fill(1.0 / f64::from(account.replies));
        }
        learners.plan_bids(game);
        learners.plan_replies(game);
        learners
    }

    /// One iteration: the blind player learns from the other's strategy, then the other from the new one.
    pub(super) fn iterate(&mut self, game: &OneSided) {
        self.iterations += 1;
        let weight = Self::RULE.weight(self.iterations);
        self.learn_bids(game);
        self.plan_bids(game);
        self.blind.remember(weight);
        self.learn_replies(game);
        self.plan_replies(game);
        self.told.remember(weight);
    }

    fn plan_bids(&mut self, game: &OneSided) {
        self.blind.plan[0] = 1.0;
        for node in &game.nodes[game.node_numbers()] {
            let whole = self.blind.plan[node.parent as usize];
            for sequence in node.sequences() {
                self.blind.plan[sequence] = whole * self.blind.bids[sequence];
            }
        }
    }

    fn plan_replies(&mut self, game: &OneSided) {
        self.accounts.fill(0.0);
        self.accounts[0] = 1.0;
        for number in game.node_numbers() {
            for place in game.node_accounts(number) {
                let account = &game.accounts[place];
                let whole = self.accounts[place];
                for (sequence, outcomes) in account.sequences().zip(game.outcomes(&game.nodes[number], account)) {
                    let share = whole * self.told.bids[sequence];
                    self.told.plan[sequence] = share;
                    for outcome in outcomes {
                        if let Follows::Account(next) = outcome.follows() {
                            self.accounts[next] += share;
                        }
                    }
                }
            }
        }
    }

    fn learn_bids(&mut self, game: &OneSided) {
        let sign = f64::from(game.blind.direction());
        let learner = &mut self.blind;
        learner.yields.fill(0.0);
        for number in game.node_numbers().rev() {
            let node = &game.nodes[number];
            let sequences = node.sequences();
            for account in &game.accounts[game.node_accounts(number)] {
                for (reply, outcomes) in account.sequences().zip(game.outcomes(node, account)) {
                    for (payoff, outcome) in learner.yields[sequences.clone()].iter_mut().zip(outcomes) {
                        if let Follows::Payoff(rank) = outcome.follows() {
                            *payoff += sign * self.told.plan[reply] * self.payoffs[rank];
                        }
                    }
                }
            }
            let (bids, regrets) = (&mut learner.bids[sequences.clone()], &mut learner.regrets[sequences.clone()]);
            let mean = Self::RULE.update(self.iterations, bids, regrets, &learner.yields[sequences]);
            learner.yields[node.parent as usize] += mean;
        }
    }

    fn learn_replies(&mut self, game: &OneSided) {
        let sign = -f64::from(game.blind.direction());
        let learner = &mut self.told;
        for number in game.node_numbers().rev() {
            let node = &game.nodes[number];
            for place in game.node_accounts(number) {
                let account = &game.accounts[place];
                for (reply, outcomes) in account.sequences().zip(game.outcomes(node, account)) {
                    let worth = node.sequences().zip(outcomes).map(|(sequence, outcome)| match outcome.follows() {
                        Follows::Account(next) => self.accounts[next],
                        Follows::Payoff(rank) => sign * self.blind.plan[sequence] * self.payoffs[rank],
                    });
                    learner.yields[reply] = worth.sum();
                }
                let sequences = account.sequences();
                let (bids, regrets) = (&mut learner.bids[sequences.clone()], &mut learner.regrets[sequences.clone()]);
                self.accounts[place] = Self::RULE.update(self.iterations, bids, regrets, &learner.yields[sequences]);
            }
        }
    }

    /// What the averages of both secure.
    pub(super) fn proved(&self, game: &OneSided) -> Enclosure {
        let weights = |learner: &'_ Learner| if self.iterations == 0 { learner.plan.clone() } else { learner.average.clone() };
        let mut plan = vec![0; game.sequences];
        plan[0] = WHOLE;
        let shares = weights(&self.blind);
        for node in &game.nodes[game.node_numbers()] {
            share_out(plan[node.parent as usize], &shares[node.sequences()], &mut plan[node.sequences()]);
        }
        let mut replies = vec![0; game.replies];
        let mut accounts = vec![0; game.accounts.len()];
        accounts[0] = WHOLE;
        let shares = weights(&self.told);
        for number in game.node_numbers() {
            for place in game.node_accounts(number) {
                let account = &game.accounts[place];
                share_out(accounts[place], &shares[account.sequences()], &mut replies[account.sequences()]);
                for (sequence, outcomes) in account.sequences().zip(game.outcomes(&game.nodes[number], account)) {
                    for outcome in outcomes {
                        if let Follows::Account(next) = outcome.follows() {
                            accounts[next] += replies[sequence];
                        }
                    }
                }
            }
        }
        let [own, other] = [proof::bids_secure(game, &plan), proof::replies_secure(game, &replies)];
        let (lower, upper) = if game.blind == Player::A { (own, other) } else { (other, own) };
        Enclosure::new(Bounds::new(lower, upper), game.unit)
    }
}
