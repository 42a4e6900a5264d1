//! From text to [`MeasureSpec`]: the grammar, lists of measures, and what to say when a name is unknown.

use std::collections::HashSet;

use super::{MeasureSpec, SpecError, Value, alias};
use crate::Measure;
use crate::registry;

/// Parses one measure; `default_level` is the relevance level where the text gives none.
///
/// # Errors
/// The text is not a measure, or is several (`P.5,10`); the message says what is possible.
pub fn parse(text: &str, default_level: f64) -> Result<MeasureSpec, SpecError> {
    let mut specs = parse_item(text, default_level)?;
    match (specs.pop(), specs.len()) {
        (Some(spec), 0) => Ok(spec),
        (_, others) => {
            Err(SpecError { message: format!("'{}' is {} measures, expected one", text.trim(), others + 1) })
        }
    }
}

/// Parses a comma-separated list of measures. Commas inside brackets and braces belong to the measure, and so do
/// numbers after trec_eval's dot: `AP,P.5,10,ndcg.1=3,2=9` is AP, P@5, P@10 and nDCG with two gains; `P@5,10` is P@5 and P@10.
///
/// # Errors
/// One of them is not a measure; the message says what is possible.
pub fn parse_list(text: &str, default_level: f64) -> Result<Vec<MeasureSpec>, SpecError> {
    let mut items: Vec<String> = Vec::new();
    for part in split_outside(text, "([{", ")]}") {
        match items.last_mut() {
            Some(last) if !last.contains(['(', '@']) && continues(part) => {
                last.push(',');
                last.push_str(part.trim());
            }
            // `P@5,10` is P@5 and P@10.
            Some(last) if last.contains('@') && finite(part).is_some() => {
                let head = last.rsplit_once('@').map_or("", |(head, _)| head);
                let next = format!("{head}@{}", part.trim());
                items.push(next);
            }
            _ => items.push(part.to_owned()),
        }
    }
    let mut specs = Vec::new();
    for item in items.iter().filter(|item| !item.trim().is_empty()) {
        specs.extend(parse_item(item, default_level)?);
    }
    if specs.is_empty() { Err(SpecError { message: "no measure given; try AP or nDCG@10".into() }) } else { Ok(specs) }
}

/// The measures of several texts, each a list; one that is named twice, perhaps under two names, is there once.
///
/// # Errors
/// A text is not a measure; the message says what is possible.
pub fn build_all<T: AsRef<str>>(texts: &[T], default_level: f64) -> Result<Vec<Box<dyn Measure>>, SpecError> {
    let mut measures: Vec<Box<dyn Measure>> = Vec::with_capacity(texts.len());
    let mut names = HashSet::new();
    let lists: Vec<_> = texts.iter().map(|text| parse_list(text.as_ref(), default_level)).collect::<Result<_, _>>()?;
    for spec in lists.iter().flatten() {
        let measure = spec.build()?;
        if names.insert(measure.spec().to_string()) {
            measures.push(measure);
        }
    }
    Ok(measures)
}

/// Whether a part of a list is `10` or `2=9`, which no measure is called.
fn continues(part: &str) -> bool {
    match part.split_once('=') {
        Some((key, value)) => finite(key).is_some() && finite(value).is_some(),
        None => finite(part).is_some(),
    }
}

fn parse_item(text: &str, default_level: f64) -> Result<Vec<MeasureSpec>, SpecError> {
    let trimmed = text.trim();
    item(trimmed, default_level).map_err(|why| SpecError { message: format!("invalid measure '{trimmed}': {why}") })
}

/// The measures of an item, or what is wrong with it.
fn item(text: &str, default_level: f64) -> Result<Vec<MeasureSpec>, String> {
    let (body, default_level) = alias::ranx_level(text).unwrap_or((text, default_level));
    let (head, cutoff) = split_cutoff(body)?;
    let (name, parameters) = match head.split_once('(') {
        Some((name, rest)) => {
            let inner = rest.trim_end().strip_suffix(')').ok_or("the bracket '(' is not closed")?;
            (name.trim(), parse_parameters(inner)?)
        }
        None => (head.trim(), Vec::new()),
    };
    let name = alias::without_cutoff(name).filter(|_| cutoff.is_none()).unwrap_or(name);
    if let Some(info) = registry::find(name) {
        let mut spec = MeasureSpec { info, parameters, cutoff, default_level };
        if body != text {
            take_level(&mut spec)?;
        }
        take_name(&mut spec, name)?;
        return Ok(vec![spec]);
    }
    match alias::dotted(name).filter(|_| parameters.is_empty()) {
        Some(specs) => with_cutoff(specs?, cutoff, default_level),
        None => Err(unknown(name)),
    }
}

/// What stands before `@`, and the number after it.
fn split_cutoff(body: &str) -> Result<(&str, Option<f64>), String> {
    let Some((head, cutoff)) = body.rsplit_once('@') else { return Ok((body, None)) };
    match finite(cutoff) {
        Some(number) => Ok((head, Some(number))),
        None => Err(format!("the cut-off after '@' must be a number, found '{}'", cutoff.trim())),
    }
}

/// Follows ranx's `-l`: a relevance level, or gains from it on.
fn take_level(spec: &mut MeasureSpec) -> Result<(), String> {
    let takes = |wanted: &str| spec.info.parameters.iter().any(|parameter| parameter.name == wanted);
    if takes("rel") {
        return Ok(());
    }
    if !takes("gains") {
        return Err(format!("{} has no relevance level, so '-l' cannot be used", spec.info.name));
    }
    if spec.default_level > 1.0 {
        spec.parameters.push(("gains".to_owned(), alias::gains_from(spec.default_level)));
    }
    Ok(())
}

/// Adds what the name itself says of parameters.
fn take_name(spec: &mut MeasureSpec, name: &str) -> Result<(), String> {
    if spec.cutoff.is_none() && alias::names_a_cutoff(name) {
        return Err(format!("it needs a cut-off, for example {name}.10"));
    }
    for (preset, value) in alias::presets(name) {
        if !spec.parameters.iter().any(|(given, _)| given == preset) {
            spec.parameters.push(((*preset).to_owned(), Value::Word((*value).to_owned())));
        }
    }
    Ok(())
}

/// Measures in trec_eval's spelling, with the cut-off after `@`.
fn with_cutoff(
    mut specs: Vec<MeasureSpec>,
    cutoff: Option<f64>,
    default_level: f64,
) -> Result<Vec<MeasureSpec>, String> {
    for spec in &mut specs {
        spec.default_level = default_level;
        if cutoff.is_some() && spec.cutoff.is_some() {
            return Err("it has two cut-offs".into());
        }
        spec.cutoff = spec.cutoff.or(cutoff);
    }
    Ok(specs)
}

/// The sentence for a name nobody knows, with the nearest names there are.
fn unknown(name: &str) -> String {
    let wanted = name.to_ascii_lowercase();
    let mut near: Vec<(usize, &str)> = registry::MEASURES
        .iter()
        .flat_map(|info| std::iter::once(info.name).chain(info.aliases.iter().copied()))
        .map(|known| (edits(&wanted, &known.to_ascii_lowercase()), known))
        .filter(|&(distance, known)| {
            let allowed = match known.len().max(wanted.len()) {
                0..=3 => 1,
                4..=8 => 2,
                _ => 3,
            };
            distance <= allowed && distance < known.len()
        })
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    // A name and its alias may be the same measure.
    let mut seen: Vec<&'static str> = Vec::new();
    near.retain(|(_, known)| {
        let name = registry::find(known).map_or("", |info| info.name);
        let new = !seen.contains(&name);
        seen.push(name);
        new
    });
    near.truncate(3);
    let near: Vec<_> = near.iter().map(|(_, known)| *known).collect();
    if near.is_empty() {
        format!("unknown name '{name}'; `karat measures` lists all")
    } else {
        format!("unknown name '{name}'; did you mean {}? `karat measures` lists all", near.join(" or "))
    }
}

/// Levenshtein's distance: letters to insert, delete or replace.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

fn parse_parameters(text: &str) -> Result<Vec<(String, Value)>, String> {
    let mut parameters: Vec<(String, Value)> = Vec::new();
    if text.trim().is_empty() {
        return Ok(parameters);
    }
    for part in split_outside(text, "{[", "}]") {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("expected name=value in the brackets, found '{}'", part.trim()))?;
        let name = name.trim().to_owned();
        if parameters.iter().any(|(other, _)| *other == name) {
            return Err(format!("parameter '{name}' is given twice"));
        }
        parameters.push((name, parse_value(value.trim())?));
    }
    Ok(parameters)
}

/// Splits at commas that stand outside the given kinds of bracket.
fn split_outside<'t>(text: &'t str, opening: &str, closing: &str) -> Vec<&'t str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, character) in text.char_indices() {
        if opening.contains(character) {
            depth += 1;
        } else if closing.contains(character) {
            depth -= 1;
        } else if character == ',' && depth == 0 {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

fn parse_value(text: &str) -> Result<Value, String> {
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let pairs: Option<Vec<_>> = inner.split(',').map(|part| pair(part, ':')).collect();
        return pairs.map(Value::Map).ok_or_else(|| format!("expected {{grade:gain,...}}, found '{text}'"));
    }
    if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let numbers: Option<Vec<_>> = inner.split(',').map(finite).collect();
        return numbers.map(Value::List).ok_or_else(|| format!("expected [number,...], found '{text}'"));
    }
    if let Some(number) = finite(text) {
        return Ok(Value::Number(number));
    }
    let word = text.trim_matches(|c| c == '\'' || c == '"');
    if word.is_empty() { Err("a parameter has no value".into()) } else { Ok(Value::Word(word.to_owned())) }
}

/// A pair of numbers with a separator between them.
pub(super) fn pair(text: &str, separator: char) -> Option<(f64, f64)> {
    let (key, value) = text.split_once(separator)?;
    Some((finite(key)?, finite(value)?))
}

/// A finite number.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let specs = parse_list(text, 1.0).and_then(|specs| {
            specs
                .iter()
                .map(|spec| spec.build().map(|measure| measure.spec().to_string()))
                .collect::<Result<Vec<_>, _>>()
        });
        specs.map_or_else(|error| format!("! {error}"), |texts| texts.join(" "))
    }

    #[test]
    fn spellings_of_other_tools() {
        for (text, expected) in [
            ("hits@10", "NumRelRet@10"),
            ("precision", "SetP"),
            ("precision@10-l2", "P(rel=2)@10"),
            ("recall-l2", "SetR(rel=2)"),
            ("f1", "SetF"),
            ("ndcg@10-l3", "nDCG(gains={1:0,2:0})@10"),
            ("ndcg@10-l1", "nDCG@10"),
            ("ndcg_cut.10", "nDCG@10"),
            ("ndcg_cut_10", "nDCG@10"),
            ("P_10", "P@10"),
            ("P.10", "P@10"),
            ("map_cut.100", "AP@100"),
            ("recall_100", "R@100"),
            ("iprec_at_recall_0.10", "IPrec@0.1"),
            ("iprec_at_recall..25", "IPrec@0.25"),
            ("rbp.p=0.8", "RBP(p=0.8)"),
            ("rbp_p=0.5", "RBP(p=0.5)"),
            ("rbp.80", "RBP(p=0.8)"),
            ("rbp.95@100", "RBP(p=0.95)@100"),
            ("ndcg@10", "nDCG@10"),
            ("ndcg", "nDCG"),
            ("ndcg_burges@10", "nDCG(dcg=exp-log2)@10"),
            ("hit_rate@10", "Success@10"),
            ("precision@5-l2", "P(rel=2)@5"),
            ("r-precision", "Rprec"),
            ("r-precision-l2", "Rprec(rel=2)"),
            ("Rprec_mult_0.20", "RprecMult@0.2"),
            ("utility.2,-1,0,0", "Utility(a=2,b=-1,c=0,d=0)"),
            ("utility_2,-1,0,0", "Utility(a=2,b=-1,c=0,d=0)"),
            ("11pt_avg..25,.5,.75", "IPrecAvg(levels=[0.25,0.5,0.75])"),
            ("ndcg.1=3,2=9,4=4.5", "nDCG(gains={1:3,2:9,4:4.5})"),
            ("ndcg.-1=5", "nDCG(gains={-1:5})"),
            ("set_F.2.0", "SetF(x=2)"),
            ("set_F_0.5", "SetF(x=0.5)"),
            ("AP,P.5,10,ndcg.1=3,2=9,RR", "AP P@5 P@10 nDCG(gains={1:3,2:9}) RR"),
            ("nDCG(gains={1:3,2:9})@10, RBP(p=0.5,gain=linear)", "nDCG(gains={1:3,2:9})@10 RBP(p=0.5,gain=linear)"),
            ("Map", "AP"),
            ("alpha_nDCG@20", "alpha_nDCG@20"),
            ("alpha-nDCG@20,ERR-IA@5,strec@10", "alpha_nDCG@20 ERR_IA@5 StRecall@10"),
            ("α_nDCG(alpha=0.7)@5", "alpha_nDCG(alpha=0.7)@5"),
            ("MAP-IA", "AP_IA"),
            ("NRBP(alpha=0.5,beta=0.8)", "NRBP(beta=0.8)"),
            ("Q-measure,P+,P-plus", "Q PPlus PPlus"),
            ("INST(T=1.0,max_rel=3)", "INST(T=1,max_rel=3)"),
            ("Compat(normalize=False)", "Compat(p=0.95,normalize=false)"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn errors_say_what_is_possible() {
        let message = |text: &str| parse(text, 1.0).and_then(|spec| spec.build().map(drop)).unwrap_err().message;
        assert!(message("ndcg_cut").contains("ndcg_cut.10"), "{}", message("ndcg_cut"));
        assert!(message("nDGC@10").contains("nDCG"), "{}", message("nDGC@10"));
        assert!(message("P").contains("P@10"), "{}", message("P"));
        assert!(message("P@0").contains("whole number"), "{}", message("P@0"));
        assert!(message("P.5,10").contains("2 measures"), "{}", message("P.5,10"));
        assert!(message("AP(q=1)").contains("rel"), "{}", message("AP(q=1)"));
        assert!(message("zzzzzzzzzzz").contains("karat measures"));
        assert!(message("RBP(p=2)").contains("0 < p < 1"));
        assert!(message("").contains("unknown name ''"), "{}", message(""));
    }

    #[test]
    fn distances() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "ab"), 2);
    }
}
