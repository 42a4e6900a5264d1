//! The help text.

use karat_measures::trec_eval::table::ROWS;

/// The text of -h.
pub fn text() -> String {
    let names: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
    let mut listed = String::new();
    let mut width = 0;
    for name in names {
        if width + name.len() + 1 > 76 {
            listed.push('\n');
            width = 0;
        }
        listed.push_str(if width == 0 { "    " } else { " " });
        listed.push_str(name);
        width += name.len() + 1;
    }
    format!("{HEAD}\n{listed}\n{TAIL}")
}

const HEAD: &str = "\
karat trec_eval: evaluate one run as trec_eval does, line for line.

Usage: karat trec_eval [FLAGS] QRELS RUN
       trec_eval [FLAGS] QRELS RUN        (through a link of that name)

  QRELS  judgements: topic 0 docno grade (or as -R says)
  RUN    retrieved documents: topic Q0 docno rank score tag; `-`: standard input

  -m MEASURE   a measure, its parameters after a point (P.5,10), or a nickname:
               official (the default), all_trec, set, prefs, all_prefs,
               qrels_jg; may be repeated
  -q           also print every topic        -n     no line for all topics
  -c           average over all judged topics; those not in the run have 0
  -l N         lowest grade that counts as relevant (default 1)
  -M N         only the first N documents    -J     only judged documents
  -N N         documents in the collection, for utility
  -R FORMAT    what QRELS holds: qrels; prefs (topic group subgroup docno level)
               or qrels_prefs for preferences; qrels_jg (topic group docno
               grade) for judgement groups
  -T trec_results                            the only format of runs
  -Z FILE      z scores: FILE has lines of topic, measure, mean and standard
               deviation
  --profile 9|10     behave like trec_eval 9.0.8 (scores as float32), or 10.0
                     (the default)
  --precision full   all digits instead of four
  --deviations       where karat differs from trec_eval, and why
  -h, -v       this text; the version
  -D, -o       accepted, without effect

Measures, in the order of printing:";

const TAIL: &str = "
Parameters: ranks (P.5,10), recall levels (iprec_at_recall..1,.5), multiples of
R (Rprec_mult.0.5), prices (utility.1,-1,0,0), weight of recall (set_F.0.5),
gains (ndcg.1=3,2=9), persistence (rbp.p=0.8), length (relstring.20).
`karat explain MEASURE` describes a measure.

Exit status: 0 done; 1 flags or measure; 2 files or parameters; 4 a document
twice, or no topic in common (7 in profile 9); 8 the output cannot be written.
";
