//! Systems and judgements in the shape experiments need: for every topic the judged documents with their grades, and for every run which
//! of them stands at each rank.
//!
//! The one decision: the pool is what was judged. Documents of the file without a grade are taken as outside of it, so that
//! "everything judged" is the truth of each experiment, and hiding or changing judgements is a change of one list of grades.

use std::collections::HashMap;

use karat_data::{
    CollectionFacts, Details, Grade, Judgement, JudgementKind, Mark, NO_DOCUMENT, Problem, Problems, Qrels,
    RankedDocuments, RunFacts, RunSource, TopicFacts, TopicIndex, TopicView,
};
use karat_measures::Measure;
use karat_present::words::count;

/// From which grade a document is relevant.
pub const LEVEL: f64 = 1.0;

/// Systems and judgements.
#[derive(Debug)]
pub struct Collection {
    /// What it is, in words.
    name: String,
    /// Whether its systems were made up.
    pub simulated: bool,
    /// The runs' names.
    pub runs: Vec<String>,
    /// The runs' files.
    pub sources: Vec<RunFacts>,
    /// The topics that have judgements.
    pub topics: Vec<Topic>,
    /// What holds for all topics.
    pub facts: CollectionFacts,
}

/// One topic.
#[derive(Debug)]
pub struct Topic {
    /// The grades of the judged documents.
    pub grades: Vec<Grade>,
    /// Whether some run ranks the document tenth or better.
    pub shallow: Vec<bool>,
    /// For each run, its ranks: a judged document by its place, or [`NO_DOCUMENT`].
    pub lists: Vec<Vec<u32>>,
}

impl Topic {
    /// How many judged documents are relevant.
    pub fn relevant(&self) -> usize {
        self.grades.iter().filter(|grade| grade.value() >= LEVEL).count()
    }
}

/// What an experiment takes as known of a topic.
#[derive(Debug, Default)]
pub struct Known {
    judgements: Vec<Judgement>,
    grades: Vec<(Grade, u32)>,
    pooled_unjudged: u32,
    marks: Vec<Mark>,
}

impl Known {
    /// From the judgement of each document of the pool, and its stratum where the pool has some.
    pub fn new(judgements: Vec<Judgement>, strata: Option<&[u32]>) -> Known {
        let mut known = Known { judgements, ..Known::default() };
        for judgement in &known.judgements {
            match judgement {
                Judgement::Grade(grade) => {
                    match known.grades.binary_search_by(|(other, _)| other.value().total_cmp(&grade.value())) {
                        Ok(at) => known.grades[at].1 += 1,
                        Err(at) => known.grades.insert(at, (*grade, 1)),
                    }
                }
                _ => known.pooled_unjudged += 1,
            }
        }
        let mark =
            |(document, &group): (usize, &u32)| Mark { document: document as u32, group, subgroup: 0, value: 0.0 };
        known.marks = strata.into_iter().flatten().enumerate().map(mark).collect();
        known
    }

    /// The same in two grades: from this one on 1, below it 0.
    pub fn in_two(&self, level: f64) -> Known {
        let two = |judgement: &Judgement| match judgement {
            Judgement::Grade(grade) if grade.value() >= level => Judgement::Grade(Grade::ONE),
            Judgement::Grade(_) => Judgement::Grade(Grade::ZERO),
            other => *other,
        };
        Known::new(self.judgements.iter().map(two).collect(), None)
    }

    /// Everything judged, with these grades.
    pub fn all(grades: &[Grade]) -> Known {
        Known::new(grades.iter().copied().map(Judgement::Grade).collect(), None)
    }
}

impl Collection {
    /// Runs that were read, and the judgements they are held against.
    ///
    /// # Errors
    /// Everything wrong with the runs.
    pub fn read(name: String, qrels: &Qrels, source: &dyn RunSource, threads: usize) -> Result<Collection, Problems> {
        let documents = RankedDocuments::read(source, &karat_data::Policy::default(), threads)?;
        let max_grade = qrels.max_grade().filter(|grade| *grade > 0.0).unwrap_or(1.0);
        let topics = topics(qrels, &documents);
        let mut problems = Problems::default();
        for (run, facts) in documents.runs.iter().enumerate() {
            if topics.iter().all(|topic| topic.lists[run].is_empty()) {
                problems.push(Problem::of_file(
                    &facts.file,
                    "at least one topic that has judged documents",
                    "none",
                    "check that judgements and runs belong together and write topics alike (leading zeros, prefixes)",
                ));
            }
        }
        problems.into_result()?;
        Ok(Collection {
            name,
            simulated: false,
            runs: karat_analysis::scores::names(&documents.runs.iter().collect::<Vec<_>>())
                .map_err(karat_present::score_error::problems)?,
            topics,
            sources: documents.runs,
            facts: CollectionFacts { max_grade, whole_grades: qrels.has_whole_grades(), documents: None },
        })
    }

    /// Marks its systems as simulated.
    pub fn simulated_systems(self) -> Collection {
        Collection { simulated: true, ..self }
    }

    /// Its name and size, for people.
    pub fn description(&self) -> String {
        let judged: usize = self.topics.iter().map(|topic| topic.grades.len()).sum();
        format!(
            "{}: {}, {}, {}",
            self.name,
            count(self.runs.len(), "run"),
            count(self.topics.len(), "topic"),
            count(judged, "judgement")
        )
    }

    /// A number that differs where the collection does.
    pub fn fingerprint(&self) -> u64 {
        let mut sum = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |number: u64| sum = (sum ^ number).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        for name in &self.runs {
            name.bytes().for_each(|byte| add(byte.into()));
        }
        for topic in &self.topics {
            topic.grades.iter().for_each(|grade| add(grade.value().to_bits()));
            for list in &topic.lists {
                add(list.len() as u64);
                list.iter().for_each(|&document| add(document.into()));
            }
        }
        sum
    }

    /// The score of each of the first `runs` runs on each topic, given what is known of it. A run without an answer
    /// has 0, and so has a topic for which the measure is undefined.
    pub fn scores(&self, measure: &dyn Measure, known: &[Known], runs: usize) -> Vec<Vec<f64>> {
        self.of_views(known, runs, self.facts, |view| measure.value(view).unwrap_or(0.0))
    }

    /// What is to be said of each of the first `runs` runs on each topic, given what is known of it.
    pub fn of_views<T: Clone>(
        &self,
        known: &[Known],
        runs: usize,
        facts: CollectionFacts,
        say: impl Fn(&TopicView<'_>) -> T,
    ) -> Vec<Vec<T>> {
        let mut ranks: Vec<Judgement> = Vec::new();
        let mut said = vec![Vec::with_capacity(self.topics.len()); runs.min(self.runs.len())];
        for (topic, known) in self.topics.iter().zip(known) {
            for (list, said) in topic.lists.iter().zip(&mut said) {
                ranks.clear();
                ranks.extend(
                    list.iter().map(|&document| {
                        known.judgements.get(document as usize).copied().unwrap_or(Judgement::Unpooled)
                    }),
                );
                said.push(say(&TopicView { collection: facts, ..self.view(&ranks, list, known) }));
            }
        }
        said
    }

    fn view<'a>(&self, ranks: &'a [Judgement], list: &'a [u32], known: &'a Known) -> TopicView<'a> {
        let details = if known.marks.is_empty() {
            Details::default()
        } else {
            Details {
                kind: JudgementKind::Strata,
                marks: &known.marks,
                documents: list,
                judgements: &known.judgements,
                ..Details::default()
            }
        };
        let facts = TopicFacts { grades: &known.grades, pooled_unjudged: known.pooled_unjudged };
        TopicView { ranks, below: 0, facts, collection: self.facts, details }
    }

    /// Everything judged, as it was.
    pub fn complete(&self) -> Vec<Known> {
        self.topics.iter().map(|topic| Known::all(&topic.grades)).collect()
    }
}

/// Mean over topics.
pub fn means(scores: &[Vec<f64>]) -> Vec<f64> {
    scores.iter().map(|topics| topics.iter().sum::<f64>() / topics.len().max(1) as f64).collect()
}

fn topics(qrels: &Qrels, documents: &RankedDocuments) -> Vec<Topic> {
    let runs = documents.runs.len();
    let of = |index| {
        let judged = judged(qrels, index);
        let places: HashMap<&[u8], u32> = judged.iter().map(|(docno, _)| *docno).zip(0..).collect();
        let mut topic = Topic {
            grades: judged.iter().map(|(_, grade)| *grade).collect(),
            shallow: vec![false; judged.len()],
            lists: vec![Vec::new(); runs],
        };
        if let Some(found) = documents.find(qrels.name(index)) {
            for (run, list) in topic.lists.iter_mut().enumerate() {
                let place = |&document: &u32| places.get(found.docno(document)).copied().unwrap_or(NO_DOCUMENT);
                *list = found.list(run).iter().map(place).collect();
                for &document in list.iter().take(10).filter(|document| **document != NO_DOCUMENT) {
                    topic.shallow[document as usize] = true;
                }
            }
        }
        topic
    };
    qrels.topics().map(of).filter(|topic| !topic.grades.is_empty()).collect()
}

/// A topic's judged documents, in the order of its grades here.
pub(super) fn judged(qrels: &Qrels, index: TopicIndex) -> Vec<(&[u8], Grade)> {
    let graded = |(docno, judgement)| match judgement {
        Judgement::Grade(grade) => Some((docno, grade)),
        _ => None,
    };
    qrels.documents(index).filter_map(graded).collect()
}

/// The measure of that name, as users type it.
pub fn measure(name: &str) -> Option<Box<dyn Measure>> {
    karat_measures::spec::parse(name, LEVEL).ok()?.build().ok()
}
