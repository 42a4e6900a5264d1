//! A world as karat sees it, with the truth beside it: the first pooled system and the newcomer.

use std::collections::{HashMap, HashSet};
use std::error::Error;

use karat_analysis::scores::Setting;
use karat_analysis::settle::draw::{Drawn, Frame};
use karat_analysis::settle::effects::OpenUnit;
use karat_analysis::settle::estimate::{Estimated, Judged, JudgedSample, Said};
use karat_analysis::settle::question::Contrast;
use karat_analysis::settle::{Design, Question, Target};
use karat_data::{CollectionFacts, Policy, Qrels, RankedDocuments};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};
use karat_measures::{Measure, spec};
use karat_stats::Seed;

use crate::worlds::{self, POOLED};

/// Judgements, runs and the truth.
pub struct Seen {
    qrels: Qrels,
    read: RankedDocuments,
    /// Grades of the relevant documents, by topic.
    grades: HashMap<Vec<u8>, HashMap<Vec<u8>, f64>>,
}

/// A measure of a world.
pub struct View<'s> {
    setting: Setting<'s>,
    seen: &'s Seen,
}

/// Documents that were drawn and judged, batch by batch.
pub struct Labels {
    pub sample: JudgedSample,
    known: HashSet<(usize, Vec<u8>)>,
}

/// A measure by its name.
pub fn measures(name: &str) -> Result<Vec<Box<dyn Measure>>, Box<dyn Error>> {
    Ok(vec![spec::parse(name, 1.0)?.build()?])
}

impl Seen {
    pub fn new(drawn: &worlds::Drawn) -> Result<Seen, Box<dyn Error>> {
        let input = Input::bytes("qrels", drawn.judged.as_bytes().to_vec());
        let (qrels, _) =
            read_qrels(&input, detect::QRELS, Dialect::Strict, 1).map_err(|problems| problems.to_string())?;
        let run = |run: usize| Input::bytes(format!("r{run}"), drawn.runs[run].as_bytes().to_vec());
        let files = RunFiles::new(vec![run(0), run(POOLED)], detect::RUN, Dialect::Strict);
        let read = RankedDocuments::read(&files, &Policy::default(), 1).map_err(|problems| problems.to_string())?;
        let mut grades: HashMap<Vec<u8>, HashMap<Vec<u8>, f64>> = HashMap::new();
        for line in drawn.complete.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            if let [topic, _, docno, grade] = fields[..] {
                grades.entry(topic.into()).or_default().insert(docno.into(), grade.parse()?);
            }
        }
        Ok(Seen { qrels, read, grades })
    }

    /// As a measure sees it.
    pub fn view<'s>(&'s self, measures: &'s [Box<dyn Measure>]) -> View<'s> {
        let setting = Setting {
            qrels: &self.qrels,
            uncut: None,
            collection: CollectionFacts::new(&self.qrels, None, None).unwrap_or_default(),
            policy: Policy::default(),
            measures,
            bounds: true,
            detect_sparse: false,
            relevance_model: None,
            calibration: None,
            threads: 1,
        };
        View { setting, seen: self }
    }

    fn grade(&self, topic: &[u8], docno: &[u8]) -> Option<f64> {
        self.grades.get(topic)?.get(docno).copied()
    }
}

impl View<'_> {
    pub fn question(&self, targets: &[Target]) -> Question<'_> {
        Question::new(&self.setting, &self.seen.read, targets.to_vec())
    }

    /// The means over topics with all documents of the lists judged.
    pub fn full(&self, targets: &[Target], seed: Seed) -> Vec<f64> {
        let question = self.question(targets);
        let topics = question.topics.len();
        let one = |contrast: Contrast, topic: usize| {
            let lists = question.lists(topic);
            let open = question.open(&lists, contrast, seed);
            let name = self.setting.qrels.name(question.topics[topic]);
            let label = |unit: &OpenUnit| self.seen.grade(name, lists.docno(unit.open));
            open.difference(&open.units.iter().map(label).collect::<Vec<_>>()).unwrap_or(0.0)
        };
        let mean = |contrast: Contrast| (0..topics).map(|topic| one(contrast, topic)).sum::<f64>() / topics as f64;
        question.contrasts().map(mean).collect()
    }

    /// What can be drawn, without what has been.
    pub fn frame(&self, question: &Question<'_>, design: Design, seed: Seed, labels: &Labels) -> Frame {
        let place: HashMap<_, usize> =
            question.topics.iter().enumerate().map(|(place, topic)| (*topic, place)).collect();
        let is_known = |topic, docno: &[u8]| {
            !labels.known.is_empty()
                && place.get(&topic).is_some_and(|&at| labels.known.contains(&(at, docno.to_vec())))
        };
        Frame::new(question, design, seed, &is_known)
    }

    /// Judges a batch.
    pub fn judge(&self, question: &Question<'_>, drawn: Vec<Drawn>, labels: &mut Labels) {
        let batch = labels.sample.sizes.len();
        labels.sample.sizes.push(drawn.len());
        for Drawn { topic, docno, probability, .. } in drawn {
            let name = self.setting.qrels.name(question.topics[topic]);
            let said = Said::Grade(self.seen.grade(name, &docno).unwrap_or(0.0));
            labels.known.insert((topic, docno.clone()));
            labels.sample.rows.push(Judged { topic, docno, probability, batch, said });
        }
    }

    /// What the labels say.
    pub fn estimate(&self, question: &Question<'_>, target: Target, labels: &Labels, seed: Seed) -> Estimated {
        Estimated::new(question, (0, target), &labels.sample, seed)
    }
}

impl Labels {
    pub fn new(design: Design) -> Labels {
        Labels { sample: JudgedSample { design, rows: Vec::new(), sizes: Vec::new() }, known: HashSet::new() }
    }

    pub fn len(&self) -> usize {
        self.sample.rows.len()
    }
}
