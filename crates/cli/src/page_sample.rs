//! A judged sample on the report page: the estimates of the pairs and measures that it covers, among all that the page compares.

use karat_analysis::compare::sampled::SampledPair;
use karat_analysis::scores::{Setting, names};
use karat_analysis::settle::{Design, Question};
use karat_data::names::shown;
use karat_data::{RankedDocuments, RunSource};
use karat_measures::{Aggregate, Measure};

use crate::failure::Failure;
use crate::samples::{Asked, Samples};

impl Samples {
    /// What the sample says, by the places of the setting's measures and of the runs, and notes on it. `options` are those that change scores, `file` is that of
    /// the judgements.
    ///
    /// # Errors
    /// The sample was drawn for other runs, judgements or options, or covers none of the measures.
    pub fn of_page(
        &self,
        setting: &Setting<'_>,
        runs: &dyn RunSource,
        (options, file, relevance_level): (Vec<String>, &str, f64),
        level: f64,
    ) -> Result<(Vec<SampledPair>, Vec<String>), Failure> {
        let read = RankedDocuments::named(setting.qrels, runs, &setting.policy, setting.threads)?;
        let names = names(&read.runs.iter().collect::<Vec<_>>())?;
        let asked = Asked { names: &names, options, file, relevance_level };
        let places = self.places(&asked)?;
        if self.record().pairs.is_empty() {
            return Err(Failure::usage(format!(
                "{}: drawn for scores, and a report shows what a sample says of differences\nhelp: use karat eval --sample, or draw a sample with --for difference,scores",
                shown(self.first_name())
            )));
        }
        let pairs = self.record().pairs.iter().map(|&(a, b)| (places[a].min(places[b]), places[a].max(places[b])));
        let covered = self.covered(setting)?;
        let built = covered.iter().map(|&place| setting.measures[place].spec().build());
        let measures: Vec<Box<dyn Measure>> = built.collect::<Result<_, _>>()?;
        let own = Setting { measures: &measures, relevance_model: None, ..*setting };
        let question = Question::new(&own, &read, pairs.collect::<Vec<_>>());
        self.check(&question, &asked)?;
        let (mut found, notes) = self.estimates(&question, level, &|_| None);
        found.iter_mut().for_each(|one| one.measure = covered[one.measure]);
        Ok((found, notes))
    }

    /// The places of the measures that the sample covers, in the order in which it was drawn for them.
    fn covered(&self, setting: &Setting<'_>) -> Result<Vec<usize>, Failure> {
        let record = self.record();
        let drawn_for = |place: &usize| {
            let name = setting.measures[*place].spec().to_string();
            record.measures.iter().position(|own| *own == name)
        };
        let is_mean = |place: &usize| setting.measures[*place].info().aggregate == Aggregate::Mean;
        let all_measures = record.design == Design::Topics.name();
        let places =
            (0..setting.measures.len()).filter(|place| all_measures && is_mean(place) || drawn_for(place).is_some());
        let mut places: Vec<usize> = places.collect();
        places.sort_by_key(|place| drawn_for(place).unwrap_or(usize::MAX));
        if places.is_empty() {
            let form = shown(self.first_name()).to_string();
            let drawn = record.measures.join(",");
            return Err(Failure::usage(format!(
                "{form}: drawn for {drawn}, which is not among the measures\nhelp: add -m {drawn}, or leave -m out"
            )));
        }
        Ok(places)
    }
}
