//! GroupAP, GroupP, GroupRprecMult: measures of grades, averaged over judgement groups.
//!
//! Three rows in one file. The one decision behind them: a group's opinion is a topic like any other, so the score of a
//! group is that of the plain measure, and no formula is written twice.

use karat_data::{Details, Grade, Judgement, JudgementKind, Mark, TopicFacts, TopicView};

use crate::aggregate::Aggregate;
use crate::citations;
use crate::info::{Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{CUTOFF, MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE, SpecError, Value};
use crate::{average_precision, precision, r_precision};

const JUDGED_ONLY: Parameter = Parameter {
    name: "judged_only",
    default: "false",
    legal: Legal::Words(&["true", "false"]),
    meaning: "whether a group's ranking is cut to the documents that group judged",
};

/// The row of GroupAP.
pub static AVERAGE_PRECISION: MeasureInfo = MeasureInfo {
    name: "GroupAP",
    aliases: &["map_avgjg"],
    summary: "AP with the judgements of each judgement group, averaged over groups.",
    formula: "GroupAP = mean over the judgement groups of the topic of AP, R and rel_i being those of the group",
    reading: "The expected AP under a judge chosen at random.",
    misleads: "A group without relevant documents counts 0, so groups that judged little lower the mean. It is not the \
               AP of merged judgements: a document that one of three judges finds relevant counts a third.",
    citation: citations::TREC_EVAL,
    parameters: &[OPTIONAL_CUTOFF, RELEVANCE, JUDGED_ONLY],
    range: (0.0, 1.0),
    needs: JudgementKind::Groups,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "GroupAP",
            "a1b0 a0b1 a1",
            "b1",
            13.0 / 24.0,
            "a: ranks 1 and 3 of R = 2, (1 + 2/3)/2 = 5/6; b: rank 2 of R = 2, (1/2)/2 = 1/4; (5/6 + 1/4)/2",
        )
        .marked(JudgementKind::Groups),
        Example::new(
            "GroupAP(judged_only=true)",
            "a1 a0b1",
            "",
            1.0,
            "a: rank 1; b judged only the second document, which is then at its rank 1",
        )
        .marked(JudgementKind::Groups),
    ],
    build: |spec| build(spec, &AVERAGE_PRECISION, &average_precision::INFO),
};

/// The row of GroupP.
pub static PRECISION: MeasureInfo = MeasureInfo {
    name: "GroupP",
    aliases: &["P_avgjg"],
    summary: "Precision with the judgements of each judgement group, averaged over groups.",
    formula: "GroupP@k = mean over the judgement groups of the topic of P@k",
    reading: "The share of the first k documents that a judge chosen at random finds relevant.",
    misleads: "A document that a group did not judge is treated as not relevant in that group.",
    citation: citations::TREC_EVAL,
    parameters: &[CUTOFF, RELEVANCE, JUDGED_ONLY],
    range: (0.0, 1.0),
    needs: JudgementKind::Groups,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new("GroupP@2", "a1b0 a0b1 a1", "b1", 0.5, "one of two for a, one of two for b")
        .marked(JudgementKind::Groups)],
    build: |spec| build(spec, &PRECISION, &precision::INFO),
};

/// The row of GroupRprecMult.
pub static R_PRECISION_MULTIPLE: MeasureInfo = MeasureInfo {
    name: "GroupRprecMult",
    aliases: &["Rprec_mult_avgjg"],
    summary: "Precision at a multiple of R with the judgements of each judgement group, averaged over groups.",
    formula: "GroupRprecMult@m = mean over the judgement groups of the topic of P@k, k = trunc(m R + 0.9), R the group's",
    reading: "As RprecMult, for a judge chosen at random; GroupRprecMult@1 is R-precision.",
    misleads: "Groups with different R are measured at different depths.",
    citation: citations::TREC_EVAL,
    parameters: &[
        Parameter {
            name: "cutoff",
            default: "",
            legal: Legal::Described("a multiple of R above 0"),
            meaning: "the multiple of R: GroupRprecMult@0.2; trec_eval's ten are 0.2, 0.4, ... 2.0",
        },
        RELEVANCE,
        JUDGED_ONLY,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Groups,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[Example::new(
        "GroupRprecMult@1",
        "a1b1 a0b1 a1",
        "b1",
        7.0 / 12.0,
        "a: R = 2, P@2 = 1/2; b: R = 3, P@3 = 2/3; (1/2 + 2/3)/2",
    )
    .marked(JudgementKind::Groups)],
    build: |spec| build(spec, &R_PRECISION_MULTIPLE, &r_precision::MULTIPLE),
};

struct GroupMean {
    info: &'static MeasureInfo,
    /// The measure of one group's judgements.
    of_group: Box<dyn Measure>,
    judged_only: bool,
}

fn build(
    spec: &MeasureSpec,
    info: &'static MeasureInfo,
    of_group: &'static MeasureInfo,
) -> Result<Box<dyn Measure>, SpecError> {
    let judged_only = match spec.word("judged_only")? {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(spec.illegal("judged_only", JUDGED_ONLY.legal)),
    };
    Ok(Box::new(GroupMean { info, of_group: (of_group.build)(spec)?, judged_only }))
}

impl Measure for GroupMean {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        let inner = self.of_group.spec();
        let spec = MeasureSpec::new(self.info).with_level(self.of_group.level().unwrap_or(1.0));
        let spec = inner.raw_cutoff().map_or(spec.clone(), |cutoff| spec.real_cutoff(cutoff));
        if self.judged_only { spec.with("judged_only", Value::Word("true".into())) } else { spec }
    }

    fn counts_missed(&self) -> bool {
        self.of_group.counts_missed()
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        if view.details.kind != JudgementKind::Groups {
            return Err(Undefined { reason: "the judgements are not by judgement group" });
        }
        let mut groups: Vec<u32> = view.details.marks.iter().map(|mark| mark.group).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.is_empty() {
            // Nothing judged at all: what the plain measure says there.
            return self.of_group.score(&TopicView { details: Details::default(), ..*view });
        }
        let (mut value, mut low, mut high) = (0.0, 0.0, 0.0);
        for &group in &groups {
            let score = self.group(view, group)?;
            value += score.value;
            low += score.low;
            high += score.high;
        }
        let count = groups.len() as f64;
        Ok(Score::within(value / count, low / count, high / count))
    }
}

impl GroupMean {
    fn group(&self, view: &TopicView<'_>, group: u32) -> Result<Score, Undefined> {
        let judgement = |mark: &Mark| Judgement::from_number(mark.value).unwrap_or(Judgement::PooledUnjudged);
        // A document that another group judged is in the pool.
        let of_document = |marks: &[Mark]| match marks.iter().find(|mark| mark.group == group) {
            Some(mark) => judgement(mark),
            None if marks.is_empty() => Judgement::Unpooled,
            None => Judgement::PooledUnjudged,
        };
        let ranks: Vec<Judgement> = view.details.by_rank().map(of_document).collect();
        let (mut grades, mut pooled_unjudged): (Vec<(Grade, u32)>, u32) = (Vec::new(), 0);
        for judgement in view.details.marks.chunk_by(|a, b| a.document == b.document).map(of_document) {
            match judgement {
                Judgement::Grade(grade) => match grades.iter_mut().find(|(other, _)| *other == grade) {
                    Some((_, count)) => *count += 1,
                    None => grades.push((grade, 1)),
                },
                _ => pooled_unjudged += 1,
            }
        }
        grades.sort_by(|(a, _), (b, _)| a.value().total_cmp(&b.value()));
        let facts = TopicFacts { grades: &grades, pooled_unjudged };
        let all = TopicView { ranks: &ranks, facts, details: Details::default(), ..*view };
        let score = self.of_group.score(&all)?;
        if !self.judged_only {
            return Ok(score);
        }
        // Once all is judged, nothing is left out any more.
        let judged: Vec<Judgement> = ranks.iter().copied().filter(|judgement| judgement.is_judged()).collect();
        let value = self.of_group.value(&TopicView { ranks: &judged, ..all })?;
        Ok(Score::within(value, score.low.min(value), score.high.max(value)))
    }
}
