//! Records that are labels of judges, and the table they make.
//!
//! The one decision: a cell that is empty stays empty (NaN where a number belongs), and a grade that is a word is kept as one
//! ([`Column::Word`]) until it is known which grade the word means. So nothing is a 0 that nobody gave.

use karat_data::problem::quote;
use karat_data::{JudgementKind, LineProblem, State};

use super::cell::Cell;
use super::column::{Column, Data};
use super::refusal::Refusal;
use super::table::{Table, Values};

/// The columns of the native form, in their order, and that of words.
pub const COLUMNS: [Column; 11] = [
    Column::Topic,
    Column::Document,
    Column::Judge,
    Column::Grade,
    Column::State,
    Column::Time,
    Column::Seconds,
    Column::Reason,
    Column::Source,
    Column::Probability,
    Column::Word,
];

/// One label as a file has it. What is not there is empty.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelRow<'a> {
    /// Line or row, from 1.
    pub line: u64,
    /// The topic; empty where the document names both.
    pub topic: &'a [u8],
    /// The document.
    pub document: &'a [u8],
    /// Who judged.
    pub judge: &'a [u8],
    /// The grade, as a number or as a word.
    pub grade: Given<'a>,
    /// What the judge did, where the file says so.
    pub state: Option<State>,
    /// When.
    pub time: &'a [u8],
    /// How long it took.
    pub seconds: Option<f64>,
    /// Why.
    pub reason: &'a [u8],
    /// Human, a model, clicks.
    pub source: &'a [u8],
    /// The probability with which the pair was drawn.
    pub probability: Option<f64>,
}

/// A grade as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Given<'a> {
    /// None.
    Nothing,
    /// A number; negative as in TREC: -1 not judged, below it junk.
    Number(f64),
    /// A word.
    Word(&'a [u8]),
}

impl<'a> LabelRow<'a> {
    /// A label of which nothing more is known.
    pub fn new(line: u64, topic: &'a [u8], document: &'a [u8], judge: &'a [u8], grade: Given<'a>) -> LabelRow<'a> {
        let none: &[u8] = &[];
        LabelRow {
            line,
            topic,
            document,
            judge,
            grade,
            state: None,
            time: none,
            seconds: None,
            reason: none,
            source: none,
            probability: None,
        }
    }
}

/// A written grade: a number if it is one.
pub fn written(text: &[u8]) -> Given<'_> {
    match text.trim_ascii() {
        [] => Given::Nothing,
        text => fast_float2::parse::<f64, _>(text).map_or(Given::Word(text), Given::Number),
    }
}

/// The grade in a cell.
///
/// # Errors
/// It is neither a number that can be a grade nor text.
pub fn grade<'a>(cell: &'a Cell<'_>) -> Result<Given<'a>, LineProblem> {
    match cell {
        Cell::Missing => Ok(Given::Nothing),
        Cell::Float(number) if number.is_nan() => Ok(Given::Nothing),
        Cell::Written(text) | Cell::Text(text) => match written(text) {
            Given::Number(_) => Cell::Number(text.trim_ascii().into()).number(Column::Grade).map(Given::Number),
            other => Ok(other),
        },
        other => other.number(Column::Grade).map(Given::Number),
    }
}

/// Collects labels into a table.
#[derive(Debug)]
pub struct Labels {
    table: Table,
    /// What is wrong.
    pub refusal: Refusal,
}

impl Default for Labels {
    fn default() -> Labels {
        let mut table = Table::new(Data::Labels, JudgementKind::Grades);
        for column in COLUMNS {
            let empty = if column.is_number() { Values::Numbers(Vec::new()) } else { Values::Names(Vec::new()) };
            table.columns.insert(column, empty);
        }
        Labels { table, refusal: Refusal::default() }
    }
}

impl Labels {
    /// Columns of the file that are not read.
    pub fn unused(&mut self, names: Vec<String>) {
        self.table.unused = names;
    }

    /// One label.
    pub fn push(&mut self, row: &LabelRow<'_>) {
        let (grade, word) = match row.grade {
            Given::Nothing => (f64::NAN, &[][..]),
            Given::Number(number) => (number, &[][..]),
            Given::Word(word) => (f64::NAN, word),
        };
        let state = match row.state {
            Some(state) => Some(state),
            None if !word.is_empty() => None,
            None if grade.is_nan() => Some(State::Unjudged),
            // Negative numbers stand for states, unless the scale has them: `settle` knows.
            None if grade < 0.0 => None,
            None => Some(State::Judged),
        };
        if state == Some(State::Judged) && grade.is_nan() && word.is_empty() {
            return self.refusal.push(row.line, no_grade("nothing"));
        }
        // A task is its own topic.
        let topic = if row.topic.is_empty() { row.document } else { row.topic };
        let state = state.map_or(&b""[..], |state| state.name().as_bytes());
        self.table.lines.push(row.line);
        for column in COLUMNS {
            match column {
                Column::Topic => self.name(column, topic),
                Column::Document => self.name(column, row.document),
                Column::Judge => self.name(column, row.judge),
                Column::State => self.name(column, state),
                Column::Time => self.name(column, row.time),
                Column::Reason => self.name(column, row.reason),
                Column::Source => self.name(column, row.source),
                Column::Word => self.name(column, word),
                Column::Seconds => self.number(column, row.seconds.unwrap_or(f64::NAN)),
                Column::Probability => self.number(column, row.probability.unwrap_or(f64::NAN)),
                _ => self.number(column, grade),
            }
        }
    }

    fn name(&mut self, column: Column, name: &[u8]) {
        let number = self.table.names.number(name);
        if let Some(Values::Names(values)) = self.table.columns.get_mut(&column) {
            values.push(number);
        }
    }

    fn number(&mut self, column: Column, number: f64) {
        if let Some(Values::Numbers(values)) = self.table.columns.get_mut(&column) {
            values.push(number);
        }
    }

    /// A record: one cell for each of the columns.
    pub fn record(&mut self, line: u64, columns: &[Option<Column>], unrateable: bool, cells: &[Cell<'_>]) {
        let at = |wanted: Column| {
            let found = columns.iter().position(|column| *column == Some(wanted));
            found.and_then(|at| cells.get(at)).unwrap_or(&Cell::Missing)
        };
        // Quepid writes a query without any rating as a row of its own.
        if is_empty(at(Column::Document)) && is_empty(at(Column::Grade)) && is_empty(at(Column::State)) {
            return;
        }
        let text = |column: Column| if is_empty(at(column)) { Ok(&b""[..]) } else { at(column).name(column) };
        let number = |column: Column| match at(column) {
            Cell::Float(number) if number.is_nan() => Ok(None),
            cell if is_empty(cell) => Ok(None),
            cell => cell.number(column).map(Some),
        };
        let read = || -> Result<LabelRow<'_>, LineProblem> {
            Ok(LabelRow {
                line,
                topic: if columns.contains(&Some(Column::Topic)) {
                    at(Column::Topic).name(Column::Topic)?
                } else {
                    b""
                },
                document: at(Column::Document).name(Column::Document)?,
                judge: text(Column::Judge)?,
                grade: grade(at(Column::Grade))?,
                state: state(at(Column::State), unrateable)?,
                time: text(Column::Time)?,
                seconds: number(Column::Seconds)?,
                reason: text(Column::Reason)?,
                source: text(Column::Source)?,
                probability: number(Column::Probability)?,
            })
        };
        match read() {
            Ok(row) => self.push(&row),
            Err(problem) => self.refusal.push(line, problem),
        }
    }

    /// The table, without columns that say nothing.
    ///
    /// # Errors
    /// Everything that was wrong.
    pub fn finish(mut self) -> Result<Table, Refusal> {
        if self.table.is_empty() && self.refusal.is_empty() {
            return Err(Refusal::nothing("at least one label", "none", "check that the file was written completely"));
        }
        if !self.refusal.is_empty() {
            return Err(self.refusal);
        }
        let rows = self.table.len();
        for column in COLUMNS.into_iter().skip(5) {
            let idle = |row: usize| match column.is_number() {
                true => self.table.number(column, row).is_none_or(f64::is_nan),
                false => self.table.text(column, row).is_empty(),
            };
            if (0..rows).all(idle) {
                self.table.remove(column);
            }
        }
        Ok(self.table)
    }
}

fn no_grade(found: &str) -> LineProblem {
    let expected = "a grade from 0, because the state is judged";
    let remedy = "give the grade, or say in state what the judge did: cannot, later, unjudged, junk (grades below 0: declare the scale with --scale)";
    LineProblem::new("grade", expected, found, remedy)
}

/// Makes of negative numbers what they are: grades where the declared scale has them, else states as in TREC (-1 not judged, below it junk).
///
/// # Errors
/// A label is judged with a negative grade that is not on the scale.
pub fn settle(table: &mut Table, scale: &[f64]) -> Result<(), Refusal> {
    let rows = table.len();
    let mut grades: Vec<f64> = (0..rows).map(|row| table.number(Column::Grade, row).unwrap_or(f64::NAN)).collect();
    if !grades.iter().any(|grade| *grade < 0.0) {
        return Ok(());
    }
    let mut refusal = Refusal::default();
    let mut states: Vec<Vec<u8>> = (0..rows).map(|row| table.text(Column::State, row).to_vec()).collect();
    for row in (0..rows).filter(|&row| table.number(Column::Grade, row).is_some_and(|grade| grade < 0.0)) {
        let grade = grades[row];
        let state = match State::from_name(&states[row]) {
            Some(State::Judged) | None if scale.contains(&grade) => State::Judged,
            Some(State::Judged) => {
                refusal.push(table.line(row), no_grade(&grade.to_string()));
                continue;
            }
            Some(other) => other,
            None if grade == -1.0 => State::Unjudged,
            None => State::Junk,
        };
        if state != State::Judged {
            grades[row] = f64::NAN;
        }
        states[row] = state.name().into();
    }
    if !refusal.is_empty() {
        return Err(refusal);
    }
    table.set_numbers(Column::Grade, grades);
    table.set_names(Column::State, states.into_iter());
    Ok(())
}

fn is_empty(cell: &Cell<'_>) -> bool {
    cell.is_missing() || matches!(cell, Cell::Text(text) if text.is_empty())
}

/// The state in a cell; in Quepid's column `unrateable`, true is "cannot".
fn state(cell: &Cell<'_>, unrateable: bool) -> Result<Option<State>, LineProblem> {
    let found = match cell {
        cell if is_empty(cell) => return Ok(None),
        Cell::Written(text) | Cell::Text(text) => text.to_ascii_lowercase(),
        Cell::Other(word) => word.as_bytes().to_vec(),
        other => other.name(Column::State)?.to_vec(),
    };
    match &found[..] {
        b"true" if unrateable => Ok(Some(State::Cannot)),
        b"false" if unrateable => Ok(None),
        word if !unrateable && State::from_name(word).is_some() => Ok(State::from_name(word)),
        word => {
            let (name, expected) = match unrateable {
                true => ("unrateable", "true or false"),
                false => ("state", "judged, cannot, later, unjudged or junk"),
            };
            Err(LineProblem::new(name, expected, quote(word), "write one of these, or leave the field empty"))
        }
    }
}
