"""Limits on calls, tokens and money, enforced before a call is made."""

from __future__ import annotations

import dataclasses
import difflib
import math
import threading
from collections.abc import Callable

from language_models.layers.wrapper import Wrapper
from language_models.types import BudgetExceeded, Completion, LanguageModel, Request

CHARACTERS_PER_TOKEN = 4
# What Gemini bills for one tile; other models are of that order.
TOKENS_PER_IMAGE = 258


@dataclasses.dataclass(frozen=True)
class Prices:
    """The prices of a model, in US dollars for a million tokens; both 0 or more.

    There is no built-in price list: prices change, and a stale one would break a promise.

    Attributes:
      prompt: dollars for a million tokens sent.
      completion: dollars for a million tokens answered, hidden reasoning included.
    """

    prompt: float
    completion: float

    def usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Dollars for these numbers of tokens."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclasses.dataclass(frozen=True)
class Budget:
    """The most that may be spent; None is no limit.

    Attributes:
      calls: number of completions asked for. A request for n of them counts n, because some backends send
        n calls; a failed attempt counts too.
      tokens: number of tokens of prompts and completions together.
      usd: US dollars.
    """

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None


@dataclasses.dataclass(frozen=True)
class Usage:
    """The usage of calls.

    Attributes:
      calls: number of completions asked for, as in `Budget.calls`.
      prompt_tokens: number of tokens sent.
      completion_tokens: number of tokens answered.
      usd: US dollars; 0 where no prices were given.
      estimated: whether some of the tokens are estimates (4 characters each), because the
        backend gave no counts.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.usd + other.usd,
            self.estimated or other.estimated,
        )


def parse_budget(text: str) -> tuple[Budget, Prices | None]:
    """Reads a budget: `calls=20,tokens=1e6`, or `usd=5,prompt_price=0.3,completion_price=2.5`.

    The prices are dollars for a million tokens; a budget in dollars needs both.

    Raises:
      ValueError: an unknown, repeated or unreadable entry, or one price without the other.
    """
    names = ("calls", "tokens", "usd", "prompt_price", "completion_price")
    values: dict[str, float] = {}
    for entry in text.split(","):
        name, _, number = (part.strip() for part in entry.partition("="))
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(names)}."
            raise ValueError(f"The budget {text!r} has an unknown entry {entry!r}: {hint}")
        if name in values:
            raise ValueError(f"The budget {text!r} gives {name!r} twice: expected it once.")
        values[name] = _parse_number(text, name, number)
    prices = (values.get("prompt_price"), values.get("completion_price"))
    if prices.count(None) == 1:
        raise ValueError(
            f"The budget {text!r} gives one price only: expected both prompt_price and completion_price."
        )
    calls, tokens = values.get("calls"), values.get("tokens")
    budget = Budget(
        None if calls is None else int(calls), None if tokens is None else int(tokens), values.get("usd")
    )
    return budget, None if prices[0] is None else Prices(*prices)


def estimate_prompt_tokens(request: Request) -> int:
    """An estimate of the prompt's tokens: a token for 4 characters, 258 for an image."""
    characters = sum(len(message.content) for message in request.messages)
    images = sum(len(message.images) for message in request.messages)
    return math.ceil(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE


def usage_of(request: Request, completions: list[Completion], prices: Prices | None) -> Usage:
    """The usage of one answered request; counts that the backend did not give are estimated."""
    # One prompt may serve several completions, so that the estimate counts it once.
    prompt = [completion.prompt_tokens for completion in completions]
    estimated = None in prompt
    prompt_tokens = estimate_prompt_tokens(request) if estimated else sum(prompt)
    completion_tokens = 0
    for completion in completions:
        if completion.completion_tokens is None:
            estimated = True
            completion_tokens += math.ceil(len(completion.text) / CHARACTERS_PER_TOKEN)
        else:
            completion_tokens += completion.completion_tokens
    usd = prices.usd(prompt_tokens, completion_tokens) if prices else 0.0
    return Usage(request.n, prompt_tokens, completion_tokens, usd, estimated)


class Budgeted(Wrapper):
    """Raises `BudgetExceeded` before a call that would pass a limit.

    Before a call, its prompt is estimated and `max_tokens` is taken for every completion; the amount
    that was set aside is replaced by the true counts when the answer is there. A request without
    `max_tokens` sets nothing aside for its answer, so that the answers under way when a limit
    is reached may pass it. The calls of a failed attempt count, its tokens (unknown) do not.

    Args:
      model: the model to limit.
      budget: the limits.
      prices: prices of the model, needed for a limit in dollars.

    Raises:
      ValueError: a limit in dollars without prices.
    """

    def __init__(self, model: LanguageModel, budget: Budget, prices: Prices | None = None):
        super().__init__(model)
        if budget.usd is not None and prices is None:
            raise ValueError(
                f"A budget of {budget.usd:g} dollars needs the prices of {model.name}: add "
                "prompt_price=P,completion_price=C in dollars for a million tokens."
            )
        self._budget = budget
        self._prices = prices
        self._lock = threading.Lock()
        self._spent = Usage()
        # Set aside for calls under way; the calls themselves are spent at once.
        self._reserved_tokens = 0
        self._reserved_usd = 0.0

    @property
    def spent(self) -> Usage:
        """The usage so far, calls under way not included in tokens and dollars."""
        with self._lock:
            return self._spent

    def _around(
        self, requests: list[Request], call: Callable[[], list[list[Completion]]]
    ) -> list[list[Completion]]:
        prompt = sum(estimate_prompt_tokens(request) for request in requests)
        answer = sum(request.n * (request.max_tokens or 0) for request in requests)
        usd = self._prices.usd(prompt, answer) if self._prices else 0.0
        calls = sum(request.n for request in requests)
        with self._lock:
            self._check(requests, calls, prompt + answer, usd)
            self._spent += Usage(calls=calls)
            self._reserved_tokens += prompt + answer
            self._reserved_usd += usd
        usage = Usage()
        try:
            answers = call()
            for request, completions in zip(requests, answers):
                usage += usage_of(request, completions, self._prices)
            return answers
        finally:
            with self._lock:
                self._spent += dataclasses.replace(usage, calls=0)
                self._reserved_tokens -= prompt + answer
                self._reserved_usd -= usd

    def _check(self, requests: list[Request], calls: int, tokens: int, usd: float) -> None:
        spent, budget = self._spent, self._budget
        for unit, limit, used, need in (
            ("calls", budget.calls, spent.calls, calls),
            ("tokens", budget.tokens, spent.tokens + self._reserved_tokens, tokens),
            ("dollars", budget.usd, spent.usd + self._reserved_usd, usd),
        ):
            if limit is not None and used + need > limit:
                purpose = requests[0].purpose or "(no purpose)"
                note = " (token counts are partly estimates)" if spent.estimated else ""
                raise BudgetExceeded(
                    f"The next call of {self.name}, for {purpose!r}, would pass the budget of "
                    f"{limit:g} {unit}: {used:g} are used and it may take {need:g}{note}; "
                    "raise --budget to go on."
                )


def _parse_number(text: str, name: str, number: str) -> float:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    whole = name in ("calls", "tokens")
    if not (math.isfinite(value) and value >= 0) or (whole and value != int(value)):
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"The budget {text!r} has {name}={number!r}: expected {kind}, 0 or more.")
    return value
