//! What lies beside a form: how its documents were drawn, and from what. Without it a form cannot be read back, because labels alone do not say
//! which documents could have been drawn.

use std::collections::HashSet;
use std::fmt::Write;

use karat_data::FormRow;
use karat_stats::Seed;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::question::{Design, Purpose, Question};

/// The schema of the file.
pub const SCHEMA: &str = "karat/settle-plan/1";

/// A document of a topic, by name.
pub type Document = (Vec<u8>, Vec<u8>);

/// How a form was drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The schema of this file.
    pub schema: String,
    /// What was sampled: `documents` or `topics`.
    pub design: String,
    /// What it is for: `difference`, `scores` or both.
    #[serde(rename = "for", default = "difference")]
    pub purposes: Vec<String>,
    /// The measures.
    pub measures: Vec<String>,
    /// The runs, in the order in which they were given.
    pub runs: Vec<String>,
    /// Pairs that are compared, as places of runs.
    pub pairs: Vec<(usize, usize)>,
    /// Options that change scores.
    pub options: Vec<String>,
    /// The seed of the draws.
    pub seed: u64,
    /// Documents in the form.
    pub count: usize,
    /// The number of the batch, from 1.
    pub batch: u32,
    /// How many batches are planned; `null`: any number, with a stricter p for each.
    pub batches: Option<u32>,
    /// Checksum of the judgements, but for documents of the forms.
    pub judgements: String,
    /// Checksum of the runs' lists.
    pub lists: String,
    /// Checksum of the form's documents and probabilities.
    pub form: String,
    /// The same of the forms of earlier batches.
    pub earlier: Vec<String>,
    /// Checksum of all of these: a plan that was changed by hand says nothing of how documents were drawn.
    #[serde(default)]
    pub seal: String,
}

/// How documents were drawn: the part that the record keeps.
#[derive(Debug, Clone, Copy)]
pub struct Drawing {
    /// What was sampled.
    pub design: Design,
    /// Seed of the draws.
    pub seed: Seed,
    /// The number of the batch, from 1.
    pub batch: u32,
    /// How many batches are planned.
    pub batches: Option<u32>,
}

impl Record {
    /// Of a form with these rows. `names` are those of the runs, `choices` the options that change scores.
    pub fn new(
        question: &Question<'_>,
        (names, choices): (&[String], Vec<String>),
        drawing: Drawing,
        rows: &[FormRow],
    ) -> Record {
        let drawn = rows.iter().filter_map(|row| Some((&row.query_id[..], &row.doc_id[..], row.probability?)));
        Record {
            schema: SCHEMA.to_owned(),
            design: drawing.design.name().to_owned(),
            measures: question.setting.measures.iter().map(|measure| measure.spec().to_string()).collect(),
            runs: names.to_vec(),
            purposes: question.purposes().into_iter().map(|purpose| purpose.name().to_owned()).collect(),
            pairs: question.targets.iter().filter_map(|target| target.pair()).collect(),
            options: choices,
            seed: drawing.seed.0,
            count: rows.len(),
            batch: drawing.batch,
            batches: drawing.batches,
            judgements: of_judgements(question, &HashSet::new()),
            lists: of_lists(question, &(0..names.len()).collect::<Vec<_>>()),
            form: of_form(drawn),
            earlier: Vec::new(),
            seal: String::new(),
        }
    }

    /// The checksum of its fields.
    pub fn checksum(&self) -> String {
        let Record { schema, design, purposes, measures, runs, pairs, options, .. } = self;
        let mut sum = Checksum::new();
        for text in [schema, design, &self.judgements, &self.lists, &self.form] {
            sum.add(text.as_bytes());
        }
        for texts in [purposes, measures, runs, options, &self.earlier] {
            sum.add(&(texts.len() as u64).to_le_bytes());
            texts.iter().for_each(|text| sum.add(text.as_bytes()));
        }
        let planned = self.batches.map_or(u64::MAX, u64::from);
        let numbers = [self.seed, self.count as u64, u64::from(self.batch), planned];
        let places = pairs.iter().flat_map(|&(a, b)| [a as u64, b as u64]);
        numbers.into_iter().chain(places).for_each(|number| sum.add(&number.to_le_bytes()));
        sum.text()
    }
}

/// Plans written before samples of scores name no purpose.
fn difference() -> Vec<String> {
    vec![Purpose::Difference.name().to_owned()]
}

/// Names and numbers, each ended so that none runs into the next.
struct Checksum(Sha256);

impl Checksum {
    fn new() -> Checksum {
        Checksum(Sha256::new())
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn text(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut text, byte| {
            // Writing to a string does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

/// Of a form: its documents with their probabilities, in any order.
pub fn of_form<'r>(rows: impl Iterator<Item = (&'r [u8], &'r [u8], f64)>) -> String {
    let mut rows: Vec<(&[u8], &[u8], u64)> =
        rows.map(|(topic, docno, probability)| (topic, docno, probability.to_bits())).collect();
    rows.sort_unstable();
    let mut sum = Checksum::new();
    for (topic, docno, probability) in rows {
        sum.add(topic);
        sum.add(docno);
        sum.add(&probability.to_le_bytes());
    }
    sum.text()
}

/// Of the judgements, without these documents.
pub fn of_judgements(question: &Question<'_>, without: &HashSet<Document>) -> String {
    let qrels = question.setting.qrels;
    let mut rows: Vec<(&[u8], &[u8], u64)> = Vec::with_capacity(qrels.rows());
    for topic in qrels.topics() {
        let name = qrels.name(topic);
        let judged = qrels.documents(topic).filter_map(|(docno, judgement)| Some((docno, judgement.grade()?)));
        let kept = judged.filter(|(docno, _)| !without.contains(&(name.to_vec(), docno.to_vec())));
        rows.extend(kept.map(|(docno, grade)| (name, docno, grade.to_bits())));
    }
    rows.sort_unstable();
    let mut sum = Checksum::new();
    for (topic, docno, grade) in rows {
        sum.add(topic);
        sum.add(docno);
        sum.add(&grade.to_le_bytes());
    }
    sum.text()
}

/// Of the lists of some runs, down to the depth that counts. A topic without judgements does not count, nor one that other runs alone have.
pub fn of_lists(question: &Question<'_>, runs: &[usize]) -> String {
    let mut sum = Checksum::new();
    let depth = question.setting.policy.depth.unwrap_or(usize::MAX);
    let counts = |name: &[u8]| question.setting.qrels.find(name).is_some();
    for topic in
        question.read.topics.iter().filter(|topic| counts(&topic.name) && runs.iter().any(|&run| topic.has(run)))
    {
        sum.add(&topic.name);
        for &run in runs {
            let list = topic.list(run);
            let list = &list[..list.len().min(depth)];
            sum.add(&(list.len() as u64).to_le_bytes());
            list.iter().for_each(|&document| sum.add(topic.docno(document)));
        }
    }
    sum.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let rows: [(&[u8], &[u8], f64); 2] = [(b"1", b"d1", 0.5), (b"1", b"d2", 0.25)];
        let turned = [rows[1], rows[0]];
        assert_eq!(of_form(rows.into_iter()), of_form(turned.into_iter()));
        assert_ne!(of_form(rows.into_iter()), of_form([rows[0]].into_iter()));
        // "1" and "d1" are not "1d" and "1".
        let moved: [(&[u8], &[u8], f64); 2] = [(b"1d", b"1", 0.5), rows[1]];
        assert_ne!(of_form(rows.into_iter()), of_form(moved.into_iter()));
    }
}
