//! `judges merge`: one label from several judges', how sure it is, how good each judge is, and where to ask one more.

use karat_data::names::text;
use karat_data::{JudgeLabels, Problem, Problems};
use karat_report::{Audience, Column, NumberStyle, Provenance, Report, Table};
use karat_stats::agreement::Labels;
use karat_stats::dawid_skene::{self, Fitted};
use karat_stats::merge::Rule;

use super::scale::{Scale, ScaleChoice};

/// How labels become one.
pub enum How {
    /// A rule that does not look at who gave them.
    Rule(&'static Rule),
    /// Dawid and Skene's model.
    DawidSkene(dawid_skene::Options),
}

/// What is asked.
pub struct MergeQuestion<'a> {
    /// The labels.
    pub labels: &'a JudgeLabels,
    /// Known labels; Dawid-Skene holds to them, and every merged label is compared with them.
    pub gold: Option<&'a JudgeLabels>,
    /// The scale.
    pub scale: ScaleChoice,
    /// How.
    pub how: How,
    /// How many documents to list for one more judge.
    pub ask: usize,
    /// Whether the user named the judges: then one is enough, for its labels as judgements are what is wanted.
    pub chosen: bool,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
}

/// A document's merged label.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedLabel {
    /// The topic.
    pub topic: Vec<u8>,
    /// The document.
    pub document: Vec<u8>,
    /// The grade; none where a tie was left open.
    pub grade: Option<f64>,
    /// How sure it is: the share of labels that agree, or the model's probability; none where a single label cannot say.
    pub confidence: Option<f64>,
    /// Labels it was made of.
    pub labels: usize,
    /// How split the judges are, from 0.
    doubt: f64,
}

/// Merges, and reports on it.
///
/// # Errors
/// A grade off the scale, or nothing that can be fitted.
pub fn merge(question: MergeQuestion<'_>) -> Result<(Report, Vec<MergedLabel>), Problems> {
    let file =
        |labels: &JudgeLabels| labels.labels().first().map_or(String::new(), |label| labels.place(label).0.into());
    let judges: Vec<String> = question.labels.judges().into_iter().map(text).collect();
    if let ([judge], false) = (&judges[..], question.chosen) {
        let found = format!("labels of one only ({judge}), so there is nothing to merge");
        let remedy = "give the files of several judges, or a file whose column judge says who gave each label; \
                      one judge's labels as judgements: name the judge (--judge), with --save";
        return Err(Problem::of_file(&file(question.labels), "labels of two judges or more", found, remedy).into());
    }
    let given: Vec<&JudgeLabels> = [question.labels].into_iter().chain(question.gold).collect();
    let scale = Scale::of(&question.scale, &given)?;
    let refused = |why: String| -> Problems {
        Problem::of_file(&file(question.labels), "labels that can be merged", why, "see karat judges merge --help")
            .into()
    };
    let items: Vec<_> = question.labels.items().into_iter().filter(|item| item.grades().next().is_some()).collect();
    let mut labels = Labels::new(&scale.grades, judges.len()).map_err(|error| refused(error.to_string()))?;
    for item in &items {
        let grades = item.grades().map(|(judge, grade)| (judge as usize, scale.counted(grade)));
        labels.push(grades).map_err(|error| refused(error.to_string()))?;
    }
    let known = gold(&question, &scale, &items);
    if let Some(gold) = question.gold.filter(|_| known.iter().all(Option::is_none)) {
        let expected = format!("documents that {} judged too", file(gold));
        let remedy = "check that both files name queries and documents alike";
        return Err(Problem::of_file(&file(question.labels), expected, "none", remedy).into());
    }
    let mut report = Report::new("One label from several", "judges merge", question.version);
    // Without a document that two judged, and without gold's labels to hold to, nothing tells a right label from a wrong one.
    let by_model_too = matches!(question.how, How::DawidSkene(_)) && known.iter().any(Option::is_some);
    let told = (0..labels.items()).any(|item| labels.of(item).len() > 1) || by_model_too;
    let (merged, fitted) = match &question.how {
        How::Rule(rule) => {
            report.notes.push(format!("{}: {}", rule.name, rule.description));
            report.notes.extend((!told).then(|| alone("each label is kept as it is")));
            (by_rule(&question, &scale, &items, rule), None)
        }
        How::DawidSkene(options) => {
            let fitted = dawid_skene::fit(&labels, &known, options).map_err(|error| refused(error.to_string()))?;
            report.notes.extend(fit_notes(&fitted, options, known.iter().flatten().count()));
            report.notes.extend((!told).then(|| alone("the model has nothing to learn the judges' errors from")));
            (by_model(&question, &scale, &items, &fitted, told), Some(fitted))
        }
    };
    if merged.is_empty() {
        return Err(refused("no label has a grade".into()));
    }
    report = report.table(summary(&merged, &scale));
    report = report.table(quality(&judges, &labels, &merged, &scale, fitted.as_ref(), told));
    report = report.table(ask(&merged, question.ask)).table(all(&merged));
    let open = merged.iter().filter(|label| label.grade.is_none()).count();
    if open > 0 {
        report.notes.push(format!(
            "{open} documents have no merged grade because of a tie: ask one more judge, or use majority_low, majority_high or another rule"
        ));
    }
    report.notes.extend(against_gold(&merged, &known, &scale, matches!(question.how, How::DawidSkene(_))));
    report.notes.extend(super::repeated(question.labels));
    let left = question.labels.items().len() - items.len();
    if left > 0 {
        report.notes.push(format!("{left} documents have no grade by any judge and are left out"));
    }
    report.notes.extend((!scale.note.is_empty()).then(|| scale.note.clone()));
    report.provenance = question.provenance;
    Ok((report, merged))
}

/// The known place in the scale of every item.
fn gold(question: &MergeQuestion<'_>, scale: &Scale, items: &[karat_data::labels::LabelledItem]) -> Vec<Option<u16>> {
    let Some(gold) = question.gold else { return Vec::new() };
    let mut known = std::collections::HashMap::new();
    for item in gold.items() {
        if let Some(place) = item.grades().next().and_then(|(_, grade)| scale.place(grade)) {
            known.insert((gold.topic(item.topic).to_vec(), gold.document(item.document).to_vec()), place as u16);
        }
    }
    let of = |item: &karat_data::labels::LabelledItem| {
        let key = (question.labels.topic(item.topic).to_vec(), question.labels.document(item.document).to_vec());
        known.get(&key).copied()
    };
    items.iter().map(of).collect()
}

fn by_rule(
    question: &MergeQuestion<'_>,
    scale: &Scale,
    items: &[karat_data::labels::LabelledItem],
    rule: &Rule,
) -> Vec<MergedLabel> {
    let of = |item: &karat_data::labels::LabelledItem| {
        let mut grades: Vec<f64> = item.grades().map(|(_, grade)| scale.counted(grade)).collect();
        let count = grades.len();
        let grade = (rule.merge)(&mut grades).ok();
        let most = grades.chunk_by(|a, b| a == b).map(<[f64]>::len).max().unwrap_or(0);
        let agreeing = grade.map_or(most, |grade| grades.iter().filter(|&&own| own == grade).count());
        MergedLabel {
            topic: question.labels.topic(item.topic).to_vec(),
            document: question.labels.document(item.document).to_vec(),
            grade,
            // One of one agrees, which says nothing.
            confidence: (count > 1).then(|| agreeing as f64 / count as f64),
            labels: count,
            // A label that stands alone is not split, but one voice settles little: between agreement and an even split.
            doubt: if count == 1 { 0.25 } else { 1.0 - most as f64 / count as f64 },
        }
    };
    let mut merged: Vec<MergedLabel> = items.iter().map(of).collect();
    merged.iter_mut().filter(|label| label.grade.is_none()).for_each(|label| label.doubt += 1.0);
    merged
}

fn by_model(
    question: &MergeQuestion<'_>,
    scale: &Scale,
    items: &[karat_data::labels::LabelledItem],
    fitted: &Fitted,
    told: bool,
) -> Vec<MergedLabel> {
    let of = |(place, item): (usize, &karat_data::labels::LabelledItem)| {
        let (category, probability) = fitted.label(place);
        MergedLabel {
            topic: question.labels.topic(item.topic).to_vec(),
            document: question.labels.document(item.document).to_vec(),
            grade: Some(scale.grades[category]),
            confidence: told.then_some(probability),
            labels: item.grades().count(),
            doubt: if told { 1.0 - probability } else { 0.25 },
        }
    };
    items.iter().enumerate().map(of).collect()
}

fn summary(merged: &[MergedLabel], scale: &Scale) -> Table {
    let mut grades: Vec<f64> = merged.iter().filter_map(|label| label.grade).chain(scale.grades.clone()).collect();
    grades.sort_unstable_by(f64::total_cmp);
    grades.dedup();
    let mut table = Table::new("grades", "Merged labels")
        .with(Column::new("grade", "grade").style(NumberStyle::Significant(1)))
        .column("documents", "documents")
        .column("confidence", "mean confidence");
    for grade in grades {
        let own: Vec<Option<f64>> =
            merged.iter().filter(|label| label.grade == Some(grade)).map(|label| label.confidence).collect();
        let known: Vec<f64> = own.iter().copied().flatten().collect();
        table.push([grade.into(), own.len().into(), karat_stats::summation::mean(&known).into()]);
    }
    table
}

/// How good each judge is: agreement with the merged labels, and by the model the probability of being right.
fn quality(
    judges: &[String],
    labels: &Labels,
    merged: &[MergedLabel],
    scale: &Scale,
    fitted: Option<&Fitted>,
    told: bool,
) -> Table {
    let mut counts = vec![(0u64, 0u64); judges.len()];
    let mut all = vec![0u64; judges.len()];
    for (item, label) in merged.iter().enumerate() {
        for &(judge, category) in labels.of(item) {
            all[judge as usize] += 1;
            // With a tie that stays open there is nothing to agree with.
            if let Some(grade) = label.grade {
                let count = &mut counts[judge as usize];
                count.0 += u64::from(grade == scale.grades[usize::from(category)]);
                count.1 += 1;
            }
        }
    }
    let mut table = Table::new("judges", "Judges")
        .column("judge", "judge")
        .column("labels", "labels")
        .column("agreement", "agrees with the merged label");
    if fitted.is_some() {
        table = table.column("accuracy", "right by the model").with(Column::new("errors", "").data_only());
    }
    let mut order: Vec<usize> = (0..judges.len()).collect();
    order.sort_by_key(|&judge| std::cmp::Reverse(all[judge]));
    for judge in order {
        let (agreed, count) = counts[judge];
        let known = told && count > 0;
        let share = known.then(|| agreed as f64 / count as f64);
        let mut row = vec![judges[judge].as_str().into(), all[judge].into(), share.into()];
        if let Some(fitted) = fitted {
            let errors = &fitted.errors[judge];
            let right: f64 =
                fitted.priors.iter().enumerate().map(|(truth, prior)| prior * errors[(truth, truth)]).sum();
            let rows = (0..errors.size())
                .map(|truth| karat_report::Cell::List(errors.row(truth).iter().map(|&rate| rate.into()).collect()));
            row.extend([known.then_some(right).into(), karat_report::Cell::List(rows.collect())]);
        }
        table.push(row);
    }
    table
}

/// Where one more judge would settle most: ties first, then the least sure.
fn ask(merged: &[MergedLabel], most: usize) -> Table {
    let mut order: Vec<&MergedLabel> = merged.iter().filter(|label| label.doubt > 0.0).collect();
    order.sort_by(|a, b| b.doubt.total_cmp(&a.doubt));
    let mut table = Table::new("ask", "Ask one more judge here")
        .column("topic", "topic")
        .column("document", "document")
        .column("labels", "labels")
        .column("confidence", "confidence");
    for label in order.into_iter().take(most) {
        table.push([
            text(&label.topic).into(),
            text(&label.document).into(),
            label.labels.into(),
            label.confidence.into(),
        ]);
    }
    table
}

fn all(merged: &[MergedLabel]) -> Table {
    let mut table = Table::new("labels", "").audience(Audience::Data);
    for key in ["topic", "document", "grade", "confidence", "labels"] {
        table = table.column(key, key);
    }
    for label in merged {
        table.push([
            text(&label.topic).into(),
            text(&label.document).into(),
            label.grade.into(),
            label.confidence.into(),
            label.labels.into(),
        ]);
    }
    table
}

/// Says that nothing is known of how sure the labels are.
fn alone(so: &str) -> String {
    format!(
        "warning: no document was labelled by two judges: {so}, how sure a label is cannot be known, and neither can how good a judge is; \
         let two judges label some of the same documents"
    )
}

fn fit_notes(fitted: &Fitted, options: &dawid_skene::Options, clamped: usize) -> Vec<String> {
    let best = fitted.starts.iter().filter(|&&one| one >= fitted.log_likelihood - 1e-6 * fitted.log_likelihood.abs());
    let mut notes = vec![format!(
        "Dawid-Skene: log likelihood {}, {} rounds, smoothing {}; {} of {} starts reach it",
        NumberStyle::Decimals(3).show(fitted.log_likelihood),
        fitted.rounds,
        options.smoothing,
        best.count(),
        fitted.starts.len()
    )];
    if !fitted.converged {
        notes.push("warning: it had not settled when rounds ran out; allow more with --rounds".into());
    }
    if clamped > 0 {
        notes.push(format!("{clamped} documents have a gold label, which is held fixed"));
    }
    notes
}

fn against_gold(merged: &[MergedLabel], known: &[Option<u16>], scale: &Scale, held: bool) -> Option<String> {
    if held {
        return None;
    }
    let pairs = merged.iter().zip(known).filter_map(|(label, known)| Some((label.grade, (*known)?)));
    let pairs: Vec<bool> = pairs.map(|(grade, known)| grade == Some(scale.grades[usize::from(known)])).collect();
    let right = pairs.iter().filter(|right| **right).count();
    (!pairs.is_empty())
        .then(|| format!("of {} documents with a gold label, {right} merged labels are gold's", pairs.len()))
}
