//! What a solver is asked to call.

use std::fmt;
use std::time::Duration;

use super::Clock;

/// A callback, of which nothing is shown.
pub(crate) struct Callback<F: ?Sized>(pub(crate) Box<F>);

impl<F: ?Sized> fmt::Debug for Callback<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// A callback for checkpoints, and the least interval between two of them.
pub(crate) struct Checkpointing<F: ?Sized> {
    every: Duration,
    /// Since the last one.
    clock: Clock,
    write: Box<F>,
}

impl<F: ?Sized> fmt::Debug for Checkpointing<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.every.fmt(f)
    }
}

impl<F: ?Sized> Checkpointing<F> {
    pub(crate) fn new(every: Duration, write: Box<F>) -> Self {
        Self { every, clock: Clock::start(), write }
    }

    /// Has something written if it is time, or if there is no later one.
    pub(crate) fn note(&mut self, is_last: bool, write: impl FnOnce(&mut F)) {
        if is_last || self.clock.elapsed() >= self.every {
            write(&mut self.write);
            // Counted from the end of the writing, so that writing, however slow, never takes all the time.
            self.clock = Clock::start();
        }
    }
}
