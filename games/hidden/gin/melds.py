"""Sets and runs of cards: the melds into which a hand of gin rummy can be arranged.

Cards are numbers, suit * 13 + rank, both from 0; hands are masks as in `games.hidden.cards`. All results are
remembered, for hands come up again and again in searches.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Sequence

from games.hidden.cards import cards_of, mask_of

NUM_RANKS, NUM_SUITS = 13, 4
NUM_CARDS = NUM_RANKS * NUM_SUITS
_SUIT = (1 << NUM_RANKS) - 1
"""All ranks of the first suit."""
_FOUR = sum(1 << suit * NUM_RANKS for suit in range(NUM_SUITS))
"""The first rank in all suits."""
_RUN_LENGTHS = (3, 4, 5)


def value(card: int) -> int:
    """Returns the count of a card: 1 for the lowest rank up to 10 for the last four."""
    return min(card % NUM_RANKS + 1, 10)


def total(mask: int) -> int:
    """Returns the count of all cards of a hand together."""
    return sum(_suit_total(suit) for suit in _suits(mask))


def _suits(mask: int) -> tuple[int, int, int, int]:
    """Returns the ranks of a hand in each suit, as masks."""
    return (
        mask & _SUIT, mask >> NUM_RANKS & _SUIT, mask >> 2 * NUM_RANKS & _SUIT,
        mask >> 3 * NUM_RANKS,
    )  # fmt: skip


@functools.cache
def _suit_total(ranks: int) -> int:
    return sum(map(value, cards_of(ranks)))


@dataclasses.dataclass(frozen=True)
class Meld:
    """A set or a run.

    Attributes:
      cards: a set by suit; a run from its first card on.
      mask: the same as a hand.
      is_run: whether it is a run.
    """

    cards: tuple[int, ...]
    mask: int
    is_run: bool


@functools.cache
def all_melds(corner: bool) -> tuple[Meld, ...]:
    """Returns all melds: sets by rank, then runs of three, four and five by suit and first card.

    Within each rank the sets of three come first, by the suit that is missing, and then that of four.

    Args:
      corner: whether runs may go on from the last rank to the first one.
    """
    melds = []
    for rank in range(NUM_RANKS):
        four = [suit * NUM_RANKS + rank for suit in range(NUM_SUITS)]
        melds += [_meld([card for card in four if card != left], False) for left in four]
        melds.append(_meld(four, False))
    for length, suit in itertools.product(_RUN_LENGTHS, range(NUM_SUITS)):
        for first in range(NUM_RANKS if corner else NUM_RANKS - length + 1):
            ranks = [(first + step) % NUM_RANKS for step in range(length)]
            melds.append(_meld([suit * NUM_RANKS + rank for rank in ranks], True))
    return tuple(melds)


def _meld(cards: Sequence[int], is_run: bool) -> Meld:
    return Meld(tuple(cards), mask_of(cards), is_run)


@functools.lru_cache(maxsize=1 << 14)
def melds_in(hand: int, corner: bool) -> tuple[int, ...]:
    """Returns the numbers of the melds of a hand, ascending."""
    a, b, c, d = suits = _suits(hand)
    found: list[int] = []
    # A rank has a set if three suits have it, whichever is missing.
    for rank in cards_of(a & b & (c | d) | c & d & (a | b)):
        found += _melds_within(hand & _FOUR << rank, corner)
    for suit, ranks in enumerate(suits):
        around = ranks | (ranks & 3) << NUM_RANKS if corner else ranks
        if around & around >> 1 & around >> 2:
            found += _melds_within(ranks << suit * NUM_RANKS, corner)
    return tuple(sorted(found))


@functools.cache
def _melds_within(cards: int, corner: bool) -> tuple[int, ...]:
    """Returns the numbers of the melds of some cards of one rank or of one suit: few different ones."""
    return tuple(number for number, meld in enumerate(all_melds(corner)) if meld.mask & cards == meld.mask)


@functools.lru_cache(maxsize=1 << 16)
def best_arrangement(hand: int, corner: bool) -> int:
    """Returns the cards in melds of the arrangement whose melds count most, as a hand.

    Among equals it is the one that comes first in OpenSpiel's gin_rummy: by the first meld, then by the
    second and so on, where melds are ordered as by `_place`.
    """
    melds = all_melds(corner)
    candidates = sorted(melds_in(hand, corner), key=functools.partial(_place, hand, corner))
    best, best_total = 0, 0

    def extend(start: int, used: int) -> None:
        nonlocal best, best_total
        if total(used) > best_total:
            best, best_total = used, total(used)
        for at in range(start, len(candidates)):
            mask = melds[candidates[at]].mask
            if not mask & used:
                extend(at + 1, used | mask)

    extend(0, 0)
    return best


def _place(hand: int, corner: bool, number: int) -> tuple:
    """Orders the melds of a hand: sets where the hand has all four, other sets, longer runs first."""
    meld = all_melds(corner)[number]
    rank = meld.cards[0] % NUM_RANKS
    if meld.is_run:
        return (2, -len(meld.cards), meld.cards[0])
    missing = [suit for suit in range(NUM_SUITS) if suit * NUM_RANKS + rank not in meld.cards]
    if not missing:
        return (0, rank, 0)
    if any(hand >> (suit * NUM_RANKS + rank) & 1 for suit in missing):
        # All four are there: of the sets of three, those without an inner suit come first.
        return (0 if missing[0] in (1, 2) else 1, rank, NUM_SUITS - missing[0])
    return (1, rank, 0)


@functools.lru_cache(maxsize=1 << 16)
def deadwood(hand: int, corner: bool, drawn: bool) -> int:
    """Returns the count of the cards outside the melds of the best arrangement.

    Args:
      hand: the cards.
      corner: as in `all_melds`.
      drawn: whether the hand has just got a card too many; then the highest of those cards, by
        rank, is left out.
    """
    left = cards_of(hand & ~best_arrangement(hand, corner))
    if drawn and left:
        left.remove(max(left, key=lambda card: card % NUM_RANKS))
    return sum(map(value, left))


@functools.lru_cache(maxsize=1 << 14)
def melds_within(hand: int, limit: int, corner: bool) -> tuple[int, ...]:
    """Returns the melds that belong to arrangements of a hand with a deadwood of `limit` or less."""
    melds = all_melds(corner)
    return tuple(
        number
        for number in melds_in(hand, corner)
        if deadwood(hand & ~melds[number].mask, corner, False) <= limit
    )


def layoffs(laid_down: Sequence[int], laid_off: int, corner: bool) -> int:
    """Returns all cards that may be laid off onto melds, in the hand or not.

    A run grows by at most one card at either end before its neighbours are looked at, and by cards
    that were laid off onto other melds just as well, as in OpenSpiel's gin_rummy.

    Args:
      laid_down: the numbers of the melds.
      laid_off: the cards laid off already.
      corner: as in `all_melds`.
    """
    found = 0
    for number in laid_down:
        meld = all_melds(corner)[number]
        suit, first = divmod(meld.cards[0], NUM_RANKS)
        if not meld.is_run:
            if len(meld.cards) < NUM_SUITS:
                found |= mask_of(other * NUM_RANKS + first for other in range(NUM_SUITS)) & ~meld.mask
            continue
        for start, step in ((first, -1), (first + len(meld.cards) - 1, 1)):
            neighbour = _in_suit(suit, start + step, corner)
            if neighbour & laid_off:
                neighbour = _in_suit(suit, start + 2 * step, corner)
            found |= neighbour
    return found


def _in_suit(suit: int, rank: int, corner: bool) -> int:
    if not corner and not 0 <= rank < NUM_RANKS:
        return 0
    return 1 << (suit * NUM_RANKS + rank % NUM_RANKS)
