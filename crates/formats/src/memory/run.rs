//! A run in memory, topic by topic.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use karat_data::{LineProblem, Problem, Problems, Row, RunFacts, TopicRows, Visitor};

use super::values::{Flat, Values};
use super::{FORMAT, Memory};
use crate::records::Refusal;
use crate::records::cell::Cell;
use crate::records::column::{Column, Data, Plan};

/// Rows that are worth a thread of their own.
const ROWS_PER_THREAD: usize = 20_000;

/// Calls workers with every topic of the run.
///
/// # Errors
/// Everything wrong with it.
pub(crate) fn visit(
    memory: &Memory,
    file: &str,
    run: usize,
    threads: usize,
    visitor: &dyn Visitor,
) -> Result<RunFacts, Problems> {
    let refused = |refusal: Refusal| memory.placed(refusal.problems(file));
    let plan = memory.plan(Data::Run).map_err(refused)?;
    memory.one_run(&plan).map_err(refused)?;
    let columns = RunColumns::find(memory, &plan).map_err(refused)?;
    let groups = groups(&columns.topics);
    let threads = threads.min(memory.len() / ROWS_PER_THREAD + 1);
    let mut found = visit_groups(&columns, &groups, run, threads, visitor);
    if !found.is_empty() {
        found.sort_by_key(|problem| problem.line);
        let mut problems = Problems::default();
        found.into_iter().for_each(|problem| problems.push(Problem::of_line(file, 0, problem)));
        return Err(memory.placed(problems));
    }
    let tag = memory.find(&plan, Column::Tag).and_then(|tags| match tags.cell(memory.len() - 1) {
        Cell::Text(tag) | Cell::Number(tag) | Cell::Written(tag) => Some(karat_data::names::text(&tag)),
        _ => None,
    });
    Ok(RunFacts {
        file: file.to_owned(),
        format: FORMAT,
        tag,
        bytes: memory.bytes(&columns.topics, &columns.documents),
        rows: memory.len() as u64,
        topics: groups.len() as u64,
        attempt: 0,
    })
}

/// The columns of a run.
struct RunColumns<'a> {
    topics: Names<'a>,
    documents: Names<'a>,
    scores: Cow<'a, [f64]>,
}

impl<'a> RunColumns<'a> {
    fn find(memory: &'a Memory, plan: &Plan) -> Result<RunColumns<'a>, Refusal> {
        let mut refusal = Refusal::default();
        let topics = Names::of(memory.find(plan, Column::Topic), Column::Topic, &mut refusal);
        let documents = Names::of(memory.find(plan, Column::Document), Column::Document, &mut refusal);
        let scores = match memory.find(plan, Column::Score) {
            Some(scores) => numbers(scores, Column::Score, &mut refusal),
            None => {
                let ranks = memory.find(plan, Column::Rank).map(|ranks| numbers(ranks, Column::Rank, &mut refusal));
                Cow::Owned(ranks.unwrap_or_default().iter().map(|rank| -rank).collect())
            }
        };
        if memory.is_empty() && refusal.is_empty() {
            let remedy = "check that the system retrieved something; leave the run out if it did not";
            return Err(Refusal::whole("at least one retrieved document", "a table without rows", remedy));
        }
        if !refusal.is_empty() {
            refusal.lines.sort_by_key(|problem| problem.line);
            return Err(refusal);
        }
        Ok(RunColumns { topics, documents, scores })
    }
}

/// Hands every topic to a worker; what workers find wrong comes back.
fn visit_groups(
    columns: &RunColumns<'_>,
    groups: &[Group<'_>],
    run: usize,
    threads: usize,
    visitor: &dyn Visitor,
) -> Vec<LineProblem> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut worker = visitor.worker();
        let mut rows: Vec<Row<'_>> = Vec::new();
        let mut own: Vec<LineProblem> = Vec::new();
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
            karat_runtime::check();
            rows.clear();
            for row in group.spans.iter().flat_map(|&(start, end)| start..end) {
                rows.push(Row { docno: columns.documents.get(row), score: columns.scores[row], line: row as u32 });
            }
            own.extend(worker.topic(&TopicRows { run, attempt: 0, topic: group.name, rows: &rows }));
        }
        own
    };
    karat_runtime::together(threads, work).into_iter().flatten().collect()
}

impl Memory {
    /// The bytes of names and numbers that were read.
    fn bytes(&self, topics: &Names<'_>, documents: &Names<'_>) -> u64 {
        (topics.bytes() + documents.bytes() + self.rows * size_of::<f64>()) as u64
    }
}

/// The rows of a topic.
struct Group<'a> {
    name: &'a [u8],
    spans: Vec<(usize, usize)>,
}

fn groups<'a>(topics: &'a Names<'a>) -> Vec<Group<'a>> {
    let mut places: HashMap<&[u8], usize> = HashMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut start = 0;
    while start < topics.len() {
        let (name, end) = (topics.get(start), topics.end_of_same(start));
        let place = *places.entry(name).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.spans.push((start, end)),
            None => groups.push(Group { name, spans: vec![(start, end)] }),
        }
        start = end;
    }
    groups
}

/// A column of names: as it lies there, or written out where it holds whole numbers.
pub(super) enum Names<'a> {
    Own(Flat),
    There(&'a dyn Values),
}

impl<'a> Names<'a> {
    /// What is no name goes to `refusal`.
    pub(super) fn of(values: Option<&'a dyn Values>, column: Column, refusal: &mut Refusal) -> Names<'a> {
        let Some(values) = values else { return Names::Own(Flat::default()) };
        if values.is_named() {
            return Names::There(values);
        }
        let mut own = Flat::with_capacity(values.len(), 8 * values.len());
        for row in 0..values.len() {
            match values.cell(row).name(column) {
                Ok(name) => own.push(name),
                Err(problem) => {
                    refusal.push(row as u64 + 1, problem);
                    own.push(b"");
                }
            }
        }
        Names::Own(own)
    }

    fn len(&self) -> usize {
        match self {
            Names::Own(own) => own.len(),
            Names::There(values) => values.len(),
        }
    }

    #[inline]
    pub(super) fn get(&self, row: usize) -> &[u8] {
        match self {
            Names::Own(own) => own.get(row),
            Names::There(values) => values.text(row).unwrap_or_default(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Names::Own(own) => own.text_bytes(),
            Names::There(values) => values.text_bytes(),
        }
    }

    pub(super) fn end_of_same(&self, row: usize) -> usize {
        match self {
            Names::Own(own) => own.end_of_same(row),
            Names::There(values) => values.end_of_same(row),
        }
    }
}

/// A column of finite numbers; what is none goes to `refusal`.
pub(super) fn numbers<'a>(values: &'a dyn Values, column: Column, refusal: &mut Refusal) -> Cow<'a, [f64]> {
    let floats = values.floats();
    if let Some(floats) = floats.filter(|floats| floats.iter().all(|number| number.is_finite())) {
        return Cow::Borrowed(floats);
    }
    if let Some(whole) = values.whole() {
        return Cow::Owned(whole.iter().map(|&number| number as f64).collect());
    }
    let mut own = Vec::with_capacity(values.len());
    for row in 0..values.len() {
        let number = values.cell(row).number(column);
        own.push(number.unwrap_or_else(|problem| {
            refusal.push(row as u64 + 1, problem);
            0.0
        }));
    }
    Cow::Owned(own)
}
