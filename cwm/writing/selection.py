"""The games that a model is learnt from: the paper's random ones, or the same number out of a larger pool.

The *random* protocol is the paper's: five games of random play. The *chosen* one plays a pool on the
ground truth, with the same kinds of players as the held-out games have, and takes the same number of
games from it that together cover as much as a greedy search with exchanges finds (`cwm.writing.coverage`).
It knows nothing of the game's rules and no model of it. A budget of states keeps tests and prompts as
long as those of random games. With a closed deck a game counts for the view of the player that will tell of
it.

Where models of the game exist already, the steps at which they disagree count too (`disagreements`), found
on whole games also for a closed deck: tests that all of them pass tell nothing new about them.
"""

from __future__ import annotations

import itertools
import json
import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import pyspiel

from cwm.contract import manifest, model_folders
from cwm.trust import checks
from cwm.trust.inference import seen_by
from cwm.trust.players import players_of
from cwm.trust.trajectories import Trajectory, collect, from_names
from cwm.writing import coverage
from cwm.writing.coverage import Signature, Vocabulary
from games.registration import name_of

Progress = Callable[[Iterable[Trajectory]], Iterable[Trajectory]]

PROTOCOLS = ("random", "chosen")
NUM_GAMES = 5
"""The paper's number of recorded games."""
POOL_GAMES = 60
POOL_SEED = 3_000_000
"""Keeps the pool apart from random training games, whose seeds are small, and from held-out games."""
LENGTH_ALLOWANCE = 1.25
"""Most states of the chosen games, as a multiple of the states of the same number of random ones."""
REPEAT = 0.1
"""Worth of the second of the same signatures beside the first; the third has the square of it."""
WEIGHTS = {"disagreement": 100.0, "kind": 100.0, "change": 10.0, "state": 1.0}
"""Worth of a signature of each sort. A kind of step is nearest to a rule; "disagreement" is a kind of
step at which models of the game disagree."""


@dataclass(frozen=True)
class Selection:
    """Chosen games, and the signatures that they cover. These are counted by sort: "kind", "change", "state", and
    "disagreement" where models were given.

    Attributes:
      games: the games in the order in which they are shown; with a closed deck game i is told by player i modulo
        the number of players.
      pool_games: number of games to choose from, the random ones included.
      pool: number of different signatures in all of them.
      covered: number of these in the chosen games.
      random: number of these in the same number of random games, which are part of the pool.
      states, random_states: number of states of the chosen games, and of the same number of random ones.
    """

    games: tuple[Trajectory, ...]
    pool_games: int
    pool: dict[str, int]
    covered: dict[str, int]
    random: dict[str, int]
    states: int
    random_states: int

    def figures(self) -> dict[str, Any]:
        """Everything but the games, for a manifest."""
        return {
            "protocol": "chosen",
            **{field.name: getattr(self, field.name) for field in fields(self) if field.name != "games"},
        }

    def describe(self) -> str:
        """One line for a log."""
        parts = [
            f"{self.covered[sort]} of {count} {'kinds of steps' if sort == 'kind' else sort + 's'} "
            f"({self.random[sort]})"
            for sort, count in self.pool.items()
        ]
        return (
            f"chose {len(self.games)} of {self.pool_games} games, {self.states} states, which cover "
            f"{', '.join(parts)}; in brackets as many random games, {self.random_states} states"
        )


def pool(game: pyspiel.Game, size: int, seed: int, number: int = NUM_GAMES) -> Iterable[Trajectory]:
    """Yields the games to choose from: first the `number` games of the random protocol, then games in which the
    players are drawn from `cwm.trust.players`."""
    yield from collect(game, number, seed)
    yield from collect(game, size - number, POOL_SEED + seed, players_of(game).choosers)


def choose(
    games: Sequence[Trajectory],
    number: int = NUM_GAMES,
    *,
    closed: bool = False,
    models: Sequence[str] | None = None,
) -> Selection:
    """Chooses games that cover the most signatures, by weight, within the budget of states.

    Args:
      games: the pool; its first `number` games are those of the random protocol, the yardstick.
      number: number of games to choose.
      closed: whether the deck is closed.
      models: texts of models whose disagreements count.

    Raises:
      ValueError: the pool holds fewer than `number` games.
    """
    if len(games) < number:
        raise ValueError(f"a pool of {len(games)} games, expected at least the {number} to choose; play more")
    seats = games[0].num_players if closed else 1
    told = [
        [coverage.signatures(seen_by(game, seat) if closed else game) for seat in range(seats)]
        for game in games
    ]
    vocabulary = Vocabulary(itertools.chain.from_iterable(told))
    disputed = [
        frozenset(Signature("disagreement", kind) for kind in kinds)
        for kinds in disagreements(models or (), games)
    ]
    found = [[vocabulary.reduced(one) | extra for one in by_seat] for by_seat, extra in zip(told, disputed)]
    lengths = [len(game.steps) for game in games]
    random_states = sum(lengths[:number])
    chosen = _Search(found, lengths, LENGTH_ALLOWANCE * random_states).best(number)
    everything = frozenset().union(*itertools.chain.from_iterable(found))
    sorts = [sort for sort in WEIGHTS if models or sort != "disagreement"]

    def by_sort(signatures: Iterable[Signature]) -> dict[str, int]:
        counts = Counter(one.sort for one in signatures)
        return {sort: counts[sort] for sort in sorts}

    return Selection(
        tuple(games[index] for index in chosen),
        len(games),
        by_sort(everything),
        by_sort(_told(found, chosen)),
        by_sort(_told(found, range(number))),
        sum(lengths[index] for index in chosen),
        random_states,
    )


def _told(found: Sequence[Sequence[frozenset[Signature]]], order: Iterable[int]) -> frozenset[Signature]:
    return frozenset().union(*(found[index][place % len(found[index])] for place, index in enumerate(order)))


@dataclass(frozen=True)
class _Search:
    """Chooses places 0, 1, ... of a selection; `found[game][seat]` are signatures by teller."""

    found: Sequence[Sequence[frozenset[Signature]]]
    lengths: Sequence[int]
    budget: float

    def at(self, index: int, place: int) -> frozenset[Signature]:
        """The signatures of a game where it stands at a place."""
        return self.found[index][place % len(self.found[index])]

    def best(self, number: int) -> list[int]:
        """The best selection found: greedily one game after the other, then by exchanges as long as one helps."""
        chosen: list[int] = []
        for place in range(number):
            # What is left must do for the shortest games, however many are still to come.
            rest = sorted(self.lengths[index] for index in self._others(chosen))
            room = self.budget - self._length(chosen) - sum(rest[: number - place - 1])
            chosen.append(self._best_at(place, chosen, room))
        place = unchanged = 0
        while unchanged < number:
            others = chosen[:place] + chosen[place + 1 :]
            counts = self._counts(chosen, without=place)
            better = self._best_at(place, others, self.budget - self._length(others), counts)
            if self._rank(better, place, counts)[0] > self._rank(chosen[place], place, counts)[0]:
                chosen[place], unchanged = better, 0
            else:
                unchanged += 1
            place = (place + 1) % number
        return chosen

    def _others(self, chosen: Sequence[int]) -> list[int]:
        return [index for index in range(len(self.found)) if index not in chosen]

    def _length(self, chosen: Iterable[int]) -> int:
        return sum(self.lengths[index] for index in chosen)

    def _counts(self, chosen: Sequence[int], without: int | None = None) -> Counter[Signature]:
        return Counter(
            one for place, index in enumerate(chosen) if place != without for one in self.at(index, place)
        )

    def _best_at(
        self, place: int, chosen: Sequence[int], room: float, counts: Counter[Signature] | None = None
    ) -> int:
        counts = self._counts(chosen) if counts is None else counts
        rest = self._others(chosen)
        fitting = [index for index in rest if self.lengths[index] <= room]
        return max(
            fitting or [min(rest, key=self.lengths.__getitem__)],
            key=lambda index: self._rank(index, place, counts),
        )

    def _rank(self, index: int, place: int, counts: Counter[Signature]) -> tuple[float, int, int]:
        # Sums are exact: the order of a set of texts differs between processes.
        worth = math.fsum(WEIGHTS[one.sort] * REPEAT ** counts[one] for one in self.at(index, place))
        return worth, self.lengths[index], -index


def disagreements(models: Sequence[str], games: Sequence[Trajectory]) -> list[set[tuple[str, ...]]]:
    """The kinds of steps, for each game, at which models differ from each other or one of them fails.

    The record itself is no judge here: the question is not whether the models are right, only whether they can
    be told apart. After a difference the rest of a game is not looked at.
    """
    return [
        set() if state is None else {coverage.kinds(game)[max(0, state - 1)]}
        for game, state in zip(games, first_differences(models, games))
    ]


def first_differences(models: Sequence[str], games: Sequence[Trajectory]) -> list[int | None]:
    """The number, for each game, of the first state on which models differ or one of them fails;
    None where they agree on the whole game."""
    if not models:
        return [None] * len(games)
    holders = [checks.Holder(source) for source in models]
    try:
        return [
            _first_difference([checks.replay(holder, game.actions)[0] for holder in holders], len(game.steps))
            for game in games
        ]
    finally:
        for holder in holders:
            holder.close()


def _first_difference(replays: Sequence[Sequence[dict[str, Any]]], states: int) -> int | None:
    for number in range(states):
        facts = [_in_order(replay[number]) if number < len(replay) else None for replay in replays]
        if None in facts or any(not checks.same_data(facts[0], other) for other in facts[1:]):
            return number
    return None


def _in_order(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of a state with the legal actions in one fixed order, as their order is a model's own affair."""
    if "joint" in facts:
        return {**facts, "joint": list(map(sorted, facts["joint"]))}
    return {**facts, "legal": sorted(facts["legal"])} if "legal" in facts else facts


FILE = "chosen.json"
"""The file beside a model learnt from chosen games: these games, by their actions' names, and the figures."""


@dataclass(frozen=True)
class Wish:
    """The wishes that a selection depends on, beside the game.

    Attributes:
      seed: number of the independent run.
      number: number of games to choose.
      pool_games: number of games to choose from.
      deck: "open" or "closed" for a game with hidden information, else None.
      models: names of the models whose disagreements count, as `cwm.contract.model_folders.resolve` takes them.
    """

    seed: int
    number: int = NUM_GAMES
    pool_games: int = POOL_GAMES
    deck: str | None = None
    models: tuple[str, ...] = ()


def play_and_choose(game: pyspiel.Game, wish: Wish, progress: Progress = iter) -> Selection:
    """Plays a pool and chooses from it; the same game and wish give the same selection.

    Args:
      game: the ground truth.
      wish: the selection that is asked for.
      progress: a function that may wrap the games as they are played, as tqdm does.

    Raises:
      ValueError: there is nothing to choose from, or a model is missing.
    """
    if wish.pool_games <= wish.number:
        raise ValueError(
            f"--pool_games={wish.pool_games}: expected more games than the {wish.number} to "
            f"choose; raise it, or lower --num_trajectories"
        )
    models = [manifest.load(model_folders.resolve(name)).source for name in wish.models]
    games = list(progress(pool(game, wish.pool_games, wish.seed, wish.number)))
    return choose(games, wish.number, closed=wish.deck == "closed", models=models)


def keep(folder: str, wish: Wish, selection: Selection) -> None:
    """Writes the selection into a model's folder, which is made where it is missing."""
    os.makedirs(folder, exist_ok=True)
    manifest.write_json(
        os.path.join(folder, FILE),
        {
            "wish": asdict(wish),
            "figures": selection.figures(),
            "games": [game.actions for game in selection.games],
        },
    )


def kept(folder: str, game: pyspiel.Game, wish: Wish | None = None) -> Selection | None:
    """The selection that a folder holds; None if it holds none.

    Raises:
      ValueError: it is damaged, or was made for another wish than the one given.
    """
    path = os.path.join(folder, FILE)
    if not os.path.exists(path):
        return None
    try:
        with open(path, encoding="utf-8") as file:
            row = json.load(file)
        found = Wish(**{**row["wish"], "models": tuple(row["wish"]["models"])})
        games = tuple(from_names(game, names) for names in row["games"])
        figures = {name: value for name, value in row["figures"].items() if name != "protocol"}
        selection = Selection(games, **figures)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path}: no games of {name_of(game)} can be read from it ({type(error).__name__}: "
            f"{error}); remove it to choose anew, or name another folder"
        ) from error
    if wish is not None and wish != found:
        differing = ", ".join(
            f"{name} {value}" for name, value in asdict(found).items() if value != getattr(wish, name)
        )
        raise ValueError(
            f"{path}: the games there were chosen with {differing}; give the same flags to go "
            f"on with them, or name another folder"
        )
    return selection
