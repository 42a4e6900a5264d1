//! The command line, as people and scripts meet it: one program for all of these tests, because linking one for each took longer than running them.
//! `cargo test -p karat-cli --test all ties` runs those of one file.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod ab;
mod bad_files;
mod bad_records;
mod budget;
mod check;
mod compare;
mod demo;
mod docs;
mod eval;
mod figures;
mod folders;
mod forms;
mod glossary;
mod intervals;
mod judges;
mod judges_files;
mod judges_gold;
mod judges_real;
mod judging;
mod memory;
mod newcomer;
mod open_columns;
mod output;
mod plan_topics;
mod published;
mod rbo;
mod report;
mod reproduce;
mod sampled;
mod schema;
mod score_bands;
mod sensitivity;
mod settle;
mod simulate;
mod ties;
mod trec_eval;
mod trec_eval_golden;
mod tune;
mod unjudged;
mod width;
