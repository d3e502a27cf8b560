"""The figures of matches of more than two players agree with those of two."""

from __future__ import annotations

import numpy as np
import pytest

from arena.matches.records import MatchRecord, Move
from arena.rating.rate import over_time, rate
from arena.store.results import Results

RETURNS = [(1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)]


def played(rng, last=()):
    """Mirrored pairs of three bots, with more seats at the end: (bot, return)."""
    bots, returns = tuple(bot for bot, _ in last), tuple(value for _, value in last)
    for seed in range(30):
        for pair in ("ab", "ba", "bc", "cb", "ac", "ca"):
            result = RETURNS[rng.choice(3, p=(0.5, 0.3, 0.2))]
            yield MatchRecord(
                "tic_tac_toe",
                (*pair, *bots),
                seed,
                0,
                None,
                0,
                (Move(-1, 0), Move(0, int(rng.integers(1000)))),
                (*result, *returns),
                ended=float(seed),
            )


def rated(last=()):
    results = Results.from_records(played(np.random.default_rng(4), last))
    return rate(results, resamples=200)["games"][0], over_time(results)[0]


def test_a_third_seat_of_no_account_changes_no_bit_of_the_others_returns():
    two, _ = rated()
    three, history = rated([("z", 0.0)])
    assert (two["players"], three["players"]) == (2, 3)
    for bot, own in two["mean_returns"]["bots"].items():
        beside = three["mean_returns"]["bots"][bot]
        assert beside["by_seat"].pop() == {
            "matches": 0,
            "mean": None,
            "low": None,
            "high": None,
            "reliable": False,
        }
        assert beside == own
        assert history["bots"][bot][-1] == own["mean"]
    assert [three[name] for name in ("matches", "unique_matches", "openings")] == [180, 180, 30]


@pytest.mark.parametrize("last", [[("z", -9.0)], [("z", -9.0), ("y", -10.0)]])
def test_those_who_are_always_behind_change_no_strength_of_the_others(last):
    two, _ = rated()
    more, _ = rated(last)
    for bot, own in two["bradley_terry"]["bots"].items():
        beside = more["plackett_luce"]["bots"][bot]
        assert (
            beside["strength"] == pytest.approx(own["strength"], abs=1e-8)
            and beside["group"] == own["group"] == 0
        )
        # Other resamples, of the same blocks.
        assert beside["low"] == pytest.approx(own["low"], abs=0.1)
        assert beside["high"] == pytest.approx(own["high"], abs=0.1)
    for bot, _ in last:
        assert more["plackett_luce"]["bots"][bot]["strength"] is None
    assert "plackett_luce" not in two  # there it would be Bradley-Terry


def test_who_wins_rarely_and_much_leads_by_mean_return_and_a_note_says_why():
    def match(seed, seats, returns):
        moves = (Move(-1, 0), Move(0, seed))
        return MatchRecord("kuhn_poker(players=3)", seats, seed, 0, None, 0, moves, returns)

    # The bold one wins 6 in two matches of five and is last in the others: 0.6 in the mean, -0.4 and -0.2 the others.
    results = [(6.0, -3.0, -3.0), (-3.0, 1.0, 2.0), (-3.0, 2.0, 1.0), (6.0, -4.0, -2.0), (-3.0, 2.0, 1.0)]
    records = [match(seed, ("bold", "calm", "even"), returns) for seed, returns in enumerate(results)]
    (game,) = rate(Results.from_records(records), resamples=20)["games"]
    means = {bot: own["mean"] for bot, own in game["mean_returns"]["bots"].items()}
    assert means == pytest.approx({"bold": 0.6, "calm": -0.4, "even": -0.2})
    strengths = {bot: own["strength"] for bot, own in game["plackett_luce"]["bots"].items()}
    assert max(strengths, key=strengths.get) != "bold"
    assert sum("bold has the highest mean return" in note for note in game["notes"]) == 1
    again = [match(seed, ("bold", "calm", "even"), (2.0, -1.0, -1.0 - seed % 2)) for seed in range(4)]
    (game,) = rate(Results.from_records(again), resamples=20)["games"]
    assert not any("highest mean return" in note for note in game["notes"])
