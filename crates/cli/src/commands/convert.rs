//! `karat convert IN [OUT]`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, ValueEnum};
use karat_data::JudgeLabels;
use karat_data::names::shown;
use karat_formats::detect::{Detected, qrels_format, run_format};
use karat_formats::labels::{self, LABEL_FORMATS, Words};
use karat_formats::records::{Data, Table, source};
use karat_formats::write::{Cannot, WRITERS, Writer, prepare, writer, writer_for_ending};
use karat_formats::{Input, QREL_FORMATS, RUN_FORMATS};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::every_core;
use crate::output;
use crate::outputs::Outputs;

/// Convert a file to another format
#[derive(Debug, Args)]
pub struct Arguments {
    /// A run or judgements, or `-` for standard input. Format and compression are detected
    #[arg(value_name = "IN")]
    input: String,
    /// Output file [default: standard output]. The extensions .gz and .zst compress
    #[arg(value_name = "OUT", conflicts_with = "output")]
    out: Option<PathBuf>,
    /// The same as OUT
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format [default: from the extension of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&mut WRITERS.iter().map(|writer| writer.name)))]
    to: Option<String>,
    /// Input format [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = formats(&mut RUN_FORMATS.iter().map(|f| f.name).chain(QREL_FORMATS.iter().map(|f| f.name)).chain(LABEL_FORMATS.iter().map(|f| f.name))))]
    from: Option<String>,
    /// What IN contains, if it cannot be detected
    #[arg(long, value_enum)]
    kind: Option<KindOption>,
    /// For labels: the grade or state of each word, such as 'Relevant=1,Not relevant=0,Broken link=cannot'
    #[arg(long, value_name = "LIST")]
    words: Option<Words>,
    /// Run tag, if the output format needs one and IN has none [default: the name of IN]
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Write even if information is lost; the losses are listed
    #[arg(long)]
    lossy: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum KindOption {
    /// Retrieved documents
    Run,
    /// Judgements
    Qrels,
    /// Labels of several judges, one row each with the judge's name
    Labels,
}

fn formats(names: &mut dyn Iterator<Item = &'static str>) -> PossibleValuesParser {
    let mut known: Vec<&'static str> = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    PossibleValuesParser::new(known.into_iter().map(PossibleValue::new))
}

/// Runs the command.
///
/// # Errors
/// The input is wrong, the format cannot hold it, or it cannot be written.
pub fn run(arguments: &Arguments, environment: &Environment) -> Result<(), Failure> {
    let out = arguments.out.as_deref().or(arguments.output.as_deref()).filter(|path| *path != Path::new("-"));
    Outputs::default().and("-o", out).check(std::slice::from_ref(&arguments.input))?;
    let input = environment.inputs(std::slice::from_ref(&arguments.input))?.remove(0);
    if out.is_none() && arguments.to.is_none() {
        return Err(Failure::usage("no output format; use --to, or an output file with a known extension"));
    }
    let asked = arguments.kind.map(KindOption::data);
    if asked == Some(Data::Labels) {
        return labels(arguments, environment, &input, out);
    }
    if arguments.words.is_some() {
        return Err(Failure::usage("--words is for labels: say --kind labels"));
    }
    run_or_qrels(arguments, environment, &input, asked, out)
}

impl KindOption {
    fn data(self) -> Data {
        match self {
            KindOption::Run => Data::Run,
            KindOption::Qrels => Data::Judgements,
            KindOption::Labels => Data::Labels,
        }
    }
}

/// A run or judgements in another format.
fn run_or_qrels(
    arguments: &Arguments,
    environment: &Environment,
    input: &Input,
    asked: Option<Data>,
    out: Option<&Path>,
) -> Result<(), Failure> {
    let found = source::tell(input, asked, arguments.from.as_deref())?;
    let data = match found {
        Detected::Run(_) => Data::Run,
        Detected::Qrels(_) => Data::Judgements,
    };
    let writer = chosen(arguments.to.as_deref(), out, data)?;
    let named = |name: &str| run_format(name).is_none() || qrels_format(name).is_none();
    let said = asked.is_some() || arguments.from.as_deref().is_some_and(named);
    let guessed = !said && source::is_open(input, found)?;
    let threads = every_core();
    let table = source::table(input, found, threads)?;
    let tag = arguments.tag.clone().unwrap_or_else(|| stem(&arguments.input));
    if tag.is_empty() || tag.contains(|c: char| c.is_ascii_whitespace() || c.is_control()) {
        return Err(Failure::usage(format!("--tag needs a word without spaces, found {tag:?}")));
    }
    let lost = write(arguments, environment, table, writer, &tag, out)?;
    if guessed {
        note_guess(environment, input, data);
    }
    say_lost(environment, lost);
    Ok(())
}

/// Says what the input was taken for.
fn note_guess(environment: &Environment, input: &Input, data: Data) {
    let (other, kind) = match data {
        Data::Run => ("judgements", "qrels"),
        Data::Judgements | Data::Labels => ("a run", "run"),
    };
    environment.note(&format!(
        "{}: taken as {}, by its numbers, because its columns could be either; if it is {other}, say --kind {kind}",
        shown(input.name()),
        data.name()
    ));
}

/// Labels of judges in another format.
fn labels(arguments: &Arguments, environment: &Environment, input: &Input, out: Option<&Path>) -> Result<(), Failure> {
    let from = arguments.from.as_deref();
    let format = from.map(|name| {
        let names: Vec<&str> = LABEL_FORMATS.iter().map(|format| format.name).collect();
        let unknown = || Failure::usage(format!("--from {name}: labels are read as {}", names.join(", ")));
        labels::format(name).ok_or_else(unknown)
    });
    let words = arguments.words.clone().unwrap_or_default();
    let read = labels::read(input, format.transpose()?, &words, &[])?;
    let mut once = JudgeLabels::default();
    labels::collect(input.name(), &read, |_| true, &mut once);
    once.finish()?;
    let writer = chosen(arguments.to.as_deref(), out, Data::Labels)?;
    say_lost(environment, write(arguments, environment, read.table, writer, "labels", out)?);
    Ok(())
}

/// Writes a table; returns what was lost.
fn write(
    arguments: &Arguments,
    environment: &Environment,
    table: Table,
    writer: &Writer,
    tag: &str,
    out: Option<&Path>,
) -> Result<Vec<String>, Failure> {
    let (table, lost) =
        prepare(table, writer, tag, arguments.lossy).map_err(|cannot| refusal(&arguments.input, writer, &cannot))?;
    let render = |sink: &mut dyn Write| {
        let mut sink = io::BufWriter::new(sink);
        (writer.write)(&table, &mut sink)?;
        sink.flush()
    };
    match out {
        Some(path) => output::to_file(path, |file| packed(path, file, render))?,
        None => environment.stream(render)?,
    }
    Ok(lost)
}

fn say_lost(environment: &Environment, lost: Vec<String>) {
    for what in lost {
        environment.note(&format!("lost: {}", shown(&what)));
    }
}

/// The writer that is asked for.
fn chosen(to: Option<&str>, out: Option<&Path>, data: Data) -> Result<&'static Writer, Failure> {
    let names = || {
        let names: Vec<&str> = WRITERS.iter().filter(|writer| writer.data == data).map(|writer| writer.name).collect();
        names.join(", ")
    };
    if let Some(name) = to {
        return writer(name, data).ok_or_else(|| {
            let what = data.name();
            Failure::usage(format!("--to {name}: this file holds {what}; {what} can be written as {}", names()))
        });
    }
    let ending = out.and_then(plain_ending);
    ending.as_deref().and_then(|ending| writer_for_ending(ending, data)).ok_or_else(|| {
        let path = out.map(|path| path.display().to_string()).unwrap_or_default();
        let other = match data {
            Data::Run => Data::Judgements,
            Data::Judgements | Data::Labels => Data::Run,
        };
        if let Some(ending) = ending.as_deref().filter(|ending| writer_for_ending(ending, other).is_some()) {
            let (what, other) = (data.name(), other.name());
            return Failure::usage(format!(
                "{path}: .{ending} is for {other}, and this file holds {what}; choose another ending, or say the format with --to ({})",
                names()
            ));
        }
        Failure::usage(format!("{path}: unknown file extension; choose a format with --to ({})", names()))
    })
}

/// The ending before that of a compression.
fn plain_ending(path: &Path) -> Option<String> {
    let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending(path) {
        Some(packed) if packed == "gz" || packed == "zst" => ending(Path::new(path.file_stem()?)),
        other => other,
    }
}

/// Writes through the compression that the ending names.
fn packed(path: &Path, out: &mut dyn Write, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    karat_formats::write::packed(ending.as_deref().unwrap_or_default(), out, render)
}

/// The file's name without folder and endings, as a tag.
fn stem(input: &str) -> String {
    let name = Path::new(input).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let tag: String = stem.chars().map(|c| if c.is_ascii_whitespace() || c.is_control() { '_' } else { c }).collect();
    if tag.is_empty() || tag == "-" { "run".into() } else { tag }
}

fn refusal(input: &str, writer: &Writer, cannot: &Cannot) -> Failure {
    let name = shown(input);
    match cannot {
        Cannot::Ever(why) => Failure::usage(format!("{name}: {why}")),
        Cannot::WithoutLoss(lost) => {
            let lost = lost.join("\n  ");
            Failure::usage(format!(
                "{name}: converting to {} would lose:\n  {lost}\nhelp: accept the loss with --lossy, or choose csv, jsonl or parquet, \
                 which hold every column that karat knows",
                writer.name
            ))
        }
    }
}
