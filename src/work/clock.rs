//! The clock that the driver hands down.

use std::time::{Duration, Instant};

/// A running clock; it stands still where there is none to read, as on `wasm32-unknown-unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    started: Option<Instant>,
}

impl Clock {
    /// A clock that starts now, if the machine has one.
    pub(crate) fn start() -> Self {
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Self { started: has_clock.then(Instant::now) }
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }
}
