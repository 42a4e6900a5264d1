//! The measures, over their whole table and against other programs: one program for all of these tests, because linking one for each took longer than running them.
//! `cargo test -p karat-measures --test all ties` runs those of one file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod bounds;
mod complete;
mod difference;
mod gaps;
mod linear;
mod marked;
mod marked_bounds;
mod ndeval;
mod papers;
mod peers;
mod properties;
mod sampled;
mod support;
mod table;
mod ties;
mod trec_eval;
