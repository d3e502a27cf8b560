"""A twin of Leduc poker: more ranks, other names, renumbered actions, and pairs that lose.

Everything is as in OpenSpiel's leduc_poker for two players, but for one rule: a pair is worse than
any other hand (`pairs_lose=true`). With `ranks=3,pairs_lose=false` it is OpenSpiel's game under
other names. It tells whether a player has read the rules or remembers a game.

Cards are called tiles, `ash1` to `oak2` and so on in place of jacks to kings; folding, calling and
raising are called `drop`, `stay` and `push`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from games.hidden.dynamics import CHANCE, TERMINAL
from games.hidden.hidden_information import register
from games.hidden.rules import Rules

RANKS = ("ash", "birch", "cedar", "elm", "fir", "holly", "larch", "oak")
"""The names of the ranks, the lowest first."""

_COPIES = 2
_ANTE, _PUSHES = 1, (2, 4)
_MAX_PUSHES = 2
PUSH, DROP, STAY = range(3)
_NAMES = ("push", "drop", "stay")
_NONE = -1


class Table(NamedTuple):
    """A position. Tiles are numbered from the lowest, rank by rank; -1 stands for no tile.

    Attributes:
      tiles: the tile of either player.
      common: the tile that both see.
      acts: the actions of the first and of the second round.
      stakes: chips that either player has put in.
      mover: the player to act, if one is.
      dropped: the player that has dropped out.
    """

    tiles: tuple[int, int] = (_NONE, _NONE)
    common: int = _NONE
    acts: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    stakes: tuple[int, int] = (_ANTE, _ANTE)
    mover: int = 0
    dropped: int = _NONE


@dataclasses.dataclass(frozen=True)
class LeducTwistRules(Rules):
    """The rules of `leduc_twist(ranks=4,pairs_lose=true)`.

    Outcomes of chance count tiles downwards, from the last one. Events: having a tile dealt; the
    common tile; an action of either player; a tile dealt that the player does not see.

    Parameters:
      ranks: number of ranks, of two tiles each; 2 to 8.
      pairs_lose: whether a pair is the worst hand instead of the best one.

    Raises:
      ValueError: if a parameter is out of range.
    """

    ranks: int = 4
    pairs_lose: bool = True

    num_actions = len(_NAMES)
    # At most: the ante, and twice two pushes.
    utilities = (-13.0, 13.0)
    max_decisions = 8
    max_chance_nodes = 3
    max_events = 3 + max_decisions

    def __post_init__(self) -> None:
        if not 2 <= self.ranks <= len(RANKS):
            raise ValueError(f"leduc_twist: ranks must be from 2 to {len(RANKS)}, got {self.ranks}.")

    @property
    def num_tiles(self) -> int:
        """Number of tiles."""
        return self.ranks * _COPIES

    num_outcomes = num_tiles

    @property
    def num_events(self) -> int:
        return self._unseen + 1

    @property
    def _acted(self) -> int:
        return 2 * self.num_tiles

    @property
    def _unseen(self) -> int:
        return self._acted + len(_NAMES)

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "tile": (self.num_tiles,), "common": (self.num_tiles,), "stakes": (2,),
            "acts": (2, self.max_decisions // 2, len(_NAMES)), "round": (2,),
        }  # fmt: skip

    def start(self) -> Table:
        return Table()

    @staticmethod
    def _is_closed(acts: Sequence[int]) -> bool:
        """Says whether a round of betting is over, nobody having dropped."""
        return len(acts) > 1 and acts[-1] == STAY

    def round(self, position: Table) -> int:
        """Returns the round, 0 or 1; it changes as soon as the first one is over."""
        return int(position.common != _NONE or self._is_closed(position.acts[0]))

    def to_move(self, position: Table) -> int:
        if position.dropped != _NONE or self._is_closed(position.acts[1]):
            return TERMINAL
        uncovered = self._is_closed(position.acts[0]) and position.common == _NONE
        return CHANCE if _NONE in position.tiles or uncovered else position.mover

    def legal(self, position: Table) -> list[int]:
        pushes = position.acts[self.round(position)].count(PUSH)
        own, other = position.stakes[position.mover], position.stakes[1 - position.mover]
        return [PUSH] * (pushes < _MAX_PUSHES) + [DROP] * (own < other) + [STAY]

    def chances(self, position: Table) -> list[tuple[int, float]]:
        last = self.num_tiles - 1
        left = [last - tile for tile in range(last, -1, -1) if tile not in position.tiles]
        return [(outcome, 1 / len(left)) for outcome in left]

    def after(self, position: Table, action: int) -> Table:
        mover = position.mover
        if self.to_move(position) == CHANCE:
            tile = self.num_tiles - 1 - action
            first, second = position.tiles
            if first == _NONE:
                return position._replace(tiles=(tile, _NONE))
            if second == _NONE:
                return position._replace(tiles=(first, tile))
            return position._replace(common=tile, mover=0)
        number = self.round(position)
        acts = (*position.acts[number], action)
        acts = (acts, ()) if number == 0 else (position.acts[0], acts)
        if action == DROP:
            return position._replace(acts=acts, dropped=mover)
        stake = position.stakes[1 - mover] + (_PUSHES[number] if action == PUSH else 0)
        stakes = (stake, position.stakes[1]) if mover == 0 else (position.stakes[0], stake)
        return position._replace(acts=acts, stakes=stakes, mover=1 - mover)

    def returns(self, position: Table) -> list[float]:
        if self.to_move(position) != TERMINAL:
            return [0.0, 0.0]
        if position.dropped != _NONE:
            winner = 1 - position.dropped
        else:
            hands = [self._worth(tile, position.common) for tile in position.tiles]
            if hands[0] == hands[1]:
                return [0.0, 0.0]
            winner = hands.index(max(hands))
        won = float(position.stakes[1 - winner])
        return [won, -won] if winner == 0 else [-won, won]

    def _worth(self, tile: int, common: int) -> int:
        """Returns a number that is the greater the better the hand is."""
        if tile // _COPIES == common // _COPIES:
            return _NONE if self.pairs_lose else self.ranks
        return tile // _COPIES

    def action_name(self, action: int) -> str:
        return _NAMES[action]

    def outcome_name(self, outcome: int) -> str:
        return f"deal {tile_name(self.num_tiles - 1 - outcome)}"

    def noticed(self, position: Table, action: int, after: Table, player: int) -> tuple[int, ...]:
        if self.to_move(position) != CHANCE:
            return (self._acted + action,)
        if after.common != _NONE:
            return (self.num_tiles + after.common,)
        return (after.tiles[player],) if after.tiles[player] != position.tiles[player] else (self._unseen,)

    def event_name(self, event: int) -> str:
        if event == self._unseen:
            return "opponent got a tile"
        if event >= self._acted:
            return self.action_name(event - self._acted)
        if event >= self.num_tiles:
            return f"common {tile_name(event - self.num_tiles)}"
        return f"got {tile_name(event)}"

    def seen(self, position: Table, player: int) -> dict[str, Any]:
        return {
            "tile": tile_name(position.tiles[player]),
            "common_tile": tile_name(position.common),
            "round": self.round(position) + 1,
            "acts": [[_NAMES[act] for act in acts] for acts in position.acts],
            "stakes": list(position.stakes),
        }

    def write(self, position: Table, player: int, pieces: dict[str, np.ndarray]) -> None:
        for name, tile in (("tile", position.tiles[player]), ("common", position.common)):
            if tile != _NONE:
                pieces[name][tile] = 1
        pieces["stakes"][:] = position.stakes
        pieces["round"][self.round(position)] = 1
        for rows, acts in zip(pieces["acts"], position.acts):
            rows[range(len(acts)), list(acts)] = 1


def tile_name(tile: int) -> str | None:
    """Returns e.g. `ash1` for tile 0 and `ash2` for tile 1; None for -1."""
    return None if tile == _NONE else f"{RANKS[tile // _COPIES]}{tile % _COPIES + 1}"


register(
    LeducTwistRules,
    "leduc_twist",
    "Leduc Twist",
    "- `tile`: the player's own tile; null before it is dealt.\n"
    "- `common_tile`: the common tile; null before it is dealt.\n"
    "- `round`: 1, and 2 from the end of the first round of betting on.\n"
    "- `acts`: the names of the actions of the first round and of the second round, each list in "
    "the order in which they were played.\n"
    "- `stakes`: how many chips player 0 and player 1 have put in, the ante included; at the end as "
    "well.",
)
