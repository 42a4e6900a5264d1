//! trec_eval 10's own comparisons, byte for byte, where its test files are at hand: its licence keeps them out of this
//! repository. `karat-testdata` says where they are looked for.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The comparisons of trec_eval's makefile: flags (`-Z` names a file beside the others), qrels, run, expected output. No
/// line of theirs is touched by a deviation: lists have 500 documents or none, so the tail of rbp_resid (0.9^500) is not
/// seen.
const COMPARISONS: &[(&str, &str, &str, &str)] = &[
    ("", "qrels.test", "results.test", "out.test"),
    ("", "qrels.test.with-comments", "results.test", "out.test"),
    ("", "qrels.comment.test", "results.comment.test", "out.comment.test"),
    ("-m all_trec", "qrels.test", "results.test", "out.test.a"),
    ("-m all_trec -q", "qrels.test", "results.test", "out.test.aq"),
    ("-m all_trec -q -c", "qrels.test", "results.trunc", "out.test.aqc"),
    ("-m all_trec -q -c -M100", "qrels.test", "results.trunc", "out.test.aqcM"),
    ("-m all_trec -mrelstring.20 -q -l2", "qrels.rel_level", "results.test", "out.test.aql"),
    ("-m all_prefs -q -R prefs", "prefs.test", "prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R prefs", "prefs.comment.test", "prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R qrels_prefs", "qrels.test", "results.test", "out.test.qrels_prefs"),
    ("-m qrels_jg -q -R qrels_jg", "qrels.123", "results.test", "out.test.qrels_jg"),
    ("-m qrels_jg -q -R qrels_jg", "qrels.comments.123", "results.test", "out.test.qrels_jg"),
    ("-q -m all_trec -Z zscores_file", "qrels.test", "results.test", "out.test.aqZ"),
    (
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 \
         -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20",
        "qrels.test",
        "results.test",
        "out.test.meas_params",
    ),
];

fn folder(name: &str) -> Option<PathBuf> {
    karat_testdata::folder(name, "agreement with trec_eval's own expected outputs")
}

fn compare(program: &Path, command: Option<&str>, folder: &Path) {
    assert_eq!(COMPARISONS.len(), 15);
    for (flags, qrels, run, expected) in COMPARISONS {
        let done = Command::new(program)
            .args(command)
            .current_dir(folder)
            .args(flags.split_whitespace())
            .args([folder.join(qrels), folder.join(run)])
            .output()
            .unwrap();
        assert!(done.status.success(), "{flags}: {}", String::from_utf8_lossy(&done.stderr));
        let (ours, theirs) = (String::from_utf8(done.stdout).unwrap(), std::fs::read_to_string(folder.join(expected)));
        let theirs = theirs.unwrap();
        for (place, (ours, theirs)) in ours.lines().zip(theirs.lines()).enumerate() {
            assert_eq!(ours, theirs, "{expected}, line {}", place + 1);
        }
        assert_eq!(ours, theirs, "{expected}");
    }
}

#[test]
fn trec_evals_fifteen_comparisons_byte_for_byte() {
    let Some(folder) = folder("trec_eval_test") else { return };
    compare(Path::new(env!("CARGO_BIN_EXE_karat")), Some("trec_eval"), &folder);
}

#[cfg(unix)]
#[test]
fn the_same_through_a_link_named_trec_eval() {
    let Some(folder) = folder("trec_eval_test") else { return };
    let place = tempfile::tempdir().unwrap();
    let link = place.path().join("trec_eval");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_karat"), &link).unwrap();
    compare(&link, None, &folder);
}

/// Sampled judgements (66,013 of them negative) under trec_eval 10; the four columns it reads are cut from five.
#[test]
fn sampled_judgements_as_trec_eval_10_scores_them() {
    let Some(folder) = folder("xinfap_trecvid_avs21") else { return };
    let qrels = Command::new("xz").arg("-dc").arg(folder.join("qrels.5col.strata.xz")).output();
    let Ok(qrels) = qrels else {
        eprintln!("SKIPPED: no xz to unpack the sampled judgements with");
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let rows = String::from_utf8(qrels.stdout).unwrap();
    let plain: String = rows
        .lines()
        .map(|row| {
            let fields: Vec<&str> = row.split_whitespace().collect();
            format!("{} {} {} {}\n", fields[0], fields[1], fields[2], fields[4])
        })
        .collect();
    let path = place.path().join("qrels");
    std::fs::write(&path, plain).unwrap();
    let theirs = std::fs::read_to_string(folder.join("expected.trec_eval10.4col.txt")).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_karat"))
        .args(["trec_eval", "-q", "-m", "all_trec"])
        .args([path, folder.join("run.RUCMM.txt")])
        .output()
        .unwrap();
    let ours = String::from_utf8(done.stdout).unwrap();
    assert!(!theirs.trim().is_empty());
    for line in theirs.lines().filter(|line| !line.is_empty()) {
        assert!(ours.lines().any(|own| own == line), "{line}");
    }
}
