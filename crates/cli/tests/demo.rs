//! `karat demo` through the binary: the files it writes, the commands it prints, the truth it claims.

// Clippy takes helpers of integration tests for production code.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const KARAT: &str = env!("CARGO_BIN_EXE_karat");
const SYSTEMS: [&str; 4] = ["baseline", "expanded", "fusion", "newcomer"];
const FILES: [&str; 12] = [
    "baseline.run",
    "clicks.csv",
    "complete-qrels.txt",
    "expanded.run",
    "fusion.run",
    "interleaving.csv",
    "labels.csv",
    "newcomer.run",
    "qrels.txt",
    "report.html",
    "settle.csv",
    "settle.csv.plan.json",
];

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(KARAT).args(arguments).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// The commands as a reader would copy them.
fn commands(text: &str) -> Vec<String> {
    let starts = text.match_indices("\n  karat ").map(|(at, _)| &text[at + 1..]);
    starts
        .map(|rest| {
            rest.split_inclusive('\n')
                .scan(true, |more, line| {
                    let taken = more.then_some(line);
                    *more = line.ends_with("\\\n");
                    taken
                })
                .collect()
        })
        .collect()
}

/// Runs a copied command in a shell that finds this karat.
#[cfg(unix)]
fn shell(folder: &Path, command: &str) -> Output {
    let programs = Path::new(KARAT).parent().unwrap().to_str().unwrap();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(folder).output().unwrap()
}

/// The rows of `table` by run: the words of the first line after its header that starts with the run's name.
fn row<'t>(text: &'t str, after: &str, run: &str) -> Vec<&'t str> {
    let table = &text[text.find(after).unwrap_or_else(|| panic!("no {after} in:\n{text}"))..];
    let mut lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let words = lines.find(|words| words.contains(&run)).unwrap_or_else(|| panic!("no {run} in:\n{table}"));
    let start = words.iter().position(|word| *word == run).unwrap();
    // The plot at the end of a row has no number.
    words[start + 1..].iter().copied().filter(|word| !word.contains(['●', '━'])).collect()
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    crate::schema::parse(stdout(&karat(folder, arguments)).as_bytes())
}

#[test]
fn it_writes_its_files_twice_alike_and_leaves_others_alone() {
    let folder = tempfile::tempdir().unwrap();
    let first = stdout(&karat(folder.path(), &["demo"]));
    let written = files(&folder.path().join("karat-demo"));
    assert_eq!(written.keys().collect::<Vec<_>>(), FILES);
    assert!(written.values().all(|bytes| !bytes.is_empty()));

    fs::write(folder.path().join("karat-demo/mine.run"), "kept").unwrap();
    assert_eq!(stdout(&karat(folder.path(), &["demo"])), first);
    let mut again = files(&folder.path().join("karat-demo"));
    assert_eq!(again.remove("mine.run").unwrap(), b"kept");
    assert_eq!(again, written);

    // The same bytes wherever they are written; other ones for another seed.
    stdout(&karat(folder.path(), &["demo", "-o", "deep/er"]));
    assert_eq!(files(&folder.path().join("deep/er")), written);
    stdout(&karat(folder.path(), &["demo", "-o", "two", "--seed", "2"]));
    assert_ne!(files(&folder.path().join("two"))["qrels.txt"], written["qrels.txt"]);
}

#[test]
fn without_report_there_is_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout(&karat(folder.path(), &["demo", "--no-report"]));
    let written = files(&folder.path().join("karat-demo"));
    assert_eq!(written.len(), FILES.len() - 1);
    assert!(!written.contains_key("report.html") && !text.contains("report.html"));
}

#[cfg(unix)]
#[test]
fn the_commands_it_prints_work_as_they_stand() {
    for name in ["karat-demo", "it's a $HOME folder", "-dash"] {
        let folder = tempfile::tempdir().unwrap();
        let output = format!("--output={name}");
        let text = stdout(&karat(folder.path(), &["demo", &output]));
        let commands = commands(&text);
        assert!(commands.len() >= 3 && commands.iter().any(|command| command.starts_with("  karat eval ")));
        assert!(name != "karat-demo" || text.lines().all(|line| line.chars().count() <= 80), "{text}");
        for command in &commands {
            let answer = shell(folder.path(), command);
            assert!(answer.status.success(), "{command}\n{}", String::from_utf8_lossy(&answer.stderr));
            assert!(!answer.stdout.is_empty());
        }
        // The first gives the table above, to the letter.
        let table = stdout(&shell(folder.path(), &commands[0]));
        let rows: Vec<&str> = table.lines().skip_while(|line| !line.starts_with("measure")).take(14).collect();
        assert_eq!(rows.len(), 14);
        // On a known width the demo draws a plot at the end of each row.
        let printed = |row: &&str| text.lines().any(|line| line.starts_with(row.trim_end()));
        assert!(rows.iter().all(printed), "{table}");
    }
}

#[test]
fn the_truth_lies_within_the_bounds_and_eval_says_the_same() {
    // Bounds are logic: they hold for every seed, not for most.
    for seed in ["1", "2", "3", "4", "5"] {
        let folder = tempfile::tempdir().unwrap();
        let text = stdout(&karat(folder.path(), &["demo", "-o", ".", "--seed", seed]));
        let runs = SYSTEMS.map(|system| format!("{system}.run"));
        let eval = |qrels| {
            let mut arguments = vec!["eval", qrels];
            arguments.extend(runs.iter().map(String::as_str));
            arguments.extend(["-m", "RBP(p=0.8)", "-f", "json"]);
            json(folder.path(), &arguments)["scores"].clone()
        };
        let (judged, complete) = (eval("qrels.txt"), eval("complete-qrels.txt"));
        for (place, system) in SYSTEMS.into_iter().enumerate() {
            let (judged, complete) = (&judged[place], &complete[place]);
            assert_eq!((&judged["run"], &complete["run"]), (&system.into(), &system.into()));
            let number = |value: &serde_json::Value| format!("{:.4}", value.as_f64().unwrap());
            let range = |low: &serde_json::Value, high: &serde_json::Value| format!("{}–{}", number(low), number(high));

            // The demo's tables are what eval says of the files.
            let scores = row(&text, "RBP(p=0.8)", system);
            assert_eq!(
                scores,
                [
                    number(&judged["value"]),
                    range(&judged["low"], &judged["high"]),
                    range(&judged["interval"][0], &judged["interval"][1]),
                    "50".into()
                ]
            );
            let beside = row(&text, "compared with the truth", system);
            assert_eq!(beside[..3], [number(&judged["value"]), number(&complete["value"]), "yes".into()]);

            let truth = complete["value"].as_f64().unwrap();
            assert!(judged["low"].as_f64().unwrap() <= truth && truth <= judged["high"].as_f64().unwrap());
            let anywhere: f64 = beside[3].parse().unwrap();
            let (low, high) = (judged["interval"][0].as_f64().unwrap(), judged["interval"][1].as_f64().unwrap());
            assert_eq!(beside[4] == "yes", (low..=high).contains(&anywhere), "{system}, seed {seed}");
        }
    }
}

#[test]
fn the_page_shows_what_the_terminal_shows() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout(&karat(folder.path(), &["demo", "-o", "."]));
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    for system in SYSTEMS {
        for number in row(&text, "RBP(p=0.8)", system).into_iter().chain(row(&text, "compared with the truth", system))
        {
            assert!(page.contains(&format!(">{number}<")), "{number} of {system}");
        }
    }
}

/// The demo settles as the commands do: the same documents and plan as `karat settle`, with the truth's grades, and the verdict of `karat compare --sample`.
#[test]
fn the_sample_is_what_settle_draws_and_the_verdict_is_what_compare_says() {
    let folder = tempfile::tempdir().unwrap();
    let text = stdout(&karat(folder.path(), &["demo", "-o", "."])).split_whitespace().collect::<Vec<_>>().join(" ");
    let (runs, read) =
        (["qrels.txt", "fusion.run", "newcomer.run"], |name| fs::read_to_string(folder.path().join(name)));
    let draw = ["-m", "RBP(p=0.8)", "--count", "150", "--form", "drawn.csv"];
    stdout(&karat(folder.path(), &[&["settle"], &runs[..], &draw].concat()));
    let (judged, drawn) = (read("settle.csv").unwrap(), read("drawn.csv").unwrap());
    let truth = read("complete-qrels.txt").unwrap();
    let grades: BTreeMap<(&str, &str), &str> = truth
        .lines()
        .filter_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
            [topic, _, document, grade] => Some(((topic, document), grade)),
            _ => None,
        })
        .collect();
    let filled = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{line}{}", grades.get(&(cells[0], cells[1])).unwrap_or(&"0"))
    };
    let head = drawn.lines().next().unwrap().to_owned();
    let expected: Vec<String> = std::iter::once(head).chain(drawn.lines().skip(1).map(filled)).collect();
    assert_eq!(judged.lines().collect::<Vec<_>>(), expected);
    assert_eq!(read("settle.csv.plan.json").unwrap(), read("drawn.csv.plan.json").unwrap());

    let before = json(folder.path(), &[&["compare"], &runs[..], &["-m", "RBP(p=0.8)", "-f", "json"]].concat());
    assert_eq!(before["comparisons"][0]["verdict"], "undecided");
    let after = json(folder.path(), &[&["compare"], &runs[..], &["--sample", "settle.csv", "-f", "json"]].concat());
    let (found, page) = (&after["comparisons"][0], read("report.html").unwrap());
    assert_eq!((&found["verdict"], &found["basis"]), (&"b".into(), &"sampled".into()));
    let because = found["because"].as_str().unwrap();
    assert!(text.contains(because) && page.contains(because), "{because}\n{text}");
    let lead = format!("{:.4}", before["comparisons"][0]["difference"].as_f64().unwrap());
    assert!(
        text.contains(&format!("undecided whether fusion or newcomer is better: fusion leads by {lead}")),
        "{text}"
    );
}

#[test]
fn a_closed_pipe_is_success() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(KARAT).arg("demo").current_dir(folder.path()).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(files(&folder.path().join("karat-demo")).len(), FILES.len());
}

/// Exit status 3, a message that names the place and what to do, nothing on standard output.
fn refused(output: &Output, place: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains(place) && message.contains("help: "), "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("taken"), "a file").unwrap();
    refused(&karat(folder.path(), &["demo", "-o", "taken"]), "taken");
    refused(&karat(folder.path(), &["demo", "-o", "taken/below"]), "taken/below");
    assert_eq!(fs::read(folder.path().join("taken")).unwrap(), b"a file");
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    // Even the superuser cannot make a file here.
    if cfg!(target_os = "linux") {
        refused(&karat(folder.path(), &["demo", "-o", "/proc"]), "/proc/qrels.txt");
    }
    // The superuser may write in a folder whatever its mode; there is nothing to see then.
    if fs::write(closed.join("probe"), "").is_err() {
        refused(&karat(folder.path(), &["demo", "-o", "closed"]), "closed/qrels.txt");
        refused(&karat(folder.path(), &["demo", "-o", "closed/below"]), "closed/below");
        assert_eq!(fs::read_dir(&closed).unwrap().count(), 0);
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
}
