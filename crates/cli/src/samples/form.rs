//! A form of a sample, and the record beside it: read, and checked against each other.

use std::path::PathBuf;

use karat_analysis::settle::record::{self, Record};
use karat_analysis::settle::{Design, Purpose};
use karat_data::names::shown;
use karat_data::{FormGrade, FormRow};
use karat_formats::{Input, form};

use crate::environment::Environment;
use crate::failure::Failure;

/// The record beside a form.
pub fn record_path(form: &str) -> PathBuf {
    PathBuf::from(format!("{form}.plan.json"))
}

/// A form with its record.
pub(super) struct Form {
    pub name: String,
    pub rows: Vec<FormRow>,
    pub record: Record,
    pub bytes: u64,
    pub format: &'static str,
}

impl Form {
    /// Reads a form and its record; without `partial` every row needs a label.
    pub fn read(environment: &Environment, name: &str, input: &Input, partial: bool) -> Result<Form, Failure> {
        Form::new(name, input, read_record(environment, name)?, partial)
    }

    /// With its record.
    pub fn new(name: &str, input: &Input, record: Record, partial: bool) -> Result<Form, Failure> {
        let read = form::read(input)?;
        let form = Form { name: name.to_owned(), rows: read.rows, record, bytes: read.bytes, format: read.format };
        form.check(partial)?;
        Ok(form)
    }

    /// The rows are those that were drawn, and have labels.
    fn check(&self, partial: bool) -> Result<(), Failure> {
        if let Some(row) = self.rows.iter().find(|row| row.probability.is_none()) {
            let what = format!("line {}: no probability", row.line);
            return Err(refused(&self.name, &what, "restore the column probability as karat settle wrote it"));
        }
        let rows = self.rows.iter().map(|row| (&row.query_id[..], &row.doc_id[..], row.probability.unwrap_or(0.0)));
        if record::of_form(rows) != self.record.form {
            let what = format!(
                "{} rows, {} were drawn; documents or probabilities are not those of the plan",
                self.rows.len(),
                self.record.count
            );
            return Err(refused(
                &self.name,
                &what,
                "restore removed rows and changed probabilities; only grades may be filled in",
            ));
        }
        let open = self.rows.iter().filter(|row| matches!(row.grade, FormGrade::Asked | FormGrade::NotAsked)).count();
        if open > 0 && !partial {
            let what = format!("{open} of {} documents are not judged yet", self.rows.len());
            let help = "judge them, or give --partial: the interval then allows for every label they may have";
            return Err(refused(&self.name, &what, help));
        }
        Ok(())
    }
}

fn read_record(environment: &Environment, form: &str) -> Result<Record, Failure> {
    let path = record_path(form);
    let name = path.to_string_lossy().into_owned();
    let bytes = environment.read(&name).map_err(|error| {
        let why = if error.kind() == std::io::ErrorKind::NotFound {
            "No such file or directory".to_owned()
        } else {
            error.to_string()
        };
        refused(
            &name,
            &format!("{why}; a sample needs the plan that karat settle wrote beside the form"),
            "keep FORM and FORM.plan.json together",
        )
    })?;
    let found: Record = serde_json::from_slice(&bytes).map_err(|error| {
        refused(&name, &format!("not a plan of karat settle ({error})"), "restore the file, or draw a new sample")
    })?;
    check_record(&name, &found)?;
    Ok(found)
}

/// The record is one, and as it was written.
fn check_record(name: &str, found: &Record) -> Result<(), Failure> {
    if found.schema != record::SCHEMA {
        let what = format!("schema {:?}, expected {:?}", found.schema, record::SCHEMA);
        return Err(refused(name, &what, "use the version of karat that drew the sample"));
    }
    let runs = found.runs.len();
    let purposes: Option<Vec<Purpose>> = found.purposes.iter().map(|name| Purpose::find(name)).collect();
    let is_for = |purpose: Purpose| purposes.iter().flatten().any(|own| *own == purpose);
    if purposes.is_none()
        || found.pairs.is_empty() == is_for(Purpose::Difference)
        || !(is_for(Purpose::Difference) || is_for(Purpose::Scores))
        || found.pairs.iter().any(|(a, b)| a.max(b) >= &runs)
        || Design::find(&found.design).is_none()
        || found.measures.is_empty()
    {
        return Err(refused(
            name,
            "purpose, pairs, measures or design are not those of a plan",
            "restore the file, or draw a new sample",
        ));
    }
    if found.seal != found.checksum() {
        let what = "the plan was changed after the form was drawn";
        return Err(refused(name, what, "restore the file as karat settle wrote it, or draw a new sample"));
    }
    Ok(())
}

pub(super) fn refused(form: &str, what: &str, help: &str) -> Failure {
    Failure::usage(format!("{}: {what}\nhelp: {help}", shown(form)))
}
