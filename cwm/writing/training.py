"""The material that a finished model was learnt from, made again from the contents of its folder."""

from __future__ import annotations

import pyspiel

from cwm.contract import manifest
from cwm.trust.trajectories import collect
from cwm.writing import selection
from cwm.writing.tasks import HiddenLesson, OpenLesson


def lesson_of(model: manifest.Model, game: pyspiel.Game, rules: str = "") -> OpenLesson | HiddenLesson | None:
    """The lesson of a model's synthesis.

    Chosen games lie beside the model; random ones are played again from the manifest's number and seed.

    Args:
      model: the model as it was loaded.
      game: the ground truth.
      rules: the rules as text, where the lesson is to make prompts.

    Returns:
      The lesson; None where its games were a user's own, of which the folder keeps nothing.
    """
    content = model.manifest
    chosen = selection.kept(model.path, game)
    protocol = content.get("trajectories", {}).get("protocol", "random")
    if chosen is None and (protocol != "random" or not content.get("train_games")):
        return None
    games = chosen.games if chosen else tuple(collect(game, content["train_games"], content["seed"]))
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return OpenLesson(rules, games)
    make = HiddenLesson.closed if content.get("deck") == "closed" else HiddenLesson.open
    return make(rules, games)
