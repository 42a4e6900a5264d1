"""The program on a terminal: how far it has read, and nothing of that where nobody looks."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest
from conftest import program

pty = pytest.importorskip("pty")


def shown(folder: Path, *arguments: str) -> str:
    """What stands on the terminal while a run comes through a pipe, half of it late."""
    pipe = folder / "slow.run"
    os.mkfifo(pipe)
    lines = [f"q{topic} Q0 d{topic} 1 1.0 slow\n" for topic in range(2000)]

    def write() -> None:
        with pipe.open("w") as out:
            out.write("".join(lines[:1000]))
            out.flush()
            time.sleep(1.0)
            out.write("".join(lines[1000:]))

    writer = threading.Thread(target=write)
    writer.start()
    child, terminal = pty.fork()
    if child == 0:
        os.execv(program(), [program(), "eval", str(folder / "qrels.txt"), str(pipe), "-m", "AP", *arguments])
    told = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        told += more
    assert os.waitpid(child, 0)[1] == 0, told
    writer.join()
    pipe.unlink()
    return told.decode()


def test_reading_is_told_and_taken_away(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    told = shown(tmp_path)
    progress, answer = told.split("Evaluation")
    assert "reading slow.run: " in progress and " kB" in progress
    # The last thing before the answer is that the line is taken away.
    assert progress.rfind("\r\x1b[K") > progress.rfind("reading"), progress
    assert "AP" in answer and "reading" not in answer
    assert "reading" not in shown(tmp_path, "--no-progress")
