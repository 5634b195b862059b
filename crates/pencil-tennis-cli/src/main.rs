//! The program `pencil-tennis`.

use std::process::ExitCode;

fn main() -> ExitCode {
    pencil_tennis_cli::main()
}
