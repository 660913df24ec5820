//! The program `elbowroom`; all of it is in the library beside.

use std::process::ExitCode;

fn main() -> ExitCode {
    elbowroom_cli::run()
}
