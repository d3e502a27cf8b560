"""Measures whether the shipped world models of games with hidden information are fit to learn in.

    python -m benchmarks.cwm.adequacy --output_dir=adequacy

For every shipped synthesis of each game, open deck and closed: on games small enough to be walked whole,
NashConv of the uniform policy in the model and in the ground truth, and of CFR's policy made in the model,
there and carried over to the ground truth, beside CFR in the ground truth (`cwm.trust.adequacy`); and how far the
model's inference is from the exact posterior, beside the sampling noise of exact samples
(`cwm.trust.posterior`). A model whose file is in the folder, measured with the same settings, is not measured
again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyspiel

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import adequacy, posterior
from runs import cli, flags
from runs.tables import text_table
from sandbox import SandboxError

GAMES = ("leduc_poker", "leduc_twist", "ferry", "quadranto", "bargaining")
"""The first three are small enough to be walked whole."""


_COUNTS = ("histories", "truth_histories", "infostates", "unmatched")
_NASH_CONVS = ("uniform", "truth_uniform", "cfr_inside", "cfr_carried", "cfr_truth")
_DISTANCES = ("mean", "largest", "noise", "largest_noise")


def shipped_models(game: str) -> list[str]:
    """Returns the names of all models of a game that ship, open deck first."""
    found = []
    for folder in (game, f"closed/{game}"):
        if Path(model_folders.shipped_root(), folder).is_dir():
            found += map(model_folders.name_of, model_folders.candidates(folder))
    return found


def by_game(models: Iterable[str]) -> dict[str, list[str]]:
    """Returns the models by the game that they were made for."""
    found: dict[str, list[str]] = {}
    for model in models:
        found.setdefault(manifest.load(model_folders.resolve(model)).manifest["game"], []).append(model)
    return found


def yardstick(game: pyspiel.Game, iterations: int, max_histories: int) -> adequacy.Yardstick | str:
    """Returns the ground truth, walked and solved, or a sentence on why it could not be."""
    try:
        return adequacy.Yardstick(game, iterations, max_histories)
    except ValueError as error:
        return str(error)


def measure(
    name: str, game: pyspiel.Game, truth: adequacy.Yardstick | str, settings: dict[str, int]
) -> dict[str, Any]:
    """Returns the figures that the module's docstring names for one model. Where the model itself fails,
    "failed" says how.
    """
    row: dict[str, Any] = {"model": name, "game": str(game), "settings": settings}
    try:
        if isinstance(truth, str):
            row["not_walked"] = truth
        else:
            row["adequacy"] = asdict(truth.measure(pyspiel.load_game("cwm", {"model": name})))
        source = manifest.load(model_folders.resolve(name)).source
        row["posterior"] = asdict(
            posterior.distance(source, game, settings["decisions"], settings["samples"], settings["seed"])
        )
    except (SandboxError, ValueError) as error:
        row["failed"] = " ".join(str(error).split())
    return row


def known(path: Path, settings: dict[str, int]) -> dict[str, Any] | None:
    """Returns the row in a file, if it was measured with these settings."""
    if not path.exists():
        return None
    row = json.loads(path.read_text("utf-8"))
    return row if row["settings"] == settings else None


def table(rows: Iterable[dict[str, Any]]) -> list[list[str]]:
    """Returns one line for each model."""
    lines = [
        [
            "model",
            "histories",
            "truth",
            "infostates",
            "unmatched",
            "uniform",
            "truth",
            "CFR in the model",
            "carried over",
            "CFR in the truth",
            "equal",
            "posterior",
            "largest",
            "noise",
            "largest",
            "decisions",
        ]
    ]
    for row in rows:
        cells = ["-"] * (len(lines[0]) - 1)
        if "adequacy" in row:
            own = row["adequacy"]
            cells[:10] = [
                *(str(own[key]) for key in _COUNTS),
                *(f"{own[key]:.6f}" for key in _NASH_CONVS),
                "yes" if own["equal"] else "NO",
            ]
        if "posterior" in row:
            drawn = row["posterior"]
            cells[10:] = [*(f"{drawn[key]:.4f}" for key in _DISTANCES), str(drawn["decisions"])]
        lines.append([row["model"], *cells])
    return lines


def _define_flags() -> None:
    flags.output_dir("the results, one JSON file for each model")
    flags.DEFINE_list("games", list(GAMES), "Games all of whose shipped models are measured.")
    flags.models(", to measure instead", default=[])
    flags.DEFINE_integer("iterations", 100, "Iterations of CFR.", lower_bound=1)
    flags.DEFINE_integer(
        "max_histories", adequacy.MAX_HISTORIES, "Histories of the largest game that is walked.", lower_bound=1
    )
    flags.DEFINE_integer(
        "decisions", 40, "Number of decisions at which samples are compared with the posterior.", lower_bound=1
    )
    flags.DEFINE_integer("samples", posterior.SAMPLES, "Number of samples at each of them.", lower_bound=1)
    flags.seed("the games and samples")


def main() -> None:
    """Runs the command; see the module's docstring."""
    values = flags.FLAGS
    settings = {
        name: values[name].value for name in ("iterations", "max_histories", "decisions", "samples", "seed")
    }
    folder = Path(values.output_dir)
    folder.mkdir(parents=True, exist_ok=True)
    models = values.models or [model for game in values.games for model in shipped_models(game)]
    rows = []
    for spec, names in by_game(models).items():
        game, truth = load_game(spec), None
        for name in names:
            path = folder / f"{name.strip('/').replace('/', '_')}.json"
            row = known(path, settings)
            if row is None:
                print(name, file=sys.stderr, flush=True)
                truth = truth or yardstick(game, settings["iterations"], settings["max_histories"])
                row = measure(name, game, truth, settings)
                manifest.write_json(str(path), row)
            rows.append(row)
    print(text_table(table(rows)))
    for row in rows:
        if "failed" in row:
            print(f"{row['model']} failed: {row['failed']}")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
