//! The demo settles a comparison: it draws documents as `karat settle` does, asks the truth for their grades, and compares as `karat compare --sample` does.

use karat_analysis::compare::verdict::{Side, Unjudged};
use karat_analysis::compare::{CompareOptions, Compared, Comparison, Correcting, More, compare, select_tests};
use karat_analysis::scores::{Setting, names};
use karat_analysis::settle::record::{Drawing, Record};
use karat_analysis::settle::{Design, Question, SettleOptions, settle as draw};
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_data::{AlignedRuns, FormGrade, FormRow, Policy, Qrels, RankedDocuments};
use karat_formats::form::{Asked, Form, FormFormat, FormTexts};
use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};
use karat_measures::spec;
use karat_report::NumberStyle;
use karat_sim::World;
use karat_stats::Seed;
use karat_stats::test::Settings;

use super::demo::{COMPLETE, LEVEL, MEASURES, POWER, QRELS, SETTLE, run_file, setting};
use super::form::record_text;
use super::settle::row;
use crate::failure::Failure;
use crate::samples;
use crate::samples::Samples;

/// Documents that are drawn: about as many as `karat settle` plans for this pair.
pub(super) const COUNT: usize = 150;
/// Places of the two runs: the best of those that were pooled, and the one that was added after judging.
pub(super) const PAIR: [usize; 2] = [2, 3];

/// The judged form, how it was drawn, and what came of it.
pub(super) struct Settled {
    /// The form, with grades.
    pub form: Vec<u8>,
    /// The file next to it.
    pub plan: Vec<u8>,
    /// Both, read.
    pub samples: Samples,
    /// What happened, in words.
    pub words: String,
}

/// Settles which of the two runs is better.
///
/// # Errors
/// It cannot be done.
pub(super) fn settle(world: &World) -> Result<Settled, Failure> {
    let measures = vec![spec::parse(MEASURES[0], 1.0)?.build()?];
    let (qrels, facts) = read_qrels(&Input::bytes(QRELS, world.qrels.as_slice()), QREL_FORMATS[0], Dialect::Strict, 1)?;
    let complete = Input::bytes(COMPLETE, world.complete_qrels.as_slice());
    let (truth, _) = read_qrels(&complete, QREL_FORMATS[0], Dialect::Strict, 1)?;
    let setting = setting(&qrels, &measures);
    let runs = AlignedRuns::read(&qrels, two_runs(world), &Policy::default(), true, 1)?;
    let (form, record) = judged_form(&setting, &runs, &truth)?;
    let plan = record_text(&record)?.into_bytes();
    let samples = Samples::of_bytes(SETTLE, &form, record)?;

    let options = compare_options();
    let mut compared = compare(&setting, &runs, &options)?;
    let before = compared.comparisons.first().map_or_else(String::new, |comparison| as_judged(&compared, comparison));
    let names = compared.names.clone();
    let asked = samples::Asked { names: &names, options: Vec::new(), file: &facts.file, relevance_level: 1.0 };
    samples.apply(&setting, &runs, (&asked, &options), &mut compared)?;
    let after = compared
        .comparisons
        .first()
        .map_or_else(String::new, |comparison| karat_present::compare::because(&compared, comparison, POWER));
    let words = format!(
        "Settle. {before} karat settle drew {COUNT} of the unjudged documents at random; the truth gave their grades. {after}."
    );
    Ok(Settled { form, plan, samples, words })
}

fn two_runs(world: &World) -> RunFiles {
    let chosen = PAIR.iter().map(|&place| &world.runs[place]);
    let inputs = chosen.map(|run| Input::bytes(run_file(run.name), run.bytes.as_slice())).collect();
    RunFiles::new(inputs, RUN_FORMATS[0], Dialect::Strict)
}

/// The form with the grades of the truth, and how it was drawn.
fn judged_form(setting: &Setting<'_>, runs: &AlignedRuns<'_>, truth: &Qrels) -> Result<(Vec<u8>, Record), Failure> {
    let read = RankedDocuments::named(setting.qrels, runs, &setting.policy, 1)?;
    let question = Question::new(setting, &read, vec![(0, 1)]);
    let names = names(&read.runs.iter().collect::<Vec<_>>())?;
    let options = SettleOptions {
        design: Design::Documents,
        count: Some(COUNT),
        power: POWER,
        difference: None,
        level: LEVEL,
        batches: Some(1),
        batch: 1,
        seed: Seed(1),
    };
    let (_, drawn) = draw(&question, &names, &options, &Default::default());
    let rows: Vec<FormRow> =
        drawn.iter().map(|one| FormRow { grade: grade(truth, &question, one), ..row(&question, one, 1) }).collect();
    let drawing =
        Drawing { design: options.design, seed: options.seed, batch: options.batch, batches: options.batches };
    let record = Record::new(&question, (&names, Vec::new()), drawing, &rows);
    let texts = FormTexts::default();
    let form = Form::new(&rows, &texts, FormFormat::Csv, Asked::Question).map_err(Failure::usage)?;
    let mut bytes = Vec::new();
    form.write(&mut bytes).map_err(|error| Failure::Output(error.to_string()))?;
    Ok((bytes, record))
}

/// What the truth says of a document: 0 where it has no row for it.
fn grade(truth: &Qrels, question: &Question<'_>, drawn: &karat_analysis::settle::draw::Drawn) -> FormGrade {
    let name = question.setting.qrels.name(question.topics[drawn.topic]);
    let mut documents = truth.find(name).into_iter().flat_map(|topic| truth.documents(topic));
    let found = documents.find(|(docno, _)| *docno == &drawn.docno[..]);
    FormGrade::Grade(found.and_then(|(_, judgement)| judgement.grade()).unwrap_or(0.0))
}

/// The options of `karat compare` where none are given.
fn compare_options<'a>() -> CompareOptions<'a> {
    let seed = Seed(1);
    CompareOptions {
        all_pairs: false,
        baseline: None,
        tests: select_tests(["t"]),
        correction: Correcting::default_for(false),
        settings: Settings { permutations: 100_000, seed, threads: 1, ..Settings::default() },
        inference: Inference { method: IntervalMethod::Auto, level: LEVEL, seed },
        power: POWER,
        strict: false,
        by_query: false,
        margin: None,
        unjudged: Unjudged::Tested,
        relevance_model: None,
        more: More::default(),
    }
}

/// What is known without the sample.
fn as_judged(compared: &Compared, comparison: &Comparison) -> String {
    let (a, b) = (&compared.names[comparison.pair.0], &compared.names[comparison.pair.1]);
    let observed = comparison.difference.observed;
    let ahead = if observed < 0.0 { b } else { a };
    let lead = NumberStyle::Score.show(observed.abs());
    match comparison.verdict.better() {
        None => format!("As judged, it is undecided whether {a} or {b} is better: {ahead} leads by {lead}."),
        Some(side) => format!("As judged, {} is better by {lead}.", if side == Side::A { a } else { b }),
    }
}
