//! Blind Tennis as the search sees it: which method when, and what a found plan is proved to secure.

use super::plan::{JudgedPlan, Plan};
use super::sequence_form::SequenceForm;
use crate::bounds::Enclosure;
use crate::game::{ByPlayer, Player};
use crate::hidden::search::SearchedGame;

impl SearchedGame for SequenceForm {
    type Form = Self;
    type Judgement = JudgedPlan;

    /// Regret minimisation is faster at first.
    #[cfg(feature = "lp")]
    const PROGRAMME_SEQUENCES: usize = 0;

    /// Tennis from 7:7 to 11:10 takes between 186 and 2,512 iterations, in less time than the
    /// interior-point method.
    const REGRET_ITERATIONS: f64 = 4_000.0;

    fn form(&self) -> &Self {
        self
    }

    /// Regret minimisation comes first for every gap, so that a run resumed with another gap goes
    /// on as if it had had it.
    fn likely_iterations(&self, _: f64) -> f64 {
        0.0
    }

    fn span(&self) -> f64 {
        let payoffs = self.tree.ranks.doubles();
        let lowest = payoffs.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        highest - lowest
    }

    fn judge(&self, player: Player, weights: &[f64]) -> JudgedPlan {
        JudgedPlan::new(self, player, Plan::approximate(&self.tree.player_trees[player], weights))
    }

    fn is_better(&self, player: Player, judgement: &JudgedPlan, other: &JudgedPlan) -> bool {
        judgement.is_better_than(other, player)
    }

    fn value(&self, judgements: &ByPlayer<JudgedPlan>) -> Enclosure {
        JudgedPlan::value(&self.tree, judgements)
    }

    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    fn mirrored(&self, player: Player, weights: &[f64]) -> Vec<f64> {
        self.tree.mirrored(player, weights)
    }
}
