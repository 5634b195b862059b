//! Long work: progress, cancelling, time, threads.

pub(crate) use ::matrix_game::{Watch, WorkError};

pub(crate) use ::matrix_game::internal::{
    Callback, CheckpointKind, Checkpointing, Clock, Threads, memory, setters, unwatched,
};
