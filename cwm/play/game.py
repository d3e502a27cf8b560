"""A world model as a registered OpenSpiel game: `pyspiel.load_game("cwm(model=FOLDER)")`.

    game = pyspiel.load_game("cwm(model=connect_four/0)")     # one of those that ship
    game = pyspiel.load_game("cwm(model=my_models/hex,trusted=true)")

The model's code stays in a sealed worker: a state here holds a number, under which the worker keeps
the model's own state. With `trusted=true` the code runs in this process instead, several times
faster and with all of this process's rights. A path must not hold `=` or `,`, which OpenSpiel's game
strings use themselves.

A model of a game with hidden information gives its information states, as strings of its own and as tensors
made of what a player has seen and done (`cwm.play.features`), and draws states that a player
cannot tell apart with its own inference function (`resample_from_infostate`), so that OpenSpiel's IS-MCTS,
CFR and exploitability work on it.

A model of a game in which players choose at once is a simultaneous game, which the bot `smcts` searches, and which
`pyspiel.convert_to_turn_based` turns into one that is played in turn.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel

from cwm.contract import manifest, model_folders
from cwm.contract.functions import CHANCE_PLAYER, SIMULTANEOUS_PLAYER, TERMINAL_PLAYER
from cwm.play import features
from cwm.worker.simulator import Simulator, TrustedSimulator
from games.seeing import observers, views

_GAME_TYPE = pyspiel.GameType(
    short_name="cwm",
    long_name="Code world model, written by a language model",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=100,
    min_num_players=1,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"model": "", "trusted": False, "interpreter": "cpython"},
    default_loadable=False,
)
"""The game type that is registered; every instance has a type of its own, made from its manifest."""


Move = int | tuple[int, ...]
"""An action or outcome, or where players choose at once an action for each player, -1 for one who does not choose."""


class _Node:
    """A state inside the model: the worker's facts about it. It is immutable and shared by all clones."""

    __slots__ = (
        "backend",
        "handle",
        "player",
        "returns",
        "rewards",
        "legal",
        "joint",
        "chance",
        "history",
        "parent",
        "_names",
        "_observations",
    )

    def __init__(
        self,
        backend: _Backend,
        facts: dict[str, Any],
        history: tuple[Move, ...],
        earned_before: Sequence[float],
        parent: _Node | None = None,
    ):
        self.backend = backend
        self.handle = facts["handle"]
        self.player = facts["player"]
        self.returns = [float(amount) for amount in facts["returns"]]
        self.rewards = [now - before for now, before in zip(self.returns, earned_before)]
        self.legal = facts.get("legal", [])
        self.joint = facts.get("joint", [])
        self.chance = [(outcome, chance) for outcome, chance in facts.get("chance", [])]
        self.history = history
        # What a player has seen lies on the way here, so the way is kept as long as the node is.
        self.parent = parent
        self._names: list[dict[int, str]] | None = None
        self._observations: list[Any] | None = None

    def observation(self, player: int) -> Any:
        """The observation of `player`; the worker is asked once for all players."""
        if self._observations is None:
            self._observations = self.backend.observations(self.handle)
        return self._observations[player]

    def name(self, action: int, player: int = 0) -> str:
        """The name of a legal action or outcome of chance; the worker is asked once for all. The player counts where
        several choose at once."""
        if self._names is None:
            self._names = self.backend.names(self.handle, bool(self.joint))
        names = self._names[player if self.joint else 0]
        if action not in names:
            raise ValueError(
                f"cwm: action {action} after {list(self.history)} has no name, expected one "
                f"of the legal ones, {sorted(names)}"
            )
        return names[action]

    def own_name(self, move: Move, player: int) -> str | None:
        """The name of what a player chooses in a move, None where it does not choose."""
        if self.joint:
            return None if move[player] == pyspiel.INVALID_ACTION else self.name(move[player], player)
        return self.name(move) if self.player == player else None

    def path(self) -> list[_Node]:
        """The nodes from the initial state to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def child(self, move: Move) -> _Node:
        return _Node(
            self.backend, self.backend.child(self.handle, move), (*self.history, move), self.settled(), self
        )

    def settled(self) -> list[float]:
        """What was earned up to the last node at which OpenSpiel asks for rewards: at chance nodes it does not, so
        that what was earned just before one is paid after it."""
        if self.player == CHANCE_PLAYER:
            return [now - unpaid for now, unpaid in zip(self.returns, self.rewards)]
        return self.returns

    def __deepcopy__(self, memo: dict[int, Any]) -> _Node:
        return self

    def __reduce__(self):
        return _rebuild, (self.backend.game_string, self.history)

    def __del__(self):
        self.backend.dropped.append(self.handle)


def _rebuild(game_string: str, history: tuple[Move, ...]) -> _Node:
    node = pyspiel.load_game(game_string).initial_node
    for move in history:
        node = node.child(move)
    return node


class _Backend:
    """The place where the model runs: a sealed worker, or this process if it is trusted."""

    def __init__(self, model: manifest.Model, trusted: bool, interpreter: str, game_string: str):
        self.game_string = game_string
        self.dropped: list[int] = []
        if trusted:
            self.call = TrustedSimulator(model.source).call
        else:
            self.call = Simulator(model.source, interpreter=interpreter).call
        self.constants = self.call("constants")
        self.keeps_information_states = self.call("hidden_driver.keeps_information_states")

    def initial(self) -> dict[str, Any]:
        return self.call("serve_initial")

    def child(self, handle: int, move: Move) -> dict[str, Any]:
        dropped, self.dropped[:] = list(self.dropped), []
        return self.call("serve_child", handle, list(move) if isinstance(move, tuple) else move, dropped)

    def served_states(self) -> int:
        return self.call("served_states")

    def names(self, handle: int, at_once: bool) -> list[dict[int, str]]:
        """The names by action, of each player where players choose at once."""
        names = self.call("serve_names", handle)
        return [dict(own) for own in (names if at_once else [names])]

    def observations(self, handle: int) -> list[Any]:
        return self.call("serve_observations", handle)

    def information_state(self, handle: int, player: int) -> str:
        return self.call("hidden_driver.serve_information_state", handle, player)

    def resampled(self, player: int, history: list[list[Any]], seed: int) -> list[int | list[int]]:
        return self.call("hidden_driver.serve_resampled", player, history, seed)


def _instance_type(properties: dict[str, Any]) -> pyspiel.GameType:
    kind, at_once = pyspiel.GameType, properties.get("simultaneous", False)
    return kind(
        short_name="cwm",
        long_name=_GAME_TYPE.long_name,
        dynamics=(kind.Dynamics.SIMULTANEOUS if at_once else kind.Dynamics.SEQUENTIAL),
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC if properties["chance"] else kind.ChanceMode.DETERMINISTIC
        ),
        information=(
            kind.Information.PERFECT_INFORMATION
            if properties["perfect_information"]
            else kind.Information.IMPERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM if properties["zero_sum"] else kind.Utility.GENERAL_SUM,
        reward_model=(
            kind.RewardModel.TERMINAL if properties["terminal_rewards"] else kind.RewardModel.REWARDS
        ),
        max_num_players=properties["players"],
        min_num_players=properties["players"],
        provides_information_state_string=True,
        provides_information_state_tensor=not properties["perfect_information"] and not at_once,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=_GAME_TYPE.parameter_specification,
    )


class CwmGame(pyspiel.Game):
    """The game that a world model simulates; see the module's docstring for its parameters.

    Attributes:
      stands_for: the game whose rules the model was written from.
      hidden: whether it hides information.
      simultaneous: whether players choose at once in it.
      initial_node: the node at which every state begins.
    """

    def __init__(self, params: dict[str, Any] | None = None):
        params = dict(params or {})
        folder = params.get("model", "")
        if not folder:
            raise ValueError(
                "cwm: the parameter model is missing; write cwm(model=FOLDER), with a "
                "folder made by python -m cwm.synthesize, or a shipped one such as "
                "connect_four/0"
            )
        model = manifest.load(model_folders.resolve(folder))
        trusted = params.get("trusted", False)
        interpreter = params.get("interpreter", "cpython")
        game_string = f"cwm(interpreter={interpreter},model={folder},trusted={str(trusted).lower()})"
        self._backend = _Backend(model, trusted, interpreter, game_string)
        constants = self._backend.constants
        properties = model.manifest["properties"]
        self.stands_for: str = model.manifest.get("game", "")
        low, high = float(constants["MIN_UTILITY"]), float(constants["MAX_UTILITY"])
        info = pyspiel.GameInfo(
            num_distinct_actions=constants["NUM_DISTINCT_ACTIONS"],
            max_chance_outcomes=constants["MAX_CHANCE_OUTCOMES"],
            num_players=constants["NUM_PLAYERS"],
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if properties["zero_sum"] else None,
            max_game_length=constants["MAX_GAME_LENGTH"],
        )
        super().__init__(_instance_type(properties), info, params)
        self.hidden = not properties["perfect_information"]
        self.simultaneous: bool = properties.get("simultaneous", False)
        self.initial_node = _Node(self._backend, self._backend.initial(), (), [0.0] * constants["NUM_PLAYERS"])

    def new_initial_state(self) -> CwmState:
        return CwmState(self)

    @property
    def constants(self) -> dict[str, Any]:
        """The model's constants by name."""
        return self._backend.constants

    def call(self, function: str, *args: Any) -> Any:
        """Calls a function where the model runs, as `cwm.worker.simulator.Simulator.call` does."""
        return self._backend.call(function, *args)

    def served_states(self) -> int:
        """The number of the model's states that are held for states here; freed ones are dropped in time."""
        return self._backend.served_states()

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> CwmObserver | None:
        """What a player, or everybody, knows; None where the model cannot tell: it does not part what a player
        sees into public and private."""
        kind, params = observers.type_and_parameters(iig_obs_type, params)
        observers.refuse_parameters("cwm", params)
        whole = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return CwmObserver(self, kind) if whole or not self.hidden else None

    @functools.cached_property
    def codec(self) -> features.Codec:
        """The meaning of the numbers in the information state tensor; found by random play inside the model."""
        return features.found_codec(features.SelfPlay(self._backend.call))


class CwmState(pyspiel.State):
    """A state of the model; the model's own state lies in the worker."""

    def __init__(self, game: CwmGame):
        super().__init__(game)
        self._node = game.initial_node

    def current_player(self) -> int:
        if self._node.player == TERMINAL_PLAYER:
            return pyspiel.PlayerId.TERMINAL
        if self._node.player == CHANCE_PLAYER:
            return pyspiel.PlayerId.CHANCE
        if self._node.player == SIMULTANEOUS_PLAYER:
            return pyspiel.PlayerId.SIMULTANEOUS
        return self._node.player

    def _legal_actions(self, player: int) -> list[int]:
        if self._node.joint:
            return list(self._node.joint[player])
        return list(self._node.legal) if player == self._node.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(self._node.chance)

    def _apply_action(self, action: int) -> None:
        self._node = self._node.child(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self._node = self._node.child(tuple(actions))

    def _action_to_string(self, player: int, action: int) -> str:
        return self._node.name(action, player)

    def is_terminal(self) -> bool:
        return self._node.player == TERMINAL_PLAYER

    def returns(self) -> list[float]:
        return list(self._node.returns)

    def rewards(self) -> list[float]:
        return list(self._node.rewards)

    def observation(self, player: int) -> Any:
        """The observation of `player`, as the model's JSON data."""
        return self._node.observation(player)

    def information_state_string(self, player: int | None = None) -> str:
        """The memory of `player` (default: the player to move), all it has seen and done: as the model keeps it, or
        where it does not the history of observations and own actions as JSON; in a game without hidden
        information the history.

        Raises:
          pyspiel.SpielError: there is no such player, or nobody is to move and no player is given.
        """
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.num_players():
            return super().information_state_string(seat)  # raises, in OpenSpiel's own words
        if not self.get_game().hidden:
            return self.history_str()
        if self._node.backend.keeps_information_states:
            return f"{seat} {self._node.backend.information_state(self._node.handle, seat)}"
        return f"{seat} {json.dumps(self.seen_history(seat), sort_keys=True)}"

    def seen_history(self, player: int) -> list[list[Any]]:
        """One pair [observation, name of the own action or None] for each state up to this one: the form
        in which inference functions are told what `player` has seen and done."""
        path = self._node.path()
        pairs = [
            [node.observation(player), node.own_name(move, player)]
            for node, move in zip(path, self._node.history)
        ]
        return [*pairs, [self._node.observation(player), None]]

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> CwmState:
        """A state that `player` cannot tell from this one, drawn by the model's inference function.

        Raises:
          ValueError: the game hides nothing, so that there is no such function.
        """
        if not self.get_game().hidden:
            raise ValueError(
                "cwm: resample_from_infostate needs a model of a game with hidden "
                "information, and this one has no inference function"
            )
        history = self.seen_history(player)
        state = self.get_game().new_initial_state()
        for move in self._node.backend.resampled(player, history, int(rng() * 2**31)):
            if isinstance(move, int):
                state.apply_action(move)
            else:
                state.apply_actions(list(move))
        return state

    def __str__(self) -> str:
        return json.dumps([self.observation(player) for player in range(self.num_players())])


class CwmObserver:
    """The knowledge of a player, as OpenSpiel's algorithms ask for it.

    The string is the observation as JSON; with perfect recall it is the information state, and in games
    with hidden information there is a tensor too (`features.Trail.vector`). In a game that hides nothing all is
    public, so the string without public information is empty.
    """

    def __init__(self, game: CwmGame, iig_obs_type: pyspiel.IIGObservationType):
        self._recalls = iig_obs_type.perfect_recall
        self._empty = not iig_obs_type.public_info
        has_tensor = self._recalls and game.get_type().provides_information_state_tensor
        self._game = game if has_tensor else None

    @functools.cached_property
    def tensor(self) -> np.ndarray | None:
        """(codec.size,) float32, or None where there are strings alone."""
        if self._game is None:
            return None
        try:
            return np.zeros(self._game.codec.size, np.float32)
        except ValueError:
            # Too wide for tensors, of which `set_from` tells; the strings are there all the same.
            return np.zeros(0, np.float32)

    @functools.cached_property
    def dict(self) -> dict[str, np.ndarray]:
        """The parts of the tensor by name; they share its memory."""
        return {} if self.tensor is None else {"information_state": self.tensor}

    def set_from(self, state: CwmState, player: int) -> None:
        """Makes the tensor that of `player` in `state`.

        Raises:
          ValueError: the model's observations are too wide for tensors.
        """
        if self._game is not None:
            trail = features.trail(self._game.codec, player, state.seen_history(player))
            self.tensor[:] = trail.vector()

    def string_from(self, state: CwmState, player: int) -> str:
        if self._empty:
            return ""
        if self._recalls:
            return state.information_state_string(player)
        return json.dumps(state.observation(player), sort_keys=True)


class CwmView(views.GameView):
    """A player's view of a world model's state: the model's own data."""

    def data(self, state: CwmState, player: int) -> Any:
        return state.observation(player)

    def text(self, state: CwmState, player: int) -> str:
        return json.dumps(state.observation(player))

    def describe(self, game: CwmGame) -> str:
        return "The fields are those of the world model's observations."


pyspiel.register_game(_GAME_TYPE, CwmGame)
views.register_view("cwm", CwmView())
