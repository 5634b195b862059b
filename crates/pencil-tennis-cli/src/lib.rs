//! The command line of pencil-tennis: parses, calls the library, prints. No mathematics.
//!
//! A library only so that its parts have tests beside them; the program is [`main`].
//!
//! Shared by the commands: `game_args`, `points` and `numbers` (arguments), `output`,
//! `certificate_file` and `screen` (files and terminal), `interrupt`, `checkpoints` and `progress`
//! (long work), `ranks` (MPI), `fold` (tables of 80 columns).

/// An object to serialise, with these fields in this order.
macro_rules! object {
    ($($(#[$attribute:meta])* $field:ident: $value:expr),+ $(,)?) => {{
        #[expect(non_camel_case_types, reason = "the type of a field has the field's name")]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($field),+> {
                $($(#[$attribute])* $field: $field),+
            }
            Object { $($field: $value),+ }
        };
        object
    }};
}

mod again;
mod agent;
mod any_game;
mod blind;
mod bot;
mod certificate_file;
mod check;
mod checkpoints;
mod completions;
mod content;
mod curves;
mod duel;
mod exploit;
mod explore;
mod export;
mod fold;
mod forced;
mod game_args;
mod game_source;
mod hidden;
mod interrupt;
mod limit;
mod manual;
mod matrix;
mod numbers;
mod output;
mod play;
mod plot;
mod points;
mod progress;
mod prove;
mod ranks;
mod renamed;
mod replay;
mod screen;
mod series;
mod show;
mod solve;
mod tennis;
mod train;
mod train_any;
mod verify;
mod word;

use std::ffi::OsStr;
use std::fmt::Display;
use std::iter;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use clap::error::ContextValue;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use serde::Serialize;

use self::numbers::grouped;
use self::screen::{Screen, print_document};

/// Reads the arguments of the process, does what they ask for, and returns the exit status: 0 if it
/// is done, 1 if it failed; wrong usage exits with 2.
pub fn main() -> ExitCode {
    match Cli::read().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Another rank reports the error. The launcher ends all ranks when the first exits, perhaps
        // before the report; on a busy machine that takes a while, so this rank waits, and ends
        // once the report is out.
        Err(error) if error.downcast_ref::<ranks::ToldElsewhere>().is_some() => {
            thread::sleep(Duration::from_secs(5));
            ExitCode::FAILURE
        }
        Err(error) => {
            screen::note(&excerpted(&format!("pencil-tennis: {error:#}")));
            if error.downcast_ref::<interrupt::Interrupted>().is_some() {
                interrupt::INTERRUPTED.into()
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// The first screen: every command in its group, which a test compares with the commands there are.
const HELP: &str = "\
{about}

{usage-heading} {usage}

A GAME is points of the pencil game Tennis (50, or 50:40 for A and B), @NAME of
the gallery, or a file: a game with states (.jsonl), a tree of Gambit (.efg), a
matrix (.csv, .nfg, .npy), a model of PRISM (.prism, .tra).

Solve
  solve      Solve a game: values, strategies, proved bounds
  show       Show states of it, or information sets
  export     Write tables of values and strategies
  check      Check properties of a model of PRISM or PRISM-games
Prove
  prove      Write a certificate of the values
  verify     Check a certificate, or a table, without trusting the solver
Judge
  exploit    What best responses gain against a policy
  duel       Let players play many games
  train      Train a learner, and judge it exactly on the way
Play and look
  play       Play against the optimum, or another player
  replay     Judge a written game turn by turn
  explore    Open a page to play, explore and learn in a browser
  plot       Draw figures
Tennis alone
  tennis     Forced play, the limit of large accounts, matches, blind Tennis

Examples:
  pencil-tennis solve my.jsonl      # a game of your own, from a file
  pencil-tennis solve @leduc        # poker, or any tree with hidden information
  pencil-tennis solve pennies.csv   # one matrix, in fractions
  pencil-tennis solve               # Tennis: all 13,005 states of 50 points
  pencil-tennis prove my.jsonl -o my.proof && pencil-tennis verify my.proof
  pencil-tennis exploit policy.csv my.jsonl

A value is what A wins on average. `pencil-tennis COMMAND --help` says more;
`completions SHELL` prints a completion script, `manual FOLDER` writes manual
pages.

Options:
{options}
";

/// Exact solver of simultaneous-move games: values and optimal strategies with proved bounds.
#[derive(Debug, Parser)]
#[command(
    name = "pencil-tennis",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    override_usage = "pencil-tennis <COMMAND> [GAME] …",
    help_template = HELP
)]
pub(crate) struct Cli {
    /// Show no progress on standard error: neither a bar in a terminal nor a line a minute
    /// elsewhere
    #[arg(long, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Solve),
    Show(show::Show),
    Export(export::Export),
    Prove(prove::Prove),
    Verify(verify::Verify),
    Check(check::Check),
    Exploit(exploit::Exploit),
    Duel(duel::Duel),
    Train(train::Train),
    Play(play::Play),
    Replay(replay::Replay),
    Explore(explore::Explore),
    Plot(plot::Plot),
    Tennis(tennis::Tennis),
    #[command(hide = true)]
    Completions(completions::Completions),
    #[command(hide = true)]
    Manual(manual::Manual),
    #[command(hide = true)]
    Game(renamed::Renamed),
    #[command(hide = true)]
    Matrix(renamed::Renamed),
    #[command(hide = true)]
    Curves(renamed::Renamed),
    #[command(hide = true)]
    Forced(renamed::Renamed),
    #[command(hide = true)]
    Limit(renamed::Renamed),
    #[command(hide = true)]
    Series(renamed::Renamed),
    #[command(hide = true)]
    Blind(renamed::Renamed),
}

impl Command {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Solve(solve) => solve.run(),
            Self::Show(show) => show.run(),
            Self::Export(export) => export.run(),
            Self::Prove(prove) => prove.run(),
            Self::Verify(verify) => verify.run(),
            Self::Check(check) => check.run(),
            Self::Exploit(exploit) => exploit.run(),
            Self::Duel(duel) => duel.run(),
            Self::Train(train) => train.run(),
            Self::Play(play) => play.run(),
            Self::Replay(replay) => replay.run(),
            Self::Explore(explore) => explore.run(),
            Self::Plot(plot) => plot.run(),
            Self::Tennis(tennis) => tennis.run(),
            Self::Completions(completions) => completions.run(),
            Self::Manual(manual) => manual.run(),
            Self::Game(old)
            | Self::Matrix(old)
            | Self::Curves(old)
            | Self::Forced(old)
            | Self::Limit(old)
            | Self::Series(old)
            | Self::Blind(old) => old.run(),
        }
    }
}

impl Cli {
    /// Parses the arguments; exits on wrong usage.
    pub(crate) fn read() -> Self {
        let mut matches =
            command().try_get_matches().unwrap_or_else(|error| match content::misplaced() {
                Some(sentence) if error.use_stderr() => wrong_usage(sentence),
                _ => shortened(error).exit(),
            });
        // Set once.
        let _ = GIVEN.set(matches.clone());
        Self::from_arg_matches_mut(&mut matches)
            .unwrap_or_else(|error| error.format(&mut command()).exit())
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        interrupt::listen()?;
        self.command.run().map_err(|error| {
            let is_of_system =
                error.is::<interrupt::Interrupted>() || error.is::<ranks::ToldElsewhere>();
            content::misplaced().filter(|_| !is_of_system).map_or(error, anyhow::Error::msg)
        })
    }
}

#[derive(Clone, Copy, Debug, Default, Args)]
struct FormatArgs {
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

/// Whether JSON has `null` for a value, whose field is then left out.
fn is_null(value: &impl Serialize) -> bool {
    serde_json::to_value(value).is_ok_and(|value| value.is_null())
}

/// Formats a number without bounds: to nearest, in digits that doubles compute, with an exponent
/// where it is tiny. Bounds are printed by
/// [`Enclosure::decimal`](pencil_tennis::Enclosure::decimal), widths by
/// [`rounded_up`](pencil_tennis::bounds::rounded_up).
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-5 {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.14}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a payoff to five decimals, or with an exponent where it is smaller than `least`.
fn short(payoff: f64, least: f64) -> String {
    if payoff != 0.0 && payoff.abs() < least {
        format!("{payoff:.1e}")
    } else {
        format!("{payoff:.5}")
    }
}

/// Joins things as in `one, two and three`.
fn listed(things: impl IntoIterator<Item = impl Display>) -> String {
    joined(things, "and")
}

/// Joins things with commas, the last two with a word.
fn joined(things: impl IntoIterator<Item = impl Display>, word: &str) -> String {
    let things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match things.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} {word} {last}", first.join(", ")),
        things => things.concat(),
    }
}

/// The longest word of a message, and the characters that remain of a longer one: an echoed
/// argument may have megabytes.
const LONGEST_WORD: usize = 400;
const EXCERPT: usize = 80;

/// The message with an excerpt of each overlong word.
pub(crate) fn excerpted(message: &str) -> String {
    let mut excerpt = String::with_capacity(message.len().min(1 << 12));
    for piece in message.split_inclusive(char::is_whitespace) {
        if piece.chars().count() <= LONGEST_WORD {
            excerpt.push_str(piece);
            continue;
        }
        excerpt.extend(piece.chars().take(EXCERPT));
        excerpt.push('…');
        excerpt.extend(piece.chars().last().filter(|last| last.is_whitespace()));
    }
    excerpt
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
fn wrong_usage(sentence: impl Display) -> ! {
    given_command()
        .error(clap::error::ErrorKind::ValueValidation, excerpted(&sentence.to_string()))
        .exit()
}

fn given_command() -> clap::Command {
    let mut command = command();
    // Building links subcommands to their parents.
    command.build();
    // Of arguments that could not be parsed, the command alone.
    let first = std::env::args_os().nth(1).filter(|_| GIVEN.get().is_none());
    for name in given().map(|(name, _)| OsStr::new(name)).chain(first.as_deref()) {
        if let Some(given) = command.find_subcommand(name) {
            command = given.clone();
        }
    }
    command
}

/// Rejects, for a game, all given options but these, by their names in the code or those of their
/// groups.
fn check_options(game: impl Display, allowed: &[&str]) {
    let command = given_command();
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
fn refuse_options(game: &str, groups: &[&str]) {
    let command = given_command();
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
fn is_quiet() -> bool {
    GIVEN.get().is_some_and(|matches| matches.get_flag("quiet"))
}

static GIVEN: OnceLock<ArgMatches> = OnceLock::new();

/// The given command and its subcommand, such as `plot` and `regret`, with their arguments.
fn given() -> impl Iterator<Item = (&'static str, &'static ArgMatches)> {
    iter::successors(GIVEN.get().and_then(ArgMatches::subcommand), |(_, deeper)| {
        deeper.subcommand()
    })
}

/// The command line. Negative numbers are values everywhere, so that errors name their true fault.
fn command() -> clap::Command {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let takes_values = |arg: clap::Arg| {
            if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg }
        };
        command.mut_args(takes_values).mut_subcommands(with_negative_numbers)
    }
    fn with_game(command: clap::Command) -> clap::Command {
        let help = "Points each, or A:B for A and B [default: 50]; or a game of other rules: a file or @NAME";
        command.mut_arg("place", |place| place.value_name("POINTS | A:B | GAME").help(help))
    }
    let commands = ["solve", "export", "prove", "exploit", "train", "play"];
    let figures = ["values", "strategies", "regret"];
    let drawn = |plot: clap::Command| {
        figures.into_iter().fold(plot, |plot, name| plot.mut_subcommand(name, with_game))
    };
    let all =
        commands.into_iter().fold(Cli::command(), |all, name| all.mut_subcommand(name, with_game));
    with_negative_numbers(all.mut_subcommand("plot", drawn))
}

#[cfg(test)]
mod tests {
    use super::{HELP, command};

    #[test]
    fn the_first_screen_has_every_command_and_no_other() {
        let listed = HELP.lines().take_while(|line| *line != "Examples:");
        let listed: Vec<&str> =
            listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
        let command = command();
        let names: Vec<&str> = command
            .get_subcommands()
            .filter(|own| !own.is_hide_set())
            .map(clap::Command::get_name)
            .collect();
        assert!(listed.len() <= 14, "{listed:?}");
        assert_eq!([listed.len(), names.len()], [names.len(); 2], "{listed:?} and {names:?}");
        assert!(names.iter().all(|name| listed.contains(name)), "{listed:?} and {names:?}");
    }
}
