//! What a sample says of comparisons, and of scores.

use std::collections::HashMap;

use karat_analysis::compare::sampled::{self, SampleFacts, SampledPair};
use karat_analysis::compare::{CompareOptions, Compared, RunPair};
use karat_analysis::eval::sampled::SampledScore;
use karat_analysis::scores::Setting;
use karat_analysis::settle::estimate::{Estimated, Judged, JudgedSample, Said};
use karat_analysis::settle::stopping::Look;
use karat_analysis::settle::{Design, Question, Target};
use karat_data::{FormRow, RankedDocuments, RunSource};
use karat_measures::Measure;
use karat_present::sampled::{SampleNote, comparison_notes, score_notes};
use karat_stats::Seed;

use super::{Asked, Samples};
use crate::failure::Failure;

impl Samples {
    /// Puts what the sample says in the place of what was assumed.
    ///
    /// # Errors
    /// The sample was drawn for other runs, judgements or options, or does not cover what is compared.
    pub fn apply(
        &self,
        setting: &Setting<'_>,
        runs: &dyn RunSource,
        (asked, options): (&Asked<'_>, &CompareOptions<'_>),
        compared: &mut Compared,
    ) -> Result<Vec<String>, Failure> {
        let read = RankedDocuments::named(setting.qrels, runs, &setting.policy, setting.threads)?;
        let question = Question::new(setting, &read, unique(compared.comparisons.iter().map(|one| one.pair)));
        self.check(&question, asked)?;
        let largest = |contrast: (usize, RunPair)| {
            let own = compared.comparisons.iter().find(|own| (own.measure, own.pair) == contrast)?;
            Some((options.margin?, own.difference.largest))
        };
        let (found, notes) = self.estimates(&question, options.inference.level, &largest);
        sampled::apply(setting, compared, found);
        Ok(notes)
    }

    /// What the sample says of every measure and pair of a question that was checked, and notes on it; `margin` is that of a measure and pair, with the largest
    /// possible loss.
    pub(crate) fn estimates(
        &self,
        question: &Question<'_>,
        level: f64,
        margin: &dyn Fn((usize, RunPair)) -> Option<(f64, f64)>,
    ) -> (Vec<SampledPair>, Vec<String>) {
        let sample = self.sample(question);
        let (facts, look) = (self.facts(&sample), self.look());
        let one = |(measure, pair): (usize, RunPair)| {
            let estimated = Estimated::new(question, (measure, pair.into()), &sample, Seed(facts.seed));
            SampledPair::new((measure, pair), &estimated, (facts, look, level), margin((measure, pair)))
        };
        let contrasts = question.contrasts().filter_map(|(measure, target)| Some((measure, target.pair()?)));
        let found: Vec<SampledPair> = contrasts.map(one).collect();
        let limit = found.iter().map(|one| one.facts.alpha).fold(f64::INFINITY, f64::min);
        let notes = comparison_notes(&note(question.setting, &sample, look, (limit, 1.0 - level)));
        (found, notes)
    }

    /// What the sample says of the score of every run, and notes.
    ///
    /// # Errors
    /// The sample was drawn for other runs, judgements or options, or does not cover the scores.
    pub fn scores(
        &self,
        setting: &Setting<'_>,
        read: &RankedDocuments,
        asked: &Asked<'_>,
        level: f64,
    ) -> Result<(Vec<SampledScore>, Vec<String>), Failure> {
        let question = Question::new(setting, read, (0..asked.names.len()).map(Target::score).collect());
        self.check(&question, asked)?;
        let sample = self.sample(&question);
        let (facts, look) = (self.facts(&sample), self.look());
        let one = |(measure, target): (usize, Target)| {
            let estimated = Estimated::new(&question, (measure, target), &sample, Seed(facts.seed));
            let (facts, found) = sampled::at_look(&estimated, facts, look, level);
            SampledScore { measure, run: target.run, facts, found }
        };
        let found: Vec<SampledScore> = question.contrasts().map(one).collect();
        let limit = found.iter().map(|one| one.facts.alpha).fold(f64::INFINITY, f64::min);
        Ok((found, score_notes(&note(setting, &sample, look, (limit, 1.0 - level)))))
    }

    fn facts(&self, sample: &JudgedSample) -> SampleFacts {
        let drawn = sample.rows.len();
        SampleFacts { drawn, judged: drawn - sample.open(), seed: self.record().seed, alpha: 1.0, look: None }
    }

    fn look(&self) -> Look {
        Look { number: self.forms.len() as u32, planned: self.record().batches }
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

fn note(setting: &Setting<'_>, sample: &JudgedSample, look: Look, (limit, alpha): (f64, f64)) -> SampleNote {
    let is_sum = |measure: &dyn Measure| measure.linear(&setting.collection).is_some();
    let not_a_sum = !setting.measures.iter().all(|measure| is_sum(measure.as_ref()));
    let documents = sample.design == Design::Documents;
    let grade = |row: &Judged| if let Said::Grade(grade) = row.said { grade } else { 0.0 };
    let (found, largest) = (sample.rows.iter().map(grade).fold(0.0, f64::max), setting.collection.max_grade);
    SampleNote {
        drawn: sample.rows.len(),
        open: sample.open(),
        limit,
        alpha,
        look: look.shown(),
        not_a_sum,
        documents,
        above: (found > largest).then_some((found, largest)),
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
