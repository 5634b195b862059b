use std::ops::ControlFlow;

use super::ranks::Ranks;
use crate::layers::{Layered, Observer};

/// Rank 0's observer, which reports and decides for all ranks.
pub(crate) struct RankObserver<'o, R, G> {
    ranks: &'o R,
    observer: &'o mut dyn Observer<G>,
}

impl<'o, R: Ranks, G: Layered> RankObserver<'o, R, G> {
    /// Wraps rank 0's observer; those of other ranks are never called.
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
