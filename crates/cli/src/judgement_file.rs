//! Judgements that a command writes to a file of their own.

use std::io::{self, Write};
use std::path::Path;

use karat_data::names::shown;
use karat_formats::records::Table;
use karat_formats::write::{Cannot, Writer, packed, prepare};

use crate::failure::Failure;
use crate::output;

/// Writes a table of judgements; packed as the ending of the file says. `option` asked for it.
///
/// # Errors
/// The format cannot hold them, or the file cannot be written.
pub fn write(path: &Path, option: &str, writer: &Writer, table: Table) -> Result<(), Failure> {
    let (table, _) = prepare(table, writer, "", false).map_err(|cannot| {
        let why = match cannot {
            Cannot::Ever(why) => why,
            Cannot::WithoutLoss(lost) => format!("{} cannot hold {}", writer.name, lost.join("; ")),
        };
        Failure::usage(format!("{option} {}: {why}", shown(&path.to_string_lossy())))
    })?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let render = |sink: &mut dyn Write| {
        let mut sink = io::BufWriter::new(sink);
        (writer.write)(&table, &mut sink)?;
        sink.flush()
    };
    output::to_file(path, |file| packed(&ending, file, render))
}
