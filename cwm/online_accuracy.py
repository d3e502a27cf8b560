"""Online transition accuracy: every transition met in arena play, checked against the model in use.

The paper's third measure (section 5.1), beside training and test accuracy: play visits states that
random test games do not.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


from arena.game_loading import load_game
from arena.records import MatchRecord
from cwm import checks, manifest, store
from cwm.trajectories import Trajectory, from_actions


def trajectory_of(record: MatchRecord) -> Trajectory:
    """The recorded match as a trajectory of the ground truth; a forfeited one ends where it ended."""
    return from_actions(load_game(record.game), [action for _, action in record.actions()])


def models_of(record: MatchRecord) -> set[str]:
    """Names of the world models that took part in a match, from their bots' notes."""
    return {move.notes["model"] for move in record.moves if move.notes and "model" in move.notes}


def audit(records: Iterable[MatchRecord]) -> Mapping[str, Any]:
    """Checks every transition of every match against the world models that played in it.

    Returns:
      `online_transition_accuracy` (None where no world model made a move), `online_transitions` and
      `online_by_model`: name -> [transitions passed, transitions].
    """
    matches: dict[str, list[MatchRecord]] = {}
    for record in records:
        for folder in models_of(record):
            matches.setdefault(folder, []).append(record)
    by_model: dict[str, list[int]] = {}
    for folder, played in sorted(matches.items()):
        tally = by_model[folder] = [0, 0]
        source = manifest.load(store.resolve(folder)).source
        for _, verdicts in checks.transition_verdicts(source, map(trajectory_of, played)):
            tally[0] += sum(verdicts)
            tally[1] += len(verdicts)
    passed = sum(good for good, _ in by_model.values())
    total = sum(count for _, count in by_model.values())
    return {"online_transition_accuracy": passed / total if total else None,
            "online_transitions": total, "online_by_model": by_model}
