//! Runs on a cluster: a part of their rows becomes bytes where the rows are, and all parts together an answer.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use karat_cli::condensing;
use karat_cli::{Environment, Failure};
use karat_data::{Problem, names};
use karat_formats::Input;
use karat_formats::memory::{Called, Memory, Picked, Values};
use karat_formats::records::column::{self, Data};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use pyo3_arrow::PyTable;

use crate::answer::Answer;
use crate::arrow;
use crate::call::opened;
use crate::failure::exception;

fn failed(py: Python<'_>, failure: Failure) -> PyErr {
    exception(py, failure, Answer::from(karat_cli::Answer::default()))
}

/// Which of these columns of a run, or of judgements, is which: its meaning for each name, where it has one.
#[pyfunction]
pub fn columns(py: Python<'_>, names: Vec<String>, data: &str, called: &str) -> PyResult<Vec<Option<&'static str>>> {
    let data = if data == "run" { Data::Run } else { Data::Judgements };
    let bytes: Vec<Vec<u8>> = names.iter().map(|name| name.clone().into_bytes()).collect();
    match column::plan(&bytes, data) {
        Ok(plan) => Ok(plan.columns.iter().map(|column| column.map(column::Column::name)).collect()),
        Err(problem) => {
            let found = format!("the {}", problem.found);
            let remedy =
                "rename the columns, for example to query_id, doc_id and score (of a run) or grade (of judgements)";
            Err(failed(py, Problem::of_file(called, problem.expected, found, remedy).into()))
        }
    }
}

/// Refuses what can be told to be wrong before the runs are read.
#[pyfunction]
pub fn check_parts(
    py: Python<'_>,
    arguments: Vec<OsString>,
    inputs: &Bound<'_, PyDict>,
    qrels: String,
) -> PyResult<()> {
    let opened = opened(inputs)?;
    let done = py.detach(|| condensing::check(arguments, &Environment::caller(opened), &qrels));
    done.map_err(|failure| failed(py, failure))
}

/// A part: judgements and rows of some topics. The last column of the rows names the run.
#[pyfunction]
pub fn condense<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    judgements: PyTable,
    rows: PyTable,
) -> PyResult<Bound<'py, PyBytes>> {
    let made = py.detach(|| -> Result<Vec<u8>, Failure> {
        let judged = table("qrels", arrow::columns(judgements).map_err(Failure::Output)?)?;
        let judged = judged.memory().is_some_and(|table| !table.is_empty()).then_some(judged);
        condensing::condense(arguments, judged.as_ref(), by_run(arrow::columns(rows).map_err(Failure::Output)?)?)
    });
    made.map(|bytes| PyBytes::new(py, &bytes)).map_err(|failure| failed(py, failure))
}

/// One of the runs of joined parts, for a call.
#[pyclass(frozen, module = "karat._karat")]
pub struct Run(pub Input);

#[pymethods]
impl Run {
    /// Its name among the arguments of a call.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }
}

/// The runs of all parts: those of `names` in that order, or all there are in the order of their names.
#[pyfunction]
pub fn join_parts(
    py: Python<'_>,
    arguments: Vec<OsString>,
    parts: Vec<PyBackedBytes>,
    names: Option<Vec<String>>,
) -> PyResult<Vec<Run>> {
    let joined = py.detach(|| condensing::join(arguments, parts.iter().map(|part| &part[..]), names.as_deref()));
    Ok(joined.map_err(|failure| failed(py, failure))?.into_iter().map(Run).collect())
}

fn table(name: &str, columns: Vec<(String, Box<dyn Values>)>) -> Result<Input, Failure> {
    let memory = Memory::new(columns, Called::ByKeysAndColumn).map_err(Failure::Output)?;
    Ok(Input::table(name, memory))
}

/// A table for each run.
fn by_run(mut columns: Vec<(String, Box<dyn Values>)>) -> Result<Vec<Input>, Failure> {
    let Some((_, runs)) = columns.pop() else { return Ok(Vec::new()) };
    let mut rows: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
    for row in 0..runs.len() {
        rows.entry(runs.text(row).unwrap_or_default()).or_default().push(row as u32);
    }
    let columns: Vec<(String, Arc<dyn Values>)> =
        columns.into_iter().map(|(name, values)| (name, Arc::from(values))).collect();
    let own = |(run, rows): (&[u8], Vec<u32>)| {
        let (run, rows): (String, Arc<[u32]>) = (names::text(run), rows.into());
        let picked = columns.iter().map(|(name, values)| {
            let picked: Box<dyn Values> = Box::new(Picked::new(values.clone(), rows.clone()));
            (name.clone(), picked)
        });
        Ok(table(&format!("run '{run}'"), picked.collect())?.tagged(&run))
    };
    rows.into_iter().map(own).collect()
}
