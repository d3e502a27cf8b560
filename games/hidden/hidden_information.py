"""Two-player games in which the players know different things, as rules over immutable positions.

Such a game is a frozen dataclass derived from `Rules`: its fields are the game's parameters, its
methods are pure functions of a *position*, a nesting of tuples that holds all that matters for the
rest of the game. One method gives the events that each player *notices* of a step, as numbers. The
events that a player has noticed so far are that player's information state, so that perfect recall
holds by construction, and nothing can leak but through `noticed`, `seen` and `write`.

`register` makes an OpenSpiel game of it, with observation and information state as strings and
tensors, and with `resample_from_infostate` (see `games.hidden.posterior`).
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pyspiel

from games.hidden.dynamics import CHANCE, TERMINAL, Position, Random
from games.hidden.player_observer import PlayerObserver
from games.hidden.rules import NUM_PLAYERS, Rules
from games.registration import register_once
from games.seeing.observers import type_and_parameters
from games.seeing.views import GameView, register_view

__all__ = [
    "CHANCE",
    "NUM_PLAYERS",
    "TERMINAL",
    "HiddenInformationGame",
    "HiddenInformationState",
    "Position",
    "Rules",
    "RulesView",
    "register",
]


class _Node:
    """A position, and the events that each player has noticed. Immutable, shared by all clones.

    The events are found when they are asked for: random games that a search plays never ask.
    """

    __slots__ = ("_action", "_memories", "_parent", "position", "rules")

    def __init__(
        self,
        rules: Rules,
        position: Position,
        memories: tuple[tuple[int, ...], ...] | None,
        parent: _Node | None = None,
        action: int = -1,
    ):
        self.rules = rules
        self.position = position
        self._memories = memories
        self._parent = parent
        self._action = action

    @property
    def memories(self) -> tuple[tuple[int, ...], ...]:
        unknown = [self]
        while unknown[-1]._memories is None:
            unknown.append(unknown[-1]._parent)
        for node in reversed(unknown[:-1]):
            before = node._parent
            node._memories = tuple(
                memory + node.rules.noticed(before.position, node._action, node.position, player)
                for player, memory in enumerate(before._memories)
            )
        return self._memories

    def child(self, action: int) -> _Node:
        return _Node(self.rules, self.rules.after(self.position, action), None, self, action)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Node:
        return self

    def __reduce__(self):
        return _Node, (self.rules, self.position, self.memories)


class HiddenInformationGame(pyspiel.Game):
    """An OpenSpiel game made from `rules` by `register`."""

    def __init__(self, game_type: pyspiel.GameType, rules: Rules, params: dict[str, Any]) -> None:
        """Constructor; should only be called by `pyspiel.load_game`."""
        self.rules = rules
        self.start = _Node(rules, rules.start(), ((),) * NUM_PLAYERS)
        low, high = rules.utilities
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_actions,
            max_chance_outcomes=rules.num_outcomes,
            num_players=NUM_PLAYERS,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if rules.zero_sum else None,
            max_game_length=rules.max_decisions,
        )
        super().__init__(game_type, info, params)

    def new_initial_state(self) -> HiddenInformationState:
        """Returns the state before anything has happened."""
        return HiddenInformationState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns the most outcomes of chance in one game."""
        return self.rules.max_chance_nodes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> PlayerObserver:
        """Returns an object used for observing game state."""
        return PlayerObserver(self.rules, *type_and_parameters(iig_obs_type, params))


class HiddenInformationState(pyspiel.State):
    """A position of a game, and the events that each player has noticed on the way there."""

    def __init__(self, game: HiddenInformationGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self._node = game.start

    @property
    def position(self) -> Position:
        """The position in the form of the game's rules."""
        return self._node.position

    def memory(self, player: int) -> tuple[int, ...]:
        """Returns the events that `player` has noticed, in order."""
        return self._node.memories[player]

    def seen(self, player: int) -> dict[str, Any]:
        """Returns the view of `player` now as JSON-able data."""
        return self._node.rules.seen(self._node.position, player)

    def event_names(self, action: int, player: int) -> str:
        """Returns the events that `player` would notice of a step from here, in words."""
        rules, position = self._node.rules, self._node.position
        events = rules.noticed(position, action, rules.after(position, action), player)
        return ", ".join(map(rules.event_name, events))

    def current_player(self) -> int:
        """Returns the player to move, CHANCE or TERMINAL."""
        return self._node.rules.to_move(self._node.position)

    def _legal_actions(self, player: int) -> list[int]:
        """Returns the actions of the player to move in ascending order."""
        return list(self._node.rules.legal(self._node.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes of chance with their probabilities."""
        return list(self._node.rules.chances(self._node.position))

    def _apply_action(self, action: int) -> None:
        """Makes a step."""
        self._node = self._node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns the name of an action, or of an outcome of chance where `player` is CHANCE."""
        rules = self._node.rules
        return rules.outcome_name(action) if player == CHANCE else rules.action_name(action)

    def is_terminal(self) -> bool:
        """Returns True if the game is over."""
        return self._node.rules.to_move(self._node.position) == TERMINAL

    def returns(self) -> list[float]:
        """Returns the winnings of each player; zeros before the end."""
        return self._node.rules.returns(self._node.position)

    def resample_from_infostate(self, player_id: int, probability_sampler: Random) -> HiddenInformationState:
        """Returns a state, history included, that `player_id` cannot tell from this one.

        Args:
          player_id: the player whose information state is kept; need not be the player to move.
          probability_sampler: a function without arguments that draws from [0, 1).
        """
        node = self._node
        history = node.rules.resample(self.history(), node.memories[player_id], player_id, probability_sampler)
        state = self.get_game().new_initial_state()
        for action in history:
            state.apply_action(action)
        return state

    def __str__(self) -> str:
        """Returns the views of both players, one line each."""
        return "\n".join(json.dumps(self.seen(player)) for player in range(NUM_PLAYERS))


class RulesView(GameView):
    """The view of a game made by `register`: its data is that of `Rules.seen`."""

    def __init__(self, fields: str) -> None:
        """Takes the meaning of the fields, for prompts."""
        self._fields = fields

    def data(self, state: HiddenInformationState, player: int) -> dict[str, Any]:
        """Returns the data of `Rules.seen` for `player`."""
        return state.seen(player)

    def noticed(self, state: HiddenInformationState, action: int, player: int) -> str | None:
        """Returns the events that the player notices, in words."""
        return state.event_names(action, player) or None

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the fields."""
        return self._fields


def register(rules_class: type[Rules], short_name: str, long_name: str, fields: str) -> None:
    """Registers a game with OpenSpiel, and its view.

    Args:
      rules_class: the defaults of its fields are those of the game's parameters.
      short_name: the game's name in OpenSpiel.
      long_name: the same for a reader.
      fields: the meaning of the fields of the view's data, for prompts.
    """
    defaults = {field.name: field.default for field in dataclasses.fields(rules_class)}
    kind = pyspiel.GameType
    game_type = kind(
        short_name=short_name,
        long_name=long_name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if rules_class.zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=NUM_PLAYERS,
        min_num_players=NUM_PLAYERS,
        provides_information_state_string=True,
        provides_information_state_tensor=rules_class.memory_tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )

    class Game(HiddenInformationGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            params = params or {}
            super().__init__(game_type, rules_class(**{**defaults, **params}), params)

    # A class, because OpenSpiel lets go of a mere function only after the interpreter has ended, and
    # crashes there.
    register_once(game_type, Game)
    register_view(short_name, RulesView(fields))
