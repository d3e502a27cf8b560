"""A language model is asked for a model in C: what it is shown, what goes back to it, what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cwm.contract import manifest
from cwm.worker import speed
from cwm.worker.native import compiling
from cwm.writing.rewriting import native_judging, native_writing, tables
from cwm.writing.rewriting.native_difference import Difference
from cwm.writing.rewriting.native_judging import NativeCandidate
from sandbox import InterpreterMissing

needs_compiler = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))
FEW = 100


def _answer(source: str) -> str:
    return f"Here it is.\n```c\n{source}```\n"


@pytest.fixture
def right(source_of):
    """Text of a right model in C, that of the `folder`."""
    return (Path(__file__).parents[1] / "models" / "tic_tac_toe.c").read_text(encoding="utf-8")


@pytest.fixture
def rates(monkeypatch):
    """Timing is not what is tested: by default a model in C searches ten times as fast."""
    measured = {"cpython": 10, "native": 100}
    monkeypatch.setattr(
        speed, "interpreter_report", lambda *programs: {"chosen": "native", "simulations_per_second": measured}
    )
    return measured


@needs_compiler
def test_what_is_wrong_goes_back_until_a_right_file_comes(folder, scripted, right, rates, quick_builds):
    wrong = right.replace("0124};", "0125};").replace("put_char(text, '(');", "put_char(text, '[');")
    assert wrong != right
    llm = scripted("no file", _answer(wrong), _answer(right))
    verdicts = native_writing.rewrite(folder, llm, 3, FEW)
    assert [verdict.accepted for verdict in verdicts] == [False, False, True]
    assert verdicts[0].reason == native_writing.NO_FILE and verdicts[1].reason.startswith("action_name")
    first, second, third = (request.messages[-1].content for request in llm.requests)
    assert manifest.load(folder).source.strip() in first and "native.h: the contract" in first
    assert "# Your file so far" not in first + second
    assert wrong.strip() in third and verdicts[1].reason in third
    assert len({request.seed for request in llm.requests}) == 3
    loaded = manifest.load(folder)
    assert loaded.native_source == right
    told = loaded.manifest["native"]["candidates"]
    assert [candidate["reason"] for candidate in told] == [verdict.reason for verdict in verdicts]
    assert told[-1]["transitions"] >= FEW
    again = scripted()  # which has no answer
    assert [one.accepted for one in native_writing.rewrite(folder, again, 3, FEW)] == [False, False, True]
    assert again.requests == []


@needs_compiler
@pytest.mark.parametrize("native", [10, None])
def test_what_is_not_faster_is_refused(folder, scripted, right, rates, quick_builds, native):
    rates["native"] = native
    [verdict] = native_writing.rewrite(folder, scripted(_answer(right)), 0, FEW)
    assert not verdict.accepted and ("not faster" if native else "comes out otherwise") in verdict.reason
    assert manifest.load(folder).native_source is None and not Path(folder, "model.c").exists()
    assert not manifest.load(folder).manifest["native"]["accepted"]


def test_an_accepted_model_outlives_later_refusals(folder, right):
    verdict = NativeCandidate(True, "by the test", 7, {"cpython": 1, "native": 2})
    native_judging.install(folder, manifest.load(folder), right, verdict)
    native_judging.note_refused(folder, manifest.load(folder), [NativeCandidate(False, "wrong")])
    assert manifest.load(folder).native_source == right


def test_without_a_compiler_nothing_is_asked(folder, scripted, monkeypatch):
    monkeypatch.setattr(compiling, "compiler", lambda: None)
    llm = scripted()
    with pytest.raises(InterpreterMissing, match=r"pip install 'spielwright\[native\]'"):
        native_writing.rewrite(folder, llm)
    assert llm.requests == []


def test_a_model_that_failed_its_tests_is_not_asked_for(folder, scripted):
    path = Path(folder, "manifest.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    for rung in content["rungs"]:
        rung["status"] = "failed"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match="only a model that passes its own tests"):
        native_writing.rewrite(folder, scripted())


# --- tables -------------------------------------------------------------------------------------------

MODULE = """
import math
NUM_PLAYERS = 1 + 1
WRITTEN = (1, 2, 3)
SQUARES = [n * n for n in range(4)]
LINES, SEEN = tuple((n, n + 1) for n in range(2)), {"b": frozenset([2, 1])}
LONG = [0] * 5000
ROOT = math.sqrt
def size():
    return 3
"""


def test_what_a_module_computes_is_written_out():
    constants, of_model, of_value = tables.constants_and_tables(MODULE, "import model\nWORTH = [1.5] * 2\n")
    assert constants["NUM_PLAYERS"] == "2" and constants["MIN_UTILITY"] == "None"
    assert of_model == {"SQUARES": "[0, 1, 4, 9]", "LINES": "((0, 1), (1, 2))", "SEEN": "{'b': {1, 2}}"}
    assert of_value == {"WORTH": "[1.5, 1.5]"}


def test_short_tables_come_before_long_ones(monkeypatch):
    monkeypatch.setattr(tables, "MOST_TOGETHER", 30)
    _, found, _ = tables.constants_and_tables("LONG = [1] * 9\nSHORT = [2] * 2\n", None)
    assert found == {"SHORT": "[2, 2]"}


# --- differences --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "difference, told",
    [
        (Difference("the constants"), "the constants"),
        (Difference("it fails", ("x1", "o2")), "after 2 actions (x1, o2): it fails"),
        (
            Difference("returns", ("x1",), ["#1", "#-1"], ["#1", "#0.5"]),
            "after 1 actions (x1): returns: expected [1, -1], found [1, 0.5]",
        ),
        (
            Difference("observation", (), [{"a": "#1"}, {"a": ["#1"], "b": None}], [{"a": "#1"}, {"a": ["#2"], "b": None}]),
            "observation at [1]['a']: expected [1], found [2]",
        ),
        (Difference("observation", (), [{"a": "#1"}], [{"b": "#1"}]), 'observation at [0]: expected {"a": 1}, found {"b": 1}'),
        (Difference("observation", (), ["#hash"], ["#tag"]), 'observation: expected ["#hash"], found ["#tag"]'),
    ],
)  # fmt: skip
def test_a_difference_is_told_at_its_place(difference, told):
    assert str(difference) == told


def test_a_long_difference_is_cut():
    told = str(Difference("legal_actions", (), list(range(1000)), [0]))
    assert len(told) < 700 and "..., found [0]" in told
