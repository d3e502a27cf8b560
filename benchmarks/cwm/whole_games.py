"""Checks a world model's transitions over whole games of named players, move by move against the real game.

    python -m benchmarks.cwm.whole_games --game=micro_rts --model=my_model --games=50 \\
        --players=random,micro_rts_worker_rush,micro_rts_light_rush

Random play alone shows few of the situations in which good players meet, so each player of each game is drawn from
--players. After a wrong move the model goes on from its own state, as it would in a search, so that one wrong rule may
cost the rest of a game: the games without any difference are counted beside the transitions. Inference is not looked
at. Exits with 1 where there was a difference.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import pyspiel

from arena.registry.games import load_game
from arena.registry.specs import split_specs
from cwm.contract import manifest, model_folders
from cwm.trust import checks, trajectories
from cwm.writing.prompting.failures import show_failure
from runs import cli, flags
from runs.intervals import wilson_interval
from runs.progress import Bar

_FLAGS = flags.FLAGS


def chooser(game: pyspiel.Game, spec: str) -> trajectories.Chooser:
    """A chooser of a bot, `random` by name included."""
    return trajectories.choose_randomly if spec == "random" else trajectories.bot_chooser(game, spec)


def measure(source: str, game: pyspiel.Game, players: Sequence[str], games: int, seed: int) -> dict[str, Any]:
    """Plays the games and compares.

    Args:
      source: text of the model.
      game: the real game.
      players: bots by spec, of which each seat of each game gets one at random.
      games: number of games.
      seed: seed of the games.

    Returns:
      JSON-able figures: `games`, `exact_games`, `transitions`, `wrong`, and `failures`, the first failure of each game
      that has one, in words.
    """
    played = trajectories.collect(game, games, seed, [chooser(game, spec) for spec in players])
    figures: dict[str, Any] = {"games": 0, "exact_games": 0, "transitions": 0, "wrong": 0, "failures": []}
    for trajectory, verdicts, failure in checks.tested_games(source, Bar(played, total=games, unit="game")):
        figures["games"] += 1
        figures["transitions"] += len(verdicts)
        figures["wrong"] += len(verdicts) - sum(verdicts)
        figures["exact_games"] += failure is None and len(verdicts) == len(trajectory.actions)
        if failure is not None:
            figures["failures"].append(show_failure(failure))
    return figures


def _define_flags() -> None:
    flags.game("the real game", required=True)
    flags.DEFINE_string("model", None, "World model: its folder, or the name of one that ships.")
    flags.require("model")
    flags.DEFINE_string(
        "players", "random", "Bots by spec, separated by commas, of which each seat of each game gets one."
    )
    flags.DEFINE_integer("games", 50, "Number of games.", lower_bound=1)
    flags.seed("the games")
    flags.json("the figures", resumes=False)


def main() -> None:
    """The command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    game = load_game(_FLAGS.game)
    model = manifest.load(model_folders.resolve(_FLAGS.model))
    players = split_specs(_FLAGS.players)
    found = measure(model.source, game, players, _FLAGS.games, _FLAGS.seed)
    found = {"game": str(game), "players": players, "seed": _FLAGS.seed, **found}
    if output is not None:
        cli.write_text(output, json.dumps(found, indent=1) + "\n")
    low, high = wilson_interval(found["exact_games"], found["games"])
    print(
        f"{found['exact_games']} of {found['games']} games without a difference ({low:.3f} to {high:.3f}); "
        f"{found['wrong']:,} of {found['transitions']:,} transitions wrong"
    )
    for text in found["failures"][:3]:
        print(f"\n{text}")
    sys.exit(1 if found["wrong"] else 0)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
