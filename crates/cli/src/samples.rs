//! Judged samples that `karat settle` drew: forms with the record of how they were drawn beside them, read back and checked.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use karat_analysis::compare::sampled::{self, SampleFacts, SampledPair};
use karat_analysis::compare::{CompareOptions, Compared};
use karat_analysis::scores::Setting;
use karat_analysis::settle::estimate::{Judged, JudgedSample, Said, SampledDifference, estimate};
use karat_analysis::settle::record::{self, Document, Record};
use karat_analysis::settle::stopping::Look;
use karat_analysis::settle::{Design, Question};
use karat_data::names::{shown, text};
use karat_data::{FormGrade, FormRow, Qrels, QrelsBuilder, RankedDocuments, RunSource};
use karat_formats::{Input, form};
use karat_measures::Measure;
use karat_report::{NumberStyle, Provenance};
use karat_stats::Seed;

use crate::environment::Environment;
use crate::failure::Failure;
use crate::options::{EvaluationOptions, Judgements, Prepared};

/// What to know of an estimate to first order.
const NOT_A_SUM: &str = "nDCG is estimated to first order from sampled documents. Where relevance varies much between topics and few documents are judged, \
                         this is biased towards 0 (by up to 0.03 in simulations); --design topics has no bias.";

/// The record beside a form.
pub fn record_path(form: &str) -> PathBuf {
    PathBuf::from(format!("{form}.plan.json"))
}

/// A form with its record.
struct Form {
    name: String,
    rows: Vec<FormRow>,
    record: Record,
    bytes: u64,
    format: &'static str,
}

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
}

impl Samples {
    /// Reads forms; without `partial` every row needs a label.
    ///
    /// # Errors
    /// A form or its record cannot be read, they do not belong together, or rows have no label.
    pub fn read(environment: &Environment, names: &[String], partial: bool) -> Result<Samples, Failure> {
        let mut forms = Vec::with_capacity(names.len());
        for (name, input) in names.iter().zip(environment.inputs(names)?) {
            let read = form::read(&input)?;
            let record = read_record(environment, name)?;
            let form = Form { name: name.clone(), rows: read.rows, record, bytes: read.bytes, format: read.format };
            form.check(partial)?;
            forms.push(form);
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
        let read = form::read(&Input::bytes(name, form))?;
        let form = Form { name: name.to_owned(), rows: read.rows, record, bytes: read.bytes, format: read.format };
        form.check(false)?;
        Ok(Samples { forms: vec![form] })
    }

    /// How the last batch was drawn.
    pub fn record(&self) -> &Record {
        &self.forms[self.forms.len() - 1].record
    }

    /// The file of the first batch.
    pub(crate) fn first_name(&self) -> &str {
        &self.forms[0].name
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

    /// Batches are 1, 2, ..., each drawn after those before it.
    fn check_batches(&self) -> Result<(), Failure> {
        let mut earlier: Vec<&str> = Vec::new();
        for (place, form) in self.forms.iter().enumerate() {
            if let Some((what, help)) = self.wrong_batch(place, &earlier) {
                return Err(refused(&form.name, &what, help));
            }
            earlier.push(&form.record.form);
        }
        Ok(())
    }

    /// What is wrong with the batch at this place, and what to do.
    fn wrong_batch(&self, place: usize, earlier: &[&str]) -> Option<(String, &'static str)> {
        let (record, first) = (&self.forms[place].record, &self.forms[0]);
        let before = place.checked_sub(1).map(|before| &self.forms[before]);
        if let Some(before) = before.filter(|before| before.record.batch == record.batch) {
            return Some((
                format!("batch {} stands in {} too", record.batch, shown(&before.name)),
                "give one form per batch; labels of several judges are merged by karat judges merge",
            ));
        }
        if record.batch as usize != place + 1 || record.earlier != earlier {
            return Some((
                format!("batch {} needs the forms of all batches before it, as they were drawn", record.batch),
                "give the forms of all batches, each with --sample",
            ));
        }
        if place > 0 && record.design == Design::Topics.name() {
            return Some(("topics are drawn in one batch only".into(), "draw one larger sample of topics"));
        }
        let of = |record: &Record| {
            let Record { design, measures, runs, pairs, seed, options, .. } = record.clone();
            (design, measures, runs, pairs, seed, options)
        };
        (of(record) != of(&first.record)).then(|| {
            let what = format!("drawn for other measures, runs or options than {}", shown(&first.name));
            (what, "give the forms of one sample")
        })
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

    /// Puts what the sample says in the place of what was assumed.
    ///
    /// # Errors
    /// The sample was drawn for other runs, judgements, measures or options, or does not cover what is compared.
    pub fn apply(
        &self,
        setting: &Setting<'_>,
        runs: &dyn RunSource,
        (asked, options): (&Asked<'_>, &CompareOptions<'_>),
        compared: &mut Compared,
    ) -> Result<Vec<String>, Failure> {
        let read = RankedDocuments::named(setting.qrels, runs, &setting.policy, setting.threads)?;
        let pairs: Vec<(usize, usize)> = unique(compared.comparisons.iter().map(|one| one.pair));
        let question = Question::new(setting, &read, pairs);
        self.check(&question, asked)?;
        let (found, notes) = self.estimates(&question, options.inference.level);
        sampled::apply(setting, compared, found);
        Ok(notes)
    }

    /// What the sample says of every measure and pair of a question that was checked, and notes on it.
    pub(crate) fn estimates(&self, question: &Question<'_>, level: f64) -> (Vec<SampledPair>, Vec<String>) {
        let setting = question.setting;
        let (sample, look) = (self.sample(question), self.look());
        let mut found = Vec::new();
        for contrast in question.contrasts() {
            let (facts, difference) = self.estimate(question, contrast, &sample, look, level);
            found.push((contrast, facts, difference));
        }
        let limits = found.iter().map(|(_, facts, _)| facts.alpha);
        let limit = limits.fold(f64::INFINITY, f64::min);
        let mut notes = self.notes(&sample, look, (limit, 1.0 - level));
        let is_sum = |measure: &dyn Measure| measure.linear(&setting.collection).is_some();
        if sample.design == Design::Documents && !setting.measures.iter().all(|measure| is_sum(measure.as_ref())) {
            notes.push(NOT_A_SUM.into());
        }
        (found, notes)
    }

    fn estimate(
        &self,
        question: &Question<'_>,
        contrast: (usize, (usize, usize)),
        sample: &JudgedSample,
        look: Look,
        level: f64,
    ) -> (SampleFacts, SampledDifference) {
        let seed = Seed(self.record().seed);
        let first = estimate(question, contrast, sample, level, seed);
        let alpha = look.alpha(1.0 - level, (first.topics, first.sampling));
        let found = if alpha < 1.0 - level { estimate(question, contrast, sample, 1.0 - alpha, seed) } else { first };
        let drawn = sample.rows.len();
        let facts = SampleFacts {
            drawn,
            judged: drawn - sample.open(),
            seed: seed.0,
            alpha,
            look: (!look.is_only()).then_some((look.number, look.planned)),
        };
        (facts, found)
    }

    fn look(&self) -> Look {
        Look { number: self.forms.len() as u32, planned: self.record().batches }
    }

    fn notes(&self, sample: &JudgedSample, look: Look, (limit, alpha): (f64, f64)) -> Vec<String> {
        let limit = NumberStyle::Significant(2).show(limit);
        let mut notes = vec![format!(
            "Sample: {} of {} documents judged. Difference, interval and verdict are estimated from it; values and bounds treat unjudged documents as usual.",
            sample.rows.len() - sample.open(),
            sample.rows.len()
        )];
        if sample.open() > 0 {
            notes.push(format!(
                "{} sampled documents have no usable label: the interval holds both extremes, all of them for one run and all of them for the other.",
                sample.open()
            ));
        }
        if !look.is_only() {
            let number = look.number;
            notes.push(match look.planned {
                Some(planned) if number <= planned => {
                    format!("Look {number} of {planned}: p must be below {limit}, so that all looks together keep the level (alpha spending).")
                }
                Some(planned) => format!(
                    "Look {number}, but {planned} planned: p must be below {limit}. All looks together give up to {}% of false verdicts, because the planned looks spent 1 - level.",
                    NumberStyle::Significant(2).show(100.0 * alpha * (1.0 + 1.0 / f64::from(planned + 1)))
                ),
                None => format!("Look {number} of any number: p must be below {limit}, so that all looks together keep the level."),
            });
        }
        notes
    }

    /// The labels, by topic.
    fn sample(&self, question: &Question<'_>) -> JudgedSample {
        let places: HashMap<&[u8], usize> = question
            .topics
            .iter()
            .enumerate()
            .map(|(place, &topic)| (question.setting.qrels.name(topic), place))
            .collect();
        let judged = |(batch, row): (usize, &FormRow)| {
            let said = row.grade.grade().map_or(Said::Open, Said::Grade);
            let topic = *places.get(&row.query_id[..])?;
            Some(Judged { topic, docno: row.doc_id.clone(), probability: row.probability?, batch, said })
        };
        let rows = self.rows().filter_map(judged).collect();
        let sizes = self.forms.iter().map(|form| form.rows.len()).collect();
        let design = Design::find(&self.record().design).unwrap_or(Design::Documents);
        JudgedSample { design, rows, sizes }
    }

    /// The sample was drawn from these runs and judgements, for these measures and pairs.
    pub(crate) fn check(&self, question: &Question<'_>, asked: &Asked<'_>) -> Result<(), Failure> {
        let (record, name) = (self.record(), &self.forms[0].name);
        if record.options != asked.options {
            let shown = |options: &[String]| if options.is_empty() { "none".to_owned() } else { options.join(" ") };
            let what =
                format!("drawn with the options {}; here they are {}", shown(&record.options), shown(&asked.options));
            return Err(refused(name, &what, "give the same options"));
        }
        let places = self.places(asked)?;
        if record::of_lists(question, &places) != record.lists {
            let what = "the runs have changed since the form was drawn";
            return Err(refused(name, what, "give the runs that it was drawn from, or draw a new sample"));
        }
        if record::of_judgements(question, &self.documents()) != record.judgements {
            let what = format!("{} has changed since the form was drawn", shown(asked.file));
            let help = "give the judgements that it was drawn with (grades of the form itself may be among them), or draw a new sample";
            return Err(refused(name, &what, help));
        }
        self.check_covered(question, asked, &places)
    }

    /// The places of the sample's runs among those of the command.
    pub(crate) fn places(&self, asked: &Asked<'_>) -> Result<Vec<usize>, Failure> {
        let record = self.record();
        let place = |run: &String| asked.names.iter().position(|name| name == run);
        let places: Option<Vec<usize>> = record.runs.iter().map(place).collect();
        places.ok_or_else(|| {
            let what =
                format!("drawn for the runs {}; here they are {}", record.runs.join(", "), asked.names.join(", "));
            refused(&self.forms[0].name, &what, "give the runs that it was drawn for, under the same names")
        })
    }

    fn check_covered(&self, question: &Question<'_>, asked: &Asked<'_>, places: &[usize]) -> Result<(), Failure> {
        let (record, name) = (self.record(), &self.forms[0].name);
        let known: HashSet<(usize, usize)> =
            record.pairs.iter().flat_map(|&(a, b)| [(places[a], places[b]), (places[b], places[a])]).collect();
        if let Some((a, b)) = question.pairs.iter().find(|pair| !known.contains(pair)) {
            let what = format!(
                "says nothing about {} and {}: it was drawn for {}",
                asked.names[*a],
                asked.names[*b],
                drawn_for(record)
            );
            return Err(refused(name, &what, "draw a sample for these runs (karat settle)"));
        }
        let measures: Vec<String> =
            question.setting.measures.iter().map(|measure| measure.spec().to_string()).collect();
        let covered = |measure: &&String| record.measures.contains(measure) || record.design == Design::Topics.name();
        if let Some(measure) = measures.iter().find(|measure| !covered(measure)) {
            let what = format!(
                "says nothing about {measure}: it was drawn for {}, and documents that count for {measure} alone could not be drawn",
                record.measures.join(", ")
            );
            return Err(refused(
                name,
                &what,
                &format!("give -m {}, or draw a sample for {measure} too", record.measures.join(",")),
            ));
        }
        Ok(())
    }
}

fn drawn_for(record: &Record) -> String {
    let pair = |(a, b): &(usize, usize)| format!("{} and {}", record.runs[*a], record.runs[*b]);
    record.pairs.iter().map(pair).collect::<Vec<_>>().join("; ")
}

fn unique(pairs: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for pair in pairs {
        if !found.contains(&pair) {
            found.push(pair);
        }
    }
    found
}

fn refused(form: &str, what: &str, help: &str) -> Failure {
    Failure::usage(format!("{}: {what}\nhelp: {help}", shown(form)))
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
    if found.schema != record::SCHEMA {
        let what = format!("schema {:?}, expected {:?}", found.schema, record::SCHEMA);
        return Err(refused(&name, &what, "use the version of karat that drew the sample"));
    }
    let runs = found.runs.len();
    if found.pairs.is_empty()
        || found.pairs.iter().any(|(a, b)| a.max(b) >= &runs)
        || Design::find(&found.design).is_none()
    {
        return Err(refused(
            &name,
            "pairs or design are not those of a plan",
            "restore the file, or draw a new sample",
        ));
    }
    Ok(found)
}

impl Form {
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
