"""An exported game with its program in a sealed worker: what it does is recorded without running the program here."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Sequence
from typing import Any

from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

from cwm.play.exporting.rendering import Export
from cwm.play.game import CwmGame

SMALL = 10_000
"""Most histories of a game of which the exploitability of uniform play is recorded."""


class _Written(str):
    """A text that is its own `repr`: a key that the worker has written down already."""

    __repr__ = str.__str__


def register(export: Export, game: CwmGame) -> None:
    """Registers the exported game with OpenSpiel in this process: the part of the file that OpenSpiel calls runs here,
    and each of the program's functions that it calls is one of these, which ask the worker.

    Args:
      export: what is written.
      game: the same model as a game, whose nodes are the states.
    """
    # Asked once for each state of a small game, which OpenSpiel's exact algorithms visit again and again.
    child = functools.lru_cache(maxsize=SMALL)(lambda node, action: node.child(action))
    memory = functools.lru_cache(maxsize=SMALL)(
        lambda node, player: _Written(node.backend.information_state(node.handle, player))
    )
    functions = {
        "initial_state": lambda: game.initial_node,
        "current_player": lambda node: node.player,
        "legal_actions": lambda node: node.legal,
        "chance_outcomes": lambda node: node.chance,
        "apply_action": child,
        "returns": lambda node: node.returns,
        "action_name": lambda node, action: node.name(action),
        "observation": lambda node, player: node.observation(player),
        "information_state": memory,
        "resample_history": _resampler(game),
        # These only where players choose at once.
        "player_legal_actions": lambda node, player: node.joint[player],
        "apply_actions": child,
        "player_action_name": lambda node, player, action: node.name(action, player),
    }
    names = {**game.constants, **functions, "__name__": f"sealed_{export.module}"}
    exec(compile(export.side(), f"<{export.module}.py>", "exec"), names)


def _resampler(game: CwmGame) -> Callable[[int, Sequence[Any], Callable[[], float]], list[int]]:
    return lambda player, history, rand: game.initial_node.backend.resampled(
        player, list(history), int(rand() * 2**31)
    )


def is_small(game: CwmGame, most: int = SMALL) -> bool:
    """Whether a game has at most so many histories, chance and ends included."""
    waiting, found = collections.deque([game.initial_node]), 1
    while waiting:
        node = waiting.popleft()
        options = [*node.legal, *(outcome for outcome, _ in node.chance)]
        found += len(options)
        if found > most:
            return False
        waiting += map(node.child, options)
    return True


def uniform_nash_conv(game: Any) -> float:
    """What uniform play loses to best responses, summed over the players (NashConv of Lanctot et al. 2017)."""
    return float(exploitability.nash_conv(game, policy.UniformRandomPolicy(game)))
