"""Contradictions of recorded games: to each other, to the names of the rules, or to the game they were played in.

A world model is deterministic once chance has acted, so two games in which the same was done so far must look alike.
Games that contradict each other can be learnt by no program, and the language model would be asked in vain.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pyspiel

from cwm.trust.checks import same_data
from cwm.trust.trajectories import CHANCE, Step, Trajectory, from_names
from games.registration import name_of

SHOWN = 80
"""Most characters of a value in a sentence."""
WORD = re.compile(r"[^\W\d_]{3,}")
"""A word of an action's name that rules in plain words can be expected to hold."""


def check(
    path: str,
    games: Sequence[Trajectory],
    *,
    rules: str | None = None,
    game: pyspiel.Game | None = None,
    closed: bool = False,
) -> None:
    """Makes sure that recorded games can be learnt from.

    Args:
      path: the file they come from, for the sentences.
      games: the games.
      rules: the rules in plain words; None where there are none, or where the names are the game's own.
      game: the game they were played in, where there is one.
      closed: whether the deck is closed: then nobody may have known what was dealt, and games are not compared.

    Raises:
      ValueError: they contradict each other, the rules, or the game; one sentence.
    """
    counts = {one.num_players for one in games}
    if len(counts) > 1:
        raise ValueError(
            f"{path}: games of {' and '.join(map(str, sorted(counts)))} players, expected games of one number of "
            f"players; keep one kind of them in a file"
        )
    names = {name_of(one.game) for one in games if one.game}
    if len(names) > 1:
        raise ValueError(
            f"{path}: games of {' and '.join(sorted(names))}, expected games of one name; keep one in a file"
        )
    if not closed:
        _check_each_other(path, games)
    if game is not None:
        _check_game(path, games, game)
    elif rules is not None:
        _check_names(path, games, rules)


def _check_each_other(path: str, games: Sequence[Trajectory]) -> None:
    """Compares the states of all games that were reached by the same actions."""
    root: dict[str, Any] = {}
    for number, one in enumerate(games, 1):
        node, names = root, []
        for index, step in enumerate(one.steps):
            first_number, first = node.setdefault("first", (number, step))
            differing = _difference(first, step)
            if differing:
                what, before, now = differing
                done = f"after {', '.join(names[-3:])}" if names else "at the start"
                raise ValueError(
                    f"{path}: game {number} contradicts game {first_number} in step {index}, {done}, where all "
                    f"actions before are the same: {what} {_shown(now)}, expected {_shown(before)} as there; "
                    f"record what differs as a chance step (player -1), or correct one of them"
                )
            if step.action is not None:
                names.append(step.action)
                node = node.setdefault(("then", step.action), {})


def _difference(one: Step, other: Step) -> tuple[str, Any, Any] | None:
    """The first fact that differs between two records of a state: what, in the one, in the other."""
    facts = [("the player to act is", one.player, other.player)]
    if one.legal is not None and other.legal is not None:
        facts.append(("the legal actions are", sorted(one.legal), sorted(other.legal)))
    if one.chance is not None and other.chance is not None:
        facts.append(("the chances are", one.chance, other.chance))
    facts.append(("the observations are", list(one.observations), list(other.observations)))
    facts.append(("the returns are", list(one.returns), list(other.returns)))
    return next((fact for fact in facts if not same_data(fact[1], fact[2])), None)


def _check_game(path: str, games: Sequence[Trajectory], game: pyspiel.Game) -> None:
    """Plays the recorded actions in the game itself."""
    for number, one in enumerate(games, 1):
        if one.num_players != game.num_players():
            raise ValueError(
                f"{path}: games of {one.num_players} players, expected {game.num_players()} as in {name_of(game)}; "
                f"name the game they were played in with --game, or leave --game out"
            )
        try:
            truth = from_names(game, one.actions)
        except ValueError as error:
            raise ValueError(
                f"{path}: the actions of game {number} cannot be played in {name_of(game)} ({error}); record the names that "
                f"games.action_name gives, or leave --game out"
            ) from error
        for index, (expected, found) in enumerate(zip(truth.steps, one.steps, strict=True)):
            differing = _difference(expected, found)
            if differing:
                what, before, now = differing
                raise ValueError(
                    f"{path}: game {number} contradicts {name_of(game)} in step {index}: {what} {_shown(now)}, expected "
                    f"{_shown(before)}; correct the record, or leave --game out"
                )


def _check_names(path: str, games: Sequence[Trajectory], rules: str) -> None:
    """Looks for the recorded actions' names in the rules: as a whole up to numbers, and by their words."""
    names = {step.action for one in games for step in one.steps if step.action and step.player != CHANCE}
    written = {_shape(span) for span in re.findall(r"`([^`\n]+)`", rules)}
    alike = {_loose(shape): shape for shape in written if _loose(shape)}
    for name in sorted(names):
        shape = alike.get(_loose(_shape(name)))
        if shape is not None and _shape(name) not in written:
            raise ValueError(
                f"{path}: holds the action {name!r}, but the rules write its name as {shape!r} (with numbers for "
                f"each #); expected one and the same spelling, so correct one of them"
            )
    words = {word.lower() for name in names for word in WORD.findall(name)}
    text = rules.lower()
    if words and all(WORD.search(name) for name in names) and not any(word in text for word in words):
        shown = ", ".join(repr(name) for name in sorted(names)[:3])
        raise ValueError(
            f"{path}: no word of its actions' names, such as {shown}, stands in the rules, expected rules that say "
            f"how the actions are named; add that to the rules, or record the names that they use"
        )


def _shape(name: str) -> str:
    """A name with # for each number."""
    return re.sub(r"\d+", "#", name.strip())


def _loose(shape: str) -> str:
    """The letters and numbers of a shape; empty for one that has no word."""
    return re.sub(r"[^a-z#]", "", shape.lower()) if WORD.search(shape) else ""


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
