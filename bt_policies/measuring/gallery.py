"""A team on different games in one picture (PORTAL, figures 6 and 7).

Each part of the picture shows a whole match from above: all ways, and where soldiers fell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.fps_arena import recorded
from games.fps_arena import drawing
from runs import cli


def draw(
    team: str,
    listed: Sequence[Trial],
    path: Path,
    *,
    columns: int,
    pixels: int,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Plays matches and writes their pictures as a PNG.

    Args:
      team: a strength or a tree, for the side of the trials.
      listed: matches of fps_arena, at least one.
      path: the path of the file.
      columns: pictures in a row.
      pixels: longest side of the whole.
      say: told of each match what it was and how it ended.

    Raises:
      ValueError: the team is unknown.
    """
    drawn = []
    for trial in listed:
        played = recorded(trial, team, 0)
        rules = played.rules
        drawn.append(drawing.overview(played.state.setting, played.frames))
        scores = " : ".join(map(str, played.scores))
        say(f"{rules.map} {rules.size}x{rules.size}, {rules.mode}: {scores}, the team in blue first")
    size = max(max(image.size) for image in drawn)
    sheet = drawing.tiled(
        [image.resize((size, size * image.height // image.width)) for image in drawn], columns
    )
    sheet.thumbnail((pixels, pixels))
    with cli.writing(path, binary=True) as file:
        file.write(drawing.png(sheet))
