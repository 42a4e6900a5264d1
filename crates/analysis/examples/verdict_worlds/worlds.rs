//! Worlds in which every document's relevance is known, and the judging that a pool of five systems gets.
//!
//! Five pooled systems and a newcomer rank the documents of each topic by strength x relevance + .8 x noise they share + .6 x own noise. What differs from
//! world to world is what the newcomer finds, and what the judges wrote down.

use std::fmt::Write;

use karat_stats::Seed;
use karat_stats::seed::Stream;

/// Systems in the pool. The newcomer is the run after them.
pub const POOLED: usize = 5;
/// Ranks of a run.
const DEPTH: usize = 50;
/// Weight of the shared noise and of a system's own.
const NOISE: (f64, f64) = (0.8, 0.6);

/// A world.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// Its name.
    pub name: &'static str,
    /// Documents per topic.
    documents: usize,
    /// The share of relevant documents is drawn from this Beta distribution.
    rate: (usize, usize),
    /// Share of the relevant documents that pooled systems can see.
    visible: f64,
    /// How strongly pooled systems see relevance.
    pooled: f64,
    /// How strongly the newcomer sees it, and how much that varies from topic to topic.
    newcomer: (f64, f64),
    /// How strongly the newcomer sees what pooled systems see too, where that differs.
    on_visible: Option<f64>,
    /// Correlation of the newcomer's shared noise with that of the pooled systems.
    shared: f64,
    /// Share of the non-relevant documents that the newcomer takes as relevant.
    decoys: f64,
    /// Share of the topics on which the newcomer fails.
    fails: f64,
    /// Whether relevant documents have grades 1, 2 and 3.
    graded: bool,
    /// Whether one relevant document per topic is all that is written down.
    positives_only: bool,
    /// Whether the newcomer is in the pool like the others, so that it is none.
    joins: bool,
    /// Share of the pool that nobody judged.
    lost: f64,
}

/// A newcomer like the pooled systems.
const EQUAL: World = World {
    name: "equal",
    documents: 200,
    rate: (1, 9),
    visible: 1.0,
    pooled: 1.5,
    newcomer: (1.5, 0.4),
    on_visible: None,
    shared: 0.0,
    decoys: 0.0,
    fails: 0.0,
    graded: false,
    positives_only: false,
    joins: false,
    lost: 0.0,
};

/// All worlds.
pub const WORLDS: [World; 12] = [
    EQUAL,
    World { name: "better", newcomer: (1.8, 0.4), ..EQUAL },
    World { name: "much better", newcomer: (2.2, 0.4), ..EQUAL },
    World { name: "worse", newcomer: (0.8, 0.4), ..EQUAL },
    World { name: "new vocabulary, 40%", visible: 0.6, shared: 0.8, ..EQUAL },
    World { name: "new vocabulary, 60%", visible: 0.4, shared: 0.9, ..EQUAL },
    World {
        name: "hardest",
        documents: 300,
        rate: (2, 18),
        visible: 0.4,
        pooled: 1.6,
        newcomer: (1.8, 0.4),
        on_visible: Some(0.4),
        shared: 0.85,
        ..EQUAL
    },
    World { name: "hard negatives", decoys: 0.05, ..EQUAL },
    World { name: "graded", graded: true, ..EQUAL },
    World { name: "positives only", positives_only: true, ..EQUAL },
    World { name: "rare failures", newcomer: (1.9, 0.4), fails: 0.1, ..EQUAL },
    World { name: "unequal variances", newcomer: (1.5, 1.6), ..EQUAL },
];

/// A pool of all six systems, of which assessors lost 4%.
const JOINED: World = World { joins: true, lost: 0.04, ..EQUAL };

/// Worlds in which the sixth system was pooled too, though it finds other documents than the five.
#[allow(dead_code, reason = "for verdicts only")]
pub const JOINING: [World; 6] = [
    JOINED,
    World { name: "better", newcomer: (1.8, 0.4), ..JOINED },
    World { name: "new vocabulary, 40%", visible: 0.6, shared: 0.8, ..JOINED },
    World { name: "new vocabulary, 60%", visible: 0.4, shared: 0.9, ..JOINED },
    World {
        name: "hardest",
        documents: 300,
        rate: (2, 18),
        visible: 0.4,
        pooled: 1.6,
        newcomer: (1.8, 0.4),
        on_visible: Some(0.4),
        shared: 0.85,
        ..JOINED
    },
    World { name: "hard negatives", decoys: 0.05, ..JOINED },
];

/// Worlds in which few unjudged documents are relevant: 5%, 2% and 1% of all documents are.
#[allow(dead_code, reason = "for settling only")]
pub const LOW: [World; 3] = [
    World { name: "rate 5%", rate: (1, 19), newcomer: (0.5, 0.4), ..EQUAL },
    World { name: "rate 2%", rate: (1, 49), newcomer: (0.8, 0.4), ..EQUAL },
    World { name: "rate 1%", rate: (1, 99), newcomer: (0.8, 0.4), ..EQUAL },
];

/// What was drawn: files as people have them.
pub struct Drawn {
    /// The judgements of the pool.
    pub judged: String,
    /// Every relevant document; all others are not relevant.
    pub complete: String,
    /// The runs, the newcomer last.
    pub runs: Vec<String>,
}

/// A standard normal number (Marsaglia's polar method).
fn gaussian(stream: &mut Stream) -> f64 {
    loop {
        let (x, y) = (2.0 * stream.unit() - 1.0, 2.0 * stream.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

/// A document: its grade, and whether pooled systems can see that it is relevant.
struct Document {
    grade: u32,
    visible: bool,
    decoy: bool,
}

impl World {
    /// Draws so many topics; the pool has the first `pool_depth` ranks of the pooled systems.
    pub fn draw(&self, topics: usize, pool_depth: usize, seed: Seed) -> Drawn {
        let mut drawn = Drawn { judged: String::new(), complete: String::new(), runs: vec![String::new(); POOLED + 1] };
        for topic in 0..topics {
            self.draw_topic(topic, pool_depth, &mut seed.stream("topic", topic as u64), &mut drawn);
        }
        drawn
    }

    fn draw_topic(&self, topic: usize, pool_depth: usize, stream: &mut Stream, drawn: &mut Drawn) {
        let rate = self.share_of_relevant(stream);
        let documents: Vec<Document> = (0..self.documents).map(|_| self.document(rate, stream)).collect();
        let shared: Vec<f64> = documents.iter().map(|_| gaussian(stream)).collect();
        let mut lists = Vec::with_capacity(POOLED + 1);
        for _ in 0..POOLED {
            let strength = self.pooled + 0.4 * gaussian(stream);
            let seen = |document: &Document| if document.visible { self.worth(document) } else { 0.0 };
            let signal: Vec<f64> = documents.iter().map(|document| strength * seen(document)).collect();
            lists.push(ranked(&signal, &shared, stream));
        }
        lists.push(self.newcomer(&documents, &shared, stream));
        let mut in_pool = vec![false; self.documents];
        for list in &lists[..POOLED + usize::from(self.joins)] {
            list.iter().take(pool_depth).for_each(|&document| in_pool[document] = true);
        }
        self.write(topic, &documents, &lists, &in_pool, stream, drawn);
    }

    /// A Beta(a, b) number: the a-th smallest of a + b - 1 uniform ones.
    fn share_of_relevant(&self, stream: &mut Stream) -> f64 {
        let (a, b) = self.rate;
        let mut uniform: Vec<f64> = (0..a + b - 1).map(|_| stream.unit()).collect();
        uniform.sort_by(f64::total_cmp);
        uniform[a - 1]
    }

    fn document(&self, rate: f64, stream: &mut Stream) -> Document {
        let relevant = stream.unit() < rate;
        let grade = match stream.unit() {
            _ if !relevant => 0,
            unit if self.graded && unit < 0.1 => 3,
            unit if self.graded && unit < 0.4 => 2,
            _ => 1,
        };
        let visible = stream.unit() < self.visible;
        let decoy = !relevant && stream.unit() < self.decoys;
        Document { grade, visible, decoy }
    }

    /// How much of a relevant document there is to see.
    fn worth(&self, document: &Document) -> f64 {
        match document.grade {
            0 => 0.0,
            grade if self.graded => 0.6 + 0.2 * f64::from(grade),
            _ => 1.0,
        }
    }

    fn newcomer(&self, documents: &[Document], shared: &[f64], stream: &mut Stream) -> Vec<usize> {
        let fails = stream.unit() < self.fails;
        let strength = self.newcomer.0 + self.newcomer.1 * gaussian(stream);
        let other = (1.0 - self.shared * self.shared).sqrt();
        let noise: Vec<f64> = shared.iter().map(|shared| self.shared * shared + other * gaussian(stream)).collect();
        let signal = |document: &Document| match (self.on_visible, document.decoy) {
            _ if fails => -3.0 * self.worth(document),
            (_, true) => strength,
            (Some(weak), _) if document.visible => weak * self.worth(document),
            _ => strength * self.worth(document),
        };
        ranked(&documents.iter().map(signal).collect::<Vec<f64>>(), &noise, stream)
    }

    fn write(
        &self,
        topic: usize,
        documents: &[Document],
        lists: &[Vec<usize>],
        in_pool: &[bool],
        stream: &mut Stream,
        drawn: &mut Drawn,
    ) {
        if self.positives_only {
            let relevant: Vec<usize> = (0..documents.len()).filter(|&at| documents[at].grade > 0).collect();
            if let Some(&at) = relevant.get(stream.below(relevant.len().max(1) as u64) as usize) {
                judgement(&mut drawn.judged, topic, at, 1);
                judgement(&mut drawn.complete, topic, at, 1);
            }
        } else {
            for (at, document) in documents.iter().enumerate() {
                // What complete judgements do not name counts as not relevant.
                if document.grade > 0 {
                    judgement(&mut drawn.complete, topic, at, document.grade);
                }
                if in_pool[at] && (self.lost == 0.0 || stream.unit() >= self.lost) {
                    judgement(&mut drawn.judged, topic, at, document.grade);
                }
            }
        }
        for (run, list) in lists.iter().enumerate() {
            for (rank, document) in list.iter().enumerate() {
                result(&mut drawn.runs[run], topic, *document, rank);
            }
        }
    }
}

// Writing to a string does not fail.

fn judgement(qrels: &mut String, topic: usize, document: usize, grade: u32) {
    let _ = writeln!(qrels, "t{topic} 0 d{document} {grade}");
}

fn result(run: &mut String, topic: usize, document: usize, rank: usize) {
    let _ = writeln!(run, "t{topic} Q0 d{document} {} {} r", rank + 1, DEPTH - rank);
}

/// The first documents by signal and noise.
fn ranked(signal: &[f64], shared: &[f64], stream: &mut Stream) -> Vec<usize> {
    let scores: Vec<f64> = signal
        .iter()
        .zip(shared)
        .map(|(signal, shared)| signal + NOISE.0 * shared + NOISE.1 * gaussian(stream))
        .collect();
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    order.truncate(DEPTH);
    order
}
