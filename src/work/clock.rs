use std::time::{Duration, Instant};

/// A running clock, which stands still where there is none, as on `wasm32-unknown-unknown`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clock {
    started: Option<Instant>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Self { started: has_clock.then(Instant::now) }
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.started.map_or(Duration::ZERO, |started| started.elapsed())
    }
}
