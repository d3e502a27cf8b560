"""The rules of a game that recorded games show, found without knowing the rules.

A *signature* is a coarse description of one thing that a transition shows: what kind of step it was, how
one field of an observation changed in it or stood before it, what was earned. Two steps with the same
signatures most likely come from the same rule, a signature that no game has is a rule that no game shows;
so a set of games covers more rules the more different signatures it has. All that is looked at is the
form of a record, the same for any game:

* the *kind* of a step: whether chance or a player acted, the words in the action's name (`discard _`),
  and who acts next or that the game is over;
* each *change*: with the kind, for each field of each observation how it changed (appears, goes, rises,
  falls, grows, shrinks, becomes another text), and at a change of the returns who gained or lost and the
  order of magnitude;
* the *state* before the step, as the player that acts saw it: the action's name whole, and with its words,
  for each field the text, truth value, or the order of magnitude of a number, of the length of a list.
  Phases are seen so, and counters near a limit.

Texts are the *detail* of a signature. A field or action that shows more than `MAX_DETAILS` of them in a
pool of games (names of cards, squares) loses them, since they are then data and not rules.

Random play hardly ever reaches some phases of a game, so that five random games may pass all tests of a
program that has them wrong; hence `cwm.writing.selection` chooses games by their signatures.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cwm.trust.inference import Seen
from cwm.trust.moves import SIMULTANEOUS
from cwm.trust.trajectories import CHANCE, TERMINAL, Trajectory

MAX_DETAILS = 12
_WORD = re.compile(r"[A-Za-z]{3,}")
_PART = re.compile(r"\S+")


class Signature(NamedTuple):
    """One thing that a transition shows.

    Attributes:
      sort: "kind", "change" or "state".
      about: its subject, such as the kind of a step or the path of a field.
      detail: a text that is shown there, or None.
      source: the field or the words of an action that the detail is a value of.
    """

    sort: str
    about: tuple[str, ...]
    detail: str | None = None
    source: str = ""


class _State(NamedTuple):
    """One state as its observers have it: `observations` by the observer's role in the next step."""

    actor: str
    action: str | None
    observations: tuple[tuple[str, Any], ...]
    returns: tuple[float, ...]


def pattern(name: str) -> str:
    """The words of an action's name that have three letters or more; `_` stands for each other part.

    >>> pattern("discard 5s"), pattern("lay off Td"), pattern("bar/21 6/4"), pattern("x(0,1)")
    ('discard _', 'lay off _', 'bar _', '_')
    """
    parts: list[str] = []
    for part in _PART.findall(name):
        for word in _WORD.findall(part) or ["_"]:
            if word != "_" or parts[-1:] != ["_"]:
                parts.append(word)
    return " ".join(parts)


def signatures(game: Trajectory | Seen) -> set[Signature]:
    """The signatures of a whole recorded game, or of a game as one player saw it: then nothing that is
    hidden from that player takes part."""
    states = _seen_states(game) if isinstance(game, Seen) else _open_states(game)
    found: set[Signature] = set()
    for before, after in itertools.pairwise(states):
        found.update(_of_transition(before, after))
    return found


def kinds(game: Trajectory) -> list[tuple[str, ...]]:
    """The kind of each transition of a recorded game, in order."""
    states = _open_states(game)
    return [_kind(before, after) for before, after in itertools.pairwise(states)]


class Vocabulary:
    """The texts that count as details in a pool of games.

    Args:
      pool: the signatures of each of its games.
    """

    def __init__(self, pool: Iterable[set[Signature]]):
        details: dict[str, set[str | None]] = {}
        for signature in set().union(*pool):
            details.setdefault(signature.source, set()).add(signature.detail)
        self._data = {source for source, found in details.items() if len(found - {None}) > MAX_DETAILS}

    def reduced(self, found: set[Signature]) -> frozenset[Signature]:
        """The signatures without the details that are data."""
        return frozenset(one._replace(detail=None) if one.source in self._data else one for one in found)


def _open_states(game: Trajectory) -> list[_State]:
    states = []
    for step in game.steps:
        if step.player in (CHANCE, SIMULTANEOUS):
            actor = "chance" if step.player == CHANCE else "at once"
            roles = ["anybody"] * game.num_players
        else:
            actor = "end" if step.player == TERMINAL else f"player {step.player}"
            roles = ["mover" if player == step.player else "other" for player in range(game.num_players)]
        states.append(_State(actor, step.action, tuple(zip(roles, step.observations)), step.returns))
    return states


def _seen_states(seen: Seen) -> list[_State]:
    last = len(seen.actions) - 1
    return [
        _State(
            "end" if seen.over and number == last else "someone" if action is None else "self",
            action,
            (("self", observation),),
            (earned,) if seen.over and number == last else (0.0,),
        )
        for number, (observation, action, earned) in enumerate(
            zip(seen.observations, seen.actions, seen.returns)
        )
    ]


def _kind(before: _State, after: _State) -> tuple[str, ...]:
    actor = "player" if before.actor.startswith("player") else before.actor
    followed = after.actor
    if followed.startswith("player"):
        followed = (
            "player"
            if actor != "player"
            else ("the same player" if before.actor == followed else "another player")
        )
    return actor, pattern(before.action or ""), followed


def _of_transition(before: _State, after: _State) -> Iterator[Signature]:
    kind = _kind(before, after)
    yield Signature("kind", kind)
    yield Signature("state", (*kind, "name"), before.action, f"name {kind[1]}")
    for (role, old), (_, new) in zip(before.observations, after.observations):
        for path, value in _fields(old) if role != "other" else ():
            size, detail = _size(value)
            yield Signature("state", (*kind[:2], path, size), detail, f"field {path}")
        for path, change, detail in _changes("", old, new):
            yield Signature("change", (*kind, role, path, change), detail, f"field {path}")
    if before.returns != after.returns:
        gains = [_magnitude(new - old) for old, new in zip(before.returns, after.returns)]
        yield Signature("change", (*kind, "returns", *gains))


def _fields(data: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(data, dict):
        yield from ((f".{name}", value) for name, value in data.items())
    else:
        yield "", data


def _size(value: Any) -> tuple[str, str | None]:
    """The order of magnitude of a field's value, and its text where it is one."""
    if isinstance(value, str):
        return "text", json.dumps(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value), None
    if isinstance(value, (int, float)):
        return _magnitude(value), None
    inner = list(value.values()) if isinstance(value, dict) else value
    if isinstance(value, dict) or any(isinstance(one, (list, dict)) for one in inner):
        return " ".join(_size(one)[0] for one in inner), None
    return _magnitude(len(inner)), None


def _magnitude(number: float) -> str:
    """Sign and number of binary digits: -2 for -3 and -2, 0 for 0, 1 for 1, 2 for 2 and 3."""
    digits = math.frexp(abs(number))[1] if abs(number) >= 1 else int(number != 0)
    return str(digits if number > 0 else -digits)


def _changes(path: str, old: Any, new: Any) -> Iterator[tuple[str, str, str | None]]:
    """The changes between two values of a field: path, kind of change, detail."""
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(set(old) | set(new)):
            yield from _changes(f"{path}.{name}", old.get(name), new.get(name))
    elif old is None or new is None:
        yield path, "appears" if old is None else "goes", _text(new)
    elif _is_board(old) and _is_board(new) and list(map(len, old)) == list(map(len, new)):
        for change, symbols in (
            ("loses", Counter("".join(old)) - Counter("".join(new))),
            ("gains", Counter("".join(new)) - Counter("".join(old))),
        ):
            yield from ((path, change, symbol) for symbol in symbols)
        yield path, "is rewritten", None
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield path, f"{'grows' if len(old) < len(new) else 'shrinks'} {len(new) - len(old):+}", None
        for former, latter in zip(old, new) if len(old) == len(new) else ():
            yield from _changes(f"{path}[]", former, latter)
    elif _is_number(old) and _is_number(new):
        signs = "".join("-0+"[(value > 0) - (value < 0) + 1] for value in (old, new))
        yield path, f"{'rises' if new > old else 'falls'} {signs}", None
    else:
        yield path, "becomes", _text(new)


def _is_board(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, str) for row in value)


def _text(value: Any) -> str | None:
    return None if isinstance(value, (list, dict)) else json.dumps(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
