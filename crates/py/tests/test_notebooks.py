"""The runner of the notebooks fails where a notebook does. (The notebooks themselves are run by tools/notebooks.)"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def notebook(*cells: str, text: str = "Words.", **changed: Any) -> str:
    """A notebook with a cell of text and these of code."""
    listed: list[dict[str, Any]] = [{"cell_type": "markdown", "id": "words", "metadata": {}, "source": [text]}]
    for place, source in enumerate(cells):
        lines = source.splitlines(keepends=True)
        own = {"cell_type": "code", "execution_count": None, "id": f"code-{place}", "metadata": {}, "outputs": [], "source": lines}
        listed.append(own | changed)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    told = {"cells": listed, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def run(folder: Path, notebooks: dict[str, str], *more: str) -> subprocess.CompletedProcess[str]:
    paths = [folder / f"{name}.ipynb" for name in notebooks]
    for path, content in zip(paths, notebooks.values(), strict=True):
        path.write_text(content, encoding="utf-8")
    command = [sys.executable, ROOT / "tools" / "notebooks", *more, *paths]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300)


def test_a_good_one_passes(tmp_path: Path) -> None:
    content = notebook("import karat\nx = 41", "assert x + 1 == 42", text="It is 42, not `43`; [nor](44.md) P@45 nor 4.")
    done = run(tmp_path, {"good": content})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "good.ipynb: runs" in done.stdout and [path.name for path in tmp_path.iterdir()] == ["good.ipynb"]


def test_every_bad_one_fails(tmp_path: Path) -> None:
    good = "assert 1 + 1 == 2"
    bad = {
        "wrong": notebook(good, "assert 1 + 1 == 3, 'no such sum'"),
        "forgiven": notebook("assert 1 + 1 == 3", metadata={"tags": ["raises-exception"]}),
        "slow": notebook(good, "import time\ntime.sleep(600)"),
        "dead": notebook(good, "import os\nos._exit(1)"),
        "printed": notebook(good, outputs=[{"output_type": "stream", "name": "stdout", "text": ["42"]}]),
        "counted": notebook(good, execution_count=1),
        "unsaid": notebook(good, text="It is 42.5."),
        "unchecked": notebook("print(42)", text="It is 42."),
    }
    done = run(tmp_path, bad, "--timeout", "5")
    told = {line.partition(".ipynb: ")[0]: line for line in done.stdout.splitlines() if ".ipynb: " in line}
    assert done.returncode == 1 and f"{len(bad)} of {len(bad)} failed" in done.stderr
    assert "cell 'code-1' failed" in told["wrong"] and "no such sum" in done.stdout
    assert "--clean" in told["forgiven"] and "--clean" in told["printed"] and "--clean" in told["counted"]
    assert "cell 'code-1' took more than 5 seconds" in told["slow"]
    assert "the kernel died in cell 'code-1'" in told["dead"]
    assert "cell 'words' says 42.5" in told["unsaid"] and "no cell checks" in told["unchecked"]


def test_cleaning(tmp_path: Path) -> None:
    bad = notebook("assert True", execution_count=1, metadata={"tags": ["raises-exception"]})
    done = run(tmp_path, {"bad": bad}, "--clean")
    assert done.returncode == 0 and (tmp_path / "bad.ipynb").read_text() == notebook("assert True")


def test_the_notebooks_are_listed() -> None:
    """Every notebook is in the list of its folder, and the list has no other."""
    folder = ROOT / "docs" / "notebooks"
    names = sorted(path.name for path in folder.glob("*.ipynb"))
    assert names and all(f"]({name})" in (folder / "README.md").read_text(encoding="utf-8") for name in names)
