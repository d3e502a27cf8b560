"""Measures the tests: changes the code in small ways, one at a time, and sees whether a test fails.

    python tests/mutations/run.py --seed=0 --number=60 --out=mutations.jsonl

Mutations are drawn over all packages; the seed decides which, and a larger number extends the same draw. Each
is applied to a copy of the tree in a temporary folder, never in place, and the tests that plausibly cover its
file run there until one fails (`covering.py`). A line of JSON is added to the output for each; what it holds
already is not run again, so a run that was stopped goes on. A failure counts if the test fails again with the
mutation, alone, and passes without it; one that fails either way is an error of the measurement. Survivors
want a look: some change nothing that anybody could see.

The mutated code runs with all rights of the caller, the sandbox's included. As root, run it apart from other
processes: `unshare --pid --fork --mount-proc python tests/mutations/run.py ...`.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from covering import PACKAGES, Covering
from operators import Mutation, mutations

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = re.compile(r"prompt")
"""Files that are not mutated: the recordings are keyed by the prompts' text."""
FAILED = re.compile(r"^(tests/.+?) (?:FAILED|ERROR) +\[ *\d+%\]$|^ERROR (tests/\S+)", re.MULTILINE)
"""A test that failed, or a file that could not be read, in pytest's verbose output."""
POLL = 0.2


@dataclass(frozen=True)
class Limits:
    """How long a mutation's tests may take: seconds in all, and without any sign of life."""

    whole: float
    silence: float


@dataclass(frozen=True)
class Verdict:
    """What came of a run of tests.

    Attributes:
      outcome: "killed" where a test failed or hung, "survived" where none did, "unfinished" where time was up.
      test: the test that failed or hung, or None.
      ran: how many tests ended.
    """

    outcome: str
    test: str | None
    ran: int


def draw(root: Path, seed: int, number: int) -> list[Mutation]:
    """`number` mutations, each of another line, or all if there are fewer.

    One of each package comes first. Packages, and a package's operators, are drawn with the root of their
    numbers of mutations as weights, so that small ones have their part; of an operator's mutations each is
    equally likely.
    """
    rng = random.Random(seed)
    left: dict[str, dict[str, list[Mutation]]] = {}
    for package in PACKAGES:
        found: dict[str, list[Mutation]] = {}
        for path in sorted((root / package).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if not SKIPPED.search(file):
                for mutation in mutations(file, path.read_text(encoding="utf-8")):
                    found.setdefault(mutation.operator, []).append(mutation)
        left[package] = found
    weights = {package: sum(map(len, found.values())) ** 0.5 for package, found in left.items()}
    drawn: list[Mutation] = []
    lines = set()
    first = list(PACKAGES)
    while len(drawn) < number and any(left.values()):
        open_packages = [package for package in PACKAGES if left[package]]
        package = first.pop(0) if first else rng.choices(open_packages, [weights[p] for p in open_packages])[0]
        kinds = sorted(left[package])
        operator = rng.choices(kinds, [len(left[package][kind]) ** 0.5 for kind in kinds])[0]
        places = left[package][operator]
        mutation = places.pop(rng.randrange(len(places)))
        if not places:
            del left[package][operator]
        if (mutation.file, mutation.line) not in lines:
            lines.add((mutation.file, mutation.line))
            drawn.append(mutation)
    return drawn


def copied(root: Path, folder: Path) -> Path:
    """A copy of the tree's files that git knows or does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listed.stdout.split("\0"):
        if name and (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
    return folder


def _write(path: Path, text: str) -> None:
    """Writes a module, and removes what was compiled of it: its size and second may be the same."""
    path.write_text(text, encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()


def run_tests(tree: Path, tests: list[str], limits: Limits) -> Verdict:
    """Runs tests in a tree until one fails."""
    shutil.rmtree(tree / ".hypothesis", ignore_errors=True)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "pytest", "-vv", "-x", "-n", "0", "--tb=no", "-o", "addopts=",
             "--import-mode=importlib", "-p", "no:cacheprovider", *tests],
            cwd=tree, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "COLUMNS": "400"},
        )  # fmt: skip
        size, alive = 0, time.monotonic()
        end = alive + limits.whole
        late = hung = False
        while process.poll() is None and not (late or hung):
            time.sleep(POLL)
            now = time.monotonic()
            if os.fstat(log.fileno()).st_size != size:
                size, alive = os.fstat(log.fileno()).st_size, now
            late, hung = now > end, now - alive > limits.silence
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        log.seek(0)
        said = log.read()
    ran = len(re.findall(r" (?:PASSED|SKIPPED|XFAIL)\b.*\[ *\d+%\]$", said, re.MULTILINE))
    if hung:
        started = [line.rstrip() for line in said.splitlines() if line.startswith("tests/")]
        return Verdict("killed", started[-1] if started else tests[0], ran)
    if late:
        return Verdict("unfinished", None, ran)
    if process.returncode in (0, 5):
        return Verdict("survived", None, ran)
    failed = FAILED.search(said)
    return Verdict("killed", failed[1] or failed[2] if failed else tests[0], ran)


class Measurement:
    """Runs mutations in copies of the tree, and keeps what came of them.

    Args:
      out: the file of results, JSON Lines.
      copies: of the tree, as many as mutations run at once.
      limits: of each mutation's tests.
    """

    def __init__(self, out: Path, copies: list[Path], limits: Limits):
        self._out, self._limits = out, limits
        self._covering = Covering(ROOT)
        self._trees: queue.Queue[Path] = queue.Queue()
        for tree in copies:
            self._trees.put(tree)
        self._sound: set[str] = set()
        self._lock = threading.Lock()

    def measure(self, mutation: Mutation) -> dict[str, object]:
        """Applies one mutation, runs its tests, adds the line and returns it."""
        tree = self._trees.get()
        path = tree / mutation.file
        text = path.read_text(encoding="utf-8")
        start = time.monotonic()
        try:
            _write(path, mutation.apply(text))
            verdict = self._confirmed(tree, path, text, self._covering.tests(mutation.file))
        finally:
            _write(path, text)
            self._trees.put(tree)
        row = {
            **asdict(mutation),
            "outcome": verdict.outcome,
            "test": verdict.test,
            "tests": verdict.ran,
            "seconds": round(time.monotonic() - start, 1),
        }
        with self._lock, self._out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        return row

    def _confirmed(self, tree: Path, path: Path, text: str, tests: list[str]) -> Verdict:
        """The verdict of tests on the mutation that is applied at `path`; a test that does not fail again with
        it is left out, one that fails with the original text, too, is an error."""
        changed = path.read_text(encoding="utf-8")
        unsteady: list[str] = []
        while True:
            verdict = run_tests(tree, [*tests, *(f"--deselect={test}" for test in unsteady)], self._limits)
            if verdict.test is None:
                return verdict
            if run_tests(tree, [verdict.test], self._limits).outcome == "survived":
                unsteady.append(verdict.test)
                continue
            if verdict.test not in self._sound:
                _write(path, text)
                sound = run_tests(tree, [verdict.test], self._limits).outcome == "survived"
                _write(path, changed)
                if not sound:
                    return Verdict("error", verdict.test, verdict.ran)
                self._sound.add(verdict.test)
            return verdict


def main() -> None:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="Seed of the draw.")
    parser.add_argument(
        "--number", type=int, default=60, help="Number of mutations, those of the file included."
    )
    parser.add_argument("--out", type=Path, required=True, help="File of results, JSON Lines, added to.")
    parser.add_argument("--jobs", type=int, default=2, help="Number of mutations tested at once.")
    parser.add_argument("--seconds", type=float, default=400, help="Limit on the tests of one mutation.")
    parser.add_argument("--silence", type=float, default=150, help="Seconds after which a test counts as hung.")
    parser.add_argument("--list", action="store_true", help="Whether to show the draw only.")
    arguments = parser.parse_args()
    drawn = draw(ROOT, arguments.seed, arguments.number)
    if arguments.list:
        for one in drawn:
            print(f"{one.file}:{one.line}:{one.column}: {one.operator}: {one.before!r} -> {one.after!r}")
        return
    rows = []
    if arguments.out.exists():
        rows = [json.loads(line) for line in arguments.out.read_text(encoding="utf-8").splitlines()]
    known = {tuple(row[name] for name in asdict(drawn[0])) for row in rows}
    missing = [mutation for mutation in drawn if tuple(asdict(mutation).values()) not in known]
    with tempfile.TemporaryDirectory(prefix="mutations_") as folder:
        trees = [copied(ROOT, Path(folder, str(number))) for number in range(arguments.jobs)]
        measurement = Measurement(arguments.out, trees, Limits(arguments.seconds, arguments.silence))
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for row in pool.map(measurement.measure, missing):
                rows.append(row)
                print(f"{len(rows)}/{len(drawn)} {row['outcome']} {row['file']}:{row['line']} "
                      f"{row['before']!r} -> {row['after']!r} {row['test'] or ''}", flush=True)  # fmt: skip
    counts = Counter(row["outcome"] for row in rows)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
