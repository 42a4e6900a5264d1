//! RBP: what a user with a given patience gains per document seen.

use std::sync::OnceLock;

use karat_data::{CollectionFacts, Judgement, JudgementKind, TopicView};

use crate::aggregate::Aggregate;
use crate::bounds::Open;
use crate::info::{BoundsKind, Citation, Example, Legal, MeasureInfo, Parameter, Tightness, WhenEmpty};
use crate::linear::{self, Binary, Form, Gain, Weighting};
use crate::measure::Measure;
use crate::score::{Score, Undefined};
use crate::spec::{MeasureSpec, OPTIONAL_CUTOFF, RELEVANCE, Value};
use crate::ties::{self, TieRule, Tied};

/// How grades become gains.
const GAIN_WORDS: Legal = Legal::Words(&["binary", "linear", "topic"]);

/// The row of the table.
pub static INFO: MeasureInfo = MeasureInfo {
    name: "RBP",
    aliases: &["rbp"],
    summary: "Expected gain per document for a user who goes on to the next rank with probability p.",
    formula: "RBP = (1-p) * sum over ranks i of gain_i * p^(i-1);  residual = (1-p) * sum over unjudged i of p^(i-1) + \
              p^n for a list of n documents;  RBP@k counts the first k ranks only, and its residual p^n - p^k for n < k",
    reading: "p = 0.5 looks at two documents on average, 0.8 at five, 0.95 at twenty.",
    misleads: "Scores for different p are not comparable. The ranks below the end of a list of n documents have weight \
               p^n; it is part of the residual (rbp_resid of trec_eval omits it if everything retrieved was judged).",
    citation: Citation {
        text: "Moffat and Zobel (2008), Rank-biased precision for measurement of retrieval effectiveness, ACM TOIS 27(1).",
        bibtex: "@article{moffat2008, author={Alistair Moffat and Justin Zobel}, title={Rank-biased precision for \
                 measurement of retrieval effectiveness}, journal={ACM Transactions on Information Systems}, \
                 volume={27}, number={1}, year={2008}}",
    },
    parameters: &[
        Parameter {
            name: "p",
            default: "0.8",
            legal: Legal::Described("0 < p < 1"),
            meaning: "persistence: probability of going on to the next rank",
        },
        Parameter {
            name: "gain",
            default: "binary",
            legal: GAIN_WORDS,
            meaning: "binary: 1 at the relevance level and above; linear: grade / largest grade of the collection; topic: \
                      grade / largest grade of the topic, as trec_eval 10 (judging may change that grade; the bounds allow for it)",
        },
        OPTIONAL_CUTOFF,
        RELEVANCE,
    ],
    range: (0.0, 1.0),
    needs: JudgementKind::Grades,
    aggregate: Aggregate::Mean,
    bounds: Tightness::Exact,
    when_empty: WhenEmpty::ZERO,
    examples: &[
        Example::new("RBP(p=0.5)", "1 1 0 1 0 0 0 1", "", 0.81640625, "0.5 + 0.25 + 0.0625 + 0.00390625"),
        Example::new("RBP(p=0.8)", "1 0 0 0 1", "", 0.28192, "0.2 * (1 + 0.8^4) = 0.2 * 1.4096"),
        Example::new("RBP(p=0.8)@3", "1 0 - 1", "", 0.2, "rank 1 alone; the residual is rank 3's 0.2 * 0.64 = 0.128"),
        Example::new("RBP(p=0.5,gain=linear)", "2 1 - 1", "", 0.65625, "0.5*1 + 0.25*0.5 + 0.0625*0.5").up_to(2.0),
        Example::new("RBP(p=0.5,gain=topic)", "2 1 - 1", "", 0.65625, "as linear, though grade 4 occurs elsewhere")
            .up_to(4.0),
    ],
    build: |spec| {
        let persistence = spec.number("p")?.unwrap_or(0.8);
        if !(persistence > 0.0 && persistence < 1.0) {
            return Err(spec.illegal("p", "0 < p < 1"));
        }
        let gain = match spec.word("gain")? {
            None | Some("binary") => GainKind::Binary { level: spec.level()? },
            Some("linear") => GainKind::OfCollection,
            Some("topic") => GainKind::OfTopic,
            Some(_) => return Err(spec.illegal("gain", GAIN_WORDS)),
        };
        Ok(Box::new(Rbp { persistence, gain, cutoff: spec.optional_cutoff()?, weights: OnceLock::new() }))
    },
};

#[derive(Debug, Clone, Copy)]
enum GainKind {
    Binary { level: f64 },
    OfCollection,
    OfTopic,
}

#[derive(Debug)]
struct Rbp {
    persistence: f64,
    gain: GainKind,
    cutoff: Option<usize>,
    /// The weights of the first ranks, once somebody asks for one: a power at every rank is dear.
    weights: OnceLock<[f64; TABLED]>,
}

/// Ranks whose weights are kept.
const TABLED: usize = 1024;

impl Rbp {
    fn power(&self, rank: usize) -> f64 {
        (1.0 - self.persistence) * libm::pow(self.persistence, (rank - 1) as f64)
    }
}

impl Weighting for Rbp {
    fn weight(&self, rank: usize) -> f64 {
        if rank > TABLED {
            return self.power(rank);
        }
        self.weights.get_or_init(|| std::array::from_fn(|index| self.power(index + 1)))[rank - 1]
    }

    #[inline]
    fn next(&self, _: usize, before: f64) -> f64 {
        before * self.persistence
    }

    fn tail(&self, depth: usize) -> f64 {
        let below = |rank: usize| libm::pow(self.persistence, rank as f64);
        // Below a cut-off nothing counts any more.
        below(depth) - self.cutoff.map_or(0.0, below)
    }

    fn last(&self) -> Option<usize> {
        self.cutoff
    }
}

/// grade / largest grade.
#[derive(Debug, Clone, Copy)]
struct Share {
    max_grade: f64,
}

impl Share {
    /// By the topic's largest grade. Grades of at most 1 are gains already, and stay as they are.
    fn of_topic(view: &TopicView<'_>) -> Share {
        Share { max_grade: view.facts.grades.last().map_or(1.0, |(grade, _)| grade.value().max(1.0)) }
    }
}

impl Gain for Share {
    fn of(&self, grade: f64) -> f64 {
        if self.max_grade > 0.0 { (grade / self.max_grade).min(1.0) } else { 0.0 }
    }

    fn greatest(&self, collection: &CollectionFacts) -> f64 {
        self.of(collection.max_grade)
    }

    fn least(&self, _: &CollectionFacts) -> f64 {
        0.0
    }
}

impl Measure for Rbp {
    fn info(&self) -> &'static MeasureInfo {
        &INFO
    }

    fn spec(&self) -> MeasureSpec {
        let spec = MeasureSpec::new(&INFO).with("p", Value::Number(self.persistence));
        let spec = match self.gain {
            GainKind::Binary { level } => spec.with_level(level),
            GainKind::OfCollection => spec.with("gain", Value::Word("linear".into())),
            GainKind::OfTopic => spec.with("gain", Value::Word("topic".into())),
        };
        spec.optional(self.cutoff)
    }

    fn counts_missed(&self) -> bool {
        // The topic's largest grade may be that of a document elsewhere.
        matches!(self.gain, GainKind::OfTopic)
    }

    fn bounds_kind(&self, _: &CollectionFacts) -> BoundsKind {
        // A list that may go on may hold that document itself, so the bounds allow for it.
        if self.counts_missed() && self.cutoff.is_some() { BoundsKind::Retrieved } else { BoundsKind::Complete }
    }

    fn missed_shrink_differences(&self) -> bool {
        // With gains of the topic, a sum over the topic's largest grade.
        true
    }

    fn score(&self, view: &TopicView<'_>) -> Result<Score, Undefined> {
        Ok(match self.gain {
            GainKind::Binary { level } => linear::score(view, self, &Binary { level }),
            GainKind::OfCollection => linear::score(view, self, &Share { max_grade: view.collection.max_grade }),
            GainKind::OfTopic => {
                // One document of the collection's largest grade, missed or far down, lowers all other gains.
                let share = Share::of_topic(view);
                let scored = linear::score(view, self, &share);
                let settled = Open::all(view).is_closed() && scored.low == scored.high;
                let lowered =
                    if settled { 1.0 } else { share.max_grade / share.max_grade.max(view.collection.max_grade) };
                Score::within(scored.value, scored.value * lowered, scored.high)
            }
        })
    }

    fn linear(&self, collection: &CollectionFacts) -> Option<Form<'_>> {
        match self.gain {
            GainKind::Binary { level } => Some(Form::new(self, Binary { level }, 1.0)),
            GainKind::OfCollection => Some(Form::new(self, Share { max_grade: collection.max_grade }, 1.0)),
            // The topic's largest grade may change with any judgement.
            GainKind::OfTopic => None,
        }
    }

    fn tie_rule<'a>(&'a self, tied: &'a Tied<'a>) -> TieRule<'a> {
        let weight = |rank: usize| {
            if self.cutoff.is_some_and(|cutoff| rank > cutoff) { 0.0 } else { Weighting::weight(self, rank) }
        };
        let gain = |gain: &dyn Gain, judgement: Judgement| judgement.grade().map_or(0.0, |grade| gain.of(grade));
        match self.gain {
            GainKind::Binary { level } => TieRule::linear(ties::relevance(level), weight),
            GainKind::OfCollection => {
                let share = Share { max_grade: tied.view.collection.max_grade };
                TieRule::linear(move |judgement| gain(&share, judgement), weight)
            }
            GainKind::OfTopic => {
                let share = Share::of_topic(&tied.view);
                TieRule::linear(move |judgement| gain(&share, judgement), weight)
            }
        }
    }
}
