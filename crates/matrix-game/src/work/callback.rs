//! Callbacks of the caller.

use std::fmt;
use std::time::Duration;

use sync_wrapper::SyncWrapper;

use super::Clock;

/// A callback, hidden from `Debug`. Its owner can be shared among threads, since only an exclusive
/// reference calls it.
pub struct Callback<F: ?Sized>(SyncWrapper<Box<F>>);

impl<F: ?Sized> Callback<F> {
    pub const fn new(callback: Box<F>) -> Self {
        Self(SyncWrapper::new(callback))
    }

    /// The function, to be called.
    pub fn get(&mut self) -> &mut F {
        self.0.get_mut()
    }
}

impl<F: ?Sized> fmt::Debug for Callback<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

/// Whether work goes on after a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointKind {
    /// It goes on: the checkpoint is written if the interval since the last one is over.
    Periodic,
    /// It ends here, or nothing that follows is kept: the checkpoint is written in any case.
    Last,
}

/// A checkpoint callback and the least interval between two calls.
pub struct Checkpointing<F: ?Sized> {
    every: Duration,
    clock: Clock,
    write: Callback<F>,
}

impl<F: ?Sized> fmt::Debug for Checkpointing<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.every.fmt(f)
    }
}

impl<F: ?Sized> Checkpointing<F> {
    pub fn new(every: Duration, write: Box<F>) -> Self {
        Self { every, clock: Clock::start(), write: Callback::new(write) }
    }

    /// Whether the interval since the last call is over.
    pub fn is_due(&self) -> bool {
        self.clock.elapsed() >= self.every
    }

    /// Whether a checkpoint of this kind is written now.
    pub fn takes(&self, kind: CheckpointKind) -> bool {
        kind == CheckpointKind::Last || self.is_due()
    }

    /// Calls the callback by `write`, and begins the next interval.
    pub fn write(&mut self, write: impl FnOnce(&mut F)) {
        write(self.write.get());
        // Measured from the end of the writing, so that slow writing never takes all the time.
        self.clock = Clock::start();
    }
}
