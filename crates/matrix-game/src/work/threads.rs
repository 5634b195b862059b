//! Threads for one piece of work; one thread without the feature `threads`.

use std::num::NonZero;
#[cfg(feature = "threads")]
use std::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(feature = "threads")]
use std::time::Duration;

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

    /// Distributes `tasks` to all threads and returns their results in order. A thread takes a
    /// worker from `workers`, or a new one, and returns it. One task wakes no helper.
    pub fn run<T: Send, U: Send, W: Default + Send>(
        &self,
        workers: &Mutex<Vec<W>>,
        tasks: impl ExactSizeIterator<Item = T> + Send,
        work: impl Fn(&mut W, T) -> U + Sync,
    ) -> Vec<U> {
        let count = tasks.len();
        let mut results: Vec<Option<U>> = std::iter::repeat_with(|| None).take(count).collect();
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
        if let Some(helpers) = self.helpers.as_ref().filter(|_| count > 1) {
            helpers.in_place_scope(|scope| {
                (0..helpers.current_num_threads()).for_each(|_| scope.spawn(|_| one_thread()));
                one_thread();
            });
        }
        #[cfg(not(feature = "threads"))]
        let _ = self;
        // Finds no task where helpers have shared them.
        one_thread();
        drop(tasks);
        results.into_iter().flatten().collect()
    }

    /// Whether there is another thread than the calling one.
    pub fn has_helpers(&self) -> bool {
        #[cfg(feature = "threads")]
        let found = self.helpers.is_some();
        #[cfg(not(feature = "threads"))]
        let found = false;
        found
    }

    /// Does work here while a helper, if one is free, does other work; `waits` is called on this
    /// thread now and then while the helper's takes longer. Where none is free, both are done here.
    pub fn both<T, U: Send>(
        &self,
        foreground: impl FnOnce() -> T,
        background: impl FnOnce() -> U + Send,
        waits: impl FnMut(),
    ) -> (T, U) {
        #[cfg(feature = "threads")]
        if let Some(helpers) = &self.helpers {
            let (sender, receiver) = std::sync::mpsc::channel();
            let task = Mutex::new(Some((background, sender)));
            // The first thread to come takes the task; a helper that is late finds none.
            let take = || {
                let taken = lock(&task).take();
                if let Some((background, sender)) = taken {
                    // The receiver outlives the scope.
                    let _ = sender.send(background());
                }
            };
            return helpers.in_place_scope(|scope| {
                scope.spawn(|_| take());
                let found = foreground();
                take();
                (found, received(&receiver, waits))
            });
        }
        let _ = waits;
        (foreground(), background())
    }

    pub fn map<T: Sync, U: Send, W: Default + Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut W, &T) -> U + Sync,
    ) -> Vec<U> {
        self.run(&Mutex::default(), items.iter(), work)
    }
}

/// The time between two calls of `waits`: cancelling is noticed at once, and waiting costs nothing.
#[cfg(feature = "threads")]
const LOOK: Duration = Duration::from_millis(1);

/// The result of a helper's work, once it is sent; `waits` is called until then.
#[cfg(feature = "threads")]
fn received<T>(receiver: &std::sync::mpsc::Receiver<T>, mut waits: impl FnMut()) -> T {
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(found) => return found,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => waits(),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                unreachable!("a task that panics ends the scope")
            }
        }
    }
}

/// Locks; no task panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// Each of two pieces of work waits for the other, and the helper's ends once it was waited
    /// for: they are done at the same time.
    #[test]
    fn work_beside_is_done_by_a_helper() {
        let threads = Threads::start(2).expect("there are two threads");
        let ((to_helper, from_here), (to_here, from_helper)) = (channel(), channel());
        let (waiting, waited) = channel();
        let found = threads.both(
            || {
                to_helper.send(1).expect("the helper listens");
                from_helper.recv().expect("the helper answers")
            },
            move || {
                let heard = from_here.recv().expect("this thread speaks");
                to_here.send(2).expect("this thread listens");
                waited.recv().expect("this thread waits");
                heard
            },
            // The helper may be gone by the last call.
            || {
                let _ = waiting.send(());
            },
        );
        assert_eq!(found, (2, 1));
    }

    /// Helpers that are busy take no work: whoever asks for it does it.
    #[test]
    fn work_beside_is_done_here_where_no_helper_is_free() {
        for threads in [Threads::alone(), Threads::start(2).expect("there are two threads")] {
            let squares = threads.map(&[1, 2, 3, 4, 5], |(): &mut (), &number: &i32| {
                threads.both(|| number * number, || -number, || ())
            });
            assert_eq!(squares, [(1, -1), (4, -2), (9, -3), (16, -4), (25, -5)]);
        }
    }
}
