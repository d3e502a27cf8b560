"""The course of a game of gin rummy, as in OpenSpiel's gin_rummy, apart from all names and views.

`GinRules` is the half of `Rules` that holds the legal actions and their effects; `games.hidden.gin.game` has
the other half, names and views.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import NamedTuple

from games.hidden.cards import cards_of, mask_of
from games.hidden.dynamics import CHANCE, TERMINAL
from games.hidden.gin import melds
from games.hidden.gin.melds import NUM_CARDS
from games.hidden.rules import Rules

NONE = -1
_WALL_STOCK = 2
_MAX_TAKEN = 50
NUM_WORDS = 5
HIDDEN, SHOWN, SKIP, STOP, CALL = range(NUM_WORDS)
"""The numbers of the actions without cards; in gin rummy: draw stock, draw upcard, pass, done, knock."""

PHASES = ("deal", "first", "take", "drop", "show", "add", "last", "over")
DEAL, FIRST, TAKE, DROP, SHOW, ADD, LAST, OVER = PHASES
"""The phases, in gin rummy: deal, first upcard, draw, discard, knock, layoff, wall, game over."""
_NOBODY = {DEAL: CHANCE, OVER: TERMINAL}


class Table(NamedTuple):
    """A position. Hands and the stock are masks as in `games.hidden.gin.melds`; -1 stands for nothing.

    Attributes:
      phase: the kind of step that is due.
      mover: the player whose turn it is, also while chance deals to that player.
      hands: the cards of either player.
      stock: the cards that have not been dealt.
      shown: the card shown (the upcard).
      previous: the card that was shown when a player last took one.
      pile: the cards out of play, the oldest first.
      skipped: whether either player has skipped the first card shown.
      repeated: whether the last drop put back the card just taken.
      taken: number of times that a card shown was taken in the phase TAKE.
      caller: the player that has called.
      melds: the numbers of the melds shown by either player.
      added: the cards added to melds.
      adding_over: whether adding is over.
    """

    phase: str = DEAL
    mover: int = 0
    hands: tuple[int, int] = (0, 0)
    stock: int = (1 << NUM_CARDS) - 1
    shown: int = NONE
    previous: int = NONE
    pile: tuple[int, ...] = ()
    skipped: tuple[bool, bool] = (False, False)
    repeated: bool = False
    taken: int = 0
    caller: int = NONE
    melds: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    added: tuple[int, ...] = ()
    adding_over: bool = False

    @property
    def dealt(self) -> int:
        """Number of cards that have been dealt or drawn."""
        return NUM_CARDS - self.stock.bit_count()

    def with_hand(self, player: int, hand: int) -> Table:
        """Returns the same table with another hand of one player."""
        hands = (hand, self.hands[1]) if player == 0 else (self.hands[0], hand)
        return self._replace(hands=hands)

    def open(self, player: int) -> bool:
        """Says whether the other player sees this player's hand."""
        return self.caller == player or (self.caller != NONE and self.phase in (ADD, OVER))


@dataclasses.dataclass(frozen=True)
class GinRules(Rules):
    """The legal actions of a game of gin rummy, and their effects.

    Actions: the five words, melds as numbered in `games.hidden.gin.melds`, dropping (discarding) a card, adding
    (laying off) a card; cards count downwards, from the last one, here and in outcomes of chance.

    Parameters:
      corner: whether runs may go on from the highest rank to the lowest one.
      hand_size: cards in a hand, 1 to 10.
      knock_card: the greatest deadwood with which a player may call (knock), 0 to 10.
      gin_bonus: points that the caller gets on top for having no deadwood.
      undercut_bonus: points that the caller loses on top for having more deadwood than the other player.

    Raises:
      ValueError: if a parameter is out of range.
    """

    corner: bool = True
    hand_size: int = 10
    knock_card: int = 7
    gin_bonus: int = 40
    undercut_bonus: int = 13

    num_outcomes = NUM_CARDS
    max_chance_nodes = NUM_CARDS - _WALL_STOCK
    max_decisions = 300

    def __post_init__(self) -> None:
        if not 1 <= self.hand_size <= 10:
            raise ValueError(f"gin_twist: hand_size must be from 1 to 10, got {self.hand_size}.")
        if not 0 <= self.knock_card <= 10:
            raise ValueError(f"gin_twist: knock_card must be from 0 to 10, got {self.knock_card}.")
        if self.gin_bonus < 0 or self.undercut_bonus < 0:
            raise ValueError(
                "gin_twist: gin_bonus and undercut_bonus must be 0 or more, got "
                f"{self.gin_bonus} and {self.undercut_bonus}."
            )

    @functools.cached_property
    def utilities(self) -> tuple[float, float]:
        most = 10.0 * self.hand_size + max(self.gin_bonus, self.undercut_bonus)
        return (-most, most)

    @functools.cached_property
    def all_melds(self) -> tuple[melds.Meld, ...]:
        return melds.all_melds(self.corner)

    @functools.cached_property
    def first_drop(self) -> int:
        return NUM_WORDS + len(self.all_melds)

    @functools.cached_property
    def first_add(self) -> int:
        return self.first_drop + NUM_CARDS

    @functools.cached_property
    def num_actions(self) -> int:
        return self.first_add + NUM_CARDS

    def start(self) -> Table:
        return Table()

    def to_move(self, position: Table) -> int:
        return _NOBODY.get(position.phase, position.mover)

    def legal(self, position: Table) -> list[int]:
        phase, hand = position.phase, position.hands[position.mover]
        if phase == FIRST:
            return [HIDDEN] if all(position.skipped) else [SHOWN, SKIP]
        if phase == TAKE:
            return [HIDDEN, SHOWN]
        if phase == DROP:
            return [CALL] * self._may_call(hand) + self._with_cards(self.first_drop, hand)
        if phase == LAST:
            return [SKIP] + [CALL] * self._may_call(hand | 1 << position.shown)
        if phase == ADD:
            return [STOP] + self._additions(position, hand)
        if hand.bit_count() > self.hand_size:
            return self._with_cards(self.first_drop, self._drops_of_caller(hand))
        may_stop = melds.total(hand) <= self.knock_card
        found = melds.melds_within(hand, self.knock_card, self.corner)
        return [STOP] * may_stop + [NUM_WORDS + number for number in found]

    def _may_call(self, hand: int) -> bool:
        """Says whether a hand with a card too many may call.

        Cards that are all in melds of three may be no hand to drop from. OpenSpiel's gin_rummy lets such
        a player call (hands of 2, 5 and 8 cards) and then has no legal action.
        """
        enough = melds.deadwood(hand, self.corner, True) <= self.knock_card
        return enough and self._drops_of_caller(hand) != 0

    def _drops_of_caller(self, hand: int) -> int:
        """Returns the cards, as a hand, without which the deadwood allows a call."""
        kept = {card: hand & ~(1 << card) for card in cards_of(hand)}
        return mask_of(c for c in kept if melds.deadwood(kept[c], self.corner, False) <= self.knock_card)

    def _additions(self, position: Table, hand: int) -> list[int]:
        if position.adding_over:
            return [NUM_WORDS + number for number in melds.melds_in(hand, self.corner)]
        shown, added = position.melds[position.caller], mask_of(position.added)
        return self._with_cards(self.first_add, hand & melds.layoffs(shown, added, self.corner))

    @staticmethod
    def _with_cards(first: int, cards: int) -> list[int]:
        return [first + flipped(card) for card in reversed(cards_of(cards))]

    def chances(self, position: Table) -> list[tuple[int, float]]:
        cards = cards_of(position.stock)
        return [(flipped(card), 1 / len(cards)) for card in reversed(cards)]

    def after(self, position: Table, action: int) -> Table:
        phase, mover = position.phase, position.mover
        if phase == DEAL:
            return self._dealt(position, flipped(action))
        if action == SKIP and phase == LAST:
            return position._replace(phase=OVER)
        if action == SKIP:
            skipped = (True, position.skipped[1]) if mover == 0 else (position.skipped[0], True)
            return position._replace(skipped=skipped, mover=1 - mover)
        if action == HIDDEN:
            pile = (*position.pile, position.shown)
            return position._replace(phase=DEAL, previous=position.shown, pile=pile, shown=NONE)
        if action == SHOWN:
            return self._taken(position)
        if action == CALL:
            if phase == LAST:
                position = _into_hand(position)
            return position._replace(phase=SHOW, caller=mover)
        if action == STOP:
            return self._stopped(position)
        return self._with_card_or_meld(position, action)

    def _dealt(self, position: Table, card: int) -> Table:
        size, dealt = self.hand_size, position.dealt
        position = position._replace(stock=position.stock & ~(1 << card))
        if dealt == 2 * size:
            return position._replace(phase=FIRST, mover=0, shown=card)
        if dealt < 2 * size:
            position = position._replace(mover=dealt // size)
        else:
            position = position._replace(phase=DROP)
        return position.with_hand(position.mover, position.hands[position.mover] | 1 << card)

    def _taken(self, position: Table) -> Table:
        taken = position.taken + (position.phase == TAKE)
        if taken == _MAX_TAKEN:
            return position._replace(phase=OVER, taken=taken)
        position = position._replace(phase=DROP, previous=position.shown, taken=taken)
        return _into_hand(position)

    def _stopped(self, position: Table) -> Table:
        if position.phase == ADD:
            over = position.adding_over
            return position._replace(phase=OVER if over else ADD, adding_over=True)
        gin = position.hands[position.mover] == 0
        return position._replace(phase=ADD, mover=1 - position.mover, adding_over=gin)

    def _with_card_or_meld(self, position: Table, action: int) -> Table:
        mover, phase = position.mover, position.phase
        hand = position.hands[mover]
        if action < self.first_drop:
            number = action - NUM_WORDS
            shown = (*position.melds[mover], number)
            both = (shown, position.melds[1]) if mover == 0 else (position.melds[0], shown)
            position = position._replace(melds=both)
            return position.with_hand(mover, hand & ~self.all_melds[number].mask)
        card = flipped((action - self.first_drop) % NUM_CARDS)
        position = position.with_hand(mover, hand & ~(1 << card))
        if phase == ADD:
            return position._replace(added=(*position.added, card))
        if phase == SHOW:
            return position._replace(pile=(*position.pile, card))
        repeated = card == position.previous
        if repeated and position.repeated:
            phase = OVER
        else:
            phase = LAST if position.stock.bit_count() == _WALL_STOCK else TAKE
        return position._replace(phase=phase, mover=1 - mover, shown=card, repeated=repeated)

    def returns(self, position: Table) -> list[float]:
        caller = position.caller
        if position.phase != OVER or caller == NONE:
            return [0.0, 0.0]
        own, other = (melds.total(position.hands[player]) for player in (caller, 1 - caller))
        won = float(other - own)
        won += self.gin_bonus * (own == 0) - self.undercut_bonus * (own > other)
        return [won, 0.0 - won] if caller == 0 else [0.0 - won, won]


def _into_hand(position: Table) -> Table:
    hand = position.hands[position.mover] | 1 << position.shown
    return position._replace(shown=NONE).with_hand(position.mover, hand)


def flipped(card: int) -> int:
    """Turns a card's number into that of its actions and outcomes, and back."""
    return NUM_CARDS - 1 - card
