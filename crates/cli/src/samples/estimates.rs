//! What a sample says of comparisons.

use std::collections::HashMap;

use karat_analysis::compare::sampled::{self, SampleFacts};
use karat_analysis::compare::{CompareOptions, Compared};
use karat_analysis::scores::Setting;
use karat_analysis::settle::estimate::{Judged, JudgedSample, Said, SampledDifference, estimate};
use karat_analysis::settle::stopping::Look;
use karat_analysis::settle::{Design, Question};
use karat_data::{FormRow, RankedDocuments, RunSource};
use karat_measures::Measure;
use karat_report::NumberStyle;
use karat_stats::Seed;

use super::{Asked, Samples};
use crate::failure::Failure;

/// What to know of an estimate to first order.
const NOT_A_SUM: &str = "nDCG is estimated to first order from sampled documents. Where relevance varies much between topics and few documents are judged, \
                         this is biased towards 0 (by up to 0.03 in simulations); --design topics has no bias.";

impl Samples {
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
        let sample = self.sample(&question);
        let look = self.look();
        let mut found = Vec::new();
        for contrast in question.contrasts() {
            let (facts, difference) = self.estimate(&question, contrast, &sample, &look, options);
            found.push((contrast, facts, difference));
        }
        let limits = found.iter().map(|(_, facts, _)| facts.alpha);
        let limit = limits.fold(f64::INFINITY, f64::min);
        sampled::apply(compared, found);
        let mut notes = self.notes(&sample, &look, (limit, 1.0 - options.inference.level));
        let is_sum = |measure: &dyn Measure| measure.linear(&setting.collection).is_some();
        if sample.design == Design::Documents && !setting.measures.iter().all(|measure| is_sum(measure.as_ref())) {
            notes.push(NOT_A_SUM.into());
        }
        Ok(notes)
    }

    fn estimate(
        &self,
        question: &Question<'_>,
        contrast: (usize, (usize, usize)),
        sample: &JudgedSample,
        look: &Look,
        options: &CompareOptions<'_>,
    ) -> (SampleFacts, SampledDifference) {
        let seed = Seed(self.record().seed);
        let level = options.inference.level;
        let first = estimate(question, contrast, sample, level, seed);
        let alpha = look.alpha(1.0 - level, (first.topics, first.sampling));
        let found = if alpha < 1.0 - level { estimate(question, contrast, sample, 1.0 - alpha, seed) } else { first };
        let drawn = sample.rows.len();
        let facts = SampleFacts { drawn, judged: drawn - sample.open(), seed: seed.0, alpha, look: look.number };
        (facts, found)
    }

    fn look(&self) -> Look {
        let (batches, number) = (self.record().batches, self.forms.len() as u32);
        let number = (batches != Some(1) || number > 1).then_some((number, batches));
        Look { number }
    }

    fn notes(&self, sample: &JudgedSample, look: &Look, (limit, alpha): (f64, f64)) -> Vec<String> {
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
        if let Some((number, planned)) = look.number {
            notes.push(match planned {
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
