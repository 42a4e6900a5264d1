//! Real files of every format, each told from its content and read whole. The numbers were counted with awk, apart from
//! this program: rows, topics, documents (a topic and a docno), those whose best grade is 1 or more, those whose best is
//! negative, and the groups (subtopics, strata, methods).
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)] // a test may stop, and says what it skips

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;

use karat_data::JudgementKind::{self, Grades, Groups, Preferences, Probabilities, Strata, Subtopics};
use karat_data::{LineProblem, RunSource, TopicRows, Visitor, Worker};
use karat_formats::{Dialect, Input, RunFiles, detect, read_qrels};

/// Collection, file, format, kind, rows, topics, documents, relevant, not judged, groups.
type Judged = (&'static str, &'static str, &'static str, JudgementKind, u64, usize, usize, u32, usize, usize);

const JUDGED: &[Judged] = &[
    ("qrels_zoo", "qrels.adhoc.401-450.txt.xz", "trec", Grades, 86830, 50, 86830, 4728, 0, 0),
    ("qrels_zoo", "qrels.backgroundlinking18.txt.xz", "trec", Grades, 8508, 50, 8508, 2043, 0, 0),
    ("qrels_zoo", "qrels.beir-v1.0.0-arguana.test.txt", "trec", Grades, 1406, 1406, 1406, 1406, 0, 0),
    ("qrels_zoo", "qrels.beir-v1.0.0-climate-fever.test.txt.xz", "trec", Grades, 4681, 1535, 4681, 4681, 0, 0),
    ("qrels_zoo", "qrels.beir-v1.0.0-dbpedia-entity.test.txt.xz", "trec", Grades, 43515, 400, 43515, 15286, 0, 0),
    ("qrels_zoo", "qrels.beir-v1.0.0-nfcorpus.test.txt.xz", "trec", Grades, 12334, 323, 12334, 12334, 0, 0),
    ("qrels_zoo", "qrels.beir-v1.0.0-scifact.test.txt", "trec", Grades, 339, 300, 339, 339, 0, 0),
    ("qrels_zoo", "qrels.beir-v1.0.0-trec-covid.test.txt.xz", "trec", Grades, 66334, 50, 66334, 24673, 0, 0),
    ("qrels_zoo", "qrels.cacm.txt", "trec", Grades, 796, 52, 796, 796, 0, 0),
    ("qrels_zoo", "qrels.car17v2.0.benchmarkY1test.txt.xz", "trec", Grades, 6192, 2254, 6192, 6192, 0, 0),
    ("qrels_zoo", "qrels.clef06fr.txt.xz", "trec", Grades, 17882, 49, 17882, 2148, 0, 0),
    ("qrels_zoo", "qrels.core17.txt.xz", "trec", Grades, 30030, 50, 30030, 9002, 0, 0),
    ("qrels_zoo", "qrels.core18.txt.xz", "trec", Grades, 26233, 50, 26233, 3948, 0, 0),
    // Its second field is the round of judging, 0.5 to 5, and no document comes again.
    ("qrels_zoo", "qrels.covid-complete.txt.xz", "trec", Grades, 69318, 50, 69318, 26664, 2, 0),
    ("qrels_zoo", "qrels.dl19-doc.txt.xz", "trec", Grades, 16258, 43, 16258, 6597, 0, 0),
    ("qrels_zoo", "qrels.dl20-doc.txt.xz", "trec", Grades, 9098, 45, 9098, 1767, 0, 0),
    ("qrels_zoo", "qrels.dummy.txt", "trec", Grades, 4, 2, 4, 2, 0, 0),
    ("qrels_zoo", "qrels.hc4-neuclir22-ru.test.txt", "trec", Grades, 625, 50, 625, 142, 0, 0),
    ("qrels_zoo", "qrels.microblog2011.txt.xz", "trec", Grades, 60129, 49, 60129, 2965, 116, 0),
    ("qrels_zoo", "qrels.msmarco-doc.dev.txt", "trec", Grades, 5193, 5193, 5193, 5193, 0, 0),
    ("qrels_zoo", "qrels.msmarco-passage.dev-subset.txt.xz", "trec", Grades, 7437, 6980, 7437, 7437, 0, 0),
    ("qrels_zoo", "qrels.neuclir22-zh.txt.xz", "trec", Grades, 36575, 49, 36575, 2133, 0, 0),
    ("qrels_zoo", "qrels.robust05.txt.xz", "trec", Grades, 37798, 50, 37798, 6561, 0, 0),
    ("qrels_zoo", "qrels.trec02ar.txt.xz", "trec", Grades, 38432, 50, 38432, 5909, 0, 0),
    ("qrels_zoo", "qrels.web.101-150.txt.xz", "trec", Grades, 19381, 50, 19381, 3157, 1019, 0),
    ("qrels_zoo", "qrels.web.151-200.txt.xz", "trec", Grades, 16055, 50, 16055, 3523, 858, 0),
    ("qrels_zoo", "qrels.web.51-100.txt.xz", "trec", Grades, 25329, 48, 25329, 5233, 1431, 0),
    ("infap_prels", "prels.mq.1-10000.txt.xz", "prels", Probabilities, 73015, 1778, 73015, 18682, 0, 4),
    ("infap_prels", "prels.web.1-50.txt.xz", "prels", Probabilities, 13118, 50, 13118, 4002, 0, 2),
    ("xinfap_trecvid_avs21", "qrels.5col.strata.xz", "sampled", Strata, 124_431, 20, 124_431, 15649, 66013, 3),
    ("web_diversity", "2009_qrels.diversity.xz", "diversity", Subtopics, 27964, 50, 26407, 4942, 0, 9),
    ("web_diversity", "2010_10.diversity-qrels.final.txt.xz", "diversity", Subtopics, 9006, 48, 6553, 6553, 0, 6),
    ("web_diversity", "2011_qrels-for-ndeval.txt.xz", "diversity", Subtopics, 63235, 50, 19381, 5030, 0, 6),
    ("web_diversity", "2011_qrels.diversity.txt.xz", "diversity", Subtopics, 64868, 50, 19381, 5030, 1019, 6),
    ("web_diversity", "2012_qrels-for-ndeval.txt.xz", "diversity", Subtopics, 59736, 50, 16055, 5559, 0, 6),
    ("web_diversity", "2012_qrels.diversity.txt.xz", "diversity", Subtopics, 62394, 50, 16055, 5559, 858, 6),
    ("web_diversity", "2012_qrels.adhoc.txt.xz", "trec", Grades, 16055, 50, 16055, 3523, 858, 0),
    ("judges_quepid_haystack", "case_ratings.qrels", "trec", Grades, 1659, 135, 1659, 907, 0, 0),
    ("cranfield", "cranqrel.trec.txt", "trec", Grades, 1837, 225, 1837, 1612, 0, 0),
    ("vaswani", "qrels", "trec", Grades, 2083, 93, 2083, 2083, 0, 0),
    ("trec_eval_test", "prefs.test", "trec-prefs", Preferences, 164, 24, 112, 79, 0, 4),
    ("trec_eval_test", "prefs.comment.test", "trec-prefs", Preferences, 164, 24, 112, 79, 0, 4),
    // Has to be asked for.
    ("trec_eval_test", "qrels.123", "trec-jg", Groups, 10362, 3, 3733, 612, 304, 3),
];

/// Collection, file, rows, topics.
const RUNS: &[(&str, &str, u64, u64)] = &[
    ("judges_quepid_haystack", "run.no-vector.trec", 1274, 135),
    ("judges_quepid_haystack", "run.vector-2.trec", 1350, 135),
    ("judges_quepid_haystack", "run.with-vector.trec", 1353, 135),
    ("xinfap_trecvid_avs21", "run.RUCMM.txt", 20000, 20),
    ("web_diversity", "runs2012/ql.cata-filtered.xz", 8060, 50),
    ("web_diversity", "runs2012/ql.cata.xz", 50000, 50),
    ("web_diversity", "runs2012/ql.catb-filtered.xz", 21512, 50),
    ("web_diversity", "runs2012/ql.catb.xz", 49413, 50),
];

fn input(folder: &Path, file: &str) -> Input {
    let path = folder.join(file);
    Input::new(file, move || Ok(Box::new(File::open(&path)?)))
}

#[test]
fn judgements_of_every_format() {
    for &(collection, file, format, kind, rows, topics, documents, relevant, unjudged, groups) in JUDGED {
        let Some(folder) = karat_testdata::folder(collection, "real judgements") else { continue };
        let choice = if format == "trec-jg" { detect::qrels_by_name(format).unwrap() } else { detect::QRELS };
        let (qrels, facts) = read_qrels(&input(&folder, file), choice, Dialect::Strict, 2)
            .unwrap_or_else(|problems| panic!("{collection}/{file}: {problems}"));
        assert_eq!((facts.format, qrels.kind()), (format, kind), "{collection}/{file}");
        let of_grade: u32 = qrels.topics().map(|topic| qrels.facts(topic).relevant(1.0)).sum();
        let judged: u32 = qrels.topics().map(|topic| qrels.facts(topic).judged()).sum();
        let listed = qrels.rows();
        assert_eq!(
            (facts.rows, qrels.len(), listed, of_grade, listed - judged as usize),
            (rows, topics, documents, relevant, unjudged),
            "{collection}/{file}"
        );
        let Some(marks) = qrels.marks() else {
            assert_eq!(groups, 0, "{collection}/{file}");
            continue;
        };
        let all: usize = qrels.topics().map(|topic| marks.topic(topic).len()).sum();
        let mut found: Vec<u32> = qrels.topics().flat_map(|topic| marks.topic(topic)).map(|mark| mark.group).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!((all as u64, found.len()), (rows, groups), "{collection}/{file}");
    }
}

#[test]
fn the_probabilities_and_the_strata_are_the_files() {
    if let Some(folder) = karat_testdata::folder("infap_prels", "probabilities") {
        let (qrels, _) =
            read_qrels(&input(&folder, "prels.mq.1-10000.txt.xz"), detect::QRELS, Dialect::Strict, 1).unwrap();
        let marks = qrels.marks().unwrap();
        let certain = qrels.topics().flat_map(|topic| marks.topic(topic)).filter(|mark| mark.value == 1.0).count();
        // awk '$5 == 1': method 0, chosen for certain.
        assert_eq!(certain, 30090);
    }
    if let Some(folder) = karat_testdata::folder("xinfap_trecvid_avs21", "strata") {
        let (qrels, _) =
            read_qrels(&input(&folder, "qrels.5col.strata.xz"), detect::QRELS, Dialect::Strict, 1).unwrap();
        let marks = qrels.marks().unwrap();
        let size = |name: &[u8]| {
            qrels
                .topics()
                .flat_map(|topic| marks.topic(topic))
                .filter(|mark| marks.group_name(mark.group) == name)
                .count()
        };
        assert_eq!([size(b"1"), size(b"2"), size(b"3")], [15822, 19727, 88882]);
    }
}

#[test]
fn judgements_that_cannot_be_told_are_refused_rightly() {
    if let Some(folder) = karat_testdata::folder("cranfield", "Cranfield's own judgements") {
        let refused = read_qrels(&input(&folder, "original/cranqrel"), detect::QRELS, Dialect::Strict, 1).unwrap_err();
        let words = refused.to_string();
        assert!(words.starts_with("original/cranqrel:1: fields: expected judgements in a known format"), "{words}");
        assert!(words.contains("found 3 fields in \"1 184 2 \""), "{words}");
        assert!(words.contains("Cranfield's own file"), "{words}");
        // As a run: its codes are no ranks.
        let refused = visit(RunFiles::new(vec![input(&folder, "original/cranqrel")], detect::RUN, Dialect::Strict));
        assert!(refused.unwrap_err().contains("the third field repeats within a topic"));
    }
    if let Some(folder) = karat_testdata::folder("trec_eval_test", "judgement groups") {
        // Without being asked for, groups are taken for plain qrels or for subtopics; never for nothing.
        let found = read_qrels(&input(&folder, "qrels.123"), detect::QRELS, Dialect::Strict, 1);
        match found {
            Ok((qrels, _)) => assert_eq!(qrels.kind(), Subtopics),
            Err(problems) => assert!(problems.to_string().contains("--qrels-format diversity"), "{problems}"),
        }
    }
}

#[test]
fn runs() {
    for &(collection, file, rows, topics) in RUNS {
        let Some(folder) = karat_testdata::folder(collection, "real runs") else { continue };
        let found = visit(RunFiles::new(vec![input(&folder, file)], detect::RUN, Dialect::Strict)).unwrap();
        assert_eq!(found, ("trec", rows, topics, rows), "{collection}/{file}");
        // The same documents as MS MARCO would have them: by rank, without score.
        let three = input(&folder, file);
        let text = three_columns(&three);
        let found = visit(RunFiles::new(vec![Input::bytes(file, text)], detect::RUN, Dialect::Strict)).unwrap();
        assert_eq!(found, ("msmarco", rows, topics, rows), "{collection}/{file}");
    }
}

fn three_columns(run: &Input) -> Vec<u8> {
    let mut bytes = Vec::new();
    karat_formats::decompress::decompress(run.open().unwrap()).unwrap().read_to_end(&mut bytes).unwrap();
    let mut out = String::new();
    for line in String::from_utf8(bytes).unwrap().lines() {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        out.push_str(&format!("{}\t{}\t{}\n", fields[0], fields[2], fields[3]));
    }
    out.into_bytes()
}

/// Format, rows, topics, and the rows that workers saw.
fn visit(runs: RunFiles) -> Result<(&'static str, u64, u64, u64), String> {
    let counting = Counting::default();
    let facts = runs.visit(2, &counting).map_err(|problems| problems.to_string())?;
    let seen = *counting.rows.lock().unwrap();
    Ok((facts[0].format, facts[0].rows, facts[0].topics, seen))
}

#[derive(Default)]
struct Counting {
    rows: Mutex<u64>,
}

impl Visitor for Counting {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }
}

impl Worker for &Counting {
    fn topic(&mut self, rows: &TopicRows<'_, '_>) -> Vec<LineProblem> {
        *self.rows.lock().unwrap() += rows.rows.len() as u64;
        Vec::new()
    }
}
