"""Results, exceptions, threads."""

from __future__ import annotations

import pickle
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import karat
import pytest

QRELS = {f"q{n}": {"d1": n % 3, "d2": 0, "d3": 2} for n in range(6)}
RUN = {topic: {"d1": 3.0, "d2": 2.0, "d9": 1.0} for topic in QRELS}
OTHER = {topic: {"d2": 3.0, "d1": 2.0, "d3": 1.0} for topic in QRELS}


def test_results() -> None:
    result = karat.evaluate(QRELS, RUN, ["AP", "P@2"], by_query=True)
    assert result.command == "eval" and result.schema == "karat/2"
    first = result.scores[0]
    assert first.measure == "AP" and first.low <= first.value <= first.high
    assert first["value"] == first.value and first.sources.topics >= 0
    assert len(result.by_query) == 12
    assert "AP" in str(result) and repr(result) == str(result)
    assert "<table" in result._repr_html_() and "<html" not in result._repr_html_()
    assert "tabular" in result.to_latex() and "|" in result.to_markdown()
    assert isinstance(result.notes, list)
    with pytest.raises(AttributeError, match="there are"):
        _ = result.skores
    with pytest.raises(AttributeError, match="there are"):
        _ = first.valeu


def test_tables_of_results() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    result = karat.evaluate(QRELS, RUN, ["AP", "P@2"], by_query=True)
    assert isinstance(result.to_pandas(), pandas.DataFrame) and len(result.to_pandas()) == 12
    assert isinstance(result.to_polars("scores"), polars.DataFrame) and len(result.to_polars("scores")) == 2
    assert list(result.scores.to_pandas()["measure"]) == ["AP", "P@2"]
    assert karat.published.depth(p=0.8).to_pandas()["depth"][0] == 45


def test_figures_where_they_are_asked_for(tmp_path: Path) -> None:
    assert karat.evaluate(QRELS, RUN, "AP").figures == {}
    drawn = karat.evaluate(QRELS, {"a": RUN, "b": OTHER}, "AP", figures=True)
    assert drawn.figures and all(svg.lstrip().startswith("<svg") or "<svg" in svg for svg in drawn.figures.values())
    assert "<svg" in drawn._repr_html_()
    karat.evaluate(QRELS, RUN, "AP", figures=tmp_path / "figures")
    assert list((tmp_path / "figures").glob("*.svg"))


def test_check_says_rows() -> None:
    found = karat.check([("q1", "d1", 2.0), ("q1", "d2", 1.0), ("q1", "d1", 0.5)])
    assert found.files[0].format == "memory" and found.files[0].problems == 1
    (twice,) = [finding for finding in found.findings if finding.severity == "error"]
    assert twice.row == 2 and twice.line is None and "first in row 0" in twice.what and "keep one of the two" in twice.remedy
    assert "row 2" in str(found) and "line" not in str(found)
    found = karat.check({"q1": {"d1": -1, "d2": 1}}, {"q1": {"d1": 0.5, "d2": 0.25}})
    assert [file.kind for file in found.files] == ["qrels", "run"]
    assert "1 row with a negative grade" in [finding.what for finding in found.findings]


def test_in_a_notebook() -> None:
    drawn = karat.evaluate(QRELS, {"a": RUN, "b": OTHER}, "AP", figures=True)
    shown = drawn._repr_html_()
    assert shown is not None and shown.count("<style") == 1
    # Every rule holds within the answer only: the page of a notebook belongs to all its cells.
    rules = re.sub(r"@media[^{]*\{", "", shown[shown.index("<style>") + 7 : shown.index("</style>")])
    selectors = [one.strip() for rule in re.findall(r"([^{};]+)\{", rules) for one in rule.split(",")]
    assert len(selectors) > 20 and all(one.partition(" ")[0] == ".karat.karat" for one in selectors)
    assert drawn.scores._repr_html_().count("<tr>") == 3 and "low" in drawn.scores[0]._repr_html_()
    name, figure = next(iter(drawn.figures.items()))
    assert figure._repr_svg_() == figure and len(repr(figure)) < 100 and name in repr(drawn.figures)
    assert drawn.figures._repr_html_().count("<svg") == len(drawn.figures)


def test_an_answer_that_is_text_is_shown_as_text(tmp_path: Path) -> None:
    told = karat.demo(output=tmp_path / "demo", no_report=True)
    assert told._repr_html_() is None and "truth" in repr(told)


def test_many_rows_in_a_notebook() -> None:
    shown = karat.Rows(karat.Record({"n": n, "none": None, "name": "<b>"}) for n in range(100))._repr_html_()
    assert shown.count("<tr>") == 61 and "40 more rows" in shown and "&lt;b&gt;" in shown and "None" not in shown


def test_usage() -> None:
    with pytest.raises(karat.UsageError, match="did you mean 'by_query'"):
        karat.evaluate(QRELS, RUN, "AP", by_quary=True)
    with pytest.raises(karat.UsageError, match="^evaluate has no option 'metrics'; did you mean 'measures'"):
        karat.evaluate(QRELS, RUN, metrics="AP")
    with pytest.raises(karat.UsageError, match="'AP' is a measure and no file: write measures='AP'"):
        karat.compare(QRELS, RUN, OTHER, ["AP"])
    with pytest.raises(karat.UsageError) as caught:
        karat.evaluate(QRELS, RUN, "AP", max_grade=1)
    assert "max_grade" in str(caught.value) and "--" not in str(caught.value)
    with pytest.raises(karat.UsageError, match="AQ"):
        karat.evaluate(QRELS, RUN, "AQ")
    with pytest.raises(karat.UsageError, match="ties"):
        karat.evaluate(QRELS, RUN, "AP", ties="sideways")  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        karat.evaluate(QRELS, RUN, "AP", level=2.0)
    with pytest.raises(karat.UsageError, match="yes or no"):
        karat.evaluate(QRELS, RUN, "AP", by_query="yes")  # type: ignore[arg-type]


def test_files(tmp_path: Path) -> None:
    with pytest.raises(karat.FileError) as caught:
        karat.evaluate(tmp_path / "none.txt", RUN, "AP")
    assert isinstance(caught.value, OSError) and caught.value.file == str(tmp_path / "none.txt")
    bad = tmp_path / "bad.txt"
    bad.write_text("q1 0 d1 1\nq1 0 d2 much\n")
    with pytest.raises(karat.InputError) as wrong:
        karat.evaluate(bad, RUN, "AP")
    assert (wrong.value.file, wrong.value.line) == (str(bad), 2)
    with pytest.raises(karat.FileError):
        karat.evaluate(QRELS, RUN, "AP", output=tmp_path / "nowhere" / "answer.json")


def test_a_file_that_is_called_as_an_input_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("q1 0 d1 1\n")
    Path("run").write_text("q1 Q0 d1 1 1.0 mine\n")
    assert karat.evaluate(QRELS, "run", "P@1").scores[0].run == "mine"
    assert karat.evaluate("qrels", RUN, "P@1").scores[0].topics == 1


def test_gate() -> None:
    with pytest.raises(karat.GateError) as caught:
        karat.compare(QRELS, {"a": RUN, "b": OTHER}, measures="P@1", gate="better", permutations=200)
    assert caught.value.result.comparisons and str(caught.value).startswith("gate better does not hold")
    assert isinstance(caught.value, karat.KaratError)


def failing(call: Callable[[], object]) -> BaseException:
    with pytest.raises(karat.KaratError) as caught:
        call()
    return caught.value


def test_answers_and_errors_go_to_other_processes(tmp_path: Path) -> None:
    for told in (
        karat.evaluate(QRELS, {"a": RUN, "b": OTHER}, "AP", figures=True),
        karat.demo(output=tmp_path / "demo", no_report=True),
        karat.convert({"1": {"a": 1.0}}, to="trec", kind="run"),
        karat.report(QRELS, RUN, OTHER, measures="AP"),
    ):
        arrived = pickle.loads(pickle.dumps(told))
        assert type(arrived) is type(told) and str(arrived) == str(told) and arrived._told == told._told
        assert arrived.notes == told.notes and arrived.figures == told.figures and arrived._repr_html_() == told._repr_html_()
        assert pickle.loads(pickle.dumps(arrived))._answer.render("latex") == told._answer.render("latex")
    for error in (
        failing(lambda: karat.evaluate(QRELS, [("q1", "d1", float("nan"))], "AP")),
        failing(lambda: karat.evaluate(tmp_path / "none", RUN, "AP")),
        failing(lambda: karat.evaluate(QRELS, RUN, "AQ")),
        failing(lambda: karat.compare(QRELS, RUN, OTHER, measures="P@1", gate="better", permutations=200)),
    ):
        arrived_error = pickle.loads(pickle.dumps(error))
        assert type(arrived_error) is type(error) and str(arrived_error) == str(error)
        for name in ("file", "line", "row", "column", "problems"):
            assert getattr(arrived_error, name, None) == getattr(error, name, None)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    karat.evaluate(QRELS, RUN, "AP")
    karat.convert({"1": {"a": 1.0}}, to="trec", kind="run")
    karat.report(QRELS, RUN, OTHER, measures="AP")
    assert capfd.readouterr() == ("", "")


def test_threads() -> None:
    expected = karat.evaluate(QRELS, RUN, "AP").to_dict()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: karat.evaluate(QRELS, RUN, "AP").to_dict(), range(64)))
    assert all(answer == expected for answer in answers)


def test_the_lock_is_released() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    started = time.monotonic()
    karat.compare(QRELS, RUN, OTHER, measures="AP", permutations=2_000_000, interval="bca", resamples=200_000)
    took = time.monotonic() - started
    done.set()
    other.join()
    assert ticks > 10 * took


def test_what_has_no_tables_says_so(tmp_path: Path) -> None:
    page = karat.report(QRELS, RUN, measures="AP")
    for method in (page.to_dict, page.to_pandas, page.to_csv, page.to_latex):
        with pytest.raises(karat.UsageError, match="a report is a page"):
            method()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    with pytest.raises(karat.FileError):
        page.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(karat.UsageError, match=r"end its name with \.html"):
        karat.report(QRELS, RUN, measures="AP", output=tmp_path / "page.pdf")


def test_runs_by_keyword_and_in_lists(tmp_path: Path) -> None:
    paths = []
    for name, run in (("one", RUN), ("two", OTHER)):
        paths.append(str(tmp_path / f"{name}.run"))
        karat.convert(run, paths[-1], tag=name, kind="run", to="trec")
    compared = karat.compare(QRELS, paths, measures="AP").comparisons
    assert karat.compare(QRELS, runs=paths, measures="AP").comparisons == compared
    with pytest.raises(karat.UsageError, match="write measures='AP'"):
        karat.compare(QRELS, paths, "AP")


def test_limits_where_memory_or_numbers_would_end() -> None:
    # 32 GB of resamples, 300 GB of ranks, weights p^k that are 0 from the second rank on.
    with pytest.raises(karat.UsageError, match="4000000000"):
        karat.evaluate(QRELS, RUN, "AP", interval="bca", resamples=4_000_000_000)
    with pytest.raises(karat.UsageError, match="at most 0.999999"):
        karat.published.range(p="0.99999999999", score="0.5", at="0.1", residual="0.1")
    with pytest.raises(karat.UsageError, match="at least 1e-100, found 5e-324"):
        karat.rbo(RUN, OTHER, persistence=5e-324)


def test_answers_have_the_fields_of_their_class() -> None:
    answers = [
        karat.evaluate(QRELS, RUN, "AP", by_query=True),
        karat.compare(QRELS, RUN, OTHER, measures="AP"),
        karat.rbo(RUN, OTHER),
    ]
    assert [type(answer).__name__ for answer in answers] == ["EvalAnswer", "CompareAnswer", "RboAnswer"]
    for answer in answers:
        known = {name for kind in type(answer).__mro__ for name in getattr(kind, "__annotations__", {})}
        assert set(answer.to_dict()) - {"notes"} <= known
