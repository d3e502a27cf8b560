"""Our bots as agents of kaggle-environments' OpenSpiel games:

    from arena.kaggle import kaggle_agent
    from kaggle_environments import make

    env = make("open_spiel_connect_four")
    env.run([kaggle_agent("mcts(simulations=100)"), kaggle_agent("random", seed=1)])

kaggle-environments is not needed here; where it plays, it and its games must be there. Its wheel asks for
an older OpenSpiel, so that it is installed beside this package without what it asks for:

    pip install --no-deps kaggle-environments && pip install jsonschema requests
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

import pyspiel

from arena.matches.forfeit import Forfeit
from arena.matches.match import load_match_game
from arena.registry.bots import canonical, make_bot
from arena.registry.forwarding import restart
from arena.registry.games import is_cpp_game, load_game
from runs.seeds import bot_seed

_SERIALIZED = re.compile(r"\[Game\]\n(?P<game>.*?)\n\[State\]\n(?P<state>.*)", re.DOTALL)
_PYTHON_HISTORY = re.compile(r"^history=(.*)$", re.MULTILINE)

_Item = tuple[int, int]
"""A player, -1 for chance, and an action."""


def _parsed(text: str) -> tuple[str, list[_Item]]:
    """The game string, and every action so far with its player, of a serialized game and state.

    The environment wraps many games in Python "proxies" that play alike; their states travel as pickles,
    which are not opened: the history beside them says everything.
    """
    found = _SERIALIZED.search(text)
    if found is None:
        raise ValueError(
            f"kaggle agent: expected a [Game] and a [State] in serializedGameAndState, found {text[:80]!r}"
        )
    name, bracket, parameters = found["game"].partition("(")
    game_string = name.strip().removesuffix("_proxy") + bracket + parameters
    history = _PYTHON_HISTORY.search(found["state"])
    if history is not None:
        items = [item.split(":") for item in history[1].split(",") if item]
        return game_string, [(int(player), int(action)) for player, action in items]
    if not is_cpp_game(load_game(game_string)):
        raise ValueError(
            f"kaggle agent: expected the history of {game_string} in its state, found {found['state'][:80]!r}"
        )
    _, state = pyspiel.deserialize_game_and_state(text)
    return game_string, [(int(item.player), item.action) for item in state.full_history()]


class KaggleAgent:
    """Plays one seat, episode after episode, with a new bot for each episode.

    Called as kaggle-environments calls its agents, it tells its bot what has happened since the last
    call, as a match of the arena does, and asks it for its action. A bot that forfeits submits an illegal
    action, with which its seat loses; the reason goes to stderr, which the environment logs.

    Args:
      spec: spec of the bot.
      seed: an integer of at least 0; the bots' randomness follows from it.

    Raises:
      ValueError: see `arena.registry.bots.resolve`; `seed` is out of range.
    """

    def __init__(self, spec: str, seed: int):
        if seed < 0:
            raise ValueError(f"seed of a kaggle agent: expected 0 or more, found {seed}")
        self._spec = canonical(spec)
        self._seed = seed
        self._episodes = 0
        self._bot: pyspiel.Bot | None = None
        self._of: tuple[str, int] | None = None  # game string and seat of the episode
        self._known: list[_Item] = []  # what the bot has been told
        self._submitted: int | None = None  # its answer to that

    def __call__(
        self, observation: Mapping[str, Any], configuration: Mapping[str, Any] | None = None
    ) -> dict[str, int]:
        """The answer to an observation: {"submission": action}, -1 where the player has no action.

        Args:
          observation: its fields `playerId` and `serializedGameAndState` are used. One without a
            `playerId` comes before each episode, and is answered with -1.
          configuration: not used.

        Raises:
          ValueError: the observation lacks the state, which some games withhold, or holds another game's;
            or the arena or the bot cannot play the game.
        """
        del configuration
        if observation.get("playerId") is None:
            self.close()
            return {"submission": pyspiel.INVALID_ACTION}
        text = observation.get("serializedGameAndState")
        if not text:
            raise ValueError(
                "kaggle agent: expected serializedGameAndState in the observation, found none; "
                "games that withhold it cannot be played"
            )
        game_string, history = _parsed(text)
        player = int(observation["playerId"])
        try:
            if not self._continues(game_string, player, history):
                self._begin(game_string, player)
            self._follow(history)
            if not self._state.legal_actions(player):
                return {"submission": pyspiel.INVALID_ACTION}
            self._submitted = int(self._bot.step(self._state.clone()))
        except Forfeit as forfeit:
            print(f"{self._spec} forfeits ({forfeit.kind}): {forfeit.reason}", file=sys.stderr)
            self._submitted = pyspiel.INVALID_ACTION
        return {"submission": self._submitted}

    def close(self) -> None:
        """Closes the bot of the last episode; the next call begins another."""
        getattr(self._bot, "close", lambda: None)()
        self._bot = None

    def _continues(self, game_string: str, player: int, history: list[_Item]) -> bool:
        """Whether the episode is still the one of the last call. Nobody is asked twice in one state, so
        that an unchanged history belongs to a new episode."""
        return (
            self._bot is not None
            and self._of == (game_string, player)
            and len(history) > len(self._known)
            and history[: len(self._known)] == self._known
        )

    def _begin(self, game_string: str, player: int) -> None:
        self.close()
        game = load_match_game(game_string, load_game(game_string).num_players())
        self._bot = make_bot(self._spec, game, player, bot_seed(self._seed + self._episodes, player))
        self._episodes += 1
        self._of, self._known, self._submitted = (game_string, player), [], None
        self._state = game.new_initial_state()
        restart(self._bot, self._state.clone())

    def _follow(self, history: list[_Item]) -> None:
        """Tells the bot the rest of the history."""
        state = self._state
        while len(self._known) < len(history):
            first = len(self._known)
            if state.is_simultaneous_node():
                joint = [pyspiel.INVALID_ACTION] * state.num_players()
                items = history[first : first + state.num_players()]
                for player, action in items:
                    joint[player] = action
                self._bot.inform_actions(state.clone(), joint)
                state.apply_actions(joint)
            else:
                items = history[first : first + 1]
                [(player, action)] = items
                if player != state.current_player():
                    raise ValueError(
                        f"kaggle agent: expected player {int(state.current_player())} to have "
                        f"made action {first + 1} of {self._of[0]}, found {player}"
                    )
                self._tell(state, player, action)
                state.apply_action(action)
            self._known += items

    def _tell(self, state: pyspiel.State, player: int, action: int) -> None:
        own = player == self._of[1]
        if own and action == self._submitted:
            self._submitted = None
        elif own and self._bot.provides_force_action():  # an opening that the environment chose
            self._bot.force_action(state.clone(), action)
        else:
            self._bot.inform_action(state.clone(), player, action)


def kaggle_agent(spec: str, *, seed: int = 0) -> KaggleAgent:
    """A bot of the arena as an agent of kaggle-environments, see `KaggleAgent`.

    Args:
      spec: spec of the bot, e.g. "mcts(simulations=100)".
      seed: an integer of at least 0; the bot's randomness follows from it.

    Raises:
      ValueError: no such bot or parameter; `seed` is out of range.
    """
    return KaggleAgent(spec, seed)
