"""Tests a world model against the ground truth.

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

from arena.registry.games import load_game
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from cwm.contract import manifest, model_folders
from cwm.trust import checks, held_out, trajectories
from cwm.writing import selection, synthesis, tasks
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.model()
    flags.game("the ground truth", required=True)
    flags.json()
    flags.held_out()
    flags.seed("the held-out games", default=held_out.TEST_SEED)
    flags.DEFINE_integer("random_games", 100, "Games of random play inside the model.", lower_bound=0)
    flags.DEFINE_integer(
        "play_games",
        0,
        "Mirrored matches of MCTS on the model against MCTS "
        "on the ground truth, an even number; 0 leaves them out.",
        lower_bound=0,
    )
    flags.DEFINE_integer("play_simulations", 100, "Simulations of each search in these matches.", lower_bound=2)
    flags.DEFINE_bool("update", False, "Whether the verdict is written into the model's manifest too.")


def main() -> None:
    """The command; see the module's docstring."""
    if _FLAGS.json:
        cli.check_output(_FLAGS.json, "json")
    if _FLAGS.play_games % 2:
        raise ValueError(
            f"--play_games: expected an even number, as matches are played in mirrored "
            f"pairs, found {_FLAGS.play_games}"
        )
    game = load_game(_FLAGS.game)
    folder = model_folders.resolve(_FLAGS.model)
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
        held_out.test_games(game, _FLAGS.test_transitions, _FLAGS.test_games, _FLAGS.seed),
        _FLAGS.test_transitions,
        lambda line: print(line, file=sys.stderr, flush=True),
    )
    result = held_out.evaluate(loaded.source, tests, training)
    manifest.settle(rungs, "heldout_transitions", result.accuracy == 1.0, **result.to_json())
    play = checks.run(loaded.source, [], random_games=_FLAGS.random_games, max_actions=tasks.MAX_ACTIONS)
    manifest.settle(rungs, "random_play", play.breaches == 0, games=play.random_games, breaches=play.breaches)
    synthesis.settle_exact_equality(rungs, loaded.source, game)
    if _FLAGS.play_games:
        _settle_play(rungs, game, folder)
    verdict = {
        "model": _FLAGS.model,
        "game": str(game),
        "test_transition_accuracy": result.accuracy,
        "test_transitions": result.transitions,
        "test": result.to_json(),
        "rungs": manifest.rungs_to_json(rungs),
    }
    if _FLAGS.json:
        manifest.write_json(_FLAGS.json, verdict)
    if _FLAGS.update:
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
        f"{_FLAGS.model} against {game}: transition accuracy {result.accuracy:.4f} on "
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
            f"--model={_FLAGS.model} is a model of {made_for}, expected one of {name}; "
            f"give --game={made_for}, or another model"
        )


def _settle_play(rungs: dict[str, manifest.Rung], game: pyspiel.Game, folder: str) -> None:
    """Plays against the same search on the ground truth; passed where the score's 95 % interval
    reaches a half."""
    specs = [
        f"cwm_mcts(model={os.path.abspath(folder)},simulations={_FLAGS.play_simulations},value=false)",
        f"gt_mcts(simulations={_FLAGS.play_simulations})",
    ]
    played = Tournament.checked(_FLAGS.game, specs, num_games=_FLAGS.play_games, seed=_FLAGS.seed)
    result = summarize(played, play(played, progress=True))
    own = result["per_bot"][played.bots[0]]
    manifest.settle(
        rungs,
        "heldout_play",
        own["wilson_high"] >= 0.5,
        games=own["matches"],
        simulations=_FLAGS.play_simulations,
        score=round(own["score"], 4),
        wilson=[round(own["wilson_low"], 4), round(own["wilson_high"], 4)],
        forfeits=own["forfeits"],
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
