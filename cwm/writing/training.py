"""The material that a finished model was learnt from, made again from the contents of its folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

from cwm.contract import manifest
from cwm.trust import trajectories
from cwm.trust.inference import Seen
from cwm.trust.players import hides
from cwm.trust.trajectories import Trajectory, collect, from_names
from cwm.writing import selection
from cwm.writing.preparation import rules as rules_texts
from cwm.writing.tasks import HiddenLesson, OpenLesson
from runs import json_lines

RECORDED = "recorded_games.jsonl"
"""File of a model's folder with the recorded games that its user brought."""
ONLINE_GAMES = "games.jsonl"
"""File of a learner's folder with the games that its revisions were learnt from (`cwm.writing.learning`)."""


@dataclass(frozen=True)
class LearntFrom:
    """All games that a model was learnt from.

    Attributes:
      games: those that were shown whole.
      seen: those that were shown as one player saw them.
    """

    games: Sequence[Trajectory] = ()
    seen: Sequence[Seen] = ()

    @classmethod
    def lesson(cls, lesson: OpenLesson | HiddenLesson) -> LearntFrom:
        """The games of a lesson."""
        if lesson.trajectories or isinstance(lesson, OpenLesson):
            return cls(lesson.trajectories)
        return cls(seen=lesson.seen)


def keep_recorded(folder: str, path: str) -> None:
    """Keeps a user's recorded games beside the model that was learnt from them."""
    shutil.copyfile(path, os.path.join(folder, RECORDED))


def lesson_of(model: manifest.Model, game: pyspiel.Game, rules: str = "") -> OpenLesson | HiddenLesson | None:
    """The lesson of a model's synthesis.

    Chosen games and a user's own lie beside the model; random ones are played again from the manifest's number and
    seed.

    Args:
      model: the model as it was loaded.
      game: the ground truth.
      rules: the rules as text, where the lesson is to make prompts.

    Returns:
      The lesson; None where its games were a user's own and the folder, of an earlier version, has not kept them.
    """
    content = model.manifest
    chosen = selection.kept(model.path, game)
    protocol = content.get("trajectories", {}).get("protocol", "random")
    recorded = os.path.join(model.path, RECORDED)
    if chosen is not None:
        games = chosen.games
    elif protocol == "recorded" and os.path.exists(recorded):
        games = tuple(trajectories.read(recorded))
    elif protocol == "random" and content.get("train_games"):
        games = tuple(collect(game, content["train_games"], content["seed"]))
    else:
        return None
    if not hides(game):
        return OpenLesson(rules, games)
    make = HiddenLesson.closed if content.get("deck") == "closed" else HiddenLesson.open
    return make(rules, games)


def learnt_from(
    model: manifest.Model, game: pyspiel.Game, lesson: OpenLesson | HiddenLesson | None
) -> LearntFrom | None:
    """All games that a model was learnt from: those of its synthesis, and for a revision those it was revised on.

    Args:
      model: the model as it was loaded.
      game: the ground truth.
      lesson: the lesson of its synthesis, by `lesson_of`.

    Returns:
      The games; None where not all of them can be had.
    """
    if lesson is None:
        return None
    known = LearntFrom.lesson(lesson)
    if "online" not in model.manifest:
        return known
    path = os.path.join(os.path.dirname(os.path.abspath(model.path)), ONLINE_GAMES)
    rows = json_lines.read(path)[: model.manifest["online"]["after_game"] + 1] if os.path.exists(path) else []
    if len(rows) <= model.manifest["online"]["after_game"]:
        return None
    played = [from_names(game, row["actions"]) for row in rows if row["seen"] is None]
    seen = [Seen.from_json(row["seen"]) for row in rows if row["seen"] is not None]
    return LearntFrom([*known.games, *played], [*known.seen, *seen])


def observations_of(lesson: OpenLesson | HiddenLesson) -> list[Any]:
    """The observations of a lesson's games that the language model may know of."""
    seen = lesson.seen if isinstance(lesson, HiddenLesson) else ()
    return [observation for one in seen for observation in one.observations] or [
        observation for one in lesson.trajectories for step in one.steps for observation in step.observations
    ]


def rules_of(model: manifest.Model, game: pyspiel.Game, path: str | None) -> str:
    """The rules for a prompt about a finished model, as its synthesis had them: with the meaning of what players
    observe, where no rules say it.

    Args:
      model: the model as it was loaded.
      game: the game.
      path: the value of --rules; None for the rules that ship or that the game's package brings.

    Raises:
      ValueError: the file is no text, or there are no rules of the game.
    """
    rules = rules_texts.rules_of(game, path)
    if rules_texts.is_explained(game, path):
        return rules
    lesson = lesson_of(model, game)
    return rules_texts.with_observations(rules, game, path, observations_of(lesson) if lesson else ())
