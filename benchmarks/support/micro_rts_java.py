"""The real engine's rows of `benchmarks.games.micro_rts`: RandomBiasedAI on both sides, by JPype and in Java.

By JPype, Python asks both bots, issues both lists and lets a tick pass, each by one call; planes are the
engine's own (5 of whole numbers, the 27 before they are told apart) as numpy arrays. In Java alone, a loop
compiled here plays the whole game. Every tick counts as a decision, as the engine asks its bots in each.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from games.micro_rts.java import jvm
from games.micro_rts.java.mirror import RealGame
from games.micro_rts.rules import maps

_LOOP = Path(__file__).with_name("MicroRtsLoop.java")


def _start(library: jvm.Library, name: str, seed: int) -> tuple[Any, list[Any]]:
    """Returns a GameState and two seeded bots."""
    game = RealGame(library, maps.load(name), 2, 1)
    bots = [library.ai_class("ai.RandomBiasedAI")(game.types) for _ in (0, 1)]
    library.seed_shared(seed)
    for player, bot in enumerate(bots):
        library.seed_ai(bot, 2 * seed + player)
    return game.state, bots


def play_by_jpype(library: jvm.Library, name: str, seed: int, max_cycles: int, observe: bool) -> int:
    """Plays one game; returns its ticks."""
    state, (first, second) = _start(library, name, seed)
    over, ticks = False, 0
    while not over and ticks < max_cycles:
        if observe:
            for player in (0, 1):
                np.asarray(state.getMatrixObservation(player))
        orders, others = first.getAction(0, state), second.getAction(1, state)
        state.issueSafe(orders)
        state.issueSafe(others)
        over = state.cycle()
        ticks += 1
    return ticks


def compiled_loop(library: jvm.Library) -> Any | None:
    """Returns the class of MicroRtsLoop.java; None, with a note on stderr, where Java has no compiler."""
    jpype = jvm.jpype
    compiler = jpype.JClass("javax.tools.ToolProvider").getSystemJavaCompiler()
    if compiler is None:
        print("no rows in Java alone: this Java has no compiler; install a JDK", file=sys.stderr)
        return None
    with tempfile.TemporaryDirectory(prefix="micro_rts_") as folder:
        options = ["-classpath", str(library.jars[0]), "-d", folder, str(_LOOP)]
        if compiler.run(None, None, None, *options) != 0:
            raise ValueError(
                f"{_LOOP.name} does not compile against {library.jars[0]}; use the "
                "microrts.jar of gym-microrts 0.4.3"
            )
        url = jpype.java.io.File(folder).toURI().toURL()
        loader = jpype.java.net.URLClassLoader([url], library.GameState.class_.getClassLoader())
        return jpype.JClass("MicroRtsLoop", loader=loader)


def contestants(jar: str | None, max_cycles: int) -> dict[str, Callable[[str, int], tuple[int, int]]]:
    """Returns by name the functions that play one game, from a map and a seed to ticks and decisions; `jar` as
    for `start`.
    """
    library = jvm.start(jar)
    loop = compiled_loop(library)

    def by_jpype(observe: bool) -> Callable[[str, int], tuple[int, int]]:
        return lambda name, seed: (play_by_jpype(library, name, seed, max_cycles, observe),) * 2

    def in_java(observe: bool) -> Callable[[str, int], tuple[int, int]]:
        def play(name: str, seed: int) -> tuple[int, int]:
            state, bots = _start(library, name, seed)
            return (int(loop.play(state, *bots, max_cycles, observe)),) * 2

        return play

    rows = {"real engine by JPype": by_jpype(False), "real engine by JPype with planes": by_jpype(True)}
    if loop is not None:
        rows |= {"real engine in Java": in_java(False), "real engine in Java with planes": in_java(True)}
    return rows
