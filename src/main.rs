//! The command line of pencil-tennis.

mod cli;

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use cli::interrupt::{INTERRUPTED, Interrupted};
use cli::ranks::ToldElsewhere;
use cli::screen::note;

fn main() -> ExitCode {
    match cli::Cli::read().run() {
        Ok(()) => ExitCode::SUCCESS,
        // Another rank reports the error. The launcher ends all ranks when the first exits, perhaps before the report; on a busy
        // machine that takes a while, so this rank waits, and ends once the report is out.
        Err(error) if error.downcast_ref::<ToldElsewhere>().is_some() => {
            thread::sleep(Duration::from_secs(5));
            ExitCode::FAILURE
        }
        Err(error) => {
            note(&cli::excerpted(&format!("pencil-tennis: {error:#}")));
            if error.downcast_ref::<Interrupted>().is_some() { INTERRUPTED.into() } else { ExitCode::FAILURE }
        }
    }
}
