"""The speed of a model's searches on each interpreter.

A model is made for search, so searches are timed: UCT with random rollouts, or where players choose at once the search
of the bot `smcts`, from states of random games, in a sealed worker, warmed up first (PyPy compiles while it runs).
"""

from __future__ import annotations

import os
import shutil
import statistics
import time
from collections.abc import Sequence

from arena.bots.simultaneous.search import RULES
from cwm import contract
from cwm.contract import native_source
from cwm.worker import compiling
from cwm.worker.native import compiling as native_compiling
from cwm.worker.simulator import Simulator
from sandbox import InterpreterMissing, SandboxError
from sandbox.zygote import find_interpreter

SIMULATIONS = 1000
FINGERPRINT_SIMULATIONS = 200
WARM_UP_SECONDS = 1.5
ROUND_SECONDS = 0.3
"""Least seconds of a round, which repeats its searches: a single one of a fast model is over in a millisecond."""
_AT_ONCE = {"rollouts": 1, "rule": "regret_matching", "uct_c": 2.0, "exploration": 0.5}
"""Options of the searches where players choose at once."""
ROUNDS = 5


def available_interpreters(has_native: bool = False) -> list[str]:
    """The interpreters that a `Simulator` can have on this machine, by name; "cython" is one where
    there are Cython and a C compiler, "native" where there is a C compiler and the model `has_native` source."""
    return (
        ["cpython"]
        + (["pypy"] if shutil.which("pypy3") else [])
        + (["cython"] if compiling.missing() is None else [])
        + (["native"] if has_native and native_compiling.missing() is None else [])
    )


def why_not_native(source: str, use_value: bool) -> str | None:
    """Why searches of a model in C cannot be run here, as a sentence, or None if they can.

    Args:
      source: text of `model.c`.
      use_value: whether the search needs its value function.
    """
    if use_value and "value" not in native_source.functions_defined(source):
        return "the model in C has no value function"
    try:
        native_compiling.compile_model(source)
    except SandboxError as error:
        return str(error)
    return None


def check_interpreter(name: str) -> None:
    """Raises ValueError, with the missing packages, where a `Simulator` cannot have this interpreter here."""
    if name == "cython":
        problem = compiling.missing()
        if problem is not None:
            raise ValueError(problem)
        return
    if name == "native":
        problem = native_compiling.missing()
        if problem is not None:
            raise ValueError(problem)
        return
    if name not in ("cpython", "pypy") and os.sep not in name:
        raise ValueError(f"interpreter: expected auto, cpython, pypy, cython, native or a path, found {name!r}")
    try:
        find_interpreter(name)
    except InterpreterMissing as error:
        raise ValueError(str(error)) from error


class Racer:
    """One program on one interpreter, ready to be timed, by the search of games in turn, or, where the program defines
    `SIMULTANEOUS_FUNCTIONS`, by that of choices made at once.

    Args:
      source: text of the model's module.
      interpreter: interpreter of the worker.
      rollout: text of its rollout function's module, or None.
      native: text of the same model in C, for the interpreter "native", or None.

    Raises:
      sandbox.SandboxError: the program does not run there.
    """

    def __init__(self, source: str, interpreter: str, rollout: str | None = None, native: str | None = None):
        self._simulator = Simulator(
            source, rollout_source=rollout, native_source=native, interpreter=interpreter
        )
        self._at_once = all(contract.defines(source, one.name) for one in contract.SIMULTANEOUS_FUNCTIONS)
        self._positions: list[tuple[list[str], int]] = []
        for seed in range(3):
            names = self._simulator.call("random_play", seed, 5_000)["names"]
            names = self._decision_before(names[: len(names) // 2])
            self._positions.append((names, self._player_at(names)))

    def _is_decision(self, names: list[str]) -> bool:
        player = self._simulator.follow(names)["player"]
        return player >= 0 or player == contract.SIMULTANEOUS_PLAYER

    def _player_at(self, names: list[str]) -> int:
        """The player who acts after these actions, of several at once the first one."""
        player = self._simulator.follow(names)["player"]
        if player != contract.SIMULTANEOUS_PLAYER:
            return player
        facts = self._simulator.call("replay", names, len(names))["steps"][-1]
        return next(seat for seat, own in enumerate(facts["joint"]) if own)

    def _decision_before(self, names: list[str]) -> list[str]:
        """The longest start of `names` after which a player acts."""
        while not self._is_decision(names) and names:
            names = names[:-1]
        return names if self._is_decision(names) else self._after_chance(names)

    def _after_chance(self, names: list[str]) -> list[str]:
        """`names` and the chance outcomes up to the next decision."""
        facts = self._simulator.call("replay", names, len(names))["steps"][-1]
        while facts["player"] == -1:
            names = [*names, next(iter(facts["chance"]))]
            facts = self._simulator.call("replay", names, len(names))["steps"][-1]
        self._simulator.follow(names)
        return names

    def rate(self, seconds: float, seed: int) -> float:
        """The rate in simulations per second of searches from three states, repeated for at least `seconds`."""
        start, made = time.perf_counter(), 0
        while time.perf_counter() - start < seconds or not made:
            for names, player in self._positions:
                if self._at_once:
                    self._search_at_once(names, player, SIMULATIONS, seed + made)
                else:
                    self._simulator.search_at(
                        names,
                        player,
                        {"simulations": SIMULATIONS, "solve": False, "seed": seed + made},
                        timeout=120.0,
                    )
                made += SIMULATIONS
        return made / (time.perf_counter() - start)

    def fingerprint(self) -> list[object]:
        """The results of searches with fixed seeds, which are the same on every interpreter that is faithful."""
        if self._at_once:
            return [
                self._search_at_once(names, player, FINGERPRINT_SIMULATIONS, 7, rule=rule)
                for names, _ in self._positions
                for player in range(self._simulator.call("constants")["NUM_PLAYERS"])
                for rule in RULES
            ]
        options = {"simulations": FINGERPRINT_SIMULATIONS, "seed": 7}
        return [
            self._simulator.search_at(names, player, options, timeout=120.0)
            for names, player in self._positions
        ]

    def _search_at_once(
        self, names: list[str], player: int, simulations: int, seed: int, **options: object
    ) -> dict[str, object]:
        given = {**_AT_ONCE, "simulations": simulations, "seed": seed, **options}
        return self._simulator.search_at_once(names, player, given, timeout=120.0)

    def close(self) -> None:
        self._simulator.close()


def faithful_interpreters(source: str, rollout: str | None = None, native: str | None = None) -> list[str]:
    """The interpreters of this machine on which searches of the model come out as on CPython."""

    def fingerprint(interpreter: str) -> list[object] | None:
        try:
            racer = Racer(source, interpreter, rollout, native)
        except SandboxError:
            return None
        try:
            return racer.fingerprint()
        except SandboxError:
            return None
        finally:
            racer.close()

    wanted = fingerprint("cpython")
    return [name for name in available_interpreters(native is not None) if fingerprint(name) == wanted]


def race(contestants: Sequence[tuple[str | None, ...]], rounds: int = ROUNDS) -> list[float | None]:
    """Times contestants, each the arguments of a `Racer`, against each other, interleaved.

    Returns:
      For each contestant the median of its simulations per second, None where it does not run.
    """
    racers: list[Racer | None] = []
    try:
        for contestant in contestants:
            try:
                racers.append(Racer(*contestant))
            except SandboxError:
                racers.append(None)
        alive = [racer for racer in racers if racer is not None]
        for racer in alive:
            racer.rate(WARM_UP_SECONDS, 1)
        rates: dict[int, list[float]] = {id(racer): [] for racer in alive}
        for number in range(rounds):
            for racer in alive:
                rates[id(racer)].append(racer.rate(ROUND_SECONDS, 1_000_000 * (number + 1)))
        return [statistics.median(rates[id(racer)]) if racer else None for racer in racers]
    finally:
        for racer in racers:
            if racer is not None:
                racer.close()


def compare(
    before: tuple[str, str | None], after: tuple[str, str | None]
) -> tuple[dict[str, dict[str, float | None]], float, float]:
    """Races two versions of a model, each (source, rollout function or None), on every interpreter here.

    Returns:
      The rates {interpreter: {"before": rate, "after": rate}}; the best rate of `after`; and the ratio of
      that to the best rate of `before`.
    """
    names = available_interpreters()
    rates = race([(source, name, rollout) for name in names for source, rollout in (before, after)])
    by_name = {name: {"before": rates[2 * i], "after": rates[2 * i + 1]} for i, name in enumerate(names)}
    old, new = (max(pair[key] or 0.0 for pair in by_name.values()) for key in ("before", "after"))
    return by_name, new, new / old


def interpreter_report(source: str, rollout: str | None = None, native: str | None = None) -> dict[str, object]:
    """The interpreter that runs this model's searches fastest here, among those that search as CPython does.

    Returns:
      {"chosen": name, "simulations_per_second": {name: rate, or None where it does not run the model
      or searches differently}} for a manifest.
    """
    names = available_interpreters(native is not None)
    faithful = faithful_interpreters(source, rollout, native)
    rates = dict(zip(faithful, race([(source, name, rollout, native) for name in faithful], rounds=3)))
    by_name = {name: round(rates[name]) if rates.get(name) else None for name in names}
    chosen = max((name for name in names if by_name[name]), key=lambda name: by_name[name], default="cpython")
    return {"chosen": chosen, "simulations_per_second": by_name}
