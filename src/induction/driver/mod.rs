//! The clock and the threads of a sweep.

mod clock;
mod threads;

pub(crate) use clock::Clock;
pub(crate) use threads::Threads;
