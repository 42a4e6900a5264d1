//! Formats made of lines of fields, as tables: for conversion, which needs every field as it was written.

use crate::fields::{fields, is_idle};
use crate::write::layout::Layout;

use super::cell::Cell;
use super::column::Plan;
use super::refusal::Refusal;
use super::table::{Builder, Table};

/// Reads a file of a layout. Its own reader has looked at every line before and knows better what to say of a wrong
/// one; here a line with another number of fields is a line with fields missing.
///
/// # Errors
/// Everything wrong with it.
pub fn read(bytes: &[u8], layout: &Layout) -> Result<Table, Refusal> {
    let plan = Plan {
        data: layout.data,
        kind: layout.kind,
        columns: layout.columns.to_vec(),
        unused: Vec::new(),
        judge: None,
        unrateable: false,
    };
    let mut builder = Builder::new(plan);
    let mut cells = Vec::new();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (line, text) in (1u64..).zip(bytes.split(|&byte| byte == b'\n')) {
        if is_idle(text) {
            continue;
        }
        cells.clear();
        cells.extend(fields(text).map(|field| Cell::Written(field.into())));
        builder.record(line, &cells);
    }
    builder.finish()
}
