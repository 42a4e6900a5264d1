"""Results, exceptions, threads."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import karat
import pytest

QRELS = {f"q{n}": {"d1": n % 3, "d2": 0, "d3": 2} for n in range(6)}
RUN = {topic: {"d1": 3.0, "d2": 2.0, "d9": 1.0} for topic in QRELS}
OTHER = {topic: {"d2": 3.0, "d1": 2.0, "d3": 1.0} for topic in QRELS}


def test_results() -> None:
    result = karat.evaluate(QRELS, RUN, ["AP", "P@2"], by_query=True)
    assert result.command == "eval" and result.schema == "karat/1"
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
    assert twice.row == 2 and twice.line is None and "first in row 0" in twice.what and "two rows" in twice.remedy
    assert "row 2" in str(found) and "line" not in str(found)
    found = karat.check({"q1": {"d1": -1, "d2": 1}}, {"q1": {"d1": 0.5, "d2": 0.25}})
    assert [file.kind for file in found.files] == ["qrels", "run"]
    assert "1 row with a negative grade" in [finding.what for finding in found.findings]


def test_usage() -> None:
    with pytest.raises(karat.UsageError, match="did you mean 'by_query'"):
        karat.evaluate(QRELS, RUN, "AP", by_quary=True)
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
    assert caught.value.result.comparisons
    assert isinstance(caught.value, karat.KaratError)


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
