//! The layers of a ranked game, for the driver: blocks of ranks are its items.

use std::ops::Range;

use super::RankedRules;
use super::kept::Kept;
use super::stages::{Buffers, Stages, Successors};
use crate::bounds::{Bounds, Enclosure};
use crate::error::{Error, StochasticGameError, StochasticGameFault};
use crate::explore::refuse_state;
use crate::layers::Layered;
use crate::model::PayoffLimit;
use crate::work::Clock;

/// The states of a block: some milliseconds of small matrices, so that threads share a layer evenly
/// and a layer has few blocks.
pub(super) const BLOCK: u64 = 512;

/// A ranked game while it is solved.
pub(super) struct RankedSweep<R: RankedRules> {
    pub(super) rules: R,
    pub(super) limit: PayoffLimit,
    /// In bytes.
    memory_limit: u64,
    pub(super) kept: Kept<'static>,
    /// The matrix games that this process has solved.
    pub(super) matrices: u64,
    pub(super) stored: Stored,
    /// The shared data of the incomplete layer.
    shared: Option<R::Layer>,
}

/// The part of the bounds that was read from a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stored {
    /// The number of states whose bounds were read, or rest on layers that were not kept, and of
    /// which only a sample was proved.
    pub(super) states: u64,
    /// The seed of the sample.
    pub(super) seed: Option<u64>,
}

/// The bounds of some blocks.
#[derive(Default)]
pub(super) struct Solved {
    pub(super) bounds: Vec<Bounds>,
    pub(super) matrices: u64,
}

/// The matrix games that proved the bounds of a state: those of its ranks, or those of the rules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Ranks,
    Rules,
}

impl<R: RankedRules> RankedSweep<R> {
    pub(super) fn new(rules: R, limit: PayoffLimit, memory_limit: u64) -> Self {
        Self {
            rules,
            limit,
            memory_limit,
            kept: Kept::nothing(),
            matrices: 0,
            stored: Stored::default(),
            shared: None,
        }
    }

    /// The number of items that are stored.
    pub(super) fn solved(&self) -> u64 {
        let complete = 0..self.kept.layer_in_work();
        let before: u64 = complete.map(|layer| self.rules.len(layer).div_ceil(BLOCK)).sum();
        before + self.kept.solved().div_ceil(BLOCK)
    }

    /// The most bytes that bounds take at a time.
    pub(super) fn bytes(&self) -> u64 {
        let states = |layer| {
            (self.rules.needs(layer)..=layer)
                .fold(0, |sum: u64, other| sum.saturating_add(self.rules.len(other)))
        };
        (0..self.rules.layers())
            .map(states)
            .max()
            .unwrap_or(0)
            .saturating_mul(size_of::<Bounds>() as u64)
    }

    pub(super) fn ranks(&self, (layer, block): (u32, u32)) -> Range<u64> {
        let begin = u64::from(block) * BLOCK;
        begin..(begin + BLOCK).min(self.rules.len(layer))
    }

    /// The successors of the states of a layer.
    pub(super) const fn successors<'k>(&self, kept: &'k Kept<'k>, layer: u32) -> Successors<'k> {
        Successors { kept, limit: self.limit, layer, memory_limit: self.memory_limit }
    }

    /// Finds the bounds of a state from the layers before.
    pub(super) fn solve_state(
        &self,
        kept: &Kept<'_>,
        buffers: &mut Buffers,
        shared: &R::Layer,
        layer: u32,
        rank: u64,
    ) -> Result<(Bounds, Source), StochasticGameError> {
        let mut stages = Stages::new(self.successors(kept, layer), buffers);
        if !self.rules.stages(shared, rank, &mut stages) {
            let bounds = stages.bounds_by_rules(&self.rules, &self.rules.state(layer, rank), 0)?;
            return Ok((bounds, Source::Rules));
        }
        let bounds = stages.finish();
        let bounds = bounds
            .map_err(|fault| refuse_state(&self.rules, &self.rules.state(layer, rank), fault))?;
        Ok((bounds, Source::Ranks))
    }

    /// Checks a rank by its state, and its bounds by those that the rules prove: they have to meet
    /// bounds by ranks, and to be the same as before where the rules gave them.
    ///
    /// # Errors
    /// [`StochasticGameFault::Rank`], [`StochasticGameFault::Contradiction`], or the first fault of
    /// the rules.
    fn check(
        &self,
        layer: u32,
        rank: u64,
        found: Bounds,
        source: Source,
    ) -> Result<(), StochasticGameError> {
        let state = self.check_rank(layer, rank)?;
        let by_rules = self.by_rules(&self.kept, layer, &state)?;
        match source {
            Source::Ranks => self.check_meeting(&state, found, by_rules),
            Source::Rules if by_rules == found => Ok(()),
            Source::Rules => {
                Err(refuse_state(&self.rules, &state, StochasticGameFault::Contradiction))
            }
        }
    }

    pub(super) fn enclosed(&self, bounds: Bounds) -> Enclosure {
        Enclosure::proved(bounds, self.limit.scale.exponent)
    }

    /// Completes the incomplete layer, and forgets the layers that are not needed after it.
    pub(super) fn complete_layer(&mut self) {
        let needed = self.needed_after(self.kept.layer_in_work());
        self.kept.complete_layer();
        self.kept.forget_before(needed);
    }

    /// The first layer that is needed after this one: for the next, or for strategies of the last.
    pub(super) fn needed_after(&self, layer: u32) -> u32 {
        self.rules.needs((layer + 1).min(self.rules.layers() - 1)).min(layer)
    }
}

/// A number below a count, as if drawn at random.
fn drawn(layer: u32, block: u32, count: u64) -> u64 {
    let mixed = (u64::from(layer) << 32 | u64::from(block))
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) % count.max(1)
}

impl<R: RankedRules> Layered for RankedSweep<R> {
    type Item = (u32, u32);
    type Worker = Buffers;
    type Batch = Solved;
    type Part = ();

    /// A state of some five matrices of 6 by 6, with the work of 7³.
    const SECONDS: f64 = 1e-8;

    fn items_a_batch(&self) -> usize {
        1
    }

    fn layers(&self) -> Range<u32> {
        0..self.rules.layers()
    }

    fn items(&self, layer: u32) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rules.len(layer).div_ceil(BLOCK) as u32).map(move |block| (layer, block))
    }

    fn work(&self, item: (u32, u32)) -> f64 {
        let ranks = self.ranks(item);
        (ranks.end - ranks.start) as f64 * self.rules.work(item.0)
    }

    fn begin_layer(&mut self, layer: u32) {
        let len = self.rules.len(layer) as usize;
        let current = self.kept.current();
        current.reserve_exact(len.saturating_sub(current.len()));
        self.shared = Some(self.rules.layer(layer));
    }

    fn solve(
        &self,
        buffers: &mut Buffers,
        items: &[(u32, u32)],
        batch: &mut Solved,
        _: Clock,
    ) -> Result<(), Error> {
        batch.bounds.clear();
        buffers.matrices = 0;
        let Some(shared) = &self.shared else { return Ok(()) };
        for &(layer, block) in items {
            let ranks = self.ranks((layer, block));
            let drawn = ranks.start + drawn(layer, block, ranks.end - ranks.start);
            for rank in ranks {
                let (bounds, source) =
                    self.solve_state(&self.kept, buffers, shared, layer, rank)?;
                batch.bounds.push(bounds);
                if rank == drawn || rank + 1 == self.rules.len(layer) {
                    self.check(layer, rank, bounds, source)?;
                }
            }
        }
        batch.matrices = buffers.matrices;
        Ok(())
    }

    fn store(&mut self, _: &[(u32, u32)], batches: &mut [Solved]) -> bool {
        for Solved { bounds, matrices } in batches {
            self.matrices += *matrices;
            self.kept.current().append(bounds);
        }
        true
    }

    fn end_layer(&mut self, _: u32) -> bool {
        self.complete_layer();
        self.shared = None;
        true
    }
}
