"""One game written as three files: the game, the test that OpenSpiel asks of new games, and a playthrough."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pyspiel
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

from cwm import contract
from cwm.contract import manifest
from cwm.play.exporting import columns, sealed
from cwm.play.exporting.rendering import Export
from cwm.play.game import CwmGame
from runs.cli import write_text
from sandbox import SandboxError

_SEED = 0
_LONG = 200
"""Number of a playthrough's steps from which the test plays few games."""
_GAMES, _GAMES_OF_LONG = 10, 2
_RECORDED = 5
"""Recorded random games for each that a test plays: one playthrough does not meet every rule."""


def paths(output: Path) -> tuple[Path, Path, Path]:
    """The files of the game, its test and its playthrough; the first is `output`."""
    stem = output.with_suffix("").name
    return output, output.with_name(f"{stem}_test.py"), output.with_name(f"{stem}_playthrough.txt")


def export(model: manifest.Model, name: str, output: Path) -> tuple[Path, Path, Path]:
    """Writes a model as an OpenSpiel game with test and playthrough, and registers that game in this process.

    The program runs in a sealed worker all the while. OpenSpiel's random_sim_test is run first, and nothing is
    written where it fails.

    Args:
      model: the world model.
      name: the game's short name in OpenSpiel, which no other game may have.
      output: the file of the game.

    Returns:
      `paths(output)`.

    Raises:
      ValueError: one sentence: the name is taken or malformed, the program breaks the contract, defines a name
        that the file needs, fails, or is no game by OpenSpiel's tests.
    """
    if name in pyspiel.registered_names():
        raise ValueError(f"the name {name!r} is a game's already, expected a new one; give it with --name")
    export = Export(model, name, output.with_suffix("").name)
    breaches = contract.breaches(model.source, export.hidden)
    if breaches:
        raise ValueError(
            f"{model.path}: the program breaks the contract of world models: {breaches[0]}; test it with "
            "python -m cwm.verify"
        )
    try:
        texts = _texts(export)
    except (SandboxError, pyspiel.SpielError) as error:
        raise ValueError(
            f"{model.path}: not a game that can be exported, OpenSpiel's tests fail on it: {error}; test the "
            "model with python -m cwm.verify"
        ) from error
    for path, text in zip(paths(output), texts):
        write_text(path, text)
    return paths(output)


def _texts(export: Export) -> tuple[str, str, str]:
    game = CwmGame({"model": export.model.path})
    if not export.simultaneous:  # there the columns are found by play in turn
        export = dataclasses.replace(export, columns=columns.found(game))
    text = export.file()
    sealed.register(export, game)
    exported = pyspiel.load_game(export.name)
    if not flags.FLAGS.is_parsed():  # OpenSpiel's module asks for a flag of its own
        flags.FLAGS.mark_as_parsed()
    playthrough = generate_playthrough.playthrough(export.name, [], seed=_SEED)
    games = _GAMES_OF_LONG if playthrough.count("\naction") >= _LONG else _GAMES
    pyspiel.random_sim_test(exported, games, False, False)
    in_turn_and_small = not export.simultaneous and sealed.is_small(game)
    nash_conv = sealed.uniform_nash_conv(exported) if in_turn_and_small else None
    recorded = _RECORDED * games
    fingerprint = export.fingerprint(exported, recorded)
    return text, export.test(games, recorded, fingerprint, nash_conv), playthrough
