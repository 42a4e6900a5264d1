//! PrefGroupsR: PrefGroups with as many non-relevant documents as relevant ones in every judgement group.

use karat_data::preferences::Group;
use karat_data::{JudgementKind, TopicView};

use super::{Scope, Tally, Topic, share};
use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, Value};

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "PrefGroupsR",
    aliases: &["prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"],
    summary: "PrefGroups with as many non-relevant documents as relevant ones in every judgement group.",
    formula: "PrefGroupsR = mean over judgement groups of fulfilled / possible, where a group's R documents of value above \
              0 are compared with its first R of value 0 (retrieved ones by rank, then the others by docno). Where there are only N \
              < R of these, R - N are imagined below all retrieved documents: a retrieved relevant one fulfils them, a \
              missed one does not",
    reading: "Like Bpref, it hardly depends on the number of judged non-relevant documents.",
    misleads: "trec_eval's code differs from its description: if a group with one order has N > R, it also compares \
               the non-relevant documents with each other and with themselves, and scope=retrieved counts all relevant \
               documents in two places instead of the retrieved ones. counting=trec_eval gives the numbers of the code \
               (and `karat trec_eval` prints them). For the limits of the bounds see PrefRatio.",
    citation: citations::TREC_EVAL,
    parameters: &[
        Parameter {
            name: "scope",
            default: "all",
            legal: Legal::Words(&["all", "retrieved"]),
            meaning: "whether all documents count, or only retrieved ones",
        },
        Parameter {
            name: "counting",
            default: "described",
            legal: Legal::Words(&["described", "trec_eval"]),
            meaning: "described: as trec_eval documents it; trec_eval: as its code computes it",
        },
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Preferences,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "PrefGroupsR",
            "a1 a0 a2 a0",
            "a0",
            0.6,
            "R = 2, so the missed 0 is left out. 1 over both 0s, and 2 over the second are fulfilled; 2 over 1 and 2 over \
             the first 0 are not: 3/5",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefGroupsR(counting=trec_eval)",
            "a1 a0 a2 a0",
            "a0",
            4.0 / 11.0,
            "2 over 1 fails; then all five documents against the 0s at ranks 2 and 4, a document above counting as \
             fulfilled: 2 of 2, 1 of 2 (rank 2 itself), 1 of 2, 0 of 2, and 0 of 2 for the missed: 4 of 1 + 10",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefGroupsR",
            "a1 a0 a2",
            "",
            0.6,
            "R = 2, N = 1: of three preferences 1 over 0 is fulfilled; one imagined 0 below both adds 2 of 2: 3/5",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefGroupsR(scope=retrieved)",
            "a1 a1",
            "a1 a0",
            1.0,
            "R = 2 and N = 0 among the retrieved: two imagined 0s below both, 4 of 4",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefGroupsR(scope=retrieved,counting=trec_eval)",
            "a1 a1",
            "a1 a0",
            2.0 / 3.0,
            "the two imagined 0s are possible for all three relevant documents: 4 of 6",
        )
        .marked(JudgementKind::Preferences),
    ],
    build: |spec| {
        let scope = match Scope::of(spec)? {
            Scope::Implied => return Err(spec.illegal("scope", "all or retrieved")),
            scope => scope,
        };
        let as_trec_eval = match spec.word("counting")? {
            None | Some("described") => false,
            Some("trec_eval") => true,
            Some(_) => return Err(spec.illegal("counting", "described or trec_eval")),
        };
        Ok(Box::new(EqualNonrelevant { scope, as_trec_eval }))
    },
};

#[derive(Debug, Clone, Copy)]
struct EqualNonrelevant {
    scope: Scope,
    as_trec_eval: bool,
}

impl Measure for EqualNonrelevant {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        let spec = self.scope.write(MeasureSpec::new(&INFO));
        if self.as_trec_eval { spec.with("counting", Value::Word("trec_eval".into())) } else { spec }
    }

    fn counts_missed(&self) -> bool {
        // trec_eval's code counts all relevant documents even where only retrieved ones should count.
        self.scope != Scope::Retrieved || self.as_trec_eval
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Topic::of(view)?;
        let mut sum = 0.0;
        for group in &topic.groups {
            let (fulfilled, possible) = self.group(&topic, group);
            if possible == 0 && self.as_trec_eval {
                // 0 divided by 0 there, which nothing added later mends: the topic scores 0.
                return Ok(bounds::anything(view, &INFO, 0.0));
            }
            sum += share(fulfilled, possible);
        }
        Ok(bounds::anything(view, &INFO, if topic.groups.is_empty() { 0.0 } else { sum / topic.groups.len() as f64 }))
    }
}

impl EqualNonrelevant {
    /// Preferences fulfilled and possible.
    fn group(&self, topic: &Topic, group: &Group) -> (u64, u64) {
        let documents = 0..group.documents().len() as u32;
        let (relevant, mut nonrelevant): (Vec<u32>, Vec<u32>) = documents.partition(|&d| group.is_relevant(d));
        let retrieved = |list: &[u32]| list.iter().filter(|&&d| topic.rank(group, d).is_some()).count();
        let relevant_retrieved = retrieved(&relevant);
        let (r, n) = match self.scope {
            Scope::Retrieved => (relevant_retrieved, retrieved(&nonrelevant)),
            Scope::All | Scope::Implied => (relevant.len(), nonrelevant.len()),
        };
        if r >= n {
            let tally = topic.tally(group);
            let against = if self.scope == Scope::All || self.as_trec_eval { relevant.len() } else { r };
            let imagined = (r - n) as u64;
            let fulfilled = tally.fulfilled(self.scope) + relevant_retrieved as u64 * imagined;
            return (fulfilled, tally.possible(self.scope) + against as u64 * imagined);
        }
        // Retrieved ones first, by rank; the others stay as they are numbered, by docno.
        nonrelevant.sort_by_key(|&document| topic.rank(group, document).unwrap_or(u32::MAX));
        if self.as_trec_eval && group.is_one_order() {
            return self.against_all(topic, group, &nonrelevant[..r]);
        }
        let kept = if self.as_trec_eval { relevant.len().min(nonrelevant.len()) } else { r };
        let mut counts: Vec<bool> = (0..group.documents().len() as u32).map(|d| group.is_relevant(d)).collect();
        nonrelevant[..kept].iter().for_each(|&document| counts[document as usize] = true);
        let mut tally = Tally::default();
        topic.each(group, |preferred, other, outcome| {
            if counts[preferred as usize] && counts[other as usize] {
                tally.add(outcome);
            }
        });
        (tally.fulfilled(self.scope), tally.possible(self.scope))
    }

    /// trec_eval's count for a group of one order: preferences among the relevant, and every document of the group, the
    /// non-relevant included, as if preferred to each that is kept.
    fn against_all(&self, topic: &Topic, group: &Group, kept: &[u32]) -> (u64, u64) {
        let mut tally = Tally::default();
        topic.each(group, |preferred, other, outcome| {
            if group.is_relevant(preferred) && group.is_relevant(other) {
                tally.add(outcome);
            }
        });
        for document in 0..group.documents().len() as u32 {
            for &other in kept {
                tally.add(topic.outcome(group, document, other));
            }
        }
        (tally.fulfilled(self.scope), tally.possible(self.scope))
    }
}
