use super::payoff_matrix::PayoffMatrix;
use super::tree::{PlayerTree, Tree};
use crate::bounds::{Bounds, Enclosure, Rounding};
use crate::game::{ByPlayer, Player};
use crate::matrix_game::DyadicStrategy;

/// The realisation weight of every sequence, in 2⁻⁶²: the player's contribution to its probability.
///
/// The weights of a decision's sequences sum to that of its parent *exactly*, so that it is a realisation plan (von Stengel 1996)
/// without rounding, and its security level is exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan(pub(super) Vec<i64>);

#[derive(Debug)]
pub(super) struct ProvedPlans {
    pub(super) plans: ByPlayer<Plan>,
    pub(super) enclosure: Enclosure,
}

impl ProvedPlans {
    pub(super) fn new(tree: &Tree, matrix: &PayoffMatrix, plans: ByPlayer<Plan>) -> Self {
        let [lower, upper] = Player::BOTH.map(|player| plans[player].secures(tree, matrix, player));
        Self { plans, enclosure: Enclosure::proved(Bounds::new(lower, upper), tree.unit().exponent) }
    }

    pub(super) fn approximate(tree: &Tree, matrix: &PayoffMatrix, weights: ByPlayer<&[f64]>) -> Self {
        Self::new(tree, matrix, ByPlayer::new(|player| Plan::approximate(&tree.player_trees[player], weights[player])))
    }
}

pub(super) const WHOLE: i64 = DyadicStrategy::WHOLE as i64;

impl Plan {
    /// The plan nearest to bids in proportion to `weights`, one non-negative number for every sequence.
    pub(super) fn approximate(player_tree: &PlayerTree, weights: &[f64]) -> Self {
        let mut plan = vec![0; player_tree.sequences];
        plan[0] = WHOLE;
        for (number, decision) in player_tree.decisions.iter().enumerate() {
            let whole = player_tree.parents(number).map(|sequence| plan[sequence]).sum();
            share_out(whole, &weights[decision.sequences()], &mut plan[decision.sequences()]);
        }
        Self(plan)
    }

    /// The security level of a plan of `player`: a lower bound for A, an upper one for B.
    ///
    /// One pass over the leaves and one over the opponent's information sets, in integers: the opponent's best response. Only
    /// payoffs that the unit cannot represent and the result are rounded, to the player's disadvantage.
    pub(super) fn secures(&self, tree: &Tree, matrix: &PayoffMatrix, player: Player) -> i64 {
        against(player).shift(self.replies(tree, matrix, player)[0], DyadicStrategy::WHOLE_BITS as usize) as i64
    }

    /// The value to A of each of the opponent's sequences with best continuation against a plan of `player`, in units times 2⁶².
    ///
    /// The weights at the leaves of a sequence belong to disjoint plays, so that they sum to at most 2⁶², and a payoff has at
    /// most 62 bits: nothing overflows.
    pub(super) fn replies(&self, tree: &Tree, matrix: &PayoffMatrix, player: Player) -> Vec<i128> {
        let payoffs: Vec<i64> = tree.ranks.payoffs().iter().map(|&payoff| tree.unit().rounded(payoff, against(player))).collect();
        let opponent = player.opponent();
        let player_tree = &tree.player_trees[opponent];
        let mut payoffs: Vec<i128> = (0..player_tree.sequences)
            .map(|sequence| {
                let mut weights = [0_i64; 5];
                for (own, rank) in matrix.leaves(opponent, sequence) {
                    weights[rank] += self.0[own];
                }
                weights.iter().zip(&payoffs).map(|(&weight, &payoff)| i128::from(weight) * i128::from(payoff)).sum()
            })
            .collect();
        for (number, decision) in player_tree.decisions.iter().enumerate().rev() {
            let replies = payoffs[decision.sequences()].iter().copied();
            let best = match opponent {
                Player::A => replies.max(),
                Player::B => replies.min(),
            };
            for sequence in player_tree.parents(number) {
                payoffs[sequence] += best.unwrap_or(0);
            }
        }
        payoffs
    }
}

/// Splits a whole into integers in proportion to non-negative weights.
///
/// The largest share gets the remainder; without a positive weight the first gets everything.
fn share_out(whole: i64, weights: &[f64], shares: &mut [i64]) {
    let sum: f64 = weights.iter().sum();
    if whole == 0 || !(sum > 0.0 && sum.is_finite()) {
        shares.fill(0);
        shares[0] = whole;
        return;
    }
    let (mut left, mut likeliest) = (whole, 0);
    for (place, (&weight, share)) in weights.iter().zip(shares.iter_mut()).enumerate() {
        // Rounded down, and clamped to the remainder.
        *share = ((weight / sum * whole as f64) as i64).clamp(0, left);
        left -= *share;
        if weight > weights[likeliest] {
            likeliest = place;
        }
    }
    shares[likeliest] += left;
}

/// The rounding of payoffs to A that is to the disadvantage of a player.
const fn against(player: Player) -> Rounding {
    Rounding::of_bound(matches!(player, Player::B))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two thirds are between 5 and 6 eighths, and 21 quarters of a payoff between 5 and 6 payoffs.
    #[test]
    fn a_plan_is_rounded_against_its_player() {
        let payoff = |player| crate::bounds::FixedPointScale { exponent: 3 }.rounded((2, 3).into(), against(player));
        assert_eq!(Player::BOTH.map(payoff), [5, 6]);
        assert_eq!(Player::BOTH.map(|player| against(player).shift(21_i128, 2)), [5, 6]);
    }

    /// Any numbers from a solver become a plan: non-negative shares that sum exactly to the whole.
    #[test]
    fn any_weights_share_a_whole_out_exactly() {
        let weights: [&[f64]; 10] = [
            &[1.0, 1.0, 1.0],
            &[0.1; 10],
            &[1.0, 1e-30, 1e300],
            // A faulty backend.
            &[3.0, -1.0, -1.0],
            &[-1.0, 3.0],
            &[3.0, 3.0, -5.0],
            &[0.0, 0.0],
            &[f64::NAN, 1.0],
            &[f64::INFINITY, 1.0],
            &[1e-320, 1e-320, 2e-320],
        ];
        for whole in [WHOLE, WHOLE - 1, (1 << 53) + 1, 7, 1, 0] {
            for weights in weights {
                // Old content does not matter.
                let mut shares = vec![-5; weights.len()];
                share_out(whole, weights, &mut shares);
                assert_eq!(shares.iter().map(|&share| i128::from(share)).sum::<i128>(), whole.into(), "{weights:?} of {whole}");
                assert!(shares.iter().all(|share| (0..=whole).contains(share)), "{weights:?} of {whole}: {shares:?}");
            }
        }
    }

    #[test]
    fn shares_are_in_proportion_and_what_is_left_over_goes_to_the_largest() {
        for (whole, weights, expected) in [
            (8, [1.0, 4.0, 3.0], [1, 4, 3]),
            (10, [1.0, 1.0, 1.0], [4, 3, 3]),
            (10, [1.0, 1.0, 2.5], [2, 2, 6]),
            (10, [0.0, 0.0, 0.0], [10, 0, 0]),
        ] {
            let mut shares = [0; 3];
            share_out(whole, &weights, &mut shares);
            assert_eq!(shares, expected);
        }
    }
}
