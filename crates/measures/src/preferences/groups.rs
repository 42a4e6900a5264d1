//! PrefGroups: judgement groups count alike, however many preferences each stated.

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
    name: "PrefGroups",
    aliases: &["prefs_avgjg", "prefs_avgjg_imp", "prefs_avgjg_ret"],
    summary: "The share of preferences fulfilled in each judgement group, averaged over groups.",
    formula: "PrefGroups = mean over the judgement groups of the topic of fulfilled / possible",
    reading: "Like PrefRatio, but every person (judgement group) has the same weight.",
    misleads: "A group whose documents all have the same level states no preference and counts 0. A group with one \
               preference has the same weight as one with a thousand. For the limits of the bounds see PrefRatio.",
    citation: citations::TREC_EVAL,
    parameters: &[SCOPE],
    range: (0.0, 1.0),
    needs: JudgementKind::Preferences,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "PrefGroups",
            "a3b1 a2b2 a1",
            "",
            0.5,
            "group a: three of three; group b: none of one. (1 + 0)/2; PrefRatio is 3/4",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefGroups(scope=implied)",
            "a2b1",
            "a1b2 a0",
            0.5,
            "group a: the document at rank 1 over both missed ones, 2/2; group b: the missed one over rank 1, 0/1",
        )
        .marked(JudgementKind::Preferences),
    ],
    build: |spec| Ok(Box::new(Groups { scope: Scope::of(spec)? })),
};

#[derive(Debug, Clone, Copy)]
struct Groups {
    scope: Scope,
}

impl Measure for Groups {
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
        let of_group = |group| {
            let tally = topic.tally(group);
            share(tally.fulfilled(self.scope), tally.possible(self.scope))
        };
        let sum: f64 = topic.groups.iter().map(of_group).sum();
        Ok(bounds::anything(view, &INFO, if topic.groups.is_empty() { 0.0 } else { sum / topic.groups.len() as f64 }))
    }
}
