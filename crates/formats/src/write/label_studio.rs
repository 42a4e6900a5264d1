//! Judgements as tasks of Label Studio: what a row says is the task's data, its grade an annotation.

use std::io::{self, Write};

use super::json::quoted;
use super::text::number;
use crate::records::{Column, Table};

pub(super) fn write(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for row in 0..table.len() {
        let mut data = String::new();
        for column in table.columns().filter(|&column| column != Column::Grade) {
            data.push_str(if data.is_empty() { "{" } else { ", " });
            quoted(&mut data, column.name().as_bytes());
            data.push_str(": ");
            match table.number(column, row) {
                Some(value) => data.push_str(&number(value)),
                None => quoted(&mut data, table.text(column, row)),
            }
        }
        data.push('}');
        let grade = table.number(Column::Grade, row).map(number);
        task(out, row == 0, &data, grade.as_deref())?;
    }
    out.write_all(b"\n]\n")
}

/// One task of the array, with its data, which is an object, and the choice that a judge made.
pub(crate) fn task(out: &mut dyn Write, is_first: bool, data: &str, choice: Option<&str>) -> io::Result<()> {
    let mut annotation = String::new();
    if let Some(choice) = choice {
        annotation.push_str("{\"result\": [{\"from_name\": \"grade\", \"to_name\": \"text\", \"type\": \"choices\", ");
        annotation.push_str("\"value\": {\"choices\": [");
        quoted(&mut annotation, choice.as_bytes());
        annotation.push_str("]}}]}");
    }
    let comma = if is_first { "\n" } else { ",\n" };
    out.write_all(format!("{comma}{{\"data\": {data}, \"annotations\": [{annotation}]}}").as_bytes())
}
