//! One play of a game, action by action.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::strategy::BehaviourStrategy;
use super::tree::{GameTree, NodeKind, SetId};
use crate::error::HiddenError;
use crate::game::Player;

/// A play of a game with hidden information, from the root on.
///
/// ```
/// use pencil_tennis::hidden::{GameTree, HiddenPlay, PlayPlace, games::KuhnPoker};
/// use pencil_tennis::Player;
///
/// let tree = GameTree::from_rules(&KuhnPoker)?;
/// let mut play = HiddenPlay::new(&tree);
/// play.draw(0); // the first of the deals
/// assert_eq!(play.place(), PlayPlace::Decision(Player::A, tree.set(Player::A, "J")?));
/// # Ok::<(), pencil_tennis::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HiddenPlay<'t> {
    tree: &'t GameTree,
    node: u32,
}

/// The next event of a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayPlace {
    /// Nothing: the payoff to A.
    End(BigRational),
    Chance,
    /// A player chooses an action at an information set.
    Decision(Player, SetId),
}

impl<'t> HiddenPlay<'t> {
    /// A play that has not begun.
    pub fn new(tree: &'t GameTree) -> Self {
        Self { tree, node: 0 }
    }

    /// The next event.
    pub fn place(&self) -> PlayPlace {
        match self.tree.nodes[self.node as usize].kind {
            NodeKind::End { payoff } => PlayPlace::End(self.tree.payoffs[payoff as usize].clone()),
            NodeKind::Chance { .. } => PlayPlace::Chance,
            NodeKind::Decision { player, set } => PlayPlace::Decision(player, set as usize),
        }
    }

    /// Goes on with an action, by its place in the list of the information set.
    ///
    /// # Errors
    /// [`HiddenError::UnknownAction`]
    pub fn choose(&mut self, action: usize) -> Result<(), HiddenError> {
        let successors = self.tree.successors(self.node);
        let Some(&next) = successors.get(action) else {
            let known = match successors.len().checked_sub(1) {
                Some(last) => format!("expected 0 to {last}"),
                None => "the play is over".to_owned(),
            };
            return Err(HiddenError::UnknownAction { action, known });
        };
        self.node = next;
        Ok(())
    }

    /// Goes on with an outcome of chance, drawn by 64 random bits; elsewhere nothing happens.
    pub fn draw(&mut self, bits: u64) {
        if let NodeKind::Chance { distribution } = self.tree.nodes[self.node as usize].kind {
            let outcome = drawn(&self.tree.distributions[distribution as usize], bits);
            self.node = self.tree.successors(self.node)[outcome];
        }
    }
}

impl BehaviourStrategy {
    /// The place of an action at an information set, drawn by 64 random bits.
    ///
    /// # Errors
    /// As [`probabilities`](Self::probabilities).
    pub fn draw(&self, tree: &GameTree, set: SetId, bits: u64) -> Result<usize, HiddenError> {
        Ok(drawn(&self.probabilities(tree, set)?, bits))
    }
}

/// The place in a distribution at which the sum of probabilities exceeds `bits` times 2^−64.
fn drawn(probabilities: &[BigRational], bits: u64) -> usize {
    let threshold = BigRational::new(bits.into(), BigInt::from(1) << 64);
    let mut sum = BigRational::from_integer(0.into());
    for (index, probability) in probabilities.iter().enumerate() {
        sum += probability;
        if sum > threshold {
            return index;
        }
    }
    // Probabilities sum to 1, which is above every threshold.
    probabilities.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outcomes are drawn with their probabilities, and one of probability 0 never.
    #[test]
    fn bits_are_shared_out_in_proportion() {
        let fraction = |numerator: i32, denominator: i32| {
            BigRational::new(numerator.into(), denominator.into())
        };
        let shares = [fraction(1, 4), fraction(0, 1), fraction(3, 4)];
        let quarter = 1_u64 << 62;
        assert_eq!(
            [0, quarter - 1, quarter, u64::MAX].map(|bits| drawn(&shares, bits)),
            [0, 0, 2, 2]
        );
    }
}
