"""What a player sees of any game, as named facts that tree conditions can ask for.

A view's data is of any shape: a struct, a text with a label on each line, a board of characters. `facts_in` makes of it
numbers, words and sets of words, each with a name. What belongs to a seat, such as the `x` in `x(0,0)`, is told from the
player's own side (`Seats`), so that one tree plays every seat.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

from games.seeing import views

Fact = float | str | frozenset[str]
"""A number, a word, or a set of words."""
LONGEST_LIST = 12
"""Lists of numbers up to this length have a fact for each entry; longer ones for their length alone."""
SHORT_TEXT = 16
"""A text of one line and at most so many characters, without blanks, is read character by character."""
_SYMBOLS = {
    ".": "empty",
    "-": "empty",
    "_": "empty",
    " ": "empty",
    "*": "star",
    "#": "hash",
    "+": "plus",
    "@": "at",
}


def slug(text: str) -> str:
    """A text as letters, digits and _, as words of trees are; other characters by their code.

    >>> slug("P0 hand"), slug("."), slug("offer 0 1 0"), slug("%")
    ('P0_hand', 'empty', 'offer_0_1_0', 'c37')
    """
    if text in _SYMBOLS:
        return _SYMBOLS[text]
    plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    return plain or "_".join(f"c{ord(char)}" for char in text) or "nothing"


@dataclass(frozen=True)
class Seats:
    """The tokens in the names of actions by which players tell themselves apart.

    Attributes:
      tokens: one for each player, such as ("x", "o") or ("P0", "P1"); empty where names are the same in all seats.
    """

    tokens: tuple[str, ...] = ()

    def from_side(self, token: str, player: int) -> str:
        """The token as `player` says it: `my`, `their` for the only opponent, or `next1_`, `next2_` in the order of seats."""
        if token not in self.tokens:
            return token
        others = len(self.tokens)
        ahead = (self.tokens.index(token) - player) % others
        return "my" if ahead == 0 else "their" if others == 2 else f"next{ahead}"

    def words(self, text: str, player: int) -> str:
        """The slug of a text with its tokens from a player's side."""
        parts = [self.from_side(part, player) for part in re.findall(r"[A-Za-z0-9]+", text)]
        return "_".join(parts) or slug(text)


def facts_in(data: Mapping[str, Any], seats: Seats, player: int) -> dict[str, Fact]:
    """The facts of a view's data, by name.

    Args:
      data: as `View.data`.
      seats: the tokens of the seats.
      player: the player that looks.
    """
    found: dict[str, Fact] = {}
    for name, fact in _facts("", data, seats, player):
        found.setdefault(name, fact)
    return found


def _facts(path: str, value: Any, seats: Seats, player: int) -> Iterator[tuple[str, Fact]]:
    name = path or "seen"
    if value is None:
        yield name, "nothing"
    elif isinstance(value, bool):
        yield name, "yes" if value else "no"
    elif isinstance(value, (int, float)):
        yield name, float(value)
    elif isinstance(value, Mapping):
        for key, own in value.items():
            yield from _facts(_joined(path, seats.words(str(key), player)), own, seats, player)
    elif isinstance(value, str):
        yield from _facts_of_text(name, value, seats, player)
    elif isinstance(value, Sequence):
        yield from _facts_of_list(name, value, seats, player)


def _facts_of_list(name: str, value: Sequence[Any], seats: Seats, player: int) -> Iterator[tuple[str, Fact]]:
    texts = [own for own in value if isinstance(own, str)]
    if value and len(texts) == len(value):
        if len({len(own) for own in texts}) == 1 and len(texts[0]) > 2 and len(texts) > 1 and _is_board(texts):
            yield from _facts_of_board(name, texts, seats, player)
            return
        yield f"{name}_count", float(len(value))
        yield name, frozenset(seats.words(own, player) for own in texts)
        return
    yield f"{name}_count", float(len(value))
    if len(value) <= LONGEST_LIST:
        for index, own in enumerate(value):
            yield from _facts(f"{name}_{index}", own, seats, player)


def _is_board(rows: Sequence[str]) -> bool:
    """Whether texts of one length are the rows of a board: one of the characters comes up again and again."""
    cells = "".join(rows)
    return max(cells.count(cell) for cell in set(cells)) >= len(cells) / 4


def _facts_of_board(name: str, rows: Sequence[str], seats: Seats, player: int) -> Iterator[tuple[str, Fact]]:
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            yield f"{name}_{y}_{x}", slug(seats.from_side(cell, player))


def _facts_of_text(name: str, text: str, seats: Seats, player: int) -> Iterator[tuple[str, Fact]]:
    lines = [line for line in text.split("\n") if line.strip()]
    labelled = [line for line in lines if re.match(r"[^:|]*[A-Za-z][^:|]*:", line)]
    if labelled:
        for line in labelled:
            label, _, rest = line.partition(":")
            yield from _facts_of_words(_joined("", seats.words(label, player)), rest.split(), seats, player)
        return
    rows = [line.split() for line in lines]
    if len(lines) > 1 and all(len(line) == len(lines[0]) and " " not in line for line in lines):
        yield from _facts_of_board(name, lines, seats, player)
    elif len(lines) > 1 and all(len(row) == len(rows[0]) for row in rows):
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                yield f"{name}_{y}_{x}", slug(seats.from_side(cell, player))
    elif len(lines) == 1 and len(text.strip()) <= SHORT_TEXT and len(rows[0]) == 1 and rows[0][0].isalnum():
        for index, char in enumerate(rows[0][0]):
            yield f"{name}_{index}", seats.from_side(char, player)
    else:
        for index, token in enumerate(re.findall(r"-?\d+|[A-Za-z]+", text)[:LONGEST_LIST]):
            yield from _facts_of_words(f"{name}_{index}", [token], seats, player)


def _facts_of_words(name: str, words: Sequence[str], seats: Seats, player: int) -> Iterator[tuple[str, Fact]]:
    """The words behind a label: one is a number or a word, several are a set, and numbers stand by themselves too."""
    words = [word.strip(",;.") or word for word in words]
    if len(words) == 1:
        yield name, float(words[0]) if re.fullmatch(r"-?\d+", words[0]) else slug(seats.words(words[0], player))
        return
    yield f"{name}_count", float(len(words))
    yield name, frozenset(seats.words(word, player) for word in words)
    numbers = [word for word in words if re.fullmatch(r"-?\d+", word)]
    if numbers and len(numbers) == len(words) <= LONGEST_LIST:
        for index, number in enumerate(numbers):
            yield f"{name}_{index}", float(number)


def _joined(path: str, part: str) -> str:
    return f"{path}_{part}" if path else part if part[:1].isalpha() else f"_{part}"


class Position:
    """What the player to move knows and can do.

    Attributes:
      facts: see `facts_in`.
      legal: the names of the legal actions, in the game's order, with their numbers.
      player: the player that looks.

    Args:
      state: the state; nothing of it is looked at but what the player may see.
      player: the player that is to act.
      seats: the tokens of the seats.
      looks_ahead: whether moves may be tried: nothing is hidden, chance has no part, and players move in turn.
    """

    def __init__(self, state: pyspiel.State, player: int, seats: Seats, looks_ahead: bool):
        self.player = player
        self.facts = facts_in(views.view(state, player).data, seats, player)
        self.legal = views.actions_by_name(state, player)
        self._state = state.clone() if looks_ahead else None

    @functools.cached_property
    def wins(self) -> list[str]:
        """The actions that end the game with a win of the player."""
        return [name for name, child in self._children if _is_win(child, self.player)]

    @functools.cached_property
    def safe(self) -> list[str]:
        """The actions after which no other player can win at once."""
        return [name for name, child in self._children if not _loses_next(child, self.player)]

    @functools.cached_property
    def _children(self) -> list[tuple[str, pyspiel.State]]:
        return [(name, self._state.child(action)) for name, action in self.legal.items()]


def _is_win(state: pyspiel.State, player: int) -> bool:
    return (
        state.is_terminal() and state.returns()[player] > 0 and state.returns()[player] == max(state.returns())
    )


def _loses_next(state: pyspiel.State, player: int) -> bool:
    """Whether the game is lost, or another player is to move and can win at once."""
    if state.is_terminal():
        return any(_is_win(state, other) for other in range(state.num_players()) if other != player)
    mover = state.current_player()
    return mover != player and any(_is_win(state.child(action), mover) for action in state.legal_actions())


def seats_of(names: Mapping[int, Mapping[int, Iterable[str]]], players: int) -> Seats:
    """The tokens in which the names of the same action differ from seat to seat.

    Args:
      names: the names of each action's number, by player.
      players: number of players.
    """
    for by_player in names.values():
        told = {player: _parts(next(iter(own))) for player, own in by_player.items() if len(set(own)) == 1}
        if len(told) < players or len({len(parts) for parts in told.values()}) > 1:
            continue
        for column in zip(*(told[player] for player in range(players))):
            if len(set(column)) == players and not all(token.isdigit() for token in column):
                return Seats(column)
    return Seats()


def _parts(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[A-Za-z0-9]+", name))
