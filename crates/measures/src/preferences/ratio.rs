//! PrefRatio: the share of preferences that the ranking fulfils, all counting alike.

use karat_data::{JudgementKind, TopicView};

use super::{SCOPE, Scope, Topic, share};
use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::MeasureSpec;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "PrefRatio",
    aliases: &["prefs_simp", "prefs_simp_imp", "prefs_simp_ret"],
    summary: "The share of stated preferences that the ranking agrees with.",
    formula: "PrefRatio = fulfilled / possible, both summed over the judgement groups of the topic. A preference of a over \
              b is fulfilled where a stands above b, or a was retrieved and b was not",
    reading: "1 when every preferred document comes before the other. A random order of the retrieved documents scores \
              0.5 on their pairs.",
    misleads: "A preference that several groups share counts once per group, and groups that contradict each other \
               keep the best possible score below 1. A person with many preferences has more weight than one with few: \
               see PrefGroups. A topic without preferences scores 0. The bounds are of little use: 0 to 1 if some \
               document has no preferences, else the value itself, although pairs that nobody compared are unknown.",
    citation: citations::TREC_EVAL,
    parameters: &[SCOPE],
    range: (0.0, 1.0),
    needs: JudgementKind::Preferences,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "PrefRatio",
            "a1 - a2 a0",
            "a3 a0",
            4.0 / 9.0,
            "the order is 3 > 2 > 1 > 0, 0: nine preferences. 1 and 2 before the retrieved 0 and the missed 0 are \
             fulfilled: 4; 2 before 1 is not, nor is any of the missed 3",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefRatio(scope=retrieved)",
            "a1 - a2 a0",
            "a3 a0",
            2.0 / 3.0,
            "three preferences among 1, 2 and 0 at ranks 1, 3 and 4; that of 2 over 1 is not fulfilled",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefRatio(scope=implied)",
            "a1 - a2 a0",
            "a3 a0",
            0.5,
            "of the nine, 3 over the missed 0 is left out, having no document retrieved: 4/8",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefRatio",
            "aB1 aA3 aA2aB2",
            "",
            1.0 / 3.0,
            "subgroup A prefers rank 2 to rank 3, subgroup B rank 3 to rank 1, so the group prefers rank 2 to rank 1: \
             the first of three is fulfilled",
        )
        .marked(JudgementKind::Preferences),
    ],
    build: |spec| Ok(Box::new(Ratio { scope: Scope::of(spec)? })),
};

#[derive(Debug, Clone, Copy)]
struct Ratio {
    scope: Scope,
}

impl Measure for Ratio {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        self.scope.write(MeasureSpec::new(&INFO))
    }

    fn counts_missed(&self) -> bool {
        self.scope != Scope::Retrieved
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Topic::of(view)?;
        let (mut fulfilled, mut possible) = (0, 0);
        for group in &topic.groups {
            let tally = topic.tally(group);
            fulfilled += tally.fulfilled(self.scope);
            possible += tally.possible(self.scope);
        }
        Ok(bounds::anything(view, &INFO, share(fulfilled, possible)))
    }
}
