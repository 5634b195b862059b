//! The command that was given with its options, and the errors for wrong ones.

use std::ffi::OsStr;
use std::fmt::Display;
use std::iter;
use std::sync::OnceLock;

use clap::ArgMatches;
use clap::error::ContextValue;
use clap::parser::ValueSource;

use super::content;
use super::sentences::{excerpted, listed};

/// The whole command line as it may be given.
static COMMAND: OnceLock<clap::Command> = OnceLock::new();

/// The arguments that were given.
static GIVEN: OnceLock<ArgMatches> = OnceLock::new();

/// Parses the arguments of the process; exits on wrong usage.
pub(super) fn read(whole: clap::Command) -> ArgMatches {
    // Both are set once.
    let _ = COMMAND.set(whole);
    let matches = command().try_get_matches().unwrap_or_else(|error| match content::misplaced() {
        Some(sentence) if error.use_stderr() => wrong_usage(sentence),
        _ => shortened(error).exit(),
    });
    let _ = GIVEN.set(matches.clone());
    matches
}

/// The whole command line, for its help, its errors and what describes it.
pub(super) fn command() -> clap::Command {
    COMMAND.get().cloned().unwrap_or_default()
}

/// The error with an excerpt of each overlong argument.
fn shortened(mut error: clap::Error) -> clap::Error {
    let long: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, excerpted(text))),
            _ => None,
        })
        .collect();
    for (kind, text) in long {
        error.insert(kind, ContextValue::String(text));
    }
    error
}

/// Exits as for wrong usage, with a sentence and the usage of the given command.
pub(super) fn wrong_usage(sentence: impl Display) -> ! {
    given_command()
        .error(clap::error::ErrorKind::ValueValidation, excerpted(&sentence.to_string()))
        .exit()
}

/// The given command alone, with its groups: cheaper than [`given_command`], whose usage and errors
/// need the parents.
fn declared_command() -> clap::Command {
    let Some(whole) = COMMAND.get() else { return clap::Command::default() };
    let mut command = subcommand(whole, given().map(|(name, _)| OsStr::new(name))).clone();
    command.build();
    command
}

pub(super) fn given_command() -> clap::Command {
    let mut whole = command();
    // Building links subcommands to their parents.
    whole.build();
    // Of arguments that could not be parsed, the command alone.
    let first = std::env::args_os().nth(1).filter(|_| GIVEN.get().is_none());
    let names = given().map(|(name, _)| OsStr::new(name)).chain(first.as_deref());
    subcommand(&whole, names).clone()
}

/// The command that these names lead to; names of none are passed over.
fn subcommand<'c>(
    whole: &'c clap::Command,
    names: impl Iterator<Item = &'c OsStr>,
) -> &'c clap::Command {
    names.fold(whole, |command, name| command.find_subcommand(name).unwrap_or(command))
}

/// Rejects, for a game, all given options but these, by their names in the code or those of their
/// groups.
pub(super) fn check_options(game: impl Display, allowed: &[&str]) {
    let command = declared_command();
    let is_allowed = |option: &clap::Arg| is_among(&command, option, allowed);
    if let Some(long) =
        given_options(&command).find(|option| !is_allowed(option)).and_then(clap::Arg::get_long)
    {
        let others =
            command.get_arguments().filter(|option| !option.is_positional() && is_allowed(option));
        let others = listed(others.filter_map(|option| Some(format!("--{}", option.get_long()?))));
        wrong_usage(format!("--{long} is not for {game}, which takes {others}"));
    }
}

/// Rejects, for a game, all given options of these groups.
pub(super) fn refuse_options(game: &str, groups: &[&str]) {
    let command = declared_command();
    if let Some(long) = given_options(&command)
        .find(|option| is_among(&command, option, groups))
        .and_then(clap::Arg::get_long)
    {
        wrong_usage(format!("--{long} is not for {game}"));
    }
}

/// Whether an option has one of these names, or is in a group that has.
fn is_among(command: &clap::Command, option: &clap::Arg, names: &[&str]) -> bool {
    let name = option.get_id();
    let mut groups =
        command.get_groups().filter(|group| group.get_args().any(|member| member == name));
    names.contains(&name.as_str()) || groups.any(|group| names.contains(&group.get_id().as_str()))
}

/// The options of a command that the command line has.
fn given_options(command: &clap::Command) -> impl Iterator<Item = &clap::Arg> {
    let matches = given().last().map(|(_, matches)| matches);
    command.get_arguments().filter(move |option| {
        let name = option.get_id().as_str();
        let is_given = |matches: &ArgMatches| {
            matches.try_contains_id(name).is_ok()
                && matches.value_source(name) == Some(ValueSource::CommandLine)
        };
        !option.is_positional()
            && !option.is_global_set()
            && option.get_long().is_some()
            && matches.is_some_and(is_given)
    })
}

/// Whether progress is not to be shown.
pub(super) fn is_quiet() -> bool {
    GIVEN.get().is_some_and(|matches| matches.get_flag("quiet"))
}

/// The given command and its subcommand, such as `plot` and `regret`, with their arguments.
pub(super) fn given() -> impl Iterator<Item = (&'static str, &'static ArgMatches)> {
    iter::successors(GIVEN.get().and_then(ArgMatches::subcommand), |(_, deeper)| {
        deeper.subcommand()
    })
}
