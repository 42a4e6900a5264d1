//! What holds for every row of the table: names, texts, worked examples, empty topics, text form.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;

use karat_data::{CollectionFacts, JudgementKind};
use karat_measures::example::Owned;
use karat_measures::measured::{self, MEASURED};
use karat_measures::registry::{self, MEASURES};
use karat_measures::{Behaviour, Example, Measure, Undefined, spec};

fn build(text: &str) -> Box<dyn Measure> {
    spec::parse(text, 1.0).and_then(|spec| spec.build()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn names_and_aliases_are_unique_whatever_their_case() {
    let mut owner: BTreeMap<String, &str> = BTreeMap::new();
    for info in MEASURES {
        for name in std::iter::once(&info.name).chain(info.aliases) {
            let other = owner.insert(name.to_ascii_lowercase(), info.name);
            // Within a row a name and an alias may differ in case only (trec_eval's binG, ours BinG).
            assert!(other.is_none_or(|other| other == info.name), "{name} names {} and {other:?}", info.name);
            let found = registry::find(name).map(|found| found.name);
            assert_eq!(found, Some(info.name), "{name}");
        }
    }
}

#[test]
fn every_row_has_its_page() {
    for info in MEASURES {
        let texts = [
            info.name,
            info.summary,
            info.formula,
            info.reading,
            info.misleads,
            info.citation.text,
            info.citation.bibtex,
        ];
        assert!(texts.iter().all(|text| !text.trim().is_empty() && *text == text.trim()), "{}", info.name);
        assert!(info.citation.bibtex.starts_with('@'), "{}", info.name);
        assert!(!info.examples.is_empty(), "{} has no worked example", info.name);
        for parameter in info.parameters {
            assert!(!parameter.legal.to_string().is_empty() && !parameter.meaning.is_empty(), "{}", info.name);
        }
        for behaviour in
            [info.when_empty.nothing_judged, info.when_empty.nothing_relevant, info.when_empty.nothing_retrieved]
        {
            if let Behaviour::Undefined(text) | Behaviour::Depends(text) = behaviour {
                assert!(!text.is_empty(), "{}", info.name);
            }
        }
        assert!(info.range.0 <= info.range.1, "{}", info.name);
    }
}

#[test]
fn worked_examples_come_out() {
    for info in MEASURES {
        for example in info.examples {
            let measure = build(example.measure);
            assert_eq!(measure.info().name, info.name, "{}", example.measure);
            assert!(!example.derivation.is_empty());
            let topic = Owned::of(example).unwrap();
            let score = measure.score(&topic.view()).unwrap_or_else(|why| panic!("{}: {why}", example.measure));
            assert!(
                (score.value - example.value).abs() < 1e-12,
                "{} of [{}]: computed {}, stated {} ({})",
                example.measure,
                example.ranking,
                score.value,
                example.value,
                example.derivation
            );
        }
    }
}

#[test]
fn what_is_declared_for_empty_topics_happens() {
    let collection = CollectionFacts::default();
    let plain = [
        ("nothing judged", "- - -", ""),
        ("nothing relevant", "0 0 0", "0 0"),
        ("nothing retrieved", "", "1 1 1 0 0"),
        ("nothing at all", "", ""),
    ];
    let marked = [
        ("nothing judged", "- - -", ""),
        ("nothing relevant", "a0 a0b0 0", "a0 b0"),
        ("nothing retrieved", "", "a b ab a0 0"),
        ("nothing at all", "", ""),
    ];
    let strata = [
        // A topic of such judgements has lines, those of its pool.
        ("nothing judged", "- a-1 b-1", "a-1"),
        ("nothing relevant", "a0 b0 a-1", "a0 b0"),
        ("nothing retrieved", "", "a1 b1 a0 b-1"),
        ("nothing at all", "", ""),
    ];
    let chosen = [
        ("nothing judged", "- - -", ""),
        ("nothing relevant", "0a 0b0.5", "0a"),
        ("nothing retrieved", "", "1a 1b0.5 0a"),
        ("nothing at all", "", ""),
    ];
    for info in MEASURES {
        for example in info.examples {
            let measure = build(example.measure);
            let cases = match info.needs {
                JudgementKind::Grades => plain,
                JudgementKind::Strata => strata,
                JudgementKind::Probabilities => chosen,
                _ => marked,
            };
            for (index, (case, ranking, missed)) in cases.iter().enumerate() {
                let topic = Owned::parse_marked(info.needs, ranking, missed, collection).unwrap();
                let got = measure.score(&topic.view());
                if let Ok(score) = got {
                    assert!(score.value.is_finite(), "{} where {case}: {}", example.measure, score.value);
                }
                let empty = info.when_empty;
                let declared = [empty.nothing_judged, empty.nothing_relevant, empty.nothing_retrieved];
                // Gains and prices of the user's own may change what an empty topic is worth.
                let own = example.measure.contains("gains=") || example.measure.contains("d=");
                match declared.get(index) {
                    Some(Behaviour::Value(value)) if !own => {
                        assert_eq!(got.map(|score| score.value), Ok(*value), "{} where {case}", example.measure);
                    }
                    Some(Behaviour::Undefined(reason)) => {
                        assert_eq!(got.map(|score| score.value), Err(Undefined { reason }), "{}", example.measure);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn specs_print_and_parse_back_to_the_same_measure() {
    let collection = CollectionFacts { max_grade: 3.0, documents: Some(50), whole_grades: true };
    for info in MEASURES {
        let topic = match info.needs {
            JudgementKind::Grades => Owned::parse("2 - 0 1 ? 3 0 1", "1 2 0 ?", collection),
            kind @ JudgementKind::Strata => {
                Owned::parse_marked(kind, "a2 - b0 a1 b-1 a3 b2 b-1", "a0 b2 b1 a-1", collection)
            }
            kind @ JudgementKind::Probabilities => {
                Owned::parse_marked(kind, "2a0.5 - 0b 1a0.25 3a", "2b 1a0.5", collection)
            }
            marked => Owned::parse_marked(marked, "a2 - b0 ab a3b2 0 c a2c", "d2 b ? 0", collection),
        };
        let topic = topic.unwrap();
        for example in info.examples {
            for level in [1.0, 2.0, 2.5, 9.0] {
                let spec = spec::parse(example.measure, level).unwrap();
                let measure = spec.build().unwrap();
                let text = measure.spec().to_string();
                // Read again where the default level is another one: what was meant must be written, unless it was 1.
                let again = spec::parse(&text, 1.0).unwrap().build().unwrap();
                assert_eq!(again.spec().to_string(), text);
                assert_eq!(again.score(&topic.view()), measure.score(&topic.view()), "{text}");
            }
        }
        let aliases = std::iter::once(&info.name).chain(info.aliases);
        assert!(aliases.clone().all(|alias| !alias.contains(['(', ')', '@', ',', ' ', '='])), "{}", info.name);
    }
}

#[test]
fn a_parameter_out_of_its_range_is_an_error_that_names_it() {
    for text in [
        "P@0",
        "P@2.5",
        "P@-1",
        "P@1e300",
        "RBP(p=0)",
        "RBP(p=1)",
        "RBP(gain=9)",
        "IPrec@1.5",
        "IPrec",
        "RprecMult@0",
        "IPrecAvg(levels=[2])",
        "IPrecAvg(levels=3)",
        "SetF(beta=-1)",
        "SetF(x=1,beta=1)",
        "F@3(beta=1)",
        "AP(rel=0)",
        "AP(rel=-1)",
        "AP(rel=abc)",
        "nDCG(dcg=ln)",
        "nDCG(gains={-3:1})",
        "nDCG(gains={1:1,1:2})",
        "CG(gains={-1:1})@3",
        "CG",
        "NumQ@3",
        "nDCG(gains=5)",
        "IPrec(rounding=up)@0.1",
        "Utility(a=x)",
        "Unjudged",
        "AP(cutoff=3)",
        "alpha_nDCG",
        "alpha_nDCG@1e7",
        "alpha_nDCG(alpha=1)@5",
        "ERR_IA",
        "NRBP(beta=0)",
        "P_IA",
        "INST(T=0.4)",
        "INST(max_rel=0)",
        "INSQ(T=0)",
        "INSQ(min_rel=2,max_rel=2)",
        "INSQ(min_rel=-1)",
        "BPM",
        "BPM(hc=-1)@5",
        "NERR8",
        "NERR10(p=1)",
        "SDCG@2000000",
        "Compat(p=0)",
        "Compat(normalize=maybe)",
        "Q(beta=-1)",
        "NCUrb(gamma=0)",
        "JKnDCG(b=1)",
        "nERR(gain=cubic)@5",
        "xinfAP@0",
        "infNDCG@1.5",
        "infNDCG(gains={-1:1})",
        "infP",
        "statAP@5",
        "htP",
        "htRBP(p=1)",
        "htRBP(gain=linear)",
    ] {
        let result = spec::parse(text, 1.0).and_then(|spec| spec.build().map(drop));
        assert!(result.is_err_and(|error| error.message.len() > 20), "{text}");
    }
}

/// Every measure has bounds on all its examples, with documents unjudged at both ends of the list too.
#[test]
fn every_measure_has_bounds() {
    for example in MEASURES.iter().flat_map(|info| info.examples) {
        let unjudged = Example { ranking: Box::leak(format!("- {} -", example.ranking).into_boxed_str()), ..*example };
        for example in [example, &unjudged] {
            let topic = Owned::of(example).unwrap();
            let bounds = build(example.measure).score(&topic.view()).map(|score| score.bounds());
            assert!(!matches!(bounds, Ok(None)), "{}", example.measure);
        }
    }
    // Nor does a page deny it.
    let texts = MEASURES.iter().flat_map(|info| [info.reading, info.misleads].map(|text| (info.name, text)));
    let denied: Vec<_> = texts.filter(|(_, text)| text.to_ascii_lowercase().contains("no bounds")).collect();
    assert!(denied.is_empty(), "{denied:?}");
}

/// Who infers from a sample publishes how far off it was.
#[test]
fn what_is_inferred_from_a_sample_was_measured() {
    for info in MEASURES {
        let sampled = matches!(info.needs, JudgementKind::Strata | JudgementKind::Probabilities);
        assert!(measured::of(info.name).next().is_some() || !sampled, "{}", info.name);
    }
    for measured in MEASURED {
        assert!(registry::find(measured.name).is_some(), "{}", measured.name);
        // A heading, a rule, and a row for each of five rates.
        assert_eq!(measured.table.lines().count(), 7, "{}", measured.name);
    }
}
