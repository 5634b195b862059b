//! Long work: progress, cancelling, time, threads.

pub use ::matrix_game::{Watch, WorkError, unwatched};

pub(crate) use ::matrix_game::internal::{
    Callback, CheckpointKind, Checkpointing, Clock, Parts, Stop, Threads, memory, setters,
};
