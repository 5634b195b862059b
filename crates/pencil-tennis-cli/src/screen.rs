//! Standard output and standard error. A closed reader ends the printing, never the work.

use std::io::{self, IsTerminal, Write};

use pencil_tennis::{DecimalBounds, Enclosure};

use super::numbers::grouped;

/// The destination of a report: standard output, or standard error.
///
/// Once its reader has closed (`| head`), output is discarded, and the work continues to its end.
/// Control characters, which names in a file may contain, do not reach a terminal.
pub(super) struct Screen(Box<dyn Write>);

impl Screen {
    pub(super) fn new() -> Self {
        Self(Box::new(io::stdout()))
    }

    /// Standard error in its place.
    pub(super) fn of_errors() -> Self {
        Self(Box::new(io::stderr()))
    }
}

/// A result of writing, which is no failure where the reader has closed.
pub(super) fn unless_closed<T>(result: io::Result<T>, unread: T) -> io::Result<T> {
    if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        Ok(unread)
    } else {
        result
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_harmful =
            |character: char| character.is_control() && !['\n', '\t'].contains(&character);
        let written = match std::str::from_utf8(bytes) {
            Ok(text) if text.contains(is_harmful) => {
                self.0.write_all(text.replace(is_harmful, " ").as_bytes()).map(|()| bytes.len())
            }
            _ => self.0.write(bytes),
        };
        unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

pub(crate) fn note(sentence: &str) {
    // Errors of standard error cannot be reported.
    let _ = writeln!(io::stderr(), "{sentence}");
}

/// Whether a stream leads to a terminal on which what was written can be drawn over. `TERM=dumb`,
/// the name that terminfo gives to a terminal without a cursor, says that it cannot.
pub(super) fn can_be_redrawn(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|name| name != "dumb")
}

pub(super) fn is_watched() -> bool {
    io::stdout().is_terminal()
}

/// Formats decimal bounds, rounded outward: `1 ≤ value ≤ 2`.
pub(super) fn bounded(bounds: &Enclosure, what: &str) -> String {
    let DecimalBounds { lower, upper, .. } = bounds.decimal();
    format!("{lower} ≤ {what} ≤ {upper}")
}

/// Formats a count with its noun: `1 state`, `2 states`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}
