//! The best strategies that a finder has met so far.

use crate::game::ByPlayer;

/// The best strategy of a player so far in floating point, which is not proved yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BestStrategy {
    /// The payoff to the player that it secures, in the unit of the sequence form.
    pub(crate) secures: f64,
    /// Non-negative numbers by sequences; none before the first strategy.
    pub(crate) weights: Vec<f64>,
}

impl Default for BestStrategy {
    fn default() -> Self {
        Self { secures: f64::NEG_INFINITY, weights: Vec::new() }
    }
}

impl BestStrategy {
    /// Takes a strategy that secures more.
    pub(crate) fn offer(&mut self, secures: f64, weights: &[f64]) {
        if secures > self.secures {
            self.secures = secures;
            self.weights.clear();
            self.weights.extend_from_slice(weights);
        }
    }

    /// The width of the bounds of the value that both players' strategies secure, in the unit of
    /// the sequence form.
    pub(crate) fn width(best: &ByPlayer<Self>) -> f64 {
        -(best.a.secures + best.b.secures)
    }
}
