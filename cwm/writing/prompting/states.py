"""Recorded games as version 1 of the prompts shows them: each state whole, or by the fields that have changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cwm.trust.inference import Seen, changes, show_state
from cwm.trust.moves import SIMULTANEOUS
from cwm.trust.trajectories import CHANCE, TERMINAL, Step, Trajectory
from cwm.writing.prompting.wording import compact, some

RECORDINGS_BUDGET = 12_000
"""Most characters of recorded games in a prompt; the unit tests use the games whole."""
HIDDEN_BUDGET = 20_000
"""Most characters of recorded games for games with hidden information, where each state shows two views."""


def observed_alike(trajectories: Sequence[Trajectory]) -> bool:
    """Whether all players observe the same in every state."""
    return all(
        step.observations.count(step.observations[0]) == len(step.observations)
        for trajectory in trajectories
        for step in trajectory.steps
    )


def who_acts(step: Step) -> str:
    """The player to act, chance, several players at once, or nobody at the end."""
    return {CHANCE: "chance", SIMULTANEOUS: "at once", TERMINAL: "end"}.get(
        step.player, f"player {step.player}"
    )


def show_step(step: Step, shared: bool) -> str:
    """One state of a recorded game in one line."""
    who = who_acts(step)
    seen = (
        compact(step.observations[0])
        if shared
        else "; ".join(f"player {p} sees {compact(d)}" for p, d in enumerate(step.observations))
    )
    parts = [f"{who} | {seen}"]
    if step.legal is not None:
        parts.append(f"legal {len(step.legal)}: {some(step.legal)}")
    if step.joint is not None:
        parts += [f"player {player} legal {len(own)}: {some(own)}" for player, own in enumerate(step.joint)]
    if step.chance is not None:
        rows = [f"{name} ({chance:.5g})" for name, chance in step.chance.items()]
        parts.append(f"outcomes {len(rows)}: {some(rows, 6)}")
    if step.action is not None:
        parts.append(f"played: {step.action}")
    if step.player == TERMINAL or any(step.returns):
        parts.append(f"returns: {compact(list(step.returns))}")
    return " | ".join(parts)


def show_games(trajectories: Sequence[Trajectory], budget: int = RECORDINGS_BUDGET) -> str:
    """Recorded games within a budget of characters, shared out evenly.

    A game that does not fit loses its middle: its start and its end are shown.
    """
    shared = observed_alike(trajectories)
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
    return within_budget(
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
    return within_budget(
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


def within_budget(
    games: Sequence[tuple[str, list[tuple[str, str]]]], budget: int = HIDDEN_BUDGET, carry: bool = False
) -> str:
    """Games within a budget of characters, half of it for the first one.

    A game that does not fit loses its middle, after which a state is shown whole.

    Args:
      games: title and states of each game, each state whole and by its changes.
      budget: most characters of them all.
      carry: whether later games may use what earlier ones left.
    """
    blocks = []
    left = budget
    for number, (title, states) in enumerate(games):
        later = len(games) - 1 - number
        if number == 0 and (later or not carry):
            share = budget // 2
        elif carry:
            share = left // (later + 1)
        else:
            share = budget // (2 * (len(games) - 1))
        room = share
        lines = [short for _, short in states]
        head = tail = 0
        while head + tail < len(lines):
            from_head = head <= 4 * tail
            line = lines[head] if from_head else (lines[-1 - tail] if tail else states[-1][0])
            if room < len(line) + 1 and head and tail:
                break
            room -= len(line) + 1
            head, tail = (head + 1, tail) if from_head else (head, tail + 1)
        left -= share - room
        hidden = len(lines) - head - tail
        middle = [f"[... {hidden} states not shown]", states[-tail][0]] if hidden else []
        blocks.append("\n".join([title, *lines[:head], *middle, *lines[len(lines) - tail + bool(hidden) :]]))
    return "\n\n".join(blocks)
