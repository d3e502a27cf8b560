"""Log-probabilities of given continuations, asked of llama.cpp's server one token at a time.

The server tells the probabilities of the next token only. So the continuations are laid into a tree of their tokens,
and each inner node is one question behind the prompt and the tokens on the way: the likeliest tokens come with
their log-probabilities, and one that is not among them is forced by a bias, which the server does not count in. The
prompt is computed once; from node to node only the new tokens are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from language_models.types import LanguageModelError

SHOWN = 200
"""Number of likeliest tokens that are read at each node: 2 ms more than for one, and forcing a token costs 20."""
LOWEST = -103.2
"""The least log-probability: the server computes with 32-bit floats, and less likely tokens count as this."""
_BIAS = 1000.0
_FIELDS = ["completion_probabilities", "timings", "tokens_predicted"]

Query = Callable[[dict[str, Any]], dict[str, Any]]


def score_tokens(
    query: Query, prompt: Sequence[int], continuations: Sequence[Sequence[int]], *, cache: bool
) -> list[list[float]]:
    """The log-probability of each token of each continuation, given the prompt and the tokens before it.

    Args:
      query: a function that asks the server for a completion.
      prompt: the prompt's tokens, at least one.
      continuations: the tokens of each continuation, at least one each.
      cache: whether the server's results of earlier requests may be used.

    Returns:
      Natural logarithms, `LOWEST` or more, in the order of the continuations.

    Raises:
      LanguageModelError: a token is an unfinished part of a character, about which the server tells nothing.
    """
    known: dict[tuple[int, ...], dict[int, float]] = {}
    for continuation in continuations:
        for end in range(len(continuation)):
            path = tuple(continuation[:end])
            if path not in known:
                following = {
                    other[end] for other in continuations if tuple(other[:end]) == path and len(other) > end
                }
                known[path] = _node(query, [*prompt, *path], sorted(following), cache or bool(known))
    return [
        [known[tuple(continuation[:end])][token] for end, token in enumerate(continuation)]
        for continuation in continuations
    ]


def _node(query: Query, tokens: list[int], wanted: list[int], cache: bool) -> dict[int, float]:
    """The log-probabilities of the wanted tokens after `tokens`."""
    found: dict[int, float] = {}
    for token in wanted:
        if token in found:
            continue
        answer = query(
            {
                "prompt": tokens,
                "n_predict": 1,
                "temperature": 0.0,
                "n_probs": SHOWN,
                "logit_bias": [[token, _BIAS]],
                "cache_prompt": cache or bool(found),
                "response_fields": _FIELDS,
            }
        )
        steps = answer.get("completion_probabilities")
        if not steps:
            raise LanguageModelError(
                "A continuation has a token that is a part of a character, which llama.cpp cannot score: "
                "write it without unusual characters."
            )
        if not found:
            # All from the first question, which computed them together.
            found |= {
                entry["id"]: entry["logprob"] for entry in steps[0]["top_logprobs"] if entry["id"] in wanted
            }
        found.setdefault(token, steps[0]["logprob"])
    return {token: max(LOWEST, found[token]) for token in wanted}
