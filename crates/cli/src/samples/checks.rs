//! Whether forms are those of one sample, and belong to the runs, judgements and options that are given.

use karat_analysis::settle::record::{self, Record};
use karat_analysis::settle::{Design, Question};
use karat_data::FormRow;
use karat_data::names::shown;

use super::form::refused;
use super::{Asked, Samples};
use crate::failure::Failure;

impl Samples {
    /// Batches are 1, 2, ..., each drawn after those before it.
    pub(super) fn check_batches(&self) -> Result<(), Failure> {
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
            let Record { design, purposes, measures, runs, pairs, seed, options, .. } = record.clone();
            (design, purposes, measures, runs, pairs, seed, options)
        };
        (of(record) != of(&first.record)).then(|| {
            let what = format!("drawn for other measures, runs or options than {}", shown(&first.name));
            (what, "give the forms of one sample")
        })
    }

    /// The next batch is for the same question: the same runs, judgements, measures and options.
    pub(crate) fn check_next(&self, question: &Question<'_>, asked: &Asked<'_>) -> Result<(), Failure> {
        self.check(question, asked)?;
        let (record, name) = (self.record(), &self.forms[0].name);
        let measures: Vec<String> =
            question.setting.measures.iter().map(|measure| measure.spec().to_string()).collect();
        if measures != record.measures || asked.names != record.runs {
            let what = format!(
                "drawn for {} of {}; here it is {} of {}",
                record.measures.join(", "),
                record.runs.join(", "),
                measures.join(", "),
                asked.names.join(", ")
            );
            return Err(refused(
                name,
                &what,
                "leave -m out and give the same runs in the same order, or draw a new sample",
            ));
        }
        Ok(())
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
        self.check_grades(question)?;
        self.check_covered(question, asked, &places)
    }

    /// Where the largest grade was given, no label is above it.
    fn check_grades(&self, question: &Question<'_>) -> Result<(), Failure> {
        let largest = question.setting.collection.max_grade;
        let is_given = self.record().options.iter().any(|option| option.starts_with("--max-grade"));
        let above = |(_, row): &(usize, &FormRow)| row.grade.grade().is_some_and(|grade| grade > largest);
        let Some((batch, row)) = self.rows().find(above).filter(|_| is_given) else { return Ok(()) };
        let what = format!("line {}: grade: above {largest}, the largest that --max-grade allows", row.line);
        Err(refused(&self.forms[batch].name, &what, "correct the grade, or draw a new sample with another --max-grade"))
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
}
