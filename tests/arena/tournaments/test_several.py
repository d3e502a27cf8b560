"""Tournaments of more than two players: what is played, kept, summed up and said."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from arena.matches.positions import check, transcript
from arena.store.database import Database
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from arena.tournaments.text import tournament_text
from runs.executors import make_executor
from tests.runs import warm

BETS, PASSES = "fixed_action_preference(actions=1:0)", "fixed_action_preference(actions=0:1)"


def kuhn(players, bots, num_games, **changes):
    return Tournament.checked(
        f"kuhn_poker(players={players})", bots, num_games=num_games, seed=2, opening_plies=0, **changes
    )


@pytest.mark.parametrize("players", [3, 4, 6])
def test_processes_play_what_one_process_plays(tmp_path, players):
    wanted = kuhn(players, ["random", "uniform_random", BETS, PASSES], 24)
    inline = play(wanted)
    with make_executor("processes:2") as executor:
        records = play(wanted, executor=executor, db=tmp_path / "m.db")
    assert [one.actions() for one in records] == [one.actions() for one in inline]
    assert [(one.seats, one.seed) for one in records] == list(wanted.schedule())
    assert summarize(wanted, records) == summarize(wanted, inline)
    for record in records:
        check(record)


def test_bets_against_passes_by_hand():
    # Two who always bet and one who always passes: it folds its ante, and the bettors, who both put in two, share
    # what lies there by their cards. Over the seats of a deal each bettor of a line-up of three different bots
    # has what the deal gives it, so the sum of the returns of both is 1 in each match.
    wanted = kuhn(3, [BETS, PASSES], 60)
    records = play(wanted)
    result = summarize(wanted, records)
    assert (result["players"], result["line_ups"], result["block"], result["matches"]) == (3, 2, 6, 60)
    by_hand = {BETS: [], PASSES: []}
    for record in records:
        for seat, bot in enumerate(record.seats):
            by_hand[bot].append((seat, record.returns[seat]))
    for bot, own in result["per_bot"].items():
        assert own["matches"] == len(by_hand[bot]) == 90  # seats: two in one line-up and one in the other
        assert own["mean"] == pytest.approx(np.mean([value for _, value in by_hand[bot]]))
        for seat, figure in enumerate(own["by_seat"]):
            values = [value for at, value in by_hand[bot] if at == seat]
            assert figure["mean"] == pytest.approx(np.mean(values)) and figure["matches"] == len(values) == 30
        assert own["low"] <= own["mean"] <= own["high"]
        assert own["forfeits"] == {"illegal": 0, "timeout": 0, "crash": 0}
    two_bet = [one.returns[one.seats.index(PASSES)] for one in records if one.seats.count(BETS) == 2]
    assert set(two_bet) == {-1.0}
    one_bets = [one.returns[one.seats.index(BETS)] for one in records if one.seats.count(BETS) == 1]
    assert set(one_bets) == {2.0}
    # It pays 2 in 30 matches, and 1 for both of two seats in 30 others.
    assert result["per_bot"][BETS]["mean"] == pytest.approx((2 * 30 + 1 * 30) / 90)
    assert result["per_bot"][PASSES]["mean"] == -1.0
    assert any(
        note.startswith("there are matches in which a bot has several seats")
        for note in result["rating"]["notes"]
    )


def test_who_forfeits_is_last_and_the_others_share():
    wanted = Tournament.checked(
        "leduc_poker(players=3)",
        ["random", "uniform_random", "fixed_action_preference(actions=2)"],  # it may not raise for ever
        num_games=30,
        seed=1,
        opening_plies=0,
    )
    records = play(wanted)
    result = summarize(wanted, records)
    raiser = wanted.bots[2]
    broken = [one for one in records if one.forfeit]
    assert broken and result["forfeits"][0]["bot"] == raiser
    assert result["per_bot"][raiser]["forfeits"]["crash"] == result["forfeits"][0]["matches"] == len(broken)
    for one in broken:
        seat = one.seats.index(raiser)
        assert one.forfeit.player == seat
        # The lowest utility is -13, and the game is zero-sum.
        assert one.returns == tuple(-13.0 if at == seat else 6.5 for at in range(3))
    text = tournament_text(result)
    assert f"{raiser} forfeited {len(broken)} of its matches (crash)" in text
    assert "Plackett-Luce" in text and "seat 2" in text and "seed: 1" in text


def test_the_command_says_before_play_what_it_plays(tmp_path):
    path = tmp_path / "m.db"
    done = warm.run(
        "arena.tournament",
        "--game=kuhn_poker(players=4)",
        f"--bots=random,uniform_random,{BETS}",
        "--num_games=24",
        "--opening_plies=0",
        f"--db={path}",
        f"--json={tmp_path / 'r.json'}",
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("3 line-ups of 4, each in 1 block of up to 24 matches with one deal")
    assert "3 bots for 4 seats" in done.stderr
    result = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert result["matches"] == 36 and result["per_bot"].keys() == set(result["bots"])

    rated = warm.run(
        "arena.ratings", f"--db={path}", f"--json={tmp_path / 'rated.json'}", f"--plot={tmp_path / 'r.png'}"
    )
    assert rated.returncode == 0, rated.stderr
    (game,) = json.loads((tmp_path / "rated.json").read_text("utf-8"))["games"]
    assert game["mean_returns"]["bots"]["random"]["mean"] == result["per_bot"]["random"]["mean"]
    assert game["plackett_luce"]["bots"]["random"]["strength"] == pytest.approx(
        result["per_bot"]["random"]["plackett_luce"]["strength"]
    )

    assert warm.run("arena.convert", f"--input={path}", f"--output={tmp_path / 'm.csv'}").returncode == 0
    with (tmp_path / "m.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 36 * 4 and {row["seat"] for row in rows} == set("0123")
    means = [float(row["return"]) for row in rows if row["bot"] == "random"]
    assert np.mean(means) == pytest.approx(result["per_bot"]["random"]["mean"])
    for name in ("m.jsonl", "m.openspiel.jsonl"):
        assert warm.run("arena.convert", f"--input={path}", f"--output={tmp_path / name}").returncode == 0
        back = warm.run("arena.convert", f"--input={tmp_path / name}", f"--output={tmp_path / (name + '.db')}")
        assert "36 matches, 36 of them new" in back.stdout

    replayed = warm.run("arena.replay", f"--db={path}", "--check")
    assert "36 of 36 matches agree" in replayed.stdout
    with Database(path, must_exist=True) as database:
        shown = list(transcript(database.match(1)))
    assert [piece.partition(":")[0] for piece in shown[1:5]] == [f"player {seat}" for seat in range(4)]


def test_more_bots_and_blocks_are_added_to_a_file(tmp_path):
    path = tmp_path / "m.db"
    play(kuhn(3, ["random", BETS, PASSES], 12), db=path)
    seen = []
    more = kuhn(3, ["uniform_random", "random", BETS, PASSES], 18)
    play(more, db=path, observers=[seen.append])
    with Database(path, must_exist=True) as database:
        [experiment] = database.experiments()
        assert experiment.matches == len(seen) == 4 * 18
        assert set(database.stored(experiment.id, more.game)) == set(more.schedule())
