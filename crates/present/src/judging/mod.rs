//! `karat pool`, `karat sample` and `karat next` for people.

mod form;
mod next;
mod pool;
mod problems;
mod replay;
mod sample;

pub use form::{Blank, form_note, no_text_note};
pub use next::{NextFacts, report as next_report};
pub use pool::report as pool_report;
pub use problems::{no_relevance_model, problems};
pub use replay::report as replay_report;
pub use sample::report as sample_report;
