//! The observer of work on several ranks.

use std::ops::ControlFlow;

use super::ranks::Ranks;
use crate::layers::{Layered, Observer};

/// Rank 0's observer, heard by all ranks: it alone hears of the progress and sees checkpoints, and it decides for all.
pub(crate) struct RankObserver<'o, R, G> {
    ranks: &'o R,
    observer: &'o mut dyn Observer<G>,
}

impl<'o, R: Ranks, G: Layered> RankObserver<'o, R, G> {
    /// The observer of rank 0; those of other ranks are never asked.
    pub(crate) fn new(ranks: &'o R, observer: &'o mut dyn Observer<G>) -> Self {
        Self { ranks, observer }
    }
}

impl<R: Ranks, G: Layered> Observer<G> for RankObserver<'_, R, G> {
    fn progress(&mut self, game: &G, share: f64) -> ControlFlow<()> {
        let mut stop = [0];
        if self.ranks.rank() == 0 {
            stop = [u8::from(self.observer.progress(game, share).is_break())];
        }
        self.ranks.broadcast(&mut stop);
        if stop == [0] { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn checkpoint(&mut self, game: &G, part: Option<&G::Part>, cancelled: bool) {
        if self.ranks.rank() == 0 {
            self.observer.checkpoint(game, part, cancelled);
        }
    }
}
