"""Compiled models: the same results as CPython's, to the bit, and errors that are still data."""

from __future__ import annotations

import ast
import sys
import time
from pathlib import Path

import pytest

from arena.matches.forfeit import Unplayable
from arena.matches.match import play_match
from cwm.contract import manifest
from cwm.play import mcts_bot
from cwm.play.mcts_bot import resolve_interpreter
from cwm.worker import compilers, compiling, speed
from cwm.worker.simulator import Simulator
from sandbox import InterpreterMissing, Limits, ProgramError, SandboxError

MODELS = sorted((Path(__file__).parents[1] / "models").glob("*.py"))
needs_cython = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))

# What a compiler of Python might get wrong; the annotations are all lies.
TRICKY = """
from __future__ import annotations
import collections, enum, functools, itertools, math
from dataclasses import dataclass, field
from typing import Dict, List, NamedTuple, Optional, Tuple

LIMIT: str = 7
TABLE: Dict[str, int] = {i: 1 << (i * 13) for i in range(12)}

class Colour(enum.Enum):
    RED = 1
    BLUE = 2

class Point(NamedTuple):
    x: int
    y: float = 0.5

@dataclass(frozen=True)
class State:
    board: Tuple[int, ...]
    seen: frozenset = field(default_factory=frozenset)
    def after(self, number: str) -> int:
        return State(self.board + (number,), self.seen | {number})

def lies(number: int, text: str = 3, *rest: float, key: bool = "k") -> list:
    total: int = 0.5
    names: List[int] = "abc"
    return [number * 2, text + 1, rest, key, total + 1, names]

def shifts(): return [1 << (c * 9) for c in range(10)] + [TABLE[11], (1 << 62) * 4, -7 // 2, -7 % 3, 7 % -3]
def floats(): return [(x / 7 * 1.1 + 0.3).hex() for x in range(-5, 6)] + [(0.1 + 0.2 * 3.0).hex(), (-7.5) // 2, (-7.5) % 2, 2 ** -1, 10 ** 20, math.sqrt(2).hex()]
def unknown(): return nowhere + 1
def unbound():
    number: int
    return number
def unbound_later(flag=False):
    if flag:
        number = 1
    return number
def zero(): return [1 // (LIMIT - 7)]
def index(): return TABLE[99]
def fields(): return [list(State((1,)).after(5).board), sorted(State(()).after(2).seen), repr(State((1,))), Point(1).y, repr(Point(2, 3)), Colour(2).name]
def frozen(): State(()).board = 3
def generators():
    def count(n):
        try:
            for i in range(n):
                got = yield i
                if got: yield got
        finally:
            pass
    walk = count(3)
    return [next(walk), walk.send("s"), list(walk), list(itertools.accumulate(range(5)))]
def closures():
    made = [lambda: i for i in range(3)]
    kept = 0
    def add(n):
        nonlocal kept
        kept += n
        return kept
    return [[f() for f in made], add(2), add(3), [k for k in (lambda **kw: kw)(b=1, a=2)]]
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def cached(): return fib(90)
def order(): return [list({"b", "a", "cc", 5, (1, 2)} and sorted(map(str, {"b", "a", 5}))), str(list({"x%d" % i for i in range(20)}))]
def strings(): return [f"{3.14159:.2f}|{LIMIT!r:>4}", "a,b".split(","), "%s-%03d" % ("x", 7), "\\u00e9".encode().hex()]
def unpack():
    first, *middle, (a, b) = [1, 2, 3, (4, 5)]
    return [first, middle, a, b, (n := 4) + n, [*range(3), *"ab"], {**{"a": 1}, "b": 2}]
def handled():
    try:
        raise KeyError("k")
    except (KeyError, ValueError) as error:
        return [type(error).__name__, error.args[0], isinstance(True, int), bool([]) is False]
def compare(): return [1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, None is None, "a" in "cat", not 0, True + True]
def loop():
    out = []
    for i in range(3):
        for j in range(5):
            if j == 2: break
        else:
            out.append("none")
        i += 10
        out.append([i, j])
    else:
        out.append("done")
    return out
"""


EXPRESSIONS = (Path(__file__).parent / "expressions.txt").read_text(encoding="utf-8").splitlines()
PARAMETERS = {"s": "'a' * 70", "c": "'\U0001f600'", "f": "2.55"}


@pytest.fixture(scope="module")
def tricky():
    driver = "import t\ndef names(): return [n for n in vars(t) if callable(getattr(t, n))]"
    made = [
        compiling.make_worker(
            {"t": TRICKY, "driver": driver}, {"t": compiling.SEARCH_IMPORTS}, limits=Limits(), interpreter=name
        )
        for name in ("cpython", "cython")
    ]
    yield made
    for worker in made:
        worker.close()


def outcome(worker, call, *arguments):
    try:
        return worker.call(f"t.{call}", *arguments)
    except ProgramError as error:
        return [error.type_name, error.message.replace("t.", "")]


PROBES = [
    node.name
    for node in ast.parse(TRICKY).body
    if isinstance(node, ast.FunctionDef) and node.name not in ("fib", "lies")
]


@needs_cython
@pytest.mark.parametrize("probe", PROBES)
def test_compiled_python_is_python(tricky, probe):
    ours, compiled = (outcome(worker, probe) for worker in tricky)
    if probe.startswith("unbound"):  # its name and wording are the compiler's own
        assert ours[0] == "UnboundLocalError"
        assert compiled[0] in ("UnboundLocalError", "NameError")
    else:
        assert repr(compiled) == repr(ours)


@needs_cython
def test_expressions_have_pythons_values():
    """Shifts, powers, mixed numbers, truth values: where C would come out otherwise."""
    functions = []
    for number, text in enumerate(EXPRESSIONS):
        used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        # Only those that are used, since a third of the compiling is that of parameters.
        parameters = ", ".join(f"{name}={value}" for name, value in PARAMETERS.items() if name in used)
        functions.append(f"def f{number}({parameters}): return {text}")
    source = "\n".join(functions)
    driver = """
import t
def value(index):
    try:
        return repr(getattr(t, "f%d" % index)())
    except Exception as error:
        return type(error).__name__
def values(count): return [value(index) for index in range(count)]
"""
    with compiling.make_worker(
        {"t": source, "driver": driver}, {"t": ()}, limits=Limits(), interpreter="cython"
    ) as worker:
        found = worker.call("values", len(EXPRESSIONS))
    names: dict[str, object] = {"t": type("t", (), {})}
    exec(source, names)
    wrong = []
    for index, text in enumerate(EXPRESSIONS):
        try:
            expected = repr(names[f"f{index}"]())
        except Exception as error:  # what it raises is what has to be raised
            expected = type(error).__name__
        if found[index] != expected:
            wrong.append((text, expected, found[index]))
    assert not wrong and len(EXPRESSIONS) > 300


@needs_cython
def test_wrong_annotations_are_ignored(tricky):
    for arguments in ((3,), ("ab", 1.5), (2.5, 0, "x")):
        assert outcome(tricky[0], "lies", *arguments) == outcome(tricky[1], "lies", *arguments)
    assert outcome(tricky[1], "lies", "ab")[0] == "abab"


@needs_cython
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_same_seed_finds_the_same(path):
    found = []
    for interpreter in ("cpython", "cython"):
        with Simulator(path.read_text(), interpreter=interpreter) as simulator:
            assert simulator.report["compiled"] == (
                ("model", "uct", "ismcts") if interpreter == "cython" else ()
            )
            games = [simulator.call("random_play", seed, 2_000) for seed in range(3)]
            rows = []
            for number, game in enumerate(games):
                names = game["names"][: len(game["names"]) // 2]
                while simulator.follow(names)["player"] < 0:
                    names = game["names"][: len(names) + 1]
                for options in ({}, {"rollouts": 3, "uct_c": 0.7, "solve": False}, {"max_rollout_length": 4}):
                    rows.append(simulator.search({"simulations": 150, "seed": number, **options}))
            found.append((games, rows))
    # JSON carries a float as its shortest decimal, so equality is to the bit.
    assert repr(found[0]) == repr(found[1])


@needs_cython
def test_the_bot_plays_the_same_match(source_of, tmp_path):
    (tmp_path / "model.py").write_text(source_of("tic_tac_toe"))
    (tmp_path / "value.py").write_text(VALUE)
    (tmp_path / "manifest.json").write_text(
        '{"rungs": [%s], "value_function": {"accepted": true}}'
        % ", ".join(f'{{"rung": "{rung}", "status": "passed", "figures": {{}}}}' for rung in manifest.RUNGS)
    )
    played = [
        play_match(
            "tic_tac_toe", [f"cwm_mcts(model={tmp_path},simulations=40,interpreter={name})", "random"], 9
        )
        for name in ("cpython", "cython")
    ]
    assert played[0].forfeit is None and played[0].actions() == played[1].actions()


VALUE = "from model import NUM_PLAYERS\n\n\ndef value(state):\n    return [0.25] * NUM_PLAYERS\n"


@needs_cython
def test_a_model_that_raises_says_where(source_of):
    source = source_of("tic_tac_toe").replace(
        "def apply_action(state, action):", "def apply_action(state, action):\n    {}['no']\n", 1
    )
    with Simulator(source, interpreter="cython") as simulator:
        failure = simulator.call("random_play", 1, 100)["error"]
    assert failure["message"] == "KeyError: 'no'"
    assert failure["lines"][-1].endswith("{}['no']") and "apply_action" in failure["lines"][-1]


@needs_cython
@pytest.mark.parametrize(
    "source, kind, message",
    [
        ("def f(:\n", "SyntaxError", "line 1"),
        ("cdef int x = 1\n", "SyntaxError", "line 1"),
        ("cimport libc.stdlib\n", "SyntaxError", "line 1"),
        ("include 'secret.pxi'\n", "SyntaxError", "line 1"),
        ("import cython\n", "ImportError", "'cython'"),
        ("from cython.cimports.libc import stdlib\n", "ImportError", "'cython.cimports.libc'"),
        ("def f():\n    import os\n", "ImportError", "'os'"),
        ("x = 1\n1 / 0\n", "ZeroDivisionError", "division by zero"),
        ("x = 0x" + "f" * 5000 + "\n", "CompileError", "cannot be read"),
    ],
)
def test_what_cannot_be_compiled_is_the_programs_error(source, kind, message):
    with pytest.raises(ProgramError) as caught:
        Simulator(source, interpreter="cython").close()
    assert caught.value.type_name == kind and message in caught.value.message
    assert "\n" not in caught.value.message


@needs_cython
def test_compiling_is_bounded_and_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compilers, "COMPILE_SECONDS", 0.2)
    with pytest.raises(ProgramError, match="not compiled within 0.2 s"):
        compiling.compile_module("slow", "def f(): return 1")
    assert list((tmp_path / "spielwright").iterdir()) == []


@needs_cython
def test_compiling_runs_nothing_keeps_the_cache_and_the_secrets(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CFLAGS", "-not-an-option")
    source = (
        "# cython: boundscheck=False\n# distutils: sources = /etc/passwd\n"
        f"open({str(tmp_path / 'mark')!r}, 'w').write('run')\n"
    )
    first = compiling.compile_module("cached", source)
    assert not (tmp_path / "mark").exists()
    assert [path.name for path in (tmp_path / "spielwright").iterdir()] == [Path(first).name]
    monkeypatch.setattr(compiling, "_translate", None)  # would raise if it were compiled again
    assert compiling.compile_module("cached", source) == first
    assert Path(first).stat().st_mode & 0o77 == 0


def test_a_compiler_may_bound_itself_before_it_is_bounded(monkeypatch, tmp_path):
    bound = compilers._limit
    told = tmp_path / "bounded"

    def late(pid):
        while not told.exists():
            time.sleep(0.01)
        bound(pid)

    monkeypatch.setattr(compilers, "_limit", late)
    tight = "import pathlib, resource as r, time; r.setrlimit(r.RLIMIT_AS, (1 << 30, 1 << 30)); "
    tight += f"pathlib.Path({str(told)!r}).touch(); time.sleep(0.3)"
    assert compilers.run([sys.executable, "-c", tight], str(tmp_path), "nothing") == (0, [])


def test_stripping_keeps_what_a_class_is_made_of():
    text = compiling.plain(TRICKY, compiling.SEARCH_IMPORTS)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None and all(a.annotation is None for a in node.args.args)
            assert not any(isinstance(inner, ast.AnnAssign) for inner in ast.walk(node))
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    assert [n.target.id for n in classes["State"].body if isinstance(n, ast.AnnAssign)] == ["board", "seen"]
    assert compiling.plain(text, compiling.SEARCH_IMPORTS) == text


def test_a_missing_package_names_the_command(monkeypatch):
    monkeypatch.setattr(compiling.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InterpreterMissing, match=r"pip install 'spielwright\[compile\]'"):
        Simulator("pass", interpreter="cython")
    assert "cython" not in speed.available_interpreters()


@needs_cython
def test_a_missing_compiler_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(SandboxError, match="C compiler"):
        Simulator("pass", interpreter="cython")


def test_an_interpreter_that_does_not_start_ends_no_match_as_a_loss():
    loaded = manifest.Model("folder", "", None, {})
    assert resolve_interpreter(sys.executable, loaded) == (sys.executable, None)
    with pytest.raises(Unplayable, match="world models cannot run on this machine with '/bin/false'"):
        resolve_interpreter("/bin/false", loaded)


def test_auto_takes_the_fastest_there_is(monkeypatch):
    timed = {"chosen": "cython", "simulations_per_second": {"cpython": 1, "pypy": 2, "cython": 3}}
    loaded = manifest.Model("folder", "", None, {"interpreter": timed})
    # Not every machine has them all.
    monkeypatch.setattr(mcts_bot, "_runs_here", lambda interpreter: interpreter)
    for here, chosen in (
        (["cpython", "pypy", "cython"], "cython"),
        (["cpython", "pypy"], "pypy"),
        (["cpython"], "cpython"),
    ):
        monkeypatch.setattr(speed, "available_interpreters", lambda here=here: here)
        assert resolve_interpreter("auto", loaded) == (chosen, None)
    assert resolve_interpreter("cpython", loaded) == ("cpython", None)
