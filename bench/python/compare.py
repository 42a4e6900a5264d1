"""karat's Python drop-ins beside the tools they stand in for: the same inputs, the same measures, per-topic values.

    python bench/python/compare.py [--topics 200] [--depth 1000] [--judged 50] [--repeats 9] [--check]

Run it in an environment with karat's release wheel, pytrec_eval-terrier, ir_measures and ranx; a peer that is not
there is left out (and then --check cannot hold). Inputs are made from a seed, every way is gone once before (ranx
compiles, files come into memory), tools take turns, and the fastest of the repetitions is compared. Beside its ratio
stand that of the medians and that of the least processor times, which other work on the machine disturbs less.
"""
import argparse
import importlib.metadata
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

MEASURES = ["map", "recip_rank", "P_10", "ndcg_cut_10", "recall_100"]
IR_MEASURES = ["AP", "RR", "P@10", "nDCG@10", "R@100"]
RANX = ["map", "mrr", "precision@10", "ndcg@10", "recall@100"]

#: How many times as fast as each peer karat should be from dicts, and as all of them from files.
FROM_DICTS = {"pytrec_eval": 2, "ir_measures": 5, "ranx": 5}
FROM_FILES = 18


def collection(topics, depth, judged):
    """Documents numbered like passages, one score in 200 tied with the one before it, a third of the judgements
    relevant."""
    chance = random.Random(20261116)
    qrels, run = {}, {}
    for topic in range(topics):
        documents = [str(number) for number in chance.sample(range(8_841_823), depth)]
        score, scores = 35.0, {}
        for place, docno in enumerate(documents):
            score -= 0.0 if place % 200 == 199 else round(chance.random() * 0.05, 5) + 1e-5
            scores[docno] = round(score, 5)
        known = chance.sample(documents, min(judged, depth) // 2)
        others = [str(number) for number in chance.sample(range(9_000_000, 9_900_000), judged - len(known))]
        name = str(1_000_000 + topic)
        grades = ([0, 0, 1, 2][: 3 + place % 2] for place in range(judged))
        qrels[name] = {docno: chance.choice(own) for docno, own in zip(known + others, grades, strict=True)}
        run[name] = scores
    return qrels, run


def contestants(qrels, run, qrels_file, run_file):
    """(peer, input) -> the peer's way and karat's."""
    import karat
    import karat.compat.pytrec_eval as ours
    import karat.compat.ranx as our_ranx

    pairs = {}
    try:
        import pytrec_eval as theirs
    except ImportError:
        print("pytrec_eval is not installed: left out")
    else:
        evaluators = theirs.RelevanceEvaluator(qrels, MEASURES), ours.RelevanceEvaluator(qrels, MEASURES)
        pairs["pytrec_eval", "dicts"] = (
            lambda: theirs.RelevanceEvaluator(qrels, MEASURES).evaluate(run),
            lambda: ours.RelevanceEvaluator(qrels, MEASURES).evaluate(run),
        )
        pairs["pytrec_eval", "dicts, evaluator made before"] = (
            lambda: evaluators[0].evaluate(run), lambda: evaluators[1].evaluate(run))
        pairs["pytrec_eval", "dicts, all_trec"] = (
            lambda: theirs.RelevanceEvaluator(qrels, ["all_trec"]).evaluate(run),
            lambda: ours.RelevanceEvaluator(qrels, ["all_trec"]).evaluate(run),
        )
        # With all it says beside the values: bounds, intervals, notes.
        pairs["pytrec_eval", "dicts, by karat.evaluate"] = (
            lambda: theirs.RelevanceEvaluator(qrels, MEASURES).evaluate(run),
            lambda: by_topic(karat.evaluate(qrels, run, IR_MEASURES, by_query=True)),
        )

        def their_files():
            with open(qrels_file) as judged, open(run_file) as ranked:
                evaluator = theirs.RelevanceEvaluator(theirs.parse_qrel(judged), MEASURES)
                return evaluator.evaluate(theirs.parse_run(ranked))

        pairs["pytrec_eval", "files"] = (
            their_files, lambda: ours.RelevanceEvaluator(qrels_file, MEASURES).evaluate(run_file))
    try:
        import ir_measures
    except ImportError:
        print("ir_measures is not installed: left out")
    else:
        measures = [ir_measures.parse_measure(name) for name in IR_MEASURES]
        import karat.compat.ir_measures as provider

        def with_karat(work):
            def run_with():
                provider.install()
                try:
                    return list(work())
                finally:
                    provider.uninstall()
            return run_with

        provider.uninstall()
        pairs["ir_measures", "dicts"] = (
            lambda: list(ir_measures.iter_calc(measures, qrels, run)),
            with_karat(lambda: ir_measures.iter_calc(measures, qrels, run)),
        )
        pairs["ir_measures", "files"] = (
            lambda: list(ir_measures.iter_calc(
                measures, ir_measures.read_trec_qrels(qrels_file), ir_measures.read_trec_run(run_file))),
            with_karat(lambda: ir_measures.iter_calc(measures, pathlib.Path(qrels_file), pathlib.Path(run_file))),
        )
    try:
        import ranx
    except ImportError:
        print("ranx is not installed: left out")
    else:
        pairs["ranx", "dicts"] = (
            lambda: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), RANX, return_mean=False),
            lambda: our_ranx.evaluate(qrels, run, RANX, return_mean=False),
        )
        pairs["ranx", "files"] = (
            lambda: ranx.evaluate(ranx.Qrels.from_file(qrels_file, kind="trec"),
                                  ranx.Run.from_file(run_file, kind="trec"), RANX, return_mean=False),
            lambda: our_ranx.evaluate(qrels_file, run_file, RANX, return_mean=False),
        )
    return pairs


def by_topic(result):
    """An answer of karat's as pytrec_eval would have it."""
    names, answer = dict(zip(IR_MEASURES, MEASURES, strict=True)), {}
    for row in result.to_dict()["by_query"]:
        answer.setdefault(row["topic"], {})[names[row["measure"]]] = row["value"]
    return answer


def flat(answer, topics):
    """Every value, by topic and measure."""
    if isinstance(answer, list):
        return {(metric.query_id, str(metric.measure)): metric.value for metric in answer}
    if all(isinstance(column, dict) for column in answer.values()):
        return {(topic, name): value for topic, of in answer.items() for name, value in of.items()}
    return {(topic, name): float(value)
            for name, column in answer.items() for topic, value in zip(sorted(topics), column, strict=True)}


def timed(work):
    """Wall and processor seconds (of all threads)."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def version(name):
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"{name} not installed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("topics", 200), ("depth", 1000), ("judged", 50), ("repeats", 9)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--check", action="store_true", help="status 1 where a ratio is below its goal")
    asked = parser.parse_args()
    qrels, run = collection(asked.topics, asked.depth, asked.judged)
    print(", ".join(map(version, ("karat", "pytrec_eval-terrier", "ir_measures", "ranx", "numba", "numpy"))))
    with tempfile.TemporaryDirectory() as folder:
        qrels_file, run_file = os.path.join(folder, "qrels.txt"), os.path.join(folder, "run.txt")
        with open(qrels_file, "w") as out:
            out.writelines(f"{topic} 0 {docno} {grade}\n" for topic, of in qrels.items() for docno, grade in of.items())
        with open(run_file, "w") as out:
            out.writelines(f"{topic} Q0 {docno} {rank} {score} bench\n" for topic, of in run.items()
                           for rank, (docno, score) in enumerate(of.items(), 1))
        print(f"{asked.topics} topics x {asked.depth} documents ({os.path.getsize(run_file) / 1e6:.1f} MB), "
              f"{asked.judged} judged each; {len(MEASURES)} measures; best of {asked.repeats}; "
              f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; Python {sys.version.split()[0]}")
        print(f"{'peer':<13}{'from':<31}{'peer ms':>10}{'karat ms':>10}{'ratio':>8}{'median':>8}{'of cpu':>8}"
              f"{'goal':>6}  numbers")
        below = []
        pairs = contestants(qrels, run, qrels_file, run_file)
        for (peer, source), (theirs, ours) in pairs.items():
            there, here = flat(theirs(), qrels), flat(ours(), qrels)
            if there.keys() != here.keys():
                sys.exit(f"{peer}, {source}: not the same topics and measures")
            apart = max((abs(there[key] - here[key]) for key in there), default=0.0)
            columns = list(zip(*((*timed(theirs), *timed(ours)) for _ in range(asked.repeats)), strict=True))
            peer_s, peer_cpu, karat_s, karat_cpu = map(min, columns)
            middle = statistics.median(columns[0]) / statistics.median(columns[2])
            ratio, goal = peer_s / karat_s, FROM_FILES if source == "files" else FROM_DICTS[peer]
            if ratio < goal:
                below.append(f"{peer} from {source}: {ratio:.1f} times as fast, {goal} wanted")
            same = "equal" if apart == 0 else f"within {apart:.0e}"
            same = same if apart < 1e-12 else f"differ by up to {apart:.2g} (ties)"
            print(f"{peer:<13}{source:<31}{peer_s * 1000:>10.1f}{karat_s * 1000:>10.1f}{ratio:>8.1f}"
                  f"{middle:>8.1f}{peer_cpu / karat_cpu:>8.1f}{goal:>6}  {same}")
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    below += [f"{peer}: not installed" for peer in FROM_DICTS if not any(peer == other for other, _ in pairs)]
    if asked.check and below:
        sys.exit("below the goal: " + "; ".join(below))


if __name__ == "__main__":
    main()
