"""Value functions: several one-shot candidates, the best one chosen by a tournament.

As in the paper (section 4 and appendix), the language model writes candidates independently of each
other, and search agents that use them play a round robin. Here everything is played inside the
synthesized model, since a player has nothing else, and plain random rollouts take part: a candidate
is accepted only if it comes first and beats them.
"""
from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

from arena.match import play_match
from cwm import contract, manifest, prompting
from cwm.bot import CwmMctsBot, resolve_interpreter
from cwm.refine import CALLS_PER_RUN
from cwm.replies import ask_each
from cwm.simulator import Simulator
from language_models import LanguageModel, Message, Request
from sandbox import SandboxError

GAMES_PER_PAIR = 20
SIMULATIONS = 50
ROLLOUTS = "rollouts"
SEED_OFFSET = 500
"""Within a run's request seeds, value functions come after the synthesis calls."""


@dataclass(frozen=True)
class Candidate:
    """One answer: its program (None where there was none) and why it is out, if it is."""
    index: int
    reply: str
    source: str | None
    refusal: str | None


def request(rules: str, loaded: manifest.Model, index: int) -> Request:
    """The request for candidate number `index` of a model; candidates differ in the seed alone."""
    seed = loaded.manifest["seed"]
    return Request(messages=(Message("user", prompting.value_function(rules, loaded.source)),),
                   seed=seed * CALLS_PER_RUN + SEED_OFFSET + index,
                   purpose=f"cwm value function of {loaded.manifest['game']}, run {seed}, "
                           f"candidate {index + 1}")


def add(folder: str, rules: str, model: LanguageModel, count: int,
        progress: Callable[[str], None] = lambda line: None, *,
        games_per_pair: int = GAMES_PER_PAIR, simulations: int = SIMULATIONS) -> dict[str, Any]:
    """Asks for `count` value functions of the model in `folder` and keeps the best.

    Writes `value.py` beside the model where one is accepted, and the figures into its manifest.
    Answers are kept in `value_attempts.jsonl`, so that a run that was killed asks for none twice.

    Returns:
      The manifest's entry `value_function`: accepted (bool), candidates (with their scores).
    """
    loaded = manifest.load(folder)
    candidates = _ask(folder, rules, loaded, model, count, progress)
    scores = _tournament(folder, loaded, candidates, games_per_pair, simulations, progress)
    alive = [candidate for candidate in candidates if candidate.refusal is None]
    best = max(alive, key=lambda candidate: scores["total"][str(candidate.index)], default=None)
    accepted = best is not None and (
        scores["total"][str(best.index)] >= scores["total"][ROLLOUTS]
        and scores["pairs"][f"{best.index} v {ROLLOUTS}"] > 0.5)
    entry = {"accepted": accepted, "chosen": best.index if accepted else None,
             "llm_calls": len(candidates), "games_per_pair": games_per_pair,
             "simulations": simulations, "score_by_pair": scores["pairs"],
             "total_score": scores["total"],
             "candidates": [{"index": c.index, "refused": c.refusal} for c in candidates]}
    if accepted:
        manifest.write_text(os.path.join(folder, "value.py"), best.source)
    manifest.write_json(os.path.join(folder, "manifest.json"),
                        dict(loaded.manifest, value_function=entry))
    progress(f"value function {best.index + 1} of {count} is used" if accepted else
             "no value function beats random rollouts; rollouts are used")
    return entry


def _ask(folder: str, rules: str, loaded: manifest.Model, model: LanguageModel, count: int,
         progress: Callable[[str], None]) -> list[Candidate]:
    replies = ask_each(os.path.join(folder, "value_attempts.jsonl"),
                       [request(rules, loaded, index) for index in range(count)], model)
    candidates = []
    for index, reply in enumerate(replies):
        source = prompting.program_of(reply)
        refusal = _refusal(loaded, source)
        candidates.append(Candidate(index, reply, source, refusal))
        progress(f"value function {index + 1}: {refusal or 'usable'}")
    return candidates


def _refusal(loaded: manifest.Model, source: str | None) -> str | None:
    """Why a candidate cannot be used: no program, no `value`, wrong imports, bad numbers."""
    if source is None:
        return "the answer held no program"
    refusal = contract.extension_breach(source, contract.VALUE_FUNCTION)
    if refusal:
        return refusal
    try:
        with Simulator(loaded.source, source) as simulator:
            return simulator.call("value_breach", 0, 200)
    except SandboxError as error:
        return str(error)


def _tournament(folder: str, loaded: manifest.Model, candidates: list[Candidate],
                games_per_pair: int, simulations: int,
                progress: Callable[[str], None]) -> dict[str, dict[str, float]]:
    """Round robin inside the model; the mean score (win 1, draw 1/2) of each pair and in total."""
    game_string = f"cwm(model={os.path.abspath(folder)})"
    game = pyspiel.load_game(game_string)
    players = {str(c.index): c.source for c in candidates if c.refusal is None}
    players[ROLLOUTS] = None
    options = {"simulations": simulations, "rollouts": 1, "uct_c": 2.0, "solve": True}
    interpreter = resolve_interpreter("auto", loaded)

    def bot(name: str, seat: int, bot_seed: int) -> CwmMctsBot:
        model = replace(loaded, value_source=players[name])
        return CwmMctsBot(game, seat, bot_seed, model=model, options=options, use_value=True,
                          interpreter=interpreter)

    pairs: dict[str, float] = {}
    points = {name: [0.0, 0] for name in players}
    for first, second in itertools.combinations(players, 2):
        won = 0.0
        for number in range(games_per_pair):
            match_seed = loaded.manifest["seed"] * 100_000 + number // 2
            order = (first, second) if number % 2 == 0 else (second, first)
            record = play_match(game_string, [bot(name, seat, match_seed * 2 + seat)
                                              for seat, name in enumerate(order)], match_seed)
            mine, other = record.returns[number % 2], record.returns[1 - number % 2]
            won += 0.5 if mine == other else float(mine > other)
        pairs[f"{first} v {second}"] = won / games_per_pair
        for name, gained in ((first, won), (second, games_per_pair - won)):
            points[name][0] += gained
            points[name][1] += games_per_pair
        progress(f"value functions, {first} v {second}: {won:g} of {games_per_pair}")
    return {"pairs": pairs, "total": {name: gained / played if played else 0.0
                                      for name, (gained, played) in points.items()}}
