//! Solves the layers of a game on all ranks together.

use std::ops::ControlFlow;
use std::time::Duration;

use super::ranks::{Gathered, Ranks, assign};
use crate::codec::Bytes;
use crate::error::{DistributedError, Error};
use crate::layers::{LayerSolver, Layered, Observer, Piece};
use crate::work::CheckpointKind;

/// A layered game whose solutions can be sent to other processes.
pub trait Exchanged: Layered {
    /// The owners and times of earlier items, from which later ones are shared out.
    type History: Default;

    /// The estimated seconds of an item, and the only rank that holds its data, if there is one.
    fn expected(&self, history: &Self::History, item: Self::Item) -> (f32, Option<u16>);

    /// Records the rank that solved an item, and the seconds it took.
    fn note(&self, _history: &mut Self::History, _item: Self::Item, _owner: u16, _seconds: f32) {}

    /// Appends the records of a batch: for all ranks, and, where solutions have one, a second
    /// record for rank 0 alone.
    fn write(&self, batch: &Self::Batch, for_all: &mut Vec<u8>, for_root: &mut Vec<u8>);

    /// Reads an item's record into a batch, on rank 0 also the second one. Returns the item's
    /// seconds.
    ///
    /// # Errors
    /// A malformed record.
    fn read(
        &self,
        item: Self::Item,
        record: &mut Bytes<'_>,
        for_root: Option<&mut Bytes<'_>>,
        batch: &mut Self::Batch,
    ) -> Result<f32, String>;

    /// Gives the item that was read last the part of its solution that is not sent: the item was
    /// solved here, at this place of a batch.
    fn keep(&self, _solved: &mut Self::Batch, _place: usize, _read: &mut Self::Batch) {}
}

/// The time of a rank that could not solve its share.
const FAILED: f64 = -1.0;

/// A callback that hears of every exchange: the solutions, the bytes sent to all ranks and to rank
/// 0, and seconds: the longest and the mean time of a rank, the exchange from when the last rank
/// had solved its share, and the rest since the previous exchange.
type Trace<'t, B> = dyn FnMut(&[B], usize, [f64; 4]) + 't;

/// Solves this rank's share of a piece by a solver of its own, and exchanges the solutions.
pub struct RankSolver<'r, 't, R, G: Exchanged> {
    ranks: &'r R,
    solver: Box<dyn LayerSolver<G> + 't>,
    history: G::History,
    trace: Option<Box<Trace<'t, G::Batch>>>,
    /// The end of the last exchange, by the driver's clock.
    exchanged: Duration,
}

impl<'r, 't, R: Ranks, G: Exchanged> RankSolver<'r, 't, R, G> {
    /// A rank that solves its share by `solver`; `trace` hears of every exchange.
    pub fn new(
        ranks: &'r R,
        solver: Box<dyn LayerSolver<G> + 't>,
        trace: Option<Box<Trace<'t, G::Batch>>>,
    ) -> Self {
        Self { ranks, solver, history: G::History::default(), trace, exchanged: Duration::ZERO }
    }

    /// Reads the messages of all ranks, those for rank 0 last, into the batches of a piece, in the
    /// order of its items, each with the rank that owns it; `solved` are those of this rank. Returns
    /// the longest time of a rank and the mean.
    fn enter(
        &mut self,
        game: &G,
        items: &[G::Item],
        owners: &[u16],
        solved: &mut [G::Batch],
        gathered: &[Gathered; 2],
        batches: &mut [G::Batch],
    ) -> Result<[f64; 2], Error> {
        let this_rank = self.ranks.rank();
        let [mut records, mut for_root] =
            gathered.each_ref().map(|gathered| gathered.by_rank().map(Bytes).collect::<Vec<_>>());
        let garbled = |rank| DistributedError::Garbled { rank };
        let (mut longest, mut sum) = (0.0_f64, 0.0);
        for (rank, record) in records.iter_mut().enumerate() {
            let seconds = f64::from_le_bytes(record.take().map_err(|_| garbled(rank))?);
            if seconds == FAILED {
                return Err(DistributedError::Rank {
                    rank,
                    reason: String::from_utf8_lossy(record.0).into_owned(),
                }
                .into());
            }
            longest = longest.max(seconds);
            sum += seconds;
        }
        let mean = sum / records.len() as f64;
        let (a_batch, mut place, has_root_records) =
            (game.items_a_batch(), 0, this_rank == 0 && !gathered[1].bytes.is_empty());
        for ((items, owners), batch) in
            items.chunks(a_batch).zip(owners.chunks(a_batch)).zip(batches)
        {
            *batch = G::Batch::default();
            for (&item, &owner) in items.iter().zip(owners) {
                let rank = usize::from(owner);
                let for_root = if has_root_records { for_root.get_mut(rank) } else { None };
                let seconds = game
                    .read(item, &mut records[rank], for_root, batch)
                    .map_err(|_| garbled(rank))?;
                if rank == this_rank {
                    game.keep(&mut solved[place / a_batch], place % a_batch, batch);
                    place += 1;
                }
                game.note(&mut self.history, item, owner, seconds);
            }
        }
        Ok([longest, mean])
    }
}

impl<R: Ranks, G: Exchanged> LayerSolver<G> for RankSolver<'_, '_, R, G> {
    fn solve(
        &mut self,
        game: &G,
        piece: Piece<'_, G::Item>,
        batches: &mut [G::Batch],
    ) -> Result<f64, Error> {
        let Piece { items, clock, .. } = piece;
        let this_rank = self.ranks.rank();
        let owners =
            assign(items.iter().map(|&item| game.expected(&self.history, item)), self.ranks.size());
        let is_own = |(_, owner): &(_, &u16)| usize::from(**owner) == this_rank;
        let share: Vec<G::Item> =
            items.iter().zip(&owners).filter(is_own).map(|(&item, _)| item).collect();
        let mut own_batches: Vec<G::Batch> =
            share.chunks(game.items_a_batch()).map(|_| G::Batch::default()).collect();
        let result = self.solver.solve(game, Piece { items: &share, ..piece }, &mut own_batches);
        // Instead of solutions, all ranks hear of an error: no time is negative.
        let seconds = *result.as_ref().unwrap_or(&FAILED);
        let solved = clock.elapsed();
        let (mut for_all, mut for_root) = (seconds.to_le_bytes().to_vec(), Vec::new());
        match &result {
            Ok(_) => {
                for batch in &own_batches {
                    game.write(batch, &mut for_all, &mut for_root);
                }
            }
            Err(error) => for_all.extend(error.to_string().bytes()),
        }
        let gathered = [self.ranks.all_gather(&for_all)?, self.ranks.gather(&for_root)?];
        result?;
        let (before, exchanged) = (self.exchanged, clock.elapsed());
        let [longest, mean] =
            self.enter(game, items, &owners, &mut own_batches, &gathered, batches)?;
        self.exchanged = clock.elapsed();
        if let Some(trace) = &mut self.trace {
            // The exchange starts when the last rank is ready.
            let exchange =
                (exchanged.saturating_sub(solved).as_secs_f64() - (longest - seconds)).max(0.0);
            let all = self.exchanged.saturating_sub(before).as_secs_f64();
            let bytes = gathered.iter().map(|all| all.bytes.len()).sum();
            let rest = (all - longest - exchange).max(0.0);
            trace(batches, bytes, [longest, mean, exchange, rest]);
        }
        Ok(longest)
    }
}

/// Rank 0's observer, which reports and decides for all ranks.
pub struct RankObserver<'o, R, G> {
    ranks: &'o R,
    observer: &'o mut dyn Observer<G>,
}

impl<'o, R: Ranks, G: Layered> RankObserver<'o, R, G> {
    /// Wraps rank 0's observer; those of other ranks are never called.
    pub fn new(ranks: &'o R, observer: &'o mut dyn Observer<G>) -> Self {
        Self { ranks, observer }
    }
}

impl<R: Ranks, G: Layered> Observer<G> for RankObserver<'_, R, G> {
    fn progress(&mut self, game: &G, share: f64) -> ControlFlow<()> {
        let mut stop = [0];
        if self.ranks.rank() == 0 {
            stop = [u8::from(self.observer.progress(game, share).is_break())];
        }
        self.ranks.broadcast(&mut stop);
        if stop == [0] { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn checkpoint(&mut self, game: &G, part: Option<&G::Part>, kind: CheckpointKind) {
        if self.ranks.rank() == 0 {
            self.observer.checkpoint(game, part, kind);
        }
    }
}
