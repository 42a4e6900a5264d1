//! `karat simulate ranking`: the contract of its JSON, the numbers of Park (2016), and what it refuses.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::process::{Command, Output};

use serde_json::Value;

fn karat(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_karat")).args(["simulate", "ranking"]).args(arguments).output().unwrap()
}

fn cells(arguments: &[&str]) -> Vec<Value> {
    let output = karat(&[arguments, &["-f", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = crate::schema::parse(&output.stdout);
    assert_eq!((&answer["schema"], &answer["command"]), (&"karat/2".into(), &"simulate ranking".into()));
    answer["cells"].as_array().unwrap().clone()
}

fn number(cell: &Value, field: &str) -> f64 {
    cell[field].as_f64().unwrap_or_else(|| panic!("{field} of {cell}"))
}

#[test]
fn the_papers_grid_is_the_default_and_agrees_with_what_is_exact() {
    let cells = cells(&["--seed", "3"]);
    let mut seen: Vec<(f64, f64)> = cells.iter().map(|cell| (number(cell, "q"), number(cell, "w"))).collect();
    seen.dedup();
    assert_eq!(seen.len(), 30);
    for cell in &cells {
        let z = (number(cell, "mean") - number(cell, "mean_exact")) / number(cell, "mean_std_error");
        assert!(z.abs() < 5.0, "mean {z}: {cell}");
        let z = (number(cell, "std_dev") - number(cell, "std_dev_exact")) / number(cell, "std_dev_std_error");
        assert!(z.abs() < 5.0, "standard deviation {z}: {cell}");
        // 10 000 means in which the error of a Normal's sd is 1/√20000 of it: the one told must be near that.
        let told = number(cell, "std_dev_std_error") / number(cell, "std_dev") * 20_000f64.sqrt();
        assert!((0.8..1.25).contains(&told), "{told}: {cell}");
        if number(cell, "w") == 1.0 {
            let z = (number(cell, "mean") - number(cell, "mean_closed_form")) / number(cell, "mean_std_error");
            assert!(z.abs() < 5.0, "closed form {z}: {cell}");
            assert!((number(cell, "std_dev") / number(cell, "std_dev_closed_form") - 1.0).abs() < 0.04, "{cell}");
            assert!((number(cell, "coverage_closed_form") - 0.95).abs() < 0.012, "{cell}");
        }
    }
    // What the paper says falls with w rises: .054 at w = 1, .100 at w = .05 for q = .5.
    let mean = |w: f64| {
        let at = |cell: &&Value| number(cell, "q") == 0.5 && number(cell, "w") == w;
        number(cells.iter().find(at).unwrap(), "mean")
    };
    assert!((mean(1.0) - 0.0537).abs() < 0.0002 && (mean(0.05) - 0.1003).abs() < 0.0002);
}

#[test]
fn closed_forms_are_the_papers() {
    // p = .8, ranks 11 to 100, 50 queries: E[v] = q (p¹⁰ − p¹⁰⁰); sd of v, and of the mean, which is that over √50.
    let expected = [
        (0.05, 0.005369, 0.007801, 0.001103),
        (0.2, 0.021475, 0.014317, 0.002025),
        (0.35, 0.037581, 0.017071, 0.002414),
        (0.5, 0.053687, 0.017896, 0.002531),
    ];
    let cells = cells(&["--q", "0.05,0.2,0.35,0.5", "--w", "1", "--replications", "20"]);
    for (cell, (q, mean, of_list, of_mean)) in cells.iter().zip(expected) {
        assert_eq!(number(cell, "q"), q);
        for form in ["closed_form", "exact"] {
            assert!((number(cell, &format!("mean_{form}")) - mean).abs() < 5e-7, "{cell}");
            assert!((number(cell, &format!("std_dev_{form}")) - of_mean).abs() < 5e-7, "{cell}");
            assert!((number(cell, &format!("list_std_dev_{form}")) - of_list).abs() < 5e-7, "{cell}");
        }
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let with =
        |threads| karat(&["--replications", "700", "--histogram", "9", "-f", "json", "--threads", threads]).stdout;
    let alone = with("1");
    assert!(!alone.is_empty());
    assert_eq!(alone, with("3"));
    // A cell alone is the cell of the grid.
    let grid = cells(&["--replications", "200"]);
    let lone = cells(&["--replications", "200", "--q", "0.2", "--w", "0.7"]);
    assert!(grid.contains(&lone[0]));
}

#[test]
fn below_thirty_queries_the_interval_is_exact_and_holds() {
    let cells = cells(&["--q", "0.05", "--w", "1", "--queries", "3", "--replications", "4000"]);
    assert_eq!(cells[0]["interval_method"], "bernoulli_sum");
    // The level is guaranteed at least; five standard errors of a share near .95 are .017.
    assert!(number(&cells[0], "coverage_closed_form") > 0.95 - 0.017, "{}", cells[0]);
    let low = cells[0]["interval_closed_form"][0].as_f64().unwrap();
    assert!((0.0..1e-3).contains(&low), "a Normal would reach below 0; {low}");
}

#[test]
fn one_replication_has_no_standard_deviation() {
    let cells = cells(&["--q", "0.2", "--w", "1", "--replications", "1"]);
    assert!(cells[0]["std_dev"].is_null() && cells[0]["mean_std_error"].is_null() && cells[0]["mean"].is_f64());
}

#[test]
fn impossible_numbers_are_usage_errors_that_teach() {
    let refused: [(&[&str], &str); 9] = [
        (&["--q", "1.5"], "q is 1.5; expected a number from 0 to 1"),
        (&["--q", "-0.1"], "q is -0.1; expected a number from 0 to 1"),
        (&["--q", "NaN"], "q is NaN; expected"),
        (&["--w", "0"], "w is 0; expected a number above 0"),
        (&["--p", "1"], "p is 1; expected a number above 0 and below 1"),
        (&["--judged", "100"], "expected fewer judged ranks than documents"),
        (&["--relevant", "101"], "101 relevant of 100 documents"),
        (&["--level", "95"], "--level needs a number between 0 and 1, found 95"),
        (&["--documents", "0"], "0 documents; expected a number from 1"),
    ];
    for (arguments, message) in refused {
        let output = karat(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(karat(&["--queries", "0"]).status.code(), Some(2));
    assert_eq!(karat(&["--q", "0.1", "--relevant", "5"]).status.code(), Some(2));
}
