//! The command line: parses, calls the library, prints. No mathematics.
//!
//! What commands share: [`game_args`] (which game, and where its solution comes from), [`points`], [`numbers`], [`output`] (where
//! a result is written), [`screen`] (what is printed), [`interrupt`], [`checkpoints`] and [`progress`] (long work), [`ranks`]
//! (a job of several processes), [`fold`] (tables at 80
//! columns).

mod agent;
mod blind;
mod bot;
mod checkpoints;
mod completions;
mod court;
mod curves;
mod duel;
mod exploit;
mod explore;
mod export;
mod figure_file;
mod fold;
mod forced;
mod game;
mod game_args;
pub(crate) mod interrupt;
mod limit;
mod model;
mod numbers;
mod output;
mod play;
mod plot;
mod points;
mod progress;
mod prove;
pub(crate) mod ranks;
mod replay;
pub(crate) mod screen;
mod series;
mod show;
mod solve;
mod train;
mod verify;

use std::fmt::Display;
use std::sync::OnceLock;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use self::numbers::grouped;
use self::screen::{Screen, print_document, print_json};

/// Exact solver of the pencil game Tennis: values, optimal strategies and proved bounds of every state.
#[derive(Debug, Parser)]
#[command(
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
    Forced(forced::Forced) Limit(limit::LimitCommand) Game(game::Game) Train(train::Train) Duel(duel::Duel) Curves(curves::Curves) Plot(plot::Plot)
    Prove(prove::Prove) Verify(verify::Verify) Series(series::SeriesCommand) Blind(blind::Blind) Play(play::Play)
    Replay(replay::Replay) Completions(completions::Completions)
}

impl Cli {
    /// What was asked for; ends the program where it was asked for wrongly.
    pub(crate) fn read() -> Self {
        let mut matches = command().get_matches();
        let given = std::iter::successors(matches.subcommand(), |(_, deeper)| deeper.subcommand());
        // Nothing else sets it.
        let _ = GIVEN.set(given.map(|(name, _)| name.to_owned()).collect());
        Self::from_arg_matches_mut(&mut matches).unwrap_or_else(|error| error.format(&mut command()).exit())
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        interrupt::listen()?;
        self.command.run()
    }
}

/// The format of printed results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts: one JSON object on standard output.
    Json,
}

/// A number without bounds, for people: to nearest, in digits that doubles compute, with an exponent where it is tiny. Bounds and
/// numbers that have some are printed by [`Enclosure::decimal`](pencil_tennis::Enclosure::decimal), widths by
/// [`rounded_up`](pencil_tennis::bounds::rounded_up).
fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-5 {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.14}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// One, two and three.
fn listed(things: impl IntoIterator<Item = impl Display>) -> String {
    let things: Vec<String> = things.into_iter().map(|thing| thing.to_string()).collect();
    match things.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Ends the program as for wrong usage, with a sentence and the usage of the command that was given.
fn wrong_usage(sentence: impl Display) -> ! {
    let mut command = command();
    // Only then does a command know those around it.
    command.build();
    for name in GIVEN.get().into_iter().flatten() {
        // Whatever was given was found before.
        if let Some(given) = command.find_subcommand(name) {
            command = given.clone();
        }
    }
    command.error(clap::error::ErrorKind::ValueValidation, sentence).exit()
}

/// The command that was given, and what it was told to do, such as `plot` and `regret`.
static GIVEN: OnceLock<Vec<String>> = OnceLock::new();

/// The command line; a number below 0 is a value everywhere, so that it is refused for what it is.
fn command() -> clap::Command {
    fn with_negative_numbers(command: clap::Command) -> clap::Command {
        let takes_values = |arg: clap::Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
        command.mut_args(takes_values).mut_subcommands(with_negative_numbers)
    }
    with_negative_numbers(Cli::command())
}
