//! What is odd about labels of judges: who gave how many, what was said in place of grades, which grades there are.

use std::collections::BTreeSet;

use karat_data::names::text;
use karat_data::{JudgeLabels, State};

use super::{CheckedFile, Finding, counted};

/// Looks at labels that could be read.
pub fn check_labels(labels: &JudgeLabels, file: &mut CheckedFile) {
    let all = labels.labels();
    file.rows = all.len() as u64;
    file.topics = all.iter().map(|label| label.topic).collect::<BTreeSet<_>>().len() as u64;
    let mut push = |finding: Finding| file.findings.push(finding);
    let path = file.path.clone();
    let judges = labels.judges();
    let items = labels.items();
    let several = items.iter().filter(|item| item.grades().count() > 1).count() as u64;
    let what = format!(
        "labels of {}; {} of {} have grades by several",
        counted(judges.len() as u64, "judge"),
        several,
        counted(items.len() as u64, "document")
    );
    push(Finding::note(&path, what, "karat judges agree, calibrate and merge read it"));
    if judges.len() > 1 && several == 0 {
        push(Finding::warning(
            &path,
            "no document has grades by two judges, so nothing can be said of how they agree",
            "check that judges share documents, and that documents and topics go by the same names for all",
        ));
    }
    let states: Vec<String> = labels
        .states()
        .into_iter()
        .filter(|(state, count)| *state != State::Judged && *count > 0)
        .map(|(state, count)| format!("{count} {}", state.name()))
        .collect();
    if !states.is_empty() {
        let what = format!("labels that are no grade: {}", states.join(", "));
        push(Finding::note(&path, what, "none needed; they are left out and counted, never taken for 0"));
    }
    let mut grades: Vec<f64> = all.iter().filter_map(|label| label.grade).collect();
    grades.sort_by(f64::total_cmp);
    let mut counts: Vec<(f64, u64)> = Vec::new();
    for grade in grades {
        match counts.last_mut() {
            Some((last, count)) if *last == grade => *count += 1,
            _ => counts.push((grade, 1)),
        }
    }
    if counts.iter().any(|(grade, _)| grade.fract() != 0.0) {
        push(Finding::warning(
            &path,
            "grades that are no whole numbers",
            "declare the scale with --scale where labels are counted",
        ));
    }
    let shown: Vec<String> = counts.iter().take(12).map(|(grade, count)| format!("{grade} ({count})")).collect();
    let more = if counts.len() > 12 { format!(" and {} more", counts.len() - 12) } else { String::new() };
    if !shown.is_empty() {
        push(Finding::note(
            &path,
            format!("grades: {}{more}", shown.join(", ")),
            "none needed; --scale declares those that nobody gave",
        ));
    }
    for (number, name) in judges.iter().enumerate() {
        let own: Vec<f64> =
            all.iter().filter(|label| label.judge == number as u32).filter_map(|label| label.grade).collect();
        let constant = own.len() >= 20 && own.windows(2).all(|pair| pair[0] == pair[1]);
        if constant {
            let what = format!("judge {} gave one grade ({}) to all of {} documents", text(name), own[0], own.len());
            push(Finding::warning(
                &path,
                what,
                "a judge who cannot say anything else tells nothing; consider leaving the labels out (--judge names those to keep)",
            ));
        }
    }
}
