//! Standard output and standard error. A closed reader ends the printing, never the work.

use std::io::{self, IsTerminal, Write};

use pencil_tennis::{DecimalBounds, Enclosure};
use serde::Serialize;

use super::output::Output;
use super::{Format, FormatArgs};

/// The destination of a report: standard output, or standard error if an output file takes standard output.
///
/// Once its reader has closed (`| head`), output is discarded, and the work continues to its end. Control characters, which names
/// in a file may contain, do not reach a terminal.
pub(super) struct Screen {
    out: Box<dyn Write>,
    closed: bool,
}

impl Screen {
    pub(super) fn new() -> Self {
        Self { out: Box::new(io::stdout()), closed: false }
    }

    pub(super) fn beside(outputs: &[Option<&Output>]) -> Self {
        let taken = outputs.iter().copied().flatten().any(Output::is_stdout);
        if taken { Self { out: Box::new(io::stderr()), closed: false } } else { Self::new() }
    }

    fn heed<T>(&mut self, result: io::Result<T>, unread: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(unread)
            }
            other => other,
        }
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let is_harmful = |character: char| character.is_control() && !['\n', '\t'].contains(&character);
        let written = match std::str::from_utf8(bytes) {
            Ok(text) if text.contains(is_harmful) => {
                self.out.write_all(text.replace(is_harmful, " ").as_bytes()).map(|()| bytes.len())
            }
            _ => self.out.write(bytes),
        };
        self.heed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.heed(flushed, ())
    }
}

impl FormatArgs {
    /// Prints a document as JSON, or a text instead, on standard error if one of the outputs takes standard output.
    pub(super) fn print<E: Into<anyhow::Error>>(
        self,
        document: &impl Serialize,
        outputs: &[Option<&Output>],
        text: impl FnOnce(&mut Screen) -> Result<(), E>,
    ) -> anyhow::Result<()> {
        if self.is_json() { print_document(document) } else { text(&mut Screen::beside(outputs)).map_err(Into::into) }
    }

    pub(super) fn is_json(self) -> bool {
        self.format == Format::Json
    }
}

pub(super) fn print_document(document: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(document)?;
    line.push(b'\n');
    let mut out = Screen::new();
    out.write_all(&line)?;
    Ok(out.flush()?)
}

pub(crate) fn note(sentence: &str) {
    // Errors of standard error cannot be reported.
    let _ = writeln!(io::stderr(), "{sentence}");
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
    format!("{} {noun}{plural}", super::grouped(number))
}
