//! Options and files that pool, sample and next share: what is read, and the form for the judges.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use karat_analysis::settle::record::Record;
use karat_data::names::shown;
use karat_data::{FormGrade, FormRow, Qrels};
use karat_formats::form::{Asked, Form, FormFormat, FormTexts};
use karat_formats::texts::{self, corpus};
use karat_formats::write::packed;
use karat_formats::{Dialect, Input, RunFiles, read_qrels};
use karat_present::judging::{Blank, form_note, no_text_note};
use karat_report::Provenance;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{FormatOptions, OutputOptions, ThreadOptions};
use crate::output;
use crate::outputs::Outputs;
use crate::samples::record_path;

/// The form for the judges.
#[derive(Debug, Args)]
pub struct FormOptions {
    /// Also write a form for judges to complete. The extension sets the format: TREC (.qrels, .txt), CSV (.csv), JSON
    /// Lines (.jsonl) or Label Studio (.json); an additional .gz or .zst compresses it
    #[arg(long, value_name = "FILE")]
    pub form: Option<PathBuf>,
    /// Format of the form [default: from the extension of --form]; sampled and prels are for karat sample
    #[arg(long, value_name = "FORMAT", requires = "form", value_parser = ["trec", "sampled", "prels", "csv", "tsv", "jsonl", "label-studio"])]
    pub form_format: Option<String>,
    /// Texts of the queries for the form: lines of name, tab and text, CSV or TSV with a header, JSON objects, or TREC SGML
    #[arg(long, value_name = "FILE", requires = "form")]
    pub queries: Option<String>,
    /// Texts of the documents for the form: JSON objects, CSV or TSV with a name (_id, doc_id, docno, ...) and title, text or contents
    #[arg(long, value_name = "FILE", requires = "form")]
    pub corpus: Option<String>,
}

/// What the three commands have in common.
#[derive(Debug, Args)]
pub struct JudgingOptions {
    #[command(flatten)]
    pub form: FormOptions,
    #[command(flatten)]
    pub formats: FormatOptions,
    #[command(flatten)]
    pub threads: ThreadOptions,
}

impl JudgingOptions {
    /// Opens the judgements, where there are some, and the runs; they come with where they are from.
    ///
    /// # Errors
    /// A file is missing, bad, or would be written over.
    pub fn open(
        &self,
        environment: &Environment,
        qrels: Option<&String>,
        runs: &[String],
        output: &OutputOptions,
    ) -> Result<(Option<Qrels>, RunFiles, Provenance), Failure> {
        output::chosen(output)?;
        let names: Vec<String> = qrels.into_iter().chain(runs).cloned().collect();
        self.form.check(Outputs::answer(output), &names)?;
        let mut inputs = environment.inputs(&names)?;
        let mut provenance = Provenance::default();
        let mut judged = None;
        if qrels.is_some() {
            let (read, facts) =
                read_qrels(&inputs.remove(0), self.formats.qrels(), Dialect::Strict, self.threads.count())?;
            provenance = provenance.input_in(facts.format, &facts.file, facts.bytes, facts.rows);
            judged = Some(read);
        }
        Ok((judged, self.runs(inputs), provenance))
    }

    /// Opens the runs.
    pub fn runs(&self, inputs: Vec<Input>) -> RunFiles {
        RunFiles::new(inputs, self.formats.runs(), Dialect::Strict)
    }
}

/// The text of a sample's record file.
///
/// # Errors
/// It cannot be written as JSON.
pub fn record_text(record: &Record) -> Result<String, Failure> {
    let sealed = Record { seal: record.checksum(), ..record.clone() };
    Ok(serde_json::to_string_pretty(&sealed).map_err(|error| Failure::Output(error.to_string()))? + "\n")
}

impl FormOptions {
    /// Refuses to write over an input, one output over another, or the form over another form; and a form that cannot be written.
    ///
    /// # Errors
    /// An output is such a file, or `--form` is none that can be written.
    pub fn check<'a>(&'a self, outputs: Outputs<'a>, inputs: &[String]) -> Result<(), Failure> {
        let texts = [&self.queries, &self.corpus].into_iter().flatten();
        let inputs: Vec<String> = inputs.iter().chain(texts).cloned().collect();
        outputs.and("--form", self.form.as_deref()).check(&inputs)?;
        let Some(path) = &self.form else { return Ok(()) };
        let name = shown(&path.to_string_lossy());
        let refused = |why: &str| Err(Failure::usage(format!("--form {name}: {why}")));
        if name == "-" || matches!(ending(path).as_str(), "xz" | "bz2") {
            return refused("a form must be a file, plain or with the ending gz or zst");
        }
        // A form that was given out holds people's work sooner or later.
        if path.is_file() {
            return refused("the file exists, and may hold judges' work; choose another name, or remove it");
        }
        let given = if self.queries.is_some() { "--queries" } else { "--corpus" };
        if self.format(path)? == FormFormat::Trec && (self.queries.is_some() || self.corpus.is_some()) {
            return Err(Failure::usage(format!(
                "{given}: TREC's format has no texts, and --form {name} has that format\nhelp: write a form that ends in .csv, .jsonl or .json"
            )));
        }
        Ok(())
    }

    /// Refuses the layouts of a sample, for commands that draw none.
    ///
    /// # Errors
    /// One of them is asked for.
    pub fn refuse_layouts(&self) -> Result<(), Failure> {
        match self.form_format.as_deref() {
            Some(name @ ("sampled" | "prels")) => Err(Failure::usage(format!(
                "--form-format {name} is the layout of a sample, and nothing is drawn here; use trec, csv, tsv, jsonl or label-studio"
            ))),
            _ => Ok(()),
        }
    }

    /// The format of a form: as asked, else by the ending; TREC's without one.
    ///
    /// # Errors
    /// No format has the ending.
    fn format(&self, path: &Path) -> Result<FormFormat, Failure> {
        if let Some(name) = &self.form_format {
            // The others are TREC's with another layout.
            return Ok(FormFormat::from_name(name).unwrap_or(FormFormat::Trec));
        }
        let inner = match ending(path).as_str() {
            "gz" | "zst" => ending(Path::new(path.file_stem().unwrap_or_default())),
            other => other.to_owned(),
        };
        let known = if inner.is_empty() { Some(FormFormat::Trec) } else { FormFormat::from_ending(&inner) };
        known.ok_or_else(|| {
            let names: Vec<&str> = FormFormat::names().collect();
            Failure::usage(format!(
                "--form {}: unknown file extension; use .qrels, .txt, .csv, .tsv, .jsonl or .json, or set the format with --form-format ({})",
                shown(&path.to_string_lossy()),
                names.join(", ")
            ))
        })
    }

    /// Writes the form, if there is to be one; returns the notes on it, and the provenance with the files of texts. `asked` is what TREC's
    /// lines have in place of a grade.
    ///
    /// # Errors
    /// It cannot be written, the format cannot hold a name, or a file of texts is missing or bad.
    pub fn write(
        &self,
        environment: &Environment,
        rows: &[FormRow],
        asked: Asked,
        provenance: Provenance,
    ) -> Result<(Vec<String>, Provenance), Failure> {
        let Some(path) = &self.form else { return Ok((Vec::new(), provenance)) };
        let name = shown(&path.to_string_lossy()).to_string();
        let format = self.format(path)?;
        let mut notes = Vec::new();
        let (texts, provenance) = self.texts(environment, rows, &mut notes, provenance)?;
        let form =
            Form::new(rows, &texts, format, asked).map_err(|why| Failure::usage(format!("--form {name}: {why}")))?;
        let render = |sink: &mut dyn Write| {
            let mut sink = std::io::BufWriter::new(sink);
            form.write(&mut sink)?;
            sink.flush()
        };
        output::to_file(path, |file| packed(&ending(path), file, render))?;
        let blank = match (format, asked) {
            (FormFormat::Trec, Asked::Unjudged) => Blank::Minus,
            (FormFormat::Trec, Asked::Question) => Blank::Question,
            (FormFormat::LabelStudio, _) => Blank::Task,
            (FormFormat::Csv | FormFormat::Tsv | FormFormat::Jsonl, _) => Blank::Empty,
        };
        notes.insert(0, form_note(&name, rows, blank));
        Ok((notes, provenance))
    }

    /// Refuses to write the record of a sample over another.
    ///
    /// # Errors
    /// There is one.
    pub fn check_record(&self) -> Result<(), Failure> {
        let Some(form) = &self.form else { return Ok(()) };
        let record = record_path(&form.to_string_lossy());
        if record.exists() {
            return Err(Failure::usage(format!(
                "--form {}: {} exists, and may belong to a form that judges work on; choose another name, or remove it",
                shown(&form.to_string_lossy()),
                shown(&record.to_string_lossy())
            )));
        }
        Ok(())
    }

    /// Writes the form of a sample, and the record beside it, if there is to be one; returns the notes on it, and the provenance with the files of
    /// texts.
    ///
    /// # Errors
    /// As [`FormOptions::write`].
    pub fn write_sample(
        &self,
        environment: &Environment,
        (rows, record): (&[FormRow], &Record),
        provenance: Provenance,
    ) -> Result<(Vec<String>, Provenance), Failure> {
        let Some(path) = self.form.as_deref().filter(|_| !rows.is_empty()) else {
            return Ok((Vec::new(), provenance));
        };
        // The record first: a form without one could not be read back.
        let text = record_text(record)?;
        let beside = record_path(&path.to_string_lossy());
        output::to_file(&beside, |out: &mut dyn Write| out.write_all(text.as_bytes()))?;
        self.write(environment, rows, Asked::Question, provenance).inspect_err(|_| {
            // What went wrong with the form is said; a record without a form is of no use.
            let _ = std::fs::remove_file(&beside);
        })
    }

    /// The texts of the queries and documents that judges may look at, with a note where some are missing.
    fn texts(
        &self,
        environment: &Environment,
        rows: &[FormRow],
        notes: &mut Vec<String>,
        mut provenance: Provenance,
    ) -> Result<(FormTexts, Provenance), Failure> {
        let shown_rows = || rows.iter().filter(|row| row.grade != FormGrade::NotAsked);
        let mut texts = FormTexts::default();
        if let Some(file) = &self.queries {
            let input = environment.inputs(std::slice::from_ref(file))?.remove(0);
            let (found, bytes, count) = texts::topics(&input)?;
            provenance = provenance.input(file.as_str(), bytes, count);
            let wanted: HashSet<&[u8]> = shown_rows().map(|row| &row.query_id[..]).collect();
            let missing = wanted.iter().filter(|name| !found.contains_key(**name)).count();
            if missing > 0 {
                notes.push(no_text_note(file, "queries", missing, wanted.len()));
            }
            texts.queries = found;
        }
        if let Some(file) = &self.corpus {
            let input = environment.inputs(std::slice::from_ref(file))?.remove(0);
            let wanted: HashSet<&[u8]> = shown_rows().map(|row| &row.doc_id[..]).collect();
            let found = corpus::documents(&input, &|name| wanted.contains(name))?;
            provenance = provenance.input(file.as_str(), found.bytes, found.rows);
            let missing = wanted.len() - found.documents.len();
            if missing > 0 {
                notes.push(no_text_note(file, "documents", missing, wanted.len()));
            }
            texts.documents = found.documents;
        }
        Ok((texts, provenance))
    }
}

/// The last ending of a file's name, in small letters.
fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}
