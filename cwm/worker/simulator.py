"""A world model at work: one sealed worker that holds the model, the driver and the search."""

from __future__ import annotations

import importlib.resources
import sys
import types
from collections.abc import Sequence
from typing import Any

from cwm import contract
from cwm.worker import compiling
from cwm.worker.native import compiling as native_compiling
from sandbox import Limits, Worker

MODEL_LIMITS = Limits(memory_bytes=2 << 30, call_seconds=30.0)
"""Limits of a model's worker: a search of 1,000 simulations holds its tree in memory and may take seconds."""


_COMPILABLE = {
    "model": contract.IMPORTABLE,
    "uct": compiling.SEARCH_IMPORTS,
    "ismcts": compiling.SEARCH_IMPORTS,
    "value_function": (*contract.IMPORTABLE, "model"),
    "rollout_function": (*contract.IMPORTABLE, "model"),
}
"""Modules that are compiled for "cython", and the imports of each. The driver is not one: the search holds the
hot loop, and the driver reads the lines of tracebacks."""

_IN_C = {
    "follow": "native_driver.follow",
    "search": "native_driver.search",
    "search_at": "native_driver.search_at",
    "hidden_driver.search_seen": "native_driver.search_seen",
    "simultaneous_driver.search_at": "simultaneous_native.search_at",
}
"""Where "native" finds what a search needs; all else stays with the model in Python."""


_DRIVERS = (
    "joint",
    "driver",
    "hidden_driver",
    "simultaneous_driver",
    "training_driver",
    "coverage_driver",
    "exploring_driver",
)
"""Files of `cwm.worker` that run beside a model, each after those that it imports."""


def _rows(
    actions: list[int], visits: list[int], totals: list[float], outcomes: list[Any] | None, names: list[str]
) -> list[dict[str, Any]]:
    """The rows of `uct.search` (with outcomes) or `ismcts.search` by their columns, which the search in C sends."""
    rows: list[dict[str, Any]] = [
        {"action": action, "visits": count, "value": total / count if count else None, "name": name}
        for action, count, total, name in zip(actions, visits, totals, names)
    ]
    for row, outcome in zip(rows, outcomes or ()):
        row["outcome"] = outcome
    return rows


def own_source(package: str, name: str) -> str:
    """The text of a file of the suite that runs in the worker."""
    return importlib.resources.files(package).joinpath(name).read_text(encoding="utf-8")


def native_worker(
    modules: dict[str, str], source: str | None, limits: Limits, *, checked: bool = False
) -> Worker:
    """A worker with the model in C and its search mapped, and `modules` besides.

    Args:
      modules: text by module name, in the order of loading; they may import `native_model`, the model in C
        by the contract's names.
      source: text of `model.c`.
      limits: of the worker; half of the memory is for the search.
      checked: whether the object watches for undefined behaviour.

    Raises:
      ValueError: there is no source.
      sandbox.SandboxError: as `native_compiling.compile_model` and `sandbox.Worker`.
    """
    if source is None:
        raise ValueError(
            "interpreter 'native' needs a model in C, and this one has none; choose another interpreter"
        )
    path = native_compiling.compile_model(source, checked=checked)
    own = {
        "native_model": own_source("cwm.worker.native", "adapter.py"),
        "native_arena": own_source("cwm.worker.native", "arena.py"),
        "native_driver": own_source("cwm.worker.native", "native_driver.py"),
        "simultaneous_native": own_source("cwm.worker.native", "simultaneous_native.py"),
    }
    worker = Worker({**own, **modules}, limits=limits, libraries={"native_library": path})
    try:
        worker.call("native_arena.open_arena", limits.memory_bytes // 2)
    except BaseException:
        worker.close()
        raise
    return worker


def _shared_length(old: Sequence[Any], new: Sequence[Any]) -> int:
    """The number of equal entries at the start of two histories, which the worker need not be told."""
    length = 0
    for before, now in zip(old, new):
        if before != now:
            break
        length += 1
    return length


class Simulator:
    """Runs a model's source in a sealed worker; the parent sees names and plain data only.

    Args:
      source: text of the model's module.
      value_source: text of a module that defines `value(state)`, or None.
      rollout_source: text of a module that defines `rollout(state, rand)`, or None.
      native_source: text of the same model in C (see `cwm/contract/native.h`), or None.
      limits: limits of the worker.
      interpreter: "cpython", "pypy", "cython" (model, value function and search compiled, see
        `cwm.worker.compiling`), "native" (searches run in `native_source` and a core in C; the model in
        Python answers all else), or a path.

    Raises:
      ValueError: the interpreter is "native" and there is no `native_source`.
      sandbox.ProgramError: the module fails on import, or cannot be compiled.
      sandbox.InterpreterMissing: this machine lacks the interpreter, or what compiling needs.
      sandbox.SandboxError: the worker could not be sealed, or died.
    """

    def __init__(
        self,
        source: str,
        value_source: str | None = None,
        rollout_source: str | None = None,
        *,
        native_source: str | None = None,
        limits: Limits = MODEL_LIMITS,
        interpreter: str = "cpython",
    ):
        self._places: dict[str, str] = {}
        modules = {
            "model": source,
            "uct": own_source("cwm.worker.search", "uct.py"),
            "ismcts": own_source("cwm.worker.search", "ismcts.py"),
            "search_at_once": own_source("arena.bots.simultaneous", "search.py"),
        }
        if value_source is not None:
            modules["value_function"] = value_source
        if rollout_source is not None:
            modules["rollout_function"] = rollout_source
        for name in _DRIVERS:
            modules[name] = own_source("cwm.worker", f"{name}.py")
        if interpreter == "native":
            self._places = _IN_C
            self._worker = native_worker(modules, native_source, limits)
        else:
            self._worker = compiling.make_worker(modules, _COMPILABLE, limits=limits, interpreter=interpreter)
        self._history: list[str] = []
        self._seen: list[list[Any]] = []

    @property
    def report(self):
        """The report on the active layers of the sandbox, and on the interpreter."""
        return self._worker.report

    def call(self, function: str, *args: Any, timeout: float | None = None) -> Any:
        """Calls a function of `cwm.worker.driver` in the worker, or one of `cwm.worker.hidden_driver` or
        `cwm.worker.training_driver` by its full name, as in "hidden_driver.infer"."""
        place = function if "." in function else f"driver.{function}"
        answer = self._worker.call(self._places.get(function, place), *args, timeout=timeout)
        if isinstance(answer, dict) and "columns" in answer:
            answer["actions"] = _rows(*answer.pop("columns"))
        return answer

    def follow(self, names: Sequence[str], timeout: float | None = None) -> dict[str, Any]:
        """Brings the worker to the state after these actions, sending new actions only."""
        keep = _shared_length(self._history, names)
        facts = self.call("follow", keep, list(names[keep:]), timeout=timeout)
        self._history = list(names[: facts["at"]] if "unknown" in facts else names)
        return facts

    def search(self, options: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
        """Searches from the followed state; see `driver.search`."""
        return self.call("search", options, timeout=timeout)

    def search_at(
        self, names: Sequence[str], player: int, options: dict[str, Any], timeout: float | None = None
    ) -> dict[str, Any]:
        """Follows and searches in one exchange; see `driver.search_at`."""
        keep = _shared_length(self._history, names)
        answer = self.call("search_at", keep, list(names[keep:]), player, options, timeout=timeout)
        self._history = list(names[: answer["at"]] if "unknown" in answer else names)
        return answer

    def search_at_once(
        self, names: Sequence[str], player: int, options: dict[str, Any], timeout: float | None = None
    ) -> dict[str, Any]:
        """Follows and searches where players choose at once, in one exchange; see `simultaneous_driver.search_at`."""
        keep = _shared_length(self._history, names)
        answer = self.call(
            "simultaneous_driver.search_at", keep, list(names[keep:]), player, options, timeout=timeout
        )
        self._history = list(names[: answer["at"]] if "unknown" in answer else names)
        return answer

    def search_seen(
        self, player: int, history: Sequence[list[Any]], options: dict[str, Any], timeout: float | None = None
    ) -> dict[str, Any]:
        """Searches information sets from a player's history, sending new pairs only; see
        `hidden_driver.search_seen`."""
        keep = _shared_length(self._seen, history)
        # Forgotten first: after a failure the worker may hold anything.
        self._seen = []
        answer = self.call(
            "hidden_driver.search_seen", player, keep, list(history[keep:]), options, timeout=timeout
        )
        self._seen = list(history)
        return answer

    @property
    def pid(self) -> int:
        """Number of the worker's process."""
        return self._worker.pid

    @property
    def alive(self) -> bool:
        """Whether the worker can still be called."""
        return self._worker.alive

    def close(self) -> None:
        self._worker.close()

    def __enter__(self) -> Simulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TrustedSimulator:
    """The driver and a *trusted* model in this process, called like a `Simulator`.

    Only for code that the user vouches for: it runs unsealed, with all rights of this process.
    """

    def __init__(self, source: str):
        modules: dict[str, types.ModuleType] = {}
        own = {
            "model": source,
            "uct": own_source("cwm.worker.search", "uct.py"),
            "ismcts": own_source("cwm.worker.search", "ismcts.py"),
            "joint": own_source("cwm.worker", "joint.py"),
            "driver": own_source("cwm.worker", "driver.py"),
            "hidden_driver": own_source("cwm.worker", "hidden_driver.py"),
            "training_driver": own_source("cwm.worker", "training_driver.py"),
        }
        saved = {name: sys.modules.get(name) for name in own}
        try:
            for name, text in own.items():
                module = modules[name] = types.ModuleType(name)
                sys.modules[name] = module
                exec(compile(text, f"<{name}>", "exec"), module.__dict__)
        finally:
            for name, module in saved.items():
                if module is None:
                    sys.modules.pop(name, None)
                else:
                    sys.modules[name] = module
        self._modules = modules

    def call(self, function: str, *args: Any) -> Any:
        place, _, name = function.rpartition(".")
        return getattr(self._modules[place or "driver"], name)(*args)
