"""What random games of a game have shown: the facts that players see with their values, and how actions are called."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyspiel

from arena.registry.games import load_game
from bt_policies.trees.vocabularies.any_game_facts import Seats, facts_in, seats_of, slug
from games.seeing import views

GAMES, STATES = 60, 4_000
"""Most random games, and most states in them, from which the words are read."""
MOST_KINDS = 16
"""Where there are more kinds of actions than this, none has a name."""
MOST_ACTIONS = 80
"""Where actions have more numbers than this, or one number stands for different things, none can be played by its name."""
LARGEST = 1_000_000
"""Numbers beyond this are digits that were printed without blanks between them, and are left out."""


@dataclass
class Sample:
    """What random games have shown.

    Attributes:
      seats: the tokens of the seats.
      names: the names that each number of an action has had, by player.
      numbers: for each fact that is a number the least and the greatest value.
      states: number of states in which a player chose.
      offered: in how many of them there was an action of each kind.
      words, members: for each fact that is a word, or a set of words, what it has been or held, in order of first sight.
    """

    seats: Seats = field(default_factory=Seats)
    names: dict[int, dict[int, list[str]]] = field(default_factory=dict)
    numbers: dict[str, tuple[float, float]] = field(default_factory=dict)
    states: int = 0
    offered: dict[str, int] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)

    def label(self, name: str, player: int) -> str:
        """The slug of an action's name without the token of the seat."""
        own = self.seats.tokens[player] if self.seats.tokens else None
        parts = [part for part in re.findall(r"[A-Za-z0-9]+", name) if part != own]
        return "_".join(parts) or slug(name)

    def kinds_of(self, name: str, player: int) -> list[str]:
        """The kinds of an action: its first word, and all its letters."""
        letters = re.sub(r"[^A-Za-z]+", "_", self.label(name, player)).strip("_")
        first = letters.partition("_")[0]
        return [f"{kind}_" for kind in dict.fromkeys((first, letters)) if kind]

    @functools.cached_property
    def kinds(self) -> list[str]:
        """All kinds of actions, in the order of the alphabet; none where there are too many, or one alone."""
        return sorted(self.offered) if 1 < len(self.offered) <= MOST_KINDS else []

    @functools.cached_property
    def labels(self) -> list[str]:
        """A word for each action, the same in all seats, in the order of their numbers; none where a number stands for different
        things."""
        if len(self.names) > MOST_ACTIONS:
            return []
        found: list[str] = []
        for _, by_player in sorted(self.names.items()):
            told = {self.label(name, player) for player, own in by_player.items() for name in own}
            if len(told) != 1:
                return []
            found += told
        return found if len(set(found)) == len(found) else []

    @functools.cached_property
    def comparable(self) -> list[str]:
        """The numbers seen that an action can be near to: actions must differ by the number at their end."""
        ends = [number_at_end(own[0]) for by_player in self.names.values() for own in by_player.values()]
        if None in ends or len(set(ends)) < max(3, len(self.names) / 2):
            return []
        return [name for name, (low, high) in self.numbers.items() if low < high]

    def _see(self, data: dict[str, Any], player: int, legal: Iterable[str]) -> None:
        """Takes note of what a player saw who chose, and of the names of the legal actions."""
        self.states += 1
        for name, fact in facts_in(data, self.seats, player).items():
            if isinstance(fact, float):
                low, high = self.numbers.get(name, (fact, fact))
                self.numbers[name] = min(low, fact), max(high, fact)
            elif isinstance(fact, str):
                _add(self.words.setdefault(name, []), [fact])
            else:
                _add(self.members.setdefault(name, []), sorted(fact))
        for kind in {kind for name in legal for kind in self.kinds_of(name, player)}:
            self.offered[kind] = self.offered.get(kind, 0) + 1

    def _tidy(self) -> None:
        """Makes sets of what is now one word and now several, and leaves out numbers that are none."""
        for name in self.members:
            values = self.words.pop(name, [])
            if name in self.numbers:
                low, high = self.numbers.pop(name)
                values += [f"{low:g}", f"{high:g}"]
            _add(self.members[name], values)
        self.numbers = {name: ends for name, ends in self.numbers.items() if max(map(abs, ends)) <= LARGEST}


def number_at_end(name: str) -> float | None:
    """The number at the end of a name."""
    found = re.search(r"(\d+)\D*$", name)
    return float(found[1]) if found else None


def _add(known: list[str], new: Iterable[str]) -> None:
    known.extend(one for one in new if one not in known)


@functools.lru_cache(maxsize=16)
def sampled(game: str) -> Sample:
    """What random games of a game, drawn with one fixed seed, have shown.

    Args:
      game: a game string with all parameters, as `str` gives it.
    """
    loaded = load_game(game)
    rng = random.Random(0)
    seen: list[tuple[dict[str, Any], int, list[str]]] = []
    sample = Sample()
    for _ in range(GAMES):
        state = loaded.new_initial_state()
        while not state.is_terminal() and len(seen) < STATES:
            for player in _choosing(state):
                if legal := views.actions_by_name(state, player):
                    for name, action in legal.items():
                        _add(sample.names.setdefault(action, {}).setdefault(player, []), [name])
                    seen.append((views.view(state, player).data, player, list(legal)))
            _move(state, rng)
    sample.seats = seats_of(sample.names, loaded.num_players())
    for data, player, legal in seen:
        sample._see(data, player, legal)
    sample._tidy()
    return sample


def _choosing(state: pyspiel.State) -> Iterable[int]:
    """The players who may choose in a state; none where chance is to move."""
    if state.is_chance_node():
        return ()
    return range(state.num_players()) if state.is_simultaneous_node() else (state.current_player(),)


def _move(state: pyspiel.State, rng: random.Random) -> None:
    if state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(outcomes, probabilities)[0])
    elif state.is_simultaneous_node():
        legal = [state.legal_actions(player) for player in range(state.num_players())]
        state.apply_actions([rng.choice(own) if own else pyspiel.INVALID_ACTION for own in legal])
    else:
        state.apply_action(rng.choice(state.legal_actions()))
