"""Ferry: a small game of our own about two hidden tiles and one on a raft.

Tiles are numbered. Each player holds one, unseen by the other; one lies open on the raft; one lies
face down on either bank, unseen by both. In turn the players look at banks, swap their tile for the
one on the raft, or double the stake. In the end the higher tile wins the stake, but a tile that lies
between those of the banks beats one that does not, and then the stake counts twice.

The game was made up for this suite and has not been published before, so that nobody can remember
it. With five tiles it is small enough to be solved.

    >>> import pyspiel, games
    >>> state = pyspiel.load_game("ferry").new_initial_state()
    >>> for tile in (2, 4, 0, 1, 3):
    ...     state.apply_action(tile)
    >>> state.seen(0)["tile"], state.seen(0)["raft"], state.seen(0)["banks"]
    (3, 1, [None, None])
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from games.hidden.dynamics import CHANCE, TERMINAL
from games.hidden.hidden_information import register
from games.hidden.rules import NUM_PLAYERS, Rules

ACTIONS = ("keep", "swap", "look left", "look right", "double")
KEEP, SWAP, LOOK_LEFT, LOOK_RIGHT, DOUBLE = range(len(ACTIONS))
_PLACES = 5  # In the order of the deal: either player, the raft, the banks.
_RAFT, _BANKS = 2, 3


class Table(NamedTuple):
    """A position.

    Attributes:
      tiles: those dealt so far, from 0, by place: player 0, player 1, raft, left and right bank.
      turns: turns taken.
      looked: for either player, whether the left and the right bank have been looked at.
      doubled: whether either player has doubled.
      last: the last action; -1 before the first one.
    """

    tiles: tuple[int, ...] = ()
    turns: int = 0
    looked: tuple[tuple[bool, bool], tuple[bool, bool]] = ((False, False), (False, False))
    doubled: tuple[bool, bool] = (False, False)
    last: int = -1


@dataclasses.dataclass(frozen=True)
class FerryRules(Rules):
    """The rules of `ferry(tiles=5,turns=2)`.

    Events: having a tile dealt, or getting it from the raft; a tile on the raft; an action of either
    player; a bank's tile seen, left or right; the opponent's tile seen; a tile dealt that the player
    does not see.

    Parameters:
      tiles: number of tiles; 5 to 9.
      turns: number of turns of each player; 1 to 6.

    Raises:
      ValueError: if a parameter is out of range.
    """

    tiles: int = 5
    turns: int = 2

    num_actions = len(ACTIONS)
    max_chance_nodes = _PLACES
    # The stake can be doubled twice, and counts twice if one tile only is between the banks.
    utilities = (-8.0, 8.0)

    def __post_init__(self) -> None:
        if not _PLACES <= self.tiles <= 9:
            raise ValueError(f"ferry: tiles must be from {_PLACES} to 9, got {self.tiles}.")
        if not 1 <= self.turns <= 6:
            raise ValueError(f"ferry: turns must be from 1 to 6, got {self.turns}.")

    @property
    def num_outcomes(self) -> int:
        return self.tiles

    @property
    def max_decisions(self) -> int:
        return NUM_PLAYERS * self.turns

    # The numbers of the first event of each kind; own tiles are numbered from 0.

    @property
    def _on_raft(self) -> int:
        return self.tiles

    @property
    def _acted(self) -> int:
        return 2 * self.tiles

    @property
    def _on_bank(self) -> int:
        return self._acted + len(ACTIONS)

    @property
    def _opposite(self) -> int:
        return self._on_bank + 2 * self.tiles

    @property
    def _unseen(self) -> int:
        return self._opposite + self.tiles

    @property
    def num_events(self) -> int:
        return self._unseen + 1

    @property
    def max_events(self) -> int:
        return _PLACES + 2 * self.max_decisions + 3  # at the end the banks and the other tile

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "tile": (self.tiles,), "raft": (self.tiles,), "banks": (2, self.tiles),
            "turns": (self.max_decisions + 1,), "looked": (2, 2), "doubled": (2,),
            "last": (len(ACTIONS),), "opponent": (self.tiles,),
        }  # fmt: skip

    def start(self) -> Table:
        return Table()

    def to_move(self, position: Table) -> int:
        if len(position.tiles) < _PLACES:
            return CHANCE
        return TERMINAL if position.turns == self.max_decisions else position.turns % 2

    def legal(self, position: Table) -> list[int]:
        mover = position.turns % 2
        looks = [LOOK_LEFT + bank for bank in (0, 1) if not position.looked[mover][bank]]
        return [KEEP, SWAP, *looks] + [DOUBLE] * (not position.doubled[mover])

    def chances(self, position: Table) -> list[tuple[int, float]]:
        left = [tile for tile in range(self.tiles) if tile not in position.tiles]
        return [(tile, 1 / len(left)) for tile in left]

    def after(self, position: Table, action: int) -> Table:
        if len(position.tiles) < _PLACES:
            return position._replace(tiles=(*position.tiles, action))
        mover = position.turns % 2
        tiles, looked, doubled = list(position.tiles), list(position.looked), list(position.doubled)
        if action == SWAP:
            tiles[mover], tiles[_RAFT] = tiles[_RAFT], tiles[mover]
        elif action == DOUBLE:
            doubled[mover] = True
        elif action != KEEP:
            left, right = looked[mover]
            looked[mover] = (left or action == LOOK_LEFT, right or action == LOOK_RIGHT)
        return Table(tuple(tiles), position.turns + 1, tuple(looked), tuple(doubled), action)

    def returns(self, position: Table) -> list[float]:
        if self.to_move(position) != TERMINAL:
            return [0.0, 0.0]
        low, high = sorted(position.tiles[_BANKS:])
        hands = [(low < tile < high, tile) for tile in position.tiles[:NUM_PLAYERS]]
        stake = 2.0 ** sum(position.doubled)
        if hands[0][0] != hands[1][0]:
            stake *= 2
        return [stake, -stake] if hands[0] > hands[1] else [-stake, stake]

    def action_name(self, action: int) -> str:
        return ACTIONS[action]

    def outcome_name(self, outcome: int) -> str:
        return f"deal {outcome + 1}"

    def noticed(self, position: Table, action: int, after: Table, player: int) -> tuple[int, ...]:
        dealt = len(position.tiles)
        if dealt < _PLACES:
            if dealt == _RAFT:
                return (self._on_raft + action,)
            return (action,) if dealt == player else (self._unseen,)
        events = (self._acted + action,)
        if action == SWAP:
            mover = position.turns % 2
            # The player that swaps knows the tile put on the raft, the other one the tile taken from it.
            events += (after.tiles[player],) if mover == player else (self._on_raft + after.tiles[_RAFT],)
        elif action in (LOOK_LEFT, LOOK_RIGHT) and position.turns % 2 == player:
            bank = action - LOOK_LEFT
            events += (self._on_bank + bank * self.tiles + position.tiles[_BANKS + bank],)
        if self.to_move(after) == TERMINAL:
            events += self._uncovered(after, player)
        return events

    def _uncovered(self, after: Table, player: int) -> tuple[int, ...]:
        """Returns the events of the end: the tiles of both banks and of the opponent."""
        banks = after.tiles[_BANKS:]
        events = [self._on_bank + bank * self.tiles + tile for bank, tile in enumerate(banks)]
        return (*events, self._opposite + after.tiles[1 - player])

    def event_name(self, event: int) -> str:
        if event == self._unseen:
            return "a tile dealt"
        if event >= self._opposite:
            return f"opponent {event - self._opposite + 1}"
        if event >= self._on_bank:
            bank, tile = divmod(event - self._on_bank, self.tiles)
            return f"{('left', 'right')[bank]} {tile + 1}"
        if event >= self._acted:
            return self.action_name(event - self._acted)
        if event >= self._on_raft:
            return f"raft {event - self._on_raft + 1}"
        return f"got {event + 1}"

    def _known_banks(self, position: Table, player: int) -> list[int | None]:
        over = self.to_move(position) == TERMINAL
        return [
            position.tiles[_BANKS + bank] if over or position.looked[player][bank] else None for bank in (0, 1)
        ]

    def seen(self, position: Table, player: int) -> dict[str, Any]:
        tiles, over = position.tiles, self.to_move(position) == TERMINAL
        return {
            "tile": tiles[player] + 1 if len(tiles) > player else None,
            "raft": tiles[_RAFT] + 1 if len(tiles) > _RAFT else None,
            "banks": [None if tile is None else tile + 1 for tile in self._known_banks(position, player)],
            "looked": [list(banks) for banks in position.looked],
            "doubled": list(position.doubled),
            "turns": position.turns,
            "last_action": None if position.last < 0 else ACTIONS[position.last],
            "opponent_tile": tiles[1 - player] + 1 if over else None,
        }

    def write(self, position: Table, player: int, pieces: dict[str, np.ndarray]) -> None:
        tiles = position.tiles
        if len(tiles) > player:
            pieces["tile"][tiles[player]] = 1
        if len(tiles) > _RAFT:
            pieces["raft"][tiles[_RAFT]] = 1
        for row, tile in zip(pieces["banks"], self._known_banks(position, player)):
            if tile is not None:
                row[tile] = 1
        pieces["turns"][position.turns] = 1
        pieces["looked"][:] = position.looked
        pieces["doubled"][:] = position.doubled
        if position.last >= 0:
            pieces["last"][position.last] = 1
        if self.to_move(position) == TERMINAL:
            pieces["opponent"][tiles[1 - player]] = 1


register(
    FerryRules,
    "ferry",
    "Ferry",
    "- `tile`: the number of the player's own tile; null before it is dealt.\n"
    "- `raft`: the number of the tile on the raft; null before it is dealt.\n"
    "- `banks`: the numbers of the tiles on the left and on the right bank, each null as long as "
    "the player has not looked at it; at the end both are shown.\n"
    "- `looked`: for player 0 and player 1, whether they have looked at the left and at the right "
    "bank.\n"
    "- `doubled`: for player 0 and player 1, whether they have doubled.\n"
    "- `turns`: how many turns both players together have taken.\n"
    "- `last_action`: the name of the last action of either player; null before the first one.\n"
    "- `opponent_tile`: at the end the number of the opponent's tile; null before the end.",
)
