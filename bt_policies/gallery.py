"""Draws a team on nine different games (PORTAL, figures 6 and 7):

    python -m bt_policies.gallery --team=fps_basic --output=figure6.png

Each picture shows a whole match from above: all ways, and where soldiers fell.
"""

from __future__ import annotations

from absl import flags

from bt_policies.measuring.evaluation import MAPS, MODES, controllers, trials
from runs import cli


def main() -> None:
    """The command; see the module's docstring."""
    from games.fps_arena import drawing
    from games.fps_arena.play import match

    F = flags.FLAGS
    output = cli.check_output(F.output, "output")
    drawn = []
    for trial in trials(F.game, F.columns**2, F.seed, opponents=F.opponents, modes=F.modes, maps=F.maps):
        rules = match.rules_of(trial.game)
        played = match.play_teams(
            rules,
            [controllers(F.team if side == 0 else trial.opponent) for side in range(rules.teams)],
            trial.seed,
            record=True,
        )
        drawn.append(drawing.overview(played.state.setting, played.frames))
        scores = " : ".join(map(str, played.scores))
        print(f"{rules.map} {rules.size}x{rules.size}, {rules.mode}: {scores}, the team in blue first")
    size = max(max(image.size) for image in drawn)
    sheet = drawing.tiled(
        [image.resize((size, size * image.height // image.width)) for image in drawn], F.columns
    )
    sheet.thumbnail((F.pixels, F.pixels))
    with cli.writing(output, binary=True) as file:
        file.write(drawing.png(sheet))


if __name__ == "__main__":
    flags.DEFINE_string("team", None, "weak, medium, strong, or a tree (.bt, .json, .team).", required=True)
    flags.DEFINE_string("output", None, "PNG file to write.", required=True)
    flags.DEFINE_string("game", "fps_arena", "Game string; what it leaves out is drawn.")
    flags.DEFINE_integer("columns", 3, "Columns and rows.", lower_bound=1)
    flags.DEFINE_integer("seed", 0, "Of the games.", lower_bound=0)
    flags.DEFINE_string("opponents", "", "weak, medium, strong or trees, comma-separated; default medium.")
    flags.DEFINE_list("modes", list(MODES), "Modes that are drawn from.")
    flags.DEFINE_list("maps", list(MAPS), "Kinds of maps that are drawn from.")
    flags.DEFINE_integer("pixels", 1800, "Longest side of the picture.", lower_bound=300)
    cli.run(main)
