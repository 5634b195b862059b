//! The command line: parses, calls the library, prints. No mathematics.

mod completions;
mod export;
mod game_args;
mod interrupt;
mod show;
mod solve;

use std::io::{self, Write};

use clap::{Parser, Subcommand, ValueEnum};

/// Exact solver of the pencil game Tennis: values, optimal strategies and proved bounds of every state.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 110,
    arg_required_else_help = true,
    after_help = "\
A positive ball lies on B's side and is good for A; values are what A wins on average.

Examples:
  pencil-tennis solve                  solve all 13,005 states of the 50-point game
  pencil-tennis show 4:3@-2            one state: its value and how to bid
  pencil-tennis export values 50 -o values.csv"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Solve(solve::Solve),
    Show(show::Show),
    Export(export::Export),
    Completions(completions::Completions),
}

impl Cli {
    /// Does what was asked for.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Solve(command) => command.run(),
            Command::Show(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Completions(command) => command.run(),
        }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts: one JSON object on standard output.
    Json,
}

/// Prints a report as one line of JSON.
fn print_json(report: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, report).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
