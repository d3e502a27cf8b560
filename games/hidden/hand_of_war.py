"""Hand of war: battles of high cards, played from a hidden hand of three.

The game is one of the unpublished ones of "Code World Models for General Game Playing"
(https://arxiv.org/abs/2510.04542): 16 cards, aces, kings, queens and jacks worth 4, 3, 2 and 1; 8
for each player, of which 3 are the hand; the players play one after the other and the higher card
takes both; the game ends when a player cannot replenish the hand, and the larger win pile wins.
The points that it leaves open are settled here as follows:

* All 16 cards are shuffled and halved; nobody knows either pile, so a card drawn from any of them
  is a card drawn from all that have not been drawn. That is how chance deals them, one by one.
* Player 0 leads the first battle. The winner of a battle leads the next one.
* Equal cards: nobody takes them, and the same player leads again.
* After a battle player 0 draws one card, then player 1. When the piles are used up the game ends,
  with cards left in the hands: these do not count.
* The players pick up their first hands when all cards of them are dealt.
* `ranks`, `copies` and `hand_size` are parameters.

    >>> import pyspiel, games
    >>> state = pyspiel.load_game("hand_of_war").new_initial_state()
    >>> for rank in (3, 0, 1, 2, 2, 1):
    ...     state.apply_action(rank)
    >>> state.seen(0)["hand"], state.seen(1)["hand"]
    (['A', 'K', 'J'], ['K', 'Q', 'Q'])
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from games.hidden.dynamics import CHANCE, TERMINAL, Position, replaced
from games.hidden.hidden_information import register
from games.hidden.rules import Rules

RANKS = "AKQJT98765432"
"""The letters of the ranks, the highest first."""

_NONE = -1


@dataclasses.dataclass(frozen=True)
class HandOfWarRules(Rules):
    """The rules of `hand_of_war(ranks=4,copies=4,hand_size=3)`.

    A position is (hands, undrawn, drawn, leader, led, battles): for each player how many cards of
    each rank are in hand; how many of each rank have not been drawn; how many cards each player has
    drawn; the leader; the rank led, or -1; the battles as pairs (rank of player 0, rank of player
    1). Ranks are numbered from the highest, 0. Events: drawing a rank (all cards of the first hand
    at once, the highest first); playing a rank; the opponent's playing a rank; anybody's drawing a
    card that the player does not see.

    Parameters:
      ranks: number of ranks; 2 to 13.
      copies: cards of each rank; at least 1.
      hand_size: cards in a full hand; at least 1 and less than half of all cards.

    Raises:
      ValueError: if a parameter is out of range, or the number of cards is odd.
    """

    ranks: int = 4
    copies: int = 4
    hand_size: int = 3

    utilities = (-1.0, 1.0)

    def __post_init__(self) -> None:
        if not 2 <= self.ranks <= len(RANKS):
            raise ValueError(f"hand_of_war: ranks must be from 2 to {len(RANKS)}, got {self.ranks}.")
        if self.copies < 1 or self.ranks * self.copies % 2:
            raise ValueError(
                "hand_of_war: copies must be 1 or more and give an even number of cards, got "
                f"{self.copies} of {self.ranks} ranks."
            )
        if not 1 <= self.hand_size < self.half:
            raise ValueError(f"hand_of_war: hand_size must be from 1 to {self.half - 1}, got {self.hand_size}.")

    @property
    def half(self) -> int:
        """Number of cards that each player has at the start, in hand and pile."""
        return self.ranks * self.copies // 2

    @property
    def num_battles(self) -> int:
        """Number of battles in a game."""
        return self.half - self.hand_size + 1

    @property
    def num_actions(self) -> int:
        return self.ranks

    num_outcomes = num_actions

    @property
    def max_decisions(self) -> int:
        return 2 * self.num_battles

    @property
    def max_chance_nodes(self) -> int:
        return 2 * self.half

    @property
    def num_events(self) -> int:
        return self._unseen + 1

    @property
    def max_events(self) -> int:
        return self.max_chance_nodes + self.hand_size + self.max_decisions

    @property
    def _unseen(self) -> int:
        return 3 * self.ranks

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "hand": (self.ranks,),
            "piles": (2,),
            "leader": (2,),
            "led": (self.ranks,),
            "battles": (self.num_battles, 2, self.ranks),
        }

    def start(self) -> Position:
        nothing = (0,) * self.ranks
        return ((nothing, nothing), (self.copies,) * self.ranks, (0, 0), 0, _NONE, ())

    def _drawer(self, position: Position) -> int:
        """Returns the player that draws next, or _NONE."""
        hands, _, drawn, _, led, _ = position
        if led == _NONE:
            for player in (0, 1):
                if sum(hands[player]) < self.hand_size and drawn[player] < self.half:
                    return player
        return _NONE

    def to_move(self, position: Position) -> int:
        if self._drawer(position) != _NONE:
            return CHANCE
        _, _, _, leader, led, battles = position
        if len(battles) == self.num_battles:
            return TERMINAL
        return leader if led == _NONE else 1 - leader

    def legal(self, position: Position) -> list[int]:
        hand = position[0][self.to_move(position)]
        return [rank for rank, count in enumerate(hand) if count]

    def chances(self, position: Position) -> list[tuple[int, float]]:
        undrawn = position[1]
        total = sum(undrawn)
        return [(rank, count / total) for rank, count in enumerate(undrawn) if count]

    def after(self, position: Position, action: int) -> Position:
        hands, undrawn, drawn, leader, led, battles = position
        drawer = self._drawer(position)
        if drawer != _NONE:
            undrawn = _changed(undrawn, action, -1)
            hands = replaced(hands, drawer, _changed(hands[drawer], action, 1))
            return (hands, undrawn, _changed(drawn, drawer, 1), leader, led, battles)
        mover = leader if led == _NONE else 1 - leader
        hands = replaced(hands, mover, _changed(hands[mover], action, -1))
        if led == _NONE:
            return (hands, undrawn, drawn, leader, action, battles)
        battle = (led, action) if leader == 0 else (action, led)
        if battle[0] != battle[1]:
            leader = 0 if battle[0] < battle[1] else 1
        return (hands, undrawn, drawn, leader, _NONE, (*battles, battle))

    def returns(self, position: Position) -> list[float]:
        battles = position[-1]
        if len(battles) < self.num_battles:
            return [0.0, 0.0]
        lead = self._taken(battles, 0) - self._taken(battles, 1)
        outcome = float(np.sign(lead))
        return [outcome, 0.0 - outcome]

    @staticmethod
    def _taken(battles: Sequence[tuple[int, int]], player: int) -> int:
        return 2 * sum(battle[player] < battle[1 - player] for battle in battles)

    def action_name(self, action: int) -> str:
        return f"play {RANKS[action]}"

    def outcome_name(self, outcome: int) -> str:
        return f"draw {RANKS[outcome]}"

    def noticed(self, position: Position, action: int, after: Position, player: int) -> tuple[int, ...]:
        drawer = self._drawer(position)
        if drawer == _NONE:
            mover = self.to_move(position)
            return ((1 if mover == player else 2) * self.ranks + action,)
        drawn = after[2][player]
        if drawer != player or drawn < self.hand_size:
            return (self._unseen,)
        return tuple(_cards(after[0][player])) if drawn == self.hand_size else (action,)

    def event_name(self, event: int) -> str:
        if event == self._unseen:
            return "a card drawn"
        kind, rank = divmod(event, self.ranks)
        return f"{('drew', 'played', 'opponent played')[kind]} {RANKS[rank]}"

    def _hand(self, position: Position, player: int) -> tuple[int, ...]:
        """Returns the hand as the player sees it: empty until it is complete for the first time."""
        hands, _, drawn = position[:3]
        return hands[player] if drawn[player] >= self.hand_size else (0,) * self.ranks

    def seen(self, position: Position, player: int) -> dict[str, Any]:
        _, _, drawn, leader, led, battles = position
        return {
            "hand": [RANKS[rank] for rank in _cards(self._hand(position, player))],
            "piles": [self.half - number for number in drawn],
            "leader": leader,
            "led": None if led == _NONE else RANKS[led],
            "battles": [[RANKS[rank] for rank in battle] for battle in battles],
            "taken": [self._taken(battles, 0), self._taken(battles, 1)],
        }

    def write(self, position: Position, player: int, pieces: dict[str, np.ndarray]) -> None:
        _, _, drawn, leader, led, battles = position
        pieces["hand"][:] = self._hand(position, player)
        pieces["piles"][:] = [self.half - number for number in drawn]
        pieces["leader"][leader] = 1
        if led != _NONE:
            pieces["led"][led] = 1
        for row, battle in zip(pieces["battles"], battles):
            row[[0, 1], battle] = 1


def _cards(counts: Sequence[int]) -> list[int]:
    return [rank for rank, count in enumerate(counts) for _ in range(count)]


def _changed(counts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    return replaced(counts, index, counts[index] + by)


register(
    HandOfWarRules,
    "hand_of_war",
    "Hand of War",
    "- `hand`: the player's own cards, the highest first; empty until the first hand is complete.\n"
    "- `piles`: for player 0 and player 1, how many cards are left in the draw pile.\n"
    "- `leader`: the number of the player who leads this battle or the next one; after the last "
    "battle the one who would lead.\n"
    "- `led`: the card that was led in this battle; null if none was led yet.\n"
    "- `battles`: all finished battles, the oldest first: the card of player 0, the card of "
    "player 1.\n"
    "- `taken`: for player 0 and player 1, how many cards they have taken.",
)
