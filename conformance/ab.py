#!/usr/bin/env python3
"""Does `karat ab` say what scipy and statsmodels say, and is the delta method what a bootstrap of users finds?

    conformance/ab.py [--quick]

Random counts and random users through the program: z, Newcombe's and Wilson's intervals, chi-squared of the sample ratio, Welch's t, Holm,
units needed, sign test and t of interleaving to 1e-9 relative; the standard error of clicks/searches against 20,000 resamples of whole
users, within Monte-Carlo error. Exits 1 when a number differs. Without the peers it compares nothing, loudly.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
warnings.filterwarnings("ignore")
try:
    import numpy
    from scipy import stats
    from statsmodels.stats import multitest, power, proportion
except ImportError as error:
    print(f"conformance: !! ab: {error}: nothing is compared", flush=True)
    sys.exit(0)

TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOUND = [path for path in (pathlib.Path(os.environ.get("KARAT", "-")), TARGET / "release" / "karat", TARGET / "debug" / "karat") if path.is_file()]
if not FOUND:
    sys.exit(f"conformance: no karat in {TARGET}; build it: cargo build --release -p karat-cli")
wrong, compared = [], 0


def karat(*arguments):
    done = subprocess.run([FOUND[0], "ab", *arguments, "-f", "json"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"conformance: karat ab {' '.join(map(str, arguments))}: {done.stderr}")
    return json.loads(done.stdout)


def same(what, ours, theirs, slack=1e-9):
    global compared
    compared += 1
    if ours is None or not math.isclose(ours, theirs, rel_tol=slack, abs_tol=1e-12):
        wrong.append(f"{what}: karat {ours}, the peer {theirs}")


def counts(rng):
    trials = [rng.randint(20, 20000) for _ in range(2)]
    clicks = [rng.randint(1, n - 1) for n in trials]
    answer = karat("--a", f"clicks={clicks[0]},searches={trials[0]}", "--b", f"clicks={clicks[1]},searches={trials[1]}", "--split", "2:1")
    row, check = answer["comparisons"][0], answer["sample_ratio"]
    z, p = proportion.proportions_ztest(clicks[::-1], trials[::-1])
    same("z", row["z"], z)
    if p > 1e-300:
        same("p of z", row["p_naive"], p, 1e-8)
    low, high = proportion.confint_proportions_2indep(clicks[1], trials[1], clicks[0], trials[0], method="newcomb")
    same("Newcombe low", row["interval"][0], low)
    same("Newcombe high", row["interval"][1], high)
    for arm in range(2):
        wilson = proportion.proportion_confint(clicks[arm], trials[arm], method="wilson")
        for end in range(2):
            same("Wilson", answer["arms"][arm]["interval"][end], wilson[end])
    total = sum(trials)
    chi = stats.chisquare(trials, [total * 2 / 3, total / 3])
    same("chi-squared", check["chi_squared"], chi.statistic)
    if chi.pvalue > 1e-300:
        same("p of chi-squared", check["p"], chi.pvalue, 1e-8)


def users(rng, folder, resamples):
    arms = {"A": [], "B": [], "C": []}
    for arm, own in arms.items():
        for _ in range(rng.randint(150, 400)):
            searches = 1 + int(rng.expovariate(0.2))
            rate = rng.betavariate(1.5, 2)
            own.append((sum(rng.random() < rate for _ in range(searches)), searches))
    file = folder / "users.csv"
    rows = [f"{arm}{at},{arm},{clicks},{searches}" for arm, own in arms.items() for at, (clicks, searches) in enumerate(own)]
    rng.shuffle(rows)
    file.write_text("user,arm,clicks,searches\n" + "\n".join(rows) + "\n")
    answer = karat(file, "--metric", "clicks/searches", "--metric", "clicks/user", "--lift", "0.07", "--split", "1:1:1")
    p = [row["p"] for row in answer["comparisons"]]
    for ours, theirs in zip(answer["comparisons"], multitest.multipletests(p, method="holm")[1]):
        same("Holm", ours["p_adjusted"], theirs)
    pairs = {arm: numpy.array(own, dtype=float) for arm, own in arms.items()}
    generator = numpy.random.default_rng(rng.randrange(2**32))
    for row in answer["comparisons"]:
        a, b = pairs["A"], pairs[row["arm"]]
        if row["metric"] == "clicks/user":
            welch = stats.ttest_ind(b[:, 0], a[:, 0], equal_var=False)
            interval = welch.confidence_interval()
            for what, ours, theirs in [("t", row["t"], welch.statistic), ("df", row["df"], welch.df)]:
                same(f"Welch {what}", ours, theirs)
            # Few users: p and interval are by resampling, which Welch's t comes near.
            width = interval.high - interval.low
            for what, ours, theirs, room in [("p", row["p"], welch.pvalue, 0.02), ("low", row["interval"][0], interval.low, 0.02 * width),
                                             ("high", row["interval"][1], interval.high, 0.02 * width)]:
                same(f"near Welch's {what}", abs(ours - theirs) <= room, True)
            needed = next(own for own in answer["power"] if own["metric"] == row["metric"] and own["arm"] == row["arm"])
            # statsmodels divides by one standard deviation; with equal arms that is the root of the mean variance.
            deviation = math.sqrt((a[:, 0].var(ddof=1) + b[:, 0].var(ddof=1)) / 2)
            size = power.NormalIndPower().solve_power(0.07 * a[:, 0].mean() / deviation, alpha=0.05, power=0.8, ratio=1)
            # That is of one arm of two; the split here has three, of which two are compared. Their power counts the other tail too.
            same("units needed", needed["units_needed"], 3 * size, 1e-3)
            continue
        means = []
        for own in (a, b):
            drawn = generator.integers(0, len(own), (resamples, len(own)))
            means.append(own[:, 0][drawn].sum(axis=1) / own[:, 1][drawn].sum(axis=1))
        bootstrap = (means[1] - means[0]).std(ddof=1)
        # The bootstrap's own error is 1/√(2 resamples), and it divides by n where the delta method divides by n − 1.
        same("delta method against a bootstrap of users", row["std_error"], bootstrap, 4 / math.sqrt(2 * resamples) + 0.02)


def interleaving(rng, folder):
    rows, margins, wins = [], [], [0, 0]
    for user in range(rng.randint(20, 200)):
        winner = rng.choices(["a", "b", "tie"], [3, 4, 2])[0]
        rows.append(f"u{user},{winner}")
        margins.append({"a": -1, "b": 1, "tie": 0}[winner])
        wins = [wins[0] + (winner == "a"), wins[1] + (winner == "b")]
    file = folder / "outcomes.csv"
    file.write_text("user,winner\n" + "\n".join(rows) + "\n")
    tests = karat("interleaving", file)["tests"]
    same("sign test", tests[0]["p"], stats.binomtest(wins[1], sum(wins)).pvalue)
    exact = stats.binomtest(wins[1], sum(wins)).proportion_ci(method="exact")
    same("its interval", tests[0]["interval"][0], exact.low)
    same("t of the margin", tests[2]["p"], stats.ttest_1samp(margins, 0).pvalue)


def main():
    quick = "--quick" in sys.argv
    rng = random.Random(20261116)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for _ in range(20 if quick else 200):
            counts(rng)
        for _ in range(3 if quick else 10):
            users(rng, folder, 5000 if quick else 20000)
        for _ in range(10 if quick else 50):
            interleaving(rng, folder)
    for line in wrong[:20]:
        print(f"conformance: ab: {line}")
    print(f"conformance: ab: {compared} numbers beside scipy and statsmodels, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
