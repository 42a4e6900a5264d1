"""karat.compat.pytrec_eval beside pytrec_eval itself, in one process: every measure of every topic, 1,000 random small
collections made for trouble, and every real run.

Numbers must be equal to the last bit, or within 4 units of it where karat adds in another order (counted apart);
keys, their order and the types of values must be equal. Where trec_eval has no number (interpolated precision of an
empty list) karat has 0; such values are counted as deviations.
"""
import math
import random
import sys
from collections import Counter

import pytrec_eval as theirs

import karat.compat.pytrec_eval as ours
import setting

SEED = 20261116
CASES = 1000
UNITS = 4
# Cut-offs and parameters beside the defaults.
MORE = ["P.1,2,3,7", "recall_4", "ndcg_cut.1,3", "map_cut_2,6", "success_3", "relative_P.2", "iprec_at_recall.0.25,0.5",
        "Rprec_mult.0.5,3", "set_F.0.25", "11pt_avg.0.3,0.6"]


class Compared:
    """What a comparison came to; adds up."""

    def __init__(self):
        self.runs = self.values = self.near = self.deviations = 0
        self.measures, self.distant = Counter(), Counter()
        self.wrong = []

    def add(self, other):
        for name in ("runs", "values", "near", "deviations"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.measures += other.measures
        self.distant += other.distant
        self.wrong += other.wrong

    def value(self, where, measure, mine, their):
        self.values += 1
        self.measures[measure] += 1
        if type(mine) is not float:
            self.wrong.append(f"{where} {measure}: {type(mine)}")
        if mine == their:
            return
        if math.isnan(their) and mine == 0.0:
            self.deviations += 1
        elif abs(mine - their) <= UNITS * math.ulp(their):
            self.near += 1
            self.distant[measure] += 1
        else:
            self.wrong.append(f"{where} {measure}: {their!r} there, {mine!r} here")


def compare(where, judged, ranked, measures, **options):
    """One run."""
    result = Compared()
    result.runs = 1
    there = theirs.RelevanceEvaluator(judged, measures, **options).evaluate(ranked)
    here = ours.RelevanceEvaluator(judged, measures, **options).evaluate(ranked)
    if list(there) != list(here):
        result.wrong.append(f"{where}: topics {list(there)} there, {list(here)} here")
        return result
    for topic, values in there.items():
        if list(values) != list(here[topic]):
            result.wrong.append(f"{where} {topic}: {list(values)} there, {list(here[topic])} here")
            continue
        for measure, value in values.items():
            result.value(f"{where} {topic}", measure, here[topic][measure], value)
    return result


def random_case(number):
    """Ties, scores that tie as 32-bit numbers only, negative and graded judgements, topics one side lacks, unjudged
    documents, empty lists, relevance levels, judged documents only."""
    chance = random.Random(f"{SEED}-{number}")
    # pytrec_eval may keep a topic's ranking while its name stays the same, so every case has names of its own.
    topics = dict.fromkeys(f"{chance.choice(['', 'q', '0', 'é'])}{chance.randrange(200)}.{number}"
                           for _ in range(chance.randint(1, 6)))
    pool = [f"d{chance.choice('abAB09éß')}{place}" for place in range(chance.randint(1, 60))]
    greatest = chance.choice([1, 1, 2, 3, 12])
    judged, ranked = {}, {}
    for topic in topics:
        documents = chance.sample(pool, chance.randint(0, len(pool)))
        judged[topic] = {docno: chance.choice([-1, 0, 0, 0, chance.randint(0, greatest)]) for docno in documents}
        if documents:
            # A topic with negative grades only makes pytrec_eval take leftovers, or go round for ever.
            judged[topic][documents[0]] = chance.randint(0, greatest)
        documents = chance.sample(pool + ["x1", "x2", "x3"], chance.randint(0, len(pool)))
        kinds = [1.0, 1.00000001, 0.5, -3e7, 16777217.0, 16777216, -1, 0, 0.1, chance.random(), chance.gauss(0, 1)]
        ranked[topic] = {docno: chance.choice(kinds) for docno in documents}
        if chance.random() < 0.3:
            ranked[topic] = dict(sorted(ranked[topic].items(), key=lambda pair: -pair[1]))
    names = list(judged)
    if len(names) > 1 and chance.random() < 0.4:
        del ranked[names[0]]
    if len(names) > 2 and chance.random() < 0.3:
        del judged[names[1]]
    items = list(ranked.items())
    chance.shuffle(items)
    measures = theirs.supported_measures | (set() if chance.random() < 0.5 else set(MORE))
    return compare(f"random case {number}", judged, dict(items), measures,
                   relevance_level=chance.choice([1, 1, 2, 3]), judged_docs_only_flag=chance.random() < 0.2)


def real_runs(quick):
    """Every real run that has each document once, with both tools' own readers."""
    folder = setting.data()
    for collection in setting.collections(folder) if folder else []:
        judged = {}
        for topic, _, docno, grade in setting.rows(collection.qrels):
            judged.setdefault(topic, {})[docno] = int(grade)
        result = Compared()
        for run in collection.runs[:3] if quick else collection.runs:
            ranked = {}
            for topic, _, docno, _, score, *_ in setting.rows(run):
                ranked.setdefault(topic, {}).setdefault(docno, float(score))
            try:
                result.add(compare(run.name, judged, ranked, theirs.supported_measures))
            except ValueError as error:
                # A name that is not UTF-8 is pytrec_eval's end; such a run is not compared, and said to be not.
                print(f"  not compared: {run.name}: {error}")
        yield collection.name, result


def readers():
    """parse_run and parse_qrel on the same lines."""
    result = Compared()
    run = ["1 Q0 a 1 2.5 t\n", "1\tQ0\tb 2 1e-3  t\n", " 2 Q0 a 1 -3 t", "2 Q0 é 7 inf t\n"]
    qrels = ["1 0 a 1\n", "1\t0 b  0\n", "2 0 a -1"]
    for name, lines in (("parse_run", run), ("parse_qrel", qrels)):
        result.runs += 1
        there, here = getattr(theirs, name)(lines), getattr(ours, name)(lines)
        if there != here or type(there) is not type(here):
            result.wrong.append(f"{name}: {there} there, {here} here")
    if theirs.supported_measures != ours.supported_measures or theirs.supported_nicknames != ours.supported_nicknames:
        result.wrong.append("the names of measures differ")
    return result


def main():
    quick = "--quick" in sys.argv
    rows = {"readers and names": readers(), "random": Compared()}
    for number in range(CASES):
        rows["random"].add(random_case(number))
    rows |= dict(real_runs(quick))
    everything = Compared()
    print(f"\n{'beside pytrec_eval, Python':<28}{'runs':>6}{'values':>10}{'last digits':>13}{'deviations':>12}"
          f"{'wrong':>7}")
    for name, result in rows.items():
        everything.add(result)
        print_row(name, result)
    print_row("all", everything)
    listed = ", ".join(f"{measure} ({count})" for measure, count in everything.distant.most_common(12))
    print(f"{len(everything.measures)} measures with their cut-offs; not equal to the last bit: {listed or 'none'}")
    for line in everything.wrong[:20]:
        print("  differs:", line)
    sys.exit(1 if everything.wrong else 0)


def print_row(name, result):
    print(f"{name:<28}{result.runs:>6}{result.values:>10}{result.near:>13}{result.deviations:>12}{len(result.wrong):>7}")


if __name__ == "__main__":
    main()
