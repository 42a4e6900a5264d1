"""Makes docs/which-tool-says-what.md: the same small files given to every tool, what each says, and who is right.

    which_tool.py --write      runs every tool and writes the page (all peers must be there)
    which_tool.py --check      runs every tool and fails if the page says anything else

Every number on the page is measured when it is written; cases.py holds the files and the words.
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import pytrec_eval

import cases
import peers
import rules
import setting

PAGE = setting.ROOT / "docs" / "which-tool-says-what.md"
PYTREC_EVAL = "0.5.11"


class TrecEval9:
    """trec_eval 9's own code through pytrec_eval. Over all topics: the mean of those it returns."""
    name, version = "trec_eval 9", f"its code in pytrec_eval-terrier {PYTREC_EVAL}"

    def evaluate(self, judged, ranked, specs):
        found = {}
        for spec in specs:
            by_topic = pytrec_eval.RelevanceEvaluator(judged.by_topic(), {spec.replace("_cut_", "_cut.")}).evaluate(
                ranked.by_topic())
            values = {topic: next(iter(of.values())) for topic, of in by_topic.items()}
            found.update({(spec, topic): value for topic, value in values.items()})
            found[spec, "all"] = sum(values.values()) / len(values)
        return found


def karat(folder, spec):
    """karat's value and its residual; options may stand before the measure: `--ties file RR`."""
    *options, measure = spec.split()
    wants_residual = measure.startswith("residual:")
    done = subprocess.run([setting.program(), "eval", *options, "-f", "json", "-m", measure.removeprefix("residual:"),
                           folder / "qrels", folder / "run"], capture_output=True, text=True)
    if done.returncode:
        return None
    score = json.loads(done.stdout)["scores"][0]
    return score["high"] - score["low"] if wants_residual else score["value"]


def shown(value):
    if value is None:
        return "undefined"
    return "not a number" if value != value else f"{value:.4f}".rstrip("0").rstrip(".") if value == int(value) else f"{value:.4f}"


@contextlib.contextmanager
def quiet():
    """Keeps off the terminal what peers, and the programs they start, say beside the number."""
    kept = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def ask(peer, judged, ranked, spec):
    """What a peer says, in words where it has no number."""
    try:
        with quiet():
            # "NRBP after X": both in one call, the value of the first.
            spec, _, before = spec.partition(" after ")
            found = together(peer, judged, ranked, before, spec) if before else peer.evaluate(judged, ranked, [spec])
    except Exception as error:  # Whatever it is: that the tool stops is the finding.
        return f"stops: {type(error).__name__}"
    if (spec, "all") in found:
        return shown(found[spec, "all"])
    values = [value for (_, topic), value in found.items()]
    return shown(sum(values) / len(values)) if values else "nothing"


def together(peer, judged, ranked, *specs):
    """ir_measures asked for several measures at once, as its users do; the answer for the last."""
    library = peer.module
    qrels = [library.Qrel(topic, docno, grade, iteration) for topic, iteration, docno, grade in judged.rows]
    measures = [library.parse_measure(spec) for spec in specs]
    answers = library.calc_aggregate(measures, qrels, [library.ScoredDoc(*row) for row in ranked.rows])
    # Which of them comes first is not ours to say (they are kept in a set): the one that lost is the finding.
    return {(specs[-1], "all"): min(answers.values())}


def table(case, tools):
    judged = peers.Judged([(topic, iteration, docno, int(grade)) for topic, iteration, docno, grade in
                           (line.split() for line in case.qrels.strip().splitlines())])
    ranked = peers.Ranked([(topic, docno, float(score)) for topic, _, docno, _, score, _ in
                           (line.split() for line in case.run.strip().splitlines())])
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "qrels").write_text(case.qrels.strip() + "\n")
        (folder / "run").write_text(case.run.strip() + "\n")
        for tool, specs in case.asked.items():
            for spec in specs:
                if tool == "karat":
                    *_, measure = spec.split()
                    if karat(folder, spec) is None and "undefined" not in case.allow:
                        return None, f"karat does not know {measure}"
                    says = shown(karat(folder, spec))
                else:
                    says = ask(tools[tool], judged, ranked, spec)
                rows.append((tool, spec, says))
    return rows, None


def page(tools):
    parts = [cases.OPENING.strip(), "", "| tool | version |", "|---|---|"]
    version = setting.karat("--version").split()[1]
    for name, tool in tools.items():
        parts.append(f"| {name} | {tool.version} |")
    parts += [f"| karat | {version} |", "| trec_eval 10 | not run, see [below](#trec_eval-10) |", "", "## In short", "",
              "| what | who differs | who is right |", "|---|---|---|"]
    made, left_out = [], []
    for case in cases.CASES:
        rows, problem = table(case, tools)
        if problem:
            left_out.append(f"{case.title}: {problem}")
            continue
        made.append((case, rows))
    for case, _ in made:
        parts.append(f"| [{case.title}](#{anchor(case.title)}) | {case.who} | {case.right} |")
    for case, rows in made:
        parts += ["", f"## {case.title}", "", case.text.strip(), "", *files(case), "", "| tool | measure | value |",
                  "|---|---|---|"]
        parts += [f"| {tool} | `{spec}` | {says} |" for tool, spec, says in rows]
        parts += ["", case.verdict.strip()]
    parts += ["", "## trec_eval 10", "", cases.TREC_EVAL_10.strip(), "", "## On real runs", "", cases.REAL_RUNS.strip(), "",
              "| cause | tool | what it does | who is right |", "|---|---|---|---|"]
    parts += [f"| {name} | {cause.tool} | {cause.what} | {cause.right} |" for name, cause in rules.CAUSES.items()]
    return "\n".join(parts) + "\n", left_out


def files(case):
    if len(case.run.strip().splitlines()) + len(case.qrels.strip().splitlines()) > 12:
        return [case.files.strip()]
    return ["```text", "qrels", *(f"  {line}" for line in case.qrels.strip().splitlines()), "run",
            *(f"  {line}" for line in case.run.strip().splitlines()), "```"]


def anchor(title):
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def main():
    found, missing = peers.available()
    if missing:
        print(f"which_tool: !! THE PAGE IS NOT CHECKED: {', '.join(missing)} could not be had", flush=True)
        sys.exit(1 if "--write" in sys.argv else 0)
    text, left_out = page({TrecEval9.name: TrecEval9(), **found})
    for line in left_out:
        print(f"which_tool: left out: {line}")
    if "--write" in sys.argv:
        PAGE.write_text(text)
        print(f"which_tool: wrote {PAGE.relative_to(setting.ROOT)}")
        return
    now = PAGE.read_text() if PAGE.exists() else ""
    if now != text:
        for number, (old, new) in enumerate(zip(now.splitlines(), text.splitlines()), 1):
            if old != new:
                print(f"{PAGE.name}:{number}: the page says\n  {old}\nthe tools say\n  {new}")
        sys.exit("which_tool: the page is not what the tools say; look why, then conformance/which_tool.py --write")
    print(f"which_tool: {PAGE.relative_to(setting.ROOT)} is what the tools say")


if __name__ == "__main__":
    main()
