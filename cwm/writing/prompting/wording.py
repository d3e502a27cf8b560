"""Data, names and long lists as a prompt shows them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

LEGAL_SHOWN = 40


def compact(data: Any) -> str:
    """Plain data as JSON without spaces."""
    return json.dumps(data, separators=(",", ":"))


def clip(text: str, budget: int) -> str:
    """A text, cut after so many characters, with the number of those left out."""
    return text if len(text) <= budget else f"{text[:budget]} [... {len(text) - budget} more characters]"


def some(names: Sequence[str], limit: int = LEGAL_SHOWN) -> str:
    """Names in a row, the ones beyond `limit` as a number."""
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} [... {len(names) - limit} more]"
