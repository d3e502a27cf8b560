"""Finds the bad samples among several syntheses of one game.

    python -m cwm.rejection --models=leduc_poker/0,leduc_poker/1,leduc_poker/2 --db=rejection.db

The agents of all models play a round robin inside each other's models, without the ground truth; a model whose
agent does clearly worse than the best one is rejected (`cwm.trust.rejection`, after the paper's appendix E).

With --update the verdicts go into the manifests: a bot that draws one of several models passes over the
rejected ones (`cwm.contract.model_folders.candidates`). With --db the same command goes on where it was stopped,
and may be started several times at once.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Any

from cwm.contract import manifest, model_folders
from cwm.trust.rejection import MARGIN, reject, table
from runs import cli, flags
from runs.tables import text_table


def _define_flags() -> None:
    flags.models()
    flags.pair_matches("games_per_pair", 20, "agents in each model")
    flags.simulations(100)
    flags.seed("the deals and the agents")
    flags.output("the verdicts as JSON")
    flags.db()
    flags.DEFINE_bool("update", False, "Whether the verdicts are written into the models' manifests too.")


def main() -> None:
    """The command; see the module's docstring."""
    values = flags.FLAGS
    for name in ("output", "db"):
        if values[name].value:
            cli.check_output(values[name].value, name)
    settings: dict[str, Any] = {
        "games_per_pair": values.games_per_pair,
        "simulations": values.simulations,
        "seed": values.seed,
    }
    verdicts = reject(values.models, **settings, db=values.db, progress=True)
    if values.output:
        cli.write_text(
            values.output,
            json.dumps(
                {**settings, "margin": MARGIN, "verdicts": [asdict(verdict) for verdict in verdicts]}, indent=1
            )
            + "\n",
        )
    if values.update:
        for given, verdict in zip(values.models, verdicts):
            folder = model_folders.resolve(given)
            manifest.write_json(
                os.path.join(folder, "manifest.json"),
                dict(
                    manifest.load(folder).manifest,
                    rejection={
                        **settings,
                        "margin": MARGIN,
                        "models": [v.model for v in verdicts],
                        **asdict(verdict),
                    },
                ),
            )
    print(text_table(table(verdicts)))
    for verdict in verdicts:
        if verdict.rejected:
            print(f"{verdict.model} is rejected: {verdict.reason}")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
