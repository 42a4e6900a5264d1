//! `judges merge`: one label from several, how sure it is, how good each judge is, and which documents need one more label.

mod answer;

use std::collections::HashMap;

use karat_data::JudgeLabels;
use karat_data::labels::LabelledItem;
use karat_data::names::text;
use karat_stats::agreement::Labels;
use karat_stats::dawid_skene::{self, Fitted};
use karat_stats::merge::Rule;
use karat_stats::summation::mean;

pub use answer::{
    DocumentToLabel, JudgeModel, JudgeQuality, MergeAnswer, MergeNote, MergedGrade, MergedLabel, NoOverlap,
};

use super::error::{JudgesError, first_file};
use super::scale::{Scale, ScaleChoice};

/// How labels are merged.
#[derive(Debug, Clone)]
pub enum MergeMethod {
    /// A rule that treats all judges alike.
    Rule(&'static Rule),
    /// Dawid and Skene's model.
    DawidSkene(dawid_skene::Options),
}

/// The options of a merge.
pub struct MergeOptions<'a> {
    /// The labels.
    pub labels: &'a JudgeLabels,
    /// Gold labels; Dawid-Skene holds them fixed, other rules are compared with them.
    pub gold: Option<&'a JudgeLabels>,
    /// The scale.
    pub scale: ScaleChoice,
    /// How labels are merged.
    pub method: MergeMethod,
    /// How many documents to list for one more label.
    pub ask: usize,
    /// Whether one judge is enough: the user named the judges, and wants their labels as judgements.
    pub one_is_enough: bool,
}

/// Labels that can be counted, and what gold says of each item.
struct Counting {
    judges: Vec<String>,
    items: Vec<LabelledItem>,
    labels: Labels,
    gold: Vec<Option<u16>>,
    scale: Scale,
}

/// Merges labels.
///
/// # Errors
/// A grade off the scale, or a model that cannot be fitted.
pub fn merge(options: &MergeOptions<'_>) -> Result<MergeAnswer, JudgesError> {
    let file = || first_file(options.labels);
    let counting = count(options)?;
    let mut notes = Vec::new();
    // Without a document that two judged, and without gold labels to hold fixed, right and wrong labels cannot be told apart.
    let held = matches!(options.method, MergeMethod::DawidSkene(_));
    let by_gold = held && counting.gold.iter().any(Option::is_some);
    let comparable = (0..counting.labels.items()).any(|item| counting.labels.of(item).len() > 1) || by_gold;
    let (labels, fitted) = match &options.method {
        MergeMethod::Rule(rule) => {
            notes.push(MergeNote::Rule(rule));
            notes.extend((!comparable).then_some(MergeNote::NoOverlap(NoOverlap::Rule)));
            (by_rule(options, &counting, rule), None)
        }
        MergeMethod::DawidSkene(model) => {
            let fitted = dawid_skene::fit(&counting.labels, &counting.gold, model)
                .map_err(|error| JudgesError::Fit { file: file(), error })?;
            notes.extend(fit_notes(&fitted, model, counting.gold.iter().flatten().count()));
            notes.extend((!comparable).then_some(MergeNote::NoOverlap(NoOverlap::Model)));
            (by_model(options, &counting, &fitted, comparable), Some(fitted))
        }
    };
    if labels.is_empty() {
        return Err(JudgesError::NoGrade { file: file() });
    }
    notes.extend(label_notes(options, &counting, &labels, held));
    Ok(MergeAnswer {
        grades: grades(&labels, &counting.scale),
        judges: quality(&counting, &labels, fitted.as_ref(), comparable),
        ask: to_label(&labels, options.ask),
        labels,
        scale: counting.scale,
        notes,
    })
}

fn count(options: &MergeOptions<'_>) -> Result<Counting, JudgesError> {
    let file = || first_file(options.labels);
    let judges: Vec<String> = options.labels.judges().into_iter().map(text).collect();
    if let ([judge], false) = (&judges[..], options.one_is_enough) {
        return Err(JudgesError::NothingToMerge { file: file(), judge: judge.clone() });
    }
    let given: Vec<&JudgeLabels> = [options.labels].into_iter().chain(options.gold).collect();
    let scale = Scale::new(&options.scale, &given)?;
    let items: Vec<_> = options.labels.items().into_iter().filter(|item| item.grades().next().is_some()).collect();
    let refused = |error| JudgesError::Labels { file: file(), error };
    let mut labels = Labels::new(&scale.grades, judges.len()).map_err(refused)?;
    for item in &items {
        let grades = item.grades().map(|(judge, grade)| (judge as usize, scale.counted(grade)));
        labels.push(grades).map_err(refused)?;
    }
    let known = gold_places(options, &scale, &items);
    if let Some(gold) = options.gold.filter(|_| known.iter().all(Option::is_none)) {
        return Err(JudgesError::NothingInCommon { file: file(), gold: first_file(gold) });
    }
    Ok(Counting { judges, items, labels, gold: known, scale })
}

/// The place in the scale of every item that has a gold label.
fn gold_places(options: &MergeOptions<'_>, scale: &Scale, items: &[LabelledItem]) -> Vec<Option<u16>> {
    let Some(gold) = options.gold else { return Vec::new() };
    let mut known = HashMap::new();
    for item in gold.items() {
        if let Some(place) = item.grades().next().and_then(|(_, grade)| scale.place(grade)) {
            known.insert((gold.topic(item.topic).to_vec(), gold.document(item.document).to_vec()), place as u16);
        }
    }
    let place = |item: &LabelledItem| {
        let key = (options.labels.topic(item.topic).to_vec(), options.labels.document(item.document).to_vec());
        known.get(&key).copied()
    };
    items.iter().map(place).collect()
}

fn by_rule(options: &MergeOptions<'_>, counting: &Counting, rule: &Rule) -> Vec<MergedLabel> {
    let merged = |item: &LabelledItem| {
        let mut grades: Vec<f64> = item.grades().map(|(_, grade)| counting.scale.counted(grade)).collect();
        let count = grades.len();
        let grade = (rule.merge)(&mut grades).ok();
        let most = grades.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
        let agreeing = grade.map_or(most, |grade| grades.iter().filter(|&&own| own == grade).count());
        // A single label is not split, but one judge settles little: between agreement and an even split.
        let doubt = if count == 1 { 0.25 } else { 1.0 - most as f64 / count as f64 };
        MergedLabel {
            topic: options.labels.topic(item.topic).to_vec(),
            document: options.labels.document(item.document).to_vec(),
            grade,
            // A single label agrees with itself, which says nothing.
            confidence: (count > 1).then(|| agreeing as f64 / count as f64),
            labels: count,
            doubt: if grade.is_none() { doubt + 1.0 } else { doubt },
        }
    };
    counting.items.iter().map(merged).collect()
}

fn by_model(options: &MergeOptions<'_>, counting: &Counting, fitted: &Fitted, comparable: bool) -> Vec<MergedLabel> {
    let merged = |(place, item): (usize, &LabelledItem)| {
        let (category, probability) = fitted.label(place);
        MergedLabel {
            topic: options.labels.topic(item.topic).to_vec(),
            document: options.labels.document(item.document).to_vec(),
            grade: Some(counting.scale.grades[category]),
            confidence: comparable.then_some(probability),
            labels: item.grades().count(),
            doubt: if comparable { 1.0 - probability } else { 0.25 },
        }
    };
    counting.items.iter().enumerate().map(merged).collect()
}

fn grades(merged: &[MergedLabel], scale: &Scale) -> Vec<MergedGrade> {
    let mut grades: Vec<f64> = merged.iter().filter_map(|label| label.grade).chain(scale.grades.clone()).collect();
    grades.sort_unstable_by(f64::total_cmp);
    grades.dedup();
    let row = |grade: f64| {
        let own: Vec<&MergedLabel> = merged.iter().filter(|label| label.grade == Some(grade)).collect();
        let known: Vec<f64> = own.iter().filter_map(|label| label.confidence).collect();
        MergedGrade { grade, documents: own.len(), confidence: mean(&known) }
    };
    grades.into_iter().map(row).collect()
}

/// How good each judge is: agreement with the merged labels, and by the model the probability of being right.
fn quality(
    counting: &Counting,
    merged: &[MergedLabel],
    fitted: Option<&Fitted>,
    comparable: bool,
) -> Vec<JudgeQuality> {
    let mut counts = vec![(0u64, 0u64); counting.judges.len()];
    let mut all = vec![0u64; counting.judges.len()];
    for (item, label) in merged.iter().enumerate() {
        for &(judge, category) in counting.labels.of(item) {
            all[judge as usize] += 1;
            // With an open tie there is nothing to agree with.
            if let Some(grade) = label.grade {
                let count = &mut counts[judge as usize];
                count.0 += u64::from(grade == counting.scale.grades[usize::from(category)]);
                count.1 += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..counting.judges.len()).collect();
    order.sort_by_key(|&judge| std::cmp::Reverse(all[judge]));
    let row = |judge: usize| {
        let (agreed, count) = counts[judge];
        let known = comparable && count > 0;
        JudgeQuality {
            judge: counting.judges[judge].clone(),
            labels: all[judge],
            agreement: known.then(|| agreed as f64 / count as f64),
            model: fitted.map(|fitted| judge_model(fitted, judge, known)),
        }
    };
    order.into_iter().map(row).collect()
}

fn judge_model(fitted: &Fitted, judge: usize, known: bool) -> JudgeModel {
    let errors = &fitted.errors[judge];
    let right: f64 = fitted.priors.iter().enumerate().map(|(truth, prior)| prior * errors[(truth, truth)]).sum();
    JudgeModel {
        accuracy: known.then_some(right),
        errors: (0..errors.size()).map(|truth| errors.row(truth).to_vec()).collect(),
    }
}

/// Where one more label would help most: ties first, then the least sure.
fn to_label(merged: &[MergedLabel], most: usize) -> Vec<DocumentToLabel> {
    let mut order: Vec<&MergedLabel> = merged.iter().filter(|label| label.doubt > 0.0).collect();
    order.sort_by(|a, b| b.doubt.total_cmp(&a.doubt));
    let row = |label: &MergedLabel| DocumentToLabel {
        topic: text(&label.topic),
        document: text(&label.document),
        labels: label.labels,
        confidence: label.confidence,
    };
    order.into_iter().take(most).map(row).collect()
}

fn fit_notes(fitted: &Fitted, options: &dawid_skene::Options, gold: usize) -> Vec<MergeNote> {
    let least = fitted.log_likelihood - 1e-6 * fitted.log_likelihood.abs();
    let mut notes = vec![MergeNote::Fit {
        log_likelihood: fitted.log_likelihood,
        rounds: fitted.rounds as usize,
        smoothing: options.smoothing,
        best: fitted.starts.iter().filter(|&&one| one >= least).count(),
        starts: fitted.starts.len(),
    }];
    notes.extend((!fitted.converged).then_some(MergeNote::NotConverged));
    notes.extend((gold > 0).then_some(MergeNote::GoldFixed(gold)));
    notes
}

fn label_notes(options: &MergeOptions<'_>, counting: &Counting, merged: &[MergedLabel], held: bool) -> Vec<MergeNote> {
    let mut notes = Vec::new();
    let open = merged.iter().filter(|label| label.grade.is_none()).count();
    notes.extend((open > 0).then_some(MergeNote::Ties(open)));
    if !held {
        let pairs = merged.iter().zip(&counting.gold).filter_map(|(label, known)| Some((label.grade, (*known)?)));
        let right = pairs.map(|(grade, known)| grade == Some(counting.scale.grades[usize::from(known)]));
        let right: Vec<bool> = right.collect();
        let correct = right.iter().filter(|right| **right).count();
        notes.extend((!right.is_empty()).then_some(MergeNote::ComparedWithGold { correct, documents: right.len() }));
    }
    let repeated = options.labels.repeated();
    notes.extend((repeated > 0).then_some(MergeNote::Repeated(repeated)));
    let left = options.labels.items().len() - counting.items.len();
    notes.extend((left > 0).then_some(MergeNote::NoGrade(left)));
    notes
}
