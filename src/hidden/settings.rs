//! The settings that all solvers of games with hidden information have, and how these become a
//! search.

use std::ops::ControlFlow;
use std::time::Duration;

use super::learning::Learning;
use super::method::{HiddenMethod, HiddenProgress};
use crate::error::{Error, MethodError};
use crate::work::{Callback, CheckpointKind, Checkpointing, Clock, Threads};

/// The wishes for a search, and who hears of it.
#[derive(Debug)]
pub(crate) struct SearchSettings<'p> {
    /// The method; `None` for whichever is likely to be fastest.
    pub(crate) method: Option<HiddenMethod>,
    /// The width of bounds at which the search ends, as a share of the span of payoffs.
    pub(crate) gap: f64,
    pub(crate) time_limit: Option<Duration>,
    /// The bytes that the factors of the interior-point method may take.
    pub(crate) factor_bytes: u64,
    /// The threads that linear programmes may start.
    pub(crate) thread_count: usize,
    pub(crate) progress: Callback<dyn FnMut(HiddenProgress) -> ControlFlow<()> + Send + 'p>,
}

impl SearchSettings<'_> {
    pub(crate) fn new(gap: f64) -> Self {
        let progress =
            Callback::<dyn FnMut(HiddenProgress) -> ControlFlow<()> + Send>::new(Box::new(|_| {
                ControlFlow::Continue(())
            }));
        Self {
            method: None,
            gap,
            time_limit: None,
            factor_bytes: u64::MAX,
            thread_count: 1,
            progress,
        }
    }
}

/// The settings of a solver, whose checkpoints are of the type `C`.
#[derive(Debug)]
pub(crate) struct SolverSettings<'p, C> {
    pub(crate) search: SearchSettings<'p>,
    pub(crate) memory_limit: u64,
    pub(crate) threads: Option<usize>,
    pub(crate) resumed: Option<C>,
    pub(crate) checkpoint: Checkpoints<'p, C>,
}

/// The callback that hears of checkpoints, if there is one.
#[derive(Debug)]
pub(crate) struct Checkpoints<'p, C>(Option<Checkpointing<WriteCheckpoint<'p, C>>>);

type WriteCheckpoint<'p, C> = dyn FnMut(&C) + Send + 'p;

/// Hears of the state of regret minimisation before every iteration, and at the end.
pub(crate) type SaveLearning<'s> = &'s mut dyn FnMut(CheckpointKind, &Learning);

/// The threads and the clock of a solve.
pub(crate) struct Resources {
    pub(crate) threads: Threads,
    pub(crate) clock: Clock,
}

impl<C> SolverSettings<'_, C> {
    /// The default limit of memory: 8 GiB.
    pub(crate) const MEMORY_LIMIT: u64 = 8 << 30;

    pub(crate) fn new(gap: f64) -> Self {
        Self {
            search: SearchSettings::new(gap),
            memory_limit: Self::MEMORY_LIMIT,
            threads: None,
            resumed: None,
            checkpoint: Checkpoints(None),
        }
    }

    pub(crate) fn is_gap_possible(&self) -> bool {
        self.search.gap >= 0.0 && self.search.gap.is_finite()
    }

    /// Checks that the library was built with the method.
    pub(crate) fn check_method(&self) -> Result<(), MethodError> {
        if self.search.method == Some(HiddenMethod::Programme) && !cfg!(feature = "lp") {
            return Err(MethodError::Missing { method: HiddenMethod::Programme.to_string() });
        }
        Ok(())
    }

    /// Starts the threads and the clock of a solve that takes this many bytes beside the factors of
    /// the interior-point method.
    pub(crate) fn start(&mut self, bytes: u64) -> Result<Resources, Error> {
        self.search.thread_count = Threads::checked(self.threads)?;
        self.search.factor_bytes = self.memory_limit.saturating_sub(bytes);
        Ok(Resources { threads: Threads::start(self.search.thread_count)?, clock: Clock::start() })
    }
}

impl<'p, C> Checkpoints<'p, C> {
    pub(crate) fn every(interval: Duration, write: impl FnMut(&C) + Send + 'p) -> Self {
        Self(Some(Checkpointing::new(interval, Box::new(write))))
    }

    /// The function that a search calls before every iteration, and at its end.
    pub(crate) fn saver(
        &mut self,
        checkpoint: impl Fn(&Learning) -> C,
    ) -> impl FnMut(CheckpointKind, &Learning) {
        move |kind, learning| {
            if let Some(checkpoints) = self.0.as_mut().filter(|checkpoints| checkpoints.takes(kind))
            {
                checkpoints.write(|write| write(&checkpoint(learning)));
            }
        }
    }
}

/// The setters that all solvers have, of a field `settings`.
macro_rules! search_setters {
    ($checkpoint:ty) => {
        $crate::work::setters! {
            /// Sets the width of the proved bounds at which the search ends, as a share of the span
            /// of payoffs; it also ends where doubles are exhausted.
            gap(gap: f64) => settings.search.gap = gap;

            /// Sets the time after which the search ends with the bounds reached.
            time_limit(limit: Duration) => settings.search.time_limit = Some(limit);

            /// Sets the bytes that game and search may take, by an estimate.
            memory_limit(bytes: u64) => settings.memory_limit = bytes;

            /// Sets the number of threads (default: all of the machine), on which the result does
            /// not depend.
            threads(threads: usize) => settings.threads = Some(threads);

            /// Sets a callback that hears, on the calling thread, of new bounds and about ten times
            /// a second between them. If it breaks, the search ends with the bounds reached.
            on_bounds(progress: impl FnMut(HiddenProgress) -> ControlFlow<()> + Send + 'p) =>
                settings.search.progress = Callback::new(Box::new(progress));

            /// Sets a callback that gets the state of regret minimisation, at most once in this
            /// interval, and at the end.
            on_checkpoint(every: Duration, write: impl FnMut(&$checkpoint) + Send + 'p) =>
                settings.checkpoint = Checkpoints::every(every, write);
        }
    };
}

pub(crate) use search_setters;
