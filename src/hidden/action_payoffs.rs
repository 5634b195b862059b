//! Expected payoffs of the actions at an information set.

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::best_response::{Replies, Units};
use super::proof::bounds_of;
use super::strategy::BehaviourStrategy;
use super::tree::{GameTree, SetId};
use crate::bounds::Enclosure;
use crate::error::HiddenError;
use crate::game::Player;

/// Expected payoffs to A of a player's actions against a strategy of the opponent: once the player
/// has come to the information set, takes the action, and continues with best responses.
///
/// Nodes of the set count by the probability with which chance and the opponent lead to them
/// (counterfactual reach). Whether the player's own strategy comes to the set does not matter.
/// Where the opponent never leads there, actions have no such payoff.
#[derive(Clone, Debug)]
pub struct ActionPayoffs<'t> {
    tree: &'t GameTree,
    replies: Replies,
    strategy: &'t BehaviourStrategy,
}

/// The payoff to A of an action at an information set.
#[derive(Clone, Debug)]
pub struct ActionPayoff {
    payoff: Enclosure,
    exact: Option<BigRational>,
}

impl<'t> ActionPayoffs<'t> {
    /// The payoffs of all actions of the strategy's opponent, in time proportional to the number of
    /// nodes: exact, unless the denominators of probabilities along a play have more than 4,096
    /// bits.
    ///
    /// # Errors
    /// [`HiddenError::StrategyFile`] if the strategy was made for another tree.
    pub fn new(tree: &'t GameTree, strategy: &'t BehaviourStrategy) -> Result<Self, HiddenError> {
        strategy.check(tree)?;
        Ok(Self::against(tree, strategy))
    }

    /// The payoffs against a strategy that was made for this tree.
    pub(super) fn against(tree: &'t GameTree, strategy: &'t BehaviourStrategy) -> Self {
        let units = Units::exact(tree, strategy).unwrap_or_else(|| Units::fixed(tree));
        Self { tree, replies: Replies::new(tree, strategy, &units), strategy }
    }

    /// The probability with which chance and the opponent's strategy lead to an information set if
    /// the player does.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn reach(&self, set: SetId) -> Result<f64, HiddenError> {
        self.tree.information_set(self.player(), set)?;
        Ok(self.replies.reach(set).to_f64().unwrap_or(f64::NAN))
    }

    /// The payoffs of the actions at an information set; none if the opponent never leads there, or
    /// so rarely that the probability may have been rounded up from 0.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]
    pub fn at(&self, set: SetId) -> Result<Vec<ActionPayoff>, HiddenError> {
        let exponent = self.tree.unit_exponent();
        let mut payoffs = Vec::new();
        for sequence in self.tree.information_set(self.player(), set)?.sequences() {
            if let Some(payoff) = self.replies.payoff(set, sequence, exponent) {
                let payoff = Enclosure::proved(bounds_of(&payoff), exponent);
                payoffs
                    .push(ActionPayoff { payoff, exact: self.replies.exact_payoff(set, sequence) });
            }
        }
        Ok(payoffs)
    }

    /// Proved bounds of what a player's choice at an information set loses to the best action
    /// there, once play has come to the set: equal where payoffs are exact. `None` where
    /// [`at`](Self::at) has no payoffs.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]; [`HiddenError::Strategy`] if there is not a probability for each
    /// action.
    pub fn regret(
        &self,
        set: SetId,
        probabilities: &[BigRational],
    ) -> Result<Option<[BigRational; 2]>, HiddenError> {
        let information_set = self.tree.information_set(self.player(), set)?;
        information_set.check_count(self.player(), probabilities)?;
        let payoffs: Vec<[BigRational; 2]> =
            self.at(set)?.iter().map(|payoff| self.gains(payoff)).collect();
        if payoffs.is_empty() {
            return Ok(None);
        }
        let mut regret = [BigRational::zero(), BigRational::zero()];
        for (index, [lower, upper]) in payoffs.iter().enumerate() {
            // Of this action against itself nothing is lost, however wide its bounds are.
            let mut lost = [BigRational::zero(), BigRational::zero()];
            for (other, probability) in probabilities.iter().enumerate() {
                if other != index && probability.is_positive() {
                    lost[0] += probability * (lower - &payoffs[other][1]);
                    lost[1] += probability * (upper - &payoffs[other][0]);
                }
            }
            for (regret, lost) in regret.iter_mut().zip(lost) {
                if lost > *regret {
                    *regret = lost;
                }
            }
        }
        Ok(Some(regret))
    }

    /// The player whose actions these are.
    fn player(&self) -> Player {
        self.strategy.player().opponent()
    }

    /// The bounds of a payoff as the player who chooses counts it.
    fn gains(&self, payoff: &ActionPayoff) -> [BigRational; 2] {
        let [lower, upper] = match payoff.exact() {
            Some(exact) => [exact.clone(), exact.clone()],
            None => payoff.payoff().fractions(),
        };
        match self.player() {
            Player::A => [lower, upper],
            Player::B => [-upper, -lower],
        }
    }
}

impl ActionPayoff {
    /// Proved bounds of the payoff to A.
    pub fn payoff(&self) -> Enclosure {
        self.payoff
    }

    /// The payoff to A as a fraction, if it was computed exactly.
    pub fn exact(&self) -> Option<&BigRational> {
        self.exact.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hidden::games::{KuhnPoker, LeducPoker};

    /// In fixed units, where probabilities are rounded, bounds contain the exact payoff.
    #[test]
    fn rounded_payoffs_enclose_the_exact_ones() {
        for tree in [GameTree::from_rules(&KuhnPoker), GameTree::from_rules(&LeducPoker)]
            .map(|tree| tree.expect("a tree"))
        {
            for player in Player::BOTH {
                let weights: Vec<f64> = (0..tree.sequence_count(player))
                    .map(|sequence| (sequence % 5) as f64)
                    .collect();
                let strategy = BehaviourStrategy::approximate(&tree, player, &weights);
                let exact = ActionPayoffs::new(&tree, &strategy).expect("of this tree");
                let replies = Replies::new(&tree, &strategy, &Units::fixed(&tree));
                let rounded = ActionPayoffs { replies, ..exact.clone() };
                for set in 0..tree.information_sets(player.opponent()).len() {
                    let [of_exact, of_rounded] =
                        [&exact, &rounded].map(|payoffs| payoffs.at(set).expect("a set"));
                    for (exact, rounded) in of_exact.iter().zip(of_rounded) {
                        assert!(
                            rounded.payoff().contains(exact.exact().expect("short fractions")),
                            "{player} {set}"
                        );
                        // Reaches are at least 10^-6, so that rounding costs no more than the unit
                        // of bounds.
                        assert!(rounded.payoff().width() < 1e-15, "{player} {set}");
                    }
                    let actions = tree.information_sets(player.opponent())[set].actions().len();
                    let evenly = vec![BigRational::new(1.into(), actions.into()); actions];
                    let regrets = [&exact, &rounded]
                        .map(|payoffs| payoffs.regret(set, &evenly).expect("a set"));
                    if let [Some([lower, upper]), Some([least, most])] = regrets {
                        assert_eq!(lower, upper, "{player} {set}");
                        assert!(least <= lower && lower <= most, "{player} {set}");
                    }
                }
            }
        }
    }
}
