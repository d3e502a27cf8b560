"""Compares recorded games of the real wrestle engine with ours, step by step.

    python -m games.wrestle.replay tests/games/wrestle/traces/*.jsonl.gz

A state may be off by `--tolerance` in any number, since the engines may round differently; whether a disc
is out, the game over, and the winner must be equal; a share of `--pixels` of the recorded pixels may differ
(see `games.wrestle.rendering` for the known reason). Prints the first difference of each file that has
one; the exit code is then 1.

Not played through from the start: after a head-on contact a difference of 1e-13 grows to whole arenas.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from games.wrestle import physics, rendering
from games.wrestle.traces import Frame, read
from runs import cli, flags

DIFFERENT = 1
"""The exit code when a game differs."""

_FLAGS = flags.FLAGS


@dataclass
class Comparison:
    """The comparison of one recorded game.

    Attributes:
      steps: number of steps compared.
      largest: the largest difference in any number of a state.
      pixels, different_pixels: numbers of all and of different pixels in the recorded views.
      first: the first difference in a sentence, None where there is none. Pixels do not count here.
    """

    steps: int = 0
    largest: float = 0.0
    pixels: int = 0
    different_pixels: int = 0
    first: str | None = None


def _difference(found: physics.World, frame: Frame, tolerance: float) -> str | None:
    for player, (ours, recorded) in enumerate(zip(found.discs, frame.world.discs)):
        for name, own, other in zip(physics.Disc._fields, ours, recorded):
            if abs(own - other) > tolerance:
                return f"{name} of player {player} is {own!r}, recorded {other!r}"
    for name, own, other in (
        ("out", tuple(map(physics.is_out, found.discs)), frame.out),
        ("done", physics.is_over(found), frame.done),
        ("winner", physics.winner(found), frame.winner),
    ):
        if own != other:
            return f"{name} is {own!r}, recorded {other!r}"
    return None


def compare(frames: Iterable[Frame], tolerance: float = 1e-9) -> Comparison:
    """Makes each step from the recorded state before it, and renders each state that has views."""
    result = Comparison()
    before: physics.World | None = None
    for frame in frames:
        if before is not None:
            found = physics.step(before, frame.actions)
            result.steps += 1
            result.largest = max(
                result.largest,
                *(
                    abs(own - other)
                    for ours, recorded in zip(found.discs, frame.world.discs)
                    for own, other in zip(ours, recorded)
                ),
            )
            said = _difference(found, frame, tolerance)
            if said is not None and result.first is None:
                result.first = f"step {frame.world.steps}: {said}"
        for player, view in enumerate(frame.views or ()):
            own = rendering.to_text(rendering.render(frame.world, player))
            result.pixels += len(view)
            result.different_pixels += sum(a != b for a, b in zip(own, view))
        before = frame.world
    return result


def _define_flags() -> None:
    flags.DEFINE_float("tolerance", 1e-9, "Largest difference allowed in any number of a state.", lower_bound=0)
    flags.DEFINE_float("pixels", 0.002, "Share of all pixels that may differ.", lower_bound=0, upper_bound=1)


def main(paths: Sequence[str]) -> None:
    """Runs the command; see the module's docstring."""
    if not paths:
        raise ValueError("no file is given, expected recorded games; run with --help for an example")
    total = Comparison()
    failed = 0
    for path in paths:
        result = compare(read(path), _FLAGS.tolerance)
        total.steps += result.steps
        total.pixels += result.pixels
        total.different_pixels += result.different_pixels
        failed += result.first is not None
        print(
            f"{Path(path).name}: {result.steps} steps, largest difference {result.largest:g}, "
            f"{result.different_pixels} of {result.pixels} pixels different"
            + ("" if result.first is None else f"; {result.first}")
        )
    share = total.different_pixels / max(total.pixels, 1)
    print(
        f"{len(paths) - failed} of {len(paths)} games agree, {total.steps} steps; {share:.4%} of the "
        f"pixels differ, allowed are {_FLAGS.pixels:.4%}"
    )
    if failed or share > _FLAGS.pixels:
        sys.exit(DIFFERENT)


if __name__ == "__main__":
    _define_flags()
    cli.run(main, files=True)
