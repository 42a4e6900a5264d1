"""Runs that are read in parts, as `karat.spark` does on executors: the same answer as at once, however they are cut."""

import random

import pyarrow
import pytest

import karat
from karat import _karat

TOPICS, RUNS = 23, ("bm25", "dense", "fused")


@pytest.fixture(scope="module")
def data():
    draw = random.Random(5)
    qrels = [
        (f"q{topic}", f"d{document}", draw.choice([0, 0, 1, 2, -1]))
        for topic in range(TOPICS)
        for document in draw.sample(range(150), 25)
    ]
    rows = [
        (f"q{topic}", f"d{document}", float(draw.randint(0, 40)), run)
        for run in RUNS
        # A topic that a run lacks, and one that nobody judged.
        for topic in range(TOPICS + 1)
        if (run, topic) != ("dense", 4)
        for document in draw.sample(range(150), 60)
    ]
    draw.shuffle(rows)
    return qrels, rows


def table(rows, names):
    return pyarrow.table(dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True)))


def in_parts(arguments, qrels, rows, parts):
    """The runs joined from so many parts, topics dealt out to them by name."""
    made = []
    for part in range(parts):
        here = [[row for row in some if int(row[0][1:]) * 7 % parts == part] for some in (qrels, rows)]
        if any(here):
            judged = table(here[0] or [("q", "d", 0)], ["query_id", "doc_id", "grade"]).slice(0, len(here[0]))
            retrieved = table(here[1], ["query_id", "doc_id", "score", "run"])
            made.append(_karat.condense([*arguments, "--", "qrels", "run", "run"], judged, retrieved))
    random.Random(parts).shuffle(made)
    return _karat.join_parts([*arguments, "--", "qrels", "run", "run"], made, None)


def told(answer):
    found = karat.Result(answer).to_dict()
    found.pop("provenance")
    return found


@pytest.mark.parametrize("parts", [1, 4, 40])
@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", "--by-query"],
        ["eval", "--measure=AP,nDCG@10,Bpref", "--ties=range", "--unjudged=bounds"],
        ["eval", "--unjudged=fit", "--missing-topics=skip"],
        ["eval", "--depth=10", "--interval=bca", "--profile=9"],
        ["compare", "--permutations=2000"],
        ["compare", "--permutations=2000", "--depth=20", "--all-pairs"],
        ["compare", "--permutations=2000", "--unjudged=nonrelevant"],
    ],
)
def test_parts_answer_as_the_whole(data, arguments, parts):
    qrels, rows = data
    columns = ["query_id", "doc_id", "grade"]
    found = in_parts(arguments, qrels, rows, parts)
    inputs = {run.name: run for run in found} | {"qrels": _karat.Table.from_arrow(table(qrels, columns))}
    answer = _karat.call([*arguments, "--", "qrels", *(run.name for run in found)], inputs, {}, False)
    own = {run: _karat.Table.from_rows([row[:3] for row in rows if row[3] == run], ["query_id", "doc_id", "score"]) for run in RUNS}
    own["qrels"] = _karat.Table.from_rows(qrels, columns)
    whole = _karat.call([*arguments, "--", "qrels", *RUNS], own, {run: run for run in RUNS}, False)
    assert told(answer) == told(whole)


def test_bad_rows_of_all_parts_are_counted(data):
    qrels, rows = data
    bad = [(topic, document, float("nan"), run) if document == "d7" else (topic, document, score, run) for topic, document, score, run in rows]
    count = sum(row[1] == "d7" for row in rows)
    assert count > 20
    with pytest.raises(karat.InputError, match="expected a finite number, found NaN") as raised:
        in_parts(["eval"], qrels, bad, 4)
    assert (raised.value.document, raised.value.column, len(raised.value.problems)) == ("d7", "score", 20)
    assert f"and {count - 20} more problem" in str(raised.value)


def test_rows_without_a_run_are_counted(data):
    qrels, rows = data
    bad = [(*row[:3], None if row[1] == "d9" else row[3]) for row in rows]
    with pytest.raises(karat.InputError, match="expected the run's name in every row"):
        in_parts(["eval"], qrels, bad, 3)


@pytest.mark.parametrize("arguments", [["eval", "--ties=file"], ["compare", "--sensitivity"], ["pool"]])
def test_what_reads_the_rows_otherwise_is_refused(data, arguments):
    with pytest.raises(karat.UsageError):
        in_parts(arguments, *data, 1)


def test_parts_of_other_options_are_refused(data):
    qrels, rows = data
    part = _karat.condense(
        ["eval", "--depth=5", "--", "qrels", "run"],
        table(qrels, ["query_id", "doc_id", "grade"]),
        table(rows, ["query_id", "doc_id", "score", "run"]),
    )
    with pytest.raises(karat.FileError, match="was made by karat"):
        _karat.join_parts(["eval", "--", "qrels", "run"], [part], None)
    with pytest.raises(karat.FileError, match="damaged"):
        _karat.join_parts(["eval", "--depth=5", "--", "qrels", "run"], [part[:-1]], None)
