"""The cases of docs/which-tool-says-what.md: files written by hand, how each tool is asked, and the words.

The numbers are not here: which_tool.py measures them.
"""
from dataclasses import dataclass, field


@dataclass
class Case:
    title: str
    who: str        # who differs
    right: str      # who is right, in a few words
    text: str       # what the files are about
    qrels: str
    run: str
    asked: dict     # tool -> what it is asked for
    verdict: str    # why, and who is right, in full
    files: str = ""             # in place of long files
    allow: tuple = field(default_factory=tuple)


OPENING = """
# Which tool says what

<!-- made by conformance/which_tool.py --write; checked by conformance/run -->

Evaluation tools disagree. This page shows where six tools differ: small files, the measure, the value of each tool, and which value
is right. Every number was measured when this page was made. `conformance/run` measures them again and fails if one has changed.

The Python tools get the rows, not the files, so only measures are compared and not file readers. `cwl_eval` gets grades divided by
the largest grade (with `binary:`, 1 or 0). `residual:` is the residual of cwl_eval; for karat, the upper bound minus the lower bound.
"""

TREC_EVAL_10 = """
trec_eval 10 has no row above, because it was not available on the machine that makes this page. Its source, and outputs made
with it elsewhere, show: scores are compared as 64-bit numbers; recall level c requires c R documents, rounded to the nearest; without `-c` the
program stops if a judged topic is missing in the run; `rbp_resid` is 0 for a list without unjudged documents, however short; `rbp`
scales by variables that are not initialised. `karat trec_eval --profile 10` follows the first two; `karat trec_eval --deviations`
lists where it does not follow, and why. Version 9 was run through pytrec_eval.
"""

REAL_RUNS = """
`conformance/run` compares karat with ir_measures, ranx, elinor and cwl_eval on runs of TREC-COVID, the Deep Learning track 2019 and
the Web track 2012 (where available), and on random files with edge cases: every common measure, every topic. With the other tool's
conventions from this table, every value must agree to 1e-9 (to five decimals where the tool rounds); otherwise the check fails.
With karat's defaults, the differences are counted by cause.
"""

ONE_RELEVANT = "1 0 a 1\n1 0 b 0\n1 0 c 0"
TREC9, IRM, RANX, CWL, ELINOR, KARAT = "trec_eval 9", "ir_measures", "ranx", "cwl_eval", "elinor", "karat"

CASES = [
    Case(
        "Equal scores", "all", "none: the run does not define the order",
        "Three documents with equal scores; a is relevant. Reciprocal rank.",
        ONE_RELEVANT, "1 Q0 b 1 1.0 t\n1 Q0 a 2 1.0 t\n1 Q0 c 3 1.0 t",
        {TREC9: ["recip_rank"], IRM: ["RR", "RR@10", "RBP(p=0.5,rel=1)"], RANX: ["mrr"], CWL: ["binary:RR"], ELINOR: ["rr"],
         KARAT: ["RR", "RR@10", "--ties file RR"]},
        "trec_eval breaks ties by descending docno (c, b, a), elinor by ascending docno (a, b, c); cwl_eval and ranx "
        "keep the file order (b, a, c). ir_measures depends on the program that computes the measure: `RR` and "
        "`RR@10` of the same run are 0.3333 and 1, and RBP uses a third order. No order is right, because the run "
        "does not define one. karat follows trec_eval for all measures, and `karat check` counts tied documents."),
    Case(
        "Equal scores in a longer list", "ranx", "all but ranx: a tie order should be reproducible",
        "Sixteen documents d01 to d16 with alternating scores 1 and 2: d02, d04, ... share the first eight ranks. d06 "
        "is relevant. Reciprocal rank.",
        "\n".join(f"1 0 d{n:02} {int(n == 6)}" for n in range(1, 17)),
        "\n".join(f"1 Q0 d{n:02} {n} {2 - n % 2}.0 t" for n in range(1, 17)),
        {TREC9: ["recip_rank"], RANX: ["mrr"], ELINOR: ["rr"], KARAT: ["RR", "--ties file RR"]},
        "d06 is third of the eight by ascending docno and in file order, and sixth by descending docno. The sort of "
        "ranx is not stable: up to 15 documents ties keep the file order, with more documents their order follows no "
        "rule.",
        files="The files: grade 1 for d06, 0 for the others; scores 1.0, 2.0, 1.0, 2.0, ... from d01 on."),
    Case(
        "Scores that differ in the ninth digit", "trec_eval 9, ir_measures", "trec_eval 10, karat and the others",
        "a is relevant and has the higher score, by 0.00000001. Reciprocal rank.",
        "1 0 a 1\n1 0 b 0", "1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1.0 t",
        {TREC9: ["recip_rank"], IRM: ["RR", "RR@10"], RANX: ["mrr"], ELINOR: ["rr"], KARAT: ["RR", "--profile 9 RR"]},
        "trec_eval 9 stores scores as 32-bit numbers. The two scores become equal, and docno decides. The run gives a "
        "the higher score, so 1 is right; karat and trec_eval 10 use 64 bits. `--profile 9` reproduces published "
        "values of trec_eval 9."),
    Case(
        "Lines not in the order of the scores", "cwl_eval", "all but cwl_eval",
        "The best document is last in the file. Reciprocal rank.",
        "1 0 a 1\n1 0 b 0", "1 Q0 b 1 0.5 t\n1 Q0 a 2 0.9 t",
        {TREC9: ["recip_rank"], IRM: ["RR", "RBP(p=0.5,rel=1)"], RANX: ["mrr"], CWL: ["binary:RR", "binary:RBP(0.5)"],
         ELINOR: ["rr"], KARAT: ["RR", "RBP(p=0.5)"]},
        "A TREC run is ordered by its scores. cwl_eval uses the order of the lines. ir_measures sorts first, so the "
        "same program gives another value there."),
    Case(
        "A judged topic missing in the run", "trec_eval 9, elinor", "a convention; state which one",
        "Two judged topics; the run answers the first, perfectly. Average precision over all topics.",
        "1 0 a 1\n2 0 b 1", "1 Q0 a 1 1.0 t",
        {TREC9: ["map"], IRM: ["AP", "NumQ", "NumRel"], RANX: ["map"], ELINOR: ["ap"],
         KARAT: ["AP", "NumQ", "NumRel", "--missing-topics skip AP"]},
        "Excluding the topic rewards a system that returns nothing. karat and ir_measures therefore score it 0 "
        "(trec_eval: `-c`), and karat prints a note. ranx was called with `make_comparable=True`; otherwise it "
        "stops. cwl_eval has no means. NumQ and NumRel of ir_measures exclude the topic although they describe the "
        "judgements: 2 is right."),
    Case(
        "A topic without relevant documents", "elinor", "trec_eval, ranx, karat: 0, with a note",
        "One document, judged not relevant.",
        "1 0 a 0", "1 Q0 a 1 1.0 t",
        {TREC9: ["ndcg", "map", "bpref"], IRM: ["nDCG", "AP", "Bpref"], RANX: ["ndcg", "map", "bpref", "f1@10"],
         ELINOR: ["ndcg", "ap", "bpref", "f1@10"], KARAT: ["nDCG", "AP", "Bpref", "F@10"]},
        "nDCG of elinor is 1, so topics without an answer raise the mean of every system. Its F1 is 0/0, not a number, "
        "and so is the mean over all topics. karat scores the topic 0, as trec_eval does, and names it in a note, so "
        "that it can be excluded."),
    Case(
        "A topic without relevant documents among others", "ranx's bpref, elinor", "trec_eval, karat",
        "Three topics, each with its documents in the best order; the second has no relevant one. Bpref over all topics.",
        "1 0 a 1\n1 0 b 0\n2 0 b 0\n3 0 a 1\n3 0 b 0",
        "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n2 Q0 b 1 1.0 t\n3 Q0 a 1 2.0 t\n3 Q0 b 2 1.0 t",
        {TREC9: ["bpref"], IRM: ["Bpref"], RANX: ["bpref"], ELINOR: ["bpref", "ndcg"], KARAT: ["Bpref", "nDCG"]},
        "Two of three topics are perfect: 2/3. In ranx the second topic causes a division by zero, which ends the loop "
        "over topics without a message; the third topic is 0 as well. The number of lost topics depends on their "
        "names, because ranx sorts topics by name."),
    Case(
        "Bpref with nothing judged non-relevant", "ranx, elinor", "trec_eval, karat",
        "Two documents, both relevant, both retrieved.",
        "1 0 a 1\n1 0 b 1", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {TREC9: ["bpref"], IRM: ["Bpref"], RANX: ["bpref"], ELINOR: ["bpref"], KARAT: ["Bpref"]},
        "Bpref counts how often a non-relevant document comes first. There is none, so Bpref is 1. The formula gives "
        "0/0 and needs a special case."),
    Case(
        "Negative grades", "ranx, elinor, ir_measures' Judged", "trec_eval, karat",
        "b is in the pool but not judged (-1, the meaning of negative grades in TREC judgements); it is ranked first. "
        "c is judged not relevant and not retrieved.",
        "1 0 a 1\n1 0 b -1\n1 0 c 0", "1 Q0 b 1 2.0 t\n1 Q0 a 2 1.0 t",
        {TREC9: ["bpref"], IRM: ["Bpref", "Judged@2"], RANX: ["bpref"], CWL: ["residual:binary:RBP(0.5)"],
         ELINOR: ["bpref"], KARAT: ["Bpref", "Judged@2", "residual:RBP(p=0.5)"]},
        "Bpref uses judged documents only, so b does not count and the value is 1; ranx and elinor treat -1 as a "
        "judgement. In cwl_eval b gets gain 0, because gains cannot be negative; its residual is therefore too small "
        "by the weight of b, 0.5."),
    Case(
        "RBP of graded documents", "ranx", "karat, ir_measures, cwl_eval",
        "Two documents of the best grade, 2. RBP with persistence 0.5.",
        "1 0 a 2\n1 0 b 2", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["RBP(p=0.5,rel=1)", "RBP(p=0.5)"], RANX: ["rbp.50"], CWL: ["RBP(0.5)"],
         KARAT: ["RBP(p=0.5)", "RBP(p=0.5,gain=linear)"]},
        "RBP is a weighted mean of gains between 0 and 1, so with two documents it is at most 1/2 + 1/4. ranx "
        "multiplies by the grade, so its RBP can exceed 1. ir_measures defines `RBP` without `rel`, but none of its "
        "programs computes it. trec_eval 9 has no RBP."),
    Case(
        "The residual of a short list", "trec_eval 10 (not run), cwl_eval's P", "RBP: cwl_eval, karat",
        "One document, judged relevant. By how much can the score still rise?",
        "1 0 a 1", "1 Q0 a 1 1.0 t",
        {CWL: ["residual:binary:RBP(0.5)", "residual:binary:Precision(2)"], KARAT: ["residual:RBP(p=0.5)", "residual:P@2"]},
        "The RBP user continues below the end of the list, where weight 1/2 remains: 0.5. rbp_resid of trec_eval 10 is "
        "0 if all documents of the list are judged. For P@2, cwl_eval extends the list with relevant documents; "
        "karat uses the list as returned, and its P@2 cannot change."),
    Case(
        "Users without a last rank", "cwl_eval, ir_measures", "karat; the difference is small",
        "One document, judged relevant. INSQ and INST with T = 1, and by how much they can still rise.",
        "1 0 a 1", "1 Q0 a 1 1.0 t",
        {IRM: ["INSQ(T=1.0,max_rel=1)", "INST(T=1.0,max_rel=1)"],
         CWL: ["INSQ(1.0)", "INST(1.0)", "residual:INSQ(1.0)", "residual:INST(1.0)"],
         KARAT: ["INSQ(T=1)", "INST(T=1)", "residual:INSQ(T=1)", "residual:INST(T=1)", "INST(T=1)@1000",
                 "residual:INST(T=1)@1000"]},
        "After a first relevant document the weights of INST are 1, 1/4, 1/9, ..., with sum pi^2/6: the value is "
        "0.6079. cwl_eval ends every search at rank 1000, where the sum is smaller by 0.001, and rescales the "
        "weights; `@1000` does the same. Value and residual add up to 1 in both, because both extend the list with "
        "relevant documents. The weights of RBP decrease so fast that the difference is not visible."),
    Case(
        "Gains that add up to the target", "cwl_eval, ir_measures", "karat",
        "Gains 1, 2/3, 2/3, 2/3 and 0. BPM for a user who stops when 3 is gained, or at rank 10.",
        "1 0 a 3\n1 0 b 2\n1 0 c 2\n1 0 d 2\n1 0 e 0",
        "1 Q0 a 1 5.0 t\n1 Q0 b 2 4.0 t\n1 Q0 c 3 3.0 t\n1 Q0 d 4 2.0 t\n1 Q0 e 5 1.0 t",
        {IRM: ["BPM(T=3.0,max_rel=3)@10"], CWL: ["BPM(3.0,10)"], KARAT: ["BPM(T=3)@10"]},
        "1 + 2/3 + 2/3 + 2/3 is 3, at rank 4: 3/4. The floating-point sum is below 3 in the last bit, so the user of "
        "cwl_eval continues to rank 10: 3/10. karat allows for rounding. At T = 1 the two agree on all runs compared."),
    Case(
        "Diversity at cut-off 1", "ir_measures (pyndeval)", "karat",
        "One document that covers both subtopics: no ranking can be better.",
        "1 1 a 1\n1 2 a 1\n1 1 b 0", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["ERR_IA@1", "alpha_DCG@1", "ERR_IA@2", "alpha_DCG@2", "nERR_IA@1"],
         KARAT: ["ERR_IA@1", "alpha_DCG@1", "ERR_IA@2", "alpha_DCG@2", "nERR_IA@1"]},
        "From cut-off 2 on, ndeval divides by the maximum score: the number of subtopics times the discounted gain of "
        "one. At cut-off 1 it does not, so values exceed 1 and grow with the number of subtopics."),
    Case(
        "Compatibility when relevant documents share a score", "ir_measures", "karat",
        "Two relevant documents with equal scores. Compatibility is the overlap with the most similar ideal ranking; "
        "here both a, b and b, a are ideal.",
        "1 0 b 1\n1 0 a 1", "1 Q0 a 1 1.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["Compat(p=0.5)"], KARAT: ["Compat(p=0.5)"]},
        "Both orders are ideal, so 1 is right. ir_measures sorts the ideal ranking by the scores of the run, and ties "
        "by the order of the judgements: with the two lines exchanged its value is 1."),
    Case(
        "The share of judged documents of a topic missing in the run", "ir_measures", "karat",
        "Two judged topics; the run has one of them, with a judged document.",
        "1 0 a 1\n2 0 b 1", "1 Q0 a 1 1.0 t",
        {IRM: ["Judged@10"], KARAT: ["Judged@10"]},
        "The share is undefined without documents. karat excludes the topic from this mean and prints a note; "
        "ir_measures scores it 0, as if the run had unjudged documents there."),
    Case(
        "Average precision when something is missed", "cwl_eval", "all but cwl_eval",
        "One of two relevant documents is retrieved, at rank 1.",
        "1 0 a 1\n1 0 b 1", "1 Q0 a 1 1.0 t",
        {TREC9: ["map"], IRM: ["AP"], RANX: ["map"], CWL: ["binary:AP"], ELINOR: ["ap"], KARAT: ["AP"]},
        "AP of cwl_eval divides by the number of relevant documents retrieved, although a comment in its code says all "
        "relevant documents. Relevant documents that are not retrieved have no effect."),
    Case(
        "F with beta", "ir_measures", "karat",
        "Precision 2/3, recall 1, beta = 2.",
        "1 0 a 1\n1 0 b 1\n1 0 c 0", "1 Q0 a 1 3.0 t\n1 Q0 b 2 2.0 t\n1 Q0 c 3 1.0 t",
        {IRM: ["SetF(beta=2.0)"], KARAT: ["SetF(beta=2)", "SetF(x=2)"]},
        "F is (1 + b²) P R / (b² P + R): 5 (2/3) / (8/3 + 1) = 0.9091. The parameter of trec_eval's set_F is b² (-m "
        "set_F.2 means beta 1.41), and ir_measures passes beta without squaring it."),
    Case(
        "ERR on a scale that ends below 4", "ir_measures", "karat",
        "One relevant document at rank 1; grades are 0 and 1.",
        "1 0 a 1", "1 Q0 a 1 1.0 t",
        {IRM: ["ERR@10"], KARAT: ["ERR@10", "--max-grade 4 ERR@10"]},
        "A document of grade g satisfies the user with probability (2^g - 1) / 2^G, where G is the largest grade: 1/2 "
        "here. ir_measures uses the program of the Web track, which always sets G = 4 and rounds to five decimals. "
        "This changes the order of systems: on the 143 runs of round 1 of TREC-COVID, Kendall's tau between the two "
        "is 0.95, and the best run differs."),
    Case(
        "Interpolated precision", "trec_eval 9, ir_measures", "karat",
        "Three relevant documents, of which two are retrieved. Precision at recall 0.7.",
        "1 0 a 1\n1 0 b 1\n1 0 c 1", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {TREC9: ["iprec_at_recall_0.70"], IRM: ["IPrec@0.7"], KARAT: ["IPrec@0.7", "IPrec(rounding=trec_eval9)@0.7"]},
        "Two of three documents are recall 0.667, below 0.7. trec_eval 9 requires trunc(0.7 × 3 + 0.9) documents; in "
        "floating point that is trunc(2.9999999999999996) = 2. trec_eval 10 rounds to the nearest, also 2."),
    Case(
        "A relevance level and gains", "ranx", "a convention; trec_eval's level does not change gains",
        "Grades 1 and 2, the better document last; nDCG with relevance level 2.",
        "1 0 a 1\n1 0 b 2", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {RANX: ["ndcg@10", "ndcg@10-l2"], KARAT: ["nDCG@10", "-l 2 nDCG@10", "nDCG(gains={1:0})@10"]},
        "In ranx, grades below the relevance level have no gain. -l of trec_eval and karat does not change gains."),
    Case(
        "Two diversity measures in one call", "ir_measures", "ir_measures with one measure per call",
        "One topic with two subtopics, one document for each. `NRBP` of ir_measures alone and, in a second call, after "
        "another measure with other parameters.",
        "1 1 a 1\n1 2 b 1", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["NRBP", "NRBP after NRBP(alpha=0.3)"]},
        "The provider reads the run once per set of parameters, but the first reading consumes it: every later set "
        "gets no documents and returns 0 without a warning."),
    Case(
        "Topics that are not numbers", "ir_measures' ERR and nDCG(dcg='exp-log2')", "karat",
        "The topic is named q1.",
        "q1 0 a 1", "q1 Q0 a 1 1.0 t",
        {IRM: ["ERR@10", "nDCG@10", "nDCG(dcg='exp-log2')@10"], KARAT: ["ERR@10", "nDCG(dcg=exp-log2)@10"]},
        "The program of the Web track, which ir_measures runs for these two measures, requires numbers."),
]
