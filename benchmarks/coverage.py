"""Measures how often the arena's 95 % intervals cover the truth, where the truth is known.

    python -m benchmarks.coverage --output=docs/results/tables/coverage.csv

Draws experiments of 5 to 400 blocks from distributions with a known mean (`benchmarks.support.worlds`): wins
and losses in pairs that hang together, draws, chips of Kuhn and Leduc poker between known policies on
duplicate deals, raw and luck-adjusted, matrix games, and the Elo of four bots. Each goes through the functions
that `arena.ratings` uses. For each it says how often the interval covers the mean, how often it is marked
unreliable, how often it is neither marked nor covers, and how often the plain percentile bootstrap would
cover. docs/statistics.md explains the figures.
"""

from __future__ import annotations

import csv
import io

import numpy as np
from scipy.sparse import csr_matrix
from tqdm import tqdm

from arena.rating import figures
from arena.rating.evidence import evidence
from arena.rating.intervals import RESAMPLES, Blocks, Estimates, return_estimates, score_estimates
from arena.rating.means import Rules, means
from arena.rating.tally import tally
from benchmarks.support.worlds import LADDER, World, ladder, worlds
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS
BLOCKS = (5, 10, 20, 50, 100, 400)
COLUMNS = ("kind", "world", "mean", "blocks", "covered", "marked", "missed_unmarked", "percentile", "width")
ELO_BLOCKS = (20, 50, 100)
ELO_REPETITIONS = 1000
ELO_RESAMPLES = 300
"""Fewer than `arena.ratings` draws, which moves the ends of an interval by a few percent of its width."""
CORE = 50
"""Blocks from which on, with means in [0.1, 0.9], 93 to 97 % are wanted; elsewhere 93 % or a mark."""


def _estimates(world: World, own: Blocks, rng: np.random.Generator) -> Estimates:
    if world.kind == "scores":
        return score_estimates(own)
    return return_estimates(own, world.low, world.high, rng, adjusted=world.kind == "luck-adjusted")


def _percentile(sums: np.ndarray, matches: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the plain percentile bootstrap, of each row."""
    blocks = sums.shape[1]
    weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=RESAMPLES)
    means = np.sort(sums @ weights.T / (blocks * matches), axis=1)
    return means[:, (RESAMPLES + 1) // 40 - 1], means[:, -(RESAMPLES + 1) // 40]


def measured(world: World, blocks: int, repetitions: int, rng: np.random.Generator) -> dict[str, object]:
    """One row of the table: shares in percent, and the median width of the interval."""
    sums = world.draw(rng, (repetitions, blocks)).astype(float)
    own = Blocks(csr_matrix(sums), csr_matrix(np.full(sums.shape, float(world.matches))))
    found = _estimates(world, own, rng)
    # The mean itself is rounded, and so are the sums of those that are exact.
    near = 1e-9 * (world.high - world.low)
    covered = (found.low <= world.mean + near) & (found.high >= world.mean - near)
    plain = _percentile(sums, world.matches, rng)
    covered_plainly = (plain[0] <= world.mean + near) & (plain[1] >= world.mean - near)
    return {
        "kind": world.kind,
        "world": world.name,
        "mean": f"{world.mean:.4g}",
        "blocks": blocks,
        "covered": f"{100 * covered.mean():.1f}",
        "marked": f"{100 * (~found.reliable).mean():.1f}",
        "missed_unmarked": f"{100 * (~covered & found.reliable).mean():.1f}",
        "percentile": f"{100 * covered_plainly.mean():.1f}",
        "width": f"{np.median(found.high - found.low):.3g}",
    }


def measured_elo(blocks: int, repetitions: int, rng: np.random.Generator) -> list[dict[str, object]]:
    """Rows of the same kind for the Elo of each bot of `ladder`, of which only differences to the mean mean
    something."""
    truth = np.array(LADDER) - np.mean(LADDER)
    rules = Rules(-1, 1, True)
    found = []
    for _ in range(repetitions):
        own = evidence(ladder(blocks, rng), ())
        sums = tally(own, rng, ELO_RESAMPLES)
        reliable = means(own, np.zeros(len(own), bool), rules, rng).reliable_ratings
        elo = figures.elo_and_bradley_terry(sums, reliable)["elo"]["bots"]
        found.append([[own["low"], own["high"], own["reliable"]] for own in elo.values()])
    low, high, reliable = np.array(found, float).transpose(2, 0, 1)
    covered = (low <= truth) & (high >= truth)
    return [
        {
            "kind": "Elo",
            "world": f"four bots, the one {rating:g} above the weakest",
            "mean": f"{truth[bot]:.4g}",
            "blocks": blocks,
            "covered": f"{100 * covered[:, bot].mean():.1f}",
            "marked": f"{100 * (1 - reliable[:, bot]).mean():.1f}",
            "missed_unmarked": f"{100 * (~covered & (reliable > 0))[:, bot].mean():.1f}",
            "percentile": f"{100 * covered[:, bot].mean():.1f}",
            "width": f"{np.median(high[:, bot] - low[:, bot]):.3g}",
        }
        for bot, rating in enumerate(LADDER)
    ]


def summary(rows: list[dict[str, object]]) -> list[list[str]]:
    """Of the means that the target is set for, and of all others: the least and the greatest coverage, and the
    largest share that is missed without a mark."""
    table = [
        ["", "experiments", "covered, least", "covered, most", "missed unmarked, most", "percentile, least"]
    ]
    for kind in ("scores", "returns", "luck-adjusted", "Elo"):
        own = [row for row in rows if row["kind"] == kind]
        core = [
            row
            for row in own
            if row["blocks"] >= CORE and (kind != "scores" or 0.1 <= float(row["mean"]) <= 0.9)
        ]
        for name, part in ((f"{CORE} blocks or more", core), ("the others", [r for r in own if r not in core])):
            covered, missed, plain = (
                [float(row[column]) for row in part] for column in ("covered", "missed_unmarked", "percentile")
            )
            table.append(
                [f"{kind}, {name}", str(len(part))]
                + [f"{value:.1f}" for value in (min(covered), max(covered), max(missed), min(plain))]
            )
    return table


def _define_flags() -> None:
    flags.DEFINE_integer("repetitions", 4000, "Experiments of each size in each world.", lower_bound=1000)
    flags.seed("all draws", default=1)
    flags.output("the table as CSV")


def main() -> None:
    """The command; see the module's docstring."""
    output = cli.check_output(_FLAGS.output, "output") if _FLAGS.output else None
    rows = [
        measured(world, blocks, _FLAGS.repetitions, np.random.default_rng([_FLAGS.seed, number, blocks]))
        for number, world in enumerate(tqdm(worlds(), disable=None))
        for blocks in BLOCKS
    ]
    for blocks in ELO_BLOCKS:
        rows += measured_elo(blocks, ELO_REPETITIONS, np.random.default_rng([_FLAGS.seed, blocks]))
    if output is not None:
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        cli.write_text(output, text.getvalue())
    print(text_table(summary(rows)))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
