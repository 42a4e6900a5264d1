//! What went wrong, as Python's exceptions: one class for each kind, in `karat._errors`.

use karat_cli::Failure;
use karat_data::problem::Place;
use karat_data::{Problem, ProblemKind};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::answer::Answer;

/// The exception for a failure; a gate's carries the answer that broke it.
pub fn exception(py: Python<'_>, failure: Failure, answer: Answer) -> PyErr {
    match make(py, failure, answer) {
        Ok(error) | Err(error) => error,
    }
}

fn make(py: Python<'_>, failure: Failure, answer: Answer) -> PyResult<PyErr> {
    let errors = py.import("karat._errors")?;
    let raised = |name: &str, arguments: (String, Bound<'_, PyAny>)| -> PyResult<PyErr> {
        Ok(PyErr::from_value(errors.getattr(name)?.call1(arguments)?))
    };
    let none = || py.None().into_bound(py);
    match failure {
        Failure::Usage(message) => raised("UsageError", (message, none())),
        Failure::Output(message) => raised("FileError", (message, none())),
        Failure::Stopped => Ok(PyKeyboardInterrupt::new_err(())),
        Failure::Gate(message) => raised("GateError", (message, Py::new(py, answer)?.into_bound(py).into_any())),
        Failure::Inputs(problems) => {
            let listed = PyList::empty(py);
            for problem in problems.kept() {
                listed.append(describe(py, problem)?)?;
            }
            let unreadable = problems.kept().iter().all(|problem| problem.kind == ProblemKind::Unreadable);
            let name = if unreadable { "FileError" } else { "InputError" };
            raised(name, (problems.to_string(), listed.into_any()))
        }
    }
}

fn describe<'py>(py: Python<'py>, problem: &Problem) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("file", &problem.file)?;
    told.set_item("line", problem.line)?;
    let (row, column) = match &problem.place {
        Some(Place::Row { row, column }) => (Some(*row), column.clone()),
        Some(Place::Keys { column, .. }) => (None, column.clone()),
        _ => (None, None),
    };
    told.set_item("row", row)?;
    told.set_item("column", column.or_else(|| problem.field.map(str::to_owned)))?;
    let (topic, document) = match &problem.place {
        Some(Place::Keys { topic, document, .. }) => (Some(topic), Some(document)),
        _ => (None, None),
    };
    told.set_item("topic", topic)?;
    told.set_item("document", document)?;
    told.set_item("expected", &problem.expected)?;
    told.set_item("found", problem.found_text())?;
    told.set_item("remedy", &problem.remedy)?;
    Ok(told)
}
