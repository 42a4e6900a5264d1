"""Files and the program that the tests compare with."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


def program() -> str:
    """The karat program: KARAT, else one that was built, else one on the path."""
    named = os.environ.get("KARAT")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "karat" for profile in ("release", "debug")]
    found = named or next((str(path) for path in built if path.exists()), None) or shutil.which("karat")
    if not found:
        pytest.fail("the karat program is not built: cargo build --release -p karat-cli, or set KARAT")
    return found


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's files."""
    folder = tmp_path_factory.mktemp("demo")
    subprocess.run([program(), "demo", "--no-report", "-o", str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def typed() -> Callable[..., dict[str, Any]]:
    """What the command line answers, as JSON."""

    def ask(*arguments: object) -> dict[str, Any]:
        command = [program(), *map(str, arguments), "-f", "json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    return ask


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """A TREC run as a mapping."""
    run: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, _, score, _ = line.split()
        run.setdefault(topic, {})[document] = float(score)
    return run


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """TREC qrels as a mapping."""
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        topic, _, document, grade = line.split()
        qrels.setdefault(topic, {})[document] = int(grade)
    return qrels


def rows(mapping: dict[str, dict[str, Any]]) -> list[tuple[str, str, Any]]:
    """The same as rows."""
    return [(topic, document, value) for topic, inner in mapping.items() for document, value in inner.items()]
