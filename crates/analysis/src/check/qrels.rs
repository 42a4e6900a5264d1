//! Judgements, line by line.

use karat_data::preferences::contradictions;
use karat_data::problem::quote;
use karat_data::{JudgementKind, MarkedBuilder, MarkedRow, Qrels, QrelsBuilder, TopicIndex};

use super::{CheckedFile, Finding, Looks, counted};
use crate::scores::{grades_of, list_topics};

/// Takes the lines of a qrels file.
#[derive(Debug)]
pub struct QrelsCheck {
    kind: JudgementKind,
    docno: &'static str,
    plain: QrelsBuilder,
    marked: MarkedBuilder,
    row_lines: Vec<u64>,
    grades: Vec<f64>,
    looks: Looks,
}

/// What is kept of a qrels file for the comparison with runs.
#[derive(Debug)]
pub struct CheckedQrels {
    /// Its name.
    pub path: String,
    /// Its judgements; of a document judged twice, the first.
    pub qrels: Qrels,
    /// How many documents have each grade as written, in the order of grades.
    pub grades: Vec<(f64, u64)>,
}

impl QrelsCheck {
    /// For judgements of a kind; `docno` is what the field of the docno is called.
    pub fn new(kind: JudgementKind, docno: &'static str) -> QrelsCheck {
        QrelsCheck {
            kind,
            docno,
            plain: QrelsBuilder::new(),
            marked: MarkedBuilder::new(kind),
            row_lines: Vec::new(),
            grades: Vec::new(),
            looks: Looks::default(),
        }
    }

    /// Takes a line that could be read; `text` is the whole of it, and the row's value the number as it was written.
    pub fn line(&mut self, line: u64, text: &[u8], row: &MarkedRow<'_>) {
        self.looks.line(line, text, row.docno);
        let mut grade = row.value;
        match self.kind {
            JudgementKind::Grades => self.plain.push(row.topic, row.docno, row.judgement),
            JudgementKind::Probabilities => {
                self.marked.push(row);
                grade = row.judgement.grade().unwrap_or(-1.0);
            }
            _ => self.marked.push(row),
        }
        self.row_lines.push(line);
        // `+ 0.0` so that -0 and 0 are one grade.
        self.grades.push(grade + 0.0);
    }

    /// What was found, added to the file's findings.
    /// `if_twice` is what to do about a document judged twice.
    pub fn finish(mut self, file: &mut CheckedFile, if_twice: &str) -> CheckedQrels {
        let plain = std::mem::take(&mut self.plain);
        let marked = std::mem::replace(&mut self.marked, MarkedBuilder::new(self.kind));
        let (qrels, mut duplicates) = if self.kind == JudgementKind::Grades { plain.finish() } else { marked.finish() };
        duplicates.sort_unstable_by_key(|duplicate| duplicate.second);
        for duplicate in &duplicates {
            let (first, second) = (duplicate.first, duplicate.second);
            let grades = if self.grades[first] == self.grades[second] {
                "the same grade".to_owned()
            } else {
                format!("grade {} there, {} here", self.grades[first], self.grades[second])
            };
            let docno = quote(&duplicate.docno);
            let first = file.unit.at(self.row_lines[first]);
            let what = format!("{docno} is judged again for its topic; first {first} ({grades})");
            file.findings.push(Finding::error(&file.path, what, if_twice).on(self.row_lines[second], self.docno));
        }
        let preferences =
            qrels.marks().filter(|marks| duplicates.is_empty() && marks.kind() == JudgementKind::Preferences);
        for problem in preferences.into_iter().flat_map(|marks| contradictions(&qrels, marks, &file.path)) {
            let what = format!("expected {}, found {}", problem.expected, problem.found);
            file.findings.push(Finding::error(&file.path, what, &problem.remedy));
        }
        file.rows = self.row_lines.len() as u64;
        file.topics = qrels.len() as u64;
        self.kind_note(&qrels, file);
        let barren: Vec<TopicIndex> =
            qrels.topics().filter(|&topic| qrels.facts(topic).relevant(f64::MIN_POSITIVE) == 0).collect();
        if !barren.is_empty() && self.kind.has_grades() {
            let what = format!("no relevant document for {}", list_topics(&qrels, &barren));
            let remedy = "most measures are 0 there whatever the run does; leave the topics out with --topics if that is not meant";
            file.findings.push(Finding::warning(&file.path, what, remedy));
        }
        let negative = self.grades.iter().filter(|grade| **grade < 0.0).count() as u64;
        if negative > 0 && self.kind != JudgementKind::Strata {
            let what = format!("{} with a negative grade", file.unit.count(negative));
            let remedy = "they count as pooled but not judged, not as non-relevant; write 0 if a judge found them so";
            file.findings.push(Finding::note(&file.path, what, remedy));
        }
        let fractions = self.grades.iter().filter(|grade| grade.fract() != 0.0).count() as u64;
        if fractions > 0 && self.kind.has_grades() {
            let what = format!("{} with a fraction", counted(fractions, "grade"));
            let remedy = "none needed here; trec_eval and `karat trec_eval` cut them to whole numbers";
            file.findings.push(Finding::warning(&file.path, what, remedy));
        }
        self.looks.findings(self.docno, file);
        let mut sorted = match self.kind {
            JudgementKind::Grades => self.grades,
            JudgementKind::Preferences => Vec::new(),
            // A document's best: it may have several.
            _ => qrels
                .topics()
                .flat_map(|topic| qrels.documents(topic).map(|(_, of)| of.grade().unwrap_or(-1.0)))
                .collect(),
        };
        sorted.sort_by(f64::total_cmp);
        let grades = sorted.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len() as u64)).collect();
        CheckedQrels { path: file.path.clone(), qrels, grades }
    }
    /// What the judgements are, where they are not plain grades.
    fn kind_note(&self, qrels: &Qrels, file: &mut CheckedFile) {
        let (Some(marks), Some(made)) = (qrels.marks(), grades_of(self.kind)) else { return };
        let mut groups: Vec<u32> = qrels.topics().flat_map(|topic| marks.topic(topic)).map(|mark| mark.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let thing = match self.kind {
            JudgementKind::Subtopics => "subtopics",
            JudgementKind::Strata => "strata",
            JudgementKind::Probabilities => "methods",
            JudgementKind::Grades | JudgementKind::Groups | JudgementKind::Preferences => "groups",
        };
        let mut names: Vec<&[u8]> = groups.iter().map(|&group| marks.group_name(group)).collect();
        names.sort_unstable();
        let mut shown: Vec<String> = names.iter().take(5).map(|name| quote(name)).collect();
        if names.len() > shown.len() {
            shown.push(format!("and {} more", names.len() - shown.len()));
        }
        let mut what = format!("{}, {thing} {}", self.kind, shown.join(", "));
        if self.kind == JudgementKind::Strata {
            let drawn = self.grades.iter().filter(|grade| **grade >= 0.0).count();
            what.push_str(&format!("; {drawn} of {} drawn and judged", counted(self.grades.len() as u64, "document")));
        }
        file.findings.push(Finding::note(&file.path, what, made));
    }
}
