//! The solver of layers that works together with other ranks.

use std::time::Duration;

use super::ranks::{Gathered, Ranks};
use super::record;
use super::shares::Shares;
use super::trace::{LayerTrace, TraceCallback};
use crate::error::{DistributedError, Error};
use crate::game::State;
use crate::game::codec::{Bytes, CodecError};
use crate::induction::{Batch, LayerSolver, LayerTask, LocalSolver, states_a_batch};

/// Solves this rank's share of a layer by a solver of its own, and exchanges what the ranks have found.
pub(crate) struct RankSolver<'r, 't, R> {
    ranks: &'r R,
    solver: Box<LocalSolver>,
    /// Whether rank 0 keeps the strategies.
    strategies: bool,
    shares: Shares,
    /// The ranks that solve the states of a task, and the states and batches of this one.
    owners: Vec<u16>,
    states: Vec<State>,
    batches: Vec<Batch>,
    message: Vec<u8>,
    gathered: Gathered,
    gathered_strategies: Gathered,
    /// Hears of every exchange.
    trace: Option<Box<TraceCallback<'t>>>,
    /// By the driver's clock, the end of the last exchange.
    exchanged: Duration,
}

/// The time that the ranks took.
#[derive(Clone, Copy, Debug)]
struct RankSeconds {
    longest: f64,
    mean: f64,
}

impl<'r, 't, R: Ranks> RankSolver<'r, 't, R> {
    /// A rank that solves its share by `solver`; `strategies` says whether rank 0 wants to know them, and `trace` hears of every
    /// exchange.
    pub(crate) fn new(ranks: &'r R, solver: Box<LocalSolver>, strategies: bool, trace: Option<Box<TraceCallback<'t>>>) -> Self {
        Self {
            ranks,
            solver,
            strategies,
            shares: Shares::default(),
            owners: Vec::new(),
            states: Vec::new(),
            batches: Vec::new(),
            message: Vec::new(),
            gathered: Gathered::default(),
            gathered_strategies: Gathered::default(),
            trace,
            exchanged: Duration::ZERO,
        }
    }

    /// Enters the records of all ranks into the batches of a task, in the order of its states.
    fn enter(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<RankSeconds, Error> {
        let own = self.ranks.rank();
        let mut systems = self.batches.iter_mut().flat_map(|batch| batch.systems.drain(..)).map(|(_, system)| system);
        let mut records: Vec<_> = self.gathered.by_rank().map(Bytes).collect();
        let mut strategies: Vec<_> = self.gathered_strategies.by_rank().map(Bytes).collect();
        let garbled = |rank| move |_: CodecError| DistributedError::Garbled { rank };
        let (mut longest, mut sum) = (0.0_f64, 0.0);
        for (rank, record) in records.iter_mut().enumerate() {
            let seconds = f64::from_le_bytes(record.take().map_err(garbled(rank))?);
            longest = longest.max(seconds);
            sum += seconds;
        }
        let mean = sum / records.len() as f64;
        let a_batch = states_a_batch(task.tables);
        let states = task.states.chunks(a_batch).zip(self.owners.chunks(a_batch));
        for ((states, owners), batch) in states.zip(batches) {
            batch.clear();
            for (&state, &owner) in states.iter().zip(owners) {
                let rank = usize::from(owner);
                let kept_here = || if rank == own { systems.next() } else { None };
                let mut solved = record::read(&mut records[rank], state, kept_here, batch).map_err(garbled(rank))?;
                if task.strategies {
                    let start = record::read_strategies(&mut strategies[rank], &mut batch.strategies);
                    solved.strategies = start.map_err(garbled(rank))?;
                }
                self.shares.note(task.tables.order, state, owner, (solved.solving + solved.certifying).as_secs_f32());
                batch.solved.push(solved);
            }
        }
        Ok(RankSeconds { longest, mean })
    }
}

impl<R: Ranks> LayerSolver for RankSolver<'_, '_, R> {
    type Error = Error;

    fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<f64, Error> {
        let own = self.ranks.rank();
        self.shares.assign(task.tables, task.states, self.ranks.size(), &mut self.owners);
        self.states.clear();
        self.states.extend(
            task.states.iter().zip(&self.owners).filter(|(_, owner)| usize::from(**owner) == own).map(|(&state, _)| state),
        );
        self.batches.resize_with(self.states.len().div_ceil(states_a_batch(task.tables)), Batch::default);
        let share = LayerTask { states: &self.states, strategies: self.strategies, ..task };
        let seconds = self.solver.solve(share, &mut self.batches)?;
        let solved = task.clock.elapsed();
        self.message.clear();
        self.message.extend(seconds.to_le_bytes());
        self.batches.iter().for_each(|batch| record::write(batch, &mut self.message));
        self.ranks.all_gather(&self.message, &mut self.gathered)?;
        if self.strategies {
            self.message.clear();
            self.batches.iter().for_each(|batch| record::write_strategies(batch, &mut self.message));
            self.ranks.gather(&self.message, &mut self.gathered_strategies)?;
        }
        let (before, exchanged) = (self.exchanged, task.clock.elapsed());
        let RankSeconds { longest, mean } = self.enter(task, batches)?;
        self.exchanged = task.clock.elapsed();
        if let Some(trace) = &mut self.trace {
            // Until the last rank is ready nothing can be exchanged.
            let exchange = (exchanged.saturating_sub(solved).as_secs_f64() - (longest - seconds)).max(0.0);
            let all = self.exchanged.saturating_sub(before).as_secs_f64();
            let bytes = self.gathered.len() + if self.strategies { self.gathered_strategies.len() } else { 0 };
            let rest = (all - longest - exchange).max(0.0);
            trace(&LayerTrace { total: task.states[0].a + task.states[0].b, batches, bytes, longest, mean, exchange, rest });
        }
        Ok(longest)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::distributed::threads_as_ranks::on_threads;
    use crate::game::Rules;
    use crate::induction::{Method, Observer, Progress, Tables, Task, layer_solver, run_sweep};
    use crate::work::WorkError;

    /// States that started from a handed-on system, by rank.
    static STARTED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    /// A solver that makes sure of the systems which its states are to start from.
    struct Checking {
        rank: usize,
        solver: Box<LocalSolver>,
    }

    impl LayerSolver for Checking {
        type Error = WorkError;

        fn solve(&mut self, task: LayerTask<'_>, batches: &mut [Batch]) -> Result<f64, WorkError> {
            for state in task.states.iter().filter(|state| state.a > 0 && state.b > 0) {
                let before = State::new(state.a - 1, state.b - 1, state.ball);
                if task.tables.hands_on(before) {
                    assert!(task.tables.system_of(before).is_some(), "the system of {before} lies with another rank");
                    STARTED[self.rank].fetch_add(1, Ordering::Relaxed);
                }
            }
            self.solver.solve(task, batches)
        }
    }

    struct Nobody;

    impl Observer for Nobody {
        fn progress(&mut self, _: Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn checkpoint(&mut self, _: &Tables, _: bool) {}
    }

    /// Results would agree otherwise, too, nearly always: a state without its system is factorised afresh.
    #[test]
    fn states_are_solved_where_the_systems_lie_that_they_start_from() {
        let task =
            Task { rules: Rules::tennis(), points: [60; 2], method: Method::Simplex, mirrored: true, keep_strategies: false };
        on_threads(3, |ranks| {
            let checking = Checking { rank: ranks.rank(), solver: layer_solver(1).expect("one thread") };
            let mut solver = RankSolver::new(ranks, Box::new(checking), false, None);
            run_sweep(&mut Tables::new(task, None), &mut solver, &mut Nobody).expect("a small game");
        });
        let started = STARTED.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert!(started.iter().all(|&count| count > 0), "{started:?}");
    }
}
