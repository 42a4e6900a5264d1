"""Long measurements in cells: each is kept when it is done, so that a command can be stopped and repeated."""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "conformance"))
import setting  # noqa: E402


class Kept:
    """What is known so far, by the name of the cell, in .scratch/NAME.json."""

    def __init__(self, name):
        self.path = ROOT / ".scratch" / f"{name}.json"
        self.cells = json.loads(self.path.read_text()) if self.path.exists() else {}

    def __contains__(self, cell):
        return cell in self.cells

    def __getitem__(self, cell):
        return self.cells[cell]["found"]

    def add(self, cell, found, seconds):
        self.cells[cell] = {"found": found, "seconds": round(seconds, 1)}
        self.path.parent.mkdir(exist_ok=True)
        partial = self.path.with_suffix(".partial")
        partial.write_text(json.dumps(self.cells, indent=1))
        partial.replace(self.path)

    def minutes(self, counted=lambda cell: True):
        """Processor time of the cells that count."""
        return f"{sum(known['seconds'] for cell, known in self.cells.items() if counted(cell)) / 60:.0f}"


def processor_time():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def command(description, name, cells, page, minutes=9):
    """The command line of a measurement. `cells` gives what computes each cell, by its name; `page` makes the page of what is kept."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=minutes, help="time after which no cell is begun")
    parser.add_argument("--write", action="store_true", help=f"write docs/{name}-measured.md from what is there")
    given = parser.parse_args()
    kept = Kept(name)
    if given.write:
        (ROOT / "docs" / f"{name}-measured.md").write_text(layout(page(kept)))
        return
    cells, end = cells(), time.monotonic() + 60 * given.minutes
    for cell, compute in cells.items():
        if cell not in kept and time.monotonic() < end:
            before = processor_time()
            kept.add(cell, compute(), processor_time() - before)
            print(f"{cell}: done", flush=True)
    print(f"{sum(cell not in kept for cell in cells)} of {len(cells)} cells left", flush=True)


def layout(text):
    """Paragraphs and lists in lines of one length; tables, headings and commands as they are."""
    def block(lines):
        if lines.startswith(("#", "|", "    ")):
            return lines
        items = re.sub(r"\n(?=- )", "\n\n", lines).split("\n\n")
        fill = lambda item: textwrap.fill(  # noqa: E731
            " ".join(item.split()), 150, subsequent_indent="  " * item.startswith("- "), break_long_words=False, break_on_hyphens=False
        )
        return "\n".join(map(fill, items))

    return "\n\n".join(map(block, re.split(r"\n\n+", text.strip()))) + "\n"


def example(package, name, *words):
    """What an example prints."""
    done = subprocess.run([setting.example(name, package), *map(str, words)], capture_output=True, text=True, check=True)
    return done.stdout


def rows(text):
    """The rows of Markdown tables, without headings."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    lines = [[word.strip() for word in line] for line in lines]
    rule = [place for place, line in enumerate(lines) if set(line[0]) == {"-"}]
    return [line for place, line in enumerate(lines) if place not in rule and place + 1 not in rule]


def table(heads, found):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in found]) + "\n"


def percent(share):
    return f"{100 * share:.1f}"


def error(share, worlds):
    """Standard error of a share, in percent."""
    return f"{100 * (share * (1 - share) / worlds) ** 0.5:.2g}"
