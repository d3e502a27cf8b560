"""Games of OpenSpiel without any view code of ours: replays their recorded syntheses, with their table.

    python -m benchmarks.games.documented_games --output_dir=documented --output=docs/results/tables/documented_games.csv

Each game has a rules text that was written from OpenSpiel's documentation alone (`benchmarks.games.openspiel_rules`), and
one synthesis, recorded once. It is replayed from the recordings that ship with the package, with its refinements, and
tested on held-out games. A run whose folder holds a finished model is not run again. A row of a game that no call
has been recorded for says so.
"""

from __future__ import annotations

import csv
import io
import os
import random
import sys
from dataclasses import replace

import pyspiel

from arena.bots.reference import can_resample
from arena.registry.games import load_game
from benchmarks.support import replays
from cwm.trust import held_out
from cwm.trust.trajectories import collect
from cwm.trust.verification import counterexamples
from cwm.writing.preparation import preparing
from cwm.writing.preparation.preparing import Wish
from cwm.writing.tasks import HiddenLesson, OpenLesson
from games import documented_rules
from language_models import RecordingMiss
from runs import cli, flags
from runs.intervals import wilson_interval
from runs.tables import text_table

_FLAGS = flags.FLAGS
SEED, GAMES, CALLS, PROMPT_VERSION = 0, 5, 6, 2
STATES = 1_000_000
"""Most states of a game that are counted."""
WALKED, LONGEST, PLAYED = 100_000, 500, 20_000_000
COLUMNS = (
    "game",
    "players",
    "moves",
    "information",
    "utility",
    "resamples",
    "states",
    "calls",
    "training",
    "transitions",
    "wilson_low",
    "wilson_high",
    "of",
    "inference",
    "inferences",
    "miss",
)


def lesson_of(name: str) -> OpenLesson | HiddenLesson:
    """The material of a game's synthesis: its documented rules and five random games."""
    game = load_game(name)
    games = list(collect(game, GAMES, SEED))
    return replace(
        preparing.lesson_of(Wish(game), documented_rules()[name], games), prompt_version=PROMPT_VERSION
    )


def reproduce(name: str, folder: str, transitions: int, games: int) -> dict[str, object] | None:
    """The manifest of one game's synthesis, from its folder or by replaying it; None where it was not recorded."""
    if replays.finished(folder) is None:
        try:
            replays.replay(
                folder,
                name,
                lesson_of(name),
                SEED,
                calls=CALLS,
                ground_truth=load_game(name),
                test_transitions=transitions,
                test_games=games,
            )
        except RecordingMiss as error:
            print(f"  {error}", file=sys.stderr, flush=True)
    return replays.finished(folder)


def count_states(game: pyspiel.Game) -> tuple[int, bool]:
    """The number of a game's states with different strings, those of chance and the end included.

    Returns:
      The number, and whether these are all. A game with more than `WALKED` states is not walked but played at random,
      for at most `PLAYED` moves, until `STATES` states are found: then the number is a lower bound.
    """
    first = game.new_initial_state()
    seen, waiting = {hash(str(first))}, [first]
    while waiting and len(seen) < WALKED and len(waiting[-1].full_history()) < LONGEST:
        state = waiting.pop()
        for move in state.legal_actions():  # where players choose at once a number stands for a joint move
            child = state.child(move)
            key = hash(str(child))
            if key not in seen:
                seen.add(key)
                if not child.is_terminal():
                    waiting.append(child)
    if not waiting:
        return len(seen), True
    rng, state = random.Random(SEED), first
    for _ in range(PLAYED):
        state = game.new_initial_state() if state.is_terminal() else state
        state.apply_action(rng.choice(state.legal_actions()))
        seen.add(hash(str(state)))
        if len(seen) >= STATES:
            break
    return len(seen), False


def row(name: str, manifest: dict | None, folder: str) -> dict[str, str]:
    """One line of the table, from the manifest in the model's folder."""
    game = load_game(name)
    kind = game.get_type()
    states, all_of_them = count_states(game)
    facts = {
        "game": name,
        "players": str(game.num_players()),
        "moves": "at once" if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS else "in turn",
        "information": kind.information.name.removesuffix("_INFORMATION").lower().replace("_", " "),
        "utility": kind.utility.name.lower().replace("_", " "),
        "resamples": "yes" if can_resample(game) else "no",
        "states": str(states) if all_of_them else f"at least {states}",
    }
    if manifest is None:
        return {**dict.fromkeys(COLUMNS, ""), **facts, "miss": "no call was recorded"}
    return {**dict.fromkeys(COLUMNS, ""), **facts, **_measured(name, manifest, folder)}


def _measured(name: str, manifest: dict, folder: str) -> dict[str, str]:
    test, inferences = manifest["test"], manifest.get("test_inferences")
    figures = {"calls": str(manifest["llm_calls"]), "training": _share(manifest["train_transition_accuracy"])}
    if test is None:
        return {**figures, "miss": manifest.get("test_failure") or "no program passed as far as the test"}
    low, high = wilson_interval(test["passed"], test["transitions"])
    return {
        **figures,
        "transitions": _share(test["passed"] / test["transitions"]),
        "wilson_low": f"{low:.4f}",
        "wilson_high": f"{high:.4f}",
        "of": str(test["transitions"]),
        "inference": _share(manifest["test_inference_accuracy"]) if inferences else "",
        "inferences": str(inferences or ""),
        "miss": "" if test["passed"] == test["transitions"] else smallest_failure(name, folder),
    }


def smallest_failure(name: str, folder: str) -> str:
    """The smallest difference between a model and its game that a hundred of the test games show, in words."""
    game = load_game(name)
    with open(os.path.join(folder, "model.py"), encoding="utf-8") as file:
        source = file.read()
    found = held_out.evaluate(source, list(held_out.test_games(game, 1, 100)), ())
    example = counterexamples.smallest(game, source, found.failures)
    if example is None:
        return "none in a hundred test games"
    where = ", ".join(difference["where"] for difference in example.differences) or "an error is raised"
    return f"after {len(example.history)} actions, {example.action}: {where}"


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _define_flags() -> None:
    flags.output_dir("the models")
    flags.output("the table")
    flags.DEFINE_list("games", [], "Games whose runs are replayed; all that have a documented text by default.")
    flags.held_out()


def main() -> None:
    """The command; see the module's docstring."""
    if _FLAGS.output:
        cli.check_output(_FLAGS.output, "output")
    rows = []
    for name in _FLAGS.games or sorted(documented_rules()):
        print(name, file=sys.stderr, flush=True)
        folder = os.path.join(_FLAGS.output_dir, name, str(SEED))
        manifest = reproduce(name, folder, _FLAGS.test_transitions, _FLAGS.test_games)
        rows.append(row(name, manifest, folder))
    if _FLAGS.output:
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        cli.write_text(_FLAGS.output, text.getvalue())
    print(text_table([list(COLUMNS), *([row[column] for column in COLUMNS] for row in rows)]))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
