//! The answers are those of the command line, to the last digit: what a default is has one place, or this fails.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use karat::prelude::*;
use karat_report::RenderOptions;
use karat_report::render::renderer;
use karat_sim::Design;
use karat_stats::seed::Seed;
use serde::Serialize;
use serde_json::Value;

const QRELS: &str = "qrels.txt";

fn inputs() -> HashMap<String, Input> {
    let world = Design::default().simulate(Seed(1)).unwrap();
    let runs = world.runs.iter().map(|run| (run.name.to_owned(), Input::bytes(run.name, run.bytes.as_slice())));
    runs.chain([(QRELS.to_owned(), Input::bytes(QRELS, world.qrels.as_slice()))]).collect()
}

/// What the command line answers, without what is not part of the answer.
fn typed(arguments: &[&str]) -> Value {
    let environment = karat_cli::Environment::caller(inputs());
    let arguments = arguments.iter().map(Into::into).collect();
    let (answer, done) = karat_cli::call(arguments, environment);
    assert!(done.is_ok(), "{done:?}");
    let mut out = Vec::new();
    let render = renderer("json").unwrap();
    (render.make)(RenderOptions { color: false, width: None }).render(&answer.report.unwrap(), &mut out).unwrap();
    let mut found: Value = serde_json::from_slice(&out).unwrap();
    for beside in ["karat", "command", "title", "provenance", "version", "schema", "$schema"] {
        found.as_object_mut().unwrap().remove(beside);
    }
    found
}

fn same<T: Serialize>(own: &Answer<T>, arguments: &[&str]) {
    assert_eq!(serde_json::to_value(own).unwrap(), typed(arguments), "{arguments:?}");
}

#[test]
fn eval_compare_and_budget_answer_alike() {
    let experiment = Experiment::demo().unwrap();
    let runs = ["baseline", "expanded", "fusion", "newcomer"];
    let with = |command, runs: &[&'static str]| [&[command, QRELS], runs].concat();
    same(&experiment.eval(&EvalOptions::default()).unwrap(), &with("eval", &runs));
    let options = CompareOptions { permutations: 1000, ..CompareOptions::default() };
    let typed = [&with("compare", &runs)[..], &["--permutations", "1000"]].concat();
    same(&experiment.compare(&options).unwrap(), &typed);
    // Two of the runs, in another order, of what was read.
    let two = experiment.select([3, 0]).unwrap();
    let options = BudgetOptions { target_width: Some(0.05), ..BudgetOptions::default() };
    let typed = [&with("budget", &["newcomer", "baseline"])[..], &["--target-width", "0.05"]].concat();
    same(&two.budget(&options).unwrap(), &typed);
    let typed = [&with("eval", &["newcomer", "baseline"])[..], &["-m", "P@5", "-M", "3", "-q"]].concat();
    let options = EvalOptions { by_query: true, ..EvalOptions::default() };
    // At another depth the lists are others, and are read anew. `-M` is an option that the command line notes.
    let mut cut = two.measures(["P@5"]).depth(3).eval(&options).unwrap();
    cut.notes.insert(0, "Options: -M 3".into());
    same(&cut, &typed);
}

#[test]
fn errors_name_file_line_field_and_remedy() {
    let qrels = Input::bytes("q", "1 0 d1 1\n".as_bytes());
    let run = Input::bytes("r", "1 Q0 d1 1 2.0 r\n1 Q0 d2 2 nothing r\n".as_bytes());
    let error = Experiment::read(&qrels, vec![run]).unwrap().eval(&EvalOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("r:2: ") && text.contains("nothing") && text.contains("\nhelp: "), "{text}");
    assert_eq!(error.problems().len(), 1);
    let missing = Experiment::open("no-such-file", ["r"]).err().unwrap().to_string();
    assert!(missing.contains("no-such-file") && missing.contains("\nhelp: "), "{missing}");
}

#[test]
fn options_that_are_not_possible_are_refused() {
    let refused = |experiment: Experiment| experiment.eval(&EvalOptions::default()).unwrap_err().to_string();
    let demo = || Experiment::demo().unwrap();
    assert!(refused(demo().level(1.0)).starts_with("level needs a number between 0 and 1"));
    assert!(refused(demo().relevance_level(0.0)).starts_with("relevance_level needs a number above 0"));
    // The demo collection has grades 0 to 1 or more; -1 is below any of them.
    assert!(refused(demo().max_grade(-1.0)).starts_with("max_grade needs a number from"));
    assert!(refused(demo().measures(["XYZ"])).contains("XYZ"));
    assert!(demo().select([4]).is_err());
    let tests = CompareOptions { tests: vec!["z".into()], ..CompareOptions::default() };
    assert!(demo().compare(&tests).unwrap_err().to_string().starts_with("unknown test 'z'"));
}
