"""Caravan: a card game of our own with as many phases as gin rummy.

The players exchange gifts, take and put cards until one of them can lay two lots and closes; the
other one then joins cards to these lots and lays own ones; lots score, cards left in hand count
against their owner. The rules are in `games/rules/caravan.md`.

The game was made up for this suite and has not been published before, so that nobody can remember
it.

    >>> import pyspiel, games
    >>> game = pyspiel.load_game("caravan(rounds=4)")
    >>> game.max_game_length()
    28
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from games.hidden.caravan.table import (
    DEAL,
    GIVE,
    JOIN,
    LAY,
    LOTS,
    LOTS_TO_CLOSE,
    NONE,
    NUM_CARDS,
    NUM_WORDS,
    OPEN,
    OWN,
    PHASES,
    PUT,
    CaravanTableRules,
    Table,
    good,
    value,
)
from games.hidden.cards import cards_of, deal_hidden, trace_hand
from games.hidden.dynamics import Random
from games.hidden.hidden_information import register

GOODS = "amst"
"""The goods: amber, myrrh, salt, tea."""

_WORDS = ("close", "take stall", "take store", "done")


@dataclasses.dataclass(frozen=True)
class CaravanRules(CaravanTableRules):
    """The rules of `caravan`; the parameters are those of `CaravanTableRules`.

    Events: having a card dealt (all cards of the first hand at once) or given; a card put on the
    stall by chance; own actions; the opponent's actions; the opponent's holding a card, at the end;
    anybody's drawing a card that the player does not see; the opponent's choosing a gift.
    """

    _opened = NUM_CARDS
    _acted = _opened + NUM_CARDS
    _saw_act = _acted + CaravanTableRules.num_actions
    _held = _saw_act + CaravanTableRules.num_actions
    _unseen = _held + NUM_CARDS
    _chosen = _unseen + 1
    num_events = _chosen + 1

    @property
    def max_events(self) -> int:
        return self.max_chance_nodes + self.max_decisions + 2 * self.hand_size + 2

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "phase": (len(PHASES),), "hand": (NUM_CARDS,), "gifts": (2, NUM_CARDS),
            "stall": (NUM_CARDS,), "out": (NUM_CARDS,), "closer": (2,), "lots": (2, len(LOTS)),
            "joined": (LOTS_TO_CLOSE, NUM_CARDS), "opponent_hand": (NUM_CARDS,), "numbers": (3,),
        }  # fmt: skip

    def action_name(self, action: int) -> str:
        if action < NUM_WORDS:
            return _WORDS[action]
        if action < self.first_put:
            return f"give {card_name(action - self.first_give)}"
        if action < self.first_lay:
            return f"put {card_name(action - self.first_put)}"
        if action < self.first_join:
            return f"lay {' '.join(card_names(LOTS[action - self.first_lay]))}"
        number, card = divmod(action - self.first_join, NUM_CARDS)
        return f"join {card_name(card)} to lot {number + 1}"

    def outcome_name(self, outcome: int) -> str:
        return f"deal {card_name(outcome)}"

    def noticed(self, position: Table, action: int, after: Table, player: int) -> tuple[int, ...]:
        phase, own = position.phase, position.mover == player
        if phase == OPEN:
            return (self._opened + action,)
        if phase == DEAL:
            if not own or not self._has_hand(after, player):
                return (self._unseen,)
            if position.dealt < 2 * self.hand_size:
                return tuple(cards_of(after.hands[player]))
            return (action,)
        if phase == GIVE and not own:
            events = (self._chosen,)
        else:
            events = ((self._acted if own else self._saw_act) + action,)
        if phase == GIVE and after.phase == OPEN:
            events += (after.gifts[1 - player],)
        if after.open(1 - player):
            events += tuple(self._held + card for card in cards_of(after.hands[1 - player]))
        return events

    def _has_hand(self, position: Table, player: int) -> bool:
        """Says whether the player has picked up the first hand."""
        return position.dealt >= (player + 1) * self.hand_size

    def event_name(self, event: int) -> str:
        if event >= self._unseen:
            return "a card drawn" if event == self._unseen else "opponent has chosen a gift"
        if event >= self._held:
            return f"opponent has {card_name(event - self._held)}"
        if event >= self._saw_act:
            return f"opponent: {self.action_name(event - self._saw_act)}"
        if event >= self._acted:
            return self.action_name(event - self._acted)
        if event >= self._opened:
            return f"{card_name(event - self._opened)} on the stall"
        return f"got {card_name(event)}"

    def _seen_gifts(self, position: Table, player: int) -> list[int]:
        """Returns the card given and the card received; NONE where there is none yet."""
        given, received = position.gifts[player], position.gifts[1 - player]
        return [given, NONE if NONE in position.gifts else received]

    def seen(self, position: Table, player: int) -> dict[str, Any]:
        opponent = 1 - player
        hand = position.hands[player] if self._has_hand(position, player) else 0
        given, received = map(_name_or_none, self._seen_gifts(position, player))
        other = position.hands[opponent]
        return {
            "phase": position.phase,
            "hand": card_names(cards_of(hand)),
            "given": given,
            "received": received,
            "stall": _name_or_none(position.stall),
            "out": card_names(position.out),
            "store": position.store.bit_count(),
            "turns": position.turns,
            "closer": None if position.closer == NONE else position.closer,
            "lots": [[card_names(lot) for lot in lots] for lots in position.lots],
            "joined": [card_names(cards) for cards in position.joined],
            "opponent_hand": card_names(cards_of(other)) if position.open(opponent) else None,
        }

    def write(self, position: Table, player: int, pieces: dict[str, np.ndarray]) -> None:
        pieces["phase"][PHASES.index(position.phase)] = 1
        if self._has_hand(position, player):
            pieces["hand"][cards_of(position.hands[player])] = 1
        for row, card in zip(pieces["gifts"], self._seen_gifts(position, player)):
            if card != NONE:
                row[card] = 1
        if position.stall != NONE:
            pieces["stall"][position.stall] = 1
        # The places of cards and lots in the lists, counted from 1.
        pieces["out"][list(position.out)] = range(1, len(position.out) + 1)
        for row, lots in zip(pieces["lots"], position.lots):
            row[[LOTS.index(lot) for lot in lots]] = range(1, len(lots) + 1)
        for row, cards in zip(pieces["joined"], position.joined):
            row[list(cards)] = range(1, len(cards) + 1)
        if position.closer != NONE:
            pieces["closer"][position.closer] = 1
        if position.open(1 - player):
            pieces["opponent_hand"][cards_of(position.hands[1 - player])] = 1
        pieces["numbers"][:] = (
            position.store.bit_count(), position.turns, position.open(1 - player)
        )  # fmt: skip

    def resample(self, history: Sequence[int], memory: tuple[int, ...], player: int, rng: Random) -> list[int]:
        """Resamples as `Rules.resample`; own cards that the player has not picked up yet stay as they are.

        The cards that the opponent got unseen are drawn by `cards.deal_hidden`, and accepted as
        often as a random opponent with these cards would have acted as this one has.
        """
        times, shown, known = trace_hand(self, history, 1 - player)
        position = functools.reduce(self.after, history, self.start())
        unseen = cards_of((position.store | position.hands[1 - player]) & ~known)
        secret_gift = position.gifts[1 - player] != NONE and NONE in position.gifts
        while True:
            sampled = list(history)
            cards = deal_hidden(times, shown, unseen, rng)
            for when, card in zip(times, cards):
                sampled[when] = card
            if secret_gift:  # the last action: the player is to choose a gift, too
                sampled[-1] = self.first_give + cards[int(rng() * len(cards))]
            if rng() < self._likelihood(sampled, player):
                return sampled

    def _likelihood(self, history: Sequence[int], player: int) -> float:
        """Returns how likely the opponent's choices were, relative to the fewest choices possible."""
        likelihood, position = 1.0, self.start()
        for action in history:
            if position.mover != player and position.phase in (PUT, LAY, JOIN, OWN):
                choices = self.legal(position)
                if action not in choices:
                    return 0.0
                likelihood *= (self.hand_size + 1 if position.phase == PUT else 1) / len(choices)
            position = self.after(position, action)
        return likelihood


def card_name(card: int) -> str:
    """Returns e.g. `a1` for card 0 and `t8` for card 31."""
    return f"{GOODS[good(card)]}{value(card)}"


def card_names(cards: Sequence[int]) -> list[str]:
    """Returns the names of several cards."""
    return [card_name(card) for card in cards]


def _name_or_none(card: int) -> str | None:
    return None if card == NONE else card_name(card)


register(
    CaravanRules,
    "caravan",
    "Caravan",
    "- `phase`: `deal` while chance deals a card to a player, `open` while it puts the first card "
    "on the stall; then what is to be done: `give`, `take`, `put`, `lay` (the closer's lots), "
    "`join`, `own lots` (of the other player); `over` at the end.\n"
    "- `hand`: the player's own cards, by good (a, m, s, t) and then by value; empty until the "
    "first hand is complete. A card chosen as a gift is in it until both gifts are chosen.\n"
    "- `given`: the card that the player has chosen to give; null before.\n"
    "- `received`: the card that the player has got for it; null until both gifts are chosen.\n"
    "- `stall`: the card on the stall; null if there is none.\n"
    "- `out`: the cards out of play, the oldest first.\n"
    "- `store`: how many cards are left in the store.\n"
    "- `turns`: how many turns have been begun by both players together.\n"
    "- `closer`: the number of the player who has closed; null if nobody has.\n"
    "- `lots`: for player 0 and player 1, the list of the lots laid, in the order in which they "
    "were; each lot is a list of three cards as in the name of the action.\n"
    "- `joined`: the cards joined to the closer's first lot, and those joined to the second one, "
    "in the order in which they were.\n"
    "- `opponent_hand`: at the end of a game that somebody has closed, the cards left in the "
    "opponent's hand, ordered as in `hand`; else null.",
)
