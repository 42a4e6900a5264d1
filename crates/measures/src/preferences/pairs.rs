//! PrefPairs: pairs of documents count alike, however many groups stated a preference between the two.

use karat_data::{JudgementKind, TopicView};

use super::{Outcome, SCOPE, Scope, Topic};
use crate::aggregate::Aggregate;
use crate::bounds;
use crate::citations;
use crate::info::{Example, MeasureInfo, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::MeasureSpec;

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "PrefPairs",
    aliases: &["prefs_pair", "prefs_pair_imp", "prefs_pair_ret"],
    summary: "The share of preferences fulfilled for each pair of documents, averaged over pairs.",
    formula: "PrefPairs = mean over pairs of documents with a preference of (groups whose preference between the two is \
              fulfilled) / (groups that have one)",
    reading: "Like PrefRatio, but every pair has the same weight, whether one person or ten people compared it.",
    misleads: "A pair on which people disagree scores about 0.5 for any ranking, so the best possible score is below \
               1. A topic without preferences scores 0. For the limits of the bounds see PrefRatio.",
    citation: citations::TREC_EVAL,
    parameters: &[SCOPE],
    range: (0.0, 1.0),
    needs: JudgementKind::Preferences,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "PrefPairs",
            "a3b1 a2b2 a1",
            "",
            5.0 / 6.0,
            "ranks 1 and 2: a agrees, b does not, 1/2; ranks 1 and 3, and 2 and 3: 1 each. 5/2 over three pairs",
        )
        .marked(JudgementKind::Preferences),
        Example::new(
            "PrefPairs(scope=retrieved)",
            "a3b1 a2b2",
            "a1",
            0.5,
            "one pair is retrieved; of its two preferences one is fulfilled",
        )
        .marked(JudgementKind::Preferences),
    ],
    build: |spec| Ok(Box::new(Pairs { scope: Scope::of(spec)? })),
};

#[derive(Debug, Clone, Copy)]
struct Pairs {
    scope: Scope,
}

impl Measure for Pairs {
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
        if let [group] = topic.groups.as_slice() {
            // Each pair has one preference: the mean over pairs is the share, and no list of pairs is needed.
            let tally = topic.tally(group);
            return Ok(bounds::anything(
                view,
                &INFO,
                super::share(tally.fulfilled(self.scope), tally.possible(self.scope)),
            ));
        }
        let mut pairs: Vec<(u32, u32, bool)> = Vec::new();
        for group in &topic.groups {
            topic.each(group, |preferred, other, outcome| {
                let fulfilled = match outcome {
                    Outcome::Retrieved(fulfilled) => fulfilled,
                    Outcome::Implied(fulfilled) if self.scope != Scope::Retrieved => fulfilled,
                    Outcome::Absent if self.scope == Scope::All => false,
                    Outcome::Implied(_) | Outcome::Absent => return,
                };
                let (a, b) = (group.documents()[preferred as usize], group.documents()[other as usize]);
                pairs.push((a.min(b), a.max(b), fulfilled));
            });
        }
        pairs.sort_unstable();
        let (mut sum, mut count) = (0.0, 0u64);
        for pair in pairs.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let fulfilled = pair.iter().filter(|(_, _, fulfilled)| *fulfilled).count();
            sum += fulfilled as f64 / pair.len() as f64;
            count += 1;
        }
        Ok(bounds::anything(view, &INFO, if count == 0 { 0.0 } else { sum / count as f64 }))
    }
}
