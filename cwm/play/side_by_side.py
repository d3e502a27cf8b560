"""The games of a `cwm.play.vector_env.VectorEnv` as its worker plays them, and the checks of what comes back."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cwm.contract.functions import TERMINAL_PLAYER
from cwm.play.exporting.columns import Columns
from cwm.worker.simulator import MODEL_LIMITS, native_worker, own_source

MOST_BYTES = 1 << 26
"""Most bytes of numbers that all players of all games know."""
_FRAME_BYTES = 1 << 28
_GAMES_AT_ONCE = 10_000
"""Number of random games in one exchange with the worker."""


class Malformed(ValueError):
    """Raised where the worker's reply has not the driver's form: the program in it can forge any reply."""

    def __init__(self, expected: str):
        super().__init__(
            f"the model's worker gave a malformed reply, expected {expected}; "
            "check the model with python -m cwm.verify"
        )


@dataclass(frozen=True)
class Rows:
    """The games after a step.

    Attributes:
      players: (games,) int32, the player to move, TERMINAL_PLAYER where a game is over.
      counts: (games,) int32, numbers of legal actions.
      legal: (sum of counts,) int32, the legal actions, game after game.
      seen: (games, columns) float32, what the players to move know, or (games, players, columns), what all know.
      returns: (games, players) float64, of a game that ended its final ones.
      over: (games,) bool, whether the game ended.
    """

    players: np.ndarray
    counts: np.ndarray
    legal: np.ndarray
    seen: np.ndarray
    returns: np.ndarray
    over: np.ndarray

    @cached_property
    def games_of_legal(self) -> np.ndarray:
        """The game of each entry of `legal`."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def player_list(self) -> list[int]:
        """The players to move."""
        return self.players.tolist()

    @cached_property
    def legal_lists(self) -> list[list[int]]:
        """The legal actions of each game."""
        flat, ends = self.legal.tolist(), np.cumsum(self.counts).tolist()
        return [flat[start:end] for start, end in zip([0, *ends], ends)]

    def masks(self, actions: int) -> np.ndarray:
        """(games, actions) bool, whether each action is legal."""
        found = np.zeros((len(self.counts), actions), bool)
        found[self.games_of_legal, self.legal] = True
        return found


def _array(reply: Any, name: str, kind: type, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a reply, if it is there and as long as it should be."""
    try:
        data = base64.b64decode(reply[name], validate=True)
    except (TypeError, KeyError, ValueError, binascii.Error):
        raise Malformed(f"Base64 under {name!r}") from None
    if len(data) != int(np.prod(shape)) * np.dtype(kind).itemsize:
        raise Malformed(f"an array of the shape {shape} under {name!r}")
    return np.frombuffer(data, kind).reshape(shape)


class Games:
    """Many games in one sealed worker.

    Args:
      source: text of the model in C.
      count: number of games.
      seed: seed of chance.
      columns: the columns of observations.
      remembers: whether the players' rows hold the trace of what they have seen and done.

    Attributes:
      count: number of games.
      size: columns of a player's row.
      actions: number of the model's distinct actions.

    Raises, here and in all methods:
      ValueError: the games do not fit into memory, or a reply has not the driver's form.
      sandbox.SandboxError: the model failed, or could not be compiled.
    """

    def __init__(self, source: str, count: int, seed: int, columns: Columns, remembers: bool):
        codec = columns.codec
        self.count, self._players = count, codec.players
        self.size = codec.size if remembers else codec.players + codec.columns
        self._binary = codec.players + len(codec.values)
        if count * self._players * self.size * 4 > MOST_BYTES:
            most = MOST_BYTES // (self._players * self.size * 4)
            raise ValueError(
                f"num_envs is {count}, expected at most {most} of this model; make several of them"
            )
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"seed is {seed}, expected 0 to 2**64 - 1")
        driver = own_source("cwm.worker.native", "vector_driver.py")
        limits = dataclasses.replace(MODEL_LIMITS, frame_bytes=_FRAME_BYTES)
        self._worker = native_worker({"vector_driver": driver}, source, limits)
        try:
            self._begin(seed, columns, remembers)
        except BaseException:
            self.close()
            raise

    def _begin(self, seed: int, columns: Columns, remembers: bool) -> None:
        told = columns.codec.to_json()
        about = {name: told[name] for name in ("values", "scales", "actions")}
        self._call("seed", seed, "fast")
        begun = self._call("begin", self.count, {**about, "spelt": list(columns.spelt), "remembers": remembers})
        self.actions = begun["actions"] if isinstance(begun, dict) else None
        if not isinstance(self.actions, int) or not 0 < self.actions <= 65535:
            raise Malformed("a number of actions")
        if begun.get("players") != self._players or begun.get("size") != self.size:
            raise ValueError(
                f"the columns are of a game of {self._players} players with {self.size} columns, and the model's "
                f"has {begun.get('players')!r} with {begun.get('size')!r}; give columns of the same model"
            )

    def _call(self, name: str, *args: Any) -> Any:
        return self._worker.call(f"vector_driver.{name}", *args)

    def look(self) -> Rows:
        """The games as they stand, with what the players to move know."""
        return self._rows(self._call("look", False), False, False)

    def restart(self, marked: np.ndarray, everyone: bool) -> Rows:
        """Starts the marked games anew; `everyone` asks for what all players know."""
        return self._rows(self._call("restart", marked.astype(int).tolist(), everyone), everyone, False)

    def step(self, actions: Sequence[int], everyone: bool, again: bool) -> Rows:
        """Takes one action in each game; one that was over starts anew instead, and with `again` one that ends
        now does too, at once."""
        return self._rows(self._call("step", list(actions), everyone, again), everyone, again)

    def _rows(self, reply: Any, everyone: bool, again: bool) -> Rows:
        count, seats = self.count, self._players
        counts = _array(reply, "counts", np.int32, (count,))
        if (counts < 0).any() or (counts > self.actions).any():
            raise Malformed("numbers of legal actions")
        rows = Rows(
            players=_array(reply, "players", np.int32, (count,)),
            counts=counts,
            legal=_array(reply, "legal", np.int32, (int(counts.sum()),)),
            seen=self._seen(reply, (count, seats) if everyone else (count,)),
            returns=_array(reply, "returns", np.float64, (count, seats)),
            over=_array(reply, "over", np.bool_, (count,)),
        )
        self._check(rows, again)
        return rows

    def _seen(self, reply: Any, shape: tuple[int, ...]) -> np.ndarray:
        """What players know: bits for the columns that are not 0, and numbers for those that may be other than 1."""
        bits = _array(reply, "bits", np.uint8, (*shape, -(-self.size // 8)))
        found = np.unpackbits(bits, axis=-1, count=self.size, bitorder="little").astype(np.float32)
        others = found[..., self._binary :]
        at = others.astype(bool)
        others[at] = numbers = _array(reply, "others", np.float32, (int(at.sum()),))
        if not np.isfinite(numbers).all():
            raise Malformed("finite info states")
        return found

    def _check(self, rows: Rows, again: bool) -> None:
        to_move = rows.players >= 0
        for holds, expected in (
            (np.all((to_move & (rows.players < self._players)) | (rows.players == TERMINAL_PLAYER)), "players"),
            (np.all((rows.counts > 0) == to_move), "legal actions where a player is to move, and only there"),
            (np.all((rows.legal >= 0) & (rows.legal < self.actions)), "numbers of actions"),
            (np.all(np.isfinite(rows.returns)), "finite returns"),
            (np.all(rows.over.view(np.uint8) <= 1), "flags of 0 and 1"),
            (again or np.all(rows.over == ~to_move), "games without a player to move to be over"),
        ):
            if not holds:
                raise Malformed(expected)

    def action_names(self, game: int) -> dict[int, str]:
        """The names of the legal actions of one game, by number."""
        reply = self._call("action_names", game)
        if not isinstance(reply, list) or not all(
            isinstance(pair, list) and list(map(type, pair)) == [int, str] for pair in reply
        ):
            raise Malformed("pairs of the numbers and names of actions")
        return {number: name for number, name in reply}

    def random_returns(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The returns, (count, players), and lengths, (count,), of games played at random."""
        returns, lengths = np.empty((count, self._players)), np.empty(count, np.int64)
        for first in range(0, count, _GAMES_AT_ONCE):
            part = slice(first, min(first + _GAMES_AT_ONCE, count))
            reply = self._call("play_games", part.stop - part.start)
            returns[part] = _array(reply, "returns", np.float64, returns[part].shape)
            lengths[part] = _array(reply, "plies", np.int64, lengths[part].shape)
        if not np.isfinite(returns).all() or (lengths < 0).any():
            raise Malformed("finite returns, and lengths of games")
        return returns, lengths

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()
