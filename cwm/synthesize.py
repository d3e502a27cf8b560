"""Synthesizes a world model from rules and recorded games.

    python -m cwm.synthesize --game=connect_four --llm=recorded --output_dir=my_model
    python -m cwm.synthesize --rules=hex.md --trajectories=hex.jsonl --llm=spool:chat --output_dir=hex
    python -m cwm.synthesize --game=leduc_poker --deck=closed --llm=recorded --output_dir=leduc
    python -m cwm.synthesize --game=gin_rummy --trajectories=chosen --llm=spool:chat --output_dir=gin

Leaves model.py and manifest.json in the output folder. Stopped at any moment and started again with
the same flags, it goes on from the calls already made. With --value_functions=N it also asks for N
value functions, for a model that the folder holds already too. The games that --trajectories=chosen has
chosen are kept in the folder too.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import pyspiel
from tqdm import tqdm

from arena.registry.games import load_game
from cwm.trust import trajectories
from cwm.writing import refiners, selection, synthesis, tasks, value_functions
from cwm.writing.tasks import read_rules
from games import rules as shipped_rules
from language_models import from_spec
from runs import cli, flags

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
    flags.DEFINE_enum("method", "tree_search", sorted(refiners.METHODS), "Method of refinement.")
    flags.output_dir("the model")
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
    flags.budget()
    flags.record()


def main() -> None:
    """The command; see the module's docstring."""
    ground_truth = load_game(_FLAGS.game) if _FLAGS.game else None
    recorded = _FLAGS.trajectories not in (None, *selection.PROTOCOLS)
    if ground_truth is None and not (_FLAGS.rules and recorded):
        raise ValueError(
            "nothing to learn from: give --game=NAME, or both --rules=FILE and --trajectories=FILE"
        )
    if _FLAGS.disagree and _FLAGS.trajectories != "chosen":
        raise ValueError(
            "--disagree: random and recorded games are not chosen, expected "
            "--trajectories=chosen beside it; add that, or leave --disagree out"
        )
    rules = _rules(ground_truth)
    games, origin = _games(ground_truth)
    name = _FLAGS.game or games[0].game or os.path.basename(_FLAGS.rules)
    lesson = _lesson(rules, games)
    settings = synthesis.Settings(
        name, _FLAGS.method, _FLAGS.llm, _FLAGS.seed, _FLAGS.max_calls, lesson.fingerprint(), lesson.deck
    )
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
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
        calls = f"{len(outcome.attempts)} call{'s' * (len(outcome.attempts) != 1)} of {model.name}"
        if outcome.best is None:
            _say(f"{_FLAGS.output_dir}: no program in {calls}; attempts.jsonl there holds the answers")
            return
        verdict = "passes" if outcome.best.perfect else "is the best one but does not pass"
        _say(f"{_FLAGS.output_dir}: model.py {verdict} all training tests, after {calls}")
    if _FLAGS.value_functions:
        value_functions.add(_FLAGS.output_dir, rules, model, _FLAGS.value_functions, _say)


def _rules(ground_truth: pyspiel.Game | None) -> str:
    if _FLAGS.rules:
        return read_rules(_FLAGS.rules)
    try:
        return shipped_rules(ground_truth)
    except ValueError as error:
        raise ValueError(
            f"no text of the rules of {_FLAGS.game} ships; expected --rules=FILE with the "
            f"rules in plain words ({error})"
        ) from error


def _games(ground_truth: pyspiel.Game | None) -> tuple[list[trajectories.Trajectory], dict[str, Any]]:
    """The games to learn from, and where they come from, for the manifest."""
    if _FLAGS.trajectories == "chosen":
        chosen = _chosen(ground_truth)
        _say(chosen.describe())
        return list(chosen.games), chosen.figures()
    if _FLAGS.trajectories in (None, "random"):
        return (
            list(trajectories.collect(ground_truth, _FLAGS.num_trajectories, _FLAGS.seed)),
            {"protocol": "random"},
        )
    return trajectories.read(_FLAGS.trajectories), {"protocol": "recorded"}


def _chosen(ground_truth: pyspiel.Game) -> selection.Selection:
    """The games that the output folder holds already, or else chosen now."""
    perfect = ground_truth.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    wish = selection.Wish(
        _FLAGS.seed,
        _FLAGS.num_trajectories,
        _FLAGS.pool_games,
        None if perfect else _FLAGS.deck or "open",
        tuple(_FLAGS.disagree),
    )
    chosen = selection.kept(_FLAGS.output_dir, ground_truth, wish)
    if chosen is None:
        synthesis.check_free(_FLAGS.output_dir)
        _say(f"playing a pool of {wish.pool_games} games to choose {wish.number} from")
        chosen = selection.play_and_choose(
            ground_truth, wish, lambda games: tqdm(games, total=max(wish.pool_games, wish.number), unit="game")
        )
        selection.keep(_FLAGS.output_dir, wish, chosen)
    return chosen


def _lesson(rules: str, games: list[trajectories.Trajectory]) -> tasks.Lesson:
    if synthesis.properties_of(games)["perfect_information"]:
        if _FLAGS.deck:
            raise ValueError(
                f"--deck={_FLAGS.deck}: all players observe the same in the recorded games, so "
                f"nothing is hidden, expected a game with hidden information; leave --deck out"
            )
        return tasks.OpenLesson(rules, tuple(games))
    make = tasks.HiddenLesson.closed if _FLAGS.deck == "closed" else tasks.HiddenLesson.open
    return make(rules, games)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
