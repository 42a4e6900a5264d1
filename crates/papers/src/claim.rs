//! A claim of a paper: where it is, what it says, and what karat computes.
//!
//! The one decision: a claim is data. What is printed is typed in; the number next to it is computed by the code that answers users;
//! whether the claim holds follows from the two and the tolerance.

use karat_report::{Cell, NumberStyle};
use schemars::JsonSchema;
use serde::Serialize;

/// A number or words; `None` where a paper prints none, or none can be computed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(f64),
    /// Words.
    Words(String),
    /// Nothing.
    None,
}

impl Value {
    /// As people read it; `None` for nothing.
    pub fn show(&self, style: NumberStyle) -> Option<String> {
        match self {
            Value::Number(number) => Some(style.show(*number)),
            Value::Words(words) => Some(words.clone()),
            Value::None => None,
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        if number.is_finite() { Value::Number(number) } else { Value::None }
    }
}

impl From<Option<f64>> for Value {
    fn from(number: Option<f64>) -> Value {
        number.map_or(Value::None, Value::from)
    }
}

impl From<&str> for Value {
    fn from(words: &str) -> Value {
        Value::Words(words.into())
    }
}

impl From<String> for Value {
    fn from(words: String) -> Value {
        Value::Words(words)
    }
}

impl From<Value> for Cell {
    fn from(value: Value) -> Cell {
        match value {
            Value::Number(number) => number.into(),
            Value::Words(words) => words.into(),
            Value::None => Cell::Missing,
        }
    }
}

/// One claim.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Claim {
    /// Section, table, figure or equation.
    pub place: String,
    /// What is claimed, in a few words.
    pub claim: String,
    /// What the paper prints.
    pub printed: Value,
    /// What karat computes.
    pub computed: Value,
    /// How far `computed` may be from `printed`: half a unit of the last digit unless a note says otherwise.
    pub tolerance: Option<f64>,
    /// Whether it holds; null if that cannot be checked.
    pub holds: Option<bool>,
    /// Why it does not hold or cannot be checked, or what else a reader must know.
    pub note: Option<String>,
}

/// Tolerance for floating-point rounding, relative.
const SLACK: f64 = 1e-9;

impl Claim {
    /// A number as it is printed, digits and all (`"0.816"`): ours must round to it.
    pub fn printed(place: &str, claim: impl Into<String>, printed: &str, computed: impl Into<Value>) -> Claim {
        let decimals = printed.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
        let number: Option<f64> = printed.replace(',', "").parse().ok();
        Claim::near(place, claim, number, 0.5 * 10f64.powi(-decimals), computed)
    }

    /// A number, and how far ours may be from it.
    pub fn near(
        place: &str,
        claim: impl Into<String>,
        printed: impl Into<Value>,
        tolerance: f64,
        computed: impl Into<Value>,
    ) -> Claim {
        let (printed, computed) = (printed.into(), computed.into());
        let holds = match (&printed, &computed) {
            (Value::Number(printed), Value::Number(computed)) => {
                Some((printed - computed).abs() <= tolerance * (1.0 + SLACK) + printed.abs() * 1e-12)
            }
            _ => None,
        };
        let note = holds.is_none().then(|| "there is no number to compare with".into());
        let tolerance = Some(tolerance);
        Claim { place: place.into(), claim: claim.into(), printed, tolerance, computed, holds, note }
    }

    /// A claim in words, and whether what came out agrees with it.
    pub fn words(
        place: &str,
        claim: impl Into<String>,
        printed: impl Into<Value>,
        computed: impl Into<Value>,
        holds: bool,
    ) -> Claim {
        let computed = computed.into();
        // Where nothing was measured, nothing was refuted.
        let holds = (computed != Value::None).then_some(holds);
        let note = holds.is_none().then(|| "nothing could be measured here".into());
        let (place, claim, printed) = (place.into(), claim.into(), printed.into());
        Claim { place, claim, printed, tolerance: None, computed, holds, note }
    }

    /// A claim that cannot be checked, and why.
    pub fn open(
        place: &str,
        claim: impl Into<String>,
        printed: impl Into<Value>,
        computed: impl Into<Value>,
        why: impl Into<String>,
    ) -> Claim {
        Claim { holds: None, note: Some(why.into()), ..Claim::words(place, claim, printed, computed, false) }
    }

    /// For a number that the paper does not print: an equation of the paper evaluated, or a check of ours. The field `printed` says so.
    pub fn by(mut self, what: &str) -> Claim {
        if let Value::Number(number) = self.printed {
            self.printed = Value::Words(format!("not printed; {} {what}", NumberStyle::Significant(6).show(number)));
        }
        self
    }

    /// With a note.
    pub fn note(mut self, note: impl Into<String>) -> Claim {
        self.note = Some(note.into());
        self
    }

    /// With a note that is shown only if the claim does not hold.
    pub fn or_else(self, note: impl Into<String>) -> Claim {
        if self.holds == Some(false) { self.note(note) } else { self }
    }

    /// The verdict in words.
    pub fn verdict(&self) -> &'static str {
        match self.holds {
            Some(true) => "holds",
            Some(false) => "does not hold",
            None => "cannot be checked",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_digits_are_the_tolerance() {
        // 0.816 stands for 0.8155 to 0.8165.
        assert_eq!(Claim::printed("", "", "0.816", 0.8164).holds, Some(true));
        assert_eq!(Claim::printed("", "", "0.816", 0.8166).holds, Some(false));
        assert_eq!(Claim::printed("", "", "0.816", 0.8165).holds, Some(true));
        assert_eq!(Claim::printed("", "", "1,001", 1902.0).printed, Value::Number(1001.0));
        assert_eq!(Claim::printed("", "", "15", 15.4).tolerance, Some(0.5));
        let missing = Claim::printed("", "", "0.5", f64::NAN);
        assert!(missing.holds.is_none() && missing.computed == Value::None && missing.note.is_some());
    }

    #[test]
    fn verdicts() {
        assert_eq!(Claim::words("", "", "falls", "rises", false).verdict(), "does not hold");
        assert_eq!(Claim::open("", "", "", Value::None, "no data").verdict(), "cannot be checked");
        assert_eq!(Claim::words("", "", "a", "a", true).or_else("why").note, None);
        assert_eq!(Claim::words("", "", "a", "b", false).or_else("why").note.as_deref(), Some("why"));
        let unmeasured = Claim::words("", "", "high", f64::NAN, false).or_else("why");
        assert!(unmeasured.holds.is_none() && unmeasured.note.is_some_and(|note| note.contains("nothing")));
        let equation = Claim::near("", "", 1.0 / 3.0, 1e-12, 1.0 / 3.0).by("by the equation");
        assert_eq!((equation.holds, equation.printed), (Some(true), "not printed; 0.333333 by the equation".into()));
    }
}
