"""A planner's bot for each kind of game that is played with skills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import pyspiel

from arena.matches.heads import Panel
from games.micro_rts.openspiel.players import ScriptBot, check_game
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import Order
from language_models import LanguageModel
from skill_planner.domains.any_game.domain import AnyGameDomain
from skill_planner.domains.connect_four.domain import ConnectFourDomain
from skill_planner.domains.micro_rts.coded import CodedLibrary
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.domains.micro_rts.squads.domain import SquadDomain
from skill_planner.planning.pilot import Pilot
from skill_planner.planning.planner import PAPER, Variant
from skill_planner.planning.skills import Domain


class _Orders:
    """A `Pilot` as a script of `micro_rts`."""

    def __init__(self, pilot: Pilot):
        self.pilot = pilot

    def restart(self) -> None:
        self.pilot.restart()

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        return self.pilot.actions(state)


class MicroRTSPlapBot(ScriptBot):
    """A bot that plays `micro_rts` with skills.

    Args:
      game: a game of `micro_rts`.
      player_id: its seat.
      pilot: plans and acts.
      library: coded skills that the pilot uses, closed with the bot; None for none.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, pilot: Pilot, library: CodedLibrary | None = None):
        self._pilot = pilot
        self._library = library
        super().__init__(game, player_id, _Orders(pilot))

    def step(self, state: pyspiel.State) -> int:
        self._pilot.notes = {}
        return super().step(state)

    def notes(self) -> dict[str, Any]:
        """Returns for a move for which a plan was asked when that was (`clock`), the key of the request,
        seconds, the model's name and reply, the valid lines of the plan, the dropped ones with their reasons,
        and tokens; for other moves nothing.
        """
        return self._pilot.notes

    def explain(self) -> list[Panel]:
        """See `Pilot.explain`."""
        return self._pilot.explain()

    def close(self) -> None:
        """Ends the worker of the coded skills."""
        if self._library is not None:
            self._library.close()


class MovePlapBot(pyspiel.Bot):
    """A bot that plays a game with skills one action at a time.

    Args:
      player_id: its seat.
      pilot: plans and acts; its joint actions are of one action each.
    """

    def __init__(self, player_id: int, pilot: Pilot):
        super().__init__()
        self._pilot = pilot

    def restart_at(self, state: pyspiel.State) -> None:
        self._pilot.restart()

    def step(self, state: pyspiel.State) -> int:
        self._pilot.notes = {}
        return self._pilot.actions(state)[0]

    def notes(self) -> dict[str, Any]:
        """Returns the same notes as `MicroRTSPlapBot.notes`."""
        return self._pilot.notes

    def explain(self) -> list[Panel]:
        """See `Pilot.explain`."""
        return self._pilot.explain()


class PlannedGame(Protocol):
    """A kind of game that is played with skills."""

    def domain(self, game: pyspiel.Game, skills: str = PAPER) -> Domain:
        """Returns its words and the library of skills of that name; raises ValueError for a game that they do not
        fit, or another name."""

    def bot(
        self, game: pyspiel.Game, player_id: int, seed: int, model: LanguageModel, variant: Variant
    ) -> pyspiel.Bot:
        """Returns a bot for it; raises as `make`."""


class _MicroRTS:
    _DOMAINS = {PAPER: MicroRTSDomain, "squads": SquadDomain}

    def domain(self, game: pyspiel.Game, skills: str = PAPER, library: CodedLibrary | None = None) -> Domain:
        check_game(game)
        _check_skills(skills, self._DOMAINS)
        return self._DOMAINS[skills](game, library.skills if library else ())

    def bot(
        self, game: pyspiel.Game, player_id: int, seed: int, model: LanguageModel, variant: Variant
    ) -> pyspiel.Bot:
        check_game(game)
        # A worker of its own for each bot: what a module remembers does not pass from match to match.
        library = (
            None
            if variant.coded_skills is None
            else CodedLibrary(Path(variant.coded_skills).read_text(encoding="utf-8"))
        )
        pilot = Pilot(self.domain(game, variant.skills, library), player_id, seed, model, variant)
        return MicroRTSPlapBot(game, player_id, pilot, library)


class _ConnectFour:
    def domain(self, game: pyspiel.Game, skills: str = PAPER) -> Domain:
        _check_skills(skills, (PAPER,))
        return ConnectFourDomain()

    def bot(
        self, game: pyspiel.Game, player_id: int, seed: int, model: LanguageModel, variant: Variant
    ) -> pyspiel.Bot:
        if variant.coded_skills is not None:
            raise ValueError(f"coded_skills: expected a game of micro_rts, found {game}")
        return MovePlapBot(player_id, Pilot(self.domain(game, variant.skills), player_id, seed, model, variant))


class _AnyGame:
    def domain(self, game: pyspiel.Game, skills: str = PAPER, seed: int = 0) -> Domain:
        _check_skills(skills, (PAPER,))
        return AnyGameDomain(game, seed)

    def bot(
        self, game: pyspiel.Game, player_id: int, seed: int, model: LanguageModel, variant: Variant
    ) -> pyspiel.Bot:
        if variant.coded_skills is not None:
            raise ValueError(f"coded_skills: expected a game of micro_rts, found {game}")
        domain = self.domain(game, variant.skills, seed)
        return MovePlapBot(player_id, Pilot(domain, player_id, seed, model, variant))


GAMES: Mapping[str, PlannedGame] = {"micro_rts": _MicroRTS(), "connect_four": _ConnectFour()}
"""OpenSpiel short name -> the way in which it is played with skills of its own."""
_OTHERS = _AnyGame()


def _planned(game: pyspiel.Game) -> PlannedGame:
    return GAMES.get(game.get_type().short_name, _OTHERS)


def _check_skills(skills: str, known: Iterable[str]) -> None:
    if skills not in known:
        raise ValueError(f"skills: expected {' or '.join(known)}, found {skills!r:.40}")


def domain_of(game: pyspiel.Game, skills: str = PAPER) -> Domain:
    """Returns the words for a game, with the library of skills of that name.

    Raises:
      ValueError: there are none for it, or no such library.
    """
    return _planned(game).domain(game, skills)


def make(
    game: pyspiel.Game, player_id: int, seed: int, *, model: LanguageModel, variant: Variant
) -> pyspiel.Bot:
    """Returns the bot for a game.

    Raises:
      ValueError: there are no skills for the game, a value of the variant is out of range, or the module
        of coded skills breaks its contract.
      OSError: that module cannot be read.
    """
    return _planned(game).bot(game, player_id, seed, model, variant)
