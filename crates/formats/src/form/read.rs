//! Reading a form, with what its rows say in place of a grade.

use std::cell::RefCell;
use std::collections::HashMap;

use karat_data::problem::quote;
use karat_data::{FIRST_STRATUM_METHOD, FormGrade, FormRow, LineProblem, ProblemKind, Problems, State};

use super::{COLUMNS, label_studio};
use crate::columns::FORM;
use crate::fields::{fields, is_idle};
use crate::records::cell::Cell;
use crate::records::column::{self, Column};
use crate::records::label::{self, Given};
use crate::records::{Refusal, delimited, named, parquet, source};
use crate::sample::Sample;
use crate::{Input, detect};

/// A form that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct FormFile {
    /// The file's name as the user gave it.
    pub file: String,
    /// Its rows.
    pub rows: Vec<FormRow>,
    /// The name of its format.
    pub format: &'static str,
    /// Bytes, decompressed.
    pub bytes: u64,
}

/// The fields of a form that are read, in the order in which [`Rows::add`] takes them.
pub(super) const FIELDS: [&str; 7] = ["query_id", "doc_id", "probability", "batch", "stratum", "method", "grade"];

/// Reads a form in any of its formats, detected from the content.
///
/// # Errors
/// Everything wrong with the file.
pub fn read(input: &Input) -> Result<FormFile, Problems> {
    let bytes = source::bytes(input, false)?;
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let json = matches!(content.trim_ascii_start().first(), Some(b'{' | b'['));
    let mut rows = Rows::default();
    let format = if json && label_studio::is_task(content) {
        label_studio::read(content, &mut rows).map_err(|refusal| refusal.problems(input.name()))?;
        "label-studio"
    } else if json || content.starts_with(parquet::MAGIC) || delimited::separator(content).is_some() {
        records(input, &mut rows)?
    } else {
        trec(input, &mut rows)?
    };
    let rows = rows.finish().map_err(|refusal| refusal.problems(input.name()))?;
    Ok(FormFile { file: input.name().to_owned(), rows, format, bytes: bytes.len() as u64 })
}

/// Rows of records; the format's name.
fn records(input: &Input, rows: &mut Rows) -> Result<&'static str, Problems> {
    // Which of the fields each column that was chosen holds.
    let order = RefCell::new(Vec::new());
    let mut choose = |names: &[String]| {
        let (fields, chosen) = choose(names)?;
        *order.borrow_mut() = fields;
        Ok(chosen)
    };
    let facts = named::read(input, &mut choose, &mut |line, cells| {
        let order = order.borrow();
        let cell = |field: usize| order.iter().position(|own| *own == field).map_or(&Cell::Missing, |at| &cells[at]);
        rows.add(line, &(0..FIELDS.len()).map(|field| cell(field).borrowed()).collect::<Vec<_>>());
        Ok(())
    })?;
    Ok(if facts.format == "json" { "jsonl" } else { facts.format })
}

/// Finds the columns of a form: the fields that are there, and the names of their columns.
fn choose(names: &[String]) -> Result<(Vec<usize>, Vec<String>), LineProblem> {
    let own: Vec<Vec<u8>> = names.iter().map(|name| name.clone().into_bytes()).collect();
    let place = |field: &str| match field {
        "query_id" => column::topic_of(&own),
        "doc_id" => column::document_of(&own),
        "grade" => column::place_of(Column::Grade, &own),
        other => column::place_of_name(other, &own),
    };
    let (mut fields, mut chosen) = (Vec::new(), Vec::new());
    for (field, name) in FIELDS.iter().enumerate() {
        match place(name) {
            Some(at) => {
                fields.push(field);
                chosen.push(names[at].clone());
            }
            None if ["query_id", "doc_id", "grade"].contains(name) => {
                let shown: Vec<String> = names.iter().take(12).map(|name| quote(name.as_bytes())).collect();
                let remedy = format!(
                    "restore the first line of the form: {} (in JSON the keys of every row)",
                    COLUMNS.join(",")
                );
                return Err(LineProblem::new("header", format!("a column {name}"), shown.join(", "), &remedy));
            }
            None => {}
        }
    }
    Ok((fields, chosen))
}

/// Rows of lines of TREC; the format's name.
fn trec(input: &Input, rows: &mut Rows) -> Result<&'static str, Problems> {
    let bytes = source::bytes(input, true)?;
    let format = detect::qrels(input.name(), &Sample::new(&bytes, true))?;
    // Where each of the fields of a form stands in a line.
    let places: [Option<usize>; 7] = match format.name {
        "trec" => [Some(0), Some(2), None, None, None, None, Some(3)],
        "sampled" => [Some(0), Some(2), None, None, Some(3), None, Some(4)],
        "prels" => [Some(0), Some(1), Some(4), None, None, Some(3), Some(2)],
        other => {
            let remedy = "give the form that pool, sample, next or settle wrote";
            return Err(Refusal::whole("a judging form", format!("{other} judgements"), remedy).problems(input.name()));
        }
    };
    let count = places.iter().flatten().max().map_or(0, |last| last + 1);
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    for (line, text) in (1u64..).zip(content.split(|&byte| byte == b'\n')).filter(|(_, text)| !is_idle(text)) {
        let found: Vec<&[u8]> = fields(text).collect();
        if found.len() == count {
            let cell = |place: &Option<usize>| place.map_or(Cell::Missing, |at| Cell::Written(found[at].into()));
            rows.add(line, &places.iter().map(cell).collect::<Vec<_>>());
        } else {
            let remedy = "complete or split the line; in TREC's formats names must not contain spaces";
            let found = format!("{} in {}", found.len(), quote(text));
            let expected = format!("{count} fields ({})", format.layout);
            rows.problem(line, LineProblem::new("fields", expected, found, remedy));
        }
    }
    Ok(format.name)
}

/// Collects rows, and what is wrong with them.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<FormRow>,
    refusal: Refusal,
    /// The line of each query and document.
    lines: HashMap<(Vec<u8>, Vec<u8>), u64>,
}

impl Rows {
    /// Something wrong with a line.
    pub(super) fn problem(&mut self, line: u64, problem: LineProblem) {
        self.refusal.push(line, problem);
    }

    /// A row: one cell for each of [`FIELDS`].
    pub(super) fn add(&mut self, line: u64, cells: &[Cell<'_>]) {
        let row = match row(line, cells) {
            Ok(row) => row,
            Err(problem) => return self.problem(line, problem),
        };
        let first = *self.lines.entry((row.query_id.clone(), row.doc_id.clone())).or_insert(line);
        if first != line {
            let found = format!("{} again", quote(&row.doc_id));
            let problem = LineProblem::new("doc_id", "each document once per query", found, "keep one of the two");
            return self.problem(line, problem.of_kind(ProblemKind::Repeated).first_on(first));
        }
        self.rows.push(row);
    }

    /// What was read.
    ///
    /// # Errors
    /// Everything that was wrong.
    pub(super) fn finish(self) -> Result<Vec<FormRow>, Refusal> {
        if !self.refusal.is_empty() {
            return Err(self.refusal);
        }
        if self.rows.is_empty() {
            let remedy = "check that the file was written completely";
            return Err(Refusal::nothing("at least one document", "none", remedy));
        }
        Ok(self.rows)
    }
}

fn row(line: u64, cells: &[Cell<'_>]) -> Result<FormRow, LineProblem> {
    let [query, document, probability, batch, stratum, method, grade] = cells else {
        // Not reached: there is a cell for each of the fields.
        return Err(LineProblem::new("fields", "a cell for each column", "others", "write the form again"));
    };
    let probability = match probability {
        cell if is_empty(cell) => None,
        cell => Some(cell.number(Column::Probability).map_err(|problem| LineProblem {
            remedy: "write the probability with which the document was drawn, as karat wrote it into the form".into(),
            ..problem
        })?),
    };
    let of_method = whole(method, "method")?.and_then(|method| method.checked_sub(FIRST_STRATUM_METHOD));
    Ok(FormRow {
        query_id: query.name(Column::Topic)?.to_vec(),
        doc_id: document.name(Column::Document)?.to_vec(),
        probability,
        batch: whole(batch, "batch")?,
        stratum: whole(stratum, "stratum")?.or(of_method.map(|stratum| stratum + 1)),
        grade: read_grade(grade)?,
        line,
    })
}

fn is_empty(cell: &Cell<'_>) -> bool {
    cell.is_missing() || matches!(cell, Cell::Text(text) if text.is_empty())
}

/// A whole number from 0 in a cell; a spreadsheet may have made 1.0 of 1.
fn whole(cell: &Cell<'_>, field: &'static str) -> Result<Option<u32>, LineProblem> {
    if is_empty(cell) {
        return Ok(None);
    }
    let number = match cell {
        Cell::Written(text) | Cell::Number(text) => fast_float2::parse::<f64, _>(text.trim_ascii()).ok(),
        Cell::Float(number) => Some(*number),
        _ => None,
    };
    match number.filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number)) {
        Some(number) => Ok(Some(number as u32)),
        None => {
            let remedy = "leave the column as karat wrote it";
            Err(LineProblem::new(field, "a whole number, or nothing", cell.shown(), remedy))
        }
    }
}

/// What a cell says in place of a grade, or the grade.
fn read_grade(cell: &Cell<'_>) -> Result<FormGrade, LineProblem> {
    let word = match label::grade(cell)? {
        Given::Nothing => return Ok(FormGrade::Asked),
        Given::Number(number) if number >= 0.0 => return Ok(FormGrade::Grade(number)),
        Given::Number(-1.0) => return Ok(FormGrade::NotAsked),
        // As in TREC: below -1 it is junk.
        Given::Number(_) => return Ok(FormGrade::Cannot(State::Junk.name().to_owned())),
        Given::Word(word) => word,
    };
    let said = || FormGrade::Cannot(String::from_utf8_lossy(word).into_owned());
    match State::from_name(word) {
        Some(State::Cannot | State::Junk) => Ok(said()),
        Some(State::Later | State::Unjudged) => Ok(FormGrade::Asked),
        _ if word == FORM => Ok(FormGrade::Asked),
        _ if word.len() >= 6 && word[..6].eq_ignore_ascii_case(b"cannot") => Ok(said()),
        _ => {
            let expected = "a grade from 0, nothing (not judged yet) or cannot (the judge could not say)";
            let remedy = "write the grade as a number, such as 0 or 1; leave the cell empty where it is not judged";
            Err(LineProblem::new("grade", expected, quote(word), remedy).of_kind(ProblemKind::WrongNumber))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Asked, Form, FormFormat, FormTexts};
    use crate::texts::corpus::DocumentText;

    fn row(query: &str, document: &str, grade: FormGrade) -> FormRow {
        FormRow::new(query.as_bytes(), document.as_bytes(), grade)
    }

    fn written(rows: &[FormRow], texts: &FormTexts, format: FormFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        Form::new(rows, texts, format, Asked::Question).unwrap().write(&mut bytes).unwrap();
        bytes
    }

    fn rows(bytes: &[u8]) -> Vec<FormRow> {
        let read = read(&Input::bytes("f", bytes)).unwrap_or_else(|problems| panic!("{problems}"));
        read.rows.into_iter().map(|row| FormRow { line: 0, ..row }).collect()
    }

    const TABLES: [FormFormat; 4] = [FormFormat::Csv, FormFormat::Tsv, FormFormat::Jsonl, FormFormat::LabelStudio];

    /// Names with everything that separates fields somewhere, and texts that would break lines.
    fn wild() -> (Vec<FormRow>, FormTexts) {
        let cannot = FormGrade::Cannot("cannot: dead link".into());
        let rows = vec![
            row("what is a \"query\", really?", "doc one; two", FormGrade::Asked),
            row("wie hoch ist die Zugspitze", "a,b\tc|d", FormGrade::Grade(2.0)),
            row(" wie hoch ", "=1+1", FormGrade::NotAsked),
            row("1", "日本語🙂", cannot),
            row("1", "two\nlines", FormGrade::Grade(0.5)),
        ];
        let text = DocumentText { title: "A, \"title\"".into(), text: "=SUM(A1)\nsecond; line\r\n\tthird".into() };
        let texts = FormTexts {
            queries: [(b"1".to_vec(), "query,grade\n1,2".to_owned())].into(),
            documents: rows.iter().map(|row| (row.doc_id.clone(), text.clone())).collect(),
        };
        (rows, texts)
    }

    #[test]
    fn every_table_comes_back_with_names_that_need_quoting() {
        let (plain, texts) = wild();
        let sampled = plain.iter().cloned().map(|row| FormRow { stratum: Some(2), ..row }).collect();
        let drawn = plain.iter().filter(|row| row.grade != FormGrade::NotAsked).cloned();
        let drawn = |stratum: Option<u32>| -> Vec<FormRow> {
            let one = |row| FormRow { probability: Some(1.0 / 3.0), batch: Some(1), stratum, ..row };
            drawn.clone().map(one).collect()
        };
        for rows_written in [plain.clone(), sampled, drawn(None), drawn(Some(1))] {
            for format in TABLES {
                let bytes = written(&rows_written, &texts, format);
                assert_eq!(rows(&bytes), rows_written, "{format:?} {}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn lines_of_trec_come_back() {
        let plain = [row("1", "a", FormGrade::Asked), row("1", "b", FormGrade::Grade(2.0))];
        let sampled = plain.clone().map(|row| FormRow { stratum: Some(3), ..row });
        let drawn = plain.clone().map(|row| FormRow { stratum: Some(1), probability: Some(0.25), ..row });
        let none = FormTexts::default();
        for (all, expected) in [
            (plain, "1 0 a ?\n1 0 b 2\n"),
            (sampled, "1 0 a 3 ?\n1 0 b 3 2\n"),
            (drawn, "1 a ? 11 0.25\n1 b 2 11 0.25\n"),
        ] {
            let bytes = written(&all, &none, FormFormat::Trec);
            assert_eq!(String::from_utf8_lossy(&bytes), expected);
            assert_eq!(rows(&bytes), all, "{expected}");
        }
        let (wild, texts) = wild();
        let why = Form::new(&wild, &texts, FormFormat::Trec, Asked::Question).map(drop).unwrap_err();
        assert!(why.contains("help: write a form that ends in .csv"), "{why}");
    }

    #[test]
    fn a_form_of_a_table_is_as_people_expect_it() {
        let mut all = vec![row("1", "d1", FormGrade::Asked), row("1", "d2", FormGrade::Grade(1.0))];
        all[0].probability = Some(0.25);
        all[1].probability = Some(1.0);
        let mut texts = FormTexts::default();
        texts.queries.insert(b"1".to_vec(), "how, exactly".into());
        texts.documents.insert(b"d2".to_vec(), DocumentText { title: "T".into(), text: "=x".into() });
        assert_eq!(
            String::from_utf8(written(&all, &texts, FormFormat::Csv)).unwrap(),
            "query_id,doc_id,query,title,text,probability,batch,grade\n1,d1,\"how, exactly\",,,0.25,,\n1,d2,\"how, exactly\",T, =x,1,,1\n"
                .replace("T, =x", "T,\" =x\"")
        );
        assert_eq!(
            String::from_utf8(written(&all[..1], &texts, FormFormat::Jsonl)).unwrap(),
            "{\"query_id\": \"1\", \"doc_id\": \"d1\", \"query\": \"how, exactly\", \"title\": \"\", \"text\": \"\", \
             \"probability\": 0.25, \"batch\": null, \"grade\": null}\n"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_field() {
        let said = |text: &str| read(&Input::bytes("f.csv", text.as_bytes())).unwrap_err().to_string();
        for (text, words) in [
            ("", "at least one document"),
            ("query_id,doc_id,probability\n1,d,1\n", "f.csv:1: header: expected a column grade"),
            ("query_id,grade\n1,1\n", "f.csv:1: header: expected a column doc_id, found \"query_id\", \"grade\""),
            (
                "query_id,doc_id,probability,grade\n1,d,0,1\n",
                "f.csv:2: probability: expected a probability above 0 and at most 1, found \"0\"",
            ),
            ("query_id,doc_id,probability,grade\n1,d,1.5,1\n", "found \"1.5\""),
            (
                "query_id,doc_id,probability,grade\n1,d,x,1\n",
                "help: write the probability with which the document was drawn",
            ),
            ("query_id,doc_id,batch,grade\n1,d,1.5,1\n", "f.csv:2: batch: expected a whole number"),
            (
                "query_id,doc_id,grade\n1,d,1\n2,d,1\n1,d,0\n",
                "f.csv:4: doc_id: expected each document once per query, found \"d\" again; first on line 2",
            ),
            (
                "query_id,doc_id,grade\n1,d,relevant\n",
                "f.csv:2: grade: expected a grade from 0, nothing (not judged yet) or cannot",
            ),
            ("query_id,doc_id,grade\n1,,1\n", "f.csv:2: doc_id: expected a name, found nothing"),
            ("query_id,doc_id,grade\n", "at least one row"),
            ("1 0 d x\n", "f.csv:1: grade: expected a grade from 0"),
            ("1 0 d 1\n1 0 e\n", "f.csv:2: fields: expected 4 fields"),
            (
                "[{\"data\": {\"query_id\": 1, \"doc_id\": 2}, \"annotations\": [{}, {}]}]",
                "annotations: expected one annotation, found 2",
            ),
            ("[{\"data\": 1, \"annotations\": []}]", "data: expected an object"),
        ] {
            assert!(said(text).contains(words), "{text}: {}", said(text));
        }
    }

    #[test]
    fn words_stand_for_states() {
        let text = "query_id,doc_id,grade\n1,a,cannot\n1,b,\n1,c,?\n1,d,later\n1,e,-1\n1,f,-2\n1,g, 1.0 \n1,h,Cannot judge\n1,i,0\n";
        let cannot = |label: &str| FormGrade::Cannot(label.into());
        let grades: Vec<FormGrade> = rows(text.as_bytes()).into_iter().map(|row| row.grade).collect();
        let (asked, not) = (FormGrade::Asked, FormGrade::NotAsked);
        assert_eq!(
            grades,
            [
                cannot("cannot"),
                asked.clone(),
                asked.clone(),
                asked,
                not,
                cannot("junk"),
                FormGrade::Grade(1.0),
                cannot("Cannot judge"),
                FormGrade::Grade(0.0)
            ]
        );
    }
}
