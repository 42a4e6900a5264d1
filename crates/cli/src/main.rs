//! The program: arguments in, exit status out. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    karat_cli::program(std::env::args_os().collect())
}
