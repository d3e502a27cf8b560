"""Batches in which no two requests belong together."""

from __future__ import annotations

import numpy as np
import pytest

from language_models import Completion, Message, Request
from language_models.asking.apart import Apart


class Echo:
    name = "echo"

    def __init__(self):
        self.batches = []

    def complete(self, request):
        return [Completion(request.messages[0].content, "stop", 1, 1, None, "echo")]

    def complete_batch(self, requests):
        self.batches.append([request.messages[0].content for request in requests])
        return [answer for request in requests for answer in [self.complete(request)]]


@pytest.mark.parametrize("seed", range(20))
def test_no_batch_holds_two_of_a_group_nor_too_many_and_answers_keep_their_order(seed):
    rng = np.random.default_rng(seed)
    texts = [f"{rng.integers(1, 8)} {number}" for number in range(rng.integers(1, 60))]
    requests = [Request((Message("user", text),)) for text in texts]
    echo = Echo()
    size = int(rng.integers(1, 12))
    model = Apart(echo, lambda request: request.messages[0].content.split()[0], size, seed)
    assert model.name == "echo"
    assert [answer[0].text for answer in model.complete_batch(requests)] == texts
    assert sorted(text for batch in echo.batches for text in batch) == sorted(texts)
    for batch in echo.batches:
        groups = [text.split()[0] for text in batch]
        assert len(set(groups)) == len(groups) <= size


def test_it_asks_in_as_few_batches_as_it_can_and_nothing_where_there_is_nothing():
    echo = Echo()
    model = Apart(echo, lambda request: request, 10, 0)
    model.complete_batch([Request((Message("user", str(number)),)) for number in range(40)])
    assert len(echo.batches) == 4
    assert model.complete_batch([]) == [] and len(echo.batches) == 4
    with pytest.raises(ValueError, match="size"):
        Apart(echo, lambda request: request, 0, 0)
