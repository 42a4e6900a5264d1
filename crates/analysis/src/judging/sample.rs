//! A sample of the pool to judge, with the probability of every document.
//!
//! A topic draws from a stream named by the topic, so that other topics and runs' order do not change its sample. Within a
//! stratum at least one document is drawn: a stratum of which nothing is known cannot be estimated.

use karat_data::names::text;
use karat_data::{Policy, Problem, Problems, Qrels, RankedDocuments, RunSource, TopicDocuments};
use karat_measures::linear::Form;
use karat_report::{Audience, Cell, Column, NumberStyle, Provenance, Report, Table};
use karat_stats::Seed;

use super::draw::{evenly, proportional, systematic};
use super::pool::{Pooled, known, of_topic};
use super::{Answer, FormRow, with_runs};
use crate::scores::{list_names, names};

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

/// What is asked.
pub struct Question<'a> {
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
    /// Where judgements come from, and the options.
    pub provenance: Provenance,
    /// The version of karat.
    pub version: &'static str,
}

/// The part of a weighted sample that every document has the same chance to be in.
const SHARED_EVENLY: f64 = 0.1;

/// As often as a topic is drawn at most.
const MOST_DRAWS: u64 = 100_000;

/// The sample.
///
/// # Errors
/// Everything wrong with the runs.
pub fn sample(runs: &dyn RunSource, question: Question<'_>) -> Result<Answer, Problems> {
    let policy = Policy { depth: Some(question.depth), ..question.policy };
    let documents = RankedDocuments::read(runs, &policy, question.threads)?;
    names(&documents.runs.iter().collect::<Vec<_>>())?;
    let columns = |table: Table| {
        table
            .column("topic", "topic")
            .column("document", "document")
            .column("stratum", "stratum")
            .column("rank", "best rank")
            .with(Column::new("probability", "probability").style(NumberStyle::Significant(3)))
    };
    let mut shown = columns(Table::new("drawn", "Judge these").audience(Audience::People)).column("why", "why");
    let mut all =
        columns(Table::new("sample", "").audience(Audience::Data)).column("drawn", "drawn").column("why", "why");
    let mut form = Vec::new();
    let mut sizes: Vec<(usize, usize)> = vec![(0, 0); question.strata()];
    let (mut topics, mut redrawn, mut hopeless) = (0usize, Vec::new(), Vec::new());
    for topic in documents.topics.iter() {
        let mut pool = of_topic(topic, documents.runs.len());
        if question.judged_only {
            pool.retain(|pooled| known(question.qrels, &topic.name, topic.docno(pooled.document)).is_judged());
        }
        topics += usize::from(!pool.is_empty());
        let plan = question.plan(&pool);
        let (drawn, draws, found) = question.draw(topic, &pool, &plan);
        if draws > 1 && found {
            redrawn.push(topic.name.as_slice());
        }
        if !found {
            hopeless.push(topic.name.as_slice());
        }
        for ((pooled, chance), drawn) in pool.iter().zip(&plan).zip(drawn) {
            let docno = topic.docno(pooled.document);
            let row: Vec<Cell> = vec![
                text(&topic.name).into(),
                text(docno).into(),
                chance.stratum.into(),
                pooled.rank.into(),
                chance.probability.into(),
            ];
            let size = &mut sizes[chance.stratum as usize - 1];
            size.0 += 1;
            size.1 += usize::from(drawn);
            if drawn {
                shown.push([row.clone(), vec![chance.why.clone().into()]].concat());
            }
            all.push([row, vec![drawn.into(), chance.why.clone().into()]].concat());
            let judged = known(question.qrels, &topic.name, docno).grade();
            form.push(FormRow {
                topic: topic.name.clone(),
                docno: docno.to_vec(),
                grade: if drawn { judged } else { Some(-1.0) },
                stratum: chance.stratum,
                probability: chance.probability,
            });
        }
    }
    if form.is_empty() {
        let remedy = "give runs that retrieve judged documents within the depth, or leave --judged-only out";
        return Err(Problem::of_file("--judged-only", "judged documents in the pool", "none", remedy).into());
    }
    let mut strata = Table::new("strata", "Strata")
        .column("stratum", "stratum")
        .column("ranks", "best ranks")
        .column("documents", "documents")
        .column("drawn", "drawn");
    for (place, (documents, drawn)) in (1usize..).zip(&sizes) {
        strata.push([place.into(), question.ranks(place).into(), (*documents).into(), (*drawn).into()]);
    }
    let drawn: usize = sizes.iter().map(|(_, drawn)| drawn).sum();
    let mut report =
        Report::new("Sample", "sample", question.version).table(shown).table(all).table(strata).note(format!(
            "{drawn} of {} {} documents of {topics} topics drawn (depth {}, {} runs); seed {}",
            form.len(),
            if question.judged_only { "pooled and judged" } else { "pooled" },
            question.depth,
            documents.runs.len(),
            question.seed.0
        ));
    if matches!(question.design, Design::Weighted { .. }) {
        report = report.note("probabilities are proportional to the weight that all runs together give a document, at most 1; a document without weight has probability 0 and stands for nothing");
    }
    if question.until_relevant.is_some() {
        report = report.note(format!(
            "drawn again until a relevant document was among them: {}. This biases estimates: topics with few relevant documents look better than they are, and the probabilities recorded are those of one draw",
            if redrawn.is_empty() { "no topic".to_owned() } else { list_names(redrawn.iter().copied(), redrawn.len()) }
        ));
        if !hopeless.is_empty() {
            report = report.note(format!(
                "no relevant document can be drawn for {}: the first draw is kept",
                list_names(hopeless.iter().copied(), hopeless.len())
            ));
        }
    }
    report.provenance = with_runs(question.provenance, &documents).seed(question.seed.0);
    Ok(Answer { report, form })
}

/// How a document is drawn.
struct Chance {
    stratum: u32,
    probability: f64,
    why: String,
}

impl Question<'_> {
    fn strata(&self) -> usize {
        if let Design::Strata(strata) = &self.design { strata.len() } else { 1 }
    }

    /// The best ranks of a stratum, from 1.
    fn ranks(&self, stratum: usize) -> String {
        let Design::Strata(strata) = &self.design else { return format!("1-{}", self.depth) };
        let from = stratum.checked_sub(2).map_or(1, |before| strata[before].0 + 1);
        format!("{from}-{}", strata[stratum - 1].0)
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
            let chances = proportional(&evened(&weights), size(pool.len(), *rate));
            let chance = |(probability, weight): (f64, &f64)| Chance {
                stratum: 1,
                probability,
                why: format!("weight {}", NumberStyle::Significant(3).show(*weight)),
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
                why: format!("{drawn} of {count} at best ranks {}", self.ranks(stratum + 1)),
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
        let streams = self.seed.streams(&format!("sample {}", text(&topic.name)));
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
