"""A text game told by a tree, and language models that answer as they are told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import spielwright  # noqa: F401  (registers every game)
from games.seeing.views import register_view
from games.text.state import VIEW, Snapshot, TextGame, game_type
from language_models import Completion, LanguageModelError, Request
from language_models.asking.lockstep import result_of
from mcdml.asking.clients import make_client
from mcdml.asking.priors import make_prior
from mcdml.asking.tally import SearchTally
from mcdml.search.search import Search
from mcdml.search.settings import Settings


class TreeEngine:
    """A story: {command: (points, what follows)}; what follows is such a dict, "won" or "dead"."""

    max_score, min_score = 100, -100

    def __init__(self, tree: dict):
        self.tree = tree

    def start(self):
        return Snapshot((), "It begins.")

    def _at(self, snapshot):
        place = self.tree
        for command in snapshot.world:
            place = place[command][1]
        return place

    def step(self, snapshot, command):
        points, after = self._at(snapshot)[command]
        over = isinstance(after, str)
        text = "You have died." if after == "dead" else f"You {command}."
        return Snapshot((*snapshot.world, command), text, snapshot.score + points, over, after == "dead")

    def valid_actions(self, snapshot):
        place = self._at(snapshot)
        return tuple(sorted(place)) if isinstance(place, dict) else ()

    def observation(self, snapshot):
        return snapshot.observation

    def look(self, snapshot):
        return f"Place {'/'.join(snapshot.world) or 'start'}"

    def inventory(self, snapshot):
        return "You carry nothing."

    def key(self, snapshot):
        return snapshot.world

    def walkthrough(self):
        raise ValueError("none is known")

    def __deepcopy__(self, memo):
        return self


register_view("tree_story", VIEW)


class TreeGame(TextGame):
    def __init__(self, tree: dict, max_moves: int = 100):
        super().__init__(game_type("tree_story", "Tree story", {}), TreeEngine(tree), max_moves, {})


def chain(length: int, points: int) -> dict:
    """`length` steps without a choice, the last of which pays."""
    story: object = "won"
    for step in range(length):
        story = {"go on": (points if step == 0 else 0, story)}
    return story


class Stub:
    """Answers each request with `answer(prompt)`; keeps the requests and the sizes of the batches, and
    fails after `calls` requests."""

    name = "stub"

    def __init__(self, answer: Callable[[str], str], calls: int | None = None):
        self._answer, self._calls = answer, calls
        self.requests: list[Request] = []
        self.batches: list[int] = []

    def complete(self, request: Request) -> list[Completion]:
        return self.complete_batch([request])[0]

    def complete_batch(self, requests: list[Request]) -> list[list[Completion]]:
        self.batches.append(len(requests))
        answers = []
        for request in requests:
            if self._calls is not None and len(self.requests) >= self._calls:
                raise LanguageModelError("the stub is tired")
            self.requests.append(request)
            text = self._answer(request.messages[-1].content)
            answers.append([Completion(text, "stop", 100, 10, None, self.name)] * request.n)
        return answers

    def keys(self) -> list[str]:
        return [request.key() for request in self.requests]


def listed(prompt: str) -> list[str]:
    """The numbered actions of a prompt."""
    return re.findall(r"^\d+\. (.*)$", prompt, re.MULTILINE)


def favouring(*favourites: str, advice: str = "Do otherwise.", chance: float = 0.9) -> Callable[[str], str]:
    """Answers of a model that prefers some actions, and gives one advice; the first action else."""

    def answer(prompt: str) -> str:
        if "one sentence of advice" in prompt:
            return advice
        actions = listed(prompt)
        number = next((actions.index(name) + 1 for name in favourites if name in actions), 1)
        if "JSON" not in prompt:
            return str(number)
        return json.dumps({"actions": [{"number": number, "probability": chance}]})

    return answer


def searched(
    state, model=None, prior="verbalized", seed=0, player=0, on_miss="error", temperature=5.0, **settings
):
    """The decision of one search with the paper's temperature, and the client that it asked."""
    client = make_client(model, on_miss)
    tally = SearchTally()
    search = Search(
        Settings(**settings),
        make_prior(prior, temperature=temperature),
        np.random.default_rng(seed),
        player,
        tally,
    )
    return result_of(search.decide(state), client), client


def trap() -> TreeGame:
    """A trap that pays 10 at once and then kills, and a lantern that pays nothing before two steps more."""
    dark = {"wait": (0, {"wait": (-5, "dead"), "walk": (-5, "dead")}), "walk": (-5, "dead")}
    lit = {"go down": (10, "won"), "stay": (0, "won")}
    carried = {"light lantern": (0, lit), "stay": (0, "won")}
    return TreeGame({"go down": (10, dark), "take lantern": (0, carried), "go north": (0, "won")})


def learning(prompt: str) -> str:
    """A model that walks into the trap until it is told otherwise."""
    if "Take the lantern first." in prompt:
        return favouring("take lantern", "light lantern", "go down")(prompt)
    return favouring("go down", "stay", "walk", advice="Take the lantern first.")(prompt)


@pytest.fixture
def kit() -> SimpleNamespace:
    """What the tests share."""
    return SimpleNamespace(
        TreeGame=TreeGame,
        Stub=Stub,
        chain=chain,
        trap=trap,
        learning=learning,
        listed=listed,
        favouring=favouring,
        searched=searched,
    )
