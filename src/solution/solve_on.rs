//! Solves with several processes.

use super::table_file::{Header, read_tables, write};
use super::{Solution, Solver};
use crate::error::{DistributedError, Error};
use crate::induction::{LayerTrace, run_sweep};
use crate::work::Threads;
use stochastic_game::internal::distributed::{
    RankObserver, RankSolver, Ranks, agree, check_program, check_same,
};
use stochastic_game::internal::layers::ThreadSolver;

#[cfg(feature = "mpi")]
impl<'p> Solver<'p> {
    /// Sets a callback that hears, on rank 0, the times of every layer of
    /// [`solve_on`](Self::solve_on).
    pub fn on_layer(mut self, trace: impl FnMut(&LayerTrace<'_>) + Send + 'p) -> Self {
        self.trace = Some(crate::work::Callback::new(Box::new(trace)));
        self
    }
}

impl Solver<'_> {
    /// Solves every state together with the other ranks of an MPI world, all of which make this
    /// call.
    ///
    /// Rank 0 gets the same bytes as from [`solve`](Self::solve), for any number of ranks and
    /// threads; the others get `None`. Every rank holds the tables and uses [its
    /// threads](Self::threads). Callbacks and strategies belong to rank 0, whose
    /// [checkpoint](Self::resume), if any, determines the game for all.
    ///
    /// ```no_run
    /// use pencil_tennis::mpi;
    /// use pencil_tennis::{Rules, Solver};
    ///
    /// let (universe, _) = mpi::initialize_with_threading(mpi::Threading::Funneled).expect("MPI starts once");
    /// let solver = Solver::new(&Rules::tennis()).points([1_000; 2]).keep_strategies(false).threads(8);
    /// if let Some(solution) = solver.solve_on(&universe.world())? {
    ///     println!("{} states", solution.states().count());
    /// }
    /// # Ok::<(), pencil_tennis::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DistributedError`] on all ranks, if programs or games differ, or [exact](Self::exact)
    /// values are asked for, which are not exchanged.
    ///
    /// # Panics
    /// A rank that dies, or whose callback panics, aborts the whole job.
    #[cfg(feature = "mpi")]
    pub fn solve_on(
        self,
        world: &impl mpi::traits::Communicator,
    ) -> Result<Option<Solution>, Error> {
        self.solve_on_ranks(&stochastic_game::internal::distributed::Communicating::new(world))
    }

    fn solve_on_ranks(mut self, ranks: &impl Ranks) -> Result<Option<Solution>, Error> {
        check_program(ranks)?;
        let threads = agree(ranks, self.check_on_ranks())?;
        let (is_root, task) = (ranks.rank() == 0, self.task());
        let mut flags = [self.resumed.is_some(), task.keep_strategies].map(u8::from);
        ranks.broadcast(&mut flags);
        let [resumed, finds_strategies] = flags.map(|flag| flag != 0);
        if !resumed {
            check_same(ranks, &Header { task, layers_done: 0, randomised: 0 }.write(), |rank| {
                DistributedError::OtherGame { rank }
            })?;
        }
        let started = agree(ranks, if is_root { self.start().map(Some) } else { Ok(None) })?;
        // The other ranks begin with a table file of what rank 0 begins with.
        let mut file = Vec::new();
        if let Some(tables) = &started {
            // Memory takes any bytes.
            write(tables, None, &mut file).ok();
        }
        let mut length = (file.len() as u64).to_le_bytes();
        ranks.broadcast(&mut length);
        file.resize(u64::from_le_bytes(length) as usize, 0);
        ranks.broadcast(&mut file);
        let limit = self.memory_limit;
        let mut tables = agree(ranks, started.map_or_else(|| read_tables(&file, limit), Ok))?;
        drop(file);
        tables.finds_strategies = finds_strategies;
        let trace = self.trace.take().filter(|_| is_root).map(|mut trace| {
            Box::new(move |batches: &[_], bytes, times| {
                (trace.get())(&LayerTrace::new(batches, bytes, times));
            }) as Box<_>
        });
        let mut solver = RankSolver::new(ranks, Box::new(ThreadSolver::new(&threads)), trace);
        let (tables, seconds) =
            run_sweep(tables, &mut solver, &mut RankObserver::new(ranks, &mut self))?;
        Ok(is_root.then(|| Solution::new(tables, seconds, self.threads)))
    }

    fn check_on_ranks(&self) -> Result<Threads, Error> {
        if self.exact_bits.is_some() {
            return Err(DistributedError::Exact.into());
        }
        self.rules.check_even_handed("a solution")?;
        self.check()?;
        Ok(Threads::start(Threads::checked(self.threads)?)?)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use super::*;
    use crate::game::{Motion, Rules};
    use crate::solution::TableFile;
    use crate::work::WorkError;
    use stochastic_game::internal::distributed::threads_as_ranks::on_threads;

    /// A game whose systems are sent, one without symmetry, and one in which bids of 0 repeat a
    /// state.
    fn games() -> [(Rules, [u32; 2]); 3] {
        let scoring = "1,1/2,1/3,0,-2".parse().expect("five payoffs");
        let zero =
            Rules::oshi_zumo(2).and_then(|rules| rules.with_min_bid(0)).expect("0 is possible");
        [
            (Rules::tennis(), [60, 60]),
            (Rules::new(3, Motion::Step, scoring).expect("a small field"), [27, 60]),
            (zero, [14, 14]),
        ]
    }

    fn solver(game: (Rules, [u32; 2]), threads: usize) -> Solver<'static> {
        let (rules, points) = game;
        Solver::new(&rules).points(points).threads(if cfg!(feature = "threads") {
            threads
        } else {
            1
        })
    }

    fn table(solution: &Solution) -> Vec<u8> {
        let mut bytes = Vec::new();
        solution.write_table(&mut bytes).expect("room in memory");
        bytes
    }

    fn on_ranks(
        size: usize,
        solver: impl Fn(usize) -> Solver<'static> + Sync,
    ) -> Result<Vec<u8>, Error> {
        let mut results = on_threads(size, |ranks| {
            Ok(solver(ranks.rank()).solve_on_ranks(ranks)?.as_ref().map(table))
        });
        assert!(
            results[1..].iter().all(|result| !matches!(result, Ok(Some(_)))),
            "rank 0 alone has a solution"
        );
        results.swap_remove(0).map(|table| table.expect("rank 0 has a solution"))
    }

    #[test]
    fn any_number_of_ranks_and_threads_gives_the_same_bytes() {
        for game in games() {
            for keep in [true, false] {
                let alone =
                    table(&solver(game, 1).keep_strategies(keep).solve().expect("a small game"));
                for (size, threads) in [(1, 1), (2, 1), (3, 2), (4, 1), (7, 1)] {
                    let together = on_ranks(size, |_| solver(game, threads).keep_strategies(keep));
                    assert!(
                        together.expect("a small game") == alone,
                        "{size} ranks of {threads} threads, {game:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_checkpoint_goes_on_with_any_number_of_ranks() {
        let [game, ..] = games();
        let alone = table(&solver(game, 1).solve().expect("a small game"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("part");
        let stopped = on_threads(3, |ranks| {
            let half = |share| {
                assert_eq!(ranks.rank(), 0, "the others are not asked");
                if share < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let write = |checkpoint: &crate::solution::Checkpoint<'_>| {
                assert_eq!(ranks.rank(), 0, "the others write nothing");
                checkpoint.write(std::fs::File::create(&path).expect("room")).expect("room");
            };
            solver(game, 1)
                .on_progress(half)
                .on_checkpoint(Duration::ZERO, write)
                .solve_on_ranks(ranks)
                .map(|_| ())
        });
        assert!(stopped.into_iter().all(|result| result == Err(WorkError::Cancelled.into())));
        let open = || TableFile::open(&path).expect("it was written");
        assert!(
            table(
                &Solver::new(&Rules::tennis())
                    .resume(open())
                    .threads(1)
                    .solve()
                    .expect("a checkpoint")
            ) == alone
        );
        for size in [1, 2, 4] {
            // The other ranks need neither the file nor the game.
            let resumed = on_ranks(size, |rank| {
                if rank == 0 {
                    Solver::new(&Rules::tennis()).resume(open()).threads(1)
                } else {
                    Solver::new(&Rules::tennis())
                }
            });
            assert!(resumed.expect("a checkpoint") == alone, "{size} ranks");
        }
    }

    #[test]
    fn ranks_that_do_not_fit_together_are_refused() {
        let refusals = |solver: &(dyn Fn(usize) -> Solver<'static> + Sync)| {
            on_threads(3, |ranks| {
                solver(ranks.rank()).solve_on_ranks(ranks).expect_err("it is refused").to_string()
            })
        };
        let [game, other, _] = games();
        let odd_one = refusals(&|rank| solver(if rank == 2 { other } else { game }, 1));
        assert_eq!(
            odd_one,
            ["rank 2 was asked to solve another game, or in another way, than rank 0"; 3]
        );
        let exact = refusals(&|_| solver(game, 1).exact(64));
        assert_eq!(
            exact,
            ["exact values are found by one process alone; expected a solve without them on several ranks";
                3]
        );
        let poor = refusals(&|rank| {
            solver(game, 1).memory_limit(if rank == 1 { 1 << 10 } else { 1 << 30 })
        });
        let reason =
            "a game of 60:60 points would take 1.6 MiB of memory, above the limit of 1.0 KiB";
        assert_eq!(poor[1], reason);
        assert_eq!([&poor[0], &poor[2]], [&format!("rank 1: {reason}"); 2]);
    }
}
