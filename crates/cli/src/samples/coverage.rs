//! Whether a sample covers a question: every unjudged document that counts must have had a chance to be drawn.

use karat_analysis::scores::Setting;
use karat_analysis::settle::coverage::uncovered;
use karat_analysis::settle::question::Contrast;
use karat_analysis::settle::record::Record;
use karat_analysis::settle::{Design, Purpose, Question, Target};
use karat_data::{MissingTopics, names};
use karat_measures::{Aggregate, Measure, spec};
use karat_report::NumberStyle;
use karat_stats::Seed;

use super::form::refused;
use super::{Asked, Samples};
use crate::failure::Failure;

impl Samples {
    /// Refuses measures that cannot be estimated from the sample, and what it does not cover; `places` are those of its runs among the command's.
    pub(super) fn check_covered(
        &self,
        question: &Question<'_>,
        asked: &Asked<'_>,
        places: &[usize],
    ) -> Result<(), Failure> {
        self.check_measures(question)?;
        self.check_topics(question, asked)?;
        let record = self.record();
        let known = targets(record, places);
        let is_known = |(measure, target): &Contrast| {
            let turned = target.pair().map(|(a, b)| Target::from((b, a)));
            let measure = question.setting.measures[*measure].spec().to_string();
            record.measures.contains(&measure)
                && (known.contains(target) || turned.is_some_and(|one| known.contains(&one)))
        };
        if question.contrasts().all(|contrast| is_known(&contrast)) {
            return Ok(());
        }
        let names: Vec<&str> = self.measures();
        let measures = spec::build_all(&names, asked.relevance_level)?;
        let setting = Setting { measures: &measures, ..*question.setting };
        let drawn_for = Question::new(&setting, question.read, known);
        let shares = uncovered(question, &drawn_for, Seed(record.seed));
        match question.contrasts().zip(shares).find(|(_, share)| *share > 0.0) {
            None => Ok(()),
            Some((contrast, share)) => Err(self.uncovered(question, asked, contrast, share)),
        }
    }

    /// That documents of some weight could not be drawn, and what to run instead.
    fn uncovered(
        &self,
        question: &Question<'_>,
        asked: &Asked<'_>,
        (measure, target): Contrast,
        share: f64,
    ) -> Failure {
        let (record, measure) = (self.record(), question.setting.measures[measure].spec().to_string());
        let names: Vec<&str> = target.runs().map(|run| asked.names[run].as_str()).collect();
        let whose = match names.as_slice() {
            [run] => format!("{run}'s {measure}"),
            runs => format!("the difference of {} in {measure}", runs.join(" and ")),
        };
        let what = format!(
            "{}% of the weight of unjudged documents in {whose} could not be drawn: the sample is for {}",
            NumberStyle::Significant(2).show(100.0 * share),
            drawn_for(record)
        );
        let is_new = names.iter().any(|name| !record.runs.iter().any(|run| run == name));
        let purpose = if target.less.is_none() { " --for scores --count N" } else { "" };
        let help = if !record.measures.contains(&measure) && !is_new && (target.less.is_some() || is_for_scores(record))
        {
            format!("give -m {}, or draw a sample for {measure} too", record.measures.join(","))
        } else {
            format!("draw a sample for that: karat settle QRELS {} -m '{measure}'{purpose} --form FORM", runs(&names))
        };
        refused(&self.forms[0].name, &what, &help)
    }

    /// Only means over topics can be estimated, and of them only some from documents.
    fn check_measures(&self, question: &Question<'_>) -> Result<(), Failure> {
        let (name, measures) = (&self.forms[0].name, question.setting.measures);
        let is_mean = |measure: &dyn Measure| measure.info().aggregate == Aggregate::Mean;
        if let Some(measure) = measures.iter().find(|measure| !is_mean(measure.as_ref())) {
            let what = format!("{} is no mean over topics, and cannot be estimated from a sample", measure.spec());
            return Err(refused(name, &what, "leave this measure out, or give no --sample"));
        }
        let documents = self.record().design == Design::Documents.name();
        let other = |contrast: &Contrast| documents && !question.is_for_contrast(*contrast);
        match question.contrasts().find(other) {
            None => Ok(()),
            Some((measure, target)) => {
                let (what, help) = not_for_documents(measures[measure].as_ref(), target);
                Err(refused(name, &what, help))
            }
        }
    }

    /// The estimate is a mean over all topics, so none may be left out.
    fn check_topics(&self, question: &Question<'_>, asked: &Asked<'_>) -> Result<(), Failure> {
        if question.setting.policy.missing_topics != MissingTopics::Skip {
            return Ok(());
        }
        let lacks = |topic: usize, run: usize| question.lists(topic).list(run).is_empty();
        let runs: Vec<usize> = question.targets.iter().flat_map(|target| target.runs()).collect();
        let lacking = |topic: usize| Some((topic, *runs.iter().find(|run| lacks(topic, **run))?));
        match (0..question.topics.len()).find_map(lacking) {
            None => Ok(()),
            Some((topic, run)) => {
                let topic = names::text(question.setting.qrels.name(question.topics[topic]));
                let what = format!(
                    "{} has no topic {topic}, and a sample's estimate is a mean over all topics",
                    asked.names[run]
                );
                Err(refused(
                    &self.forms[0].name,
                    &what,
                    "draw and read the sample with --missing-topics zero, or leave the topics out with --topics",
                ))
            }
        }
    }
}

/// That a sample of documents does not do for a contrast, and what does.
pub fn not_for_documents(measure: &dyn Measure, target: Target) -> (String, &'static str) {
    let measure = measure.spec();
    match target.less {
        Some(_) => (
            format!("{measure}: a sample of documents gives no unbiased estimate"),
            "give --design topics to karat settle, or use P@k, RBP, DCG or nDCG@k",
        ),
        None => (
            format!("{measure}: a sample of documents gives no unbiased estimate of a run's score"),
            "give --design topics to karat settle, or use P@k, RBP or DCG",
        ),
    }
}

/// What a sample was drawn for, by places of runs.
fn targets(record: &Record, places: &[usize]) -> Vec<Target> {
    let pairs = record.pairs.iter().map(|&(a, b)| Target::from((places[a], places[b])));
    let scores = places.iter().filter(|_| is_for_scores(record)).map(|&run| Target::score(run));
    pairs.chain(scores).collect()
}

fn is_for_scores(record: &Record) -> bool {
    record.purposes.iter().any(|purpose| purpose == Purpose::Scores.name())
}

fn drawn_for(record: &Record) -> String {
    let pair = |(a, b): &(usize, usize)| format!("{} and {}", record.runs[*a], record.runs[*b]);
    let pairs = record.pairs.iter().map(pair).collect::<Vec<_>>().join("; ");
    let scores = is_for_scores(record).then(|| format!("scores of {}", record.runs.join(", ")));
    let differences = (!pairs.is_empty()).then(|| format!("the difference of {pairs}"));
    let what: Vec<String> = differences.into_iter().chain(scores).collect();
    format!("{} in {}", what.join(" and "), record.measures.join(", "))
}

/// The runs of a command, by name.
fn runs(names: &[&str]) -> String {
    names.join(" ")
}
