"""The cells of the experiment: a game, a text of its rules, a seed; and what a language model is told in each.

The texts lie in `texts/`: `everyday/` holds what a person would tell, with gaps, `wrong/` the full rules with one of them
changed into a false one, `full/` those of the games that have no text elsewhere. What is false stands in `texts/sealed.json`,
which nothing here reads.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, NamedTuple

import pyspiel

import games
from arena.registry.games import load_game
from benchmarks.cwm.worlds import registered
from cwm.trust.trajectories import Trajectory, collect
from cwm.writing import prompting
from cwm.writing.tasks import OpenLesson, Verdict
from games.seeing import rulebook, views
from runs import json_lines

TEXTS = ("everyday", "wrong", "none", "full")
TRAINING_GAMES = 5


class Cell(NamedTuple):
    """What is learnt from: a game by its name, a text out of `TEXTS`, and the seed of the recorded games and of the run."""

    game: str
    text: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.game}, {self.text}, seed {self.seed}"


class Store:
    """Results by keys, kept in a JSON Lines file where there is one, so that a run that is walked through again tests nothing
    twice.

    Args:
      path: the file; None for memory alone.
    """

    def __init__(self, path: str | None = None):
        self._path = path
        self._known = {row["key"]: row["value"] for row in (json_lines.resume(path) if path else [])}

    def get(self, key: str) -> Any:
        """The value, or None."""
        return self._known.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keeps a value of JSON."""
        self._known[key] = value
        if self._path:
            json_lines.append(self._path, {"key": key, "value": value})


def digest(*parts: str) -> str:
    """A short name for texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


@dataclass(frozen=True)
class KeptLesson(OpenLesson):
    """A lesson whose verdicts are kept. Also in a game with hidden information programs are tested by whole games, each
    player's view included, and no functions of inference are asked for: it is the rules that are measured."""

    store: Store = field(default_factory=Store, compare=False, repr=False)

    def judge(self, source: str) -> Verdict:
        key = digest("verdict", self.fingerprint(), source)
        known = self.store.get(key)
        if known is None:
            verdict = super().judge(source)
            self.store.put(key, [*vars(verdict).values()])
            return verdict
        return Verdict(*known[:-1], tuple(known[-1]))


@functools.cache
def game_of(name: str) -> pyspiel.Game:
    """The ground truth."""
    registered.register()
    return load_game(name)


@functools.cache
def recorded(game: str, seed: int) -> tuple[Trajectory, ...]:
    """The games that are learnt from."""
    return tuple(collect(game_of(game), TRAINING_GAMES, seed))


def _file(folder: str, game: str) -> str:
    return resources.files("benchmarks.cwm").joinpath("texts", folder, f"{game}.md").read_text("utf-8")


def full_text(game: str) -> str:
    """The full rules as players read them."""
    ground_truth = game_of(game)
    if game in rulebook.games_with_rules():
        return games.rules(ground_truth)
    return rulebook.filled_in(_file("full", game), ground_truth, f"texts/full/{game}.md")


def rules_of(game: str, text: str) -> str:
    """The rules as a prompt gives them. The meaning of what players observe is told with each text."""
    ground_truth = game_of(game)
    if text == "full":
        told = full_text(game)
    elif text == "wrong":
        told = rulebook.filled_in(_file("wrong", game), ground_truth, f"texts/wrong/{game}.md")
    else:
        plain = prompting.no_rules() if text == "none" else _file("everyday", game)
        told = prompting.with_observations(plain, views.describe(ground_truth), "")
    return told if text == "none" else prompting.with_contradictions(told)


def lesson_of(cell: Cell, store: Store) -> KeptLesson:
    """The lesson of a cell."""
    return KeptLesson(
        rules_of(cell.game, cell.text), recorded(cell.game, cell.seed), prompting.NEWEST, store=store
    )
