//! Uncertain probabilities: each lies between limits, and nature chooses within them, for one
//! player and against the other.
//!
//! Nature chooses after both actions, anew in every cell and at every visit (*rectangular*
//! uncertainty: Nilim and El Ghaoui 2005; He and Parker 2026). The least probabilities are above 0,
//! so that nature decides how often a successor is reached, but not whether: components, end
//! components and termination are those of any choice.

use std::borrow::Cow;
use std::ops::Range;

use super::numbered::{CellView, Outcome};
use crate::player::Player;

/// The uncertain probabilities of a game.
#[derive(Clone, Debug)]
pub(crate) struct Uncertainty {
    /// The player for whom nature chooses.
    pub(crate) nature: Player,
    /// The least and the largest weight of each outcome of the game.
    pub(crate) limits: Vec<[u64; 2]>,
}

impl Uncertainty {
    /// The uncertain probabilities of the cell with these outcomes, if nature has a choice there.
    ///
    /// Most games have none: kept out of the loops that read their cells.
    #[cold]
    #[inline(never)]
    pub(super) fn cell(&self, outcomes: Range<usize>) -> Option<UncertainCell<'_>> {
        let limits = &self.limits[outcomes];
        let leaves_a_choice = limits.iter().any(|[least, most]| least < most);
        leaves_a_choice.then_some(UncertainCell { nature: self.nature, limits })
    }
}

/// The uncertain probabilities of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UncertainCell<'g> {
    pub(crate) nature: Player,
    /// The least and the largest weight of each outcome.
    pub(crate) limits: &'g [[u64; 2]],
}

impl<'g> CellView<'g> {
    /// The outcomes with the weights that nature chooses by these values of the successors to A.
    /// In a cell without uncertainty, the outcomes as they are.
    pub(crate) fn outcomes_by_nature<V: PartialOrd>(
        &self,
        value: impl Fn(u32) -> V,
    ) -> Cow<'g, [Outcome]> {
        let Some(UncertainCell { nature, limits }) = self.uncertain else {
            return Cow::Borrowed(self.outcomes);
        };
        let values: Vec<V> = self.outcomes.iter().map(|outcome| value(outcome.state)).collect();
        let mut order: Vec<usize> = (0..values.len()).collect();
        // Incomparable values do not occur: of NaN any order will do.
        order.sort_by(|&one, &other| {
            values[one].partial_cmp(&values[other]).unwrap_or(std::cmp::Ordering::Equal)
        });
        if nature == Player::A {
            order.reverse();
        }
        let whole: u64 = self.outcomes.iter().map(|outcome| outcome.weight).sum();
        Cow::Owned(filled(self.outcomes, limits, &order, whole))
    }
}

/// The outcomes with their least weights and, in this order, as much more as they may have, up to a
/// sum of `whole`.
pub(super) fn filled(
    outcomes: &[Outcome],
    limits: &[[u64; 2]],
    order: &[usize],
    whole: u64,
) -> Vec<Outcome> {
    let mut chosen: Vec<Outcome> = outcomes.to_vec();
    let mut left = whole;
    for (outcome, [least, _]) in chosen.iter_mut().zip(limits) {
        outcome.weight = *least;
        left -= least;
    }
    for &place in order {
        let [least, most] = limits[place];
        let more = left.min(most - least);
        chosen[place].weight = least + more;
        left -= more;
    }
    chosen
}
