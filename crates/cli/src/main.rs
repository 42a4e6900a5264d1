//! The karat command line.

fn main() {}
