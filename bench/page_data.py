"""Runs and judgements for bench/page: systems of different skill over one pool, 100 documents a list, alike as real systems are.

A document's score in a run is its merit for the topic (shared by all systems) plus the system's own noise; the best of the runs' first
twenty documents are judged. Written once for a folder; everything follows from the sizes.
"""

import random
import sys
from pathlib import Path

folder, runs, topics = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
DEPTH, POOL, CANDIDATES = 100, 20, 1200
if (folder / "done").exists():
    sys.exit()
random.seed(1)
merit = {}
for topic in range(1, topics + 1):
    names = random.sample(range(10**6, 9 * 10**6), CANDIDATES)
    merit[topic] = [(name, random.gauss(0, 1)) for name in names]
pooled = {topic: {} for topic in merit}
for run in range(runs):
    noise = 0.5 + 1.0 * run / runs
    with open(folder / f"system{run:03}.run", "w") as out:
        for topic, documents in merit.items():
            scored = sorted(((value + random.gauss(0, noise), name, value) for name, value in documents), reverse=True)[:DEPTH]
            for rank, (score, name, value) in enumerate(scored, 1):
                out.write(f"{topic} Q0 {name} {rank} {score:.3f} system{run:03}\n")
                if rank <= POOL and run % 3 == 0:
                    pooled[topic][name] = value
with open(folder / "qrels.txt", "w") as out:
    for topic, documents in pooled.items():
        for name, value in documents.items():
            grade = 0 if value < 1.2 else 1 if value < 2.0 else 2
            out.write(f"{topic} 0 {name} {grade}\n")
(folder / "done").touch()
