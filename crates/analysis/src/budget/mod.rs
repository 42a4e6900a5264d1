//! Where does the uncertainty come from, and what is the cheapest way to shrink it?
//!
//! The budget is of the interval that `eval --unjudged fit` and `compare` give: the mean over all such topics of a score, or of the difference
//! of two runs, as it would be with everything judged by gold judges. With e_t the expected score of topic t, v_t what its unjudged
//! documents leave open, n topics:
//!
//! ```text
//! topics      s²(e) / n              chance over the topics asked
//! unjudged    Σ v_t / n² + F         what unjudged documents are by chance, and F, the error of the model that says what they probably are
//! judges      J                      the error rates of the judges are estimated from N gold labels (delta method)
//! interaction 2 √(s²(e)/n · F)       the model is fitted to the topics asked, so its error goes with theirs: the most that can come to
//! monte_carlo of our own draws, for measures without a closed form
//! ```
//!
//! What effort does to them ([`outlook`]), the one decision being that a plan is for the interval that will be computed then, not for a part
//! of it:
//!
//! - A new topic is like the present ones, judged as deep: it brings v̄ of its own. Everything but J falls as 1/n; F too, for the model is
//!   fitted to more topics.
//! - A judgement takes its document's variance out of `unjudged`, and out of F what the model had to say of it. But what it shows is spread
//!   between topics that was hidden: s²(e) grows by as much, and by more where documents of one topic are alike (ρ, told from the judged
//!   ones). So judging shrinks the interval by the part of F it takes away, and not by v. The model is not refitted for the forecast.
//! - A gold label falls on gold grades as the present ones do: J falls as 1/N. J is shared by all topics, so they do not help it.

mod advice;
mod chances;
mod closed_form;
mod documents;
mod effects;
mod literal;
mod order;
pub mod outlook;
mod parts;
mod tables;

use karat_data::{Policy, Problem, Problems, RankedDocuments, RunSource, TopicIndex};
use karat_measures::Aggregate;
use karat_report::{Provenance, Report};

use crate::scores::{Setting, score};
use crate::unjudged::{Belief, NoBelief};
pub use advice::{Advice, Prices};
pub use outlook::{Effort, Outlook};
use parts::Parts;

/// What is asked.
pub struct Question {
    /// Confidence level.
    pub level: f64,
    /// How wide the interval may be.
    pub target: Option<f64>,
    /// What things cost.
    pub prices: Prices,
    /// What unjudged documents probably are, or why that is not known; not asked for where they are believed not relevant.
    pub belief: Option<Result<Belief, NoBelief>>,
    /// Why unjudged documents are no source.
    pub no_bounds: Option<&'static str>,
    /// Where the numbers come from; the runs are added here.
    pub provenance: Provenance,
    /// The program's version.
    pub version: &'static str,
    /// Notes of the caller's, before the study's own.
    pub notes: Vec<String>,
}

/// A document to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// Its topic.
    pub topic: TopicIndex,
    /// Its name.
    pub docno: Vec<u8>,
    /// What relevance adds to the topic's score, or to the difference.
    pub weight: f64,
    /// What its judgement takes out of the source `unjudged`.
    pub removed: f64,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The mean, as unjudged documents probably are and gold judges would have it.
    pub value: f64,
    /// By source; see the module's words.
    pub sources: Vec<(&'static str, f64)>,
    /// What effort does.
    pub outlook: Outlook,
    /// The documents to judge first, in order: as many as any advice has, and ten at least.
    pub next: Vec<Next>,
    /// The cheapest mix, and what each kind of effort alone would cost.
    pub advice: Vec<Advice>,
}

/// The names of the sources.
pub mod source {
    /// Chance over topics.
    pub const TOPICS: &str = "topics";
    /// Unjudged documents.
    pub const UNJUDGED: &str = "unjudged";
    /// Judges' error rates.
    pub const JUDGES: &str = "judges";
    /// Which judgements were sampled.
    pub const SAMPLING: &str = "judgement_sampling";
    /// Our own draws.
    pub const MONTE_CARLO: &str = "monte_carlo";
    /// Topics and the model's error together.
    pub const INTERACTION: &str = "interaction";
}

/// The budget of the one measure of the setting, for one run or the difference of two.
///
/// # Errors
/// Everything wrong with the runs; not one or two of them; a measure that is not a mean; too few topics, or none that differ.
pub fn budget(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    mut question: Question,
) -> Result<(Report, Budget), Problems> {
    let [measure] = setting.measures else {
        let found = setting.measures.len().to_string();
        return Err(Problem::of_file("-m", "one measure: each has a budget of its own", found, "ask one by one").into());
    };
    if measure.info().aggregate != Aggregate::Mean {
        return Err(Problem::of_file(
            "-m",
            "a measure that is averaged over topics",
            measure.spec().to_string(),
            "take the measure it sums up (AP for GMAP)",
        )
        .into());
    }
    let scored = score(setting, runs)?;
    if !(1..=2).contains(&scored.len()) {
        let found = scored.len().to_string();
        return Err(Problem::of_file("RUN", "one run, or two for their difference", found, "leave some out").into());
    }
    let belief = question.belief.take();
    let known = belief.as_ref().and_then(|belief| belief.as_ref().ok());
    let read = match known {
        // Deeper documents are needed to know what a depth cut off.
        Some(_) => Some(RankedDocuments::read(runs, &Policy { depth: None, ..setting.policy }, setting.threads)?),
        None => None,
    };
    let parts = Parts::new(setting, measure.as_ref(), &scored, read.as_ref().zip(known), question.level)?;
    let outlook = parts.outlook(question.level);
    let judged: u64 =
        setting.qrels.all_facts().flat_map(|facts| facts.grades).map(|(_, count)| u64::from(*count)).sum();
    let prices = question.prices.complete(judged as f64 / setting.qrels.len().max(1) as f64);
    let advice = question.target.map_or_else(Vec::new, |target| advice::advise(&outlook, &prices, target / 2.0));
    let advised = advice.iter().filter_map(|advice| advice.effort).map(|effort| effort.judgements).max();
    let found = Budget {
        value: parts.value,
        sources: parts.sources(&outlook),
        next: parts.next(setting, read.as_ref(), advised.unwrap_or(0).max(tables::UNIT)),
        outlook,
        advice,
    };
    let report = tables::report(setting, &scored, question, belief.as_ref(), &prices, &parts, &found);
    Ok((report, found))
}
