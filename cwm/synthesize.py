"""Command: synthesize a world model from rules and recorded games.

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
from absl import flags
from tqdm import tqdm

from arena.registry.games import load_game
from cwm import value_functions
from cwm.trust import trajectories
from cwm.writing import refiners, selection, synthesis, tasks
from cwm.writing.tasks import read_rules
from games import rules as shipped_rules
from language_models import from_spec
from runs import cli

_GAME = flags.DEFINE_string(
    "game", None, "An OpenSpiel game: the ground truth that is played for training games and tested against."
)
_RULES = flags.DEFINE_string(
    "rules", None, "File with the rules as text; default for --game: the text that ships with the package."
)
_TRAJECTORIES = flags.DEFINE_string(
    "trajectories",
    None,
    "What is learnt from: random (random games, the "
    "default for --game), chosen (games out of a larger pool that show as "
    "many rules as possible), or a JSON Lines file of recorded games.",
)
_NUM_TRAJECTORIES = flags.DEFINE_integer(
    "num_trajectories", selection.NUM_GAMES, "Games to learn from, for --game.", lower_bound=1
)
_POOL = flags.DEFINE_integer(
    "pool_games", selection.POOL_GAMES, "Games to play for --trajectories=chosen.", lower_bound=1
)
_DISAGREE = flags.DEFINE_list(
    "disagree",
    [],
    "Models of the game: --trajectories=chosen then prefers games at whose steps they differ from each other.",
)
_LLM = flags.DEFINE_string("llm", "recorded", "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.")
_DECK = flags.DEFINE_enum(
    "deck",
    None,
    tasks.DECKS,
    "What is shown of a game with hidden information: "
    "whole games (open), or each game as one of its players saw it (closed). Default: "
    "open if the players observe different things.",
)
_METHOD = flags.DEFINE_enum("method", "tree_search", sorted(refiners.METHODS), "The refiner.")
_OUTPUT_DIR = flags.DEFINE_string("output_dir", None, "Folder for the model.", required=True)
_SEED = flags.DEFINE_integer("seed", 0, "Number of this independent run.", lower_bound=0)
_MAX_CALLS = flags.DEFINE_integer("max_calls", 20, "Calls of the language model at most.", lower_bound=1)
_VALUES = flags.DEFINE_integer(
    "value_functions", 0, "Candidates for a value function to ask for.", lower_bound=0
)
_TEST_TRANSITIONS = flags.DEFINE_integer(
    "test_transitions", 10_000, "Least number of held-out transitions.", lower_bound=1
)
_TEST_GAMES = flags.DEFINE_integer("test_games", 100, "Least number of held-out games.", lower_bound=1)
_TIME = flags.DEFINE_bool(
    "time_interpreters",
    True,
    "Time searches of the model on each interpreter of this machine and note the fastest in the manifest.",
)
_BUDGET = flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
_RECORD = flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")


def main() -> None:
    ground_truth = load_game(_GAME.value) if _GAME.value else None
    recorded = _TRAJECTORIES.value not in (None, *selection.PROTOCOLS)
    if ground_truth is None and not (_RULES.value and recorded):
        raise ValueError(
            "nothing to learn from: give --game=NAME, or both --rules=FILE and --trajectories=FILE"
        )
    if _DISAGREE.value and _TRAJECTORIES.value != "chosen":
        raise ValueError(
            "--disagree: random and recorded games are not chosen, expected "
            "--trajectories=chosen beside it; add that, or leave --disagree out"
        )
    rules = _rules(ground_truth)
    games, origin = _games(ground_truth)
    name = _GAME.value or games[0].game or os.path.basename(_RULES.value)
    lesson = _lesson(rules, games)
    settings = synthesis.Settings(
        name, _METHOD.value, _LLM.value, _SEED.value, _MAX_CALLS.value, lesson.fingerprint(), lesson.deck
    )
    model = from_spec(_LLM.value, budget=_BUDGET.value, record_to=_RECORD.value)
    if _VALUES.value and synthesis.is_finished(_OUTPUT_DIR.value, settings):
        _say(f"{_OUTPUT_DIR.value} holds this run's model; going on with its value functions")
    else:
        outcome = synthesis.run(
            _OUTPUT_DIR.value,
            settings,
            lesson,
            model,
            ground_truth=ground_truth,
            test_transitions=_TEST_TRANSITIONS.value,
            test_games=_TEST_GAMES.value,
            time_interpreters=_TIME.value,
            origin=origin,
            progress=_say,
        )
        calls = f"{len(outcome.attempts)} call{'s' * (len(outcome.attempts) != 1)}"
        if outcome.best is None:
            _say(f"{_OUTPUT_DIR.value}: no program in {calls}; attempts.jsonl there holds the answers")
            return
        verdict = "passes" if outcome.best.perfect else "is the best one but does not pass"
        _say(f"{_OUTPUT_DIR.value}: model.py {verdict} all training tests, after {calls}")
    if _VALUES.value:
        value_functions.add(_OUTPUT_DIR.value, rules, model, _VALUES.value, _say)


def _rules(ground_truth: pyspiel.Game | None) -> str:
    if _RULES.value:
        return read_rules(_RULES.value)
    try:
        return shipped_rules(ground_truth)
    except ValueError as error:
        raise ValueError(
            f"no text of the rules of {_GAME.value} ships; expected --rules=FILE with the "
            f"rules in plain words ({error})"
        ) from error


def _games(ground_truth: pyspiel.Game | None) -> tuple[list[trajectories.Trajectory], dict[str, Any]]:
    """The games to learn from, and where they come from, for the manifest."""
    if _TRAJECTORIES.value == "chosen":
        chosen = _chosen(ground_truth)
        _say(chosen.describe())
        return list(chosen.games), chosen.figures()
    if _TRAJECTORIES.value in (None, "random"):
        return (
            list(trajectories.collect(ground_truth, _NUM_TRAJECTORIES.value, _SEED.value)),
            {"protocol": "random"},
        )
    return trajectories.read(_TRAJECTORIES.value), {"protocol": "recorded"}


def _chosen(ground_truth: pyspiel.Game) -> selection.Selection:
    """The games that the output folder holds already, or else chosen now."""
    perfect = ground_truth.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    wish = selection.Wish(
        _SEED.value,
        _NUM_TRAJECTORIES.value,
        _POOL.value,
        None if perfect else _DECK.value or "open",
        tuple(_DISAGREE.value),
    )
    chosen = selection.kept(_OUTPUT_DIR.value, ground_truth, wish)
    if chosen is None:
        synthesis.check_free(_OUTPUT_DIR.value)
        _say(f"playing a pool of {wish.pool_games} games to choose {wish.number} from")
        chosen = selection.play_and_choose(
            ground_truth, wish, lambda games: tqdm(games, total=max(wish.pool_games, wish.number), unit="game")
        )
        selection.keep(_OUTPUT_DIR.value, wish, chosen)
    return chosen


def _lesson(rules: str, games: list[trajectories.Trajectory]) -> tasks.Lesson:
    if synthesis.properties_of(games)["perfect_information"]:
        if _DECK.value:
            raise ValueError(
                f"--deck={_DECK.value}: all players observe the same in the recorded games, so "
                f"nothing is hidden, expected a game with hidden information; leave --deck out"
            )
        return tasks.OpenLesson(rules, tuple(games))
    make = tasks.HiddenLesson.closed if _DECK.value == "closed" else tasks.HiddenLesson.open
    return make(rules, games)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    cli.run(main)
