//! Options and files that pool, sample and next share: what is read, and the form for the judges.

use std::path::{Path, PathBuf};

use clap::Args;
use karat_analysis::judging::FormRow;
use karat_data::names::shown;
use karat_data::{FIRST_STRATUM_METHOD, JudgementKind, Qrels};
use karat_formats::records::{Column, Data, Table};
use karat_formats::write::writer;
use karat_formats::{Dialect, Input, RunFiles, read_qrels};
use karat_report::Provenance;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::judgement_file;
use crate::options::{FormatOptions, OutputOptions, ThreadOptions};
use crate::output;
use crate::outputs::Outputs;

/// What the three commands have in common.
#[derive(Debug, Args)]
pub struct JudgingOptions {
    /// Also write a judgement file for judges to complete; the ending gz or zst compresses it. `karat eval` reads it
    #[arg(long, value_name = "FILE")]
    pub form: Option<PathBuf>,
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
        self.check(Outputs::answer(output), &names)?;
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

    /// Refuses to write over an input, one output over another, or the form over another form.
    ///
    /// # Errors
    /// An output is such a file, or `--form` is none that can be written.
    pub fn check<'a>(&'a self, outputs: Outputs<'a>, inputs: &[String]) -> Result<(), Failure> {
        outputs.and("--form", self.form.as_deref()).check(inputs)?;
        let Some(path) = &self.form else { return Ok(()) };
        let name = shown(&path.to_string_lossy());
        let refused = |why: &str| Err(Failure::usage(format!("--form {name}: {why}")));
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        if name == "-" || matches!(ending.as_deref(), Some("xz" | "bz2")) {
            return refused("a form must be a file, plain or with the ending gz or zst");
        }
        // A form that was given out holds people's work sooner or later.
        if path.is_file() {
            return refused("the file exists, and may hold judges' work; choose another name, or remove it");
        }
        Ok(())
    }
}

/// What stands for a grade that a judge is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// -1, not judged yet: the file can be used at once.
    Unjudged,
    /// `?`, which no reader takes: in a sample -1 would mean that the document was not drawn.
    Question,
}

/// Writes the form in one of the formats `trec`, `sampled`, `prels`.
///
/// # Errors
/// It cannot be written, or the format cannot hold a name.
pub fn write(path: &Path, format: &str, asked: Asked, rows: &[FormRow]) -> Result<(), Failure> {
    let kind = match format {
        "sampled" => JudgementKind::Strata,
        "prels" => JudgementKind::Probabilities,
        _ => JudgementKind::Grades,
    };
    // Prels list what was drawn; the others all that could have been.
    let drawn = |row: &&FormRow| kind != JudgementKind::Probabilities || row.grade.is_none_or(|grade| grade >= 0.0);
    let rows: Vec<&FormRow> = rows.iter().filter(drawn).collect();
    let open = if asked == Asked::Unjudged { -1.0 } else { f64::NAN };
    let mut table = Table::of_documents(kind, rows.iter().map(|row| (row.topic.as_slice(), row.docno.as_slice())));
    table.set_numbers(Column::Grade, rows.iter().map(|row| row.grade.unwrap_or(open)).collect());
    match kind {
        JudgementKind::Strata => table.set_names(Column::Stratum, rows.iter().map(|row| row.stratum.to_string())),
        JudgementKind::Probabilities => {
            let method = |row: &&FormRow| (FIRST_STRATUM_METHOD + row.stratum.saturating_sub(1)).to_string();
            table.set_names(Column::Method, rows.iter().map(method));
            table.set_numbers(Column::Probability, rows.iter().map(|row| row.probability).collect());
        }
        _ => {}
    }
    let writer = writer(format, Data::Judgements)
        .ok_or_else(|| Failure::usage(format!("--form cannot be written as {format}")))?;
    judgement_file::write(path, "--form", writer, table)
}

/// Writes the form of a sample: as lines of TREC, or a table by the ending of its name.
///
/// # Errors
/// It cannot be written, or the format cannot hold a name.
pub fn write_sample(path: &Path, rows: &[karat_data::FormRow]) -> Result<(), Failure> {
    use karat_formats::form::{Asked, Form, FormFormat, FormTexts};
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let format = FormFormat::from_ending(&ending).unwrap_or(FormFormat::Csv);
    let texts = FormTexts::default();
    let refused = |why: String| Failure::usage(format!("--form {}: {why}", shown(&path.to_string_lossy())));
    let form = Form::new(rows, &texts, format, Asked::Question).map_err(refused)?;
    output::to_file(path, |out| form.write(out))
}
