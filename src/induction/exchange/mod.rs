//! The sweep on several ranks: the solution of a state as ranks send it to each other.
//!
//! A state that starts from its neighbour's factorised system is solved on the rank that holds it;
//! the memory limit of a layer's systems counts all ranks. Only rank 0 keeps strategies.

mod trace;

use std::collections::HashMap;
use std::time::Duration;

pub use trace::LayerTrace;

pub(crate) use trace::TraceCallback;

use super::sweep::{Sweep, work};
use super::tables::{KeptSystem, SolvedState};
use crate::bounds::Bounds;
use crate::game::{Ball, State};
use crate::matrix_game::DyadicStrategy;
use stochastic_game::internal::codec::Bytes;
use stochastic_game::internal::distributed::Exchanged;
use stochastic_game::internal::layers::Layered;

/// The flags of a record: a player randomises; a system is handed on.
const RANDOMISED: u8 = 1;
const HANDED_ON: u8 = 2;

/// The rank and the seconds of the last solved state with each difference of points and each ball.
///
/// A state takes about as long as the one before it in this sense, two layers earlier, with one
/// point less on either side.
type History = HashMap<(i64, Ball), (u16, f32)>;

fn line(state: State) -> (i64, Ball) {
    (i64::from(state.a) - i64::from(state.b), state.ball)
}

impl Exchanged for Sweep {
    type History = History;

    fn expected(&self, history: &History, state: State) -> (f32, Option<u16>) {
        match history.get(&line(state)) {
            Some(&(owner, seconds)) => {
                let before = State::new(state.a - 1, state.b - 1, state.ball);
                (seconds, self.tables.systems.is_kept(before).then_some(owner))
            }
            None => ((Self::SECONDS * work(state)) as f32, None),
        }
    }

    fn note(&self, history: &mut History, state: State, owner: u16, seconds: f32) {
        history.insert(line(state), (owner, seconds.max(0.0)));
    }

    fn write(&self, batch: &Vec<SolvedState>, for_all: &mut Vec<u8>, for_root: &mut Vec<u8>) {
        for solved in batch {
            let flags = u8::from(solved.randomised) * RANDOMISED
                + u8::from(solved.system.is_some()) * HANDED_ON;
            for_all.push(flags);
            let Bounds { lower, upper } = solved.bounds;
            for bound in [lower, upper] {
                for_all.extend(bound.to_le_bytes());
            }
            for time in [solved.solving, solved.certifying] {
                for_all.extend(time.as_secs_f32().to_le_bytes());
            }
            if let Some(system) = &solved.system {
                for_all.extend((system.bytes as u64).to_le_bytes());
            }
            for number in [(solved.basis.len() / 2) as u16].iter().chain(&solved.basis) {
                for_all.extend(number.to_le_bytes());
            }
            for strategy in solved.strategies.iter().flatten() {
                for_root.extend((strategy.support().len() as u16).to_le_bytes());
                for (choice, weight) in strategy.support() {
                    for_root.extend((*choice as u16).to_le_bytes());
                    for_root.extend(weight.to_le_bytes());
                }
            }
        }
    }

    fn read(
        &self,
        state: State,
        record: &mut Bytes<'_>,
        for_root: Option<&mut Bytes<'_>>,
        batch: &mut Vec<SolvedState>,
    ) -> Result<f32, String> {
        let [flags] = record.take()?;
        let [lower, upper] = [record.u64()?, record.u64()?].map(|word| word as i64);
        let mut time = || {
            record.take().map(|bytes| {
                Duration::try_from_secs_f32(f32::from_le_bytes(bytes)).unwrap_or_default()
            })
        };
        let (solving, certifying) = (time()?, time()?);
        let mut system = None;
        if flags & HANDED_ON != 0 {
            system = Some(KeptSystem { bytes: record.u64()? as usize, factorisation: None });
        }
        let basis =
            (0..2 * u32::from(record.u16()?)).map(|_| record.u16()).collect::<Result<_, _>>()?;
        let strategies = for_root
            .map(|record| Ok::<_, String>([read_strategy(record)?, read_strategy(record)?]));
        let solved = SolvedState {
            state,
            bounds: Bounds { lower, upper },
            strategies: strategies.transpose()?,
            randomised: flags & RANDOMISED != 0,
            basis,
            system,
            exact: None,
            solving,
            certifying,
        };
        let seconds = solved.time().as_secs_f32();
        batch.push(solved);
        Ok(seconds)
    }

    fn keep(&self, solved: &mut Vec<SolvedState>, index: usize, read: &mut Vec<SolvedState>) {
        if let Some(state) = read.last_mut() {
            state.system = solved[index].system.take();
        }
    }
}

fn read_strategy(record: &mut Bytes<'_>) -> Result<DyadicStrategy, String> {
    let size = record.u16()?;
    let support: Vec<(u32, i64)> = (0..size)
        .map(|_| Ok((record.u16()?.into(), record.u64()? as i64)))
        .collect::<Result<_, String>>()?;
    let mut strategy = DyadicStrategy::default();
    strategy.assign(support.into_iter());
    Ok(strategy)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::game::Rules;
    use crate::induction::{Method, Tables, Task, run_sweep};
    use crate::solution::Solver;
    use crate::work::Threads;
    use stochastic_game::Error;
    use stochastic_game::internal::distributed::threads_as_ranks::on_threads;
    use stochastic_game::internal::distributed::{RankSolver, Ranks};
    use stochastic_game::internal::layers::{LayerSolver, Piece, ThreadSolver};

    /// The number of states that started from a handed-on system, by rank.
    static STARTED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    /// A solver that checks that the systems its states start from are here.
    struct Checking {
        rank: usize,
        solver: Box<dyn LayerSolver<Sweep>>,
    }

    impl LayerSolver<Sweep> for Checking {
        fn solve(
            &mut self,
            sweep: &Sweep,
            piece: Piece<'_, State>,
            batches: &mut [Vec<SolvedState>],
        ) -> Result<f64, Error> {
            for state in piece.items.iter().filter(|state| state.a > 0 && state.b > 0) {
                let before = State::new(state.a - 1, state.b - 1, state.ball);
                if sweep.tables.systems.is_kept(before) {
                    assert!(
                        sweep.tables.systems.of(before).is_some(),
                        "the system of {before} lies with another rank"
                    );
                    STARTED[self.rank].fetch_add(1, Ordering::Relaxed);
                }
            }
            self.solver.solve(sweep, piece, batches)
        }
    }

    /// Results would nearly always agree without the systems, too: a state without its system is
    /// factorised afresh.
    #[test]
    fn states_are_solved_where_the_systems_lie_that_they_start_from() {
        let task = Task {
            rules: Rules::tennis(),
            points: [60; 2],
            method: Method::Simplex,
            mirrored: true,
            keep_strategies: false,
        };
        on_threads(3, |ranks| {
            let checking = Checking {
                rank: ranks.rank(),
                solver: Box::new(ThreadSolver::new(&Threads::alone())),
            };
            let mut solver = RankSolver::new(ranks, Box::new(checking), None);
            run_sweep(Tables::new(task, None), &mut solver, &mut Solver::new(&Rules::tennis()))
                .expect("a small game");
        });
        let started = STARTED.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert!(started.iter().all(|&count| count > 0), "{started:?}");
    }
}
