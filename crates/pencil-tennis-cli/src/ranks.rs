//! Solves together with the other processes of a job.

use std::path::Path;

#[cfg(feature = "mpi")]
use anyhow::Context;
#[cfg(feature = "mpi")]
use pencil_tennis::mpi::{
    Threading, initialize_with_threading,
    topology::SimpleCommunicator,
    traits::{Communicator, CommunicatorCollectives},
};
#[cfg(feature = "mpi")]
use pencil_tennis::{LayerTrace, State};
use pencil_tennis::{Solution, Solver};

use super::checkpoints::Keeper;
#[cfg(feature = "mpi")]
use super::checkpoints::solve_by;
#[cfg(feature = "mpi")]
use super::interrupt::{self, interruptible};
use super::usage::wrong_usage;

/// The variables in which MPI libraries and launchers give the number of processes.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];

/// A process of a job: the root, rank 0, does all input and output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rank {
    Root,
    #[cfg_attr(not(feature = "mpi"), expect(dead_code, reason = "of several processes"))]
    Other,
}

#[derive(Debug, thiserror::Error)]
#[error("another rank says why")]
pub(crate) struct ReportedByOtherRank;

/// Rejects repeating the whole work in every process of a job.
pub(super) fn check_alone() {
    let size = SIZES.into_iter().find_map(|name| std::env::var(name).ok()?.parse::<u32>().ok());
    if let Some(size) = size.filter(|&size| size > 1) {
        wrong_usage(format!(
            "this is one of {size} processes of an MPI job, each of which would solve the game; expected --mpi"
        ));
    }
}

/// Solves together with the other ranks of the job; rank 0 gets the solution and does all input and
/// output. `traces` are files for the times of layers and of states.
#[cfg(feature = "mpi")]
pub(super) fn solve<'k>(
    solver: impl FnOnce(Rank) -> anyhow::Result<Solver<'static>>,
    keeper: impl FnOnce() -> Keeper<'k>,
    traces: [Option<&Path>; 2],
) -> anyhow::Result<Option<Solution>> {
    let (universe, _) =
        initialize_with_threading(Threading::Funneled).context("MPI has been started before")?;
    let world = universe.world();
    let rank = if world.rank() == 0 { Rank::Root } else { Rank::Other };
    if rank == Rank::Other {
        interrupt::be_silent();
    }
    let solver = agreed(&world, solver(rank))?;
    if rank == Rank::Other {
        // Rank 0 hears Ctrl-C and tells the others; an error on one rank is an error on all.
        return interruptible(|| solver.solve_on(&world)).map_err(|_| ReportedByOtherRank.into());
    }
    let mut texts = [
        "total,states,bytes,longest,mean,exchange,rest\n".to_owned(),
        "a,b,ball,seconds\n".to_owned(),
    ];
    let note = |layer: &LayerTrace<'_>| {
        let &LayerTrace { total, bytes, longest, mean, exchange, rest, .. } = layer;
        let states = layer.states().count();
        texts[0].extend([format!(
            "{total},{states},{bytes},{longest:.7},{mean:.7},{exchange:.7},{rest:.7}\n"
        )]);
        let line = |(State { a, b, ball }, seconds)| format!("{a},{b},{ball},{seconds:.7}\n");
        texts[1].extend(layer.states().filter(|_| traces[1].is_some()).map(line));
    };
    let solver = if traces == [None; 2] { solver } else { solver.on_layer(note) };
    let solution = solve_by(|solver| solver.solve_on(&world), solver, &keeper())?;
    for (path, text) in traces.into_iter().zip(&texts) {
        if let Some(path) = path {
            interrupt::write(path, None, &|out| out.write_all(text.as_bytes()))?;
        }
    }
    Ok(solution)
}

/// Waits for the preparation of all ranks; if some failed, the first of them reports why.
#[cfg(feature = "mpi")]
fn agreed<T>(world: &SimpleCommunicator, prepared: anyhow::Result<T>) -> anyhow::Result<T> {
    let mut failed = vec![false; world.size() as usize];
    world.all_gather_into(&prepared.is_err(), &mut failed[..]);
    match failed.iter().position(|&failed| failed) {
        Some(first) if first != world.rank() as usize => {
            interrupt::be_silent();
            Err(ReportedByOtherRank.into())
        }
        _ => prepared,
    }
}

#[cfg(not(feature = "mpi"))]
pub(super) fn solve<'k>(
    _: impl FnOnce(Rank) -> anyhow::Result<Solver<'static>>,
    _: impl FnOnce() -> Keeper<'k>,
    _: [Option<&Path>; 2],
) -> anyhow::Result<Option<Solution>> {
    wrong_usage("--mpi is not part of this build, which was made without the feature mpi")
}
