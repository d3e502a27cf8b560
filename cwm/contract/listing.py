"""The world models that ship with the package, for `python -m arena.list models`."""

from __future__ import annotations

import json
from pathlib import Path

from cwm.contract import model_folders


def shipped_models() -> list[dict[str, object]]:
    """Every shipped model: `name`, as bots take it (`cwm_mcts(model=connect_four/0)`), `game`, `summary`, and `rungs`,
    the status of each test by name, as the manifest has them."""
    root = Path(model_folders.shipped_root())
    found = []
    for path in sorted(root.rglob("manifest.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        rungs = {rung["rung"]: rung["status"] for rung in content["rungs"]}
        passed = sum(status == "passed" for status in rungs.values())
        missed = [rung.replace("_", " ") for rung, status in rungs.items() if status != "passed"]
        found.append(
            {
                "name": path.parent.relative_to(root).as_posix(),
                "game": content["game"],
                "summary": f"model of {content['game']}; by its manifest {passed} of {len(rungs)} tests passed"
                + (f", not {', '.join(missed)}" if missed else ""),
                "rungs": rungs,
            }
        )
    return found
