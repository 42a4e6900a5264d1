//! The text form of a measure: `nDCG@10`, `P(rel=2)@5`, `RBP(p=0.8)`.
//!
//! Grammar: `NAME [ "(" key "=" value { "," key "=" value } ")" ] [ "@" cutoff ]`, after ir_measures, read by [`parse`];
//! a value is a number, a word, a map `{1:3,2:9}` or a list `[0.25,0.5]`. trec_eval's (`ndcg_cut.10`, `ndcg_cut_10`,
//! `P_10`) and ranx's (`rbp.80`) spellings are turned into it by the private module `alias`.

use std::fmt;

use crate::info::{Legal, MeasureInfo, Parameter};
use crate::measure::Measure;

mod alias;
mod parse;

pub use parse::{build_all, parse, parse_list};

/// The cut-off of a measure that needs one.
pub const CUTOFF: Parameter = Parameter {
    name: "cutoff",
    default: "",
    legal: Legal::Rank { most: None, optional: false },
    meaning: "number of ranks, such as @10",
};

/// The cut-off of a measure that can do without.
pub const OPTIONAL_CUTOFF: Parameter = Parameter {
    name: "cutoff",
    default: "",
    legal: Legal::Rank { most: None, optional: true },
    meaning: "number of ranks, such as @10; default: all",
};

/// The depth to which sample_eval.pl evaluates a list.
pub const DEPTH_1000: Parameter = Parameter {
    name: "cutoff",
    default: "1000",
    legal: Legal::Rank { most: None, optional: false },
    meaning: "number of ranks, and the longest possible list",
};

/// The relevance level of a binary measure.
pub const RELEVANCE: Parameter = Parameter {
    name: "rel",
    default: "1",
    legal: Legal::Described("a number above 0"),
    meaning: "lowest grade that counts as relevant",
};

/// A parameter's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// A map from numbers to numbers, `{1:3,2:9}`.
    Map(Vec<(f64, f64)>),
    /// A list of numbers, `[0.25,0.5]`.
    List(Vec<f64>),
}

/// Why a text is not a measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// The sentence for the user: what was found, what is possible.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

/// A measure's name and parameters, not yet built.
#[derive(Debug, Clone)]
pub struct MeasureSpec {
    info: &'static MeasureInfo,
    parameters: Vec<(String, Value)>,
    cutoff: Option<f64>,
    default_level: f64,
}

impl MeasureSpec {
    /// The measure without parameters.
    pub fn new(info: &'static MeasureInfo) -> Self {
        MeasureSpec { info, parameters: Vec::new(), cutoff: None, default_level: 1.0 }
    }

    /// The measure of that name or alias, with the parameters an alias implies (`prefs_simp_ret`); `None` where there is
    /// none. Cut-offs and other text after the name are for [`parse`].
    pub fn named(name: &str) -> Option<Self> {
        let spec = MeasureSpec::new(crate::registry::find(name)?);
        let presets = alias::presets(name).iter();
        Some(presets.fold(spec, |spec, (parameter, value)| spec.with(parameter, Value::Word((*value).to_owned()))))
    }

    /// With a parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.parameters.push((name.to_owned(), value));
        self
    }

    /// The same with another value of a parameter.
    #[must_use]
    pub fn changed(&self, name: &str, value: Value) -> Self {
        let mut changed = self.clone();
        changed.parameters.retain(|(other, _)| other != name);
        changed.with(name, value)
    }

    /// The same without a cut-off.
    #[must_use]
    pub fn without_cutoff(mut self) -> Self {
        self.cutoff = None;
        self
    }

    /// With a number, which is not written where it is the default.
    #[must_use]
    pub fn with_unless(self, name: &str, value: f64, default: f64) -> Self {
        if value == default { self } else { self.with(name, Value::Number(value)) }
    }

    /// With a parameter that is true or false, which is not written where it is the default.
    #[must_use]
    pub fn with_flag(self, name: &str, value: bool, default: bool) -> Self {
        if value == default { self } else { self.with(name, Value::Word(value.to_string())) }
    }

    /// With a relevance level; the default level 1 is not written.
    #[must_use]
    pub fn with_level(self, level: f64) -> Self {
        if level == 1.0 { self } else { self.with("rel", Value::Number(level)) }
    }

    /// With a cut-off.
    #[must_use]
    pub fn cutoff(mut self, cutoff: usize) -> Self {
        self.cutoff = Some(cutoff as f64);
        self
    }

    /// With the cut-off of [`DEPTH_1000`], which is not written where it is the default.
    #[must_use]
    pub fn depth(self, depth: usize) -> Self {
        if depth == 1000 { self } else { self.cutoff(depth) }
    }

    /// With a cut-off that need not be a whole number (IPrec@0.1).
    #[must_use]
    pub fn real_cutoff(mut self, cutoff: f64) -> Self {
        self.cutoff = Some(cutoff);
        self
    }

    /// With a cut-off, if there is one.
    #[must_use]
    pub fn optional(self, cutoff: Option<usize>) -> Self {
        match cutoff {
            Some(cutoff) => self.cutoff(cutoff),
            None => self,
        }
    }

    /// The row of the table.
    pub fn info(&self) -> &'static MeasureInfo {
        self.info
    }

    /// Builds the measure.
    ///
    /// # Errors
    /// A parameter is unknown, missing or out of its legal range.
    pub fn build(&self) -> Result<Box<dyn Measure>, SpecError> {
        for (name, _) in &self.parameters {
            if !self.info.parameters.iter().any(|parameter| parameter.name == name && name != "cutoff") {
                if name == "cutoff" {
                    return Err(self.error(format!("takes its cut-off after '@': {}@10", self.info.name)));
                }
                return Err(self.error(format!("has no parameter '{name}'; it takes {}", self.parameter_names())));
            }
        }
        if self.cutoff.is_some() && !self.info.parameters.iter().any(|parameter| parameter.name == "cutoff") {
            return Err(self.error("takes no cut-off after '@'".into()));
        }
        (self.info.build)(self)
    }

    fn parameter_names(&self) -> String {
        let shown = |name| if name == "cutoff" { "@cut-off" } else { name };
        let names: Vec<_> = self.info.parameters.iter().map(|p| format!("{} ({})", shown(p.name), p.legal)).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }

    fn error(&self, what: String) -> SpecError {
        SpecError { message: format!("measure '{}' {what}", self.info.name) }
    }

    /// The error for a parameter out of its range.
    pub fn illegal(&self, name: &str, legal: impl fmt::Display) -> SpecError {
        let given = match name {
            "cutoff" => self.cutoff.map(plain),
            _ => self.value(name).map(|value| value.to_string()),
        };
        let found = given.as_deref().unwrap_or("nothing");
        SpecError { message: format!("measure '{}': '{name}' needs {legal}, found {found}", self.info.name) }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// A numeric parameter.
    ///
    /// # Errors
    /// It is given and not a number.
    pub fn number(&self, name: &str) -> Result<Option<f64>, SpecError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(*number)),
            Some(_) => Err(self.illegal(name, "a number")),
        }
    }

    /// A word parameter.
    ///
    /// # Errors
    /// It is given and not a word.
    pub fn word(&self, name: &str) -> Result<Option<&str>, SpecError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Word(word)) => Ok(Some(word)),
            Some(_) => Err(self.illegal(name, "a word")),
        }
    }

    /// A parameter that is true or false.
    ///
    /// # Errors
    /// It is given and neither.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, SpecError> {
        match self.word(name)? {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(_) => Err(self.illegal(name, "true or false")),
        }
    }

    /// A map parameter.
    ///
    /// # Errors
    /// It is given and not a map.
    pub fn map(&self, name: &str) -> Result<Option<&[(f64, f64)]>, SpecError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::Map(map)) => Ok(Some(map)),
            Some(_) => Err(self.illegal(name, "a map {grade:gain,...}")),
        }
    }

    /// A list parameter.
    ///
    /// # Errors
    /// It is given and not a list.
    pub fn list(&self, name: &str) -> Result<Option<&[f64]>, SpecError> {
        match self.value(name) {
            None => Ok(None),
            Some(Value::List(list)) => Ok(Some(list)),
            Some(_) => Err(self.illegal(name, "a list [number,...]")),
        }
    }

    /// The level from which a grade is relevant: `rel`, or the default the user set.
    ///
    /// # Errors
    /// It is not a number above 0.
    pub fn level(&self) -> Result<f64, SpecError> {
        let level = self.number("rel")?.unwrap_or(self.default_level);
        if level.is_finite() && level > 0.0 { Ok(level) } else { Err(self.illegal("rel", RELEVANCE.legal)) }
    }

    /// The level used where a text gives none (`-l`).
    #[must_use]
    pub fn with_default_level(mut self, level: f64) -> Self {
        self.default_level = level;
        self
    }

    /// The cut-off of a measure that can do without.
    ///
    /// # Errors
    /// It is not a whole number from 1.
    pub fn optional_cutoff(&self) -> Result<Option<usize>, SpecError> {
        match self.cutoff {
            None => Ok(None),
            Some(cutoff) if cutoff >= 1.0 && cutoff.fract() == 0.0 && cutoff <= u32::MAX as f64 => {
                Ok(Some(cutoff as usize))
            }
            Some(_) => Err(self.illegal("cutoff", CUTOFF.legal)),
        }
    }

    /// The cut-off of a measure with [`DEPTH_1000`].
    ///
    /// # Errors
    /// It is not a whole number from 1.
    pub fn depth_or_1000(&self) -> Result<usize, SpecError> {
        Ok(self.optional_cutoff()?.unwrap_or(1000))
    }

    /// The cut-off of a measure that needs one.
    ///
    /// # Errors
    /// There is none, or it is not a whole number from 1.
    pub fn required_cutoff(&self) -> Result<usize, SpecError> {
        self.optional_cutoff()?.ok_or_else(|| self.error(format!("needs a cut-off, for example {}@10", self.info.name)))
    }

    /// The cut-off as written, for measures where it is not a rank.
    pub fn raw_cutoff(&self) -> Option<f64> {
        self.cutoff
    }
}

/// A number as people write it: 0.8, 10, 1e300.
fn plain(number: f64) -> String {
    let size = number.abs();
    if size >= 1e15 || (size > 0.0 && size < 1e-6) { format!("{number:e}") } else { number.to_string() }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => f.write_str(&plain(*number)),
            Value::Word(word) => f.write_str(word),
            Value::Map(map) => {
                let pairs: Vec<_> =
                    map.iter().map(|(key, value)| format!("{}:{}", plain(*key), plain(*value))).collect();
                write!(f, "{{{}}}", pairs.join(","))
            }
            Value::List(list) => {
                let numbers: Vec<_> = list.iter().map(|number| plain(*number)).collect();
                write!(f, "[{}]", numbers.join(","))
            }
        }
    }
}

impl fmt::Display for MeasureSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)?;
        if !self.parameters.is_empty() {
            let pairs: Vec<_> = self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
            write!(f, "({})", pairs.join(","))?;
        }
        match self.cutoff {
            Some(cutoff) => write!(f, "@{cutoff}"),
            None => Ok(()),
        }
    }
}
