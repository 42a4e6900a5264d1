//! What a format cannot hold of a table, and the table as it can.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use karat_data::JudgementKind;
use karat_data::problem::quote;

use super::{Spelling, Writer, labels};
use crate::records::table::Values;
use crate::records::{Column, Data, Table};

/// Why a table is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cannot {
    /// The format has no room for this, or needs what is not there.
    Ever(String),
    /// This would be lost.
    WithoutLoss(Vec<String>),
}

/// Makes of a table one that the format holds. Returns what was lost on the way, which is nothing unless `lossy`.
///
/// # Errors
/// It cannot be done, or not without loss and that was not asked for.
pub fn prepare(mut table: Table, writer: &Writer, tag: &str, lossy: bool) -> Result<(Table, Vec<String>), Cannot> {
    if table.data != writer.data {
        return Err(Cannot::Ever(format!(
            "{} holds {}, and this file holds {}",
            writer.name,
            writer.data.name(),
            table.data.name()
        )));
    }
    let mut lost = Vec::new();
    drop_defaults(&mut table);
    if table.data == Data::Labels {
        labels::fit(&mut table, writer, &mut lost)?;
    }
    derive(&mut table, writer)?;
    cut(&mut table, writer, &mut lost)?;
    complete(&mut table, writer, tag)?;
    respell(&mut table, writer, &mut lost)?;
    if table.states > 0 {
        lost.push(format!("the words in place of a grade in {} (cannot, later)", rows(table.states)));
    }
    for unused in table.unused.drain(..) {
        lost.push(format!("the column {}, which karat does not know", quote(unused.as_bytes())));
    }
    if lost.is_empty() || lossy { Ok((table, lost)) } else { Err(Cannot::WithoutLoss(lost)) }
}

/// An iteration that is 0 everywhere, an empty tag or method say nothing.
fn drop_defaults(table: &mut Table) {
    let idle = |table: &Table, column: Column, words: &[&[u8]]| {
        table.has(column) && (0..table.len()).all(|row| words.contains(&table.text(column, row)))
    };
    if idle(table, Column::Iteration, &[b"", b"0", b"Q0"]) {
        table.remove(Column::Iteration);
    }
    for column in [Column::Tag, Column::Method] {
        if idle(table, column, &[b""]) {
            table.remove(column);
        }
    }
}

/// Scores from ranks, and ranks from scores, where the format needs them.
fn derive(table: &mut Table, writer: &Writer) -> Result<(), Cannot> {
    if table.data == Data::Run && !table.has(Column::Score) && writer.needs.contains(&Column::Score) {
        let scores = (0..table.len()).map(|row| -table.number(Column::Rank, row).unwrap_or(0.0)).collect();
        table.set_numbers(Column::Score, scores);
    }
    let order = writer.needs.contains(&Column::Rank) && (!table.has(Column::Rank) || !ranks_agree(table));
    // TREC's rank is not used, so what the file says there stays; where the rank is all there is, it must be right.
    if order && (!table.has(Column::Rank) || !writer.holds(Column::Score)) {
        let ranks = ranks(table);
        table.set_numbers(Column::Rank, ranks);
    }
    Ok(())
}

/// The rows of each topic, in the order of evaluation: by score, ties by name, largest first.
fn ordered(table: &Table) -> Vec<Vec<usize>> {
    let mut topics: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (row, &topic) in table.ids(Column::Topic).unwrap_or_default().iter().enumerate() {
        topics.entry(topic).or_default().push(row);
    }
    let score = |row: usize| {
        let from_rank = || table.number(Column::Rank, row).map(|rank| -rank);
        table.number(Column::Score, row).or_else(from_rank).unwrap_or(0.0)
    };
    let mut topics: Vec<Vec<usize>> = topics.into_values().collect();
    for rows in &mut topics {
        rows.sort_by(|&a, &b| {
            score(b)
                .total_cmp(&score(a))
                .then_with(|| table.text(Column::Document, b).cmp(table.text(Column::Document, a)))
        });
    }
    topics
}

fn ranks(table: &Table) -> Vec<f64> {
    let mut ranks = vec![0.0; table.len()];
    for rows in ordered(table) {
        for (rank, row) in (1u32..).zip(rows) {
            ranks[row] = f64::from(rank);
        }
    }
    ranks
}

/// Whether the ranks rise as the scores fall.
fn ranks_agree(table: &Table) -> bool {
    let rank = |row: usize| table.number(Column::Rank, row).unwrap_or(0.0);
    ordered(table).iter().all(|rows| rows.windows(2).all(|pair| rank(pair[0]) < rank(pair[1])))
}

/// Takes out the columns that the format has no room for, and says what that loses.
fn cut(table: &mut Table, writer: &Writer, lost: &mut Vec<String>) -> Result<(), Cannot> {
    let kind = table.kind;
    if table.data == Data::Judgements && !writer.holds_kind(kind) {
        if !kind.has_grades() {
            return Err(Cannot::Ever(format!("{} holds grades, and this file holds {kind}", writer.name)));
        }
        if !writer.holds_kind(JudgementKind::Grades) {
            let needs = needed(writer);
            return Err(Cannot::Ever(format!(
                "{} needs a {needs} for each judgement; this file holds {kind}",
                writer.name
            )));
        }
        lost.extend(loss_of_kind(table));
        if !kind.is_single() {
            best_only(table);
        }
        table.kind = JudgementKind::Grades;
    }
    let columns: Vec<Column> = table.columns().filter(|&column| !writer.holds(column)).collect();
    for column in columns {
        match column {
            Column::Tag => lost.push(listed(table, column, "the tag", "tags")),
            Column::Iteration => lost.push(listed(table, column, "the iteration", "iterations")),
            Column::Score => {
                let made =
                    |row: usize| table.number(Column::Score, row) == table.number(Column::Rank, row).map(|rank| -rank);
                if !(0..table.len()).all(made) {
                    lost.push(format!("the scores of {} (their order is kept)", rows(table.len())));
                }
            }
            // Ranks that follow from the scores are no news.
            Column::Rank if table.has(Column::Score) && !ranks_agree_or_tie(table) => {
                lost.push("ranks that are not the order of the scores".into());
            }
            _ => {}
        }
        table.remove(column);
    }
    Ok(())
}

/// Like [`ranks_agree`], but rows of one score may have their ranks in any order.
fn ranks_agree_or_tie(table: &Table) -> bool {
    let rank = |row: usize| table.number(Column::Rank, row).unwrap_or(0.0);
    let score = |row: usize| table.number(Column::Score, row).unwrap_or(0.0);
    ordered(table).iter().all(|rows| {
        let mut before = f64::NEG_INFINITY;
        rows.chunk_by(|&a, &b| score(a) == score(b)).all(|tied| {
            let least = tied.iter().map(|&row| rank(row)).fold(f64::INFINITY, f64::min);
            let agrees = least > before;
            before = tied.iter().map(|&row| rank(row)).fold(f64::NEG_INFINITY, f64::max);
            agrees
        })
    })
}

fn needed(writer: &Writer) -> String {
    let grades = Column::of_kind(JudgementKind::Grades);
    let words: Vec<&str> = writer
        .needs
        .iter()
        .filter(|column| !grades.contains(column) && **column != Column::Iteration)
        .map(|column| column.name())
        .collect();
    words.join(" and a ")
}

pub(super) fn rows(count: usize) -> String {
    format!("{count} row{}", if count == 1 { "" } else { "s" })
}

/// What a column says: "the tag \"bm25\"", or how many.
pub(super) fn listed(table: &Table, column: Column, one: &str, many: &str) -> String {
    let names: BTreeSet<&[u8]> = (0..table.len()).map(|row| table.text(column, row)).collect();
    match names.first() {
        Some(name) if names.len() == 1 => format!("{one} {}", quote(name)),
        _ => format!("{} different {many}", names.len()),
    }
}

/// What is lost when the judgements become plain grades.
fn loss_of_kind(table: &Table) -> Vec<String> {
    let groups = |column: Column, word: &str| {
        let mut topics: BTreeMap<&[u8], BTreeSet<&[u8]>> = BTreeMap::new();
        for row in 0..table.len() {
            topics.entry(table.text(Column::Topic, row)).or_default().insert(table.text(column, row));
        }
        let total: usize = topics.values().map(BTreeSet::len).sum();
        let first = topics.first_key_value().map_or_else(String::new, |(topic, names)| {
            let plural = if names.len() == 1 { "" } else { "s" };
            format!("{} {word}{plural} of topic {}", names.len(), quote(topic).trim_matches('"'))
        });
        match topics.len() {
            0 | 1 => format!("{first}; the best grade of each document is kept"),
            others => {
                format!("{total} {word}s of {others} topics ({first}, ...); the best grade of each document is kept")
            }
        }
    };
    match table.kind {
        JudgementKind::Subtopics => vec![groups(Column::Subtopic, "subtopic")],
        JudgementKind::Groups => vec![groups(Column::Group, "judgement group")],
        JudgementKind::Strata => vec![format!("the stratum of {}", rows(table.len()))],
        JudgementKind::Probabilities => vec![format!("the probability and method of {}", rows(table.len()))],
        JudgementKind::Grades | JudgementKind::Preferences => Vec::new(),
    }
}

/// Keeps one row for each document, with its best grade.
fn best_only(table: &mut Table) {
    let mut best: HashMap<(u32, u32), usize> = HashMap::new();
    let (Some(topics), Some(documents)) = (table.ids(Column::Topic), table.ids(Column::Document)) else { return };
    let grade = |row: usize| table.number(Column::Grade, row).unwrap_or(-1.0);
    for row in 0..table.len() {
        let kept = best.entry((topics[row], documents[row])).or_insert(row);
        if grade(row) > grade(*kept) {
            *kept = row;
        }
    }
    // In the order in which documents first occur.
    let mut seen = HashSet::new();
    let mut keep: Vec<usize> = Vec::new();
    for pair in topics.iter().copied().zip(documents.iter().copied()) {
        if seen.insert(pair) {
            keep.extend(best.get(&pair));
        }
    }
    table.lines = keep.iter().map(|&row| table.lines[row]).collect();
    for values in table.columns.values_mut() {
        match values {
            Values::Names(names) => *names = keep.iter().map(|&row| names[row]).collect(),
            Values::Numbers(numbers) => *numbers = keep.iter().map(|&row| numbers[row]).collect(),
        }
    }
}

/// Puts in what the format needs and nobody said: iteration 0, a tag, a method. Other things cannot be made up.
fn complete(table: &mut Table, writer: &Writer, tag: &str) -> Result<(), Cannot> {
    for &column in writer.needs {
        if table.has(column) {
            continue;
        }
        match column {
            Column::Iteration => table.set_name(column, b"0"),
            Column::Tag => table.set_name(column, tag.as_bytes()),
            Column::Method => table.set_name(column, b"1"),
            missing => {
                return Err(Cannot::Ever(format!(
                    "{} needs a {} for each row, and this file has none",
                    writer.name,
                    missing.name()
                )));
            }
        }
    }
    if writer.spelling == Spelling::Fields {
        for (column, word) in [(Column::Iteration, &b"0"[..]), (Column::Tag, tag.as_bytes()), (Column::Method, b"1")] {
            fill(table, column, word);
        }
    }
    Ok(())
}

/// Puts a name where there is none.
fn fill(table: &mut Table, column: Column, word: &[u8]) {
    let (empty, word) = (table.names.number(b""), table.names.number(word));
    if let Some(Values::Names(names)) = table.columns.get_mut(&column) {
        names.iter_mut().filter(|name| **name == empty).for_each(|name| *name = word);
    }
}

/// Changes names that the format cannot hold, and says how many.
fn respell(table: &mut Table, writer: &Writer, lost: &mut Vec<String>) -> Result<(), Cannot> {
    let columns: Vec<Column> = table.columns().filter(|column| !column.is_number()).collect();
    for column in columns {
        let Some(ids) = table.ids(column).map(<[u32]>::to_vec) else { continue };
        let mut changed: HashMap<u32, Vec<u8>> = HashMap::new();
        for &id in &ids {
            let name = table.names.name(id);
            let fitting = fit(name, writer.spelling, column == Column::Topic);
            if fitting != name {
                changed.insert(id, fitting);
            }
        }
        let Some(example) = ids.iter().find(|id| changed.contains_key(id)) else { continue };
        let why = match writer.spelling {
            Spelling::Fields => "with spaces or special characters",
            Spelling::Utf8 => "that are not UTF-8",
            Spelling::Any => "",
        };
        let (count, first) = (changed.len(), quote(table.names.name(*example)));
        let plural = if count == 1 { "name" } else { "names" };
        lost.push(format!("the spelling of {count} {plural} of {} {why} ({first})", plural_of(column)));
        let numbers: HashMap<u32, u32> =
            changed.into_iter().map(|(id, name)| (id, table.names.number(&name))).collect();
        let kept: HashSet<u32> = ids.iter().copied().filter(|id| !numbers.contains_key(id)).collect();
        let mut taken = HashSet::new();
        if numbers.values().any(|number| kept.contains(number) || !taken.insert(*number)) {
            return Err(Cannot::Ever(format!(
                "{} cannot hold the names of {} {why} ({first}): changed, two of them would be the same",
                writer.name,
                plural_of(column)
            )));
        }
        if let Some(Values::Names(values)) = table.columns.get_mut(&column) {
            for value in values.iter_mut() {
                *value = *numbers.get(value).unwrap_or(value);
            }
        }
    }
    Ok(())
}

fn plural_of(column: Column) -> &'static str {
    match column {
        Column::Topic => "topics",
        Column::Document => "documents",
        Column::Tag => "runs",
        Column::Iteration => "iterations",
        Column::Stratum => "strata",
        Column::Method => "methods",
        Column::Subtopic => "subtopics",
        _ => "groups",
    }
}

/// The name as the format can hold it.
fn fit(name: &[u8], spelling: Spelling, topic: bool) -> Vec<u8> {
    match spelling {
        Spelling::Any => name.to_vec(),
        Spelling::Utf8 => String::from_utf8_lossy(name).into_owned().into_bytes(),
        Spelling::Fields => {
            let blank = |&byte: &u8| if crate::fields::is_blank(byte) || byte == 0 { b'_' } else { byte };
            let mut fitting: Vec<u8> = name.iter().map(blank).collect();
            if topic && (fitting.starts_with(b"#") || crate::fields::has_mark(&fitting)) {
                fitting.insert(0, b'_');
            }
            if fitting.is_empty() {
                fitting.push(b'_');
            }
            fitting
        }
    }
}
