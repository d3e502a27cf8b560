"""Command: test a world model against the ground truth.

    python -m cwm.verify --model=connect_four/0 --game=connect_four --json=verdict.json

Plays held-out games of the ground truth, lets the model replay them in a sealed worker, and compares
every transition; small games are walked whole. With --play_games=N, MCTS on the model also plays the
same search on the ground truth. The result goes to the terminal and into the file, and into the
model's manifest with --update.
"""

from __future__ import annotations

import json
import os
import sys

import pyspiel
from absl import flags

from arena.registry.games import load_game
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from cwm.contract import manifest, model_folders
from cwm.trust import checks, held_out, trajectories
from cwm.writing import selection, synthesis, tasks
from runs import cli

_MODEL = flags.DEFINE_string(
    "model", None, "Folder of the model, or the name of one that ships.", required=True
)
_GAME = flags.DEFINE_string("game", None, "The ground truth, an OpenSpiel game.", required=True)
_JSON = flags.DEFINE_string("json", None, "File for the result.")
_TRANSITIONS = flags.DEFINE_integer(
    "test_transitions", 10_000, "Least number of held-out transitions.", lower_bound=1
)
_GAMES = flags.DEFINE_integer("test_games", 100, "Least number of held-out games.", lower_bound=1)
_SEED = flags.DEFINE_integer("seed", held_out.TEST_SEED, "Seed of the held-out games.", lower_bound=0)
_RANDOM_GAMES = flags.DEFINE_integer(
    "random_games", 100, "Games of random play inside the model.", lower_bound=0
)
_PLAY_GAMES = flags.DEFINE_integer(
    "play_games",
    0,
    "Mirrored matches of MCTS on the model against MCTS "
    "on the ground truth, an even number; 0 leaves them out.",
    lower_bound=0,
)
_PLAY_SIMULATIONS = flags.DEFINE_integer(
    "play_simulations", 100, "Simulations of each search in these matches.", lower_bound=2
)
_UPDATE = flags.DEFINE_bool("update", False, "Write the verdict into the model's manifest too.")


def main() -> None:
    if _JSON.value:
        cli.check_output(_JSON.value, "json")
    if _PLAY_GAMES.value % 2:
        raise ValueError(
            f"--play_games: expected an even number, as matches are played in mirrored "
            f"pairs, found {_PLAY_GAMES.value}"
        )
    game = load_game(_GAME.value)
    folder = model_folders.resolve(_MODEL.value)
    loaded = manifest.load(folder)
    _check_game(loaded, game)
    rungs = {row["rung"]: manifest.Rung(**row) for row in loaded.manifest["rungs"]}
    chosen = selection.kept(folder, game)
    training = (
        list(chosen.games)
        if chosen
        else list(trajectories.collect(game, loaded.manifest["train_games"], loaded.manifest["seed"]))
    )
    tests = held_out.reported(
        held_out.test_games(game, _TRANSITIONS.value, _GAMES.value, _SEED.value),
        _TRANSITIONS.value,
        lambda line: print(line, file=sys.stderr, flush=True),
    )
    result = held_out.evaluate(loaded.source, tests, training)
    manifest.settle(rungs, "heldout_transitions", result.accuracy == 1.0, **result.to_json())
    play = checks.run(loaded.source, [], random_games=_RANDOM_GAMES.value, max_actions=tasks.MAX_ACTIONS)
    manifest.settle(rungs, "random_play", play.breaches == 0, games=play.random_games, breaches=play.breaches)
    synthesis.settle_exact_equality(rungs, loaded.source, game)
    if _PLAY_GAMES.value:
        _settle_play(rungs, game, folder)
    verdict = {
        "model": _MODEL.value,
        "game": str(game),
        "test_transition_accuracy": result.accuracy,
        "test_transitions": result.transitions,
        "test": result.to_json(),
        "rungs": manifest.rungs_to_json(rungs),
    }
    if _JSON.value:
        manifest.write_json(_JSON.value, verdict)
    if _UPDATE.value:
        manifest.write_json(
            os.path.join(folder, "manifest.json"),
            dict(
                loaded.manifest,
                **{
                    k: v
                    for k, v in verdict.items()
                    if k in ("test_transition_accuracy", "test_transitions", "test", "rungs")
                },
            ),
        )
    print(
        f"{_MODEL.value} against {game}: transition accuracy {result.accuracy:.4f} on "
        f"{result.transitions} transitions of {result.games} games "
        f"({result.distinct_states} distinct states)"
    )
    for rung in manifest.rungs_to_json(rungs):
        print(f"  {rung['rung']:22} {rung['status']:10} {json.dumps(rung['figures'])}")
    if result.accuracy < 1.0:
        print("the model is not exact; the rungs above say where it stands", file=sys.stderr)


def _check_game(loaded: manifest.Model, game: pyspiel.Game) -> None:
    """Refuses a model of another game: what its manifest holds would be about something else."""
    if model_folders.is_of_another_game(loaded, game):
        made_for, name = loaded.manifest["game"], game.get_type().short_name
        raise ValueError(
            f"--model={_MODEL.value} is a model of {made_for}, expected one of {name}; "
            f"give --game={made_for}, or another model"
        )


def _settle_play(rungs: dict[str, manifest.Rung], game: pyspiel.Game, folder: str) -> None:
    """Plays against the same search on the ground truth; passed where the score's 95 % interval
    reaches a half."""
    specs = [
        f"cwm_mcts(model={os.path.abspath(folder)},simulations={_PLAY_SIMULATIONS.value},value=false)",
        f"gt_mcts(simulations={_PLAY_SIMULATIONS.value})",
    ]
    played = Tournament.checked(_GAME.value, specs, num_games=_PLAY_GAMES.value, seed=_SEED.value)
    result = summarize(played, play(played, progress=True))
    own = result["per_bot"][played.bots[0]]
    manifest.settle(
        rungs,
        "heldout_play",
        own["wilson_high"] >= 0.5,
        games=own["matches"],
        simulations=_PLAY_SIMULATIONS.value,
        score=round(own["score"], 4),
        wilson=[round(own["wilson_low"], 4), round(own["wilson_high"], 4)],
        forfeits=own["forfeits"],
    )


if __name__ == "__main__":
    cli.run(main)
