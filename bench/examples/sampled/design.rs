//! How samples are drawn, and what a measure sees of them.

use std::collections::BTreeMap;

use karat_analysis::judging::sample::{Design as SampleDesign, SampleOptions, sample};
use karat_data::{CollectionFacts, Grade, Judgement, JudgementKind, Mark, Policy};
use karat_measures::example::{Document, Owned};
use karat_stats::seed::{Seed, Stream};

use crate::build;
use crate::collection::{Collection, DEPTH, Topic};

#[derive(Clone, Copy, PartialEq)]
pub enum Design {
    /// Part of each pool.
    Uniform,
    /// Ranks 1 and 2 whole, 3 to 5 at twice the rate, the rest at the rate.
    Stratified,
    /// Independently, with probability 2 / best rank, at least the rate.
    Chosen,
    /// `karat sample`, `--rate RATE`.
    SampleUniform,
    /// `karat sample --design strata --strata 10:1,100:RATE`.
    SampleStrata,
    /// `karat sample --design weighted --rate RATE`.
    SampleWeighted,
    /// The same, but measures are not told, and take documents for drawn independently.
    WeightedUnnamed,
}

impl Design {
    pub fn kind(self) -> JudgementKind {
        match self {
            Design::Uniform => JudgementKind::Grades,
            Design::Stratified | Design::SampleUniform | Design::SampleStrata => JudgementKind::Strata,
            Design::Chosen | Design::SampleWeighted | Design::WeightedUnnamed => JudgementKind::Probabilities,
        }
    }

    /// Whether `karat sample` draws it.
    pub fn is_of_sample(self) -> bool {
        !matches!(self, Design::Uniform | Design::Stratified | Design::Chosen)
    }
}

/// What became of one document of the pool in a sample, per design: its mark and whether it was judged.
pub struct Drawn {
    pub judged: Vec<bool>,
    /// Stratum or 0, and the probability or 1.
    pub marks: Vec<(u32, f64)>,
}

/// One sample of every topic.
pub fn draw_all(collection: &Collection, design: Design, rate: f64, stream: &mut Stream) -> Vec<Drawn> {
    if design.is_of_sample() {
        return drawn_by_sample(collection, design, rate, stream.below(u64::from(u32::MAX)));
    }
    collection.topics.iter().map(|topic| draw(topic, design, rate, stream)).collect()
}

/// As the command draws.
fn drawn_by_sample(collection: &Collection, design: Design, rate: f64, seed: u64) -> Vec<Drawn> {
    let rbp = build("RBP(p=0.8)");
    let design = match design {
        Design::SampleStrata => SampleDesign::Strata(vec![(10, 1.0), (DEPTH, rate)]),
        Design::SampleWeighted | Design::WeightedUnnamed => {
            SampleDesign::Weighted { rate, form: rbp.linear(&CollectionFacts::default()).unwrap() }
        }
        _ => SampleDesign::Uniform { rate },
    };
    let options = SampleOptions {
        depth: DEPTH,
        design,
        qrels: Some(&collection.qrels),
        judged_only: true,
        until_relevant: None,
        policy: Policy::default(),
        seed: Seed(seed),
        threads: 1,
    };
    let found = sample(&collection.run_files, &options).unwrap();
    let mut of_topic: BTreeMap<&str, BTreeMap<&str, (bool, u32, f64)>> = BTreeMap::new();
    for row in &found.answer.sample {
        let known = (row.drawn, row.stratum - 1, row.probability);
        of_topic.entry(&row.topic).or_default().insert(&row.document, known);
    }
    let drawn = |topic: &Topic| {
        let known = of_topic.get(topic.name.as_str());
        let rows: Vec<(bool, u32, f64)> = topic.docnos.iter().map(|docno| known.unwrap()[docno.as_str()]).collect();
        Drawn { judged: rows.iter().map(|row| row.0).collect(), marks: rows.iter().map(|row| (row.1, row.2)).collect() }
    };
    collection.topics.iter().map(drawn).collect()
}

/// The first `count` of a random order of the documents.
fn some(mut documents: Vec<usize>, count: usize, stream: &mut Stream) -> Vec<usize> {
    let count = count.min(documents.len());
    for at in 0..count {
        let other = at + stream.below((documents.len() - at) as u64) as usize;
        documents.swap(at, other);
    }
    documents.truncate(count);
    documents
}

/// How many of so many at a rate: the nearest number, at least `least`.
fn number(documents: usize, rate: f64, least: usize) -> usize {
    ((documents as f64 * rate).round() as usize).max(least).min(documents)
}

fn draw(topic: &Topic, design: Design, rate: f64, stream: &mut Stream) -> Drawn {
    let size = topic.pool.len();
    let (mut judged, mut marks) = (vec![false; size], vec![(0, 1.0); size]);
    match design {
        Design::Uniform => {
            some((0..size).collect(), number(size, rate, 1), stream).into_iter().for_each(|at| judged[at] = true);
        }
        Design::Stratified => {
            for (stratum, (range, rate)) in
                (0u32..).zip([(1..3, 1.0), (3..6, (2.0 * rate).min(1.0)), (6..usize::MAX, rate)])
            {
                let of = |at: &usize| range.contains(&topic.pool[*at].1.min(usize::MAX - 1));
                let members: Vec<usize> = (0..size).filter(of).collect();
                members.iter().for_each(|&at| marks[at].0 = stratum);
                let count = number(members.len(), rate, 2);
                some(members, count, stream).into_iter().for_each(|at| judged[at] = true);
            }
        }
        Design::Chosen => {
            for at in 0..size {
                let probability = rate.max((2.0 / topic.pool[at].1 as f64).min(1.0));
                marks[at].1 = probability;
                judged[at] = stream.unit() < probability;
            }
        }
        _ => panic!("drawn for all topics at once"),
    }
    Drawn { judged, marks }
}

/// What a measure sees of a run's list.
pub fn view(topic: &Topic, list: &[Option<usize>], design: Design, drawn: &Drawn, max_grade: f64) -> Owned {
    let mut missed = vec![true; topic.pool.len()];
    let document = |place: usize| -> Document {
        let grade = topic.pool[place].0;
        let judgement = match (drawn.judged[place], design) {
            (true, _) => Judgement::Grade(Grade::new(grade).unwrap()),
            (false, _) if design.kind() == JudgementKind::Probabilities => return (Judgement::Unpooled, Vec::new()),
            (false, _) => Judgement::PooledUnjudged,
        };
        let (group, probability) = drawn.marks[place];
        let value =
            if design.kind() == JudgementKind::Probabilities { probability } else { judgement.grade().unwrap_or(-1.0) };
        (judgement, vec![Mark { document: 0, group, subgroup: 0, value }])
    };
    let mut ranks = Vec::with_capacity(list.len());
    for place in list {
        ranks.push(place.map_or((Judgement::Unpooled, Vec::new()), |place| {
            missed[place] = false;
            document(place)
        }));
    }
    let missed = (0..missed.len()).filter(|&place| missed[place]).map(document);
    let missed = missed.filter(|(judgement, _)| *judgement != Judgement::Unpooled).collect();
    let owned =
        Owned::marked(design.kind(), ranks, missed, CollectionFacts { max_grade, ..CollectionFacts::default() });
    if design == Design::SampleWeighted { owned.drawn_in_fixed_number(vec![0]) } else { owned }
}
