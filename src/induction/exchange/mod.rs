//! The sweep on several ranks: the solution of a state as ranks send it to each other.
//!
//! A state that starts from its neighbour's factorised system is solved on the rank that holds it; the memory limit of a layer's
//! systems counts all ranks. Only rank 0 keeps strategies.

mod history;

use std::time::Duration;

pub use history::LayerTrace;

pub(crate) use history::TraceCallback;

use self::history::History;
use super::sweep::Sweep;
use super::tables::{Batch, KeptSystem, Packed, SolvedState};
use crate::bounds::Bounds;
use crate::distributed::Exchanged;
use crate::game::codec::{Bytes, CodecError};
use crate::game::{Secured, State};
use crate::matrix_game::Basis;

/// The flags of a record: a player randomises; a system is handed on.
const RANDOMISED: u8 = 1;
const HANDED_ON: u8 = 2;

impl Exchanged for Sweep {
    type Kept = KeptSystem;
    type History = History;

    fn has_root_records(&self) -> bool {
        self.tables.finds_strategies
    }

    fn expected(&self, history: &History, state: State) -> (f32, Option<u16>) {
        history.expected(&self.tables, state)
    }

    fn note(&self, history: &mut History, state: State, owner: u16, seconds: f32) {
        history.note(self.tables.order, state, owner, seconds);
    }

    fn write(&self, batch: &Batch, for_all: &mut Vec<u8>, for_root: &mut Vec<u8>) {
        write(batch, for_all);
        if self.has_root_records() {
            write_strategies(batch, for_root);
        }
    }

    fn take_kept<'b>(&self, batch: &'b mut Batch) -> impl Iterator<Item = KeptSystem> + use<'b> {
        batch.solved.iter_mut().filter_map(|solved| solved.system.take())
    }

    fn clear(batch: &mut Batch) {
        batch.clear();
    }

    fn read(
        &self,
        state: State,
        record: &mut Bytes<'_>,
        for_root: Option<&mut Bytes<'_>>,
        kept: Option<&mut dyn Iterator<Item = KeptSystem>>,
        batch: &mut Batch,
    ) -> Result<f32, CodecError> {
        let mut solved = read(record, state, || kept?.next())?;
        if let Some(strategies) = for_root {
            solved.strategies = read_strategies(strategies, &mut batch.strategies)?;
        }
        let seconds = (solved.solving + solved.certifying).as_secs_f32();
        batch.solved.push(solved);
        Ok(seconds)
    }
}

/// Appends the bounds, bases, sizes of systems and times of a batch's states, which all ranks need.
fn write(batch: &Batch, out: &mut Vec<u8>) {
    for solved in &batch.solved {
        let flags = u8::from(solved.randomised) * RANDOMISED + u8::from(solved.system.is_some()) * HANDED_ON;
        out.push(flags);
        let Bounds { lower, upper } = solved.secured.bounds();
        for bound in [lower, upper] {
            out.extend(bound.to_le_bytes());
        }
        for time in [solved.solving, solved.certifying] {
            out.extend(time.as_secs_f32().to_le_bytes());
        }
        if let Some(system) = &solved.system {
            out.extend((system.bytes() as u64).to_le_bytes());
        }
        let Basis { rows, columns } = &solved.basis;
        for &number in [rows.len()].iter().chain(rows).chain(columns) {
            out.extend((number as u16).to_le_bytes());
        }
    }
}

/// Reads the record of a state, but for its strategies. `own` is the system that is handed on, if this rank holds it.
fn read(bytes: &mut Bytes<'_>, state: State, own: impl FnOnce() -> Option<KeptSystem>) -> Result<SolvedState, CodecError> {
    let [flags] = bytes.take()?;
    let [lower, upper] = [bytes.u64()?, bytes.u64()?].map(|word| word as i64);
    let mut time = || bytes.take().map(|bytes| Duration::try_from_secs_f32(f32::from_le_bytes(bytes)).unwrap_or_default());
    let (solving, certifying) = (time()?, time()?);
    let mut system = None;
    if flags & HANDED_ON != 0 {
        let size = bytes.u64()? as usize;
        system = Some(own().unwrap_or_else(|| KeptSystem::elsewhere(size)));
    }
    let size = bytes.u16()?;
    let mut bids = || (0..size).map(|_| bytes.u16().map(usize::from)).collect::<Result<_, _>>();
    let basis = Basis { rows: bids()?, columns: bids()? };
    let secured = Secured::from_bounds(Bounds { lower, upper });
    let randomised = flags & RANDOMISED != 0;
    Ok(SolvedState { state, secured, strategies: 0, randomised, basis, system, exact: None, solving, certifying })
}

/// Appends the strategies of a batch's states, for rank 0.
fn write_strategies(batch: &Batch, out: &mut Vec<u8>) {
    for solved in &batch.solved {
        for (bids, weights) in batch.strategies.pair(solved.strategies) {
            out.extend((bids.len() as u16).to_le_bytes());
            for (bid, weight) in bids.iter().zip(weights) {
                out.extend(bid.to_le_bytes());
                out.extend(weight.to_le_bytes());
            }
        }
    }
}

/// Reads the strategies of a state and returns their offset.
fn read_strategies(bytes: &mut Bytes<'_>, strategies: &mut Packed) -> Result<u64, CodecError> {
    let [start, _] = [read_strategy(bytes, strategies)?, read_strategy(bytes, strategies)?];
    Ok(start)
}

fn read_strategy(bytes: &mut Bytes<'_>, strategies: &mut Packed) -> Result<u64, CodecError> {
    let mut support = Vec::new();
    for _ in 0..bytes.u16()? {
        support.push((u32::from(bytes.u16()?), bytes.u64()?));
    }
    Ok(strategies.push(support.into_iter()))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::distributed::threads_as_ranks::on_threads;
    use crate::distributed::{RankSolver, Ranks};
    use crate::error::Error;
    use crate::game::Rules;
    use crate::induction::{Method, Tables, Task, run_sweep};
    use crate::layers::{LayerSolver, Observer, Piece, ThreadSolver};
    use crate::work::Threads;

    /// The number of states that started from a handed-on system, by rank.
    static STARTED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    /// A solver that checks that the systems its states start from are here.
    struct Checking {
        rank: usize,
        solver: Box<dyn LayerSolver<Sweep>>,
    }

    impl LayerSolver<Sweep> for Checking {
        fn solve(&mut self, sweep: &Sweep, piece: Piece<'_, State>, batches: &mut [Batch]) -> Result<f64, Error> {
            for state in piece.items.iter().filter(|state| state.a > 0 && state.b > 0) {
                let before = State::new(state.a - 1, state.b - 1, state.ball);
                if sweep.tables.hands_on(before) {
                    assert!(sweep.tables.system_of(before).is_some(), "the system of {before} lies with another rank");
                    STARTED[self.rank].fetch_add(1, Ordering::Relaxed);
                }
            }
            self.solver.solve(sweep, piece, batches)
        }
    }

    struct Nobody;

    impl Observer<Sweep> for Nobody {
        fn progress(&mut self, _: &Sweep, _: f64) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn checkpoint(&mut self, _: &Sweep, _: Option<&std::convert::Infallible>, _: bool) {}
    }

    /// Results would nearly always agree without the systems, too: a state without its system is factorised afresh.
    #[test]
    fn states_are_solved_where_the_systems_lie_that_they_start_from() {
        let task =
            Task { rules: Rules::tennis(), points: [60; 2], method: Method::Simplex, mirrored: true, keep_strategies: false };
        on_threads(3, |ranks| {
            let checking = Checking { rank: ranks.rank(), solver: Box::new(ThreadSolver::new(&Threads::alone())) };
            let mut solver = RankSolver::new(ranks, Box::new(checking), None);
            run_sweep(Tables::new(task, None), &mut solver, &mut Nobody).expect("a small game");
        });
        let started = STARTED.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert!(started.iter().all(|&count| count > 0), "{started:?}");
    }
}
