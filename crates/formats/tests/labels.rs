//! Labels of judges: every format read by its content, what each of them can hold kept on the way out and back, wrong files in words.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use karat_formats::Input;
use karat_formats::labels::{LABEL_FORMATS, Words, read};
use karat_formats::records::{Column, Data, Table};
use karat_formats::write::{Cannot, WRITERS, prepare, writer};

/// Topic, document, judge, grade, state.
type Row = (String, String, String, Option<f64>, String);

fn rows(table: &Table) -> Vec<Row> {
    let text = |column, row| String::from_utf8(table.text(column, row).to_vec()).unwrap();
    let grade = |row| table.number(Column::Grade, row).filter(|grade| !grade.is_nan());
    let row = |row| {
        let names = (text(Column::Topic, row), text(Column::Document, row), text(Column::Judge, row));
        (names.0, names.1, names.2, grade(row), text(Column::State, row))
    };
    (0..table.len()).map(row).collect()
}

fn told(name: &str, text: &str, words: &str) -> (&'static str, Table) {
    let words = if words.is_empty() { Words::default() } else { words.parse().unwrap() };
    let found = read(&Input::bytes(name, text.as_bytes()), None, &words, &[]);
    let found = found.unwrap_or_else(|problems| panic!("{name}: {problems}"));
    (found.format.name, found.table)
}

fn row(topic: &str, document: &str, judge: &str, grade: Option<f64>, state: &str) -> Row {
    (topic.into(), document.into(), judge.into(), grade, state.into())
}

const LABEL_STUDIO: &str = r#"[{"id": 7, "data": {"query_id": "q", "doc_id": "d", "text": "..."},
  "annotations": [
    {"id": 1, "completed_by": {"id": 3, "email": "ann@x.org"}, "was_cancelled": false, "ground_truth": false, "lead_time": 2.5,
     "created_at": "2024-01-01T00:00:00Z", "result": [{"from_name": "r", "to_name": "t", "type": "choices", "value": {"choices": ["Relevant"]}}]},
    {"id": 2, "completed_by": 4, "was_cancelled": true, "ground_truth": false, "result": []},
    {"id": 3, "completed_by": 5, "was_cancelled": false, "ground_truth": true, "result": [{"type": "rating", "value": {"rating": 3}}]}],
  "predictions": [{"model_version": "llm-1", "result": [{"type": "choices", "value": {"choices": ["No"]}}]}]}]"#;

const BOOK: &str = r#"{"name": "b", "scale": [0, 1, 2, 3], "query_doc_pairs": [{"query_text": "screen", "doc_id": "d1", "judgements": [
  {"rating": 3.0, "unrateable": false, "judge_later": false, "user_email": "ann@x.org", "explanation": "exact"},
  {"rating": null, "unrateable": true, "judge_later": false, "user_email": "bob@x.org"},
  {"rating": null, "unrateable": false, "judge_later": true, "user_email": null}]}]}"#;

#[test]
fn every_format_is_told_from_its_content_and_read() {
    let cases: Vec<(&str, &str, &str, &str, Vec<Row>)> = vec![
        (
            "records",
            "l.csv",
            "query_id,doc_id,judge,grade,state\nq,d,ann,2,judged\nq,d,bob,,cannot\nq,e,ann,-1,\nq,e,bob,-2,\nq,f,ann,,later\n",
            "",
            vec![
                row("q", "d", "ann", Some(2.0), "judged"),
                row("q", "d", "bob", None, "cannot"),
                row("q", "e", "ann", None, "unjudged"),
                row("q", "e", "bob", None, "junk"),
                row("q", "f", "ann", None, "later"),
            ],
        ),
        // crowd-kit: a task is its own query.
        (
            "records",
            "c.csv",
            "task,worker,label\nt1,w1,1\nt1,w2,relevant\n",
            "relevant=1,not=0",
            vec![row("t1", "t1", "w1", Some(1.0), "judged"), row("t1", "t1", "w2", Some(1.0), "judged")],
        ),
        (
            "records",
            "folder/ann.tsv",
            "query-id\tcorpus-id\tscore\nq\td\t1\n",
            "",
            vec![row("q", "d", "ann", Some(1.0), "judged")],
        ),
        (
            "records",
            "case.csv",
            "query,docid,rating\nscreen,1,3.0\nscreen,2,\n\" -x\",3,0\nnone,,",
            "",
            vec![
                row("screen", "1", "case", Some(3.0), "judged"),
                row("screen", "2", "case", None, "unjudged"),
                row("-x", "3", "case", Some(0.0), "judged"),
            ],
        ),
        (
            "records",
            "haystack.csv",
            "query,docid,position,rater,rating,unrateable\nscreen,1,1,r1,3,false\nscreen,1,1,r2,,true\n",
            "",
            vec![row("screen", "1", "r1", Some(3.0), "judged"), row("screen", "1", "r2", None, "cannot")],
        ),
        (
            "records",
            "l.jsonl",
            "{\"query_id\": 1, \"doc_id\": \"d\", \"judge\": \"a\", \"grade\": 1, \"seconds\": 3.5}\n{\"query_id\": 1, \"doc_id\": \"d\", \"judge\": \"b\", \"grade\": null, \"state\": \"cannot\"}\n",
            "",
            vec![row("1", "d", "a", Some(1.0), "judged"), row("1", "d", "b", None, "cannot")],
        ),
        (
            "trec",
            "J1.qrels",
            "q 0 d1 2\nq 0 d2 -1\nq 0 d3 -2\n",
            "",
            vec![
                row("q", "d1", "J1", Some(2.0), "judged"),
                row("q", "d2", "J1", None, "unjudged"),
                row("q", "d3", "J1", None, "junk"),
            ],
        ),
        (
            "quepid-book-csv",
            "b.csv",
            "query,docid,Ann A,Bob B\nscreen,1,3.0,\nscreen,2,0,1\n",
            "",
            vec![
                row("screen", "1", "Ann A", Some(3.0), "judged"),
                row("screen", "2", "Ann A", Some(0.0), "judged"),
                row("screen", "2", "Bob B", Some(1.0), "judged"),
            ],
        ),
        (
            "quepid-book",
            "b.json",
            BOOK,
            "",
            vec![
                row("screen", "d1", "ann@x.org", Some(3.0), "judged"),
                row("screen", "d1", "bob@x.org", None, "cannot"),
                row("screen", "d1", "Anonymous", None, "later"),
            ],
        ),
        (
            "opensearch",
            "s.json",
            r#"{"name": "import", "type": "IMPORT_JUDGMENT", "judgmentRatings": [{"query": "red", "ratings": [{"docId": "1", "rating": "2.0"}], "failures": [{"docId": "9"}]}]}"#,
            "",
            vec![row("red", "1", "import", Some(2.0), "judged"), row("red", "9", "import", None, "unjudged")],
        ),
        (
            "label-studio",
            "l.json",
            LABEL_STUDIO,
            "Relevant=1,No=0",
            vec![
                row("q", "d", "ann@x.org", Some(1.0), "judged"),
                row("q", "d", "4", None, "cannot"),
                row("q", "d", "gold", Some(3.0), "judged"),
                row("q", "d", "llm-1", Some(0.0), "judged"),
            ],
        ),
        (
            "doccano",
            "ann.jsonl",
            "{\"id\": 1, \"text\": \"t\", \"query_id\": \"q\", \"doc_id\": \"d\", \"label\": [\"2\"]}\n{\"id\": 2, \"text\": \"t\", \"label\": []}\n",
            "",
            vec![row("q", "d", "ann", Some(2.0), "judged"), row("2", "2", "ann", None, "unjudged")],
        ),
        (
            "umbrela",
            "gpt.jsonl",
            "{\"query\": {\"qid\": \"1\", \"text\": \"t\"}, \"passage\": \"p\", \"docid\": \"d\", \"judgment\": 2, \"result_status\": 1}\n{\"query\": \"t\", \"passage\": \"p\", \"judgment\": 0, \"result_status\": false}\n",
            "",
            vec![row("1", "d", "gpt", Some(2.0), "judged"), row("t", "p", "gpt", Some(0.0), "cannot")],
        ),
    ];
    for (format, name, text, words, expected) in &cases {
        let (found, table) = told(name, text, words);
        assert_eq!((found, rows(&table)), (*format, expected.clone()), "{name}");
    }
    for format in LABEL_FORMATS {
        assert!(cases.iter().any(|case| case.0 == format.name), "{} is not tested", format.name);
        assert!(format.about.len() > 20 && format.layout.len() > 3, "{}", format.name);
    }
}

#[test]
fn label_studio_keeps_time_and_source() {
    let (_, table) = told("l.json", LABEL_STUDIO, "Relevant=1,No=0");
    assert_eq!(table.text(Column::Time, 0), b"2024-01-01T00:00:00Z");
    assert_eq!(table.number(Column::Seconds, 0), Some(2.5));
    assert_eq!((table.text(Column::Source, 0), table.text(Column::Source, 3)), (&b"human"[..], &b"llm-1"[..]));
}

const FULL: &str = "query_id,doc_id,judge,grade,state,time,seconds,reason,source,probability\n\
                    q 1,\"d,1\",ann,2,judged,2024-01-01,3.5,\"said \"\"yes\"\"\",human,0.25\n\
                    q 1,d2,bob,,cannot,,,broken link,,\n\
                    q 2,d2,bob,0.5,judged,,,,gpt-4 #ab12,1\n\
                    q 2,d3,bob,,later,,,,,\nq 2,d4,bob,,junk,,,,,\nq 2,d5,bob,,unjudged,,,,,\n";

fn written(table: &Table, name: &str, lossy: bool) -> Result<(Vec<u8>, Vec<String>), Cannot> {
    let writer = writer(name, Data::Labels).unwrap();
    let (table, lost) = prepare(table.clone(), writer, "x", lossy)?;
    let mut bytes = Vec::new();
    (writer.write)(&table, &mut bytes).unwrap();
    Ok((bytes, lost))
}

fn all_cells(table: &Table) -> Vec<Vec<String>> {
    let columns: Vec<Column> = table.columns().collect();
    let cell = |row, column: Column| match table.number(column, row) {
        Some(number) => number.to_string(),
        None => String::from_utf8_lossy(table.text(column, row)).into_owned(),
    };
    (0..table.len()).map(|row| columns.iter().map(|&column| cell(row, column)).collect()).collect()
}

#[test]
fn the_native_form_comes_back_from_every_container() {
    let (_, table) = told("full.csv", FULL, "");
    let columns: Vec<&str> = table.columns().map(Column::name).collect();
    assert_eq!(
        columns,
        ["query_id", "doc_id", "judge", "grade", "state", "time", "seconds", "reason", "source", "probability"]
    );
    for name in ["csv", "tsv", "jsonl", "parquet"] {
        let (bytes, lost) = written(&table, name, false).unwrap();
        assert!(lost.is_empty(), "{name}: {lost:?}");
        let back = read(&Input::bytes("back", bytes.clone()), None, &Words::default(), &[]);
        let back = back.unwrap_or_else(|problems| panic!("{name}: {problems}")).table;
        assert_eq!(all_cells(&back), all_cells(&table), "{name}");
    }
    assert_eq!(String::from_utf8(written(&table, "csv", false).unwrap().0).unwrap(), FULL);
}

#[test]
fn one_judges_labels_come_back_from_formats_of_plain_judgements() {
    let (_, table) = told("J1.qrels", "q 0 d1 2\nq 0 d2 -1\nq 0 d3 0.5\n", "");
    for name in ["trec", "beir", "quepid"] {
        assert!(
            matches!(written(&table, name, false), Err(Cannot::WithoutLoss(lost)) if lost == ["the judge's name \"J1\""])
        );
        let (bytes, _) = written(&table, name, true).unwrap();
        let back = read(&Input::bytes("J1.txt", bytes), None, &Words::default(), &[]).unwrap().table;
        assert_eq!(rows(&back), rows(&table), "{name}");
    }
    // Junk has a code in TREC and none in Quepid's case; what cannot be judged has none in either.
    let (_, junk) = told("J1.qrels", "q 0 d1 2\nq 0 d2 -2\n", "");
    assert_eq!(written(&junk, "trec", true).unwrap().1, ["the judge's name \"J1\""]);
    assert_eq!(written(&junk, "quepid", true).unwrap().1[1], "the state junk of 1 row, which become unjudged");
    let (_, two) = told("full.csv", FULL, "");
    assert!(matches!(written(&two, "trec", true), Err(Cannot::Ever(why)) if why.contains("those of 2; merge them")));
    assert_eq!(WRITERS.iter().filter(|writer| writer.data == Data::Labels).count(), 7);
    // A guard goes on and comes off.
    let (_, guarded) = told("case.csv", "query,docid,rating\n\" -x\",=d,1\n", "");
    let (bytes, _) = written(&guarded, "quepid", true).unwrap();
    assert_eq!(bytes, b"query,docid,rating\n\" -x\",\" =d\",1\n");
    assert_eq!(
        rows(&read(&Input::bytes("case.csv", bytes), None, &Words::default(), &[]).unwrap().table),
        rows(&guarded)
    );
}

#[test]
fn wrong_files_are_told_in_words() {
    let said = |name: &str, text: &str| {
        read(&Input::bytes(name, text.as_bytes()), None, &Words::default(), &[]).map(|_| ()).unwrap_err().to_string()
    };
    let cases = [
        (
            "l.csv",
            "query_id,doc_id,judge,grade,state\nq,d,ann,,judged\nq,d,bob,1,fine\n",
            "l.csv:2: grade: expected a grade from 0, because the state is judged, found nothing\nhelp: give the grade, or say in \
             state what the judge did: cannot, later, unjudged, junk (grades below 0: declare the scale with --scale)\nl.csv:3: state: expected judged, cannot, later, unjudged or junk, found \
             \"fine\"\nhelp: write one of these, or leave the field empty",
        ),
        (
            "c.csv",
            "task,worker,label\nt1,w1,good\nt1,w2,bad\n",
            "c.csv:2: grade: expected a number, found \"good\"\nc.csv:3: grade: expected a number, found \"bad\"\nhelp: say which grade \
             (or state) each word is: --words 'bad=...,good=...'",
        ),
        (
            "b.csv",
            "query,docid,Ann,Ann\ns,1,1,2\n",
            "b.csv:1: header: expected each judge once, found \"Ann\" twice\nhelp: two judges of one name cannot be told apart in this \
             file: rename one in the header",
        ),
        (
            "b.json",
            "{\"query_doc_pairs\": [\n{\"query_text\": \"s\",\n\"judgements\": []}]}",
            "b.json:2: doc_id: expected a value, found nothing\nhelp: fill it in, or remove the object",
        ),
        (
            "s.json",
            "{\"judgmentRatings\": [{\"query\": \"red\", \"ratings\": [\n{\"docId\": \"1\", \"rating\": [2]}]}]}",
            "s.json:2: rating: expected text or a number, found an array\nhelp: write it as the tool does; check that this is the right file",
        ),
        (
            "l.json",
            "[{\"id\": 1, \"data\": {}, \"annotations\": [{\"completed_by\": 1, \"result\": [\n{\"value\": {\"choices\": [\"1\", \"2\"]}}]}]}]",
            "l.json:2: choices: expected one choice, found 2 choices\nhelp: a grade is one choice: let the form take one",
        ),
        (
            "a.jsonl",
            "{\"id\": 1, \"text\": \"t\", \"label\": [\"1\"]}\n{\"id\": 2, \"text\": \"t\", \"label\": [\"1\", \"0\"]}\n",
            "a.jsonl:2: label: expected one label, found 2 labels\nhelp: a grade is one label: let the project take one, or keep the one \
             that is meant",
        ),
        (
            "u.jsonl",
            "{\"query\": \"t\", \"passage\": \"p\", \"judgment\": {}}\n",
            "u.jsonl:1: judgment: expected a grade, found an object\nhelp: write it as the tool does; check that this is the right file",
        ),
        (
            "x.txt",
            "hello\n",
            "x.txt: expected labels in a format that is known (label-studio, quepid-book, opensearch, umbrela, doccano, quepid-book-csv, records, \
             trec), found a file that begins with \"hello\"\nhelp: write a CSV with the columns query_id, doc_id, judge, grade, or say the \
             format with --labels-format",
        ),
        ("J.qrels", "q 0 d x\n", ""),
        ("e.csv", "", ""),
    ];
    for (name, text, expected) in cases {
        let found = said(name, text);
        if expected.is_empty() {
            assert!(found.starts_with(name) && found.contains("help: "), "{found}");
        } else {
            assert_eq!(found, expected);
        }
    }
    for (text, why) in [
        ("a", "'a' has no '='"),
        ("a=x", "'x' is neither"),
        ("a=judged", "'judged' is neither"),
        ("a=1,a=2", "comes twice"),
    ] {
        assert!(text.parse::<Words>().unwrap_err().to_string().contains(why), "{text}");
    }
}
