"""`fps_arena` in OpenSpiel: soldiers on a map seen from above, all moving at once.

    fps_arena(players=4,mode=tdm,map=rooms,size=32,map_seed=0,ticks=600,...)

See `parameters.Rules` for the parameters, `engine` for the course of a tick, `orders` for the actions. Chance
moves once, at the start: its outcome is the seed of a stream of numbers in the state, from which places of
return and all hits follow, so that a match is played without further chance nodes. A search that walks on
from a state therefore knows the dice of that state; draw another seed to deny it that.

Utilities are those of teams: for each player the number of teams that its own is ahead of by the score, less
the number ahead of it, as a share of the other teams, from -1 to 1. They sum to 0, since teams are of equal
size.

Nothing that players have seen is kept beyond the memory of their soldiers, so there are no information states.
"""

from __future__ import annotations

import math
from typing import Any

import pyspiel

from games.fps_arena.knowing.observation import Observation
from games.fps_arena.openspiel.observer import Observer, whole_map
from games.fps_arena.rules import legality, metrics
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.orders import Codec
from games.fps_arena.rules.parameters import MOST_PLAYERS, PARAMETERS, Rules
from games.registration import register_once

_GAME_TYPE = pyspiel.GameType(
    short_name="fps_arena",
    long_name="First-person shooter arena",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class FpsArenaGame(pyspiel.Game):
    """The game with its parameters.

    Attributes:
      rules: the parameters.
      codec: the numbers of orders.

    Raises:
      ValueError: a parameter is out of range.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = rules = Rules.from_parameters(params or {})
        self.codec = Codec(rules.players)
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=self.codec.actions,
                max_chance_outcomes=rules.chance_seeds,
                num_players=rules.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=math.ceil(rules.ticks / rules.ticks_per_decision),
            ),
            params or {},
        )

    def new_initial_state(self) -> FpsArenaState:
        """Returns the state before the draw of the seed."""
        return FpsArenaState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns the number of draws of chance: one, that of the seed."""
        return 1

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Returns an object that observes states."""
        return Observer(self.rules, iig_obs_type, params)


class FpsArenaState(pyspiel.State):
    """A moment of a match.

    Attributes:
      rules: the rules of the game.
      position: the engine's state; None until the seed is drawn.
    """

    def __init__(self, game: FpsArenaGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self.rules = game.rules
        self.position: State | None = None

    def current_player(self) -> int:
        """Returns CHANCE at first, then SIMULTANEOUS, and TERMINAL at the end."""
        if self.position is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.position.over else pyspiel.PlayerId.SIMULTANEOUS

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the seeds, equally likely."""
        seeds = self.rules.chance_seeds
        return [(seed, 1 / seeds) for seed in range(seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return legality.legal_actions(self.position, player)

    def _apply_action(self, action: int) -> None:
        self.position = State.start(self.rules, action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.position.step(actions)

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns `seed 7`, or the order in words, such as `north, fire at 2`."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {action}"
        return Codec(self.rules.players).name(action)

    def is_terminal(self) -> bool:
        """Says whether the match has ended."""
        return self.position is not None and self.position.over

    def returns(self) -> list[float]:
        """Returns the utilities that the module describes; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self.rules.players
        return self.position.returns()

    def observation(self, player: int) -> Observation | None:
        """Returns the knowledge of a player; None until the seed is drawn."""
        return None if self.position is None else Observation(self.position, player)

    def metrics(self) -> dict[str, Any] | None:
        """Returns the counts of `metrics.metrics`; None until the seed is drawn."""
        return None if self.position is None else metrics.metrics(self.position)

    def __str__(self) -> str:
        return "before the start" if self.position is None else whole_map(self.position)


register_once(_GAME_TYPE, FpsArenaGame)
