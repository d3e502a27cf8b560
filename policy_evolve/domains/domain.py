"""The knowledge of a game that the evolution of policies needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyspiel

from arena.matches.records import Move
from language_models.asking.templates import Templates
from policy_evolve.matches.outcomes import Outcome
from policy_evolve.policies.interfaces import Interface

_TEMPLATES = Templates("policy_evolve.domains")


def render(template: str, **fields: object) -> str:
    """Returns a prompt of `policy_evolve/domains/prompts/`."""
    return _TEMPLATES.render(template, **fields).strip() + "\n"


@dataclass(frozen=True)
class Phrases:
    """The phrases that a domain adds to sentences of prompts, empty for nothing.

    Attributes:
      opening: follows the words "random moves".
      first_call: follows the reason for random moves.
      aim: follows the demand for a stronger policy.
    """

    opening: str = ""
    first_call: str = ""
    aim: str = ""


@dataclass(frozen=True)
class ShownMatch:
    """A match that a log shows.

    Attributes:
      outcome: the outcome of the match.
      seat: the policy's.
      course: see `arena.matches.positions.positions`.
    """

    outcome: Outcome
    seat: int
    course: Sequence[tuple[pyspiel.State, Sequence[Move]]]


class Domain(Protocol):
    """A kind of game.

    Attributes:
      fields: the meaning of the fields of `log`, for a prompt.
      event_fields: that of the fields of `events`.
      phrases: the phrases that it adds to prompts.
      opening_plies: random moves at the start of a match that suit it where nothing is dealt.
      random_policy: the file of a policy that acts at random.
      referee: makes the referee of a batch of matches from a game and whether actions are continuous, see
        `wrestle_batches.WrestleReferee`; None where matches are played by themselves only.
    """

    fields: str
    event_fields: str
    phrases: Phrases
    opening_plies: int
    random_policy: Path
    referee: Callable[[pyspiel.Game, bool], Any] | None

    def interface(self, game: pyspiel.Game, player: int) -> Interface:
        """Returns the interface through which `player` of one match of `game` sees it."""

    def information(
        self,
        game: pyspiel.Game,
        hints: bool = True,
        continuous: bool = False,
        starts: Sequence[str] = (),
        example: bool = False,
    ) -> str:
        """Returns the information module's text about a game; `hints` says whether to add those that it has, `example` whether
        to show a match, and what goes with it (from edition 2 on), the rest is as in `matches.rules.MatchRules`.
        """

    def ending(self, state: pyspiel.State, seat: int) -> str:
        """Returns a sentence on how a match without a forfeit ended, from its last state, for the policy in
        `seat`.
        """

    def log(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        """Returns JSON of the fields of `head` and of the courses of matches, of at most `characters` if
        `head` leaves room.
        """

    def events(self, head: dict[str, Any], matches: Sequence[ShownMatch], characters: int) -> str:
        """Returns the same with what happened in matches in place of their courses."""
