"""The driver of a policy that plays many matches side by side in one sealed worker.

This file's text is loaded in place of the policy, whose text it compiles once and executes anew for each match: so each
match has globals, a memory and random numbers of its own, while PyPy's compiler, which knows code by its compiled form,
learns from all of them. Nothing here is a wall, as in `driver`: a policy that means to can carry things from one of its
matches to another, as far as to lose or win them by its own moves. Python 3.9, standard library only.
"""

from __future__ import annotations

import linecache
import random
import sys
import types
from typing import Any

_PIXELS = bytes.maketrans(b".148a", bytes((0, 1, 4, 8, 10)))
_WIDTH = 40
_FILE = "<policy>"
_MESSAGE = 300

_seats: list[_Seat] = []


class _Seat:
    """The policy in one match."""

    def __init__(self, code: Any, seed: int):
        self.random = types.ModuleType("random")
        stream = random.Random(seed)
        self.random.__dict__.update(random.__dict__)
        for name in dir(stream):
            if not name.startswith("_") and name in random.__dict__:
                setattr(self.random, name, getattr(stream, name))
        self.memory: dict[str, Any] = {}
        self.module = types.ModuleType("policy")
        self.module.__dict__["__file__"] = _FILE
        sys.modules["random"] = self.random
        exec(code, self.module.__dict__)
        if not callable(getattr(self.module, "act", None)):
            raise TypeError("the policy does not define the function act(observation, memory)")


def begin(source: str, seeds: list[int]) -> None:
    """Starts the policy in as many matches as there are seeds; raises what its text raises."""
    linecache.cache[_FILE] = (len(source), None, source.splitlines(True), _FILE)
    code = compile(source, _FILE, "exec", dont_inherit=True)
    _seats[:] = [_Seat(code, seed) for seed in seeds]


def act_in_wrestle(asked: list[tuple[int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Asks the policy in each of the matches named by slot; see `driver.act_in_wrestle`.

    Returns: for each `answer`, or `fault`, one line that says what was raised and where.
    """
    found = []
    for slot, packed in asked:
        codes = packed["agent_obs"].encode("ascii").translate(_PIXELS)
        rows = [list(codes[start : start + _WIDTH]) for start in range(0, len(codes), _WIDTH)]
        packed["agent_obs"] = rows
        seat = _seats[slot]
        sys.modules["random"] = seat.random
        try:
            found.append({"answer": seat.module.act(packed, seat.memory)})
        except Exception as error:
            found.append({"fault": _described(error)})
    return found


def _described(error: BaseException) -> str:
    where: str | None = None
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == _FILE:
            line = linecache.getline(_FILE, traceback.tb_lineno).strip()
            where = " at policy:%d in %s: %s" % (traceback.tb_lineno, code.co_name, line)
        traceback = traceback.tb_next
    try:
        text = str(error)[:_MESSAGE]
    except Exception:
        text = "it could not be described"
    return "the program raised %s: %s%s" % (type(error).__name__, text, where or "")
