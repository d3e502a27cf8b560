"""Tests a world model against the ground truth.

    python -m cwm.verify --model=connect_four/0 --game=connect_four --json=verdict.json
    python -m cwm.verify --model=connect_four/0 --game=connect_four --play
    python -m cwm.verify --model=gin_rummy/0 --game=gin_rummy --against=gin_rummy/1,gin_rummy/2

Lets the model replay its training games and new games of the ground truth in a sealed worker, and compares
every transition; small games are walked whole. Then looks for counterexamples where a search on the model goes,
and with --against where other models of the game say something else. With --play, MCTS on the model also plays
the same search on the ground truth.

Each rung says whether it was tested now, is from the manifest, or was not tried, and each failed one shows its
smallest counterexample. The exit code is 1 where a rung failed. The result goes to the terminal and into the
file, and into the model's manifest with --update.
"""

from __future__ import annotations

import datetime
import os
import sys

import pyspiel

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import held_out
from cwm.trust.players import players_of
from cwm.trust.verification import report
from cwm.trust.verification.verifying import Verdict, Wish, verify
from games.registration import name_of
from runs import cli, flags

_FLAGS = flags.FLAGS
_MATCHES = 40
"""Number of matches of --play where --play_games does not say."""


def _define_flags() -> None:
    flags.model()
    flags.game("the ground truth", required=True)
    flags.json()
    flags.held_out()
    flags.seed("the held-out games", default=held_out.TEST_SEED)
    flags.DEFINE_integer("random_games", 100, "Number of games of random play inside the model.", lower_bound=0)
    flags.DEFINE_integer(
        "search_games",
        Wish.search_games,
        "Number of games of search on the model in which counterexamples are looked for; 0 leaves them out.",
        lower_bound=0,
    )
    flags.DEFINE_integer(
        "search_simulations",
        Wish.search_simulations,
        "Simulations of each search in these games.",
        lower_bound=2,
    )
    flags.DEFINE_float(
        "search_seconds",
        Wish.search_seconds,
        "Seconds for these games and for the search trees that are grown from them.",
        lower_bound=0.0,
    )
    flags.DEFINE_list(
        "against", [], "Other models of the game: states where they say something else are looked at closely."
    )
    flags.DEFINE_integer(
        "exact_states",
        Wish.exact_states,
        "Distinct states up to which every transition of the game is compared; 0 leaves that out.",
        lower_bound=0,
    )
    flags.DEFINE_bool("coverage", True, "Whether to tell which lines and conditions the tests never reached.")
    flags.DEFINE_bool("play", False, f"Whether to play matches, {_MATCHES} where --play_games says no number.")
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
    if _FLAGS.against and not _FLAGS.search_games:
        raise ValueError(
            "--against: disagreements are looked for in games of search, expected --search_games above 0; "
            "raise it, or leave --against out"
        )
    game = load_game(_FLAGS.game)
    model = _loaded("model", _FLAGS.model, game)
    others = {name: _loaded("against", name, game).source for name in _FLAGS.against}
    verdict = verify(model, game, _wish(), others=others, progress=_say)
    content = {"model": _FLAGS.model, "game": name_of(game), **verdict.to_json()}
    if _FLAGS.json:
        manifest.write_json(_FLAGS.json, content)
    if _FLAGS.update:
        _update(model, game, verdict)
    print(_headline(verdict, game))
    print(report.text(verdict))
    if verdict.ladder.failed:
        _say("the model is not exact; the rungs above say where it stands")
        sys.exit(1)


def _wish() -> Wish:
    return Wish(
        test_transitions=_FLAGS.test_transitions,
        test_games=_FLAGS.test_games,
        random_games=_FLAGS.random_games,
        search_games=_FLAGS.search_games,
        search_simulations=_FLAGS.search_simulations,
        search_seconds=_FLAGS.search_seconds,
        matches=_FLAGS.play_games or (_MATCHES if _FLAGS.play else 0),
        match_simulations=_FLAGS.play_simulations,
        seed=_FLAGS.seed,
        coverage=_FLAGS.coverage,
        exact_states=_FLAGS.exact_states,
    )


def _loaded(flag: str, name: str, game: pyspiel.Game) -> manifest.Model:
    """A model of this very game: one of another game, or of other parameters, would tell nothing."""
    loaded = manifest.load(model_folders.resolve(name))
    made_for, short_name = loaded.manifest.get("game", ""), game.get_type().short_name
    if model_folders.is_of_another_game(loaded, game):
        raise ValueError(
            f"--{flag}={name} is a model of {made_for}, expected one of {short_name}; "
            f"give --game={made_for}, or another model"
        )
    differing = model_folders.differing_parameters(loaded, game)
    if differing:
        said = " and ".join(f"{key}={old} and not {key}={new}" for key, (old, new) in differing.items())
        raise ValueError(
            f"--{flag}={name} is a model of {made_for}, so of {short_name} with {said}; "
            f'give --game="{made_for}", or another model'
        )
    return loaded


def _update(model: manifest.Model, game: pyspiel.Game, verdict: Verdict) -> None:
    """Writes the verdict into the manifest, with the hash of its program."""
    found = verdict.to_json()
    figures = {name: found[name] for name in ("test_transition_accuracy", "test_transitions", "test")}
    inferred = verdict.ladder.rungs.get("heldout_inference")
    if verdict.held_out is not None:
        figures["test_players"] = players_of(game).names
    if inferred is not None and "accuracy" in inferred.figures:
        figures["test_inference_accuracy"] = inferred.figures["accuracy"]
        figures["test_inferences"] = inferred.figures["tests"]
    manifest.write_json(
        os.path.join(model.path, "manifest.json"),
        {
            **{name: value for name, value in model.manifest.items() if name != "test_failure"},
            **figures,
            "rungs": manifest.rungs_to_json(verdict.ladder.rungs),
            "verified": {
                "date": datetime.date.today().isoformat(),
                "program": manifest.program_hash(model.source),
            },
        },
    )


def _headline(verdict: Verdict, game: pyspiel.Game) -> str:
    tests = verdict.held_out
    if tests is None:
        return f"{_FLAGS.model} against {name_of(game)}: the program breaks the contract"
    return (
        f"{_FLAGS.model} against {name_of(game)}: transition accuracy {tests.accuracy:.4f} on "
        f"{tests.transitions} transitions of {tests.games} games ({tests.distinct_states} distinct states)"
    )


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
