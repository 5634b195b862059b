use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressFinish, ProgressStyle};

/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

const PARTS: u64 = 10_000;

/// A bar and the time left fill a line of at most 80 columns.
const STYLE: &str = "{prefix:>12} {bar:36} {percent:>3} %{msg}";

fn drawn(bar: ProgressBar, style: &str, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(what).with_finish(ProgressFinish::AndClear)
}

pub(super) struct Bar {
    what: &'static str,
    begin: Instant,
    /// The share at the first report, which may come from an earlier run.
    first: Option<f64>,
    shown: Option<ProgressBar>,
}

impl Bar {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, begin: Instant::now(), first: None, shown: None }
    }

    pub(super) fn show(&mut self, share: f64) {
        let first = *self.first.get_or_insert(share);
        if self.begin.elapsed() < PATIENCE {
            return;
        }
        let bar = self.shown.get_or_insert_with(|| drawn(ProgressBar::new(PARTS), STYLE, self.what));
        bar.set_position((share * PARTS as f64) as u64);
        let done = share - first;
        // The first parts of some work are small and predict little.
        if done > 0.01 && share < 1.0 {
            let left = self.begin.elapsed().mul_f64((1.0 - share) / done);
            bar.set_message(format!(", {:#} left", HumanDuration(left)));
        }
    }

    pub(super) fn tell(&mut self, share: f64, message: impl FnOnce() -> String) {
        self.show(share);
        if let Some(bar) = &self.shown {
            bar.set_message(message());
        }
    }

    /// A spinner for work of unknown duration.
    pub(super) fn alive(what: &'static str) -> ProgressBar {
        let sign = drawn(ProgressBar::new_spinner(), "{prefix:>12} {spinner} {elapsed}{msg}", what);
        sign.enable_steady_tick(PATIENCE);
        sign
    }

    pub(super) fn aside(&self, print: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        match &self.shown {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}
