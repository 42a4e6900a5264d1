//! The native long form: a row for each label, as CSV, TSV, JSON, JSON Lines or Parquet. crowd-kit's `task,worker,label`, BEIR's
//! judgements and a Quepid case are the same with fewer columns.

use karat_data::Problems;

use super::{Content, LabelFormat};
use crate::records::column::{self, Data};
use crate::records::{Column, Table, delimited, parquet, shapes};

pub(super) static FORMAT: LabelFormat = LabelFormat {
    name: "records",
    about: "One row per label with the columns query_id, doc_id, judge, grade, state, time, seconds, reason, source, probability, as CSV, TSV, \
            JSON, JSON Lines or Parquet. The usual column names are recognised, such as those of crowd-kit (task, worker, label; a task is its own \
            query), BEIR (query-id, corpus-id, score) and Quepid cases (query, docid, rating). The state is judged, cannot, later, unjudged or junk. \
            Without a state, an empty grade or -1 is unjudged and a lower grade junk (unless --scale includes grades below 0).",
    layout: "query_id, doc_id, judge, grade, state, time, seconds, reason, source, probability",
    recognise,
    read,
};

fn names(content: &Content<'_>) -> Vec<Vec<u8>> {
    if content.bytes.starts_with(parquet::MAGIC) {
        return parquet::schema(content.bytes).unwrap_or_default();
    }
    if !content.keys.is_empty() {
        return content.keys.clone();
    }
    delimited::likely_header(content.bytes).unwrap_or_default()
}

/// Whether there is a column that says who judged.
pub(super) fn has_judges(content: &Content<'_>) -> bool {
    column::plan(&names(content), Data::Labels).is_ok_and(|plan| plan.columns.contains(&Some(Column::Judge)))
}

fn recognise(content: &Content<'_>) -> bool {
    let json = matches!(content.bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    content.bytes.starts_with(parquet::MAGIC) || json || column::plan(&names(content), Data::Labels).is_ok() || {
        let names = names(content);
        names.len() > 1 && column::is_perhaps_header(&names)
    }
}

fn read(content: &Content<'_>) -> Result<Table, Problems> {
    let json = matches!(content.bytes.trim_ascii_start().first(), Some(b'{' | b'['));
    let read = match content.bytes {
        bytes if bytes.starts_with(parquet::MAGIC) => parquet::read(bytes, Data::Labels),
        bytes if json => shapes::read(bytes, Data::Labels),
        bytes => delimited::read(bytes, Data::Labels),
    };
    read.map_err(|refusal| refusal.problems(content.name))
}
