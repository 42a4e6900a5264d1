//! Detects the format of a file from its content, for all commands.
//!
//! The rules are in the rows of the tables and are tried in their order; the first that holds wins. A file without data
//! counts as TREC's, whose reader says that it is empty, and so does one whose first line does not end.

use karat_data::{LineProblem, Problem, Problems, problem::quote};

use crate::Dialect;
use crate::block::{Block, Blocks, Choice, Cut, Form};
use crate::fields::{fields, mistaken};
use crate::input::Input;
use crate::records::formats::rather_judgements;
use crate::registry::{QREL_FORMATS, QrelsFormat, QrelsReader, RUN_FORMATS, RunFormat, RunReader};
use crate::sample::Sample;
use crate::{msmarco_run, trec_qrels, trec_run};

/// A format of runs, or the one that the content shows.
pub type RunChoice = Choice<&'static RunFormat>;

/// A format of judgements, or the one that the content shows.
pub type QrelsChoice = Choice<&'static QrelsFormat>;

/// The format of a run by its content.
pub const RUN: RunChoice = Choice::ByContent(run);

/// The format of judgements by their content.
pub const QRELS: QrelsChoice = Choice::ByContent(qrels);

/// What a file holds.
#[derive(Clone, Copy)]
pub enum Detected {
    /// Judgements.
    Qrels(&'static QrelsFormat),
    /// A run.
    Run(&'static RunFormat),
}

/// The format of runs of that name.
pub fn run_format(name: &str) -> Option<&'static RunFormat> {
    RUN_FORMATS.iter().copied().find(|format| format.name == name)
}

/// The format of judgements of that name.
pub fn qrels_format(name: &str) -> Option<&'static QrelsFormat> {
    QREL_FORMATS.iter().copied().find(|format| format.name == name)
}

/// The format of that name; `auto` is by content.
pub fn run_by_name(name: &str) -> Option<RunChoice> {
    if name == "auto" {
        return Some(RUN);
    }
    RUN_FORMATS.iter().find(|format| format.name == name).map(|&format| Choice::Given(format))
}

/// The format of that name; `auto` is by content.
pub fn qrels_by_name(name: &str) -> Option<QrelsChoice> {
    if name == "auto" {
        return Some(QRELS);
    }
    QREL_FORMATS.iter().find(|format| format.name == name).map(|&format| Choice::Given(format))
}

// Formats that are read whole first: a header, or a brace, is surer than a number of fields.
fn find_run(sample: &Sample<'_>) -> Option<&'static RunFormat> {
    let is_whole = |format: &&RunFormat| matches!(format.reader, RunReader::Whole { .. });
    let (whole, lines): (Vec<_>, Vec<_>) = RUN_FORMATS.iter().copied().partition(is_whole);
    whole.into_iter().chain(lines).find(|format| (format.recognise)(sample))
}

fn find_qrels(sample: &Sample<'_>) -> Option<&'static QrelsFormat> {
    let is_whole = |format: &&QrelsFormat| matches!(format.reader, QrelsReader::Whole { .. });
    let (whole, lines): (Vec<_>, Vec<_>) = QREL_FORMATS.iter().copied().partition(is_whole);
    whole.into_iter().chain(lines).find(|format| (format.recognise)(sample))
}

/// The format of a run.
///
/// # Errors
/// It has none of those that are known.
pub fn run(file: &str, sample: &Sample<'_>) -> Result<&'static RunFormat, Problems> {
    let Some((number, line)) = sample.numbered_lines().next() else { return Ok(&trec_run::FORMAT) };
    if let Some(found) = find_run(sample) {
        return Ok(found);
    }
    if sample.is_endless() {
        return Ok(&trec_run::FORMAT);
    }
    let remedy = match find_qrels(sample) {
        // Its reader says that these are qrels, line and all.
        Some(found) if found.name == trec_qrels::FORMAT.name => return Ok(&trec_run::FORMAT),
        Some(found) => {
            let (name, layout) = (found.name, found.layout);
            format!("these look like judgements ({name}: {layout}): give the qrels first, then the runs")
        }
        None => mistaken(line)
            .or_else(|| msmarco_run::why_not(sample))
            .map_or_else(|| trec_remedy(trec_run::parse_line(line, Dialect::Strict), "--run-format"), str::to_owned),
    };
    let expected = format!("a run in a known format ({})", listed(RUN_FORMATS.iter().map(|f| (f.name, f.layout))));
    Err(unknown(file, number, line, expected, remedy))
}

/// The format of judgements.
///
/// # Errors
/// They have none of those that are known.
pub fn qrels(file: &str, sample: &Sample<'_>) -> Result<&'static QrelsFormat, Problems> {
    let Some((number, line)) = sample.numbered_lines().next() else { return Ok(&trec_qrels::FORMAT) };
    if let Some(found) = find_qrels(sample) {
        return Ok(found);
    }
    if sample.is_endless() {
        return Ok(&trec_qrels::FORMAT);
    }
    let remedy = match find_run(sample) {
        // Its reader says that this is a run, line and all.
        Some(found) if found.name == trec_run::FORMAT.name => return Ok(&trec_qrels::FORMAT),
        Some(found) if matches!(found.reader, RunReader::Whole { .. }) => format!(
            "this looks like a run ({}: {}): give the qrels first, then the runs; columns of grades are called grade, rel, relevance, rating or label",
            found.name, found.layout
        ),
        Some(found) => {
            let (name, layout) = (found.name, found.layout);
            format!(
                "this may be a run ({name}: {layout}): then give the qrels first; if these are judgements, write them as {}",
                trec_qrels::FORMAT.layout
            )
        }
        None => mistaken(line).or_else(|| ambiguous(sample)).map_or_else(
            || trec_remedy(trec_qrels::parse_line(line, Dialect::Strict), "--qrels-format"),
            str::to_owned,
        ),
    };
    let formats = QREL_FORMATS.iter().map(|f| (f.name, f.layout));
    Err(unknown(file, number, line, format!("judgements in a known format ({})", listed(formats)), remedy))
}

impl Form for Detected {
    fn cut(&self) -> Cut {
        match self {
            Detected::Qrels(format) => format.cut(),
            Detected::Run(format) => format.cut(),
        }
    }

    fn is_text(&self) -> bool {
        match self {
            Detected::Qrels(format) => format.is_text(),
            Detected::Run(format) => format.is_text(),
        }
    }
}

/// What an input is: judgements or a run, and in what format. Reads its first block.
///
/// # Errors
/// It cannot be read, or has none of the formats that are known.
pub fn tell(input: &Input) -> Result<Detected, Problems> {
    let mut blocks = Blocks::open(input, Choice::ByContent(either))?;
    blocks.next(&mut Block::default())?;
    blocks.form().ok_or_else(|| {
        // Not reached: a first block was asked for, and the format is told from it.
        Problem::of_file(input.name(), "a file", "none", "check that the file was written completely").into()
    })
}

/// What a file is: judgements or a run, and in what format.
///
/// # Errors
/// It has none of the formats that are known.
pub fn either(file: &str, sample: &Sample<'_>) -> Result<Detected, Problems> {
    // Records with the columns of both.
    if rather_judgements(sample.bytes())
        && let Some(found) = find_qrels(sample)
    {
        return Ok(Detected::Qrels(found));
    }
    if let Some(found) = find_run(sample) {
        return Ok(Detected::Run(found));
    }
    if let Some(found) = find_qrels(sample) {
        return Ok(Detected::Qrels(found));
    }
    let formats = QREL_FORMATS.iter().map(|f| (f.name, f.layout));
    let runs = RUN_FORMATS.iter().map(|f| (f.name, f.layout));
    let expected = format!("judgements ({}) or a run ({})", listed(formats), listed(runs));
    let Some((number, line)) = sample.numbered_lines().next() else {
        let found = if sample.bytes().is_empty() { "an empty file" } else { "only blank lines and comments" };
        return Err(Problem::of_file(file, expected, found, "check that the file was written completely").into());
    };
    let remedy = mistaken(line)
        .or_else(|| ambiguous(sample))
        .unwrap_or("check that this is the right file; if it is, specify it with --qrels-format or --run-format");
    Err(unknown(file, number, line, expected, remedy.to_owned()))
}

/// What to do about judgements in a layout that could mean several things.
fn ambiguous(sample: &Sample<'_>) -> Option<&'static str> {
    if sample.has_fields(5) {
        return Some(
            "five fields are a stratified sample (sampled: topic 0 docno stratum grade), prels (topic docno grade method probability) or preferences (trec-prefs: topic group subgroup docno level): say which with --qrels-format",
        );
    }
    sample.has_fields(3).then_some(
        "three fields are ambiguous; write judgements as topic 0 docno grade (in Cranfield's own file 1 is the best grade: reverse the grades first)",
    )
}

/// What TREC's reader would say of the line, and that the format can be named.
fn trec_remedy<T>(read: Result<T, LineProblem>, option: &str) -> String {
    let remedy =
        read.err().map_or_else(|| "check that this is the right file".to_owned(), |problem| problem.remedy.into());
    if remedy.contains(option) { remedy } else { format!("{remedy}; or specify it with {option}") }
}

/// The formats by name, with the fields of the first, which is what most people have.
fn listed(formats: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    let mut listed = String::new();
    for (place, (name, layout)) in formats.enumerate() {
        match place {
            0 => listed.push_str(&format!("{name}: {layout}")),
            1 => listed.push_str(&format!("; or {name}")),
            _ => listed.push_str(&format!(", {name}")),
        }
    }
    listed
}

/// No format fits: what the first line with data looks like.
fn unknown(file: &str, number: usize, line: &[u8], expected: String, remedy: String) -> Problems {
    let count = fields(line).count();
    let found = format!("{count} field{} in {}", if count == 1 { "" } else { "s" }, quote(line));
    let mut problem = Problem::of_file(file, expected, found, remedy);
    problem.line = Some(number as u64 + 1);
    problem.field = Some("fields");
    problem.into()
}
