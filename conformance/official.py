"""Values the organisers printed, beside karat's: TREC-COVID rounds 1 and 3, the Deep Learning track 2019.

All were made with trec_eval 9, so `karat trec_eval --profile 9 -c`; RBP was not, so `karat eval`, whose bounds hold
the residual. A value is reproduced when it is equal to the last printed digit. Differences that are understood are
listed below with their reason; any other is a failure.
"""
import csv
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import setting

# (collection, column, run) -> karat's value and why it is another.
UNDERSTOOD = {
    ("TREC-COVID round 3", "report RBP residual", "jlbase-QE-rnd3"):
        ("0.0810", "topics 10, 14, 29 have 14, 9, 8 documents, all judged: the organisers' program (trec_eval's "
                   "rbp_resid) says 0, the tail is 0.5^14 + 0.5^9 + 0.5^8 = 0.0059, over 40 topics 0.00015"),
    ("TREC-COVID round 3", "report RBP residual", "l2r"):
        ("0.5255", "topics 8 and 25 have 2 and 12 documents, all judged: likewise 0 there, 0.5^2 + 0.5^12 = 0.2502 "
                   "here, over 40 topics 0.0063"),
}


def leaderboard(path, delimiter=","):
    with open(path) as rows:
        return {row["run"]: row for row in csv.DictReader(rows, delimiter=delimiter)}


def by_trec_eval(qrels, run, measures, *flags):
    """Values as printed, by measure, over all topics."""
    arguments = [text for measure in measures for text in ("-m", measure)]
    found = setting.trec_eval("--profile", "9", "-c", *flags, *arguments, qrels, run)
    return {measure: value for (measure, _), value in found.items()}


def by_eval(qrels, run, measures, *flags):
    """Scores of `karat eval`, by measure."""
    arguments = [text for measure in measures for text in ("-m", measure)]
    answer = json.loads(setting.karat("eval", "--profile", "9", "-f", "json", *flags, *arguments, qrels, run))
    return {score["measure"]: score for score in answer["scores"]}


RBP = "RBP(p=0.5,gain=linear)"


def rbp(qrels, run):
    """RBP, its residual, and the residual by trec_eval's rule: 0 for a list without unjudged documents."""
    answer = json.loads(setting.karat("eval", "--profile", "9", "-q", "-f", "json", "-m", RBP, "-m", "Judged", qrels,
                                      run))
    score = next(score for score in answer["scores"] if score["measure"] == RBP)
    judged = {row["topic"]: row["value"] for row in answer["by_query"] if row["measure"] == "Judged"}
    residuals = [0 if judged[row["topic"]] == 1 else row["high"] - row["low"]
                 for row in answer["by_query"] if row["measure"] == RBP]
    return score["value"], score["high"] - score["low"], sum(residuals) / len(residuals)


def covid_1(folder):
    qrels, runs = folder / "trec_covid_r1/qrels.txt", folder / "trec_covid_r1/runs"
    official = leaderboard(folder / "trec_covid_r1/official_leaderboard.csv")
    reports = leaderboard(folder / "trec_covid_r1/official_reports.tsv", "\t")

    def one(name):
        ours = by_trec_eval(qrels, runs / name, ["official", "ndcg_cut.10", "P.5,10,15,20,30"])
        value, _, _ = rbp(qrels, runs / name)
        printed, report = official[name], reports[name]
        yield "leaderboard nDCG@10", printed["ndcg@10"], ours["ndcg_cut_10"]
        yield "leaderboard P@5", printed["p@5"], ours["P_5"]
        yield "leaderboard bpref", printed["bpref"], ours["bpref"]
        yield "leaderboard MAP", printed["MAP"], ours["map"]
        yield "leaderboard RBP(p=.5)", printed["RBP(p=.5)"], f"{value:.4f}"
        yield from reported(report, ours)

    return "TREC-COVID round 1", sorted(official), one


def reported(report, ours):
    """The columns both rounds' reports have."""
    columns = {"num_ret": "num_ret", "num_rel": "num_rel", "num_rel_ret": "num_rel_ret", "map": "map",
               "bpref": "bpref", "ndcg10": "ndcg_cut_10", "P5": "P_5", "P10": "P_10", "P15": "P_15",
               "P20": "P_20", "P30": "P_30", "Rprec": "Rprec"}
    for column, measure in columns.items():
        if report[column]:
            yield f"report {column}", report[column], ours[measure]


def covid_3(folder):
    qrels, runs = folder / "trec_covid_r3/qrels.txt", folder / "trec_covid_r3/runs"
    official = leaderboard(folder / "trec_covid_r3/official_leaderboard.csv")
    reports = leaderboard(folder / "trec_covid_r3/official_reports.tsv", "\t")

    def one(name):
        ours = by_trec_eval(qrels, runs / name, ["official", "ndcg_cut.10", "P.5,10,15,20,30"])
        value, residual, theirs = rbp(qrels, runs / name)
        printed, report = official[name], reports[name]
        yield "leaderboard nDCG@10", printed["ndcg@10"], ours["ndcg_cut_10"]
        yield "leaderboard P@5", printed["P@5"], ours["P_5"]
        yield "leaderboard bpref", printed["bpref"], ours["bpref"]
        yield "leaderboard MAP", printed["map"], ours["map"]
        yield "leaderboard RBP p=.5", printed["rbp_p5"], f"{value:.4f}"
        yield "report RBP", report["rbp"], f"{value:.4f}"
        yield "report RBP residual", report["rbp_res"], f"{residual:.4f}"
        yield "the same by its rule", report["rbp_res"], f"{theirs:.4f}"
        judged = by_eval(qrels, runs / name, ["Judged@5", "Judged@10", "Judged@1000"], "--ties", "file")
        for depth in (5, 10, 1000):
            yield f"leaderboard J@{depth}", printed[f"J@{depth}"], f"{judged[f'Judged@{depth}']['value']:.4f}"
        yield from reported(report, ours)

    return "TREC-COVID round 3", sorted(path.name for path in runs.iterdir()), one


def deep_learning(folder):
    qrels, runs = folder / "dl19_passage/qrels.txt", folder / "dl19_passage/runs"
    official = {}
    with open(folder / "dl19_passage/official_trec_eval.tsv") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            official.setdefault(row["run"], []).append((row["summary"][-1], row["measure"], row["value"]))
    names = ["map", "bpref", "ndcg", "recip_rank", "P.10,100,1000", "recall.10,100,1000", "ndcg_cut.10,100,1000"]

    def one(name):
        ours = {level: by_trec_eval(qrels, runs / name, names, "-l", level) for level in "12"}
        for level, measure, value in official[name]:
            yield f"level {level} {measure}", value, ours[level][measure]

    return "DL19 passage", sorted(official), one


def sampled(folder, share):
    """Not official: what trec_eval 10 itself printed for judgements thinned to a sample."""
    official = leaderboard(folder / f"trec_covid_r1/derived_sampled_{share}pct.trec_eval10.tsv", "\t")
    qrels, runs = folder / f"trec_covid_r1/derived_sampled_{share}pct.qrels", folder / "trec_covid_r1/runs"

    def one(name):
        found = setting.trec_eval("-m", "infAP", "-m", "map", "-m", "bpref", "-m", "num_rel", qrels, runs / name)
        for measure in ("infAP", "map", "bpref", "num_rel"):
            yield measure, official[name][measure], found[measure, "all"]

    return f"trec_eval 10, {share} % judged", sorted(official), one


def main():
    folder = setting.data()
    if folder is None:
        return
    failures = 0
    print(f"\n{'official values':<27}{'':<26}{'runs':>6}{'equal':>8}{'understood':>12}{'differ':>8}")
    for collection, names, one in (covid_1(folder), covid_3(folder), deep_learning(folder), sampled(folder, 20),
                                   sampled(folder, 50)):
        columns, differences = {}, []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, values in zip(names, pool.map(lambda name: list(one(name)), names)):
                for column, printed, ours in values:
                    counts = columns.setdefault(column, [0, 0, 0, 0])
                    counts[0] += 1
                    reason = understood(collection, column, name, ours)
                    kind = 1 if float(printed) == float(ours) else 2 if reason else 3
                    counts[kind] += 1
                    if kind > 1:
                        differences.append(f"{column} of {name}: printed {printed}, here {ours}"
                                           + (f" ({reason})" if reason else ""))
        total = [0, 0, 0, 0]
        for column, counts in columns.items():
            print(f"{collection:<27}{column:<26}" + "".join(f"{n:>{w}}" for n, w in zip(counts, (6, 8, 12, 8))))
            total = [a + b for a, b in zip(total, counts)]
        print(f"{collection:<27}{'all':<26}" + "".join(f"{n:>{w}}" for n, w in zip(total, (6, 8, 12, 8))))
        failures += total[3]
        for line in differences:
            print("  ", line)
    sys.exit(1 if failures else 0)


def understood(collection, column, name, ours):
    value, reason = UNDERSTOOD.get((collection, column, name), (None, None))
    return reason if value == ours else None


if __name__ == "__main__":
    main()
