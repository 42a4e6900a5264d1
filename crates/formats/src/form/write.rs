//! Writing a form.

use std::io::{self, Write};

use karat_data::problem::quote;
use karat_data::{FormGrade, FormRow, JudgementKind};

use super::{Asked, COLUMNS, FormFormat, FormTexts, kind_of, label_studio, method, number, table};
use crate::records::{Data, Table};
use crate::write::delimited::field;
use crate::write::json::quoted;
use crate::write::text;
use crate::write::{Cannot, Writer, prepare, writer};

/// A form that its format can hold.
pub struct Form<'a> {
    rows: Vec<&'a FormRow>,
    kind: JudgementKind,
    texts: &'a FormTexts,
    format: FormFormat,
    /// Lines of TREC, and who writes them.
    lines: Option<(Table, &'static Writer)>,
}

impl<'a> Form<'a> {
    /// A form of these rows. With probabilities it has no rows that nobody is asked for: prels list what was drawn. `asked` is for TREC.
    ///
    /// # Errors
    /// The format cannot hold a name; in words that follow the file's name.
    pub fn new(
        rows: &'a [FormRow],
        texts: &'a FormTexts,
        format: FormFormat,
        asked: Asked,
    ) -> Result<Form<'a>, String> {
        let kind = kind_of(rows);
        let drawn = |row: &&FormRow| kind != JudgementKind::Probabilities || row.grade != FormGrade::NotAsked;
        let rows: Vec<&FormRow> = rows.iter().filter(drawn).collect();
        let lines = match format {
            FormFormat::Trec => Some(lines(&rows, kind, asked)?),
            FormFormat::Jsonl | FormFormat::LabelStudio => {
                check_utf8(&rows)?;
                None
            }
            FormFormat::Csv | FormFormat::Tsv => None,
        };
        Ok(Form { rows, kind, texts, format, lines })
    }

    /// Writes it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match (&self.lines, self.format) {
            (Some((table, writer)), _) => (writer.write)(table, out),
            (None, FormFormat::Tsv) => self.write_delimited(b'\t', out),
            (None, FormFormat::Jsonl) => self.write_objects(out),
            (None, FormFormat::LabelStudio) => label_studio::write(self, out),
            (None, FormFormat::Csv | FormFormat::Trec) => self.write_delimited(b',', out),
        }
    }

    fn write_delimited(&self, separator: u8, out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<&str> = COLUMNS.into_iter().chain(self.own_column()).collect();
        out.write_all(names.join(char::from(separator).encode_utf8(&mut [0; 4])).as_bytes())?;
        out.write_all(b"\n")?;
        let mut line = Vec::new();
        for row in &self.rows {
            karat_runtime::check();
            line.clear();
            for (at, value) in self.values(row).iter().enumerate() {
                if at > 0 {
                    line.push(separator);
                }
                match value {
                    Value::Nothing => {}
                    Value::Name(name) => field(&mut line, name, separator),
                    Value::Text(text) => field(&mut line, guarded(text).as_bytes(), separator),
                    Value::Number(number) => line.extend_from_slice(text::number(*number).as_bytes()),
                }
            }
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }

    fn write_objects(&self, out: &mut dyn Write) -> io::Result<()> {
        for row in &self.rows {
            karat_runtime::check();
            let mut text = self.object(row, true);
            text.push('\n');
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    /// A row as an object of JSON.
    pub(super) fn object(&self, row: &FormRow, graded: bool) -> String {
        let names = COLUMNS.into_iter().chain(self.own_column());
        let mut text = String::new();
        for (name, value) in names.zip(self.values(row)).filter(|(name, _)| graded || *name != "grade") {
            text.push_str(if text.is_empty() { "{" } else { ", " });
            quoted(&mut text, name.as_bytes());
            text.push_str(": ");
            match value {
                Value::Nothing => text.push_str("null"),
                Value::Name(name) => quoted(&mut text, name),
                Value::Text(own) => quoted(&mut text, own.as_bytes()),
                Value::Number(number) => text.push_str(&text::number(number)),
            }
        }
        text.push('}');
        text
    }

    /// The column beside the usual ones that reading back needs.
    fn own_column(&self) -> Option<&'static str> {
        match self.kind {
            JudgementKind::Strata => Some("stratum"),
            JudgementKind::Probabilities if self.rows.iter().any(|row| row.stratum.is_some()) => Some("method"),
            _ => None,
        }
    }

    /// The values of a row, in the order of the columns.
    fn values<'r>(&'r self, row: &'r FormRow) -> Vec<Value<'r>> {
        let (title, text) = self.texts.document(row);
        let whole = |number: Option<u32>| number.map_or(Value::Nothing, |number| Value::Number(f64::from(number)));
        let grade = match &row.grade {
            FormGrade::Asked => Value::Nothing,
            FormGrade::Cannot(label) => Value::Text(label),
            other => Value::Number(number(other, -1.0)),
        };
        let mut values = vec![
            Value::Name(&row.query_id),
            Value::Name(&row.doc_id),
            Value::Text(self.texts.query(row)),
            Value::Text(title),
            Value::Text(text),
            row.probability.map_or(Value::Nothing, Value::Number),
            whole(row.batch),
            grade,
        ];
        match self.own_column() {
            Some("stratum") => values.push(whole(row.stratum)),
            Some(_) => values.push(whole(method(row))),
            None => {}
        }
        values
    }

    pub(super) fn rows(&self) -> &[&'a FormRow] {
        &self.rows
    }
}

/// What stands in a cell.
enum Value<'a> {
    Nothing,
    Name(&'a [u8]),
    Text(&'a str),
    Number(f64),
}

/// A text that a spreadsheet would take for a formula gets a blank before it: a corpus should not be able to run one.
fn guarded(text: &str) -> std::borrow::Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@']) { format!(" {text}").into() } else { text.into() }
}

/// The rows as lines of TREC.
fn lines(rows: &[&FormRow], kind: JudgementKind, asked: Asked) -> Result<(Table, &'static Writer), String> {
    let name = match kind {
        JudgementKind::Probabilities => "prels",
        JudgementKind::Strata => "sampled",
        _ => "trec",
    };
    let open = if asked == Asked::Unjudged { -1.0 } else { f64::NAN };
    let table = table(rows, kind, |row| number(&row.grade, open));
    let writer = writer(name, Data::Judgements).ok_or_else(|| format!("a form cannot be written as {name}"))?;
    let (table, _) = prepare(table, writer, "", false).map_err(|cannot| match cannot {
        Cannot::Ever(why) => why,
        Cannot::WithoutLoss(lost) => {
            format!(
                "{name} cannot hold {}\nhelp: write a form that ends in .csv, .jsonl or .json, which can",
                lost.join("; ")
            )
        }
    })?;
    Ok((table, writer))
}

fn check_utf8(rows: &[&FormRow]) -> Result<(), String> {
    let mut names = rows.iter().flat_map(|row| [&row.query_id, &row.doc_id]);
    match names.find(|name| std::str::from_utf8(name).is_err()) {
        Some(name) => Err(format!("JSON cannot hold the name {}, which is not UTF-8\nhelp: write CSV", quote(name))),
        None => Ok(()),
    }
}
