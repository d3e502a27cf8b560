"""Plays with a world model and revises it between games where it mispredicted one.

    python -m cwm.online --game=gin_rummy --model=gin_rummy/0 --llm=spool:chat --games=20 --calls=5 \\
        --opponent=simple_gin_rummy --output_dir=gin_online

MCTS on the newest model plays the opponent, in each seat in turn; what it saw of a game becomes tests
(`cwm.writing.learning`). The models taken lie in the output folder as revision_1 and so on, beside games.jsonl,
which says of each game what was mispredicted; the first model stays as it is. Stopped at any moment and
started again with the same flags, it goes on; with the same seed and answers the result is the same.
"""

from __future__ import annotations

import os
import sys

import numpy as np
import pyspiel

from arena.matches.match import play_match
from arena.matches.records import MatchRecord
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from arena.registry.specs import BotSpec
from cwm.contract import manifest, model_folders
from cwm.writing.learning import Learner, Learnt
from cwm.writing.training import rules_of
from games.registration import name_of
from language_models import from_spec
from runs import cli, flags
from runs.seeds import bot_seed
from runs.tables import text_table


def play(
    game: pyspiel.Game, model: manifest.Model, opponent: str, simulations: int, seed: int, number: int
) -> tuple[MatchRecord, int]:
    """Game number `number` of a run: search on the model against the opponent; the record and the seat."""
    hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    spec = BotSpec(
        "cwm_ismcts" if hides else "cwm_mcts",
        {"model": os.path.abspath(model.path), "simulations": simulations},
    )
    match_seed = int(np.random.SeedSequence([seed, number]).generate_state(1)[0] >> 1)
    seat = number % game.num_players()
    seats: list[str | pyspiel.Bot] = [opponent] * game.num_players()
    seats[seat] = make_bot(spec, game, seat, bot_seed(match_seed, seat))
    return play_match(name_of(game), seats, match_seed, opening_plies=0), seat


def table(games: list[Learnt]) -> list[list[str]]:
    """A row for each game: its model, its tests and those failed, calls, all tests before and after."""
    rows = [["game", "model", "tests", "mispredicted", "calls", "all games: before", "after", "of", "taken"]]
    for number, learnt in enumerate(games):
        rows.append(
            [
                str(number),
                learnt.model,
                str(learnt.tests),
                str(learnt.tests - learnt.passed),
                str(learnt.calls),
                f"{learnt.before / max(1, learnt.all_tests):.4f}",
                f"{learnt.after / max(1, learnt.all_tests):.4f}",
                str(learnt.all_tests),
                learnt.revision or "-",
            ]
        )
    return rows


def _define_flags() -> None:
    flags.game("the game to play", required=True)
    flags.model(", the first one")
    flags.llm()
    flags.rules()
    flags.DEFINE_string("opponent", "random", "Bot to play against, by spec.")
    flags.DEFINE_integer("games", 10, "Number of games to play.", lower_bound=1)
    flags.DEFINE_integer("calls", 5, "Most calls of the language model, over all games.", lower_bound=0)
    flags.simulations(100, "the search on the model, for each move")
    flags.seed("the matches and the refiner")
    flags.budget()
    flags.record()
    flags.output_dir("the learner")


def main() -> None:
    values = flags.FLAGS
    game = load_game(values.game)
    model = manifest.load(model_folders.resolve(values.model))
    if model_folders.is_of_another_game(model, game):
        raise ValueError(
            f"--model={values.model} is a model of {model.manifest['game']}, expected one of "
            f"{game.get_type().short_name}; choose another model"
        )
    llm = from_spec(values.llm, budget=values.budget, record_to=values.record)
    make_bot(values.opponent, game, 0, 0)  # an opponent that cannot play is told before anything is written
    learner = Learner(
        values.output_dir,
        game,
        model,
        llm,
        calls=values.calls,
        seed=values.seed,
        rules=rules_of(model, game, values.rules),
    )
    for number in range(len(learner.games()), values.games):
        newest = learner.current()
        record, seat = play(game, newest, values.opponent, values.simulations, values.seed, number)
        actions = [action for _, action in record.actions()]
        learnt = learner.learn(learner.observed(actions, seat))
        forfeit = (
            f", forfeit of seat {record.forfeit.player}: {record.forfeit.reason}" if record.forfeit else ""
        )
        print(
            f"game {number}: seat {seat} got {record.returns[seat]:g}{forfeit}; mispredicted "
            f"{learnt.tests - learnt.passed} of {learnt.tests} tests, {learnt.calls} calls, "
            f"{learnt.revision or 'no revision'}",
            file=sys.stderr,
            flush=True,
        )
    games = learner.games()
    print(text_table(table(games)))
    newest = learner.current()
    (tests, first), (_, last) = learner.score(model.source), learner.score(newest.source)
    print(
        f"\non all {len(games)} games the first model passes {first} of {tests} tests, "
        f"{newest.path} {last}; {sum(learnt.calls for learnt in games)} calls of {llm.name}"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
