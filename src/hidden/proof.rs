use dashu_int::IBig;

use super::best_response::{Interval, Replies};
use super::strategy::BehaviourStrategy;
use super::tree::GameTree;
use crate::bounds::{Bounds, Enclosure};
use crate::game::{ByPlayer, Player};

/// A player's strategy with bounds of what it secures: the payoff to A against the opponent's best response.
#[derive(Clone, Debug)]
pub struct Judgement {
    strategy: BehaviourStrategy,
    bounds: Bounds,
    exponent: u32,
}

/// No payoff is larger in size, in units.
const LARGEST: i64 = 1 << 61;

impl Judgement {
    /// Judges a strategy of this tree, in time proportional to the number of nodes.
    ///
    /// # Panics
    /// If the strategy was made for another tree.
    pub fn new(tree: &GameTree, strategy: BehaviourStrategy) -> Self {
        assert!(strategy.fits(tree), "the strategy is of this tree");
        let exponent = tree.unit_exponent();
        let Interval { lower, upper } = Replies::new(tree, &strategy).worth(exponent as usize);
        let bounds = Bounds::new(integer_or(&lower, -LARGEST), integer_or(&upper, LARGEST));
        Self { strategy, bounds, exponent }
    }

    /// The player whose strategy is judged.
    pub fn player(&self) -> Player {
        self.strategy.player()
    }

    /// The strategy.
    pub fn strategy(&self) -> &BehaviourStrategy {
        &self.strategy
    }

    /// Proved bounds of the payoff to A against the opponent's best response: what A's strategy secures at least, or B's at most.
    pub fn worth(&self) -> Enclosure {
        Enclosure::proved(self.bounds, self.exponent)
    }

    /// How much both players together could gain by best responses to the other's strategy (NashConv), with proved bounds.
    pub fn nash_conv(judgements: &ByPlayer<Self>) -> Enclosure {
        let ByPlayer { a, b } = judgements;
        b.worth().above(&a.worth())
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

/// The number as a machine integer, or the bound that holds for every payoff.
fn integer_or(number: &IBig, bound: i64) -> i64 {
    i64::try_from(number).unwrap_or(bound)
}
