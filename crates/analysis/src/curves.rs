//! Curves of every run, means over its topics: precision and recall, ROC, judged share and RBP's residual by rank.
//!
//! All curves of a run come from one pass over its rankings.

use karat_data::rankings::each_topic;
use karat_data::{MissingTopics, Ranking, RunSource, TopicIndex, TopicView};
use karat_measures::Measure;
use karat_measures::curve::{eleven_points, roc};
use karat_measures::interpolated::Rounding;
use karat_measures::rbp::INFO as RBP;

use crate::scores::{ScoreError, Setting, names};

/// Ranks at which precision, recall and judged share are taken.
pub const RANKS: [usize; 12] = [1, 2, 3, 5, 10, 15, 20, 50, 100, 200, 500, 1000];
/// Rates of false positives at which an ROC curve is taken.
pub const RATES: usize = 51;
/// Depths to which residuals are followed.
pub const DEPTHS: usize = 60;

/// A run's curves, means over its topics.
#[derive(Debug, Clone, PartialEq)]
pub struct RunCurves {
    /// The run.
    pub run: String,
    /// Topics they are means of.
    pub topics: usize,
    /// Topics with something relevant.
    pub relevant_topics: usize,
    /// Interpolated precision at recall 0, 0.1, ... 1, over topics with something relevant.
    pub eleven: Option<[f64; 11]>,
    /// Precision and recall at [`RANKS`], over the same topics.
    pub precision_recall: Option<[(f64, f64); RANKS.len()]>,
    /// Sensitivity at evenly spaced rates of false positives, over topics with both kinds judged, and how many these are.
    pub roc: Option<([f64; RATES], usize)>,
    /// Share of judged documents down to [`RANKS`]; a list that ends before has no more.
    pub judged: [f64; RANKS.len()],
    /// What RBP leaves open when lists are read to depth 1, 2, ...: the weight of unjudged ranks and of all below.
    pub residual: [f64; DEPTHS],
}

/// Answers of one topic, in this order.
const WIDTH: usize = 1 + 11 + 2 * RANKS.len() + 1 + RATES + RANKS.len() + DEPTHS;

/// p of RBP where no measure has another.
const PERSISTENCE: f64 = 0.8;

/// The curves of all runs, and with which parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Curves {
    /// The least relevant grade.
    pub relevance_level: f64,
    /// RBP's persistence, for residuals.
    pub persistence: f64,
    /// By run.
    pub runs: Vec<RunCurves>,
}

/// All runs' curves; `None` where judgements have no grades. The persistence is that of the first RBP among the measures.
///
/// # Errors
/// Everything wrong with the runs.
pub fn curves(setting: &Setting<'_>, runs: &dyn RunSource, relevance_level: f64) -> Result<Option<Curves>, ScoreError> {
    if !setting.qrels.kind().has_grades() {
        return Ok(None);
    }
    let persistence = setting.measures.iter().find_map(|measure| persistence(measure.as_ref())).unwrap_or(PERSISTENCE);
    let runs = run_curves(setting, runs, relevance_level, persistence)?;
    Ok(Some(Curves { relevance_level, persistence, runs }))
}

/// The persistence of a measure, if it is RBP with one between 0 and 1.
fn persistence(measure: &dyn Measure) -> Option<f64> {
    let p = measure.spec().number("p").ok().flatten().filter(|_| measure.info().name == RBP.name)?;
    (p > 0.0 && p < 1.0).then_some(p)
}

fn run_curves(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    level: f64,
    persistence: f64,
) -> Result<Vec<RunCurves>, ScoreError> {
    let ask = |topic: TopicIndex, ranking: Ranking<'_>, answers: &mut Vec<f64>| {
        let view = setting.qrels.view(topic, ranking, setting.collection);
        answers.extend(of_topic(&view, level, persistence));
    };
    let mut found = each_topic(setting.qrels, runs, &setting.policy, setting.threads, WIDTH, ask)?;
    let names = names(&found.iter().map(|topics| &topics.facts).collect::<Vec<_>>())?;
    if setting.policy.missing_topics == MissingTopics::Zero {
        for run in &mut found {
            for topic in run.missing().collect::<Vec<_>>() {
                let mut answers = Vec::with_capacity(WIDTH);
                ask(topic, Ranking::default(), &mut answers);
                run.fill(topic, answers);
            }
        }
    }
    let all = names.into_iter().zip(&found).map(|(name, run)| {
        let topics: Vec<&[f64]> = run.iter().map(|(_, answers)| answers).collect();
        of_run(name, &topics)
    });
    Ok(all.collect())
}

/// A topic's answers; the first of a group says whether the group counts.
fn of_topic(view: &TopicView<'_>, level: f64, persistence: f64) -> Vec<f64> {
    let mut answers = Vec::with_capacity(WIDTH);
    let relevant = f64::from(view.facts.relevant(level));
    answers.push(f64::from(u8::from(relevant > 0.0)));
    answers.extend(eleven_points(view, level, Rounding::Definition));
    let (mut hits, mut judged) = (vec![0.0], vec![0.0]);
    for judgement in view.ranks {
        hits.push(hits[hits.len() - 1] + f64::from(u8::from(judgement.is_relevant(level))));
        judged.push(judged[judged.len() - 1] + f64::from(u8::from(judgement.grade().is_some())));
    }
    let down_to = |sums: &[f64], rank: usize| sums[rank.min(sums.len() - 1)];
    answers.extend(RANKS.map(|rank| down_to(&hits, rank) / rank as f64));
    answers.extend(RANKS.map(|rank| if relevant > 0.0 { down_to(&hits, rank) / relevant } else { 0.0 }));
    add_roc(view, level, &mut answers);
    answers.extend(RANKS.map(|rank| down_to(&judged, rank) / rank.min(view.ranks.len()).max(1) as f64));
    let (mut open, mut weight) = (0.0, 1.0 - persistence);
    for rank in 0..DEPTHS {
        // Below the end of a list nothing is judged.
        let known = view.ranks.get(rank).is_some_and(|judgement| judgement.grade().is_some());
        open += if known { 0.0 } else { weight };
        weight *= persistence;
        answers.push(open + weight / (1.0 - persistence));
    }
    answers
}

/// Adds whether there is an ROC curve, and the sensitivity at each of the false positive rates.
fn add_roc(view: &TopicView<'_>, level: f64, answers: &mut Vec<f64>) {
    let curve = roc(view, level).unwrap_or_default();
    answers.push(f64::from(u8::from(!curve.is_empty())));
    let mut place = 0;
    for step in 0..RATES {
        let rate = step as f64 / (RATES - 1) as f64;
        // The last point at or before the rate, and the line from there to the next.
        while place + 1 < curve.len() && curve[place + 1].false_positive_rate <= rate + 1e-12 {
            place += 1;
        }
        let sensitivity = match (curve.get(place), curve.get(place + 1)) {
            (Some(here), Some(next)) if next.rank.is_none() => {
                let width = next.false_positive_rate - here.false_positive_rate;
                let share = if width > 0.0 { (rate - here.false_positive_rate).max(0.0) / width } else { 0.0 };
                here.true_positive_rate + share * (next.true_positive_rate - here.true_positive_rate)
            }
            (Some(here), _) => here.true_positive_rate,
            (None, _) => 0.0,
        };
        answers.push(sensitivity);
    }
}

fn of_run(run: String, topics: &[&[f64]]) -> RunCurves {
    let mean = |start: usize, among: &[&&[f64]]| {
        let sum = among.iter().map(|answers| answers[start]).sum::<f64>();
        if among.is_empty() { 0.0 } else { sum / among.len() as f64 }
    };
    let all: Vec<&&[f64]> = topics.iter().collect();
    let relevant: Vec<&&[f64]> = topics.iter().filter(|answers| answers[0] > 0.0).collect();
    let roc_flag = 12 + 2 * RANKS.len();
    let both: Vec<&&[f64]> = topics.iter().filter(|answers| answers[roc_flag] > 0.0).collect();
    let precision_recall = std::array::from_fn(|at| (mean(12 + at, &relevant), mean(12 + RANKS.len() + at, &relevant)));
    let judged = roc_flag + 1 + RATES;
    RunCurves {
        run,
        topics: topics.len(),
        relevant_topics: relevant.len(),
        eleven: (!relevant.is_empty()).then(|| std::array::from_fn(|at| mean(1 + at, &relevant))),
        precision_recall: (!relevant.is_empty()).then_some(precision_recall),
        roc: (!both.is_empty()).then(|| (std::array::from_fn(|at| mean(roc_flag + 1 + at, &both)), both.len())),
        judged: std::array::from_fn(|at| mean(judged + at, &all)),
        residual: std::array::from_fn(|at| mean(judged + RANKS.len() + at, &all)),
    }
}

#[cfg(test)]
mod tests {
    use karat_data::{CollectionFacts, Grade, Judgement, TopicFacts};

    use karat_measures::spec;

    use super::*;

    #[test]
    fn the_persistence_of_a_measure() {
        let of = |name: &str| persistence(spec::parse(name, 1.0).unwrap().build().unwrap().as_ref());
        assert_eq!(of("RBP(p=0.95)@100"), Some(0.95));
        assert_eq!(of("RBP(gain=linear,p=0.5)"), Some(0.5));
        assert_eq!((of("AP"), of("RBP(p=0.8)")), (None, Some(0.8)));
    }

    #[test]
    fn a_topic_by_hand() {
        // Relevant, unjudged, not relevant; one more relevant and one more not relevant were judged and not retrieved.
        let grade = |value: f64| Grade::new(value).unwrap();
        let ranks = [Judgement::Grade(grade(1.0)), Judgement::Unpooled, Judgement::Grade(grade(0.0))];
        let grades = [(grade(0.0), 2), (grade(1.0), 2)];
        let view = TopicView {
            ranks: &ranks,
            below: 0,
            facts: TopicFacts { grades: &grades, pooled_unjudged: 0 },
            collection: CollectionFacts::default(),
            details: Default::default(),
        };
        let answers = of_topic(&view, 1.0, 0.5);
        assert_eq!(answers.len(), WIDTH);
        let run = of_run("r".into(), &[&answers]);
        // Precision 1 up to recall 1/2, which one relevant document of two gives; 0 beyond.
        assert_eq!(run.eleven.unwrap()[..7], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
        // Rank 2: one relevant of two, half of the relevant; rank 5 of a list of 3.
        assert_eq!(run.precision_recall.unwrap()[1], (0.5, 0.5));
        assert_eq!(run.precision_recall.unwrap()[3], (0.2, 0.5));
        // One of two, then two of three judged, and no more after the end.
        assert_eq!((run.judged[0], run.judged[1], run.judged[2], run.judged[3]), (1.0, 0.5, 2.0 / 3.0, 2.0 / 3.0));
        // RBP's weights 1/2, 1/4, 1/8: to depth 1 the tail of 1/2 is open; to depth 2 the unjudged 1/4 and the tail 1/4; to depth 3, 1/4 and 1/8.
        assert_eq!(run.residual[..3], [0.5, 0.5, 0.375]);
        // Half found before any false positive; at half of the false positives still half; then straight to (1, 1): at 3/4, three quarters.
        let (curve, topics) = run.roc.unwrap();
        assert_eq!((curve[0], curve[25], topics), (0.5, 0.5, 1));
        assert!((curve[38] - 0.76).abs() < 1e-12 && (curve[50] - 1.0).abs() < 1e-12, "{curve:?}");
    }
}
