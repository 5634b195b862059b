//! Long work a person can watch and stop.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use pencil_tennis::{Error, Solution, Solver};

/// Work shorter than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The length of the bar: parts of the work.
const PARTS: u64 = 10_000;

/// Solves with a progress bar on standard error if that is a terminal; Ctrl-C stops the work before anything is written.
pub(super) fn solve(solver: Solver<'_>) -> anyhow::Result<Solution> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // Asked twice: do not wait for the layer to end.
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    let begin = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let solution = solver
        .on_progress(|progress| {
            if begin.elapsed() > PATIENCE {
                let bar = bar.get_or_insert_with(new_bar);
                bar.set_position((progress.work * PARTS as f64) as u64);
                bar.set_message(format!("{} of {} states", progress.states, progress.of_states));
            }
            if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .solve();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    solution.map_err(|error| match error {
        Error::Cancelled => anyhow::anyhow!("interrupted; nothing was written"),
        other => other.into(),
    })
}

fn new_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("solving {bar:40} {percent:>3} %  {msg}, {eta} left");
    ProgressBar::new(PARTS).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
