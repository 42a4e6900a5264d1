//! Judged samples that `karat settle` drew: forms with the record of how they were drawn beside them, read back and checked.

mod checks;
mod coverage;
mod estimates;
mod form;

use std::collections::{HashMap, HashSet};

use karat_analysis::settle::record::{Document, Record};
use karat_data::names::{shown, text};
use karat_data::{FormRow, Qrels, QrelsBuilder};
use karat_formats::Input;
use karat_report::Provenance;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{EvaluationOptions, Judgements, Prepared};
use form::{Form, refused};

pub use coverage::not_for_documents;
pub use form::record_path;

/// Forms of one sample, in the order of their batches.
pub struct Samples {
    forms: Vec<Form>,
}

/// What is settled, of a command.
pub struct Asked<'a> {
    /// Names of the runs.
    pub names: &'a [String],
    /// Options that change scores.
    pub options: Vec<String>,
    /// The file of judgements.
    pub file: &'a str,
    /// The least grade of a relevant document.
    pub relevance_level: f64,
}

impl Samples {
    /// Reads forms; without `partial` every row needs a label.
    ///
    /// # Errors
    /// A form or its record cannot be read, they do not belong together, or rows have no label.
    pub fn read(environment: &Environment, names: &[String], partial: bool) -> Result<Samples, Failure> {
        let mut forms = Vec::with_capacity(names.len());
        for (name, input) in names.iter().zip(environment.inputs(names)?) {
            forms.push(Form::read(environment, name, &input, partial)?);
        }
        forms.sort_by_key(|form| form.record.batch);
        let samples = Samples { forms };
        samples.check_batches()?;
        Ok(samples)
    }

    /// One form that is in memory, with its record.
    ///
    /// # Errors
    /// As [`Samples::read`].
    pub(crate) fn of_bytes(name: &str, form: &[u8], record: Record) -> Result<Samples, Failure> {
        Ok(Samples { forms: vec![Form::new(name, &Input::bytes(name, form), record, false)?] })
    }

    /// The file of the first batch.
    pub(crate) fn first_name(&self) -> &str {
        &self.forms[0].name
    }

    /// How the last batch was drawn.
    pub fn record(&self) -> &Record {
        &self.forms[self.forms.len() - 1].record
    }

    /// The measures that it was drawn for.
    pub fn measures(&self) -> Vec<&str> {
        self.record().measures.iter().map(String::as_str).collect()
    }

    /// All documents of the forms.
    pub fn documents(&self) -> HashSet<Document> {
        self.rows().map(|(_, row)| (row.query_id.clone(), row.doc_id.clone())).collect()
    }

    /// The forms' checksums.
    pub fn checksums(&self) -> Vec<String> {
        self.forms.iter().map(|form| form.record.form.clone()).collect()
    }

    /// Adds the forms to the inputs that an answer names.
    pub fn provenance(&self, provenance: Provenance) -> Provenance {
        let add = |provenance: Provenance, form: &Form| {
            provenance.input_in(form.format, &form.name, form.bytes, form.rows.len() as u64)
        };
        self.forms.iter().fold(provenance, add)
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &FormRow)> {
        self.forms.iter().enumerate().flat_map(|(batch, form)| form.rows.iter().map(move |row| (batch, row)))
    }

    /// Takes the documents of the sample out of the judgements, so that these are as they were when it was drawn.
    ///
    /// # Errors
    /// A document has another grade there.
    pub fn take_out(&self, prepared: &mut Prepared, options: &EvaluationOptions) -> Result<(), Failure> {
        let Judgements { qrels, facts, .. } = &prepared.judgements;
        prepared.judgements.qrels = self.removed_from(qrels, &facts.file)?;
        prepared.collection = options.collection(&prepared.judgements)?;
        Ok(())
    }

    /// The judgements without the documents of the sample.
    fn removed_from(&self, qrels: &Qrels, file: &str) -> Result<Qrels, Failure> {
        let known: HashMap<Document, (usize, &FormRow)> =
            self.rows().map(|(batch, row)| ((row.query_id.clone(), row.doc_id.clone()), (batch, row))).collect();
        let mut builder = QrelsBuilder::new();
        for topic in qrels.topics() {
            let name = qrels.name(topic);
            for (docno, judgement) in qrels.documents(topic) {
                match (known.get(&(name.to_vec(), docno.to_vec())), judgement.grade()) {
                    (None, _) => builder.push(name, docno, judgement),
                    (Some((batch, row)), Some(grade)) if row.grade.grade().is_some_and(|own| own != grade) => {
                        return Err(refused(
                            &self.forms[*batch].name,
                            &format!(
                                "line {}: document {} of topic {} has another grade than in {}: {grade}",
                                row.line,
                                text(docno),
                                text(name),
                                shown(file)
                            ),
                            "correct one of the two",
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(builder.finish().0)
    }
}
