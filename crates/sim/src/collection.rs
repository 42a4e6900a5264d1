//! A small test collection whose truth is known: topics, documents with grades, systems, and a judging that stopped
//! early, as real ones do.
//!
//! The relevance of every rank is drawn from the [`Urn`], so the expected score of a system is exact
//! ([`Design::expected_rbp`]); and since every document has its grade from the start, the score each run would have if
//! everything were judged can be computed too ([`World::complete_qrels`]). Systems like the same documents: the
//! next relevant (or other) document is the first by a shared order among a few picked at random, so pools overlap
//! as they do in life, and the urn's relevance is untouched.

use std::fmt;

use karat_stats::Seed;
use karat_stats::seed::Stream;

use crate::urn::{Urn, UrnError};

/// What topics do to a system's weight w: an easy one halves it, a hard one triples it. Each is equally likely.
const DIFFICULTIES: [f64; 3] = [0.5, 1.0, 3.0];
/// How many documents are looked at when the next one is picked; the more, the more systems agree.
const LOOKS: u32 = 8;
/// Of ten relevant documents, this many have grade 1, 2 and 3.
const GRADES_OF_TEN: [u64; 3] = [6, 3, 1];
/// One pooled document in so many was never judged: the judge ran out of time.
const SKIPPED_ONE_IN: u64 = 40;
/// A score stays the same as the one above it once in so many ranks (where the order of docnos allows it).
const TIED_ONE_IN: u64 = 8;

/// The largest step from one score to the next, in ten-thousandths.
const STEP: u64 = 2_000;

/// A system: a name and a known quality.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// The run's tag.
    pub name: &'static str,
    /// The urn's w on a topic of middling difficulty: 0 is perfect, 1 random.
    pub weight: f64,
    /// Whether its first ranks were judged.
    pub pooled: bool,
    /// A topic (counted from 0) it has no answer for.
    pub missing: Option<u32>,
}

/// What a collection is drawn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    /// Topics.
    pub topics: u32,
    /// Documents of a topic.
    pub documents: u32,
    /// The least and greatest number of relevant documents of a topic, each number between them equally likely.
    pub relevant: (u32, u32),
    /// A topic (counted from 0) without any relevant document.
    pub barren: Option<u32>,
    /// Ranks of a run.
    pub depth: u32,
    /// Ranks of the pooled systems that are judged.
    pub pool_depth: u32,
    /// The systems.
    pub systems: Vec<System>,
}

impl Default for Design {
    /// Fifty topics and four systems. The best of them came after the judging.
    fn default() -> Self {
        let system = |name, weight, pooled, missing| System { name, weight, pooled, missing };
        Design {
            topics: 50,
            documents: 250,
            relevant: (5, 40),
            barren: Some(16),
            depth: 100,
            pool_depth: 10,
            systems: vec![
                system("baseline", 0.20, true, None),
                system("expanded", 0.13, true, None),
                system("fusion", 0.09, true, Some(30)),
                system("newcomer", 0.07, false, None),
            ],
        }
    }
}

/// A design nothing can be drawn from.
#[derive(Clone, Debug, PartialEq)]
pub enum DesignError {
    /// The numbers of documents do not fit together.
    Sizes {
        /// Documents of a topic.
        documents: u32,
        /// Least and greatest number of relevant documents.
        relevant: (u32, u32),
        /// Ranks of a run.
        depth: u32,
    },
    /// A system's weight is no weight.
    Weight(UrnError),
}

impl fmt::Display for DesignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DesignError::Sizes { documents, relevant: (least, greatest), depth } => write!(
                f,
                "{documents} documents, {least} to {greatest} relevant, runs of {depth}; expected least <= greatest <= \
                 documents and depth <= documents"
            ),
            DesignError::Weight(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DesignError {}

impl From<UrnError> for DesignError {
    fn from(error: UrnError) -> Self {
        DesignError::Weight(error)
    }
}

/// A collection: what an experimenter would have, and what nobody but the simulator knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// The judgements made, in TREC format; -1 is "pooled, not judged".
    pub qrels: Vec<u8>,
    /// The truth: every document of every topic judged, in TREC format.
    pub complete_qrels: Vec<u8>,
    /// The runs, in the order of the design's systems.
    pub runs: Vec<SimulatedRun>,
}

/// One system's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedRun {
    /// Its tag.
    pub name: &'static str,
    /// The run in TREC format.
    pub bytes: Vec<u8>,
}

impl Design {
    /// Draws a world.
    ///
    /// # Errors
    /// The design's numbers do not fit together.
    pub fn simulate(&self, seed: Seed) -> Result<World, DesignError> {
        self.check()?;
        let mut world = World {
            qrels: Vec::new(),
            complete_qrels: Vec::new(),
            runs: self.systems.iter().map(|system| SimulatedRun { name: system.name, bytes: Vec::new() }).collect(),
        };
        for number in 0..self.topics {
            let topic = self.topic(number, &mut seed.stream("topic", number.into()));
            let mut pool: Vec<Document> = Vec::new();
            for (system, run) in self.systems.iter().zip(&mut world.runs) {
                if system.missing == Some(number) {
                    continue;
                }
                let mut stream = seed.child(system.name, 0).stream("ranking", number.into());
                let ranking = topic.rank(system.weight, self.depth, &mut stream)?;
                write_run(&topic, &ranking, system.name, &mut stream, &mut run.bytes);
                if system.pooled {
                    pool.extend(ranking.iter().take(self.pool_depth as usize));
                }
            }
            pool.sort_unstable();
            pool.dedup();
            let mut judge = seed.stream("judge", number.into());
            for document in pool {
                let skipped = judge.below(SKIPPED_ONE_IN) == 0;
                topic.write_judgement(document, if skipped { "-1" } else { document.label() }, &mut world.qrels);
            }
            let mut all: Vec<Document> = topic.relevant.iter().chain(&topic.others).copied().collect();
            all.sort_unstable();
            for document in all {
                topic.write_judgement(document, document.label(), &mut world.complete_qrels);
            }
        }
        Ok(world)
    }

    /// The expected mean RBP of a system (by its place) under this design with everything judged: the mean over all
    /// seeds. Exact, by the urn's recursion over every number of relevant documents and every difficulty.
    ///
    /// # Errors
    /// The design's numbers do not fit together.
    pub fn expected_rbp(&self, system: usize, persistence: f64) -> Result<f64, DesignError> {
        self.check()?;
        let Some(system) = self.systems.get(system) else { return Ok(0.0) };
        let (mut sum, mut kinds) = (0.0, 0.0);
        for relevant in self.relevant.0..=self.relevant.1 {
            for difficulty in DIFFICULTIES {
                let urn = Urn::new(self.documents, relevant, system.weight * difficulty)?;
                let mut weight = 1.0 - persistence;
                for chance in urn.relevance_by_rank(self.depth) {
                    sum += weight * chance;
                    weight *= persistence;
                }
                kinds += 1.0;
            }
        }
        // Topics without relevant documents or without an answer count, and score 0.
        let scoring = (0..self.topics).filter(|&topic| Some(topic) != self.barren && Some(topic) != system.missing);
        Ok(sum / kinds * scoring.count() as f64 / f64::from(self.topics.max(1)))
    }

    fn check(&self) -> Result<(), DesignError> {
        let (least, greatest) = self.relevant;
        if least > greatest || greatest > self.documents || self.depth > self.documents {
            return Err(DesignError::Sizes { documents: self.documents, relevant: self.relevant, depth: self.depth });
        }
        self.systems.iter().try_for_each(|system| Urn::new(1, 1, system.weight).map(|_| ()).map_err(Into::into))
    }

    fn topic(&self, number: u32, stream: &mut Stream) -> Topic {
        let (least, greatest) = self.relevant;
        let drawn = least + stream.below(u64::from(greatest - least) + 1) as u32;
        let relevant = if self.barren == Some(number) { 0 } else { drawn };
        let difficulty = DIFFICULTIES[stream.below(DIFFICULTIES.len() as u64) as usize];
        // A docno must not betray relevance: numbers are dealt out in random order.
        let mut numbers: Vec<u32> = (0..self.documents).collect();
        for last in (1..numbers.len()).rev() {
            numbers.swap(last, stream.below(last as u64 + 1) as usize);
        }
        let others = numbers.split_off(relevant as usize);
        let mut relevant: Vec<Document> =
            numbers.into_iter().map(|number| Document { number, grade: grade(stream) }).collect();
        // Everybody likes the best documents first.
        relevant.sort_by_key(|document| std::cmp::Reverse(document.grade));
        let others = others.into_iter().map(|number| Document { number, grade: 0 }).collect();
        Topic { number: 101 + number, difficulty, relevant, others }
    }
}

fn grade(stream: &mut Stream) -> u8 {
    let drawn = stream.below(GRADES_OF_TEN.iter().sum());
    if drawn < GRADES_OF_TEN[0] {
        1
    } else if drawn < GRADES_OF_TEN[0] + GRADES_OF_TEN[1] {
        2
    } else {
        3
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Document {
    number: u32,
    grade: u8,
}

impl Document {
    fn label(self) -> &'static str {
        ["0", "1", "2", "3"][usize::from(self.grade)]
    }
}

struct Topic {
    number: u32,
    difficulty: f64,
    /// In the order in which everybody likes them, as `others`.
    relevant: Vec<Document>,
    others: Vec<Document>,
}

impl Topic {
    fn rank(&self, weight: f64, depth: u32, stream: &mut Stream) -> Result<Vec<Document>, UrnError> {
        let (mut relevant, mut others) = (self.relevant.clone(), self.others.clone());
        let urn = Urn::new((relevant.len() + others.len()) as u32, relevant.len() as u32, weight * self.difficulty)?;
        let hits = urn.draw(depth, stream);
        Ok(hits.into_iter().map(|hit| pick(if hit { &mut relevant } else { &mut others }, stream)).collect())
    }

    fn write_docno(&self, document: Document, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("D{}-{:04}", self.number, document.number).as_bytes());
    }

    fn write_judgement(&self, document: Document, label: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{} 0 ", self.number).as_bytes());
        self.write_docno(document, out);
        out.extend_from_slice(format!(" {label}\n").as_bytes());
    }
}

/// Takes the best liked of a few documents. The urn never asks for one from an empty side.
fn pick(left: &mut Vec<Document>, stream: &mut Stream) -> Document {
    let place = (0..LOOKS).map(|_| stream.below(left.len() as u64)).min().unwrap_or(0);
    left.remove(place as usize)
}

/// Writes a ranking with falling scores. Equal ones are written only where trec_eval's order of ties (docno, largest
/// first) is the order drawn, so that what is evaluated is what the urn drew.
fn write_run(topic: &Topic, ranking: &[Document], tag: &str, stream: &mut Stream, out: &mut Vec<u8>) {
    // Ten-thousandths; whole numbers, so that no machine prints another digit. The last one stays above 0.
    let mut score = STEP * (ranking.len() as u64 + 1);
    for (place, document) in ranking.iter().enumerate() {
        let may_tie = place > 0 && ranking[place - 1].number > document.number;
        let ties = stream.below(TIED_ONE_IN) == 0;
        let step = 1 + stream.below(STEP);
        if !(may_tie && ties) {
            score -= step;
        }
        out.extend_from_slice(format!("{} Q0 ", topic.number).as_bytes());
        topic.write_docno(*document, out);
        let rank = place + 1;
        out.extend_from_slice(format!(" {rank} {}.{:04} {tag}\n", score / 10_000, score % 10_000).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const P: f64 = 0.8;

    fn fields(bytes: &[u8]) -> Vec<Vec<&str>> {
        std::str::from_utf8(bytes).unwrap().lines().map(|line| line.split(' ').collect()).collect()
    }

    fn grades(qrels: &[u8]) -> HashMap<(&str, &str), i8> {
        fields(qrels).iter().map(|line| ((line[0], line[2]), line[3].parse().unwrap())).collect()
    }

    /// Mean RBP over the design's topics by the definition, ranks as written.
    fn mean_rbp(design: &Design, grades: &HashMap<(&str, &str), i8>, run: &SimulatedRun) -> f64 {
        let gain = |line: &Vec<&str>| {
            let relevant = grades.get(&(line[0], line[2])).is_some_and(|&grade| grade >= 1);
            let rank: i32 = line[3].parse().unwrap();
            if relevant { (1.0 - P) * P.powi(rank - 1) } else { 0.0 }
        };
        fields(&run.bytes).iter().map(gain).sum::<f64>() / f64::from(design.topics)
    }

    #[test]
    fn one_seed_gives_these_bytes_everywhere() {
        let world = Design::default().simulate(Seed(1)).unwrap();
        let all = [&world.qrels, &world.complete_qrels].into_iter().chain(world.runs.iter().map(|run| &run.bytes));
        // FNV-1a of qrels, complete qrels and runs, recorded when the generator was written: a change means that
        // everybody's demo changes.
        let hash = all
            .flatten()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        assert_eq!(format!("{hash:016x}"), "94d03087abfc03ad");
        assert_eq!(world, Design::default().simulate(Seed(1)).unwrap());
        assert_ne!(world, Design::default().simulate(Seed(2)).unwrap());
    }

    #[test]
    fn it_has_what_real_collections_have() {
        let design = Design::default();
        let world = design.simulate(Seed(1)).unwrap();
        let (judged, complete) = (grades(&world.qrels), grades(&world.complete_qrels));
        assert_eq!(complete.len(), 50 * 250);
        for grade in -1..=3 {
            assert!(judged.values().any(|&found| found == grade), "no document with {grade}");
        }
        // A judgement that was made is the truth.
        assert!(judged.iter().all(|(key, &grade)| grade == -1 || complete[key] == grade));
        // The barren topic, and only that one.
        let relevant = |topic: &str| complete.iter().any(|(key, &grade)| key.0 == topic && grade > 0);
        let barren: Vec<u32> = (101..151).filter(|topic| !relevant(&topic.to_string())).collect();
        assert_eq!(barren, [117]);
        for (system, run) in design.systems.iter().zip(&world.runs) {
            let lines = fields(&run.bytes);
            assert_eq!(lines.len(), if system.missing.is_some() { 4_900 } else { 5_000 });
            assert_eq!(lines.iter().any(|line| line[0] == "131"), system.missing.is_none());
            // Scores never rise; where they tie, docnos fall, so that every tool ranks them as they stand.
            let mut ties = 0;
            for pair in lines.windows(2).filter(|pair| pair[0][0] == pair[1][0]) {
                let [above, below] = [&pair[0][4], &pair[1][4]].map(|score| score.parse::<f64>().unwrap());
                assert!(above > below || (above == below && pair[0][2] > pair[1][2]));
                ties += u32::from(above == below);
            }
            assert!(ties > 100, "{ties} ties");
            // Pooled systems are judged to depth 10 but for the skipped documents; the newcomer is not.
            let top = lines.iter().filter(|line| line[3].parse::<u32>().unwrap() <= 10);
            let unpooled = top.filter(|line| !judged.contains_key(&(line[0], line[2]))).count();
            assert_eq!(unpooled == 0, system.pooled, "{}: {unpooled}", system.name);
        }
    }

    #[test]
    fn the_truth_is_the_mean_over_worlds() {
        let design = Design::default();
        let mut means: Vec<Vec<f64>> = vec![Vec::new(); design.systems.len()];
        for seed in 0..30 {
            let world = design.simulate(Seed(seed)).unwrap();
            let (judged, complete) = (grades(&world.qrels), grades(&world.complete_qrels));
            for (run, means) in world.runs.iter().zip(&mut means) {
                let truth = mean_rbp(&design, &complete, run);
                // Missing judgements only take away.
                assert!(mean_rbp(&design, &judged, run) <= truth);
                means.push(truth);
            }
        }
        let mut before = 0.0;
        for (place, (system, means)) in design.systems.iter().zip(&means).enumerate() {
            let n = means.len() as f64;
            let mean = means.iter().sum::<f64>() / n;
            let variance = means.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
            let expected = design.expected_rbp(place, P).unwrap();
            // Within four standard errors of the mean of 30 worlds.
            let bound = 4.0 * (variance / n).sqrt();
            assert!((mean - expected).abs() < bound, "{}: {mean} {expected} ± {bound}", system.name);
            // The systems are listed from the worst (largest w) to the best.
            assert!(expected > before);
            before = expected;
        }
    }

    #[test]
    fn a_tiny_design_by_hand() {
        // Three documents, one relevant, w = 1/3. The urn by difficulty w' = 1/6, 1/3, 1: rank 1 is 1/(1 + 2w') =
        // 3/4, 3/5, 1/3, mean (45 + 36 + 20)/180 = 101/180. Runs of one document: RBP = (1 - p) of that.
        let system = System { name: "a", weight: 1.0 / 3.0, pooled: true, missing: Some(1) };
        let mut design = Design {
            topics: 4,
            documents: 3,
            relevant: (1, 1),
            barren: Some(0),
            depth: 1,
            pool_depth: 1,
            systems: vec![system],
        };
        // Two of four topics score.
        let expected = 0.5 * 101.0 / 180.0 / 2.0;
        assert!((design.expected_rbp(0, 0.5).unwrap() - expected).abs() < 1e-15);
        assert_eq!(fields(&design.simulate(Seed(1)).unwrap().complete_qrels).len(), 12);
        design.depth = 4;
        assert!(design.simulate(Seed(1)).is_err());
        design.depth = 1;
        design.systems[0].weight = -1.0;
        assert!(design.expected_rbp(0, 0.5).is_err());
    }
}
