"""bargaining_twist against OpenSpiel's bargaining, and its chances by brute force."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict

import pyspiel
import pytest

from games.seeing import views

LIKE_OPENSPIEL = "(min_items=5,max_items=7,worth=10,max_turns=10,give=false)"


def play(parameters: str, *names: str) -> pyspiel.State:
    state = pyspiel.load_game("bargaining_twist" + parameters).new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def test_without_the_twist_games_go_as_openspiels():
    rng = random.Random(3)
    theirs = pyspiel.load_game("bargaining")
    agreed = 0
    for _ in range(60):
        truth = theirs.new_initial_state()
        truth.apply_action(rng.choice(truth.legal_actions()))
        instance = truth.instance()
        pool, *values = (" ".join(map(str, row)) for row in (instance.pool, *instance.values))
        state = play(LIKE_OPENSPIEL, f"pool {pool}", *(f"values {row}" for row in values))
        while True:
            assert state.current_player() == truth.current_player()
            assert state.returns() == truth.returns()
            for player in range(2):
                ours, expected = (views.view(s, player).data for s in (state, truth))
                assert list(ours.values()) == list(expected.values())
            if truth.is_terminal():
                break
            names = [
                name.replace("offer", "keep").replace("agree", "accept")
                for name in views.actions_by_name(truth)
            ]
            assert sorted(names) == sorted(views.actions_by_name(state))
            name = rng.choice(names if rng.random() < 0.7 else names[-1:])
            state.apply_action(views.action_from_name(state, name))
            openspiels = name.replace("keep", "offer").replace("accept", "agree")
            truth.apply_action(views.action_from_name(truth, openspiels))
        agreed += views.view(state, 0).data["accepted"]
    assert 10 < agreed < 60


def test_the_draw_by_brute_force():
    """All instances by the rules, and how likely each is as three draws one after the other."""
    pools = [p for p in itertools.product(range(1, 5), repeat=3) if 4 <= sum(p) <= 6]
    triples = list(itertools.product(range(13), repeat=3))
    instances = defaultdict(lambda: defaultdict(list))
    for pool in pools:
        fits = [v for v in triples if sum(a * b for a, b in zip(pool, v)) == 12]
        for one, two in itertools.product(fits, repeat=2):
            both = sum(a > 0 and b > 0 for a, b in zip(one, two))
            if both and all(a > 0 or b > 0 for a, b in zip(one, two)):
                instances[pool][one].append(two)
    state = play("")
    name = "pool {} {} {}".format
    assert views.chance_distribution(state) == pytest.approx(
        {name(*pool): 1 / len(instances) for pool in instances}
    )
    for pool in random.Random(1).sample(sorted(instances), 4):
        drawn = play("", name(*pool))
        firsts = instances[pool]
        name_values = "values {} {} {}".format
        assert views.chance_distribution(drawn) == pytest.approx(
            {name_values(*one): 1 / len(firsts) for one in firsts}
        )
        one = sorted(firsts)[0]
        drawn = play("", name(*pool), name_values(*one))
        assert views.chance_distribution(drawn) == pytest.approx(
            {name_values(*two): 1 / len(firsts[one]) for two in firsts[one]}
        )


def test_offers_give():
    state = play("", "pool 2 1 1", "values 3 0 6", "values 1 8 2")
    assert views.view(state, 0).data == {
        "pool": [2, 1, 1],
        "values": [3, 0, 6],
        "offers": [],
        "accepted": False,
    }
    assert views.view(state, 0).legal[:3] == ("give 0 0 0", "give 0 0 1", "give 0 1 0")
    # Player 0 gives a lamp and the rope, and keeps a lamp and the seed.
    ended = play("", "pool 2 1 1", "values 3 0 6", "values 1 8 2", "give 1 1 0", "accept")
    assert ended.returns() == [9, 9]
    # Player 1 gives the seed and keeps the rest.
    ended = play("", "pool 2 1 1", "values 3 0 6", "values 1 8 2", "give 0 0 0", "give 0 0 1", "accept")
    assert ended.returns() == [6, 10]


def test_the_last_offer_ends_the_game():
    start = ("(max_turns=2)", "pool 2 1 1", "values 3 0 6", "values 1 8 2")
    assert not play(*start, "give 0 0 0").is_terminal()
    state = play(*start, "give 0 0 0", "give 2 1 1")
    assert state.is_terminal() and state.returns() == [0, 0]


def test_resampling_draws_the_values_that_fit():
    state = play("", "pool 2 1 1", "values 3 0 6", "values 1 8 2", "give 1 1 0")
    expected = views.chance_distribution(play("", "pool 2 1 1", "values 3 0 6"))
    marks = [(number + 0.5) / 3000 for number in range(3000)]
    drawn = Counter()
    for mark in marks:
        numbers = iter([mark] * 9)
        other = state.resample_from_infostate(0, lambda: next(numbers))
        drawn["values {} {} {}".format(*other.position.values[1])] += 1 / 3000
    assert dict(drawn) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ("(min_items=2)", "3 <= min_items <= max_items <= 8, got 2 and 6"),
        ("(worth=0)", "worth must be from 1 to 20, got 0"),
        ("(max_turns=0)", "max_turns must be 1 or more, got 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("bargaining_twist" + parameters)
