//! `karat settle`, and `karat compare --sample`, from a form to a verdict.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

const KARAT: &str = env!("CARGO_BIN_EXE_karat");

fn karat(at: &Path, arguments: &[&str]) -> Output {
    Command::new(KARAT).args(arguments).current_dir(at).output().unwrap()
}

fn answer(at: &Path, arguments: &[&str]) -> Value {
    let output = karat(at, &[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    crate::schema::parse(&output.stdout)
}

fn refused(at: &Path, arguments: &[&str]) -> String {
    let output = karat(at, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.starts_with("error: ") && said.contains("help: "), "{said}");
    said
}

/// 40 topics. Ten documents of each are retrieved by both runs; of run a the first five are judged, of run b none of its own. Documents rN are
/// relevant: those that a finds alone in every fourth topic, those that b finds alone in all but every fourth.
fn world() -> (TempDir, BTreeMap<(String, String), u32>) {
    let folder = tempdir().unwrap();
    let (mut qrels, mut a, mut b, mut truth) = (String::new(), String::new(), String::new(), BTreeMap::new());
    for topic in 0..40 {
        let name = format!("q {topic}");
        for rank in 0..10 {
            let both = format!("s{rank}");
            let grade = u32::from(rank % 2 == 0);
            if rank < 5 {
                a.push_str(&format!("{{\"query_id\":\"{name}\",\"doc_id\":\"{both}\",\"score\":{}}}\n", 50 - rank));
                b.push_str(&format!("{{\"query_id\":\"{name}\",\"doc_id\":\"{both}\",\"score\":{}}}\n", 50 - rank));
                qrels.push_str(&format!("{{\"query_id\":\"{name}\",\"doc_id\":\"{both}\",\"grade\":{grade}}}\n"));
            } else {
                let (own_a, own_b) = (format!("a{rank}"), format!("b, \"{rank}\""));
                let quoted = own_b.replace('"', "\\\"");
                a.push_str(&format!("{{\"query_id\":\"{name}\",\"doc_id\":\"{own_a}\",\"score\":{}}}\n", 50 - rank));
                b.push_str(&format!("{{\"query_id\":\"{name}\",\"doc_id\":\"{quoted}\",\"score\":{}}}\n", 50 - rank));
                truth.insert((name.clone(), own_a), u32::from((topic + rank) % 4 == 0));
                truth.insert((name.clone(), own_b), u32::from((topic + rank) % 4 != 0));
            }
        }
    }
    for (file, text) in [("qrels.jsonl", qrels), ("a.jsonl", a), ("b.jsonl", b)] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    (folder, truth)
}

/// Fills in the grades of a CSV form; `keep` of them.
fn fill(at: &Path, form: &str, truth: &BTreeMap<(String, String), u32>, keep: usize) {
    let text = fs::read_to_string(at.join(form)).unwrap();
    let mut reader = csv_rows(&text);
    let head = reader.remove(0);
    let grade = head.iter().position(|name| name == "grade").unwrap();
    let mut out = head.join(",") + "\n";
    for (place, mut row) in reader.into_iter().enumerate() {
        if place < keep {
            row[grade] = truth[&(row[0].clone(), row[1].clone())].to_string();
        }
        let quoted: Vec<String> = row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        out += &(quoted.join(",") + "\n");
    }
    fs::write(at.join(form), out).unwrap();
}

/// Rows of CSV without line breaks inside cells.
fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| {
        let (mut cells, mut cell, mut quoted, mut characters) =
            (Vec::new(), String::new(), false, line.chars().peekable());
        while let Some(character) = characters.next() {
            match character {
                '"' if quoted && characters.peek() == Some(&'"') => {
                    characters.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(std::mem::take(&mut cell)),
                other => cell.push(other),
            }
        }
        cells.push(cell);
        cells
    };
    text.lines().map(row).collect()
}

const FILES: [&str; 3] = ["qrels.jsonl", "a.jsonl", "b.jsonl"];

fn command<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[name], &FILES[..], more].concat()
}

#[test]
fn from_undecided_to_settled() {
    let (folder, truth) = world();
    let at = folder.path();
    let before = answer(at, &command("compare", &["-m", "P@10"]));
    assert_eq!(before["comparisons"][0]["verdict"], "undecided");
    let drawn = answer(at, &command("settle", &["-m", "P@10", "--count", "80", "--form", "form.csv"]));
    assert_eq!(drawn["documents"].as_array().unwrap().len(), 80);
    // Ten documents of 40 topics are unjudged and weigh alike: 80 of 400.
    for document in drawn["documents"].as_array().unwrap() {
        assert!((document["probability"].as_f64().unwrap() - 0.2).abs() < 1e-12, "{document}");
    }
    // Every second topic's documents of a are relevant in a quarter, of b in three quarters: a − b = -(.75 − .25) · .5 = -.25.
    fill(at, "form.csv", &truth, usize::MAX);
    let after = answer(at, &command("compare", &["--sample", "form.csv"]));
    let found = &after["comparisons"][0];
    assert_eq!(
        (&found["measure"], &found["verdict"], &found["basis"]),
        (&"P@10".into(), &"b".into(), &"sampled".into())
    );
    assert_eq!((&found["certain"], &found["sampled"]["judged"]), (&false.into(), &80.into()));
    let (low, high) = (found["interval"][0].as_f64().unwrap(), found["interval"][1].as_f64().unwrap());
    assert!(low <= -0.25 && (-0.25..0.0).contains(&high), "{found}");
    assert!(found["because"].as_str().unwrap().contains("Estimated from 80 sampled judgements"));
    assert!(found["sources"]["judgement_sampling"].as_f64().unwrap() > 0.0);
    // The same seed draws the same documents, another one others.
    let again = answer(at, &command("settle", &["-m", "P@10", "--count", "80"]));
    assert_eq!(again["documents"], drawn["documents"]);
    let other = answer(at, &command("settle", &["-m", "P@10", "--count", "80", "--seed", "2"]));
    assert_ne!(other["documents"], drawn["documents"]);
}

#[test]
fn judging_everything_gives_the_complete_difference() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10,nDCG@10", "--count", "100000", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, usize::MAX);
    let found = answer(at, &command("compare", &["--sample", "form.csv"]));
    // The judged form and the judgements together are complete judgements.
    let mut complete = fs::read_to_string(at.join("qrels.jsonl")).unwrap();
    for ((topic, docno), grade) in &truth {
        complete.push_str(&format!("{{\"query_id\":{topic:?},\"doc_id\":{docno:?},\"grade\":{grade}}}\n"));
    }
    fs::write(at.join("complete.jsonl"), complete).unwrap();
    let whole = answer(at, &["compare", "complete.jsonl", "a.jsonl", "b.jsonl", "-m", "P@10,nDCG@10"]);
    for place in 0..2 {
        let difference = |answer: &Value| answer["comparisons"][place]["difference"].as_f64().unwrap();
        assert!(
            (difference(&found) - difference(&whole)).abs() < 1e-12,
            "{} {}",
            difference(&found),
            difference(&whole)
        );
        // The grades may stand in the judgements too.
        assert_eq!(found["comparisons"][place]["sources"]["judgement_sampling"], 0.0);
    }
    let merged = answer(at, &["compare", "complete.jsonl", "a.jsonl", "b.jsonl", "--sample", "form.csv"]);
    assert_eq!(merged["comparisons"][0]["difference"], found["comparisons"][0]["difference"]);
}

#[test]
fn half_finished_forms() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10", "--count", "60", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, 48);
    let said = refused(at, &command("compare", &["--sample", "form.csv"]));
    assert!(said.contains("form.csv: 12 of 60 documents are not judged yet"), "{said}");
    let width = |found: &Value| {
        let interval = &found["comparisons"][0]["interval"];
        interval[1].as_f64().unwrap() - interval[0].as_f64().unwrap()
    };
    let partial = answer(at, &command("compare", &["--sample", "form.csv", "--partial"]));
    assert_eq!(partial["comparisons"][0]["sampled"]["judged"], 48);
    fill(at, "form.csv", &truth, usize::MAX);
    let whole = answer(at, &command("compare", &["--sample", "form.csv"]));
    assert!(width(&partial) > width(&whole), "{} {}", width(&partial), width(&whole));
}

/// The page has the verdict of `karat compare --sample` on the pair and measure that the sample covers, and its own on all others.
#[test]
fn a_report_with_a_sample() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10", "--count", "80", "--form", "form.csv"]));
    let unfinished = refused(at, &command("report", &["--sample", "form.csv"]));
    assert!(unfinished.contains("80 of 80 documents are not judged yet"), "{unfinished}");
    fill(at, "form.csv", &truth, usize::MAX);
    let found = answer(at, &command("compare", &["--sample", "form.csv"]))["comparisons"][0].clone();
    let because = &found["because"].as_str().unwrap().replace('<', "&lt;");
    let page = |runs: &[&str], more: &[&str]| {
        let arguments = [&["report", "qrels.jsonl"], runs, &["-o", "page.html", "--sample", "form.csv"], more].concat();
        let output = karat(at, &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (fs::read_to_string(at.join("page.html")).unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (text, said) = page(&["a.jsonl", "b.jsonl"], &[]);
    assert!(said.starts_with("b is best by P@10: better than a."), "{said}");
    // Both runs have the same judged documents, so nobody leads without the sample.
    let without = "As judged, with unjudged documents as not relevant, both are equal.";
    assert!(text.contains(&format!("P@10, a and b: {because}. {without}")), "{because}");
    assert!(text.contains("form.csv") && text.contains(", sampled</title>"));
    // Other runs in between, in another order: the verdict on the pair stays, theirs is their own.
    let third = fs::read_to_string(at.join("b.jsonl")).unwrap().replace("\"b, ", "\"c, ");
    fs::write(at.join("c.jsonl"), third).unwrap();
    let (text, said) = page(&["b.jsonl", "c.jsonl", "a.jsonl"], &["-m", "AP,P@10"]);
    assert!(text.contains(because.as_str()), "{because}");
    assert!(said.starts_with("No winner by AP"), "{said}");
    let (_, said) = page(&["b.jsonl", "c.jsonl", "a.jsonl"], &[]);
    assert_eq!(said.lines().next(), Some("b is better than a by P@10 (sampled judgements), but undecided against c."));
    let wrong = refused(at, &command("report", &["--sample", "form.csv", "-m", "AP"]));
    assert!(wrong.contains("drawn for P@10, which is not among the measures"), "{wrong}");
    let wrong = refused(at, &["report", "qrels.jsonl", "a.jsonl", "c.jsonl", "--sample", "form.csv"]);
    assert!(wrong.contains("drawn for the runs a, b; here they are a, c"), "{wrong}");
    assert!(
        refused(at, &command("report", &["--sample", "form.csv", "-M", "5"])).contains("drawn with the options none")
    );
}

#[test]
fn what_does_not_belong_to_the_form_is_refused() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10", "--count", "40", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, usize::MAX);
    let compare = |more: &[&str]| refused(at, &command("compare", &[&["--sample", "form.csv"], more].concat()));
    assert!(compare(&["-m", "RR@10"]).contains("RR@10: a sample of documents gives no unbiased estimate"));
    assert!(compare(&["-M", "5"]).contains("drawn with the options none; here they are -M 5"));
    assert!(compare(&["--sample", "form.csv"]).contains("batch 1 stands in form.csv too"));
    let said = refused(at, &["compare", "qrels.jsonl", "b.jsonl", "b.jsonl", "--sample", "form.csv"]);
    assert!(said.contains("error: "), "{said}");
    // A changed run, a changed judgement, a changed form, no plan.
    let change = |file: &str, from: &str, to: &str, words: &str| {
        let before = fs::read_to_string(at.join(file)).unwrap();
        assert!(before.contains(from), "{file}: {from}");
        fs::write(at.join(file), before.replacen(from, to, 1)).unwrap();
        let said = compare(&[]);
        assert!(said.contains(words), "{said}");
        fs::write(at.join(file), before).unwrap();
    };
    change("b.jsonl", "\"score\":41", "\"score\":47.5", "the runs have changed since the form was drawn");
    change("qrels.jsonl", "\"grade\":1", "\"grade\":0", "qrels.jsonl has changed since the form was drawn");
    change("form.csv", "0.1", "0.2", "documents or probabilities are not those of the plan");
    change(
        "form.csv.plan.json",
        "karat/settle-plan/1",
        "karat/settle-plan/9",
        "use the version of karat that drew the sample",
    );
    let rows = fs::read_to_string(at.join("form.csv")).unwrap();
    let fewer: Vec<&str> = rows.lines().take(39).collect();
    fs::write(at.join("form.csv"), fewer.join("\n") + "\n").unwrap();
    assert!(compare(&[]).contains("38 rows, 40 were drawn"));
    fs::write(at.join("form.csv"), rows).unwrap();
    fs::remove_file(at.join("form.csv.plan.json")).unwrap();
    assert!(compare(&[]).contains("form.csv.plan.json: No such file or directory"));
    // A form is not written over.
    assert!(refused(at, &command("settle", &["-m", "P@10", "--form", "form.csv"])).contains("form.csv"));
}

#[test]
fn batches_are_drawn_from_what_is_left_and_looked_at_with_stricter_limits() {
    let (folder, truth) = world();
    let at = folder.path();
    let settle = |more: &[&str]| answer(at, &command("settle", &[&["-m", "P@10"], more].concat()));
    let first = settle(&["--count", "30", "--batches", "3", "--form", "1.csv"]);
    fill(at, "1.csv", &truth, usize::MAX);
    let second = settle(&["--sample", "1.csv", "--form", "2.csv"]);
    assert_eq!((second["documents"].as_array().unwrap().len(), &second["documents"][0]["batch"]), (30, &2.into()));
    let of = |answer: &Value| -> Vec<(Value, Value)> {
        let rows = answer["documents"].as_array().unwrap();
        rows.iter().map(|row| (row["query_id"].clone(), row["doc_id"].clone())).collect()
    };
    let known = of(&first);
    assert!(of(&second).iter().all(|document| !known.contains(document)));
    fill(at, "2.csv", &truth, usize::MAX);
    let look = |forms: &[&str]| {
        let samples: Vec<&str> = forms.iter().flat_map(|form| ["--sample", *form]).collect();
        answer(at, &command("compare", &samples))["comparisons"][0]["sampled"].clone()
    };
    let (one, two) = (look(&["1.csv"]), look(&["2.csv", "1.csv"]));
    assert_eq!((&one["look"], &two["look"], &two["drawn"]), (&1.into(), &2.into(), &60.into()));
    let alpha = |look: &Value| look["alpha"].as_f64().unwrap();
    assert!(alpha(&one) < 0.05 && alpha(&two) < 0.05 && alpha(&one) < alpha(&two), "{one} {two}");
    let said = refused(at, &command("compare", &["--sample", "2.csv"]));
    assert!(said.contains("batch 2 needs the forms of all batches before it"), "{said}");
}

#[test]
fn topics_are_sampled_for_measures_that_are_no_sums() {
    let (folder, truth) = world();
    let at = folder.path();
    let said = refused(at, &command("settle", &["-m", "RR@10", "--design", "documents"]));
    assert!(said.contains("RR@10: a sample of documents gives no unbiased estimate"), "{said}");
    let drawn = answer(at, &command("settle", &["-m", "AP@10", "--count", "150", "--form", "form.csv"]));
    let documents = drawn["documents"].as_array().unwrap();
    // Ten documents of each topic that is drawn, 15 topics of 40.
    assert_eq!(documents.len(), 150, "{documents:?}");
    assert!((documents[0]["probability"].as_f64().unwrap() - 15.0 / 40.0).abs() < 0.2);
    fill(at, "form.csv", &truth, usize::MAX);
    let found = answer(at, &command("compare", &["--sample", "form.csv"]))["comparisons"][0].clone();
    assert_eq!((&found["basis"], &found["verdict"]), (&"sampled".into(), &"b".into()), "{found}");
    // Too few topics carry no interval.
    answer(at, &command("settle", &["-m", "AP@10", "--count", "40", "--form", "few.csv"]));
    fill(at, "few.csv", &truth, usize::MAX);
    let few = answer(at, &command("compare", &["--sample", "few.csv"]))["comparisons"][0].clone();
    assert!(
        few["verdict"] == "undecided" && few["because"].as_str().unwrap().contains("4 topics were sampled"),
        "{few}"
    );
}

/// 20 topics, judged 0 and 2 only; every document of b has the grade 1, which the judgements do not know.
#[test]
fn a_grade_that_the_judgements_do_not_have_counts_as_it_is() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    let (mut qrels, mut a, mut b) = (String::new(), String::new(), String::new());
    for topic in 0..20 {
        for rank in 0..3 {
            qrels += &format!("{topic} 0 a{rank} {}\n", if (topic + rank) % 3 == 0 { 2 } else { 0 });
            a += &format!("{topic} Q0 a{rank} {rank} {} a\n", 9 - rank);
            b += &format!("{topic} Q0 b{rank} {rank} {} b\n", 9 - rank);
        }
    }
    for (name, text) in [("qrels.jsonl", qrels), ("a.jsonl", a), ("b.jsonl", b)] {
        fs::write(at.join(name), text).unwrap();
    }
    answer(at, &command("settle", &["-m", "P@3", "--count", "40", "--form", "form.csv"]));
    let form = fs::read_to_string(at.join("form.csv")).unwrap();
    let judged: Vec<String> =
        form.lines().enumerate().map(|(at, line)| if at == 0 { line.to_owned() } else { format!("{line}1") }).collect();
    fs::write(at.join("form.csv"), judged.join("\n") + "\n").unwrap();
    let found = answer(at, &command("compare", &["--sample", "form.csv"]))["comparisons"][0].clone();
    // A third of a's documents are relevant, all of b's: -2/3.
    assert_eq!(found["verdict"], "b", "{found}");
    assert!((found["difference"].as_f64().unwrap() + 2.0 / 3.0).abs() < 0.05, "{found}");
}

#[test]
fn labels_that_cannot_be_given() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10,nDCG@10", "--count", "60", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, 59);
    let found = answer(at, &command("compare", &["--sample", "form.csv", "--partial"]));
    assert!(found["comparisons"][0]["interval"].is_array());
    // Which labels are the extremes of a ratio is not known.
    assert!(found["comparisons"][1]["interval"].is_null(), "{found}");
    assert!(found["comparisons"][1]["because"].as_str().unwrap().contains("1 sampled documents have no usable label"));
    // Topics are drawn once.
    let said = refused(at, &command("settle", &["-m", "RR@10", "--batches", "2", "--count", "100"]));
    assert!(said.contains("topics are drawn in one batch only"), "{said}");
}

/// Half of the documents that `next` lists are drawn at random: the form is a sample of which the others were certain.
#[test]
fn a_random_share_of_next_is_read_back() {
    let (folder, truth) = world();
    let at = folder.path();
    for (measure, more) in
        [("P@10", &[][..]), ("P@8", &["-M", "8"]), ("nDCG@10", &["--about", "top", "--max-grade", "2"])]
    {
        let options = [&["-m", measure], more].concat();
        let drawn = answer(
            at,
            &command(
                "next",
                &[&options[..], &["--count", "80", "--random-share", "0.5", "--form", "form.csv"]].concat(),
            ),
        );
        let probabilities: Vec<f64> =
            drawn["next"].as_array().unwrap().iter().map(|row| row["probability"].as_f64().unwrap()).collect();
        let certain = probabilities.iter().filter(|probability| **probability == 1.0).count();
        assert_eq!((probabilities.len(), certain), (80, 40), "{measure}");
        fill(at, "form.csv", &truth, usize::MAX);
        let compared: Vec<&str> =
            options.iter().copied().filter(|option| !["--about", "top"].contains(option)).collect();
        let found = answer(at, &command("compare", &[&compared[..], &["--sample", "form.csv"]].concat()));
        let found = &found["comparisons"][0];
        assert_eq!((&found["basis"], &found["sampled"]["judged"]), (&"sampled".into(), &80.into()), "{found}");
        assert_eq!(found["verdict"], "b", "{found}");
        assert!(
            refused(at, &command("compare", &["-m", measure, "-M", "5", "--sample", "form.csv"])).contains("options")
        );
        for file in ["form.csv", "form.csv.plan.json"] {
            fs::remove_file(at.join(file)).unwrap();
        }
    }
}

/// With a depth, runs are read whole by `compare`, and down to the depth by `settle`.
#[test]
fn a_sample_to_a_depth_is_read_back() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10", "-M", "8", "--count", "50", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, usize::MAX);
    let found = answer(at, &command("compare", &["-M", "8", "--sample", "form.csv"]));
    assert_eq!(found["comparisons"][0]["basis"], "sampled", "{found}");
}

/// `compare`, `budget` and `settle` say one number.
#[test]
fn one_number_of_judgements_that_settle() {
    let folder = tempdir().unwrap();
    let at = folder.path();
    assert!(karat(at, &["demo", "-o", "demo"]).status.success());
    let ask = |name: &str, measure: &str| {
        answer(at, &[name, "demo/qrels.txt", "demo/baseline.run", "demo/newcomer.run", "-m", measure])
    };
    for measure in ["P@10", "RBP(p=0.8)", "nDCG@10"] {
        let planned = ask("settle", measure)["planned"]["count"].clone();
        let compared = ask("compare", measure)["comparisons"][0]["to_settle"].clone();
        assert_eq!(ask("budget", measure)["to_settle"], planned, "{measure}");
        assert!(compared == planned || compared.is_null(), "{measure}: {compared} {planned}");
    }
    assert!(answer(at, &["budget", "demo/qrels.txt", "demo/fusion.run", "-m", "P@10"])["to_settle"].is_null());
}

/// Samples of `settle` and `next` in every form, with texts that spreadsheets stumble over, and through a spreadsheet's ways to save CSV.
#[test]
fn samples_come_back_from_every_form() {
    let (folder, truth) = world();
    let at = folder.path();
    let text = "=1+1, \\\"é 日\\\"\\nsecond; line\\ttab";
    let corpus: String = truth
        .keys()
        .map(|(_, docno)| format!("{{\"_id\": {docno:?}, \"title\": \"@t, \\\"x\\\"\", \"text\": \"{text}\"}}\n"))
        .collect();
    fs::write(at.join("corpus.jsonl"), corpus).unwrap();
    let queries: String = (0..40).map(|topic| format!("q {topic}\twhat, \"exactly\"? {topic}\n")).collect();
    fs::write(at.join("queries.tsv"), queries).unwrap();
    let draws = [("settle", &["--count", "60"][..]), ("next", &["--count", "60", "--random-share", "0.5"])];
    for (name, more) in draws {
        let mut expected: Option<Value> = None;
        for (ending, dialect) in [
            ("csv", ""),
            ("tsv", ""),
            ("jsonl", ""),
            ("json", ""),
            ("csv", "semicolons"),
            ("csv", "mark"),
            ("csv", "utf16"),
            ("tsv", "utf16"),
        ] {
            let form = format!("{name}{dialect}.{ending}");
            let texts = ["--queries", "queries.tsv", "--corpus", "corpus.jsonl"];
            answer(at, &command(name, &[&["-m", "P@10"], more, &texts, &["--form", &form]].concat()));
            let said = refused(at, &command("compare", &["-m", "P@10", "--sample", &form]));
            assert!(said.contains("60 of 60 documents are not judged yet"), "{form}: {said}");
            judge(at, &form, &truth, dialect);
            let found = answer(at, &command("compare", &["-m", "P@10", "--sample", &form]))["comparisons"][0].clone();
            assert_eq!(found["sampled"]["judged"], 60, "{form}");
            let interval = found["interval"].clone();
            assert_eq!(*expected.get_or_insert(interval.clone()), interval, "{form}");
        }
    }
}

/// Fills in the grades of a form of any format, and saves it as spreadsheets do.
fn judge(at: &Path, form: &str, truth: &BTreeMap<(String, String), u32>, dialect: &str) {
    let text = fs::read_to_string(at.join(form)).unwrap();
    let grade =
        |topic: &Value, docno: &Value| truth[&(topic.as_str().unwrap().to_owned(), docno.as_str().unwrap().to_owned())];
    let judged = if form.ends_with(".jsonl") {
        let line = |line: &str| {
            let mut row: Value = serde_json::from_str(line).unwrap();
            row["grade"] = grade(&row["query_id"], &row["doc_id"]).into();
            row.to_string() + "\n"
        };
        text.lines().map(line).collect()
    } else if form.ends_with(".json") {
        let mut tasks: Value = serde_json::from_str(&text).unwrap();
        for task in tasks.as_array_mut().unwrap() {
            let said = grade(&task["data"]["query_id"], &task["data"]["doc_id"]).to_string();
            task["annotations"] = serde_json::json!([{"result": [{"value": {"choices": [said]}}]}]);
        }
        tasks.to_string()
    } else {
        let separator = if form.ends_with(".tsv") { '\t' } else { ',' };
        let mut rows = table(&text, separator);
        for row in rows.iter_mut().skip(1) {
            let said = truth[&(row[0].clone(), row[1].clone())].to_string();
            *row.last_mut().unwrap() = said;
        }
        let (separator, end) = match dialect {
            "semicolons" => (";", "\r\n"),
            "" | "mark" => (if separator == '\t' { "\t" } else { "," }, "\n"),
            _ => (if separator == '\t' { "\t" } else { "," }, "\r\n"),
        };
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(separator) + end;
        rows.iter().map(line).collect::<String>()
    };
    let bytes = match dialect {
        "mark" => format!("\u{feff}{judged}").into_bytes(),
        "utf16" => format!("\u{feff}{judged}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        _ => judged.into_bytes(),
    };
    fs::write(at.join(form), bytes).unwrap();
}

/// The cells of a table, with line breaks and quotation marks in them.
fn table(text: &str, separator: char) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other if other == separator && !quoted => row.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    rows
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn scores_from_a_sample() {
    let (folder, truth) = world();
    let at = folder.path();
    let drawn =
        answer(at, &command("settle", &["--for", "scores", "-m", "P@10", "--count", "80", "--form", "form.csv"]));
    // Nothing is planned for scores. Ten documents of 40 topics are unjudged, each in one list: 80 of 400.
    assert!(drawn["planned"].is_null() && drawn["comparisons"].as_array().unwrap().is_empty(), "{drawn}");
    assert!((number(&drawn["documents"][0]["probability"]) - 0.2).abs() < 1e-12);
    fill(at, "form.csv", &truth, usize::MAX);
    let found = answer(at, &command("eval", &["--sample", "form.csv"]));
    // Three of five judged documents are relevant, and of the other five a quarter of a's and three quarters of b's: (3 + 5/4)/10 and (3 + 15/4)/10.
    for (row, expected) in found["scores"].as_array().unwrap().iter().zip([0.425, 0.675]) {
        let (low, high) = (number(&row["interval"][0]), number(&row["interval"][1]));
        assert!(low <= expected && expected <= high && low > expected - 0.2, "{row}");
        assert_eq!((&row["sampled"]["drawn"], &row["sampled"]["judged"]), (&80.into(), &80.into()));
        let (topics, sampling) = (number(&row["sources"]["topics"]), number(&row["sources"]["judgement_sampling"]));
        assert!(sampling > 0.0 && (number(&row["std_error"]).powi(2) - topics - sampling).abs() < 1e-12, "{row}");
    }
    // Every document that counts for the difference counts for a score too, so the sample covers the difference as well.
    let compared = answer(at, &command("compare", &["--sample", "form.csv"]))["comparisons"][0].clone();
    assert_eq!((&compared["verdict"], &compared["basis"]), (&"b".into(), &"sampled".into()), "{compared}");
    let table = karat(at, &command("eval", &["--sample", "form.csv"]));
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(table.contains("topics+sampling") && table.contains("Sample: 80 of 80 documents judged"), "{table}");
}

#[test]
fn one_run_and_complete_judgements() {
    let (folder, truth) = world();
    let at = folder.path();
    let one = ["qrels.jsonl", "b.jsonl"];
    answer(
        at,
        &[&["settle"], &one[..], &["--for", "scores", "-m", "P@10,RBP(p=0.8)", "--count", "9999", "--form", "f.csv"]]
            .concat(),
    );
    fill(at, "f.csv", &truth, usize::MAX);
    let found = answer(at, &[&["eval"], &one[..], &["--sample", "f.csv"]].concat());
    // All documents were certain to be drawn: the form and the judgements are complete judgements.
    let mut complete = fs::read_to_string(at.join("qrels.jsonl")).unwrap();
    for ((topic, docno), grade) in truth.iter().filter(|((_, docno), _)| docno.starts_with('b')) {
        complete.push_str(&format!("{{\"query_id\":{topic:?},\"doc_id\":{docno:?},\"grade\":{grade}}}\n"));
    }
    fs::write(at.join("complete.jsonl"), complete).unwrap();
    let whole = answer(at, &["eval", "complete.jsonl", "b.jsonl", "-m", "P@10,RBP(p=0.8)"]);
    for place in 0..2 {
        let (found, whole) = (&found["scores"][place], &whole["scores"][place]);
        assert!((number(&found["value"]) - number(&whole["value"])).abs() < 1e-12, "{found} {whole}");
        assert_eq!(found["sources"]["judgement_sampling"], 0.0);
        assert!((number(&found["std_error"]) - number(&whole["std_error"])).abs() < 1e-12, "{found} {whole}");
    }
    // The grades may stand in the judgements too, but not others.
    let merged = answer(at, &["eval", "complete.jsonl", "b.jsonl", "--sample", "f.csv"]);
    assert_eq!(merged["scores"][0]["value"], found["scores"][0]["value"]);
    let other = fs::read_to_string(at.join("complete.jsonl")).unwrap();
    let last = other.trim_end().rfind("\"grade\":").unwrap();
    fs::write(at.join("complete.jsonl"), format!("{}\"grade\":3}}\n", &other[..last])).unwrap();
    let said = refused(at, &["eval", "complete.jsonl", "b.jsonl", "--sample", "f.csv"]);
    assert!(said.contains("has another grade than in complete.jsonl: 3"), "{said}");
}

#[test]
fn half_finished_and_foreign_forms_of_scores() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["--for", "scores", "-m", "P@10", "--count", "60", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, 48);
    let said = refused(at, &command("eval", &["--sample", "form.csv"]));
    assert!(said.contains("form.csv: 12 of 60 documents are not judged yet"), "{said}");
    let width = |found: &Value| number(&found["scores"][1]["interval"][1]) - number(&found["scores"][1]["interval"][0]);
    let partial = answer(at, &command("eval", &["--sample", "form.csv", "--partial"]));
    assert_eq!(partial["scores"][0]["sampled"]["judged"], 48);
    fill(at, "form.csv", &truth, usize::MAX);
    let whole = answer(at, &command("eval", &["--sample", "form.csv"]));
    assert!(width(&partial) > width(&whole));
    // The plan of another form; other options; a run that the plan knows is missing.
    let said = refused(at, &["eval", "qrels.jsonl", "a.jsonl", "--sample", "form.csv"]);
    assert!(said.contains("drawn for the runs a, b; here they are a"), "{said}");
    let eval = |more: &[&str]| refused(at, &command("eval", &[&["--sample", "form.csv"], more].concat()));
    assert!(eval(&["-M", "5"]).contains("drawn with the options none; here they are -M 5"));
    assert!(
        eval(&["-m", "nDCG@10"]).contains("nDCG@10: a sample of documents gives no unbiased estimate of a run's score")
    );
    assert!(eval(&["-m", "NumRel"]).contains("is no mean over topics"));
    assert!(eval(&["--unjudged", "q=0.1"]).contains("--sample says what unjudged documents are"));
    answer(at, &command("settle", &["--for", "scores", "-m", "P@10", "--count", "30", "--form", "other.csv"]));
    fs::copy(at.join("other.csv.plan.json"), at.join("form.csv.plan.json")).unwrap();
    assert!(eval(&[]).contains("60 rows, 30 were drawn"));
}

/// 20 topics with nothing judged but a document that no run has. Both runs have u first, then one of their own; c has u first and then its own.
fn shared() -> TempDir {
    let folder = tempdir().unwrap();
    let (mut qrels, mut runs) = (String::new(), ["a", "b", "c"].map(|name| (name, String::new())));
    for topic in 0..20 {
        qrels += &format!("{topic} 0 other 1\n{topic} 0 none 0\n");
        for (name, run) in &mut runs {
            *run += &format!(
                "{topic} Q0 u 1 3 {name}\n{topic} Q0 own-{name} 2 2 {name}\n{topic} Q0 deep-{name} 3 1 {name}\n"
            );
        }
    }
    fs::write(folder.path().join("qrels.txt"), qrels).unwrap();
    for (name, run) in runs {
        fs::write(folder.path().join(format!("{name}.run")), run).unwrap();
    }
    folder
}

fn fill_all(at: &Path, form: &str) {
    let text = fs::read_to_string(at.join(form)).unwrap();
    let grade = |place: usize| if place == 0 { "" } else { ["0", "1"][place % 2] };
    let judged: Vec<String> = text.lines().enumerate().map(|(place, line)| format!("{line}{}", grade(place))).collect();
    fs::write(at.join(form), judged.join("\n") + "\n").unwrap();
}

#[test]
fn what_a_sample_does_not_cover_is_named_as_a_share() {
    let folder = shared();
    let at = folder.path();
    let settle = |more: &[&str]| answer(at, &[&["settle", "qrels.txt", "a.run", "b.run", "-m", "P@2"], more].concat());
    settle(&["--count", "20", "--form", "difference.csv"]);
    settle(&["--count", "20", "--for", "difference,scores", "--form", "both.csv"]);
    fill_all(at, "difference.csv");
    fill_all(at, "both.csv");
    // A score of P@2 has two documents of the same weight; u cancels in the difference, so half of the weight had no chance to be drawn.
    let said = refused(at, &["eval", "qrels.txt", "a.run", "b.run", "--sample", "difference.csv"]);
    assert!(said.contains("50% of the weight of unjudged documents in a's P@2 could not be drawn"), "{said}");
    assert!(said.contains("--for scores"), "{said}");
    answer(at, &["eval", "qrels.txt", "a.run", "b.run", "--sample", "both.csv"]);
    answer(at, &["compare", "qrels.txt", "a.run", "b.run", "--sample", "both.csv"]);
    // A third run: its u is covered by the scores of the others, its own document is not. In differences u cancels, and one of two is covered.
    let said = refused(at, &["eval", "qrels.txt", "a.run", "b.run", "c.run", "--sample", "both.csv"]);
    assert!(said.contains("50% of the weight of unjudged documents in c's P@2"), "{said}");
    let said = refused(at, &["compare", "qrels.txt", "a.run", "b.run", "c.run", "--sample", "difference.csv"]);
    assert!(said.contains("50% of the weight of unjudged documents in the difference of a and c in P@2"), "{said}");
    // Another depth: of three documents one was not drawn from. Less deep is covered.
    let said = refused(at, &["eval", "qrels.txt", "a.run", "b.run", "-m", "P@3", "--sample", "both.csv"]);
    assert!(said.contains("33% of the weight of unjudged documents in a's P@3"), "{said}");
    answer(at, &["eval", "qrels.txt", "a.run", "b.run", "-m", "P@1", "--sample", "both.csv"]);
    // Plans of earlier versions do not say what they are for: for differences.
    let plan = fs::read_to_string(at.join("difference.csv.plan.json")).unwrap();
    let old: String = plan.replacen("\"for\": [\n    \"difference\"\n  ],\n", "", 1);
    assert_ne!(old, plan, "{plan}");
    fs::write(at.join("difference.csv.plan.json"), old).unwrap();
    answer(at, &["compare", "qrels.txt", "a.run", "b.run", "--sample", "difference.csv"]);
}

#[test]
fn what_scores_need() {
    let (folder, truth) = world();
    let at = folder.path();
    assert!(refused(at, &command("settle", &["--for", "scores", "-m", "P@10"])).contains("--for scores needs --count"));
    let said = refused(at, &["settle", "qrels.jsonl", "a.jsonl", "-m", "P@10"]);
    assert!(said.contains("for the score of one run, add --for scores"), "{said}");
    let more = ["--for", "scores", "-m", "nDCG@10", "--count", "100", "--design", "documents"];
    assert!(refused(at, &command("settle", &more)).contains("no unbiased estimate of a run's score"));
    // Measures that are no sums are estimated from topics.
    answer(at, &command("settle", &["--for", "scores", "-m", "nDCG@10", "--count", "200", "--form", "topics.csv"]));
    fill(at, "topics.csv", &truth, usize::MAX);
    let found = answer(at, &command("eval", &["--sample", "topics.csv"]));
    assert!(found["scores"].as_array().unwrap().iter().all(|row| row["interval"].is_array()), "{found}");
    // With all topics drawn the scores are those of complete judgements, of measures that look at judged documents only too.
    let measures = "AP,Bpref,Judged@10";
    answer(at, &command("settle", &["--for", "scores", "-m", measures, "--count", "9999", "--form", "all.csv"]));
    fill(at, "all.csv", &truth, usize::MAX);
    let all = answer(at, &command("eval", &["--sample", "all.csv"]));
    // How many documents are relevant: among the judged ones and the run's own.
    for (place, run) in ["a", "b"].into_iter().enumerate() {
        let mut complete = fs::read_to_string(at.join("qrels.jsonl")).unwrap();
        for ((topic, docno), grade) in truth.iter().filter(|((_, docno), _)| docno.starts_with(run)) {
            complete.push_str(&format!("{{\"query_id\":{topic:?},\"doc_id\":{docno:?},\"grade\":{grade}}}\n"));
        }
        fs::write(at.join("complete.jsonl"), complete).unwrap();
        let whole = answer(at, &["eval", "complete.jsonl", &format!("{run}.jsonl"), "-m", measures]);
        for measure in 0..3 {
            let (found, whole) = (&all["scores"][2 * measure + place], &whole["scores"][measure]);
            assert!((number(&found["value"]) - number(&whole["value"])).abs() < 1e-12, "{found} {whole}");
        }
    }
    // In these topics the documents down to rank 10 were judged: P@10 is covered.
    answer(at, &command("eval", &["--sample", "topics.csv", "-m", "P@10"]));
    // Batches look several times: the intervals are wider.
    let first = ["--for", "scores", "-m", "P@10", "--count", "40", "--batches", "2", "--form", "1.csv"];
    answer(at, &command("settle", &first));
    fill(at, "1.csv", &truth, usize::MAX);
    let look = answer(at, &command("eval", &["--sample", "1.csv"]))["scores"][0].clone();
    assert!(number(&look["sampled"]["alpha"]) < 0.05 && look["sampled"]["look"] == 1, "{look}");
    assert!(refused(at, &command("settle", &["--sample", "1.csv", "--for", "scores"])).contains("--for, --batches"));
    let second = answer(at, &command("settle", &["--sample", "1.csv", "--form", "2.csv"]));
    assert_eq!(second["documents"].as_array().unwrap().len(), 40);
}

#[test]
fn margins_from_a_sample() {
    let (folder, truth) = world();
    let at = folder.path();
    answer(at, &command("settle", &["-m", "P@10", "--count", "80", "--form", "form.csv"]));
    fill(at, "form.csv", &truth, usize::MAX);
    let compare = |more: &[&str]| answer(at, &command("compare", &[&["--sample", "form.csv"], more].concat()));
    // a − b is -.25 (see above): b is not worse than a, a is more than .05 worse than b, and both are within .4.
    let of = |more: &[&str]| {
        let row = compare(more)["comparisons"][0].clone();
        (row["not_worse"].as_bool().unwrap(), row["equivalent"].as_bool().unwrap())
    };
    assert_eq!(of(&["--margin", "0.05"]), (true, false));
    assert_eq!(of(&["--margin", "0.4"]), (true, true));
    assert_eq!(of(&["--margin", "0.05", "--baseline", "b"]), (false, false));
    let gate = |more: &[&str]| {
        let output = karat(at, &command("compare", &[&["--sample", "form.csv"], more].concat()));
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    let (status, said) = gate(&["--gate", "not-worse", "--margin", "0.05"]);
    assert!(status == Some(0) && said.contains("estimated from the sampled judgements"), "{said}");
    assert_eq!(gate(&["--gate", "not-worse", "--margin", "0.05", "--baseline", "b"]).0, Some(1));
    assert_eq!(gate(&["--gate", "equivalent", "--margin", "0.4", "--strict"]).0, Some(0));
}

/// Topics that only the runs have, another batch for another question, a plan that was changed or is written over, and grades above the largest.
#[test]
fn what_would_make_a_sample_useless_is_refused_before_it_is_judged() {
    let (folder, truth) = world();
    let at = folder.path();
    // A topic without judgements in one run: the form reads back.
    let more =
        fs::read_to_string(at.join("a.jsonl")).unwrap() + "{\"query_id\":\"unjudged\",\"doc_id\":\"x\",\"score\":1}\n";
    fs::write(at.join("a.jsonl"), more).unwrap();
    answer(at, &command("settle", &["-m", "P@10", "--count", "20", "--form", "form.csv", "--batches", "2"]));
    fill(at, "form.csv", &truth, usize::MAX);
    let found = answer(at, &command("compare", &["--sample", "form.csv"]));
    assert_eq!(found["comparisons"][0]["sampled"]["judged"], 20, "{found}");
    // The next batch for another measure.
    let next = command("settle", &["--sample", "form.csv", "--form", "next.csv", "-m", "P@5"]);
    assert!(refused(at, &next).contains("drawn for P@10"));
    assert!(!at.join("next.csv").exists());
    // The plan is not written over, and a changed one is refused.
    let over = command("compare", &["--sample", "form.csv", "-o", "form.csv.plan.json"]);
    assert!(refused(at, &over).contains("is the plan of the form form.csv"));
    let plan = fs::read_to_string(at.join("form.csv.plan.json")).unwrap();
    fs::write(at.join("form.csv.plan.json"), plan.replace("\"batches\": 2", "\"batches\": 1")).unwrap();
    assert!(refused(at, &command("compare", &["--sample", "form.csv"])).contains("the plan was changed"));
    // A grade above the largest that is possible.
    answer(at, &command("settle", &["-m", "P@10", "--max-grade", "2", "--count", "40", "--form", "most.csv"]));
    fill(at, "most.csv", &truth, usize::MAX);
    let text = fs::read_to_string(at.join("most.csv")).unwrap();
    let second = text.lines().nth(1).unwrap();
    fs::write(at.join("most.csv"), text.replacen(second, &format!("{},11", second.rsplit_once(',').unwrap().0), 1))
        .unwrap();
    let said = refused(at, &command("compare", &["--max-grade", "2", "--sample", "most.csv"]));
    assert!(said.contains("line 2: grade: above 2"), "{said}");
}
