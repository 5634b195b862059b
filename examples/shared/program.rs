//! Arguments of the examples, and errors as sentences.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::str::FromStr;

/// Prints a line in a function that returns a `Result`; `println!` would panic where the reader has
/// closed the pipe.
macro_rules! say {
    ($($words:tt)*) => {
        std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($words)*)))?
    };
}
pub(crate) use say;

/// Runs a program that takes these arguments; an error is a sentence, and a failure. A closed pipe
/// (`| head -1`) ends it quietly.
pub(crate) fn run(usage: &str, program: impl FnOnce() -> Result<(), Box<dyn Error>>) -> ExitCode {
    let most = usage.split_whitespace().count() - 1;
    let result = match std::env::args_os().nth(most + 1) {
        Some(argument) => {
            Err(format!("{} is an argument too many", argument.to_string_lossy()).into())
        }
        None => program(),
    };
    let Err(error) = result else { return ExitCode::SUCCESS };
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
    {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {error}\nusage: {usage}");
    ExitCode::FAILURE
}

/// The n-th argument of the program, or what stands for it: a number within a range.
pub(crate) fn argument<T>(
    n: usize,
    what: &str,
    default: T,
    range: RangeInclusive<T>,
) -> Result<T, Box<dyn Error>>
where
    T: FromStr + PartialOrd + Display,
{
    let Some(argument) = std::env::args().nth(n) else { return Ok(default) };
    let number = argument.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        format!("{argument} is no {what}; expected {} to {}", range.start(), range.end()).into()
    })
}
