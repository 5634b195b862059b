//! Long work: progress, cancelling, time, threads.

mod callback;
mod error;
mod setters;
mod threads;
mod watch;

pub use error::WorkError;
pub use watch::{Watch, unwatched};

pub use callback::{Callback, CheckpointKind, Checkpointing};
pub use error::memory;
pub use threads::Threads;
pub use watch::{Clock, Parts, Stop};
