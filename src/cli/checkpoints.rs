use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use pencil_tennis::blind::{BlindSolution, BlindSolver};
use pencil_tennis::bounds::rounded_up;
use pencil_tennis::stochastic_game::{StochasticSolution, StochasticSolver};
use pencil_tennis::{Checkpoint, Error, Solution, Solver, Watch};

use super::game_args::quoted;
use super::interrupt::{Writing, attended, explained, interruptible, keep_going, remains, write_whole};
use super::output::Output;
use super::progress::Bar;
use super::screen::note;
use super::solve::seconds;
use super::wrong_usage;

/// The file of a long solve's checkpoints.
#[derive(Debug, Args)]
pub(super) struct CheckpointArgs {
    /// Write checkpoints to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    checkpoint: Option<PathBuf>,
    /// Least number of seconds between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds, requires = "checkpoint")]
    #[arg(help_heading = "Files")]
    checkpoint_every: f64,
}

impl CheckpointArgs {
    pub(super) fn path(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// The same as an output; rejects standard output.
    pub(super) fn output(&self) -> Option<Output> {
        if self.path().is_some_and(|path| path.as_os_str() == "-") {
            wrong_usage("a checkpoint replaces the one before; expected the name of a file, not -");
        }
        self.checkpoint.clone().map(Output::File)
    }

    pub(super) fn keeper(&self) -> Keeper<'_> {
        Keeper {
            path: self.path(),
            every: Duration::from_secs_f64(self.checkpoint_every),
            kept: Cell::new(self.path().filter(|path| path.is_file()).map(|_| Instant::now())),
        }
    }
}

#[derive(Default)]
pub(super) struct Keeper<'p> {
    path: Option<&'p Path>,
    every: Duration,
    /// The time of the last checkpoint on disk, by this run or an earlier one.
    kept: Cell<Option<Instant>>,
}

impl Keeper<'_> {
    fn save(&self, write: Writing<'_>) {
        let Some(path) = self.path else { return };
        match write_whole(path, write) {
            Ok(()) => self.kept.set(Some(Instant::now())),
            // A full disk must not end hours of work.
            Err(error) => {
                let saved = match self.kept.get() {
                    Some(last) => format!("the checkpoint of {} s ago stays", last.elapsed().as_secs()),
                    None => "there is no checkpoint yet".to_owned(),
                };
                note(&format!("warning: {:#}; {saved}, and the solve goes on", anyhow::Error::from(error)));
            }
        }
    }

    /// The command that resumes, if there is a checkpoint; else the files written.
    fn remains(&self, command: impl FnOnce(&Path) -> String) -> String {
        match self.path.filter(|_| self.kept.get().is_some()) {
            Some(path) => format!("go on with: {}", command(path)),
            None => remains(),
        }
    }
}

/// Solves with a progress bar; Ctrl-C stops before anything but a checkpoint is written.
#[expect(clippy::redundant_closure_for_method_calls, reason = "a closure is for all lifetimes, a method's path for one")]
pub(super) fn solve(solver: Solver<'_>, keeper: &Keeper<'_>) -> anyhow::Result<Solution> {
    solve_by(|solver| solver.solve(), solver, keeper)
}

pub(super) fn solve_by<'k, T>(
    way: impl FnOnce(Solver<'_>) -> Result<T, Error>,
    mut solver: Solver<'k>,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<T> {
    if keeper.path.is_some() {
        let save = |checkpoint: &Checkpoint<'_>| keeper.save(Box::new(|out| checkpoint.write(out)));
        solver = solver.on_checkpoint(keeper.every, save);
    }
    let solve = |watch: &mut Watch<'_>| way(solver.on_progress(|progress| watch(progress.work)));
    attended("solving", solve, || keeper.remains(|path| format!("solve --resume {0} --checkpoint {0}", path.display())))
}

pub(super) fn solve_game<'k>(mut solver: StochasticSolver<'k>, keeper: &'k Keeper<'_>) -> anyhow::Result<StochasticSolution> {
    if keeper.path.is_some() {
        solver = solver.on_checkpoint(keeper.every, |checkpoint| keeper.save(Box::new(|out| checkpoint.write(out))));
    }
    let solve = |watch: &mut Watch<'_>| solver.on_progress(watch).solve();
    attended("solving", solve, || keeper.remains(again))
}

/// This program's arguments, with `part` as the checkpoint to go on from and to keep.
fn again(part: &Path) -> String {
    let mut words = Vec::new();
    let mut arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        if ["--resume", "--checkpoint"].contains(&&*argument) {
            arguments.next();
        } else if !["--resume=", "--checkpoint="].iter().any(|option| argument.starts_with(option)) {
            words.push(quoted(&argument));
        }
    }
    let part = quoted(&part.display().to_string());
    format!("{} --resume {part} --checkpoint {part}", words.join(" "))
}

/// Solves blind Tennis with a bar that fills as the gap closes; Ctrl-C ends it with the bounds reached, and returns true.
pub(super) fn solve_blind<'k>(
    mut solver: BlindSolver<'k>,
    gap: f64,
    keeper: &'k Keeper<'_>,
) -> anyhow::Result<(BlindSolution, bool)> {
    if keeper.path.is_some() {
        solver = solver.on_checkpoint(keeper.every, |checkpoint| keeper.save(Box::new(|out| checkpoint.write(out))));
    }
    let mut bar = Bar::new("learning");
    let mut widest: f64 = 0.0;
    let solver = solver.on_progress(|progress| {
        let width = progress.enclosure.width();
        widest = widest.max(width);
        // The gap closes by orders of magnitude.
        let share = if width > gap && gap > 0.0 { (widest / width).ln() / (widest / gap).ln() } else { 0.0 };
        bar.tell(share, || format!(", gap {}", rounded_up(width)));
        keep_going()
    });
    let solution = interruptible(|| solver.solve());
    Ok((explained(solution, remains)?, keep_going().is_break()))
}
