"""karat as a provider of ir_measures: one answer for one run, what falls through, shapes of answers, and random cases
without ties beside the providers that would answer otherwise."""
import importlib.util
import math
import random

import pytest

ir_measures = pytest.importorskip("ir_measures")

from ir_measures import AP, P, R, RBP, RR, Judged, NumQ, NumRel, SetRelP, nDCG  # noqa: E402

import karat  # noqa: E402
import karat.compat.ir_measures as provider  # noqa: E402

QRELS = {"0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}, "1": {"D0": 1, "D3": 2, "D5": 2}}
RUN = {
    "0": {"D0": 0.8, "D2": 0.7, "D1": 0.3, "D3": 0.4, "D4": 0.1},
    "1": {"D1": 0.8, "D3": 0.7, "D4": 0.3, "D2": 0.4},
}

# Every measure for which the other providers and karat mean the same.
SHARED = """
    P@1 P@5 P(rel=2)@10 R@5 R(rel=2)@10 AP AP@5 AP(rel=2) RR RR(rel=2) RR@5 RR(rel=2)@10 Rprec Rprec(rel=2) nDCG
    nDCG@5 nDCG(gains={1:2,2:5})@10 Bpref Bpref(rel=2) infAP Success@1 Success(rel=2)@5 SetP SetR SetF SetAP
    SetP(rel=2) SetRelP NumRet NumRet(rel=2) NumRel NumQ P(judged_only=True)@5 AP(judged_only=True)
    nDCG(judged_only=True)@5 IPrec@0.0 IPrec@1.0 Judged@5 Judged
""".split()
CWL = """
    RBP(rel=1) RBP(p=0.5,rel=2) SDCG(max_rel=3)@5 NERR8(max_rel=3)@5 NERR9(max_rel=3)@5 NERR10(p=0.9,max_rel=3)
    BPM(T=1.0,max_rel=3)@5
""".split()
DIVERSITY = "alpha_nDCG@5 alpha_DCG@5 ERR_IA@5 nERR_IA@5 NRBP nNRBP AP_IA P_IA@5 StRecall@5".split()


@pytest.fixture(autouse=True)
def installed():
    provider.install()
    yield
    provider.uninstall()


def test_one_run_has_one_answer():
    qrels, run = {"1": {"a": 1, "b": 0, "c": 0}}, {"1": {"b": 1.0, "a": 1.0, "c": 1.0}}
    # Tied documents go by name downwards: c, b, a.
    assert ir_measures.calc_aggregate([RR, RR @ 10], qrels, run) == {RR: 1 / 3, RR @ 10: 1 / 3}
    provider.uninstall()
    assert ir_measures.calc_aggregate([RR, RR @ 10], qrels, run)[RR @ 10] == 1.0


def test_documented_examples_say_the_same_in_both():
    measures = [nDCG @ 10, P @ 5, P(rel=2) @ 5, Judged @ 10]
    rows = [ir_measures.Qrel(topic, doc, grade) for topic, of in QRELS.items() for doc, grade in of.items()]
    scored = [ir_measures.ScoredDoc(topic, doc, score) for topic, of in RUN.items() for doc, score in of.items()]
    answers = []
    for put in (provider.install, provider.uninstall):
        put()
        for qrels, run in ((QRELS, RUN), (rows, scored), (iter(rows), iter(scored))):
            evaluator = ir_measures.evaluator(measures, qrels)
            aggregated, metrics = evaluator.calc(run)
            answers.append((aggregated, {(m.query_id, m.measure): m.value for m in metrics}))
    for aggregated, by_query in answers[1:]:
        assert aggregated == pytest.approx(answers[0][0], rel=1e-15)
        assert by_query == pytest.approx(answers[0][1], rel=1e-15)


def test_shapes_of_answers():
    metric = next(iter(AP.iter_calc(QRELS, RUN)))
    assert isinstance(metric, ir_measures.Metric) and metric.query_id == "0" and metric.measure == AP
    assert AP.calc_aggregate(QRELS, RUN) == pytest.approx(ir_measures.calc([AP], QRELS, RUN).aggregated[AP])
    assert "karat" in ir_measures.providers.registry
    assert list(ir_measures.iter_calc([AP], {}, RUN)) == []


def test_topics_that_the_run_lacks_are_counted():
    run = {"0": RUN["0"]}
    # NumRel: D1, D2, D3 of topic 0, D0, D3, D5 of topic 1; P@5 of topic 0 is 3/5.
    assert ir_measures.calc_aggregate([NumRel, NumQ, P @ 5], QRELS, run) == {NumRel: 6.0, NumQ: 2.0, P @ 5: 0.3}


def test_what_karat_does_not_have_falls_through():
    accuracy = ir_measures.Accuracy
    assert provider.spec(accuracy) is None
    both = ir_measures.calc_aggregate([accuracy, AP], QRELS, RUN)
    provider.uninstall()
    assert both == pytest.approx(ir_measures.calc_aggregate([accuracy, AP], QRELS, RUN))
    mine = ir_measures.define_byquery(lambda qrels, run: 0.25, name="AP2")
    provider.install()
    assert ir_measures.calc_aggregate([mine, R @ 5], QRELS, RUN)[mine] == 0.25
    with pytest.raises(ValueError, match="Accuracy"):
        ir_measures.providers.registry["karat"].evaluator([accuracy], QRELS)


def test_measures_as_karat_writes_them():
    assert provider.spec(nDCG(gains={2: 5, 1: 3}) @ 10) == "nDCG(gains={1:3,2:5})@10"
    assert provider.spec(nDCG(dcg="exp-log2")) == "nDCG(dcg=exp-log2)"
    assert provider.spec(AP(judged_only=True, rel=2) @ 5) == "AP(rel=2)@5"
    assert provider.spec(SetRelP) == "SetRelativeP"
    assert provider.spec(RBP(p=0.5, rel=1)) in ("RBP(p=0.5,rel=1)", "RBP(rel=1,p=0.5)")
    assert provider.spec(RBP(p=0.5)) == "RBP(p=0.5,gain=linear)"


def collection(number, subtopics=False):
    """Small, graded, with unjudged documents, and no two scores alike."""
    chance = random.Random(f"ir_measures-{number}")
    pool = [f"d{place}" for place in range(chance.randint(3, 30))]
    rows, run = [], {}
    for topic in (str(number * 10 + place) for place in range(chance.randint(1, 4))):
        for doc in chance.sample(pool, chance.randint(2, len(pool))):
            for subtopic in chance.sample("123", chance.randint(1, 3)) if subtopics else "0":
                grade = chance.choice([0, 0, 1, 1, 1] if subtopics else [0, 0, 1, 2, 3])
                rows.append(ir_measures.Qrel(topic, doc, grade, subtopic))
        documents = chance.sample(pool + ["x1", "x2"], chance.randint(2, len(pool)))
        scores = chance.sample(range(1000), len(documents))
        run[topic] = {doc: score / 8 for doc, score in zip(documents, scores, strict=True)}
    return rows, run


@pytest.mark.parametrize(
    ("texts", "peer", "subtopics"),
    [(SHARED, "pytrec_eval", False), (CWL, "cwl_eval", False), (DIVERSITY, "pyndeval", True)],
)
def test_random_cases_without_ties_are_equal(texts, peer, subtopics):
    if importlib.util.find_spec({"cwl_eval": "cwl"}.get(peer, peer)) is None:
        pytest.skip(f"{peer} is not installed")
    measures = [ir_measures.parse_measure(text) for text in texts]
    for number in range(60):
        qrels, run = collection(number, subtopics)
        provider.install()
        assert all(ir_measures.providers.registry["karat"].supports(measure) for measure in measures)
        ours = {(m.query_id, repr(m.measure)): m.value for m in ir_measures.iter_calc(measures, qrels, run)}
        provider.uninstall()
        # One by one: some providers confuse measures that are asked for together.
        for measure in measures:
            for metric in ir_measures.iter_calc([measure], qrels, run):
                key = (metric.query_id, repr(measure))
                # nNRBP of a topic without relevant documents is no number there.
                expected = 0.0 if math.isnan(metric.value) else metric.value
                assert ours[key] == pytest.approx(expected, rel=1e-9, abs=1e-9), (number, key)


def test_measures_as_objects():
    qrels, run = {"q1": {"a": 2, "b": 1}}, {"q1": {"b": 2.0, "a": 1.0}}
    # Graded: 0.2 (1/2 + 0.8 * 2/2); the text RBP(p=0.8) is binary: 0.2 (1 + 0.8).
    found = {row.measure: row.value for row in karat.evaluate(qrels, run, [RBP(p=0.8), "RBP(p=0.8)", SetRelP]).scores}
    assert found["RBP(p=0.8,gain=linear)"] == pytest.approx(0.26) and found["RBP(p=0.8)"] == pytest.approx(0.36)
    for measure, words in ((AP(judged_only=True), "judged_only=True"), (ir_measures.Accuracy, "no measure that means this")):
        with pytest.raises(karat.UsageError, match=words):
            karat.evaluate(qrels, run, measure)
