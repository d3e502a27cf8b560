"""The summary of a tournament's matches, as JSON-able data."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from arena.matches.records import MatchRecord
from arena.rating.evidence import deduplicate, fixed
from arena.rating.rate import ranked_by, rules_of
from arena.registry.bots import audits
from arena.store.match_store import StoredMatches
from arena.store.results import Results
from arena.tournaments import several
from arena.tournaments.schedule import Tournament
from arena.tournaments.statistics import standing, standing_as_json


def audit_results(tournament: Tournament, records: Sequence[MatchRecord]) -> dict[str, object]:
    """Further results that the bots' methods compute from the records, such as `online_transition_accuracy`."""
    results: dict[str, object] = {}
    for audit in audits(tournament.bots):
        results.update(audit(records))
    return results


def _forfeits(records: Sequence[MatchRecord]) -> list[dict[str, object]]:
    """The forfeits by bot and kind: their number, and the first reason."""
    found: dict[tuple[str, str], dict[str, object]] = {}
    for record in records:
        if record.forfeit is not None:
            key = record.seats[record.forfeit.player], record.forfeit.kind
            entry = found.setdefault(
                key, {"bot": key[0], "kind": key[1], "matches": 0, "first_reason": record.forfeit.reason}
            )
            entry["matches"] += 1
    return list(found.values())


def _notes(results: Results, anytime: bool) -> list[str]:
    same, contradicted = fixed(results)
    notes = [f"{sentence[0].upper()}{sentence[1:]}." for _, _, sentence in results.extensions]
    if same.all():
        notes.append("Exact: the bots are deterministic and nothing else varies, so no interval is needed.")
    if contradicted:
        notes.append(
            "Declared deterministic, but played differently where nothing else could vary, and counted as "
            f"random: {', '.join(contradicted)}."
        )
    if anytime:
        notes.append("The intervals are confidence sequences: they hold whenever play was stopped.")
    return notes


def summarize(
    tournament: Tournament, records: Sequence[MatchRecord], extra: Mapping[str, object] | None = None
) -> dict[str, object]:
    """The result of a tournament as JSON-able data without any clock in it.

    Args:
      tournament: the tournament that was played.
      records: records of all its matches.
      extra: further results, JSON-able, added beside the others.

    Returns:
      With more than two players the result of `arena.tournaments.several.summarized`, and with two:
      `game`, `bots`, `num_games`, `seed`, `opening_plies`, `move_seconds`; `ranked_by` as in
      `arena.rating.rate.rate`; `matches` and `unique_matches`, those that count; `per_bot`: spec -> the fields
      of `Standing`; `pairs`: for each two bots the `Standing` of the first against the second, with `bots`
      and the `other_mean_return` of the second; `notes`: sentences a reader must know;
      `forfeits`: bot, kind, number of matches and first reason of each; and the results in `extra`.

    Raises:
      ValueError: `extra` uses a name of the result's own.
    """
    # Those of a database know what else is noted of their experiment.
    results = records.results() if isinstance(records, StoredMatches) else Results.from_records(records)
    if tournament.players > 2:
        return _with(several.summarized(tournament, results), _forfeits(records), extra)
    rules = rules_of(results)
    if tournament.until is not None:
        rules = replace(rules, anytime=True)

    def described(chosen: Results, bot: str) -> dict[str, object]:
        # A generator of its own for each, so that more bots do not change the others' figures.
        rng = np.random.default_rng(tournament.seed)
        bounds = rules.low, rules.high
        return standing_as_json(standing(chosen, bot, rng, bounds=bounds, anytime=rules.anytime))

    def between(bots: Iterable[str]) -> Results:
        seated = [(results.seats == results.bots.index(bot)).any(axis=1) for bot in bots]
        return results.where(np.logical_and(*seated))

    result: dict[str, object] = {
        "game": tournament.game,
        "bots": list(tournament.bots),
        "num_games": tournament.num_games,
        "seed": tournament.seed,
        "opening_plies": tournament.opening_plies,
        "move_seconds": tournament.move_seconds,
        "ranked_by": ranked_by(tournament.game, rules),
        "matches": len(records),
        "unique_matches": len(deduplicate(results)),
        "per_bot": {bot: described(results, bot) for bot in tournament.bots},
        "pairs": [
            {
                "bots": [first, second],
                **described(met, first),
                "other_mean_return": described(met, second)["mean_return"],
            }
            for first, second in itertools.combinations(tournament.bots, 2)
            for met in [between((first, second))]
        ],
        "notes": _notes(results, rules.anytime),
    }
    return _with(result, _forfeits(records), extra)


def _with(
    result: dict[str, object], forfeits: list[dict[str, object]], extra: Mapping[str, object] | None
) -> dict[str, object]:
    """The result with its forfeits and the further results."""
    result["forfeits"] = forfeits
    for name, value in (extra or {}).items():
        if name in result:
            raise ValueError(f"extra results: {name!r} is a name of the result's own, expected another one")
        result[name] = value
    return result
