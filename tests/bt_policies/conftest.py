"""Trees that ship, by game; and a language model whose trees follow from what it is asked for."""

from __future__ import annotations

import json

import pytest

from bt_policies.measuring.vision import DIMENSIONS
from bt_policies.trees.files import TREES
from bt_policies.trees.vocabularies import GAMES
from language_models import Completion

SHIPPED = {
    path: game
    for path in sorted(TREES.glob("*.bt"))
    for game in GAMES
    if path.stem.startswith(game.split("_")[0])
}
"""Path -> short name of the game, of the trees for games with a vocabulary of their own."""

FIGHT = "selector:\n  sequence:\n    condition: has_enemy_in_view\n    task: shoot nearest_enemy_in_view\n"
NEW = ["selector:\n  task: hold_position\n", FIGHT + "  task: hold_position\n", FIGHT + "  task: look_around\n"]
REVISIONS = ["task: patrol", "sequence:\n  task: look_around\n  task: patrol"]


class Stub:
    """Writes trees for fps_arena; its answer follows from the purpose and the prompt alone.

    Args:
      broken: purposes whose first answer names a condition that does not exist.
      last: purposes that never get a usable answer.

    Attributes:
      asked: (purpose, prompt) of each request.
      batches: how many requests came together, in order.
    """

    name = "stub"

    def __init__(self, broken=(), last=()):
        self.asked, self.batches = [], []
        self._broken, self._last = broken, last

    def complete(self, request):
        purpose, prompt = request.purpose, request.messages[0].content
        self.asked.append((purpose, prompt))
        return [Completion(self._answer(purpose, prompt), "stop", 1, 1, None, "stub")]

    def complete_batch(self, requests):
        self.batches.append(len(requests))
        return [self.complete(request) for request in requests]

    def _answer(self, purpose, prompt):
        if "mini-map" in purpose:
            return "Here: " + json.dumps(
                {name: {"rating": 4, "reasons": f"about {name}"} for name in DIMENSIONS}
            )
        number = int(purpose.split("tree ")[1].split(",")[0]) if "tree " in purpose else 1
        plain = purpose.split(", repair")[0]
        if plain in self._last or ("repair" not in purpose and plain in self._broken):
            return (
                "<think>hasty</think>\n```bt\nselector:\n  condition: has_enmy_in_view\n  task: patrol\n```\n"
            )
        if "revises" in purpose:
            # The last child of the root stands on the tree's last line.
            last = prompt.split("## The tree")[1].split("```")[1].strip().split("\n")[-1].split()[0]
            return (
                f"<reflection>line {last} does nothing</reflection>\n<think>walk</think>\nTarget: line "
                f"{last}\n```bt\n{REVISIONS[number % len(REVISIONS)]}\n```\n"
            )
        return f"<think>level 1: fight\nlevel 2: shoot</think>\n```bt\n{NEW[number % len(NEW)]}```\n"


@pytest.fixture(params=SHIPPED, ids=lambda path: path.stem)
def shipped(request):
    """(path, game) of each tree that ships."""
    return request.param, SHIPPED[request.param]


@pytest.fixture(scope="session")
def stub():
    return Stub
