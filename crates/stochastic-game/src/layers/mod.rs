//! Work in layers, for any game: the items of a layer depend on earlier layers alone, so that any
//! number of threads, or of processes, may solve them together.
//!
//! A game implements [`Layered`]: its items layer by layer, how one is solved, where solutions are
//! stored. [`run`] is the only loop over layers: it cuts them into pieces, goes on from a
//! checkpoint, reports, cancels. A [`LayerSolver`] solves a piece: the threads of this process, or
//! several processes. An [`Observer`] hears of it all.

mod pace;
mod thread_solver;

use std::ops::{ControlFlow, Range};

use self::pace::Pace;
use crate::error::Error;
use crate::work::{CheckpointKind, Clock, WorkError};

pub use thread_solver::ThreadSolver;

/// A game, or other work, in layers.
pub trait Layered: Sync {
    /// The unit that is solved: a state, or several states that depend on each other.
    type Item: Copy + Send + Sync;
    /// The buffers of a thread.
    type Worker: Default + Send;
    /// The solutions of a few neighbouring items, in their order.
    type Batch: Default + Send;
    /// How far the solution of a long item is.
    type Part;

    /// About the seconds that a unit of work takes; used until it has been measured.
    const SECONDS: f64;

    /// The items that a thread solves at a stretch.
    fn items_a_batch(&self) -> usize;

    /// The layers, in the order in which they are solved.
    fn layers(&self) -> Range<u32>;

    /// The items of a layer, in the order in which they are stored.
    fn items(&self, layer: u32) -> impl Iterator<Item = Self::Item>;

    /// The relative cost of an item.
    fn work(&self, item: Self::Item) -> f64;

    /// Makes ready for a layer, of which some items may be stored already.
    fn begin_layer(&mut self, _layer: u32) {}

    /// Solves items of one layer from the stored earlier layers, and appends them to a batch.
    ///
    /// Implementations must not start threads or read any clock but `clock`. A solution must not
    /// depend on the thread that finds it, nor on the order in which the items of a layer are
    /// taken.
    ///
    /// # Errors
    /// The first item that cannot be solved.
    fn solve(
        &self,
        worker: &mut Self::Worker,
        items: &[Self::Item],
        batch: &mut Self::Batch,
        clock: Clock,
    ) -> Result<(), Error>;

    /// Whether an item takes so long that it is solved by itself, watched.
    fn is_long(&self, _item: Self::Item) -> bool {
        false
    }

    /// Whether long items were asked to end before they are solved as well as can be.
    fn ends_early(&self) -> bool {
        false
    }

    /// Solves a long item. `watch` hears its progress, where that is kept, and says
    /// whether to continue.
    ///
    /// # Errors
    /// As for [`solve`](Self::solve); [`WorkError::Cancelled`].
    fn solve_long(
        &self,
        item: Self::Item,
        batch: &mut Self::Batch,
        clock: Clock,
        _watch: &mut dyn FnMut(Option<Self::Part>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.solve(&mut Self::Worker::default(), &[item], batch, clock)
    }

    /// Stores the solutions of a piece. Returns whether the work can be resumed from here.
    fn store(&mut self, items: &[Self::Item], batches: &mut [Self::Batch]) -> bool;

    /// Completes a layer, all items of which have been handed to [`store`](Self::store). Returns
    /// whether the work can be resumed from here.
    fn end_layer(&mut self, _layer: u32) -> bool {
        false
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Piece<'p, I> {
    pub items: &'p [I],
    /// The time that the piece is expected to take.
    pub seconds: f64,
    /// The driver's clock: nothing below reads another.
    pub clock: Clock,
}

/// Solves pieces of a layer: by one thread, by several, or elsewhere.
pub trait LayerSolver<G: Layered> {
    /// Solves [`items_a_batch`](Layered::items_a_batch) items for each batch, the last of which may
    /// be shorter, in their order. Returns the seconds that this took.
    ///
    /// Where several processes solve a piece together, all return the same number: the next piece
    /// is cut by it.
    fn solve(
        &mut self,
        game: &G,
        piece: Piece<'_, G::Item>,
        batches: &mut [G::Batch],
    ) -> Result<f64, Error>;
}

/// Follows the work while it runs.
pub trait Observer<G: Layered + ?Sized> {
    /// Hears which share of the work is done, from 0 to 1, and may cancel.
    fn progress(&mut self, game: &G, share: f64) -> ControlFlow<()>;

    /// Gets the state from which the work can be resumed, with the progress of the next item if it
    /// is a long one.
    fn checkpoint(&mut self, game: &G, part: Option<&G::Part>, kind: CheckpointKind);
}

/// Solves all items but the first `solved`, which are stored already.
///
/// # Errors
/// Errors of the solver; [`WorkError::Cancelled`].
pub fn run<G: Layered>(
    game: &mut G,
    solved: u64,
    solver: &mut dyn LayerSolver<G>,
    observer: &mut dyn Observer<G>,
    clock: Clock,
) -> Result<(), Error> {
    let a_batch = game.items_a_batch();
    let all: f64 =
        game.layers().flat_map(|layer| game.items(layer)).map(|item| game.work(item)).sum();
    let (mut before, mut done) = (solved, 0.0);
    let mut pace = Pace::new(G::SECONDS);
    let (mut items, mut works, mut batches) = (Vec::new(), Vec::new(), Vec::new());
    for layer in game.layers() {
        items.clear();
        items.extend(game.items(layer));
        works.clear();
        works.extend(items.iter().map(|&item| game.work(item)));
        let mut begin = items.len().min(usize::try_from(before).unwrap_or(usize::MAX));
        before -= begin as u64;
        // Item by item, as the whole was added up, so that the last share is exactly 1.
        done = works[..begin].iter().fold(done, |done, work| done + work);
        if begin == items.len() {
            continue;
        }
        game.begin_layer(layer);
        while begin < items.len() {
            let is_long = game.is_long(items[begin]);
            let short = items[begin..].iter().take_while(|&&item| !game.is_long(item)).count();
            let count = if is_long { 1 } else { pace.cut(&works[begin..][..short], a_batch) };
            let (piece, work) = (&items[begin..][..count], &works[begin..][..count]);
            let needed = count.div_ceil(a_batch);
            batches.resize_with(needed.max(batches.len()), G::Batch::default);
            let batches = &mut batches[..needed];
            if is_long {
                let (game, share, mut last) = (&*game, done / all, None);
                let mut watch = |part: Option<G::Part>| {
                    let Some(part) = part else { return observer.progress(game, share) };
                    observer.checkpoint(game, Some(&part), CheckpointKind::Periodic);
                    last = Some(part);
                    ControlFlow::Continue(())
                };
                if let Err(error) = game.solve_long(piece[0], &mut batches[0], clock, &mut watch) {
                    observer.checkpoint(game, last.as_ref(), CheckpointKind::Last);
                    return Err(error);
                }
                if game.ends_early() {
                    // What is stored from here on would not be resumed but kept.
                    observer.checkpoint(game, last.as_ref(), CheckpointKind::Last);
                }
            } else {
                let work = work.iter().sum();
                let piece = Piece { items: piece, seconds: pace.expected(work), clock };
                pace.measure(work, solver.solve(game, piece, batches)?);
            }
            done = work.iter().fold(done, |done, work| done + work);
            let can_be_resumed = game.store(piece, batches);
            // Finished work is not cancelled: its result would be lost.
            if observer.progress(game, done / all).is_break() && done < all {
                observer.checkpoint(game, None, CheckpointKind::Last);
                return Err(WorkError::Cancelled.into());
            }
            if can_be_resumed {
                observer.checkpoint(game, None, CheckpointKind::Periodic);
            }
            begin += count;
        }
        if game.end_layer(layer) {
            observer.checkpoint(game, None, CheckpointKind::Periodic);
        }
    }
    Ok(())
}
