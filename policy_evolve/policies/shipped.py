"""The source of a policy: a file, or a name that ships."""

from __future__ import annotations

from pathlib import Path

import artefacts
from runs.suggestions import nearest

POLICIES = artefacts.folder("code_policies")
"""The policies that ship with the package."""


def read_source(name: str | Path) -> str:
    """Returns the text of a policy: of a file, or of one of `POLICIES` by its name, with `.py` or without.

    Raises:
      ValueError: there is no such policy, or it is not text.
    """
    path = next(
        (path for path in (Path(name), POLICIES / f"{name}", POLICIES / f"{name}.py") if path.is_file()), None
    )
    if path is None:
        shipped = sorted(path.stem for path in POLICIES.glob("*.py"))
        raise ValueError(
            f"policy {str(name)!r}: expected a file of Python that defines "
            f"act(observation, memory), or one that ships, found neither; "
            f"{nearest(str(name), shipped)}"
        )
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"policy {str(name)!r} cannot be read ({error}), expected a file of Python that "
            "defines act(observation, memory)"
        ) from error
