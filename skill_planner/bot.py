"""The bot `plap`: a language model plans, an executor acts."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pyspiel
from absl import logging

from arena.matches.match import Forfeit
from arena.registry.bots import register_bot
from games.micro_rts.openspiel.game import MicroRTSGame
from games.micro_rts.openspiel.players import ScriptBot, check_game
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import Order
from language_models import LanguageModel, LanguageModelError, from_spec
from skill_planner.domains.connect_four.domain import ConnectFourDomain
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.planning import parser, planner
from skill_planner.planning.coded import CodedLibrary
from skill_planner.planning.executor import Executor
from skill_planner.planning.planner import Variant
from skill_planner.planning.skills import Domain, Dropped


class Pilot:
    """Planner and executor of one player (the paper's algorithm 1).

    A new plan is asked for at the first decision at or after each multiple of k. An empty plan is no
    error: the executor then does what the domain does without one.

    Attributes:
        notes: of the last call of `actions` if it asked for a plan, else empty; see `plap`'s notes.

    Args:
        domain: what is played.
        player: for whom.
        seed: of the match, in the requests.
        model: answers.
        variant: how it is prompted.
    """

    def __init__(self, domain: Domain, player: int, seed: int, model: LanguageModel, variant: Variant):
        variant.check(domain)
        self._domain, self._player, self._seed = domain, player, seed
        self._model, self._variant = model, variant
        self._executor = Executor(domain, player)
        self.restart()

    def restart(self) -> None:
        """Forgets the match played before."""
        self._next = 0
        self._dropped: list[Dropped] = []
        self._executor.follow([])
        self.notes: dict[str, Any] = {}

    def actions(self, state: Any) -> list[Any]:
        """The joint action for this state.

        Raises:
            Forfeit: the language model failed; of kind crash.
        """
        clock = self._domain.clock(state)
        if clock >= self._next:
            self._plan(state, clock)
            self._next = (clock // self._variant.k + 1) * self._variant.k
        return self._executor.actions(state)

    def _plan(self, state: Any, clock: int) -> None:
        request = planner.request(self._domain, self._variant, state, self._player, self._seed, self._dropped)
        asked = {"clock": clock, "request": request.key(), "model_calls": 1}
        start = time.perf_counter()
        try:
            completion = self._model.complete(request)[0]
        except LanguageModelError as error:
            raise Forfeit("crash", str(error), asked) from error
        plan = parser.parse(completion.text, self._domain, state, self._player)
        for line, reason in plan.dropped:
            logging.warning(
                "plap, player %d, %s %d: dropped %r: %s",
                self._player,
                self._domain.unit_of_time,
                clock,
                line,
                reason,
            )
        self._dropped = plan.dropped
        self._executor.follow(plan.steps)
        self.notes = {
            **asked,
            "latency_seconds": round(time.perf_counter() - start, 3),
            "language_model": completion.model,
            "reply": completion.text,
            "plan": [step.line for step in plan.steps],
            "dropped": [list(entry) for entry in plan.dropped],
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
        }


class _Orders:
    """A `Pilot` as a script of `micro_rts`."""

    def __init__(self, pilot: Pilot):
        self.pilot = pilot

    def restart(self) -> None:
        self.pilot.restart()

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        return self.pilot.actions(state)


class MicroRTSPlapBot(ScriptBot):
    """Plays `micro_rts` with skills.

    Args:
        game: of `micro_rts`.
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
        """Of a move for which a plan was asked: when (`clock`), key of the request, seconds, the model's
        name and reply, the valid lines of the plan, the dropped ones with their reasons, and tokens; of
        other moves nothing."""
        return self._pilot.notes

    def close(self) -> None:
        """Ends the worker of the coded skills."""
        if self._library is not None:
            self._library.close()


class TurnPlapBot(pyspiel.Bot):
    """Plays a game of single moves with skills.

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
        """As `MicroRTSPlapBot.notes`."""
        return self._pilot.notes


def domain_of(game: pyspiel.Game, library: CodedLibrary | None = None) -> Domain:
    """The skills and words for a game, with the coded skills of a library.

    Raises:
        ValueError: there are none for it.
    """
    if isinstance(game, MicroRTSGame):
        check_game(game)
        return MicroRTSDomain(game, library.skills if library else ())
    if game.get_type().short_name == "connect_four":
        return ConnectFourDomain()
    raise ValueError(
        f"bot 'plap' has skills for micro_rts and connect_four, not for {game}; choose another bot"
    )


def make(
    game: pyspiel.Game, player_id: int, seed: int, *, model: LanguageModel, variant: Variant
) -> pyspiel.Bot:
    """The bot for a game.

    Raises:
        ValueError: there are no skills for the game, a value of the variant is out of range, or the module
            of coded skills breaks its contract.
        OSError: that module cannot be read.
    """
    if not isinstance(game, MicroRTSGame):
        domain = domain_of(game)
        if variant.coded_skills is not None:
            raise ValueError(f"coded_skills: expected a game of micro_rts, found {game}")
        return TurnPlapBot(player_id, Pilot(domain, player_id, seed, model, variant))
    check_game(game)
    # A worker of its own for each bot: what a module remembers does not pass from match to match.
    library = (
        None
        if variant.coded_skills is None
        else CodedLibrary(Path(variant.coded_skills).read_text(encoding="utf-8"))
    )
    pilot = Pilot(domain_of(game, library), player_id, seed, model, variant)
    return MicroRTSPlapBot(game, player_id, pilot, library)


@register_bot("plap", summary="a language model plans with parameterized skills, an executor acts")
def _plap(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    k: int | None = None,
    shots: int = 2,
    tips: bool = True,
    feedback: bool = False,
    opponent_model: bool = False,
    coded_skills: str | None = None,
) -> pyspiel.Bot:
    """See `Variant`; `llm` is a spec such as gemini:MODEL, `k` is the domain's by default (100 ticks in
    MicroRTS)."""
    interval = domain_of(game).interval if k is None else k
    return make(
        game,
        player_id,
        seed,
        model=from_spec(llm),
        variant=Variant(shots, tips, feedback, opponent_model, interval, coded_skills),
    )
