//! Search evaluation that says how sure it is: scores with intervals and bounds, comparisons with verdicts, budgets of uncertainty.
//!
//! An [`Experiment`] holds judgements and runs; it reads each run once, however many questions follow. Answers are structs with
//! public fields that serialise to the JSON of the command line. The examples run on the collection of `karat demo`;
//! `Experiment::open("qrels.txt", ["a.run", "b.run"])?` takes files instead, in any format and compression that karat reads.
//!
//! Evaluate (`cargo run -p karat --example evaluate`):
//!
//! ```
//! use karat::prelude::*;
//!
//! # fn main() -> Result<(), karat::Error> {
//! let answer = Experiment::demo()?.measures(["AP", "nDCG@10"]).eval(&EvalOptions::default())?;
//! for row in &answer.scores {
//!     println!("{} of {}: {:?}, 95% interval {:?}", row.measure, row.run, row.value, row.interval);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Compare (`cargo run -p karat --example compare`):
//!
//! ```
//! use karat::prelude::*;
//!
//! # fn main() -> Result<(), karat::Error> {
//! let answer = Experiment::demo()?.measures(["AP"]).compare(&CompareOptions::default())?;
//! for row in &answer.comparisons {
//!     println!("{} or {}: {} ({})", row.a, row.b, row.verdict, row.because);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Find the cheapest way to a narrower interval (`cargo run -p karat --example budget`):
//!
//! ```
//! use karat::prelude::*;
//!
//! # fn main() -> Result<(), karat::Error> {
//! let options = BudgetOptions { target_width: Some(0.05), ..BudgetOptions::default() };
//! let answer = Experiment::demo()?.select([0])?.budget(&options)?;
//! for row in answer.advice.iter().flatten() {
//!     println!("{:?}: {:?} more topics, {:?} more judgements", row.strategy, row.topics, row.judgements);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! What an experiment does not offer is in the crates below it: [`analysis`] has every question of the command line, [`data`],
//! [`formats`], [`measures`] and [`stats`] what they are made of.

mod answer;
mod error;
mod experiment;
mod options;

pub use answer::Answer;
pub use error::Error;
pub use experiment::Experiment;
pub use options::{BudgetOptions, CompareOptions, EvalOptions};

pub use karat_analysis as analysis;
pub use karat_data as data;
pub use karat_formats as formats;
pub use karat_measures as measures;
pub use karat_stats as stats;

/// What most programs need.
pub mod prelude {
    pub use crate::{Answer, BudgetOptions, CompareOptions, Error, EvalOptions, Experiment};
    pub use karat_analysis::budget::{BudgetAnswer, Prices};
    pub use karat_analysis::compare::answer::Comparisons;
    pub use karat_analysis::eval::EvalAnswer;
    pub use karat_analysis::summary::IntervalMethod;
    pub use karat_data::{MissingTopics, Ties};
    pub use karat_formats::Input;
}
