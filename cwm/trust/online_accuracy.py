"""Online accuracy: every transition met in arena play, checked against the model in use.

The paper's third measure (section 5.1), beside training and test accuracy: play visits states that
random test games do not. In a game with hidden information a model answers for what its player saw of
the game that was really played, and its inference for the player's decisions: what it draws there must
have been seen as the player saw it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.matches.records import MatchRecord
from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import checks, inference, moves
from cwm.trust.trajectories import Trajectory, from_actions

_PROBLEMS = {"history": inference.history_problem, "state": inference.state_problem}


def trajectory_of(record: MatchRecord) -> Trajectory:
    """The recorded match as a trajectory of the ground truth; a forfeited one ends where it ended."""
    return from_actions(load_game(record.game), [action for _, action in record.actions()])


def models_of(record: MatchRecord) -> set[tuple[str, int]]:
    """The world models that took part in a match, from their bots' notes: names and seats."""
    notes = [(move.notes, move.player) for move in record.moves]
    if record.forfeit is not None:
        notes.append((record.forfeit.notes, record.forfeit.player))
    return {(note["model"], player) for note, player in notes if note and "model" in note}


def decisions_of(record: MatchRecord, player: int) -> dict[int, str]:
    """The states of a match in which a bot with a world model searched, one that it failed in included:
    number of the state -> kind of inference."""
    numbers = _states_of(record)
    found = {
        number: move.notes["inference"]
        for number, move in zip(numbers, record.moves)
        if move.player == player and move.notes and "inference" in move.notes
    }
    if (
        record.forfeit is not None
        and record.forfeit.player == player
        and ("inference" in (record.forfeit.notes or {}))
    ):
        found[numbers[-1] + 1 if numbers else 0] = record.forfeit.notes["inference"]
    return found


def _states_of(record: MatchRecord) -> list[int]:
    """The number of the state in which each move was made; moves made at once share theirs."""
    state, found = load_game(record.game).new_initial_state(), []
    for number, move in enumerate(moves.grouped(state, [action for _, action in record.actions()])):
        found += [number] * (len(moves.choosing(state)) if state.is_simultaneous_node() else 1)
        moves.apply(state, move)
    return found


class _Inferences:
    """Tests one model's samples at decisions of players; for equal decisions they are drawn once."""

    def __init__(self, source: str):
        self._holder = checks.Holder(source)
        self._known: dict[str, bool] = {}

    def passes(self, seen: inference.Seen, state: int, kind: str) -> bool:
        history = seen.history(state)
        key = json.dumps([seen.player, kind, history, seen.legal[state]])
        if key not in self._known:
            first = 1_000 * (len(self._known) + 1)
            rows = inference.ask(
                self._holder.call, seen.player, history, range(first, first + inference.SEEDS_PER_DECISION)
            )
            self._known[key] = not any(_PROBLEMS[kind](seen, state, row) for row in rows)
        return self._known[key]

    def close(self) -> None:
        self._holder.close()


def audit(records: Iterable[MatchRecord]) -> Mapping[str, Any]:
    """Checks every transition of every match against the world models that played in it.

    A model is told all actions by name, hidden ones included, and judged by what its players saw.

    Returns:
      `online_transition_accuracy` (None where no world model made a move), `online_transitions` and
      `online_by_model`: name -> [transitions passed, transitions]. Where information is hidden, a
      transition counts for each player of a model, and the same three for inference at their decisions
      are added: `online_inference_accuracy`, `online_inferences`, `online_inference_by_model`.
    """
    matches: dict[str, list[tuple[MatchRecord, int]]] = {}
    for record in records:
        for model, player in sorted(models_of(record)):
            matches.setdefault(model, []).append((record, player))
    transitions: dict[str, list[int]] = {}
    inferences: dict[str, list[int]] = {}
    for name, played in sorted(matches.items()):
        loaded = manifest.load(model_folders.resolve(name))
        if not model_folders.hides_information(loaded):
            transitions[name] = _predicted(loaded.source, played)
        else:
            transitions[name], inferences[name] = _seen_and_inferred(loaded.source, played)
    result = _figures("transition", "online_transitions", "online_by_model", transitions)
    if inferences:
        result |= _figures("inference", "online_inferences", "online_inference_by_model", inferences)
    return result


def _predicted(source: str, played: Sequence[tuple[MatchRecord, int]]) -> list[int]:
    """The number of transitions of these matches that a model gets right, and the number of all."""
    records = {id(record): record for record, _ in played}.values()  # once, though both seats may have it
    tally = [0, 0]
    for _, verdicts in checks.transition_verdicts(source, map(trajectory_of, records)):
        tally[0] += sum(verdicts)
        tally[1] += len(verdicts)
    return tally


def _seen_and_inferred(source: str, played: Sequence[tuple[MatchRecord, int]]) -> tuple[list[int], list[int]]:
    """The number of transitions, as the players of a model saw them, that it gets right, and the number of all;
    and the same two for the inferences at their decisions."""
    predicted, inferred = [0, 0], [0, 0]
    tests = _Inferences(source)
    try:
        for player in sorted({player for _, player in played}):
            records = [record for record, seat in played if seat == player]
            games = checks.transition_verdicts(source, map(trajectory_of, records), player=player)
            for record, (trajectory, verdicts) in zip(records, games):
                predicted[0] += sum(verdicts)
                predicted[1] += len(verdicts)
                seen = inference.seen_by(trajectory, player)
                for state, kind in decisions_of(record, player).items():
                    inferred[0] += tests.passes(seen, state, kind)
                    inferred[1] += 1
    finally:
        tests.close()
    return predicted, inferred


def _figures(what: str, count: str, by_model: str, tallies: Mapping[str, list[int]]) -> dict[str, Any]:
    passed = sum(good for good, _ in tallies.values())
    total = sum(number for _, number in tallies.values())
    return {f"online_{what}_accuracy": passed / total if total else None, count: total, by_model: tallies}
