"""The places of world models: folders of the user, and those that ship with the package.

A model is named by its folder, or, where no such folder exists, by its place among the shipped ones:
`connect_four/0` is one synthesis, `connect_four` all five. A folder that holds several models stands
for all of them that survive their own tests, and a match draws one.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pyspiel

import artefacts
from arena.registry.games import load_game
from cwm.contract import manifest
from cwm.contract.manifest import ManifestError
from games import registration
from runs.suggestions import nearest

DOCUMENTED = "documented"
"""The folder of the models of OpenSpiel's games that were learnt from documented rules (`games.documented_rules`), one
for each game string."""


def shipped_root() -> str:
    """The folder of the models that ship with the package."""
    return str(artefacts.folder("world_models"))


def resolve(name: str) -> str:
    """The folder that a model's name stands for.

    Raises:
      ManifestError: there is no such folder, neither here nor among the shipped models.
    """
    shipped = os.path.join(shipped_root(), *name.split("/"))
    for folder in (name, shipped):
        if os.path.isdir(folder):
            return folder
    family = os.path.join(shipped_root(), name.partition("/")[0])
    if os.path.isdir(family):
        known = [name_of(os.path.join(family, one)) for one in sorted(os.listdir(family))]
    else:
        known = sorted(os.listdir(shipped_root()))
    raise ManifestError(
        f"model {name!r}: no such folder, and no model of that name ships with the "
        f"package; expected a folder made by python -m cwm.synthesize, or a shipped one; "
        f"{nearest(name, known)}"
    )


def name_of(folder: str) -> str:
    """The shortest name that `resolve` takes back to this folder: shipped models go without a path."""
    root = shipped_root() + os.sep
    return folder[len(root) :].replace(os.sep, "/") if folder.startswith(root) else folder


def is_of_another_game(model: manifest.Model, game: pyspiel.Game) -> bool:
    """Whether a model was made for another of OpenSpiel's games than this one. A name that OpenSpiel does
    not know is a user's own, and a world model as the game may be a model of anything."""
    made_for = model.manifest.get("game", "").partition("(")[0]
    name = game.get_type().short_name
    return made_for in pyspiel.registered_names() and name not in (made_for, "cwm")


def differing_parameters(model: manifest.Model, game: pyspiel.Game) -> dict[str, tuple[Any, Any]]:
    """The game's parameters that are not those that a model was made for: name -> (made for, this game's).
    Defaults count as given. Empty where they agree, and where OpenSpiel cannot load what the model was made
    for or it is another game."""
    made_for = model.manifest.get("game", "")
    if made_for.partition("(")[0] != game.get_type().short_name:
        return {}
    wanted, found = load_game(made_for).get_parameters(), game.get_parameters()
    names = sorted(set(wanted) | set(found))
    return {name: (wanted.get(name), found.get(name)) for name in names if wanted.get(name) != found.get(name)}


def hides_information(model: manifest.Model) -> bool:
    """Whether a model is one of a game that hides information from players."""
    return model.manifest.get("deck") is not None


def players_choose_at_once(model: manifest.Model) -> bool:
    """Whether players choose at once in a model's game."""
    return bool((model.manifest.get("properties") or {}).get("simultaneous"))


def check_in_turn(model: manifest.Model, command: str) -> None:
    """Makes sure that players move in turn in a model's game, for what is made for such games alone.

    Args:
      model: the model.
      command: what is asked for, as in "python -m cwm.ppo".

    Raises:
      ValueError: they choose at once.
    """
    if players_choose_at_once(model):
        raise ValueError(
            f"{command}: in the world model {name_of(model.path)} players choose at once, expected one of a game in which "
            f"they move in turn; choose another model"
        )


def drawn(name: str, game: pyspiel.Game, seed: int) -> manifest.Model:
    """The model of a bot: `name` as in `candidates`, or "shipped" for this game's models among those that
    ship, the documented ones where there are no others; of several, one is drawn by `seed`.

    Raises:
      ManifestError: there is none, or it is a model of another game.
    """
    if name == "shipped":
        name = game.get_type().short_name
        documented = f"{DOCUMENTED}/{registration.name_of(game)}"
        if not os.path.isdir(name) and os.path.isdir(os.path.join(shipped_root(), documented)):
            name = documented
    folders = candidates(name)
    model = manifest.load(folders[random.Random(seed).randrange(len(folders))])
    if is_of_another_game(model, game):
        raise ManifestError(
            f"model {name!r} is one of {model.manifest['game']}, expected one of "
            f"{game.get_type().short_name}; choose another model"
        )
    return model


def candidates(name: str) -> list[str]:
    """Folders of the models that a match may draw: the one named, or all survivors in the folder.

    A model survives when it passed all of its own training tests and random play without a breach, and
    was not rejected by play against its siblings (`cwm.rejection`): the ground truth has no say, because a
    player would not have it. One that is named itself is taken as it is.

    Raises:
      ManifestError: there is none.
    """
    folder = resolve(name)
    if os.path.exists(os.path.join(folder, "manifest.json")):
        return [folder]
    found = sorted(
        os.path.join(folder, entry)
        for entry in os.listdir(folder)
        if os.path.exists(os.path.join(folder, entry, "manifest.json"))
    )
    alive = [path for path in found if _survives(path)]
    if not alive:
        raise ManifestError(
            f"{folder}: holds {len(found)} world models, none of which passed its own "
            f"tests without being rejected afterwards; make one with "
            f"python -m cwm.synthesize --output_dir={folder}/0"
        )
    return alive


def passes_own_tests(content: dict[str, Any]) -> bool:
    """Whether a model passed all of its own training tests and random play without a breach, by its manifest."""
    rungs = {rung["rung"]: rung["status"] for rung in content["rungs"]}
    # A closed deck has no transitions to test; there inference is all the training there is.
    trained = [rungs[name] for name in ("training_transitions", "training_inference") if name in rungs]
    return (
        rungs["contract"] == rungs["random_play"] == "passed"
        and "passed" in trained
        and "failed" not in trained
    )


def _survives(folder: str) -> bool:
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        content = json.load(file)
    return passes_own_tests(content) and not content.get("rejection", {}).get("rejected")
