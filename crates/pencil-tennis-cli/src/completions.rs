//! The command `completions`.

use std::io::Write;

use clap::Args;
use clap_complete::Shell;

use super::screen::Screen;
use super::usage::command;

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
        clap_complete::generate(self.shell, &mut command(), "pencil-tennis", &mut script);
        let mut script = String::from_utf8(script)?;
        if self.shell == Shell::Bash {
            // A hyphen in the program's name is escaped in two ways, so that the labels of commands
            // do not match (https://github.com/clap-rs/clap/issues/6421).
            script = script.replace("pencil__subcmd__tennis", "pencil__tennis");
        }
        Ok(Screen::new().write_all(script.as_bytes())?)
    }
}
