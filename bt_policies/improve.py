"""Searches for a better tree with a language model (PORTAL, section 3.6):

    python -m bt_policies.improve --game=fps_arena --llm=spool:chat --width=6 --keep=2 --rounds=4 \\
        --metric=time_between_kills --output_dir=run1

Leaves `best.bt`, all trees, and every prompt, answer and reward in the output folder (see
`bt_policies.writing.search`). Stopped at any moment and started again with the same flags it goes on; more --rounds
continue a run that has ended. `--vision` shows mini-maps of the best trees' matches to the model too, for
ratings over five dimensions (section 4.2). `python -m bt_policies.plot --runs=run1 --output=figure.png`
draws the run.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from absl import flags
from tqdm import tqdm

from bt_policies.measuring.evaluation import MAPS, MODES
from bt_policies.writing.search import Search, Settings
from language_models import from_spec
from runs import cli
from runs.executors import make_executor
from runs.run_folder import open_folder

_FLAGS = flags.FLAGS


class _Bar:
    """Shows how far the evaluation of a tree is, on stderr."""

    def __init__(self) -> None:
        self._bar: tqdm | None = None

    def __call__(self, done: int, matches: int) -> None:
        if self._bar is None:
            self._bar = tqdm(total=matches, unit="match", leave=False)
        self._bar.update(done - self._bar.n)
        if done == matches:
            self._bar.close()
            self._bar = None


def settings() -> Settings:
    """The settings that the flags ask for.

    Raises:
      ValueError: a value is out of range.
    """
    F = _FLAGS
    return Settings(
        F.game,
        F.metric,
        F.width,
        F.keep,
        F.games,
        F.seed,
        F.opponents,
        tuple(F.modes),
        tuple(F.maps),
        F.repairs,
        F.vision,
        F.styles,
        F.tactics,
        F.memory,
        tuple(F.leave_out),
    )


def main() -> None:
    """The command; see the module's docstring."""
    wanted, folder = settings(), Path(_FLAGS.output_dir)
    model = from_spec(
        _FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record, note="PORTAL, breadth-first search"
    )
    with ExitStack() as stack:
        executor = stack.enter_context(make_executor(_FLAGS.executor))
        open_folder(folder, wanted.identity())
        search = Search(wanted, folder, model, executor, lambda line: tqdm.write(line, file=sys.stderr), _Bar())
        search.run(_FLAGS.rounds)
        finals = search.finals(_FLAGS.finalists, _FLAGS.final_games) if _FLAGS.final_games else []
    (first,) = [each for each in search.candidates if each.name == search.rounds[0]["best"]]
    (best,) = search.best(1)
    print(
        f"{folder / 'best.bt'}: {best.name} is the best of {len(search.candidates)} trees, "
        f"{wanted.metric} {best.reward:.3f}; the best of the first round, {first.name}, has "
        f"{first.reward:.3f}"
    )
    if finals:
        print(
            f"{folder / 'best.bt'} is now {finals[0][0].name}, the best of {len(finals)} in "
            f"{_FLAGS.final_games} fresh games: "
            + ", ".join(f"{one.name} {reward:.3f}" for one, reward in finals)
        )


if __name__ == "__main__":
    flags.DEFINE_string("game", "fps_arena", "Game string; what it leaves out of fps_arena is drawn.")
    flags.DEFINE_string(
        "llm", None, "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.", required=True
    )
    flags.DEFINE_string("output_dir", None, "Folder of the run.", required=True)
    flags.DEFINE_integer("width", 6, "Trees of a round (N).", lower_bound=1)
    flags.DEFINE_integer("keep", 2, "The best that are revised in the next round (K).", lower_bound=1)
    flags.DEFINE_integer("rounds", 4, "Rounds of revisions after the first trees.", lower_bound=0)
    flags.DEFINE_string("metric", "score", "Reward, see bt_policies/measuring/metrics.py.")
    flags.DEFINE_integer("games", 40, "Matches by which each tree is judged.", lower_bound=2)
    flags.DEFINE_integer(
        "final_games",
        0,
        "Fresh matches in which the finalists are judged once more at "
        "the end, as the best of many trees in few matches is often so by luck; 0 for none.",
        lower_bound=0,
    )
    flags.DEFINE_integer("finalists", 4, "How many of the best trees they are.", lower_bound=1)
    flags.DEFINE_integer("seed", 0, "Number of this independent run.", lower_bound=0, upper_bound=21_000)
    flags.DEFINE_string("opponents", "", "weak, medium, strong or trees (fps_arena), or bots; comma-separated.")
    flags.DEFINE_list("modes", list(MODES), "Modes of fps_arena that are drawn from.")
    flags.DEFINE_list("maps", list(MAPS), "Kinds of maps of fps_arena that are drawn from.")
    flags.DEFINE_integer("repairs", 2, "Repairs of one answer's faults at most.", lower_bound=0)
    flags.DEFINE_bool("vision", False, "Show mini-maps to the model too.")
    flags.DEFINE_bool("styles", True, "Vary the tactics of the first trees.")
    flags.DEFINE_string("tactics", "", "What trees are to do; default: the game's own.")
    flags.DEFINE_enum("memory", "none", ["none", "sequences", "all"], "What composites remember.")
    flags.DEFINE_list("leave_out", [], "Words of the vocabulary that trees may not use.")
    flags.DEFINE_string("executor", "inline", "Where matches run: inline, processes:N or dask:ADDRESS.")
    flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
    flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")
    cli.run(main)
