//! What is seen of every measure and pair before the verdict: the difference, its tests with adjusted p-values, and the plan.

use karat_data::CollectionFacts;
use karat_measures::linear::Gain;
use karat_measures::{BoundsKind, Measure};
use karat_runtime::jobs::in_order;
use karat_stats::Sample;
use karat_stats::correction::NONE;
use karat_stats::test::{Alternative, Evidence as TestEvidence, NoTest, Settings, TestInfo};

use super::decide::decide;
use super::difference::{Difference, Reach, With};
use super::evidence::{Circumstances, gather};
use super::family::Family;
use super::findings::TopicFindings;
use super::plan::{Plan, Planner};
use super::tipping::Tipping;
use super::verdict::{Evidence, NoP, Side, Unjudged};
use super::{CompareError, CompareOptions, Comparison, Correcting, DECIDING, MarginOutcome, RunPair, Tested, many};
use crate::scores::{RunScores, Setting};

/// A test of all pairs on the topics that every run has a score for.
struct TestedTogether {
    test: &'static TestInfo,
    topics: usize,
    evidence: Vec<Result<TestEvidence, NoTest>>,
}

/// A test, and what it found.
type Unadjusted = (&'static TestInfo, Result<TestEvidence, NoTest>);

/// A pair with its tests, before p-values are adjusted.
struct TestedPair {
    difference: Difference,
    tests: Vec<Unadjusted>,
    plan: Plan,
}

/// All tests of the pair at this place, by its differences over topics; those that were done for all pairs together are not done again.
fn test_pair(at: usize, values: &[f64], together: &[TestedTogether], options: &CompareOptions<'_>) -> Vec<Unadjusted> {
    let settings = Settings { threads: 1, ..options.settings };
    let test_alone = |test: &'static TestInfo| {
        let sample = Sample::new(values).map_err(|_| NoTest::TooFew { have: values.len(), need: 2 });
        sample.and_then(|sample| test.run(&sample, Alternative::TwoSided, &settings))
    };
    let evidence = |test: &&'static TestInfo| {
        let mut known = together.iter().filter(|together| together.topics == values.len());
        let found = known.find(|together| together.test.name == test.name);
        (*test, found.map_or_else(|| test_alone(test), |together| together.evidence[at]))
    };
    options.tests.iter().map(evidence).collect()
}

/// Adjusted p-values, by test and pair.
fn adjust(
    found: &mut [TestedPair],
    pairs: &[(usize, usize)],
    family: Option<&Family>,
    options: &CompareOptions<'_>,
) -> Vec<Vec<Option<f64>>> {
    let deciding = options.tests.iter().position(|test| test.name == DECIDING);
    let together: Option<Vec<f64>> = family.zip(deciding).map(|(family, deciding)| {
        let adjusted = pairs.iter().zip(found.iter_mut()).enumerate().map(|(place, (&pair, tested))| {
            let own = &mut tested.tests[deciding].1;
            // No correction for many pairs makes a pair surer than it is alone; nor is there a p where all together have none.
            match (family.p(place, pair), own.as_ref().map(|evidence| evidence.p)) {
                (Ok(p), Ok(alone)) => p.max(alone),
                (Ok(p), Err(_)) => p,
                (Err(why), _) => {
                    *own = Err(why);
                    1.0
                }
            }
        });
        adjusted.collect()
    });
    let p = |pair: &TestedPair, test: usize| pair.tests[test].1.as_ref().ok().map(|evidence| evidence.p);
    let of_test = |test: usize| {
        if let Some(together) = together.as_ref().filter(|_| deciding == Some(test)) {
            return together.iter().copied().map(Some).collect();
        }
        let p: Vec<Option<f64>> = found.iter().map(|pair| p(pair, test)).collect();
        // A test gives numbers from 0 to 1.
        options.correction.rule().adjust_known(&p).unwrap_or(p)
    };
    (0..options.tests.len()).map(of_test).collect()
}

/// What all comparisons start from.
pub(super) struct Known<'a> {
    pub setting: &'a Setting<'a>,
    pub scored: &'a [RunScores],
    pub findings: Option<&'a [TopicFindings]>,
}

impl Known<'_> {
    /// All pairs on one measure, the family that is corrected together; and those without a common topic, which are left out where they are some
    /// of all pairs.
    pub fn measure(
        &self,
        (measure, family): (usize, Option<&Family>),
        pairs: &[(usize, usize)],
        options: &CompareOptions<'_>,
    ) -> Result<(Vec<Gathered>, Vec<RunPair>), CompareError> {
        let level = options.inference.level;
        let planner = planner(pairs.len(), family, options);
        let bounds_kind = self.setting.measures[measure].bounds_kind(&self.setting.collection);
        let together = self.test_together(measure, pairs, options);
        let one = |at: usize| {
            let mut difference =
                Difference::new(self.setting, measure, (at, pairs[at]), self.scored, self.findings, level);
            if options.relevance_model.is_some() {
                difference.use_expected();
            }
            let values = difference.values();
            let tests = test_pair(at, &values, &together, options);
            let plan = planner.plan(&values, difference.observed);
            TestedPair { difference, tests, plan }
        };
        let found = in_order(pairs.len(), self.setting.threads, one);
        let both = pairs.iter().copied().zip(found);
        let (found, without): (Vec<_>, Vec<_>) = both.partition(|(_, pair)| !pair.difference.topics.is_empty());
        let without: Vec<(usize, usize)> = without.into_iter().map(|(pair, _)| pair).collect();
        if let Some(&pair) = without.first().filter(|_| !options.all_pairs || found.is_empty()) {
            return Err(self.no_common_topic(pair));
        }
        let (pairs, mut found): (Vec<(usize, usize)>, Vec<TestedPair>) = found.into_iter().unzip();
        let adjusted = adjust(&mut found, &pairs, family, options);
        let sure = Sure::new(&found, options);
        let whole = found.into_iter().enumerate().map(|(place, TestedPair { difference, tests, plan })| {
            let with_adjusted = |(test, (info, evidence)): (usize, Unadjusted)| {
                (info, evidence.map(|evidence| (evidence, adjusted[test][place].unwrap_or(evidence.p))))
            };
            let tests: Vec<_> = tests.into_iter().enumerate().map(with_adjusted).collect();
            gather_pair((measure, pairs[place], bounds_kind), difference, tests, plan, (options, self.setting, sure))
        });
        Ok((whole.collect(), without))
    }

    fn no_common_topic(&self, (a, b): (usize, usize)) -> CompareError {
        let (a, b) = (&self.scored[a], &self.scored[b]);
        let file = b.topics.facts.file.clone();
        CompareError::NoCommonTopic { file, a: a.name.clone(), b: b.name.clone() }
    }

    /// The tests that do many pairs sooner together than one by one, where there are many and all have a score for the same topics.
    fn test_together(
        &self,
        measure: usize,
        pairs: &[(usize, usize)],
        options: &CompareOptions<'_>,
    ) -> Vec<TestedTogether> {
        // Tested together are scores as judged: not expected values, nor scores corrected for the judges' errors.
        if pairs.len() < self.scored.len() || options.relevance_model.is_some() || self.setting.calibration.is_some() {
            return Vec::new();
        }
        let topics = many::everywhere(self.scored, measure);
        let scores = many::scores_on(self.scored, measure, &topics);
        let test = |&test: &&'static TestInfo| {
            let evidence = test.run_pairs(&scores, pairs, &options.settings)?;
            Some(TestedTogether { test, topics: topics.len(), evidence })
        };
        options.tests.iter().filter_map(test).collect()
    }
}

/// What a pair must reach on its own. Where all are tested together that is known; else were all pairs corrected by Bonferroni: near enough
/// for a plan.
fn planner(pairs: usize, family: Option<&Family>, options: &CompareOptions<'_>) -> Planner {
    let alpha = 1.0 - options.inference.level;
    let by_rule = options.correction.level_of_a_pair(alpha, pairs);
    let level = family.and_then(|family| family.level_of_a_pair(alpha)).unwrap_or(by_rule);
    let own = family.map_or(level, |family| family.own_level(alpha));
    let critical = family.and_then(|family| family.critical_difference(alpha));
    Planner::new((level, own), options.power, critical)
}

/// One measure of one pair, but for the verdict.
pub(super) struct Gathered {
    pub measure: usize,
    pub pair: RunPair,
    pub bounds_kind: BoundsKind,
    reach: Reach,
    graded_to: Option<f64>,
    counts_missed: bool,
    pub difference: Difference,
    tests: Vec<Tested>,
    pub plan: Plan,
    pub evidence: Evidence,
}

/// When the correction for several pairs cannot change a verdict.
#[derive(Clone, Copy)]
struct Sure {
    /// The level at which a pair is significant whatever the others show: Bonferroni's.
    alpha: f64,
    /// Whether nothing is unjudged in any pair.
    settled: bool,
}

impl Sure {
    fn new(pairs: &[TestedPair], options: &CompareOptions<'_>) -> Sure {
        let alpha = 1.0 - options.inference.level;
        let is_corrected = !matches!(options.correction, Correcting::Rule(rule) if rule.name == NONE.name);
        Sure {
            alpha: if is_corrected { alpha / pairs.len().max(1) as f64 } else { alpha },
            settled: pairs.iter().all(|pair| pair.difference.is_closed()),
        }
    }
}

/// The evidence on a difference.
fn gather_pair(
    (measure, pair, bounds_kind): (usize, RunPair, BoundsKind),
    difference: Difference,
    tests: Vec<Tested>,
    plan: Plan,
    (options, setting, sure): (&CompareOptions<'_>, &Setting<'_>, Sure),
) -> Gathered {
    let deciding = tests.iter().find(|(test, _)| test.name == DECIDING);
    let unresolvable = deciding
        .and_then(|(_, found)| found.as_ref().ok())
        .is_some_and(|(evidence, _)| evidence.unresolvable(plan.own));
    let circumstances = Circumstances {
        inference: &options.inference,
        p: deciding_p(deciding),
        p_alone: deciding.and_then(|(_, found)| Some(found.as_ref().ok()?.0.p)),
        unresolvable,
        topics_needed: plan.topics_needed,
        strict: options.strict,
        unjudged: unjudged_of(setting, measure, options),
        calibrated: setting.calibration.is_some(),
        complete: bounds_kind == BoundsKind::Complete,
        alpha: sure.alpha,
        settled: sure.settled,
        settings: &options.settings,
    };
    let evidence = gather(&difference, circumstances);
    let graded = is_graded(setting.measures[measure].as_ref(), &setting.collection);
    let graded_to = graded.then_some(setting.collection.max_grade);
    let counts_missed = setting.measures[measure].counts_missed();
    let reach = Reach::new(setting.measures[measure].as_ref(), &setting.collection);
    Gathered { graded_to, counts_missed, measure, pair, bounds_kind, reach, difference, tests, plan, evidence }
}

/// Whether a grade above the largest would move a measure.
fn is_graded(measure: &dyn Measure, collection: &CollectionFacts) -> bool {
    let more = CollectionFacts { max_grade: collection.max_grade + 1.0, ..*collection };
    match (measure.linear(collection), measure.linear(&more)) {
        (Some(now), Some(then)) => {
            let gains =
                |gain: &dyn Gain, facts: &CollectionFacts| (gain.of(collection.max_grade), gain.greatest(facts));
            gains(now.gain.as_ref(), collection) != gains(then.gain.as_ref(), &more)
        }
        _ => measure.level().is_none(),
    }
}

/// How unjudged documents are treated by a measure: as not relevant where the judgements name documents relevant to it only.
fn unjudged_of(setting: &Setting<'_>, measure: usize, options: &CompareOptions<'_>) -> Unjudged {
    match options.unjudged {
        Unjudged::Tested if setting.is_sparse(setting.measures[measure].as_ref()) => Unjudged::Sparse,
        given => given,
    }
}

impl Gathered {
    /// The p of the deciding test of this pair alone.
    pub fn p_alone(&self) -> Option<f64> {
        let (_, found) = self.tests.iter().find(|(test, _)| test.name == DECIDING)?;
        Some(found.as_ref().ok()?.0.p)
    }

    /// The side that is not the baseline; the second run where neither is.
    pub fn candidate(&self, baseline: usize) -> Side {
        if self.pair.1 == baseline { Side::A } else { Side::B }
    }

    /// The verdict, and the intervals beside it.
    pub fn conclude(
        self,
        tipping: Option<Tipping>,
        margin: Option<MarginOutcome>,
        options: &CompareOptions<'_>,
    ) -> Comparison {
        let Gathered { measure, pair, bounds_kind, reach, graded_to, counts_missed, difference, tests, plan, evidence } =
            self;
        let evidence = Evidence { tipping, ..evidence };
        let verdict = decide(&evidence);
        let interval = |with: With| difference.interval(&options.inference, with).ok();
        Comparison {
            measure,
            pair,
            interval: interval(With::ALL),
            interval_topics: interval(With::TOPICS),
            interval_all: difference.interval_all(&options.inference, reach),
            difference,
            tests,
            effect_size: plan.effect_size,
            detectable: plan.detectable,
            topics_needed: plan.topics_needed,
            bounds_kind,
            reach,
            graded_to,
            counts_missed,
            tipping: evidence.tipping,
            margin,
            to_settle: None,
            sampled: None,
            verdict,
        }
    }
}

/// The adjusted p of the deciding test, or why there is none.
fn deciding_p(deciding: Option<&Tested>) -> Result<f64, NoP> {
    match deciding.map(|(_, found)| found) {
        Some(Ok((_, p))) => Ok(*p),
        Some(Err(why)) => Err(NoP::NoTest(*why)),
        None => Err(NoP::NotRun),
    }
}
