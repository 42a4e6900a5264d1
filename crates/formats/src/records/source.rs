//! A file of any format as a table: what conversion starts from.
//!
//! A file made of lines is first read by its own reader, whose words for a wrong line are better, and then split into
//! fields; so conversion takes what evaluation takes, and no more.

use std::collections::HashMap;
use std::io::Read;

use karat_data::problem::quote;
use karat_data::{
    FileOffsets, JudgementKind, LineProblem, Problem, ProblemKind, Problems, RunSource, TopicRows, Visitor, Worker,
};

use super::column::{Column, Data};
use super::formats::{self, rather_judgements, reader};
use super::lines;
use super::refusal::Refusal;
use super::table::Table;
use crate::block::{BLOCK, Block, Blocks, Cut, Form};
use crate::detect::{self, Detected};
use crate::sample::Sample;
use crate::write::layout;
use crate::{Dialect, Input, RunFiles, read_qrels};

/// A format as one block.
#[derive(Clone, Copy)]
struct Whole {
    text: bool,
}

impl Form for Whole {
    fn cut(&self) -> Cut {
        Cut::Nowhere
    }

    fn is_text(&self) -> bool {
        self.text
    }
}

/// What a file holds and in what format: as asked, else as its content shows.
///
/// # Errors
/// It cannot be read, or the format is not known.
pub fn tell(input: &Input, data: Option<Data>, format: Option<&str>) -> Result<Detected, Problems> {
    let run = || format.and_then(detect::run_format);
    let qrels = || format.and_then(detect::qrels_format);
    match (data, format) {
        (Some(Data::Run), Some(_)) => run().map(Detected::Run),
        (Some(Data::Judgements | Data::Labels), Some(_)) => qrels().map(Detected::Qrels),
        (None, Some(_)) => match (run(), qrels()) {
            (Some(run), None) => Some(Detected::Run(run)),
            (None, Some(qrels)) => Some(Detected::Qrels(qrels)),
            // Of both the content decides.
            (Some(run), Some(qrels)) => Some(match guess(input, None)? {
                Detected::Run(_) => Detected::Run(run),
                Detected::Qrels(_) => Detected::Qrels(qrels),
            }),
            (None, None) => None,
        },
        (data, None) => Some(guess(input, data)?),
    }
    .ok_or_else(|| {
        let what = data.map_or("", Data::name);
        let found = format!("--from {}", format.unwrap_or_default());
        Problem::of_file(input.name(), format!("a format of {what}"), found, "see karat convert --help").into()
    })
}

/// The file that shows what all files of a folder are: the first with something in it.
pub(crate) fn shown(input: &Input) -> &Input {
    let parts = input.parts();
    parts.iter().find(|file| !is_empty(file)).or(parts.first()).unwrap_or(input)
}

/// Whether a file has no bytes. One that cannot be read may have some.
fn is_empty(file: &Input) -> bool {
    file.open().and_then(|mut stream| stream.read(&mut [0])).is_ok_and(|read| read == 0)
}

fn guess(input: &Input, data: Option<Data>) -> Result<Detected, Problems> {
    if let Some(memory) = input.memory() {
        return Ok(match data.unwrap_or_else(|| memory.tell()) {
            Data::Run => Detected::Run(&formats::JSON_RUN),
            Data::Judgements | Data::Labels => Detected::Qrels(&formats::JSON_QRELS),
        });
    }
    let input = shown(input);
    let found = match data {
        None => detect::tell(input),
        Some(Data::Run) => first(input, |file, sample| detect::run(file, sample).map(Detected::Run)),
        Some(Data::Judgements | Data::Labels) => {
            first(input, |file, sample| detect::qrels(file, sample).map(Detected::Qrels))
        }
    }?;
    // The columns of a Parquet file stand at its end.
    if data.is_none() && matches!(found, Detected::Run(format) if format.name == "parquet") {
        let bytes = bytes(input, false)?;
        if rather_judgements(&bytes)
            && let Some(format) = detect::qrels_format("parquet")
        {
            return Ok(Detected::Qrels(format));
        }
    }
    Ok(found)
}

/// Whether a file does for a run and for judgements alike, so that what [`tell`] says of it is a guess by its numbers.
///
/// # Errors
/// It cannot be read.
pub fn is_open(input: &Input, found: Detected) -> Result<bool, Problems> {
    if let Some(memory) = input.memory() {
        return Ok(memory.is_open());
    }
    let name = match found {
        Detected::Run(format) => format.name,
        Detected::Qrels(format) => format.name,
    };
    if reader(name).is_none() {
        return Ok(false);
    }
    let input = shown(input);
    let bytes = bytes(input, name != "parquet")?;
    let head = if name == "parquet" { bytes.len() } else { bytes.len().min(BLOCK) };
    Ok(formats::is_open(&bytes[..head]))
}

/// What the first block of a file shows.
fn first(input: &Input, tell: fn(&str, &Sample<'_>) -> Result<Detected, Problems>) -> Result<Detected, Problems> {
    let mut blocks: Blocks<Detected> = Blocks::open(input, crate::Choice::ByContent(tell))?;
    blocks.next(&mut Block::default())?;
    blocks.form().ok_or_else(|| {
        Problem::of_file(input.name(), "a file", "none", "check that the file was written completely").into()
    })
}

/// All bytes of a file, decompressed.
pub(crate) fn bytes(input: &Input, text: bool) -> Result<Vec<u8>, Problems> {
    let mut blocks: Blocks<Whole> = Blocks::open(input, Whole { text })?;
    let mut block = Block::default();
    Ok(if blocks.next(&mut block)? { block.content().to_vec() } else { Vec::with_capacity(BLOCK) })
}

/// Reads a file whole, or all files of a folder.
///
/// # Errors
/// Everything wrong with it.
pub fn table(input: &Input, format: Detected, threads: usize) -> Result<Table, Problems> {
    let (name, data) = match format {
        Detected::Run(format) => (format.name, Data::Run),
        Detected::Qrels(format) => (format.name, Data::Judgements),
    };
    if let Some(memory) = input.memory() {
        let table = memory.read(input.name(), data)?;
        once(&table).map_err(|refusal| memory.placed(refusal.problems(input.name())))?;
        return Ok(table);
    }
    let read = |input: &Input| -> Result<Result<Table, Refusal>, Problems> {
        Ok(match (reader(name), layout::find(name, data)) {
            (Some(read), _) => read(&bytes(input, name != "parquet")?, data),
            (None, Some(layout)) => {
                validate(input, format, threads)?;
                lines::read(&bytes(input, true)?, layout)
            }
            (None, None) => Err(Refusal::whole("a format that can be converted", name, "see karat convert --help")),
        })
    };
    if !input.parts().is_empty() {
        return folder(input, read);
    }
    let table = read(input)?.map_err(|refusal| refusal.problems(input.name()))?;
    once(&table).map_err(|refusal| refusal.problems(input.name()))?;
    Ok(table)
}

/// The files of a folder as one table. Where a table is written in parts, some of them may be empty.
fn folder(input: &Input, read: impl Fn(&Input) -> Result<Result<Table, Refusal>, Problems>) -> Result<Table, Problems> {
    let (mut all, mut starts, mut lines) = (None::<(Table, &str)>, FileOffsets::default(), 0);
    for part in input.parts().iter().filter(|part| !is_empty(part)) {
        let table = match read(part)? {
            Ok(table) => table,
            Err(refusal) if refusal.nothing => continue,
            Err(refusal) => return Err(refusal.problems(part.name())),
        };
        starts.file(part.name(), lines);
        let own = table.lines.iter().copied().max().unwrap_or(0);
        match &mut all {
            None => all = Some((table, part.name())),
            Some((all, first)) => all.append(table, lines).map_err(|(expected, found)| {
                let remedy = "put files with the same columns into a folder";
                let expected = format!("what {first} has, {expected}");
                Problems::from(Problem::of_file(part.name(), expected, found, remedy))
            })?,
        }
        lines += own;
    }
    let Some((all, _)) = all else {
        let remedy = "check that the files were written completely";
        return Err(Problem::of_file(input.name(), "a file with something in it", "none", remedy).into());
    };
    once(&all).map_err(|refusal| starts.placed(refusal.problems(input.name())))?;
    Ok(all)
}

/// Lets a format's own reader look at the file.
fn validate(input: &Input, format: Detected, threads: usize) -> Result<(), Problems> {
    let again = [input.clone()];
    match format {
        Detected::Qrels(format) => read_qrels(input, format, Dialect::Strict, threads).map(drop),
        Detected::Run(format) => RunFiles::new(again.into(), format, Dialect::Strict).visit(threads, &Nobody).map(drop),
    }
}

/// Takes rows and does nothing with them.
struct Nobody;

impl Visitor for Nobody {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Nobody)
    }
}

impl Worker for Nobody {
    fn topic(&mut self, _: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        Vec::new()
    }
}

/// Refuses a table that says a thing twice.
fn once(table: &Table) -> Result<(), Refusal> {
    let none: &[u32] = &[];
    let ids = |column| table.ids(column).unwrap_or(none);
    let (topics, documents) = (ids(Column::Topic), ids(Column::Document));
    let (group, subgroup, scope) = match table.kind {
        JudgementKind::Subtopics => (ids(Column::Subtopic), none, "topic and subtopic"),
        JudgementKind::Groups => (ids(Column::Group), none, "topic and judgement group"),
        JudgementKind::Preferences => {
            (ids(Column::Group), ids(Column::Subgroup), "topic, judgement group and subgroup")
        }
        JudgementKind::Grades | JudgementKind::Strata | JudgementKind::Probabilities => (none, none, "topic"),
    };
    let mut first = HashMap::new();
    let mut refusal = Refusal::default();
    for row in 0..table.len() {
        let key = (topics[row], documents[row], group.get(row), subgroup.get(row));
        let known = *first.entry(key).or_insert(row);
        if known != row {
            let docno = quote(table.text(Column::Document, row));
            let expected = format!("each document once per {scope}");
            let problem = LineProblem::new("doc_id", expected, format!("{docno} again"), "keep one of the two");
            refusal.push(table.line(row), problem.of_kind(ProblemKind::Repeated).first_on(table.line(known)));
        }
    }
    if refusal.is_empty() { Ok(()) } else { Err(refusal) }
}
