//! Parquet files: one group of rows, compressed with Snappy, which every reader knows.

use std::io::{self, Write};

use crate::records::Table;

#[cfg(not(feature = "parquet"))]
pub(super) fn write(_: &Table, _: &mut dyn Write) -> io::Result<()> {
    Err(io::Error::other(
        "this karat was built without Parquet; build it in with `cargo install --path crates/cli`, without `--no-default-features`",
    ))
}

#[cfg(feature = "parquet")]
pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    // The library wraps what it is given to write to; bytes handed over here fail as they would for any other format.
    out.write_all(&with::bytes(table).map_err(io::Error::other)?)
}

#[cfg(feature = "parquet")]
mod with {
    use std::sync::Arc;

    use parquet::basic::Compression;
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use crate::records::{Column, Table};

    /// Rows handed over at a time.
    const BATCH: usize = 8192;

    pub fn bytes(table: &Table) -> Result<Vec<u8>, ParquetError> {
        let columns: Vec<(Column, Type)> = table.columns().map(|column| (column, Type::of(table, column))).collect();
        let fields: String = columns.iter().map(|(column, own)| own.field(column.name())).collect();
        let schema = Arc::new(parse_message_type(&format!("message schema {{ {fields}}}"))?);
        let properties = Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
        // The library wants to own something that can be sent to another thread; a buffer can.
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
        let mut group = writer.next_row_group()?;
        for (column, own) in columns {
            let Some(mut writer) = group.next_column()? else { break };
            for start in (0..table.len()).step_by(BATCH) {
                let rows = start..(start + BATCH).min(table.len());
                let number = |row: usize| table.number(column, row).unwrap_or(0.0);
                match own {
                    Type::Whole => {
                        let values: Vec<i64> = rows.map(|row| number(row) as i64).collect();
                        writer.typed::<Int64Type>().write_batch(&values, None, None)?;
                    }
                    Type::Number => {
                        let values: Vec<f64> = rows.map(number).collect();
                        writer.typed::<DoubleType>().write_batch(&values, None, None)?;
                    }
                    // A label may have no number.
                    Type::Sparse => {
                        let levels: Vec<i16> = rows.clone().map(|row| i16::from(!number(row).is_nan())).collect();
                        let values: Vec<f64> = rows.map(number).filter(|value| !value.is_nan()).collect();
                        writer.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
                    }
                    Type::Text | Type::Binary => {
                        let values: Vec<ByteArray> =
                            rows.map(|row| ByteArray::from(table.text(column, row).to_vec())).collect();
                        writer.typed::<ByteArrayType>().write_batch(&values, None, None)?;
                    }
                }
            }
            writer.close()?;
        }
        group.close()?;
        writer.into_inner()
    }

    /// What a column is in the file.
    #[derive(Clone, Copy)]
    enum Type {
        Text,
        Binary,
        Whole,
        Number,
        Sparse,
    }

    impl Type {
        fn of(table: &Table, column: Column) -> Type {
            let mut rows = 0..table.len();
            // A score is a float even if it is whole today; grades and ranks that are whole are whole numbers.
            let whole =
                |value: f64| value.fract() == 0.0 && value.abs() < 1e15 && (value != 0.0 || value.is_sign_positive());
            if !column.is_number() {
                let utf8 = rows.all(|row| std::str::from_utf8(table.text(column, row)).is_ok());
                return if utf8 { Type::Text } else { Type::Binary };
            }
            let whole = column != Column::Score && rows.all(|row| table.number(column, row).is_some_and(whole));
            let sparse = (0..table.len()).any(|row| table.number(column, row).is_some_and(f64::is_nan));
            match (whole, sparse) {
                (true, _) => Type::Whole,
                (_, true) => Type::Sparse,
                _ => Type::Number,
            }
        }

        fn field(self, name: &str) -> String {
            match self {
                Type::Text => format!("REQUIRED BYTE_ARRAY {name} (STRING); "),
                Type::Binary => format!("REQUIRED BYTE_ARRAY {name}; "),
                Type::Whole => format!("REQUIRED INT64 {name}; "),
                Type::Number => format!("REQUIRED DOUBLE {name}; "),
                Type::Sparse => format!("OPTIONAL DOUBLE {name}; "),
            }
        }
    }
}
