//! A sample of the pool to judge, with the probability of every document.
//!
//! A topic draws from a stream named by the topic, so that other topics and runs' order do not change its sample. Within a
//! stratum at least one document is drawn: a stratum of which nothing is known cannot be estimated.

use karat_data::names::text;
use karat_data::{FormGrade, FormRow, Policy, Qrels, RankedDocuments, RunSource, TopicDocuments};
use karat_measures::linear::Form;
use karat_stats::Seed;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::pool::{Pooled, known, pool_of_topic};
use super::{JudgingError, Selection, check_some_common_topic};
use crate::draw::{evenly, proportional, systematic};
use crate::scores::names;
use crate::streams;

/// How documents are drawn.
pub enum Design<'a> {
    /// Every document of a topic's pool is as likely as any other.
    Uniform {
        /// The share drawn.
        rate: f64,
    },
    /// By best rank: the deepest rank of each stratum, and the share drawn of it. Ranks rise.
    Strata(Vec<(usize, f64)>),
    /// As the measure weighs them, summed over runs.
    Weighted {
        /// The share drawn.
        rate: f64,
        /// The measure.
        form: Form<'a>,
    },
}

impl Design<'_> {
    /// The measures that fit: of strata those that know them; of unequal probabilities those of totals, because a ratio such as AP needs R,
    /// of which a sample drawn by the weights of top ranks knows too little.
    pub fn estimators(&self) -> &'static [&'static str] {
        match self {
            Design::Uniform { .. } | Design::Strata(_) => &["xinfAP", "infNDCG", "infP"],
            Design::Weighted { .. } => &["htRBP", "htDCG", "htP"],
        }
    }
}

/// Options of `sample`.
pub struct SampleOptions<'a> {
    /// Ranks of each run that are sampled from, from the first.
    pub depth: usize,
    /// How documents are drawn.
    pub design: Design<'a>,
    /// Judgements known already: a sample of known ones is a simulation.
    pub qrels: Option<&'a Qrels>,
    /// Sample from the judged documents only.
    pub judged_only: bool,
    /// Draw a topic again until a document at this level is in its sample; needs the judgements.
    pub until_relevant: Option<f64>,
    /// How lists are ordered; its depth is not used.
    pub policy: Policy,
    /// Seed of the draws.
    pub seed: Seed,
    /// Threads to use.
    pub threads: usize,
}

/// A sample of the pool.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct SampleAnswer {
    /// Every document of the pool, drawn or not.
    pub sample: Vec<SampledDocument>,
    /// The strata.
    pub strata: Vec<Stratum>,
    /// Measures that estimate from the form of such a sample; their pages have the bias and coverage that were measured.
    pub estimators: Vec<&'static str>,
    /// Topics with a document in the pool.
    #[serde(skip)]
    pub topics: usize,
    /// Topics that were drawn again until a relevant document was among them.
    #[serde(skip)]
    pub redrawn: Vec<Vec<u8>>,
    /// Topics for which no relevant document can be drawn.
    #[serde(skip)]
    pub never_relevant: Vec<Vec<u8>>,
}

/// One document of the pool.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SampledDocument {
    /// Its topic.
    pub topic: String,
    /// The document.
    pub document: String,
    /// Its stratum, from 1.
    pub stratum: u32,
    /// The best rank that a run gives it.
    pub rank: u32,
    /// The probability that it is drawn.
    pub probability: f64,
    /// Whether it is drawn.
    pub drawn: bool,
    /// Why it has this probability, in words; filled in when the answer is presented.
    pub why: String,
    /// The same as data.
    #[serde(skip)]
    pub reason: DrawReason,
}

/// Why a document has its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DrawReason {
    /// The weight that all runs together give it.
    Weight(f64),
    /// So many of its stratum are drawn.
    Share {
        /// Documents drawn.
        drawn: usize,
        /// Documents of the topic in the stratum.
        count: usize,
        /// The best ranks of the stratum.
        ranks: RankRange,
    },
}

/// A stratum.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Stratum {
    /// Its number, from 1.
    pub stratum: usize,
    /// Its best ranks, as first-last.
    pub ranks: RankRange,
    /// Documents in it.
    pub documents: usize,
    /// Documents drawn.
    pub drawn: usize,
}

/// Ranks from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String")]
pub struct RankRange {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
}

impl std::fmt::Display for RankRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

impl Serialize for RankRange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The part of a weighted sample that every document has the same chance to be in.
const SHARED_EVENLY: f64 = 0.1;

/// As often as a topic is drawn at most.
const MOST_DRAWS: u64 = 100_000;

/// The sample.
///
/// # Errors
/// Everything wrong with the runs; nothing to sample from.
pub fn sample(runs: &dyn RunSource, options: &SampleOptions<'_>) -> Result<Selection<SampleAnswer>, JudgingError> {
    let policy = Policy { depth: Some(options.depth), ..options.policy };
    let documents = RankedDocuments::read(runs, &policy, options.threads)?;
    names(&documents.runs.iter().collect::<Vec<_>>())?;
    check_some_common_topic(options.qrels, &documents)?;
    let estimators = options.design.estimators().to_vec();
    let mut answer = SampleAnswer { strata: options.empty_strata(), estimators, ..SampleAnswer::default() };
    let mut form = Vec::new();
    for topic in documents.topics.iter() {
        options.add_topic(topic, documents.runs.len(), &mut answer, &mut form);
    }
    if form.is_empty() {
        return Err(JudgingError::NothingJudgedInPool);
    }
    Ok(Selection { answer, form, runs: documents.runs })
}

/// How a document is drawn.
struct Chance {
    stratum: u32,
    probability: f64,
    reason: DrawReason,
}

impl SampleOptions<'_> {
    fn strata(&self) -> usize {
        if let Design::Strata(strata) = &self.design { strata.len() } else { 1 }
    }

    fn empty_strata(&self) -> Vec<Stratum> {
        let one = |stratum| Stratum { stratum, ranks: self.ranks(stratum), documents: 0, drawn: 0 };
        (1..=self.strata()).map(one).collect()
    }

    /// Draws from the pool of a topic.
    fn add_topic(&self, topic: &TopicDocuments, runs: usize, answer: &mut SampleAnswer, form: &mut Vec<FormRow>) {
        let mut pool = pool_of_topic(topic, runs);
        if self.judged_only {
            pool.retain(|pooled| known(self.qrels, &topic.name, topic.docno(pooled.document)).is_judged());
        }
        answer.topics += usize::from(!pool.is_empty());
        let plan = self.plan(&pool);
        let (drawn, draws, found) = self.draw(topic, &pool, &plan);
        if !found {
            answer.never_relevant.push(topic.name.clone());
        } else if draws > 1 {
            answer.redrawn.push(topic.name.clone());
        }
        for ((pooled, chance), drawn) in pool.iter().zip(&plan).zip(drawn) {
            let docno = topic.docno(pooled.document);
            let Chance { stratum, probability, reason } = *chance;
            let count = &mut answer.strata[stratum as usize - 1];
            count.documents += 1;
            count.drawn += usize::from(drawn);
            answer.sample.push(SampledDocument {
                topic: text(&topic.name),
                document: text(docno),
                stratum,
                rank: pooled.rank,
                probability,
                drawn,
                why: String::new(),
                reason,
            });
            let judged = known(self.qrels, &topic.name, docno).grade();
            let grade = match judged {
                _ if !drawn => FormGrade::NotAsked,
                Some(grade) => FormGrade::Grade(grade),
                None => FormGrade::Asked,
            };
            let row = FormRow::new(&topic.name, docno, grade);
            form.push(FormRow { stratum: Some(stratum), probability: Some(probability), ..row });
        }
    }

    /// The best ranks of a stratum, from 1.
    fn ranks(&self, stratum: usize) -> RankRange {
        let Design::Strata(strata) = &self.design else { return RankRange { first: 1, last: self.depth } };
        let first = stratum.checked_sub(2).map_or(1, |before| strata[before].0 + 1);
        RankRange { first, last: strata[stratum - 1].0 }
    }

    fn stratum(&self, pooled: &Pooled) -> usize {
        let Design::Strata(strata) = &self.design else { return 0 };
        strata.iter().position(|(deepest, _)| pooled.rank as usize <= *deepest).unwrap_or(strata.len() - 1)
    }

    /// The chances of a topic's documents.
    fn plan(&self, pool: &[Pooled]) -> Vec<Chance> {
        if let Design::Weighted { rate, form } = &self.design {
            let weight = |pooled: &Pooled| pooled.runs.iter().map(|&(_, rank)| form.weight(rank as usize)).sum();
            let weights: Vec<f64> = pool.iter().map(weight).collect();
            let chances = proportional(&evened(&weights), &vec![1.0; pool.len()], size(pool.len(), *rate) as f64);
            let chance = |(probability, weight): (f64, &f64)| Chance {
                stratum: 1,
                probability,
                reason: DrawReason::Weight(*weight),
            };
            return chances.into_iter().zip(&weights).map(chance).collect();
        }
        let mut sizes = vec![0usize; self.strata()];
        pool.iter().for_each(|pooled| sizes[self.stratum(pooled)] += 1);
        let chance = |pooled: &Pooled| {
            let stratum = self.stratum(pooled);
            let (count, drawn) = (sizes[stratum], size(sizes[stratum], self.rate(stratum)));
            Chance {
                stratum: stratum as u32 + 1,
                probability: drawn as f64 / count as f64,
                reason: DrawReason::Share { drawn, count, ranks: self.ranks(stratum + 1) },
            }
        };
        pool.iter().map(chance).collect()
    }

    fn rate(&self, stratum: usize) -> f64 {
        match &self.design {
            Design::Uniform { rate } | Design::Weighted { rate, .. } => *rate,
            Design::Strata(strata) => strata[stratum].1,
        }
    }

    /// Which are drawn, how many draws it took, and whether something relevant is there if it must be.
    fn draw(&self, topic: &TopicDocuments, pool: &[Pooled], plan: &[Chance]) -> (Vec<bool>, u64, bool) {
        let streams = self.seed.streams(&[streams::SAMPLE_OF, &text(&topic.name)].concat());
        let relevant = |pooled: &Pooled| {
            let level = self.until_relevant.unwrap_or(f64::INFINITY);
            known(self.qrels, &topic.name, topic.docno(pooled.document)).is_relevant(level)
        };
        let once = |attempt: u64| {
            let mut stream = streams.at(attempt);
            if matches!(self.design, Design::Weighted { .. }) {
                let chances: Vec<f64> = plan.iter().map(|chance| chance.probability).collect();
                return systematic(&chances, &mut stream);
            }
            let mut drawn = vec![false; pool.len()];
            for stratum in 0..self.strata() {
                let own: Vec<usize> = (0..pool.len()).filter(|&at| self.stratum(&pool[at]) == stratum).collect();
                let taken = evenly(own.len(), size(own.len(), self.rate(stratum)), &mut stream);
                own.iter().zip(taken).for_each(|(&at, taken)| drawn[at] = taken);
            }
            drawn
        };
        let first = once(0);
        let has = |drawn: &[bool]| pool.iter().zip(drawn).any(|(pooled, &drawn)| drawn && relevant(pooled));
        if self.until_relevant.is_none() || has(&first) {
            return (first, 1, true);
        }
        let possible = pool.iter().zip(plan).any(|(pooled, chance)| chance.probability > 0.0 && relevant(pooled));
        let later = possible.then(|| (1..MOST_DRAWS).map(|at| (at, once(at))).find(|(_, drawn)| has(drawn))).flatten();
        later.map_or((first, 1, false), |(attempt, drawn)| (drawn, attempt + 1, true))
    }
}

/// Weights that add up to 1, of which a part is shared out evenly. A document with next to no chance would never be
/// drawn, or stand for millions: estimates of other measures than the one it was drawn for would be far off.
fn evened(weights: &[f64]) -> Vec<f64> {
    let (total, each) = (weights.iter().sum::<f64>(), 1.0 / weights.len() as f64);
    let even = if total > 0.0 { SHARED_EVENLY } else { 1.0 };
    let share = |weight: &f64| if total > 0.0 { weight / total } else { 0.0 };
    weights.iter().map(|weight| (1.0 - even) * share(weight) + even * each).collect()
}

/// How many of a stratum are drawn: at least one, where there is one.
fn size(count: usize, rate: f64) -> usize {
    ((count as f64 * rate).round() as usize).max(1).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_weight_is_shared_evenly() {
        // Weights 3, 1, 0, 0: .9 · (3/4, 1/4, 0, 0) + .1/4 each.
        let found = evened(&[3.0, 1.0, 0.0, 0.0]);
        for (found, expected) in found.iter().zip([0.7, 0.25, 0.025, 0.025]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!(evened(&[0.0, 0.0]), [0.5, 0.5]);
    }
}
