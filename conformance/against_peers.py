"""karat beside ir_measures, ranx, elinor and cwl_eval, on real runs and on random ones made for trouble.

For every measure: how many values (by topic and over all topics), how many are equal as karat does things, how many are
equal when karat is given the peer's own choices (rules.py), the worst difference left, and what made the others. All
must be equal by the peer's choices; a difference nothing explains fails.

    against_peers.py [--quick | --full] [--only TOOL,...] [--run TEXT]

--full takes every run; --run those whose name has the text in it.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import peers
import rules
import setting

SEED = 20261116
# Runs worth a look: ties, scores that tie as 32 bits only, short lists, missing topics, ranks against scores.
SAMPLE = {"TREC-COVID round 1": ("BERT", "sheikh_bm25_all"),
          "TREC-COVID round 3": ("l2r",),
          "DL19 passage": ("test1", "TUA1-1", "ICT-CKNRM_B"),
          "Web 2012": ("ql.catb-filtered",),
          "trec_eval qrels.test": ("results.test",)}
FULL = set(SAMPLE) | {"Haystack", "trec_eval qrels.rel_level", "TREC-COVID 1, 20 %"}
# cwl_eval's AP takes time that grows with the square of the list.
SLOW = {"binary:AP"}
SLOW_LIMIT = 3000


class Tally:
    """What one measure of one peer came to; adds up."""

    def __init__(self, ours=""):
        self.ours = ours
        self.values = self.equal = self.by_rule = 0
        self.worst = 0.0
        self.causes = Counter()
        self.unexplained = []

    def add(self, other):
        self.ours = self.ours or other.ours
        self.values += other.values
        self.equal += other.equal
        self.by_rule += other.by_rule
        self.worst = max(self.worst, other.worst)
        self.causes += other.causes
        self.unexplained += other.unexplained


class Karat:
    """karat asked about one run, in all the ways the rows want."""

    def __init__(self, qrels, run, judged, ranked, folder):
        self.qrels, self.run, self.judged, self.ranked = qrels, run, judged, ranked
        self.folder = pathlib.Path(folder)
        self.wanted, self.found = {}, {}
        self.peer_order = {}

    def want(self, request, specs):
        self.wanted.setdefault(request, {}).update(dict.fromkeys(specs))

    def ask(self):
        for request, specs in self.wanted.items():
            order, qrels, flags = request
            arguments = [text for spec in specs for text in ("-m", spec)]
            answer = json.loads(setting.karat("eval", "-q", "-f", "json", *flags, *arguments, self._qrels(qrels),
                                              self.run_in(order)))
            cells = {}
            for row in answer["scores"]:
                cells[row["measure"], "all"] = row
            for row in answer["by_query"]:
                cells[row["measure"], row["topic"]] = row
            self.found[request] = {(spec, topic): cells[known(spec)[0], topic]
                                   for spec in specs for measure, topic in cells if measure == known(spec)[0]}

    def run_in(self, order):
        if order is None:
            return self.run
        path = self.folder / order
        if not path.exists():
            lists = {}
            for topic, docno, score in self.ranked.rows:
                lists.setdefault(topic, []).append((docno, score))
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
                for topic, documents in lists.items():
                    if order == "docno-up":
                        documents.sort(key=lambda pair: (-pair[1], pair[0].encode("utf-8", "surrogateescape")))
                    elif order == "file":
                        documents.sort(key=lambda pair: -pair[1])
                    elif order == "peer" and topic in self.peer_order:
                        documents = [(docno, None) for docno in self.peer_order[topic]]
                    for place, (docno, _) in enumerate(documents):
                        out.write(f"{topic} Q0 {docno} 0 {len(documents) - place} t\n")
        return path

    def _qrels(self, change):
        if change is None:
            return self.qrels
        path = self.folder / change
        if not path.exists():
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
                for topic, iteration, docno, grade in self.judged.rows:
                    out.write(f"{topic} {iteration} {docno} {max(grade, 0)}\n")
        return path


_known = {}


def known(spec):
    """How karat prints this measure, and why it cannot when it cannot."""
    if spec not in _known:
        with tempfile.TemporaryDirectory() as folder:
            qrels, run = pathlib.Path(folder, "q"), pathlib.Path(folder, "r")
            run.write_text("1 Q0 d 1 1 t\n")
            # Measures over subtopics want judgements that have some.
            for judgements in ("1 0 d 1\n", "1 1 d 1\n1 2 d 1\n"):
                qrels.write_text(judgements)
                done = subprocess.run([setting.program(), "eval", "-f", "json", "-m", spec, qrels, run],
                                      capture_output=True, text=True)
                if done.returncode == 0 or "subtopic" not in done.stderr:
                    break
        if done.returncode == 0:
            _known[spec] = (json.loads(done.stdout)["scores"][0]["measure"], None)
        else:
            _known[spec] = (None, done.stderr.strip().splitlines()[0])
    return _known[spec]


class Asked:
    """One row's values by any of its choices."""

    def __init__(self, row, karat):
        self.row, self.karat = row, karat
        self.parts = [*row.choices, *filter(None, (row.spec_cause, row.after_cause))]
        for part in [(), *((one,) for one in self.parts), tuple(self.parts)]:
            karat.want(self.request(part), (row.ours, *([row.spec] if row.spec else []), *row.needs))

    def request(self, parts):
        order = qrels = None
        flags = self.row.flags
        for part in parts:
            choice = rules.CHOICES.get(part, {})
            order = choice.get("order", order)
            qrels = choice.get("qrels", qrels)
            flags += choice.get("flags", ())
        return order, qrels, flags

    def value(self, parts, topic):
        """The row's value for a topic by these choices; None where karat has none."""
        row, cells = self.row, self.karat.found[self.request(parts)]
        if row.after_cause and row.after_cause in parts:
            if topic == "all":
                topics = [at for measure, at in cells if measure == row.ours and at != "all"]
                return sum(self.value(parts, at) for at in topics) / len(topics)
            return row.after({measure: cells[measure, topic] for measure in (row.ours, *row.needs)})
        spec = row.spec if row.spec_cause and row.spec_cause in parts else row.ours
        cell = cells.get((spec, topic))
        if cell is None or cell["value"] is None:
            return None
        return rules.residual(cell) if row.field == "residual" else cell["value"]


def compare(where, row, asked, theirs, untied):
    tally = Tally(row.ours)
    every = tuple(asked.parts)
    lost = lost_topics(row, asked, every)
    for (spec, topic), value in theirs.items():
        if spec != row.theirs or (topic == "all" and not row.all_topics):
            continue
        tally.values += 1
        ours, ruled = asked.value((), topic), asked.value(every, topic)
        if math.isnan(value):
            if row.nan and ours is not None and math.isfinite(ours):
                tally.by_rule += 1
                tally.causes[row.nan] += 1
            else:
                tally.unexplained.append(f"{where} {topic} {spec}: no number there, {ours} here")
            continue
        if topic in lost and value == 0:
            tally.by_rule += 1
            tally.equal += ours == 0
            tally.causes[row.lost] += ours != 0
            continue
        if lost and topic == "all":
            topics = [at for measure, at in theirs if measure == spec and at != "all"]
            ruled = sum(0 if at in lost else asked.value(every, at) for at in topics) / len(topics)
        if row.undefined and topic == "all" and not row.sums:
            topics = [at for measure, at in theirs if measure == spec and at != "all"]
            ruled = sum(asked.value(every, at) or 0 for at in topics) / len(topics)
        if ruled is None and row.undefined and value == 0:
            tally.by_rule += 1
            tally.causes[row.undefined] += 1
            continue
        if ruled is None:
            tally.unexplained.append(f"{where} {topic} {spec}: {value!r} there, nothing here")
            continue
        if ours is not None and peers.same(ours, value, row.decimals):
            tally.equal += 1
        if not row.untied or not peers.same(ruled, untied[spec, topic]):
            tally.worst = max(tally.worst, abs(ruled - value))
        if peers.same(ruled, value, row.decimals):
            tally.by_rule += 1
            if ours is None or not peers.same(ours, value, row.decimals):
                alone = next((part for part in asked.parts
                              if (one := asked.value((part,), topic)) is not None
                              and peers.same(one, value, row.decimals)), None)
                tally.causes[alone or (row.lost if lost else " + ".join(every)) or row.undefined] += 1
        elif row.untied and peers.same(ruled, untied[spec, topic]):
            tally.by_rule += 1
            tally.causes[row.untied[0]] += 1
        else:
            tally.unexplained.append(f"{where} {topic} {spec}: {value!r} there, {ruled!r} here by its rule, {ours!r} as is")
    if row.undefined and tally.values and tally.equal + sum(tally.causes.values()) < tally.by_rule:
        tally.causes[row.undefined] += tally.by_rule - tally.equal - sum(tally.causes.values())
    return tally


def lost_topics(row, asked, parts):
    """ranx stops at the first topic without relevant documents, in byte order, and leaves the rest at 0."""
    if not row.lost:
        return set()
    cells = asked.karat.found[asked.request(parts)]
    topics = sorted(topic for measure, topic in cells if measure == row.needs[0] and topic != "all")
    first = next((place for place, topic in enumerate(topics) if cells[row.needs[0], topic]["value"] == 0), len(topics))
    return set(topics[first:])


_peers = {}
_judged = {}


def task(work):
    """One run beside one peer."""
    tool, collection, qrels, run, subtopics = work
    if tool not in _peers:
        _peers[tool] = peers.available({tool})[0][tool]
    judged = _judged.get(qrels) or _judged.setdefault(qrels, peers.Judged.read(qrels))
    ranked = peers.Ranked.read(run)
    if ranked.has_duplicates():
        return tool, collection, None, f"{run.name}: a document comes twice"
    table = rules.DIVERSITY if subtopics else rules.TABLES[tool](judged.largest())
    rows = [row for row in table if not (row.theirs in SLOW and len(ranked.rows) > SLOW_LIMIT)
            and all(known(spec)[0] for spec in (row.ours, row.spec, *row.needs) if spec)]
    theirs = _peers[tool].evaluate(judged, ranked, [row.theirs for row in rows])
    with tempfile.TemporaryDirectory() as folder:
        karat = Karat(qrels, run, judged, ranked, folder)
        karat.peer_order = getattr(_peers[tool], "order", {})
        asked = [Asked(row, karat) for row in rows]
        karat.ask()
        untied = {}
        for order in {row.untied[1] for row in rows if row.untied}:
            specs = [row.theirs for row in rows if row.untied and row.untied[1] == order]
            untied.update(_peers[tool].evaluate(judged, peers.Ranked.read(karat.run_in(order)), specs))
        results = {}
        for row, one in zip(rows, asked):
            key = row.theirs.replace(f"max_rel={judged.largest()}", "max_rel=g")
            results[key] = compare(f"{collection} {run.name}", row, one, theirs, untied)
    return tool, collection, results, None


def random_collection(number, folder):
    """Forty topics with ties, negative and graded judgements, short lists, missing topics, lines out of order."""
    chance = random.Random(f"{SEED}-{number}")
    largest = chance.choice([1, 2, 3, 4])
    qrels, run = folder / f"random{number}.qrels", folder / f"random{number}.run"
    with open(qrels, "w") as judgements, open(run, "w") as lines:
        for topic in range(1, 41):
            pool = [f"d{chance.choice('abAB09')}{place}" for place in range(chance.randint(2, 60))]
            for docno in chance.sample(pool, chance.randint(1, len(pool))):
                grade = chance.choice([-1, 0, 0, 0, chance.randint(0, largest), chance.randint(0, largest)])
                judgements.write(f"{topic} 0 {docno} {grade}\n")
            if chance.random() < 0.1:
                continue
            for docno in chance.sample(pool + ["x1", "x2", "x3"], chance.randint(1, len(pool))):
                score = chance.choice([1.0, 1.00000001, 0.5, 16777217.0, 16777216.0, 0.1, chance.random()])
                lines.write(f"{topic} Q0 {docno} 0 {score!r} t\n")
        # One topic in good order at the end, so that both files hold at least one.
        judgements.write(f"99 0 a {largest}\n99 0 b 0\n")
        lines.write("99 Q0 a 0 2 t\n99 Q0 b 0 1 t\n")
    return setting.Collection("random", qrels, [run])


def tasks(tools, quick, full, name):
    """(tool, collection, qrels, run, subtopics?) for all there is to do."""
    scratch = setting.SCRATCH / "conformance"
    scratch.mkdir(parents=True, exist_ok=True)
    chosen = [random_collection(number, scratch) for number in range(20 if full else 6)]
    diversity = None
    folder = setting.data()
    if folder:
        for collection in setting.collections(folder):
            wanted = SAMPLE.get(collection.name, ())
            if full and collection.name in FULL:
                chosen.append(collection)
            elif wanted:
                collection.runs = [run for run in collection.runs if run.name in wanted][:1 if quick else None]
                chosen.append(collection)
        runs = sorted(path for path in (folder / "web_diversity/runs2012").iterdir() if path.suffix != ".csv")
        diversity = setting.Collection("Web 2012, subtopics", folder / "web_diversity/2012_qrels-for-ndeval.txt",
                                       runs if full else [run for run in runs if run.name.endswith("filtered")])
    work = [(tool, collection.name, collection.qrels, run, False) for tool in tools for collection in chosen
            for run in collection.runs]
    if diversity and "ir_measures" in tools:
        work += [("ir_measures", diversity.name, diversity.qrels, run, True) for run in diversity.runs]
    return [one for one in work if not name or name in one[3].name]


def lacking(found):
    """Rows karat cannot be asked yet, by tool, with its own words; and measures no row knows."""
    absent = {}
    for tool in found:
        for row in [*rules.TABLES[tool](3), *(rules.DIVERSITY if tool == "ir_measures" else [])]:
            for spec in filter(None, (row.ours, row.spec, *row.needs)):
                if known(spec)[1]:
                    absent.setdefault(tool, {})[row.theirs] = known(spec)[1]
    unlisted = []
    if "ir_measures" in found:
        listed = {row.theirs.partition("(")[0].partition("@")[0] for row in [*rules.ir_measures(3), *rules.DIVERSITY]}
        unlisted = sorted(found["ir_measures"].registered() - listed - set(rules.OTHER_MEASURE) - set(rules.ALIASES))
    return absent, unlisted


def main():
    os.environ.setdefault("NUMBA_NUM_THREADS", "1")
    quick, full = "--quick" in sys.argv, "--full" in sys.argv
    option = lambda name: sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None
    only = option("--only")
    found, missing = peers.available(only.split(",") if only else None)
    absent, unlisted = lacking(found)
    work = tasks(list(found), quick, full, option("--run"))
    tallies, skipped, runs = {}, [], Counter()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for tool, collection, results, problem in pool.map(task, work):
            if problem:
                skipped.append(f"{tool}: {collection} {problem}")
                continue
            runs[tool] += 1
            for measure, tally in results.items():
                tallies.setdefault((tool, measure), Tally()).add(tally)
    sys.exit(show(found, missing, absent, unlisted, tallies, skipped, runs))


def show(found, missing, absent, unlisted, tallies, skipped, runs):
    failures = []
    for tool, peer in found.items():
        print(f"\n{'beside ' + tool + ' ' + peer.version:<34}{'karat':<30}{'values':>8}{'equal':>8}{'by its rule':>12}"
              f"{'worst':>9}  what made the others")
        whole = Tally()
        for (other, measure), tally in tallies.items():
            if other != tool:
                continue
            whole.add(tally)
            causes = ", ".join(f"{cause} {count}" for cause, count in tally.causes.most_common() if count)
            print(f"{measure:<34}{tally.ours:<30}{tally.values:>8}{tally.equal:>8}{tally.by_rule:>12}{tally.worst:>9.0e}"
                  f"  {causes}")
            failures += tally.unexplained
        print(f"{'all, ' + str(runs[tool]) + ' runs':<64}{whole.values:>8}{whole.equal:>8}{whole.by_rule:>12}"
              f"{whole.worst:>9.0e}")
        for measure, reason in absent.get(tool, {}).items():
            print(f"  not in karat yet: {measure} ({reason})")
    for measure, reason in rules.OTHER_MEASURE.items():
        print(f"  another measure of that name: ir_measures' {measure}: {reason}")
    named = {part for tally in tallies.values() for cause in tally.causes for part in cause.split(" + ")}
    print("\nwhat made values differ")
    for cause in sorted(named):
        row = rules.CAUSES.get(cause)
        if row is None:
            failures.append(f"the cause {cause} is not in rules.CAUSES")
            continue
        print(f"  {cause}: {row.tool}: {row.what}\n    right: {row.right}\n    example: {row.example}")
    for line in skipped:
        print("  left out:", line)
    for name in unlisted:
        failures.append(f"ir_measures has {name}, which no row of rules.py names")
    for line in failures[:40]:
        print("  differs:", line)
    if len(failures) > 40:
        print(f"  ... and {len(failures) - 40} more")
    if missing:
        print(f"  !! NOT COMPARED, could not be had: {', '.join(missing)}")
    return 1 if failures else 0


if __name__ == "__main__":
    main()
