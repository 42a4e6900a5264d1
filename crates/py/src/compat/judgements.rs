//! Judgements as Python has them, `{topic: {docno: grade}}`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use karat_data::{Judgement, Qrels, QrelsBuilder};

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

fn judgement(value: &Bound<'_, PyAny>, grades: Grades, place: &dyn Fn() -> String) -> PyResult<Judgement> {
    let found = || format!("{} ({})", names::shown(value), names::kind(value));
    let number = match value.extract::<f64>() {
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
