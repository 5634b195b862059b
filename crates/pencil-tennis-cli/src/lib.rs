//! The command line of pencil-tennis: parses, calls the library, prints. No mathematics.
//!
//! A library only so that its parts have tests beside them; the program is [`main`].
//!
//! Shared by the commands: `game_args`, `points` and `numbers` (arguments), `output`, `certificate_file` and `screen` (files and
//! terminal), `interrupt`, `checkpoints` and `progress` (long work), `ranks` (MPI), `fold` (tables of 80 columns).

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
mod game;
mod game_args;
mod game_source;
mod hidden;
mod interrupt;
mod limit;
mod matrix;
mod numbers;
mod output;
mod play;
mod plot;
mod points;
mod progress;
mod prove;
mod ranks;
mod replay;
mod screen;
mod series;
mod show;
mod solve;
mod train;
mod verify;

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

/// Reads the arguments of the process, does what they ask for, and returns the exit status: 0 if it is done, 1 if it failed; wrong
/// usage exits with 2.
pub fn main() -> ExitCode {
    match Cli::read().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Another rank reports the error. The launcher ends all ranks when the first exits, perhaps before the report; on a busy
        // machine that takes a while, so this rank waits, and ends once the report is out.
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

/// Exact solver of the pencil game Tennis: values, optimal strategies and proved bounds of every state.
#[derive(Debug, Parser)]
#[command(
    name = "pencil-tennis",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    after_help = "\
A positive ball lies on B's side and is good for A. A value is what A wins on
average.

Examples:
  pencil-tennis solve               # all 13,005 states of the 50-point game
  pencil-tennis show 4:3@-2         # one state: its value and how to bid
  pencil-tennis show 50:50@-1 --digits 100
  pencil-tennis export values 50 -o values.csv
  pencil-tennis exploit uniform     # where a random player loses
  pencil-tennis explore             # a page that solves in the browser
  pencil-tennis forced              # what pure play can force
  pencil-tennis limit 100           # what holds for all multiples of 100 points
  pencil-tennis series --to 10      # a match: the chance of winning it
  pencil-tennis blind 10:8          # only the ball is announced
  pencil-tennis game my.jsonl       # any simultaneous-move game, from a file
  pencil-tennis game @leduc         # poker, and any tree with hidden information
  pencil-tennis check my.prism my.props # a model of PRISM or PRISM-games
  pencil-tennis matrix my.csv       # one matrix game, in fractions
  pencil-tennis train simple        # the article's learner
  pencil-tennis duel optimal uniform
  pencil-tennis play                # against the optimum; ? gives a hint
  pencil-tennis replay game.txt     # a written game, judged bid by bid
  pencil-tennis prove 50 -o tennis.proof && pencil-tennis verify tennis.proof"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

macro_rules! commands {
    ($($name:ident($command:ty))*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($command)),*
        }

        impl Command {
            fn run(self) -> anyhow::Result<()> {
                match self {
                    $(Self::$name(command) => command.run()),*
                }
            }
        }
    };
}

commands! {
    Solve(solve::Solve) Show(show::Show) Export(export::Export) Exploit(exploit::Exploit) Explore(explore::Explore)
    Forced(forced::Forced) Limit(limit::LimitCommand) Game(game::Game) Check(check::Check) Matrix(matrix::MatrixCommand) Train(train::Train) Duel(duel::Duel) Curves(curves::Curves) Plot(plot::Plot)
    Prove(prove::Prove) Verify(verify::Verify) Series(series::SeriesCommand) Blind(blind::Blind) Play(play::Play)
    Replay(replay::Replay) Completions(completions::Completions)
}

impl Cli {
    /// Parses the arguments; exits on wrong usage.
    pub(crate) fn read() -> Self {
        let mut matches = command().try_get_matches().unwrap_or_else(|error| match content::misplaced() {
            Some(sentence) if error.use_stderr() => wrong_usage(sentence),
            _ => shortened(error).exit(),
        });
        // Set once.
        let _ = GIVEN.set(matches.clone());
        Self::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.format(&mut command()).exit())
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        interrupt::listen()?;
        self.command.run().map_err(|error| {
            let is_of_system = error.is::<interrupt::Interrupted>() || error.is::<ranks::ToldElsewhere>();
            content::misplaced().filter(|_| !is_of_system).map_or(error, anyhow::Error::msg)
        })
    }
}

#[derive(Clone, Copy, Debug, Args)]
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

/// Formats a number without bounds: to nearest, in digits that doubles compute, with an exponent where it is tiny. Bounds are
/// printed by [`Enclosure::decimal`](pencil_tennis::Enclosure::decimal), widths by
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
    if payoff != 0.0 && payoff.abs() < least { format!("{payoff:.1e}") } else { format!("{payoff:.5}") }
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

/// The longest word of a message, and the characters that remain of a longer one: an echoed argument may have megabytes.
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
    given_command().error(clap::error::ErrorKind::ValueValidation, excerpted(&sentence.to_string())).exit()
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

/// Rejects, for a game of other rules than Tennis, all given options but these, by their names in the code.
fn check_options(game: &str, allowed: &[&str]) {
    let Some(((_, matches), command)) = given().last().zip(Some(given_command())) else { return };
    for option in command.get_arguments().filter(|option| !option.is_positional()) {
        let name = option.get_id().as_str();
        let is_given = matches.try_contains_id(name).is_ok() && matches.value_source(name) == Some(ValueSource::CommandLine);
        if let Some(long) = option.get_long().filter(|_| is_given && !allowed.contains(&name)) {
            let others = command.get_arguments().filter(|option| allowed.contains(&option.get_id().as_str()));
            let others = listed(others.filter_map(|option| Some(format!("--{}", option.get_long()?))));
            wrong_usage(format!("--{long} is not for {game}, which takes {others}"));
        }
    }
}

static GIVEN: OnceLock<ArgMatches> = OnceLock::new();

/// The given command and its subcommand, such as `plot` and `regret`, with their arguments.
fn given() -> impl Iterator<Item = (&'static str, &'static ArgMatches)> {
    iter::successors(GIVEN.get().and_then(ArgMatches::subcommand), |(_, deeper)| deeper.subcommand())
}

/// The command line. Negative numbers are values everywhere, so that errors name their true fault.
fn command() -> clap::Command {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let takes_values = |arg: clap::Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
        command.mut_args(takes_values).mut_subcommands(with_negative_numbers)
    }
    fn with_game(command: clap::Command) -> clap::Command {
        let help = "Points each, or A:B for A and B [default: 50]; or a game of other rules: a file or @NAME";
        command.mut_arg("place", |place| place.value_name("POINTS | A:B | GAME").help(help))
    }
    let figures = ["values", "strategies", "regret"];
    let drawn = |plot: clap::Command| figures.into_iter().fold(plot, |plot, name| plot.mut_subcommand(name, with_game));
    with_negative_numbers(Cli::command().mut_subcommand("play", with_game).mut_subcommand("plot", drawn))
}
