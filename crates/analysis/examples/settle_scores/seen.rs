//! A world as karat sees it, with the truth beside it: the first pooled system and the newcomer.

use std::collections::HashMap;
use std::error::Error;

use karat_analysis::scores::Setting;
use karat_analysis::settle::draw::Drawn as DrawnDocument;
use karat_analysis::settle::effects::OpenUnit;
use karat_analysis::settle::estimate::{Judged, JudgedSample, Said};
use karat_analysis::settle::question::Contrast;
use karat_analysis::settle::{Design, Question, Target};
use karat_data::{CollectionFacts, Policy, Qrels, RankedDocuments};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::Seed;

use crate::worlds::{Drawn, POOLED};

/// A drawn world.
pub struct Seen {
    qrels: Qrels,
    pub read: RankedDocuments,
    /// Grades of the relevant documents.
    grades: HashMap<(String, String), f64>,
    measures: Vec<Box<dyn Measure>>,
}

impl Seen {
    pub fn new(drawn: &Drawn, measure: &str) -> Result<Seen, Box<dyn Error>> {
        let input = Input::bytes("qrels", drawn.judged.as_bytes().to_vec());
        let (qrels, _) =
            read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string())?;
        let run = |run: usize| Input::bytes(format!("r{run}"), drawn.runs[run].as_bytes().to_vec());
        let files = RunFiles::new(vec![run(0), run(POOLED)], detect::RUN, Dialect::Strict);
        let read = RankedDocuments::read(&files, &Policy::default(), 1).map_err(|problems| problems.to_string())?;
        let grade = |line: &str| {
            let mut fields = line.split(' ');
            let document = (fields.next()?.to_owned(), fields.nth(1)?.to_owned());
            Some((document, fields.next()?.parse().ok()?))
        };
        let grades = drawn.complete.lines().filter_map(grade).collect();
        Ok(Seen { qrels, read, grades, measures: vec![spec::parse(measure, 1.0)?.build()?] })
    }

    pub fn setting(&self) -> Setting<'_> {
        Setting {
            qrels: &self.qrels,
            uncut: None,
            collection: CollectionFacts::new(&self.qrels, None, None).unwrap_or_default(),
            policy: Policy::default(),
            measures: &self.measures,
            bounds: true,
            relevance_model: None,
            calibration: None,
            threads: 1,
        }
    }

    fn grade(&self, question: &Question<'_>, topic: usize, docno: &[u8]) -> Option<f64> {
        let name = String::from_utf8_lossy(self.qrels.name(question.topics[topic])).into_owned();
        self.grades.get(&(name, String::from_utf8_lossy(docno).into_owned())).copied()
    }

    /// The mean with all documents judged, by contrast.
    pub fn full(&self, targets: &[Target]) -> Vec<f64> {
        let setting = self.setting();
        let question = Question::new(&setting, &self.read, targets.to_vec());
        let topics = question.topics.len();
        let one = |contrast: Contrast, topic: usize| {
            let lists = question.lists(topic);
            let open = question.open(&lists, contrast, Seed(1));
            let label = |unit: &OpenUnit| self.grade(&question, topic, lists.docno(unit.open));
            open.difference(&open.units.iter().map(label).collect::<Vec<_>>()).unwrap_or(0.0)
        };
        let mean = |contrast: Contrast| (0..topics).map(|topic| one(contrast, topic)).sum::<f64>() / topics as f64;
        question.contrasts().map(mean).collect()
    }

    /// These documents, judged.
    pub fn judge(&self, question: &Question<'_>, drawn: Vec<DrawnDocument>) -> JudgedSample {
        let judged = |drawn: DrawnDocument| {
            let said = Said::Grade(self.grade(question, drawn.topic, &drawn.docno).unwrap_or(0.0));
            Judged { topic: drawn.topic, docno: drawn.docno, probability: drawn.probability, batch: 0, said }
        };
        let rows: Vec<Judged> = drawn.into_iter().map(judged).collect();
        let sizes = vec![rows.len()];
        JudgedSample { design: Design::Documents, rows, sizes }
    }
}
