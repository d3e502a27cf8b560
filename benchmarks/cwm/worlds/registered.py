"""The games of this folder as OpenSpiel games, which play as any other: `lanterns`, `pledges`, `salt_road`, `honey`.

    >>> import pyspiel
    >>> from benchmarks.cwm.worlds import registered
    >>> registered.register()
    >>> state = pyspiel.load_game("salt_road").new_initial_state()
    >>> state.action_to_string(-1, state.chance_outcomes()[0][0])
    'amber opens 1+2'

A game is told by functions over immutable positions with the names of `cwm.contract`: of the two games of our own these
are the module itself, of a twin those of OpenSpiel's game under the twin's names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Protocol

import pyspiel

from benchmarks.cwm.worlds import honey, lanterns, pledges, salt_road
from games.registration import register_once
from games.seeing import views
from games.seeing.views import FieldsView

_KIND = pyspiel.GameType


class World(Protocol):
    """A game as functions over positions that nobody changes; `cwm.contract.functions` gives their meaning."""

    NUM_DISTINCT_ACTIONS: int
    MAX_CHANCE_OUTCOMES: int
    MAX_GAME_LENGTH: int
    MIN_UTILITY: float
    MAX_UTILITY: float

    def initial_state(self) -> Any: ...
    def current_player(self, state: Any) -> int: ...
    def legal_actions(self, state: Any) -> list[int]: ...
    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]: ...
    def apply_action(self, state: Any, action: int) -> Any: ...
    def returns(self, state: Any) -> list[float]: ...
    def action_name(self, state: Any, action: int) -> str: ...
    def observation(self, state: Any, player: int) -> dict[str, Any]: ...


class Twin:
    """A known game of OpenSpiel under other names and with another look; a position is a state of that game.

    Args:
      known: the game's string.
      words: a module with the functions `renamed` and `relooked`.
    """

    def __init__(self, known: str, words: ModuleType):
        self._game, self._words = pyspiel.load_game(known), words
        self.NUM_DISTINCT_ACTIONS = self._game.num_distinct_actions()
        self.MAX_CHANCE_OUTCOMES = self._game.max_chance_outcomes()
        self.MAX_GAME_LENGTH = self._game.max_game_length()
        self.MIN_UTILITY, self.MAX_UTILITY = self._game.min_utility(), self._game.max_utility()

    def initial_state(self) -> pyspiel.State:
        return self._game.new_initial_state()

    def current_player(self, state: pyspiel.State) -> int:
        return int(state.current_player())

    def legal_actions(self, state: pyspiel.State) -> list[int]:
        return state.legal_actions()

    def chance_outcomes(self, state: pyspiel.State) -> list[tuple[int, float]]:
        return state.chance_outcomes()

    def apply_action(self, state: pyspiel.State, action: int) -> pyspiel.State:
        return state.child(action)

    def returns(self, state: pyspiel.State) -> list[float]:
        return state.returns()

    def action_name(self, state: pyspiel.State, action: int) -> str:
        return self._words.renamed(views.action_name(state, action))

    def observation(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        return self._words.relooked(views.view(state, player).data)


class _Node:
    """A position, shared by all clones of a state."""

    __slots__ = ("position",)

    def __init__(self, position: Any):
        self.position = position

    def __deepcopy__(self, memo: dict[int, Any]) -> _Node:
        return self


class WorldState(pyspiel.State):
    """A position of a world."""

    def __init__(self, game: pyspiel.Game, world: World) -> None:
        super().__init__(game)
        self._world = _Node(world)
        self._node = _Node(world.initial_state())

    @property
    def world(self) -> World:
        return self._world.position

    def current_player(self) -> int:
        return self.world.current_player(self._node.position)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.world.legal_actions(self._node.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(self.world.chance_outcomes(self._node.position))

    def _apply_action(self, action: int) -> None:
        self._node = _Node(self.world.apply_action(self._node.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.world.action_name(self._node.position, action)

    def is_terminal(self) -> bool:
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        return list(self.world.returns(self._node.position))

    def seen(self, player: int) -> dict[str, Any]:
        """The observation of `player`."""
        return self.world.observation(self._node.position, player)

    def observation_string(self, player: int) -> str:
        return json.dumps(self.seen(player))

    def __str__(self) -> str:
        return "\n".join(json.dumps(self.seen(player)) for player in range(self.num_players()))


class WorldView(FieldsView):
    """The view of such a game: the world's own observation."""

    def __init__(self, fields: str):
        self._fields = fields

    def data(self, state: WorldState, player: int) -> dict[str, Any]:
        return state.seen(player)

    def action_names(self, state: WorldState, player: int, actions: Sequence[int]) -> list[str]:
        return [state.action_to_string(player, action) for action in actions]

    def describe(self, game: pyspiel.Game) -> str:
        return self._fields


LANTERNS = (
    "- `houses`: for each house, from 1 to 7, `-` where there is no lantern, else `a` for one of player 0 or `b` for one "
    "of player 1 and its height, such as `b2`.\n"
    "- `oil`: how much oil player 0 and player 1 have.\n"
    "- `points`: the points of player 0 and player 1.\n"
    "- `wind`: the strength of the wind while an action is due; else null.\n"
    "- `turns`: how many turns both players together have taken."
)
PLEDGES = (
    "- `hand`: the cards in the player's own hand, red before blue, each colour by value.\n"
    "- `other_hand`: how many cards the other player holds; at the end of the game these cards.\n"
    "- `market`: the card on the market; null before it is dealt.\n"
    "- `pledges`: for player 0 and player 1, null without a pledge; the card where it is the player's own or the game is "
    "over; else its colour, `red` or `blue`.\n"
    "- `deck`: how many cards are left in the deck; null during the first deal.\n"
    "- `turns`: how many turns both players together have taken.\n"
    "- `last`: the last action of a player, without its card where it was a pledge; null before the first one."
)
SALT_ROAD = (
    "- `amber`, `jade`: where the camels of each player stand, a pair [stage, number of camels] for each stage with any, "
    "stages as that player counts them, ascending.\n"
    "- `well`: how many camels of amber and of jade are in the well.\n"
    "- `town`: how many camels of amber and of jade have come to town.\n"
    "- `winds`: the two winds, the lower first, such as `2+5`, while a journey is due; else an empty text.\n"
    "- `again`: whether the second journey of a double wind is due."
)
HONEY = (
    "- `own`: the player's own jar; null before it is drawn.\n"
    "- `shelf`: the jar on the shelf; null before it is put there.\n"
    "- `evening`: whether the morning's talk is over.\n"
    "- `said`: what was said in the morning and what was said in the evening, each in order.\n"
    "- `spoons`: how many spoons of honey the `first` player (player 0) and the `second` one have put into the bowl."
)


def _register(name: str, make: type, fields: str, *, hidden: bool) -> None:
    kind = _KIND(
        short_name=name,
        long_name=name.replace("_", " ").capitalize(),
        dynamics=_KIND.Dynamics.SEQUENTIAL,
        chance_mode=_KIND.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_KIND.Information.IMPERFECT_INFORMATION
        if hidden
        else _KIND.Information.PERFECT_INFORMATION,
        utility=_KIND.Utility.ZERO_SUM,
        reward_model=_KIND.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )

    class Game(pyspiel.Game):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            self.world: World = make()
            info = pyspiel.GameInfo(
                num_distinct_actions=self.world.NUM_DISTINCT_ACTIONS,
                max_chance_outcomes=self.world.MAX_CHANCE_OUTCOMES,
                num_players=2,
                min_utility=self.world.MIN_UTILITY,
                max_utility=self.world.MAX_UTILITY,
                utility_sum=0.0,
                max_game_length=self.world.MAX_GAME_LENGTH,
            )
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> WorldState:
            return WorldState(self, self.world)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            return _Observer()

    register_once(kind, Game)
    views.register_view(name, WorldView(fields))


class _Observer:
    """What a player sees as text, in the form of OpenSpiel's observers; there is no tensor."""

    tensor, dict = None, {}

    def set_from(self, state: WorldState, player: int) -> None:
        pass

    def string_from(self, state: WorldState, player: int) -> str:
        return state.observation_string(player)


def register() -> None:
    """Registers the four games with OpenSpiel, and their views; again does no harm."""
    _register("lanterns", lambda: lanterns, LANTERNS, hidden=False)
    _register("pledges", lambda: pledges, PLEDGES, hidden=True)
    _register("salt_road", lambda: Twin("backgammon", salt_road), SALT_ROAD, hidden=False)
    _register("honey", lambda: Twin("leduc_poker", honey), HONEY, hidden=True)
