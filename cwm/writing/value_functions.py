"""Value functions: several one-shot candidates, the best one chosen by a tournament inside the model.

Lehrach et al. (2025), section 4 and appendix: the language model writes candidates independently of each other,
and search agents that use them play a round robin. Plain random rollouts take part: a candidate is accepted only
if it comes first and beats them. In a game without secrets the measure is the share of games won (a draw is a
half); in one with hidden information, searched by IS-MCTS, the mean return, because such a game need not be one
that somebody wins.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

from arena.matches.match import play_match
from arena.registry.games import load_game
from cwm import contract
from cwm.contract import manifest, model_folders
from cwm.play.ismcts_bot import CwmIsmctsBot
from cwm.play.mcts_bot import CwmMctsBot
from cwm.worker.simulator import Simulator
from cwm.writing import prompting, training
from cwm.writing.candidates import ask_each, candidate_request
from cwm.writing.preparation.rules import read_rules
from language_models import LanguageModel, Request
from sandbox import SandboxError

GAMES_PER_PAIR = 20
HIDDEN_GAMES_PER_PAIR = 200
"""Matches of each pair in games with hidden information, where single deals differ a lot in worth."""
SIMULATIONS = 50
ROLLOUTS = "rollouts"
SEED_OFFSET = 500
"""Offset within a run's request seeds: value functions come after the synthesis calls."""


@dataclass(frozen=True)
class Candidate:
    """One answer: its program (None where there was none) and the reason why it is out, if it is."""

    index: int
    reply: str
    source: str | None
    refusal: str | None


def request(rules: str, loaded: manifest.Model, index: int) -> Request:
    """The request for candidate number `index` of a model; candidates differ in the seed alone."""
    prompt = prompting.value_function(rules, loaded.source, hidden=model_folders.hides_information(loaded))
    return candidate_request(loaded, prompt, "value function", SEED_OFFSET, index)


def add(
    folder: str,
    rules: str,
    model: LanguageModel,
    count: int,
    progress: Callable[[str], None] = lambda line: None,
    *,
    games_per_pair: int | None = None,
    simulations: int = SIMULATIONS,
) -> dict[str, Any]:
    """Asks for `count` value functions of the model in `folder` and keeps the best.

    Writes `value.py` beside the model where one is accepted, and the figures into its manifest.
    Answers are kept in `value_attempts.jsonl`, so that a run that was killed asks for none twice.

    Args:
      folder: folder of the model.
      rules: rules of its game, as text.
      model: the language model that answers.
      count: number of candidates.
      progress: a function that is told the events.
      games_per_pair: matches between each two; None for the constants above.
      simulations: number of simulations of each search in them.

    Returns:
      The manifest's entry `value_function`: accepted (bool), candidates, and their scores: in total and
      for each pair the share of games won, or, where information is hidden, the mean return in total and
      for each pair the difference of the first one's mean return and the second one's.
    """
    loaded = manifest.load(folder)
    model_folders.check_in_turn(loaded, "python -m cwm.value_functions")
    hidden = model_folders.hides_information(loaded)
    if games_per_pair is None:
        games_per_pair = HIDDEN_GAMES_PER_PAIR if hidden else GAMES_PER_PAIR
    candidates = _ask(folder, rules, loaded, model, count, progress)
    scores = _tournament(folder, loaded, candidates, games_per_pair, simulations, progress)
    alive = [candidate for candidate in candidates if candidate.refusal is None]
    best = max(alive, key=lambda candidate: scores["total"][str(candidate.index)], default=None)
    accepted = best is not None and (
        scores["total"][str(best.index)] >= scores["total"][ROLLOUTS]
        and scores["pairs"][f"{best.index} v {ROLLOUTS}"] > (0.0 if hidden else 0.5)
    )
    entry = {
        "accepted": accepted,
        "chosen": best.index if accepted else None,
        "scored_by": "mean return" if hidden else "games won",
        "llm_calls": len(candidates),
        "games_per_pair": games_per_pair,
        "simulations": simulations,
        "score_by_pair": scores["pairs"],
        "total_score": scores["total"],
        "candidates": [{"index": c.index, "refused": c.refusal} for c in candidates],
    }
    if accepted:
        manifest.write_text(os.path.join(folder, "value.py"), best.source)
    manifest.write_json(os.path.join(folder, "manifest.json"), dict(loaded.manifest, value_function=entry))
    progress(
        f"value function {best.index + 1} of {count} is used"
        if accepted
        else "no value function beats random rollouts; rollouts are used"
    )
    return entry


def _ask(
    folder: str,
    rules: str,
    loaded: manifest.Model,
    model: LanguageModel,
    count: int,
    progress: Callable[[str], None],
) -> list[Candidate]:
    replies = ask_each(
        os.path.join(folder, "value_attempts.jsonl"),
        [request(rules, loaded, index) for index in range(count)],
        model,
    )
    candidates = []
    for index, reply in enumerate(replies):
        source = prompting.program_of(reply)
        refusal = _refusal(loaded, source)
        candidates.append(Candidate(index, reply, source, refusal))
        progress(f"value function {index + 1}: {refusal or 'usable'}")
    return candidates


def _refusal(loaded: manifest.Model, source: str | None) -> str | None:
    """The reason why a candidate cannot be used: no program, no `value`, wrong imports, bad numbers."""
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


def _tournament(
    folder: str,
    loaded: manifest.Model,
    candidates: list[Candidate],
    games_per_pair: int,
    simulations: int,
    progress: Callable[[str], None],
) -> dict[str, dict[str, float]]:
    """Round robin inside the model; scores of each pair and in total as in `add`."""
    hidden = model_folders.hides_information(loaded)
    game_string = f"cwm(model={os.path.abspath(folder)})"
    game = pyspiel.load_game(game_string)
    players = {str(c.index): c.source for c in candidates if c.refusal is None}
    players[ROLLOUTS] = None
    options = {
        "simulations": simulations,
        "rollouts": 1,
        "uct_c": 2.0,
        **({"inference": "history"} if hidden else {"solve": True}),
    }

    def bot(name: str, seat: int, bot_seed: int) -> pyspiel.Bot:
        model = replace(loaded, value_source=players[name], native_source=None)
        return (CwmIsmctsBot if hidden else CwmMctsBot)(
            game, seat, bot_seed, model=model, options=options, use_value=True, interpreter="auto"
        )

    def worth(mine: float, other: float) -> float:
        return mine if hidden else 0.5 if mine == other else float(mine > other)

    pairs: dict[str, float] = {}
    points = {name: [0.0, 0] for name in players}
    for first, second in itertools.combinations(players, 2):
        gained = {first: 0.0, second: 0.0}
        for number in range(games_per_pair):
            match_seed = loaded.manifest["seed"] * 100_000 + number // 2
            order = (first, second) if number % 2 == 0 else (second, first)
            # Deals make games differ anyway, and random moves would tell lies about the hands behind them.
            record = play_match(
                game_string,
                [bot(name, seat, match_seed * 2 + seat) for seat, name in enumerate(order)],
                match_seed,
                opening_plies=0 if hidden else 2,
            )
            for seat, name in enumerate(order):
                gained[name] += worth(record.returns[seat], record.returns[1 - seat])
        mean = {name: total / games_per_pair for name, total in gained.items()}
        pairs[f"{first} v {second}"] = mean[first] - mean[second] if hidden else mean[first]
        for name in gained:
            points[name][0] += gained[name]
            points[name][1] += games_per_pair
        progress(
            f"value functions, {first} v {second}: "
            + (
                f"mean return {mean[first]:.3f} v {mean[second]:.3f} in {games_per_pair} games"
                if hidden
                else f"{gained[first]:g} of {games_per_pair}"
            )
        )
    return {
        "pairs": pairs,
        "total": {name: gained / played if played else 0.0 for name, (gained, played) in points.items()},
    }


def rules_of(loaded: manifest.Model, path: str | None) -> str:
    """The text of the rules in the file `path`; without one, the text that ships for the model's game. To rules that do
    not say what players observe this is added (`training.rules_of`).

    Raises:
      ValueError: the file cannot be read, or no text of that game ships.
    """
    name = loaded.manifest.get("game", "")
    try:
        game = load_game(name)
    except ValueError as error:
        if path:  # a user's own, which is told by the user alone
            return read_rules(path, None)
        raise ValueError(
            f"{loaded.path}: no text of the rules of its game {name!r} ships ({error}); give "
            f"--rules=FILE with the rules in plain words"
        ) from error
    return training.rules_of(loaded, game, path)
