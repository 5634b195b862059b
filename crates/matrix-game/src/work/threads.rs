//! Threads for one piece of work; one thread without the feature `threads`.

use std::num::NonZero;
#[cfg(feature = "threads")]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::WorkError;

/// The calling thread and its helpers.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    #[cfg(feature = "threads")]
    helpers: Option<Arc<rayon::ThreadPool>>,
}

impl Threads {
    /// The most threads: far more than any machine has work for.
    pub const MOST: usize = if cfg!(feature = "threads") { 256 } else { 1 };

    /// The number of threads requested, or that of the machine.
    pub fn checked(wanted: Option<usize>) -> Result<usize, WorkError> {
        match wanted {
            Some(threads) if threads == 0 || threads > Self::MOST => {
                Err(WorkError::ThreadCount { threads, most: Self::MOST })
            }
            Some(threads) => Ok(threads),
            None => {
                Ok(std::thread::available_parallelism().map_or(1, NonZero::get).min(Self::MOST))
            }
        }
    }

    pub fn alone() -> Self {
        Self::default()
    }

    #[cfg(feature = "threads")]
    pub fn start(count: usize) -> Result<Self, WorkError> {
        let helpers = (count > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(count - 1).build())
            .transpose();
        let helpers = helpers.map_err(|error| WorkError::Threads { reason: error.to_string() })?;
        Ok(Self { helpers: helpers.map(Arc::new) })
    }

    #[cfg(not(feature = "threads"))]
    pub fn start(_: usize) -> Result<Self, WorkError> {
        Ok(Self::alone())
    }

    /// Distributes `tasks` to all threads, or to the calling one unless `shared`, and returns their
    /// results in order. A thread takes a worker from `workers`, or a new one, and returns it.
    pub fn run<T: Send, U: Send, W: Default + Send>(
        &self,
        shared: bool,
        workers: &Mutex<Vec<W>>,
        tasks: impl ExactSizeIterator<Item = T> + Send,
        work: impl Fn(&mut W, T) -> U + Sync,
    ) -> Vec<U> {
        let mut results: Vec<Option<U>> =
            std::iter::repeat_with(|| None).take(tasks.len()).collect();
        let tasks = Mutex::new(tasks.zip(&mut results));
        let one_thread = || {
            let mut worker = lock(workers).pop().unwrap_or_default();
            loop {
                let Some((task, result)) = lock(&tasks).next() else { break };
                *result = Some(work(&mut worker, task));
            }
            lock(workers).push(worker);
        };
        #[cfg(feature = "threads")]
        if let Some(helpers) = self.helpers.as_ref().filter(|_| shared) {
            helpers.in_place_scope(|scope| {
                (0..helpers.current_num_threads()).for_each(|_| scope.spawn(|_| one_thread()));
                one_thread();
            });
        }
        #[cfg(not(feature = "threads"))]
        let _ = (self, shared);
        // Finds no task where helpers have shared them.
        one_thread();
        drop(tasks);
        results.into_iter().flatten().collect()
    }

    pub fn map<T: Sync, U: Send, W: Default + Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut W, &T) -> U + Sync,
    ) -> Vec<U> {
        self.map_if(true, items, work)
    }

    /// As [`map`](Self::map), by the calling thread alone unless `shared`.
    pub fn map_if<T: Sync, U: Send, W: Default + Send>(
        &self,
        shared: bool,
        items: &[T],
        work: impl Fn(&mut W, &T) -> U + Sync,
    ) -> Vec<U> {
        self.run(shared, &Mutex::default(), items.iter(), work)
    }
}

/// Locks; no task panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
