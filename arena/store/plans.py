"""The planned size of each experiment, and whether more was asked for after a look.

Who plays on until the result pleases gets it sooner or later. So the size of an experiment is noted when it
begins, and what was asked for later is noted beside it; tables that rest on such matches say so by themselves.
The table is made when it is first needed: databases of earlier versions lack it, and know no sizes.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Mapping

from arena.store.results import setting_of

TABLE = """
CREATE TABLE IF NOT EXISTS plan (
  id INTEGER PRIMARY KEY,
  experiment INTEGER NOT NULL REFERENCES experiment,
  plan TEXT NOT NULL,              -- canonical JSON: bots, and num_games or until
  matches INTEGER NOT NULL         -- of the experiment, that were there when it was asked for
)"""


def _size(plan: Mapping) -> str:
    return f"until a width of {plan['until']:g}" if "until" in plan else str(plan["num_games"])


def _extends(earlier: Mapping, later: Mapping) -> bool:
    """Whether the later plan lets bots of the earlier one play on."""
    if len(set(earlier["bots"]) & set(later["bots"])) < 2:
        return False
    if "num_games" in earlier and "num_games" in later:
        return later["num_games"] > earlier["num_games"]
    return earlier.get("until") != later.get("until")


def marks(
    connection: sqlite3.Connection, configs: Mapping[int, Mapping]
) -> tuple[tuple[tuple[str, str, str], ...], tuple[tuple[str, str], ...]]:
    """`extensions` and `sequential` of `arena.store.results.Results`.

    Args:
      connection: the connection to the database.
      configs: configurations of the experiments to look at.
    """
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'plan'").fetchone():
        return (), ()
    noted: dict[int, list[tuple[Mapping, int]]] = {}
    for number, text, matches in connection.execute("SELECT experiment, plan, matches FROM plan ORDER BY id"):
        noted.setdefault(number, []).append((json.loads(text), matches))
    extensions, sequential = [], []
    for number, config in configs.items():
        where = (
            str(config.get("game", "")),
            setting_of(
                config.get("opening_plies") or 0, config.get("move_seconds"), bool(config.get("joint_openings"))
            ),
        )
        own = noted.get(number, [])
        for (earlier, _), (later, there) in itertools.combinations(own, 2):
            if there and _extends(earlier, later):
                sentence = (
                    f"extended after a look: {_size(earlier)} \u2192 {_size(later)} matches of each two bots "
                    f"(experiment {number}), so that intervals of a fixed size may cover too little"
                )
                extensions.append((*where, sentence))
        if any("until" in plan for plan, _ in own):
            sequential.append(where)
    return tuple(dict.fromkeys(extensions)), tuple(dict.fromkeys(sequential))
