from __future__ import annotations

import importlib
import itertools
import json
import time

import pyspiel
import pytest

from arena.matches.forfeit import Forfeit
from arena.store.database import Database
from arena.tournament import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from runs.executors import make_executor
from tests.runs import warm

registry = importlib.import_module("arena.registry.bots")


def _run(*arguments):
    return warm.run("arena.tournament", *arguments)


def _small(**changes):
    return Tournament.checked(
        **{
            "game": "tic_tac_toe",
            "bots": ["random", "mcts(simulations=4)"],
            "num_games": 4,
            "seed": 3,
            **changes,
        }
    )


@pytest.fixture
def scratch_bots(monkeypatch):
    """A registry with two deterministic bots and one that gives up, restored afterwards."""
    monkeypatch.setattr(registry, "_entries", dict(registry.bots()))

    class Fixed(pyspiel.Bot):
        def __init__(self, index):
            super().__init__()
            self._index = index

        def restart_at(self, state):
            pass

        def step(self, state):
            if self._index is None:
                raise Forfeit("timeout", "no time today")
            return state.legal_actions()[self._index]

    for name, index in (("lowest", 0), ("highest", -1), ("quitter", None)):
        registry.register_bot(name, summary="", deterministic=True)(
            lambda game, player_id, seed, index=index: Fixed(index)
        )


def test_schedule_is_a_mirrored_round_robin():
    bots = ("a", "b", "c")
    schedule = list(Tournament("g", bots, 6, 1).schedule())
    assert len(schedule) == 3 * 6 == len(set(schedule))
    for pair in itertools.permutations(bots, 2):
        assert sum(seats == pair for seats, _ in schedule) == 3
    for seats, seed in schedule:
        assert (seats[::-1], seed) in schedule
    assert len({seed for _, seed in schedule}) == 3  # all bots face the same openings
    # More games or bots only add to what was scheduled.
    assert set(schedule) < set(Tournament("g", bots + ("d",), 8, 1).schedule())
    assert not set(schedule) & set(Tournament("g", bots, 6, 2).schedule())


def test_result_does_not_depend_on_the_executor():
    wanted = _small(game="leduc_poker", bots=["random", "mcts(simulations=4,peek=true)"])
    inline = play(wanted)
    with make_executor("processes:2") as executor:
        spawned = play(wanted, executor=executor)
    assert [r.actions() for r in inline] == [r.actions() for r in spawned]
    assert summarize(wanted, inline) == summarize(wanted, spawned)


def test_deterministic_bots_count_once(scratch_bots):
    wanted = _small(bots=["lowest", "highest"], num_games=20, opening_plies=0)
    result = summarize(wanted, play(wanted))
    assert (result["matches"], result["unique_matches"]) == (20, 2)
    assert result["pairs"][0]["unique_matches"] == 2
    assert result["per_bot"]["lowest"]["wins"] + result["per_bot"]["highest"]["wins"] <= 2
    opened = _small(bots=["lowest", "highest"], num_games=20, opening_plies=2)
    assert summarize(opened, play(opened))["unique_matches"] > 10


def test_forfeits_are_counted_apart(scratch_bots):
    wanted = _small(bots=["quitter", "random"])
    result = summarize(wanted, play(wanted))
    quitter, random = result["per_bot"]["quitter"], result["per_bot"]["random"]
    # Seeds that share an opening make identical matches, which count once.
    unique = result["unique_matches"]
    assert quitter["forfeits"] == {"illegal": 0, "timeout": unique, "crash": 0}
    assert random["forfeits"] == {"illegal": 0, "timeout": 0, "crash": 0}
    assert (random["wins"], random["wins_by_forfeit"]) == (unique, unique)


def test_extra_results_are_merged():
    wanted = _small()
    records = play(wanted)
    plain = summarize(wanted, records)
    assert summarize(wanted, records, {"accuracy": 1.0}) == {**plain, "accuracy": 1.0}
    with pytest.raises(ValueError, match="'seed' is a name of the result's own"):
        summarize(wanted, records, {"seed": 1})


@pytest.mark.parametrize(
    "change, part",
    [
        (dict(num_games=3), "num_games: expected an even number"),
        (dict(num_games=0), "num_games"),
        (dict(seed=-1), "seed: expected 0 or more"),
        (dict(opening_plies=-1), "opening_plies"),
        (dict(move_seconds=0.0), "move_seconds"),
        (dict(game="morpion_solitaire"), "expected 2, one for each bot of a match, found 1"),
        (dict(game="kuhn_poker(players=3)", players=2), "expected 2, one for each bot of a match, found 3"),
        (dict(game="kuhn_poker(players=3)", num_games=20), "a multiple of 6, .* found 20; try 18"),
        (dict(game="kuhn_poker(players=6)", num_games=2), "a multiple of 6, .* found 2; try 6"),
        (dict(bots=["random"]), "at least two"),
        (dict(bots=["random", " random()"]), "'random' is listed twice"),
        (dict(game="goofspiel"), "they move at once; choose smcts"),
    ],
)
def test_bad_tournaments_are_refused_before_play(change, part):
    with pytest.raises(ValueError, match=part):
        _small(**change)


def test_command_prints_a_table_and_writes_json(tmp_path):
    target, path = tmp_path / "r.json", tmp_path / "m.db"
    flags = [
        "--game=connect_four",
        "--bots=mcts(simulations=30,rollouts=1), random",
        "--seed=5",
        "--num_games=10",
        "--luck_adjusted=aivat",
    ]
    done = _run(*flags, f"--json={target}", f"--db={path}", "--executor=processes:1")
    assert done.returncode == 0, done.stderr
    assert "connect_four: no luck-adjusted mean returns, as its matches are won" in done.stdout
    assert "mcts(simulations=30,rollouts=1)" in done.stdout
    assert "match" not in done.stderr  # no bar in a file
    result = json.loads(target.read_text())
    strong = result["per_bot"]["mcts(simulations=30,rollouts=1)"]
    with Database(path, must_exist=True) as database:
        assert result["matches"] == 10 == len(database.match_ids())
        [experiment] = database.experiments()
    assert experiment.config == {
        "kind": "tournament",
        "game": "connect_four",
        "seed": 5,
        "opening_plies": 0,
        "move_seconds": None,
    }
    assert time.time() - 100 < experiment.first_ended <= experiment.last_ended < time.time()
    assert strong["wilson_low"] < strong["score"] < strong["wilson_high"] or strong["score"] == 1
    assert strong["score"] > 0.5
    before = target.read_bytes()
    assert _run(*flags, f"--json={target}").returncode == 0
    assert target.read_bytes() == before


@pytest.mark.parametrize(
    "arguments, part",
    [
        ([], "--game is missing"),
        (["--game=tic_tac_toe"], "--bots is missing"),
        (["--game=tictactoe", "--bots=random,mcts"], "did you mean tic_tac_toe"),
        (["--game=tic_tac_toe", "--bots=random,mtcs"], "did you mean mcts"),
        (["--game=tic_tac_toe", "--bots=random,mcts(x"], "not closed"),
        (["--game=tic_tac_toe", "--bots=random,mcts", "--num_games=x"], "num_games"),
        (["--game=tic_tac_toe", "--bots=random,mcts", "--executor=gpu"], "executor"),
        (["--game=tic_tac_toe", "--bots=random,mcts", "--json=/nowhere/r.json"], "/nowhere"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, part):
    done = _run(*arguments)
    assert done.returncode == 2, done.stderr
    assert part in done.stderr
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert done.stdout == ""
