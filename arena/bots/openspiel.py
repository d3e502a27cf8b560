"""OpenSpiel's own bots under their names: those that it registers, and others that it has.

Its tree searches are the bots `mcts` (`arena.bots.reference`) and `ismcts`; its solvers are in
`arena.bots.solvers`; its wrappers of external programs in `arena.bots.engines` and `arena.bots.bridge`.
"""

from __future__ import annotations

import ctypes

import pyspiel
from open_spiel.python.algorithms import minimax

from arena.bots.reference import IsmctsBot, can_resample, check_search_parameters
from arena.registry import openspiel_bots
from arena.registry.bots import register_bot
from arena.registry.games import is_cpp_game, silenced_stderr
from arena.registry.specs import BotSpec, parse_spec
from games.registration import name_of
from runs.suggestions import nearest

_ROSHAMBO_THROWS = 1000
"""Throws that the Roshambo bots were written for; in a buffer for fewer, `greenberg` crashes."""


class OpenSpielBot(pyspiel.Bot):
    """One of OpenSpiel's C++ bots.

    Args:
      bot: the C++ bot.
      gives_policy: whether its `get_policy` may be asked without side effects.
    """

    def __init__(self, bot: pyspiel.Bot, gives_policy: bool = True):
        super().__init__()
        self._bot = bot
        self._gives_policy = gives_policy and bot.provides_policy()

    def restart(self) -> None:
        self._bot.restart()

    def restart_at(self, state: pyspiel.State) -> None:
        # Some of these bots refuse restart_at, even at the first state.
        if state.history():
            self._bot.restart_at(state)
        else:
            self.restart()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        self._bot.inform_action(state, player_id, action)

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        self._bot.inform_actions(state, actions)

    def provides_policy(self) -> bool:
        return self._gives_policy

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        return self._bot.get_policy(state)

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        return self._bot.step_with_policy(state)

    def step(self, state: pyspiel.State) -> int:
        return self._bot.step(state)


def _typed(text: object) -> object:
    """A parameter's value as OpenSpiel reads it: a whole number, a number, a truth value, or text."""
    if isinstance(text, str):
        for kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                pass
        return {"true": True, "false": False}.get(text.lower(), text)
    return text


def _registered(spec: BotSpec, game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    """Makes a bot that OpenSpiel has registered."""
    known = openspiel_bots.own_registered_bots()
    if spec.name not in known:
        raise ValueError(
            f"bot 'openspiel': OpenSpiel has registered no bot {spec.name!r}; {nearest(spec.name, known)}"
        )
    if spec.name not in pyspiel.bots_that_can_play_game(game, player_id):
        raise ValueError(
            f"OpenSpiel's bot {spec.name!r} cannot play {name_of(game)}; choose another bot, e.g. random"
        )
    try:
        with silenced_stderr():
            return OpenSpielBot(
                openspiel_bots.own_load_bot(spec.name, game, player_id, {"seed": seed, **spec.parameters})
            )
    except pyspiel.SpielError as error:
        raise ValueError(
            f"OpenSpiel's bot {spec.name!r} cannot be made with "
            f"{dict(spec.parameters)}: {str(error).strip().partition(chr(10))[0]}"
        ) from error


@register_bot(
    "openspiel",
    summary="any bot that OpenSpiel has registered, as in openspiel(name=fixed_action_preference(actions=4:0))",
    source="OpenSpiel C++",
)
def _openspiel(game: pyspiel.Game, player_id: int, seed: int, *, name: str) -> pyspiel.Bot:
    """`name` may have parameters in brackets; they and the bot's seed are handed to OpenSpiel."""
    spec = parse_spec(name)
    typed = {key: _typed(value) for key, value in spec.parameters.items()}
    return _registered(BotSpec(spec.name, typed), game, player_id, seed)


@register_bot(
    "uniform_random",
    summary="plays uniformly among its legal actions, as `random` does",
    source="OpenSpiel C++",
)
def _uniform_random(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    return _registered(BotSpec("uniform_random"), game, player_id, seed)


@register_bot(
    "fixed_action_preference",
    summary="plays the first of its actions, written as 4:0:8, that is legal",
    source="OpenSpiel C++",
    deterministic=True,
)
def _fixed_action_preference(game: pyspiel.Game, player_id: int, seed: int, *, actions: str) -> pyspiel.Bot:
    """`actions` are OpenSpiel's action numbers; it forfeits where none of them is legal."""
    parts = actions.split(":")
    highest = game.num_distinct_actions() - 1
    if not all(part.isdecimal() and int(part) <= highest for part in parts):
        raise ValueError(
            f"bot 'fixed_action_preference', parameter 'actions': expected numbers from 0 "
            f"to {highest} separated by colons, found {actions!r}"
        )
    return _registered(BotSpec("fixed_action_preference", {"actions": actions}), game, player_id, seed)


@register_bot(
    "uniform_restricted_actions",
    summary="poker only: AlwaysCall, AlwaysRaise, AlwaysFold or HalfCallHalfRaise, where that is legal",
    source="OpenSpiel C++",
)
def _uniform_restricted_actions(
    game: pyspiel.Game, player_id: int, seed: int, *, policy_name: str = "AlwaysCall"
) -> pyspiel.Bot:
    return _registered(
        BotSpec("uniform_restricted_actions", {"policy_name": policy_name}), game, player_id, seed
    )


@register_bot(
    "ismcts",
    summary="OpenSpiel's information-set MCTS, for games with hidden information",
    source="OpenSpiel C++ or Python",
)
def _ismcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    simulations: int = 1000,
    rollouts: int = 1,
    uct_c: float = 2.0,
    sample: bool = False,
    reproducible: bool = False,
    ties: str = "lowest",
) -> pyspiel.Bot:
    """See `IsmctsBot`."""
    check_search_parameters("ismcts", game, simulations=simulations, rollouts=rollouts, uct_c=uct_c)
    if game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise ValueError(
            f"bot 'ismcts' plays games with hidden information and {name_of(game)} has none; choose mcts"
        )
    if not can_resample(game):
        raise ValueError(
            f"bot 'ismcts' cannot search {name_of(game)}, which does not resample what a player "
            "cannot see; choose another bot, e.g. random"
        )
    return IsmctsBot(
        game,
        player_id,
        seed,
        simulations=simulations,
        rollouts=rollouts,
        uct_c=uct_c,
        sample=sample,
        reproducible=reproducible or not is_cpp_game(game),
        ties=ties,
    )


class MinimaxBot(pyspiel.Bot):
    """OpenSpiel's alpha-beta search, or its expectiminimax where the game has chance.

    States at the limit of depth count as 0, a draw. Of equally good actions it takes the first.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, depth: int):
        super().__init__()
        self._game = game
        self._player_id = player_id
        self._depth = depth
        self._chance = game.get_type().chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC
        self._value = 0.0

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        def unknown(state: pyspiel.State) -> float:
            return 0.0

        if self._chance:
            self._value, action = minimax.expectiminimax(state, self._depth, unknown, self._player_id)
        else:
            self._value, action = minimax.alpha_beta_search(
                self._game, state, unknown, self._depth, self._player_id
            )
        return action

    def notes(self) -> dict[str, float]:
        """`value` of the last move for the mover, in the game's utilities."""
        return {"value": self._value}


@register_bot(
    "minimax",
    summary="alpha-beta search of a fixed depth, expectiminimax in games of chance",
    source="OpenSpiel Python",
    deterministic=True,
)
def _minimax(game: pyspiel.Game, player_id: int, seed: int, *, depth: int = 4) -> pyspiel.Bot:
    """See `MinimaxBot`; `depth` counts decisions of both players, at least 1."""
    del seed
    game_type = game.get_type()
    if (
        game.num_players() != 2
        or game_type.utility != pyspiel.GameType.Utility.ZERO_SUM
        or game_type.information != pyspiel.GameType.Information.PERFECT_INFORMATION
        or game_type.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL
    ):
        raise ValueError(
            f"bot 'minimax' plays zero-sum games of two players who move in turn and see "
            f"everything, and {name_of(game)} is none; choose another bot, e.g. random"
        )
    if depth < 1:
        raise ValueError(f"bot 'minimax', parameter 'depth': expected at least 1, found {depth}")
    return MinimaxBot(game, player_id, depth)


@register_bot(
    "simple_gin_rummy",
    summary="gin_rummy only: OpenSpiel's rule-based player",
    source="OpenSpiel C++",
    deterministic=True,
)
def _simple_gin_rummy(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del seed
    parameters = game.get_parameters()
    # It reads the observation tensor, whose layout it takes for that of the usual cards.
    usual = {"num_ranks": 13, "num_suits": 4, "knock_card": 10}
    if game.get_type().short_name != "gin_rummy" or any(
        parameters[key] != value for key, value in usual.items()
    ):
        raise ValueError(
            f"bot 'simple_gin_rummy' plays gin_rummy with 52 cards and knock_card=10 only, "
            f"found {name_of(game)}; choose another bot, e.g. random"
        )
    return OpenSpielBot(pyspiel.make_simple_gin_rummy_bot(parameters, player_id), gives_policy=False)


class RoshamboBot(OpenSpielBot):
    """A player of the Roshambo programming competitions (Billings 1999, 2000).

    They draw from the C library's `random()`, one stream for the whole process, which every restart
    seeds anew. So a match can be repeated, but not while another thread plays one.
    """

    def __init__(self, bot: pyspiel.Bot, seed: int):
        super().__init__(bot)
        self._seed = seed

    def restart(self) -> None:
        ctypes.CDLL(None).srandom(ctypes.c_uint(self._seed))
        super().restart()


def _roshambo(game: pyspiel.Game, player_id: int, seed: int, *, name: str) -> pyspiel.Bot:
    """`name` is one of `pyspiel.roshambo_bot_names()`."""
    if name not in pyspiel.roshambo_bot_names():
        raise ValueError(
            f"bot 'roshambo', parameter 'name': unknown program {name!r}; "
            f"{nearest(name, pyspiel.roshambo_bot_names())}"
        )
    parameters = game.get_parameters()
    if game.get_type().short_name != "repeated_game" or parameters["stage_game"]["name"] != "matrix_rps":
        raise ValueError(
            f"bot 'roshambo' plays repeated rock, paper, scissors only, found {name_of(game)}; the "
            "game is repeated_game(stage_game=matrix_rps(),num_repetitions=1000)"
        )
    throws = max(parameters["num_repetitions"], _ROSHAMBO_THROWS)
    return RoshamboBot(pyspiel.make_roshambo_bot(player_id, name, throws), seed)


if hasattr(pyspiel, "make_roshambo_bot"):  # an option when OpenSpiel is built; its wheels have it
    register_bot(
        "roshambo",
        summary="repeated rock, paper, scissors only: a program of the Roshambo "
        "competitions, e.g. roshambo(name=greenberg)",
        source="OpenSpiel C++",
    )(_roshambo)
