//! Bad files of records (CSV, TSV, BEIR, JSON, JSON Lines, Parquet) and refused conversions, one row each, through the
//! real program: the exact words on standard error and the exit status.
//!
//! The words are in `bad_records.expected`. After a change on purpose, `KARAT_WRITE_EXPECTED=1 cargo test -p karat-cli
//! --test all bad_records` writes the page anew; read the difference.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

const QRELS: &str = "1 0 d1 1\n1 0 d2 0\n2 0 d1 2\n";
const RUN: &str = "1 Q0 d1 1 2.5 r\n1 Q0 d2 2 1.5 r\n2 Q0 d3 1 1 r\n";

/// Name, file name, content, arguments.
type Row = (&'static str, &'static str, Vec<u8>, &'static [&'static str]);

const AS_RUN: &[&str] = &["eval", "q", "FILE", "-m", "AP"];
const AS_QRELS: &[&str] = &["eval", "FILE", "r", "-m", "AP"];

fn row(name: &'static str, file: &'static str, content: impl Into<Vec<u8>>, arguments: &'static [&'static str]) -> Row {
    (name, file, content.into(), arguments)
}

fn rows() -> Vec<Row> {
    let deep = format!("{{\"1\": {}1{}}}", "[".repeat(300), "]".repeat(300));
    vec![
        // CSV runs.
        row("csv run: no document", "a.csv", "qid,title,score\n1,x,2.5\n", AS_RUN),
        row("csv run: two columns for the topic", "a.csv", "qid,topic_id,docid,score\n1,1,d1,2.5\n", AS_RUN),
        row("csv run: a word for a score", "a.csv", "qid,docid,score\n1,d1,high\n", AS_RUN),
        row("csv run: no score in a row", "a.csv", "qid,docid,score\n1,d1,2\n1,d2,\n", AS_RUN),
        row("csv run: NaN and inf", "a.csv", "qid,docid,score\n1,d1,nan\n1,d2,-inf\n", AS_RUN),
        row("csv run: a decimal comma", "a.csv", "qid;docid;score\n1;d1;2,5\n", AS_RUN),
        row("csv run: a field too few", "a.csv", "qid,docid,score\n1,d1\n", AS_RUN),
        row("csv run: a field too many", "a.csv", "qid,docid,score\n1,a, b,2\n", AS_RUN),
        row("csv run: a mark that never closes", "a.csv", "qid,docid,score\n1,\"d1,2\n1,d2,1\n", AS_RUN),
        row("csv run: text after a closing mark", "a.csv", "qid,docid,score\n1,\"d\"1,2\n", AS_RUN),
        row("csv run: a document twice", "a.csv", "qid,docid,score\n1,d1,2\n1,d1,1\n", AS_RUN),
        row("csv run: a header and nothing else", "a.csv", "qid,docid,score\n", AS_RUN),
        row("csv run: no header", "a.csv", "1,d1,1,2.5\n1,d2,2,2\n", AS_RUN),
        row("csv run: judgements", "a.csv", "qid,docid,grade\n1,d1,1\n", AS_RUN),
        row("csv run: an empty topic", "a.csv", "qid,docid,score\n,d1,1\n", AS_RUN),
        // CSV judgements.
        row("csv qrels: no grade", "a.csv", "query,docid,title\n1,d1,x\n", AS_QRELS),
        row(
            "csv qrels: a ranking",
            "a.csv",
            "query,docid,position,information_need,n_judgements\n1,d1,1,x,2\n",
            AS_QRELS,
        ),
        row(
            "csv qrels: several judges",
            "a.csv",
            "query,docid,position,rater,rating,unrateable\n1,d1,1,r01,3,false\n1,d1,1,r02,2,false\n",
            AS_QRELS,
        ),
        row("csv qrels: a grade too large", "a.csv", "qid,docid,grade\n1,d1,1e300\n", AS_QRELS),
        row("csv qrels: a probability of 0", "a.csv", "qid,docid,grade,probability\n1,d1,1,0\n", AS_QRELS),
        row("csv qrels: nothing judged yet", "a.csv", "query,docid,rating\nscreen,,\n", AS_QRELS),
        row(
            "csv qrels: a document twice for a subtopic",
            "a.csv",
            "qid,subtopic,docid,grade\n1,1,d1,1\n1,2,d1,1\n1,1,d1,0\n",
            AS_QRELS,
        ),
        row("csv qrels: a grade without a document", "a.csv", "qid,docid,grade\n1,,1\n", AS_QRELS),
        // TSV and BEIR.
        row("tsv run: a word for a score", "a.tsv", "qid\tdocno\tscore\n1\td1\thigh\n", AS_RUN),
        row("tsv run: a field too few", "a.tsv", "qid\tdocno\tscore\n1\td1\n", AS_RUN),
        row("tsv run: no document", "a.tsv", "qid\ttext\tscore\n1\tx\t2\n", AS_RUN),
        row("tsv run: a document twice", "a.tsv", "qid\tdocno\tscore\n1\td1\t2\n1\td1\t1\n", AS_RUN),
        row("tsv run: an empty score", "a.tsv", "qid\tdocno\tscore\n1\td1\t\n", AS_RUN),
        row("beir: grades given as a run", "a.tsv", "query-id\tcorpus-id\trelevance\n1\td1\t1\n", AS_RUN),
        row("beir: blanks in place of tabs", "a.tsv", "query-id corpus-id score\n1 d1 1\n", AS_QRELS),
        row("beir: a word for a grade", "a.tsv", "query-id\tcorpus-id\tscore\n1\td1\trelevant\n", AS_QRELS),
        row("beir: a field too many", "a.tsv", "query-id\tcorpus-id\tscore\n1\td1\t1\t2\n", AS_QRELS),
        row("beir: a document twice", "a.tsv", "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td1\t1\n", AS_QRELS),
        row("beir: a header and nothing else", "a.tsv", "query-id\tcorpus-id\tscore\n", AS_QRELS),
        // JSON.
        row("json run: cut off", "a.json", "{\"1\": {\"d1\": 2.5, \"d2\"", AS_RUN),
        row("json run: a string for a score", "a.json", "{\"1\": {\"d1\": \"2.5\"}}", AS_RUN),
        row("json run: NaN", "a.json", "{\"1\": {\"d1\": NaN}}", AS_RUN),
        row("json run: a key twice", "a.json", "{\"1\": {\"d1\": 1,\n \"d1\": 2}}", AS_RUN),
        row("json run: a topic twice", "a.json", "{\"1\": {\"d1\": 1},\n \"1\": {\"d2\": 2}}", AS_RUN),
        row("json run: a comma too many", "a.json", "{\"1\": {\"d1\": 1,}}", AS_RUN),
        row("json run: not UTF-8", "a.json", b"{\"1\": {\"d\xff\": 1}}".as_slice(), AS_RUN),
        row("json run: too deep", "a.json", deep, AS_RUN),
        row("json run: something after the end", "a.json", "{\"1\": {\"d1\": 1}} x", AS_RUN),
        row("json run: a number too large", "a.json", "{\"1\": {\"d1\": 1e400}}", AS_RUN),
        row(
            "json run: a frame by column",
            "a.json",
            "{\"qid\": {\"0\": \"1\"}, \"docno\": {\"0\": \"d1\"}, \"score\": {\"0\": 1}}",
            AS_RUN,
        ),
        row("json run: lists", "a.json", "{\"1\": [[\"d1\", 2.5]]}", AS_RUN),
        row("json qrels: a word for a grade", "a.json", "{\"1\": {\"d1\": true}}", AS_QRELS),
        row("json qrels: empty", "a.json", "{}", AS_QRELS),
        row("json qrels: an array without grades", "a.json", "[{\"qid\": 1, \"docno\": \"d1\"}]", AS_QRELS),
        row("json qrels: a bare word", "a.json", "{\"1\": {\"d1\": relevant}}", AS_QRELS),
        row("json qrels: a control character", "a.json", b"{\"1\": {\"d\x01\": 1}}".as_slice(), AS_QRELS),
        // JSON Lines.
        row(
            "jsonl run: no score in one",
            "a.jsonl",
            "{\"qid\": 1, \"docno\": \"d1\", \"score\": 1}\n{\"qid\": 1, \"docno\": \"d2\"}\n",
            AS_RUN,
        ),
        row(
            "jsonl run: cut off",
            "a.jsonl",
            "{\"qid\": 1, \"docno\": \"d1\", \"score\": 1}\n{\"qid\": 1, \"doc",
            AS_RUN,
        ),
        row("jsonl run: not an object", "a.jsonl", "{\"qid\": 1, \"docno\": \"d1\", \"score\": 1}\n[1]\n", AS_RUN),
        row("jsonl run: a null for a document", "a.jsonl", "{\"qid\": 1, \"docno\": null, \"score\": 1}\n", AS_RUN),
        row("jsonl run: an object for a score", "a.jsonl", "{\"qid\": 1, \"docno\": \"d\", \"score\": [1]}\n", AS_RUN),
        row(
            "jsonl run: a topic without a name",
            "a.jsonl",
            "{\"text\": \"x\", \"candidates\": [{\"docid\": \"d1\", \"score\": 1}]}\n",
            AS_RUN,
        ),
        row(
            "jsonl qrels: a word for a grade",
            "a.jsonl",
            "{\"query-id\": \"1\", \"corpus-id\": \"d1\", \"score\": \"high\"}\n",
            AS_QRELS,
        ),
        row("jsonl qrels: a run", "a.jsonl", "{\"qid\": 1, \"docno\": \"d1\", \"rank\": 1}\n", AS_QRELS),
        row(
            "jsonl qrels: a document twice",
            "a.jsonl",
            "{\"qid\": 1, \"docno\": \"d1\", \"rel\": 1}\n{\"qid\": \"1\", \"docno\": \"d1\", \"rel\": 0}\n",
            AS_QRELS,
        ),
        // Conversion.
        row("convert: no format", "a.run", RUN, &["convert", "FILE"]),
        row("convert: an ending that says nothing", "a.run", RUN, &["convert", "FILE", "out.xyz"]),
        row("convert: an unknown format", "a.run", RUN, &["convert", "FILE", "--to", "xml"]),
        row("convert: a run to qrels", "a.run", RUN, &["convert", "FILE", "--to", "beir"]),
        row("convert: onto itself", "a.csv", "qid,docid,score\n1,d1,2\n", &["convert", "FILE", "FILE"]),
        row("convert: the tag", "a.run", RUN, &["convert", "FILE", "out.json"]),
        row("convert: scores and tag", "a.run", RUN, &["convert", "FILE", "--to", "msmarco"]),
        row("convert: a column", "a.csv", "qid,docid,score,title\n1,d1,2,x\n", &["convert", "FILE", "--to", "trec"]),
        row("convert: blanks", "a.csv", "qid,docid,score\n1,d 1,2\n", &["convert", "FILE", "--to", "trec"]),
        row(
            "convert: blanks that would make two names one",
            "a.csv",
            "qid,docid,score\n1,d 1,2\n1,d_1,1\n",
            &["convert", "FILE", "--to", "trec", "--lossy"],
        ),
        row(
            "convert: subtopics",
            "a.csv",
            "qid,subtopic,docid,grade\n1,1,d1,1\n1,2,d1,1\n1,3,d2,0\n",
            &["convert", "FILE", "--to", "trec"],
        ),
        row(
            "convert: subtopics of two topics",
            "a.csv",
            "qid,subtopic,docid,grade\n1,1,d1,1\n1,2,d1,1\n2,1,d2,0\n",
            &["convert", "FILE", "--to", "beir"],
        ),
        row(
            "convert: strata",
            "a.csv",
            "qid,docid,stratum,grade\n1,d1,1,1\n1,d2,2,-1\n",
            &["convert", "FILE", "--to", "json"],
        ),
        row(
            "convert: probabilities",
            "a.csv",
            "qid,docid,grade,probability\n1,d1,1,0.5\n",
            &["convert", "FILE", "--to", "trec"],
        ),
        row("convert: iterations", "a.qrels", "1 1 d1 1\n1 0 d2 1\n", &["convert", "FILE", "--to", "beir"]),
        row("convert: subtopics that are not there", "a.qrels", QRELS, &["convert", "FILE", "--to", "diversity"]),
        row("convert: probabilities that are not there", "a.qrels", QRELS, &["convert", "FILE", "--to", "prels"]),
        row(
            "convert: preferences to grades",
            "a.csv",
            "qid,group,subgroup,docid,preference\n1,1,1,d1,2\n",
            &["convert", "FILE", "--to", "trec", "--lossy"],
        ),
        row("convert: not UTF-8", "a.run", b"1 Q0 d\xff 1 2.5 r\n".as_slice(), &["convert", "FILE", "--to", "jsonl"]),
        row("convert: a bad line", "a.run", "1 Q0 d1 1 high r\n", &["convert", "FILE", "--to", "csv"]),
        row(
            "convert: a document twice",
            "a.run",
            "1 Q0 d1 1 2 r\n1 Q0 d1 2 1 r\n",
            &["convert", "FILE", "--to", "csv"],
        ),
        row("convert: a missing file", "a.run", RUN, &["convert", "none.run", "--to", "csv"]),
        row(
            "convert: a tag with blanks",
            "a.csv",
            "qid,docid,score\n1,d1,2\n",
            &["convert", "FILE", "--to", "trec", "--tag", "a b"],
        ),
        // Parquet.
        row("parquet run: only its first bytes", "a.parquet", "PAR1", AS_RUN),
        row("parquet run: no end", "a.parquet", b"PAR1\x15\x04\x15\x10\x15\x14".as_slice(), AS_RUN),
        row("parquet run: an end that makes no sense", "a.parquet", b"PAR1xxxx\xff\xff\xff\x7fPAR1".as_slice(), AS_RUN),
        row("parquet run: an empty end", "a.parquet", b"PAR1\0\0\0\0PAR1".as_slice(), AS_RUN),
        row("parquet qrels: another end", "a.parquet", b"PAR1\x15\x02\x04\0\0\0PARX".as_slice(), AS_QRELS),
    ]
}

/// What came of a row, as the page has it.
fn told((name, file, content, arguments): &Row) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), QRELS).unwrap();
    fs::write(folder.path().join("r"), RUN).unwrap();
    fs::write(folder.path().join(file), content).unwrap();
    let arguments: Vec<&str> =
        arguments.iter().map(|argument| if *argument == "FILE" { *file } else { *argument }).collect();
    let output =
        Command::new(env!("CARGO_BIN_EXE_karat")).args(&arguments).current_dir(folder.path()).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    let status = output.status.code().unwrap_or_else(|| panic!("{name}: killed"));
    assert!(
        matches!(status, 2 | 3),
        "{name}: exit status {status}: {words}{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(output.stdout.is_empty(), "{name}: standard output is for results");
    assert_eq!(fs::read(folder.path().join(file)).unwrap(), *content, "{name}: the input was written to");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "{name}: something was written");
    assert!(words.chars().all(|c| c == '\n' || !c.is_control()), "{name}: control characters reach the terminal");
    assert!(!words.contains("panicked"), "{name}: {words}");
    format!("=== {name} (exit status {status})\n{words}\n")
}

#[test]
fn every_bad_file_of_records_is_refused_with_words_that_help() {
    let parquet = cfg!(feature = "parquet");
    let rows = rows();
    // Without Parquet there is one answer to all of its files, which its own test knows.
    let page: String = rows.iter().filter(|row| parquet || !row.0.starts_with("parquet")).map(told).collect();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_records.expected");
    if std::env::var_os("KARAT_WRITE_EXPECTED").is_some() {
        assert!(parquet, "write the page with Parquet, or part of it is missing");
        fs::write(&file, &page).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let wanted = |section: &&str| parquet || !section.starts_with("parquet");
    let (mut ours, mut theirs) = (page.split("=== "), expected.split("=== ").filter(wanted));
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => break,
            (ours, theirs) => assert_eq!(ours.unwrap_or_default(), theirs.unwrap_or_default()),
        }
    }
    let mut names: Vec<_> = rows.iter().map(|row| row.0).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "two rows of one name");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_parquet_the_words_say_how_to_have_it() {
    let told = told(&row("parquet", "a.parquet", "PAR1", AS_RUN));
    assert!(told.contains("--no-default-features") && told.contains("built without Parquet"), "{told}");
}
