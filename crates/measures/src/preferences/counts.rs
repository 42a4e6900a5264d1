//! Counts of preferences, summed over topics: NumPrefs, NumPrefsFulfilled.

use karat_data::{JudgementKind, TopicView};

use super::{Scope, Topic};
use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::citations;
use crate::info::{Behaviour, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::MeasureSpec;

/// The row of NumPrefs.
pub static POSSIBLE: MeasureInfo = MeasureInfo {
    name: "NumPrefs",
    aliases: &["prefs_num_prefs_poss"],
    summary: "The number of preferences stated.",
    formula: "NumPrefs = sum over topics and judgement groups of the pairs of documents between which there is a \
              preference, those that follow from several subgroups among them",
    reading: "The amount of data behind the preference measures; the same for every run.",
    misleads: "A group that orders n documents states up to n(n - 1)/2 preferences: the count grows with the square.",
    citation: citations::TREC_EVAL,
    parameters: &[],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Preferences,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Depends("0 where all documents have one value"),
        nothing_retrieved: Behaviour::Depends("the preferences stated"),
    },
    examples: &[Example::new(
        "NumPrefs",
        "aB1 aA3 aA2aB2",
        "",
        3.0,
        "A: rank 2 over rank 3; B: rank 3 over rank 1; together: rank 2 over rank 1",
    )
    .marked(JudgementKind::Preferences)],
    build: |_| Ok(Box::new(Count { fulfilled: None })),
};

/// The row of NumPrefsFulfilled.
pub static FULFILLED: MeasureInfo = MeasureInfo {
    name: "NumPrefsFulfilled",
    aliases: &["prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"],
    summary: "The number of preferences that the ranking fulfils.",
    formula: "NumPrefsFulfilled = sum over topics and judgement groups of the preferences of a over b where a stands above \
              b, or (scope=all) a was retrieved and b was not",
    reading: "NumPrefsFulfilled / NumPrefs is the share fulfilled; topics with many preferences have more weight.",
    misleads: "A sum: topics and groups with many preferences dominate it.",
    citation: citations::TREC_EVAL,
    parameters: &[Parameter {
        name: "scope",
        default: "all",
        legal: Legal::Words(&["all", "retrieved"]),
        meaning: "whether a preference with only the preferred document retrieved counts (all) or both must be",
    }],
    range: (0.0, f64::INFINITY),
    needs: JudgementKind::Preferences,
    aggregate: Aggregate::Sum,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Depends("0 where all documents have one value"),
        nothing_retrieved: Behaviour::Value(0.0),
    },
    examples: &[
        Example::new(
            "NumPrefsFulfilled",
            "a1 - a2 a0",
            "a3 a0",
            4.0,
            "1 and 2 over the retrieved 0 and over the missed 0; not 2 over 1, nor anything of the missed 3",
        )
        .marked(JudgementKind::Preferences),
        Example::new("NumPrefsFulfilled(scope=retrieved)", "a1 - a2 a0", "a3 a0", 2.0, "1 and 2 over the retrieved 0")
            .marked(JudgementKind::Preferences),
    ],
    build: |spec| match Scope::of(spec)? {
        Scope::Implied => Err(spec.illegal("scope", "all or retrieved")),
        scope => Ok(Box::new(Count { fulfilled: Some(scope) })),
    },
};

#[derive(Debug, Clone, Copy)]
struct Count {
    fulfilled: Option<Scope>,
}

impl Measure for Count {
    fn info(&self) -> &'static MeasureInfo {
        if self.fulfilled.is_some() { &FULFILLED } else { &POSSIBLE }
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info());
        self.fulfilled.map_or(spec.clone(), |scope| scope.write(spec))
    }

    fn counts_missed(&self) -> bool {
        self.fulfilled != Some(Scope::Retrieved)
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let topic = Topic::of(view)?;
        let count = |group| {
            let tally = topic.tally(group);
            self.fulfilled.map_or(tally.possible(Scope::All), |scope| tally.fulfilled(scope))
        };
        let sum: u64 = topic.groups.iter().map(count).sum();
        let open = Open::all(view);
        if open.is_closed() {
            return Ok(Score::exact(sum as f64));
        }
        // A preference that is stated stays. At most, every group orders all documents there are, the other way round
        // where the ranking shows so.
        let documents = (topic.documents() + open.retrieved + open.missed) as f64;
        let pairs = topic.groups.len() as f64 * documents * (documents - 1.0) / 2.0;
        Ok(Score::within(sum as f64, sum as f64, pairs.max(sum as f64)))
    }
}
