"""Hands of cards as masks, and draws of the cards in a hand that another player holds.

A hand is a whole number in which bit c stands for card c. `trace_hand` follows the cards that one player has
seen of the other's hand; `deal_hidden` then draws the cards that this hand got unseen, before the choices of
its owner are weighed: for games that have too many positions for `games.hidden.posterior.sample`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.hidden.dynamics import Dynamics, Random


def cards_of(mask: int) -> list[int]:
    """Returns the cards of a hand in ascending order."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cards


def mask_of(cards: Iterable[int]) -> int:
    """Returns the hand of these cards."""
    return sum(1 << card for card in cards)


def deal_hidden(
    times: Sequence[int], shown: Iterable[tuple[int, int]], unseen: Sequence[int], rng: Random
) -> list[int]:
    """Returns cards that a hand may have got unseen, all possible ones equally likely.

    Args:
      times: the step in which each card came into the hand.
      shown: (when, card) for each of those cards that has left the hand visibly or has been shown.
      unseen: the cards that may be those that are still unknown.
      rng: the source of chance.
    """
    cards: list[int | None] = [None] * len(times)
    # Whatever has been chosen before, a card that shows up later has equally many places left.
    for when, card in sorted(shown):
        free = [at for at, time in enumerate(times) if cards[at] is None and time < when]
        cards[free[int(rng() * len(free))]] = card
    rest = list(unseen)
    return [rest.pop(int(rng() * len(rest))) if card is None else card for card in cards]


def trace_hand(
    dynamics: Dynamics, history: Iterable[int], owner: int
) -> tuple[list[int], list[tuple[int, int]], int]:
    """Returns the changes of a player's hand in the eyes of the other one.

    The positions must have `hands`, masks of cards; `phase`, which is "deal" where chance deals to a
    hand unseen; and `open(player)`, whether the other player sees that hand.

    Returns:
      `times` and `shown` for `deal_hidden`; and all cards that the other player has seen in the
      hand or go into it, as a mask.
    """
    times: list[int] = []
    shown: list[tuple[int, int]] = []
    known, position = 0, dynamics.start()
    for when, action in enumerate(history):
        after = dynamics.after(position, action)
        old, new = position.hands[owner], after.hands[owner]
        if new & ~old:
            if position.phase == "deal":
                times.append(when)
            else:
                known |= new & ~old
        visible = old & ~new
        if after.open(owner) and not position.open(owner):
            visible |= new
        shown += [(when, card) for card in cards_of(visible & ~known)]
        known |= visible
        position = after
    return times, shown, known
