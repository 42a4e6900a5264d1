//! Tables that Python hands over: mappings, columns, rows, and whatever speaks Arrow.

use std::sync::{Mutex, PoisonError};

use karat_formats::memory::{Called, Flat, Floats, Memory, Repeated, Values, Whole};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};
use pyo3_arrow::PyTable;

use crate::arrow;
use crate::objects::{Objects, name, undisturbed};

/// A table, made for one call.
#[pyclass(frozen, module = "karat._karat")]
pub struct Table(Mutex<Option<Memory>>);

impl Table {
    fn new(columns: Vec<(String, Box<dyn Values>)>, called: Called) -> PyResult<Table> {
        let memory = Memory::new(columns, called).map_err(PyValueError::new_err)?;
        Ok(Table(Mutex::new(Some(memory))))
    }

    fn of_map(mapping: &Bound<'_, PyDict>) -> PyResult<Table> {
        let (mut topics, mut documents, mut numbers) = (Repeated::default(), Flat::default(), Objects::new());
        for (topic, given) in mapping.iter() {
            let Some(topic_name) = name(&topic)? else {
                return Err(PyTypeError::new_err(format!("expected topics named by text, found {}", topic.repr()?)));
            };
            let Some(inner) = dictionary(&given)? else {
                return Err(PyTypeError::new_err(format!(
                    "topic {}: expected a mapping of documents to numbers, found {}",
                    topic.repr()?,
                    given.get_type().name()?
                )));
            };
            for (document, number) in inner.iter() {
                match name(&document)? {
                    Some(document) => documents.push(&document),
                    None => {
                        return Err(PyTypeError::new_err(format!(
                            "topic {}: expected documents named by text, found {}",
                            topic.repr()?,
                            document.repr()?
                        )));
                    }
                }
                numbers.push(&number)?;
            }
            topics.push(&topic_name, documents.len());
        }
        let columns: Vec<(String, Box<dyn Values>)> = vec![
            ("query_id".into(), Box::new(topics)),
            ("doc_id".into(), Box::new(documents)),
            ("score".into(), numbers.finish()),
        ];
        Table::new(columns, Called::ByKeys)
    }

    /// The table itself, once.
    pub fn take(&self) -> PyResult<Memory> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or_else(|| PyRuntimeError::new_err("the table was used by another call"))
    }
}

/// A mapping as a dictionary; `None` where the object is no mapping.
fn dictionary<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    if let Ok(own) = object.cast::<PyDict>() {
        return Ok(Some(own.clone()));
    }
    let Ok(other) = object.cast::<PyMapping>() else { return Ok(None) };
    let own = PyDict::new(other.py());
    own.update(other)?;
    Ok(Some(own))
}

#[pymethods]
impl Table {
    /// Of a mapping {topic: {document: number}}.
    #[staticmethod]
    fn from_map(mapping: &Bound<'_, PyDict>) -> PyResult<Table> {
        undisturbed(|| Table::of_map(mapping))
    }

    /// Of columns by name: buffers of float64 or int64, or lists of objects.
    #[staticmethod]
    fn from_columns(columns: &Bound<'_, PyDict>) -> PyResult<Table> {
        let mut made: Vec<(String, Box<dyn Values>)> = Vec::with_capacity(columns.len());
        for (name, values) in columns.iter() {
            made.push((name.str()?.to_string(), column(&values)?));
        }
        Table::new(made, Called::ByRow)
    }

    /// Of rows with these columns.
    #[staticmethod]
    fn from_rows(rows: &Bound<'_, PyList>, names: Vec<String>) -> PyResult<Table> {
        let mut columns: Vec<Objects> = names.iter().map(|_| Objects::new()).collect();
        for (at, row) in rows.iter().enumerate() {
            let mut cells = 0;
            let Ok(cells_of_row) = row.try_iter() else {
                let (expected, found) = (names.join(", "), row.get_type().name()?);
                return Err(PyTypeError::new_err(format!(
                    "row {at}: expected {} values ({expected}), found {found}",
                    names.len()
                )));
            };
            for (place, object) in cells_of_row.enumerate() {
                cells = place + 1;
                if let Some(column) = columns.get_mut(place) {
                    column.push(&object?)?;
                }
            }
            if cells != names.len() {
                let expected = names.join(", ");
                return Err(PyValueError::new_err(format!(
                    "row {at}: expected {} values ({expected}), found {cells}",
                    names.len()
                )));
            }
        }
        let columns = names.into_iter().zip(columns.into_iter().map(Objects::finish)).collect();
        Table::new(columns, Called::ByRow)
    }

    /// Of an object with `__arrow_c_stream__`, without a copy.
    #[staticmethod]
    fn from_arrow(table: PyTable) -> PyResult<Table> {
        Table::new(arrow::columns(table).map_err(PyValueError::new_err)?, Called::ByRow)
    }

    fn __len__(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Memory::len)
    }
}

fn column(values: &Bound<'_, PyAny>) -> PyResult<Box<dyn Values>> {
    if let Ok(list) = values.cast::<PyList>() {
        let mut objects = Objects::new();
        list.iter().try_for_each(|object| objects.push(&object))?;
        return Ok(objects.finish());
    }
    if let Ok(floats) = PyBuffer::<f64>::get(values) {
        return Ok(Box::new(Floats(floats.to_vec(values.py())?)));
    }
    let whole = PyBuffer::<i64>::get(values)?;
    Ok(Box::new(Whole(whole.to_vec(values.py())?)))
}
