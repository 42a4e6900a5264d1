"""The measures of each peer beside karat's, and every choice in which the peer differs from karat.

A row says how karat is asked for the same measure, and which choices of the peer karat must be given to say what the
peer says. The check is then twofold: given those choices every value must be equal, and without them every difference
is counted under the choices that made it. A difference that the row's choices do not explain fails the check.
"""
import re
from dataclasses import dataclass
from typing import Callable

# What a choice does to the way karat is asked:
#   order: the run's documents in the peer's order; qrels: the judgements as the peer takes them;
#   flags: options of karat; spec: another measure of karat's; after: what is computed from karat's values.
CHOICES = {
    "float32": {"flags": ("--profile", "9")},
    "ties-file": {"flags": ("--ties", "file")},
    "ties-up": {"order": "docno-up"},
    "ties-quicksort": {"order": "peer"},
    "scores-unread": {"order": "lines"},
    "negatives-judged": {"qrels": "negatives-0"},
    "err-grade-4": {"flags": ("--max-grade", "4")},
    "missing-topic-skipped": {"flags": ("--missing-topics", "skip")},
    "counts-missing": {"flags": ("--missing-topics", "skip")},
}


@dataclass
class Cause:
    """Why two tools say different numbers, and who is right."""
    tool: str
    what: str
    right: str
    example: str


# The causes, by name. Examples are measured: most of them by which_tool.py, whose page shows the files.
CAUSES = {
    "float32": Cause(
        "ir_measures (pytrec_eval)", "scores are rounded to 32 bits before they are compared, as in trec_eval 9",
        "karat and trec_eval 10: the run has two different scores; `--profile 9` gives the other",
        "scores 1.00000001 and 1.0: RR 0.5 there, 1 here"),
    "ties-file": Cause(
        "ir_measures (cwl_eval, pyndeval)", "ties keep the file order",
        "none: the run does not define the order. karat follows trec_eval (descending docno); `--ties file` gives the "
        "other",
        "b, a, c tied with a relevant: RR 0.5 there, 0.3333 here"),
    "ties-up": Cause(
        "ir_measures (RR@k, Judged, Compat), elinor", "ties are broken by ascending docno",
        "none, as above; but RR and RR@k of ir_measures use two orders for the same run",
        "b, a, c tied with a relevant: RR@10 1 there, 0.3333 here"),
    "ties-ndeval": Cause(
        "ir_measures (pyndeval)", "ties deep in a list are in neither file order nor docno order",
        "none; without ties the two agree", "AP_IA on the Web track's runs, in the fifth digit"),
    "ties-quicksort": Cause(
        "ranx", "the sort is not stable: ties keep the file order up to 15 documents; with more, their order follows "
        "no rule", "none; but a tie order should be reproducible",
        "16 documents, two scores in turn, the second relevant: see the page"),
    "scores-unread": Cause(
        "cwl_eval", "documents are used in the order of the lines; scores are ignored",
        "karat: a TREC run is ordered by its scores", "a file with its lines shuffled scores as shuffled"),
    "negatives-judged": Cause(
        "ir_measures (Judged), ranx, elinor, cwl_eval", "a negative grade counts as judged not relevant",
        "karat and trec_eval: it marks a pooled document that was not judged (or junk, in some web tracks)",
        "one retrieved document, grade -1: Judged@1 is 1 there, 0 here"),
    "err-grade-4": Cause(
        "ir_measures (gdeval)", "the largest grade of ERR is always 4",
        "karat: a document of the best grade g satisfies the user with probability (2^g - 1)/2^g. `--max-grade 4` "
        "gives the other",
        "one relevant document at rank 1, grades 0 and 1: ERR 0.0625 there, 0.5 here"),
    "five-decimals": Cause(
        "ir_measures (gdeval)", "values are rounded to five decimals before they are averaged",
        "karat; the difference is below 0.000005", "ERR 1/48 is 0.02083 there"),
    "iprec-rounding": Cause(
        "ir_measures (pytrec_eval), ranx", "recall c requires trunc(c R + 0.9) of R documents, as in trec_eval 9",
        "karat: recall c requires ceil(c R) documents; `IPrec(rounding=trec_eval9)` gives the other",
        "R = 3: recall 0.7 asks 3 documents here (2.1 rounded up), 2 there"),
    "beta-squared": Cause(
        "ir_measures (pytrec_eval)", "beta is passed to trec_eval's set_F, whose parameter is beta squared",
        "karat: with beta, recall counts beta times as much as precision, (1 + b²)PR/(b²P + R); `SetF(x=2)` gives the "
        "other", "P = 2/3, R = 1: SetF(beta=2) is 0.8571 there, 0.9091 here"),
    "rbp-raw-grade": Cause(
        "ranx", "RBP multiplies by the grade", "karat: RBP is a weighted mean of gains from 0 to 1; in ranx it "
        "can exceed 1. `RBP(gain=linear)` times the largest grade is the value of ranx",
        "grade 2 at every rank: 2 there, 1 here"),
    "bpref-nan": Cause(
        "ranx, elinor", "Bpref, and with it the mean, is not a number if no document is judged not relevant (0/0)",
        "karat and trec_eval: without non-relevant documents, every retrieved relevant document counts 1",
        "all judged relevant, all retrieved: NaN there, 1 here"),
    "bpref-lost": Cause(
        "ranx", "a topic without relevant documents ends the computation (division by zero): Bpref is 0 for it and for "
        "all topics after it", "karat and trec_eval: topics are independent",
        "topics 1, 2, 3 with R = 1, 0, 1, all perfect: 1, 0, 0 there, 1, 0, 1 here"),
    "f1-nan": Cause(
        "elinor", "F1, and with it the mean, is not a number for a topic without relevant documents (0/0)",
        "karat and ranx: 0", "one document, not relevant: NaN there, 0 here"),
    "counts-missing": Cause(
        "ir_measures (NumRel, NumQ)", "a judged topic missing in the run is not counted",
        "karat: both describe the judgements, as the documentation of ir_measures says",
        "two judged topics, one in the run: NumQ 1 there, 2 here"),
    "empty-list": Cause(
        "ir_measures (Judged)", "Judged is 0 for a topic missing in the run",
        "karat: undefined and excluded from the mean; a share of nothing is not 0",
        "a run without a judged topic"),
    "missing-topic-skipped": Cause(
        "elinor, cwl_eval", "a judged topic missing in the run is excluded from the mean",
        "karat scores it 0 by default, so that leaving out bad topics is no advantage; `--missing-topics skip` gives "
        "the other", "two topics, one answered perfectly: AP 1 there, 0.5 here"),
    "ndcg-one": Cause(
        "elinor", "nDCG is 1 for a topic without relevant documents", "karat and trec_eval: 0; no ranking deserves 1",
        "one document, not relevant: nDCG 1 there, 0 here"),
    "gain-level": Cause(
        "ranx", "grades below the relevance level have no gain", "a convention: trec_eval's -l does not change "
        "gains. `nDCG(gains={1:0})` gives the other", "grade 1 alone retrieved, level 2: DCG 0 there, 1 here"),
    "ap-of-retrieved": Cause(
        "cwl_eval", "AP is divided by the number of relevant documents retrieved, not by the number of all relevant "
        "documents",
        "karat and every other tool: relevant documents that are not retrieved count 0",
        "one of two relevant documents at rank 1: AP 1 there, 0.5 here"),
    "compat-ideal": Cause(
        "ir_measures (Compat)", "the ideal list sorts documents of one grade by their scores in the run; with equal or "
        "negative scores it is not the ideal list most similar to the ranking",
        "karat: the measure compares with the most similar ideal list", "relevant documents that share a score"),
    "gains-in-floats": Cause(
        "ir_measures (cwl_eval), cwl_eval", "gains are added in floating point, and the sum may miss the target of BPM "
        "by the last bit",
        "karat, which allows for rounding; the two agree for T = 1, larger T are not compared on runs",
        "gains 1, 2/3, 2/3, 2/3, T = 3: 0.3 there, 0.75 here"),
    "cutoff-1": Cause(
        "ir_measures (pyndeval)", "ERR_IA@1 and alpha_DCG@1 are not divided by the number of subtopics",
        "karat: the measures are shares of the maximum score; not compared on runs", "one document about two subtopics: 2 there, 1 here"),
    "padded-residual": Cause(
        "cwl_eval", "the residual extends a list with relevant documents",
        "a convention. karat uses the list as returned for P and RR; only the users of RBP, INSQ, INST, NERR10 and "
        "NERR11 continue below it",
        "one judged document, P@2: residual 0.5 there, 0 here"),
    "thousand-ranks": Cause(
        "ir_measures (cwl_eval), cwl_eval", "weights are rescaled to sum to 1 over 1000 ranks",
        "karat: the weights sum to 1 over all ranks. For RBP the difference is p^1000; for INSQ and INST, whose "
        "weights decrease slowly, it is in the third digit. `INST@1000` gives the other", "INSQ(T=1), one relevant "
        "document at rank 1: larger there by 0.15 %"),
}


@dataclass
class Row:
    """One measure of a peer, karat's, and the peer's choices."""
    theirs: str
    ours: str
    choices: tuple = ()
    spec: str = None            # karat's measure under the peer's rule, when it is another
    spec_cause: str = None
    after: Callable = None      # (cells of karat by measure) -> the value by the peer's rule
    after_cause: str = None
    needs: tuple = ()           # measures `after` looks at, beside the row's own
    decimals: int = None
    flags: tuple = ()           # how karat is asked for this measure at all
    nan: str = None             # the cause when the peer has no number
    undefined: str = None       # the cause when karat has none and the peer has 0
    sums: bool = False          # over all topics it is a sum
    untied: tuple = ()          # the cause when the peer agrees once an order is written out as scores, and that order
    lost: str = None            # the cause when topics from the first without relevant documents on are 0
    field: str = "value"        # what of karat's answer is compared: value, or residual
    all_topics: bool = True     # whether the mean is compared too


def to_karat(spec, **changes):
    """ir_measures' text of a measure as karat writes it: no quotes, no bounds of the scale (those are --max-grade)."""
    text = re.sub(r",?\b(min_rel|max_rel)=\d+", "", spec).replace("'", "").replace("(,", "(").replace("()", "")
    return text


PYTREC = ("float32",)


def ir_measures(largest):
    """Every measure ir_measures registers, with usual parameters; `largest` is the scale's largest grade."""
    rows = []

    def add(specs, *choices, ours=None, **more):
        for spec in specs.split():
            spec = spec.replace("MAX", str(largest))
            rows.append(Row(spec, to_karat(ours or spec), choices, **more))

    add("P@1 P@5 P@10 P@20 P@100 P(rel=2)@10 R@5 R@10 R@100 R@1000 R(rel=2)@100", *PYTREC)
    add("AP AP@10 AP@100 AP@1000 AP(rel=2) AP(rel=2)@100 RR RR(rel=2) Rprec Rprec(rel=2)", *PYTREC)
    add("nDCG nDCG@5 nDCG@10 nDCG@20 nDCG@100 nDCG@1000 nDCG(gains={1:2,2:5})@10", *PYTREC)
    add("Bpref Bpref(rel=2) infAP infAP(rel=2) Success@1 Success@5 Success@10 Success(rel=2)@10", *PYTREC)
    add("SetP SetR SetF SetAP SetP(rel=2) NumRet NumRelRet NumRet(rel=2)")
    add("NumRel NumQ", "counts-missing", undefined="counts-missing", sums=True)
    add("SetRelP", ours="SetRelativeP")
    add("SetF(beta=2.0)", spec="SetF(x=2)", spec_cause="beta-squared")
    add("SetF(beta=0.5)", spec="SetF(x=0.5)", spec_cause="beta-squared")
    for level in ("0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"):
        add(f"IPrec@{level}", *PYTREC, spec=f"IPrec(rounding=trec_eval9)@{level}", spec_cause="iprec-rounding")
    for measure in ("P@10", "R@100", "AP", "nDCG@10", "RR", "SetP"):
        name, at, depth = measure.partition("@")
        add(f"{name}(judged_only=True){at}{depth}", *PYTREC, ours=measure, flags=("-J",))
    add("RR@1 RR@5 RR@10 RR@100 RR(rel=2)@10", "ties-up")
    add("Judged@5 Judged@10 Judged@100 Judged", "ties-up", "negatives-judged", undefined="empty-list")
    add("RBP(rel=1) RBP(p=0.5,rel=1) RBP(p=0.95,rel=1) RBP(p=0.8,rel=2)", "ties-file")
    add("SDCG(max_rel=MAX)@10 NERR8(max_rel=MAX)@10 NERR9(max_rel=MAX)@10 BPM(T=1.0,max_rel=MAX)@10 "
        "NERR10(p=0.9,max_rel=MAX)", "ties-file")
    for name in ("INST", "INSQ", "NERR11"):
        for t in ("1.0", "2.0"):
            add(f"{name}(T={t},max_rel=MAX)", "ties-file", spec=f"{name}(T={t})@1000", spec_cause="thousand-ranks")
    add("ERR@5 ERR@10 ERR@20", "err-grade-4", decimals=5)
    add("nDCG(dcg='exp-log2')@10 nDCG(dcg='exp-log2')@20", decimals=5)
    add("Compat(p=0.95) Compat(p=0.8)", "ties-up", untied=("compat-ideal", "docno-up"))
    return rows


# Measures over subtopics, compared on judgements that have them. ir_measures' Accuracy is the chance that a relevant
# document is ranked above another; karat gives the name to something else and has nothing that counts unjudged
# documents so.
DIVERSITY = [Row(spec, to_karat(spec), ("ties-file",), untied=("ties-ndeval", "file")) for spec in
             "alpha_nDCG@5 alpha_nDCG@10 alpha_nDCG@20 alpha_DCG@10 ERR_IA@5 ERR_IA@10 ERR_IA@20 nERR_IA@10 nERR_IA@20 "
             "NRBP nNRBP AP_IA P_IA@5 P_IA@10 P_IA@20 StRecall@5 StRecall@10 StRecall@20 "
             "alpha_nDCG(alpha=0.3)@10 NRBP(alpha=0.3,beta=0.8)".split()]
OTHER_MEASURE = {"Accuracy": "the share of (relevant, other) pairs in the right order; no measure of karat's"}
ALIASES = {"BPref": "Bpref", "MAP": "AP", "MAP_IA": "AP_IA", "MRR": "RR", "NDCG": "nDCG", "Precision": "P", "RPrec": "Rprec",
           "Recall": "R", "α_DCG": "alpha_DCG", "α_nDCG": "alpha_nDCG"}


def ranx(largest):
    """All of ranx's metrics."""
    rows = []

    def add(specs, ours, *choices, **more):
        for spec in specs.split():
            depth = spec.partition("@")[2].partition("-")[0]
            rows.append(Row(spec, ours.replace("K", depth), ("ties-quicksort", *choices), **more))

    add("hits@10 hits@100", "NumRelRet@K", all_topics=False)
    add("hits", "NumRelRet", all_topics=False)
    add("hits@10-l2", "NumRelRet(rel=2)@K", all_topics=False)
    add("hit_rate@1 hit_rate@10", "Success@K")
    add("hit_rate", "Success@1000000")
    add("precision@5 precision@10 precision@100", "P@K")
    add("precision@10-l2", "P(rel=2)@K")
    add("precision", "SetP")
    add("recall@10 recall@100", "R@K")
    add("recall", "SetR")
    add("f1@10 f1@100", "F@K")
    add("f1", "SetF")
    add("r-precision", "Rprec")
    add("mrr", "RR")
    add("mrr@10", "RR@K")
    add("map", "AP")
    add("map@10 map@100", "AP@K")
    add("map-l2", "AP(rel=2)")
    add("dcg@10", "DCG@K")
    add("dcg", "DCG")
    add("dcg_burges@10", "DCG(dcg=exp-log2)@K")
    add("ndcg", "nDCG")
    add("ndcg@10 ndcg@100", "nDCG@K")
    add("ndcg@10-l2", "nDCG@K", spec="nDCG(gains={1:0})@10", spec_cause="gain-level")
    add("ndcg_burges@10", "nDCG(dcg=exp-log2)@K")
    add("bpref", "Bpref", "negatives-judged", nan="bpref-nan", needs=("NumRel",), lost="bpref-lost")
    add("bpref-l2", "Bpref(rel=2)", "negatives-judged", nan="bpref-nan", needs=("NumRel(rel=2)",), lost="bpref-lost")
    for p in ("50", "80", "95"):
        graded = f"RBP(p=0.{p},gain=linear)"
        add(f"rbp.{p}", f"RBP(p=0.{p})", after=lambda cells, graded=graded: largest * cells[graded]["value"],
            after_cause="rbp-raw-grade", needs=(graded,))
    return rows


def elinor(_largest):
    rows = []

    def add(specs, ours, *choices, **more):
        for spec in specs.split():
            rows.append(Row(spec, ours.replace("K", spec.partition("@")[2]),
                            ("ties-up", "missing-topic-skipped", *choices), **more))

    add("hits@10", "NumRelRet@K", all_topics=False)
    add("success@10", "Success@K")
    add("precision@10 precision@100", "P@K")
    add("precision", "SetP")
    add("recall@100", "R@K")
    add("recall", "SetR")
    add("f1@10", "F@K", nan="f1-nan")
    add("r_precision", "Rprec")
    add("ap", "AP")
    add("ap@100", "AP@K")
    add("rr", "RR")
    add("rr@10", "RR@K")
    add("bpref", "Bpref", "negatives-judged", nan="bpref-nan")
    add("dcg@10", "DCG@K")
    add("dcg_burges@10", "DCG(dcg=exp-log2)@K")
    for spec, ours in (("ndcg", "nDCG"), ("ndcg@10", "nDCG@K"), ("ndcg_burges@10", "nDCG(dcg=exp-log2)@K")):
        add(spec, ours, all_topics=False, needs=("NumRel",), after_cause="ndcg-one",
            after=lambda cells, ours=ours.replace("K", "10"): cells[ours]["value"] if cells["NumRel"]["value"] else 1.0)
    return rows


def cwl_eval(_largest):
    """Gains are relevant or not for `binary:` rows, else the grade over the largest. Means are not cwl_eval's."""
    order = ("scores-unread", "negatives-judged")
    rows = []

    def add(theirs, ours, **more):
        rows.append(Row(theirs, ours, order, all_topics=False, **more))

    for k in (5, 10):
        add(f"binary:Precision({k})", f"P@{k}")
        add(f"residual:binary:Precision({k})", f"P@{k}", field="residual", needs=("NumRet",), after_cause="padded-residual",
            after=lambda cells, k=k: residual(cells[f"P@{k}"]) + max(0, k - cells["NumRet"]["value"]) / k)
    for p in ("0.5", "0.8", "0.95"):
        add(f"binary:RBP({p})", f"RBP(p={p})")
        add(f"residual:binary:RBP({p})", f"RBP(p={p})", field="residual")
        add(f"RBP({p})", f"RBP(p={p},gain=linear)")
        add(f"residual:RBP({p})", f"RBP(p={p},gain=linear)", field="residual")
    add("binary:RR", "RR")
    add("residual:binary:RR", "RR", field="residual", needs=("NumRet", "NumRelRet"), after_cause="padded-residual",
        after=padded_rr)
    add("binary:AP", "AP", needs=("NumRel", "NumRelRet"), after_cause="ap-of-retrieved", after=ap_of_retrieved)
    add("NDCG(10)", "SDCG@10")
    for t in ("1.0", "2.0"):
        for name in ("INST", "INSQ"):
            for kind, field in (("", "value"), ("residual:", "residual")):
                add(f"{kind}{name}({t})", f"{name}(T={t})", spec=f"{name}(T={t})@1000", spec_cause="thousand-ranks", field=field)
                add(f"{kind}binary:{name}({t})", f"{name}(T={t},max_rel=1)", spec=f"{name}(T={t},max_rel=1)@1000",
                    spec_cause="thousand-ranks", field=field)
        # From T = 2 on some values differ: gains-in-floats.
        if t == "1.0":
            add(f"BPM({t},10)", f"BPM(T={t})@10")
    return rows


def residual(cell):
    return cell["high"] - cell["low"]


def padded_rr(cells):
    """cwl_eval's best case goes on with a relevant document after the end of the list."""
    cell, end = cells["RR"], cells["NumRet"]["value"] + 1
    best = cell["high"] if cell["high"] > 0 else 1 / end
    return best - cell["value"]


def ap_of_retrieved(cells):
    retrieved = cells["NumRelRet"]["value"]
    return cells["AP"]["value"] * cells["NumRel"]["value"] / retrieved if retrieved else 0.0


TABLES = {"ir_measures": ir_measures, "ranx": ranx, "elinor": elinor, "cwl_eval": cwl_eval}
