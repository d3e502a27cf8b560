"""From situations and memories to requests.

Templates lie in `prompts/`. They hold no knowledge of a game and no hints (the paper's section 3.3). A
changed prompt no longer matches the recordings that ship with the suite, so a change here means recording
again.
"""

from __future__ import annotations

import functools
from typing import Any

from language_models import Message, Request
from language_models.asking.templates import Templates
from language_models.grammars import Form, OneOf
from mcdml.asking.situations import Situation

SENTENCE_TOKENS = 120
INDEX_TOKENS = 8
VERBALIZED_TOKENS = 400
VALUE_TOKENS = 100
MOST_VERBALIZED = 5
"""The number of actions that a verbalized prior may name; the others count as absent."""
REMEMBERED = 20_000
"""The number of requests for priors that are kept for the next search, which meets many of them again."""

_TEMPLATES = Templates("mcdml.asking")


def render(template: str, **fields: Any) -> str:
    """Returns a template of `prompts/` with its fields filled in."""
    return _TEMPLATES.render(template, **fields).strip()


def _messages(of: Situation, prompt: str) -> tuple[Message, ...]:
    role = render("role.j2", players=of.players, player=of.player, game=of.game)
    return Message("system", role), Message("user", prompt)


def _situation(of: Situation, reflections: tuple[str, ...]) -> str:
    return render(
        "situation.j2", rules=of.rules, reflections=reflections, steps=of.steps, now=of.now, actions=of.actions
    )


@functools.lru_cache(maxsize=REMEMBERED)
def index_request(
    of: Situation, reflections: tuple[str, ...], *, samples: int, temperature: float, top_logprobs: int | None
) -> Request:
    """Asks for the number of the most promising action."""
    prompt = render("prior_index.j2", situation=_situation(of, reflections))
    return Request(
        _messages(of, prompt),
        n=samples,
        temperature=temperature,
        max_tokens=INDEX_TOKENS,
        top_logprobs=top_logprobs,
        purpose=f"mcdml prior in {of.game}",
        # Held to a form, servers wrap the answer, and its first token is no number's.
        form=None if top_logprobs is not None else _number(of),
    )


@functools.lru_cache(maxsize=REMEMBERED)
def continuations_request(of: Situation, reflections: tuple[str, ...]) -> Request:
    """Asks how likely each valid action's name is as the beginning of the answer."""
    prompt = render("prior_continuations.j2", situation=_situation(of, reflections))
    names = tuple(dict.fromkeys(of.actions))
    return Request(
        _messages(of, prompt), n=len(names), continuations=names, purpose=f"mcdml prior in {of.game}"
    )


@functools.lru_cache(maxsize=REMEMBERED)
def verbalized_request(of: Situation, reflections: tuple[str, ...]) -> Request:
    """Asks for the most promising actions with their probabilities, as JSON."""
    most = min(MOST_VERBALIZED, len(of.actions))
    prompt = render("prior_verbalized.j2", situation=_situation(of, reflections), most=most)
    return Request(
        _messages(of, prompt),
        temperature=0.0,
        max_tokens=VERBALIZED_TOKENS,
        json_schema=_schema(len(of.actions), most),
        purpose=f"mcdml prior in {of.game}",
    )


@functools.lru_cache(maxsize=REMEMBERED)
def static_request(of: Situation) -> Request:
    """Asks as `verbalized_request`, but shows the actions only: neither state nor memories."""
    most = min(MOST_VERBALIZED, len(of.actions))
    prompt = render("prior_static.j2", actions=of.actions, most=most)
    return Request(
        _messages(of, prompt),
        temperature=0.0,
        max_tokens=VERBALIZED_TOKENS,
        json_schema=_schema(len(of.actions), most),
        purpose=f"mcdml static prior in {of.game}",
    )


def value_request(of: Situation) -> Request:
    """Asks how the game will end, as JSON: one number from -1 to 1 for each player."""
    prompt = render("value.j2", situation=_situation(of, ()), players=of.players)
    entry = {"type": "number", "minimum": -1, "maximum": 1}
    schema = {
        "type": "object",
        "required": ["values"],
        "properties": {
            "values": {"type": "array", "minItems": of.players, "maxItems": of.players, "items": entry}
        },
    }
    return Request(
        _messages(of, prompt),
        temperature=0.0,
        max_tokens=VALUE_TOKENS,
        json_schema=schema,
        purpose=f"mcdml value in {of.game}",
    )


def policy_request(of: Situation, reflections: tuple[str, ...]) -> Request:
    """Asks for the number of the next action."""
    prompt = render("policy.j2", situation=_situation(of, reflections))
    return Request(
        _messages(of, prompt),
        temperature=0.0,
        max_tokens=INDEX_TOKENS,
        purpose=f"mcdml policy in {of.game}",
        form=_number(of),
    )


def reflection_request(of: Situation) -> Request:
    """Asks for one sentence of advice; `of` is where a trajectory failed, its actions do not count."""
    prompt = render("reflection.j2", rules=of.rules, steps=of.steps, now=of.now)
    return Request(
        _messages(of, prompt),
        temperature=0.0,
        max_tokens=SENTENCE_TOKENS,
        purpose=f"mcdml reflection in {of.game}",
    )


def round_request(of: Situation, reflections: tuple[str, ...], result: str) -> Request:
    """Asks as `reflection_request`, at the end of a whole round of the reflection agent."""
    prompt = render(
        "reflection_agent.j2",
        rules=of.rules,
        reflections=reflections,
        steps=of.steps,
        now=of.now,
        result=result,
    )
    return Request(
        _messages(of, prompt),
        temperature=0.0,
        max_tokens=SENTENCE_TOKENS,
        purpose=f"mcdml reflection agent in {of.game}",
    )


def _number(of: Situation) -> Form:
    """The number of a valid action."""
    return OneOf(*(str(number) for number in range(1, len(of.actions) + 1)))


def _schema(actions: int, most: int) -> dict[str, Any]:
    entry = {
        "type": "object",
        "required": ["number", "probability"],
        "properties": {
            "number": {"type": "integer", "minimum": 1, "maximum": actions},
            "probability": {"type": "number", "minimum": 0, "maximum": 1},
        },
    }
    return {
        "type": "object",
        "required": ["actions"],
        "properties": {"actions": {"type": "array", "minItems": 1, "maxItems": most, "items": entry}},
    }
