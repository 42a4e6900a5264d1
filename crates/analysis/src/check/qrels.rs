//! Judgements, line by line.

use karat_data::preferences::contradictions;
use karat_data::problem::FirstSeen;
use karat_data::qrels::DuplicateRow;
use karat_data::{JudgementKind, MarkedBuilder, MarkedRow, Qrels, QrelsBuilder};

use super::finding::QrelsFinding;
use super::{CheckedFile, Field, Finding, FindingKind, Looks};

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

    /// Adds the findings to the file's. `if_twice` is what to do about a document judged twice.
    pub fn finish(mut self, file: &mut CheckedFile, if_twice: &'static str) -> CheckedQrels {
        let plain = std::mem::take(&mut self.plain);
        let marked = std::mem::replace(&mut self.marked, MarkedBuilder::new(self.kind));
        let (qrels, mut duplicates) = if self.kind == JudgementKind::Grades { plain.finish() } else { marked.finish() };
        duplicates.sort_unstable_by_key(|duplicate| duplicate.second);
        for duplicate in &duplicates {
            let kind = FindingKind::Qrels(self.repeated(duplicate, if_twice));
            file.findings
                .push(Finding::error(&file.path, kind).on(self.row_lines[duplicate.second], Field::Named(self.docno)));
        }
        let preferences =
            qrels.marks().filter(|marks| duplicates.is_empty() && marks.kind() == JudgementKind::Preferences);
        for problem in preferences.into_iter().flat_map(|marks| contradictions(&qrels, marks, &file.path)) {
            file.findings.push(Finding::from(problem));
        }
        file.rows = self.row_lines.len() as u64;
        file.topics = qrels.len() as u64;
        self.kind_note(&qrels, file);
        self.odd_grades(&qrels, file);
        self.looks.findings(self.docno, file);
        CheckedQrels { path: file.path.clone(), grades: self.count_grades(&qrels), qrels }
    }

    fn repeated(&self, duplicate: &DuplicateRow, remedy: &'static str) -> QrelsFinding {
        let (first, second) = (duplicate.first, duplicate.second);
        let grades = (self.grades[first], self.grades[second]);
        QrelsFinding::Repeated {
            docno: duplicate.docno.clone(),
            first: FirstSeen::line(self.row_lines[first]),
            grades: (grades.0 != grades.1).then_some(grades),
            remedy,
        }
    }

    /// Topics without relevant documents, negative grades, fractions.
    fn odd_grades(&self, qrels: &Qrels, file: &mut CheckedFile) {
        let path = file.path.clone();
        let mut push = |make: fn(&str, FindingKind) -> Finding, kind| {
            file.findings.push(make(&path, FindingKind::Qrels(kind)));
        };
        let barren = qrels.topics().filter(|&topic| qrels.facts(topic).relevant(f64::MIN_POSITIVE) == 0);
        let barren: Vec<Vec<u8>> = barren.map(|topic| qrels.name(topic).to_vec()).collect();
        if !barren.is_empty() && self.kind.has_grades() {
            push(Finding::warning, QrelsFinding::NoRelevant(barren));
        }
        let negative = self.grades.iter().filter(|grade| **grade < 0.0).count() as u64;
        if negative > 0 && self.kind != JudgementKind::Strata {
            push(Finding::note, QrelsFinding::NegativeGrades(negative));
        }
        let fractions = self.grades.iter().filter(|grade| grade.fract() != 0.0).count() as u64;
        if fractions > 0 && self.kind.has_grades() {
            push(Finding::warning, QrelsFinding::Fractions(fractions));
        }
    }

    fn count_grades(self, qrels: &Qrels) -> Vec<(f64, u64)> {
        let mut sorted = match self.kind {
            JudgementKind::Grades => self.grades,
            JudgementKind::Preferences => Vec::new(),
            // A document's best: it may have several.
            _ => qrels
                .topics()
                .flat_map(|topic| qrels.documents(topic).map(|(_, judgement)| judgement.grade().unwrap_or(-1.0)))
                .collect(),
        };
        sorted.sort_by(f64::total_cmp);
        sorted.chunk_by(|a, b| a == b).map(|alike| (alike[0], alike.len() as u64)).collect()
    }

    /// What the judgements are, where they are not plain grades.
    fn kind_note(&self, qrels: &Qrels, file: &mut CheckedFile) {
        let Some(marks) = qrels.marks().filter(|_| self.kind != JudgementKind::Grades) else { return };
        let mut groups: Vec<u32> = qrels.topics().flat_map(|topic| marks.topic(topic)).map(|mark| mark.group).collect();
        groups.sort_unstable();
        groups.dedup();
        let mut groups: Vec<Vec<u8>> = groups.iter().map(|&group| marks.group_name(group).to_vec()).collect();
        groups.sort_unstable();
        let drawn = (self.kind == JudgementKind::Strata).then(|| {
            let drawn = self.grades.iter().filter(|grade| **grade >= 0.0).count();
            (drawn as u64, self.grades.len() as u64)
        });
        let kind = QrelsFinding::Kind { kind: self.kind, groups, drawn };
        file.findings.push(Finding::note(&file.path, FindingKind::Qrels(kind)));
    }
}
