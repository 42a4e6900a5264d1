//! What does not keep the rules yet. The lists may only shrink.

/// Functions longer than a screen, in all crates.
pub const LONG_FUNCTIONS: usize = 16;

/// Files of `analysis` that import `karat_report` or `karat_present`.
pub const IMPORTS: &[&str] = &[];

/// Files of `analysis` with words for people.
pub const WORDS: &[&str] = &[];

/// Modules of `analysis` that use each other in a circle.
pub const CYCLES: &[&str] = &[];
