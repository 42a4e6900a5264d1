//! Q-measure and its kin: measures that average the blended ratio, precision and cumulated gain in one.
//!
//! BR(r) = (relevant documents to rank r + beta * gain to rank r) / (r + beta * ideal gain to rank r). The measures differ in
//! the ranks they take it at, and in the weight of each.

use karat_data::{JudgementKind, TopicFacts, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::bounds::blended::Blend;
use crate::gains::{GAINS, Gains};
use crate::info::{Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::linear::Gain;
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE, SpecError, Value};
use crate::tally;

const BETA: Parameter = Parameter {
    name: "beta",
    default: "1",
    legal: Legal::Described("a number from 0 to 1000000"),
    meaning: "weight of gain against counting: 0 is precision alone, large values are normalised cumulated gain",
};

const GAMMA: Parameter = Parameter {
    name: "gamma",
    default: "0.95",
    legal: Legal::Described("0 < gamma <= 1"),
    meaning: "factor by which each further relevant document is less likely to be the last one wanted",
};

const RELIABILITY: Citation = Citation {
    text: "Sakai (2007), On the reliability of information retrieval metrics based on graded relevance, IP&M 43(2).",
    bibtex: "@article{sakai2007, author={Tetsuya Sakai}, title={On the reliability of information retrieval metrics based on \
             graded relevance}, journal={Information Processing \\& Management}, volume={43}, number={2}, \
             pages={531--548}, year={2007}}",
};

const ONE_DOCUMENT: Citation = Citation {
    text: "Sakai (2007), On the properties of evaluation metrics for finding one highly relevant document, IPSJ TOD 48(SIG9).",
    bibtex: "@article{sakai2007one, author={Tetsuya Sakai}, title={On the properties of evaluation metrics for finding one \
             highly relevant document}, journal={IPSJ Transactions on Databases}, volume={48}, number={SIG9}, year={2007}}",
};

const POPULATION: Citation = Citation {
    text: "Sakai and Robertson (2008), Modelling a user population for designing information retrieval metrics, EVIA.",
    bibtex: "@inproceedings{sakai2008, author={Tetsuya Sakai and Stephen Robertson}, title={Modelling a user population for \
             designing information retrieval metrics}, booktitle={EVIA}, year={2008}}",
};

/// The judgements of NTCIREVAL's own example, retrieved and missed: all its printed values are worked examples here.
const SAMPLE: (&str, &str) = ("0 3 - 2", "3 3 2 2 1 1 1 1");

/// The row of Q.
pub static Q: MeasureInfo = MeasureInfo {
    name: "Q",
    aliases: &["Q-measure", "QMeasure"],
    summary: "Graded average precision: the blended ratio, averaged over the relevant documents.",
    formula: "Q = (1/R) * sum over ranks r of relevant documents of BR(r), BR(r) = (relevant to r + beta * gain to r) / (r + beta * \
              ideal gain to r), R relevant documents;  Q@k: ranks to k, and min(R, k) in place of R",
    reading: "Read like AP: 1 for the ideal ranking; relevant documents that come late or before better ones lower it.",
    misleads: "Q@k divides by min(R, k), as in NTCIREVAL (Q(beta=0)@k is its AP@k), while AP@k of karat and trec_eval \
               divides by R. Below rank R grades hardly matter, because the ideal gain no longer grows.",
    citation: RELIABILITY,
    parameters: &[OPTIONAL_CUTOFF, BETA, GAINS, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "Q",
            SAMPLE.0,
            SAMPLE.1,
            29.0 / 300.0,
            "BR(2) = (1+3)/(2+6), BR(4) = (2+5)/(4+11): (1/2 + 7/15)/10",
        )
        .up_to(3.0),
        Example::new("Q(beta=1)@2", SAMPLE.0, SAMPLE.1, 0.25, "BR(2)/min(10, 2) = 0.5/2").up_to(3.0),
        Example::new(
            "Q(gains={2:4,3:9})",
            SAMPLE.0,
            SAMPLE.1,
            (10.0 / 20.0 + 15.0 / 35.0) / 10.0,
            "BR(2) = (1+9)/(2+18), BR(4) = (2+13)/(4+31)",
        )
        .up_to(3.0),
    ],
    build: |spec| Blended::build(spec, &Q, Kind::Average(spec.optional_cutoff()?)),
};

/// The row of O-measure.
pub static O: MeasureInfo = MeasureInfo {
    name: "OMeasure",
    aliases: &["O-measure"],
    summary: "Graded reciprocal rank: the blended ratio at the first relevant document.",
    formula: "O = (1 + beta * gain) / (r + beta * ideal gain to rank r), r the rank of the first relevant document; 0 without one",
    reading: "For a user who stops at the first relevant document, whatever its grade.",
    misleads: "Documents below the first relevant one are ignored, even perfect ones.",
    citation: ONE_DOCUMENT,
    parameters: &[BETA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("OMeasure", SAMPLE.0, SAMPLE.1, 0.5, "rank 2: (1+3)/(2+3+3)").up_to(3.0),
        Example::new("OMeasure", "1 3", "", 2.0 / 4.0, "rank 1: (1+1)/(1+3)").up_to(3.0),
    ],
    build: |spec| Blended::build(spec, &O, Kind::First),
};

/// The row of P-measure.
pub static P: MeasureInfo = MeasureInfo {
    name: "PMeasure",
    aliases: &["P-measure"],
    summary: "The blended ratio at the preferred rank: the rank of the best document retrieved (the first of several).",
    formula: "P-measure = BR(r), r the first rank with the greatest grade retrieved, BR(r) = (relevant to r + beta * gain to r) / (r + \
              beta * ideal gain to r); 0 without a relevant document",
    reading: "For a user who goes on to the best document in the list.",
    misleads: "Depends on the whole list: a better document at rank 900 moves the stop there and can lower the score.",
    citation: ONE_DOCUMENT,
    parameters: &[BETA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("PMeasure", SAMPLE.0, SAMPLE.1, 0.5, "grade 3 at rank 2: (1+3)/(2+3+3)").up_to(3.0),
        Example::new("PMeasure", "1 3", "", 1.0, "grade 3 at rank 2: (2+4)/(2+3+1)").up_to(3.0),
    ],
    build: |spec| Blended::build(spec, &P, Kind::Preferred),
};

/// The row of P+.
pub static P_PLUS: MeasureInfo = MeasureInfo {
    name: "PPlus",
    aliases: &["P-plus", "P+"],
    summary: "The blended ratio averaged over the relevant documents down to the best one retrieved.",
    formula: "P+ = mean of BR(r) over ranks r of relevant documents to the first rank with the greatest grade retrieved, BR(r) = (relevant \
              to r + beta * gain to r) / (r + beta * ideal gain to r); 0 without a relevant document",
    reading: "For users who stop at any relevant document on the way to the best one in the list.",
    misleads: "Like P-measure, it depends on the whole list: a better document far down extends the average.",
    citation: ONE_DOCUMENT,
    parameters: &[BETA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("PPlus", "1 3", "", 0.75, "BR(1) = (1+1)/(1+3), BR(2) = (2+4)/(2+4): (1/2 + 1)/2").up_to(3.0)
    ],
    build: |spec| Blended::build(spec, &P_PLUS, Kind::ToPreferred),
};

/// The row of NCU with graded-uniform stopping.
pub static NCU_GRADED: MeasureInfo = MeasureInfo {
    name: "NCUgu",
    aliases: &["NCU-gu"],
    summary: "The blended ratio averaged over users who stop at relevant documents; better documents are more likely \
              stops.",
    formula: "NCUgu = sum over ranks r of relevant documents of grade_r * BR(r) / sum of the grades of all relevant documents, BR(r) = \
              (relevant to r + beta * gain to r) / (r + beta * ideal gain to r); NCUgu,P of NTCIREVAL is beta=0, NCUgu,BR beta=1",
    reading: "Like Q, but users stop more often at better documents.",
    misleads: "Grades count twice: in the ratio and in the stopping probability.",
    citation: POPULATION,
    parameters: &[BETA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("NCUgu(beta=0)", SAMPLE.0, SAMPLE.1, 2.5 / 19.0, "(3 * 1/2 + 2 * 2/4) / (4 * 1 + 3 * 2 + 3 * 3)")
            .up_to(3.0),
        Example::new("NCUgu", SAMPLE.0, SAMPLE.1, (1.5 + 14.0 / 15.0) / 19.0, "(3 * 1/2 + 2 * 7/15) / 19").up_to(3.0),
    ],
    build: |spec| Blended::build(spec, &NCU_GRADED, Kind::Graded),
};

/// The row of NCU with rank-biased stopping.
pub static NCU_RANK_BIASED: MeasureInfo = MeasureInfo {
    name: "NCUrb",
    aliases: &["NCU-rb"],
    summary: "The blended ratio averaged over users who stop at relevant documents; earlier relevant documents are \
              more likely stops.",
    formula: "NCUrb = sum over n of gamma^(n-1) * BR(r_n) / sum over n <= R of gamma^(n-1), r_n the rank of the n-th relevant document, R \
              relevant documents, BR(r) = (relevant to r + beta * gain to r) / (r + beta * ideal gain to r); NCUrb,P of NTCIREVAL is \
              beta=0, NCUrb,BR beta=1",
    reading: "Like Q, but users stop more often at the first relevant documents; gamma = 1 is Q.",
    misleads: "The stopping probability depends on the number of relevant documents above, not on the rank.",
    citation: POPULATION,
    parameters: &[BETA, GAMMA, RELEVANCE],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Sound,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new(
            "NCUrb(gamma=0.5)",
            "1 0 1",
            "1",
            16.0 / 21.0,
            "BR(1) = 2/2, BR(3) = (2+2)/(3+3): (1 + 0.5 * 2/3) / (1 + 0.5 + 0.25)",
        ),
        Example::new("NCUrb(beta=0,gamma=1)", "1 0 1", "", 5.0 / 6.0, "average precision: (1 + 2/3)/2"),
    ],
    build: |spec| {
        let gamma = spec.number("gamma")?.unwrap_or(0.95);
        if !(gamma > 0.0 && gamma <= 1.0) {
            return Err(spec.illegal("gamma", GAMMA.legal));
        }
        Blended::build(spec, &NCU_RANK_BIASED, Kind::RankBiased(gamma))
    },
};

/// The ranks the blended ratio is taken at, and the weight of each.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Average(Option<usize>),
    First,
    Preferred,
    ToPreferred,
    Graded,
    RankBiased(f64),
}

#[derive(Debug, Clone)]
struct Blended {
    info: &'static MeasureInfo,
    kind: Kind,
    beta: f64,
    gains: Gains,
    level: f64,
}

/// A relevant document met on the way down.
#[derive(Debug, Clone, Copy)]
struct Met {
    /// How many relevant documents there are to here.
    count: usize,
    grade: f64,
    gain: f64,
    /// BR at its rank.
    ratio: f64,
    /// What BR divides by there.
    below: f64,
}

impl Blended {
    fn build(spec: &MeasureSpec, info: &'static MeasureInfo, kind: Kind) -> Result<Box<dyn Measure>, SpecError> {
        let beta = spec.number("beta")?.unwrap_or(1.0);
        if !(0.0..=1e6).contains(&beta) {
            return Err(spec.illegal("beta", BETA.legal));
        }
        let gains = Gains::of_spec(spec, false)?;
        Ok(Box::new(Blended { info, kind, beta, gains, level: spec.level()? }))
    }

    /// The relevant documents in rank order, down to a cut-off, with the blended ratio at each.
    fn relevant(&self, view: &TopicView<'_>, cutoff: Option<usize>) -> Vec<Met> {
        let start = view.facts.grades.partition_point(|(grade, _)| grade.value() < self.level);
        let facts = TopicFacts { grades: &view.facts.grades[start..], pooled_unjudged: 0 };
        let mut ideal = self.gains.ideal(facts).flat_map(|group| std::iter::repeat_n(group.gain, group.count));
        let (mut met, mut gained, mut possible) = (Vec::new(), 0.0, 0.0);
        for (index, judgement) in tally::first(view, cutoff).iter().enumerate() {
            possible += ideal.next().unwrap_or(0.0);
            let Some(grade) = judgement.grade().filter(|grade| *grade >= self.level) else { continue };
            let gain = self.gains.of(grade);
            gained += gain;
            let (count, below) = (met.len() + 1, (index + 1) as f64 + self.beta * possible);
            met.push(Met { count, grade, gain, ratio: (count as f64 + self.beta * gained) / below, below });
        }
        met
    }
}

impl Measure for Blended {
    fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(self.info).with_unless("beta", self.beta, 1.0).with_level(self.level);
        let spec = self.gains.print(spec);
        match self.kind {
            Kind::Average(cutoff) => spec.optional(cutoff),
            Kind::RankBiased(gamma) => spec.with("gamma", Value::Number(gamma)),
            Kind::First | Kind::Preferred | Kind::ToPreferred | Kind::Graded => spec,
        }
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        let value = self.value(view)?;
        if Open::of(view, self.level).is_closed() {
            return Ok(Score::exact(value));
        }
        let cutoff = if let Kind::Average(cutoff) = self.kind { cutoff } else { None };
        let Some(blend) = Blend::of(view, &self.gains, self.level, self.beta, cutoff) else {
            return Ok(Score::without_bounds(value));
        };
        let ends = match self.kind {
            Kind::Average(cutoff) => {
                let most = cutoff.unwrap_or(usize::MAX);
                blend.by_count(|_| 1.0, |relevant| relevant.min(most) as f64)
            }
            Kind::RankBiased(gamma) => {
                let chances: Vec<f64> = (0..view.ranks.len()).map(|n| libm::pow(gamma, n as f64)).collect();
                let left = 1.0 - gamma;
                let all = |n: f64| if left > 0.0 { (1.0 - libm::pow(gamma, n)) / left } else { n };
                blend.by_count(|n| chances[n - 1], |relevant| all(relevant as f64))
            }
            Kind::First => Some(blend.first()),
            Kind::Preferred => Some(blend.preferred(false)),
            Kind::ToPreferred => Some(blend.preferred(true)),
            Kind::Graded => blend.graded(),
        };
        let (low, high) = ends.unwrap_or(self.info.range);
        // The bounds add the same terms in another order.
        Ok(Score::within(value, low.min(value), high.max(value)))
    }

    fn value(&self, view: &TopicView<'_>) -> Result<f64, Undefined> {
        let cutoff = if let Kind::Average(cutoff) = self.kind { cutoff } else { None };
        let met = self.relevant(view, cutoff);
        let total = view.facts.relevant(self.level) as usize;
        // The first document of the greatest grade: only a greater one takes its place.
        let preferred =
            met.iter().enumerate().fold(0, |best, (at, here)| if here.grade > met[best].grade { at } else { best });
        let ratios = |met: &[Met]| met.iter().map(|here| here.ratio).sum::<f64>();
        let value = match (self.kind, met.first()) {
            (_, None) => 0.0,
            (Kind::Average(cutoff), _) => ratios(&met) / total.min(cutoff.unwrap_or(usize::MAX)) as f64,
            (Kind::First, Some(first)) => (1.0 + self.beta * first.gain) / first.below,
            (Kind::Preferred, _) => met[preferred].ratio,
            (Kind::ToPreferred, _) => ratios(&met[..=preferred]) / (preferred + 1) as f64,
            (Kind::Graded, _) => {
                let relevant = view.facts.grades.iter().filter(|(grade, _)| grade.value() >= self.level);
                let all: f64 = relevant.map(|(grade, count)| grade.value() * f64::from(*count)).sum();
                met.iter().map(|here| here.grade * here.ratio).sum::<f64>() / all
            }
            (Kind::RankBiased(gamma), _) => {
                let chance = |n: usize| libm::pow(gamma, (n - 1) as f64);
                let all: f64 = (1..=total).map(chance).sum();
                met.iter().map(|here| chance(here.count) * here.ratio).sum::<f64>() / all
            }
        };
        if value.is_finite() { Ok(value) } else { Err(crate::gains::TOO_LARGE) }
    }
}
