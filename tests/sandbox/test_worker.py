"""What a Worker promises to those who use it."""

import pickle
import shutil
import time

import pytest

from sandbox import (
    DEFAULT_PRELOAD,
    InterpreterMissing,
    Limits,
    ProgramError,
    SandboxError,
    UnserialisableReply,
    Worker,
    WorkerDied,
    WorkerTimeout,
)

PROGRAM = """
import random
calls = []

def echo(*args):
    calls.append(args)
    return args[0] if len(args) == 1 else args

def count():
    return len(calls)

def fail(n):
    if n == 0:
        return {}["missing"]
    return fail(n - 1)

def forever():
    while True:
        pass
"""


@pytest.fixture(
    scope="module",
    params=[
        "cpython",
        pytest.param("pypy", marks=pytest.mark.skipif(not shutil.which("pypy3"), reason="no pypy3")),
    ],
)
def interpreter(request):
    return request.param


@pytest.fixture
def worker(interpreter):
    with Worker(PROGRAM, interpreter=interpreter) as made:
        yield made


def test_json_values_make_the_round_trip(worker):
    for value in (None, True, 0, -(2**80), 1.5, "é\n\U0001f600", [1, [2, {}]], {"a": [None]}):
        assert worker.call("echo", value) == value
    assert worker.call("echo", 1, (2, 3)) == [1, [2, 3]]
    assert worker.call("program.count") == 9


def test_an_error_shows_where_in_the_program_and_leaves_the_worker_usable(worker):
    with pytest.raises(ProgramError) as caught:
        worker.call("fail", 2)
    error = caught.value
    assert (error.type_name, error.message) == ("KeyError", "'missing'")
    source = PROGRAM.splitlines()
    last = source.index('        return {}["missing"]') + 1
    assert error.traceback_lines[-1] == f'program:{last} in fail: return {{}}["missing"]'
    assert len(error.traceback_lines) == 3
    assert worker.call("echo", 1) == 1 and worker.alive


def test_a_program_can_read_its_own_source():
    """Programs of models look at themselves, as with `inspect`: the lines are whole ones."""
    source = "import inspect\n\ndef one():\n    return 1\n\ndef text():\n    return inspect.getsource(one)\n"
    with Worker(source, preload=(*DEFAULT_PRELOAD, "inspect")) as made:
        assert made.call("text") == "def one():\n    return 1\n"


@pytest.mark.parametrize(
    "source, type_name",
    [
        ("x = = 1", "SyntaxError"),
        ("import nonesuch", "ModuleNotFoundError"),
        ("from math import nonesuch", "ImportError"),
        ("raise SystemExit(3)", "SystemExit"),
        ("def f(): return f() + 1\nf()", "RecursionError"),
        ("x = bytearray(1 << 40)", "MemoryError"),
        ("1 / 0", "ZeroDivisionError"),
        ("x = '\\0'\n\0", None),
    ],
)
def test_errors_of_loading(interpreter, source, type_name):
    with pytest.raises(ProgramError) as caught:
        Worker(source, interpreter=interpreter)
    if type_name is not None:
        assert caught.value.type_name == type_name


def test_a_forbidden_import_names_the_modules_there_are(interpreter):
    with pytest.raises(ProgramError) as caught:
        Worker("import math\nimport requests", interpreter=interpreter)
    assert "'requests'" in caught.value.message
    assert all(name in caught.value.message for name in DEFAULT_PRELOAD)
    assert caught.value.traceback_lines == ("program:2 in <module>: import requests",)


def test_every_default_module_and_what_it_loads_late_works_when_sealed(interpreter):
    source = "\n".join(f"import {name}" for name in DEFAULT_PRELOAD if name != "__future__")
    source = (
        "from __future__ import annotations\n"
        + source
        + """
from dataclasses import dataclass
@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: typing.Optional[int] = None
class Colour(enum.Enum):
    RED = enum.auto()
def use():
    return [
        time.strptime("2024-02-03", "%Y-%m-%d").tm_yday, "\\N{GREEK SMALL LETTER ALPHA}",
        str(fractions.Fraction(1, 3)), statistics.median([1, 2, 9]), "x".encode("utf-16").decode("utf-16"),
        repr(Point(1)), Colour.RED.name, re.sub("a+", "b", "caat"), string.Template("$x").substitute(x=1),
        copy.deepcopy({"a": [1]}), "\\u00e9".encode("latin-1").decode("latin-1"), sorted([Point(2), Point(1)])[0].x,
        "%s" % round(3.7), traceback.format_exception_only(ValueError, ValueError("v")), typing.get_type_hints(Point) != {},
    ]
"""
    )
    with Worker(source, interpreter=interpreter) as worker:
        used = worker.call("use")
    assert used[:9] == [34, "α", "1/3", 2, "x", "Point(x=1, y=None)", "RED", "cbt", "1"]
    assert used[9:] == [{"a": [1]}, "é", 1, "4", ["ValueError: v\n"], True]


def test_later_modules_import_earlier_ones(interpreter):
    sources = {"model": "def f(x): return x + 1", "driver": "import model\ndef g(x): return model.f(x) * 2"}
    with Worker(sources, interpreter=interpreter) as worker:
        assert worker.call("g", 3) == 8
        assert worker.call("model.f", 3) == 4
        with pytest.raises(ProgramError, match="driver.*no function 'f'"):
            worker.call("f", 3)
        with pytest.raises(ProgramError, match="model, driver"):
            worker.call("nonesuch.f", 3)


@pytest.mark.parametrize("expression", ["{1}", "float('nan')", "[float('inf')]", "b'x'", "object()", "{(1,): 2}",
                                        "'\\ud800'", "'x' * (1 << 21)"])  # fmt: skip
def test_a_reply_that_is_no_json_is_refused_and_the_worker_lives(interpreter, expression):
    with Worker(f"def f(): return {expression}\ndef g(): return 1", interpreter=interpreter) as worker:
        with pytest.raises(UnserialisableReply, match="^f returned"):
            worker.call("f")
        assert worker.call("g") == 1


def test_arguments_that_are_no_json_are_refused_before_they_are_sent(worker):
    for bad in (float("nan"), {1}, "x" * (1 << 21)):
        with pytest.raises(ValueError, match="arguments of echo"):
            worker.call("echo", bad)
    assert worker.call("count") == 0


def test_a_timeout_kills_and_later_calls_fail_at_once(worker):
    started = time.monotonic()
    with pytest.raises(WorkerTimeout, match="forever"):
        worker.call("forever", timeout=0.2)
    assert 0.2 <= time.monotonic() - started < 1.5
    assert not worker.alive
    with pytest.raises(WorkerDied, match="deadline"):
        worker.call("echo", 1)


def test_a_program_that_does_not_finish_loading_is_killed(interpreter):
    Worker("pass", interpreter=interpreter).close()  # the deadline below is for the program alone
    with pytest.raises(WorkerTimeout):
        Worker("while True: pass", interpreter=interpreter, limits=Limits(start_seconds=0.3))


def test_a_deadline_that_is_over_before_it_starts_is_a_timeout_and_does_no_lasting_harm(interpreter):
    Worker("pass", interpreter=interpreter).close()  # so that a zygote waits for requests
    with pytest.raises(WorkerTimeout):
        Worker("pass", interpreter=interpreter, limits=Limits(start_seconds=1e-9))
    with Worker("def f(): return 3", interpreter=interpreter) as worker:
        assert worker.call("f") == 3


def test_the_cpu_limit_is_named(interpreter):
    with Worker(PROGRAM, interpreter=interpreter, limits=Limits(cpu_seconds=1)) as worker:
        with pytest.raises(WorkerDied, match="SIGXCPU.*cpu_seconds"):
            worker.call("forever", timeout=8)


@pytest.mark.parametrize(
    "body, reason",
    [("import os; os._exit(7)", "exited with status 7"), ("import ctypes; ctypes.string_at(1)", "SIGSEGV")],
)
def test_a_death_is_explained(interpreter, body, reason):
    with Worker(f"def f():\n    {body}", interpreter=interpreter) as worker:
        with pytest.raises(WorkerDied, match=reason):
            worker.call("f")
        with pytest.raises(WorkerDied, match=reason):
            worker.call("f")


def test_the_same_seed_gives_the_same_result_in_every_zygote(interpreter):
    """Sets of strings and of None, and draws without a seed, come out the same in processes of
    their own."""
    from sandbox import zygote

    source = """
import random
def f():
    cells = {("a", None, i) for i in range(20)}
    return [str(c) for c in cells] + list({"x%d" % i for i in range(20)}) + [random.random()]
"""
    seen = set()
    for _ in range(3):
        with Worker(source, interpreter=interpreter) as worker:
            if not worker.report["layers"]["fixed_addresses"]["active"]:
                pytest.skip("this kernel or container does not let addresses be fixed")
            seen.add(str(worker.call("f")))
        zygote.close_all()
    assert len(seen) == 1


def test_output_goes_nowhere(worker, capfd):
    with Worker("import sys\ndef f():\n    print('out'); sys.stderr.write('err')") as printer:
        assert printer.call("f") is None
    assert capfd.readouterr() == ("", "")


def test_close_is_final_and_can_be_repeated(interpreter):
    worker = Worker(PROGRAM, interpreter=interpreter)
    assert worker.alive
    worker.close()
    worker.close()
    assert not worker.alive
    with pytest.raises(WorkerDied, match="closed"):
        worker.call("echo", 1)


def test_numpy_when_it_is_preloaded():
    np = pytest.importorskip("numpy")
    source = """
import numpy as np
def f():
    a = np.random.default_rng(5).random((40, 40))
    return [np.unique([3, 1, 3]).tolist(), float((a @ a).sum()), np.polynomial.Polynomial([1, 2])(3).item(),
            float(np.linalg.norm(a)), np.char.upper("x").item(), float(np.ma.array([1, 2], mask=[0, 1]).sum())]
"""
    a = np.random.default_rng(5).random((40, 40))
    with Worker(source, preload=DEFAULT_PRELOAD + ("numpy",)) as worker:
        unique, product, polynomial, norm, upper, masked = worker.call("f")
    assert unique == [1, 3] and polynomial == 7 and upper == "X" and masked == 1
    assert product == pytest.approx(float((a @ a).sum()), rel=1e-12)
    assert norm == pytest.approx(float(np.linalg.norm(a)), rel=1e-12)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"source": {}}, "empty mapping"),
        ({"source": {"random": "x"}}, "taken"),
        ({"source": {"a b": "x"}}, "identifier"),
        ({"source": {"a": b"x"}}, "text of module 'a', found bytes"),
        ({"source": "x", "interpreter": "ruby"}, "'ruby'"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments, message):
    with pytest.raises(ValueError, match=message):
        Worker(**arguments)


@pytest.mark.parametrize("field, value", [("memory_bytes", 5), ("cpu_seconds", 0), ("call_seconds", 0),
                                          ("start_seconds", float("nan")), ("frame_bytes", "1")])  # fmt: skip
def test_bad_limits_are_refused(field, value):
    with pytest.raises(ValueError, match=f"Limits.{field}"):
        Limits(**{field: value})


def test_missing_things_say_how_to_get_them(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(InterpreterMissing, match="apt install pypy3"):
        Worker("pass", interpreter="pypy")
    with pytest.raises(InterpreterMissing, match="/nonexistent/python"):
        Worker("pass", interpreter="/nonexistent/python")
    with pytest.raises(SandboxError, match="nonesuch"):
        Worker("pass", preload=("nonesuch",))


@pytest.mark.skipif(not shutil.which("pypy3"), reason="no pypy3")
def test_pypy_refuses_numpy_in_words():
    with pytest.raises(SandboxError, match="numpy.*cpython"):
        Worker("pass", interpreter="pypy", preload=DEFAULT_PRELOAD + ("numpy",))


def test_errors_can_be_carried_between_processes():
    for error in (ProgramError("E", "m", ["l"]), WorkerDied("r"), WorkerTimeout("t")):
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error) and str(copy) == str(error) and copy.args == error.args
