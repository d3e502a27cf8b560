"""A vision model's view of a match: mini-maps, and ratings over five dimensions (PORTAL, section 4.2)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from bt_policies.writing.prompting import render
from games.fps_arena import drawing
from language_models import Image
from language_models.asking.questions import Question, parsed_by

DIMENSIONS = ("map_control", "adaptability", "team_coordination", "team_aggression", "goal_achievement")
LOW, HIGH = 1, 10
MOMENTS, _COLUMNS = 12, 4
_LONGEST = 1568
"""The number of pixels of a side beyond which vision models make pictures smaller themselves."""
_MODES = {
    "dm": "deathmatch, each for itself: kills count",
    "tdm": "team deathmatch: kills count",
    "control": "control point: the team that owns the zone scores",
    "elimination": "elimination: nobody returns, and the last team alive wins",
}
_COLOURS = ("blue", "red", "green", "orange", "violet", "turquoise", "pink", "lime")
"""The names of `games.fps_arena.drawing.COLOURS` in words."""


@dataclass(frozen=True)
class Judgement:
    """One dimension: a rating from 1 (very bad) to 10 (excellent), and its reasons."""

    rating: float
    reasons: str


def question(
    match: Any, team: int, purpose: str, moments: int = MOMENTS
) -> Question[dict[str, Judgement] | None]:
    """Asks for the five ratings of a team's play; the check reads them (see `read`).

    Args:
      match: a match of fps_arena, played with `record=True`.
      team: whose play is judged.
      purpose: label of the call.
      moments: pictures on the sheet, evenly spaced in time.
    """
    rules = match.rules
    prompt = render(
        "vision.j2",
        count=moments,
        ticks=f"tick {match.frames[-1].tick} of at most {rules.ticks}",
        colour=_COLOURS[team],
        members=len(rules.members(team)),
        players=rules.players,
        mode=rules.mode,
        mode_words=_MODES[rules.mode],
    )
    return Question.of(prompt, purpose, _CHECK, images=(Image(sheet(match, moments)),))


def sheet(match: Any, moments: int = MOMENTS) -> bytes:
    """Returns the mini-maps of a match as one PNG; see `games.fps_arena.drawing.contact_sheet`."""
    drawn = drawing.contact_sheet(match.state.setting, match.frames, moments, _COLUMNS)
    drawn.thumbnail((_LONGEST, _LONGEST))
    return drawing.png(drawn)


def read(reply: str) -> dict[str, Judgement]:
    """Returns the ratings in an answer, by dimension.

    Raises:
      ValueError: it holds no JSON object with a rating in range and reasons for each dimension.
    """
    start, end = reply.find("{"), reply.rfind("}")
    try:
        record = json.loads(reply[start : end + 1])
    except ValueError:
        raise ValueError(f"ratings: expected one JSON object, found {reply[:80]!r}") from None
    judged = {}
    for name in DIMENSIONS:
        entry = record.get(name)
        rating = entry.get("rating") if isinstance(entry, dict) else None
        if isinstance(rating, bool) or not isinstance(rating, (int, float)) or not LOW <= rating <= HIGH:
            raise ValueError(
                f"ratings: expected a rating from {LOW} to {HIGH} of {name}, found {str(entry)[:60]!r}"
            )
        judged[name] = Judgement(float(rating), str(entry.get("reasons", "")).strip())
    return judged


_CHECK = parsed_by(read)


def lines(judged: dict[str, Judgement]) -> list[str]:
    """Returns the ratings for a prompt, the worst first."""
    return [
        f"{name} {one.rating:g}: {one.reasons}"
        for name, one in sorted(judged.items(), key=lambda item: item[1].rating)
    ]
