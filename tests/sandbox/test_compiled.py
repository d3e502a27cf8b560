"""Native code in a worker: mapped before the seal, run after it, and held by the same walls."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from cwm.worker import compilers, compiling
from sandbox import Limits, ProgramError, SandboxError, Worker, WorkerDied, WorkerTimeout, objects

pytestmark = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))
ROOT = Path(__file__).resolve().parents[2]
IMPORTS = ("ctypes", "os", "sys")

# Every attack stands in one module, because a compilation takes seconds.
HOSTILE = """
import ctypes, os, sys

STARTED = os.getpid()
try:
    with open("MARK", "w") as file:
        file.write("written while the module was initialised")
except OSError as error:
    AT_START = error.errno
else:
    AT_START = 0

def at_start():
    return AT_START

def kind():
    return type(kind).__name__

def write():
    with open("MARK", "w") as file:
        file.write("written by a call")

def read():
    with open("SECRET") as file:
        return file.read()

def raw_open():
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.open(b"SECRET", 0)
    return [result, ctypes.get_errno()]

def environment():
    return [value for value in os.environ.values()]

def executable_memory():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_ssize_t
    return libc.mmap(None, 4096, 7, 0x22, -1, 0)

def fork():
    return os.fork()

def loop():
    number = 0
    while True:
        number += 1

def memory():
    kept = []
    while True:
        kept.append(bytearray(1 << 24))

def dive(depth):
    return dive(depth + 1) + 1

def divide(number):
    rest = number - 1
    return number / rest

def leave():
    raise SystemExit(3)
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scene")
    secret = folder / "secret"
    secret.write_text("the secret")
    return {"mark": folder / "mark", "secret": secret}


@pytest.fixture(scope="module")
def hostile(scene):
    source = HOSTILE.replace("MARK", str(scene["mark"])).replace("SECRET", str(scene["secret"]))
    path = compiling.compile_module("program", source, IMPORTS)
    assert not scene["mark"].exists(), "compiling ran the module"
    return compiling.plain(source, IMPORTS), path


@pytest.fixture
def worker(hostile):
    source, path = hostile
    with Worker(source, compiled={"program": path}, limits=Limits(memory_bytes=1 << 28)) as made:
        yield made


def test_the_code_is_native_and_the_report_says_so(worker):
    assert worker.call("kind") == "cython_function_or_method"
    assert worker.report["compiled"] == ("program",)
    with Worker("def f(): pass") as plain:
        assert plain.report["compiled"] == ()
        active = [{n: x["active"] for n, x in w.report["layers"].items()} for w in (plain, worker)]
        assert active[0] == active[1]


def test_initialisation_runs_behind_the_seal(worker, scene):
    assert worker.call("at_start") == 1  # EPERM
    assert not scene["mark"].exists()


@pytest.mark.parametrize("function", ["write", "read", "fork"])
def test_what_python_may_not_do_native_code_may_not_do(worker, scene, function):
    with pytest.raises(ProgramError) as caught:
        worker.call(function)
    assert caught.value.type_name in ("PermissionError", "BlockingIOError")
    assert not scene["mark"].exists()


def test_system_calls_are_refused(worker):
    assert worker.call("raw_open") == [-1, 1]
    assert worker.call("executable_memory") == -1
    assert os.environ["PATH"] not in worker.call("environment")


def test_an_endless_loop_is_killed(worker):
    with pytest.raises(WorkerTimeout):
        worker.call("loop", timeout=0.5)
    assert not worker.alive


def test_memory_is_limited(worker):
    with pytest.raises(ProgramError) as caught:
        worker.call("memory")
    assert caught.value.type_name == "MemoryError"


def test_a_recursion_without_end_ends(worker):
    with pytest.raises((ProgramError, WorkerDied)):
        worker.call("dive", 0)


def test_errors_are_data_with_lines(worker, hostile):
    with pytest.raises(ProgramError) as caught:
        worker.call("divide", 1)
    assert caught.value.type_name == "ZeroDivisionError"
    number = hostile[0].splitlines().index("    return number / rest") + 1
    assert caught.value.traceback_lines[-1] == f"program:{number} in divide: return number / rest"
    with pytest.raises(ProgramError) as caught:
        worker.call("leave")
    assert caught.value.type_name == "SystemExit"
    assert worker.call("divide", 3) == 1.5


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace on the PATH")
def test_nothing_is_opened_or_mapped_from_files_after_the_seal(hostile, tmp_path):
    source, path = hostile
    log = tmp_path / "calls"
    program = (
        "import sys\nfrom sandbox import Worker\n"
        f"with Worker({source!r}, compiled={{'program': {path!r}}}) as w: w.call('divide', 3)\n"
        "print(w.report['pid'])"
    )
    done = subprocess.run(
        ["strace", "-f", "-o", log, "-e", "trace=open,openat,mmap,mprotect,seccomp",
         sys.executable, "-c", program],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    if "ptrace" in done.stderr:
        pytest.skip("this machine does not let strace trace")
    pid = done.stdout.strip()
    lines = [x.split(None, 1)[1] for x in log.read_text().splitlines() if x.split()[0] == pid and "(" in x]
    sealed = next(i for i, x in enumerate(lines) if x.startswith("seccomp(") and x.endswith("= 0"))
    assert any(path in line for line in lines[:sealed])
    after = [line for line in lines[sealed + 1 :] if "MAP_ANONYMOUS" not in line]
    # The seal's own trial of the filter, and the module's `open`.
    assert len(after) == 2
    assert all(x.startswith("open") and x.endswith("(Operation not permitted)") for x in after)


def _built(folder, source, *options):
    (folder / "m.c").write_text(source)
    made = folder / "m.so"
    compiler = compilers.system_compiler()
    subprocess.run(
        [*compiler, "-shared", "-fPIC", *options, folder / "m.c", "-o", made], check=True, timeout=60
    )
    made.chmod(0o600)
    return str(made)


CLEAN = ("-nostartfiles", "-Wl,-z,noexecstack")
INDIRECT = (
    "static int one(void) { return 1; }\nstatic int (*choose(void))(void) { return one; }\n"
    '%s int f(void) __attribute__((ifunc("choose")));\nint g(void) { return f(); }\n'
)


def test_an_object_without_constructors_passes(tmp_path):
    objects.check(_built(tmp_path, "int f(void) { return 1; }", *CLEAN), os.uname().machine)


@pytest.mark.parametrize("style", ["sysv", "gnu", "both"])
def test_either_table_of_names_passes(tmp_path, style):
    """DT_HASH is tag 4 (System V ABI, figure 5-10), DT_GNU_HASH is 0x6ffffef5: neither runs code."""
    options = (*CLEAN, f"-Wl,--hash-style={style}")
    objects.check(_built(tmp_path, "int f(void) { return 1; }", *options), os.uname().machine)


@pytest.mark.parametrize(
    "source, options, message",
    [
        ("__attribute__((constructor)) void f(void) {}", CLEAN, "tag 0x19"),
        ("__attribute__((destructor)) void f(void) {}", CLEAN, "tag 0x1a"),
        ("void _init(void) {}", CLEAN, "tag 0xc"),
        ("int f(void) { return 1; }", ("-Wl,-z,noexecstack",), "tag 0xc"),
        (INDIRECT % "", CLEAN, "indirect function|relocation of type"),
        (INDIRECT % "static", CLEAN, "relocation of type"),
        ("int f(void) { return 1; }", ("-nostartfiles", "-Wl,-z,execstack"), "executable stack"),
        ("int f(void) { return 1; }", (*CLEAN, "-Wl,-rpath,/tmp"), "may run code"),
        ("int f(void) { return 1; }", (*CLEAN, "-Wl,--audit,x.so"), "may run code"),
        ("int f(void) { return 1; }", (*CLEAN, "-Wl,-z,initfirst"), "special treatment"),
    ],
)
def test_an_object_that_would_run_code_is_refused(tmp_path, source, options, message):
    path = _built(tmp_path, source, *options)
    with pytest.raises(ValueError, match=message) as caught:
        Worker("pass", compiled={"program": path})
    assert path in str(caught.value)


def test_an_object_that_brings_a_library_is_refused(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    library = _built(other, "int one(void) { return 1; }", *CLEAN)
    path = _built(tmp_path, "int f(void) { return 1; }", *CLEAN, "-Wl,--no-as-needed", library)
    with pytest.raises(ValueError, match="it needs the library"):
        objects.check(path, os.uname().machine)


def test_an_object_with_writable_code_is_refused(tmp_path):
    path = Path(_built(tmp_path, "int f(void) { return 1; }", *CLEAN))
    data = bytearray(path.read_bytes())
    table = struct.unpack_from("<Q", data, 32)[0]
    count = struct.unpack_from("<H", data, 56)[0]
    for at in range(table, table + 56 * count, 56):
        if struct.unpack_from("<II", data, at) == (1, 5):  # a loaded segment that can be executed
            struct.pack_into("<I", data, at + 4, 7)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="writable and executable"):
        objects.check(str(path), os.uname().machine)


def test_bad_objects_are_refused(tmp_path, hostile):
    good = Path(hostile[1]).read_bytes()
    bad = tmp_path / "bad.so"
    for data in (b"", b"text", good[:200], good[:5000], b"\x7fELF" + b"\xff" * 400):
        bad.write_bytes(data)
        with pytest.raises(ValueError, match="cannot be mapped safely"):
            Worker("pass", compiled={"program": str(bad)})
    bad.write_bytes(good)
    bad.chmod(0o622)
    with pytest.raises(ValueError, match="written by other users"):
        Worker("pass", compiled={"program": str(bad)})


def test_arguments_are_checked(hostile):
    with pytest.raises(ValueError, match="'cpython' with compiled modules, found 'pypy'"):
        Worker("pass", compiled={"program": hostile[1]}, interpreter="pypy")
    with pytest.raises(ValueError, match="a module of source \\(program\\), found 'other'"):
        Worker("pass", compiled={"other": hostile[1]})
    with pytest.raises(ValueError, match="absolute path"):
        Worker("pass", compiled={"program": "program.so"})


def test_an_object_for_nobody_is_named(tmp_path):
    source = "extern int nowhere(void); int f(void) { return nowhere(); }"
    path = _built(tmp_path, source, *CLEAN, "-Wl,-z,now")
    with pytest.raises(SandboxError, match="could not be mapped.*nowhere"):
        Worker("pass", compiled={"program": path})


def test_an_object_that_is_no_module_is_the_programs_error(tmp_path):
    path = _built(tmp_path, "int f(void) { return 1; }", *CLEAN)
    with pytest.raises(ProgramError, match="PyInit_program"):
        Worker("pass", compiled={"program": path})
