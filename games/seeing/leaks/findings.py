"""What a leak test has counted: how often each channel told two moments apart that a reference could not."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from games.seeing.leaks import channels
from games.seeing.leaks.channels import Listener, Moment

LEAK = "leak"
DOUBT = "doubt"
FAULT = "fault"
NOTE = "note"
"""Grades of a difference: the player is told what it cannot know; one of two channels is wrong, and the pair alone
does not say which; a resampled state is not one that the player thinks possible; it is worth knowing and no more."""

_LONGEST = 6
"""Lines of a difference that are shown."""
_WIDEST = 160


@dataclass
class Example:
    """The shortest pair that shows a difference.

    Attributes:
      player: who cannot tell the two moments apart.
      moves: the moves of both, in words.
      told: what the channel tells at either, as text.
    """

    player: int
    moves: tuple[list[str], list[str]]
    told: tuple[str, str]

    def to_json(self) -> dict[str, Any]:
        """Returns the example as JSON-able data."""
        return {"player": self.player, "histories": list(self.moves), "told": list(self.told)}

    def lines(self) -> list[str]:
        """Returns the example for a reader: the moves that differ, and what was told."""
        one, other = self.moves
        changed = [f"{number + 1}. {a} / {b}" for number, (a, b) in enumerate(zip(one, other)) if a != b]
        history = " ".join(one)
        shown = [
            f"player {self.player} after {len(one)} moves: {_clip(history)}",
            f"moves that differ: {_clip('; '.join(changed))}",
        ]
        return shown + difference(*self.told)


def _clip(text: str, width: int = _WIDEST) -> str:
    return text if len(text) <= width else f"{text[: width - 4]} ..."


def difference(one: str, other: str) -> list[str]:
    """Returns the lines, marked - and +, in which two texts differ; the longest ones are cut."""
    lines = difflib.ndiff(one.splitlines(), other.splitlines())
    marked = [line for line in lines if line[:2] in ("- ", "+ ")]
    rest = [f"... {len(marked) - _LONGEST} more lines"] if len(marked) > _LONGEST else []
    return [_around(line, marked) for line in marked[:_LONGEST]] + rest


def _around(line: str, marked: list[str]) -> str:
    """Returns a line, and of a long one the part where it first leaves the line beside it."""
    if len(line) <= _WIDEST:
        return line
    others = [other for other in marked if other[:1] != line[:1]]
    first = min((_first_difference(line[2:], other[2:]) for other in others[:1]), default=0)
    start = max(0, first - _WIDEST // 2)
    return f"{line[:2]}{'... ' if start else ''}{_clip(line[2 + start :])}"


def _first_difference(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def in_words(moment: Moment) -> list[str]:
    """Returns the moves that led to a moment, by OpenSpiel's names of actions."""
    state = moment.state.get_game().new_initial_state()
    words = []
    for move in moment.moves:
        words.append(_name(state, move))
        try:
            channels.apply(state, move)
        except Exception:  # chance was drawn inside the game, and the moves do not lead there again
            return [*words, *map(str, moment.moves[len(words) :])]
    return words


def _name(state: Any, move: channels.Move) -> str:
    try:
        if isinstance(move, tuple):
            return "[" + ", ".join(state.action_to_string(p, a).strip() for p, a in enumerate(move)) + "]"
        who = int(state.current_player())
        name = " ".join(state.action_to_string(who, move).split())
        return name if who < 0 else f"{who}:{name}"
    except Exception:  # whatever a game raises that does not name this action here
        return str(move)


def as_text(value: Any) -> str:
    """Returns what a channel tells as text, tensors as the positions that are not zero."""
    if isinstance(value, bytes):
        numbers = np.frombuffer(value, np.float32)
        return "\n".join(f"[{at}] = {numbers[at]:g}" for at in np.flatnonzero(numbers))
    return str(value)


@dataclass
class Row:
    """The counts of one check, and its shortest example.

    Attributes:
      tested: the channel, or the other thing, that is tested.
      reference: that by which the player cannot tell the two moments apart.
      pairs: compared pairs.
      differing: pairs that differ.
      acting: those of them at which the player is to act.
      example: the shortest of them.
      remark: what there is to say beside the counts.
    """

    tested: str
    reference: str
    pairs: int = 0
    differing: int = 0
    acting: int = 0
    example: Example | None = None
    remark: str = ""
    _shortest: int = field(default=1 << 60, repr=False)

    def count(self, one: Moment, other: Moment, told: tuple[str, str] | None) -> None:
        """Counts a compared pair; `told` is what differs, None where nothing does."""
        self.pairs += 1
        if told is None:
            return
        self.differing += 1
        self.acting += channels.to_act(one.state, one.player)
        length = len(one.moves) + (0 if channels.to_act(one.state, one.player) else 10_000)
        if length < self._shortest:
            self._shortest = length
            self.example = Example(one.player, (in_words(one), in_words(other)), told)

    def to_json(self) -> dict[str, Any]:
        """Returns the row as JSON-able data."""
        return {
            "tested": self.tested,
            "reference": self.reference,
            "pairs": self.pairs,
            "differing": self.differing,
            "of them to act": self.acting,
            "example": self.example.to_json() if self.example else None,
            "remark": self.remark,
        }


class Matrix:
    """Compares every channel with every reference.

    Args:
      listener: knows the channels and the references.
    """

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        own = set(listener.references.items())
        self.rows = {
            (reference, tested): Row(tested, reference)
            for reference in listener.references
            for tested in listener.readers
            if (reference, tested) not in own
        }

    def compare(self, one: Moment, other: Moment) -> list[str]:
        """Compares all channels at two moments.

        Returns:
          The references by which the player cannot tell them apart.
        """
        equal = self._listener.equal_references(one, other)
        if one.state.is_terminal() or other.state.is_terminal():
            return []
        acts = [channels.to_act(moment.state, moment.player) for moment in (one, other)]
        for reference in equal:
            for tested in self._listener.readers:
                row = self.rows.get((reference, tested))
                if row is None:
                    continue
                told = one.value(tested), other.value(tested)
                if None in told or (tested != channels.TURN and acts[0] != acts[1]):
                    continue
                texts = None
                if told[0] != told[1]:
                    texts = as_text(one.text(tested)), as_text(other.text(tested))
                    if texts[0] == texts[1]:
                        row.remark = "read again it does not differ: it depends on what was read before"
                row.count(one, other, texts)
        return equal if acts[0] == acts[1] else []


class Recall:
    """Finds information states that forget: equal ones to which the player came by unequal ones, or by other actions
    of its own. Such a game has imperfect recall, on purpose or not.
    """

    def __init__(self, listener: Listener) -> None:
        self._channel = listener.references.get(channels.INFORMATION_STATES)
        self._met: dict[tuple[int, int | None], Moment] = {}
        self.row = Row("information state: remembers", "its earlier ones and own actions")

    def add(self, moment: Moment) -> None:
        """Compares a moment at which the player decides with one of an equal information state."""
        if self._channel is None or not channels.to_act(moment.state, moment.player):
            return
        other = self._met.setdefault((moment.player, moment.value(self._channel)), moment)
        if other.moves == moment.moves:
            return
        forgets = other.recall != moment.recall
        self.row.count(other, moment, (str(other.state), str(moment.state)) if forgets else None)


def grades(rows: Mapping[tuple[str, str], Row]) -> dict[tuple[str, str], str]:
    """Returns the grade of each row that differs.

    The information state, where a game has one, says all that a player knows (OpenSpiel's `spiel.h`), so that a
    channel which tells more to the player that decides is a leak. Where only a player that waits is told more it is
    a doubt: the rules may show it then, and the information state of a player that decides no more may leave it
    out. What an information state tells beyond all observations and own actions is a doubt too: the observations
    leave it out, or it must not be there; likewise anything beyond the observations in a game without information
    states, and with them a note where that row is clean. A player may be asked at one of two moments and not at
    the other: that is a note.
    """
    found = {}
    for (reference, tested), row in rows.items():
        if not row.differing:
            continue
        above = rows.get((channels.INFORMATION_STATES, tested))
        if tested == channels.TURN:
            grade = NOTE
        elif reference == channels.INFORMATION_STATES:
            grade = LEAK if row.acting else DOUBT
        elif tested in (channels.INFORMATION, channels.INFORMATION_TENSOR):
            grade = DOUBT
        elif above is not None and above.pairs and not above.differing:
            grade = NOTE
        else:
            grade = DOUBT
        found[reference, tested] = grade
    return found
