//! The crate `analysis` computes: it imports nothing that presents, has no words for people, and its modules form no circles.

use std::collections::BTreeSet;

use super::RustFile;
use super::cycles::{Uses, cycles, used};
use super::source::StringLiteral;

const ROOT: &str = "crates/analysis/src/";

/// Crates that make words, tables and figures.
const PRESENTING: [&str; 2] = ["karat_report", "karat_present"];

/// Files whose constants may have blanks: they name random streams and values of fields, which programs read and people do not.
const FIXED_NAMES: [&str; 2] = ["streams.rs", "values.rs"];

/// Checks the crate's files.
pub fn check(files: &[RustFile], wrong: &mut Vec<String>) {
    let files = own_files(files);
    let name = |file: &RustFile| file.path[ROOT.len()..].to_owned();
    let importing = files.iter().filter(|file| imports(file)).map(|file| name(file));
    refuse(importing, "imports karat_report or karat_present", wrong);
    let wordy = files.iter().filter(|file| has_words(file)).map(|file| name(file));
    refuse(wordy, "has words for people (format! or a string with a blank)", wrong);
    let circles = cycles(&uses(&files)).into_iter().map(|modules| modules.join(" "));
    refuse(circles, "use each other in a circle", wrong);
}

/// The files of the crate that are not tests.
fn own_files(files: &[RustFile]) -> Vec<&RustFile> {
    let own: Vec<&RustFile> = files.iter().filter(|file| file.path.starts_with(ROOT)).collect();
    let folder = |path: &str| path.trim_end_matches(".rs").trim_end_matches("/mod").trim_end_matches("/lib").to_owned();
    let tests: BTreeSet<String> = own
        .iter()
        .flat_map(|file| file.source.test_modules.iter().map(|name| format!("{}/{name}", folder(&file.path))))
        .collect();
    own.into_iter().filter(|file| !tests.contains(&folder(&file.path))).collect()
}

fn imports(file: &RustFile) -> bool {
    PRESENTING.iter().any(|name| file.source.code.contains(name))
}

fn has_words(file: &RustFile) -> bool {
    let fixed = FIXED_NAMES.iter().any(|name| file.path[ROOT.len()..] == **name);
    let is_word =
        |string: &StringLiteral| string.text.contains(' ') && !(fixed && is_constant(&file.source.code[..string.at]));
    file.source.code.contains("format!") || file.source.strings.iter().any(is_word)
}

/// Whether the code before a string begins the declaration of a constant.
fn is_constant(before: &str) -> bool {
    before.rsplit(';').next().unwrap_or_default().trim_start().starts_with("pub const ")
}

fn uses(files: &[&RustFile]) -> Uses {
    let module = |file: &RustFile| {
        let path = &file.path[ROOT.len()..];
        path.split_once('/').map_or_else(|| path.trim_end_matches(".rs"), |(folder, _)| folder).to_owned()
    };
    let modules: BTreeSet<String> = files.iter().map(|file| module(file)).filter(|name| name != "lib").collect();
    let mut uses = Uses::new();
    for file in files.iter().filter(|file| modules.contains(&module(file))) {
        uses.entry(module(file)).or_default().extend(used(&file.source.code, &modules));
    }
    uses
}

fn refuse(found: impl Iterator<Item = String>, rule: &str, wrong: &mut Vec<String>) {
    wrong.extend(found.map(|name| format!("{ROOT}: {name} {rule}")));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::source::Source;

    #[test]
    fn only_constants_of_the_two_files_may_have_blanks() {
        let wordy = |name: &str, text: &str| {
            has_words(&RustFile { path: format!("{ROOT}{name}"), text: text.into(), source: Source::new(text) })
        };
        let constants = "//! Names.\npub const A: &str = \"a b\";\n/// B.\npub const B: &[&str] = &[\"a\", \"b c\"];\n";
        assert!(!wordy("streams.rs", constants) && !wordy("values.rs", constants) && wordy("scores.rs", constants));
        assert!(wordy("values.rs", "pub const A: u8 = 1;\nfn f() -> &'static str { \"a b\" }\n"));
        assert!(!wordy("scores.rs", "fn f() -> &'static str { \"ab\" }\n"));
    }
}
