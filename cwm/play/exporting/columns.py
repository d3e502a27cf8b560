"""The columns of an exported game's tensors: those of `cwm.play.features`, and texts such as the rows of a board
character by character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cwm.play import features
from cwm.play.game import CwmGame

MOST = 600
"""Most columns of an observation. Games whose observations hold more have no tensors: a file that is read has no
room for them, and random games do not meet them all."""

ENOUGH = 5_000
"""Number of different observations in which the columns are looked for, where random games show so many."""


@dataclass(frozen=True)
class Columns:
    """What the columns of an observation mean.

    Attributes:
      codec: the columns.
      spelt: paths of the fields whose texts are read character by character.
    """

    codec: features.Codec
    spelt: tuple[str, ...]

    @property
    def values(self) -> list[tuple[str, tuple[str, ...]]]:
        """For each field the JSON texts of the scalars that have a column each, in the columns' order."""
        found: dict[str, list[str]] = {}
        for path, text in self.codec.values:
            found.setdefault(path, []).append(text)
        return [(path, tuple(texts)) for path, texts in found.items()]


def found(game: CwmGame) -> Columns | None:
    """The columns for a model, from random games inside it, or None where there would be more than `MOST`."""
    try:
        columns = made_from(game.num_players(), *features.met(features.SelfPlay(game.call), enough=ENOUGH))
    except ValueError:  # even more than a network here takes
        return None
    return columns if columns.codec.columns <= MOST else None


def made_from(players: int, observations: Sequence[Any], actions: Iterable[str]) -> Columns:
    """The columns for the scalars in these observations, and for these actions' names.

    Raises:
      ValueError: there are too many different things.
    """
    spelt = spelt_fields(observations)
    shown = [with_spelt(one, spelt) for one in observations] if spelt else observations
    return Columns(features.Codec.made_from(players, shown, actions), spelt)


def spelt_fields(observations: Iterable[Any]) -> tuple[str, ...]:
    """The fields whose values are texts of one length that take far fewer columns character by character."""
    texts: dict[str, set[Any]] = {}
    for observation in observations:
        for path, value in features.fields(observation):
            texts.setdefault(path, set()).add(value if isinstance(value, str) else None)
    return tuple(path for path in sorted(texts) if _better_spelt(texts[path]))


def _better_spelt(texts: set[Any]) -> bool:
    if None in texts or len({len(text) for text in texts}) > 1:
        return False
    return len(texts) > 2 * sum(len(set(place)) for place in zip(*texts))


def with_spelt(data: Any, spelt: Iterable[str], path: str = "") -> Any:
    """An observation in which the texts of these fields are lists of characters."""
    if isinstance(data, dict):
        return {key: with_spelt(value, spelt, f"{path}/{key}") for key, value in data.items()}
    if isinstance(data, list):
        return [with_spelt(value, spelt, f"{path}/{index}") for index, value in enumerate(data)]
    return list(data) if path in spelt else data
