"""Draws behaviour trees, the games of a team, or the course of searches.

    python -m bt_policies.draw --tree=fps_basic --output=tree.png
    python -m bt_policies.draw --tree=a.bt,b.bt --output=trees.png
    python -m bt_policies.draw --team=fps_basic --output=figure6.png
    python -m bt_policies.draw --runs=run1,run2 --output=figure4.png

`--tree` draws trees side by side (`bt_policies.trees.drawing`); with `--trace=F`, a file that
`python -m bt_policies.evaluate --trace=F` wrote, each node shows how often it was asked and fired. `--team`
draws a team on different games, each a whole match from above (PORTAL, figures 6 and 7). `--runs` draws the
folders of `bt_policies.improve`, as in PORTAL's figure 4; with `--fresh=F` beside what
`bt_policies.evaluate --runs=... --json=F` found of the same trees.
"""

from __future__ import annotations

from pathlib import Path

from bt_policies.measuring import gallery
from bt_policies.measuring.evaluation import MAPS, MODES, trials
from bt_policies.trees import drawing
from bt_policies.writing import curves
from runs import cli, flags

_FLAGS = flags.FLAGS


def _draw_trees(output: Path) -> None:
    trees = [drawing.read_titled(name) for name in _FLAGS.tree]
    if _FLAGS.trace and len(trees) != 1:
        raise ValueError(f"--trace: expected one tree with it, found {len(trees)}")
    drawing.draw(trees, output, [drawing.read_trace(_FLAGS.trace)] if _FLAGS.trace else [])
    print(f"{output}: {', '.join(f'{title} ({len(tree.nodes())} nodes)' for title, tree in trees)}")


def _draw_games(output: Path) -> None:
    listed = trials(
        _FLAGS.game,
        _FLAGS.columns**2,
        _FLAGS.seed,
        opponents=_FLAGS.opponents,
        modes=_FLAGS.modes,
        maps=_FLAGS.maps,
    )
    gallery.draw(_FLAGS.team, listed, output, columns=_FLAGS.columns, pixels=_FLAGS.pixels, say=print)


def _draw_runs(output: Path) -> None:
    folders = [Path(folder) for folder in _FLAGS.runs]
    names = [folder.name for folder in folders]
    fresh = curves.read_fresh(Path(_FLAGS.fresh), names) if _FLAGS.fresh else ()
    curves.draw([curves.read_state(folder) for folder in folders], names, output, fresh)
    print(output)


def _define_flags() -> None:
    flags.tree(several=True)
    flags.output("the picture (PNG)", required=True)
    flags.DEFINE_string("trace", None, "With --tree: trace to show, from bt_policies.evaluate --trace=F.")
    flags.DEFINE_string(
        "team", None, "Team to draw on different games: weak, medium, strong, or a tree (.bt, .json, .team)."
    )
    flags.game("completed at random where it leaves parameters out", default="fps_arena")
    flags.DEFINE_integer("columns", 3, "With --team: number of columns, and of rows.", lower_bound=1)
    flags.seed("the games")
    flags.opponents("weak, medium, strong or trees; medium by default")
    flags.modes(MODES)
    flags.maps(MAPS)
    flags.DEFINE_integer("pixels", 1800, "With --team: longest side of the picture.", lower_bound=300)
    flags.DEFINE_list("runs", None, "Folders of runs of bt_policies.improve to draw.")
    flags.DEFINE_string("fresh", None, "With --runs: what bt_policies.evaluate --runs --json wrote of them.")


def main() -> None:
    """Runs the command; see the module's docstring."""
    draws = {"tree": _draw_trees, "team": _draw_games, "runs": _draw_runs}
    given = [name for name in draws if _FLAGS[name].value]
    if len(given) != 1:
        raise ValueError(
            "expected one of --tree, --team and --runs, found "
            + (" and ".join(f"--{name}" for name in given) or "none; run with --help for an example")
        )
    draws[given[0]](cli.check_output(_FLAGS.output, "output"))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
