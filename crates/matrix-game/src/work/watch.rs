//! Progress, and cancelling.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::WorkError;

/// A callback that hears the share of work done, from 0 to 1, on the calling thread, and may
/// cancel.
///
/// ```
/// use std::ops::ControlFlow;
/// use matrix_game::{Error, ExactSolution, WorkError};
/// use num_rational::BigRational;
///
/// let game = [[3, -1], [-2, 1]].map(|row| row.map(|payoff: i32| BigRational::from_integer(payoff.into())));
/// let mut at_once = |_share: f64| ControlFlow::Break(());
/// let error = ExactSolution::new(&game, &mut at_once).err();
/// assert!(matches!(error, Some(Error::Work(WorkError::Cancelled))));
/// # Ok::<(), matrix_game::Error>(())
/// ```
pub type Watch<'w> = dyn FnMut(f64) -> ControlFlow<()> + 'w;

/// The watch of work that nobody watches or cancels: `&mut unwatched`.
pub fn unwatched(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Work in parts, weighted by the time they take.
pub struct Parts<'p, 'w> {
    watch: &'p mut Watch<'w>,
    done: f64,
    all: f64,
}

impl<'p, 'w> Parts<'p, 'w> {
    pub fn new(watch: &'p mut Watch<'w>, all: f64) -> Self {
        Self { watch, done: 0.0, all }
    }

    pub fn done(&mut self, weight: f64) -> Result<(), WorkError> {
        self.done += weight;
        match (self.watch)((self.done / self.all).min(1.0)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WorkError::Cancelled),
        }
    }

    /// The watch of the next part, of this weight; `done` follows.
    pub fn part(&mut self, weight: f64) -> impl FnMut(f64) -> ControlFlow<()> + use<'_, 'p, 'w> {
        let (done, all) = (self.done, self.all);
        let watch = &mut *self.watch;
        move |share| watch(((done + share * weight) / all).min(1.0))
    }
}

/// A watch for inner loops that do not know the share done: tells whether to stop, permanently.
pub struct Stop<'p, 'w> {
    watch: RefCell<&'p mut Watch<'w>>,
    share: Cell<f64>,
    asked: Cell<bool>,
}

impl<'p, 'w> Stop<'p, 'w> {
    pub fn new(watch: &'p mut Watch<'w>) -> Self {
        Self { watch: RefCell::new(watch), share: Cell::new(0.0), asked: Cell::new(false) }
    }

    /// Sets the share done and asks the watch.
    pub fn tell(&self, share: f64) -> ControlFlow<()> {
        self.share.set(share);
        if self.is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Asks the watch with the share set last.
    pub fn is_asked(&self) -> bool {
        if !self.asked.get() {
            self.asked.set((self.watch.borrow_mut())(self.share.get()).is_break());
        }
        self.asked.get()
    }
}

/// A running clock, which stands still where there is none, as on `wasm32-unknown-unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    started: Option<Instant>,
}

impl Clock {
    pub fn start() -> Self {
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Self { started: has_clock.then(Instant::now) }
    }

    pub fn elapsed(self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }
}
