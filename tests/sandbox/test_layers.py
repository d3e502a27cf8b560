"""The layers: what they report, what happens without them, and the filter against the kernel's own
headers."""

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import SandboxUnavailable, Worker, seccomp, worker
from sandbox import seal as seal_module

ROOT = Path(__file__).resolve().parents[2]
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the layers are Linux's")
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", r"#define __NR_(\w+) (\d+)"),
    "aarch64": ("/usr/include/asm-generic/unistd.h", r"#define __NR(?:3264)?_(\w+) (\d+)"),
}


@LINUX
def test_the_report_agrees_with_the_kernel():
    with Worker("def f(): pass") as made:
        layers = made.report["layers"]
        status = dict(
            line.split(":\t", 1) for line in Path(f"/proc/{made.report['pid']}/status").read_text().splitlines()
        )
        limits = Path(f"/proc/{made.report['pid']}/limits").read_text()
    assert all(layer["active"] for layer in layers.values() if layer["mandatory"])
    assert {"rlimits", "no_new_privs", "seccomp", "deadline"} == {
        n for n, x in layers.items() if x["mandatory"]
    }
    assert (status["Seccomp"], status["NoNewPrivs"], status["Threads"]) == ("2", "1", "1")
    assert int(status["CapPrm"], 16) == int(status["CapEff"], 16) == 0
    assert re.search(r"Max address space +1073741824 +1073741824", limits)
    assert re.search(r"Max processes +0 +0", limits) and re.search(r"Max file size +0 +0", limits)
    assert re.search(r"Max open files +16 +16 ", limits) and re.search(r"Max core file size +0 +0 ", limits)
    assert re.search(r"Max locked memory +0 +0 ", limits) and re.search(r"Max msgqueue size +0 +0 ", limits)
    if os.geteuid() == 0:
        assert layers["uid"]["active"] and status["Uid"].split() == ["65534"] * 4
    else:
        assert not layers["uid"]["active"] and "not root" in layers["uid"]["detail"]


_IN_GROUPS = """
import os
from pathlib import Path
os.setgroups([4, 24])
from sandbox import Worker
with Worker("def f(): pass") as worker:
    status = Path(f"/proc/{worker.report['pid']}/status").read_text().splitlines()
print(*[line for line in status if line.startswith(("Groups:", "Gid:"))], sep="\\n")
"""


@LINUX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can leave its groups")
def test_a_worker_of_root_is_in_no_group_of_its_parent():
    done = subprocess.run(
        [sys.executable, "-c", _IN_GROUPS], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == [["Gid:", *["65534"] * 4], ["Groups:"]]


# A container that forbids some of what the sandbox needs, made with the filter that is under test.
_CONTAINER = """
import errno, struct, sys
from sandbox import SandboxUnavailable, Worker, seal, seccomp
number = {number}
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50000 | errno.ENOSYS), (0x06, 0, 0, 0x7fff0000)]
program = b"".join(struct.pack("=HBBI", op, yes, no, k) for op, yes, no, k in code)
libc = seal.load_libc()
libc.prctl(38, 1, 0, 0, 0)
seccomp.install(libc, program)
try:
    with Worker("def f(): return 5", unsafe={unsafe}) as w:
        print(w.call("f"), [n for n, x in w.report["layers"].items() if not x["active"]])
except SandboxUnavailable as error:
    print("refused", error)
"""


def _in_container(name: str, unsafe: bool) -> str:
    number = seccomp.NUMBERS[seccomp.machine()][name]
    source = _CONTAINER.format(number=number, unsafe=unsafe)
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@LINUX
def test_without_seccomp_it_refuses():
    said = _in_container("seccomp", unsafe=False)
    assert said.startswith("refused") and "seccomp" in said and "ENOSYS" in said and "unsafe=True" in said


@LINUX
def test_unsafe_runs_without_seccomp_and_says_so():
    said = _in_container("seccomp", unsafe=True)
    assert said.startswith("5") and "'seccomp'" in said and "'rlimits'" not in said


@LINUX
def test_without_landlock_it_runs_and_says_so():
    said = _in_container("landlock_create_ruleset", unsafe=False)
    assert said.startswith("5") and "'landlock'" in said and "'seccomp'" not in said


@LINUX
def test_without_pidfds_it_still_works():
    said = _in_container("pidfd_open", unsafe=False)
    assert said.startswith("5 [")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_platforms_are_refused(monkeypatch, platform):
    monkeypatch.setattr(worker.sys, "platform", platform)
    with pytest.raises(SandboxUnavailable, match=f"{platform} has no seccomp, so this is not a sandbox"):
        Worker("pass")


def test_nothing_can_be_done_without_fork(monkeypatch):
    monkeypatch.setattr(worker.sys, "platform", "win32")
    monkeypatch.delattr(worker.os, "fork")
    with pytest.raises(SandboxUnavailable, match="no fork"):
        worker.platform_check(unsafe=True)


def test_an_unknown_machine_has_no_seccomp_layer(monkeypatch):
    monkeypatch.setattr(seccomp, "machine", lambda: "vax")
    with pytest.raises(OSError, match="'vax'.*x86_64, aarch64"):
        seal_module._seccomp(None, seccomp, False)


@pytest.mark.parametrize("machine", sorted(HEADERS))
def test_the_numbers_are_the_kernels(machine):
    path, pattern = HEADERS[machine]
    if not os.path.exists(path):
        pytest.skip(f"no {path} here")
    known = {name: int(number) for name, number in re.findall(pattern, Path(path).read_text())}
    for name, number in seccomp.NUMBERS[machine].items():
        if name in known or number < 440:  # older headers lack the newest calls
            assert known[name] == number, name


def _run_filter(program: bytes, arch: int, number: int, prot: int = 0) -> int:
    """What the filter answers: an interpreter of classic BPF after
    Documentation/networking/filter.rst."""
    data = struct.pack("=IIQ6Q", number, arch, 0, 0, 0, prot, 0, 0, 0)
    code = list(struct.iter_unpack("=HBBI", program))
    at, accumulator = 0, 0
    while True:
        op, yes, no, k = code[at]
        at += 1
        if op == 0x20:
            accumulator = struct.unpack_from("=I", data, k)[0]
        elif op == 0x06:
            return k
        else:
            holds = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[op]
            at += yes if holds else no


ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x50001, 0x50026, 0x80000000
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


@pytest.mark.parametrize("machine", sorted(ARCH))
@pytest.mark.parametrize("jit", [False, True])
def test_the_filter_says_what_the_table_says(machine, jit):
    program = seccomp.build(machine, jit)
    numbers = seccomp.NUMBERS[machine]
    allowed = {numbers[name] for name in seccomp.ALLOWED + seccomp.NO_EXEC if name in numbers}
    for number in range(600):
        expected = ALLOW if number in allowed else ENOSYS if number == numbers["clone3"] else EPERM
        assert _run_filter(program, ARCH[machine], number) == expected, number
    for name in seccomp.NO_EXEC:
        assert _run_filter(program, ARCH[machine], numbers[name], prot=7) == (ALLOW if jit else EPERM)
        assert _run_filter(program, ARCH[machine], numbers[name], prot=3) == ALLOW
    for foreign in (0x40000003, 0, ARCH["aarch64" if machine == "x86_64" else "x86_64"]):
        assert _run_filter(program, foreign, numbers["read"]) == KILL
    if machine == "x86_64":
        assert _run_filter(program, ARCH[machine], 0x40000000 + numbers["read"]) == KILL
