#!/usr/bin/env python3
"""Do karat's coefficients of agreement and its Dawid-Skene say what statsmodels, scikit-learn, krippendorff, irrCAC and
crowd-kit say, on the labels of real judges?

    conformance/judges.py [--quick]

Reads the judges' sets of the data folder ($KARAT_DATA, else ../shared/data); without it only random labels are compared, and the
summary says so. Coefficients go through `karat judges agree`, Dawid-Skene through
the example `judges` of karat-stats: cargo build --release -p karat-stats --example judges.
A peer that is not installed is left out, loudly. Exits 1 when a number differs by more than 1e-9 (1e-6 for Dawid-Skene).
"""
import collections
import csv
import importlib
import itertools
import json
import lzma
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

from setting import example, program

ROOT = pathlib.Path(__file__).resolve().parent.parent
warnings.filterwarnings("ignore")
PEERS = {}
for name in ("numpy", "pandas", "statsmodels.stats.inter_rater", "sklearn.metrics", "krippendorff", "irrCAC.raw",
             "crowdkit.aggregation"):
    try:
        PEERS[name] = importlib.import_module(name)
    except ImportError as error:
        print(f"conformance: !! {name} is not installed ({error}): not compared", flush=True)


class Labels:
    """Labels by item and judge: {item: {judge: grade}}."""

    def __init__(self, name, triples):
        self.name = name
        self.by_item = collections.defaultdict(dict)
        for item, judge, grade in triples:
            self.by_item[item][judge] = grade
        self.judges = sorted({judge for labels in self.by_item.values() for judge in labels})
        self.grades = sorted({grade for labels in self.by_item.values() for grade in labels.values()})

    def lines(self):
        number = {judge: place for place, judge in enumerate(self.judges)}
        for place, labels in enumerate(self.by_item.values()):
            for judge, grade in labels.items():
                yield f"{place} {number[judge]} {grade}"

    def karat(self, *mode):
        scale = ",".join(map(str, self.grades))
        done = subprocess.run([example("judges"), *mode, scale], input="\n".join(self.lines()), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"conformance: {self.name}: {done.stderr}")
        return done.stdout

    def agreement(self):
        """Through the program: the labels as a file, `karat judges agree`, its JSON."""
        with tempfile.NamedTemporaryFile("w", suffix=".csv", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["query_id", "doc_id", "judge", "grade"])
            for item, labels in self.by_item.items():
                names = item if isinstance(item, tuple) else (item, item)
                rows.writerows([*names, judge, grade] for judge, grade in labels.items())
            file.flush()
            scale = ",".join(map(str, self.grades))
            # Intervals are not compared, so few resamples.
            done = subprocess.run([program(), "judges", "agree", file.name, "--scale", scale, "--resamples", "200", "-f", "json"],
                                  capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"conformance: {self.name}: {done.stderr}")
        return {row["coefficient"]: row["value"] for row in json.loads(done.stdout)["agreement"]}

    def pair(self, first, second):
        triples = ((item, judge, labels[judge]) for item, labels in self.by_item.items()
                   for judge in (first, second) if first in labels and second in labels)
        both = Labels(f"{self.name} {first}-{second}", triples)
        both.grades = self.grades
        return both

    def matrix(self):
        """Judges by items, NaN where there is no label."""
        np = PEERS["numpy"]
        return np.array([[labels.get(judge, math.nan) for labels in self.by_item.values()] for judge in self.judges], dtype=float)


def qrels(folder):
    for path in sorted(folder.glob("J*.qrels")):
        for line in open(path):
            topic, _, docno, grade = line.split()
            yield (topic, docno), path.stem, int(grade)


def real():
    folder = pathlib.Path(os.environ.get("KARAT_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "judges_snow2008").exists():
        print("conformance: !! no data folder (KARAT_DATA or ../shared/data): ONLY RANDOM LABELS, no real judges", flush=True)
        return
    for part in ("agreement", "main", "pilot"):
        yield Labels(f"DL19 {part}", qrels(folder / "judges_dl19_reannotation" / part))
    for task in ("rte", "temp", "wsd"):
        with open(folder / "judges_snow2008" / f"{task}.tsv") as rows:
            rows = csv.DictReader(rows, delimiter="\t")
            yield Labels(f"Snow {task}", [(row["item"], row["worker"], int(row["response"])) for row in rows])
    with open(folder / "judges_quepid_haystack" / "ratings.csv") as rows:
        triples = [((row["query"], row["docid"]), row["rater"], int(float(row["rating"])))
                   for row in csv.DictReader(rows) if row["rating"] and row["unrateable"] != "true"]
        yield Labels("Haystack", triples)
    with lzma.open(next((folder / "judges_trec_rf10_crowd").glob("*.xz")), "rt") as rows:
        rows = [row for row in csv.DictReader(rows, delimiter="\t") if row["label"] in ("0", "1", "2")]
        yield Labels("TREC RF10 crowd", [((row["topicID"], row["docID"]), row["workerID"], int(row["label"])) for row in rows])


def chance():
    """Random labels with gaps; grades whose values are not their places."""
    for seed in range(6):
        rng = random.Random(seed)
        scale = [[0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 3, 7], [1, 2], [0, 2, 4]][seed]
        triples = []
        for item in range(60):
            truth = rng.randrange(len(scale))
            for judge in range(2 + seed % 4):
                if rng.random() < .85:
                    place = truth if rng.random() < .6 else rng.randrange(len(scale))
                    triples.append((item, f"j{judge}", scale[place]))
        yield Labels(f"random {seed}", triples)


class Score:
    def __init__(self):
        self.compared, self.wrong, self.worst = collections.Counter(), 0, 0.0

    def check(self, peer, labels, name, ours, theirs, slack=1e-9):
        if theirs is None or (isinstance(theirs, float) and math.isnan(theirs)):
            # Undefined for the peer: karat must not have made up a number.
            ours_is = ours is None
        else:
            ours_is = ours is not None and abs(ours - theirs) <= slack
            if ours is not None:
                self.worst = max(self.worst, abs(ours - theirs))
        self.compared[peer] += 1
        if not ours_is:
            self.wrong += 1
            print(f"conformance: {labels.name}: {name}: karat {ours}, {peer} {theirs}")


def two(score, labels):
    """Two judges, items that both labelled."""
    ours = labels.agreement()
    first, second = ([labels.by_item[item][judge] for item in labels.by_item] for judge in labels.judges)
    if "sklearn.metrics" in PEERS:
        kappa = PEERS["sklearn.metrics"].cohen_kappa_score
        for name, weights in (("cohen", None), ("cohen_linear", "linear"), ("cohen_quadratic", "quadratic")):
            score.check("scikit-learn", labels, name, ours[name], float(kappa(first, second, weights=weights, labels=labels.grades)))
    if "statsmodels.stats.inter_rater" in PEERS:
        np = PEERS["numpy"]
        place = {grade: at for at, grade in enumerate(labels.grades)}
        table = np.zeros((len(place), len(place)))
        for a, b in zip(first, second):
            table[place[a], place[b]] += 1
        for name, how in (("cohen", None), ("cohen_linear", "linear"), ("cohen_quadratic", "fc")):
            theirs = PEERS["statsmodels.stats.inter_rater"].cohens_kappa(table, wt=how, return_results=False)
            score.check("statsmodels", labels, name, ours[name], float(theirs))


def many(score, labels):
    ours = labels.agreement()
    matrix = labels.matrix()
    if "krippendorff" in PEERS:
        for name, level in (("krippendorff", "nominal"), ("krippendorff_ordinal", "ordinal"), ("krippendorff_interval", "interval")):
            theirs = PEERS["krippendorff"].alpha(reliability_data=matrix, level_of_measurement=level, value_domain=labels.grades)
            score.check("krippendorff", labels, name, ours[name], float(theirs))
    if "irrCAC.raw" in PEERS and len(labels.judges) <= 20:
        cac = PEERS["irrCAC.raw"].CAC(PEERS["pandas"].DataFrame(matrix.T), categories=labels.grades)
        # irrCAC rounds to five digits.
        for name, method in (("fleiss", "fleiss"), ("gwet_ac1", "gwet"), ("randolph", "bp")):
            theirs = getattr(cac, method)()["est"]["coefficient_value"]
            score.check("irrCAC", labels, name, ours[name], float(theirs), 6e-6)
    counts = [[sum(value == grade for value in row.values()) for grade in labels.grades] for row in labels.by_item.values()]
    if "statsmodels.stats.inter_rater" in PEERS and len({sum(row) for row in counts}) == 1 and sum(counts[0]) > 1:
        fleiss = PEERS["statsmodels.stats.inter_rater"].fleiss_kappa
        table = PEERS["numpy"].array(counts)
        score.check("statsmodels", labels, "fleiss", ours["fleiss"], float(fleiss(table, method="fleiss")))
        score.check("statsmodels", labels, "randolph", ours["randolph"], float(fleiss(table, method="randolph")))


def merge(score, labels, rounds=20):
    np, pd = PEERS["numpy"], PEERS["pandas"]
    rows = [tuple(map(float, line.split())) for line in labels.lines()]
    data = pd.DataFrame(rows, columns=["task", "worker", "label"])
    theirs = PEERS["crowdkit.aggregation"].DawidSkene(n_iter=rounds, tol=-np.inf).fit(data).probas_
    theirs = theirs.reindex(columns=sorted(theirs.columns)).sort_index().to_numpy()
    ours = np.array([list(map(float, line.split())) for line in labels.karat("merge", str(rounds)).splitlines()[1:]])
    score.check("crowd-kit", labels, "Dawid-Skene", float(np.abs(ours - theirs).max()), 0.0, 1e-6)


def main():
    quick = "--quick" in sys.argv
    score = Score()
    for labels in itertools.chain(chance(), real()):
        if len(labels.judges) > 100:
            print(f"conformance: {labels.name}: {len(labels.judges)} judges, {len(labels.by_item)} items: alpha, Dawid-Skene")
        many(score, labels)
        if len(labels.judges) <= 20:
            for first, second in itertools.islice(itertools.combinations(labels.judges, 2), 3 if quick else None):
                both = labels.pair(first, second)
                if len(both.by_item) > 1:
                    two(score, both)
        if "crowdkit.aggregation" in PEERS:
            merge(score, labels)
    told = ", ".join(f"{peer} {count}" for peer, count in sorted(score.compared.items()))
    print(f"conformance: judges: compared with {told}; {score.wrong} differ, furthest apart {score.worst:.1e} (irrCAC rounds to 5 digits)")
    sys.exit(1 if score.wrong or not score.compared else 0)


if __name__ == "__main__":
    main()
