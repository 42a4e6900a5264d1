#!/usr/bin/env python3
"""Do karat's tests, corrections, associations, power and intervals say what SciPy and statsmodels say?

    conformance/tests.py [--quick]

Needs no data: random differences like those of scores, continuous and discrete, with ties and zeros. The numbers come from the example
`tests` of karat-stats: cargo build --release -p karat-stats --example tests. What is deterministic must agree to 1e-9 relative, what is drawn within
five standard deviations of its Monte-Carlo error. Exits 1 when a number differs.
"""
import collections
import math
import subprocess
import sys
import warnings

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from setting import example

SIDES = {"two_sided": "two-sided", "greater": "greater", "less": "less"}
DRAWS = 100_000
warnings.filterwarnings("ignore")


class Requests:
    """Questions for karat with the peer's answer, asked all at once."""

    def __init__(self):
        self.lines, self.checks = [], []

    def ask(self, peer, words, expected, slack=None):
        """`slack` is the Monte-Carlo error allowed for each number; without it 1e-9 relative."""
        self.lines.append(" ".join(repr(float(word)) if isinstance(word, (float, np.floating)) else str(word) for word in words))
        self.checks.append((peer, [float(number) for number in expected], slack))

    def compare(self):
        done = subprocess.run([example("tests")], input="\n".join(self.lines) + "\n", capture_output=True, text=True, check=True)
        answers = done.stdout.splitlines()
        assert len(answers) == len(self.lines), (len(answers), len(self.lines))
        compared, wrong, worst = collections.Counter(), 0, 0.0
        for line, answer, (peer, expected, slack) in zip(self.lines, answers, self.checks):
            name = " ".join(line.split()[:3])
            compared[peer] += 1
            if answer.startswith("-") and answer[1:2] == " ":
                ok = any(math.isnan(number) for number in expected)
            else:
                ours = [float(number) for number in answer.split()]
                assert len(ours) == len(expected), (line[:80], answer, expected)
                if slack is None:
                    # Relative, but what is within 1e-14 is equal: a mean that should be 0 is not. So a p below 1e-5 is held to 1e-14 and
                    # not to nine digits; its far tail is held by tests/scipy_reference.tsv.
                    off = [abs(a - b) / max(abs(b), 1e-12) if abs(a - b) > 1e-14 else 0.0 for a, b in zip(ours, expected)]
                    worst = max([worst, *off])
                    ok = all(error <= 1e-9 for error in off)
                else:
                    ok = all(abs(a - b) <= s for a, b, s in zip(ours, expected, slack))
            if not ok:
                wrong += 1
                print(f"conformance: {name}: karat {answer[:60]}, {peer} {expected[:4]} in {line[:120]}")
        return compared, wrong, worst


def samples(rng, quick):
    """Differences of scores: continuous, skewed, in steps, with zeros."""
    for n in (5, 6, 8, 10, 13, 14, 20, 25, 50, 51, 100, 300):
        for _ in range(1 if quick else 2):
            yield rng.normal(0.03, 0.1, n)
            yield rng.random(n) * rng.random(n) - 0.2
            # Steps of 1/8 are exact in binary, so that SciPy sees the ties, too.
            yield np.round(rng.normal(0.1, 0.3, n) * 8) / 8
            # Steps of a tenth, rounded for both sides, for SciPy knows only exact ties. That karat sees ties through the rounding of floats is
            # not compared here but tested in crates/stats.
            yield np.round(rng.integers(0, 11, n) / 10 - rng.integers(0, 10, n) / 10, 10)


def tests(ask, rng, quick):
    for d in samples(rng, quick):
        if not d.any() or len(set(d)) == 1:
            continue
        for ours, theirs in SIDES.items():
            found = stats.ttest_1samp(d, 0, alternative=theirs)
            ask("SciPy ttest", ["test", "t", ours, 1, 1, *d], [found.statistic, found.pvalue])
            # With ties on 10 to 13 topics SciPy goes through all signs in Python, seconds a call: one side of those will do.
            if not 9 < len(d) < 14 or ours == "two_sided":
                found = stats.wilcoxon(d, alternative=theirs)
                ask("SciPy wilcoxon", ["test", "wilcoxon", ours, 1, 1, *d], [found.statistic, found.pvalue])
            won, lost = int((d > 0).sum()), int((d < 0).sum())
            found = stats.binomtest(won, won + lost, alternative=theirs)
            ask("SciPy binomtest", ["test", "sign", ours, 1, 1, *d], [won, found.pvalue])
            other = rng.normal(0, 0.2, rng.integers(2, 40))
            found = stats.ttest_ind(d, other, equal_var=False, alternative=theirs)
            ask("SciPy Welch", ["welch", ours, len(d), *d, *other], [found.statistic, found.pvalue])
            if len(d) <= 8:
                # All signs on both sides. SciPy's two-sided p doubles the smaller tail, which is the same, for signs mirror.
                # Rounded, for SciPy takes 0.1 + 0.2 - 0.3 for more than 0 and misses the tie.
                mean = lambda x, axis: np.round(np.mean(x, axis=axis), 12)
                found = stats.permutation_test((d,), mean, permutation_type="samples", vectorized=True, n_resamples=np.inf,
                                               alternative=theirs)
                ask("SciPy permutation, exact", ["test", "randomization", ours, 1, 1, *d], [np.mean(d), found.pvalue])
    for n in (50, 120):
        d = rng.random(n) * rng.random(n) - 0.21
        mean = lambda x, axis: np.mean(x, axis=axis)
        for ours, theirs in SIDES.items():
            found = stats.permutation_test((d,), mean, permutation_type="samples", vectorized=True, n_resamples=20_000,
                                           batch=2000, alternative=theirs, rng=rng)
            error = (found.pvalue * (1 - found.pvalue) * (1 / 20_000 + 1 / DRAWS)) ** 0.5
            # SciPy doubles the smaller tail: two times its error.
            ask("SciPy permutation, drawn", ["test", "randomization", ours, DRAWS, 2, *d], [np.mean(d), found.pvalue],
                [1e-12, 10 * error + 1e-4])


def bounded(ask, rng, quick):
    """Means under drawn uniform weights, with one more topic at the largest loss: the definition itself, which karat integrates."""
    draws = 100_000 if quick else 400_000
    for n in (3, 10, 25, 50):
        d = np.clip(rng.normal(0.2, 0.3, n), -1, 1)
        weights = rng.dirichlet(np.ones(n + 1), draws)
        below, above = ((weights @ np.append(side * d, -1) <= 0).mean() for side in (1, -1))
        p = min(below, above)
        ask("NumPy Dirichlet", ["test", "bounded", "two_sided", 1, 1, *d], [d.mean(), min(1.0, 2 * p)],
            [1e-12, 10 * (max(p, 10 / draws) / draws) ** 0.5])


def corrections(ask, rng):
    names = {"holm": "holm", "bonferroni": "bonferroni", "benjamini_hochberg": "fdr_bh"}
    for m in (1, 2, 3, 10, 45, 500):
        p = rng.random(m) ** rng.integers(1, 6)
        for p in (p, np.round(p, 1)):
            for ours, theirs in names.items():
                ask("statsmodels multipletests", ["correct", ours, *p], multipletests(p, method=theirs)[1])


def associations(ask, rng):
    for n in (2, 3, 5, 12, 40, 129, 2000):
        for steps in (4, 10_000_000):
            a = rng.integers(0, steps, n) / steps
            b = np.round((a + rng.integers(0, steps, n) / steps) * 8) / 8
            values = {"tau_b": stats.kendalltau, "pearson": stats.pearsonr, "spearman": stats.spearmanr}
            for name, function in values.items():
                varied = len(set(a)) > 1 and len(set(b)) > 1
                ask(f"SciPy {function.__name__}", ["associate", name, n, *a, *b],
                    [function(a, b).statistic if varied else math.nan])
            ask("NumPy", ["associate", "rms", n, *a, *b], [np.sqrt(np.mean((a - b) ** 2))])


def designs(ask, rng):
    for n in (2, 5, 10, 25, 50, 200, 1000):
        for d in (0.0, 0.1, 0.3, 0.8, -0.5):
            for alpha in (0.05, 0.01):
                ask("statsmodels TTestPower", ["power", n, d, alpha], [TTestPower().power(d, n, alpha)])
    for n in (5, 25, 100):
        d = rng.normal(0.1, 0.2, n)
        size = d.mean() / d.std(ddof=1)
        t = size * n ** 0.5
        # The noncentralities by bisection on SciPy's own nct.
        def end(p):
            low, high = t - 20, t + 20
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if stats.nct.sf(t, n - 1, middle) < p else (low, middle)
            return low / n ** 0.5
        ask("SciPy nct", ["effect", 0.95, *d], [size, end(0.025), end(0.975)])


def bootstraps(ask, rng, quick):
    for n in (20, 50, 200):
        x = rng.random(n) ** 3
        found = [stats.bootstrap((x,), np.mean, n_resamples=20_000, method="BCa", vectorized=True, batch=2000, rng=rng)
                 for _ in range(1 if quick else 2)]
        low = np.mean([f.confidence_interval.low for f in found])
        high = np.mean([f.confidence_interval.high for f in found])
        error = x.std(ddof=1) / n ** 0.5
        # An end's error: √(.025 · .975 / B) over the density there (0.06 standard errors), and about as much from the bias correction.
        slack = 5 * error * (0.025 * 0.975) ** 0.5 / 0.058 * 1.5 * (1 / 20_000 / len(found) + 1 / DRAWS) ** 0.5
        ask("SciPy bootstrap BCa", ["bca", DRAWS, 0.95, *x], [low, high], [slack, slack])


def main():
    quick = "--quick" in sys.argv
    rng = np.random.default_rng(20261116)
    requests = Requests()
    tests(requests.ask, rng, quick)
    bounded(requests.ask, rng, quick)
    corrections(requests.ask, rng)
    associations(requests.ask, rng)
    designs(requests.ask, rng)
    bootstraps(requests.ask, rng, quick)
    compared, wrong, worst = requests.compare()
    told = ", ".join(f"{peer} {count}" for peer, count in sorted(compared.items()))
    print(f"conformance: tests: compared with {told}; {wrong} differ, furthest apart {worst:.1e} relative where nothing is drawn")
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main()
