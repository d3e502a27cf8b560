"""A database of an earlier version opens, resumes and rates.

`old/matches_8e3fc7f.db` was written by `arena.tournament` at commit 8e3fc7f: tic_tac_toe with `--bots="random,
mcts(simulations=4),mcts(simulations=2)" --num_games=8 --seed=3 --opening_plies=2`, kuhn_poker with
`--bots="random,uniform_random,mcts(simulations=4)" --num_games=24 --seed=5 --opening_plies=0`, and
`coin_game(episode_length=4)` with `--bots=random,uniform_random --num_games=4 --seed=5 --opening_plies=0`.
`old/ratings_8e3fc7f.json` is what `arena.ratings --db --json` of that version said of it.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from arena.matches.positions import check
from arena.rating.rate import over_time, rate
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


def test_it_rates_as_it_did(path):
    with Database(path, must_exist=True) as database:
        results = database.results()
    found = json.loads(json.dumps({**rate(results), "over_time": over_time(results)}))
    wanted = json.loads((OLD / "ratings_8e3fc7f.json").read_text("utf-8"))
    assert leaves(found) == pytest.approx(leaves(wanted), abs=1e-9, rel=1e-9)
    assert texts(found) == texts(wanted)


SOLVED = ("nash_averaging", "alpha_rank")
"""Figures of numerical solvers, which differ in late digits from one version of theirs to the next."""


def walked(value, place=""):
    if isinstance(value, dict):
        for key in value.keys() - set(SOLVED):
            yield from walked(value[key], f"{place}/{key}")
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from walked(one, f"{place}/{number}")
    else:
        yield place, value


def leaves(value):
    return {place: one for place, one in walked(value) if isinstance(one, (int, float))}


def texts(value):
    return {place: one for place, one in walked(value) if not isinstance(one, (int, float))}
