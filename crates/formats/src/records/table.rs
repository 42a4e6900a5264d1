//! A run or judgements as a table of known columns: what every reader of records makes, and what every writer takes.
//!
//! Unlike the judgements that measures see, a table keeps what the file says (which negative grade, which iteration),
//! so that nothing is lost on the way to another format.

use std::borrow::Cow;
use std::collections::BTreeMap;

use karat_data::interned::Names;
use karat_data::problem::quote;
use karat_data::{JudgementKind, LineProblem, ProblemKind, State};

use super::cell::Cell;
use super::column::{Column, Data, Plan};

use super::label::Labels;
use super::refusal::Refusal;

/// The values of a column, row by row.
#[derive(Debug, Clone)]
pub enum Values {
    /// Numbers of names ([`Table::text`]).
    Names(Vec<u32>),
    /// Numbers.
    Numbers(Vec<f64>),
}

/// A run or judgements.
#[derive(Debug, Clone)]
pub struct Table {
    /// What the rows are.
    pub data: Data,
    /// Which kind of judgement.
    pub kind: JudgementKind,
    /// The file's columns that are not in it.
    pub unused: Vec<String>,
    /// Rows of judgements whose grade was a word for a state (cannot, later), which are not judged here.
    pub states: usize,
    pub(crate) names: Names,
    pub(crate) columns: BTreeMap<Column, Values>,
    /// For each row its line in the file, or its number where the file has no lines; from 1.
    pub(crate) lines: Vec<u64>,
}

impl Table {
    /// An empty one.
    pub fn new(data: Data, kind: JudgementKind) -> Table {
        Table {
            data,
            kind,
            unused: Vec::new(),
            states: 0,
            names: Names::default(),
            columns: BTreeMap::new(),
            lines: Vec::new(),
        }
    }

    /// Judgements of these documents, each with its topic; grades and what else is known come as columns.
    pub fn of_documents<'n>(kind: JudgementKind, rows: impl Iterator<Item = (&'n [u8], &'n [u8])>) -> Table {
        let mut table = Table::new(Data::Judgements, kind);
        let (topics, documents) =
            rows.map(|(topic, docno)| (table.names.number(topic), table.names.number(docno))).unzip();
        table.set_rows(topics, documents);
        table
    }

    fn set_rows(&mut self, topics: Vec<u32>, documents: Vec<u32>) {
        self.lines = (1..=topics.len() as u64).collect();
        self.columns.insert(Column::Topic, Values::Names(topics));
        self.columns.insert(Column::Document, Values::Names(documents));
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line of a row.
    pub fn line(&self, row: usize) -> u64 {
        self.lines.get(row).copied().unwrap_or(0)
    }

    /// Adds the rows of another file, after so many lines.
    ///
    /// # Errors
    /// It has other columns, or judgements of another kind: what was expected, and what was found.
    pub(crate) fn append(&mut self, other: Table, lines: u64) -> Result<(), (String, String)> {
        let told = |table: &Table| {
            let columns: Vec<&str> = table.columns().map(Column::name).collect();
            format!("{} in the columns {}", table.kind, columns.join(", "))
        };
        if self.kind != other.kind || !self.columns().eq(other.columns()) {
            return Err((told(self), told(&other)));
        }
        for (column, values) in other.columns {
            match (self.columns.get_mut(&column), values) {
                (Some(Values::Names(own)), Values::Names(more)) => {
                    own.extend(more.into_iter().map(|number| self.names.number(other.names.name(number))));
                }
                (Some(Values::Numbers(own)), Values::Numbers(more)) => own.extend(more),
                // A column holds names in every table, or numbers in every table.
                _ => {}
            }
        }
        self.lines.extend(other.lines.into_iter().map(|line| line + lines));
        self.states += other.states;
        for name in other.unused {
            if !self.unused.contains(&name) {
                self.unused.push(name);
            }
        }
        Ok(())
    }

    /// The columns it has, in the order in which they are written.
    pub fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.columns.keys().copied()
    }

    /// Whether it has a column.
    pub fn has(&self, column: Column) -> bool {
        self.columns.contains_key(&column)
    }

    /// The name in a row and column; empty where there is none.
    pub fn text(&self, column: Column, row: usize) -> &[u8] {
        match self.columns.get(&column) {
            Some(Values::Names(values)) => values.get(row).map_or(&[], |&number| self.names.name(number)),
            _ => &[],
        }
    }

    /// The number in a row and column.
    pub fn number(&self, column: Column, row: usize) -> Option<f64> {
        match self.columns.get(&column) {
            Some(Values::Numbers(values)) => values.get(row).copied(),
            _ => None,
        }
    }

    /// The numbers of the names of a column, equal where the names are.
    pub fn ids(&self, column: Column) -> Option<&[u32]> {
        match self.columns.get(&column) {
            Some(Values::Names(values)) => Some(values),
            _ => None,
        }
    }

    /// Takes a column out.
    pub fn remove(&mut self, column: Column) {
        self.columns.remove(&column);
    }

    /// Puts a column of numbers in.
    pub fn set_numbers(&mut self, column: Column, values: Vec<f64>) {
        self.columns.insert(column, Values::Numbers(values));
    }

    /// Puts a column of names in.
    pub fn set_names(&mut self, column: Column, names: impl Iterator<Item = impl AsRef<[u8]>>) {
        let numbers = names.map(|name| self.names.number(name.as_ref())).collect();
        self.columns.insert(column, Values::Names(numbers));
    }

    /// Puts a column in that has one name in all rows.
    pub fn set_name(&mut self, column: Column, name: &[u8]) {
        let number = self.names.number(name);
        self.columns.insert(column, Values::Names(vec![number; self.len()]));
    }
}

/// Collects records into a table, and what is wrong with them.
#[derive(Debug)]
pub struct Builder {
    plan: Plan,
    table: Table,
    refusal: Refusal,
    /// The name of a single judge, or that there are several.
    judge: Option<Vec<u8>>,
    several_judges: bool,
    /// Rows without a document and a grade: a query that nobody has judged for yet.
    passed_over: u64,
    /// Where the records are labels of judges, they are collected here.
    labels: Option<Labels>,
    /// What the cells of a row are, kept so that a row with a problem leaves nothing behind.
    row: Vec<(Column, Parsed)>,
}

#[derive(Debug)]
enum Parsed {
    Name(u32),
    Number(f64),
}

impl Builder {
    /// For records with these columns.
    pub fn new(plan: Plan) -> Builder {
        let mut table = Table::new(plan.data, plan.kind);
        table.unused = plan.unused.clone();
        let labels = (plan.data == Data::Labels).then(|| {
            let mut labels = Labels::default();
            labels.unused(plan.unused.clone());
            labels
        });
        Builder {
            plan,
            table,
            labels,
            refusal: Refusal::default(),
            judge: None,
            several_judges: false,
            passed_over: 0,
            row: Vec::new(),
        }
    }

    /// Something wrong with a line or row (from 1).
    pub fn problem(&mut self, line: u64, problem: LineProblem) {
        match &mut self.labels {
            Some(labels) => labels.refusal.push(line, problem),
            None => self.refusal.push(line, problem),
        }
    }

    /// A record: one cell for each column of the plan.
    pub fn record(&mut self, line: u64, cells: &[Cell<'_>]) {
        karat_runtime::check();
        if let Some(labels) = &mut self.labels {
            return labels.record(line, &self.plan.columns, self.plan.unrateable, cells);
        }
        if self.is_unrated(cells) {
            self.passed_over += 1;
        } else if self.parse(line, cells) {
            self.keep(line);
        }
    }

    /// Whether the record is one of those that Quepid writes for a query without any rating.
    fn is_unrated(&self, cells: &[Cell<'_>]) -> bool {
        let at = |wanted: Column| {
            let found = self.plan.columns.iter().position(|column| *column == Some(wanted));
            found.and_then(|at| cells.get(at)).unwrap_or(&Cell::Missing)
        };
        self.plan.columns.contains(&Some(Column::Grade))
            && at(Column::Document).is_missing()
            && at(Column::Grade).is_missing()
    }

    /// Parses a record into the row; whether nothing is wrong with it.
    fn parse(&mut self, line: u64, cells: &[Cell<'_>]) -> bool {
        self.row.clear();
        let mut right = true;
        for at in 0..self.plan.columns.len() {
            let Some(column) = self.plan.columns[at] else { continue };
            let cell = cells.get(at).unwrap_or(&Cell::Missing);
            if column == Column::Judge {
                let judge = cell.name(column).unwrap_or(b"").to_vec();
                self.several_judges |= self.judge.as_ref().is_some_and(|known| *known != judge);
                self.judge.get_or_insert(judge);
                continue;
            }
            let parsed = self.parse_cell(column, cell);
            match parsed {
                Ok(parsed) => self.row.push((column, parsed)),
                Err(problem) => {
                    right = false;
                    self.refusal.push(line, problem);
                }
            }
        }
        right
    }

    /// What a cell of a column holds.
    fn parse_cell(&mut self, column: Column, cell: &Cell<'_>) -> Result<Parsed, LineProblem> {
        match column {
            // Nobody has judged it yet, or nobody could.
            Column::Grade if is_open(cell) => match self.plan.kind {
                JudgementKind::Strata => Err(open_in_a_sample(cell)),
                _ => {
                    self.table.states += usize::from(!is_nothing(cell));
                    Ok(Parsed::Number(-1.0))
                }
            },
            Column::Rank if cell.is_missing() && self.plan.columns.contains(&Some(Column::Score)) => {
                Ok(Parsed::Number(f64::NAN))
            }
            Column::Tag | Column::Method | Column::Iteration if cell.is_missing() => {
                Ok(Parsed::Name(self.table.names.number(b"")))
            }
            Column::Stratum | Column::Method => {
                whole_name(cell, column).map(|name| Parsed::Name(self.table.names.number(&name)))
            }
            _ if column.is_number() => cell.number(column).map(Parsed::Number),
            _ => cell.name(column).map(|name| Parsed::Name(self.table.names.number(name))),
        }
    }

    /// Moves the row into the table.
    fn keep(&mut self, line: u64) {
        self.table.lines.push(line);
        for (column, parsed) in self.row.drain(..) {
            let values = self.table.columns.entry(column);
            match parsed {
                Parsed::Name(number) => {
                    if let Values::Names(values) = values.or_insert_with(|| Values::Names(Vec::new())) {
                        values.push(number);
                    }
                }
                Parsed::Number(number) => {
                    if let Values::Numbers(values) = values.or_insert_with(|| Values::Numbers(Vec::new())) {
                        values.push(number);
                    }
                }
            }
        }
    }

    /// The table.
    ///
    /// # Errors
    /// Everything that was wrong with the records.
    pub fn finish(mut self) -> Result<Table, Refusal> {
        if let Some(labels) = self.labels {
            return labels.finish();
        }
        if self.several_judges {
            let judge = quote(self.plan.judge.as_deref().unwrap_or_default().as_bytes());
            self.refusal.whole.push((
                "one judgement per topic and document".into(),
                format!("judgements of several judges (column {judge})"),
                format!("qrels hold one grade per document: keep the rows of one judge, or merge the judges (karat judges merge), and remove the column {judge}"),
            ));
        }
        if self.table.is_empty() && self.refusal.is_empty() {
            let (expected, remedy) = match self.plan.data {
                Data::Run => ("at least one retrieved document", "check that the system wrote its run"),
                Data::Judgements | Data::Labels => {
                    ("at least one judgement", "check that the file was written completely")
                }
            };
            let found = if self.passed_over > 0 { "only rows without a document and a grade" } else { "no row" };
            self.refusal = Refusal::nothing(expected, found, remedy);
        }
        if !self.refusal.is_empty() {
            return Err(self.refusal);
        }
        // Ranks that are not all there say nothing.
        let gaps = |ranks: &Values| matches!(ranks, Values::Numbers(ranks) if ranks.iter().any(|rank| rank.is_nan()));
        if self.table.columns.get(&Column::Rank).is_some_and(gaps) {
            self.table.remove(Column::Rank);
        }
        Ok(self.table)
    }
}

/// The name of a stratum or method, which is a whole number: spreadsheets and frames make 11.0 of 11.
fn whole_name<'c>(cell: &'c Cell<'_>, column: Column) -> Result<Cow<'c, [u8]>, LineProblem> {
    if let Cell::Float(number) = cell
        && number.fract() == 0.0
        && (0.0..=f64::from(u32::MAX)).contains(number)
    {
        return Ok(Cow::Owned(format!("{number:.0}").into_bytes()));
    }
    let name = cell.name(column)?;
    let point = name.iter().position(|byte| matches!(byte, b'.' | b','));
    let is_whole = |point: &usize| {
        let (digits, zeros) = (&name[..*point], &name[point + 1..]);
        !digits.is_empty()
            && digits.iter().all(u8::is_ascii_digit)
            && !zeros.is_empty()
            && zeros.iter().all(|&byte| byte == b'0')
    };
    Ok(Cow::Borrowed(point.filter(is_whole).map_or(name, |point| &name[..point])))
}

/// Whether a cell says that there is no grade: it is empty, or has the word for a state, or begins with "cannot".
fn is_open(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Written(text) | Cell::Text(text) => {
            let word = text.trim_ascii();
            let begins = word.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"cannot"));
            is_nothing(cell) || begins || State::from_name(word).is_some_and(|state| state != State::Judged)
        }
        cell => is_nothing(cell),
    }
}

fn is_nothing(cell: &Cell<'_>) -> bool {
    match cell {
        Cell::Written(text) | Cell::Text(text) => text.trim_ascii().is_empty(),
        cell => cell.is_missing(),
    }
}

/// That a document of a stratified sample has no grade: it may have been drawn, and whoever is not drawn has -1.
fn open_in_a_sample(cell: &Cell<'_>) -> LineProblem {
    let remedy = "judge the document and write its grade: the file is a form that is not complete; -1 stands for a document that was not drawn";
    LineProblem::new("grade", "a number (-1: not drawn)", cell.shown(), remedy).of_kind(ProblemKind::WrongNumber)
}
