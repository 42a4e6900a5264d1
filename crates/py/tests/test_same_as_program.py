"""Every command gives the numbers that the command line gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import karat
import pytest

Ask = Callable[..., dict[str, Any]]


def same(result: karat.Result, told: dict[str, Any]) -> None:
    assert result.to_dict() == told


def runs(demo: Path) -> list[Path]:
    return sorted(demo.glob("*.run"))


def test_evaluate(demo: Path, typed: Ask) -> None:
    qrels, all_runs = demo / "qrels.txt", runs(demo)
    same(karat.evaluate(qrels, all_runs), typed("eval", qrels, *all_runs))
    same(
        karat.evaluate(qrels, all_runs, ["AP", "nDCG@10"], by_query=True, relevance_level=2, interval="bca", seed=7),
        typed("eval", qrels, *all_runs, "-m", "AP,nDCG@10", "-q", "-l", 2, "--interval", "bca", "--seed", 7),
    )
    same(
        karat.evaluate(qrels, all_runs[0], "AP", unjudged="fit", draws=50),
        typed("eval", qrels, all_runs[0], "-m", "AP", "--unjudged", "fit", "--draws", 50),
    )


def test_compare_and_budget(demo: Path, typed: Ask) -> None:
    qrels, (a, b, *_) = demo / "qrels.txt", runs(demo)
    same(
        karat.compare(qrels, a, b, measures="AP", test=["t", "sign"], permutations=500),
        typed("compare", qrels, a, b, "-m", "AP", "--test", "t,sign", "--permutations", 500),
    )
    same(karat.budget(qrels, a, measures=["P@10"]), typed("budget", qrels, a, "-m", "P@10"))


def test_judging(demo: Path, typed: Ask, tmp_path: Path) -> None:
    qrels, some = demo / "qrels.txt", runs(demo)[:2]
    same(karat.pool(*some, depth=5), typed("pool", *some, "--depth", 5))
    same(karat.sample(*some, rate=0.3, seed=4), typed("sample", *some, "--rate", 0.3, "--seed", 4))
    same(karat.next(qrels, *some, measure="RBP(p=0.9)"), typed("next", qrels, *some, "-m", "RBP(p=0.9)"))
    same(karat.rbo(*some), typed("rbo", *some))


def test_judges(demo: Path, typed: Ask, tmp_path: Path) -> None:
    labels = demo / "labels.csv"
    same(karat.judges.agree(labels), typed("judges", "agree", labels))
    counts = {"relevant": "43/59", "nonrelevant": "67/84"}
    rates = ["--relevant", "43/59", "--nonrelevant", "67/84"]
    calibrated = karat.judges.calibrate(**counts)
    same(calibrated, typed("judges", "calibrate", *rates))
    same(
        karat.judges.correct(score=0.6385, sd=0.402, n=20604, **counts),
        typed("judges", "correct", "--score", 0.6385, "--sd", 0.402, "--n", 20604, *rates),
    )
    a, b = "score=0.6260,sd=0.414,n=10278", "score=0.6385,sd=0.402,n=20604"
    same(karat.judges.compare(a=a, b=b, **counts), typed("judges", "compare", "--a", a, "--b", b, *rates))
    same(karat.judges.merge(labels, rule="mean"), typed("judges", "merge", labels, "--rule", "mean"))
    # A calibration may be handed on as it is.
    written = tmp_path / "judges.json"
    karat.judges.calibrate(**counts, output=written)
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
    run = {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d2": 1.0}}
    by_file = karat.evaluate(qrels, run, "P@2", calibration=written)
    in_hand = karat.evaluate(qrels, run, "P@2", calibration=calibrated)
    assert by_file.scores == in_hand.scores


def test_published(typed: Ask) -> None:
    same(karat.published.depth(p=0.8), typed("published", "depth", "--p", 0.8))
    same(karat.published.vectors(p=0.8, score="0.4200"), typed("published", "vectors", "--p", 0.8, "--score", "0.4200"))
    same(
        karat.published.range(p=0.95, score="0.30", at=[0.5, 0.8]),
        typed("published", "range", "--p", 0.95, "--score", "0.30", "--at", "0.5,0.8"),
    )
    a, b = "p=0.8,score=0.42,residual=0.01", "p=0.95,score=0.30"
    same(karat.published.compare(a=a, b=b), typed("published", "compare", "--a", a, "--b", b))


def test_published_study(demo: Path, typed: Ask) -> None:
    qrels, some = demo / "qrels.txt", runs(demo)[:2]
    same(karat.published.study(qrels, *some), typed("published", "study", qrels, *some))


def test_simulate_and_plan(demo: Path, typed: Ask) -> None:
    same(
        karat.simulate.ranking(seed=3, replications=100, q=[0.1, 0.2], w=0.5),
        typed("simulate", "ranking", "--seed", 3, "--replications", 100, "--q", "0.1,0.2", "--w", 0.5),
    )
    same(karat.simulate.judges(seed=5, runs=100), typed("simulate", "judges", "--seed", 5, "--runs", 100))
    qrels, some = demo / "qrels.txt", runs(demo)[:2]
    typed_plan = typed("plan", "topics", "--qrels", qrels, *(f"--runs={run}" for run in some), "--difference", 0.05)
    same(karat.plan(qrels=qrels, runs=some, difference=0.05), typed_plan)
    rates = ["--relevant", "43/59", "--nonrelevant", "67/84"]
    same(
        karat.plan_judges(score=0.6, difference=0.02, relevant="43/59", nonrelevant="67/84"),
        typed("plan", "judges", "--score", 0.6, "--difference", 0.02, *rates),
    )


def test_ab(demo: Path, typed: Ask) -> None:
    same(karat.ab(demo / "clicks.csv"), typed("ab", demo / "clicks.csv"))
    same(karat.ab_interleaving(demo / "interleaving.csv"), typed("ab", "interleaving", demo / "interleaving.csv"))


def test_tune(demo: Path, typed: Ask, tmp_path: Path) -> None:
    qrels, some = demo / "qrels.txt", runs(demo)[:3]
    ours = karat.tune(qrels, *some, log=tmp_path / "a.log")
    same(ours, typed("tune", qrels, *some, "--log", tmp_path / "b.log"))


def test_words(typed: Ask) -> None:
    same(karat.measures(), typed("measures"))
    same(karat.explain("AP"), typed("explain", "AP"))
    assert "Precision at the rank of each relevant document" in str(karat.explain("AP"))


def test_check_and_convert(demo: Path, typed: Ask) -> None:
    qrels, run = demo / "qrels.txt", runs(demo)[0]
    same(karat.check(qrels, run), typed("check", qrels, run))
    assert karat.convert(run, to="csv").content.startswith(b"query_id,")


def test_report(demo: Path, tmp_path: Path) -> None:
    page = karat.report(demo / "qrels.txt", *runs(demo)[:2], output=tmp_path / "page.html")
    assert page.html == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.headline and "<iframe" in page._repr_html_()
    in_hand = karat.report(demo / "qrels.txt", *runs(demo)[:2])
    assert in_hand.html == page.html and not Path("-").exists()


def test_reproduce(typed: Ask) -> None:
    with pytest.raises(karat.UsageError, match="unknown paper"):
        karat.reproduce("nobody2099")
