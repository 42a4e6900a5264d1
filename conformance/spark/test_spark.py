"""karat.spark on Spark's local mode: kinds of frames, options, bad rows."""
import doctest
import os
import pathlib
import random
import re
import sys

import pytest
from pyspark.sql import SparkSession, functions

import karat
import karat.spark

TOPICS, RUNS = 25, ("bm25", "dense")
RUN = "query_id string, doc_id string, score double, system string"


@pytest.fixture(scope="module")
def spark():
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "5",
        # Small shuffles would become one part.
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()


@pytest.fixture(scope="module")
def qrels():
    draw = random.Random(2)
    return [(f"q{t}", f"d{d}", draw.choice([0, 0, 1, 2, -1])) for t in range(TOPICS) for d in draw.sample(range(200), 30)]


@pytest.fixture(scope="module")
def rows():
    draw = random.Random(3)
    return [
        (f"q{topic}", f"d{document}", float(draw.randint(0, 50)), run)
        for run in RUNS
        for topic in range(TOPICS + 2)
        if (run, topic) != ("dense", 3)
        for document in draw.sample(range(200), 80)
    ]


@pytest.fixture(scope="module")
def judged(spark, qrels):
    return spark.createDataFrame(qrels, "query_id string, doc_id string, grade int").cache()


@pytest.fixture(scope="module")
def retrieved(spark, rows):
    return spark.createDataFrame(rows, RUN).cache()


def local(rows):
    return {run: [row[:3] for row in rows if row[3] == run] for run in RUNS}


def same(ours, theirs):
    ours, theirs = ours.to_dict(), theirs.to_dict()
    ours.pop("provenance"), theirs.pop("provenance")
    return ours == theirs


@pytest.mark.parametrize(
    "measures, options",
    [
        (None, {"by_query": True}),
        ("AP,nDCG@10,Bpref,infAP", {"ties": "range", "relevance_level": 2}),
        (None, {"unjudged": "fit", "draws": 50}),
        (["P@5", "RBP(p=0.5)"], {"depth": 10, "missing_topics": "skip", "interval": "bca", "partitions": 3}),
        ("AP", {"topics": ["q1", "q2", "q9"], "judged_only": True}),
    ],
)
def test_evaluate_is_evaluate(qrels, rows, judged, retrieved, measures, options):
    here = {name: value for name, value in options.items() if name != "partitions"}
    assert same(karat.spark.evaluate(retrieved, judged, measures, **options), karat.evaluate(qrels, local(rows), measures, **here))


def test_compare_is_compare(qrels, rows, judged, retrieved):
    ours = karat.spark.compare(retrieved, judged, "AP,nDCG@10", baseline="dense", by_query=True)
    assert same(ours, karat.compare(qrels, local(rows), measures="AP,nDCG@10", baseline="dense", by_query=True))


def test_frames_by_name_in_their_order(qrels, rows, judged, retrieved):
    frames = {run: retrieved.where(functions.col("system") == run).drop("system") for run in reversed(RUNS)}
    theirs = karat.compare(qrels, dict(reversed(local(rows).items())), measures="AP")
    assert same(karat.spark.compare(frames, judged, "AP"), theirs)


def test_whole_numbers_are_names_and_ranks_are_an_order(spark):
    qrels = spark.createDataFrame([(1, 10, 1), (1, 11, 0), (2, 10, 2)], "qid long, docno long, rel int")
    run = spark.createDataFrame([(1, 11, 1), (1, 10, 2), (2, 10, 1)], "qid long, docno long, rank int")
    # Relevant at rank 2 of topic 1 and at rank 1 of topic 2: (1/2 + 1) / 2.
    found = karat.spark.evaluate(run, qrels, "RR").to_dict()["scores"]
    assert found[0]["value"] == 0.75


def test_bad_rows_are_named_and_counted(spark, rows, judged):
    bad = [("q1", "dX", float("nan"), "bm25"), ("q2", "d1", None, "bm25"), (None, "d1", 1.0, "dense"), ("q5", None, 1.0, "dense")]
    frame = spark.createDataFrame(rows + bad + [("q7", "twice", 1.0, "dense")] * 30, RUN)
    with pytest.raises(karat.InputError) as raised:
        karat.spark.evaluate(frame, judged)
    text = str(raised.value)
    # Twenty are told; twenty-nine copies and four others are thirty-three.
    assert "and 13 more problems" in text and len(raised.value.problems) == 20
    assert {"run 'bm25'", "run 'dense'"} >= {problem["file"] for problem in raised.value.problems}


def test_what_is_wrong_before_the_runs_are_read(spark, rows, judged, retrieved):
    def refused(error, words, *arguments, **options):
        with pytest.raises(error, match=words):
            karat.spark.evaluate(*arguments, **options)

    refused(karat.InputError, "expected a column for the score or rank", judged, retrieved)
    refused(karat.InputError, "column 'score': expected numbers", retrieved.withColumn("score", functions.lit("1")), judged)
    refused(karat.InputError, "column 'query_id': expected text or whole numbers", retrieved.withColumn("query_id", functions.lit(1.5)), judged)
    refused(karat.InputError, "at least one judgement", retrieved, judged.limit(0))
    refused(karat.InputError, "expected a data frame of Spark, found list", [rows], judged)
    refused(karat.UsageError, "nDGC", retrieved, judged, "nDGC@10")
    refused(karat.UsageError, "did you mean 'ties'", retrieved, judged, tie="range")
    refused(karat.UsageError, "in no order", retrieved, judged, ties="file")
    refused(karat.UsageError, "gold", retrieved, judged, gold="gold.qrels")


def test_runs_without_rows_or_names(spark, judged, retrieved):
    nothing = {"a": retrieved.limit(0), "b": retrieved.where("system = 'dense'")}
    with pytest.raises(karat.InputError, match="run 'a': expected at least one retrieved document"):
        karat.spark.compare(nothing, judged)
    nameless = retrieved.withColumn("system", functions.when(functions.col("query_id") != "q1", functions.col("system")))
    with pytest.raises(karat.InputError, match="expected the run's name in every row, found 160 rows"):
        karat.spark.evaluate(nameless, judged)
    with pytest.raises(karat.UsageError, match="at least two runs"):
        karat.spark.compare(retrieved.where("system = 'dense'"), judged)


def test_examples_of_the_guide(spark):
    page = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "guide" / "spark.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.S)
    assert len(blocks) == 2
    names, runner = {"spark": spark}, doctest.DocTestRunner()
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"spark.md {number}", str(page), 0)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    assert runner.tries > 5 and runner.failures == 0


def test_partitions_and_names_are_checked_first(judged, retrieved):
    for partitions in (0, -1, "3", 2.5, True):
        with pytest.raises(karat.UsageError, match="expected a whole number from 1 on"):
            karat.spark.evaluate(retrieved, judged, partitions=partitions)
    for runs in ({1: retrieved, "1": retrieved}, {"": retrieved}):
        with pytest.raises(karat.InputError, match="names that differ and are not empty"):
            karat.spark.evaluate(runs, judged)
    with pytest.raises(karat.InputError, match="column 'system': expected names of runs"):
        karat.spark.evaluate(retrieved.withColumn("system", functions.struct("query_id")), judged)


def test_rows_of_several_runs_under_one_name_are_refused(judged, retrieved):
    for runs in ({"mine": retrieved}, [retrieved, retrieved]):
        with pytest.raises(karat.InputError, match="expected the rows of one run, found those of 'bm25' and of 'dense'"):
            karat.spark.evaluate(runs, judged)


def test_judgements_are_computed_once(spark, qrels, rows):
    draw = functions.udf(lambda topic: random.randrange(2), "int").asNondeterministic()
    frame = spark.createDataFrame(qrels, "query_id string, doc_id string, grade int").withColumn("grade", draw("query_id"))
    run = spark.createDataFrame([row for row in rows if row[3] == "bm25"], RUN)
    found = karat.spark.evaluate(run, frame, "SetR,NumRelRet,NumRel", by_query=True).to_dict()["by_query"]
    values = {(row["measure"], row["topic"]): row["value"] for row in found}
    # What is retrieved of the relevant documents was counted in the same judgements as the relevant ones.
    for topic in {row["topic"] for row in found}:
        relevant = values["NumRel", topic]
        assert values["SetR", topic] == (values["NumRelRet", topic] / relevant if relevant else 0)
