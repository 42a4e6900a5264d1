//! Output fits a terminal of 80 columns: no table of the demo commands is wider, except for a last column of words, which a terminal wraps;
//! with a known width no line at all is longer, and neither is help.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::Command;

const KARAT: &str = env!("CARGO_BIN_EXE_karat");

/// Columns of the terminal.
const WIDTH: usize = 80;

/// A terminal wraps the last column of words if at least this many columns are left for it.
const WRAPPED: usize = 24;

/// One command per line, run in the folder of the demo.
const COMMANDS: &str = "
    eval qrels.txt baseline.run newcomer.run
    eval qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --unjudged fit
    eval qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --ties range
    eval qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --score-bands 5
    eval qrels.txt baseline.run -m RBP(p=0.8) -q
    compare qrels.txt baseline.run newcomer.run -m RBP(p=0.8),nDCG@10
    compare qrels.txt baseline.run expanded.run fusion.run newcomer.run -m RBP(p=0.8),AP --all-pairs
    compare qrels.txt baseline.run newcomer.run -m RBP(p=0.8) -q
    compare qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --sensitivity
    compare qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --test bayes,bootstrap_shift
    budget qrels.txt baseline.run newcomer.run -m RBP(p=0.8)
    tune qrels.txt baseline.run expanded.run fusion.run newcomer.run -m RBP(p=0.8)
    plan topics --qrels qrels.txt --runs baseline.run newcomer.run -m RBP(p=0.8) --difference 0.05
    plan topics --qrels qrels.txt --runs baseline.run newcomer.run -m RBP(p=0.8) --half-width 0.05
    plan topics --qrels qrels.txt --runs baseline.run newcomer.run -m RBP(p=0.8) --topics 100
    plan judges --score 0.6385 --sd 0.402 --relevant 43/59 --nonrelevant 67/84 --width 0.05
    pool baseline.run newcomer.run --depth 5
    sample baseline.run newcomer.run --rate 0.2
    next qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --count 5
    next qrels.txt baseline.run expanded.run fusion.run newcomer.run -m RBP(p=0.8) --count 5
    budget qrels.txt baseline.run newcomer.run -m RBP(p=0.8) --target-width 0.1
    rbo baseline.run expanded.run newcomer.run
    rbo baseline.run newcomer.run -q
    judges agree labels.csv -q --runs baseline.run expanded.run newcomer.run
    judges merge labels.csv
    judges merge labels.csv --rule dawid_skene --gold qrels.txt --save merged.qrels
    judges calibrate --bronze merged.qrels --gold qrels.txt --binary 1 --sampling random --runs baseline.run expanded.run
    judges calibrate --relevant 43/59 --nonrelevant 67/84 --sampling random --factor system:bm25=25/30,dense=18/29
    judges correct --score 0.6385 --sd 0.402 --n 20604 --relevant 43/59 --nonrelevant 67/84
    judges compare --a score=0.626,sd=0.414,n=10278 --b score=0.6385,sd=0.402,n=20604 --relevant 43/59 --nonrelevant 67/84
    ab --a clicks=1200,searches=10000 --b clicks=1310,searches=10050
    ab clicks.csv --unit user --arm arm --metric clicks/searches
    ab interleaving interleaving.csv
    published vectors --p 0.8 --score 0.42 --all
    published range --p 0.8 --score 0.42 --at 0.5,0.95
    published depth --p 0.8
    published compare --a p=0.8,score=0.42 --b p=0.95,score=0.30
    published study qrels.txt baseline.run expanded.run newcomer.run
    report qrels.txt baseline.run newcomer.run -m RBP(p=0.8) -o page.html
    reproduce rbp-uncertainty --quick
    simulate judges
    measures
    explain RBP
    explain IPrec
    explain nDCG
    explain cohen
    explain bounds
    check qrels.txt baseline.run
";

fn karat(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(KARAT).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether a table fits, by the heading and the rule under it.
fn fits(heading: &str, rule: &str) -> bool {
    let (width, heading) = (rule.chars().count(), heading.chars().collect::<Vec<_>>());
    let last = width - rule.chars().rev().take_while(|character| *character == '─').count();
    // A column of words is aligned left, so that its heading begins where the column does.
    let words = heading.get(last).is_some_and(|character| *character != ' ');
    width <= WIDTH || (words && last + WRAPPED <= WIDTH)
}

/// The headings of tables that are too wide.
fn too_wide(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let tables = lines.windows(2).filter(|pair| pair[1].starts_with('─'));
    tables.filter(|pair| !fits(pair[0], pair[1])).map(|pair| pair[0]).collect()
}

#[test]
fn tables_fit_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    karat(folder.path(), &["demo", "-o", "."]);
    let mut wrong = Vec::new();
    for command in COMMANDS.lines().map(str::trim).filter(|command| !command.is_empty()) {
        let text = karat(folder.path(), &command.split(' ').collect::<Vec<_>>());
        wrong.extend(too_wide(&text).into_iter().map(|heading| format!("karat {command}\n  {heading}")));
    }
    assert!(wrong.is_empty(), "{} tables are wider than {WIDTH} columns:\n{}", wrong.len(), wrong.join("\n"));
}

/// Lines longer than the terminal that could have been broken: those with a blank after their indentation.
fn too_long(text: &str) -> Vec<&str> {
    let breakable = |line: &&str| line.chars().count() > WIDTH && line.trim().contains(' ');
    text.lines().filter(breakable).collect()
}

#[test]
fn lines_are_wrapped_to_a_known_width() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    let mut check = |arguments: &[&str]| {
        let output =
            Command::new(KARAT).args(arguments).env("COLUMNS", "80").current_dir(folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // A command to copy is one line, and so is the usage of a command.
        let whole = |line: &str| line.starts_with("  karat ") || line.starts_with("Usage: ");
        let long = too_long(&text).into_iter().filter(|line| !whole(line));
        wrong.extend(long.map(|line| format!("karat {}\n  {line}", arguments.join(" "))));
    };
    check(&["demo", "-o", "."]);
    for command in COMMANDS.lines().map(str::trim).filter(|command| !command.is_empty()) {
        check(&command.split(' ').collect::<Vec<_>>());
    }
    for command in karat_cli::definition().get_subcommands() {
        check(&[command.get_name(), "--help"]);
        for own in command.get_subcommands() {
            check(&[command.get_name(), own.get_name(), "--help"]);
        }
    }
    assert!(wrong.is_empty(), "{} lines are longer than {WIDTH} columns:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_table_is_measured_by_its_rule() {
    let rule = |widths: [usize; 2]| format!("{}  {}", "─".repeat(widths[0]), "─".repeat(widths[1]));
    let heading = |left: usize, gap: usize| format!("{}{}claim", "x".repeat(left), " ".repeat(gap));
    assert!(fits(&heading(10, 2), &rule([10, 68])));
    // 10 + 2 columns before the words leave 68 for them; 60 + 2 leave only 18.
    assert!(fits(&heading(10, 2), &rule([10, 200])) && !fits(&heading(60, 2), &rule([60, 200])));
    // Numbers are aligned right and never wrapped.
    assert!(!fits(&heading(10, 40), &rule([10, 75])));
}
