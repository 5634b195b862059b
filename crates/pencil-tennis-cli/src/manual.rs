//! The command `manual`: manual pages of all commands.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::usage::command;

/// Write manual pages of all commands to a folder
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  pencil-tennis manual pages && man pages/pencil-tennis-solve.1")]
pub(super) struct Manual {
    /// The folder, which is created if necessary; pages of these names are replaced
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Manual {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let name = self.folder.display();
        fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make the folder {name}"))?;
        clap_mangen::generate_to(command(), &self.folder)
            .with_context(|| format!("cannot write to {name}"))?;
        eprintln!("{name}: a page for every command");
        Ok(())
    }
}
