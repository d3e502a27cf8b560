"""Searches for a better tree with a language model (PORTAL, section 3.6).

    python -m bt_policies.improve --game=fps_arena --llm=spool:chat --width=8 --keep=2 --rounds=4 \\
        --metric=score,time_between_kills --output_dir=run1

Leaves `best.bt`, all trees, and every prompt, answer and reward in the output folder (see
`bt_policies.writing.search`). Stopped at any moment and started again with the same flags it goes on; more --rounds
continue a run that has ended. Trees are compared in fresh matches of each round with `--reference`, a tree of the
game, and those that lose drop out after the first of them (`--games`). `--vision` shows mini-maps of the best trees' matches to the model too, for
ratings over five dimensions (section 4.2). `python -m bt_policies.draw --runs=run1 --output=figure.png`
draws the run. --start=TREE,... begins with trees that there are, as in a search for a tree that one mode wants.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from bt_policies.measuring.domains.fps_families import FAMILIES, named
from bt_policies.measuring.evaluation import MAPS, MODES
from bt_policies.measuring.gains import points
from bt_policies.trees.runtime import MEMORY
from bt_policies.trees.vocabulary import FORMS
from bt_policies.writing.search import Search, Settings
from language_models import from_spec
from runs import cli, flags
from runs.executors import make_executor
from runs.progress import Bar
from runs.run_folder import open_folder

_FLAGS = flags.FLAGS


def settings() -> Settings:
    """Returns the settings that the flags ask for.

    Raises:
      ValueError: a value is out of range.
    """
    return Settings(
        _FLAGS.game,
        tuple(_FLAGS.metric),
        _FLAGS.width,
        _FLAGS.keep,
        cli.rising(_FLAGS.games, "games"),
        _FLAGS.seed,
        _FLAGS.reference or "",
        _FLAGS.changes,
        _FLAGS.opponents,
        tuple(_FLAGS.modes),
        tuple(_FLAGS.maps),
        named(_FLAGS.families),
        _FLAGS.repairs,
        _FLAGS.vision,
        _FLAGS.styles,
        _FLAGS.tactics,
        _FLAGS.memory,
        tuple(_FLAGS.leave_out),
        tuple(_FLAGS.forms),
        tuple(_FLAGS.start),
    )


def _define_flags() -> None:
    flags.game("completed at random where it leaves parameters of fps_arena out", default="fps_arena")
    flags.llm()
    flags.output_dir()
    flags.DEFINE_integer("width", 8, "Number of trees in a round (N in the paper).", lower_bound=1)
    flags.DEFINE_integer(
        "keep", 2, "Number of the best trees, which the next round revises (K in the paper).", lower_bound=1
    )
    flags.DEFINE_integer("rounds", 4, "Rounds of revisions after the first trees.", lower_bound=0)
    flags.DEFINE_list("metric", ["score"], "Rewards of equal weight, see bt_policies/measuring/metrics.py.")
    flags.DEFINE_list(
        "games",
        ["40", "160", "640"],
        "Numbers of matches of a round after which the worse half of the trees drops out; the last number ends it.",
    )
    flags.DEFINE_string("reference", None, "Tree that rewards are differences from; by default the game's own.")
    flags.DEFINE_integer(
        "changes",
        24,
        "Number of small changes that are tried on each tree before it is revised.",
        lower_bound=0,
    )
    flags.DEFINE_integer(
        "final_games",
        0,
        "Number of fresh matches in which the finalists are judged once more at "
        "the end, as the best of many trees in few matches is often so by luck; 0 for none.",
        lower_bound=0,
    )
    flags.DEFINE_integer("finalists", 4, "Number of the best trees that are finalists.", lower_bound=1)
    flags.DEFINE_list("final_modes", None, "Modes of the final matches; by default those of the search.")
    flags.DEFINE_list("final_maps", None, "Maps of the final matches; by default those of the search.")
    flags.seed("this independent run", highest=999)
    flags.opponents("weak, medium, strong or trees (fps_arena), or bots")
    flags.modes(MODES)
    flags.maps(MAPS)
    flags.families(FAMILIES)
    flags.repairs(2)
    flags.DEFINE_bool("vision", False, "Whether mini-maps are shown to the model too.")
    flags.DEFINE_list(
        "start", [], "Trees that the search begins with, instead of new ones of the language model."
    )
    flags.DEFINE_bool("styles", True, "Whether the tactics of the first trees vary.")
    flags.tactics()
    flags.memory(MEMORY, default="none")
    flags.leave_out()
    flags.forms(FORMS)
    flags.executor()
    flags.budget()
    flags.record()


def main() -> None:
    """Runs the command; see the module's docstring."""
    wanted, folder = settings(), Path(_FLAGS.output_dir)
    model = from_spec(
        _FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record, note="PORTAL, breadth-first search"
    )
    with ExitStack() as stack:
        executor = stack.enter_context(make_executor(_FLAGS.executor))
        open_folder(folder, wanted.identity())
        search = Search(
            wanted, folder, model, executor, lambda line: Bar.write(line, file=sys.stderr), progress=True
        )
        search.run(_FLAGS.rounds)
        finals = []
        if _FLAGS.final_games:
            finals = search.finals(_FLAGS.finalists, _FLAGS.final_games, _FLAGS.final_modes, _FLAGS.final_maps)
    (first,) = [each for each in search.candidates if each.name == search.rounds[0]["best"]]
    (best,) = search.best(1)
    print(
        f"{folder / 'best.bt'}: {best.name} is the best of {len(search.candidates)} trees, {points(best.reward)}; the "
        f"best of the first round, {first.name}, has {points(first.reward)}; written by {model.name}"
    )
    if finals:
        print(
            f"{folder / 'best.bt'} is now {finals[0][0].name}, the best of {len(finals)} in fresh games: "
            + ", ".join(f"{one.name} {points(gain)}" for one, gain in finals)
        )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
