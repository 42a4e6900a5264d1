//! The evaluator the package's drop-ins are made of. It never changes after it was made, so threads may share it.

use std::path::PathBuf;
use std::thread::available_parallelism;

use karat_data::{CollectionFacts, JudgementKind, MissingTopics, Policy, Problems, Qrels, ScorePrecision, Ties};
use karat_measures::spec::parse_list;
use karat_measures::trec_eval::{Choices, Line, Profile, select, table};
use karat_measures::{Measure, SpecError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::judgements::{self, Grades};
use super::kernel::{Kernel, Question};
use super::lists::Lists;
use super::{files, names};
use crate::objects::undisturbed;

/// Judgements and measures, ready for runs.
#[pyclass(frozen, module = "karat._karat.compat")]
pub struct Evaluator {
    kernel: Kernel,
    labels: Vec<Py<PyString>>,
    /// A dictionary with every label, which answers are copies of.
    template: Py<PyDict>,
    notes: Vec<String>,
}

#[pymethods]
impl Evaluator {
    /// As trec_eval 9 has it: measures by its names (`map`, `P.5,10`), scores compared as 32-bit numbers.
    #[staticmethod]
    #[pyo3(signature = (qrels, measures, level, judged_only))]
    fn trec_eval(
        py: Python<'_>,
        qrels: &Bound<'_, PyAny>,
        measures: Vec<String>,
        level: f64,
        judged_only: bool,
    ) -> PyResult<Evaluator> {
        let choices = Choices { profile: Profile::Nine, level, judged_only };
        let selection = select(&measures, choices).map_err(|refusal| PyValueError::new_err(refusal.message))?;
        let policy = Policy {
            ties: Ties::Docno,
            precision: ScorePrecision::F32,
            depth: None,
            judged_only,
            missing_topics: MissingTopics::Skip,
            duplicates_below_depth: false,
        };
        let qrels = read_judgements(py, qrels, Grades::Whole)?;
        let labels: Vec<String> = selection.lines.iter().map(label).collect();
        let notes = selection.notes.into_iter().map(|note| note.what).collect();
        // trec_eval's default size of a collection is 0.
        let collection = collection(&qrels, Some(0), None);
        let kernel = Kernel { qrels, collection, policy, question: Question::Lines(selection.lines) };
        Evaluator::new(py, kernel, &labels, notes)
    }

    /// As karat has it: measures by karat's names, scores compared as 64-bit numbers. Measures of subtopics are given
    /// judgements as rows (topic, subtopic, docno, grade).
    #[staticmethod]
    #[pyo3(signature = (qrels, measures, *, judged_only = false, max_grade = None))]
    fn measures(
        py: Python<'_>,
        qrels: &Bound<'_, PyAny>,
        measures: Vec<String>,
        judged_only: bool,
        max_grade: Option<f64>,
    ) -> PyResult<Evaluator> {
        let built: Vec<_> = measures.iter().map(|text| measure(text)).collect::<PyResult<_>>()?;
        let by_subtopic = |measure: &dyn Measure| measure.info().needs == JudgementKind::Subtopics;
        let qrels = if built.iter().any(|measure| by_subtopic(measure.as_ref())) {
            judgements::read_subtopics(qrels)?
        } else {
            read_judgements(py, qrels, Grades::Any)?
        };
        let collection = collection(&qrels, None, max_grade);
        let policy = Policy { judged_only, missing_topics: MissingTopics::Skip, ..Policy::default() };
        let kernel = Kernel { qrels, collection, policy, question: Question::Measures(built) };
        Evaluator::new(py, kernel, &measures, Vec::new())
    }

    /// What the choice of measures brings about that a user may not expect.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// `{topic: {measure: value}}` for the judged topics of a run (a mapping `{topic: {docno: score}}`), in its order.
    fn evaluate<'py>(&self, py: Python<'py>, run: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (lists, keys) = undisturbed(|| Lists::read(run))?;
        let (judged, answers) = py.detach(|| self.kernel.answers(&lists, threads())).map_err(|problems| {
            let found = problems.first().map_or_else(String::new, |problem| problem.found.clone());
            PyValueError::new_err(format!("run: expected each document once, found {found}"))
        })?;
        let result = PyDict::new(py);
        let width = self.labels.len();
        for (place, key) in keys.iter().enumerate().filter(|(place, _)| judged[*place]) {
            result.set_item(plain(key)?, self.answer(py, &answers[place * width..][..width])?)?;
        }
        Ok(result)
    }

    /// The same for a run in a file, as trec_eval reads it, in byte order of topics.
    fn evaluate_file<'py>(&self, py: Python<'py>, path: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let found = py.detach(|| files::answers(&self.kernel, &path, threads())).map_err(problems)?;
        let result = PyDict::new(py);
        for (topic, values) in found {
            let name = names::string(py, self.kernel.qrels.name(topic))?;
            result.set_item(name, self.answer(py, &values)?)?;
        }
        Ok(result)
    }

    /// The judged topics, in byte order.
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let qrels = &self.kernel.qrels;
        qrels.topics().map(|topic| names::string(py, qrels.name(topic))).collect()
    }

    /// What the measures say of an empty list, for every judged topic that is not in `answered`.
    fn missing<'py>(&self, py: Python<'py>, answered: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        let mut values = vec![0.0; self.labels.len()];
        for topic in self.kernel.qrels.topics() {
            let name = names::string(py, self.kernel.qrels.name(topic))?;
            if !answered.contains(&name)? {
                self.kernel.ask(topic, karat_data::Ranking::default(), &mut values);
                result.set_item(name, self.answer(py, &values)?)?;
            }
        }
        Ok(result)
    }
}

impl Evaluator {
    fn new(py: Python<'_>, kernel: Kernel, labels: &[String], notes: Vec<String>) -> PyResult<Evaluator> {
        let template = PyDict::new(py);
        let labels: Vec<Bound<'_, PyString>> = labels.iter().map(|label| PyString::intern(py, label)).collect();
        for label in &labels {
            template.set_item(label, 0.0)?;
        }
        let labels = labels.into_iter().map(Bound::unbind).collect();
        Ok(Evaluator { kernel, labels, template: template.unbind(), notes })
    }

    /// A copy of a dictionary costs less than one that grows.
    fn answer<'py>(&self, py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyDict>> {
        let answer = self.template.bind(py).copy()?;
        for (label, value) in self.labels.iter().zip(values) {
            // What is undefined is None; no measure's value is nan.
            if value.is_nan() { answer.set_item(label, py.None())? } else { answer.set_item(label, value)? }
        }
        Ok(answer)
    }
}

/// The one measure that a text names.
///
/// # Errors
/// `ValueError` with what is possible.
pub fn measure(text: &str) -> PyResult<Box<dyn Measure>> {
    let refused = |error: SpecError| PyValueError::new_err(error.message);
    let mut specs = parse_list(text, 1.0).map_err(refused)?;
    let (Some(spec), true) = (specs.pop(), specs.is_empty()) else {
        return Err(PyValueError::new_err(format!("expected one measure, found '{text}'")));
    };
    spec.build().map_err(refused)
}

/// A topic's key as a plain string, whatever kind of string the run has.
fn plain<'py>(key: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    if key.is_exact_instance_of::<PyString>() { Ok(key.clone()) } else { key.as_any().str() }
}

/// A line's name in pytrec_eval: cut-offs are part of it, other parameters are not.
fn label(line: &Line) -> String {
    let cut = table::ROWS.iter().any(|row| row.name == line.name && row.kind.has_a_line_each());
    if cut { line.label.clone() } else { line.name.to_owned() }
}

fn collection(qrels: &Qrels, documents: Option<u64>, max_grade: Option<f64>) -> CollectionFacts {
    let max_grade = max_grade.unwrap_or_else(|| qrels.max_grade().unwrap_or(0.0).max(1.0));
    CollectionFacts { max_grade, documents, whole_grades: qrels.has_whole_grades() }
}

/// A mapping, or a path.
fn read_judgements(py: Python<'_>, qrels: &Bound<'_, PyAny>, grades: Grades) -> PyResult<Qrels> {
    let is_path = qrels.is_instance_of::<PyString>() || qrels.hasattr("__fspath__")?;
    if !is_path {
        return judgements::read(qrels, grades);
    }
    let path: PathBuf = qrels.extract()?;
    py.detach(|| files::judgements(&path, threads())).map_err(problems)
}

fn problems(problems: Problems) -> PyErr {
    let unreadable = problems.kept().iter().any(|problem| problem.kind == karat_data::ProblemKind::Unreadable);
    let text = problems.to_string();
    if unreadable { PyOSError::new_err(text) } else { PyValueError::new_err(text) }
}

fn threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}
