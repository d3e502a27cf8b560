"""Priors over the valid actions of a situation, p(a | M_i, M_c, prompt) of the paper's equation 3.

A prior is two functions without state: `request` says what is asked of the language model, and `read` makes
a vector of the answer. So callers decide when and with how many others a request
is sent. All priors that ask end in the paper's normalization: log-probabilities, `absent` for actions that
the answer does not hold, softmax (section 4.1), at the temperature of their kind.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import pyspiel

from language_models import Completion, LanguageModelError, Request
from mcdml.asking import prompting
from mcdml.asking.situations import Situation, reordered

SOFTMAX_TEMPERATURE = 5.0
"""The temperature of the paper, made for log-probabilities of tokens."""
CALIBRATED_TEMPERATURE = 1.0
"""The temperature for probabilities that a model writes down or samples: they are meant as they are. At 5, .69 for the
likeliest of five actions becomes .29."""
ABSENT = -10.0
"""The log-probability of an absent action: -10 in the paper, -5 in the authors' code."""
TOP_LOGPROBS = 20
KINDS = ("verbalized", "logprobs", "continuations", "self_consistency", "static", "uniform")


class Query(NamedTuple):
    """The situation and the actions that a prior is wanted for.

    Attributes:
      situation: state, valid actions, in-trial memory.
      reflections: the cross-trial memory.
    """

    situation: Situation
    reflections: tuple[str, ...] = ()


class Reading(NamedTuple):
    """The content of an answer.

    Attributes:
      probabilities: float64 of shape (number of valid actions,), positive, sum 1.
      readable: whether the answer named a valid action; if not, the prior is uniform and the caller
        counts it.
    """

    probabilities: np.ndarray
    readable: bool


class Prior(Protocol):
    """One way to get a prior.

    Attributes:
      asks: whether it asks at all; if not it is uniform.
      remembers: whether it depends on the memories.
    """

    asks: bool
    remembers: bool

    def request(self, query: Query) -> Request:
        """Returns the request to the language model.

        Raises:
          ValueError: this prior asks nothing.
        """
        ...

    def read(self, query: Query, completions: Sequence[Completion] | None) -> Reading:
        """Returns the prior by the answer; None is no answer, and makes it uniform.

        Raises:
          LanguageModelError: the model does not give what this prior needs.
        """
        ...

    def unasked(self, state: pyspiel.State, names: Sequence[str]) -> np.ndarray:
        """Returns the prior over the valid actions `names` where nothing is asked."""
        ...


def normalized(
    logs: Mapping[int, float], actions: int, *, absent: float = ABSENT, temperature: float = SOFTMAX_TEMPERATURE
) -> np.ndarray:
    """Returns the softmax of log-probabilities, by number of action from 1; those not given, or less, are
    `absent`.
    """
    values = np.array([max(absent, logs.get(number, absent)) for number in range(1, actions + 1)])
    weights = np.exp((values - values.max()) / temperature)
    return weights / weights.sum()


def uniform(actions: int) -> np.ndarray:
    """Returns the uniform prior."""
    return np.full(actions, 1.0 / actions)


class _Unknowing:
    """A prior that knows nothing of a state where nothing is asked."""

    def unasked(self, state: pyspiel.State, names: Sequence[str]) -> np.ndarray:
        del state
        return uniform(len(names))


class UniformPrior(_Unknowing):
    """The prior that is equal for all actions; asks nothing."""

    asks = remembers = False

    def request(self, query: Query) -> Request:
        raise ValueError("prior 'uniform' asks nothing; expected another one")

    def read(self, query: Query, completions: Sequence[Completion] | None) -> Reading:
        return Reading(uniform(len(query.situation.actions)), True)


class _AskingPrior(_Unknowing):
    """The common part of the priors that ask; `_logs` reads one answer, empty if it names no action."""

    asks = remembers = True

    def __init__(self, *, absent: float, temperature: float):
        self._absent, self._temperature = absent, temperature

    def read(self, query: Query, completions: Sequence[Completion] | None) -> Reading:
        actions = len(query.situation.actions)
        if completions is None:
            return Reading(uniform(actions), True)
        logs = self._logs(completions, query.situation)
        if not logs:
            return Reading(uniform(actions), False)
        return Reading(normalized(logs, actions, absent=self._absent, temperature=self._temperature), True)

    def _logs(self, completions: Sequence[Completion], of: Situation) -> dict[int, float]:
        raise NotImplementedError


class VerbalizedPrior(_AskingPrior):
    """The model writes the probabilities down, as JSON (Lin et al. 2022; the paper's footnote 2)."""

    def request(self, query: Query) -> Request:
        return prompting.verbalized_request(query.situation, query.reflections)

    def _logs(self, completions: Sequence[Completion], of: Situation) -> dict[int, float]:
        return verbalized_logs(completions[0].text, len(of.actions))


class StaticPrior(_AskingPrior):
    """The prior of `VerbalizedPrior`, but the model sees the names of the valid actions only. So it is asked
    once for each list of actions, whatever the state and the memories are, which shows the worth of the
    words alone.
    """

    remembers = False

    def request(self, query: Query) -> Request:
        return prompting.static_request(query.situation)

    def _logs(self, completions: Sequence[Completion], of: Situation) -> dict[int, float]:
        return verbalized_logs(completions[0].text, len(of.actions))


class LogprobsPrior(_AskingPrior):
    """The prior from the log-probabilities of the number's tokens, of the 20 likeliest ones (the paper's own
    way).
    """

    def request(self, query: Query) -> Request:
        return prompting.index_request(
            query.situation, query.reflections, samples=1, temperature=0.0, top_logprobs=TOP_LOGPROBS
        )

    def _logs(self, completions: Sequence[Completion], of: Situation) -> dict[int, float]:
        [completion] = completions
        if not completion.logprobs or not any(token["top"] for token in completion.logprobs):
            raise LanguageModelError(
                f"{completion.model} gave no log-probabilities, which prior=logprobs needs; choose "
                "prior=verbalized or prior=self_consistency"
            )
        return token_logs(completion.logprobs, len(of.actions))


class ContinuationsPrior(_AskingPrior):
    """Log-probabilities of the valid actions' own words as the answer, each whole, given that it is one of them: the
    paper's product of the conditional probabilities of an action's tokens (section 3.1), for models that score
    given texts (`language_models.scoring`)."""

    def request(self, query: Query) -> Request:
        return prompting.continuations_request(query.situation, query.reflections)

    def _logs(self, completions: Sequence[Completion], of: Situation) -> dict[int, float]:
        whole = {
            completion.text: sum(token["logprob"] for token in completion.logprobs or ())
            for completion in completions
        }
        total = float(np.logaddexp.reduce(list(whole.values())))
        return {number: whole[name] - total for number, name in enumerate(of.actions, 1)}


class SelfConsistencyPrior(_AskingPrior):
    """The share of n samples that name an action (Wang et al. 2022; the paper's footnote 2).

    Args:
      samples: n.
      sampling_temperature: the sampling temperature of the model, above 0.
    """

    def __init__(self, samples: int = 5, sampling_temperature: float = 1.0, **normalization: float):
        super().__init__(**normalization)
        self._samples, self._sampling_temperature = samples, sampling_temperature

    def request(self, query: Query) -> Request:
        return prompting.index_request(
            query.situation,
            query.reflections,
            samples=self._samples,
            temperature=self._sampling_temperature,
            top_logprobs=None,
        )

    def _logs(self, completions: Sequence[Completion], of: Situation) -> dict[int, float]:
        named = [named_action(completion.text, of) for completion in completions]
        valid = [number for number in named if number is not None]
        return {number: math.log(valid.count(number) / len(named)) for number in set(valid)}


class ReorderedPrior:
    """A prior that is asked with the actions in an order drawn from a seed (`situations.reordered`)."""

    def __init__(self, prior: Prior, seed: int):
        self._prior, self._seed = prior, seed
        self.asks, self.remembers = prior.asks, prior.remembers

    def request(self, query: Query) -> Request:
        return self._prior.request(self._asked(query)[0])

    def read(self, query: Query, completions: Sequence[Completion] | None) -> Reading:
        asked, places = self._asked(query)
        reading = self._prior.read(asked, completions)
        probabilities = np.empty_like(reading.probabilities)
        probabilities[places] = reading.probabilities
        return Reading(probabilities, reading.readable)

    def unasked(self, state: pyspiel.State, names: Sequence[str]) -> np.ndarray:
        return self._prior.unasked(state, names)

    def _asked(self, query: Query) -> tuple[Query, np.ndarray]:
        situation, places = reordered(query.situation, self._seed)
        return query._replace(situation=situation), places


def make_prior(
    kind: str, *, absent: float = ABSENT, temperature: float | None = None, samples: int = 5
) -> Prior:
    """Returns a prior by name.

    Args:
      kind: one of `KINDS`.
      absent: log-probability of an absent action, below 0.
      temperature: the temperature of the softmax, above 0; None for 5 where log-probabilities of tokens are
        read ("logprobs" and "continuations", as in the paper), else 1.
      samples: the number of samples of self-consistency, at least 1.

    Raises:
      ValueError: an unknown kind, or a value out of range.
    """
    if temperature is None:
        by_tokens = kind in ("logprobs", "continuations")
        temperature = SOFTMAX_TEMPERATURE if by_tokens else CALIBRATED_TEMPERATURE
    for name, value, valid, limit in (
        ("absent", absent, absent < 0, "below 0"),
        ("temperature", temperature, temperature > 0, "above 0"),
        ("samples", samples, samples >= 1, "1 or more"),
    ):
        if not valid:
            raise ValueError(f"prior, {name}: expected a number {limit}, found {value}")
    normalization = {"absent": absent, "temperature": temperature}
    makers = {
        "verbalized": lambda: VerbalizedPrior(**normalization),
        "logprobs": lambda: LogprobsPrior(**normalization),
        "continuations": lambda: ContinuationsPrior(**normalization),
        "self_consistency": lambda: SelfConsistencyPrior(samples, **normalization),
        "static": lambda: StaticPrior(**normalization),
        "uniform": UniformPrior,
    }
    if kind not in makers:
        raise ValueError(f"prior: expected one of {', '.join(KINDS)}, found {kind!r}")
    return makers[kind]()


_NUMBER = re.compile(r"(?<![\d.])\d{1,4}(?![\d.]*\d)")


def named_action(reply: str, of: Situation) -> int | None:
    """Returns the number, from 1, of the valid action that a reply names by number or by its very name; None
    where it names none, or no valid one. Of several numbers the first counts.
    """
    text = reply.strip("`'\"*. \n\t").casefold()
    by_name = {name.casefold().strip("`'\"*. "): number for number, name in enumerate(of.actions, 1)}
    if text in by_name and not text.isdigit():
        return by_name[text]
    found = _NUMBER.search(text)
    number = int(found[0]) if found else 0
    return number if 1 <= number <= len(of.actions) else None


def verbalized_logs(reply: str, actions: int) -> dict[int, float]:
    """Returns the log-probabilities that a reply in JSON gives, by number of action.

    Text around the outermost braces is skipped. Entries without a valid number or a positive, finite
    probability are skipped; the rest is scaled to a sum of 1 if it is more. Empty if nothing is left.
    """
    try:
        entries = json.loads(reply[reply.index("{") : reply.rindex("}") + 1])["actions"]
    except (ValueError, KeyError, RecursionError):
        return {}
    chances: dict[int, float] = {}
    for entry in entries if isinstance(entries, list) else []:
        if not isinstance(entry, dict):
            continue
        number, chance = entry.get("number"), entry.get("probability")
        is_number = isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= actions
        is_chance = isinstance(chance, (int, float)) and not isinstance(chance, bool)
        if is_number and is_chance and 0 < chance < math.inf:
            chances.setdefault(number, float(chance))
    total = max(1.0, sum(chances.values()))
    return {number: math.log(chance / total) for number, chance in chances.items()}


def token_logs(tokens: Sequence[Mapping], actions: int) -> dict[int, float]:
    """Returns the log-probabilities of the numbers 1 to `actions` by the alternatives at the reply's number.

    The conditional probabilities of a number's tokens are accumulated (section 3.1): where the reply's
    number goes on in a second token, the alternatives there split what the first one has. Numbers of
    several tokens that the reply did not begin count as absent, as do those beyond the 20 alternatives.

    Args:
      tokens: the tokens of the reply, as in `Completion.logprobs`.
      actions: the number of actions.
    """
    start = next((i for i, token in enumerate(tokens) if token["token"].strip()), None)
    if start is None:
        return {}
    logs: dict[str, float] = {}

    def add(digits: str, log: float) -> None:
        logs[digits] = float(np.logaddexp(logs.get(digits, -math.inf), log))

    sampled = tokens[start]["token"].strip()
    after = tokens[start + 1]["top"] if start + 1 < len(tokens) and actions >= 10 else []
    for alternative in tokens[start]["top"]:
        digits = alternative["token"].strip()
        if not (digits.isascii() and digits.isdigit()):
            continue
        if digits != sampled or not after:
            add(digits, alternative["logprob"])
            continue
        for following in after:
            more = following["token"]
            continued = digits + more if more.isascii() and more.isdigit() else digits
            add(continued, alternative["logprob"] + following["logprob"])
    return {int(digits): log for digits, log in logs.items() if 1 <= int(digits) <= actions}
