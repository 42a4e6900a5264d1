"""ir_measures' own tests, from its source distribution, with karat first in the pipeline: what passes, what differs
and why.

    python conformance/ir_measures_suite.py            fetches the tests, runs them, compares with the list below

The tests mostly ask one provider by name. Here every provider that they name is the pipeline (karat, that provider),
so that karat answers whatever it can. An assertion that does not hold is counted and the test goes on. The tests run
twice, without karat and with it; what does not hold without karat is not about karat. Nothing of the tests is kept in
the project.
"""
import importlib
import json
import subprocess
import sys
import tarfile
import unittest
from collections import Counter
from types import ModuleType

import setting

VERSION = "0.4.3"
FOLDER = setting.SCRATCH / "ir_measures-suite"
NAMED = ("accuracy", "cwl_eval", "compat", "gdeval", "pytrec_eval", "trectools", "judged", "msmarco", "pyndeval",
         "ranx")
# Every assertion that holds without karat and not with it: the test, how many, why.
EXPECTED = {
    "gdeval.ERR": (6, "gdeval's largest grade is 4 whatever the judgements say, and it rounds to five decimals; here "
                      "the largest is 2"),
    "gdeval.nDCG": (11, "asks gdeval for nDCG@k, for which it gives the value with exponential gains; ir_measures' own "
                        "pipeline gives that with the grades as gains, as karat does"),
    "measures.measures": (5, "ERR, as above"),
    "providers.empty": (12, "ERR, as above; P and Compat in the last digit of a sum; values of cwl_eval come with "
                            "further fields"),
    "pytrec_eval.SetF": (8, "beta is taken for its square without karat"),
}
# Tests that end early with karat in the pipeline and not without.
STOPS = {"ranx.P": "asks for SetP(rel=2)@5, which is no measure; a pipeline says so, a provider asked alone does not"}


def fetch():
    """The tests, unpacked."""
    tests = FOLDER / f"ir_measures-{VERSION}" / "tests"
    if not tests.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--no-binary", ":all:", "--dest", FOLDER, f"ir_measures=={VERSION}"]
        subprocess.run(command, check=True)
        with tarfile.open(FOLDER / f"ir_measures-{VERSION}.tar.gz") as archive:
            archive.extractall(FOLDER, filter="data")
    return tests


class Result(unittest.TestResult):
    """Assertions that hold and that do not, test by test."""

    def __init__(self):
        super().__init__()
        self.held, self.failed, self.broken = Counter(), {}, {}

    def startTest(self, test):
        super().startTest(test)
        self.test = test

    def assertion(self, test, check):
        """Makes one assertion, and goes on."""
        try:
            check()
        except AssertionError as error:
            self.failed.setdefault(test.id(), []).append(str(error).splitlines()[0])
        else:
            self.held[test.id()] += 1

    def addError(self, test, err):
        self.broken.setdefault(test.id().split(" ")[0], f"{err[0].__name__}: {str(err[1]).splitlines()[0]}")

    addFailure = addError

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.addError(test, err)


def recording(result):
    """TestCase's assertions and NumPy's, each counted."""
    import numpy

    equal = numpy.testing.assert_equal

    def numpy_equal(found, expected, *given, **options):
        try:
            equal(found, expected, *given, **options)
        except AssertionError:
            result.failed.setdefault(result.test.id(), []).append(f"{found} != {expected}")
        else:
            result.held[result.test.id()] += 1

    numpy.testing.assert_equal = numpy_equal
    for name in ("assertEqual", "assertAlmostEqual", "assertTrue"):
        original = getattr(unittest.TestCase, name)

        def counted(self, *given, original=original, **options):
            result.assertion(self, lambda: original(self, *given, **options))

        setattr(unittest.TestCase, name, counted)


class BaseMeasureTest(unittest.TestCase):
    """What tests/base.py, which the source distribution lacks, is for: two lists of metrics, equal to four places."""

    def assertMetrics(self, found, expected, places=4, not_equal=False):
        found, expected = ({(m.query_id, repr(m.measure)): m.value for m in metrics} for metrics in (found, expected))
        self.assertEqual(found.keys(), expected.keys())
        if not_equal:
            self.assertTrue(any(round(found[key] - expected[key], places) for key in found))
            return
        for key in found.keys() & expected.keys():
            self.assertAlmostEqual(found[key], expected[key], places=places)


def child(with_karat):
    """Runs the tests in this process and prints what came of them."""
    import ir_measures
    from ir_measures import providers

    if with_karat:
        importlib.import_module("karat.compat.ir_measures")
        karat_first = providers.registry["karat"]
        for name in NAMED:
            setattr(ir_measures, name, providers.FallbackProvider([karat_first, getattr(ir_measures, name)]))
        providers.PytrecEvalProvider = lambda: ir_measures.pytrec_eval
    tests = fetch()
    package, base = ModuleType("theirs"), ModuleType("theirs.base")
    package.__path__, base.BaseMeasureTest = [str(tests)], BaseMeasureTest
    sys.modules |= {"theirs": package, "theirs.base": base}
    result = Result()
    recording(result)
    for path in sorted(tests.glob("test_*.py")):
        unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"theirs.{path.stem}")).run(result)
    print(json.dumps({"tests": result.testsRun, "held": result.held, "failed": result.failed, "broken": result.broken}))


def ask(with_karat):
    command = [sys.executable, "-W", "ignore", __file__, "--child", "karat" if with_karat else "plain"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"conformance: ir_measures' tests could not be run\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def short(test):
    module, _, name = test.removeprefix("theirs.test_").partition(".")
    return f"{module}.{name.rpartition('.')[2].removeprefix('test_')}"


def main():
    fetch()
    plain, ours = ask(False), ask(True)
    held = sum(ours["held"].values())
    total = held + sum(map(len, ours["failed"].values()))
    found, wrong = {}, []
    for test, messages in ours["failed"].items():
        new = list((Counter(messages) - Counter(plain["failed"].get(test, []))).elements())
        if new:
            found[short(test)] = (len(new), new)
    broken = {short(test): text for test, text in ours["broken"].items() if test not in plain["broken"]}
    print(f"\nir_measures' tests with karat first: {ours['tests']} tests, {total} assertions, {held} hold, "
          f"{sum(count for count, _ in found.values())} differ because of karat")
    print(f"  not runnable or not holding without karat either: "
          f"{', '.join(f'{short(test)} ({text})' for test, text in plain['broken'].items()) or 'none'}")
    for test, (count, messages) in found.items():
        expected = EXPECTED.get(test, (0, "not expected"))
        print(f"  {test}: {count} differ: {expected[1]}")
        if expected[0] != count:
            wrong.append(f"{test}: {count} differ, {expected[0]} expected: {messages[:40]}")
    for test, text in broken.items():
        print(f"  {test}: ends early: {STOPS.get(test, 'not expected')}")
        if test not in STOPS:
            wrong.append(f"{test}: ends early: {text}")
    wrong += [f"{test}: differs no longer" for test in EXPECTED.keys() - found.keys()]
    for line in wrong:
        print("  differs:", line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    if "--child" in sys.argv:
        child(sys.argv[-1] == "karat")
    else:
        main()
