"""The benchmark of MC-DML against its model alone at equal requests."""

from __future__ import annotations

import json
import re

import pytest

from benchmarks.games import equal_requests
from benchmarks.games.equal_requests import ALONE, RANDOM, SEARCH, UNIFORM, Played, Setup
from language_models import SHIPPED_RECORDINGS, Completion, Recorded
from language_models.asking.apart import Apart
from language_models.asking.client import Client
from mcdml.agents import episodes
from mcdml.search.decision import Decision

SETUP = Setup(moves=8, ask_limit=2, seed=0)


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
    model, games = Answering(), equal_requests.adventures(2, 1, 7000, SETUP.moves)
    found = equal_requests.play(games, SETUP, lambda group_of: Client(Apart(model, group_of, 2, 0)))
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
        assert len(one.scores) >= (SETUP.ask_limit if one.arm in (ALONE, RANDOM) else 1)
    assert asked[UNIFORM] == asked[RANDOM] == 0
    assert 0 < asked[SEARCH] <= 3 * SETUP.moves * SETUP.ask_limit
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
    task = equal_requests.games("text_adventure(layout_seed=1,size=small,max_moves=40)", "doomed", 40, 5)
    with pytest.raises(StopIteration) as ended:
        task.send(None)
    scores = equal_requests.outcome("game", "doomed", ended.value.value).scores
    assert len(scores) > 2 and set(scores[:-1]) == {0.0}
    assert seeds == list(range(5, 5 + len(seeds)))


def test_figures_of_known_scores():
    found = [
        Played(game, arm, scores, 3, 21, 9, 0)
        for game, first, second in (
            ("a", [0.5], [0.1, 0.3]),
            ("b", [0.9], [0.4, 0.2]),
            ("c", [0.4], [0.2, 0.2]),
        )
        for arm, scores in ((SEARCH, first), (ALONE, second), (UNIFORM, [0.1]), (RANDOM, [0.0, 0.0]))
    ]
    mean, low, high = equal_requests.paired(found, SEARCH, ALONE)
    # Differences .2, .5, .2: mean .3, deviation .1732, Student's 4.303 at two degrees of freedom.
    assert (mean, low, high) == pytest.approx((0.3, 0.3 - 0.4303, 0.3 + 0.4303), abs=1e-3)
    search, alone, *_ = equal_requests.rows(found)
    assert search["best"] == pytest.approx(0.6) and alone["best"] == pytest.approx(0.3)
    assert alone["first"] == pytest.approx(0.7 / 3) and (search["requests"], alone["games"]) == (9, 6)
    assert search["best_low"] < 0.6 < search["best_high"]


def test_the_recording_replays_the_published_scores():
    recording = Recorded(SHIPPED_RECORDINGS / "mcdml" / "equal_requests.jsonl")
    found = equal_requests.play(
        equal_requests.adventures(1, 0, 6000, 30),
        Setup(moves=30, ask_limit=3, seed=0),
        lambda group_of: Client(Apart(recording, group_of, 10, 0)),
    )
    # docs/results/mcdml.md: .64 and .36 of the points, and .27 without a model.
    assert [round(one.best, 2) for one in found] == [0.64, 0.36, 0.27, 0.0]
    assert all(one.invalid == 0 for one in found) and found[0].requests <= 3 * 30
