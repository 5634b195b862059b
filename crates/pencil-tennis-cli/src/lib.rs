//! The command line of pencil-tennis: parses, calls the library, prints. No mathematics.
//!
//! A library only so that its parts have tests beside them; the program is [`main`].
//!
//! Shared by the commands: `usage`, `game_args`, `points` and `numbers` (arguments), `output`,
//! `certificate_file`, `screen` and `report` (files and terminal), `interrupt`, `checkpoints` and
//! `progress` (long work), `ranks` (MPI), `fold`, `strategies` and `sentences` (what is printed).

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
mod report;
mod screen;
mod sentences;
mod series;
mod show;
mod solve;
mod strategies;
mod tennis;
mod train;
mod train_any;
mod usage;
mod verify;
mod wanted;
mod word;

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::sentences::excerpted;

/// Reads the arguments of the process, does what they ask for, and returns the exit status: 0 if it
/// is done, 1 if it failed; wrong usage exits with 2.
pub fn main() -> ExitCode {
    match Cli::read().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Another rank reports the error. The launcher ends all ranks when the first exits, perhaps
        // before the report; on a busy machine that takes a while, so this rank waits, and ends
        // once the report is out.
        Err(error) if error.downcast_ref::<ranks::ReportedByOtherRank>().is_some() => {
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
        let mut matches = usage::read(command());
        Self::from_arg_matches_mut(&mut matches)
            .unwrap_or_else(|error| error.format(&mut command()).exit())
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        interrupt::listen()?;
        self.command.run().map_err(|error| {
            let is_of_system =
                error.is::<interrupt::Interrupted>() || error.is::<ranks::ReportedByOtherRank>();
            content::misplaced().filter(|_| !is_of_system).map_or(error, anyhow::Error::msg)
        })
    }
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
        command.mut_arg("place", |arg| arg.value_name("POINTS | A:B | GAME").help(help))
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
            .filter(|subcommand| !subcommand.is_hide_set())
            .map(clap::Command::get_name)
            .collect();
        assert!(listed.len() <= 14, "{listed:?}");
        assert_eq!([listed.len(), names.len()], [names.len(); 2], "{listed:?} and {names:?}");
        assert!(names.iter().all(|name| listed.contains(name)), "{listed:?} and {names:?}");
    }
}
