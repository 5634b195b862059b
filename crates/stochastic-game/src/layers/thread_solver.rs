//! The threads of this process.

use std::sync::Mutex;

use super::{LayerSolver, Layered, Piece};
use crate::error::Error;
use crate::work::Threads;

/// Shorter pieces are not worth waking other threads.
const WORTH_SHARING_SECONDS: f64 = 1e-4;

/// Threads that take a batch each until there is none left.
pub struct ThreadSolver<G: Layered> {
    threads: Threads,
    /// Their buffers, kept from piece to piece.
    workers: Mutex<Vec<G::Worker>>,
}

impl<G: Layered> ThreadSolver<G> {
    pub fn new(threads: &Threads) -> Self {
        Self { threads: threads.clone(), workers: Mutex::default() }
    }
}

impl<G: Layered> LayerSolver<G> for ThreadSolver<G> {
    fn solve(
        &mut self,
        game: &G,
        piece: Piece<'_, G::Item>,
        batches: &mut [G::Batch],
    ) -> Result<f64, Error> {
        let start = piece.clock.elapsed();
        let tasks = piece.items.chunks(game.items_a_batch()).zip(batches);
        let solve = |worker: &mut G::Worker, (items, batch): (&[G::Item], &mut G::Batch)| {
            game.solve(worker, items, batch, piece.clock)
        };
        let alone = Threads::alone();
        let threads = if piece.seconds > WORTH_SHARING_SECONDS { &self.threads } else { &alone };
        let found = threads.run(&self.workers, tasks, solve);
        // The first error is the same one for any number of threads.
        found.into_iter().collect::<Result<(), Error>>()?;
        Ok(piece.clock.elapsed().saturating_sub(start).as_secs_f64())
    }
}
