//! Labels of judges as a format of plain judgements holds them: one judge, and states as negative grades where there are such.

use std::collections::{BTreeMap, BTreeSet};

use karat_data::State;

use super::Writer;
use super::prepare::{Cannot, listed, rows};
use crate::records::{Column, Table};

/// Puts states into the grades and takes the judge out, where the format has no columns for them.
pub(super) fn fit(table: &mut Table, writer: &Writer, lost: &mut Vec<String>) -> Result<(), Cannot> {
    if writer.holds(Column::Judge) {
        return Ok(());
    }
    let judges: BTreeSet<&[u8]> = (0..table.len()).map(|row| table.text(Column::Judge, row)).collect();
    if judges.len() > 1 {
        return Err(Cannot::Ever(format!(
            "{} holds the labels of one judge, and this file has those of {}; merge them with `karat judges merge`, or keep one judge's rows",
            writer.name,
            judges.len()
        )));
    }
    lost.push(listed(table, Column::Judge, "the judge's name", "judges"));
    let (grades, unsaid) = grades(table, writer);
    lost.extend(
        unsaid.iter().map(|(state, count)| format!("the state {state} of {}, which become unjudged", rows(*count))),
    );
    for column in [Column::Time, Column::Seconds, Column::Reason, Column::Source, Column::Probability] {
        if table.has(column) {
            lost.push(format!("the column {}", column.name()));
        }
    }
    table.set_numbers(Column::Grade, grades);
    table.remove(Column::Judge);
    table.remove(Column::State);
    Ok(())
}

/// Grades with TREC's codes for states; and how often a state cannot be said.
fn grades(table: &Table, writer: &Writer) -> (Vec<f64>, BTreeMap<&'static str, usize>) {
    let mut unsaid: BTreeMap<&str, usize> = BTreeMap::new();
    let mut grades = Vec::with_capacity(table.len());
    for row in 0..table.len() {
        let state = State::from_name(table.text(Column::State, row)).unwrap_or(State::Unjudged);
        let grade = table.number(Column::Grade, row).unwrap_or(f64::NAN);
        // Quepid's case leaves the rating empty.
        let (grade, held) = match state {
            State::Judged => (grade, true),
            State::Unjudged => (-1.0, true),
            State::Junk => (-2.0, writer.name == "trec"),
            State::Cannot | State::Later => (-1.0, false),
        };
        if !held {
            *unsaid.entry(state.name()).or_default() += 1;
        }
        grades.push(grade);
    }
    (grades, unsaid)
}
