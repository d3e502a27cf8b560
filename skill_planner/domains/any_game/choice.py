"""One move of any game in the making: the actions that the lines of a plan have left so far."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence

import pyspiel

from games.seeing import views

_WORD = re.compile(r"[^\s,;()\"'`]+")


def words_of(text: str) -> tuple[str, ...]:
    """Returns the words of an action's name, as the parser takes those of a plan's line: lower case, without commas,
    semicolons, brackets and quotes."""
    return tuple(word.lower() for word in _WORD.findall(text))


def stands_in(words: Sequence[str], name: Sequence[str]) -> bool:
    """Says whether the words stand side by side in a name."""
    size = len(words)
    return any(tuple(name[start : start + size]) == tuple(words) for start in range(len(name) - size + 1))


class Choice:
    """A move in the making (a `skills.Turn`): each active line of a plan keeps some of the actions that the lines above
    have left, so that the plan is an order of preferences.

    Attributes:
      state: the state of the move; skills look at `seen` in its place, but where all players see everything.
      player: whose move it is.
      seen: what the player sees (`views.View`).
      rng: source of chance for conditions, and for the choice among the actions that are left.
      actions: the legal actions, name -> number.
      left: the names that are left, in the order of the game.
    """

    def __init__(self, state: pyspiel.State, player: int, rng: random.Random):
        self.state, self.player, self.rng = state, player, rng
        self.seen = views.view(state, player)
        self.actions = views.actions_by_name(state, player)
        self.left = list(self.actions)

    def keep(self, names: Iterable[str]) -> bool:
        """Leaves these names only; where none of them is left everything stays, and the answer is False."""
        kept = set(names)
        left = [name for name in self.left if name in kept]
        if left:
            self.left = left
        return bool(left)

    def named(self, test: Callable[[tuple[str, ...]], bool]) -> list[str]:
        """Returns the names left whose words pass the test."""
        return [name for name in self.left if test(words_of(name))]
