//! trec_eval's measures as trec_eval asks for them: its names and nicknames ([`table`]), what a text such as `P.5,10` asks
//! for ([`select()`]), and what a topic's answer is ([`answer()`]).
//!
//! The decision behind it: the numbers are those of karat's own measures, found by the same name. Whoever stands in for
//! trec_eval (the command, the Python drop-in) asks here, so that they cannot disagree.

pub mod answer;
pub mod select;
pub mod table;

use karat_data::JudgementKind;

use crate::aggregate::Aggregate;
use crate::measure::Measure;

pub use answer::{Answer, answer};
pub use select::{Choices, Note, Refusal, Selection, select};

/// Which trec_eval to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// 9.0.8: scores compared as float32, recall levels by trunc(c R + 0.9), no lines for topics the run lacks.
    Nine,
    /// 10.0: scores compared as float64, recall levels by rounding, lines for such topics with -c.
    Ten,
}

/// One line of the output for every topic or for all of them.
pub struct Line {
    /// The measure's name in the table.
    pub name: &'static str,
    /// The name, with its parameter.
    pub label: String,
    /// What is computed.
    pub quantity: Quantity,
}

/// What a line shows.
pub enum Quantity {
    /// The run's tag.
    RunId,
    /// The number of topics.
    Topics,
    /// So many grades as a string.
    RelString(usize),
    /// A measure of karat's.
    Measure(Box<dyn Measure>),
    /// RBP with gains scaled by the topic's largest grade.
    Rbp(Box<dyn Measure>),
    /// What the unjudged could add to it.
    Residual(Box<dyn Measure>),
}

impl Quantity {
    /// How topics become one number; `None` where they do not.
    pub fn aggregate(&self) -> Option<Aggregate> {
        match self {
            Quantity::RunId | Quantity::RelString(_) => None,
            Quantity::Topics => Some(Aggregate::Sum),
            Quantity::Rbp(_) | Quantity::Residual(_) => Some(Aggregate::Mean),
            Quantity::Measure(measure) => Some(measure.info().aggregate),
        }
    }

    /// Whether there is a line for every topic.
    pub fn by_query(&self) -> bool {
        match self {
            Quantity::RunId | Quantity::Topics => false,
            Quantity::RelString(_) | Quantity::Rbp(_) | Quantity::Residual(_) => true,
            Quantity::Measure(measure) => !matches!(measure.info().aggregate, Aggregate::GeometricMean { .. }),
        }
    }

    /// What the judgements must be; `None` where it does not matter.
    pub fn needs(&self) -> Option<JudgementKind> {
        match self {
            Quantity::RunId | Quantity::Topics => None,
            Quantity::RelString(_) | Quantity::Rbp(_) | Quantity::Residual(_) => Some(JudgementKind::Grades),
            Quantity::Measure(measure) => Some(measure.info().needs),
        }
    }

    /// Whether it depends on recall levels, which trec_eval cannot compute for an empty list.
    pub fn interpolates(&self) -> bool {
        matches!(self, Quantity::Measure(measure) if measure.info().name.starts_with("IPrec"))
    }
}
