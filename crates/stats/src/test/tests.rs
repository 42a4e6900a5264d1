//! The whole table: pages, worked examples, refusals, threads.

use super::*;

fn evidence(row: &TestInfo, first: &[f64], second: &[f64], settings: &Settings) -> Result<Evidence, NoTest> {
    let first = Sample::new(first).unwrap();
    match row.of {
        Of::Differences(_) => row.run(&first, Alternative::TwoSided, settings),
        Of::TwoSamples(_) => row.run_unpaired(&first, &Sample::new(second).unwrap(), Alternative::TwoSided),
    }
}

#[test]
fn every_row_has_its_page_and_recomputes_its_example() {
    for (place, row) in TESTS.iter().enumerate() {
        assert!(TESTS[place + 1..].iter().all(|other| other.name != row.name && other.title != row.title));
        assert!(row.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", row.name);
        for text in
            [row.statistic, row.formula, row.reading, row.misleads, row.citation, row.example.derivation, row.title]
        {
            assert!(text.len() > 7, "{}", row.name);
        }
        let found = evidence(row, row.example.differences, row.example.second, &Settings::default()).unwrap();
        assert!((found.statistic - row.example.statistic).abs() < 1e-12, "{}: {found:?}", row.name);
        assert!((found.p - row.example.p).abs() < row.example.within, "{}: {found:?}", row.name);
        assert_eq!((found.test, find(row.name).map(|row| row.title)), (row.name, Some(row.title)));
    }
    assert!(find("anova").is_none());
}

/// AP-like differences: skewed, some of them 0.
fn skewed(n: usize, index: u64) -> Vec<f64> {
    let mut stream = Seed(2).stream("skewed", index);
    (0..n).map(|_| if stream.below(5) == 0 { 0.0 } else { (stream.unit() * stream.unit() - 0.2) / 3.0 }).collect()
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads() {
    for n in [45, 50, 130] {
        let values = skewed(n, 0);
        for row in TESTS.iter().filter(|row| matches!(row.of, Of::Differences(_))) {
            let of = |threads| {
                let settings = Settings { threads, permutations: 10_000, ..Settings::default() };
                evidence(row, &values, &[], &settings).unwrap()
            };
            assert_eq!(of(1), of(2), "{}", row.name);
            assert_eq!(of(1), of(7), "{}", row.name);
        }
    }
}

#[test]
fn alternatives_mirror_and_p_is_a_probability_that_respects_its_floor() {
    let settings = Settings { permutations: 2000, ..Settings::default() };
    for index in 0..30 {
        let values = skewed(5 + 2 * index as usize, index + 1);
        let turned: Vec<f64> = values.iter().map(|d| -d).collect();
        let (sample, turned) = (Sample::new(&values).unwrap(), Sample::new(&turned).unwrap());
        for row in TESTS.iter().filter(|row| matches!(row.of, Of::Differences(_))) {
            for alternative in [Alternative::TwoSided, Alternative::Greater, Alternative::Less] {
                let mirror = match alternative {
                    Alternative::TwoSided => Alternative::TwoSided,
                    Alternative::Greater => Alternative::Less,
                    Alternative::Less => Alternative::Greater,
                };
                let (found, other) =
                    (row.run(&sample, alternative, &settings).unwrap(), row.run(&turned, mirror, &settings).unwrap());
                assert!(found.p > 0.0 && found.p <= 1.0, "{found:?}");
                assert!(found.smallest_p.is_none_or(|least| found.p >= least * (1.0 - 1e-12)), "{found:?}");
                assert!(found.used <= found.observations);
                // Draws of mirrored signs are others; what is not drawn mirrors exactly.
                if matches!(found.calculation, Calculation::Drawn { .. }) {
                    assert!((found.p - other.p).abs() < 0.08, "{} {found:?} {other:?}", row.name);
                } else {
                    assert!((found.p - other.p).abs() < 1e-12, "{} {found:?} {other:?}", row.name);
                }
            }
        }
    }
}

#[test]
fn reasons_instead_of_nan() {
    let settings = Settings::default();
    for row in TESTS {
        let of = |values: &[f64], second: &[f64]| evidence(row, values, second, &settings);
        if let Of::TwoSamples(_) = row.of {
            assert_eq!(of(&[1.0], &[1.0, 2.0]), Err(NoTest::TooFew { have: 1, need: 2 }));
            assert_eq!(of(&[1.0, 1.0], &[1.0, 1.0]), Err(NoTest::AllZero));
            assert_eq!(of(&[3.0, 3.0], &[1.0, 1.0]), Err(NoTest::Constant { value: 2.0 }));
            let sample = Sample::new(&[1.0, 2.0]).unwrap();
            assert_eq!(row.run(&sample, Alternative::TwoSided, &settings), Err(NoTest::Unpaired));
            continue;
        }
        assert_eq!(of(&[0.5], &[]), Err(NoTest::TooFew { have: 1, need: 2 }), "{}", row.name);
        assert_eq!(of(&[0.0; 50], &[]), Err(NoTest::AllZero), "{}", row.name);
        let constant = of(&[0.1; 9], &[]);
        match row.name {
            "randomization" | "wilcoxon" | "sign" => {
                // All nine on one side: 2 of 512 choices of signs, for ranks and signs as for sums.
                assert!((constant.unwrap().p - 2.0 / 512.0).abs() < 1e-15, "{}", row.name);
            }
            // Nine times .1 and one loss of 1 unseen: 2 / 1.1⁹.
            "bounded" => assert!((constant.unwrap().p - 2.0 / 1.1f64.powi(9)).abs() < 1e-11),
            _ => assert_eq!(constant, Err(NoTest::Constant { value: 0.1 }), "{}", row.name),
        }
        let sample = Sample::new(&[1.0, 2.0]).unwrap();
        assert_eq!(row.run_unpaired(&sample, &sample, Alternative::TwoSided), Err(NoTest::Paired));
        let none = Settings { permutations: 0, ..settings };
        if row.name.starts_with("bootstrap") {
            assert_eq!(evidence(row, &[1.0, 2.0, 3.0, 4.0, 6.0], &[], &none), Err(NoTest::NoDraws));
        }
    }
    let many: Vec<f64> = (1..=60).map(f64::from).collect();
    let none = Settings { permutations: 0, ..settings };
    assert_eq!(evidence(&sign_flip::ROW, &many, &[], &none), Err(NoTest::NoDraws));
    let odd = Settings { tie: f64::NAN, ..settings };
    assert!(matches!(evidence(&sign::ROW, &many, &[], &odd), Err(NoTest::Setting { .. })));
}

#[test]
fn the_smallest_p_tells_what_could_not_have_been_significant() {
    // 5 topics differ: 2^(1 − 5) = 1/16 > .05 for signs, sums and ranks; 6 topics: 1/32.
    let of = |row: &TestInfo, values: &[f64]| evidence(row, values, &[], &Settings::default()).unwrap();
    for row in [sign_flip::ROW, sign::ROW, wilcoxon::ROW] {
        let five = of(&row, &[0.1, 0.2, 0.3, 0.4, 0.0, 0.5, 0.0]);
        assert_eq!((five.smallest_p, five.used, five.observations), (Some(1.0 / 16.0), 5, 7), "{}", row.name);
        assert!(five.unresolvable(0.05) && (five.p - 1.0 / 16.0).abs() < 1e-15);
        assert!(!of(&row, &[0.1, 0.2, 0.3, 0.4, 0.5, -0.6]).unresolvable(0.05));
    }
    assert_eq!(of(&t::ROW, &[0.1, 0.2, 0.3]).smallest_p, None);
    // 60 topics are drawn: 1/(100000 + 1) is the floor, and is reached when no draw is as extreme.
    let many: Vec<f64> = (1..=60).map(f64::from).collect();
    let drawn = of(&sign_flip::ROW, &many);
    assert_eq!((drawn.p, drawn.smallest_p), (1.0 / 100_001.0, Some(1.0 / 100_001.0)));
    assert_eq!(drawn.calculation, Calculation::Drawn { draws: 100_000, extreme: 0 });
}

#[test]
fn a_wider_tie_drops_more_topics() {
    // Differences of 0.01 and −0.01 are ties at 0.01 though 0.3 − 0.29 is a hair more.
    let values = [0.3 - 0.29, -0.01, 0.2, 0.3, 0.1];
    let wide = Settings { tie: 0.01, ..Settings::default() };
    let found = evidence(&sign::ROW, &values, &[], &wide).unwrap();
    assert_eq!((found.used, found.statistic), (3, 3.0));
    assert!((found.p - 0.25).abs() < 1e-15);
    assert_eq!(evidence(&sign::ROW, &values, &[], &Settings::default()).unwrap().used, 5);
}
