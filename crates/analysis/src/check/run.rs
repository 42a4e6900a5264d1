//! A run, line by line.

use std::collections::HashMap;

use karat_data::problem::quote;
use karat_data::{Row, hash};

use super::across::{CheckedRun, TopicOfRun};
use super::{CheckedFile, Finding, Looks, counted, share};
use crate::scores::list_names;

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

#[derive(Debug, Default)]
struct Topic {
    name: Vec<u8>,
    rows: Vec<Line>,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    docno: (usize, usize),
    score: f64,
    rank: Option<i64>,
    line: u64,
}

/// What is counted by topic: how many have it, and where the first is.
#[derive(Debug, Default)]
struct Tally {
    names: Vec<Vec<u8>>,
    first_line: u64,
}

impl Tally {
    fn add(&mut self, topic: &Topic, line: u64) {
        if self.names.is_empty() {
            self.first_line = line;
        }
        self.names.push(topic.name.clone());
    }

    fn warn(&self, file: &mut CheckedFile, field: &'static str, what: &str, remedy: &str) {
        self.tell(Finding::warning, file, field, what, remedy);
    }

    fn note(&self, file: &mut CheckedFile, field: &'static str, what: &str, remedy: &str) {
        self.tell(Finding::note, file, field, what, remedy);
    }

    fn tell(
        &self,
        kind: fn(&str, String, &str) -> Finding,
        file: &mut CheckedFile,
        field: &'static str,
        what: &str,
        remedy: &str,
    ) {
        if self.names.is_empty() {
            return;
        }
        let named = list_names(self.names.iter().map(Vec::as_slice), self.names.len());
        let what = format!("{what} in {named} of {}", file.topics);
        file.findings.push(kind(&file.path, what, remedy).on(self.first_line, field));
    }
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

    /// What was found, added to the file's findings.
    pub fn finish(mut self, file: &mut CheckedFile) -> CheckedRun {
        file.rows = self.rows;
        file.topics = self.topics.len() as u64;
        let docnos = std::mem::take(&mut self.docnos);
        self.topics.sort_by(|a, b| a.name.cmp(&b.name));
        for topic in &mut self.topics {
            drop_duplicates(topic, &docnos, self.docno, file);
        }
        self.order(file);
        if self.odd_ranks > 0 {
            let what = format!("{} with a rank that is not a whole number", file.unit.count(self.odd_ranks));
            let remedy = "none needed here, documents are ranked by score; other tools may refuse it";
            file.findings.push(Finding::warning(&file.path, what, remedy).on(self.first_odd_rank, "rank (field 4)"));
        }
        if self.tag_changes > 0 {
            let what =
                format!("the tag changes {}; the last is {}", counted(self.tag_changes, "time"), quote(&self.tag));
            let remedy = "give a run one tag on all lines, or split the file if it holds several runs";
            file.findings.push(Finding::warning(&file.path, what, remedy).on(self.first_tag_change, "tag (field 6)"));
        }
        if self.come_back > 0 {
            let what =
                format!("topics are not together: {} a topic goes on that had ended", counted(self.come_back, "time"));
            file.findings.push(Finding::note(&file.path, what, "none needed; sorted by topic the file is read faster"));
        }
        self.looks.findings(self.docno, file);
        CheckedRun::new(file.path.clone(), self.tag, docnos, self.topics.into_iter().map(Topic::into_rows).collect())
    }

    /// Ranks and scores, topic by topic.
    fn order(&self, file: &mut CheckedFile) {
        if let Some(field) = self.ordering_rank {
            return self.order_by_rank(field, file);
        }
        let (mut contradict, mut rising, mut from_zero, mut holes, mut again) = Default::default();
        let mut tied = 0;
        for topic in &self.topics {
            tied += in_ties(topic);
            if let Some(line) = first_rise(topic.rows.iter()) {
                Tally::add(&mut rising, topic, line);
            }
            let mut by_rank: Vec<&Line> = topic.rows.iter().filter(|row| row.rank.is_some()).collect();
            by_rank.sort_by_key(|row| row.rank);
            if let Some(line) = first_rise(by_rank.iter().copied()) {
                Tally::add(&mut contradict, topic, line);
            }
            let Some(first) = by_rank.first() else { continue };
            if first.rank == Some(0) {
                Tally::add(&mut from_zero, topic, first.line);
            }
            let start = if first.rank == Some(0) { 0 } else { 1 };
            if let Some(pair) = by_rank.windows(2).find(|pair| pair[0].rank == pair[1].rank) {
                Tally::add(&mut again, topic, pair[1].line);
            }
            let next = |rank: Option<i64>| rank.and_then(|rank| rank.checked_add(1));
            if first.rank != Some(start) {
                Tally::add(&mut holes, topic, first.line);
            } else if let Some(pair) = by_rank.windows(2).find(|pair| pair[1].rank > next(pair[0].rank)) {
                Tally::add(&mut holes, topic, pair[1].line);
            }
        }
        let remedy = "documents are ranked by score (as trec_eval does), not by the rank column: make sure that the scores say what the system meant, larger is better";
        contradict.warn(file, "rank (field 4)", "ranks contradict scores", remedy);
        let remedy = "none needed, documents are sorted by score; check that the file was meant to be in that order";
        let what = format!("scores rise from one {} to the next", file.unit.name());
        rising.warn(file, "score (field 5)", &what, remedy);
        let remedy = "none needed here, ranks are not used; TREC counts them from 1 (0 is common)";
        from_zero.note(file, "rank (field 4)", "ranks begin at 0", remedy);
        let remedy = "none needed here, ranks are not used; check that no line of the run was lost";
        holes.warn(file, "rank (field 4)", "ranks have holes", remedy);
        let remedy = "none needed here, ranks are not used; check that two lists were not put together";
        again.warn(file, "rank (field 4)", "a rank occurs twice", remedy);
        if tied > 0 {
            let what = format!(
                "{} of {} ({}) share the score with another of the topic",
                tied,
                counted(self.rows, "document"),
                share(tied, self.rows)
            );
            let remedy = "their order is by docno, which is chance: write more digits, or break ties in the system";
            let many = tied * 20 >= self.rows;
            let make = if many { Finding::warning } else { Finding::note };
            file.findings.push(make(&file.path, what, remedy));
        }
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
                let what = format!(
                    "{} again for topic {}; first {}",
                    quote(bytes(&row)),
                    quote(&topic.name),
                    file.unit.at(kept[other].line)
                );
                let unit = file.unit.name();
                let remedy =
                    format!("keep one of the two {unit}s, the one with the higher score if the system meant it once");
                file.findings.push(Finding::error(&file.path, what, &remedy).on(row.line, field));
            }
        }
    }
}

impl RunCheck {
    /// Ranks, where it is they that order the documents: each may occur once.
    fn order_by_rank(&self, field: &'static str, file: &mut CheckedFile) {
        let (mut from_zero, mut holes, mut unsorted) = <(Tally, Tally, Tally)>::default();
        for topic in &self.topics {
            let mut by_rank: Vec<&Line> = topic.rows.iter().collect();
            by_rank.sort_by_key(|row| (row.rank, row.line));
            for pair in by_rank.windows(2).filter(|pair| pair[0].rank == pair[1].rank) {
                let rank = pair[1].rank.unwrap_or_default();
                let first = file.unit.at(pair[0].line);
                let what = format!("rank {rank} again for topic {}; first {first}", quote(&topic.name));
                let remedy = "give each document of a topic a rank of its own: it is the rank that orders them";
                file.findings.push(Finding::error(&file.path, what, remedy).on(pair[1].line, field));
            }
            let Some(first) = by_rank.first() else { continue };
            if first.rank == Some(0) {
                from_zero.add(topic, first.line);
            }
            let next = |rank: Option<i64>| rank.and_then(|rank| rank.checked_add(1));
            if first.rank > Some(1) {
                holes.add(topic, first.line);
            } else if let Some(pair) = by_rank.windows(2).find(|pair| pair[1].rank > next(pair[0].rank)) {
                holes.add(topic, pair[1].line);
            }
            if let Some(line) = first_rise(topic.rows.iter()) {
                unsorted.add(topic, line);
            }
        }
        let remedy =
            "none needed here, only the order counts; the format counts ranks from 1, and other tools may refuse 0";
        from_zero.warn(file, field, "ranks begin at 0", remedy);
        let remedy = "none needed here, only the order counts; check that no line of the run was lost";
        holes.warn(file, field, "ranks have holes", remedy);
        let remedy = "none needed, documents are sorted by rank; check that the file was meant to be in that order";
        unsorted.note(file, field, "lines are not in the order of ranks", remedy);
    }
}

/// The line of the first row whose score is larger than that of the row before.
fn first_rise<'r>(rows: impl Iterator<Item = &'r Line>) -> Option<u64> {
    let mut last = f64::INFINITY;
    for row in rows {
        if row.score > last {
            return Some(row.line);
        }
        last = row.score;
    }
    None
}

fn in_ties(topic: &Topic) -> u64 {
    let mut scores: Vec<f64> = topic.rows.iter().map(|row| row.score).collect();
    scores.sort_by(f64::total_cmp);
    scores.chunk_by(|a, b| a == b).filter(|alike| alike.len() > 1).map(|alike| alike.len() as u64).sum()
}

/// Rows as the aligner takes them.
pub(super) fn rows<'a>(docnos: &'a [u8], rows: &[((usize, usize), f64)]) -> Vec<Row<'a>> {
    rows.iter().map(|&((start, end), score)| Row { docno: &docnos[start..end], score, line: 0 }).collect()
}
