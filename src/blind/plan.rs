//! Realisation plans in integers, and what they secure.

use super::sequence_form::SequenceForm;
use super::tree::{PlayerTree, Tree};
use crate::bounds::{Bounds, Enclosure, Rounding};
use crate::game::{ByPlayer, Player};
use crate::hidden::strategy::share_out;
use crate::matrix_game::DyadicStrategy;

/// The realisation weight of every sequence, in 2⁻⁶²: the player's contribution to its probability.
///
/// The weights of a decision's sequences sum to that of its parent *exactly*, so that it is a
/// realisation plan (von Stengel 1996) without rounding, and its security level is exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan(pub(super) Vec<i64>);

/// A plan with its security level: a lower bound for A, an upper one for B.
#[derive(Debug)]
pub(crate) struct JudgedPlan {
    pub(super) plan: Plan,
    secures: i64,
}

impl JudgedPlan {
    pub(super) fn new(form: &SequenceForm, player: Player, plan: Plan) -> Self {
        let secures = plan.secures(form, player);
        Self { plan, secures }
    }

    pub(super) const fn is_better_than(&self, other: &Self, player: Player) -> bool {
        match player {
            Player::A => self.secures > other.secures,
            Player::B => self.secures < other.secures,
        }
    }

    /// Proved bounds of the value.
    pub(super) fn value(tree: &Tree, judged: &ByPlayer<Self>) -> Enclosure {
        Enclosure::proved(Bounds::new(judged.a.secures, judged.b.secures), tree.unit().exponent)
    }
}

pub(super) const WHOLE: i64 = DyadicStrategy::WHOLE as i64;

impl Plan {
    /// The plan nearest to bids in proportion to `weights`, one non-negative number for every
    /// sequence.
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
    /// One pass over the leaves and one over the opponent's information sets, in integers: the
    /// opponent's best response. Only payoffs that the unit cannot represent and the result are
    /// rounded, to the player's disadvantage.
    pub(super) fn secures(&self, form: &SequenceForm, player: Player) -> i64 {
        against(player).shift(self.replies(form, player)[0], DyadicStrategy::WHOLE_BITS as usize)
            as i64
    }

    /// The value to A of each of the opponent's sequences with best continuation against a plan of
    /// `player`, in units times 2⁶².
    ///
    /// The weights at the leaves of a sequence belong to disjoint plays, so that they sum to at
    /// most 2⁶², and a payoff has at most 62 bits: nothing overflows.
    pub(super) fn replies(&self, form: &SequenceForm, player: Player) -> Vec<i128> {
        let SequenceForm { tree, matrix, .. } = form;
        let payoffs: Vec<i64> = tree
            .ranks
            .payoffs()
            .iter()
            .map(|&payoff| tree.unit().rounded(payoff, against(player)))
            .collect();
        let opponent = player.opponent();
        let player_tree = &tree.player_trees[opponent];
        let mut payoffs: Vec<i128> = (0..player_tree.sequences)
            .map(|sequence| {
                let mut weights = [0_i64; 5];
                for (own_sequence, rank) in matrix.leaves(opponent, sequence) {
                    weights[rank] += self.0[own_sequence];
                }
                weights
                    .iter()
                    .zip(&payoffs)
                    .map(|(&weight, &payoff)| i128::from(weight) * i128::from(payoff))
                    .sum()
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

/// The rounding of payoffs to A that is to the disadvantage of a player.
const fn against(player: Player) -> Rounding {
    match player {
        Player::A => Rounding::Down,
        Player::B => Rounding::Up,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two thirds are between 5 and 6 eighths, and 21 quarters of a payoff between 5 and 6 payoffs.
    #[test]
    fn a_plan_is_rounded_against_its_player() {
        let payoff = |player| {
            crate::bounds::FixedPointScale { exponent: 3 }.rounded((2, 3).into(), against(player))
        };
        assert_eq!(Player::BOTH.map(payoff), [5, 6]);
        assert_eq!(Player::BOTH.map(|player| against(player).shift(21_i128, 2)), [5, 6]);
    }
}
