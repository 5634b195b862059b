//! Realisation plans in integers, and what they are proved to secure.

use super::payoff_matrix::PayoffMatrix;
use super::tree::{Side, Tree};
use crate::bounds::FixedPointScale;
use crate::game::{Payoff, Player};

/// The realisation weight of every slot: the probability of a player's series of bids if the opponent lets it happen, in 2⁻⁶².
///
/// The weights of a decision's slots sum to that of its parent *exactly*, so that it is a realisation plan (von Stengel 1996)
/// without rounding, and whatever it secures is secured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan(Vec<i64>);

/// The weight of certainty.
pub(super) const WHOLE: i64 = 1 << 62;

impl Plan {
    /// The plan nearest to bids drawn in proportion to `weights`, which hold a non-negative number for every slot.
    ///
    /// What the roundings of a decision leave over goes to its likeliest bid. A decision without a positive weight is left
    /// to the first.
    pub(super) fn approximate(side: &Side, weights: &[f64]) -> Self {
        let mut plan = vec![0; side.slots];
        plan[0] = WHOLE;
        for decision in &side.decisions {
            let whole = plan[decision.parent as usize];
            let shares = &weights[decision.slots()];
            let sum: f64 = shares.iter().sum();
            if whole == 0 || !(sum > 0.0 && sum.is_finite()) {
                plan[decision.slot as usize] = whole;
                continue;
            }
            let (mut left, mut likeliest) = (whole, 0);
            for (place, &share) in shares.iter().enumerate() {
                // Rounded down, and never more than is left, whatever floating point does.
                let weight = ((share / sum * whole as f64) as i64).clamp(0, left);
                plan[decision.slot as usize + place] = weight;
                left -= weight;
                if share > shares[likeliest] {
                    likeliest = place;
                }
            }
            plan[decision.slot as usize + likeliest] += left;
        }
        Self(plan)
    }

    /// The plan of these weights, which are one.
    pub(super) const fn from_weights(weights: Vec<i64>) -> Self {
        Self(weights)
    }

    pub(super) fn weights(&self) -> &[i64] {
        &self.0
    }

    /// The security level of a plan of `player`: a lower bound for A, an upper one for B.
    ///
    /// One pass over the leaves and one over the opponent's information sets, in integers: the opponent's best reply. Nothing
    /// is rounded but the payoffs (if the unit does not hold them) and the result, both to the player's disadvantage.
    pub(super) fn secures(&self, tree: &Tree, matrix: &PayoffMatrix, player: Player, unit: FixedPointScale) -> i64 {
        Pessimist { player, unit }.bound(self.replies(tree, matrix, player, unit)[0])
    }

    /// The worth of the opponent's slots, as payoffs to A, against a plan of `player` if the best replies follow: in units
    /// times 2⁶².
    ///
    /// The weights that meet one of the opponent's slots are of plays that exclude each other, so that they sum to 2⁶² at
    /// most, and a payoff has at most 62 bits: nothing overflows.
    pub(super) fn replies(&self, tree: &Tree, matrix: &PayoffMatrix, player: Player, unit: FixedPointScale) -> Vec<i128> {
        let pessimist = Pessimist { player, unit };
        let payoffs: Vec<i64> = tree.ranks.payoffs().iter().map(|&payoff| pessimist.payoff(payoff)).collect();
        let opponent = player.opponent();
        let side = tree.side(opponent);
        let mut payoffs: Vec<i128> = (0..side.slots)
            .map(|slot| {
                let mut weights = [0_i64; 5];
                for (own, rank) in matrix.leaves(opponent, slot) {
                    weights[rank] += self.0[own];
                }
                weights.iter().zip(&payoffs).map(|(&weight, &payoff)| i128::from(weight) * i128::from(payoff)).sum()
            })
            .collect();
        for decision in side.decisions.iter().rev() {
            let replies = payoffs[decision.slots()].iter().copied();
            let best = match opponent {
                Player::A => replies.max(),
                Player::B => replies.min(),
            };
            payoffs[decision.parent as usize] += best.unwrap_or(0);
        }
        payoffs
    }
}

/// Rounds to the disadvantage of a player.
#[derive(Clone, Copy)]
pub(super) struct Pessimist {
    pub(super) player: Player,
    pub(super) unit: FixedPointScale,
}

impl Pessimist {
    /// A payoff to A in the unit.
    pub(super) fn payoff(self, payoff: Payoff) -> i64 {
        match self.player {
            Player::A => self.unit.floor(payoff),
            Player::B => -self.unit.floor(-payoff),
        }
    }

    /// The bound that a sum of weights times payoffs gives.
    pub(super) fn bound(self, payoff: i128) -> i64 {
        let whole = i128::from(WHOLE);
        match self.player {
            Player::A => payoff.div_euclid(whole) as i64,
            Player::B => -(-payoff).div_euclid(whole) as i64,
        }
    }
}
