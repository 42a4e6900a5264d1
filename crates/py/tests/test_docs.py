"""Docstrings and the examples in the documentation run."""

from __future__ import annotations

import doctest
import re
import subprocess
from pathlib import Path

import karat
import pytest
from conftest import ROOT, program
from karat import _call, _commands, _errors, _inputs, _notebook, _result


@pytest.mark.parametrize(
    "module", [karat, _call, _commands, _errors, _inputs, _notebook, _result], ids=lambda module: module.__name__
)
def test_docstrings(module: object) -> None:
    done = doctest.testmod(module, extraglobs={"karat": karat})  # type: ignore[arg-type]
    assert done.failed == 0
    assert module is not _commands or done.attempted > 5


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md"])
def test_examples_of_the_documentation(page: str, demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blocks of Python are sessions of one interpreter, run beside the demo's files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "karat-demo").symlink_to(demo)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.S)
    assert blocks
    names: dict[str, object] = {}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks):
        test = parser.get_doctest(block, names, f"{page} {number}", page, 0)
        runner.run(test, clear_globs=False)
        names.update(test.globs)
    assert runner.tries > 0 and runner.failures == 0


def test_equivalents_of_trec_eval(demo: Path) -> None:
    """The measures that the guide calls the same give the same number."""
    page = (ROOT / "docs/guide/trec_eval.md").read_text(encoding="utf-8")
    table = page.partition("## Measures\n")[2].partition("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    assert len(cells) > 15
    run = demo / "fusion.run"
    for theirs, ours in cells:
        # A remark after the measures may name something too.
        for their, our in zip(re.findall(r"`([^`]+)`", theirs), re.findall(r"`([^`]+)`", ours), strict=False):
            asked = [program(), "trec_eval", "--precision", "full", "-m", their, demo / "qrels.txt", run]
            lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
            (value,) = [float(line.split()[2]) for line in lines]
            scored = karat.evaluate(demo / "qrels.txt", run, our, missing_topics="skip").scores[0]
            assert scored.value == value, (their, our)
