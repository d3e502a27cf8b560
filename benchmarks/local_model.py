"""Measures how fast a local model is, and what the priors of MC-DML cost with it.

    python -m benchmarks.local_model --requests=1000 --situations=adventures --json=local_model.json

First the tokens a second of prompts and answers on one thread, in seconds of the model's own processor time, which
other programs on the machine leave alone. Then priors by log-probabilities, as MC-DML asks for them: over eight valid actions of
situations from its recorded prompts, or over all valid actions in states of text adventures. The arms take turns, situation by
situation: the backend `local` as it is (every request from nothing), with `+cache=on`, and the same questions put to
llama.cpp's HTTP server on loopback with its cache on. Linux only, for its /proc.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.support.adventure_states import states_of
from benchmarks.support.memory import peak_mib
from language_models import SHIPPED_RECORDINGS, Message, Request, Scored
from language_models.backends.local import serve
from language_models.backends.local.backend import Local
from language_models.backends.local.continuations import score_tokens
from language_models.backends.local.options import parse_options
from mcdml.asking.priors import Query, make_prior
from mcdml.asking.situations import situation, steps_before
from runs import cli, flags
from runs.tables import text_table

ACTIONS = 8
FIRST_LAYOUT, STATES = 10_000, 4
"""Number of the first text adventure, and states of each."""
CONTEXT = 2048
QUESTION = "\n\nWhich action is the most promising one? Reply with the action only."

_FLAGS = flags.FLAGS
_HTTP = "HTTP server"


class Arm(NamedTuple):
    """One way to get priors.

    Attributes:
      pid: the pid of the process with the model.
      score: the continuations behind a request, scored.
      tokens: (computed, cached) so far.
    """

    pid: Callable[[], int]
    score: Callable[[Request, list[str]], list[Scored]]
    tokens: Callable[[], tuple[int, int]]


def priors(count: int, seed: int) -> list[tuple[Request, list[str]]]:
    """Returns the requests with the actions to score, from all recorded prompts of MC-DML that list at least
    eight valid actions: each once, in the order in which they were asked, the actions drawn by `seed`.

    Raises:
      ValueError: there are fewer than `count`.
    """
    rng = np.random.default_rng(seed)
    found: dict[tuple[Message, ...], list[str]] = {}
    for path in sorted((SHIPPED_RECORDINGS / "mcdml").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            *before, last = json.loads(line)["request"]["messages"]
            situation, mark, actions = last["content"].partition("Valid actions:\n")
            listed, _, _ = actions.partition("\n\n")
            names = re.findall(r"^\d+\. (.+)$", listed, re.MULTILINE)
            if len(names) >= ACTIONS:
                content = f"{situation}{mark}{listed}{QUESTION}"
                messages = (*(Message(m["role"], m["content"]) for m in before), Message("user", content))
                found.setdefault(messages, names)
    if len(found) < count:
        raise ValueError(f"--requests: expected at most {len(found)}, the recorded situations, found {count}")
    return [
        (Request(messages), [names[index] for index in rng.choice(len(names), ACTIONS, replace=False)])
        for messages, names in list(found.items())[:count]
    ]


def adventure_priors(count: int) -> list[tuple[Request, list[str]]]:
    """Returns the requests with the actions to score, for states on the way through as many medium text adventures as
    it takes, as the search asks there."""
    prior = make_prior("continuations")
    states = (
        state
        for layout in itertools.count(FIRST_LAYOUT)
        for state in states_of(layout, "medium", STATES, detour=3)
    )
    asked = [
        prior.request(Query(situation(state, steps_before(state, 1))))
        for state in itertools.islice(states, count)
    ]
    return [(Request(request.messages), list(request.continuations)) for request in asked]


def processor_seconds(pid: int) -> float:
    """Returns the processor time that a process has taken so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def local_arm(options: str) -> Arm:
    """Returns the arm of the backend itself; see `LocalOptions` for the options."""
    model = Local(parse_options(options))
    model.process.start()
    return Arm(lambda: model.process.pid, model.score, lambda: (model.counts.computed, model.counts.cached))


@contextmanager
def http_arm(options: str) -> Iterator[Arm]:
    """Yields the arm of llama.cpp's server on loopback, asked over HTTP as any client would: one slot, its
    cache on.
    """
    parsed = parse_options(options)
    path = Local(parsed).process.setup.path
    settings = {
        "path": str(path),
        "host": "127.0.0.1",
        "context": CONTEXT,
        "slots": 1,
        "threads": parsed.thread_count,
    }
    settings["cached_prompts_mib"] = 256
    command = [sys.executable, "-P", str(Path(serve.__file__)), json.dumps(settings)]
    counted = [0, 0]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = server.stdout.readline().strip()

        def ask(where: str, body: dict[str, Any]) -> Any:
            data = json.dumps(body).encode()
            request = urllib.request.Request(url + where, data, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as reply:
                return json.loads(reply.read())

        def query(body: dict[str, Any]) -> Any:
            answer = ask("/completion", body)
            counted[0] += answer["timings"]["prompt_n"]
            counted[1] += answer["timings"]["cache_n"]
            return answer

        def score(request: Request, texts: list[str]) -> list[Scored]:
            messages = [{"role": m.role, "content": m.content} for m in request.messages]
            text = ask("/apply-template", {"messages": messages})["prompt"]
            prompt = ask("/tokenize", {"content": text, "add_special": True, "parse_special": True})["tokens"]
            tokens = [ask("/tokenize", {"content": text})["tokens"] for text in texts]
            scores = score_tokens(query, prompt, tokens, cache=True)
            return [Scored(text, (), tuple(logprobs)) for text, logprobs in zip(texts, scores, strict=True)]

        try:
            yield Arm(lambda: server.pid, score, lambda: (counted[0], counted[1]))
        finally:
            server.stdin.close()


def measure_speed(options: str, prompts: list[Request]) -> dict[str, float]:
    """Returns the tokens for each second of the model's processor time: of prompts, and of answers of 64
    tokens.
    """
    model = Local(parse_options(options))
    model.process.start()
    rates = {}
    model.complete(
        Request(prompts[0].messages, max_tokens=1)
    )  # one that does not count: first calls are slower
    for name, tokens in (("prompt", 1), ("generated", 64)):
        before, counts = processor_seconds(model.process.pid), model.counts
        spent = 0.0
        for request in prompts:
            asked = Request(request.messages, max_tokens=tokens, temperature=1.0, seed=1)
            if name == "generated":
                # The prompt is computed before the clock starts: it is asked for one token first.
                asked = Request((Message("user", "Tell a story."),), max_tokens=tokens, temperature=1.0, seed=1)
            model.complete(asked)
        spent = processor_seconds(model.process.pid) - before
        count = (
            model.counts.computed - counts.computed
            if name == "prompt"
            else model.counts.generated - counts.generated
        )
        rates[name] = count / spent
    return rates


def measure_priors(arms: dict[str, Arm], asked: list[tuple[Request, list[str]]]) -> dict[str, dict[str, float]]:
    """Returns the cost of the same priors by each arm, and the distance of their log-probabilities from the
    first arm's.
    """
    seconds = dict.fromkeys(arms, 0.0)
    processor = {name: -processor_seconds(arm.pid()) for name, arm in arms.items()}
    tokens = {name: arm.tokens() for name, arm in arms.items()}
    apart: dict[str, list[float]] = {name: [] for name in arms}
    for number, (request, actions) in enumerate(asked):
        first: list[float] = []
        for name, arm in arms.items():
            start = time.perf_counter()
            scored = [one.logprob for one in arm.score(request, actions)]
            seconds[name] += time.perf_counter() - start
            first = first or scored
            apart[name].append(max(abs(a - b) for a, b in zip(first, scored, strict=True)))
        if (number + 1) % 50 == 0:
            print(f"{number + 1} of {len(asked)}", file=sys.stderr, flush=True)
    found = {}
    for name, arm in arms.items():
        processor[name] += processor_seconds(arm.pid())
        computed, cached = (after - before for after, before in zip(arm.tokens(), tokens[name], strict=True))
        found[name] = {
            "requests": len(asked),
            "seconds": seconds[name],
            "processor_seconds": processor[name],
            "requests_per_second": len(asked) / seconds[name],
            "requests_per_processor_second": len(asked) / processor[name],
            "tokens_computed": computed,
            "tokens_cached": cached,
            "peak_mib": peak_mib(arm.pid()),
            "largest_difference": max(apart[name]),
        }
    return found


def _table(found: dict[str, dict[str, float]]) -> str:
    rows = [
        [
            "",
            "requests/s",
            "a processor second",
            "tokens computed",
            "from the cache",
            "peak MiB",
            "largest difference",
        ]
    ]
    for name, row in found.items():
        total = row["tokens_computed"] + row["tokens_cached"]
        rows.append(
            [
                name,
                f"{row['requests_per_second']:.2f}",
                f"{row['requests_per_processor_second']:.2f}",
                f"{row['tokens_computed']:,}",
                f"{100 * row['tokens_cached'] / total:.0f} %",
                f"{row['peak_mib']:.0f}",
                f"{row['largest_difference']:.2f}",
            ]
        )
    return text_table(rows)


def _define_flags() -> None:
    flags.DEFINE_string(
        "model", "", "The local model by name or path, as behind local: in --llm; by default the small one."
    )
    flags.DEFINE_integer("requests", 100, "The number of priors.", lower_bound=1)
    flags.DEFINE_enum("situations", "recorded", ["recorded", "adventures"], "Where the situations come from.")
    flags.DEFINE_list("arms", ["local", "cache", "http"], "The ways to ask, of local, cache and http.")
    flags.DEFINE_integer("seed", 0, "The seed that draws the actions.")
    flags.DEFINE_string("json", None, "File for the figures as JSON.")


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    unknown = set(_FLAGS.arms) - {"local", "cache", "http"}
    if unknown:
        raise ValueError(f"--arms: expected local, cache and http, found {min(unknown)!r}")
    if _FLAGS.situations == "adventures":
        asked = adventure_priors(_FLAGS.requests)
    else:
        asked = priors(_FLAGS.requests, _FLAGS.seed)
    options = f"{_FLAGS.model}+threads=1+context={CONTEXT}"
    speed = measure_speed(options, [request for request, _ in asked[:10]])
    print(
        f"one thread, a processor second: {speed['prompt']:.0f} tokens of prompts, {speed['generated']:.0f} of answers\n"
    )
    with http_arm(options) as http:
        arms = {}
        if "local" in _FLAGS.arms:
            arms["local"] = local_arm(options)
        if "cache" in _FLAGS.arms:
            arms["local+cache=on"] = local_arm(f"{options}+cache=on+slots=1")
        if "http" in _FLAGS.arms:
            arms[_HTTP] = http
        found = measure_priors(arms, asked)
    print(_table(found))
    if output is not None:
        figures = {
            "model": _FLAGS.model or "the small one",
            "seed": _FLAGS.seed,
            "situations": _FLAGS.situations,
            "speed": speed,
            "priors": found,
        }
        cli.write_text(output, json.dumps(figures, indent=2, allow_nan=False) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
