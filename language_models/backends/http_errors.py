"""Failures over HTTP as errors of this package, the same for all backends."""

from __future__ import annotations

import datetime
import email.utils
import math

from language_models.types import LanguageModelError, RateLimited, Transient

RETRIED_STATUSES = (500, 502, 503, 504)

_QUOTED_CHARACTERS = 300


def retry_after_seconds(value: str | None, now: datetime.datetime) -> float | None:
    """Reads a Retry-After header (RFC 9110, section 10.2.3): seconds, or an HTTP date.

    Args:
      value: the header's text, or None where there was none.
      now: the time that a date is compared with, with a time zone.

    Returns:
      Seconds from now, 0 or more; None for a missing or unreadable header.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = email.utils.parsedate_to_datetime(value)
        except ValueError:
            return None
        if date.tzinfo is None:
            date = date.replace(tzinfo=datetime.UTC)
        seconds = (date - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def error_for_status(name: str, status: int, detail: str, retry_after: float | None) -> LanguageModelError:
    """The error for an HTTP status other than 200.

    Args:
      name: the model's name, for the message.
      status: the HTTP status.
      detail: the server's words, already free of secrets.
      retry_after: seconds the server asked to wait, or None.
    """
    said = f"{name} answered HTTP {status}: {detail}"
    if status == 429:
        return RateLimited(said, retry_after)
    if status in RETRIED_STATUSES:
        return Transient(said, retry_after)
    return LanguageModelError(said)


def quote(text: object, secret: str) -> str:
    """One line of at most 300 characters for an error message, with `secret` blotted out.

    Servers echo keys ("API key not valid: ..."), and error messages end up in logs and recordings.
    """
    line = " ".join(str(text).split())
    if secret:
        line = line.replace(secret, "[key]")
    if len(line) > _QUOTED_CHARACTERS:
        line = line[:_QUOTED_CHARACTERS] + "..."
    return line or "(nothing)"
