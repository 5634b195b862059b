//! One player blind, the other not: the best reply of an opponent who sees all bids.

use super::plan::{Pessimist, WHOLE};
use super::solution::BlindSolution;
use super::tree::Tree;
use super::view::{BlindView, Relation};
use crate::game::{Player, legal_bids};

impl BlindSolution {
    /// The security level of a player's strategy against an opponent who is told all bids: a lower bound for A, an upper one
    /// for B, in units.
    ///
    /// Such an opponent knows the player's memory, and of the own bids nothing but the account still matters. The best
    /// reply is found by one walk over the bids the strategy makes, in integers: a weight is shared among bids exactly.
    pub(super) fn secures_informed(&self, player: Player) -> i64 {
        let pessimist = Pessimist { player, unit: self.rules().scoring().scale() };
        let payoffs = self.tree().ranks.payoffs().iter().map(|&payoff| pessimist.payoff(payoff)).collect();
        let walk = Walk { solution: self, player, payoffs };
        let payoff = walk.payoff(&self.tree().start_view(player), Tree::AT_START, self.start().points(player.opponent()), WHOLE);
        pessimist.bound(payoff)
    }
}

struct Walk<'s> {
    solution: &'s BlindSolution,
    /// The blind player.
    player: Player,
    /// The payoff of a rank, in units.
    payoffs: Vec<i64>,
}

impl Walk<'_> {
    /// The weight times payoff of the blind player's bids against the best reply of an opponent who has `points` left.
    fn payoff(&self, view: &BlindView, at: Option<(usize, usize)>, points: u32, weight: i64) -> i128 {
        let mut left = weight;
        let strategy = self.solution.bids_at(view, at);
        let mut shares: Vec<(u32, i64)> = strategy
            .weights()
            .map(|(bid, share)| {
                let share = (i128::from(weight) * i128::from(share) / i128::from(WHOLE)) as i64;
                left -= share;
                (bid, share)
            })
            .collect();
        if let Some((_, share)) = shares.iter_mut().max_by_key(|(_, share)| *share) {
            *share += left;
        }
        let replies = legal_bids(points).map(|reply| {
            let turns = shares.iter().filter(|&&(_, share)| share > 0);
            turns.map(|&(bid, share)| self.after(view, at, (points, reply), (bid, share))).sum::<i128>()
        });
        let best = match self.player {
            Player::A => replies.min(),
            Player::B => replies.max(),
        };
        best.unwrap_or(0)
    }

    fn after(&self, view: &BlindView, at: Option<(usize, usize)>, (points, reply): (u32, u32), (bid, share): (u32, i64)) -> i128 {
        let rules = self.solution.rules();
        let relation = match self.player {
            Player::A => Relation::of(bid, reply),
            Player::B => Relation::of(reply, bid),
        };
        let ball = relation.moved(rules, view.ball.position());
        let ended = ball.abs() > rules.field() || (bid == view.points && reply == points);
        match view.after(bid, relation, ball).filter(|_| !ended) {
            Some(after) => {
                self.payoff(&after, self.solution.tree().follow(self.player, at, bid, relation), points - reply, share)
            }
            None => {
                let rank = self.solution.tree().ranks.of(rules, ball);
                i128::from(share) * i128::from(self.payoffs[usize::from(rank)])
            }
        }
    }
}
