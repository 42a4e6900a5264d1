//! Bytes to data: one file per format, behind one table of readers ([`registry`]).
//!
//! Readers are given [`Input`]s that can be opened ([`files`] makes them of paths) and know how to decompress them, cut them into
//! blocks at topic boundaries, and parse the blocks on several threads. The one decision behind it: a run is read in
//! blocks of whole topics and never held whole, so memory is a few blocks per thread however large the file.

pub mod block;
pub mod columns;
pub mod decompress;
pub mod detect;
pub mod diversity_qrels;
pub mod feed;
pub mod fields;
pub mod files;
pub mod form;
pub mod gather;
pub mod input;
pub mod known;
pub mod labels;
pub mod memory;
pub mod msmarco_run;
mod number;
pub mod prels;
pub mod records;
pub mod registry;
pub mod rows;
pub mod run_files;
pub mod sample;
pub mod sampled_qrels;
pub mod sink;
pub mod texts;
pub mod trec_jg;
pub mod trec_prefs;
pub mod trec_qrels;
pub mod trec_run;
mod watch;
pub mod write;

pub mod published_scores;
mod qrels_file;
mod qrels_folder;
mod qrels_lines;

pub use block::Choice;
pub use detect::{QrelsChoice, RunChoice};
pub use input::Input;
pub use qrels_file::{QrelsFacts, read_qrels};
pub use registry::{QREL_FORMATS, QrelsFormat, QrelsReader, RUN_FORMATS, RunFormat, RunReader};
pub use run_files::RunFiles;
pub use sample::Sample;
pub use sink::{QrelsRows, RunRows};

/// How strictly lines are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// karat's own: a line is right or it is a problem. Blank lines and `#` comments are passed over.
    #[default]
    Strict,
    /// trec_eval's: further fields of a run line are ignored, infinite scores are scores, grades are cut to whole
    /// numbers; where trec_eval would read a word as 0, karat still refuses.
    TrecEval,
}
