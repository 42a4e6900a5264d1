//! Where karat does not do what trec_eval does: one row each, printed by `--deviations` and named on standard error when
//! a run meets one.
//!
//! The rule behind the table: numbers people rely on are reproduced, defects that make a number wrong, random or
//! missing are not, and none of it happens silently.

use super::Stop;

/// One difference.
#[derive(Debug, Clone, Copy)]
pub struct Deviation {
    /// Its name.
    pub id: &'static str,
    /// What trec_eval does.
    pub trec_eval: &'static str,
    /// What karat does.
    pub karat: &'static str,
    /// Why.
    pub why: &'static str,
    /// How to see it.
    pub see: &'static str,
}

/// All of them.
pub static DEVIATIONS: &[Deviation] = &[
    Deviation {
        id: "missing-topics-abort",
        trec_eval: "10 without -c stops with status 4 at the first judged topic the run lacks, naming the wrong file",
        karat: "averages over the topics both files have, as 9 does and as 10's own help promises",
        why: "one empty result list would cost the whole evaluation",
        see: "a run without one of the judged topics, profile 10, no -c",
    },
    Deviation {
        id: "no-shared-topic",
        trec_eval: "10 with -c prints zeros for every topic when run and judgements have none in common",
        karat: "stops (status 4; 7 in profile 9, as 9 does)",
        why: "two files that do not belong together are a mistake, not a score of 0",
        see: "-c with a run of other topics",
    },
    Deviation {
        id: "missing-topic-leftovers",
        trec_eval: "10 with -c scores a missing topic on one invented document and then clears num_ret, utility, unj, \
                    rbp_resid and relstring by their plain names only: rbp_resid_p=0.8 shows 1, utility_a,b,c,d \
                    charges for the invented document, relstring_N shows it as '-'",
        karat: "scores an empty list under every name; rbp_resid is 0 there under every name, by the rule of -c that a \
                missing topic adds 0",
        why: "the document does not exist",
        see: "-c -q -m utility.1,-1,0,0 with a judged topic missing from the run",
    },
    Deviation {
        id: "rbp-residual-tail",
        trec_eval: "10's rbp_resid is 0 for a list without unjudged documents",
        karat: "p^n for n documents: the weight of the ranks below the end of the list",
        why: "the list could have gone on; trec_eval itself adds p^n as soon as one document is unjudged",
        see: "-m rbp_resid on a short, fully judged list",
    },
    Deviation {
        id: "rbp-scaling",
        trec_eval: "10's rbp scales gains by a least and greatest gain that are never initialised",
        karat: "gain = grade / largest grade of the topic where that is above 1, else the grade: what the code means",
        why: "the value depended on what memory held; with zeros in it, it is the same",
        see: "-m rbp with grades above 1",
    },
    Deviation {
        id: "rbp-gains",
        trec_eval: "10 takes grade=gain pairs next to p=: rbp.p=0.8,1=0.5",
        karat: "takes p= only; other pairs are an error (status 2)",
        why: "not done yet",
        see: "-m rbp.p=0.8,1=0.5",
    },
    Deviation {
        id: "close-gains",
        trec_eval: "gains that differ by less than 1 are not ordered, so the ideal ranking of ndcg, ndcg_rel, Rndcg and \
                    G is wrong: ndcg.1=0.5,2=0.9 prints 0",
        karat: "orders gains by their value",
        why: "the comparison cuts the difference to a whole number",
        see: "-m ndcg.1=0.5,2=0.9",
    },
    Deviation {
        id: "repeated-measure",
        trec_eval: "-m P.5 -m P.10 computes P_5 only",
        karat: "computes both",
        why: "both measures were requested",
        see: "-m P.5 -m P.10",
    },
    Deviation {
        id: "ignored-parameters",
        trec_eval: "drops parameters of measures and nicknames that take none: recip_rank.10 is recip_rank",
        karat: "does the same, and says so",
        why: "scripts that use them keep working; the note says that the cut-off is ignored",
        see: "-m recip_rank.10",
    },
    Deviation {
        id: "illegal-parameters",
        trec_eval: "accepts recall levels outside 0 to 1, multiples of R up to 0, persistence outside 0 to 1, gains for \
                    words (ndcg.a=3)",
        karat: "refuses them (status 2)",
        why: "the numbers mean nothing",
        see: "-m iprec_at_recall.2",
    },
    Deviation {
        id: "words-as-numbers",
        trec_eval: "reads a word in the place of a number as 0: a score 'abc', a grade 'relevant', -l two",
        karat: "refuses it (status 2 in files, 1 among flags)",
        why: "a file with its fields in another order would be evaluated without an error",
        see: "a run whose fifth field is a word",
    },
    Deviation {
        id: "not-a-number-scores",
        trec_eval: "lets a score of nan through; it compares neither way, so the order depends on the sort",
        karat: "refuses it (status 2)",
        why: "there is no ranking to evaluate",
        see: "a run with the score nan",
    },
    Deviation {
        id: "level-below-1",
        trec_eval: "takes -l 0 (every judged document is relevant) and -l -1 (unjudged ones too)",
        karat: "refuses them (status 1)",
        why: "grade 0 means not relevant in every other place",
        see: "-l 0",
    },
    Deviation {
        id: "complete-num-rel",
        trec_eval: "with -c the summary num_rel of 9 counts grades above 0 whatever -l says",
        karat: "counts what -l says",
        why: "it would contradict the num_rel of the topics it sums",
        see: "--profile 9 -c -l 2 -m num_rel",
    },
    Deviation {
        id: "empty-list-nan",
        trec_eval: "iprec_at_recall and 11pt_avg print -nan where -J or -M 0 leaves no document",
        karat: "0",
        why: "0 divided by 0; every other measure says 0 there",
        see: "-J with a topic whose retrieved documents are all unjudged",
    },
    Deviation {
        id: "nothing-judged",
        trec_eval: "stops if the first topic has only negative grades; later ones take leftovers of the topic before",
        karat: "scores such a topic 0 wherever it stands",
        why: "the order of topics should not decide",
        see: "a qrels file whose first topic has only -1",
    },
    Deviation {
        id: "level-out-of-bounds",
        trec_eval: "bpref with -l above the highest grade + 1 reads beyond its array of grades",
        karat: "does not; the value is 0 either way",
        why: "memory that is not its own",
        see: "-l 9 -m bpref with grades up to 2 (no difference in the output)",
    },
    Deviation {
        id: "collection-size",
        trec_eval: "-N is documented as unlimited by default and is 0, so utility with a fourth price is far off",
        karat: "takes 0 as well, and says so when a price needs it",
        why: "the number is reproduced; it needs -N to mean anything",
        see: "-m utility.1,-1,0,0.001 without -N",
    },
    Deviation {
        id: "qrels-blank-line",
        trec_eval: "refuses a blank line in the judgements",
        karat: "passes over it",
        why: "it holds no judgement; blank lines of a run are passed over by both",
        see: "a qrels file that ends in an empty line",
    },
    Deviation {
        id: "comments-in-9",
        trec_eval: "9 takes a line that begins with # for data",
        karat: "passes over it in both profiles, as 10 does",
        why: "no topic is called #",
        see: "--profile 9 with a comment in the qrels",
    },
    Deviation {
        id: "duplicates-anywhere",
        trec_eval: "notices a document judged twice only when its topic is evaluated",
        karat: "refuses the file (status 4)",
        why: "which of two judgements holds is not karat's to choose; a document twice in a run counts as in \
              trec_eval, within -M and in evaluated topics only",
        see: "two judgements of one document for a topic the run lacks",
    },
    Deviation {
        id: "two-gibibytes",
        trec_eval: "cannot read files of 2 GiB or more",
        karat: "reads files of any size, and compressed ones (gz, zst, bz2, xz)",
        why: "nothing depends on the limit",
        see: "a large file",
    },
    Deviation {
        id: "no-debug-output",
        trec_eval: "-D prints what measures see; -D 1.302 evaluates topic 302 only",
        karat: "accepts -D and does nothing",
        why: "`karat explain` and -q answer what -D was for",
        see: "-D 1",
    },
    Deviation {
        id: "missing-zscores",
        trec_eval: "-Z gives -1000000 to a score that its file has no mean for, or that differs from the mean where the \
                    standard deviation is 0, and averages it with the others",
        karat: "does the same, and names the measures",
        why: "the number is reproduced; it means nothing, nor does the mean (gm_map and gm_bpref are seldom in such files)",
        see: "-Z with a file that lacks a measure",
    },
    Deviation {
        id: "nonrelevant-pairs",
        trec_eval: "prefs_avgjg_Rnonrel compares non-relevant documents with each other and themselves where there are more \
                    of them than relevant ones; prefs_avgjg_Rnonrel_ret also counts relevant documents that were not \
                    retrieved",
        karat: "does the same, and says so; PrefGroupsR of `karat eval` does what trec_eval's help describes",
        why: "the number is reproduced; the description is the better measure",
        see: "-m all_prefs -R qrels_prefs",
    },
    Deviation {
        id: "negative-preferences",
        trec_eval: "-R prefs takes levels below 0, and what they mean depends on whether a group has subgroups",
        karat: "refuses them (status 2); with -R qrels_prefs a grade below 0 is preferred least, and counts as not relevant",
        why: "trec_eval says that levels are not negative",
        see: "-R prefs with the level -1",
    },
    Deviation {
        id: "preference-circles",
        trec_eval: "aborts where a judgement group prefers a to b and b to a, and reads a document twice in a subgroup",
        karat: "refuses the file (status 4) and names the documents",
        why: "a crash says nothing",
        see: "-R prefs with two subgroups that contradict each other",
    },
];

/// The line for standard error that names a deviation.
pub fn note(id: &str, what: &str) -> String {
    debug_assert!(DEVIATIONS.iter().any(|deviation| deviation.id == id), "{id}");
    format!("note: deviation {id}: {what}")
}

/// A refusal that is itself a deviation.
pub fn stop(id: &str, status: u8, message: String) -> Stop {
    Stop { status, message: format!("{message}\nkarat trec_eval: {}", note(id, "trec_eval would go on here")) }
}

/// The table for people.
pub fn table() -> String {
    let mut out = String::from("Where karat trec_eval differs from trec_eval, and why.\n");
    for deviation in DEVIATIONS {
        let Deviation { id, trec_eval, karat, why, see } = deviation;
        out.push_str(&format!(
            "\n{id}\n  trec_eval: {trec_eval}\n  karat:     {karat}\n  why:       {why}\n  to see it: {see}\n"
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_row_is_complete() {
        for (place, row) in DEVIATIONS.iter().enumerate() {
            assert!(DEVIATIONS[..place].iter().all(|other| other.id != row.id), "{}", row.id);
            assert!(row.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'));
            for text in [row.trec_eval, row.karat, row.why, row.see] {
                assert!(!text.is_empty() && !text.contains("  "), "{}: {text}", row.id);
            }
        }
    }
}
