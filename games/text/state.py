"""The common part of all text games: one player types commands, an interpreter answers, points are counted.

A game is an `Engine` (the workings of one world of text) under OpenSpiel's interface. A state holds an
immutable `Snapshot` and the engine that all states of a game share, so that a clone copies references only. The
actions of a state are its valid commands, the ones that change the world, in alphabetical order: action
number `i` is the i-th of them. Rewards are the changes of the score (reward model REWARDS), returns their
sum.

The games are declared as games of perfect information, for a search plans on the simulator itself, as in
"Monte Carlo Planning with Large Language Model for Text-Based Game Agents", section 2; a player sees the
text only, through `games.seeing.views.view`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from games.registration import register_once
from games.seeing.observers import observes_moment, refuse_parameters
from games.seeing.views import GameView, register_view

NUM_DISTINCT_ACTIONS = 128
"""A number that is larger than the longest list of valid commands that was met in any game (104, in ztuu)."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One moment of a text game; immutable.

    Attributes:
      world: the engine's own description of the world.
      observation: the text that the interpreter printed last, where the engine does not find it on demand.
      score: points so far.
      over: whether the story has ended, well or badly.
      failed: whether it ended badly, by death.
    """

    world: Any
    observation: str = ""
    score: int = 0
    over: bool = False
    failed: bool = False

    def __deepcopy__(self, memo: object) -> Snapshot:
        return self


class Engine(Protocol):
    """The workings of one world of text. Engines are shared by all states of a game and picklable.

    Attributes:
      max_score: the most points that can be had.
      min_score: the fewest.
    """

    max_score: int
    min_score: int

    def start(self) -> Snapshot:
        """Returns the beginning of the story."""

    def step(self, snapshot: Snapshot, command: str) -> Snapshot:
        """Returns the snapshot that a valid command leads to."""

    def valid_actions(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Returns the commands that change the world, sorted, at least one and at most
        `NUM_DISTINCT_ACTIONS`.
        """

    def observation(self, snapshot: Snapshot) -> str:
        """Returns the text that was printed last."""

    def look(self, snapshot: Snapshot) -> str:
        """Returns the surroundings, as the command `look` prints them."""

    def inventory(self, snapshot: Snapshot) -> str:
        """Returns the things carried, as the command `inventory` prints them."""

    def key(self, snapshot: Snapshot) -> Hashable:
        """Returns a key that is equal for equal worlds, whatever led to them; the moves so far are no part of
        it.
        """

    def walkthrough(self) -> list[str]:
        """Returns the commands that lead from the start to the maximum score.

        Raises:
          ValueError: if none is known.
        """

    def __deepcopy__(self, memo: object) -> Engine:
        """Returns the engine itself: clones share it."""


def game_type(short_name: str, long_name: str, parameters: dict[str, Any], **changes: Any) -> pyspiel.GameType:
    """Returns the OpenSpiel type of a text game with these parameters and their defaults."""
    return pyspiel.GameType(
        **{
            "short_name": short_name,
            "long_name": long_name,
            "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
            "chance_mode": pyspiel.GameType.ChanceMode.DETERMINISTIC,
            "information": pyspiel.GameType.Information.PERFECT_INFORMATION,
            "utility": pyspiel.GameType.Utility.GENERAL_SUM,
            "reward_model": pyspiel.GameType.RewardModel.REWARDS,
            "max_num_players": 1,
            "min_num_players": 1,
            "provides_information_state_string": True,
            "provides_information_state_tensor": False,
            "provides_observation_string": True,
            "provides_observation_tensor": False,
            "parameter_specification": parameters,
            **changes,
        }
    )


class TextGame(pyspiel.Game):
    """The base of the text games; a subclass makes the engine.

    Attributes:
      engine: the workings of the world.
      max_moves: commands until the game stops, whatever the story does.
      start: the beginning of the story.
    """

    def __init__(self, kind: pyspiel.GameType, engine: Engine, max_moves: int, params: dict[str, Any]) -> None:
        """Raises ValueError if `max_moves` is out of range."""
        if not 1 <= max_moves <= 100_000:
            raise ValueError(f"{kind.short_name}: max_moves must be from 1 to 100000, got {max_moves}.")
        self.engine, self.max_moves = engine, max_moves
        # Every clone begins as a new initial state: the beginning is told once.
        self.start = engine.start()
        super().__init__(
            kind,
            pyspiel.GameInfo(
                num_distinct_actions=NUM_DISTINCT_ACTIONS,
                max_chance_outcomes=0,
                num_players=1,
                min_utility=float(engine.min_score - self.start.score),
                max_utility=float(engine.max_score - self.start.score),
                utility_sum=None,
                max_game_length=max_moves,
            ),
            params,
        )

    def new_initial_state(self) -> TextState:
        """Returns the beginning of the story."""
        return TextState(self)

    def walkthrough(self) -> list[str]:
        """Returns commands that lead from the start to the maximum score; see `Engine.walkthrough`."""
        return self.engine.walkthrough()

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> TextObserver | IIGObserverForPublicInfoGame:
        """Returns an object used for observing game state."""
        if observes_moment(iig_obs_type):
            return TextObserver(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class TextState(pyspiel.State):
    """A moment of the story, and the number of moves made."""

    def __init__(self, game: TextGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self.engine = game.engine
        self.snapshot = game.start
        self.moves = 0
        self._start_score = game.start.score
        self._moves_left = game.max_moves
        self._reward = 0

    def score(self) -> int:
        """Returns the points so far."""
        return self.snapshot.score

    def max_score(self) -> int:
        """Returns the most points that can be had in this game."""
        return self.engine.max_score

    def failed(self) -> bool:
        """Returns True if the story has ended by death; not if it was won or the moves ran out."""
        return self.snapshot.failed

    def world_key(self) -> Hashable:
        """Returns a key that is equal for equal worlds, whatever led to them and after any number of moves."""
        return self.engine.key(self.snapshot)

    def observation(self) -> str:
        """Returns the text that the interpreter printed last."""
        return self.engine.observation(self.snapshot)

    def look(self) -> str:
        """Returns the surroundings, as the command `look` prints them; no move is spent."""
        return self.engine.look(self.snapshot)

    def inventory(self) -> str:
        """Returns the things carried, as the command `inventory` prints them; no move is spent."""
        return self.engine.inventory(self.snapshot)

    def valid_actions(self) -> tuple[str, ...]:
        """Returns the commands that change the world, sorted; action `i` is the i-th of them.

        A finished game has none.
        """
        return () if self.is_terminal() else self.engine.valid_actions(self.snapshot)

    def current_player(self) -> int:
        """Returns 0, or TERMINAL if the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else 0

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.valid_actions())))

    def _apply_action(self, action: int) -> None:
        command = self.engine.valid_actions(self.snapshot)[action]
        before = self.snapshot.score
        self.snapshot = self.engine.step(self.snapshot, command)
        self.moves += 1
        self._moves_left -= 1
        self._reward = self.snapshot.score - before

    def _action_to_string(self, player: int, action: int) -> str:
        return self.engine.valid_actions(self.snapshot)[action]

    def is_terminal(self) -> bool:
        """Returns True if the story has ended or all moves are made."""
        return self.snapshot.over or not self._moves_left

    def rewards(self) -> list[float]:
        """Returns the points that the last move brought or cost."""
        return [float(self._reward)]

    def returns(self) -> list[float]:
        """Returns the points since the start: the score less the points given before the first move."""
        return [float(self.snapshot.score - self._start_score)]

    def __str__(self) -> str:
        """Returns the state for a reader: the last answer, points, and moves."""
        return f"{self.observation()}\n[score {self.score()} of {self.max_score()}, moves {self.moves}]"


class TextObserver:
    """The view of the player, as OpenSpiel's PyObserver (see `observation.py`): text, no tensor."""

    def __init__(self, params: dict[str, Any] | None) -> None:
        """Raises ValueError if there are observation parameters: there are none to choose."""
        refuse_parameters("text game", params)
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: TextState, player: int) -> None:
        """Does nothing: there is no tensor."""

    def string_from(self, state: TextState, player: int) -> str:
        """Returns the text of the view."""
        return VIEW.text(state, player)


class TextView(GameView):
    """The view of text games: the text printed last, the surroundings, the things carried, and the score."""

    def data(self, state: TextState, player: int) -> dict[str, Any]:
        """Returns `observation`, `look`, `inventory`, `score`, `max_score` and `moves`."""
        return {
            "observation": state.observation(),
            "look": state.look(),
            "inventory": state.inventory(),
            "score": state.score(),
            "max_score": state.max_score(),
            "moves": state.moves,
        }

    def text(self, state: TextState, player: int) -> str:
        """Returns the same for a reader; the surroundings only where the last answer does not show them."""
        data = self.data(state, player)
        parts = [data["observation"]]
        if data["look"] not in data["observation"]:
            parts.append(data["look"])
        parts += [data["inventory"], f"Score: {data['score']} of {data['max_score']}. Moves: {data['moves']}."]
        return "\n\n".join(parts)

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the fields."""
        return (
            "- `observation`: what the game printed after the last action.\n"
            "- `look`: the surroundings.\n"
            "- `inventory`: what the player carries.\n"
            "- `score`: points so far; `max_score`: the most that can be had.\n"
            "- `moves`: how many actions have been taken."
        )


VIEW = TextView()


def register(kind: pyspiel.GameType, make: type[TextGame]) -> None:
    """Registers a text game and its view."""
    register_once(kind, make)
    register_view(kind.short_name, VIEW)
