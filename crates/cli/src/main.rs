//! The program: arguments in, exit status out. Everything else is the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    karat::program(std::env::args_os().collect())
}
