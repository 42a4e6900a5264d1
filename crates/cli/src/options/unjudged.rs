//! `--unjudged`: what documents that nobody judged are taken for.

use karat_analysis::unjudged::Treatment;

/// What unjudged documents are taken for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UnjudgedOption {
    /// Not relevant in the value; what they could do to it is in the bounds.
    Bounds,
    /// Not relevant, and that is believed: no bounds.
    Nonrelevant,
    /// Taken out of the ranking (as -J).
    Condensed,
    /// Relevant with some chance; values are expected values.
    Probable(Treatment),
}

/// The words of `--unjudged`, in the order the help tells them.
const UNJUDGED: [(&str, UnjudgedOption, &str); 6] = [
    ("bounds", UnjudgedOption::Bounds, "not relevant in the value; what they could do to it is in the bounds"),
    ("nonrelevant", UnjudgedOption::Nonrelevant, "not relevant, and that is believed: no bounds"),
    ("condensed", UnjudgedOption::Condensed, "taken out of the ranking (as -J)"),
    (
        "band",
        UnjudgedOption::Probable(Treatment::Band),
        "as likely relevant as judged documents of about the same rank",
    ),
    (
        "fit",
        UnjudgedOption::Probable(Treatment::Fit),
        "as likely as the best of three models of the judged ranks has it",
    ),
    (
        "urn",
        UnjudgedOption::Probable(Treatment::Urn),
        "as likely as Park's urn has it after the judged ranks of the list",
    ),
];

pub(super) fn parse(text: &str) -> Result<UnjudgedOption, String> {
    if let Some((_, option, _)) = UNJUDGED.iter().find(|(name, _, _)| *name == text) {
        return Ok(*option);
    }
    let chance = text.strip_prefix("q=").and_then(|number| number.parse::<f64>().ok());
    match chance {
        Some(chance) if (0.0..=1.0).contains(&chance) => Ok(UnjudgedOption::Probable(Treatment::Given(chance))),
        Some(chance) => Err(format!("q is {chance}; expected a probability from 0 to 1, such as q=0.1")),
        None => {
            let names: Vec<&str> = UNJUDGED.iter().map(|(name, _, _)| *name).collect();
            Err(format!("expected one of {}, or a probability such as q=0.1", names.join(", ")))
        }
    }
}

/// The help of `--unjudged`.
pub(super) fn help() -> String {
    let mut text = String::from("What to take unjudged documents for:");
    for (name, _, meaning) in UNJUDGED {
        text.push_str(&format!("\n- {name}: {meaning}"));
    }
    text.push_str("\n- q=0.1: relevant with this probability");
    text
}

impl std::fmt::Display for UnjudgedOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let UnjudgedOption::Probable(Treatment::Given(chance)) = self {
            return write!(f, "q={chance}");
        }
        f.write_str(UNJUDGED.iter().find(|(_, option, _)| option == self).map_or("", |(name, _, _)| *name))
    }
}
