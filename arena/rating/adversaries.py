"""The gains of a perfect adversary against bots, beside the ranking by their gains against each other."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyspiel
from open_spiel.python.policy import TabularPolicy

from arena.bots.policies import count_decisions, exploitability, gives_policy, policy_from_bot
from arena.rating.tables import ranking
from arena.registry.games import load_game
from runs.tables import text_table

MAX_STATES = 20_000
"""Most decisions of a game whose bots are measured without being asked to: Leduc poker has 9,450, for which a
bot takes some seconds."""

_WHY = (
    "a mean return is against the bots of this pool only, where whoever exploits the weak ones leads; NashConv is "
    "what best responses would gain, whoever plays"
)


@dataclass(frozen=True)
class Adversary:
    """The gains of best responses in a game: (bot, NashConv), the least first; the bots whose policy cannot be
    read; and, where this is another order than that of the ranking, a sentence that says so."""

    game: str
    nash_conv: Sequence[tuple[str, float]]
    unread: Sequence[str]
    differs: str = ""

    @property
    def command(self) -> str:
        """What gives a lower bound for the bots that cannot be read."""
        game, bots = shlex.quote(self.game), shlex.quote(",".join(self.unread))
        return f"python -m arena.exploitability --estimate --game={game} --bots={bots}"


def measured(
    game_string: str, bots: Iterable[str], *, seed: int = 0, rated: Mapping | None = None
) -> Adversary:
    """The NashConv of each bot that gives the distribution of its moves.

    Args:
      game_string: a game small enough to be visited whole.
      bots: canonical specs.
      seed: seed of the bots.
      rated: the game's entry of `arena.rating.rate.rate`, whose ranking is compared.

    Raises:
      ValueError: the game is too large, or a bot peeks.
    """
    game = load_game(game_string)
    bots = list(bots)
    readable = [bot for bot in bots if gives_policy(bot, game)]
    policies = {bot: policy_from_bot(bot, game, seed=seed) for bot in readable}
    return _made(game, game_string, bots, policies, rated)


def _made(
    game: pyspiel.Game,
    game_string: str,
    bots: Sequence[str],
    policies: Mapping[str, TabularPolicy],
    rated: Mapping | None,
) -> Adversary:
    found = {bot: exploitability(policy, game).nash_conv for bot, policy in policies.items()}
    return Adversary(
        game_string,
        sorted(found.items(), key=lambda row: (row[1], row[0])),
        [bot for bot in bots if bot not in found],
        _differs(rated, found) if rated is not None else "",
    )


def _differs(rated: Mapping, found: Mapping[str, float]) -> str:
    figures, key = ranking(rated)
    values = {bot: figures[bot][key] for bot in found if figures.get(bot, {}).get(key) is not None}
    if len(values) < 2:
        return ""
    by_return = sorted(values, key=lambda bot: (-values[bot], found[bot]))
    least = min(found[bot] for bot in values)
    if found[by_return[0]] <= least + 1e-9:
        return ""
    best = min(values, key=lambda bot: (found[bot], bot))
    return f"{by_return[0]} leads by {rated['ranked_by']['name']}, {best} by NashConv: {_WHY}"


def small_enough(game: pyspiel.Game, max_states: int) -> bool:
    """Whether a game's bots can be measured within `max_states` decisions."""
    kinds = pyspiel.GameType
    if (
        game.get_type().chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC
        or game.get_type().dynamics == kinds.Dynamics.MEAN_FIELD
        or not game.get_type().provides_information_state_string
    ):
        return False
    return count_decisions(game, max_states) is not None


def beside(ratings: Mapping, *, seed: int = 0, max_states: int = MAX_STATES) -> list[Adversary]:
    """The adversaries in all games of `arena.rating.rate.rate` that are small and have such a bot; bots that cannot
    be made here, or give no usable policy, are left unread."""
    made = []
    for rated in ratings["games"]:
        if not max_states or not rated["bots"]:
            continue
        game = load_game(rated["game"])
        if not small_enough(game, max_states):
            continue
        policies = {}
        for bot in rated["bots"]:
            with contextlib.suppress(ValueError, OSError, ImportError):
                if gives_policy(bot, game):
                    policies[bot] = policy_from_bot(bot, game, seed=seed)
        if policies:
            made.append(_made(game, rated["game"], rated["bots"], policies, rated))
    return made


def adversaries_text(found: Sequence[Adversary]) -> str:
    """The adversaries as plain text."""
    return "\n\n".join(
        "\n".join(
            [
                f"NashConv in {one.game}, what both players' best responses gain",
                text_table([["bot", "NashConv"], *([bot, f"{value:.3f}"] for bot, value in one.nash_conv)]),
                *(
                    [f"no distribution of moves to read: {', '.join(one.unread)}; a lower bound: {one.command}"]
                    if one.unread
                    else []
                ),
                *([one.differs] if one.differs else []),
            ]
        )
        for one in found
    )
