//! `karat simulate` for people.

mod judges;
mod ranking;

pub use judges::judges_report;
pub use ranking::ranking_report;
