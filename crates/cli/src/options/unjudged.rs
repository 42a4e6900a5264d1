//! `--unjudged`: how unjudged documents are treated.

use karat_analysis::unjudged::Treatment;

/// How unjudged documents are treated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UnjudgedOption {
    /// Not relevant in the value; the bounds show the range over all possible judgements.
    Bounds,
    /// Not relevant; no bounds.
    Nonrelevant,
    /// Removed from the ranking (same as -J).
    Condensed,
    /// Relevant with a probability; values are expected values.
    Probable(Treatment),
}

/// The values of `--unjudged`, in the order of the help.
const UNJUDGED: [(&str, UnjudgedOption, &str); 6] = [
    ("bounds", UnjudgedOption::Bounds, "treat as not relevant; show bounds over all possible judgements"),
    ("nonrelevant", UnjudgedOption::Nonrelevant, "treat as not relevant; no bounds"),
    ("condensed", UnjudgedOption::Condensed, "remove from the ranking (same as -J)"),
    ("band", UnjudgedOption::Probable(Treatment::Band), "probability from judged documents at similar ranks"),
    ("fit", UnjudgedOption::Probable(Treatment::Fit), "probability from the best of three rank models"),
    (
        "urn",
        UnjudgedOption::Probable(Treatment::Urn),
        "probability from Park's urn model, given the judged documents of the list",
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
    let mut text = String::from("How to treat unjudged documents:");
    for (name, _, meaning) in UNJUDGED {
        text.push_str(&format!("\n- {name}: {meaning}"));
    }
    text.push_str("\n- q=0.1: relevant with this probability\n[default: bounds; nonrelevant where the judgements name relevant documents only]");
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
