"""The benchmark of MC-DML against its model alone at equal requests."""

from __future__ import annotations

import json
import math
import re

import pytest

from benchmarks.games import equal_requests
from benchmarks.games.equal_requests import ALONE, RANDOM, SEARCH, UNIFORM
from benchmarks.support import side_by_side
from benchmarks.support.side_by_side import Played, Unit
from language_models import SHIPPED_RECORDINGS, Completion, Recorded
from language_models.asking.apart import Apart
from language_models.asking.client import Client
from mcdml.agents import episodes
from mcdml.asking.tally import SearchTally
from mcdml.search.decision import Decision

MOVES, ASK_LIMIT = 8, 2


class Answering:
    """Answers both kinds of requests: the last action that is listed, with probability .9 where one is asked for."""

    name = "answering"

    def __init__(self):
        self.batches = []

    def complete(self, request):
        return self.complete_batch([request])[0]

    def complete_batch(self, requests):
        self.batches.append(len(requests))
        answers = []
        for request in requests:
            prompt = request.messages[-1].content
            *_, last = re.findall(r"^(\d+)\. ", prompt.partition("Valid actions:")[2], re.MULTILINE)
            told = {"actions": [{"number": int(last), "probability": 0.9}]}
            answers.append(
                [
                    Completion(
                        json.dumps(told) if "probability" in prompt else last, "stop", 7, 3, None, "answering"
                    )
                ]
            )
        return answers


@pytest.fixture(scope="module")
def played():
    model, games = Answering(), equal_requests.adventures(2, 1, 7000, MOVES)
    found = side_by_side.play(
        [Unit(game, 0) for game in games],
        equal_requests.arms(ASK_LIMIT),
        MOVES,
        lambda group_of: Client(Apart(model, group_of, 2, 0)),
    )
    return model, games, found


def test_each_arm_plays_each_adventure_and_the_nulls_ask_nothing(played):
    model, games, found = played
    assert {(one.game, one.arm) for one in found} == {
        (game, arm) for game in games for arm in (SEARCH, ALONE, UNIFORM, RANDOM)
    }
    asked = {one.arm: 0 for one in found}
    for one in found:
        asked[one.arm] += one.requests
        assert one.prompt_tokens == 7 * one.requests and one.completion_tokens == 3 * one.requests
        assert len(one.scores) >= (ASK_LIMIT if one.arm in (ALONE, RANDOM) else 1)
    assert asked[UNIFORM] == asked[RANDOM] == 0
    assert 0 < asked[SEARCH] <= 3 * MOVES * ASK_LIMIT
    assert sum(model.batches) == asked[SEARCH] + asked[ALONE] and max(model.batches) <= 2


def test_games_begin_anew_at_their_end(monkeypatch):
    class Doomed:
        def __init__(self, seed):
            self.seed = seed

        def decide(self, state):
            yield from ()
            names = state.valid_actions()
            named = (
                "go down"
                if "go down" in names
                else state.engine.path(state.snapshot.world, state.engine.layout.hatch_room)[0]
                if not state.score()
                else names[0]
            )
            return Decision(names.index(named), named)

    seeds = []

    def agent_of(spec, game, seed):
        seeds.append(seed)
        return Doomed(seed)

    monkeypatch.setattr(episodes, "agent_of", agent_of)
    unit = Unit("text_adventure(layout_seed=1,size=small,max_moves=40)", 5)
    task = side_by_side.games(unit, "doomed", 40)
    with pytest.raises(StopIteration) as ended:
        task.send(None)
    scores = side_by_side.outcome(unit, "doomed", [ended.value.value], 0.0).scores
    assert len(scores) > 2 and set(scores[:-1]) == {0.0}
    assert seeds == list(range(5, 5 + len(seeds)))


def test_figures_of_known_scores():
    found = [
        Played(game, 0, arm, scores, 3, 21, 9, 0, 1.5, [(3, scores[0])])
        for game, first, second in (
            ("a", [0.5], [0.1, 0.3]),
            ("b", [0.9], [0.4, 0.2]),
            ("c", [0.4], [0.2, 0.2]),
        )
        for arm, scores in ((SEARCH, first), (ALONE, second), (UNIFORM, [0.1]), (RANDOM, [0.0, 0.0]))
    ]
    mean, low, high = side_by_side.paired(found, SEARCH, ALONE)
    # Differences .2, .5, .2: mean .3, deviation .1732, Student's 4.303 at two degrees of freedom.
    assert (mean, low, high) == pytest.approx((0.3, 0.3 - 0.4303, 0.3 + 0.4303), abs=1e-3)
    search, alone, *_ = side_by_side.rows(found)
    assert search["best"] == pytest.approx(0.6) and alone["best"] == pytest.approx(0.3)
    assert alone["first"] == pytest.approx(0.7 / 3) and (search["requests"], alone["games"]) == (9, 6)
    assert search["best_low"] < 0.6 < search["best_high"]


def test_the_recording_replays_the_published_scores():
    recording = Recorded(SHIPPED_RECORDINGS / "mcdml" / "equal_requests.jsonl")
    found = side_by_side.play(
        [Unit(game, 0) for game in equal_requests.adventures(1, 0, 6000, 30)],
        equal_requests.arms(3),
        30,
        lambda group_of: Client(Apart(recording, group_of, 10, 0)),
    )
    # docs/results/mcdml.md: .64 and .36 of the points, and .27 without a model.
    assert [round(one.best, 2) for one in found] == [0.64, 0.36, 0.27, 0.0]
    assert all(one.invalid == 0 for one in found) and found[0].requests <= 3 * 30


def test_the_curve_sums_the_requests_of_all_lanes_and_keeps_the_best_of_what_ended():
    def episode(scores, calls):
        moves = [{"score": score, "tally": {"calls": calls}} for score in scores]
        contest = episodes.Contest("game", "bot", 0)
        return episodes.Episode(contest, scores[-1], 10.0, max(scores), False, True, moves, SearchTally())

    # The first lane ends with 4 points and begins anew; the second one has 9 for a moment, and is over a move earlier.
    lanes = [[episode([2, 4], 1), episode([0, 1], 1)], [episode([0, 9, -3], 2)]]
    found = side_by_side.outcome(Unit("game", 0), "alone", lanes, 2.5)
    assert found.curve == [(3, 0.2), (6, 0.9), (9, 0.4), (10, 0.4)]
    assert found.scores == [0.4, 0.1, 0.0] and found.best == 0.4 and found.seconds == 2.5


def test_the_seeds_of_a_game_are_one_difference():
    found = [
        Played(game, seed, arm, [score], 0, 0, 0, 0, 0.0, [(0, score)])
        for game, gain in (("a", 0.2), ("b", 0.4))
        for seed in range(3)
        for arm, score in ((SEARCH, 0.5 + 0.1 * seed), (ALONE, 0.5 + 0.1 * seed - gain))
    ]
    mean, low, high = side_by_side.paired(found, SEARCH, ALONE)
    # Two differences, .2 and .4: deviation .1414, Student's 12.706 at one degree of freedom.
    assert (mean, high - mean) == pytest.approx((0.3, 12.706 * 0.1), abs=1e-3)
    assert side_by_side.paired(found[:6], SEARCH, ALONE) == (pytest.approx(0.2), -math.inf, math.inf)
