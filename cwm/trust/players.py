"""Test players: the choosers among which each seat of a held-out game is drawn, for any game.

One plays at random and one searches, as in the paper (section 5.1). The search is OpenSpiel's MCTS, or its IS-MCTS
where information is hidden, or the arena's `smcts` where players choose at once. Some games cannot be searched: those that hide information
and do not resample it, and those that pay during play. There the seat of the searcher goes to players that need less, none of which looks at
what its player may not see:

  flat_monte_carlo  nothing hidden: the action with the best mean of short random playouts
  amaf              the action with the best mean return over random games in which its player ever took it, "all
                    moves as first" (B. Bruegmann, Monte Carlo Go, 1993)
  mccfr             small games in C++: the average policy of Monte-Carlo CFR (M. Lanctot et al., NeurIPS 2009)
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyspiel

from cwm.trust import moves
from cwm.trust.trajectories import Chooser, bot_chooser, choose_randomly, mcts_chooser
from games.seeing import views

TEST_SIMULATIONS = 25
LEAST_SIMULATIONS = 2
"""Simulations with which it is tried whether a game can be searched at all."""
PLAYOUTS = 4
"""Number of random playouts of each action of the flat Monte-Carlo player."""
PLAYOUT_MOVES = 30
"""Most moves of such a playout, those of chance included; what was earned until then counts."""
AMAF_GAMES = 200
AMAF_MOVES = 5_000
"""Most moves of all the random games from which the player "all moves as first" learns."""
AMAF_SEED = 9_000_011
"""Seed that keeps these games apart from training games and test games."""
MCCFR_ITERATIONS = 1_000
SMALL_GAME_MOVES = 40
"""Most moves of a game that is taken for a small one; only of these the histories are counted."""


@dataclass(frozen=True)
class Player:
    """A test player.

    Attributes:
      name: its name, for a manifest.
      choose: the function that chooses its actions.
      prepares: whether its first move takes long because it prepares all others.
    """

    name: str
    choose: Chooser
    prepares: bool = False


@dataclass(frozen=True)
class Players:
    """The test players of a game.

    Attributes:
      players: the players, the random one first, a searcher or its substitutes next.
      unsearchable: the reason, in words, for which no search plays; None where one does.
    """

    players: tuple[Player, ...]
    unsearchable: str | None

    @property
    def names(self) -> list[str]:
        """The names, for a manifest."""
        return [player.name for player in self.players]

    @property
    def choosers(self) -> tuple[Chooser, ...]:
        """The functions alone, as `cwm.trust.trajectories.collect` takes them."""
        return tuple(player.choose for player in self.players)


def lower_deadwood(state: pyspiel.State, rng: np.random.Generator) -> int:
    """A chooser for gin_twist: it calls where it may, and else takes the action after which its player counts
    the least deadwood, any one of several."""
    player, actions = state.current_player(), views.actions_by_name(state)
    if "call" in actions:
        return actions["call"]
    counts = {action: views.view(state.child(action), player).data["deadwood"] for action in actions.values()}
    least = [action for action, count in counts.items() if count == min(counts.values())]
    return least[rng.integers(len(least))]


PURPOSEFUL: dict[str, tuple[str | Player, ...]] = {
    "gin_rummy": ("simple_gin_rummy",),
    "gin_twist": (Player("lower_deadwood", lower_deadwood),),
}
"""Bots and players that play to the ends that random players and small searches hardly ever reach."""


def players_of(game: pyspiel.Game, simulations: int = TEST_SIMULATIONS) -> Players:
    """The test players of a game: a random one, a searcher or what takes its place, and a purposeful bot
    where there is one for the game.

    Args:
      game: any OpenSpiel game whose chance names its outcomes.
      simulations: number of simulations of each search.
    """
    reason = why_unsearchable(game)
    if reason is None:
        name = "smcts" if at_once(game) else "ismcts" if hides(game) else "mcts"
        search = search_chooser(game, simulations)
        second = (Player(f"{name}(simulations={simulations})", going_on(search)),)
    else:
        second = substitutes(game)
    purposeful = (
        Player(one, bot_chooser(game, one)) if isinstance(one, str) else one
        for one in PURPOSEFUL.get(game.get_type().short_name, ())
    )
    return Players((Player("random", choose_randomly), *second, *purposeful), reason)


def hides(game: pyspiel.Game) -> bool:
    """Whether the game hides information from a player; what another one chooses at the same time does not count, so that
    games of one choice by all (OpenSpiel's ONE_SHOT) hide nothing."""
    return game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION


def at_once(game: pyspiel.Game) -> bool:
    """Whether there are states in which players choose at once."""
    return game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS


def search_chooser(game: pyspiel.Game, simulations: int) -> Chooser:
    """A chooser that searches the ground truth, a fresh seed for each move."""
    if not at_once(game):
        return mcts_chooser(game, simulations)
    from arena.registry.bots import make_bot

    def choose(state: pyspiel.State, rng: np.random.Generator, player: int | None = None) -> int:
        seat = state.current_player() if player is None else player
        return make_bot(f"smcts(simulations={simulations})", game, seat, int(rng.integers(2**31))).step(state)

    return choose


@functools.lru_cache(maxsize=64)
def _why_unsearchable(game_string: str) -> str | None:
    from arena.registry.games import load_game

    game = load_game(game_string)
    if at_once(game) and hides(game):
        return "players choose at once and information is hidden"
    if at_once(game) and game.get_type().reward_model != pyspiel.GameType.RewardModel.TERMINAL:
        return "it pays during play, where long games of random moves to the end tell little"
    rng = np.random.default_rng(AMAF_SEED)
    state = game.new_initial_state()
    while state.is_chance_node():
        moves.apply(state, _random_move(state, rng))
    try:
        if not state.is_terminal():
            asked = (moves.choosing(state)[0],) if state.is_simultaneous_node() else ()
            search_chooser(game, LEAST_SIMULATIONS)(state, rng, *asked)
    except Exception as error:  # a game's own code runs in the search, and fails in its own way
        return str(error).strip().partition("\n")[0] or type(error).__name__
    return None


def why_unsearchable(game: pyspiel.Game) -> str | None:
    """The reason for which a search of OpenSpiel cannot play the game; None where it has chosen a first move."""
    return _why_unsearchable(str(game))


def substitutes(game: pyspiel.Game) -> tuple[Player, ...]:
    """The players that take the place of a search."""
    if not hides(game):
        return (Player(f"flat_monte_carlo(playouts={PLAYOUTS},moves={PLAYOUT_MOVES})", flat_monte_carlo),)
    amaf = Player(f"amaf(games={AMAF_GAMES},moves={AMAF_MOVES})", all_moves_as_first(game), True)
    if not _is_solved(str(game)):
        return (amaf,)
    spec = f"mccfr(iterations={MCCFR_ITERATIONS})"
    return (amaf, Player(spec, bot_chooser(game, spec), True))


@functools.lru_cache(maxsize=64)
def _is_solved(game_string: str) -> bool:
    """Whether MCCFR solves the game in seconds; for games in Python it takes minutes."""
    from arena.bots.solvers import is_small
    from arena.registry.games import is_cpp_game, load_game

    game = load_game(game_string)
    if not is_cpp_game(game) or not game.get_type().provides_information_state_string:
        return False
    if at_once(game):
        game = pyspiel.convert_to_turn_based(game)
    return game.max_game_length() <= SMALL_GAME_MOVES and is_small(str(game))


def going_on(search: Chooser) -> Chooser:
    """A chooser that moves at random, with a warning, in a state in which a search fails.

    In gin_rummy of OpenSpiel 2.0.2 two states of one information state have different legal actions, which ends its
    IS-MCTS with a KeyError; a test of many games must not end with it.
    """

    def choose(state: pyspiel.State, rng: np.random.Generator, *player: int) -> int:
        try:
            return search(state, rng, *player)
        except Exception as error:  # a game's own code runs in the search, and fails in its own way
            warnings.warn(
                f"a search of {state.get_game()} failed with {type(error).__name__} ({error}); its player moves at "
                f"random in that state",
                stacklevel=2,
            )
            return choose_randomly(state, rng, *player)

    return choose


def flat_monte_carlo(state: pyspiel.State, rng: np.random.Generator, player: int | None = None) -> int:
    """A chooser for games that hide nothing: the action with the best mean of `PLAYOUTS` random playouts, any one
    of several. Players who choose at the same time choose at random in them."""
    seat = state.current_player() if player is None else player

    def worth(action: int) -> float:
        return math.fsum(_playout(_with_action(state, seat, action, rng), seat, rng) for _ in range(PLAYOUTS))

    return _best(list(views.actions_by_name(state, player).values()), worth, rng)


def _with_action(state: pyspiel.State, player: int, action: int, rng: np.random.Generator) -> pyspiel.State:
    """The state after a player's action, and a random one of each player who chooses at the same time."""
    after = state.clone()
    if state.is_simultaneous_node():
        moves.apply(
            after, [action if one == player else own for one, own in enumerate(_random_move(state, rng))]
        )
    else:
        after.apply_action(action)
    return after


def _playout(state: pyspiel.State, player: int, rng: np.random.Generator) -> float:
    """The player's return after random moves to the end, or after `PLAYOUT_MOVES` of them."""
    for _ in range(PLAYOUT_MOVES):
        if state.is_terminal():
            break
        moves.apply(state, _random_move(state, rng))
    return state.returns()[player]


def _random_move(state: pyspiel.State, rng: np.random.Generator) -> moves.Move:
    if state.is_simultaneous_node():
        legal = [state.legal_actions(player) for player in range(state.num_players())]
        return [own[rng.integers(len(own))] if own else pyspiel.INVALID_ACTION for own in legal]
    if not state.is_chance_node():
        actions = state.legal_actions()
        return actions[rng.integers(len(actions))]
    actions, chances = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choice(actions, p=np.array(chances) / math.fsum(chances)))


def all_moves_as_first(game: pyspiel.Game) -> Chooser:
    """A chooser that knows of each of its player's actions, by name, the mean return of the random games in which it
    was taken at all, and takes the best, any one of several. It sees nothing but its legal actions.

    The random games are played when it is first asked.
    """
    known: list[dict[tuple[int, str], float]] = []

    def choose(state: pyspiel.State, rng: np.random.Generator, player: int | None = None) -> int:
        if not known:
            known.append(_mean_returns(game))
        seat, actions = (
            state.current_player() if player is None else player,
            views.actions_by_name(state, player),
        )
        worth = {action: known[0].get((seat, name), -math.inf) for name, action in actions.items()}
        return _best(list(worth), worth.__getitem__, rng)

    return choose


def _mean_returns(game: pyspiel.Game) -> dict[tuple[int, str], float]:
    """(Player, name of an action) -> mean return of the player in the random games in which it took that action."""
    totals: dict[tuple[int, str], list[float]] = {}
    made = 0
    for index in range(AMAF_GAMES):
        state, rng, taken = game.new_initial_state(), np.random.default_rng([AMAF_SEED, index]), set()
        while not state.is_terminal() and made < AMAF_MOVES:
            made += 1
            move = _random_move(state, rng)
            taken |= _taken(state, move)
            moves.apply(state, move)
        for player, name in taken:
            totals.setdefault((player, name), []).append(state.returns()[player])
        if made >= AMAF_MOVES:
            break
    return {key: math.fsum(returns) / len(returns) for key, returns in totals.items()}


def _taken(state: pyspiel.State, move: moves.Move) -> set[tuple[int, str]]:
    """(Player, name of its action) for those who choose in a move."""
    if state.is_chance_node():
        return set()
    if not state.is_simultaneous_node():
        return {(state.current_player(), views.action_name(state, move))}
    return {
        (player, views.action_name(state, action, player))
        for player, action in enumerate(move)
        if action != pyspiel.INVALID_ACTION
    }


def _best(actions: list[int], worth: Callable[[int], float], rng: np.random.Generator) -> int:
    worths = [worth(action) for action in actions]
    best = [action for action, value in zip(actions, worths) if value == max(worths)]
    return best[rng.integers(len(best))]
