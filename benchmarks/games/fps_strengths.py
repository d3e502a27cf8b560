"""Measures whether the scripted soldiers of `fps_arena` are as strong as their names say.

    python -m benchmarks.games.fps_strengths --matches=100 --json=strengths.json

In each mode two strengths meet in matches of 4 players, 600 ticks, 32 by 32 cells; the kinds of maps take
turns, and each map and seed is played twice, with sides changed. Where each is for itself, two soldiers are
of either strength. Points are 1 for a win, 0.5 for a draw, 0 for a loss, between soldiers that meet. The
95 % interval is over the pairs of matches (`arena.rating.intervals`).
"""

from __future__ import annotations

import json

import numpy as np
from tqdm import tqdm

from arena.rating.intervals import score_interval
from games.fps_arena.play import match
from games.fps_arena.play.scripted import STRENGTHS
from games.fps_arena.rules.parameters import MAP_KINDS, MODES, Rules
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS

PAIRINGS = (("strong", "medium"), ("medium", "weak"), ("strong", "weak"))
_PLAYERS = 4


def points(stronger: str, weaker: str, rules: Rules, seed: int) -> list[float]:
    """Returns the points of the stronger in both matches of a pair."""
    found = []
    for side in (0, 1):
        names = [(stronger, weaker)[(player + side) % 2] for player in range(_PLAYERS)]
        scores = match.play(rules, [STRENGTHS[name]() for name in names], seed).scores
        own = [scores[rules.team(player)] for player in range(side, _PLAYERS, 2)]
        others = [scores[rules.team(player)] for player in range(1 - side, _PLAYERS, 2)]
        meetings = [(mine > other) + 0.5 * (mine == other) for mine in own for other in others]
        found.append(sum(meetings) / len(meetings))
    return found


def interval(pairs: list[list[float]]) -> tuple[float, float]:
    """Returns the interval of the mean, from the points of both matches of each pair."""
    return score_interval(np.repeat(np.arange(len(pairs)), 2), np.ravel(pairs))


def _define_flags() -> None:
    flags.DEFINE_integer("matches", 100, "Matches of each pairing in each mode.", lower_bound=2)
    flags.seed("the first map and match", default=1000)
    flags.json("the figures")


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    rows, figures = [["mode", "pairing", "points", "95 % interval", "matches"]], []
    cases = [(mode, pairing) for mode in MODES for pairing in PAIRINGS]
    pairs = max(1, _FLAGS.matches // 2)
    with tqdm(total=len(cases) * pairs, unit="pair") as progress:
        for mode, (stronger, weaker) in cases:
            found = []
            for seed in range(_FLAGS.seed, _FLAGS.seed + pairs):
                rules = Rules(players=_PLAYERS, mode=mode, map=MAP_KINDS[seed % len(MAP_KINDS)], map_seed=seed)
                found.append(points(stronger, weaker, rules, seed))
                progress.update()
            low, high = interval(found)
            mean = float(np.mean(found))
            rows.append(
                [mode, f"{stronger} - {weaker}", f"{mean:.3f}", f"{low:.3f} to {high:.3f}", str(2 * pairs)]
            )
            figures.append(
                {
                    "mode": mode,
                    "stronger": stronger,
                    "weaker": weaker,
                    "points": mean,
                    "low": low,
                    "high": high,
                    "matches": 2 * pairs,
                    "seed": _FLAGS.seed,
                }
            )
    print(text_table(rows))
    if output:
        cli.write_text(output, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
