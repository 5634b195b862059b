//! A bound of a game's value, and whether proved bounds decide it.

use std::cmp::Ordering;
use std::fmt;

use num_rational::BigRational;

use crate::written_as::written_as;

/// How a value is compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueComparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

written_as! {
    ValueComparison { AtMost => "<=", AtLeast => ">=", Less => "<", Greater => ">" },
    |text: String| crate::error::StochasticGameFault::Comparison { text } => crate::error::StochasticGameFault
}

/// A bound of a value, such as `>=1/2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueBound {
    pub comparison: ValueComparison,
    pub number: BigRational,
}

impl fmt::Display for ValueBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.comparison, self.number)
    }
}

impl ValueBound {
    /// Whether a value keeps the bound, if its lower and upper bound decide that.
    ///
    /// Bounds are secured by strategies: one that meets the number decides.
    pub fn decided(&self, bounds: &[BigRational; 2]) -> Option<bool> {
        let [lower, upper] = bounds;
        let [low, high] = [lower.cmp(&self.number), upper.cmp(&self.number)];
        let (holds, fails) = match self.comparison {
            ValueComparison::AtLeast => (low != Ordering::Less, high == Ordering::Less),
            ValueComparison::Greater => (low == Ordering::Greater, high != Ordering::Greater),
            ValueComparison::AtMost => (high != Ordering::Greater, low == Ordering::Greater),
            ValueComparison::Less => (high == Ordering::Less, low != Ordering::Less),
        };
        if holds { Some(true) } else { fails.then_some(false) }
    }

    /// Whether several values all keep the bound, if their lower and upper bounds decide that.
    pub(crate) fn decided_for_all(&self, all: &[[BigRational; 2]]) -> Option<bool> {
        let decided: Vec<Option<bool>> = all.iter().map(|bounds| self.decided(bounds)).collect();
        if decided.contains(&Some(false)) {
            return Some(false);
        }
        decided.iter().all(|&holds| holds == Some(true)).then_some(true)
    }
}
