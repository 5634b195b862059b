//! The report of a command: a text, or a document as JSON, beside the files that the command writes.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::output::{Output, check_distinct};
use super::screen::Screen;
use super::usage::wrong_usage;

#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct FormatArgs {
    /// Format of the printed result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts: one JSON object on standard output.
    Json,
}

impl FormatArgs {
    /// Prints a document as JSON, or a text instead, on standard error if one of the outputs takes
    /// standard output.
    pub(super) fn print<E: Into<anyhow::Error>>(
        self,
        document: &impl Serialize,
        outputs: &[Option<&Output>],
        text: impl FnOnce(&mut Screen) -> Result<(), E>,
    ) -> anyhow::Result<()> {
        if self.is_json() {
            print_document(document)
        } else {
            text(&mut beside(outputs)).map_err(Into::into)
        }
    }

    pub(super) fn is_json(self) -> bool {
        self.format == Format::Json
    }

    /// Rejects a result and a JSON report that would share standard output.
    pub(super) fn check_room(self, output: &Output) {
        if output.is_stdout() && self.is_json() {
            wrong_usage(
                "standard output has room for one: the result (`-`) or the report (--format json)",
            );
        }
    }
}

/// Where a text is printed: on standard error if one of the outputs takes standard output.
pub(super) fn beside(outputs: &[Option<&Output>]) -> Screen {
    let is_taken = outputs.iter().copied().flatten().any(Output::is_stdout);
    if is_taken { Screen::of_errors() } else { Screen::new() }
}

/// Checks all outputs before long work begins: that no two are one file, that each can be written
/// and overwrites no input, and that standard output is not shared with the report.
pub(super) fn check_all(
    outputs: &[Option<&Output>],
    read: &[&Path],
    format: FormatArgs,
) -> anyhow::Result<()> {
    check_distinct(outputs);
    for output in outputs.iter().copied().flatten() {
        output.check(read)?;
        format.check_room(output);
    }
    Ok(())
}

/// Documents as JSON: an array, or the document by itself where one was asked for.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum OneOrMany<'d, D> {
    One(&'d D),
    Many(&'d [D]),
}

impl<'d, D> OneOrMany<'d, D> {
    pub(super) fn new(documents: &'d [D], asked: usize) -> Self {
        match documents {
            [document] if asked == 1 => Self::One(document),
            documents => Self::Many(documents),
        }
    }
}

pub(super) fn print_document(document: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(document)?;
    line.push(b'\n');
    let mut out = Screen::new();
    out.write_all(&line)?;
    Ok(out.flush()?)
}

/// Whether JSON has `null` for a value, whose field is then left out.
pub(super) fn is_null(value: &impl Serialize) -> bool {
    serde_json::to_value(value).is_ok_and(|value| value.is_null())
}
