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

Evaluation tools disagree. Below, disagreements between six tools that we measured: the files (a few lines each), what each
tool was asked, what it said, and who is right, if anybody is. Every number was measured by running the tool on the files
when this page was made, and `conformance/run` runs them all again and fails if one says something else.

The Python tools were given the rows of the files, not the files, so that only measures are compared and not readers.
`cwl_eval` was given grades divided by the largest (`binary:`, relevant or not); `residual:` is its residual, and for karat
the upper bound minus the lower.
"""

TREC_EVAL_10 = """
trec_eval 10 is distributed as source on GitHub only, which the machine this page is made on cannot reach, so it has no row
above. From its source, and from outputs made with it elsewhere: scores are compared as 64-bit numbers; recall levels are
reached at c R rounded to the nearest; a judged topic the run lacks ends the program (without `-c`); `rbp_resid` is 0 for a
list without unjudged documents, however short; `rbp` scales by numbers it never sets. `karat trec_eval --profile 10`
follows it in the first two, and says with `--deviations` where and why it does not. Version 9 was run, through
pytrec_eval.
"""

REAL_RUNS = """
`conformance/run` compares karat with ir_measures, ranx, elinor and cwl_eval on runs of TREC-COVID, the Deep Learning track
2019 and the Web track 2012, where these can be had, and on random files made for trouble: every measure the tools share,
every topic. Each value has to be equal to 1e-9 (to five decimals where the peer rounds) once karat is given the peer's
choices from this table; one that is not fails the check. Without them, the differences are counted by cause.
"""

ONE_RELEVANT = "1 0 a 1\n1 0 b 0\n1 0 c 0"
TREC9, IRM, RANX, CWL, ELINOR, KARAT = "trec_eval 9", "ir_measures", "ranx", "cwl_eval", "elinor", "karat"

CASES = [
    Case(
        "Equal scores", "all", "nobody: the system did not say",
        "Three documents with one score; a is relevant. Reciprocal rank.",
        ONE_RELEVANT, "1 Q0 b 1 1.0 t\n1 Q0 a 2 1.0 t\n1 Q0 c 3 1.0 t",
        {TREC9: ["recip_rank"], IRM: ["RR", "RR@10", "RBP(p=0.5,rel=1)"], RANX: ["mrr"], CWL: ["binary:RR"], ELINOR: ["rr"],
         KARAT: ["RR", "RR@10", "--ties file RR"]},
        "trec_eval orders ties by docno downwards (c, b, a), elinor upwards (a, b, c), cwl_eval and ranx keep the order of "
        "the file (b, a, c). ir_measures follows whichever program it hands the measure to, so its `RR` and `RR@10` of one "
        "run are 0.3333 and 1, and its RBP a third order. None is right: the run does not say which document comes "
        "first. karat follows trec_eval, for all measures alike, and `karat check` counts tied documents."),
    Case(
        "Equal scores in a longer list", "ranx", "all but ranx: an order should be one that can be told",
        "Sixteen documents d01 to d16 with scores 1 and 2 in turn, so that d02, d04, ... share the first eight ranks; d06 is "
        "relevant. Reciprocal rank.",
        "\n".join(f"1 0 d{n:02} {int(n == 6)}" for n in range(1, 17)),
        "\n".join(f"1 Q0 d{n:02} {n} {2 - n % 2}.0 t" for n in range(1, 17)),
        {TREC9: ["recip_rank"], RANX: ["mrr"], ELINOR: ["rr"], KARAT: ["RR", "--ties file RR"]},
        "d06 is the third of its eight by docno upwards and in the order of the file, the sixth by docno downwards. ranx sorts "
        "with an algorithm that is not stable: up to 15 documents ties stay in the order of the file, beyond that "
        "they end up in no order one could name.",
        files="The files: grade 1 for d06, 0 for the others; scores 1.0, 2.0, 1.0, 2.0, ... from d01 on."),
    Case(
        "Scores that differ in the ninth digit", "trec_eval 9, ir_measures", "trec_eval 10, karat and the others",
        "a is relevant and has the higher score, by 0.00000001. Reciprocal rank.",
        "1 0 a 1\n1 0 b 0", "1 Q0 a 1 1.00000001 t\n1 Q0 b 2 1.0 t",
        {TREC9: ["recip_rank"], IRM: ["RR", "RR@10"], RANX: ["mrr"], ELINOR: ["rr"], KARAT: ["RR", "--profile 9 RR"]},
        "trec_eval 9 keeps scores as 32-bit numbers, in which the two are equal; docno then decides. The system said which is "
        "better, so 1 is right; karat and trec_eval 10 keep 64 bits. `--profile 9` is there to reproduce published values."),
    Case(
        "Lines not in the order of the scores", "cwl_eval", "all but cwl_eval",
        "The best document stands last in the file. Reciprocal rank.",
        "1 0 a 1\n1 0 b 0", "1 Q0 b 1 0.5 t\n1 Q0 a 2 0.9 t",
        {TREC9: ["recip_rank"], IRM: ["RR", "RBP(p=0.5,rel=1)"], RANX: ["mrr"], CWL: ["binary:RR", "binary:RBP(0.5)"],
         ELINOR: ["rr"], KARAT: ["RR", "RBP(p=0.5)"]},
        "A TREC run is ordered by its scores. cwl_eval takes the lines as they come; through ir_measures, which sorts "
        "first, the same program says otherwise."),
    Case(
        "A judged topic the run lacks", "trec_eval 9, elinor", "a choice; but say which",
        "Two judged topics; the run answers the first, perfectly. Average precision over all topics.",
        "1 0 a 1\n2 0 b 1", "1 Q0 a 1 1.0 t",
        {TREC9: ["map"], IRM: ["AP", "NumQ", "NumRel"], RANX: ["map"], ELINOR: ["ap"],
         KARAT: ["AP", "NumQ", "NumRel", "--missing-topics skip AP"]},
        "Leaving the topic out rewards a system for staying silent, so karat and ir_measures count it 0 (trec_eval: `-c`), and "
        "karat says so in a note. ranx was asked with `make_comparable=True`, without which it stops. cwl_eval makes no "
        "means. ir_measures' NumQ and NumRel leave the topic out although they describe the judgements: 2 is right."),
    Case(
        "A topic without relevant documents", "elinor", "trec_eval, ranx, karat: 0, and say so",
        "One document, judged not relevant.",
        "1 0 a 0", "1 Q0 a 1 1.0 t",
        {TREC9: ["ndcg", "map", "bpref"], IRM: ["nDCG", "AP", "Bpref"], RANX: ["ndcg", "map", "bpref", "f1@10"],
         ELINOR: ["ndcg", "ap", "bpref", "f1@10"], KARAT: ["nDCG", "AP", "Bpref", "F@10"]},
        "elinor's nDCG is 1 there, so topics nobody can answer raise every system's mean. 0/0 leaves elinor's F1 without "
        "a number, and with it the mean over all topics. Best is not to count the topic at all: karat "
        "counts it 0, as trec_eval does, and names it in a note."),
    Case(
        "A topic without relevant documents among others", "ranx's bpref, elinor", "trec_eval, karat",
        "Three topics, each with its documents in the best order; the second has no relevant one. Bpref over all topics.",
        "1 0 a 1\n1 0 b 0\n2 0 b 0\n3 0 a 1\n3 0 b 0",
        "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n2 Q0 b 1 1.0 t\n3 Q0 a 1 2.0 t\n3 Q0 b 2 1.0 t",
        {TREC9: ["bpref"], IRM: ["Bpref"], RANX: ["bpref"], ELINOR: ["bpref", "ndcg"], KARAT: ["Bpref", "nDCG"]},
        "Two topics of three are perfect: 2/3. In ranx the second topic divides by zero, which ends the loop over topics "
        "without a word and leaves the third at 0 as well. How many topics are lost depends on their names, by which "
        "ranx orders them."),
    Case(
        "Bpref with nothing judged non-relevant", "ranx, elinor", "trec_eval, karat",
        "Two documents, both relevant, both retrieved.",
        "1 0 a 1\n1 0 b 1", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {TREC9: ["bpref"], IRM: ["Bpref"], RANX: ["bpref"], ELINOR: ["bpref"], KARAT: ["Bpref"]},
        "Bpref counts how often a non-relevant document comes first. There is none, so it is 1; the formula's 0/0 is a "
        "case to be written out."),
    Case(
        "Negative grades", "ranx, elinor, ir_measures' Judged", "trec_eval, karat",
        "b is in the pool but was not judged (-1), which is what negative grades mean in TREC judgements; it comes first. c "
        "was judged not relevant and not retrieved.",
        "1 0 a 1\n1 0 b -1\n1 0 c 0", "1 Q0 b 1 2.0 t\n1 Q0 a 2 1.0 t",
        {TREC9: ["bpref"], IRM: ["Bpref", "Judged@2"], RANX: ["bpref"], CWL: ["residual:binary:RBP(0.5)"],
         ELINOR: ["bpref"], KARAT: ["Bpref", "Judged@2", "residual:RBP(p=0.5)"]},
        "Bpref looks at judged documents only, so b does not count and the value is 1; ranx and elinor take -1 for a "
        "judgement. In cwl_eval b had to be given gain 0, being no gain below 0, and its residual is too small by "
        "b's weight, 0.5."),
    Case(
        "RBP of graded documents", "ranx", "karat, ir_measures, cwl_eval",
        "Two documents of the best grade, 2. RBP with persistence 0.5.",
        "1 0 a 2\n1 0 b 2", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["RBP(p=0.5,rel=1)", "RBP(p=0.5)"], RANX: ["rbp.50"], CWL: ["RBP(0.5)"],
         KARAT: ["RBP(p=0.5)", "RBP(p=0.5,gain=linear)"]},
        "RBP is an average of gains between 0 and 1, so with two documents it is at most 1/2 + 1/4. ranx multiplies by the grade "
        "itself, and with grades above 1 its RBP passes 1. ir_measures' `RBP` without `rel` is defined but no program "
        "it uses has it. trec_eval 9 has no RBP."),
    Case(
        "The residual of a short list", "trec_eval 10 (not run), cwl_eval's P", "RBP: cwl_eval, karat",
        "One document, judged relevant. How much could the score still rise?",
        "1 0 a 1", "1 Q0 a 1 1.0 t",
        {CWL: ["residual:binary:RBP(0.5)", "residual:binary:Precision(2)"], KARAT: ["residual:RBP(p=0.5)", "residual:P@2"]},
        "RBP's user reads on below the end of the list, where weight 1/2 is left: 0.5. trec_eval 10's rbp_resid says 0 as "
        "long as no document of the list is unjudged. For P@2, cwl_eval lets the list go on with relevant documents; "
        "karat takes the list as returned, where nothing can change."),
    Case(
        "Users who read on for ever", "cwl_eval, ir_measures", "karat; the difference is small",
        "One document, judged relevant. INSQ and INST with T = 1, and how much they could still rise.",
        "1 0 a 1", "1 Q0 a 1 1.0 t",
        {IRM: ["INSQ(T=1.0,max_rel=1)", "INST(T=1.0,max_rel=1)"],
         CWL: ["INSQ(1.0)", "INST(1.0)", "residual:INSQ(1.0)", "residual:INST(1.0)"],
         KARAT: ["INSQ(T=1)", "INST(T=1)", "residual:INSQ(T=1)", "residual:INST(T=1)", "INST(T=1)@1000",
                 "residual:INST(T=1)@1000"]},
        "INST's weights after a first relevant document are 1, 1/4, 1/9, ..., and their sum is pi^2/6: 0.6079. cwl_eval ends every "
        "user's search at rank 1000, where the sum is smaller by 0.001, and spreads what is left over the ranks above; "
        "`@1000` does the same. Value and residual make up 1 either way: both let the list go on with relevant documents. "
        "RBP's weights fall so fast that nobody sees the difference."),
    Case(
        "Gains that add up to the target", "cwl_eval, ir_measures", "karat",
        "Gains 1, 2/3, 2/3, 2/3 and 0. BPM for a user who stops when 3 is gained, or at rank 10.",
        "1 0 a 3\n1 0 b 2\n1 0 c 2\n1 0 d 2\n1 0 e 0",
        "1 Q0 a 1 5.0 t\n1 Q0 b 2 4.0 t\n1 Q0 c 3 3.0 t\n1 Q0 d 4 2.0 t\n1 Q0 e 5 1.0 t",
        {IRM: ["BPM(T=3.0,max_rel=3)@10"], CWL: ["BPM(3.0,10)"], KARAT: ["BPM(T=3)@10"]},
        "1 + 2/3 + 2/3 + 2/3 is 3, at rank 4: 3/4. Added as floats it falls short of 3 in the last bit, and cwl_eval's user "
        "goes on to rank 10: 3/10. karat allows for rounding. At T = 1 the two agree on all runs we compared."),
    Case(
        "Diversity at cut-off 1", "ir_measures (pyndeval)", "karat",
        "One document about both subtopics of the topic: no ranking could be better.",
        "1 1 a 1\n1 2 a 1\n1 1 b 0", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["ERR_IA@1", "alpha_DCG@1", "ERR_IA@2", "alpha_DCG@2", "nERR_IA@1"],
         KARAT: ["ERR_IA@1", "alpha_DCG@1", "ERR_IA@2", "alpha_DCG@2", "nERR_IA@1"]},
        "From cut-off 2 on ndeval divides by what the greatest score could be, subtopics times the discounted gain of one; "
        "at cut-off 1 it does not, so that the values pass 1 and grow with the number of subtopics."),
    Case(
        "Compatibility when relevant documents share a score", "ir_measures", "karat",
        "Two relevant documents with one score. Compatibility is the overlap with the nearest of the ideal rankings, of which "
        "a, b and b, a are two.",
        "1 0 b 1\n1 0 a 1", "1 Q0 a 1 1.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["Compat(p=0.5)"], KARAT: ["Compat(p=0.5)"]},
        "Any order of the two is ideal, so 1 is right. ir_measures orders the ideal by the scores of the run and, where they "
        "are equal, by the lines of the judgements: turn those two around and it says 1."),
    Case(
        "The share of judged documents of a topic the run lacks", "ir_measures", "karat",
        "Two judged topics; the run has one of them, with a document that was judged.",
        "1 0 a 1\n2 0 b 1", "1 Q0 a 1 1.0 t",
        {IRM: ["Judged@10"], KARAT: ["Judged@10"]},
        "Of no documents no share is judged or unjudged. karat leaves the topic out of this mean and says so; ir_measures counts "
        "it 0, as if the run had unjudged documents there."),
    Case(
        "Average precision when something is missed", "cwl_eval", "all but cwl_eval",
        "One of two relevant documents is retrieved, at rank 1.",
        "1 0 a 1\n1 0 b 1", "1 Q0 a 1 1.0 t",
        {TREC9: ["map"], IRM: ["AP"], RANX: ["map"], CWL: ["binary:AP"], ELINOR: ["ap"], KARAT: ["AP"]},
        "cwl_eval's AP divides by the relevant documents retrieved, although its own comment says it was corrected to all of them. A "
        "system is never charged for what it missed."),
    Case(
        "F with beta", "ir_measures", "karat",
        "Precision 2/3, recall 1, beta = 2.",
        "1 0 a 1\n1 0 b 1\n1 0 c 0", "1 Q0 a 1 3.0 t\n1 Q0 b 2 2.0 t\n1 Q0 c 3 1.0 t",
        {IRM: ["SetF(beta=2.0)"], KARAT: ["SetF(beta=2)", "SetF(x=2)"]},
        "F is (1 + b²) P R / (b² P + R): 5 (2/3) / (8/3 + 1) = 0.9091. trec_eval's set_F takes b² (its -m set_F.2 is beta "
        "1.41), and ir_measures hands it beta without squaring."),
    Case(
        "ERR on a scale that ends below 4", "ir_measures", "karat",
        "One relevant document at rank 1; grades are 0 and 1.",
        "1 0 a 1", "1 Q0 a 1 1.0 t",
        {IRM: ["ERR@10"], KARAT: ["ERR@10", "--max-grade 4 ERR@10"]},
        "A document of grade g satisfies with (2^g - 1) / 2^G, G being the largest grade: 1/2 here. ir_measures uses the Web "
        "track's program, where G is 4 whatever the judgements, and rounds to five decimals. It also changes "
        "the order of systems: over the 143 runs of TREC-COVID's first round Kendall's tau between the two is 0.95, and the best run is another."),
    Case(
        "Interpolated precision", "trec_eval 9, ir_measures", "karat",
        "Three relevant documents, of which two are retrieved. Precision at recall 0.7.",
        "1 0 a 1\n1 0 b 1\n1 0 c 1", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {TREC9: ["iprec_at_recall_0.70"], IRM: ["IPrec@0.7"], KARAT: ["IPrec@0.7", "IPrec(rounding=trec_eval9)@0.7"]},
        "Two of three is recall 0.667, short of 0.7. trec_eval 9 asks for trunc(0.7 × 3 + 0.9) documents, which "
        "arithmetic with rounding makes 2.9999999999999996 and so 2. trec_eval 10 rounds to the nearest, 2 as well."),
    Case(
        "A relevance level and gains", "ranx", "nobody; trec_eval's level does not touch gains",
        "Grades 1 and 2, the better document last; nDCG with relevance from 2.",
        "1 0 a 1\n1 0 b 2", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {RANX: ["ndcg@10", "ndcg@10-l2"], KARAT: ["nDCG@10", "-l 2 nDCG@10", "nDCG(gains={1:0})@10"]},
        "In ranx a level takes away the gain of grades below it; trec_eval's -l, and karat's, leaves gains alone."),
    Case(
        "Two diversity measures asked together", "ir_measures", "ir_measures asked one by one",
        "One topic with two subtopics, one document about each. ir_measures' `NRBP` and, in a second call, the same after "
        "another measure with other parameters.",
        "1 1 a 1\n1 2 b 1", "1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t",
        {IRM: ["NRBP", "NRBP after NRBP(alpha=0.3)"]},
        "For each set of parameters the provider goes through the run again, but the run was used up by the first: every "
        "later one gets no documents and says 0, without a warning."),
    Case(
        "Topics that are not numbers", "ir_measures' ERR and nDCG(dcg='exp-log2')", "karat",
        "The topic is called q1.",
        "q1 0 a 1", "q1 Q0 a 1 1.0 t",
        {IRM: ["ERR@10", "nDCG@10", "nDCG(dcg='exp-log2')@10"], KARAT: ["ERR@10", "nDCG(dcg=exp-log2)@10"]},
        "The Web track's program, which ir_measures runs for these two, expects numbers."),
]
