//! A simulated collection with shallow pools: five runs of 50 documents, 19 relevant documents in the mean topic's pool.
//!
//! 50 topics of 200 documents. The share of relevant documents is Beta(1, 9); a run scores a document by 1.5 + N(0, .4^2) per topic if it
//! is relevant, plus .8 x a noise that all runs share, plus .6 x its own.

use std::fmt::Write;

use karat_stats::seed::{Seed, Stream};

use crate::collection::Files;

const TOPICS: usize = 50;
const DOCUMENTS: usize = 200;
const RUNS: usize = 5;
const RETRIEVED: usize = 50;

fn normal(stream: &mut Stream) -> f64 {
    let (a, b) = (1.0 - stream.unit(), stream.unit());
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

pub fn files() -> Files {
    let mut files = Files { qrels: String::new(), runs: vec![String::new(); RUNS] };
    for topic in 0..TOPICS {
        let stream = &mut Seed(5).streams("world").at(topic as u64);
        // 1 - u^(1/9) is Beta(1, 9).
        let share = 1.0 - (1.0 - stream.unit()).powf(1.0 / 9.0);
        let relevant: Vec<bool> = (0..DOCUMENTS).map(|_| stream.unit() < share).collect();
        let strength = 1.5 + 0.4 * normal(stream);
        let shared: Vec<f64> = (0..DOCUMENTS).map(|_| normal(stream)).collect();
        for (document, relevant) in relevant.iter().enumerate() {
            let _ = writeln!(files.qrels, "{topic} 0 d{document:03} {}", u8::from(*relevant));
        }
        for run in &mut files.runs {
            let score = |document: usize, own: f64| {
                strength * f64::from(u8::from(relevant[document])) + 0.8 * shared[document] + 0.6 * own
            };
            let mut scores: Vec<(f64, usize)> = (0..DOCUMENTS).map(|at| (score(at, normal(stream)), at)).collect();
            scores.sort_by(|a, b| b.0.total_cmp(&a.0));
            for (score, document) in &scores[..RETRIEVED] {
                let _ = writeln!(run, "{topic} Q0 d{document:03} 0 {score} run");
            }
        }
    }
    files
}
