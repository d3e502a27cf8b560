"""Recorded syntheses that are replayed into a folder, or read from it where they were replayed before."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from cwm.writing import synthesis
from cwm.writing.synthesis import Outcome, Settings
from cwm.writing.tasks import Lesson
from language_models import from_spec


def finished(folder: str) -> dict[str, Any] | None:
    """The manifest of the run that a folder holds; None where it has not ended."""
    path = os.path.join(folder, "manifest.json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def replay(
    folder: str,
    game: str,
    lesson: Lesson,
    seed: int,
    *,
    method: str = "tree_search",
    calls: int = 20,
    **tests: Any,
) -> Outcome:
    """Replays one synthesis from the recordings that ship.

    Args:
      folder: folder of the run.
      game: game string.
      lesson: the material of the run.
      seed: seed of the run.
      method: method of refinement.
      calls: most calls of the language model.
      tests: the ground truth and the held-out games, as `synthesis.run` takes them.

    Raises:
      language_models.RecordingMiss: a request of the run was not recorded.
    """
    settings = Settings(game, method, "recorded", seed, calls, lesson.fingerprint(), lesson.deck)
    return synthesis.run(
        folder,
        settings,
        lesson,
        from_spec("recorded"),
        progress=lambda line: print(f"  {line}", file=sys.stderr, flush=True),
        **tests,
    )
