//! The answer as programs read it: one serialisable type per command.
//!
//! JSON is the serialisation of that type, written as it goes; JSON lines and CSV are its rows. The schema comes from the
//! same type, so that none of them can say something else.

use std::fmt;
use std::io::{self, Write};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// A typed answer of any command. Every type that can be serialised and described is one.
pub trait Answer: Send + Sync {
    /// Writes the fields as the rest of an object that has some already: a row of an array per line.
    ///
    /// # Errors
    /// They cannot be written.
    fn write_fields(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The whole answer in memory.
    ///
    /// # Errors
    /// It cannot be serialised.
    fn value(&self) -> io::Result<Value>;

    /// JSON Schema of the type.
    fn schema(&self) -> Value;
}

impl<T: Serialize + JsonSchema + Send + Sync> Answer for T {
    fn write_fields(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut serializer = Serializer::with_formatter(out, RowPerLine::default());
        self.serialize(&mut serializer).map_err(io::Error::from)
    }

    fn value(&self) -> io::Result<Value> {
        serde_json::to_value(self).map_err(io::Error::from)
    }

    fn schema(&self) -> Value {
        schema_of::<T>()
    }
}

impl fmt::Debug for dyn Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Ok(value) => write!(f, "{value}"),
            Err(error) => write!(f, "{error}"),
        }
    }
}

/// JSON Schema of an answer's type, as it is serialised.
pub fn schema_of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// Fields at the top one per line, items of their arrays one per line, everything inside on that line.
#[derive(Default)]
struct RowPerLine {
    depth: usize,
    filled: bool,
}

impl RowPerLine {
    fn leave<W: ?Sized + Write>(&mut self, out: &mut W, end: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.depth == 1 && self.filled {
            out.write_all(b"\n  ")?;
        }
        out.write_all(end)
    }
}

impl Formatter for RowPerLine {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.depth == 1 {
            return Ok(());
        }
        self.filled = self.filled && self.depth > 2;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.depth == 1 {
            self.depth = 0;
            return Ok(());
        }
        self.leave(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        match (self.depth, first) {
            (1, _) => out.write_all(b",\n  "),
            (_, true) => Ok(()),
            (_, false) => out.write_all(b", "),
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.depth == 2 {
            self.filled = false;
        }
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.leave(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        match (self.depth, first) {
            (2, true) => {
                self.filled = true;
                out.write_all(b"\n    ")
            }
            (2, false) => out.write_all(b",\n    "),
            (_, true) => Ok(()),
            (_, false) => out.write_all(b", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, JsonSchema)]
    struct Row {
        run: &'static str,
        interval: Option<(f64, f64)>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Table {
        depth: u32,
        rows: Vec<Row>,
        none: Vec<Row>,
        best: Row,
    }

    #[test]
    fn rows_are_lines_and_what_is_not_finite_is_null() {
        let row = |end| Row { run: "a", interval: Some((0.5, end)) };
        let answer = Table { depth: 3, rows: vec![row(1.0), row(f64::NAN)], none: Vec::new(), best: row(2.0) };
        let mut out = Vec::new();
        answer.write_fields(&mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            ",\n  \"depth\": 3,\n  \"rows\": [\n    {\"run\": \"a\", \"interval\": [0.5, 1.0]},\n    {\"run\": \"a\", \"interval\": [0.5, null]}\n  ],\n  \
             \"none\": [],\n  \"best\": {\"run\": \"a\", \"interval\": [0.5, 2.0]}"
        );
    }

    #[test]
    fn the_schema_wants_every_field_that_is_always_written() {
        let schema = schema_of::<Table>();
        assert_eq!(schema["required"], serde_json::json!(["depth", "rows", "none", "best"]));
        assert_eq!(schema["$defs"]["Row"]["required"], serde_json::json!(["run", "interval"]));
    }
}
