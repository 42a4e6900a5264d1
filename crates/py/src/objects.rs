//! Python objects as cells of a column: texts, numbers of any kind, nothing.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use karat_formats::memory::{Flat, Floats, Mixed, Values, Whole};
use karat_formats::records::cell::Cell;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

use crate::compat::names;

/// Collects objects; a column of texts, of floats or of whole numbers alone is kept as such.
pub enum Objects {
    /// Texts.
    Texts(Flat),
    /// Floating-point numbers.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Anything.
    Cells(Vec<Cell<'static>>),
}

impl Objects {
    /// An empty one.
    pub fn new() -> Objects {
        Objects::Cells(Vec::new())
    }

    /// Adds an object.
    #[inline]
    pub fn push(&mut self, object: &Bound<'_, PyAny>) -> PyResult<()> {
        match self {
            Objects::Numbers(numbers) => {
                if let Ok(number) = object.cast_exact::<PyFloat>() {
                    numbers.push(number.value());
                    return Ok(());
                }
            }
            Objects::Whole(numbers) => {
                if let Some(number) = whole(object) {
                    numbers.push(number);
                    return Ok(());
                }
            }
            Objects::Texts(texts) => {
                if let Ok(text) = object.cast::<PyString>() {
                    texts.push(&names::bytes(text)?);
                    return Ok(());
                }
            }
            Objects::Cells(cells) if cells.is_empty() => {
                if object.is_instance_of::<PyString>() {
                    *self = Objects::Texts(Flat::default());
                    return self.push(object);
                }
                if object.is_exact_instance_of::<PyFloat>() {
                    *self = Objects::Numbers(Vec::new());
                    return self.push(object);
                }
                if let Some(number) = whole(object) {
                    *self = Objects::Whole(vec![number]);
                    return Ok(());
                }
            }
            Objects::Cells(_) => {}
        }
        self.push_cell(cell(object)?);
        Ok(())
    }

    /// Adds what is not of the kind that the others are.
    fn push_cell(&mut self, cell: Cell<'static>) {
        match self {
            // A float that is not Python's own is a float all the same.
            Objects::Numbers(numbers) if matches!(cell, Cell::Float(_)) => {
                if let Cell::Float(number) = cell {
                    numbers.push(number);
                }
            }
            Objects::Cells(cells) => cells.push(cell),
            other => {
                let mut cells = other.take();
                cells.push(cell);
                *other = Objects::Cells(cells);
            }
        }
    }

    fn take(&mut self) -> Vec<Cell<'static>> {
        match std::mem::replace(self, Objects::new()) {
            Objects::Texts(texts) => {
                (0..texts.len()).map(|row| Cell::Text(Cow::Owned(texts.get(row).to_vec()))).collect()
            }
            Objects::Numbers(numbers) => numbers.into_iter().map(Cell::Float).collect(),
            Objects::Whole(numbers) => {
                numbers.into_iter().map(|number| Cell::Number(Cow::Owned(number.to_string().into_bytes()))).collect()
            }
            Objects::Cells(cells) => cells,
        }
    }

    /// The column.
    pub fn finish(self) -> Box<dyn Values> {
        match self {
            Objects::Texts(texts) => Box::new(texts),
            Objects::Numbers(numbers) => Box::new(Floats(numbers)),
            Objects::Whole(numbers) => Box::new(Whole(numbers)),
            Objects::Cells(cells) => Box::new(Mixed(cells)),
        }
    }
}

/// A whole number of Python's own, where it is not too large; True and False are none.
fn whole(object: &Bound<'_, PyAny>) -> Option<i64> {
    object.cast_exact::<PyInt>().ok()?.extract().ok()
}

/// An object as a cell.
pub fn cell(object: &Bound<'_, PyAny>) -> PyResult<Cell<'static>> {
    if object.is_none() {
        return Ok(Cell::Missing);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Cell::Text(Cow::Owned(names::bytes(text)?.into_owned())));
    }
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Cell::Other(if flag.is_true() { "True" } else { "False" }));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        return Ok(Cell::Float(number.value()));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Cell::Text(Cow::Owned(bytes.as_bytes().to_vec())));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Cell::Number(Cow::Owned(object.str()?.to_str()?.as_bytes().to_vec())));
    }
    if object.get_type().name()?.to_str()?.trim_end_matches('_') == "bool" {
        return Ok(Cell::Other("a boolean"));
    }
    // numpy's numbers are neither of these; a whole one says so by `__index__`, which others may have and refuse.
    if object.hasattr("__index__")? {
        match object.call_method0("__index__") {
            Ok(whole) => return Ok(Cell::Number(Cow::Owned(whole.str()?.to_str()?.as_bytes().to_vec()))),
            Err(error) if !error.is_instance_of::<PyException>(object.py()) => return Err(error),
            Err(_) => {}
        }
    }
    if object.hasattr("__float__")? {
        return match object.extract::<f64>() {
            Ok(number) => Ok(Cell::Float(number)),
            Err(error) if error.is_instance_of::<PyException>(object.py()) => {
                Ok(Cell::Other("a value that is no number"))
            }
            // Ctrl-C, and whatever else is no mistake in the data.
            Err(error) => Err(error),
        };
    }
    Ok(Cell::Other("a value that is neither text nor a number"))
}

/// Reads dictionaries that nobody may change meanwhile: a `__float__` that does, or another thread, is told so.
pub fn undisturbed<T>(read: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        // pyo3's words, for which it has no error.
        let changed = panic.downcast_ref::<&str>().is_some_and(|text| text.contains("during iteration"))
            || panic.downcast_ref::<String>().is_some_and(|text| text.contains("during iteration"));
        if changed {
            return Err(PyRuntimeError::new_err("a dictionary was changed while it was read; hand over a copy"));
        }
        resume_unwind(panic)
    })
}

/// A key of a mapping as a name: text as it is, whole numbers as they are written.
pub fn name<'a>(key: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, [u8]>>> {
    if let Ok(text) = key.cast::<PyString>() {
        return Ok(Some(names::bytes(text)?));
    }
    Ok(match cell(key)? {
        Cell::Text(text) | Cell::Number(text) => Some(Cow::Owned(text.into_owned())),
        _ => None,
    })
}
