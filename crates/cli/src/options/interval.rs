//! `--interval` and `--resamples`: how confidence intervals over topics are made.

use clap::{Args, ValueEnum};
use karat_analysis::summary::{Inference, IntervalMethod};
use karat_stats::seed::Seed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum IntervalName {
    /// Chosen from the scores and the range of the measure: exact for proportions, Student's t unless the scores speak against it, else bounded mean (see karat explain auto)
    Auto,
    /// Student's t
    T,
    /// Bias-corrected and accelerated bootstrap over topics
    Bca,
}

/// How confidence intervals over topics are made.
#[derive(Debug, Args)]
pub struct IntervalOptions {
    /// Method of the confidence intervals over topics
    #[arg(long = "interval", value_enum, default_value = "auto")]
    method: IntervalName,
    /// Number of bootstrap resamples
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(200..=100_000_000))]
    pub resamples: u32,
}

impl IntervalOptions {
    /// Whether the intervals are made by a bootstrap.
    pub fn is_bootstrap(&self) -> bool {
        self.method == IntervalName::Bca
    }

    /// The method as it is typed.
    pub fn name(&self) -> &'static str {
        match self.method {
            IntervalName::Auto => "auto",
            IntervalName::T => "t",
            IntervalName::Bca => "bca",
        }
    }

    /// The choice as it would be typed, if it is not the default.
    pub fn choice(&self, seed: u64) -> Option<String> {
        match self.method {
            IntervalName::Auto => None,
            IntervalName::T => Some("--interval t".to_owned()),
            IntervalName::Bca => Some(format!("--interval bca ({} resamples, seed {seed})", self.resamples)),
        }
    }

    /// As analyses take it.
    pub fn inference(&self, level: f64, seed: u64) -> Inference {
        let method = match self.method {
            IntervalName::Auto => IntervalMethod::Auto,
            IntervalName::T => IntervalMethod::StudentT,
            IntervalName::Bca => IntervalMethod::Bca { resamples: self.resamples },
        };
        Inference { method, level, seed: Seed(seed) }
    }
}
