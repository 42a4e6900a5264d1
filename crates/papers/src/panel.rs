//! Several judges' labels of a collection's documents, next to gold's.
//!
//! The one decision: gold is the collection's own judgements, and a judge is compared with gold over the documents that the judge labelled, so that a
//! difference is the judge's and not that of what was judged. Without labels, judges are simulated, and notes say so.

use std::collections::{BTreeMap, HashMap};

use karat_data::names::text;
use karat_data::{CollectionFacts, Grade, JudgeLabels, Judgement, Problem, Problems, Qrels, Repeats, State};
use karat_stats::Seed;
use karat_stats::seed::Stream;

use crate::collection::{Collection, Known, LEVEL, judged};
use karat_analysis::judges::{JudgesError, Scale, ScaleChoice};
use karat_present::judges::{problems, scale_note};

/// Drawn judges, and their rates: at the simulated collection's share of relevant documents about as much disagreement as in section 5.7 of
/// the slides, where 447 of 1811 judgements differ.
const DRAWN: usize = 4;
const SEES_RELEVANT: f64 = 0.65;
const SEES_OTHER: f64 = 0.85;

/// Judges other than gold.
#[derive(Debug)]
pub struct Panel {
    /// Whether the judges were drawn.
    pub drawn: bool,
    /// The judges' names.
    pub names: Vec<String>,
    /// The grades of the scale that all are counted by.
    pub scale: Vec<f64>,
    /// Notes about the labels.
    pub notes: Vec<String>,
    /// Gold's grades, by topic of the collection and document.
    gold: Vec<Vec<Grade>>,
    /// By judge, topic and document.
    labels: Vec<Vec<Vec<Option<Grade>>>>,
}

impl Panel {
    /// Labels that were read, next to the judgements that are gold.
    ///
    /// # Errors
    /// A grade off the scale, or no document that gold judged too.
    pub fn read(file: &str, qrels: &Qrels, labels: &JudgeLabels, choice: &ScaleChoice) -> Result<Panel, Problems> {
        let scale = Scale::new(choice, &[labels, &as_labels(file, qrels)?])
            .map_err(|error| problems(JudgesError::OffScale(error)))?;
        let names: Vec<String> = labels.judges().into_iter().map(text).collect();
        let items = labels.items();
        // By topic and document: judges and their grades.
        type Pair<'a> = (&'a [u8], &'a [u8]);
        let mut given: HashMap<Pair<'_>, Vec<(u32, f64)>> = HashMap::new();
        for item in &items {
            given.insert((labels.topic(item.topic), labels.document(item.document)), item.grades().collect());
        }
        let (mut gold, mut by_judge) = (Vec::new(), vec![Vec::new(); names.len()]);
        let mut used = 0;
        for index in qrels.topics() {
            let documents = judged(qrels, index);
            if documents.is_empty() {
                continue;
            }
            let counted = |grade: f64| Grade::new(scale.counted(grade));
            gold.push(documents.iter().map(|(_, grade)| counted(grade.value()).unwrap_or(*grade)).collect());
            let mut own = vec![vec![None; documents.len()]; names.len()];
            for (place, (docno, _)) in documents.iter().enumerate() {
                for (judge, grade) in given.get(&(qrels.name(index), *docno)).into_iter().flatten() {
                    own[*judge as usize][place] = counted(*grade);
                    used += usize::from(own[*judge as usize][place].is_some());
                }
            }
            by_judge.iter_mut().zip(own).for_each(|(judge, own)| judge.push(own));
        }
        if used == 0 {
            let name = labels.labels().first().map_or("labels", |label| labels.place(label).0);
            let remedy = "check that both files name queries and documents alike";
            return Err(Problem::of_file(name, format!("documents that {file} judged too"), "none", remedy).into());
        }
        let mut notes = vec![format!(
            "judges: {used} of {} labels are used; the other documents have no judgement in {file} (gold)",
            labels.labels().len()
        )];
        notes.extend(scale_note(&scale).map(|note| format!("judges: {note}")));
        Ok(Panel { drawn: false, names, scale: scale.grades, notes, gold, labels: by_judge })
    }

    /// Judges who err at random, each document alike.
    pub fn draw(collection: &Collection, seed: Seed) -> Panel {
        let binary = |grade: &Grade| if grade.value() >= LEVEL { Grade::ONE } else { Grade::ZERO };
        let gold: Vec<Vec<Grade>> =
            collection.topics.iter().map(|topic| topic.grades.iter().map(binary).collect()).collect();
        let label = |gold: &Grade, stream: &mut Stream| {
            let relevant = *gold == Grade::ONE;
            let right = stream.unit() < if relevant { SEES_RELEVANT } else { SEES_OTHER };
            Some(if relevant == right { Grade::ONE } else { Grade::ZERO })
        };
        let judge = |judge: usize| -> Vec<Vec<Option<Grade>>> {
            let streams = seed.child("drawn judge", judge as u64).streams("topic");
            let topic = |(at, gold): (usize, &Vec<Grade>)| {
                let mut stream = streams.at(at as u64);
                gold.iter().map(|gold| label(gold, &mut stream)).collect()
            };
            gold.iter().enumerate().map(topic).collect()
        };
        let labels = (0..DRAWN).map(judge).collect();
        let names = (1..=DRAWN).map(|number| format!("drawn judge {number}")).collect();
        let notes = vec![format!(
            "judges: {DRAWN} simulated judges, who label relevant documents correctly with probability {SEES_RELEVANT} and others with {SEES_OTHER}; use --labels for real judges"
        )];
        Panel { drawn: true, names, scale: vec![0.0, 1.0], notes, gold, labels }
    }

    /// How many judges there are.
    pub fn judges(&self) -> usize {
        self.names.len()
    }

    /// The topics of which a judge labelled a document.
    pub fn topics(&self, judge: usize) -> Vec<usize> {
        let labelled = |topic: &usize| self.labels[judge][*topic].iter().any(Option::is_some);
        (0..self.gold.len()).filter(labelled).collect()
    }

    /// The topics with a label, and who labelled each.
    pub fn judges_of_topics(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for judge in 0..self.judges() {
            self.topics(judge).into_iter().for_each(|topic| found.entry(topic).or_default().push(judge));
        }
        found
    }

    /// How many documents a judge labelled, and on how many gold says otherwise.
    pub fn disagreements(&self, judge: usize) -> (usize, usize) {
        let both = self.gold.iter().flatten().zip(self.labels[judge].iter().flatten());
        let differ: Vec<bool> = both.filter_map(|(gold, own)| Some(*gold != (*own)?)).collect();
        (differ.len(), differ.iter().filter(|differ| **differ).count())
    }

    /// What is known if this judge's labels are all there is (`None` for a topic leaves it without any), and what gold says of the same documents.
    pub fn known(&self, judge_of: &[Option<usize>]) -> [Vec<Known>; 2] {
        let mut known = [Vec::new(), Vec::new()];
        for (topic, judge) in judge_of.iter().enumerate() {
            let own = judge.map(|judge| &self.labels[judge][topic]);
            let (mut bronze, mut gold) = (Vec::new(), Vec::new());
            for (document, grade) in self.gold[topic].iter().enumerate() {
                let label = own.and_then(|own| own[document]);
                bronze.push(label.map_or(Judgement::PooledUnjudged, Judgement::Grade));
                gold.push(label.map_or(Judgement::PooledUnjudged, |_| Judgement::Grade(*grade)));
            }
            known[0].push(Known::new(bronze, None));
            known[1].push(Known::new(gold, None));
        }
        known
    }

    /// All labels, as files would have them.
    pub fn bronze(&self) -> JudgeLabels {
        let mut labels = JudgeLabels::new(Repeats::First);
        labels.file("bronze");
        for (name, own) in self.names.iter().zip(&self.labels) {
            for (topic, grades) in own.iter().enumerate() {
                for (document, grade) in grades.iter().enumerate().filter_map(|(at, grade)| Some((at, (*grade)?))) {
                    push(&mut labels, (topic, document), name, grade);
                }
            }
        }
        labels
    }

    /// Gold's grades of the documents that are wanted, of those that some judge labelled.
    pub fn gold(&self, mut wanted: impl FnMut(usize, usize) -> bool) -> JudgeLabels {
        let mut labels = JudgeLabels::new(Repeats::First);
        labels.file("gold");
        for (topic, grades) in self.gold.iter().enumerate() {
            for (document, grade) in grades.iter().enumerate() {
                let labelled = self.labels.iter().any(|judge| judge[topic][document].is_some());
                if labelled && wanted(topic, document) {
                    push(&mut labels, (topic, document), "gold", *grade);
                }
            }
        }
        labels
    }

    /// What holds for all topics under this scale.
    pub fn facts(&self) -> CollectionFacts {
        CollectionFacts {
            max_grade: self.scale.last().copied().filter(|grade| *grade > 0.0).unwrap_or(1.0),
            whole_grades: self.scale.iter().all(|grade| grade.fract() == 0.0),
            documents: None,
        }
    }
}

fn push(labels: &mut JudgeLabels, (topic, document): (usize, usize), judge: &str, grade: Grade) {
    let (topic, document) = (topic.to_string(), document.to_string());
    labels.push((topic.as_bytes(), document.as_bytes(), judge.as_bytes()), grade.value(), State::Judged, 0);
}

/// Gold's judgements as labels, so that their grades are held against the scale as everybody's are.
fn as_labels(file: &str, qrels: &Qrels) -> Result<JudgeLabels, Problems> {
    let mut labels = JudgeLabels::new(Repeats::First);
    labels.file(file);
    for index in qrels.topics() {
        for (docno, grade) in judged(qrels, index) {
            labels.push((qrels.name(index), docno, b"gold"), grade.value(), State::Judged, 0);
        }
    }
    labels.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_formats::{Dialect, Input, QREL_FORMATS, RUN_FORMATS, RunFiles, read_qrels};

    fn qrels() -> Qrels {
        let text = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 d 0\n2 0 e 1\n";
        read_qrels(&Input::bytes("gold.qrels", text.as_bytes()), QREL_FORMATS[0], Dialect::Strict, 1).unwrap().0
    }

    fn labels(rows: &[(&str, &str, &str, f64)]) -> JudgeLabels {
        let mut labels = JudgeLabels::new(Repeats::Refuse);
        labels.file("labels");
        for (line, (judge, topic, document, grade)) in rows.iter().enumerate() {
            let names = (topic.as_bytes(), document.as_bytes(), judge.as_bytes());
            labels.push(names, *grade, State::Judged, line as u64 + 1);
        }
        labels.finish().unwrap()
    }

    #[test]
    fn labels_meet_gold_document_by_document() {
        // x judges topic 1 only, and one document that gold does not have; y judges one document of each.
        let given = labels(&[
            ("x", "1", "a", 2.0),
            ("x", "1", "b", 1.0),
            ("x", "1", "z", 2.0),
            ("y", "1", "c", 0.0),
            ("y", "2", "e", 1.0),
        ]);
        let panel = Panel::read("gold.qrels", &qrels(), &given, &ScaleChoice::default()).unwrap();
        assert_eq!((panel.names.as_slice(), panel.drawn), (["x".to_owned(), "y".to_owned()].as_slice(), false));
        assert_eq!(panel.scale, [0.0, 1.0, 2.0]);
        // x differs on b; y on c.
        assert_eq!([panel.disagreements(0), panel.disagreements(1)], [(2, 1), (2, 1)]);
        assert_eq!((panel.topics(0), panel.topics(1)), (vec![0], vec![0, 1]));
        assert_eq!(panel.judges_of_topics(), BTreeMap::from([(0, vec![0, 1]), (1, vec![1])]));
        assert!(panel.notes[0].starts_with("judges: 4 of 5 labels"), "{:?}", panel.notes);
        // Gold's labels of topic 2 that somebody labelled: e, not d.
        assert_eq!(panel.gold(|topic, _| topic == 1).labels().len(), 1);
        assert_eq!(panel.bronze().labels().len(), 4);
        // From grade 2 on: x agrees on both, y on both.
        let binary = ScaleChoice { declared: Vec::new(), binary: Some(2.0) };
        let two = Panel::read("gold.qrels", &qrels(), &given, &binary).unwrap();
        assert_eq!([two.disagreements(0), two.disagreements(1)], [(2, 0), (2, 0)]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let found = Panel::read("gold.qrels", &qrels(), &labels(&[("x", "9", "a", 1.0)]), &ScaleChoice::default());
        let told = found.unwrap_err().to_string();
        assert!(told.contains("documents that gold.qrels judged too") && told.contains("name queries"), "{told}");
        let declared = ScaleChoice { declared: vec![0.0, 1.0], binary: None };
        // Gold's own 2 is off the declared scale.
        assert!(Panel::read("gold.qrels", &qrels(), &labels(&[("x", "1", "a", 1.0)]), &declared).is_err());
    }

    #[test]
    fn drawn_judges_err_as_often_as_they_are_said_to() {
        let (mut gold, mut run) = (String::new(), String::new());
        for document in 0..4000 {
            gold.push_str(&format!("1 0 d{document} {}\n", u8::from(document < 2000)));
            run.push_str(&format!("1 Q0 d{document} {} {} r\n", document + 1, 5000 - document));
        }
        let (qrels, _) = read_qrels(&Input::bytes("q", gold.as_bytes()), QREL_FORMATS[0], Dialect::Strict, 1).unwrap();
        let runs = RunFiles::new(vec![Input::bytes("r", run.as_bytes())], RUN_FORMATS[0], Dialect::Strict);
        let collection = Collection::read("c".into(), &qrels, &runs, 1).unwrap();
        let panel = Panel::draw(&collection, Seed(1));
        assert_eq!(panel.judges(), DRAWN);
        for judge in 0..DRAWN {
            // 2000 · .35 + 2000 · .15 = 1000 errors, standard deviation √(2000 · (.2275 + .1275)) = 26.6.
            let (labels, differ) = panel.disagreements(judge);
            assert!(labels == 4000 && differ.abs_diff(1000) < 107, "{differ}");
        }
        assert_ne!(panel.labels[0], panel.labels[1]);
        assert_eq!(panel.labels, Panel::draw(&collection, Seed(1)).labels);
    }
}
