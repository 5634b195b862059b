//! The observer of a sweep on several ranks.

use std::ops::ControlFlow;

use super::ranks::Ranks;
use crate::induction::{Observer, Progress, Tables};

/// Rank 0's observer, heard by all ranks: it alone is told of the progress and shown checkpoints, and it decides for all.
pub(crate) struct RankObserver<'o, R> {
    ranks: &'o R,
    observer: &'o mut dyn Observer,
}

impl<'o, R: Ranks> RankObserver<'o, R> {
    /// The observer of rank 0; those of other ranks are never asked.
    pub(crate) fn new(ranks: &'o R, observer: &'o mut dyn Observer) -> Self {
        Self { ranks, observer }
    }
}

impl<R: Ranks> Observer for RankObserver<'_, R> {
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        let mut stop = [0];
        if self.ranks.rank() == 0 {
            stop = [u8::from(self.observer.progress(progress).is_break())];
        }
        self.ranks.broadcast(&mut stop);
        if stop == [0] { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn checkpoint(&mut self, tables: &Tables, stopped: bool) {
        if self.ranks.rank() == 0 {
            self.observer.checkpoint(tables, stopped);
        }
    }
}
