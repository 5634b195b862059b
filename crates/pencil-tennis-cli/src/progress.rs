//! Progress on standard error: a bar where a terminal can be drawn over, else a line a minute.

use std::io;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressFinish, ProgressStyle};

use super::screen::{can_be_redrawn, note};
use super::usage::is_quiet;

/// Shorter work needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

const PARTS: u64 = 10_000;

/// A bar and the time left fill a line of at most 80 columns.
const STYLE: &str = "{prefix:>12} {bar:36} {percent:>3} %{msg}";

fn drawn(bar: ProgressBar, style: &str, what: &'static str) -> ProgressBar {
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style).with_prefix(what).with_finish(ProgressFinish::AndClear)
}

/// Where there is no bar, the time of the first line, and of the next ones.
const FIRST_LINE: Duration = Duration::from_secs(10);
const BETWEEN_LINES: Duration = Duration::from_secs(60);

pub(super) struct Bar {
    what: &'static str,
    begin: Instant,
    /// The share at the first report, which may come from an earlier run.
    first: Option<f64>,
    /// The bar where the terminal can be drawn over.
    shown: Option<ProgressBar>,
    /// The time of the last line where there is no bar.
    last_line: Option<Instant>,
}

impl Bar {
    pub(super) fn new(what: &'static str) -> Self {
        Self { what, begin: Instant::now(), first: None, shown: None, last_line: None }
    }

    /// Reports a share of the work, with an estimate of the time left.
    pub(super) fn show(&mut self, share: f64) {
        let done = share - *self.first.get_or_insert(share);
        let elapsed = self.begin.elapsed();
        self.tell(share, || {
            // The first parts of some work are small and predict little.
            let is_known = done > 0.01 && share < 1.0;
            let left = is_known.then(|| elapsed.mul_f64((1.0 - share) / done));
            left.map_or_else(String::new, |left| format!(", {:#} left", HumanDuration(left)))
        });
    }

    /// Reports a share of the work, with a message.
    pub(super) fn tell(&mut self, share: f64, message: impl FnOnce() -> String) {
        if is_quiet() || self.begin.elapsed() < PATIENCE {
            return;
        }
        if can_be_redrawn(&io::stderr()) {
            let bar =
                self.shown.get_or_insert_with(|| drawn(ProgressBar::new(PARTS), STYLE, self.what));
            bar.set_position((share * PARTS as f64) as u64);
            bar.set_message(message());
        } else if self.is_line_due() {
            self.last_line = Some(Instant::now());
            note(&format!("progress: {} {:.0} %{}", self.what, 100.0 * share, message()));
        }
    }

    fn is_line_due(&self) -> bool {
        match self.last_line {
            Some(last) => last.elapsed() >= BETWEEN_LINES,
            None => self.begin.elapsed() >= FIRST_LINE,
        }
    }

    /// A spinner for work of unknown duration.
    pub(super) fn alive(what: &'static str) -> ProgressBar {
        if is_quiet() || !can_be_redrawn(&io::stderr()) {
            return ProgressBar::hidden();
        }
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

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::{BETWEEN_LINES, Bar, FIRST_LINE};

    #[test]
    fn a_line_comes_after_ten_seconds_and_then_once_a_minute() {
        let mut bar = Bar::new("solving");
        assert!(!bar.is_line_due());
        let Some(begin) = Instant::now().checked_sub(FIRST_LINE) else { return };
        bar.begin = begin;
        assert!(bar.is_line_due());
        bar.last_line = Some(Instant::now());
        assert!(!bar.is_line_due());
        bar.last_line = Instant::now().checked_sub(BETWEEN_LINES);
        assert!(bar.is_line_due());
    }
}
