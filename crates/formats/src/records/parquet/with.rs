//! The reader of Parquet: batches of cells, row by row.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use karat_data::LineProblem;
use parquet::basic::{ConvertedType, LogicalType};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::records::cell::Cell;
use crate::records::column;
use crate::records::named::{Choose, places};
use crate::records::table::Builder;
use crate::records::{Data, Refusal, Table};

/// Rows read at a time.
pub(super) const BATCH: usize = 4096;

/// Reads a file.
///
/// # Errors
/// Everything wrong with it.
pub fn read(bytes: &[u8], data: Data) -> Result<Table, Refusal> {
    // The library checks most of what a damaged file can say wrong, and stops the thread for some of the rest.
    catch(|| read_file(bytes, data)).unwrap_or_else(|| Err(damaged("what it says of itself does not fit together")))
}

/// The names of the columns, where they can be read.
pub fn schema(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    catch(|| open(bytes).ok().map(|reader| names(&reader))).flatten()
}

/// What the library gives, or nothing where it panics. That the work was stopped is not the library's doing.
pub(super) fn catch<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).map_err(karat_runtime::pass_on).ok()
}

fn damaged(why: impl std::fmt::Display) -> Refusal {
    let found = format!("a truncated, damaged or unsupported one ({why})");
    Refusal::whole("a valid Parquet file", found, "write or copy the file again; no part of it was used")
}

fn broken(error: ParquetError) -> Refusal {
    let text = error.to_string();
    if text.contains("Disabled feature") {
        let found = format!("another ({})", text.rsplit(' ').next().unwrap_or_default());
        let remedy = "write the file with one of these, in pandas with `to_parquet(path, compression='snappy')`";
        return Refusal::whole("Parquet that is not compressed, or with snappy, zstd or gzip", found, remedy);
    }
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(120).collect();
    damaged(text.trim_start_matches("Parquet error: "))
}

pub(super) fn open(bytes: &[u8]) -> Result<SerializedFileReader<Bytes>, ParquetError> {
    SerializedFileReader::new(Bytes::copy_from_slice(bytes))
}

pub(super) fn names(reader: &SerializedFileReader<Bytes>) -> Vec<Vec<u8>> {
    let schema = reader.metadata().file_metadata().schema_descr();
    schema.columns().iter().map(|column| column.path().string().into_bytes()).collect()
}

fn read_file(bytes: &[u8], data: Data) -> Result<Table, Refusal> {
    let reader = open(bytes).map_err(broken)?;
    let plan = column::plan_filled(&names(&reader), data, |at| is_empty(&reader, at))
        .map_err(|problem| Refusal::whole(problem.expected, problem.found, problem.remedy.to_string()))?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    for (at, planned) in plan.columns.iter().enumerate() {
        if let Some(planned) = planned.filter(|_| schema.column(at).max_rep_level() > 0) {
            let found = format!("lists in the column {}", schema.column(at).path().string());
            let remedy = "write one row for each document, in pandas with `explode`";
            return Err(Refusal::whole(format!("one {} in each row", planned.name()), found, remedy));
        }
    }
    let wanted: Vec<bool> = plan.columns.iter().map(Option::is_some).collect();
    let mut builder = Builder::new(plan);
    read_groups(&reader, &wanted, &mut |row, cells| builder.record(row, cells))?;
    builder.finish()
}

/// Whether a column has nothing in any row.
fn is_empty(reader: &SerializedFileReader<Bytes>, column: usize) -> bool {
    let wanted: Vec<bool> = (0..=column).map(|at| at == column).collect();
    let mut filled = false;
    let read = read_groups(reader, &wanted, &mut |_, cells| filled |= !is_nothing(&cells[column]));
    // What is wrong with it is said when it is read.
    read.is_ok() && !filled
}

/// Null, or NaN, which is what a frame makes of it.
fn is_nothing(cell: &Cell<'_>) -> bool {
    cell.is_missing() || matches!(cell, Cell::Float(number) if number.is_nan())
}

/// Hands over the columns that `choose` names, row by row.
///
/// # Errors
/// Everything wrong with the file, and what `choose` refuses.
pub fn rows(bytes: &[u8], choose: &mut Choose<'_>, take: &mut dyn FnMut(u64, &[Cell<'_>])) -> Result<(), Refusal> {
    // As in `read`.
    catch(|| named_rows(bytes, choose, take))
        .unwrap_or_else(|| Err(damaged("what it says of itself does not fit together")))
}

fn named_rows(bytes: &[u8], choose: &mut Choose<'_>, take: &mut dyn FnMut(u64, &[Cell<'_>])) -> Result<(), Refusal> {
    let reader = open(bytes).map_err(broken)?;
    let names: Vec<String> = names(&reader).iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let places = places(&names, choose).map_err(|problem| {
        Refusal::whole(problem.expected, format!("the columns {}", problem.found), problem.remedy.to_string())
    })?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    if let Some(&at) = places.iter().find(|&&at| schema.column(at).max_rep_level() > 0) {
        let found = format!("lists in the column {}", names[at]);
        return Err(Refusal::whole("one value in each row", found, "write one row for each, in pandas with `explode`"));
    }
    let wanted: Vec<bool> = (0..names.len()).map(|at| places.contains(&at)).collect();
    read_groups(&reader, &wanted, &mut |row, cells| {
        let chosen: Vec<Cell<'_>> = places.iter().map(|&at| cells[at].clone()).collect();
        take(row, &chosen);
    })
}

fn read_groups(
    reader: &SerializedFileReader<Bytes>,
    wanted: &[bool],
    take: &mut dyn FnMut(u64, &[Cell<'_>]),
) -> Result<(), Refusal> {
    let mut row = 0;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(broken)?;
        row = read_group(&*group, wanted, row, take)?;
    }
    Ok(())
}

/// Reads a group of rows; returns the rows so far.
fn read_group(
    group: &dyn RowGroupReader,
    wanted_columns: &[bool],
    mut row: u64,
    take: &mut dyn FnMut(u64, &[Cell<'_>]),
) -> Result<u64, Refusal> {
    let mut readers = Vec::new();
    for (at, &wanted) in wanted_columns.iter().enumerate() {
        if wanted {
            readers.push((at, group.get_column_reader(at).map_err(broken)?));
        }
    }
    let schema = group.metadata().schema_descr_ptr();
    let mut left = usize::try_from(group.metadata().num_rows()).map_err(|_| damaged("a negative number of rows"))?;
    while left > 0 {
        let wanted = left.min(BATCH);
        let mut columns: Vec<Vec<Cell<'static>>> = vec![Vec::new(); wanted_columns.len()];
        for (at, reader) in &mut readers {
            columns[*at] = cells(reader, &schema.column(*at), wanted).map_err(broken)?;
            if columns[*at].len() != wanted {
                return Err(damaged("columns of different lengths"));
            }
        }
        for here in 0..wanted {
            row += 1;
            let cells: Vec<Cell<'_>> = columns
                .iter_mut()
                .map(|column| column.get_mut(here).map_or(Cell::Missing, |cell| std::mem::replace(cell, Cell::Missing)))
                .collect();
            if row > u64::from(u32::MAX) {
                let problem = LineProblem::new("rows", "at most 4294967295 rows", "more", "split the file");
                return Err(Refusal::line(row, problem));
            }
            take(row, &cells);
        }
        left -= wanted;
    }
    Ok(row)
}

pub(super) fn is_unsigned(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Integer(own)) if !own.is_signed)
        || matches!(
            column.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        )
}

pub(super) fn is_time(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Date | LogicalType::Time(_) | LogicalType::Timestamp(_)))
        || matches!(
            column.converted_type(),
            ConvertedType::DATE
                | ConvertedType::TIME_MILLIS
                | ConvertedType::TIME_MICROS
                | ConvertedType::TIMESTAMP_MILLIS
                | ConvertedType::TIMESTAMP_MICROS
                | ConvertedType::INTERVAL
        )
}

pub(super) fn is_decimal(column: &ColumnDescriptor) -> bool {
    column.converted_type() == ConvertedType::DECIMAL
}

/// The next cells of a column.
fn cells(
    reader: &mut ColumnReader,
    column: &ColumnDescriptor,
    wanted: usize,
) -> Result<Vec<Cell<'static>>, ParquetError> {
    let (unsigned, decimal) = (is_unsigned(column), is_decimal(column));
    if is_time(column) {
        // Whole numbers to the file, and no names or scores to anybody.
        let time = Cell::Other("a date or a time");
        return match reader {
            ColumnReader::Int32ColumnReader(own) => batch(own, column, wanted, |_| time.clone()),
            ColumnReader::Int64ColumnReader(own) => batch(own, column, wanted, |_| time.clone()),
            ColumnReader::Int96ColumnReader(own) => batch(own, column, wanted, |_| time.clone()),
            _ => Ok(vec![time; wanted]),
        };
    }
    let number = |text: String| Cell::Number(Cow::Owned(text.into_bytes()));
    let other = Cell::Other("a value that is neither text nor a number");
    match reader {
        _ if decimal => Ok(vec![Cell::Other("a decimal number of fixed places"); wanted]),
        ColumnReader::Int32ColumnReader(own) if unsigned => {
            batch(own, column, wanted, |value| number(value.cast_unsigned().to_string()))
        }
        ColumnReader::Int64ColumnReader(own) if unsigned => {
            batch(own, column, wanted, |value| number(value.cast_unsigned().to_string()))
        }
        ColumnReader::Int32ColumnReader(own) => batch(own, column, wanted, |value| number(value.to_string())),
        ColumnReader::Int64ColumnReader(own) => batch(own, column, wanted, |value| number(value.to_string())),
        ColumnReader::FloatColumnReader(own) => batch(own, column, wanted, |value| Cell::Float(f64::from(*value))),
        ColumnReader::DoubleColumnReader(own) => batch(own, column, wanted, |value| Cell::Float(*value)),
        ColumnReader::ByteArrayColumnReader(own) => {
            batch(own, column, wanted, |value| Cell::Text(Cow::Owned(value.data().to_vec())))
        }
        ColumnReader::BoolColumnReader(own) => {
            batch(own, column, wanted, |value| Cell::Other(if *value { "true" } else { "false" }))
        }
        ColumnReader::Int96ColumnReader(own) => batch(own, column, wanted, |_| other.clone()),
        ColumnReader::FixedLenByteArrayColumnReader(own) => batch(own, column, wanted, |_| other.clone()),
    }
}

fn batch<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    column: &ColumnDescriptor,
    wanted: usize,
    cell: impl Fn(&T::T) -> Cell<'static>,
) -> Result<Vec<Cell<'static>>, ParquetError> {
    let full = column.max_def_level();
    let mut found = Vec::with_capacity(wanted);
    while found.len() < wanted {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let (records, ..) = reader.read_records(wanted - found.len(), Some(&mut levels), None, &mut values)?;
        if records == 0 {
            break;
        }
        let mut values = values.iter();
        if full == 0 {
            found.extend(values.map(&cell));
        } else {
            let value = |level: &i16| {
                if *level == full { values.next().map_or(Cell::Missing, &cell) } else { Cell::Missing }
            };
            found.extend(levels.iter().map(value));
        }
    }
    Ok(found)
}
