//! Data to bytes: the table of writers, and what each of them can hold.
//!
//! The one decision behind it: a writer says what it holds, and a table is checked against that before a byte is
//! written ([`prepare`]). What would be lost is refused by name, or dropped and noted if that is what is wanted; nothing
//! is lost in silence.

pub(crate) mod delimited;
pub(crate) mod json;
pub(crate) mod label_studio;
mod labels;
pub mod layout;
mod parquet;
mod prepare;
pub(crate) mod text;

use std::io;

use karat_data::JudgementKind;

use crate::records::{Column, Data, Table};

pub use prepare::{Cannot, prepare};

/// Which names a format can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Without ASCII blanks, not empty, and a topic not like a comment.
    Fields,
    /// Text in UTF-8.
    Utf8,
    /// Any bytes.
    Any,
}

/// A format that can be written.
pub struct Writer {
    /// Its name, the reader's.
    pub name: &'static str,
    /// What it holds.
    pub data: Data,
    /// The columns that every row of it has beside topic and document.
    pub needs: &'static [Column],
    /// The columns it has room for beside those.
    pub takes: &'static [Column],
    /// Which names it can hold.
    pub spelling: Spelling,
    /// The endings of its files, the usual one first; none where they say nothing.
    pub endings: &'static [&'static str],
    /// Writes a table that was prepared for it.
    pub write: fn(&Table, &mut dyn io::Write) -> io::Result<()>,
}

impl Writer {
    /// Whether it has room for a column.
    pub fn holds(&self, column: Column) -> bool {
        matches!(column, Column::Topic | Column::Document)
            || self.needs.contains(&column)
            || self.takes.contains(&column)
    }

    /// The kind of judgement that it holds when it needs what it needs.
    pub fn holds_kind(&self, kind: JudgementKind) -> bool {
        Column::of_kind(kind).iter().all(|&column| self.holds(column))
    }
}

use Column::{
    Grade, Group, Iteration, Judge, Method, Preference, Probability, Rank, Reason, Score, Seconds, Source, State,
    Stratum, Subgroup, Subtopic, Tag, Time,
};

const RUN: &[Column] = &[Rank, Score, Tag];
const JUDGEMENTS: &[Column] = &[Subtopic, Group, Subgroup, Iteration, Stratum, Grade, Preference, Method, Probability];
const LABELS: &[Column] = &[Time, Seconds, Reason, Source, Probability];

/// Every format that can be written. A format with an ending comes before others with the same.
pub static WRITERS: &[Writer] = &[
    Writer {
        name: "trec",
        data: Data::Run,
        needs: RUN,
        takes: &[],
        spelling: Spelling::Fields,
        endings: &["run", "trec"],
        write: layout::trec_run,
    },
    Writer {
        name: "msmarco",
        data: Data::Run,
        needs: &[Rank],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &[],
        write: layout::msmarco,
    },
    Writer {
        name: "csv",
        data: Data::Run,
        needs: &[],
        takes: RUN,
        spelling: Spelling::Any,
        endings: &["csv"],
        write: delimited::csv,
    },
    Writer {
        name: "tsv",
        data: Data::Run,
        needs: &[],
        takes: RUN,
        spelling: Spelling::Any,
        endings: &["tsv"],
        write: delimited::tsv,
    },
    Writer {
        name: "json",
        data: Data::Run,
        needs: &[Score],
        takes: &[],
        spelling: Spelling::Utf8,
        endings: &["json"],
        write: json::map,
    },
    Writer {
        name: "jsonl",
        data: Data::Run,
        needs: &[],
        takes: RUN,
        spelling: Spelling::Utf8,
        endings: &["jsonl", "ndjson"],
        write: json::lines,
    },
    Writer {
        name: "parquet",
        data: Data::Run,
        needs: &[],
        takes: RUN,
        spelling: Spelling::Any,
        endings: &["parquet"],
        write: parquet::write,
    },
    Writer {
        name: "trec",
        data: Data::Judgements,
        needs: &[Iteration, Grade],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &["qrels"],
        write: layout::trec_qrels,
    },
    Writer {
        name: "sampled",
        data: Data::Judgements,
        needs: &[Iteration, Stratum, Grade],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &[],
        write: layout::sampled,
    },
    Writer {
        name: "prels",
        data: Data::Judgements,
        needs: &[Grade, Method, Probability],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &["prels"],
        write: layout::prels,
    },
    Writer {
        name: "diversity",
        data: Data::Judgements,
        needs: &[Subtopic, Grade],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &[],
        write: layout::diversity,
    },
    Writer {
        name: "trec-jg",
        data: Data::Judgements,
        needs: &[Group, Grade],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &[],
        write: layout::trec_jg,
    },
    Writer {
        name: "trec-prefs",
        data: Data::Judgements,
        needs: &[Group, Subgroup, Preference],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &[],
        write: layout::trec_prefs,
    },
    Writer {
        name: "beir",
        data: Data::Judgements,
        needs: &[Grade],
        takes: &[],
        spelling: Spelling::Any,
        endings: &[],
        write: delimited::beir,
    },
    Writer {
        name: "csv",
        data: Data::Judgements,
        needs: &[],
        takes: JUDGEMENTS,
        spelling: Spelling::Any,
        endings: &["csv"],
        write: delimited::csv,
    },
    Writer {
        name: "tsv",
        data: Data::Judgements,
        needs: &[],
        takes: JUDGEMENTS,
        spelling: Spelling::Any,
        endings: &["tsv"],
        write: delimited::tsv,
    },
    Writer {
        name: "json",
        data: Data::Judgements,
        needs: &[Grade],
        takes: &[],
        spelling: Spelling::Utf8,
        endings: &["json"],
        write: json::map,
    },
    Writer {
        name: "jsonl",
        data: Data::Judgements,
        needs: &[],
        takes: JUDGEMENTS,
        spelling: Spelling::Utf8,
        endings: &["jsonl", "ndjson"],
        write: json::lines,
    },
    Writer {
        name: "parquet",
        data: Data::Judgements,
        needs: &[],
        takes: JUDGEMENTS,
        spelling: Spelling::Any,
        endings: &["parquet"],
        write: parquet::write,
    },
    Writer {
        name: "label-studio",
        data: Data::Judgements,
        needs: &[Grade],
        takes: JUDGEMENTS,
        spelling: Spelling::Utf8,
        endings: &[],
        write: label_studio::write,
    },
    Writer {
        name: "csv",
        data: Data::Labels,
        needs: &[Judge, Grade, State],
        takes: LABELS,
        spelling: Spelling::Any,
        endings: &["csv"],
        write: delimited::csv,
    },
    Writer {
        name: "tsv",
        data: Data::Labels,
        needs: &[Judge, Grade, State],
        takes: LABELS,
        spelling: Spelling::Any,
        endings: &["tsv"],
        write: delimited::tsv,
    },
    Writer {
        name: "jsonl",
        data: Data::Labels,
        needs: &[Judge, Grade, State],
        takes: LABELS,
        spelling: Spelling::Utf8,
        endings: &["jsonl", "ndjson"],
        write: json::lines,
    },
    Writer {
        name: "parquet",
        data: Data::Labels,
        needs: &[Judge, Grade, State],
        takes: LABELS,
        spelling: Spelling::Any,
        endings: &["parquet"],
        write: parquet::write,
    },
    Writer {
        name: "trec",
        data: Data::Labels,
        needs: &[Iteration, Grade],
        takes: &[],
        spelling: Spelling::Fields,
        endings: &["qrels"],
        write: layout::trec_qrels,
    },
    Writer {
        name: "beir",
        data: Data::Labels,
        needs: &[Grade],
        takes: &[],
        spelling: Spelling::Any,
        endings: &[],
        write: delimited::beir,
    },
    Writer {
        name: "quepid",
        data: Data::Labels,
        needs: &[Grade],
        takes: &[],
        spelling: Spelling::Any,
        endings: &[],
        write: delimited::quepid,
    },
];

/// The writer of that name for runs or judgements.
pub fn writer(name: &str, data: Data) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.name == name && writer.data == data)
}

/// The writer that a file's ending names.
pub fn writer_for_ending(ending: &str, data: Data) -> Option<&'static Writer> {
    WRITERS.iter().find(|writer| writer.data == data && writer.endings.contains(&ending))
}

/// Writes through the compression that a file's ending names: gz, zst or none.
///
/// # Errors
/// It cannot be written.
pub fn packed(
    ending: &str,
    out: &mut dyn io::Write,
    render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    match ending {
        "gz" => {
            let mut encoder = flate2::write::GzEncoder::new(out, flate2::Compression::default());
            render(&mut encoder)?;
            encoder.finish().map(drop)
        }
        "zst" => {
            let mut encoder = zstd::stream::write::Encoder::new(out, 0)?;
            render(&mut encoder)?;
            encoder.finish().map(drop)
        }
        _ => render(out),
    }
}
