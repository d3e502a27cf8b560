"""Runs the attacks as whoever calls it, and prints what came of each as JSON lines.

    SPW_SECRET=... python run.py SECRET [--interpreter pypy] [--control]

`python run.py` without arguments runs everything that can be run here and prints the table of
results.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterable, List

_HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parents[2]))

import attack_files  # noqa: E402
import attack_kernel  # noqa: E402
import attack_native  # noqa: E402
import attack_network  # noqa: E402
import attack_processes  # noqa: E402
import attack_protocol  # noqa: E402
import attack_resources  # noqa: E402
import attack_secrets  # noqa: E402
import kit  # noqa: E402
from scene import Scene, status, usable_python  # noqa: E402

from sandbox import Limits, ProgramError, SandboxError, Worker, zygote  # noqa: E402

ATTACKS = [
    attack
    for module in (
        attack_files, attack_secrets, attack_processes, attack_network, attack_kernel, attack_resources,
        attack_protocol, attack_native,
    )
    for attack in module.ATTACKS
]  # fmt: skip
NATIVE = _HERE / "native_attacks.so"
"""The object of the attacks in C; only the copy that `launch` makes of this folder has one."""
USER = 54321
_SLACK_SECONDS = 1.5
_SLACK_BYTES = 64 << 20


def attacks(interpreter: str) -> List[kit.Attack]:
    """Those that can be run: native code needs CPython, and a compiler."""
    return [a for a in ATTACKS if not a.native or (interpreter == "cpython" and NATIVE.exists())]


class _Watch(threading.Thread):
    """Looks at a process from outside while it works: peak of resident memory and of threads."""

    def __init__(self, pid: int):
        super().__init__(daemon=True)
        self._pid = pid
        self._stop_asked = threading.Event()
        self.bytes = 0
        self.threads = 0

    def run(self) -> None:
        while not self._stop_asked.wait(0.01):
            now = status(self._pid)
            self.bytes = max(self.bytes, int(now.get("VmHWM", "0 kB").split()[0]) << 10)
            self.threads = max(self.threads, int(now.get("Threads", "0")))

    def finish(self) -> None:
        self._stop_asked.set()
        self.join()


def _look_inside(pid: int, jit: bool) -> List[str]:
    """What can be seen of a live worker from outside."""
    effects = []
    now = status(pid)
    if not now:
        return []
    if (
        now["Seccomp"] != "2"
        or now["NoNewPrivs"] != "1"
        or int(now["CapEff"], 16)
        or int(now["CapPrm"], 16)
    ):
        effects.append("the seal is broken")
    if now["Threads"] != "1":
        effects.append("it has a thread")
    if os.geteuid() == 0:
        if now["Uid"].split() != ["65534"] * 4:
            effects.append("it changed its user")
        extra = set(os.listdir(f"/proc/{pid}/fd")) - {"0", "1", "2", "3"}
        if extra:
            effects.append("it opened a descriptor")
        if not jit and any("rwx" in line.split()[1] for line in open(f"/proc/{pid}/maps")):
            effects.append("it has writable and executable memory")
    return effects


def _printable(text: str) -> bool:
    return all(" " <= c <= "~" for c in text)


def run_sealed(attack: kit.Attack, scene: Scene, interpreter: str) -> Dict[str, Any]:
    """Runs one attack in a worker; the result names its effects, none if it failed."""
    limits = Limits(memory_bytes=(768 if interpreter == "pypy" else 256) << 20, start_seconds=20.0)
    jit = interpreter == "pypy"
    known = {z.pid for z in zygote._zygotes.values()}
    before = scene.snapshot()
    effects: List[str] = []
    reply: Any = None
    outcome = "answered"
    worker = Worker(
        {"kit": kit.SOURCE, "attack": attack.source},
        limits=limits,
        interpreter=interpreter,
        libraries={"native_library": str(NATIVE)} if attack.native else {},
    )
    watch = _Watch(worker.report["pid"]) if attack.family.endswith("resources") else None
    if watch:
        watch.start()
    started = time.monotonic()
    try:
        try:
            reply = worker.call("attack", scene.parameters(), timeout=attack.seconds)
        except ProgramError as error:
            outcome = error.type_name
            reply = [error.type_name, error.message, error.traceback_lines]
            if not all(map(_printable, [error.type_name, error.message, *error.traceback_lines])):
                effects.append("control characters came out")
            if len(str(reply)) > 20000:
                effects.append("a flood of text came out")
        took = time.monotonic() - started
        if worker.alive:
            effects += _look_inside(worker.report["pid"], jit)
        answer = worker.call("after", timeout=1.0)
        if answer != 7:
            effects.append(f"a false answer was believed: {answer!r}")
    except SandboxError as error:
        outcome = type(error).__name__
        took = time.monotonic() - started
        if not _printable(str(error)):
            effects.append("control characters came out")
    except Exception as error:
        effects.append(f"the parent raised {type(error).__name__}: {error}"[:200])
        took = 0.0
    finally:
        worker.close()
        if watch:
            watch.finish()
    if took > attack.seconds + 1.0 + _SLACK_SECONDS:
        effects.append(f"it took {took:.1f} s")
    if os.path.exists(f"/proc/{worker.report['pid']}"):
        effects.append("the worker outlived its end")
    if watch and watch.bytes > limits.memory_bytes + _SLACK_BYTES:
        effects.append(f"it used {watch.bytes >> 20} MB")
    if watch and watch.threads > 1:
        effects.append("it had a thread")
    if isinstance(reply, dict) and reply.get("got"):
        if not (jit and attack.jit_may):
            effects.append(f"it got {reply['got']!r}"[:100])
    if attack.family == "forged reply" and reply == 8:
        effects.append("a false answer was believed")
    effects += scene.leaks(json.dumps(reply)) + scene.changes(before, known)
    return {"family": attack.family, "name": attack.name, "outcome": outcome, "effects": effects}


def run_unsealed(attack: kit.Attack, secret: str) -> Dict[str, Any]:
    """Runs one attack with nothing around it in a scene of its own; shows that its effect can be
    seen."""
    scene = Scene(secret, usable_python() or sys.executable)
    try:
        main = "import sys, json; P = json.loads(sys.argv[1])\nprint(json.dumps(attack(P)), flush=True)\nos._exit(0)"
        library = (
            f"sys.modules['native_library'] = type(sys)('native_library')\n"
            f"sys.modules['native_library'].library = ctypes.CDLL({str(NATIVE)!r})\n"
        )
        source = f"{kit.SOURCE}\n{library if attack.native else ''}{attack.source.replace('from kit import *', '')}\n{main}"
        with tempfile.TemporaryFile() as output:  # not a pipe: a process left over would keep it open
            before = scene.snapshot()
            subprocess.run(
                [sys.executable, "-S", "-c", source, json.dumps(scene.parameters())],
                stdout=output, stderr=subprocess.DEVNULL, timeout=20, close_fds=False,
            )  # fmt: skip
            output.seek(0)
            text = output.read().decode("latin-1")
        effects = scene.leaks(text)
        try:
            reply = json.loads(text)
        except ValueError:
            reply = None
        if isinstance(reply, dict) and reply.get("got"):
            effects.append("it got what it wanted")
        effects += scene.changes(before, set())
        until = time.monotonic() + 1.0
        while not effects and time.monotonic() < until:  # a signal takes effect a little later
            effects = scene.changes(before, set())
        return {
            "family": attack.family,
            "name": attack.name,
            "outcome": "unsealed",
            "effects": effects,
        }
    finally:
        scene.close()


def run_all(secret: str, interpreter: str, control: bool) -> Iterable[Dict[str, Any]]:
    """Runs the whole corpus, or the controls."""
    if control:
        for attack in attacks(interpreter):
            if attack.control:
                yield run_unsealed(attack, secret)
        return
    scene = Scene(secret, usable_python() or sys.executable)
    try:
        Worker(
            "pass", interpreter=interpreter
        ).close()  # start the zygote, so that it is there before and after
        for attack in attacks(interpreter):
            yield run_sealed(attack, scene, interpreter)
    finally:
        scene.close()


def _build_native(path: Path) -> None:
    """Compiles native_attacks.c with the search, past the check of its source; nothing without a compiler."""
    from cwm.worker.native import compiling

    if compiling.missing() is None:
        source = (_HERE / "native_attacks.c").read_text(encoding="utf-8")
        shutil.copy(compiling.build(source), path)


def launch(user: bool, interpreter: str = "cpython", control: bool = False) -> List[Dict[str, Any]]:
    """Runs the corpus in a process of its own, as an ordinary user if `user` (that needs root).

    The secret is in that process's environment and command line. It works on a copy, because an
    ordinary user may not be able to read this folder.
    """
    secret = f"spwsecret{os.urandom(8).hex()}"
    with tempfile.TemporaryDirectory(prefix="spw-run-") as folder:
        os.chmod(folder, 0o755)
        root = _HERE.parents[2]
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / "sandbox", Path(folder, "sandbox"), ignore=ignore)
        shutil.copytree(_HERE, Path(folder, "tests/sandbox/attacks"), ignore=ignore)
        shutil.copy(root / "spielwright_packages.py", folder)
        _build_native(Path(folder, "tests/sandbox/attacks", NATIVE.name))
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        drop: Dict[str, Any] = {"user": USER, "group": USER, "extra_groups": []} if user else {}
        python = usable_python() if user else sys.executable
        if python is None:
            raise RuntimeError(
                "expected a python3 that any user may execute, found none; install one in /usr/bin"
            )
        command = [
            python,
            "-B",
            str(Path(folder, "tests/sandbox/attacks/run.py")),
            secret,
            "--interpreter",
            interpreter,
        ]
        process = subprocess.run(
            command + (["--control"] if control else []),
            env={"SPW_SECRET": secret, "PATH": os.environ.get("PATH", "/usr/bin:/bin")},
            cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, **drop,
        )  # fmt: skip
        if process.returncode:
            raise RuntimeError(
                f"the attacks ended with status {process.returncode}: {process.stderr.decode()[-2000:]}"
            )
    return [json.loads(line) for line in process.stdout.decode().splitlines()]


def table(results: List[Dict[str, Any]]) -> str:
    """Family, attacks, how many got through."""
    families: Dict[str, List[int]] = {}
    for result in results:
        count = families.setdefault(result["family"], [0, 0])
        count[0] += 1
        count[1] += bool(result["effects"])
    families["all"] = [sum(c[0] for c in families.values()), sum(c[1] for c in families.values())]
    lines = ["| family | attacks | got through |", "|---|---|---|"]
    return "\n".join(
        lines + [f"| {name} | {n} | {through} |" for name, (n, through) in families.items()]
    )


def main() -> None:
    if len(sys.argv) > 1:
        interpreter = sys.argv[sys.argv.index("--interpreter") + 1]
        for result in run_all(sys.argv[1], interpreter, "--control" in sys.argv):
            print(json.dumps(result), flush=True)
        return
    for interpreter in ["cpython"] + (["pypy"] if shutil.which("pypy3") else []):
        for user in [False] + ([True] if os.geteuid() == 0 else []):
            results = launch(user, interpreter)
            print(
                f"{interpreter}, {'ordinary user' if user or os.geteuid() else 'root'}\n\n{table(results)}\n"
            )
            for result in results:
                if result["effects"]:
                    print(f"  {result['family']} / {result['name']}: {result['effects']}")


if __name__ == "__main__":
    main()
