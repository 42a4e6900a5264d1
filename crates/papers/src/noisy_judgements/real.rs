//! Bronze compared with gold: are corrected scores nearer to gold's?
//!
//! The labels are split in halves: on one, bronze against gold gives the error rates (`karat judges calibrate`), with them the systems' scores by bronze are
//! corrected (`karat eval --calibration`) and compared with gold's. The one decision: several kinds of splits are reported. If errors depend on nothing, as the paper
//! assumes, rates from half of the documents, from other topics and from the top documents of other topics are the same; where they are not, the splits show on what they depend.
//! (The top documents were added after the other two splits had failed on the judges of DL19.)

use std::collections::HashMap;

use karat_data::JudgeLabels;
use karat_measures::Measure;
use karat_report::NumberStyle;
use karat_runtime::jobs::in_order;
use karat_stats::Seed;
use karat_stats::judge_error::{Calibration, RateInterval};
use karat_stats::summation::mean;

use crate::answer::BronzeGold;
use crate::collection::{LEVEL, measure};
use crate::{Claim, Outcome, Value, Work};
use karat_analysis::eval::correction::shifts;
use karat_analysis::judges::{CalibrateNote, CalibrateOptions, Factor, Sampling, ScaleChoice, calibrate, pairs};
use karat_analysis::labels::{LabelWeights, weights_of};

/// What the halves are of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Split {
    Documents,
    Topics,
    TopDocuments,
}

impl Split {
    fn name(self) -> &'static str {
        match self {
            Split::Documents => "half of the documents",
            Split::Topics => "other topics",
            Split::TopDocuments => "top documents of other topics",
        }
    }
}

/// One split.
#[derive(Clone, Debug, PartialEq)]
struct Outing {
    /// By system: the score by bronze less gold's, and the corrected one less gold's.
    errors: Vec<(f64, f64)>,
    /// Systems for which karat says that correcting does harm.
    harmed: usize,
    /// How well bronze tells grades apart.
    d: f64,
    condition: Option<f64>,
    warnings: CalibrationWarnings,
}

/// Adds claims and the table.
pub(super) fn real(work: &Work<'_>, outcome: &mut Outcome) {
    let panel = work.panel;
    let bronze = panel.bronze();
    // Two grades for the paper's P@k; all grades for its DCG, where there are more.
    let mut cases: Vec<(&'static str, ScaleChoice)> =
        vec![("P@10", ScaleChoice { declared: Vec::new(), binary: Some(LEVEL) })];
    if panel.scale.len() > 2 {
        cases.push(("DCG@10", ScaleChoice { declared: panel.scale.clone(), binary: None }));
    }
    let mut rows = Vec::new();
    for (name, scale) in cases {
        let Some(measure) = measure(name) else { continue };
        for split in [Split::Documents, Split::Topics, Split::TopDocuments] {
            let found = outings(work, &bronze, measure.as_ref(), &scale, split);
            let whose = if panel.drawn { "drawn judges" } else { "real judges" };
            let claim = format!(
                "the adjustment recovers what gold would have said ({whose}): mean error of {name} over systems, calibrated on {}",
                split.name()
            );
            if found.is_empty() {
                let why = "no split has pairs of every gold grade and D above 0";
                outcome.claims.push(Claim::open("8", claim, "recover", Value::None, why));
                continue;
            }
            let grades = if scale.binary.is_some() { 2 } else { panel.scale.len() };
            let row = summarise(split, (name, grades), work.collection.runs.len(), &found);
            outcome.claims.push(recovers(claim, &row));
            rows.push(row);
        }
    }
    if !rows.is_empty() {
        outcome.experiments.bronze_gold = Some(rows);
        outcome.notes.extend(panel.notes.iter().cloned());
    }
}

/// All splits of one kind that can be calibrated.
fn outings(
    work: &Work<'_>,
    bronze: &JudgeLabels,
    measure: &dyn Measure,
    scale: &ScaleChoice,
    split: Split,
) -> Vec<Outing> {
    let splits: usize = work.effort(20, 3);
    let seed = work.seed.child("noisy-judgements", 0).child(split.name(), 0);
    let one = |at: usize| outing(work, bronze, measure, scale, split, seed.child("split", at as u64));
    in_order(splits, work.threads, one).into_iter().flatten().collect()
}

/// One split by the seed; `None` where there is nothing to calibrate or to score.
fn outing(
    work: &Work<'_>,
    bronze: &JudgeLabels,
    measure: &dyn Measure,
    scale: &ScaleChoice,
    split: Split,
    seed: Seed,
) -> Option<Outing> {
    let panel = work.panel;
    let by_topic = panel.judges_of_topics();
    let mut topics: Vec<usize> = by_topic.keys().copied().collect();
    let mut stream = seed.stream("halves", 0);
    stream.shuffle(&mut topics);
    let (first, second) = topics.split_at(topics.len() / 2);
    let is_top = |topic: usize, document: usize| work.collection.topics[topic].shallow[document];
    let (gold, scored) = match split {
        Split::Documents => (panel.gold(|_, _| stream.unit() < 0.5), topics.as_slice()),
        Split::Topics => (panel.gold(|topic, _| first.contains(&topic)), second),
        Split::TopDocuments => {
            (panel.gold(|topic, document| first.contains(&topic) && is_top(topic, document)), second)
        }
    };
    let found = pairs(bronze, &gold, scale, None, seed).ok()?;
    let calibration = found.calibration.clone();
    let factors = found.factors.into_iter().chain(by_rank(bronze, &gold, &calibration, scale, is_top)).collect();
    let warnings = CalibrationWarnings::collect(&calibration, factors, seed)?;

    // Every topic that is scored takes one of its judges.
    let mut judge_of = vec![None; work.collection.topics.len()];
    for &topic in scored {
        let own = &by_topic[&topic];
        judge_of[topic] = Some(own[stream.below(own.len() as u64) as usize]);
    }
    let (errors, harmed) = score_errors(work, measure, scale, &calibration, scored, &judge_of)?;
    let d = calibration.discrimination(0.95, RateInterval::ClopperPearson).ok()?.value;
    Some(Outing { errors, harmed, d, condition: calibration.condition(), warnings })
}

/// By system, the uncorrected and the corrected score less gold's; and how many corrections do harm.
fn score_errors(
    work: &Work<'_>,
    measure: &dyn Measure,
    scale: &ScaleChoice,
    calibration: &Calibration,
    scored: &[usize],
    judge_of: &[Option<usize>],
) -> Option<(Vec<(f64, f64)>, usize)> {
    let panel = work.panel;
    let [by_bronze, by_gold] = panel.known(judge_of).map(|known| match scale.binary {
        Some(_) => known.iter().map(|known| known.in_two(LEVEL)).collect(),
        None => known,
    });
    let facts = panel.facts();
    let facts = if scale.binary.is_some() { karat_data::CollectionFacts { max_grade: 1.0, ..facts } } else { facts };
    let runs = work.collection.runs.len();
    let grades = calibration.grades();
    let of_bronze = work.collection.of_views(&by_bronze, runs, facts, |view| weights_of(measure, view, grades));
    let of_gold = work.collection.of_views(&by_gold, runs, facts, |view| measure.value(view).unwrap_or(0.0));
    let (mut errors, mut harmed) = (Vec::with_capacity(runs), 0);
    for (own, truth) in of_bronze.iter().zip(&of_gold) {
        let own: Vec<LabelWeights> = scored.iter().map(|&topic| own[topic].clone()).collect();
        let (_, corrected) = shifts(measure, &facts, calibration, &own)?;
        let truth = mean(&scored.iter().map(|&topic| truth[topic]).collect::<Vec<f64>>())?;
        errors.push((corrected.naive - truth, corrected.value - truth));
        harmed += usize::from(corrected.harm().is_some());
    }
    Some((errors, harmed))
}

/// What `karat judges calibrate` warns about.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CalibrationWarnings {
    /// The rates themselves.
    rates: bool,
    /// They depend on the topic.
    topic: bool,
    /// They depend on the rank.
    rank: bool,
}

impl CalibrationWarnings {
    /// Calibrates as the command does; `None` where that fails.
    fn collect(calibration: &Calibration, factors: Vec<Factor>, seed: Seed) -> Option<CalibrationWarnings> {
        let options = CalibrateOptions {
            calibration: calibration.clone(),
            interval: RateInterval::ClopperPearson,
            level: 0.95,
            sampling: Some(Sampling::Random),
            factors,
            seed,
        };
        let answer = calibrate(&options).ok()?;
        let depends_on = |factor: &str| answer.depends_on.iter().any(|name| name.starts_with(factor));
        let about_rates = |note: &CalibrateNote| matches!(note, CalibrateNote::Rates(_) | CalibrateNote::OneTopic);
        Some(CalibrationWarnings {
            rates: answer.notes.iter().any(about_rates),
            topic: depends_on("topic"),
            rank: depends_on("rank"),
        })
    }
}

/// Agreement within each gold grade, by whether some run ranks the document tenth or better: on that, too, errors should not depend.
fn by_rank(
    bronze: &JudgeLabels,
    gold: &JudgeLabels,
    calibration: &Calibration,
    scale: &ScaleChoice,
    is_top: impl Fn(usize, usize) -> bool,
) -> Vec<Factor> {
    let counted = |grade: f64| scale.binary.map_or(grade, |level| f64::from(u8::from(grade >= level)));
    let number = |name: &[u8]| std::str::from_utf8(name).ok().and_then(|name| name.parse::<usize>().ok());
    let truth: HashMap<(&[u8], &[u8]), f64> = gold
        .labels()
        .iter()
        .filter_map(|label| Some(((gold.topic(label.topic), gold.document(label.document)), counted(label.grade?))))
        .collect();
    // By gold grade: agreed and pairs of the top, and of the rest.
    let mut counts = vec![[(0, 0); 2]; calibration.grades().len()];
    for label in bronze.labels() {
        let (topic, document) = (bronze.topic(label.topic), bronze.document(label.document));
        let Some((&gold, own)) = truth.get(&(topic, document)).zip(label.grade.map(counted)) else { continue };
        let Some(row) = calibration.grades().iter().position(|&known| known == gold) else { continue };
        let Some((topic, document)) = number(topic).zip(number(document)) else { continue };
        let (agreed, pairs) = &mut counts[row][usize::from(!is_top(topic, document))];
        *agreed += u64::from(own == gold);
        *pairs += 1;
    }
    let factor = |(row, [top, rest]): (usize, [(u64, u64); 2])| Factor {
        name: format!("rank (gold {})", calibration.grades()[row]),
        values: vec![("ranks 1-10".into(), top.0, top.1), ("below".into(), rest.0, rest.1)],
        effect: calibration.design_effect(row),
    };
    let has_both = |(_, [top, rest]): &(usize, [(u64, u64); 2])| top.1 > 0 && rest.1 > 0;
    counts.into_iter().enumerate().filter(has_both).map(factor).collect()
}

/// A mean, and what 95 of 100 splits lie between.
type Ranged = (Option<f64>, Option<(f64, f64)>);

/// All splits of one case.
fn summarise(split: Split, (measure, grades): (&'static str, usize), runs: usize, found: &[Outing]) -> BronzeGold {
    let over = |of: &dyn Fn(&Outing) -> f64| -> Vec<f64> { found.iter().map(of).collect() };
    let errors = |pick: fn(&(f64, f64)) -> f64| {
        over(&|outing: &Outing| mean(&outing.errors.iter().map(pick).collect::<Vec<_>>()).unwrap_or(0.0))
    };
    let share = |of: fn(&Outing) -> bool| mean(&over(&|outing| f64::from(u8::from(of(outing)))));
    let of_scores =
        |count: fn(&Outing) -> usize| mean(&over(&|outing| count(outing) as f64 / outing.errors.len().max(1) as f64));
    let conditions: Vec<f64> = found.iter().filter_map(|outing| outing.condition).collect();
    let (naive_error, naive_range) = ranged(errors(|error| error.0.abs()));
    let (corrected_error, corrected_range) = ranged(errors(|error| error.1.abs()));
    BronzeGold {
        calibrated_on: split.name(),
        measure,
        grades,
        splits: found.len(),
        runs,
        naive_error,
        naive_range,
        corrected_error,
        corrected_range,
        naive_bias: mean(&errors(|error| error.0)),
        corrected_bias: mean(&errors(|error| error.1)),
        nearer: of_scores(|outing| outing.errors.iter().filter(|error| error.1.abs() < error.0.abs()).count()),
        d: mean(&over(&|outing| outing.d)),
        condition: mean(&conditions),
        warned: share(|outing| outing.warnings.rates),
        depends_on_topic: share(|outing| outing.warnings.topic),
        depends_on_rank: share(|outing| outing.warnings.rank),
        harm: of_scores(|outing| outing.harmed),
    }
}

/// Is the corrected error the smaller one?
fn recovers(claim: String, row: &BronzeGold) -> Claim {
    let show = |value: Option<f64>| NumberStyle::Decimals(3).show(value.unwrap_or(f64::NAN));
    let share = |value: Option<f64>| format!("{} %", NumberStyle::Decimals(0).show(100.0 * value.unwrap_or(0.0)));
    let holds = row.naive_error.zip(row.corrected_error).is_some_and(|(naive, corrected)| corrected < naive);
    let note = format!(
        "read as a smaller mean error after correction, over {} splits. {} of the scores improve. Bias: {} naive, {} corrected. Warnings: error rates depend on the topic in {} of the splits, on the rank in {}; unreliable rates in {}; correction does harm for {} of the systems",
        row.splits,
        share(row.nearer),
        show(row.naive_bias),
        show(row.corrected_bias),
        share(row.depends_on_topic),
        share(row.depends_on_rank),
        share(row.warned),
        share(row.harm),
    );
    let computed = format!("{} as it is, {} corrected", show(row.naive_error), show(row.corrected_error));
    Claim::words("8", claim, "recover", computed, holds).note(note)
}

fn ranged(mut values: Vec<f64>) -> Ranged {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (mean(&values), (values.len() > 1).then(|| (at(0.025), at(0.975))))
}
