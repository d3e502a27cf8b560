"""The memory of a player in a world model, as numbers for a network.

Models speak JSON: observations are nested fields, actions have names. A `Codec` gives each scalar that a
field was seen to hold a column, found by random play inside the model; a `Trail` follows one player through
one game. It holds what the player sees now, and a trace of the whole action-observation history in which
what is new in a state enters with 1 and halves with every state after it, so that the order of all that
happened in the last 24 states, a float32's bits, can be read off.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from cwm.contract.functions import TERMINAL_PLAYER

VOCABULARY_GAMES = 500
"""Random games inside the model in which the columns are found."""
_GAMES_AT_ONCE = 50
"""Number of games that start in one exchange with the worker, whose replies are limited in size."""
VALUES_PER_FIELD = 32
"""Most different values of a number that each have a column of their own beside its one scaled column."""
MAX_COLUMNS = 4_096
_REMEMBERED = 20_000
"""Number of observations whose columns are kept: in small games the same ones come again and again."""


def fields(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All scalars of JSON data with their paths, as in ("/bets/0/1", "call"); an empty list or object is a
    scalar too."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from fields(value, f"{path}/{key}")
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from fields(value, f"{path}/{index}")
    else:
        yield path, data


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True)
class Codec:
    """The meaning of each column; JSON-able by `to_json`.

    Attributes:
      players: number of players of the game.
      values: (path, JSON text of a scalar) of each column that is 1 where the field holds that scalar.
      scales: (path, greatest absolute value seen) of each column that holds a number, divided by it.
      actions: names of the players' actions, in the order of a network's outputs.
    """

    players: int
    values: tuple[tuple[str, str], ...]
    scales: tuple[tuple[str, float], ...]
    actions: tuple[str, ...]

    @classmethod
    def made_from(cls, players: int, observations: Iterable[Any], actions: Iterable[str]) -> Codec:
        """Makes columns for the scalars in these observations.

        Raises:
          ValueError: there are too many different things.
        """
        held: dict[str, dict[str, Any]] = {}
        largest: dict[str, float] = {}
        for observation in observations:
            for path, value in fields(observation):
                held.setdefault(path, {})[repr(value)] = value  # several times as fast as its JSON
                if _is_number(value):
                    largest[path] = max(largest.get(path, 0.0), abs(value))
        texts = {path: {json.dumps(value) for value in found.values()} for path, found in held.items()}
        values = [
            (path, text)
            for path in sorted(texts)
            for text in sorted(texts[path])
            if len(texts[path]) <= VALUES_PER_FIELD or not _is_number(json.loads(text))
        ]
        scales = [(path, largest[path] or 1.0) for path in sorted(largest)]
        if len(values) + len(scales) > MAX_COLUMNS:
            raise ValueError(
                f"the model's observations hold {len(values) + len(scales)} different things, "
                f"expected at most {MAX_COLUMNS}, as each is an input of the network; choose "
                "another game"
            )
        return cls(players, tuple(values), tuple(scales), tuple(sorted(set(actions))))

    @cached_property
    def _value_columns(self) -> dict[tuple[str, str], int]:
        return {value: column for column, value in enumerate(self.values)}

    @cached_property
    def _number_columns(self) -> dict[str, tuple[int, float]]:
        return {path: (len(self.values) + index, scale) for index, (path, scale) in enumerate(self.scales)}

    @cached_property
    def outputs(self) -> dict[str, int]:
        """The network's output for each action's name."""
        return {name: index for index, name in enumerate(self.actions)}

    @cached_property
    def _encoded(self) -> dict[str, np.ndarray]:
        return {}

    @property
    def columns(self) -> int:
        """Number of columns of one observation."""
        return len(self.values) + len(self.scales)

    @property
    def size(self) -> int:
        """Length of a `Trail.vector`."""
        return self.players + 2 * self.columns + len(self.actions)

    def encoded(self, observation: Any) -> np.ndarray:
        """One observation, (columns,) float32, read-only. Scalars that were not met when the columns were found
        are left out."""
        text = json.dumps(observation)
        if text not in self._encoded:
            if len(self._encoded) >= _REMEMBERED:
                self._encoded.clear()
            self._encoded[text] = self._columns_of(observation)
        return self._encoded[text]

    def _columns_of(self, observation: Any) -> np.ndarray:
        found = np.zeros(self.columns, np.float32)
        for path, value in fields(observation):
            column = self._value_columns.get((path, json.dumps(value)))
            if column is not None:
                found[column] = 1.0
            if path in self._number_columns and _is_number(value):
                column, scale = self._number_columns[path]
                found[column] = value / scale
        found.setflags(write=False)
        return found

    def mask(self, legal: Iterable[str]) -> np.ndarray:
        """The mask of legal outputs, (number of actions,) bool; unknown names have none."""
        found = np.zeros(len(self.actions), bool)
        found[[self.outputs[name] for name in legal if name in self.outputs]] = True
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "values": [list(pair) for pair in self.values],
            "scales": [list(pair) for pair in self.scales],
            "actions": list(self.actions),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Codec:
        return cls(
            data["players"],
            tuple(map(tuple, data["values"])),
            tuple(map(tuple, data["scales"])),
            tuple(data["actions"]),
        )


@dataclass
class Trail:
    """One player's way through one game.

    Args:
      codec: the codec of the model.
      player: the player whose way it is.
    """

    codec: Codec
    player: int
    _now: np.ndarray = field(init=False)
    _trace: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self._now = np.zeros(self.codec.columns, np.float32)
        self._trace = np.zeros(self.codec.columns + len(self.codec.actions), np.float32)

    def see(self, observation: Any) -> None:
        """Adds the next state of the game, as the player sees it."""
        now = self.codec.encoded(observation)
        self._trace *= 0.5
        self._trace[: len(now)] += np.where(now != self._now, now, 0.0)
        self._now = now

    def act(self, name: str) -> None:
        """Adds the action that the player takes there."""
        output = self.codec.outputs.get(name)
        if output is not None:
            self._trace[self.codec.columns + output] += 1.0

    def vector(self) -> np.ndarray:
        """(codec.size,) float32: one-hot player, the observation, the trace of observations and actions."""
        seat = np.zeros(self.codec.players, np.float32)
        seat[self.player] = 1.0
        return np.concatenate([seat, self._now, self._trace])


def trail(codec: Codec, player: int, history: Sequence[Sequence[Any]]) -> Trail:
    """The trail of a history in the form that inference functions get: one pair [observation, name of the
    own action or None] for each state."""
    found = Trail(codec, player)
    for observation, action in history:
        found.see(observation)
        if action is not None:
            found.act(action)
    return found


class SelfPlay:
    """Games played inside a model, many at once; chance is drawn where the model runs.

    Args:
      call: calls a function of the worker, as `Simulator.call`.

    Raises, in all of its methods:
      ValueError: the worker's reply has not the driver's form.
      sandbox.SandboxError: the model failed.
    """

    def __init__(self, call: Any):
        self._call = call
        self.constants = call("constants")

    def begin(self, seeds: Sequence[int]) -> list[dict[str, Any]]:
        """Starts new games instead of the old ones; rows as in `training_driver.begin`."""
        return self._rows(self._call("training_driver.begin", list(seeds)), len(seeds))

    def advance(self, moves: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
        """The rows of the games, by number, in which these actions, by name, are played."""
        return self._rows(self._call("training_driver.advance", [list(move) for move in moves]), len(moves))

    def _rows(self, reply: Any, count: int) -> list[dict[str, Any]]:
        """The reply, if it has the driver's form: the program in the worker can forge any reply."""
        if not isinstance(reply, list) or len(reply) != count or not all(map(self._well_formed, reply)):
            raise ValueError(
                f"the model's worker gave a malformed reply, expected {count} rows of games; "
                "check the model with python -m cwm.verify"
            )
        return reply

    def _well_formed(self, row: Any) -> bool:
        players = self.constants["NUM_PLAYERS"]
        return (
            isinstance(row, dict)
            and row.get("player") in (TERMINAL_PLAYER, *range(players))
            and isinstance(row.get("legal"), list)
            and all(isinstance(name, str) for name in row["legal"])
            and bool(row["legal"]) == (row["player"] >= 0)
            and isinstance(row.get("seen"), list)
            and all(isinstance(seen, list) and len(seen) == players for seen in row["seen"])
            and isinstance(row.get("returns"), list)
            and len(row["returns"]) == players
            and all(map(_is_number, row["returns"]))
        )


def found_codec(play: SelfPlay, seed: int = 0, games: int = VOCABULARY_GAMES) -> Codec:
    """The columns for a model, from random games inside it.

    Raises:
      ValueError: see `Codec.made_from`.
    """
    return Codec.made_from(play.constants["NUM_PLAYERS"], *met(play, seed, games))


def met(
    play: SelfPlay, seed: int = 0, games: int = VOCABULARY_GAMES, enough: float = float("inf")
) -> tuple[list[Any], set[str]]:
    """The different observations of all players in random games inside a model, and the names of their actions.

    Args:
      play: plays inside the model.
      seed: chooses the games.
      games: most games.
      enough: number of different observations from which no further games begin.
    """
    rng = random.Random(seed)
    observations: dict[str, Any] = {}
    actions: set[str] = set()
    for first in range(0, games, _GAMES_AT_ONCE):
        if len(observations) >= enough:
            break
        count = min(_GAMES_AT_ONCE, games - first)
        rows = dict(enumerate(play.begin([rng.randrange(2**31) for _ in range(count)])))
        while rows:
            moves = []
            for number, row in rows.items():
                for seen in row["seen"]:
                    observations.update((json.dumps(observation), observation) for observation in seen)
                if row["player"] >= 0:
                    actions.update(row["legal"])
                    moves.append((number, rng.choice(row["legal"])))
            rows = dict(zip([number for number, _ in moves], play.advance(moves))) if moves else {}
    return list(observations.values()), actions
