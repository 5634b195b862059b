//! The threads of this process.

use std::sync::{Mutex, PoisonError};

use super::{LayerSolver, Layered, Piece};
use crate::error::Error;
use crate::work::Threads;

/// Shorter pieces are not worth waking other threads.
const WORTH_SHARING_SECONDS: f64 = 1e-4;

/// Threads that take a batch each until there is none left.
pub(crate) struct ThreadSolver<G: Layered> {
    threads: Threads,
    /// Their buffers, kept from piece to piece.
    workers: Mutex<Vec<G::Worker>>,
}

impl<G: Layered> ThreadSolver<G> {
    pub(crate) fn new(threads: &Threads) -> Self {
        Self { threads: threads.clone(), workers: Mutex::default() }
    }
}

impl<G: Layered> LayerSolver<G> for ThreadSolver<G> {
    fn solve(&mut self, game: &G, piece: Piece<'_, G::Item>, batches: &mut [G::Batch]) -> Result<f64, Error> {
        let start = piece.clock.elapsed();
        let first = Mutex::new(None);
        let tasks = piece.items.chunks(game.items_a_batch()).zip(batches).enumerate();
        self.threads.run(piece.seconds > WORTH_SHARING_SECONDS, &self.workers, tasks, |worker, (place, (items, batch))| {
            if let Err(error) = game.solve(worker, items, batch, piece.clock) {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                // The same one for any number of threads.
                if first.as_ref().is_none_or(|&(other, _)| place < other) {
                    *first = Some((place, error));
                }
            }
        });
        match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(piece.clock.elapsed().saturating_sub(start).as_secs_f64()),
        }
    }
}
