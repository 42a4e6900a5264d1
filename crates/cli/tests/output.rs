//! What `-o` does to files that are there: follows links, keeps permissions, refuses what is read-only or an input.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("q"), "1 0 d1 1\n").unwrap();
    fs::write(folder.path().join("a.run"), "1 Q0 d1 1 2.5 r\n").unwrap();
    folder
}

fn eval(folder: &Path, output: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(["eval", "q", "a.run", "-m", "AP", "-f", "csv", "-o", output])
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_link_is_followed_and_stays_a_link() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("target.csv"), "old").unwrap();
    symlink("target.csv", at("link.csv")).unwrap();
    assert!(eval(folder.path(), "link.csv").status.success());
    assert!(fs::symlink_metadata(at("link.csv")).unwrap().is_symlink());
    assert!(fs::read_to_string(at("target.csv")).unwrap().starts_with("run,measure"));
    symlink("nowhere.csv", at("loose.csv")).unwrap();
    assert_eq!(eval(folder.path(), "loose.csv").status.code(), Some(3));
    assert!(fs::symlink_metadata(at("loose.csv")).unwrap().is_symlink());
}

#[test]
fn permissions_are_kept_and_a_read_only_file_is_refused() {
    let folder = folder();
    let file = folder.path().join("out.csv");
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    assert!(eval(folder.path(), "out.csv").status.success());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&file, Permissions::from_mode(0o400)).unwrap();
    fs::write(folder.path().join("same"), fs::read(&file).unwrap()).unwrap();
    assert_eq!(eval(folder.path(), "out.csv").status.code(), Some(3));
    assert_eq!(fs::read(&file).unwrap(), fs::read(folder.path().join("same")).unwrap());
}

#[test]
fn inputs_and_other_peoples_files_are_spared() {
    let folder = folder();
    symlink("a.run", folder.path().join("also.csv")).unwrap();
    for output in ["a.run", "./a.run", "also.csv", "q"] {
        let done = eval(folder.path(), output);
        assert_eq!(done.status.code(), Some(2), "{output}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.run")).unwrap(), "1 Q0 d1 1 2.5 r\n");
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/qrels.txt"), "my judgements\n").unwrap();
    let demo =
        Command::new(env!("CARGO_BIN_EXE_karat")).args(["demo", "-o", "mine"]).current_dir(folder.path()).output();
    assert_eq!(demo.unwrap().status.code(), Some(3));
    assert_eq!(fs::read_to_string(folder.path().join("mine/qrels.txt")).unwrap(), "my judgements\n");
    assert_eq!(fs::read_dir(folder.path().join("mine")).unwrap().count(), 1);
}

#[test]
fn a_demo_does_not_replace_files_that_were_edited() {
    let folder = folder();
    let demo = || {
        let arguments = ["demo", "-o", "demo", "--no-report"];
        Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap()
    };
    assert!(demo().status.success());
    assert!(demo().status.success(), "the same files again");
    fs::write(folder.path().join("demo/labels.csv"), "my labels\n").unwrap();
    let done = demo();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(3), "{said}");
    assert!(said.contains("demo/labels.csv") && said.contains("\nhelp: "), "{said}");
    assert_eq!(fs::read_to_string(folder.path().join("demo/labels.csv")).unwrap(), "my labels\n");
}

/// The table of published scores has an ending that `--figure` accepts, so that only its being an input can save it.
#[test]
fn no_output_is_an_input_or_another_output_however_it_is_spelled() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let table = "system,p,score\na,0.8,0.42\nb,0.95,0.30\n";
    fs::write(at("scores.svg"), table).unwrap();
    symlink("scores.svg", at("link.svg")).unwrap();
    fs::hard_link(at("scores.svg"), at("hard.svg")).unwrap();
    fs::create_dir_all(at("runs/sub")).unwrap();
    fs::write(at("runs/sub/part.txt"), "1 Q0 d1 1 2.5 r\n").unwrap();
    let refused = |arguments: &[&str], words: &str| {
        let done =
            Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words) && said.contains("\nhelp: "), "{arguments:?}: {said}");
    };
    for figure in ["scores.svg", "./runs/../scores.svg", "link.svg", "hard.svg"] {
        refused(&["published", "compare", "scores.svg", "--figure", figure], "--figure is the input file scores.svg");
    }
    refused(&["eval", "q", "a.run", "-f", "json", "-o", "runs/../q"], "-o is the input file q");
    refused(&["eval", "q", "runs/sub", "-f", "json", "-o", "runs/sub/part.txt"], "-o is the input file runs/sub");
    let range = ["published", "range", "--p", "0.95", "--score", "0.30", "-f", "json"];
    refused(&[&range[..], &["--figure", "x.svg", "-o", "./x.svg"]].concat(), "-o and --figure are the same file");
    fs::write(at("y.svg"), "").unwrap();
    fs::hard_link(at("y.svg"), at("z.svg")).unwrap();
    refused(&[&range[..], &["--figure", "y.svg", "-o", "z.svg"]].concat(), "-o and --figure are the same file");
    fs::create_dir(at("f")).unwrap();
    refused(&[&range[..], &["--figures", "f", "-o", "f/fan.svg"]].concat(), "--figures and -o are the same file");
    assert!(fs::read_dir(at("f")).unwrap().next().is_none());
    assert_eq!(fs::read_to_string(at("hard.svg")).unwrap(), table);
}

/// The legal values are in the message, a negative number is one of the option's, and a line says where to look.
#[test]
fn a_wrong_number_is_refused_with_its_range_and_a_line_of_help() {
    let folder = folder();
    for (arguments, words) in [
        (&["compare", "q", "a.run", "a.run", "--rope", "-1"][..], "--rope needs a number from 0 on, found -1"),
        (&["compare", "q", "a.run", "a.run", "--tie", "-1"], "--tie needs a number from 0 on, found -1"),
        (&["compare", "q", "a.run", "a.run", "--draws", "-5"], "-5 is not in 20..=100000"),
        (&["compare", "q", "a.run", "a.run", "--draws", "0"], "0 is not in 20..=100000"),
        (&["eval", "q", "a.run", "-M", "-3"], "-3 is not in 1..="),
        (&["eval", "q", "a.run", "--level", "-1"], "--level needs a number between 0 and 1, found -1"),
        (&["next", "q", "a.run", "--count", "-1"], "-1 is not in"),
        (&["schema", "nosuch"], "no schema for 'nosuch'"),
    ] {
        let done =
            Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert_eq!(said.lines().filter(|line| line.starts_with("help: ")).count(), 1, "{arguments:?}: {said}");
    }
}

#[test]
fn names_reach_the_terminal_without_their_escapes() {
    let folder = folder();
    let name = "x\u{1b}[31mRED\nkarat: all good.run";
    fs::write(folder.path().join(name), "1 Q0 d 1 x r\n").unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).args(["eval", "q", name]).current_dir(folder.path()).output();
    let words = String::from_utf8(done.unwrap().stderr).unwrap();
    assert!(!words.contains('\u{1b}') && !words.contains("\nkarat:"), "{words:?}");
}

#[test]
fn a_file_called_like_a_topic_does_not_hide_it() {
    let folder = folder();
    fs::write(folder.path().join("q"), "1 0 d1 1\n2 0 d1 1\n").unwrap();
    fs::write(folder.path().join("a.run"), "1 Q0 d1 1 2 r\n2 Q0 d1 1 2 r\n").unwrap();
    fs::write(folder.path().join("2"), "1\n").unwrap();
    fs::write(folder.path().join("list"), "\u{feff}1\r\n").unwrap();
    let topics = |list: &str| {
        let arguments = ["eval", "q", "a.run", "-m", "AP", "-q", "-f", "csv", "--topics", list];
        let done =
            Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder.path()).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    let by_query = |answer: String| {
        answer.lines().filter(|line| line.starts_with("by_query")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(by_query(topics("2")).iter().all(|line| line.ends_with(",2")), "{}", topics("2"));
    assert_eq!(by_query(topics("2")).len(), 1);
    assert_eq!(by_query(topics("1")), by_query(topics("list")));
}

/// Ended in the middle of its work, the program leaves the old file, and nothing else. The signal is 15: a shell that starts the tests in the background
/// makes them, and what they start, deaf to an interrupt (2).
#[test]
fn a_program_that_is_ended_leaves_no_half_file() {
    let folder = folder();
    fs::write(folder.path().join("out.json"), "old").unwrap();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let mut program = Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(["simulate", "judges", "--runs", "10000000", "--queries", "1000", "-o", "out.json"])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(program.try_wait().unwrap().is_none(), "it should be at work");
    assert!(Command::new("kill").args(["-TERM", &program.id().to_string()]).status().unwrap().success());
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&program.wait().unwrap()), Some(15));
    assert_eq!(fs::read_to_string(folder.path().join("out.json")).unwrap(), "old");
    assert_eq!(names(), before);
}
