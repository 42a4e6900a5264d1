//! `karat check FILE...`

use clap::Args;
use karat_data::problem::quote;
use karat_data::{Problem, ProblemKind, Problems};
use karat_formats::block::{Block, Blocks, Cut};
use karat_formats::fields::{fields, is_idle, mistaken};
use karat_formats::{Dialect, Input, trec_qrels, trec_run};
use karat_study::check::{
    Band, CheckedFile, CheckedQrels, CheckedRun, Finding, Findings, LISTED, QrelsCheck, RunCheck, Severity, compare,
    compare_runs, report,
};

use super::VERSION;
use crate::failure::Failure;
use crate::files;
use crate::options::OutputOptions;
use crate::output;

/// What is wrong with these files?
#[derive(Debug, Args)]
pub struct Arguments {
    /// Judgements and runs in any order; which is which is told from the content (4 or 6 fields)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// List at most N errors of each file
    #[arg(long, value_name = "N", default_value_t = LISTED)]
    limit: usize,
    #[command(flatten)]
    output: OutputOptions,
}

/// Runs the command.
///
/// # Errors
/// A file has errors (after the report was written), or the report cannot be written.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::spare_inputs(&arguments.output, &arguments.files)?;
    let inputs = files::inputs(&arguments.files)?;
    let mut unreadable = 0;
    let mut seen: Vec<Seen> = inputs.iter().map(|input| look(input, arguments.limit, &mut unreadable)).collect();
    let qrels: Vec<CheckedQrels> = seen.iter_mut().filter_map(|seen| seen.qrels.take()).collect();
    let bands: Vec<Band> = compare_all(&qrels, &mut seen);
    let files: Vec<CheckedFile> = seen.into_iter().map(|seen| seen.file).collect();
    let errors: u64 = files.iter().map(|file| file.findings.count(Severity::Error)).sum();
    output::write(&report(files, &qrels, &bands, arguments.limit, VERSION), &arguments.output)?;
    match errors {
        0 => Ok(()),
        // The report has said it all.
        _ if errors == unreadable => Err(Failure::Output(String::new())),
        _ => Err(Failure::Usage(String::new())),
    }
}

#[derive(Default)]
struct Seen {
    file: CheckedFile,
    qrels: Option<CheckedQrels>,
    run: Option<CheckedRun>,
}

/// Runs with all judgements, or with the first run where there are none.
fn compare_all(qrels: &[CheckedQrels], seen: &mut [Seen]) -> Vec<Band> {
    let mut bands = Vec::new();
    let mut earlier: Vec<CheckedRun> = Vec::new();
    for Seen { file, run, .. } in seen {
        let Some(run) = run.take() else { continue };
        for own in qrels {
            bands.extend(compare(own, qrels.len() == 1, &run, file));
        }
        if let Some(first) = earlier.first().filter(|_| qrels.is_empty()) {
            compare_runs(first, &run, file);
        }
        if let Some(other) = earlier.iter().find(|other| other.tag() == run.tag()) {
            let what = format!("the tag {} is {}'s too", quote(run.tag()), other.path());
            let remedy = "the runs go by their file names then; give each run a tag of its own";
            file.findings.push(Finding::warning(&file.path, what, remedy));
        }
        earlier.push(run);
    }
    bands
}

/// Reads one file and lists what is wrong with it alone.
fn look(input: &Input, limit: usize, unreadable: &mut u64) -> Seen {
    let mut seen = Seen::default();
    seen.file.path = input.name().to_owned();
    seen.file.kind = "unknown";
    seen.file.findings = Findings::listing(limit);
    let read = kind(input).and_then(|kind| match kind {
        Kind::Qrels => look_at_qrels(input, &mut seen),
        Kind::Run => look_at_run(input, &mut seen),
        Kind::Unknown(problem) => Err(problem.into()),
    });
    if let Err(problems) = read {
        for problem in problems.kept() {
            *unreadable += u64::from(problem.kind == ProblemKind::Unreadable);
            seen.file.findings.push(Finding::from(problem));
        }
    }
    seen
}

enum Kind {
    Qrels,
    Run,
    Unknown(Problem),
}

/// Judgements have four fields, runs six; the lines of the first block with data vote, and half of them must agree.
fn kind(input: &Input) -> Result<Kind, Problems> {
    let mut blocks = Blocks::open(input, Cut::Line)?;
    let mut block = Block::default();
    let (mut four, mut six, mut all, mut other) = (0u32, 0u32, 0u32, None);
    let expected = "judgements (4 fields: topic 0 docno grade) or a run (6 fields: topic Q0 docno rank score tag)";
    let mut any_line = false;
    while all == 0 && blocks.next(&mut block)? {
        any_line = true;
        for line in block.lines().split(|&byte| byte == b'\n').filter(|line| !is_idle(line)) {
            all += 1;
            match fields(line).count() {
                4 => four += 1,
                6 => six += 1,
                _ => drop(other.get_or_insert_with(|| line.to_vec())),
            }
        }
    }
    Ok(match other {
        _ if all > 0 && six * 2 >= all => Kind::Run,
        _ if all > 0 && four * 2 >= all => Kind::Qrels,
        None => {
            let found = if any_line { "only blank lines and comments" } else { "an empty file" };
            Kind::Unknown(Problem::of_file(input.name(), expected, found, "check that the file was written completely"))
        }
        Some(line) => {
            let count = fields(&line).count();
            let found = format!("{count} field{} in {}", if count == 1 { "" } else { "s" }, quote(&line));
            let remedy = mistaken(&line).unwrap_or("check that this is the right file; sampled qrels and prels (5 fields) and BEIR's qrels (3 fields) are not read yet");
            Kind::Unknown(Problem::of_file(input.name(), expected, found, remedy))
        }
    })
}

fn look_at_qrels(input: &Input, seen: &mut Seen) -> Result<(), Problems> {
    let mut check = QrelsCheck::default();
    seen.file.kind = "qrels";
    let file = &mut seen.file;
    let read = each_line(input, &mut file.bytes, |line, text| {
        // The number as it was written, for the histogram; the reader has made a judgement of it.
        let written = fields(text).nth(3).and_then(|grade| std::str::from_utf8(grade).ok()?.parse().ok());
        match (trec_qrels::parse_line(text, Dialect::Strict), written) {
            (Ok(found), Some(grade)) => check.line(line, text, found.topic, found.docno, grade),
            (Ok(_), None) => {}
            (Err(problem), _) => {
                file.findings.push(Finding::from(&Problem::of_line(input.name(), line - 1, problem)));
            }
        }
    });
    seen.qrels = Some(check.finish(&mut seen.file));
    read
}

fn look_at_run(input: &Input, seen: &mut Seen) -> Result<(), Problems> {
    let mut check = RunCheck::default();
    seen.file.kind = "run";
    let file = &mut seen.file;
    let read = each_line(input, &mut file.bytes, |line, text| match trec_run::parse_line(text, Dialect::Strict) {
        Ok(found) => check.line(line, text, found.topic, found.docno, found.rank, found.score, found.tag),
        Err(problem) => file.findings.push(Finding::from(&Problem::of_line(input.name(), line - 1, problem))),
    });
    seen.run = Some(check.finish(&mut seen.file));
    read
}

/// Calls `take` with every line that has data and its number from 1, without the line feed.
fn each_line(input: &Input, bytes: &mut u64, mut take: impl FnMut(u64, &[u8])) -> Result<(), Problems> {
    let mut blocks = Blocks::open(input, Cut::Line)?;
    let mut block = Block::default();
    let mut line = 0;
    while blocks.next(&mut block).map_err(|problems| problems.after_lines(line))? {
        *bytes += block.bytes();
        for text in block.lines().split_inclusive(|&byte| byte == b'\n') {
            line += 1;
            let text = text.strip_suffix(b"\n").unwrap_or(text);
            if !is_idle(text) {
                take(line, text);
            }
        }
    }
    Ok(())
}
