//! Long work: progress, cancelling, time, threads.

pub(crate) use ::matrix_game::{Watch, WorkError, unwatched};

pub(crate) use ::matrix_game::internal::{
    Callback, CheckpointKind, Checkpointing, Clock, Threads, memory, setters,
};
