"""The making of a language model from a spec string, as users write it after `--llm=`."""

from __future__ import annotations

import difflib
import os
import random
import re
from collections.abc import Callable

from language_models.asking.resumed import Resumed
from language_models.backends.auto import Auto, Decision
from language_models.backends.local.backend import Local
from language_models.backends.local.options import parse_options
from language_models.backends.null import Constant, Random
from language_models.backends.recorded import SHIPPED_RECORDINGS, Recorded, read_header
from language_models.backends.spool import Spool
from language_models.layers.budget import Budgeted, Prices, parse_budget
from language_models.layers.call_log import CallLogged
from language_models.layers.recorder import Recorder
from language_models.layers.retry import Retrying, RetryPolicy, UniformSource
from language_models.types import LanguageModel, LanguageModelError, UnknownBackend

FORMS = {
    "gemini": "gemini:MODEL",
    "openai": "openai:MODEL@BASE_URL",
    "recorded": "recorded or recorded:PATH",
    "spool": "spool:DIR",
    "local": "local or local:NAME or local:PATH.gguf",
    "random": "random or random:SEED",
    "constant": "constant:FILE",
    "auto": "auto",
}

PATIENCE = 600.0


def from_spec(
    spec: str,
    *,
    budget: str | None = None,
    record_to: str | os.PathLike[str] | None = None,
    log_to: str | os.PathLike[str] | None = None,
    retry: RetryPolicy = RetryPolicy(),
    note: str = "",
    timeout: float | None = None,
    rng: UniformSource | None = None,
    resume: bool = False,
    decision: Decision | None = None,
) -> LanguageModel:
    """Makes a language model, inside its wrappers, from a spec string.

    | spec | model |
    |---|---|
    | `gemini:MODEL` | Google's API; key from GEMINI_API_KEY or GOOGLE_API_KEY |
    | `openai:MODEL@BASE_URL` | any OpenAI-compatible server; without `@` OpenAI's own |
    | `recorded:PATH` | replays a recording or a folder of them; bare `recorded` the shipped ones |
    | `spool:DIR` | writes requests as files and waits for the files that answer them |
    | `local:NAME`, `local:PATH.gguf` | a model file on this machine; bare `local` the small one. Options behind: see `backends.local.options` |
    | `random`, `random:SEED` | answers drawn at random in the form that is asked for: a null, see `backends.null` |
    | `constant:FILE` | the text of a file in answer to everything: another null |
    | `auto` | the shipped recordings where they hold the first request, else `local` where it is there |

    From the outside in: `Resumed` (with `resume`), retries (online models), budget, call log (always, for
    its totals), recorder, model. `find_layer` finds any of them.

    Args:
      spec: see above.
      budget: such as `calls=20,tokens=1e6`; see `parse_budget`. Offline models cost no dollars.
      record_to: the recording to append to, or None.
      log_to: the call log to append to, or None.
      retry: the repetitions of online calls.
      note: free text for the recording's header.
      timeout: seconds that an online server may be silent or a local completion may take (default 600), or a
        spooled answer may take (default: for ever).
      rng: the source of the jitter of retries; None seeds one from the operating system. It moves times only.
      resume: whether requests that `record_to` holds already are not asked again.
      decision: the choice of the model that answers `auto`, shared by the models of one run; by default its own. A
        recording that was begun is continued with its model.

    Raises:
      UnknownBackend: the prefix names no backend, or the rest is not of its form.
      LanguageModelError: a key or package is missing, or a file cannot be read or written.
      ValueError: the budget cannot be read.
    """
    # Opened before the recorder adds to it.
    begun = record_to is not None and os.path.exists(record_to) and os.path.getsize(record_to)
    recorded = Recorded(record_to) if resume and begun else None
    limits, prices = (None, None) if budget is None else parse_budget(budget)
    backend = _backend(spec, timeout, None if record_to is None else str(record_to), decision)
    if begun and isinstance(backend, Auto) and backend.decision.spec is None:
        backend.decision.go_on_with(str(read_header(record_to)["model"]))
    online = not isinstance(backend, (Recorded, Spool, Local, Auto, Random, Constant))
    if not online:
        prices = Prices(0.0, 0.0)
    model: LanguageModel = backend
    if record_to is not None:
        if isinstance(backend, Recorded):
            raise LanguageModelError(
                f"{spec!r} replays a recording and cannot be recorded to {str(record_to)!r}: "
                "drop --record, or name an online model or spool:DIR."
            )
        model = Recorder(model, record_to, note)
    model = CallLogged(model, log_to, prices)
    if limits is not None:
        model = Budgeted(model, limits, prices)
    if online:
        # The one place where nobody's seed decides: clients must not come back together.
        model = Retrying(model, retry, rng=random.Random() if rng is None else rng)
    return model if recorded is None else Resumed(model, recorded)


def _backend(
    spec: str, timeout: float | None, recording: str | None, decision: Decision | None
) -> LanguageModel:
    prefix, colon, rest = spec.partition(":")
    makers: dict[str, Callable[[], LanguageModel]] = {
        "constant": lambda: Constant(rest),
        "random": lambda: _random(spec, rest),
        "auto": lambda: Auto(timeout=timeout or PATIENCE, recording=recording, decision=decision),
        "gemini": lambda: _gemini(spec, rest, timeout or PATIENCE),
        "local": lambda: Local(parse_options(rest), timeout=timeout or PATIENCE),
        "openai": lambda: _openai(spec, rest, timeout or PATIENCE),
        "recorded": lambda: Recorded(rest if colon else SHIPPED_RECORDINGS),
        "spool": lambda: Spool(rest, timeout=timeout),
    }
    # Options may follow a bare `local` without a colon.
    if prefix.startswith("local+"):
        prefix, rest = "local", prefix.removeprefix("local") + colon + rest
    if prefix not in makers:
        near = difflib.get_close_matches(prefix.lower(), makers, n=1)
        hint = f"did you mean {FORMS[near[0]]}?" if near else f"expected {_forms()}."
        raise UnknownBackend(f"The language model {spec!r} has no known prefix: {hint}")
    alone = prefix in ("auto", "local", "random", "recorded")
    if rest.strip() != rest or (not rest and (colon or not alone)) or (rest and prefix == "auto"):
        raise UnknownBackend(f"The language model {spec!r} is incomplete: expected {FORMS[prefix]}.")
    return makers[prefix]()


def _gemini(spec: str, model: str, timeout: float) -> LanguageModel:
    if not re.fullmatch(r"[\w.\-/]+", model):
        raise UnknownBackend(
            f"The language model {spec!r} has a malformed name {model!r}: expected gemini:MODEL, "
            "such as gemini:gemini-2.5-flash."
        )
    from language_models.backends.gemini import Gemini

    return Gemini(model, timeout=timeout)


def _random(spec: str, seed: str) -> LanguageModel:
    if seed and not seed.isdecimal():
        raise UnknownBackend(f"The language model {spec!r} has the seed {seed!r}: expected {FORMS['random']}.")
    return Random(int(seed or 0))


def _openai(spec: str, rest: str, timeout: float) -> LanguageModel:
    from language_models.backends.openai_compatible import OPENAI_URL, OpenAICompatible

    model, at, url = rest.partition("@")
    if not at:
        url = OPENAI_URL
    host = re.fullmatch(r"https?://([^/?#\s]+)(/[^?#\s]*)?", url)
    if not model or host is None:
        raise UnknownBackend(
            f"The language model {spec!r} is malformed: expected openai:MODEL@BASE_URL, such as "
            "openai:qwen3@http://localhost:11434/v1."
        )
    if "@" in host[1]:
        # Not echoed: names end up in logs and recordings, and this one holds a password.
        raise UnknownBackend(
            f"The language model openai:{model} has a user name or password in its URL: "
            "put the key in OPENAI_API_KEY instead."
        )
    return OpenAICompatible(model, url, timeout=timeout)


def _forms() -> str:
    return ", ".join(FORMS.values())
