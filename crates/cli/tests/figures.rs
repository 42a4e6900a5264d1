//! `--figures DIR`: pictures of an answer.

// Helpers outside #[test] functions are not covered by clippy.toml's allow-*-in-tests.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder).output().unwrap()
}

/// Two runs of six topics; run names that a page or a shell would stumble over.
fn collection() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (mut qrels, mut one, mut other) = (String::new(), String::new(), String::new());
    for topic in 1..=6 {
        for document in 0..6 {
            qrels.push_str(&format!("{topic} 0 d{document} {}\n", (document + topic) % 3 / 2));
        }
        for rank in 0..8 {
            one.push_str(&format!("{topic} Q0 d{rank} {rank} {} <script>/../x\n", 10 - rank));
            other.push_str(&format!("{topic} Q0 d{} {rank} {} b&\"'\n", (rank * 3 + topic) % 8, 10 - rank));
        }
    }
    for (name, text) in [("q", qrels), ("a.run", one), ("b.run", other)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_figure_of_an_evaluation_is_drawn_twice_over_and_the_same_again() {
    let folder = collection();
    let said = karat(folder.path(), &["eval", "q", "a.run", "b.run", "-m", "AP", "--figures", "out/f"]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let drawn = names(&folder.path().join("out/f"));
    let expected = ["distribution-AP", "judged_share", "leaderboard-AP", "precision_recall", "rbp_residual", "roc"];
    let expected: Vec<String> =
        expected.iter().flat_map(|name| [format!("{name}.png"), format!("{name}.svg")]).collect();
    assert_eq!(drawn, expected);
    let read = |name: &String| fs::read(folder.path().join("out/f").join(name)).unwrap();
    let before: Vec<Vec<u8>> = drawn.iter().map(read).collect();
    karat(folder.path(), &["eval", "q", "a.run", "b.run", "-m", "AP", "--figures", "out/f", "--threads", "1"]);
    assert!(before == drawn.iter().map(read).collect::<Vec<_>>());
    for (name, bytes) in drawn.iter().zip(&before) {
        let text = String::from_utf8_lossy(bytes);
        assert!(
            if name.ends_with(".svg") { text.starts_with("<svg ") } else { bytes.starts_with(b"\x89PNG") },
            "{name}"
        );
        assert!(!text.contains("<script"), "{name}");
    }
}

#[test]
fn a_comparison_has_its_pairs_and_no_name_leaves_the_folder() {
    let folder = collection();
    let said = karat(
        folder.path(),
        &["compare", "q", "a.run", "b.run", "-m", "AP", "--permutations", "500", "--figures", "f"],
    );
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let drawn = names(&folder.path().join("f"));
    for name in ["differences-AP.svg", "leaderboard-AP.png"] {
        assert!(drawn.contains(&name.to_owned()), "{drawn:?}");
    }
    assert!(drawn.iter().any(|name| name.starts_with("topic_differences-AP-")), "{drawn:?}");
    assert!(drawn.iter().any(|name| name.starts_with("scatter-AP-")), "{drawn:?}");
    assert_eq!(names(folder.path()), ["a.run", "b.run", "f", "q"]);
}

#[test]
fn other_commands_draw_too() {
    let folder = collection();
    let path = folder.path();
    let budget = karat(path, &["budget", "q", "a.run", "-m", "P@5", "--figures", "f"]);
    assert!(budget.status.success(), "{}", String::from_utf8_lossy(&budget.stderr));
    let counts = ["judges", "calibrate", "--relevant", "43/59", "--nonrelevant", "67/84", "--figures", "f"];
    assert!(karat(path, &counts).status.success());
    let fan = ["published", "range", "--p", "0.95", "--score", "0.30", "--figures", "f"];
    let fan = karat(path, &fan);
    assert!(fan.status.success(), "{}", String::from_utf8_lossy(&fan.stderr));
    let drawn = names(&path.join("f"));
    for name in ["budget.svg", "confusion-bronze-against-gold.svg", "fan.svg"] {
        assert!(drawn.contains(&name.to_owned()), "{drawn:?}");
    }
}

#[test]
fn a_file_in_the_place_of_the_folder_is_refused_before_anything_is_done() {
    let folder = collection();
    let said = karat(folder.path(), &["eval", "q", "a.run", "--figures", "b.run"]);
    assert_eq!(said.status.code(), Some(3));
    assert!(said.stdout.is_empty());
    assert!(String::from_utf8_lossy(&said.stderr).contains("not a folder"));
}

#[test]
fn a_page_holds_the_figures_and_their_numbers() {
    let folder = collection();
    let said = karat(folder.path(), &["eval", "q", "a.run", "b.run", "-m", "AP", "-f", "html"]);
    let page = String::from_utf8(said.stdout).unwrap();
    assert_eq!(page.matches("<figure>").count(), 6);
    assert_eq!(page.matches("<summary>The numbers</summary>").count(), 6);
    assert!(page.contains("var(--figure-0,#0072b2)") && !page.contains("<script"));
}
