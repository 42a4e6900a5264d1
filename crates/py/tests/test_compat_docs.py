"""The examples of the pages for people who come from another tool, run as they stand."""
import doctest
import importlib
import importlib.util
import pathlib
import re

import pytest

GUIDE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "guide"
PAGES = sorted(GUIDE.glob("coming-from-*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_say_what_they_print(page, tmp_path, monkeypatch):
    tool = page.stem.removeprefix("coming-from-")
    if tool == "ir_measures" and importlib.util.find_spec(tool) is None:
        pytest.skip("ir_measures is not installed")
    if tool == "ir_measures":
        # Other tests may have taken karat out again.
        importlib.import_module("karat.compat.ir_measures").install()
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, str(page), 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    failures, _ = runner.run(test)
    assert failures == 0


def test_there_is_a_page_for_every_drop_in():
    assert {page.stem.removeprefix("coming-from-") for page in PAGES} == {"pytrec_eval", "ir_measures", "ranx"}
