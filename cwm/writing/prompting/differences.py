"""Recorded games as version 2 of the prompts shows them: after its first state a game is told by what changes.

A change inside a list, a dict or a text of several lines is shown alone where that is shorter than the whole, so
that a board of many fields costs a line for each move. Legal actions are told by those that came and went.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cwm.trust.checks import same_data
from cwm.trust.inference import Seen
from cwm.trust.trajectories import TERMINAL, Step, Trajectory
from cwm.writing.prompting.states import (
    HIDDEN_BUDGET,
    RECORDINGS_BUDGET,
    observed_alike,
    who_acts,
    within_budget,
)
from cwm.writing.prompting.wording import LEGAL_SHOWN, compact, some

NOTHING = "nothing changed"
OUTCOMES_SHOWN = 6
LEGAL_BUDGET = 400
"""Most characters of a list of legal actions; one that is longer loses its end."""
LEGAL_CHANGES_BUDGET = 120
"""Most characters of the legal actions that were added, and of those that are gone."""


def changes(new: Any, old: Any, path: str = "") -> list[str]:
    """The differences between two observations, each as `path=value`.

    Args:
      new, old: plain data.
      path: the place of `new` in the observation; empty for the observation itself.

    Returns:
      The shorter of all differences inside, and the whole of `new`; empty where both are the same.
    """
    if same_data(new, old):
        return []
    whole = [f"{path or 'all'}={compact(new)}"]
    parts = _inside(new, old, path)
    return parts if parts is not None and len("; ".join(parts)) < len(whole[0]) else whole


def _inside(new: Any, old: Any, path: str) -> list[str] | None:
    """The differences between the parts of two values; None where they have no parts in common."""
    if isinstance(new, dict) and isinstance(old, dict) and not set(old) - set(new):
        found = []
        for key, value in new.items():
            inner = f"{path}.{key}" if path else key
            found += changes(value, old[key], inner) if key in old else [f"{inner}={compact(value)}"]
        return found
    if not path or type(new) is not type(old) or not isinstance(new, (list, str)) or not old:
        return None
    if same_data(new[: len(old)], old):
        return [f"{path}+={compact(new[len(old) :])}"]
    if isinstance(new, list):
        if len(new) != len(old):
            return None
        return [
            text
            for index, (one, other) in enumerate(zip(new, old))
            for text in changes(one, other, f"{path}[{index}]")
        ]
    lines, before = new.split("\n"), old.split("\n")
    if len(lines) != len(before) or len(lines) == 1:
        return None
    changed = [(index, line) for index, (line, other) in enumerate(zip(lines, before), 1) if line != other]
    return [f"{path} {', '.join(f'line {index}={compact(line)}' for index, line in changed)}"]


def show_games(trajectories: Sequence[Trajectory]) -> str:
    """Games without secrets."""
    return _shown(trajectories, observed_alike(trajectories), RECORDINGS_BUDGET)


def show_hidden_games(trajectories: Sequence[Trajectory]) -> str:
    """Whole games with each player's view."""
    return _shown(trajectories, False, HIDDEN_BUDGET)


def show_seen(games: Sequence[Seen]) -> str:
    """Games as one of their players saw them."""
    return within_budget(
        [
            (f"Game {number}, as player {seen.player} saw it:", _seen_states(seen))
            for number, seen in enumerate(games, 1)
        ],
        carry=True,
    )


def _shown(trajectories: Sequence[Trajectory], shared: bool, budget: int) -> str:
    return within_budget(
        [
            (f"Game {number}:", _states(trajectory.steps, shared))
            for number, trajectory in enumerate(trajectories, 1)
        ],
        budget,
        carry=True,
    )


def _states(steps: Sequence[Step], shared: bool) -> list[tuple[str, str]]:
    """Each state in one line, as a whole and by its changes."""
    rows = []
    legal: dict[int, Sequence[str]] = {}
    outcomes: set[str] = set()
    for number, step in enumerate(steps):
        before = steps[number - 1] if number else None
        parts = [(who_acts(step),) * 2, (_observed(step, None, shared), _observed(step, before, shared))]
        if step.legal is not None:
            parts.append(_legal(step.legal, legal.get(step.player)))
            legal[step.player] = step.legal
        for player, own in enumerate(step.joint or ()):
            parts.append(tuple(f"player {player} {text}" for text in _legal(own, legal.get(player))))
            legal[player] = own
        if step.chance is not None:
            names = [f"{name} ({chance:.5g})" for name, chance in step.chance.items()]
            whole = f"outcomes {len(names)}: {some(names, OUTCOMES_SHOWN)}"
            seen_before = set(step.chance) <= outcomes
            parts.append((whole, f"outcomes {len(names)}, of those before" if seen_before else whole))
            outcomes = outcomes | set(step.chance)
        if step.action is not None:
            parts.append((f"played: {step.action}",) * 2)
        if step.player == TERMINAL or any(step.returns):
            changed = before is None or step.player == TERMINAL or step.returns != before.returns
            parts.append(_if_changed(f"returns: {compact(list(step.returns))}", changed))
        rows.append(_line(parts))
    return rows


def _line(parts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The parts of a state, each as a whole and by its changes, in one line each; empty parts are left out."""
    whole, short = zip(*parts)
    return " | ".join(filter(None, whole)), " | ".join(filter(None, short))


def _if_changed(text: str, changed: bool) -> tuple[str, str]:
    return text, text if changed else ""


def _observed(step: Step, before: Step | None, shared: bool) -> str:
    """The observations of a state, or what has changed in them since the state before."""
    texts = [
        compact(new) if before is None else "; ".join(changes(new, before.observations[player]))
        for player, new in enumerate(step.observations)
    ]
    if shared:
        return texts[0] or NOTHING
    together: dict[str, list[int]] = {}
    for player, text in enumerate(texts):
        if text:
            together.setdefault(text, []).append(player)
    return "; ".join(f"{_players(group)} {text}" for text, group in together.items()) or NOTHING


def _players(group: Sequence[int]) -> str:
    if len(group) == 1:
        return f"player {group[0]} sees"
    return f"players {', '.join(map(str, group))} see"


def _legal(names: Sequence[str], before: Sequence[str] | None) -> tuple[str, str]:
    """Legal actions as a whole, and by what has changed since the player's last turn where that is shorter."""
    whole = f"legal {len(names)}: {_within(names, LEGAL_BUDGET)}"
    if before is None:
        return whole, whole
    here, there = set(names), set(before)
    came, gone = [name for name in names if name not in there], [name for name in before if name not in here]
    short = f"legal {len(names)}: as before" + "".join(
        f", {what} {_within(which, LEGAL_CHANGES_BUDGET)}"
        for what, which in (("and", came), ("without", gone))
        if which
    )
    return whole, min(short, whole, key=len)


def _within(names: Sequence[str], budget: int) -> str:
    """As many of the names as a budget of characters holds, at least one."""
    shown = used = 0
    while shown < min(len(names), LEGAL_SHOWN) and (not shown or used + len(names[shown]) <= budget):
        used += len(names[shown]) + 2
        shown += 1
    return some(names, shown)


def _seen_states(seen: Seen) -> list[tuple[str, str]]:
    """Each state as its player saw it, in one line, as a whole and by its changes."""
    rows = []
    legal = None
    for number, observation in enumerate(seen.observations):
        whole = compact(observation)
        changed = "; ".join(changes(observation, seen.observations[number - 1])) or NOTHING
        parts = [(f"{number}",) * 2, (whole, changed if number else whole)]
        if seen.legal[number] is not None:
            parts.append(_legal(seen.legal[number], legal))
            legal = seen.legal[number]
        if seen.actions[number] is not None:
            parts.append((f"played: {seen.actions[number]}",) * 2)
        end = seen.over and number == len(seen.actions) - 1
        if end or seen.returns[number]:
            changed = end or not number or seen.returns[number] != seen.returns[number - 1]
            parts.append(_if_changed(f"return: {compact(seen.returns[number])}", changed))
        rows.append(_line(parts))
    return rows
