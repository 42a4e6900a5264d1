#!/usr/bin/env python3
"""Is a score corrected for the judges' errors nearer to gold's? Real crowd labels with gold, through files.

    conformance/halves.py [HALVES]         (100 when not said)

TREC relevance feedback 2010: one label of a crowd worker for each document that has gold. Of random halves of the documents one calibrates
(`karat judges calibrate`), from the other each topic gets a list of up to 20 documents in random order, scored by bronze labels with and without
the calibration and by gold (`karat eval`). P@20 on two grades, CG@20 on three, and AP, which is not linear. Prints how far off each is and
how often the corrected one is nearer. Reads the data folder ($KARAT_DATA, else ../shared/data); without it it says so and does nothing.
The program is $KARAT, else the release build, else the debug build.
"""
import collections
import json
import lzma
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("KARAT_DATA", ROOT.parent / "shared" / "data"))


def program():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    given = [pathlib.Path(os.environ["KARAT"])] if "KARAT" in os.environ else []
    found = next((path for path in [*given, *(target / kind / "karat" for kind in ("release", "debug"))] if path.exists()), None)
    return str(found) if found else sys.exit(f"halves: no karat in {target}; build it: cargo build --release -p karat-cli")


def labels(file, chance):
    """{(topic, document): (gold, bronze)}: of several workers' labels one is drawn."""
    by_pair = collections.defaultdict(list)
    gold = {}
    with lzma.open(file, "rt") as lines:
        next(lines)
        for line in lines:
            topic, _, document, given, label = line.rstrip("\n").split("\t")
            if int(given) >= 0 and int(label) >= 0:
                gold[topic, document] = int(given)
                by_pair[topic, document].append(int(label))
    return {pair: (gold[pair], chance.choice(of)) for pair, of in sorted(by_pair.items())}


def karat(*arguments):
    done = subprocess.run([KARAT, *arguments, "-f", "json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"halves: karat {' '.join(arguments)}: {done.stderr}")
    return json.loads(done.stdout)


def half(pairs, chance, grades, measure, folder):
    """Scores of a half: by bronze, corrected, by gold; the condition number; whether karat warned of harm."""
    cut = (lambda grade: min(grade, 1)) if grades == 2 else (lambda grade: grade)
    train, test = [], collections.defaultdict(list)
    for pair in pairs:
        train.append(pair) if chance.random() < 0.5 else test[pair[0]].append(pair[1])
    lists = {topic: chance.sample(documents, min(20, len(documents))) for topic, documents in test.items() if len(documents) >= 5}

    def qrels(name, of, place):
        (folder / name).write_text("".join(f"{t} 0 {d} {cut(pairs[t, d][place])}\n" for t, d in of))
        return str(folder / name)

    scored = [(topic, document) for topic, documents in lists.items() for document in documents]
    run = folder / "list.run"
    run.write_text("".join(f"{t} Q0 {d} {r} {100 - r} list\n" for t, of in lists.items() for r, d in enumerate(of, 1)))
    calibration = str(folder / "judges.json")
    scale = ["--scale", ",".join(map(str, range(grades)))]
    done = subprocess.run([KARAT, "judges", "calibrate", "--bronze", qrels("bronze-half.qrels", train, 1), "--gold",
                           qrels("gold-half.qrels", train, 0), *scale, "--sampling", "random", "-o", calibration], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"halves: {done.stderr}")
    found = json.loads(pathlib.Path(calibration).read_text())
    bronze = qrels("bronze.qrels", scored, 1)
    more = ["--max-grade", str(grades - 1)]
    naive = karat("eval", bronze, str(run), "-m", measure, *more)["scores"][0]["value"]
    answer = karat("eval", bronze, str(run), "-m", measure, "--calibration", calibration, "--draws", "40", *more)
    gold = karat("eval", qrels("gold.qrels", scored, 0), str(run), "-m", measure, *more)["scores"][0]["value"]
    warned = any("correcting does harm" in note for note in answer["notes"])
    return naive, answer["scores"][0]["value"], gold, found["condition"], warned


def main():
    file = DATA / "judges_trec_rf10_crowd" / "trec-rf10-data.txt.xz"
    if not file.exists():
        print(f"halves: !! {file} is not there: nothing was checked")
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    pairs = labels(file, random.Random(6))
    print(f"{len(pairs)} documents with gold in {len({topic for topic, _ in pairs})} topics, {count} random halves")
    for name, grades, measure in [("two grades", 2, "P@20"), ("three grades", 3, "CG@20"), ("two grades", 2, "AP")]:
        with tempfile.TemporaryDirectory() as folder:
            chance = random.Random(7)
            done = [half(pairs, chance, grades, measure, pathlib.Path(folder)) for _ in range(count)]
        off = [sum(abs(row[place] - row[2]) for row in done) / count for place in (0, 1)]
        nearer = sum(abs(row[1] - row[2]) < abs(row[0] - row[2]) for row in done) / count
        condition = sorted(row[3] for row in done)[count // 2]
        print(f"{measure}, {name}: mean error {off[0]:.4f} by bronze labels, {off[1]:.4f} corrected; nearer in {100 * nearer:.0f}% of halves; "
              f"condition number {condition:.1f}; karat warned of harm in {100 * sum(row[4] for row in done) / count:.0f}%", flush=True)


KARAT = program()
if __name__ == "__main__":
    main()
