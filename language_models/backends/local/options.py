"""The text behind `local:` in a spec: a model and options."""

from __future__ import annotations

import dataclasses
import os
import re

from language_models.types import UnknownBackend
from runs.suggestions import nearest

FORM = "local[:NAME or PATH.gguf][+threads=N][+context=N][+cache=on][+slots=N][+grammar=off][+tokens=N][+memory=MIB]"

MOST_DEFAULT_THREADS = 4
DEFAULT_CONTEXT = 8192
DEFAULT_SLOTS = 4
DEFAULT_TOKENS = 1024

_SWITCHES = ("cache", "grammar")
_NUMBERS = ("threads", "context", "slots", "tokens", "memory")
_OPTION = re.compile(r"\+([a-z]+)=([^+./]*)$")


@dataclasses.dataclass(frozen=True)
class LocalOptions:
    """The settings of a local model.

    Attributes:
      model: a known model's name, the path of a GGUF file, or "" for the default model.
      threads: number of threads of one computation, at least 1; None for half of the cores, 1 to 4. Measured on
        x86-64: one and two threads give the same tokens and log-probabilities.
      context: the most tokens of prompt and answer together, at least 64; None for 8,192 or the context that the
        model was trained with, whichever is less.
      cache: whether requests share a cache. False: each request is computed alone and from nothing, so that it has
        the same answer to the token whatever was asked before it; within one request its prompt is computed once.
        True: shared beginnings of prompts are kept and requests are computed together, which is faster, and moves
        log-probabilities by some hundredths, at times by more (.9 was measured).
      slots: number of requests that are computed together, at least 1; only with `cache`.
      grammar: whether answers are held to the request's form or JSON schema.
      tokens: the most tokens of an answer, at least 1, where the request leaves it to the model.
      memory: the most memory that the process may need, in MiB, or None for all that the machine has to spare.
    """

    model: str = ""
    threads: int | None = None
    context: int | None = None
    cache: bool = False
    slots: int | None = None
    grammar: bool = True
    tokens: int = DEFAULT_TOKENS
    memory: int | None = None

    @property
    def suffix(self) -> str:
        """The options that change answers, as they stand in a spec and in the model's name."""
        tokens = "" if self.tokens == DEFAULT_TOKENS else f"+tokens={self.tokens}"
        return ("+cache=on" if self.cache else "") + ("" if self.grammar else "+grammar=off") + tokens

    @property
    def thread_count(self) -> int:
        """The number of threads: `threads`, or the default for this machine."""
        if self.threads is not None:
            return self.threads
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, min(MOST_DEFAULT_THREADS, cores // 2))

    @property
    def slot_count(self) -> int:
        """The number of requests that are computed together."""
        return (self.slots or DEFAULT_SLOTS) if self.cache else 1


def parse_options(text: str) -> LocalOptions:
    """Reads `NAME+option=value...`, the text that follows `local:` in a spec.

    A `+` inside a path is text unless the rest reads as an option to the end of the text.

    Raises:
      UnknownBackend: an option is unknown, given twice or has an impossible value.
    """
    values: dict[str, str] = {}
    rest = text
    while found := _OPTION.search(rest):
        name, value = found.groups()
        if name not in _SWITCHES + _NUMBERS:
            raise UnknownBackend(
                f"The local model {text!r} has an unknown option {name!r}: {nearest(name, _SWITCHES + _NUMBERS)}"
            )
        if name in values:
            raise UnknownBackend(f"The local model {text!r} gives {name!r} twice: expected it once.")
        values[name] = value
        rest = rest[: found.start()]
    options = LocalOptions(
        rest,
        threads=_number(text, values, "threads", 1, 512),
        context=_number(text, values, "context", 64, 1 << 20),
        cache=_switch(text, values, "cache", default=False),
        slots=_number(text, values, "slots", 1, 64),
        grammar=_switch(text, values, "grammar", default=True),
        tokens=_number(text, values, "tokens", 1, 1 << 20) or DEFAULT_TOKENS,
        memory=_number(text, values, "memory", 1, 1 << 24),
    )
    if options.slots and not options.cache:
        raise UnknownBackend(
            f"The local model {text!r} gives slots without cache=on: without the cache requests are "
            "computed one by one, so add +cache=on or drop +slots."
        )
    return options


def _number(text: str, values: dict[str, str], name: str, low: int, high: int) -> int | None:
    if name not in values:
        return None
    value = values[name]
    if not re.fullmatch(r"[0-9]{1,8}", value) or not low <= int(value) <= high:
        raise UnknownBackend(
            f"The local model {text!r} has {name}={value!r}: expected a whole number from {low} to {high}."
        )
    return int(value)


def _switch(text: str, values: dict[str, str], name: str, *, default: bool) -> bool:
    value = values.get(name, "on" if default else "off")
    if value not in ("on", "off"):
        raise UnknownBackend(f"The local model {text!r} has {name}={value!r}: expected on or off.")
    return value == "on"
