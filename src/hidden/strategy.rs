//! Strategies by information sets, in integer weights.

use dashu_int::IBig;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::tree::{GameTree, SetId};
use crate::error::HiddenError;
use crate::game::Player;
use crate::matrix_game::exact::{big_integer, integer};
use stochastic_game::internal::sentence;

/// A player's behaviour strategy: at each information set, integer weights of the actions, whose
/// sum is positive. An action's probability is its share of the sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviourStrategy {
    player: Player,
    /// By sequences; the empty one has weight 1.
    weights: Vec<IBig>,
    /// By information sets.
    sums: Vec<IBig>,
}

/// Probabilities are taken for rounded ones, and divided by their sum, if that is 1 to within a
/// millionth: the last digit of single precision, times some actions.
const MOST_MISSED: i64 = 1_000_000;

/// The sum of weights at an information set, for strategies that were found in floating point.
const WHOLE: i64 = 1 << 62;

impl BehaviourStrategy {
    /// The strategy nearest to non-negative numbers by sequences, in multiples of 2^−62; uniform
    /// where they sum to 0.
    pub(super) fn approximate(tree: &GameTree, player: Player, weights: &[f64]) -> Self {
        let mut integers = vec![IBig::ONE; tree.sequence_count(player)];
        let mut shares: Vec<i64> = Vec::new();
        for set in tree.information_sets(player) {
            shares.resize(set.actions.len(), 0);
            share_out(WHOLE, &weights[set.sequences()], &mut shares);
            for (sequence, &share) in set.sequences().zip(&shares) {
                integers[sequence] = share.into();
            }
        }
        let sums = vec![IBig::from(WHOLE); tree.information_sets(player).len()];
        Self { player, weights: integers, sums }
    }

    /// The strategy that plays all actions of every information set alike.
    pub fn uniform(tree: &GameTree, player: Player) -> Self {
        let weights = vec![IBig::ONE; tree.sequence_count(player)];
        let sums =
            tree.information_sets(player).iter().map(|set| IBig::from(set.actions.len())).collect();
        Self { player, weights, sums }
    }

    /// A strategy by exact probabilities: for each information set, by numbers, those of its
    /// actions.
    ///
    /// # Errors
    /// [`HiddenError::Strategy`] if there is not a probability for each action, one is negative, or
    /// they do not sum to 1; [`HiddenError::StrategyFile`] if there are too few or too many sets.
    pub fn from_probabilities(
        tree: &GameTree,
        player: Player,
        probabilities: &[Vec<BigRational>],
    ) -> Result<Self, HiddenError> {
        let sets = tree.information_sets(player);
        if sets.len() != probabilities.len() {
            let reason = format!(
                "it has {} information sets of {player}; expected {}",
                probabilities.len(),
                sets.len()
            );
            return Err(HiddenError::StrategyFile { reason });
        }
        let mut strategy = Self::uniform(tree, player);
        for (number, (set, shares)) in sets.iter().zip(probabilities).enumerate() {
            let refuse = |reason| HiddenError::Strategy { player, set: set.name.clone(), reason };
            set.check_count(player, shares)?;
            let sum: BigRational = shares.iter().sum();
            if sum != BigRational::from_integer(1.into()) {
                return Err(refuse(format!(
                    "the probabilities sum to {}; expected 1",
                    sentence(&sum)
                )));
            }
            if let Some(share) = shares.iter().find(|share| share.is_negative()) {
                return Err(refuse(format!("the probability {} is negative", sentence(share))));
            }
            let whole =
                shares.iter().fold(BigInt::from(1), |whole, share| whole.lcm(share.denom()));
            for (sequence, share) in set.sequences().zip(shares) {
                strategy.weights[sequence] = integer(&(share.numer() * (&whole / share.denom())));
            }
            strategy.sums[number] = integer(&whole);
        }
        Ok(strategy)
    }

    /// A strategy by probabilities that programs print or compute in floating point. Those of a set
    /// are divided by their sum, which is 1 to within a millionth. A single action may be left out,
    /// as probability 0.
    ///
    /// # Errors
    /// As [`from_probabilities`](Self::from_probabilities), with a set whose probabilities do not
    /// sum to about 1.
    pub fn from_rounded_probabilities(
        tree: &GameTree,
        player: Player,
        mut probabilities: Vec<Vec<BigRational>>,
    ) -> Result<Self, HiddenError> {
        for (set, shares) in tree.information_sets(player).iter().zip(&mut probabilities) {
            let mut sum: BigRational = shares.iter().sum();
            if sum.is_zero() && shares.len() == 1 {
                shares[0] = BigRational::one();
                sum = BigRational::one();
            }
            let missed = (&sum - BigRational::one()).abs();
            if missed * BigRational::from_integer(MOST_MISSED.into()) > BigRational::one() {
                let sum = sum.to_f64().unwrap_or(f64::NAN);
                let reason = format!("the probabilities sum to {sum}; expected 1");
                return Err(HiddenError::Strategy { player, set: set.name.clone(), reason });
            }
            for share in shares {
                *share /= &sum;
            }
        }
        Self::from_probabilities(tree, player, &probabilities)
    }

    /// The strategy of a realisation plan: for each sequence the product of the probabilities along
    /// it. Where the plan does not lead, actions have the weights of another strategy.
    ///
    /// # Errors
    /// As [`from_probabilities`](Self::from_probabilities), if the plan is none.
    #[cfg(feature = "lp")]
    pub(super) fn from_plan(
        tree: &GameTree,
        plan: &[BigRational],
        elsewhere: &Self,
    ) -> Result<Self, HiddenError> {
        let player = elsewhere.player;
        let mut probabilities = Vec::with_capacity(tree.information_sets(player).len());
        for (number, set) in tree.information_sets(player).iter().enumerate() {
            let whole = &plan[set.parent as usize];
            if whole.is_zero() {
                probabilities.push(elsewhere.probabilities_at(tree, number));
            } else {
                probabilities
                    .push(plan[set.sequences()].iter().map(|weight| weight / whole).collect());
            }
        }
        Self::from_probabilities(tree, player, &probabilities)
    }

    /// A strategy by integer weights: for each information set, by numbers, those of its actions.
    ///
    /// # Errors
    /// As [`from_probabilities`](Self::from_probabilities), if a weight is negative or all are 0.
    #[cfg(feature = "report")]
    pub(super) fn from_weights(
        tree: &GameTree,
        player: Player,
        weights: &[Vec<BigInt>],
    ) -> Result<Self, HiddenError> {
        let mut probabilities = Vec::with_capacity(weights.len());
        for (number, weights) in weights.iter().enumerate() {
            let sum: BigInt = weights.iter().sum();
            if !sum.is_positive() {
                let set = tree
                    .information_sets(player)
                    .get(number)
                    .map_or_else(|| number.to_string(), |set| set.name.clone());
                let reason =
                    format!("the weights sum to {}; expected a positive sum", sentence(&sum));
                return Err(HiddenError::Strategy { player, set, reason });
            }
            probabilities.push(
                weights
                    .iter()
                    .map(|weight| BigRational::new(weight.clone(), sum.clone()))
                    .collect(),
            );
        }
        Self::from_probabilities(tree, player, &probabilities)
    }

    /// The player whose strategy it is.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The probabilities of the actions at an information set.
    ///
    /// # Errors
    /// [`HiddenError::UnknownSet`]; [`HiddenError::StrategyFile`] if the strategy was made for
    /// another tree.
    pub fn probabilities(
        &self,
        tree: &GameTree,
        set: SetId,
    ) -> Result<Vec<BigRational>, HiddenError> {
        let sequences = tree.information_set(self.player, set)?.sequences();
        let weights = self.weights.get(sequences).unwrap_or_default();
        let sum: IBig = weights.iter().sum();
        if self.sums.get(set) != Some(&sum) {
            return Err(self.of_another_tree());
        }
        Ok(self.probabilities_at(tree, set))
    }

    /// The probabilities of the actions at a set of the tree for which the strategy was made.
    pub(crate) fn probabilities_at(&self, tree: &GameTree, set: SetId) -> Vec<BigRational> {
        let sum = big_integer(&self.sums[set]);
        let weights = &self.weights[tree.information_sets(self.player)[set].sequences()];
        weights.iter().map(|weight| BigRational::new(big_integer(weight), sum.clone())).collect()
    }

    /// The integer weights of the actions at an information set.
    #[cfg(feature = "report")]
    pub(super) fn weights(&self, tree: &GameTree, set: SetId) -> &[IBig] {
        &self.weights[tree.information_sets(self.player)[set].sequences()]
    }

    pub(super) fn weight(&self, sequence: usize) -> &IBig {
        &self.weights[sequence]
    }

    pub(super) fn sum(&self, set: SetId) -> &IBig {
        &self.sums[set]
    }

    /// Checks that the strategy was made for a tree of this shape.
    ///
    /// # Errors
    /// [`HiddenError::StrategyFile`].
    pub(super) fn check(&self, tree: &GameTree) -> Result<(), HiddenError> {
        if self.fits(tree) { Ok(()) } else { Err(self.of_another_tree()) }
    }

    fn of_another_tree(&self) -> HiddenError {
        let reason = format!("expected a strategy of {} for this tree", self.player);
        HiddenError::StrategyFile { reason }
    }

    /// Whether the strategy has the shape of the tree's.
    pub(super) fn fits(&self, tree: &GameTree) -> bool {
        let sets = tree.information_sets(self.player);
        self.weights.len() == tree.sequence_count(self.player)
            && self.sums.len() == sets.len()
            && sets.iter().zip(&self.sums).all(|(set, sum)| {
                let weights = &self.weights[set.sequences()];
                *sum > IBig::ZERO
                    && weights.iter().all(|weight| *weight >= IBig::ZERO)
                    && weights.iter().fold(IBig::ZERO, |total, weight| total + weight) == *sum
            })
    }
}

/// Splits a whole into integers in proportion to weights; those that are not positive and finite
/// count as 0, and without any the shares are alike. The largest share gets what rounding leaves.
pub(crate) fn share_out(whole: i64, weights: &[f64], shares: &mut [i64]) {
    let usable = |weight: f64| if weight > 0.0 && weight.is_finite() { weight } else { 0.0 };
    let sum: f64 = weights.iter().map(|&weight| usable(weight)).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        let share = whole / weights.len() as i64;
        shares.fill(share);
        shares[0] += whole - share * weights.len() as i64;
        return;
    }
    let mut left = whole;
    let mut likeliest = 0;
    for (index, &weight) in weights.iter().enumerate() {
        // Rounded down, and clamped to the remainder.
        let share = ((usable(weight) / sum * whole as f64) as i64).clamp(0, left);
        left -= share;
        shares[index] = share;
        if share > shares[likeliest] {
            likeliest = index;
        }
    }
    shares[likeliest] += left;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any numbers become shares that are not negative and sum exactly to the whole, whatever stood
    /// there before.
    #[test]
    fn any_weights_share_a_whole_exactly() {
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
                let mut shares = vec![-5; weights.len()];
                share_out(whole, weights, &mut shares);
                assert_eq!(
                    shares.iter().map(|&share| i128::from(share)).sum::<i128>(),
                    whole.into(),
                    "{weights:?} of {whole}"
                );
                assert!(
                    shares.iter().all(|share| (0..=whole).contains(share)),
                    "{weights:?} of {whole}: {shares:?}"
                );
            }
        }
    }

    #[test]
    fn shares_are_in_proportion_and_the_largest_gets_what_rounding_leaves() {
        for (whole, weights, expected) in [
            (8, [1.0, 4.0, 3.0], [1, 4, 3]),
            (10, [1.0, 1.0, 1.0], [4, 3, 3]),
            (10, [1.0, 1.0, 2.5], [2, 2, 6]),
            (10, [0.0, 0.0, 0.0], [4, 3, 3]),
        ] {
            let mut shares = [0; 3];
            share_out(whole, &weights, &mut shares);
            assert_eq!(shares, expected);
        }
    }
}
