"""The folder of a long run: made once, and resumed by the same run only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runs import cli


def open_folder(folder: Path, identity: dict[str, Any]) -> None:
    """Makes the folder of a run, or makes sure that it holds the same run.

    Raises:
      ValueError: it holds another run, or something else.
      OSError: it cannot be made.
    """
    path = folder / "run.json"
    if not path.exists():
        if folder.exists() and any(folder.iterdir()):
            raise ValueError(
                f"--output_dir: {folder} holds files of something else, expected a new folder "
                "or one of a run to go on with"
            )
        folder.mkdir(parents=True, exist_ok=True)
        cli.write_text(path, json.dumps(identity, indent=1) + "\n")
        return
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(
            f"--output_dir: {path} is damaged ({error}), expected what a run wrote there; choose another folder"
        ) from error
    if found != identity:
        changed = (
            " and ".join(
                f"--{name}={found[name]!r:.60}" for name in sorted(found) if found[name] != identity.get(name)
            )
            or "other flags"
        )
        raise ValueError(
            f"--output_dir: {folder} holds a run with {changed}, expected one with the flags "
            "given; give the same flags to go on with it, or choose another folder"
        )
