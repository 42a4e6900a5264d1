//! Runs whose rows lie somewhere else: topics were aligned with their judgements where the rows are, on any number of
//! machines, and what a study sees of each list is put together here.
//!
//! The one decision: what travels is neither rows nor scores but the list as measures see it, judgements in rank order
//! with their ties, a few bytes for each judged document. So nothing depends on which machine had which topic: every number
//! is computed here, from the same lists, by the same code, in the same order of topics as if the files were at hand. The rows, their names
//! and their sorting, which are nearly all of the work, stay where they are.

mod documents;
pub(crate) mod list;
mod problems;
pub mod wire;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

use crate::documents::{RankedDocuments, TopicDocuments};
use crate::names;
use crate::policy::{MissingTopics, Policy};
use crate::problem::{Problem, Problems};
use crate::qrels::Qrels;
use crate::rankings;
use crate::source::{RunFacts, RunSource};
use wire::{Reader, Writer, unsealed};

/// How the bytes begin.
const MARK: &[u8] = b"karat part";

/// The lists of some runs, for some topics or for all.
#[derive(Debug)]
pub struct Condensed {
    /// Program and policy that they were made by.
    made_by: String,
    runs: Vec<Run>,
    /// By topic in the order of names; `None` where nobody asked for them.
    documents: Option<Arc<[TopicDocuments]>>,
    /// Whether documents that nobody pooled have their names.
    has_names: bool,
}

#[derive(Debug, Clone)]
struct Run {
    facts: RunFacts,
    lists: Lists,
}

/// Lists as [`list::write`] writes them, by topic; nothing for a topic that nobody judged.
pub(crate) type Lists = BTreeMap<Vec<u8>, Option<Box<[u8]>>>;

/// What a part says.
#[derive(Debug)]
pub enum Part {
    /// Its lists.
    Lists(Condensed),
    /// What is wrong with its rows.
    Wrong(Problems),
}

/// Why parts cannot be joined.
#[derive(Debug, PartialEq, Eq)]
pub enum NotAPart {
    /// The bytes are no part.
    Damaged,
    /// The rows of a topic were divided.
    Divided {
        /// The topic.
        topic: String,
    },
    /// They were made by another version, or under other options.
    MadeBy {
        /// By this.
        theirs: String,
        /// By that.
        ours: String,
    },
}

impl fmt::Display for NotAPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAPart::Damaged => f.write_str("a part of the answer is damaged; run it again"),
            NotAPart::Divided { topic } => write!(
                f,
                "topic '{}' is in two parts of the answer; all its rows, of runs and of judgements, belong into one",
                names::shown(topic)
            ),
            NotAPart::MadeBy { theirs, ours } => write!(
                f,
                "a part of the answer was made by {theirs}, and this is {ours}; install the same karat on every machine"
            ),
        }
    }
}

/// Who makes parts: `version` of the program, under a policy.
fn maker(version: &str, policy: &Policy) -> String {
    format!("karat {version} {}", under(policy))
}

fn under(policy: &Policy) -> String {
    // What becomes of topics that a run lacks is decided later.
    format!("under {:?}", Policy { missing_topics: MissingTopics::default(), ..*policy })
}

impl Part {
    /// Aligns some topics of some runs: `qrels` has all judgements of these topics. With `documents`, which documents the runs
    /// have in common is kept too.
    pub fn of(qrels: &Qrels, runs: &dyn RunSource, policy: &Policy, documents: bool, version: &str) -> Part {
        let made = || -> Result<Condensed, Problems> {
            let found = rankings::lists(qrels, runs, policy)?;
            let runs_of = |(facts, topics, unjudged): rankings::Lists| {
                let judged = topics.into_iter().map(|(topic, list)| (qrels.name(topic).to_vec(), Some(list)));
                let unjudged = unjudged.into_iter().map(|name| (name, None));
                Run { facts, lists: judged.chain(unjudged).collect() }
            };
            let mut condensed = Condensed {
                made_by: maker(version, policy),
                runs: found.into_iter().map(runs_of).collect(),
                documents: None,
                has_names: false,
            };
            if documents {
                let read = RankedDocuments::read(runs, &Policy { depth: None, ..*policy }, 1)?;
                let judged = read.topics.iter().filter(|topic| qrels.find(&topic.name).is_some());
                condensed.documents = Some(judged.map(|topic| documents::forget(topic, qrels)).collect());
            }
            Ok(condensed)
        };
        made().map_or_else(Part::Wrong, Part::Lists)
    }

    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(MARK);
        match self {
            Part::Wrong(problems) => {
                out.whole(0);
                problems::write(&mut out, problems);
            }
            Part::Lists(lists) => {
                out.whole(1);
                lists.write(&mut out);
            }
        }
        out.sealed()
    }

    /// From bytes; `None` where they are no part.
    pub fn read(bytes: &[u8]) -> Option<Part> {
        let mut from = Reader::new(unsealed(bytes)?);
        from.bytes().filter(|mark| *mark == MARK)?;
        let part = match from.whole()? {
            0 => Part::Wrong(problems::read(&mut from)?),
            _ => Part::Lists(Condensed::read(&mut from)?),
        };
        from.is_done().then_some(part)
    }
}

impl Condensed {
    /// Of lists that were made here under a policy.
    pub(crate) fn new(
        policy: &Policy,
        runs: Vec<(RunFacts, Lists)>,
        documents: Option<Arc<[TopicDocuments]>>,
    ) -> Condensed {
        let runs = runs.into_iter().map(|(facts, lists)| Run { facts, lists }).collect();
        Condensed { made_by: maker("", policy), runs, documents, has_names: true }
    }

    /// Some of the runs, by their places, in that order.
    pub(crate) fn some(&self, places: &[usize]) -> Condensed {
        let all = places.iter().copied().eq(0..self.runs.len());
        let documents = match &self.documents {
            Some(topics) if !all => Some(topics.iter().map(|topic| topic.of_runs(places)).collect()),
            other => other.clone(),
        };
        Condensed {
            made_by: self.made_by.clone(),
            runs: places.iter().map(|&place| self.runs[place].clone()).collect(),
            documents,
            has_names: self.has_names,
        }
    }

    /// Whether its documents have their names.
    pub(crate) fn has_names(&self) -> bool {
        self.has_names
    }

    /// Puts parts together. The runs are those of `names`, in that order, or all there are in the order of their names.
    ///
    /// # Errors
    /// What is wrong with rows anywhere; `Err(Ok(..))` where bytes are no part of this answer.
    pub fn join<'b>(
        parts: impl IntoIterator<Item = &'b [u8]>,
        names: Option<&[String]>,
        policy: &Policy,
        version: &str,
    ) -> Result<Condensed, Result<NotAPart, Problems>> {
        let made_by = maker(version, policy);
        let mut runs: BTreeMap<String, Run> = BTreeMap::new();
        let mut documents: Vec<(Vec<String>, TopicDocuments)> = Vec::new();
        let mut wrong = Problems::default();
        for bytes in parts {
            let part = match Part::read(bytes).ok_or(Ok(NotAPart::Damaged))? {
                Part::Lists(part) => part,
                Part::Wrong(problems) => {
                    wrong.extend(problems);
                    continue;
                }
            };
            if part.made_by != made_by {
                return Err(Ok(NotAPart::MadeBy { theirs: part.made_by, ours: made_by }));
            }
            let own: Vec<String> = part.runs.iter().map(Run::name).collect();
            for run in part.runs {
                match runs.get_mut(&run.name()) {
                    Some(whole) => whole.add(run).map_err(Ok)?,
                    None => drop(runs.insert(run.name(), run)),
                }
            }
            let topics = part.documents.iter().flat_map(|topics| topics.iter().cloned());
            documents.extend(topics.map(|topic| (own.clone(), topic)));
        }
        wrong.into_result().map_err(Err)?;
        let order: Vec<String> = names.map_or_else(|| runs.keys().cloned().collect(), <[String]>::to_vec);
        Ok(Condensed::in_order(made_by, &order, runs, documents))
    }

    /// The runs in this order, and the documents of each topic with places among them.
    fn in_order(
        made_by: String,
        order: &[String],
        mut runs: BTreeMap<String, Run>,
        documents: Vec<(Vec<String>, TopicDocuments)>,
    ) -> Condensed {
        let mut all = Vec::with_capacity(order.len());
        for name in order {
            all.push(runs.remove(name).unwrap_or_else(|| Run { facts: facts_of(name), lists: BTreeMap::new() }));
        }
        let places: HashMap<&str, usize> =
            order.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        let placed = documents.into_iter().map(|(own, topic)| {
            let at = own.iter().map(|name| places.get(name.as_str()).copied());
            (topic.name.clone(), topic.among(at, order.len()))
        });
        let documents: BTreeMap<Vec<u8>, TopicDocuments> = placed.collect();
        Condensed { made_by, documents: Some(documents.into_values().collect()), runs: all, has_names: false }
    }

    /// The names of the runs, in order.
    pub fn names(&self) -> Vec<String> {
        self.runs.iter().map(Run::name).collect()
    }

    /// What is known of the runs.
    ///
    /// # Errors
    /// A run has no row anywhere.
    pub fn facts(&self) -> Result<Vec<RunFacts>, Problems> {
        let mut problems = Problems::default();
        for run in self.runs.iter().filter(|run| run.lists.is_empty()) {
            problems.push(Problem::of_file(
                &run.facts.file,
                "at least one retrieved document",
                "a table without rows",
                "check that the system retrieved something; leave the run out if it did not",
            ));
        }
        problems.into_result()?;
        let counted = |run: &Run| RunFacts { topics: run.lists.len() as u64, ..run.facts.clone() };
        Ok(self.runs.iter().map(counted).collect())
    }

    /// Whether the lists are what this policy makes of the rows.
    pub(crate) fn is_by(&self, policy: &Policy) -> bool {
        self.made_by.ends_with(&under(policy))
    }

    /// Run, topic and list of every list; no list where nobody judged the topic.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (usize, &[u8], Option<&[u8]>)> {
        self.runs.iter().enumerate().flat_map(|(place, run)| {
            run.lists.iter().map(move |(topic, list)| (place, topic.as_slice(), list.as_deref()))
        })
    }

    /// Which documents the runs have in common, by topic, where that was kept; of runs that were read elsewhere without the names of
    /// documents that nobody pooled.
    pub(crate) fn documents(&self) -> Option<Arc<[TopicDocuments]>> {
        self.documents.clone()
    }

    fn write(&self, out: &mut Writer) {
        out.bytes(self.made_by.as_bytes());
        out.count(self.runs.len());
        for run in &self.runs {
            out.bytes(run.name().as_bytes());
            out.bytes(run.facts.file.as_bytes());
            out.whole(run.facts.bytes);
            out.whole(run.facts.rows);
            out.count(run.lists.len());
            for (topic, list) in &run.lists {
                out.bytes(topic);
                // An empty list of bytes is no ranking.
                out.bytes(list.as_deref().unwrap_or_default());
            }
        }
        let topics = self.documents.as_deref().unwrap_or_default();
        out.count(topics.len());
        topics.iter().for_each(|topic| documents::write(out, topic));
    }

    fn read(from: &mut Reader<'_>) -> Option<Condensed> {
        let made_by = from.text()?;
        let mut runs = Vec::new();
        for _ in 0..from.things()? {
            let name = from.text()?;
            let mut facts = RunFacts { file: from.text()?, ..facts_of(&name) };
            (facts.bytes, facts.rows) = (from.whole()?, from.whole()?);
            let mut lists = BTreeMap::new();
            for _ in 0..from.things()? {
                let topic = from.bytes()?.to_vec();
                lists.insert(topic, Some(from.bytes()?).filter(|list| !list.is_empty()).map(Box::from));
            }
            runs.push(Run { facts, lists });
        }
        let mut documents = BTreeMap::new();
        for _ in 0..from.things()? {
            let topic = documents::read(from, runs.len())?;
            documents.insert(topic.name.clone(), topic);
        }
        Some(Condensed { made_by, runs, documents: Some(documents.into_values().collect()), has_names: false })
    }
}

impl Run {
    fn name(&self) -> String {
        self.facts.tag.clone().unwrap_or_else(|| self.facts.file.clone())
    }

    /// More topics of the same run.
    fn add(&mut self, more: Run) -> Result<(), NotAPart> {
        if let Some(topic) = more.lists.keys().find(|topic| self.lists.contains_key(*topic)) {
            return Err(NotAPart::Divided { topic: names::text(topic) });
        }
        self.facts.bytes += more.facts.bytes;
        self.facts.rows += more.facts.rows;
        self.lists.extend(more.lists);
        Ok(())
    }
}

/// What is known of a run before anything of it was read.
fn facts_of(name: &str) -> RunFacts {
    RunFacts { file: format!("run '{name}'"), format: "parts", tag: Some(name.to_owned()), ..RunFacts::default() }
}

#[cfg(test)]
mod tests;
