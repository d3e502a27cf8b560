"""The course of a game of caravan, apart from all names and views (see `games.hidden.caravan.game`).

Cards are numbers, good * 8 + value - 1; hands are masks as in `games.hidden.cards`.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Sequence
from typing import NamedTuple

from games.hidden.cards import cards_of, mask_of
from games.hidden.dynamics import CHANCE, TERMINAL, replaced
from games.hidden.rules import Rules

NUM_GOODS, NUM_VALUES = 4, 8
NUM_CARDS = NUM_GOODS * NUM_VALUES
NONE = -1

NUM_WORDS = 4
CLOSE, STALL, STORE, DONE = range(NUM_WORDS)
"""The numbers of the actions without cards."""

PHASES = ("deal", "give", "open", "take", "put", "lay", "join", "own lots", "over")
DEAL, GIVE, OPEN, TAKE, PUT, LAY, JOIN, OWN, OVER = PHASES
LOTS_TO_CLOSE = 2
"""Number of lots that the closer lays; cards can be joined to each."""


def good(card: int) -> int:
    """Returns the number of the card's good."""
    return card // NUM_VALUES


def value(card: int) -> int:
    """Returns the value of a card, 1 to 8."""
    return card % NUM_VALUES + 1


def is_load(cards: Sequence[int]) -> bool:
    """Says whether cards are of one good, and their values differ by 2 or more from each other."""
    values = sorted(map(value, cards))
    return len(set(map(good, cards))) == 1 and all(b - a >= 2 for a, b in itertools.pairwise(values))


def is_string(cards: Sequence[int]) -> bool:
    """Says whether cards are of different goods and have consecutive values."""
    values = sorted(map(value, cards))
    return len(set(map(good, cards))) == len(cards) and all(b - a == 1 for a, b in itertools.pairwise(values))


def _by_value(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(cards, key=lambda card: (value(card), card)))


LOTS: tuple[tuple[int, ...], ...] = tuple(
    _by_value(cards)
    for fits in (is_load, is_string)
    for cards in itertools.combinations(range(NUM_CARDS), 3)
    if fits(cards)
)
"""All lots that can be laid: the loads, then the strings; the cards of each by value."""
LOT_MASKS = tuple(map(mask_of, LOTS))


def points(lot: Sequence[int]) -> int:
    """Returns the score of a lot of three cards: its lowest and its highest card together.

    In a string this is twice its middle card.
    """
    return value(lot[0]) + value(lot[-1])


@functools.lru_cache(maxsize=1 << 14)
def lots_in(hand: int) -> tuple[int, ...]:
    """Returns the numbers of all lots in a hand."""
    return tuple(number for number, lot in enumerate(LOT_MASKS) if lot & hand == lot)


@functools.lru_cache(maxsize=1 << 14)
def first_lots(hand: int) -> tuple[int, ...]:
    """Returns the numbers of the lots of a hand that leave another one."""
    return tuple(number for number in lots_in(hand) if lots_in(hand & ~LOT_MASKS[number]))


class Table(NamedTuple):
    """A position. Hands and the store are masks; -1 stands for nothing.

    Attributes:
      phase: the kind of step that is due.
      mover: the player whose turn it is, also while chance deals to that player.
      hands: the cards of either player; a card to be given away stays until both are chosen.
      store: the cards that have not been dealt.
      gifts: the card that either player has chosen to give.
      stall: the card on the stall.
      out: the cards out of play, the oldest first.
      turns: number of turns that have been begun by taking a card.
      closer: the player that has closed.
      lots: the lots of either player, as laid, each a tuple of cards.
      joined: the cards joined to the closer's lots, by lot.
    """

    phase: str = DEAL
    mover: int = 0
    hands: tuple[int, int] = (0, 0)
    store: int = (1 << NUM_CARDS) - 1
    gifts: tuple[int, int] = (NONE, NONE)
    stall: int = NONE
    out: tuple[int, ...] = ()
    turns: int = 0
    closer: int = NONE
    lots: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]] = ((), ())
    joined: tuple[tuple[int, ...], ...] = ((),) * LOTS_TO_CLOSE

    @property
    def dealt(self) -> int:
        """Number of cards that have been dealt."""
        return NUM_CARDS - self.store.bit_count()

    def with_hand(self, player: int, hand: int) -> Table:
        """Returns the same table with another hand of one player."""
        return self._replace(hands=replaced(self.hands, player, hand))

    def open(self, player: int) -> bool:
        """Says whether the other player sees this player's hand: at the end, if there was a close."""
        return self.phase == OVER and self.closer != NONE


@dataclasses.dataclass(frozen=True)
class CaravanTableRules(Rules):
    """The legal actions of a game of caravan, and their effects.

    Actions: the four words; giving a card; putting a card on the stall; laying a lot as numbered in
    `LOTS`; joining a card to the closer's first lot, or to the second one.

    Parameters:
      hand_size: cards in a hand; 5 to 8.
      rounds: turns of each player; 1 to 8, and so that the store lasts.
      close_bonus: points that the closer gets on top for scoring more than the other player.
      close_penalty: points that the closer loses on top for not scoring more.

    Raises:
      ValueError: if a parameter is out of range.
    """

    hand_size: int = 6
    rounds: int = 8
    close_bonus: int = 5
    close_penalty: int = 8

    num_outcomes = NUM_CARDS
    first_give = NUM_WORDS
    first_put = first_give + NUM_CARDS
    first_lay = first_put + NUM_CARDS
    first_join = first_lay + len(LOTS)
    num_actions = first_join + LOTS_TO_CLOSE * NUM_CARDS

    def __post_init__(self) -> None:
        if not 5 <= self.hand_size <= 8:
            raise ValueError(f"caravan: hand_size must be from 5 to 8, got {self.hand_size}.")
        most = min(8, (NUM_CARDS - 2 * self.hand_size - 1) // 2)
        if not 1 <= self.rounds <= most:
            raise ValueError(
                f"caravan: rounds must be from 1 to {most} with hands of {self.hand_size}, got {self.rounds}."
            )
        if self.close_bonus < 0 or self.close_penalty < 0:
            raise ValueError(
                "caravan: close_bonus and close_penalty must be 0 or more, got "
                f"{self.close_bonus} and {self.close_penalty}."
            )

    @property
    def max_chance_nodes(self) -> int:
        return 2 * self.hand_size + 1 + 2 * self.rounds

    @property
    def max_decisions(self) -> int:
        # Gifts, turns, lots of the closer; then at most the whole hand, and two times done.
        return 2 + 4 * self.rounds + LOTS_TO_CLOSE + self.hand_size + 2

    @property
    def utilities(self) -> tuple[float, float]:
        # A lot scores at most 16; cards left in hand count at most 8 each.
        lots = (self.hand_size + 1) // 3
        most = 16.0 * lots + 8 * self.hand_size + max(self.close_bonus, self.close_penalty)
        return (-most, most)

    def start(self) -> Table:
        return Table()

    def to_move(self, position: Table) -> int:
        return {DEAL: CHANCE, OPEN: CHANCE, OVER: TERMINAL}.get(position.phase, position.mover)

    def legal(self, position: Table) -> list[int]:
        phase, hand = position.phase, position.hands[position.mover]
        if phase == GIVE:
            return [self.first_give + card for card in cards_of(hand)]
        if phase == TAKE:
            return [STALL, STORE]
        if phase == PUT:
            return [CLOSE] * bool(first_lots(hand)) + [self.first_put + card for card in cards_of(hand)]
        if phase == LAY:
            lots = lots_in(hand) if position.lots[position.mover] else first_lots(hand)
            return [self.first_lay + number for number in lots]
        if phase == OWN:
            return [DONE] + [self.first_lay + number for number in lots_in(hand)]
        return [DONE] + [
            self.first_join + number * NUM_CARDS + card
            for number in range(LOTS_TO_CLOSE)
            for card in cards_of(hand)
            if self._joins(position, number, card)
        ]

    @staticmethod
    def _joins(position: Table, number: int, card: int) -> bool:
        lot = position.lots[position.closer][number]
        cards = (*lot, *position.joined[number], card)
        return is_load(cards) if is_load(lot) else is_string(cards)

    def chances(self, position: Table) -> list[tuple[int, float]]:
        cards = cards_of(position.store)
        return [(card, 1 / len(cards)) for card in cards]

    def after(self, position: Table, action: int) -> Table:
        phase, mover = position.phase, position.mover
        if phase in (DEAL, OPEN):
            return self._dealt(position, action)
        if phase == GIVE:
            return self._given(position, action - self.first_give)
        if action == STALL:
            hand = position.hands[mover] | 1 << position.stall
            return position._replace(phase=PUT, stall=NONE, turns=position.turns + 1).with_hand(mover, hand)
        if action == STORE:
            return position._replace(phase=DEAL, turns=position.turns + 1)
        if action == CLOSE:
            return position._replace(phase=LAY, closer=mover)
        if action == DONE:
            return position._replace(phase=OWN if phase == JOIN else OVER)
        if phase == PUT:
            return self._put(position, action - self.first_put)
        if phase == JOIN:
            number, card = divmod(action - self.first_join, NUM_CARDS)
            joined = replaced(position.joined, number, (*position.joined[number], card))
            return position._replace(joined=joined).with_hand(mover, position.hands[mover] & ~(1 << card))
        return self._laid(position, action - self.first_lay)

    def _dealt(self, position: Table, card: int) -> Table:
        dealt = position.dealt
        position = position._replace(store=position.store & ~(1 << card))
        if position.phase == OPEN:
            return position._replace(phase=TAKE, stall=card)
        if dealt < 2 * self.hand_size:
            mover = dealt // self.hand_size
            last = dealt == 2 * self.hand_size - 1
            phase, following = (GIVE, 0) if last else (DEAL, (dealt + 1) // self.hand_size)
        else:
            mover = following = position.mover
            phase = PUT
        hand = position.hands[mover] | 1 << card
        return position._replace(phase=phase, mover=following).with_hand(mover, hand)

    @staticmethod
    def _given(position: Table, card: int) -> Table:
        gifts = replaced(position.gifts, position.mover, card)
        if position.mover == 0:
            return position._replace(gifts=gifts, mover=1)
        first, second = (1 << gift for gift in gifts)
        hands = (position.hands[0] & ~first | second, position.hands[1] & ~second | first)
        return position._replace(phase=OPEN, mover=0, gifts=gifts, hands=hands)

    def _put(self, position: Table, card: int) -> Table:
        out = position.out if position.stall == NONE else (*position.out, position.stall)
        over = position.turns == 2 * self.rounds
        mover = position.mover
        return position._replace(phase=OVER if over else TAKE, mover=1 - mover, stall=card, out=out).with_hand(
            mover, position.hands[mover] & ~(1 << card)
        )

    @staticmethod
    def _laid(position: Table, number: int) -> Table:
        mover = position.mover
        lots = (*position.lots[mover], LOTS[number])
        hand = position.hands[mover] & ~LOT_MASKS[number]
        position = position._replace(lots=replaced(position.lots, mover, lots))
        position = position.with_hand(mover, hand)
        if position.phase == LAY and len(lots) == LOTS_TO_CLOSE:
            return position._replace(phase=JOIN, mover=1 - mover)
        return position

    def score(self, position: Table, player: int) -> int:
        """Returns the score of the player's lots, less the values of the cards left in hand."""
        left = sum(map(value, cards_of(position.hands[player])))
        return sum(map(points, position.lots[player])) - left

    def returns(self, position: Table) -> list[float]:
        closer = position.closer
        if position.phase != OVER or closer == NONE:
            return [0.0, 0.0]
        won = float(self.score(position, closer) - self.score(position, 1 - closer))
        won += self.close_bonus if won > 0 else -self.close_penalty
        return [won, 0.0 - won] if closer == 0 else [0.0 - won, won]
