"""Prompts of the world-model method, and the way back from a reply to a program.

Templates lie in `cwm/writing/prompts/`. A changed prompt no longer matches the recordings that ship with the
package, so a change here means recording again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cwm import contract
from cwm.trust.checks import Failure
from cwm.trust.inference import Seen, changes, show_state
from cwm.trust.trajectories import CHANCE, TERMINAL, Step, Trajectory
from language_models import program_of  # noqa: F401  (the way back from a reply to a program)
from language_models.asking.templates import Templates

RECORDINGS_BUDGET = 12_000
"""Most characters of recorded games in a prompt; the unit tests use the games whole."""
HIDDEN_BUDGET = 20_000
"""Most characters of recorded games for games with hidden information, where each state shows two views."""
VALUE_BUDGET = 1_200
"""Most characters of one expected or found value in a failed test."""
HISTORY_SHOWN = 30
LEGAL_SHOWN = 40

_TEMPLATES = Templates("cwm.writing")


def synthesis(rules: str, trajectories: Sequence[Trajectory]) -> str:
    """The first prompt: rules, contract, recorded games."""
    return _TEMPLATES.render(
        "synthesize.j2",
        rules=rules.strip(),
        constants=contract.CONSTANTS,
        functions=contract.FUNCTIONS,
        style=contract.style_rules(),
        shared=_shared(trajectories),
        recordings=show_games(trajectories),
    )


def refinement(rules: str, source: str | None, failure: str, passed: int, transitions: int) -> str:
    """The prompt after a failed test: the code and one failing trace (a text of `show_failure`).

    In a conversation `source` is None, because the model sees its own last answer anyway.
    """
    return _TEMPLATES.render(
        "refine.j2",
        rules=rules.strip(),
        constants=contract.CONSTANTS,
        functions=contract.FUNCTIONS,
        style=contract.style_rules(),
        source=source,
        failure=failure,
        passed=passed,
        transitions=transitions,
    )


def hidden_synthesis(rules: str, recordings: str, closed: bool) -> str:
    """The first prompt for a game with hidden information; `recordings` as text."""
    return _TEMPLATES.render(
        "synthesize_hidden.j2",
        rules=rules.strip(),
        constants=contract.CONSTANTS,
        functions=contract.FUNCTIONS + contract.HIDDEN_FUNCTIONS,
        style=contract.style_rules(),
        closed=closed,
        recordings=recordings,
    )


def hidden_refinement(rules: str, source: str | None, failure: str, passed: int, tests: int) -> str:
    """The prompt after a failed test for a game with hidden information; see `refinement`."""
    return _TEMPLATES.render(
        "refine_hidden.j2",
        rules=rules.strip(),
        constants=contract.CONSTANTS,
        functions=contract.FUNCTIONS + contract.HIDDEN_FUNCTIONS,
        style=contract.style_rules(),
        source=source,
        failure=failure,
        passed=passed,
        tests=tests,
    )


def value_function(rules: str, source: str, hidden: bool = False) -> str:
    """Asks for a value function of a verified model; `hidden` for a game with hidden information, whose
    search gives it states that hold more than a player sees."""
    return _TEMPLATES.render(
        "value_hidden.j2" if hidden else "value.j2",
        rules=rules.strip(),
        source=source.strip(),
        value=contract.VALUE_FUNCTION,
        modules=", ".join(contract.IMPORTABLE),
    )


def optimization(source: str) -> str:
    """Asks for a faster program that says the same."""
    return _TEMPLATES.render(
        "optimize.j2",
        source=source.strip(),
        constants=contract.CONSTANTS,
        functions=contract.FUNCTIONS,
        style=contract.style_rules(),
    )


def rollout(source: str) -> str:
    """Asks for a function that plays a random game of a verified model at once."""
    return _TEMPLATES.render(
        "rollout.j2",
        source=source.strip(),
        rollout=contract.ROLLOUT_FUNCTION,
        modules=", ".join(contract.IMPORTABLE),
    )


# --- how recorded games and failures are shown ----------------------------------------------------


def _compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def _clip(text: str, budget: int) -> str:
    return text if len(text) <= budget else f"{text[:budget]} [... {len(text) - budget} more characters]"


def _shared(trajectories: Sequence[Trajectory]) -> bool:
    return all(
        step.observations.count(step.observations[0]) == len(step.observations)
        for trajectory in trajectories
        for step in trajectory.steps
    )


def show_step(step: Step, shared: bool) -> str:
    """One state of a recorded game in one line."""
    who = {CHANCE: "chance", TERMINAL: "end"}.get(step.player, f"player {step.player}")
    seen = (
        _compact(step.observations[0])
        if shared
        else "; ".join(f"player {p} sees {_compact(d)}" for p, d in enumerate(step.observations))
    )
    parts = [f"{who} | {seen}"]
    if step.legal is not None:
        parts.append(f"legal {len(step.legal)}: {_some(step.legal)}")
    if step.chance is not None:
        rows = [f"{name} ({chance:.5g})" for name, chance in step.chance.items()]
        parts.append(f"outcomes {len(rows)}: {_some(rows, 6)}")
    if step.action is not None:
        parts.append(f"played: {step.action}")
    if step.player == TERMINAL or any(step.returns):
        parts.append(f"returns: {_compact(list(step.returns))}")
    return " | ".join(parts)


def _some(names: Sequence[str], limit: int = LEGAL_SHOWN) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} [... {len(names) - limit} more]"


def show_games(trajectories: Sequence[Trajectory], budget: int = RECORDINGS_BUDGET) -> str:
    """Recorded games within a budget of characters, shared out evenly.

    A game that does not fit loses its middle: its start and its end are shown.
    """
    shared = _shared(trajectories)
    blocks = []
    for number, trajectory in enumerate(trajectories, 1):
        lines = [show_step(step, shared) for step in trajectory.steps]
        room = budget // len(trajectories)
        head: list[str] = []
        tail: list[str] = []
        while lines and room >= 0:
            from_head = len(head) <= 2 * len(tail)
            line = lines.pop(0 if from_head else -1)
            room -= len(line) + 1
            if room < 0 and (head and tail):
                lines.append(line)
                break
            (head if from_head else tail).append(line)
        middle = [f"[... {len(lines)} states not shown]"] if lines else []
        blocks.append("\n".join([f"Game {number}:", *head, *middle, *reversed(tail)]))
    return "\n\n".join(blocks)


def show_hidden_games(trajectories: Sequence[Trajectory]) -> str:
    """Whole games with each player's view; a state that follows another shows its changes only."""
    return _show_changes(
        [
            (
                f"Game {number}:",
                [_shown_step(trajectory.steps, state) for state in range(len(trajectory.steps))],
            )
            for number, trajectory in enumerate(trajectories, 1)
        ]
    )


def _shown_step(steps: Sequence[Step], state: int) -> tuple[str, str]:
    """A state in one line, as a whole and by its changes."""
    step = steps[state]
    if not state:
        return (show_step(step, False),) * 2
    changed = tuple(changes(new, old) for new, old in zip(step.observations, steps[state - 1].observations))
    short = replace(step, observations=changed)
    if step.chance is not None and steps[state - 1].chance is not None:
        # A deal of many cards: the outcomes of the first one show how they are named.
        short = replace(short, chance=None)
    return show_step(step, False), show_step(short, False)


def show_seen(games: Sequence[Seen]) -> str:
    """Games as one of their players saw them; a state that follows another shows its changes only."""
    return _show_changes(
        [
            (
                f"Game {number}, as player {seen.player} saw it:",
                [
                    (show_state(seen, state), show_state(seen, state, short=True))
                    for state in range(len(seen.actions))
                ],
            )
            for number, seen in enumerate(games, 1)
        ]
    )


def _show_changes(games: Sequence[tuple[str, list[tuple[str, str]]]]) -> str:
    """Games within the budget, half of it for the first one; a game that does not fit loses its middle,
    after which a state is shown whole."""
    blocks = []
    for number, (title, states) in enumerate(games):
        lines = [short for _, short in states]
        others = max(1, len(games) - 1)
        room = HIDDEN_BUDGET // 2 if number == 0 else HIDDEN_BUDGET // (2 * others)
        head = tail = 0
        while head + tail < len(lines):
            from_head = head <= 4 * tail
            line = lines[head] if from_head else (lines[-1 - tail] if tail else states[-1][0])
            room -= len(line) + 1
            if room < 0 and head and tail:
                break
            head, tail = (head + 1, tail) if from_head else (head, tail + 1)
        hidden = len(lines) - head - tail
        middle = [f"[... {hidden} states not shown]", states[-tail][0]] if hidden else []
        blocks.append("\n".join([title, *lines[:head], *middle, *lines[len(lines) - tail + bool(hidden) :]]))
    return "\n\n".join(blocks)


def show_failure(failure: Failure) -> str:
    """A failed test in words: the actions that led there, the expected value, and the found one."""
    if failure.game < 0 and failure.breach and not failure.history:
        return f"The module breaks the contract: {failure.breach}."
    lines = []
    kind = "In a random game inside the module" if failure.game < 0 else "In a recorded game"
    shown = failure.history[-HISTORY_SHOWN:]
    hidden = len(failure.history) - len(shown)
    before = f"[... {hidden} earlier], " if hidden else ""
    lines.append(
        f"{kind}, after these {len(failure.history)} actions: {before}{', '.join(shown) if shown else 'none'}."
    )
    if failure.action is not None:
        lines.append(f"The next action is: {failure.action}.")
    if failure.breach:
        lines.append(f"The contract is broken: {failure.breach}.")
    for mismatch in failure.mismatches:
        lines.append(_show_mismatch(mismatch.where, mismatch.expected, mismatch.found))
    if failure.error:
        lines.append(
            f"The call {failure.error['call'] or 'of the module'} failed with {failure.error['message']}"
        )
        lines += [f"  {line}" for line in failure.error["lines"]]
    return "\n".join(lines)


def _show_mismatch(where: str, expected: Any, found: Any) -> str:
    if where.startswith("names of the legal actions"):
        missing = [name for name in expected if name not in found]
        extra = [name for name in found if name not in expected]
        return (
            f"Wrong {where}: missing from the module's list: {_some(missing) or 'none'}; "
            f"in it but not legal: {_some(extra) or 'none'}; right: "
            f"{_some([name for name in found if name in expected], 10) or 'none'}."
        )
    return (
        f"Wrong {where}:\n  expected {_clip(_compact(expected), VALUE_BUDGET)}\n"
        f"  found    {_clip(_compact(found), VALUE_BUDGET)}"
    )
