//! Regret minimisation as a search goes on with it, and as checkpoints keep it.

use super::finder::best_strategy::BestStrategy;
use super::finder::regret::RegretMinimisers;
use super::finder::schedule::Widths;
use super::finder::sequence_game::SequenceGame;
use crate::game::{ByPlayer, Player};
use crate::work::Threads;

/// Regret minimisation under way.
#[derive(Debug)]
pub(crate) struct Learning {
    pub(crate) minimisers: RegretMinimisers,
    /// The best strategies so far.
    pub(crate) best: ByPlayer<BestStrategy>,
    /// Widths in floating point, as shares of the span of payoffs.
    pub(crate) widths: Widths,
}

impl Learning {
    pub(super) fn new<G: SequenceGame>(form: &G) -> Self {
        Self {
            minimisers: RegretMinimisers::new(form),
            best: ByPlayer::new(|_| BestStrategy::default()),
            widths: Widths::default(),
        }
    }

    /// Takes each player's average or last strategy if it secures more than all before.
    pub(super) fn improve<G: SequenceGame>(&mut self, form: &G, threads: &Threads) {
        for player in Player::BOTH {
            let secured = self.minimisers.secured(form, player, threads);
            let best = &mut self.best[player];
            best.offer(secured.average, self.minimisers.averages()[player]);
            best.offer(secured.last, self.minimisers.last()[player]);
        }
    }
}
