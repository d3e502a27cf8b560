"""Plain libraries in a worker: mapped before the seal, with nothing to call but memory, numbers and the time."""

import os
import subprocess

import pytest

from cwm.worker import compilers
from sandbox import ProgramError, Worker, WorkerDied, objects

pytestmark = pytest.mark.skipif(compilers.system_compiler() is None, reason="needs a C compiler")
MACHINE = os.uname().machine
FLAGS = ("-shared", "-fPIC", "-O1", "-nostdlib", "-Wl,-z,noexecstack", "-Wl,-z,now")
PROGRAM = """
from number_library import library
import ctypes
library.root.restype = ctypes.c_double
library.root.argtypes = [ctypes.c_double]

def root(x): return library.root(x)
def add(x): return library.add(x)
def crash(): return library.crash()
def names():
    import number_library
    return [n for n in vars(number_library) if not n.startswith("_")]
"""
SOURCE = """
double sqrt(double); void *memcpy(void *, const void *, unsigned long);
double root(double x) { return sqrt(x); }
static int kept;
int add(int x) { return kept += x; }
int crash(void) { return *(volatile int *)8; }
void move(char *to, const char *from, unsigned long n) { memcpy(to, from, n); }
"""


def _built(folder, source, *options):
    (folder / "m.c").write_text(source)
    made = folder / "m.so"
    command = [*compilers.system_compiler(), *FLAGS, *options, folder / "m.c", "-o", made]
    subprocess.run(command, check=True, timeout=60)
    made.chmod(0o600)
    return str(made)


@pytest.fixture
def library(tmp_path):
    return _built(tmp_path, SOURCE)


def test_a_library_is_a_module_of_the_program(library):
    with Worker(PROGRAM, libraries={"number_library": library}) as worker:
        assert worker.call("root", 2.25) == 1.5
        assert [worker.call("add", 3), worker.call("add", 4)] == [3, 7]
        assert worker.call("names") == ["library"]
        assert worker.report["libraries"] == ("number_library",)
        assert all(layer["active"] for layer in worker.report["layers"].values() if layer["mandatory"])
    with Worker("def f(): import number_library") as worker:
        assert worker.report["libraries"] == ()
        with pytest.raises(ProgramError, match="no module named 'number_library'"):
            worker.call("f")


def test_a_crash_ends_the_worker_and_no_more(library):
    with Worker(PROGRAM, libraries={"number_library": library}) as worker:
        with pytest.raises(WorkerDied, match="SIGSEGV"):
            worker.call("crash")
        assert not worker.alive


@pytest.mark.parametrize(
    "source, name",
    [
        ("int system(const char *); int f(void) { return system(\"x\"); }", "system"),
        ("extern char **environ; char **f(void) { return environ; }", "environ"),
        ("int open(const char *, int, ...); int (*f(void))(const char *, int, ...) { return open; }", "open"),
        ("int kept __attribute__((visibility(\"default\"))); int printf(const char *, ...);"
         " int f(void) { return printf(\"%d\", kept); }", "printf"),
    ],
)  # fmt: skip
def test_calls_to_anything_else_are_refused(tmp_path, source, name):
    path = _built(tmp_path, source, "-fno-builtin")
    with pytest.raises(ValueError, match=f"it calls '{name}', which is not among abs"):
        Worker("pass", libraries={"number_library": path})


@pytest.mark.parametrize(
    "source, message",
    [
        (
            "static _Thread_local int x; int f(void) { return ++x; }",
            "storage of its own in each thread|relocation",
        ),
        ("char room[100 << 20]; int f(void) { return room[3]; }", "bytes of memory, more than"),
        ("__attribute__((constructor)) void f(void) {}", "may run code"),
        ('__attribute__((section(".init_array"), used)) static void *x = 0;', "may run code"),
    ],
)
def test_a_library_with_more_to_it_is_refused(tmp_path, source, message):
    path = _built(tmp_path, source)
    with pytest.raises(ValueError, match=message):
        objects.check(path, MACHINE, objects.PURE_IMPORTS)


def test_a_library_that_needs_another_is_refused(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    path = _built(tmp_path, SOURCE, "-Wl,--no-as-needed", _built(other, "int one(void) { return 1; }"))
    with pytest.raises(ValueError, match="it needs the library"):
        Worker("pass", libraries={"number_library": path})


def test_arguments_are_checked(library):
    with pytest.raises(ValueError, match="'cpython' with libraries, found 'pypy'"):
        Worker("pass", libraries={"number_library": library}, interpreter="pypy")
    with pytest.raises(ValueError, match="libraries: expected a free name that is an identifier, found 'math'"):
        Worker("pass", libraries={"math": library})
    with pytest.raises(ValueError, match="'program' is a module of source"):
        Worker("pass", libraries={"program": library})
    with pytest.raises(ValueError, match="libraries: expected an absolute path"):
        Worker("pass", libraries={"number_library": "m.so"})
