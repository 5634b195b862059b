//! Long work: progress, cancelling, time, threads.

mod callback;
mod error;
mod setters;
mod threads;
mod watch;

pub use error::WorkError;
pub use watch::Watch;

pub(crate) use callback::{Callback, Checkpointing};
pub(crate) use error::memory;
pub(crate) use setters::setters;
pub(crate) use threads::Threads;
pub(crate) use watch::{Clock, Parts, Stop, unwatched};
