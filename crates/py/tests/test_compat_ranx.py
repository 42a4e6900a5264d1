"""karat.compat.ranx: values worked out by hand, names, shapes; where ranx is installed its examples and random cases
in both."""
import random

import pytest

from karat.compat.ranx import evaluate, spec

QRELS = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
RUN = {
    "q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4},
    "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4},
}
METRICS = """
    hits hits@3 hit_rate@1 hit_rate precision precision@3 recall recall@3 f1 f1@3 r-precision mrr mrr@2 map map@3 dcg
    dcg@3 ndcg ndcg@3 dcg_burges@3 ndcg_burges ndcg@3-l2 map-l2 precision@3-l2 recall@3-l3
""".split()


def test_values_worked_out_by_hand():
    # q_1: hits at 1 and 3, AP = (1 + 2/3)/2 = 5/6; q_2: hits at 2 and 5, AP = (1/2 + 2/5)/2 = 9/20.
    assert evaluate(QRELS, RUN, "map") == pytest.approx((5 / 6 + 9 / 20) / 2, rel=1e-15)
    assert evaluate(QRELS, RUN, "mrr") == 0.75
    assert evaluate(QRELS, RUN, ["mrr", "hits@3"]) == {"mrr": 0.75, "hits@3": 1.5}
    # Hits of 2 and 1 in the first three: mean 1.5, each 0.5 away from it.
    assert evaluate(QRELS, RUN, "hits@3", return_std=True) == {"mean": 1.5, "std": 0.5}
    assert list(evaluate(QRELS, RUN, "mrr", return_mean=False)) == [1.0, 0.5]


def test_names():
    assert spec("ndcg@10") == "nDCG@10"
    assert spec("ndcg@10-l3") == "nDCG(gains={1:0,2:0})@10"
    assert spec("dcg_burges-l2") == "DCG(dcg=exp-log2,gains={1:0})"
    assert spec("rbp.95") == "RBP(p=0.95)"
    assert spec("rbp.95-l2") == "RBP(p=0.95,rel=2)"
    assert spec("f1@5-l2") == "F(rel=2)@5"
    for wrong in ("nonsense", "map@", "map@x", "rbp", "map-l0"):
        with pytest.raises(ValueError, match="metric|level"):
            spec(wrong)


def test_topics_must_be_the_same_unless_made_comparable():
    partly = {"q_1": RUN["q_1"], "other": RUN["q_2"]}
    with pytest.raises(AssertionError, match="'q_2'.*'other'"):
        evaluate(QRELS, partly, "mrr")
    assert evaluate(QRELS, partly, "mrr", make_comparable=True) == 0.5


def test_files_say_what_their_content_says(tmp_path):
    qrels, run = tmp_path / "qrels.trec", tmp_path / "run.trec"
    qrels.write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, of in QRELS.items() for doc, grade in of.items()))
    rows = [(topic, doc, score) for topic, of in RUN.items() for doc, score in of.items()]
    run.write_text("".join(f"{topic} Q0 {doc} 1 {score} tag\n" for topic, doc, score in rows))
    assert evaluate(qrels, str(run), METRICS) == evaluate(QRELS, RUN, METRICS)


def test_ranxs_own_examples_say_the_same_in_both():
    ranx = pytest.importorskip("ranx")
    qrels, run = ranx.Qrels(QRELS), ranx.Run(RUN)
    theirs = ranx.evaluate(qrels, run, METRICS)
    scores = {metric: dict(values) for metric, values in run.scores.items()}
    again = ranx.Run(RUN)
    assert evaluate(qrels, again, METRICS) == pytest.approx(theirs, rel=1e-12)
    for metric, values in scores.items():
        assert dict(again.scores[metric]) == pytest.approx(values, rel=1e-12)
    assert again.mean_scores == pytest.approx(run.mean_scores, rel=1e-12)


def test_random_cases_without_ties_are_equal():
    ranx = pytest.importorskip("ranx")
    for number in range(100):
        chance = random.Random(f"ranx-{number}")
        pool = [f"d{place}" for place in range(chance.randint(3, 40))]
        qrels, run = {}, {}
        for topic in (f"q{place}" for place in range(chance.randint(1, 12))):
            judged = chance.sample(pool, chance.randint(1, len(pool)))
            qrels[topic] = {doc: chance.choice([0, 1, 2, 3]) for doc in judged} | {judged[0]: 3}
            documents = chance.sample(pool + ["x1", "x2"], chance.randint(1, len(pool)))
            scores = chance.sample(range(1000), len(documents))
            run[topic] = {doc: score / 8 for doc, score in zip(documents, scores, strict=True)}
        ours = evaluate(qrels, run, METRICS, return_mean=False)
        theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), METRICS, return_mean=False)
        for metric in METRICS:
            assert list(ours[metric]) == pytest.approx(list(theirs[metric]), rel=1e-12, abs=1e-15), (number, metric)
