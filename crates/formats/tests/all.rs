//! Files as they are met in practice, whole and damaged: one program for all of these tests, because linking one for each took longer than running them.
//! `cargo test -p karat-formats --test all ties` runs those of one file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod chance;
mod forms;
mod given_up;
mod guide;
mod labels;
mod line_formats;
mod memory;
mod mutations;
mod records_mutations;
mod roundtrip;
mod zoo;
