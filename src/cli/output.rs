//! The destination of a result: a file or standard output, in the format that its name asks for.

use std::convert::Infallible;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use clap::error::ErrorKind;
use pencil_tennis::report::{PolicyFormat, check_folder};

use super::{Format, interrupt, wrong_usage};

/// The formats that a file's name can ask for.
const ENDINGS: [&str; 7] = ["csv", "json", "npz", "svg", "png", "md", "tex"];

/// A file to write, or standard output, which is called `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Stdout,
    File(PathBuf),
}

impl FromStr for Output {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "-" { Self::Stdout } else { Self::File(text.into()) })
    }
}

impl Output {
    /// Checks, before long work begins, that the file has a folder to go to and overwrites nothing that is read.
    pub(super) fn check(&self, read: &[&Path]) -> anyhow::Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        check_folder(path)?;
        let own = fs::canonicalize(path).ok();
        for read in read {
            if own.is_some() && fs::canonicalize(read).ok() == own {
                anyhow::bail!("{} would be overwritten, which is read; expected another name for the output", path.display());
            }
        }
        Ok(())
    }

    /// The file, if it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::File(path) => Some(path),
        }
    }

    pub(super) fn is_stdout(&self) -> bool {
        *self == Self::Stdout
    }

    /// Its name in a sentence.
    pub(super) fn name(&self) -> String {
        self.path().map_or("standard output".to_owned(), |path| path.display().to_string())
    }

    /// Refuses to mix a result and a report in JSON on standard output.
    pub(super) fn check_room(&self, format: Format) {
        if self.is_stdout() && format == Format::Json {
            wrong_usage(
                ErrorKind::ArgumentConflict,
                "standard output has room for one: the result (`-`) or the report (--format json)",
            );
        }
    }

    /// The format that the name ends with, if it is one of those there are.
    fn ending(&self) -> Option<&'static str> {
        let ending = self.path()?.extension()?.to_str()?;
        ENDINGS.into_iter().find(|known| known.eq_ignore_ascii_case(ending))
    }

    /// Refuses a name that ends like another format than the only one there is.
    pub(super) fn check_only(&self, what: &str, format: &str) {
        if let Some(ending) = self.ending().filter(|&ending| ending != format) {
            let name = self.name();
            wrong_usage(
                ErrorKind::ValueValidation,
                &format!("{what} is written as {format}, not as {ending}: {name}; expected a name that ends in .{format}"),
            );
        }
    }

    /// Writes a file, whole or not at all; on standard output what is read before the reader leaves.
    pub(super) fn write(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
        self.write_boxed(Box::new(write))
    }

    fn write_boxed(&self, write: interrupt::Writing<'_>) -> anyhow::Result<()> {
        let Self::File(path) = self else {
            let mut out = BufWriter::new(io::stdout());
            return match write(&mut out).and_then(|()| out.flush()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    // What is left in the buffer goes nowhere.
                    let _ = out.into_parts();
                    Ok(())
                }
                Err(error) => Err(anyhow::Error::new(error).context("cannot write to standard output")),
                Ok(()) => Ok(()),
            };
        };
        interrupt::write_boxed(path, write)
    }
}

/// The format of an output: what was asked for, or what its name ends with, or the usual one.
///
/// A contradiction between the two, or a format that there is not, is wrong usage.
pub(super) fn settle<F: ValueEnum + PartialEq>(output: Option<&Output>, asked: Option<F>, usual: Option<F>, allowed: &[F]) -> F {
    let name = |format: &F| format.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let expected = || allowed.iter().map(name).collect::<Vec<_>>().join(", ");
    let endings = || -> String {
        let names: Vec<String> = allowed.iter().map(|format| format!(".{}", name(format))).collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            names => names.concat(),
        }
    };
    let refuse = |sentence: String| -> ! { wrong_usage(ErrorKind::ValueValidation, &sentence) };
    let ending = output.and_then(Output::ending);
    if let (Some(output), Some(ending)) = (output, ending) {
        let Some(format) =
            F::value_variants().iter().find(|format| name(format) == ending).filter(|format| allowed.contains(format))
        else {
            refuse(format!("cannot write {}: there is no {ending} of this; expected one of {}", output.name(), expected()));
        };
        if let Some(asked) = asked.filter(|asked| asked != format) {
            let asked = name(&asked);
            refuse(format!("{} ends in .{ending}, but --format says {asked}; expected one or the other", output.name()));
        }
        return format.clone();
    }
    let Some(format) = asked.or(usual) else {
        let output = output.map_or(String::new(), Output::name);
        refuse(format!("cannot tell the format of {output}; expected a name that ends in {}", endings()));
    };
    if !allowed.contains(&format) {
        refuse(format!(
            "there is no {} of this; expected --format {}",
            name(&format),
            allowed.iter().map(name).collect::<Vec<_>>().join(" or ")
        ));
    }
    format
}

/// Checks all outputs before long work begins: that no two are one file, that each can be written and overwrites nothing that is
/// read, and that standard output has room for it beside the report.
pub(super) fn check_all(outputs: &[Option<&Output>], read: &[&Path], format: Format) -> anyhow::Result<()> {
    check_distinct(outputs);
    for output in outputs.iter().copied().flatten() {
        output.check(read)?;
        output.check_room(format);
    }
    Ok(())
}

/// Refuses two outputs that are one file.
pub(super) fn check_distinct(outputs: &[Option<&Output>]) {
    for (place, output) in outputs.iter().enumerate() {
        if let Some(output) = output.filter(|_| outputs[..place].contains(output)) {
            wrong_usage(ErrorKind::ArgumentConflict, &format!("{} would be written twice", output.name()));
        }
    }
}

/// The format in which a policy is written to a file of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PolicyFile {
    Csv,
    Json,
    Npz,
}

impl PolicyFile {
    /// All there are.
    pub(super) const ALL: &[Self] = &[Self::Csv, Self::Json, Self::Npz];
}

impl From<PolicyFile> for PolicyFormat {
    fn from(file: PolicyFile) -> Self {
        match file {
            PolicyFile::Csv => Self::Csv,
            PolicyFile::Json => Self::Json,
            PolicyFile::Npz => Self::Npz,
        }
    }
}
