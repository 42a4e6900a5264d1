//! Labels of several judges: who said what of which document.
//!
//! The one decision: what a judge said in place of a grade ("cannot judge", "later") is a [`State`], never a grade. Who needs
//! grades gets those of state `judged` only, and nothing else can be taken for a 0.

use std::collections::{BTreeMap, HashMap};

use crate::interned::Names;
use crate::problem::{FirstSeen, quote};
use crate::{LineProblem, Problem, Problems};

/// What a judge did with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum State {
    /// Gave a grade.
    Judged,
    /// Looked at it and could not say: a dead link, a language the judge does not read.
    Cannot,
    /// Put it off.
    Later,
    /// Nobody looked at it.
    Unjudged,
    /// Found it not worth a grade: spam.
    Junk,
}

impl State {
    /// All of them.
    pub const ALL: [State; 5] = [State::Judged, State::Cannot, State::Later, State::Unjudged, State::Junk];

    /// Its name in files and answers.
    pub fn name(self) -> &'static str {
        match self {
            State::Judged => "judged",
            State::Cannot => "cannot",
            State::Later => "later",
            State::Unjudged => "unjudged",
            State::Junk => "junk",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &[u8]) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name().as_bytes() == name.to_ascii_lowercase())
    }
}

/// One judge's word on one document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Label {
    /// The topic's number.
    pub topic: u32,
    /// The document's number.
    pub document: u32,
    /// The judge's number, in the order in which judges first occur.
    pub judge: u32,
    /// The grade; there is one exactly when the state is [`State::Judged`].
    pub grade: Option<f64>,
    /// What the judge did.
    pub state: State,
    /// The file it stands in, by number, and its line or row from 1.
    pub place: (u32, u64),
}

/// What becomes of a judge's second label for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Repeats {
    /// It is a problem.
    #[default]
    Refuse,
    /// The first counts.
    First,
    /// The last counts.
    Last,
}

/// Labels of any number of judges, from any number of files.
#[derive(Debug, Clone, Default)]
pub struct JudgeLabels {
    topics: Names,
    documents: Names,
    judges: Names,
    files: Vec<String>,
    labels: Vec<Label>,
    seen: HashMap<(u32, u32, u32), usize>,
    problems: Problems,
    repeats: Repeats,
    repeated: u64,
}

/// A document of a topic, and what judges said of it, in the order of judges.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelledItem {
    /// The topic's number.
    pub topic: u32,
    /// The document's number.
    pub document: u32,
    /// Its labels.
    pub labels: Vec<Label>,
}

impl LabelledItem {
    /// The judges who gave a grade, and the grades.
    pub fn grades(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.labels.iter().filter_map(|label| Some((label.judge, label.grade?)))
    }
}

impl JudgeLabels {
    /// None yet; what becomes of a judge's second label for a document.
    pub fn new(repeats: Repeats) -> JudgeLabels {
        JudgeLabels { repeats, ..JudgeLabels::default() }
    }

    /// Labels that did not count because the judge gave another for the same document.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The labels that follow stand in this file.
    pub fn file(&mut self, name: &str) {
        self.files.push(name.to_owned());
    }

    /// One more label; `grade` is kept for the state judged only. A judge who labels a document twice is a problem, which
    /// [`JudgeLabels::finish`] tells.
    pub fn push(&mut self, (topic, document, judge): (&[u8], &[u8], &[u8]), grade: f64, state: State, line: u64) {
        let numbers = (self.topics.number(topic), self.documents.number(document), self.judges.number(judge));
        let file = self.files.len().saturating_sub(1) as u32;
        let first = *self.seen.entry(numbers).or_insert(self.labels.len());
        if let Some(before) = self.labels.get_mut(first) {
            self.repeated += 1;
            match self.repeats {
                Repeats::First => return,
                Repeats::Last => {
                    let grade = (state == State::Judged).then_some(grade);
                    *before = Label { grade, state, place: (file, line), ..*before };
                    return;
                }
                Repeats::Refuse => {}
            }
            let (other, at) = before.place;
            let there = self.files.get(other as usize).map_or("", String::as_str);
            let first = FirstSeen { file: (other != file).then(|| there.to_owned()), ..FirstSeen::line(at) };
            let found = format!("{} of topic {} again", quote(document), quote(topic));
            let remedy = "keep one of the two labels (--repeats first or last), or name the judges differently";
            let expected = format!("one label of judge {} for each document", quote(judge));
            let problem = LineProblem::new("doc_id", expected, found, remedy);
            let name = self.files.last().map_or("", String::as_str);
            let problem = Problem::of_line(name, line.saturating_sub(1), problem);
            self.problems.push(Problem { first: Some(first), ..problem });
            return;
        }
        let (topic, document, judge) = numbers;
        let grade = (state == State::Judged).then_some(grade);
        self.labels.push(Label { topic, document, judge, grade, state, place: (file, line) });
    }

    /// All labels, unless something is wrong with them.
    ///
    /// # Errors
    /// A judge labelled a document twice.
    pub fn finish(self) -> Result<JudgeLabels, Problems> {
        self.problems.clone().into_result()?;
        Ok(self)
    }

    /// The labels, in the order of the files.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The judges' names, by number.
    pub fn judges(&self) -> Vec<&[u8]> {
        (0..self.judges.len() as u32).map(|judge| self.judges.name(judge)).collect()
    }

    /// A topic's name.
    pub fn topic(&self, number: u32) -> &[u8] {
        self.topics.name(number)
    }

    /// A document's name.
    pub fn document(&self, number: u32) -> &[u8] {
        self.documents.name(number)
    }

    /// The file and line of a label.
    pub fn place(&self, label: &Label) -> (&str, u64) {
        (self.files.get(label.place.0 as usize).map_or("", String::as_str), label.place.1)
    }

    /// How many labels have each state.
    pub fn states(&self) -> [(State, usize); 5] {
        State::ALL.map(|state| (state, self.labels.iter().filter(|label| label.state == state).count()))
    }

    /// The grades that were given, ascending, each once.
    pub fn grades(&self) -> Vec<f64> {
        let mut grades: Vec<f64> = self.labels.iter().filter_map(|label| label.grade).collect();
        grades.sort_unstable_by(f64::total_cmp);
        grades.dedup();
        grades
    }

    /// Documents with what judges said of them, in the byte order of topics and then of documents.
    pub fn items(&self) -> Vec<LabelledItem> {
        let mut items: BTreeMap<(&[u8], &[u8]), LabelledItem> = BTreeMap::new();
        for label in &self.labels {
            let key = (self.topics.name(label.topic), self.documents.name(label.document));
            let Label { topic, document, .. } = *label;
            items
                .entry(key)
                .or_insert_with(|| LabelledItem { topic, document, labels: Vec::new() })
                .labels
                .push(*label);
        }
        let mut items: Vec<LabelledItem> = items.into_values().collect();
        items.iter_mut().for_each(|item| item.labels.sort_by_key(|label| label.judge));
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_order_and_only_judged_labels_have_grades() {
        let mut labels = JudgeLabels::default();
        labels.file("a.csv");
        labels.push((b"2", b"d", b"ann"), 1.0, State::Judged, 2);
        labels.push((b"1", b"d", b"bob"), 0.0, State::Cannot, 3);
        labels.push((b"2", b"d", b"bob"), 2.0, State::Judged, 4);
        let labels = labels.finish().unwrap();
        let items = labels.items();
        assert_eq!(items.iter().map(|item| labels.topic(item.topic)).collect::<Vec<_>>(), [b"1", b"2"]);
        assert_eq!(items[0].grades().count(), 0);
        assert_eq!(items[1].grades().collect::<Vec<_>>(), [(0, 1.0), (1, 2.0)]);
        assert_eq!((labels.grades(), labels.judges()), (vec![1.0, 2.0], vec![&b"ann"[..], b"bob"]));
        assert_eq!(labels.states()[1], (State::Cannot, 1));
        assert_eq!(State::from_name(b"Judged"), Some(State::Judged));
    }

    #[test]
    fn a_label_given_twice_names_both_places() {
        let mut labels = JudgeLabels::default();
        labels.file("a.csv");
        labels.push((b"1", b"d", b"ann"), 1.0, State::Judged, 2);
        labels.file("b.csv");
        labels.push((b"1", b"d", b"ann"), 0.0, State::Judged, 7);
        let said = labels.finish().unwrap_err().to_string();
        let expected = "b.csv:7: doc_id: expected one label of judge \"ann\" for each document, found \"d\" of topic \"1\" again; \
                        first in a.csv, line 2\nhelp: keep one of the two labels (--repeats first or last), or name the judges \
                        differently";
        assert_eq!(said, expected);
        for (repeats, grade) in [(Repeats::First, 1.0), (Repeats::Last, 0.0)] {
            let mut labels = JudgeLabels::new(repeats);
            labels.push((b"1", b"d", b"ann"), 1.0, State::Judged, 2);
            labels.push((b"1", b"d", b"ann"), 0.0, State::Judged, 7);
            let labels = labels.finish().unwrap();
            assert_eq!((labels.labels()[0].grade, labels.labels().len(), labels.repeated()), (Some(grade), 1, 1));
        }
    }
}
