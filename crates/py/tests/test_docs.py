"""Docstrings and the examples in the documentation run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import karat
import pytest
from conftest import ROOT
from karat import _call, _commands, _errors, _inputs, _result


@pytest.mark.parametrize(
    "module", [karat, _call, _commands, _errors, _inputs, _result], ids=lambda module: module.__name__
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
