"""Bounds of what was not seen, against hand-computed values and the binomial distribution itself."""

from __future__ import annotations

import pyspiel
import pytest
from scipy import stats

from cwm.trust.checks import Failure
from cwm.trust.trajectories import from_names
from cwm.trust.verification.events import bound, kinds_of, upper_bound

WON = ["x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(0,2)"]
LOST = ["x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)", "x(2,2)", "o(1,2)"]


@pytest.mark.parametrize("trials", [1, 10, 59, 300])
def test_without_a_failure_it_is_the_closed_form(trials):
    assert upper_bound(0, trials) == pytest.approx(1 - 0.05 ** (1 / trials))


def test_the_rule_of_three():
    assert upper_bound(0, 59) < 0.05 < upper_bound(0, 58)
    assert upper_bound(0, 1_000) == pytest.approx(3 / 1_000, rel=0.01)


@pytest.mark.parametrize("failures, trials", [(1, 10), (3, 20), (40, 41)])
def test_at_the_bound_so_few_failures_have_a_chance_of_one_in_twenty(failures, trials):
    assert stats.binom.cdf(failures, trials, upper_bound(failures, trials)) == pytest.approx(0.05)


def test_nothing_seen_bounds_nothing_and_nonsense_is_refused():
    assert upper_bound(0, 0) == upper_bound(7, 7) == 1.0
    with pytest.raises(ValueError, match="0 <= failures <= trials"):
        upper_bound(3, 2)


def games(*histories):
    return [from_names(pyspiel.load_game("tic_tac_toe"), names) for names in histories]


def test_kinds_tell_who_won():
    (game,) = games(LOST)
    assert kinds_of(game) == ["player: _, then another player"] * 5 + ["player: _, then end -+"]


def test_events_are_counted_by_games_up_to_the_first_failure():
    """Three games; in the second the model errs at its end, in the third at the second move."""
    played = games(WON, LOST, LOST)
    found = bound(played, [Failure(1, 5, tuple(LOST[:5]), LOST[5]), Failure(2, 1, tuple(LOST[:1]), LOST[1])])
    by_kind = {event.kind: (event.transitions, event.games, event.failed) for event in found.kinds}
    assert by_kind == {
        "player: _, then end +-": (1, 1, 0),
        "player: _, then end -+": (1, 1, 1),
        "player: _, then another player": (4 + 5 + 2, 3, 1),
    }
    assert (found.games, found.failed, found.at_most) == (3, 2, upper_bound(2, 3))
    assert found.kinds[-1].at_most == upper_bound(1, 3)
