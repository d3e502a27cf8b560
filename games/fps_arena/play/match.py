"""Whole matches between controllers, without OpenSpiel.

    >>> from games.fps_arena.play import match, scripted
    >>> played = match.play("fps_arena(players=2,ticks=200)", [scripted.Strong(), scripted.Weak()], seed=3)
    >>> played.state.tick, len(played.metrics()["players"])
    (200, 2)

A game through OpenSpiel whose first draw is the seed is equal tick by tick, given the same orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import pyspiel

from games.fps_arena.knowing.observation import Observation
from games.fps_arena.rules import metrics as counting
from games.fps_arena.rules.engine import Event, State
from games.fps_arena.rules.maps import Arena
from games.fps_arena.rules.parameters import Rules
from runs.seeds import bot_seed


class Controller(Protocol):
    """A controller that decides for one soldier."""

    def start(self, rules: Rules, arena: Arena, player: int, seed: int) -> None:
        """Prepares for a match; called before it.

        Args:
          rules, arena: the rules and the map of the match.
          player: the player whose soldier it decides for.
          seed: the seed of all its randomness.
        """

    def act(self, observation: Observation) -> int:
        """Returns an order, see `orders.Codec`; called at each decision while the soldier is alive. An order
        that cannot be carried out is skipped. The observation is the same object each time.
        """


class Frame(NamedTuple):
    """A moment for drawings: for each soldier (cell, facing, health), the owner of the control point,
    the scores, the pick-ups that are there, and what happened in the tick before."""

    tick: int
    soldiers: tuple[tuple[int, int, int], ...]
    owner: int
    scores: tuple[int, ...]
    pickups: tuple[bool, ...]
    events: tuple[Event, ...]


def frame(state: State) -> Frame:
    """Returns the frame of a state: the part of it that is drawn."""
    return Frame(
        state.tick,
        tuple((one.cell, one.facing, one.health) for one in state.soldiers),
        state.owner,
        tuple(state.scores),
        tuple(tick <= state.tick for tick in state.gone),
        tuple(state.events),
    )


@dataclass(frozen=True)
class Match:
    """A match that was played: its last state, and a frame for each decision if it was recorded."""

    state: State
    frames: tuple[Frame, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.state.setting.rules

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by team."""
        return tuple(self.state.scores)

    @property
    def returns(self) -> list[float]:
        """The returns by player, see `State.returns`."""
        return self.state.returns()

    def metrics(self) -> dict[str, Any]:
        """Returns the counts of `metrics.metrics`."""
        return counting.metrics(self.state)


def rules_of(params: str | Mapping[str, Any] | Rules) -> Rules:
    """Rules from a game string such as `fps_arena(players=2,mode=dm)`, from parameters, or as they are.

    Raises:
      ValueError: the string names another game, or a parameter is unknown or out of range.
    """
    if isinstance(params, Rules):
        return params
    if isinstance(params, str):
        params = pyspiel.game_parameters_from_string(params)
        name = params.pop("name", "fps_arena")
        if name != "fps_arena":
            raise ValueError(f"fps_arena: expected a game string of fps_arena, got one of {name!r}.")
    return Rules.from_parameters(params)


def play(
    params: str | Mapping[str, Any] | Rules,
    controllers: Sequence[Controller],
    seed: int,
    *,
    record: bool = False,
    stop: int | None = None,
) -> Match:
    """Plays a match.

    Args:
      params: see `rules_of`.
      controllers: one for each player; they are started by this function.
      seed: the seed of the match, 0 or more; the controllers' seeds follow from it.
      record: whether to keep frames.
      stop: the number of ticks after which to stop; None to play to the end.

    Raises:
      ValueError: a parameter is out of range, or there is not one controller for each player.
    """
    rules = rules_of(params)
    if len(controllers) != rules.players:
        raise ValueError(
            f"fps_arena: expected {rules.players} controllers, one for each player, got {len(controllers)}."
        )
    state = State.start(rules, seed)
    arena = state.setting.arena
    for player, controller in enumerate(controllers):
        controller.start(rules, arena, player, bot_seed(seed, player))
    observations = [Observation(state, player) for player in range(rules.players)]
    seats = list(zip(state.soldiers, observations, (one.act for one in controllers)))
    actions = [0] * rules.players
    frames = [frame(state)] if record else []
    end = rules.ticks if stop is None else stop
    while not state.over and state.tick < end:
        for soldier, observation, act in seats:
            if soldier.health > 0:
                observation.refresh(state)
                actions[soldier.player] = act(observation)
            else:
                actions[soldier.player] = 0
        state.step(actions)
        if record:
            frames.append(frame(state))
    return Match(state, tuple(frames))


def play_teams(
    params: str | Mapping[str, Any] | Rules,
    makers: Sequence[Callable[[], Controller]],
    seed: int,
    *,
    record: bool = False,
) -> Match:
    """Plays a match as `play` does; the maker of each team, in `makers`, makes the controllers of its players.

    Raises:
      ValueError: as `play`, or there is not one maker for each team.
    """
    rules = rules_of(params)
    if len(makers) != rules.teams:
        raise ValueError(
            f"fps_arena: expected {rules.teams} makers of controllers, one for each team, got {len(makers)}."
        )
    seats = [makers[rules.team(player)]() for player in range(rules.players)]
    return play(rules, seats, seed, record=record)
