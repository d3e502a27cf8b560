"""The reference bots: `random` and `mcts`."""

from __future__ import annotations

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from arena.matches import heads
from arena.registry.bots import register_bot
from arena.registry.games import is_cpp_game, silenced_stderr
from games.registration import name_of
from games.seeing import pending_moves, views

_MCTS_MEMORY_MB = 1000
"""Memory in MB at which OpenSpiel's C++ search starts to drop its least visited nodes."""


class RandomBot(pyspiel.Bot):
    """Plays uniformly among its legal actions; for any game, simultaneous ones included."""

    def __init__(self, player_id: int, rng: np.random.Generator):
        super().__init__()
        self._player_id = player_id
        self._rng = rng

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def provides_policy(self) -> bool:
        return True

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        legal = state.legal_actions(self._player_id)
        return [(action, 1 / len(legal)) for action in legal]

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        return self.get_policy(state), self.step(state)

    def step(self, state: pyspiel.State) -> int:
        legal = state.legal_actions(self._player_id)
        return legal[int(self._rng.integers(len(legal)))]


class MctsBot(pyspiel.Bot):
    """OpenSpiel's MCTS: its C++ search on C++ games, its Python search on Python games.

    Both follow the same rules: UCT over max^n values, random rollouts, proven outcomes backed up
    with `solve`, and the final choice by (proven outcome, visits, total reward). They do not draw
    the same random numbers. The C++ search is kept away from Python games, since it ends the whole
    process when a game offers no legal action at a state that is not terminal.
    """

    def __init__(
        self, game: pyspiel.Game, seed: int, *, simulations: int, rollouts: int, uct_c: float, solve: bool
    ):
        super().__init__()
        if is_cpp_game(game):
            evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
            self._search = pyspiel.MCTSBot(
                game,
                evaluator,
                uct_c,
                simulations,
                _MCTS_MEMORY_MB,
                solve,
                seed,
                False,
                pyspiel.ChildSelectionPolicy.UCT,
            ).mcts_search
        else:
            rng = np.random.RandomState(seed)
            evaluator = mcts.RandomRolloutEvaluator(rollouts, rng)
            self._search = mcts.MCTSBot(
                game,
                uct_c,
                simulations,
                evaluator,
                solve=solve,
                random_state=rng,
                child_selection_fn=mcts.SearchNode.uct_value,
            ).mcts_search
        self._notes: dict[str, float] = {}
        self.explains = False
        self._searched: tuple[object, pyspiel.State] | None = None

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        # `pyspiel.MCTSBot.step` is this choice; asking for the tree yields the notes as well.
        root = self._search(state)
        if self.explains:
            self._searched = root, state.clone()
        best = root.best_child()
        self._notes = {
            "simulations": root.explore_count,
            "value": best.total_reward / max(1, best.explore_count),
        }
        return best.action

    def notes(self) -> dict[str, float]:
        """`simulations` made for the last move (fewer than allowed once the root is proven), and
        `value`, the mean return of the chosen action for the mover, in the game's utilities."""
        return self._notes

    def explain(self) -> list[heads.Panel]:
        """The tree of the last search."""
        return [] if self._searched is None else [heads.search_tree(*self._searched)]


class IsmctsBot(pyspiel.Bot):
    """OpenSpiel's information-set MCTS, for games that resample the parts that a player cannot see.

    The C++ search runs on C++ games only, since it cannot call a Python game's resampling. It keeps
    nodes in hash tables ordered by address, so that equal seeds make nearly, but not always, equal
    searches; the Python search is slower and the same every time. In a converted game
    (`games.seeing.pending_moves`), which resamples in Python, it is the only one.

    Args:
      game: such a game.
      player_id: its seat.
      seed: seed of the search, the rollouts and the resampling.
      simulations: number of simulations per move.
      rollouts: random games per leaf, averaged.
      uct_c: the exploration constant c of UCT, in units of the game's utilities.
      sample: whether to play in proportion to the visits, as OpenSpiel's default does, rather than the action
        visited most, as `MctsBot` does.
      ties: the choice among several actions visited most, "lowest" or "random". Where most rollouts end
        alike, as in gin rummy, ties are common, and always taking the lowest number is a policy by itself.
      reproducible: whether to search in Python; must be true on a Python game.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        seed: int,
        *,
        simulations: int,
        rollouts: int,
        uct_c: float,
        sample: bool = False,
        reproducible: bool = False,
        ties: str = "lowest",
    ):
        super().__init__()
        if ties not in ("lowest", "random"):
            raise ValueError(f"bot 'ismcts', parameter 'ties': expected lowest or random, found {ties!r}")
        self._simulations = simulations
        self._sample = sample
        self._ties = ties
        self._rng = rng = np.random.RandomState(seed)
        self.explains = False
        self._shares: list[tuple[str, float]] = []
        if reproducible or pending_moves.is_turn_based(game):
            self._bot = ismcts.ISMCTSBot(
                game,
                mcts.RandomRolloutEvaluator(rollouts, rng),
                uct_c,
                simulations,
                random_state=rng,
                final_policy_type=ismcts.ISMCTSFinalPolicyType.NORMALIZED_VISITED_COUNT,
                use_observation_string=not game.get_type().provides_information_state_string,
            )
            self._bot.set_resampler(
                lambda state, player: pending_moves.resampled(state, player, rng.random_sample)
            )
        else:
            self._bot = pyspiel.ISMCTSBot(
                seed,
                pyspiel.RandomRolloutEvaluator(rollouts, seed),
                uct_c,
                simulations,
                -1,
                pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT,
                False,
                False,
            )

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        # Sorted and chosen here: OpenSpiel's own choice depends on the order of the hash table.
        policy = sorted(self._bot.get_policy(state))
        if self.explains:
            self._shares = [(views.action_name(state, action), chance) for action, chance in policy]
        if self._sample:
            actions, probabilities = zip(*policy, strict=True)
            return int(self._rng.choice(actions, p=np.array(probabilities) / sum(probabilities)))
        most = max(chance for _, chance in policy)
        candidates = [action for action, chance in policy if chance == most]
        return candidates[0] if self._ties == "lowest" else int(self._rng.choice(candidates))

    def notes(self) -> dict[str, float]:
        """The number of `simulations` per move."""
        return {"simulations": self._simulations}

    def explain(self) -> list[heads.Panel]:
        """The visits of the actions at the root."""
        most = max((chance for _, chance in self._shares), default=0)
        return [
            heads.search(
                [
                    heads.node(name, [round(chance * self._simulations)], best=chance == most)
                    for name, chance in self._shares
                ],
                ["visits"],
                title="Search over what the hidden part may be",
            )
        ]


_BROKEN_RESAMPLING = ("hearts",)
"""Games whose resampling ends the process or never returns, in OpenSpiel 2.0.2."""


def can_resample(game: pyspiel.Game) -> bool:
    """Whether a game draws states that fit an information state."""
    if pending_moves.is_turn_based(game):
        return pending_moves.can_resample(game)
    if game.get_type().short_name in _BROKEN_RESAMPLING:
        return False
    state, rng = game.new_initial_state(), np.random.default_rng(0)
    while state.is_chance_node():
        # Drawn, as a deal of the first outcome every time need not come to an end (crazy_eights).
        outcomes = [outcome for outcome, chance in state.chance_outcomes() if chance > 0]
        state.apply_action(int(rng.choice(outcomes)))
    try:
        with silenced_stderr():
            state.resample_from_infostate(state.current_player(), lambda: 0.5)
    except (pyspiel.SpielError, NotImplementedError, ValueError):
        return False
    return True


def check_search_parameters(
    bot: str, game: pyspiel.Game, *, simulations: int, rollouts: int, uct_c: float
) -> None:
    """Raises ValueError where one of OpenSpiel's tree searches cannot play the game, or a parameter is
    out of range; `bot` is the name in the sentence."""
    game_type = game.get_type()
    if game_type.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(
            f"bot {bot!r} plays games whose players move in turn and in {name_of(game)} they move at once; choose "
            f"{_for_moves_at_once(game)}"
        )
    if game_type.reward_model != pyspiel.GameType.RewardModel.TERMINAL:
        raise ValueError(
            f"bot {bot!r} needs a game whose rewards come at the end and {name_of(game)} pays "
            "during play; choose another bot, e.g. random"
        )
    for name, value, low in (("simulations", simulations, 2), ("rollouts", rollouts, 1), ("uct_c", uct_c, 0)):
        if value < low:
            raise ValueError(f"bot {bot!r}, parameter {name!r}: expected at least {low}, found {value}")


def _for_moves_at_once(game: pyspiel.Game) -> str:
    """A bot to choose where players move at once."""
    hides = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    return "another bot, e.g. random" if hides else "smcts"


@register_bot("random", summary="plays uniformly among its legal actions")
def _random(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    del game
    return RandomBot(player_id, np.random.default_rng(seed))


@register_bot(
    "mcts",
    summary="OpenSpiel's Monte-Carlo tree search with random rollouts (IS-MCTS in "
    "games with hidden information)",
    source="OpenSpiel C++ or Python",
)
def _mcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    simulations: int = 1000,
    rollouts: int = 1,
    uct_c: float = 2.0,
    solve: bool = True,
    peek: bool = False,
) -> pyspiel.Bot:
    """See `MctsBot`.

    Args:
      game: a sequential game with rewards at the end only.
      player_id: its seat.
      seed: seed of the search and the rollouts.
      simulations: number of simulations per move, at least 2 (the first one only evaluates the root).
      rollouts: random games per leaf, averaged, at least 1.
      uct_c: the exploration constant c of UCT, in units of the game's utilities, at least 0.
      solve: whether to back up proven outcomes and stop when the root is proven.
      peek: whether to search the true state in games with hidden information, other players' secrets
        included: an opponent that cheats, to measure against. By default such games get OpenSpiel's
        IS-MCTS, where `solve` has no meaning. Pending moves of a game that is played in turn although its
        players move at once (`turn_based_simultaneous_game`) are no secrets, as nobody knows them yet: they are
        resampled in any case.

    Raises:
      ValueError: a game or a value outside of these limits.
    """
    check_search_parameters("mcts", game, simulations=simulations, rollouts=rollouts, uct_c=uct_c)
    hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    if hides and (not peek or pending_moves.is_turn_based(game)):
        if not peek and not can_resample(game):
            raise ValueError(
                f"bot 'mcts' cannot search {name_of(game)}, which hides information and does not "
                "resample it; write mcts(peek=true) if a cheating opponent is wanted"
            )
        return IsmctsBot(
            game,
            player_id,
            seed,
            simulations=simulations,
            rollouts=rollouts,
            uct_c=uct_c,
            reproducible=not is_cpp_game(game),
        )
    return MctsBot(game, seed, simulations=simulations, rollouts=rollouts, uct_c=uct_c, solve=solve)
