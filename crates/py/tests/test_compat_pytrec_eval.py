"""karat.compat.pytrec_eval: answers worked out by hand, what is refused and how, threads. Where pytrec_eval itself is
installed its documented examples go through both; conformance/python_compat.py compares the two at length."""
import json
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType

import pytest

import karat.compat.pytrec_eval as pytrec_eval
from karat.compat.pytrec_eval import RelevanceEvaluator

QRELS = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}}
RUN = {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {"d1": 1.5, "d2": 0.2, "d3": 0.5}}


def test_values_worked_out_by_hand():
    answers = RelevanceEvaluator(QRELS, {"map", "ndcg", "P_2", "gm_map"}).evaluate(RUN)
    # q1: d3 d1 d2, the one relevant document at rank 3: AP = 1/3, nDCG = (1/log2 4)/(1/log2 2) = 1/2.
    assert answers["q1"]["map"] == 1 / 3
    assert answers["q1"]["ndcg"] == 0.5
    assert answers["q1"]["P_2"] == 0.0
    assert answers["q1"]["gm_map"] == pytest.approx(math.log(1 / 3), rel=1e-15)
    # q2: d1 d3 d2, hits at ranks 2 and 3 of 2 relevant: AP = (1/2 + 2/3)/2 = 7/12.
    assert answers["q2"]["map"] == pytest.approx(7 / 12, rel=1e-15)
    assert json.loads(json.dumps(answers)) == answers


def test_measures_come_in_trec_evals_order_under_pytrec_evals_names():
    asked = ["ndcg_cut.3,1", "set_F.0.5", "map", "P_10", "P_5", "iprec_at_recall.0.2"]
    expected = ["map", "iprec_at_recall_0.20", "P_5", "P_10", "ndcg_cut_1", "ndcg_cut_3", "set_F"]
    assert list(RelevanceEvaluator(QRELS, asked).evaluate(RUN)["q1"]) == expected


def test_topics_of_both_sides_come_in_the_runs_order():
    qrels = {topic: {"a": 1} for topic in "abc"} | {"empty": {}}
    run = {topic: {"a": 1.0} for topic in ("c", "other", "a", "empty")}
    assert list(RelevanceEvaluator(qrels, ["map"]).evaluate(run)) == ["c", "a"]
    assert RelevanceEvaluator(qrels, ["map"]).evaluate({}) == {}
    assert RelevanceEvaluator({}, ["map"]).evaluate(run) == {}


def test_scores_tie_as_32_bit_numbers_and_ties_go_by_name():
    qrels = {"1": {"a": 1, "b": 0}}
    # 1.00000001 is 1 in 32 bits, so b, the larger name, comes first.
    assert RelevanceEvaluator(qrels, ["recip_rank"]).evaluate({"1": {"a": 1.00000001, "b": 1.0}}) == {
        "1": {"recip_rank": 0.5}
    }


def test_an_empty_list_and_a_topic_nobody_judged_have_no_nan():
    answers = RelevanceEvaluator({"1": {"a": 1}, "2": {"a": -1}}, {"all_trec"}).evaluate({"1": {}, "2": {"a": 1.0}})
    assert all(math.isfinite(value) for values in answers.values() for value in values.values())
    assert answers["1"]["11pt_avg"] == 0.0
    assert answers["2"]["num_ret"] == 1.0
    assert answers["2"]["map"] == 0.0


def test_numbers_of_numpy_and_other_mappings_are_welcome():
    numpy = pytest.importorskip("numpy")
    plain = RelevanceEvaluator(QRELS, {"all_trec"}).evaluate(RUN)
    qrels = MappingProxyType(
        {topic: MappingProxyType({doc: numpy.int64(grade) for doc, grade in of.items()}) for topic, of in QRELS.items()}
    )
    for kind in (numpy.float64, numpy.float32, numpy.float16):
        run = OrderedDict(
            (topic, MappingProxyType({doc: kind(score) for doc, score in of.items()})) for topic, of in RUN.items()
        )
        assert RelevanceEvaluator(qrels, {"all_trec"}).evaluate(MappingProxyType(run)) == plain


def test_a_mapping_that_gives_a_document_twice_is_refused():
    class Repeating(Mapping):
        def __getitem__(self, key):
            return {"d1": 2.0, "d2": 1.0}[key]

        def __iter__(self):
            return iter(["d1", "d2", "d1"])

        def __len__(self):
            return 3

    with pytest.raises(ValueError, match="each document once, found .*d1"):
        RelevanceEvaluator(QRELS, {"map"}).evaluate({"q2": RUN["q2"], "q1": Repeating()})


@pytest.mark.parametrize(
    ("run", "error", "parts"),
    [
        ({"q1": {"d1": "high"}}, TypeError, ["q1", "d1", "'high'"]),
        ({"q1": {"d1": None}}, TypeError, ["q1", "d1", "None"]),
        ({"q1": {"d1": float("nan")}}, ValueError, ["q1", "d1", "nan"]),
        ({"q1": {7: 1.0}}, TypeError, ["q1", "7", "int"]),
        ({7: {"d1": 1.0}}, TypeError, ["7", "int"]),
        ({"q1": ["d1"]}, TypeError, ["q1", "list"]),
        ([1], TypeError, ["mapping", "list"]),
    ],
)
def test_wrong_runs_are_refused_with_their_place(run, error, parts):
    with pytest.raises(error) as refusal:
        RelevanceEvaluator(QRELS, ["map"]).evaluate(run)
    assert all(part in str(refusal.value) for part in parts), refusal.value


@pytest.mark.parametrize(
    ("qrels", "error", "parts"),
    [
        ({"q1": {"d1": 1.5}}, TypeError, ["q1", "d1", "1.5"]),
        ({"q1": {"d1": "1"}}, TypeError, ["q1", "d1", "'1'"]),
        ({"q1": {"d1": float("inf")}}, ValueError, ["q1", "d1", "inf"]),
        ({"q1": {1: 1}}, TypeError, ["q1", "1", "int"]),
        ({1: {"d1": 1}}, TypeError, ["1", "int"]),
        (None, TypeError, ["NoneType"]),
    ],
)
def test_wrong_judgements_are_refused_with_their_place(qrels, error, parts):
    with pytest.raises(error) as refusal:
        RelevanceEvaluator(qrels, ["map"])
    assert all(part in str(refusal.value) for part in parts), refusal.value


@pytest.mark.parametrize("measure", ["foo", "P_10foo", "P.", "P.0", "ndcg_1", "prefs", "rbp", "utility.1,2"])
def test_what_is_no_measure_is_refused(measure):
    with pytest.raises(ValueError, match="measure"):
        RelevanceEvaluator(QRELS, [measure])


@pytest.mark.parametrize("level", [0, -1, 1.5, "1"])
def test_a_level_is_a_whole_number_from_1(level):
    with pytest.raises(TypeError, match="relevance_level"):
        RelevanceEvaluator(QRELS, ["map"], relevance_level=level)


def test_a_parameter_that_does_nothing_is_said_to():
    with pytest.warns(UserWarning, match=r"recip_rank\.10"):
        RelevanceEvaluator(QRELS, ["recip_rank_10"])


def test_names_that_are_not_text_stay_apart():
    topic, first, second = (name.decode("utf-8", "surrogateescape") for name in (b"t\xe9", b"a\xe9", b"a\xea"))
    evaluator = RelevanceEvaluator({topic: {second: 1}}, ["recip_rank"])
    assert evaluator.evaluate({topic: {first: 2.0, second: 1.0}}) == {topic: {"recip_rank": 0.5}}


def test_files_say_what_their_content_says(tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, of in QRELS.items() for doc, grade in of.items()))
    rows = [(topic, doc, score) for topic, of in RUN.items() for doc, score in of.items()]
    run.write_text("".join(f"{topic} Q0 {doc} 1 {score} tag\n" for topic, doc, score in rows))
    expected = RelevanceEvaluator(QRELS, {"all_trec"}).evaluate(RUN)
    for source in (qrels, str(qrels)):
        assert RelevanceEvaluator(source, {"all_trec"}).evaluate(run) == expected
    with qrels.open() as lines:
        assert pytrec_eval.parse_qrel(lines) == QRELS
    with run.open() as lines:
        assert pytrec_eval.parse_run(lines) == RUN
    with pytest.raises(OSError, match="nowhere"):
        RelevanceEvaluator(tmp_path / "nowhere", ["map"])
    run.write_text("q1 Q0 d1 1 high tag\n")
    with pytest.raises(ValueError, match="high"):
        RelevanceEvaluator(qrels, ["map"]).evaluate(run)


def test_readers_name_the_line():
    with pytest.raises(ValueError, match="line 2"):
        pytrec_eval.parse_run(["1 Q0 a 1 1 t", "1 Q0 a 1 1"])
    with pytest.raises(AssertionError, match="line 2.*'a'"):
        pytrec_eval.parse_qrel(["1 0 a 1", "1 0 a 1"])


def test_threads_share_an_evaluator():
    qrels = {f"q{topic}": {f"d{doc}": doc % 3 for doc in range(50)} for topic in range(20)}
    runs = [
        {topic: {f"d{(doc * 7 + shift) % 60}": float(doc) for doc in range(55)} for topic in qrels}
        for shift in range(8)
    ]
    evaluator = RelevanceEvaluator(qrels, {"all_trec"})
    expected = [evaluator.evaluate(run) for run in runs]
    wrong = []

    def work(place):
        for _ in range(20):
            if evaluator.evaluate(runs[place]) != expected[place]:
                wrong.append(place)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_aggregates():
    assert pytrec_eval.compute_aggregated_measure("num_ret", [1.0, 2.0]) == 3.0
    assert pytrec_eval.compute_aggregated_measure("map", [1.0, 2.0]) == 1.5
    # exp((ln 1/4 + ln 1)/2) = sqrt(1/4)
    assert pytrec_eval.compute_aggregated_measure("gm_map", [math.log(0.25), 0.0]) == pytest.approx(0.5, rel=1e-15)
    with pytest.raises(ValueError, match="map"):
        pytrec_eval.compute_aggregated_measure("map", [])


def test_pytrec_evals_own_examples_say_the_same_in_both():
    peer = pytest.importorskip("pytrec_eval")
    second = {topic: {doc: -score for doc, score in of.items()} for topic, of in RUN.items()}
    for measures in ({"map", "ndcg"}, {"map_cut.1,2", "ndcg_cut_2"}, {"official"}, peer.supported_measures):
        there, here = peer.RelevanceEvaluator(QRELS, measures), RelevanceEvaluator(QRELS, measures)
        for run in (RUN, second):
            answers = here.evaluate(run)
            for topic, values in there.evaluate(run).items():
                assert answers[topic] == pytest.approx(values, rel=1e-15)
                for measure in values:
                    column = [answers[topic][measure] for topic in answers]
                    assert pytrec_eval.compute_aggregated_measure(measure, column) == pytest.approx(
                        peer.compute_aggregated_measure(measure, column), rel=1e-15
                    )
