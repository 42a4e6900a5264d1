//! Which modules of a crate use each other in circles.

use std::collections::{BTreeMap, BTreeSet};

/// What each module uses.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// The modules that `code` names behind `crate::`.
pub fn used(code: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, start) in code.match_indices("crate::") {
        let rest = &code[at + start.len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(list) => first_names(list),
            None => vec![rest],
        };
        let word =
            |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        found.extend(names.into_iter().map(word).filter(|name| modules.contains(name)));
    }
    found
}

/// The parts of `a::{b, c}, d}`, up to the brace that closes.
fn first_names(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, sign) in list.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&list[start..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

/// Groups of modules that all reach each other, in order; a module alone is no cycle.
pub fn cycles(uses: &Uses) -> Vec<Vec<String>> {
    let reached: Uses = uses.keys().map(|name| (name.clone(), reach(name, uses))).collect();
    let reaches = |a: &str, b: &str| reached.get(a).is_some_and(|names| names.contains(b));
    let mut groups = BTreeSet::new();
    for name in uses.keys() {
        let group: Vec<String> =
            uses.keys().filter(|other| reaches(name, other) && reaches(other, name)).cloned().collect();
        if group.len() > 1 {
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}

fn reach(from: &str, uses: &Uses) -> BTreeSet<String> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(name) = open.pop() {
        for next in uses.get(&name).into_iter().flatten() {
            if seen.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_chains_are_not() {
        let modules: BTreeSet<String> = ["a", "b", "c", "d"].map(String::from).into();
        let names = |text: &str| used(text, &modules).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(names("use crate::{b::{x, a}, c};\nlet x = crate::d::y();\nuse crate::other;"), "b c d");
        // a uses b, b uses c, c uses b and d: only b and c go round.
        let uses = |pairs: &[(&str, &str)]| -> Uses {
            pairs.iter().map(|(name, text)| ((*name).to_owned(), used(text, &modules))).collect()
        };
        let found = uses(&[("a", "crate::b"), ("b", "crate::c"), ("c", "crate::{b, d}"), ("d", "")]);
        assert_eq!(cycles(&found), [["b", "c"]]);
    }
}
