"""`manifest.json`, the ladder of trust beside a world model.

Rungs, in order: contract, training transitions (and inference, where information is hidden), random play
without a breach, held-out transitions (and inference), directed transitions (where search goes, and where
models disagree), exact equality with the ground truth (small games), held-out play. A rung that was not
tried says so.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from typing import Any

from runs.cli import write_text

RUNGS = (
    "contract",
    "training_transitions",
    "training_inference",
    "random_play",
    "heldout_transitions",
    "heldout_inference",
    "directed_transitions",
    "exact_equality",
    "heldout_play",
)
HIDDEN_RUNGS = ("training_inference", "heldout_inference")
"""Only models of games with hidden information have these."""
VERIFY_RUNGS = ("directed_transitions",)
"""Rungs that only `python -m cwm.verify` tries."""


class ManifestError(ValueError):
    """Raised where a model folder, or its manifest, is missing or damaged."""


@dataclass
class Rung:
    """One rung: its name, `status` (passed, failed, not tried), the figures behind it, and the day on which
    it was tested (ISO 8601, None where it was not or where the manifest is older than this field)."""

    rung: str
    status: str = "not tried"
    figures: dict[str, Any] = field(default_factory=dict)
    date: str | None = None

    def to_json(self) -> dict[str, Any]:
        row = asdict(self)
        return row if self.date else {key: value for key, value in row.items() if key != "date"}


def new_rungs(hidden: bool = False) -> dict[str, Rung]:
    """All rungs, not tried; `hidden` for a game with hidden information."""
    left_out = VERIFY_RUNGS if hidden else VERIFY_RUNGS + HIDDEN_RUNGS
    return {name: Rung(name) for name in RUNGS if name not in left_out}


def settle(rungs: dict[str, Rung], name: str, holds: bool, /, **figures: Any) -> None:
    """Records today's verdict on one rung."""
    rungs[name] = Rung(name, "passed" if holds else "failed", figures, datetime.date.today().isoformat())


def rungs_to_json(rungs: dict[str, Rung]) -> list[dict[str, Any]]:
    return [rungs[name].to_json() for name in RUNGS if name in rungs]


def program_hash(source: str) -> str:
    """Identifies a model's program: the SHA-256 of its text."""
    return hashlib.sha256(source.encode()).hexdigest()


def write_json(path: str, data: Any) -> None:
    """Writes a JSON file whole or not at all."""
    write_text(path, json.dumps(data, indent=1) + "\n")


@dataclass(frozen=True)
class Model:
    """A model folder as loaded: its path, program, value function and rollout function (or None), manifest,
    and the same program in C (or None)."""

    path: str
    source: str
    value_source: str | None
    manifest: dict[str, Any]
    rollout_source: str | None = None
    native_source: str | None = None


def load(folder: str) -> Model:
    """Reads `model.py`, `manifest.json` and, where the manifest accepts them, `value.py`, `rollout.py` and
    `model.c`; the last only as long as the programs are those with which it was found to agree.

    Raises:
      ManifestError: one sentence that names what is missing or damaged and how to make it.
    """
    try:
        source = _read(folder, "model.py")
        manifest = json.loads(_read(folder, "manifest.json"))
        value = _read(folder, "value.py") if manifest["value_function"]["accepted"] else None
        rollout = _read(folder, "rollout.py") if manifest.get("rollout", {}).get("accepted") else None
        native = None
        if manifest.get("native", {}).get("accepted") and manifest["native"]["of"] == hash_of(source, value):
            native = _read(folder, "model.c")
    except FileNotFoundError as error:
        inner = (
            sorted(
                entry
                for entry in os.listdir(folder)
                if os.path.exists(os.path.join(folder, entry, "manifest.json"))
            )
            if os.path.isdir(folder)
            else []
        )
        if inner:
            raise ManifestError(
                f"{folder}: holds several world models, expected one; name one of "
                f"{', '.join(inner)} in it, as in {os.path.basename(folder)}/{inner[0]}"
            ) from error
        raise ManifestError(
            f"{folder}: not a finished world model, {os.path.basename(error.filename)} "
            f"is missing; make one with python -m cwm.synthesize "
            f"--output_dir={folder}"
        ) from error
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError) as error:
        raise ManifestError(
            f"{folder}: manifest.json or a program beside it cannot be read "
            f"({type(error).__name__}: {error}); make the model again with "
            f"python -m cwm.synthesize"
        ) from error
    return Model(folder, source, value, manifest, rollout, native)


def hash_of(source: str, value_source: str | None) -> str:
    """What a model in C is accepted for: a program and its value function, or None."""
    return hashlib.sha256(repr((source, value_source)).encode("utf-8", "backslashreplace")).hexdigest()


def _read(folder: str, name: str) -> str:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()
