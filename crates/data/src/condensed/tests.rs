//! Lists that were made in parts are the lists that are made at once.

use super::*;
use crate::aligned_runs::AlignedRuns;
use crate::judgement::Judgement;
use crate::qrels::QrelsBuilder;
use crate::rankings::{RunTopics, each_topic_with_ties};
use crate::source::{Row, TopicRows, Visitor};

/// A topic, and docnos with scores.
type Topic = (&'static str, Vec<(String, f64)>);

/// Runs in memory, by name.
struct Runs(Vec<(&'static str, Vec<Topic>)>);

impl RunSource for Runs {
    fn visit(&self, _: usize, visitor: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        let (mut problems, mut facts) = (Problems::default(), Vec::new());
        for (run, (name, topics)) in self.0.iter().enumerate() {
            for (topic, documents) in topics {
                let row = |(docno, score): &'_ (String, f64)| (docno.clone(), *score);
                let owned: Vec<(String, f64)> = documents.iter().map(row).collect();
                let rows: Vec<Row<'_>> = owned
                    .iter()
                    .map(|(docno, score)| Row { docno: docno.as_bytes(), score: *score, line: 0 })
                    .collect();
                let given = TopicRows { run, attempt: 0, topic: topic.as_bytes(), rows: &rows };
                for problem in visitor.worker().topic(&given) {
                    problems.push(Problem::of_line(name, 0, problem));
                }
            }
            let rows = topics.iter().map(|(_, documents)| documents.len() as u64).sum();
            facts.push(RunFacts { rows, bytes: 10 * rows, ..facts_of(name) });
        }
        problems.into_result()?;
        Ok(facts)
    }
}

/// What was kept of runs.
struct Kept(Condensed);

impl RunSource for Kept {
    fn visit(&self, _: usize, _: &dyn Visitor) -> Result<Vec<RunFacts>, Problems> {
        Err(Problem::of_file("kept", "rows", "none", "-").into())
    }

    fn condensed(&self, _qrels: &Qrels) -> Option<&Condensed> {
        Some(&self.0)
    }
}

const TOPICS: [&str; 5] = ["1", "10", "2", "q", "unjudged"];

/// Some documents of every topic, in an order and with ties that depend on topic and run.
fn runs(keep: impl Fn(&str) -> bool) -> Runs {
    let topics = |seed: usize| -> Vec<Topic> {
        let of = |(place, &topic): (usize, &&'static str)| {
            let rows = (0..40 + 7 * place).map(|rank| {
                let document = (rank * (3 + 2 * seed) + place) % 97;
                (format!("d{document}"), ((rank * 13 + seed) % 11) as f64)
            });
            let mut seen = std::collections::BTreeSet::new();
            (topic, rows.filter(|(docno, _)| seen.insert(docno.clone())).collect())
        };
        TOPICS.iter().enumerate().map(of).filter(|(topic, _)| keep(topic)).collect()
    };
    let second = topics(2).into_iter().filter(|(topic, _)| *topic != "q").collect();
    Runs(vec![("b", topics(1)), ("a", second)])
}

fn qrels(keep: impl Fn(&str) -> bool) -> Qrels {
    let mut builder = QrelsBuilder::new();
    for (place, topic) in TOPICS.iter().enumerate().filter(|(_, topic)| **topic != "unjudged" && keep(topic)) {
        for document in 0..30 {
            let grade = [-1.0, 0.0, 1.0, 2.0, 0.5][(document * 7 + place) % 5];
            let docno = format!("d{}", document * 3);
            builder.push(topic.as_bytes(), docno.as_bytes(), Judgement::from_number(grade).unwrap());
        }
    }
    builder.finish().0
}

/// Everything that is seen of a ranking.
type Seen = (Vec<Judgement>, u32, Vec<(usize, usize, Vec<Judgement>)>);

/// A run, the topics that nobody judged, and the others.
type SeenRun = (RunFacts, Vec<Vec<u8>>, Vec<(u32, Seen)>);

fn seen(qrels: &Qrels, runs: &dyn RunSource, policy: &Policy) -> Vec<SeenRun> {
    let ask = |_: crate::TopicIndex, ranking: crate::Ranking<'_>, all: &mut Vec<Seen>| -> Option<()> {
        let ties = ranking.ties.iter().map(|group| (group.start, group.end, group.members.to_vec())).collect();
        all.push((ranking.ranks.to_vec(), ranking.below, ties));
        None
    };
    let found = each_topic_with_ties(qrels, runs, policy, 2, 1, ask).unwrap();
    let of_run = |(run, _): (RunTopics<Seen>, _)| {
        let topics = run.iter().map(|(topic, seen)| (topic.0, seen[0].clone())).collect();
        // Not told by the runs of this test.
        (RunFacts { topics: 0, ..run.facts.clone() }, run.unjudged_topics.clone(), topics)
    };
    found.into_iter().map(of_run).collect()
}

fn parts(policy: &Policy, of: &[&[&str]]) -> Vec<Vec<u8>> {
    let part = |topics: &&[&str]| {
        let keep = |topic: &str| topics.contains(&topic);
        Part::of(&qrels(keep), &runs(keep), policy, true, "9").write()
    };
    of.iter().map(part).collect()
}

fn joined(parts: &[Vec<u8>], names: Option<&[String]>, policy: &Policy) -> Condensed {
    Condensed::join(parts.iter().map(Vec::as_slice), names, policy, "9").unwrap()
}

#[test]
fn parts_of_any_cut_are_the_whole() {
    let order = ["b".to_owned(), "a".to_owned()];
    for policy in [
        Policy::default(),
        Policy { depth: Some(12), ..Policy::default() },
        Policy { judged_only: true, ..Policy::default() },
    ] {
        let whole = seen(&qrels(|_| true), &runs(|_| true), &policy);
        for cut in [
            &[&TOPICS[..]][..],
            &[&["2", "unjudged"], &["1"], &["q", "10"]],
            &[&["q"], &["unjudged"], &["10"], &["2"], &["1"]],
        ] {
            let kept = Kept(joined(&parts(&policy, cut), Some(&order), &policy));
            assert_eq!(seen(&qrels(|_| true), &kept, &policy), whole, "{cut:?}");
            let documents = RankedDocuments::numbered(&qrels(|_| true), &kept, &policy, 2).unwrap();
            let read = RankedDocuments::numbered(&qrels(|_| true), &runs(|_| true), &policy, 2).unwrap();
            for topic in documents.topics.iter() {
                let other = read.find(&topic.name).unwrap();
                assert_eq!((topic.len(), &topic.lists), (other.len(), &other.lists));
                for document in 0..topic.len() as u32 {
                    // Every third document up to d87 is in the judgements.
                    let docno = other.docno(document);
                    let number: usize = String::from_utf8_lossy(&docno[1..]).parse().unwrap();
                    let named = number.is_multiple_of(3) && number < 90;
                    assert_eq!(topic.docno(document), if named { docno } else { b"" });
                }
            }
        }
    }
}

#[test]
fn runs_aligned_once_are_the_runs() {
    for policy in [Policy::default(), Policy { depth: Some(12), ..Policy::default() }] {
        let (qrels, runs) = (qrels(|_| true), runs(|_| true));
        let aligned = AlignedRuns::read(&qrels, super::tests::runs(|_| true), &policy, true, 2).unwrap();
        assert!(aligned.condensed(&qrels).is_some());
        assert_eq!(seen(&qrels, &aligned, &policy), seen(&qrels, &runs, &policy));
        let kept = RankedDocuments::numbered(&qrels, &aligned, &policy, 2).unwrap();
        let read = RankedDocuments::numbered(&qrels, &runs, &policy, 2).unwrap();
        assert_eq!(kept.topics.len(), TOPICS.len() - 1);
        assert!(kept.topics.iter().all(|topic| read.find(&topic.name) == Some(topic)));
        // Under other judgements the rows are read again.
        let other = super::tests::qrels(|topic| topic != "10");
        assert!(aligned.condensed(&other).is_none());
        assert_eq!(seen(&other, &aligned, &policy), seen(&other, &runs, &policy));
    }
}

#[test]
fn another_policy_reads_the_rows() {
    let policy = Policy::default();
    let kept = Kept(joined(&parts(&policy, &[&TOPICS]), None, &policy));
    let ask = |_: crate::TopicIndex, _: crate::Ranking<'_>, all: &mut Vec<()>| -> Option<()> {
        all.push(());
        None
    };
    let asked =
        |policy: &Policy| each_topic_with_ties(&qrels(|_| true), &kept, policy, 1, 1, ask).map(|found| found.len());
    assert_eq!(asked(&Policy { missing_topics: MissingTopics::Skip, ..policy }).ok(), Some(2));
    assert!(asked(&Policy { depth: Some(3), ..policy }).is_err());
    assert!(Kept(joined(&parts(&policy, &[&TOPICS]), None, &policy)).0.names() == ["a", "b"]);
}

#[test]
fn what_is_no_part_of_this_answer_is_refused() {
    let policy = Policy::default();
    let mut all = parts(&policy, &[&["1"], &["2"]]);
    let join = |all: &[Vec<u8>], policy: &Policy, version: &str| {
        Condensed::join(all.iter().map(Vec::as_slice), None, policy, version).map(|kept| kept.names())
    };
    assert!(matches!(join(&all, &policy, "10"), Err(Ok(NotAPart::MadeBy { .. }))));
    assert!(matches!(join(&all, &Policy { depth: Some(5), ..policy }, "9"), Err(Ok(NotAPart::MadeBy { .. }))));
    for cut in 0..all[0].len() {
        assert!(Part::read(&all[0][..cut]).is_none(), "{cut}");
    }
    assert_eq!(join(&[all[0].clone(), all[0].clone()], &policy, "9"), Err(Ok(NotAPart::Divided { topic: "1".into() })));
    all[1].pop();
    assert!(matches!(join(&all, &policy, "9"), Err(Ok(NotAPart::Damaged))));
}

#[test]
fn problems_of_all_parts_are_told_and_counted() {
    let policy = Policy::default();
    let twice = |topic: &'static str| {
        let rows = (0..30).map(|row| (format!("d{}", row / 2), f64::from(row))).collect();
        Part::of(&qrels(|_| true), &Runs(vec![("a", vec![(topic, rows)])]), &policy, true, "9").write()
    };
    let all = [twice("1"), twice("2"), parts(&policy, &[&["q"]]).remove(0)];
    let Err(Err(problems)) = Condensed::join(all.iter().map(Vec::as_slice), None, &policy, "9") else { panic!() };
    // Fifteen documents twice in each of two topics; twenty are told.
    assert_eq!((problems.total(), problems.kept().len()), (30, 20));
    let empty = joined(&parts(&policy, &[&["1"]]), Some(&["a".into(), "nobody".into()]), &policy);
    assert!(empty.facts().unwrap_err().to_string().contains("run 'nobody': expected at least one retrieved document"));
}
