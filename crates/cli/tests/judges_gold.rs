//! `karat eval BRONZE RUN --gold GOLD`: every measure moved by what bronze is off where gold judged too.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn karat(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).args(arguments).current_dir(folder).output().unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let done = karat(folder, &[arguments, &["-f", "json"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    crate::schema::parse(&done.stdout)
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let done = karat(folder, arguments);
    assert_eq!(done.status.code(), Some(2), "{}", String::from_utf8_lossy(&done.stdout));
    String::from_utf8(done.stderr).unwrap()
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("no number: {found}"));
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

fn has_note(answer: &Value, words: &str) -> bool {
    answer["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains(words))
}

/// Ten topics with two documents each. By bronze the first is relevant in topics 1 to 6 (RR 1), the second in the others (RR .5). Gold judged
/// topics 1, 2, 3, 7, 8 and finds RR .5, 1, .5, .5, .5.
fn world() -> TempDir {
    let folder = tempdir().unwrap();
    let labels = |topic: usize, first: bool| {
        format!("{topic:02} 0 a {}\n{topic:02} 0 b {}\n", u8::from(first), u8::from(!first))
    };
    let bronze: String = (1..=10).map(|topic| labels(topic, topic <= 6)).collect();
    let gold: String = [1, 2, 3, 7, 8].iter().map(|&topic| labels(topic, topic == 2)).collect();
    let run: String = (1..=10).map(|topic| format!("{topic:02} Q0 a 1 2 run\n{topic:02} Q0 b 2 1 run\n")).collect();
    fs::write(folder.path().join("bronze.qrels"), bronze).unwrap();
    fs::write(folder.path().join("gold.qrels"), gold).unwrap();
    fs::write(folder.path().join("a.run"), run).unwrap();
    folder
}

#[test]
fn reciprocal_rank_of_ten_topics_by_hand() {
    let folder = world();
    let asked = ["eval", "bronze.qrels", "a.run", "-m", "RR", "-m", "Judged@2", "--gold", "gold.qrels", "-q"];
    let answer = json(folder.path(), &[&asked[..], &["--bronze-weight", "1"]].concat());
    let row = &answer["scores"][0];
    // Bronze .8 over all and over gold's five, gold .6 there: .8 + (.6 - .8) = .6.
    near(&row["value"], 0.6);
    assert_eq!((&row["topics"], &row["method"]), (&10.into(), &"satterthwaite".into()));
    // Gold - bronze: -.5 0 -.5 0 0, squares about -.2 .3, variance .075; judges (1/5 - 1/10) .075.
    near(&row["sources"]["judges"], 0.0075);
    // Gold - bronze/2: 0 .5 0 .25 .25, variance .04375, over 5 .00875; a quarter of the others' variance .075 over 5: .00375.
    near(&row["sources"]["topics"], 0.0125 - 0.0075);
    near(&row["std_error"], 0.0125f64.sqrt());
    let low = row["interval"][0].as_f64().unwrap();
    // df = .0125^2 / (.00875^2/4 + .00375^2/4) = 6.897, t = 2.372.
    assert!((low - (0.6 - 2.372 * 0.0125f64.sqrt())).abs() < 1e-3, "{low}");
    // What was judged is not for gold to correct.
    assert!(has_note(&answer, "too few topics with both): Judged@2"), "{}", answer["notes"]);
    assert!(has_note(
        &answer,
        "RR of run: 0.8000 with bronze labels, 0.6000 with gold labels of 5 of 10 topics (bronze weight 1.00)"
    ));
    assert!(has_note(&answer, "the 5 topics with gold labels are a random sample of the 10"));
    let by_query = answer["by_query"].as_array().unwrap();
    assert_eq!((&by_query[0]["value"], &by_query[0]["gold"]), (&1.0.into(), &0.5.into()));
    assert_eq!(by_query[3]["gold"], Value::Null);
    // Tuned: Cov(g, f) = (-.1 .2 + .4 .2 - .1 .2 + .1 .3 + .1 .3)/4 = .025, Var(f) = .3/4: a third; .6 + (.8 - .8)/3 is the same here.
    let tuned = json(folder.path(), &asked);
    near(&tuned["scores"][0]["value"], 0.6);
    assert!(has_note(&tuned, "(bronze weight 0.33)"), "{}", tuned["notes"]);
    assert_eq!(tuned["provenance"]["options"]["bronze_weight"], "tuned");
    assert_eq!(tuned["provenance"]["inputs"].as_array().unwrap().len(), 3);
}

#[test]
fn gold_of_every_query_is_gold() {
    let folder = world();
    let asked = ["eval", "gold.qrels", "a.run", "-m", "AP", "-m", "nDCG@2", "--interval", "t"];
    let (gold, both) =
        (json(folder.path(), &asked), json(folder.path(), &[&asked[..], &["--gold", "gold.qrels"]].concat()));
    for place in 0..2 {
        near(&both["scores"][place]["value"], gold["scores"][place]["value"].as_f64().unwrap());
        near(&both["scores"][place]["std_error"], gold["scores"][place]["std_error"].as_f64().unwrap());
        assert_eq!(both["scores"][place]["sources"]["judges"], 0.0);
        for end in 0..2 {
            let found = both["scores"][place]["interval"][end].as_f64().unwrap();
            let expected = gold["scores"][place]["interval"][end].as_f64().unwrap();
            // A tuned weight costs a degree of freedom, so it is wider.
            assert!(if end == 0 { found <= expected } else { found >= expected });
        }
    }
}

#[test]
fn bounds_hold_what_judging_the_rest_can_do() {
    let folder = world();
    // Topic 10 has a document first that nobody judged.
    let at = folder.path();
    let run = fs::read_to_string(at.join("a.run")).unwrap() + "10 Q0 c 0 9 run\n";
    fs::write(at.join("a.run"), run).unwrap();
    let answer =
        json(at, &["eval", "bronze.qrels", "a.run", "-m", "P@1", "--gold", "gold.qrels", "--bronze-weight", "1"]);
    let row = &answer["scores"][0];
    // P@1 by bronze .6, with c relevant .7; gold moves both alike.
    near(&row["low"], row["value"].as_f64().unwrap());
    near(&row["high"], row["value"].as_f64().unwrap() + 0.1);
}

#[test]
fn what_does_not_go_together_is_said() {
    let folder = world();
    let at = folder.path();
    let eval = |more: &[&str]| refused(at, &[&["eval", "bronze.qrels", "a.run", "-m", "RR"], more].concat());
    let said = eval(&["--gold", "gold.qrels", "--calibration", "judges.json"]);
    assert!(said.starts_with("error: --gold and --calibration cannot be combined"), "{said}");
    let said = eval(&["--gold", "gold.qrels", "--unjudged", "q=0.1"]);
    assert!(said.starts_with("error: --gold and --unjudged q=..., band, fit or urn cannot be combined"), "{said}");
    let said = eval(&["--gold", "gold.qrels", "--interval", "bca"]);
    assert!(said.contains("--gold and --interval bca cannot be combined"), "{said}");
    let said = eval(&["--gold", "gold.qrels", "--bronze-weight", "1.5"]);
    assert!(said.contains("expected `tuned` or a number from 0 to 1"), "{said}");
    fs::write(at.join("other.qrels"), "01 0 a 1\n99 0 a 1\n").unwrap();
    let said = eval(&["--gold", "other.qrels"]);
    assert_eq!(
        said,
        "error: other.qrels: expected gold judgements of topics that the bronze judgements have, found topic \"99\"\nhelp: \
         remove the topic, or check the order (karat eval BRONZE RUN --gold GOLD)\n"
    );
    fs::write(at.join("one.qrels"), "01 0 a 1\n").unwrap();
    let said = eval(&["--gold", "one.qrels"]);
    assert!(said.starts_with("error: one.qrels: expected gold judgements of at least 2 topics, found 1"), "{said}");
    // Gold that judged less than bronze is warned of.
    fs::write(at.join("thin.qrels"), "01 0 a 1\n02 0 a 1\n03 0 a 0\n").unwrap();
    let thin = json(at, &["eval", "bronze.qrels", "a.run", "-m", "RR", "--gold", "thin.qrels"]);
    assert!(has_note(&thin, "gold judged 3 of the 6 documents that bronze judged"));
    assert_eq!(thin["scores"][0]["interval"], Value::Null);
}
