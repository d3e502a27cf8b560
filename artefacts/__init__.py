"""The works of language models and the weights of networks, as they ship: data, not source (README.md)."""
from __future__ import annotations

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from pathlib import Path


def folder(kind: str) -> Path:
    """Returns the folder of one kind of artefact, e.g. `folder("world_models")`."""
    return Path(__file__).parent / kind
