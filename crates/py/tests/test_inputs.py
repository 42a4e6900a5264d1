"""Every kind of input gives the same answer, and a wrong one is told by column and row."""

from __future__ import annotations

import collections
from pathlib import Path
from typing import Any

import karat
import pytest
from conftest import read_qrels, read_run, rows

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

MEASURES = ["AP", "nDCG@10", "RBP(p=0.8)"]
RUN = ["query_id", "doc_id", "score"]
QRELS = ["query_id", "doc_id", "relevance"]


def frames(table: list[tuple[Any, ...]], names: list[str]) -> dict[str, Any]:
    columns = {name: [row[place] for row in table] for place, name in enumerate(names)}
    numbers = columns[names[2]]
    structured = np.array(table, dtype=[(names[0], "U32"), (names[1], "U64"), (names[2], "f8")])
    named = collections.namedtuple("Row", names)  # type: ignore[misc]
    pandas = pd.DataFrame(columns)
    return {
        "tuples": table,
        "named tuples": [named(*row) for row in table],
        "dicts": [dict(zip(names, row, strict=True)) for row in table],
        "columns": columns,
        "arrays": {name: np.array(values) for name, values in columns.items()},
        "structured": structured,
        "pandas": pandas,
        "pandas category": pandas.astype({names[0]: "category"}),
        "pandas float32": pandas.astype({names[2]: "float32"}) if isinstance(numbers[0], int) else pandas,
        "polars": pl.DataFrame(columns),
        "polars lazy": pl.LazyFrame(columns),
        "polars chunks": pl.concat([pl.DataFrame(columns)[:100], pl.DataFrame(columns)[100:]], rechunk=False),
        "pyarrow": pa.table(columns),
        "pyarrow dictionary": pa.table({**columns, names[0]: pa.array(columns[names[0]]).dictionary_encode()}),
        "pyarrow large": pa.table({**columns, names[1]: pa.array(columns[names[1]], pa.large_string())}),
    }


def test_every_kind_gives_the_same(demo: Path) -> None:
    path, qrels_path = sorted(demo.glob("*.run"))[0], demo / "qrels.txt"
    run, qrels = read_run(path), read_qrels(qrels_path)
    expected = karat.evaluate(qrels_path, path, MEASURES, by_query=True)
    numbers = lambda result: [{**row.to_dict(), "run": ""} for row in [*result.scores, *result.by_query]]  # noqa: E731
    given: dict[str, Any] = {"dict": run, **frames(rows(run), RUN)}
    for name, kind in given.items():
        assert numbers(karat.evaluate(qrels_path, kind, MEASURES, by_query=True)) == numbers(expected), name
    judged: dict[str, Any] = {"dict": qrels, **frames(rows(qrels), QRELS)}
    for name, kind in judged.items():
        assert numbers(karat.evaluate(kind, path, MEASURES, by_query=True)) == numbers(expected), name


def test_names_of_columns_as_people_have_them() -> None:
    qrels = {"1": {"a": 1}}
    for names in (["qid", "docno", "score"], ["q_id", "docid", "sim"], ["topic", "doc_id", "rank"]):
        frame = pd.DataFrame([[1, "a", 1]], columns=names)
        assert karat.evaluate(qrels, frame, "P@1").scores[0].value == 1.0


def test_runs_have_names(demo: Path) -> None:
    qrels = {"1": {"a": 1, "b": 0}}
    a, b = {"1": {"a": 2.0, "b": 1.0}}, {"1": {"b": 2.0, "a": 1.0}}
    named = karat.evaluate(qrels, {"good": a, "bad": b}, "P@1")
    assert [(row.run, row.value) for row in named.scores] == [("good", 1.0), ("bad", 0.0)]
    assert [row.run for row in karat.evaluate(qrels, [a, b], "P@1").scores] == ["run1", "run2"]
    assert [row.run for row in karat.evaluate(qrels, a, "P@1").scores] == ["run"]
    first, second = sorted(demo.glob("*.run"))[:2]
    files = karat.evaluate(demo / "qrels.txt", {"x": first, "y": second}, "P@1")
    assert [row.run for row in files.scores] == ["x", "y"]
    frame = pd.DataFrame([["1", "a", 1.0]], columns=RUN)
    assert [row.run for row in karat.evaluate(qrels, {"x": frame, "y": b}, "P@1").scores] == ["x", "y"]


def wrong(run: Any, qrels: Any = None) -> karat.InputError:
    with pytest.raises(karat.InputError) as caught:
        karat.evaluate(qrels or {"1": {"a": 1}}, run, "AP")
    return caught.value


def test_wrong_values_are_told_by_row_and_column() -> None:
    frame = pd.DataFrame({"qid": ["1"] * 20, "docno": [f"d{n}" for n in range(20)], "sim": np.arange(20.0)})
    frame.loc[17, "sim"] = float("nan")
    for given in (frame, pl.DataFrame(frame.to_dict("list")), {name: frame[name].to_numpy() for name in frame}):
        error = wrong(given)
        assert (error.row, error.column) == (17, "sim"), error
        assert str(error).startswith("run, row 17, column 'sim': expected"), error
        assert isinstance(error, ValueError) and error.problems[0]["remedy"]
    mixed = [("1", "a", 1.0), ("1", "b", "high")]
    assert (wrong(mixed).row, wrong(mixed).column) == (1, "score")
    objects = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", None], "score": [1.0, 2.0]})
    assert (wrong(objects).row, wrong(objects).column) == (1, "docno")
    twice = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]})
    assert (wrong(twice).row, wrong(twice).column) == (1, "docno")


def test_wrong_values_of_a_dict_are_told_by_its_keys() -> None:
    error = wrong({"1": {"a": 1.0, "b": float("inf")}})
    assert (error.topic, error.document) == ("1", "b")
    assert "topic '1', document 'b'" in str(error)
    assert "expected a mapping of documents to numbers" in str(wrong({"1": {"a": 1.0}, "2": ["a", "b"]}))
    assert wrong({"1": {"a": 1.0}}, {"1": {"a": "yes"}}).document == "a"


def test_wrong_columns_and_empty_frames() -> None:
    error = wrong(pd.DataFrame({"qid": ["1"], "doc": ["a"], "points": [1.0]}))
    assert "a column for the score or rank" in str(error) and '"points"' in str(error)
    nothing: dict[str, list[str]] = {"qid": [], "docno": [], "score": []}
    for empty in (pd.DataFrame(nothing), pl.DataFrame(nothing), {}):
        assert "without rows" in str(wrong(empty))
    with pytest.raises(karat.InputError, match="at least one judgement"):
        karat.evaluate({}, {"1": {"a": 1.0}}, "AP")
    with pytest.raises(karat.InputError, match="found a Series: reset_index"):
        karat.evaluate({"1": {"a": 1}}, pd.Series([1.0], name="score"), "AP")
    with pytest.raises(karat.InputError, match="found int"):
        karat.evaluate(3, {"1": {"a": 1.0}}, "AP")


def test_numpy_numbers_are_numbers() -> None:
    qrels = {"1": {"a": np.int32(1), "b": np.uint8(0)}}
    run = {"1": {"a": np.float32(2.0), "b": np.float16(1.0)}}
    assert karat.evaluate(qrels, run, "AP").scores[0].value == 1.0


def test_labels_of_judges_from_a_frame(demo: Path) -> None:
    frame = pd.read_csv(demo / "labels.csv", dtype={"query_id": str, "doc_id": str})
    by_file, in_hand = karat.judges.agree(demo / "labels.csv"), karat.judges.agree(frame)
    assert by_file.agreement == in_hand.agreement


def test_topics_as_a_list(demo: Path) -> None:
    qrels, run = demo / "qrels.txt", sorted(demo.glob("*.run"))[0]
    topics = sorted(read_qrels(qrels))[:3]
    listed = karat.evaluate(qrels, run, "AP", topics=topics)
    assert listed.scores == karat.evaluate(qrels, run, "AP", topics=",".join(topics)).scores
    assert listed.scores[0].topics == 3
    assert karat.evaluate(qrels, run, "AP", topics=int(topics[0])).scores[0].topics == 1


def test_frames_as_options(demo: Path) -> None:
    """A frame is an input wherever a file is, also where it is given by keyword."""
    labels = pd.read_csv(demo / "labels.csv", dtype={"query_id": str})
    bronze = labels[labels["judge"] == "model"]
    judged = pd.DataFrame(rows(read_qrels(demo / "qrels.txt")), columns=QRELS)
    gold = judged[judged["relevance"] >= 0]
    run = sorted(demo.glob("*.run"))[0]
    told = []
    for convert in (lambda frame: frame, pl.from_pandas, pa.Table.from_pandas, lambda frame: frame.to_dict("list")):
        calibration = karat.judges.calibrate(bronze=convert(bronze), gold=convert(gold), binary=1, sampling="random")
        corrected = karat.evaluate(convert(bronze), run, "P@10", calibration=calibration)
        by_gold = karat.evaluate(bronze, run, "P@10", gold=convert(gold))
        told.append((calibration.d, corrected.scores[0].value, by_gold.scores[0].value))
    assert all(one == told[0] for one in told)


def test_rows_of_several_runs_are_refused() -> None:
    """Put together they would be a ranking that no system made."""
    rows = {"qid": ["q1", "q1"], "docno": ["a", "b"], "score": [1.0, 2.0], "system": ["A", "B"]}
    with pytest.raises(karat.InputError, match=r"the rows of one run \(column 'system'\), found those of \"A\" and of \"B\""):
        karat.evaluate({"q1": {"a": 1}}, rows, "AP")
    one = karat.evaluate({"q1": {"a": 1}}, {**rows, "system": ["A", "A"]}, "RR")
    assert one.scores[0].value == 0.5


def test_a_missing_argument_is_not_taken_for_the_next() -> None:
    run = {"q1": {"a": 1.0}}
    with pytest.raises(karat.UsageError, match="evaluate: qrels is missing"):
        karat.evaluate(None, [run, run], "AP")


def test_what_numpy_hides_is_seen() -> None:
    numpy = pytest.importorskip("numpy")
    names = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"]}
    masked = numpy.ma.array([1.0, 2.0], mask=[False, True])
    with pytest.raises(karat.InputError, match="row 1, column 'score'.*found nothing"):
        karat.evaluate({"q1": {"a": 1}}, {**names, "score": masked}, "AP")
    dates = numpy.array(["2020-01-01", "2020-01-02"], "datetime64[ns]")
    with pytest.raises(karat.InputError, match="column 'score': expected text or numbers, found datetime64"):
        karat.evaluate({"q1": {"a": 1}}, {**names, "score": dates}, "AP")
    with pytest.raises(karat.InputError):
        karat.evaluate({"q1": {"a": 1}}, {**names, "score": [10**400, 1]}, "AP")


def test_two_columns_of_one_name_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([["q1", "a", 1.0, 2.0]], columns=["query_id", "doc_id", "score", "score"])
    with pytest.raises(karat.InputError, match="score"):
        karat.evaluate({"q1": {"a": 1}}, frame, "AP")


def test_runs_by_name_are_told_from_a_run() -> None:
    numpy = pytest.importorskip("numpy")
    qrels, run = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}
    columns = {"query_id": numpy.array(["q1"]), "doc_id": numpy.array(["a"]), "score": numpy.array([1.0])}
    assert [row.run for row in karat.evaluate(qrels, {"x": columns, "y": run}, "AP").scores] == ["x", "y"]
    with pytest.raises(karat.InputError, match="topic 'q1', document 'a'"):
        karat.evaluate(qrels, {"q1": {"a": "high"}}, "AP")
    with pytest.raises(karat.InputError, match="run 'empty'"):
        karat.evaluate(qrels, {"empty": {}, "full": run}, "AP")


def test_a_dictionary_that_changes_while_it_is_read() -> None:
    run: dict[str, dict[str, object]] = {"q1": {}}

    class Changing:
        def __float__(self) -> float:
            run["q1"].clear()
            return 1.0

    run["q1"] = {"a": Changing(), "b": Changing()}
    with pytest.raises((karat.KaratError, RuntimeError), match="changed while it was read"):
        karat.evaluate({"q1": {"a": 1}}, run, "AP")

    class Interrupting:
        def __float__(self) -> float:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        karat.evaluate({"q1": {"a": 1}}, {"q1": {"a": Interrupting()}}, "AP")


def scores(*given: object, **options: object) -> list[tuple[str, float]]:
    return [(row.run, row.value) for row in karat.evaluate(*given, **options).scores]  # type: ignore[arg-type]


def test_tables_go_by_their_own_name() -> None:
    qrels, run = {"q1": {"a": 1}}, {"query_id": ["q1"], "doc_id": ["a"], "score": [1.0]}
    assert scores(qrels, {**run, "tag": ["bm25"]}, "AP") == [("bm25", 1.0)]
    frames = [pd.DataFrame({**run, "system": [name]}) for name in ("bm25", "dense")]
    assert scores(qrels, frames, "AP") == [("bm25", 1.0), ("dense", 1.0)]
    assert scores(qrels, [pd.DataFrame(run), pd.DataFrame(run)], "AP") == [("run1", 1.0), ("run2", 1.0)]
    assert scores(qrels, {"mine": frames[0]}, "AP") == [("mine", 1.0)]


def test_a_table_is_not_taken_for_a_file_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("q1 0 zz 1\n")
    run = {"q1": {"a": 1.0}}
    # The file has the judgements; nothing judged relevant is retrieved.
    assert scores("run", run, "AP") == [("run", 0.0)]
    Path("r.txt").write_text("q1 Q0 zz 1 1.0 t\n")
    assert scores("run", {"A": "r.txt", "B": Path("r.txt")}, "AP") == [("A", 1.0), ("B", 1.0)]
    with open("r.txt", "rb") as binary, open("r.txt") as text:
        for opened in (binary, text):
            with pytest.raises(karat.InputError, match="an open file: give its name"):
                karat.evaluate("run", opened, "AP")
    assert scores("run", bytearray(Path("r.txt").read_bytes()), "AP")[0][1] == 1.0
    with pytest.raises(karat.UsageError, match="names that differ"):
        karat.evaluate("run", {1: run, "1": run}, "AP")


def test_numbers_and_mappings_of_other_kinds() -> None:
    import decimal
    import types

    qrels = {"q1": types.MappingProxyType({"a": np.int8(1), "b": 0})}
    run = [("q1", "b", np.array(1.5)), ("q1", "a", decimal.Decimal("2.5"))]
    assert scores(qrels, run, "RR")[0][1] == 1.0
    decimals = pa.table({"query_id": ["q1", "q1"], "doc_id": ["b", "a"], "score": [decimal.Decimal("1.50"), decimal.Decimal("2.50")]})
    assert scores(qrels, decimals, "RR")[0][1] == 1.0
    for flag in (True, np.True_):
        with pytest.raises(karat.InputError, match="topic 'q1', document 'a'"):
            karat.evaluate({"q1": {"a": flag}}, {"q1": {"a": 1.0}}, "RR")
    # To pandas NaN is missing, and a grade that is missing is of a document nobody judged.
    frame = pd.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "grade": [1, np.nan]})
    for own in (frame, frame.assign(meta=[{"x": 1}, 3])):
        assert scores(own, {"q1": {"a": 1.0}}, "NumRel")[0][1] == 1.0


def test_what_is_no_column_or_row_is_told() -> None:
    qrels = {"q1": {"a": 1}}
    wrong: list[tuple[object, str]] = [
        ({"query_id": ["q1"] * 4, "doc_id": list("abcd"), "score": np.arange(4.0).reshape(2, 2)}, "column 'score': .* 2 dimensions"),
        ({"query_id": ["q1"] * 2, "doc_id": "ab", "score": [1.0, 2.0]}, "column 'doc_id': .* the text 'ab'"),
        ([{"query_id": "q1", "doc_id": "a", "score": 1.0}, ("q1", "b", 2.0)], "row 1: expected a mapping"),
        (range(3), "row 0: expected 3 values .* found int"),
    ]
    for run, words in wrong:
        with pytest.raises(karat.InputError, match=words) as raised:
            karat.evaluate(qrels, run, "AP")
        assert raised.value.row is not None or raised.value.column is not None
    offsets = pa.array([0, 100, 2], pa.int32()).buffers()[1]
    unsound = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"abcd")])
    places = pa.DictionaryArray.from_arrays(pa.array([0, 7]), pa.array(["q1", "q2"]), safe=False)
    for column, array in (("doc_id", unsound), ("query_id", places)):
        columns = {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, 2.0], column: array}
        with pytest.raises(karat.InputError, match=f"column '{column}'"):
            karat.evaluate(qrels, pa.table(columns), "AP")


def test_rows_of_clicks_are_told_by_row_and_column() -> None:
    clicks = pd.DataFrame({"user": ["u1", "u2"], "arm": ["a", "b"], "clicks": [1.0, -1.0]})
    with pytest.raises(karat.InputError) as raised:
        karat.ab(clicks, unit="user", arm="arm", metric="clicks")
    assert (raised.value.row, raised.value.column, raised.value.line) == (1, "clicks", None)


def test_topics_as_they_would_be_typed() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(3)}
    run = {topic: {"a": 1.0} for topic in qrels}
    found = karat.evaluate(qrels, run, "AP", topics=["q0", "q2"])
    assert found.provenance.options.topics == "q0,q2" and found.scores[0].topics == 2


def test_arrow_columns_and_readers_in_mappings() -> None:
    qrels, columns = {"q1": {"a": 1}}, {"query_id": ["q1"], "doc_id": ["a"], "score": [1.0]}
    table = pa.table(columns)
    for run in (
        {name: pd.Series(values) for name, values in columns.items()},
        {name: pa.array(values) for name, values in columns.items()},
        {name: table[name] for name in columns},
    ):
        assert scores(qrels, run, "AP") == [("run", 1.0)]
    assert scores(qrels, {"mine": table.to_reader(), "other": table.to_batches()[0]}, "AP") == [("mine", 1.0), ("other", 1.0)]
