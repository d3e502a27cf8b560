"""Bots that play a text which a person can edit, such as a behaviour tree or a policy's program.

The packages that have such a bot register how its text is read and checked when their bots are imported; so a page can
show the text of a player, take another one, and have it play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from arena.registry.bots import bots
from arena.registry.specs import BotSpec, format_spec, parse_spec

MOST_CHARACTERS = 50_000
"""Most characters of a text."""


@dataclass(frozen=True)
class Written:
    """How the text of a bot is read and checked.

    Attributes:
      parameter: the bot's parameter that names the text: a file, or something that ships.
      suffix: the ending of a file of such a text.
      read: from the parameter's value to the text.
      check: from a game string and a text to the number of the line, from 1, of each of its parts in the order of the
        panel that lights them (`arena.matches.heads`), or to no numbers. Raises ValueError, in one sentence, where the
        text cannot play the game.
    """

    parameter: str
    suffix: str
    read: Callable[[str], str]
    check: Callable[[str, str], list[int]]


_written: dict[str, Written] = {}


def register_written(bot: str, written: Written) -> None:
    """Registers how the text of a bot, by its name, is read and checked."""
    _written[bot] = written


def written_of(spec: str) -> Written | None:
    """How the text of a bot is read and checked; None for a bot that plays no text.

    Args:
      spec: the bot, as for `arena.registry.bots.make_bot`.
    """
    bots()  # which imports the packages
    return _written.get(parse_spec(spec).name)


def text_of(spec: str) -> str | None:
    """The text that a bot plays; None for a bot that plays no text.

    Raises:
      ValueError: there is no such text.
    """
    written = written_of(spec)
    if written is None:
        return None
    return written.read(str(parse_spec(spec).parameters.get(written.parameter, "")))


def with_text(spec: str, path: Path) -> str:
    """The spec of the same bot with the text in a file.

    Raises:
      ValueError: the bot plays no text.
    """
    written, parsed = written_of(spec), parse_spec(spec)
    if written is None:
        raise ValueError(f"bot {parsed.name!r} plays no text that can be edited")
    return format_spec(BotSpec(parsed.name, {**parsed.parameters, written.parameter: str(path)}))
