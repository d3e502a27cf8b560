"""Held-out play: one unlucky set of matches does not fail a model, and the sentence about a failure says what failed."""

from __future__ import annotations

import pytest

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import held_out
from cwm.trust.verification import matches, report, verifying
from cwm.trust.verification.ladder import Ladder


@pytest.fixture
def ladder():
    return Ladder.of(manifest.load(model_folders.resolve("tic_tac_toe/0")), load_game("tic_tac_toe"))


@pytest.mark.parametrize(
    ("looks", "games", "status"),
    [([True], [10], "passed"), ([False, True], [10, 40], "passed"), ([False, False], [10, 40], "failed")],
)
def test_a_second_look_alone_decides(ladder, monkeypatch, looks, games, status):
    played = []

    def figures(tournament, simulations):
        played.append(tournament)
        holds = looks[len(played) - 1]
        return holds, {"games": tournament.num_games, "score": 0.5 if holds else 0.2}, None

    monkeypatch.setattr(matches, "figures", figures)
    wish = verifying.Wish(matches=10, match_simulations=2)
    tests = list(held_out.test_games(ladder.game, 10, 1, 0))
    said = []
    verifying._play(ladder, wish, tests, said.append)
    assert [one.num_games for one in played] == games and len({one.seed for one in played}) == len(games)
    seeds = [{seed for _, seed in one.schedule()} for one in played]
    assert not set.intersection(*seeds) or len(seeds) == 1
    rung = ladder.rungs["heldout_play"]
    assert rung.status == status and rung.figures["games"] == games[-1]
    assert rung.figures.get("first_look") == ({"games": 10, "score": 0.2} if games[1:] else None)
    assert sum("fresh games decide" in line for line in said) == len(games) - 1
    failure = report.failure(ladder)
    assert (failure is None) == (status == "passed") and ladder.contradicted == []
    if failure:
        assert "plays worse" in failure and "not exact" not in failure
        ladder.settle("heldout_transitions", False, None)
        assert "not exact" in report.failure(ladder) and ladder.contradicted == ["heldout_transitions"]
