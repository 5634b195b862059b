//! Proved bounds of what a strategy secures.

use dashu_int::IBig;
use num_rational::BigRational;

use super::best_response::{Interval, Replies, Units};
use super::strategy::BehaviourStrategy;
use super::tree::GameTree;
use crate::bounds::{Bounds, Enclosure};
use crate::error::HiddenError;
use crate::game::{ByPlayer, Player};

/// A player's strategy with bounds of what it secures: the payoff to A against the opponent's best
/// response.
#[derive(Clone, Debug)]
pub struct Judgement {
    strategy: BehaviourStrategy,
    bounds: Bounds,
    exponent: u32,
    exact: Option<BigRational>,
}

/// No payoff is larger in size, in units.
const LARGEST: i64 = 1 << 61;

impl Judgement {
    /// Judges a strategy of this tree, in time proportional to the number of nodes: exactly, unless
    /// the denominators of probabilities along a play have more than 4,096 bits.
    ///
    /// # Errors
    /// [`HiddenError::StrategyFile`] if the strategy was made for another tree.
    pub fn new(tree: &GameTree, strategy: BehaviourStrategy) -> Result<Self, HiddenError> {
        strategy.check(tree)?;
        Ok(Self::exactly(tree, strategy))
    }

    /// Judges a strategy that was made for this tree.
    pub(super) fn exactly(tree: &GameTree, strategy: BehaviourStrategy) -> Self {
        let units = Units::exact(tree, &strategy).unwrap_or_else(|| Units::fixed(tree));
        let replies = Replies::new(tree, &strategy, &units);
        Self { exact: replies.exact(), ..Self::of(tree, strategy, &replies) }
    }

    /// Judges a strategy of this tree within bounds alone, which is faster.
    pub(super) fn bounded(tree: &GameTree, strategy: BehaviourStrategy) -> Self {
        let replies = Replies::new(tree, &strategy, &Units::fixed(tree));
        Self::of(tree, strategy, &replies)
    }

    fn of(tree: &GameTree, strategy: BehaviourStrategy, replies: &Replies) -> Self {
        let exponent = tree.unit_exponent();
        let bounds = bounds_of(&replies.payoff_bounds(exponent));
        Self { strategy, bounds, exponent, exact: None }
    }

    /// The payoff to A against the opponent's best response as a fraction, if it was computed
    /// exactly.
    pub fn exact(&self) -> Option<&BigRational> {
        self.exact.as_ref()
    }

    /// The player whose strategy is judged.
    pub fn player(&self) -> Player {
        self.strategy.player()
    }

    /// The strategy.
    pub fn strategy(&self) -> &BehaviourStrategy {
        &self.strategy
    }

    pub(super) fn into_strategy(self) -> BehaviourStrategy {
        self.strategy
    }

    /// Proved bounds of the payoff to A against the opponent's best response: what A's strategy
    /// secures at least, or B's at most.
    pub fn secured(&self) -> Enclosure {
        Enclosure::proved(self.bounds, self.exponent)
    }

    /// How much both players together could gain by best responses to the other's strategy
    /// (`NashConv`), with proved bounds.
    pub fn nash_conv(judgements: &ByPlayer<Self>) -> Enclosure {
        let ByPlayer { a, b } = judgements;
        b.secured().above(&a.secured())
    }

    /// The mean gain of both players' best responses to the other's strategy, with proved bounds.
    pub fn exploitability(judgements: &ByPlayer<Self>) -> Enclosure {
        Self::nash_conv(judgements).half()
    }

    /// Bounds of the game's value: what A's strategy secures at least and B's at most.
    pub(super) fn value(judgements: &ByPlayer<Self>) -> Enclosure {
        let ByPlayer { a, b } = judgements;
        Enclosure::proved(Bounds::new(a.bounds.lower, b.bounds.upper), a.exponent)
    }

    /// Whether this strategy secures its player more than another.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        match self.player() {
            Player::A => self.bounds.lower > other.bounds.lower,
            Player::B => self.bounds.upper < other.bounds.upper,
        }
    }
}

/// An expected payoff in units as machine integers.
pub(super) fn bounds_of(payoff: &Interval) -> Bounds {
    let Interval { lower, upper } = payoff;
    // Rounding of a rare event may leave bounds that are wider than those of every payoff.
    let lower = integer_or(lower, -LARGEST).max(-LARGEST);
    let upper = integer_or(upper, LARGEST).min(LARGEST);
    Bounds::new(lower, upper)
}

/// The number as a machine integer, or the bound that holds for every payoff.
fn integer_or(number: &IBig, bound: i64) -> i64 {
    i64::try_from(number).unwrap_or(bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hidden::games::{KuhnPoker, LeducPoker, SecretInspection};

    #[test]
    fn bounds_are_never_wider_than_those_of_every_payoff() {
        let bounds = |lower: i128, upper: i128| {
            bounds_of(&Interval { lower: lower.into(), upper: upper.into() })
        };
        let widest = Bounds::new(-LARGEST, LARGEST);
        let beyond = i128::from(LARGEST) + 1;
        assert_eq!(bounds(-beyond, beyond), widest);
        assert_eq!(bounds(-beyond << 64, beyond << 64), widest);
        assert_eq!(bounds(-3, 4), Bounds::new(-3, 4));
    }

    /// In fixed units bounds are the exact payoff's, or a unit wider at either end.
    #[test]
    fn bounds_contain_the_exact_payoff_and_little_else() {
        let trees = [
            GameTree::from_rules(&KuhnPoker),
            GameTree::from_rules(&LeducPoker),
            GameTree::from_rules(&SecretInspection::new(4)),
        ];
        for tree in trees.map(|tree| tree.expect("a tree")) {
            for player in Player::BOTH {
                // Probabilities that are no multiples of a power of two.
                let weights: Vec<f64> = (0..tree.sequence_count(player))
                    .map(|sequence| 1.0 + (sequence % 5) as f64)
                    .collect();
                let uniform = BehaviourStrategy::uniform(&tree, player);
                for strategy in [uniform, BehaviourStrategy::approximate(&tree, player, &weights)] {
                    let bounded = Judgement::bounded(&tree, strategy.clone());
                    let exact = Judgement::new(&tree, strategy).expect("of this tree");
                    assert!(
                        bounded.secured().contains(exact.exact().expect("short fractions")),
                        "{player}"
                    );
                    let Bounds { lower, upper } = exact.bounds;
                    assert!(upper - lower <= 1);
                    assert!((lower - 1..=lower).contains(&bounded.bounds.lower), "{player}");
                    assert!((upper..=upper + 1).contains(&bounded.bounds.upper), "{player}");
                }
            }
        }
    }
}
