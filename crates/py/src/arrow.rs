//! Arrow columns where they lie: no copy is made of texts and of float64 numbers.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use arrow_schema::DataType;
use karat_formats::memory::Values;
use karat_formats::records::cell::Cell;
use pyo3_arrow::PyTable;

/// Columns by name.
pub type Columns = Vec<(String, Box<dyn Values>)>;

/// The columns of a table.
///
/// # Errors
/// An array breaks Arrow's own rules (a text that ends outside its buffer, a place beyond a dictionary): names the column.
pub fn columns(table: PyTable) -> Result<Columns, String> {
    let (batches, schema) = table.into_inner();
    for (place, field) in schema.fields().iter().enumerate() {
        // Numbers are what their bytes are; only texts and places say where something else is.
        if field.data_type().is_primitive() {
            continue;
        }
        for batch in &batches {
            let sound = batch.column(place).to_data().validate_full();
            sound.map_err(|error| format!("column '{}': expected a sound Arrow array, found {error}", field.name()))?;
        }
    }
    let column = |place: usize| -> Box<dyn Values> {
        Box::new(Column::new(batches.iter().map(|batch| batch.column(place).clone())))
    };
    Ok(schema.fields().iter().enumerate().map(|(place, field)| (field.name().clone(), column(place))).collect())
}

/// A column in one or more pieces.
struct Column {
    chunks: Vec<Chunk>,
    /// The row after the last of each.
    ends: Vec<usize>,
}

impl Column {
    fn new(arrays: impl Iterator<Item = ArrayRef>) -> Column {
        let (mut chunks, mut ends, mut end) = (Vec::new(), Vec::new(), 0);
        for array in arrays.filter(|array| !array.is_empty()) {
            end += array.len();
            ends.push(end);
            chunks.push(Chunk::new(&array));
        }
        Column { chunks, ends }
    }

    #[inline]
    fn at(&self, row: usize) -> (&Chunk, usize) {
        if let [only] = &self.chunks[..] {
            return (only, row);
        }
        let chunk = self.ends.partition_point(|&end| end <= row);
        let start = if chunk == 0 { 0 } else { self.ends[chunk - 1] };
        (&self.chunks[chunk], row - start)
    }
}

impl Values for Column {
    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        let (chunk, row) = self.at(row);
        chunk.cell(row)
    }

    fn text(&self, row: usize) -> Option<&[u8]> {
        let (chunk, row) = self.at(row);
        chunk.text(row)
    }

    fn floats(&self) -> Option<&[f64]> {
        match &self.chunks[..] {
            [Chunk::Other(only)] if only.null_count() == 0 => {
                only.as_primitive_opt::<Float64Type>().map(|array| &array.values()[..])
            }
            _ => None,
        }
    }
}

/// A piece of a column.
enum Chunk {
    Text(StringArray),
    LargeText(LargeStringArray),
    TextView(StringViewArray),
    /// Places among values, `None` where there is nothing.
    Dictionary(Vec<Option<usize>>, Box<Chunk>),
    Other(ArrayRef),
}

impl Chunk {
    fn new(array: &ArrayRef) -> Chunk {
        match array.data_type() {
            DataType::Utf8 => Chunk::Text(array.as_string().clone()),
            DataType::LargeUtf8 => Chunk::LargeText(array.as_string().clone()),
            DataType::Utf8View => Chunk::TextView(array.as_string_view().clone()),
            DataType::Dictionary(_, _) => {
                let dictionary = array.as_any_dictionary();
                let keys = if dictionary.values().is_empty() {
                    vec![None; array.len()]
                } else {
                    let places = dictionary.normalized_keys();
                    places.into_iter().enumerate().map(|(row, place)| array.is_valid(row).then_some(place)).collect()
                };
                Chunk::Dictionary(keys, Box::new(Chunk::new(dictionary.values())))
            }
            _ => Chunk::Other(array.clone()),
        }
    }

    #[inline]
    fn text(&self, row: usize) -> Option<&[u8]> {
        match self {
            Chunk::Text(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Chunk::LargeText(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Chunk::TextView(array) => array.is_valid(row).then(|| array.value(row).as_bytes()),
            Chunk::Dictionary(places, values) => places[row].and_then(|place| values.text(place)),
            Chunk::Other(_) => None,
        }
    }

    fn cell(&self, row: usize) -> Cell<'_> {
        match self {
            Chunk::Dictionary(places, values) => places[row].map_or(Cell::Missing, |place| values.cell(place)),
            Chunk::Other(array) => other(array, row),
            texts => texts.text(row).map_or(Cell::Missing, |text| Cell::Text(Cow::Borrowed(text))),
        }
    }
}

fn other(array: &ArrayRef, row: usize) -> Cell<'_> {
    if array.is_null(row) {
        return Cell::Missing;
    }
    macro_rules! whole {
        ($kind:ty) => {
            Cell::Number(Cow::Owned(array.as_primitive::<$kind>().value(row).to_string().into_bytes()))
        };
    }
    match array.data_type() {
        DataType::Null => Cell::Missing,
        DataType::Int8 => whole!(Int8Type),
        DataType::Int16 => whole!(Int16Type),
        DataType::Int32 => whole!(Int32Type),
        DataType::Int64 => whole!(Int64Type),
        DataType::UInt8 => whole!(UInt8Type),
        DataType::UInt16 => whole!(UInt16Type),
        DataType::UInt32 => whole!(UInt32Type),
        DataType::UInt64 => whole!(UInt64Type),
        DataType::Float16 => Cell::Float(array.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => Cell::Float(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Float64 => Cell::Float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Binary => Cell::Text(Cow::Borrowed(array.as_binary::<i32>().value(row))),
        DataType::LargeBinary => Cell::Text(Cow::Borrowed(array.as_binary::<i64>().value(row))),
        DataType::Boolean => Cell::Other(if array.as_boolean().value(row) { "true" } else { "false" }),
        DataType::Decimal128(..) => {
            Cell::Number(Cow::Owned(array.as_primitive::<Decimal128Type>().value_as_string(row).into_bytes()))
        }
        DataType::Decimal256(..) => Cell::Other("a decimal number of more than 38 digits"),
        _ => Cell::Other("a value that is neither text nor a number"),
    }
}
