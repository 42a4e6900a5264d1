"""Ctrl-C ends the call, and the work with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")

#: Work that would last for minutes or hours, one for each way in which karat spends time. `qrels`, `one` and `two` are files of the demo;
#: `large` is a run of many topics in each way of reading.
LONG = {
    "permutations": "karat.compare(qrels, one, two, measures='AP', test='randomization', permutations=10**9)",
    "bootstrap tests": "karat.compare(qrels, one, two, measures='AP', test='bootstrap_t', permutations=10**9)",
    "max-T": "karat.compare(qrels, one, two, three, measures='AP', all_pairs=True, permutations=10**9)",
    "Tukey": "karat.compare(qrels, one, two, three, measures='AP', all_pairs=True, correction='tukey', permutations=10**9)",
    "bootstrap": "karat.evaluate(qrels, one, 'AP', interval='bca', resamples=10**8)",
    "unjudged documents": "karat.evaluate(qrels, one, 'AP', unjudged='fit', draws=10**5)",
    "sensitivity": "karat.compare(qrels, one, two, measures='AP', sensitivity=True, unjudged='fit', draws=10**5)",
    "budget": "karat.budget(qrels, one, measures='AP', unjudged='fit', draws=10**5)",
    "report": "karat.report(qrels, one, two, unjudged='fit', draws=10**5, output=folder / 'page.html')",
    "tune": "karat.tune(qrels, one, two, measures='AP', folds=5, repeats=10**4, unjudged='fit', draws=10**5, log=folder / 'looks')",
    "judges, simulated": "karat.simulate.judges(runs=10**7, queries=10**3)",
    "rankings, simulated": "karat.simulate.ranking(replications=10**7)",
    "correction": "karat.judges.correct(score=0.6, sd=0.4, n=1000, relevant='43/59', nonrelevant='67/84', resamples=10**7)",
    "merging": "karat.judges.merge(demo / 'labels.csv', rule='dawid_skene', starts=1000, rounds=10**6)",
    "agreement": "karat.judges.agree(demo / 'labels.csv', resamples=10**6)",
    "papers": "karat.reproduce('all')",
    "replay": "karat.next(qrels, one, two, three, replay=True, repetitions=10**4)",
    "rows": "karat.evaluate({'t0': {'d0': 1}}, rows, 'AP')",
    "lines": "karat.evaluate({'t0': {'d0': 1}}, lines, 'AP')",
    "lines, not together": "karat.evaluate({'t0': {'d0': 1}}, scattered, 'AP')",
    "columns": "karat.evaluate({'t0': {'d0': 1}}, columns, 'AP')",
    "check": "karat.check(lines)",
    "conversion": "karat.convert(lines, output=folder / 'out.csv')",
}

SCRIPT = """
    import json, os, pathlib, signal, sys, threading, time, karat
    demo, folder = map(pathlib.Path, sys.argv[1:3])
    qrels, one, two, three = (demo / name for name in ("qrels.txt", "newcomer.run", "baseline.run", "fusion.run"))
    lines, scattered, columns = (folder / name for name in ("lines.run", "scattered.run", "columns.csv"))
    rows = [(f"t{row // 100}", f"d{row % 100}", 1.0 - row % 100 / 100) for row in range(400_000)]
    for name, call in json.loads(sys.argv[3]).items():
        # Compiled first: where eval has to do it, Python takes the exception for one that nobody caught, and exits by a signal.
        work = compile(call, name, "eval")
        # In the middle of the work, and not before it. Reading may be over by then: on a fast machine the signal must come sooner.
        wait, ended = float(sys.argv[4]), "done"
        while ended == "done" and wait > 0.001:
            timer = threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT))
            began = time.monotonic()
            over = False
            try:
                timer.start()
                eval(work)
                over = True
                timer.cancel()
                timer.join()
            except KeyboardInterrupt:
                ended = "done" if over else "interrupted"
            took = time.monotonic() - began - wait
            wait /= 2
        time.sleep(0.5)
        before = time.process_time()
        time.sleep(0.3)
        print(json.dumps([name, ended, took, time.process_time() - before]), flush=True)
"""


def interrupted(demo: Path, folder: Path, long: dict[str, str], wait: float) -> list[tuple[str, str, float, float]]:
    """Each piece of work, how it ended, how long after the signal, and the processor time that went on half a second later."""
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), str(demo), str(folder), json.dumps(long), str(wait)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    # A stop is no panic: nothing is said of it.
    assert done.stderr == ""
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that take seconds to read."""
    folder = tmp_path_factory.mktemp("large")
    topics, documents = 40_000, 100
    with (folder / "lines.run").open("w") as lines, (folder / "scattered.run").open("w") as scattered:
        for topic in range(topics):
            lines.write("".join(f"t{topic} Q0 d{place} {place} {documents - place} r\n" for place in range(documents)))
        for place in range(documents):
            scattered.write("".join(f"t{topic} Q0 d{place} {place} {documents - place} r\n" for topic in range(topics)))
    with (folder / "columns.csv").open("w") as columns:
        columns.write("query_id,doc_id,score\n")
        for topic in range(topics):
            columns.write("".join(f"t{topic},d{place},{documents - place}\n" for place in range(documents)))
    return folder


def test_the_work_ends_too(demo: Path, large: Path) -> None:
    names = {path.name for path in large.iterdir()}
    found = interrupted(demo, large, LONG, 0.3)
    assert [name for name, *_ in found] == list(LONG)
    for name, ended, took, more in found:
        assert ended == "interrupted", f"{name} was done before the signal came: {took}"
        assert took < 5.0, f"{name}: {took} s"
        assert more < 0.1, f"{name}: threads went on for {more} s of processor time"
    # Nothing half written.
    assert {path.name for path in large.iterdir()} == names
