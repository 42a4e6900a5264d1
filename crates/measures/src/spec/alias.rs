//! Spellings of other tools that the grammar does not cover: trec_eval's parameters after a dot or an underscore, ranx's
//! persistence and relevance level, and names that stand for a measure with a parameter set.

use super::parse::{finite, pair};
use super::{MeasureSpec, Value};
use crate::info::MeasureInfo;
use crate::registry;

/// Names that stand for a measure with a word parameter set.
const PRESETS: &[(&str, &[(&str, &str)])] = &[
    ("ndcg_burges", &[("dcg", "exp-log2")]),
    ("dcg_burges", &[("dcg", "exp-log2")]),
    ("prefs_simp_imp", &[("scope", "implied")]),
    ("prefs_pair_imp", &[("scope", "implied")]),
    ("prefs_avgjg_imp", &[("scope", "implied")]),
    ("prefs_simp_ret", &[("scope", "retrieved")]),
    ("prefs_pair_ret", &[("scope", "retrieved")]),
    ("prefs_avgjg_ret", &[("scope", "retrieved")]),
    ("prefs_avgjg_Rnonrel_ret", &[("scope", "retrieved")]),
    ("prefs_num_prefs_ful_ret", &[("scope", "retrieved")]),
];

/// The parameters a name implies.
pub(super) fn presets(name: &str) -> &'static [(&'static str, &'static str)] {
    PRESETS.iter().find(|(preset, _)| preset.eq_ignore_ascii_case(name)).map_or(&[], |(_, parameters)| parameters)
}

/// Whether trec_eval means a measure at a cut-off by this name, though the measure itself can do without one.
pub(super) fn names_a_cutoff(name: &str) -> bool {
    ["ndcg_cut", "map_cut"].iter().any(|cut| cut.eq_ignore_ascii_case(name))
}

/// What ranx means by a name without a cut-off, where karat's measure of that name needs one.
pub(super) fn without_cutoff(name: &str) -> Option<&'static str> {
    let whole = [("precision", "SetP"), ("recall", "SetR"), ("f1", "SetF")];
    whole.iter().find(|(ranx, _)| *ranx == name).map(|(_, own)| *own)
}

/// The gains that ranx leaves to grades below its level; karat's level, as trec_eval's, does not touch gains.
pub(super) fn gains_from(level: f64) -> Value {
    let below = (1..).map(f64::from).take_while(|grade| *grade < level);
    Value::Map(below.map(|grade| (grade, 0.0)).collect())
}

/// ranx's relevance level at the end: `ndcg@10-l2`.
pub(super) fn ranx_level(text: &str) -> Option<(&str, f64)> {
    let (body, level) = text.rsplit_once("-l")?;
    let level: u32 = level.parse().ok()?;
    ((1..=1000).contains(&level) && !body.is_empty()).then_some((body, f64::from(level)))
}

/// trec_eval's `P.5,10`, `ndcg_cut_10`, `utility.1,-1,0,0`, `rbp.p=0.8` and ranx's `rbp.80`. `None` when no measure's
/// name begins the text, an error when the rest is not its parameters.
pub(super) fn dotted(text: &str) -> Option<Result<Vec<MeasureSpec>, String>> {
    let names = registry::MEASURES
        .iter()
        .flat_map(|info| std::iter::once(info.name).chain(info.aliases.iter().copied()).map(move |name| (*info, name)));
    let (info, name) = names
        .filter(|(_, name)| {
            text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
                && text[name.len()..].starts_with(['.', '_'])
                && text[name.len() + 1..].starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-' || c == 'p')
        })
        .max_by_key(|(_, name)| name.len())?;
    Some(parameters(info, &text[name.len() + 1..]))
}

fn parameters(info: &'static MeasureInfo, text: &str) -> Result<Vec<MeasureSpec>, String> {
    let spec = MeasureSpec::new(info);
    let takes = |name: &str| info.parameters.iter().any(|parameter| parameter.name == name);
    let wrong = |expected: &str| format!("expected {expected} after the name, found '{text}'");
    if let Some(p) = text.strip_prefix("p=") {
        let p = finite(p).filter(|_| takes("p")).ok_or_else(|| wrong("a number"))?;
        return Ok(vec![spec.with("p", Value::Number(p))]);
    }
    if text.contains('=') {
        let pairs: Option<Vec<_>> = text.split(',').map(|part| pair(part, '=')).collect();
        let pairs = pairs.filter(|_| takes("gains")).ok_or_else(|| wrong("grade=gain,..."))?;
        return Ok(vec![spec.with("gains", Value::Map(pairs))]);
    }
    if takes("p") {
        // ranx writes the digits behind the decimal point only: rbp.80 is p = 0.80.
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let p = if digits { finite(&format!("0.{text}")) } else { finite(text) };
        return p.map(|p| vec![spec.with("p", Value::Number(p))]).ok_or_else(|| wrong("the persistence"));
    }
    let numbers: Option<Vec<f64>> = text.split(',').map(finite).collect();
    let numbers = numbers.ok_or_else(|| wrong("numbers"))?;
    if takes("levels") {
        return Ok(vec![spec.with("levels", Value::List(numbers))]);
    }
    if takes("cutoff") {
        return Ok(numbers.into_iter().map(|cutoff| MeasureSpec::new(info).real_cutoff(cutoff)).collect());
    }
    // What is left has a fixed number of numbers: utility's four coefficients, set_F's weight.
    let names: &[&str] = if takes("x") { &["x"] } else { &["a", "b", "c", "d"] };
    if !names.iter().all(|name| takes(name)) {
        return Err(format!("{} takes nothing after its name", info.name));
    }
    if numbers.len() != names.len() {
        return Err(wrong(&format!("{} numbers", names.len())));
    }
    Ok(vec![names.iter().zip(numbers).fold(spec, |spec, (name, number)| spec.with(name, Value::Number(number)))])
}
