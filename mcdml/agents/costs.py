"""The requests to the language model as a table, beside the authors' scheme of a call at every visit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcdml.agents.episodes import Episode
from mcdml.asking.tally import SearchTally


def total(episodes: Sequence[Episode]) -> SearchTally:
    """Returns the sum of the episodes' tallies."""
    tally = SearchTally()
    for episode in episodes:
        tally += episode.tally
    return tally


def cost_rows(by_name: Mapping[str, Sequence[Episode]]) -> list[list[str]]:
    """Returns a table of agents; all figures but the last ones are for each move, averaged.

    `visits` is how often the authors' scheme would have called the model, `calls` how often it was,
    `calls/visits` their ratio. `misses` and `unreadable` are totals.
    """
    rows = [
        [
            "agent",
            "moves",
            "visits",
            "calls",
            "hits",
            "calls/visits",
            "tokens",
            "s waiting",
            "misses",
            "unreadable",
        ]
    ]
    for name, episodes in by_name.items():
        tally = total(episodes)
        moves = sum(len(episode.moves) for episode in episodes)
        each = [f"{value / max(1, moves):.1f}" for value in (tally.visits, tally.calls, tally.hits)]
        ratio = f"{tally.calls / tally.visits:.4f}" if tally.visits else "-"
        tokens = tally.prompt_tokens + tally.completion_tokens
        rows.append(
            [
                name,
                str(moves),
                *each,
                ratio,
                f"{tokens / max(1, moves):.0f}",
                f"{tally.seconds / max(1, moves):.2f}",
                str(tally.misses),
                str(tally.unreadable),
            ]
        )
    return rows
