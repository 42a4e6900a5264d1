"""Every number of `karat trec_eval --profile 9 -q -m all_trec` beside pytrec_eval's (trec_eval 9's own code).

Per topic and for all topics: the printed digits must be equal, the full values within 1e-12 of each other, relatively.
Differences that are in karat's table of deviations are counted apart.
"""
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytrec_eval

import setting

TOLERANCE = 1e-12
SEED = 20261116
CASES = 400
# Texts and names; and the number of topics, which pytrec_eval does not add up.
NOT_NUMBERS = {"runid", "relstring", "num_q"}


class Compared:
    """What a comparison came to; adds up."""

    def __init__(self):
        self.runs = self.values = self.deviations = 0
        self.worst, self.worst_at = 0.0, ""
        self.printed, self.distant = [], []
        self.measures = Counter()

    def add(self, other):
        self.runs += other.runs
        self.values += other.values
        self.deviations += other.deviations
        if other.worst > self.worst:
            self.worst, self.worst_at = other.worst, other.worst_at
        self.printed += other.printed
        self.distant += other.distant
        self.measures += other.measures

    def value(self, where, measure, shown, full, theirs, counts):
        """One value: ours as printed and in full, and theirs."""
        self.values += 1
        self.measures[measure] += 1
        if math.isnan(theirs):
            # empty-list-nan: a list that -J left empty.
            self.deviations += 1
            if float(full) != 0:
                self.printed.append(f"{where} {measure}: nan there, {full} here")
            return
        expected = f"{theirs:.0f}" if counts else f"{theirs:.4f}"
        if shown != expected:
            self.printed.append(f"{where} {measure}: {expected} there, {shown} here ({theirs!r}, {full})")
        apart = abs(float(full) - theirs) / max(abs(theirs), 1e-300) if float(full) != theirs else 0.0
        if apart > self.worst:
            self.worst, self.worst_at = apart, f"{where} {measure}"
        if apart > TOLERANCE:
            self.distant.append(f"{where} {measure}: {theirs!r} there, {full} here")


def compare(name, qrels_path, run_path, judged, ranked, level=1, judged_only=False, flags=()):
    """One run. `judged` and `ranked` are what the two files hold."""
    result = Compared()
    result.runs = 1
    evaluator = pytrec_eval.RelevanceEvaluator(
        judged, {"all_trec"}, relevance_level=level, judged_docs_only_flag=judged_only)
    theirs = evaluator.evaluate(ranked)
    arguments = ["--profile", "9", "-q", "-m", "all_trec", "-l", str(level), *flags]
    arguments += ["-J"] if judged_only else []
    shown = setting.trec_eval(*arguments, qrels_path, run_path)
    full = setting.trec_eval("--precision", "full", *arguments, qrels_path, run_path)
    ours = {topic for _, topic in shown if topic != "all"}
    if ours != set(theirs):
        result.printed.append(f"{name}: topics {sorted(set(theirs) ^ ours)} are on one side only")
    topics = sorted(theirs, key=lambda topic: topic.encode("utf-8", "surrogateescape"))
    for topic in topics:
        for measure, value in theirs[topic].items():
            if measure in NOT_NUMBERS or measure.startswith("gm_"):
                continue
            if (measure, topic) not in shown:
                result.printed.append(f"{name} {topic} {measure}: not printed")
                continue
            counts = measure.startswith("num_")
            result.value(f"{name} {topic}", measure, shown[measure, topic], full[measure, topic], value, counts)
    for measure in theirs[topics[0]]:
        if measure in NOT_NUMBERS:
            continue
        total = 0.0
        for topic in topics:
            # As above: where pytrec_eval has no number karat has 0.
            value = theirs[topic][measure]
            total += 0.0 if math.isnan(value) else value
        counts = measure.startswith("num_")
        mean = total if counts else total / len(topics)
        value = math.exp(mean) if measure.startswith("gm_") else mean
        result.value(f"{name} all", measure, shown[measure, "all"], full[measure, "all"], value, counts)
    return result


def judgements(path):
    found = {}
    for topic, _, docno, grade in setting.rows(path):
        found.setdefault(topic, {})[docno] = int(grade)
    return found


_known = {}


def real(task):
    """One real run; judgements are read once a process."""
    collection, qrels, run = task
    judged = _known.get(qrels) or _known.setdefault(qrels, judgements(qrels))
    ranked, twice = {}, False
    for topic, _, docno, _, score, *_ in setting.rows(run):
        of = ranked.setdefault(topic, {})
        twice |= docno in of
        of.setdefault(docno, float(score))
    if not twice:
        return collection, compare(run.name, qrels, run, judged, ranked)
    # trec_eval stops with status 4 at a document that comes twice; what is compared is the run without the second.
    done = subprocess.run([setting.program(), "trec_eval", "--profile", "9", qrels, run], capture_output=True)
    once = setting.SCRATCH / "conformance" / f"{run.name}.once"
    once.write_text("".join(f"{topic} Q0 {docno} 0 {score!r} t\n"
                            for topic, of in ranked.items() for docno, score in of.items()))
    result = compare(f"{run.name} (each document once)", qrels, once, judged, ranked)
    if done.returncode != 4:
        result.printed.append(f"{run.name}: a document comes twice, and karat's status is {done.returncode}, not 4")
    return collection, result


def narrow(score):
    return struct.unpack("f", struct.pack("f", score))[0]


def random_case(number):
    """A small collection made for trouble: ties, scores that tie as float32 only, negative and graded judgements,
    topics one side lacks, lists of one document, relevance levels, -J, -M."""
    chance = random.Random(f"{SEED}-{number}")
    # pytrec_eval keeps a topic's ranking while its name stays the same, so every case has names of its own.
    topics = [f"{chance.choice(['', 'q', '0'])}{chance.randrange(200)}.{number}" for _ in range(chance.randint(1, 6))]
    pool = [f"d{chance.choice('abAB09')}{place}" for place in range(chance.randint(2, 60))]
    greatest = chance.choice([1, 1, 2, 3, 12])
    judged, ranked = {}, {}
    for topic in dict.fromkeys(topics):
        documents = chance.sample(pool, chance.randint(1, len(pool)))
        judged[topic] = {docno: chance.choice([-1, 0, 0, 0, chance.randint(0, greatest)]) for docno in documents}
        # trec_eval takes leftovers for a topic nobody judged (nothing-judged).
        judged[topic][documents[0]] = chance.randint(0, greatest)
        documents = chance.sample(pool + ["x1", "x2", "x3"], chance.randint(1, len(pool)))
        scores = [chance.choice([1.0, 1.00000001, 0.5, -3e7, 16777217.0, 16777216.0, 0.1, chance.random()])
                  for _ in documents]
        ranked[topic] = dict(zip(documents, scores))
    names = list(judged)
    if len(names) > 1 and chance.random() < 0.4:
        del ranked[names[0]]
    if len(names) > 2 and chance.random() < 0.3:
        del judged[names[1]]
    depth = chance.randint(1, 20) if chance.random() < 0.3 else None
    flags = ["-M", str(depth)] if depth else []
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = pathlib.Path(folder, "q"), pathlib.Path(folder, "r")
        qrels.write_text("".join(f"{topic} 0 {docno} {grade}\n"
                                 for topic, of in judged.items() for docno, grade in of.items()))
        lines = [f"{topic}\tQ0  {docno} 0 {score!r} t\n" for topic, of in ranked.items() for docno, score in of.items()]
        chance.shuffle(lines)
        run.write_text("".join(lines))
        if depth:
            ranked = {topic: dict(sorted(of.items(), key=lambda pair: (narrow(pair[1]), pair[0]), reverse=True)[:depth])
                      for topic, of in ranked.items()}
        return "random", compare(f"random case {number}", qrels, run, judged, ranked,
                                 level=chance.choice([1, 1, 2, 3]), judged_only=chance.random() < 0.2, flags=flags)


def main():
    quick = "--quick" in sys.argv
    folder = setting.data()
    tasks = []
    for collection in setting.collections(folder) if folder else []:
        runs = collection.runs[:3] if quick else collection.runs
        tasks += [(collection.name, collection.qrels, run) for run in runs]
    by_collection = {}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for name, result in [*pool.map(random_case, range(CASES), chunksize=20), *pool.map(real, tasks, chunksize=4)]:
            by_collection.setdefault(name, Compared()).add(result)
    everything = Compared()
    print(f"\n{'beside pytrec_eval':<26}{'runs':>6}{'values':>10}{'worst relative':>16}{'digits differ':>15}{'apart':>7}"
          f"{'deviations':>12}")
    for name, result in by_collection.items():
        everything.add(result)
        print_row(name, result)
    print_row("all", everything)
    print(f"{len(everything.measures)} measures with their cut-offs; worst: {everything.worst_at or 'none'}")
    for line in everything.printed[:20] + everything.distant[:20]:
        print("  differs:", line)
    sys.exit(1 if everything.printed or everything.distant else 0)


def print_row(name, result):
    print(f"{name:<26}{result.runs:>6}{result.values:>10}{result.worst:>16.1e}{len(result.printed):>15}"
          f"{len(result.distant):>7}{result.deviations:>12}")


if __name__ == "__main__":
    main()
