//! The command `tennis`: questions that only Tennis has.

use clap::{Args, Subcommand};

use super::blind::Blind;
use super::forced::Forced;
use super::limit::LimitCommand;
use super::series::SeriesCommand;

/// Questions that only Tennis has: forced play, the limit of large accounts, matches, blind Tennis
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pencil-tennis tennis forced              # what pure play can force
  pencil-tennis tennis limit 100           # what holds for all multiples of 100 points
  pencil-tennis tennis series --to 10      # a match: the chance of winning it
  pencil-tennis tennis blind 10:8          # only the ball is announced")]
pub(super) struct Tennis {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Forced(Forced),
    Limit(LimitCommand),
    Series(SeriesCommand),
    Blind(Blind),
}

impl Tennis {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.question {
            Question::Forced(forced) => forced.run(),
            Question::Limit(limit) => limit.run(),
            Question::Series(series) => series.run(),
            Question::Blind(blind) => blind.run(),
        }
    }
}
