"""Blind ratings of teams, with a stub that sees what is on the sheet."""

from __future__ import annotations

import hashlib
import json

import pytest

from bt_policies.measuring.evaluation import trials
from bt_policies.measuring.ratings import draw, rate, summary, table
from bt_policies.measuring.vision import DIMENSIONS
from language_models import Completion

LISTED = trials("fps_arena(players=2,size=16,ticks=60,mode=tdm,map=open)", 3, 0)


class Eye:
    """Rates a sheet by its pixels; cannot read every one."""

    name = "eye"

    def __init__(self, blind_to=()):
        self.asked, self._blind = [], blind_to

    def complete(self, request):
        message = request.messages[0]
        self.asked.append((request.purpose, message.content, message.images[0].data))
        number = int(hashlib.sha256(message.images[0].data).hexdigest(), 16) % 10 + 1
        text = json.dumps({name: {"rating": number, "reasons": "seen"} for name in DIMENSIONS})
        if len(self.asked) in self._blind:
            text = "It is dark."
        return [Completion(text, "stop", 1, 1, None, "eye")]

    def complete_batch(self, requests):
        return [self.complete(request) for request in requests]


def test_sheets_are_shuffled_and_bear_no_names():
    eye = Eye()
    ratings, answers = rate(["fps_basic", "weak", "fps_basic"], LISTED, eye, 0)
    assert [purpose for purpose, _, _ in eye.asked] == [f"bt mini-map, sheet {n}" for n in range(1, 10)]
    teams = [answer["team"] for answer in answers]
    assert teams != sorted(teams)
    for _, prompt, _ in eye.asked:
        assert "fps_basic" not in prompt and "weak" not in prompt.lower().replace("weakest", "")
    # The same team in the same matches is the same sheets, hence the same ratings.
    assert ratings[0] == ratings[2] != ratings[1]
    assert rate(["fps_basic", "weak", "fps_basic"], LISTED, Eye(), 0)[0] == ratings


def test_answers_that_cannot_be_read_are_counted_and_left_out(tmp_path):
    ratings, answers = rate(["medium", "weak"], LISTED, Eye(blind_to=(2,)), 0)
    assert sum(answer["fault"] is not None for answer in answers) == 1
    found = summary(ratings)
    assert sorted(entry["map_control"]["rated"] for entry in found) == [2, 3]
    assert found[0]["map_control"]["gain"] == 0
    lines = table(["medium", "weak"], found).splitlines()
    assert lines[0].split() == ["team", *DIMENSIONS] and len(lines) == 4
    draw(["medium", "weak"], found, tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_means_gains_and_intervals_by_hand():
    def match(rating):
        return dict.fromkeys(DIMENSIONS, rating)

    first, second = summary([[match(2.0), match(4.0), None], [match(5.0), match(5.0), match(9.0)]])
    one, two = first["adaptability"], second["adaptability"]
    assert (one["mean"], one["rated"], one["low"], one["high"]) == (3.0, 2, 2.0, 4.0)
    assert (
        two["mean"] == pytest.approx(19 / 3)
        and two["gain"] == 2.0
        and (two["gain_low"], two["gain_high"]) == (1.0, 3.0)
    )
