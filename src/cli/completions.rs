//! `completions`: for the shell.

use std::io;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pencil-tennis completions bash > ~/.local/share/bash-completion/completions/pencil-tennis")]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "pencil-tennis", &mut script);
        io::Write::write_all(&mut io::stdout(), &script)?;
        Ok(())
    }
}
