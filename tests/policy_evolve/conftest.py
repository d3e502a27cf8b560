"""A language model whose policies for tic-tac-toe follow from what it is asked for."""

from __future__ import annotations

import pytest

from language_models import Completion

PREFERS = """
def act(observation, memory):
    for cell in {cells}:
        for name in observation["legal"]:
            if name.endswith(cell):
                return name
    return 0
"""
CELLS = (
    ["(2,1)"],
    ["(1,1)"],
    ["(1,1)", "(0,0)"],
    ["(1,1)", "(0,0)", "(2,2)"],
    ["(1,1)", "(0,0)", "(2,2)", "(0,2)", "(2,0)"],
)
BROKEN = "def act(observation, memory):\n    return observation['nothing']\n"


class Stub:
    """Its answer follows from the request's purpose alone, so that a run that goes on gets the same.

    Args:
      broken: numbers of the policies that fail until they have been debugged; a negative one for good.

    Attributes:
      asked: (purpose, prompt) of each request.
    """

    name = "stub"

    def __init__(self, broken=()):
        self.asked = []
        self._broken = broken

    def complete(self, request):
        self.asked.append((request.purpose, request.messages[0].content))
        kind, *words = request.purpose.replace(",", "").split()
        if kind == "policy":
            number = int(words[0][1:].rstrip("ab")) + words[0].endswith("b")
            source = PREFERS.format(cells=CELLS[(number - 1) % len(CELLS)]) + f"# {number}\n"
            if -number in self._broken or (number in self._broken and "debug" not in words):
                source = BROKEN
            text = f"Here it is.\n```python\n{source}```\n"
        elif kind == "memory":
            text = "- Take the centre."
        else:
            text = f"#Reflection: {request.purpose}\n#1. It does not look ahead.\n"
        return [
            Completion(
                text=text,
                finish_reason="stop",
                prompt_tokens=1,
                completion_tokens=1,
                logprobs=None,
                model="stub",
            )
        ]


@pytest.fixture
def stub():
    return Stub
