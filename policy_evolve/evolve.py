"""Evolves policies for a game with a language model (PolicyEvolve):

    python -m policy_evolve.evolve --game=wrestle --llm=spool:chat --iterations=20 --output_dir=evolved

Leaves `best.py`, every policy in `policies/`, and `state.json` with the pools and what each iteration did
in the output folder. Stopped at any moment and started again with the same flags it goes on; a larger
`--iterations` continues a run that has ended. The result plays anywhere as
`code_policy(source=evolved/best.py)`.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path

from absl import flags
from tqdm import tqdm

from arena.matches.match import load_match_game
from language_models import from_spec
from policy_evolve.evolution.evolution import Evolution, Settings
from runs import cli
from runs.executors import make_executor
from runs.run_folder import open_folder

_FLAGS = flags.FLAGS

_HELP = {
    "seed": "Number of this independent run.",
    "opponents": "Opponents that a new policy meets (k).",
    "matches": "Matches against each of them, even (L).",
    "temperature": "Of the softmax over Elo that draws them; 1 is the raw formula of the paper.",
    "rated": "Members of the Global Pool that are rated after a promotion (n).",
    "rating_matches": "Matches between each two of them, even (t).",
    "max_debug": "Calls of the debug module for one policy.",
    "opening_plies": "Random moves at the start of each match; -1 for what suits the game.",
    "hints": "Hints in the description of the task.",
    "two_step": "Reflections go to the planner; without, the logs do.",
    "memory": "Reflections are remembered.",
    "move_seconds": "Time of a policy for one answer.",
    "match_seconds": "Time of a policy for all answers of a match.",
    "characters": "Of a policy's source at most; 0 for any number.",
    "interpreter": "Of the policies: cpython, pypy or a path.",
    "islands": "Islands of the population, which take turns; 1 is the paper's method.",
    "patience": "Stop after so many iterations without a promotion; 0 for never.",
}


def settings() -> Settings:
    """The settings that the flags ask for.

    Raises:
      ValueError: a value is out of range, or a file cannot be read.
    """
    if not _FLAGS.game:
        raise ValueError("--game is missing; run with --help for an example")
    about = ""
    if _FLAGS.information:
        try:
            about = Path(_FLAGS.information).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(
                f"--information: {_FLAGS.information} cannot be read as a text file "
                f"({error}); expected a description of the task"
            ) from error
    return Settings(game=_FLAGS.game, information=about, **{name: _FLAGS[name].value for name in _HELP})


class _Bar:
    """Shows how far a batch of matches is, on stderr."""

    def __init__(self) -> None:
        self._bar: tqdm | None = None

    def __call__(self, done: int, all_matches: int) -> None:
        if self._bar is None:
            self._bar = tqdm(total=all_matches, unit="match", leave=False)
        self._bar.update(done - self._bar.n)
        if done == all_matches:
            self._bar.close()
            self._bar = None


def main() -> None:
    """The command; see the module's docstring."""
    wanted = settings()
    if not _FLAGS.output_dir:
        raise ValueError("--output_dir is missing; run with --help for an example")
    if not _FLAGS.llm:
        raise ValueError("--llm is missing; run with --help for an example")
    folder = Path(_FLAGS.output_dir)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
    with ExitStack() as stack:
        executor = stack.enter_context(make_executor(_FLAGS.executor))
        load_match_game(wanted.game, 2)
        open_folder(folder, wanted.identity())
        evolution = Evolution(
            wanted, folder, model, executor, lambda line: tqdm.write(line, file=sys.stderr), _Bar()
        )
        evolution.run(_FLAGS.iterations)
    best = evolution.pool.top(1)[0]
    print(
        f"{folder}: {best.program.name} is the best of {len(evolution.pool.members)} policies, Elo "
        f"{best.elo:.0f}; {folder / 'best.py'}"
    )


def _define_flags() -> None:
    # Not at import: other commands have flags of the same names.
    flags.DEFINE_string("game", None, "An OpenSpiel game for two players.")
    flags.DEFINE_string("llm", None, "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.")
    flags.DEFINE_integer("iterations", 20, "Policies to ask for.", lower_bound=1)
    flags.DEFINE_string("output_dir", None, "Folder of the run.")
    flags.DEFINE_string("information", None, "File that describes the task; default: what ships for the game.")
    flags.DEFINE_string("executor", "inline", "Where matches run: inline, processes:N or dask:ADDRESS.")
    flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
    flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")
    define = {
        bool: flags.DEFINE_bool,
        int: flags.DEFINE_integer,
        float: flags.DEFINE_float,
        str: flags.DEFINE_string,
    }
    for field in fields(Settings):
        if field.name in _HELP:
            define[type(field.default)](field.name, field.default, _HELP[field.name])


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
