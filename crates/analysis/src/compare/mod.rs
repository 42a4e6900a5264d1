//! Which run is better, and does that survive queries, unjudged documents and judges?
//!
//! Scores are read as `eval` reads them; where documents are unjudged the lists are read once more with their docnos, so that what two
//! runs share is known. From there everything is about differences, topic by topic ([`difference`]), and ends in a
//! [`mod@verdict`].

pub mod answer;
mod decide;
pub mod difference;
mod error;
mod evidence;
mod family;
pub mod findings;
mod gate;
mod gathered;
mod many;
pub mod margin;
pub mod notes;
pub mod orders;
mod plan;
pub mod sampled;
mod sensitivity;
pub mod tipping;
pub mod to_settle;
pub(crate) mod truths;
pub mod verdict;

use karat_data::{RankedDocuments, RunSource};
use karat_measures::{Aggregate, BoundsKind};
use karat_stats::correction::{BENJAMINI_HOCHBERG, Correction, HOLM, NONE, holm_level};
use karat_stats::test::{self, Evidence as TestEvidence, NoTest, Settings, TestInfo};

pub use crate::lists::RunPair;
use crate::scores::{RunScores, ScoreError, Setting, score};
use crate::summary::Inference;
use crate::tied_scores::{TiedScore, tied_scores};
use crate::topic_notes::{judgement_note, topic_notes};
use crate::unjudged::RelevanceModel;
use answer::{DecompositionRow, DifficultyRow, OrderRow, SensitivityRow, SystemRow};
use difference::{Difference, Reach};
pub use error::{CompareError, UnknownBaseline};
use family::Family;
pub use family::NotTogether;
use findings::Searcher;
pub use gate::Gate;
use gathered::{Gathered, Known};
use karat_stats::estimate::Interval;
pub(crate) use many::{everywhere, scores_on, two_way};
pub use many::{letters, value};
pub use margin::MarginOutcome;
use notes::CompareNote;
pub use orders::OtherJudgements;
use tipping::{Checker, Claim, Tipping};
use to_settle::ToSettle;
use verdict::{Side, Unjudged, Verdict};

/// The test whose adjusted p a verdict rests on.
pub const DECIDING: &str = "randomization";

/// The measures where none are given.
pub const DEFAULT_MEASURES: &[&str] = &["AP", "nDCG@10", "RBP(p=0.8)"];

/// The tests of these names, with the deciding one, each once.
pub fn select_tests<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<&'static TestInfo> {
    let mut tests: Vec<&'static TestInfo> = Vec::new();
    for name in names.into_iter().chain([DECIDING]) {
        if let Some(test) = test::find(name).filter(|test| tests.iter().all(|known| known.name != test.name)) {
            tests.push(test);
        }
    }
    tests
}

/// The options of a comparison.
pub struct CompareOptions<'a> {
    /// Every pair, not only each run against the baseline.
    pub all_pairs: bool,
    /// The baseline's name; the first run when not given.
    pub baseline: Option<&'a str>,
    /// The tests; the deciding one is added when it is not among them.
    pub tests: Vec<&'static TestInfo>,
    /// How p-values of one measure are corrected for the number of pairs.
    pub correction: Correcting,
    /// Choices of the tests.
    pub settings: Settings,
    /// How intervals are made.
    pub inference: Inference,
    /// The power that planning numbers are for.
    pub power: f64,
    /// Whether a verdict must not rest on an assumption.
    pub strict: bool,
    /// A difference that does not matter: what is not worse, or equivalent, within it.
    pub margin: Option<f64>,
    /// Whether every topic is listed.
    pub by_query: bool,
    /// How unjudged documents are treated.
    pub unjudged: Unjudged,
    /// The model whose expected differences are reported, where one is asked for.
    pub relevance_model: Option<RelevanceModel>,
    /// Further analyses.
    pub more: More<'a>,
}

/// Further analyses beyond the comparison.
#[derive(Default)]
pub struct More<'a> {
    /// Whether the winner depends on choices of measure and policy.
    pub sensitivity: bool,
    /// Judgements whose order of runs is set beside that of the judgements compared by.
    pub other: Option<OtherJudgements<'a>>,
}

/// How p-values are corrected.
#[derive(Debug, Clone, Copy)]
pub enum Correcting {
    /// By a rule for p-values of any tests.
    Rule(Correction),
    /// The randomisation test by step-down max-T over all pairs; other tests by Holm's rule, and all where max-T cannot be done
    /// ([`NotTogether`]).
    MaxT,
    /// The randomisation test by randomised Tukey HSD, which shuffles all runs at once; other tests by Holm's rule.
    Tukey,
}

impl Correcting {
    /// The correction where none is asked for.
    pub fn default_for(all_pairs: bool) -> Correcting {
        if all_pairs { Correcting::MaxT } else { Correcting::Rule(HOLM) }
    }

    /// The p that one of so many pairs must reach.
    fn level_of_a_pair(&self, alpha: f64, pairs: usize) -> f64 {
        match self {
            Correcting::Rule(rule) if rule.name == NONE.name || rule.name == BENJAMINI_HOCHBERG.name => alpha,
            _ => alpha / pairs.max(1) as f64,
        }
    }

    fn rule(&self) -> &Correction {
        match self {
            Correcting::Rule(rule) => rule,
            Correcting::MaxT | Correcting::Tukey => &HOLM,
        }
    }
}

/// A test, and what it found with the adjusted p.
pub type Tested = (&'static TestInfo, Result<(TestEvidence, f64), NoTest>);

/// One measure of one pair.
pub struct Comparison {
    /// The measure's place.
    pub measure: usize,
    /// The runs' places.
    pub pair: (usize, usize),
    /// The difference.
    pub difference: Difference,
    /// Interval with all sources; `None` without a spread over topics.
    pub interval: Option<Interval>,
    /// Interval over topics alone.
    pub interval_topics: Option<Interval>,
    /// What each test says, with the adjusted p.
    pub tests: Vec<Tested>,
    /// Mean over standard deviation of the differences.
    pub effect_size: Option<f64>,
    /// The least difference that so many topics with this spread would show with the power asked for.
    pub detectable: Option<f64>,
    /// Topics that would show the difference seen with that power.
    pub topics_needed: Option<u64>,
    /// Which judgements the bounds allow for.
    pub bounds_kind: BoundsKind,
    /// What relevant documents that no run retrieved make of them.
    pub reach: Reach,
    /// The largest grade that the bounds allow for, where larger ones would move the measure.
    pub graded_to: Option<f64>,
    /// Whether a relevant document that neither run retrieved lowers the measure.
    pub counts_missed: bool,
    /// The interval that holds what full judgements would show, where that is known.
    pub interval_all: Option<(f64, f64)>,
    /// When the conclusion fails, where topics decide and the worst case does not.
    pub tipping: Option<Tipping>,
    /// What holds within the margin, where one is given.
    pub margin: Option<MarginOutcome>,
    /// How many sampled judgements would settle it, where unjudged documents keep it open.
    pub to_settle: Option<ToSettle>,
    /// What a judged sample of the unjudged documents says, where there is one.
    pub sampled: Option<sampled::SampledComparison>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Comparison {
    /// The place of the run that is better, where that is decided.
    pub fn winner(&self) -> Option<usize> {
        self.verdict.better().map(|side| if side == Side::A { self.pair.0 } else { self.pair.1 })
    }

    /// The tipping point that is shown: with a margin that of "not worse", else that of the verdict.
    pub fn shown_tipping(&self) -> Option<&Tipping> {
        match &self.margin {
            Some(margin) => margin.not_worse.tipping.as_ref(),
            None => self.tipping.as_ref(),
        }
    }

    /// The mean difference as judged, before a sample says more.
    pub fn as_judged(&self) -> f64 {
        self.difference.means.0 - self.difference.means.1
    }

    /// The adjusted p that the verdict rests on: of the judged sample where there is one, else of the deciding test.
    pub fn adjusted_p(&self) -> Option<f64> {
        if let Some(sampled) = &self.sampled {
            return sampled.p_adjusted;
        }
        let (_, found) = self.tests.iter().find(|(test, _)| test.name == DECIDING)?;
        found.as_ref().ok().map(|(_, adjusted)| *adjusted)
    }

    /// Topics won, tied and lost by the first run.
    pub fn wins(&self) -> (u64, u64, u64) {
        let largest = self.difference.topics.iter().map(|topic| topic.observed.abs()).fold(0.0, f64::max);
        let same = largest * karat_stats::test::SAME;
        self.difference.topics.iter().fold((0, 0, 0), |(won, tied, lost), topic| match topic.observed {
            d if d > same => (won + 1, tied, lost),
            d if d < -same => (won, tied, lost + 1),
            _ => (won, tied + 1, lost),
        })
    }
}

/// All comparisons, and what was found beyond them.
pub struct Compared {
    /// By measure, then by pair.
    pub comparisons: Vec<Comparison>,
    /// Measures and pairs that have no topic with a score in both, where all pairs are compared.
    pub left_out: Vec<(usize, RunPair)>,
    /// The runs' names.
    pub names: Vec<String>,
    /// The baseline's place.
    pub baseline: usize,
    /// The scores that the comparisons are made from.
    pub scored: Vec<RunScores>,
    /// Where each run stands; with three runs or more.
    pub systems: Option<Vec<SystemRow>>,
    /// Where scores differ.
    pub decomposition: Vec<DecompositionRow>,
    /// How alike measures and judgements order the runs.
    pub orders: Option<Vec<OrderRow>>,
    /// How hard topics are, where every topic is listed.
    pub difficulty: Option<Vec<DifficultyRow>>,
    /// The comparison with other settings.
    pub sensitivity: Option<Vec<SensitivityRow>>,
    /// What the order of ties can make of the scores, where it can be seen in them and they are shown as they are.
    pub tied: Vec<TiedScore>,
    /// Notes.
    pub notes: Vec<CompareNote>,
}

/// Compares runs.
///
/// # Errors
/// Everything wrong with the runs; fewer than two; no topic in common; a measure that is not a mean over topics.
pub fn compare(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
) -> Result<Compared, CompareError> {
    let model = options.relevance_model.as_ref();
    let Found { scored, comparisons, left_out, baseline, families } = find(setting, runs, options, model)?;
    let names: Vec<String> = scored.iter().map(|run| run.name.clone()).collect();
    let mut notes = Vec::new();
    let systems = (scored.len() > 2).then(|| {
        let (scored, comparisons) = (&scored[..], &comparisons[..]);
        let standing = many::Standings { setting, options, names: &names, scored, comparisons, families: &families };
        standing.systems(&mut notes)
    });
    notes.extend(notes::notes(setting, options, (&names, &scored), &comparisons));
    notes.extend(notes::no_common_topic(setting, &names, &left_out));
    let topics = judgement_note(setting).into_iter().chain(topic_notes(setting, &scored));
    notes.extend(topics.map(CompareNote::Topics));
    let orders = orders_of_runs(setting, runs, options, &scored, &mut notes)?;
    let difficulty = options.by_query.then(|| orders::difficulty(setting, &scored));
    let given = (&scored[..], &comparisons[..]);
    let study = || sensitivity::sensitivity(setting, runs, options, model, given, &mut notes);
    let sensitivity = options.more.sensitivity.then(study).transpose()?;
    let decomposition = many::decomposition(setting.measures, &scored);
    let tied = if options.relevance_model.is_some() { Vec::new() } else { tied_scores(setting, &scored) };
    Ok(Compared {
        comparisons,
        left_out,
        names,
        baseline,
        scored,
        systems,
        decomposition,
        orders,
        difficulty,
        sensitivity,
        tied,
        notes,
    })
}

/// The comparisons of these pairs alone: no standings, orders or notes. The other runs count as evidence of how often documents are relevant.
///
/// # Errors
/// As [`compare`].
pub fn comparisons(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    pairs: &[RunPair],
) -> Result<Vec<Comparison>, CompareError> {
    let scored = score(setting, runs)?;
    let baseline = baseline(&scored, options.baseline)?;
    let model = options.relevance_model.as_ref();
    Ok(find_pairs(setting, runs, options, model, Scored { scored, baseline, pairs })?.comparisons)
}

/// How alike measures, or other judgements, order the runs, where there are enough of both.
fn orders_of_runs(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    scored: &[RunScores],
    notes: &mut Vec<CompareNote>,
) -> Result<Option<Vec<OrderRow>>, ScoreError> {
    let other = options.more.other.is_some();
    if scored.len() >= orders::FEWEST_RUNS && (setting.measures.len() > 1 || other) {
        return orders::orders(setting, runs, options, scored, notes).map(Some);
    }
    if other {
        notes.push(CompareNote::FewRuns { runs: scored.len(), need: orders::FEWEST_RUNS });
    }
    Ok(None)
}

/// All comparisons, and the scores they are made from.
struct Found {
    scored: Vec<RunScores>,
    comparisons: Vec<Comparison>,
    left_out: Vec<(usize, RunPair)>,
    baseline: usize,
    /// By measure: the test of all pairs together.
    families: Vec<Option<Family>>,
}

/// Makes the comparisons.
fn find(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    relevance_model: Option<&RelevanceModel>,
) -> Result<Found, CompareError> {
    let scored = score(setting, runs)?;
    let baseline = baseline(&scored, options.baseline)?;
    let pairs = pairs(scored.len(), baseline, options.all_pairs)?;
    find_pairs(setting, runs, options, relevance_model, Scored { scored, baseline, pairs: &pairs })
}

/// Runs that are scored, and which pairs of them are compared.
struct Scored<'a> {
    scored: Vec<RunScores>,
    baseline: usize,
    pairs: &'a [RunPair],
}

fn find_pairs(
    setting: &Setting<'_>,
    runs: &dyn RunSource,
    options: &CompareOptions<'_>,
    relevance_model: Option<&RelevanceModel>,
    Scored { scored, baseline, pairs }: Scored<'_>,
) -> Result<Found, CompareError> {
    check_averaged(setting)?;
    let read = if setting.bounds {
        // Deeper documents are needed to know what a depth cut off.
        Some(RankedDocuments::numbered(setting.qrels, runs, &setting.policy, setting.threads)?)
    } else {
        None
    };
    let findings = read.as_ref().map(|read| Searcher::new(setting, read, pairs, relevance_model).find(&scored));
    let known = Known { setting, scored: &scored, findings: findings.as_deref() };
    let mut concluded = Vec::with_capacity(setting.measures.len() * pairs.len());
    let mut left_out = Vec::new();
    let family = |measure| Family::new(setting, &scored, measure, pairs, options);
    let families: Vec<Option<Family>> = (0..setting.measures.len()).map(family).collect();
    for (measure, family) in families.iter().enumerate() {
        let (compared, without) = known.measure((measure, family.as_ref()), pairs, options)?;
        concluded.extend(compared);
        left_out.extend(without.into_iter().map(|pair| (measure, pair)));
    }
    let checker = read.as_ref().map(|read| Checker::new(setting, read, options.settings.seed));
    let mut comparisons = decide_all(concluded, checker.as_ref(), options, baseline);
    if let Some(read) = &read {
        to_settle::plan(setting, read, options, &mut comparisons);
    }
    Ok(Found { scored, comparisons, left_out, baseline, families })
}

/// The verdicts of all pairs; those that need it get their tipping point first, all in one pass over the topics.
fn decide_all(
    gathered: Vec<Gathered>,
    checker: Option<&Checker<'_>>,
    options: &CompareOptions<'_>,
    baseline: usize,
) -> Vec<Comparison> {
    let mut claims: Vec<Claim<'_>> = Vec::new();
    let mut of_better: Vec<Option<usize>> = Vec::with_capacity(gathered.len());
    let mut of_margin = Vec::with_capacity(gathered.len());
    for (place, one) in gathered.iter().enumerate() {
        let mut claim = |leader: Side, margin: f64, alpha: f64| {
            let Gathered { measure, pair, ref difference, .. } = *one;
            let (topics, judges) = (&difference.topics[..], difference.judges.unwrap_or(0.0));
            claims.push(Claim { measure, pair, leader, margin, alpha, judges, topics });
            claims.len() - 1
        };
        let leader = one.evidence.needs_tipping().filter(|_| checker.is_some());
        of_better.push(leader.map(|leader| claim(leader, 0.0, level_reached(&gathered, place, options) / 2.0)));
        of_margin.push(options.margin.map(|margin| {
            let found = margin::gather(one, options, margin);
            let alpha = 1.0 - options.inference.level;
            let open = found.sides.each_ref().map(|side| side.needs_tipping(&one.evidence) && checker.is_some());
            let wanted = [(Side::A, open[0]), (Side::B, open[1])];
            let tipping = wanted.map(|(side, open)| open.then(|| claim(side, margin, alpha)));
            (found, tipping)
        }));
    }
    let tipping = checker.map_or_else(Vec::new, |checker| checker.check(&claims));
    let known = |claim: Option<usize>| claim.map(|claim| tipping[claim].clone());
    let whole = gathered.iter().zip(of_better).zip(of_margin).map(|((one, better), margin)| {
        let outcome = margin
            .map(|(found, claims)| margin::decide(&found, &one.evidence, claims.map(known), one.candidate(baseline)));
        (known(better), outcome)
    });
    let whole: Vec<(Option<Tipping>, Option<MarginOutcome>)> = whole.collect();
    let concluded = gathered.into_iter().zip(whole);
    concluded.map(|(one, (tipping, margin))| one.conclude(tipping, margin, options)).collect()
}

/// What the p of a pair itself must be below, given those of the other pairs: Holm's rule asks of a pair less when others are rejected before it. Max-T asks
/// for less still, so this is on the safe side of it.
fn level_reached(gathered: &[Gathered], place: usize, options: &CompareOptions<'_>) -> f64 {
    let own = &gathered[place];
    let by_steps = match options.correction {
        Correcting::Rule(rule) => rule.name == HOLM.name,
        Correcting::MaxT => true,
        Correcting::Tukey => false,
    };
    if !by_steps {
        return own.plan.alpha;
    }
    let family = gathered.iter().enumerate().filter(|(_, one)| one.measure == own.measure);
    let others: Vec<f64> = family.filter(|(other, _)| *other != place).filter_map(|(_, one)| one.p_alone()).collect();
    own.plan.alpha.max(holm_level(&others, 1.0 - options.inference.level))
}

/// The place of the baseline.
pub(crate) fn baseline(scored: &[RunScores], named: Option<&str>) -> Result<usize, UnknownBaseline> {
    let Some(name) = named else { return Ok(0) };
    scored.iter().position(|run| run.name == name).ok_or_else(|| UnknownBaseline {
        name: name.to_owned(),
        runs: scored.iter().map(|run| run.name.clone()).collect(),
    })
}

/// Refuses measures that are not means over topics.
fn check_averaged(setting: &Setting<'_>) -> Result<(), CompareError> {
    let others = setting.measures.iter().filter(|measure| measure.info().aggregate != Aggregate::Mean);
    let others: Vec<String> = others.map(|measure| measure.spec().to_string()).collect();
    if others.is_empty() { Ok(()) } else { Err(CompareError::NotAveraged(others)) }
}

/// The pairs: the baseline first in each of its own.
fn pairs(runs: usize, baseline: usize, all: bool) -> Result<Vec<(usize, usize)>, CompareError> {
    if runs < 2 {
        return Err(CompareError::TooFewRuns(runs));
    }
    Ok(if all {
        (0..runs).flat_map(|a| (a + 1..runs).map(move |b| (a, b))).collect()
    } else {
        (0..runs).filter(|&run| run != baseline).map(|run| (baseline, run)).collect()
    })
}
