"""Rewrites a verified model for speed, and accepts only a program that agrees with it everywhere and is faster.

The language model sees the verified program and no game; what it answers is compared with that
program on at least 100,000 transitions of differential play: random games of both, step by step in
workers of their own, on players to act, action numbers and names, chance, all observations and returns.
Whether illegal actions raise is counted and reported only: a search makes none, and the contract leaves
them open. Then both are timed, interleaved, on the interpreters that this machine has.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from cwm import contract
from cwm.contract import manifest, model_folders
from cwm.trust.checks import same_data
from cwm.worker import speed
from cwm.worker.simulator import Simulator
from cwm.writing import prompting
from cwm.writing.candidates import ask_each, candidate_request, fastest
from language_models import LanguageModel, Request
from sandbox import SandboxError

MIN_TRANSITIONS = 100_000
STEPS_PER_CALL = 40
SEED_OFFSET = 700
"""Offset within a run's request seeds: optimizations come after value functions."""


@dataclass(frozen=True)
class Candidate:
    """One rewriting and its fate.

    Attributes:
      index: 0, 1, ... within the model.
      accepted: whether it took the model's place.
      reason: the reason why it was refused or accepted.
      transitions: number of transitions of differential play that agreed.
      illegal_agreement: share of the illegal actions tried on the way that raise in both or in neither.
      rates: simulations per second by interpreter, of the model before and of this candidate.
    """

    index: int
    accepted: bool
    reason: str
    transitions: int = 0
    illegal_agreement: float | None = None
    rates: dict[str, dict[str, float | None]] | None = None


def request(loaded: manifest.Model, index: int) -> Request:
    """The request for rewriting number `index` of the verified program."""
    prompt = prompting.optimization(loaded.source)
    return candidate_request(loaded, prompt, "optimization", SEED_OFFSET, index)


@dataclass(frozen=True)
class Agreement:
    """The result of differential play: transitions, all equal; illegal actions that were tried, and the number
    of them that raise in both programs or in neither."""

    transitions: int
    illegal_tried: int
    illegal_equal: int


class Disagreement(Exception):
    """Raised with a sentence on the place where a candidate and the verified model differ."""


def differential_play(
    verified: str,
    candidate: str,
    transitions: int = MIN_TRANSITIONS,
    *,
    interpreter: str = "cpython",
    progress: Callable[[int], None] = lambda done: None,
) -> Agreement:
    """Plays random games in the verified model and replays each in the candidate.

    Args:
      verified, candidate: texts of the two modules.
      transitions: least number of transitions.
      interpreter: interpreter of both workers.
      progress: a function that is told the number of transitions that agreed so far.

    Returns:
      The numbers of transitions and illegal actions that agreed.

    Raises:
      Disagreement: the first difference, or the candidate's failure.
    """
    checked, illegal = 0, [0, 0]
    with Simulator(verified, interpreter=interpreter) as ours:
        try:
            theirs = Simulator(candidate, interpreter=interpreter)
        except SandboxError as error:
            raise Disagreement(f"the candidate does not load: {error}") from error
        with theirs:
            game = 0
            if ours.call("constants") != theirs.call("constants"):
                raise Disagreement(
                    f"the constants differ: {ours.call('constants')} and {theirs.call('constants')}"
                )
            while checked < transitions:
                played = ours.call("random_play", game, 10_000)
                if played["breach"] or played["error"]:
                    raise ValueError(
                        f"the verified model fails in random game {game}: "
                        f"{played['breach'] or played['error']['message']}"
                    )
                checked += _compare_game(ours, theirs, played["names"], game, illegal)
                game += 1
                progress(checked)
    return Agreement(checked, *illegal)


def _compare_game(ours: Simulator, theirs: Simulator, names: list[str], game: int, illegal: list[int]) -> int:
    for start in range(0, len(names) + 1, STEPS_PER_CALL):
        stop = min(start + STEPS_PER_CALL - 1, len(names))
        wanted = ours.call("detailed_replay", names, start, stop)
        try:
            found = theirs.call("detailed_replay", names, start, stop)
        except SandboxError as error:
            raise Disagreement(
                f"random game {game}, after {start} to {stop} actions: the candidate failed ({error})"
            ) from error
        for here, there in zip(wanted, found):
            pairs = list(zip(here.pop("raises"), there.pop("raises")))
            illegal[0] += len(pairs)
            illegal[1] += sum(raises == other for raises, other in pairs)
        if same_data(wanted, found):
            continue
        for number, pair in enumerate(zip(wanted, found)):
            for key in pair[0]:
                if not same_data(pair[0][key], pair[1].get(key)):
                    raise Disagreement(
                        f"random game {game}, after {start + number} actions: {key} is "
                        f"{_short(pair[1].get(key))}, in the verified model {_short(pair[0][key])}"
                    )
        raise Disagreement(f"random game {game}: the candidate's game has another length")
    return len(names)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "..."


def verified_model(folder: str, in_turn: str | None = None) -> manifest.Model:
    """The model in `folder`, which may be rewritten for speed.

    Args:
      folder: folder of the model.
      in_turn: the command for which players must move in turn in its game, or None where they may choose at once.

    Raises:
      ValueError: it did not pass its own tests, or players choose at once in its game where they may not.
    """
    loaded = manifest.load(folder)
    if in_turn is not None:
        model_folders.check_in_turn(loaded, in_turn)
    if not model_folders.passes_own_tests(loaded.manifest):
        raise ValueError(
            f"{folder}: only a model that passes its own tests can be rewritten for speed, "
            f"this one does not; synthesize it again"
        )
    return loaded


def optimize(
    folder: str,
    model: LanguageModel,
    candidates: int = 1,
    transitions: int = MIN_TRANSITIONS,
    progress: Callable[[str], None] = lambda line: None,
) -> list[Candidate]:
    """Asks for rewritings of the verified model in `folder` and lets the fastest right one take its place.

    The verified program stays as `verified.py`; all requests are about it, and every candidate is
    compared with it, so that errors cannot add up. Verdicts go into the manifest's `optimization`.

    Raises:
      ValueError: the model did not pass its own tests, or players choose at once in its game.
    """
    loaded = verified_model(folder, "python -m cwm.optimize --language=python")
    keep = os.path.join(folder, "verified.py")
    if os.path.exists(keep):
        with open(keep, encoding="utf-8") as file:
            loaded = manifest.Model(folder, file.read(), loaded.value_source, loaded.manifest)
    replies = ask_each(
        os.path.join(folder, "optimize_attempts.jsonl"),
        [request(loaded, index) for index in range(candidates)],
        model,
    )
    best, verdicts = fastest(
        replies,
        lambda index, source: _judge(index, loaded.source, source, transitions, progress),
        "rewriting",
        progress,
    )
    if best is not None:
        manifest.write_text(keep, loaded.source)
        manifest.write_text(os.path.join(folder, "model.py"), best)
    content = dict(
        loaded.manifest,
        optimization={"llm_calls": len(replies), "candidates": [asdict(verdict) for verdict in verdicts]},
        interpreter=speed.interpreter_report(best or loaded.source),
    )
    if best is not None and loaded.value_source is not None:
        content["value_function"] = dict(
            content["value_function"],
            accepted=False,
            dropped="it reads the states of verified.py; ask again with --value_functions",
        )
        progress("the value function fits the old states only and is not used any more")
    if best is not None and "rollout" in content:
        content["rollout"] = {
            "accepted": False,
            "candidates": [],
            "dropped": "it reads the states of verified.py; ask again with --rollouts",
        }
    manifest.write_json(os.path.join(folder, "manifest.json"), content)
    return verdicts


def _judge(
    index: int, verified: str, source: str | None, transitions: int, progress: Callable[[str], None]
) -> tuple[Candidate, float]:
    if source is None:
        return Candidate(index, False, "the answer held no program"), 0.0
    static = contract.breaches(source)
    if static:
        return Candidate(index, False, "; ".join(static)), 0.0
    progress(f"rewriting {index + 1}: differential play over {transitions} transitions")
    try:
        agreed = differential_play(verified, source, transitions)
    except Disagreement as difference:
        return Candidate(index, False, str(difference)), 0.0
    by_name, after, ratio = speed.compare((verified, None), (source, None))
    share = agreed.illegal_equal / agreed.illegal_tried if agreed.illegal_tried else None
    if ratio <= 1.0:
        return Candidate(
            index,
            False,
            f"agrees on {agreed.transitions} transitions but is not faster ({ratio:.2f} times the speed)",
            agreed.transitions,
            share,
            by_name,
        ), 0.0
    return Candidate(
        index,
        True,
        f"agrees on {agreed.transitions} transitions and is {ratio:.2f} times as fast",
        agreed.transitions,
        share,
        by_name,
    ), after
