"""Models in C become objects: compiled outside any worker, with nothing in reach, once for each machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cwm.worker import compilers
from cwm.worker.native import compiling
from cwm.worker.simulator import Simulator
from sandbox import InterpreterMissing, ProgramError, objects

pytestmark = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))
MODELS = Path(__file__).parents[2] / "models"
PIG = (MODELS / "pig.c").read_text(encoding="utf-8")
COMPILERS = [make for make in (compiling._zig, compiling._system) if make() is not None]


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "spielwright"


@pytest.mark.parametrize("make", COMPILERS, ids=lambda make: make().name)
@pytest.mark.parametrize("checked", [False, True])
def test_each_compiler_makes_an_object_that_a_worker_takes(monkeypatch, cache, make, checked):
    monkeypatch.setattr(compiling, "compiler", make)
    path = compiling.compile_model(PIG, checked=checked)
    assert os.stat(path).st_mode & 0o777 == 0o600
    objects.check(path, os.uname().machine, objects.PURE_IMPORTS)
    assert [entry.name for entry in cache.iterdir()] == [os.path.basename(path)]  # nothing else is left


def test_what_was_compiled_is_found_again(monkeypatch, cache):
    monkeypatch.setattr(compiling, "_FAST", ("-O0", *compiling._FAST[1:]))
    first = compiling.compile_model(PIG)
    monkeypatch.setattr(compilers, "run", lambda *_: pytest.fail("it was compiled again"))
    assert compiling.compile_model(PIG) == first


@pytest.mark.parametrize("change", ["source", "core", "flags", "compiler", "machine"])
def test_all_that_goes_into_an_object_names_it(monkeypatch, cache, change):
    made = []

    def pretend(source, flags, chosen, place):
        made.append(source)
        path = compiling.Path(place, "unit.so")
        path.write_bytes(b"")
        return path

    monkeypatch.setattr(compiling, "_compile", pretend)
    first = compiling.compile_model(PIG)
    source = PIG
    if change == "source":
        source += "\n"
    elif change == "core":
        monkeypatch.setattr(compiling, "core_sources", lambda: {"uct.c": "changed"})
    elif change == "flags":
        monkeypatch.setattr(compiling, "_FAST", ("-O2",))
    elif change == "compiler":
        other = compiling.Compiler("cc", ("cc",), ("cc",), "another version")
        monkeypatch.setattr(compiling, "compiler", lambda: other)
    else:
        monkeypatch.setattr(compiling, "_processor", lambda: "another processor")
    assert compiling.compile_model(source) != first and len(made) == 2


def test_a_source_that_breaks_the_rules_reaches_no_compiler(monkeypatch, cache):
    monkeypatch.setattr(compilers, "run", lambda *_: pytest.fail("it was compiled"))
    with pytest.raises(ProgramError, match=r"model.c is refused: line \d+: the only directive"):
        compiling.compile_model(PIG + '\n#include "/etc/passwd"\n')


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("state->moves++;", "state->moves++", r"model.c:\d+:\d+: error: expected"),
        ("state->moves++;", "unheard_of(state);", "unheard_of"),
        ("bool rolling;", "bool rolling; char room[5000];", "State is larger than 4096 bytes"),
        ("NUM_PLAYERS = 3", "NUM_PLAYERS = 17", "NUM_PLAYERS is outside 1 .. 16"),
        ("int count = 0;", "int count = 0; int room[state->moves + 1]; room[0] = 0;", "vla|variable length"),
        ("return state->rolling ? CHANCE_PLAYER : state->player;", "", "return"),
        (
            "void apply_action(State *state, int action) {",
            "void apply_action(int *state, int action) {",
            "error",
        ),
    ],
)
def test_what_does_not_compile_is_told_with_its_line(cache, before, after, message):
    assert before in PIG
    with pytest.raises(ProgramError, match=message) as caught:
        compiling.compile_model(PIG.replace(before, after, 1))
    assert caught.value.type_name == "CompileError"
    assert list(cache.iterdir()) == []


def test_a_compilation_without_end_ends(monkeypatch, cache):
    monkeypatch.setattr(compilers, "COMPILE_SECONDS", 0.01)
    with pytest.raises(ProgramError, match="was not compiled within 0.01 s"):
        compiling.compile_model(PIG)
    assert list(cache.iterdir()) == []


def test_macros_that_double_end_at_a_limit(monkeypatch, cache):
    monkeypatch.setattr(compilers, "COMPILE_SECONDS", 1.0)
    bomb = "\n".join(f"#define D{n} D{n + 1} + D{n + 1}" for n in range(40)) + "\n#define D40 1\n"
    with pytest.raises(ProgramError):
        compiling.compile_model(PIG + bomb + "static int bomb(void) { return D0; }\n")
    assert list(cache.iterdir()) == []


def test_compilers_see_nothing_of_the_environment(monkeypatch, cache):
    seen = []
    run = compilers.subprocess.Popen

    def watched(command, **options):
        seen.append(options["env"])
        return run(command, **options)

    monkeypatch.setenv("SECRET_KEY", "of the user")
    monkeypatch.setattr(compilers.subprocess, "Popen", watched)
    with pytest.raises(ProgramError):  # sooner than a model that compiles
        compiling.compile_model(PIG.replace("state->moves++;", "state->moves++"))
    assert seen and all("SECRET_KEY" not in environment for environment in seen)


def test_a_machine_without_a_compiler_says_what_to_install(monkeypatch, cache):
    monkeypatch.setattr(compiling, "compiler", lambda: None)
    assert "pip install 'spielwright[native]'" in compiling.missing()
    with pytest.raises(InterpreterMissing, match="neither the package ziglang nor one of cc"):
        Simulator((MODELS / "pig.py").read_text(encoding="utf-8"), native_source=PIG, interpreter="native")


def test_a_model_without_c_cannot_be_native():
    with pytest.raises(ValueError, match="needs a model in C, and this one has none"):
        Simulator((MODELS / "pig.py").read_text(encoding="utf-8"), interpreter="native")
