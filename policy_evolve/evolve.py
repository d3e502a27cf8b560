"""Evolves policies for a game with a language model (PolicyEvolve).

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

from language_models import from_spec
from policy_evolve.evolution.evolution import Evolution
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.rules import match_game
from runs import cli, flags
from runs.executors import make_executor
from runs.progress import Bar
from runs.run_folder import open_folder

_FLAGS = flags.FLAGS

_HELP = {
    "seed": "Seed of this independent run.",
    "opponents": "Number of opponents that a new policy meets (k in the paper).",
    "matches": "Matches against each of them, an even number (L in the paper); with more than two players as many more "
    "as whole blocks need, in which each policy takes each seat.",
    "temperature": "Temperature of the softmax over Elo that draws them; 1 is the raw formula of the paper.",
    "rated": "Number of members of the Global Pool that are rated after a promotion (n in the paper).",
    "rating_matches": "Matches between each two of them, an even number (t in the paper).",
    "max_debug": "Most calls of the debug module for one policy.",
    "opening_plies": "Random moves before the players take over; -1 for what suits the game.",
    "hints": "Whether the description of the task has hints.",
    "two_step": "Whether reflections go to the planner; without, the logs do. They are remembered either way.",
    "memory": "Whether reflections are remembered.",
    "local_pool": "Whether an attempt that failed is improved; without, each iteration starts a new policy.",
    "hard_opponents": "Whether opponents are drawn by their Elo; without, all alike.",
    "niches": "Whether new policies start from the best ones of different styles of play (quality diversity).",
    "candidates": "Policies that each iteration asks for by one prompt; the best one counts.",
    "seed_policies": "Policies that the Global Pool starts with: files, or names of ones that ship.",
    "evidence": "Matches against each member of the Global Pool before a promotion, an even number.",
    "admission": "Mean win rate (wins less losses, -1 to 1) against the members from which on a policy is promoted; by "
    "default 0.6, with more than two players 0.1. Where cards or dice decide much, 0.6 is out of reach: there, 0.1.",
    "floor": "Least win rate against each of them; by default 0, with more than two players -0.1.",
    "most_draws": "Largest share of draws of a policy that is promoted; by default 0.5, with more than two players 1.",
    "think_ms": "Milliseconds that a move of a policy may take on average; 0 for any, -1 for what suits the game.",
    "batch": "Matches that two workers play side by side; 0 for each by itself, -1 for what suits the game.",
    "continuous": "Whether actions are played as they are answered, where the game's own are a grid; in batches only.",
    "starts": "Positions that matches start from in turn; in batches only.",
    "edition": "2, or 1 to repeat recordings made before there was a second one; see policy_evolve/README.md.",
    "refuse_solvers": "Whether a policy that shows signs of solving the game inside does not count.",
    "exploiter": "Whether a policy is judged by the best response to it, which it plays too: it must be less exploitable "
    "than the one promoted last. In small games for two whose players move in turn.",
    "move_seconds": "Time limit of a policy's answer in seconds.",
    "match_seconds": "Time limit of all answers of a policy in a match, in seconds.",
    "characters": "Most characters of a policy's source; 0 for any number.",
    "interpreter": "Interpreter of the policies: cpython, pypy or a path.",
    "islands": "Number of islands of the population, which take turns; 1 is the paper's method.",
    "patience": "Iterations without a promotion after which the run stops; 0 for never.",
}


def settings() -> Settings:
    """Returns the settings that the flags ask for.

    Raises:
      ValueError: a value is out of range, or a file cannot be read.
    """
    about = ""
    if _FLAGS.information:
        try:
            about = Path(_FLAGS.information).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(
                f"--information: {_FLAGS.information} cannot be read as a text file "
                f"({error}); expected a description of the task"
            ) from error
    given = {name: _FLAGS[name].value for name in _HELP}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    return Settings(game=_FLAGS.game, information=about, **given)


def main() -> None:
    """Runs the command; see the module's docstring."""
    wanted = settings()
    folder = Path(_FLAGS.output_dir)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
    with ExitStack() as stack:
        executor = stack.enter_context(make_executor(_FLAGS.executor))
        match_game(wanted.game)
        open_folder(folder, wanted.identity())
        evolution = Evolution(
            wanted, folder, model, executor, lambda line: Bar.write(line, file=sys.stderr), progress=True
        )
        evolution.run(_FLAGS.iterations)
    best = evolution.best
    print(
        f"{folder}: {best.program.name} is the best of {len(evolution.pool.members)} policies, Elo "
        f"{best.elo:.0f}; {folder / 'best.py'}; written by {model.name}"
    )


def _define_flags() -> None:
    flags.game("of a game for two players or more", required=True)
    flags.llm()
    flags.DEFINE_integer("iterations", 20, "Number of policies to ask for.", lower_bound=1)
    flags.output_dir()
    flags.DEFINE_string(
        "information", None, "File that describes the task; what ships for the game by default."
    )
    flags.executor()
    flags.budget()
    flags.record()
    define = {
        bool: flags.DEFINE_bool,
        int: flags.DEFINE_integer,
        float: flags.DEFINE_float,
        str: flags.DEFINE_string,
        tuple: flags.DEFINE_list,
    }
    for field in fields(Settings):
        if field.name in _HELP:
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            kind = float if default is None else type(field.default)
            define[kind](field.name, default, _HELP[field.name])


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
