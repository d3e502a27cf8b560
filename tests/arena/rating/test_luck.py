"""Luck-adjusted mean returns of tournaments: which games and bots, which intervals, and the two commands."""

from __future__ import annotations

import json
from dataclasses import replace

import pyspiel
import pytest
from open_spiel.python.algorithms.expected_game_score import policy_value

from arena.bots.policies import policy_from_bot
from arena.matches.match import play_match
from arena.matches.records import ForfeitRecord
from arena.rating.luck.adjusting import luck_adjusted
from arena.rating.rate import rate
from arena.rating.tables import luck_text
from arena.store.database import Database
from arena.store.results import Results
from tests.runs import warm

CFR, ALWAYS = "cfr(iterations=20)", "fixed_action_preference(actions=1:0)"


def played(game, bots, blocks, **arguments):
    """Mirrored pairs of each two bots."""
    return [
        play_match(game, seats, seed, **arguments)
        for seed in range(blocks)
        for place, first in enumerate(bots)
        for second in bots[place + 1 :]
        for seats in ((first, second), (second, first))
    ]


def adjusted(records, method="aivat", **arguments):
    found = luck_adjusted(Results.from_records(records), records, method, **arguments)
    json.dumps(found, allow_nan=False)
    return found


def exact(game_string, one, other):
    """The mean return of a bot against another over both seats, by OpenSpiel."""
    game = pyspiel.load_game(game_string)
    policies = [policy_from_bot(bot, game) for bot in (one, other)]
    first = policy_value(game.new_initial_state(), policies)[0]
    return (first + policy_value(game.new_initial_state(), policies[::-1])[1]) / 2


def test_bots_of_known_policy_have_their_exact_mean_and_the_others_a_narrower_interval():
    bots = [CFR, "random", "ismcts(simulations=4)"]
    records = played("kuhn_poker", bots, 50)
    (found,) = adjusted(records)
    assert (found["known"], found["unknown"], found["may_peek"]) == ([CFR, "random"], bots[2:], [])
    truth = exact("kuhn_poker", CFR, "random")
    row, column = found["bots"].index(CFR), found["bots"].index("random")
    for figure in ("mean_return", "mean_return_low", "mean_return_high"):
        assert found["crosstable"][figure][row][column] == pytest.approx(truth)
    raw = rate(Results.from_records(records))["games"][0]["mean_returns"]["bots"]
    for bot, own in found["mean_returns"]["bots"].items():
        assert own["raw"] == {key: raw[bot][key] for key in ("mean", "low", "high", "reliable")}
        assert own["variance_ratio"] > 3
        assert own["high"] - own["low"] < 0.6 * (raw[bot]["high"] - raw[bot]["low"])
    assert sum(own["mean"] for own in found["mean_returns"]["bots"].values()) == pytest.approx(0)
    text = luck_text([found])
    assert text.startswith(
        "kuhn_poker: mean returns, luck-adjusted by AIVAT; bots of unknown policy are valued as"
    )
    assert "variance, raw to adjusted" in text and "unreliable" not in text


def test_two_known_policies_are_exact_and_say_so():
    (found,) = adjusted(played("kuhn_poker", [CFR, ALWAYS], 2))
    truth = exact("kuhn_poker", CFR, ALWAYS)
    own = found["mean_returns"]["bots"][CFR]
    assert [own[key] for key in ("mean", "low", "high")] == pytest.approx([truth] * 3)
    assert own["variance_ratio"] is None and own["reliable"] and own["raw"]["low"] < own["raw"]["mean"]
    assert "exact" in luck_text([found])


def test_openings_stay_luck():
    (found,) = adjusted(played("kuhn_poker", ["random", ALWAYS], 6, opening_plies=1))
    own = found["mean_returns"]["bots"]["random"]
    assert own["low"] < own["mean"] < own["high"]
    # Betting's interval is of the range that adjusted returns have; raw returns go from -2 to 2.
    assert own["high"] - own["low"] < own["raw"]["high"] - own["raw"]["low"]


def test_who_forfeits_has_no_known_policy():
    records = played("kuhn_poker", [CFR, "random"], 20)
    shorter = replace(
        records[0], moves=records[0].moves[:2], returns=(-2.0, 2.0), forfeit=ForfeitRecord(0, "crash", "oh")
    )
    (found,) = adjusted([shorter, *records[1:]])
    assert (found["known"], found["unknown"]) == (["random"], [CFR])


def test_a_bot_that_does_not_play_the_policy_it_gives_is_noticed():
    true = played("kuhn_poker", [CFR, "random"], 100)
    false = [
        replace(record, seats=tuple("random" if bot == ALWAYS else bot for bot in record.seats))
        for record in played("kuhn_poker", ["mccfr(iterations=1)", ALWAYS], 100)
    ]
    (honest,), (dishonest,) = adjusted(true), adjusted(false)
    assert honest["notes"] == []
    assert "do not trust the adjusted means of mccfr(iterations=1), random" in luck_text([dishonest])


def test_who_may_peek():
    records = played("kuhn_poker", [CFR, "mcts(simulations=2,peek=true)", "ismcts(simulations=2)"], 2)
    (found,) = adjusted(records)
    assert found["may_peek"] == ["mcts(simulations=2,peek=true)"]
    (found,) = adjusted(records, "control_variates")
    assert found["may_peek"] == found["unknown"] == ["ismcts(simulations=2)", "mcts(simulations=2,peek=true)"]
    assert "without imaginary observations" in luck_text([found]) and "may peek" in luck_text([found])


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("tic_tac_toe", "ranked by Elo"),
        ("goofspiel(returns_type=point_difference)", "more than 20,000 decisions"),
    ],
)
def test_games_that_are_not_adjusted_say_why(game, why):
    (found,) = adjusted(played(game, ["random", "uniform_random"], 1))
    assert why in found["absent"] and why in luck_text([found])


def test_three_at_a_table():
    bots = ("random", "ismcts(simulations=2)", "fixed_action_preference(actions=0:1)")
    records = [
        play_match("kuhn_poker(players=3)", (*bots[turn:], *bots[:turn]), seed)
        for seed in range(12)
        for turn in range(3)
    ]
    (found,) = adjusted(records)
    means = found["mean_returns"]["bots"]
    assert sum(own["mean"] for own in means.values()) == pytest.approx(0)
    assert "crosstable" not in found and all(own["variance_ratio"] > 1 for own in means.values())


def test_moves_of_other_matches_are_refused():
    records = played("kuhn_poker", [CFR, "random"], 2)
    results = Results.from_records(records)
    with pytest.raises(ValueError, match="match 0: its moves"):
        luck_adjusted(results, records[::-1], "aivat")
    with pytest.raises(ValueError, match="expected the moves of 4 matches, found 3"):
        luck_adjusted(results, records[:3], "aivat")


def test_the_command_of_ratings_reads_the_moves(tmp_path):
    records = played("kuhn_poker", [CFR, "ismcts(simulations=2)"], 20)
    db, target = tmp_path / "matches.db", tmp_path / "ratings.json"
    with Database(db) as database:
        database.add_all(database.experiment({"n": 1}), played("tic_tac_toe", ["random", "uniform_random"], 1))
        database.add_all(database.experiment({"n": 2}), records)
    flags = (f"--db={db}", "--game=kuhn_poker", "--seed=1", f"--json={target}", "--luck_adjusted=aivat")
    done = warm.run("arena.ratings", *flags)
    assert done.returncode == 0, done.stderr
    found = adjusted(records, seed=1)
    assert json.loads(target.read_text())["luck_adjusted"] == found
    assert luck_text(found) in done.stdout
