"""Where the program and the real runs are, and how the program is asked."""
import gzip
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".scratch"


def program():
    """$KARAT, else karat's release build."""
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    found = pathlib.Path(os.environ.get("KARAT", pathlib.Path(target) / "release" / "karat"))
    if not found.exists():
        sys.exit(f"conformance: {found} is not there; build it: cargo build --release -p karat-cli")
    return str(found)


def example(name, package="karat-stats"):
    """An example of a package, built beside the program."""
    found = pathlib.Path(program()).resolve().parent / "examples" / name
    if not found.exists():
        sys.exit(f"conformance: {found} is not there; build it: cargo build --release -p {package} --example {name}")
    return str(found)


def data():
    """The real runs, unpacked; None where there are none, said loudly."""
    folder = pathlib.Path(os.environ.get("KARAT_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / "unpack").exists():
        print("conformance: !! no data folder (KARAT_DATA or ../shared/data): ONLY RANDOM CASES, no real runs, "
              "no official values", flush=True)
        return None
    unpacked = SCRATCH / "data"
    subprocess.run([sys.executable, folder / "unpack", unpacked], check=True)
    return unpacked


def karat(*arguments):
    """What karat prints; stops when it fails."""
    done = subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"karat {' '.join(map(str, arguments))}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def trec_eval(*arguments):
    """Values of `karat trec_eval` by (measure, topic), as text."""
    lines = (line.split("\t") for line in karat("trec_eval", *arguments).splitlines())
    return {(measure.rstrip(), topic): value for measure, topic, value in lines}


@dataclass
class Collection:
    """Judgements and the runs made for them."""
    name: str
    qrels: pathlib.Path
    runs: list = field(default_factory=list)


def collections(folder):
    """Every real collection with plain judgements."""
    found = [
        Collection("TREC-COVID round 1", folder / "trec_covid_r1/qrels.txt", files(folder / "trec_covid_r1/runs")),
        Collection("TREC-COVID round 3", folder / "trec_covid_r3/qrels.txt", files(folder / "trec_covid_r3/runs")),
        Collection("DL19 passage", folder / "dl19_passage/qrels.txt", files(folder / "dl19_passage/runs")),
        Collection("DL19, 200 topics", folder / "dl19_passage/qrels.txt",
                   [folder / "dl19_passage/full200topics.bm25base_p.gz"]),
        Collection("Web 2012", folder / "web_diversity/2012_qrels.adhoc.txt",
                   [run for run in files(folder / "web_diversity/runs2012") if run.suffix != ".csv"]),
        Collection("Haystack", folder / "judges_quepid_haystack/case_ratings.qrels",
                   sorted((folder / "judges_quepid_haystack").glob("run.*.trec"))),
        Collection("AVS 2021, sampled", without_strata(folder / "xinfap_trecvid_avs21/qrels.5col.strata"),
                   [folder / "xinfap_trecvid_avs21/run.RUCMM.txt"]),
        Collection("TREC-COVID 1, 20 %", folder / "trec_covid_r1/derived_sampled_20pct.qrels",
                   files(folder / "trec_covid_r1/runs")[::12]),
        Collection("TREC-COVID 1, 50 %", folder / "trec_covid_r1/derived_sampled_50pct.qrels",
                   files(folder / "trec_covid_r1/runs")[5::12]),
        Collection("trectools", folder / "trectools_toy/qrel1.txt", sorted((folder / "trectools_toy").glob("r?.run"))),
    ]
    tests = folder / "trec_eval_test"
    for qrels, runs in (("qrels.test", ["results.test", "results.trunc"]), ("qrels.rel_level", ["results.test"]),
                        ("qrels-302.test", ["results-302.test"]), ("qrels.comment.test", ["results.comment.test"])):
        found.append(Collection(f"trec_eval {qrels}", tests / qrels, [tests / run for run in runs]))
    return found


def files(folder):
    return sorted(path for path in folder.iterdir() if path.is_file())


def without_strata(strata):
    """The four columns trec_eval reads, from the five of stratified judgements."""
    plain = SCRATCH / "conformance" / "avs21.qrels"
    plain.parent.mkdir(parents=True, exist_ok=True)
    with open(strata) as rows, open(plain, "w") as out:
        for row in rows:
            topic, iteration, docno, _, grade = row.split()
            out.write(f"{topic} {iteration} {docno} {grade}\n")
    return plain


def rows(path):
    """Fields of every line that is not blank or a comment."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield line.split()
