//! The destination of a result: a file or standard output, in the format that its name determines.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use pencil_tennis::report::{PolicyFormat, TableFormat, check_folder};

use super::interrupt;
use super::screen::unless_closed;
use super::sentences::joined;
use super::usage::wrong_usage;

/// The formats that a file's name can end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FileFormat {
    Csv,
    Json,
    /// Arrays for numpy
    Npz,
    #[value(hide = true)]
    Svg,
    #[value(hide = true)]
    Png,
}

impl FileFormat {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    pub(super) fn of_table(self) -> TableFormat {
        if self == Self::Json { TableFormat::Json } else { TableFormat::Csv }
    }
}

/// A file to write, or standard output, written `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Stdout,
    File(PathBuf),
}

impl From<OsString> for Output {
    fn from(name: OsString) -> Self {
        if name == *"-" { Self::Stdout } else { Self::File(name.into()) }
    }
}

impl Output {
    /// Checks, before long work begins, that the file's folder exists and that the file overwrites
    /// no input.
    pub(super) fn check(&self, read: &[&Path]) -> anyhow::Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        check_folder(path)?;
        let written = fs::canonicalize(path).ok();
        for read in read {
            if written.is_some() && fs::canonicalize(read).ok() == written {
                anyhow::bail!(
                    "{} would be overwritten, which is read; expected another name for the output",
                    path.display()
                );
            }
        }
        Ok(())
    }

    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    pub(super) fn is_stdout(&self) -> bool {
        *self == Self::Stdout
    }

    pub(super) fn name(&self) -> String {
        self.path().map_or("standard output".to_owned(), |path| path.display().to_string())
    }

    fn ending(&self) -> Option<FileFormat> {
        FileFormat::from_str(self.path()?.extension()?.to_str()?, true).ok()
    }

    /// The format of a policy; exits if the name does not end in one.
    pub(super) fn policy_format(&self) -> PolicyFormat {
        match settle(Some(self), None, None, &[FileFormat::Csv, FileFormat::Json, FileFormat::Npz])
        {
            FileFormat::Json => PolicyFormat::Json,
            FileFormat::Npz => PolicyFormat::Npz,
            _ => PolicyFormat::Csv,
        }
    }

    /// Rejects a name that ends in another format than the only one possible.
    pub(super) fn check_only(&self, what: &str, format: &str) {
        if let Some(ending) = self.ending().map(FileFormat::name).filter(|ending| ending != format)
        {
            let name = self.name();
            wrong_usage(format!(
                "{what} is written as {format}, not as {ending}: {name}; expected a name that ends in .{format}"
            ));
        }
    }

    /// Writes a whole file or none; to standard output, until the reader leaves. Ctrl-C ends the
    /// command after the file.
    pub(super) fn write(
        &self,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        self.write_all(None, write)?;
        interrupt::check()
    }

    /// As [`write`](Self::write), but Ctrl-C is left to the caller; what the file cannot take goes
    /// to `refuge`, if that can.
    pub(super) fn write_all(
        &self,
        refuge: Option<&Path>,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if let Self::File(path) = self {
            interrupt::write(path, refuge, &write)?;
            interrupt::note_written(path);
            return Ok(());
        }
        let mut out = BufWriter::new(io::stdout());
        let written = write(&mut out).and_then(|()| out.flush());
        // Discards what a closed reader left in the buffer.
        let _ = out.into_parts();
        unless_closed(written, ()).context("cannot write to standard output")
    }
}

/// The format of an output: the requested one, that of the name's ending, or the usual one. Exits
/// if the two contradict each other, or the format is not available.
pub(super) fn settle(
    output: Option<&Output>,
    asked: Option<FileFormat>,
    usual: Option<FileFormat>,
    allowed: &[FileFormat],
) -> FileFormat {
    let names = |between: &str| {
        allowed.iter().map(|format| format.name()).collect::<Vec<_>>().join(between)
    };
    let name = output.map_or(String::new(), Output::name);
    if let Some(ending) = output.and_then(Output::ending) {
        if !allowed.contains(&ending) {
            wrong_usage(format!(
                "cannot write {name}: this result has no {} format; expected one of {}",
                ending.name(),
                names(", ")
            ));
        }
        if let Some(asked) = asked.filter(|&asked| asked != ending) {
            let (ending, asked) = (ending.name(), asked.name());
            wrong_usage(format!(
                "{name} ends in .{ending}, but --format says {asked}; expected one or the other"
            ));
        }
        return ending;
    }
    // Another ending would be misleading.
    let usual = usual
        .filter(|_| output.and_then(Output::path).is_none_or(|path| path.extension().is_none()));
    let Some(format) = asked.or(usual) else {
        let endings = joined(allowed.iter().map(|format| format!(".{}", format.name())), "or");
        wrong_usage(format!(
            "cannot tell the format of {name}; expected a name that ends in {endings}"
        ));
    };
    if !allowed.contains(&format) {
        wrong_usage(format!(
            "this result has no {} format; expected --format {}",
            format.name(),
            names(" or ")
        ));
    }
    format
}

pub(super) fn write_to(
    output: Option<&Output>,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    output.map_or(Ok(()), |output| output.write(write))
}

pub(super) fn check_distinct(outputs: &[Option<&Output>]) {
    for (index, output) in outputs.iter().enumerate() {
        if let Some(output) = output.filter(|_| outputs[..index].contains(output)) {
            wrong_usage(format!("{} would be written twice", output.name()));
        }
    }
}

/// Pixels of a PNG for each unit of the SVG: sharp on dense screens and in print.
#[cfg(feature = "png")]
const PNG_SCALE: f32 = 2.0;

#[derive(Debug, Args)]
pub(super) struct FigureFile {
    /// The figure to write: .svg or .png; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Output,
}

impl FigureFile {
    /// Checks, before long work begins, that the figure can be written and its name determines the
    /// format.
    pub(super) fn check(&self, read: &[&Path]) -> anyhow::Result<()> {
        self.output.check(read)?;
        if self.format() == FileFormat::Png && !cfg!(feature = "png") {
            let name = self.output.name();
            wrong_usage(format!(
                "{name} would be a PNG, which this program was built without; expected an .svg, or a build with \
                     --features png"
            ));
        }
        Ok(())
    }

    fn format(&self) -> FileFormat {
        let usual = self.output.is_stdout().then_some(FileFormat::Svg);
        settle(Some(&self.output), None, usual, &[FileFormat::Svg, FileFormat::Png])
    }

    pub(super) fn write(&self, svg: &str) -> anyhow::Result<()> {
        #[cfg(feature = "png")]
        if self.format() == FileFormat::Png {
            let png = pencil_tennis::figures::to_png(svg, PNG_SCALE)?;
            return self.output.write(|out| out.write_all(&png));
        }
        self.output.write(|out| out.write_all(svg.as_bytes()))
    }
}
