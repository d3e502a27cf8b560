"""Draws a recorded game of wrestle: one step as a PNG, or the whole game as a GIF.

python -m games.wrestle.draw game.jsonl.gz --step=40 --output=step.png
python -m games.wrestle.draw game.jsonl.gz --every=2 --output=game.gif
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Sequence

from games.wrestle import drawing
from games.wrestle.traces import read
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.output("the picture, .png or .gif", required=True)
    flags.DEFINE_integer("step", None, "Step to draw as PNG; the last one by default.")
    flags.DEFINE_integer("every", 1, "Number of steps from one picture of a GIF to the next.", lower_bound=1)


def main(paths: Sequence[str]) -> None:
    """Runs the command; see the module's docstring."""
    if len(paths) != 1:
        raise ValueError(
            f"expected one recorded game, found {len(paths)} files; run with --help for an example"
        )
    output = cli.check_output(_FLAGS.output, "output")
    if output.suffix not in (".png", ".gif"):
        raise ValueError(f"--output: expected a name that ends in .png or .gif, found {output.name!r}")
    worlds = [frame.world for frame in read(paths[0])]
    if output.suffix == ".gif":
        logging.getLogger("matplotlib.animation").setLevel(logging.WARNING)  # absl shows what it says
        # The last state is always shown: it is the one in which somebody is out.
        drawing.save_animation(worlds[: -1 : _FLAGS.every] + worlds[-1:], output)
        return
    step = len(worlds) - 1 if _FLAGS.step is None else _FLAGS.step
    if not 0 <= step < len(worlds):
        raise ValueError(f"--step: expected 0 to {len(worlds) - 1} in {paths[0]}, found {step}")
    with tempfile.TemporaryDirectory(dir=output.parent) as folder:
        made = os.path.join(folder, output.name)
        with open(made, "wb") as file:
            file.write(drawing.png(worlds[step]))
        os.replace(made, output)


if __name__ == "__main__":
    _define_flags()
    cli.run(main, files=True)
