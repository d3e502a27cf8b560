"""A twin of gin rummy: renamed cards, renumbered actions, and runs that turn the corner.

Everything is as in OpenSpiel's gin_rummy, whose rules it follows to the letter, but for one rule:
the highest rank is next to the lowest one in runs (`corner=true`), as in Q-K-A-2. With
`corner=false`, and its other parameters alike, it is OpenSpiel's game under other names, without the
call after which that game has no legal action (see `GinRules`). It tells whether a player has read
the rules or remembers a game.

Cards are named by colour and number, `r1` to `w13` in place of As to Kh. The players pick up their
hands when all cards of them are dealt.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from games.hidden.cards import cards_of, deal_hidden, trace_hand
from games.hidden.dynamics import Random
from games.hidden.gin import melds
from games.hidden.gin.melds import NUM_CARDS, NUM_RANKS
from games.hidden.gin.table import DEAL, DROP, LAST, NONE, NUM_WORDS, PHASES, GinRules, Table, flipped
from games.hidden.hidden_information import register

COLOURS = "rbgw"
_WORDS = ("take hidden", "take shown", "skip", "stop", "call")


@dataclasses.dataclass(frozen=True)
class GinTwistRules(GinRules):
    """The rules of `gin_twist`; the parameters are those of `GinRules`.

    Events: having a card dealt (all cards of the first hand at once); a card shown by chance; own
    actions; the opponent's actions; the opponent's holding a card, when the hand is opened;
    anybody's drawing a card that the player does not see.
    """

    memory_tensor = False

    # The numbers of the first event of each kind.

    @functools.cached_property
    def _acted(self) -> int:
        return 2 * NUM_CARDS

    @functools.cached_property
    def _saw_act(self) -> int:
        return self._acted + self.num_actions

    @functools.cached_property
    def _held(self) -> int:
        return self._saw_act + self.num_actions

    @functools.cached_property
    def _unseen(self) -> int:
        return self._held + NUM_CARDS

    @functools.cached_property
    def num_events(self) -> int:
        return self._unseen + 1

    @functools.cached_property
    def max_events(self) -> int:
        return self.max_decisions + 2 * NUM_CARDS

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "phase": (8,), "hand": (NUM_CARDS,), "opponent_hand": (NUM_CARDS,),
            "shown": (NUM_CARDS,), "previous": (NUM_CARDS,), "pile": (NUM_CARDS,),
            "added": (NUM_CARDS,), "melds": (2, len(self.all_melds)), "skipped": (2,),
            "caller": (2,), "numbers": (5,),
        }  # fmt: skip

    def action_name(self, action: int) -> str:
        if action < NUM_WORDS:
            return _WORDS[action]
        if action < self.first_drop:
            return f"show {' '.join(card_names(self.all_melds[action - NUM_WORDS].cards))}"
        verb = "drop" if action < self.first_add else "add"
        return f"{verb} {card_name(flipped((action - self.first_drop) % NUM_CARDS))}"

    def outcome_name(self, outcome: int) -> str:
        return f"deal {card_name(flipped(outcome))}"

    def noticed(self, position: Table, action: int, after: Table, player: int) -> tuple[int, ...]:
        if position.phase == DEAL:
            if position.dealt == 2 * self.hand_size:
                return (NUM_CARDS + after.shown,)
            if after.mover != player or not self._has_hand(after, player):
                return (self._unseen,)
            if position.dealt < 2 * self.hand_size:
                return tuple(cards_of(after.hands[player]))
            return (flipped(action),)
        first = self._acted if position.mover == player else self._saw_act
        events = (first + action,)
        if after.open(1 - player) and not position.open(1 - player):
            events += tuple(self._held + card for card in cards_of(after.hands[1 - player]))
        return events

    def _has_hand(self, position: Table, player: int) -> bool:
        """Says whether the player has picked up the first hand."""
        return position.dealt >= (player + 1) * self.hand_size

    def event_name(self, event: int) -> str:
        if event == self._unseen:
            return "a card drawn"
        if event < NUM_CARDS:
            return f"got {card_name(event)}"
        if event < self._acted:
            return f"{card_name(event - NUM_CARDS)} shown"
        if event >= self._held:
            return f"opponent has {card_name(event - self._held)}"
        if event >= self._saw_act:
            return f"opponent: {self.action_name(event - self._saw_act)}"
        return self.action_name(event - self._acted)

    def _deadwood(self, position: Table, player: int) -> int:
        hand = position.hands[player]
        if position.dealt <= 2 * self.hand_size:
            return 0
        if position.caller != NONE:
            return melds.total(hand)
        return melds.deadwood(hand, self.corner, hand.bit_count() > self.hand_size)

    def seen(self, position: Table, player: int) -> dict[str, Any]:
        opponent = 1 - player
        shown = position.open(opponent)
        hand = position.hands[player] if self._has_hand(position, player) else 0
        return {
            "phase": position.phase,
            "hand": card_names(cards_of(hand)),
            "deadwood": self._deadwood(position, player),
            "shown": None if position.shown == NONE else card_name(position.shown),
            "previous": None if position.previous == NONE else card_name(position.previous),
            "pile": card_names(position.pile),
            "stock": position.stock.bit_count(),
            "skipped": list(position.skipped),
            "repeated": position.repeated,
            "taken": position.taken,
            "caller": None if position.caller == NONE else position.caller,
            "melds": [[card_names(self.all_melds[m].cards) for m in row] for row in position.melds],
            "added": card_names(position.added),
            "adding_over": position.adding_over,
            "opponent_hand": card_names(cards_of(position.hands[opponent])) if shown else None,
            "opponent_deadwood": self._deadwood(position, opponent) if shown else None,
        }

    def write(self, position: Table, player: int, pieces: dict[str, np.ndarray]) -> None:
        pieces["phase"][PHASES.index(position.phase)] = 1
        if self._has_hand(position, player):
            pieces["hand"][cards_of(position.hands[player])] = 1
        if position.open(1 - player):
            pieces["opponent_hand"][cards_of(position.hands[1 - player])] = 1
        for name in ("shown", "previous"):
            if getattr(position, name) != NONE:
                pieces[name][getattr(position, name)] = 1
        # The places of cards and melds in the lists, counted from 1.
        for name in ("pile", "added"):
            cards = getattr(position, name)
            pieces[name][list(cards)] = range(1, len(cards) + 1)
        for row, numbers in zip(pieces["melds"], position.melds):
            row[list(numbers)] = range(1, len(numbers) + 1)
        pieces["skipped"][:] = position.skipped
        if position.caller != NONE:
            pieces["caller"][position.caller] = 1
        pieces["numbers"][:] = (
            position.stock.bit_count(), position.taken, position.repeated,
            position.adding_over, position.open(1 - player),
        )  # fmt: skip

    def resample(self, history: Sequence[int], memory: tuple[int, ...], player: int, rng: Random) -> list[int]:
        """Resamples as `Rules.resample`; own cards that the player has not picked up yet stay as they are.

        The cards that the opponent got unseen are drawn by `cards.deal_hidden`, and accepted
        as often as a random opponent with these cards would have dropped, or skipped the call, and
        not called.
        """
        times, shown, known = trace_hand(self, history, 1 - player)
        position = functools.reduce(self.after, history, self.start())
        unseen = cards_of((position.stock | position.hands[1 - player]) & ~known)
        while True:
            sampled = list(history)
            for when, card in zip(times, deal_hidden(times, shown, unseen, rng)):
                sampled[when] = flipped(card)
            if rng() < self._likelihood(sampled, player):
                return sampled

    def _likelihood(self, history: Sequence[int], player: int) -> float:
        """Returns how likely the opponent's choices were, relative to a hand that could not call."""
        likelihood, position = 1.0, self.start()
        for action in history:
            if position.mover != player and position.phase in (DROP, LAST):
                choices = len(self.legal(position))
                likelihood *= (self.hand_size + 1 if position.phase == DROP else 1) / choices
            position = self.after(position, action)
        return likelihood


def card_name(card: int) -> str:
    """Returns e.g. `r1` for card 0 and `w13` for card 51."""
    suit, rank = divmod(card, NUM_RANKS)
    return f"{COLOURS[suit]}{rank + 1}"


def card_names(cards: Sequence[int]) -> list[str]:
    """Returns the names of several cards."""
    return [card_name(card) for card in cards]


register(
    GinTwistRules,
    "gin_twist",
    "Gin Twist",
    "- `phase`: `deal` while chance deals a card, then what is to be done: `first`, `take`, `drop`, "
    "`show` (the caller drops a card and shows melds), `add` (the other player adds cards and shows "
    "melds), `last`; `over` at the end.\n"
    "- `hand`: the player's own cards, by colour (r, b, g, w) and then by number, without those "
    "shown in melds or added; empty until the first hand is complete.\n"
    "- `deadwood`: the count of the own deadwood, see above.\n"
    "- `shown`: the shown card; null if there is none.\n"
    "- `previous`: the shown card of the last time that a player took a card, shown or hidden; null "
    "before anybody has taken one.\n"
    "- `pile`: the cards that are out of play, the oldest first; the shown card is not among them.\n"
    "- `stock`: how many cards are left in the stock.\n"
    "- `skipped`: for player 0 and player 1, whether they have skipped the first shown card.\n"
    "- `repeated`: whether the last drop, one after a call not counted, was a repeated move.\n"
    "- `taken`: how many shown cards both players have taken, the first one of the game not "
    "counted.\n"
    "- `caller`: the number of the player who has called; null if nobody has.\n"
    "- `melds`: for player 0 and player 1, the list of the melds shown, in the order in which they "
    "were; each meld is a list of its cards as in the name of the action.\n"
    "- `added`: the cards added, in the order in which they were.\n"
    "- `adding_over`: whether adding is over, by `stop` or because the caller has gin.\n"
    "- `opponent_hand`, `opponent_deadwood`: the same as `hand` and `deadwood` for the opponent as "
    "long as the opponent's hand is open, see above; else null.",
)
