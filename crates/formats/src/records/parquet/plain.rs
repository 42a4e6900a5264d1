//! The runs that nearly all Parquet files are: text or whole numbers for names, numbers for scores, nothing missing.
//!
//! The one decision: such a file goes from its columns to its rows without a cell or a table in between, in a quarter of the processor time. A file in which
//! anything is otherwise has handed over no row when that is known, and is read by [`super::read`], which says what is wrong.

use std::io::Write;

use bytes::Bytes;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::with::{BATCH, catch, is_decimal, is_time, is_unsigned, names, open};
use crate::memory::{Flat, Values};
use crate::records::column::{self, Column, Data};
use crate::sink::RunRows;

/// Hands over the rows of a run, if it is one of these.
pub fn plain_run(bytes: &[u8], rows: &mut dyn RunRows) -> bool {
    let Some(run) = catch(|| Run::read(&open(bytes).ok()?)).flatten() else { return false };
    if let Some(tag) = run.tags.as_ref().and_then(|tags| Some(tags.get(tags.len().checked_sub(1)?))) {
        rows.tag(tag);
    }
    for (row, &score) in run.scores.iter().enumerate() {
        karat_runtime::check();
        rows.row(run.topics.get(row), run.documents.get(row), score, row as u32);
    }
    true
}

struct Run {
    topics: Flat,
    documents: Flat,
    scores: Vec<f64>,
    tags: Option<Flat>,
}

impl Run {
    fn read(reader: &SerializedFileReader<Bytes>) -> Option<Run> {
        let plan = column::plan(&names(reader), Data::Run).ok()?;
        // Another column with a meaning has rules of its own.
        let usual = [Column::Topic, Column::Document, Column::Score, Column::Rank, Column::Tag];
        if !plan.columns.iter().flatten().all(|column| usual.contains(column)) {
            return None;
        }
        let at = |wanted: Column| plan.columns.iter().position(|column| *column == Some(wanted));
        let file = File::new(reader)?;
        // Ranks beside scores say nothing, as long as they are ranks.
        if let Some(at) = at(Column::Rank) {
            file.numbers(at)?;
        }
        let tags = at(Column::Tag).map(|at| file.names(at).filter(|tags| tags.end_of_same(0) == tags.len()));
        Some(Run {
            topics: file.names(at(Column::Topic)?)?,
            documents: file.names(at(Column::Document)?)?,
            scores: file.numbers(at(Column::Score)?)?,
            tags: if let Some(tags) = tags { Some(tags?) } else { None },
        })
    }
}

/// A file with rows that can be counted.
struct File<'f> {
    reader: &'f SerializedFileReader<Bytes>,
    /// The rows of each group.
    groups: Vec<usize>,
}

impl<'f> File<'f> {
    fn new(reader: &'f SerializedFileReader<Bytes>) -> Option<File<'f>> {
        let groups = reader.metadata().row_groups().iter().map(|group| usize::try_from(group.num_rows()).ok());
        let groups: Vec<usize> = groups.collect::<Option<_>>()?;
        let rows = groups.iter().try_fold(0usize, |sum, rows| sum.checked_add(*rows))?;
        (rows > 0 && u32::try_from(rows).is_ok()).then_some(File { reader, groups })
    }

    /// A name for every row.
    fn names(&self, at: usize) -> Option<Flat> {
        let mut found = Flat::default();
        self.each(at, &mut |reader, full, rows| match reader {
            ColumnReader::ByteArrayColumnReader(own) => values(own, full, rows, |value| found.push(value.data())),
            ColumnReader::Int32ColumnReader(own) => values(own, full, rows, |value| whole(&mut found, *value)),
            ColumnReader::Int64ColumnReader(own) => values(own, full, rows, |value| whole(&mut found, *value)),
            _ => None,
        })?;
        found.is_named().then_some(found)
    }

    /// A finite number for every row.
    fn numbers(&self, at: usize) -> Option<Vec<f64>> {
        let mut found = Vec::new();
        self.each(at, &mut |reader, full, rows| match reader {
            ColumnReader::DoubleColumnReader(own) => values(own, full, rows, |value| found.push(*value)),
            ColumnReader::FloatColumnReader(own) => values(own, full, rows, |value| found.push(f64::from(*value))),
            ColumnReader::Int32ColumnReader(own) => values(own, full, rows, |value| found.push(f64::from(*value))),
            ColumnReader::Int64ColumnReader(own) => values(own, full, rows, |value| found.push(*value as f64)),
            _ => None,
        })?;
        found.iter().all(|number| number.is_finite()).then_some(found)
    }

    /// Reads a column group by group.
    fn each(&self, at: usize, read: &mut dyn FnMut(&mut ColumnReader, i16, usize) -> Option<()>) -> Option<()> {
        let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
        let column = schema.column(at);
        if column.max_rep_level() > 0 || is_unsigned(&column) || is_decimal(&column) || is_time(&column) {
            return None;
        }
        for (group, &rows) in self.groups.iter().enumerate() {
            let mut reader = self.reader.get_row_group(group).ok()?.get_column_reader(at).ok()?;
            read(&mut reader, column.max_def_level(), rows)?;
        }
        Some(())
    }
}

fn whole(names: &mut Flat, number: impl std::fmt::Display) {
    names.push_with(|bytes| {
        // Writing to memory cannot fail.
        let _ = write!(bytes, "{number}");
    });
}

/// The values of so many rows of a column; nothing where one is missing.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    full: i16,
    rows: usize,
    mut take: impl FnMut(&T::T),
) -> Option<()> {
    let (mut levels, mut found, mut left) = (Vec::new(), Vec::new(), rows);
    while left > 0 {
        karat_runtime::check();
        levels.clear();
        found.clear();
        let (records, ..) = reader.read_records(left.min(BATCH), Some(&mut levels), None, &mut found).ok()?;
        let missing = full > 0 && levels.iter().any(|level| *level != full);
        if records == 0 || found.len() != records || missing {
            return None;
        }
        found.iter().for_each(&mut take);
        left -= records;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use karat_data::LineProblem;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int64Type};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;
    use crate::records::formats;

    #[derive(Default, Debug, PartialEq)]
    struct Rows {
        rows: Vec<(Vec<u8>, Vec<u8>, u64, u32)>,
        tag: Vec<u8>,
        problems: usize,
    }

    impl RunRows for Rows {
        fn row(&mut self, topic: &[u8], docno: &[u8], score: f64, line: u32) {
            self.rows.push((topic.to_vec(), docno.to_vec(), score.to_bits(), line));
        }
        fn tag(&mut self, tag: &[u8]) {
            self.tag = tag.to_vec();
        }
        fn problem(&mut self, _: LineProblem) {
            self.problems += 1;
        }
        fn refuse(&mut self, _: &str, _: &str, _: &str) {
            self.problems += 1;
        }
    }

    /// The values of a column, of which every other may be missing.
    enum Own {
        Texts(Vec<&'static str>),
        Doubles(Vec<f64>),
        Singles(Vec<f32>),
        Whole(Vec<i64>),
        /// Of rows in which some are missing: what is there, and whether each is.
        Some(Vec<f64>, Vec<i16>),
    }

    /// A file with these columns in each of two groups.
    fn file(schema: &str, columns: &[Own]) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(&format!("message run {{ {schema} }}")).unwrap());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
        for _ in 0..2 {
            let mut group = writer.next_row_group().unwrap();
            for own in columns {
                let mut column = group.next_column().unwrap().unwrap();
                let there = |rows: usize| vec![1; rows];
                match own {
                    Own::Texts(texts) => {
                        let values: Vec<ByteArray> = texts.iter().map(|text| ByteArray::from(*text)).collect();
                        column.typed::<ByteArrayType>().write_batch(&values, Some(&there(values.len())), None)
                    }
                    Own::Doubles(values) => {
                        column.typed::<DoubleType>().write_batch(values, Some(&there(values.len())), None)
                    }
                    Own::Singles(values) => {
                        column.typed::<FloatType>().write_batch(values, Some(&there(values.len())), None)
                    }
                    Own::Whole(values) => {
                        column.typed::<Int64Type>().write_batch(values, Some(&there(values.len())), None)
                    }
                    Own::Some(values, levels) => column.typed::<DoubleType>().write_batch(values, Some(levels), None),
                }
                .unwrap();
                column.close().unwrap();
            }
            group.close().unwrap();
        }
        writer.into_inner().unwrap()
    }

    /// Whether the file is plain, and what the two ways of reading make of it.
    fn both(file: &[u8]) -> (bool, Rows, Rows) {
        let (mut plain, mut table) = (Rows::default(), Rows::default());
        let is_plain = plain_run(file, &mut plain);
        formats::run(super::super::read(file, Data::Run), &mut table);
        (is_plain, plain, table)
    }

    #[test]
    fn plain_runs_are_as_tables_have_them() {
        let texts = || Own::Texts(vec!["a", "b"]);
        let files = [
            file(
                "optional binary query_id (UTF8); required binary doc_id; optional double score; optional binary run (UTF8);",
                &[texts(), texts(), Own::Doubles(vec![1.5, -0.0]), Own::Texts(vec!["bm25", "bm25"])],
            ),
            file(
                "optional int64 qid; optional int64 docno; optional float score; optional int64 rank; optional double other;",
                &[
                    Own::Whole(vec![-3, i64::MAX]),
                    Own::Whole(vec![0, i64::MIN]),
                    Own::Singles(vec![0.1, 1e-40]),
                    Own::Whole(vec![1, 2]),
                    Own::Some(vec![1.0], vec![0, 1]),
                ],
            ),
            file(
                "optional binary qid (UTF8); optional binary docno; optional int64 score;",
                &[texts(), texts(), Own::Whole(vec![(1 << 53) + 1, i64::MIN + 1])],
            ),
        ];
        for (number, file) in files.iter().enumerate() {
            let (is_plain, plain, table) = both(file);
            assert!(is_plain, "{number}");
            assert_eq!(plain, table, "{number}");
            // Two rows in each of two groups.
            assert_eq!((plain.rows.len(), plain.rows[3].3, plain.problems), (4, 3, 0), "{number}");
        }
        assert_eq!(both(&files[0]).1.tag, b"bm25");
        assert_eq!(both(&files[1]).1.rows[2].0, b"-3");
    }

    #[test]
    fn others_hand_over_nothing() {
        let texts = || Own::Texts(vec!["a", "b"]);
        let names = "optional binary qid (UTF8); optional binary docno (UTF8);";
        let scores = || Own::Doubles(vec![1.0, 2.0]);
        let others = [
            // A number that is missing, or none.
            file(&format!("{names} optional double score;"), &[texts(), texts(), Own::Some(vec![1.0], vec![1, 0])]),
            file(&format!("{names} optional double score;"), &[texts(), texts(), Own::Doubles(vec![1.0, f64::NAN])]),
            // A name that is empty, or a floating-point number.
            file(&format!("{names} optional double score;"), &[Own::Texts(vec!["a", ""]), texts(), scores()]),
            file("optional double qid; optional binary docno; optional double score;", &[scores(), texts(), scores()]),
            // Unsigned numbers, ranks alone, a rank that is missing, no score.
            file(&format!("{names} optional int64 score (UINT_64);"), &[texts(), texts(), Own::Whole(vec![1, -1])]),
            file(&format!("{names} optional int64 rank;"), &[texts(), texts(), Own::Whole(vec![1, 2])]),
            file(
                &format!("{names} optional double score; optional double rank;"),
                &[texts(), texts(), scores(), Own::Some(vec![1.0], vec![1, 0])],
            ),
            file(names, &[texts(), texts()]),
            // Two runs.
            file(
                &format!("{names} optional double score; optional binary run;"),
                &[texts(), texts(), scores(), texts()],
            ),
            b"PAR1".to_vec(),
        ];
        for (number, file) in others.iter().enumerate() {
            let (is_plain, plain, table) = both(file);
            assert!(!is_plain, "{number}");
            assert_eq!(plain, Rows::default(), "{number}");
            assert!(table.problems > 0 || table.rows.len() == 4, "{number}: {table:?}");
        }
    }
}
