"""Flags, checks and the printed line of the commands that play one match and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, TypeVar

import pyspiel

from runs import cli, flags

_FLAGS = flags.FLAGS
_SUFFIXES = (".gif", ".png")

GameClass = TypeVar("GameClass", bound=pyspiel.Game)


class Forfeited(Protocol):
    """The player that gave up a match, and the reason."""

    player: int
    reason: str


def define_flags(game: str, bots: str, every: int, moments: str, *, required: bool = True) -> None:
    """Defines the flags `game`, `bots`, `output`, `seed` and `every`.

    Args:
      game: short name of the game.
      bots: the bots that `--bots` expects, as a noun phrase.
      every: default of `--every`.
      moments: the unit of `--every`, in the plural.
      required: whether `--bots` must be given.
    """
    flags.game(f"{game} with its parameters", default=game)
    flags.bots(bots, required=required)
    flags.output("the picture; its name ends in .gif or .png", required=True)
    flags.seed("chance and the bots")
    flags.DEFINE_integer(
        "every", every, f"Number of {moments} from one picture of a .gif to the next.", lower_bound=1
    )


def output_file() -> Path:
    """Returns the file that `--output` names.

    Raises:
      ValueError: it cannot be written, or its name ends in something else than .gif and .png.
    """
    output = cli.check_output(_FLAGS.output, "output")
    if output.suffix not in _SUFFIXES:
        raise ValueError(f"--output: expected a name that ends in .gif or .png, found {output.name}")
    return output


def checked_game(game: pyspiel.Game, game_class: type[GameClass], name: str) -> GameClass:
    """Returns the game that `--game` names.

    Raises:
      ValueError: it is not of `game_class`, which is called `name`.
    """
    if not isinstance(game, game_class):
        raise ValueError(f"--game: expected {name} with its parameters, found {_FLAGS.game!r}")
    return game


def report(output: Path, result: str, forfeit: Forfeited | None) -> None:
    """Prints the name of the file and the end of the match."""
    ended = "" if forfeit is None else f", player {forfeit.player} forfeits: {forfeit.reason}"
    print(f"{output}: {result}{ended}")
