"""Synthesizes a world model from rules and recorded games.

    python -m cwm.synthesize --game=connect_four --llm=recorded --output_dir=my_model
    python -m cwm.synthesize --rules=hex.md --trajectories=hex.jsonl --llm=spool:chat --output_dir=hex
    python -m cwm.synthesize --game=leduc_poker --deck=closed --llm=recorded --output_dir=leduc
    python -m cwm.synthesize --game=gin_rummy --trajectories=chosen --llm=spool:chat --output_dir=gin
    python -m cwm.synthesize --game=liars_dice --rules=none --dry_run

Before the first call a table tells what the run needs, and whether it is there: rules, view, test players, and
how long the held-out test will take. --dry_run ends there.

Leaves model.py and manifest.json in the output folder. Stopped at any moment and started again with
the same flags, it goes on from the calls already made. With --value_functions=N it also asks for N
value functions, for a model that the folder holds already too. The games that --trajectories=chosen has
chosen are kept in the folder too.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyspiel

from arena.registry.games import load_game
from cwm.trust.players import at_once, hides
from cwm.trust.trajectories import Trajectory
from cwm.writing import prompting, refiners, selection, synthesis, tasks, training, value_functions
from cwm.writing.preparation.findings import GOOD, Preparation
from cwm.writing.preparation.game_checks import guarded
from cwm.writing.preparation.preparing import Material, Wish, prepare
from cwm.writing.preparation.prompt_version import CHOICES, with_prompt_version
from cwm.writing.tasks import Lesson
from language_models import LanguageModel, from_spec
from runs import cli, flags
from runs.progress import Bar

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.game("the ground truth that is played for training games and tested against")
    flags.rules()
    flags.DEFINE_string(
        "trajectories",
        None,
        "Games to learn from: random (random games, the "
        "default for --game), chosen (games out of a larger pool that show as "
        "many rules as possible), or a JSON Lines file of recorded games.",
    )
    flags.DEFINE_integer(
        "num_trajectories", selection.NUM_GAMES, "Number of games to learn from, for --game.", lower_bound=1
    )
    flags.DEFINE_integer(
        "pool_games", selection.POOL_GAMES, "Number of games to play for --trajectories=chosen.", lower_bound=1
    )
    flags.DEFINE_list(
        "disagree",
        [],
        "Models of the game: --trajectories=chosen then prefers games at whose steps they differ from each other.",
    )
    flags.llm()
    flags.DEFINE_enum(
        "deck",
        None,
        tasks.DECKS,
        "View of a game with hidden information: "
        "whole games (open), or each game as one of its players saw it (closed). Default: "
        "open if the players observe different things.",
    )
    flags.DEFINE_enum(
        "method",
        "tree_search",
        sorted(synthesis.METHODS),
        "Method of refinement; hypotheses asks the game itself for short games that tell readings of the rules apart.",
    )
    flags.DEFINE_enum(
        "prompt_version",
        None,
        CHOICES,
        "Version of the first prompt: 1 shows each state of a game whole, 2 what changes in it. Default: the newest, "
        "or with recorded answers the newest that was recorded.",
    )
    flags.output_dir("the model", required=False)
    flags.seed("this independent run")
    flags.max_calls(20)
    flags.DEFINE_integer(
        "value_functions", 0, "Number of candidates for a value function to ask for.", lower_bound=0
    )
    flags.held_out()
    flags.DEFINE_bool(
        "time_interpreters",
        True,
        "Whether searches of the model are timed on each interpreter of this machine, and the fastest one is "
        "noted in the manifest.",
    )
    flags.DEFINE_bool(
        "dry_run", False, "Whether to end after the table of what the run needs, before the first call."
    )
    flags.budget()
    flags.record()


def main() -> None:
    """The command; see the module's docstring."""
    ground_truth = load_game(_FLAGS.game) if _FLAGS.game else None
    recorded = _FLAGS.trajectories if _FLAGS.trajectories not in (None, *selection.PROTOCOLS) else None
    if not (_FLAGS.output_dir or _FLAGS.dry_run):
        raise ValueError("--output_dir is missing; run with --help for an example")
    if ground_truth is None and not (_FLAGS.rules and recorded):
        raise ValueError(
            "nothing to learn from: give --game=NAME, or both --rules=FILE and --trajectories=FILE"
        )
    if _FLAGS.disagree and _FLAGS.trajectories != "chosen":
        raise ValueError(
            "--disagree: random and recorded games are not chosen, expected "
            "--trajectories=chosen beside it; add that, or leave --disagree out"
        )
    if _FLAGS.value_functions and ground_truth is not None and at_once(ground_truth):
        raise ValueError(
            f"--value_functions={_FLAGS.value_functions}: in {ground_truth} players choose at once, and the search for that "
            f"takes no value function, expected 0; leave --value_functions out"
        )
    wish = Wish(
        ground_truth,
        _FLAGS.rules,
        recorded,
        _FLAGS.deck,
        _FLAGS.num_trajectories,
        _FLAGS.seed,
        _FLAGS.test_transitions,
        _FLAGS.test_games,
    )
    chosen: list[selection.Selection] = []

    def choose() -> Sequence[Trajectory]:
        chosen.append(_chosen(ground_truth))
        return chosen[0].games

    picks = _FLAGS.trajectories == "chosen" and not _FLAGS.dry_run
    prepared, material = prepare(wish, choose if picks else None)
    model = None
    if prepared.refusal is None:
        finding, model = guarded("language model", _language_model)
        prepared += Preparation((finding,))
    _say(f"before the first call:\n{prepared.table()}")
    if prepared.refusal is not None:
        raise ValueError(prepared.refusal)
    if _FLAGS.dry_run:
        return
    if chosen:
        origin = chosen[0].figures()
        _say(chosen[0].describe())
    else:
        origin = {"protocol": "recorded" if recorded else "random"}
    _synthesize(ground_truth, material, model, origin)


def _language_model() -> tuple[str, str, LanguageModel | None]:
    """The language model, which is not asked; in a dry run nothing is made that leaves files behind."""
    calls = f"{_FLAGS.llm}, at most {_FLAGS.max_calls} call{'s' * (_FLAGS.max_calls != 1)}"
    if _FLAGS.dry_run:
        if not _FLAGS.llm.startswith("spool:"):
            from_spec(_FLAGS.llm, budget=_FLAGS.budget)
        return calls, GOOD, None
    return calls, GOOD, from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)


def _synthesize(
    ground_truth: pyspiel.Game | None, material: Material, model: LanguageModel, origin: dict[str, Any]
) -> None:
    """The run itself, from the first call on."""
    name = _FLAGS.game or material.name or os.path.basename(_FLAGS.rules)

    def refiner(lesson: Lesson) -> refiners.Refiner:
        purpose = synthesis.purpose(name, _FLAGS.seed)
        return synthesis.refiner_of(_FLAGS.method, lesson, _FLAGS.seed, purpose)

    taught = material.lesson
    if _FLAGS.method == synthesis.HYPOTHESES and _FLAGS.rules != "none":
        taught = replace(taught, rules=prompting.with_contradictions(taught.rules))
    lesson = with_prompt_version(
        taught,
        _FLAGS.prompt_version,
        _FLAGS.output_dir,
        model,
        lambda lesson: refiner(lesson).next_request(())[0],
    )
    settings = synthesis.Settings(
        name, _FLAGS.method, _FLAGS.llm, _FLAGS.seed, _FLAGS.max_calls, lesson.fingerprint(), lesson.deck
    )
    failure = None
    if _FLAGS.value_functions and synthesis.is_finished(_FLAGS.output_dir, settings):
        _say(f"{_FLAGS.output_dir} holds this run's model; going on with its value functions")
    else:
        outcome = synthesis.run(
            _FLAGS.output_dir,
            settings,
            lesson,
            model,
            ground_truth=ground_truth,
            test_transitions=_FLAGS.test_transitions,
            test_games=_FLAGS.test_games,
            time_interpreters=_FLAGS.time_interpreters,
            origin=origin,
            progress=_say,
        )
        if origin["protocol"] == "recorded":
            training.keep_recorded(_FLAGS.output_dir, _FLAGS.trajectories)
        calls = f"{len(outcome.attempts)} call{'s' * (len(outcome.attempts) != 1)} of {model.name}"
        if outcome.best is None:
            _say(f"{_FLAGS.output_dir}: no program in {calls}; attempts.jsonl there holds the answers")
            return
        verdict = "passes" if outcome.best.perfect else "is the best one but does not pass"
        _say(f"{_FLAGS.output_dir}: model.py {verdict} all training tests, after {calls}")
        failure = outcome.test_failure
    if _FLAGS.value_functions:
        value_functions.add(_FLAGS.output_dir, lesson.rules, model, _FLAGS.value_functions, _say)
    if failure is not None:
        raise ValueError(
            f"{_FLAGS.output_dir}: the held-out test failed ({failure}); the model and all answers are kept there, so "
            f"test it again with python -m cwm.verify --model={_FLAGS.output_dir} --game={shlex.quote(_FLAGS.game)} "
            f"--update"
        )


def _chosen(ground_truth: pyspiel.Game) -> selection.Selection:
    """The games that the output folder holds already, or else chosen now."""
    wish = selection.Wish(
        _FLAGS.seed,
        _FLAGS.num_trajectories,
        _FLAGS.pool_games,
        (_FLAGS.deck or "open") if hides(ground_truth) else None,
        tuple(_FLAGS.disagree),
    )
    chosen = selection.kept(_FLAGS.output_dir, ground_truth, wish)
    if chosen is None:
        synthesis.check_free(_FLAGS.output_dir)
        _say(f"playing a pool of {wish.pool_games} games to choose {wish.number} from")
        chosen = selection.play_and_choose(
            ground_truth, wish, lambda games: Bar(games, total=max(wish.pool_games, wish.number), unit="game")
        )
        selection.keep(_FLAGS.output_dir, wish, chosen)
    return chosen


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
