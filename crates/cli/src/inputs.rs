//! What the user names: files, folders, pipes, and `-` for standard input.

use std::io;

use karat_formats::{Input, files};

use crate::failure::Failure;

/// Inputs for these names. Standard input can be named once; it is kept in memory because a run may be read twice.
///
/// # Errors
/// `-` is named twice.
pub fn inputs(names: &[String]) -> Result<Vec<Input>, Failure> {
    if names.iter().filter(|name| *name == "-").count() > 1 {
        return Err(Failure::usage("`-` (standard input) is given more than once\nhelp: give files for the others"));
    }
    let input = |name: &String| match name.as_str() {
        "-" => files::read_once("standard input", || Ok(Box::new(io::stdin()))),
        name => files::input(name),
    };
    Ok(names.iter().map(input).collect())
}
