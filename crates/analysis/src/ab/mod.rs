//! `ab`: did clicks change? Arms to which users were assigned by chance, and rankings that were interleaved.
//!
//! One file per way of asking: counts ([`counts()`]), rows of users or searches ([`users()`]), outcomes of interleaving
//! ([`interleaving()`]). The one decision: the sample ratio is checked first and stands above everything else; when it is wrong, no
//! comparison gets a verdict.

mod check;
mod counts;
mod interleaving;
mod looks;
mod notes;
pub mod rows;
mod times;
mod users;

pub use check::Split;
pub use counts::{Counts, CountsQuestion, counts};
pub use interleaving::{InterleavingQuestion, Outcome, Outcomes, Scheme, interleaving};
pub use users::{UsersQuestion, users};

use karat_data::{Problem, Problems};
use karat_report::NumberStyle;

/// A comparison that can be judged: which way, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// "higher", "lower" or "undecided", of the arm against the control.
    pub(crate) verdict: &'static str,
    /// In one sentence.
    pub(crate) because: String,
}

/// The verdict of a test: by its adjusted p, once the sample ratio holds.
pub(crate) fn verdict(ratio_holds: bool, difference: f64, p: Option<f64>, level: f64, test: &str) -> Verdict {
    let undecided = |because: String| Verdict { verdict: "undecided", because };
    if !ratio_holds {
        return undecided("the sample ratio is wrong, so the arms cannot be compared".into());
    }
    let Some(p) = p else { return undecided("there is no test: see the notes".into()) };
    let (threshold, shown) = (threshold_text(level), NumberStyle::P.show(p));
    // 1 − .95 is a little more than .05; a p of exactly .05 must not pass.
    if p >= (1.0 - level) * (1.0 - 1e-12) {
        return undecided(format!("{test} has p {shown}, not below {threshold}"));
    }
    let which = if difference > 0.0 { "higher" } else { "lower" };
    Verdict { verdict: which, because: format!("{test} has p {shown}, below {threshold}") }
}

/// 1 − level, without the digits that floats add.
pub(crate) fn threshold_text(level: f64) -> String {
    let short = NumberStyle::Significant(3).show(1.0 - level);
    short.trim_end_matches('0').to_owned()
}

/// What a column of units holds, in a word: `user_id` holds users.
pub(crate) fn noun(column: &str) -> &str {
    ["_id", "-id", " id", "Id", "ID"]
        .iter()
        .find_map(|end| column.strip_suffix(end))
        .filter(|noun| !noun.is_empty())
        .unwrap_or(column)
}

/// Several of them.
pub(crate) fn plural(noun: &str) -> String {
    match noun {
        _ if noun.ends_with("ch") || noun.ends_with("sh") => format!("{noun}es"),
        _ if noun.ends_with('s') => noun.to_owned(),
        _ if noun.ends_with("ry") => format!("{}ies", &noun[..noun.len() - 1]),
        _ => format!("{noun}s"),
    }
}

/// Names of arms for an error: all, or the first of very many.
pub(crate) fn listed(arms: &[String]) -> String {
    const SHOWN: usize = 12;
    let first: Vec<&str> = arms.iter().take(SHOWN).map(String::as_str).collect();
    let more = arms.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", first.join(", ")) } else { first.join(", ") }
}

pub(crate) fn refuse(
    file: &str,
    expected: impl Into<String>,
    found: impl Into<String>,
    remedy: impl Into<String>,
) -> Problems {
    Problem::of_file(file, expected, found, remedy).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!((noun("user_id"), noun("userId"), noun("id"), noun("session")), ("user", "user", "id", "session"));
        let words = ["user", "search", "searches", "query"].map(plural);
        assert_eq!(words, ["users", "searches", "searches", "queries"]);
    }

    #[test]
    fn verdicts() {
        let of = |holds, difference, p| verdict(holds, difference, p, 0.95, "the test");
        assert_eq!(of(true, 1.0, Some(0.01)).verdict, "higher");
        assert_eq!(of(true, -1.0, Some(0.01)).because, "the test has p 0.010, below 0.05");
        assert_eq!((of(true, -1.0, Some(0.01)).verdict, of(true, 1.0, Some(0.05)).verdict), ("lower", "undecided"));
        assert_eq!((of(false, 1.0, Some(0.01)).verdict, of(true, 1.0, None).verdict), ("undecided", "undecided"));
    }
}
