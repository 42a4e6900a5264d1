//! The description of a measure in the registry: names, formula, parameters, sources, examples.

use std::fmt;

use karat_data::JudgementKind;

use crate::aggregate::Aggregate;
use crate::measure::Measure;
use crate::spec::{MeasureSpec, SpecError};

/// Where a measure comes from.
#[derive(Debug, Clone, Copy)]
pub struct Citation {
    /// Authors, year, title, venue in one line.
    pub text: &'static str,
    /// The BibTeX entry.
    pub bibtex: &'static str,
}

/// A parameter of a measure.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in the text form: `p` in `RBP(p=0.8)`; the cut-off after `@` is named `cutoff`.
    pub name: &'static str,
    /// Its default as text; empty where it must be given or may be absent.
    pub default: &'static str,
    /// The values it may take.
    pub legal: Legal,
    /// What it means.
    pub meaning: &'static str,
}

/// The values that a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Legal {
    /// A rank, from 1.
    Rank {
        /// The last one, where there is a limit.
        most: Option<u32>,
        /// Whether there may be none.
        optional: bool,
    },
    /// One of these words.
    Words(&'static [&'static str]),
    /// Others, described for people: "0 < p < 1".
    Described(&'static str),
}

impl fmt::Display for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Legal::Rank { most, optional } => {
                f.write_str("a whole number from 1")?;
                most.map_or(Ok(()), |most| write!(f, " to {most}"))?;
                f.write_str(if *optional { ", or none" } else { "" })
            }
            Legal::Words([]) => Ok(()),
            Legal::Words([word]) => f.write_str(word),
            Legal::Words([first @ .., last]) => write!(f, "{} or {last}", first.join(", ")),
            Legal::Described(text) => f.write_str(text),
        }
    }
}

/// What a measure says when there is nothing to go by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Behaviour {
    /// This value, by definition or by trec_eval's convention.
    Value(f64),
    /// No value, for this reason.
    Undefined(&'static str),
    /// It depends on the rest of the topic; the text says how.
    Depends(&'static str),
}

/// What a measure says in the three empty cases.
#[derive(Debug, Clone, Copy)]
pub struct WhenEmpty {
    /// Documents retrieved, none of the topic's documents judged.
    pub nothing_judged: Behaviour,
    /// Documents retrieved and judged, none relevant.
    pub nothing_relevant: Behaviour,
    /// Relevant documents exist, nothing retrieved.
    pub nothing_retrieved: Behaviour,
}

impl WhenEmpty {
    /// 0 in all three cases.
    pub const ZERO: WhenEmpty = WhenEmpty {
        nothing_judged: Behaviour::Value(0.0),
        nothing_relevant: Behaviour::Value(0.0),
        nothing_retrieved: Behaviour::Value(0.0),
    };
}

/// How near the bounds of a measure are to what completions reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tightness {
    /// `low` and `high` are reached by some completion.
    Exact,
    /// No completion leaves them, but none need reach them.
    Sound,
    /// The value is an estimate from the judged part and need not lie within the bounds, which are those of what full
    /// judgement could give.
    Estimator,
}

impl Tightness {
    /// In a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Tightness::Exact => "exact: some judgement of the unjudged documents reaches each bound",
            Tightness::Sound => {
                "valid but not always tight: no judgement of the unjudged documents lies outside, and they may be \
                 wider than necessary"
            }
            Tightness::Estimator => {
                "bounds of the value with complete judgements; the printed value is an estimate from the judged \
                 documents and may lie outside"
            }
        }
    }
}

/// Which judgements bounds allow for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundsKind {
    /// They hold whatever is judged, also if relevant documents exist that no run retrieved and nobody pooled.
    Complete,
    /// They assume that every relevant document was judged, pooled or retrieved.
    Retrieved,
}

impl BoundsKind {
    /// As answers name it.
    pub fn name(self) -> &'static str {
        match self {
            BoundsKind::Complete => "complete",
            BoundsKind::Retrieved => "retrieved",
        }
    }

    /// What it means, of bounds.
    pub fn meaning(self) -> &'static str {
        match self {
            BoundsKind::Complete => "they hold also if relevant documents exist that no run retrieved",
            BoundsKind::Retrieved => "they assume that every relevant document was retrieved or pooled",
        }
    }
}

/// A worked example: a ranking, what else the judgements hold, and the value with its derivation.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// The measure as text, e.g. `RBP(p=0.8)`.
    pub measure: &'static str,
    /// What the judgements are.
    pub kind: JudgementKind,
    /// The ranking, best first, blank-separated: a grade, `?` for pooled but unjudged, `-` for outside the pool; marks
    /// are written as [`crate::example`] says.
    pub ranking: &'static str,
    /// Documents in the judgements that were not retrieved, written the same way.
    pub missed: &'static str,
    /// Largest grade of the collection, and its size where the measure needs it.
    pub max_grade: f64,
    /// Documents in the collection, 0 where it does not matter.
    pub documents: u64,
    /// The value.
    pub value: f64,
    /// How it comes about.
    pub derivation: &'static str,
}

impl Example {
    /// An example with binary grades where the size of the collection does not matter.
    pub const fn new(
        measure: &'static str,
        ranking: &'static str,
        missed: &'static str,
        value: f64,
        derivation: &'static str,
    ) -> Example {
        Example {
            measure,
            kind: JudgementKind::Grades,
            ranking,
            missed,
            max_grade: 1.0,
            documents: 0,
            value,
            derivation,
        }
    }

    /// Of documents with marks.
    #[must_use]
    pub const fn marked(mut self, kind: JudgementKind) -> Example {
        self.kind = kind;
        self
    }

    /// With grades up to this one.
    #[must_use]
    pub const fn up_to(mut self, max_grade: f64) -> Example {
        self.max_grade = max_grade;
        self
    }

    /// In a collection of so many documents.
    #[must_use]
    pub const fn among(mut self, documents: u64) -> Example {
        self.documents = documents;
        self
    }
}

/// Everything there is to say about a measure.
#[derive(Clone, Copy)]
pub struct MeasureInfo {
    /// The name, as ir_measures writes it.
    pub name: &'static str,
    /// Other names: trec_eval's and ranx's without their cut-offs (`map`, `ndcg_cut`, `ndcg`).
    pub aliases: &'static [&'static str],
    /// One line: what it tells you.
    pub summary: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// How to read a value.
    pub reading: &'static str,
    /// When it misleads.
    pub misleads: &'static str,
    /// Where it comes from.
    pub citation: Citation,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Least and greatest value it can take, with its own gains: negative gains of the user's, or gains for unjudged
    /// documents, may lead out of it.
    pub range: (f64, f64),
    /// What the judgements must be.
    pub needs: JudgementKind,
    /// Its summary over topics.
    pub aggregate: Aggregate,
    /// How near its bounds are to what completions reach; which judgements they allow for says [`Measure::bounds_kind`].
    pub bounds: Tightness,
    /// What it says when there is nothing to go by.
    pub when_empty: WhenEmpty,
    /// Worked examples, recomputed by a test.
    pub examples: &'static [Example],
    /// Builds the measure from its parameters.
    pub build: fn(&MeasureSpec) -> Result<Box<dyn Measure>, SpecError>,
}

impl std::fmt::Debug for MeasureInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MeasureInfo({})", self.name)
    }
}
