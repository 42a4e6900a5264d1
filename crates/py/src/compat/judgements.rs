//! Judgements as Python has them, `{topic: {docno: grade}}`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

use karat_data::{Judgement, JudgementKind, MarkedBuilder, MarkedRow, Qrels, QrelsBuilder};

use super::lists::{each, not_a_name};
use super::names;

/// What grades may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grades {
    /// Whole numbers, as trec_eval has them.
    Whole,
    /// Any number.
    Any,
}

/// The judgements of a mapping. Topics without a document are left out.
///
/// # Errors
/// `TypeError` where something is not of the type expected, `ValueError` for a grade that is not a finite number; both
/// name topic, document and value.
pub fn read(qrels: &Bound<'_, PyAny>, grades: Grades) -> PyResult<Qrels> {
    let mut builder = QrelsBuilder::new();
    each(qrels, "qrels", |topic, documents| {
        let topic = topic.cast::<PyString>().map_err(|_| not_a_name("qrels", "a topic", topic))?;
        let name = names::bytes(topic)?;
        let place = || format!("qrels[{}]", names::shown(topic));
        each(documents, &place, |docno, value| {
            let document = docno.cast::<PyString>().map_err(|_| not_a_name(&place(), "a document", docno))?;
            let wrong = || format!("{}[{}]: ", place(), names::shown(docno));
            let judgement = judgement(value, grades, &wrong)?;
            builder.push(&name, &names::bytes(document)?, judgement);
            Ok(())
        })
    })?;
    // Keys of a mapping are different, so no document comes twice.
    Ok(builder.finish().0)
}

/// Judgements by subtopic from rows (topic, subtopic, docno, grade).
///
/// # Errors
/// As [`read`], and `ValueError` for a document that comes twice under one subtopic.
pub fn read_subtopics(rows: &Bound<'_, PyAny>) -> PyResult<Qrels> {
    let mut builder = MarkedBuilder::new(JudgementKind::Subtopics);
    for (number, row) in rows.try_iter()?.enumerate() {
        let place = || format!("qrels, row {number}: ");
        let (topic, subtopic, docno, value): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>) =
            row?.extract()?;
        let [topic, subtopic, docno] = [(&topic, "a topic"), (&subtopic, "a subtopic"), (&docno, "a document")]
            .map(|(name, what)| name.cast::<PyString>().map_err(|_| not_a_name(&place(), what, name)));
        let (topic, subtopic, docno) = (topic?, subtopic?, docno?);
        let judgement = judgement(&value, Grades::Any, &place)?;
        builder.push(&MarkedRow {
            topic: &names::bytes(topic)?,
            docno: &names::bytes(docno)?,
            judgement,
            group: &names::bytes(subtopic)?,
            subgroup: b"",
            value: judgement.grade().unwrap_or(-1.0),
        });
    }
    let (qrels, duplicates) = builder.finish();
    match duplicates.first() {
        None => Ok(qrels),
        Some(twice) => {
            let docno = String::from_utf8_lossy(&twice.docno);
            let (first, second) = (twice.first, twice.second);
            let message = format!(
                "qrels, rows {first} and {second}: expected each document once under a subtopic, found {docno} twice"
            );
            Err(PyValueError::new_err(message))
        }
    }
}

fn judgement(value: &Bound<'_, PyAny>, grades: Grades, place: &dyn Fn() -> String) -> PyResult<Judgement> {
    let found = || format!("{} ({})", names::shown(value), names::kind(value));
    // A grade is mostly a whole number, which Python would first make a float of.
    let whole = value.cast_exact::<PyInt>().ok().and_then(|whole| whole.extract::<i32>().ok());
    let number = match whole.map_or_else(|| value.extract::<f64>(), |whole| Ok(f64::from(whole))) {
        Ok(number) => number,
        Err(_) => {
            return Err(PyTypeError::new_err(format!("{}expected a number as grade, found {}", place(), found())));
        }
    };
    if grades == Grades::Whole && number.is_finite() && number.fract() != 0.0 {
        return Err(PyTypeError::new_err(format!("{}expected a whole number as grade, found {}", place(), found())));
    }
    Judgement::from_number(number)
        .ok_or_else(|| PyValueError::new_err(format!("{}expected a finite grade, found {}", place(), found())))
}
