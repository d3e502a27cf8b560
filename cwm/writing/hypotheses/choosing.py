"""Games chosen to tell programs apart: short sequences of moves about which they say different things.

The games are played inside the programs, in their sealed workers: random ones, which rare kinds of actions come up in more
often, first from the start, then as other continuations of the best game found, so that it gets shorter. Nobody is asked.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cwm.trust import checks
from cwm.trust.moves import SIMULTANEOUS, joint_name
from cwm.trust.trajectories import CHANCE

GAMES_PER_CALL = 12
"""Number of games in one call, which keeps it below the time limit of the tests."""


@dataclass(frozen=True)
class Effort:
    """How long to look for a game.

    Attributes:
      games: number of random games of one round, shared out among the programs.
      rounds: number of rounds after which the programs are taken for equal.
      actions: most actions of one game.
      shortenings: number of rounds of other continuations, after one of which in vain the game is short enough.
    """

    games: int = 48
    rounds: int = 6
    actions: int = 300
    shortenings: int = 6


@dataclass(frozen=True)
class ChosenGame:
    """A game that tells programs apart.

    Attributes:
      names: the moves, chance's included.
      parts: the programs by their numbers, those together that say the same about it; two parts or more.
    """

    names: tuple[str, ...]
    parts: tuple[tuple[int, ...], ...]


def information(parts: Sequence[Sequence[int]]) -> float:
    """The bits that the answer tells, all programs taken for equally likely.

    >>> information([[0], [1]]), information([[0, 1]])
    (1.0, 0.0)
    """
    total = sum(map(len, parts))
    return math.fsum(len(part) / total * math.log2(total / len(part)) for part in parts)


def choose(
    holders: Sequence[checks.Holder],
    *,
    starts: Sequence[Sequence[str]] = ((),),
    seed: int = 0,
    effort: Effort = Effort(),
) -> ChosenGame | None:
    """Looks for the game with the fewest moves for each bit that it tells.

    Args:
      holders: the programs at work, two or more.
      starts: histories that games may begin with; the empty one is the start of the game.
      seed: seed of the random games.
      effort: how long to look.

    Returns:
      The game; None where none was found, which proves nothing.
    """
    search = _Search(holders, effort)
    for number in range(effort.rounds):
        search.round(seed * 1_000 + number, [list(start) for start in starts], effort.actions)
        if search.best is not None:
            break
    for number in range(effort.shortenings):
        before = search.best
        if before is None or len(before.names) < 2:
            break
        names = before.names
        prefixes = [list(names[: len(names) * part // 6]) for part in range(6)]
        search.round(seed * 1_000 + 500 + number, prefixes, len(names))
        if search.best is before:
            break
    return search.best


class _Search:
    """The best game so far."""

    def __init__(self, holders: Sequence[checks.Holder], effort: Effort):
        self._holders, self._effort = holders, effort
        self.best: ChosenGame | None = None
        self._cost = math.inf

    def round(self, seed: int, starts: list[list[str]], most: int) -> None:
        """Plays random games in each program and looks where they first differ."""
        share = max(1, self._effort.games // len(self._holders))
        games: list[list[str]] = []
        for number, holder in enumerate(self._holders):
            games += explored(holder, seed * 31 + number, share, most, starts)
        told = [_digests(holder, games) for holder in self._holders]
        for index, names in enumerate(games):
            place, cost = _cheapest([own[index] for own in told])
            if cost < self._cost:
                self._take(names, place)

    def _take(self, names: Sequence[str], place: int) -> None:
        """Looks at the states of a game up to `place` closely and keeps the game where it is better than the best one."""
        replays = [checks.replay(holder, list(names[:place]))[0] for holder in self._holders]
        parts = _parts(replays, place)
        if len(parts) < 2:
            return  # their numbers differ by rounding alone
        chosen = list(names[:place])
        further = _further([replay[place] if place < len(replay) else None for replay in replays])
        if further is not None:
            chosen.append(further)
        cost = max(len(chosen), 1) / information(parts)
        if cost < self._cost:
            self._cost, self.best = cost, ChosenGame(tuple(chosen), parts)


def explored(
    holder: checks.Holder, seed: int, count: int, most: int, starts: Sequence[Sequence[str]] = ((),)
) -> list[list[str]]:
    """Random games inside a program, chance's moves included; fewer where it fails or takes too long.

    Args:
      holder: the program at work.
      seed: seed of the games.
      count: number of games.
      most: most actions of each after its start.
      starts: histories that they begin with.
    """
    games: list[list[str]] = []
    histories = [list(start) for start in starts]
    for done in range(0, count, GAMES_PER_CALL):
        part = min(GAMES_PER_CALL, count - done)
        found = holder.call("exploring_driver.explore", seed * 101 + done, part, most, histories)
        if not isinstance(found, list):
            break
        games += [one for one in found if _is_history(one)]
    return games


def _is_history(names: Any) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names)


def _digests(holder: checks.Holder, games: Sequence[list[str]]) -> list[list[int]]:
    """The numbers of the states of each game; none where the program fails."""
    found: list[list[int]] = []
    for game in games:
        reply = holder.call("exploring_driver.digests", [game])
        is_good = isinstance(reply, list) and len(reply) == 1 and isinstance(reply[0], list)
        found.append(reply[0] if is_good else [])
    return found


def _cheapest(told: Sequence[Sequence[int]]) -> tuple[int, float]:
    """The number of the state up to which a game tells the most for each of its moves, and the moves for each bit; infinitely
    many where it tells nothing."""
    best, labels = (0, math.inf), [0] * len(told)
    for place in range(max(map(len, told), default=0)):
        seen: dict[tuple[int, int | None], int] = {}
        labels = [
            seen.setdefault((label, own[place] if place < len(own) else None), len(seen))
            for label, own in zip(labels, told)
        ]
        parts = list(Counter(labels).values())
        if len(parts) > 1:
            cost = max(place, 1) / information([range(part) for part in parts])
            best = min(best, (place, cost), key=lambda one: one[1])
    return best


def _parts(replays: Sequence[Sequence[dict[str, Any]]], place: int) -> tuple[tuple[int, ...], ...]:
    """The programs in parts that say the same of all states up to `place`."""
    told = [
        [_in_order(replay[number]) if number < len(replay) else None for number in range(place + 1)]
        for replay in replays
    ]
    parts: list[list[int]] = []
    for number, own in enumerate(told):
        for part in parts:
            if all(map(checks.same_data, told[part[0]], own)):
                part.append(number)
                break
        else:
            parts.append([number])
    return tuple(map(tuple, parts))


def _in_order(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts with the legal actions in one order, as their order is a program's own affair."""
    if facts["player"] == SIMULTANEOUS:
        return {**facts, "joint": list(map(sorted, facts["joint"]))}
    return {**facts, "legal": sorted(facts["legal"])} if "legal" in facts else facts


def _further(facts: Sequence[dict[str, Any] | None]) -> str | None:
    """A move with which the game has to go on, so that the record tells what is legal, or what chance may bring, in the state
    in which the programs differ; the one that most of them know. None where those that do not fail agree about that."""
    offers = [_offered(own) for own in facts if own is not None]
    if all(offer == offers[0] for offer in offers):
        return None
    counts = Counter(name for offer in offers for name in sorted(offer))
    return counts.most_common(1)[0][0] if counts else None


def _offered(facts: dict[str, Any]) -> dict[str, Any]:
    """The moves that can be made, by name, with what tells offers apart; of choices made at once one move stands for all."""
    if facts["player"] == CHANCE:
        return facts["chance"]
    if facts["player"] == SIMULTANEOUS:
        joint = [sorted(own) for own in facts["joint"]]
        return {joint_name(own[0] if own else None for own in joint): joint}
    return dict.fromkeys(facts.get("legal", ()))
