"""The driver that stands between a policy and the parent, inside the sealed worker.

This file's text is loaded behind the policy, as a module of the same worker: nothing here is a wall, and
the parent checks every answer. A policy is never shown a state, since the worker never gets one. Python
3.9, standard library only.
"""

from __future__ import annotations

from typing import Any, Dict, List

import policy  # the policy's own module, loaded before this one

_PIXELS = bytes.maketrans(b".148a", bytes((0, 1, 4, 8, 10)))
_WIDTH = 40

_memory: Dict[str, Any] = {}
_history: List[str] = []

if not callable(getattr(policy, "act", None)):
    raise TypeError("the policy does not define the function act(observation, memory)")


def act_on_view(packed: Dict[str, Any]) -> Any:
    """Asks the policy; `packed` is an observation whose `history` holds only what is new."""
    _history.extend(packed["history"])
    return policy.act({**packed, "history": list(_history)}, _memory)


def act_in_wrestle(packed: Dict[str, Any]) -> Any:
    """Asks the policy; the view of `packed` is one text of a character for each pixel."""
    codes = packed["agent_obs"].encode("ascii").translate(_PIXELS)
    rows = [list(codes[start : start + _WIDTH]) for start in range(0, len(codes), _WIDTH)]
    return policy.act({**packed, "agent_obs": rows}, _memory)


def remembered(most: int, longest: int) -> List[List[str]]:
    """The first `most` entries of the policy's memory as texts, key and value, cut to `longest` characters."""
    found = []
    for key in list(_memory)[:most]:
        texts = [repr(key) if not isinstance(key, str) else key, repr(_memory[key])]
        found.append([text if len(text) <= longest else text[: longest - 3] + "..." for text in texts])
    return found


def answers(asked: Dict[str, Any]) -> List[List[Any]]:
    """Returns the answers to each of `packs` in turn, in `samples` matches that each start with an empty
    memory.

    All are in one process: what the policy keeps outside of its memory lasts.
    """
    found = []
    for _ in range(asked["samples"]):
        _memory.clear()
        del _history[:]
        found.append([act_on_view(packed) for packed in asked["packs"]])
    return found
