"""The client of the language model that a bot or a command names."""

from __future__ import annotations

from language_models import LanguageModel, from_spec
from language_models.asking.client import Client
from language_models.backends.auto import Decision

ON_MISS = ("error", "uniform")
"""The reactions where a model only replays and lacks a request: an error, or it is counted, and the caller
goes on with the uniform prior or without the reflection.
"""


def make_client(
    llm: str | LanguageModel | None,
    on_miss: str = "error",
    *,
    record: str | None = None,
    budget: str | None = None,
    decision: Decision | None = None,
) -> Client:
    """Returns a client that asks for each distinct request once.

    Args:
      llm: a model or its spec; None for tasks that must not ask.
      on_miss: one of `ON_MISS`.
      record: the recording to append to; what it holds already is not asked again.
      budget: see `language_models.parse_budget`.
      decision: who answers `auto`, shared by the clients of one run; by default its own.

    Raises:
      ValueError: on_miss is none of `ON_MISS`.
      LanguageModelError, ValueError: as `from_spec`.
    """
    if on_miss not in ON_MISS:
        raise ValueError(f"on_miss: expected one of {', '.join(ON_MISS)}, found {on_miss!r}")
    if isinstance(llm, str):
        llm = from_spec(llm, budget=budget, record_to=record, note="MC-DML", resume=True, decision=decision)
    return Client(llm, skips_misses=on_miss == "uniform")
