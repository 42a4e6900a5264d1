//! What the drop-ins for other Python tools stand on: an evaluator that holds judgements and measures, and is given runs.
//!
//! The decision behind it: what is Python's (names, shapes of answers, defaults of the tool stood in for) is in the
//! package; here runs become rows ([`lists`]), rows become numbers without the interpreter's lock ([`kernel`]).

mod evaluator;
mod files;
mod judgements;
mod kernel;
mod lists;
pub(crate) mod names;

#[pyo3::pymodule]
pub mod compat {
    use std::collections::BTreeMap;

    use karat_data::JudgementKind;
    use karat_measures::trec_eval::table::{NICKNAMES, ROWS};
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::evaluator::Evaluator;

    /// What judgements a measure needs: `grades`, `subtopics`, or `others`.
    #[pyfunction]
    fn needs(measure: &str) -> PyResult<&'static str> {
        Ok(match super::evaluator::measure(measure)?.info().needs {
            JudgementKind::Grades => "grades",
            JudgementKind::Subtopics => "subtopics",
            _ => "others",
        })
    }

    /// trec_eval 9's nicknames and the measures they stand for; `all_trec` has every measure of plain judgements.
    #[pyfunction]
    fn trec_eval_nicknames() -> BTreeMap<&'static str, Vec<&'static str>> {
        let nine = || ROWS.iter().filter(|row| !row.since_10);
        let members = |nickname: &str| nine().filter(|row| row.belongs_to(nickname)).map(|row| row.name).collect();
        NICKNAMES.iter().map(|nickname| (*nickname, members(nickname))).collect()
    }
}
