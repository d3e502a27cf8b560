"""Language models that answer with the prompt in capitals."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from language_models import Completion, LanguageModelError, Message, Request


class OneByOne:
    """Takes no batches; keeps the prompts, and fails from the `fail_at`-th request on."""

    name = "stub"

    def __init__(self, fail_at: int | None = None):
        self.requests: list[Request] = []
        self._fail_at = fail_at

    def complete(self, request):
        if self._fail_at is not None and len(self.requests) >= self._fail_at:
            raise LanguageModelError("no more")
        self.requests.append(request)
        text = request.messages[-1].content.upper()
        return [Completion(text, "stop", 100, 10, None, self.name)] * request.n

    @property
    def prompts(self):
        return [request.messages[-1].content for request in self.requests]


class Batched(OneByOne):
    """Takes batches, and fails at the `fail_at`-th of them."""

    def __init__(self, fail_at: int | None = None):
        super().__init__()
        self.batches: list[list[str]] = []
        self._fail_at_batch = fail_at

    def complete_batch(self, requests):
        if len(self.batches) == self._fail_at_batch:
            raise LanguageModelError("no more")
        self.batches.append([request.messages[-1].content for request in requests])
        return [super(Batched, self).complete(request) for request in requests]

    def complete(self, request):
        return self.complete_batch([request])[0]


def request(text, **options):
    return Request((Message("user", text),), purpose="test", **options)


@pytest.fixture
def kit():
    return SimpleNamespace(OneByOne=OneByOne, Batched=Batched, request=request)
