"""Language models that know nothing, to stand beside one that may: what a method is worth without good answers.

`Random` draws an answer of the form that the request asks for, so that it is valid as often as any; `Constant` gives
every request the same answer. A figure that these reach as well is no merit of the model's.
"""

from __future__ import annotations

import abc
import functools
import json
import math
import random
import re
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from language_models import grammars
from language_models.grammars import Form
from language_models.scoring import Scored, scored_by
from language_models.types import Completion, LanguageModelError, Request

MORE = 3
"""What is repeated without a limit is repeated at most so many times more than it must."""
LONGEST = 12
"""Most characters of a free text beyond those that it must have."""
_WORDS = string.ascii_lowercase


def drawn(form: Form, rng: random.Random, rules: Mapping[str, Form] | None = None) -> str:
    """A text of a form: each alternative, each number of repetitions and each character are equally likely where they are
    chosen. That is not the same as equally likely texts.

    Args:
      form: the form.
      rng: draws.
      rules: the forms that it may name.

    Raises:
      ValueError: a rule is missing, or a JSON schema says nothing that a value could be drawn from.
    """
    draw = functools.partial(drawn, rng=rng, rules=rules)
    match form:
        case str():
            return form
        case grammars.OneOf():
            return draw(rng.choice(form.options))
        case grammars.Sequence():
            return "".join(map(draw, form.parts))
        case grammars.Repeated():
            most = form.least + MORE if form.most is None else form.most
            return draw(form.between).join(draw(form.form) for _ in range(rng.randint(form.least, most)))
        case grammars.Characters():
            pool = [one for one in string.printable if re.fullmatch(f"[{form.allowed}]", one)]
            most = form.least + LONGEST if form.most is None else form.most
            return "".join(rng.choice(pool) for _ in range(rng.randint(form.least, most)))
        case grammars.Rule():
            if form.name not in (rules or {}):
                raise ValueError(f"the grammar has no rule {form.name!r}")
            return draw(rules[form.name])
        case grammars.Grammar():
            return drawn(form.start, rng, dict(form.rules))
        case grammars.Json():
            return json.dumps(value(form.schema, rng))
    raise ValueError(f"a form is {form!r:.60}, expected one of language_models.grammars")


def value(schema: Mapping[str, Any], rng: random.Random) -> Any:
    """A value that a JSON schema allows; of a range that is open, the numbers next to its end (0 where it has none).

    Raises:
      ValueError: the schema names no type that a value can be drawn of.
    """
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return value(rng.choice(schema[keyword]), rng)
    kind = schema.get("type", "object" if "properties" in schema else "array" if "items" in schema else None)
    match rng.choice(kind) if isinstance(kind, list) else kind:
        case "object":
            needed = schema.get("required", ())
            properties = schema.get("properties", {}).items()
            return {
                name: value(inner, rng) for name, inner in properties if name in needed or rng.random() < 0.5
            }
        case "array":
            least = schema.get("minItems", 0)
            count = rng.randint(least, schema.get("maxItems", least + MORE))
            return [value(schema["items"], rng) for _ in range(count)]
        case "integer":
            return rng.randint(*_ends(schema))
        case "number":
            low = schema.get("minimum", 0.0)
            return round(rng.uniform(low, schema.get("maximum", low + 1)), 3)
        case "string":
            least = schema.get("minLength", 0)
            most = schema.get("maxLength", least + LONGEST)
            return "".join(rng.choice(_WORDS) for _ in range(rng.randint(least, min(most, least + LONGEST))))
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
    raise ValueError(f"the JSON schema {json.dumps(schema):.60} has no type that a value can be drawn of")


def _ends(schema: Mapping[str, Any]) -> tuple[int, int]:
    """The least and the greatest whole number of a schema; where an end is open, ten numbers up to the other one or from 0 on."""
    low, high = schema.get("minimum"), schema.get("maximum")
    low = schema["exclusiveMinimum"] + 1 if "exclusiveMinimum" in schema else low
    high = schema["exclusiveMaximum"] - 1 if "exclusiveMaximum" in schema else high
    if low is None:
        low = 0 if high is None else high - 9
    return int(low), int(low + 9 if high is None else high)


class _Null(abc.ABC):
    """Answers without reading; `score` as the other models that have it."""

    name: str

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`; tokens are counted as none."""
        if request.continuations:
            return [self._scored(request, text) for text in request.continuations]
        return [
            Completion(self._text(request, number), "stop", 0, 0, None, self.name)
            for number in range(request.n)
        ]

    def score(self, request: Request, continuations: Any) -> list[Scored]:
        """Scores as `language_models.scoring.score`."""
        return scored_by(self.complete, request, continuations)

    @abc.abstractmethod
    def _text(self, request: Request, number: int) -> str:
        """The answer of this number to a request."""

    @abc.abstractmethod
    def _logprob(self, request: Request, text: str) -> float:
        """The log-probability of a continuation."""

    def _scored(self, request: Request, text: str) -> Completion:
        step = {"token": text, "logprob": self._logprob(request, text), "top": []}
        return Completion(text, "stop", 0, 0, [step], self.name)


class Random(_Null):
    """Answers at random, in the form of the request; the same request is always answered alike.

    Args:
      seed: tells independent ones apart.
    """

    def __init__(self, seed: int = 0):
        self._seed = seed
        self.name = f"random:{seed}"

    def _text(self, request: Request, number: int) -> str:
        form = request.form if request.json_schema is None else grammars.Json(request.json_schema)
        if form is None:
            raise LanguageModelError(
                f"{self.name} draws answers of a given form, and the request for {request.purpose or '(no purpose)'!r} "
                "leaves any: use constant:FILE, or another model."
            )
        return drawn(form, self._rng(request, str(number)))

    def _logprob(self, request: Request, text: str) -> float:
        return math.log(1 - self._rng(request, text).random())

    def _rng(self, request: Request, of: str) -> random.Random:
        return random.Random(f"{self._seed} {request.key()} {of}")


class Constant(_Null):
    """Gives every request the same answer, the text of a file; every continuation is as likely as the other.

    Args:
      path: the file, in UTF-8.

    Raises:
      LanguageModelError: it cannot be read, or is empty.
    """

    def __init__(self, path: str):
        try:
            self._answer = Path(path).read_text(encoding="utf-8").strip("\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "no UTF-8"
            raise LanguageModelError(
                f"constant:{path} cannot be read ({reason}): expected a text file with the answer."
            ) from None
        if not self._answer:
            raise LanguageModelError(f"constant:{path} is empty: expected a text file with the answer.")
        self.name = f"constant:{path}"

    def _text(self, request: Request, number: int) -> str:
        return self._answer

    def _logprob(self, request: Request, text: str) -> float:
        return 0.0
