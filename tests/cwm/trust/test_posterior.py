"""Samples beside the exact posterior: worked out by hand on Kuhn poker, and against OpenSpiel's own sampler."""

from __future__ import annotations

from collections import Counter

import pyspiel
import pytest

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import posterior
from games.seeing import views
from tests.cwm.trust.test_inference import INFERENCE


def state_after(game, *names):
    state = game.new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def test_kuhn_by_hand():
    """Player 1 holds card 1 and has seen a bet: player 0 has card 0 or 2, equally likely."""
    game = pyspiel.load_game("kuhn_poker")
    deal = [views.action_name(game.new_initial_state(), card) for card in range(3)]
    state = game.new_initial_state()
    for action in (0, 1, 1):
        state.apply_action(action)
    exact = posterior.exact_posterior(state, 1)
    assert sorted(exact.values()) == [0.5, 0.5]
    assert {names[0] for names in exact} == {deal[0], deal[2]}


def test_leduc_is_openspiels_own_posterior():
    game = load_game("leduc_poker")
    state = state_after(game, "deal Js", "deal Qh", "raise", "call", "deal Kh", "call")
    exact = posterior.exact_posterior(state, 1)
    assert len(exact) == 4 and set(exact.values()) == {0.25}
    marks = iter([index / 400 for index in range(400)] * 3)
    drawn = Counter(state.resample_from_infostate(1, lambda: next(marks)).history()[0] for _ in range(400))
    assert set(drawn) == {views.action_from_name(game.new_initial_state(), names[0]) for names in exact}


def test_exact_sampling_is_no_further_away_than_noise_and_a_skewed_one_is(source_of):
    game = load_game("leduc_poker")
    exact = source_of("leduc") + INFERENCE
    right = posterior.distance(exact, game, decisions=12, samples=1_000)
    assert right.decisions == 12 and right.mean < 1.5 * right.noise
    skewed = exact.replace("int(rand() * len(unseen))", "int(rand() ** 2 * len(unseen))")
    assert posterior.distance(skewed, game, decisions=12, samples=1_000).mean > 0.2


def test_samples_that_break_the_rules_count_against_the_model(source_of):
    wrong = (source_of("leduc") + INFERENCE).replace(
        "other = unseen[int(rand() * len(unseen))]", "other = own if rand() < 0.5 else unseen[0]"
    )
    far = posterior.distance(wrong, load_game("leduc_poker"), decisions=4, samples=200)
    assert far.mean == pytest.approx(0.75, abs=0.1)


def test_a_posterior_that_is_too_large_is_refused_and_leaves_its_game(monkeypatch):
    game = load_game("quadranto")
    state = game.new_initial_state()
    for action in (5, 10, 4, 4, 4, 4):
        state.apply_action(action)
    # Player 1 was never seen to leave its quadrant: 4 cells, and twice 3 ways to stay in it.
    assert len(posterior.exact_posterior(state, 0, 10_000)) == 4 * 3 * 3
    with pytest.raises(posterior.TooManyHistories, match="more than 20 histories"):
        posterior.exact_posterior(state, 0, 20)
    monkeypatch.setattr(posterior, "MAX_VISITED", 60)
    source = manifest.load(model_folders.resolve("quadranto/0")).source
    found = posterior.distance(source, game, decisions=6, samples=300)
    assert found.decisions == 6 and found.skipped > 0 and found.largest_noise >= found.noise
    assert found.mean < 2 * found.noise
    monkeypatch.setattr(posterior, "MAX_VISITED", 1)
    with pytest.raises(ValueError, match="no posterior of 1 histories or fewer"):
        posterior.distance(source, game, decisions=2, samples=10)
