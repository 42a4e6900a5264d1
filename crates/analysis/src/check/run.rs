//! A run, line by line.

use std::collections::HashMap;

use karat_data::problem::FirstSeen;
use karat_data::{Row, hash};

use super::across::{CheckedRun, TopicOfRun};
use super::finding::RunFinding;
use super::order;
use super::{CheckedFile, Field, Finding, FindingKind, Looks};

/// Takes the lines of a run.
#[derive(Debug, Default)]
pub struct RunCheck {
    docno: &'static str,
    ordering_rank: Option<&'static str>,
    docnos: Vec<u8>,
    topics: Vec<Topic>,
    index: HashMap<Vec<u8>, usize>,
    last_topic: Option<usize>,
    come_back: u64,
    tag: Vec<u8>,
    tag_changes: u64,
    first_tag_change: u64,
    odd_ranks: u64,
    first_odd_rank: u64,
    rows: u64,
    looks: Looks,
}

/// The rows of a topic.
#[derive(Debug, Default)]
pub(super) struct Topic {
    pub name: Vec<u8>,
    pub rows: Vec<Line>,
}

/// A row: where its docno is in the arena, score, rank where there is one, line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    docno: (usize, usize),
    pub score: f64,
    pub rank: Option<i64>,
    pub line: u64,
}

/// A line of a run that could be read.
#[derive(Debug, Clone, Copy)]
pub struct LineOfRun<'a> {
    /// All of it; empty where the format has no lines.
    pub text: &'a [u8],
    /// The topic.
    pub topic: &'a [u8],
    /// The document.
    pub docno: &'a [u8],
    /// The rank as it is written, where there is one.
    pub rank: Option<&'a [u8]>,
    /// The score.
    pub score: f64,
    /// The tag; empty where there is none.
    pub tag: &'a [u8],
}

impl RunCheck {
    /// For a run in whose problems the docno's field is called `docno`; `ordering_rank` is the field of the rank where it
    /// is the rank that orders documents.
    pub fn new(docno: &'static str, ordering_rank: Option<&'static str>) -> RunCheck {
        RunCheck { docno, ordering_rank, ..RunCheck::default() }
    }

    /// Takes a line.
    pub fn line(&mut self, line: u64, found: &LineOfRun<'_>) {
        let LineOfRun { text, topic, docno, rank: written, score, tag } = *found;
        self.looks.line(line, text, docno);
        let topic = self.topic(topic);
        let start = self.docnos.len();
        self.docnos.extend_from_slice(docno);
        let rank = written.and_then(|rank| std::str::from_utf8(rank).ok()?.parse().ok());
        if rank.is_none() && written.is_some() {
            self.odd_ranks += 1;
            if self.odd_ranks == 1 {
                self.first_odd_rank = line;
            }
        }
        self.topics[topic].rows.push(Line { docno: (start, self.docnos.len()), score, rank, line });
        if tag != self.tag {
            if self.rows > 0 {
                self.tag_changes += 1;
                if self.tag_changes == 1 {
                    self.first_tag_change = line;
                }
            }
            self.tag = tag.to_vec();
        }
        self.rows += 1;
    }

    fn topic(&mut self, name: &[u8]) -> usize {
        if let Some(last) = self.last_topic.filter(|&last| self.topics[last].name == name) {
            return last;
        }
        let topic = match self.index.get(name) {
            Some(&topic) => {
                self.come_back += 1;
                topic
            }
            None => {
                self.topics.push(Topic { name: name.to_vec(), rows: Vec::new() });
                self.index.insert(name.to_vec(), self.topics.len() - 1);
                self.topics.len() - 1
            }
        };
        self.last_topic = Some(topic);
        topic
    }

    /// Adds the findings to the file's.
    pub fn finish(mut self, file: &mut CheckedFile) -> CheckedRun {
        file.rows = self.rows;
        file.topics = self.topics.len() as u64;
        let docnos = std::mem::take(&mut self.docnos);
        self.topics.sort_by(|a, b| a.name.cmp(&b.name));
        for topic in &mut self.topics {
            drop_duplicates(topic, &docnos, self.docno, file);
        }
        match self.ordering_rank {
            Some(field) => order::check_ranks(&self.topics, Field::Named(field), file),
            None => order::check_scores(&self.topics, file),
        }
        let path = file.path.clone();
        let mut push = |make: fn(&str, FindingKind) -> Finding, kind, at: Option<(u64, Field)>| {
            let finding = make(&path, FindingKind::Run(kind));
            file.findings.push(match at {
                Some((line, field)) => finding.on(line, field),
                None => finding,
            });
        };
        if self.odd_ranks > 0 {
            let at = Some((self.first_odd_rank, Field::Rank));
            push(Finding::warning, RunFinding::OddRanks(self.odd_ranks), at);
        }
        if self.tag_changes > 0 {
            let kind = RunFinding::TagChanges { times: self.tag_changes, last: self.tag.clone() };
            push(Finding::warning, kind, Some((self.first_tag_change, Field::Tag)));
        }
        if self.come_back > 0 {
            push(Finding::note, RunFinding::ScatteredTopics(self.come_back), None);
        }
        self.looks.findings(self.docno, file);
        CheckedRun::new(path, self.tag, docnos, self.topics.into_iter().map(Topic::into_rows).collect())
    }
}

impl Topic {
    fn into_rows(self) -> TopicOfRun {
        (self.name, self.rows.into_iter().map(|row| (row.docno, row.score)).collect())
    }
}

fn drop_duplicates(topic: &mut Topic, docnos: &[u8], field: &'static str, file: &mut CheckedFile) {
    let bytes = |row: &Line| &docnos[row.docno.0..row.docno.1];
    let mut slots = vec![0u32; hash::slots_for(topic.rows.len())];
    let rows = std::mem::take(&mut topic.rows);
    for row in rows {
        let kept = &topic.rows;
        match hash::probe(&slots, hash::of(bytes(&row)), |other| bytes(&kept[other]) == bytes(&row)) {
            Err(free) => {
                slots[free] = kept.len() as u32 + 1;
                topic.rows.push(row);
            }
            Ok(other) => {
                let kind = RunFinding::RepeatedDocument {
                    docno: bytes(&row).to_vec(),
                    topic: topic.name.clone(),
                    first: FirstSeen::line(kept[other].line),
                };
                file.findings
                    .push(Finding::error(&file.path, FindingKind::Run(kind)).on(row.line, Field::Named(field)));
            }
        }
    }
}

/// Rows as the aligner takes them.
pub(super) fn rows<'a>(docnos: &'a [u8], rows: &[((usize, usize), f64)]) -> Vec<Row<'a>> {
    rows.iter().map(|&((start, end), score)| Row { docno: &docnos[start..end], score, line: 0 }).collect()
}
