//! trec_eval's lines: the name in 22 columns, a tab, the topic, a tab, the value.
//!
//! The layout and its four decimals are trec_eval's own and part of what scripts read; Rust rounds as C's `printf` does.

use std::io::Write;

use karat_data::Qrels;
use karat_measures::Aggregate;
use karat_measures::trec_eval::{Answer, Line, Profile, Quantity};

use super::arguments::Arguments;
use super::evaluate::Evaluated;

/// All lines asked for.
pub fn print(qrels: &Qrels, lines: &[Line], evaluated: &Evaluated, asked: &Arguments) -> Vec<u8> {
    let mut out = Vec::new();
    let mut sums = Sums::new(lines);
    for (place, topic) in qrels.topics().enumerate() {
        let (answer, made_up) = match (evaluated.found.get(topic), &evaluated.empty[place]) {
            (Some(answers), _) => (&answers[0], false),
            (None, Some(empty)) if asked.complete => (empty, true),
            _ => continue,
        };
        sums.add(lines, answer, made_up && asked.profile == Profile::Nine, asked.zscores.is_some());
        let shown = asked.by_query && !(made_up && asked.profile == Profile::Nine);
        if shown {
            topic_lines(&mut out, lines, qrels.name(topic), answer, asked);
        }
    }
    if asked.summary {
        for (place, line) in lines.iter().enumerate() {
            let text = match &line.quantity {
                Quantity::RunId => evaluated.found.facts.tag.clone().unwrap_or_default(),
                Quantity::RelString(_) => continue,
                quantity => match quantity.aggregate() {
                    None => continue,
                    Some(Aggregate::Sum) if asked.zscores.is_some() => real(sums.of(place), asked.full_precision),
                    Some(Aggregate::Sum) => format!("{}", sums.of(place)),
                    Some(aggregate) => real(aggregate.outward(sums.of(place) / sums.topics), asked.full_precision),
                },
            };
            write_line(&mut out, line, b"all", &text, asked);
        }
    }
    out
}

fn topic_lines(out: &mut Vec<u8>, lines: &[Line], topic: &[u8], answer: &Answer, asked: &Arguments) {
    let counts_are_whole = asked.zscores.is_none();
    let mut strings = answer.strings.iter();
    for (line, value) in lines.iter().zip(&answer.values) {
        if !line.quantity.by_query() {
            continue;
        }
        let text = match &line.quantity {
            Quantity::RelString(_) => format!("'{}'", strings.next().map_or("", String::as_str)),
            quantity if counts_are_whole && quantity.aggregate() == Some(Aggregate::Sum) => format!("{value}"),
            _ => real(*value, asked.full_precision),
        };
        write_line(out, line, topic, &text, asked);
    }
}

fn real(value: f64, full: bool) -> String {
    if full { format!("{value}") } else { format!("{value:.4}") }
}

fn write_line(out: &mut Vec<u8>, line: &Line, topic: &[u8], text: &str, asked: &Arguments) {
    // A z score has its letter in front of the 22 columns.
    let is_score = line.quantity.aggregate().is_some();
    let letter = if asked.zscores.is_some() && is_score { "Z" } else { "" };
    // Writing to memory cannot fail.
    let _ = write!(out, "{letter}{:<22}\t", line.label);
    out.extend_from_slice(topic);
    let _ = writeln!(out, "\t{text}");
}

/// Sums over topics, added in the order trec_eval adds them.
struct Sums {
    sums: Vec<f64>,
    /// What trec_eval 9 adds after all topics, for those the run does not have.
    late: Vec<f64>,
    topics: f64,
}

impl Sums {
    fn new(lines: &[Line]) -> Sums {
        Sums { sums: vec![0.0; lines.len()], late: vec![0.0; lines.len()], topics: 0.0 }
    }

    /// trec_eval 9 lets a missing topic add 0 to everything but the number of topics, the relevant documents and
    /// geometric means.
    fn add(&mut self, lines: &[Line], answer: &Answer, missing_in_9: bool, zscores: bool) {
        self.topics += 1.0;
        for (place, line) in lines.iter().enumerate() {
            let Some(aggregate) = line.quantity.aggregate() else { continue };
            let value = answer.values[place];
            if !missing_in_9 {
                // A z score is that of the logarithm where the mean is geometric.
                self.sums[place] += if zscores { value } else { aggregate.inward(value) };
            } else if matches!(aggregate, Aggregate::GeometricMean { .. }) {
                self.late[place] += aggregate.inward(0.0);
            } else if matches!(line.quantity, Quantity::Topics) || line.label == "num_rel" && !zscores {
                self.sums[place] += value;
            }
        }
    }

    fn of(&self, place: usize) -> f64 {
        self.sums[place] + self.late[place]
    }
}
