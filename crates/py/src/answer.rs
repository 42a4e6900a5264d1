//! An answer: the report, rendered when and as it is asked for.

use karat_report::figure::svg;
use karat_report::{Block, Figure, RenderOptions, Report, renderer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a command answered.
#[pyclass(frozen, module = "karat._karat")]
pub struct Answer {
    report: Option<Report>,
    page: Option<Vec<u8>>,
    said: Vec<u8>,
    notes: Vec<String>,
}

impl From<karat_cli::Answer> for Answer {
    fn from(answer: karat_cli::Answer) -> Answer {
        let karat_cli::Answer { report, page, said, notes } = answer;
        Answer { report, page, said, notes }
    }
}

#[pymethods]
impl Answer {
    /// The answer in one of the command line's formats; empty where the command has no answer in tables.
    #[pyo3(signature = (format, width=None))]
    fn render(&self, py: Python<'_>, format: &str, width: Option<u16>) -> PyResult<String> {
        let Some(info) = renderer(format) else {
            return Err(PyValueError::new_err(format!("unknown format '{format}'")));
        };
        let Some(report) = &self.report else { return Ok(String::new()) };
        let mut out = Vec::new();
        py.detach(|| (info.make)(RenderOptions { color: false, width }).render(report, &mut out))
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    /// The figures as SVG, each with its name.
    fn figures(&self) -> PyResult<Vec<(String, String)>> {
        let blocks = self.report.iter().flat_map(|report| &report.blocks);
        let figures = blocks.filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        });
        figures.map(drawn).collect()
    }

    /// The line above the tables.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.report.as_ref().map(|report| report.title.as_str())
    }

    /// Warnings and assumptions.
    #[getter]
    fn notes(&self) -> Vec<String> {
        let own = self.report.iter().flat_map(|report| &report.notes);
        own.chain(&self.notes).cloned().collect()
    }

    /// The page of `report`.
    #[getter]
    fn page(&self) -> Option<&[u8]> {
        self.page.as_deref()
    }

    /// An answer that is no table: the text of `demo`, the bytes of `convert`.
    #[getter]
    fn said(&self) -> &[u8] {
        &self.said
    }
}

fn drawn(figure: &Figure) -> PyResult<(String, String)> {
    let mut out = Vec::new();
    svg::write(figure, &mut out)?;
    Ok((figure.file_name(), String::from_utf8_lossy(&out).into_owned()))
}
