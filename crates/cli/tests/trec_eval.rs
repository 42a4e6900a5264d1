//! `karat trec_eval` on files small enough to check by hand (fixtures/trec_eval; its README shows the rankings).
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

struct Answer {
    status: i32,
    out: String,
    err: String,
}

impl Answer {
    /// The value of a measure for a topic, as printed.
    fn value(&self, measure: &str, topic: &str) -> &str {
        self.find(measure, topic).unwrap_or_else(|| panic!("no {measure} for {topic} in\n{}\n{}", self.out, self.err))
    }

    fn find(&self, measure: &str, topic: &str) -> Option<&str> {
        self.out.lines().find_map(|line| {
            let mut fields = line.split('\t');
            let name = fields.next()?.trim_end();
            (name == measure && fields.next()? == topic).then(|| fields.next())?
        })
    }

    fn names(&self, id: &str) -> bool {
        self.err.contains(&format!("karat trec_eval: note: deviation {id}: "))
    }
}

fn ask(arguments: &[&str]) -> Answer {
    let done = Command::new(env!("CARGO_BIN_EXE_karat")).arg("trec_eval").args(arguments).output().unwrap();
    Answer {
        status: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

fn fixture(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/trec_eval");
    folder.join(name).to_str().unwrap().to_owned()
}

/// Flags, then the two files of a fixture.
fn of(name: &str, flags: &str) -> Answer {
    let (qrels, run) = (fixture(&format!("{name}.qrels")), fixture(&format!("{name}.run")));
    let mut arguments: Vec<&str> = flags.split_whitespace().collect();
    arguments.extend([qrels.as_str(), run.as_str()]);
    ask(&arguments)
}

/// Files written for one test.
struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    fn new(qrels: &str, run: &str) -> Files {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("q"), qrels).unwrap();
        std::fs::write(folder.path().join("r"), run).unwrap();
        Files { folder }
    }

    fn ask(&self, flags: &str) -> Answer {
        let path = |name: &str| -> PathBuf { self.folder.path().join(name) };
        let (qrels, run) = (path("q"), path("r"));
        let mut arguments: Vec<&str> = flags.split_whitespace().collect();
        arguments.extend([qrels.to_str().unwrap(), run.to_str().unwrap()]);
        ask(&arguments)
    }
}

fn check(answer: &Answer, expected: &[(&str, &str, &str)]) {
    for (measure, topic, value) in expected {
        assert_eq!(answer.value(measure, topic), *value, "{measure} of {topic}");
    }
}

#[test]
fn every_measure_of_a_small_topic_by_hand() {
    let answer = of("graded", "-q -m all_trec -m rbp.p=0.5 -m rbp_resid.p=0.5");
    assert_eq!(answer.status, 0, "{}", answer.err);
    // Topic 1 is - ? 2 0 1, R = 2.
    check(
        &answer,
        &[
            ("num_ret", "1", "5"),
            ("num_rel", "1", "2"),
            ("num_rel_ret", "1", "2"),
            ("num_nonrel_judged_ret", "1", "1"),
            // (1/3 + 2/5) / 2 = 11/30
            ("map", "1", "0.3667"),
            ("recip_rank", "1", "0.3333"),
            ("P_5", "1", "0.4000"),
            ("P_10", "1", "0.2000"),
            ("recall_5", "1", "1.0000"),
            ("success_1", "1", "0.0000"),
            ("success_5", "1", "1.0000"),
            // One judged non-relevant document, above the second relevant one: (1 + (1 - 1/1)) / 2.
            ("bpref", "1", "0.5000"),
            // Rank 3: 1/3 + 2/3 * (1/2) * 1/2 [one pool member above; (0+e)/(0+2e)] = 1/2.
            // Rank 5: 1/5 + 4/5 * (3/4) * (1+e)/(2+2e) = 1/5 + 3/10 = 1/2. Their mean.
            ("infAP", "1", "0.5000"),
            ("relstring", "1", "'-.201'"),
            // (2/log2(4) + 1/log2(6)) / (2 + 1/log2(3)) = 1.386853 / 2.630930
            ("ndcg", "1", "0.5271"),
            // 2 relevant - 3 others
            ("utility", "1", "-1.0000"),
            ("set_P", "1", "0.4000"),
            // Two unjudged among five.
            ("unj_5", "1", "0.4000"),
            ("unj_20", "1", "0.1000"),
            // Gains by the topic's largest grade: 0.125 * 2/2 + 0.03125 * 1/2 = 0.140625
            ("rbp_p=0.5", "1", "0.1406"),
            // 0.5 + 0.25 for the unjudged, 0.5^5 for the tail: 0.78125, a tie that rounds to even as in C.
            ("rbp_resid_p=0.5", "1", "0.7812"),
            ("relstring", "10", "'10'"),
            ("map", "10", "1.0000"),
            // Largest grade 1: 0.5 * 1.
            ("rbp_p=0.5", "10", "0.5000"),
            // Deviation rbp-residual-tail: two documents, both judged: 0.5^2, where trec_eval says 0.
            ("rbp_resid_p=0.5", "10", "0.2500"),
            ("runid", "all", "graded"),
            ("num_q", "all", "2"),
            ("num_ret", "all", "7"),
            ("num_rel", "all", "3"),
            // (11/30 + 1) / 2
            ("map", "all", "0.6833"),
            // sqrt(11/30 * 1)
            ("gm_map", "all", "0.6055"),
        ],
    );
    assert!(answer.find("gm_map", "1").is_none() && answer.find("num_q", "1").is_none());
    assert!(answer.find("relstring", "all").is_none() && answer.find("map", "2").is_none());
    assert!(answer.find("map", "7").is_none());
    for id in ["rbp-residual-tail", "rbp-scaling", "missing-topics-abort"] {
        assert!(answer.names(id), "{id}: {}", answer.err);
    }
    // Byte order of topics, then all.
    let topics: Vec<&str> = answer.out.lines().map(|line| line.split('\t').nth(1).unwrap()).collect();
    let mut seen = topics.clone();
    seen.dedup();
    assert_eq!(seen, ["1", "10", "all"]);
}

#[test]
fn layout_is_trec_evals() {
    let answer = of("graded", "-m map -m num_q -m runid -m num_nonrel_judged_ret -c");
    assert_eq!(
        answer.out,
        "runid                 \tall\tgraded\nnum_q                 \tall\t3\nmap                   \tall\t0.4556\n\
         num_nonrel_judged_ret \tall\t2\n"
    );
    // -n alone prints nothing and is no error; with -q only topics.
    let answer = of("graded", "-n");
    assert_eq!((answer.status, answer.out.as_str()), (0, ""));
    let answer = of("graded", "-nq -mmap");
    assert_eq!(answer.out, "map                   \t1\t0.3667\nmap                   \t10\t1.0000\n");
    let full = of("graded", "--precision full -m map");
    assert_eq!(full.value("map", "all"), ((1.0 / 3.0 + 0.4) / 2.0 / 2.0 + 0.5).to_string());
}

#[test]
fn complete_counts_missing_topics_in_both_profiles_and_prints_them_in_10() {
    for profile in ["9", "10"] {
        // trec_eval 9 has no rbp_resid.
        let more = if profile == "9" { "" } else { "-m rbp_resid" };
        let answer = of("graded", &format!("--profile {profile} -q -c -m official -m yaap {more}"));
        assert_eq!(answer.status, 0, "{}", answer.err);
        check(
            &answer,
            &[
                ("num_q", "all", "3"),
                ("num_ret", "all", "7"),
                ("num_rel", "all", "5"),
                // (11/30 + 1 + 0) / 3
                ("map", "all", "0.4556"),
                // (11/30 * 1 * 0.00001)^(1/3)
                ("gm_map", "all", "0.0154"),
            ],
        );
        // ln((1 + S)/(1 + R - S)): topic 1 S = 11/15, R = 2: -0.268264; topic 10 S = R = 1: 0.693147;
        // topic 2 S = 0, R = 2: -1.098612 in 10, nothing in 9.
        let (yaap, line) = if profile == "9" { ("0.1416", None) } else { ("-0.2246", Some("0.0000")) };
        assert_eq!(answer.value("yaap", "all"), yaap);
        assert_eq!(answer.find("map", "2"), line);
        assert!(!answer.names("missing-topics-abort"));
        if profile == "10" {
            check(&answer, &[("num_ret", "2", "0"), ("num_rel", "2", "2"), ("rbp_resid", "2", "0.0000")]);
            check(&answer, &[("yaap", "2", "-1.0986")]);
        }
    }
    // Without -c both average over topics 1 and 10; trec_eval 10 would stop.
    for (profile, named) in [("9", false), ("10", true)] {
        let answer = of("graded", &format!("--profile {profile}"));
        assert_eq!((answer.status, answer.value("map", "all")), (0, "0.6833"));
        assert_eq!(answer.names("missing-topics-abort"), named, "{}", answer.err);
    }
}

#[test]
fn level_depth_and_judged_only() {
    // -l 2: topic 1 has R = 1 at rank 3; topic 10 has none.
    let answer = of("graded", "-q -l2 -m map -m num_rel -m ndcg -m relstring.3");
    check(
        &answer,
        &[
            ("map", "1", "0.3333"),
            ("map", "10", "0.0000"),
            ("map", "all", "0.1667"),
            ("num_rel", "all", "1"),
            // Gains do not ask for the level.
            ("ndcg", "1", "0.5271"),
            ("relstring_3", "1", "'-.2'"),
        ],
    );
    // The summary's num_rel with -c follows -l; trec_eval 9 would print 5.
    let answer = of("graded", "--profile 9 -c -l 2 -m num_rel");
    assert_eq!(answer.value("num_rel", "all"), "1");
    assert!(answer.names("complete-num-rel"));
    // -J: topic 1 is 2 0 1: (1 + 2/3) / 2.
    let answer = of("graded", "-q -J -m map -m num_ret -m num_nonrel_judged_ret");
    check(&answer, &[("map", "1", "0.8333"), ("num_ret", "1", "3"), ("num_nonrel_judged_ret", "1", "1")]);
    // -M 3 comes before -J: - ? 2 keeps one document.
    let answer = of("graded", "-q -M3 -m map -m num_ret");
    check(&answer, &[("map", "1", "0.1667"), ("num_ret", "1", "3"), ("num_ret", "all", "5")]);
    let answer = of("graded", "-q -M 3 -J -m map -m num_ret");
    check(&answer, &[("map", "1", "0.5000"), ("num_ret", "1", "1")]);
}

#[test]
fn recall_levels_of_9_and_10() {
    // R = 3 at ranks 1, 3, 6: interpolated precision 1, 2/3, 1/2 for 1, 2, 3 documents. The eleven levels need
    //   9: trunc(3c + 0.9) = 0 1 1 1 2 2 2 2 3 3 3  (0.7 * 3 + 0.9 is just below 3): (4 + 4 * 2/3 + 3/2) / 11
    //  10: round(3c)       = 0 0 1 1 1 2 2 2 2 3 3                                 : (5 + 4 * 2/3 + 2/2) / 11
    for (profile, average, at_04, at_08) in [("9", "0.7424", "0.6667", "0.5000"), ("10", "0.7879", "1.0000", "0.6667")]
    {
        let answer = of("recall", &format!("--profile {profile} -m 11pt_avg -m iprec_at_recall -m Rprec_mult.0.4"));
        check(
            &answer,
            &[
                ("11pt_avg", "all", average),
                ("iprec_at_recall_0.40", "all", at_04),
                ("iprec_at_recall_0.80", "all", at_08),
                ("iprec_at_recall_1.00", "all", "0.5000"),
                // trunc(0.4 * 3 + 0.9) = 2 documents in both: 1/2.
                ("Rprec_mult_0.40", "all", "0.5000"),
            ],
        );
    }
}

#[test]
fn ties_by_docno_and_scores_by_profile() {
    // Topic 1: c, b, a by docno descending, so rank 3 in both. Topic 2: 1.00000001 is 1 as float32, so b, a in 9.
    let nine = of("ties", "--profile 9 -q -m recip_rank");
    check(&nine, &[("recip_rank", "1", "0.3333"), ("recip_rank", "2", "0.5000")]);
    let ten = of("ties", "--profile 10 -q -m recip_rank");
    check(&ten, &[("recip_rank", "1", "0.3333"), ("recip_rank", "2", "1.0000")]);
}

#[test]
fn parameters_print_as_given_and_in_the_order_of_the_table() {
    let answer = of("graded", "-m set_F.2.0 -m ndcg.1=3,2=9 -m utility.2,-1,0,0 -m P.7,3 -m ndcg_cut.23.4 -m map");
    let names: Vec<&str> = answer.out.lines().map(|line| line.split('\t').next().unwrap().trim_end()).collect();
    assert_eq!(names, ["map", "P_3", "P_7", "utility_2,-1,0,0", "ndcg_1=3,2=9", "ndcg_cut_23", "set_F_2.0"]);
    // Topic 1: P = 2/5, R = 1: 3 * 0.4 / (1 + 0.8) = 2/3. Topic 10: P = 1/2, R = 1: 1.5 / 2 = 3/4. Mean 17/24.
    assert_eq!(answer.value("set_F_2.0", "all"), "0.7083");
    // Parameters given replace the defaults even beside the nickname; several add up (trec_eval keeps the first).
    let answer = of("graded", "-m P -m P.5 -m P.10");
    assert_eq!(answer.out.lines().count(), 2);
    assert!(answer.names("repeated-measure"));
    let answer = of("graded", "-m recip_rank.10");
    check(&answer, &[("recip_rank", "all", "0.6667")]);
    assert!(answer.names("ignored-parameters"));
    // Topic 1: (0.9/2 + 0.5/log2(6)) / (0.9 + 0.5/log2(3)) = 0.643426/1.215465; trec_eval prints 0.
    let answer = of("graded", "-q -m ndcg.1=0.5,2=0.9");
    check(&answer, &[("ndcg_1=0.5,2=0.9", "1", "0.5294"), ("ndcg_1=0.5,2=0.9", "10", "1.0000")]);
    assert!(answer.names("close-gains"));
    // N = 0: 1 * 2 - 3 + 0.1 * (0 - 5 - 0) for topic 1.
    let answer = of("graded", "-q -m utility.1,-1,0,0.1");
    check(&answer, &[("utility_1,-1,0,0.1", "1", "-1.5000")]);
    assert!(answer.names("collection-size"));
    let answer = of("graded", "-q -N 100 -m utility.1,-1,0,0.1");
    check(&answer, &[("utility_1,-1,0,0.1", "1", "8.5000")]);
    assert!(!answer.names("collection-size"));
}

#[test]
fn exit_statuses_are_trec_evals() {
    for (flags, status, words) in [
        ("-m nonsense", 1, "illegal measure 'nonsense'"),
        ("-m P.", 1, "nothing follows"),
        ("--profile 9 -m rbp", 1, "trec_eval 9 has no rbp"),
        ("-m all_prefs", 4, "'prefs_num_prefs_poss' cannot be computed from -R qrels"),
        ("-m map_avgjg", 4, "-R qrels_jg"),
        ("-R qrels_prefs", 4, "'num_ret' cannot be computed from -R qrels_prefs"),
        ("-R qrels_jg -m prefs", 4, "'prefs_num_prefs_poss' cannot be computed from -R qrels_jg"),
        ("-R prefs", 2, "5 fields"),
        ("-R json", 2, "unknown format of judgements 'json'"),
        ("-Z /no/such/file", 255, "-Z /no/such/file: cannot be read"),
        ("-m P.5,5", 2, "every cut-off once"),
        ("-m P.0", 2, "ranks from 1"),
        ("-m P.five", 2, "deviation words-as-numbers"),
        ("-m iprec_at_recall.2", 2, "deviation illegal-parameters"),
        ("-m rbp.p=0.5,1=3", 2, "deviation rbp-gains"),
        ("-m ndcg.a=3", 2, "grade=gain"),
        ("-m relstring.x", 2, "deviation words-as-numbers"),
        ("-m utility.1,2", 4, "four prices"),
    ] {
        let answer = of("graded", flags);
        assert_eq!((answer.status, answer.out.as_str()), (status, ""), "{flags}: {}", answer.err);
        assert!(answer.err.contains(words), "{flags}: {}", answer.err);
    }
    let qrels = "1 0 a 1\n1 0 b 0\n";
    for (qrels, run, nine, ten, words) in [
        (qrels, "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", 4, 4, "each document once"),
        ("1 0 a 1\n1 0 a 0\n", "1 Q0 a 1 2 t\n", 4, 4, "each document once"),
        (qrels, "2 Q0 a 1 2 t\n", 7, 4, "at least one topic"),
        (qrels, "1 Q0 a 1 high t\n", 2, 2, "deviation words-as-numbers"),
        (qrels, "1 Q0 a 1 nan t\n", 2, 2, "deviation not-a-number-scores"),
        ("1 0 a yes\n", "1 Q0 a 1 1 t\n", 2, 2, "deviation words-as-numbers"),
        (qrels, "1 Q0 a 1 1\n", 2, 2, "6 fields"),
        ("1 0 a 1 5\n", "1 Q0 a 1 1 t\n", 2, 2, "five fields"),
    ] {
        let files = Files::new(qrels, run);
        for (profile, status) in [("9", nine), ("10", ten)] {
            let answer = files.ask(&format!("--profile {profile}"));
            assert_eq!((answer.status, answer.out.as_str()), (status, ""), "{run}: {}", answer.err);
            assert!(answer.err.contains(words), "{run}: {}", answer.err);
        }
    }
    let strangers = Files::new(qrels, "2 Q0 a 1 2 t\n");
    assert!(strangers.ask("-c").names("no-shared-topic"));
    // A document twice is a mistake among the ranks that are looked at only.
    let files = Files::new(qrels, "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n");
    assert_eq!(files.ask("-M 1 -m map").value("map", "all"), "1.0000");
    let answer = ask(&["/no/such/qrels", "/no/such/run"]);
    assert_eq!(answer.status, 2, "{}", answer.err);
    assert_eq!(ask(&["only-one"]).status, 1);
}

#[test]
fn what_karat_reads_and_trec_eval_does_not() {
    // A blank line and a comment in the qrels; the tag is the last line's; further fields of a run are ignored.
    let files = Files::new("# judgements\n1 0 a 1\n\n", "1 Q0 a 1 2 first\n\n1 Q0 b 2 1 last and more\n");
    let answer = files.ask("--profile 9 -m runid -m map");
    check(&answer, &[("runid", "all", "last"), ("map", "all", "1.0000")]);
    assert!(answer.names("qrels-blank-line") && answer.names("comments-in-9"), "{}", answer.err);
    // Only negative grades, first of all topics: 0 and a word, not a stop.
    let files = Files::new("1 0 a -1\n2 0 a 1\n", "1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n");
    let answer = files.ask("-q -m map -m ndcg -m bpref");
    check(&answer, &[("map", "1", "0.0000"), ("ndcg", "1", "0.0000"), ("map", "all", "0.5000")]);
    assert!(answer.names("nothing-judged"));
    // -J leaves nothing of topic 1: 0 where trec_eval prints -nan.
    let answer = files.ask("-q -J -m iprec_at_recall.0.5 -m 11pt_avg");
    check(&answer, &[("iprec_at_recall_0.50", "1", "0.0000"), ("11pt_avg", "1", "0.0000")]);
    assert!(answer.names("empty-list-nan"));
    // Infinite scores are scores.
    let files = Files::new("1 0 a 1\n1 0 b 0\n", "1 Q0 b 1 1e300 t\n1 Q0 a 1 inf t\n");
    assert_eq!(files.ask("-m recip_rank").value("recip_rank", "all"), "1.0000");
}

#[test]
fn a_missing_topic_under_parametrised_names_is_an_empty_list() {
    // Topic 2 is missing: utility 2 * 0 - 1 * 0 = 0 (trec_eval: -1), residual 0 (trec_eval: 1), string '' ('-').
    let answer = of("graded", "-q -c -m utility.2,-1,0,0 -m rbp_resid.p=0.8 -m relstring.5");
    check(
        &answer,
        &[("utility_2,-1,0,0", "2", "0.0000"), ("rbp_resid_p=0.8", "2", "0.0000"), ("relstring_5", "2", "''")],
    );
    assert!(answer.names("missing-topic-leftovers"));
    // The plain names are cleared there too, so there is nothing to say.
    assert!(!of("graded", "-q -c -m utility -m rbp_resid -m relstring").names("missing-topic-leftovers"));
}

#[test]
fn help_version_deviations_and_standard_input() {
    let help = ask(&["-h"]);
    assert!(help.status == 0 && help.out.contains("--profile 9|10") && help.out.contains("iprec_at_recall"));
    assert!(help.out.lines().all(|line| line.len() <= 100));
    let version = ask(&["-v"]);
    assert!(version.status == 0 && version.err.contains("trec_eval version") && version.out.is_empty());
    let table = ask(&["--deviations"]);
    assert!(table.status == 0 && table.out.contains("\nrbp-residual-tail\n  trec_eval: "));
    let shell = format!(
        "'{}' trec_eval -m map '{}' - < '{}'",
        env!("CARGO_BIN_EXE_karat"),
        fixture("recall.qrels"),
        fixture("recall.run")
    );
    let done = Command::new("sh").args(["-c", &shell]).output().unwrap();
    // (1 + 2/3 + 1/2) / 3
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "map                   \tall\t0.7222\n");
}

/// Two people on five documents, d not retrieved. Topic 1, Ann in two subgroups: a > b > c and c > d, so that a, b > d
/// follow: six preferences. Bob: e > a, one.
const PREFS: &str = "\
    1 ann s a 3\n1 ann s b 2\n1 ann s c 1\n1 ann t c 2\n1 ann t d 1\n1 bob s e 1\n1 bob s a 0\n";

#[test]
fn preferences_by_hand() {
    // Ranks: b a c e. Of Ann's six, b before a is wrong; d was not retrieved: 5 of 6, 2 of 3 among the retrieved. Bob's is
    // wrong. All of it: 5 of 7; 2 of 4 among the retrieved; pairs are all different; groups (5/6 + 0)/2.
    let run = "1 Q0 b 1 9 t\n1 Q0 x 2 8 t\n1 Q0 a 3 7 t\n1 Q0 c 4 6 t\n1 Q0 e 5 5 t\n";
    for profile in ["9", "10"] {
        let answer = Files::new(PREFS, run).ask(&format!("-q -m all_prefs -R prefs --profile {profile}"));
        check(
            &answer,
            &[
                ("prefs_num_prefs_poss", "1", "7"),
                ("prefs_num_prefs_ful", "1", "5"),
                ("prefs_num_prefs_ful_ret", "1", "2"),
                ("prefs_simp", "1", "0.7143"),
                ("prefs_pair", "1", "0.7143"),
                ("prefs_avgjg", "1", "0.4167"),
                ("prefs_simp_ret", "1", "0.5000"),
                ("prefs_avgjg_ret", "1", "0.3333"),
                ("prefs_simp_imp", "all", "0.7143"),
                ("num_q", "all", "1"),
            ],
        );
        // The short set.
        let short = Files::new(PREFS, run).ask("-R prefs -m prefs");
        assert!(short.find("prefs_avgjg", "all").is_some() && short.find("prefs_avgjg_ret", "all").is_none());
    }
    // trec_eval orders equal scores by rising docno here: a before b, all of Ann's are right.
    let tied = "1 Q0 b 1 9 t\n1 Q0 a 3 9 t\n1 Q0 c 4 6 t\n1 Q0 e 5 5 t\n";
    let answer = Files::new(PREFS, tied).ask("-R prefs -m prefs_num_prefs_ful");
    assert_eq!(answer.value("prefs_num_prefs_ful", "all"), "6");
    // Cut at rank 1: b alone is retrieved, and its preferences over c and d are implied.
    let answer = Files::new(PREFS, run).ask("-R prefs -M 1 -m prefs_num_prefs_ful");
    assert_eq!(answer.value("prefs_num_prefs_ful", "all"), "2");
}

#[test]
fn qrels_as_preferences_and_as_judgement_groups() {
    let qrels = "1 ann a 1\n1 ann b 0\n1 bob a 0\n1 bob b 2\n1 bob c -1\n";
    let run = "1 Q0 c 1 9 t\n1 Q0 a 2 8 t\n1 Q0 b 3 7 t\n";
    // Ann: a > b, right. Bob: b > a, wrong, and both before c, whose grade is below all: wrong.
    let answer = Files::new(qrels, run).ask("-R qrels_prefs -m prefs");
    check(&answer, &[("prefs_num_prefs_poss", "all", "4"), ("prefs_num_prefs_ful", "all", "1")]);
    // AP: Ann's a at rank 2, 1/2; Bob's b at rank 3, 1/3. (1/2 + 1/3)/2 = 0.4167. P@2: (1/2 + 0)/2.
    let answer = Files::new(qrels, run).ask("-R qrels_jg -m map_avgjg -m P_avgjg.2 -m Rprec_mult_avgjg.2");
    check(&answer, &[("map_avgjg", "all", "0.4167"), ("P_avgjg_2", "all", "0.2500")]);
    // R = 1, rank 2: 1/2 and 0.
    assert_eq!(answer.value("Rprec_mult_avgjg_2.00", "all"), "0.2500");
    // -J is each group's own: Ann is left with a, b and Bob with a, b (c has a grade below 0): AP 1 and 1/2.
    let answer = Files::new(qrels, run).ask("-R qrels_jg -J -m map_avgjg");
    assert_eq!(answer.value("map_avgjg", "all"), "0.7500");
    // From grade 2 on only Bob found something: 0 and 1/3.
    let answer = Files::new(qrels, run).ask("-R qrels_jg -l 2 -m map_avgjg");
    assert_eq!(answer.value("map_avgjg", "all"), "0.1667");
}

#[test]
fn what_is_wrong_with_preferences() {
    let run = "1 Q0 a 1 9 t\n";
    for (rows, status, words) in [
        ("1 g s a 1\n1 g s b 0\n1 g t b 0\n1 g t a 0\n", 4, "level 0 in one subgroup"),
        ("1 g s a 2\n1 g s b 1\n1 g t b 2\n1 g t a 1\n", 4, "and the reverse"),
        ("1 g s a 2\n1 g s a 1\n", 4, "each document once"),
        ("1 g s a -1\n", 2, "deviation negative-preferences"),
        ("1 g s a best\n", 2, "deviation words-as-numbers"),
        ("1 g a 1\n", 2, "5 fields"),
        ("", 2, "an empty file"),
    ] {
        let answer = Files::new(rows, run).ask("-R prefs -m prefs");
        assert_eq!((answer.status, answer.out.as_str()), (status, ""), "{rows}: {}", answer.err);
        assert!(answer.err.contains(words), "{rows}: {}", answer.err);
    }
}

#[test]
fn z_scores() {
    let files = Files::new("1 0 a 1\n1 0 b 0\n2 0 a 1\n", "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 a 1 1 t\n");
    let of = |reference: &str, flags: &str| {
        let path = files.folder.path().join("z");
        std::fs::write(&path, reference).unwrap();
        files.ask(&format!("{flags} -Z {}", path.to_str().unwrap()))
    };
    // AP is 1/2 and 1: (0.5 - 0.3)/0.1 = 2 and (1 - 0.8)/0.4 = 0.5, whose mean is 1.25. num_ret: (2 - 3)/2 and 0 where the
    // deviation is 0 and the score is the mean; z scores of counts are summed, as counts are.
    let reference = "1 map 0.3 0.1\n2 map 0.8 0.4\n1 num_ret 3 2\n2 num_ret 1 0\n";
    for profile in ["9", "10"] {
        let answer = of(reference, &format!("-q -m runid -m num_q -m num_ret -m map --profile {profile}"));
        let expected = "Znum_ret               \t1\t-0.5000\n\
                        Zmap                   \t1\t2.0000\n\
                        Znum_ret               \t2\t0.0000\n\
                        Zmap                   \t2\t0.5000\n\
                        runid                 \tall\tt\n\
                        Znum_q                 \tall\t2.0000\n\
                        Znum_ret               \tall\t-0.5000\n\
                        Zmap                   \tall\t1.2500\n";
        assert_eq!(answer.out, expected);
        assert!(!answer.names("missing-zscores"));
    }
    // What the file does not know is a million below all, as in trec_eval, and said.
    let answer = of(reference, "-m map -m P.1 -m gm_map");
    check(&answer, &[("Zmap", "all", "1.2500"), ("ZP_1", "all", "-1000000.0000"), ("Zgm_map", "all", "0.0000")]);
    assert!(answer.names("missing-zscores") && answer.err.contains("gm_map, P_1"), "{}", answer.err);
    // A geometric mean is one of logarithms: (ln 0.5 - ln 0.5)/1 = 0 and (ln 1 - 0)/1 = 0; exp(0) = 1.
    let answer = of("1 gm_map -0.6931471805599453 1\n2 gm_map 0 1\n", "-m gm_map");
    assert_eq!(answer.value("Zgm_map", "all"), "1.0000");
    for (reference, words) in [
        ("1 map 0.3\n", "line 1: expected 4 fields"),
        ("1 map 0.3 0.1\n1 map 0.3 0.1 x\n", "line 2: expected 4 fields"),
        ("1 map mean sd\n", "deviation words-as-numbers"),
        ("1 map 0.3 nan\n", "standard deviation"),
        ("1 map 0.3 0.1\n1 map 0.3 0.1\n", "once per topic"),
        ("", "found none"),
    ] {
        let answer = of(reference, "-m map");
        assert_eq!((answer.status, answer.out.as_str()), (255, ""), "{reference}: {}", answer.err);
        assert!(answer.err.contains(words), "{reference}: {}", answer.err);
    }
}
