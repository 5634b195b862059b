//! `completions`: for the shell.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Screen;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pencil-tennis completions bash > pencil-tennis.bash && . ./pencil-tennis.bash")]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "pencil-tennis", &mut script);
        Ok(Screen::new().write_all(&script)?)
    }
}
