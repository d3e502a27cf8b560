"""Bots as OpenSpiel policies, and how far a policy is from equilibrium.

A bot that gives its distribution over moves (`provides_policy`, `get_policy`) becomes a
`TabularPolicy`, which any algorithm of OpenSpiel takes. Every state of the game is visited, so this
is for small games.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import numpy as np
import pyspiel
from open_spiel.python.algorithms.exploitability import best_response
from open_spiel.python.policy import TabularPolicy

from arena.registry.bots import canonical, make_bot
from arena.registry.games import is_constant_sum
from arena.registry.live import POLICIES, Live, as_bot
from games.registration import name_of
from games.seeing.pending_moves import simultaneous_state
from runs.seeds import bot_seed

MAX_STATES = 300_000
"""Most decisions that are visited; for tic_tac_toe's 294,778 a policy takes some 15 s, and the best
responses to it 30 s."""

MAX_TABLE = 50_000_000
"""Most numbers in a policy's table, some 400 MB: chess, with its thousands of actions, ends here first."""

_TOLERANCE = 1e-6
"""Largest error that a probability may have: in a sum, or between states that look the same."""


def decisions(game: pyspiel.Game, max_states: int) -> Iterator[pyspiel.State]:
    """Every state in which a player decides, once for each history.

    Raises:
      ValueError: they are more than `max_states`.
    """
    visited = 0
    stack = [game.new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node():
            visited += 1
            if visited > max_states:
                raise ValueError(
                    f"game {name_of(game)} has more than {max_states} decisions, expected at most so "
                    "many, as all are visited; choose a smaller game or a higher limit"
                )
            yield state
        if state.is_simultaneous_node():
            # A player without a legal action gets 0, as in OpenSpiel's own policies.
            for joint in itertools.product(
                *(state.legal_actions(player) or [0] for player in range(game.num_players()))
            ):
                child = state.clone()
                child.apply_actions(list(joint))
                stack.append(child)
        else:
            stack.extend(map(state.child, state.legal_actions()))


def count_decisions(game: pyspiel.Game, limit: int) -> int | None:
    """The number of decisions in a game, counted once for each history; None where it is above `limit`."""
    try:
        return sum(1 for _ in decisions(game, limit))
    except ValueError:
        return None


def _key(state: pyspiel.State, player: int, game_type: pyspiel.GameType) -> str:
    """The key by which `TabularPolicy` looks a state up."""
    if game_type.provides_information_state_string:
        return state.information_state_string(player)
    if game_type.provides_observation_string:
        return state.observation_string(player)
    return str(state)


def _asked(bot: pyspiel.Bot, name: str, state: pyspiel.State, player: int) -> np.ndarray:
    """The bot's distribution, (number of distinct actions,)."""
    # The base class's restart_at raises, so it is called only where a bot has its own.
    if type(bot).restart_at is not pyspiel.Bot.restart_at:
        bot.restart_at(state.clone())
    legal = set(state.legal_actions(player))
    chances = np.zeros(state.get_game().num_distinct_actions())
    for action, chance in bot.get_policy(state.clone()):
        if action not in legal or not -_TOLERANCE <= chance <= 1 + _TOLERANCE:
            raise ValueError(
                f"bot {name!r} gives action {action} the probability {chance} as player "
                f"{player} after {state.history()}, expected legal actions with "
                "probabilities in [0, 1]"
            )
        chances[action] += chance
    if not math.isclose(chances.sum(), 1, abs_tol=_TOLERANCE):
        raise ValueError(
            f"bot {name!r} gives probabilities that sum to {chances.sum():g} as player "
            f"{player} after {state.history()}, expected 1"
        )
    return chances.clip(0) / chances.clip(0).sum()


def _shown(chances: np.ndarray) -> str:
    return "{" + ", ".join(f"{action}: {chances[action]:.4g}" for action in np.flatnonzero(chances)) + "}"


def _tabulated(bots: Sequence[pyspiel.Bot], name: str, game: pyspiel.Game, max_states: int) -> TabularPolicy:
    if not all(bot.provides_policy() for bot in bots):
        raise ValueError(
            f"bot {name!r} does not give the distribution of its moves (its "
            "provides_policy() is false), which a policy is made of; expected a bot that "
            "does, such as random, cfr, cfr_plus or mccfr; for a lower bound of its NashConv: "
            "python -m arena.exploitability --estimate"
        )
    found: dict[str, tuple[pyspiel.State, int, np.ndarray]] = {}
    for state in decisions(game, max_states):
        players = range(game.num_players()) if state.is_simultaneous_node() else [state.current_player()]
        for player in players:
            if not state.legal_actions(player):
                continue
            if len(found) * game.num_distinct_actions() > MAX_TABLE:
                raise ValueError(
                    f"game {name_of(game)} needs a table of more than {MAX_TABLE} numbers for its policy, "
                    "expected at most so many; choose a smaller game"
                )
            key = _key(state, player, game.get_type())
            chances = _asked(bots[player], name, state, player)
            first, owner, known = found.setdefault(key, (state, player, chances))
            if np.abs(chances - known).max() > _TOLERANCE:
                if owner != player:
                    raise ValueError(
                        f"game {name_of(game)} gives players {owner} and {player} the same information state "
                        f"{key!r}, for which OpenSpiel's TabularPolicy has one distribution only, and bot "
                        f"{name!r} plays differently in the two seats; choose another game"
                    )
                raise ValueError(
                    f"bot {name!r} plays {_shown(known)} after {first.history()} and {_shown(chances)} "
                    f"after {state.history()}, expected the same, as player {player} cannot tell these "
                    f"histories apart: both have the information state {key!r}; a bot must not look at "
                    "what is hidden from it"
                )
    policy = TabularPolicy(game, states={state.history_str(): state for state, _, _ in found.values()})
    for key, (_, _, chances) in found.items():
        policy.policy_for_key(key)[:] = chances
    return policy


def gives_policy(bot: str, game: pyspiel.Game) -> bool:
    """Whether the bot of a spec says how it distributes its moves.

    Raises:
      ValueError: the bot is unknown or refuses the game.
    """
    made = make_bot(bot, game, 0, bot_seed(0, 0))
    try:
        return made.provides_policy()
    finally:
        getattr(made, "close", lambda: None)()


def policy_from_bot(
    bot: str | Live | Sequence[Live], game: pyspiel.Game, *, seed: int = 0, max_states: int = MAX_STATES
) -> TabularPolicy:
    """The policy that a bot plays, in all seats.

    The bot is asked at every state of the game, each time after `restart_at` that state where it has
    that method, and must answer from the state alone. That it answers alike at all states of an
    information state is checked: it proves, for this game, that the bot does not peek.

    Args:
      bot: a spec, of which a bot is made for each seat; or bots or OpenSpiel policies by seat; or one of
        these that answers for whoever is to move. Bots given as such are not closed.
      game: one with explicit chance, and few enough states.
      seed: seed of the bots made from a spec, at least 0.
      max_states: most decisions to visit.

    Raises:
      ValueError: the bot is unknown or refuses the game; it gives no distribution, a wrong one, or
        different ones for states that the player cannot tell apart (the sentence names the
        information state); or the game is too large or of a kind that has no such policy.
    """
    with _bots_by_seat(bot, game, seed) as (bots, name):
        return _tabulated(bots, name, game, max_states)


@contextmanager
def _bots_by_seat(
    bot: str | Live | Sequence[Live], game: pyspiel.Game, seed: int
) -> Iterator[tuple[list[pyspiel.Bot], str]]:
    """The bots by seat and their names; bots made here are closed. See `policy_from_bot`."""
    game_type = game.get_type()
    if (
        game_type.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        or game_type.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD
    ):
        raise ValueError(
            f"game {name_of(game)} has no tree of states to make a policy for, expected explicit "
            "chance outcomes and players that move in turn or at once"
        )
    seats = range(game.num_players())
    with ExitStack() as to_close:
        if isinstance(bot, str):
            name = canonical(bot)
            bots = []
            for seat in seats:
                bots.append(make_bot(name, game, seat, bot_seed(seed, seat)))
                to_close.callback(getattr(bots[-1], "close", lambda: None))
        else:
            bots = [bot] * len(seats) if isinstance(bot, (pyspiel.Bot, *POLICIES)) else list(bot)
            name = type(bots[0]).__name__ if bots else ""
            if len(bots) != len(seats):
                raise ValueError(
                    f"bots for {name_of(game)}: expected one for each of its {len(seats)} players, found {len(bots)}"
                )
            bots = [as_bot(one, name, seat, bot_seed(seed, seat)) for seat, one in enumerate(bots)]
        yield bots, name


@dataclass(frozen=True)
class Exploitability:
    """The gains that best responses would bring the players of a policy.

    Attributes:
      nash_conv: the sum over the players of the gain that each gets by its best response while the
        others stay; 0 in a Nash equilibrium, else above. In utilities of the game.
      values: the players' expected returns when all follow the policy.
      best_response_values: each player's expected return with its best response against the others.
      exploitability: `nash_conv` divided by the number of players in a constant-sum game of two
        players, where it is what a player loses on average to a perfect adversary; None elsewhere.
      infostates: number of information states for which the policy has a distribution.
    """

    nash_conv: float
    values: tuple[float, ...]
    best_response_values: tuple[float, ...]
    exploitability: float | None
    infostates: int


class _InTurn(pyspiel.Bot):
    """Plays a converted game as a bot plays the one whose players move at once."""

    def __init__(self, bot: pyspiel.Bot):
        super().__init__()
        self._bot = bot

    def restart_at(self, state: pyspiel.State) -> None:
        if type(self._bot).restart_at is not pyspiel.Bot.restart_at:
            self._bot.restart_at(simultaneous_state(state))

    def provides_policy(self) -> bool:
        return self._bot.provides_policy()

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        return self._bot.get_policy(simultaneous_state(state))


def exploitability(
    policy: TabularPolicy | str | Live | Sequence[Live],
    game: pyspiel.Game,
    *,
    seed: int = 0,
    max_states: int = MAX_STATES,
) -> Exploitability:
    """Best responses to a policy, by OpenSpiel.

    Bots of a game whose players move at once are measured in the game that OpenSpiel converts it to, where they
    move in turn and do not know the moves of those before.

    Args:
      policy: a table, or anything from which `policy_from_bot` makes one.
      game: one with information state strings.
      seed, max_states: see `policy_from_bot`.

    Source: M. Lanctot et al., A unified game-theoretic approach to multiagent reinforcement
    learning, NeurIPS 2017 (NashConv).

    Raises:
      ValueError: the game does not tell information states apart by a string; or as `policy_from_bot`.
    """
    if not game.get_type().provides_information_state_string:
        raise ValueError(
            f"game {name_of(game)} provides no information state strings, which a best response is "
            "made for; choose a game that does"
        )
    if not isinstance(policy, TabularPolicy):
        with _bots_by_seat(policy, game, seed) as (bots, name):
            if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
                game, bots = pyspiel.convert_to_turn_based(game), [_InTurn(bot) for bot in bots]
            policy = _tabulated(bots, name, game, max_states)
    responses = [best_response(game, policy, player) for player in range(game.num_players())]
    values = tuple(map(float, responses[0]["on_policy_values"]))
    best = tuple(float(response["best_response_value"]) for response in responses)
    nash_conv = sum(best) - sum(values)
    duel = game.num_players() == 2 and is_constant_sum(game)
    return Exploitability(nash_conv, values, best, nash_conv / 2 if duel else None, len(policy.state_lookup))
