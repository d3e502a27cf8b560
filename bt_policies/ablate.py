"""Tries small changes of a tree in the same matches: which parts help, and which harm.

    python -m bt_policies.ablate --tree=fps_final_2 --games=40,160 --changes=24 --seed=1 --executor=processes:2

An action is replaced, wherever it stands, by one that does nothing; two children change their order; a number moves; a
parameter is replaced by another one; a small part is left out. All changes play the first number of --games, the quarter
that looks best the second one; differences are paired by match, with 95 % intervals (`bt_policies.measuring.ablation`).
What looks best of many was partly lucky: before a change is believed, `bt_policies.evaluate --baseline` plays it in
other games.
"""

from __future__ import annotations

import sys

from bt_policies.measuring import ablation
from bt_policies.measuring.domains.fps_families import FAMILIES, named
from bt_policies.measuring.domains.registry import check_reward
from bt_policies.measuring.evaluation import MAPS, MODES, Policy, evaluate, evaluate_all, trials
from bt_policies.measuring.gains import Gain, gain, points
from bt_policies.measuring.tables import policy_of
from bt_policies.trees.dsl import parse
from bt_policies.trees.runtime import MEMORY
from bt_policies.trees.vocabularies import vocabulary_of
from runs import cli, flags
from runs.executors import make_executor
from runs.progress import Bar

_FLAGS = flags.FLAGS
_LAST = 4
"""One in so many changes plays more matches than the others."""


def _define_flags() -> None:
    flags.tree(required=True)
    flags.game("completed at random where it leaves parameters out", default="fps_arena")
    flags.DEFINE_list("metric", ["score"], "Rewards of equal weight, see bt_policies/measuring/metrics.py.")
    flags.DEFINE_list(
        "games", ["40", "160"], "Numbers of games that all changes play, and that the best ones play."
    )
    flags.DEFINE_integer("changes", 24, "Number of changes.", lower_bound=1)
    flags.seed("the games")
    flags.opponents("weak, medium, strong or trees (fps_arena), or bots")
    flags.modes(MODES)
    flags.maps(MAPS)
    flags.families(FAMILIES)
    flags.memory(MEMORY)
    flags.executor()


def main() -> None:
    """Runs the command; see the module's docstring."""
    games = cli.rising(_FLAGS.games, "games")
    if len(games) != 2:
        raise ValueError(f"--games: expected two numbers such as 40,160, found {','.join(_FLAGS.games)}")
    for metric in _FLAGS.metric:
        check_reward(metric, _FLAGS.game.partition("(")[0])
    policy = policy_of(_FLAGS.tree, _FLAGS.game, _FLAGS.memory, "rule")
    if len(policy.trees) != 1:
        raise ValueError(f"--tree: expected one tree, found {len(policy.trees)} in {_FLAGS.tree}")
    vocabulary, tree = vocabulary_of(_FLAGS.game), parse(policy.trees[0])
    listed = trials(
        _FLAGS.game,
        games[1],
        _FLAGS.seed,
        opponents=_FLAGS.opponents,
        modes=_FLAGS.modes,
        maps=_FLAGS.maps,
        families=named(_FLAGS.families),
    )
    with (
        make_executor(_FLAGS.executor) as executor,
        Bar(total=2 * sum(games), unit="game", file=sys.stderr) as bar,
    ):
        first = evaluate(policy, listed[: games[0]], executor, traced=True, bar=bar)
        whole = evaluate(policy, listed, executor, bar=bar)

        def play(texts: list[str], count: int) -> list[Gain]:
            policies = [Policy((text,), policy.memory) for text in texts]
            made = evaluate_all(policies, listed[:count], executor, bar=bar)
            return [gain(_FLAGS.metric, one.figures, whole.figures[:count]) for one in made]

        changes = ablation.changes(tree, vocabulary, first.traces[0], _FLAGS.changes)
        found = ablation.effects(changes, play, games, max(1, len(changes) // _LAST))
    for sentence in ablation.sentences(found, points):
        print(sentence)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
