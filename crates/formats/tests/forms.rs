//! Judging forms as judgements: whatever the format and whatever a spreadsheet made of it, the same judgements as the lines of TREC give.

use karat_data::{FormGrade, FormRow, Judgement, JudgementKind, Qrels, hash};
use karat_formats::detect::Detected;
use karat_formats::form::{self, Asked, Form, FormFormat, FormTexts};
use karat_formats::records::{Data, source};
use karat_formats::texts::corpus::DocumentText;
use karat_formats::write::{Cannot, prepare, writer};
use karat_formats::{Dialect, Input, detect, read_qrels};

const TABLES: [FormFormat; 4] = [FormFormat::Csv, FormFormat::Tsv, FormFormat::Jsonl, FormFormat::LabelStudio];

fn row(query: &str, document: &str, grade: FormGrade) -> FormRow {
    FormRow::new(query.as_bytes(), document.as_bytes(), grade)
}

fn texts(rows: &[FormRow]) -> FormTexts {
    let text = DocumentText { title: "One, \"two\"; three".into(), text: "first\nsecond\tthird; é 日本".into() };
    FormTexts {
        queries: rows.iter().map(|row| (row.query_id.clone(), "what, \"exactly\"?".to_owned())).collect(),
        documents: rows.iter().map(|row| (row.doc_id.clone(), text.clone())).collect(),
    }
}

fn written(rows: &[FormRow], format: FormFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let texts = texts(rows);
    Form::new(rows, &texts, format, Asked::Unjudged).unwrap().write(&mut bytes).unwrap();
    bytes
}

fn qrels(bytes: &[u8]) -> Result<Qrels, String> {
    let input = Input::bytes("form", bytes);
    read_qrels(&input, detect::QRELS, Dialect::Strict, 2)
        .map(|(qrels, _)| qrels)
        .map_err(|problems| problems.to_string())
}

/// All that judgements say, in order.
fn said(qrels: &Qrels) -> Vec<String> {
    let mut all = Vec::new();
    for topic in qrels.topics() {
        for (docno, judgement) in qrels.documents(topic) {
            let names = [qrels.name(topic), docno].map(|name| String::from_utf8_lossy(name).into_owned());
            all.push(format!("{names:?} {judgement:?}"));
        }
        for (marks, mark) in qrels.marks().iter().flat_map(|marks| marks.topic(topic).iter().map(|mark| (*marks, mark)))
        {
            // Lines of TREC have the method 1 where tables have none.
            let group = Some(marks.group_name(mark.group)).filter(|name| !name.is_empty()).unwrap_or(b"1");
            let group = String::from_utf8_lossy(group).into_owned();
            all.push(format!("{:?} {:?} {} {group} {}", qrels.name(topic), marks.kind(), mark.document, mark.value));
        }
    }
    all.sort();
    all
}

/// Plain grades; strata with documents that were not drawn; probabilities.
fn forms() -> Vec<Vec<FormRow>> {
    let graded = |name: &str, grade: f64| row("101", name, FormGrade::Grade(grade));
    let plain = vec![graded("d1", 2.0), row("101", "d2", FormGrade::Asked), row("7", "d3", FormGrade::NotAsked)];
    let strata: Vec<FormRow> =
        [(graded("d1", 0.0), 1), (graded("d2", 1.0), 2), (row("7", "d3", FormGrade::NotAsked), 2)]
            .map(|(row, stratum)| FormRow { stratum: Some(stratum), ..row })
            .to_vec();
    let drawn = [(graded("d1", 0.0), 1.0), (graded("d2", 1.0), 1.0 / 3.0), (row("7", "d3", FormGrade::Asked), 0.25)]
        .map(|(row, probability)| FormRow { probability: Some(probability), batch: Some(1), ..row });
    let fixed = drawn.clone().map(|row| FormRow { stratum: Some(1), batch: None, ..row });
    vec![plain, strata, drawn.to_vec(), fixed.to_vec()]
}

#[test]
fn every_form_is_the_judgements_of_trecs_lines() {
    let kinds =
        [JudgementKind::Grades, JudgementKind::Strata, JudgementKind::Probabilities, JudgementKind::Probabilities];
    for (rows, kind) in forms().into_iter().zip(kinds) {
        let expected = qrels(&written(&rows, FormFormat::Trec)).unwrap();
        assert_eq!(expected.kind(), kind);
        for format in TABLES {
            let bytes = written(&rows, format);
            let found = qrels(&bytes).unwrap();
            assert_eq!((found.kind(), said(&found)), (kind, said(&expected)), "{format:?} {}", text(&bytes));
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The cells of a form in CSV, to be written as spreadsheets write them.
fn cells(rows: &[FormRow]) -> Vec<Vec<String>> {
    let header: Vec<String> = form::COLUMNS.map(str::to_owned).to_vec();
    let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let line = |row: &FormRow| {
        let grade = if row.grade == FormGrade::NotAsked { Some(-1.0) } else { row.grade.grade() };
        vec![
            text(&row.query_id),
            text(&row.doc_id),
            "what, \"exactly\"?".into(),
            "TRUE".into(),
            "first\nsecond; third".into(),
            number(row.probability),
            number(row.batch.map(f64::from)),
            number(grade),
        ]
    };
    std::iter::once(header).chain(rows.iter().map(line)).collect()
}

fn joined(cells: &[Vec<String>], separator: &str, end: &str, quoted: bool) -> String {
    let field = |cell: &String| match quoted || cell.contains([',', ';', '\t', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    };
    cells.iter().map(|line| line.iter().map(field).collect::<Vec<_>>().join(separator) + end).collect()
}

/// A form through a spreadsheet: separators, line ends, marks, numbers and cells at the end of a row.
#[test]
fn what_spreadsheets_make_of_a_form_reads_as_the_form() {
    for rows in [forms().remove(0), forms().remove(2)] {
        let expected = said(&qrels(&written(&rows, FormFormat::Csv)).unwrap());
        let states = |bytes: &[u8]| -> Vec<FormRow> {
            let file = form::read(&Input::bytes("form", bytes)).unwrap_or_else(|problems| panic!("{problems}"));
            file.rows.into_iter().map(|row| FormRow { line: 0, ..row }).collect()
        };
        let own = cells(&rows);
        let changed = |change: &dyn Fn(usize, usize, &str) -> String| -> Vec<Vec<String>> {
            let line = |(line, cells): (usize, &Vec<String>)| {
                cells.iter().enumerate().map(|(at, cell)| change(line, at, cell)).collect()
            };
            own.iter().enumerate().map(line).collect()
        };
        let floats = changed(&|line, at, cell| match line > 0 && at > 5 && !cell.is_empty() {
            true => format!("{cell}.0"),
            false => cell.to_owned(),
        });
        let commas =
            changed(&|line, at, cell| if line > 0 && at > 4 { cell.replace('.', ",") } else { cell.to_owned() });
        let wide: Vec<Vec<String>> =
            own.iter().map(|line| line.iter().cloned().chain([String::new(), String::new()]).collect()).collect();
        let ragged: Vec<Vec<String>> = wide.iter().enumerate().map(|(at, line)| line[..8 + at % 3].to_vec()).collect();
        let short: Vec<Vec<String>> = own
            .iter()
            .map(|line| line[..line.iter().rposition(|cell| !cell.is_empty()).unwrap() + 1].to_vec())
            .collect();
        let mark = |text: String| format!("\u{feff}{text}");
        for dialect in [
            joined(&own, ",", "\n", false),
            joined(&own, ";", "\r\n", false),
            joined(&own, "\t", "\r\n", false),
            mark(joined(&own, ",", "\r\n", true)),
            mark(joined(&own, ";", "\r\n", true)),
            joined(&floats, ",", "\n", false),
            joined(&commas, ";", "\r\n", false),
            joined(&commas, "\t", "\n", true),
            joined(&wide, ",", "\n", false),
            joined(&ragged, ",", "\r\n", false),
            joined(&short, ",", "\r\n", false),
            joined(&short, ";", "\n", true),
        ] {
            let found = qrels(dialect.as_bytes()).unwrap_or_else(|problems| panic!("{problems}\n{dialect}"));
            assert_eq!(said(&found), expected, "{dialect}");
            assert_eq!(states(dialect.as_bytes()), rows, "{dialect}");
        }
    }
}

/// A field too few is a row that was not written to its end, where the file has no end either; elsewhere than in a form it always is.
#[test]
fn a_file_that_is_cut_off_is_no_spreadsheet() {
    let whole = joined(&cells(&forms()[0]), ",", "\n", false);
    for keep in ["7,d", "7,d3,", "7,d3"] {
        let end = whole.rfind("7,d3").unwrap() + keep.len();
        let refused = qrels(&whole.as_bytes()[..end]).unwrap_err();
        assert!(refused.contains("expected 8 fields, as in the header"), "{refused}");
        assert!(form::read(&Input::bytes("form", &whole.as_bytes()[..end])).is_err());
    }
    assert!(qrels(b"query_id,doc_id,grade\n1,d1\n").unwrap_err().contains("expected 3 fields"));
    assert!(qrels(b"query_id;doc_id;grade\n1;d1;0,5\n").unwrap_err().contains("decimal point"));
}

#[test]
fn a_document_that_could_not_be_judged_is_pooled_and_not_judged() {
    let header = form::COLUMNS.join(",");
    let text = format!("{header}\n1,a,,,,,,cannot\n1,b,,,,,,Cannot judge\n1,c,,,,,,later\n1,d,,,,,,1\n1,e,,,,,,junk\n");
    let found = qrels(text.as_bytes()).unwrap();
    let topic = found.find(b"1").unwrap();
    let judgement = |docno: &[u8]| found.judgement(topic, docno, hash::of(docno));
    for docno in [b"a", b"b", b"c", b"e"] {
        assert_eq!(judgement(docno), Judgement::PooledUnjudged);
    }
    assert_eq!(judgement(b"d").grade(), Some(1.0));
    // Whoever converts judgements is told what is lost.
    let input = Input::bytes("form", text.as_bytes());
    let table = source::table(&input, Detected::Qrels(detect::qrels_format("csv").unwrap()), 1).unwrap();
    let Err(Cannot::WithoutLoss(lost)) = prepare(table, writer("trec", Data::Judgements).unwrap(), "", false) else {
        panic!("nothing lost");
    };
    assert_eq!(lost[0], "the words in place of a grade in 4 rows (cannot, later)");
    let refused = qrels(format!("{header}\n1,a,,,,,,relevant\n").as_bytes()).unwrap_err();
    assert!(refused.contains("form:2: grade: expected a number"), "{refused}");
}

/// In a stratified sample -1 is a document that was not drawn, so one that was drawn and is not judged must not pass for it.
#[test]
fn a_stratified_sample_that_is_not_complete_is_refused() {
    let mut rows = forms().remove(1);
    rows[0].grade = FormGrade::Asked;
    for format in TABLES {
        let refused = qrels(&written(&rows, format)).unwrap_err();
        assert!(refused.contains("grade: expected a number (-1: not drawn), found nothing"), "{format:?} {refused}");
        assert!(refused.contains("help: judge the document and write its grade"), "{refused}");
    }
    rows[0].grade = FormGrade::Cannot("cannot".into());
    assert!(qrels(&written(&rows, FormFormat::Csv)).unwrap_err().contains("found \"cannot\""));
}

#[test]
fn a_probability_must_stand_in_every_row_or_in_none() {
    let header = form::COLUMNS.join(",");
    let refused = qrels(format!("{header}\n1,a,,,,0.5,,1\n1,b,,,,,,1\n").as_bytes()).unwrap_err();
    assert!(refused.contains("form:3: probability"), "{refused}");
    let refused = qrels(format!("{header}\n1,a,,,,0,,1\n").as_bytes()).unwrap_err();
    assert!(refused.contains("form:2: probability: expected a probability above 0"), "{refused}");
    for rewritten in ["11.0", "\"11,00\"", "11"] {
        let found = qrels(format!("{header},method\n1,a,,,,0.5,,1,{rewritten}\n").as_bytes()).unwrap();
        assert_eq!(found.marks().unwrap().group_name(0), b"11");
    }
    // A column without anything in it is none.
    for text in [
        format!("{header},stratum,method\n1,a,,,,,,1,,\n"),
        "{\"query_id\": \"1\", \"doc_id\": \"a\", \"probability\": null, \"stratum\": null, \"grade\": 1}\n".to_owned(),
    ] {
        assert_eq!(qrels(text.as_bytes()).unwrap().kind(), JudgementKind::Grades);
    }
}
