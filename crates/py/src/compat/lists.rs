//! Runs as Python has them, `{topic: {docno: score}}`, copied into flat storage: one pass over the dictionaries with the
//! interpreter's lock, and none of them touched after it.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};

use karat_data::Row;

use super::names;

/// The lists of a run.
#[derive(Debug, Default)]
pub struct Lists {
    names: Vec<u8>,
    documents: Vec<Document>,
    topics: Vec<Topic>,
    /// Whether a list is a mapping that is no dictionary, which may give a document twice.
    others: bool,
}

#[derive(Debug, Clone, Copy)]
struct Document {
    /// Where its name ends; it begins where the one before ends.
    end: usize,
    score: f64,
}

#[derive(Debug, Clone, Copy)]
struct Topic {
    /// Where its name ends.
    name_end: usize,
    /// Where its documents end.
    end: usize,
}

impl Lists {
    /// Copies a run, and gives the topics' own keys back, in their order.
    ///
    /// # Errors
    /// `TypeError` where something is not of the type expected, `ValueError` for a score that is not a number; both name
    /// topic, document and value.
    pub fn read<'py>(run: &Bound<'py, PyAny>) -> PyResult<(Lists, Vec<Bound<'py, PyString>>)> {
        let mut lists = Lists::default();
        let mut keys = Vec::new();
        each(run, "run", |topic, list| {
            let topic = topic.cast::<PyString>().map_err(|_| not_a_name("run", "a topic", topic))?;
            lists.topic(topic, list)?;
            keys.push(topic.clone());
            Ok(())
        })?;
        Ok((lists, keys))
    }

    fn topic(&mut self, topic: &Bound<'_, PyString>, list: &Bound<'_, PyAny>) -> PyResult<()> {
        names::append(topic, &mut self.names)?;
        let name_end = self.names.len();
        self.others |= !list.is_instance_of::<PyDict>();
        let place = || format!("run[{}]", names::shown(topic));
        each(list, &place, |docno, score| {
            let name = docno.cast::<PyString>().map_err(|_| not_a_name(&place(), "a document", docno))?;
            let score = match score.extract::<f64>() {
                Ok(number) if !number.is_nan() => number,
                Ok(_) => {
                    let place = format!("{}[{}]", place(), names::shown(docno));
                    return Err(PyValueError::new_err(format!(
                        "{place}: expected a score, found nan; there is no rank for it"
                    )));
                }
                Err(_) => {
                    let (found, kind) = (names::shown(score), names::kind(score));
                    let place = format!("{}[{}]", place(), names::shown(docno));
                    return Err(PyTypeError::new_err(format!(
                        "{place}: expected a number as score, found {found} ({kind})"
                    )));
                }
            };
            names::append(name, &mut self.names)?;
            self.documents.push(Document { end: self.names.len(), score });
            Ok(())
        })?;
        self.topics.push(Topic { name_end, end: self.documents.len() });
        Ok(())
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether no list can have a document twice.
    pub fn are_distinct(&self) -> bool {
        !self.others
    }

    /// How many documents come before the end of a topic.
    pub fn documents_to(&self, topic: usize) -> usize {
        self.topics[topic].end
    }

    /// The rows of a topic, and its name.
    pub fn rows<'a>(&'a self, topic: usize, rows: &mut Vec<Row<'a>>) -> &'a [u8] {
        let Topic { name_end, end } = self.topics[topic];
        let first = topic.checked_sub(1).map_or(0, |before| self.topics[before].end);
        let name_start = first.checked_sub(1).map_or(0, |last| self.documents[last].end);
        // Topics without documents have only names between them.
        let name_start = topic.checked_sub(1).map_or(name_start, |before| name_start.max(self.topics[before].name_end));
        rows.clear();
        let mut start = name_end;
        rows.extend((0u32..).zip(&self.documents[first..end]).map(|(line, document)| {
            let docno = &self.names[start..document.end];
            start = document.end;
            Row { docno, score: document.score, line }
        }));
        &self.names[name_start..name_end]
    }
}

/// What a place is called; made only where there is something to say of it.
pub trait Place {
    /// Its name.
    fn name(&self) -> String;
}

impl Place for str {
    fn name(&self) -> String {
        self.to_owned()
    }
}

impl<F: Fn() -> String> Place for F {
    fn name(&self) -> String {
        self()
    }
}

/// Every pair of a mapping. Dictionaries are walked in place, other mappings by their items.
pub fn each<'py>(
    mapping: &Bound<'py, PyAny>,
    place: &(impl Place + ?Sized),
    mut take: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(dictionary) = mapping.cast::<PyDict>() {
        for (key, value) in dictionary {
            take(&key, &value)?;
        }
        return Ok(());
    }
    let Ok(other) = mapping.cast::<PyMapping>() else {
        let (place, found, kind) = (place.name(), names::shown(mapping), names::kind(mapping));
        return Err(PyTypeError::new_err(format!("{place}: expected a mapping (a dict), found {found} ({kind})")));
    };
    for item in other.items()?.iter() {
        let (key, value) = item.extract()?;
        take(&key, &value)?;
    }
    Ok(())
}

/// The exception for a key that is not a string.
pub fn not_a_name(place: &str, what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let (found, kind) = (names::shown(found), names::kind(found));
    PyTypeError::new_err(format!("{place}: expected a string as the name of {what}, found {found} ({kind})"))
}
