use std::path::Path;

#[cfg(feature = "mpi")]
use anyhow::Context;
#[cfg(feature = "mpi")]
use pencil_tennis::LayerTrace;
#[cfg(feature = "mpi")]
use pencil_tennis::mpi::{
    Threading,
    environment::Universe,
    initialize_with_threading,
    topology::SimpleCommunicator,
    traits::{Communicator, CommunicatorCollectives},
};
use pencil_tennis::{Solution, Solver};

use super::checkpoints::Keeper;
#[cfg(feature = "mpi")]
use super::checkpoints::solve_by;
#[cfg(feature = "mpi")]
use super::interrupt::{self, interruptible};
use super::wrong_usage;

/// The variables in which MPI libraries and launchers give the number of processes.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];

#[derive(Debug, thiserror::Error)]
#[error("another rank says why")]
pub(crate) struct ToldElsewhere;

/// Rejects repeating the whole work in every process of a job.
pub(super) fn check_alone() {
    let size = SIZES.into_iter().find_map(|name| std::env::var(name).ok()?.parse::<u32>().ok());
    if let Some(size) = size.filter(|&size| size > 1) {
        wrong_usage(format!("this is one of {size} processes of an MPI job, each of which would solve the game; expected --mpi"));
    }
}

/// Solves together with the other ranks of the job; rank 0 gets the solution and does all input and output. `traces` are files
/// for the times of layers and of states.
#[cfg(feature = "mpi")]
pub(super) fn solve(
    solver: impl FnOnce(bool) -> anyhow::Result<Solver<'static>>,
    keeper: &Keeper<'_>,
    traces: [Option<&Path>; 2],
) -> anyhow::Result<Option<Solution>> {
    let world = World::join()?;
    let solver = world.agree(solver(world.is_root()))?;
    world.solve(solver, keeper, traces)
}

#[cfg(feature = "mpi")]
struct World {
    world: SimpleCommunicator,
    _universe: Universe,
}

#[cfg(feature = "mpi")]
impl World {
    fn join() -> anyhow::Result<Self> {
        let (universe, _) = initialize_with_threading(Threading::Funneled).context("MPI has been started before")?;
        let world = Self { world: universe.world(), _universe: universe };
        if !world.is_root() {
            interrupt::be_silent();
        }
        Ok(world)
    }

    fn is_root(&self) -> bool {
        self.world.rank() == 0
    }

    /// Waits for the preparation of all ranks; if some failed, the first of them reports why.
    fn agree<T>(&self, own: anyhow::Result<T>) -> anyhow::Result<T> {
        let mut failed = vec![false; self.world.size() as usize];
        self.world.all_gather_into(&own.is_err(), &mut failed[..]);
        match failed.iter().position(|&failed| failed) {
            Some(first) if first != self.world.rank() as usize => {
                interrupt::be_silent();
                Err(ToldElsewhere.into())
            }
            _ => own,
        }
    }

    fn solve(
        &self,
        solver: Solver<'_>,
        keeper: &Keeper<'_>,
        [layers, states]: [Option<&Path>; 2],
    ) -> anyhow::Result<Option<Solution>> {
        if self.is_root() {
            let mut trace = Trace::default();
            let note = |layer: &LayerTrace<'_>| trace.note(layer, states.is_some());
            let solver = if layers.or(states).is_some() { solver.on_layer(note) } else { solver };
            let solution = solve_by(|solver| solver.solve_on(&self.world), solver, keeper)?;
            for (path, text) in [(layers, &trace.layers), (states, &trace.states)] {
                if let Some(path) = path {
                    interrupt::write(path, Box::new(|out| out.write_all(text)))?;
                }
            }
            return Ok(solution);
        }
        // Rank 0 hears Ctrl-C and tells the others; an error on one rank is an error on all.
        interruptible(|| solver.solve_on(&self.world)).map_err(|_| ToldElsewhere.into())
    }
}

#[cfg(feature = "mpi")]
struct Trace {
    layers: Vec<u8>,
    states: Vec<u8>,
}

#[cfg(feature = "mpi")]
impl Default for Trace {
    fn default() -> Self {
        Self { layers: b"total,states,bytes,longest,mean,exchange,rest\n".to_vec(), states: b"a,b,ball,seconds\n".to_vec() }
    }
}

#[cfg(feature = "mpi")]
impl Trace {
    fn note(&mut self, layer: &LayerTrace<'_>, with_states: bool) {
        let &LayerTrace { total, bytes, longest, mean, exchange, rest, .. } = layer;
        let states = layer.states().count();
        let line = format!("{total},{states},{bytes},{longest:.7},{mean:.7},{exchange:.7},{rest:.7}\n");
        self.layers.extend(line.into_bytes());
        for (state, seconds) in layer.states().filter(|_| with_states) {
            self.states.extend(format!("{},{},{},{seconds:.7}\n", state.a, state.b, state.ball).into_bytes());
        }
    }
}

#[cfg(not(feature = "mpi"))]
pub(super) fn solve(
    _: impl FnOnce(bool) -> anyhow::Result<Solver<'static>>,
    _: &Keeper<'_>,
    _: [Option<&Path>; 2],
) -> anyhow::Result<Option<Solution>> {
    wrong_usage("--mpi is not part of this build, which was made without the feature mpi")
}
