"""A database of an earlier version opens, resumes and rates.

`old/matches_8e3fc7f.db` was written by `arena.tournament` at commit 8e3fc7f: tic_tac_toe with `--bots="random,
mcts(simulations=4),mcts(simulations=2)" --num_games=8 --seed=3 --opening_plies=2`, kuhn_poker with
`--bots="random,uniform_random,mcts(simulations=4)" --num_games=24 --seed=5 --opening_plies=0`, and
`coin_game(episode_length=4)` with `--bots=random,uniform_random --num_games=4 --seed=5 --opening_plies=0`.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from arena.matches.positions import check
from arena.rating.rate import rate
from arena.store.database import Database
from arena.tournaments import playing
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament

OLD = Path(__file__).parent / "old"
TOURNAMENTS = (
    ("tic_tac_toe", ["random", "mcts(simulations=4)", "mcts(simulations=2)"], 8, 3, 2),
    ("kuhn_poker", ["random", "uniform_random", "mcts(simulations=4)"], 24, 5, 0),
    ("coin_game(episode_length=4)", ["random", "uniform_random"], 4, 5, 0),
)


@pytest.fixture
def path(tmp_path):
    return Path(shutil.copy(OLD / "matches_8e3fc7f.db", tmp_path / "m.db"))


def checked(game, bots, num_games, seed, opening_plies):
    return Tournament.checked(game, bots, num_games=num_games, seed=seed, opening_plies=opening_plies)


def test_every_match_reads_and_follows_from_its_game(path):
    with Database(path, must_exist=True) as database:
        assert [one.matches for one in database.experiments()] == [24, 72, 4]
        for record in database.records():
            check(record)


def test_its_schedule_is_todays_in_the_same_order(path):
    with Database(path, must_exist=True) as database:
        for experiment, (game, *rest) in zip(database.experiments(), TOURNAMENTS):
            stored = database.stored(experiment.id, game)
            assert sorted(stored, key=stored.get) == list(checked(game, *rest).schedule())


@pytest.mark.parametrize("game, bots, num_games, seed, opening_plies", TOURNAMENTS)
def test_it_resumes(path, monkeypatch, game, bots, num_games, seed, opening_plies):
    played = []
    real = playing.play_match
    monkeypatch.setattr(playing, "play_match", lambda *args, **rest: played.append(args) or real(*args, **rest))
    play(checked(game, bots, num_games, seed, opening_plies), db=path)
    assert not played
    play(checked(game, bots, num_games + 2, seed, opening_plies), db=path)
    assert len(played) == 2 * len(bots) * (len(bots) - 1) // 2
    with Database(path, must_exist=True) as database:
        assert len(database.experiments()) == 3  # nothing was taken for another experiment


def test_it_rates_and_every_match_of_bots_that_are_not_deterministic_counts(path):
    with Database(path, must_exist=True) as database:
        found = {one["game"]: one for one in rate(database.results())["games"]}
        gained = defaultdict(list)
        for record in database.records():
            for bot, value in zip(record.seats, record.returns):
                gained[record.game, bot].append(value)
    assert [found[game]["unique_matches"] for game, *_ in TOURNAMENTS] == [24, 72, 4]
    for (game, bot), values in gained.items():
        own = found[game]["mean_returns"]["bots"][bot]
        assert own["matches"] == len(values) and own["mean"] == pytest.approx(sum(values) / len(values))
    ranked = {game: found[game]["ranked_by"]["figure"] for game in found}
    assert ranked == {
        "tic_tac_toe": "elo",
        "kuhn_poker": "mean_returns",
        "coin_game(episode_length=4)": "mean_returns",
    }
