"""Asks for value functions of a world model and keeps the best one.

    python -m cwm.value_functions --model=bargaining/0 --llm=recorded

`cwm.writing.value_functions` describes the tournament. The one accepted is value.py beside the model; the
figures are in its manifest.json. Stopped at any moment and started again with the same flags, it asks for no
answer twice.
"""

from __future__ import annotations

import sys

from cwm.contract import manifest, model_folders
from cwm.writing.value_functions import GAMES_PER_PAIR, HIDDEN_GAMES_PER_PAIR, SIMULATIONS, add, rules_of
from language_models import from_spec
from runs import cli, flags


def _define_flags() -> None:
    flags.model()
    flags.rules()
    flags.llm()
    flags.DEFINE_integer("count", 3, "Number of candidates to ask for.", lower_bound=1)
    flags.pair_matches(
        "games_per_pair",
        None,
        "search agents",
        f"; {GAMES_PER_PAIR} by default, {HIDDEN_GAMES_PER_PAIR} with hidden information",
    )
    flags.simulations(SIMULATIONS)
    flags.budget()
    flags.record()


def main() -> None:
    """The command; see the module's docstring."""
    values = flags.FLAGS
    if values.games_per_pair is not None and values.games_per_pair % 2:
        raise ValueError(
            f"--games_per_pair: expected an even number, as matches are played in mirrored "
            f"pairs, found {values.games_per_pair}"
        )
    folder = model_folders.resolve(values.model)
    rules = rules_of(manifest.load(folder), values.rules)
    model = from_spec(values.llm, budget=values.budget, record_to=values.record)
    entry = add(
        folder,
        rules,
        model,
        values.count,
        games_per_pair=values.games_per_pair,
        simulations=values.simulations,
        progress=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(
        f"{values.model}: by {entry['scored_by']}: "
        + ", ".join(f"{name} {score:.3f}" for name, score in entry["total_score"].items())
        + (
            f"; value function {entry['chosen'] + 1} is used"
            if entry["accepted"]
            else "; random rollouts are used"
        )
        + f"; written by {model.name}"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
