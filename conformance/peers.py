"""How the other tools are asked: the same rows in, a value for every measure and topic out.

Each peer gets what the files hold, not the files, so that a reader's limits (fields it does not expect, names it does
not like) do not count as differences between measures. A peer that cannot be had is left out with its reason.
"""
import importlib.metadata
import json
import logging
import math
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import setting

ELINOR = "0.4.0"


@dataclass
class Judged:
    """Judgements as rows (topic, subtopic or iteration, docno, grade)."""
    rows: list

    @classmethod
    def read(cls, path):
        return cls([(topic, iteration, docno, int(grade)) for topic, iteration, docno, grade, *_ in setting.rows(path)])

    def by_topic(self):
        found = {}
        for topic, _, docno, grade in self.rows:
            found.setdefault(topic, {})[docno] = grade
        return found

    def largest(self):
        return max(1, max(grade for *_, grade in self.rows))


@dataclass
class Ranked:
    """A run as rows (topic, docno, score), in the order of the file."""
    rows: list

    @classmethod
    def read(cls, path):
        return cls([(topic, docno, float(score)) for topic, _, docno, _, score, *_ in setting.rows(path)])

    def by_topic(self):
        found = {}
        for topic, docno, score in self.rows:
            found.setdefault(topic, {})[docno] = score
        return found

    def has_duplicates(self):
        return len({(topic, docno) for topic, docno, _ in self.rows}) < len(self.rows)


class IrMeasures:
    """ir_measures' default pipeline, which hands each measure to the first of its providers that has it."""
    name = "ir_measures"

    def __init__(self):
        import ir_measures
        self.module = ir_measures
        logging.getLogger("ir_measures.cwl_eval").setLevel("ERROR")
        self.version = ir_measures.__version__

    def registered(self):
        return set(self.module.measures.registry)

    def provider(self, spec):
        measure = self.module.parse_measure(spec)
        pipeline = self.module.DefaultPipeline.providers
        return next((one.NAME for one in pipeline if one.is_available() and one.supports(measure)), None)

    def evaluate(self, judged, ranked, specs):
        library = self.module
        qrels = [library.Qrel(topic, docno, grade, iteration) for topic, iteration, docno, grade in judged.rows]
        run = [library.ScoredDoc(*row) for row in ranked.rows]
        found = {}
        # Not all in one call: asked together, measures with other parameters can spoil each other
        # (docs/which-tool-says-what.md).
        for group in self._apart(specs):
            answer = library.calc(group.values(), qrels, run)
            by_measure = {measure: spec for spec, measure in group.items()}
            for metric in answer.per_query:
                found[by_measure[metric.measure], metric.query_id] = float(metric.value)
            for measure, value in answer.aggregated.items():
                found[by_measure[measure], "all"] = float(value)
        return found

    def _apart(self, specs):
        together = {}
        for spec in specs:
            provider = self.provider(spec)
            # NumRet and NumQ ride along with whichever measure Python's hashing puts first; if that one looks at judged
            # documents only, so do they.
            key = (provider, spec if provider == "pyndeval" else "judged_only" in spec)
            together.setdefault(key, {})[spec] = self.module.parse_measure(spec)
        return together.values()


class Ranx:
    name = "ranx"

    def __init__(self):
        import ranx
        self.module = ranx
        self.version = importlib.metadata.version("ranx")

    def evaluate(self, judged, ranked, specs):
        qrels = self.module.Qrels.from_dict(judged.by_topic())
        run = self.module.Run.from_dict(ranked.by_topic())
        # The means and the values by topic are left in the run that make_comparable returns.
        run = run.make_comparable(qrels)
        self.module.evaluate(qrels, run, list(specs))
        # Its sort is not stable: where scores tie, only ranx knows the order it took.
        self.order = {topic: list(documents) for topic, documents in run.run.items()}
        found = {}
        for spec in specs:
            found[spec, "all"] = float(run.mean_scores[spec])
            for topic, value in run.scores[spec].items():
                found[spec, topic] = float(value)
        return found


class CwlEval:
    """cwl_eval: gains from 0 to 1, documents in the order of the file. `binary:` before a measure asks for gains of
    relevant or not, `residual:` for the residual of its expected utility."""
    name = "cwl_eval"

    def __init__(self):
        from cwl.ruler import cwl_ruler
        from cwl.ruler.ranking import RankingMaker
        from cwl.seeker.trec_qrel_handler import TrecQrelHandler
        logging.getLogger("cwl").disabled = True
        self.ruler, self.maker, self.handler = cwl_ruler, RankingMaker, TrecQrelHandler
        self.version = importlib.metadata.version("cwl-eval")

    def evaluate(self, judged, ranked, specs):
        handlers, largest = {}, judged.largest()
        for binary in (True, False):
            handlers[binary] = self.handler()
            for topic, _, docno, grade in judged.rows:
                gain = float(grade >= 1) if binary else max(grade, 0) / largest
                handlers[binary].put_value(topic, docno, gain)
        topics = {topic for topic, *_ in judged.rows}
        lists = {}
        for topic, docno, _ in ranked.rows:
            if topic in topics:
                lists.setdefault(topic, []).append(docno)
        metrics = {}
        for spec in specs:
            metrics.setdefault(spec.removeprefix("residual:"), []).append(spec)
        found = {}
        for topic, docnos in lists.items():
            rankings = {}
            for binary, handler in handlers.items():
                maker = self.maker(topic, handler)
                for docno in docnos:
                    maker.add(docno, "_")
                rankings[binary] = maker.get_ranking()
            for metric, wanted in metrics.items():
                binary, _, call = metric.rpartition(":")
                name, _, parameters = call.rstrip(")").partition("(")
                made = getattr(self.ruler, f"{name}CWLMetric")(*map(json.loads, filter(None, parameters.split(","))))
                made.residuals = f"residual:{metric}" in wanted
                value = made.measure(rankings[bool(binary)])
                if metric in wanted:
                    found[metric, topic] = float(value)
                if made.residuals:
                    found[f"residual:{metric}", topic] = float(made.residual_expected_utility)
        return found


class Elinor:
    """elinor's library, called from a main function of our own, since its command reads JSON lines only."""
    name = "elinor"
    version = ELINOR
    MANIFEST = f"""[package]
name = "conformance-elinor"
version = "0.0.0"
edition = "2021"

[dependencies]
elinor = "={ELINOR}"

[workspace]
"""
    MAIN = """use elinor::{evaluate, trec, Metric};
use std::{env, error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let qrels = trec::parse_true_rels_in_trec(fs::read_to_string(&arguments[0])?.lines())?;
    let run = trec::parse_pred_rels_in_trec(fs::read_to_string(&arguments[1])?.lines())?;
    for name in &arguments[2..] {
        let result = evaluate(&qrels, &run, name.parse::<Metric>()?)?;
        println!("{name}\\tall\\t{:e}", result.mean());
        for (topic, value) in result.scores() {
            println!("{name}\\t{topic}\\t{value:e}");
        }
    }
    Ok(())
}
"""

    def __init__(self):
        folder = setting.SCRATCH / "conformance-elinor"
        (folder / "src").mkdir(parents=True, exist_ok=True)
        for path, text in ((folder / "Cargo.toml", self.MANIFEST), (folder / "src" / "main.rs", self.MAIN)):
            if not path.exists() or path.read_text() != text:
                path.write_text(text)
        environment = {**os.environ, "CARGO_TARGET_DIR": str(folder / "target")}
        done = subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=folder, env=environment,
                              capture_output=True, text=True)
        if done.returncode:
            raise OSError((done.stderr.strip().splitlines() or ["cargo failed"])[-1])
        self.program = folder / "target" / "release" / "conformance-elinor"

    def evaluate(self, judged, ranked, specs):
        # A topic nobody judged is an error in elinor, one the run lacks is left out.
        topics = {topic for topic, *_ in judged.rows}
        with tempfile.TemporaryDirectory() as folder:
            qrels, run = pathlib.Path(folder, "q"), pathlib.Path(folder, "r")
            qrels.write_text("".join(f"{topic} 0 {docno} {grade}\n" for topic, _, docno, grade in judged.rows))
            run.write_text("".join(f"{topic} Q0 {docno} 0 {score!r} t\n" for topic, docno, score in ranked.rows
                                   if topic in topics))
            done = subprocess.run([self.program, qrels, run, *specs], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"elinor: {done.stderr.strip()}")
        lines = (line.split("\t") for line in done.stdout.splitlines())
        return {(spec, topic): float(value.replace("inf", "Infinity")) for spec, topic, value in lines}


def available(names=None):
    """The peers that can be had, and why the others cannot."""
    found, missing = {}, {}
    for peer in (IrMeasures, Ranx, CwlEval, Elinor):
        if names and peer.name not in names:
            continue
        try:
            found[peer.name] = peer()
        except (ImportError, OSError, importlib.metadata.PackageNotFoundError) as error:
            missing[peer.name] = str(error)
    for name, reason in missing.items():
        print(f"conformance: !! {name} IS LEFT OUT: {reason}", file=sys.stderr, flush=True)
    return found, missing


def same(ours, theirs, decimals=None):
    """Equal to 1e-9 (of 1, or of values above it), or as far as the peer prints."""
    if math.isnan(theirs):
        return False
    return abs(ours - theirs) <= (1e-9 * max(1, abs(theirs)) if decimals is None else 0.5 * 10**-decimals + 1e-9)
