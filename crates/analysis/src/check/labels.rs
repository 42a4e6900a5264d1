//! What is odd about labels of judges: who gave how many, labels that are not grades, which grades there are.

use std::collections::BTreeSet;

use karat_data::{JudgeLabels, State};

use super::finding::LabelsFinding;
use super::{CheckedFile, Finding, FindingKind};

/// Labels of a judge below this number may be all alike by chance.
const ENOUGH: usize = 20;

/// Checks labels that could be read.
pub fn check_labels(labels: &JudgeLabels, file: &mut CheckedFile) {
    let all = labels.labels();
    file.rows = all.len() as u64;
    file.topics = all.iter().map(|label| label.topic).collect::<BTreeSet<_>>().len() as u64;
    let path = file.path.clone();
    let mut push = |make: fn(&str, FindingKind) -> Finding, kind| {
        file.findings.push(make(&path, FindingKind::Labels(kind)));
    };
    let judges = labels.judges().len() as u64;
    let items = labels.items();
    let several = items.iter().filter(|item| item.grades().count() > 1).count() as u64;
    push(Finding::note, LabelsFinding::Summary { judges, several, documents: items.len() as u64 });
    if judges > 1 && several == 0 {
        push(Finding::warning, LabelsFinding::NoOverlap);
    }
    let not_grades = |(state, count): &(State, usize)| *state != State::Judged && *count > 0;
    let states: Vec<(State, usize)> = labels.states().into_iter().filter(not_grades).collect();
    if !states.is_empty() {
        push(Finding::note, LabelsFinding::NotGrades(states));
    }
    let grades = count_grades(labels);
    if grades.iter().any(|(grade, _)| grade.fract() != 0.0) {
        push(Finding::warning, LabelsFinding::Fractions);
    }
    if !grades.is_empty() {
        push(Finding::note, LabelsFinding::Grades(grades));
    }
    constant_judges(labels).into_iter().for_each(|kind| push(Finding::warning, kind));
}

fn count_grades(labels: &JudgeLabels) -> Vec<(f64, u64)> {
    let mut grades: Vec<f64> = labels.labels().iter().filter_map(|label| label.grade).collect();
    grades.sort_by(f64::total_cmp);
    grades.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len() as u64)).collect()
}

fn constant_judges(labels: &JudgeLabels) -> Vec<LabelsFinding> {
    let constant = |(number, judge): (usize, &&[u8])| {
        let own = labels.labels().iter().filter(|label| label.judge == number as u32);
        let grades: Vec<f64> = own.filter_map(|label| label.grade).collect();
        let alike = grades.len() >= ENOUGH && grades.windows(2).all(|pair| pair[0] == pair[1]);
        let (judge, documents) = (judge.to_vec(), grades.len() as u64);
        alike.then(|| LabelsFinding::ConstantJudge { judge, grade: grades[0], documents })
    };
    labels.judges().iter().enumerate().filter_map(constant).collect()
}
