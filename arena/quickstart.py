"""Does the main job in one go, offline and without a key.

    python -m arena.quickstart

A language model's recorded answers become a simulator of a game: tested, refined where a test fails,
loaded as an OpenSpiel game, and searched by MCTS in a small tournament against the same search on
the ground truth. Everything made on the way is left in a folder. Where the local language model is installed it plays
a match at the end.
"""

from __future__ import annotations

import importlib.resources
import json
import os
import shutil
import time

from arena.matches.match import play_match
from arena.registry.games import load_game
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import audit_results, summarize
from arena.tournaments.text import tournament_text
from cwm.contract import manifest, model_folders
from cwm.play.mcts_bot import resolve_interpreter
from cwm.trust import figures
from cwm.trust.trajectories import collect
from cwm.writing import synthesis
from cwm.writing.tasks import OpenLesson
from games import rules
from language_models import from_spec
from language_models.backends.auto import local_is_there
from language_models.backends.local.models import EXTRA_COMMAND, FETCH_COMMAND
from runs import cli, flags
from runs.executors import make_executor

LIVE = "local+cache=on"
REFINED_SEED = 10
"""The recorded synthesis of backgammon from everyday rules that is shown being refined."""

_FLAGS = flags.FLAGS


def _heading(text: str) -> None:
    print(f"\n=== {text}", flush=True)


def _fresh(folder: str) -> None:
    """Empties the folder, but only one that an earlier quickstart made."""
    marker = os.path.join(folder, "quickstart.json")
    if os.path.isdir(folder) and os.listdir(folder):
        if not os.path.exists(marker):
            raise ValueError(
                f"--output_dir: {folder} exists and was not made by the quickstart; name another folder"
            )
        shutil.rmtree(folder)
    os.makedirs(folder, exist_ok=True)
    manifest.write_json(marker, {"made_by": "python -m arena.quickstart"})


def _define_flags() -> None:
    flags.game("of a game that has recordings", default="connect_four")
    flags.output_dir("what is made, emptied before", default="spielwright_quickstart")
    flags.pair_matches("num_games", 20, "bots")
    flags.simulations(100)


def main() -> None:
    """The command; see the module's docstring."""
    start = time.monotonic()
    name, folder = _FLAGS.game, _FLAGS.output_dir
    _fresh(folder)
    game = load_game(name)

    _heading(f"1. A language model writes a simulator of {name} from rules and 5 random games")
    lesson = OpenLesson(rules(game), tuple(collect(game, 5, 0)))
    settings = synthesis.Settings(name, "tree_search", "recorded", 0, 20, lesson.fingerprint())
    model_folder = os.path.join(folder, "model")
    outcome = synthesis.run(
        model_folder,
        settings,
        lesson,
        from_spec("recorded"),
        ground_truth=game,
        progress=lambda line: print("  " + line, flush=True),
    )
    source = outcome.best.source.splitlines()
    print(f"  {os.path.join(model_folder, 'model.py')}: {len(source)} lines; one function of it:")
    print("\n".join("    " + line for line in _function(source, "apply_action")))

    _heading("2. Where a program is wrong, a failing test goes back (backgammon, from everyday rules)")
    _show_refinement(os.path.join(folder, "backgammon"))

    _heading("3. How far the first one can be trusted (manifest.json)")
    for rung in outcome.manifest["rungs"]:
        known = "(python -m cwm.verify does)" if rung["status"] == "not tried" else json.dumps(rung["figures"])
        print(f"  {rung['rung']:22} {rung['status']:10} {known}")

    _heading(f'4. It is an OpenSpiel game: pyspiel.load_game("cwm(model={model_folder})")')
    state = load_game(f"cwm(model={model_folder})").new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[len(state.legal_actions()) // 2])
    print(f"  after {[state.history()[0], state.history()[1]]} the model shows:")
    for row in state.observation(0)["board"]:
        print("    " + row)

    _heading(f"5. MCTS on the model against MCTS on the ground truth, {_FLAGS.simulations} simulations")
    bots = [
        f"cwm_mcts(model={model_folder},simulations={_FLAGS.simulations})",
        f"gt_mcts(simulations={_FLAGS.simulations})",
        "random",
    ]
    played = Tournament.checked(name, bots, num_games=_FLAGS.num_games, seed=1)
    with make_executor("inline") as executor:
        records = play(played, executor=executor, progress=True, db=os.path.join(folder, "matches.db"))
    result = summarize(played, records, audit_results(played, records))
    cli.write_text(os.path.join(folder, "tournament.json"), json.dumps(result, indent=2) + "\n")
    print(tournament_text(result))
    print("\n".join("  " + line for line in _speed_lines(name)))
    figures.results_by_seat([result], os.path.join(folder, "results.png"))

    _heading("6. A match against a language model on this machine")
    _show_live_match(name, bots[0])

    _heading(f"Done in {time.monotonic() - start:.0f} s")
    print(
        f"  {folder}/model            the simulator, its manifest and every attempt at it\n"
        f"  {folder}/backgammon       the one that was refined\n"
        f"  {folder}/tournament.json  the table above\n"
        f"  {folder}/results.png      the table as a picture\n"
        f"  {folder}/matches.db       every move of every match"
    )


def _show_refinement(folder: str) -> None:
    """Replays a run in which the first program fails, and shows the test that was sent back."""
    game = load_game("backgammon")
    text = importlib.resources.files("cwm.writing").joinpath("rules/backgammon_everyday.md").read_text("utf-8")
    lesson = OpenLesson(text, tuple(collect(game, 5, REFINED_SEED)))
    settings = synthesis.Settings(
        "backgammon", "tree_search", "recorded", REFINED_SEED, 20, lesson.fingerprint()
    )
    outcome = synthesis.run(folder, settings, lesson, from_spec("recorded"))
    for attempt in outcome.attempts:
        print(f"  {synthesis.describe(attempt)}")
        if attempt.failures:
            print("\n".join("    " + line[:150] for line in attempt.failures[0].splitlines()[:6]))


def _speed_lines(name: str) -> list[str]:
    """Sentences on what a search in the game's shipped model runs on here; none where no model in C ships with it."""
    try:
        loaded = manifest.load(model_folders.candidates(name)[0])
    except manifest.ManifestError:
        return []
    if loaded.native_source is None:
        return []
    chosen, not_native = resolve_interpreter("auto", loaded, use_value=loaded.value_source is not None)
    spec = f"cwm_mcts(model={model_folders.name_of(loaded.path)})"
    if not_native is None:
        return [f"The model of {name} that ships is also one in C, so {spec} runs on {chosen!r}."]
    rates = loaded.manifest["interpreter"]["simulations_per_second"]
    factor = rates["native"] / (rates.get(chosen) or rates["cpython"])
    return [
        f"{spec} runs on {chosen!r}; in C it searched {factor:.0f} times as fast where it was measured.",
        f"For that: pip install '.[native]' (here: {not_native}).",
    ]


def _show_live_match(game: str, opponent: str) -> None:
    """The live local model plays a match against the opponent, or how to get it."""
    if not local_is_there():
        print(f"  there is none here: {EXTRA_COMMAND} && {FETCH_COMMAND}")
        return
    bots = [opponent, f"llm_policy(llm={LIVE})"]
    record = play_match(game, bots, seed=1)
    print(f"  {bots[0]} against {bots[1]}: {len(record.moves)} moves, returns {list(record.returns)}")
    if record.forfeit is not None:
        print(f"  player {record.forfeit.player} forfeits: {record.forfeit.reason}")


def _function(source: list[str], name: str) -> list[str]:
    """The lines of one top-level function, at most 40 of them."""
    first = next(i for i, line in enumerate(source) if line.startswith(f"def {name}("))
    end = next(
        (i for i in range(first + 1, len(source)) if source[i] and not source[i][0].isspace()), len(source)
    )
    lines = source[first:end]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines if len(lines) <= 40 else [*lines[:40], f"    ... {len(lines) - 40} more lines"]


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
