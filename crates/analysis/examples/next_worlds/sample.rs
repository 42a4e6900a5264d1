//! One world: documents to judge next with a random share, judged by the truth, and what `compare --sample` makes of them.

use std::collections::HashMap;
use std::error::Error;

use karat_analysis::judging::next::{NextOptions, next};
use karat_analysis::judging::{About, GainModel, RandomShare, Strategy};
use karat_analysis::scores::Setting;
use karat_analysis::settle::effects::OpenUnit;
use karat_analysis::settle::estimate::{Judged, JudgedSample, Said, estimate};
use karat_analysis::settle::{Design, Question};
use karat_analysis::unjudged::{Treatment, fit_model};
use karat_data::{AlignedRuns, CollectionFacts, Policy, RankedDocuments};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::Seed;

use crate::worlds::{Drawn, POOLED};

/// How many documents are judged, and how many of them are drawn at random.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub count: usize,
    pub random: usize,
}

/// What a world says.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "some fields are the example's")]
pub struct Found {
    /// The estimate, less the difference with every document of this world judged.
    pub error: f64,
    /// The estimate's interval.
    pub interval: (f64, f64),
    /// The difference with every document judged.
    pub full: f64,
}

/// The estimates of the choices in a world: of the first pooled run and the newcomer.
pub fn estimates(drawn: &Drawn, measure: &str, choices: &[Choice], seed: Seed) -> Result<Vec<Found>, Box<dyn Error>> {
    let input = Input::bytes("qrels", drawn.judged.as_bytes().to_vec());
    let (qrels, _) = read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string())?;
    let run = |run: usize| Input::bytes(format!("r{run}"), drawn.runs[run].as_bytes().to_vec());
    let files = RunFiles::new(vec![run(0), run(POOLED)], detect::RUN, Dialect::Strict);
    let policy = Policy::default();
    let runs = AlignedRuns::read(&qrels, files, &policy, true, 1).map_err(|problems| problems.to_string())?;
    let read = RankedDocuments::named(&qrels, &runs, &policy, 1).map_err(|problems| problems.to_string())?;
    let measures: Vec<Box<dyn Measure>> = vec![spec::parse(measure, 1.0)?.build()?];
    let setting = Setting {
        qrels: &qrels,
        uncut: None,
        collection: CollectionFacts::new(&qrels, None, None).unwrap_or_default(),
        policy,
        measures: &measures,
        bounds: true,
        detect_sparse: true,
        relevance_model: None,
        calibration: None,
        threads: 1,
    };
    let model = fit_model(&setting.model_data(), &runs, Treatment::Fit, 1.0, 0, seed).ok();
    let grades = grades(&drawn.complete);
    let grade = |topic: &[u8], docno: &[u8]| grades.get(&(topic, docno)).copied();
    let question = Question::new(&setting, &read, vec![(0, 1)]);
    let full = full(&question, &grade);
    let one = |choice: &Choice| {
        let options = NextOptions {
            setting: &setting,
            measure: measures[0].as_ref(),
            strategy: Strategy::Variance,
            about: About::Top,
            model: GainModel::Bands,
            relevance_model: model.as_ref(),
            count: Some(choice.count),
            target: None,
            random: Some(RandomShare { count: choice.random, seed, choices: Vec::new() }),
        };
        let form = next(&runs, &options).map_err(|error| format!("{error:?}"))?.form;
        let judged = |row: &karat_data::FormRow| Judged {
            topic: question.topics.iter().position(|&topic| qrels.name(topic) == row.query_id).unwrap_or(0),
            docno: row.doc_id.clone(),
            probability: row.probability.unwrap_or(1.0),
            batch: 0,
            said: Said::Grade(grade(&row.query_id, &row.doc_id).unwrap_or(0.0)),
        };
        let rows: Vec<Judged> = form.iter().map(judged).collect();
        let sample = JudgedSample { design: Design::Documents, sizes: vec![rows.len()], rows };
        let found = estimate(&question, (0, (0, 1)), &sample, 0.95, seed);
        let interval = found.interval.map_err(|why| format!("{why:?}"))?;
        Ok(Found { error: found.difference - full, interval, full })
    };
    choices.iter().map(one).collect()
}

/// Grades of the relevant documents.
fn grades(complete: &str) -> HashMap<(&[u8], &[u8]), f64> {
    let grade = |line| {
        let mut fields = str::split(line, ' ');
        let (topic, docno) = (fields.next()?, fields.nth(1)?);
        Some(((topic.as_bytes(), docno.as_bytes()), fields.next()?.parse().ok()?))
    };
    complete.lines().filter_map(grade).collect()
}

/// The grade of a topic's document.
pub type Grades<'g> = &'g dyn Fn(&[u8], &[u8]) -> Option<f64>;

/// The mean difference with all documents of both lists judged.
pub fn full(question: &Question<'_>, grade: Grades<'_>) -> f64 {
    let one = |topic: usize| {
        let lists = question.lists(topic);
        let open = question.open(&lists, (0, (0, 1)), Seed(1));
        let name = question.setting.qrels.name(question.topics[topic]);
        let label = |unit: &OpenUnit| grade(name, lists.docno(unit.open));
        open.difference(&open.units.iter().map(label).collect::<Vec<_>>()).unwrap_or(0.0)
    };
    let topics = question.topics.len();
    (0..topics).map(one).sum::<f64>() / topics as f64
}
